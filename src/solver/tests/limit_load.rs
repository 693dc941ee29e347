//! Limit loads against closed forms and published ones.

use super::random::{Scene, plain};
use super::statics::{block, force, planar};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Contact, Friction, Impulses, MassInverse, Velocity};
use crate::solver::statics::*;

pub(super) struct Found {
    pub(super) outcome: LimitOutcome,
    mechanism: Vec<Velocity>,
}

pub(super) fn solve(scene: &Scene, loads: &[Load], unit_loads: &[Load]) -> Found {
    let input = LimitInput { problem: &scene.problem(), loads, unit_loads, length: 1.0, touching: 1e-9 };
    let (mut forces, mut mechanism) = (Impulses::default(), Vec::new());
    let outcome = LimitLoad::default().solve(&input, &mut forces, &mut mechanism).expect("memory");
    Found { outcome, mechanism }
}

fn factor(scene: &Scene, loads: &[Load], unit_loads: &[Load]) -> f64 {
    let Found { outcome, mechanism } = solve(scene, loads, unit_loads);
    assert!(outcome.is_converged && !outcome.is_collapse && !outcome.is_unbounded, "{outcome:?}");
    let work = |loads: &[Load]| -> f64 {
        let of = |(load, u): (&Load, &Velocity)| load.force.dot(&u.linear) + load.torque.dot(&u.angular);
        loads.iter().zip(&mechanism).map(of).sum()
    };
    // The dual: F1 u = 1, alpha = -F0 u.
    assert!((work(unit_loads) - 1.0).abs() <= 1e-9, "{:e}", work(unit_loads));
    assert!((work(loads) + outcome.factor).abs() <= 1e-9 * (1.0 + outcome.factor.abs()), "{:e}", work(loads));
    outcome.factor
}

#[test]
fn a_block_tilts_slides_lifts_or_holds_for_ever() {
    let weight = [force(0.0, 0.0, -9.0)];
    for (b, h, mu) in [(1.0, 2.0, 0.7), (1.0, 2.0, 0.3), (1.0, 1.0, 0.5)] {
        let found = factor(&block(b, h, mu), &weight, &[force(9.0, 0.0, 0.0)]);
        assert!((found - f64::min(b / h, mu)).abs() <= 1e-12, "{found}");
    }
    let scene = block(1.0, 1.0, 0.5);
    assert!((factor(&scene, &weight, &[force(0.0, 0.0, 1.0)]) - 9.0).abs() <= 1e-11);
    let pressed = solve(&scene, &weight, &[force(0.0, 0.0, -1.0)]).outcome;
    assert!(pressed.is_unbounded && pressed.factor == f64::INFINITY, "{pressed:?}");
    let caught = solve(&scene, &[force(0.0, 0.0, 9.0)], &[force(0.0, 0.0, -1.0)]).outcome;
    assert!(caught.is_unbounded, "{caught:?}");
    let flying = solve(&scene, &[force(0.0, 0.0, 9.0)], &[force(1.0, 0.0, 0.0)]);
    assert!(flying.outcome.is_collapse && flying.outcome.factor == f64::NEG_INFINITY, "{:?}", flying.outcome);
    assert!(flying.mechanism[0].linear.z > 0.0);
    // Below zero: what falls by itself, and is held by the unit load.
    let held = factor(&scene, &[force(6.0, 0.0, -9.0)], &[force(1.0, 0.0, 0.0)]);
    assert!((held + 1.5).abs() <= 1e-11, "{held}");
}

#[test]
fn sliding_is_reported_and_rocking_is_not_sliding() {
    let push = [force(9.0, 0.0, 0.0)];
    assert!(solve(&block(1.0, 2.0, 0.3), &[force(0.0, 0.0, -9.0)], &push).outcome.slides);
    assert!(!solve(&block(1.0, 2.0, 0.7), &[force(0.0, 0.0, -9.0)], &push).outcome.slides);
}

