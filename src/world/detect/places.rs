//! Where every body's shape is now, and the larger bounds that it is filed with until it leaves them.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::body::Bodies;
use crate::collide::Ball;
use crate::error::{Result, reserve, resize};
use crate::math::{Aabb, Mat3, Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::tasks::{Tasks, each_pair_of_pieces, each_piece};
use crate::world::detect::extent::Extent;
use crate::world::detect::filing::{FiledBall, SKIN_STEPS, Watched, may_move};
use crate::world::shapes::Shapes;
use crate::world::state::BODIES_PER_PIECE;

/// Not among the posed.
const BALL: u32 = u32::MAX;

/// What is known of the slots' bodies. Spheres about their centre of mass are balls and nothing else; all others are *posed*.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) balls: Vec<Ball>,
    pub(super) looks: Vec<Look>,
    pub(super) posed: Vec<Posed>,
    pub(super) filed: Vec<FiledBall>,
    /// The slots of balls that may have moved since the last step, and the places of others among the posed; ascending.
    moving_balls: Vec<u32>,
    moving_posed: Vec<u32>,
    pub(super) unbounded: Vec<u32>,
    /// Of each slot, whether a ball has left the bounds it is filed with.
    is_away: Vec<bool>,
    /// Slots to file anew.
    moved: Vec<u32>,
    /// Of the bodies as they are described here.
    editions: Vec<u32>,
    revision: u64,
    pub(super) margin: f64,
    /// Whether the last update came to its end.
    is_whole: bool,
}

/// What a body's contacts need of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) is_there: bool,
    pub(super) material: u32,
    pub(super) posed: u32,
}

const ABSENT: Look = Look { is_there: false, material: 0, posed: BALL };

/// A body that is not a ball.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posed {
    slot: u32,
    /// The shape's frame; that of a sphere is not turned.
    pub(super) pose: Pose,
    pub(super) extent: Extent,
    pub(super) filed: Extent,
    /// Whether it has left them.
    is_away: bool,
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
    pub(super) fn update(&mut self, watched: &Watched) -> Result<bool> {
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
    pub(super) fn moved(&self) -> &[u32] {
        &self.moved
    }

    /// The moved are filed where they are now, and their neighbours found.
    pub(super) fn complete(&mut self) {
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
        for (slot, look) in self.looks.iter().enumerate().filter(|(_, look)| look.is_there) {
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
        let mut look = Look { is_there: true, material: traits.material, posed: BALL };
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
    pub(super) fn file_moved(&mut self, watched: &Watched) {
        for at in 0..self.moved.len() {
            self.file(watched, self.moved[at]);
        }
    }

    /// Files all bodies where they are now.
    pub(super) fn file_all(&mut self, watched: &Watched) {
        for slot in 0..self.looks.len() as u32 {
            self.file(watched, slot);
        }
    }

    fn file(&mut self, watched: &Watched, slot: u32) {
        let at = slot as usize;
        let look = self.looks[at];
        if !look.is_there {
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
                let all = Aabb {
                    lower: bounds.lower.inf(&(bounds.lower + ahead)),
                    upper: bounds.upper.sup(&(bounds.upper + ahead)),
                };
                Extent::Bounds(all.grown(skin))
            }
            Extent::Below { normal, offset } => {
                let way = watched.step * normal.dot(&watched.bodies.motion[at].linear);
                Extent::Below { normal, offset: offset + SKIN_STEPS * way.max(0.0) }
            }
        };
    }

    /// The pose of the body in `slot` if it is no ball.
    pub(super) fn posed(&self, slot: u32) -> Option<&Posed> {
        self.posed.get(self.looks[slot as usize].posed as usize)
    }

    /// Whether both bodies are balls.
    #[inline]
    pub(super) fn are_balls(&self, a: u32, b: u32) -> bool {
        self.looks[a as usize].posed == BALL && self.looks[b as usize].posed == BALL
    }

    /// The bounds now, with half the contact margin; none of half-spaces.
    pub(super) fn bounds(&self, slot: u32) -> Option<Aabb> {
        match self.posed(slot) {
            None => Some(cube(&self.balls[slot as usize].center, self.balls[slot as usize].radius + 0.5 * self.margin)),
            Some(Posed { extent: Extent::Bounds(bounds), .. }) => Some(*bounds),
            Some(_) => None,
        }
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
pub(super) fn ball_pose(ball: &Ball) -> Pose {
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
