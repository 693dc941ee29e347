//! What is missing on bodies at given moves of a static problem, and Newton steps against it.
//!
//! Contacts return forces by a law between the associated one, of dilation 1, and Coulomb's, of dilation 0. Rows have bounds; their
//! forces are those of an augmented Lagrangian, measured from `centers`. A drag can resist moves from an anchor.

use crate::error::{Result, copy, refill};
use crate::solver::compatibility::law::{Law as Returns, Traits};
use crate::solver::conic::laws::answer;
use crate::solver::conic::program::{DOF, Law, Piece, Program, ROWS};
use crate::solver::operator::unsymmetric::Unsymmetric;

/// The metric of rows without compliance, and how often their forces are updated at most.
pub(super) const ALPHA: f64 = 1e-4;
/// The round-off of how far a contact is apart, over its gap at the start, with that of the few others of a body [-].
const ROUND_OFF: f64 = 4.0 * f64::EPSILON;
/// A body on which more is missing is not balanced, also where round-off is larger: a quarter of the default tolerance [-].
const MAX_ROUND_OFF: f64 = 2.5e-11;

/// A program at moves `x`; keeps its workspace.
#[derive(Debug, Default)]
pub(super) struct Balance {
    pub(super) program: Program,
    pub(super) x: Vec<[f64; DOF]>,
    /// What is missing on bodies, with the drag, and its largest entry; in units of the largest load.
    pub(super) rest: Vec<[f64; DOF]>,
    pub(super) residual: f64,
    /// The largest round-off of a force: that of how far a contact or row is apart, times its stiffness.
    round_off: f64,
    /// The last Newton step.
    pub(super) step: Vec<[f64; DOF]>,
    pub(super) lambda: Vec<f64>,
    /// The forces of rows from which the next are measured.
    pub(super) centers: Vec<f64>,
    /// The drag, in units of the stiffness where all contacts and rows hold, and from where moves are measured for it.
    pub(super) drag: f64,
    pub(super) anchor: Vec<[f64; DOF]>,
    /// The diagonal of that stiffness.
    stiffness: Vec<[f64; DOF]>,
    matrix: Unsymmetric<DOF>,
}

impl Balance {
    /// Prepares the workspace for the program and `centers`, at moves `start`.
    pub(super) fn begin(&mut self, start: &[[f64; DOF]]) -> Result<()> {
        copy(&mut self.x, start, "bodies")?;
        for vector in [&mut self.rest, &mut self.step, &mut self.anchor, &mut self.stiffness] {
            refill(vector, start.len(), [0.0; DOF], "bodies")?;
        }
        refill(&mut self.lambda, self.centers.len(), 0.0, "rows")?;
        self.drag = 0.0;
        self.find_stiffness();
        let Self { matrix, program, .. } = self;
        matrix.lay_out_moving(program.graph(), |body, component| program.members.roots[body].moves(component))
    }

    /// The forces at `x`, and what is missing on bodies.
    pub(super) fn measure(&mut self, dilation: f64) {
        self.rest.copy_from_slice(&self.program.load);
        self.round_off = 0.0;
        for piece in &self.program.pieces {
            let w = offset(&self.program, piece, &self.x);
            let forces = match traits(&self.program, piece) {
                Some((traits, shear)) => {
                    let law = Returns { exponent: 2.0, dilation };
                    let [n, t1, t2] = law.force(&traits, &[-w[0], -shear * w[1], -shear * w[2]]);
                    [n, shear * t1, shear * t2, 0.0, 0.0, 0.0]
                }
                None => self.row(piece, &w).0,
            };
            // Of a contact that is pressed, the gap of the start and the moves nearly cancel.
            if forces[0] != 0.0 && piece.law != Law::Still {
                let gap = self.program.bias[piece.first].abs().max(w[0].abs());
                self.round_off = self.round_off.max(ROUND_OFF * gap * stiffness(&self.program, piece)[0]);
            }
            self.lambda[piece.range()].copy_from_slice(&forces[..piece.rows]);
            self.program.push(piece, &forces[..piece.rows], &mut self.rest);
        }
        if self.drag > 0.0 {
            let moves = self.x.iter().flatten().zip(self.anchor.iter().flatten());
            let stiffness = self.stiffness.iter().flatten();
            for ((rest, (x, anchor)), stiffness) in self.rest.iter_mut().flatten().zip(moves).zip(stiffness) {
                *rest -= self.drag * stiffness * (x - anchor);
            }
        }
        let is_finite = self.rest.iter().flatten().all(|x| x.is_finite());
        let largest = || self.rest.iter().flatten().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        self.residual = if is_finite { largest() } else { f64::INFINITY };
    }

