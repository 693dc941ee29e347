//! Islands, counted by hand and by a search.

use super::random::{Random, Scene, plain};
use crate::math::Vec3;
use crate::solver::islands::count;
use crate::solver::problem::{FIXED, Problem, Velocity};

/// `bodies` spheres, then one kinematic body, with contacts between `pairs`.
fn islands(bodies: u32, pairs: &[(u32, u32)]) -> u32 {
    let mut scene = Scene::default();
    for _ in 0..bodies {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    scene.kinematic(Velocity::ZERO);
    scene.contacts.extend(pairs.iter().map(|(a, b)| plain(*a, *b, Vec3::z())));
    count(&scene.problem(), &mut Vec::new()).expect("memory")
}

#[test]
fn islands_by_hand() {
    assert_eq!(islands(5, &[]), 0, "bodies without contacts are none");
    assert_eq!(islands(5, &[(3, 4), (1, 2), (0, 1), (2, 3)]), 1, "a chain, joined in any order");
    assert_eq!(islands(5, &[(0, 1), (3, 4)]), 2);
    assert_eq!(islands(5, &[(0, 1), (1, 0), (1, 2), (2, 0)]), 1, "a ring");
    assert_eq!(islands(5, &[(FIXED, 0), (1, FIXED)]), 2, "the fixed world joins nothing");
    assert_eq!(islands(5, &[(0, 5), (1, 5)]), 2, "nor does a kinematic body");
    assert_eq!(islands(5, &[(5, FIXED)]), 0, "nothing moves there");
}

/// The islands by colouring bodies over and over until nothing changes.
fn by_colouring(problem: &Problem) -> u32 {
    let mut colours: Vec<usize> = (0..problem.masses.len()).collect();
    let moving = |body: u32| problem.moves(body).then_some(body as usize);
    let mut changed = true;
    while changed {
        changed = false;
        for contact in problem.contacts {
            if let (Some(a), Some(b)) = (moving(contact.body_a), moving(contact.body_b)) {
                let least = colours[a].min(colours[b]);
                changed |= colours[a] != least || colours[b] != least;
                (colours[a], colours[b]) = (least, least);
            }
        }
    }
    let bodies = problem.contacts.iter().flat_map(|contact| [contact.body_a, contact.body_b]);
    let mut used: Vec<usize> = bodies.filter_map(moving).map(|body| colours[body]).collect();
    used.sort_unstable();
    used.dedup();
    used.len() as u32
}

#[test]
fn islands_of_random_problems() {
    let mut random = Random(1);
    let mut workspace = Vec::new();
    let mut most = 0;
    for _ in 0..300 {
        let (bodies, contacts) = (2 + random.index(100), random.index(100));
        let scene = Scene::random(&mut random, bodies, contacts);
        let expected = by_colouring(&scene.problem());
        assert_eq!(count(&scene.problem(), &mut workspace).expect("memory"), expected);
        most = most.max(expected);
    }
    assert!(most > 15, "hardly any problem had islands");
}
