// What is measured of a scene, from the places of its bodies alone.
#ifndef DRYSTONE_TEST_BULLET_MEASURE_HPP
#define DRYSTONE_TEST_BULLET_MEASURE_HPP

#include "scenes.hpp"

#include <algorithm>

namespace measure {

inline double kinetic_energy(const scenes::World &world) {
    double sum = 0;
    for (const auto &body : world.bodies) {
        if (body->getInvMass() == 0) continue;
        const btVector3 v = body->getLinearVelocity(),
                        w = body->getWorldTransform().getBasis().transpose() * body->getAngularVelocity();
        const btVector3 inverse = body->getInvInertiaDiagLocal();
        sum += 0.5 / double(body->getInvMass()) * double(v.length2());
        for (int k = 0; k < 3; ++k)
            if (inverse[k] > 0) sum += 0.5 * double(w[k]) * double(w[k]) / double(inverse[k]);
    }
    return sum;
}

namespace detail {

struct Solid {
    double place[3], axis[3][3], half[3], radius;
    bool is_sphere;
};

inline double dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

inline Solid solid(const btRigidBody &body) {
    Solid s{};
    const btTransform &t = body.getWorldTransform();
    for (int i = 0; i < 3; ++i) {
        s.place[i] = double(t.getOrigin()[i]);
        for (int k = 0; k < 3; ++k) s.axis[k][i] = double(t.getBasis()[i][k]);
    }
    const btCollisionShape *shape = body.getCollisionShape();
    s.is_sphere = shape->getShapeType() == SPHERE_SHAPE_PROXYTYPE;
    if (s.is_sphere) {
        s.half[0] = s.radius = double(static_cast<const btSphereShape *>(shape)->getRadius());
    } else {
        const btVector3 half = static_cast<const btBoxShape *>(shape)->getHalfExtentsWithMargin();
        for (int i = 0; i < 3; ++i) s.half[i] = double(half[i]);
        s.radius = std::sqrt(dot(s.half, s.half));
    }
    return s;
}

inline double of_sphere_and_box(const Solid &sphere, const Solid &box) {
    double away[3], outside = 0, inside = 1e300;
    for (int i = 0; i < 3; ++i) away[i] = sphere.place[i] - box.place[i];
    for (int k = 0; k < 3; ++k) {
        const double beyond = std::fabs(dot(away, box.axis[k])) - box.half[k];
        if (beyond > 0) outside += beyond * beyond;
        inside = std::min(inside, -beyond);
    }
    return outside > 0 ? sphere.radius - std::sqrt(outside) : sphere.radius + inside;
}

/// Along the axis on which two boxes are farthest apart: faces of both and products of edges.
inline double of_boxes(const Solid &a, const Solid &b) {
    double away[3], least = 1e300;
    for (int i = 0; i < 3; ++i) away[i] = b.place[i] - a.place[i];
    const auto look = [&](const double *axis) {
        const double length = std::sqrt(dot(axis, axis));
        if (length < 1e-6) return;
        double reach = 0;
        for (int k = 0; k < 3; ++k)
            reach += a.half[k] * std::fabs(dot(a.axis[k], axis)) + b.half[k] * std::fabs(dot(b.axis[k], axis));
        least = std::min(least, (reach - std::fabs(dot(away, axis))) / length);
    };
    for (int i = 0; i < 3; ++i) {
        look(a.axis[i]);
        look(b.axis[i]);
        for (int k = 0; k < 3; ++k) {
            const double *u = a.axis[i], *v = b.axis[k];
            const double across[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
            look(across);
        }
    }
    return least;
}

inline double of_pair(const Solid &a, const Solid &b) {
    if (a.is_sphere && b.is_sphere) {
        double square = 0;
        for (int i = 0; i < 3; ++i) square += (a.place[i] - b.place[i]) * (a.place[i] - b.place[i]);
        return a.radius + b.radius - std::sqrt(square);
    }
    if (a.is_sphere) return of_sphere_and_box(a, b);
    return b.is_sphere ? of_sphere_and_box(b, a) : of_boxes(a, b);
}

}  // namespace detail

/// The largest overlap of two bodies, in double precision from places as Bullet has them; 0 where none overlap [m].
inline double overlap(const scenes::World &world) {
    std::vector<detail::Solid> solids;
    for (const auto &body : world.bodies) solids.push_back(detail::solid(*body));
    double deepest = 0;
    for (size_t i = 0; i < solids.size(); ++i) {
        for (size_t k = i + 1; k < solids.size(); ++k) {
            if (world.bodies[i]->getInvMass() == 0 && world.bodies[k]->getInvMass() == 0) continue;
            if (!world.bodies[i]->checkCollideWith(world.bodies[k].get())) continue;
            double square = 0;
            for (int c = 0; c < 3; ++c) square += std::pow(solids[i].place[c] - solids[k].place[c], 2);
            const double reach = solids[i].radius + solids[k].radius;
            if (square < reach * reach) deepest = std::max(deepest, detail::of_pair(solids[i], solids[k]));
        }
    }
    return deepest;
}

}  // namespace measure

#endif
