//! A list that is updated from change to change equals a rebuilt list, whatever the changes were.

use super::boxes::{Boxes, Proxy, Random, brute_force, compare, cube, pairs, proxy};
use crate::collide::{Neighbours, ProxySource};
use crate::math::{Aabb, Vec3};

/// A body of any size at any place, or none.
fn anything(random: &mut Random) -> Proxy {
    let bounded = !random.word().is_multiple_of(10);
    let size = if random.word().is_multiple_of(40) { random.magnitude(1e-3, 50.0) } else { random.between(0.8, 1.2) };
    let mut body = Proxy { bounded, ..cube(random.place([4.0; 3]), size) };
    body.filter.moves = !random.word().is_multiple_of(5);
    body
}

#[test]
fn an_updated_list_equals_a_rebuilt_one() {
    let mut random = Random(21);
    let mut bodies: Vec<Proxy> = (0..300).map(|_| anything(&mut random)).collect();
    let (mut neighbours, mut workspace) = (Neighbours::default(), Vec::new());
    neighbours.rebuild(&Boxes(&bodies), &mut workspace).expect("memory");
    for round in 0..200 {
        // Some change, some come; slots are only ever added.
        let many = [1, 3, 20, 150][(random.word() % 4) as usize];
        let mut moved: Vec<u32> = (0..many).map(|_| (random.word() % bodies.len() as u64) as u32).collect();
        for slot in &moved {
            bodies[*slot as usize] = anything(&mut random);
        }
        for _ in 0..random.word() % 4 {
            moved.push(bodies.len() as u32);
            bodies.push(anything(&mut random));
        }
        moved.sort_unstable();
        moved.dedup();
        neighbours.update(&Boxes(&bodies), &moved, &mut workspace).expect("memory");
        let expected = brute_force(&bodies);
        assert!(expected.len() > 100, "a scene of {} pairs tests nothing", expected.len());
        compare(&format!("round {round}"), &pairs(&neighbours), &expected);
        assert_eq!(neighbours.slots, bodies.len());
    }
}

#[test]
fn a_list_grows_from_nothing_and_shrinks_to_nothing() {
    let mut bodies: Vec<Proxy> = Vec::new();
    let (mut neighbours, mut workspace) = (Neighbours::default(), Vec::new());
    neighbours.rebuild(&Boxes(&bodies), &mut workspace).expect("memory");
    assert_eq!(pairs(&neighbours).len(), 0);
    for k in 0..100 {
        bodies.push(cube(Vec3::new(f64::from(k), 0.0, 0.0), 1.0));
        neighbours.update(&Boxes(&bodies), &[k as u32], &mut workspace).expect("memory");
        assert_eq!(pairs(&neighbours).len(), k as usize, "neighbours in a row touch");
    }
    // A floor under all of them, many times their size, comes and goes.
    bodies.push(proxy(Vec3::new(50.0, 0.0, -1.0), Vec3::new(1000.0, 1000.0, 0.5)));
    neighbours.update(&Boxes(&bodies), &[100], &mut workspace).expect("memory");
    assert_eq!(pairs(&neighbours).len(), 99 + 100);
    bodies[100] = Proxy::ABSENT;
    neighbours.update(&Boxes(&bodies), &[100], &mut workspace).expect("memory");
    assert_eq!(pairs(&neighbours).len(), 99);
    bodies.fill(Proxy::ABSENT);
    let all: Vec<u32> = (0..101).collect();
    neighbours.update(&Boxes(&bodies), &all, &mut workspace).expect("memory");
    assert_eq!(pairs(&neighbours).len(), 0);
}

