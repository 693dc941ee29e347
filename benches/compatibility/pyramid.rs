//! The cannonball pyramid of [K] 8.2: spheres of radius 1 m on a base of held ones.

use drystone::math::{BodyRow, Symmetric3, Vec3};
use drystone::solver::{Contact, Friction, Impulse, Impulses, MassInverse, Problem, Velocity};

/// Two spheres touch where centres are not further apart than diameters times this [-].
const TOUCHING: f64 = 1.0 + 1e-9;

/// The spheres, layer by layer from below, and their contacts; those between two held spheres are left out.
pub(crate) struct Pyramid {
    masses: Vec<MassInverse>,
    pub(crate) contacts: Vec<Contact>,
    /// For each sphere its contacts with those below.
    supports: Vec<Vec<usize>>,
}

/// Weights of the spheres, and impulses that carry them.
pub(crate) struct ContactState {
    velocities: Vec<Velocity>,
    pub(crate) impulses: Impulses,
}

impl Pyramid {
    /// With `base` spheres along an edge of the base.
    pub(crate) fn new(base: usize) -> Self {
        let mut layers: Vec<Vec<Vec3>> = Vec::new();
        for layer in 0..base {
            let place = |index: usize| (2 * index + layer) as f64;
            let height = 2.0_f64.sqrt() * layer as f64;
            let side = base - layer;
            let spheres = (0..side * side).map(|k| Vec3::new(place(k / side), place(k % side), height));
            layers.push(spheres.collect());
        }
        let mut pyramid = Self { masses: Vec::new(), contacts: Vec::new(), supports: Vec::new() };
        let mut below: (usize, &[Vec3]) = (0, &[]);
        for (number, layer) in layers.iter().enumerate() {
            let first = pyramid.masses.len();
            for (index, center) in layer.iter().enumerate() {
                pyramid.add_sphere(number == 0);
                if number > 0 {
                    pyramid.touch(center, below);
                    pyramid.touch(center, (first, &layer[..index]));
                }
            }
            below = (first, layer);
        }
        pyramid
    }

    fn add_sphere(&mut self, held: bool) {
        let angular = Symmetric3 { entries: [2.5, 2.5, 2.5, 0.0, 0.0, 0.0] };
        let free = MassInverse { linear: Vec3::repeat(1.0), angular };
        self.masses.push(if held { MassInverse::ZERO } else { free });
        self.supports.push(Vec::new());
    }

    /// The contacts of the sphere added last with others, the first of which is the sphere `first`.
    fn touch(&mut self, center: &Vec3, (first, others): (usize, &[Vec3])) {
        let body = self.masses.len() - 1;
        for (index, other) in others.iter().enumerate() {
            let between = center - other;
            if between.norm() <= 2.0 * TOUCHING {
                if between.z > 0.5 {
                    self.supports[body].push(self.contacts.len());
                }
                self.contacts.push(contact(first + index, body, between.normalize()));
            }
        }
    }

    /// Contact stiffness of one species of spheres, or of two that alternate, the moduli of which differ five times.
    pub(crate) fn stiffness(&self, species: usize) -> Vec<f64> {
        let modulus = |body: BodyRow| if species == 2 && body.0 % 2 == 1 { 5.0 } else { 1.0 };
        let in_series = |contact: &Contact| 1.0 / (1.0 / modulus(contact.body_a) + 1.0 / modulus(contact.body_b));
        self.contacts.iter().map(in_series).collect()
    }

    /// Every sphere weighs 1 N s and up to `noise` of it more or less, and rests on the four below in equal parts.
    pub(crate) fn load(&self, noise: f64, seed: u64) -> ContactState {
        let mut state = seed;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / 2.0_f64.powi(52) - 1.0
        };
        let weights: Vec<f64> = self.masses.iter().map(|_| 1.0 + noise * random()).collect();
        // unit masses fall by their own weight, and the impulses stop them
        let falling = |(mass, weight): (&MassInverse, &f64)| Velocity {
            linear: Vec3::new(0.0, 0.0, -weight * mass.linear.z),
            angular: Vec3::zeros(),
        };
        let velocities = self.masses.iter().zip(&weights).map(falling).collect();
        let mut impulses = Impulses::default();
        impulses.contacts.resize(self.contacts.len(), Impulse::force(0.0, Vec3::zeros()));
        let mut carried = weights;
        for (body, supports) in self.supports.iter().enumerate().rev() {
            let share = carried[body] / supports.len() as f64;
            for index in supports {
                let contact = &self.contacts[*index];
                impulses.contacts[*index] = Impulse::force(share / contact.normal.z, Vec3::zeros());
                carried[contact.body_a] += share;
            }
        }
        ContactState { velocities, impulses }
    }

    pub(crate) fn problem<'a>(&'a self, load: &'a ContactState) -> Problem<'a> {
        let (masses, contacts) = (&self.masses, &self.contacts);
        Problem {
            masses,
            velocities: &load.velocities,
            contacts,
            optional: &[],
            rows: &[],
            friction: Friction::Coulomb,
        }
    }

    pub(crate) fn spheres(&self) -> usize {
        self.masses.len()
    }

    /// The number of each sphere among those that move, if it does.
    pub(crate) fn moving(&self) -> Vec<Option<usize>> {
        let mut next = 0;
        let mut number = |mass: &MassInverse| {
            let moves = !mass.is_immovable();
            next += usize::from(moves);
            moves.then(|| next - 1)
        };
        self.masses.iter().map(&mut number).collect()
    }
}

/// Of two spheres of radius 1 m.
fn contact(a: usize, b: usize, normal: Vec3) -> Contact {
    Contact {
        body_a: a.into(),
        body_b: b.into(),
        normal,
        arm_a: normal,
        arm_b: -normal,
        normal_bias: 0.0,
        friction: 0.3,
    }
}
