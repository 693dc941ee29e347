//! Rows that depend on each other or contradict each other.

use nalgebra::DVector;

use super::scene::{Dense, Scene, WORLD, difference, flat};
use crate::math::{BodyRow, Vec3};
use crate::solver::problem::Velocity;
use crate::solver::tests::random::Random;

/// The change of velocity by weight in a step [m/s].
const FALL: f64 = 0.0981;

/// A door of 20 kg on hinges at these heights, falling.
fn door(heights: &[f64]) -> Scene {
    let mut scene = Scene::default();
    let body = scene.ball(20.0, 0.6, Vec3::new(0.5, 0.0, 1.0));
    heights.iter().for_each(|height| scene.hinge([WORLD, body], Vec3::new(0.0, 0.0, *height), Vec3::z()));
    scene.velocities[body].linear.z = -FALL;
    scene
}

#[test]
fn a_door_on_three_hinges_takes_the_least_multipliers() {
    let heights = [0.2, 1.1, 1.7];
    let scene = door(&heights);
    let solved = scene.solve();
    assert!(!solved.contradicts);
    let weight = 20.0 * FALL;
    let sum: f64 = solved.lambda.chunks(5).map(|hinge| hinge[2]).sum();
    assert!((sum - weight).abs() <= 1e-12 * weight, "sum {sum}");
    // At rest: 15 rows of rank 5 leave one freedom, which weight does not turn.
    assert!(flat(&solved.velocities).amax() <= 1e-15, "{:?}", solved.velocities);
    // All vertical rows are the same one, so they share alike. Redundant parts are taken off twice, each time to 1e-6.
    for hinge in solved.lambda.chunks(5) {
        assert!((hinge[2] - weight / 3.0).abs() <= 1e-10 * weight, "{:?}", solved.lambda);
    }
    let order = [2, 0, 1];
    let permuted = door(&order.map(|hinge| heights[hinge])).solve();
    for (hinge, lambda) in order.iter().zip(permuted.lambda.chunks(5)) {
        for (one, other) in lambda.iter().zip(&solved.lambda[5 * hinge..]) {
            assert!((one - other).abs() <= 1e-10 * weight, "hinge {hinge}: {one} {other}");
        }
    }
}

#[test]
fn redundant_rows_of_fast_bodies_stay_least() {
    // The door moves with its frame at 100 m/s: what the rows differ by is round-off, 1e-14 m/s.
    let mut scene = door(&[0.2, 1.1, 1.7]);
    let frame = scene.ball(300.0, 1.0, Vec3::new(-0.5, 0.0, 1.0));
    scene.rows.iter_mut().for_each(|row| row.body_a = frame);
    let rows = std::mem::take(&mut scene.rows);
    for height in [0.2, 1.1, 1.7] {
        scene.hinge([frame, BodyRow(0)], Vec3::new(0.0, 0.0, height), Vec3::z());
    }
    assert_eq!(rows.len(), scene.rows.len());
    let slow = scene.solve();
    let fast_speed = Vec3::new(61.3, -70.1, 38.7);
    scene.velocities.iter_mut().for_each(|velocity| velocity.linear += fast_speed);
    let fast = scene.solve();
    assert!(!fast.contradicts);
    // Round-off of 1e-14 m/s of 19 kg over the shift of 1e-10 would be 1e-3 N s.
    let error = difference(&DVector::from_vec(slow.lambda), &DVector::from_vec(fast.lambda));
    assert!(error <= 1e-8, "{error:e}");
}

