//! Where every body's shape is now, and the larger bounds that it is filed with until it leaves them.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::{Bodies, Kind};
use crate::collide::{Ball, Filed, Filter};
use crate::error::{Result, reserve, resize};
use crate::id::Handle;
use crate::math::{Aabb, Mat3, Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};
use crate::world::shapes::Shapes;
use crate::world::state::BODIES_PER_PIECE;

/// The skin about a body that may move, as a part of its radius: how far it may go before it is filed anew [-]. At rest it stays
/// within the least, and a wider one has more neighbours that do not touch.
const LEAST_SKIN: f64 = 0.05;
const WIDEST_SKIN: f64 = 0.36;

/// The skin is the way of this many steps, if that is between the two [-].
const SKIN_STEPS: f64 = 6.0;

/// A body is filed this part of its skin ahead of where it is, so that it stays longer [-].
const AHEAD: f64 = 0.5;

/// A body that leaves the widest skin within fewer steps than this is filed in every step, and then best without any [-].
const FEWEST_STEPS: f64 = 2.0;

/// More than the round-off of what is computed from differences of places, relative to it [-].
const ROUND_OFF: f64 = 1e-9;

/// Not among the posed.
const BALL: u32 = u32::MAX;

/// What is known of the slots' bodies. Spheres about their centre of mass are balls and nothing else; all others are *posed*.
#[derive(Debug, Default)]
pub(in crate::world) struct Places {
    pub(in crate::world) balls: Vec<Ball>,
    pub(in crate::world) looks: Vec<Look>,
    pub(in crate::world) posed: Vec<Posed>,
    filed: Vec<FiledBall>,
    /// The slots of balls that may have moved since the last step, and the places of others among the posed; ascending.
    moving_balls: Vec<u32>,
    moving_posed: Vec<u32>,
    unbounded: Vec<u32>,
    /// Of each slot, whether a ball has left the bounds it is filed with.
    is_away: Vec<bool>,
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
    /// Whether it has left them.
    is_away: bool,
}

/// Where the points of a body are.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) enum Extent {
    /// Within these bounds, which count half the contact margin.
    Bounds(Aabb),
    /// Up to `offset` along `normal`; both from the world's origin, without margin.
    Below { normal: Vec3, offset: f64 },
}

