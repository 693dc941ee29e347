use crate::math::{Aabb, Pose, Quat, Vec3, tangents};
use proptest::prelude::*;

/// Five roundings of numbers below 1 make up each product below, and a unit normal is itself rounded.
const ORTHONORMAL: f64 = 1e-15;

fn assert_right_handed(normal: &Vec3) {
    let (t1, t2) = tangents(normal);
    let defects = [
        ("|t1|", t1.norm() - 1.0),
        ("|t2|", t2.norm() - 1.0),
        ("t1 . t2", t1.dot(&t2)),
        ("n . t1", normal.dot(&t1)),
        ("n . t2", normal.dot(&t2)),
        ("n x t1 - t2", (normal.cross(&t1) - t2).amax()),
        ("t1 x t2 - n", (t1.cross(&t2) - normal).amax()),
        ("t2 x n - t1", (t2.cross(normal) - t1).amax()),
    ];
    for (what, defect) in defects {
        assert!(defect.abs() <= ORTHONORMAL, "{what} is off by {defect:e} for n = {normal:?}");
    }
}

/// `count` directions spread evenly over the sphere.
fn directions(count: usize) -> impl Iterator<Item = Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    (0..count).map(move |k| {
        let z = 1.0 - (2 * k + 1) as f64 / count as f64;
        let (sine, cosine) = (golden * k as f64).sin_cos();
        let radius = (1.0 - z * z).sqrt();
        Vec3::new(radius * cosine, radius * sine, z).normalize()
    })
}

#[test]
fn tangents_are_orthonormal_and_right_handed_all_over_the_sphere() {
    directions(20_000).for_each(|normal| assert_right_handed(&normal));
}

#[test]
fn tangents_are_orthonormal_at_the_poles_the_axes_and_the_diagonals() {
    let signs = [-1.0, -0.0, 0.0, 1.0];
    for x in signs {
        for y in signs {
            for z in signs {
                let direction = Vec3::new(x, y, z);
                if direction != Vec3::zeros() {
                    assert_right_handed(&(direction / direction.norm()));
                }
            }
        }
    }
}

#[test]
fn tangents_are_orthonormal_near_the_poles_and_the_equator() {
    for tiny in [1e-3, 1e-7, 1e-8, 1e-9, 1e-16, 1e-160, f64::MIN_POSITIVE, 5e-324] {
        for (x, y) in [(tiny, 0.0), (0.0, -tiny), (-tiny, tiny)] {
            for pole in [-1.0, 1.0] {
                assert_right_handed(&Vec3::new(x, y, pole).normalize());
                assert_right_handed(&Vec3::new(pole, x, y).normalize());
                assert_right_handed(&Vec3::new(x, pole, y).normalize());
            }
        }
    }
}

#[test]
fn either_zero_of_z_has_its_own_frame() {
    // sign = -1, a = 1, b = 0: t1 = (1 - 1, 0, 1), t2 = (0, -1, 0).
    let below = tangents(&Vec3::new(1.0, 0.0, -0.0));
    assert_eq!(below, (Vec3::z(), -Vec3::y()));
    // sign = 1, a = -1, b = 0: t1 = (1 - 1, 0, -1), t2 = (0, 1, 0).
    let above = tangents(&Vec3::new(1.0, 0.0, 0.0));
    assert_eq!(above, (-Vec3::z(), Vec3::y()));
}

#[test]
fn the_poles_have_the_axes_as_tangents() {
    // z = 1: sign = 1, a = -1/2, b = 0: (1, 0, 0) and (0, 1, 0). z = -1: sign = -1, a = 1/2: (1, 0, 0) and (0, -1, 0).
    assert_eq!(tangents(&Vec3::z()), (Vec3::x(), Vec3::y()));
    assert_eq!(tangents(&-Vec3::z()), (Vec3::x(), -Vec3::y()));
}

