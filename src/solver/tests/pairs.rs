//! What is known of all pairs at once.

use super::random::{Random, Scene, pairs_of, plain};
use crate::math::{BodyRow, ContactId, Symmetric3, Vec3};
use crate::solver::problem::Velocity;
use crate::solver::problem::pairs::{TILE, tiles};

/// Three tiles of spheres, each of which touches the next, and an anisotropic body behind them.
fn chain() -> Scene {
    let mut scene = Scene::default();
    for _ in 0..3 * TILE {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    scene.body(1.0, Symmetric3::diagonal([0.1, 0.12, 0.15]), Velocity::ZERO);
    scene.contacts.extend((1..3 * TILE).map(|b| plain(BodyRow(b - 1), BodyRow(b), Vec3::z())));
    scene
}

/// Whether all are central, all move, and all are sorted.
fn known(scene: &Scene) -> [bool; 3] {
    let pairs = pairs_of(&scene.problem(), &scene.with_world().0);
    [pairs.are_central(), pairs.all_move(), pairs.are_sorted()]
}

#[test]
fn one_contact_that_is_not_so_is_enough() {
    let scene = chain();
    let all = scene.contacts.len();
    // arms of nothing are along every normal
    assert_eq!(known(&scene), [true; 3]);
    for at in [0, 1, 1023, 1024, 1025, 2047, 2048, all - 1] {
        let with = |a, b| {
            let mut other = chain();
            other.contacts[at] = plain(a, b, Vec3::z());
            known(&other)
        };
        assert_eq!(with(at.into(), BodyRow(3 * TILE)), [false, true, true], "an anisotropic body at {at}");
        assert!(!with(BodyRow::NONE, BodyRow::NONE)[1], "nothing moves at {at}");
        // a fixed a counts for nothing: the moving body is the first one then
        assert_eq!(with(BodyRow::NONE, at.into()), [true; 3]);
    }
    for at in 1..all {
        // within a tile any order will do, as the first of these show
        let crosses = (at as u32).is_multiple_of(TILE);
        if at < 100 || crosses {
            let mut other = chain();
            other.contacts.swap(at - 1, at);
            assert_eq!(known(&other)[2], !crosses, "{at}");
        }
    }
}

#[test]
fn contacts_that_move_are_separated_from_the_others() {
    let mut random = Random(1);
    let scene = Scene::random(&mut random, 3 * TILE as usize, 3000);
    let pairs = pairs_of(&scene.problem(), &scene.with_world().0);
    let problem = scene.problem();
    let (mut moving, mut others, mut highest) = (0, 0, 0);
    for (at, contact) in ContactId::range(0..scene.contacts.len()).zip(&scene.contacts) {
        let bodies = [contact.body_a, contact.body_b];
        let moves = bodies.iter().any(|body| problem.moves(*body));
        assert_eq!(pairs.moves(at), moves);
        if moves {
            let first = bodies.into_iter().find(|body| problem.moves(*body)).expect("one of them");
            assert_eq!(tiles(pairs.all[at])[0], first.0 / TILE);
            highest = highest.max(first.0 / TILE);
        }
        (moving, others) = (moving + usize::from(moves), others + usize::from(!moves));
    }
    assert!(moving > 1000 && others > 0 && highest == 2, "{moving} and {others}, up to tile {highest}");
}
