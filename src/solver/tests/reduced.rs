//! The problem in impulses alone, by hand and at random: velocities, bounds, residuals, projection.

use super::random::Random;
use super::small;
use crate::solver::operator::reduced::{Block, Law, Reduced, Symmetric, parts, write_parts};
use crate::solver::problem::cone::{Cone, Parts};

fn free(first: usize) -> Block {
    bounded(first, f64::NEG_INFINITY, f64::INFINITY, None)
}

fn bounded(first: usize, lower: f64, upper: f64, of: Option<usize>) -> Block {
    Block { first, law: Law::Bounded { lower, upper, of }, scale: 2.0, length: 1.0 }
}

fn contact(first: usize, dimension: usize) -> Block {
    let cone = Cone { friction: 0.5, rolling: 0.25, twisting: 0.125, dilation: 0.0 };
    Block { first, law: Law::Contact { cone, dimension }, scale: 0.5, length: 2.0 }
}

/// Nothing couples; `w = q` whatever the impulses.
fn of_blocks(blocks: Vec<Block>) -> Reduced {
    let rows = blocks.last().map_or(0, |block| block.rows().end);
    let matrix = Symmetric { offsets: vec![0; rows + 1], ..Symmetric::default() };
    Reduced { matrix, q: vec![0.0; rows], blocks }
}

#[test]
fn velocities_are_the_matrix_times_the_impulses() {
    // [2 1 0; 1 3 0; 0 0 0] with (1, 2, 3), plus q = (0.5, 0, -1).
    let matrix = Symmetric { offsets: vec![0, 2, 4, 4], columns: vec![0, 1, 0, 1], values: vec![2.0, 1.0, 1.0, 3.0] };
    let reduced = Reduced { matrix, q: vec![0.5, 0.0, -1.0], blocks: vec![free(0), free(1), free(2)] };
    let mut w = [f64::NAN; 3];
    reduced.velocity(&[1.0, 2.0, 3.0], &mut w);
    assert_eq!(w, [4.5, 7.0, -1.0]);
    assert_eq!((reduced.size(), reduced.matrix.size()), (3, 3));
    assert_eq!((reduced.matrix.entry(0, 1), reduced.matrix.entry(0, 2), reduced.matrix.entry(2, 2)), (1.0, 0.0, 0.0));
    assert_eq!(reduced.matrix.row(1), (&[0, 1][..], &[1.0, 3.0][..]));
    assert_eq!(reduced.matrix.row_times(1, &[1.0, 2.0, 3.0]), 7.0);
    assert_eq!(Symmetric::default().size(), 0);
}

#[test]
fn blocks_list_their_rows() {
    assert_eq!(
        (contact(4, 3).rows(), contact(4, 5).rows(), contact(4, 6).rows(), free(4).rows()),
        (4..7, 4..9, 4..10, 4..5)
    );
}

#[test]
fn bounds_are_multiplied_by_the_magnitude_of_the_other_block() {
    let reduced = of_blocks(vec![bounded(0, -1.0, 1.0, Some(1)), free(1), contact(2, 3)]);
    let lambda = [9.0, -3.0, 4.0, 0.0, 0.0];
    assert_eq!(reduced.bounds(-1.0, 2.0, None, &lambda), (-1.0, 2.0));
    assert_eq!(reduced.bounds(-1.0, 2.0, Some(1), &lambda), (-3.0, 6.0));
    assert_eq!(reduced.bounds(-1.0, 2.0, Some(2), &lambda), (-4.0, 8.0), "the normal row of a contact");
    assert_eq!(reduced.bounds(f64::NEG_INFINITY, f64::INFINITY, Some(1), &[0.0; 5]), (0.0, 0.0));
}

