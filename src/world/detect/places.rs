//! Where every body's shape is now, and the larger bounds that it is filed with until it leaves them.

use crate::body::{Bodies, Kind};
use crate::collide::{Ball, Filed, Filter};
use crate::error::{Result, reserve, resize};
use crate::id::Handle;
use crate::math::{Aabb, Mat3, Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::world::shapes::Shapes;

/// The skin about a body that moves, as a part of its size: how far it may go before it is filed anew [-].
const SKIN: f64 = 0.1;

/// More than the round-off of what is computed from differences of places, relative to it [-].
const ROUND_OFF: f64 = 1e-9;

/// A half-space on the move is filed ahead by this many of its last steps [-].
const STEPS_AHEAD: f64 = 8.0;

/// Not among the posed.
const BALL: u32 = u32::MAX;

/// What is known of the slots' bodies. Spheres about their centre of mass are balls and nothing else; all others are *posed*.
#[derive(Debug, Default)]
pub(in crate::world) struct Places {
    pub(in crate::world) balls: Vec<Ball>,
    pub(in crate::world) looks: Vec<Look>,
    pub(in crate::world) posed: Vec<Posed>,
    filed: Vec<FiledBall>,
    /// The slots of bodies that may have moved since the last step.
    moving_balls: Vec<u32>,
    moving_posed: Vec<u32>,
    unbounded: Vec<u32>,
    /// Slots to file anew.
    moved: Vec<u32>,
    /// Of the bodies as they are described here.
    editions: Vec<u32>,
    revision: u64,
    margin: f64,
    /// Whether the last update came to its end.
    is_whole: bool,
}

/// What a body's contacts need of it.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Look {
    /// Null without a body.
    pub(in crate::world) handle: Handle,
    pub(in crate::world) material: u32,
    posed: u32,
}

const ABSENT: Look = Look { handle: Handle::NULL, material: 0, posed: BALL };

/// A ball as it was filed: all places within `skin` of `center`.
#[derive(Debug, Clone, Copy)]
struct FiledBall {
    center: Vec3,
    skin: f64,
}

/// A body that is not a ball.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Posed {
    slot: u32,
    /// The shape's frame; that of a sphere is not turned.
    pub(in crate::world) pose: Pose,
    pub(in crate::world) extent: Extent,
    filed: Extent,
}

/// Where the points of a body are.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) enum Extent {
    /// Within these bounds, which count half the contact margin.
    Bounds(Aabb),
    /// Up to `offset` along `normal`; both from the world's origin, without margin.
    Below { normal: Vec3, offset: f64 },
}

/// All bodies, as their neighbours are found.
pub(in crate::world) struct Filing<'a> {
    pub(in crate::world) places: &'a Places,
    pub(in crate::world) bodies: &'a Bodies,
}

impl Places {
    /// Forgets all bodies.
    fn forget(&mut self) {
        self.balls.clear();
        self.looks.clear();
        self.posed.clear();
        self.filed.clear();
        self.editions.clear();
        self.revision = 0;
    }

    /// Places all bodies that may have moved, and notes which have to be filed anew. Answers whether the others may stay where
    /// they are filed. If [`Places::complete`] does not follow, they may not the next time.
    pub(in crate::world) fn update(&mut self, bodies: &Bodies, shapes: &Shapes, margin: f64) -> Result<bool> {
        let all = !self.is_whole || self.margin != margin || self.editions.len() > bodies.slots();
        if all {
            self.forget();
        }
        self.margin = margin;
        self.is_whole = false;
        self.moved.clear();
        reserve(&mut self.moved, bodies.slots(), "bodies")?;
        if all || self.revision != bodies.revision {
            self.describe_changed(bodies, shapes)?;
        }
        self.place_balls(bodies);
        self.place_posed(bodies, shapes);
        self.moved.sort_unstable();
        self.moved.dedup();
        Ok(!all)
    }

    /// The slots, sorted, of the bodies that left their filed bounds, came, went or changed.
    pub(in crate::world) fn moved(&self) -> &[u32] {
        &self.moved
    }

