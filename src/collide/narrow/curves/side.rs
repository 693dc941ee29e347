//! Two outlines that touch, and one of them relative to the other.

use super::plane::{Frame, Touch};
use crate::math::Vec2;
use crate::shape::nurbs::{Box2, Foot, Outline, right_of};

/// An outline and its pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) outline: &'a Outline,
    pub(super) frame: Frame,
    /// The number of samples per span.
    pub(super) samples: u32,
}

/// Two outlines. The samples of one, the slave, are measured against the other one, the master.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pass<'a> {
    pub(super) slave: Side<'a>,
    pub(super) master: Side<'a>,
    /// The frame of the slave in the axes of the master.
    pub(super) relative: Frame,
    /// Whether the slave is a.
    pub(super) is_slave_a: bool,
    /// [m]
    pub(super) margin: f64,
    /// Whether the pass includes pieces of the slave that are deep inside the master, far from its outline.
    is_deep: bool,
}

/// A minimum: its place on the slave, and its foot on the master.
#[derive(Debug, Clone, Copy)]
pub(super) struct Minimum {
    pub(super) piece: usize,
    pub(super) t: f64,
    pub(super) foot: Foot,
}

impl<'a> Pass<'a> {
    pub(super) fn new([slave, master]: [Side<'a>; 2], is_slave_a: bool, margin: f64) -> Self {
        Self { slave, master, relative: slave.frame.seen_from(&master.frame), is_slave_a, margin, is_deep: false }
    }

    /// Returns this pass, with the pieces that are deep inside the master.
    pub(super) fn deep(self) -> Self {
        Self { is_deep: true, ..self }
    }

    /// Returns the size of the smaller outline [m].
    pub(super) fn size(&self) -> f64 {
        self.slave.outline.size().min(self.master.outline.size())
    }

    /// Calls `found` with each piece of the slave whose box is within the margin of a box of the master, in rising
    /// order. A deep pass uses the box around the whole master.
    #[inline]
    pub(super) fn each_near_piece(&self, found: impl FnMut(usize)) {
        let (slave, master) = (self.slave.outline.tree(), self.master.outline.tree());
        slave.walk(
            |all| {
                let around = self.relative.around(all);
                let meets = |other: &Box2| other.meets(&around, self.margin);
                if self.is_deep { meets(master.whole()) } else { master.has_any(meets) }
            },
            found,
        );
    }

    /// Returns whether the slave is solid on the side on which the master is not. Deep inside the master its far side
    /// can be nearer, but is no contact.
    pub(super) fn is_opposed(&self, found: &Minimum) -> bool {
        let (outline, Minimum { piece, t, .. }) = (self.slave.outline, *found);
        let tangent = if t > 0.0 {
            outline.tangent(piece, t, &outline.at(piece, t))
        } else {
            outline.join(piece).before + outline.join(piece).after
        };
        self.relative.turned(&right_of(&tangent)).dot(&found.foot.normal) < 0.0
    }

    /// Returns the contact of a point of the slave, in the axes of the master, with its foot.
    pub(super) fn touch(&self, foot: &Foot) -> Touch {
        self.touch_of(&foot.point, &foot.normal, foot.distance)
    }

    /// Returns the contact at a point of the master with the outward normal of the master.
    pub(super) fn touch_of(&self, point: &Vec2, normal: &Vec2, gap: f64) -> Touch {
        let frame = &self.master.frame;
        let outward = frame.turned(normal);
        let normal = if self.is_slave_a { -outward } else { outward };
        Touch { point: frame.to_world(point) + outward * (0.5 * gap), normal, gap, feature: 0 }
    }
}
