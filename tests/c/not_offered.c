/* What is declared and not offered says so by name, after the ordinary checks, and writes nothing. */
#include "expect.h"

static void settings_not_offered(dry_world *world) {
    dry_settings usual, settings;
    OK(dry_world_get_settings(world, &usual, sizeof usual));
#define REFUSED(member, value, text)                                                           \
    settings = usual;                                                                          \
    settings.member = value;                                                                   \
    EXPECT_STATUS(dry_world_set_settings(world, &settings), DRY_ERR_UNSUPPORTED, text)
    REFUSED(method, DRY_METHOD_THETA, "method");
    REFUSED(solver, DRY_SOLVER_CONIC, "solver");
    REFUSED(local_solver, DRY_LOCAL_ROWS, "local_solver");
    REFUSED(warm_start, DRY_WARM_MODEL, "warm_start");
}

static void functions_not_offered(dry_world *world) {
    uint8_t bytes[4] = {7, 7, 7, 7};
    size_t count = 7;
    EXPECT_STATUS(dry_world_snapshot(world, NULL, 0, NULL), DRY_ERR_NULL, "count is NULL");
    EXPECT_STATUS(dry_world_snapshot(world, NULL, 4, &count), DRY_ERR_NULL, "buffer is NULL");
    EXPECT_STATUS(dry_world_snapshot(world, NULL, 0, &count), DRY_ERR_UNSUPPORTED, "dry_world_snapshot");
    EXPECT_STATUS(dry_world_snapshot(world, bytes, 4, &count), DRY_ERR_UNSUPPORTED, "dry_world_snapshot");
    EXPECT_STATUS(dry_world_restore(world, NULL, 4), DRY_ERR_NULL, "buffer is NULL");
    EXPECT_STATUS(dry_world_restore(world, bytes, 4), DRY_ERR_UNSUPPORTED, "dry_world_restore");
    EXPECT(bytes[0] == 7 && count == 7);
}

int main(void) {
    dry_world *world = new_world();
    const uint64_t before = hash_of(world);
    settings_not_offered(world);
    functions_not_offered(world);
    EXPECT(hash_of(world) == before);
    dry_world_destroy(world);
    dry_world_destroy(NULL);
    return verdict();
}
