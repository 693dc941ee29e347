//! The impact stage of a substep, before a law that is rigid and does not rebound by itself.

use super::scene::{STEP, Scene, close};
use crate::body::Definition;
use crate::id::Handle;
use crate::law::{Approach, ContactLaw, LawSettings, Rigid, RowCompliance, Separation};
use crate::math::Vec3;
use crate::math::lanes::Lanes;
use crate::world::settings::SolverKind;
use crate::world::{ContactReport, Report, Settings};

/// Rigid contacts without restitution of their own, behind an impact stage.
#[derive(Debug, Clone, Copy)]
struct Striking(Rigid);

impl ContactLaw for Striking {
    const IS_COMPLIANT: bool = false;
    const HAS_IMPACT_STAGE: bool = true;

    fn new(settings: &LawSettings) -> Self {
        Self(Rigid::new(settings))
    }

    fn rebounds_above(&self) -> f64 {
        f64::INFINITY
    }

    fn bias(&self, approach: &Approach) -> (f64, bool) {
        (self.0.bias_without_rebound(approach.gap, approach.round_off), false)
    }

    #[inline(always)]
    fn bias_without_rebound<L: Lanes>(&self, gap: L, round_off: L) -> L {
        self.0.bias_without_rebound(gap, round_off)
    }

    fn bias_across_gap(&self, braked: f64, _: f64, _: f64) -> f64 {
        braked
    }

    fn compliance(&self, approach: &Approach) -> RowCompliance {
        self.0.compliance(approach)
    }

    fn model_impulse(&self, approach: &Approach) -> f64 {
        self.0.model_impulse(approach)
    }

    fn stick_velocity(&self, approach: &Approach) -> Vec3 {
        self.0.stick_velocity(approach)
    }

    fn touching_gap(&self, size: f64, is_one_of_several: bool) -> f64 {
        self.0.touching_gap(size, is_one_of_several)
    }

    fn friction_factor(&self) -> f64 {
        self.0.friction_factor()
    }

    fn resolves_overlap(&self) -> bool {
        self.0.resolves_overlap()
    }

    fn slop(&self, residual: f64) -> f64 {
        self.0.slop(residual)
    }

    fn drift(&self, before: &Vec3, after: &Vec3) -> Vec3 {
        self.0.drift(before, after)
    }

    #[inline(always)]
    fn position_target<L: Lanes>(&self, end: &Separation<L>) -> L {
        self.0.position_target(end)
    }
}

/// A residual that ends the sweeps at round-off: they converge at once or not at all [m/s].
const TOLERANCE: f64 = 1e-15;

/// Settings by which sweeps converge to round-off.
fn exact(solver: SolverKind, substeps: u32) -> Settings {
    Settings { solver, substeps, iterations: 2000, tolerance: TOLERANCE, ..Settings::default() }
}

fn step(scene: &mut Scene) -> Report {
    scene.world.step_law::<Striking>(STEP).expect("a step")
}

/// Equal balls in a row without gravity, which touch, the first of them moving at 1 m/s towards the others.
fn row(restitution: f64, count: usize, settings: Settings) -> (Scene, Vec<Handle>) {
    let mut scene = Scene::new(settings);
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let material = scene.material(0.0, restitution);
    let ball = |at: usize| Definition {
        material,
        linear_velocity: [if at == 0 { 1.0 } else { 0.0 }, 0.0, 0.0],
        ..scene.ball_at([at as f64, 0.0, 0.0])
    };
    let definitions: Vec<Definition> = (0..count).map(ball).collect();
    let balls = definitions.iter().map(|definition| scene.add(definition)).collect();
    (scene, balls)
}

/// The impulses of contacts in impact stages, and what is left of their impulses in the step, along x [N s].
fn impulses(scene: &Scene) -> Vec<[f64; 2]> {
    let along = |contact: ContactReport| {
        let impact = STEP * contact.impact_force[0];
        [impact, STEP * contact.normal_force * contact.normal[0] - impact]
    };
    scene.world.contacts().map(along).collect()
}

#[test]
fn contacts_report_the_impulses_of_impacts() {
    for (restitution, expected) in [(0.18, vec![0.59]), (0.0, vec![0.5]), (0.5, vec![1.0, 0.5])] {
        for substeps in [1, 4] {
            let (mut scene, _) = row(restitution, expected.len() + 1, exact(SolverKind::Newton, substeps));
            step(&mut scene);
            let found = impulses(&scene);
            assert_eq!(found.len(), expected.len());
            for ([impact, left], expected) in found.into_iter().zip(&expected) {
                assert!((impact - expected).abs() < 1e-13 && left.abs() < 1e-13, "{impact} {left}, not {expected}");
            }
            step(&mut scene);
            assert!(scene.world.contacts().all(|contact| contact.impact_force == [0.0; 3]));
        }
    }
}

