//! Random pairs: what holds for every answer, whatever the shapes. One file for each other source.

mod axis;
mod closed_form;
mod closed_form_half_space;
mod closest;
mod clump;
mod convex;
mod convex_exact;
mod convex_standing;
mod convex_touching;
mod feature;
mod mesh;
mod mesh_bends;
mod mesh_cracks;
mod mesh_sides;
mod mesh_slivers;
mod pierced;
mod reduce;
mod rim;
mod scene;
mod seam;
mod separation;

use proptest::prelude::*;

use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;
use scene::{one_way, turned};

fn shape() -> impl Strategy<Value = Shape> {
    let length = || 0.1..1.0;
    prop_oneof![
        length().prop_map(|r| Shape::sphere(r).unwrap()),
        [length(), length(), length()].prop_map(|half| Shape::cuboid(half).unwrap()),
        (length(), length()).prop_map(|(h, r)| Shape::capsule(h, r).unwrap()),
        (length(), length()).prop_map(|(h, r)| Shape::cylinder(h, r).unwrap()),
        proptest::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0f64], 8..30)
            .prop_filter_map("flat", |points| Shape::hull(&points).ok()),
    ]
}

fn pose(reach: f64) -> impl Strategy<Value = Pose> {
    let turn = || -3.0..3.0;
    ([-reach..reach, -reach..reach, -reach..reach], [turn(), turn(), turn()])
        .prop_map(|(place, turn)| turned(place[0], place[1], place[2], turn))
}

/// How far a shape reaches in a direction from the world's origin, by definition.
fn reach(shape: &Shape, pose: &Pose, direction: &Vec3) -> f64 {
    let local = pose.matrix.tr_mul(direction);
    let own = match shape {
        Shape::Sphere(sphere) => sphere.radius,
        Shape::Cuboid(cuboid) => cuboid.half_extents.dot(&local.abs()),
        Shape::Capsule(capsule) => capsule.half_height * local.z.abs() + capsule.radius,
        Shape::Cylinder(cylinder) => cylinder.half_height * local.z.abs() + cylinder.radius * local.x.hypot(local.y),
        Shape::Hull(hull) => hull.points.iter().map(|point| point.dot(&local)).fold(f64::NEG_INFINITY, f64::max),
        _ => unreachable!(),
    };
    own + pose.origin.dot(direction)
}

fn separation(a: (&Shape, &Pose), b: (&Shape, &Pose), normal: &Vec3) -> f64 {
    -reach(b.0, b.1, &-normal) - reach(a.0, a.1, normal)
}

