// Bullet's rigid bodies as bodies of a problem.
#ifndef DRYSTONE_BULLET_BODIES_HPP
#define DRYSTONE_BULLET_BODIES_HPP

#include "vector.hpp"

#include <btBulletDynamicsCommon.h>
#include <drystone.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace drystone {
namespace bullet {

/// The fixed world, as a body of a problem.
constexpr uint32_t FIXED = UINT32_MAX;

/// Where a body of a problem came from.
struct Body {
    btRigidBody *rigid;
    /// Of the centre of mass [m].
    Vector place;
    /// Whether impulses move it.
    bool moves;
    /// Whether its inertia is isotropic.
    bool is_round;
    /// Whether its linear factor differs between axes. A problem has one mass for all axes, so such a body takes part
    /// through rows alone. Its coordinates are y with v = start + scale y: y is the linear velocity in the problem.
    bool is_anisotropic;
    /// Square root of the linear factor where it differs between axes, else 1 [-].
    Vector scale;
    /// Linear velocity without impulses where the factor differs between axes, else 0 [m/s].
    Vector start;
    /// The largest component of what forces add to its velocity in the step [m/s].
    double kick;
};

/// The bodies of one problem. While it is being posed, Bullet's companion id of a body is its index here.
class Bodies {
public:
    std::vector<Body> known;
    std::vector<dry_problem_body> posed;

    void begin(double step, double most_gyroscopic) {
        known.clear();
        posed.clear();
        step_ = step;
        most_gyroscopic_ = most_gyroscopic;
    }

    /// The index of an object that Bullet has collided or joined. The object becomes a body of the problem if it is
    /// none yet. FIXED for objects that do not move.
    uint32_t index_of(const btCollisionObject &object) {
        if (object.getCompanionId() >= 0) return uint32_t(object.getCompanionId());
        // Bullet hands out its own objects as const
        btRigidBody *rigid = btRigidBody::upcast(const_cast<btCollisionObject *>(&object));
        if (!rigid || (rigid->getInvMass() == 0 && !rigid->isKinematicObject())) return FIXED;
        rigid->setCompanionId(int(known.size()));
        add(rigid);
        return uint32_t(known.size() - 1);
    }

    bool moves(uint32_t body) const { return body != FIXED && known[body].moves; }
    bool is_anisotropic(uint32_t body) const { return body != FIXED && known[body].is_anisotropic; }

    /// Velocity, without impulses, of the point of a body at `arm` from its centre of mass [m/s].
    Vector velocity(uint32_t body, const Vector &arm) const {
        if (body == FIXED) return {};
        return linear(body) + Vector(posed[body].angular_velocity).cross(arm);
    }

    /// The velocity that Bullet has for that point: of the start of the step, without what forces add [m/s].
    Vector velocity_before(uint32_t body, const Vector &arm) const {
        if (body == FIXED) return {};
        const btRigidBody &rigid = *known[body].rigid;
        return Vector(rigid.getLinearVelocity()) + Vector(rigid.getAngularVelocity()).cross(arm);
    }

    /// Linear velocity without impulses [m/s].
    Vector linear(uint32_t body) const { return known[body].start + Vector(posed[body].velocity); }

    /// The linear velocity that a posed one means [m/s].
    Vector meant(uint32_t body, const Vector &velocity) const {
        return known[body].start + known[body].scale.times(velocity);
    }

    /// What impulse does to a velocity along the row (`linear`, `angular`) of a body [1/kg].
    double response(uint32_t body, const Vector &linear, const Vector &angular) const {
        if (!moves(body)) return 0;
        const dry_problem_body &mass = posed[body];
        const Vector scaled = known[body].scale.times(linear);
        return mass.inverse_mass * scaled.dot(scaled) + angular.dot(times(mass.inverse_inertia, angular));
    }

    /// How fast an impulse that gives a body 1 m/s would turn it, at the radius where that is most [1/m].
    double turns(uint32_t body) const {
        const dry_problem_body &mass = posed[body];
        const double *inertia = mass.inverse_inertia;
        const double most = std::fmax(inertia[0], std::fmax(inertia[1], inertia[2]));
        return mass.inverse_mass > 0 ? std::sqrt(most / mass.inverse_mass) : 0;
    }

    /// The largest speed of a body at the start of the step, along an axis; of its turning, at the radius of its
    /// inertia [m/s].
    double speed() const {
        double most = 0;
        for (size_t i = 0; i < known.size(); ++i) {
            if (!known[i].moves) continue;
            const btRigidBody &rigid = *known[i].rigid;
            const double turns_ = turns(uint32_t(i)), turning = Vector(rigid.getAngularVelocity()).largest();
            most = std::fmax(most,
                             std::fmax(Vector(rigid.getLinearVelocity()).largest(), turns_ > 0 ? turning / turns_ : 0));
        }
        return most;
    }

