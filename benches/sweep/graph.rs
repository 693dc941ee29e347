//! The random granular graph of the sweep limit (`sweep_limit.c`), drawn again with the same statistics. Sites of a face-centred
//! cubic lattice are shaken by 0.15 of half an edge, and half of the neighbours are in contact. Bodies follow the Morton
//! curve, contacts their first body. The lowest layer is immovable. Radii are 0.8 to 1.2, masses their cubes; every
//! body has a random velocity, and all fall.

#![allow(dead_code)] // the bench `rows` uses less of it

use drystone::math::{Mat3, Quat, Symmetric3, Vec3};
use drystone::solver::{Contact, Friction, MassInverse, OptionalTerms, Problem, Velocity};

/// What a contact is like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Spheres with friction.
    Friction,
    /// Spheres that resist rolling and twisting too.
    Turning,
    /// Bodies with the inertia of boxes, turned at random, touching beside the line of their centres.
    General,
    /// Spheres with friction whose contacts yield along the normal and along the tangents.
    Yielding,
    /// The same spheres, which resist rolling and twisting and yield there too: contacts of granular matter.
    YieldingTurning,
    /// Contacts as `Yielding` of general bodies.
    YieldingGeneral,
}

impl Kind {
    pub(crate) const ALL: [Self; 6] =
        [Self::Friction, Self::Turning, Self::General, Self::Yielding, Self::YieldingTurning, Self::YieldingGeneral];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Friction => "friction",
            Self::Turning => "turning",
            Self::General => "general",
            Self::Yielding => "yielding",
            Self::YieldingTurning => "yielding-turning",
            Self::YieldingGeneral => "yielding-general",
        }
    }

    fn turns(self) -> bool {
        matches!(self, Self::Turning | Self::YieldingTurning)
    }

    fn yields(self) -> bool {
        matches!(self, Self::Yielding | Self::YieldingTurning | Self::YieldingGeneral)
    }

    /// Of general bodies.
    fn is_general(self) -> bool {
        matches!(self, Self::General | Self::YieldingGeneral)
    }
}

/// Bodies and contacts, as the solver takes them.
pub(crate) struct Graph {
    pub(crate) masses: Vec<MassInverse>,
    pub(crate) velocities: Vec<Velocity>,
    pub(crate) contacts: Vec<Contact>,
    /// One for each contact, or none where nothing resists turning.
    pub(crate) optional: Vec<OptionalTerms>,
}

/// The generator of Marsaglia (xorshift), as the limit has it.
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// From 0 to 1.
    fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// From -1/2 to 1/2, three times.
    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5)
    }
}

impl Graph {
    /// With `cells` cubic cells along an edge of the cube: about `12 cells^3` contacts.
    pub(crate) fn new(cells: usize, kind: Kind) -> Self {
        let mut random = Random(88_172_645_463_325_252);
        let lattice = Lattice::new(cells, &mut random);
        let mut graph = Self { masses: Vec::new(), velocities: Vec::new(), contacts: Vec::new(), optional: Vec::new() };
        let mut radii = Vec::with_capacity(lattice.sites.len());
        for site in &lattice.sites {
            let radius = 0.8 + 0.4 * random.unit();
            radii.push(radius);
            let velocity = Velocity {
                linear: random.vector() - Vec3::new(0.0, 0.0, 0.3),
                angular: 0.3 / radius * random.vector(),
            };
            let held = site[2] == 0;
            graph.velocities.push(if held { Velocity::ZERO } else { velocity });
            let mass = mass(kind, radius, &mut random);
            graph.masses.push(if held { MassInverse::ZERO } else { mass });
        }
        graph.connect(&lattice, &radii, kind, &mut random);
        graph
    }

