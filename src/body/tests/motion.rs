use crate::body::{Drift, Kick, Kind, Lock, Mass, Motion, Wrench};
use crate::math::{Quat, Symmetric3, Vec3, long_cayley, turned_by};
use proptest::prelude::*;

/// Three different moments and products beside them [kg m^2]; its condition number is about 3.
const ASYMMETRIC: Symmetric3 = Symmetric3 { entries: [1.0, 2.0, 2.7, 0.1, -0.05, 0.2] };
/// No displacement and no turn of the position pass.
const NO_SHIFT: (Vec3, Vec3) = (Vec3::new(0.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0));
/// Nothing acts.
const NO_KICK: Kick =
    Kick { gravity: Vec3::new(0.0, 0.0, 0.0), wrench: Wrench::ZERO, linear_damping: 0.0, angular_damping: 0.0 };

fn mass(mass: f64, inertia: Symmetric3, lock: u32) -> Mass {
    Mass::dynamic(mass, Vec3::zeros(), inertia, Lock(lock)).expect("a mass")
}

fn at_rest() -> Motion {
    Motion { center: Vec3::zeros(), rotation: Quat::identity(), linear: Vec3::zeros(), angular: Vec3::zeros() }
}

fn drift((linear, angular): (Vec3, Vec3), (displacement, turn): (Vec3, Vec3)) -> Drift {
    Drift { linear, angular, path: [linear, angular], displacement, turn }
}

/// One whole step without contacts.
fn step(motion: &Motion, mass: &Mass, kick: &Kick, h: f64) -> Motion {
    let velocity = motion.kicked(mass, &mass.world_inverse(&motion.rotation), kick, h);
    motion.drifted(Kind::Dynamic, mass, &drift(velocity, NO_SHIFT), h)
}

fn angular_momentum(motion: &Motion, mass: &Mass) -> Vec3 {
    mass.world_inertia(&motion.rotation).times(&motion.angular)
}

#[test]
fn a_constant_force_gives_the_sums_of_symplectic_euler() {
    // a = g + F/m; v_n = v_0 + n h a, x_n = x_0 + n h v_0 + h^2 a n (n + 1)/2. All powers of two or small multiples of
    // them: exact.
    let (h, steps) = (1.0 / 64.0, 128.0);
    let mass = mass(2.0, Symmetric3::diagonal([1.0; 3]), 0);
    let gravity = Vec3::new(0.0, 0.0, -8.0);
    let wrench = Wrench { force: Vec3::new(1.0, -3.0, 4.0), torque: Vec3::zeros() };
    let start = Motion { center: Vec3::new(1.0, 2.0, 3.0), linear: Vec3::new(-1.0, 0.5, 4.0), ..at_rest() };
    let kick = Kick { gravity, wrench, ..NO_KICK };
    let end = (0..128).fold(start, |motion, _| step(&motion, &mass, &kick, h));
    let acceleration = Vec3::new(0.5, -1.5, -6.0);
    assert_eq!(end.linear, start.linear + steps * h * acceleration);
    let fall = h * h * acceleration * (steps * (steps + 1.0) / 2.0);
    assert_eq!(end.center, start.center + steps * h * start.linear + fall);
    assert_eq!((end.rotation, end.angular), (start.rotation, start.angular));
}

#[test]
fn a_constant_torque_spins_a_round_body_up_evenly() {
    // w_n = n h tau / I with I = 1/2: powers of two, exact; each step turns by h w, about one axis.
    let (h, steps) = (1.0 / 256.0, 64);
    let mass = mass(1.0, Symmetric3::diagonal([0.5; 3]), 0);
    let kick = Kick { wrench: Wrench { force: Vec3::zeros(), torque: 4.0 * Vec3::y() }, ..NO_KICK };
    let end = (0..steps).fold(at_rest(), |motion, _| step(&motion, &mass, &kick, h));
    assert_eq!(end.angular, Vec3::y() * f64::from(steps) * h * 8.0);
    let angle: f64 = (1..=steps).map(|n| h * h * 8.0 * f64::from(n)).sum();
    // A few roundings in each step.
    assert!((end.rotation.angle() - angle).abs() <= 64.0 * 4.0 * f64::EPSILON, "{} {angle}", end.rotation.angle());
    assert_eq!((end.center, end.linear), (Vec3::zeros(), Vec3::zeros()));
}

