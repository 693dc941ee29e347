//! Capsules whose axis passes through a mesh.

use super::mesh_slivers::{Random, Surface};
use super::scene::{meet, one_way, turned};
use crate::collide::narrow::ContactPoint;
use crate::math::{Pose, Quat, Vec3};
use crate::shape::Shape;

/// The mesh is at the origin, not turned.
fn here() -> Pose {
    turned(0.0, 0.0, 0.0, [0.0; 3])
}

/// A capsule with its middle at a place and its axis in a direction.
fn along(place: [f64; 3], direction: [f64; 3]) -> Pose {
    let direction = Vec3::from(direction);
    let turn = Quat::rotation_between(&Vec3::z(), &direction).expect("a direction other than -z");
    Pose::new(Vec3::from(place), turn)
}

fn least_gap(found: &[ContactPoint]) -> f64 {
    found.iter().map(|contact| contact.gap).fold(f64::INFINITY, f64::min)
}

/// The contact of a mesh, a, that is deepest in a capsule, b.
fn deepest(found: &[ContactPoint]) -> &ContactPoint {
    found.iter().min_by(|one, other| one.gap.total_cmp(&other.gap)).expect("a contact")
}

/// The grid of `n` by `n` squares with sides of `side` about the origin, at the heights of a function.
fn ground(n: u32, side: f64, mut height: impl FnMut(f64, f64) -> f64) -> Shape {
    let place = |at: u32| side * (f64::from(at) - 0.5 * f64::from(n));
    let numbers = || (0..=n).flat_map(|i| (0..=n).map(move |j| (i, j)));
    let points: Vec<[f64; 3]> = numbers().map(|(i, j)| [place(i), place(j), height(place(i), place(j))]).collect();
    let squares = numbers().filter(|(i, j)| *i < n && *j < n);
    let first = squares.map(|(i, j)| i * (n + 1) + j);
    let triangles: Vec<[u32; 3]> =
        first.flat_map(|at| [[at, at + n + 1, at + n + 2], [at, at + n + 2, at + 1]]).collect();
    Shape::mesh(&points, &triangles).expect("a mesh")
}

/// The middle is outside a closed box and the axis reaches into it. No contact pushes into the box, and a push along the deepest one is
/// enough: the box as a convex shape has the least one. For most poses it is the same.
#[test]
fn a_closed_box_pushes_an_axis_out() {
    let mut random = Random(11);
    let (mut entered, mut exact) = (0, 0);
    for case in 0..4000 {
        let half = [0; 3].map(|_| random.between(0.2, 1.0));
        let (length, radius) = (random.between(0.1, 1.0), random.between(0.03, 0.3));
        let place = half.map(|half| random.between(-half - 0.6, half + 0.6));
        if place.iter().zip(half).all(|(place, half)| place.abs() <= half) {
            continue;
        }
        let pose = Pose::new(Vec3::from(place), random.turn(2.0));
        // Every second box has thin triangles.
        let is_plain = case % 2 == 0;
        let surface = if is_plain { Surface::closed(half) } else { Surface::closed(half).divided(&mut random, 40) };
        let (capsule, mesh) = (Shape::capsule(length, radius).unwrap(), surface.mesh());
        let cuboid = Shape::cuboid(half).unwrap();
        let least = least_gap(&one_way((&cuboid, &here()), (&capsule, &pose), 0.01));
        // The convex pair is found to 1e-9 of the size where it overlaps by much.
        if least > -radius - 1e-6 {
            continue;
        }
        entered += 1;
        let found = one_way((&mesh, &here()), (&capsule, &pose), 0.01);
        let gap = least_gap(&found);
        assert!(gap <= least + 1e-6, "case {case}: {gap} against {least}, {found:?}");
        exact += usize::from(gap >= least - 1e-6);
        // No contact turns the capsule about its axis, apart from thin triangles. Edges nearly parallel to the axis have contacts at
        // both ends, which are slightly beside it.
        for contact in found.iter().filter(|_| is_plain) {
            let on_axis = contact.point + contact.normal * (0.5 * contact.gap + radius);
            let along = pose.matrix.column(2).dot(&(on_axis - pose.origin)).clamp(-length, length);
            let beside = on_axis - pose.origin - pose.matrix.column(2) * along;
            assert!(beside.norm() < 0.05 * radius, "case {case}: {contact:?} is {} beside the axis", beside.norm());
        }
        for contact in found.iter().filter(|contact| contact.gap < 0.0) {
            // From the middle of the box to the surface: a normal out of the box has no component inwards, beyond the tilt that
            // counts as none in the tests of thin triangles.
            let on_box = contact.point - contact.normal * (0.5 * contact.gap);
            for axis in 0..3 {
                let is_on_side = (on_box[axis].abs() - half[axis]).abs() < 1e-9;
                let outward = contact.normal[axis] * on_box[axis].signum();
                assert!(
                    !is_on_side || outward > -1.5e-6,
                    "case {case}: {contact:?} pushes into side {axis} of {half:?}"
                );
            }
        }
        // A turn of the whole scene changes nothing.
        let turn = Pose::new(Vec3::zeros(), random.turn(3.0));
        let turned = one_way((&mesh, &turn), (&capsule, &pose.within(&turn)), 0.01);
        assert!((least_gap(&turned) - gap).abs() < 1e-9, "case {case}: {found:?} against {turned:?}");
    }
    assert!(entered > 400, "{entered}");
    assert!(exact * 100 > entered * 95, "{exact} of {entered}");
}

