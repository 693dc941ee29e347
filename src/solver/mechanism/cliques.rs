//! A minimum degree order of joints, by the cliques that eliminated bodies and joints leave behind.

use crate::error::{Result, push, refill, reserve, resize};

/// The joints left of a graph whose edges are those of cliques; keeps its workspace. An eliminated joint merges its cliques into one.
#[derive(Debug, Default)]
pub(in crate::solver) struct Cliques {
    /// The cliques of each joint, and the joints of each clique.
    of: Vec<Vec<u32>>,
    members: Vec<Vec<u32>>,
    /// The body whose clique each of the first ones is.
    bodies: Vec<u32>,
    used: usize,
    /// How many neighbours each joint has, or [`ELIMINATED`].
    degrees: Vec<u32>,
    /// Scratch buffers: the joint that saw each other joint last, and neighbours.
    seen: Vec<u32>,
    joined: Vec<u32>,
}

/// The degree of a joint that is not in the graph, or not any more.
const ELIMINATED: u32 = u32::MAX;

impl Cliques {
    /// Begins with so many joints, all of them outside the graph.
    pub(in crate::solver) fn begin(&mut self, joints: usize) -> Result<()> {
        self.of.iter_mut().chain(&mut self.members).for_each(Vec::clear);
        let length = joints.max(self.of.len());
        resize(&mut self.of, length, Vec::new(), "joints of a mechanism")?;
        refill(&mut self.degrees, joints, ELIMINATED, "joints of a mechanism")?;
        refill(&mut self.seen, joints, ELIMINATED, "joints of a mechanism")?;
        self.bodies.clear();
        self.used = 0;
        Ok(())
    }

    /// Takes a joint into the graph and into the clique of a body. All joints of a body follow each other.
    pub(in crate::solver) fn join(&mut self, joint: u32, body: u32) -> Result<()> {
        if self.bodies.last() != Some(&body) {
            push(&mut self.bodies, body, "bodies of a mechanism")?;
            self.open()?;
        }
        let clique = self.used - 1;
        push(&mut self.members[clique], joint, "blocks of a factor")?;
        push(&mut self.of[joint as usize], clique as u32, "blocks of a factor")
    }

    /// Counts the neighbours of all joints.
    pub(in crate::solver) fn count(&mut self) -> Result<()> {
        for joint in 0..self.degrees.len() {
            if !self.of[joint].is_empty() {
                self.find_neighbours(joint)?;
                self.degrees[joint] = self.joined.len() as u32;
            }
        }
        Ok(())
    }

    /// Returns the joint with the fewest neighbours, the lowest one of several.
    pub(in crate::solver) fn with_fewest_neighbours(&self) -> Option<usize> {
        let fewest = self.degrees.iter().min().filter(|degree| **degree != ELIMINATED)?;
        self.degrees.iter().position(|degree| degree == fewest)
    }

    /// Takes a joint out, and returns its neighbours, which are a clique then.
    pub(in crate::solver) fn eliminate(&mut self, joint: usize) -> Result<impl Iterator<Item = u32> + use<'_>> {
        self.find_neighbours(joint)?;
        self.degrees[joint] = ELIMINATED;
        self.open()?;
        let clique = self.used - 1;
        let own = std::mem::take(&mut self.of[joint]);
        for old in &own {
            self.members[*old as usize].clear();
        }
        for at in 0..self.joined.len() {
            let other = self.joined[at] as usize;
            push(&mut self.members[clique], other as u32, "blocks of a factor")?;
            let theirs = &mut self.of[other];
            theirs.retain(|old| !own.contains(old));
            push(theirs, clique as u32, "blocks of a factor")?;
        }
        self.of[joint] = own;
        for at in 0..self.members[clique].len() {
            let other = self.members[clique][at] as usize;
            self.find_neighbours(other)?;
            self.degrees[other] = self.joined.len() as u32;
        }
        Ok(self.members[clique].iter().copied())
    }

    /// Appends an empty clique.
    fn open(&mut self) -> Result<()> {
        self.used += 1;
        let length = self.used.max(self.members.len());
        resize(&mut self.members, length, Vec::new(), "blocks of a factor")
    }

    /// Finds the joints that share a clique with a joint.
    fn find_neighbours(&mut self, joint: usize) -> Result<()> {
        let Self { of, members, seen, joined, .. } = self;
        joined.clear();
        for clique in &of[joint] {
            let members = &members[*clique as usize];
            reserve(joined, members.len(), "blocks of a factor")?;
            for other in members {
                if *other as usize != joint && seen[*other as usize] != joint as u32 {
                    seen[*other as usize] = joint as u32;
                    joined.push(*other);
                }
            }
        }
        for other in &*joined {
            seen[*other as usize] = ELIMINATED;
        }
        Ok(())
    }
}
