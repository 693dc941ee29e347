// Bullet's manifolds as contacts of a problem, and the answer back in their points.
#ifndef DRYSTONE_BULLET_CONTACTS_HPP
#define DRYSTONE_BULLET_CONTACTS_HPP

#include "corners.hpp"
#include "memory.hpp"
#include "rows.hpp"

#include <algorithm>

namespace drystone {
namespace bullet {

/// A point of a manifold that takes part.
struct Point {
    btPersistentManifold *manifold;
    btManifoldPoint *point;
    /// In the list of contacts; of a point made of rows, of the first of them: one along the normal, two across it.
    uint32_t index;
    uint32_t a, b;
    bool is_rows;
    /// From body a to body b: Bullet's own, whose first body is b here.
    Vector normal;
    /// The two directions of a point made of rows, as long as friction is strong along them.
    Vector across[2];
    Vector arm_a, arm_b;
    /// Of the surfaces at the start of the step, below 0 an overlap [m].
    double gap;
    /// Within this of 0 a gap is none [m].
    double touching;
    /// The overlap that the pass against overlap leaves at most, where the sweeps are far from an answer [m].
    double stays;
    /// Part of an overlap that is undone by moving the bodies; 0: the velocities do it [-].
    double push;

    /// Whether its two bodies touch elsewhere too, so that one can rock on the other.
    bool rocks() const { return manifold->getNumContacts() > 1; }
};

class Contacts {
public:
    std::vector<dry_problem_contact> posed;
    std::vector<Point> points;

    /// Begins a step. `margin` bounds what counts as touching [m].
    void begin(double margin) {
        posed.clear();
        points.clear();
        memory_.begin();
        margin_ = margin;
    }

    /// Forgets which point was which.
    void forget() { memory_.clear(); }

    /// Adds the points of a manifold.
    void add(btPersistentManifold &manifold, Bodies &bodies, Rows &rows, const btContactSolverInfo &info) {
        add_corners(manifold);
        const int count = manifold.getNumContacts();
        if (count == 0) return;
        const btCollisionObject &first = *manifold.getBody0(), &second = *manifold.getBody1();
        if (!first.hasContactResponse() || !second.hasContactResponse()) return;
        const uint32_t b = bodies.index_of(first), a = bodies.index_of(second);
        if (a == b || !(bodies.moves(a) || bodies.moves(b))) return;
        uint64_t keys[Memory::MAX_POINTS];
        memory_.keys_of(manifold, keys);
        const bool is_rows =
            bodies.is_anisotropic(a) || bodies.is_anisotropic(b) || has_directions(first) || has_directions(second);
        for (int i = 0; i < count; ++i) {
            btManifoldPoint &point = manifold.getContactPoint(i);
            point.m_appliedImpulse = point.m_appliedImpulseLateral1 = point.m_appliedImpulseLateral2 = 0;
            if (!(point.getDistance() <= manifold.getContactProcessingThreshold())) continue;
            Point place{};
            place.manifold = &manifold;
            place.point = &point;
            place.a = a;
            place.b = b;
            place.is_rows = is_rows;
            place.normal = Vector(point.m_normalWorldOnB);
            place.normal = place.normal * (1 / place.normal.length());
            place.arm_a = arm(Vector(point.getPositionWorldOnB()), -place.normal, second, a, bodies);
            place.arm_b = arm(Vector(point.getPositionWorldOnA()), place.normal, first, b, bodies);
            place.gap = double(point.getDistance()) + double(info.m_linearSlop);
            const double response = bodies.response(a, place.normal, place.arm_a.cross(place.normal)) +
                                    bodies.response(b, place.normal, place.arm_b.cross(place.normal));
            if (response == 0) continue;  // no impulse changes it
            const dry_problem_contact contact = described(place, keys[i], bodies, info);
            place.index = uint32_t(is_rows ? rows.posed.size() : posed.size());
            if (is_rows) {
                add_rows(contact, place, bodies, rows);
            } else {
                posed.push_back(contact);
            }
            points.push_back(place);
        }
    }

