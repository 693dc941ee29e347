//! Velocities of bodies, and the sums that turn impulses into velocities.

use crate::error::{Result, resize};
use crate::math::lanes::{LineIndex, Wide};
use crate::math::{BodyRow, ContactId, RowId};
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::ball::{impulse_of_ball, rows_of_ball};
use crate::solver::problem::contacts::ContactBuffer;
use crate::solver::problem::islands::Island;
use crate::solver::problem::pairs::LinePair;
use crate::solver::problem::residual::{ball_residual, contact_residual, row_residual};
use crate::solver::problem::{
    Contact, FullContact, Impulses, ImpulsiveWrench, Jacobian, Measure, OptionalTerms, Problem, Velocity,
};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

/// Velocities of bodies, and the impulses on them in sum; one more of each for the fixed world.
#[derive(Debug, Default)]
pub(in crate::solver) struct Motion {
    pub(in crate::solver) velocities: Vec<Velocity>,
    pub(in crate::solver) totals: Vec<Velocity>,
    /// What the velocities and impulses of scalar rows are measured by.
    pub(in crate::solver) row_measures: Vec<Measure>,
    /// Scratch buffer: the impulses of contacts on bodies that none moves.
    pub(in crate::solver) reactions: Vec<Reaction>,
}

/// A body, and the impulse of one contact on it.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Reaction {
    body: BodyRow,
    impulse: Velocity,
}

/// The contacts of a buffer and their impulses, by the numbers of contacts.
#[derive(Clone, Copy)]
pub(in crate::solver) struct FilledContacts<'a> {
    pub(in crate::solver) buffer: &'a ContactBuffer,
    pub(in crate::solver) rows: &'a Rows,
    /// The lines of the bodies of each contact.
    pub(in crate::solver) pairs: &'a [LinePair],
}

impl FilledContacts<'_> {
    /// Returns a contact.
    pub(in crate::solver) fn contact(&self, contact: ContactId) -> Contact {
        let bodies = self.pairs[contact].map(LineIndex::row);
        self.buffer.contact(self.rows.lane_of[contact], bodies)
    }

    /// Returns the optional terms of a contact.
    pub(in crate::solver) fn optional_terms(&self, contact: ContactId) -> OptionalTerms {
        self.buffer.optional_terms(self.rows.lane_of[contact])
    }

    /// Returns the present impulse of a contact.
    pub(in crate::solver) fn impulse(&self, contact: ContactId) -> ImpulsiveWrench {
        self.rows.contact_impulse(contact)
    }
}

/// Bodies whose sums are read at a time.
const PIECE: usize = 256;

/// Bodies whose velocities are read at a time.
const LOADED_PER_PIECE: usize = 1024;

/// Rows that are measured at a time.
const ROWS_PER_PIECE: usize = 256;

/// Contacts whose impulses are computed at a time.
const CONTACTS_PER_PIECE: usize = 256;

impl Motion {
    /// Reads the velocities of the bodies of a problem, and measures its rows.
    pub(in crate::solver) fn load(&mut self, problem: &Problem, tasks: &dyn Tasks) -> Result<()> {
        let bodies = problem.masses.len();
        let Self { velocities, totals, row_measures, .. } = self;
        resize(row_measures, problem.rows.len(), Measure { scale: 0.0, length: 1.0 }, "rows")?;
        each_piece(tasks, ROWS_PER_PIECE, row_measures, |first, measures| {
            for (measure, row) in measures.iter_mut().zip(&problem.rows[first..]) {
                *measure = row.measure(problem.mass(row.body_a), problem.mass(row.body_b));
            }
        });
        velocities.truncate(bodies);
        resize(velocities, bodies + 1, Velocity::ZERO, "bodies")?;
        each_piece(tasks, LOADED_PER_PIECE, &mut velocities[..bodies], |first, velocities| {
            velocities.copy_from_slice(&problem.velocities[first..first + velocities.len()]);
        });
        resize(totals, bodies + 1, Velocity::ZERO, "bodies")
    }

