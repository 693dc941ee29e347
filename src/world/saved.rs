//! Snapshots of a world: the whole state, from which a world goes on to the last bit. See docs/snapshots.md.

use std::sync::Arc;

use crate::body::{Bodies, Kind, Mass, Motion, Traits, Wrench};
use crate::contact::material::Materials;
use crate::contact::{ContactRecord, Memory};
use crate::error::{Error, ErrorKind, Result, resize, text};
use crate::id::SlotSet;
use crate::math::{Period, Vec3, limits};
use crate::solver::compatibility::Displacement;
use crate::solver::project::ProjectionBudget;
use crate::tasks::Tasks;
use crate::visit::{
    Content, Reader, Size, State, StateVisitor, bytes_of, format_error, marked, open, seal, sealed_size, width_of,
};
use crate::world::active_bodies::ActiveBodies;
use crate::world::anchors::Anchors;
use crate::world::commit::ContactForces;
use crate::world::joints::Joints;
use crate::world::populate::check_reach;
use crate::world::readback::ReadbackState;
use crate::world::saved_contacts::Places;
use crate::world::saved_impacts::{load_impacts, save_impacts};
use crate::world::settings::Settings;
use crate::world::shape_registry::Shapes;
use crate::world::sleep::SleepState;
use crate::world::state::{Workspace, World};

/// What the world keeps of a body in addition to its motion.
const FORCE: u8 = 1;
const DISPLACED: u8 = 2;
const HAS_DEBT: u8 = 4;

/// No projection leaves a larger debt.
const LARGEST_DEBT: u64 = 1 << 32;

