//! Islands as something that can be swept: impulses out and in, and the sums that turn them into velocities.

use super::random::{Random, Scene, pairs_of, prepare};
use crate::math::{ContactId, Vec3};
use crate::solver::gauss_seidel::bodies::BodyIsland;
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::gauss_seidel::rows::Rows;
use crate::solver::gauss_seidel::sweeps::Sweeps;
use crate::solver::problem::cone::Parts;
use crate::solver::problem::islands::Islands;
use crate::solver::problem::order::Order;
use crate::solver::problem::{Friction, Impulse, Impulses, ImpulsiveWrench, Problem, Velocity};
use crate::tasks::Serial;

/// All that islands are swept with.
struct Bench<'a> {
    problem: Problem<'a>,
    islands: Islands,
    rows: Rows,
    motion: Motion,
    impulses: Impulses,
    turning: bool,
}

impl<'a> Bench<'a> {
    fn new(scene: &'a Scene) -> Self {
        let problem = scene.problem();
        let (mut islands, mut rows) = (Islands::default(), Rows::default());
        islands.find(&problem).expect("memory");
        let (masses, _) = scene.with_world();
        let pairs = pairs_of(&problem, &masses);
        prepare(&mut rows, (&problem, &pairs), &islands, Order::Natural, &Serial);
        let mut motion = Motion::default();
        motion.load(&problem, &Serial).expect("memory");
        let turning = problem.resists_turning();
        Self { problem, islands, rows, motion, impulses: scene.no_impulses(), turning }
    }

    fn island(&mut self, number: usize) -> BodyIsland<'_> {
        BodyIsland {
            problem: &self.problem,
            island: self.islands.get(number),
            number,
            order: Order::Natural,
            relaxation: 1.0,
            rows: &mut self.rows,
            motion: &mut self.motion,
            impulses: &mut self.impulses,
            turning: self.turning,
            tasks: &Serial,
        }
    }
}

fn random_scene(random: &mut Random, case: usize) -> Scene {
    let (bodies, contacts, rows) = (3 + random.index(20), random.index(30), random.index(15));
    let mut scene = Scene::random(random, bodies, contacts);
    scene.random_rows(random, rows);
    if case % 4 < 2 {
        scene.resist_turning(random);
    }
    scene.friction = if case.is_multiple_of(5) { Friction::Box } else { Friction::Coulomb };
    scene
}

/// How far an impulse is outside the law of its contact, in its own size.
fn outside(scene: &Scene, contact: ContactId, wrench: &ImpulsiveWrench) -> f64 {
    let ImpulsiveWrench { force: impulse, torque } = wrench;
    let problem = scene.problem();
    let (contact, optional) = problem.full_contact(contact);
    let (twist, roll) = contact.split(torque);
    if scene.friction == Friction::Box {
        let (t1, t2) = crate::math::tangents(&contact.normal);
        let over = |vector: &Vec3, bound: f64| t1.dot(vector).abs().max(t2.dot(vector).abs()) - bound * impulse.normal;
        return over(&impulse.tangential, contact.friction)
            .max(over(&roll, optional.rolling))
            .max(twist.norm() - optional.twisting * impulse.normal)
            .max(-impulse.normal);
    }
    (impulse.tangential.norm() - contact.friction * impulse.normal)
        .max(roll.norm() - optional.rolling * impulse.normal)
        .max(twist.norm() - optional.twisting * impulse.normal)
        .max(-impulse.normal)
}

