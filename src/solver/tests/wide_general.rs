//! Batches of general contacts: every width alike bit for bit, the law itself, one by one in plain vectors, momentum.

use super::batches::{RollingRow, general_row};
use super::random::{Random, Scene, lines_of, plain, put, resisting, write_extra};
use crate::math::lanes::{Kernel, Lanes, Level, LineIndex, Lines, WIDE, Wide, dispatch};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::gauss_seidel::rule::Coulomb;
use crate::solver::gauss_seidel::wide::general::{GeneralBatch, GeneralExtra};
use crate::solver::gauss_seidel::wide::lines::moved;
use crate::solver::gauss_seidel::wide::masses::Anisotropic;
use crate::solver::gauss_seidel::wide::turning::TorqueBatch;
use crate::solver::gauss_seidel::wide::{ContactBatch, PrepareContext, SweepBatch, SweepContext, lines};
use crate::solver::problem::residual::contact_residual;
use crate::solver::problem::{
    Contact, FullContact, Impulse, ImpulsiveWrench, MassInverse, OptionalTerms, Problem, Velocity,
};

pub(super) const LEVELS: [Level; 3] = [Level::Baseline, Level::Avx2, Level::Avx512];

/// Batches over a scene, and what they work on.
#[derive(Clone)]
pub(super) struct Bed {
    pub(super) batches: Vec<GeneralBatch>,
    extras: Vec<Option<GeneralExtra>>,
    torques: Vec<Option<TorqueBatch>>,
    /// Where each contact is.
    pub(super) places: Vec<(usize, usize)>,
    pub(super) lines: Vec<Wide>,
    pub(super) masses: Vec<Wide>,
    pub(super) changes: Vec<Wide>,
}

/// The line of a body; its last number is nothing that the kernel knows.
fn body_line(mass: &MassInverse, velocity: &Velocity) -> Wide {
    let (v, w) = (velocity.linear, velocity.angular);
    Wide([v.x, v.y, v.z, mass.linear.x, w.x, w.y, w.z, 7.0])
}

impl Bed {
    /// Contacts go to the first of the last batches with a lane left and none of their moving bodies.
    pub(super) fn new(scene: &Scene) -> Self {
        let problem = scene.problem();
        let (masses, velocities) = scene.with_world();
        let bodies = lines_of(&masses, &velocities);
        let given = PrepareContext { problem: &problem, bodies: &bodies, level: Level::best() };
        let resting = BodyRow::from(scene.masses.len());
        let mut members: Vec<Vec<usize>> = Vec::new();
        let moving = |index: usize| {
            let contact: &Contact = &scene.contacts[index];
            [contact.body_a, contact.body_b].into_iter().filter(|body| problem.moves(*body))
        };
        let mut places = Vec::new();
        for index in 0..scene.contacts.len() {
            let fits = |batch: &Vec<usize>| {
                batch.len() < WIDE && !batch.iter().any(|other| moving(*other).any(|a| moving(index).any(|b| a == b)))
            };
            let from = members.len().saturating_sub(4);
            let batch = members[from..].iter().position(fits).map_or(members.len(), |found| from + found);
            members.resize(members.len().max(batch + 1), Vec::new());
            places.push((batch, members[batch].len()));
            members[batch].push(index);
        }
        let mut bed = Self {
            batches: vec![GeneralBatch::empty(resting); members.len()],
            extras: vec![None; members.len()],
            torques: vec![None; members.len()],
            places,
            lines: masses.iter().zip(&velocities).map(|(mass, velocity)| body_line(mass, velocity)).collect(),
            masses: masses.iter().map(lines::mass).collect(),
            changes: vec![Wide::default(); members.len()],
        };
        for ((batch, torques), members) in bed.batches.iter_mut().zip(&mut bed.torques).zip(&members) {
            let wholes = || members.iter().map(|index| problem.full_contact((*index).into()));
            if wholes().any(|whole| RollingRow::new(&problem, whole).is_some()) {
                *torques = Some(GeneralBatch::NO_TORQUES);
            }
            put((batch, torques.as_mut()), &given, wholes(), false);
        }
        for (index, (batch, lane)) in bed.places.clone().into_iter().enumerate() {
            let whole = problem.full_contact(index.into());
            if (OptionalTerms { rolling: 0.0, twisting: 0.0, ..*whole.1 }) != OptionalTerms::NONE {
                let extra = bed.extras[batch].get_or_insert(GeneralBatch::NO_EXTRA);
                write_extra::<GeneralBatch>(extra, lane, &given, whole);
            }
        }
        bed
    }

