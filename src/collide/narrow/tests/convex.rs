use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2, FRAC_PI_4};

use super::scene::{assert_places, assert_vector, at, box_hull, meet, one_way, single, turned};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// What exact arithmetic would leave, for shapes of size 1: a handful of roundings.
const ROUND_OFF: f64 = 1e-15;

fn cube() -> Shape {
    Shape::cuboid([0.5; 3]).unwrap()
}

/// As a box and as a hull: both must answer alike.
fn cubes() -> [Shape; 2] {
    [cube(), box_hull([0.5; 3])]
}

#[test]
fn aligned_boxes_rest_on_exactly_four_corners() {
    for (a, b) in cubes().iter().flat_map(|a| cubes().map(|b| (a.clone(), b))) {
        for gap in [-1e-3, -1e-9, 0.0, 1e-9, 1e-3] {
            let found = meet((&a, &at(0.0, 0.0, 0.0)), (&b, &at(0.0, 0.0, 1.0 + gap)), 0.01);
            let z = 0.5 + 0.5 * gap;
            let corners = [[-0.5, -0.5, z], [-0.5, 0.5, z], [0.5, -0.5, z], [0.5, 0.5, z]];
            assert_places(&found, &corners, ROUND_OFF);
            for contact in &found {
                assert_eq!(contact.normal, Vec3::z());
                assert!((contact.gap - gap).abs() < ROUND_OFF, "{} against {gap}", contact.gap);
            }
        }
    }
}

#[test]
fn features_survive_round_off() {
    // Moving a cube on another by noise must not change which contact is which.
    let features = |noise: f64| {
        let pose = turned(noise, -noise, 1.0 + noise, [noise, -noise, 2.0 * noise]);
        let mut features: Vec<u64> = one_way((&cube(), &at(0.0, 0.0, 0.0)), (&cube(), &pose), 0.01)
            .iter()
            .map(|contact| contact.feature)
            .collect();
        features.sort_unstable();
        features
    };
    let still = features(0.0);
    assert_eq!(still.len(), 4);
    for noise in [1e-16, -1e-16, 1e-14, -1e-14, 1e-12, -1e-12, 1e-9, -1e-9] {
        assert_eq!(features(noise), still, "at {noise}");
    }
}

#[test]
fn half_offset_boxes_meet_on_the_common_rectangle() {
    for upper in cubes() {
        let found = meet((&cube(), &at(0.0, 0.0, 0.0)), (&upper, &at(0.5, 0.0, 1.0)), 0.01);
        assert_places(&found, &[[0.0, -0.5, 0.5], [0.0, 0.5, 0.5], [0.5, -0.5, 0.5], [0.5, 0.5, 0.5]], ROUND_OFF);
        assert!(found.iter().all(|contact| contact.gap == 0.0 && contact.normal == Vec3::z()));
    }
}

#[test]
fn crossed_planks_meet_on_the_common_square() {
    // No corner of either lies over the other.
    let plank = Shape::cuboid([2.0, 0.5, 0.1]).unwrap();
    let upper = turned(0.0, 0.0, 0.2, [0.0, 0.0, FRAC_PI_2]);
    let found = meet((&plank, &at(0.0, 0.0, 0.0)), (&plank, &upper), 0.01);
    assert_places(&found, &[[-0.5, -0.5, 0.1], [-0.5, 0.5, 0.1], [0.5, -0.5, 0.1], [0.5, 0.5, 0.1]], 4.0 * ROUND_OFF);
}

#[test]
fn a_corner_above_a_face() {
    // Standing on its corner a cube reaches sqrt(3)/2 down; the face of the other is at 0.5.
    let balance = Quat::rotation_between(&Vec3::new(1.0, 1.0, 1.0), &-Vec3::z()).unwrap();
    for upper in cubes() {
        for gap in [-0.01, 0.0, 0.01] {
            let pose = Pose::new(Vec3::new(0.1, 0.2, 0.5 + 0.75f64.sqrt() + gap), balance);
            let found = meet((&cube(), &at(0.0, 0.0, 0.0)), (&upper, &pose), 0.02);
            let lowest = found.iter().min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap();
            assert!((lowest.gap - gap).abs() < ROUND_OFF);
            assert_vector(&lowest.normal, [0.0, 0.0, 1.0], ROUND_OFF);
            assert_vector(&lowest.point, [0.1, 0.2, 0.5 + 0.5 * gap], ROUND_OFF);
        }
    }
}

