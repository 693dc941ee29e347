/*
 * 10 000 worlds and solvers made, used and ended take no more memory than ten of them, to the byte. Argument: how many;
 * a tenth as many are made again with a second thread.
 *
 * The bytes are those that malloc has given out, as it counts them itself: in its main arena, and with what its caches
 * hold. So it runs with GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.malloc.arena_max=1, without caches and with
 * one arena for all threads.
 */
#include <drystone.h>

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(dry_status status)
{
    if (status != DRY_OK) {
        char message[512] = "";
        dry_last_error(message, sizeof message, NULL);
        fprintf(stderr, "%s: %s\n", dry_status_name(status), message);
        exit(EXIT_FAILURE);
    }
}

static void world(uint32_t threads)
{
    const double up[3] = {0.0, 0.0, 1.0}, half[3] = {0.1, 0.1, 0.1};
    dry_world_def def;
    dry_world *made;
    dry_shape ground, box;
    dry_body_def body;
    dry_body added;
    check(dry_world_def_init(&def, sizeof def));
    def.threads = threads;
    check(dry_world_create(&def, &made));
    check(dry_shape_half_space(made, up, 0.0, &ground));
    check(dry_shape_box(made, half, &box));
    check(dry_body_def_init(&body, sizeof body));
    body.kind = DRY_STATIC, body.shape = ground;
    check(dry_body_add(made, &body, &added));
    body.kind = DRY_DYNAMIC, body.shape = box;
    for (int k = 0; k < 3; ++k) {
        body.position[2] = 0.1 + 0.2 * k;
        check(dry_body_add(made, &body, &added));
    }
    check(dry_world_step(made, 0.01, NULL));
    if (dry_body_remove(made, 0) == DRY_OK) { /* a message is kept, too */
        exit(EXIT_FAILURE);
    }
    dry_world_destroy(made);
}

static void solver(void)
{
    const dry_problem_body body = {.inverse_mass = 1.0, .inverse_inertia = {1.0, 1.0, 1.0}, .velocity = {0.0, 0.0, -1.0}};
    const dry_problem_contact contact = {.key = 1, .body_a = UINT32_MAX, .normal = {0.0, 0.0, 1.0}, .friction = 0.5};
    const dry_problem problem = {.struct_size = sizeof problem, .step = 0.01, .bodies = &body, .body_count = 1,
                                 .contacts = &contact, .contact_count = 1};
    double velocities[6];
    dry_solution solution = {.struct_size = sizeof solution, .velocities = velocities};
    dry_settings settings;
    dry_solver *made;
    check(dry_settings_init(&settings, sizeof settings));
    check(dry_solver_create(&made));
    check(dry_solver_solve(made, &problem, &settings, &solution));
    dry_solver_destroy(made);
}

static size_t given_out(void)
{
    return mallinfo2().uordblks;
}

int main(int argc, char **argv)
{
    const int cycles = argc > 1 ? atoi(argv[1]) : 10000;
    size_t before = 0;
    for (int cycle = 0; cycle < cycles; ++cycle) {
        world(1);
        solver();
        if (cycle == 10) before = given_out();
    }
    const long grown = (long)(given_out() - before);
    printf("%d worlds and solvers: %ld bytes more than after ten of them, %zu\n", cycles, grown, before);

    /* The C library keeps some hundred bytes for each stack that it keeps for the next thread, and has more than one of
     * them where a thread was late to end. A block for each world would be 32 bytes at least. */
    const int crews = cycles / 10;
    for (int cycle = 0; cycle < crews; ++cycle) {
        world(2);
        if (cycle == 10) before = given_out();
    }
    const long more = (long)(given_out() - before);
    printf("%d worlds of two threads: %ld bytes more than after ten of them\n", crews, more);
    /* malloc hands out some bytes more where the rest would be too small a block: the sum moves by a few sixteens. A block
     * left behind in each cycle would be 32 bytes at least. */
    return grown < cycles && more < 16 * crews ? EXIT_SUCCESS : EXIT_FAILURE;
}
