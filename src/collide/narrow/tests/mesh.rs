use std::f64::consts::FRAC_PI_2;

use super::scene::{assert_places, assert_vector, at, box_hull, meet, one_way, single, turned};
use crate::collide::narrow::ContactPoint;
use crate::math::{Pose, Quat, Quaternion, Vec3};
use crate::shape::Shape;

/// A square of 4 by 4 at height 0 in two triangles, the inner edge from (-2, -2) to (2, 2).
fn floor() -> Shape {
    let points = [[-2.0, -2.0, 0.0], [2.0, -2.0, 0.0], [2.0, 2.0, 0.0], [-2.0, 2.0, 0.0]];
    Shape::mesh(&points, &[[0, 1, 2], [0, 2, 3]]).unwrap()
}

/// The same in 8 by 8 squares, every triangle with points and a winding of its own.
fn fine_floor() -> Shape {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
        let corner = |di: i32, dj: i32| [f64::from(i + di) * 0.5 - 2.0, f64::from(j + dj) * 0.5 - 2.0, 0.0];
        let first = points.len() as u32;
        points.extend([corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 0), corner(0, 1), corner(1, 1)]);
        triangles.extend([[first, first + 1, first + 2], [first + 3, first + 4, first + 5]]);
    }
    Shape::mesh(&points, &triangles).unwrap()
}

/// A roof with a ridge along y at x = 0, falling with slope 1 on both sides.
fn roof() -> Shape {
    let points =
        [[-1.0, -2.0, -1.0], [0.0, -2.0, 0.0], [1.0, -2.0, -1.0], [-1.0, 2.0, -1.0], [0.0, 2.0, 0.0], [1.0, 2.0, -1.0]];
    Shape::mesh(&points, &[[0, 1, 4], [0, 4, 3], [1, 2, 5], [1, 5, 4]]).unwrap()
}

#[test]
fn ball_on_an_inner_edge_has_one_contact() {
    let ball = Shape::sphere(0.5).unwrap();
    for floor in [floor(), fine_floor()] {
        // On the diagonal, on a corner of the fine floor, and between.
        for (x, y) in [(0.3, 0.3), (0.5, 0.5), (0.0, 0.0), (0.25, -0.6)] {
            for gap in [-0.01, 0.0, 0.01] {
                let found = meet((&ball, &at(x, y, 0.5 + gap)), (&floor, &at(0.0, 0.0, 0.0)), 0.02);
                let contact = single(&found);
                assert_eq!(contact.normal, -Vec3::z());
                assert!((contact.gap - gap).abs() < 1e-15);
                assert_vector(&contact.point, [x, y, 0.5 * gap], 1e-15);
            }
        }
    }
}

#[test]
fn rolling_ball_has_one_normal() {
    let ball = Shape::sphere(0.5).unwrap();
    for floor in [floor(), fine_floor()] {
        for step in -1000..1000 {
            // Crosses the diagonal at 0.2, 0.2 in small steps, some of them below round-off of the place.
            let x = 0.2 + 1e-3 * f64::from(step).powi(3) * 1e-6;
            let found = meet((&ball, &at(x, 0.4 - x, 0.499)), (&floor, &at(0.0, 0.0, 0.0)), 0.02);
            assert_eq!(single(&found).normal, -Vec3::z(), "at {x}");
        }
    }
}

#[test]
fn both_sides_of_the_surface_are_solid() {
    let ball = Shape::sphere(0.5).unwrap();
    let found = meet((&ball, &at(0.1, 0.3, -0.49)), (&floor(), &at(0.0, 0.0, 0.0)), 0.02);
    assert_eq!(single(&found).normal, Vec3::z());
    assert!((single(&found).gap + 0.01).abs() < 1e-15);
}

