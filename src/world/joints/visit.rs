//! What the state of joints is.

use crate::joint::{JointAxis, JointDefinition, JointLoad, LocalFrame};
use crate::visit::StateVisitor;
use crate::world::joints::event::JointEvent;
use crate::world::joints::state::{Joint, JointState, Joints, RowImpulses};

impl Joints {
    /// Visits the state of all joints.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            registry,
            all,
            order,
            sequence: _,      // Increases along `order`; only the order matters.
            next_sequence: _, // Likewise.
            of_bodies: _,     // Follows from the joints, as pairs and welds do.
            pairs: _,
            welds: _,
            events: _, // Visited as far as queries list them.
        } = self;
        registry.visit_state(visitor);
        visitor.slots(order.iter().copied());
        order.iter().for_each(|slot| all[*slot as usize].visit_state(visitor));
        visitor.length(self.events().count());
        for JointEvent { joint, kind, axis } in self.events() {
            visitor.words([joint.0, *kind as u64, u64::from(*axis)]);
        }
    }
}

impl Joint {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { definition, axes, bodies, frames, locks: _, is_enabled, is_broken, user_data, state } = self;
        let JointDefinition {
            kind,
            collide,
            // The frames, which are visited as they are used.
            point_a: _,
            rotation_a: _,
            point_b: _,
            rotation_b: _,
            length_min,
            length_max,
            linear_compliance,
            angular_compliance,
            relaxation,
            break_force,
            break_torque,
            break_impulse,
        } = definition;
        visitor.word(*kind as u64);
        visitor.flag(*collide);
        visitor.numbers([length_min, length_max, linear_compliance, angular_compliance, relaxation]);
        visitor.numbers([break_force, break_torque, break_impulse]);
        axes.iter().for_each(|axis| visit_axis(visitor, axis));
        visitor.words(bodies.map(|body| body.map_or(u64::MAX, u64::from)));
        for LocalFrame { point, rotation } in frames {
            visitor.numbers(point.iter().chain(&rotation.coords));
        }
        visitor.flag(*is_enabled);
        visitor.flag(*is_broken);
        visitor.word(*user_data);
        state.visit_state(visitor);
    }
}

fn visit_axis(visitor: &mut impl StateVisitor, axis: &JointAxis) {
    let JointAxis {
        mode,
        motor,
        lower,
        upper,
        limit_restitution,
        frequency,
        ratio,
        stiffness,
        damping,
        rest,
        target_position,
        target_velocity,
        motor_stiffness,
        motor_damping,
        force_lower,
        force_upper,
        friction,
        friction_coefficient,
        friction_radius,
        armature,
    } = axis;
    visitor.words([*mode as u64, *motor as u64]);
    visitor.numbers([lower, upper, limit_restitution, frequency, ratio, stiffness, damping, rest]);
    visitor.numbers([target_position, target_velocity, motor_stiffness, motor_damping, force_lower, force_upper]);
    visitor.numbers([friction, friction_coefficient, friction_radius, armature]);
}

impl JointState {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            position,
            last: RowImpulses { locked, drives: last },
            drives,
            load,
            moments,
            last_force,
            rotor_lag,
            loads_across,
            is_saturated,
            is_sticking,
            is_at_bound,
            is_redundant,
            is_unaimed,
            largest_impulse,
            step,
        } = self;
        let JointLoad { force, torque } = load;
        visitor.numbers(position.iter().chain(locked).chain(last.as_flattened()).chain(drives.as_flattened()));
        visitor.numbers(force.iter().chain(torque));
        visitor.numbers(moments.iter().flatten().chain(last_force));
        visitor.numbers(rotor_lag.iter().chain(loads_across).chain([largest_impulse, step]));
        let flags = is_saturated.iter().chain(is_sticking).chain(is_at_bound.as_flattened());
        flags.chain([is_redundant, is_unaimed]).for_each(|is| visitor.flag(*is));
    }
}
