//! From what is kept of a contact to all that is known of it.
//!
//! What two balls have between them follows from where they were, and is not kept; neither is what their materials make of it.

use std::sync::Arc;

use crate::body::Bodies;
use crate::collide::Ball;
use crate::collide::narrow::near_spheres;
use crate::contact::material::Materials;
use crate::contact::touch::OF_BALLS;
use crate::contact::{Found, Mixing, Spot, Touch, Touches};
use crate::error::{Result, resize};
use crate::math::Vec3;
use crate::math::lanes::prefetch_one_of;
use crate::shape::effective_radius;
use crate::solver::Velocity;
use crate::world::pieces::BODIES_AHEAD;
use crate::world::settings::{Compatibility, Settings};

/// What the contacts of a step follow from, besides what is kept of them.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Sight<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    /// Where each slot's shape was at the start of the step, and how large.
    pub(in crate::world) balls: &'a [Ball],
    pub(in crate::world) materials: &'a Materials,
    /// Contacts are at most so far apart [m].
    pub(in crate::world) margin: f64,
    /// Whether contacts are as stiff as Hertz says.
    pub(in crate::world) hertz: bool,
}

/// The same of the last completed step, for answers.
#[derive(Debug)]
pub(in crate::world) struct Seen {
    balls: Vec<Ball>,
    /// The row of each slot's body in the last step in which it had one.
    rows: Vec<u32>,
    /// How the body of each row moved at the end of the step, before it turned: the solver's own answer.
    pub(in crate::world) velocities: Vec<Velocity>,
    materials: Arc<Materials>,
    margin: f64,
    hertz: bool,
}

impl<'a> Sight<'a> {
    /// Of a step that begins with shapes at `balls`.
    pub(in crate::world) fn new(
        bodies: &'a Bodies,
        balls: &'a [Ball],
        materials: &'a Materials,
        settings: &Settings,
    ) -> Self {
        Self { bodies, balls, materials, margin: settings.contact_margin, hertz: is_hertz(settings) }
    }

    /// Who mixes the materials of its contacts.
    pub(in crate::world) fn mixing(&self) -> Mixing<'a> {
        Mixing::new(self.materials, self.hertz)
    }

    /// All that is known of one of the contacts `all`.
    pub(in crate::world) fn touch(&self, found: &Found, all: &Touches, mixing: &mut Mixing) -> Touch {
        let (body_a, body_b) = found.pair();
        let [ball_a, ball_b] = [body_a, body_b].map(|slot| &self.balls[slot as usize]);
        let spot = all.spot(found).copied().unwrap_or_else(|| between(ball_a, ball_b, self.margin));
        let [first, second] = [body_a, body_b].map(|slot| self.bodies.traits[slot as usize].material);
        let surface = mixing.of((first, second)).surface(|| spot.radius);
        Touch { body_a, body_b, key: found.key, spot, surface }
    }
}

impl Seen {
    /// Before the first step.
    pub(in crate::world) fn nothing(materials: Arc<Materials>) -> Self {
        Self { balls: Vec::new(), rows: Vec::new(), velocities: Vec::new(), materials, margin: 0.0, hertz: false }
    }

    /// From what the contacts of the last completed step follow.
    pub(in crate::world) fn of<'a>(&'a self, bodies: &'a Bodies) -> Sight<'a> {
        Sight { bodies, balls: &self.balls, materials: &self.materials, margin: self.margin, hertz: self.hertz }
    }

    /// The velocity of b relative to a at a contact at the end of the step [m/s].
    pub(in crate::world) fn relative_velocity(&self, touch: &Touch) -> Vec3 {
        let of = |slot: u32| self.velocities.get(*self.rows.get(slot as usize)? as usize);
        let [a, b] = [touch.body_a, touch.body_b].map(of);
        a.zip(b).map_or(Vec3::zeros(), |(a, b)| relative_velocity(touch, a, b))
    }

    /// Makes room for so many slots.
    pub(in crate::world) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.balls, slots, Ball { center: Vec3::zeros(), radius: 0.0 }, "bodies")?;
        resize(&mut self.rows, slots, 0, "bodies")
    }

    /// Takes where the shapes were of the bodies that had rows in the completed step, each row of which is that of a slot. Contacts are
    /// of these alone: what stands for others, sleepers among them, is of steps before and not asked for.
    pub(in crate::world) fn take_places(&mut self, slots: &[u32], balls: &[Ball]) {
        for (row, slot) in slots.iter().enumerate() {
            if let Some(soon) = slots.get(row + BODIES_AHEAD) {
                prefetch_one_of(balls, *soon as usize);
                prefetch_one_of(&self.balls, *soon as usize);
            }
            let at = *slot as usize;
            (self.balls[at], self.rows[at]) = (balls[at], row as u32);
        }
    }

    /// Takes what else the completed step saw. The velocities are changed by a swap.
    pub(in crate::world) fn replace(&mut self, materials: &Arc<Materials>, settings: &Settings) {
        if !Arc::ptr_eq(&self.materials, materials) {
            self.materials = materials.clone();
        }
        (self.margin, self.hertz) = (settings.contact_margin, is_hertz(settings));
    }
}

/// The velocity of b relative to a at a contact of bodies that move so [m/s].
pub(in crate::world) fn relative_velocity(touch: &Touch, a: &Velocity, b: &Velocity) -> Vec3 {
    b.at(&touch.spot.arm_b) - a.at(&touch.spot.arm_a)
}

/// Whether contacts are as stiff as Hertz says.
pub(in crate::world) fn is_hertz(settings: &Settings) -> bool {
    settings.compatibility == Compatibility::Hertz
}

/// Where two balls touch, which are within the margin.
///
/// Arms are along the normal; as differences of positions they would be so up to round-off alone.
#[inline(always)]
pub(in crate::world) fn between(a: &Ball, b: &Ball, margin: f64) -> Spot {
    let found = near_spheres((&a.center, a.radius), (&b.center, b.radius), margin);
    let arm_a = found.normal * (a.radius + 0.5 * found.gap);
    let arm_b = found.normal * -(b.radius + 0.5 * found.gap);
    Spot {
        feature: OF_BALLS,
        local: arm_a,
        gap: found.gap,
        normal: found.normal,
        arm_a,
        arm_b,
        point: found.point,
        radius: effective_radius(a.radius, b.radius),
    }
}