#[test]
fn damping_divides_by_the_same_factor_in_each_step() {
    let (h, steps) = (0.01, 1000);
    let mass = mass(3.0, Symmetric3::diagonal([2.0; 3]), 0);
    let kick = Kick { linear_damping: 0.5, angular_damping: 2.0, ..NO_KICK };
    let start = Motion { linear: Vec3::new(1.0, -2.0, 3.0), angular: Vec3::new(-3.0, 2.0, 1.0), ..at_rest() };
    let end = (0..steps).fold(start, |motion, _| step(&motion, &mass, &kick, h));
    // v_n = v_0 / (1 + h c)^n: two roundings in each step, and 1 + h c is rounded once for all.
    let relative = 3.0 * f64::from(steps) * f64::EPSILON;
    let linear = start.linear / (1.0 + h * 0.5f64).powi(steps);
    let angular = start.angular / (1.0 + h * 2.0f64).powi(steps);
    assert!((end.linear - linear).amax() <= relative * linear.amax(), "{:?} {linear:?}", end.linear);
    assert!((end.angular - angular).amax() <= relative * angular.amax(), "{:?} {angular:?}", end.angular);
}

#[test]
fn a_damped_fall_ends_at_the_speed_at_which_drag_is_weight() {
    // v = (v + h g)/(1 + h c) has the fixed point g/c, reached to round-off after (1 + h c)^-n < eps: n = 800.
    let (mass, kick) = (
        mass(1.0, Symmetric3::diagonal([1.0; 3]), 0),
        Kick { gravity: Vec3::new(0.0, 0.0, -10.0), linear_damping: 5.0, ..NO_KICK },
    );
    let end = (0..1000).fold(at_rest(), |motion, _| step(&motion, &mass, &kick, 0.01));
    // Errors shrink by 1.05 in each step, so that two roundings a step add up to 2 * 21.
    assert!((end.linear.z + 2.0).abs() <= 42.0 * 2.0 * f64::EPSILON, "{}", end.linear.z);
}

#[test]
fn the_kick_has_no_gyroscopic_term() {
    let mass = mass(1.0, ASYMMETRIC, 0);
    let angular = Vec3::new(3.0, -2.0, 5.0);
    let motion = Motion { angular, rotation: Quat::from_scaled_axis(Vec3::new(0.3, 0.4, 0.5)), ..at_rest() };
    let inverse = mass.world_inverse(&motion.rotation);
    assert_eq!(motion.kicked(&mass, &inverse, &NO_KICK, 0.1).1, angular);
}

#[test]
fn a_torque_adds_its_impulse_to_the_angular_momentum() {
    let mass = mass(1.0, ASYMMETRIC, 0);
    let torque = Vec3::new(1.0, 2.0, -3.0);
    let kick = Kick { wrench: Wrench { force: Vec3::zeros(), torque }, ..NO_KICK };
    let motion = Motion { rotation: Quat::from_scaled_axis(Vec3::new(1.0, -2.0, 0.5)), ..at_rest() };
    let end = step(&motion, &mass, &kick, 0.125);
    let gained = angular_momentum(&end, &mass);
    // |h tau| < 0.5, the condition number 3 and some thirty roundings.
    assert!((gained - 0.125 * torque).amax() <= 0.5 * 3.0 * 30.0 * f64::EPSILON, "{gained:?}");
}

#[test]
fn nothing_kicks_a_body_without_mass() {
    let mass = Mass::immovable(Vec3::x());
    let motion = Motion { linear: Vec3::new(1.0, 2.0, 3.0), angular: Vec3::new(4.0, 5.0, 6.0), ..at_rest() };
    let kick = Kick {
        gravity: Vec3::repeat(1.0),
        wrench: Wrench { force: Vec3::repeat(1.0), torque: Vec3::repeat(1.0) },
        linear_damping: 1.0,
        angular_damping: 1.0,
    };
    let inverse = mass.world_inverse(&motion.rotation);
    assert_eq!(inverse, Symmetric3::default());
    assert_eq!(motion.kicked(&mass, &inverse, &kick, 0.1), (motion.linear, motion.angular));
    assert_eq!(motion.kinetic_energy(&mass), 0.0);
}

