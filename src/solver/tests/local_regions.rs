//! The one-contact solve region by region (open, sticking, sliding, and the edges between them) against an independent
//! solution. That one finds the sticking impulse by elimination and the sliding one by its angle, both with twice the
//! digits.

use super::double::Double;
use super::random::Random;
use crate::solver::gauss_seidel::local::Block;

type Vector = [Double; 3];

/// A problem of one contact: `w = D r + q` with the laws of the coefficient `mu`.
struct Problem {
    block: Block,
    q: [f64; 3],
    mu: f64,
}

/// Where problems are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Region {
    Open,
    Stick,
    Slip,
    /// `q_n` is zero, or so little on either side that its sign alone decides.
    OpenEdge,
    /// The sticking impulse is on the cone to the last bit or two, or so little off it on either side.
    StickEdge,
    /// No tangential velocity is left by the normal impulse alone: the sliding and sticking impulse is on the axis.
    Axis,
    /// No velocity at all.
    Tip,
}

const REGIONS: [Region; 7] =
    [Region::Open, Region::Stick, Region::Slip, Region::OpenEdge, Region::StickEdge, Region::Axis, Region::Tip];

fn number(value: f64) -> Double {
    Double::from(value)
}

impl Problem {
    fn matrix(&self) -> [Vector; 3] {
        let [c1, c2] = self.block.coupling.map(number);
        let [s1, s2] = self.block.tangential.map(number);
        let n = number(self.block.normal);
        [[n, c1, c2], [c1, s1 + c1 * c1 / n, c1 * c2 / n], [c2, c1 * c2 / n, s2 + c2 * c2 / n]]
    }

    /// `-D^-1 q`, by Cramer's rule: what the sweeps' formulas never form.
    fn sticking(&self) -> Vector {
        let d = self.matrix();
        let q = self.q.map(number);
        let minor = |i: usize, j: usize| {
            let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
            d[i1][j1] * d[i2][j2] - d[i1][j2] * d[i2][j1]
        };
        let determinant = d[0][0] * minor(0, 0) + d[0][1] * minor(0, 1) + d[0][2] * minor(0, 2);
        std::array::from_fn(|i| -(minor(i, 0) * q[0] + minor(i, 1) * q[1] + minor(i, 2) * q[2]) / determinant)
    }

    /// The sliding impulse with friction along the unit vector `e`, and how the velocity is left across `e` and along it,
    /// both times the positive `D_NN + mu D_NT e`.
    fn sliding(&self, e: [Double; 2]) -> (Option<Vector>, Double, Double) {
        let d = self.matrix();
        let q = self.q.map(number);
        let mu = number(self.mu);
        let carried = d[0][0] + mu * (d[0][1] * e[0] + d[0][2] * e[1]);
        let left = [1, 2].map(|k| carried * q[k] - q[0] * (d[k][0] + mu * (d[k][1] * e[0] + d[k][2] * e[1])));
        let normal = -q[0] / carried;
        let impulse = (normal.value() > 0.0).then_some([normal, mu * normal * e[0], mu * normal * e[1]]);
        (impulse, left[0] * e[1] - left[1] * e[0], left[0] * e[0] + left[1] * e[1])
    }

    /// All sliding impulses. The remainder across the direction is a trigonometric polynomial of second degree in the
    /// angle, with four zeros at most. They are bracketed by `parts` angles, and each is found by false position.
    fn all_sliding(&self, parts: usize) -> Vec<Vector> {
        let direction = |k: usize| {
            let (sine, cosine) = (std::f64::consts::TAU * (k % parts) as f64 / parts as f64).sin_cos();
            [cosine, sine]
        };
        let mut found = Vec::new();
        for k in 0..parts {
            let (from, to) = (direction(k), direction(k + 1));
            let between = |t: Double| {
                let e = [0, 1].map(|axis| number(from[axis]) + t * (number(to[axis]) - number(from[axis])));
                let length = (e[0] * e[0] + e[1] * e[1]).sqrt();
                [e[0] / length, e[1] / length]
            };
            let across = |t: Double| self.sliding(between(t)).1;
            let Some(t) = false_position(across) else { continue };
            if let (Some(impulse), _, along) = self.sliding(between(t))
                && along.value() <= 0.0
            {
                found.push(impulse);
            }
        }
        found
    }

    /// The impulses that obey the laws: the sticking one if it does, else all sliding ones.
    fn answers(&self) -> Vec<Vector> {
        if self.q[0] >= 0.0 {
            return vec![[Double::ZERO; 3]];
        }
        let sticking = self.sticking();
        let excess = sticking[1] * sticking[1] + sticking[2] * sticking[2]
            - number(self.mu) * number(self.mu) * sticking[0] * sticking[0];
        if sticking[0].value() > 0.0 && excess.value() <= 0.0 {
            return vec![sticking];
        }
        if self.mu == 0.0 {
            return vec![[-number(self.q[0]) / number(self.block.normal), Double::ZERO, Double::ZERO]];
        }
        self.all_sliding(32)
    }
}

/// The zero of a function on `0..1` whose signs at the ends differ, by the Illinois method.
fn false_position(value: impl Fn(Double) -> Double) -> Option<Double> {
    let (mut kept, mut last) = (number(0.0), number(1.0));
    let (mut at_kept, mut at_last) = (value(kept), value(last));
    if at_kept.value() == 0.0 {
        return Some(kept);
    }
    if at_last.value() == 0.0 || at_kept.value().signum() == at_last.value().signum() {
        return None;
    }
    for _ in 0..100 {
        let next = last - at_last * (last - kept) / (at_last - at_kept);
        let at_next = value(next);
        // Convergence is superlinear: the error of the next one is far below this step.
        let step = (next - last).value().abs();
        if at_next.value() == 0.0 || step <= 1e-18 {
            return Some(next);
        }
        if at_next.value().signum() == at_last.value().signum() {
            at_kept = at_kept * number(0.5);
        } else {
            (kept, at_kept) = (last, at_last);
        }
        (last, at_last) = (next, at_next);
    }
    Some(last)
}

