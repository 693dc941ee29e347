use crate::collide::narrow::curves::plane::{Frame, Touch, add, is_upright, write};
use crate::math::{Pose, Quat, Vec2, Vec3};
use crate::shape::nurbs::Box2;

#[test]
fn frames_go_there_and_back() {
    let pose = Pose::new(Vec3::new(1.0, 2.0, 3.0), Quat::from_euler_angles(0.0, 0.0, 0.7));
    let frame = Frame::new(&pose, 0, 0.25);
    let point = Vec2::new(0.3, -0.4);
    let world = pose.to_world(&Vec3::new(point.x, point.y, 0.0));
    assert!((frame.to_world(&point) - Vec2::new(world.x, world.y)).norm() < 1e-15);
    assert!((frame.to_local(&frame.to_world(&point)) - point).norm() < 1e-15);
    assert_eq!(frame.ends, [2.75, 3.25]);
    let other = Frame::new(&Pose::new(Vec3::new(-1.0, 0.5, 3.5), Quat::from_euler_angles(0.0, 0.0, -0.2)), 0, 0.5);
    let seen = frame.seen_from(&other);
    assert!((other.to_world(&seen.to_world(&point)) - frame.to_world(&point)).norm() < 1e-15);
    assert_eq!(frame.middle(&other), Some(3.125));
    let around = frame.around(&Box2::around([Vec2::new(-1.0, -1.0), Vec2::new(1.0, 2.0)]));
    let corner = frame.to_world(&Vec2::new(1.0, 2.0));
    assert!((around.upper.y - corner.y).abs() < 1e-15);
    assert!(is_upright(&pose.matrix, 2) && !is_upright(&pose.matrix, 0));
}

#[test]
fn points_at_one_place_are_one_and_eight_are_kept() {
    let mut touches = Vec::new();
    let at = |x: f64, gap: f64| Touch { point: Vec2::new(x, 0.0), normal: Vec2::y(), gap, feature: 0 };
    for index in 0..20 {
        add(&mut touches, at(f64::from(index % 10), -0.1 * f64::from(index)), 1.0).unwrap();
    }
    assert_eq!(touches.len(), 10);
    let mut out = Vec::new();
    write(&mut touches, 0.5, &mut out).unwrap();
    assert_eq!(out.len(), 8);
    assert_eq!((out[0].point, out[0].gap), (Vec3::new(9.0, 0.0, 0.5), -0.1 * 19.0));
    assert!(out.windows(2).all(|pair| pair[0].gap <= pair[1].gap));
}
