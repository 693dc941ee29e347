//! The residual: the projection against a search, zero at solutions, of the right size at known defects.

use super::random::{Random, Scene, plain, resisting, row_on_world};
use crate::math::{BodyRow, RowId, Symmetric3, Vec3};
use crate::solver::problem::cone::{Cone, Parts};
use crate::solver::problem::residual::{contact_residual, row_residual};
use crate::solver::problem::{
    Contact, Friction, FullContact, Impulse, Impulses, ImpulsiveWrench, Jacobian, MassInverse, OptionalTerms, Row,
    Velocity,
};

/// A point of 2 kg: without compliance `D = I/2` and `rho = 2`.
fn point() -> Scene {
    let mut scene = Scene::default();
    scene.masses.push(MassInverse { linear: Vec3::repeat(0.5), angular: Symmetric3::default() });
    scene.velocities.push(Velocity::ZERO);
    scene
}

fn moving(linear: Vec3) -> Velocity {
    Velocity { linear, angular: Vec3::zeros() }
}

fn contact() -> Contact {
    Contact { friction: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) }
}

fn residual(contact: &Contact, u: [f64; 3], normal: f64, along_x: f64) -> f64 {
    whole_residual((contact, &OptionalTerms::NONE), u, normal, along_x)
}

fn whole_residual(contact: FullContact, u: [f64; 3], normal: f64, along_x: f64) -> f64 {
    let lambda = Impulse::force(normal, Vec3::new(along_x, 0.0, 0.0));
    contact_residual(&point().problem(), contact, [&Velocity::ZERO, &moving(u.into())], &lambda.into())
}

/// The projection on the cone of friction alone.
fn project_on_cone(normal: f64, tangential: &Vec3, mu: f64) -> (f64, Vec3) {
    let bounded = [*tangential, Vec3::zeros(), Vec3::zeros()];
    let Parts { normal, bounded: [tangential, ..] } = Cone::of_friction(mu).projected(&Parts { normal, bounded });
    (normal, tangential)
}

/// The least distance from `(normal, length)` to the cone in the plane of both: to the inside, and to the generator
/// `s (1, mu)`, `s >= 0`, by a ternary search.
fn distance_to_cone(normal: f64, length: f64, mu: f64) -> f64 {
    if length <= mu * normal {
        return 0.0;
    }
    let at = |s: f64| ((normal - s).powi(2) + (length - mu * s).powi(2)).sqrt();
    let (mut low, mut high) = (0.0, normal.abs() + length);
    for _ in 0..200 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(left) <= at(right) { high = right } else { low = left }
    }
    at(low)
}

#[test]
fn the_projection_is_the_nearest_point_of_the_cone() {
    let mut random = Random(1);
    for case in 0..5000 {
        let mu = if case % 20 == 0 { 0.0 } else { random.magnitude(1e-2, 1e2) };
        let normal = random.between(-2.0, 2.0);
        let tangential = random.vector(2.0).cross(&Vec3::z());
        let (onto, along) = project_on_cone(normal, &tangential, mu);
        assert!(onto >= 0.0 && along.norm() <= mu * onto * (1.0 + 4.0 * f64::EPSILON), "case {case}: outside the cone");
        let distance = ((onto - normal).powi(2) + (along - tangential).norm_squared()).sqrt();
        let shortest = distance_to_cone(normal, tangential.norm(), mu);
        // At a minimum the distance is known to round-off, though the place is not.
        assert!((distance - shortest).abs() <= 1e-13, "case {case}: {distance} instead of {shortest}");
    }
}

#[test]
fn the_projection_keeps_the_inside_and_sends_the_polar_cone_to_the_tip() {
    let t = Vec3::new(1.0, 0.0, 0.0);
    assert_eq!(project_on_cone(2.0, &t, 0.5), (2.0, t), "the edge is inside");
    assert_eq!(project_on_cone(-0.5, &t, 0.5), (0.0, Vec3::zeros()), "the edge of the polar cone");
    assert_eq!(project_on_cone(-1.0, &Vec3::zeros(), 0.0), (0.0, Vec3::zeros()), "pulling, no friction");
    assert_eq!(project_on_cone(0.0, &Vec3::zeros(), 0.5), (0.0, Vec3::zeros()), "the tip");
    // (1, 1) on |t| <= n/2: n = (1 + 1/2) / (1 + 1/4) = 1.2, t = 0.6; two roundings.
    let (n, along) = project_on_cone(1.0, &t, 0.5);
    assert!((n - 1.2).abs() < 4e-16 && (along.x - 0.6).abs() < 4e-16, "{n} {along}");
}

