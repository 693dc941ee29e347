//! Series of files: added to, replaced from a step on, and refused where they are something else.

use super::Folder;
use crate::error::ErrorKind;
use crate::vtk::{Place, Series, Staged};

fn place(prefix: &str, step: u64) -> Place<'_> {
    Place { prefix, part: "grains", extension: "vtp", step }
}

/// Adds a step to the series at a prefix.
fn add(prefix: &str, step: u64, time: f64) {
    let place = place(prefix, step);
    let mut series = Series::read(&place).expect("a series");
    series.add(&place, time).expect("memory");
    let mut staged = Staged::default();
    series.stage(&place, &mut staged).expect("a file");
    staged.commit().expect("a file");
}

fn entries(prefix: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{prefix}_grains.pvd")).expect("a file");
    text.lines().filter(|line| line.starts_with("<DataSet")).map(str::to_string).collect()
}

#[test]
fn steps_are_listed_with_their_times() {
    let folder = Folder::new("listed");
    let prefix = folder.at("a & \"b\"");
    add(&prefix, 0, 0.0);
    add(&prefix, 7, 0.1 + 0.2);
    add(&prefix, 1_234_567, 1e300);
    let expected = |time: &str, step: &str| {
        format!("<DataSet timestep=\"{time}\" part=\"0\" file=\"a &amp; &quot;b&quot;_grains_{step}.vtp\"/>")
    };
    let large = format!("{}", 1e300);
    assert_eq!(
        entries(&prefix),
        [expected("0", "000000"), expected("0.30000000000000004", "000007"), expected(&large, "1234567")]
    );
    assert_eq!(place(&prefix, 7).path(), Ok(format!("{prefix}_grains_000007.vtp")));
}

#[test]
fn a_repeated_step_replaces_what_came_after() {
    let folder = Folder::new("repeated");
    let prefix = folder.at("run");
    (0..5).for_each(|step| add(&prefix, 10 * step, step as f64));
    add(&prefix, 20, 2.5);
    let steps: Vec<String> =
        entries(&prefix).iter().map(|line| line[line.len() - 13..line.len() - 7].to_string()).collect();
    assert_eq!(steps, ["000000", "000010", "000020"]);
    assert!(entries(&prefix)[2].contains("\"2.5\""));
}

#[test]
fn another_file_is_refused() {
    let folder = Folder::new("another");
    let prefix = folder.at("run");
    add(&prefix, 3, 1.0);
    let path = folder.at("run_grains.pvd");
    let good = std::fs::read_to_string(&path).expect("a file");
    let other_run = good.replace("run_", "ran_");
    let without_end = good.replace("</VTKFile>", "");
    let other_time = good.replace("\"1\"", "\"now\"");
    for text in ["", "x", "<?xml version=\"1.0\"?>\n", &other_run, &without_end, &other_time, &(good.clone() + "x")] {
        std::fs::write(&path, text).expect("a file");
        let error = Series::read(&place(&prefix, 4)).expect_err("refused");
        assert_eq!(error.kind, ErrorKind::Format, "{text}");
        assert!(error.message.contains("run_grains.pvd is another file"), "{error}");
    }
    std::fs::remove_file(&path).expect("the file");
    std::fs::create_dir(&path).expect("a folder");
    assert_eq!(Series::read(&place(&prefix, 4)).expect_err("refused").kind, ErrorKind::Io);
}
