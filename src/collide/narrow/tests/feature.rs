use crate::collide::narrow::Placed;
use crate::collide::narrow::contact::mixed;
use crate::collide::narrow::feature::{ClipBuffers, Corner, Side, clip, face_sides, side_of};
use crate::collide::narrow::polytope::Polytope;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

const SQUARE: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];

fn square() -> [Vec3; 4] {
    SQUARE.map(|[x, y]| Vec3::new(x, y, 0.0))
}

/// The side planes of the square.
fn sides() -> impl Iterator<Item = Side> {
    (0..4).filter_map(|index| side_of([square()[index], square()[(index + 1) % 4]], index, &Vec3::z()))
}

fn clipped(places: &[[f64; 2]]) -> Vec<Corner> {
    let corner = |(index, [x, y]): (usize, &[f64; 2])| Corner {
        point: Vec3::new(*x, *y, 0.5),
        feature: index as u64 + 1,
        edge: 100 + index as u64,
    };
    let mut buffers =
        ClipBuffers { polygon: places.iter().enumerate().map(corner).collect(), ..ClipBuffers::default() };
    clip(&mut buffers, sides(), 1e-6).unwrap();
    buffers.polygon
}

fn area(corners: &[Corner]) -> f64 {
    let at = |index: usize| corners[index % corners.len()].point;
    (0..corners.len()).map(|k| 0.5 * (at(k).x * at(k + 1).y - at(k + 1).x * at(k).y)).sum()
}

#[test]
fn inside_outside_and_across() {
    let inside = clipped(&[[0.0, 0.0], [0.5, 0.0], [0.0, 0.5]]);
    assert_eq!(inside.iter().map(|corner| corner.feature).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(clipped(&[[2.0, 0.0], [3.0, 0.0], [2.0, 1.0]]).is_empty());
    // A square shifted by half: the quarter that is common, with corner 1 of its own and three crossings.
    let quarter = clipped(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]]);
    assert_eq!((quarter.len(), area(&quarter)), (4, 1.0));
    // A square turned by 45 degrees that cuts all corners off: an octagon, 4 - 4 * 0.5^2/2 large.
    let octagon = clipped(&[[1.5, 0.0], [0.0, 1.5], [-1.5, 0.0], [0.0, -1.5]]);
    assert_eq!((octagon.len(), area(&octagon)), (8, 3.5));
    // All corners have names of their own.
    let mut names: Vec<u64> = octagon.iter().map(|corner| corner.feature).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 8);
}

#[test]
fn segments_and_points_are_clipped_as_such() {
    let ends = |corners: Vec<Corner>| corners.iter().map(|corner| (corner.point.x, corner.point.y)).collect::<Vec<_>>();
    assert_eq!(ends(clipped(&[[-3.0, 0.5], [0.0, 0.5]])), [(-1.0, 0.5), (0.0, 0.5)]);
    assert_eq!(ends(clipped(&[[-3.0, 0.5], [3.0, 0.5]])), [(-1.0, 0.5), (1.0, 0.5)]);
    assert_eq!(ends(clipped(&[[-3.0, 2.0], [3.0, 2.0]])), []);
    assert_eq!(ends(clipped(&[[0.5, 0.5]])), [(0.5, 0.5)]);
    assert_eq!(ends(clipped(&[[1.5, 0.5]])), []);
}

#[test]
fn corners_near_the_sides_keep_their_names() {
    for noise in [0.0, 1e-9, -1e-9, 1e-7, -1e-7] {
        let grown: Vec<[f64; 2]> = SQUARE.iter().map(|[x, y]| [x * (1.0 + noise), y * (1.0 - noise)]).collect();
        assert_eq!(clipped(&grown).iter().map(|corner| corner.feature).collect::<Vec<_>>(), [1, 2, 3, 4], "{noise}");
    }
}

#[test]
fn points_over_a_polygon() {
    let over = |x: f64, y: f64| sides().all(|side| side.holds(&Vec3::new(x, y, 7.0), 1e-9));
    assert!(over(0.0, 0.0) && over(1.0, 1.0) && over(1.0 + 1e-10, 0.0));
    assert!(!over(1.0 + 1e-8, 0.0) && !over(0.0, -1.1));
}

#[test]
fn mixing_distinguishes_order_and_parts() {
    let words = [mixed(&[1]), mixed(&[2]), mixed(&[1, 2]), mixed(&[2, 1]), mixed(&[1, 2, 0]), mixed(&[])];
    for (index, word) in words.iter().enumerate() {
        assert!(*word != 0 && !words[..index].contains(word));
    }
}

#[test]
fn the_sides_of_a_box_are_its_faces() {
    let shape = Shape::cuboid([0.5, 0.2, 0.7]).unwrap();
    let pose = Pose::new(Vec3::new(0.1, -0.4, 0.3), Quat::from_scaled_axis(Vec3::new(0.3, -1.1, 0.6)));
    let placed = Placed { shape: &shape, pose: &pose };
    let polytope = Polytope::new(placed, &Vec3::zeros()).unwrap();
    for face in 0..polytope.face_count() {
        let (normal, corners) = (polytope.normal(face), polytope.face(face));
        let known: Vec<Side> = face_sides(&polytope, face, &normal).collect();
        assert_eq!(known.len(), 4);
        for (index, known) in known.iter().enumerate() {
            assert!(polytope.side_normal(face, index).is_some());
            let made = side_of(
                [corners[index], corners[(index + 1) % 4]].map(|corner| polytope.corner(corner)),
                index,
                &normal,
            )
            .unwrap();
            // made by a cross product and a root: some units of round-off
            let is_nearly = (known.outward - made.outward).norm() <= 1e-15;
            let is_same = (known.origin, known.index) == (made.origin, made.index);
            assert!(is_nearly && is_same, "face {face}: {known:?}, {made:?}");
        }
    }
}
