use super::{found, placed};
use crate::math::{Pose, Quat, Vec2, Vec3};
use crate::shape::Shape;
use crate::shape::nurbs::Curve;
use crate::shape::nurbs::tests::grains::{circle, grain};

/// Two grains move towards each other until their centres meet. While they overlap they always have a contact whose
/// normal leads out of the other grain.
#[test]
fn grains_that_overlap_always_touch() {
    for j in 0..16 {
        let definitions = [grain(j), grain((7 * j + 2) % 16)];
        let shapes = definitions.each_ref().map(|definition| Shape::nurbs_curve(definition).unwrap());
        let curves = definitions.each_ref().map(|definition| Curve::new(definition).unwrap());
        for step in 0..50 {
            let angle = f64::from(j) + 0.01 * f64::from(step);
            let origin = Vec3::new(angle.cos(), angle.sin(), 0.0) * (0.025 * f64::from(step));
            let poses = [Pose::world(), Pose::new(origin, Quat::from_euler_angles(0.0, 0.0, 2.0 * angle))];
            let deepest = (0..curves[0].outline.count()).map(|piece| {
                let local = poses[1].to_local(&curves[0].outline.start(piece).push(0.0));
                curves[1].outline.nearest(&Vec2::new(local.x, local.y)).distance
            });
            let contacts = found(placed(&shapes[0], &poses[0]), placed(&shapes[1], &poses[1]), 0.0);
            if deepest.fold(f64::INFINITY, f64::min) < 0.0 {
                assert!(contacts.iter().any(|contact| contact.gap < 0.0), "grain {j}, step {step}");
            }
        }
    }
}

#[test]
fn a_disk_in_a_disk_leaves_the_nearest_way() {
    let shapes = [circle(1.0), circle(0.25)].map(|definition| Shape::nurbs_curve(&definition).unwrap());
    let pose = Pose::new(Vec3::new(0.3, 0.4, 0.0), Quat::identity());
    for order in [[0, 1], [1, 0]] {
        let poses = [Pose::world(), pose];
        let [a, b] = order.map(|at| placed(&shapes[at], &poses[at]));
        let contacts = found(a, b, 0.0);
        // The centre is 0.5 from the middle. A move of 0.5 + 0.25 more takes the small disk out.
        let [contact] = contacts[..] else { panic!("{contacts:?}") };
        let sign = if order[0] == 0 { 1.0 } else { -1.0 };
        assert!((contact.gap + 0.75).abs() < 1e-12, "{contact:?}");
        assert!((contact.normal - Vec3::new(0.6, 0.8, 0.0) * sign).norm() < 1e-9, "{contact:?}");
    }
}
