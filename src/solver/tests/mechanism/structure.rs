//! Which bodies and rows make a mechanism, the pattern of its factor, and the bits of its results.

use super::scene::{Scene, WORLD};
use super::{ports, random_tree};
use crate::math::{BodyRow, RowId, Vec3};
use crate::solver::mechanism::{BodyImpulse, Mechanism, Mechanisms, is_bilateral};
use crate::solver::problem::{Jacobian, MassInverse};
use crate::solver::tests::random::Random;

/// A row of zeros between two bodies.
fn join(scene: &mut Scene, pair: [BodyRow; 2]) {
    scene.row(pair, [Jacobian::ZERO; 2]);
}

#[test]
fn components_are_found() {
    let mut scene = Scene::default();
    for body in 0..8 {
        let mass = MassInverse { linear: Vec3::repeat(if body == 4 { 0.0 } else { 1.0 }), ..MassInverse::ZERO };
        scene.body(mass, Vec3::zeros());
    }
    let pairs = [[6, 2], [1, 4], [4, 3], [2, 7], [7, 6], [0, 5]];
    for [a, b] in pairs {
        join(&mut scene, [a, b].map(BodyRow));
    }
    scene.rows[5].lower = 0.0;
    join(&mut scene, [BodyRow(3), WORLD]);
    join(&mut scene, [WORLD, BodyRow(4)]);
    let mut found = Mechanisms::default();
    // Twice: the workspace is used again.
    for _ in 0..2 {
        found.find(&scene.problem()).expect("memory");
        // The immovable body 4 joins nothing, the row with a bound neither; the last row moves nothing.
        let expected: [(&[u32], &[u32]); 3] = [(&[1], &[1]), (&[2, 6, 7], &[0, 3, 4]), (&[3], &[2, 6])];
        assert_eq!(found.len(), 3);
        for (parts, (bodies, rows)) in found.iter().zip(expected) {
            assert!(parts.bodies.iter().map(|body| body.0).eq(bodies.iter().copied()), "{parts:?}");
            assert!(parts.rows.iter().map(|row| row.0).eq(rows.iter().copied()), "{parts:?}");
        }
    }
    assert_eq!(found.of_body(BodyRow(7)), Some(1));
    assert_eq!([0, 4, 9].map(|body| found.of_body(BodyRow(body))), [None; 3]);
    assert_eq!((found.of_body(WORLD), found.get(3)), (None, None));
    scene.rows.clear();
    found.find(&scene.problem()).expect("memory");
    assert!(found.is_empty());
}

#[test]
fn a_row_with_bounds_is_not_bilateral() {
    let mut scene = Scene::default();
    join(&mut scene, [BodyRow(0), WORLD]);
    let row = scene.rows[0];
    assert!(is_bilateral(&row));
    let with_friction = crate::solver::Row { friction_row: Some(RowId(0)), ..row };
    let others = [crate::solver::Row { lower: 0.0, ..row }, crate::solver::Row { upper: 5.0, ..row }, with_friction];
    assert!(others.iter().all(|row| !is_bilateral(row)));
}

#[test]
fn trees_fill_nothing() {
    let mut random = Random(21);
    for anchored in [false, true] {
        let scene = random_tree(&mut random, 60, [1.0, 1.0], anchored);
        // Below the diagonal are the rows of each joint with its bodies; the own blocks of joints; the own blocks of
        // bodies that are not leaves.
        let mut sizes = std::collections::BTreeMap::new();
        for row in &scene.rows {
            *sizes.entry([row.body_a.min(row.body_b), row.body_a.max(row.body_b)]).or_insert(0) += 1;
        }
        let (mut upper_bound, mut joints) = (0, 0);
        for ([_, high], size) in &sizes {
            joints += 1;
            upper_bound += 6 * size * if *high == WORLD { 1 } else { 2 } + size * (size - 1) / 2;
        }
        upper_bound += 15 * scene.masses.len();
        let entries = scene.mechanism().factor_entries();
        assert!(entries <= upper_bound && entries >= upper_bound - 15 * joints, "{entries} {upper_bound}");
    }
}

#[test]
fn a_ring_fills_little() {
    let mut scene = Scene::default();
    let count = 100;
    for body in 0..count {
        let angle = 0.0628 * f64::from(body);
        scene.ball(1.0, 0.1, Vec3::new(angle.cos(), angle.sin(), 0.0));
    }
    for body in 0..count {
        let pair = [BodyRow(body), BodyRow((body + 1) % count)];
        scene.pin(pair, scene.centres[pair[1]]);
    }
    // Three rows of each joint with two bodies, with itself, and with at most two other joints when it is eliminated.
    let upper_bound = count as usize * (2 * 18 + 3 + 2 * 9);
    let entries = scene.mechanism().factor_entries();
    assert!(entries <= upper_bound, "{entries} {upper_bound}");
}

