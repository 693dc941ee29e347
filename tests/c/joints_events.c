/*
 * Events of joints: what broke and what came to a bound in the last step, once each, in order; and what the query refuses.
 */
#include "joint.h"

enum { MAX_EVENTS = 8 };

/* Reads the events of the last step. Returns their number. */
static size_t events_of(const dry_world *world, dry_joint_event *events)
{
    size_t count = 0, number = 0;
    MUST(dry_query_joint_events(world, NULL, 0, &number));
    MUST(dry_query_joint_events(world, events, MAX_EVENTS, &count));
    check_true("both questions have one answer", count == number);
    return count;
}

static dry_joint hang(dry_world *world, double x, double break_force)
{
    dry_body ball = add_ball(world, x, 0, 4);
    dry_joint_def def = joint_at(world, DRY_JOINT_FIXED, 0, ball, (vec3){x, 0, 4}, (vec3){0, 0, 1});
    def.break_force = break_force;
    return add_joint(world, &def);
}

/* A ball on a slider along -z, which comes to its bound after 0.2 m. */
static dry_joint slide(dry_world *world, double x)
{
    dry_body ball = add_ball(world, x, 0, 4);
    dry_joint_def def = joint_at(world, DRY_JOINT_SLIDER, 0, ball, (vec3){x, 0, 4}, (vec3){0, 0, -1});
    dry_joint joint = add_joint(world, &def);
    dry_joint_axis axis = default_axis();
    axis.mode = DRY_JOINT_MODE_LIMITED;
    axis.upper = 0.2;
    MUST(dry_joint_set_axis(world, joint, 2, &axis));
    return joint;
}

static int is_event(dry_joint_event event, dry_joint joint, dry_joint_event_type type, uint32_t axis)
{
    return event.joint == joint && event.type == type && event.axis == axis;
}

static void once_each(uint32_t substeps)
{
    dry_settings settings = default_settings();
    settings.iterations = 1000;
    settings.tolerance = 1e-15;
    settings.substeps = substeps;
    dry_world *world = new_world(&settings, GRAVITY);
    dry_joint_event events[MAX_EVENTS];
    dry_joint first = slide(world, 0), weak = hang(world, 3, 0.5 * GRAVITY), second = slide(world, 6);
    hang(world, 9, 2 * GRAVITY);
    check_true("no events before the first step", events_of(world, events) == 0);
    steps(world, 1, 0.01);
    check_true("a joint broke", events_of(world, events) == 1 && is_event(events[0], weak, DRY_JOINT_EVENT_BROKEN, 0));
    int both = 0, others = 0;
    for (int k = 1; k < 100; ++k) {
        steps(world, 1, 0.01);
        const size_t count = events_of(world, events);
        const int found = count == 2 && is_event(events[0], first, DRY_JOINT_EVENT_LIMIT, 2)
                          && is_event(events[1], second, DRY_JOINT_EVENT_LIMIT, 2);
        both += found;
        others += !found && count != 0;
    }
    check_true("both sliders came to their bounds, once", both == 1 && others == 0);
    MUST(dry_joint_set_enabled(world, weak, 1));
    steps(world, 1, 0.01);
    check_true("a repaired joint breaks again", events_of(world, events) == 1);
    MUST(dry_joint_remove(world, weak));
    check_true("events of a removed joint are gone", events_of(world, events) == 0);
    dry_world_destroy(world);
}

/* In one step all joints break; the query refuses what it has no room for, and other bad arguments. */
static void refusals(void)
{
    dry_world *world = exact_world(GRAVITY);
    dry_joint_event events[MAX_EVENTS], untouched;
    size_t count = 99;
    for (int k = 0; k < 5; ++k)
        hang(world, 3 * k, 0.5 * GRAVITY);
    steps(world, 1, 0.01);
    memset(events, 7, sizeof events);
    untouched = events[0];
    check_true("too small", dry_query_joint_events(world, events, 4, &count) == DRY_ERR_CAPACITY && count == 5);
    check_true("too small: nothing is written", memcmp(events, &untouched, sizeof untouched) == 0);
    check_true("no world", dry_query_joint_events(NULL, events, MAX_EVENTS, &count) == DRY_ERR_NULL);
    check_true("no count", dry_query_joint_events(world, events, MAX_EVENTS, NULL) == DRY_ERR_NULL);
    check_true("no events", dry_query_joint_events(world, NULL, MAX_EVENTS, &count) == DRY_ERR_NULL);
    check_true("too many", dry_query_joint_events(world, events, SIZE_MAX, &count) == DRY_ERR_ARGUMENT);
    check_true("room for all", events_of(world, events) == 5);
    for (size_t k = 1; k < 5; ++k)
        check_true("by rising index", (uint32_t)events[k - 1].joint < (uint32_t)events[k].joint);
    steps(world, 1, 0.01);
    check_true("the next step has none", events_of(world, events) == 0);
    dry_world_destroy(world);
}

int main(void)
{
    once_each(0);
    once_each(4);
    refusals();
    return check_result();
}
