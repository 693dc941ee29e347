use crate::body::{SurfaceVelocity, Surfaces};
use crate::math::{Vec3, turned_by};
use crate::visit::tests::words;

fn along_x() -> SurfaceVelocity {
    SurfaceVelocity { linear: Vec3::x(), angular: Vec3::zeros() }
}

#[test]
fn surfaces_are_at_rest_until_one_is_set_and_after_the_last_one_ended() {
    let mut surfaces = Surfaces::default();
    assert!(!surfaces.are_moving() && !surfaces.moves(7));
    surfaces.set(1, 3, SurfaceVelocity::ZERO).expect("memory");
    assert!(!surfaces.are_moving());
    surfaces.set(1, 3, along_x()).expect("memory");
    surfaces.set(2, 3, along_x()).expect("memory");
    assert!(surfaces.are_moving() && surfaces.moves(1) && !surfaces.moves(0));
    assert_eq!(*surfaces.of(1), along_x());
    surfaces.set(1, 3, SurfaceVelocity::ZERO).expect("memory");
    assert!(surfaces.are_moving() && !surfaces.moves(1));
    surfaces.clear(2);
    surfaces.clear(0);
    assert!(!surfaces.are_moving());
}

#[test]
fn both_parts_are_visited() {
    let state = |velocity| {
        let mut surfaces = Surfaces::default();
        surfaces.set(0, 1, velocity).expect("memory");
        words(|recorded| surfaces.of(0).visit_state(recorded))
    };
    let turning = SurfaceVelocity { angular: Vec3::x(), ..SurfaceVelocity::ZERO };
    assert_ne!(state(along_x()), state(SurfaceVelocity::ZERO));
    assert_ne!(state(along_x()), state(turning));
}

#[test]
fn a_velocity_turns_with_the_body() {
    let quarter = turned_by(&Vec3::new(0.0, 0.0, std::f64::consts::FRAC_PI_2));
    let velocity = SurfaceVelocity { linear: Vec3::x(), angular: Vec3::y() }.rotated(&quarter);
    assert!((velocity.linear - Vec3::y()).norm() < 1e-15);
    assert!((velocity.angular + Vec3::x()).norm() < 1e-15);
}
