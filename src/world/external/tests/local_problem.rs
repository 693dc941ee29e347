//! A host's blocks, in whatever order, become sorted scalar rows.

use crate::solver::Friction;
use crate::solver::operator::reduced::{Law, Reduced};
use crate::solver::problem::cone::Cone;
use crate::world::external::block_count;
use crate::world::external::local_problem::LocalProblem;

/// Two contacts of dimension 5 that see each other, the columns of the second the other way round.
fn problem(blocks: &[f64]) -> LocalProblem<'_> {
    LocalProblem {
        dimension: 5,
        row_offsets: &[0, 2, 4],
        columns: &[0, 1, 1, 0],
        blocks,
        q: &[0.0; 10],
        friction: &[0.5, 0.25],
        rolling: Some(&[0.125, 2.0]),
    }
}

/// Diagonal blocks with 4 for translations and 16 for rotations; beside them a block with one number, and its mirror.
fn blocks() -> Vec<f64> {
    let mut blocks = vec![0.0; 100];
    for (block, row) in [(0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)] {
        blocks[25 * block + 6 * row] = 4.0;
    }
    for (block, row) in [(0, 3), (2, 3), (0, 4), (2, 4)] {
        blocks[25 * block + 6 * row] = 16.0;
    }
    // row 1 of contact 0, column 3 of contact 1
    blocks[25 + 5 + 3] = 0.5;
    blocks[75 + 15 + 1] = 0.5;
    blocks
}

#[test]
fn blocks_become_rows() {
    let (blocks, mut sorted, mut reduced) = (blocks(), Vec::new(), Reduced::default());
    let problem = problem(&blocks);
    problem.check(&mut sorted).expect("a good problem");
    problem.reduce(&sorted, Friction::Coulomb, &mut reduced).expect("memory");
    assert_eq!((reduced.size(), reduced.matrix.size()), (10, 10));
    for row in 0..10 {
        let (columns, _) = reduced.matrix.row(row);
        assert!(columns.iter().copied().eq(0..10), "row {row}: {columns:?}");
        assert_eq!(reduced.matrix.entry(row, row), if row % 5 < 3 { 4.0 } else { 16.0 });
    }
    assert_eq!((reduced.matrix.entry(1, 8), reduced.matrix.entry(8, 1)), (0.5, 0.5));
    let block = &reduced.blocks[1];
    let cone = Cone { friction: 0.25, rolling: 2.0, twisting: 0.0, dilation: 0.0 };
    assert_eq!(block.law, Law::Contact { cone, dimension: 5 });
    // a third of 4 + 4 + 4, and sqrt(((4 + 4) / 2) / ((16 + 16) / 2))
    assert_eq!((block.first, block.scale, block.length), (5, 4.0, 0.5));
}

#[test]
fn offsets_rise() {
    assert_eq!(block_count(&[0, 2, 4]).expect("rising"), 4);
    assert_eq!(block_count(&[]).expect("no contacts"), 0);
    for bad in [&[1, 2][..], &[0, 0], &[0, 3, 2]] {
        assert!(block_count(bad).is_err(), "{bad:?}");
    }
}
