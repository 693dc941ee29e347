//! The largest frequency of a mechanism under tension.

use super::scene::{Dense, Scene, WORLD};
use crate::math::{BodyRow, Vec3};
use crate::solver::mechanism::{BodyImpulse, StiffnessBlock};
use crate::solver::problem::Velocity;
use crate::solver::tests::random::Random;
use nalgebra::DMatrix;

/// The block of forces on a body at arms: the symmetric part of `-[f]x [r]x` on its rotation.
fn of_force(body: BodyRow, force: Vec3, arm: Vec3) -> StiffnessBlock {
    let product = -(force.cross_matrix() * arm.cross_matrix());
    let mut block = [[0.0; 6]; 6];
    for row in 0..3 {
        for column in 0..3 {
            block[3 + row][3 + column] = 0.5 * (product[(row, column)] + product[(column, row)]);
        }
    }
    StiffnessBlock { row: body, column: body, block }
}

#[test]
fn a_pendulum_has_its_frequency() {
    // A rod on a hinge, hanging: m g r over the inertia about the hinge.
    let mut scene = Scene::default();
    let rod = scene.ball(2.0, 0.1, Vec3::new(0.0, 0.0, -0.7));
    scene.hinge([WORLD, rod], Vec3::zeros(), Vec3::y());
    let block = of_force(rod, Vec3::new(0.0, 0.0, 2.0 * 9.81), Vec3::new(0.0, 0.0, 0.7));
    let (mut mechanism, mut memory) = (scene.mechanism(), Vec::new());
    let expected = 2.0 * 9.81 * 0.7 / (0.4 * 2.0 * 0.01 + 2.0 * 0.49);
    // One freedom: the first step finds its motion. From nothing, then from memory.
    for _ in 0..2 {
        let found = mechanism.stiffness_of_blocks(&mut memory, &[block]).expect("memory");
        assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
    }
    // Compression counts by its magnitude.
    let compressed = StiffnessBlock { block: block.block.map(|row| row.map(|entry| -entry)), ..block };
    let found = mechanism.stiffness_of_blocks(&mut memory, &[compressed]).expect("memory");
    assert!((found - expected).abs() <= 1e-13 * expected, "{found} {expected}");
}

#[test]
fn power_steps_come_near_the_largest_eigenvalue() {
    let mut random = Random(41);
    for round in 0..20 {
        let mut scene = super::random_tree(&mut random, 6, [0.5, 5.0], true);
        scene.velocities.iter_mut().for_each(|velocity| *velocity = Velocity::ZERO);
        let size = 36;
        let mut k = DMatrix::zeros(size, size);
        let mut blocks = Vec::new();
        for body in 0..6 {
            for other in [body, (body + 1) % 6] {
                let mut block: [[f64; 6]; 6] =
                    std::array::from_fn(|_| std::array::from_fn(|_| random.between(-1.0, 1.0)));
                if body == other {
                    let given = block;
                    (0..6).for_each(|i| (0..6).for_each(|j| block[i][j] = given[i][j] + given[j][i]));
                }
                blocks.push(StiffnessBlock { row: BodyRow(body), column: BodyRow(other), block });
                for (i, row) in block.iter().enumerate() {
                    for (j, entry) in row.iter().enumerate() {
                        let at = (6 * body as usize + i, 6 * other as usize + j);
                        k[at] += entry;
                        if body != other {
                            k[(at.1, at.0)] += entry;
                        }
                    }
                }
            }
        }
        let inverse = Dense::new(&scene).constrained_inverse();
        let largest = (inverse * &k).complex_eigenvalues().iter().map(|value| value.norm()).fold(0.0, f64::max);
        let (mut mechanism, mut memory) = (scene.mechanism(), Vec::new());
        let first = mechanism.stiffness_of_blocks(&mut memory, &blocks).expect("memory");
        // Twenty steps, from below: the error falls by the square of the ratio to the next eigenvalue in each.
        assert!(first <= largest * (1.0 + 1e-12) && first >= 0.9 * largest, "round {round}: {first} {largest}");
        let mut last = first;
        for _ in 0..200 {
            let found = mechanism
                .stiffness(&mut memory, |velocities, forces| {
                    let v = super::flat(velocities);
                    let f = &k * v;
                    for (body, force) in forces.iter_mut().enumerate() {
                        force.impulse = f.fixed_rows::<3>(6 * body).into_owned();
                        force.moment = f.fixed_rows::<3>(6 * body + 3).into_owned();
                    }
                })
                .expect("memory");
            assert!(found >= last * (1.0 - 1e-12), "round {round}: {found} after {last}");
            last = found;
        }
        // 600 more steps.
        assert!(last <= largest * (1.0 + 1e-12) && last >= 0.9999 * largest, "round {round}: {last} {largest}");
    }
}

#[test]
fn no_stiffness_is_none() {
    let mut scene = Scene::default();
    let rod = scene.ball(2.0, 0.1, Vec3::new(0.0, 0.0, -0.7));
    scene.hinge([WORLD, rod], Vec3::zeros(), Vec3::y());
    let (mut mechanism, mut memory) = (scene.mechanism(), vec![Velocity::ZERO]);
    let none = |_: &[Velocity], forces: &mut [BodyImpulse]| assert_eq!(forces.len(), 1);
    assert_eq!(mechanism.stiffness(&mut memory, none), Ok(0.0));
    assert!(memory.iter().all(|velocity| velocity.linear.norm() > 0.0), "the next step has a start");
}
