//! All that is known of a contact, from what is stored of it: for queries, for sleep and for the correction.

use std::sync::Arc;

use crate::body::Bodies;
use crate::collide::Ball;
use crate::contact::material::Materials;
use crate::contact::record::OF_BALLS;
use crate::contact::{
    ContactGeometry, ContactList, ContactRecord, ContactView, Mixing, PointGeometry, StiffnessLaw, Surface,
};
use crate::error::{Result, not_negative, reserve, resize, text};
use crate::math::Vec3;
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::prefetch_one_of;
use crate::shape::effective_radius;
use crate::solver::Velocity;
use crate::visit::{Reader, State, StateVisitor, format_error};
use crate::world::settings::{Compatibility, Method, Settings};

/// What is written of a body: the centre of its ball, and its velocities.
const MOVED: u8 = 1;
const FASTER: u8 = 2;

/// Whether both are the same to the last bit.
fn is_same(a: &Vec3, b: &Vec3) -> bool {
    a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
}

/// What the contacts of a step are read with.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct ReadbackContext<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    /// Centre and radius of each slot's shape at the start of the step.
    pub(in crate::world) balls: &'a [Ball],
    pub(in crate::world) materials: &'a Materials,
    /// Whether contacts are as stiff as Hertz says.
    pub(in crate::world) stiffness_law: StiffnessLaw,
}

/// What the contacts of the last completed step are read with, beside the contact memory.
#[derive(Debug)]
pub(in crate::world) struct ReadbackState {
    pub(super) balls: Vec<Ball>,
    /// The row of each slot's body in the last step in which it had one.
    pub(super) rows: Vec<u32>,
    /// The velocity of each row at the end of the step, before the body turned: the solver's own answer.
    pub(in crate::world) velocities: Vec<Velocity>,
    pub(super) materials: Arc<Materials>,
    pub(super) stiffness_law: StiffnessLaw,
}

impl<'a> ReadbackContext<'a> {
    /// Reads contacts of a step that begins with shapes at `balls`.
    pub(in crate::world) fn new(
        bodies: &'a Bodies,
        balls: &'a [Ball],
        materials: &'a Materials,
        settings: &Settings,
    ) -> Self {
        Self { bodies, balls, materials, stiffness_law: stiffness_law(settings) }
    }

    /// Returns what mixes the materials of the contacts.
    pub(in crate::world) fn mixing(&self) -> Mixing<'a> {
        Mixing::new(self.materials, self.stiffness_law)
    }

    /// Returns all that is known of one of the contacts `all`, which has this normal and gap.
    pub(in crate::world) fn touch(
        &self,
        record: &ContactRecord,
        all: &ContactList,
        point: &PointGeometry,
        mixing: &mut Mixing,
    ) -> ContactView {
        let (body_a, body_b) = record.pair();
        let spot = record.geometry(&all.spots).copied().unwrap_or_else(|| {
            let [a, b] = self.balls_of(record);
            spot_of_balls(a, b, point)
        });
        let surface = mixing.of(self.materials_of(record)).surface(|| spot.radius, self.sizes_of(record));
        ContactView { body_a, body_b, key: record.key, spot, surface }
    }

    /// Returns what the surfaces of one of the contacts `all` are together.
    pub(in crate::world) fn surface(&self, record: &ContactRecord, all: &ContactList, mixing: &mut Mixing) -> Surface {
        let radius = || match record.geometry(&all.spots) {
            Some(spot) => spot.radius,
            None => {
                let [a, b] = self.balls_of(record);
                effective_radius(a.radius, b.radius)
            }
        };
        mixing.of(self.materials_of(record)).surface(radius, self.sizes_of(record))
    }

    /// Returns the damping of one of the contacts [s].
    pub(in crate::world) fn damping(&self, record: &ContactRecord, mixing: &mut Mixing) -> f64 {
        mixing.of(self.materials_of(record)).pair.contact_damping
    }

    /// Returns the radii of the bounding spheres of the bodies of a contact; 0 of a half-space [m].
    fn sizes_of(&self, record: &ContactRecord) -> [f64; 2] {
        self.balls_of(record).map(|ball| if ball.radius.is_finite() { ball.radius } else { 0.0 })
    }

    fn balls_of(&self, record: &ContactRecord) -> [&'a Ball; 2] {
        let (body_a, body_b) = record.pair();
        [body_a, body_b].map(|slot| &self.balls[slot as usize])
    }

    fn materials_of(&self, record: &ContactRecord) -> (u32, u32) {
        let (body_a, body_b) = record.pair();
        [body_a, body_b].map(|slot| self.bodies.traits[slot as usize].material).into()
    }
}

