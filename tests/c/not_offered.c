/* Features that are declared and not offered are refused by name, after the ordinary checks; nothing is written. */
#include "expect.h"

static void settings_not_offered(dry_world *world) {
    dry_settings usual, settings;
    OK(dry_world_get_settings(world, &usual, sizeof usual));
#define REFUSED(member, value, text)                                                           \
    settings = usual;                                                                          \
    settings.member = value;                                                                   \
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_UNSUPPORTED, text)
    REFUSED(local_solver, DRY_LOCAL_ROWS, "local_solver");
    REFUSED(warm_start, DRY_WARM_MODEL, "warm_start");
}

int main(void) {
    dry_world *world = new_world();
    const uint64_t before = hash_of(world);
    settings_not_offered(world);
    EXPECT(hash_of(world) == before);
    dry_world_destroy(world);
    dry_world_destroy(NULL);
    return verdict();
}