/// The axis that separates most near a direction: the best of 64 directions around it, nearer and nearer.
fn climbed(a: (&Shape, &Pose), b: (&Shape, &Pose), from: Vec3) -> Vec3 {
    let (mut axis, mut step) = (from, 1e-2);
    while step > 1e-6 {
        let aside = axis.cross(&if axis.x.abs() < 0.5 { Vec3::x() } else { Vec3::y() }).normalize();
        let across = axis.cross(&aside);
        let around = (0..64).map(|k| {
            let (s, c) = (f64::from(k) * std::f64::consts::TAU / 64.0).sin_cos();
            (axis + step * (c * aside + s * across)).normalize()
        });
        let better = around.max_by(|x, y| separation(a, b, x).total_cmp(&separation(a, b, y)));
        match better.filter(|other| separation(a, b, other) > separation(a, b, &axis)) {
            Some(other) => axis = other,
            None => step *= 0.5,
        }
    }
    axis
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// No axis separates more than the deepest contact's own: sampled over the sphere and close to the axis found.
    #[test]
    fn the_normal_separates_most(a in shape(), b in shape(), place in pose(1.2)) {
        let here = turned(0.0, 0.0, 0.0, [0.3, -0.2, 0.5]);
        let (a, b) = ((&a, &here), (&b, &place));
        let margin = 0.2;
        let found = one_way(a, b, margin);
        // That nothing is found wrongly is the other test's matter.
        if found.is_empty() {
            return Ok(());
        }
        let best = found.iter().map(|contact| separation(a, b, &contact.normal)).fold(f64::NEG_INFINITY, f64::max);
        let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
        for k in 0..1000 {
            let z = 1.0 - (2.0 * f64::from(k) + 1.0) / 1000.0;
            let (s, c) = (golden * f64::from(k)).sin_cos();
            let direction = Vec3::new((1.0 - z * z).sqrt() * c, (1.0 - z * z).sqrt() * s, z);
            let other = separation(a, b, &direction);
            // On round shapes EPA ends with a direction that is not quite the best. A face is preferred to an axis within
            // 0.8 degrees of it that separates more by less than 1e-3 of the smaller shape. The size of that shape about
            // a point inside is below 3.5 here.
            let is_axis = |axis: &Vec3| axis.dot(&found[0].normal) > 0.9999;
            let tilted = || other <= best + 3.5e-3 && (is_axis(&direction) || is_axis(&climbed(a, b, direction)));
            prop_assert!(
                other <= best + 1e-6 || tilted(),
                "{direction:?} separates {other}, {:?} only {best}",
                found[0].normal
            );
        }
        for contact in &found {
            prop_assert!(contact.gap <= margin);
            prop_assert!((contact.normal.norm() - 1.0).abs() < 1e-14);
            // The gap of a point is at least what its axis separates: nothing is deeper than the shapes are.
            prop_assert!(contact.gap >= separation(a, b, &contact.normal) - 1e-12, "{contact:?}");
        }
    }

    /// The deepest gap is what the axis separates, and where nothing is found some axis separates more than the margin.
    #[test]
    fn the_deepest_gap_is_the_distance(a in shape(), b in shape(), place in pose(1.5)) {
        let here = turned(0.0, 0.0, 0.0, [0.3, -0.2, 0.5]);
        let (a, b) = ((&a, &here), (&b, &place));
        let margin = 0.1;
        let found = one_way(a, b, margin);
        if let Some(deepest) = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)) {
            let expected = separation(a, b, &deepest.normal);
            if expected >= 0.0 {
                // A face that is preferred to a tilted axis need not hold the corner that is closest to its plane; what
                // lies over the face is farther, by less than 1e-3 of the smaller shape's size, below 3.5 here.
                let flush = deepest.gap > expected && deepest.gap < expected + 3.5e-3;
                prop_assert!(
                    (deepest.gap - expected).abs() < 1e-9 || flush,
                    "{} against {expected}",
                    deepest.gap
                );
            }
        } else {
            // With room for the whole scene the contact is found, and says how far it is.
            let far = one_way(a, b, 9.0);
            let distance = far.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
            prop_assert!(distance > margin - 1e-9 && distance < 9.0, "nothing found, but the gap is {distance}");
        }
    }
}

/// Two boxes, one on the other, tilted by 1e-4 and not quite flush: two of their edges separate most, but the boxes meet
/// in an area.
#[test]
fn a_trace_of_tilt_leaves_four_corners() {
    let cube = Shape::cuboid([0.5; 3]).unwrap();
    let below = turned(0.0, 0.0, 0.0, [0.0, 0.0, 0.0]);
    for tilt in [1e-6, 1e-5, 1e-4, 1e-3] {
        let above = turned(1e-3, -2e-3, 1.0 - 0.3 * tilt, [tilt, -0.7 * tilt, 0.1 * tilt]);
        let found = one_way((&cube, &below), (&cube, &above), 0.01);
        assert_eq!(found.len(), 4, "at a tilt of {tilt}: {found:?}");
        for contact in &found {
            // The corners are 0.5 from the middle along both axes: their heights differ by tilt and 0.7 tilt.
            assert!((contact.gap + 0.3 * tilt).abs() <= 0.851 * tilt, "{contact:?}");
            assert!(contact.normal.z > 1.0 - tilt * tilt, "{contact:?}");
        }
    }
}

/// The same for two cylinders end on end, whose ends are octagons for the clipping.
#[test]
fn a_trace_of_tilt_leaves_cylinders_on_their_ends() {
    let cylinder = Shape::cylinder(0.5, 0.5).unwrap();
    let below = turned(0.0, 0.0, 0.0, [0.0, 0.0, 0.0]);
    for tilt in [1e-6, 1e-5, 1e-4, 1e-3] {
        let above = turned(1e-3, -2e-3, 1.0 - 0.3 * tilt, [tilt, -0.7 * tilt, 0.1 * tilt]);
        let found = one_way((&cylinder, &below), (&cylinder, &above), 0.01);
        assert!(found.len() >= 3, "at a tilt of {tilt}: {found:?}");
        for contact in &found {
            // No point is farther from the axis than 0.5, and the tilt is sqrt(1 + 0.7^2) = 1.221 times `tilt`.
            assert!((contact.gap + 0.3 * tilt).abs() <= 0.611 * tilt, "{contact:?}");
            assert!(contact.normal.z > 1.0 - tilt * tilt, "{contact:?}");
        }
    }
}

