//! Trees of hinges and sliders with bounded motors. Balance alone gives the force of each motor, so that what is carried is known.

use super::{Found, Random, Scene, solve};
use crate::math::{BodyRow, Symmetric3, Vec3};
use crate::solver::problem::{Jacobian, Row, Velocity};
use crate::solver::statics::Load;

/// A body, and the joint that holds it to an earlier body or to the world.
struct Link {
    position: Vec3,
    parent: Option<usize>,
    point: Vec3,
    axis: Vec3,
    is_hinge: bool,
}

fn links(random: &mut Random) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for number in 0..1 + random.index(7) {
        let position = random.vector(2.0);
        let point = if random.one_in(3) { position } else { random.vector(2.0) };
        let axis = if random.one_in(2) { Vec3::ith(random.index(3), 1.0) } else { random.direction() };
        let is_hinge = random.one_in(2);
        let parent = (number > 0 && !random.one_in(6)).then(|| random.index(number));
        links.push(Link { position, parent, point, axis, is_hinge });
    }
    links
}

/// What the motor of a link has to carry: all loads of the links that hang on it, along its axis.
fn needed(links: &[Link], loads: &[Load], of: usize) -> f64 {
    let hangs = |mut link: usize| {
        while link != of {
            let Some(parent) = links[link].parent else { return false };
            link = parent;
        }
        true
    };
    let Link { point, axis, is_hinge, .. } = &links[of];
    let along = |(link, load): (usize, &Load)| {
        let torque = load.torque + (links[link].position - point).cross(&load.force);
        -axis.dot(if *is_hinge { &torque } else { &load.force })
    };
    loads.iter().enumerate().filter(|(link, _)| hangs(*link)).map(along).sum()
}

/// The rows of a link's joint. The last one is that of its motor, which moves by so much within these bounds.
fn joint(links: &[Link], number: usize, (moved, bounds): (f64, [f64; 2])) -> [Row; 6] {
    let Link { position, parent, point, axis, is_hinge } = &links[number];
    let side = axis.cross(&if axis.x.abs() < 0.9 { Vec3::x() } else { Vec3::y() }).normalize();
    let axes = [side, axis.cross(&side), *axis];
    let push = |center: &Vec3, along: &Vec3| Jacobian { linear: *along, angular: (point - center).cross(along) };
    let turn = |along: &Vec3| Jacobian { linear: Vec3::zeros(), angular: *along };
    let row = |of: &dyn Fn(&Vec3) -> Jacobian, along: &Vec3, [lower, upper]: [f64; 2]| {
        let on_parent = parent.map_or(Jacobian::ZERO, |parent| match of(along) {
            Jacobian { linear, .. } if linear == Vec3::zeros() => turn(&-along),
            _ => push(&links[parent].position, &-along),
        });
        let (body_a, body_b) = (parent.map_or(BodyRow::NONE, BodyRow::from), BodyRow::from(number));
        let (jacobian_a, jacobian_b) = (on_parent, of(along));
        Row {
            body_a,
            body_b,
            jacobian_a,
            jacobian_b,
            rhs: 0.0,
            compliance: 0.0,
            lower,
            upper,
            friction_row: None,
            ball: None,
        }
    };
    let (pushes, free) = (|along: &Vec3| push(position, along), [f64::NEG_INFINITY, f64::INFINITY]);
    let of_push: &dyn Fn(&Vec3) -> Jacobian = &pushes;
    let of_turn: &dyn Fn(&Vec3) -> Jacobian = &turn;
    let (held, motor) = if *is_hinge { (of_push, of_turn) } else { (of_turn, of_push) };
    [
        row(of_push, &axes[0], free),
        row(of_push, &axes[1], free),
        row(of_turn, &axes[0], free),
        row(of_turn, &axes[1], free),
        row(held, axis, free),
        Row { rhs: moved, ..row(motor, axis, bounds) },
    ]
}

/// Bounds around a force, or beside it.
fn bounds(random: &mut Random, needed: f64, is_held: bool) -> [f64; 2] {
    let [below, above] = [0; 2].map(|_| random.magnitude(0.1, 300.0));
    match random.index(5) {
        _ if !is_held => [needed + below, needed + below + above],
        0 => [f64::NEG_INFINITY, needed + above],
        1 => [needed - below, f64::INFINITY],
        _ => [needed - below, needed + above],
    }
}

#[test]
fn bounded_motors_carry_what_balance_asks_of_them() {
    let mut random = Random(7);
    for case in 0..CASES {
        let links = links(&mut random);
        let mut scene = Scene::default();
        let loads: Vec<Load> = links
            .iter()
            .map(|_| {
                let mass = random.magnitude(0.1, 10.0);
                scene.body(mass, Symmetric3::diagonal([mass; 3]), Velocity::ZERO);
                let weight = Vec3::new(0.0, 0.0, -9.81 * mass);
                let added =
                    if random.one_in(2) { [random.vector(20.0), random.vector(10.0)] } else { [Vec3::zeros(); 2] };
                Load { force: weight + added[0], torque: added[1] }
            })
            .collect();
        let failing = random.one_in(4).then(|| random.index(links.len()));
        for number in 0..links.len() {
            let bounds = bounds(&mut random, needed(&links, &loads, number), failing != Some(number));
            let moved = if random.one_in(3) { random.between(-0.01, 0.01) } else { 0.0 };
            scene.rows.extend(joint(&links, number, (moved, bounds)));
        }
        let Found { outcome, moves, .. } = solve(&scene, &loads, 10.0);
        assert_eq!(outcome.is_collapse, failing.is_some(), "{case}: {outcome:?}");
        assert!(outcome.is_converged || outcome.is_collapse, "{case}: {outcome:?}");
        // No force is at its bound, so that all motors move as they are to.
        let off = scene.rows.iter().fold(0.0_f64, |off, row| off.max((row.speed(&moves) - row.rhs).abs()));
        assert!(outcome.is_collapse || off <= 1e-9, "{case}: {outcome:?}, {off:e} m off");
    }
}

/// Interior points with a slower proximal term failed in three of them.
const CASES: u32 = 720;