#[test]
fn crossed_edges() {
    // One cube on its edge along x, the other hanging over it with an edge along y: 2 * sqrt(1/2) between the middles.
    let lower = turned(0.0, 0.0, 0.0, [FRAC_PI_4, 0.0, 0.0]);
    for (a, b) in cubes().iter().flat_map(|a| cubes().map(|b| (a.clone(), b))) {
        for gap in [-0.01, 0.0, 0.01] {
            let upper = turned(0.1, 0.2, 2.0 * FRAC_1_SQRT_2 + gap, [0.0, FRAC_PI_4, 0.0]);
            let found = meet((&a, &lower), (&b, &upper), 0.02);
            let contact = single(&found);
            // The bound asked for; the axis is exact where boxes meet, within it from the search for hulls.
            assert!((contact.gap - gap).abs() < 1e-12, "{} against {gap}", contact.gap);
            assert_vector(&contact.normal, [0.0, 0.0, 1.0], 1e-12);
            // The lower edge is y = 0, the upper one x = 0.1.
            assert_vector(&contact.point, [0.1, 0.0, FRAC_1_SQRT_2 + 0.5 * gap], 1e-12);
        }
    }
}

#[test]
fn parallel_edges_meet_at_two_points() {
    let lower = turned(0.0, 0.0, 0.0, [FRAC_PI_4, 0.0, 0.0]);
    for (a, b) in cubes().iter().flat_map(|a| cubes().map(|b| (a.clone(), b))) {
        let upper = turned(0.25, 0.0, 2.0 * FRAC_1_SQRT_2 + 0.01, [FRAC_PI_4, 0.0, 0.0]);
        let found = meet((&a, &lower), (&b, &upper), 0.02);
        let z = FRAC_1_SQRT_2 + 0.005;
        assert_places(&found, &[[-0.25, 0.0, z], [0.5, 0.0, z]], 1e-12);
        assert!(found.iter().all(|contact| (contact.gap - 0.01).abs() < 1e-12));
    }
}

#[test]
fn corner_to_corner_and_edge_to_corner() {
    for (a, b) in cubes().iter().flat_map(|a| cubes().map(|b| (a.clone(), b))) {
        // 1-2-2 between the corners (1/2, 1/2, 1/2) and (0.6, 0.7, 0.7).
        let found = meet((&a, &at(0.0, 0.0, 0.0)), (&b, &at(1.1, 1.2, 1.2)), 0.5);
        let contact = single(&found);
        assert!((contact.gap - 0.3).abs() < 1e-12, "{}", contact.gap);
        assert_vector(&contact.normal, [1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0], 1e-12);
        assert_vector(&contact.point, [0.55, 0.6, 0.6], 1e-12);
        // 3-4-5 between parallel edges, with half their length in common.
        let found = meet((&a, &at(0.0, 0.0, 0.0)), (&b, &at(1.3, 1.4, 0.5)), 0.6);
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|contact| (contact.gap - 0.5).abs() < 1e-12));
        assert_places(&found, &[[0.65, 0.7, 0.0], [0.65, 0.7, 0.5]], 1e-12);
    }
}

