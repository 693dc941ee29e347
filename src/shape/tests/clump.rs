use crate::error::ErrorKind;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::{PartDefinition, Shape};

pub(super) fn part(shape: Shape, position: [f64; 3]) -> PartDefinition {
    PartDefinition { shape, position, rotation: [0.0, 0.0, 0.0, 1.0], density_factor: 1.0 }
}

fn refused(parts: &[PartDefinition]) -> String {
    let error = Shape::clump(parts).expect_err("a clump that is none");
    assert!(matches!(error.kind, ErrorKind::Argument | ErrorKind::NotFinite), "{error:?}");
    error.message
}

#[test]
fn what_is_no_part_is_refused() {
    let sphere = || part(Shape::sphere(1.0).unwrap(), [0.0; 3]);
    assert!(refused(&[]).contains("count is 0"));
    let plane = Shape::half_space([0.0, 0.0, 1.0], 0.0).unwrap();
    assert!(refused(&[sphere(), part(plane, [0.0; 3])]).contains("parts[1]: shape is a half-space"));
    let mesh = Shape::mesh(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]]).unwrap();
    assert!(refused(&[part(mesh, [0.0; 3])]).contains("shape is a mesh"));
    let clump = Shape::clump(&[sphere()]).unwrap();
    assert!(refused(&[part(clump, [0.0; 3])]).contains("shape is a clump"));
    assert!(refused(&[PartDefinition { position: [0.0, f64::NAN, 0.0], ..sphere() }]).contains("position[1]"));
    assert!(refused(&[PartDefinition { position: [0.0, 1e51, 0.0], ..sphere() }]).contains("position[1]"));
    assert!(refused(&[PartDefinition { rotation: [0.0; 4], ..sphere() }]).contains("rotation"));
    for factor in [0.0, -1.0, 1e21, f64::NAN] {
        assert!(refused(&[PartDefinition { density_factor: factor, ..sphere() }]).contains("density_factor"));
    }
}

#[test]
fn bounds_are_those_of_the_turned_parts() {
    let clump = Shape::clump(&[
        part(Shape::sphere(1.0).unwrap(), [2.0, 0.0, 0.0]),
        part(Shape::cuboid([0.5; 3]).unwrap(), [0.0; 3]),
    ])
    .unwrap();
    assert_eq!(clump.bounding_radius(), 3.0);
    let quarter = Quat::new(Vec3::z() * std::f64::consts::FRAC_PI_2);
    let bounds = clump.bounds(&Pose::new(Vec3::new(10.0, 0.0, 0.0), quarter));
    assert!((bounds.lower - Vec3::new(9.0, -0.5, -1.0)).norm() < 1e-15);
    assert!((bounds.upper - Vec3::new(11.0, 3.0, 1.0)).norm() < 1e-15);
    let Shape::Clump(clump) = clump else { unreachable!() };
    assert!(clump.outline(&Pose::new(Vec3::new(10.0, 0.0, 0.0), quarter)).grown(1e-14).holds(&bounds));
}
