//! The proxy of each body: the present pose of its shape, and its fat bounds, which stay until the shape leaves them.

use crate::body::Bodies;
use crate::collide::Ball;
use crate::error::{Result, push, reserve, resize};
use crate::math::{Aabb, Mat3, Period, Pose, Quat, Vec3, scattered_direction};
use crate::shape::Shape;
use crate::tasks::Tasks;
use crate::world::detect::fat_bounds::{DetectInput, Extent, FatSphere, SKIN_STEPS, Skin, may_move};
use crate::world::detect::moving_set::MovingSet;
use crate::world::shape_registry::Shapes;

/// Values in place of the index of a posed proxy: the body is a plain sphere; there is no body.
const SPHERE: u32 = u32::MAX;
const ABSENT: u32 = u32::MAX - 1;

/// The distance by which one of two bodies at the same position is moved for the narrow phase, over the smaller radius [-].
const COINCIDENT_OFFSET: f64 = 1e-9;

/// The proxies of all bodies. A body is a plain sphere if its shape is a sphere about its centre of mass. All other bodies have a
/// *posed* proxy as well, with the pose of the shape.
#[derive(Debug, Default)]
pub(super) struct Proxies {
    /// The bounding sphere of each slot's shape.
    pub(super) spheres: Vec<Ball>,
    pub(super) traits: Vec<ProxyTraits>,
    posed: Vec<PosedProxy>,
    /// The fat bounds of the plain spheres, by slot.
    pub(super) fat_spheres: Vec<FatSphere>,
    /// The slots of the plain spheres that may move.
    moving_spheres: MovingSet,
    /// The indices of the posed proxies that may move.
    moving_posed: MovingSet,
    /// The slots of the half-spaces, sorted.
    pub(super) unbounded: Vec<u32>,
    /// The slots, sorted, of the bodies that left their fat bounds, came, went or changed.
    pub(super) moved: Vec<u32>,
    pub(super) margin: f64,
    pub(super) period: Period,
    /// Whether the last update was completed: all fat bounds are valid, and the neighbours of the moved bodies are known.
    pub(super) is_complete: bool,
}

/// The data of a body that its contacts need.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProxyTraits {
    pub(super) material: u32,
    /// The index of its posed proxy, [`SPHERE`] or [`ABSENT`].
    posed: u32,
}

impl ProxyTraits {
    /// The traits of a slot without a body.
    const NONE: Self = Self { material: 0, posed: ABSENT };

    /// Returns whether there is a body.
    pub(super) fn exists(self) -> bool {
        self.posed != ABSENT
    }

    fn is_sphere(self) -> bool {
        self.posed == SPHERE
    }

    fn is_posed(self) -> bool {
        self.exists() && !self.is_sphere()
    }
}

/// The proxy of a body that is not a plain sphere.
#[derive(Debug, Clone, Copy)]
pub(super) struct PosedProxy {
    slot: u32,
    /// The shape's frame. That of a sphere is not rotated.
    pub(super) pose: Pose,
    pub(super) extent: Extent,
    /// The fat bounds.
    pub(super) fat: Extent,
}

impl Proxies {
    /// Updates the proxies of all bodies that may have moved, and lists those whose fat bounds have to be updated. Returns whether the
    /// fat bounds of all others are valid. The caller sets `is_complete` when it is done; otherwise the next update rebuilds everything.
    pub(super) fn update(&mut self, input: &DetectInput) -> Result<bool> {
        let DetectInput { tasks, bodies, shapes, settings, period, .. } = input;
        // In another box other images are near.
        let is_same = self.margin == settings.contact_margin && self.period == **period;
        let is_kept = self.is_complete && is_same && self.traits.len() <= bodies.slots();
        if !is_kept {
            *self = Self::default();
        }
        (self.margin, self.period) = (settings.contact_margin, **period);
        self.is_complete = false;
        self.moved.clear();
        if !is_kept {
            self.make_all(bodies, shapes, 0..bodies.slots() as u32)?;
        } else if !bodies.changes.is_empty() {
            let mut moved = std::mem::take(&mut self.moved);
            reserve(&mut moved, bodies.changes.slots().count(), "bodies")?;
            moved.extend(bodies.changes.slots());
            self.make_all(bodies, shapes, moved.iter().copied())?;
            self.moved = moved;
        }
        self.update_spheres(*tasks, bodies);
        self.update_posed(*tasks, bodies, shapes);
        let Self { moving_spheres, moving_posed, posed, moved, .. } = self;
        reserve(moved, moving_spheres.count_away() + moving_posed.count_away(), "bodies")?;
        moved.extend(moving_spheres.away());
        moved.extend(moving_posed.away().map(|index| posed[index as usize].slot));
        self.moved.sort_unstable();
        Ok(is_kept)
    }

