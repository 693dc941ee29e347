//! The order in which the bodies and joints of a mechanism are eliminated, and the pattern of the factor that follows from it.
//!
//! A node is a body or a joint: all rows between one pair of bodies. Bodies come first in the numbers of nodes. Three stages:
//!
//! 1. Trees without an anchor, from the leaves on: a body with one joint left, then this joint. Nothing fills, and a joint
//!    is eliminated against the whole inertia behind it, as in the articulated body algorithm.
//! 2. The other bodies, ascending. Each joins its joints.
//! 3. The joints left, by minimum degree.
//!
//! Only in stage 1 does a joint come before its bodies. Elsewhere its pivot would be as small as the shift wherever
//! what is behind it cannot move freely, and the factor would lose ten digits.

use std::ops::Range;

use crate::error::{Result, empty, push, refill};
use crate::solver::mechanism::cliques::Cliques;
use crate::solver::operator::blocks::IMMOVABLE;

/// An order of elimination; keeps its workspace.
#[derive(Debug, Default)]
pub(in crate::solver) struct Order {
    /// The node at each place.
    nodes: Vec<u32>,
    /// The nodes of the rows below the diagonal of each place, in the order of their places; and where those of each place start.
    rows: Vec<u32>,
    starts: Vec<u32>,
    /// Of each body, whether a joint comes before it, so that its own block is full.
    is_full: Vec<bool>,
    /// Scratch buffers. `joint_starts` and `joints_of` list the joints of each body. `degrees` counts those left of
    /// each body, `places` has the place of each node, and `leaves` the bodies with one joint left. `cliques` has the
    /// joints of stage 3.
    joint_starts: Vec<u32>,
    joints_of: Vec<u32>,
    degrees: Vec<u32>,
    places: Vec<u32>,
    leaves: Vec<u32>,
    cliques: Cliques,
}

/// The place of a node that was not eliminated yet.
const LEFT: u32 = u32::MAX;

impl Order {
    /// Orders `bodies` bodies and these joints, each with the numbers of its two bodies or [`IMMOVABLE`].
    pub(in crate::solver) fn find(&mut self, bodies: usize, joints: &[[u32; 2]]) -> Result<()> {
        self.begin(bodies, joints)?;
        self.strip_trees(bodies, joints)?;
        for body in 0..bodies {
            if self.places[body] == LEFT {
                self.take(body as u32);
                self.push_joints(bodies, body)?;
                self.end()?;
            }
        }
        self.take_joints(bodies, joints.len())?;
        let Self { rows, starts, places, .. } = self;
        for window in starts.windows(2) {
            rows[window[0] as usize..window[1] as usize].sort_unstable_by_key(|node| places[*node as usize]);
        }
        Ok(())
    }

    /// Returns the nodes in the order in which they are eliminated.
    pub(in crate::solver) fn nodes(&self) -> &[u32] {
        &self.nodes
    }

    /// Returns the nodes of the rows below the diagonal of a place, in the order of their places.
    pub(in crate::solver) fn rows(&self, place: usize) -> &[u32] {
        &self.rows[self.starts[place] as usize..self.starts[place + 1] as usize]
    }

    /// Returns whether the own block of a node has off-diagonal entries.
    pub(in crate::solver) fn is_full(&self, node: usize) -> bool {
        self.is_full.get(node).copied().unwrap_or(true)
    }

    /// Lists the joints of each body.
    fn begin(&mut self, bodies: usize, joints: &[[u32; 2]]) -> Result<()> {
        let count = bodies + joints.len();
        let Self { nodes, rows, starts, is_full, joint_starts, joints_of, degrees, places, leaves, .. } = self;
        empty(nodes, count, "parts of a mechanism")?;
        empty(starts, count + 1, "parts of a mechanism")?;
        starts.push(0);
        rows.clear();
        refill(is_full, bodies, false, "bodies of a mechanism")?;
        refill(places, count, LEFT, "parts of a mechanism")?;
        empty(leaves, bodies, "bodies of a mechanism")?;
        refill(degrees, bodies, 0, "bodies of a mechanism")?;
        joints.iter().for_each(|joint| moving(joint).for_each(|body| degrees[body] += 1));
        empty(joint_starts, bodies + 1, "bodies of a mechanism")?;
        joint_starts.push(0);
        let mut total = 0;
        for degree in degrees.iter_mut() {
            // The degrees become the places to fill, and are degrees again at the end.
            let start = total;
            total += *degree;
            *degree = start;
            joint_starts.push(total);
        }
        refill(joints_of, total as usize, 0, "parts of a mechanism")?;
        for (joint, pair) in (0..).zip(joints) {
            for body in moving(pair) {
                joints_of[degrees[body] as usize] = joint;
                degrees[body] += 1;
            }
        }
        degrees.iter_mut().zip(&*joint_starts).for_each(|(degree, start)| *degree -= start);
        Ok(())
    }

