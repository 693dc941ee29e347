//! The one-contact solve: region by region, and against the laws themselves and a search over the sliding angle.

use super::random::Random;
use crate::math::Mat3;
use crate::math::elementary::power_of_two;
use crate::solver::gauss_seidel::local::{Block, Mode};
use nalgebra::{Matrix2, SymmetricEigen, Vector3};

type Vector = Vector3<f64>;

/// A block of uncoupled rows: `D = diag(2, 4, 4)`.
const PLAIN: Block = Block { normal: 2.0, coupling: [0.0, 0.0], tangential: [4.0, 4.0] };

/// A random symmetric positive definite matrix of this condition number at most.
pub(super) fn positive_definite(random: &mut Random, condition: f64) -> Mat3 {
    let turn = random.rotation();
    let size = random.magnitude(1e-6, 1e6);
    let values = Vector::from_fn(|_, _| size * random.magnitude(1.0, condition));
    turn * Mat3::from_diagonal(&values) * turn.transpose()
}

/// The block of `matrix` by an eigensolver, and the matrix in the block's axes.
pub(super) fn block_of(matrix: &Mat3) -> (Block, Mat3) {
    let normal = matrix[(0, 0)];
    let coupling = matrix.fixed_view::<2, 1>(1, 0).into_owned();
    let reduced: Matrix2<f64> = matrix.fixed_view::<2, 2>(1, 1) - coupling * coupling.transpose() / normal;
    let eigen = SymmetricEigen::new(reduced);
    let mut turn = Mat3::identity();
    turn.fixed_view_mut::<2, 2>(1, 1).copy_from(&eigen.eigenvectors);
    let turned = turn.transpose() * matrix * turn;
    let tangential = [eigen.eigenvalues[0], eigen.eigenvalues[1]];
    (Block { normal, coupling: [turned[(1, 0)], turned[(2, 0)]], tangential }, turned)
}

/// The largest violation of Signorini's and Coulomb's laws, in units of `|D| |r| + |q|`: what round-off of `D r + q` is
/// in proportion to. Signs and the cone are asserted, since those hold to the last bits.
fn violation(matrix: &Mat3, q: &Vector, mu: f64, r: &Vector, mode: Mode) -> f64 {
    let w = matrix * r + q;
    let scale = matrix.norm() * r.norm() + q.norm();
    let (r_t, w_t) = (r.yz(), w.yz());
    assert!(r.x >= 0.0, "r_n = {}", r.x);
    assert!(r_t.norm() <= mu * r.x * (1.0 + 4.0 * f64::EPSILON), "|r_T| = {:e}, mu r_n = {:e}", r_t.norm(), mu * r.x);
    match mode {
        Mode::Open => {
            assert_eq!(*r, Vector::zeros());
            (-w.x).max(0.0) / scale
        }
        Mode::Stick => w.norm() / scale,
        Mode::Slip => {
            assert!(r_t.norm() >= mu * r.x * (1.0 - 4.0 * f64::EPSILON));
            let (along, across) = match r_t.try_normalize(0.0) {
                None => (0.0, 0.0),
                Some(e) => (w_t.dot(&e).max(0.0), (w_t.x * e.y - w_t.y * e.x).abs()),
            };
            w.x.abs().max(along).max(across) / scale
        }
    }
}

#[test]
fn a_separating_contact_has_no_impulse() {
    assert_eq!(PLAIN.solve(&[0.0, 3.0, -4.0], 0.5), ([0.0; 3], Mode::Open));
    assert_eq!(PLAIN.solve(&[1e-300, 3.0, -4.0], 0.5), ([0.0; 3], Mode::Open));
}

#[test]
fn a_contact_sticks_up_to_the_edge_of_the_cone_and_slides_beyond() {
    // r_n = 4 / 2 = 2, r_T = -4 / 4 = -1 = mu r_n: on the edge, and every number is exact.
    assert_eq!(PLAIN.solve(&[-4.0, 4.0, 0.0], 0.5), ([2.0, -1.0, 0.0], Mode::Stick));
    // One bit more tangential velocity: the same impulse, now sliding.
    let beyond = 4.0_f64.next_up();
    assert_eq!(PLAIN.solve(&[-4.0, beyond, 0.0], 0.5), ([2.0, -1.0, 0.0], Mode::Slip));
    // Far beyond: r_T = -mu r_n (3, 4)/5 = -(0.6, 0.8), two roundings each.
    let ([n, t1, t2], mode) = PLAIN.solve(&[-4.0, 300.0, 400.0], 0.5);
    assert_eq!((n, mode), (2.0, Mode::Slip));
    assert!((t1 + 0.6).abs() < 4.0 * f64::EPSILON && (t2 + 0.8).abs() < 4.0 * f64::EPSILON, "{t1} {t2}");
}