#[test]
fn it_is_zero_at_solutions() {
    let contact = contact();
    assert_eq!(residual(&contact, [0.0, 0.0, 0.0], 3.0, 1.0), 0.0, "sticking inside the cone");
    assert_eq!(residual(&contact, [0.0, 0.0, 0.0], 3.0, 1.5), 0.0, "sticking on the cone");
    // trial = (3 - 2 (0.5 * 0.25), -1.5 - 2 * 0.25) = (2.75, -2); projected: n = (2.75 + 1) / 1.25 = 3, t = -1.5: exact.
    assert_eq!(residual(&contact, [0.25, 0.0, 0.0], 3.0, -1.5), 0.0, "sliding");
    assert_eq!(residual(&contact, [1.0, 2.0, 0.5], 0.0, 0.0), 0.0, "open");
    assert_eq!(residual(&contact, [1.0, 0.0, 0.0], 0.0, 0.0), 0.0, "grazing without impulse");
    let biased = Contact { normal_bias: 0.25, ..contact };
    let conveyor = OptionalTerms { surface_velocity: Vec3::new(0.5, 0.0, 7.0), ..OptionalTerms::NONE };
    assert_eq!(
        whole_residual((&biased, &conveyor), [0.5, 0.0, -0.25], 3.0, 1.0),
        0.0,
        "sticking to a conveyor across a gap"
    );
    let soft = OptionalTerms { normal_compliance: 0.5, tangential_compliance: 0.25, ..OptionalTerms::NONE };
    assert_eq!(whole_residual((&contact, &soft), [-0.25, 0.0, -1.5], 3.0, 1.0), 0.0, "sticking with compliance");
}

/// The cone of a large `mu` is all but the half-space, and no force on it shows in the projection alone.
#[test]
fn it_shows_a_contact_that_closes_while_it_slides_under_much_friction() {
    let d = 1e-3;
    for friction in [1.5, 1e2, 1e4, 1e20] {
        let contact = Contact { friction, ..contact() };
        assert_eq!(residual(&contact, [1.0, 0.0, -d], 0.0, 0.0), d, "{friction}");
        assert_eq!(residual(&contact, [1.0, 0.0, d], 0.0, 0.0), 0.0, "it opens: {friction}");
        assert_eq!(residual(&contact, [0.0, 0.0, 0.0], 3.0, 1.0), 0.0, "it sticks: {friction}");
    }
    let contact = contact();
    for optional in [resisting(1e4, 0.0), resisting(0.0, 1e4)] {
        let spin = Velocity { linear: Vec3::new(0.0, 0.0, -d), angular: Vec3::new(1.0, 0.0, 1.0) };
        let mut scene = point();
        scene.masses[0].angular = Symmetric3::diagonal([0.5; 3]);
        let none = ImpulsiveWrench::default();
        let found = contact_residual(&scene.problem(), (&contact, &optional), [&Velocity::ZERO, &spin], &none);
        assert_eq!(found, d);
    }
}

#[test]
fn it_is_the_size_of_the_defect() {
    // Well inside the cone the projection does nothing, and the residual is |w + mu |w_t| n|.
    let contact = contact();
    let d = 1e-3;
    let close = |found: f64, expected: f64| assert!((found - expected).abs() <= 1e-15, "{found:e}, not {expected:e}");
    close(residual(&contact, [0.0, 0.0, -d], 3.0, 0.5), d);
    close(residual(&contact, [0.0, 0.0, d], 3.0, 0.5), d);
    close(residual(&contact, [d, 0.0, 0.0], 3.0, 0.0), d * 1.25_f64.sqrt());
    // Penetrating without an impulse: the trial (rho d, 0) is inside.
    close(residual(&contact, [0.0, 0.0, -d], 0.0, 0.0), d);
    // Separating fast with an impulse: the trial is beyond the tip, and lambda / rho is left.
    close(residual(&contact, [0.0, 0.0, 10.0], 0.02, 0.0), 0.01);
    // Sliding along its friction instead of against it: trial = (3 - 2 mu d, 1.5 - 2 d) is inside the cone.
    close(residual(&contact, [d, 0.0, 0.0], 3.0, 1.5), d * 1.25_f64.sqrt());
}

