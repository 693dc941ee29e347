//! Velocities of bodies, and the sums that turn impulses into velocities.

use crate::error::{Result, resize};
use crate::math::lanes::Wide;
use crate::math::{BodyRow, ContactId, RowId};
use crate::solver::gauss_seidel::filled_contacts::FilledContacts;
use crate::solver::gauss_seidel::moments::each_on_bodies;
use crate::solver::gauss_seidel::wide::lines;
use crate::solver::problem::islands::Island;
use crate::solver::problem::lane_contacts::in_batches;
use crate::solver::problem::residual::{contact_residual, row_residual};
use crate::solver::problem::{Contact, FullContact, Impulses, ImpulsiveWrench, Problem, Velocity};
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};

/// Velocities of bodies, and the impulses on them in sum; one more of each for the fixed world.
#[derive(Debug, Default)]
pub(in crate::solver) struct Motion {
    pub(in crate::solver) velocities: Vec<Velocity>,
    pub(in crate::solver) totals: Vec<Velocity>,
    /// Scratch buffer: the impulses of contacts on bodies that none moves.
    pub(in crate::solver) reactions: Vec<Reaction>,
}

/// A body, and the impulse of one contact on it.
#[derive(Debug, Clone, Copy)]
pub(in crate::solver) struct Reaction {
    body: BodyRow,
    impulse: Velocity,
}

/// Bodies whose sums are read at a time.
const PIECE: usize = 256;

/// Contacts whose impulses are computed at a time.
const CONTACTS_PER_PIECE: usize = 256;

impl Motion {
    /// `v+ = vhat + M^-1 G^T lambda` of the bodies of an island from its impulses, in one sum for each body, so that
    /// momentum balances to round-off however many sweeps went before.
    pub(in crate::solver) fn balance(&mut self, problem: &Problem, island: &Island, impulses: &Impulses) {
        let resting = problem.masses.len();
        for body in island.bodies {
            self.totals[*body] = Velocity::ZERO;
        }
        in_batches(island.contacts.iter().copied(), |_, batches| {
            let contact = |contact: ContactId| problem.contacts[contact];
            each_on_bodies(
                batches,
                contact,
                |contact| impulses.wrench(contact),
                |_, bodies, sums| {
                    for (body, Velocity { linear, angular }) in bodies.into_iter().zip(sums) {
                        let total = &mut self.totals[body.index().min(resting)];
                        total.linear += linear;
                        total.angular += angular;
                    }
                },
            );
        });
        for index in island.rows {
            let (row, lambda) = (&problem.rows[*index], impulses.rows[*index]);
            for (body, jacobian) in [(row.body_a, &row.jacobian_a), (row.body_b, &row.jacobian_b)] {
                let total = &mut self.totals[body.index().min(resting)];
                total.linear += lambda * jacobian.linear;
                total.angular += lambda * jacobian.angular;
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
        // What is there already is written over.
        reactions.truncate(reacting.len());
        resize(reactions, reacting.len(), Reaction { body: BodyRow(0), impulse: Velocity::ZERO }, "contacts")?;
        each_piece(tasks, CONTACTS_PER_PIECE, reactions, |first, reactions| {
            let numbers = reacting[first..first + reactions.len()].iter().copied();
            in_batches(numbers, |begin, batches| {
                let (contact, impulse) = (|contact| contacts.contact(contact), |contact| contacts.impulse(contact));
                each_on_bodies(batches, contact, impulse, |at, bodies, on_bodies| {
                    let side = usize::from(problem.moves(bodies[0]));
                    reactions[begin + at] = Reaction { body: bodies[side], impulse: on_bodies[side] };
                });
            });
        });
        for Reaction { body, impulse } in &*reactions {
            if let Some(total) = totals.get_mut(body.index()) {
                total.linear += impulse.linear;
                total.angular += impulse.angular;
            }
        }
        Ok(())
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
        row_residual(problem, index, [self.velocity(row.body_a), self.velocity(row.body_b)], impulses)
    }

    /// The largest residual of an island, and their sum [m/s]; one that is no number counts as infinite.
    pub(in crate::solver) fn residuals(&self, problem: &Problem, island: &Island, impulses: &Impulses) -> (f64, f64) {
        let contacts = island.contacts.iter().map(|index| self.contact_residual(problem, *index, impulses));
        let rows = island.rows.iter().map(|index| self.row_residual(problem, *index, impulses));
        let counted = contacts.chain(rows).map(|residual| if residual.is_nan() { f64::INFINITY } else { residual });
        counted.fold((0.0, 0.0), |(most, sum), residual| (f64::max(most, residual), sum + residual))
    }
}
