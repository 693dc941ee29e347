// What stands when its forces are right, for any engine: stacks, a wall, an arch, a tower, a house of cards, and heavy
// boxes on light ones. The same as tests/standing/scenes.rs. z is up, the floor is at z = 0, friction 0.5.
#ifndef DRYSTONE_TEST_STANDING_SCENES_HPP
#define DRYSTONE_TEST_STANDING_SCENES_HPP

#include <array>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace standing {

using Vec = std::array<double, 3>;
/// A rotation: x, y, z, w.
using Turn = std::array<double, 4>;

constexpr double GRAVITY = 9.81, FRICTION = 0.5, DENSITY = 1000;

enum class Kind { BOX, CYLINDER, HULL };

struct Body {
    Kind kind;
    /// Half edges; of a cylinder radius, radius, half height; of a hull those of the box around it [m].
    Vec half;
    Vec place;
    Turn turn;
    /// [kg]
    double mass;
};

struct Scene {
    std::string name;
    /// The smallest edge of a body [m].
    double edge;
    std::vector<Body> bodies;
    /// The corners of all hulls, about their middle [m].
    std::vector<Vec> hull;
    /// The faces of the hull: indices of corners, counter-clockwise from outside.
    std::vector<std::vector<unsigned>> faces;
};

constexpr Turn UPRIGHT = {0, 0, 0, 1};

inline void add(Scene &scene, Kind kind, const Vec &half, const Vec &place, const Turn &turn = UPRIGHT) {
    const double round = kind == Kind::CYLINDER ? std::acos(-1.0) / 4 : 1;
    scene.bodies.push_back({kind, half, place, turn, DENSITY * round * 8 * half[0] * half[1] * half[2]});
}

/// Boxes of 0.5 m exactly on each other.
inline Scene stack(int count) {
    Scene scene = {std::to_string(count) + " boxes", 0.5, {}, {}, {}};
    for (int i = 0; i < count; ++i) add(scene, Kind::BOX, {0.25, 0.25, 0.25}, {0, 0, 0.25 + 0.5 * i});
    return scene;
}

/// A box of 0.5 m and 1 kg under one of so many times the mass.
inline Scene heavy_on_light(double ratio) {
    Scene scene = stack(2);
    scene.name = std::to_string(int(ratio)) + " : 1";
    scene.bodies[0].mass = 1, scene.bodies[1].mass = ratio;
    return scene;
}

/// Cylinders of 0.5 m height and diameter exactly on each other.
inline Scene cylinders(int count) {
    Scene scene = {std::to_string(count) + " cylinders", 0.5, {}, {}, {}};
    for (int i = 0; i < count; ++i) add(scene, Kind::CYLINDER, {0.25, 0.25, 0.25}, {0, 0, 0.25 + 0.5 * i});
    return scene;
}

/// A wall of unit boxes 0.1 m apart, so many in the lowest course and one less in each above.
inline Scene wall(int courses) {
    Scene scene = {"wall of " + std::to_string(courses * (courses + 1) / 2), 1, {}, {}, {}};
    for (int course = 0; course < courses; ++course)
        for (int i = 0; i < courses - course; ++i)
            add(scene, Kind::BOX, {0.5, 0.5, 0.5}, {1.1 * (i + 0.5 * course), 0, 0.5 + course});
    return scene;
}

/// A half circle of voussoirs between the radii 2 m and 2.6 m, 0.5 m deep.
inline Scene arch(int count) {
    Scene scene = {"arch of " + std::to_string(count), 0.4, {}, {}, {}};
    const double half = 0.5 * std::acos(-1.0) / count, middle = 2.3;
    for (const double radius : {2.0, 2.6})
        for (const double angle : {-half, half})
            for (const double y : {-0.25, 0.25})
                scene.hull.push_back({radius * std::cos(angle) - middle, y, radius * std::sin(angle)});
    // corner = 4 (outer radius) + 2 (upper angle) + 1 (y above 0); x outwards, z up
    scene.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    const double area = 0.5 * (2.6 * 2.6 - 2.0 * 2.0) * std::sin(2 * half);
    for (int i = 0; i < count; ++i) {
        const double angle = (2 * i + 1) * half;
        // turned by -angle about y, x goes to (cos, 0, sin)
        add(scene, Kind::HULL, {0.3, 0.25, 2.6 * std::sin(half)},
            {middle * std::cos(angle), 0, middle * std::sin(angle)}, {0, -std::sin(angle / 2), 0, std::cos(angle / 2)});
        scene.bodies.back().mass = DENSITY * area * 0.5;
    }
    return scene;
}

