//! Time and residual of `DRY_SOLVER_CONIC` beside `DRY_SOLVER_NEWTON`, on piles of balls that slide by the associated law.
//!
//! Balls of diameter 1 and masses from 1 to a ratio fall on a floor, slightly disordered. They touch or nearly do. A step of all contacts is
//! solved from no impulses. Contacts are rigid, or have a stiffness `k` with `a = h^2 k / m`.
//!
//! ```text
//! cargo bench --bench conic -- 4 7 8
//! ```
//!
//! Arguments: balls along an edge. Processor time of one thread, pinned to one processor, the least of three. Solvers alternate.

#[path = "support/mod.rs"]
mod support;

use std::error::Error;

use drystone::math::{BodyRow, Symmetric3, Vec3};
use drystone::solver::problem::order::Order;
use drystone::solver::problem::start::Start;
use drystone::solver::problem::{Impulse, Impulses};
use drystone::solver::{
    Contact, Friction, MassInverse, Method, OptionalTerms, Options, Outcome, Problem, Solver, StickProjection, Velocity,
};

use crate::support::clock::{pin, processor_time};

const FRICTION: f64 = 0.4;
const ROUNDS: usize = 3;
/// Ratios of masses, and stiffness by `a`.
const CASES: [(f64, f64); 6] =
    [(1.0, 1.5), (1.0, 160.0), (1.0, 1.6e4), (1.0, f64::INFINITY), (1e3, 1.6e4), (1e3, f64::INFINITY)];
const SOLVERS: [(&str, Method); 2] = [("CONIC", Method::Conic), ("NEWTON", Method::Newton { limit: 100_000 })];

/// splitmix64 (Steele et al. 2014).
struct Random(u64);

impl Random {
    /// Evenly in -1 to 1.
    fn draw(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^= word >> 31;
        2.0 * (word >> 11) as f64 / (1_u64 << 53) as f64 - 1.0
    }

    fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| size * self.draw())
    }
}

/// A pile that falls.
#[derive(Default)]
struct Pile {
    masses: Vec<MassInverse>,
    velocities: Vec<Velocity>,
    contacts: Vec<Contact>,
    optional: Vec<OptionalTerms>,
}

impl Pile {
    fn new(side: usize, (ratio, a): (f64, f64)) -> Self {
        let (mut pile, mut random, mut places) = (Self::default(), Random(77), Vec::<Vec3>::new());
        for cell in 0..side * side * side {
            let mass = ratio.powf(0.5 + 0.5 * random.draw());
            let linear = Vec3::new(0.0, 0.0, -0.1) + random.vector(0.05);
            pile.masses.push(MassInverse {
                linear: Vec3::repeat(1.0 / mass),
                // 2/5 m r^2
                angular: Symmetric3::diagonal([10.0 / mass; 3]),
            });
            pile.velocities.push(Velocity { linear, angular: random.vector(0.1) });
            let place = [cell % side, cell / side % side, cell / side / side].map(|k| 0.98 * k as f64);
            places.push(Vec3::from(place) + random.vector(0.08));
        }
        for (b, place) in places.iter().enumerate() {
            if place.z < 0.3 {
                pile.touch((BodyRow::NONE, b.into()), Vec3::z(), 0.0);
            }
            for (a, other) in places.iter().enumerate().take(b) {
                let between: Vec3 = place - other;
                let gap = between.norm() - 1.0;
                if gap < 0.05 {
                    pile.touch((a.into(), b.into()), between.normalize(), gap.max(0.0));
                }
            }
        }
        if a.is_finite() {
            let (normal_compliance, tangential_compliance) = (1.0 / a, 1.5 / a);
            let soft = OptionalTerms { normal_compliance, tangential_compliance, ..OptionalTerms::NONE };
            pile.optional = vec![soft; pile.contacts.len()];
        }
        pile
    }

    /// Adds a contact. A gap closes in a step of 0.1 s.
    fn touch(&mut self, (body_a, body_b): (BodyRow, BodyRow), normal: Vec3, gap: f64) {
        let arm_a = if body_a == BodyRow::NONE { Vec3::zeros() } else { 0.5 * normal };
        let (arm_b, normal_bias) = (-0.5 * normal, 10.0 * gap);
        self.contacts.push(Contact { body_a, body_b, normal, arm_a, arm_b, normal_bias, friction: FRICTION });
    }

    /// Solves the step from no impulses, and returns the outcome and the processor time [s].
    fn solve(&self, method: Method) -> Result<(Outcome, f64), Box<dyn Error>> {
        let (masses, velocities) = (&self.masses, &self.velocities);
        let (contacts, optional, friction) = (&self.contacts, &self.optional, Friction::Associated);
        let problem = Problem { masses, velocities, contacts, optional, rows: &[], friction };
        let options = Options {
            method,
            order: Order::Colored,
            iterations: 0,
            tolerance: 0.0,
            relaxation: 1.0,
            start: Start::Zero,
            projection: StickProjection::Off,
            splits: false,
        };
        let mut impulses = Impulses { contacts: vec![Impulse::ZERO; self.contacts.len()], ..Impulses::default() };
        let (mut solver, begin) = (Solver::default(), processor_time());
        let outcome = solver.solve(&problem, &options, &mut impulses)?;
        Ok((outcome, processor_time() - begin))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    pin();
    let named: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let sides = if named.is_empty() { vec![4, 7] } else { named };
    println!("bodies contacts  ratio        a   solver   ms least   steps  residual [m/s]");
    for (side, case) in sides.into_iter().flat_map(|side| CASES.map(|case| (side, case))) {
        let pile = Pile::new(side, case);
        let (mut fastest, mut outcomes) = ([f64::INFINITY; 2], [None, None]);
        for _ in 0..ROUNDS {
            for (at, (_, method)) in SOLVERS.into_iter().enumerate() {
                let (outcome, seconds) = pile.solve(method)?;
                fastest[at] = fastest[at].min(seconds);
                outcomes[at] = Some(outcome);
            }
        }
        for ((name, _), (seconds, outcome)) in SOLVERS.into_iter().zip(fastest.into_iter().zip(outcomes)) {
            let Some(Outcome { iterations, residual_max, .. }) = outcome else { continue };
            let (bodies, contacts, (ratio, a)) = (pile.masses.len(), pile.contacts.len(), case);
            let time = 1e3 * seconds;
            println!(
                "{bodies:6} {contacts:8} {ratio:6} {a:8} {name:>8} {time:10.1} {iterations:7} {residual_max:15.0e}"
            );
        }
    }
    Ok(())
}