#[test]
fn gaps_are_never_above_the_margin_and_none_beyond_it() {
    for (a, b) in cubes().iter().flat_map(|a| cubes().map(|b| (a.clone(), b))) {
        let near =
            |x: f64, y: f64, z: f64, margin: f64| meet((&a, &at(0.0, 0.0, 0.0)), (&b, &at(x, y, z)), margin).len();
        assert_eq!(near(1.1, 1.2, 1.2, 0.29), 0);
        assert_eq!(near(0.0, 0.0, 1.3, 0.29), 0);
        assert_eq!(near(0.0, 0.0, 5.0, 0.3), 0);
        assert!(near(0.0, 0.0, 1.25, 0.25) == 4);
    }
    // One side of a leaning box is beyond the margin: 0.5 high at 0.1 rad is 0.1 above at its far end.
    let leaning = turned(0.0, 0.0, 0.5 * 0.1f64.cos() + 0.5 * 0.1f64.sin() + 0.5, [0.0, 0.1, 0.0]);
    let found = meet((&cube(), &at(0.0, 0.0, 0.0)), (&cube(), &leaning), 0.01);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|contact| contact.gap.abs() < ROUND_OFF));
}

#[test]
fn capsules_crossed_aligned_and_end_to_end() {
    let capsule = Shape::capsule(1.0, 0.25).unwrap();
    let flat = turned(0.0, 0.0, 0.0, [0.0, FRAC_PI_2, 0.0]);
    // Crossed at right angles, 0.6 apart: gap 0.1.
    let crossed = turned(0.3, 0.2, 0.6, [FRAC_PI_2, 0.0, 0.0]);
    let found = meet((&capsule, &flat), (&capsule, &crossed), 0.2);
    let contact = single(&found);
    assert!((contact.gap - 0.1).abs() < ROUND_OFF);
    assert_vector(&contact.point, [0.3, 0.0, 0.3], ROUND_OFF);
    // Side by side, overlapping along half: two points, at the ends of what is common.
    let overlap_serial = turned(1.0, 0.5, 0.0, [0.0, FRAC_PI_2, 0.0]);
    let found = meet((&capsule, &flat), (&capsule, &overlap_serial), 0.2);
    assert_places(&found, &[[0.0, 0.25, 0.0], [1.0, 0.25, 0.0]], ROUND_OFF);
    assert!(found.iter().all(|contact| contact.gap.abs() < ROUND_OFF));
    // In line, the ends 0.7 apart: gap 0.2.
    let in_line = turned(2.7, 0.0, 0.0, [0.0, FRAC_PI_2, 0.0]);
    let found = meet((&capsule, &flat), (&capsule, &in_line), 0.3);
    assert!((single(&found).gap - 0.2).abs() < ROUND_OFF);
    assert_vector(&single(&found).normal, [1.0, 0.0, 0.0], ROUND_OFF);
    // Axes that cross have no direction between them: across both.
    let through = turned(0.0, 0.0, 0.0, [FRAC_PI_2, 0.0, 0.0]);
    let found = one_way((&capsule, &flat), (&capsule, &through), 0.0);
    assert!((single(&found).gap + 0.5).abs() < ROUND_OFF);
    assert!((single(&found).normal.z.abs() - 1.0).abs() < ROUND_OFF);
}

#[test]
fn slightly_turned_capsules_keep_two_points_with_true_gaps() {
    // Turned by 1e-4 about their common normal: at an end, 1 from the middle, the axes pass 1e-4 beside each other.
    let capsule = Shape::capsule(1.0, 0.25).unwrap();
    let lower = turned(0.0, 0.0, 0.0, [0.0, FRAC_PI_2, 0.0]);
    let upper = Pose::new(
        Vec3::new(0.0, 0.0, 0.5),
        Quat::from_axis_angle(&Vec3::z_axis(), 1e-4) * Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2),
    );
    let found = one_way((&capsule, &lower), (&capsule, &upper), 0.01);
    // The two ends, and the crossing in the middle, which is deeper by 1e-8.
    assert_eq!(found.len(), 3, "{found:?}");
    let expected = (0.25 + 1e-8 / (1.0 + 1e-8f64)).sqrt() - 0.5;
    for contact in found.iter().filter(|contact| contact.point.x.abs() > 0.5) {
        assert!((contact.gap - expected).abs() < 1e-12, "{} against {expected}", contact.gap);
    }
}