#[test]
fn a_quarter_turn_takes_x_to_y() {
    let rotation = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
    let pose = Pose::new(Vec3::new(10.0, 20.0, 30.0), rotation);
    // x -> y, y -> -x, z -> z; each entry of the matrix is within 2 eps, and 30 has a rounding of 4e-15.
    let world = pose.to_world(&Vec3::new(1.0, 2.0, 3.0));
    assert!((world - Vec3::new(8.0, 21.0, 33.0)).amax() <= 1e-14, "{world:?}");
    assert_eq!(
        Pose::new(Vec3::zeros(), Quat::identity()).to_world(&Vec3::new(1.0, 2.0, 3.0)),
        Vec3::new(1.0, 2.0, 3.0)
    );
}

fn vector(reach: f64) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vec3::from)
}

proptest! {
    #[test]
    fn tangents_are_orthonormal_for_any_normal(direction in vector(1.0)) {
        prop_assume!(direction.norm() > 1e-3);
        assert_right_handed(&direction.normalize());
    }

    #[test]
    fn a_point_comes_back_from_a_pose(origin in vector(100.0), turn in vector(4.0), local in vector(100.0)) {
        let pose = Pose::new(origin, Quat::from_scaled_axis(turn));
        // Coordinates up to 280: each of about ten roundings is below 280 eps = 6e-14.
        let back = pose.to_local(&pose.to_world(&local));
        prop_assert!((back - local).amax() <= 6e-13, "{local:?} came back as {back:?}");
        let there = pose.to_world(&pose.to_local(&local));
        prop_assert!((there - local).amax() <= 6e-13, "{local:?} came back as {there:?}");
    }

    #[test]
    fn the_matrix_of_a_pose_is_its_rotation(turn in vector(4.0), local in vector(1.0)) {
        let pose = Pose::new(Vec3::zeros(), Quat::from_scaled_axis(turn));
        // Two ways of some ten roundings each, of numbers below sqrt(3).
        let difference = pose.to_world(&local) - pose.rotation * local;
        prop_assert!(difference.amax() <= 20.0 * f64::EPSILON, "{difference:?}");
        prop_assert!((pose.to_world(&local).norm() - local.norm()).abs() <= 20.0 * f64::EPSILON);
    }
}

fn unit_box_at(lower: Vec3) -> Aabb {
    Aabb { lower, upper: lower + Vec3::repeat(1.0) }
}

#[test]
fn boxes_that_share_a_face_an_edge_or_a_corner_overlap() {
    let still = unit_box_at(Vec3::zeros());
    for x in [-1.0, 0.0, 1.0] {
        for y in [-1.0, 0.0, 1.0] {
            for z in [-1.0, 0.0, 1.0] {
                let other = unit_box_at(Vec3::new(x, y, z));
                assert!(still.overlaps(&other), "{other:?}");
                assert!(other.overlaps(&still), "{other:?}");
            }
        }
    }
}

#[test]
fn boxes_apart_along_one_axis_by_round_off_do_not_overlap() {
    let still = unit_box_at(Vec3::zeros());
    for axis in 0..3 {
        // The smallest number above 1 as lower corner, and one just below 0 as upper one.
        let mut above = still;
        above.lower[axis] = 1.0 + f64::EPSILON;
        above.upper[axis] = 2.0;
        let mut below = still;
        below.lower[axis] = -1.0;
        below.upper[axis] = -f64::MIN_POSITIVE;
        for other in [above, below] {
            assert!(!still.overlaps(&other), "axis {axis}: {other:?}");
            assert!(!other.overlaps(&still), "axis {axis}: {other:?}");
        }
    }
}

#[test]
fn a_box_inside_another_overlaps_it() {
    let outer = Aabb { lower: Vec3::repeat(-10.0), upper: Vec3::repeat(10.0) };
    let inner = unit_box_at(Vec3::new(3.0, -2.0, 1.0));
    assert!(outer.overlaps(&inner));
    assert!(inner.overlaps(&outer));
    let point = Aabb { lower: Vec3::repeat(10.0), upper: Vec3::repeat(10.0) };
    assert!(outer.overlaps(&point), "a point on the corner touches");
}

#[test]
fn growing_moves_every_side_by_the_margin() {
    // Multiples of 1/4: exact.
    let grown = unit_box_at(Vec3::new(1.0, 2.0, 3.0)).grown(0.25);
    assert_eq!(grown, Aabb { lower: Vec3::new(0.75, 1.75, 2.75), upper: Vec3::new(2.25, 3.25, 4.25) });
}
