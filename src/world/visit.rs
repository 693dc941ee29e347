//! What the state of a world is: everything that the next step or an answer to the host depends on.

use crate::body::Wrench;
use crate::contact::ContactRecord;
use crate::solver::compatibility::Displacement;
use crate::visit::StateVisitor;
use crate::world::state::World;

impl World {
    /// Visits the whole state. Values that are stored only when they are needed are visited as their defaults when they are missing.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            tasks: _, // No result depends on it.
            settings,
            gravity,
            materials,
            shapes,
            bodies,
            active_bodies: _, // Follows from the bodies and from which of them sleep.
            sleep,
            memory,
            readback,
            contact_wrenches,
            loaded_slots,
            removed,
            displacements,
            workspace: _,
        } = self;
        settings.visit_state(visitor);
        visitor.numbers(gravity);
        materials.visit_state(visitor);
        shapes.visit_state(visitor);
        bodies.visit_state(visitor);
        for slot in &bodies.order {
            let at = *slot as usize;
            contact_wrenches.get(at).unwrap_or(&Wrench::ZERO).visit_state(visitor);
            visitor.numbers(displacements.get(at).unwrap_or(&Displacement::default()));
        }
        visitor.slots(loaded_slots.iter().copied());
        readback.visit_state(visitor, loaded_slots);
        removed.visit_state(visitor);
        // Contacts of removed bodies are in the list until the next step, which does not read them.
        memory.visit_state(visitor, |record: &ContactRecord| !removed.has_any_of(record.pair()));
        sleep.visit_state(visitor, bodies, removed);
    }
}
