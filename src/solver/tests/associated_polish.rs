//! Makes the answer of another conic solver exact to round-off. Newton's method solves the conditions of optimality, with contacts open, stuck or
//! sliding as that answer says.

use clarabel::algebra::CscMatrix;

/// The constraints `right - A x` in the cones, of a program whose other term is `1/2 |x|^2`.
pub(super) struct Rows {
    pub(super) matrix: CscMatrix<f64>,
    pub(super) right: Vec<f64>,
}

impl Rows {
    /// Returns the unknowns of multipliers, `x = -A^T z`.
    pub(super) fn unknowns(&self, z: &[f64]) -> Vec<f64> {
        (0..self.matrix.n).map(|column| -self.column(column).map(|(row, value)| value * z[row]).sum::<f64>()).collect()
    }

    fn column(&self, at: usize) -> impl Iterator<Item = (usize, f64)> {
        let range = self.matrix.colptr[at]..self.matrix.colptr[at + 1];
        range.map(|entry| (self.matrix.rowval[entry], self.matrix.nzval[entry]))
    }

    /// Returns `A A^T z`.
    fn response(&self, z: &[f64]) -> Vec<f64> {
        let mut sum = vec![0.0; z.len()];
        for (column, x) in self.unknowns(z).into_iter().enumerate() {
            self.column(column).for_each(|(row, value)| sum[row] -= value * x);
        }
        sum
    }

    /// Returns `right - A x`: the velocities of contacts.
    fn velocities(&self, z: &[f64]) -> Vec<f64> {
        self.response(z).iter().zip(&self.right).map(|(own, right)| own + right).collect()
    }
}

/// The most Newton steps, and products in the solution of each of its systems.
const STEPS: usize = 12;
const PRODUCTS: usize = 4000;
/// At which the solution of a system ends, relative.
const SOLVED: f64 = 1e-13;

/// How a contact is, and by which numbers its impulse is given then.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Face {
    /// None: the impulse is 0.
    Open,
    /// Three: the velocity is 0.
    Stuck,
    /// Two, its size and its direction.
    Sliding,
}

/// Multipliers, and how far they are from the conditions of optimality.
pub(super) struct Polished {
    pub(super) z: Vec<f64>,
    pub(super) defect: f64,
}

/// The smaller and the larger number by which a vector is in the cone or in its negative.
fn spectrum(v: &[f64]) -> [f64; 2] {
    let across = v[1].hypot(v[2]);
    [v[0] - across, v[0] + across]
}

/// Of a vector and its multiplier one is 0 along each of the two directions: the smaller one.
fn face(z: &[f64], s: &[f64]) -> Face {
    let ([z_low, z_high], [s_low, s_high]) = (spectrum(z), spectrum(s));
    if z_high < s_low {
        Face::Open
    } else if s_high < z_low {
        Face::Stuck
    } else {
        Face::Sliding
    }
}

/// Returns the impulses near `z` that solve the rows.
pub(super) fn polish(rows: &Rows, mut z: Vec<f64>) -> Polished {
    let mut s = rows.velocities(&z);
    let mut best = Polished { defect: defect(&z, &s), z: z.clone() };
    for _ in 0..STEPS {
        let faces: Vec<Face> = z.chunks(3).zip(s.chunks(3)).map(|(z, s)| face(z, s)).collect();
        let on: Vec<f64> = faces.iter().zip(z.chunks(3)).flat_map(|(face, z)| onto(*face, z)).collect();
        s = rows.velocities(&on);
        let contacts = faces.iter().zip(on.chunks(3)).zip(s.chunks(3));
        let bases: Vec<Basis> = contacts.map(|((face, z), s)| Basis::new(*face, z, s)).collect();
        let right: Vec<f64> =
            bases.iter().zip(s.chunks(3)).flat_map(|(basis, s)| basis.parts(s).map(|part| -part)).collect();
        let step = solve(rows, &bases, &right);
        let moves = bases.iter().zip(step.chunks(3)).flat_map(|(basis, part)| basis.whole(part));
        z = on.iter().zip(moves).map(|(z, change)| z + change).collect();
        s = rows.velocities(&z);
        let defect = defect(&z, &s);
        if defect < best.defect {
            best = Polished { z: z.clone(), defect };
        }
    }
    best
}

