use std::f64::consts::PI;

use super::grains::{circle, grain, polygon};
use crate::error::ErrorKind;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::nurbs::{Curve, CurveDefinition};

fn close(value: f64, expected: f64, relative: f64) {
    assert!((value - expected).abs() <= relative * expected.abs().max(1e-300), "{value} instead of {expected}");
}

#[test]
fn a_circle_is_a_cylinder() {
    let (radius, half_depth) = (0.7, 0.2);
    let curve = Curve::new(&CurveDefinition { half_depth, ..circle(radius) }).unwrap();
    let solid = curve.mass_properties.unwrap();
    // Mass pi r^2 2 h; m r^2 / 2 about the axis, m (r^2 / 4 + h^2 / 3) across.
    let volume = PI * radius * radius * 2.0 * half_depth;
    close(solid.volume, volume, 4e-16);
    let [xx, yy, zz, xy, yz, xz] = solid.inertia.entries;
    let across = volume * (radius * radius / 4.0 + half_depth * half_depth / 3.0);
    close(zz, 0.5 * volume * radius * radius, 1e-15);
    close(xx, across, 1e-15);
    close(yy, across, 1e-15);
    assert!(solid.center.norm() < 1e-16 && xy.abs() < 1e-16 && yz == 0.0 && xz == 0.0);
}

#[test]
fn a_rectangle_is_a_box() {
    let points = [[1.0, 2.0], [4.0, 2.0], [4.0, 3.0], [1.0, 3.0]];
    let solid = Curve::new(&polygon(&points)).unwrap().mass_properties.unwrap();
    close(solid.volume, 3.0, 1e-15);
    assert!((solid.center - Vec3::new(2.5, 2.5, 0.0)).norm() < 1e-15);
    let [xx, yy, zz, xy, ..] = solid.inertia.entries;
    close(xx, 3.0 * (1.0 + 1.0) / 12.0, 1e-14);
    close(yy, 3.0 * (9.0 + 1.0) / 12.0, 1e-14);
    close(zz, 3.0 * (9.0 + 1.0) / 12.0, 1e-14);
    assert!(xy.abs() < 1e-14);
}

#[test]
fn a_clockwise_curve_has_no_mass() {
    let mut points = vec![[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]];
    assert!(Curve::new(&polygon(&points)).unwrap().mass_properties.is_none());
    points.reverse();
    assert!(Curve::new(&polygon(&points)).unwrap().mass_properties.is_some());
}

#[test]
fn mass_turns_and_moves_with_the_points() {
    // The moments of a grain, turned by an angle and moved, against those of the grain as it is.
    let (definition, angle) = (grain(5), 0.7f64);
    let (sine, cosine) = angle.sin_cos();
    let moved = definition.points.iter().map(|[x, y]| [cosine * x - sine * y + 3.0, sine * x + cosine * y - 2.0]);
    let moved = CurveDefinition { points: moved.collect(), ..definition.clone() };
    let [before, after] = [&definition, &moved].map(|of| Curve::new(of).unwrap().mass_properties.unwrap());
    let turn = Quat::from_axis_angle(&Vec3::z_axis(), angle);
    close(after.volume, before.volume, 1e-13);
    assert!((turn * before.center + Vec3::new(3.0, -2.0, 0.0) - after.center).norm() < 1e-13);
    let turned = before.inertia.rotated(turn.to_rotation_matrix().matrix());
    let difference = turned.to_matrix() - after.inertia.to_matrix();
    assert!(difference.amax() < 1e-13 * before.inertia.trace(), "{difference}");
}

#[test]
fn bounds_are_those_of_many_samples() {
    for j in 0..16 {
        let curve = Curve::new(&grain(j)).unwrap();
        let turn = Quat::from_euler_angles(0.0, 0.0, 0.3 * f64::from(j));
        let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), turn);
        let bounds = curve.bounds(&pose);
        let samples =
            (0..curve.outline.count()).flat_map(|piece| (0..1000).map(move |at| (piece, f64::from(at) / 1e3)));
        let points = samples.map(|(piece, t)| curve.outline.at(piece, t).point);
        let world: Vec<Vec3> = points.map(|point| pose.to_world(&Vec3::new(point.x, point.y, 0.5))).collect();
        let upper = world.iter().fold(Vec3::repeat(f64::NEG_INFINITY), |all, point| all.sup(point));
        let lower = world.iter().fold(Vec3::repeat(f64::INFINITY), |all, point| all.inf(point)) - Vec3::z();
        assert!((bounds.upper - upper).min() > -1e-14 && (bounds.upper - upper).max() < 1e-6, "grain {j}");
        assert!((lower - bounds.lower).min() > -1e-14 && (lower - bounds.lower).max() < 1e-6, "grain {j}");
        assert!(world.iter().all(|point| (point - pose.origin).norm() <= curve.bounding_radius));
    }
}

#[test]
fn bounds_of_a_circle_are_exact() {
    let curve = Curve::new(&circle(0.7)).unwrap();
    // Tilted by an angle about x: in y the rim reaches r cos + h sin, in z r sin + h cos.
    let angle = 0.3f64;
    let bounds = curve.bounds(&Pose::new(Vec3::zeros(), Quat::from_euler_angles(angle, 0.0, 0.2)));
    let (sine, cosine) = angle.sin_cos();
    let turned = Quat::from_euler_angles(angle, 0.0, 0.2) * Vec3::z();
    let reach = |axis: usize| 0.7 * (1.0 - turned[axis] * turned[axis]).sqrt() + 0.5 * turned[axis].abs();
    for axis in 0..3 {
        close(bounds.upper[axis], reach(axis), 1e-14);
        close(bounds.lower[axis], -reach(axis), 1e-14);
    }
    assert!(sine + cosine > 1.0);
}

#[test]
fn an_area_of_zero_is_refused() {
    let flat = polygon(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]);
    let error = Curve::new(&flat).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Argument);
    let same = polygon(&[[1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]);
    assert!(Curve::new(&same).unwrap_err().message.contains("size"));
}