#[test]
fn ball_on_a_ridge_in_a_valley_and_at_the_rim() {
    let ball = Shape::sphere(0.5).unwrap();
    // Above the ridge the edge is what is closest: the normal is vertical, and one contact for two triangles.
    let found = meet((&ball, &at(0.0, 0.1, 0.5)), (&roof(), &at(0.0, 0.0, 0.0)), 0.02);
    assert_eq!((single(&found).normal, single(&found).gap), (-Vec3::z(), 0.0));
    // Below it, in the valley of the other side, both slopes are touched: at distance sqrt(1/2) from the ridge.
    let depth = 0.5 / std::f64::consts::FRAC_1_SQRT_2;
    let found = meet((&ball, &at(0.0, 0.1, -depth)), (&roof(), &at(0.0, 0.0, 0.0)), 0.01);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.iter().all(|contact| contact.gap.abs() < 1e-15 && contact.normal.z > 0.7));
    // Beyond the outer rim, 3-4-5.
    let found = meet((&ball, &at(2.3, 0.0, 0.4)), (&floor(), &at(0.0, 0.0, 0.0)), 0.02);
    assert_vector(&single(&found).normal, [-0.6, 0.0, -0.8], 2e-15);
    assert!(single(&found).gap.abs() < 1e-15);
}