/// A tower of planks, two in each course, alternately along x and y.
inline Scene tower(int planks) {
    Scene scene = {"tower of " + std::to_string(planks), 0.1, {}, {}, {}};
    for (int i = 0; i < planks; ++i) {
        const int course = i / 2;
        const double side = i % 2 == 0 ? -0.4 : 0.4, z = 0.05 + 0.1 * course;
        if (course % 2 == 0) add(scene, Kind::BOX, {0.5, 0.1, 0.05}, {0, side, z});
        else add(scene, Kind::BOX, {0.1, 0.5, 0.05}, {side, 0, z});
    }
    return scene;
}

/// A house of cards of 0.4 m by 0.6 m by 0.02 m: so many storeys of leaning pairs, with cards lying between them.
inline Scene cards(int storeys) {
    Scene scene = {"house of cards", 0.02, {}, {}, {}};
    const Vec half = {0.01, 0.2, 0.3};
    const double lean = 20 * std::acos(-1.0) / 180, sine = std::sin(lean), cosine = std::cos(lean);
    const double reach = half[0] * cosine + half[2] * sine, height = half[2] * cosine + half[0] * sine;
    // the lying cards reach from apex to apex, 2 mm apart
    const double width = 2 * half[2] + 0.002, flat = std::sqrt(0.5);
    const double s = std::sin(lean / 2), c = std::cos(lean / 2);
    double base = 0;
    for (int storey = 0; storey < storeys; ++storey) {
        const int pairs = storeys - storey;
        const double first = 0.5 * width * storey;
        for (int pair = 0; pair < pairs; ++pair) {
            const double x = first + width * pair;
            add(scene, Kind::BOX, half, {x - reach, 0, base + height}, {0, s, 0, c});
            add(scene, Kind::BOX, half, {x + reach, 0, base + height}, {0, -s, 0, c});
        }
        for (int gap = 0; gap + 1 < pairs; ++gap)
            add(scene, Kind::BOX, half, {first + width * (gap + 0.5), 0, base + 2 * height + half[0]},
                {0, flat, 0, flat});
        base += 2 * height + 2 * half[0];
    }
    return scene;
}

/// The same with all places nearer to the origin by a part of their distance: what touches overlaps by as much of an edge.
inline Scene squeezed(Scene scene, double part) {
    for (Body &body : scene.bodies)
        for (double &x : body.place) x *= 1 - part;
    return scene;
}

/// Where a body is.
struct Pose {
    Vec place;
    Turn turn;
};

/// The floor, as a body that touches.
constexpr size_t FLOOR = size_t(-1);

/// A contact of a corner of `body` with a face of `other`. The normal points into `body`.
struct Touch {
    size_t body, other;
    unsigned corner;
    Vec point, normal;
    /// [m]
    double depth;
};