    fn sweep<const MEASURED: bool>(&mut self, level: Option<Level>, relaxation: f64) {
        let sweep = Sweep::<MEASURED> { bed: self, relaxation };
        match level {
            Some(level) => dispatch(level, sweep),
            None => sweep.run::<f64>(),
        }
    }

    fn impulse(&self, contact: usize) -> ImpulsiveWrench {
        let (batch, lane) = self.places[contact];
        let made = &self.batches[batch];
        let torque = self.torques[batch].map_or(Vec3::zeros(), |torques| made.torque(&torques, lane));
        let (normal, tangential) = made.force(lane);
        ImpulsiveWrench { force: Impulse { normal, tangential }, torque }
    }

    fn set(&mut self, contact: usize, impulse: &ImpulsiveWrench) {
        let (batch, lane) = self.places[contact];
        self.batches[batch].set(lane, &impulse.force);
        if let Some(torques) = &mut self.torques[batch] {
            self.batches[batch].set_torque(torques, lane, &impulse.torque);
        }
    }

    pub(super) fn velocity(&self, body: usize) -> Velocity {
        lines::velocity(&self.lines[body])
    }

    pub(super) fn bits(&self) -> Vec<u64> {
        let impulses = (0..self.places.len()).flat_map(|contact| {
            let ImpulsiveWrench { force: Impulse { normal, tangential: t }, torque } = self.impulse(contact);
            [normal, t.x, t.y, t.z, torque.x, torque.y, torque.z]
        });
        let lines = self.lines.iter().chain(&self.changes).flat_map(|line| line.0);
        lines.chain(impulses).map(f64::to_bits).collect()
    }
}

struct Sweep<'a, const MEASURED: bool> {
    bed: &'a mut Bed,
    relaxation: f64,
}

impl<const MEASURED: bool> Kernel for Sweep<'_, MEASURED> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        let Bed { batches, extras, torques, lines, masses, changes, .. } = self.bed;
        let ground = SweepContext {
            bodies: Lines::new(lines),
            masses: Lines::new(masses),
            relaxation: self.relaxation,
            dilation: 0.0,
        };
        for (((batch, extra), torques), change) in batches.iter_mut().zip(extras).zip(torques).zip(changes) {
            let mut first = 0;
            while first < WIDE {
                let own = *batch.places()[0];
                let changed = moved(ground.bodies, &own, first, |a| {
                    batch.relax::<L, Anisotropic, Coulomb, MEASURED>(a, extra.as_ref(), torques.as_mut(), ground, first)
                });
                changed.store(change, first);
                first += L::WIDTH;
            }
        }
    }
}

/// Bodies and contacts of every kind, some of which nothing can move apart, and some with huge friction.
pub(super) fn scene(random: &mut Random, bodies: usize, contacts: usize) -> Scene {
    let mut scene = Scene::random(random, bodies, contacts);
    scene.resist_turning(random);
    for contact in &mut scene.contacts {
        if random.one_in(12) {
            contact.friction = 1e6;
        }
    }
    let kinematic = scene.kinematic(Velocity { linear: Vec3::x(), angular: Vec3::z() });
    scene.contacts.push(Contact {
        arm_b: random.vector(1.0),
        friction: 0.5,
        ..plain(BodyRow::NONE, kinematic, Vec3::y())
    });
    let soft = OptionalTerms { normal_compliance: 0.5, ..OptionalTerms::NONE };
    scene.add(Contact { normal_bias: -1.0, ..plain(BodyRow::NONE, kinematic, Vec3::x()) }, soft);
    scene
}

#[test]
fn every_width_gives_the_same_bits() {
    let mut random = Random(1);
    let mut counts = [0; 3];
    for case in 0..40 {
        let scene = scene(&mut random, 40, 150);
        let mut single = Bed::new(&scene);
        for contact in 0..scene.contacts.len() {
            let tangential = scene.contacts[contact].normal.cross(&random.vector(0.1));
            let force = Impulse::force(0.1, tangential);
            single.set(contact, &ImpulsiveWrench { force, torque: random.vector(0.1) });
        }
        let mut wide = LEVELS.map(|_| single.clone());
        let mut unmeasured = single.clone();
        for sweep in 0..6 {
            let relaxation = if case % 3 == 0 { 1.3 } else { 1.0 };
            single.sweep::<true>(None, relaxation);
            assert!(single.lines.iter().flat_map(|line| line.0).all(f64::is_finite), "case {case}, sweep {sweep}");
            unmeasured.sweep::<false>(Some(LEVELS[case % 3]), relaxation);
            assert_eq!(unmeasured.lines, single.lines);
            for (bed, level) in wide.iter_mut().zip(LEVELS) {
                bed.sweep::<true>(Some(level), relaxation);
                assert_eq!(bed.bits(), single.bits(), "case {case}, sweep {sweep}, {level:?}");
            }
        }
        for (index, contact) in scene.contacts.iter().enumerate() {
            let Impulse { normal, tangential } = single.impulse(index).force;
            let limit = contact.friction * normal;
            let slides = contact.friction > 0.0 && tangential.norm() >= limit * (1.0 - 1e-12);
            counts[if normal == 0.0 { 0 } else { 1 + usize::from(slides) }] += 1;
        }
    }
    assert!(counts.iter().all(|count| *count > 500), "open, sticking, sliding: {counts:?}");
}

