//! Central contacts: which ones are, and that they are solved like general ones.

use super::batches::Batches;
use super::random::{Random, Scene, on_lines, pairs_of, plain, resisting};
use crate::math::lanes::{Kernel, Lanes, Level, Lines, WIDE, Wide, dispatch};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::gauss_seidel::rule::Coulomb;
use crate::solver::gauss_seidel::wide::central::CentralBatch;
use crate::solver::gauss_seidel::wide::general::GeneralBatch;
use crate::solver::gauss_seidel::wide::lines::moved;
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::{SweepBatch, SweepContext};
use crate::solver::problem::{Contact, Impulse, ImpulsiveWrench, MassInverse, OptionalTerms, Problem, Velocity};

/// Spheres in a heap of central contacts of every kind: with each other, with the fixed world, with turning kinematic
/// bodies touched anywhere, with conveyors, bias, compliance, rolling and twisting.
fn heap(random: &mut Random) -> Scene {
    let mut scene = Scene::default();
    for body in 0..12 {
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        if body % 6 == 5 {
            scene.kinematic(velocity);
        } else {
            let mass = random.magnitude(0.5, 5.0);
            let radius = random.between(0.3, 1.0);
            scene.sphere(mass, radius, velocity);
        }
    }
    while scene.contacts.len() < 30 {
        let a = if random.one_in(5) { BodyRow::NONE } else { random.index(12).into() };
        let b = BodyRow::from(random.index(12));
        let problem = scene.problem();
        if a == b || !(problem.moves(a) || problem.moves(b)) {
            continue;
        }
        let normal = random.direction();
        let mut arm = |body: BodyRow, outward: Vec3| {
            if problem.moves(body) { random.between(0.3, 1.0) * outward } else { random.vector(1.0) }
        };
        let (arm_a, arm_b) = (arm(a, normal), arm(b, -normal));
        let normal_bias = random.between(-1.0, 0.2);
        let optional = OptionalTerms {
            surface_velocity: if random.one_in(3) { random.vector(1.0) } else { Vec3::zeros() },
            normal_compliance: if random.one_in(3) { 0.1 } else { 0.0 },
            tangential_compliance: if random.one_in(3) { 0.2 } else { 0.0 },
            turning_compliance: if random.one_in(3) { 0.3 } else { 0.0 },
            rolling: if random.one_in(3) { random.between(0.01, 0.2) } else { 0.0 },
            twisting: if random.one_in(3) { random.between(0.01, 0.2) } else { 0.0 },
        };
        let friction = if random.one_in(5) { 0.0 } else { random.between(0.1, 1.0) };
        scene.add(Contact { arm_a, arm_b, normal_bias, friction, ..plain(a, b, normal) }, optional);
    }
    scene
}

#[test]
fn central_and_general_rows_give_the_same_impulses_sweep_by_sweep() {
    let mut random = Random(1);
    for case in 0..20 {
        let scene = heap(&mut random);
        let resting = BodyRow::from(scene.masses.len());
        let (masses, mut start) = scene.with_world();
        let pairs = pairs_of(&scene.problem(), &masses);
        assert!(pairs.are_central() && pairs.central == [true; 30]);
        let mut central = Batches::<CentralBatch>::new(&scene);
        let mut general = Batches::<GeneralBatch>::new(&scene);
        let first = Impulse::force(0.1, Vec3::zeros());
        for (index, contact) in scene.contacts.iter().enumerate() {
            let impulse = first.vector(&contact.normal);
            let (a, b) = (contact.body_a.min(resting).index(), contact.body_b.min(resting).index());
            masses[a].apply(&mut start[a], &-impulse, &contact.arm_a.cross(&-impulse));
            masses[b].apply(&mut start[b], &impulse, &contact.arm_b.cross(&impulse));
            central.set(index, &first);
            general.set(index, &first);
        }
        let (mut by_central, mut by_general) = (start.clone(), start);
        let contacts = 0..scene.contacts.len();
        for sweep in 0..30 {
            on_lines(&masses, &mut by_central, |bodies| {
                contacts.clone().for_each(|index| _ = central.relax(index, bodies, 1.0));
            });
            on_lines(&masses, &mut by_general, |bodies| {
                contacts.clone().for_each(|index| _ = general.relax(index, bodies, 1.0));
            });
            let wrenches: Vec<ImpulsiveWrench> = contacts.clone().map(|index| central.wrench(index)).collect();
            let largest = wrenches.iter().fold(0.0, |largest: f64, wrench| largest.max(wrench.force.normal));
            for (index, ImpulsiveWrench { force: one, torque }) in wrenches.iter().enumerate() {
                let ImpulsiveWrench { force: other, torque: twist } = general.wrench(index);
                let force = (one.normal - other.normal).abs().max((one.tangential - other.tangential).norm());
                let error = force.max((torque - twist).norm());
                // Round-off of 30 contacts in 30 sweeps, a few eps each.
                assert!(error <= 1e-12 * largest, "case {case}, sweep {sweep}, contact {index}: {error:e}");
            }
        }
    }
}

