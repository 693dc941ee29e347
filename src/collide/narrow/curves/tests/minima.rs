use super::{found, placed};
use crate::math::{Pose, Quat, Vec2, Vec3};
use crate::shape::nurbs::Curve;
use crate::shape::nurbs::tests::grains::{circle, grain, polygon};
use crate::shape::{CurveDefinition, Shape};

/// Returns the minima of the signed distance along a, by many samples and halvings of the bracket of the slope.
fn brute(a: &Curve, pose_a: &Pose, b: &Curve, pose_b: &Pose, margin: f64) -> Vec<(Vec2, f64)> {
    const SAMPLES: usize = 160;
    let distance = |piece: usize, t: f64| {
        let point = a.outline.at(piece, t).point;
        let local = pose_b.to_local(&pose_a.to_world(&Vec3::new(point.x, point.y, 0.0)));
        b.outline.nearest(&Vec2::new(local.x, local.y)).distance
    };
    let places: Vec<(usize, f64)> = (0..a.outline.count())
        .flat_map(|piece| (0..SAMPLES).map(move |at| (piece, at as f64 / SAMPLES as f64)))
        .collect();
    let values: Vec<f64> = places.iter().map(|(piece, t)| distance(*piece, *t)).collect();
    let count = places.len();
    let mut minima = Vec::new();
    for at in 0..count {
        let (before, after) = ((at + count - 1) % count, (at + 1) % count);
        if values[at] > values[before] || values[at] >= values[after] {
            continue;
        }
        // On a line of the parameter that continues beyond the end of a piece.
        let width = 1.0 / SAMPLES as f64;
        let on = |x: f64| {
            let (piece, t) = (places[at].0, places[at].1 + x);
            let last = a.outline.count() - 1;
            if t < 0.0 { (if piece == 0 { last } else { piece - 1 }, t + 1.0) } else { (piece, t) }
        };
        let (mut low, mut high) = (-width, width);
        for _ in 0..80 {
            let (p, q) = (low + (high - low) * 0.381_966, low + (high - low) * 0.618_034);
            let [p_value, q_value] = [p, q].map(|x| {
                let (piece, t) = on(x);
                distance(piece, t)
            });
            if p_value < q_value { high = q } else { low = p }
        }
        let (piece, t) = on(0.5 * (low + high));
        let value = distance(piece, t);
        // At a jump of the foot the distance has a kink, which is no minimum of a pair.
        let beside = [-1e-5, 1e-5].map(|x| on(0.5 * (low + high) + x)).map(|(piece, t)| distance(piece, t) - value);
        let is_smooth = beside.iter().all(|rise| *rise < 1e-2 * 1e-5);
        let is_opposed = {
            let local = a.outline.at(piece, t);
            let outward = pose_a.matrix * Vec3::new(local.first.y, -local.first.x, 0.0);
            let seen = pose_b.to_local(&pose_a.to_world(&Vec3::new(local.point.x, local.point.y, 0.0)));
            let normal = b.outline.nearest(&Vec2::new(seen.x, seen.y)).normal;
            outward.dot(&(pose_b.matrix * Vec3::new(normal.x, normal.y, 0.0))) < 0.0
        };
        if value <= margin && is_smooth && is_opposed {
            minima.push((a.outline.at(piece, t).point, value));
        }
    }
    minima
}

fn grain_shape(j: u32) -> (Shape, Curve) {
    let definition = grain(j);
    (Shape::nurbs_curve(&definition).unwrap(), Curve::new(&definition).unwrap())
}

/// Returns the poses of two grains that just overlap, at an angle.
fn pair_poses(j: u32, a: &Curve, b: &Curve, overlap: f64) -> (Pose, Pose) {
    let turn = |angle: f64| Quat::from_axis_angle(&Vec3::z_axis(), angle);
    let pose_a = Pose::new(Vec3::new(0.3, -0.2, 0.0), turn(0.37 * f64::from(j)));
    let direction = turn(1.1 * f64::from(j)) * Vec3::x();
    let gap = |distance: f64| {
        let pose_b = Pose::new(pose_a.origin + direction * distance, turn(0.9 * f64::from(j) + 0.5));
        let samples = (0..a.outline.count()).flat_map(|piece| (0..20).map(move |at| (piece, f64::from(at) / 20.0)));
        samples.fold(f64::INFINITY, |smallest, (piece, t)| {
            let point = a.outline.at(piece, t).point;
            let local = pose_b.to_local(&pose_a.to_world(&Vec3::new(point.x, point.y, 0.0)));
            smallest.min(b.outline.nearest(&Vec2::new(local.x, local.y)).distance)
        })
    };
    let (mut near, mut far) = (0.0, 3.0);
    for _ in 0..20 {
        let middle = 0.5 * (near + far);
        if gap(middle) > -overlap { far = middle } else { near = middle }
    }
    (pose_a, Pose::new(pose_a.origin + direction * far, turn(0.9 * f64::from(j) + 0.5)))
}

