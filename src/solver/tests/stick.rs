//! The stick projection: what sticks is at rest to round-off, what cannot be is left no worse, and forces obey their laws.

use super::random::{Random, Scene, plain, resisting};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::problem::{Contact, Impulses, Jacobian, MassInverse, Row, Velocity};
use crate::solver::{Method, Options, Outcome, Solver, StickProjection};

pub(super) const FEW: Options = Options {
    method: Method::Pgs,
    order: Order::Natural,
    iterations: 10,
    tolerance: 0.0,
    relaxation: 1.0,
    start: Start::Zero,
    projection: StickProjection::Always(3),
    splits: false,
};

struct Answer {
    outcome: Outcome,
    impulses: Impulses,
    velocities: Vec<Velocity>,
}

fn solve_from(scene: &Scene, options: &Options, mut impulses: Impulses) -> Answer {
    let mut solver = Solver::default();
    let outcome = solver.solve(&scene.problem(), options, &mut impulses).expect("memory");
    Answer { outcome, impulses, velocities: solver.velocities().to_vec() }
}

fn solve(scene: &Scene, options: &Options) -> Answer {
    let impulses = scene.no_impulses();
    solve_from(scene, options, impulses)
}

/// A cube of mass 1 and edge 1 that falls with `velocity` onto `points` points of a floor below it. The points are
/// spread over its face on a circle, and so redundant from the fourth on.
pub(super) fn cube(points: usize, friction: f64, velocity: Vec3) -> Scene {
    let mut scene = Scene::default();
    let velocity = Velocity { linear: velocity, angular: Vec3::zeros() };
    let body = scene.body(1.0, Symmetric3::diagonal([1.0 / 6.0; 3]), velocity);
    for point in 0..points {
        let (sine, cosine) = (std::f64::consts::TAU * (point as f64 + 0.5) / points as f64).sin_cos();
        let arm_b = Vec3::new(0.5 * cosine, 0.5 * sine, -0.5);
        scene.contacts.push(Contact { arm_b, friction, ..plain(BodyRow::NONE, body, Vec3::z()) });
    }
    scene
}

pub(super) fn fastest(velocities: &[Velocity]) -> f64 {
    velocities.iter().map(|v| v.linear.norm().max(v.angular.norm())).fold(0.0, f64::max)
}

/// Forces obey their cones, and velocities are those that they make, whatever the projection did: both to round-off.
fn check_laws(scene: &Scene, answer: &Answer) {
    let mut momentum = vec![(Vec3::zeros(), 0.0); scene.masses.len()];
    for (contact, impulse) in scene.contacts.iter().zip(&answer.impulses.contacts) {
        assert!(impulse.normal >= 0.0, "a contact pulls: {impulse:?}");
        let limit = contact.friction * impulse.normal;
        assert!(impulse.tangential.norm() <= limit * (1.0 + 1e-14), "{impulse:?} with friction {}", contact.friction);
        let vector = impulse.vector(&contact.normal);
        for (body, sign) in [(contact.body_a, -1.0), (contact.body_b, 1.0)] {
            if let Some((sum, size)) = momentum.get_mut(body.index()) {
                *sum += sign * vector;
                *size += vector.norm();
            }
        }
    }
    for (row, lambda) in scene.rows.iter().zip(&answer.impulses.rows) {
        for (body, jacobian) in [(row.body_a, &row.jacobian_a), (row.body_b, &row.jacobian_b)] {
            if let Some((sum, size)) = momentum.get_mut(body.index()) {
                *sum += *lambda * jacobian.linear;
                *size += (*lambda * jacobian.linear).norm();
            }
        }
    }
    for (body, (sum, size)) in momentum.iter().enumerate() {
        let mass = &scene.masses[body].linear;
        let expected = scene.velocities[body].linear + mass.component_mul(sum);
        let error = (answer.velocities[body].linear - expected).norm();
        // a sum of tens of terms in another order
        let round_off = 1e-14 * (size * mass.max() + scene.velocities[body].linear.norm());
        assert!(error <= round_off, "body {body}: {error:e} of {round_off:e}");
    }
}