    /// Writes what a point carried into it: impulses on Bullet's first body, and the directions that they go with.
    static void report(const Point &place, const Vector &impulse, double normal_impulse,
                       const btContactSolverInfo &info) {
        btManifoldPoint &point = *place.point;
        if (!has_user_directions(point, info))
            btPlaneSpace1(point.m_normalWorldOnB, point.m_lateralFrictionDir1, point.m_lateralFrictionDir2);
        point.m_appliedImpulse = btScalar(normal_impulse);
        point.m_appliedImpulseLateral1 = along(impulse, point.m_lateralFrictionDir1);
        point.m_appliedImpulseLateral2 = along(impulse, point.m_lateralFrictionDir2);
    }

private:
    /// What counts as touching, in units of the distance at which Bullet lets a contact go (2 % of a body) [-]: without
    /// it bodies in single precision never come to rest.
    static constexpr double TOUCHING = 0.006;
    /// The same of two spheres. Bullet drops their contact, and its impulses, as soon as they part. So they keep the
    /// overlap by which the sweeps may move them, up to half of this. Other shapes keep no overlap.
    static constexpr double TOUCHING_SPHERES = 0.2;
    /// By how much a normal may miss the centre of a round body and be taken for central, in units of the arm [-].
    static constexpr double CENTRAL = 3e-5;

    Memory memory_;
    double margin_ = 0;

    static double positive(btScalar value) { return value > 0 ? double(value) : 0; }

    static btScalar along(const Vector &impulse, const btVector3 &direction) {
        const double square = double(direction.length2());
        return square > 0 ? btScalar(impulse.dot(Vector(direction)) / square) : btScalar(0);
    }

    static bool is_sphere(const btCollisionObject &object) {
        return object.getCollisionShape()->getShapeType() == SPHERE_SHAPE_PROXYTYPE;
    }

    static bool has_directions(const btCollisionObject &object) {
        return object.hasAnisotropicFriction(btCollisionObject::CF_ANISOTROPIC_FRICTION);
    }

    static bool has_user_directions(const btManifoldPoint &point, const btContactSolverInfo &info) {
        return (info.m_solverMode & SOLVER_ENABLE_FRICTION_DIRECTION_CACHING) &&
               (point.m_contactPointFlags & BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED);
    }

    /// Returns the vector from the centre of mass to `place`. For a round body it is made parallel to the normal if it
    /// is parallel to the rounding of single precision: contacts of spheres are solved twice as fast.
    static Vector arm(const Vector &place, const Vector &inward, const btCollisionObject &object, uint32_t body,
                      const Bodies &bodies) {
        if (body == FIXED) return place - Vector(object.getWorldTransform().getOrigin());
        const Vector arm = place - bodies.known[body].place;
        if (!bodies.known[body].is_round) return arm;
        const double depth = arm.dot(inward);
        const Vector aside = arm - inward * depth;
        return aside.dot(aside) <= CENTRAL * CENTRAL * depth * depth ? inward * depth : arm;
    }

    dry_problem_contact described(Point &place, uint64_t key, const Bodies &bodies,
                                  const btContactSolverInfo &info) const {
        const btManifoldPoint &point = *place.point;
        dry_problem_contact contact{};
        contact.key = key;
        contact.body_a = place.a;
        contact.body_b = place.b;
        place.normal.write(contact.normal);
        place.arm_a.write(contact.arm_a);
        place.arm_b.write(contact.arm_b);
        contact.friction = positive(point.m_combinedFriction);
        contact.rolling = positive(point.m_combinedRollingFriction);
        contact.twisting = positive(point.m_combinedSpinningFriction);
        approach(place, contact, bodies, info);
        if (has_user_directions(point, info) || (point.m_contactPointFlags & BT_CONTACT_FLAG_FRICTION_ANCHOR))
            slide(place, contact, bodies, info);
        return contact;
    }

