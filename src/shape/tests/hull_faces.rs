use super::hull_families::{Random, assert_closed, assert_convex, cuboid, face, hull};
use crate::math::Vec3;

#[test]
fn a_box_has_six_neighbours_around() {
    let hull = hull(&cuboid([1.0, 2.0, 3.0]));
    assert_closed(&hull);
    assert_convex(&hull, &cuboid([1.0, 2.0, 3.0]), 0.0);
    for (index, normal) in hull.normals.iter().enumerate() {
        let mut beyond: Vec<u32> = hull.adjacent_faces(index).to_vec();
        assert!(beyond.iter().all(|other| hull.normals[*other as usize].dot(normal) == 0.0));
        beyond.sort_unstable();
        beyond.dedup();
        assert_eq!(beyond.len(), 4);
    }
    assert!((0..8).all(|corner| hull.adjacent_corners(corner).len() == 3));
}

#[test]
fn a_face_is_flat_within_a_millionth_of_the_size() {
    // The top of a box with a tip in its middle: one face below the tolerance, four above.
    for (height, faces) in [(1e-12, 6), (1e-7, 6), (1e-5, 9), (0.1, 9)] {
        let mut points = cuboid([1.0; 3]);
        points.push([0.0, 0.0, 1.0 + height]);
        let hull = hull(&points);
        assert_closed(&hull);
        assert_convex(&hull, &points, 4e-6);
        assert_eq!(hull.normals.len(), faces, "{height:e}");
        // Four pyramids' worth either way.
        assert!((hull.mass_properties.volume - 8.0 - 4.0 * height / 3.0).abs() < 1e-14);
        assert_eq!(hull.points.len(), if faces == 6 { 8 } else { 9 });
    }
}

#[test]
fn an_edge_is_straight_within_the_tolerance() {
    // A box with an edge of which the middle is moved outwards.
    for (shift, corners) in [(1e-9, 8), (1e-7, 8), (1e-4, 9)] {
        let mut points = cuboid([1.0; 3]);
        points.push([1.0 + shift, 1.0 + shift, 0.0]);
        let hull = hull(&points);
        assert_closed(&hull);
        assert_convex(&hull, &points, 4e-6);
        assert_eq!(hull.points.len(), corners, "{shift:e}");
    }
}

#[test]
fn the_plane_of_a_twisted_face_goes_through_its_outermost_corner() {
    // One corner of the top is higher by less than the tolerance.
    let mut points = cuboid([1.0; 3]);
    points[7][2] += 1e-6;
    let hull = hull(&points);
    assert_closed(&hull);
    assert_convex(&hull, &points, 2e-6);
    let top = (0..6).find(|index| hull.normals[*index].z > 0.9).unwrap();
    assert_eq!(face(&hull, top).len(), 4);
    let heights = face(&hull, top).iter().map(|corner| hull.normals[top].dot(&hull.points[*corner as usize]));
    let heights: Vec<f64> = heights.collect();
    assert!(heights.iter().all(|height| *height <= heights[0]));
    // The mean slope of the four corners: across the area, the diagonals decide.
    let expected = Vec3::new(-2.5e-7, -2.5e-7, 1.0);
    assert!((hull.normals[top] - expected).norm() < 1e-12, "{:?}", hull.normals[top]);
}

#[test]
fn smooth_clouds_stay_closed() {
    let mut random = Random::new(9);
    // A ball, and lenses that are flat within several tolerances.
    for height in [1.0, 1e-2, 1e-4, 1e-5, 3e-6] {
        let squeezed = |vector: Vec3| [vector.x, vector.y, vector.z * height];
        let points: Vec<[f64; 3]> = (0..500).map(|_| squeezed(random.unit_vector())).collect();
        let hull = hull(&points);
        assert_closed(&hull);
        assert_convex(&hull, &points, 8e-6);
    }
}

#[test]
fn dense_polygons_are_thinned_out_within_the_tolerance() {
    // Where each side turns by less than the tolerance. A polygon with an error of 1e-6 has about pi / sqrt(2e-6) = 2200 sides.
    let count = 20_000;
    let side = |k: u32| crate::math::elementary::sin_cos(std::f64::consts::TAU * f64::from(k) / f64::from(count));
    let ring = |z: f64| (0..count).map(move |k| [side(k).0, side(k).1, z]);
    let points: Vec<[f64; 3]> = ring(-0.5).chain(ring(0.5)).collect();
    let hull = hull(&points);
    assert_closed(&hull);
    assert!((1000..6000).contains(&hull.points.len()), "{}", hull.points.len());
    let reach = |normal: &Vec3, corner: u32| normal.dot(&hull.points[corner as usize]);
    let nearest = (0..hull.normals.len()).map(|index| reach(&hull.normals[index], face(&hull, index)[0]));
    let nearest = nearest.filter(|distance| *distance > 0.6).fold(1.0, f64::min);
    assert!(1.0 - nearest < 1e-5, "{nearest}");
    // The mass is that of all points.
    let area = 0.5 * f64::from(count) * side(1).0;
    assert!((hull.mass_properties.volume / area - 1.0).abs() < 1e-13);
}