#[test]
fn without_friction_only_the_normal_impulse_acts() {
    // r_n = 6 / 2, whatever the coupling.
    let coupled = Block { coupling: [1.0, -1.0], ..PLAIN };
    assert_eq!(coupled.solve(&[-6.0, 5.0, 7.0], 0.0), ([3.0, 0.0, 0.0], Mode::Slip));
}

#[test]
fn the_least_normal_impulse_still_gives_its_friction() {
    // |q_T| / (mu r_n) overflows; the impulse stays finite and on the cone: mu r_n (1, 1) / sqrt 2, with some roundings to
    // the least number, 5e-324.
    let ([n, t1, t2], mode) = PLAIN.solve(&[-1e-310, 1.0, 1.0], 1e-3);
    assert_eq!((n, mode), (5e-311, Mode::Slip));
    let along = -5e-314 * 0.5_f64.sqrt();
    assert!((t1 - along).abs() <= 2e-323 && (t2 - along).abs() <= 2e-323, "{t1:e} {t2:e}");
}

#[test]
fn velocities_whose_squares_are_none_slide_as_others_do() {
    // (1e-160)^2 is below the least number; r_n = 1e-170 / 2, and friction of half of that along -t1.
    let ([n, t1, t2], mode) = PLAIN.solve(&[-1e-170, 1e-160, 0.0], 0.5);
    assert_eq!((t2, mode), (0.0, Mode::Slip));
    assert!((n / 5e-171 - 1.0).abs() <= 4.0 * f64::EPSILON, "{n:e}");
    assert!((t1 / -2.5e-171 - 1.0).abs() <= 4.0 * f64::EPSILON, "{t1:e}");
}

/// A block is the same in all units, so the law holds for tiny impulses as for others, to the digits that their numbers have.
#[test]
fn impulses_whose_squares_are_none_stay_inside_the_cone() {
    for q in [[-4.0, 4.5, 0.0], [-4.0, 300.0, 400.0], [-4.0, 2.0, -1.0]] {
        let (expected, mode) = PLAIN.solve(&q, 0.5);
        for exponent in [-500, -520, -560, -700, -960] {
            let units = power_of_two(exponent);
            let (found, found_mode) = PLAIN.solve(&q.map(|q| q * units), 0.5);
            assert_eq!(found_mode, mode, "{q:?} times 2^{exponent}");
            for (found, expected) in found.iter().zip(expected) {
                assert!((found / units - expected).abs() <= 8.0 * f64::EPSILON, "{q:?} times 2^{exponent}: {found:e}");
            }
        }
    }
}

#[test]
fn times_is_the_matrix() {
    let mut random = Random(1);
    for _ in 0..1000 {
        let (block, matrix) = block_of(&positive_definite(&mut random, 100.0));
        let r = random.vector(1.0);
        let error = Vector::from(block.times(&r.into())) - matrix * r;
        // Three products and the reduction's division: some 20 roundings of |D| |r|.
        assert!(error.norm() <= 20.0 * f64::EPSILON * matrix.norm() * r.norm(), "{error}");
    }
}

#[test]
fn both_laws_hold_for_every_block() {
    let mut random = Random(2);
    let mut counts = [0; 3];
    for case in 0..100_000 {
        let (block, matrix) = block_of(&positive_definite(&mut random, 1e6));
        let mu = if case % 50 == 0 { 0.0 } else { random.magnitude(1e-3, 1e3) };
        // From nearly head-on to nearly grazing, mostly closing.
        let size = random.magnitude(1e-6, 1e6);
        let tangential = random.vector(size);
        let sign = if random.one_in(10) { 1.0 } else { -1.0 };
        let q = Vector::new(sign * size * random.magnitude(1e-6, 1e3), tangential.y, tangential.z);
        let (r, mode) = block.solve(&q.into(), mu);
        let worst = violation(&matrix, &q, mu, &r.into(), mode);
        // Round-off alone: 1e-15 was met, and the block is reduced with as much.
        assert!(worst <= 1e-14, "case {case}: {worst:e} {mode:?} mu {mu} q {q:?} r {r:?} D {matrix}");
        // Which of the three it must be, by the inverse of the whole matrix.
        let sticking = -matrix.cholesky().expect("positive definite").solve(&q);
        let (reach, limit) = (sticking.yz().norm(), mu * sticking.x);
        let margin = 1e-6 * sticking.norm() * (1.0 + mu);
        if q.x >= 0.0 {
            assert_eq!(mode, Mode::Open);
        } else if (reach - limit).abs() > margin {
            assert_eq!(mode, if reach < limit { Mode::Stick } else { Mode::Slip }, "case {case}");
        }
        counts[mode as usize] += 1;
    }
    assert!(counts.iter().all(|count| *count > 5000), "a region was hardly met: {counts:?}");
}

