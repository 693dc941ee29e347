use std::sync::Arc;

use proptest::prelude::*;

use crate::math::{Aabb, Vec3};
use crate::shape::{Mesh, Shape};

fn mesh(points: &[[f64; 3]], triangles: &[[u32; 3]]) -> Arc<Mesh> {
    match Shape::mesh(points, triangles).unwrap() {
        Shape::Mesh(mesh) => mesh,
        other => panic!("{other:?}"),
    }
}

#[test]
fn points_at_one_place_are_one_place() {
    // Two triangles that share an edge, with points of their own; -0 is 0.
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, -0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]];
    let mesh = mesh(&points, &[[0, 1, 2], [3, 5, 4]]);
    assert_eq!((mesh.places(0), mesh.places(1)), ([0, 1, 2], [1, 5, 2]));
    assert_eq!(mesh.triangles_at(0), [0]);
    assert_eq!(mesh.triangles_at(1), [0, 1]);
    assert_eq!(mesh.triangles_at(2), [0, 1]);
    assert_eq!(mesh.triangles_at(5), [1]);
    assert_eq!(mesh.triangle(1)[1], Vec3::new(1.0, 1.0, 0.0));
}

proptest! {
    /// The hierarchy answers what a look at every triangle's box answers.
    #[test]
    fn triangles_in_a_region(
        points in proptest::collection::vec([-1.0..1.0, -1.0..1.0, -1.0..1.0f64], 3..90),
        middle in [-1.0..1.0, -1.0..1.0, -1.0..1.0f64],
        half in 0.0..0.5f64,
    ) {
        let triangles: Vec<[u32; 3]> = (0..points.len() as u32 - 2).map(|k| [k, k + 1, k + 2]).collect();
        let mesh = mesh(&points, &triangles);
        let reach = Vec3::repeat(half);
        let region = Aabb { lower: Vec3::from(middle) - reach, upper: Vec3::from(middle) + reach };
        let mut found = Vec::new();
        mesh.triangles_in(&region, &mut found).unwrap();
        let meets = |index: &u32| {
            let [a, b, c] = mesh.triangle(*index);
            Aabb { lower: a.inf(&b).inf(&c), upper: a.sup(&b).sup(&c) }.overlaps(&region)
        };
        prop_assert_eq!(found, (0..triangles.len() as u32).filter(meets).collect::<Vec<_>>());
    }
}
