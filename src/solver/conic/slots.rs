//! The cones of the pieces of a program, and their relation to the rows.

use crate::solver::conic::cone::{MAX_COMPONENTS, Vector};
use crate::solver::conic::program::{Law, Piece, Program};

/// One cone of a piece. Its components are impulses of `rows` times `factors`. The `offset` is added to the first one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slot {
    pub(super) piece: u32,
    pub(super) count: usize,
    pub(super) rows: [usize; MAX_COMPONENTS],
    pub(super) factors: Vector,
    pub(super) offset: f64,
}

impl Slot {
    /// Returns `P lambda + p`.
    pub(super) fn value(&self, piece: &Piece, lambda: &[f64]) -> Vector {
        let of = |k: usize| if k < self.count { self.factors[k] * lambda[piece.first + self.rows[k]] } else { 0.0 };
        [of(0) + self.offset, of(1), of(2)]
    }

    /// Adds `P^T s`.
    pub(super) fn add(&self, piece: &Piece, s: &Vector, rows: &mut [f64]) {
        for k in 0..self.count {
            rows[piece.first + self.rows[k]] += self.factors[k] * s[k];
        }
    }
}

impl Slot {
    /// Subtracts `P^T s`.
    pub(super) fn subtract(&self, piece: &Piece, s: &Vector, rows: &mut [f64]) {
        self.add(piece, &s.map(|s| -s), rows);
    }
}

/// Calls `found` with each cone of a piece.
pub(super) fn slots_of(program: &Program, piece: &Piece, mut found: impl FnMut(Slot)) {
    let line = |factor: f64, offset: f64| Slot {
        piece: 0,
        count: 1,
        rows: [0; MAX_COMPONENTS],
        factors: [factor, 0.0, 0.0],
        offset,
    };
    match piece.law {
        Law::Free | Law::Still => {}
        Law::Bounded { lower, upper } => {
            if lower > f64::NEG_INFINITY {
                found(line(1.0, -lower));
            }
            if upper < f64::INFINITY {
                found(line(-1.0, upper));
            }
        }
        Law::Contact(cone) => {
            let mut has_any = false;
            for (first, last, mu) in [(1, 3, cone.friction), (3, 5, cone.rolling), (5, 6, cone.twisting)] {
                let mut slot = line(1.0, 0.0);
                for row in (first..last).filter(|row| *row < piece.rows && is_live(program, piece, piece.first + row)) {
                    slot.rows[slot.count] = row;
                    slot.factors[slot.count] = 1.0 / mu;
                    slot.count += 1;
                }
                if slot.count > 1 {
                    has_any = true;
                    found(slot);
                }
            }
            if !has_any {
                found(line(1.0, 0.0));
            }
        }
    }
}

/// Returns whether the impulse of a row is unknown.
pub(super) fn is_live(program: &Program, piece: &Piece, row: usize) -> bool {
    let at = row - piece.first;
    match piece.law {
        Law::Still => false,
        Law::Free | Law::Bounded { .. } => true,
        Law::Contact(_) if at == 0 => true,
        Law::Contact(cone) => {
            let mu = [cone.friction, cone.friction, cone.rolling, cone.rolling, cone.twisting][at - 1];
            mu > 0.0 && !(program.idle[row] && program.bias[row] == 0.0)
        }
    }
}

/// Returns a value within bounds: the middle, or 1 from the finite bound if only one is finite.
pub(super) fn middle(lower: f64, upper: f64) -> f64 {
    match (lower > f64::NEG_INFINITY, upper < f64::INFINITY) {
        (true, true) => 0.5 * (lower + upper),
        (true, false) => lower + 1.0,
        _ => upper - 1.0,
    }
}
