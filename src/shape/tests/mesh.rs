use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use crate::math::{Aabb, Quat, Vec3};
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

/// Tiles whose corners were computed in two ways. The last one is so small that its corners would be one place.
#[test]
fn points_that_differ_by_round_off_are_one_place() {
    let (x, y) = (0.1 + 0.2, 1.0 / 3.0);
    let points =
        [[0.0; 3], [x, 1e-14, 0.0], [0.0, y, -1e-14], [0.3, 0.0, 0.0], [1e-14, 1.0 - 2.0 * y, 0.0], [3.0, 1.0, 0.0]];
    let triangles = [[0, 1, 2], [3, 5, 4]];
    let tiles = mesh(&points, &triangles);
    assert_eq!((tiles.places(0), tiles.places(1)), ([0, 1, 2], [1, 5, 2]));
    assert_eq!(tiles.triangle(1)[0], tiles.triangle(0)[1]);

    // A micrometre in a thousand kilometres is no round-off.
    let tiny = [[0.0; 3], [1e-6, 0.0, 0.0], [0.0, 1e-6, 0.0], [1e6, 1.0, 0.0], [1e6, 0.0, 1.0], [-1e6, 0.0, 0.0]];
    let apart = mesh(&tiny, &[[3, 4, 5], [0, 1, 2]]);
    assert_eq!((apart.places(0), apart.places(1)), ([3, 4, 5], [0, 1, 2]));
    // A picometre is, but a triangle keeps its corners.
    let smaller: Vec<[f64; 3]> =
        tiny.iter().map(|point| point.map(|x| if x.abs() < 1e-3 { 1e-3 * x } else { x })).collect();
    let apart = mesh(&smaller, &[[3, 4, 5], [0, 1, 2]]);
    assert_eq!((apart.places(0), apart.places(1)), ([3, 4, 5], [0, 1, 2]));
}

/// A large triangle with two smaller ones on each side, which share no edge with it.
#[test]
fn triangles_are_divided_at_corners_on_their_edges() {
    let points = [
        [0.0; 3],
        [3.0, 0.0, 0.0],
        [0.0, 3.0, 0.0],
        // On the sides, and beyond them.
        [1.1, 0.0, 0.0],
        [2.0, 1.0, 0.0],
        [0.0, 0.7, 0.0],
        [1.0, -1.0, 0.0],
        [2.0, -1.0, 0.5],
        [3.0, 2.0, 0.1],
        [-1.0, 1.0, 0.0],
    ];
    let large = [0, 1, 2];
    let small = [[0, 3, 6], [3, 1, 7], [1, 4, 8], [4, 2, 8], [2, 5, 9], [5, 0, 9]];
    for large in [large, [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 2, 1]] {
        let triangles: Vec<[u32; 3]> = [large].into_iter().chain(small).collect();
        let divided = mesh(&points, &triangles).triangles.clone();
        // One on each of three sides: four parts. The others stay as they are, but may be turned over.
        let unordered = |triangles: &[[u32; 3]]| {
            triangles.iter().map(|corners| std::collections::BTreeSet::from(*corners)).collect::<Vec<_>>()
        };
        assert_eq!(unordered(&divided[4..]), unordered(&small), "{divided:?}");
        let normal = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|at| Vec3::from(points[at as usize]));
            (b - a).cross(&(c - a))
        };
        let whole = normal(large);
        let parts: Vec<f64> =
            divided[..4].iter().map(|part| normal(*part).dot(&whole) / whole.norm_squared()).collect();
        assert!(parts.iter().all(|part| *part > 0.0) && (parts.iter().sum::<f64>() - 1.0).abs() < 1e-15, "{parts:?}");
        let shares =
            |[one, other]: [u32; 2]| divided[..4].iter().any(|part| part.contains(&one) && part.contains(&other));
        for pair in [[0, 3], [3, 1], [1, 4], [4, 2], [2, 5], [5, 0]] {
            assert!(shares(pair), "{pair:?} {divided:?}");
        }
    }
}

/// The sides of a cube, of which some are turned over.
#[test]
fn neighbours_have_the_same_side_in_front() {
    let points: Vec<[f64; 3]> = (0..8u32).map(|at| [0, 1, 2].map(|axis| f64::from(at >> axis & 1))).collect();
    let cube = [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3]];
    let cube = [&cube[..], &[[0, 4, 6], [0, 6, 2], [1, 3, 7], [1, 7, 5]]].concat();
    for turned in [0b0, 0b1, 0b1010_1010_1010, 0b110_0110_0111, 0b1000_0000_0000] {
        let triangles: Vec<[u32; 3]> = (0..)
            .zip(&cube)
            .map(|(at, [a, b, c])| if turned >> at & 1 == 1 { [*a, *c, *b] } else { [*a, *b, *c] })
            .collect();
        let made = mesh(&points, &triangles);
        assert_eq!(made.triangles[0], triangles[0], "the first one stays");
        let outward = |[a, b, c]: [u32; 3]| {
            let [a, b, c] = [a, b, c].map(|at| Vec3::from(points[at as usize]) - Vec3::repeat(0.5));
            (b - a).cross(&(c - a)).dot(&(a + b + c)).signum()
        };
        let sides: Vec<f64> = made.triangles.iter().map(|triangle| outward(*triangle)).collect();
        assert!(sides.iter().all(|side| *side == sides[0]), "{turned:b}: {sides:?}");
    }
}

