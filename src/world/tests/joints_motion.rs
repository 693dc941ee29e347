//! The motion of mechanisms: lengths that hold, energy that stays, and the places that a reference integration gives.

use super::joints::{exact, request};
use super::scene::{Scene, close};
use crate::body::Definition;
use crate::id::Handle;
use crate::joint::{JointAxis, JointDefinition, JointKind};
use crate::world::{BodyState, JointRequest, Settings};

const GRAVITY: f64 = 9.81;

/// A world with gravity along -z whose bodies never touch.
fn world(settings: Settings) -> Scene {
    let mut scene = Scene::new(settings);
    scene.world.set_gravity([0.0, 0.0, -GRAVITY]).expect("gravity");
    scene
}

/// Sweeps find mechanisms solved before they begin.
fn few_sweeps(substeps: u32) -> Settings {
    Settings { iterations: 4, ..exact(substeps) }
}

/// A body without contacts.
fn bare(scene: &Scene, position: [f64; 3], mass: f64, moment: f64) -> Definition {
    let inertia = [moment, moment, moment, 0.0, 0.0, 0.0];
    Definition { mass, inertia, filter_mask: 0, ..scene.ball_at(position) }
}

/// A slender rod whose upper end is at `top`, in the plane y = 0, at this angle from straight down.
fn rod(scene: &mut Scene, [mass, length]: [f64; 2], [x, z]: [f64; 2], angle: f64) -> Handle {
    let position = [x + 0.5 * length * angle.sin(), 0.0, z - 0.5 * length * angle.cos()];
    let moment = mass * length * length / 12.0;
    let rotation = [0.0, (-0.5 * angle).sin(), 0.0, (0.5 * angle).cos()];
    let definition = bare(scene, position, mass, moment);
    scene.add(&Definition { inertia: [moment, moment, 0.01 * moment, 0.0, 0.0, 0.0], rotation, ..definition })
}

/// The lower end of a rod, as x and z.
fn end_of(scene: &Scene, rod: Handle, length: f64) -> [f64; 2] {
    let state = scene.state(rod);
    let [x, y, z, w] = state.rotation;
    // What the rotation makes of (0, 0, -1).
    let down = [-2.0 * (x * z + w * y), -(1.0 - 2.0 * (x * x + y * y))];
    [state.position[0] + 0.5 * length * down[0], state.position[2] + 0.5 * length * down[1]]
}

/// A hinge with its axis along y, at a point of the plane y = 0.
fn hinge(scene: &mut Scene, [body_a, body_b]: [Handle; 2], [x, z]: [f64; 2]) -> Handle {
    let mut definition = JointDefinition::new(JointKind::Hinge);
    let place = scene.world.place_joint(&mut definition, [body_a, body_b], &[x, 0.0, z], &[0.0, 1.0, 0.0], None);
    place.expect("frames");
    let axes = [JointAxis::new(JointKind::Hinge); 6];
    scene.world.add_joint(&JointRequest { definition, axes, body_a, body_b, user_data: 0 }).expect("a joint")
}

fn steps(scene: &mut Scene, h: f64, count: u32) {
    for _ in 0..count {
        scene.world.step(h).expect("a step");
    }
}

/// A mass of 1 kg at the end of a rod of 1 m, at rest at the height of its hanger. `point`: a ball joint in place of
/// the rod.
fn pendulum(settings: Settings, point: bool) -> (Scene, Handle, Handle) {
    let mut scene = world(settings);
    let ball = scene.add(&bare(&scene, [1.0, 0.0, 0.0], 1.0, 1e-3));
    let kind = if point { JointKind::Ball } else { JointKind::Distance };
    let mut joint = request(&scene, kind, [Handle::NULL, ball], [0.0; 3]);
    if !point {
        joint.definition.point_b = [0.0; 3];
        (joint.definition.length_min, joint.definition.length_max) = (1.0, 1.0);
    }
    let joint = scene.world.add_joint(&joint).expect("a joint");
    (scene, ball, joint)
}

