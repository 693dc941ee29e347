use super::scene::{box_hull, one_way, turned};
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// A cylinder that stands on a plank, over its side or corner, touches it where both are: also with a part of its rim only.
#[test]
fn the_end_of_a_cylinder_touches_a_plank_where_both_are() {
    let [x, y] = [0.7, 0.15];
    let corners = [[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]];
    let planks = [
        (Shape::mesh(&corners, &[[0, 1, 2], [0, 2, 3]]).expect("a mesh"), 0.0),
        (Shape::cuboid([x, y, 0.5]).expect("a box"), -0.5),
        (box_hull([x, y, 0.5]), -0.5),
    ];
    let mut slivers = 0;
    for number in 0..6000 {
        // Places and turns that are spread evenly.
        let part = |step: f64| (step * f64::from(number)).fract();
        let (plank, height) = &planks[number as usize % 3];
        let radius = 0.05 + 0.4 * part(0.618_034);
        let (at_x, at_y) = (1.2 * (2.0 * part(0.754_878) - 1.0), 0.6 * (2.0 * part(0.569_84) - 1.0));
        let tilt = [0.0, 0.0, 1e-12, 1e-6][number as usize / 3 % 4];
        let turn =
            Quat::from_axis_angle(&Vec3::x_axis(), tilt) * Quat::from_axis_angle(&Vec3::z_axis(), 6.0 * part(0.71));
        let cylinder = Shape::cylinder(0.2, radius).expect("a cylinder");
        let pose = Pose::new(Vec3::new(at_x, at_y, 0.2 - 1e-4), turn);
        let off = Vec3::new((at_x.abs() - x).max(0.0), (at_y.abs() - y).max(0.0), 0.0).norm();
        let below = Pose::new(Vec3::new(0.0, 0.0, *height), Quat::identity());
        let found = one_way((&cylinder, &pose), (plank, &below), 1e-3);
        let case = format!("{number}: radius {radius}, {off} off: {found:?}");
        // Over less than a few times the depth a push sideways is as near.
        if off < radius - 1e-3 {
            assert!(found.iter().any(|contact| contact.normal.z < -0.99 && contact.gap < 0.0), "{case}");
        }
        for contact in found.iter().filter(|contact| contact.normal.z < -0.99 && contact.gap < 0.0) {
            let [p, q] = [contact.point.x, contact.point.y];
            // Corners that are less than a part of 1e-6 outside of a face stay as they are.
            assert!(p.abs() <= x + 1e-6 && q.abs() <= y + 1e-6, "{case}");
            // The tilt of 1e-6 moves points by that part of the height.
            assert!((p - at_x).hypot(q - at_y) <= radius + 1e-6, "{case}");
        }
        slivers += u32::from(off > radius * 0.93 && off < radius - 1e-3);
    }
    assert!(slivers > 50, "{slivers}");
}

/// The lowest point of a tilted cylinder over a floor of small triangles: none of them is deeper in it.
#[test]
fn no_triangle_of_a_floor_is_deeper_in_a_tilted_cylinder_than_its_lowest_point() {
    let side = 24;
    let at = |i: u32, j: u32| {
        // Moved within the floor, so that triangles have all directions.
        let moved = |step: f64| 0.08 * ((step * f64::from(31 * i + j)).fract() - 0.5);
        [0.12 * (f64::from(i) - 12.0) + moved(0.754_878), 0.12 * (f64::from(j) - 12.0) + moved(0.569_84), 0.0]
    };
    let points: Vec<[f64; 3]> = (0..=side).flat_map(|i| (0..=side).map(move |j| at(i, j))).collect();
    let number = |i: u32, j: u32| i * (side + 1) + j;
    let triangles: Vec<[u32; 3]> = (0..side)
        .flat_map(|i| (0..side).map(move |j| (i, j)))
        .flat_map(|(i, j)| {
            let [a, b, c, d] = [number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)];
            [[a, b, c], [a, c, d]]
        })
        .collect();
    let floor = Shape::mesh(&points, &triangles).expect("a mesh");
    for case in 0..2000 {
        let part = |step: f64| (step * f64::from(case)).fract();
        let (half, radius) = (0.05 + 0.3 * part(0.618_034), 0.05 + 0.3 * part(0.31));
        let cylinder = Shape::cylinder(half, radius).expect("a cylinder");
        let tilt = 0.1 + 1.3 * part(0.71);
        let turn =
            Quat::from_axis_angle(&Vec3::z_axis(), 6.0 * part(0.43)) * Quat::from_axis_angle(&Vec3::x_axis(), tilt);
        let gap = [-0.05, -1e-4, 1e-4, 0.04][case as usize % 4] * half.min(radius);
        let height = half * tilt.cos() + radius * tilt.sin() + gap;
        let pose = Pose::new(Vec3::new(part(0.754_878) - 0.5, part(0.569_84) - 0.5, height), turn);
        let ground = Pose::new(Vec3::zeros(), Quat::identity());
        let found = one_way((&cylinder, &pose), (&floor, &ground), 0.05);
        let least = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        assert!((least - gap).abs() <= 1e-12, "{case}: {least:e}, expected {gap:e}, tilt {tilt}: {found:?}");
    }
}

/// A corner inside a cylinder is found at every margin: a large one also takes points that are apart.
#[test]
fn a_corner_in_a_cylinder_is_found_at_every_margin() {
    let [x, y, z] = [0.3, 0.2, 0.25];
    let shapes = [Shape::cuboid([x, y, z]).expect("a box"), box_hull([x, y, z])];
    let mut inside = 0;
    for number in 0..20_000 {
        // Places and turns that are spread evenly.
        let part = |step: f64| (step * f64::from(number)).fract() - 0.5;
        let (radius, half) = (0.2 + 0.2 * (part(0.618_034) + 0.5), 0.15);
        let turn = [part(0.754_878), part(0.569_84), part(0.219)].map(|angle| 0.6 * angle);
        let pose = turned(1.2 * part(0.71), 1.2 * part(0.135), 0.8 * part(0.3047), turn);
        let corner = |bits: u32| {
            let sign = |axis: u32| if bits >> axis & 1 == 1 { 1.0 } else { -1.0 };
            pose.origin + pose.matrix * Vec3::new(sign(0) * x, sign(1) * y, sign(2) * z)
        };
        let depth = |point: Vec3| (radius - point.x.hypot(point.y)).min(half - point.z.abs());
        if !(0..8).any(|bits| depth(corner(bits)) > 1e-3) {
            continue;
        }
        inside += 1;
        let cylinder = Shape::cylinder(half, radius).expect("a cylinder");
        for margin in [1e-3, 0.1, 10.0] {
            let shape = &shapes[number as usize % 2];
            let found = one_way((shape, &pose), (&cylinder, &Pose::new(Vec3::zeros(), Quat::identity())), margin);
            let deepest = found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
            assert!(deepest < 0.0, "{number}, margin {margin}: {deepest}");
        }
    }
    assert!(inside > 1000, "{inside}");
}