/// The bits of an answer.
fn bits(scene: &Scene, bodies: std::ops::Range<usize>, mechanism: &mut Mechanism) -> Vec<u64> {
    let (mut velocities, mut lambda) = (scene.velocities.clone(), vec![0.0; scene.rows.len()]);
    let result = mechanism.constrain(&scene.rows, &mut velocities, &mut lambda).expect("memory");
    let (mut b, mut changes) = (Vec::new(), Vec::new());
    let all: Vec<BodyRow> = BodyRow::range(bodies.clone()).collect();
    mechanism.mobility(&scene.problem(), &ports(&all), &mut b).expect("they are in it");
    let hit = BodyImpulse { body: all[0], impulse: Vec3::new(1.0, 2.0, 3.0), moment: Vec3::new(-1.0, 0.5, 0.2) };
    mechanism.response(hit, &mut changes).expect("memory");
    let of_rows = scene.rows.iter().zip(&lambda).filter(|(row, _)| bodies.contains(&row.body_b.index()));
    let mut all: Vec<f64> = of_rows.map(|(_, lambda)| *lambda).collect();
    for velocity in velocities[bodies].iter().chain(&changes) {
        all.extend(velocity.linear.iter().chain(velocity.angular.iter()));
    }
    all.extend(b);
    all.push(result.residual);
    all.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn bits_do_not_depend_on_what_is_beside() {
    let mut random = Random(22);
    let mut scene = Scene::default();
    for body in 0..9 {
        scene.random_body(&mut random, 1.0 + f64::from(body));
    }
    for body in 1..9 {
        let (point, axis) = (random.vector(1.0), random.direction());
        scene.hinge([BodyRow(body / 2), BodyRow(body)], point, axis);
    }
    scene.hinge([BodyRow(3), BodyRow(8)], random.vector(1.0), Vec3::x());
    scene.scatter_rows(&mut random, true);
    let mut alone = scene.mechanism();
    let expected = bits(&scene, 0..9, &mut alone);
    assert_eq!(expected, bits(&scene, 0..9, &mut alone), "a second time");
    assert_eq!(expected, bits(&scene, 0..9, &mut scene.mechanism()), "another workspace");
    // Another mechanism comes before it, and rows of both are mixed.
    let mut both = random_tree(&mut random, 5, [1.0, 2.0], true);
    let others = std::mem::take(&mut both.rows);
    both.masses.extend(&scene.masses);
    both.velocities.extend(&scene.velocities);
    for (index, row) in scene.rows.iter().enumerate() {
        both.rows.extend(others.get(index));
        let [body_a, body_b] = [row.body_a, row.body_b].map(|body| BodyRow(body.0 + 5));
        both.rows.push(crate::solver::Row { body_a, body_b, ..*row });
    }
    let (mut found, mut mechanism) = (Mechanisms::default(), Mechanism::default());
    found.find(&both.problem()).expect("memory");
    assert_eq!(found.len(), 2);
    // The workspace of one mechanism serves for the other.
    for parts in found.iter() {
        assert!(mechanism.factor(&both.problem(), parts).expect("memory"));
    }
    assert_eq!(expected, bits(&both, 5..14, &mut mechanism), "beside another one");
}

#[test]
fn a_kept_pattern_gives_the_same_bits() {
    let mut random = Random(23);
    let scene = random_tree(&mut random, 8, [1.0, 2.0], true);
    let mut other = scene.clone();
    other.velocities.iter_mut().for_each(|velocity| velocity.linear *= 2.0);
    other.masses.iter_mut().for_each(|mass| mass.linear *= 3.0);
    let expected = bits(&other, 0..8, &mut other.mechanism());
    let (mut found, mut mechanism) = (Mechanisms::default(), scene.mechanism());
    found.find(&other.problem()).expect("memory");
    let parts = found.get(0).expect("a mechanism");
    assert!(mechanism.factor(&other.problem(), parts).expect("memory"));
    assert_eq!(expected, bits(&other, 0..8, &mut mechanism));
}

#[test]
fn what_is_not_finite_is_not_factored() {
    let mut scene = random_tree(&mut Random(24), 4, [1.0, 2.0], true);
    scene.rows[1].jacobian_b.linear.x = f64::NAN;
    let (mut found, mut mechanism) = (Mechanisms::default(), Mechanism::default());
    found.find(&scene.problem()).expect("memory");
    let parts = found.get(0).expect("a mechanism");
    assert!(!mechanism.factor(&scene.problem(), parts).expect("memory"));
    let before = scene.velocities.clone();
    let mut velocities = scene.velocities.clone();
    mechanism.constrain(&scene.rows, &mut velocities, &mut []).expect("memory");
    assert_eq!(velocities, before);
    assert!(mechanism.bodies().is_empty());
}