#[test]
fn a_static_body_stays_bit_for_bit() {
    let motion = Motion {
        center: Vec3::new(0.1, 0.2, 0.3),
        // Not of unit length: not even normalised.
        rotation: Quat::new_unchecked(nalgebra::Quaternion::new(0.5, 0.5, 0.5, 0.6)),
        ..at_rest()
    };
    let velocity = (Vec3::repeat(1.0), Vec3::repeat(2.0));
    let shift = (Vec3::repeat(3.0), Vec3::repeat(4.0));
    assert_eq!(motion.drifted(Kind::Static, &Mass::immovable(Vec3::zeros()), &drift(velocity, shift), 0.1), motion);
}

#[test]
fn a_kinematic_body_turns_by_the_product_of_step_and_velocity() {
    let mass = Mass::immovable(Vec3::zeros());
    let axis = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let linear = Vec3::new(1.0, 2.0, -4.0);
    for angle in [1e-6, 0.01, 1.0, 3.0] {
        let (h, start) = (0.25, Quat::from_scaled_axis(Vec3::new(0.5, 1.5, -1.0)));
        let motion = Motion { linear, angular: axis * (angle / h), rotation: start, ..at_rest() };
        let end = motion.drifted(Kind::Kinematic, &mass, &drift((motion.linear, motion.angular), NO_SHIFT), h);
        let turn = end.rotation * start.inverse();
        // A handful of roundings in each of the two products of unit quaternions.
        let error = (turn.scaled_axis() - axis * angle).amax();
        assert!(error <= 10.0 * f64::EPSILON, "{angle}: {error:e}");
        assert_eq!((end.linear, end.angular, end.center), (linear, motion.angular, h * linear));
    }
}

#[test]
fn a_kinematic_body_comes_back_after_a_full_turn() {
    let mass = Mass::immovable(Vec3::zeros());
    let (steps, h) = (1000, 0.01);
    let angular = Vec3::z() * (2.0 * std::f64::consts::PI / (f64::from(steps) * h));
    let start = Motion { angular, rotation: Quat::from_scaled_axis(Vec3::x()), ..at_rest() };
    let end = (0..steps).fold(start, |motion, _| {
        motion.drifted(Kind::Kinematic, &mass, &drift((motion.linear, motion.angular), NO_SHIFT), h)
    });
    // Two roundings in each of a thousand steps.
    let error = end.rotation.angle_to(&start.rotation);
    assert!(error <= 2.0 * f64::from(steps) * f64::EPSILON, "{error:e}");
}

#[test]
fn a_free_asymmetric_body_keeps_momentum_and_energy_over_a_hundred_thousand_steps() {
    // The bug was that each step multiplied the momentum by the same I I^-1, whose round-off then added up: 2e-11.
    let mass = mass(2.0, ASYMMETRIC, 0);
    for h in [1e-3, 0.1] {
        let start = Motion { angular: Vec3::new(1.0, 1.5, -1.0), ..at_rest() };
        let (momentum, energy) = (angular_momentum(&start, &mass), start.kinetic_energy(&mass));
        let mut motion = start;
        let (mut worst_momentum, mut worst_energy) = (0f64, 0f64);
        for _ in 0..100_000 {
            motion = motion.drifted(Kind::Dynamic, &mass, &drift((motion.linear, motion.angular), NO_SHIFT), h);
            let change = (angular_momentum(&motion, &mass) - momentum).norm() / momentum.norm();
            worst_momentum = worst_momentum.max(change);
            worst_energy = worst_energy.max((motion.kinetic_energy(&mass) / energy - 1.0).abs());
        }
        // Some fifty roundings in each step, of either sign: sqrt(50 * 1e5) eps = 5e-13.
        assert!(worst_momentum <= 5e-13, "h = {h}: momentum off by {worst_momentum:e}");
        assert!(worst_energy <= 5e-13, "h = {h}: energy off by {worst_energy:e}");
        assert!((motion.angular - start.angular).norm() > 0.1, "it tumbles");
    }
}

