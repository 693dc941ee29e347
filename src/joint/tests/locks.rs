use crate::joint::{AxisMode, Direction, JointKind, Locks, TurnLocks};

const ALL: [JointKind; 9] = JointKind::ALL;

#[test]
fn each_kind_locks_what_its_name_says() {
    let along_z = TurnLocks::AllBut(Direction::Z);
    let expected = [
        ([true; 3], TurnLocks::None),
        ([true; 3], along_z),
        ([true, true, false], TurnLocks::All),
        ([true; 3], TurnLocks::All),
        ([false; 3], TurnLocks::None),
        ([true; 3], TurnLocks::One(Direction::Z)),
        ([true, true, false], along_z),
        ([false, false, true], along_z),
        ([true, false, true], TurnLocks::One(Direction::Y)),
    ];
    // A wheel that slides along y. Only the general joint, the last one, looks at the modes.
    let (locked, free) = (AxisMode::Locked, AxisMode::Free);
    let modes = [locked, AxisMode::Limited, locked, free, locked, free];
    for (kind, (linear, turns)) in ALL.into_iter().zip(expected) {
        assert_eq!(Locks::new(kind, &modes), Locks { linear, turns }, "{kind:?}");
    }
}

#[test]
fn locked_turns_are_distinguished() {
    for bits in 0..8 {
        let locked = [0, 1, 2].map(|axis| bits >> axis & 1 == 1);
        let expected = |direction: Direction| match TurnLocks::new(locked) {
            TurnLocks::None => false,
            TurnLocks::One(one) => direction == one,
            TurnLocks::AllBut(free) => direction != free,
            TurnLocks::All => true,
        };
        assert_eq!(locked, Direction::ALL.map(expected), "{bits:#b}");
    }
}

#[test]
fn a_single_free_turn_is_counted() {
    let counted = ALL.map(|kind| Locks::new(kind, &[AxisMode::Free; 6]).counted_turn().map(Direction::number));
    assert_eq!(counted, [None, Some(2), None, None, None, None, Some(2), Some(2), None]);
}
