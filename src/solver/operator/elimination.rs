//! The order in which the bodies of an island are eliminated, and the pattern of the factor that follows from it.

use std::ops::Range;

use crate::error::{Result, empty, push, refill, reserve, resize};
use crate::solver::operator::blocks::Graph;

/// A minimum degree order: of the bodies left the one with the fewest neighbours goes next, the lowest number first. Its
/// neighbours become neighbours of each other, which is where the factor has its blocks.
#[derive(Debug, Default)]
pub(in crate::solver) struct Elimination {
    /// The body at each place of the order, and the place of each body.
    bodies: Vec<u32>,
    places: Vec<u32>,
    /// The places of the rows of each column of the factor below its diagonal, rising, and where each column starts.
    rows: Vec<u32>,
    starts: Vec<u32>,
    longest: usize,
    products: u64,
    /// Scratch buffers: the neighbours left of each body, rising; how many there are, or [`ELIMINATED`]; a merged list.
    left: Vec<Vec<u32>>,
    degrees: Vec<u32>,
    merged: Vec<u32>,
}

/// The degree of a body that was eliminated.
const ELIMINATED: u32 = u32::MAX;

impl Elimination {
    /// Orders the bodies of a graph. Gives up where a factor would take more than `limit` products of blocks.
    pub(in crate::solver) fn order(&mut self, graph: &Graph, limit: u64) -> Result<()> {
        let count = graph.bodies();
        self.begin(graph)?;
        while self.bodies.len() < count && self.products <= limit {
            let fewest = self.degrees.iter().min().copied().unwrap_or(ELIMINATED);
            let Some(body) = self.degrees.iter().position(|degree| *degree == fewest) else { break };
            self.eliminate(body)?;
        }
        if self.is_complete() {
            // Until here the rows are bodies.
            for column in 0..count {
                let rows = &mut self.rows[self.starts[column] as usize..self.starts[column + 1] as usize];
                rows.iter_mut().for_each(|row| *row = self.places[*row as usize]);
                rows.sort_unstable();
            }
        }
        Ok(())
    }

    fn begin(&mut self, graph: &Graph) -> Result<()> {
        let count = graph.bodies();
        let Self { bodies, places, rows, starts, left, degrees, .. } = self;
        (self.longest, self.products) = (0, 0);
        empty(bodies, count, "bodies of an island")?;
        refill(places, count, 0, "bodies of an island")?;
        rows.clear();
        empty(starts, count + 1, "bodies of an island")?;
        starts.push(0);
        resize(left, left.len().max(count), Vec::new(), "bodies of an island")?;
        left.iter_mut().for_each(Vec::clear);
        for low in 0..count {
            // A body's lower neighbours come before its higher ones.
            for high in graph.of(low) {
                push(&mut left[*high as usize], low as u32, "pairs of an island")?;
            }
        }
        for (low, left) in left.iter_mut().take(count).enumerate() {
            reserve(left, graph.of(low).len(), "pairs of an island")?;
            left.extend(graph.of(low));
        }
        empty(degrees, count, "bodies of an island")?;
        degrees.extend(left.iter().take(count).map(|left| left.len() as u32));
        Ok(())
    }

    /// Takes a body out, and joins its neighbours.
    fn eliminate(&mut self, body: usize) -> Result<()> {
        let Self { bodies, places, rows, starts, left, degrees, merged, .. } = self;
        let own = std::mem::take(&mut left[body]);
        places[body] = bodies.len() as u32;
        bodies.push(body as u32);
        degrees[body] = ELIMINATED;
        reserve(rows, own.len(), "blocks of a factor")?;
        rows.extend(&own);
        starts.push(rows.len() as u32);
        for other in &own {
            let theirs = &mut left[*other as usize];
            merge(theirs, &own, merged)?;
            merged.retain(|third| third != other && *third != body as u32);
            std::mem::swap(theirs, merged);
            degrees[*other as usize] = theirs.len() as u32;
        }
        let count = own.len();
        self.longest = self.longest.max(count);
        self.products += (count * (count + 3) / 2) as u64;
        left[body] = own;
        left[body].clear();
        Ok(())
    }

    /// Whether every body has its place.
    pub(in crate::solver) fn is_complete(&self) -> bool {
        self.bodies.len() == self.places.len()
    }

    /// How many products of blocks a factor takes, as far as bodies were eliminated.
    pub(in crate::solver) fn products(&self) -> u64 {
        self.products
    }

    /// The bodies in the order in which they are eliminated.
    pub(in crate::solver) fn bodies(&self) -> &[u32] {
        &self.bodies
    }

    /// The place of a body in that order.
    pub(in crate::solver) fn place(&self, body: usize) -> usize {
        self.places[body] as usize
    }

    /// How many blocks the factor has below its diagonal, and how many its longest column has.
    pub(in crate::solver) fn blocks(&self) -> usize {
        self.rows.len()
    }

    pub(in crate::solver) fn longest(&self) -> usize {
        self.longest
    }

    /// Where the blocks of a column stand.
    #[inline(always)]
    pub(in crate::solver) fn columns(&self, column: usize) -> Range<usize> {
        self.starts[column] as usize..self.starts[column + 1] as usize
    }

    /// Their rows, rising.
    #[inline(always)]
    pub(in crate::solver) fn rows(&self, column: usize) -> &[u32] {
        &self.rows[self.columns(column)]
    }

    /// Where the block of a row and a column stands.
    pub(in crate::solver) fn find(&self, column: usize, row: usize) -> usize {
        self.columns(column).start + self.rows(column).partition_point(|other| (*other as usize) < row)
    }
}

/// Writes the union of two rising lists, rising.
fn merge(a: &[u32], b: &[u32], merged: &mut Vec<u32>) -> Result<()> {
    empty(merged, a.len() + b.len(), "pairs of an island")?;
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(from_a), Some(from_b)) = (a.peek(), b.peek()) {
        let lowest = **from_a.min(from_b);
        a.next_if(|value| **value == lowest);
        b.next_if(|value| **value == lowest);
        merged.push(lowest);
    }
    merged.extend(a);
    merged.extend(b);
    Ok(())
}