#[test]
fn a_pendulum_keeps_its_length_and_its_energy() {
    for (point, h, count, limit) in [(false, 0.01, 20_000, 0.14), (false, 0.1, 2000, 1.8), (true, 0.01, 20_000, 0.14)] {
        let (mut scene, ball, joint) = pendulum(few_sweeps(1), point);
        let (mut early, mut late) = (0.0f64, 0.0f64);
        for step in 0..count {
            scene.world.step(h).expect("a step");
            let (state, reading) = (scene.state(ball), scene.world.joint_state(joint).expect("a joint"));
            assert!(reading.linear_error < 1e-13, "step {step} of {h}: {}", reading.linear_error);
            let square = |vector: [f64; 3]| vector.iter().map(|number| number * number).sum::<f64>();
            let kinetic = 0.5 * square(state.linear_velocity) + 0.5e-3 * square(state.angular_velocity);
            let energy = kinetic + GRAVITY * state.position[2];
            assert!(energy.abs() < limit, "step {step} of {h}, point {point}: {energy}");
            let worst = if step < count / 2 { &mut early } else { &mut late };
            *worst = worst.max(energy.abs());
        }
        // Without a trend both halves swing alike.
        assert!((late / early - 1.0).abs() < 0.05, "{early} {late}");
    }
}

#[test]
fn a_rope_keeps_the_energy_of_its_pendulum() {
    let mut scene = world(few_sweeps(1));
    // From 80 degrees, where the rope stays taut.
    let angle = 80f64.to_radians();
    let ball = scene.add(&bare(&scene, [angle.sin(), 0.0, -angle.cos()], 1.0, 1e-3));
    let mut rope = request(&scene, JointKind::Distance, [Handle::NULL, ball], [0.0; 3]);
    (rope.definition.point_b, rope.definition.length_max) = ([0.0; 3], 1.0);
    scene.world.add_joint(&rope).expect("a joint");
    let mut highest = f64::NEG_INFINITY;
    for step in 0..2000 {
        scene.world.step(0.01).expect("a step");
        if step >= 1700 {
            highest = highest.max(scene.state(ball).position[2]);
        }
    }
    // After 20 s it still swings up to where it began, to the accuracy of the step.
    assert!((highest + angle.cos()).abs() < 0.01, "{highest}");
}

#[test]
fn a_free_pair_keeps_its_momenta() {
    let mut scene = world(few_sweeps(1));
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let bodies = [[0.0, 0.0, 0.0], [0.6, 0.3, 0.2]].map(|position| {
        let definition = bare(&scene, position, 1.0 + position[0], 0.02);
        let inertia = [0.02, 0.03, 0.025, 0.0, 0.0, 0.0];
        let angular_velocity = [1.0 - position[0], 2.0, 3.0 * position[1]];
        scene.add(&Definition { inertia, angular_velocity, linear_velocity: [0.3, 0.0, position[0]], ..definition })
    });
    let joint = request(&scene, JointKind::Ball, bodies, [0.3, 0.2, 0.0]);
    scene.world.add_joint(&joint).expect("a joint");
    // The first step makes the velocities fit the joint, and keeps the momenta too.
    let momenta = |scene: &Scene| {
        let (mut linear, mut angular) = ([0.0; 3], [0.0; 3]);
        for body in bodies {
            let (state, mass) = (scene.state(body), scene.world.body_mass(body).expect("a body"));
            let (x, v) = (state.position, state.linear_velocity.map(|v| mass.mass * v));
            let slot = scene.world.bodies.registry.slot("body", body).expect("a body");
            let motion = &scene.world.bodies.motion[slot];
            let spin = scene.world.bodies.mass[slot].world_inertia(&motion.rotation).times(&motion.angular);
            for axis in 0..3 {
                let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
                linear[axis] += v[axis];
                angular[axis] += x[next] * v[last] - x[last] * v[next] + spin[axis];
            }
        }
        (linear, angular)
    };
    let (linear, angular) = momenta(&scene);
    steps(&mut scene, 0.01, 5000);
    let (after_linear, after_angular) = momenta(&scene);
    // Relative to momenta of about 1, and to an arm of the 30 m that the pair drifts.
    close(after_linear, linear, 3e-12);
    close(after_angular, angular, 3e-11);
}

/// The tip of the double pendulum after so many steps of `h`.
fn double_pendulum(h: f64, count: u32) -> [f64; 2] {
    let mut scene = world(few_sweeps(1));
    let angles = [100f64.to_radians(), 40f64.to_radians()];
    let upper = rod(&mut scene, [1.0, 0.8], [0.0, 0.0], angles[0]);
    let middle = end_of(&scene, upper, 0.8);
    let lower = rod(&mut scene, [0.6, 0.5], middle, angles[1]);
    hinge(&mut scene, [Handle::NULL, upper], [0.0, 0.0]);
    hinge(&mut scene, [upper, lower], middle);
    steps(&mut scene, h, count);
    end_of(&scene, lower, 0.5)
}

