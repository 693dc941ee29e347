//! Runs that are killed and go on from their saved state have the same results, to the last bit.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "support/example.rs"]
mod example;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value, json};

use example::example;

/// Programs are killed so often.
const KILLS: usize = 4;
/// A program goes on for so long after its first save, so that kills come at different places.
const AFTER_A_SAVE: Duration = Duration::from_millis(60);
/// No program of these sizes runs for so long.
const TOO_LONG: Duration = Duration::from_secs(300);
/// Results that are times of a processor.
const TIMES: [&str; 4] = ["seconds", "ms_per_step", "ms_per_step_alone", "ratio_of_time"];

/// An experiment of small size.
struct Experiment<'a> {
    name: &'a str,
    arguments: &'a [&'a str],
    /// Whether it writes files for ParaView.
    has_frames: bool,
    folder: PathBuf,
}

impl<'a> Experiment<'a> {
    /// Returns one in a folder of its own.
    fn new(folder: &str, name: &'a str, arguments: &'a [&'a str], has_frames: bool) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("resumed_{folder}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self { name, arguments, has_frames, folder }
    }

    fn runs(&self, which: &str) -> PathBuf {
        self.folder.join(format!("{which}.jsonl"))
    }

    fn frames(&self, which: &str) -> PathBuf {
        self.folder.join(which)
    }

    fn command(&self, which: &str) -> Command {
        let mut command = Command::new(example(self.name));
        command.args(["--size", "small", "--save-every", "0.01"]).args(self.arguments);
        command.arg("--resume").arg(self.runs(which));
        if self.has_frames && cfg!(feature = "vtk") {
            command.arg("--vtk").arg(self.frames(which));
        }
        command
    }

    /// Runs it to its end.
    fn finish(&self, which: &str) -> Output {
        let run = self.command(which).output().expect("the program runs");
        assert!(run.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&run.stderr));
        run
    }

    /// Runs it until it has saved its state, and kills it some time later. Returns whether it was under way.
    fn kill(&self, which: &str) -> bool {
        let (begin, before) = (Instant::now(), self.saved(which));
        let mut program = self.command(which).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        while self.saved(which) == before || self.saved(which).is_empty() {
            if let Some(status) = program.try_wait().expect("a status") {
                assert!(status.success(), "{} fails", self.name);
                return false;
            }
            assert!(begin.elapsed() < TOO_LONG, "{} saves nothing", self.name);
            sleep(Duration::from_millis(2));
        }
        sleep(AFTER_A_SAVE);
        program.kill().expect("it can be killed");
        !program.wait().expect("a status").success()
    }

    /// Returns the saved states, and when they were written.
    fn saved(&self, which: &str) -> Vec<(PathBuf, SystemTime)> {
        let files = fs::read_dir(&self.folder).expect("the folder").flatten();
        let begin = format!("{which}.jsonl.");
        let is_state = |name: &str| name.starts_with(&begin) && name.ends_with(".state");
        let states = files.filter(|file| file.file_name().to_str().is_some_and(is_state));
        states.filter_map(|file| Some((file.path(), file.metadata().ok()?.modified().ok()?))).collect()
    }

    /// Compares a run that was killed several times with one that was not.
    fn goes_on(&self) {
        self.goes_on_as(&self.finish("whole"));
    }

    fn goes_on_as(&self, whole: &Output) {
        let kills = (0..KILLS).take_while(|_| self.kill("killed")).count();
        assert!(kills > 1, "{} is over after {kills} kills", self.name);
        let last = self.finish("killed");
        let files = fs::read_dir(&self.folder).expect("the folder").flatten().map(|file| file.file_name());
        let is_left = |name: &std::ffi::OsString| name.to_str().is_some_and(|name| name.starts_with("killed.jsonl."));
        assert_eq!(files.filter(is_left).count(), 0, "{} leaves states", self.name);
        assert_eq!(lines(whole), lines(&last), "{}", self.name);
        if self.has_frames && cfg!(feature = "vtk") {
            let [whole, killed] = ["whole", "killed"].map(|which| contents(&self.frames(which)));
            assert!(whole.len() > 20, "{} has {} files", self.name, whole.len());
            assert!(whole == killed, "{}: files for ParaView differ", self.name);
        }
        fs::remove_dir_all(&self.folder).expect("the folder can be removed");
    }
}

/// Returns the lines that a program printed, without times.
fn lines(run: &Output) -> Vec<Value> {
    let said = String::from_utf8_lossy(&run.stdout);
    let mut lines: Vec<Value> = said.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    for line in &mut lines {
        if let Some(members) = line.as_object_mut() {
            TIMES.iter().for_each(|time| drop(members.remove(*time)));
        }
        if let Some(judged) = line.get_mut("judged").and_then(Value::as_array_mut) {
            judged.retain(|one| !one["name"].as_str().unwrap_or_default().starts_with("computing time"));
        }
    }
    assert!(lines.len() > 1);
    lines
}

fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).expect("the folder").flatten();
    files.map(|file| (file.file_name().into(), fs::read(file.path()).expect("a file"))).collect()
}

#[test]
fn a_pile_goes_on() {
    let arguments = ["--grains", "45", "--parts", "creep", "--stand", "0.5"];
    Experiment::new("pile", "granular_pile", &arguments, false).goes_on();
}

