//! Products with the operator through the bodies, against those with its entries; and that what is dense is not formed.

use super::random::{Random, Scene};
use crate::solver::operator::assembly::Assembly;
use crate::solver::operator::product::{Entries, Product};
use crate::solver::operator::reduced::Reduced;
use crate::solver::problem::islands::Islands;
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::{Method, Options, Solver};

#[test]
fn products_through_the_bodies_are_those_of_the_entries() {
    let mut random = Random(7);
    let (mut assembly, mut reduced, mut largest) = (Assembly::default(), Reduced::default(), 0);
    for _ in 0..40 {
        let mut scene = Scene::random(&mut random, 6, 12);
        scene.random_rows(&mut random, 3);
        let problem = scene.problem();
        let mut islands = Islands::default();
        islands.find(&problem).expect("memory");
        for number in 0..islands.len() {
            assembly.reduce(&problem, &islands.get(number), &mut reduced).expect("memory");
            let size = reduced.size();
            largest = largest.max(size);
            assert!(assembly.entries() >= reduced.matrix.values.len());
            let x: Vec<f64> = (0..size).map(|_| random.between(-1.0, 1.0)).collect();
            let [mut by_entries, mut by_bodies, mut terms] = [vec![0.0; size], vec![0.0; size], vec![0.0; size]];
            Entries(&reduced.matrix).multiply(&x, &mut by_entries).expect("no memory needed");
            assembly.multiply(&x, &mut by_bodies).expect("memory");
            assembly.magnitudes(&x, &mut terms).expect("memory");
            for row in 0..size {
                // each term is a product of four numbers, and both sums have at most 12 terms for each of 40 rows
                let error = (by_entries[row] - by_bodies[row]).abs();
                assert!(error <= 64.0 * f64::EPSILON * terms[row], "row {row}: {error:e} of {:e}", terms[row]);
            }
        }
    }
    assert!(largest > 20, "{largest}");
}

/// An island whose factor would be dense is swept, and the outcome reports it: 60 bodies with 6000 contacts.
#[test]
fn newton_leaves_what_would_be_dense_to_sweeps() {
    let options = Options {
        method: Method::Newton { limit: 10_000 },
        order: Order::Natural,
        iterations: 20,
        tolerance: 0.0,
        relaxation: 1.0,
        start: Start::Zero,
        projection: crate::solver::StickProjection::Off,
        splits: false,
    };
    for (bodies, contacts, fallbacks) in [(60, 6000, 1), (12, 60, 0)] {
        let scene = Scene::random(&mut Random(3), bodies, contacts);
        let outcome = Solver::default().solve(&scene.problem(), &options, &mut scene.no_impulses()).expect("memory");
        assert_eq!(outcome.fallbacks, fallbacks, "{outcome:?}");
    }
}