#[test]
fn a_double_pendulum_is_where_a_reference_has_it() {
    // Integrated with minimal coordinates and small steps.
    let expected = [(0.5, [0.4101918, -1.1305175]), (1.0, [-1.2873245, -0.0982638]), (2.0, [1.2743375, -0.2367332])];
    for (time, tip) in expected {
        // The remainder of second order is 1.03e-4 at 2 s with twice these steps.
        let [coarse, fine] = [1.25e-3, 0.625e-3].map(|h: f64| double_pendulum(h, (time / h).round() as u32));
        for axis in 0..2 {
            let extrapolated = 2.0 * fine[axis] - coarse[axis];
            assert!((extrapolated - tip[axis]).abs() < 1e-4, "{time} s: {extrapolated} for {}", tip[axis]);
            assert!((coarse[axis] - tip[axis]).abs() < 4.0 * 1.25e-3 || time > 0.5, "{time} s: {}", coarse[axis]);
        }
    }
}

/// The angle of the crank of the four-bar after so many steps of `h`, and the largest error of its joints.
fn four_bar(h: f64, count: u32) -> (f64, f64) {
    let mut scene = world(few_sweeps(1));
    // A on the crank at 60 degrees from x; B above it, from both lengths.
    let crank = 60f64.to_radians();
    let a = [0.3 * crank.cos(), 0.3 * crank.sin()];
    let ground = [0.7, 0.0];
    let arm = [ground[0] - a[0], ground[1] - a[1]];
    let distance = arm[0].hypot(arm[1]);
    let along = (0.8 * 0.8 - 0.6 * 0.6 + distance * distance) / (2.0 * distance);
    let across = (0.8 * 0.8 - along * along).sqrt();
    let unit = arm.map(|number| number / distance);
    let b = [a[0] + along * unit[0] - across * unit[1], a[1] + along * unit[1] + across * unit[0]];
    // From straight down: the angle at which a rod from `top` has its end at the other point.
    let angle = |top: [f64; 2], end: [f64; 2]| (end[0] - top[0]).atan2(top[1] - end[1]);
    let bars = [([1.0, 0.3], [0.0, 0.0], a), ([2.0, 0.8], a, b), ([1.5, 0.6], ground, b)];
    let [first, second, third] = bars.map(|(size, top, end)| rod(&mut scene, size, top, angle(top, end)));
    let joints = [
        ([Handle::NULL, first], [0.0, 0.0]),
        ([first, second], a),
        ([second, third], b),
        ([Handle::NULL, third], ground),
    ];
    let joints = joints.map(|(bodies, point)| hinge(&mut scene, bodies, point));
    let mut turned = scene.world.joint_state(joints[0]).expect("a joint").position[5];
    let start = turned;
    for _ in 0..count {
        scene.world.step(h).expect("a step");
    }
    let states = joints.map(|joint| scene.world.joint_state(joint).expect("a joint"));
    turned = states[0].position[5];
    let error = states.iter().fold(0.0f64, |largest, state| largest.max(state.linear_error).max(state.angular_error));
    for bar in [first, second, third] {
        assert!(scene.state(bar).position[1].abs() < 1e-15, "out of its plane: {:?}", scene.state(bar));
    }
    // The hinge counts about +y, from x towards -z.
    (crank - (turned - start), error)
}

#[test]
fn a_four_bar_is_where_a_reference_has_it() {
    for (time, angle) in [(0.25, 0.2625141), (0.5, -1.0999376), (1.0, -4.0974649)] {
        let [(coarse, _), (fine, error)] = [5e-3, 2.5e-3].map(|h: f64| four_bar(h, (time / h).round() as u32));
        let extrapolated = 2.0 * fine - coarse;
        assert!((extrapolated - angle).abs() < 6e-4, "{time} s: {extrapolated} for {angle}");
        assert!(error < 1e-14, "{error}");
    }
}

