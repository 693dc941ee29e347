//! The two sources of masses: general contacts of isotropic bodies are swept without the lines of masses, to the same bits.

use super::random::{Random, Scene, lines_of, plain, put, write_extra};
use super::wide_general::LEVELS;
use crate::math::lanes::{Kernel, Lanes, Level, Lines, WIDE, Wide, dispatch};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::gauss_seidel::rows::kernels::PositionSweep;
use crate::solver::gauss_seidel::rule::Coulomb;
use crate::solver::gauss_seidel::wide::general::{GeneralBatch, GeneralExtra};
use crate::solver::gauss_seidel::wide::lines::moved;
use crate::solver::gauss_seidel::wide::masses::{Anisotropic, Isotropic};
use crate::solver::gauss_seidel::wide::turning::TorqueBatch;
use crate::solver::gauss_seidel::wide::{ANISOTROPIC, ContactBatch, PrepareContext, SweepBatch, SweepContext, lines};
use crate::solver::problem::{Contact, Impulse, OptionalTerms, Velocity};

/// Contacts of each pair, each in a batch of its own.
const DEEP: usize = 4;

/// Batches between cubes, and what they work on.
#[derive(Clone)]
struct Bed {
    batches: Vec<GeneralBatch>,
    extras: Vec<GeneralExtra>,
    torques: Vec<TorqueBatch>,
    lines: Vec<Wide>,
    masses: Vec<Wide>,
    largest: Wide,
}

/// A sweep with either source of masses.
struct Sweep<'a> {
    bed: &'a mut Bed,
    isotropic: bool,
}

impl Kernel for Sweep<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Bed { batches, extras, torques, lines, masses, largest } = self.bed;
        let ground =
            SweepContext { bodies: Lines::new(lines), masses: Lines::new(masses), relaxation: 1.0, dilation: 0.0 };
        for first in (0..WIDE).step_by(L::WIDTH) {
            let mut found = L::splat(0.0);
            for (at, batch) in batches.iter_mut().enumerate() {
                let (extra, torques) = (extras.get(at), torques.get_mut(at));
                let own = *batch.places()[0];
                let change = moved(ground.bodies, &own, first, |a| {
                    if self.isotropic {
                        batch.relax::<L, Isotropic, Coulomb, true>(a, extra, torques, ground, first)
                    } else {
                        batch.relax::<L, Anisotropic, Coulomb, true>(a, extra, torques, ground, first)
                    }
                });
                found = change.larger(found);
            }
            found.store(largest, first);
        }
    }
}

/// A sweep of the position pass with either source of masses.
fn push<'a>(
    bed: &'a mut Bed,
    targets: &'a [Wide],
    multipliers: &'a mut [Wide],
    isotropic: bool,
) -> PositionSweep<'a, GeneralBatch> {
    let Bed { batches, lines, masses, .. } = bed;
    let ground = SweepContext { bodies: Lines::new(lines), masses: Lines::new(masses), relaxation: 1.0, dilation: 0.0 };
    PositionSweep { batches, targets, scales: &[], multipliers, context: ground, isotropic }
}

impl Bed {
    /// Pairs of a body and the next one, of a body and the fixed world, and lanes without any.
    fn new(random: &mut Random, [extra, turning]: [bool; 2]) -> Self {
        let mut scene = Scene::default();
        for _ in 0..2 * WIDE {
            // negative zeros, too
            let velocity = Velocity { linear: random.vector(1.0), angular: -Vec3::zeros() };
            let inertia = Symmetric3::diagonal([random.magnitude(0.1, 10.0); 3]);
            scene.body(random.magnitude(0.1, 10.0), inertia, velocity);
        }
        let pair =
            |lane: u32| if lane == 3 { [BodyRow::NONE, BodyRow(6)] } else { [2 * lane, 2 * lane + 1].map(BodyRow) };
        let pairs: Vec<[BodyRow; 2]> = (0..7).map(pair).collect();
        for [a, b] in pairs.iter().cycle().take(DEEP * pairs.len()) {
            let (arm_a, arm_b) = (random.vector(1.0), random.vector(1.0));
            let friction = random.between(0.0, 1.0);
            let mut contact = Contact { arm_a, arm_b, friction, ..plain(*a, *b, random.direction()) };
            let mut optional = OptionalTerms::NONE;
            if extra {
                (optional.surface_velocity, optional.normal_compliance) =
                    (random.vector(1.0), random.between(0.0, 1.0));
            }
            if turning {
                (optional.rolling, optional.twisting) = (random.between(0.0, 0.5), random.between(0.0, 0.5));
            }
            // contacts that turn about one axis alone: moments with zeros of both signs
            if random.one_in(3) {
                (contact.normal, contact.friction) = (-Vec3::z(), 0.0);
                (contact.arm_a, contact.arm_b) = (Vec3::x(), -Vec3::x());
            }
            scene.add(contact, optional);
        }
        let problem = scene.problem();
        let (masses, velocities) = scene.with_world();
        let bodies = lines_of(&masses, &velocities);
        let given = PrepareContext { problem: &problem, bodies: &bodies, level: Level::best() };
        let mut batches = vec![GeneralBatch::empty(BodyRow::from(scene.masses.len())); DEEP];
        let mut extras = vec![GeneralBatch::NO_EXTRA; DEEP];
        let mut torques = vec![GeneralBatch::NO_TORQUES; DEEP];
        for (at, contacts) in scene.wholes().chunks(pairs.len()).enumerate() {
            let wholes = || contacts.iter().map(|(contact, optional)| (contact, optional));
            let found = put((&mut batches[at], Some(&mut torques[at])), &given, wholes(), false);
            assert_eq!(found & ANISOTROPIC, 0);
            for (lane, contact) in wholes().enumerate() {
                write_extra::<GeneralBatch>(&mut extras[at], lane, &given, contact);
                batches[at].set(lane, &Impulse::force(random.between(0.0, 0.1), Vec3::zeros()));
            }
        }
        extras.truncate(if extra { DEEP } else { 0 });
        torques.truncate(if turning { DEEP } else { 0 });
        let masses = masses.iter().map(lines::mass).collect();
        Self { batches, extras, torques, lines: bodies, masses, largest: Wide::default() }
    }

