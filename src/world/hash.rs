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
    let Settings {
        method,
        solver,
        sweep,
        local_solver,
        warm_start,
        friction_law,
        projection,
        compatibility,
        compatible_friction,
        iterations,
        projection_passes,
        position_projection,
        sleeping,
        require_convergence,
        seed,
        tolerance,
        relaxation,
        warm_start_factor,
        theta,
        compatibility_exponent,
        compatibility_tolerance,
        tangential_stiffness,
        contact_margin,
        push_out_velocity,
        restitution_threshold,
        newton_limit,
        substeps,
    } = *settings;
    let choices = [
        method as u32,
        solver as u32,
        sweep as u32,
        local_solver as u32,
        warm_start as u32,
        friction_law as u32,
        projection as u32,
        compatibility as u32,
        compatible_friction as u32,
    ];
    hasher.words(choices.into_iter().chain([iterations, projection_passes]).map(u64::from));
    hasher.words([position_projection, sleeping, require_convergence].map(u64::from));
    hasher.words([newton_limit, substeps].map(u64::from));
    hasher.word(seed);
    hasher.numbers(&[tolerance, relaxation, warm_start_factor, theta]);
    hasher.numbers(&[compatibility_exponent, compatibility_tolerance, tangential_stiffness]);
    hasher.numbers(&[contact_margin, push_out_velocity, restitution_threshold]);
}

fn hash_material(hasher: &mut Hasher, material: &Material) {
    let Material {
        friction,
        rolling_friction,
        twisting_friction,
        restitution,
        young_modulus,
        poisson_ratio,
        density,
        user_data,
    } = material;
    hasher.numbers([friction, rolling_friction, twisting_friction, restitution]);
    hasher.numbers([young_modulus, poisson_ratio, density]);
    hasher.word(*user_data);
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
    let Traits {
        kind,
        lock,
        shape,
        material,
        filter_category,
        filter_mask,
        filter_group,
        gravity_scale,
        linear_damping,
        angular_damping,
    } = *traits;
    hasher.words([kind as u32, lock.0, shape, material].map(u64::from));
    hasher.words([filter_category, filter_mask, filter_group as u32].map(u64::from));
    hasher.numbers(&[gravity_scale, linear_damping, angular_damping]);
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
