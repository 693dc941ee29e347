//! Files of data sets, read back bit by bit.

use super::read_back::ReadBack;
use crate::vtk::{Array, Cells, Dataset, Geometry, NumberType};

/// Doubles that lose bits wherever they pass through fewer digits or bits.
const HARD: [f64; 6] = [0.1, -0.0, f64::MIN_POSITIVE / 4.0, f64::MAX, 1.0 / 3.0, -1e-300];

fn written(dataset: &Dataset, time: f64) -> ReadBack {
    let mut bytes = Vec::new();
    dataset.write(time, &mut bytes).expect("memory");
    ReadBack::new(&bytes)
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

#[test]
fn every_bit_comes_back() {
    let mut points = Array::floats("Points", 3, 2).expect("memory");
    points.add(&HARD).expect("memory");
    let mut names = Array::new("name", NumberType::UInt64, 1, 1).expect("memory");
    names.add_integer(u64::MAX - 5).expect("memory");
    let mut values = Array::floats("value", 1, 2).expect("memory");
    values.add(&HARD[..2]).expect("memory");
    let mut lines = Cells::new(1, 2).expect("memory");
    lines.add([1, 0]).expect("memory");
    let none = || Cells::new(0, 0).expect("memory");
    let geometry = Geometry::Poly { points, vertices: none(), lines, polygons: none() };
    let dataset = Dataset { geometry, point_data: vec![values], cell_data: vec![names] };
    assert_eq!(dataset.extension(), "vtp");
    let found = written(&dataset, 0.1 + 0.2);
    assert_eq!(bits(&found.floats("Points/Points", 3)), bits(&HARD));
    assert_eq!(bits(&found.floats("PointData/value", 1)), bits(&HARD[..2]));
    assert_eq!(found.integers("CellData/name"), [u64::MAX - 5]);
    assert_eq!(found.floats("FieldData/TimeValue", 1), [0.1 + 0.2]);
    assert_eq!((found.indices("Lines/connectivity"), found.indices("Lines/offsets")), (vec![1, 0], vec![2]));
    assert!(found.indices("Polys/offsets").is_empty());
    let piece =
        "<Piece NumberOfPoints=\"2\" NumberOfVerts=\"0\" NumberOfLines=\"1\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">";
    assert!(found.tags.iter().any(|tag| tag == piece), "{:?}", found.tags);
}

#[test]
fn cells_end_where_the_next_one_begins() {
    let mut polygons = Cells::new(2, 3).expect("memory");
    polygons.add([0, 1, 2]).expect("memory");
    polygons.add([3, 2, 1, 0]).expect("memory");
    let none = || Cells::new(0, 0).expect("memory");
    let points = Array::floats("Points", 3, 0).expect("memory");
    let geometry = Geometry::Poly { points, vertices: none(), lines: none(), polygons };
    let found = written(&Dataset { geometry, point_data: Vec::new(), cell_data: Vec::new() }, 0.0);
    assert_eq!(found.indices("Polys/connectivity"), [0, 1, 2, 3, 2, 1, 0]);
    assert_eq!(found.indices("Polys/offsets"), [3, 7]);
}

#[test]
fn images_say_where_their_points_are() {
    let geometry = Geometry::Image { counts: [3, 1, 2], origin: [0.1, -2.5, 1e-7], spacing: [0.25, 1.0, 1.0 / 3.0] };
    let dataset = Dataset { geometry, point_data: Vec::new(), cell_data: Vec::new() };
    assert_eq!(dataset.extension(), "vti");
    let found = written(&dataset, 2.0);
    let expected =
        "<ImageData WholeExtent=\"0 2 0 0 0 1\" Origin=\"0.1 -2.5 0.0000001\" Spacing=\"0.25 1 0.3333333333333333\">";
    assert!(found.tags.iter().any(|tag| tag == expected), "{:?}", found.tags);
    assert!(found.tags.iter().any(|tag| tag == "<Piece Extent=\"0 2 0 0 0 1\">"));
}
