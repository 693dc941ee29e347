use super::scene::{box_hull, one_way};
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
