//! Compliant contacts by their closed forms, with the grains of [W] table 1: 13 mm, 3700 kg/m^3, 6 MPa.

use super::scene::close;
use crate::body::{Definition, Kind};
use crate::contact::ElasticForce;
use crate::contact::material::{Material, Pair};
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::settings::{ElasticLaw, Method, SolverKind, WarmStart};
use crate::world::{Settings, World};

const RADIUS: f64 = 6.5e-3;
/// Of a grain [kg].
const MASS: f64 = 3700.0 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;
const GRAVITY: f64 = 9.81;

/// Settings by which sweeps end at round-off, and nothing hits fast enough to rebound before the step.
fn settings() -> Settings {
    Settings {
        method: Method::Spook,
        solver: SolverKind::Pgs,
        iterations: 500,
        tolerance: 1e-17,
        restitution_threshold: 1e9,
        contact_margin: 1e-4,
        regularisation: 0.0,
        ..Settings::default()
    }
}

fn material() -> Material {
    Material {
        friction: 0.91,
        rolling_friction: 0.32,
        twisting_friction: 0.32,
        restitution: 0.18,
        young_modulus: 6e6,
        density: 3700.0,
        ..Material::default()
    }
}

/// `k` of two grains, and of a grain on a wall of its material [N/m^1.5].
fn hertz(effective_radius: f64) -> f64 {
    let modulus: f64 = 0.5 * 6e6 / (1.0 - 0.25 * 0.25);
    4.0 / 3.0 * modulus * effective_radius.sqrt()
}

struct Scene {
    world: World,
    sphere: Handle,
    material: Handle,
}

impl Scene {
    fn new(settings: Settings, material: Material, gravity: f64) -> Self {
        let mut world = World::new(settings, [0.0, 0.0, -gravity]).expect("settings");
        let sphere = world.add_shape(Shape::sphere(RADIUS).expect("a sphere")).expect("memory");
        let material = world.add_material(material).expect("a material");
        Self { world, sphere, material }
    }

    fn grain(&mut self, position: [f64; 3], linear_velocity: [f64; 3], angular_velocity: [f64; 3]) -> Handle {
        let Self { sphere: shape, material, .. } = *self;
        let grain =
            Definition { shape, material, position, linear_velocity, angular_velocity, ..Definition::default() };
        self.world.add_body(&grain).expect("a grain")
    }

    /// A floor whose upward normal is `normal`, through the origin.
    fn floor(&mut self, normal: [f64; 3]) {
        let shape = self.world.add_shape(Shape::half_space(normal, 0.0).expect("a plane")).expect("memory");
        let Self { material, .. } = *self;
        let floor = Definition { kind: Kind::Static, shape, material, ..Definition::default() };
        self.world.add_body(&floor).expect("a floor");
    }

    fn step(&mut self, h: f64) {
        self.world.step(h).expect("a step");
    }

    fn velocity(&self, body: Handle) -> [f64; 3] {
        self.world.body_state(body).expect("a body").linear_velocity
    }

    fn spin(&self, body: Handle) -> [f64; 3] {
        self.world.body_state(body).expect("a body").angular_velocity
    }

    fn height(&self, body: Handle) -> f64 {
        self.world.body_state(body).expect("a body").position[2]
    }
}

/// The restitution of two grains that meet at 0.2 m/s, their largest overlap [m], and the steps with a contact.
fn collide(relaxation: f64, damping: f64, h: f64) -> (f64, f64, usize) {
    let speed = 0.2;
    let of = Settings { spook_relaxation: relaxation, ..settings() };
    let mut scene = Scene::new(of, Material { contact_damping: damping, friction: 0.0, ..material() }, 0.0);
    let gap = 0.5 * speed * h;
    let a = scene.grain([0.0; 3], [0.5 * speed, 0.0, 0.0], [0.0; 3]);
    let b = scene.grain([2.0 * RADIUS + gap, 0.0, 0.0], [-0.5 * speed, 0.0, 0.0], [0.0; 3]);
    let (mut deepest, mut touching) = (0.0f64, 0);
    loop {
        scene.step(h);
        let [x_a, x_b] = [a, b].map(|body| scene.world.body_state(body).expect("a body").position[0]);
        let overlap = 2.0 * RADIUS - (x_b - x_a);
        deepest = deepest.max(overlap);
        touching += usize::from(overlap > 0.0);
        if overlap <= 0.0 && touching > 0 {
            return ((scene.velocity(b)[0] - scene.velocity(a)[0]) / speed, deepest, touching);
        }
    }
}

