//! Whether a small symmetric matrix is positive semidefinite, but for round-off.

/// The largest matrix that [`is_semidefinite`] looks at.
const MOST_ROWS: usize = 6;

/// Whether no eigenvalue of a symmetric matrix is below `-slack` times its largest entry.
///
/// `entries` are `size` rows, one after the other; of at most 6 rows. Only the lower triangle is read. By a Cholesky
/// factorisation of the matrix with `slack` added to its diagonal.
pub fn is_semidefinite(entries: &[f64], size: usize, slack: f64) -> bool {
    let largest = entries.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
    if largest == 0.0 {
        return true;
    }
    let mut factor = [[0.0; MOST_ROWS]; MOST_ROWS];
    for (row, numbers) in entries.chunks_exact(size).enumerate().take(size.min(MOST_ROWS)) {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
            let rest = numbers[column] / largest - known;
            if column < row {
                factor[row][column] = rest / factor[column][column];
            } else if rest + slack > 0.0 {
                factor[row][row] = (rest + slack).sqrt();
            } else {
                return false;
            }
        }
    }
    true
}