#[test]
fn a_box_sticks_exactly_on_any_number_of_points() {
    for points in [3, 4, 5, 8, 16] {
        // tan 0.4 under friction 0.5
        let answer = solve(&cube(points, 0.5, Vec3::new(0.4, 0.0, -1.0) * 0.04), &FEW);
        check_laws(&cube(points, 0.5, Vec3::new(0.4, 0.0, -1.0) * 0.04), &answer);
        assert_eq!(answer.outcome.projection.rejected, 0);
        // the impulses stop 0.04 m/s and, at 0.5 m and 6 / (kg m^2), 0.2 rad/s: ten roundings of that
        assert!(fastest(&answer.velocities) <= 2.4e-16, "{points} points: {:e}", fastest(&answer.velocities));
    }
}

#[test]
fn a_box_slides_as_coulomb_says() {
    // tan 0.4 over friction 0.3: along the slope 0.04 (0.4 - 0.3) is left, whatever the points carry of it
    let scene = cube(4, 0.3, Vec3::new(0.4, 0.0, -1.0) * 0.04);
    let answer = solve(&scene, &Options { iterations: 100, ..FEW });
    check_laws(&scene, &answer);
    let left = answer.velocities[0].linear;
    assert!((left - Vec3::new(0.004, 0.0, 0.0)).norm() <= 1e-16, "{left:?}");
}

#[test]
fn near_the_angle_of_friction_a_box_sticks_still() {
    // 1e-6 of room within the cones, from sweeps that left the body sliding
    let scene = cube(4, 0.4 * (1.0 + 1e-6), Vec3::new(0.4, 0.0, -1.0) * 0.04);
    let fewer = Options { iterations: 5, ..FEW };
    assert!(fastest(&solve(&scene, &Options { projection: StickProjection::Off, ..fewer }).velocities) > 1e-8);
    let answer = solve(&scene, &fewer);
    check_laws(&scene, &answer);
    assert!(fastest(&answer.velocities) <= 2.4e-16, "{:e}", fastest(&answer.velocities));
}

#[test]
fn what_rests_is_left_alone() {
    let scene = cube(4, 0.5, Vec3::new(0.4, 0.0, -1.0) * 0.04);
    let first = solve(&scene, &FEW);
    assert_eq!(first.outcome.projection.islands, 1);
    let again = solve_from(&scene, &Options { start: Start::History(1.0), ..FEW }, first.impulses);
    assert_eq!(again.outcome.projection.islands, 0, "{:?}", again.outcome);
}

#[test]
fn what_flies_away_is_left_alone() {
    let scene = cube(4, 0.5, Vec3::new(0.1, 0.0, 1.0));
    let answer = solve(&scene, &FEW);
    assert_eq!(answer.velocities, scene.velocities);
    assert_eq!(answer.outcome.projection.islands, 0);
}

#[test]
fn without_friction_normals_alone_are_held() {
    let scene = cube(5, 0.0, Vec3::new(0.3, 0.0, -1.0));
    let answer = solve(&scene, &FEW);
    check_laws(&scene, &answer);
    // nothing brakes the slide, and five points press the box flat
    assert!((answer.velocities[0].linear - Vec3::new(0.3, 0.0, 0.0)).norm() <= 1e-15);
    assert!(answer.velocities[0].angular.norm() <= 1e-15);
}

/// A sphere of radius 0.5 on a slope of tan 0.4: it rolls unless the resistance is above `0.4 * 0.5`.
#[test]
fn a_sphere_sticks_where_rolling_resistance_holds_it() {
    let on_slope = |rolling: f64| {
        let mut scene = Scene::default();
        let linear = Vec3::new(0.4, 0.0, -1.0) * 0.04;
        let body = scene.sphere(1.0, 0.5, Velocity { linear, angular: Vec3::new(0.0, 0.0, 0.01) });
        let arm_b = Vec3::new(0.0, 0.0, -0.5);
        scene.add(Contact { arm_b, friction: 0.8, ..plain(BodyRow::NONE, body, Vec3::z()) }, resisting(rolling, 0.1));
        solve(&scene, &FEW)
    };
    let sticks = on_slope(0.4 * 0.5 * (1.0 + 1e-6));
    assert!(fastest(&sticks.velocities) <= 1e-16, "{:e}", fastest(&sticks.velocities));
    let rolls = on_slope(0.39 * 0.5);
    // (m r^2 + I) w = (0.4 - 0.39) r * 0.04 with I = 0.4 m r^2
    let spin = 0.01 * 0.04 * 0.5 / (1.4 * 0.25);
    assert!((rolls.velocities[0].angular.y - spin).abs() <= 1e-9 * spin, "{:?}", rolls.velocities);
}