/// A table with feet at (+-a, +-a), pushed at its feet, turned, and pushed at 3 a.
#[test]
fn a_table_slides_turns_and_tips() {
    let (a, mu, weight) = (0.5, 0.3, 8.0);
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let body = scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO);
    for (x, y) in [(-a, -a), (a, -a), (-a, a), (a, a)] {
        scene.contacts.push(Contact {
            arm_b: Vec3::new(x, y, 0.0),
            friction: mu,
            ..plain(BodyRow::NONE, body, Vec3::z())
        });
    }
    let down = [force(0.0, 0.0, -weight)];
    for direction in [Vec3::x(), Vec3::new(0.6, 0.8, 0.0), Vec3::new(-0.28, 0.96, 0.0)] {
        let found = factor(&scene, &down, &[Load { force: direction, torque: Vec3::zeros() }]);
        assert!((found - mu * weight).abs() <= 1e-11 * weight, "{found}");
    }
    let found = factor(&scene, &down, &[Load { force: Vec3::zeros(), torque: Vec3::z() }]);
    assert!((found - mu * weight * a * 2.0_f64.sqrt()).abs() <= 1e-11 * weight, "{found}");
    scene.contacts.iter_mut().for_each(|contact| contact.friction = 0.6);
    let high = Load { force: Vec3::x(), torque: Vec3::new(0.0, 3.0 * a, 0.0) };
    let found = factor(&scene, &down, &[high]);
    assert!((found - weight / 3.0).abs() <= 1e-11 * weight, "{found}");
}

#[test]
fn a_sphere_is_pulled_out_of_a_funnel_unless_it_is_wedged() {
    let tilt = 70.0_f64.to_radians();
    for (mu, is_wedged) in [(0.0, false), (0.2, false), (0.35, false), (0.38, true), (0.6, true)] {
        let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
        let ball = scene.sphere(1.0, 1.0, Velocity::ZERO);
        for k in 0..3 {
            let turn = 2.0 * std::f64::consts::PI * k as f64 / 3.0;
            let normal = Vec3::new(tilt.sin() * turn.cos(), tilt.sin() * turn.sin(), tilt.cos());
            scene.contacts.push(Contact { arm_b: -normal, friction: mu, ..plain(BodyRow::NONE, ball, normal) });
        }
        let found = solve(&scene, &[force(0.0, 0.0, -5.0)], &[force(0.0, 0.0, 1.0)]).outcome;
        assert_eq!(found.is_unbounded, is_wedged, "{mu}: {found:?}");
        assert!(is_wedged || (found.factor - 5.0).abs() <= 1e-10, "{mu}: {found:?}");
    }
}

/// A ladder of length 2 at a slope: floor with mu1, wall with mu2.
fn ladder(slope: f64, mu1: f64, mu2: f64) -> LimitOutcome {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let body = planar(&mut scene);
    let along = Vec3::new(1.0, slope, 0.0).normalize();
    scene.contacts.push(Contact { arm_b: -along, friction: mu1, ..plain(BodyRow::NONE, body, Vec3::y()) });
    scene.contacts.push(Contact { arm_b: along, friction: mu2, ..plain(BodyRow::NONE, body, -Vec3::x()) });
    // Whether the weight is carried without any push against the wall.
    solve(&scene, &[force(0.0, -1.0, 0.0)], &[force(-1.0, 0.0, 0.0)]).outcome
}

#[test]
fn ladders_stand_above_the_known_slope() {
    for (mu1, mu2) in [(0.3, 0.2), (0.5, 0.5), (0.4, 0.0)] {
        let smallest = (1.0 - mu1 * mu2) / (2.0 * mu1);
        assert!(ladder(smallest * (1.0 + 1e-10), mu1, mu2).factor > 0.0);
        assert!(ladder(smallest * (1.0 - 1e-10), mu1, mu2).factor < 0.0);
        assert!(ladder(smallest, mu1, mu2).factor.abs() <= 1e-12);
    }
}

