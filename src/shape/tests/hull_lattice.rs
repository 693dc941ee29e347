use std::cmp::Ordering;

use crate::math::Vec3;
use crate::shape::hull::Lattice;

fn lattice(points: &[[f64; 3]]) -> Lattice {
    let points: Vec<Vec3> = points.iter().map(|point| Vec3::from(*point)).collect();
    Lattice::new(&points, "points").unwrap()
}

#[test]
fn one_rounding_decides_on_which_side_a_point_is() {
    // The plane x + y + z = 1 of the unit triangle, and points beside it by one unit in the last place, far from its middle.
    let step = f64::EPSILON;
    let points = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [-1.0, -1.0, 3.0],
        [-1.0, -1.0, 3.0 + 2.0 * step],
        [-1.0 - step, -1.0, 3.0],
        [1.5, 1.5 - 2.0 * step, -2.0 + 2.0 * step],
    ];
    let lattice = lattice(&points);
    let plane = lattice.plane([0, 1, 2]);
    let sides: Vec<Ordering> = (0..7).map(|point| lattice.side(&plane, point)).collect();
    let (below, inside, above) = (Ordering::Less, Ordering::Equal, Ordering::Greater);
    assert_eq!(sides, [inside, inside, inside, inside, above, below, inside]);
    // Seen from the other side.
    assert_eq!(lattice.side(&lattice.plane([0, 2, 1]), 4), below);
}

#[test]
fn far_and_thin_clouds_lose_no_digits() {
    // Neighbouring numbers about 2^40 along x, whole numbers along y, and a thickness of 1e-40.
    let far = (1u64 << 40) as f64;
    let step = far * f64::EPSILON;
    let points =
        [[far, 0.0, 0.0], [far + step, 0.0, 0.0], [far, 7.0, 0.0], [far, 0.0, 1e-40], [far + step, 7.0, 1e-40]];
    let lattice = lattice(&points);
    let plane = lattice.plane([0, 1, 2]);
    assert_eq!(lattice.side(&plane, 3), Ordering::Greater);
    // The plane through three corners of a box, and the opposite one.
    assert_eq!(lattice.side(&lattice.plane([1, 2, 3]), 0), Ordering::Less);
    assert_eq!(lattice.side(&lattice.plane([1, 2, 3]), 4), Ordering::Greater);
    let volume = lattice.volume([1, 2, 3], lattice.middle(&[0])).value() * lattice.units().product();
    assert!((volume / (step * 7.0 * 1e-40) - 1.0).abs() < 1e-15, "{volume:e}");
}

#[test]
fn sums_of_volumes_are_exact() {
    // 64 thirds of units of a lattice of seven units: the sum of a volume and its negative is 0 where doubles have round-off.
    let lattice = lattice(&[[0.0; 3], [7.0, 1.0 / 3.0, 0.1], [0.2, 7.0, 0.3], [0.7, 0.6, 7.0]]);
    let apex = lattice.middle(&[0]);
    let [there, back] = [[1, 2, 3], [1, 3, 2]].map(|corners| lattice.volume(corners, apex));
    let large = (0..64).fold(there, |sum, _| sum.plus(there));
    let small = (0..65).fold(large, |sum, _| sum.plus(back));
    assert_eq!(small.value(), 0.0);
    assert!((large.value() / (65.0 * there.value()) - 1.0).abs() <= f64::EPSILON);
    assert_eq!(there.value(), -back.value());
    assert!(there.value() > 0.0);
}

#[test]
fn cells_count_along_a_curve() {
    let corners: Vec<[f64; 3]> = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2 & 1].map(f64::from)).collect();
    let lattice = lattice(&corners);
    // The cells have a half of the extent, of 512 to 1024 each: the corners are in eight blocks of 512 cells along each axis.
    let cells: Vec<u32> = (0..8).map(|corner| lattice.cell(corner)).collect();
    assert!(cells.is_sorted() && cells[0] == 0 && cells[7] >= 7 << 27, "{cells:?}");
}

#[test]
fn areas_of_needles_have_a_direction() {
    // A triangle 1 long and 1e-15 high, across z.
    let lattice = lattice(&[[0.0; 3], [1.0, 0.0, 0.0], [0.5, 1e-15, 0.0], [0.0, 1.0, 1.0]]);
    let area = lattice.area([0, 1, 2]);
    assert!(area.x == 0.0 && area.y == 0.0 && area.z > 0.0);
    let whole = lattice.area([0, 1, 3]);
    assert!((area.z / whole.norm() / (1e-15 / 2f64.sqrt()) - 1.0).abs() < 1e-3);
}
