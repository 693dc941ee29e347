//! Positions along the Morton curve, and the repair of an order along it.

use proptest::prelude::*;

use crate::math::Vec3;
use crate::world::morton::{Entry, KEY_END, key, repair_order};

#[test]
fn the_curve_goes_through_one_half_of_every_cube_before_the_other() {
    // Cells of 1 m that begin 0.38 below whole numbers: the bits of x, y and z alternate, the highest first.
    let at = |x: f64, y: f64, z: f64| key(&Vec3::new(x, y, z), 1.0);
    let origin = at(0.0, 0.0, 0.0);
    assert_eq!(origin, 0b111 << 60, "the upper half along every axis");
    assert_eq!(at(0.6, -0.3, 0.6), origin, "one cell");
    assert_eq!(at(0.0, 0.0, 1.0), origin + 1);
    assert_eq!(at(0.0, 1.0, 0.0), origin + 2);
    assert_eq!(at(1.0, 0.0, 0.0), origin + 4);
    assert_eq!(at(2.0, 3.0, 1.0), origin + 0b110_011);
    assert_eq!(at(-1.0, 0.0, 0.0), 0b011 << 60 | (0..20).map(|bit| 4 << (3 * bit)).sum::<u64>());
    assert_eq!(at(1e300, 1e300, 1e300), KEY_END - 1, "the last cell");
    assert_eq!(at(-1e300, -1e300, -1e300), 0, "the first one");
}

proptest! {
    /// The repair sorts any entries; nearly sorted ones are the rule.
    #[test]
    fn repairing_sorts(keys in prop::collection::vec(0_u64..50, 0..60), moved in prop::collection::vec((0_usize..60, 0_u64..50), 0..6)) {
        let mut entries: Vec<Entry> = (0..).zip(&keys).map(|(slot, key)| Entry { key: *key, slot }).collect();
        let mut out_of_order = Vec::new();
        for changes in [&[][..], &moved] {
            for (at, key) in changes {
                if let Some(entry) = entries.get_mut(*at) {
                    entry.key = *key;
                }
            }
            let mut expected = entries.clone();
            expected.sort();
            repair_order(&mut entries, &mut out_of_order).expect("memory");
            prop_assert_eq!(&entries, &expected);
        }
    }
}