/// However a plane is divided, the contact at the end is as deep as that end is. The axis may pass through an edge or a corner.
/// Nothing has another normal.
#[test]
fn a_divided_plane_holds_the_end_behind_it() {
    let (mut random, mut entered) = (Random(5), 0);
    for case in 0..4000 {
        let surface = Surface::floor().divided(&mut random, 20);
        let mesh = surface.mesh();
        let (length, radius) = (random.between(0.1, 0.6), random.between(0.02, 0.2));
        let turn = random.turn(2.0);
        let axis = turn * Vec3::z() * length;
        let through = if random.below(2) == 0 {
            Vec3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), 0.0)
        } else {
            surface.place(&mut random)
        };
        // Not nearer to the plane than 1e-9, where round-off decides on which side the middle is.
        let middle = through + axis * random.between(-0.999, 0.999);
        // Nothing reaches the rim of the floor, which is at 2.
        if middle.z.abs() < 1e-9 || axis.z.abs() < 1e-3 || through.amax() > 1.2 {
            continue;
        }
        entered += 1;
        let side = middle.z.signum();
        let hidden = (middle.z - side * axis.z.abs()) * side;
        let found =
            one_way((&mesh, &here()), (&Shape::capsule(length, radius).unwrap(), &Pose::new(middle, turn)), 0.01);
        assert!((least_gap(&found) - (hidden - radius)).abs() < 1e-9, "case {case}: {hidden} {radius} {found:?}");
        for contact in found.iter().filter(|contact| contact.gap < 0.0) {
            // The largest tilt that counts as none, as in the tests of thin triangles.
            assert!((contact.normal - Vec3::z() * side).norm() < 1.5e-6, "case {case}: {found:?}");
        }
    }
    assert!(entered > 1000, "{entered}");
}

/// Contacts at the place where the axis passes the surface keep the middle from sinking through, while the end comes out.
#[test]
fn the_place_that_is_passed_has_contacts_too() {
    let (mesh, capsule) = (ground(20, 0.1, |_, _| 0.0), Shape::capsule(0.6, 0.05).unwrap());
    for (height, slope) in [(0.05, 0.3), (0.1, 0.5), (0.2, 1.0)] {
        let pose = along([0.03, 0.04, height], [1.0, 0.2, slope]);
        let found = one_way((&mesh, &here()), (&capsule, &pose), 0.01);
        let end = height - 0.6 * pose.matrix[(2, 2)].abs();
        assert!((least_gap(&found) - (end - 0.05)).abs() < 1e-14, "{height}: {found:?}");
        // Where the axis passes, the gap is minus the radius.
        assert!(found.iter().any(|contact| contact.gap > -0.1), "{height}: {found:?}");
    }
}