#[test]
fn a_pile_that_forms_goes_on() {
    let arguments = ["--grains", "27", "--parts", "heights", "--warm", "history", "--iterations", "5"];
    Experiment::new("forming", "granular_pile", &arguments, true).goes_on();
}

#[test]
fn a_drum_goes_on() {
    let arguments = ["--grains", "60", "--averaged", "0.5", "--iterations", "10", "--reference", "none"];
    Experiment::new("drum", "granular_drum", &arguments, true).goes_on();
}

#[test]
fn a_triaxial_test_goes_on() {
    let arguments = ["--grains", "40", "--wall-mass", "1", "--warm", "history", "--iterations", "10"];
    Experiment::new("triaxial", "granular_triaxial", &arguments, true).goes_on();
}

#[test]
fn a_circuit_goes_on() {
    let arguments = ["--grains", "40", "--duration", "2", "--warm", "history"];
    Experiment::new("circuit", "granular_circuit", &arguments, true).goes_on();
}

#[test]
fn an_excavator_goes_on() {
    let arguments = ["--grains", "40", "--warm", "history", "--iterations", "5"];
    let excavator = Experiment::new("excavator", "granular_excavator", &arguments, true);
    let whole = excavator.finish("whole");
    // The other runs, of the machine alone and of the bed that the height is compared with, are not killed.
    let runs = fs::read_to_string(excavator.runs("whole")).expect("the runs");
    let others: Vec<&str> = runs.lines().filter(|run| !run.contains("\"digging\"")).collect();
    fs::write(excavator.runs("killed"), others.join("\n")).expect("a file");
    excavator.goes_on_as(&whole);
}

#[test]
fn a_silo_goes_on() {
    Experiment::new("silo", "granular_silo", &["--grains", "64", "--smooth", "100"], false).goes_on();
}

#[test]
fn a_biaxial_test_goes_on() {
    let arguments = ["--grains", "48", "--shapes", "disk", "--frictions", "0.3", "--stiffnesses", "1e6"];
    Experiment::new("biaxial", "grains_biaxial", &[&arguments[..], &["--increments", "40"]].concat(), false).goes_on();
}

#[test]
fn a_column_of_polygons_goes_on() {
    let arguments = ["--grains", "20", "--shapes", "convex", "--frictions", "0.5", "--laws", "associated"];
    Experiment::new("column", "grains_column", &arguments, false).goes_on();
}

/// A saved state that cannot be read, or that is of another run, is an error that names the file. It stays where it is.
#[test]
fn a_foreign_state_is_refused() {
    let arguments = ["--grains", "60", "--averaged", "0.5", "--iterations", "10", "--reference", "none"];
    let drum = Experiment::new("foreign", "granular_drum", &arguments, false);
    assert!(drum.kill("killed"), "the drum is over");
    let path = drum.saved("killed").first().expect("a state").0.clone();
    let bytes = fs::read(&path).expect("a state");
    let end = bytes.iter().position(|byte| *byte == b'\n').expect("a first line");
    let header: Value = serde_json::from_slice(&bytes[..end]).expect("a line of JSON");
    let with = |member: &str, value: Value| {
        let mut header = header.clone();
        header[member] = value;
        [header.to_string().as_bytes(), &bytes[end..]].concat()
    };
    let mut damaged = bytes.clone();
    damaged[end + 100] ^= 1;
    let cases = [
        (bytes[..bytes.len() - 1].to_vec(), "bytes of snapshots"),
        (bytes[..end / 2].to_vec(), "no first line"),
        (damaged, "snapshot"),
        (with("format", json!(9)), "format 9, expected 1"),
        (with("run", json!({"experiment": "drum"})), "belongs to the run"),
        (with("stage", json!("sieving")), "sieving"),
        (with("state", json!([])), "invalid length"),
        (with("snapshots", json!([])), "bytes of snapshots"),
    ];
    for (changed, expected) in cases {
        fs::write(&path, &changed).expect("a file");
        let run = drum.command("killed").output().expect("the program runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success(), "{expected}: {said}");
        assert!(said.contains(path.to_str().expect("UTF-8")) && said.contains(expected), "{expected}: {said}");
        assert_eq!(fs::read(&path).expect("a file"), changed, "{expected}");
    }
    fs::write(&path, &bytes).expect("a file");
    let said = drum.finish("killed").stderr;
    assert!(String::from_utf8_lossy(&said).contains("goes on from"));
    fs::remove_dir_all(&drum.folder).expect("the folder can be removed");
}

/// A file of `--resume` that has other lines than runs is refused, and nothing is written to it. The line of a run that was cut
/// off is accepted.
#[test]
fn a_file_of_other_lines_is_refused() {
    let column = Experiment::new("other_lines", "granular_column", &[], false);
    let path = column.runs("other");
    for (text, line) in [("a letter\n", 1), ("{\"experiment\":\"column\"}\n{\"experi\n\n[1]\n", 4)] {
        fs::write(&path, text).expect("a file");
        let run = column.command("other").output().expect("the program runs");
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && said.contains(&format!("line {line} is no run")), "{said}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), text);
    }
    fs::remove_dir_all(&column.folder).expect("the folder can be removed");
}