#[test]
fn grains_rebound_as_the_recurrence_of_one_contact_says() {
    // The recurrence m (u+ - u) = -2 h f of granular matter, computed apart to 16 digits.
    let (restitution, deepest, steps) = collide(0.0, 5e-4, 1e-6);
    assert!((restitution - 0.541234).abs() < 1e-6, "{restitution}");
    assert!((deepest - 0.142690e-3).abs() < 1e-9, "{deepest}");
    assert_eq!(steps, 2897);
    let (elastic, _, _) = collide(0.0, 0.0, 1e-6);
    assert!((elastic - (1.0 - 2.0e-9)).abs() < 1e-9, "{elastic}");
    for (h, expected, count) in [(1e-4, 0.543233, 29), (5e-3, 0.162321, 4)] {
        let (restitution, _, steps) = collide(2.0, 5e-4, h);
        assert!((restitution - expected).abs() < 1e-6, "{restitution} at {h}");
        assert_eq!(steps, count);
    }
}

#[test]
fn the_rebound_of_short_steps_tends_to_that_of_the_viscoelastic_sphere() {
    // Of m d^2(delta)/dt^2 = -2 k (delta^(3/2) + c sqrt(delta) d(delta)/dt) until the force ends, integrated apart
    // to 11 digits; m is the mass of one of the two.
    const LIMIT: f64 = 0.541_209_608;
    let [coarse, middle, fine] = [4e-6, 2e-6, 1e-6].map(|h| collide(0.0, 5e-4, h).0);
    let order = (coarse - middle) / (middle - fine);
    assert!((1.9..2.1).contains(&order), "halves with the step: {order}");
    // Without the error of first order. What is left is h^(3/2), since the force begins like a root: it falls by 2.8
    // from one extrapolation to the next, so that their difference is above the error of the second one.
    let [first, second] = [2.0 * middle - coarse, 2.0 * fine - middle];
    let bound = (first - second).abs();
    assert!(bound < 1e-6 && (second - LIMIT).abs() < bound, "{second}, after {first}");
}

#[test]
fn a_grain_rests_at_the_overlap_of_its_weight_for_every_step() {
    let laws = [ElasticLaw::Hertz, ElasticLaw::Hooke];
    for (relaxation, h, damping, law) in [(2.0, 5e-3, 0.0), (1.0, 1e-3, 0.0), (2.0, 1e-3, 5e-4), (3.0, 2e-2, 0.01)]
        .into_iter()
        .flat_map(|(n, h, c)| laws.map(|law| (n, h, c, law)))
    {
        let of = Settings { contact_law: law, spook_relaxation: relaxation, ..settings() };
        let mut scene = Scene::new(of, Material { contact_damping: damping, ..material() }, GRAVITY);
        scene.floor([0.0, 0.0, 1.0]);
        let grain = scene.grain([0.0, 0.0, RADIUS], [0.0; 3], [0.0; 3]);
        (0..3000).for_each(|_| scene.step(h));
        let rest = resting_overlap(law);
        let overlap = RADIUS - scene.height(grain);
        assert!((overlap - rest).abs() <= 1e-10 * rest, "{law:?} {h}: {overlap}, not {rest}");
        let contact = scene.world.contacts().next().expect("a contact");
        assert!((contact.normal_force - MASS * GRAVITY).abs() <= 1e-12 * MASS * GRAVITY, "{}", contact.normal_force);
        // The compatible force of a compliant contact is its own.
        assert_eq!(contact.compatible_normal_force, contact.normal_force);
        let stiffness = if law == ElasticLaw::Hertz { hertz(RADIUS) } else { 3.2e6 * RADIUS };
        assert!((contact.stiffness - stiffness).abs() <= 1e-15 * stiffness, "{}", contact.stiffness);
    }
}

/// The overlap at which a grain rests on the floor [m].
fn resting_overlap(law: ElasticLaw) -> f64 {
    match law {
        ElasticLaw::Hertz => (MASS * GRAVITY / hertz(RADIUS)).powf(2.0 / 3.0),
        ElasticLaw::Hooke => MASS * GRAVITY / (3.2e6 * RADIUS),
    }
}

