//! What the state of bodies is.

use crate::body::bodies::Bodies;
use crate::body::motion::{Motion, Wrench};
use crate::body::shared::Bits;
use crate::visit::StateVisitor;

impl Bodies {
    /// Visits the state of the bodies in the order of their creation. Slots without a body have none but that of the registry.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            registry,
            order,
            sequence: _,      // Increases along `order`; only the order matters.
            next_sequence: _, // Likewise.
            motion,
            mass,
            traits,
            user_data,
            wrench,
            changes: _, // Which bodies detection has yet to look at: it belongs to the caches of the workspace.
            asleep,
        } = self;
        registry.visit_state(visitor);
        visitor.slots(order.iter().copied());
        for slot in order {
            let at = *slot as usize;
            motion[at].visit_state(visitor);
            visitor.words(mass[at].words());
            visitor.words(traits[at].words());
            // Slots behind the ends of these arrays have the same values as slots in front with 0.
            visitor.word(user_data.get(at).copied().unwrap_or(0));
            wrench.get(at).unwrap_or(&Wrench::ZERO).visit_state(visitor);
            visitor.flag(asleep[at]);
        }
    }
}

impl Motion {
    /// Visits position and velocities.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { center, rotation, linear, angular } = self;
        visitor.numbers(center.iter().chain(&rotation.coords));
        visitor.numbers(linear.iter().chain(angular));
    }
}

impl Wrench {
    /// Visits force and torque.
    pub fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { force, torque } = self;
        visitor.numbers(force.iter().chain(torque));
    }
}
