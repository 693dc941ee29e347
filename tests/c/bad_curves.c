/*
 * NURBS curves: a circle as a rational curve is a cylinder, closest points of it have closed forms, a square of degree 1
 * rests on a plane, and bad curves are refused by name.
 */
#include "refuse.h"

static const double RADIUS = 0.5, STEP = 1.0 / 240;
static const double FREE_FALL[3] = {0, -9.81, 0};

static double circle_points[18], circle_weights[9];
static const double circle_knots[12] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
static double square_points[8] = {-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5};
static double square_knots[5] = {0, 1, 2, 3, 4};

static dry_nurbs_curve_def circle(void)
{
    static const double unit[18] = {1, 0, 1, 1, 0, 1, -1, 1, -1, 0, -1, -1, 0, -1, 1, -1, 1, 0};
    dry_nurbs_curve_def def;
    MUST(dry_nurbs_curve_def_init(&def, sizeof def));
    for (int k = 0; k < 18; ++k)
        circle_points[k] = RADIUS * unit[k];
    for (int k = 0; k < 9; ++k)
        circle_weights[k] = k % 2 ? sqrt(0.5) : 1;
    def.degree = 2;
    def.periodic = 0;
    def.points_xy = circle_points;
    def.weights_or_null = circle_weights;
    def.point_count = 9;
    def.knots = circle_knots;
    def.knot_count = 12;
    return def;
}

static dry_nurbs_curve_def square(void)
{
    dry_nurbs_curve_def def;
    MUST(dry_nurbs_curve_def_init(&def, sizeof def));
    def.degree = 1;
    def.points_xy = square_points;
    def.point_count = 4;
    def.knots = square_knots;
    def.knot_count = 5;
    return def;
}

static dry_body_def planar(dry_shape shape, double x, double y)
{
    dry_body_def def = body_at(shape, 0, x, y, 0);
    def.lock = DRY_LOCK_Z | DRY_LOCK_ROTATION_X | DRY_LOCK_ROTATION_Y;
    def.mass = 2;
    return def;
}

static void closest(dry_world *of)
{
    dry_nurbs_curve_def def = circle();
    dry_shape shape;
    MUST(dry_shape_nurbs_curve(of, &def, &shape));
    double worst = 0;
    for (int k = 0; k < 100; ++k) {
        const double angle = 0.37 * k, r = 0.01 * (k + 1), point[3] = {r * cos(angle), r * sin(angle), 0.3};
        double foot[3], normal[3], distance;
        MUST(dry_shape_closest(of, shape, point, foot, normal, &distance));
        worst = fmax(worst, fabs(distance - (r - RADIUS)));
        worst = fmax(worst, fabs(foot[0] - RADIUS * cos(angle)) + fabs(foot[1] - RADIUS * sin(angle)));
        worst = fmax(worst, fabs(normal[0] - cos(angle)) + fabs(normal[1] - sin(angle)) + fabs(normal[2]));
        worst = fmax(worst, fabs(foot[2] - 0.3));
    }
    check_at_most("closest points of a circle", worst, 1e-13);
    MUST(dry_shape_remove(of, shape));
}

static void rest(void)
{
    dry_world *of = new_world(NULL, 0);
    MUST(dry_world_set_gravity(of, FREE_FALL));
    dry_nurbs_curve_def def = square();
    dry_shape shape, plane;
    const double up[3] = {0, 1, 0};
    MUST(dry_shape_nurbs_curve(of, &def, &shape));
    MUST(dry_shape_half_space(of, up, 0, &plane));
    dry_body_def floor_def = body_at(plane, 0, 0, 0, 0);
    floor_def.kind = DRY_STATIC;
    add_body(of, &floor_def);
    dry_body_def body_def = planar(shape, 0, 0.5);
    const dry_body body = add_body(of, &body_def);
    for (int k = 0; k < 100; ++k)
        MUST(dry_world_step(of, STEP, NULL));
    double force[3], torque[3];
    MUST(dry_query_body_force(of, body, force, torque));
    check_at_most("weight on the plane", fabs(force[1] - 2 * 9.81) + fabs(force[0]) + fabs(force[2]), 1e-9);
    dry_body_state state;
    MUST(dry_body_get_state(of, body, &state));
    check_at_most("a square at rest", fabs(state.position[0]) + fabs(state.position[1] - 0.5), 1e-9);
    size_t count = 0;
    MUST(dry_query_contacts(of, NULL, sizeof(dry_contact), 0, &count));
    check_true("a square touches with both corners", count == 2);
    closest(of);
    dry_world_destroy(of);
}

