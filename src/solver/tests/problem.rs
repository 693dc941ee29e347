//! What a problem says of bodies and contacts, by hand.

use super::random::{Random, Scene, plain};
use crate::math::{BodyRow, ContactId, Symmetric3, Vec3};
use crate::solver::problem::{Contact, Impulse, Impulses, ImpulsiveWrench, MassInverse, OptionalTerms, Velocity};

#[test]
fn the_fixed_world_is_at_rest_and_immovable() {
    let mut scene = Scene::default();
    let moving = Velocity { linear: Vec3::x(), angular: Vec3::y() };
    let sphere = scene.sphere(2.0, 1.0, moving);
    let wall = scene.kinematic(moving);
    let problem = scene.problem();
    assert_eq!(
        (problem.mass(BodyRow::NONE), problem.free_velocity(BodyRow::NONE)),
        (&MassInverse::ZERO, &Velocity::ZERO)
    );
    assert_eq!((problem.moves(BodyRow::NONE), problem.moves(wall), problem.moves(sphere)), (false, false, true));
    assert_eq!(*problem.free_velocity(wall), moving);
}

#[test]
fn only_what_responds_equally_is_isotropic() {
    let mass = MassInverse { linear: Vec3::repeat(2.0), angular: Symmetric3::diagonal([3.0; 3]) };
    assert_eq!(mass.isotropic(), Some((2.0, 3.0)));
    assert_eq!(MassInverse { linear: Vec3::new(2.0, 2.0, 0.0), ..mass }.isotropic(), None);
    assert_eq!(MassInverse { angular: Symmetric3::diagonal([3.0, 3.0, 0.0]), ..mass }.isotropic(), None);
}

#[test]
fn points_move_with_their_body() {
    // v + w x arm: (1, 0, 0) + (0, 0, 2) x (0, 3, 0) = (1 - 6, 0, 0).
    let velocity = Velocity { linear: Vec3::x(), angular: Vec3::new(0.0, 0.0, 2.0) };
    assert_eq!(velocity.at(&Vec3::new(0.0, 3.0, 0.0)), Vec3::new(-5.0, 0.0, 0.0));
    let contact = Contact { arm_b: Vec3::new(0.0, 3.0, 0.0), ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) };
    assert_eq!(contact.relative_velocity(&Velocity::ZERO, &velocity), Vec3::new(-5.0, 0.0, 0.0));
    assert_eq!(contact.relative_velocity(&velocity, &Velocity::ZERO), Vec3::new(-1.0, 0.0, 0.0));
}

#[test]
fn the_defect_has_bias_conveyor_and_compliance() {
    let contact = Contact { normal_bias: 0.5, ..plain(BodyRow::NONE, BodyRow(0), Vec3::z()) };
    let optional = OptionalTerms {
        surface_velocity: Vec3::new(1.0, 0.0, 9.0),
        normal_compliance: 0.25,
        tangential_compliance: 0.125,
        ..OptionalTerms::NONE
    };
    let lambda = Impulse::force(4.0, Vec3::new(0.0, 8.0, 0.0));
    // w_n = 2 + 1/2 + 4/4; w_t = (3 - 1, 8/8): of the conveyor only the tangential part counts.
    assert_eq!(contact.defect(&Vec3::new(3.0, 0.0, 2.0), &lambda, &optional), (3.5, Vec3::new(2.0, 1.0, 0.0)));
}

#[test]
fn the_block_is_what_an_impulse_changes() {
    let mut random = Random(1);
    let scene = Scene::random(&mut random, 10, 100);
    let problem = scene.problem();
    for (contact, optional) in &scene.wholes() {
        let (mass_a, mass_b) = (problem.mass(contact.body_a), problem.mass(contact.body_b));
        let impulse = random.vector(1.0);
        let (mut v_a, mut v_b) = (Velocity::ZERO, Velocity::ZERO);
        mass_a.apply(&mut v_a, &-impulse, &contact.arm_a.cross(&-impulse));
        mass_b.apply(&mut v_b, &impulse, &contact.arm_b.cross(&impulse));
        let changed = contact.relative_velocity(&v_a, &v_b);
        let error = changed - contact.delassus_block(mass_a, mass_b).times(&impulse);
        // Entries up to 1/m + arm^2/I of some 60.
        assert!(error.norm() <= 1e-13, "{error}");
        let trace = contact.delassus_block(mass_a, mass_b).to_matrix().trace()
            + optional.normal_compliance
            + 2.0 * optional.tangential_compliance;
        let measure = contact.measure(mass_a, mass_b, optional);
        assert!((3.0 * measure.scale - trace).abs() <= 1e-14 * trace);
        assert_eq!(measure.length, 1.0, "no torque is compared with a force");
    }
}

#[test]
fn an_impulse_is_half_a_line_of_the_cache() {
    assert_eq!(size_of::<Impulse>(), 32);
}

#[test]
fn a_contact_is_a_line_and_a_half_of_the_cache() {
    assert_eq!((size_of::<Contact>(), size_of::<OptionalTerms>()), (96, 64));
}

#[test]
fn a_contact_without_a_column_has_no_optional_terms() {
    let mut scene = Scene::default();
    scene.contacts.extend([plain(BodyRow::NONE, BodyRow(0), Vec3::z()), plain(BodyRow::NONE, BodyRow(0), Vec3::x())]);
    assert_eq!(scene.problem().full_contact(ContactId(1)), (&scene.contacts[1], &OptionalTerms::NONE));
    assert!(!scene.problem().resists_turning());
    scene.optional_terms_of(1).twisting = 0.5;
    let (problem, expected) = (scene.problem(), OptionalTerms { twisting: 0.5, ..OptionalTerms::NONE });
    assert_eq!([0, 1].map(|contact| problem.optional_terms(ContactId(contact))), [&OptionalTerms::NONE, &expected]);
    assert!(problem.resists_turning());
}

#[test]
fn torques_are_a_column_of_all_contacts_or_of_none() {
    let mut impulses = Impulses { contacts: vec![Impulse::force(1.0, Vec3::x()); 2], ..Impulses::default() };
    let wrench = ImpulsiveWrench { force: Impulse::force(2.0, Vec3::y()), torque: Vec3::z() };
    // without a column a torque is none
    impulses.set_wrench(ContactId(1), &wrench);
    assert_eq!((impulses.wrench(ContactId(1)), impulses.torques.len()), (wrench.force.into(), 0));
    impulses.begin_turning(true).expect("memory");
    impulses.set_wrench(ContactId(1), &wrench);
    impulses.begin_turning(true).expect("memory");
    assert_eq!(
        [0, 1].map(|contact| impulses.wrench(ContactId(contact))),
        [Impulse::force(1.0, Vec3::x()).into(), wrench]
    );
    impulses.begin_turning(false).expect("memory");
    assert_eq!((impulses.wrench(ContactId(1)), impulses.torques.len()), (wrench.force.into(), 0));
}
