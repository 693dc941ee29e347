//! The shapes of a world, shared by bodies.

use crate::error::{Error, Result, reserve, resize, text};
use crate::id::{Entity, Handle, Registry};
use crate::shape::Shape;
use crate::visit::{Reader, StateVisitor};

/// The shapes, in arrays by the slots of their handles.
#[derive(Debug)]
pub(super) struct Shapes {
    pub(super) registry: Registry,
    shapes: Vec<Option<Shape>>,
    /// The number of bodies that have each shape.
    pub(super) uses: Vec<usize>,
}

impl Shapes {
    /// Returns an empty set.
    pub(super) fn new() -> Self {
        Self { registry: Registry::new(Entity::Shape), shapes: Vec::new(), uses: Vec::new() }
    }

    /// Adds a shape.
    pub(super) fn add(&mut self, shape: Shape) -> Result<Handle> {
        self.registry.reserve(1)?;
        reserve(&mut self.shapes, 1, "shapes")?;
        reserve(&mut self.uses, 1, "shapes")?;
        let (slot, handle) = self.registry.insert();
        if slot == self.shapes.len() {
            self.shapes.push(Some(shape));
            self.uses.push(0);
        } else {
            self.shapes[slot] = Some(shape);
        }
        Ok(handle)
    }

    /// Removes a shape that no body has.
    pub(super) fn remove(&mut self, handle: Handle) -> Result<()> {
        let slot = self.registry.slot("shape", handle)?;
        let uses = self.uses[slot];
        if uses > 0 {
            let value = handle.0;
            return Err(Error::argument(text!(
                "shape is {value:#x}, which {uses} bodies have, expected a shape that is not in use"
            )));
        }
        self.registry.remove(slot);
        self.shapes[slot] = None;
        Ok(())
    }

    /// Returns the shape in `slot`, if there is one.
    pub(super) fn get(&self, slot: u32) -> Option<&Shape> {
        self.shapes.get(slot as usize).and_then(Option::as_ref)
    }

    /// Reads the handles and the shapes, which no body has yet.
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or there are no such shapes.
    pub(super) fn load(reader: &mut Reader) -> Result<Self> {
        let registry = Registry::load(reader, Entity::Shape, size_of::<u32>())?;
        let (mut shapes, mut uses) = (Vec::new(), Vec::new());
        reserve(&mut shapes, registry.slots(), "shapes")?;
        resize(&mut uses, registry.slots(), 0, "shapes")?;
        for slot in 0..registry.slots() {
            let place = format_args!("shapes[{slot}]: ");
            let shape = registry.is_live(slot).then(|| Shape::load(reader).map_err(|error| error.at(place)));
            shapes.push(shape.transpose()?);
        }
        Ok(Self { registry, shapes, uses })
    }

    /// Visits the handles and the shapes.
    pub(super) fn visit_state(&self, visitor: &mut impl StateVisitor) {
        let Self {
            registry,
            shapes,
            uses: _, // Follows from the bodies.
        } = self;
        registry.visit_state(visitor);
        // Whether a slot has a shape is a part of the handles.
        shapes.iter().flatten().for_each(|shape| shape.visit_state(visitor));
    }
}