    /// The moved are filed where they are now, and their neighbours found.
    pub(in crate::world) fn complete(&mut self) {
        self.is_whole = true;
    }

    /// Describes all bodies that are not as they were described, and lists who may move.
    fn describe_changed(&mut self, bodies: &Bodies, shapes: &Shapes) -> Result<()> {
        let slots = bodies.slots();
        resize(&mut self.balls, slots, Ball { center: Vec3::zeros(), radius: 0.0 }, "bodies")?;
        resize(&mut self.looks, slots, ABSENT, "bodies")?;
        resize(&mut self.filed, slots, FiledBall { center: Vec3::zeros(), skin: 0.0 }, "bodies")?;
        resize(&mut self.editions, slots, 0, "bodies")?;
        for slot in 0..slots {
            if self.editions[slot] != bodies.editions[slot] {
                self.editions[slot] = bodies.editions[slot];
                self.moved.push(slot as u32);
                self.describe(bodies, shapes, slot)?;
            }
        }
        self.revision = bodies.revision;
        for list in [&mut self.moving_balls, &mut self.moving_posed, &mut self.unbounded] {
            list.clear();
        }
        for (slot, look) in self.looks.iter().enumerate().filter(|(_, look)| look.handle != Handle::NULL) {
            let is_ball = look.posed == BALL;
            if may_move(bodies, slot) {
                let list = if is_ball { &mut self.moving_balls } else { &mut self.moving_posed };
                push(list, slot as u32)?;
            }
            if !is_ball && self.balls[slot].radius.is_infinite() {
                push(&mut self.unbounded, slot as u32)?;
            }
        }
        Ok(())
    }

    fn describe(&mut self, bodies: &Bodies, shapes: &Shapes, slot: usize) -> Result<()> {
        let old = self.looks[slot].posed;
        if old != BALL {
            self.posed.swap_remove(old as usize);
            if let Some(moved) = self.posed.get(old as usize) {
                self.looks[moved.slot as usize].posed = old;
            }
        }
        self.looks[slot] = ABSENT;
        let traits = &bodies.traits[slot];
        let Some(shape) = shapes.get(traits.shape).filter(|_| bodies.registry.is_live(slot)) else { return Ok(()) };
        let motion = &bodies.motion[slot];
        let mut look = Look { handle: bodies.registry.handle(slot), material: traits.material, posed: BALL };
        let is_ball = matches!(shape, Shape::Sphere(_)) && bodies.mass[slot].center == Vec3::zeros();
        let mut center = motion.center;
        if !is_ball {
            look.posed = self.posed.len() as u32;
            reserve(&mut self.posed, 1, "bodies")?;
            let pose = pose_of(bodies, shape, slot);
            center = pose.origin;
            let extent = Extent::of(shape, &pose, self.margin);
            self.posed.push(Posed { slot: slot as u32, pose, extent, filed: extent });
        }
        self.balls[slot] = Ball { center, radius: shape.bounding_radius() };
        // Wherever it is now, it is on the list of the moved once.
        self.filed[slot] = FiledBall { center, skin: f64::INFINITY };
        self.looks[slot] = look;
        Ok(())
    }

    /// Places the balls that may have moved, and notes those that left their filed bounds.
    fn place_balls(&mut self, bodies: &Bodies) {
        let Self { balls, filed, moving_balls, moved, .. } = self;
        for slot in moving_balls.iter() {
            let at = *slot as usize;
            let center = bodies.motion[at].center;
            balls[at].center = center;
            let FiledBall { center: from, skin } = &filed[at];
            // Written so that what is no number counts as far.
            if !((center - from).norm_squared() <= skin * skin) {
                moved.push(*slot);
            }
        }
    }

