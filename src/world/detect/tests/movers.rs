use crate::tasks::tests::Scoped;
use crate::tasks::{Alone, Tasks};
use crate::world::detect::movers::Movers;

#[test]
fn some_leave_and_others_come_in_between() {
    let mut movers = Movers::default();
    let changes: [(&[u32], &[u32]); 5] =
        [(&[], &[3, 5, 900]), (&[5], &[0, 4, 5, 1000]), (&[0, 1000], &[]), (&[], &[901]), (&[3, 4, 5, 900, 901], &[2])];
    let expected: [&[u32]; 5] = [&[3, 5, 900], &[0, 3, 4, 5, 900, 1000], &[3, 4, 5, 900], &[3, 4, 5, 900, 901], &[2]];
    for ((leave, come), expected) in changes.into_iter().zip(expected) {
        movers.exchange(|place| leave.contains(&place), come.iter().copied()).expect("memory");
        movers.cut().expect("memory");
        assert_eq!(movers.places(), expected);
    }
}

/// One in seven of a thousand moves, and one in three of those leaves its bounds.
#[test]
fn movers_alone_are_placed_and_who_is_away_is_told_in_order() {
    for tasks in [&Alone as &dyn Tasks, &Scoped(3)] {
        let mut movers = Movers::default();
        movers.exchange(|_| false, (0..1000).map(|k| 7 * k)).expect("memory");
        movers.cut().expect("memory");
        let mut all = vec![0; 7000];
        for round in 1..=3 {
            movers.place(tasks, &mut all, |at, own| {
                *own += at;
                at % 3 != round - 1
            });
            let expected: Vec<u32> = (0..1000).map(|k| 7 * k).filter(|at| *at as usize % 3 == round - 1).collect();
            assert_eq!(movers.away().collect::<Vec<_>>(), expected);
            assert_eq!(movers.count_away(), expected.len());
            assert!(all.iter().enumerate().all(|(at, own)| *own == if at % 7 == 0 { round * at } else { 0 }));
        }
        movers.clear();
        movers.place(tasks, &mut all, |_, _| false);
        assert_eq!(movers.away().count(), 0);
    }
}
