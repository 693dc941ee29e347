use crate::tasks::tests::Scoped;
use crate::tasks::{Serial, Tasks};
use crate::world::detect::moving_set::MovingSet;

#[test]
fn some_leave_and_others_come_in_between() {
    let mut set = MovingSet::default();
    let changes: [(&[u32], &[u32]); 5] =
        [(&[], &[3, 5, 900]), (&[5], &[0, 4, 5, 1000]), (&[0, 1000], &[]), (&[], &[901]), (&[3, 4, 5, 900, 901], &[2])];
    let expected: [&[u32]; 5] = [&[3, 5, 900], &[0, 3, 4, 5, 900, 1000], &[3, 4, 5, 900], &[3, 4, 5, 900, 901], &[2]];
    for ((leave, come), expected) in changes.into_iter().zip(expected) {
        set.exchange(|place| leave.contains(&place), come.iter().copied()).expect("memory");
        set.cut().expect("memory");
        assert_eq!(set.indices, expected);
    }
}

/// One in seven of a thousand moves, and one in three of those leaves its bounds.
#[test]
fn only_members_are_updated_and_those_away_are_listed_in_order() {
    for tasks in [&Serial as &dyn Tasks, &Scoped(3)] {
        let mut set = MovingSet::default();
        set.exchange(|_| false, (0..1000).map(|k| 7 * k)).expect("memory");
        set.cut().expect("memory");
        let mut all = vec![0; 7000];
        for round in 1..=3 {
            set.update(tasks, &mut all, |at, own| {
                *own += at;
                at % 3 != round - 1
            });
            let expected: Vec<u32> = (0..1000).map(|k| 7 * k).filter(|at| *at as usize % 3 == round - 1).collect();
            assert_eq!(set.away().collect::<Vec<_>>(), expected);
            assert_eq!(set.count_away(), expected.len());
            assert!(all.iter().enumerate().all(|(at, own)| *own == if at % 7 == 0 { round * at } else { 0 }));
        }
        set = MovingSet::default();
        set.update(tasks, &mut all, |_, _| false);
        assert_eq!(set.away().count(), 0);
    }
}