#[test]
fn a_row_of_balls_is_struck_at_once() {
    let solvers = [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd];
    for (solver, substeps) in solvers.into_iter().flat_map(|solver| [(solver, 1), (solver, 4)]) {
        // Two share the momentum, and part with e times 1 m/s. Of three the second passes the impact on at once, for
        // its own contact with the third is at rest: 2 p - q = 1.5 and 2 q - p = 0.
        for (restitution, after) in [(0.18, vec![0.41, 0.59]), (0.0, vec![0.5, 0.5]), (0.5, vec![0.0, 0.5, 0.5])] {
            let (mut scene, balls) = row(restitution, after.len(), exact(solver, substeps));
            step(&mut scene);
            for (at, (ball, speed)) in balls.iter().zip(&after).enumerate() {
                let (before, place) = (if at == 0 { 1.0 } else { 0.0 }, at as f64 + STEP * speed);
                // APGD ends a little above round-off.
                close(scene.velocity(*ball), [*speed, 0.0, 0.0], 1e-13);
                close(scene.state(*ball).position, [place, 0.0, 0.0], 1e-15);
                // The impulse of the impact is a part of the force.
                close(scene.force(*ball), [(speed - before) / STEP, 0.0, 0.0], 1e-13 / STEP);
            }
            // The impact is over, and the next step does not start from it: bodies that part or move side by side
            // carry nothing.
            let before: Vec<_> = balls.iter().map(|ball| scene.velocity(*ball)).collect();
            step(&mut scene);
            for (ball, before) in balls.iter().zip(before) {
                close(scene.force(*ball), [0.0; 3], 1e-13 / STEP);
                close(scene.velocity(*ball), before, 1e-13);
            }
        }
    }
}

#[test]
fn the_time_of_the_stage_is_reported_apart() {
    let (mut scene, _) = row(0.5, 3, exact(SolverKind::Pgs, 2));
    let Report { seconds_detect, seconds_assemble, seconds_impact, seconds_solve, seconds_total, .. } =
        step(&mut scene);
    assert!(seconds_impact > 0.0 && seconds_assemble > 0.0 && seconds_solve > 0.0);
    let sum = seconds_detect + seconds_assemble + seconds_impact + seconds_solve;
    assert!(sum <= seconds_total, "{sum} of {seconds_total}");
    let report = scene.world.step(STEP).expect("a step");
    assert_eq!(report.seconds_impact, 0.0, "a law without impacts has no such stage");
}

#[test]
fn a_slow_or_a_distant_approach_is_no_impact() {
    for (gap, speed) in [(0.0, 0.05), (0.01, 1.0)] {
        let settings = Settings { restitution_threshold: 0.1, contact_margin: 0.02, ..exact(SolverKind::Pgs, 1) };
        let mut scene = Scene::new(settings);
        scene.world.set_gravity([0.0; 3]).expect("gravity");
        let material = scene.material(0.0, 1.0);
        let moving = Definition { material, linear_velocity: [speed, 0.0, 0.0], ..scene.ball_at([0.0; 3]) };
        let resting = Definition { material, ..scene.ball_at([1.0 + gap, 0.0, 0.0]) };
        let (a, b) = (scene.add(&moving), scene.add(&resting));
        step(&mut scene);
        let [a, b] = [a, b].map(|ball| scene.velocity(ball)[0]);
        if gap > 0.0 {
            // 1/128 m of the gap are closed in this step.
            assert_eq!((a, b), (speed, 0.0));
        } else {
            assert!((a - 0.5 * speed).abs() < 1e-15 && (b - 0.5 * speed).abs() < 1e-15, "{a} {b}");
        }
    }
}

#[test]
fn an_impact_and_the_weight_add_up_on_every_body() {
    for (solver, substeps) in [(SolverKind::Pgs, 1), (SolverKind::Newton, 1), (SolverKind::Pgs, 4)] {
        let mut scene = Scene::new(exact(solver, substeps));
        scene.floor();
        let material = scene.material(0.4, 0.3);
        // A pyramid of three balls on the floor, askew, and one apart.
        let mut balls: Vec<Handle> = [[0.0, 0.0, 0.5], [1.0, 0.0, 0.5], [9.0, 0.0, 0.5]]
            .map(|position| scene.add(&Definition { material, ..scene.ball_at(position) }))
            .into();
        let falling = Definition {
            material,
            linear_velocity: [0.3, 0.1, -3.0],
            angular_velocity: [0.0, 5.0, 0.0],
            ..scene.ball_at([0.5, 0.0, 0.5 + 0.75f64.sqrt()])
        };
        balls.push(scene.add(&falling));
        for _ in 0..20 {
            let before: Vec<_> = balls.iter().map(|ball| scene.velocity(*ball)).collect();
            let kinetic = scene.world.energy().expect("energy").0;
            step(&mut scene);
            // Weight gives four balls of 10 N at up to 4 m/s at most this in a step.
            assert!(scene.world.energy().expect("energy").0 <= kinetic + 4.0 * 10.0 * STEP * 4.0);
            for (ball, before) in balls.iter().zip(before) {
                let (after, force) = (scene.velocity(*ball), scene.force(*ball));
                for axis in 0..3 {
                    let weight = if axis == 2 { -10.0 } else { 0.0 };
                    let gained = (after[axis] - before[axis]) / STEP;
                    // Forces of some hundred newtons.
                    assert!((gained - weight - force[axis]).abs() < 1e-11, "{solver:?}: {gained} by {force:?}");
                }
            }
            // No impact reaches the ball apart.
            close(scene.force(balls[2]), [0.0, 0.0, 10.0], 1e-12);
        }
    }
}

#[test]
fn a_ball_rebounds_from_the_floor() {
    let mut scene = Scene::new(exact(SolverKind::Pgs, 1));
    scene.floor();
    let material = scene.material(0.0, 0.5);
    let falling = Definition { material, linear_velocity: [0.0, 0.0, -3.0], ..scene.ball_at([0.0, 0.0, 0.5]) };
    let ball = scene.add(&falling);
    let report = step(&mut scene);
    // Half as fast upwards at once, then the weight acts through the step.
    close(scene.velocity(ball), [0.0, 0.0, 1.5 - 10.0 * STEP], 1e-15);
    close(scene.force(ball), [0.0, 0.0, 4.5 / STEP], 1e-12);
    assert_eq!(report.contacts, 1);
}