impl ReadbackState {
    /// The state before the first step.
    pub(in crate::world) fn empty(materials: Arc<Materials>) -> Self {
        Self {
            balls: Vec::new(),
            rows: Vec::new(),
            velocities: Vec::new(),
            materials,
            stiffness_law: StiffnessLaw::Materials,
        }
    }

    /// Reads the contacts of the last completed step.
    pub(in crate::world) fn of<'a>(&'a self, bodies: &'a Bodies) -> ReadbackContext<'a> {
        ReadbackContext { bodies, balls: &self.balls, materials: &self.materials, stiffness_law: self.stiffness_law }
    }

    /// Returns the velocity of b relative to a at a contact at the end of the step [m/s].
    pub(in crate::world) fn relative_velocity(&self, touch: &ContactView) -> Vec3 {
        let of = |slot: u32| self.velocities.get(*self.rows.get(slot as usize)? as usize);
        let [a, b] = [touch.body_a, touch.body_b].map(of);
        a.zip(b).map_or(Vec3::zeros(), |(a, b)| relative_velocity(touch, a, b))
    }

    /// Reserves memory for this many slots.
    pub(in crate::world) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.balls, slots, Ball { center: Vec3::zeros(), radius: 0.0 }, "bodies")?;
        resize(&mut self.rows, slots, 0, "bodies")
    }

    /// Takes the places of the shapes of the bodies that had rows in the completed step; `slots` has the slot of each row. Contacts are only
    /// between these: the places of other bodies are of earlier steps, and not read.
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

    /// Visits what the contacts are read with. `slots` are those of the bodies that had rows in the last step and are awake; nothing is
    /// read of other slots.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor, slots: &[u32]) {
        let Self { balls, rows, velocities, materials, stiffness_law } = self;
        materials.visit_state(visitor);
        stiffness_law.visit(visitor);
        for at in slots.iter().map(|slot| *slot as usize) {
            let Ball { center, radius } = &balls[at];
            visitor.numbers(center.iter().chain([radius]));
            // The row itself is of no interest.
            let Velocity { linear, angular } = velocities.get(rows[at] as usize).unwrap_or(&Velocity::ZERO);
            visitor.numbers(linear.iter().chain(angular));
        }
    }

    /// Writes what the contacts are read with. `slots` is as in [`ReadbackState::visit_state`]. What is as the body has it now is not
    /// written: the centre, the radius of its shape, and the velocities.
    pub(in crate::world) fn save(
        &self,
        visitor: &mut impl StateVisitor,
        slots: &[u32],
        bodies: &Bodies,
        present: &Arc<Materials>,
    ) {
        let Self { balls, rows, velocities, materials, stiffness_law } = self;
        stiffness_law.visit(visitor);
        let has_own = !Arc::ptr_eq(materials, present);
        visitor.flag(has_own);
        if has_own {
            materials.visit_state(visitor);
        }
        for slot in slots {
            let at = *slot as usize;
            let ball = &balls[at];
            let Velocity { linear, angular } = velocities.get(rows[at] as usize).unwrap_or(&Velocity::ZERO);
            let now = &bodies.motion[at];
            let is_there = bodies.registry.is_live(at);
            let moved = !(is_there && is_same(&ball.center, &now.center));
            let turned = !(is_there && is_same(linear, &now.linear) && is_same(angular, &now.angular));
            visitor.byte((u8::from(moved) * MOVED) | (u8::from(turned) * FASTER));
            visitor.number(ball.radius);
            if moved {
                ball.center.visit(visitor);
            }
            if turned {
                linear.visit(visitor);
                angular.visit(visitor);
            }
        }
    }

    /// Reads what contacts between the bodies in `slots` are read with; see [`ReadbackState::save`].
    ///
    /// # Errors
    ///
    /// Memory is exhausted, or the contacts cannot be read with it.
    pub(in crate::world) fn load(
        reader: &mut Reader,
        slots: &[u32],
        bodies: &Bodies,
        present: &Arc<Materials>,
    ) -> Result<Self> {
        let stiffness_law = StiffnessLaw::read(reader)?;
        let has_own = reader.flag()?;
        let materials = if has_own { Arc::new(Materials::load(reader)?) } else { present.clone() };
        let mut readback = Self { stiffness_law, ..Self::empty(materials) };
        readback.reserve(bodies.slots())?;
        reserve(&mut readback.velocities, slots.len(), "bodies")?;
        for (row, slot) in (0..).zip(slots) {
            let (at, head) = (*slot as usize, reader.byte()?);
            let radius = reader.unbounded(Reader::number)?;
            not_negative("the radius of a shape", radius.min(f64::MAX))?;
            if head & !(MOVED | FASTER) != 0 {
                return Err(format_error(text!("a place has the marks {head:#x}")));
            }
            let now = &bodies.motion[at];
            let center = if head & MOVED != 0 { Vec3::read(reader)? } else { now.center };
            let velocity = if head & FASTER != 0 {
                Velocity { linear: Vec3::read(reader)?, angular: Vec3::read(reader)? }
            } else {
                Velocity { linear: now.linear, angular: now.angular }
            };
            (readback.balls[at], readback.rows[at]) = (Ball { center, radius }, row);
            readback.velocities.push(velocity);
        }
        Ok(readback)
    }

    /// Returns whether contacts of this material can be read.
    pub(in crate::world) fn knows(&self, material: u32) -> bool {
        (material as usize) < self.materials.len()
    }

    /// Takes the materials and the settings of the completed step. The velocities are exchanged apart.
    pub(in crate::world) fn replace(&mut self, materials: &Arc<Materials>, settings: &Settings) {
        if !Arc::ptr_eq(&self.materials, materials) {
            self.materials = materials.clone();
        }
        self.stiffness_law = stiffness_law(settings);
    }
}