/// A four-bar of hinges about y with a crank at an angle: 20 rows.
fn four_bar() -> Scene {
    let mut scene = Scene::default();
    let point = |x: f64, z: f64| Vec3::new(x, 0.0, z);
    // Crank of 0.3 m at 60 degrees from x, rocker of 0.6 m on the ground at 0.7 m, coupler of 0.8 m.
    let crank = point(0.15, 0.3 * 0.75_f64.sqrt());
    let ground = point(0.7, 0.0);
    let between: Vec3 = ground - crank;
    let along = (between.norm_squared() + 0.8 * 0.8 - 0.6 * 0.6) / (2.0 * between.norm());
    let aside = (0.8_f64 * 0.8 - along * along).sqrt();
    let direction = between.normalize();
    let rocker = crank + along * direction + aside * Vec3::new(-direction.z, 0.0, direction.x);
    let ends = [(Vec3::zeros(), crank, 1.0), (crank, rocker, 2.0), (ground, rocker, 1.5)];
    let bars = ends.map(|(from, to, mass)| scene.ball(mass, 0.3, 0.5 * (from + to)));
    scene.hinge([WORLD, bars[0]], Vec3::zeros(), Vec3::y());
    scene.hinge([bars[0], bars[1]], crank, Vec3::y());
    scene.hinge([bars[1], bars[2]], rocker, Vec3::y());
    scene.hinge([bars[2], WORLD], ground, Vec3::y());
    scene
}

#[test]
fn a_four_bar_has_three_redundant_rows() {
    let mut scene = four_bar();
    scene.velocities.iter_mut().for_each(|velocity| velocity.linear.z = -FALL);
    let dense = Dense::new(&scene);
    let svd = dense.delassus().svd(true, true);
    assert_eq!(svd.rank(1e-9), 17);
    let right = -(&dense.jacobian * flat(&scene.velocities));
    // The least multipliers weigh turns by the length of rows; with rows in the plane alone these are not loaded.
    let lambda = svd.solve(&right, 1e-9).expect("both factors are there");
    let velocities = flat(&scene.velocities) + &dense.inverse_mass * dense.jacobian.transpose() * &lambda;
    let solved = scene.solve();
    assert!(!solved.contradicts && solved.residual <= 1e-15, "{}", solved.residual);
    assert!(difference(&flat(&solved.velocities), &velocities) <= 1e-14);
    // The condition of the rows of full rank is 1e3. Redundant parts are taken off to 1e-12.
    let error = difference(&DVector::from_vec(solved.lambda), &lambda);
    assert!(error <= 1e-11 * lambda.amax(), "{error:e}");
}

#[test]
fn the_least_multipliers_weigh_turns_by_the_length() {
    let mut random = Random(11);
    let mut scene = four_bar();
    for velocity in &mut scene.velocities {
        *velocity = Velocity { linear: random.vector(1.0), angular: random.vector(1.0) };
    }
    let dense = Dense::new(&scene);
    let diagonal = dense.delassus().diagonal();
    let turns: Vec<bool> = scene.rows.iter().map(|row| row.jacobian_b.linear == Vec3::zeros()).collect();
    let mean = |kind: bool| {
        let values: Vec<f64> = diagonal.iter().zip(&turns).filter(|(_, t)| **t == kind).map(|(v, _)| *v).collect();
        values.iter().sum::<f64>() / values.len() as f64
    };
    let length = (mean(false) / mean(true)).sqrt();
    let scale = nalgebra::DMatrix::from_diagonal(&DVector::from_iterator(
        turns.len(),
        turns.iter().map(|turns| if *turns { length } else { 1.0 }),
    ));
    let right = -&scale * &dense.jacobian * flat(&scene.velocities);
    let svd = (&scale * dense.delassus() * &scale).svd(true, true);
    let lambda = &scale * svd.solve(&right, 1e-9).expect("both factors are there");
    let error = difference(&DVector::from_vec(scene.solve().lambda), &lambda);
    assert!(error <= 1e-11 * lambda.amax(), "{error:e}");
}

