//! Where every body's shape is now, and the larger bounds that it is filed with until it leaves them.

use crate::body::Bodies;
use crate::collide::Ball;
use crate::error::{Result, reserve, resize};
use crate::math::{Aabb, Mat3, Pose, Quat, Vec3};
use crate::shape::Shape;
use crate::tasks::Tasks;
use crate::world::detect::extent::Extent;
use crate::world::detect::filing::{FiledBall, SKIN_STEPS, Watched, may_move};
use crate::world::detect::movers::Movers;
use crate::world::shapes::Shapes;

/// Not among the posed, but a ball, or nobody.
const BALL: u32 = u32::MAX;
const NOBODY: u32 = u32::MAX - 1;

/// What is known of the slots' bodies. Spheres about their centre of mass are balls and nothing else; all others are *posed*.
#[derive(Debug, Default)]
pub(super) struct Places {
    pub(super) balls: Vec<Ball>,
    pub(super) looks: Vec<Look>,
    pub(super) posed: Vec<Posed>,
    pub(super) filed: Vec<FiledBall>,
    /// The slots of balls, and the places of others among the posed.
    moving_balls: Movers,
    moving_posed: Movers,
    pub(super) unbounded: Vec<u32>,
    /// Slots to file anew.
    moved: Vec<u32>,
    pub(super) margin: f64,
    /// Whether the last update came to its end.
    is_whole: bool,
}

/// What a body's contacts need of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) material: u32,
    /// Its place among the posed, or what it is instead.
    pub(super) posed: u32,
}

const ABSENT: Look = Look { material: 0, posed: NOBODY };

impl Look {
    pub(super) fn is_there(self) -> bool {
        self.posed != NOBODY
    }

    fn is_ball(self) -> bool {
        self.posed == BALL
    }
}

/// A body that is not a ball.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posed {
    slot: u32,
    /// The shape's frame; that of a sphere is not turned.
    pub(super) pose: Pose,
    pub(super) extent: Extent,
    pub(super) filed: Extent,
}

impl Places {
    /// Forgets all bodies.
    fn forget(&mut self) {
        self.balls.clear();
        self.looks.clear();
        self.posed.clear();
        self.filed.clear();
        self.moving_balls.clear();
        self.moving_posed.clear();
        self.unbounded.clear();
    }

