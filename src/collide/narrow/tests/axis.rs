use super::scene::turned;
use crate::collide::narrow::axis::{Axis, box_edges};
use crate::collide::narrow::polytope::Bars;
use crate::math::{Pose, Vec3};

/// Edges of a box at this place.
fn bars(pose: &Pose, half: [f64; 3]) -> Bars {
    Bars::new(std::array::from_fn(|axis| pose.matrix.column(axis).into_owned()), &Vec3::from(half))
}

fn numbers(axis: &Axis) -> [u64; 4] {
    [axis.normal.x, axis.normal.y, axis.normal.z, axis.separation].map(f64::to_bits)
}

/// Whatever is left out, the axis that separates most is not, if it separates as much as was asked for.
#[test]
fn edges_that_are_left_out_separate_less() {
    let (mut left_out, mut found) = (0, 0);
    let turns = (0..400).map(|k| [0.37 * f64::from(k % 20), 0.83 * f64::from(k / 20), 0.11 * f64::from(k)]);
    for (k, turn) in turns.enumerate() {
        // Every third pair is as good as aligned: that of two boxes on each other.
        let turn = if k % 3 == 0 { turn.map(|angle| 1e-9 * angle) } else { turn };
        let (a, b) = (turned(0.0, 0.0, 0.0, [0.2, 0.1, 0.3]), turned(0.0, 0.0, 0.0, turn));
        let (a, b) = (bars(&a, [0.5, 0.4, 0.3]), bars(&b, [0.2, 0.6, 0.4]));
        let arm = Vec3::new(0.3 * turn[0].sin(), 0.5, 0.9 * turn[1].cos());
        let all = box_edges(&a, &b, &arm, f64::NEG_INFINITY).expect("edges that are not parallel");
        for min_separation in [-1.0, -0.1, -1e-3, all.separation - 1e-12, all.separation + 1e-12] {
            let Some(some) = box_edges(&a, &b, &arm, min_separation.min(0.0)) else {
                assert!(all.separation < min_separation.min(0.0), "{min_separation}: {all:?}");
                left_out += 1;
                continue;
            };
            if all.separation >= min_separation.min(0.0) {
                assert_eq!(numbers(&some), numbers(&all), "{min_separation}");
                found += 1;
            }
        }
    }
    assert!(left_out > 100 && found > 100, "{left_out} {found}");
}
