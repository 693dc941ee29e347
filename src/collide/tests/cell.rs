//! Cells in rows: each cell of a box once, with the bucket and the key that it has alone.

use crate::collide::cell::{cell_hash, each_row, key, unpacked};

/// The cells of the rows in their order, with their hashes.
fn cells(first: [u32; 3], range: [[u32; 3]; 2]) -> Vec<(u64, u32)> {
    let mut cells = Vec::new();
    let visited = each_row::<()>(first, range, |row| {
        assert!(
            row.has(row.first) && !row.has(row.first.wrapping_sub(1)) && !row.has(row.first + u64::from(row.count))
        );
        cells.extend((0..row.count).map(|at| (row.first + u64::from(at), row.hash.wrapping_add(at))));
        Ok(())
    });
    assert_eq!(visited, Ok(()));
    cells
}

#[test]
fn a_row_has_the_keys_and_the_hashes_of_its_cells() {
    // Along z over two ends of a region of 16, along x and y over one.
    let range = [[14, 31, 1_048_570], [17, 33, 1_048_600]];
    let found = cells(range[0], range);
    assert_eq!(found.len(), 4 * 3 * 31);
    assert!(found.is_sorted_by_key(|(key, _)| *key), "in order");
    for (number, hash) in found {
        let cell = unpacked(number);
        assert!((0..3).all(|axis| (range[0][axis]..=range[1][axis]).contains(&cell[axis])), "{cell:?}");
        assert_eq!((key(cell), cell_hash(cell)), (number, hash));
    }
}

#[test]
fn rows_begin_at_the_first_cell() {
    let range = [[5, 5, 10], [6, 7, 20]];
    let (all, later) = (cells(range[0], range), cells([5, 6, 17], range));
    let from = all.iter().position(|(number, _)| *number == key([5, 6, 17])).expect("a cell of the box");
    assert_eq!(later[..], all[from..]);
}

#[test]
fn the_last_cells_of_all_are_a_row() {
    let last = (1 << 21) - 1;
    let range = [[last; 3], [last; 3]];
    assert_eq!(cells(range[0], range), [(key([last; 3]), cell_hash([last; 3]))]);
}