#[test]
fn parts_hold_the_partners_of_their_slots() {
    let mut bodies: Vec<Proxy> = (0..2000).map(|k| cube(Vec3::new(f64::from(k), 0.0, 0.0), 2.0)).collect();
    // As many as these touch no other body.
    bodies[500..1600].iter_mut().for_each(|body| body.filter.mask = 0);
    let mut neighbours = Neighbours::default();
    assert!(neighbours.parts() == 0 && neighbours.part(0).partners.is_empty(), "before there are any");
    neighbours.rebuild(&Boxes(&bodies), &mut Vec::new()).expect("memory");
    let firsts: Vec<usize> = (0..neighbours.parts()).map(|number| neighbours.part(number).first).collect();
    assert_eq!(firsts, [0, 1536], "what has no neighbours is no part");
    // Edge 2 at distance 1: the next one and, touching, the second next.
    let part = neighbours.part(0);
    assert_eq!((part.starts.len(), part.starts[4], part.starts[6]), (513, 8, 12), "all slots and the end");
    assert_eq!(part.partners[8..12], [5, 6, 6, 7]);
    let part = neighbours.part(1);
    assert_eq!((part.starts.len(), part.partners.len()), (2000 - 1536 + 1, 2 * 400 - 3), "the last one is shorter");
    assert!(neighbours.part(2).partners.is_empty());
}

/// Boxes, and half-spaces that hold all that is below.
struct Ground<'a> {
    boxes: Boxes<'a>,
    planes: &'a [u32],
}

impl ProxySource for Ground<'_> {
    fn slots(&self) -> usize {
        self.boxes.slots()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        self.boxes.bounds(slot).filter(|_| self.planes.binary_search(&slot).is_err())
    }

    fn unbounded(&self) -> &[u32] {
        self.planes
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        let [one, other] = [one, other].map(|slot| self.bounds(slot));
        one.is_some() && other.is_some() || one.or(other).is_some_and(|body| body.lower.z < 0.0)
    }
}

/// A few of many bodies change, in slots unrelated to their places. Only some groups are updated, and half-spaces come
/// and go.
#[test]
fn a_list_of_many_groups_is_updated() {
    let mut random = Random(22);
    let mut place = move || cube(random.place([6.0; 3]), 1.0);
    let mut bodies: Vec<Proxy> = (0..1500).map(|_| place()).collect();
    let mut random = Random(23);
    let (mut kept, mut fresh, mut workspace) = (Neighbours::default(), Neighbours::default(), Vec::new());
    let planes: [&[u32]; 4] = [&[], &[700], &[3, 700], &[3]];
    kept.rebuild(&Ground { boxes: Boxes(&bodies), planes: planes[0] }, &mut workspace).expect("memory");
    for round in 0..120_usize {
        let now = round / 8 % planes.len();
        let before = planes[(round.max(1) - 1) / 8 % planes.len()];
        let mut moved: Vec<u32> = (0..1 + round % 4).map(|_| (random.word() % bodies.len() as u64) as u32).collect();
        if round % 3 == 0 {
            moved.push(bodies.len() as u32);
            bodies.push(Proxy::ABSENT);
        }
        for slot in &moved {
            bodies[*slot as usize] = if random.word().is_multiple_of(5) { Proxy::ABSENT } else { place() };
        }
        let changed = [3, 700].into_iter().filter(|plane| before.contains(plane) != planes[now].contains(plane));
        moved.extend(changed);
        moved.sort_unstable();
        moved.dedup();
        let ground = Ground { boxes: Boxes(&bodies), planes: planes[now] };
        kept.update(&ground, &moved, &mut workspace).expect("memory");
        fresh.rebuild(&ground, &mut workspace).expect("memory");
        let expected: Vec<_> = pairs(&fresh);
        assert!(expected.len() > 2000, "{} pairs", expected.len());
        compare(&format!("round {round}"), &pairs(&kept), &expected);
    }
}

#[test]
fn a_list_needs_a_rebuild_after_many_moves_at_once_or_one_by_one() {
    let mut bodies: Vec<Proxy> = (0..100).map(|k| cube(Vec3::new(f64::from(k), 0.0, 0.0), 1.0)).collect();
    let (mut neighbours, mut workspace) = (Neighbours::default(), Vec::new());
    neighbours.rebuild(&Boxes(&bodies), &mut workspace).expect("memory");
    assert!(!neighbours.needs_rebuild(1) && neighbours.needs_rebuild(60));
    for turn in 0..150 {
        assert_eq!(neighbours.needs_rebuild(1), turn > 100, "{turn}");
        bodies[7] = cube(Vec3::new(7.0, f64::from(turn), 0.0), 1.0);
        neighbours.update(&Boxes(&bodies), &[7], &mut workspace).expect("memory");
    }
    neighbours.rebuild(&Boxes(&bodies), &mut workspace).expect("memory");
    assert!(!neighbours.needs_rebuild(1));
}
