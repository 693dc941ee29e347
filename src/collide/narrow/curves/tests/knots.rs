use super::{found, placed};
use crate::math::{Pose, Quat, Vec2, Vec3};
use crate::shape::nurbs::Curve;
use crate::shape::nurbs::tests::grains::grain;
use crate::shape::{CurveContacts, CurveDefinition, Shape};

#[test]
fn samples_that_overlap_touch() {
    let of = |j: u32, samples_per_span: u32| CurveDefinition {
        contacts: CurveContacts::Knots,
        samples_per_span,
        ..grain(j)
    };
    for samples in [1, 4] {
        let definitions = [of(0, samples), of(9, samples)];
        let shapes = definitions.each_ref().map(|definition| Shape::nurbs_curve(definition).unwrap());
        let curves = definitions.each_ref().map(|definition| Curve::new(definition).unwrap());
        let poses = [Pose::world(), Pose::new(Vec3::new(0.75, 0.1, 0.0), Quat::from_euler_angles(0.0, 0.0, 1.0))];
        let contacts = found(placed(&shapes[0], &poses[0]), placed(&shapes[1], &poses[1]), 0.01);
        // Every sample of both, one by one.
        let mut expected = 0;
        for (own, other) in [(0, 1), (1, 0)] {
            for piece in 0..curves[own].outline.count() {
                for at in 0..samples {
                    let point = curves[own].outline.at(piece, f64::from(at) / f64::from(samples)).point;
                    let local = poses[other].to_local(&poses[own].to_world(&Vec3::new(point.x, point.y, 0.0)));
                    let foot = curves[other].outline.nearest(&Vec2::new(local.x, local.y));
                    expected += usize::from(foot.distance <= 0.01);
                }
            }
        }
        assert!(expected > 0);
        assert_eq!(contacts.len(), expected);
        let mut features: Vec<u64> = contacts.iter().map(|contact| contact.feature).collect();
        features.sort_unstable();
        features.dedup();
        assert_eq!(features.len(), expected);
        assert!(contacts.iter().all(|contact| contact.normal.x > 0.0));
    }
}
