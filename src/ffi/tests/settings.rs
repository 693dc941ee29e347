//! What a host sets is what the world gets, and what it reads back.

use crate::ffi::body_types::dry_body_def;
use crate::ffi::materials::{dry_material_def, dry_pair_def};
use crate::ffi::settings::dry_settings;
use crate::world::Settings;
use crate::world::settings::HeaderNames;
use crate::world::tests::non_defaults;

#[test]
fn every_setting_is_passed_in_both_directions() {
    for change in non_defaults::setting() {
        let settings = non_defaults::changed(&change);
        assert_eq!(dry_settings::from(&settings).checked().expect("settings"), settings, "{}", change.0);
    }
}

/// The table of defaults in the header, in one line.
fn table_of_defaults() -> String {
    let header = include_str!("../../../include/drystone.h");
    let page = header.split(" * DEFAULTS\n").nth(1).and_then(|rest| rest.split(" * MEMORY\n").next()).expect("a page");
    let words: Vec<&str> = page.split_whitespace().filter(|word| *word != "*").collect();
    words.join(" ")
}

fn choices() -> [String; 11] {
    let settings = Settings::default();
    let choice =
        |name: &str, family: &str, number: &dyn std::fmt::Debug| format!("{name} {}", HeaderNames(family, &[number]));
    [
        choice("method", "METHOD", &settings.method),
        choice("solver", "SOLVER", &settings.solver),
        choice("sweep", "SWEEP", &settings.sweep),
        choice("local_solver", "LOCAL", &settings.local_solver),
        choice("warm_start", "WARM", &settings.warm_start),
        choice("friction_law", "FRICTION", &settings.friction_law),
        choice("projection", "PROJECTION", &settings.projection),
        choice("compatibility", "COMPATIBILITY", &settings.compatibility),
        choice("compatible_friction", "COMPATIBLE_FRICTION", &settings.compatible_friction),
        choice("joint_solver", "JOINTS", &settings.joint_solver),
        choice("contact_law", "LAW", &settings.contact_law),
    ]
}

/// A value as the header writes it: 10000, but 1e9.
fn number(name: &str, value: f64) -> String {
    if (1e-2..1e6).contains(&value) || value == 0.0 { format!("{name} {value}") } else { format!("{name} {value:e}") }
}

fn numbers() -> Vec<String> {
    let (settings, body, material) = (dry_settings::default(), dry_body_def::default(), dry_material_def::default());
    let counts = [
        ("iterations", settings.iterations),
        ("projection_passes", settings.projection_passes),
        ("position_projection", settings.position_projection),
        ("sleeping", settings.sleeping),
        ("require_convergence", settings.require_convergence),
        ("newton_limit", settings.newton_limit),
        ("substeps", settings.substeps),
        ("joint_aim", settings.joint_aim),
        ("diagnostics", settings.diagnostics),
        ("filter_category", body.filter_category),
    ];
    let values = [
        ("seed", settings.seed as f64),
        ("tolerance", settings.tolerance),
        ("relaxation", settings.relaxation),
        ("warm_start_factor", settings.warm_start_factor),
        ("theta", settings.theta),
        ("compatibility_exponent", settings.compatibility_exponent),
        ("compatibility_tolerance", settings.compatibility_tolerance),
        ("contact_margin", settings.contact_margin),
        ("push_out_velocity", settings.push_out_velocity),
        ("restitution_threshold", settings.restitution_threshold),
        ("spook_relaxation", settings.spook_relaxation),
        ("regularisation", settings.regularisation),
        ("friction", material.friction),
        ("restitution", material.restitution),
        ("young_modulus", material.young_modulus),
        ("poisson_ratio", material.poisson_ratio),
        ("density", material.density),
        ("contact_damping", material.contact_damping),
        ("stiffness", dry_pair_def::default().stiffness),
        ("contact_stiffness", dry_pair_def::default().contact_stiffness),
        ("gravity_scale", body.gravity_scale),
    ];
    let counts = counts.map(|(name, value)| (name, f64::from(value)));
    counts.into_iter().chain(values).map(|(name, value)| number(name, value)).collect()
}

#[test]
fn the_header_lists_the_defaults() {
    let page = table_of_defaults();
    for text in choices().into_iter().chain(numbers()) {
        let exists = [";", " "].iter().any(|end| format!("{page} ").contains(&format!(" {text}{end}")));
        assert!(exists, "the header's table of defaults lacks \"{text}\": {page}");
    }
    assert!(page.contains("tangential_stiffness 2/7;") && dry_settings::default().tangential_stiffness == 2.0 / 7.0);
    assert!(page.contains("filter_mask 0xffffffff;") && dry_body_def::default().filter_mask == u32::MAX);
}

#[test]
fn the_defaults_are_those_of_a_world() {
    assert_eq!(dry_settings::default().checked().expect("settings"), Settings::default());
}