/// A flat arch of two halves between abutments, one of which yields: the least thrust.
#[test]
fn a_flat_arch_has_the_known_least_thrust() {
    for (length, depth, mu) in [(4.0, 0.5, 0.6), (4.0, 0.5, 0.2)] {
        let (weight, half) = (2.0, 0.5 * depth);
        let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
        let bodies = [planar(&mut scene), planar(&mut scene)];
        let stop = BodyRow::from(2);
        scene.masses.push(MassInverse { linear: Vec3::new(1.0, 0.0, 0.0), ..MassInverse::ZERO });
        scene.free.push(None);
        scene.velocities.push(Velocity::ZERO);
        let joints = [(BodyRow::NONE, bodies[0]), (bodies[0], bodies[1]), (bodies[1], stop)];
        for (joint, (a, b)) in joints.into_iter().enumerate() {
            for y in [-half, half] {
                let point = Vec3::new(0.5 * length * joint as f64, y, 0.0);
                let centre = |body: BodyRow| match body.index() {
                    0 => Vec3::new(0.25 * length, 0.0, 0.0),
                    1 => Vec3::new(0.75 * length, 0.0, 0.0),
                    _ => Vec3::zeros(),
                };
                let (arm_a, arm_b) = (point - centre(a), point - centre(b));
                scene.contacts.push(Contact { arm_a, arm_b, friction: mu, ..plain(a, b, Vec3::x()) });
            }
        }
        let down = force(0.0, -0.5 * weight, 0.0);
        let found = factor(&scene, &[down, down, Load::ZERO], &[Load::ZERO, Load::ZERO, force(1.0, 0.0, 0.0)]);
        let thrust = f64::max(0.5 * weight / mu, weight * length / (8.0 * depth));
        assert!((found + thrust).abs() <= 1e-11 * thrust, "{found} {thrust}");
    }
}

#[test]
fn a_tower_of_blocks_falls_as_one() {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    for level in 0..10 {
        let body = planar(&mut scene);
        let below = if level == 0 { BodyRow::NONE } else { BodyRow::from(level - 1) };
        for x in [-1.0, 1.0] {
            let (arm_a, arm_b) = (Vec3::new(x, 0.5, 0.0), Vec3::new(x, -0.5, 0.0));
            scene.contacts.push(Contact { arm_a, arm_b, friction: 0.6, ..plain(below, body, Vec3::y()) });
        }
    }
    let found = factor(&scene, &[force(0.0, -3.0, 0.0); 10], &[force(3.0, 0.0, 0.0); 10]);
    assert!((found - 0.2).abs() <= 1e-12, "{found}");
}

/// A semicircular arch of the radius 1 and the thickness t, of n true sectors; and the weight of each.
fn arch(n: usize, t: f64, mu: f64) -> (Scene, f64) {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let half = std::f64::consts::PI / n as f64 / 2.0;
    let [inner, outer] = [1.0 - 0.5 * t, 1.0 + 0.5 * t];
    let area = half * (outer * outer - inner * inner);
    let radius = 2.0 / 3.0 * half.sin() / half * (outer.powi(3) - inner.powi(3)) / (outer.powi(2) - inner.powi(2));
    let at = |radius: f64, angle: f64| Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.0);
    let bodies: Vec<BodyRow> = (0..n).map(|_| planar(&mut scene)).collect();
    let centre = |body: usize| at(radius, (2 * body + 1) as f64 * half);
    for joint in 0..=n {
        let angle = 2.0 * joint as f64 * half;
        let normal = Vec3::new(-angle.sin(), angle.cos(), 0.0);
        for radius in [inner, outer] {
            let point = at(radius, angle);
            let of =
                |body: Option<usize>| body.map_or((BodyRow::NONE, point), |body| (bodies[body], point - centre(body)));
            let (a, arm_a) = of(joint.checked_sub(1));
            let (b, arm_b) = of((joint < n).then_some(joint));
            scene.contacts.push(Contact { arm_a, arm_b, friction: mu, ..plain(a, b, normal) });
        }
    }
    (scene, area)
}

/// Friction so large that nothing slides.
const STICKS: f64 = 1e3;

#[test]
fn arches_fall_at_the_known_accelerations_and_loads() {
    // Ten digits of a simplex method.
    for (mu, acceleration, load) in [(STICKS, 0.2867847225, 0.4327607626), (0.5, 0.2006038768, 0.3788684811)] {
        let (scene, weight) = arch(16, 0.2, mu);
        let loads = [force(0.0, -weight, 0.0); 16];
        let found = factor(&scene, &loads, &[force(weight, 0.0, 0.0); 16]);
        assert!((found - acceleration).abs() <= 1e-10, "{found}");
        let mut unit = [Load::ZERO; 16];
        unit[4] = force(0.0, -1.0, 0.0);
        let found = factor(&scene, &loads, &unit);
        assert!((found - load).abs() <= 1e-10, "{found}");
    }
}

/// Whether an arch falls by its own weight.
fn falls(n: usize, thickness: f64, mu: f64) -> bool {
    let (scene, weight) = arch(n, thickness, mu);
    solve(&scene, &vec![force(0.0, -weight, 0.0); n], &vec![force(weight, 0.0, 0.0); n]).outcome.is_collapse
}