    /// Stage 1.
    fn strip_trees(&mut self, bodies: usize, joints: &[[u32; 2]]) -> Result<()> {
        self.leaves.extend((0..bodies as u32).filter(|body| self.degrees[*body as usize] == 1));
        let mut next = 0;
        while let Some(leaf) = self.leaves.get(next).map(|leaf| *leaf as usize) {
            next += 1;
            let mut left = self.joints(leaf).map(|at| self.joints_of[at] as usize);
            let Some(joint) = left.find(|joint| self.places[bodies + joint] == LEFT) else { continue };
            // Of the last two bodies one is the root. Joints to the world stay: what is behind them is anchored.
            let Some(other) = moving(&joints[joint]).find(|body| *body != leaf) else { continue };
            self.take(leaf as u32);
            push(&mut self.rows, (bodies + joint) as u32, "parts of a mechanism")?;
            self.end()?;
            self.take((bodies + joint) as u32);
            push(&mut self.rows, other as u32, "parts of a mechanism")?;
            self.end()?;
            self.is_full[other] = true;
            self.degrees[other] -= 1;
            if self.degrees[other] == 1 {
                self.leaves.push(other as u32);
            }
        }
        Ok(())
    }

    /// Stage 3.
    fn take_joints(&mut self, bodies: usize, joints: usize) -> Result<()> {
        let mut cliques = std::mem::take(&mut self.cliques);
        let found = self.take_joints_of(&mut cliques, bodies, joints);
        self.cliques = cliques;
        found
    }

    fn take_joints_of(&mut self, cliques: &mut Cliques, bodies: usize, joints: usize) -> Result<()> {
        cliques.begin(joints)?;
        for body in 0..bodies {
            for at in self.joints(body) {
                let joint = self.joints_of[at];
                if self.places[bodies + joint as usize] == LEFT {
                    cliques.join(joint, body as u32)?;
                }
            }
        }
        cliques.count()?;
        while let Some(joint) = cliques.with_fewest_neighbours() {
            self.take((bodies + joint) as u32);
            for other in cliques.eliminate(joint)? {
                push(&mut self.rows, bodies as u32 + other, "blocks of a factor")?;
            }
            self.end()?;
        }
        Ok(())
    }

    /// Appends the joints left of a body to the rows.
    fn push_joints(&mut self, bodies: usize, body: usize) -> Result<()> {
        for at in self.joints(body) {
            let node = bodies as u32 + self.joints_of[at];
            if self.places[node as usize] == LEFT {
                push(&mut self.rows, node, "blocks of a factor")?;
            }
        }
        Ok(())
    }

    /// Returns where the joints of a body stand in their list.
    fn joints(&self, body: usize) -> Range<usize> {
        self.joint_starts[body] as usize..self.joint_starts[body + 1] as usize
    }

    /// Gives a node the next place.
    fn take(&mut self, node: u32) {
        self.places[node as usize] = self.nodes.len() as u32;
        self.nodes.push(node);
    }

    /// Ends the rows of a place.
    fn end(&mut self) -> Result<()> {
        push(&mut self.starts, self.rows.len() as u32, "parts of a mechanism")
    }
}

/// Returns the bodies of a joint that move, each one once.
fn moving(joint: &[u32; 2]) -> impl Iterator<Item = usize> + use<> {
    let [a, b] = *joint;
    let second = (b != IMMOVABLE && b != a).then_some(b as usize);
    (a != IMMOVABLE).then_some(a as usize).into_iter().chain(second)
}