impl World {
    /// Returns the number of bytes of a snapshot.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn snapshot_size(&self) -> Result<usize> {
        let mut size = Size::default();
        self.save(&mut size)?;
        Ok(sealed_size(size.bytes()))
    }

    /// Writes a snapshot to a room of exactly its size.
    ///
    /// # Errors
    ///
    /// Memory is exhausted. The room has bytes without meaning then.
    pub fn write_snapshot(&self, room: &mut [u8]) -> Result<()> {
        seal(Content::World, room, |writer| self.save(writer))
    }

    /// Returns a snapshot.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn snapshot(&self) -> Result<Vec<u8>> {
        bytes_of(self.snapshot_size()?, |room| self.write_snapshot(room))
    }

    /// Replaces the whole world by that of a snapshot; its tasks stay.
    ///
    /// # Errors
    ///
    /// As of [`World::from_snapshot`]. Nothing has changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<()> {
        *self = Self::from_snapshot(snapshot, self.tasks.clone())?;
        Ok(())
    }

    /// Returns the world of a snapshot, whose steps run on `tasks`.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the snapshot is not what it claims to be.
    pub fn from_snapshot(snapshot: &[u8], tasks: Arc<dyn Tasks>) -> Result<Self> {
        let read = || {
            let mut reader = open(Content::World, snapshot)?;
            let world = Self::load(&mut reader, tasks)?;
            reader.finish().map(|()| world)
        };
        read().map_err(|error| match error.kind {
            ErrorKind::Memory => error,
            _ => Error { kind: ErrorKind::Format, ..error },
        })
    }

    /// Returns an equal world that shares the tasks of this one.
    ///
    /// # Errors
    ///
    /// Memory is exhausted.
    pub fn try_clone(&self) -> Result<Self> {
        Self::from_snapshot(&self.snapshot()?, self.tasks.clone())
    }

    fn save(&self, visitor: &mut impl StateVisitor) -> Result<()> {
        let Self {
            tasks: _, // Those of the world that is restored.
            settings,
            gravity,
            period,
            strain_rate,
            materials,
            shapes,
            bodies,
            active_bodies: _, // Follows from the bodies.
            sleep,
            memory,
            readback,
            contact_forces,
            removed,
            displacements,
            projection_budget,
            anchors,
            joints,
            elastic_energy,
            workspace: _, // Can be rebuilt.
        } = self;
        settings.visit_state(visitor);
        gravity.visit(visitor);
        period.lengths().visit(visitor);
        elastic_energy.visit(visitor);
        materials.visit_state(visitor);
        shapes.visit_state(visitor);
        bodies.save(visitor)?;
        sleep.save(visitor, bodies);
        removed.visit_state(visitor);
        save_slots(visitor, &contact_forces.slots, bodies.slots());
        save_by_body(visitor, bodies, (contact_forces, displacements, projection_budget));
        readback.save(visitor, (&contact_forces.slots, sleep), (bodies, shapes), materials)?;
        let (balls, margin) = (&readback.balls[..], settings.contact_margin);
        let places = Places { bodies, shapes, balls, are_asleep: false, period, margin };
        memory.save(visitor, bodies.slots(), |record| !removed.has_any_of(record.pair()), &places);
        sleep.save_contacts(visitor, memory, readback, &Places { are_asleep: true, ..places }, removed);
        anchors.visit_state(visitor, removed);
        joints.visit_state(visitor);
        save_impacts(visitor, (memory, sleep), removed, self.is_strained());
        if self.is_strained() {
            strain_rate.visit(visitor);
        }
        Ok(())
    }

    fn load(reader: &mut Reader, tasks: Arc<dyn Tasks>) -> Result<Self> {
        let settings = Settings::read(reader).map_err(|error| error.at("settings."))?;
        settings.check()?;
        let gravity = <[f64; 3]>::read(reader)?;
        limits::gravity("gravity", &gravity)?;
        let period = Period::new(<[f64; 3]>::read(reader)?)?;
        let elastic_energy = reader.unbounded(Option::<f64>::read)?;
        let materials = Arc::new(Materials::load(reader)?);
        let mut shapes = Shapes::load(reader)?;
        let check = |traits: &Traits, mass: &Mass, motion: &Motion| {
            check_body((&shapes, materials.len()), (traits, mass, motion))
        };
        let mut bodies = Bodies::load(reader, check)?;
        let mut sleep = SleepState::load(reader, &mut bodies)?;
        let removed = SlotSet::load(reader, bodies.slots())?;
        let slots = load_slots(reader, &bodies)?;
        let mut contact_forces = ContactForces { sums: Vec::new(), slots };
        let (displacements, projection_budget) = load_by_body(reader, &bodies, &mut contact_forces)?;
        let read = (&contact_forces.slots[..], &mut sleep);
        let readback = ReadbackState::load(reader, read, (&bodies, &shapes), &materials)?;
        let (balls, margin) = (&readback.balls[..], settings.contact_margin);
        let places = Places { bodies: &bodies, shapes: &shapes, balls, are_asleep: false, period: &period, margin };
        let mut memory = load_memory(reader, &places, &contact_forces.slots, &readback)?;
        sleep.load_contacts(reader, &memory, &readback, &Places { are_asleep: true, ..places })?;
        let anchors = Anchors::load(reader, &bodies)?;
        let joints = Joints::load(reader, &bodies)?;
        load_impacts(reader, &mut memory, &mut sleep)?;
        let strain_rate = Self::load_strain(reader, &period)?;
        let active_bodies = active_bodies(&bodies, &mut shapes)?;
        let world = Self {
            workspace: Workspace::new(&tasks),
            tasks,
            settings,
            gravity: Vec3::from(gravity),
            period,
            strain_rate,
            materials,
            shapes,
            bodies,
            active_bodies,
            sleep,
            memory,
            readback,
            contact_forces,
            removed,
            displacements,
            projection_budget,
            anchors,
            joints,
            elastic_energy,
        };
        world.check_images()?;
        Ok(world)
    }
}

/// Refuses a body whose shape or material is not there, or that the world has no place for.
fn check_body((shapes, materials): (&Shapes, usize), (traits, mass, motion): (&Traits, &Mass, &Motion)) -> Result<()> {
    let Some(shape) = shapes.get(traits.shape).filter(|_| (traits.material as usize) < materials) else {
        let Traits { shape, material, .. } = traits;
        return Err(format_error(text!("shape {shape} or material {material} does not exist")));
    };
    if traits.kind == Kind::Dynamic && shape.mass_properties().is_none() {
        return Err(format_error("a dynamic body has a shape without volume"));
    }
    check_reach(motion, &mass.center, shape.bounding_radius())
}

/// Writes the slots for which the last step wrote forces, which are below `count`.
fn save_slots(visitor: &mut impl StateVisitor, slots: &[u32], count: usize) {
    visitor.length(slots.len());
    let width = width_of(count as u64);
    slots.iter().for_each(|slot| visitor.low_bytes(u64::from(*slot), width));
}

