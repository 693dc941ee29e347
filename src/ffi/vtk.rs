//! Files of a world for VTK and ParaView.

use core::ffi::c_char;
use std::ffi::CStr;
use std::mem::MaybeUninit;

use crate::error::{Error, Result, text};

use super::fields::dry_kernel;
use super::guard;
use super::handle::{self, dry_world};
use super::status_code::dry_status;
use super::structure::{self, numbered, structure};

/// dry_vtk_def.parts: spheres as points.
pub const DRY_VTK_GRAINS: u32 = 1u32;
/// dry_vtk_def.parts: contacts as lines.
pub const DRY_VTK_CONTACTS: u32 = 2u32;
/// dry_vtk_def.parts: bodies of all other shapes as polygons.
pub const DRY_VTK_SURFACES: u32 = 4u32;
/// dry_vtk_def.parts: fields on a grid of points, which must be set.
pub const DRY_VTK_FIELDS: u32 = 8u32;

/// The parts that dry_world_export_vtk writes. Filled in by dry_vtk_def_init; grows at its end.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct dry_vtk_def {
    /// Bytes of this structure.
    pub struct_size: usize,
    /// DRY_VTK_ bits. Default DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES.
    pub parts: u32,
    /// Of a circle, 3 to 1024. Default 24.
    pub sides: u32,
    /// The edge of the square that stands for a half-space [m]. Default 0: one that reaches beyond all other bodies.
    pub half_space_size: f64,
    /// The first point of the grid of fields, world axes [m]. Default 0.
    pub grid_origin: [f64; 3],
    /// From point to point along each axis, above 0 [m]. No default: it must be set for DRY_VTK_FIELDS.
    pub grid_spacing: [f64; 3],
    /// Points along each axis, 1 to 2147483647, and at most 4294967295 in all. No default: it must be set for
    /// DRY_VTK_FIELDS.
    pub grid_count: [u32; 3],
    /// Of the fields, see dry_query_fields. Default DRY_KERNEL_LUCY.
    pub kernel: MaybeUninit<dry_kernel>,
    /// The width of the kernel [m]. Default 0: the mean diameter of the dynamic spheres.
    pub width: f64,
}

structure!(dry_vtk_def);

impl Default for dry_vtk_def {
    fn default() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            parts: DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES,
            sides: 24,
            half_space_size: 0.0,
            grid_origin: [0.0; 3],
            grid_spacing: [0.0; 3],
            grid_count: [0; 3],
            kernel: numbered(1),
            width: 0.0,
        }
    }
}

/// Fills in the default files of a step.
///
/// def: the structure of the caller.
/// size: sizeof(dry_vtk_def) as the caller was compiled.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_vtk_def_init(def: *mut dry_vtk_def, size: usize) -> dry_status {
    // SAFETY: the host gives room for `size` bytes.
    guard::run("dry_vtk_def_init", || unsafe { structure::init("def", def, size) })
}

/// Writes a world to files for VTK and ParaView: the bodies as they are now, and the contacts of the last step.
///
/// The files are PREFIX_grains_STEP.vtp, PREFIX_contacts_STEP.vtp, PREFIX_surfaces_STEP.vtp and
/// PREFIX_fields_STEP.vti, STEP with 6 digits or more. PREFIX_grains.pvd and so on list the files of all steps with
/// their times: ParaView opens these. Before a step is added, a series drops the files of this step and later ones. A
/// run that is repeated from some step on thus replaces the old files. Numbers are raw doubles, with all bits.
///
/// Arrays of grains, by sphere: body (its handle), kind (dry_body_kind), user_data, radius, mass, velocity, spin,
/// force and stress. The force is that of contacts, see dry_query_body_force. The stress is 1/V times the sum of r
/// (x) f of the compatible contact forces, r from the centre of the sphere and V its volume. Tension is positive;
/// walls have 0.
///
/// Arrays of contacts, by contact: the members of dry_contact, which are key, body_a, body_b, state, gap,
/// normal_force, friction_force and so on. The line leads from centre to centre at the start of the step. On the side
/// of a body that is not dynamic it leads to the contact point.
///
/// Arrays of surfaces, by polygon: body, kind, user_data, velocity, spin, force. Arrays of fields, by point: the
/// members of dry_field.
///
/// prefix: begins the paths, UTF-8: a folder that exists, and the name of the run.
///
/// step: the number in the names of the files.
/// time: of the step, in the series [s].
/// def_or_null: selects the files; NULL: the default.
///
/// DRY_ERR_IO: a file cannot be written or read; the message has its path and the reason. DRY_ERR_FORMAT: a .pvd of
/// the series is not one of drystone's. After an error no file is half written, and no file is new unless renaming
/// failed. DRY_ERR_UNSUPPORTED: the library was built without its feature vtk.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dry_world_export_vtk(
    world: *const dry_world,
    prefix: *const c_char,
    step: u64,
    time: f64,
    def_or_null: *const dry_vtk_def,
) -> dry_status {
    guard::run("dry_world_export_vtk", || {
        let world = handle::of(world)?;
        guard::present("prefix", prefix)?;
        // SAFETY: not null; the host gives a text that ends with a zero, and a structure of the size it says.
        let (prefix, def) = unsafe {
            let prefix = CStr::from_ptr(prefix);
            let is_default = def_or_null.is_null();
            (prefix, if is_default { dry_vtk_def::default() } else { structure::read("def_or_null", def_or_null)? })
        };
        let Ok(prefix) = prefix.to_str() else {
            return Err(Error::argument(text!("prefix is not UTF-8, expected a path in UTF-8")));
        };
        def.check()?;
        export(&world, prefix, (step, time), &def)
    })
}

impl dry_vtk_def {
    fn check(&self) -> Result<()> {
        let all = DRY_VTK_GRAINS | DRY_VTK_CONTACTS | DRY_VTK_SURFACES | DRY_VTK_FIELDS;
        if self.parts == 0 || self.parts & !all != 0 {
            return Err(Error::argument(text!("parts is {:#x}, expected DRY_VTK_ bits", self.parts)));
        }
        Ok(())
    }
}

#[cfg(feature = "vtk")]
fn export(world: &dry_world, prefix: &str, (step, time): (u64, f64), def: &dry_vtk_def) -> Result<()> {
    use crate::world::export::{Export, Frame, Grid};
    let has = |bit: u32| def.parts & bit != 0;
    let export = Export {
        grains: has(DRY_VTK_GRAINS),
        contacts: has(DRY_VTK_CONTACTS),
        surfaces: has(DRY_VTK_SURFACES),
        fields: has(DRY_VTK_FIELDS),
        sides: def.sides,
        half_space_size: def.half_space_size,
        grid: Grid { origin: def.grid_origin, spacing: def.grid_spacing, counts: def.grid_count },
        kernel: super::fields::kernel_kind("kernel", structure::number(def.kernel))?,
        width: def.width,
    };
    world.read_on_tasks(|world, tasks| world.export(&Frame { prefix, step, time }, &export, tasks))
}

#[cfg(not(feature = "vtk"))]
fn export(_: &dry_world, _: &str, _: (u64, f64), _: &dry_vtk_def) -> Result<()> {
    Err(Error::unsupported("this library was built without its feature vtk, expected one with it"))
}
