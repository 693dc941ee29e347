//! The world: everything that lives between steps, and the workspace of the step.

use std::sync::Arc;

use crate::body::Bodies;
use crate::body::{Energy, Motion, Wrench};
use crate::contact::material::Material;
use crate::contact::{Loads, Memory, Touches, material::Materials, material::Pair};
use crate::error::{Result, all_finite};
use crate::id::Handle;
use crate::math::Vec3;
use crate::solver::compatibility::Displacement;
use crate::solver::{Impulse, Impulses, Solver};
use crate::tasks::{Alone, Tasks};
use crate::world::assemble::Assembly;
use crate::world::detect::Detector;
use crate::world::doze::Doze;
use crate::world::index::Index;
use crate::world::removed::Removed;
use crate::world::roster::Roster;
use crate::world::settings::Settings;
use crate::world::shapes::Shapes;
use crate::world::readback::ReadbackState;
use crate::world::sleep::Sleep;

/// Bodies in a piece of work, some ten microseconds: fewer cost more to hand out, more leave threads idle at the end.
pub(in crate::world) const BODIES_PER_PIECE: usize = 128;

/// Rigid bodies in frictional contact.
#[derive(Debug)]
pub struct World {
    /// Who runs the pieces of a step. No result depends on it.
    pub(in crate::world) tasks: Arc<dyn Tasks>,
    pub(in crate::world) settings: Settings,
    pub(in crate::world) gravity: Vec3,
    /// Shared with what the last step saw, until one of them changes.
    pub(in crate::world) materials: Arc<Materials>,
    pub(in crate::world) shapes: Shapes,
    pub(in crate::world) bodies: Bodies,
    pub(in crate::world) roster: Roster,
    /// Who sleeps, and their contacts.
    pub(in crate::world) sleep: Sleep,
    /// Contacts of the last completed step, but for those of sleepers.
    pub(in crate::world) memory: Memory,
    /// What they are read with.
    pub(in crate::world) readback: ReadbackState,
    /// The sum of the contact forces of the last completed step on each slot's body.
    pub(in crate::world) contact_wrenches: Vec<Wrench>,
    /// The slots for which that step wrote one; those of all other bodies are zero, but for sleepers.
    pub(in crate::world) pressed: Vec<u32>,
    /// The bodies removed since then; where there are any, the sums above may hold forces of contacts that are gone.
    pub(in crate::world) removed: Removed,
    /// Of the last correction, from which the next one starts; one for each slot, or none.
    pub(in crate::world) displacements: Vec<Displacement>,
    pub(in crate::world) workspace: Workspace,
}

/// What a step writes before it is known to succeed, and what it reuses. What is kept here from step to step (neighbours,
/// islands, batches) would be the same if it were made anew.
#[derive(Debug, Default)]
pub(in crate::world) struct Workspace {
    pub(in crate::world) detector: Detector,
    /// The contacts of this step.
    pub(in crate::world) touches: Touches,
    /// The places of those that they continue, among those of the last step, or where bodies were woken in `before`.
    pub(in crate::world) origins: Vec<u32>,
    /// Whether each contact continues the one of its own number in the step before.
    pub(in crate::world) same_contacts: bool,
    /// What they carry.
    pub(in crate::world) loads: Loads,
    /// What the contacts inherit from, where bodies were woken.
    pub(in crate::world) before: (Touches, Loads),
    /// Pieces in which contacts are found, and in which they inherit.
    pub(in crate::world) spans: Vec<[u32; 2]>,
    pub(in crate::world) index: Index,
    pub(in crate::world) assembly: Assembly,
    pub(in crate::world) solver: Solver,
    /// Of the bodies that take part in the step, row by row, at the end of the last substep.
    pub(in crate::world) motion: Vec<Motion>,
    /// Of each piece of them, so moving.
    pub(in crate::world) energies: Vec<Energy>,
    /// Of every row, the mean contact force over the substeps so far; none where the step has no parts.
    pub(in crate::world) wrenches: Vec<Wrench>,
    pub(in crate::world) correction: Correction,
    pub(in crate::world) doze: Doze,
    /// Of the last substep, the largest one [m/s].
    pub(in crate::world) residual: f64,
    /// Whether the last substep came to numbers that are all finite.
    pub(in crate::world) is_finite: bool,
}