inline Vec cross(const Vec &a, const Vec &b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline double dot(const Vec &a, const Vec &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Vec sum(const Vec &a, const Vec &b, double scale) {
    return {a[0] + scale * b[0], a[1] + scale * b[1], a[2] + scale * b[2]};
}
inline Vec turned(const Turn &turn, const Vec &v) {
    const Vec axis = {turn[0], turn[1], turn[2]}, t = cross(axis, v);
    return sum(sum(v, t, 2 * turn[3]), cross(axis, t), 2);
}

/// Four corners of the face with which a body stands on the one before it, or that which carries the next one,
/// counter-clockwise from outside; of cylinders four points of the rim.
inline std::array<Vec, 4> face(const Scene &scene, size_t index, bool upper, const Pose &pose) {
    const Body &body = scene.bodies[index];
    std::array<Vec, 4> corners;
    for (size_t k = 0; k < 4; ++k) {
        Vec corner;
        if (body.kind == Kind::HULL) {
            corner = scene.hull[scene.faces[upper ? 3 : 2][k]];
        } else {
            const double x = body.half[0] * std::sqrt(0.5) * (k == 0 || k == 3 ? 1 : -1);
            const double y = body.half[1] * std::sqrt(0.5) * (k < 2 ? 1 : -1);
            corner = upper ? Vec{x, y, body.half[2]} : Vec{y, x, -body.half[2]};
        }
        corners[k] = sum(pose.place, turned(pose.turn, corner), 1);
    }
    return corners;
}

/// The exact contacts of bodies that stand on each other face on face, the first one on the floor; of an arch also the
/// last one. For engines that do not find them.
inline std::vector<Touch> touches(const Scene &scene, const std::vector<Pose> &poses) {
    std::vector<Touch> found;
    const auto add = [&](size_t body, bool upper, size_t other, const Vec &on, const Vec &normal) {
        const std::array<Vec, 4> corners = face(scene, body, upper, poses[body]);
        for (unsigned k = 0; k < 4; ++k) {
            const double depth = -dot(sum(corners[k], on, -1), normal);
            // a micrometre of gap is more than round-off, and less than what moves anything
            if (depth > -1e-6) found.push_back({body, other, k, corners[k], normal, depth});
        }
    };
    const size_t last = scene.bodies.size() - 1;
    for (size_t i = 0; i <= last; ++i) {
        if (i == 0) {
            add(0, false, FLOOR, {0, 0, 0}, {0, 0, 1});
            continue;
        }
        const std::array<Vec, 4> below = face(scene, i - 1, true, poses[i - 1]);
        Vec normal = cross(sum(below[1], below[0], -1), sum(below[2], below[0], -1));
        normal = sum({0, 0, 0}, normal, 1 / std::sqrt(dot(normal, normal)));
        add(i, false, i - 1, below[0], normal);
    }
    if (scene.bodies[last].kind == Kind::HULL) add(last, true, FLOOR, {0, 0, 0}, {0, 0, 1});
    return found;
}

/// The results of a scene.
struct Result {
    /// The fastest that a body was after 5 s, and at the end [m/s].
    double fastest = 0, last = 0;
    /// How far a body ended from where it was put [m].
    double drift = 0;
};

/// One line for a scene; whether it stands.
inline bool stands(const Scene &scene, int rate, const char *contacts, const Result &result) {
    const bool good = result.fastest < 1e-3 && result.drift < 0.01 * scene.edge;
    std::printf("%-4s %-16s 1/%-3d s, %s: after 5 s %.1e m/s at most, moved by %.1e m of %.1e\n", good ? "ok" : "FAIL",
                scene.name.c_str(), rate, contacts, result.fastest, result.drift, 0.01 * scene.edge);
    return good;
}

/// Bodies that are put up exactly on each other are some 1e-17 m apart, or overlap by that, and engines find contacts
/// of boxes only where these overlap: so they are put up with an overlap of a millionth of an edge.
constexpr double OVERLAP = 1e-6;

/// Everything that is to stand.
inline std::vector<Scene> all() {
    std::vector<Scene> scenes = {stack(10), stack(20), cylinders(10), wall(20), arch(15), tower(40), cards(3)};
    for (const double ratio : {10.0, 60.0, 100.0}) scenes.push_back(heavy_on_light(ratio));
    for (Scene &scene : scenes) scene = squeezed(scene, OVERLAP);
    return scenes;
}

/// Runs a scene in a world of an engine that has `step`, `speed` and `place` of a body.
template <class World>
Result run(World &world, const Scene &scene, int rate, int steps) {
    Result result;
    for (int step = 0; step < steps; ++step) {
        world.step(1.0 / rate);
        result.last = 0;
        // written so that what is no number stays
        for (size_t i = 0; i < scene.bodies.size(); ++i)
            if (!(world.speed(i) <= result.last)) result.last = world.speed(i);
        if (step >= 5 * rate && !(result.last <= result.fastest)) result.fastest = result.last;
    }
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
        const Vec now = world.place(i), &put = scene.bodies[i].place;
        double square = 0;
        for (size_t k = 0; k < 3; ++k) square += (now[k] - put[k]) * (now[k] - put[k]);
        if (!(std::sqrt(square) <= result.drift)) result.drift = std::sqrt(square);
    }
    return result;
}

/// Whether a scene stands in a world of an engine, which has `exact` and `refused` too: whether the scene gives the contacts, and whether a
/// step was refused.
template <class World>
bool stands_in(const Scene &scene, int rate, const char *engine) {
    World world(scene);
    const Result result = run(world, scene, rate, 20 * rate);
    const bool good = stands(scene, rate, world.exact ? "exact contacts" : engine, result);
    if (world.refused) std::printf("FAIL %s: a step was refused\n", scene.name.c_str());
    return good && !world.refused;
}

/// Whether all scenes stand, and whether the wall moves by less than 1e-9 m a step after 4740 steps.
template <class World>
bool all_stand_in(const char *engine) {
    const Scene scene = squeezed(wall(20), OVERLAP);
    World world(scene);
    const double moved = run(world, scene, 60, 4740).last / 60;
    bool good = moved < 1e-9;
    std::printf("%-4s wall after 4740 steps: %.1e m in a step\n", good ? "ok" : "FAIL", moved);
    for (const Scene &each : all())
        for (const int rate : {60, 240}) good = stands_in<World>(each, rate, engine) && good;
    return good;
}

}  // namespace standing

#endif
