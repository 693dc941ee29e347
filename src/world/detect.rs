//! Detection: from where the bodies are to the contacts of this step, with the keys and impulses they inherit.

use crate::body::Bodies;
use crate::collide::narrow::{self, ContactPoint, Placed};
use crate::collide::{Grid, PairList, Proxy};
use crate::contact::Touch;
use crate::contact::material::{Materials, Pair};
use crate::error::{Result, reserve, resize};
use crate::math::{Mat3, Pose, Quat, Vec3};
use crate::shape::{Shape, effective_radius};
use crate::world::report::Report;
use crate::world::settings::Compatibility;
use crate::world::shapes::Shapes;
use crate::world::sleep::Sleep;
use crate::world::state::World;

/// What detection knows of each slot's body, and its workspace.
#[derive(Debug, Default)]
pub(in crate::world) struct Detector {
    places: Vec<Place>,
    proxies: Vec<Proxy>,
    unbounded: Vec<u32>,
    grid: Grid,
    pairs: PairList,
    narrow: narrow::Workspace,
    points: Vec<ContactPoint>,
}

/// Where a body's shape is.
#[derive(Debug, Clone, Copy)]
pub(in crate::world) struct Place {
    /// The shape's frame; a sphere's is not turned.
    pub(in crate::world) pose: Pose,
    /// Radius about the shape's origin; infinite for half-spaces [m].
    pub(in crate::world) radius: f64,
    /// Whether the shape is a sphere: the hot path.
    pub(in crate::world) is_sphere: bool,
}

impl World {
    /// Finds the contacts of this step. They are written to the workspace, sorted by pair.
    pub(in crate::world) fn detect(&mut self, report: &mut Report) -> Result<()> {
        let margin = self.settings.contact_margin;
        let work = &mut self.workspace;
        work.contacts.clear();
        work.detector.place(&self.bodies, &self.shapes, margin)?;
        work.detector.find_pairs(&self.bodies, &self.shapes, margin)?;
        let scene = Scene {
            bodies: &self.bodies,
            shapes: &self.shapes,
            materials: &self.materials,
            margin,
            hertz: self.settings.compatibility == Compatibility::Hertz,
            sleep: &self.sleep,
        };
        work.detector.find_contacts(&scene, &mut work.contacts)?;
        report.max_overlap = work.contacts.iter().fold(0.0, |deepest, touch| f64::max(deepest, -touch.gap));
        Ok(())
    }
}

/// What a body's contacts depend on.
struct Scene<'a> {
    bodies: &'a Bodies,
    shapes: &'a Shapes,
    materials: &'a Materials,
    margin: f64,
    /// Whether contacts are as stiff as Hertz says.
    hertz: bool,
    sleep: &'a Sleep,
}

impl Detector {
    /// Where each slot's shape is.
    pub(in crate::world) fn places(&self) -> &[Place] {
        &self.places
    }

    /// Places every shape and bounds it.
    fn place(&mut self, bodies: &Bodies, shapes: &Shapes, margin: f64) -> Result<()> {
        let slots = bodies.slots();
        let nowhere = Place { pose: Pose::new(Vec3::zeros(), Quat::identity()), radius: 0.0, is_sphere: false };
        self.places.clear();
        resize(&mut self.places, slots, nowhere, "bodies")?;
        self.proxies.clear();
        resize(&mut self.proxies, slots, Proxy::ABSENT, "bodies")?;
        self.unbounded.clear();
        for slot in &bodies.order {
            let at = *slot as usize;
            let (motion, traits, mass) = (&bodies.motion[at], &bodies.traits[at], &bodies.mass[at]);
            let Some(shape) = shapes.get(traits.shape) else { continue };
            let origin = motion.center - motion.rotation * mass.center;
            let is_sphere = matches!(shape, Shape::Sphere(_));
            let pose = if is_sphere {
                Pose { origin, rotation: motion.rotation, matrix: Mat3::identity() }
            } else {
                Pose::new(origin, motion.rotation)
            };
            let radius = shape.bounding_radius();
            self.places[at] = Place { pose, radius, is_sphere };
            let bounded = radius.is_finite();
            if !bounded {
                reserve(&mut self.unbounded, 1, "bodies")?;
                self.unbounded.push(*slot);
            }
            self.proxies[at] = Proxy {
                bounds: if bounded { shape.bounds(&pose).grown(0.5 * margin) } else { Proxy::ABSENT.bounds },
                moves: mass.mass > 0.0,
                bounded,
                category: traits.filter_category,
                mask: traits.filter_mask,
                group: traits.filter_group,
            };
        }
        Ok(())
    }

