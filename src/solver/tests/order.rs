//! The order of the visits: batches share no moving body, nothing is lost, and permutations depend on the seed alone.

use super::random::{Random, Scene, plain};
use crate::math::lanes::{LineIndex, WIDE};
use crate::math::{BodyRow, ContactId, Vec3};
use crate::solver::gauss_seidel::packer::{Batches, LONGEST_RUN, Packer};
use crate::solver::problem::order::shuffle;
use crate::solver::problem::pairs::LinePair;
use crate::solver::problem::{Problem, Velocity};

/// The pairs of bodies of all contacts.
fn pairs(problem: &Problem) -> Vec<LinePair> {
    let place = |body: BodyRow| LineIndex::new(body, !problem.moves(body));
    problem.contacts.iter().map(|contact| [contact.body_a, contact.body_b].map(place)).collect()
}

/// All contacts, in strings of at most so many.
fn batched(problem: &Problem, longest: usize) -> Batches {
    let mut batches = Batches::default();
    let all: Vec<ContactId> = ContactId::range(0..problem.contacts.len()).collect();
    Packer::default()
        .pack(BodyRow(0)..BodyRow::from(problem.masses.len()), &all, &pairs(problem), longest, &mut batches)
        .expect("memory");
    batches
}

fn packed(problem: &Problem, longest: usize) -> Vec<ContactId> {
    batched(problem, longest).order
}

fn assert_apart(problem: &Problem, batches: &Batches) {
    assert!(batches.iter().all(|batch| (1..=WIDE).contains(&batch.len())));
    for batch in batches.iter() {
        let contacts = batch.iter().map(|index| &problem.contacts[*index]);
        let mut bodies: Vec<BodyRow> =
            contacts.flat_map(|c| [c.body_a, c.body_b]).filter(|body| problem.moves(*body)).collect();
        let count = bodies.len();
        bodies.sort_unstable();
        bodies.dedup();
        assert_eq!(bodies.len(), count, "a body is twice in the batch {batch:?}");
    }
}

fn assert_permutation<T: Copy + Ord + From<usize>>(order: &[T], count: usize) {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq((0..count).map(T::from)), "not a permutation of 0..{count}");
}

