//! The shapes of a world, shared by bodies.

use crate::error::{Error, Result, reserve};
use crate::id::{Entity, Handle, Registry};
use crate::shape::Shape;

/// Shapes in arrays parallel to the slots of their handles.
#[derive(Debug)]
pub(super) struct Shapes {
    registry: Registry,
    shapes: Vec<Option<Shape>>,
    /// How many bodies have each.
    uses: Vec<usize>,
}

impl Shapes {
    /// None yet.
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
        let slot = self.slot("shape", handle)?;
        let uses = self.uses[slot];
        if uses > 0 {
            let value = handle.0;
            return Err(Error::argument(format!(
                "shape is {value:#x}, which {uses} bodies have, expected a shape that is not in use"
            )));
        }
        self.registry.remove(slot);
        self.shapes[slot] = None;
        Ok(())
    }

    /// The slot of a shape.
    pub(super) fn slot(&self, name: &str, handle: Handle) -> Result<usize> {
        self.registry.slot(name, handle)
    }

    /// The shape in `slot`, if there is one.
    pub(super) fn get(&self, slot: u32) -> Option<&Shape> {
        self.shapes.get(slot as usize).and_then(Option::as_ref)
    }

    /// One more body has the shape in `slot`.
    pub(super) fn take(&mut self, slot: u32) {
        self.uses[slot as usize] += 1;
    }

    /// One body less has the shape in `slot`.
    pub(super) fn give_back(&mut self, slot: u32) {
        self.uses[slot as usize] -= 1;
    }

    /// All slots, for the hash.
    pub(super) fn entries(&self) -> &[Option<Shape>] {
        &self.shapes
    }
}