#[test]
fn a_body_locked_to_one_axis_keeps_its_velocity() {
    // About z alone, world I_zz stays as the body turns. The turn of each step is h w.
    let mass = mass(1.0, ASYMMETRIC, 0b011_000);
    let start = Motion { angular: 2.0 * Vec3::z(), rotation: Quat::from_scaled_axis(Vec3::x()), ..at_rest() };
    let (steps, h) = (1000, 0.01);
    let end = (0..steps).fold(start, |motion, _| step(&motion, &mass, &NO_KICK, h));
    assert_eq!((end.angular.x, end.angular.y), (0.0, 0.0));
    // Ten roundings in each step at the most.
    let round_off = 10.0 * f64::from(steps) * f64::EPSILON;
    assert!((end.angular.z - 2.0).abs() <= 2.0 * round_off, "{}", end.angular.z);
    let angle = f64::from(steps) * 2.0 * h;
    let expected = Quat::from_scaled_axis(Vec3::z() * angle) * start.rotation;
    assert!(end.rotation.angle_to(&expected) <= 2.0 * round_off, "{:e}", end.rotation.angle_to(&expected));
}

#[test]
fn a_body_locked_in_all_stays() {
    let mass = mass(1.0, ASYMMETRIC, Lock::ALL);
    let wrench = Wrench { force: Vec3::new(1.0, 2.0, 3.0), torque: Vec3::new(4.0, 5.0, 6.0) };
    let kick = Kick { gravity: Vec3::new(7.0, 8.0, 9.0), wrench, ..NO_KICK };
    let start = Motion { center: Vec3::repeat(0.1), rotation: Quat::from_scaled_axis(Vec3::repeat(0.3)), ..at_rest() };
    let end = (0..1000).fold(start, |motion, _| step(&motion, &mass, &kick, 0.01));
    assert_eq!((end.center, end.linear, end.angular), (start.center, Vec3::zeros(), Vec3::zeros()));
    // Normalising again moves the last bit at the most, and not further each time.
    assert!((end.rotation.coords - start.rotation.coords).amax() <= f64::EPSILON, "{:?}", end.rotation);
}

#[test]
fn neither_gravity_nor_a_force_acts_on_a_locked_translation() {
    for bits in 0..8u32 {
        let mass = mass(2.0, Symmetric3::diagonal([1.0; 3]), bits);
        let wrench = Wrench { force: Vec3::new(2.0, 4.0, 6.0), torque: Vec3::zeros() };
        let kick = Kick { gravity: Vec3::new(-8.0, 16.0, 32.0), wrench, ..NO_KICK };
        let end = step(&at_rest(), &mass, &kick, 0.5);
        // h (g + F/m) on the free axes, and h v after it.
        for (axis, speed) in [-3.5, 9.0, 17.5].into_iter().enumerate() {
            let expected = if bits & (1 << axis) == 0 { speed } else { 0.0 };
            assert_eq!((end.linear[axis], end.center[axis]), (expected, 0.5 * expected), "lock {bits:#b} axis {axis}");
        }
    }
}

#[test]
fn a_body_with_locks_has_its_inverse_inertia_without_them() {
    let rotation = Quat::from_euler_angles(0.3, -0.2, 0.7);
    let free = mass(2.0, ASYMMETRIC, 0);
    assert!(!free.has_locks() && !Mass::immovable(Vec3::zeros()).has_locks());
    for bits in 1..=Lock::ALL {
        let locked = mass(2.0, ASYMMETRIC, bits);
        assert!(locked.has_locks());
        assert_eq!(locked.unlocked_inverse(&rotation), free.world_inverse(&rotation), "lock {bits:#b}");
    }
}

#[test]
fn a_locked_translation_has_no_inverse_mass_and_keeps_the_mass() {
    let mass = mass(4.0, ASYMMETRIC, 0b010_101);
    assert_eq!(mass.inverse_mass, Vec3::new(0.0, 0.25, 0.0));
    assert_eq!(mass.mass, 4.0);
    assert_eq!(mass.free_rotation, [true, false, true]);
    // The inverse in body axes is as if nothing were locked: it belongs to no world axis.
    assert_eq!(Some(mass.inertia_inverse), ASYMMETRIC.inverse_on([true; 3]));
}