/// Twenty rods of 0.1 kg and 0.1 m and 100 kg at the end, all at this angle. Returns the joints, and the heavy body.
fn chain(scene: &mut Scene, angle: f64) -> (Vec<Handle>, Handle) {
    let (mut top, mut above, mut joints) = ([0.0, 0.0], Handle::NULL, Vec::new());
    for _ in 0..20 {
        let link = rod(scene, [0.1, 0.1], top, angle);
        joints.push(hinge(scene, [above, link], top));
        (top, above) = (end_of(scene, link, 0.1), link);
    }
    let heavy = scene.add(&bare(scene, [top[0], 0.0, top[1]], 100.0, 1.0));
    joints.push(hinge(scene, [above, heavy], top));
    (joints, heavy)
}

#[test]
fn a_hanging_chain_carries_a_heavy_body() {
    let mut scene = world(few_sweeps(1));
    let (joints, _) = chain(&mut scene, 0.0);
    steps(&mut scene, 1e-3, 10);
    for (at, joint) in joints.iter().enumerate() {
        let weight = GRAVITY * (100.0 + 0.1 * (20 - at) as f64);
        let force = scene.world.joint_state(*joint).expect("a joint").force;
        // A joint between A above and B below carries what is below it.
        close(force, [0.0, 0.0, weight], 1e-10 * weight);
    }
}

#[test]
fn a_swinging_chain_is_where_a_reference_has_it() {
    let expected = [(50, [0.4586172, -1.9467070]), (100, [-0.5693484, -1.9172481]), (200, [-0.3380369, -1.9712234])];
    let mut scene = world(few_sweeps(10));
    let (_, heavy) = chain(&mut scene, 0.5);
    let mut done = 0;
    for (step, tip) in expected {
        steps(&mut scene, 0.01, step - done);
        done = step;
        let position = scene.state(heavy).position;
        close(position, [tip[0], 0.0, tip[1]], 1.5e-3);
    }
}

#[test]
fn a_chain_with_stiff_geometry_stays_stable() {
    // Hanging, its links turn at 1080 rad/s: at 2.5 ms aimed rows would be unstable, and velocity rows are stable.
    let mut scene = world(few_sweeps(1));
    let (_, heavy) = chain(&mut scene, 0.0);
    let kick = scene.state(heavy);
    scene.world.set_body_state(heavy, &BodyState { linear_velocity: [0.05, 0.0, 0.0], ..kick }).expect("a state");
    for _ in 0..800 {
        scene.world.step(2.5e-3).expect("a step");
        let state = scene.state(heavy);
        assert!(state.linear_velocity.iter().all(|speed| speed.abs() < 0.2), "{state:?}");
    }
}

#[test]
fn rods_between_points_stay_whole_beyond_the_limit_of_aimed_rows() {
    // Two masses of 1 kg on two rods: w^2 is (2 + sqrt 2) g / l of the faster swing.
    let h = 0.01;
    for product in [2.1, 2.5] {
        let mut scene = world(few_sweeps(1));
        let length = (2.0 + 2f64.sqrt()) * GRAVITY * h * h / (product * product);
        let (mut above, mut joints, mut place) = (Handle::NULL, Vec::new(), [0.0; 2]);
        for _ in 0..2 {
            place = [place[0] + length * 0.1f64.sin(), place[1] - length * 0.1f64.cos()];
            let body = scene.add(&bare(&scene, [place[0], 0.0, place[1]], 1.0, 1e-3));
            let mut rod = request(&scene, JointKind::Distance, [above, body], [0.0; 3]);
            (rod.definition.point_a, rod.definition.point_b) = ([0.0; 3], [0.0; 3]);
            (rod.definition.length_min, rod.definition.length_max) = (length, length);
            joints.push(scene.world.add_joint(&rod).expect("a joint"));
            above = body;
        }
        for step in 0..2000 {
            scene.world.step(h).expect("a step");
            let state = scene.state(above);
            // An explicit step of a linear swing grows beyond h w = 2. Here whole rods keep both ends of a step within two lengths of the anchor.
            // The velocity may be larger by what gravity adds in a step. The position pass changes positions alone.
            let limit = 4.0 * length / h + GRAVITY * h;
            assert!(state.linear_velocity.iter().all(|speed| speed.abs() < limit), "{step}: {state:?}");
            let error = scene.world.joint_state(joints[0]).expect("a joint").linear_error;
            assert!(error < 1e-6 * length, "{step}: {error} of {length}");
        }
    }
}
