//! The hash of everything that the next step depends on.

use crate::body::{Bodies, Traits};
use crate::contact::material::{Material, Pair};
use crate::contact::{Load, Spot, Total, Touch};
use crate::world::settings::Settings;
use crate::world::sleep::StepContact;
use crate::world::state::World;

/// A running hash of 64-bit words.
struct Hasher(u64);

impl Hasher {
    /// One round of splitmix64's finaliser (Steele et al. 2014): every bit of the word reaches every bit of the hash.
    fn word(&mut self, word: u64) {
        let mut mixed = (self.0 ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        self.0 = mixed ^ (mixed >> 31);
    }

    fn words(&mut self, words: impl IntoIterator<Item = u64>) {
        words.into_iter().for_each(|word| self.word(word));
    }

    fn numbers<'a>(&mut self, numbers: impl IntoIterator<Item = &'a f64>) {
        numbers.into_iter().for_each(|number| self.word(number.to_bits()));
    }
}

impl World {
    /// A hash of the full state: settings, gravity, materials, shapes, bodies, their motion, the host's forces, and the
    /// contacts with their impulses. Two worlds of one build with equal hashes step alike.
    pub fn hash(&self) -> u64 {
        let mut hasher = Hasher(0);
        hash_settings(&mut hasher, &self.settings);
        hasher.numbers(&self.gravity);
        let (materials, pairs) = self.materials.entries();
        materials.iter().for_each(|material| hash_material(&mut hasher, material));
        for (slots, pair) in pairs {
            hasher.words([u64::from(slots.0), u64::from(slots.1)]);
            hash_pair(&mut hasher, pair);
        }
        for shape in self.shapes.entries() {
            hasher.word(shape.as_ref().map_or(0, |shape| shape.fingerprint()));
        }
        hash_bodies(&mut hasher, &self.bodies);
        for StepContact { touch, load, .. } in self.live_contacts() {
            hasher.words([touch.body_a, touch.body_b].map(|slot| self.bodies.registry.handle(slot as usize).0));
            hash_touch(&mut hasher, &touch, &load);
        }
        if self.memory.substep != self.memory.step {
            // The sums of a single substep are its impulses.
            self.live_contacts().for_each(|contact| hash_total(&mut hasher, &contact.load, &contact.total));
            hasher.numbers(&[self.memory.substep]);
        }
        self.hash_sleep(&mut hasher);
        hasher.word(self.memory.next_key);
        hasher.numbers(&[self.memory.step, self.memory.residual]);
        hasher.numbers(self.displacements.iter().flatten());
        hasher.0
    }

    /// Hashes the state of sleep, unless no body sleeps and none may.
    fn hash_sleep(&self, hasher: &mut Hasher) {
        let sleep = &self.sleep;
        if !self.settings.sleeping && !sleep.is_used() {
            return;
        }
        for slot in &self.bodies.order {
            hasher.words([u64::from(sleep.is_asleep(*slot)), u64::from(sleep.is_modified(*slot))]);
            hasher.numbers(&[sleep.sleep_timer.get(*slot as usize).copied().unwrap_or(0.0)]);
        }
        for contact in sleep.contacts.iter().filter(|contact| !self.removed.has_any_of(contact.touch.pair())) {
            hash_total(hasher, &contact.load, &contact.total);
            hasher.numbers([&contact.step, &contact.substep]);
        }
    }
}

fn hash_settings(hasher: &mut Hasher, settings: &Settings) {
    let choices = [
        settings.method as u32,
        settings.solver as u32,
        settings.sweep as u32,
        settings.local_solver as u32,
        settings.warm_start as u32,
        settings.friction_law as u32,
        settings.projection as u32,
        settings.compatibility as u32,
        settings.compatible_friction as u32,
        settings.iterations,
        settings.projection_passes,
        u32::from(settings.position_projection),
        u32::from(settings.sleeping),
        u32::from(settings.require_convergence),
        settings.newton_limit,
        settings.substeps,
    ];
    hasher.words(choices.map(u64::from));
    hasher.word(settings.seed);
    hasher.numbers(&[
        settings.tolerance,
        settings.relaxation,
        settings.warm_start_factor,
        settings.theta,
        settings.compatibility_exponent,
        settings.compatibility_tolerance,
        settings.tangential_stiffness,
        settings.contact_margin,
        settings.push_out_velocity,
        settings.restitution_threshold,
    ]);
}

fn hash_material(hasher: &mut Hasher, material: &Material) {
    hasher.numbers(&[
        material.friction,
        material.rolling_friction,
        material.twisting_friction,
        material.restitution,
        material.young_modulus,
        material.poisson_ratio,
        material.density,
    ]);
    hasher.word(material.user_data);
}

fn hash_pair(hasher: &mut Hasher, pair: &Pair) {
    let Pair { friction, rolling_friction, twisting_friction, restitution, stiffness } = pair;
    hasher.numbers([friction, rolling_friction, twisting_friction, restitution, stiffness]);
}

fn hash_bodies(hasher: &mut Hasher, bodies: &Bodies) {
    for slot in &bodies.order {
        let at = *slot as usize;
        hasher.word(bodies.registry.handle(at).0);
        hash_traits(hasher, &bodies.traits[at]);
        hasher.word(bodies.user_data(at));
        let (mass, motion, wrench) = (&bodies.mass[at], &bodies.motion[at], bodies.wrench(at));
        hasher.numbers([&mass.mass]);
        hasher.numbers(mass.center.iter().chain(&mass.inertia.entries));
        hasher.numbers(motion.center.iter().chain(motion.rotation.coords.iter()));
        hasher.numbers(motion.linear.iter().chain(motion.angular.iter()));
        hasher.numbers(wrench.force.iter().chain(wrench.torque.iter()));
    }
}

fn hash_traits(hasher: &mut Hasher, traits: &Traits) {
    let filter = [traits.filter_category, traits.filter_mask, traits.filter_group as u32];
    hasher.words([traits.kind as u32, traits.lock.0, traits.shape, traits.material].map(u64::from));
    hasher.words(filter.map(u64::from));
    hasher.numbers(&[traits.gravity_scale, traits.linear_damping, traits.angular_damping]);
}

fn hash_touch(hasher: &mut Hasher, touch: &Touch, load: &Load) {
    let Spot { feature, local, normal, gap, .. } = &touch.spot;
    hasher.words([touch.key, *feature, u64::from(load.rebounds)]);
    hasher.numbers(local.iter().chain(normal.iter()));
    hasher.numbers([&load.normal_impulse, &load.push, gap]);
    hasher.numbers(load.friction_impulse.iter().chain(&load.torque_impulse));
    hasher.numbers([&load.compatible_normal].into_iter().chain(&load.compatible_friction));
}

fn hash_total(hasher: &mut Hasher, load: &Load, total: &Total) {
    hasher.word(u64::from(load.struck));
    hasher.numbers([&total.normal].into_iter().chain(&total.friction).chain(&total.torque));
}