#[test]
fn what_is_written_is_allowed_and_read_again() {
    let mut random = Random(1);
    let mut shrunk = 0;
    for case in 0..100 {
        let scene = random_scene(&mut random, case);
        let mut bench = Bench::new(&scene);
        for number in 0..bench.islands.len() {
            let mut island = bench.island(number);
            let given: Vec<f64> = (0..island.size()).map(|_| random.between(-1.0, 2.0)).collect();
            island.write(&given);
            let mut kept = vec![f64::NAN; given.len()];
            island.read(&mut kept);
            shrunk += usize::from(kept.iter().zip(&given).any(|(kept, given)| (kept - given).abs() > 0.1));
            island.write(&kept);
            let mut again = vec![f64::NAN; given.len()];
            island.read(&mut again);
            for (at, (one, other)) in kept.iter().zip(&again).enumerate() {
                // Impulses of up to 9 brought to their cones once more, and turned into tangents and back.
                assert!((one - other).abs() <= 4e-14, "case {case}, {at}: {one} and {other}");
            }
            let contacts = island.island.contacts.to_vec();
            let rows = island.island.rows.to_vec();
            for contact in contacts {
                let beyond = outside(&scene, contact, &bench.impulses.wrench(contact));
                assert!(beyond <= 4e-14, "case {case}, contact {contact}: {beyond:e} outside");
            }
            for index in rows {
                let (row, lambda) = (&scene.rows[index], bench.impulses.rows[index]);
                let scale = row.friction_row.map_or(1.0, |scale| bench.impulses.rows[scale].abs());
                assert_eq!(lambda, row.bounded(lambda, scale), "case {case}, row {index}");
            }
        }
    }
    assert!(shrunk > 50, "hardly anything was outside: {shrunk}");
}

#[test]
fn contacts_get_the_nearest_impulse_in_the_metric_of_the_residual() {
    let mut random = Random(2);
    let mut torques = 0;
    for case in 0..40 {
        let mut scene = random_scene(&mut random, case);
        scene.friction = Friction::Coulomb;
        let mut bench = Bench::new(&scene);
        for number in 0..bench.islands.len() {
            let mut island = bench.island(number);
            let given: Vec<f64> = (0..island.size()).map(|_| random.between(-1.0, 2.0)).collect();
            let stride = if island.turning { 7 } else { 4 };
            island.write(&given);
            let contacts = island.island.contacts.to_vec();
            for (numbers, index) in given.chunks_exact(stride).zip(contacts) {
                let problem = scene.problem();
                let (contact, optional) = problem.full_contact(index);
                let torque = if stride == 7 { Vec3::from_row_slice(&numbers[4..7]) } else { Vec3::zeros() };
                let (twist, roll) = contact.split(&torque);
                let tangential = Vec3::from_row_slice(&numbers[1..4]);
                let parts = Parts { normal: numbers[0], bounded: [tangential, roll, twist] };
                let measure = contact.measure(problem.mass(contact.body_a), problem.mass(contact.body_b), optional);
                let onto = contact.cone(optional, 0.0).projected_at(&parts, measure.length);
                let ImpulsiveWrench { force: found, torque: found_torque } = bench.impulses.wrench(index);
                // Where locks leave next to nothing of the normal, a general contact carries none.
                let block = contact.delassus_block(problem.mass(contact.body_a), problem.mass(contact.body_b));
                if contact.normal.dot(&block.times(&contact.normal)) + optional.normal_compliance < 1e-4 * measure.scale
                {
                    continue;
                }
                // Only what is in the tangent plane comes back from the rows, except for central contacts.
                let in_plane = contact.split(&onto.bounded[0]).1;
                let error =
                    (found.normal - onto.normal).abs().max((contact.split(&found.tangential).1 - in_plane).norm());
                assert!(error <= 4e-14, "case {case}, contact {index}: {error:e}");
                let turns = [contact.body_a, contact.body_b].map(|body| problem.mass(body).angular.trace());
                if optional.resists_turning() && turns[0] + turns[1] > 0.0 {
                    let error = (found_torque - onto.bounded[1] - onto.bounded[2]).norm();
                    assert!(error <= 4e-14, "case {case}, contact {index}: torque off by {error:e}");
                    torques += 1;
                }
            }
        }
    }
    assert!(torques > 50, "hardly any torques: {torques}");
}

