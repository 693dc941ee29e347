//! What cells find near a box.

use super::Random;
use crate::math::{Aabb, Vec3};
use crate::query::fields::cells::{Cells, Lattice};

#[test]
fn finds_all_in_ascending_order_and_each_once() {
    let mut random = Random(3);
    let points: Vec<Vec3> = (0..500).map(|_| 3.0 * random.vector()).collect();
    let mut cells = Cells::new(0.7, points.len()).expect("memory");
    for (number, point) in points.iter().enumerate().rev() {
        // Each thing at two places.
        cells.add(point, number as u32).expect("memory");
        cells.add(&(point + Vec3::new(0.1, 0.0, 0.0)), number as u32).expect("memory");
    }
    cells.add_everywhere(500).expect("memory");
    cells.sort();
    let mut found = Vec::new();
    for _ in 0..50 {
        let lower = 3.0 * random.vector();
        let region = Aabb { lower, upper: lower + Vec3::new(1.3, 0.2, 0.9) };
        let is_inside =
            |point: &Vec3| (0..3).all(|axis| region.lower[axis] <= point[axis] && point[axis] <= region.upper[axis]);
        let wanted = |number: u32| points.get(number as usize).is_none_or(is_inside);
        cells.near(&region, wanted, &mut found).expect("memory");
        let mut expected: Vec<u32> = (0..500).filter(|number| is_inside(&points[*number as usize])).collect();
        expected.push(500);
        assert_eq!(found, expected);
    }
}

#[test]
fn numbers_of_cells_rise_with_coordinates() {
    let lattice = Lattice::new(0.25, 1.0);
    let at = |x: f64| lattice.cell(&Vec3::new(x, 0.0, 0.0))[0];
    assert_eq!((at(-0.1), at(0.0), at(0.25), at(7.3)), (-1, 0, 1, 29));
    // What is too far away for cells is in the last one.
    assert_eq!(
        (at(1e300), at(1e16), at(-1e300)),
        (4_000_000_000_000_000, 4_000_000_000_000_000, -4_000_000_000_000_000)
    );
}

#[test]
fn a_box_far_away_has_few_cells() {
    let mut cells = Cells::new(1e-3, 1).expect("memory");
    cells.add(&Vec3::repeat(1e200), 0).expect("memory");
    cells.sort();
    let mut found = Vec::new();
    let region = Aabb { lower: Vec3::repeat(1e100), upper: Vec3::repeat(1e250) };
    cells.near(&region, |_| true, &mut found).expect("memory");
    assert_eq!(found, [0]);
}
