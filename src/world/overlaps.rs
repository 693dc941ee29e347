//! Which bodies a shape would overlap at a pose.
//!
//! Each call makes a grid with the poses of the call and the bodies near them. The neighbours of the last step do not
//! help: bodies have moved since.

use crate::body::Motion;
use crate::collide::Grid;
use crate::collide::narrow::{self, ContactPoint, NarrowWorkspace, Placed};
use crate::error::{Error, Result, all_finite, empty, finite, in_range, push, reserve, text};
use crate::id::Handle;
use crate::math::{Aabb, Period, Pose, Vec3, unit_quaternion};
use crate::shape::Shape;
use crate::world::populate::{check_reach, check_upright};
use crate::world::state::World;

/// A shape at a pose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapePose {
    /// The shape.
    pub shape: Handle,
    /// Of the shape's origin, world axes [m].
    pub position: [f64; 3],
    /// `(x, y, z, w)`
    pub rotation: [f64; 4],
}

/// A body that a shape at a pose would overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// The index of the pose.
    pub pose: usize,
    /// The body.
    pub body: Handle,
    /// The least gap between the two, below 0 where they overlap [m].
    pub gap: f64,
}

/// Bounds are grown by this part of their size and place, for round-off [-].
const ROUND_OFF: f64 = 1e-12;

/// Most poses of a call: poses and bodies are numbered together, in 32 bits.
const MAX_POSES: usize = 1 << 30;

/// A shape that the query looks at.
struct Solid<'a> {
    shape: &'a Shape,
    pose: Pose,
    /// None of half-spaces.
    bounds: Option<Aabb>,
}

impl<'a> Solid<'a> {
    /// Returns a shape whose bounds are grown by `margin` [m].
    fn new(shape: &'a Shape, motion: &Motion, margin: f64) -> Self {
        let pose = Pose::new(motion.center, motion.rotation);
        let bounds = (!matches!(shape, Shape::HalfSpace(_))).then(|| {
            let Aabb { lower, upper } = shape.bounds(&pose).grown(margin);
            let round_off = ROUND_OFF * (upper - lower + lower.abs().sup(&upper.abs()));
            Aabb { lower: lower - round_off, upper: upper + round_off }
        });
        Self { shape, pose, bounds }
    }

    fn placed(&self) -> Placed<'_> {
        Placed { shape: self.shape, pose: &self.pose }
    }
}

/// What the query looks at: the poses, and the bodies that may be near one.
struct Scene<'a> {
    period: Period,
    margin: f64,
    wanted: Vec<Solid<'a>>,
    /// In the order of creation.
    bodies: Vec<(Handle, Solid<'a>)>,
}

impl World {
    /// Returns the bodies whose gap to a shape at one of these poses is below `margin` [m], sorted by pose and then in the order of their
    /// creation. Positions are those of now. Collision filters and joints do not matter. Two shapes without volume have no gap.
    ///
    /// # Errors
    ///
    /// The margin is negative, there are too many poses, a shape does not exist, or a pose is not one that a body with the shape can have.
    pub fn overlaps(&self, poses: impl ExactSizeIterator<Item = ShapePose>, margin: f64) -> Result<Vec<Overlap>> {
        finite("margin", margin)?;
        in_range("margin", margin, margin >= 0.0, "0 or above")?;
        let (count, limit) = (poses.len(), MAX_POSES);
        if count > limit {
            return Err(Error::argument(text!("pose_count is {count}, expected at most {limit}")));
        }
        let mut wanted = Vec::new();
        reserve(&mut wanted, count, "poses")?;
        for (index, pose) in poses.enumerate() {
            wanted.push(self.solid(&pose, margin).map_err(|error| error.at(format_args!("poses[{index}]: ")))?);
        }
        let bodies = self.bodies_near(&wanted)?;
        let scene = Scene { period: self.period, margin, wanted, bodies };
        scene.overlaps()
    }