#[test]
fn huge_friction_sticks_or_slides_within_the_laws() {
    // At mu = 1e6 the cone is nearly the half space, and r_n is what is left of a difference: a sliding impulse made as
    // mu r_n had an error of mu times its round-off, 1e-9.
    let mut random = Random(3);
    for case in 0..10_000 {
        let (block, matrix) = block_of(&positive_definite(&mut random, 1e4));
        let q = Vector::new(-random.magnitude(1e-3, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let (r, mode) = block.solve(&q.into(), 1e6);
        let worst = violation(&matrix, &q, 1e6, &r.into(), mode);
        assert!(worst <= 1e-14, "case {case}: {worst:e} {mode:?}");
    }
}

#[test]
fn the_root_is_not_left_again() {
    // Newton's steps reach this root in four; there the excess mu r_n - |r_T| is -6e-14, round-off, and its sign made a
    // the lower end of the bracket. The next step was none, so it counted as outside, and the search went on by halving
    // from the far end: 55 passes later it was back within 1e-9 only.
    let block = Block {
        normal: 14.844273284129684,
        coupling: [-302.10834302292864, -22.72341868025339],
        tangential: [20.868594884823754, 0.18704513814079654],
    };
    let (q, mu) = ([-0.012930972306436367, -1259.0807165082722, 261.32395356803767], 1.1428606066688396);
    let (r, mode) = block.solve(&q, mu);
    let [n, t1, t2] = block.times(&r);
    let w = Vector::new(n, t1, t2) + Vector::from(q);
    // |D| |r| is 6600 * 670 = 4.4e6; the normal velocity is that times a few eps.
    assert_eq!(mode, Mode::Slip);
    assert!(w.x.abs() <= 1e-8, "{}", w.x);
    assert!((w.y * r[2] - w.z * r[1]).abs() <= 1e-8 * (r[1] * r[1] + r[2] * r[2]).sqrt(), "{w}");
}

/// All sliding impulses, found without the shift: for each direction `e` of the friction the normal row gives
/// `r_n = -q_n / (D_NN + mu D_NT e)`, and the sliding velocity must be antiparallel to `e`.
fn sliding_impulses(matrix: &Mat3, q: &Vector, mu: f64) -> Vec<Vector> {
    let at = |angle: f64| {
        let (sine, cosine) = angle.sin_cos();
        let e = Vector::new(1.0, mu * cosine, mu * sine);
        let r = e * (-q.x / (matrix * e).x);
        let w = matrix * r + q;
        (w.y * sine - w.z * cosine, w.y * cosine + w.z * sine, r)
    };
    let parts = 4000;
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / f64::from(parts);
    let mut found = Vec::new();
    for k in 0..parts as usize {
        let (mut low, mut high) = (angle(k), angle(k + 1));
        if at(low).0.signum() == at(high).0.signum() {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if at(middle).0.signum() == at(low).0.signum() { low = middle } else { high = middle }
        }
        let (across, along, r) = at(low);
        // A sign change at a pole of r_n is no root.
        if along <= 0.0 && r.x > 0.0 && across.abs() <= 1e-6 * (matrix.norm() * r.norm() + q.norm()) {
            found.push(r);
        }
    }
    found
}

#[test]
fn sliding_agrees_with_a_search_over_the_angle() {
    let mut random = Random(4);
    let (mut checked, mut single) = (0, 0);
    while checked < 500 {
        let (block, matrix) = block_of(&positive_definite(&mut random, 30.0));
        let mu = random.magnitude(0.05, 2.0);
        let q = Vector::new(-random.magnitude(0.01, 1.0), random.between(-1.0, 1.0), random.between(-1.0, 1.0));
        let (r, mode) = block.solve(&q.into(), mu);
        if mode != Mode::Slip {
            continue;
        }
        let found = sliding_impulses(&matrix, &q, mu);
        let nearest = found.iter().map(|other| (other - Vector::from(r)).norm()).fold(f64::INFINITY, f64::min);
        // The angle of a root is known to round-off over the slope there, which is seldom below 1e-5.
        assert!(nearest <= 1e-9 * Vector::from(r).norm(), "{nearest:e}, {} roots, r {r:?}", found.len());
        checked += 1;
        single += usize::from(found.len() == 1);
    }
    // Friction this weak seldom has two answers: the search tests the very one.
    assert!(single > 450, "{single} of {checked} have one root");
}