static void refusals(void)
{
    dry_shape *shape = &out.handles[0];
    dry_nurbs_curve_def def = square(), bad;
    size_t size = sizeof def;
#define ADD dry_shape_nurbs_curve(world, &def, shape)
    ACCEPTED(ADD);
    REFUSED(DRY_ERR_NULL, "world", dry_shape_nurbs_curve(NULL, &def, shape));
    REFUSED(DRY_ERR_NULL, "def", dry_shape_nurbs_curve(world, NULL, shape));
    REFUSED(DRY_ERR_NULL, "shape", dry_shape_nurbs_curve(world, &def, NULL));
    BAD_SIZES("struct_size", def.struct_size, ADD);
    BAD_SIZES("size", size, dry_nurbs_curve_def_init((dry_nurbs_curve_def *)(void *)&out, size));
    REFUSED(DRY_ERR_NULL, "def", dry_nurbs_curve_def_init(NULL, sizeof def));
    BAD_NUMBERS("half_depth", def.half_depth, NEGATIVE | ZERO, ADD);
    for (int k = 0; k < 8; ++k)
        BAD_NUMBERS("points_xy", square_points[k], 0, ADD);
    for (int k = 1; k < 5; ++k)
        BAD_NUMBERS("knots", square_knots[k], NEGATIVE, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "degree", def.degree, uint32_t, 0, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "degree", def.degree, uint32_t, 6, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "periodic", def.periodic, uint32_t, 2, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "samples_per_span", def.samples_per_span, uint32_t, 0, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "samples_per_span", def.samples_per_span, uint32_t, 65, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "knot_count", def.knot_count, size_t, 4, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "point_count", def.point_count, size_t, 2, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "point_count", def.point_count, size_t, SIZE_MAX, ADD);
    BAD_VALUE(DRY_ERR_ARGUMENT, "knot_count", def.knot_count, size_t, SIZE_MAX, ADD);
    def.contacts = (dry_curve_contacts)77;
    REFUSED(DRY_ERR_ARGUMENT, "contacts is 77", ADD);
    def.contacts = DRY_CURVE_MINIMA;
#undef ADD
    bad = def;
    bad.points_xy = NULL;
    REFUSED(DRY_ERR_NULL, "points_xy", dry_shape_nurbs_curve(world, &bad, shape));
    bad = def;
    bad.knots = NULL;
    REFUSED(DRY_ERR_NULL, "knots", dry_shape_nurbs_curve(world, &bad, shape));
    double weights[4] = {1, 2, 1, 1};
    bad = def;
    bad.weights_or_null = weights;
    BAD_NUMBERS("weights", weights[1], NEGATIVE | ZERO, dry_shape_nurbs_curve(world, &bad, shape));
    static const double bow_tie[8] = {0, 0, 1, 1, 1, 0, 0, 1};
    bad = def;
    bad.points_xy = bow_tie;
    REFUSED(DRY_ERR_ARGUMENT, "crosses or touches itself", dry_shape_nurbs_curve(world, &bad, shape));
    check_refused("dry_shape_nurbs_curve");
}

static void refused_places(dry_shape curve, dry_shape hull)
{
    double point[3] = {1, 2, 3}, *foot = &out.numbers[0], *normal = &out.numbers[3], *distance = &out.numbers[6];
#define CLOSEST(world, shape, point, foot, normal, distance) \
    dry_shape_closest(world, shape, point, foot, normal, distance)
    ACCEPTED(CLOSEST(world, curve, point, foot, normal, distance));
    REFUSED(DRY_ERR_NULL, "world", CLOSEST(NULL, curve, point, foot, normal, distance));
    REFUSED(DRY_ERR_NULL, "point", CLOSEST(world, curve, NULL, foot, normal, distance));
    REFUSED(DRY_ERR_NULL, "foot", CLOSEST(world, curve, point, NULL, normal, distance));
    REFUSED(DRY_ERR_NULL, "normal", CLOSEST(world, curve, point, foot, NULL, distance));
    REFUSED(DRY_ERR_NULL, "distance", CLOSEST(world, curve, point, foot, normal, NULL));
    REFUSED(DRY_ERR_STALE_HANDLE, "shape", CLOSEST(world, UINT64_MAX, point, foot, normal, distance));
    REFUSED(DRY_ERR_UNSUPPORTED, "hull", CLOSEST(world, hull, point, foot, normal, distance));
    for (int k = 0; k < 3; ++k)
        BAD_NUMBERS("point", point[k], 0, CLOSEST(world, curve, point, foot, normal, distance));
#undef CLOSEST
    dry_body_def def = planar(curve, 0, 0);
    def.lock = 0;
    REFUSED(DRY_ERR_UNSUPPORTED, "DRY_LOCK_Z", dry_body_add(world, &def, &out.handles[0]));
    def = planar(curve, 0, 0);
    def.rotation[0] = 1;
    def.rotation[3] = 0;
    REFUSED(DRY_ERR_UNSUPPORTED, "z axis", dry_body_add(world, &def, &out.handles[0]));
    check_refused("closest points and bodies");
}

int main(void)
{
    watch_standard_error();
    rest();
    world = new_world(NULL, GRAVITY);
    dry_nurbs_curve_def def = circle();
    dry_shape curve, hull;
    const double corners[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    MUST(dry_shape_nurbs_curve(world, &def, &curve));
    MUST(dry_shape_hull(world, corners, 4, &hull));
    accept_state();
    refusals();
    refused_places(curve, hull);
    dry_world_destroy(world);
    check_silence();
    return check_result();
}
