/* The header stands alone, twice in one file and in two files of one program. */
#include <drystone.h>
#include <drystone.h>

uint32_t version_seen_from_b(void);

int main(void) {
    return dry_version() == version_seen_from_b() && dry_version() != 0 ? 0 : 1;
}
