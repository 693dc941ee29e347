//! The joints of each body, against a search through all joints.

use super::joints::{exact, request};
use super::scene::Scene;
use crate::id::Handle;
use crate::joint::JointKind;

/// Checks the joints of each body, and the joint forces on it.
fn check(scene: &Scene, bodies: &[Handle]) {
    let world = &scene.world;
    for body in bodies {
        let Ok(own) = world.body_joints(*body) else { continue };
        let has = |joint: &Handle| world.joint_bodies(*joint).expect("a joint").contains(body);
        assert_eq!(own.collect::<Vec<_>>(), world.joint_handles().filter(has).collect::<Vec<_>>());
    }
}

#[test]
fn joints_come_and_go() {
    let mut scene = Scene::new(exact(1));
    let bodies: Vec<Handle> = (0..6).map(|k| scene.ball([2.0 * f64::from(k), 0.0, 4.0])).collect();
    // A generator of Knuth's MMIX.
    let mut seed = 1_u64;
    let mut below = |limit: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % limit
    };
    for _ in 0..300 {
        let joints: Vec<Handle> = scene.world.joint_handles().collect();
        if below(3) == 0 && !joints.is_empty() {
            scene.world.remove_joint(joints[below(joints.len())]).expect("a joint");
        } else {
            let a = if below(4) == 0 { Handle::NULL } else { bodies[below(6)] };
            let joint = request(&scene, JointKind::Ball, [a, bodies[below(6)]], [0.0, 0.0, 4.0]);
            // Both bodies may be the same one, which is refused.
            let _ = scene.world.add_joint(&joint);
        }
        check(&scene, &bodies);
    }
    for body in &bodies {
        scene.world.remove_body(*body).expect("a body");
        check(&scene, &bodies);
    }
    assert_eq!(scene.world.joint_count(), 0);
}
