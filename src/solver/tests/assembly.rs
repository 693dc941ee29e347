//! The reduced form of islands: against dense products, and the residuals and velocities of the bodies themselves.

use super::random::{Random, Scene, plain, random_row, resisting};
use crate::math::{BodyRow, ContactId, RowId, Vec3, tangents};
use crate::solver::gauss_seidel::motion::Motion;
use crate::solver::operator::assembly::{Assembly, frame, gather, scatter};
use crate::solver::operator::reduced::{Law, Reduced};
use crate::solver::problem::islands::{Island, Islands, clear_inert};
use crate::solver::problem::{Contact, Friction, Impulse, Impulses, MassInverse, Problem, Velocity};
use crate::tasks::Serial;
use nalgebra::DMatrix;

/// Scenes of every kind, with torques and rows, some with box friction.
fn random_scene(random: &mut Random, case: usize) -> Scene {
    let bodies = 3 + random.index(25);
    let contacts = random.index(40);
    let mut scene = Scene::random(random, bodies, contacts);
    let rows = random.index(20);
    scene.random_rows(random, rows);
    if !case.is_multiple_of(4) {
        scene.resist_turning(random);
    }
    scene.friction = if case.is_multiple_of(3) { Friction::Box } else { Friction::Coulomb };
    scene
}

/// Impulses of every size, on the cones and off them; those of what does not move are zero.
fn random_impulses(random: &mut Random, scene: &Scene) -> Impulses {
    let mut impulses = scene.no_impulses();
    for (index, contact) in scene.contacts.iter().enumerate() {
        let normal = if random.one_in(4) { 0.0 } else { random.between(0.0, 1.0) };
        impulses.contacts[index] = Impulse::force(normal, contact.normal.cross(&random.vector(1.0)));
        if scene.problem().optional_terms(index.into()).resists_turning() {
            impulses.torques[index] = random.vector(0.5);
        }
    }
    impulses.rows.fill_with(|| if random.one_in(4) { 0.0 } else { random.between(-1.0, 1.0) });
    clear_inert(&scene.problem(), &mut impulses);
    impulses
}

fn islands_of(problem: &Problem) -> Islands {
    let mut islands = Islands::default();
    islands.find(problem).expect("memory");
    islands
}

/// The rows of an island as `G` and `S`, from what they are: the relative velocity along each direction.
fn dense(problem: &Problem, island: &Island) -> (DMatrix<f64>, Vec<f64>) {
    let columns = 6 * problem.masses.len();
    let mut rows: Vec<(Vec<f64>, f64)> = Vec::new();
    let mut add = |sides: [(BodyRow, Vec3, Vec3); 2], compliance: f64| {
        let mut row = vec![0.0; columns];
        for (body, linear, angular) in sides.into_iter().filter(|side| side.0 != BodyRow::NONE) {
            let at = 6 * body.index();
            row[at..at + 3].copy_from_slice(linear.as_slice());
            row[at + 3..at + 6].copy_from_slice(angular.as_slice());
        }
        rows.push((row, compliance));
    };
    for index in island.rows {
        let row = &problem.rows[*index];
        let side =
            |body: BodyRow, jacobian: &crate::solver::problem::Jacobian| (body, jacobian.linear, jacobian.angular);
        add([side(row.body_a, &row.jacobian_a), side(row.body_b, &row.jacobian_b)], row.compliance);
    }
    for index in island.contacts {
        let (contact, optional) = problem.full_contact(*index);
        let (a, b) = (contact.body_a, contact.body_b);
        let (t1, t2) = tangents(&contact.normal);
        let (s_n, s_t) = (optional.normal_compliance, optional.tangential_compliance);
        for (e, compliance) in [(contact.normal, s_n), (t1, s_t), (t2, s_t)] {
            add([(a, -e, -contact.arm_a.cross(&e)), (b, e, contact.arm_b.cross(&e))], compliance);
        }
        if optional.rolling > 0.0 || optional.twisting > 0.0 {
            for e in [t1, t2, contact.normal] {
                add([(a, Vec3::zeros(), -e), (b, Vec3::zeros(), e)], 0.0);
            }
        }
    }
    let g = DMatrix::from_fn(rows.len(), columns, |row, column| rows[row].0[column]);
    (g, rows.into_iter().map(|row| row.1).collect())
}

