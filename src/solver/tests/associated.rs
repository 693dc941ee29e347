//! One contact by the associated law: against its closed forms, and against the law itself.

use super::local::{block_of, positive_definite};
use super::random::Random;
use crate::math::Vec3;
use crate::solver::gauss_seidel::local::Block;
use crate::solver::gauss_seidel::rule;
use crate::solver::problem::cone::{Cone, Parts};
use nalgebra::Vector3;

fn solve(block: &Block, q: [f64; 3], mu: f64) -> [f64; 3] {
    rule::solve(&block.prepared(), 1.0, q, [0.0; 3], mu)
}

fn parts([n, t1, t2]: [f64; 3]) -> Parts {
    Parts { normal: n, bounded: [Vec3::new(t1, t2, 0.0), Vec3::zeros(), Vec3::zeros()] }
}

#[test]
fn a_block_on_a_plane_by_hand() {
    // D = 1, mu = 3/4: the projection of (4, 0, 12) is n = (4 + 9) / (1 + 9/16) = 8.32, |t| = 6.24.
    let block = Block { normal: 1.0, coupling: [0.0; 2], tangential: [1.0; 2] };
    let [n, t1, t2] = solve(&block, [-4.0, 0.0, -12.0], 0.75);
    assert!((n - 8.32).abs() <= 4e-15 && t1 == 0.0 && (t2 - 6.24).abs() <= 4e-15, "{n} {t1} {t2}");
    // It leaves with mu times its sliding speed: w = r + q = (4.32, -5.76).
    assert!((n - 4.0 - 0.75 * (12.0 - t2)).abs() <= 8e-15);
    // It sticks inside of the cone, also where the normal alone would separate.
    assert_eq!(solve(&block, [-4.0, 0.0, -3.0], 0.75), [4.0, 0.0, 3.0]);
    // It is open where it separates by at least mu times the tangential speed, and is lifted where it does not.
    assert_eq!(solve(&block, [3.0, 0.0, 4.0], 0.75), [0.0; 3]);
    let [n, ..] = solve(&block, [2.0, 0.0, 4.0], 0.75);
    assert!((n - 1.0 / 1.5625).abs() <= 1e-15, "{n}");
}

#[test]
fn the_residual_is_zero_at_the_answer_and_only_there() {
    let cone = Cone { dilation: 1.0, ..Cone::of_friction(0.75) };
    let (lambda, w) = (parts([8.32, 0.0, 6.24]), parts([4.32, 0.0, -5.76]));
    assert!(cone.residual(&lambda, &w, 1.0, 1.0) <= 4e-15);
    // By Coulomb's law a contact that carries does not separate.
    let coulomb = Cone::of_friction(0.75);
    assert!(coulomb.residual(&lambda, &w, 1.0, 1.0) > 1.0);
    let slides = parts([4.0, 0.0, 3.0]);
    assert!(coulomb.residual(&slides, &parts([0.0, 0.0, -9.0]), 1.0, 1.0) == 0.0);
    assert!(cone.residual(&slides, &parts([0.0, 0.0, -9.0]), 1.0, 1.0) > 1.0);
}

#[test]
fn any_block_obeys_the_law() {
    let mut random = Random(11);
    let mut met = [0; 3];
    for case in 0..40_000 {
        let (condition, largest) = if case % 2 == 0 { (30.0, 2.0) } else { (1e4, 1e3) };
        let (block, matrix) = block_of(&positive_definite(&mut random, condition));
        let mu = random.magnitude(1e-3, largest);
        let q = Vector3::new(random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let r = solve(&block, q.into(), mu);
        let w = matrix * Vector3::from(r) + q;
        let cone = Cone { dilation: 1.0, ..Cone::of_friction(mu) };
        let scale = matrix.trace() / 3.0;
        let residual = cone.residual(&parts(r), &parts(w.into()), scale, 1.0);
        let size = matrix.norm() * Vector3::from(r).norm() + q.norm();
        // where friction moves the contact along its normal by far more than it is pressed, that magnifies round-off
        let magnified = 1.0 + mu * block.coupling[0].hypot(block.coupling[1]) / block.normal;
        assert!(residual <= 4e-15 * magnified * size, "case {case}: {residual:e} of {size:e}, mu {mu}, r {r:?}");
        met[if r == [0.0; 3] { 0 } else { 1 + usize::from(w.norm() > 1e-9 * size) }] += 1;
    }
    assert!(met.iter().all(|count| *count > 1000), "a region was hardly met: {met:?}");
}

#[test]
fn without_friction_it_is_signorini_to_the_last_bit() {
    let mut random = Random(12);
    for _ in 0..1000 {
        let (block, _) = block_of(&positive_definite(&mut random, 30.0));
        let q = [random.between(-1.0, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0)];
        let old = [random.between(0.0, 1.0), 0.0, 0.0];
        let by = |dilation: f64| rule::solve(&block.prepared(), dilation, q, old, 0.0);
        assert_eq!(by(1.0).map(f64::to_bits), by(0.0).map(f64::to_bits));
    }
}

#[test]
fn tiny_impulses_obey_the_law() {
    // The squares of the tangential impulses are zero.
    let block = Block { normal: 1.0, coupling: [0.0; 2], tangential: [1.0; 2] };
    let tiny = 1e-200;
    let [n, _, t2] = solve(&block, [-4.0 * tiny, 0.0, -12.0 * tiny], 0.75);
    assert!((n / tiny - 8.32).abs() <= 1e-14 && (t2 / tiny - 6.24).abs() <= 1e-14, "{n} {t2}");
}
