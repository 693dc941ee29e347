/*
 * Four threads query one world while a fifth steps it: every answer is whole, none disturbs the stepping. And worlds in
 * different threads are independent. Needs POSIX threads (-pthread).
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include "scene.h"

enum { STEPS = 200, READERS = 4 };

static dry_world *small_heap(void)
{
    dry_settings settings = default_settings();
    settings.iterations = 15;
    return mixed_heap(24, &settings);
}

static void run(dry_world *world)
{
    for (int k = 0; k < STEPS; ++k)
        MUST(dry_world_step(world, 0.005, NULL));
}

/* What a reader shares with the stepping thread, and what it found. */
typedef struct reader {
    dry_world *world;
    pthread_barrier_t *ready; /* every reader has looked once */
    pthread_mutex_t *lock;    /* of `done` alone: the world is on its own */
    const int *done;
    double rounds, not_finite, odd_contacts, hashes;
} reader;

static int finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static void look(reader *self, bodies *all, contacts *found, uint64_t *last_hash)
{
    double kinetic, potential, force[3], torque[3];
    bodies_read(self->world, all);
    contacts_read(self->world, found);
    MUST(dry_query_energy(self->world, &kinetic, &potential));
    self->not_finite += !isfinite(kinetic) || !isfinite(potential);
    for (size_t i = 0; i < all->count; ++i) {
        MUST(dry_query_body_force(self->world, all->handle[i], force, torque));
        self->not_finite += !finite3(force) || !finite3(torque) || !finite3(all->state[i].position);
    }
    for (size_t c = 0; c < found->count; ++c) {
        const dry_contact *contact = &found->at[c];
        self->odd_contacts += !(fabs(norm(vec(contact->normal)) - 1) < 1e-12) || !(contact->normal_force >= 0) ||
                              contact->body_a == contact->body_b;
    }
    uint64_t hash = world_hash(self->world);
    self->hashes += hash != *last_hash;
    *last_hash = hash;
}

static void *read_world(void *argument)
{
    reader *self = argument;
    bodies all = bodies_of(self->world);
    contacts found = {0};
    uint64_t last_hash = 0;
    look(self, &all, &found, &last_hash);
    pthread_barrier_wait(self->ready);
    for (int done = 0; !done; self->rounds += 1) {
        pthread_mutex_lock(self->lock);
        done = *self->done;
        pthread_mutex_unlock(self->lock);
        look(self, &all, &found, &last_hash);
    }
    free(found.at);
    bodies_free(&all);
    return NULL;
}

static void start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    if (pthread_create(thread, NULL, function, argument) != 0) {
        printf("FAIL no thread for the test itself\n");
        exit(EXIT_FAILURE);
    }
}

static void *step_world_to_the_end(void *argument)
{
    run(argument);
    return NULL;
}

static void readers_and_one_that_steps(uint64_t expected)
{
    dry_world *world = small_heap();
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_barrier_t ready;
    pthread_barrier_init(&ready, NULL, READERS + 1);
    int done = 0;
    pthread_t threads[READERS], stepping;
    reader readers[READERS];
    for (int k = 0; k < READERS; ++k) {
        readers[k] = (reader){world, &ready, &lock, &done, 0, 0, 0, 0};
        start(&threads[k], read_world, &readers[k]);
    }
    pthread_barrier_wait(&ready);
    start(&stepping, step_world_to_the_end, world);
    pthread_join(stepping, NULL);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    double least_rounds = INFINITY, most_hashes = 0, not_finite = 0, odd = 0;
    for (int k = 0; k < READERS; ++k) {
        pthread_join(threads[k], NULL);
        least_rounds = fmin(least_rounds, readers[k].rounds);
        most_hashes = fmax(most_hashes, readers[k].hashes);
        not_finite += readers[k].not_finite;
        odd += readers[k].odd_contacts;
    }
    check_at_least("4 readers and a stepping thread: rounds of the slowest reader", least_rounds, 1);
    check_at_least("states of the world that one reader saw, by hash", most_hashes, 2);
    check_at_most("answers with a number that is not finite", not_finite, 0);
    check_at_most("contacts with a wrong normal, force or pair", odd, 0);
    check_true("the result is that of one thread alone", world_hash(world) == expected);
    pthread_barrier_destroy(&ready);
    dry_world_destroy(world);
}

static void *own_world(void *argument)
{
    dry_world *world = small_heap();
    run(world);
    *(uint64_t *)argument = world_hash(world);
    dry_world_destroy(world);
    return NULL;
}

static void worlds_in_different_threads(uint64_t expected)
{
    pthread_t threads[READERS];
    uint64_t hashes[READERS];
    double differ = 0;
    for (int k = 0; k < READERS; ++k)
        start(&threads[k], own_world, &hashes[k]);
    for (int k = 0; k < READERS; ++k) {
        pthread_join(threads[k], NULL);
        differ += hashes[k] != expected;
    }
    check_at_most("4 worlds in 4 threads: hashes that differ from that of one thread", differ, 0);
}

/* Fails with a message that names the step, on this thread. */
static void *fail_a_step(void *world)
{
    return dry_world_step(world, -1, NULL) == DRY_ERR_ARGUMENT ? world : NULL;
}

static void messages_are_per_thread(void)
{
    dry_world *world = small_heap();
    char before[256] = "", after[256] = "";
    void *failed = NULL;
    pthread_t thread;
    check_true("a NULL world is refused", dry_world_step(NULL, 1, NULL) == DRY_ERR_NULL);
    MUST(dry_last_error(before, sizeof before, NULL));
    start(&thread, fail_a_step, world);
    pthread_join(thread, &failed);
    MUST(dry_last_error(after, sizeof after, NULL));
    check_true("dry_last_error: another thread's failure leaves this thread's message",
               failed != NULL && strstr(before, "world") != NULL && strcmp(before, after) == 0);
    dry_world_destroy(world);
}

int main(void)
{
    uint64_t expected;
    messages_are_per_thread();
    own_world(&expected);
    readers_and_one_that_steps(expected);
    worlds_in_different_threads(expected);
    return check_result();
}
