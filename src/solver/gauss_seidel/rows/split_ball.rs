//! The three rows of a ball at a mechanism: they have one bound on the length of their impulses.

use crate::math::{Mat3, RowId, Vec3};
use crate::solver::gauss_seidel::rows::split::{HeldRow, Side, SplitMechanism, SplitRow};
use crate::solver::gauss_seidel::rows::split_prepare::{dot_of, mass_of};
use crate::solver::gauss_seidel::rows::split_visits::STILL;
use crate::solver::gauss_seidel::rows::store::Rows;
use crate::solver::gauss_seidel::rows::sweep::Pass;
use crate::solver::problem::ball::{BALL, bounded_ball, relaxed_ball, rows_of_ball};
use crate::solver::problem::{MassInverse, Row};

impl Rows {
    /// Returns the impulses of the rows of a ball.
    pub(super) fn ball_impulse(&self, first: RowId) -> Vec3 {
        rows_of_ball(first).map(|row| self.row_impulse(row)).into()
    }

    /// Solves the rows of a ball. The first of them is at this place. Returns the square of the largest change of a
    /// velocity [m^2/s^2].
    pub(super) fn visit_split_ball(&mut self, at: usize, masses: &[MassInverse], pass: &Pass) -> f64 {
        let rows: [SplitRow; BALL] = std::array::from_fn(|place| self.split.rows[at + place]);
        if self.split.holds(&rows[0].sides) {
            return self.visit_held_ball(&rows, masses);
        }
        let block = Mat3::from_fn(|of, with| self.ball_entry(&rows[of], &rows[with], masses));
        let w = Vec3::from_fn(|place, _| {
            let own = &rows[place];
            let speed = |(number, port): (u32, u32)| self.split.mechanisms[number as usize].speeds[port as usize];
            let ports: f64 = own.sides.iter().filter_map(|side| side.port()).map(speed).sum();
            let w = ports + self.free_speed(own) - own.values.rhs;
            // If no impulse moves a row, friction cannot hold it. Its impulse then only opposes the motion.
            if own.inverse == 0.0 && w.abs() <= STILL { 0.0 } else { w }
        });
        let old = self.ball_impulse(rows[0].row);
        let next = relaxed_ball(&block, &w, &old, rows[0].values.upper, pass.relaxation);
        let mut largest: f64 = 0.0;
        for (own, (next, old)) in rows.iter().zip(next.iter().zip(&old)) {
            self.set_row(own.row, *next);
            self.apply_to_row_sides(own, next - old, masses);
            largest = largest.max((next - old).abs() * own.measure);
        }
        rows[0].sides.into_iter().for_each(|side| self.write_touched(side));
        largest * largest
    }

    /// Reads the impulses of a ball that its mechanism holds. Releases all three rows if the impulses are beyond their
    /// bound.
    fn visit_held_ball(&mut self, rows: &[SplitRow; BALL], masses: &[MassInverse]) -> f64 {
        let Some((number, _)) = rows[0].sides.iter().find_map(|side| side.port()) else { return 0.0 };
        let ports = rows.map(|row| row.sides.iter().find_map(|side| side.port()).map_or(0, |(_, port)| port));
        let found = Vec3::from(ports.map(|port| -self.split.mechanisms[number as usize].speeds[port as usize]));
        let bounded = bounded_ball(&found, rows[0].values.upper);
        rows.iter().zip(&bounded).for_each(|(own, value)| self.set_row(own.row, *value));
        if bounded == found {
            return 0.0;
        }
        let moving = rows.map(|own| self.free_speed(&own));
        let mechanism = &mut self.split.mechanisms[number as usize];
        ports.iter().for_each(|port| mechanism.release_row(*port));
        for ((own, port), moving) in rows.iter().zip(ports).zip(moving) {
            mechanism.speeds[port as usize] = own.values.rhs - moving;
        }
        for (port, change) in ports.into_iter().zip(&(bounded - found)) {
            mechanism.push(port, *change);
        }
        rows[0].sides.into_iter().for_each(|side| self.write_touched(side));
        self.prepare_blocks(masses, Some(number));
        let change = (bounded - found).norm() * rows[0].measure;
        change * change
    }

    /// Releases the rows of balls of which not all three could be held.
    pub(super) fn release_partial_balls(&mut self) {
        for at in 0..self.split.rows.len() {
            let SplitRow { row, values, .. } = self.split.rows[at];
            if values.ball != Some(row) {
                continue;
            }
            let sides: [_; BALL] = std::array::from_fn(|place| self.split.rows[at + place].sides);
            if sides.iter().all(|sides| self.split.holds(sides)) {
                continue;
            }
            for (number, port) in sides.iter().flatten().filter_map(|side| side.port()) {
                self.split.mechanisms[number as usize].release_row(port);
            }
        }
    }

    /// Returns the velocity along one row of a ball that a unit impulse along another row causes.
    fn ball_entry(&self, of: &SplitRow, with: &SplitRow, masses: &[MassInverse]) -> f64 {
        let values = |row: &SplitRow| {
            let Row { body_a, body_b, jacobian_a, jacobian_b, .. } = row.values;
            [(body_a, jacobian_a), (body_b, jacobian_b)]
        };
        let sides = of.sides.iter().zip(&with.sides).zip(values(of).into_iter().zip(values(with)));
        sides
            .map(|((own, other), ((body, jacobian), (_, other_jacobian)))| match (own.port(), other.port()) {
                (Some((number, port)), Some((_, from))) => self.split.mechanisms[number as usize].entry(port, from),
                _ if *own == Side::Free => dot_of(&jacobian, &other_jacobian, mass_of(masses, body)),
                _ => 0.0,
            })
            .sum()
    }
}

impl SplitMechanism {
    /// Returns the impulse of a held row, clamped to its bounds, and whether it was beyond them. The rows of a ball are
    /// clamped together.
    pub(super) fn held_within(&self, held: &HeldRow, row: &Row) -> (f64, bool) {
        let Some(first) = row.ball else {
            let bounded = row.bounded(held.lambda, 1.0);
            return (bounded, bounded != held.lambda);
        };
        let of = |row: RowId| self.held.iter().find(|other| other.row == row).map_or(0.0, |other| other.lambda);
        let found = Vec3::from(rows_of_ball(first).map(of));
        let bounded = bounded_ball(&found, row.upper);
        (bounded[held.row.index() - first.index()], bounded != found)
    }
}