#[test]
fn impulses_balance_in_one_sum_for_each_body() {
    let mut random = Random(3);
    for case in 0..60 {
        let scene = random_scene(&mut random, case);
        let mut bench = Bench::new(&scene);
        let (_, free) = scene.with_world();
        // with torques where no contact has any, too
        bench.impulses.begin_turning(case % 3 > 0).expect("memory");
        for contact in ContactId::range(0..scene.contacts.len()) {
            let force = Impulse::force(random.between(0.0, 1.0), random.vector(1.0));
            bench.impulses.set_wrench(contact, &ImpulsiveWrench { force, torque: random.vector(1.0) });
        }
        bench.impulses.rows.fill_with(|| random.between(-1.0, 1.0));
        // What was there before does not matter, however wrong.
        bench.motion.velocities.fill(Velocity { linear: Vec3::repeat(1e30), angular: Vec3::repeat(f64::NAN) });
        for number in 0..bench.islands.len() {
            let Bench { islands, motion, problem, impulses, .. } = &mut bench;
            motion.balance(problem, &islands.get(number), impulses);
            for body in islands.get(number).bodies {
                let (mut linear, mut angular) = (Vec3::zeros(), Vec3::zeros());
                for (index, contact) in scene.contacts.iter().enumerate() {
                    let ImpulsiveWrench { force, torque } = impulses.wrench(index.into());
                    let force = force.vector(&contact.normal);
                    if contact.body_a == *body {
                        linear -= force;
                        angular -= contact.arm_a.cross(&force) + torque;
                    } else if contact.body_b == *body {
                        linear += force;
                        angular += contact.arm_b.cross(&force) + torque;
                    }
                }
                for (row, lambda) in scene.rows.iter().zip(&impulses.rows) {
                    let sides = [(row.body_a, &row.jacobian_a), (row.body_b, &row.jacobian_b)];
                    for (_, jacobian) in sides.into_iter().filter(|side| side.0 == *body) {
                        linear += *lambda * jacobian.linear;
                        angular += *lambda * jacobian.angular;
                    }
                }
                let body = body.index();
                // The same sums in the same order: the same bits.
                let total = Velocity { linear, angular };
                assert_eq!(motion.totals[body], total, "case {case}, body {body}");
                let mut expected = free[body];
                scene.masses[body].apply(&mut expected, &linear, &angular);
                assert_eq!(motion.velocities[body], expected, "case {case}, body {body}");
            }
        }
    }
}

#[test]
fn a_start_applies_its_impulses_to_the_velocities_or_does_not() {
    let mut random = Random(4);
    let scene = Scene::random(&mut random, 10, 30);
    let mut bench = Bench::new(&scene);
    for (contact, impulse) in scene.contacts.iter().zip(&mut bench.impulses.contacts) {
        *impulse = Impulse::force(1.0, contact.normal.cross(&random.direction()) * contact.friction);
    }
    let (_, free) = scene.with_world();
    let island = bench.island(0);
    island.rows.set(island.island, island.impulses);
    for body in island.island.bodies {
        assert_eq!(island.rows.velocity(body.index()), free[*body]);
    }
    let mut held = vec![0.0; bench.island(0).size()];
    bench.island(0).read(&mut held);
    assert!(held.iter().any(|value| *value != 0.0));
    bench.island(0).start();
    assert!(bench.motion.velocities.iter().zip(&free).any(|(now, before)| now != before));
}

#[test]
fn impulses_applied_in_batches_are_those_summed_up_body_by_body() {
    let mut random = Random(6);
    for case in 0..60 {
        let scene = random_scene(&mut random, case);
        let mut bench = Bench::new(&scene);
        let (_, free) = scene.with_world();
        for number in 0..bench.islands.len() {
            let mut island = bench.island(number);
            let given: Vec<f64> = (0..island.size()).map(|_| random.between(-1.0, 2.0)).collect();
            // brought within their bounds, and summed
            island.write(&given);
            island.rows.move_bodies(island.island, island.problem.velocities);
            island.apply();
            for body in island.island.bodies {
                let (one, other) = (island.rows.velocity(body.index()), island.motion.velocities[*body]);
                let apart = (one.linear - other.linear).norm() + (one.angular - other.angular).norm();
                let moved = other.linear.norm() + other.angular.norm() + free[*body].linear.norm();
                // some twenty impulses of up to 9, over masses down to 0.1 and inertias down to a tenth of that
                assert!(apart <= 1e-12 * (1.0 + moved), "case {case}, body {body}: {one:?} and {other:?}");
            }
        }
    }
}
