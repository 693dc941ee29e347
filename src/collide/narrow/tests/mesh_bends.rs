//! Meshes of four planes that are gently bent against each other: bodies rest on them only if no contact comes and goes.

use super::scene::{at, meet, one_way, pose};
use crate::math::{Pose, Vec3};
use crate::shape::Shape;

/// Four squares of 2 by 2 about the origin, with the slopes at which they rise away from it: towards -x, +x, -y and +y. Bit `k` of `diagonals` turns the diagonal of square `k`.
fn bent([left, right, front, back]: [f64; 4], diagonals: u32) -> Shape {
    let height = |x: f64, y: f64| {
        let along = if x < 0.0 { -left * x } else { right * x };
        along + if y < 0.0 { -front * y } else { back * y }
    };
    let place = |at: u32| {
        let (x, y) = (2.0 * f64::from(at / 3) - 2.0, 2.0 * f64::from(at % 3) - 2.0);
        [x, y, height(x, y)]
    };
    let points: Vec<[f64; 3]> = (0..9).map(place).collect();
    let square = |at: u32| {
        let first = 3 * (at / 2) + at % 2;
        let corners = [first, first + 3, first + 4, first + 1];
        let corner = |index: u32| corners[((index + (diagonals >> at & 1)) % 4) as usize];
        [[corner(0), corner(1), corner(2)], [corner(0), corner(2), corner(3)]]
    };
    let triangles: Vec<[u32; 3]> = (0..4).flat_map(square).collect();
    Shape::mesh(&points, &triangles).expect("a surface")
}

/// Checks that each of these places has a contact of this gap. Both are where the shape meets a plane or a ridge, worked out from its pose alone.
fn assert_touches(a: (&Shape, &Pose), mesh: &Shape, expected: &[([f64; 3], f64)]) {
    let found = meet(a, (mesh, &at(0.0, 0.0, 0.0)), 1e-3);
    for (place, gap) in expected {
        // Places and gaps are written with four digits.
        let is_there = |point: &Vec3| (point - Vec3::from(*place)).norm() < 1e-3;
        let here = found.iter().filter(|contact| is_there(&contact.point));
        let least = here.map(|contact| contact.gap).fold(f64::INFINITY, f64::min);
        assert!((least - gap).abs() < 1e-3 * gap.abs(), "{place:?}: {least} in {found:?}");
    }
}

/// A corner is in the plane of two triangles. Those of the plane beyond the saddle have their contacts elsewhere.
#[test]
fn a_corner_beside_a_saddle_has_its_contact() {
    let slopes = [-0.18353394918749966, -0.09141130390776075, 0.11357412303237838, 0.001016476835955904];
    let (near, far) = (0.25049900051398705, 0.1239252741908348);
    let ring = |radius: f64, z: f64| {
        (0..5).map(move |at| {
            let angle = f64::from(at) * std::f64::consts::TAU / 5.0;
            [radius * angle.cos(), radius * angle.sin(), z]
        })
    };
    let points: Vec<[f64; 3]> = ring(far, -near).chain(ring(0.07747810260315036, near)).collect();
    let hull = Shape::hull(&points).expect("a hull");
    let turn = [0.7531709108866987, -0.025644856157732515, 0.1915150622928273, -0.6288067280665214];
    let pose = pose([0.23760978551015555, 0.09096741886685251, 0.069308415727042], turn);
    for diagonals in 0..16 {
        assert_touches((&hull, &pose), &bent(slopes, diagonals), &[([0.2165, -0.1790, 0.0004], -1.833e-4)]);
    }
}

/// The lower side of a box spans a ridge. It is tilted against it, so that the middle of the mesh, which other triangles have too, is highest.
#[test]
fn a_ridge_below_a_box_touches_it_at_both_ends() {
    let slopes = [-0.13753348471988286, 0.14805560352288571, -0.07088257932990101, 0.05939380647005457];
    let shape = Shape::cuboid([0.09725010784493199, 0.2755315497200126, 0.18340776272865408]).expect("a box");
    let turn = [-0.011478420153099406, -0.07951360164625393, 0.5327377245030587, 0.8424585152488714];
    let pose = pose([0.24014676576508992, 0.02744093106649963, 0.22292557559350584], turn);
    assert_touches(
        (&shape, &pose),
        &bent(slopes, 0b0111),
        &[([0.1265, 0.0, 0.0187], -2.567e-4), ([0.5509, 0.0, 0.0816], -2.315e-4)],
    );
}

/// The middle of a side of a box is on the ridge: no other contacts say how deep it is there.
#[test]
fn points_between_others_stay_where_they_are_deeper() {
    let slopes = [0.20037368490952423, -0.20260690783061347, 0.0, 0.0];
    let shape = Shape::cuboid([0.06820106718179307, 0.21387403862263984, 0.06248624351773557]).expect("a box");
    let turn = [0.05303051593698162, 0.08407544663702345, 0.5316789780976634, 0.8410924728597129];
    let pose = pose([0.04104496616621161, 0.0505104735730479, 0.055288192793682835], turn);
    let expected = [([0.0, 0.1399, 0.0], -1.8854e-4), ([0.0, -0.0111, 0.0], -1.5908e-4)];
    assert_touches((&shape, &pose), &bent(slopes, 0b1010), &expected);
}

/// Whether a side is in front does not depend on the order of the corners.
#[test]
fn the_winding_of_the_triangles_does_not_matter() {
    let points = [[-2.0, -2.0, 0.1], [2.0, -2.0, 0.0], [2.0, 2.0, -0.1], [-2.0, 2.0, 0.2], [0.1, 0.2, 0.3]];
    let triangles = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
    let shape = Shape::cuboid([0.3, 0.2, 0.1]).expect("a box");
    let pose = pose([0.05, 0.1, 0.36], [0.02, -0.03, 0.1, 0.994]);
    let found = |windings: u32| {
        let triangles = [0, 1, 2, 3].map(|at: usize| {
            let [a, b, c] = triangles[at];
            if windings >> at & 1 == 1 { [a, c, b] } else { [a, b, c] }
        });
        let mesh = Shape::mesh(&points, &triangles).expect("a surface");
        let contacts = one_way((&shape, &pose), (&mesh, &at(0.0, 0.0, 0.0)), 0.01);
        contacts.iter().map(|contact| (contact.feature, contact.gap, contact.normal)).collect::<Vec<_>>()
    };
    let expected = found(0);
    assert!(!expected.is_empty());
    for windings in (0..16).step_by(2) {
        assert_eq!(found(windings), expected, "{windings}");
    }
}