#[test]
fn box_rests_on_its_four_corners_wherever_the_inner_edges_run() {
    for shape in [Shape::cuboid([0.4, 0.3, 0.2]).unwrap(), box_hull([0.4, 0.3, 0.2])] {
        for floor in [floor(), fine_floor()] {
            for (x, y) in [(0.0, 0.0), (0.3, -0.2), (0.7, 0.7 - 1e-3), (1.0, 0.301)] {
                for gap in [-1e-3, -1e-9, 0.0, 1e-3] {
                    let found = meet((&shape, &at(x, y, 0.2 + gap)), (&floor, &at(0.0, 0.0, 0.0)), 0.01);
                    let (l, r, f, n) = (x - 0.4, x + 0.4, y + 0.3, y - 0.3);
                    let z = 0.5 * gap;
                    assert_places(&found, &[[l, n, z], [l, f, z], [r, n, z], [r, f, z]], 1e-15);
                    for contact in &found {
                        assert_eq!(contact.normal, -Vec3::z());
                        assert!((contact.gap - gap).abs() < 1e-15, "{contact:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn tumbling_shapes_meet_no_inner_edge() {
    let shapes = [
        Shape::cuboid([0.4, 0.3, 0.2]).unwrap(),
        box_hull([0.4, 0.3, 0.2]),
        Shape::capsule(0.3, 0.2).unwrap(),
        Shape::cylinder(0.3, 0.2).unwrap(),
    ];
    for (shape, floor) in shapes.iter().flat_map(|shape| [floor(), fine_floor()].map(|floor| (shape, floor))) {
        for step in 0..400 {
            let t = f64::from(step) * 0.0173;
            let turn = [t, 0.7 * t, -0.4 * t];
            let lowest = -shape.bounds(&turned(0.0, 0.0, 0.0, turn)).lower.z;
            // Pressed in by up to a millimetre, about the middle of the floor, across the diagonal.
            let gap = -1e-3 * (3.0 * t).sin().abs();
            let pose = turned(0.3 * t.sin(), 0.3 * (1.3 * t).cos(), lowest + gap, turn);
            let found = meet((shape, &pose), (&floor, &at(0.0, 0.0, 0.0)), 0.005);
            assert!(!found.is_empty(), "nothing at step {step}");
            for contact in &found {
                assert!((contact.normal + Vec3::z()).norm() < 1e-14, "step {step}: {contact:?}");
            }
            let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
            assert!((deepest - gap).abs() < 1e-9, "step {step}: {deepest} against {gap}");
        }
    }
}

#[test]
fn capsule_and_cylinder_lie_across_the_inner_edge() {
    let lying = |height: f64| turned(0.1, 0.0, height, [0.0, FRAC_PI_2, 0.0]);
    let here = at(0.0, 0.0, 0.0);
    let capsule = Shape::capsule(0.5, 0.25).unwrap();
    let ends = [[-0.4, 0.0, 0.0], [0.6, 0.0, 0.0]];
    let found = meet((&capsule, &lying(0.25)), (&floor(), &here), 0.01);
    assert!(ends.iter().all(|end| found.iter().any(|contact| (contact.point - Vec3::from(*end)).norm() < 1e-15)));
    let cylinder = Shape::cylinder(0.5, 0.25).unwrap();
    let found = meet((&cylinder, &lying(0.25)), (&floor(), &here), 0.01);
    assert!(ends.iter().all(|end| found.iter().any(|contact| (contact.point - Vec3::from(*end)).norm() < 1e-15)));
    assert!(found.iter().all(|contact| contact.gap.abs() < 1e-15 && contact.normal == -Vec3::z()));
}

#[test]
fn box_on_the_rim_of_a_table_is_not_pushed_sideways() {
    // A closed table top: the side walls meet the top in the edge x = 2. Half of the box hangs over.
    let (l, h) = (2.0, 0.5);
    let points = [[-l, -l, 0.0], [l, -l, 0.0], [l, l, 0.0], [-l, l, 0.0], [l, -l, -h], [l, l, -h]];
    let table = Shape::mesh(&points, &[[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]).unwrap();
    for shape in [Shape::cuboid([0.4, 0.3, 0.2]).unwrap(), box_hull([0.4, 0.3, 0.2])] {
        for (hang, lean) in [(0.0, 0.0), (0.0, 1e-3), (0.39, 0.0), (0.398, 1e-3), (-0.3, -1e-3)] {
            let pose = turned(l + hang, 0.1, 0.2 - 2e-3, [0.0, lean, 0.0]);
            let found = meet((&shape, &pose), (&table, &at(0.0, 0.0, 0.0)), 0.01);
            assert!(!found.is_empty());
            for contact in &found {
                assert!(contact.normal.z < -0.99, "hanging over by {hang}, leaning {lean}: {contact:?}");
            }
        }
    }
}

#[test]
fn a_box_in_a_corner_touches_floor_and_wall() {
    let l = 2.0;
    let points = [[-l, -l, 0.0], [l, -l, 0.0], [l, l, 0.0], [-l, l, 0.0], [l, -l, l], [l, l, l]];
    let corner = Shape::mesh(&points, &[[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2]]).unwrap();
    let shape = Shape::cuboid([0.4, 0.3, 0.2]).unwrap();
    let found = meet((&shape, &at(l - 0.4 + 1e-4, 0.1, 0.2 - 1e-3)), (&corner, &at(0.0, 0.0, 0.0)), 0.01);
    let (on_floor, on_wall): (Vec<ContactPoint>, Vec<ContactPoint>) =
        found.iter().partition(|contact| contact.normal == -Vec3::z());
    assert_eq!(on_floor.len(), 4, "{found:?}");
    assert!(on_wall.len() >= 3 && on_wall.iter().all(|contact| contact.normal == Vec3::x()), "{found:?}");
    assert!(on_floor.iter().all(|contact| (contact.gap + 1e-3).abs() < 1e-15));
    assert!(on_wall.iter().all(|contact| (contact.gap + 1e-4).abs() < 1e-15));
}

/// A flat surface 2 wide, in `n` by `n` squares of two triangles.
fn plate(n: u32) -> Shape {
    let place = |k: u32| 2.0 * f64::from(k) / f64::from(n) - 1.0;
    let points: Vec<[f64; 3]> = (0..=n).flat_map(|i| (0..=n).map(move |j| [place(i), place(j), 0.0])).collect();
    let corner = |i: u32, j: u32| i * (n + 1) + j;
    let squares = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    let triangles: Vec<[u32; 3]> = squares
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [corner(i, j), corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    Shape::mesh(&points, &triangles).unwrap()
}

/// Of many triangles below a box the four corners remain, whether it is flush, apart, pressed in or tilted.
#[test]
fn four_corners_remain_of_many_triangles() {
    let (plate, here) = (plate(64), at(0.0, 0.0, 0.0));
    for shape in [Shape::cuboid([0.7, 0.6, 0.2]).unwrap(), box_hull([0.7, 0.6, 0.2])] {
        for (gap, lean) in [(0.0, 0.0), (1e-3, 0.0), (-1e-3, 0.0), (-1e-2, 0.0), (-1e-3, 1e-4)] {
            let found = meet((&shape, &turned(0.01, 0.02, 0.2 + gap, [0.0, lean, 0.0])), (&plate, &here), 0.01);
            let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
            // Down by 0.7 of the lean at the end, and by its cosine.
            assert!((deepest - (gap - 0.7 * lean)).abs() < 1e-8, "{deepest} for {gap}, {lean}");
            assert!(found.iter().all(|contact| contact.normal.z < -1.0 + 1e-8));
            assert_eq!(found.len(), 4, "{found:?}");
            for (x, y) in [(-0.69, -0.58), (0.71, -0.58), (0.71, 0.62), (-0.69, 0.62)] {
                // A lean of 1e-4 moves the corners, 0.2 below the middle, by 2e-5.
                let near = |contact: &&ContactPoint| (contact.point.xy() - nalgebra::Vector2::new(x, y)).norm() < 3e-5;
                assert!(found.iter().any(|contact| near(&contact)), "no contact at {x}, {y}: {found:?}");
            }
        }
    }
}

/// A box beside a triangle whose upper edge is level with its lower side: corners of both sides are as far along the axis, and the closest one
/// counts.
#[test]
fn a_level_edge_beside_a_box_is_met_in_its_closest_corner() {
    let tile = Shape::mesh(&[[1.5, 0.5, -1.0], [1.5, 0.5, 0.0], [2.5, 0.5, 0.0]], &[[0, 1, 2]]).expect("a mesh");
    let shape = Shape::cuboid([0.4, 0.4, 0.1]).expect("a box");
    let pose = at(1.0629479166666667, 0.071, 0.1);
    let found = meet((&tile, &at(0.0, 0.0, 0.0)), (&shape, &pose), 0.05);
    let gap = (1.5f64 - 1.4629479166666667).hypot(0.5 - 0.471);
    assert!(found.len() == 1 && (found[0].gap - gap).abs() < 1e-15 && found[0].point.z.abs() < 1e-15, "{found:?}");
}

/// A tip that stands in a valley, or sank into it within one step, is held from below wherever the line of the valley is.
#[test]
fn a_tip_in_a_valley_is_held() {
    for (slope, lean) in [3e-6, 1e-3, 0.05, 0.3].into_iter().flat_map(|slope| [0.1, 0.4, 1.0].map(|lean| (slope, lean)))
    {
        let points = [[0.0, -5.0, 0.0], [0.0, 5.0, 0.0], [-5.0, 0.0, 5.0 * slope], [5.0, 0.0, 5.0 * slope]];
        let valley = Shape::mesh(&points, &[[0, 1, 2], [1, 0, 3]]).expect("a mesh");
        let corners = [[0.0; 3], [lean, 0.0, 1.0], [-lean, 0.0, 1.0], [0.0, lean, 1.0], [0.0, -lean, 1.0]];
        let tip = Shape::hull(&corners).expect("a hull");
        for (x, depth) in [0.0, 1e-7, 1e-5, 1e-3].into_iter().flat_map(|x| [1e-6, 1e-3, 0.03].map(|depth| (x, depth))) {
            let pose = at(x, 0.1, slope * x - depth);
            let found = one_way((&tip, &pose), (&valley, &at(0.0, 0.0, 0.0)), 1e-3);
            let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
            let expected = -depth / slope.hypot(1.0);
            // The points may be those of its sides, cut off at the line: less deep than the tip, by up to 5.6 here.
            assert!(deepest <= 0.1 * expected, "{slope}, {lean}, {x}, {depth}: {found:?}");
            assert!(found.iter().any(|contact| contact.normal.z < -0.95), "{slope}, {lean}, {x}, {depth}: {found:?}");
        }
    }
}

/// A cylinder beside a thin closed plate, less than the margin away, overlaps none of its sides.
#[test]
fn nothing_overlaps_beside_a_thin_plate() {
    let corner = |bits: i32| [0, 1, 2].map(|axis| [1.0, 1.0, 0.01][axis] * f64::from(2 * (bits >> axis & 1) - 1));
    let points: Vec<[f64; 3]> = (0..8).map(corner).collect();
    let sides =
        [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6]];
    let plate = Shape::mesh(&points, &[sides.as_slice(), &[[1, 3, 5], [3, 7, 5]]].concat()).expect("a mesh");
    let cylinder = Shape::cylinder(0.4, 0.25).expect("a cylinder");
    let places = [
        ([-0.460, 0.9457, -0.3152], [0.81343, 0.10233, -0.12867, 0.55795]),
        ([-0.8417, 0.155, -0.3668], [0.75102, 0.35546, 0.54944, 0.0879]),
    ];
    for (position, [x, y, z, w]) in places {
        let turn = Quat::new_normalize(Quaternion::new(w, x, y, z));
        let pose = Pose::new(Vec3::from(position), turn);
        let found = one_way((&cylinder, &pose), (&plate, &at(0.0, 0.0, 0.0)), 0.05);
        assert!(!found.is_empty() && found.iter().all(|contact| contact.gap > 0.01), "{found:?}");
    }
}

/// Lying over triangles it is parallel to them, so that searches see shapes in a plane.
#[test]
fn a_lying_capsule_touches_below_its_ends_wherever_it_is() {
    let capsule = Shape::capsule(0.3, 0.1).unwrap();
    for floor in [floor(), fine_floor()] {
        for number in 0..2000 {
            // Places and turns that are spread evenly.
            let part = |step: f64| (step * f64::from(number)).fract();
            let (x, y, turn) = (2.0 * part(0.618_034) - 1.0, 2.0 * part(0.754_878) - 1.0, 3.0 * part(0.569_84));
            let turn = if number % 4 == 0 { 0.0 } else { turn };
            let lying =
                Quat::from_axis_angle(&Vec3::z_axis(), turn) * Quat::from_axis_angle(&Vec3::y_axis(), FRAC_PI_2);
            let found = meet((&capsule, &Pose::new(Vec3::new(x, y, 0.1), lying)), (&floor, &at(0.0, 0.0, 0.0)), 0.02);
            assert!(
                found.iter().all(|contact| contact.normal == -Vec3::z() && contact.gap.abs() < 1e-15),
                "{x} {y} {turn}"
            );
            for side in [-0.3, 0.3] {
                let end = Vec3::new(x + side * turn.cos(), y + side * turn.sin(), 0.0);
                assert!(found.iter().any(|contact| (contact.point - end).norm() < 1e-14), "{x} {y} {turn}: {found:?}");
            }
        }
    }
}

/// Corners of others divide a triangle of a flat floor into parts, one of which is 1e-6 wide. A cylinder stands beside it.
#[test]
fn a_sliver_in_a_flat_floor_has_no_contact_of_its_own() {
    let [near, far] = [[-0.5596876720868015, 3.4884584432135215, 0.0], [-0.5596768906083163, 3.4884326488298854, 0.0]];
    let corner = [0.633585643047823, 0.633585643047823, 0.0];
    let points = [
        [0.5319721066266466, 1.1832397307375544, 0.0],
        corner,
        [4.0, 4.0, 0.0],
        near,
        [0.01124283594397646, 4.0, 0.0],
        far,
        [-2.8878646935600463, 4.0, 0.0],
        [-0.7735006620246718, 4.0, 0.0],
    ];
    let floor = Shape::mesh(&points, &[[0, 1, 2], [3, 4, 1], [5, 6, 7]]).expect("a mesh");
    let cylinder = Shape::cylinder(0.2, 0.7).expect("a cylinder");
    let found = one_way((&cylinder, &at(-0.585650734, 1.89547789, 0.2)), (&floor, &at(0.0, 0.0, 0.0)), 0.04);
    assert!(found.len() >= 3, "{found:?}");
    for contact in &found {
        assert!(contact.normal.z < -1.0 + 1e-12 && contact.gap.abs() <= 1e-15, "{contact:?}");
    }
}