#[test]
fn a_mass_or_inertia_without_a_finite_inverse_is_none() {
    let made = |mass: f64, inertia: Symmetric3| Mass::dynamic(mass, Vec3::zeros(), inertia, Lock(0)).is_some();
    let round = Symmetric3::diagonal([1.0; 3]);
    assert!(made(1.0, round));
    assert!(!made(0.0, round));
    // 1/1e-310 is beyond the largest double.
    assert!(!made(1e-310, round));
    for moment in [0.0, -1.0, 1e-310, f64::NAN] {
        assert!(!made(1.0, Symmetric3::diagonal([moment; 3])), "{moment}");
        assert!(!made(1.0, Symmetric3::diagonal([1.0, moment, 1.0])), "{moment}");
    }
    assert!(!made(1.0, Symmetric3 { entries: [1.0, 1.0, 1.0, 2.0, 0.0, 0.0] }));
}

#[test]
fn the_inertia_turns_with_the_body() {
    let mass = mass(1.0, Symmetric3::diagonal([1.0, 2.0, 4.0]), 0);
    // A quarter turn about z swaps x and y; the matrix is within 2 eps.
    let quarter = Quat::from_axis_angle(&Vec3::z_axis(), std::f64::consts::FRAC_PI_2);
    let inertia = mass.world_inertia(&quarter).to_matrix();
    let inverse = mass.world_inverse(&quarter).to_matrix();
    let expected = Symmetric3::diagonal([2.0, 1.0, 4.0]).to_matrix();
    assert!((inertia - expected).amax() <= 16.0 * f64::EPSILON, "{inertia}");
    let expected = Symmetric3::diagonal([0.5, 1.0, 0.25]).to_matrix();
    assert!((inverse - expected).amax() <= 16.0 * f64::EPSILON, "{inverse}");
}

#[test]
fn kinetic_energy_is_that_of_translation_and_spin() {
    let mass = mass(2.0, Symmetric3::diagonal([1.0, 2.0, 4.0]), 0);
    let motion = Motion { linear: Vec3::new(1.0, 2.0, 2.0), angular: Vec3::new(1.0, 2.0, 3.0), ..at_rest() };
    // 1/2 2 9 + 1/2 (1 + 8 + 36), exact in the unit orientation.
    assert_eq!(motion.kinetic_energy(&mass), 31.5);
}

#[test]
fn one_number_that_is_not_finite_spoils_a_motion() {
    type Place = fn(&mut Motion) -> &mut f64;
    let places: [(&str, Place); 5] = [
        ("center", |m| &mut m.center.z),
        ("linear", |m| &mut m.linear.x),
        ("angular", |m| &mut m.angular.y),
        ("rotation i", |m| &mut m.rotation.as_mut_unchecked().coords.x),
        ("rotation w", |m| &mut m.rotation.as_mut_unchecked().coords.w),
    ];
    assert!(at_rest().is_finite());
    for (name, place) in places {
        for value in [f64::NAN, f64::INFINITY] {
            let mut motion = at_rest();
            *place(&mut motion) = value;
            assert!(!motion.is_finite(), "{name} = {value}");
        }
    }
}

#[test]
fn a_turn_too_far_for_numbers_leaves_no_motion() {
    let mass = mass(1.0, Symmetric3::diagonal([0.5; 3]), 0);
    let spin = Vec3::new(1e157, 0.0, 0.0);
    assert!(!at_rest().drifted(Kind::Dynamic, &mass, &drift((Vec3::zeros(), spin), NO_SHIFT), 0.01).is_finite());
}

#[test]
fn the_position_pass_shifts_and_turns_on_top() {
    let mass = mass(1.0, Symmetric3::diagonal([0.5; 3]), 0);
    let (linear, angular) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.5, 0.0, -0.25));
    let (displacement, turn) = (Vec3::new(8.0, 16.0, 32.0), Vec3::new(0.0, 0.1, 0.0));
    let end = at_rest().drifted(Kind::Dynamic, &mass, &drift((linear, angular), (displacement, turn)), 0.5);
    assert_eq!(end.center, Vec3::new(8.5, 17.0, 33.5));
    // A round body keeps its velocity bit for bit; the turn comes after the drift.
    assert_eq!((end.linear, end.angular), (linear, angular));
    let expected = Quat::new_normalize(long_cayley(&turn)) * turned_by(&(0.5 * angular));
    assert!(end.rotation.angle_to(&expected) <= 4.0 * f64::EPSILON);
}