fn dense_mass_inverse(problem: &Problem) -> DMatrix<f64> {
    let mut inverse = DMatrix::zeros(6 * problem.masses.len(), 6 * problem.masses.len());
    for (body, mass) in problem.masses.iter().enumerate() {
        let angular = mass.angular.to_matrix();
        for i in 0..3 {
            inverse[(6 * body + i, 6 * body + i)] = mass.linear[i];
            for j in 0..3 {
                inverse[(6 * body + 3 + i, 6 * body + 3 + j)] = angular[(i, j)];
            }
        }
    }
    inverse
}

#[test]
fn the_matrix_is_the_dense_product() {
    let mut random = Random(1);
    let mut assembly = Assembly::default();
    let (mut reduced, mut islands_met) = (Reduced::default(), 0);
    for case in 0..60 {
        let scene = random_scene(&mut random, case);
        let problem = scene.problem();
        let islands = islands_of(&problem);
        let inverse = dense_mass_inverse(&problem);
        islands_met += islands.len();
        for number in 0..islands.len() {
            let island = islands.get(number);
            // one workspace for all: nothing of the island before may be left
            assembly.reduce(&problem, &island, &mut reduced).expect("memory");
            let (g, compliance) = dense(&problem, &island);
            let mut w = &g * &inverse * g.transpose();
            compliance.iter().enumerate().for_each(|(row, s)| w[(row, row)] += s);
            let matrix = &reduced.matrix;
            assert_eq!((matrix.size(), reduced.size()), (g.nrows(), g.nrows()));
            // Sums of 12 products, each at most the largest entry.
            let tolerance = 24.0 * f64::EPSILON * w.amax();
            for row in 0..matrix.size() {
                assert!(matrix.row(row).0.is_sorted_by(|a, b| a < b), "case {case}: columns do not rise in row {row}");
                for column in 0..matrix.size() {
                    let error = (matrix.entry(row, column) - w[(row, column)]).abs();
                    assert!(error <= tolerance, "case {case}, ({row}, {column}): {error:e} above {tolerance:e}");
                    assert_eq!(matrix.entry(row, column), matrix.entry(column, row), "not symmetric to the bit");
                }
            }
        }
    }
    assert!(islands_met > 100, "hardly any islands: {islands_met}");
}

/// Velocities from the impulses by the sum over bodies.
fn moved(scene: &Scene, islands: &Islands, impulses: &Impulses) -> Motion {
    let mut motion = Motion::default();
    motion.load(&scene.problem(), &Serial).expect("memory");
    for number in 0..islands.len() {
        motion.balance(&scene.problem(), &islands.get(number), impulses);
    }
    *motion.velocities.last_mut().expect("the fixed world") = Velocity::ZERO;
    motion
}

/// `w` of all rows of an island from the velocities of its bodies.
fn defects(problem: &Problem, island: &Island, impulses: &Impulses, motion: &Motion) -> Vec<f64> {
    let mut w = Vec::new();
    for index in island.rows {
        let (row, lambda) = (&problem.rows[*index], impulses.rows[*index]);
        let (a, b) = (motion.velocity(row.body_a), motion.velocity(row.body_b));
        w.push(row.jacobian_a.dot(a) + row.jacobian_b.dot(b) + row.compliance * lambda - row.rhs);
    }
    for index in island.contacts {
        let (contact, optional) = problem.full_contact(*index);
        let (a, b) = (motion.velocity(contact.body_a), motion.velocity(contact.body_b));
        let impulse = &impulses.contacts[*index];
        let (w_n, w_t) = contact.defect(&contact.relative_velocity(a, b), impulse, optional);
        let [n, t1, t2] = frame(contact);
        w.extend([w_n, w_t.dot(&t1), w_t.dot(&t2)]);
        if optional.resists_turning() {
            let spin = b.angular - a.angular;
            w.extend([t1, t2, n].map(|e| e.dot(&spin)));
        }
    }
    w
}