    /// The largest speed that forces gave a body in the step, along an axis [m/s].
    double kick() const {
        double most = 0;
        for (const Body &body : known)
            if (body.moves) most = std::fmax(most, body.kick);
        return most;
    }

    /// Gives Bullet its companion ids back.
    void release() {
        for (const Body &body : known) body.rigid->setCompanionId(-1);
    }

private:
    double step_ = 0, most_gyroscopic_ = 0;

    void add(btRigidBody *rigid) {
        Body body{};
        body.rigid = rigid;
        body.place = Vector(rigid->getWorldTransform().getOrigin());
        body.moves = rigid->getInvMass() != 0 && !rigid->isKinematicObject();
        body.scale = {1, 1, 1};
        dry_problem_body mass{};
        Vector velocity(rigid->getLinearVelocity()), spin(rigid->getAngularVelocity());
        if (body.moves) {
            const double inverse_mass = double(rigid->getInvMass());
            const Vector pushed = Vector(rigid->getTotalForce()) * (inverse_mass * step_);
            velocity = velocity + pushed;
            body.kick = pushed.largest();
            take_inertia(*rigid, mass.inverse_inertia);
            spin = spin + times(mass.inverse_inertia, Vector(rigid->getTotalTorque())) * step_ + gyroscopic(*rigid);
            take_angular_factor(Vector(rigid->getAngularFactor()), mass.inverse_inertia);
            const double *m = mass.inverse_inertia;
            body.is_round = m[0] == m[1] && m[1] == m[2] && m[3] == 0 && m[4] == 0 && m[5] == 0;
            const Vector factor(rigid->getLinearFactor());
            body.is_anisotropic = factor.x != factor.y || factor.y != factor.z;
            mass.inverse_mass = body.is_anisotropic ? inverse_mass : inverse_mass * positive(factor.x);
            if (body.is_anisotropic) {
                body.scale = {root(factor.x), root(factor.y), root(factor.z)};
                body.start = velocity;
                velocity = {};
            }
        }
        velocity.write(mass.velocity);
        spin.write(mass.angular_velocity);
        known.push_back(body);
        posed.push_back(mass);
    }

    static double positive(double factor) { return factor > 0 ? factor : 0; }
    static double root(double factor) { return std::sqrt(positive(factor)); }

    /// R D R^T in double precision: Bullet's own tensor is semidefinite to the rounding of its scalars alone.
    static void take_inertia(const btRigidBody &rigid, double *inertia) {
        const Vector local(rigid.getInvInertiaDiagLocal());
        if (local.x == local.y && local.y == local.z) {
            inertia[0] = inertia[1] = inertia[2] = local.x;
            return;
        }
        const btMatrix3x3 &basis = rigid.getWorldTransform().getBasis();
        const Vector x(basis[0]), y(basis[1]), z(basis[2]);
        const Vector xd = x.times(local), yd = y.times(local), zd = z.times(local);
        inertia[0] = xd.dot(x);
        inertia[1] = yd.dot(y);
        inertia[2] = zd.dot(z);
        inertia[3] = xd.dot(y);
        inertia[4] = yd.dot(z);
        inertia[5] = xd.dot(z);
    }

    /// S I S with S^2 the factor: symmetric, and what Bullet has where the inertia is isotropic.
    static void take_angular_factor(const Vector &factor, double *inertia) {
        if (factor.x == 1 && factor.y == 1 && factor.z == 1) return;
        const double x = root(factor.x), y = root(factor.y), z = root(factor.z);
        inertia[0] *= x * x;
        inertia[1] *= y * y;
        inertia[2] *= z * z;
        inertia[3] *= x * y;
        inertia[4] *= y * z;
        inertia[5] *= x * z;
    }

    /// What Bullet adds to the spin of a body that is not round [rad/s].
    Vector gyroscopic(const btRigidBody &rigid) const {
        const int flags = rigid.getFlags();
        const Vector local(rigid.getInvInertiaDiagLocal());
        if (local.x == local.y && local.y == local.z) return {};
        Vector change;
        if (flags & BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT) {
            const btVector3 torque = rigid.computeGyroscopicForceExplicit(btScalar(most_gyroscopic_));
            change = change - Vector(rigid.getInvInertiaTensorWorld() * torque) * step_;
        }
        if (flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD)
            change = change + Vector(rigid.computeGyroscopicImpulseImplicit_World(btScalar(step_)));
        if (flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY)
            change = change + Vector(rigid.computeGyroscopicImpulseImplicit_Body(btScalar(step_)));
        return change;
    }
};

}  // namespace bullet
}  // namespace drystone

#endif