/// What places depend on.
pub(in crate::world) struct Watched<'a> {
    pub(in crate::world) tasks: &'a dyn Tasks,
    pub(in crate::world) bodies: &'a Bodies,
    pub(in crate::world) shapes: &'a Shapes,
    pub(in crate::world) margin: f64,
    /// About the length of a step, if known, else 0 [s].
    pub(in crate::world) step: f64,
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
        self.is_away.clear();
        self.editions.clear();
        self.revision = 0;
    }

    /// Places all bodies that may have moved, and notes which have to be filed anew. Answers whether the others may stay where
    /// they are filed. If [`Places::complete`] does not follow, they may not the next time.
    pub(in crate::world) fn update(&mut self, watched: &Watched) -> Result<bool> {
        let Watched { tasks, bodies, shapes, margin, .. } = watched;
        let is_kept = self.is_whole && self.margin == *margin && self.editions.len() <= bodies.slots();
        if !is_kept {
            self.forget();
        }
        self.margin = *margin;
        self.is_whole = false;
        self.moved.clear();
        if !is_kept || self.revision != bodies.revision {
            self.describe_changed(bodies, shapes)?;
        }
        if self.place_balls(*tasks, bodies) {
            let Self { is_away, moved, .. } = self;
            let away = is_away.iter_mut().enumerate().filter(|(_, is_away)| **is_away);
            moved.extend(away.map(|(slot, is_away)| {
                *is_away = false;
                slot as u32
            }));
        }
        self.place_posed(*tasks, bodies, shapes);
        self.moved.sort_unstable();
        Ok(is_kept)
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
        resize(&mut self.is_away, slots, false, "bodies")?;
        resize(&mut self.editions, slots, 0, "bodies")?;
        reserve(&mut self.moved, slots, "bodies")?;
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
            if may_move(bodies, slot) && is_ball {
                push(&mut self.moving_balls, slot as u32)?;
            } else if may_move(bodies, slot) {
                push(&mut self.moving_posed, look.posed)?;
            }
            if !is_ball && self.balls[slot].radius.is_infinite() {
                push(&mut self.unbounded, slot as u32)?;
            }
        }
        self.moving_posed.sort_unstable();
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
            self.posed.push(Posed { slot: slot as u32, pose, extent, filed: extent, is_away: false });
        }
        self.balls[slot] = Ball { center, radius: shape.bounding_radius() };
        // Wherever it is now, it is on the list of the moved once.
        self.filed[slot] = FiledBall { center, skin: f64::INFINITY };
        self.looks[slot] = look;
        Ok(())
    }

    /// Places the balls that may have moved, and marks those that left their filed bounds. Answers whether there are any.
    fn place_balls(&mut self, tasks: &dyn Tasks, bodies: &Bodies) -> bool {
        let Self { balls, filed, moving_balls, is_away, .. } = self;
        let any = AtomicBool::new(false);
        each_pair_of_pieces(tasks, BODIES_PER_PIECE, (balls, is_away), |first, balls, is_away| {
            let mut left = false;
            for slot in within(moving_balls, first, balls.len()) {
                let at = *slot as usize;
                let center = bodies.motion[at].center;
                balls[at - first].center = center;
                let FiledBall { center: from, skin } = &filed[at];
                // Written so that what is no number counts as far.
                let stays = (center - from).norm_squared() <= skin * skin;
                is_away[at - first] = !stays;
                left |= !stays;
            }
            any.fetch_or(left, Ordering::Relaxed);
        });
        any.into_inner()
    }

    /// Places all others that may have moved, and notes those that left their filed bounds.
    fn place_posed(&mut self, tasks: &dyn Tasks, bodies: &Bodies, shapes: &Shapes) {
        let Self { balls, posed, moving_posed, moved, margin, .. } = self;
        each_piece(tasks, BODIES_PER_PIECE, posed, |first, posed| {
            for index in within(moving_posed, first, posed.len()) {
                posed[*index as usize - first].place(bodies, shapes, *margin);
            }
        });
        for index in moving_posed {
            let posed = &mut posed[*index as usize];
            balls[posed.slot as usize].center = posed.pose.origin;
            if std::mem::take(&mut posed.is_away) {
                moved.push(posed.slot);
            }
        }
    }

    /// Files the moved bodies where they are now.
    pub(in crate::world) fn file_moved(&mut self, watched: &Watched) {
        for at in 0..self.moved.len() {
            self.file(watched, self.moved[at]);
        }
    }

    /// Files all bodies where they are now.
    pub(in crate::world) fn file_all(&mut self, watched: &Watched) {
        for slot in 0..self.looks.len() as u32 {
            self.file(watched, slot);
        }
    }

    fn file(&mut self, watched: &Watched, slot: u32) {
        let at = slot as usize;
        let look = self.looks[at];
        if look.handle == Handle::NULL {
            return;
        }
        let Ball { center, radius } = self.balls[at];
        if look.posed == BALL {
            let (ahead, skin) = watched.skin(at, radius, 0.0);
            self.filed[at] = FiledBall { center: center + ahead, skin };
            return;
        }
        let posed = &mut self.posed[look.posed as usize];
        posed.filed = match posed.extent {
            Extent::Bounds(bounds) => {
                let (ahead, skin) = watched.skin(at, 0.5 * (bounds.upper - bounds.lower).min(), radius);
                let all = Aabb { lower: bounds.lower.inf(&(bounds.lower + ahead)), upper: bounds.upper.sup(&(bounds.upper + ahead)) };
                Extent::Bounds(all.grown(skin))
            }
            Extent::Below { normal, offset } => {
                let way = watched.step * normal.dot(&watched.bodies.motion[at].linear);
                Extent::Below { normal, offset: offset + SKIN_STEPS * way.max(0.0) }
            }
        };
    }

    /// Whether two balls can touch while both stay where they are filed.
    fn filed_near(&self, a: usize, b: usize) -> bool {
        let arm = self.filed[b].center - self.filed[a].center;
        let reach = self.balls[a].radius + self.balls[b].radius + self.filed[a].skin + self.filed[b].skin + self.margin;
        arm.norm_squared() <= (reach * reach) * (1.0 + ROUND_OFF)
    }

    /// The pose of the body in `slot` if it is no ball.
    pub(in crate::world) fn posed(&self, slot: u32) -> Option<&Posed> {
        self.posed.get(self.looks[slot as usize].posed as usize)
    }

    /// Whether both bodies are balls.
    #[inline]
    pub(in crate::world) fn are_balls(&self, a: u32, b: u32) -> bool {
        self.looks[a as usize].posed == BALL && self.looks[b as usize].posed == BALL
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

impl Watched<'_> {
    /// How far ahead to file a body of this size, and how far from there it may go; `reach` is what a turn moves, of a body of
    /// which the turn counts [m].
    fn skin(&self, slot: usize, size: f64, reach: f64) -> (Vec3, f64) {
        if !may_move(self.bodies, slot) {
            return (Vec3::zeros(), 0.0);
        }
        let motion = &self.bodies.motion[slot];
        let way = self.step * (motion.linear.norm() + reach * motion.angular.norm());
        let widest = WIDEST_SKIN * size;
        // Written so that what is no number has no skin.
        if !(FEWEST_STEPS * way <= widest) {
            return (Vec3::zeros(), 0.0);
        }
        let skin = (SKIN_STEPS * way).clamp(LEAST_SKIN * size, widest);
        let ahead = if way > 0.0 { (AHEAD * skin / way).min(AHEAD * SKIN_STEPS) * self.step } else { 0.0 };
        (ahead * motion.linear, skin)
    }
}

