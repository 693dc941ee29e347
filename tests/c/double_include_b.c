/* The second file of double_include_a.c. */
#include <drystone.h>

uint32_t version_seen_from_b(void);

uint32_t version_seen_from_b(void) {
    return dry_version();
}
