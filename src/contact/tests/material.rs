use crate::contact::material::{Material, Materials, Pair};
use crate::error::ErrorKind;
use crate::id::{Entity, Handle, Registry};
use proptest::prelude::*;

/// The default material in slot 0, then these.
fn materials(list: &[Material]) -> Materials {
    let mut all = Materials::new().expect("room");
    for material in list {
        all.add(*material).expect("a material");
    }
    all
}

#[test]
fn null_is_the_default_material() {
    let mut all = Materials::new().expect("room");
    assert_eq!(all.slot("material", Handle::NULL), Ok(0));
    assert_eq!(all.get(0), &Material::default());
    let handle = all.add(Material { density: 7800.0, ..Material::default() }).expect("steel");
    assert_eq!(all.slot("material", handle), Ok(1));
    assert_eq!(all.get(1).density, 7800.0);
    assert_eq!(all.slot("material", Handle::NULL), Ok(0));
    assert_eq!(all.materials.len(), 2);
}

#[test]
fn a_handle_that_is_no_material_is_refused() {
    let all = materials(&[]);
    let mut bodies = Registry::new(Entity::Body);
    bodies.reserve(1).expect("room for one");
    let error = all.slot("material", bodies.insert().1).expect_err("a body");
    assert_eq!(error.kind, ErrorKind::StaleHandle);
    assert!(error.message.contains("expected a material"), "{}", error.message);
}

#[test]
fn each_wrong_number_of_a_material_is_refused_by_its_name() {
    let default = Material::default();
    let below = "expected 0 or a number above it";
    let above = "expected a number above 0";
    let nu = "expected a number above -1 and at most 0.5";
    let wrong = [
        (Material { friction: -0.1, ..default }, format!("friction is -0.1, {below}")),
        (Material { rolling_friction: -1.0, ..default }, format!("rolling_friction is -1, {below}")),
        (Material { twisting_friction: -1.0, ..default }, format!("twisting_friction is -1, {below}")),
        (Material { restitution: -0.5, ..default }, format!("restitution is -0.5, {below}")),
        (Material { restitution: 1.5, ..default }, "restitution is 1.5, expected a number from 0 to 1".into()),
        (Material { young_modulus: 0.0, ..default }, format!("young_modulus is 0, {above}")),
        (Material { poisson_ratio: -1.0, ..default }, format!("poisson_ratio is -1, {nu}")),
        (Material { poisson_ratio: 0.75, ..default }, format!("poisson_ratio is 0.75, {nu}")),
        (Material { density: 0.0, ..default }, format!("density is 0, {above}")),
        (Material { density: -1.0, ..default }, format!("density is -1, {above}")),
    ];
    let mut all = materials(&[]);
    for (material, message) in wrong {
        let error = all.add(material).expect_err("a wrong number");
        assert_eq!((error.kind, error.message), (ErrorKind::Argument, message));
    }
    assert_eq!(all.materials.len(), 1, "nothing was added");
}

#[test]
fn a_number_that_is_not_finite_is_refused_by_its_name() {
    type Place = fn(&mut Material) -> &mut f64;
    let places: [(&str, Place); 7] = [
        ("friction", |m| &mut m.friction),
        ("rolling_friction", |m| &mut m.rolling_friction),
        ("twisting_friction", |m| &mut m.twisting_friction),
        ("restitution", |m| &mut m.restitution),
        ("young_modulus", |m| &mut m.young_modulus),
        ("poisson_ratio", |m| &mut m.poisson_ratio),
        ("density", |m| &mut m.density),
    ];
    for (name, place) in places {
        for (value, shown) in [(f64::NAN, "NaN"), (f64::INFINITY, "inf")] {
            let mut material = Material::default();
            *place(&mut material) = value;
            let error = material.check().expect_err("not finite");
            let message = format!("{name} is {shown}, expected a finite number");
            assert_eq!((error.kind, error.message), (ErrorKind::NotFinite, message));
        }
    }
}

