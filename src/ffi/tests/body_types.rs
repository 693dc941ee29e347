//! A body as a host describes it is what the world gets.

use crate::body::Definition;
use crate::ffi::body_types::dry_body_def;
use crate::ffi::structure::numbered;
use crate::world::tests::non_defaults::{self, Change, changed, changes};

/// The same changes as those of [`non_defaults::definition`].
fn every_member() -> Vec<Change<dry_body_def>> {
    changes!(dry_body_def {
        kind = numbered(0),
        lock = 1,
        shape = 77,
        material = 78,
        position = [1.0, 0.0, 0.0],
        rotation = [0.0, 0.0, 1.0, 0.0],
        linear_velocity = [1.0, 0.0, 0.0],
        angular_velocity = [1.0, 0.0, 0.0],
        mass = 2.0,
        center_of_mass = [0.1, 0.0, 0.0],
        inertia = [0.1, 0.1, 0.11, 0.0, 0.0, 0.0],
        gravity_scale = 0.5,
        linear_damping = 0.5,
        angular_damping = 0.5,
        filter_category = 2,
        filter_mask = 2,
        filter_group = 2,
        user_data = 2,
    } but { struct_size, reserved })
}

#[test]
fn every_member_is_passed() {
    let expected = non_defaults::definition();
    let given = every_member();
    assert_eq!(given.len(), expected.len());
    for ((name, change), expected) in given.iter().zip(&expected) {
        let mut def = dry_body_def::default();
        change(&mut def);
        assert_eq!(*name, expected.0);
        assert_eq!(def.checked().expect("a body"), changed(expected), "{name}");
    }
}

#[test]
fn the_defaults_are_those_of_a_body() {
    assert_eq!(dry_body_def::default().checked().expect("a body"), Definition::default());
}
