//! Islands: their contents by hand, and by a search.

use std::collections::BTreeSet;

use super::random::{Random, Scene, plain, random_row};
use crate::math::{BodyRow, ContactId, RowId, Vec3};
use crate::solver::problem::islands::{Island, Islands, clear_inert};
use crate::solver::problem::{Impulse, ImpulsiveWrench, Problem, Velocity};

/// The number of the fixed world.
const FIXED: u32 = BodyRow::NONE.0;

/// The numbers of the contacts, rows and bodies of each island.
type Contents = Vec<[Vec<u32>; 3]>;

fn contents(islands: &Islands) -> Contents {
    let island = |number: usize| {
        let Island { contacts, rows, bodies } = islands.get(number);
        [
            contacts.iter().map(|contact| contact.0).collect(),
            rows.iter().map(|row| row.0).collect(),
            bodies.iter().map(|body| body.0).collect(),
        ]
    };
    (0..islands.len()).map(island).collect()
}

fn found(problem: &Problem) -> Contents {
    let mut islands = Islands::default();
    islands.find(problem).expect("memory");
    let contents = contents(&islands);
    assert_eq!(islands.is_empty(), contents.is_empty());
    contents
}

/// `bodies` spheres, then one kinematic body, with contacts between `pairs` and rows between `rows`, the second bounds of
/// each being those of the row `.2`.
fn islands(bodies: u32, pairs: &[(u32, u32)], rows: &[(u32, u32, Option<u32>)]) -> Contents {
    let mut scene = Scene::default();
    for _ in 0..bodies {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    scene.kinematic(Velocity::ZERO);
    scene.contacts.extend(pairs.iter().map(|(a, b)| plain(BodyRow(*a), BodyRow(*b), Vec3::z())));
    let mut random = Random(0);
    for (a, b, friction_row) in rows {
        let mut row = random_row(&mut random, BodyRow(*a), BodyRow(*b));
        row.friction_row = friction_row.map(RowId);
        scene.rows.push(row);
    }
    found(&scene.problem())
}

#[test]
fn contacts_join_moving_bodies() {
    let none: Contents = Vec::new();
    assert_eq!(islands(5, &[], &[]), none, "bodies without contacts are none");
    let chain = [[vec![0, 1, 2, 3], vec![], vec![0, 1, 2, 3, 4]]];
    assert_eq!(islands(5, &[(3, 4), (1, 2), (0, 1), (2, 3)], &[]), chain, "a chain, joined in any order");
    let two = [[vec![0], vec![], vec![0, 1]], [vec![1], vec![], vec![3, 4]]];
    assert_eq!(islands(5, &[(0, 1), (3, 4)], &[]), two);
    let swapped = [[vec![1], vec![], vec![0, 1]], [vec![0], vec![], vec![3, 4]]];
    assert_eq!(islands(5, &[(3, 4), (1, 0)], &[]), swapped, "numbered by the first body, not by the first contact");
    let ring = [[vec![0, 1, 2, 3], vec![], vec![0, 1, 2]]];
    assert_eq!(islands(5, &[(0, 1), (1, 0), (1, 2), (2, 0)], &[]), ring, "a ring");
}

#[test]
fn what_does_not_move_joins_nothing() {
    let two = [[vec![0], vec![], vec![0]], [vec![1], vec![], vec![1]]];
    assert_eq!(islands(5, &[(FIXED, 0), (1, FIXED)], &[]), two, "the fixed world");
    assert_eq!(islands(5, &[(0, 5), (1, 5)], &[]), two, "a kinematic body, which is in no island");
    let none: Contents = Vec::new();
    assert_eq!(islands(5, &[(5, FIXED)], &[(FIXED, 5, None)]), none, "nothing moves there");
    let interlaced = [[vec![2], vec![], vec![1]], [vec![0, 3], vec![], vec![2]]];
    assert_eq!(islands(5, &[(5, 2), (5, FIXED), (1, 5), (FIXED, 2)], &[]), interlaced, "contacts rise in an island");
}

#[test]
fn rows_join() {
    let joined = [[vec![0, 1], vec![0], vec![0, 1, 2, 3]]];
    assert_eq!(islands(5, &[(0, 1), (2, 3)], &[(1, 2, None)]), joined, "a row joins like a contact");
    let overlap_serial = [[vec![0], vec![], vec![0, 1]], [vec![1], vec![0], vec![2, 3]]];
    assert_eq!(islands(5, &[(0, 1), (2, 3)], &[(3, 5, None)]), overlap_serial, "a row to what does not move");
    let apart = [[vec![], vec![0], vec![0]], [vec![], vec![1], vec![1]]];
    assert_eq!(islands(3, &[], &[(0, FIXED, None), (3, 1, None)]), apart);
}

#[test]
fn a_friction_row_joins_the_bodies_of_both_rows() {
    let joined = [[vec![], vec![0, 1], vec![0, 1]]];
    assert_eq!(islands(3, &[], &[(0, FIXED, None), (3, 1, Some(0))]), joined, "its normal row came before");
    assert_eq!(islands(3, &[], &[(0, FIXED, Some(1)), (3, 1, None)]), joined, "or comes after");
    let alone = [[vec![], vec![1], vec![1]]];
    assert_eq!(islands(3, &[], &[(3, FIXED, None), (3, 1, Some(0))]), alone, "a normal row that moves nothing");
}

#[test]
fn inert_contacts_and_rows_lose_their_impulses() {
    let mut scene = Scene::default();
    let wall = scene.kinematic(Velocity::ZERO);
    let sphere = scene.sphere(1.0, 0.5, Velocity::ZERO);
    scene.contacts.extend([plain(wall, BodyRow::NONE, Vec3::z()), plain(wall, sphere, Vec3::z())]);
    let mut random = Random(0);
    scene.rows.extend([random_row(&mut random, sphere, BodyRow::NONE), random_row(&mut random, BodyRow::NONE, wall)]);
    let mut islands = Islands::default();
    islands.find(&scene.problem()).expect("memory");
    [0, 1].into_iter().for_each(|contact| scene.optional_terms_of(contact).twisting = 1.0);
    let given = ImpulsiveWrench { force: Impulse::force(1.0, Vec3::x()), torque: Vec3::z() };
    let mut impulses = scene.no_impulses();
    [0, 1].into_iter().for_each(|contact| impulses.set_wrench(ContactId(contact), &given));
    impulses.rows.fill(2.0);
    clear_inert(&scene.problem(), &mut impulses);
    assert_eq!([0, 1].map(|contact| impulses.wrench(ContactId(contact))), [ImpulsiveWrench::ZERO, given]);
    assert_eq!(impulses.rows, [2.0, 0.0]);
}

/// The islands by colouring bodies over and over until nothing changes.
fn by_colouring(problem: &Problem) -> Contents {
    let mut colours: Vec<usize> = (0..problem.masses.len()).collect();
    let moving = |body: BodyRow| problem.moves(body).then_some(body.index());
    let of_row = |row: usize| [problem.rows[row].body_a, problem.rows[row].body_b];
    let first = |pair: [BodyRow; 2]| pair.into_iter().find_map(moving);
    let mut pairs: Vec<[BodyRow; 2]> = problem.contacts.iter().map(|c| [c.body_a, c.body_b]).collect();
    pairs.extend((0..problem.rows.len()).map(of_row));
    for (index, row) in problem.rows.iter().enumerate() {
        if let Some(other) = row.friction_row
            && let (Some(a), Some(b)) = (first(of_row(index)), first(of_row(other.index())))
        {
            pairs.push([a.into(), b.into()]);
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for [a, b] in &pairs {
            if let (Some(a), Some(b)) = (moving(*a), moving(*b)) {
                let lowest = colours[a].min(colours[b]);
                changed |= colours[a] != lowest || colours[b] != lowest;
                (colours[a], colours[b]) = (lowest, lowest);
            }
        }
    }
    let colour = |pair: [BodyRow; 2]| first(pair).map(|body| colours[body]);
    let contacts = problem.contacts.iter().map(|contact| colour([contact.body_a, contact.body_b]));
    let all = (0..problem.rows.len()).map(|row| colour(of_row(row))).chain(contacts.clone());
    // a colour is the first body of its island
    let order: BTreeSet<usize> = all.flatten().collect();
    let matching = |wanted: usize, colours: &mut dyn Iterator<Item = Option<usize>>| {
        colours.enumerate().filter(|(_, colour)| *colour == Some(wanted)).map(|(index, _)| index as u32).collect()
    };
    let island = |wanted: &usize| {
        [
            matching(*wanted, &mut contacts.clone()),
            matching(*wanted, &mut (0..problem.rows.len()).map(|row| colour(of_row(row)))),
            matching(*wanted, &mut BodyRow::range(0..problem.masses.len()).map(|body| colour([body; 2]))),
        ]
    };
    order.iter().map(island).collect()
}

#[test]
fn islands_of_random_problems() {
    let mut random = Random(1);
    let mut workspace = Islands::default();
    let (mut largest, mut coupled) = (0, 0);
    for _ in 0..300 {
        let (bodies, contacts, rows) = (2 + random.index(100), random.index(80), random.index(20));
        let mut scene = Scene::random(&mut random, bodies, contacts);
        scene.random_rows(&mut random, rows);
        let expected = by_colouring(&scene.problem());
        workspace.find(&scene.problem()).expect("memory");
        assert_eq!(contents(&workspace), expected);
        largest = largest.max(expected.len());
        coupled += scene.rows.iter().filter(|row| row.friction_row.is_some()).count();
    }
    assert!(largest > 15, "hardly any problem had islands");
    assert!(coupled > 100, "hardly any row was bounded by another");
}