    /// Makes the proxies of the `changed` slots, which ascend, and lists those that may move.
    fn make_all(
        &mut self,
        bodies: &Bodies,
        shapes: &Shapes,
        changed: impl DoubleEndedIterator<Item = u32> + Clone,
    ) -> Result<()> {
        let slots = bodies.slots();
        resize(&mut self.spheres, slots, Ball { center: Vec3::zeros(), radius: 0.0 }, "bodies")?;
        resize(&mut self.traits, slots, ProxyTraits::NONE, "bodies")?;
        resize(&mut self.fat_spheres, slots, FatSphere { center: Vec3::zeros(), skin: 0.0 }, "bodies")?;
        // By slot, while the indices change.
        let posed = &self.posed;
        self.moving_posed.map(|index| posed[index as usize].slot);
        for slot in changed.clone() {
            self.make(bodies, shapes, slot as usize)?;
        }
        let Self { spheres, traits, moving_spheres, moving_posed, unbounded, .. } = self;
        let traits_of = |slot: u32| traits[slot as usize];
        let has_changed = |slot: u32| bodies.changes.contains(slot);
        let moving = changed.clone().filter(|slot| traits_of(*slot).exists() && may_move(bodies, *slot as usize));
        moving_spheres.exchange(has_changed, moving.clone().filter(|slot| traits_of(*slot).is_sphere()))?;
        moving_posed.exchange(has_changed, moving.filter(|slot| traits_of(*slot).is_posed()))?;
        moving_posed.map(|slot| traits_of(slot).posed);
        unbounded.retain(|slot| !has_changed(*slot));
        let is_posed = |slot: u32| traits_of(slot).is_posed();
        for slot in changed.filter(|slot| is_posed(*slot) && spheres[*slot as usize].radius.is_infinite()) {
            push(unbounded, slot, "bodies")?;
        }
        unbounded.sort_unstable();
        moving_spheres.cut()?;
        moving_posed.cut()
    }

    /// Makes the proxy of the body in `slot`, in place of the one that the slot had.
    fn make(&mut self, bodies: &Bodies, shapes: &Shapes, slot: usize) -> Result<()> {
        let old = self.traits[slot].posed;
        if (old as usize) < self.posed.len() {
            self.posed.swap_remove(old as usize);
            if let Some(moved) = self.posed.get(old as usize) {
                self.traits[moved.slot as usize].posed = old;
            }
        }
        self.traits[slot] = ProxyTraits::NONE;
        let traits = &bodies.traits[slot];
        let Some(shape) = shapes.get(traits.shape).filter(|_| bodies.registry.is_live(slot)) else { return Ok(()) };
        let motion = &bodies.motion[slot];
        let mut proxy = ProxyTraits { material: traits.material, posed: SPHERE };
        let is_sphere = matches!(shape, Shape::Sphere(_)) && bodies.mass[slot].center == Vec3::zeros();
        let mut center = motion.center;
        if !is_sphere {
            proxy.posed = self.posed.len() as u32;
            reserve(&mut self.posed, 1, "bodies")?;
            let pose = pose_of(bodies, shape, slot);
            center = pose.origin;
            let extent = Extent::of(shape, &pose, self.margin);
            self.posed.push(PosedProxy { slot: slot as u32, pose, extent, fat: extent });
        }
        self.spheres[slot] = Ball { center, radius: shape.bounding_radius() };
        // With an infinite skin it is not added again to the list of moved bodies, which has it already.
        self.fat_spheres[slot] = FatSphere { center, skin: f64::INFINITY };
        self.traits[slot] = proxy;
        Ok(())
    }

    /// Updates the plain spheres that may have moved.
    fn update_spheres(&mut self, tasks: &dyn Tasks, bodies: &Bodies) {
        let Self { spheres, fat_spheres, moving_spheres, .. } = self;
        moving_spheres.update(tasks, spheres, |slot, sphere| {
            let center = bodies.motion[slot].center;
            sphere.center = center;
            let FatSphere { center: from, skin } = &fat_spheres[slot];
            // NaN compares as outside.
            (center - from).norm_squared() <= skin * skin
        });
    }

    /// Updates the posed proxies that may have moved.
    fn update_posed(&mut self, tasks: &dyn Tasks, bodies: &Bodies, shapes: &Shapes) {
        let Self { spheres, posed, moving_posed, margin, .. } = self;
        moving_posed.update(tasks, posed, |_, posed| posed.update(bodies, shapes, *margin));
        for index in &moving_posed.indices {
            let posed = &posed[*index as usize];
            spheres[posed.slot as usize].center = posed.pose.origin;
        }
    }

