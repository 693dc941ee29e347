//! What the state of joints is.

use crate::joint::{AxisMode, JointAxis, JointDefinition, JointKind, JointLoad, MotorMode};
use crate::visit::{StateVisitor, state, state_choice};
use crate::world::joints::event::{JointEvent, JointEventKind};
use crate::world::joints::state::{Joint, JointState, Joints, RowImpulses};

/// In place of the slot of a body: the world.
pub(super) const WORLD: u32 = u32::MAX;

/// What a slot without a joint takes in a snapshot apart from its generation: an eighth of what it takes in a world
/// [bytes].
pub(super) const UNUSED: usize = size_of::<Joint>() / 8;

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
        visitor.room(UNUSED * registry.untaken());
        registry.visit_order(visitor, order);
        order.iter().for_each(|slot| all[*slot as usize].visit_state(visitor));
        visitor.length(self.events().count());
        self.events().for_each(|event| event.visit_state(visitor));
    }
}

state_choice!(JointKind { Ball, Hinge, Slider, Fixed, Distance, Universal, Cylindrical, Planar, General });
state_choice!(AxisMode { Free, Locked, Limited });
state_choice!(MotorMode { Off, Velocity, Position });
state_choice!(JointEventKind { Broken, Limit });
state!(JointEvent { joint, kind, axis });
// The largest distance and bounds of axes may be infinite.
state!(unbounded JointDefinition {
    kind,
    collide,
    point_a,
    rotation_a,
    point_b,
    rotation_b,
    length_min,
    length_max,
    linear_compliance,
    angular_compliance,
    relaxation,
    break_force,
    break_torque,
    break_impulse,
});
state!(unbounded JointAxis {
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
});
state!(JointLoad { force, torque });
state!(RowImpulses { locked, drives });
state!(JointState {
    position,
    last,
    drives,
    load,
    moments,
    last_force,
    rotor_lag,
    loads_across,
    is_saturated,
    is_sticking,
    is_redundant,
    is_unaimed,
    is_at_bound,
    largest_impulse,
    step,
});

impl Joint {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            definition,
            axes,
            bodies,
            frames: _, // Follow from the definition.
            locks: _,  // Follow from the kind and the modes of the axes.
            is_enabled,
            is_broken,
            user_data,
            state,
        } = self;
        definition.visit_state(visitor);
        axes.iter().for_each(|axis| axis.visit_state(visitor));
        bodies.iter().for_each(|body| visitor.half(body.unwrap_or(WORLD)));
        visitor.flag(*is_enabled);
        visitor.flag(*is_broken);
        visitor.word(*user_data);
        state.visit_state(visitor);
    }
}