/// A strip of one side, and three triangles at one edge: there is no order of corners that fits all.
#[test]
fn surfaces_without_two_sides_are_meshes_too() {
    let strip = |at: u32| {
        let angle = f64::from(at / 2) * std::f64::consts::TAU / 10.0;
        let half = if at.is_multiple_of(2) { 0.3 } else { -0.3 };
        let radius = 1.0 + half * (0.5 * angle).cos();
        [radius * angle.cos(), radius * angle.sin(), half * (0.5 * angle).sin()]
    };
    let points: Vec<[f64; 3]> = (0..20).map(strip).collect();
    // The strip is turned by a half circle where its ends meet.
    let triangles: Vec<[u32; 3]> = (0..18).map(|at| [at, at + 1, at + 2]).chain([[18, 19, 1], [19, 1, 0]]).collect();
    assert_eq!(mesh(&points, &triangles).triangles.len(), 20);
    let fan = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
    let triangles = [[0, 1, 2], [0, 1, 3], [0, 1, 4]];
    assert_eq!(mesh(&fan, &triangles).triangles, triangles);
}

#[test]
fn corners_beside_an_edge_or_at_its_ends_divide_nothing() {
    let points = [
        [0.0; 3],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.5, -1e-6, 0.0],
        [0.4, -1.0, 0.0],
        [0.6, -1.0, 0.0],
        [1.0, -1.0, 0.0],
    ];
    for triangles in [[[0, 1, 2], [3, 4, 5]], [[0, 1, 2], [1, 0, 4]], [[0, 1, 2], [1, 4, 6]], [[0, 1, 2], [0, 3, 4]]] {
        assert_eq!(mesh(&points, &triangles).triangles, triangles);
    }
}

/// As many edges on one line, each of which has the ends of the shorter ones inside of it: the pairs grow with the square of their number.
/// Only edges with few corners are divided. Beside them is a smaller triangle with a corner on its edge, which is divided as if it were alone.
#[test]
fn of_many_edges_on_each_other_those_with_few_corners_are_divided() {
    let count = 3000u32;
    let edge = |at: u32| {
        let size = f64::from(at + 1);
        let (sine, cosine) = (1e-3 * size).sin_cos();
        [[-size, 0.0, 0.0], [size, 0.0, 0.0], [0.0, size * cosine, size * sine]]
    };
    let small =
        [[-9.0, 0.0], [9.0, 0.0], [0.0, 9.0], [0.0, 0.0], [9.0, -9.0], [-9.0, -9.0]].map(|[x, y]| [x, y, -99.0]);
    let points: Vec<[f64; 3]> = (0..count).flat_map(edge).chain(small).collect();
    let mut triangles: Vec<[u32; 3]> = (0..count + 2).map(|at| [3 * at, 3 * at + 1, 3 * at + 2]).collect();
    for _ in 0..2 {
        triangles.reverse();
        let made = mesh(&points, &triangles).triangles.clone();
        let [left, right, top, corner] = [0, 1, 2, 3].map(|at| 3 * count + at);
        let part_of = |ends: [u32; 2]| made.iter().any(|part| ends.iter().chain([&top]).all(|end| part.contains(end)));
        assert!(part_of([left, corner]) && part_of([corner, right]));
        // The edges of the first 8 have up to 16 corners, of which two are their own. A next round would take more than is left.
        let of_first = (0..8).map(|at| 2 * at).sum::<usize>();
        assert_eq!(made.len(), triangles.len() + 1 + of_first);
    }
}

/// Returns the number of edges that belong to one triangle only.
fn open_edges(mesh: &Mesh) -> usize {
    let mut count = BTreeMap::new();
    for triangle in 0..mesh.triangles.len() as u32 {
        let places = mesh.places(triangle);
        for side in 0..3 {
            let [from, to] = [places[side], places[(side + 1) % 3]];
            *count.entry((from.min(to), from.max(to))).or_insert(0) += 1;
        }
    }
    count.values().filter(|count| **count == 1).count()
}

/// Two rows of tiles, turned in space and moved far from the origin, with corners of their own. Those of the upper row are at other places.
#[test]
fn tiles_with_32_bit_corners_have_no_cracks() {
    let turn = Quat::new(Vec3::new(0.3, -0.7, 0.4));
    for (shift, is_single) in [(0.0, true), (0.0, false), (300.0, true)] {
        let (mut points, mut triangles) = (Vec::new(), Vec::new());
        let mut tile = |left: f64, right: f64, [low, high]: [f64; 2]| {
            let first = points.len() as u32;
            for (x, y) in [(left, low), (right, low), (right, high), (left, high)] {
                let point = turn * Vec3::new(x, y, 0.0) + Vec3::repeat(shift);
                // A scale leaves the round-off, but no 32-bit numbers.
                points.push(point.map(|value| f64::from(value as f32) * if is_single { 1.0 } else { 0.1 }).into());
            }
            triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
        };
        (0..7).for_each(|at| tile(f64::from(at) / 7.0, f64::from(at + 1) / 7.0, [0.0, 0.4]));
        (0..5).for_each(|at| tile(f64::from(at) / 5.0, f64::from(at + 1) / 5.0, [0.4, 1.0]));
        // The rim has 7 and 5 edges along the rows, and 2 at either end.
        assert_eq!(open_edges(&mesh(&points, &triangles)), 7 + 5 + 4, "{shift} {is_single}");
    }
}