#[test]
fn capsule_lies_on_a_box_and_ball_meets_a_hull() {
    let (capsule, flat) = (Shape::capsule(0.25, 0.125).unwrap(), turned(0.1, 0.0, 0.625, [0.0, FRAC_PI_2, 0.0]));
    for lower in cubes() {
        let found = meet((&lower, &at(0.0, 0.0, 0.0)), (&capsule, &flat), 0.01);
        assert_places(&found, &[[-0.15, 0.0, 0.5], [0.35, 0.0, 0.5]], ROUND_OFF);
        assert!(found.iter().all(|contact| contact.gap.abs() < ROUND_OFF && contact.normal == Vec3::z()));
    }
    let ball = Shape::sphere(0.25).unwrap();
    let hull = box_hull([0.5; 3]);
    let ball_at = |x: f64, y: f64, z: f64| *single(&meet((&ball, &at(x, y, z)), (&hull, &at(0.0, 0.0, 0.0)), 1.0));
    assert!(ball_at(0.1, 0.2, 0.75).gap.abs() < ROUND_OFF);
    // 3-4-5 from an edge, 1-2-2 from a corner; then inside, 0.1 below the top.
    assert!((ball_at(0.8, 0.9, 0.0).gap - 0.25).abs() < 1e-14);
    assert!((ball_at(0.6, 0.7, 0.7).gap - 0.05).abs() < 1e-14);
    let inside = ball_at(0.0, 0.0, 0.4);
    assert!((inside.gap + 0.35).abs() < ROUND_OFF && inside.normal == -Vec3::z());
}

#[test]
fn cylinder_stands_and_lies_on_a_box_and_on_its_like() {
    let cylinder = Shape::cylinder(0.5, 0.25).unwrap();
    let top =
        |contact: &crate::collide::narrow::ContactPoint| contact.gap.abs() < ROUND_OFF && contact.normal == Vec3::z();
    for lower in cubes() {
        let found = meet((&lower, &at(0.0, 0.0, 0.0)), (&cylinder, &at(0.1, 0.0, 1.0)), 0.01);
        assert_eq!(found.len(), 8);
        assert!(found.iter().all(top));
        // On the rim itself.
        assert!(
            found.iter().all(|contact| ((contact.point - Vec3::new(0.1, 0.0, 0.5)).norm() - 0.25).abs() < ROUND_OFF)
        );
        let lying = turned(0.0, 0.1, 0.75, [0.0, FRAC_PI_2, 0.0]);
        let found = meet((&lower, &at(0.0, 0.0, 0.0)), (&cylinder, &lying), 0.01);
        assert_places(&found, &[[-0.5, 0.1, 0.5], [0.5, 0.1, 0.5]], ROUND_OFF);
    }
    let found = meet((&cylinder, &at(0.0, 0.0, 0.0)), (&cylinder, &at(0.0, 0.0, 1.0)), 0.01);
    assert_eq!(found.len(), 8);
    assert!(found.iter().all(top));
}

#[test]
fn crossed_cylinders_touch_at_their_sides() {
    let cylinder = Shape::cylinder(0.5, 0.25).unwrap();
    let lower = turned(0.0, 0.0, 0.0, [0.0, FRAC_PI_2, 0.0]);
    for gap in [-0.01, 0.01] {
        let upper = turned(0.1, 0.2, 0.5 + gap, [FRAC_PI_2, 0.0, 0.0]);
        let found = meet((&cylinder, &lower), (&cylinder, &upper), 0.02);
        // The search for round shapes ends at a direction good to 1e-7 or so; the gap is good to its square.
        let contact = single(&found);
        assert!((contact.gap - gap).abs() < 1e-12, "{} against {gap}", contact.gap);
        assert!((contact.normal.z - 1.0).abs() < 1e-12, "{:?}", contact.normal);
    }
}

