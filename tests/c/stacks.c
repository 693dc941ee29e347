/*
 * Columns and walls of unit boxes stand, and their contacts keep their keys; columns of cylinders stand.
 */
#include "scene.h"

#define STEP (1.0 / 240)

/* What a stack stands on. */
enum { HALF_SPACE, SLAB };

static dry_world *boxes_world(int ground, dry_material *material, dry_shape *cube)
{
    dry_settings settings = default_settings();
    settings.iterations = 50;
    dry_world *world = new_world(&settings, GRAVITY);
    *material = add_material(world, 0.5, 0, 1000);
    *cube = box(world, 0.5, 0.5, 0.5);
    if (ground == HALF_SPACE) {
        add_floor(world, *material);
        return world;
    }
    dry_body_def def = body_at(box(world, 30, 20, 1), *material, 0, 0, -1);
    def.kind = DRY_STATIC;
    add_body(world, &def);
    return world;
}

/* Steps and keeps the largest overlap of any of the steps. */
static double stand(dry_world *world, double seconds)
{
    double overlap = 0;
    for (int k = 0; k < (int)(seconds / STEP); ++k)
        keep_worst(&overlap, step_world(world, STEP).max_overlap);
    return overlap;
}

/* The farthest any body is from where it was. */
static double drift(const dry_world *world, const bodies *first)
{
    bodies now = bodies_of(world);
    double worst = 0;
    for (size_t i = 0; i < now.count; ++i)
        keep_worst(&worst, norm(sub(vec(now.state[i].position), vec(first->state[i].position))));
    bodies_free(&now);
    return worst;
}

static void column(void)
{
    dry_material material;
    dry_shape cube;
    dry_world *world = boxes_world(HALF_SPACE, &material, &cube);
    for (int k = 0; k < 10; ++k) {
        dry_body_def def = body_at(cube, material, 0, 0, 0.5 + k);
        add_body(world, &def);
    }
    bodies first = bodies_of(world);
    double overlap = stand(world, 10);
    check_at_most("column of 10 boxes, 10 s at 50 sweeps: drift of the farthest [m]", drift(world, &first), 1e-3);
    check_at_most("column of 10 boxes: largest overlap of any step [m]", overlap, 1e-3);
    double kinetic, potential;
    MUST(dry_query_energy(world, &kinetic, &potential));
    /* 10 t at half a millimetre per second */
    check_at_most("column of 10 boxes: kinetic energy at the end [J]", kinetic, 1e-3);
    bodies_free(&first);
    dry_world_destroy(world);
}

/* Ten cylinders end on end stand, though not as still as boxes: their ends meet in octagons, and the column sways. It would
   fall from half a radius on. */
