use crate::math::Vec2;
use crate::shape::nurbs::boxes::{Box2, BoxTree};

fn boxes() -> Vec<Box2> {
    (0..11).map(|at| Box2::around([Vec2::new(f64::from(at), 0.0), Vec2::new(f64::from(at) + 0.5, 1.0)])).collect()
}

#[test]
fn walks_visit_what_is_entered_in_order() {
    let (boxes, mut tree) = (boxes(), BoxTree::default());
    tree.fill(boxes.len(), |at| boxes[at]).unwrap();
    let region = Box2::around([Vec2::new(3.2, 0.5), Vec2::new(6.1, 2.0)]);
    let mut found = Vec::new();
    tree.walk(|all| all.meets(&region, 0.0), |leaf| found.push(leaf));
    assert_eq!(found, [3, 4, 5, 6]);
    assert_eq!((tree.whole().lower, tree.whole().upper), (Vec2::zeros(), Vec2::new(10.5, 1.0)));
}

#[test]
fn the_nearest_comes_first() {
    let (boxes, mut tree) = (boxes(), BoxTree::default());
    tree.fill(boxes.len(), |at| boxes[at]).unwrap();
    let mut found = Vec::new();
    let point = Vec2::new(7.25, 3.0);
    tree.nearest(&point, f64::INFINITY, |leaf, _| {
        found.push(leaf);
        boxes[leaf].squared_distance(&point)
    });
    assert_eq!(found, [7]);
    assert!(!Box2::EMPTY.meets(&boxes[0], 1.0));
    assert_eq!(Box2::EMPTY.squared_distance(&point), f64::INFINITY);
}