/// A body far from the origin keeps its shape: its coordinates are no 32-bit numbers, and its size says how exact they are.
#[test]
fn double_precision_far_from_the_origin_is_kept() {
    let sheet = |gap: f64| {
        let points = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, gap], [2.0, gap], [1.0, 1.0 + gap]];
        let points = points.map(|[x, y]| [x + 5e4 + 0.1, y - 3e4, 0.1]);
        mesh(&points, &[[0, 1, 2], [3, 4, 5]])
    };
    // Half the longest extent is 1 m.
    assert_eq!(sheet(6e-7).places(1)[0], 3);
    assert_eq!(sheet(4e-7).places(1)[0], 1);
}

/// Rows of planks, turned in their plane, and large triangles above them: boxes around their edges hold many corners of others.
#[test]
fn many_corners_near_oblique_edges_are_found() {
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    let turn = Quat::from_axis_angle(&Vec3::z_axis(), 0.25 * std::f64::consts::PI);
    let mut add = |corners: &[Vec3]| {
        let first = points.len() as u32;
        points.extend(corners.iter().map(|corner| <[f64; 3]>::from(turn * corner)));
        (2..corners.len() as u32).for_each(|last| triangles.push([first, first + last - 1, first + last]));
    };
    let (rows, planks) = (60, 3);
    for (row, plank) in (0..rows).flat_map(|row| (0..planks).map(move |plank| (row, plank))) {
        let (x, y) = (2.0 * f64::from(plank) + 0.31 * f64::from(row % 5), 0.05 * f64::from(row));
        add(&[[x, y], [x + 2.0, y], [x + 2.0, y + 0.05], [x, y + 0.05]].map(|[x, y]| Vec3::new(x, y, 0.0)));
    }
    for at in 0..300 {
        let angle = f64::from(at) * 2.4;
        let (sine, cosine) = (9.0 * angle.sin(), 9.0 * angle.cos());
        add(&[[0.0, 0.0], [cosine, sine], [-sine, cosine]].map(|[x, y]| Vec3::new(x, y, 20.0 + f64::from(at))));
    }
    let made = mesh(&points, &triangles);
    // On the line between two rows three corners of each are between two of the other, and each divides a triangle.
    assert_eq!(made.triangles.len() - triangles.len(), 6 * (rows as usize - 1));
}

/// A snapshot has the triangles as they were divided. Corner 5 is on the long edge, which then leads through it, and so comes nearer to 6.
#[test]
fn a_restored_mesh_is_the_one_that_was_saved() {
    let tolerance = 4.0 * f64::from(f32::EPSILON);
    let points = [
        [-1.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [-0.3, -1.0, 0.1],
        [0.3, -1.0, 0.1],
        [0.0, 0.9 * -tolerance, 0.0],
        [0.1, 1.3 * -tolerance, 0.0],
        [0.2, -1.0, 0.3],
        [0.4, -1.0, 0.3],
    ];
    let made = mesh(&points, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert_eq!(made.triangles.len(), 4);
    let saved: Vec<[f64; 3]> = made.points.iter().map(|point| (*point).into()).collect();
    let again = Mesh::new(&saved, &made.triangles).unwrap();
    assert_eq!(again.triangles.len(), 5, "made from these it would be another one");
    let restored = Mesh::restored(&saved, &made.triangles).unwrap();
    assert_eq!((restored.points.clone(), restored.triangles.clone()), (made.points.clone(), made.triangles.clone()));
    assert!((0..4).all(|triangle| restored.places(triangle) == made.places(triangle)));
}

/// Corners stay apart where a triangle would lose its area. Others are joined.
#[test]
fn a_fine_triangle_in_a_large_mesh_keeps_its_corners() {
    let points = [
        [0.0; 3],
        [1e-4, 0.0, 0.0],
        [0.0, 1e-4, 0.0],
        [1000.0, 0.0, 0.0],
        [1000.0, 900.0, 0.0],
        [0.0, 900.0, 1e-4],
        [1000.0, 0.0, 1e-4],
        [1900.0, 0.0, 0.0],
        [1000.0, 900.0, 1e-4],
    ];
    let made = mesh(&points, &[[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert_eq!((made.places(0), made.places(1), made.places(2)), ([0, 1, 2], [3, 4, 5], [3, 7, 4]));
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
        prop_assert_eq!(found, (0..mesh.triangles.len() as u32).filter(meets).collect::<Vec<_>>());
    }
}