    /// Places all others that may have moved, and notes those that left their filed bounds.
    fn place_posed(&mut self, bodies: &Bodies, shapes: &Shapes) {
        for slot in &self.moving_posed {
            let at = *slot as usize;
            let Some(shape) = shapes.get(bodies.traits[at].shape) else { continue };
            let posed = &mut self.posed[self.looks[at].posed as usize];
            let (origin, rotation) = (origin_of(bodies, at), bodies.motion[at].rotation);
            if posed.pose.origin == origin && posed.pose.rotation == rotation {
                continue;
            }
            posed.pose = pose_of(bodies, shape, at);
            self.balls[at].center = origin;
            let before = posed.extent;
            posed.extent = Extent::of(shape, &posed.pose, self.margin);
            if !posed.filed.holds(&posed.extent) {
                self.moved.push(*slot);
                posed.filed = before;
            }
        }
    }

    /// Files the moved bodies where they are now.
    pub(in crate::world) fn file_moved(&mut self, bodies: &Bodies) {
        for at in 0..self.moved.len() {
            self.file(bodies, self.moved[at]);
        }
    }

    /// Files all bodies where they are now.
    pub(in crate::world) fn file_all(&mut self, bodies: &Bodies) {
        for slot in 0..self.looks.len() as u32 {
            self.file(bodies, slot);
        }
    }

    fn file(&mut self, bodies: &Bodies, slot: u32) {
        let at = slot as usize;
        let look = self.looks[at];
        if look.handle == Handle::NULL {
            return;
        }
        let part = if may_move(bodies, at) { SKIN } else { 0.0 };
        if look.posed == BALL {
            let Ball { center, radius } = self.balls[at];
            self.filed[at] = FiledBall { center, skin: part * radius };
        } else {
            let posed = &mut self.posed[look.posed as usize];
            posed.filed = posed.extent.with_skin(part, &posed.filed);
        }
    }

    /// The pose of the body in `slot` if it is no ball.
    pub(in crate::world) fn posed(&self, slot: u32) -> Option<&Posed> {
        self.posed.get(self.looks[slot as usize].posed as usize)
    }

    /// The bounds now, with half the contact margin; none of half-spaces.
    pub(in crate::world) fn bounds(&self, slot: u32) -> Option<Aabb> {
        match self.posed(slot) {
            None => Some(cube(&self.balls[slot as usize].center, self.balls[slot as usize].radius + 0.5 * self.margin)),
            Some(Posed { extent: Extent::Bounds(bounds), .. }) => Some(*bounds),
            Some(_) => None,
        }
    }
}

impl Filed for Filing<'_> {
    fn slots(&self) -> usize {
        self.places.looks.len()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        let places = self.places;
        let at = slot as usize;
        let look = places.looks[at];
        match places.posed.get(look.posed as usize) {
            None if look.handle == Handle::NULL => None,
            None => {
                let FiledBall { center, skin } = &places.filed[at];
                let reach = places.balls[at].radius + skin + 0.5 * places.margin;
                // Places are rounded in proportion to themselves.
                let reach = center.abs() * (4.0 * f64::EPSILON) + Vec3::repeat(reach * (1.0 + ROUND_OFF));
                Some(Aabb { lower: center - reach, upper: center + reach })
            }
            Some(Posed { filed: Extent::Bounds(bounds), .. }) => Some(*bounds),
            Some(_) => None,
        }
    }

    fn unbounded(&self) -> &[u32] {
        &self.places.unbounded
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        if !filter(self.bodies, one).admits(&filter(self.bodies, other)) {
            return false;
        }
        let places = self.places;
        match (places.posed(one), places.posed(other)) {
            (None, None) => {
                let (a, b) = (one as usize, other as usize);
                let arm = places.filed[b].center - places.filed[a].center;
                let skins = places.filed[a].skin + places.filed[b].skin;
                let reach = places.balls[a].radius + places.balls[b].radius + skins + places.margin;
                arm.norm_squared() <= (reach * reach) * (1.0 + ROUND_OFF)
            }
            (Some(Posed { filed: plane @ Extent::Below { .. }, .. }), _) => {
                self.bounds(other).is_some_and(|bounds| plane.reaches(&bounds, places.margin))
            }
            (_, Some(Posed { filed: plane @ Extent::Below { .. }, .. })) => {
                self.bounds(one).is_some_and(|bounds| plane.reaches(&bounds, places.margin))
            }
            _ => true,
        }
    }
}

