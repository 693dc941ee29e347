//! From a contact point to a contact of the step: arms, materials, radii.

use crate::body::Bodies;
use crate::collide::Ball;
use crate::collide::narrow::{ContactPoint, Placed, near_spheres};
use crate::contact::Touch;
use crate::contact::material::{Materials, Pair};
use crate::math::{Pose, Vec3};
use crate::shape::effective_radius;
use crate::world::detect::places::Places;
use crate::world::shapes::Shapes;
use crate::world::sleep::Sleep;

/// What a body's contacts depend on.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) bodies: &'a Bodies,
    pub(super) shapes: &'a Shapes,
    pub(super) materials: &'a Materials,
    pub(super) places: &'a Places,
    pub(super) margin: f64,
    /// Whether contacts are as stiff as Hertz says.
    pub(super) hertz: bool,
    pub(super) sleep: &'a Sleep,
}

/// Where a contact is on its two bodies.
struct Arms {
    /// From the origin of a, in its axes [m].
    local: Vec3,
    /// From the centre of mass of each [m].
    a: Vec3,
    b: Vec3,
}

/// What the two surfaces are together; the names are those of [`Touch`].
#[derive(Clone, Copy)]
struct Surface {
    friction: f64,
    rolling: f64,
    twisting: f64,
    restitution: f64,
    stiffness: f64,
}

/// A contact without a body: what fills an array before it is written.
pub(super) fn blank() -> Touch {
    let zero = Vec3::zeros();
    Touch {
        body_a: 0,
        body_b: 0,
        key: 0,
        feature: 0,
        point: zero,
        normal: zero,
        gap: 0.0,
        local: zero,
        arm_a: zero,
        arm_b: zero,
        friction: 0.0,
        rolling: 0.0,
        twisting: 0.0,
        restitution: 0.0,
        stiffness: 0.0,
    }
}

/// Makes it a contact that has no key yet. Field by field: a copy of the whole would wait for what was written just before.
#[inline(always)]
fn renew(touch: &mut Touch, bodies: (u32, u32), point: &ContactPoint, arms: &Arms, surface: &Surface) {
    (touch.body_a, touch.body_b) = bodies;
    touch.key = 0;
    touch.feature = point.feature;
    touch.local = arms.local;
    touch.gap = point.gap;
    touch.friction = surface.friction;
    touch.normal = point.normal;
    touch.arm_a = arms.a;
    touch.arm_b = arms.b;
    touch.rolling = surface.rolling;
    touch.twisting = surface.twisting;
    touch.restitution = surface.restitution;
    touch.stiffness = surface.stiffness;
    touch.point = point.point;
}

