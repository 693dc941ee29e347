//! A material and a pair as a host describes them are what the world gets.

use crate::contact::material::{Material, Pair};
use crate::ffi::materials::{dry_material_def, dry_pair_def};
use crate::world::tests::non_defaults::{self, Change, changed, changes};

/// The same changes as those of [`non_defaults::material`].
fn every_member_of_a_material() -> Vec<Change<dry_material_def>> {
    changes!(dry_material_def {
        friction = 0.25,
        rolling_friction = 0.25,
        twisting_friction = 0.25,
        restitution = 0.25,
        young_modulus = 2.0,
        poisson_ratio = 0.125,
        density = 2.0,
        user_data = 2,
        contact_damping = 0.5,
        normal_stiffness = 2.0,
    } but { struct_size, tangential_stiffness })
}

/// The same changes as those of [`non_defaults::pair`].
fn every_member_of_a_pair() -> Vec<Change<dry_pair_def>> {
    changes!(dry_pair_def {
        friction = 0.25,
        rolling_friction = 0.25,
        twisting_friction = 0.25,
        restitution = 0.25,
        stiffness = 2.0,
        contact_stiffness = 2.0,
        contact_damping = 0.5,
        normal_stiffness = 2.0,
        tangential_stiffness = 2.0,
    } but { struct_size })
}

/// Asserts that each change of a structure of the interface is the change of the same name inside.
fn same_changes<Def: Default, Inner>(given: &[Change<Def>], expected: &[Change<Inner>])
where
    Inner: for<'a> From<&'a Def> + Default + PartialEq + std::fmt::Debug,
{
    assert_eq!(given.len(), expected.len());
    assert_eq!(Inner::from(&Def::default()), Inner::default());
    for ((name, change), expected) in given.iter().zip(expected) {
        let mut def = Def::default();
        change(&mut def);
        assert_eq!(*name, expected.0);
        assert_eq!(Inner::from(&def), changed(expected), "{name}");
    }
}

#[test]
fn every_member_is_passed() {
    same_changes::<_, Material>(&every_member_of_a_material(), &non_defaults::material());
    same_changes::<_, Pair>(&every_member_of_a_pair(), &non_defaults::pair());
    let both = dry_material_def { normal_stiffness: 3.0, tangential_stiffness: 2.0, ..dry_material_def::default() };
    let expected = Material { normal_stiffness: 3.0, tangential_stiffness: 2.0, ..Material::default() };
    assert_eq!(Material::from(&both), expected);
}
