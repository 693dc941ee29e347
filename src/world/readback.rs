//! Computes all data of a contact from the stored part of it, for queries, sleep and the correction.

use std::sync::Arc;

use crate::body::Bodies;
use crate::collide::Ball;
use crate::contact::material::Materials;
use crate::contact::record::SPHERE_FEATURE;
use crate::contact::{
    ContactGeometry, ContactList, ContactRecord, ContactState, ContactView, Mixing, PointGeometry, StiffnessLaw,
    Surface,
};
use crate::error::{Result, resize};
use crate::math::lanes::prefetch::BODIES_AHEAD;
use crate::math::lanes::prefetch_one_of;
use crate::math::{BodyRow, Vec3};
use crate::shape::effective_radius;
use crate::solver::{Contact, MassInverse, Velocity};
use crate::visit::{State, StateVisitor};
use crate::world::settings::{Compatibility, Method, Settings};

/// The data from which the contacts of a step are read.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct ReadbackContext<'a> {
    pub(in crate::world) bodies: &'a Bodies,
    /// The bounding sphere of each slot's shape at the start of the step.
    pub(in crate::world) balls: &'a [Ball],
    pub(in crate::world) materials: &'a Materials,
    /// The law of the stiffness of contacts.
    pub(in crate::world) stiffness_law: StiffnessLaw,
}

/// The data from which the contacts of the last completed step are read, apart from the memory of contacts.
#[derive(Debug)]
pub(in crate::world) struct ReadbackState {
    pub(super) balls: Vec<Ball>,
    /// The row of each slot's body in the last step in which it had one.
    pub(super) rows: Vec<u32>,
    /// The velocity of each row at the end of the step, as the solver found it, before the body turned.
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