/// An axis from the top of a box to its side is pushed over the edge between them, at right angles to both. In a
/// wedge with a side that leans by any angle, the push is that from a line to a line.
#[test]
fn the_push_over_an_edge_is_the_least_one() {
    let half = [1.0; 3];
    let (mesh, capsule) = (Surface::closed(half).mesh(), Shape::capsule(1.2, 0.1).unwrap());
    let found = meet((&mesh, &here()), (&capsule, &along([0.4, 0.3, 1.5], [1.0, 0.0, -1.0])), 0.0);
    // The axis is x + z = 1.9, and the edge at x = z = 1 is 0.1 / sqrt 2 from it.
    let diagonal = std::f64::consts::FRAC_1_SQRT_2;
    assert!((deepest(&found).gap + 0.1 + 0.1 * diagonal).abs() < 1e-14, "{found:?}");
    assert!((deepest(&found).normal - Vec3::new(diagonal, 0.0, diagonal)).norm() < 1e-14, "{found:?}");
    // Just beside the edge the gap is the distance, so it is the same from both sides.
    for aside in [-1e-9, 1e-9] {
        let place = [0.5 + aside, 0.3, 1.5 + aside];
        let gap = least_gap(&one_way((&mesh, &here()), (&capsule, &along(place, [1.0, 0.0, -1.0])), 0.0));
        assert!((gap + 0.1 - aside * 2f64.sqrt()).abs() < 1e-12, "{gap} at {aside}");
    }
}

/// A rod that fell onto a ridge, with its middle below the edge, comes out upwards. Its ends are in front on both sides.
#[test]
fn a_rod_across_a_ridge_is_lifted_over_the_edge() {
    let ridge = ground(8, 0.5, |x, _| -0.5 * x.abs());
    let rod = Shape::capsule(0.8, 0.03).unwrap();
    for height in [0.01, -1e-6, -0.001, -0.05] {
        let found = meet((&ridge, &here()), (&rod, &along([0.0, 0.1, height], [1.0, 0.0, 0.0])), 0.0);
        assert!((least_gap(&found) - (height - 0.03)).abs() < 1e-14, "{height}: {found:?}");
        // At the edge the push is to the middle between both sides. Nothing pushes down.
        assert!(found.iter().all(|contact| contact.normal.z > 0.8), "{height}: {found:?}");
    }
    // The same with the middle not over the edge, in a box.
    let mesh = Surface::closed([1.0; 3]).mesh();
    for shift in [0.0, 0.02, -0.1] {
        let place = [-0.99 + shift, 0.1, 0.99 + shift];
        let found = meet((&mesh, &here()), (&rod, &along(place, [1.0, 0.0, 1.0])), 0.0);
        let expected = -0.03 - 0.01 * 2f64.sqrt();
        assert!((deepest(&found).gap - expected).abs() < 1e-14, "{shift}: {found:?}");
        assert!((deepest(&found).normal - Vec3::new(-1.0, 0.0, 1.0).normalize()).norm() < 1e-14, "{shift}: {found:?}");
    }
}

/// An axis that enters a box close to another side comes out there, though it does not pass that side.
#[test]
fn a_side_that_the_axis_does_not_pass_may_be_nearer() {
    let mesh = Surface::closed([1.0; 3]).mesh();
    let rod = Shape::capsule(0.8, 0.03).unwrap();
    for depth in [1e-6, 0.001, 0.01] {
        let found = meet((&mesh, &here()), (&rod, &along([1.0 - depth, 0.1, 1.3], [0.0, 0.0, 1.0])), 0.0);
        assert!((deepest(&found).gap + 0.03 + depth).abs() < 1e-14, "{depth}: {found:?}");
        assert!((deepest(&found).normal - Vec3::x()).norm() < 1e-14, "{depth}: {found:?}");
        // Through the side just below the top: the tip comes up through the top.
        let direction = Vec3::new(1.0, 0.0, -0.2).normalize();
        let middle = Vec3::new(-1.3, 0.1, 1.06 - depth);
        let found = meet((&mesh, &here()), (&rod, &along(middle.into(), direction.into())), 0.0);
        let tip = middle + direction * 0.8;
        assert!((deepest(&found).gap - (tip.z - 1.0 - 0.03)).abs() < 1e-14, "{depth}: {found:?}");
        assert!((deepest(&found).normal - Vec3::z()).norm() < 1e-14, "{depth}: {found:?}");
    }
}

/// Boxes side by side make a floor. The sides between them are hidden, and do not push the end of an axis sideways.
#[test]
fn the_sides_between_boxes_of_a_floor_do_not_push() {
    let at = |shift: f64| {
        let one = Surface::closed([1.0; 3]);
        (one.points.iter().map(|[x, y, z]| [x + shift, *y, z - 1.0]).collect::<Vec<_>>(), one.triangles)
    };
    let ((mut points, mut triangles), (others, more)) = (at(-1.0), at(1.0));
    points.extend(others);
    triangles.extend(more.iter().map(|triangle| triangle.map(|corner| corner + 8)));
    let mesh = Shape::mesh(&points, &triangles).unwrap();
    let capsule = Shape::capsule(0.6, 0.05).unwrap();
    let pose = along([-0.3, 0.1, 0.1], [1.0, 0.0, -0.5]);
    let found = meet((&mesh, &here()), (&capsule, &pose), 0.0);
    let tip = 0.1 - 0.6 * 0.5 / 1.25f64.sqrt();
    assert!((deepest(&found).gap - (tip - 0.05)).abs() < 1e-14, "{found:?}");
    assert!(found.iter().all(|contact| (contact.normal - Vec3::z()).norm() < 1e-14), "{found:?}");
}