    fn connect(&mut self, lattice: &Lattice, radii: &[f64], kind: Kind, random: &mut Random) {
        const STEPS: [[i32; 3]; 6] = [[1, 1, 0], [1, -1, 0], [1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1]];
        let turning = if kind.turns() { 0.05 } else { 0.0 };
        // A hundredth of the responses of bodies of this size.
        let compliance = if kind.yields() { 0.01 } else { 0.0 };
        for a in 0..lattice.sites.len() {
            for step in STEPS {
                let Some(b) = lattice.neighbour(a, step) else { continue };
                let wanted = random.word() & 1 == 0;
                if !wanted || (self.masses[a].is_immovable() && self.masses[b].is_immovable()) {
                    continue;
                }
                let normal = (lattice.places[b] - lattice.places[a]).normalize();
                let off = if kind.is_general() { random.vector() } else { Vec3::zeros() };
                let off = off - normal.dot(&off) * normal;
                self.contacts.push(Contact {
                    body_a: a.into(),
                    body_b: b.into(),
                    normal,
                    arm_a: radii[a] * (normal + off),
                    arm_b: radii[b] * (off - normal),
                    normal_bias: 0.0,
                    friction: 0.5,
                });
                if turning > 0.0 || compliance > 0.0 {
                    self.optional.push(OptionalTerms {
                        rolling: turning,
                        twisting: turning,
                        normal_compliance: compliance,
                        tangential_compliance: compliance,
                        turning_compliance: if kind.turns() { compliance } else { 0.0 },
                        ..OptionalTerms::NONE
                    });
                }
            }
        }
    }

    pub(crate) fn problem(&self) -> Problem<'_> {
        Problem {
            masses: &self.masses,
            velocities: &self.velocities,
            contacts: &self.contacts,
            optional: &self.optional,
            rows: &[],
            friction: Friction::Coulomb,
        }
    }

    /// Contacts of a body, in the mean.
    pub(crate) fn coordination(&self) -> f64 {
        2.0 * self.contacts.len() as f64 / self.masses.len() as f64
    }
}

fn mass(kind: Kind, radius: f64, random: &mut Random) -> MassInverse {
    let mass = radius.powi(3);
    let linear = Vec3::repeat(1.0 / mass);
    if !kind.is_general() {
        let angular = Symmetric3::diagonal([2.5 / (mass * radius * radius); 3]);
        return MassInverse { linear, angular };
    }
    let squares = [0; 3].map(|_: i32| (radius * (0.6 + 0.4 * random.unit())).powi(2));
    let about = |axis: usize| 3.0 / (mass * (squares[(axis + 1) % 3] + squares[(axis + 2) % 3]));
    let turn = Quat::from_scaled_axis(6.0 * random.vector()).to_rotation_matrix();
    let inverse = turn * Mat3::from_diagonal(&Vec3::new(about(0), about(1), about(2))) * turn.transpose();
    MassInverse { linear, angular: Symmetric3::from_matrix(&inverse) }
}

/// Sites along the Morton curve, and where each one is.
struct Lattice {
    edge: i32,
    /// In halves of a cell.
    sites: Vec<[i32; 3]>,
    places: Vec<Vec3>,
    /// By its place in the cube; `u32::MAX`: none.
    numbers: Vec<u32>,
}

impl Lattice {
    fn new(cells: usize, random: &mut Random) -> Self {
        let edge = 2 * cells as i32;
        let all = (0..edge).flat_map(|x| (0..edge).flat_map(move |y| (0..edge).map(move |z| [x, y, z])));
        let mut sites: Vec<[i32; 3]> = all.filter(|[x, y, z]| (x + y + z) % 2 == 0).collect();
        sites.sort_unstable_by_key(morton);
        let mut lattice =
            Self { edge, sites, places: Vec::new(), numbers: vec![u32::MAX; (edge * edge * edge) as usize] };
        for (number, site) in lattice.sites.iter().enumerate() {
            lattice.numbers[((site[0] * edge + site[1]) * edge + site[2]) as usize] = number as u32;
            let [x, y, z] = site.map(f64::from);
            lattice.places.push(Vec3::new(x, y, z) + 0.15 * random.vector());
        }
        lattice
    }

    fn neighbour(&self, number: usize, step: [i32; 3]) -> Option<usize> {
        let site = self.sites[number];
        let [x, y, z] = [site[0] + step[0], site[1] + step[1], site[2] + step[2]];
        let inside = [x, y, z].iter().all(|at| (0..self.edge).contains(at));
        let found = inside.then(|| self.numbers[((x * self.edge + y) * self.edge + z) as usize])?;
        (found != u32::MAX).then_some(found as usize)
    }
}

/// The place of a site on the curve: the interleaved bits of its coordinates.
fn morton(site: &[i32; 3]) -> u64 {
    let spread = |at: i32| (0..21).fold(0_u64, |bits, bit| bits | ((at as u64 >> bit & 1) << (3 * bit)));
    spread(site[0]) | spread(site[1]) << 1 | spread(site[2]) << 2
}
