//! The broad phase against all pairs tried one by one.

use super::boxes::{Boxes, Proxy, Random, brute_force, compare, cube, pairs, proxy};
use crate::collide::cells::{Cells, Entry, NONE};
use crate::collide::{Filter, Neighbours};
use crate::math::Vec3;

fn found(neighbours: &mut Neighbours, proxies: &[Proxy]) -> Vec<(u32, u32)> {
    neighbours.rebuild(&Boxes(proxies), &mut Vec::new()).expect("memory");
    pairs(neighbours)
}

/// Checks that the pairs of a scene are those of the brute force, sorted and without a repetition. There must be
/// `at_least` as many. Checks the same for the slots in another order, up to the renumbering.
fn check(name: &str, proxies: &[Proxy], at_least: usize, random: &mut Random) {
    let expected = brute_force(proxies);
    assert!(expected.len() >= at_least, "{name}: a scene of {} pairs tests nothing", expected.len());
    let mut grid = Neighbours::default();
    compare(name, &found(&mut grid, proxies), &expected);

    let mut order: Vec<usize> = (0..proxies.len()).collect();
    for last in (1..order.len()).rev() {
        order.swap(last, (random.word() % (last as u64 + 1)) as usize);
    }
    let moved: Vec<Proxy> = order.iter().map(|slot| proxies[*slot]).collect();
    let old = |slot: u32| order[slot as usize] as u32;
    // The grid was used before, which must not show.
    let mut renumbered: Vec<(u32, u32)> =
        found(&mut grid, &moved).into_iter().map(|(a, b)| (old(a).min(old(b)), old(a).max(old(b)))).collect();
    renumbered.sort_unstable();
    compare(&format!("{name}, renumbered"), &renumbered, &expected);
}

#[test]
fn bodies_of_one_size() {
    let mut random = Random(1);
    let proxies: Vec<Proxy> = (0..2000).map(|_| cube(random.place([6.0; 3]), 1.0)).collect();
    check("one size", &proxies, 3000, &mut random);
}

#[test]
fn sizes_up_to_one_to_ten_thousand() {
    let mut random = Random(2);
    for ratio in [2.0, 100.0, 10_000.0] {
        let proxies: Vec<Proxy> = (0..1500)
            .map(|_| {
                let half = Vec3::from_fn(|_, _| 0.5 * random.magnitude(1.0 / ratio, 1.0));
                proxy(random.place([1.5; 3]), half)
            })
            .collect();
        check(&format!("1:{ratio}"), &proxies, 300, &mut random);
    }
}

#[test]
fn sizes_that_just_fill_a_cell() {
    // The median is 1, so cells are 1.25, 2.5, 5: cubes of those sizes and one bit to either side, each in touch with
    // one of size 1. The larger one's centre is as far outside the smaller one's bounds as any can be.
    let mut random = Random(3);
    let mut proxies = Vec::new();
    for size in [1.25_f64, 2.5, 5.0] {
        for size in [size.next_down(), size, size.next_up()] {
            for _ in 0..60 {
                let center = random.place([30.0; 3]);
                proxies.push(cube(center, size));
                let (axis, side) = ((random.word() % 3) as usize, [1.0, -1.0][(random.word() % 2) as usize]);
                // Into the other by 1e-9, far more than the round-off of both and far less than a cell.
                let apart = side * (0.5 * size + 0.5 - 1e-9);
                proxies.push(cube(center + Vec3::from_fn(|k, _| if k == axis { apart } else { 0.0 }), 1.0));
            }
        }
    }
    proxies.extend((0..10).map(|_| cube(random.place([30.0; 3]), 1.0)));
    check("full cells", &proxies, 540, &mut random);
}

#[test]
fn a_flat_bed() {
    let mut random = Random(4);
    let proxies: Vec<Proxy> =
        (0..2000).map(|_| proxy(random.place([25.0, 25.0, 0.0]), Vec3::new(0.7, 0.7, 0.01))).collect();
    check("flat bed", &proxies, 1000, &mut random);
}

#[test]
fn far_from_the_origin() {
    let mut random = Random(5);
    for distance in [1e6, -1e6, 1e12] {
        // At 1e12 m places are multiples of 1e-4 m: bodies of 1 m still have all their pairs.
        let proxies: Vec<Proxy> =
            (0..1000).map(|_| cube(Vec3::repeat(distance) + random.place([4.0; 3]), 1.0)).collect();
        check(&format!("at {distance}"), &proxies, 1000, &mut random);
    }
    let mut proxies: Vec<Proxy> = (0..1000).map(|_| cube(random.place([4.0; 3]), 1.0)).collect();
    proxies.extend((0..20).map(|k| cube(Vec3::repeat(1e300) * f64::from(k - 10), 1.0)));
    check("some at 1e300", &proxies, 1000, &mut random);
}

#[test]
fn bodies_that_touch_exactly() {
    // A lattice of 10 x 10 x 10 cubes, face to face: coordinates are exact, and touching counts. A cube has 26
    // neighbours except at the rim: 28^3 neighbourhoods (3 * 10 - 2 per axis), without the 1000 of a cube and itself,
    // halved.
    let mut random = Random(6);
    for shift in [0.0, -3.5, 1_048_576.0] {
        let axis = || (0..10).map(|k| 0.5 * f64::from(k) + shift);
        let places = axis().flat_map(|x| axis().flat_map(move |y| axis().map(move |z| Vec3::new(x, y, z))));
        let proxies: Vec<Proxy> = places.map(|place| cube(place, 0.5)).collect();
        assert_eq!(brute_force(&proxies).len(), (28 * 28 * 28 - 1000) / 2);
        check(&format!("lattice at {shift}"), &proxies, 10_000, &mut random);
    }
}

