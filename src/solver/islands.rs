//! Islands: the parts of a problem that share no moving body.

use crate::error::{Result, reserve};
use crate::solver::problem::Problem;

/// Counts the islands: groups of moving bodies joined by contacts. A body without a contact is none.
///
/// `parents` is workspace. Union by the smaller index, with path halving.
pub fn count(problem: &Problem, parents: &mut Vec<u32>) -> Result<u32> {
    let bodies = problem.masses.len();
    parents.clear();
    reserve(parents, bodies, "bodies of the islands")?;
    parents.extend(0..bodies as u32);
    let mut touched = 0;
    let mut joins = 0;
    // The top bit of a parent says that the body has a contact; indices stay below it.
    const TOUCHED: u32 = 1 << 31;
    for contact in problem.contacts {
        let mut roots = [None; 2];
        for (root, body) in roots.iter_mut().zip([contact.body_a, contact.body_b]) {
            if problem.moves(body) {
                *root = Some(find(parents, body));
            }
        }
        for root in roots.into_iter().flatten() {
            let entry = &mut parents[root as usize];
            if *entry & TOUCHED == 0 {
                *entry |= TOUCHED;
                touched += 1;
            }
        }
        if let [Some(a), Some(b)] = roots
            && a != b
        {
            parents[a.max(b) as usize] = a.min(b) | TOUCHED;
            joins += 1;
        }
    }
    return Ok(touched - joins);

    fn find(parents: &mut [u32], body: u32) -> u32 {
        let mut at = body;
        loop {
            let parent = parents[at as usize] & !TOUCHED;
            if parent == at {
                return at;
            }
            let above = parents[parent as usize];
            parents[at as usize] = above | TOUCHED;
            at = above & !TOUCHED;
        }
    }
}