#[test]
fn residuals_of_single_rows_by_hand() {
    // scale 2: |lambda - clamp(lambda - w / 2)| 2.
    let reduced = of_blocks(vec![free(0), bounded(1, 0.0, f64::INFINITY, None), bounded(2, -0.5, 0.5, Some(1))]);
    let of = |block: usize, lambda: [f64; 3], w: [f64; 3]| reduced.block_residual(&reduced.blocks[block], &lambda, &w);
    assert_eq!(of(0, [3.0, 0.0, 0.0], [-0.5, 0.0, 0.0]), 0.5);
    assert_eq!(of(1, [0.0; 3], [0.0, 7.0, 0.0]), 0.0, "open");
    assert_eq!(of(1, [0.0; 3], [0.0, -7.0, 0.0]), 7.0);
    assert_eq!(of(1, [0.0, 1.0, 0.0], [0.0, 7.0, 0.0]), 2.0, "no further than to its bound");
    assert_eq!(of(2, [0.0, 4.0, 2.0], [0.0, 0.0, -7.0]), 0.0, "at its upper bound of 0.5 * 4");
    assert_eq!(of(2, [0.0, 3.0, 2.0], [0.0, 0.0, -7.0]), 1.0, "beyond it by 0.5");
    // A row of spins: times its length; one that nothing moves: nothing.
    let long = Block { length: 3.0, ..free(0) };
    assert_eq!(reduced.block_residual(&long, &[0.0; 3], &[0.5, 0.0, 0.0]), 1.5);
    let inert = Block { scale: 0.0, ..free(0) };
    assert_eq!(reduced.block_residual(&inert, &[1.0; 3], &[9.0; 3]), 0.0);
    assert_eq!(reduced.residual(&[0.0; 3], &[0.5, -0.75, 0.0]), 0.75, "the largest");
    assert_eq!(reduced.residual(&[0.0; 3], &[f64::NAN, 0.0, 0.0]), f64::INFINITY);
    assert_eq!(reduced.residual(&[f64::NAN, 0.0, 0.0], &[0.0; 3]), f64::INFINITY);
}

#[test]
fn residuals_of_contacts_are_those_of_their_cones() {
    let mut random = Random(1);
    for dimension in [3, 5, 6] {
        let reduced = of_blocks(vec![free(0), contact(1, dimension)]);
        for _ in 0..200 {
            let mut numbers = || (0..=dimension).map(|_| random.between(-1.0, 1.0)).collect::<Vec<f64>>();
            let (lambda, w) = (numbers(), numbers());
            let Law::Contact { cone, .. } = reduced.blocks[1].law else { panic!("a contact") };
            let of = |rows: &[f64]| {
                let vector = |a: usize, b: usize| {
                    let at = |index: usize| rows.get(index).copied().unwrap_or(0.0);
                    crate::math::Vec3::new(at(a), at(b), 0.0)
                };
                Parts { normal: rows[1], bounded: [vector(2, 3), vector(4, 5), vector(6, 99)] }
            };
            let expected = cone.residual(&of(&lambda), &of(&w), 0.5, 2.0);
            assert_eq!(reduced.block_residual(&reduced.blocks[1], &lambda, &w), expected);
        }
    }
}

#[test]
fn parts_go_there_and_back() {
    let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    for dimension in [3, 5, 6] {
        let mut back = vec![0.0; dimension];
        write_parts(&parts(&rows[..dimension]), &mut back);
        assert_eq!(back, rows[..dimension]);
    }
}

