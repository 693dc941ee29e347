/*
 * Prints the hash of a small mixed heap after 200 steps and nothing else, so that a runner can compare processes.
 */
#include <inttypes.h>
#include "scene.h"

int main(void)
{
    dry_settings settings = default_settings();
    settings.iterations = 15;
    dry_world *world = mixed_heap(16, &settings);
    for (int k = 0; k < 200; ++k)
        MUST(dry_world_step(world, 0.005, NULL));
    printf("%016" PRIx64 "\n", world_hash(world));
    dry_world_destroy(world);
    return EXIT_SUCCESS;
}