/// Whether impulses in every direction move the contact. Where locks forbid one, a velocity in it can break the laws
/// whatever the impulse, and round-off grows as far as the laws allow.
fn is_regular(scene: &Scene, contact: FullContact) -> bool {
    let row = general_row(&scene.problem(), contact);
    let [s1, s2] = row.block.tangential;
    let all = [row.block.normal, s1, s2];
    let (smallest, largest) =
        all.iter().fold((f64::MAX, 0.0), |(smallest, largest), s| (s.min(smallest), s.max(largest)));
    smallest > 1e-3 * largest
}

#[test]
fn one_visit_obeys_the_laws() {
    let mut random = Random(2);
    let mut active = 0;
    for case in 0..300 {
        let scene = Scene::random(&mut random, 6, 12);
        let fresh = Bed::new(&scene);
        let problem = scene.problem();
        let wholes = (0..scene.contacts.len()).map(|index| (index, problem.full_contact(index.into())));
        for (index, (contact, optional)) in wholes.filter(|(_, whole)| is_regular(&scene, *whole)) {
            let (mut bed, (batch, _)) = (fresh.clone(), fresh.places[index]);
            (bed.batches, bed.extras) = (vec![bed.batches[batch]], vec![bed.extras[batch]]);
            bed.torques = vec![None];
            bed.sweep::<false>(Some(Level::Avx512), 1.0);
            bed.places[index].0 = 0;
            let impulse = bed.impulse(index);
            let at = |body: BodyRow| if body == BodyRow::NONE { Velocity::ZERO } else { bed.velocity(body.index()) };
            let pair = [at(contact.body_a), at(contact.body_b)];
            let residual = contact_residual(&problem, (contact, optional), [&pair[0], &pair[1]], &impulse);
            // As for a row alone: velocities of a few m/s, impulses of up to 1e4 times what the best direction needs.
            assert!(residual <= 1e-11, "case {case}, contact {index}: {residual:e} m/s");
            active += usize::from(impulse.force.normal > 0.0);
        }
    }
    assert!(active > 500, "only {active} contacts carry an impulse");
}