/// What the compatibility correction starts from and ends with.
#[derive(Debug, Default)]
pub(in crate::world) struct Correction {
    /// Of every contact of the solver.
    pub(in crate::world) stiffness: Vec<f64>,
    /// Of every row; none without a correction.
    pub(in crate::world) displacements: Vec<Displacement>,
    /// Corrected impulses of every contact of the solver; none without a correction.
    pub(in crate::world) compatible: Vec<Impulse>,
    /// The impulses of the whole step where it had several substeps.
    pub(in crate::world) whole: Impulses,
}

impl World {
    /// An empty world, whose steps run on the calling thread.
    pub fn new(settings: Settings, gravity: [f64; 3]) -> Result<Self> {
        Self::with_tasks(settings, gravity, Arc::new(Alone))
    }

    /// An empty world, whose steps `tasks` run. Only [`World::step`] uses them.
    pub fn with_tasks(settings: Settings, gravity: [f64; 3], tasks: Arc<dyn Tasks>) -> Result<Self> {
        settings.check()?;
        all_finite("gravity", &gravity)?;
        let materials = Arc::new(Materials::new()?);
        let workspace = Workspace { solver: Solver::with_tasks(tasks.clone()), ..Workspace::default() };
        Ok(Self {
            tasks,
            settings,
            gravity: Vec3::from(gravity),
            readback: ReadbackState::empty(materials.clone()),
            materials,
            shapes: Shapes::new(),
            bodies: Bodies::new(),
            roster: Roster::new()?,
            sleep: Sleep::default(),
            memory: Memory::new(),
            contact_wrenches: Vec::new(),
            pressed: Vec::new(),
            removed: Removed::default(),
            displacements: Vec::new(),
            workspace,
        })
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the settings.
    pub fn set_settings(&mut self, settings: Settings) -> Result<()> {
        settings.check()?;
        if self.settings != settings {
            if settings.push_out_velocity < self.settings.push_out_velocity {
                self.forget_pushes();
            }
            self.settings = settings;
            self.wake_all();
        }
        Ok(())
    }

    /// What the position pass pushed when it might push faster is nothing to start from.
    fn forget_pushes(&mut self) {
        self.memory.loads.pushes.fill(0.0);
        self.sleep.contacts.iter_mut().for_each(|kept| kept.load.push = 0.0);
    }

    /// Replaces gravity [m/s^2].
    pub fn set_gravity(&mut self, gravity: [f64; 3]) -> Result<()> {
        all_finite("gravity", &gravity)?;
        let gravity = Vec3::from(gravity);
        if self.gravity != gravity {
            self.gravity = gravity;
            self.wake_all();
        }
        Ok(())
    }

    /// The materials, to be changed: what the last step saw stays as it was.
    fn own_materials(&mut self) -> Result<&mut Materials> {
        if Arc::get_mut(&mut self.materials).is_none() {
            self.materials = Arc::new(self.materials.try_clone()?);
        }
        // just made sure of: this clones nothing
        Ok(Arc::make_mut(&mut self.materials))
    }

    /// Adds a material.
    pub fn add_material(&mut self, material: Material) -> Result<Handle> {
        self.own_materials()?.add(material)
    }

    /// Says what holds between two materials, instead of the mixing rules.
    pub fn set_material_pair(&mut self, first: Handle, second: Handle, pair: Pair) -> Result<()> {
        let first = self.materials.slot("first", first)?;
        let second = self.materials.slot("second", second)?;
        self.own_materials()?.set_pair(first, second, pair)?;
        self.wake_all();
        Ok(())
    }
}
