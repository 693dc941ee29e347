//! The world: everything that is kept between steps, and the workspace of the step.

use std::sync::Arc;

use crate::body::{Bodies, Energy, Motion, Wrench};
use crate::contact::material::{Material, Materials, Pair};
use crate::contact::{ContactList, ImpulseCache, Memory};
use crate::error::{OnDemand, Result};
use crate::id::{Handle, SlotSet};
use crate::math::{ListPlace, Period, Vec3, limits};
use crate::solver::Solver;
use crate::solver::compatibility::Displacement;
use crate::solver::project::ProjectionBudget;
use crate::tasks::{Serial, Tasks};
use crate::world::active_bodies::ActiveBodies;
use crate::world::anchors::{AnchorWorkspace, Anchors};
use crate::world::assemble::Assembly;
use crate::world::commit::ContactForces;
use crate::world::correct::Correction;
use crate::world::detect::Detector;
use crate::world::index::Index;
use crate::world::island_residuals::IslandResiduals;
use crate::world::joints::{ClosingWorkspace, JointWorkspace, Joints};
use crate::world::ledger::LedgerWorkspace;
use crate::world::match_contacts::MergedContacts;
use crate::world::readback::ReadbackState;
use crate::world::settings::Settings;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::{SleepState, SleepTest};
use crate::world::static_workspace::StaticWorkspace;

/// Rigid bodies in frictional contact.
#[derive(Debug)]
pub struct World {
    /// Runs the work of a step on one thread or on several. No result depends on it.
    pub(in crate::world) tasks: Arc<dyn Tasks>,
    pub(in crate::world) settings: Settings,
    pub(in crate::world) gravity: Vec3,
    pub(in crate::world) period: Period,
    /// The rates at which the periods grow [1/s].
    pub(in crate::world) strain_rate: Vec3,
    /// Shared with `readback` until a material changes.
    pub(in crate::world) materials: Arc<Materials>,
    pub(in crate::world) shapes: Shapes,
    pub(in crate::world) bodies: Bodies,
    pub(in crate::world) active_bodies: ActiveBodies,
    /// The sleeping bodies and their contacts.
    pub(in crate::world) sleep: SleepState,
    /// The contacts of the last completed step, except those of sleeping bodies.
    pub(in crate::world) memory: Memory,
    /// The data with which queries read these contacts.
    pub(in crate::world) readback: ReadbackState,
    pub(in crate::world) contact_forces: ContactForces,
    /// The bodies removed since the last step. New bodies may use their slots. `contact_forces` includes their contacts.
    pub(in crate::world) removed: SlotSet,
    /// By slot, the displacements of the last correction, from which the next one starts; empty without a correction.
    pub(in crate::world) displacements: Vec<Displacement>,
    /// By slot, the work that the stick projection has spent on the island of the body.
    pub(in crate::world) projection_budget: ProjectionBudget,
    /// The contacts that stuck in the last step while their bodies turned.
    pub(in crate::world) anchors: Anchors,
    pub(in crate::world) joints: Joints,
    /// The elastic energy of the contacts at the end of the last step, if the settings required it [J].
    pub(in crate::world) elastic_energy: Option<f64>,
    pub(in crate::world) workspace: Workspace,
}

/// The scratch buffers and caches of a step, and its results before *commit*. Neighbours, islands and batches are kept from
/// step to step, but can be rebuilt from the state. A step with an empty workspace gives the same results.
#[derive(Debug, Default)]
pub(in crate::world) struct Workspace {
    pub(in crate::world) detector: Detector,
    /// The contacts of this step.
    pub(in crate::world) contact_list: ContactList,
    /// For each contact the index of the old contact that it continues: in the memory, or in `merged` if bodies were woken.
    pub(in crate::world) origins: Vec<ListPlace>,
    pub(in crate::world) merged: MergedContacts,
    /// The pieces of the contact list that are matched at the same time.
    pub(in crate::world) match_spans: Vec<[u32; 2]>,
    /// Whether each contact continues an old one and has its number.
    pub(in crate::world) same_contacts: bool,
    /// The impulses and marks of the contacts, by lane. Until *correct* they are those of the substep before.
    pub(in crate::world) loads: ImpulseCache,
    pub(in crate::world) index: Index,
    pub(in crate::world) anchors: AnchorWorkspace,
    pub(in crate::world) assembly: Assembly,
    pub(in crate::world) solver: Solver,
    /// The motion of each row of an active body, at the end of the last substep.
    pub(in crate::world) motion: Vec<Motion>,
    /// The energy of these rows, piece by piece.
    pub(in crate::world) energies: Vec<Energy>,
    /// The mean contact force on each row over the substeps so far; empty if the step has a single substep.
    pub(in crate::world) wrenches: Vec<Wrench>,
    pub(in crate::world) joints: JointWorkspace,
    pub(in crate::world) closing: ClosingWorkspace,
    pub(in crate::world) correction: Correction,
    pub(in crate::world) sleep_test: SleepTest,
    pub(in crate::world) residuals: IslandResiduals,
    pub(in crate::world) ledger: LedgerWorkspace,
    pub(in crate::world) statics: OnDemand<StaticWorkspace>,
    /// Whether all numbers of the last substep are finite.
    pub(in crate::world) is_within_limits: bool,
}

