//! General contacts: one alone is solved at once, whatever its arms, inertia, axes and compliance.

use super::batches::{Batches, general_row};
use super::random::{Random, Scene, on_lines, plain};
use super::wide_general::LEVELS;
use super::wide_local::any_number;
use crate::math::lanes::{Kernel, Lanes, Vec3s, WIDE, Wide, dispatch};
use crate::math::{BodyRow, ContactId, Mat3, Symmetric3, Vec3};
use crate::solver::gauss_seidel::wide::general::{GeneralBatch, GeneralRow};
use crate::solver::gauss_seidel::wide::lines::loaded;
use crate::solver::gauss_seidel::wide::masses::Mass;
use crate::solver::problem::residual::contact_residual;
use crate::solver::problem::{Contact, FullContact, Impulse, ImpulsiveWrench, Velocity};
use nalgebra::SymmetricEigen;
use proptest::prelude::*;

/// Whether impulses in every direction move the contact. Where locks forbid one, a velocity in it can break the laws
/// whatever the impulse.
fn is_regular((contact, optional): FullContact, delassus: &Mat3) -> bool {
    let along = contact.normal * contact.normal.transpose();
    let across = Mat3::identity() - along;
    let block = delassus + optional.normal_compliance * along + optional.tangential_compliance * across;
    let values = SymmetricEigen::new(block).eigenvalues;
    values.min() > 1e-4 * values.max()
}

#[test]
fn one_visit_solves_one_contact() {
    let mut random = Random(1);
    let mut active = 0;
    for case in 0..300 {
        let scene = Scene::random(&mut random, 5, 10);
        let problem = scene.problem();
        let (masses, free) = scene.with_world();
        for (index, (contact, optional)) in scene.wholes().iter().enumerate() {
            let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
            if !is_regular((contact, optional), &contact.delassus_block(mass_a, mass_b).to_matrix()) {
                continue;
            }
            let mut row = Batches::<GeneralBatch>::of_one(&scene, (contact, optional));
            let mut velocities = free.clone();
            on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
            let at = |body: BodyRow| &velocities[body.min(BodyRow(5))];
            let pair = [at(contact.body_a), at(contact.body_b)];
            let residual = contact_residual(&problem, (contact, optional), pair, &row.wrench(0));
            // Velocities of a few m/s, impulses of up to 1e4 times what the best direction needs.
            assert!(residual <= 1e-11, "case {case}, contact {index}: {residual:e} m/s");
            active += usize::from(row.impulse(0).normal > 0.0);
        }
    }
    assert!(active > 500, "only {active} contacts carry an impulse");
}

#[test]
fn the_block_is_that_of_the_operator() {
    let mut random = Random(4);
    let mut compared = 0;
    for case in 0..300 {
        let scene = Scene::random(&mut random, 5, 10);
        let problem = scene.problem();
        for (index, (contact, optional)) in scene.wholes().iter().enumerate() {
            let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
            let delassus = contact.delassus_block(mass_a, mass_b).to_matrix();
            if !is_regular((contact, optional), &delassus) {
                continue;
            }
            let GeneralRow { t1, block } = general_row(&problem, (contact, optional));
            let (n, t1) = (contact.normal, Vec3::from(t1));
            let t2 = n.cross(&t1);
            let entry = |x: &Vec3, y: &Vec3| {
                let (along, across) = (n.dot(x) * n.dot(y), x.dot(y) - n.dot(x) * n.dot(y));
                x.dot(&(delassus * y)) + optional.normal_compliance * along + optional.tangential_compliance * across
            };
            let reduced = |x: &Vec3, y: &Vec3| entry(x, y) - entry(x, &n) * entry(y, &n) / entry(&n, &n);
            let errors = [
                block.normal - entry(&n, &n),
                block.coupling[0] - entry(&n, &t1),
                block.coupling[1] - entry(&n, &t2),
                block.tangential[0] - reduced(&t1, &t1),
                block.tangential[1] - reduced(&t2, &t2),
                reduced(&t1, &t2),
            ];
            let worst = errors.iter().fold(0.0, |worst: f64, error| worst.max(error.abs()));
            // sums of some dozen products; the reduced ones divide by as little as 1e-4 of the whole
            let whole = entry(&n, &n) + entry(&t1, &t1) + entry(&t2, &t2);
            assert!(
                worst <= 1e-13 * whole * (whole / block.normal).max(1.0),
                "case {case}, contact {index}: {errors:?}"
            );
            compared += 1;
        }
    }
    assert!(compared > 500, "only {compared} contacts compared");
}

#[test]
fn a_hand_made_corner() {
    // A body of mass 1 and inertia 1 touches the floor at arm (1, 0, 0) without friction, falling at 1 m/s:
    // Wd_nn = 1 + 1 = 2, so lambda = 1/2, v_z = -1/2, and arm x z = (0, -1, 0): w_y = -1/2. All exact.
    let mut scene = Scene::default();
    let falling = Velocity { linear: Vec3::new(0.0, 0.0, -1.0), angular: Vec3::zeros() };
    let body = scene.body(1.0, Symmetric3::diagonal([1.0; 3]), falling);
    scene.contacts.push(Contact { arm_b: Vec3::x(), ..plain(BodyRow::NONE, body, Vec3::z()) });
    let (masses, mut velocities) = scene.with_world();
    let mut row = Batches::<GeneralBatch>::of_one(&scene, scene.problem().full_contact(ContactId(0)));
    on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
    assert_eq!(row.impulse(0).normal, 0.5);
    assert_eq!(velocities[0].linear, Vec3::new(0.0, 0.0, -0.5));
    assert_eq!(velocities[0].angular, Vec3::new(0.0, -0.5, 0.0));
    assert_eq!(velocities[1], Velocity::ZERO);
}