/// One visit of a contact and its torques in plain vectors, with the velocities of both bodies and its impulse. Returns
/// the square of its change.
fn visited(
    problem: &Problem,
    (contact, optional): FullContact,
    [v_a, v_b]: [&mut Velocity; 2],
    wrench: &mut ImpulsiveWrench,
    relaxation: f64,
) -> f64 {
    let ImpulsiveWrench { force: lambda, torque } = wrench;
    let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
    let row = general_row(problem, (contact, optional));
    let (t1, t2) = (Vec3::from(row.t1), contact.normal.cross(&row.t1.into()));
    let (u, defect) = (contact.relative_velocity(v_a, v_b), |u: &Vec3| contact.defect(u, lambda, optional));
    let (w_n, w_t) = defect(&u);
    let old = [lambda.normal, lambda.tangential.dot(&t1), lambda.tangential.dot(&t2)];
    let mut next = [0.0; 3];
    if row.block.normal > 0.0 {
        let own = row.block.times(&old);
        let w = [w_n, w_t.dot(&t1), w_t.dot(&t2)];
        let (exact, _) = row.block.solve(&std::array::from_fn(|k| w[k] - own[k]), contact.friction);
        next = std::array::from_fn(|k| old[k] + relaxation * (exact[k] - old[k]));
        next[0] = next[0].max(0.0);
        let size = (next[1] * next[1] + next[2] * next[2]).sqrt();
        let scale = if relaxation != 1.0 && size > contact.friction * next[0] {
            contact.friction * next[0] / size
        } else {
            1.0
        };
        (next[1], next[2]) = (scale * next[1], scale * next[2]);
    }
    let d: [f64; 3] = std::array::from_fn(|k| next[k] - old[k]);
    let impulse = d[0] * contact.normal + d[1] * t1 + d[2] * t2;
    mass_a.apply(v_a, &-impulse, &impulse.cross(&contact.arm_a));
    mass_b.apply(v_b, &impulse, &contact.arm_b.cross(&impulse));
    (lambda.normal, lambda.tangential) = (next[0], next[1] * t1 + next[2] * t2);
    let change = d.iter().map(|d| d * d).sum::<f64>() * row.block.normal * row.block.normal;

    let Some(row) = RollingRow::new(problem, (contact, optional)) else { return change };
    let (n, old, pressure) = (&contact.normal, *torque, next[0]);
    let mut turn = |torque: &Vec3| {
        v_a.angular -= mass_a.angular.times(torque);
        v_b.angular += mass_b.angular.times(torque);
        (v_b.angular - v_a.angular, mass_a.angular.times(torque) + mass_b.angular.times(torque))
    };
    let (spin, _) = turn(&Vec3::zeros());
    let along = |torque: &Vec3| [torque.dot(&row.t1), torque.dot(&row.t2)];
    let mut rolled = [0.0; 2];
    if let Some(disc) = &row.disc {
        let (old, exact) = (along(&old), disc.solve(along(&spin), along(&old), optional.rolling * pressure));
        rolled = std::array::from_fn(|k| old[k] + relaxation * (exact[k] - old[k]));
        let size = (rolled[0] * rolled[0] + rolled[1] * rolled[1]).sqrt();
        let limit = optional.rolling * pressure;
        rolled = rolled.map(|along| if size > limit { limit / size * along } else { along });
    }
    let rolled = rolled[0] * row.t1 + rolled[1] * row.t2;
    let (spin, answer) = turn(&(rolled - (old - old.dot(n) * n)));
    let block = row.twisting_block;
    let step = if block > 0.0 { relaxation * n.dot(&spin) / block } else { 0.0 };
    let twist = (old.dot(n) - step).clamp(-optional.twisting * pressure, optional.twisting * pressure);
    let (_, more) = turn(&((twist - old.dot(n)) * n));
    *torque = rolled + twist * n;
    change.max((answer + more).norm_squared() * row.length * row.length)
}

#[test]
fn a_batch_is_its_contacts_one_by_one() {
    let mut random = Random(3);
    let (mut turned, mut compared) = (0, 0);
    for case in 0..60 {
        let mut scene = scene(&mut random, 30, 60);
        let wholes = scene.wholes().into_iter().filter(|(contact, optional)| is_regular(&scene, (contact, optional)));
        (scene.contacts, scene.optional) = wholes.collect();
        // over-relaxed impulses are projected on the cone, which multiplies the round-off of the normal one by mu
        scene.contacts.iter_mut().for_each(|contact| contact.friction = contact.friction.min(1e3));
        let problem = scene.problem();
        let mut bed = Bed::new(&scene);
        for sweep in 0..5 {
            let relaxation = if case % 3 == 0 { 1.3 } else { 1.0 };
            // batch by batch, each from what the kernel left
            for batch in 0..bed.batches.len() {
                let before = bed.clone();
                let mut alone = bed.clone();
                (alone.batches, alone.extras) = (vec![bed.batches[batch]], vec![bed.extras[batch]]);
                alone.torques = vec![bed.torques[batch]];
                alone.sweep::<true>(Some(Level::Avx512), relaxation);
                (bed.batches[batch], bed.torques[batch]) = (alone.batches[0], alone.torques[0]);
                bed.lines = alone.lines;
                for (index, contact) in scene.contacts.iter().enumerate().filter(|(at, _)| bed.places[*at].0 == batch) {
                    let (mut lambda, found) = (before.impulse(index), bed.impulse(index));
                    let at = |bed: &Bed, body: BodyRow| match bed.lines.get(body.index()) {
                        Some(_) => bed.velocity(body.index()),
                        None => Velocity::ZERO,
                    };
                    let (mut a, mut b) = (at(&before, contact.body_a), at(&before, contact.body_b));
                    let change = visited(
                        &problem,
                        problem.full_contact(index.into()),
                        [&mut a, &mut b],
                        &mut lambda,
                        relaxation,
                    );
                    // Velocities of some m/s and blocks of condition 1e3 at most, which round-off can grow with; 4e-15 was
                    // met.
                    let size = 1.0 + lambda.force.vector(&contact.normal).norm() + lambda.torque.norm();
                    let tolerance = 1e-12 * size;
                    let gap = (found.force.vector(&contact.normal) - lambda.force.vector(&contact.normal)).norm()
                        + (found.torque - lambda.torque).norm();
                    let (found_a, found_b) = (at(&bed, contact.body_a), at(&bed, contact.body_b));
                    let apart = [found_a.linear - a.linear, found_a.angular - a.angular]
                        .into_iter()
                        .chain([found_b.linear - b.linear, found_b.angular - b.angular])
                        .fold(0.0, |largest: f64, gap| largest.max(gap.norm()));
                    assert!(
                        gap <= tolerance && apart <= tolerance,
                        "case {case}, {sweep}: {gap:e}, {apart:e} {contact:?}"
                    );
                    let measured = alone.changes[0].0[bed.places[index].1];
                    assert!((measured - change).abs() <= 1e-10 * size * (1.0 + change), "{measured} {change}");
                    turned += usize::from(lambda.torque.norm() > 0.0);
                    compared += usize::from(lambda.force.normal > 0.0);
                }
            }
        }
    }
    assert!(turned > 1000 && compared > 3000, "{turned} of {compared}");
}