#[test]
fn the_ends_of_each_range_are_taken() {
    let default = Material::default();
    for material in [
        default,
        Material { friction: 0.0, ..default },
        Material { friction: 10.0, ..default },
        Material { rolling_friction: 10.0, twisting_friction: f64::MIN_POSITIVE, ..default },
        Material { restitution: 1.0, ..default },
        Material { poisson_ratio: 0.5, ..default },
        Material { poisson_ratio: -0.99, ..default },
        Material { density: f64::MIN_POSITIVE, ..default },
    ] {
        assert_eq!(material.check(), Ok(()), "{material:?}");
    }
    assert_eq!(Pair { restitution: 1.0, stiffness: 1e300, ..Pair::default() }.check(), Ok(()));
}

#[test]
fn friction_is_the_geometric_mean() {
    let mu = |friction: f64| Material { friction, ..Material::default() };
    let all = materials(&[mu(0.25), mu(1.0), mu(0.0)]);
    // sqrt(1/4 * 1), by roots of powers of 4: exact.
    assert_eq!(all.pair(1, 2).friction, 0.5);
    // Nothing rubs on a frictionless body.
    assert_eq!(all.pair(1, 3).friction, 0.0);
    assert_eq!(all.pair(0, 0).friction, 0.5);
}

#[test]
fn rolling_and_twisting_are_geometric_means() {
    let both =
        |rolling_friction, twisting_friction| Material { rolling_friction, twisting_friction, ..Material::default() };
    let all = materials(&[both(0.25, 4.0), both(1.0, 0.0625), both(0.0, 1.0)]);
    let mixed = |first, second| {
        let pair = all.pair(first, second);
        (pair.rolling_friction, pair.twisting_friction, pair.resists_turning())
    };
    // sqrt(1/4 * 1) and sqrt(4 / 16), by roots of powers of 4: exact.
    assert_eq!(mixed(1, 2), (0.5, 0.5, true));
    assert_eq!(mixed(1, 3), (0.0, 2.0, true));
    assert_eq!(mixed(2, 2), (1.0, 0.0625, true));
    // With the default material, which resists neither.
    assert_eq!(mixed(0, 3), (0.0, 0.0, false));
}

#[test]
fn restitution_is_the_larger_one() {
    let e = |restitution: f64| Material { restitution, ..Material::default() };
    let all = materials(&[e(0.3), e(0.8)]);
    assert_eq!((all.pair(1, 2).restitution, all.pair(2, 1).restitution), (0.8, 0.8));
    assert_eq!((all.pair(0, 1).restitution, all.pair(0, 0).restitution), (0.3, 0.0));
}

#[test]
fn stiffness_is_that_of_two_springs_in_series() {
    // [K] 8.2.2: moduli 1 and 5 give 1/2, 5/6 and 5/2, the ratios 1/5, 1/3 and 1.
    let young = |young_modulus: f64| Material { young_modulus, ..Material::default() };
    let all = materials(&[young(1.0), young(5.0)]);
    let [soft, mixed, hard] = [all.pair(1, 1), all.pair(1, 2), all.pair(2, 2)].map(|pair| pair.stiffness);
    // Three roundings.
    assert_eq!(soft, 0.5);
    assert!((mixed - 5.0 / 6.0).abs() <= 3.0 * f64::EPSILON, "{mixed}");
    assert!((hard - 2.5).abs() <= 2.5 * 3.0 * f64::EPSILON, "{hard}");
    assert!((soft / hard - 1.0 / 5.0).abs() <= 4.0 * f64::EPSILON);
    assert!((mixed / hard - 1.0 / 3.0).abs() <= 4.0 * f64::EPSILON);
    assert_eq!(all.pair(1, 2), all.pair(2, 1));
}

#[test]
fn a_pair_set_by_the_host_replaces_the_mixing_in_both_orders() {
    let mut all = materials(&[Material::default(), Material { friction: 0.125, ..Material::default() }]);
    let given = Pair { friction: 0.75, restitution: 0.25, stiffness: 3.0, ..Pair::default() };
    all.set_pair(2, 1, given).expect("a pair");
    assert_eq!((all.pair(1, 2), all.pair(2, 1)), (given, given));
    // The others mix as before.
    assert_eq!((all.pair(1, 1).friction, all.pair(2, 2).friction), (0.5, 0.125));
    // Said again, in the other order: replaced, not added.
    let again = Pair { friction: 0.0, restitution: 0.0, ..given };
    all.set_pair(1, 2, again).expect("a pair");
    assert_eq!((all.pair(1, 2), all.pair(2, 1)), (again, again));
    assert_eq!(all.pairs.len(), 1);
}

