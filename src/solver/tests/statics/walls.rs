//! Walls whose limit load has many nearly open and nearly unloaded contacts.

use super::super::limit_load::solve;
use super::super::random::{Random, Scene, plain};
use super::{BodyRow, Contact, Friction, Load, Symmetric3, Vec3, Velocity, force, planar};

/// A running bond of `wide` blocks of 2 m by 1 m by 0.5 m in each of some rows; every second row has halves at its ends. Friction is
/// 0.6. Two faces touch at their corners, whose places along the wall are off by up to `noise`.
fn wall(wide: usize, rows: usize, is_planar: bool, noise: f64) -> (Scene, [Vec<Load>; 2]) {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let (mut weights, mut random) = (Vec::new(), Random(7));
    // The body, middle and half width of blocks of the row below.
    let mut below = vec![(BodyRow::NONE, wide as f64, wide as f64 + 1.0)];
    for row in 0..rows {
        let mut ends: Vec<f64> = (0..=wide).map(|at| 2.0 * at as f64).collect();
        if row % 2 == 1 {
            ends = (0..wide).map(|at| 2.0 * at as f64 + 1.0).collect();
            ends.insert(0, 0.0);
            ends.push(2.0 * wide as f64);
        }
        let mut blocks: Vec<(BodyRow, f64, f64)> = Vec::new();
        for pair in ends.windows(2) {
            let (middle, half) = (0.5 * (pair[0] + pair[1]), 0.5 * (pair[1] - pair[0]));
            let body = match is_planar {
                true => planar(&mut scene),
                false => scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO),
            };
            weights.push(half);
            for (other, other_middle, other_half) in &below {
                let ends =
                    [(middle - half).max(other_middle - other_half), (middle + half).min(other_middle + other_half)];
                touch(&mut scene, [(*other, *other_middle, 0.5), (body, middle, -0.5)], ends, || {
                    random.between(-noise, noise)
                });
            }
            if let Some((left, left_middle, left_half)) = blocks.last() {
                for (y, z) in [(-0.5, -0.25), (-0.5, 0.25), (0.5, -0.25), (0.5, 0.25)] {
                    let (arm_a, arm_b) = (Vec3::new(*left_half, y, z), Vec3::new(-half, y, z));
                    assert!((left_middle + left_half - middle + half).abs() <= 1e-12);
                    scene.contacts.push(Contact { arm_a, arm_b, friction: 0.6, ..plain(*left, body, Vec3::x()) });
                }
            }
            blocks.push((body, middle, half));
        }
        below = blocks;
    }
    let loads = [Vec3::new(0.0, -1.0, 0.0), Vec3::new(1.0, 0.0, 0.0)];
    let of_all =
        |direction: Vec3| weights.iter().map(|weight| force(weight * direction.x, weight * direction.y, 0.0)).collect();
    (scene, loads.map(of_all))
}

/// Adds the contacts of a bed joint between `ends`, of two bodies with their middles and the heights of their faces.
fn touch(
    scene: &mut Scene,
    [(a, middle_a, y_a), (b, middle_b, y_b)]: [(BodyRow, f64, f64); 2],
    ends: [f64; 2],
    mut shift: impl FnMut() -> f64,
) {
    if ends[1] <= ends[0] {
        return;
    }
    for (x, z) in ends.into_iter().flat_map(|x| [(x, -0.25), (x, 0.25)]) {
        let x = x + shift();
        let (arm_a, arm_b) = (Vec3::new(x - middle_a, y_a, z), Vec3::new(x - middle_b, y_b, z));
        scene.contacts.push(Contact { arm_a, arm_b, friction: 0.6, ..plain(a, b, Vec3::y()) });
    }
}

/// The linear programs of the plane have these limits. Off by round-off and by 1e-9 m, contacts nearly open and nearly carry nothing.
#[test]
fn limits_of_large_walls_are_proven() {
    let (small, large) = ((5, 10, 0.523696034422726), (10, 20, 0.450258595622973));
    for ((wide, rows, expected), is_planar, noise) in [
        (small, true, 0.0),
        (small, true, 1e-9),
        (small, false, 0.0),
        (small, false, 1e-9),
        (large, true, 1e-9),
        (large, false, 1e-12),
    ] {
        let (scene, [loads, unit_loads]) = wall(wide, rows, is_planar, noise);
        let outcome = solve(&scene, &loads, &unit_loads).outcome;
        assert!(outcome.is_converged && !outcome.is_collapse, "{wide} {is_planar} {noise:e}: {outcome:?}");
        // Errors of a limit are below 1e-9. Places that are off by 1e-9 of a metre change it by a like part.
        assert!((outcome.factor - expected).abs() <= 2e-9, "{wide} {is_planar} {noise:e}: {outcome:?}");
    }
}