#[test]
fn compliance_shares_as_springs_do() {
    // Four legs in a plane under a table that cannot tilt, with the compliances of parallel springs.
    let mut scene = Scene::default();
    let table = scene.ball(10.0, 0.5, Vec3::zeros());
    let soft = [1e-3, 2e-3, 5e-3, 1e-2];
    for compliance in soft {
        scene.lock_point([WORLD, table], Vec3::zeros(), Vec3::z());
        scene.rows.last_mut().expect("a row").compliance = compliance;
    }
    scene.velocities[table].linear.z = -FALL;
    let solved = scene.solve();
    // m (v + fall) = sum of lambda, lambda_i = -v / S_i.
    let stiffness: f64 = soft.iter().map(|compliance| 1.0 / compliance).sum();
    let speed = 10.0 * FALL / (10.0 + stiffness);
    for (compliance, lambda) in soft.iter().zip(&solved.lambda) {
        let expected = speed / compliance;
        assert!((lambda - expected).abs() <= 1e-13 * expected, "{lambda} {expected}");
    }
}

#[test]
fn contradicting_rows_end_in_the_middle() {
    let mut random = Random(12);
    let mut scene = Scene::default();
    let body = scene.random_body(&mut random, 3.0);
    scene.centres[body] = Vec3::new(0.4, 0.0, 0.0);
    scene.hinge([WORLD, body], Vec3::zeros(), Vec3::z());
    let free = scene.clone();
    for speed in [1.0, 0.0] {
        scene.lock_turn([WORLD, body], Vec3::z());
        scene.rows.last_mut().expect("a row").rhs = speed;
    }
    let solved = scene.solve();
    assert!(solved.contradicts);
    assert!((solved.velocities[body].angular - 0.5 * Vec3::z()).norm() <= 1e-12, "{:?}", solved.velocities);
    assert!((solved.velocities[body].linear - 0.2 * Vec3::y()).norm() <= 1e-12, "{:?}", solved.velocities);
    // The residual is 0.5 rad/s times the length of turning rows.
    let dense = Dense::new(&scene).delassus().diagonal();
    let turns: Vec<f64> = dense.iter().skip(3).copied().collect();
    let length = (dense.rows(0, 3).mean() / (turns.iter().sum::<f64>() / 4.0)).sqrt();
    assert!((solved.residual - 0.5 * length).abs() <= 1e-12, "{} {length}", solved.residual);
    // No multiplier grows as one over the shift: both drives share what one alone would need.
    let mut single = free;
    single.lock_turn([WORLD, body], Vec3::z());
    single.rows.last_mut().expect("a row").rhs = 0.5;
    let expected = single.solve().lambda;
    let shared: f64 = solved.lambda[5..].iter().sum();
    assert!((shared - expected[5]).abs() <= 1e-11 * expected[5].abs().max(1.0), "{shared} {}", expected[5]);
    assert!((solved.lambda[5] - solved.lambda[6]).abs() <= 1e-9, "{:?}", solved.lambda);
}

#[test]
fn a_torn_loop_ends_in_least_squares() {
    let mut random = Random(13);
    for round in 0..20 {
        let mut scene = four_bar();
        scene.velocities.iter_mut().for_each(|velocity| velocity.linear.z = -FALL);
        scene.rows.iter_mut().for_each(|row| row.rhs = random.between(-0.1, 0.1));
        let dense = Dense::new(&scene);
        let diagonal = dense.delassus().diagonal();
        let turns: Vec<bool> = scene.rows.iter().map(|row| row.jacobian_b.linear == Vec3::zeros()).collect();
        let sum = |kind: bool| {
            diagonal.iter().zip(&turns).filter(|(_, turns)| **turns == kind).map(|(value, _)| value).sum::<f64>()
        };
        // 12 linear rows and 8 of turns.
        let length = (sum(false) / 12.0 / (sum(true) / 8.0)).sqrt();
        let scale = DVector::from_iterator(20, turns.iter().map(|turns| if *turns { length } else { 1.0 }));
        let scale = nalgebra::DMatrix::from_diagonal(&scale);
        let rhs = DVector::from_iterator(20, scene.rows.iter().map(|row| row.rhs));
        let right = &scale * (rhs - &dense.jacobian * flat(&scene.velocities));
        let svd = (&scale * dense.delassus() * &scale).svd(true, true);
        let lambda = &scale * svd.solve(&right, 1e-9).expect("both factors are there");
        let expected = flat(&scene.velocities) + &dense.inverse_mass * dense.jacobian.transpose() * lambda;
        let solved = scene.solve();
        assert!(solved.contradicts && solved.residual > 1e-3, "round {round}");
        // Of the dense solve, whose condition is 1e3.
        let error = difference(&flat(&solved.velocities), &expected);
        assert!(error <= 1e-12, "round {round}: {error:e}");
    }
}