    /// Updates the fat bounds of the body in `slot`.
    pub(super) fn update_fat_bounds(&mut self, input: &DetectInput, slot: u32) {
        let at = slot as usize;
        let traits = self.traits[at];
        if !traits.exists() {
            return;
        }
        let Ball { center, radius } = self.spheres[at];
        if traits.is_sphere() {
            let Skin { ahead, width } = input.skin(at, radius, 0.0);
            self.fat_spheres[at] = FatSphere { center: center + ahead, skin: width };
            return;
        }
        let posed = &mut self.posed[traits.posed as usize];
        posed.fat = match posed.extent {
            Extent::Bounds(bounds) => {
                let Skin { ahead, width } = input.skin(at, 0.5 * (bounds.upper - bounds.lower).min(), radius);
                let all = Aabb {
                    lower: bounds.lower.inf(&(bounds.lower + ahead)),
                    upper: bounds.upper.sup(&(bounds.upper + ahead)),
                };
                Extent::Bounds(all.grown(width))
            }
            Extent::Below { normal, offset } => {
                let travel = input.last_step_length * normal.dot(&input.bodies.motion[at].linear);
                Extent::Below { normal, offset: offset + SKIN_STEPS * travel.max(0.0) }
            }
        };
    }

    /// Returns the posed proxy of the body in `slot`; `None` for a plain sphere.
    pub(super) fn posed(&self, slot: u32) -> Option<&PosedProxy> {
        self.posed.get(self.traits[slot as usize].posed as usize)
    }

    /// Returns whether both bodies are plain spheres.
    #[inline]
    pub(super) fn are_spheres(&self, a: u32, b: u32) -> bool {
        self.traits[a as usize].is_sphere() && self.traits[b as usize].is_sphere()
    }

    /// Returns the small displacement of the body in slot `b` if both are at the same position. Its direction differs from pair to pair.
    /// Otherwise many bodies at one position would all be pushed apart along one line.
    pub(super) fn coincident_offset(&self, a: u32, b: u32) -> Vec3 {
        let size = [a, b].map(|slot| self.spheres[slot as usize].radius).into_iter().fold(f64::INFINITY, f64::min);
        COINCIDENT_OFFSET * size * scattered_direction(u64::from(a) << 32 | u64::from(b))
    }

    /// Returns the vector of whole periods from the nearest image of the body in slot `b`, as seen from `a`, to the body itself [m].
    /// It is zero for half-spaces.
    #[inline]
    pub(super) fn excess(&self, a: u32, b: u32) -> Vec3 {
        let [a, b] = [a, b].map(|slot| &self.spheres[slot as usize]);
        if self.period.is_open() || (a.radius + b.radius).is_infinite() {
            return Vec3::zeros();
        }
        self.period.excess(&(b.center - a.center))
    }

    /// Returns the present bounds, grown by half the contact margin; `None` for half-spaces.
    pub(super) fn bounds(&self, slot: u32) -> Option<Aabb> {
        match self.posed(slot) {
            None => {
                let Ball { center, radius } = &self.spheres[slot as usize];
                let reach = Vec3::repeat(radius + 0.5 * self.margin);
                Some(Aabb { lower: center - reach, upper: center + reach })
            }
            Some(PosedProxy { extent: Extent::Bounds(bounds), .. }) => Some(*bounds),
            Some(_) => None,
        }
    }
}

impl PosedProxy {
    /// Updates the pose and the extent. Returns whether the extent is within the fat bounds.
    fn update(&mut self, bodies: &Bodies, shapes: &Shapes, margin: f64) -> bool {
        let at = self.slot as usize;
        let Some(shape) = shapes.get(bodies.traits[at].shape) else { return true };
        let (origin, rotation) = (bodies.origin(at), bodies.motion[at].rotation);
        if self.pose.origin == origin && self.pose.rotation == rotation {
            return true;
        }
        self.pose = pose_of(bodies, shape, at);
        self.extent = Extent::of(shape, &self.pose, margin);
        self.fat.holds(&self.extent)
    }
}

/// Returns the pose of the shape's frame; a sphere is not rotated.
fn pose_of(bodies: &Bodies, shape: &Shape, slot: usize) -> Pose {
    let (origin, rotation) = (bodies.origin(slot), bodies.motion[slot].rotation);
    if matches!(shape, Shape::Sphere(_)) {
        return Pose { origin, rotation, matrix: Mat3::identity() };
    }
    Pose::new(origin, rotation)
}

/// Returns the pose of a plain sphere, which is not rotated.
pub(super) fn sphere_pose(sphere: &Ball) -> Pose {
    Pose { origin: sphere.center, rotation: Quat::identity(), matrix: Mat3::identity() }
}
