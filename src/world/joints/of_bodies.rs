//! Which joints each body has.

use crate::error::{Result, reserve, resize};

/// No end.
const NONE: u32 = u32::MAX;

/// The joints of each body in the order of their creation: doubly linked lists, so that a joint comes and goes in constant time.
///
/// A joint has two ends, `2 slot` on body A and `2 slot + 1` on body B.
#[derive(Debug, Default)]
pub(super) struct JointsOfBodies {
    /// The first and the last end on the body in each slot.
    lists: Vec<[u32; 2]>,
    /// The ends before and after each end on the same body.
    neighbours: Vec<[u32; 2]>,
}

impl JointsOfBodies {
    /// Reserves memory, so that joints can be inserted in slots below `joints`, of bodies in slots below `bodies`.
    pub(super) fn reserve(&mut self, joints: usize, bodies: usize) -> Result<()> {
        let missing = (2 * joints).saturating_sub(self.neighbours.len());
        reserve(&mut self.neighbours, missing, "joints")?;
        let slots = bodies.max(self.lists.len());
        resize(&mut self.lists, slots, [NONE; 2], "joints of bodies")
    }

    /// Notes a joint between two bodies, for which memory is reserved.
    pub(super) fn insert(&mut self, joint: usize, bodies: [Option<u32>; 2]) {
        if self.neighbours.len() < 2 * joint + 2 {
            self.neighbours.resize(2 * joint + 2, [NONE; 2]);
        }
        for (side, body) in bodies.into_iter().enumerate() {
            let Some(list) = body.map(|body| &mut self.lists[body as usize]) else { continue };
            let end = (2 * joint + side) as u32;
            self.neighbours[end as usize] = [list[1], NONE];
            match list[1] {
                NONE => list[0] = end,
                last => self.neighbours[last as usize][1] = end,
            }
            list[1] = end;
        }
    }

    /// Forgets a joint between two bodies.
    pub(super) fn remove(&mut self, joint: usize, bodies: [Option<u32>; 2]) {
        for (side, body) in bodies.into_iter().enumerate() {
            let Some(list) = body.map(|body| &mut self.lists[body as usize]) else { continue };
            let [before, after] = self.neighbours[2 * joint + side];
            match before {
                NONE => list[0] = after,
                before => self.neighbours[before as usize][1] = after,
            }
            match after {
                NONE => list[1] = before,
                after => self.neighbours[after as usize][0] = before,
            }
        }
    }

    /// Returns the slots of the joints of a body, each with the side on which the body is, in the order of their creation.
    pub(super) fn of(&self, body: u32) -> impl Iterator<Item = (usize, usize)> + '_ {
        let end = |end: u32| (end != NONE).then_some(end as usize);
        let first = self.lists.get(body as usize).and_then(|list| end(list[0]));
        let ends = std::iter::successors(first, move |at| end(self.neighbours[*at][1]));
        ends.map(|at| (at / 2, at % 2))
    }

    /// Returns the slot of the first joint of a body.
    pub(super) fn first(&self, body: u32) -> Option<usize> {
        self.of(body).next().map(|(joint, _)| joint)
    }
}
