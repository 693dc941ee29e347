//! Factors of block matrices, our own and the library's, and the order of elimination.

use super::random::Random;
use crate::solver::operator::block_ldl::BlockLdl;
use crate::solver::operator::blocks::{Blocks, Graph, Sides};
use crate::solver::operator::cholesky::Cholesky;

/// A graph of pairs in any order.
fn graph(bodies: usize, pairs: &[[u32; 2]]) -> Graph {
    let mut sorted: Vec<[u32; 2]> = pairs.iter().map(|[a, b]| [*a.min(b), *a.max(b)]).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut graph = Graph::default();
    graph.fill(bodies, &sorted).expect("memory");
    graph
}

/// Bodies `0..bodies`, each with the one before it and with that of half its number.
fn tangled(bodies: u32) -> Vec<[u32; 2]> {
    (1..bodies).flat_map(|high| [[high - 1, high], [high / 2, high]]).filter(|[a, b]| a != b).collect()
}

/// A unit matrix and random rows of each pair, as blocks and dense.
fn random_matrix(random: &mut Random, graph: &Graph, pairs: &[[u32; 2]]) -> (Blocks<6>, Vec<Vec<f64>>) {
    let size = 6 * graph.bodies();
    let mut dense = vec![vec![0.0; size]; size];
    (0..size).for_each(|k| dense[k][k] = 1.0);
    let mut blocks = Blocks::<6>::default();
    blocks.begin(graph, 1.0).expect("memory");
    for [a, b] in pairs {
        let mut vector = || -> [f64; 6] { std::array::from_fn(|_| random.between(-1.0, 1.0)) };
        let (x, y) = (vector(), vector());
        let sides = Sides { bodies: [*b, *a], rows: [[y], [x]] };
        blocks.add(&sides, graph.pair(sides.bodies), &[[2.0]]);
        let (a, b) = (*a as usize, *b as usize);
        for i in 0..6 {
            for j in 0..6 {
                dense[6 * a + i][6 * a + j] += 2.0 * x[i] * x[j];
                dense[6 * b + i][6 * b + j] += 2.0 * y[i] * y[j];
                dense[6 * a + i][6 * b + j] += 2.0 * x[i] * y[j];
                dense[6 * b + j][6 * a + i] += 2.0 * x[i] * y[j];
            }
        }
    }
    (blocks, dense)
}

#[test]
fn a_factor_solves() {
    let mut random = Random(3);
    let (mut factor, mut cholesky) = (BlockLdl::default(), Cholesky::default());
    for bodies in [1_u32, 3, 6, 7, 20] {
        let pairs = tangled(bodies);
        let graph = graph(bodies as usize, &pairs);
        // Twice: the pattern is known the second time.
        for _ in 0..2 {
            let (blocks, dense) = random_matrix(&mut random, &graph, &pairs);
            let expected: Vec<[f64; 6]> =
                (0..bodies).map(|_| std::array::from_fn(|_| random.between(-1.0, 1.0))).collect();
            let product = |row: &Vec<f64>| row.iter().zip(expected.as_flattened()).map(|(a, x)| a * x).sum();
            let right: Vec<f64> = dense.iter().map(product).collect();
            let mut x = right.as_chunks::<6>().0.to_vec();
            assert!(factor.lay_out(&graph, u64::MAX).expect("memory").is_some());
            assert!(factor.factor(&blocks).expect("memory"));
            factor.solve(&mut x);
            assert!(cholesky.factor(&graph, &blocks).expect("memory"));
            let mut by_library = right;
            cholesky.solve(&mut by_library);
            for (name, x) in [("own", x.as_flattened()), ("library", &by_library[..])] {
                let pairs = x.iter().zip(expected.as_flattened());
                let error = pairs.map(|(x, e)| (x - e).abs()).fold(0.0, f64::max);
                // A condition of about 100.
                assert!(error <= 1e-13, "{bodies} bodies, {name}: {error:e}");
            }
        }
    }
}

#[test]
fn a_chain_fills_nothing() {
    let chain: Vec<[u32; 2]> = (1..50).map(|high| [high - 1, high]).collect();
    let mut factor = BlockLdl::<6>::default();
    // One block below each diagonal but the last: the rows of it, and the product that goes to the diagonal.
    assert_eq!(factor.lay_out(&graph(50, &chain), u64::MAX).expect("memory"), Some(2 * 49));
}

#[test]
fn a_factor_that_fills_too_much_is_refused() {
    let all: Vec<[u32; 2]> = (0..12).flat_map(|low| (low + 1..12).map(move |high| [low, high])).collect();
    let mut factor = BlockLdl::<6>::default();
    let graph = graph(12, &all);
    // Columns of 11 blocks, 10, ... 0: each takes c (c + 3) / 2 products.
    let products = (0..12).map(|count| count * (count + 3) / 2).sum();
    assert_eq!(factor.lay_out(&graph, products - 1).expect("memory"), None);
    assert_eq!(factor.lay_out(&graph, products).expect("memory"), Some(products));
    assert_eq!(factor.lay_out(&graph, products - 1).expect("memory"), None);
}

#[test]
fn what_is_not_positive_definite_is_not_factored() {
    let (pairs, mut blocks) = (tangled(4), Blocks::<6>::default());
    let graph = graph(4, &pairs);
    let mut factor = BlockLdl::default();
    for diagonal in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        blocks.begin(&graph, diagonal).expect("memory");
        factor.lay_out(&graph, u64::MAX).expect("memory");
        assert!(!factor.factor(&blocks).expect("memory"), "{diagonal}");
    }
}