/// A grain at rest on the floor, with these velocities.
fn on_the_floor(material: Material, velocity: [f64; 3], spin: [f64; 3]) -> (Scene, Handle) {
    let mut scene = Scene::new(settings(), material, GRAVITY);
    scene.floor([0.0, 0.0, 1.0]);
    let grain = scene.grain([0.0, 0.0, RADIUS - resting_overlap(ElasticLaw::Hertz)], velocity, spin);
    (scene, grain)
}

/// The radius at which the grain rolls: half of the overlap below the surface is the contact point [m].
fn rolling_radius() -> f64 {
    RADIUS - 0.5 * resting_overlap(ElasticLaw::Hertz)
}

#[test]
fn a_rolling_grain_stops_where_its_resistance_says() {
    let (rolling, speed) = (0.05, 0.1);
    let of = Material { rolling_friction: rolling, ..material() };
    let mut errors = vec![];
    for h in [1e-3, 5e-4] {
        let (mut scene, grain) = on_the_floor(of, [speed, 0.0, 0.0], [0.0, speed / rolling_radius(), 0.0]);
        (0..(1.0 / h) as usize).for_each(|_| scene.step(h));
        let state = scene.world.body_state(grain).expect("a grain");
        // m a = -f and (2/5) m r^2 a / l = f l - mu_r r m g with the lever l of the contact point; r = l without the
        // overlap.
        let lever = rolling_radius();
        let slowing = rolling * GRAVITY * RADIUS * lever / (lever * lever + 0.4 * RADIUS * RADIUS);
        let stop = 0.5 * speed * speed / slowing - 0.5 * speed * h;
        errors.push((state.position[0] - stop).abs());
        // Then it is at rest exactly.
        let after = state.position[0];
        (0..100).for_each(|_| scene.step(h));
        let creep = (scene.world.body_state(grain).expect("a grain").position[0] - after).abs();
        assert!(creep <= 1e-17, "creeps by {creep}");
        assert!(scene.velocity(grain)[0].abs() <= 1e-17);
    }
    // The last step stops within itself: h^2 times a deceleration of 0.35 m/s^2.
    assert!(errors[0] <= 0.2 * 1e-6 && errors[1] <= 0.2 * 0.25e-6, "{errors:?}");
}

#[test]
fn a_sliding_grain_comes_to_roll_or_stops() {
    let (h, speed) = (1e-4, 0.1);
    for (friction, rolling) in [(0.3, 0.1), (0.2, 0.2), (0.1, 0.3)] {
        let of = Material { friction, rolling_friction: rolling, ..material() };
        let (mut scene, grain) = on_the_floor(of, [speed, 0.0, 0.0], [0.0; 3]);
        let mut rolls_after = None;
        for step in 1..=2000 {
            scene.step(h);
            let (velocity, spin) = (scene.velocity(grain)[0], scene.spin(grain)[1]);
            if friction <= rolling {
                assert!(spin.abs() <= 1e-12, "{spin}");
            }
            if rolls_after.is_none() && (velocity - spin * rolling_radius()).abs() <= 1e-9 {
                rolls_after = Some(step);
            }
        }
        let expected = speed / (GRAVITY * (friction + 2.5 * (friction - rolling).max(0.0)));
        // Up to the step in which it happens, and the lever, which is shorter than the radius by the overlap.
        let after = f64::from(rolls_after.expect("it rolls or rests")) * h;
        assert!((after - expected).abs() <= 1.5 * h + 0.02 * expected, "{friction} {rolling}: {after}, not {expected}");
        if friction <= rolling {
            assert!(scene.velocity(grain)[0].abs() <= 1e-12);
        }
    }
}