impl Extent {
    fn of(shape: &Shape, pose: &Pose, margin: f64) -> Self {
        match shape {
            Shape::HalfSpace(half_space) => {
                let (normal, offset) = half_space.placed(pose);
                Self::Below { normal, offset }
            }
            shape => Self::Bounds(shape.bounds(pose).grown(0.5 * margin)),
        }
    }

    /// Whether all of `other` is in this one.
    fn holds(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bounds(all), Self::Bounds(part)) => all.holds(part),
            (Self::Below { normal, offset }, Self::Below { normal: other, offset: up_to }) => {
                normal == other && up_to <= offset
            }
            _ => false,
        }
    }

    /// Whether a half-space comes within the margin of bounds that count half of it. True if in doubt.
    fn reaches(&self, bounds: &Aabb, margin: f64) -> bool {
        let Self::Below { normal, offset } = self else { return true };
        let center = 0.5 * bounds.lower + 0.5 * bounds.upper;
        let reach = normal.abs().dot(&(bounds.upper - center)) + 0.5 * margin;
        let round_off = ROUND_OFF * reach + 1e-14 * (normal.abs().dot(&center.abs()) + offset.abs());
        normal.dot(&center) - reach - round_off <= *offset
    }

    /// What to file: with a skin, or for a half-space with the way of some more steps like the one from `before`.
    fn with_skin(&self, part: f64, before: &Self) -> Self {
        match (self, before) {
            (Self::Bounds(bounds), _) => Self::Bounds(bounds.grown(0.5 * part * (bounds.upper - bounds.lower).min())),
            (Self::Below { normal, offset }, Self::Below { normal: other, offset: from }) => {
                let way = if normal == other { (offset - from).max(0.0) } else { 0.0 };
                Self::Below { normal: *normal, offset: offset + STEPS_AHEAD * way }
            }
            (Self::Below { .. }, Self::Bounds(_)) => *self,
        }
    }
}

/// Whether a step can move the body; what cannot costs nothing. Where the answer changes, [`Bodies::changed`] is called.
fn may_move(bodies: &Bodies, slot: usize) -> bool {
    bodies.traits[slot].kind != Kind::Static
}

fn filter(bodies: &Bodies, slot: u32) -> Filter {
    let traits = &bodies.traits[slot as usize];
    Filter {
        moves: traits.kind == Kind::Dynamic,
        category: traits.filter_category,
        mask: traits.filter_mask,
        group: traits.filter_group,
    }
}

/// Of the shape's frame, world axes [m].
fn origin_of(bodies: &Bodies, slot: usize) -> Vec3 {
    let motion = &bodies.motion[slot];
    motion.center - motion.rotation * bodies.mass[slot].center
}

fn pose_of(bodies: &Bodies, shape: &Shape, slot: usize) -> Pose {
    let (origin, rotation) = (origin_of(bodies, slot), bodies.motion[slot].rotation);
    if matches!(shape, Shape::Sphere(_)) {
        return Pose { origin, rotation, matrix: Mat3::identity() };
    }
    Pose::new(origin, rotation)
}

/// The frame of a ball, which is not turned.
pub(in crate::world) fn ball_pose(ball: &Ball) -> Pose {
    Pose { origin: ball.center, rotation: Quat::identity(), matrix: Mat3::identity() }
}

fn cube(center: &Vec3, reach: f64) -> Aabb {
    let reach = Vec3::repeat(reach);
    Aabb { lower: center - reach, upper: center + reach }
}

fn push(list: &mut Vec<u32>, slot: u32) -> Result<()> {
    if list.len() == list.capacity() {
        reserve(list, list.len().max(16), "bodies")?;
    }
    list.push(slot);
    Ok(())
}
