//! Files of a run for ParaView.

use std::path::Path;

use drystone::world::World;
use serde::{Deserialize, Serialize};

use super::Failure;
use super::arguments::Arguments;

/// The option of programs that write them: name, and help.
pub(crate) const OPTION: (&str, &str) =
    ("vtk", "FOLDER       files for ParaView of each run that --resume does not skip");
/// Between two frames [s].
const EVERY: f64 = 0.05;

/// The frames of one run, if any are wanted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Frames {
    /// Begins the names of all files, with the folder.
    #[serde(skip)]
    prefix: Option<String>,
    /// Frames so far, those included that were due while none were wanted.
    due: u64,
}

impl Frames {
    /// Returns those of a run that is called `name`, in the folder of the command line.
    ///
    /// # Errors
    ///
    /// The folder cannot be made, or its name is not UTF-8.
    pub(crate) fn new(arguments: &Arguments, name: &str) -> Result<Self, Failure> {
        let Some(folder) = arguments.own(OPTION.0) else { return Ok(Self::default()) };
        std::fs::create_dir_all(folder)?;
        let path = Path::new(folder).join(name);
        let prefix = path.to_str().ok_or("--vtk is no UTF-8")?;
        Ok(Self { prefix: Some(prefix.into()), due: 0 })
    }

    /// Goes on from those of an earlier program. Later files of that are written again.
    pub(crate) fn go_on_from(&mut self, earlier: &Self) {
        self.due = earlier.due;
    }

    /// Writes a frame if one is due at this time of the run [s].
    ///
    /// # Errors
    ///
    /// A file cannot be written.
    pub(crate) fn show(&mut self, world: &World, time: f64) -> Result<(), Failure> {
        // Half a nanosecond for the rounding of times.
        if time + 5e-10 < EVERY * self.due as f64 {
            return Ok(());
        }
        if let Some(prefix) = &self.prefix {
            write(world, prefix, self.due, time)?;
        }
        self.due += 1;
        Ok(())
    }
}

#[cfg(feature = "vtk")]
fn write(world: &World, prefix: &str, step: u64, time: f64) -> Result<(), Failure> {
    use drystone::query::fields::KernelKind;
    use drystone::tasks::Serial;
    use drystone::world::export::{Export, Frame, Grid};
    let export = Export {
        grains: true,
        contacts: true,
        surfaces: true,
        fields: false,
        sides: 48,
        half_space_size: 0.0,
        grid: Grid { origin: [0.0; 3], spacing: [1.0; 3], counts: [1; 3] },
        kernel: KernelKind::Lucy,
        width: 0.0,
    };
    Ok(world.export(&Frame { prefix, step, time }, &export, &Serial)?)
}

#[cfg(not(feature = "vtk"))]
fn write(_: &World, _: &str, _: u64, _: f64) -> Result<(), Failure> {
    Err("--vtk needs the feature vtk of drystone".into())
}