/// Reads the slots for which the last step wrote forces, each once.
fn load_slots(reader: &mut Reader, bodies: &Bodies) -> Result<Vec<u32>> {
    let width = width_of(bodies.slots() as u64);
    let slots = reader.sequence("bodies", width, |reader| reader.low_bytes(width).map(|slot| slot as u32))?;
    let mut is_listed = Vec::new();
    resize(&mut is_listed, bodies.slots(), false, "bodies")?;
    for slot in &slots {
        let is_first = is_listed.get_mut(*slot as usize).is_some_and(|is_listed| !std::mem::replace(is_listed, true));
        if !is_first {
            return Err(format_error(text!("slot {slot} has forces, but is not there, or twice")));
        }
    }
    Ok(slots)
}

/// Writes what the world keeps of each body, in the order of their creation.
fn save_by_body(
    visitor: &mut impl StateVisitor,
    bodies: &Bodies,
    (forces, displacements, budget): (&ContactForces, &[Displacement], &ProjectionBudget),
) {
    for at in bodies.order.iter().map(|slot| *slot as usize) {
        let force = forces.sums.get(at).filter(|sum| !is_zero(&sum.force, &sum.torque));
        let displacement = displacements.get(at).filter(|own| own.iter().any(|part| part.to_bits() != 0));
        let debt = budget.debt(at);
        visitor.byte(
            marked(force.is_some(), FORCE) | marked(displacement.is_some(), DISPLACED) | marked(debt > 0, HAS_DEBT),
        );
        if let Some(force) = force {
            force.visit_state(visitor);
        }
        if let Some(displacement) = displacement {
            displacement.visit(visitor);
        }
        if debt > 0 {
            visitor.word(debt);
        }
    }
}

/// Whether all bits of both are zero.
fn is_zero(a: &Vec3, b: &Vec3) -> bool {
    a.iter().chain(b).all(|value| value.to_bits() == 0)
}

fn load_by_body(
    reader: &mut Reader,
    bodies: &Bodies,
    forces: &mut ContactForces,
) -> Result<(Vec<Displacement>, ProjectionBudget)> {
    let (mut displacements, mut budget) = (Vec::new(), ProjectionBudget::default());
    resize(&mut forces.sums, bodies.slots(), Wrench::ZERO, "bodies")?;
    for at in bodies.order.iter().map(|slot| *slot as usize) {
        let head = reader.byte()?;
        if head & !(FORCE | DISPLACED | HAS_DEBT) != 0 {
            return Err(format_error(text!("a body has the marks {head:#x}")));
        }
        if head & FORCE != 0 {
            let force = Wrench::read(reader)?;
            if !force.is_within_limits(1.0) {
                return Err(format_error(text!("a force is {force:?}, which is beyond the limits")));
            }
            forces.sums[at] = force;
        }
        if head & DISPLACED != 0 {
            resize(&mut displacements, bodies.slots(), Displacement::default(), "bodies")?;
            displacements[at] = Displacement::read(reader)?;
        }
        if head & HAS_DEBT != 0 {
            let debt = reader.word()?;
            if debt > LARGEST_DEBT {
                return Err(format_error(text!("the debt of a body is {debt} solves")));
            }
            budget.reserve(bodies.slots())?;
            budget.repaid_at[at] = debt;
        }
    }
    Ok((displacements, budget))
}

fn load_memory(reader: &mut Reader, places: &Places, slots: &[u32], readback: &ReadbackState) -> Result<Memory> {
    let bodies = places.bodies;
    let mut has_row = Vec::new();
    resize(&mut has_row, bodies.slots(), false, "bodies")?;
    slots.iter().for_each(|slot| has_row[*slot as usize] = true);
    let exists = |slot: u32| {
        let at = slot as usize;
        has_row.get(at) == Some(&true)
            && bodies.registry.is_live(at)
            && readback.has_material(bodies.traits[at].material)
    };
    let check = |record: &ContactRecord| {
        let (a, b) = record.pair();
        if exists(a) && exists(b) {
            return Ok(());
        }
        Err(format_error(text!("a contact is between the slots {a} and {b}, of which one was not in the last step")))
    };
    Memory::load(reader, bodies.slots(), check, places)
}

/// Returns the bodies that take part in steps. Counts the bodies of each shape.
fn active_bodies(bodies: &Bodies, shapes: &mut Shapes) -> Result<ActiveBodies> {
    let mut active = ActiveBodies::default();
    active.reserve(bodies.order.len(), bodies.slots())?;
    for slot in bodies.order.iter().map(|slot| *slot as usize) {
        let shape = bodies.traits[slot].shape;
        shapes.uses[shape as usize] += 1;
        let radius = shapes.get(shape).map_or(0.0, |shape| shape.bounding_radius());
        active.insert(bodies, slot, radius);
    }
    active.note_sleep();
    Ok(active)
}
