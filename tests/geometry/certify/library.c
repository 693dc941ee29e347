/*
 * What the library says about a pair.
 */
#define _XOPEN_SOURCE 700
#include "library.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "drystone.h"

enum { CONTACTS = 1024 };

static void must(dry_status status, const char *what)
{
    if (status != DRY_OK) {
        char text[1024] = "";
        size_t length = 0;
        dry_last_error(text, sizeof text, &length);
        fprintf(stderr, "%s: %s\n", what, text);
        exit(2);
    }
}

static dry_shape make(dry_world *world, const shape *s)
{
    dry_shape handle = 0;
    double points[3 * MAX_CORNERS], half[3] = {0, 0, 0};
    uint32_t triangles[3 * MAX_FACES];
    for (int i = 0; i < s->corner_count; ++i) {
        points[3 * i] = s->corners[i].x;
        points[3 * i + 1] = s->corners[i].y;
        points[3 * i + 2] = s->corners[i].z;
    }
    for (int i = 0; i < s->face_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            triangles[3 * i + k] = (uint32_t)s->faces[i][k];
        }
    }
    const double normal[3] = {s->plane_normal.x, s->plane_normal.y, s->plane_normal.z};
    switch (s->kind) {
    case SPHERE:
        must(dry_shape_sphere(world, s->grown, &handle), "sphere");
        break;
    case BOX:
        for (int k = 0; k < 3; ++k) {
            half[k] = points[3 * (s->corner_count - 1) + k];
        }
        must(dry_shape_box(world, half, &handle), "box");
        break;
    case CAPSULE:
        must(dry_shape_capsule(world, s->corners[1].z, s->grown, &handle), "capsule");
        break;
    case CYLINDER:
        must(dry_shape_cylinder(world, s->half_height, s->radius, &handle), "cylinder");
        break;
    case HULL:
        must(dry_shape_hull(world, points, (size_t)s->corner_count, &handle), "hull");
        break;
    case HALF_SPACE:
        must(dry_shape_half_space(world, normal, s->plane_offset, &handle), "half-space");
        break;
    default:
        must(dry_shape_mesh(world, points, (size_t)s->corner_count, triangles, (size_t)s->face_count, &handle), "mesh");
    }
    return handle;
}

static dry_body add(dry_world *world, const shape *s, const pose *pose, int is_static)
{
    dry_body_def def;
    dry_body body = 0;
    must(dry_body_def_init(&def, sizeof def), "body");
    def.shape = make(world, s);
    def.kind = is_static ? DRY_STATIC : DRY_DYNAMIC;
    def.position[0] = pose->position.x;
    def.position[1] = pose->position.y;
    def.position[2] = pose->position.z;
    memcpy(def.rotation, pose->rotation, sizeof def.rotation);
    must(dry_body_add(world, &def, &body), "body");
    return body;
}

/* Where the program goes on if a step takes too long. The world of that step is lost. */
static sigjmp_buf after_step;

static void leave_step(int signal)
{
    siglongjmp(after_step, signal);
}

/* A step. Returns whether it ended within 2 s of the processor. */
static int step(dry_world *world)
{
    const struct itimerval limit = {.it_value = {.tv_sec = 2}}, none = {.it_value = {.tv_sec = 0}};
    if (sigsetjmp(after_step, 1) != 0) {
        return 0;
    }
    signal(SIGVTALRM, leave_step);
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
    const dry_status status = dry_world_step(world, 1e-6, NULL);
    setitimer(ITIMER_VIRTUAL, &none, NULL);
    must(status, "step");
    return 1;
}

finding ask(const pair *p)
{
    static dry_contact contacts[CONTACTS];
    dry_world *world = NULL;
    dry_world_def def;
    dry_settings settings;
    dry_body first = 0;
    size_t count = 0;
    must(dry_settings_init(&settings, sizeof settings), "settings");
    settings.contact_margin = p->margin;
    settings.iterations = 1;
    settings.projection = DRY_PROJECTION_OFF;
    must(dry_world_def_init(&def, sizeof def), "world");
    def.settings = &settings;
    def.gravity[2] = 0;
    must(dry_world_create(&def, &world), "world");
    for (int i = 0; i < 2; ++i) {
        if (i == p->is_swapped) {
            first = add(world, &p->a, &p->pa, 0);
        } else {
            add(world, &p->b, &p->pb, !p->is_dynamic);
        }
    }
    if (!step(world)) {
        return (finding){.count = -1};
    }
    must(dry_query_contacts(world, contacts, sizeof *contacts, CONTACTS, &count), "contacts");
    dry_world_destroy(world);
    finding found = {(int)count, HUGE_VAL, {0, 0, 0}};
    for (size_t i = 0; i < count; ++i) {
        if (contacts[i].gap < found.gap) {
            const double sign = contacts[i].body_a == first ? 1 : -1, *n = contacts[i].normal;
            found.gap = contacts[i].gap;
            found.normal = (d3){sign * n[0], sign * n[1], sign * n[2]};
        }
    }
    return found;
}