    /// `v+ = vhat + M^-1 G^T lambda` of the bodies of an island from its impulses, in one sum for each body, so that
    /// momentum balances to round-off however many sweeps went before.
    pub(in crate::solver) fn balance(&mut self, problem: &Problem, island: &Island, impulses: &Impulses) {
        let resting = problem.masses.len();
        for body in island.bodies {
            self.totals[*body] = Velocity::ZERO;
        }
        let mut add = |body: BodyRow, Velocity { linear, angular }| {
            let total = &mut self.totals[body.index().min(resting)];
            total.linear += linear;
            total.angular += angular;
        };
        for index in island.contacts {
            let contact = &problem.contacts[*index];
            let [on_a, on_b] = contact.on_bodies(&impulses.wrench(*index));
            add(contact.body_a, on_a);
            add(contact.body_b, on_b);
        }
        for index in island.rows {
            let (row, lambda) = (&problem.rows[*index], impulses.rows[*index]);
            for (body, Jacobian { linear, angular }) in [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)] {
                add(body, Velocity { linear: lambda * linear, angular: lambda * angular });
            }
        }
        for body in island.bodies {
            let body = *body;
            let total = self.totals[body];
            self.velocities[body] = problem.velocities[body];
            problem.masses[body].apply(&mut self.velocities[body], &total.linear, &total.angular);
        }
    }

    /// The same of one body whose impulses are summed up on its line.
    fn balance_summed(problem: &Problem, body: BodyRow, line: &Wide, total: &mut Velocity, velocity: &mut Velocity) {
        *total = lines::velocity(line);
        *velocity = problem.velocities[body];
        // to a body that nothing touches nothing is added, not even a zero
        if *total != Velocity::ZERO {
            problem.masses[body].apply(velocity, &total.linear, &total.angular);
        }
    }

    /// [`Motion::balance`] of the bodies of an island, whose impulses are summed up on their `lines`.
    pub(in crate::solver) fn balance_island(&mut self, problem: &Problem, bodies: &[BodyRow], lines: &[Wide]) {
        for body in bodies {
            let body = *body;
            let (total, velocity) = (&mut self.totals[body], &mut self.velocities[body]);
            Self::balance_summed(problem, body, &lines[body], total, velocity);
        }
    }

    /// Does the same for all bodies of a problem, whose impulses are summed up on their `lines`.
    pub(in crate::solver) fn balance_bodies(&mut self, problem: &Problem, lines: &[Wide], tasks: &dyn Tasks) {
        let bodies = problem.masses.len();
        let pieces = (&mut self.totals[..bodies], &mut self.velocities[..bodies]);
        each_pair_of_pieces(tasks, PIECE, pieces, |first, totals, velocities| {
            for (body, (total, velocity)) in BodyRow::range(first..bodies).zip(totals.iter_mut().zip(velocities)) {
                Self::balance_summed(problem, body, &lines[body], total, velocity);
            }
        });
    }

    /// Adds the impulses on bodies that no impulse moves to their sums: of the `reacting` contacts, which are between such a body and
    /// another one.
    pub(in crate::solver) fn add_reactions(
        &mut self,
        problem: &Problem,
        reacting: &[ContactId],
        contacts: &FilledContacts,
        tasks: &dyn Tasks,
    ) -> Result<()> {
        let Self { totals, reactions, .. } = self;
        resize(reactions, reacting.len(), Reaction { body: BodyRow(0), impulse: Velocity::ZERO }, "contacts")?;
        each_piece(tasks, CONTACTS_PER_PIECE, reactions, |first, reactions| {
            for (reaction, index) in reactions.iter_mut().zip(&reacting[first..]) {
                let contact = contacts.contact(*index);
                let [on_a, on_b] = contact.on_bodies(&contacts.impulse(*index));
                *reaction = match problem.moves(contact.body_a) {
                    true => Reaction { body: contact.body_b, impulse: on_b },
                    false => Reaction { body: contact.body_a, impulse: on_a },
                };
            }
        });
        for Reaction { body, impulse } in &*reactions {
            if let Some(total) = totals.get_mut(body.index()) {
                total.linear += impulse.linear;
                total.angular += impulse.angular;
            }
        }
        Ok(())
    }

    /// Adds the impulses of rows on bodies that no impulse moves to their sums.
    pub(in crate::solver) fn add_row_reactions(&mut self, problem: &Problem, impulses: &Impulses) {
        for (row, lambda) in problem.rows.iter().zip(&impulses.rows) {
            let sides = [(row.body_a, row.jacobian_a), (row.body_b, row.jacobian_b)];
            for (body, Jacobian { linear, angular }) in sides.into_iter().filter(|(body, _)| !problem.moves(*body)) {
                if let Some(total) = self.totals.get_mut(body.index()) {
                    total.linear += *lambda * linear;
                    total.angular += *lambda * angular;
                }
            }
        }
    }

    /// The velocity of a body; of the fixed world it is zero.
    pub(in crate::solver) fn velocity(&self, body: BodyRow) -> &Velocity {
        &self.velocities[body.index().min(self.velocities.len() - 1)]
    }

    /// Returns the residual of a contact of a problem that lists it [m/s].
    pub(in crate::solver) fn contact_residual(&self, problem: &Problem, index: ContactId, impulses: &Impulses) -> f64 {
        self.residual_of(problem, problem.full_contact(index), &impulses.wrench(index))
    }

    /// Returns the residual of a contact that carries `impulse` [m/s].
    pub(in crate::solver) fn residual_of(
        &self,
        problem: &Problem,
        whole: FullContact,
        impulse: &ImpulsiveWrench,
    ) -> f64 {
        let pair = [self.velocity(whole.0.body_a), self.velocity(whole.0.body_b)];
        contact_residual(problem, whole, pair, impulse)
    }

    /// Returns the velocity of b relative to a along the normal of a contact [m/s].
    pub(in crate::solver) fn normal_velocity(&self, contact: &Contact) -> f64 {
        let (v_a, v_b) = (self.velocity(contact.body_a), self.velocity(contact.body_b));
        contact.normal.dot(&contact.relative_velocity(v_a, v_b))
    }

    /// The residual of a scalar row [m/s].
    pub(in crate::solver) fn row_residual(&self, problem: &Problem, index: RowId, impulses: &Impulses) -> f64 {
        let row = &problem.rows[index];
        let pair = [self.velocity(row.body_a), self.velocity(row.body_b)];
        if let Some(first) = row.ball {
            let lambda = impulse_of_ball(first, &impulses.rows);
            let own = rows_of_ball(first).map(|row| &problem.rows[row]);
            let w = own.map(|row| row.jacobian_a.dot(pair[0]) + row.jacobian_b.dot(pair[1]) - row.rhs);
            return ball_residual(&lambda, &w.into(), row.upper, &self.ball_measure(first));
        }
        row_residual(row, impulses.rows[index], &self.row_measures[index], pair, impulses)
    }

    /// Returns the measure of the rows of a ball: that of the one that moves most.
    pub(in crate::solver) fn ball_measure(&self, first: RowId) -> Measure {
        let all = rows_of_ball(first).map(|row| self.row_measures[row]);
        all.into_iter().fold(all[0], |largest, own| if own.scale > largest.scale { own } else { largest })
    }

    /// The largest residual of an island, and their sum [m/s]; one that is no number counts as infinite.
    pub(in crate::solver) fn residuals(&self, problem: &Problem, island: &Island, impulses: &Impulses) -> (f64, f64) {
        let contacts = island.contacts.iter().map(|index| self.contact_residual(problem, *index, impulses));
        let rows = island.rows.iter().map(|index| self.row_residual(problem, *index, impulses));
        let counted = contacts.chain(rows).map(|residual| if residual.is_nan() { f64::INFINITY } else { residual });
        counted.fold((0.0, 0.0), |(largest, sum), residual| (f64::max(largest, residual), sum + residual))
    }
}