/// Returns the velocity of b relative to a at a contact of bodies with these velocities [m/s].
pub(in crate::world) fn relative_velocity(touch: &ContactView, a: &Velocity, b: &Velocity) -> Vec3 {
    b.at(&touch.spot.arm_b) - a.at(&touch.spot.arm_a)
}

/// Returns from what the stiffness of contacts follows.
pub(in crate::world) fn stiffness_law(settings: &Settings) -> StiffnessLaw {
    match (settings.method, settings.compatibility) {
        (Method::Spook, _) => StiffnessLaw::Elastic(settings.contact_law.force()),
        (_, Compatibility::Hertz) => StiffnessLaw::RelativeHertz,
        _ => StiffnessLaw::Materials,
    }
}

/// Returns the contact point of two balls with this normal and gap.
///
/// Arms are along the normal; as differences of positions they would be so up to round-off alone.
fn spot_of_balls(a: &Ball, b: &Ball, point: &PointGeometry) -> ContactGeometry {
    let PointGeometry { normal, gap } = *point;
    let arm_a = normal * (a.radius + 0.5 * gap);
    let arm_b = normal * -(b.radius + 0.5 * gap);
    ContactGeometry {
        feature: OF_BALLS,
        local: arm_a,
        gap,
        normal,
        arm_a,
        arm_b,
        point: a.center + arm_a,
        radius: effective_radius(a.radius, b.radius),
        is_along_normal: [true; 2],
    }
}