impl Posed {
    /// Places it where its body is now.
    fn place(&mut self, bodies: &Bodies, shapes: &Shapes, margin: f64) {
        let at = self.slot as usize;
        let Some(shape) = shapes.get(bodies.traits[at].shape) else { return };
        let (origin, rotation) = (origin_of(bodies, at), bodies.motion[at].rotation);
        if self.pose.origin == origin && self.pose.rotation == rotation {
            return;
        }
        self.pose = pose_of(bodies, shape, at);
        self.extent = Extent::of(shape, &self.pose, margin);
        self.is_away = !self.filed.holds(&self.extent);
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
        let places = self.places;
        let near = match (places.posed(one), places.posed(other)) {
            (None, None) => places.filed_near(one as usize, other as usize),
            (Some(Posed { filed: plane @ Extent::Below { .. }, .. }), _) => {
                self.bounds(other).is_some_and(|bounds| plane.reaches(&bounds, places.margin))
            }
            (_, Some(Posed { filed: plane @ Extent::Below { .. }, .. })) => {
                self.bounds(one).is_some_and(|bounds| plane.reaches(&bounds, places.margin))
            }
            _ => true,
        };
        near && filter(self.bodies, one).admits(&filter(self.bodies, other))
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

/// What of a sorted list lies in `first..first + count`.
fn within(list: &[u32], first: usize, count: usize) -> &[u32] {
    let begin = list.partition_point(|index| (*index as usize) < first);
    let length = list[begin..].partition_point(|index| (*index as usize) < first + count);
    &list[begin..begin + length]
}

fn push(list: &mut Vec<u32>, slot: u32) -> Result<()> {
    if list.len() == list.capacity() {
        reserve(list, list.len().max(16), "bodies")?;
    }
    list.push(slot);
    Ok(())
}