#[test]
fn between_immovable_bodies_nothing_is_wrong() {
    let mut scene = Scene::default();
    scene.kinematic(Velocity::ZERO);
    let pair = [&Velocity::ZERO, &moving(Vec3::new(1.0, 0.0, -1.0))];
    let lambda = Impulse::force(1.0, Vec3::zeros());
    assert_eq!(contact_residual(&scene.problem(), (&contact(), &OptionalTerms::NONE), pair, &lambda.into()), 0.0);
}

/// A ball of 2 kg with the moment of inertia 8 kg m^2 on the world.
fn ball() -> Scene {
    let mut scene = Scene::default();
    scene.body(2.0, Symmetric3::diagonal([8.0; 3]), Velocity::ZERO);
    scene
}

/// The residual of the first row of a scene whose body b has this velocity.
fn first_row(scene: &Scene, velocity: &Velocity, impulses: &Impulses) -> f64 {
    let (problem, row) = (scene.problem(), &scene.rows[0]);
    let measure = row.measure(problem.mass(row.body_a), problem.mass(row.body_b));
    row_residual(row, impulses.rows[0], &measure, [&Velocity::ZERO, velocity], impulses)
}

/// The residual of one row with the impulse `lambda`, at the velocity of the ball.
fn of_row(row: Row, lambda: f64, velocity: Velocity) -> f64 {
    let mut scene = ball();
    scene.rows.push(row);
    let mut impulses = scene.no_impulses();
    impulses.rows[0] = lambda;
    first_row(&scene, &velocity, &impulses)
}

fn row(linear: Vec3, angular: Vec3, lower: f64, upper: f64) -> Row {
    row_on_world([Jacobian::ZERO, Jacobian { linear, angular }], [0.25, 0.5], [lower, upper])
}

#[test]
fn rows_are_measured_in_velocities() {
    // Along x: D = 1/2 + 1/2. w = v + lambda / 2 - 1/4. All exact.
    let free = row(Vec3::x(), Vec3::zeros(), f64::NEG_INFINITY, f64::INFINITY);
    let at = |speed: f64| moving(Vec3::new(speed, 0.0, 0.0));
    assert_eq!(of_row(free, -1.5, at(1.0)), 0.0);
    assert_eq!(of_row(free, -1.5, at(1.125)), 0.125);
    assert_eq!(of_row(free, -1.5, at(0.875)), 0.125);
    let bounded = row(Vec3::x(), Vec3::zeros(), -1.0, 2.0);
    assert_eq!(of_row(bounded, -1.0, at(5.0)), 0.0, "held at its lower bound");
    assert_eq!(of_row(bounded, -1.0, at(0.5)), 0.25, "w < 0 at the lower bound");
    assert_eq!(of_row(bounded, 2.0, at(-3.0)), 0.0, "held at its upper bound");
    assert_eq!(of_row(bounded, 2.5, at(-3.0)), 0.5, "beyond it: the way back times D");
    assert_eq!(of_row(bounded, 0.0, at(9.0)), 1.0, "as far as the bound allows");
}

#[test]
fn rows_of_spins_count_at_the_length_of_the_bodies() {
    // The length is sqrt((3/m) / (3/I)) = 2 m, D = 1/8 + 1/2: w = omega + lambda / 2 - 1/4, and the residual 2 w.
    let free = row(Vec3::zeros(), Vec3::y(), f64::NEG_INFINITY, f64::INFINITY);
    let turning = |spin: f64| Velocity { linear: Vec3::x(), angular: Vec3::new(0.0, spin, 0.0) };
    assert_eq!(of_row(free, 0.5, turning(0.0)), 0.0);
    // 2 w, over D and times it again: one rounding.
    assert!((of_row(free, 0.5, turning(0.125)) - 0.25).abs() <= 1e-16);
    // With a part of the velocity it is a row in m/s, D = 1/8 + 1/2 + 1/2: no length.
    let mixed = row(Vec3::x(), Vec3::y(), f64::NEG_INFINITY, f64::INFINITY);
    assert!((of_row(mixed, -1.5, turning(0.125)) - 0.125).abs() <= 1e-16);
}