/// A chain of links joined at their ends, the first to the world: three rows at each joint.
fn chain(links: usize, heaviest: f64) -> Scene {
    let mut scene = Scene::default();
    let mut before = BodyRow::NONE;
    for link in 0..links {
        let mass = if link + 1 == links { heaviest } else { 1.0 };
        let velocity = Velocity { linear: Vec3::new(0.2, 0.1 * link as f64, -0.04), angular: Vec3::new(0.0, 0.3, 0.1) };
        let body = scene.body(mass, Symmetric3::diagonal([0.1 * mass; 3]), velocity);
        for axis in [Vec3::x(), Vec3::y(), Vec3::z()] {
            let side = |sign: f64, arm: Vec3| Jacobian { linear: sign * axis, angular: sign * arm.cross(&axis) };
            scene.rows.push(Row {
                body_a: before,
                body_b: body,
                jacobian_a: side(-1.0, Vec3::new(0.5, 0.0, 0.0)),
                jacobian_b: side(1.0, Vec3::new(-0.5, 0.0, 0.0)),
                rhs: 0.0,
                compliance: 0.0,
                lower: f64::NEG_INFINITY,
                upper: f64::INFINITY,
                friction_row: None,
                ball: None,
            });
        }
        before = body;
    }
    scene
}

#[test]
fn joints_hold_exactly() {
    for links in [1, 5, 30] {
        let scene = chain(links, 1.0);
        let answer = solve(&scene, &FEW);
        check_laws(&scene, &answer);
        // speeds up to 3 m/s, and impulses that stop as much
        assert!(answer.outcome.residual_max <= 1e-15 * links as f64, "{links} links: {:?}", answer.outcome);
    }
}

#[test]
fn a_heavy_end_is_held_by_light_links() {
    let scene = chain(5, 1e6);
    let answer = solve(&scene, &FEW);
    // the speeds that the impulses of the heavy end stop in a light link are 1e6 m/s; round-off of these
    assert!(answer.outcome.residual_max <= 1e-9, "{:?}", answer.outcome);
}

/// Two motors that want different speeds of one body: no velocity serves both, and the impulses must not run away.
#[test]
fn contradicting_rows_do_no_harm() {
    let mut scene = chain(2, 1.0);
    let mut other = scene.rows[0];
    other.rhs = 1.0;
    scene.rows.push(other);
    let before = solve(&scene, &Options { projection: StickProjection::Off, ..FEW });
    let after = solve(&scene, &FEW);
    assert!(after.outcome.residual_max <= before.outcome.residual_max * (1.0 + 1e-12));
    assert!(fastest(&after.velocities).is_finite());
}

#[test]
fn random_problems_get_no_worse() {
    let mut random = Random(7);
    let mut better = 0;
    for _ in 0..300 {
        let (bodies, contacts) = (2 + random.index(12), 1 + random.index(30));
        let mut scene = Scene::random(&mut random, bodies, contacts);
        if random.one_in(4) {
            let light = random.index(bodies);
            scene.masses[light] = MassInverse {
                linear: 1e6 * scene.masses[light].linear,
                angular: scene.masses[light].angular.scaled(1e6),
            };
        }
        let before = solve(&scene, &Options { projection: StickProjection::Off, ..FEW });
        let after = solve(&scene, &FEW);
        check_laws(&scene, &after);
        let (old, new) = (before.outcome.residual_max, after.outcome.residual_max);
        // impulses that were taken back are rounded once more
        assert!(new <= old * (1.0 + 1e-9) + 1e-14 * fastest(&before.velocities).max(1.0), "{new:e} after {old:e}");
        better += usize::from(new < 0.01 * old);
    }
    // many of them: a projection that never helps would pass the rest
    assert!(better >= 40, "{better}");
}

#[test]
fn a_pyramid_is_brought_nearer_to_rest() {
    let scene = Scene::pyramid(4, 0.8, 0.0);
    let before = solve(&scene, &Options { iterations: 50, projection: StickProjection::Off, ..FEW });
    let after = solve(&scene, &Options { iterations: 50, ..FEW });
    check_laws(&scene, &after);
    assert!(after.outcome.residual_max < 0.1 * before.outcome.residual_max, "{:?}", after.outcome);
}