impl<'a> Scene<'a> {
    /// The shape in `slot` where its frame is.
    pub(super) fn placed(&self, slot: u32, pose: &'a Pose) -> Option<Placed<'a>> {
        let shape = self.shapes.get(self.bodies.traits[slot as usize].shape)?;
        Some(Placed { shape, pose })
    }

    /// Writes the contact of two balls, known to be within the margin.
    ///
    /// Arms are along the normal; as differences of positions they would be so up to round-off alone.
    #[inline(always)]
    pub(super) fn write_balls(&self, touch: &mut Touch, (a, b): (u32, u32), mixing: &mut Mixing) {
        let (ball_a, ball_b) = (&self.places.balls[a as usize], &self.places.balls[b as usize]);
        let (look_a, look_b) = (&self.places.looks[a as usize], &self.places.looks[b as usize]);
        let point = near_spheres((&ball_a.center, ball_a.radius), (&ball_b.center, ball_b.radius), self.margin);
        let mixed = mixing.of(self, (look_a.material, look_b.material));
        let surface = mixed.surface(|| effective_radius(ball_a.radius, ball_b.radius));
        let arm_a = point.normal * (ball_a.radius + 0.5 * point.gap);
        let arm_b = point.normal * -(ball_b.radius + 0.5 * point.gap);
        let arms = Arms { local: arm_a, a: arm_a, b: arm_b };
        renew(touch, (a, b), &point, &arms, &surface);
    }

    /// Writes the contact of any two bodies at a point.
    #[inline(always)]
    pub(super) fn write(&self, touch: &mut Touch, (a, b): (u32, u32), point: &ContactPoint, mixing: &mut Mixing) {
        let (look_a, look_b) = (&self.places.looks[a as usize], &self.places.looks[b as usize]);
        let mixed = mixing.of(self, (look_a.material, look_b.material));
        let surface = mixed.surface(|| self.effective_radius((a, b), &point.normal));
        let local = match self.places.posed(a) {
            Some(posed) => posed.pose.to_local(&point.point),
            None => point.point - self.places.balls[a as usize].center,
        };
        let arms = Arms { local, a: self.arm(a, point), b: self.arm(b, point) };
        renew(touch, (a, b), point, &arms, &surface);
    }

    /// `r*` of two bodies where they touch; infinite between two flat places [m].
    fn effective_radius(&self, (a, b): (u32, u32), normal: &Vec3) -> f64 {
        let radius = |slot: u32| {
            let Some(posed) = self.places.posed(slot) else { return self.places.balls[slot as usize].radius };
            let outward = posed.pose.matrix.tr_mul(normal);
            let shape = self.shapes.get(self.bodies.traits[slot as usize].shape);
            shape.map_or(f64::INFINITY, |shape| shape.radius_of_curvature(&outward))
        };
        effective_radius(radius(a), radius(b))
    }

    /// From the body's centre of mass to the point; that of a ball is along the normal, exactly.
    #[inline]
    fn arm(&self, slot: u32, point: &ContactPoint) -> Vec3 {
        let at = slot as usize;
        if self.places.posed(slot).is_some() {
            return point.point - self.bodies.motion[at].center;
        }
        let Ball { center, .. } = &self.places.balls[at];
        point.normal.dot(&(point.point - center)) * point.normal
    }
}

/// What holds between the materials of two bodies; the last answer is kept, since neighbours tend to be alike.
#[derive(Default)]
pub(super) struct Mixing {
    last: Option<((u32, u32), Mixed)>,
}

/// What holds between two materials.
#[derive(Clone, Copy)]
struct Mixed {
    /// Without what depends on the radii.
    surface: Surface,
    pair: Pair,
    /// Hertz' stiffness over the root of the effective radius, if contacts are as stiff as he says and it is that of the moduli [Pa].
    hertz: Option<f64>,
    /// Whether something depends on the radii.
    is_round: bool,
}

impl Mixing {
    #[inline]
    fn of(&mut self, scene: &Scene, materials: (u32, u32)) -> &Mixed {
        if !matches!(&self.last, Some((known, _)) if *known == materials) {
            self.last = None;
        }
        &self.last.get_or_insert_with(|| (materials, Mixed::of(scene, materials))).1
    }
}

impl Mixed {
    #[cold]
    fn of(scene: &Scene, (a, b): (u32, u32)) -> Self {
        let (first, second) = (a as usize, b as usize);
        let pair = scene.materials.pair(first, second);
        let hertz = scene.materials.hertz(first, second).filter(|_| scene.hertz);
        let Pair { friction, restitution, stiffness, .. } = pair;
        let surface = Surface { friction, rolling: 0.0, twisting: 0.0, restitution, stiffness };
        Self { surface, pair, hertz, is_round: pair.resists_turning() || hertz.is_some() }
    }

    /// Of a contact with the effective radius `radius` [m].
    #[inline]
    fn surface(&self, radius: impl FnOnce() -> f64) -> Surface {
        if self.is_round { self.round_surface(radius()) } else { self.surface }
    }

    /// Between two flat places there is no radius: nothing resists turning, and the stiffness is that of the pair of materials, as
    /// it is where the host said how stiff a pair is.
    fn round_surface(&self, radius: f64) -> Surface {
        let length = |coefficient: f64| if radius.is_finite() { (coefficient * radius).min(f64::MAX) } else { 0.0 };
        Surface {
            rolling: length(self.pair.rolling_friction),
            twisting: length(self.pair.twisting_friction),
            stiffness: match self.hertz {
                Some(modulus) if radius.is_finite() => modulus * radius.sqrt(),
                _ => self.pair.stiffness,
            },
            ..self.surface
        }
    }
}
