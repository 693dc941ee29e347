//! A host's problem without bodies, read where it lies.

use crate::error::{Error, Result};
use crate::world::external::{LocalProblem, block_count};

use super::guard;
use super::overlap::Region;
use super::problem::dry_local_problem;
use super::structure;

/// The arrays that `problem` shows.
///
/// # Safety
/// Pointers that are not NULL and aligned show as many elements as `problem` says, which nobody changes during the call.
pub(super) unsafe fn local<'a>(problem: &dry_local_problem) -> Result<LocalProblem<'a>> {
    structure::reserved(problem.reserved)?;
    let count = problem.contact_count;
    let dimension = match problem.dimension {
        3 => 3,
        5 => 5,
        other => return Err(Error::argument(format!("dimension is {other}, expected 3 or 5"))),
    };
    if dimension == 3 && !problem.rolling.is_null() {
        return Err(Error::argument("rolling is not NULL while dimension is 3, expected NULL"));
    }
    // each contact has its diagonal block, and blocks are counted in 32 bits
    if count >= u32::MAX as usize {
        return Err(Error::argument(format!("contact_count is {count}, expected less than {}", u32::MAX)));
    }
    let offsets = if count == 0 { 0 } else { count + 1 };
    // SAFETY: this function's own condition.
    unsafe {
        let row_offsets = guard::array(["row_offsets", "contact_count"], problem.row_offsets, offsets)?;
        let blocks = block_count(row_offsets)?;
        let entries = blocks.saturating_mul(dimension * dimension);
        let rolling = if dimension == 3 { 0 } else { count };
        let rolling = guard::array(["rolling", "contact_count"], problem.rolling, rolling)?;
        Ok(LocalProblem {
            dimension,
            row_offsets,
            columns: guard::array(["columns", "row_offsets"], problem.columns, blocks)?,
            blocks: guard::array(["blocks", "row_offsets"], problem.blocks, entries)?,
            q: guard::array(["q", "contact_count"], problem.q, dimension * count)?,
            friction: guard::array(["friction", "contact_count"], problem.friction, count)?,
            rolling: (dimension == 5).then_some(rolling),
        })
    }
}

/// The arrays as inputs that no output may overlap.
pub(super) fn regions(local: &LocalProblem) -> [Region; 6] {
    let rolling = local.rolling.unwrap_or_default();
    [
        Region::array("row_offsets", local.row_offsets.as_ptr(), local.row_offsets.len()),
        Region::array("columns", local.columns.as_ptr(), local.columns.len()),
        Region::array("blocks", local.blocks.as_ptr(), local.blocks.len()),
        Region::array("q", local.q.as_ptr(), local.q.len()),
        Region::array("friction", local.friction.as_ptr(), local.friction.len()),
        Region::array("rolling", rolling.as_ptr(), rolling.len()),
    ]
}
