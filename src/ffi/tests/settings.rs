//! What a host sets is what the world gets, and what it reads back.

use crate::ffi::settings::dry_settings;
use crate::world::Settings;
use crate::world::tests::non_defaults;

#[test]
fn every_setting_comes_through_both_ways() {
    for change in non_defaults::setting() {
        let settings = non_defaults::changed(&change);
        assert_eq!(dry_settings::from(&settings).checked().expect("settings"), settings, "{}", change.0);
    }
}

#[test]
fn the_defaults_are_those_of_a_world() {
    assert_eq!(dry_settings::default().checked().expect("settings"), Settings::default());
}