/// Eight contacts that share no moving body, in one batch.
struct Apart<'a> {
    batches: &'a mut Batches<CentralBatch>,
    bodies: Lines<'a>,
    relaxation: f64,
}

impl Kernel for Apart<'_> {
    type Output = [f64; WIDE];

    #[inline(always)]
    fn run<L: Lanes>(self) -> [f64; WIDE] {
        let mut changes = Wide::splat(0.0);
        let Batches { batches, extras, torques, .. } = self.batches;
        // a central contact asks for no more of the masses than the bodies have
        let ground =
            SweepContext { bodies: self.bodies, masses: self.bodies, relaxation: self.relaxation, dilation: 0.0 };
        for first in (0..WIDE).step_by(L::WIDTH) {
            let (extra, torques) = (Some(&extras[0]), Some(&mut torques[0]));
            let own = *batches[0].places()[0];
            let change = moved(ground.bodies, &own, first, |a| {
                batches[0].relax::<L, Anisotropic, Coulomb, true>(a, extra, torques, ground, first)
            });
            change.store(&mut changes, first);
        }
        changes.0
    }
}

#[test]
fn every_width_gives_the_same_bits() {
    let mut random = Random(7);
    let (mut sticking, mut sliding, mut open) = (0, 0, 0);
    for case in 0..200 {
        // pairs of spheres of their own; every fourth on a turning wall, the last lane unused
        let mut scene = Scene::default();
        for lane in 0..WIDE - 1 {
            let [a, b] = [0, 1].map(|side| {
                let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
                if lane % 4 == 3 && side == 1 {
                    scene.kinematic(velocity)
                } else {
                    let mass = random.magnitude(0.5, 5.0);
                    scene.sphere(mass, 0.5, velocity)
                }
            });
            let normal = random.direction();
            let normal_bias = random.between(-1.0, 1.0);
            let surface_velocity = if random.one_in(2) { random.vector(1.0) } else { Vec3::zeros() };
            let normal_compliance = if random.one_in(2) { 0.1 } else { 0.0 };
            let friction = if random.one_in(5) { 0.0 } else { random.between(0.1, 2.0) };
            let rolling = if random.one_in(2) { 0.1 } else { 0.0 };
            let twisting = if random.one_in(2) { 0.05 } else { 0.0 };
            let (arm_a, arm_b) = (0.5 * normal, -0.5 * normal);
            let contact = Contact { arm_a, arm_b, normal_bias, friction, ..plain(a, b, normal) };
            scene.add(contact, OptionalTerms { surface_velocity, normal_compliance, ..resisting(rolling, twisting) });
        }
        let (masses, start) = scene.with_world();
        let mut batches = Batches::new(&scene);
        for index in 0..scene.contacts.len() {
            let normal = scene.contacts[index].normal;
            let force = Impulse::force(random.between(0.0, 1.0), normal.cross(&random.vector(0.5)));
            batches.set_wrench(index, &ImpulsiveWrench { force, torque: random.vector(0.1) });
        }
        let relaxation = if case % 2 == 0 { 1.0 } else { 1.4 };
        let mut expected = start.clone();
        let mut alone = batches.clone();
        let changes: Vec<f64> = on_lines(&masses, &mut expected, |bodies| {
            (0..WIDE - 1).map(|index| alone.relax(index, bodies, relaxation)).collect()
        });
        for level in [Level::Baseline, Level::Avx2, Level::Avx512] {
            let (mut wide, mut velocities) = (batches.clone(), start.clone());
            let found = on_lines(&masses, &mut velocities, |bodies| {
                dispatch(level, Apart { batches: &mut wide, bodies: Lines::new(bodies), relaxation })
            });
            assert_eq!(velocities, expected, "case {case}, {level:?}");
            assert_eq!(&found[..WIDE - 1], changes, "case {case}, {level:?}");
            for index in 0..WIDE - 1 {
                assert_eq!(wide.wrench(index), alone.wrench(index), "case {case}, {level:?}");
            }
        }
        for (index, contact) in scene.contacts.iter().enumerate() {
            let Impulse { normal, tangential } = alone.impulse(index);
            open += usize::from(normal == 0.0);
            sliding += usize::from(normal > 0.0 && tangential.norm() > 0.999 * contact.friction * normal);
            sticking += usize::from(normal > 0.0 && tangential.norm() < 0.9 * contact.friction * normal);
        }
    }
    assert!(sticking > 50 && sliding > 50 && open > 50, "{sticking} stick, {sliding} slide, {open} are open");
}