    /// Returns whether bodies are balanced to `enough`, or as far as round-off lets them be.
    pub(super) fn is_within(&self, enough: f64) -> bool {
        self.residual <= enough.max(self.round_off.min(MAX_ROUND_OFF))
    }

    /// The force of a row, or of a contact that is open for good, and its stiffness.
    fn row(&self, piece: &Piece, w: &[f64; ROWS]) -> ([f64; ROWS], f64) {
        let mut kept = [0.0; ROWS];
        kept[..piece.rows].copy_from_slice(&self.centers[piece.range()]);
        if piece.law == Law::Still {
            return (kept, 0.0);
        }
        let (mut a, mut f) = ([1.0; ROWS], [0.0; ROWS]);
        a[0] = ALPHA + self.program.compliance[piece.first];
        f[0] = ALPHA * kept[0] - w[0];
        let found = answer(&piece.law, piece.rows, &a, &f);
        (found.lambda, found.slope[0][0])
    }

    /// Finds the Newton step against `rest`. The stiffness of each contact where it sticks is added, times `base`. `false`: the matrix
    /// is singular.
    pub(super) fn find_step(&mut self, dilation: f64, base: f64) -> Result<bool> {
        self.matrix.begin()?;
        for piece in &self.program.pieces {
            let w = offset(&self.program, piece, &self.x);
            let mut tangent = [[0.0; 3]; 3];
            if let Some((traits, shear)) = traits(&self.program, piece) {
                let law = Returns { exponent: 2.0, dilation };
                tangent = law.tangent(&traits, &[-w[0], -shear * w[1], -shear * w[2]]);
                let stiff = if traits.slope > 0.0 { 3 } else { 1 };
                (0..stiff).for_each(|k| tangent[k][k] += base * traits.stiffness);
                let units = [1.0, shear, shear];
                for (row, entries) in tangent.iter_mut().enumerate() {
                    entries.iter_mut().zip(units).for_each(|(entry, unit)| *entry *= units[row] * unit);
                }
            } else {
                tangent[0][0] = self.row(piece, &w).1;
            }
            self.matrix.add(&self.program.sides(piece), &tangent);
        }
        self.matrix.add_to_diagonal(self.stiffness.iter().map(|k| k.map(|k| self.drag * k)));
        self.step.copy_from_slice(&self.rest);
        self.matrix.solve(&mut self.step)
    }

    fn find_stiffness(&mut self) {
        for piece in self.program.pieces.iter().filter(|piece| piece.law != Law::Still) {
            let stiffness = stiffness(&self.program, piece);
            let sides = self.program.sides::<3>(piece);
            for (body, rows) in sides.moving() {
                for (row, stiffness) in rows.iter().zip(stiffness) {
                    self.stiffness[body].iter_mut().zip(row).for_each(|(sum, entry)| *sum += stiffness * entry * entry);
                }
            }
        }
    }
}

/// `B x + c` of the rows of a piece: how far a contact is apart without its compliance.
fn offset(program: &Program, piece: &Piece, x: &[[f64; DOF]]) -> [f64; ROWS] {
    let mut w = program.along(piece, x);
    w.iter_mut().zip(&program.bias[piece.range()]).for_each(|(w, bias)| *w += bias);
    w
}

/// The stiffness of a contact that sticks, and of a row that holds.
fn stiffness(program: &Program, piece: &Piece) -> [f64; 3] {
    match traits(program, piece) {
        Some((traits, shear)) => [1.0, shear * shear, shear * shear].map(|share| traits.stiffness * share),
        None => [1.0 / (ALPHA + program.compliance[piece.first]), 0.0, 0.0],
    }
}

/// What a contact returns forces by, and the root of its tangential over its normal stiffness.
fn traits(program: &Program, piece: &Piece) -> Option<(Traits, f64)> {
    let Law::Contact(cone) = piece.law else { return None };
    let normal = program.compliance[piece.first];
    let shear = (normal / program.compliance[piece.first + 1]).sqrt();
    let slope = if shear.is_finite() && shear > 0.0 { cone.friction / shear } else { 0.0 };
    let shear = if slope > 0.0 { shear } else { 1.0 };
    Some((Traits { stiffness: 1.0 / normal, slope }, shear))
}
