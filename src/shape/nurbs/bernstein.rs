//! Polynomials on [0, 1] in Bernstein form, and their rising roots: certified by sign changes, found by safeguarded Newton steps.

/// The most coefficients: a foot polynomial of degree `3 p - 2` with `p = 5` has 14.
pub(super) const MAX_COEFFICIENTS: usize = 14;

/// Least width of a part of [0, 1]: a wider one with several roots is halved [-].
const NARROWEST: f64 = 1e-9;
/// The first place where a root is looked for is so far inside of an end at least [-].
const INNER: f64 = 0.0625;
/// After a Newton step as short as this the error is round-off [-].
const LAST_STEP: f64 = 1e-9;

/// Coefficients in the first places.
pub(super) type Coefficients = [f64; MAX_COEFFICIENTS];

/// Returns the value and the derivative at `t`, by de Casteljau's scheme.
#[inline]
pub(super) fn value_and_slope(coefficients: &[f64], t: f64) -> [f64; 2] {
    let mut level: Coefficients = [0.0; MAX_COEFFICIENTS];
    let count = coefficients.len().min(MAX_COEFFICIENTS);
    level[..count].copy_from_slice(&coefficients[..count]);
    for left in (2..count).rev() {
        for at in 0..left {
            level[at] += t * (level[at + 1] - level[at]);
        }
    }
    let rise = if count > 1 { level[1] - level[0] } else { 0.0 };
    [level[0] + t * rise, rise * (count.max(1) - 1) as f64]
}

/// Returns the two halves, on [0, 1/2] and on [1/2, 1], each on [0, 1].
#[inline]
fn halves(coefficients: &Coefficients, count: usize) -> [Coefficients; 2] {
    let (mut left, mut right) = ([0.0; MAX_COEFFICIENTS], *coefficients);
    for (step, value) in left.iter_mut().enumerate().take(count) {
        *value = right[0];
        for at in 0..count - 1 - step {
            right[at] = 0.5 * (right[at] + right[at + 1]);
        }
    }
    [left, right]
}

/// The signs of coefficients, zeros left out.
#[derive(Debug, PartialEq)]
enum Signs {
    /// All are 0.
    Nothing,
    /// No change from minus to plus: no rising root.
    NoRise,
    /// One change, from minus to plus: exactly one root.
    OneRise,
    /// More changes: unknown.
    Several,
}

#[inline]
fn signs(coefficients: &[f64]) -> Signs {
    let (mut last, mut changes, mut rises) = (0.0, 0, 0);
    for value in coefficients.iter().filter(|value| **value != 0.0) {
        if last * value.signum() < 0.0 {
            changes += 1;
            rises += usize::from(*value > 0.0);
        }
        last = value.signum();
    }
    match (changes, rises) {
        _ if last == 0.0 => Signs::Nothing,
        (_, 0) => Signs::NoRise,
        (1, _) => Signs::OneRise,
        _ => Signs::Several,
    }
}

/// Calls `found` with each place in [0, 1] where the polynomial rises through 0, in rising order.
///
/// Where the polynomial is 0 all along a part, the middle of the part stands for it. Halving adds no sign changes, so that at each level there
/// are no more parts to be halved than coefficients.
#[inline]
pub(super) fn rising_roots(coefficients: &[f64], mut found: impl FnMut(f64)) {
    match signs(coefficients) {
        Signs::NoRise => {}
        Signs::Nothing => found(0.5),
        Signs::OneRise => found(root(coefficients)),
        Signs::Several => several_roots(coefficients, &mut found),
    }
}

/// The same where signs change several times: parts are halved until they do not.
#[cold]
fn several_roots(coefficients: &[f64], found: &mut impl FnMut(f64)) {
    let count = coefficients.len().min(MAX_COEFFICIENTS);
    let mut whole: Coefficients = [0.0; MAX_COEFFICIENTS];
    whole[..count].copy_from_slice(&coefficients[..count]);
    halve((&whole, count), [0.0, 1.0], found);
}

/// Halves a part, which begins at the first number of `range` and has the second one as its width.
fn halve((part, count): (&Coefficients, usize), range: [f64; 2], found: &mut impl FnMut(f64)) {
    let [mut left, mut right] = halves(part, count);
    if left[count - 1] == 0.0 {
        // A root at the cut belongs to the left half.
        (left[count - 1], right[0]) = (f64::MIN_POSITIVE, f64::MIN_POSITIVE);
    }
    let width = 0.5 * range[1];
    for (part, from) in [(left, range[0]), (right, range[0] + width)] {
        match signs(&part[..count]) {
            Signs::NoRise => {}
            Signs::Nothing => found(from + 0.5 * width),
            Signs::OneRise => found(from + width * root(&part[..count])),
            Signs::Several if width >= NARROWEST => halve((&part, count), [from, width], found),
            Signs::Several if part[0] < 0.0 && part[count - 1] > 0.0 => found(from + 0.5 * width),
            Signs::Several => {}
        }
    }
}

/// Returns the only root of a polynomial whose coefficients change sign once, from minus to plus.
fn root(coefficients: &[f64]) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    let (first, last) = (coefficients[0].min(0.0), coefficients[coefficients.len() - 1].max(0.0));
    // Not at an end, where a second root may be so near that values there are round-off.
    let mut t = if last > first { (first / (first - last)).clamp(INNER, 1.0 - INNER) } else { 0.5 };
    for _ in 0..100 {
        let [value, slope] = value_and_slope(coefficients, t);
        if value == 0.0 && slope > 0.0 {
            return t;
        }
        if value < 0.0 {
            low = t;
        } else {
            high = t;
        }
        let newton = t - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let moved = (next - t).abs();
        t = next;
        if moved <= LAST_STEP && next == newton || high - low <= f64::EPSILON {
            break;
        }
    }
    t
}

/// Returns the coefficients of the product of two polynomials, of which the second has two components.
pub(super) fn product<const N: usize>(first: &[f64], second: &[[f64; N]]) -> [[f64; N]; MAX_COEFFICIENTS] {
    let mut sum = [[0.0; N]; MAX_COEFFICIENTS];
    let (m, n) = (first.len() - 1, second.len() - 1);
    for (i, a) in first.iter().enumerate() {
        for (j, b) in second.iter().enumerate() {
            let weight = binomial(m, i) * binomial(n, j) / binomial(m + n, i + j);
            for (sum, b) in sum[i + j].iter_mut().zip(b) {
                *sum += weight * a * b;
            }
        }
    }
    sum
}

/// Returns the number of ways to choose `k` of `n`, exact for the small numbers here.
pub(super) fn binomial(n: usize, k: usize) -> f64 {
    (0..k).fold(1.0, |ways, at| ways * (n - at) as f64 / (at + 1) as f64).round()
}
