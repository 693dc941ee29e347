use crate::math::Vec3;
use crate::shape::Shape;

/// Points on a ball, by the golden angle.
fn ball(count: u32) -> Vec<[f64; 3]> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let point = |k: u32| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(count);
        let (s, c) = (golden * f64::from(k)).sin_cos();
        [(1.0 - z * z).sqrt() * c, (1.0 - z * z).sqrt() * s, z]
    };
    (0..count).map(point).collect()
}

#[test]
fn climbing_finds_what_comparing_all_finds() {
    // A prism has faces with many corners, on which a direction along its axis is level.
    let ring = |z: f64| (0..40).map(|k| (f64::from(k) * 0.157).sin_cos()).map(move |(s, c)| [c, s, z]);
    let prism: Vec<[f64; 3]> = ring(-0.5).chain(ring(0.5)).collect();
    for points in [ball(10), ball(60), ball(200), prism] {
        let Shape::Hull(hull) = Shape::hull(&points).unwrap() else { unreachable!() };
        let graph = &hull.graph;
        let directions = ball(300).into_iter().map(Vec3::from).chain([Vec3::z(), -Vec3::z(), Vec3::x()]);
        for direction in directions {
            let reach = |corner: u32| direction.dot(&hull.points[corner as usize]);
            let farthest = (0..hull.points.len() as u32).map(reach).fold(f64::NEG_INFINITY, f64::max);
            assert_eq!(reach(graph.scanned(&direction)), farthest);
            for from in [graph.start(&direction), 0, 5] {
                assert_eq!(reach(graph.climbed(hull.outline(), &direction, from)), farthest);
            }
        }
    }
}

#[test]
fn neighbours_are_those_of_a_box() {
    let points: Vec<[f64; 3]> = (0..8).map(|k| [k & 1, k >> 1 & 1, k >> 2 & 1].map(f64::from)).collect();
    let Shape::Hull(hull) = Shape::hull(&points).unwrap() else { unreachable!() };
    for corner in 0..8u32 {
        let joined = hull.graph.joined(corner);
        assert_eq!((joined.len(), hull.graph.around(corner).len()), (3, 3));
        let apart = |next: &u32| (hull.points[*next as usize] - hull.points[corner as usize]).norm();
        assert!(joined.iter().all(|next| apart(next) == 1.0));
    }
    assert_eq!(hull.graph.center, Vec3::repeat(0.5));
    assert!((hull.graph.size - 0.75f64.sqrt()).abs() < 1e-15);
}