#[test]
fn faces_with_many_corners_bear_on_all_sides() {
    // A prism with twelve sides stands on a cube: the middle of the prism is well inside what eight points span.
    let ring = |z: f64| {
        (0..12)
            .map(move |k| (f64::from(k) * std::f64::consts::FRAC_PI_6).sin_cos())
            .map(move |(s, c)| [0.3 * c, 0.3 * s, z])
    };
    let prism = Shape::hull(&ring(-0.5).chain(ring(0.5)).collect::<Vec<_>>()).unwrap();
    let found = meet((&cube(), &at(0.0, 0.0, 0.0)), (&prism, &at(0.0, 0.0, 1.0)), 0.01);
    assert_eq!(found.len(), 8);
    for heading in 0..16 {
        let (s, c) = (f64::from(heading) * FRAC_PI_4 / 2.0).sin_cos();
        let reach = found.iter().map(|contact| contact.point.x * c + contact.point.y * s).fold(0.0, f64::max);
        // Without four of the twelve corners, no two of which are neighbours, each side is at least 0.3 cos(30 degrees) away.
        assert!(reach > 0.259, "{reach} at {heading}");
    }
}

#[test]
fn scale_does_not_matter() {
    // The same scene in micrometres and in megametres.
    for scale in [1e-6, 1e6] {
        let shape = box_hull([0.5 * scale; 3]);
        let upper = turned(1.1 * scale, 1.2 * scale, 1.2 * scale, [0.0; 3]);
        let contact = *single(&meet((&shape, &at(0.0, 0.0, 0.0)), (&shape, &upper), 0.5 * scale));
        assert!((contact.gap / scale - 0.3).abs() < 1e-12, "{}", contact.gap / scale);
    }
}

#[test]
fn what_touches_an_end_between_its_rim_and_its_octagon_is_not_lost() {
    // At 22.5 degrees the rim is at 1 and the octagon's side at cos 22.5 = 0.924. The capsule's outer end is at 0.96, 0.005
    // above the face, and its inner end higher by 0.01.
    let cylinder = Shape::cylinder(0.5, 1.0).unwrap();
    let capsule = Shape::capsule(0.5, 0.25).unwrap();
    let heading = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::PI / 8.0);
    let tilt = Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2 + 0.01f64.asin());
    let end = Vec3::new(0.96, 0.0, 0.5 + 0.25 + 0.005);
    let middle = end - tilt * Vec3::new(0.0, 0.0, 0.5);
    let pose = Pose::new(heading * middle, heading * tilt);
    let found = meet((&cylinder, &at(0.0, 0.0, 0.0)), (&capsule, &pose), 0.02);
    let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
    assert!((deepest - 0.005).abs() < ROUND_OFF, "{found:?}");
}

#[test]
fn balls_and_rims_slightly_beyond_an_edge_have_the_gap_to_the_edge() {
    // The face is nearly as good an axis there as the one to the edge.
    for half in cubes() {
        for beyond in [0.0, 1e-12, 1e-10, 1e-8, 1e-7, 1e-6, 3e-6, 1e-5, 1e-4, 1e-3] {
            let ball = (Shape::sphere(0.5).unwrap(), at(0.5 + beyond, 0.1, 1.0 + 1e-9));
            let rod = (Shape::capsule(0.3, 0.5).unwrap(), turned(0.5 + beyond, 0.1, 1.0 + 1e-9, [FRAC_PI_2, 0.0, 0.0]));
            let drum =
                (Shape::cylinder(0.3, 0.5).unwrap(), turned(0.5 + beyond, 0.1, 1.0 + 1e-9, [FRAC_PI_2, 0.0, 0.0]));
            for (shape, pose) in [ball, rod, drum] {
                let gap = beyond.hypot(0.5 + 1e-9) - 0.5;
                let found = meet((&half, &at(0.0, 0.0, 0.0)), (&shape, &pose), 0.01);
                assert!(!found.is_empty(), "{shape:?} {beyond}");
                for contact in found {
                    assert!((contact.gap - gap).abs() < 1e-12, "{shape:?} {beyond}: {} against {gap}", contact.gap);
                }
            }
        }
    }
}
