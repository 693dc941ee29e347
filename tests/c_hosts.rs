//! C and C++ programs that use the library as hosts do.
//!
//! One line adds one: `name: c(&["file.c"]);` for `tests/c/file.c`. It is compiled with all warnings as errors, linked
//! to the shared library, and run; it must end with 0 and leave standard error empty.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

mod support;

use support::host::{c, c_standard, cpp};

macro_rules! hosts {
    ($($(#[$attribute:meta])* $name:ident: $host:expr;)+) => {
        $($(#[$attribute])* #[test] fn $name() { $host.run(stringify!($name)); })+
    };
}

hosts! {
    contract_c99: c(&["contract.c"]).flag("-Wpadded");
    contract_c11: c_standard("c11", &["contract.c"]).flag("-Wpadded");
    contract_static: c(&["contract.c"]).statically();
    contract_cpp17: cpp(&["contract.cpp"]).flag("-Wpadded");
    double_include: c(&["double_include_a.c", "double_include_b.c"]).flag("-Wpadded");
    drop_sphere: c(&["drop_sphere.c"]);
    drop_sphere_static: c(&["drop_sphere.c"]).statically();
    environment: c(&["environment.c"]);
    extremes: c(&["extremes.c"]);
    last_error: c(&["last_error.c"]);
    messages: c(&["messages.c"]);
    not_offered: c(&["not_offered.c"]);
    structures: c(&["structures.c"]);
    bad_input: c(&["bad_input.c"]);
    bad_shapes: c(&["bad_shapes.c"]);
    bad_bodies: c(&["bad_bodies.c"]);
    bad_problem: c(&["bad_problem.c"]);
    bad_local: c(&["bad_local.c"]);
    bad_correct: c(&["bad_correct.c"]);
    bad_tasks: c(&["bad_tasks.c"]);
    bad_joints: c(&["bad_joints.c"]);
    bad_curves: c(&["bad_curves.c"]);
    bad_fields: c(&["bad_fields.c"]);
    bad_statics: c(&["bad_statics.c"]);
    clumps: c(&["clumps.c"]);
    closed_form: c(&["closed_form.c"]);
    compatible: c(&["compatible.c"]);
    compatible_friction: c(&["compatible_friction.c"]);
    compatible_piles: c(&["compatible_piles.c"]);
    compatible_pyramid: c(&["compatible_pyramid.c"]);
    compatible_random: c(&["compatible_random.c"]);
    compatible_report: c(&["compatible_report.c"]);
    compatible_world: c(&["compatible_world.c"]);
    convergence: c(&["convergence.c"]);
    fields: c(&["fields.c"]);
    forces: c(&["forces.c"]);
    joints: c(&["joints.c"]);
    joints_events: c(&["joints_events.c"]);
    joints_bulk: c(&["joints_bulk.c"]);
    joints_random: c(&["joints_random.c"]);
    legacy_rows: c(&["legacy_rows.c"]);
    own_problem: c(&["own_problem.c"]);
    own_random: c(&["own_random.c"]);
    overlaps: c(&["overlaps.c"]);
    progress: c(&["progress.c"]);
    static_progress: c(&["static_progress.c"]);
    pyramid: c(&["pyramid.c"]);
    mass_ratio: c(&["mass_ratio.c"]);
    rebound: c(&["rebound.c"]);
    rolling: c(&["rolling.c"]);
    spook: c(&["spook.c"]);
    run: c(&["run.c"]);
    surface_velocity: c(&["surface_velocity.c"]);
    resting: c(&["resting.c"]);
    periodic: c(&["periodic.c"]);
    strain: c(&["strain.c"]);
    sleeping: c(&["sleeping.c"]);
    snapshot: c(&["snapshot.c"]);
    stacks: c(&["stacks.c"]);
    statics: c(&["statics.c"]);
    stick: c(&["stick.c"]);
    stress: c(&["stress.c"]);
    threads: c(&["threads.c"]);
    tasks: cpp(&["tasks.cpp"]);
}

/// A program that no test names is never run.
#[test]
fn every_program_is_run() {
    let folder = |path: &str| std::fs::read_dir(support::project(path)).expect("a folder of tests");
    let paths = |path: &str, ending: &str| -> Vec<_> {
        let entries = folder(path).map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.extension().is_some_and(|own| own == ending)).collect()
    };
    let tests: String =
        paths("tests", "rs").iter().map(|path| std::fs::read_to_string(path).expect("a source")).collect();
    for path in paths("tests/c", "c").iter().chain(&paths("tests/cpp", "cpp")) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        assert!(tests.contains(&format!("\"{name}\"")), "no test runs {}", path.display());
    }
}

/// The same bits in another process.
#[test]
fn hash_in_two_processes() {
    let first = c(&["hash.c"]).run("hash_first");
    assert!(!first.trim().is_empty());
    assert_eq!(first, c(&["hash.c"]).run("hash_second"));
}

/// The example with joints prints what `examples/README.md` shows.
#[test]
fn the_door_is_as_shown() {
    let shown = std::fs::read_to_string(support::project("examples/README.md")).expect("examples/README.md");
    let printed = c(&[support::project("examples/c/door.c").to_str().expect("a path in UTF-8")]).run("door");
    for line in printed.lines().filter(|line| !line.is_empty()) {
        assert!(shown.lines().any(|each| each == format!("    {line}")), "examples/README.md lacks: {line}");
    }
}

/// The C programs of a page, copied as they are, print lines that the page shows in backticks. Parts of programs have the fence
/// `c fragment`, and are left out.
fn programs_print_what_is_shown(page: &str, name: &str, count: usize) {
    let text = support::read(page);
    let programs: Vec<&str> = text.split("```c\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(programs.len(), count, "{page}: the number of its C programs");
    for (index, program) in programs.into_iter().enumerate() {
        let name = format!("{name}_{index}");
        let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
        std::fs::write(&file, program).expect("a place for the program");
        let printed = c(&[file.to_str().expect("a path in UTF-8")]).run(&name);
        assert!(!printed.trim().is_empty(), "{page}: program {index} prints nothing");
        for line in printed.lines() {
            assert!(text.contains(&format!("`{}`", line.trim())), "{page}: program {index} prints: {line}");
        }
    }
}

#[test]
fn the_program_of_the_readme_prints_what_is_shown() {
    programs_print_what_is_shown("README.md", "readme", 1);
}

#[test]
fn the_programs_of_the_guide_print_what_is_shown() {
    programs_print_what_is_shown("docs/guide.md", "guide", 3);
}