/// Both ends of a capsule across a valley are in the ground, and both sides hold it.
#[test]
fn both_sides_of_a_valley_hold_both_ends() {
    for slope in [0.5, 1.0, 3.0] {
        let valley = ground(8, 0.5, |x, _| slope * x.abs());
        let capsule = Shape::capsule(0.5, 0.1).unwrap();
        for (tilt, shift) in [(0.0, 0.0), (0.1, 0.013), (-0.2, 0.21)] {
            let pose = along([0.02, shift, 0.3 * slope], [1.0, tilt, 0.1 * tilt]);
            let found = meet((&valley, &here()), (&capsule, &pose), 0.01);
            for side in [-1.0, 1.0] {
                let normal = Vec3::new(-side * slope, 0.0, 1.0).normalize();
                let end = pose.origin + pose.matrix.column(2) * (0.5 * side);
                let expected = normal.dot(&end) - 0.1;
                let holds = |contact: &&ContactPoint| (contact.normal - normal).norm() < 1e-12;
                let gap = least_gap(&found.iter().filter(holds).copied().collect::<Vec<_>>());
                assert!((gap - expected).abs() < 1e-12, "slope {slope}, side {side}: {gap}, {expected}, {found:?}");
            }
            let pushes_down = |contact: &ContactPoint| contact.gap < 0.0 && contact.normal.z < 0.0;
            assert!(!found.iter().any(pushes_down), "slope {slope}: {found:?}");
        }
    }
}

/// A capsule that stands in a floor beside a wall is lifted out of the floor. That the wall goes on below the floor, as in many levels of
/// games, does not draw it into the wall.
#[test]
fn a_wall_beside_the_place_does_not_draw_the_end_in() {
    let lower = [0.0, -1.0];
    for below in lower {
        let points = [
            [-2.0, -2.0, 0.0],
            [1.0, -2.0, 0.0],
            [1.0, 2.0, 0.0],
            [-2.0, 2.0, 0.0],
            [0.0, -2.0, below],
            [0.0, 2.0, below],
            [0.0, 2.0, 2.0],
            [0.0, -2.0, 2.0],
        ];
        let triangles = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
        for reversed in [false, true] {
            let wall = |[a, b, c]: [u32; 3]| if reversed && a == 4 { [a, c, b] } else { [a, b, c] };
            let mesh = Shape::mesh(&points, &triangles.map(wall)).unwrap();
            let mut random = Random(3);
            for case in 0..500 {
                let direction = [random.between(-0.1, 0.6), random.between(-0.3, 0.3), -1.0];
                let pose = along(
                    [random.between(-0.6, -0.05), random.between(-0.5, 0.5), random.between(0.02, 0.4)],
                    direction,
                );
                let end = pose.origin + pose.matrix.column(2) * 0.7;
                let entry = pose.origin + (end - pose.origin) * (pose.origin.z / (pose.origin.z - end.z));
                if end.z > -0.01 || entry.x > -1e-3 {
                    continue;
                }
                let found = one_way((&mesh, &here()), (&Shape::capsule(0.7, 0.1).unwrap(), &pose), 0.01);
                let lifts = |contact: &ContactPoint| {
                    contact.normal.z > 1.0 - 1e-12 && (contact.gap - end.z + 0.1).abs() < 1e-12
                };
                assert!(found.iter().any(lifts), "case {case}, below {below}: {pose:?} {found:?}");
                let draws_in = |contact: &ContactPoint| contact.gap < 0.0 && contact.normal.x > 1e-9;
                assert!(!found.iter().any(draws_in), "case {case}, below {below}: {pose:?} {found:?}");
            }
        }
    }
}