/// A regular prism of 16 sides about z, as a hull.
fn prism(radius: f64, half_height: f64) -> Shape {
    let turn = |k: u32| (f64::from(k) * std::f64::consts::PI / 8.0).sin_cos();
    let ring = |z: f64| (0..16).map(turn).map(move |(s, c)| [radius * c, radius * s, z]);
    Shape::hull(&ring(-half_height).chain(ring(half_height)).collect::<Vec<_>>()).unwrap()
}

/// Ends on each other bear on an area, whatever the trace of tilt and of offset, and in either order.
#[test]
fn ends_on_each_other_keep_three_points() {
    let cylinder = Shape::cylinder(0.5, 0.5).unwrap();
    let cube = Shape::cuboid([0.5; 3]).unwrap();
    let below = turned(0.0, 0.0, 0.0, [0.0; 3]);
    let pairs = [(&cylinder, &cylinder), (&cube, &cylinder), (&cylinder, &cube), (&prism(0.5, 0.5), &prism(0.5, 0.5))];
    for (lower, upper) in pairs {
        for tilt in [1e-6, 1e-5, 1e-4] {
            for heading in 0..24 {
                let (s, c) = (f64::from(heading) * 0.2617).sin_cos();
                for (offset, spin) in [(0.0, 0.0), (1e-6, 0.1), (1e-4, 0.0), (1e-3, 0.3), (1e-2, 0.0), (0.1, 0.2)] {
                    let turn = Quat::new(Vec3::new(s * tilt, -0.7 * c * tilt, 0.0)) * Quat::new(Vec3::z() * spin);
                    let above = Pose::new(Vec3::new(c * offset, s * offset, 1.0 - tilt), turn);
                    for flip in [false, true] {
                        let (a, b) = ((lower, &below), (upper, &above));
                        let found = if flip { one_way(b, a, 0.01) } else { one_way(a, b, 0.01) };
                        assert!(found.len() >= 3, "tilt {tilt}, offset {offset}, heading {heading}: {found:?}");
                        // Sunk by `tilt`, and within 0.71 + 0.1 of the middle the heights differ by less than 1 tilt:
                        // all overlap, and the deepest point is deeper than the middle.
                        let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
                        assert!(deepest < -tilt && deepest > -2.0 * tilt, "{deepest} at a tilt of {tilt}");
                    }
                }
            }
        }
    }
}

/// Cylinders that lie, or cross, are where they were: two points along the line of contact, one where they cross.
#[test]
fn a_trace_of_tilt_leaves_lying_cylinders() {
    let [cylinder, short] = [0.5, 0.4].map(|half_height| Shape::cylinder(half_height, 0.25).unwrap());
    let cube = Shape::cuboid([0.5; 3]).unwrap();
    let here = turned(0.0, 0.0, 0.0, [0.0; 3]);
    let quarter = Quat::from_axis_angle(&Vec3::y_axis(), std::f64::consts::FRAC_PI_2);
    for tilt in [1e-6, 1e-5, 1e-4] {
        let lean = Quat::new(Vec3::new(tilt, 0.6 * tilt, 0.0));
        let lying = Pose::new(Vec3::new(0.05, 0.05, 0.75), lean * quarter);
        let found = one_way((&cube, &here), (&short, &lying), 0.01);
        assert_eq!(found.len(), 2, "{found:?}");
        // At most 0.6 from the middle, on a slope of 0.6 tilt.
        assert!(found.iter().all(|contact| contact.gap.abs() < tilt && contact.normal.z > 1.0 - tilt * tilt));
        let lower = Pose::new(Vec3::zeros(), quarter);
        let crossed = Pose::new(
            Vec3::new(0.1, 0.05, 0.5),
            lean * Quat::from_axis_angle(&Vec3::x_axis(), std::f64::consts::FRAC_PI_2),
        );
        assert_eq!(one_way((&cylinder, &lower), (&cylinder, &crossed), 0.01).len(), 1);
    }
}