    /// What a point asks of the normal velocity, that the gap is not crossed or a rebound, and how soft it is.
    void approach(Point &place, dry_problem_contact &contact, const Bodies &bodies,
                  const btContactSolverInfo &info) const {
        const btManifoldPoint &point = *place.point;
        const double step = double(info.m_timeStep);
        double cfm = double(info.m_globalCfm), erp = double(info.m_erp2);
        const int flags = point.m_contactPointFlags;
        if (flags & (BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP)) {
            if (flags & BT_CONTACT_FLAG_HAS_CONTACT_CFM) cfm = double(point.m_contactCFM);
            if (flags & BT_CONTACT_FLAG_HAS_CONTACT_ERP) erp = double(point.m_contactERP);
        } else if (flags & BT_CONTACT_FLAG_CONTACT_STIFFNESS_DAMPING) {
            const double stiffness = double(point.m_combinedContactStiffness1);
            const double all =
                std::max(step * stiffness + double(point.m_combinedContactDamping1), double(SIMD_EPSILON));
            cfm = 1 / all;
            erp = step * stiffness / all;
        }
        const bool is_soft = cfm > 0;
        contact.normal_compliance = is_soft ? cfm / step : 0;
        const btPersistentManifold &manifold = *place.manifold;
        const bool is_balls = is_sphere(*manifold.getBody0()) && is_sphere(*manifold.getBody1());
        const double part = is_balls ? TOUCHING_SPHERES : TOUCHING;
        place.touching = is_soft ? 0 : std::min(margin_, part * double(manifold.getContactBreakingThreshold()));
        place.stays = is_balls ? 0.5 * place.touching : 0;
        const double rebound = rebound_of(place, bodies, info);
        if (place.gap > place.touching) {
            const Vector apart = bodies.velocity(place.b, place.arm_b) - bodies.velocity(place.a, place.arm_a);
            const double reach = place.gap - place.touching;
            const bool closes = reach + step * apart.dot(place.normal) <= 0;
            contact.normal_bias = rebound > 0 && closes ? -rebound : reach / step;
        } else if (place.gap < -place.touching && (is_soft || !info.m_splitImpulse)) {
            contact.normal_bias = std::min(erp * (place.gap + place.touching) / step, -rebound);
        } else {
            contact.normal_bias = -rebound;
            place.push = erp;
        }
        if (rebound > 0 && contact.normal_bias < 0) contact.key = 0;  // the next step does not start from an impact
    }

    /// The speed at which the bodies are to part, from that at which they meet [m/s].
    static double rebound_of(const Point &place, const Bodies &bodies, const btContactSolverInfo &info) {
        const double restitution = positive(place.point->m_combinedRestitution);
        if (restitution == 0) return 0;
        const Vector apart =
            bodies.velocity_before(place.b, place.arm_b) - bodies.velocity_before(place.a, place.arm_a);
        const double approach = -apart.dot(place.normal);
        return approach > 0 && approach >= double(info.m_restitutionVelocityThreshold) ? restitution * approach : 0;
    }

    /// At which sliding velocity friction is at rest: a conveyor's, or what takes an anchored point back.
    static void slide(const Point &place, dry_problem_contact &contact, const Bodies &bodies,
                      const btContactSolverInfo &info) {
        const btManifoldPoint &point = *place.point;
        Vector surface;
        if (has_user_directions(point, info)) {
            const Vector along(point.m_lateralFrictionDir1), aside(point.m_lateralFrictionDir2);
            surface = along * double(point.m_contactMotion1) + aside * double(point.m_contactMotion2);
            const double response = bodies.response(place.a, along, place.arm_a.cross(along)) +
                                    bodies.response(place.b, along, place.arm_b.cross(along));
            // Bullet's solver measures softness in units of the row's own response
            contact.tangential_compliance = positive(point.m_frictionCFM) * response;
        }
        if (point.m_contactPointFlags & BT_CONTACT_FLAG_FRICTION_ANCHOR) {
            const Vector apart = Vector(point.getPositionWorldOnA()) - Vector(point.getPositionWorldOnB());
            const Vector aside = apart - place.normal * apart.dot(place.normal);
            surface = surface - aside * (double(info.m_frictionERP) / double(info.m_timeStep));
        }
        surface.write(contact.surface_velocity);
    }

