//! The measuring stick: a C program that sweeps the same graph without a solver around it, compiled and run here.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program, compiled.
pub(crate) struct Limit {
    program: PathBuf,
}

/// What it printed of its fastest double precision sweep.
pub(crate) struct Best {
    pub(crate) name: String,
    /// Median over its sweeps, per contact [ns].
    pub(crate) nanoseconds: f64,
}

impl Limit {
    /// Compiles `source` as its head says, beside this bench's own program.
    pub(crate) fn compile(source: &Path) -> Result<Self, Box<dyn Error>> {
        let program = std::env::current_exe()?.with_file_name("sweep_limit");
        let status = Command::new(std::env::var("CC").unwrap_or_else(|_| "gcc".into()))
            .args(["-O3", "-march=native", "-fno-math-errno", "-fno-trapping-math", "-o"])
            .args([&program, source])
            .arg("-lm")
            .status()?;
        if status.success() {
            Ok(Self { program })
        } else {
            Err(format!("{} does not compile", source.display()).into())
        }
    }

    /// Runs it, on `processor` if one is given, and reads its lines.
    pub(crate) fn run(&self, cells: usize, sweeps: u32, processor: Option<usize>) -> Result<Best, Box<dyn Error>> {
        let mut command = Command::new(&self.program);
        command.args([cells.to_string(), sweeps.to_string()]);
        if let Some(processor) = processor {
            command.arg(processor.to_string());
        }
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let rows = text.lines().filter_map(row);
        let best = rows.min_by(|one, other| one.nanoseconds.total_cmp(&other.nanoseconds));
        best.ok_or_else(|| "the limit printed no line of double precision".into())
    }
}

/// `NAME min 7.1  median 7.6 ns/contact-iter ...`
fn row(line: &str) -> Option<Best> {
    let (name, numbers) = line.split_once(" min ")?;
    let median = numbers.split_once("median")?.1.split_whitespace().next()?;
    let nanoseconds = median.parse().ok()?;
    name.contains("f64").then(|| Best { name: name.trim().to_string(), nanoseconds })
}