fn vector(reach: f64) -> impl Strategy<Value = Vec3> {
    [-reach..reach, -reach..reach, -reach..reach].prop_map(Vec3::from)
}

/// Moments from 0.75 to 2.25 that a body can have, in turned axes: condition at most 3.
fn inertia() -> impl Strategy<Value = Symmetric3> {
    ([0.5..2.0f64, 0.5..2.0f64, 0.5..2.0f64], vector(2.0)).prop_map(|([x, y, z], turn)| {
        let rotation = *Quat::from_scaled_axis(turn).to_rotation_matrix().matrix();
        Symmetric3::diagonal([y + z, z + x, x + y].map(|sum| 0.5 * sum + 0.25)).rotated(&rotation)
    })
}

proptest! {
    #[test]
    fn the_angular_momentum_is_carried_to_the_new_orientation(
        inertia in inertia(),
        attitude in vector(2.0),
        angular in vector(10.0),
        turn in prop_oneof![Just(Vec3::zeros()), vector(0.1)],
    ) {
        let mass = mass(1.0, inertia, 0);
        let motion = Motion { rotation: Quat::from_scaled_axis(attitude), angular, ..at_rest() };
        let end = motion.drifted(Kind::Dynamic, &mass, &drift((motion.linear, angular), (Vec3::zeros(), turn)), 0.05);
        let (before, after) = (angular_momentum(&motion, &mass), angular_momentum(&end, &mass));
        // The refinement leaves the roundings of I w alone, here and in the source: some twenty of |L|.
        let error = (after - before).norm();
        prop_assert!(error <= 20.0 * f64::EPSILON * before.norm(), "{error:e} of {}", before.norm());
        // The product of unit quaternions is normalised.
        prop_assert!((end.rotation.norm() - 1.0).abs() <= 2.0 * f64::EPSILON);
    }

    #[test]
    fn a_free_drift_keeps_the_energy(inertia in inertia(), attitude in vector(2.0), angular in vector(10.0)) {
        let mass = mass(1.0, inertia, 0);
        let motion = Motion { rotation: Quat::from_scaled_axis(attitude), angular, ..at_rest() };
        let end = motion.drifted(Kind::Dynamic, &mass, &drift((motion.linear, angular), NO_SHIFT), 0.05);
        let (before, after) = (motion.kinetic_energy(&mass), end.kinetic_energy(&mass));
        // Some twenty roundings, and those of L again times the condition number of the inertia, 3.
        prop_assert!((after - before).abs() <= 3.0 * 20.0 * f64::EPSILON * before, "{before} {after}");
    }

    #[test]
    fn locked_rotations_stay_zero_and_the_free_components_of_the_momentum_balance(
        bits in 1u32..8,
        inertia in inertia(),
        attitude in vector(2.0),
        angular in vector(10.0),
        torque in vector(10.0),
    ) {
        let mass = mass(1.0, inertia, bits << 3);
        let free = Lock(bits << 3).free_rotation();
        let angular = Vec3::from_fn(|axis, _| if free[axis] { angular[axis] } else { 0.0 });
        let motion = Motion { rotation: Quat::from_scaled_axis(attitude), angular, ..at_rest() };
        let kick = Kick { wrench: Wrench { force: Vec3::zeros(), torque }, ..NO_KICK };
        let h = 0.05;
        let end = step(&motion, &mass, &kick, h);
        let gained = angular_momentum(&end, &mass) - angular_momentum(&motion, &mass) - h * torque;
        // |L| + |h tau| is below 2.25 * 18 + 1; some thirty roundings times the condition number 3 of the kick's inverse.
        let bound = 42.0 * 3.0 * 30.0 * f64::EPSILON;
        for axis in 0..3 {
            if free[axis] {
                prop_assert!(gained[axis].abs() <= bound, "axis {axis} of {free:?}: {:e}", gained[axis]);
            } else {
                prop_assert_eq!(end.angular[axis], 0.0);
            }
        }
    }
}
