//! Files of a world for VTK and ParaView. Each file here makes one data set.

mod bounds;
mod contacts;
mod grains;
mod image;
mod surfaces;

use crate::error::{Error, Result, finite, text};
use crate::query::fields::KernelKind;
use crate::tasks::Tasks;
use crate::vtk::{Dataset, Place, Series, Staged};
use crate::world::state::World;

pub use image::Grid;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_vtk_def`
pub struct Export {
    pub grains: bool,
    pub contacts: bool,
    pub surfaces: bool,
    pub fields: bool,
    pub sides: u32,
    pub half_space_size: f64,
    pub grid: Grid,
    pub kernel: KernelKind,
    pub width: f64,
}

/// Which step is written, and where.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frame<'a> {
    /// Begins the names of all files, with the folder.
    pub prefix: &'a str,
    /// The number in the names of the files.
    pub step: u64,
    /// [s]
    pub time: f64,
}

impl World {
    /// Writes the files of one step and adds them to their series. The work runs on `tasks`.
    ///
    /// # Errors
    ///
    /// A value is out of range; the file system refuses a file. All files are written before the first one gets its name.
    pub fn export(&self, frame: &Frame, export: &Export, tasks: &dyn Tasks) -> Result<()> {
        frame.check()?;
        export.check()?;
        let mut staged = Staged::default();
        let mut write = |part: &'static str, wanted: bool, dataset: &dyn Fn() -> Result<Dataset>| {
            if wanted { stage(frame, part, &dataset()?, &mut staged) } else { Ok(()) }
        };
        write("grains", export.grains, &|| grains::dataset(self))?;
        write("contacts", export.contacts, &|| contacts::dataset(self))?;
        write("surfaces", export.surfaces, &|| surfaces::dataset(self, export.sides, export.half_space_size))?;
        write("fields", export.fields, &|| image::dataset(self, &export.grid, (export.kernel, export.width), tasks))?;
        staged.commit()
    }
}

impl Export {
    fn check(&self) -> Result<()> {
        if !(3..=1024).contains(&self.sides) {
            return Err(Error::argument(text!("sides is {}, expected 3 to 1024", self.sides)));
        }
        crate::error::not_negative("half_space_size", self.half_space_size)?;
        if self.fields { self.grid.check() } else { Ok(()) }
    }
}

impl Frame<'_> {
    fn check(&self) -> Result<()> {
        finite("time", self.time)?;
        let Self { prefix, .. } = self;
        if prefix.chars().any(char::is_control) {
            return Err(Error::argument(text!("prefix is {prefix:?}, expected a path without control characters")));
        }
        if prefix.is_empty() || prefix.ends_with(std::path::is_separator) {
            return Err(Error::argument(text!("prefix is {prefix:?}, expected a path that ends with a name")));
        }
        Ok(())
    }
}

/// Writes a data set, and its series with the data set in it.
fn stage(frame: &Frame, part: &'static str, dataset: &Dataset, staged: &mut Staged) -> Result<()> {
    let place = Place { prefix: frame.prefix, part, extension: dataset.extension(), step: frame.step };
    let mut series = Series::read(&place)?;
    series.add(&place, frame.time)?;
    staged.add(place.path()?, |out| dataset.write(frame.time, out))?;
    series.stage(&place, staged)
}