    fn bits(&self) -> Vec<u64> {
        let impulses = self.batches.iter().flat_map(|batch| {
            (0..WIDE).flat_map(|lane| {
                let (normal, tangential) = batch.force(lane);
                [normal, tangential.x, tangential.y, tangential.z]
            })
        });
        let velocities = self.lines.iter().flat_map(|line| line.0.into_iter().take(6));
        velocities.chain(impulses).chain(self.largest.0).map(f64::to_bits).collect()
    }
}

#[test]
fn isotropic_masses_give_the_same_bits_in_a_sweep() {
    let mut random = Random(1);
    let mut closed = 0;
    for case in 0..64 {
        let start = Bed::new(&mut random, [case % 2 == 0, case % 4 > 1]);
        let mut plain = start.clone();
        let mut isotropic = LEVELS.map(|level| (level, start.clone()));
        for sweep in 0..5 {
            Sweep { bed: &mut plain, isotropic: false }.run::<f64>();
            for (level, bed) in &mut isotropic {
                dispatch(*level, Sweep { bed, isotropic: true });
                assert_eq!(bed.bits(), plain.bits(), "case {case}, sweep {sweep}, {level:?}");
            }
        }
        let normals = plain.batches.iter().flat_map(|batch| (0..WIDE).map(|lane| batch.force(lane).0));
        closed += normals.filter(|normal| *normal > 0.0).count();
    }
    assert!(closed > 500, "only {closed} contacts carry an impulse");
}

#[test]
fn isotropic_masses_give_the_same_bits_in_the_position_pass() {
    let mut random = Random(2);
    let mut opened = 0;
    for case in 0..64 {
        let start = Bed::new(&mut random, [false; 2]);
        let targets: Vec<_> = (0..DEEP).map(|_| Wide(std::array::from_fn(|_| random.between(-0.5, 1.0)))).collect();
        let none = vec![Wide::splat(0.0); DEEP];
        let (mut plain, mut expected) = (start.clone(), none.clone());
        let mut isotropic = LEVELS.map(|level| (level, start.clone(), none.clone()));
        for sweep in 0..5 {
            let farthest = push(&mut plain, &targets, &mut expected, false).run::<f64>();
            for (level, bed, multipliers) in &mut isotropic {
                let moved = dispatch(*level, push(bed, &targets, multipliers, true));
                assert_eq!(moved.to_bits(), farthest.to_bits(), "case {case}, sweep {sweep}, {level:?}");
                assert_eq!(bed.bits(), plain.bits(), "case {case}, sweep {sweep}, {level:?}");
                assert_eq!(*multipliers, expected, "case {case}, sweep {sweep}, {level:?}");
            }
        }
        opened += expected.iter().flat_map(|wide| wide.0).filter(|multiplier| *multiplier > 0.0).count();
    }
    assert!(opened > 500, "only {opened} contacts are opened");
}

#[test]
fn bricks_are_anisotropic() {
    let mut scene = Scene::default();
    let cube = scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    let brick = scene.body(1.0, Symmetric3::diagonal([1.0, 1.0, 2.0]), Velocity::ZERO);
    let slab = scene.kinematic(Velocity::ZERO);
    let (masses, velocities) = scene.with_world();
    let bodies = lines_of(&masses, &velocities);
    let problem = scene.problem();
    let given = PrepareContext { problem: &problem, bodies: &bodies, level: Level::best() };
    for (pair, expected) in [
        ([cube, slab], 0),
        ([BodyRow::NONE, cube], 0),
        ([cube, brick], ANISOTROPIC),
        ([brick, BodyRow::NONE], ANISOTROPIC),
    ] {
        let contact = Contact { arm_a: Vec3::x(), arm_b: Vec3::y(), ..plain(pair[0], pair[1], Vec3::z()) };
        let mut batch = GeneralBatch::empty(BodyRow::from(scene.masses.len()));
        let found = put((&mut batch, None), &given, [(&contact, &OptionalTerms::NONE)], true);
        assert_eq!(found & ANISOTROPIC, expected, "{pair:?}");
    }
}