impl Workspace {
    /// Returns an empty workspace of a world whose steps run on `tasks`.
    pub(in crate::world) fn new(tasks: &Arc<dyn Tasks>) -> Self {
        Self { solver: Solver::with_tasks(tasks.clone()), ..Self::default() }
    }
}

impl World {
    /// Returns an empty world, whose steps run on the calling thread.
    pub fn new(settings: Settings, gravity: [f64; 3]) -> Result<Self> {
        Self::with_tasks(settings, gravity, Arc::new(Serial))
    }

    /// Returns an empty world, whose steps run on `tasks`. Only [`World::step`] uses them.
    pub fn with_tasks(settings: Settings, gravity: [f64; 3], tasks: Arc<dyn Tasks>) -> Result<Self> {
        settings.check()?;
        limits::gravity("gravity", &gravity)?;
        let materials = Arc::new(Materials::new()?);
        Ok(Self {
            workspace: Workspace::new(&tasks),
            tasks,
            settings,
            gravity: Vec3::from(gravity),
            period: Period::OPEN,
            strain_rate: Vec3::zeros(),
            readback: ReadbackState::empty(materials.clone()),
            materials,
            shapes: Shapes::new(),
            bodies: Bodies::default(),
            active_bodies: ActiveBodies::default(),
            sleep: SleepState::default(),
            memory: Memory::new(),
            contact_forces: ContactForces::default(),
            removed: SlotSet::default(),
            displacements: Vec::new(),
            projection_budget: ProjectionBudget::default(),
            anchors: Anchors::default(),
            joints: Joints::default(),
            elastic_energy: None,
        })
    }

    /// Returns the settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Replaces the settings.
    pub fn set_settings(&mut self, settings: Settings) -> Result<()> {
        settings.check()?;
        self.check_margin(settings.contact_margin)?;
        if self.settings != settings {
            if settings.push_out_velocity < self.settings.push_out_velocity {
                // Stored multipliers of the position pass may exceed the new bound.
                self.memory.loads.position_multipliers.fill(0.0);
                self.sleep.contacts.iter_mut().for_each(|contact| contact.load.position_multiplier = 0.0);
            }
            self.settings = settings;
            self.waker().wake_all();
        }
        Ok(())
    }

    /// Returns the gravity [m/s^2].
    pub fn gravity(&self) -> [f64; 3] {
        self.gravity.into()
    }

    /// Replaces the gravity [m/s^2].
    pub fn set_gravity(&mut self, gravity: [f64; 3]) -> Result<()> {
        limits::gravity("gravity", &gravity)?;
        let gravity = Vec3::from(gravity);
        if self.gravity != gravity {
            self.gravity = gravity;
            self.waker().wake_all();
        }
        Ok(())
    }

    /// Returns the materials for a change. They are copied first if `readback` shares them.
    fn own_materials(&mut self) -> Result<&mut Materials> {
        if Arc::get_mut(&mut self.materials).is_none() {
            self.materials = Arc::new(self.materials.try_clone()?);
        }
        // They are not shared now, so this copies nothing.
        Ok(Arc::make_mut(&mut self.materials))
    }

    /// Adds a material.
    pub fn add_material(&mut self, material: Material) -> Result<Handle> {
        self.own_materials()?.add(material)
    }

    /// Sets the properties of a pair of materials, in place of the mixing rules.
    pub fn set_material_pair(&mut self, first: Handle, second: Handle, pair: Pair) -> Result<()> {
        let first = self.materials.slot("first", first)?;
        let second = self.materials.slot("second", second)?;
        self.own_materials()?.set_pair(first, second, pair)?;
        self.waker().wake_all();
        Ok(())
    }
}