/// On rough ground the axis passes many triangles, and the first one may have any normal. The capsule is lifted to the highest place under
/// it, and not farther.
#[test]
fn rough_ground_lifts_to_its_highest_place() {
    let (mut random, mut entered) = (Random(3), 0);
    let (bump, half, radius) = (0.02, 0.6, 0.05);
    let mut heights = Random(4);
    let mesh = ground(60, 0.025, |_, _| heights.between(-bump, bump));
    for case in 0..300 {
        let direction = [1.0, random.between(-1.0, 1.0), random.between(-0.3, 0.3)];
        let pose = along([0.0, random.between(-0.1, 0.1), random.between(1.0, 3.0) * bump], direction);
        let found = one_way((&mesh, &here()), (&Shape::capsule(half, radius).unwrap(), &pose), 0.01);
        let lowest = pose.origin.z - half * pose.matrix[(2, 2)].abs();
        let gap = least_gap(&found);
        assert!(gap >= lowest - bump - radius - 1e-12, "case {case}: {pose:?} {found:?}");
        // An end is so far below the ground that no side of a bump is nearer.
        if lowest < -3.0 * bump {
            entered += 1;
            assert!(gap < -radius, "case {case}: {pose:?} {found:?}");
        }
        assert!(
            found.iter().all(|contact| contact.gap > 0.0 || contact.normal.z > 0.0),
            "case {case}: {pose:?} {found:?}"
        );
    }
    assert!(entered > 50, "{entered}");
}

/// A fence on a floor passes through a capsule that lies there. Under the lower edge of the fence the way out is short, but it leads
/// through the floor.
#[test]
fn a_fence_does_not_push_through_the_floor() {
    let points = [
        [-2.0, -2.0, 0.0],
        [2.0, -2.0, 0.0],
        [2.0, 2.0, 0.0],
        [-2.0, 2.0, 0.0],
        [0.0, -2.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.0, 2.0, 0.5],
        [0.0, -2.0, 0.5],
    ];
    let capsule = Shape::capsule(0.4, 0.05).unwrap();
    for fence in [[[4, 5, 6], [4, 6, 7]], [[4, 6, 5], [4, 7, 6]]] {
        let mesh = Shape::mesh(&points, &[[0, 1, 2], [0, 2, 3], fence[0], fence[1]]).unwrap();
        for (middle, aslant) in [(0.003, 0.0), (0.1, 0.0), (0.2, 0.0), (0.3, 0.0), (0.003, 0.7), (0.2, 0.7)] {
            let pose = along([middle, 0.1, 0.05], [1.0, aslant, 0.0]);
            let found = one_way((&mesh, &here()), (&capsule, &pose), 0.01);
            assert!(!found.is_empty(), "{middle} {aslant}");
            assert!(found.iter().all(|contact| contact.normal.z > -1e-9), "{middle} {aslant}: {found:?}");
        }
    }
}

/// A plate is thinner than the capsule, so the axis leaves it on the other side. The capsule comes back to the side of its middle.
#[test]
fn a_thin_plate_pushes_back_to_the_side_of_the_middle() {
    let mesh = Surface::closed([1.0, 1.0, 0.01]).mesh();
    let capsule = Shape::capsule(0.5, 0.1).unwrap();
    for (height, side) in [(0.2, 1.0), (-0.3, -1.0)] {
        let found = meet((&mesh, &here()), (&capsule, &along([0.1, 0.05, height], [0.3, 0.1, 1.0])), 0.01);
        let end = side * height - 0.5 / (1.0 + 0.09 + 0.01f64).sqrt();
        assert!((deepest(&found).gap - (end - 0.01 - 0.1)).abs() < 1e-14, "{found:?}");
        assert!((deepest(&found).normal - Vec3::z() * side).norm() < 1e-14, "{found:?}");
    }
}

/// With its middle on the surface, a capsule is on neither side. It may be pushed to any, but not to both.
#[test]
fn a_middle_on_the_surface_is_pushed_to_one_side() {
    for cells in [1, 2, 5] {
        let mesh = ground(cells, 2.0 / f64::from(cells), |_, _| 0.0);
        for direction in [[0.0, 0.0, 1.0], [0.3, 0.4, 0.2], [1.0, 0.2, 1e-9]] {
            for height in [0.0, 1e-15, -1e-14] {
                let capsule = Shape::capsule(0.5, 0.1).unwrap();
                let found = one_way((&mesh, &here()), (&capsule, &along([0.3, 0.1, height], direction)), 0.01);
                let of_side =
                    |side: f64| found.iter().any(|contact| contact.gap < 0.0 && contact.normal.z * side > 0.0);
                assert!(of_side(1.0) != of_side(-1.0), "{cells} {direction:?} {height}: {found:?}");
            }
        }
    }
}