#[test]
fn doubled_hinges_move_as_single_ones() {
    let mut random = Random(14);
    for round in 0..20 {
        let (mut single, mut double) = (Scene::default(), Scene::default());
        let mut masses = Random(round);
        single.random_body(&mut masses, 2.0);
        for own in 1..8 {
            let mass = masses.magnitude(0.1, 100.0);
            single.random_body(&mut masses, mass);
            let pair = [random.index(own), own].map(BodyRow::from);
            let (point, axis) = (random.vector(1.0), random.direction());
            (double.masses, double.centres) = (single.masses.clone(), single.centres.clone());
            single.hinge(pair, point, axis);
            double.hinge(pair, point, axis);
            double.hinge(pair, point + 0.4 * axis, axis);
        }
        double.velocities = single.velocities.clone();
        // Rows of different pairs are mixed, and no pair has all its rows in one place.
        let rows = double.rows.len();
        (1..rows).for_each(|row| double.rows.swap(row, random.index(row)));
        let (one, two) = (single.solve(), double.solve());
        assert!(!two.contradicts, "round {round}");
        // Masses of 1000:1, and the factor sees pivots as small as the shift.
        let error = difference(&flat(&one.velocities), &flat(&two.velocities));
        assert!(error <= 1e-12, "round {round}: {error:e}");
    }
}

#[test]
fn a_welded_grid_takes_the_least_multipliers() {
    let mut scene = Scene::default();
    let at = |x: u32, y: u32| BodyRow(3 * y + x);
    for body in 0..9 {
        scene.ball(1.0 + f64::from(body), 0.5, Vec3::new(f64::from(body % 3), 0.0, 0.5 + f64::from(body / 3)));
    }
    for x in 0..3 {
        scene.weld([WORLD, at(x, 0)], Vec3::new(f64::from(x), 0.0, 0.0));
        for y in 0..3 {
            let (right, up) = (Vec3::new(f64::from(x) + 0.5, 0.0, f64::from(y) + 0.5), f64::from(y) + 1.0);
            if x < 2 {
                scene.weld([at(x, y), at(x + 1, y)], right);
            }
            if y < 2 {
                scene.weld([at(x, y), at(x, y + 1)], Vec3::new(f64::from(x), 0.0, up));
            }
        }
    }
    scene.velocities.iter_mut().for_each(|velocity| velocity.linear.z = -FALL);
    let dense = Dense::new(&scene);
    let solved = scene.solve();
    // 90 rows hold 54 freedoms. The condition of those of full rank is 1e3.
    assert!(!solved.contradicts && flat(&solved.velocities).amax() <= 1e-14, "{:?}", solved.velocities);
    let diagonal = dense.delassus().diagonal();
    let turns = scene.rows.iter().map(|row| row.jacobian_b.linear == Vec3::zeros());
    let sum = |kind: bool| {
        diagonal.iter().zip(turns.clone()).filter(|(_, turns)| *turns == kind).map(|(value, _)| value).sum::<f64>()
    };
    // As many rows of points as of turns.
    let length = (sum(false) / sum(true)).sqrt();
    let scale = DVector::from_iterator(90, turns.clone().map(|turns| if turns { length } else { 1.0 }));
    let scale = nalgebra::DMatrix::from_diagonal(&scale);
    let svd = (&scale * dense.delassus() * &scale).svd(true, true);
    assert_eq!(svd.rank(1e-9), 54);
    let right = -&scale * &dense.jacobian * flat(&scene.velocities);
    let lambda = &scale * svd.solve(&right, 1e-9).expect("both factors are there");
    let error = difference(&DVector::from_vec(solved.lambda), &lambda);
    assert!(error <= 1e-10 * lambda.amax(), "{error:e}");
}