#[test]
fn all_minima_of_pairs_of_grains() {
    let mut total = 0;
    for j in 0..16 {
        let ((shape_a, a), (shape_b, b)) = (grain_shape(j), grain_shape((5 * j + 3) % 16));
        for overlap in [-0.01, 0.001, 0.02] {
            let (pose_a, pose_b) = pair_poses(j, &a, &b, overlap);
            let margin = 0.03;
            let contacts = found(placed(&shape_a, &pose_a), placed(&shape_b, &pose_b), margin);
            // No minimum of either is missed, and none is found that is not a minimum.
            let along_a = brute(&a, &pose_a, &b, &pose_b, margin);
            let along_b = brute(&b, &pose_b, &a, &pose_a, margin);
            for (minima, own, sign) in [(&along_a, &pose_a, 0.5), (&along_b, &pose_b, -0.5)] {
                for (point, gap) in minima {
                    let world = own.to_world(&Vec3::new(point.x, point.y, 0.0));
                    let is_it = |contact: &&crate::collide::narrow::ContactPoint| {
                        (contact.point - contact.normal * (sign * contact.gap) - world).norm() < 1e-6
                            && (contact.gap - gap).abs() < 1e-12
                    };
                    assert!(
                        contacts.iter().any(|contact| is_it(&contact)),
                        "{j} {overlap} {sign}: lost {world} {gap} {contacts:?}"
                    );
                }
            }
            for contact in &contacts {
                let world = contact.point - contact.normal * (0.5 * contact.gap);
                let local = pose_b.to_local(&(world + contact.normal * contact.gap));
                assert!(
                    contact.gap <= margin && b.outline.nearest(&Vec2::new(local.x, local.y)).distance.abs() < 1e-13
                );
            }
            total += contacts.len();
            assert!(contacts.len() <= along_a.len().max(along_b.len()) + 2, "{j} {overlap}: {}", contacts.len());
        }
    }
    assert!(total > 50, "{total}");
}

#[test]
fn both_orders_give_the_same() {
    for j in 0..8 {
        let ((shape_a, a), (shape_b, b)) = (grain_shape(j), grain_shape(j + 8));
        let (pose_a, pose_b) = pair_poses(j, &a, &b, 0.01);
        let one = found(placed(&shape_a, &pose_a), placed(&shape_b, &pose_b), 0.02);
        let other = found(placed(&shape_b, &pose_b), placed(&shape_a, &pose_a), 0.02);
        assert_eq!(one.len(), other.len(), "{j}");
        for (one, other) in one.iter().zip(&other) {
            assert!((one.point - other.point).norm() < 1e-12 && (one.normal + other.normal).norm() < 1e-11);
            assert!((one.gap - other.gap).abs() < 1e-14);
        }
    }
}

#[test]
fn circles_touch_like_disks() {
    let shapes = [circle(0.5), circle(0.25)].map(|definition| Shape::nurbs_curve(&definition).unwrap());
    for (distance, angle) in [(0.76, 0.3f64), (0.75, 2.0), (0.7, 4.0), (0.4, 5.5)] {
        let direction = Vec3::new(angle.cos(), angle.sin(), 0.0);
        let poses = [Vec3::zeros(), direction * distance].map(|origin| Pose::new(origin, Quat::identity()));
        let contacts = found(placed(&shapes[0], &poses[0]), placed(&shapes[1], &poses[1]), 0.02);
        let [contact] = contacts[..] else { panic!("{contacts:?}") };
        assert!((contact.gap - (distance - 0.75)).abs() < 1e-15, "{}", contact.gap);
        assert!((contact.normal - direction).norm() < 1e-12);
        assert!((contact.point - direction * (0.5 + 0.5 * contact.gap)).norm() < 1e-12);
    }
}

#[test]
fn a_corner_pokes_into_a_side() {
    let shape = Shape::nurbs_curve(&polygon(&[[0.0, 0.0], [4.0, 0.0], [4.0, 1.0], [0.0, 1.0]])).unwrap();
    let diamond = CurveDefinition { ..polygon(&[[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]]) };
    let diamond = Shape::nurbs_curve(&diamond).unwrap();
    for gap in [0.05, 0.0, -0.05, -0.3] {
        let poses = [Vec3::zeros(), Vec3::new(1.3, 2.0 + gap, 0.0)].map(|origin| Pose::new(origin, Quat::identity()));
        let contacts = found(placed(&shape, &poses[0]), placed(&diamond, &poses[1]), 0.06);
        let [contact] = contacts[..] else { panic!("{gap}: {contacts:?}") };
        assert!((contact.gap - gap).abs() < 1e-15 && (contact.normal - Vec3::y()).norm() < 1e-12, "{contact:?}");
        assert!((contact.point - Vec3::new(1.3, 1.0 + 0.5 * gap, 0.0)).norm() < 1e-12);
    }
}
