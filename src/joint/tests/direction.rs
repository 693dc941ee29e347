use crate::joint::Direction;

#[test]
fn directions_follow_each_other_in_a_cycle() {
    assert_eq!(Direction::ALL.map(Direction::next), [Direction::Y, Direction::Z, Direction::X]);
    assert_eq!(Direction::ALL.map(Direction::number), [0, 1, 2]);
    assert_eq!(Direction::ALL.map(|direction| direction.of(&[10, 11, 12])), [10, 11, 12]);
}
