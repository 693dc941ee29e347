//! Contacts and impulses to be corrected: random networks, stacks of boxes, pyramids of spheres.

use drystone::math::{BodyRow, Symmetric3, Vec3};
use drystone::solver::compatibility::StiffContacts;
use drystone::solver::compatibility::{Corrected, Elastic};
use drystone::solver::{Contact, Friction, Impulse, Impulses, MassInverse, Problem, Solver, Velocity};

/// splitmix64 (Steele et al. 2014).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// Evenly in `low..high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::from_fn(|_, _| self.between(-size, size))
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let vector = self.vector(1.0);
            if (0.01..1.0).contains(&vector.norm()) {
                return vector.normalize();
            }
        }
    }
}

/// A problem whose impulses are known, and the stiffness of its contacts.
#[derive(Clone, Default)]
pub(crate) struct Scene {
    pub(crate) masses: Vec<MassInverse>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) impulses: Vec<Impulse>,
    pub(crate) stiffness: Vec<f64>,
    pub(crate) friction: Friction,
}

pub(crate) fn contact(body_a: BodyRow, body_b: BodyRow, normal: Vec3, arms: [Vec3; 2], friction: f64) -> Contact {
    Contact { body_a, body_b, normal, arm_a: arms[0], arm_b: arms[1], normal_bias: 0.0, friction }
}

impl Scene {
    /// Adds a body that moves and turns, and returns its index.
    pub(crate) fn body(&mut self) -> BodyRow {
        self.masses.push(MassInverse { linear: Vec3::repeat(1.0), angular: Symmetric3::diagonal([2.5; 3]) });
        BodyRow::from(self.masses.len() - 1)
    }

    pub(crate) fn add(&mut self, contact: Contact, impulse: Impulse, stiffness: f64) {
        self.contacts.push(contact);
        self.impulses.push(impulse);
        self.stiffness.push(stiffness);
    }

    /// The correction, and its report.
    pub(crate) fn correct(&self, elastic: &Elastic) -> (Corrected, Vec<Impulse>) {
        // such that the impulses bring all to rest: every contact is closed
        let stopped = |(mass, [linear, angular]): (&MassInverse, &[Vec3; 2])| Velocity {
            linear: -mass.linear.component_mul(linear),
            angular: -mass.angular.times(angular),
        };
        let velocities: Vec<Velocity> = self.masses.iter().zip(&self.resultants(&self.impulses)).map(stopped).collect();
        let problem = Problem {
            masses: &self.masses,
            velocities: &velocities,
            contacts: &self.contacts,
            optional: &[],
            rows: &[],
            friction: self.friction,
        };
        let impulses = Impulses { contacts: self.impulses.clone(), ..Impulses::default() };
        let mut solver = Solver::default();
        solver.take(&problem, &impulses).expect("memory");
        let (mut displacements, mut compatible) = (Vec::new(), Impulses::default());
        let report = solver
            .correct(
                &problem,
                StiffContacts { impulses: &impulses, stiffness: &self.stiffness, openings: &[] },
                elastic,
                &mut displacements,
                &mut compatible,
            )
            .expect("memory");
        (report, compatible.contacts)
    }

    /// The sum of impulses on every body that moves: linear, then angular about its centre.
    pub(crate) fn resultants(&self, impulses: &[Impulse]) -> Vec<[Vec3; 2]> {
        let mut sums = vec![[Vec3::zeros(); 2]; self.masses.len()];
        for (contact, impulse) in self.contacts.iter().zip(impulses) {
            let vector = impulse.vector(&contact.normal);
            for (body, arm, sign) in [(contact.body_a, contact.arm_a, -1.0), (contact.body_b, contact.arm_b, 1.0)] {
                if body != BodyRow::NONE {
                    sums[body][0] += sign * vector;
                    sums[body][1] += sign * arm.cross(&vector);
                }
            }
        }
        sums
    }

    /// Norm of the difference in resultants to the given impulses, over their norm.
    pub(crate) fn unbalance(&self, impulses: &[Impulse]) -> f64 {
        let norm = |sums: &[[Vec3; 2]]| sums.iter().flatten().map(|sum| sum.norm_squared()).sum::<f64>().sqrt();
        let (asked, found) = (self.resultants(&self.impulses), self.resultants(impulses));
        let difference: Vec<[Vec3; 2]> =
            asked.iter().zip(&found).map(|(a, b)| std::array::from_fn(|k| a[k] - b[k])).collect();
        norm(&difference) / norm(&asked)
    }

    /// How many contacts are on their cone.
    pub(crate) fn sliding(&self, impulses: &[Impulse]) -> usize {
        let on = |(contact, impulse): (&Contact, &Impulse)| {
            impulse.normal > 0.0 && impulse.tangential.norm() >= contact.friction * impulse.normal * (1.0 - 1e-9)
        };
        self.contacts.iter().zip(impulses).filter(|pair| on(*pair)).count()
    }

    /// The most by which an impulse is outside its cone, over the largest impulse.
    pub(crate) fn outside(&self, impulses: &[Impulse]) -> f64 {
        let excess = self.contacts.iter().zip(impulses).map(|(contact, impulse)| {
            (-impulse.normal).max(impulse.tangential.norm() - contact.friction * impulse.normal.max(0.0))
        });
        excess.fold(0.0, f64::max) / impulses.iter().map(|impulse| impulse.normal).fold(0.0, f64::max)
    }