#[test]
fn a_grain_stays_on_a_slope_up_to_its_rolling_resistance() {
    let (h, rolling) = (1e-3, 0.2);
    for slope in [0.19, 0.21, 0.3] {
        let angle = f64::atan(slope);
        let (sine, cosine) = angle.sin_cos();
        let mut scene = Scene::new(settings(), Material { rolling_friction: rolling, ..material() }, GRAVITY);
        scene.floor([sine, 0.0, cosine]);
        let pressed = (MASS * GRAVITY * cosine / hertz(RADIUS)).powf(2.0 / 3.0);
        let away = RADIUS - pressed;
        let grain = scene.grain([away * sine, 0.0, away * cosine], [0.0; 3], [0.0; 3]);
        (0..200).for_each(|_| scene.step(h));
        let [x, _, z] = scene.velocity(grain);
        let speed = x * cosine - z * sine;
        let lever = RADIUS - 0.5 * pressed;
        let per_second =
            GRAVITY * lever * (lever * sine - rolling * RADIUS * cosine) / (lever * lever + 0.4 * RADIUS * RADIUS);
        let expected = if slope <= rolling { 0.0 } else { per_second * 0.2 };
        assert!((speed - expected).abs() <= 1e-9, "{slope}: {speed}, not {expected}");
    }
}

#[test]
fn a_spinning_grain_stops_by_its_twisting_resistance() {
    let (h, spin) = (1e-4, 20.0);
    let (mut scene, grain) =
        on_the_floor(Material { twisting_friction: 0.1, ..material() }, [0.0; 3], [0.0, 0.0, spin]);
    let expected = 2.0 * RADIUS * spin / (5.0 * 0.1 * GRAVITY);
    let mut after = 0.0;
    while scene.spin(grain)[2] > 1e-12 {
        scene.step(h);
        after += h;
    }
    assert!((after - expected).abs() <= h, "{after}, not {expected}");
}

#[test]
fn a_stuck_contact_creeps_by_its_regularisation_alone() {
    for (regularisation, expected) in [(1e-6, 1e-6), (0.0, 0.0)] {
        let mut scene =
            Scene::new(Settings { regularisation, solver: SolverKind::Newton, ..settings() }, material(), GRAVITY);
        scene.floor([0.0, 0.0, 1.0]);
        let shape = scene.world.add_shape(Shape::cuboid([0.05; 3]).expect("a box")).expect("memory");
        let Scene { material, .. } = scene;
        let box_of_4_kg =
            Definition { shape, material, position: [0.0, 0.0, 0.05], mass: 4.0, ..Definition::default() };
        let body = scene.world.add_body(&box_of_4_kg).expect("a box");
        // 1 N across on each of the four corners.
        for _ in 0..3000 {
            scene.world.add_force(body, [4.0, 0.0, 0.0], None).expect("a force");
            scene.step(1e-3);
        }
        let speed = scene.velocity(body)[0];
        // Round-off of a step, against the 10 m/s that gravity gives in a second.
        assert!((speed - expected).abs() <= 1e-9 * expected + 1e-14, "{speed}, not {expected}");
        let mut forces: Vec<f64> = scene.world.contacts().map(|contact| contact.friction_force[0].abs()).collect();
        forces.sort_by(f64::total_cmp);
        assert_eq!(forces.len(), 4);
        if regularisation > 0.0 {
            assert!(forces.iter().all(|force| (force - 1.0).abs() <= 1e-8), "{forces:?}");
        }
    }
}

#[test]
fn a_row_of_grains_is_struck_at_once() {
    for (restitution, after) in [(0.18, vec![0.41, 0.59]), (0.5, vec![0.0, 0.5, 0.5])] {
        let of = Settings { restitution_threshold: 0.05, ..settings() };
        let mut scene = Scene::new(of, Material { restitution, ..material() }, 0.0);
        let grains: Vec<Handle> = (0..after.len())
            .map(|at| {
                let speed = if at == 0 { 1.0 } else { 0.0 };
                scene.grain([2.0 * RADIUS * at as f64, 0.0, 0.0], [speed, 0.0, 0.0], [0.0; 3])
            })
            .collect();
        scene.step(5e-3);
        for (grain, expected) in grains.iter().zip(after) {
            close(scene.velocity(*grain), [expected, 0.0, 0.0], 1e-12);
        }
    }
}