/// A block of every size whose problems with the coefficient `mu` have one answer each.
///
/// On the rim of the cone `|dr_T/da| <= |r_T| / (S_min + a)` and `d|r_T|/da <= -|r_T| / (S_max + a)`. So
/// `mu r_n / |r_T|` rises with the shift wherever it is one if `mu |D_NT| / D_NN < S_min / S_max`. There is then one
/// crossing, on one side of which it sticks. Beyond that bound answers may be several, and jump (Painlevé's paradox).
fn random_block(random: &mut Random, mu: f64) -> Block {
    let normal = random.magnitude(1e-6, 1e6);
    let tangential = [normal * random.magnitude(0.1, 10.0), normal * random.magnitude(0.1, 10.0)];
    let ratio = tangential[0].min(tangential[1]) / tangential[0].max(tangential[1]);
    let largest = (0.9 * ratio / mu.max(0.01)).min(3.0);
    let angle = random.between(0.0, std::f64::consts::TAU);
    let size = if random.one_in(10) { 0.0 } else { normal * random.between(0.0, largest) };
    Block { normal, coupling: [size * angle.cos(), size * angle.sin()], tangential }
}

/// A problem whose answer is in the region.
fn random_problem(random: &mut Random, region: Region) -> Problem {
    let mu = if random.one_in(20) && region != Region::Stick { 0.0 } else { random.magnitude(0.01, 10.0) };
    let block = random_block(random, mu);
    let angle = random.between(0.0, std::f64::consts::TAU);
    let e = [angle.cos(), angle.sin()];
    let normal = random.magnitude(1e-3, 1e3);
    // none, or a little on either side
    let mut little = |smallest: f64| match random.index(3) {
        0 => 0.0,
        1 => random.magnitude(smallest, 1e-10),
        _ => -random.magnitude(smallest, 1e-10),
    };
    let (off, tiny) = (little(1e-17), little(1e-300));
    let speed = random.magnitude(1e-3, 1e3);
    // how far the friction is to its limit, and the velocity that is left
    let (used, w) = match region {
        Region::Open => (0.0, [block.normal * speed, block.normal * random.between(-9.0, 9.0) * speed, speed]),
        Region::Stick => (random.between(0.0, 1.0), [0.0; 3]),
        Region::Slip => (1.0, [0.0, -block.normal * speed * e[0], -block.normal * speed * e[1]]),
        Region::OpenEdge => (0.0, [speed * tiny, speed * e[0], speed * e[1]]),
        Region::StickEdge => (1.0 + off, [0.0; 3]),
        Region::Axis => (off, [0.0; 3]),
        Region::Tip => (0.0, [0.0; 3]),
    };
    let carries = matches!(region, Region::Stick | Region::Slip | Region::StickEdge | Region::Axis);
    let r = if carries { [normal, used * mu * normal * e[0], used * mu * normal * e[1]] } else { [0.0; 3] };
    let problem = Problem { block, q: [0.0; 3], mu };
    let q = problem.matrix().into_iter().zip(w).map(|(row, w)| {
        let carried = row[0] * number(r[0]) + row[1] * number(r[1]) + row[2] * number(r[2]);
        (number(w) - carried).value()
    });
    let q: Vec<f64> = q.collect();
    Problem { q: [q[0], q[1], q[2]], ..problem }
}

fn norm(vector: [f64; 3]) -> f64 {
    vector.iter().map(|value| value * value).sum::<f64>().sqrt()
}

#[test]
fn every_region_and_edge_agrees_with_the_independent_solution() {
    let mut random = Random(1);
    let mut modes = [[0; 3]; REGIONS.len()];
    for case in 0..100_000 {
        let place = case % REGIONS.len();
        let problem = random_problem(&mut random, REGIONS[place]);
        let (r, mode) = problem.block.solve(&problem.q, problem.mu);
        let answers = problem.answers();
        assert_eq!(answers.len(), 1, "case {case}: one answer and no other was to be found");
        let error = norm(std::array::from_fn(|k| (number(r[k]) - answers[0][k]).value()));
        let size = norm(r).max(norm(problem.sticking().map(Double::value)));
        // In units of the impulse, or of the sticking one where that is larger. Blocks have a condition of some 1000 at
        // most, with which the few roundings of the solve can grow; 1.3e-14 was met.
        assert!(
            error <= 1e-12 * size,
            "case {case}, {:?}, {mode:?}: {:e} of {size:e}, mu {}, {:?}, q {:?}",
            REGIONS[place],
            error / size,
            problem.mu,
            problem.block,
            problem.q
        );
        modes[place][mode as usize] += 1;
    }
    let [open, stick, slip, open_edge, stick_edge, axis, tip] = modes;
    // Inside a region there is one mode; at its edges those of both sides.
    assert!(open[1..] == [0, 0] && stick[0] == 0 && stick[2] == 0 && slip[..2] == [0, 0], "{modes:?}");
    assert!(open_edge[0] > 4000 && open_edge[2] > 4000 && open_edge[1] == 0, "{modes:?}");
    assert!(stick_edge[1] > 5000 && stick_edge[2] > 5000 && stick_edge[0] == 0, "{modes:?}");
    assert!(axis[0] == 0 && axis[1] > 10_000 && tip[1..] == [0, 0], "{modes:?}");
}
