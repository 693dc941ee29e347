//! The kinds of joints, and the axes that each of them leaves free.

/// What a joint locks. `z` is the axis of hinge, slider and cylindrical, the normal of planar, and the twist axis of ball.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointKind {
    /// Locks the three displacements.
    Ball,
    /// Locks all but the turn about z.
    Hinge,
    /// Locks all but the displacement along z.
    Slider,
    /// Locks all displacements and turns.
    Fixed,
    /// Holds the distance of two points between two bounds. Equal bounds are a rod, an upper bound alone a rope, a lower one a strut.
    Distance,
    /// Locks the displacements, and holds x of frame A perpendicular to y of frame B.
    Universal,
    /// Locks all but the displacement along z and the turn about z.
    Cylindrical,
    /// Locks the displacement along z and the turns about x and y.
    Planar,
    /// Locks the axes with the mode `Locked`.
    General,
}

impl JointKind {
    /// All kinds, in the order of their numbers in the C interface.
    pub const ALL: [Self; 9] = [
        Self::Ball,
        Self::Hinge,
        Self::Slider,
        Self::Fixed,
        Self::Distance,
        Self::Universal,
        Self::Cylindrical,
        Self::Planar,
        Self::General,
    ];

    /// Returns the name of the kind in messages, as in the C interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ball => "BALL",
            Self::Hinge => "HINGE",
            Self::Slider => "SLIDER",
            Self::Fixed => "FIXED",
            Self::Distance => "DISTANCE",
            Self::Universal => "UNIVERSAL",
            Self::Cylindrical => "CYLINDRICAL",
            Self::Planar => "PLANAR",
            Self::General => "GENERAL",
        }
    }

    /// Returns the axes that may have limits and drives, in ascending order.
    ///
    /// Of a ball, 5 is the twist and 3 the angle of the cone. Of a distance joint, 0 is the distance.
    pub fn free_axes(self) -> &'static [usize] {
        match self {
            Self::Ball => &[3, 5],
            Self::Hinge => &[5],
            Self::Slider => &[2],
            Self::Fixed => &[],
            Self::Distance => &[0],
            Self::Universal => &[3, 4],
            Self::Cylindrical => &[2, 5],
            Self::Planar => &[0, 1, 5],
            Self::General => &[0, 1, 2, 3, 4, 5],
        }
    }
}