static void cylinders(void)
{
    dry_material material;
    dry_shape cube, round;
    dry_world *world = boxes_world(HALF_SPACE, &material, &cube);
    MUST(dry_shape_cylinder(world, 0.5, 0.5, &round));
    for (int k = 0; k < 10; ++k) {
        dry_body_def def = body_at(round, material, 0, 0, 0.5 + k);
        add_body(world, &def);
    }
    bodies first = bodies_of(world);
    double overlap = stand(world, 5);
    check_at_most("column of 10 cylinders, 5 s at 50 sweeps: drift of the farthest [m]", drift(world, &first), 0.25);
    check_at_most("column of 10 cylinders: largest overlap of any step [m]", overlap, 1e-3);
    bodies_free(&first);
    dry_world_destroy(world);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The sorted keys of all contacts; with a body, of its contacts alone. */
static uint64_t *keys_of(const dry_world *world, dry_body body_or_zero, size_t *count)
{
    contacts found = {0};
    contacts_read(world, &found);
    uint64_t *keys = allocate(found.count, sizeof *keys);
    *count = 0;
    for (size_t c = 0; c < found.count; ++c) {
        const dry_contact *contact = &found.at[c];
        if (body_or_zero == 0 || contact->body_a == body_or_zero || contact->body_b == body_or_zero)
            keys[(*count)++] = contact->key;
    }
    qsort(keys, *count, sizeof *keys, compare_keys);
    free(found.at);
    return keys;
}

static int has_key(const uint64_t *keys, size_t count, uint64_t key)
{
    return bsearch(&key, keys, count, sizeof key, compare_keys) != NULL;
}

/* Over `steps` steps: in how many the set of keys was another, or a contact was called new. */
static void keys_persist(dry_world *world, int steps)
{
    size_t count, twins = 0;
    uint64_t *keys = keys_of(world, 0, &count);
    for (size_t k = 1; k < count; ++k)
        twins += keys[k] == keys[k - 1];
    double changed = 0, called_new = 0;
    for (int k = 0; k < steps; ++k) {
        dry_step_report report = step_world(world, STEP);
        size_t now_count;
        uint64_t *now = keys_of(world, 0, &now_count);
        changed += now_count != count || memcmp(now, keys, count * sizeof *keys) != 0;
        called_new += report.new_contacts;
        free(now);
    }
    check_at_least("wall: contacts", (double)count, 210 * 3);
    check_at_most("wall: keys that two contacts share", (double)twins, 0);
    check_at_most("wall: steps of 100 in which the set of keys changed", changed, 0);
    check_at_most("wall: contacts called new in these steps", called_new, 0);
    free(keys);
}

/* The same box in the same place, but another body: its contacts are others. */
static void removed_and_added_again(dry_world *world, dry_body top, dry_body_def def)
{
    size_t count, own_count, new_count, reused = 0;
    uint64_t *own = keys_of(world, top, &own_count);
    uint64_t *keys = keys_of(world, 0, &count);
    dry_body_state state;
    MUST(dry_body_get_state(world, top, &state));
    memcpy(def.position, state.position, sizeof def.position);
    memcpy(def.rotation, state.rotation, sizeof def.rotation);
    MUST(dry_body_remove(world, top));
    size_t orphans;
    free(keys_of(world, top, &orphans));
    check_at_most("wall: contacts left of a removed body", (double)orphans, 0);
    dry_body again = add_body(world, &def);
    dry_step_report report = step_world(world, STEP);
    uint64_t *fresh = keys_of(world, again, &new_count);
    for (size_t k = 0; k < new_count; ++k)
        reused += (size_t)has_key(keys, count, fresh[k]);
    check_at_least("wall: contacts of the box on top", (double)own_count, 3);
    check_at_least("wall: contacts of the box added again", (double)new_count, 3);
    check_at_most("wall: keys of its contacts that were in use before", (double)reused, 0);
    check_at_most("wall: |new_contacts - its contacts|", fabs((double)report.new_contacts - (double)new_count), 0);
    check_true("wall: the box added again has another handle", again != top);
    free(own);
    free(keys);
    free(fresh);
}

/* Rows of 20, 19, ..., 1 boxes with 0.1 m between neighbours. */
static void wall(int ground, double seconds)
{
    dry_material material;
    dry_shape cube;
    dry_world *world = boxes_world(ground, &material, &cube);
    dry_body top = 0;
    dry_body_def def = body_at(cube, material, 0, 0, 0);
    for (int row = 0; row < 20; ++row)
        for (int i = 0; i < 20 - row; ++i) {
            def = body_at(cube, material, 1.1 * (i - 0.5 * (19 - row)), 0, 0.5 + row);
            top = add_body(world, &def);
        }
    bodies first = bodies_of(world);
    double overlap = stand(world, seconds);
    char name[96];
    snprintf(name, sizeof name, "wall of %zu boxes on a %s, %.0f s at 50 sweeps: drift of the farthest [m]",
             first.count - 1, ground == SLAB ? "slab" : "half-space", seconds);
    check_at_most(name, drift(world, &first), 1e-3);
    check_at_most("wall: largest overlap of any step [m]", overlap, 1e-3);
    double kinetic, potential;
    MUST(dry_query_energy(world, &kinetic, &potential));
    /* 210 t at a tenth of a millimetre per second: what shakes has joules */
    check_at_most("wall: kinetic energy at the end [J]", kinetic, 1e-3);
    keys_persist(world, 100);
    removed_and_added_again(world, top, def);
    bodies_free(&first);
    dry_world_destroy(world);
}

int main(void)
{
    column();
    cylinders();
    wall(HALF_SPACE, 10);
    wall(SLAB, 10);
    return check_result();
}