    /// The pairs of bodies whose bounds overlap, and those of half-spaces with what reaches below their surface.
    fn find_pairs(&mut self, bodies: &Bodies, shapes: &Shapes, margin: f64) -> Result<()> {
        self.pairs.clear();
        self.grid.pairs(&self.proxies, &mut self.pairs)?;
        for slot in &self.unbounded {
            let at = *slot as usize;
            let Some(Shape::HalfSpace(half_space)) = shapes.get(bodies.traits[at].shape) else { continue };
            let (normal, offset) = half_space.placed(&self.places[at].pose);
            for (other, proxy) in self.proxies.iter().enumerate().filter(|(_, proxy)| proxy.bounded) {
                // The bounds count half the margin; a half-space has none, so the other half is added here.
                let center = 0.5 * proxy.bounds.lower + 0.5 * proxy.bounds.upper;
                let reach = normal.abs().dot(&(proxy.bounds.upper - center)) + 0.5 * margin;
                if normal.dot(&center) - reach <= offset && self.proxies[at].admits(proxy) {
                    self.pairs.push(*slot, other as u32)?;
                }
            }
        }
        Ok(())
    }

    /// The contacts of every pair.
    fn find_contacts(&mut self, scene: &Scene, contacts: &mut Vec<Touch>) -> Result<()> {
        let Self { places, pairs, narrow, points, .. } = self;
        let mut mixing = Mixing::default();
        for (a, b) in pairs.sorted(places.len())? {
            if scene.sleep.is_settled(scene.bodies, *a, *b) {
                continue;
            }
            let (place_a, place_b) = (&places[*a as usize], &places[*b as usize]);
            points.clear();
            if place_a.is_sphere && place_b.is_sphere {
                let (center_a, center_b) = (&place_a.pose.origin, &place_b.pose.origin);
                points.extend(narrow::sphere_sphere(center_a, place_a.radius, center_b, place_b.radius, scene.margin));
            } else if let (Some(a), Some(b)) = (scene.placed(*a, place_a), scene.placed(*b, place_b)) {
                narrow::contacts(a, b, scene.margin, narrow, points)?;
            }
            if points.is_empty() {
                continue;
            }
            let mixed = mixing.of(scene, *a, *b);
            if contacts.capacity() - contacts.len() < points.len() {
                let more = contacts.len().max(64) + points.len();
                reserve(contacts, more, "contacts")?;
            }
            contacts.extend(points.iter().map(|point| scene.touch(places, (*a, *b), point, mixed)));
        }
        Ok(())
    }
}