/// Where `is_low` turns, within 0.01 of a value.
fn turn(about: f64, is_low: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (about - 0.01, about + 0.01);
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if is_low(middle) { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// Ten digits of a simplex method, of which the table of `grains.md` has six.
#[test]
fn arches_need_the_known_thickness() {
    for (n, mu, known) in [
        (8, STICKS, 0.1008614911),
        (16, STICKS, 0.1072372988),
        (20, STICKS, 0.1074601099),
        (64, STICKS, 0.1073944006),
        (64, 0.40, 0.1073944006),
        (64, 0.39, 0.1120655673),
        (64, 0.36, 0.1412841086),
        (64, 0.33, 0.1739726578),
        (64, 0.312, 0.1950610699),
        (256, STICKS, 0.1074690094),
    ] {
        let found = turn(known, |thickness| falls(n, thickness, mu));
        // Steep cones have rows a thousand times as long, whose round-off hides falls as slow as that.
        let bound = if mu == STICKS { 2e-8 } else { 1e-9 };
        assert!((found - known).abs() <= bound, "{n} {mu}: {found}");
    }
}

#[test]
fn a_thick_arch_needs_the_known_friction() {
    let found = turn(0.309183, |mu| falls(64, 0.35, mu));
    assert!((found - 0.309183).abs() <= 5e-7, "{found}");
}

/// Close to its least thickness an arch has a mechanism of any size: limits stay exact, by cuts.
#[test]
fn limits_are_exact_close_to_a_collapse() {
    for (mu, thickness, known) in [
        (0.4, 0.1073954006, 3.808834699e-6),
        (0.36, 0.1412942086, 1.10228872612e-5),
        (0.312, 0.1950620699, 9.23361182e-7),
    ] {
        let (scene, weight) = arch(64, thickness, mu);
        let outcome = solve(&scene, &[force(0.0, -weight, 0.0); 64], &[force(weight, 0.0, 0.0); 64]).outcome;
        assert!(outcome.is_converged && outcome.unbalanced <= 1e-12 * weight, "{outcome:?}");
        assert!((outcome.factor - known).abs() <= 1e-13, "{mu}: {:e}", outcome.factor);
    }
}

/// Steep cones of many contacts leave round-off, which is no mechanism.
#[test]
fn thick_arches_of_many_voussoirs_stand() {
    for (mu, thickness) in [5.0, 9.0].into_iter().flat_map(|mu| [0.25, 0.165, 0.12].map(|thickness| (mu, thickness))) {
        let (scene, weight) = arch(256, thickness, mu);
        let outcome = solve(&scene, &[force(0.0, -weight, 0.0); 256], &[force(weight, 0.0, 0.0); 256]).outcome;
        assert!(!outcome.is_collapse && outcome.is_converged && outcome.factor > 0.0, "{mu} {thickness}: {outcome:?}");
    }
}

/// A disk between two plates at an angle, pushed outwards.
#[test]
fn a_disk_is_wedged_where_friction_exceeds_half_the_angle() {
    let half = 15.0_f64.to_radians();
    for (factor, is_wedged) in [(0.5, false), (1.0 - 1e-6, false), (1.0 + 1e-4, true), (2.0, true)] {
        let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
        let disk = planar(&mut scene);
        for sign in [-1.0, 1.0] {
            let normal = Vec3::new(half.sin(), -sign * half.cos(), 0.0);
            let contact = plain(BodyRow::NONE, disk, normal);
            scene.contacts.push(Contact { arm_b: -normal, friction: factor * half.tan(), ..contact });
        }
        let found = solve(&scene, &[force(-3.0, 0.0, 0.0)], &[force(1.0, 0.0, 0.0)]).outcome;
        assert_eq!(found.is_unbounded, is_wedged, "{factor}: {found:?}");
        assert!(is_wedged || (found.factor - 3.0).abs() <= 1e-8, "{factor}: {found:?}");
    }
}

/// Blocks of the length 1, each of which hangs over by 1 / 2 k of the k above it.
#[test]
fn a_harmonic_stack_stands_up_to_its_overhang() {
    for (scale, is_falling) in [(1.0 - 1e-9, false), (1.0 + 1e-9, true)] {
        let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
        let mut left = 0.0;
        for block in 0..8 {
            let body = planar(&mut scene);
            // From below: the ground ends at 0.
            let over = scale * 0.5 / f64::from(8 - block);
            let below = if block == 0 { BodyRow::NONE } else { BodyRow::from(block as usize - 1) };
            let (centre, floor) = (left + over - 0.5, if block == 0 { 0.0 } else { left - 0.5 });
            for x in [centre - 0.5, left] {
                let arm_a = Vec3::new(x - floor, if block == 0 { 0.0 } else { 0.5 }, 0.0);
                let arm_b = Vec3::new(x - centre, -0.5, 0.0);
                scene.contacts.push(Contact { arm_a, arm_b, friction: 0.5, ..plain(below, body, Vec3::y()) });
            }
            left += over;
        }
        // What stands carries any multiple of its weight, what falls none above zero.
        let weight = [force(0.0, -1.0, 0.0); 8];
        let found = solve(&scene, &weight, &weight).outcome;
        assert_eq!(found.is_unbounded, !is_falling, "{scale}: {found:?}");
        assert!(!is_falling || (found.factor + 1.0).abs() <= 1e-9, "{scale}: {found:?}");
    }
}

/// A wall of blocks 2 x 1, in which every second row ends in halves.
pub(super) fn running_bond(wide: usize, rows: usize, mu: f64) -> (Scene, Vec<Load>) {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let mut loads = Vec::new();
    let mut below: Vec<([f64; 2], BodyRow)> = Vec::new();
    for row in 0..rows {
        let middle = row as f64 + 0.5;
        let at = |x: f64, y: f64, ends: [f64; 2]| Vec3::new(x - 0.5 * (ends[0] + ends[1]), y, 0.0);
        let mut edges: Vec<f64> = (0..=wide).map(|k| 2.0 * k as f64 - if row % 2 == 1 { 1.0 } else { 0.0 }).collect();
        edges[0] = 0.0;
        if row % 2 == 1 {
            edges.push(2.0 * wide as f64);
        }
        let own: Vec<([f64; 2], BodyRow)> =
            edges.windows(2).map(|ends| ([ends[0], ends[1]], planar(&mut scene))).collect();
        loads.extend(own.iter().map(|(ends, _)| force(0.0, -0.5 * (ends[1] - ends[0]), 0.0)));
        for pair in own.windows(2) {
            for y in [-0.5, 0.5] {
                let x = pair[1].0[0];
                let (arm_a, arm_b) = (at(x, y, pair[0].0), at(x, y, pair[1].0));
                scene.contacts.push(Contact { arm_a, arm_b, friction: mu, ..plain(pair[0].1, pair[1].1, Vec3::x()) });
            }
        }
        for (ends, body) in &own {
            let mut add = |lower: BodyRow, shared: [f64; 2], arm: &dyn Fn(f64) -> Vec3| {
                for x in shared {
                    let (arm_a, arm_b) = (arm(x), at(x, -0.5, *ends));
                    scene.contacts.push(Contact { arm_a, arm_b, friction: mu, ..plain(lower, *body, Vec3::y()) });
                }
            };
            if row == 0 {
                add(BodyRow::NONE, *ends, &|x| Vec3::new(x, middle - 0.5, 0.0));
            }
            for (lower, under) in &below {
                let shared = [lower[0].max(ends[0]), lower[1].min(ends[1])];
                if shared[1] > shared[0] {
                    add(*under, shared, &|x| at(x, 0.5, *lower));
                }
            }
        }
        below = own;
    }
    (scene, loads)
}

#[test]
fn walls_fall_at_the_known_accelerations() {
    for (wide, rows, mu, known) in [(3, 6, 0.6, 0.583756), (5, 10, 0.6, 0.523696), (4, 16, 0.65, 0.407932)] {
        let (scene, loads) = running_bond(wide, rows, mu);
        let across: Vec<Load> = loads.iter().map(|load| force(-load.force.y, 0.0, 0.0)).collect();
        let found = factor(&scene, &loads, &across);
        assert!((found - known).abs() <= 5e-7, "{wide} {rows}: {found}");
        // The same from the other end.
        let mut scene = scene;
        scene.contacts.reverse();
        let again = factor(&scene, &loads, &across);
        assert!((found - again).abs() <= 1e-12, "{found} {again}");
    }
}