#[test]
fn only_contacts_through_every_moving_centre_are_central() {
    let mut scene = Scene::default();
    let sphere = scene.sphere(1.0, 0.5, Velocity::ZERO);
    let brick = scene.body(1.0, Symmetric3::diagonal([1.0, 1.0, 2.0]), Velocity::ZERO);
    let wall = scene.kinematic(Velocity::ZERO);
    scene.masses.push(MassInverse { linear: Vec3::new(1.0, 0.0, 1.0), angular: Symmetric3::default() });
    scene.velocities.push(Velocity::ZERO);
    let locked = BodyRow(3);
    let is_central = |a: BodyRow, b: BodyRow, arm_a: Vec3, arm_b: Vec3| {
        let normal = Vec3::new(0.6, 0.0, 0.8);
        let contacts = [Contact { arm_a, arm_b, ..plain(a, b, normal) }];
        let pairs = pairs_of(&Problem { contacts: &contacts, ..scene.problem() }, &scene.with_world().0);
        assert_eq!(pairs.are_central(), pairs.central[0]);
        pairs.central[0]
    };
    let n = Vec3::new(0.6, 0.0, 0.8);
    let across = Vec3::new(0.8, 0.0, -0.6);
    assert!(is_central(BodyRow::NONE, sphere, across, -0.5 * n), "where the world is touched does not matter");
    assert!(is_central(wall, sphere, across, -0.5 * n), "nor where a wall is");
    assert!(!is_central(BodyRow::NONE, sphere, across, -0.5 * n + 1e-12 * across), "the arm is not along the normal");
    assert!(!is_central(sphere, brick, 0.5 * n, -0.5 * n), "a brick turns unlike about its axes");
    assert!(!is_central(BodyRow::NONE, locked, across, -0.5 * n), "a locked axis does not answer alike");
}

#[test]
fn a_contact_of_immovable_bodies_does_nothing() {
    let mut scene = Scene::default();
    scene.kinematic(Velocity { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::zeros() });
    let contact = Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) };
    scene.contacts.push(contact);
    let (masses, mut velocities) = scene.with_world();
    let mut batches = Batches::<CentralBatch>::new(&scene);
    on_lines(&masses, &mut velocities, |bodies| batches.relax(0, bodies, 1.0));
    assert_eq!(batches.wrench(0), ImpulsiveWrench::ZERO);
    assert_eq!(velocities, [scene.velocities[0], Velocity::ZERO]);
}
