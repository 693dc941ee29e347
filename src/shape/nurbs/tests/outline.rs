use super::grains::{circle, grain, polygon};
use crate::math::Vec2;
use crate::shape::nurbs::Curve;

#[test]
fn a_circle_has_its_curvature_everywhere() {
    let curve = Curve::new(&circle(0.4)).unwrap();
    for piece in 0..4 {
        for t in [0.0, 0.2, 0.5, 0.8, 1.0] {
            let local = curve.outline.at(piece, t);
            assert!((local.point.norm() - 0.4).abs() < 1e-16 * 4.0);
            assert!((local.curvature() - 2.5).abs() < 1e-13, "{}", local.curvature());
            assert!(curve.outline.tangent(piece, t, &local).dot(&local.point).abs() < 1e-15);
        }
    }
    assert!(!curve.outline.has_corners());
}

#[test]
fn derivatives_are_those_of_differences() {
    let curve = Curve::new(&grain(3)).unwrap();
    let step = 1e-5;
    for piece in 0..curve.outline.count() {
        let [before, here, after] = [0.3 - step, 0.3, 0.3 + step].map(|t| curve.outline.at(piece, t));
        let first = (after.point - before.point) / (2.0 * step);
        let second = (after.first - before.first) / (2.0 * step);
        assert!((first - here.first).norm() < 1e-9 && (second - here.second).norm() < 1e-8);
    }
}

#[test]
fn corners_of_a_polygon() {
    let curve = Curve::new(&polygon(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])).unwrap();
    let outline = &curve.outline;
    assert_eq!(outline.count(), 4);
    assert!((0..4).all(|piece| outline.join(piece).is_corner));
    let at = (0..4).find(|piece| outline.start(*piece) == Vec2::new(2.0, 0.0)).unwrap();
    let join = outline.join(at);
    assert_eq!((join.before, join.after), (Vec2::x(), Vec2::y()));
    assert_eq!((outline.length(at), outline.size()), (1.0, 2.0));
}