/// Returns an impulse as its face allows.
fn onto(face: Face, z: &[f64]) -> [f64; 3] {
    match face {
        Face::Open => [0.0; 3],
        Face::Stuck => [z[0], z[1], z[2]],
        Face::Sliding => {
            let across = z[1].hypot(z[2]);
            let size = (0.5 * (z[0] + across)).max(f64::EPSILON);
            [size, size * z[1] / across, size * z[2] / across]
        }
    }
}

/// How far an impulse and a velocity are out of the cone and from being complementary: the natural map.
fn defect(z: &[f64], s: &[f64]) -> f64 {
    let one = |(z, s): (&[f64], &[f64])| {
        let apart: Vec<f64> = z.iter().zip(s).map(|(z, s)| z - s).collect();
        let projected = project(&apart);
        z.iter().zip(projected).map(|(z, p)| (z - p).abs()).fold(0.0, f64::max)
    };
    z.chunks(3).zip(s.chunks(3)).map(one).fold(0.0, f64::max)
}

fn project(v: &[f64]) -> [f64; 3] {
    let [low, high] = spectrum(v);
    if low >= 0.0 {
        return [v[0], v[1], v[2]];
    }
    if high <= 0.0 {
        return [0.0; 3];
    }
    let across = v[1].hypot(v[2]);
    [0.5 * high, 0.5 * high * v[1] / across, 0.5 * high * v[2] / across]
}

/// Directions in which an impulse may change on its face, orthonormal, and the curvature along the last.
struct Basis {
    directions: [[f64; 3]; 3],
    curvature: f64,
}

impl Basis {
    fn new(face: Face, z: &[f64], s: &[f64]) -> Self {
        let directions = match face {
            Face::Open => [[0.0; 3]; 3],
            Face::Stuck => [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            Face::Sliding => {
                let across = z[1].hypot(z[2]);
                let (cosine, sine, half) = (z[1] / across, z[2] / across, 0.5_f64.sqrt());
                [[half, half * cosine, half * sine], [0.0, -sine, cosine], [0.0; 3]]
            }
        };
        // The impulse turns about the axis: along the circle of radius z_0 its second derivative by the path is `-e / z_0`.
        let curvature = match face {
            Face::Sliding => (-(z[1] * s[1] + z[2] * s[2]) / (z[1].hypot(z[2]) * z[0])).max(0.0),
            _ => 0.0,
        };
        Self { directions, curvature }
    }

    fn parts(&self, v: &[f64]) -> [f64; 3] {
        self.directions.map(|direction| direction.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    fn whole(&self, parts: &[f64]) -> [f64; 3] {
        std::array::from_fn(|k| self.directions.iter().zip(parts).map(|(direction, part)| direction[k] * part).sum())
    }
}

/// Solves the system of a Newton step by conjugate gradients. It may be singular: impulses of rigid contacts are not unique.
fn solve(rows: &Rows, bases: &[Basis], right: &[f64]) -> Vec<f64> {
    let apply = |parts: &[f64]| -> Vec<f64> {
        let whole: Vec<f64> = bases.iter().zip(parts.chunks(3)).flat_map(|(basis, part)| basis.whole(part)).collect();
        let image = rows.response(&whole);
        let one = |((basis, image), part): ((&Basis, &[f64]), &[f64])| {
            let [a, b, c] = basis.parts(image);
            [a, b + basis.curvature * part[1], c]
        };
        bases.iter().zip(image.chunks(3)).zip(parts.chunks(3)).flat_map(one).collect()
    };
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (mut found, mut residual) = (vec![0.0; right.len()], right.to_vec());
    let (mut direction, mut square) = (residual.clone(), dot(right, right));
    let end = SOLVED * SOLVED * square;
    for _ in 0..PRODUCTS {
        if square <= end {
            break;
        }
        let image = apply(&direction);
        let length = square / dot(&direction, &image);
        found.iter_mut().zip(&direction).for_each(|(x, d)| *x += length * d);
        residual.iter_mut().zip(&image).for_each(|(r, i)| *r -= length * i);
        let next = dot(&residual, &residual);
        direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + next / square * *d);
        square = next;
    }
    found
}
