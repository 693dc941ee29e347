//! Lists in groups, one behind the other: where each group starts.

/// Turns counts, each one behind its place, into starts.
pub(in crate::solver) fn accumulate(starts: &mut [u32]) {
    let mut sum = 0;
    for start in starts {
        sum += *start;
        *start = sum;
    }
}

/// Turns starts that advanced to the ends of their groups while these were filled back into starts.
pub(in crate::solver) fn shift_back(starts: &mut [u32]) {
    let mut before = 0;
    for start in starts {
        std::mem::swap(start, &mut before);
    }
}