#[test]
fn a_row_is_bounded_by_the_magnitude_of_its_friction_row() {
    let mut scene = ball();
    let mut friction = row(Vec3::x(), Vec3::zeros(), -0.5, 0.5);
    friction.friction_row = Some(RowId(1));
    scene.rows.extend([friction, row(Vec3::z(), Vec3::zeros(), f64::NEG_INFINITY, 0.0)]);
    let mut impulses = scene.no_impulses();
    impulses.rows = vec![-1.0, -2.0];
    let at = |impulses: &_, speed: f64| first_row(&scene, &moving(Vec3::new(speed, 0.0, 0.0)), impulses);
    assert_eq!(at(&impulses, 5.0), 0.0, "sliding at the bound 0.5 |-2|");
    impulses.rows[1] = -1.0;
    assert_eq!(at(&impulses, 5.0), 0.5, "the bound fell to 0.5");
    impulses.rows[1] = 0.0;
    assert_eq!(at(&impulses, 5.0), 1.0, "nothing is allowed");
}

#[test]
fn torques_have_their_laws_in_the_residual() {
    // 3/2 over the tangents' 1/m each is 1/2 for both, and 3/I over 3: the length is sqrt((1/2) / (1/8)) = 2 m; rho = 2.
    let scene = ball();
    let optional = resisting(0.5, 0.25);
    let at = |spin: [f64; 3], torque: [f64; 3]| {
        let lambda = ImpulsiveWrench { torque: torque.into(), ..Impulse::force(4.0, Vec3::zeros()).into() };
        let velocity = Velocity { linear: Vec3::zeros(), angular: spin.into() };
        contact_residual(&scene.problem(), (&contact(), &optional), [&Velocity::ZERO, &velocity], &lambda)
    };
    assert_eq!(at([0.0; 3], [1.0, 1.0, 0.5]), 0.0, "held");
    // A few roundings of 4 N s over rho.
    assert!(at([3.0, 4.0, 0.0], [-1.2, -1.6, 0.0]) <= 4e-15, "rolling against its torque");
    assert!(at([0.0, 0.0, 3.0], [0.0, 0.0, -1.0]) <= 4e-15, "twisting against its torque");
    // Off by d inside: the spin at 2 m, and its shift 0.5 d of the normal part.
    let d = 2_f64.powi(-10);
    assert!((at([d, 0.0, 0.0], [0.0; 3]) - d * 4.25_f64.sqrt()).abs() <= 4e-15);
    assert!((at([0.0, 0.0, d], [0.0; 3]) - d * 4.0625_f64.sqrt()).abs() <= 4e-15);
    // Rolling with its torque: the trial (4 - 2 * 2.5, 1 - 20) in forces is projected on (60, -15)/17 of the cone with the
    // bound 1/4: (8, 32)/17 away, 8 / sqrt(17), over rho.
    assert!((at([3.0, 4.0, 0.0], [1.2, 1.6, 0.0]) - 4.0 / 17_f64.sqrt()).abs() <= 4e-15);
}

#[test]
fn box_friction_is_measured_row_by_row() {
    let mut scene = point();
    scene.friction = Friction::Box;
    // D = 1/2 for every row; lambda_n = 4, bounds of 2 along x and y.
    let at = |u: [f64; 3], along_x: f64, along_y: f64| {
        let lambda = Impulse::force(4.0, Vec3::new(along_x, along_y, 0.0));
        contact_residual(
            &scene.problem(),
            (&contact(), &OptionalTerms::NONE),
            [&Velocity::ZERO, &moving(u.into())],
            &lambda.into(),
        )
    };
    assert_eq!(at([0.0; 3], 2.0, -2.0), 0.0, "a corner of the box, outside the cone");
    assert_eq!(at([3.0, 0.0, 0.0], -2.0, 1.0), 0.0, "sliding along x, held along y");
    assert_eq!(at([0.25, 0.125, 0.0], 0.0, 0.0), 0.25, "the largest row");
    assert_eq!(at([0.25, 0.125, -0.5], 0.0, 0.0), 0.5);
    assert_eq!(at([0.0; 3], 3.0, 0.0), 0.5, "beyond the bound by 1, times D");
}

#[test]
fn a_huge_impulse_hides_no_velocity() {
    for friction in [0.0_f64, 0.5] {
        let at = |normal| Parts { normal, bounded: [Vec3::zeros(); 3] };
        // a difference of the two would be the impulse alone
        let expected = 10.0 / (1.0 + friction * friction).sqrt();
        assert_eq!(Cone::of_friction(friction).residual(&at(6e17), &at(-10.0), 1.0, 1.0), expected);
    }
}