/// `count` bodies, each touching the next `reach` ones, in the order of the pairs.
fn band(count: usize, reach: usize) -> Scene {
    let mut scene = Scene::default();
    for _ in 0..count {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    for a in 0..count {
        scene.contacts.push(plain(BodyRow::NONE, a.into(), Vec3::z()));
        scene.contacts.extend((a + 1..(a + 1 + reach).min(count)).map(|b| plain(a.into(), b.into(), Vec3::z())));
    }
    scene
}

#[test]
fn full_batches_share_no_moving_body() {
    // A body has at most 9 contacts, so a contact finds at most 16 colours taken: at most 17 are used, and each has at most one
    // batch that is not full.
    let scene = band(300, 4);
    let problem = scene.problem();
    let batches = batched(&problem, 1);
    assert_permutation(&batches.order, scene.contacts.len());
    let partial = batches.iter().filter(|batch| batch.len() < WIDE).count();
    assert!(partial <= 17, "{partial} batches are not full");
    assert_apart(&problem, &batches);
}

#[test]
fn runs_keep_their_body_in_its_lane() {
    let scene = band(300, 4);
    let problem = scene.problem();
    let batches = batched(&problem, LONGEST_RUN);
    assert_permutation(&batches.order, scene.contacts.len());
    assert_apart(&problem, &batches);
    let all: Vec<&[ContactId]> = batches.iter().collect();
    let body = |index: &ContactId| problem.contacts[*index].body_a;
    let go_on = |pair: &&[&[ContactId]]| pair[0].iter().map(body).eq(pair[1].iter().map(body));
    let moves = |pair: &&[&[ContactId]]| problem.moves(body(&pair[0][0]));
    let held = all.windows(2).filter(|pair| go_on(pair) && moves(pair)).count();
    // 296 runs of four make 37 run groups, in each of which three batches go on with the bodies of the one before,
    // except for the remaining runs
    assert!(held >= 3 * 30, "{held} of {}", all.len());
    // the remaining runs fill batches row by row
    let full = scene.contacts.len().div_ceil(WIDE);
    assert!(all.len() <= full + full / 10, "{} batches, {full} would do", all.len());
}

#[test]
fn contacts_of_one_body_keep_their_order() {
    // Every batch can hold one of them. In a window the 65th contact sends the oldest batch away. Without runs 64 contacts have a
    // colour, and the others follow one by one.
    let mut scene = Scene::default();
    for _ in 0..201 {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    scene.contacts.extend(BodyRow::range(1..201).map(|b| plain(BodyRow(0), b, Vec3::z())));
    for longest in [1, LONGEST_RUN] {
        assert!(packed(&scene.problem(), longest).into_iter().eq(ContactId::range(0..200)), "{longest}");
    }
}

#[test]
fn immovable_bodies_do_not_keep_contacts_apart() {
    let mut scene = Scene::default();
    let floor = scene.kinematic(Velocity::ZERO);
    for _ in 0..50 {
        let body = scene.sphere(1.0, 0.5, Velocity::ZERO);
        scene.contacts.push(plain(floor, body, Vec3::z()));
    }
    assert!(packed(&scene.problem(), 1).into_iter().eq(ContactId::range(0..50)));
}

#[test]
fn packing_is_a_permutation_of_any_problem_whatever_was_packed_before() {
    let mut random = Random(1);
    let mut used = Packer::default();
    for case in 0..30 {
        let bodies = 2 + random.index(40);
        let scene = Scene::random(&mut random, bodies, 20 * case);
        let problem = scene.problem();
        for longest in 1..=LONGEST_RUN {
            let batches = batched(&problem, longest);
            assert_permutation(&batches.order, scene.contacts.len());
            assert_apart(&problem, &batches);
            let mut again = Batches::default();
            let all: Vec<ContactId> = ContactId::range(0..scene.contacts.len()).collect();
            used.pack(BodyRow(0)..BodyRow::from(problem.masses.len()), &all, &pairs(&problem), longest, &mut again)
                .expect("memory");
            assert_eq!(batches.order, again.order, "case {case}");
        }
    }
}

#[test]
fn only_the_selected_contacts_are_packed() {
    let scene = band(20, 2);
    let mut batches = Batches { order: vec![ContactId(7)], starts: vec![0] };
    let problem = scene.problem();
    Packer::default()
        .pack(
            BodyRow(0)..BodyRow::from(problem.masses.len()),
            &[5, 6, 9].map(ContactId),
            &pairs(&problem),
            LONGEST_RUN,
            &mut batches,
        )
        .expect("memory");
    assert_eq!(batches.order[0], ContactId(7), "what was there stays in front");
    batches.order.sort_unstable();
    assert_eq!(batches.order, [5, 6, 7, 9].map(ContactId));
}

#[test]
fn large_bodies_with_small_neighbours_share_batches() {
    // Eight bodies with 200 contacts each: 64 colours, then the 136 others, of all eight side by side.
    let mut scene = Scene::default();
    for _ in 0..8 + 1600 {
        scene.sphere(1.0, 0.5, Velocity::ZERO);
    }
    for hub in 0..8 {
        let others = (8 + 200 * hub..8 + 200 * (hub + 1)).map(BodyRow::from);
        scene.contacts.extend(others.map(|b| plain(hub.into(), b, Vec3::z())));
    }
    let problem = scene.problem();
    let batches = batched(&problem, 1);
    assert_permutation(&batches.order, 1600);
    assert_apart(&problem, &batches);
    assert!(batches.iter().all(|batch| batch.len() == WIDE));
}

/// For each contact its place in the order of the visits of `rows`.
fn visited(problem: &Problem, rows: &[ContactId]) -> Vec<usize> {
    let (mut batches, mut places) = (Batches::default(), vec![0; problem.contacts.len()]);
    let bodies = BodyRow(0)..BodyRow::from(problem.masses.len());
    Packer::default().pack(bodies, rows, &pairs(problem), 1, &mut batches).expect("memory");
    (0..).zip(batches.order).for_each(|(place, contact)| places[contact.index()] = place);
    places
}

#[test]
fn a_new_contact_changes_the_order_of_few_others() {
    let mut random = Random(5);
    let (mut joined, mut changed) = (0, 0);
    for _ in 0..10 {
        let scene = Scene::random(&mut random, 300, 1200);
        let problem = scene.problem();
        let pairs = pairs(&problem);
        let all: Vec<ContactId> = ContactId::range(0..1200).collect();
        let new = ContactId(random.index(1200) as u32);
        let others: Vec<ContactId> = all.iter().copied().filter(|contact| *contact != new).collect();
        let [with, without] = [&all, &others].map(|rows| visited(&problem, rows));
        for (at, one) in others.iter().enumerate() {
            for other in &others[at + 1..] {
                let moves = |line: &LineIndex| !line.is_read_only() && pairs[*other].contains(line);
                if pairs[*one].iter().any(moves) {
                    let is_first = |places: &[usize]| places[one.index()] < places[other.index()];
                    joined += 1;
                    changed += usize::from(is_first(&with) != is_first(&without));
                }
            }
        }
    }
    // Of two unrelated orders, half would differ.
    assert!(50 * changed < joined, "{changed} of {joined}");
}

fn shuffled(count: usize, seed: u64, sweep: u32) -> Vec<usize> {
    let mut visits: Vec<usize> = (0..count).collect();
    shuffle(&mut visits, seed, sweep);
    visits
}

#[test]
fn shuffles_are_permutations_that_depend_on_seed_and_sweep() {
    let first = shuffled(100, 5, 3);
    assert_permutation(&first, 100);
    assert_eq!(first, shuffled(100, 5, 3));
    assert_ne!(first, shuffled(100, 6, 3));
    assert_ne!(first, shuffled(100, 5, 4));
    assert_eq!(shuffled(1, 5, 3), [0]);
    assert!(shuffled(0, 5, 3).is_empty());
}

#[test]
fn every_permutation_is_equally_likely() {
    // 24 permutations of 4 in 24000 sweeps: 1000 each, with a standard deviation of 31; six of those either way.
    let mut counts = std::collections::BTreeMap::new();
    for sweep in 0..24_000 {
        *counts.entry(shuffled(4, 0, sweep)).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 24);
    assert!(counts.values().all(|count| (814..1186).contains(count)), "{counts:?}");
}

#[test]
fn one_sweep_says_nothing_of_the_next() {
    // Generators begun at neighbouring states run through the same words, one later: then place k of the next sweep is
    // about place k - 1 of this one, for hundreds of the thousand. By chance it is within 2 for 5, give or take 2.2.
    for (one, other) in [((0, 0), (0, 1)), ((0, 7), (0, 8)), ((1, 0), (0, 0)), ((3, 1), (3, 2)), ((9, 0), (8, 1))] {
        let (one, other) = (shuffled(1000, one.0, one.1), shuffled(1000, other.0, other.1));
        for shift in [0, 1, 2] {
            let near = |(a, b): (&usize, &usize)| a.abs_diff(*b) <= 2;
            let forth = one.iter().zip(&other[shift..]).filter(|pair| near(*pair)).count();
            let back = other.iter().zip(&one[shift..]).filter(|pair| near(*pair)).count();
            assert!(forth.max(back) < 20, "shift {shift}: {forth} and {back} of 1000 places agree");
        }
    }
}
