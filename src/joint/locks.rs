//! Which displacements and turns a joint locks.

use crate::joint::axis::AxisMode;
use crate::joint::direction::Direction;
use crate::joint::kind::JointKind;

/// The turns that a joint locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnLocks {
    /// No turn: the coordinates are the twist about z and the angle of the cone.
    None,
    /// The turn about this direction.
    One(Direction),
    /// The turns about all directions but this one.
    AllBut(Direction),
    /// All turns.
    All,
}

/// The axes that a joint locks. A distance joint locks none here: its row is made from its lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locks {
    /// Whether the displacement along each axis of frame A is locked.
    pub linear: [bool; 3],
    /// The turns that are locked.
    pub turns: TurnLocks,
}

impl Locks {
    /// Returns what a joint of this kind locks. `modes` are those of the six axes; only a general joint uses them.
    pub fn new(kind: JointKind, modes: &[AxisMode; 6]) -> Self {
        let along_z = TurnLocks::AllBut(Direction::Z);
        let (linear, turns) = match kind {
            JointKind::Ball => ([true; 3], TurnLocks::None),
            JointKind::Hinge => ([true; 3], along_z),
            JointKind::Slider => ([true, true, false], TurnLocks::All),
            JointKind::Fixed => ([true; 3], TurnLocks::All),
            JointKind::Distance => ([false; 3], TurnLocks::None),
            JointKind::Universal => ([true; 3], TurnLocks::One(Direction::Z)),
            JointKind::Cylindrical => ([true, true, false], along_z),
            JointKind::Planar => ([false, false, true], along_z),
            JointKind::General => {
                let [x, y, z, turns @ ..] = modes.map(|mode| mode == AxisMode::Locked);
                ([x, y, z], TurnLocks::new(turns))
            }
        };
        Self { linear, turns }
    }

    /// Returns whether nothing is free.
    pub fn is_whole(&self) -> bool {
        self.linear == [true; 3] && self.turns == TurnLocks::All
    }

    /// Returns the direction of the only free turn, whose full turns are counted; `None` if there is none or more than one.
    pub fn counted_turn(&self) -> Option<Direction> {
        match self.turns {
            TurnLocks::AllBut(direction) => Some(direction),
            TurnLocks::None | TurnLocks::One(_) | TurnLocks::All => None,
        }
    }
}

impl TurnLocks {
    /// Returns the locks of a joint that locks these turns.
    pub fn new(locked: [bool; 3]) -> Self {
        match locked {
            [false, false, false] => Self::None,
            [true, false, false] => Self::One(Direction::X),
            [false, true, false] => Self::One(Direction::Y),
            [false, false, true] => Self::One(Direction::Z),
            [false, true, true] => Self::AllBut(Direction::X),
            [true, false, true] => Self::AllBut(Direction::Y),
            [true, true, false] => Self::AllBut(Direction::Z),
            [true, true, true] => Self::All,
        }
    }
}