    /// Returns the mixing of the materials of contacts.
    pub(in crate::world) fn mixing(&self) -> Mixing<'a> {
        Mixing::new(self.materials, self.stiffness_law)
    }

    /// Returns all data of a contact of the list `all` with this normal and gap.
    pub(in crate::world) fn touch(
        &self,
        record: &ContactRecord,
        all: &ContactList,
        point: &PointGeometry,
        mixing: &mut Mixing,
    ) -> ContactView {
        let (body_a, body_b) = record.pair();
        let geometry = record.geometry(&all.geometries).copied().unwrap_or_else(|| {
            let [a, b] = self.balls_of(record);
            geometry_of_balls(a, b, point)
        });
        let surface = mixing.of(self.materials_of(record)).surface(|| geometry.radius, self.sizes_of(record));
        ContactView { body_a, body_b, key: record.key, geometry, surface }
    }

    /// Returns the coefficients of both surfaces of a contact of the list `all`.
    pub(in crate::world) fn surface(&self, record: &ContactRecord, all: &ContactList, mixing: &mut Mixing) -> Surface {
        let radius = || match record.geometry(&all.geometries) {
            Some(geometry) => geometry.radius,
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

    /// Returns the results of a contact, with the parts that depend on the velocities of its bodies at the end of the step.
    pub(in crate::world) fn with_motion(
        &self,
        load: ContactState,
        touch: &ContactView,
        [a, b]: [&Velocity; 2],
    ) -> ContactState {
        let relative_velocity = load.relative_velocity + relative_velocity(touch, a, b);
        let rolling_speed = if touch.surface.rolling > 0.0 { self.rolling_speed(touch, [a, b]) } else { 0.0 };
        ContactState { relative_velocity, rolling_speed, ..load }
    }

    /// Returns how fast b rolls on a; see [`ContactState::rolling_speed`].
    fn rolling_speed(&self, touch: &ContactView, [a, b]: [&Velocity; 2]) -> f64 {
        let ContactGeometry { normal, arm_a, arm_b, .. } = touch.geometry;
        let body = BodyRow::NONE;
        let contact = Contact { body_a: body, body_b: body, normal, arm_a, arm_b, normal_bias: 0.0, friction: 0.0 };
        let [mass_a, mass_b] = [touch.body_a, touch.body_b].map(|slot| {
            let (mass, motion) = (&self.bodies.mass[slot as usize], &self.bodies.motion[slot as usize]);
            MassInverse { linear: mass.inverse_mass, angular: mass.inverse_at(&motion.rotation) }
        });
        contact.split(&(b.angular - a.angular)).1.norm() * contact.turning_length(&mass_a, &mass_b)
    }

    /// Returns the radii of the bounding spheres of the bodies of a contact; 0 for a half-space [m].
    fn sizes_of(&self, record: &ContactRecord) -> [f64; 2] {
        self.balls_of(record).map(|ball| if ball.radius.is_finite() { ball.radius } else { 0.0 })
    }

    fn balls_of(&self, record: &ContactRecord) -> [&'a Ball; 2] {
        let (body_a, body_b) = record.pair();
        [body_a, body_b].map(|slot| &self.balls[slot as usize])
    }

    pub(in crate::world) fn materials_of(&self, record: &ContactRecord) -> (u32, u32) {
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

    /// Returns the velocity of a body at the end of the step; zero if it had no row.
    pub(in crate::world) fn velocity(&self, slot: u32) -> &Velocity {
        let row = self.rows.get(slot as usize);
        row.and_then(|row| self.velocities.get(*row as usize)).unwrap_or(&Velocity::ZERO)
    }

    /// Reserves memory for this many slots.
    pub(in crate::world) fn reserve(&mut self, slots: usize) -> Result<()> {
        resize(&mut self.balls, slots, Ball { center: Vec3::zeros(), radius: 0.0 }, "bodies")?;
        resize(&mut self.rows, slots, 0, "bodies")
    }

    /// Stores the positions of the shapes of bodies that had rows in the completed step; `slots` has the slot of each row. All contacts are
    /// between these bodies. The positions of other bodies are those of earlier steps, and are not read.
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

    /// Visits the data from which contacts are read. `slots` are those of the bodies that had rows in the last step and are awake. Data of
    /// other slots is not read.
    pub(in crate::world) fn visit_state(&self, visitor: &mut impl StateVisitor, slots: &[u32]) {
        let Self { balls, rows, velocities, materials, stiffness_law } = self;
        materials.visit_state(visitor);
        stiffness_law.visit(visitor);
        for at in slots.iter().map(|slot| *slot as usize) {
            let Ball { center, radius } = &balls[at];
            visitor.numbers(center.iter().chain([radius]));
            // The row itself is not state.
            let Velocity { linear, angular } = velocities.get(rows[at] as usize).unwrap_or(&Velocity::ZERO);
            visitor.numbers(linear.iter().chain(angular));
        }
    }

    /// Returns whether contacts of this material can be read.
    pub(in crate::world) fn has_material(&self, material: u32) -> bool {
        (material as usize) < self.materials.len()
    }

    /// Stores the materials and the settings of the completed step. The velocities are swapped in separately.
    pub(in crate::world) fn replace(&mut self, materials: &Arc<Materials>, settings: &Settings) {
        if !Arc::ptr_eq(&self.materials, materials) {
            self.materials = materials.clone();
        }
        self.stiffness_law = stiffness_law(settings);
    }
}

/// Returns the velocity of b relative to a at a contact of bodies with these velocities [m/s].
pub(in crate::world) fn relative_velocity(touch: &ContactView, a: &Velocity, b: &Velocity) -> Vec3 {
    b.at(&touch.geometry.arm_b) - a.at(&touch.geometry.arm_a)
}

/// Returns the law of the stiffness of contacts.
pub(in crate::world) fn stiffness_law(settings: &Settings) -> StiffnessLaw {
    match (settings.method, settings.compatibility) {
        (Method::Spook, _) => StiffnessLaw::Elastic(settings.contact_law.force()),
        (Method::Theta, _) => StiffnessLaw::Points,
        (_, Compatibility::Hertz) => StiffnessLaw::RelativeHertz,
        _ => StiffnessLaw::Materials,
    }
}

/// Returns the contact point of two balls with this normal and gap.
///
/// Arms are multiples of the normal. Differences of positions would be so only up to round-off.
pub(in crate::world) fn geometry_of_balls(a: &Ball, b: &Ball, point: &PointGeometry) -> ContactGeometry {
    let PointGeometry { normal, gap } = *point;
    let arm_a = normal * (a.radius + 0.5 * gap);
    let arm_b = normal * -(b.radius + 0.5 * gap);
    ContactGeometry {
        feature: SPHERE_FEATURE,
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