#[test]
fn immovable_bodies_and_filters() {
    let mut random = Random(7);
    let proxies: Vec<Proxy> = (0..1500)
        .map(|slot| Proxy {
            bounded: slot % 11 != 0,
            filter: Filter {
                moves: slot % 3 != 0,
                category: 1 << (random.word() % 3),
                mask: (random.word() % 8) as u32,
                group: [0, 0, 0, 1, -1, 2][(random.word() % 6) as usize],
            },
            ..cube(random.place([4.0; 3]), 1.0)
        })
        .collect();
    check("filters", &proxies, 1000, &mut random);
}

#[test]
fn one_huge_body_among_many() {
    let mut random = Random(8);
    let mut proxies: Vec<Proxy> = (0..1000).map(|_| cube(random.place([5.0; 3]), 0.5)).collect();
    proxies.insert(300, proxy(Vec3::new(0.0, 0.0, -500.0), Vec3::new(1e6, 1e6, 500.0)));
    proxies[300].filter.moves = false;
    check("a huge floor", &proxies, 500, &mut random);
    // And one small body among huge ones.
    let mut proxies: Vec<Proxy> = (0..300).map(|_| cube(random.place([5e6; 3]), 2e6)).collect();
    proxies.push(cube(Vec3::zeros(), 1e-3));
    check("a grain among mountains", &proxies, 300, &mut random);
}

/// Few large bodies search the grid of many small ones, and few small bodies that of many large ones.
#[test]
fn many_bodies_of_one_size_and_few_of_another() {
    let mut random = Random(14);
    for [many, few] in [[0.1, 1.0], [1.0, 0.1], [0.1, 0.3]] {
        let size = |at: usize| if at.is_multiple_of(20) { few } else { many };
        let proxies: Vec<Proxy> = (0..1000).map(|at| cube(random.place([1.2; 3]), size(at))).collect();
        check(&format!("many of {many}, few of {few}"), &proxies, 300, &mut random);
    }
}

#[test]
fn few_bodies_or_none() {
    let mut random = Random(9);
    check("none", &[], 0, &mut random);
    check("no bounds", &[Proxy::ABSENT, Proxy::ABSENT], 0, &mut random);
    check("one", &[cube(Vec3::zeros(), 1.0)], 0, &mut random);
    check("two", &[cube(Vec3::zeros(), 1.0), Proxy::ABSENT, cube(Vec3::repeat(0.9), 1.0)], 1, &mut random);
    let points: Vec<Proxy> = (0..5).map(|k| cube(Vec3::repeat(f64::from(k / 2)), 0.0)).collect();
    check("points", &points, 2, &mut random);
    let same: Vec<Proxy> = (0..50).map(|_| cube(Vec3::repeat(3.0), 1.0)).collect();
    check("all in one place", &same, 50 * 49 / 2, &mut random);
}

/// Bodies so far out that their bounds are one point, dust beside a house, and sizes at the ends of the range. The
/// search visits a bounded number of cells in every scene, or this test would not end.
#[test]
fn numbers_of_any_size() {
    let mut random = Random(11);
    let far = [Vec3::zeros(), Vec3::new(1e17, 1e17, 1e17), Vec3::new(-1e17, -1e17, 2e17)];
    check("points far out", &far.map(|center| cube(center, 1.0)), 0, &mut random);
    let mut dust: Vec<Proxy> = (0..9).map(|k| cube(Vec3::new(1.0 + f64::from(k), 0.0, 0.0), 1e-18)).collect();
    dust.push(cube(Vec3::zeros(), 30.0));
    check("dust in a house", &dust, 9, &mut random);
    let mut wild = Vec::new();
    for _ in 0..300 {
        let reach = random.magnitude(1e-50, 1e300);
        let size = random.magnitude(1e-50, 1e300);
        wild.push(cube(random.place([reach; 3]), size));
    }
    check("any size anywhere", &wild, 1, &mut random);
}

#[test]
fn a_grid_that_began_empty_has_room_for_many() {
    const COUNT: u32 = 5000;
    let mut random = Random(9);
    let bounds: Vec<_> = (0..COUNT).map(|_| cube(random.place([17.0; 3]), 0.9).bounds).collect();
    let mut cells = Cells::default();
    cells.reset(0, 1.0, &Vec3::zeros(), 0).expect("memory");
    let mut entries = Vec::new();
    for (slot, own) in (0..).zip(&bounds) {
        entries.push(cells.insert(slot, own).expect("memory"));
        // one of those before leaves, and every second time comes back: there are always entries without a body
        let other = (slot / 2) as usize;
        if slot % 4 < 2 && entries[other] != NONE {
            cells.remove(entries[other]);
            entries[other] =
                if slot % 4 == 0 { NONE } else { cells.insert(other as u32, &bounds[other]).expect("memory") };
        }
    }
    let is_stored = |slot: &u32| entries[*slot as usize] != NONE;
    let around = &bounds[COUNT as usize - 1];
    let mut found = Vec::new();
    let note = |entry: &Entry| {
        found.push(entry.slot);
        Ok(())
    };
    cells.overlapping(None, around, note).expect("no error");
    found.sort_unstable();
    let expected = (0..COUNT).filter(is_stored).filter(|slot| bounds[*slot as usize].overlaps(around));
    assert!(expected.eq(found.iter().copied()) && !found.is_empty());
    // About one body to a cell: in 64 buckets, as it began, each would hold dozens.
    let fullest = cells.occupation().max().unwrap_or(0);
    assert!(fullest <= 16, "{fullest} bodies in one bucket");
}
