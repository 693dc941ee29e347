use crate::collide::narrow::ContactPoint;
use crate::collide::narrow::reduce::keep_spread;
use crate::math::Vec3;

fn contact(x: f64, y: f64, gap: f64, normal: Vec3, feature: u64) -> ContactPoint {
    ContactPoint { point: Vec3::new(x, y, 0.0), normal, gap, feature, parts: [0; 2] }
}

#[test]
fn coincident_points_become_the_deepest_of_them() {
    let mut points = vec![
        contact(0.0, 0.0, 0.0, Vec3::z(), 1),
        contact(1e-9, 0.0, -1e-3, Vec3::z(), 2),
        contact(0.0, 0.0, 0.0, Vec3::x(), 3),
    ];
    keep_spread(&mut points, 0, 1.0).unwrap();
    assert_eq!(points.iter().map(|point| point.feature).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn what_is_not_finite_is_dropped_and_what_was_there_stays() {
    let mut points = vec![
        contact(f64::NAN, 0.0, 0.0, Vec3::z(), 9),
        contact(0.0, 0.0, f64::NAN, Vec3::z(), 1),
        contact(0.0, f64::INFINITY, 0.0, Vec3::z(), 2),
        contact(0.0, 0.0, 0.0, Vec3::z(), 3),
    ];
    keep_spread(&mut points, 1, 1.0).unwrap();
    assert_eq!(points.iter().map(|point| point.feature).collect::<Vec<_>>(), [9, 3]);
}

#[test]
fn corners_are_kept_and_points_on_the_edges_are_not() {
    // A square with the middles of its sides first, and its own.
    let middles = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let places: Vec<_> = middles.into_iter().chain(corners).chain([(0.0, 0.0)]).collect();
    let mut points: Vec<_> =
        places.iter().zip(1..).map(|((x, y), feature)| contact(*x, *y, 0.0, Vec3::z(), feature)).collect();
    keep_spread(&mut points, 0, 1.0).unwrap();
    let mut kept: Vec<u64> = points.iter().map(|point| point.feature).collect();
    kept.sort_unstable();
    assert_eq!(kept, [5, 6, 7, 8]);
}

#[test]
fn the_corners_of_two_faces_that_are_turned_are_all_kept() {
    let corner = |k: u32| (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
    let mut points: Vec<_> =
        (0..8).map(|k| contact(corner(k).1, corner(k).0, 0.0, Vec3::z(), u64::from(k) + 1)).collect();
    let all = points.clone();
    keep_spread(&mut points, 0, 1.0).unwrap();
    assert_eq!(points, all);
}

#[test]
fn what_is_kept_of_a_plane_does_not_depend_on_which_of_nearly_equal_depths_is_the_largest() {
    // Twelve corners. Each choice has another deepest one, by less than the tolerance.
    let corner = |k: u32| (f64::from(k) * std::f64::consts::FRAC_PI_6).sin_cos();
    let kept = |deepest: u32| {
        let gap = |k: u32| if k == deepest { -1e-10 } else { 0.0 };
        let mut points: Vec<_> =
            (0..12).map(|k| contact(corner(k).1, corner(k).0, gap(k), Vec3::z(), u64::from(k) + 1)).collect();
        keep_spread(&mut points, 0, 1.0).unwrap();
        points.iter().map(|point| point.feature).collect::<Vec<_>>()
    };
    assert_eq!(kept(0).len(), 8);
    assert!((1..12).all(|deepest| kept(deepest) == kept(0)));
}

#[test]
fn points_on_a_line_become_its_ends_and_the_deepest() {
    let mut points: Vec<_> = (0..20u32)
        .map(|k| contact(f64::from(k), 0.0, if k == 7 { -0.1 } else { 0.0 }, Vec3::z(), u64::from(k) + 1))
        .collect();
    keep_spread(&mut points, 0, 1.0).unwrap();
    assert_eq!(points.iter().map(|point| point.feature).collect::<Vec<_>>(), [1, 8, 20]);
}

#[test]
fn the_deepest_is_kept_and_each_plane_has_its_own_corners() {
    let places =
        [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.1, 0.1), (0.2, 0.0), (0.0, 0.2), (0.2, 0.2), (0.3, 0.3)];
    let plane = |normal: Vec3, first: u64| {
        places.iter().zip(first..).map(move |((x, y), feature)| {
            contact(*x, *y, if feature == first + 4 { -0.1 } else { 0.0 }, normal, feature)
        })
    };
    let mut points: Vec<_> = plane(Vec3::z(), 1).chain(plane(-Vec3::z(), 11)).collect();
    keep_spread(&mut points, 0, 1.0).unwrap();
    let kept: Vec<u64> = points.iter().map(|point| point.feature).collect();
    assert_eq!(kept, [1, 2, 3, 4, 5, 11, 12, 13, 14, 15]);
}

#[test]
fn of_very_many_points_the_corners_and_the_deepest_remain() {
    // A grid of 101 by 101 points over a square of 2, with the corners first, last and between.
    let place = |k: u32| f64::from(k) / 50.0 - 1.0;
    let grid = |deepest: Option<u32>| -> Vec<ContactPoint> {
        let gap = |k: u32| if Some(k) == deepest { -0.1 } else { 0.0 };
        (0..101 * 101).map(|k| contact(place(k / 101), place(k % 101), gap(k), Vec3::z(), u64::from(k) + 1)).collect()
    };
    let mut points = grid(None);
    keep_spread(&mut points, 0, 1.0).unwrap();
    let mut kept: Vec<u64> = points.iter().map(|point| point.feature).collect();
    kept.sort_unstable();
    assert_eq!(kept, [1, 101, 100 * 101 + 1, 101 * 101]);
    let mut points = grid(Some(5000));
    keep_spread(&mut points, 0, 1.0).unwrap();
    let kept: Vec<u64> = points.iter().map(|point| point.feature).collect();
    assert_eq!(kept, [1, 101, 5001, 100 * 101 + 1, 101 * 101]);
}

#[test]
fn of_very_many_normals_each_keeps_its_points() {
    // 500 normals 1.26e-2 apart about x, each with a point and its double, which are merged.
    let normal = |k: u32| {
        let (s, c) = (std::f64::consts::TAU * f64::from(k) / 500.0).sin_cos();
        Vec3::new(0.0, s, c)
    };
    let mut points: Vec<_> = (0..1000).map(|k| contact(0.0, 0.0, 0.0, normal(k % 500), u64::from(k) + 1)).collect();
    keep_spread(&mut points, 0, 1.0).unwrap();
    let mut kept: Vec<u64> = points.iter().map(|point| point.feature).collect();
    kept.sort_unstable();
    assert_eq!(kept, (1..=500).collect::<Vec<_>>());
}

/// The corners of a hull deep in a half-space, half way to its face: far from one plane.
#[test]
fn points_out_of_one_plane_are_chosen_once() {
    let corners =
        [[0.05, 0.28, -0.51], [0.02, 0.18, -0.26], [0.4, 0.1, -0.51], [0.32, 0.02, -1.09], [-0.08, -0.09, -0.45]];
    let points = (1..).zip(corners).map(|(feature, [x, y, z])| ContactPoint {
        point: Vec3::new(x, y, 0.5 * z),
        ..contact(x, y, z, Vec3::z(), feature)
    });
    let mut points: Vec<ContactPoint> = points.collect();
    keep_spread(&mut points, 0, 1.0).unwrap();
    let kept: Vec<u64> = points.iter().map(|point| point.feature).collect();
    assert!(kept.is_sorted_by(|a, b| a < b) && kept.contains(&4), "{kept:?}");
}