    /// The contact as rows: along the normal, two across it that it bounds, and about these rolling and twisting.
    static void add_rows(const dry_problem_contact &contact, Point &place, const Bodies &bodies, Rows &rows) {
        const auto normal_row = int32_t(rows.posed.size());
        const auto add = [&](const Half &of_a, const Half &of_b, double rhs) -> dry_problem_row & {
            const auto number = uint64_t(int64_t(rows.posed.size()) - normal_row + 1);
            dry_problem_row &row = rows.add(bodies, place.a, of_a, place.b, of_b, rhs);
            row.key = contact.key == 0 ? 0 : contact.key | number << 56;
            return row;
        };
        const auto push = [&](const Vector &v, double rhs) -> dry_problem_row & {
            return add({-v, -place.arm_a.cross(v)}, {v, place.arm_b.cross(v)}, rhs);
        };
        const auto bound = [&](dry_problem_row &row, double most) {
            row.lower = -most;
            row.upper = most;
            row.friction_row = normal_row;
            if (moves_nothing(row, place, bodies)) row.compliance = 1, row.rhs = 0;  // carries nothing then
        };
        dry_problem_row &normal = push(place.normal, -contact.normal_bias);
        normal.lower = 0;
        normal.compliance = contact.normal_compliance;
        const Vector turns[2] = {direction_of(place), place.normal.cross(direction_of(place))};
        for (int i = 0; i < 2; ++i) {
            place.across[i] = stretched(stretched(turns[i], *place.manifold->getBody0()), *place.manifold->getBody1());
            bound(push(place.across[i], Vector(contact.surface_velocity).dot(place.across[i])), contact.friction);
        }
        for (const Vector &turn : turns)
            if (contact.rolling > 0) bound(add({{}, -turn}, {{}, turn}, 0), contact.rolling);
        if (contact.twisting > 0) bound(add({{}, -place.normal}, {{}, place.normal}, 0), contact.twisting);
    }

    /// Whether a row lies along locked axes alone; drystone refuses those that are rigid.
    static bool moves_nothing(const dry_problem_row &row, const Point &place, const Bodies &bodies) {
        const auto square = [&](uint32_t body, const double *jacobian) {
            if (!bodies.moves(body)) return 0.0;
            const dry_problem_body &mass = bodies.posed[body];
            const Vector linear(jacobian), angular(jacobian + 3);
            return mass.inverse_mass * linear.dot(linear) + angular.dot(times(mass.inverse_inertia, angular));
        };
        return square(place.a, row.jacobian_a) + square(place.b, row.jacobian_b) == 0;
    }

    /// A direction across the normal; along an axis of the body whose friction depends on it.
    static Vector direction_of(const Point &place) {
        const btCollisionObject &first = *place.manifold->getBody0(), &second = *place.manifold->getBody1();
        const btMatrix3x3 &basis = (has_directions(first) ? first : second).getWorldTransform().getBasis();
        Vector best;
        for (int k = 0; k < 3; ++k) {
            const Vector axis(basis.getColumn(k));
            const Vector aside = axis - place.normal * axis.dot(place.normal);
            if (aside.dot(aside) > best.dot(best)) best = aside;
        }
        return best * (1 / best.length());
    }

    /// Friction along a direction, as Bullet has it: the row is as long as the body's friction is strong that way.
    static Vector stretched(const Vector &direction, const btCollisionObject &object) {
        if (!has_directions(object)) return direction;
        const btMatrix3x3 &basis = object.getWorldTransform().getBasis();
        const btVector3 local = direction.bullet() * basis * object.getAnisotropicFriction();
        return Vector(basis * local);
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