    /// Places all bodies that may have moved, and notes which have to be filed anew. Answers whether the others may stay where
    /// they are filed. If [`Places::complete`] does not follow, they may not the next time.
    pub(super) fn update(&mut self, watched: &Watched) -> Result<bool> {
        let Watched { tasks, bodies, shapes, margin, .. } = watched;
        let is_kept = self.is_whole && self.margin == *margin && self.looks.len() <= bodies.slots();
        if !is_kept {
            self.forget();
        }
        self.margin = *margin;
        self.is_whole = false;
        self.moved.clear();
        if !is_kept {
            self.describe_all(bodies, shapes, 0..bodies.slots() as u32)?;
        } else if bodies.changes.are_any() {
            let mut moved = std::mem::take(&mut self.moved);
            reserve(&mut moved, bodies.changes.count(), "bodies")?;
            moved.extend(bodies.changes.slots());
            self.describe_all(bodies, shapes, moved.iter().copied())?;
            self.moved = moved;
        }
        self.place_balls(*tasks, bodies);
        self.place_posed(*tasks, bodies, shapes);
        let Self { moving_balls, moving_posed, posed, moved, .. } = self;
        reserve(moved, moving_balls.count_away() + moving_posed.count_away(), "bodies")?;
        moved.extend(moving_balls.away());
        moved.extend(moving_posed.away().map(|index| posed[index as usize].slot));
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

    /// Describes all that have changed, of slots that ascend, and notes which of them may move.
    fn describe_all(
        &mut self,
        bodies: &Bodies,
        shapes: &Shapes,
        changed: impl DoubleEndedIterator<Item = u32> + Clone,
    ) -> Result<()> {
        let slots = bodies.slots();
        resize(&mut self.balls, slots, Ball { center: Vec3::zeros(), radius: 0.0 }, "bodies")?;
        resize(&mut self.looks, slots, ABSENT, "bodies")?;
        resize(&mut self.filed, slots, FiledBall { center: Vec3::zeros(), skin: 0.0 }, "bodies")?;
        // By their slots, while their places change.
        let posed = &self.posed;
        self.moving_posed.rename(|index| posed[index as usize].slot);
        for slot in changed.clone() {
            self.describe(bodies, shapes, slot as usize)?;
        }
        let Self { balls, looks, moving_balls, moving_posed, unbounded, .. } = self;
        let look = |slot: u32| looks[slot as usize];
        let has_changed = |slot: u32| bodies.changes.contain(slot);
        let moving = changed.clone().filter(|slot| look(*slot).is_there() && may_move(bodies, *slot as usize));
        moving_balls.exchange(has_changed, moving.clone().filter(|slot| look(*slot).is_ball()))?;
        moving_posed.exchange(has_changed, moving.filter(|slot| !look(*slot).is_ball()))?;
        moving_posed.rename(|slot| look(slot).posed);
        unbounded.retain(|slot| !has_changed(*slot));
        let is_posed = |slot: u32| look(slot).is_there() && !look(slot).is_ball();
        for slot in changed.filter(|slot| is_posed(*slot) && balls[*slot as usize].radius.is_infinite()) {
            reserve(unbounded, 1, "bodies")?;
            unbounded.push(slot);
        }
        unbounded.sort_unstable();
        moving_balls.cut()?;
        moving_posed.cut()
    }

    fn describe(&mut self, bodies: &Bodies, shapes: &Shapes, slot: usize) -> Result<()> {
        let old = self.looks[slot].posed;
        if (old as usize) < self.posed.len() {
            self.posed.swap_remove(old as usize);
            if let Some(moved) = self.posed.get(old as usize) {
                self.looks[moved.slot as usize].posed = old;
            }
        }
        self.looks[slot] = ABSENT;
        let traits = &bodies.traits[slot];
        let Some(shape) = shapes.get(traits.shape).filter(|_| bodies.registry.is_live(slot)) else { return Ok(()) };
        let motion = &bodies.motion[slot];
        let mut look = Look { material: traits.material, posed: BALL };
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

    /// Places the balls that may have moved.
    fn place_balls(&mut self, tasks: &dyn Tasks, bodies: &Bodies) {
        let Self { balls, filed, moving_balls, .. } = self;
        moving_balls.place(tasks, balls, |slot, ball| {
            let center = bodies.motion[slot].center;
            ball.center = center;
            let FiledBall { center: from, skin } = &filed[slot];
            // Written so that what is no number counts as far.
            (center - from).norm_squared() <= skin * skin
        });
    }

    /// Places all others that may have moved.
    fn place_posed(&mut self, tasks: &dyn Tasks, bodies: &Bodies, shapes: &Shapes) {
        let Self { balls, posed, moving_posed, margin, .. } = self;
        moving_posed.place(tasks, posed, |_, posed| posed.place(bodies, shapes, *margin));
        for index in moving_posed.places() {
            let posed = &posed[*index as usize];
            balls[posed.slot as usize].center = posed.pose.origin;
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
        if !look.is_there() {
            return;
        }
        let Ball { center, radius } = self.balls[at];
        if look.is_ball() {
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
        self.looks[a as usize].is_ball() && self.looks[b as usize].is_ball()
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
    /// Places it where its body is now. Answers whether it is within the bounds it is filed with.
    fn place(&mut self, bodies: &Bodies, shapes: &Shapes, margin: f64) -> bool {
        let at = self.slot as usize;
        let Some(shape) = shapes.get(bodies.traits[at].shape) else { return true };
        let (origin, rotation) = (origin_of(bodies, at), bodies.motion[at].rotation);
        if self.pose.origin == origin && self.pose.rotation == rotation {
            return true;
        }
        self.pose = pose_of(bodies, shape, at);
        self.extent = Extent::of(shape, &self.pose, margin);
        self.filed.holds(&self.extent)
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