#[test]
fn an_impulse_survives_the_turn_into_the_rows_own_tangents() {
    let mut random = Random(2);
    let scene = Scene::random(&mut random, 5, 50);
    let (masses, free) = scene.with_world();
    for (contact, optional) in &scene.wholes() {
        let mut row = Batches::<GeneralBatch>::of_one(&scene, (contact, optional));
        let given = Impulse::force(2.0, contact.normal.cross(&random.vector(1.0)));
        row.set(0, &given);
        let kept = row.impulse(0);
        let moves = scene.problem().moves(contact.body_a) || scene.problem().moves(contact.body_b);
        if !moves {
            // Without compliance nothing can be done between two bodies that do not move.
            assert!(optional.normal_compliance > 0.0 || row.wrench(0) == ImpulsiveWrench::ZERO, "{kept:?}");
            continue;
        }
        assert_eq!(kept.normal, 2.0);
        // Two unit tangents, orthonormal to a few eps.
        assert!((kept.tangential - given.tangential).norm() <= 1e-15 * 8.0, "{kept:?} from {given:?}");
        // the sweeps start from it: what a visit changes is applied as the difference to it
        let mut velocities = free.clone();
        on_lines(&masses, &mut velocities, |bodies| row.relax(0, bodies, 1.0));
        let change = row.impulse(0).vector(&contact.normal) - kept.vector(&contact.normal);
        let mut expected = free.clone();
        let (a, b) = (contact.body_a.min(BodyRow(5)), contact.body_b.min(BodyRow(5)));
        masses[a].apply(&mut expected[a], &-change, &contact.arm_a.cross(&-change));
        masses[b].apply(&mut expected[b], &change, &contact.arm_b.cross(&change));
        for (found, expected) in velocities.iter().zip(&expected) {
            let error = (found.linear - expected.linear).norm().max((found.angular - expected.angular).norm());
            // Changes times inverse masses and inertias of up to some 60, a few eps.
            assert!(error <= 1e-13 * (1.0 + change.norm()), "{error:e}");
        }
    }
}

#[test]
fn relaxed_visits_stay_on_the_cone() {
    let mut random = Random(3);
    let scene = Scene::random(&mut random, 8, 40);
    let (masses, mut velocities) = scene.with_world();
    let mut rows = Batches::<GeneralBatch>::new(&scene);
    for sweep in 0..20 {
        for (index, contact) in scene.contacts.iter().enumerate() {
            on_lines(&masses, &mut velocities, |bodies| rows.relax(index, bodies, 1.9));
            let Impulse { normal, tangential, .. } = rows.impulse(index);
            assert!(normal >= 0.0, "sweep {sweep}: {normal}");
            // The tangents are unit vectors to a few eps.
            assert!(tangential.norm() <= contact.friction * normal * (1.0 + 1e-14), "sweep {sweep}");
        }
    }
}

/// Eight rows: normals, arms, masses and compliance to tangents and blocks.
struct Rows<'a> {
    numbers: &'a [Wide; 29],
    made: &'a mut [Wide; 8],
}

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self) {
        for first in (0..WIDE).step_by(L::WIDTH) {
            let [nx, ny, nz, ax, ay, az, bx, by, bz, soft_n, soft_t, masses @ ..]: [L; 29] =
                loaded(self.numbers, first);
            let [ma_x, ma_y, ma_z, mb_x, mb_y, mb_z, a1, a2, a3, a4, a5, a6, b1, b2, b3, b4, b5, b6] = masses;
            let masses = [
                Mass { linear: Vec3s::new(ma_x, ma_y, ma_z), angular: [a1, a2, a3, a4, a5, a6] },
                Mass { linear: Vec3s::new(mb_x, mb_y, mb_z), angular: [b1, b2, b3, b4, b5, b6] },
            ];
            let arms = [Vec3s::new(ax, ay, az), Vec3s::new(bx, by, bz)];
            let GeneralRow { t1, block } = GeneralRow::new(Vec3s::new(nx, ny, nz), arms, &masses, [soft_n, soft_t]);
            let ([c1, c2], [s1, s2]) = (block.coupling, block.tangential);
            for (number, wide) in [t1.x, t1.y, t1.z, block.normal, c1, c2, s1, s2].into_iter().zip(&mut *self.made) {
                number.store(wide, first);
            }
        }
    }
}

proptest! {
    /// Whatever the numbers are, also where they make no sense.
    #[test]
    fn rows_of_every_width_have_the_same_bits(numbers in prop::collection::vec(any_number(), 29 * WIDE)) {
        let numbers = std::array::from_fn(|at| Wide(std::array::from_fn(|lane| numbers[at * WIDE + lane])));
        let mut single = [Wide::default(); 8];
        Rows { numbers: &numbers, made: &mut single }.run::<f64>();
        for level in LEVELS {
            let mut wide = [Wide::default(); 8];
            dispatch(level, Rows { numbers: &numbers, made: &mut wide });
            for (wide, single) in wide.iter().flat_map(|wide| wide.0).zip(single.iter().flat_map(|single| single.0)) {
                // the bits of what is no number are the machine's own
                prop_assert!(wide.to_bits() == single.to_bits() || wide.is_nan() && single.is_nan());
            }
        }
    }
}