/// The residual of each row, then of each contact of an island, from its blocks.
fn residuals(island: &Island, reduced: &Reduced, lambda: &[f64], w: &[f64]) -> Vec<f64> {
    let mut of_blocks = reduced.blocks.iter().peekable();
    let mut found = Vec::new();
    while let Some(block) = of_blocks.next() {
        let mut residual = reduced.block_residual(block, lambda, w);
        // The rows of a contact with box friction: all that follow its normal row and are bounded by it.
        let own = reduced.blocks.iter().position(|other| other.first == block.first);
        while found.len() >= island.rows.len()
            && of_blocks.peek().is_some_and(|next| matches!(next.law, Law::Bounded { of, .. } if of == own))
        {
            let next = of_blocks.next().expect("was seen");
            residual = residual.max(reduced.block_residual(next, lambda, w));
        }
        found.push(residual);
    }
    found
}

#[test]
fn velocities_and_residuals_are_those_of_the_bodies() {
    let mut random = Random(2);
    let (mut reduced, mut lambda) = (Reduced::default(), Vec::new());
    let mut met = [0; 4];
    for case in 0..200 {
        let scene = random_scene(&mut random, case);
        let problem = scene.problem();
        let islands = islands_of(&problem);
        let impulses = random_impulses(&mut random, &scene);
        let motion = moved(&scene, &islands, &impulses);
        for number in 0..islands.len() {
            let island = islands.get(number);
            Assembly::default().reduce(&problem, &island, &mut reduced).expect("memory");
            gather(&problem, &island, &reduced, &impulses, &mut lambda).expect("memory");
            let mut w = vec![0.0; reduced.size()];
            reduced.velocity(&lambda, &mut w);
            // Up to 60 rows of entries up to 60 and impulses up to 2, in another order.
            let expected = defects(&problem, &island, &impulses, &motion);
            let error = w.iter().zip(&expected).map(|(w, u)| (w - u).abs()).fold(0.0, f64::max);
            assert!(w.len() == expected.len() && error <= 1e-12, "case {case}: {error:e}");

            let rows = island.rows.iter().map(|row| motion.row_residual(&problem, *row, &impulses));
            let contacts = island.contacts.iter().map(|contact| motion.contact_residual(&problem, *contact, &impulses));
            let expected: Vec<f64> = rows.chain(contacts).collect();
            let found = residuals(&island, &reduced, &lambda, &w);
            assert_eq!(found.len(), expected.len());
            for (at, (one, other)) in found.iter().zip(&expected).enumerate() {
                // The round-off of w, as above; projections do not stretch it, and lengths are below 10 m.
                assert!((one - other).abs() <= 1e-11, "case {case}, block {at}: {one:e} and {other:e}");
            }
            let largest = expected.iter().copied().fold(0.0, f64::max);
            assert!((reduced.residual(&lambda, &w) - largest).abs() <= 1e-11);
            let (by_motion, _) = motion.residuals(&problem, &island, &impulses);
            assert!((reduced.residual(&lambda, &w) - by_motion).abs() <= 1e-11);
            for block in &reduced.blocks {
                let kind = match block.law {
                    Law::Contact { dimension, .. } => usize::from(dimension == 6),
                    Law::Bounded { of, .. } => 2 + usize::from(of.is_some()),
                };
                met[kind] += 1;
            }
        }
    }
    assert!(met.iter().all(|count| *count > 300), "a law was hardly met: {met:?}");
}

