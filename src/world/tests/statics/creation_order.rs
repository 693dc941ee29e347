//! Static forces do not depend on the order in which bodies are created.

use std::collections::BTreeMap;

use super::{STATIC, Scene, settings};
use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::math::Vec3;
use crate::shape::Shape;
use crate::solver::problem::order::shuffle;
use crate::world::settings::FrictionLaw;
use crate::world::{Settings, StaticReport};

/// One body of a pile: its half extents, none of a ball, its place and mass, and the force on it apart from its weight.
struct Piece {
    half: Option<[f64; 3]>,
    position: [f64; 3],
    mass: f64,
    push: [f64; 3],
}

/// Balls on a square of four by four, three by three and so on, each pushed by up to 0.1 N.
fn pyramid() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for layer in 0..4 {
        for at in 0..(4 - layer) * (4 - layer) {
            let [x, y] = [at / (4 - layer), at % (4 - layer)].map(|k| f64::from(k) + 0.5 * f64::from(layer));
            let position = [x, y, 0.5 + 0.5f64.sqrt() * f64::from(layer)];
            let number = pieces.len() as f64;
            let push = [0.1 * (2.0 * number).sin(), 0.1 * (3.0 * number).cos(), 0.0];
            pieces.push(Piece { half: None, position, mass: 1.0, push });
        }
    }
    pieces
}

/// Six rows of blocks 2 x 1, of which every second ends in halves, pushed by 0.3 of their weights.
fn wall() -> Vec<Piece> {
    let mut pieces = Vec::new();
    for row in 0..6 {
        let long = [(1.0, 1.0), (3.0, 1.0), (5.0, 1.0)];
        let with_halves = [(0.5, 0.5), (2.0, 1.0), (4.0, 1.0), (5.5, 0.5)];
        let blocks: &[(f64, f64)] = if row % 2 == 0 { &long } else { &with_halves };
        pieces.extend(blocks.iter().map(|(x, half)| Piece {
            half: Some([*half, 0.5, 0.5]),
            position: [*x, 0.0, f64::from(row) + 0.5],
            mass: 2.0 * half,
            push: [6.0 * half, 0.0, 0.0],
        }));
    }
    pieces
}

/// The sums of forces and of torques about the origin of all contacts of each pair of bodies, on the one of the higher number. The floor has
/// the number of pieces.
type Forces = BTreeMap<(usize, usize), [Vec3; 2]>;

/// Creates the bodies in an order, and solves an increment.
fn solved(pieces: &[Piece], order: &[usize], law: FrictionLaw, material: Material) -> (StaticReport, Forces) {
    let mut scene = Scene::new(Settings { friction_law: law, contact_margin: 0.01, ..settings() });
    let material = scene.world.add_material(material).expect("a material");
    let mut handles = vec![Handle::NULL; order.len()];
    for index in order {
        handles[*index] = match pieces.get(*index) {
            None => {
                scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() })
            }
            Some(Piece { half, position, mass, .. }) => {
                let shape = half.map_or(scene.sphere, |half| {
                    scene.world.add_shape(Shape::cuboid(half).expect("a box")).expect("memory")
                });
                let (position, mass) = (*position, *mass);
                scene.add(&Definition { shape, material, mass, position, ..Definition::default() })
            }
        };
    }
    for (piece, handle) in pieces.iter().zip(&handles) {
        scene.world.add_force(*handle, piece.push, None).expect("a force");
    }
    let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
    let mut forces = Forces::new();
    for contact in scene.world.contacts() {
        let number = |body: Handle| handles.iter().position(|handle| *handle == body).expect("a body");
        let (a, b) = (number(contact.body_a), number(contact.body_b));
        let sign = if a < b { 1.0 } else { -1.0 };
        let force = sign * (contact.normal_force * Vec3::from(contact.normal) + Vec3::from(contact.friction_force));
        let sums = forces.entry((a.min(b), a.max(b))).or_insert([Vec3::zeros(); 2]);
        sums[0] += force;
        sums[1] += Vec3::from(contact.point).cross(&force);
    }
    (report, forces)
}

/// Compares several orders of creation with the first one. `is_coulomb`: whether Coulomb's law is found where it is required.
fn check_orders(pieces: &[Piece], law: FrictionLaw, material: Material, is_coulomb: bool) {
    let name = format!("{law:?}, stiffness {}, friction {}", material.normal_stiffness, material.friction);
    let mut order: Vec<usize> = (0..=pieces.len()).collect();
    let (report, first) = solved(pieces, &order, law, material);
    assert!(report.is_converged && !report.is_collapse, "{name}: {report:?}");
    assert_eq!(report.is_associated, law == FrictionLaw::Coulomb && !is_coulomb, "{name}");
    let largest = first.values().map(|sums| sums[0].norm()).fold(0.0, f64::max);
    for seed in 0..4 {
        // The first of the others is the reverse.
        if seed == 0 {
            order.reverse()
        } else {
            shuffle(&mut order, seed, 0)
        }
        let (report, other) = solved(pieces, &order, law, material);
        assert!(report.is_converged, "{name}, order {seed}: {report:?}");
        assert!(other.keys().eq(first.keys()), "{name}, order {seed}: other pairs");
        for (pair, sums) in &other {
            let difference = (sums[0] - first[pair][0]).norm().max((sums[1] - first[pair][1]).norm());
            // What statics promises, with arms of up to 8 m; measured are some 1e-14 of the largest.
            assert!(difference <= 1e-9 * largest, "{name}, order {seed}, {pair:?}: {difference:e} of {largest}");
        }
    }
}

#[test]
fn static_forces_do_not_depend_on_the_order_of_creation() {
    for normal_stiffness in [0.0, 2e5] {
        let of = |friction: f64| Material { normal_stiffness, friction, ..Material::default() };
        check_orders(&pyramid(), FrictionLaw::Associated, of(0.6), true);
        check_orders(&pyramid(), FrictionLaw::Coulomb, of(1.5), true);
        // Friction of 0.6 does not hold these balls by Coulomb's law, so that the answer is the associated one.
        check_orders(&pyramid(), FrictionLaw::Coulomb, of(0.6), false);
        check_orders(&wall(), FrictionLaw::Associated, of(0.6), true);
        check_orders(&wall(), FrictionLaw::Coulomb, of(0.6), true);
    }
}
