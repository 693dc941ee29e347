// Constraints: limits, motors, breaking, feedback.
#include "units.hpp"

using scenes::at;
using scenes::box;

namespace units {
namespace {

/// A bar on a hinge of the world, about y, its other end along x.
btHingeConstraint *bar_on_hinge(scenes::World &world) {
    btRigidBody *bar = world.add(world.keep(box(0.5, 0.05, 0.05)), 2, at(0.5, 0, 2));
    return world.join(new btHingeConstraint(*bar, at(-0.5, 0, 0), at(0, 1, 0)));
}

void limits_and_motor() {
    {
        Dry dry;
        btHingeConstraint *hinge = bar_on_hinge(dry.world);
        hinge->setLimit(btScalar(-0.7), btScalar(0.7));
        double farthest = 0;
        for (int i = 0; i < 480; ++i) {
            dry.world.step(STEP);
            farthest = std::fmax(farthest, std::fabs(double(hinge->getHingeAngle())));
        }
        // it may pass the limit by one step of the fall from there, 4.6 rad/s / 240
        check::at_most(farthest, 0.7 + 0.02, "a hinge stops at its limit [rad]");
        check::near(std::fabs(double(hinge->getHingeAngle())), 0.7, 0.01, "and rests there [rad]");
        check::at_most(scenes::apart(dry.world), 1e-3, "its halves stay together [m]");
        const double side = double(hinge->getHingeAngle());
        dry.world.dynamics.setGravity({0, 0, btScalar(GRAVITY)});
        dry.run(2);
        check::near(double(hinge->getHingeAngle()), -side, 0.01,
                    "a limit holds one way: turned over it rests at the other [rad]");
        dry.world.dynamics.setGravity({0, 0, btScalar(-GRAVITY)});
        dry.run(2);
        check::near(double(hinge->getHingeAngle()), side, 0.01, "and so does that one [rad]");
    }
    {
        Dry dry;
        dry.world.dynamics.setGravity({0, 0, 0});
        btHingeConstraint *hinge = bar_on_hinge(dry.world);
        hinge->enableAngularMotor(true, 2, 100);
        dry.run(0.5);
        const btRigidBody &bar = hinge->getRigidBodyA();
        check::near(std::fabs(double(bar.getAngularVelocity().y())), 2, 1e-3, "a motor reaches its speed [rad/s]");
    }
    {
        Dry dry;
        dry.world.dynamics.setGravity({0, 0, 0});
        btHingeConstraint *hinge = bar_on_hinge(dry.world);
        const double impulse = 1e-3;
        hinge->enableAngularMotor(true, 50, btScalar(impulse));
        dry.run(0.5);
        // about the hinge: m (l^2 + w^2) / 12 + m l^2 / 4, with l = 1 and w = 0.1
        const double inertia = 2 * (1 + 0.01) / 12 + 2 * 0.25;
        const double speed = 120 * impulse / inertia;
        check::near(std::fabs(double(hinge->getRigidBodyA().getAngularVelocity().y())), speed, 0.01 * speed,
                    "a weak motor adds its largest impulse in every step [rad/s]");
    }
}

/// A mass that hangs from a point: what holds it, and what does not.
void feedback_and_breaking() {
    const double weight = 20 * GRAVITY;
    for (const bool breaks : {false, true}) {
        Dry dry;
        btRigidBody *body = dry.world.add(dry.world.keep(box(0.1, 0.1, 0.1)), 20, at(0, 0, 2));
        auto *joint = dry.world.join(new btPoint2PointConstraint(*body, at(0, 0, 0.5)));
        btJointFeedback feedback;
        joint->setJointFeedback(&feedback);
        joint->enableFeedback(true);
        joint->setBreakingImpulseThreshold(btScalar(weight * STEP * (breaks ? 0.9 : 1.1)));
        dry.run(0.5);
        check::that(joint->isEnabled() != breaks,
                    breaks ? "a joint breaks above its impulse" : "a joint holds below it");
        if (breaks) {
            check::at_most(double(body->getLinearVelocity().z()), -4, "and what it held falls [m/s]");
            continue;
        }
        check::near(double(feedback.m_appliedForceBodyA.z()), weight, 1e-4 * weight,
                    "joint feedback is the weight that hangs [N]");
        // Bullet reports that of the last row, which for a point is the one along z
        check::near(std::fabs(double(joint->getAppliedImpulse())), weight * STEP, 1e-4 * weight * STEP,
                    "applied impulse of its last row [N s]");
    }
}

/// What a joint does to its two bodies balances.
void balance() {
    Dry dry;
    btRigidBody *a = dry.world.add(dry.world.keep(box(0.1, 0.2, 0.1)), 2, at(0, 0, 2));
    btRigidBody *b = dry.world.add(dry.world.keep(box(0.3, 0.1, 0.1)), 3, at(0.5, 0.1, 2));
    auto *joint =
        dry.world.join(new btHingeConstraint(*a, *b, at(0.2, 0, 0), at(-0.3, -0.1, 0), at(0, 0, 1), at(0, 0, 1)));
    btJointFeedback feedback;
    joint->setJointFeedback(&feedback);
    a->setAngularVelocity(at(1, 2, 3));
    dry.run(0.1);
    const btVector3 arm = a->getWorldTransform().getOrigin() - b->getWorldTransform().getOrigin();
    dry.world.step(STEP);
    const btVector3 force = feedback.m_appliedForceBodyA + feedback.m_appliedForceBodyB;
    const btVector3 torque =
        feedback.m_appliedTorqueBodyA + feedback.m_appliedTorqueBodyB + arm.cross(feedback.m_appliedForceBodyA);
    const double size = double(feedback.m_appliedForceBodyA.length());
    check::at_most(0.1 / size, 1, "a hinge that swings pulls by more than 0.1 N [-]");
    check::at_most(double(force.length()) / size, IS_DOUBLE ? 1e-12 : 1e-6, "its two forces balance [-]");
    // Bullet lets them act at the two pivots, which are apart by some micrometres
    check::at_most(double(torque.length()) / size, 1e-5, "and so do its torques [m]");
}

/// Each kind of constraint between two bodies hangs for a second without coming apart or being refused.
void kinds() {
    const btTransform below(btQuaternion::getIdentity(), at(0, 0, 0.3)),
        above(btQuaternion::getIdentity(), at(0, 0, -0.3));
    for (int kind = 0; kind < 7; ++kind) {
        Dry dry;
        btRigidBody *a = dry.world.add(dry.world.keep(box(0.1, 0.1, 0.1)), 0, at(0, 0, 3));
        btRigidBody *b = dry.world.add(dry.world.keep(box(0.1, 0.1, 0.1)), 1, at(0, 0, 2.4));
        btTypedConstraint *joint = nullptr;
        switch (kind) {
            case 0:
                joint = new btFixedConstraint(*a, *b, above, below);
                break;
            case 1:
                joint = new btConeTwistConstraint(*a, *b, above, below);
                break;
            case 2:
                joint = new btGeneric6DofConstraint(*a, *b, above, below, true);
                break;
            case 3:
                joint = new btGeneric6DofSpring2Constraint(*a, *b, above, below);
                break;
            case 4:
                joint = new btSliderConstraint(*a, *b, above, below, true);
                break;
            case 5:
                joint = new btPoint2PointConstraint(*a, *b, above.getOrigin(), below.getOrigin());
                break;
            default:
                joint = new btHingeConstraint(*a, *b, above.getOrigin(), below.getOrigin(), at(0, 1, 0), at(0, 1, 0));
        }
        if (kind == 2) static_cast<btGeneric6DofConstraint *>(joint)->setAngularLowerLimit(at(-0.1, -0.1, -0.1));
        dry.world.join(joint);
        b->setLinearVelocity(at(0.5, 0.2, 0));
        dry.run(1);
        const btVector3 first = a->getWorldTransform() * above.getOrigin(),
                        second = b->getWorldTransform() * below.getOrigin();
        const std::string name[] = {"fixed", "cone", "generic", "spring", "slider", "point", "hinge"};
        // the slider's axis is x: it may move along that
        const btVector3 apart = kind == 4 ? btVector3(0, (second - first).y(), (second - first).z()) : second - first;
        check::at_most(double(apart.length()), 2e-3, "halves of a constraint stay together: " + name[kind] + " [m]");
    }
}

/// A constraint that comes and goes at the same place in memory.
void replaced() {
    Dry dry;
    btRigidBody *body = dry.world.add(dry.world.keep(box(0.1, 0.1, 0.1)), 1, at(0, 0, 2));
    for (int i = 0; i < 50; ++i) {
        auto joint = std::make_unique<btPoint2PointConstraint>(*body, at(0, 0, i % 2 ? 0.2 : -0.2));
        dry.world.dynamics.addConstraint(joint.get());
        dry.run(0.05);
        dry.world.dynamics.removeConstraint(joint.get());
    }
    check::that(dry.refused == 0, "constraints that come and go");
}

}  // namespace

void joints() {
    limits_and_motor();
    feedback_and_breaking();
    balance();
    kinds();
    replaced();
}

}  // namespace units
