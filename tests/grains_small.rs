//! The examples of grains: outlines, a short compression, and the drop of a small column.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Returns where `cargo test` puts an example: beside the folder of the tests.
fn example(name: &str) -> PathBuf {
    let own = std::env::current_exe().expect("the path of this test");
    let profile = own.parent().and_then(|folder| folder.parent()).expect("the folder of the profile");
    profile.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs an example, and returns the lines that it printed.
fn lines(name: &str, arguments: &[&str]) -> Vec<Value> {
    let program = example(name);
    let run = Command::new(&program).args(arguments).output();
    let run = run.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
    assert!(run.status.success(), "{name}: {}", String::from_utf8_lossy(&run.stderr));
    let said = String::from_utf8_lossy(&run.stdout);
    said.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

/// Checks what the last line judged.
fn all_pass(lines: &[Value]) {
    let judged = lines.last().and_then(|line| line["judged"].as_array()).expect("judgements");
    assert!(!judged.is_empty());
    let failed: Vec<&Value> = judged.iter().filter(|one| one["pass"] != Value::Bool(true)).collect();
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn outlines_measure_what_the_recipe_says() {
    all_pass(&lines("grains_shapes", &[]));
}

/// Grains that are not convex too; a short test has neither a peak nor a level in the end.
#[test]
fn packings_are_balanced_in_each_increment() {
    let few =
        ["--grains", "48", "--shapes", "disk,nonconvex", "--frictions", "0.3", "--stiffnesses", "1e6", "--increments"];
    let lines = lines("grains_biaxial", &[&few[..], &["8"]].concat());
    all_pass(&lines);
    let tests: Vec<&Value> = lines.iter().filter(|line| line["kind"] == "test").collect();
    assert_eq!(tests.len(), 2);
    for test in tests {
        assert_eq!(test["curve"].as_array().map(Vec::len), Some(9));
    }
}

/// What [N] finds in the first increments, where 48 disks suffice. Six packings: deviators of single ones scatter, at 1e8 from 97 to 163, so their mean is
/// held to the range of 200 disks. The later figures of docs/grains.md need more grains and whole tests.
#[test]
fn stiff_disks_dilate_at_once_and_soft_ones_shrink_first() {
    let few = ["--grains", "48", "--shapes", "disk", "--frictions", "0.3", "--stiffnesses", "1e8,1e5"];
    let lines = lines("grains_biaxial", &[&few[..], &["--increments", "8", "--seeds", "1,2,3,4,5,6"]].concat());
    for (stiffness, low, high) in [(1e8, 105.0, 160.0), (1e5, 40.0, 75.0)] {
        let tests = lines.iter().filter(|line| line["kind"] == "test" && line["stiffness"] == stiffness);
        let curves: Vec<Vec<[f64; 3]>> =
            tests.map(|test| serde_json::from_value(test["curve"].clone()).expect("a curve")).collect();
        assert_eq!(curves.len(), 6);
        let first = curves.iter().map(|curve| curve[1][1]).sum::<f64>() / 6.0;
        assert!(first > low && first < high, "stiffness {stiffness:e}: {first}");
        for curve in &curves {
            let most = curve.iter().map(|point| point[2]).fold(f64::NEG_INFINITY, f64::max);
            // Strain is positive where the volume shrinks.
            let holds = if stiffness == 1e8 { curve[1][2] < 0.0 } else { most > 1e-4 && most < 2e-3 };
            assert!(holds, "stiffness {stiffness:e}: {curve:?}");
        }
    }
}

/// A column of grains that are not convex spreads, and comes to rest.
#[test]
fn a_column_spreads_and_stops() {
    let lines = lines(
        "grains_column",
        &["--grains", "40", "--shapes", "nonconvex", "--frictions", "0.5", "--laws", "associated"],
    );
    let drop = &lines[0];
    let number = |name: &str| drop[name].as_f64().expect("a number");
    assert!(number("spread") > 1.5 * number("width"), "{drop}");
    assert!(number("last_step") < number("steps") && number("energy") < 1e-6, "{drop}");
    assert!(number("settled_energy") <= 1e-6, "{drop}");
    assert!(number("slope") > 5.0 && number("residual") < 1e-6, "{drop}");
}
