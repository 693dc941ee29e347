//! Snapshots of a solver without a world: what it remembers from call to call. See docs/snapshots.md.

use crate::contact::check_impulses;
use crate::error::{Error, ErrorKind, Result, not_negative, text};
use crate::math::{ImpulsiveWrench, Vec3, is_within, limits};
use crate::solver::compatibility::Displacement;
use crate::visit::{Content, Reader, Size, State, StateVisitor, bytes_of, format_error, open, seal, sealed_size};
use crate::world::external::debts::{LARGEST_DEBT, StoredDebts};
use crate::world::external::solver::{ContactSolver, Correction};
use crate::world::external::warm_start::StoredImpulses;

impl ContactSolver {
    /// Returns the number of bytes of a snapshot.
    pub fn snapshot_size(&self) -> usize {
        let mut size = Size::default();
        self.save(&mut size);
        sealed_size(size.bytes())
    }

    /// Writes a snapshot to a room of exactly its size.
    ///
    /// # Errors
    ///
    /// The room is of another size.
    pub fn write_snapshot(&self, room: &mut [u8]) -> Result<()> {
        seal(Content::Solver, room, |writer| {
            self.save(writer);
            Ok(())
        })
    }

    /// Returns a snapshot.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn snapshot(&self) -> Result<Vec<u8>> {
        bytes_of(self.snapshot_size(), |room| self.write_snapshot(room))
    }

    /// Replaces what the solver remembers by what a snapshot holds. The results of the last call are gone.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the snapshot is not what it claims to be. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<()> {
        let read = || {
            let mut reader = open(Content::Solver, snapshot)?;
            let solver = Self::load(&mut reader)?;
            reader.finish().map(|()| solver)
        };
        *self = read().map_err(|error| match error.kind {
            ErrorKind::Memory => error,
            _ => Error { kind: ErrorKind::Format, ..error },
        })?;
        Ok(())
    }

    fn save(&self, visitor: &mut impl StateVisitor) {
        let Self {
            solver: _,  // Its workspace.
            problem: _, // The problem of the last call, its keys and its results.
            keys: _,
            stored,
            impulses: _,
            correction: Correction { last, displacements: _, compatible: _, given: _ },
            fresh: _,
            last_residual,
            debts,
            tolerance: _,
            local: _,
            lambda: _,
            sorted: _,
        } = self;
        stored.visit_state(visitor);
        visitor.length(last.len());
        last.iter().for_each(|displacement| displacement.visit(visitor));
        visitor.number(*last_residual);
        debts.visit_state(visitor);
    }

    fn load(reader: &mut Reader) -> Result<Self> {
        let mut solver = Self { stored: StoredImpulses::load(reader)?, ..Self::default() };
        solver.correction.last = reader.sequence("bodies", size_of::<Displacement>(), State::read)?;
        solver.last_residual = reader.number()?;
        not_negative("the last residual", solver.last_residual)?;
        solver.debts = StoredDebts::load(reader)?;
        Ok(solver)
    }
}

impl StoredImpulses {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { contacts, torques, rows, step } = self;
        visitor.number(*step);
        visitor.length(contacts.len());
        contacts.iter().for_each(|contact| contact.visit(visitor));
        visitor.length(torques.len());
        torques.iter().for_each(|torque| torque.visit(visitor));
        visitor.length(rows.len());
        rows.iter().for_each(|row| row.visit(visitor));
    }

    fn load(reader: &mut Reader) -> Result<Self> {
        let step = reader.number()?;
        if step != 0.0 {
            limits::step("the last step", step)?;
        }
        let contacts = load_keyed(reader, |force| check_impulses(&[ImpulsiveWrench::from(*force)]))?;
        let torques = reader.sequence("torques", size_of::<Vec3>(), Vec3::read)?;
        let fits = torques.is_empty() || torques.len() == contacts.len();
        if !fits || !torques.iter().all(|torque| is_within(torque, limits::LARGEST)) {
            return Err(format_error(text!("{} torques do not fit {} contacts", torques.len(), contacts.len())));
        }
        let rows = load_keyed(reader, |impulse: &f64| {
            let holds = limits::has_square(*impulse);
            if holds { Ok(()) } else { Err(format_error(text!("an impulse is {impulse} N s"))) }
        })?;
        Ok(Self { contacts, torques, rows, step })
    }
}

impl StoredDebts {
    fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self { known, keyless } = self;
        visitor.word(*keyless);
        visitor.length(known.len());
        known.iter().for_each(|debt| debt.visit(visitor));
    }

    fn load(reader: &mut Reader) -> Result<Self> {
        let keyless = reader.word()?;
        let check = |debt: &u64| {
            let holds = *debt <= LARGEST_DEBT;
            if holds { Ok(()) } else { Err(format_error(text!("the debt of a body is {debt} solves"))) }
        };
        check(&keyless)?;
        Ok(Self { known: load_keyed(reader, check)?, keyless })
    }
}

/// Reads values by ascending key, none of which is 0.
fn load_keyed<T: State>(reader: &mut Reader, check: impl Fn(&T) -> Result<()>) -> Result<Vec<(u64, T)>> {
    let mut last = 0;
    reader.sequence("keys", 2 * size_of::<u64>(), |reader| {
        let (key, value) = <(u64, T)>::read(reader)?;
        if key <= last {
            return Err(format_error(text!("the key {key} follows {last}")));
        }
        last = key;
        check(&value).map(|()| (key, value))
    })
}