    /// Bodies with contacts to three earlier ones or the fixed world, normals, arms, friction and stiffness at random; all
    /// impulses within their cones, one in four on it.
    pub(crate) fn network(random: &mut Random, bodies: u32) -> Self {
        let mut scene = Self::default();
        for _ in 0..bodies {
            scene.body();
        }
        for body in (0..bodies).map(BodyRow) {
            for _ in 0..3 {
                let other = random.between(-1.0, body.0.into()).floor();
                let other = if other < 0.0 { BodyRow::NONE } else { BodyRow(other as u32) };
                let friction = random.between(0.1, 0.8);
                let contact =
                    contact(other, body, random.direction(), [random.vector(1.0), random.vector(1.0)], friction);
                scene.add_random(random, contact);
            }
        }
        scene
    }

    /// A wall of boxes 2 x 2 x 1 m, each layer shifted by half a box on the one below. It has a contact where corners
    /// and edges meet, with normals up to a tenth off the vertical. Impulses are as in a network.
    pub(crate) fn wall(random: &mut Random, layers: u32, width: u32) -> Self {
        let mut scene = Self::default();
        let mut below: Vec<(BodyRow, f64)> = Vec::new();
        for layer in 0..layers {
            let row: Vec<(BodyRow, f64)> =
                (0..width).map(|k| (scene.body(), 2.0 * k as f64 + f64::from(layer % 2))).collect();
            for (body, x) in &row {
                for corner in 0..4 {
                    let arm =
                        Vec3::new(if corner < 2 { -0.9 } else { 0.9 }, if corner % 2 == 0 { -1.0 } else { 1.0 }, -0.5);
                    let under = below.iter().find(|(_, other)| (x + arm.x - other).abs() < 1.0);
                    let tilt = 0.1 * random.vector(1.0);
                    let normal = (Vec3::z() + tilt).normalize();
                    let (other, arm_a) = match under {
                        Some((other, at)) => (*other, arm + Vec3::new(x - at, 0.0, 1.0)),
                        None => (BodyRow::NONE, arm),
                    };
                    let friction = random.between(0.1, 0.8);
                    let contact = contact(other, *body, normal, [arm_a, arm], friction);
                    scene.add_random(random, contact);
                }
            }
            below = row;
        }
        scene
    }

    fn add_random(&mut self, random: &mut Random, contact: Contact) {
        let normal = random.between(0.1, 1.0);
        let across = contact.normal.cross(&random.direction()).normalize();
        let share = if random.between(0.0, 1.0) < 0.25 { 1.0 } else { random.between(0.0, 1.0) };
        let impulse = Impulse::force(normal, share * contact.friction * normal * across);
        let stiffness = random.between(0.1f64.ln(), 10f64.ln()).exp();
        self.add(contact, impulse, stiffness);
    }

    /// A pyramid of spheres of radius 1 and weight 1, the lowest layer of `base` by `base` held. Each sphere rests with equal
    /// parts of its load on the four below it; `push` of the friction there points along x, and none between neighbours.
    pub(crate) fn pyramid(base: usize, friction: f64, push: f64) -> Self {
        let mut scene = Self::default();
        let mut below: Vec<Vec<BodyRow>> = vec![vec![BodyRow::NONE; base]; base];
        let half = 0.5_f64.sqrt();
        for layer in 1..base {
            let size = base - layer;
            let bodies: Vec<Vec<BodyRow>> = (0..size).map(|_| (0..size).map(|_| scene.body()).collect()).collect();
            for (x, y) in (0..size).flat_map(|x| (0..size).map(move |y| (x, y))) {
                for (right, back) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let normal = Vec3::new(0.5 - right as f64, 0.5 - back as f64, half);
                    let normal_force = Self::load(base, layer, x, y) / 4.0 / half;
                    let along = (Vec3::x() - normal.x * normal).normalize();
                    let impulse = Impulse::force(normal_force, push * friction * normal_force * along);
                    let contact =
                        contact(below[x + right][y + back], bodies[x][y], normal, [normal, -normal], friction);
                    scene.add(contact, impulse, 1.0);
                }
                for (other, normal) in
                    [(bodies.get(x + 1).map(|row| row[y]), Vec3::x()), (bodies[x].get(y + 1).copied(), Vec3::y())]
                {
                    if let Some(other) = other {
                        let contact = contact(bodies[x][y], other, normal, [normal, -normal], friction);
                        scene.add(contact, Impulse::ZERO, 1.0);
                    }
                }
            }
            below = bodies;
        }
        scene
    }

    /// Without the contacts that carry nothing.
    pub(crate) fn loaded(mut self) -> Self {
        let carries: Vec<bool> = self.impulses.iter().map(|impulse| impulse.normal > 0.0).collect();
        let mut kept = carries.iter();
        self.contacts.retain(|_| *kept.next().expect("one for each contact"));
        self.impulses.retain(|impulse| impulse.normal > 0.0);
        self.stiffness.truncate(self.contacts.len());
        self
    }

    /// The weight of a sphere of a pyramid and of its share of those above it.
    fn load(base: usize, layer: usize, x: usize, y: usize) -> f64 {
        let above = base - layer - 1;
        let on = [(0, 0), (1, 0), (0, 1), (1, 1)]
            .into_iter()
            .filter(|(right, back)| (*right..above + right).contains(&x) && (*back..above + back).contains(&y));
        1.0 + on.map(|(right, back)| Self::load(base, layer + 1, x - right, y - back) / 4.0).sum::<f64>()
    }

    /// A box of 2 x 2 x 1 m on its lower corners, which carry these impulses.
    pub(crate) fn on_corners(friction: f64, impulses: [Impulse; 4]) -> Self {
        let mut scene = Self::default();
        let body = scene.body();
        for (corner, impulse) in impulses.into_iter().enumerate() {
            let arm = Vec3::new(if corner < 2 { -1.0 } else { 1.0 }, if corner % 2 == 0 { -1.0 } else { 1.0 }, -0.5);
            scene.add(contact(BodyRow::NONE, body, Vec3::z(), [arm, arm], friction), impulse, 1.0);
        }
        scene
    }
}