    /// Returns the shape of a pose.
    fn solid(&self, pose: &ShapePose, margin: f64) -> Result<Solid<'_>> {
        let slot = self.shapes.registry.slot("shape", pose.shape)?;
        let Some(shape) = self.shapes.get(slot as u32) else {
            return Err(Error::argument("shape does not exist"));
        };
        all_finite("position", &pose.position)?;
        let rotation = unit_quaternion("rotation", &pose.rotation)?;
        let still = Vec3::zeros();
        let motion = Motion { center: Vec3::from(pose.position), rotation, linear: still, angular: still };
        check_reach(&motion, &still, shape.bounding_radius() + margin)?;
        self.check_image_within(shape, &motion, ("margin", margin))?;
        if let Shape::Curve(_) = shape {
            check_upright(&rotation)?;
        }
        Ok(Solid::new(shape, &motion, margin))
    }

    /// Returns the bodies whose bounds meet those of all poses together.
    fn bodies_near(&self, wanted: &[Solid]) -> Result<Vec<(Handle, Solid<'_>)>> {
        // In a periodic box images may be near where the bodies are not.
        let all = if self.period.is_open() { hull(wanted) } else { None };
        let is_near = |bounds: &Aabb| all.is_none_or(|all| all.overlaps(bounds));
        let mut near = Vec::new();
        for slot in self.bodies.order.iter().filter(|_| !wanted.is_empty()) {
            let at = *slot as usize;
            let Some(shape) = self.shapes.get(self.bodies.traits[at].shape) else { continue };
            let origin = self.bodies.origin(at);
            let sphere = Aabb::around([origin]).grown(shape.bounding_radius());
            if !is_near(&sphere) {
                continue;
            }
            let motion = Motion { center: origin, ..self.bodies.motion[at] };
            let solid = Solid::new(shape, &motion, 0.0);
            if solid.bounds.is_none_or(|bounds| is_near(&bounds)) {
                push(&mut near, (self.bodies.registry.handle(at), solid), "bodies")?;
            }
        }
        Ok(near)
    }
}

/// Returns the bounds of all shapes together; none if one has no bounds.
fn hull(solids: &[Solid]) -> Option<Aabb> {
    let mut bounds = solids.iter().map(|solid| solid.bounds);
    let first = bounds.next()??;
    bounds.try_fold(first, |all, next| {
        next.map(|next| Aabb { lower: all.lower.inf(&next.lower), upper: all.upper.sup(&next.upper) })
    })
}

impl Scene<'_> {
    fn overlaps(&self) -> Result<Vec<Overlap>> {
        let count = self.wanted.len();
        let bounds_of = |slot: usize| match slot.checked_sub(count) {
            None => self.wanted[slot].bounds,
            Some(body) => self.bodies[body].1.bounds,
        };
        let mut grid = Grid::default();
        grid.fill(count + self.bodies.len(), &self.period, |slot| bounds_of(slot as usize))?;
        let mut unbounded = Vec::new();
        for (body, (_, solid)) in self.bodies.iter().enumerate() {
            if solid.bounds.is_none() {
                push(&mut unbounded, body, "bodies")?;
            }
        }
        let (mut found, mut partners) = (Vec::new(), Vec::new());
        let mut search = Search::default();
        for (pose, wanted) in self.wanted.iter().enumerate() {
            empty(&mut partners, unbounded.len(), "bodies")?;
            if wanted.bounds.is_none() {
                reserve(&mut partners, self.bodies.len(), "bodies")?;
                partners.extend(0..self.bodies.len());
            } else {
                partners.extend_from_slice(&unbounded);
                grid.partners(pose as u32, |slot| match (slot as usize).checked_sub(count) {
                    Some(body) => push(&mut partners, body, "bodies"),
                    None => Ok(()),
                })?;
            }
            partners.sort_unstable();
            for (body, solid) in partners.iter().filter_map(|body| self.bodies.get(*body)) {
                let gap = search.gap(self, wanted, solid)?;
                if gap < self.margin {
                    push(&mut found, Overlap { pose, body: *body, gap }, "overlaps")?;
                }
            }
        }
        Ok(found)
    }
}

/// The workspace of the narrow phase.
#[derive(Default)]
struct Search {
    narrow: NarrowWorkspace,
    points: Vec<ContactPoint>,
}

impl Search {
    /// Returns the least gap between a shape and the nearest image of a body; infinite if it is above the margin [m].
    fn gap(&mut self, scene: &Scene, wanted: &Solid, body: &Solid) -> Result<f64> {
        let is_bounded = wanted.bounds.is_some() && body.bounds.is_some();
        let arm = body.pose.origin - wanted.pose.origin;
        let excess = if is_bounded { scene.period.excess(&arm) } else { Vec3::zeros() };
        let image = Pose { origin: body.pose.origin - excess, ..body.pose };
        self.points.clear();
        let image = Placed { shape: body.shape, pose: &image };
        narrow::contacts(wanted.placed(), image, scene.margin, &mut self.narrow, &mut self.points)?;
        Ok(self.points.iter().map(|point| point.gap).fold(f64::INFINITY, f64::min))
    }
}