#[test]
fn projected_impulses_obey_every_law_and_are_kept() {
    let mut random = Random(2);
    // rows bounded by a row before and by one after, and by the normal row of a contact
    let blocks = vec![
        bounded(0, -0.5, 0.5, Some(1)),
        bounded(1, 0.0, 1.0, None),
        bounded(2, -0.5, 0.25, Some(1)),
        contact(3, 3),
        contact(6, 5),
        contact(11, 6),
        bounded(17, -1.0, 1.0, Some(5)),
    ];
    let reduced = of_blocks(blocks);
    for case in 0..5000 {
        let given: Vec<f64> = (0..reduced.size()).map(|_| random.between(-2.0, 2.0)).collect();
        let mut onto = given.clone();
        reduced.project(&mut onto);
        let still = vec![0.0; reduced.size()];
        // At rest the residual is the distance to the laws: a few eps of impulses of 2, times the scale.
        assert!(reduced.residual(&onto, &still) <= 8e-15, "case {case}: {:e}", reduced.residual(&onto, &still));
        let mut again = onto.clone();
        reduced.project(&mut again);
        let moved = onto.iter().zip(&again).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(moved <= 8e-15, "case {case}: {moved:e}");
        // The rows on their own: clamped, with the new impulse of the others.
        let factor = onto[1];
        assert_eq!(onto[1], given[1].clamp(0.0, 1.0));
        assert_eq!(onto[0], given[0].clamp(-0.5 * factor, 0.5 * factor));
        assert_eq!(onto[2], given[2].clamp(-0.5 * factor, 0.25 * factor));
        assert_eq!(onto[17], given[17].clamp(-onto[11], onto[11]));
        // The contacts in the metric of their length.
        let Law::Contact { cone, .. } = reduced.blocks[5].law else { panic!("a contact") };
        let expected = cone.projected_at(&parts(&given[11..17]), 2.0);
        assert_eq!(parts(&onto[11..17]), expected);
    }
}

#[test]
fn clearing_makes_room_and_leaves_nothing() {
    let mut reduced = of_blocks(vec![free(0), contact(1, 6)]);
    reduced.matrix.values.push(1.0);
    reduced.matrix.columns.push(0);
    reduced.clear(3, 5).expect("memory");
    assert_eq!((reduced.blocks.len(), &reduced.q[..]), (0, &[0.0; 5][..]));
    assert!(reduced.matrix.offsets.is_empty() && reduced.matrix.columns.is_empty() && reduced.matrix.values.is_empty());
    assert!(reduced.blocks.capacity() >= 3 && reduced.matrix.offsets.capacity() >= 6);
}

#[test]
fn round_off_is_that_of_the_largest_row() {
    let matrix = nalgebra::DMatrix::from_row_slice(2, 2, &[2.0, -1.0, -1.0, 3.0]);
    let problem = small::dense(&matrix, &[-4.0, 1.0], &[small::bilateral(), small::bilateral()]);
    // rows: 4 + 2 * 1 + 1 * 2 = 8, and 1 + 1 * 1 + 3 * 2 = 8; with the first impulse doubled 10 and 9
    assert_eq!(problem.round_off(&[1.0, -2.0]), 8.0 * f64::EPSILON);
    assert_eq!(problem.round_off(&[2.0, -2.0]), 10.0 * f64::EPSILON);
}

#[test]
fn a_start_is_brought_to_its_bounds() {
    let problem = small::dense(&small::uncoupled(3, 2.0), &[-2.0, 0.0, 0.0], &[small::contact(0.5)]);
    let (mut lambda, mut w) = ([-1.0, 0.1, 0.0], [0.0; 3]);
    // (-1, 0.1, 0) is nearest to the apex; what is left is q, and the step of the residual -2/2 times 2
    assert_eq!(problem.start(&mut lambda, &mut w), 2.0);
    assert_eq!((lambda, w), ([0.0; 3], [-2.0, 0.0, 0.0]));
}

#[test]
fn a_start_that_is_no_number_is_none() {
    let problem = small::dense(&small::uncoupled(3, 2.0), &[-2.0, 0.0, 0.0], &[small::contact(0.5)]);
    for bad in [f64::NAN, f64::INFINITY, 1e308] {
        let (mut lambda, mut w) = ([bad, 0.0, 0.0], [0.0; 3]);
        assert_eq!(problem.start(&mut lambda, &mut w), 2.0, "{bad}");
        assert_eq!(lambda, [0.0; 3]);
    }
}