#[test]
fn momentum_is_conserved() {
    let mut random = Random(4);
    let mut scene = Scene::default();
    let places: Vec<Vec3> = (0..20).map(|_| random.vector(2.0)).collect();
    for _ in &places {
        let moments = [random.between(0.5, 2.0), random.between(0.5, 2.0), random.between(0.5, 2.0)];
        let inertia = Symmetric3::diagonal(moments).rotated(&random.rotation());
        let velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
        scene.body(random.magnitude(0.5, 2.0), inertia, velocity);
    }
    for _ in 0..60 {
        let (a, b) = (random.index(20), random.index(20));
        let point = random.vector(2.0);
        if a != b {
            let (arm_a, arm_b) = (point - places[a], point - places[b]);
            let at = plain(a.into(), b.into(), random.direction());
            scene.add(Contact { arm_a, arm_b, friction: 0.5, ..at }, resisting(0.2, 0.1));
        }
    }
    let mut bed = Bed::new(&scene);
    let momentum = |bed: &Bed| {
        let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
        for (body, place) in places.iter().enumerate() {
            let (mass, inertia) = scene.free[body].expect("a free body");
            let velocity = bed.velocity(body);
            linear += mass * velocity.linear;
            angular += mass * place.cross(&velocity.linear) + inertia.times(&velocity.angular);
        }
        (linear, angular)
    };
    let before = momentum(&bed);
    for _ in 0..20 {
        bed.sweep::<false>(Some(Level::Avx512), 1.0);
    }
    let after = momentum(&bed);
    assert!((0..scene.contacts.len()).filter(|at| bed.impulse(*at).torque.norm() > 0.0).count() > 10);
    // 20 sweeps of 60 contacts change momenta of some 10 by a rounding each: 2e-15 was met.
    assert!((after.0 - before.0).norm() <= 1e-13 && (after.1 - before.1).norm() <= 1e-13);
}

#[test]
fn lanes_without_a_contact_and_inert_ones_give_nothing() {
    let mut scene = Scene::default();
    let body = scene.sphere(1.0, 1.0, Velocity { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::zeros() });
    let kinematic = scene.kinematic(Velocity { linear: Vec3::new(1.0, 0.0, 2.0), angular: Vec3::zeros() });
    scene.add(Contact { friction: 0.5, ..plain(BodyRow::NONE, kinematic, -Vec3::z()) }, resisting(0.1, 0.0));
    scene.contacts.push(Contact { friction: 0.5, ..plain(kinematic, body, Vec3::z()) });
    let mut bed = Bed::new(&scene);
    bed.set(0, &Impulse::force(1.0, Vec3::x()).into());
    assert_eq!(bed.impulse(0), ImpulsiveWrench::ZERO);
    bed.sweep::<true>(Some(Level::Avx512), 1.0);
    assert_eq!(bed.impulse(0), ImpulsiveWrench::ZERO);
    // A body of mass 1 is met by a lift of 2 m/s that runs off at 1 m/s: it takes 3 N s, and all of 1 N s of friction at
    // its centre, as the cone would allow 1.5.
    assert_eq!(bed.impulse(1), Impulse::force(3.0, Vec3::x()).into());
    assert_eq!(bed.velocity(0), Velocity { linear: Vec3::new(1.0, 0.0, 2.0), angular: Vec3::zeros() });
    assert_eq!(bed.lines[1], body_line(&MassInverse::ZERO, &scene.velocities[1]));
    assert_eq!(bed.lines[2], body_line(&MassInverse::ZERO, &Velocity::ZERO));
    assert_eq!(bed.changes[0].0[2..], [0.0; 6]);
    assert_eq!(bed.batches[0].places()[0][2..], [LineIndex::new(BodyRow(2), true); 6]);
}