#[test]
fn impulses_survive_the_turn_into_rows_and_back() {
    let mut random = Random(3);
    let (mut reduced, mut lambda, mut again) = (Reduced::default(), Vec::new(), Vec::new());
    for case in 0..60 {
        let scene = random_scene(&mut random, case);
        let problem = scene.problem();
        let islands = islands_of(&problem);
        let impulses = random_impulses(&mut random, &scene);
        let mut back = scene.no_impulses();
        for number in 0..islands.len() {
            let island = islands.get(number);
            Assembly::default().reduce(&problem, &island, &mut reduced).expect("memory");
            gather(&problem, &island, &reduced, &impulses, &mut lambda).expect("memory");
            assert_eq!(lambda.len(), reduced.size());
            scatter(&problem, &island, &reduced, &lambda, &mut back);
            gather(&problem, &island, &reduced, &back, &mut again).expect("memory");
            for (one, other) in lambda.iter().zip(&again) {
                // Impulses of up to 2, in tangents orthonormal to a few eps.
                assert!((one - other).abs() <= 4e-15, "case {case}: {one} and {other}");
            }
        }
        // All of them, over all islands; those of nothing that moves are zero.
        assert_eq!(back.rows, impulses.rows);
        for contact in ContactId::range(0..scene.contacts.len()) {
            let (one, other) = (back.wrench(contact), impulses.wrench(contact));
            assert_eq!(one.force.normal, other.force.normal);
            let error = (one.force.tangential - other.force.tangential).norm().max((one.torque - other.torque).norm());
            assert!(error <= 8e-15, "case {case}: {one:?} and {other:?}");
        }
    }
}

#[test]
fn scatter_clears_the_torque_of_a_contact_that_has_no_rows_for_it() {
    let mut scene = Scene::default();
    let body = scene.sphere(1.0, 0.5, Velocity::ZERO);
    scene.contacts.push(plain(BodyRow::NONE, body, Vec3::z()));
    let problem = scene.problem();
    let islands = islands_of(&problem);
    let mut reduced = Reduced::default();
    Assembly::default().reduce(&problem, &islands.get(0), &mut reduced).expect("memory");
    let mut impulses = scene.with_contacts(&[Impulse::force(9.0, Vec3::x())]);
    impulses.torques.push(Vec3::x());
    scatter(&problem, &islands.get(0), &reduced, &[3.0, 1.0, 0.0], &mut impulses);
    // the first tangent of z is x
    assert_eq!(impulses.wrench(ContactId(0)), Impulse::force(3.0, Vec3::x()).into());
}

#[test]
fn laws_by_hand() {
    let mut random = Random(4);
    let mut scene = Scene::default();
    let (one, two) = (scene.sphere(1.0, 0.5, Velocity::ZERO), scene.sphere(1.0, 0.5, Velocity::ZERO));
    let wall = scene.kinematic(Velocity::ZERO);
    // Rows 0 and 5 move nothing, row 1 is bounded by a later one, row 3 by an earlier one, row 4 by one that moves nothing.
    let pairs = [
        (wall, BodyRow::NONE),
        (BodyRow::NONE, one),
        (one, two),
        (two, wall),
        (two, BodyRow::NONE),
        (BodyRow::NONE, wall),
    ];
    scene.rows.extend(pairs.map(|(a, b)| random_row(&mut random, a, b)));
    for (row, of) in [(1, RowId(2)), (3, RowId(2)), (4, RowId(5))] {
        let row = &mut scene.rows[row];
        (row.lower, row.upper, row.friction_row) = (-0.5, 0.5, Some(of));
    }
    let mut contact = plain(BodyRow::NONE, one, Vec3::z());
    contact.friction = 0.25;
    let optional = resisting(0.0, 0.125);
    scene.contacts.push(plain(wall, BodyRow::NONE, Vec3::z()));
    scene.add(contact, optional);
    let problem = scene.problem();
    let islands = islands_of(&problem);
    let mut reduced = Reduced::default();
    assert_eq!(islands.len(), 1);
    Assembly::default().reduce(&problem, &islands.get(0), &mut reduced).expect("memory");
    let bounded = |lower, upper, of| Law::Bounded { lower, upper, of };
    let (lower, upper) = (scene.rows[2].lower, scene.rows[2].upper);
    let cone = contact.cone(&optional, 0.0);
    let laws = [
        bounded(-0.5, 0.5, Some(1)),
        bounded(lower, upper, None),
        bounded(-0.5, 0.5, Some(1)),
        bounded(0.0, 0.0, None),
        Law::Contact { cone, dimension: 6 },
    ];
    let found: Vec<Law> = reduced.blocks.iter().map(|block| block.law).collect();
    assert_eq!(found, laws);
    let firsts: Vec<usize> = reduced.blocks.iter().map(|block| block.first).collect();
    assert_eq!(firsts, [0, 1, 2, 3, 4]);
    assert_eq!(reduced.size(), 10);
    let measure = contact.measure(&MassInverse::ZERO, problem.mass(one), &optional);
    assert_eq!((reduced.blocks[4].scale, reduced.blocks[4].length), (measure.scale, measure.length));

    scene.friction = Friction::Box;
    Assembly::default().reduce(&scene.problem(), &islands.get(0), &mut reduced).expect("memory");
    let found: Vec<Law> = reduced.blocks[4..].iter().map(|block| block.law).collect();
    let infinite = f64::INFINITY;
    let bounds = [(0.0, infinite), (-0.25, 0.25), (-0.25, 0.25), (-0.0, 0.0), (-0.0, 0.0), (-0.125, 0.125)];
    let expected: Vec<Law> =
        bounds.iter().enumerate().map(|(k, (lower, upper))| bounded(*lower, *upper, (k > 0).then_some(4))).collect();
    assert_eq!(found, expected);
}

