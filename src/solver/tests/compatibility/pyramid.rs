//! Square based pyramids of close-packed spheres whose base layer is held, [K] 8.2.

use std::collections::BTreeMap;

use crate::math::{BodyRow, Vec3};
use crate::solver::problem::{Contact, Velocity};
use crate::solver::tests::random::{Scene, plain};

/// How stiff the contacts of a pyramid are.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Species {
    /// All alike.
    Uniform,
    /// Spheres with an odd index are five times as stiff as the others, [K] 8.2.2. This breaks the symmetry.
    Alternating,
    /// The same for layers, from the base up, which keeps it.
    Layered,
}

/// A pyramid of spheres of radius 1 and mass 1. Without the impulses they fall with speed 1: weights are 1.
pub(super) struct Pyramid {
    pub(super) scene: Scene,
    /// Of each sphere, from the base up, the axis of the pyramid being that of z.
    places: Vec<Vec3>,
    layers: Vec<usize>,
}

impl Pyramid {
    pub(super) fn new(base: usize) -> Self {
        let mut pyramid = Self { scene: Scene::default(), places: Vec::new(), layers: Vec::new() };
        for layer in 0..base {
            let count = base - layer;
            for (i, j) in (0..count * count).map(|k| (k / count, k % count)) {
                let side = |k: usize| 2.0 * k as f64 - (count - 1) as f64;
                pyramid.places.push(Vec3::new(side(i), side(j), 2.0_f64.sqrt() * layer as f64));
                pyramid.layers.push(layer);
                if layer == 0 {
                    pyramid.scene.kinematic(Velocity::ZERO);
                } else {
                    let falling = Velocity { linear: -Vec3::z(), angular: Vec3::zeros() };
                    pyramid.scene.sphere(1.0, 1.0, falling);
                }
            }
        }
        pyramid.touch();
        pyramid
    }

    /// Contacts wherever two spheres touch of which one is free.
    fn touch(&mut self) {
        for b in (0..self.places.len()).filter(|b| self.layers[*b] > 0) {
            for a in (0..b).filter(|a| self.layers[*a] + 1 >= self.layers[b]) {
                let between: Vec3 = self.places[b] - self.places[a];
                if between.norm() < 2.0 * (1.0 + 1e-9) {
                    let normal = between.normalize();
                    let contact = Contact { arm_a: normal, arm_b: -normal, ..plain(a.into(), b.into(), normal) };
                    self.scene.contacts.push(contact);
                }
            }
        }
    }

    /// Impulses in equilibrium. Every sphere rests equally on the four below it. It passes on what presses it from
    /// above along the same line, to the sphere below on its other side.
    pub(super) fn weights(&self) -> Vec<f64> {
        let mut below = vec![Vec::new(); self.places.len()];
        for (index, contact) in self.scene.contacts.iter().enumerate().filter(|(_, contact)| contact.normal.z > 0.5) {
            below[contact.body_b].push(index);
        }
        let mut impulses = vec![0.0; self.scene.contacts.len()];
        for body in (0..self.places.len()).rev() {
            for index in &below[body] {
                let contact = &self.scene.contacts[*index];
                impulses[*index] += 0.25 / contact.normal.z;
                let along = |other: &&usize| (self.scene.contacts[**other].normal - contact.normal).norm() < 1e-9;
                if let Some(next) = below[contact.body_a].iter().find(along) {
                    impulses[*next] += impulses[*index];
                }
            }
        }
        impulses
    }

    /// Of each contact: both spheres in series.
    pub(super) fn stiffness(&self, species: Species) -> Vec<f64> {
        let modulus = |body: BodyRow| {
            let stiff = match species {
                Species::Uniform => false,
                Species::Alternating => body.0 % 2 == 1,
                Species::Layered => self.layers[body] % 2 == 1,
            };
            if stiff { 5.0 } else { 1.0 }
        };
        let contacts = self.scene.contacts.iter();
        contacts.map(|contact| 1.0 / (1.0 / modulus(contact.body_a) + 1.0 / modulus(contact.body_b))).collect()
    }

    /// Where each contact goes under the eight turns and reflections of the square.
    pub(super) fn symmetries(&self) -> Vec<Vec<usize>> {
        let key = |place: &Vec3| [place.x, place.y, 10.0 * place.z].map(|x| x.round() as i64);
        let bodies: BTreeMap<[i64; 3], usize> = self.places.iter().enumerate().map(|(k, x)| (key(x), k)).collect();
        let sorted = |a: usize, b: usize| [a.min(b), a.max(b)];
        let pair = |contact: &Contact| [contact.body_a.index(), contact.body_b.index()];
        let contacts = self.scene.contacts.iter().enumerate();
        let contacts: BTreeMap<[usize; 2], usize> =
            contacts.map(|(k, contact)| (sorted(pair(contact)[0], pair(contact)[1]), k)).collect();
        let image = |kind: usize| {
            let turned = |body: usize| {
                let place = self.places[body];
                let (x, y) = if kind & 4 == 0 { (place.x, place.y) } else { (place.y, place.x) };
                let sign = |bit: usize| if kind & bit == 0 { 1.0 } else { -1.0 };
                bodies[&key(&Vec3::new(sign(1) * x, sign(2) * y, place.z))]
            };
            let of = |contact: &Contact| contacts[&sorted(turned(pair(contact)[0]), turned(pair(contact)[1]))];
            self.scene.contacts.iter().map(of).collect()
        };
        (0..8).map(image).collect()
    }
}