#[test]
fn a_pair_without_a_stiffness_takes_that_of_the_moduli() {
    let mut all = materials(&[Material { young_modulus: 4.0, ..Material::default() }]);
    all.set_pair(1, 1, Pair { friction: 0.75, ..Pair::default() }).expect("a pair");
    let pair = all.pair(1, 1);
    assert_eq!((pair.friction, pair.stiffness), (0.75, 2.0));
}

#[test]
fn a_material_can_be_paired_with_itself_and_with_the_default() {
    let mut all = materials(&[Material::default()]);
    for (first, second, friction) in [(0, 0, 0.1), (1, 0, 0.2), (1, 1, 0.3)] {
        all.set_pair(first, second, Pair { friction, ..Pair::default() }).expect("a pair");
    }
    assert_eq!([(0, 0), (0, 1), (1, 1)].map(|(a, b)| all.pair(a, b).friction), [0.1, 0.2, 0.3]);
    let keys: Vec<(u32, u32)> = all.pairs.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys, [(0, 0), (0, 1), (1, 1)]);
}

#[test]
fn a_wrong_pair_is_refused_and_changes_nothing() {
    let default = Pair::default();
    let below = "expected 0 or a number above it";
    let wrong = [
        (Pair { friction: -1.0, ..default }, ErrorKind::Argument, format!("friction is -1, {below}")),
        (Pair { restitution: -1.0, ..default }, ErrorKind::Argument, format!("restitution is -1, {below}")),
        (
            Pair { restitution: 2.0, ..default },
            ErrorKind::Argument,
            "restitution is 2, expected a number from 0 to 1".into(),
        ),
        (Pair { rolling_friction: -1.0, ..default }, ErrorKind::Argument, format!("rolling_friction is -1, {below}")),
        (Pair { twisting_friction: -1.0, ..default }, ErrorKind::Argument, format!("twisting_friction is -1, {below}")),
        (Pair { stiffness: -1.0, ..default }, ErrorKind::Argument, format!("stiffness is -1, {below}")),
        (
            Pair { stiffness: f64::NAN, ..default },
            ErrorKind::NotFinite,
            "stiffness is NaN, expected a finite number".into(),
        ),
    ];
    let mut all = materials(&[]);
    for (pair, kind, message) in wrong {
        let error = all.set_pair(0, 0, pair).expect_err("a wrong number");
        assert_eq!((error.kind, error.message), (kind, message));
    }
    assert!(all.pairs.is_empty());
}

proptest! {
    #[test]
    fn equal_materials_mix_to_themselves(friction in 0.0..1e3f64, restitution in 0.0..=1.0f64) {
        let material = Material { friction, restitution, ..Material::default() };
        let all = materials(&[material, material]);
        let pair = all.pair(1, 2);
        prop_assert_eq!((pair.friction, pair.restitution), (friction, restitution));
    }

    #[test]
    fn mixing_does_not_depend_on_the_order(
        friction in [0.0..10.0f64, 0.0..10.0f64],
        restitution in [0.0..=1.0f64, 0.0..=1.0f64],
        young in [1.0..1e12f64, 1.0..1e12f64],
    ) {
        let list = [0, 1].map(|of| Material {
            friction: friction[of],
            restitution: restitution[of],
            young_modulus: young[of],
            ..Material::default()
        });
        let all = materials(&list);
        let (there, back) = (all.pair(1, 2), all.pair(2, 1));
        prop_assert_eq!(there, back);
        // Two roots and a product, three roundings; the square adds one.
        let square = friction[0] * friction[1];
        prop_assert!((there.friction * there.friction - square).abs() <= 6.0 * f64::EPSILON * square);
        prop_assert_eq!(there.restitution, restitution[0].max(restitution[1]));
        // Springs in series are softer than the softer one, and at least half as stiff.
        let softer = young[0].min(young[1]);
        prop_assert!(there.stiffness <= softer);
        prop_assert!(there.stiffness >= 0.5 * softer * (1.0 - 4.0 * f64::EPSILON));
    }
}