#[test]
fn diagonal_blocks_are_those_of_the_contacts() {
    let scene = Scene::random(&mut Random(3), 10, 20);
    let problem = scene.problem();
    let islands = islands_of(&problem);
    let mut reduced = Reduced::default();
    for number in 0..islands.len() {
        let island = islands.get(number);
        Assembly::default().reduce(&problem, &island, &mut reduced).expect("memory");
        for (index, block) in island.contacts.iter().zip(&reduced.blocks) {
            let (contact, optional) = problem.full_contact(*index);
            let alone = contact.delassus_block(problem.mass(contact.body_a), problem.mass(contact.body_b));
            let compliance =
                [optional.normal_compliance, optional.tangential_compliance, optional.tangential_compliance];
            for (i, e_i) in frame(contact).iter().enumerate() {
                for (j, e_j) in frame(contact).iter().enumerate() {
                    let expected = e_i.dot(&alone.times(e_j)) + if i == j { compliance[i] } else { 0.0 };
                    // Entries up to 1/m + arm^2/I of some 60.
                    let error = (reduced.matrix.entry(block.first + i, block.first + j) - expected).abs();
                    assert!(error <= 1e-12, "contact {index} ({i}, {j}): {error:e}");
                }
            }
        }
    }
}

#[test]
fn rows_of_a_hand_made_contact() {
    // Mass 2, inertia 4 about every axis, on the fixed world, normal z, arm (1, 0, -1):
    // arm x n = (0, -1, 0), so W_nn = 1/2 + 1/4, and q_n = v_z + w_x y - w_y x = -3 - 5.
    let mut scene = Scene::default();
    let velocity = Velocity { linear: Vec3::new(0.0, 0.0, -3.0), angular: Vec3::new(0.0, 5.0, 0.0) };
    let body = scene.body(2.0, crate::math::Symmetric3::diagonal([4.0; 3]), velocity);
    scene.contacts.push(Contact { arm_b: Vec3::new(1.0, 0.0, -1.0), ..plain(BodyRow::NONE, body, Vec3::z()) });
    let problem = scene.problem();
    let mut reduced = Reduced::default();
    Assembly::default().reduce(&problem, &islands_of(&problem).get(0), &mut reduced).expect("memory");
    assert_eq!((reduced.matrix.entry(0, 0), reduced.q[0]), (0.75, -8.0));
}
