//! What the state of a world is: everything that the next step or an answer to the host depends on; its hash, and the comparison of two
//! worlds.

use crate::body::Wrench;
use crate::contact::ContactRecord;
use crate::error::Result;
use crate::solver::compatibility::Displacement;
use crate::visit::{Comparison, Hash, Recorded, StateVisitor};
use crate::world::commit::ContactForces;
use crate::world::state::World;

impl World {
    /// Visits the whole state. Values that are stored only when they are needed are visited as their defaults when they are missing.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            tasks: _, // No result depends on it.
            settings,
            gravity,
            period,
            strain_rate,
            materials,
            shapes,
            bodies,
            active_bodies: _, // Follows from the bodies and from which of them sleep.
            sleep,
            memory,
            readback,
            contact_forces: ContactForces { sums, slots },
            removed,
            displacements,
            projection_budget,
            anchors,
            joints,
            elastic_energy,
            workspace: _,
        } = self;
        settings.visit_state(visitor);
        visitor.numbers(gravity);
        if !period.is_open() {
            visitor.numbers(period.lengths());
        }
        if self.is_strained() {
            visitor.numbers(strain_rate);
        }
        materials.visit_state(visitor);
        shapes.visit_state(visitor);
        bodies.visit_state(visitor);
        for slot in &bodies.order {
            let at = *slot as usize;
            sums.get(at).unwrap_or(&Wrench::ZERO).visit_state(visitor);
            visitor.numbers(displacements.get(at).unwrap_or(&Displacement::default()));
            visitor.words([projection_budget.debt(at)]);
        }
        visitor.slots(slots.iter().copied());
        readback.visit_state(visitor, slots);
        removed.visit_state(visitor);
        // Contacts of removed bodies are in the list until the next step, which does not read them.
        memory.visit_state(visitor, |record: &ContactRecord| !removed.has_any_of(record.pair()));
        anchors.visit_state(visitor, removed);
        joints.visit_state(visitor);
        visitor.flag(elastic_energy.is_some());
        visitor.numbers(elastic_energy);
        sleep.visit_state(visitor, bodies, removed);
    }

    /// Returns a hash of the whole state: everything that the next step or an answer to the host depends on. Two worlds of one build with
    /// equal hashes step alike.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::default();
        self.visit_state(&mut hash);
        hash.value()
    }

    /// Returns whether the whole state of both worlds is equal, bit for bit. Such worlds step alike.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn has_same_state(&self, other: &Self) -> Result<bool> {
        let mut recorded = Recorded::default();
        self.visit_state(&mut recorded);
        let words = recorded.into_words()?;
        let mut comparison = Comparison::with(&words);
        other.visit_state(&mut comparison);
        Ok(comparison.is_equal())
    }
}