#[test]
fn equal_materials_mix_to_themselves_near_the_ends_of_the_range() {
    // The square of these is zero or infinite.
    for friction in [5e-324, 1e-200, 1e200, f64::MAX] {
        let material = Material { friction, ..Material::default() };
        assert_eq!(materials(&[material, material]).pair(1, 2).friction, friction);
    }
}

#[test]
fn hertz_has_both_moduli_in_series() {
    let of = |young_modulus, poisson_ratio| Material { young_modulus, poisson_ratio, ..Material::default() };
    let mut all = materials(&[of(3.0, 0.5), of(12.0, 0.0)]);
    // 1/E* = (3/4)/3 + 1/12 = 1/3
    assert_eq!(all.effective_compliance(1, 2), 0.25 + 1.0 / 12.0);
    assert_eq!(all.effective_compliance(1, 2), all.effective_compliance(2, 1));
    all.set_pair(1, 2, Pair { stiffness: 2.0, ..Pair::default() }).expect("a pair");
    assert!(all.is_stiffness_given(1, 2), "the host said how stiff the pair is");
    all.set_pair(1, 2, Pair::default()).expect("a pair");
    assert!(!all.is_stiffness_given(1, 2), "the host said how it rubs alone");
}

/// Springs in series, of materials; a pair has its own.
#[test]
fn contact_points_are_as_stiff_as_two_springs_in_series() {
    let mut all = Materials::new().expect("memory");
    let soft = Material { normal_stiffness: 3e4, ..Material::default() };
    let shear = Material { normal_stiffness: 6e4, tangential_stiffness: 1e4, ..Material::default() };
    let [soft, shear] = [soft, shear].map(|material| all.add(material).expect("a material"));
    let slots = [soft, shear].map(|handle| all.slot("material", handle).expect("a slot"));
    let close = |found: [f64; 2], expected: [f64; 2]| {
        found.iter().zip(expected).all(|(a, b)| *a == b || (a / b - 1.0).abs() < 1e-15)
    };
    let rigid = f64::INFINITY;
    assert_eq!(all.point_stiffness(0, 0), [rigid; 2]);
    assert!(close(all.point_stiffness(0, slots[0]), [3e4, 2e4]), "a rigid one adds no compliance");
    assert!(close(all.point_stiffness(slots[0], slots[1]), [2e4, 2e4 / 3.0]));
    let given =
        |normal_stiffness, tangential_stiffness| Pair { normal_stiffness, tangential_stiffness, ..Pair::default() };
    let cases = [
        (given(0.0, 0.0), [2e4, 2e4 / 3.0]),
        (given(9e3, 0.0), [9e3, 6e3]),
        (given(9e3, rigid), [9e3, rigid]),
        (given(0.0, 5.0), [2e4, 5.0]),
        (given(rigid, 0.0), [rigid; 2]),
    ];
    for (pair, expected) in cases {
        all.set_pair(slots[0], slots[1], pair).expect("a pair");
        assert!(close(all.point_stiffness(slots[1], slots[0]), expected), "{pair:?}");
    }
}

#[test]
fn a_stiffness_whose_inverse_is_no_number_is_refused() {
    for (value, holds) in
        [(0.0, true), (1e-100, true), (1e100, true), (1e-101, false), (1e-310, false), (1e101, false), (-1.0, false)]
    {
        let normal = Material { normal_stiffness: value, ..Material::default() };
        assert_eq!(normal.check().is_ok(), holds, "{value:e}");
        let both = Material { normal_stiffness: 1.0, tangential_stiffness: value, ..Material::default() };
        assert_eq!(both.check().is_ok(), holds, "{value:e}");
        let pair =
            |normal_stiffness, tangential_stiffness| Pair { normal_stiffness, tangential_stiffness, ..Pair::default() };
        assert_eq!((pair(value, 1.0).check().is_ok(), pair(1.0, value).check().is_ok()), (holds, holds), "{value:e}");
    }
}