#[test]
fn the_model_start_is_the_force_of_the_overlap() {
    let of = Settings { warm_start: WarmStart::Model, solver: SolverKind::Pgs, iterations: 1, ..settings() };
    let mut scene = Scene::new(of, material(), GRAVITY);
    scene.floor([0.0, 0.0, 1.0]);
    let at = RADIUS - resting_overlap(ElasticLaw::Hertz);
    let grain = scene.grain([0.0, 0.0, at], [0.0; 3], [0.0; 3]);
    // At rest the first guess is the answer.
    let report = scene.world.step(5e-3).expect("a step");
    assert!(report.residual_max <= 1e-15, "{report:?}");
    assert!(scene.velocity(grain)[2].abs() <= 1e-15);
}

#[test]
fn a_pair_says_how_stiff_and_how_damped_its_contacts_are() {
    let mut scene = Scene::new(settings(), Material { contact_damping: 0.3, ..material() }, GRAVITY);
    let material = scene.material;
    let pair = Pair { contact_stiffness: 1e4, contact_damping: 0.0, ..Pair::default() };
    scene.world.set_material_pair(material, material, pair).expect("a pair");
    scene.floor([0.0, 0.0, 1.0]);
    let grain = scene.grain([0.0, 0.0, RADIUS], [0.0; 3], [0.0; 3]);
    (0..3000).for_each(|_| scene.step(5e-3));
    let rest = (MASS * GRAVITY / 1e4).powf(2.0 / 3.0);
    assert!((RADIUS - scene.height(grain) - rest).abs() <= 1e-10 * rest);
}

#[test]
fn every_solver_solves_a_column_that_hits_itself() {
    // A column falls onto itself: contacts with and without overlap, impacts in between, and rolling rows that carry nothing.
    let run = |solver: SolverKind, rolling_friction: f64| {
        let of = Settings { solver, iterations: 1000, tolerance: 1e-12, restitution_threshold: 0.05, ..settings() };
        let mut scene = Scene::new(of, Material { rolling_friction, ..material() }, GRAVITY);
        scene.floor([0.0, 0.0, 1.0]);
        let grains: Vec<Handle> =
            (0..15).map(|at| scene.grain([0.0, 0.0, RADIUS * f64::from(2 * at + 1)], [0.0; 3], [0.0; 3])).collect();
        for step in 0..7 {
            let report = scene.world.step(5e-3).expect("a step");
            assert!(report.residual_max <= 1e-12, "{solver:?} {rolling_friction} {step}: {}", report.residual_max);
        }
        scene.velocity(grains[14])[2]
    };
    let expected = run(SolverKind::PgsAccelerated, 0.0);
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton] {
        for rolling_friction in [0.0, 0.32] {
            let found = run(solver, rolling_friction);
            assert!((found - expected).abs() <= 1e-9, "{solver:?} {rolling_friction}: {found}, not {expected}");
        }
    }
}

/// So stiff that its stiffness is infinite, a contact is rigid: it stores nothing, whatever its overlap.
#[test]
fn an_infinite_stiffness_stores_no_energy() {
    for law in [ElasticForce::Hertz, ElasticForce::Hooke] {
        for overlap in [0.0, 1e-17, 1e-3] {
            assert_eq!((law.force(f64::INFINITY, overlap), law.energy(f64::INFINITY, overlap)), (0.0, 0.0));
        }
    }
}

/// A grain that touches the floor and comes down at 1 m/s: the impact gives it `(1 + e) m v`, the contact spring the rest.
#[test]
fn the_force_of_an_impact_is_told_from_that_of_the_spring() {
    let of = Settings { restitution_threshold: 0.01, ..settings() };
    let mut scene = Scene::new(of, material(), GRAVITY);
    scene.floor([0.0, 0.0, 1.0]);
    scene.grain([0.0, 0.0, RADIUS - 1e-4], [0.0, 0.0, -1.0], [0.0; 3]);
    let h = 1e-4;
    scene.step(h);
    let contact = scene.world.contacts().next().expect("a contact");
    let impact = 1.18 * MASS;
    close(contact.impact_force.map(|force| h * force / impact), [0.0, 0.0, 1.0], 1e-12);
    assert!(contact.normal_force > contact.impact_force[2], "the spring of the overlap pushes too: {contact:?}");
    for _ in 0..20_000 {
        scene.step(h);
    }
    let contact = scene.world.contacts().next().expect("a contact");
    assert_eq!(contact.impact_force, [0.0; 3], "at rest");
    assert!((contact.normal_force / (MASS * GRAVITY) - 1.0).abs() < 1e-6, "{}", contact.normal_force);
}