impl<'a> Scene<'a> {
    fn placed(&self, slot: u32, place: &'a Place) -> Option<Placed<'a>> {
        let shape = self.shapes.get(self.bodies.traits[slot as usize].shape)?;
        Some(Placed { shape, pose: &place.pose })
    }

    fn touch(&self, places: &[Place], (a, b): (u32, u32), point: &ContactPoint, mixed: &Mixed) -> Touch {
        let pair = &mixed.pair;
        let (rolling, twisting) =
            if pair.resists_turning() { self.lengths(places, (a, b), &point.normal, pair) } else { (0.0, 0.0) };
        Touch {
            body_a: a,
            body_b: b,
            handle_a: self.bodies.registry.handle(a as usize),
            handle_b: self.bodies.registry.handle(b as usize),
            key: 0,
            feature: point.feature,
            point: point.point,
            normal: point.normal,
            gap: point.gap,
            local: places[a as usize].pose.to_local(&point.point),
            arm_a: self.arm(a, &places[a as usize], point),
            arm_b: self.arm(b, &places[b as usize], point),
            normal_impulse: 0.0,
            friction_impulse: Vec3::zeros(),
            torque_impulse: Vec3::zeros(),
            compatible_normal: 0.0,
            compatible_friction: Vec3::zeros(),
            relative_velocity: Vec3::zeros(),
            rolling_speed: 0.0,
            friction: pair.friction,
            rolling,
            twisting,
            restitution: pair.restitution,
            stiffness: if self.hertz { self.hertz(places, (a, b), &point.normal, mixed) } else { pair.stiffness },
            is_new: false,
            rebounds: false,
            struck: false,
        }
    }

    /// `mu_r r*` and `mu_tw r*`; between two flat places there is no radius, and nothing resists turning [m].
    #[cold]
    fn lengths(&self, places: &[Place], (a, b): (u32, u32), normal: &Vec3, pair: &Pair) -> (f64, f64) {
        let radius = self.effective_radius(places, (a, b), normal);
        let length = |coefficient: f64| if radius.is_finite() { (coefficient * radius).min(f64::MAX) } else { 0.0 };
        (length(pair.rolling_friction), length(pair.twisting_friction))
    }

    /// Hertz' stiffness; that of the pair of materials between two flat places, which have no radius, and where the host said
    /// how stiff a pair is.
    fn hertz(&self, places: &[Place], bodies: (u32, u32), normal: &Vec3, mixed: &Mixed) -> f64 {
        let radius = self.effective_radius(places, bodies, normal);
        match mixed.hertz {
            Some(modulus) if radius.is_finite() => modulus * radius.sqrt(),
            _ => mixed.pair.stiffness,
        }
    }

    /// `r*` of two bodies where they touch; infinite between two flat places [m].
    fn effective_radius(&self, places: &[Place], (a, b): (u32, u32), normal: &Vec3) -> f64 {
        let radius = |slot: u32| {
            let outward = places[slot as usize].pose.matrix.tr_mul(normal);
            let shape = self.shapes.get(self.bodies.traits[slot as usize].shape);
            shape.map_or(f64::INFINITY, |shape| shape.radius_of_curvature(&outward))
        };
        effective_radius(radius(a), radius(b))
    }

    /// From the body's centre of mass to the point. That of a sphere about its centre is along the normal; as a
    /// difference of positions it would be so up to round-off alone.
    fn arm(&self, slot: u32, place: &Place, point: &ContactPoint) -> Vec3 {
        let arm = point.point - self.bodies.motion[slot as usize].center;
        let about_center = place.is_sphere && self.bodies.mass[slot as usize].center == Vec3::zeros();
        if about_center { point.normal.dot(&arm) * point.normal } else { arm }
    }
}

/// What holds between the materials of two bodies; the last answer is kept, since neighbours tend to be alike.
#[derive(Default)]
struct Mixing {
    last: Option<((u32, u32), Mixed)>,
}

/// What holds between two materials.
#[derive(Clone, Copy)]
struct Mixed {
    pair: Pair,
    /// Hertz' stiffness over the root of the effective radius, if it is that of the moduli [Pa].
    hertz: Option<f64>,
}

impl Mixing {
    fn of(&mut self, scene: &Scene, a: u32, b: u32) -> &Mixed {
        let materials = (scene.bodies.traits[a as usize].material, scene.bodies.traits[b as usize].material);
        let known = self.last.filter(|(known, _)| *known == materials);
        let entry = known.unwrap_or_else(|| {
            let (first, second) = (materials.0 as usize, materials.1 as usize);
            let pair = scene.materials.pair(first, second);
            (materials, Mixed { pair, hertz: scene.materials.hertz(first, second) })
        });
        &self.last.insert(entry).1
    }
}
