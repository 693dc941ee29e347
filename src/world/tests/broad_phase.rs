//! Detection keeps what it knows from step to step; what it finds depends on where the bodies are, and on nothing else.

use std::sync::Arc;

use super::scene::Scene;
use crate::body::{Definition, Kind};
use crate::collide::narrow::{
    ContactPoint, ContainmentQuery, LeftAtSeam, NarrowWorkspace, Placed, contacts, holds_any, is_covered,
    sphere_sphere, uncovered_contacts,
};
use crate::contact::{ContactRecord, ContactView, PointGeometry};
use crate::id::Handle;
use crate::math::{Mat3, Pose, Vec3};
use crate::shape::Shape;
use crate::tasks::tests::Scoped;
use crate::tasks::{Serial, Tasks};
use crate::world::detect::Detector;
use crate::world::readback::ReadbackContext;
use crate::world::{BodyState, Settings, World};

/// splitmix64 (Steele et al. 2014).
struct Random(u64);

impl Random {
    fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        word ^ (word >> 31)
    }

    /// One in so many times.
    fn one_in(&mut self, many: u64) -> bool {
        self.word().is_multiple_of(many)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn vector(&mut self, reach: f64) -> [f64; 3] {
        [0; 3].map(|_: i32| self.between(-reach, reach))
    }
}

/// A world with a list of its bodies, in which all sorts of things happen.
struct Play {
    world: World,
    shapes: Vec<Handle>,
    planes: Vec<Handle>,
    bodies: Vec<Handle>,
    planes_turn: bool,
    random: Random,
}

impl Play {
    fn new(seed: u64) -> Self {
        let Scene { mut world, sphere, plane } = Scene::new(Settings { contact_margin: 0.02, ..Settings::default() });
        world.set_gravity([0.0; 3]).expect("gravity");
        let mut shapes = vec![sphere, sphere, sphere];
        for shape in [
            Shape::sphere(0.2),
            Shape::cuboid([0.3, 0.5, 0.4]),
            Shape::capsule(0.4, 0.2),
            Shape::hull(&[[0.4, 0.0, 0.0], [-0.3, 0.4, 0.0], [-0.3, -0.4, 0.0], [0.0, 0.0, 0.5]]),
        ] {
            shapes.push(world.add_shape(shape.expect("shape")).expect("memory"));
        }
        let tilted = world.add_shape(Shape::half_space([0.6, 0.0, 0.8], -2.5).expect("plane")).expect("memory");
        let mut play = Self {
            world,
            shapes,
            planes: vec![plane, tilted],
            bodies: Vec::new(),
            planes_turn: seed.is_multiple_of(3),
            random: Random(seed),
        };
        (0..120).for_each(|_| play.add());
        play
    }

    fn add(&mut self) {
        let random = &mut self.random;
        let kind =
            [Kind::Dynamic, Kind::Dynamic, Kind::Dynamic, Kind::Static, Kind::Kinematic][(random.word() % 5) as usize];
        let (kind, shape) = if random.one_in(25) {
            let kinds = [Kind::Static, Kind::Kinematic];
            (kinds[(random.word() % 2) as usize], self.planes[(random.word() % 2) as usize])
        } else {
            (kind, self.shapes[(random.word() % self.shapes.len() as u64) as usize])
        };
        let filter_mask = if random.one_in(8) { 2 } else { u32::MAX };
        let (mut position, mut angular_velocity) = (random.vector(2.5), random.vector(1.0));
        if self.planes.contains(&shape) {
            position = [0.0, 0.0, -2.5];
            // The bounds of a half-space that turns are updated in every step.
            if !self.planes_turn {
                angular_velocity = [0.0; 3];
            }
        }
        let linear_velocity = random.vector(2.0);
        let filter_group = [0, 0, 0, 0, 1, -1][(random.word() % 6) as usize];
        let definition = Definition {
            kind,
            shape,
            position,
            linear_velocity,
            angular_velocity,
            filter_mask,
            filter_group,
            ..Definition::default()
        };
        // A sphere about another point than its centre of mass is not a ball to detection.
        let given = Definition { mass: 1.0, center_of_mass: [0.05, 0.0, 0.0], ..definition };
        let is_sphere = shape == self.shapes[0];
        let definition = if is_sphere && kind == Kind::Dynamic && self.random.one_in(6) { given } else { definition };
        self.bodies.push(self.world.add_body(&definition).expect("a body"));
    }

    fn any_body(&mut self) -> usize {
        (self.random.word() % self.bodies.len() as u64) as usize
    }

    /// Something that a host may do between two steps.
    fn meddle(&mut self) {
        match self.random.word() % 12 {
            0 => self.add(),
            1 => {
                let at = self.any_body();
                let body = self.bodies.swap_remove(at);
                self.world.remove_body(body).expect("a body");
            }
            2 | 3 => {
                let at = self.any_body();
                let state = self.world.body_state(self.bodies[at]).expect("a body");
                let reach = [0.01, 3.0][(self.random.word() % 2) as usize];
                let by = self.random.vector(reach);
                let position = std::array::from_fn(|axis| state.position[axis] + by[axis]);
                let linear_velocity = self.random.vector(4.0);
                let moved = BodyState { position, linear_velocity, ..state };
                self.world.set_body_state(self.bodies[at], &moved).expect("a state");
            }
            4 if self.random.one_in(10) => {
                let contact_margin = self.random.between(0.0, 0.05);
                let settings = Settings { contact_margin, ..*self.world.settings() };
                self.world.set_settings(settings).expect("settings");
            }
            5 if self.random.one_in(10) => (0..40).for_each(|_| self.add()),
            _ => {}
        }
    }

    /// What detection finds now.
    fn detect(&mut self) -> Vec<ContactView> {
        self.world.detect().expect("detection");
        found(&self.world)
    }

    /// Body a and b, feature and gap of all contacts, found pair by pair without any bounds.
    fn by_brute_force(&self) -> Vec<(u32, u32, u64, u64)> {
        let (bodies, margin) = (&self.world.bodies, self.world.settings.contact_margin);
        let mut slots = bodies.order.clone();
        slots.sort_unstable();
        let placed = |slot: u32| {
            let at = slot as usize;
            let (motion, mass) = (&bodies.motion[at], &bodies.mass[at]);
            let shape = self.world.shapes.get(bodies.traits[at].shape).expect("a shape");
            let pose = Pose::new(motion.center - motion.rotation * mass.center, motion.rotation);
            // A sphere's frame is not turned.
            let is_sphere = matches!(shape, Shape::Sphere(_));
            (shape, if is_sphere { Pose { matrix: Mat3::identity(), ..pose } } else { pose })
        };
        let mut found = Vec::new();
        for (at, a) in slots.iter().enumerate() {
            for b in slots[at + 1..].iter().filter(|b| self.admits(*a as usize, **b as usize)) {
                let ((shape_a, pose_a), (shape_b, pose_b)) = (placed(*a), placed(*b));
                let mut points = Vec::new();
                let (one, other) = (Placed { shape: shape_a, pose: &pose_a }, Placed { shape: shape_b, pose: &pose_b });
                contacts(one, other, margin, &mut NarrowWorkspace::default(), &mut points).expect("memory");
                self.drop_at_seams((*a, *b), [one, other], &mut points);
                found.extend(points.iter().map(|point| (*a, *b, point.feature, point.gap.to_bits())));
            }
        }
        found
    }

    /// Removes contacts at places of a static body that other static bodies cover, all of them tried.
    fn drop_at_seams(&self, (a, b): (u32, u32), placed: [Placed; 2], points: &mut Vec<ContactPoint>) {
        let bodies = &self.world.bodies;
        let is_static = |slot: u32| bodies.traits[slot as usize].kind == Kind::Static;
        let is_of_b = is_static(b);
        let (own, slot, partner) = if is_of_b { (1, b, a) } else { (0, a, b) };
        if !is_static(slot) {
            return;
        }
        let statics: Vec<u32> =
            bodies.order.iter().copied().filter(|other| is_static(*other) && *other != slot).collect();
        let is_held = |query: &ContainmentQuery, slack: f64| {
            statics.iter().filter(|other| self.admits(partner as usize, **other as usize)).any(|other| {
                let at = *other as usize;
                let motion = &bodies.motion[at];
                let shape = self.world.shapes.get(bodies.traits[at].shape).expect("a shape");
                let pose = Pose::new(motion.center - motion.rotation * bodies.mass[at].center, motion.rotation);
                !is_plain_ball(shape, &bodies.mass[at].center) && holds_any(shape, &pose, query, slack)
            })
        };
        let size = placed.map(|placed| placed.shape.size()).into_iter().fold(f64::INFINITY, f64::min);
        let from = placed[1 - own].pose.origin;
        let is_dropped = |point: &mut ContactPoint| {
            is_covered(placed[own], point.parts[own], &point.touch(is_of_b, &from, size), &is_held)
        };
        let dropped: Vec<ContactPoint> = points.extract_if(.., is_dropped).collect();
        let deepest = dropped.iter().min_by(|one, other| one.gap.total_cmp(&other.gap));
        if let Some(deepest) = deepest.filter(|point| point.gap < 0.0 && points.is_empty()) {
            let margin = self.world.settings.contact_margin;
            let left = LeftAtSeam { is_of_b, from, size, margin, parts: deepest.parts };
            uncovered_contacts(placed, &left, &is_held, &mut NarrowWorkspace::default(), points).expect("memory");
        }
    }

    fn admits(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.world.bodies.traits[a], &self.world.bodies.traits[b]);
        let masks = a.filter_category & b.filter_mask != 0 && b.filter_category & a.filter_mask != 0;
        let same_group = a.filter_group != 0 && a.filter_group == b.filter_group;
        let wanted = if same_group { a.filter_group > 0 } else { masks };
        wanted && (a.kind == Kind::Dynamic || b.kind == Kind::Dynamic)
    }
}

/// Whether a body is a ball about its centre of mass, which covers nothing.
fn is_plain_ball(shape: &Shape, center: &Vec3) -> bool {
    matches!(shape, Shape::Sphere(_)) && *center == Vec3::zeros()
}

/// The contacts that detection left in the workspace.
fn found(world: &World) -> Vec<ContactView> {
    let (work, materials) = (&world.workspace, &world.materials);
    let spheres = work.detector.spheres();
    let context = ReadbackContext::new(&world.bodies, spheres, materials, &world.settings);
    let contact_list = &work.contact_list;
    let mut mixing = context.mixing();
    let touch = |found: &ContactRecord| {
        let [a, b] = [found.body_a, found.body_b].map(|slot| &spheres[slot as usize]);
        let near = sphere_sphere(a, b, world.settings.contact_margin, &Vec3::z()).expect("a contact that was found");
        let point = PointGeometry { normal: near.normal, gap: near.gap };
        context.touch(found, contact_list, &point, &mut mixing)
    };
    contact_list.records.iter().map(touch).collect()
}

/// Neighbours are kept, repaired and rebuilt, each many times. The contacts do not depend on it.
#[test]
fn detection_does_not_depend_on_the_past() {
    let (mut kept, mut updated, mut rebuilt, mut largest) = (0, 0, 0, 0);
    for seed in 0..6 {
        let mut play = Play::new(seed);
        for round in 0..150 {
            // Now fast, now slow, now at rest and left alone.
            let step = [1e-2, 1e-3, 1e-9][round / 20 % 3];
            if step > 1e-9 {
                play.meddle();
            }
            let (before, _) = play.world.workspace.detector.reinserted();
            let contact_list = play.detect();
            match play.world.workspace.detector.reinserted() {
                (after, 0) if after == before => kept += 1,
                (after, moved) if after == before + moved => updated += 1,
                _ => rebuilt += 1,
            }
            let detector = std::mem::take(&mut play.world.workspace.detector);
            let fresh = play.detect();
            play.world.workspace.detector = detector;
            assert_eq!(contact_list.len(), fresh.len(), "seed {seed}, round {round}");
            assert_eq!(contact_list, fresh, "seed {seed}, round {round}");
            let known = |touch: &ContactView| {
                (touch.body_a, touch.body_b, touch.geometry.feature, touch.geometry.gap.to_bits())
            };
            let found: Vec<_> = contact_list.iter().map(known).collect();
            assert_eq!(found, play.by_brute_force(), "seed {seed}, round {round}");
            largest = largest.max(found.len());
            play.world.step(step).expect("a step");
        }
    }
    assert!(kept > 100 && updated > 100 && rebuilt > 20, "{kept} kept, {updated} mended, {rebuilt} rebuilt");
    assert!(largest > 100, "{largest} contacts");
}

/// A step that fails, here by a force beyond all numbers, leaves nothing behind.
#[test]
fn a_failed_step_does_not_show_in_the_next() {
    let mut play = Play::new(40);
    let body =
        *play.bodies.iter().find(|body| play.world.body_mass(**body).expect("a body").mass > 0.0).expect("a body");
    for _ in 0..20 {
        play.world.step(1e-3).expect("a step");
    }
    play.world.add_force(body, [1e308; 3], None).expect("a force");
    assert!(play.world.step(1e10).is_err());
    let contact_list = play.detect();
    play.world.workspace.detector = Detector::default();
    assert_eq!(contact_list, play.detect());
}

/// A bed of spheres with boxes among them and a floor, in many pieces: the contacts are the same for any number of threads.
#[test]
fn threads_do_not_change_contacts() {
    let contacts_with = |tasks: Arc<dyn Tasks>| {
        let settings = Settings { contact_margin: 0.05, ..Settings::default() };
        let mut world = World::with_tasks(settings, [0.0, 0.0, -10.0], tasks).expect("settings");
        let shapes = [Shape::sphere(0.5), Shape::cuboid([0.5; 3])]
            .map(|shape| world.add_shape(shape.expect("shape")).expect("memory"));
        let plane = world.add_shape(Shape::half_space([0.0, 0.0, 1.0], 0.0).expect("plane")).expect("memory");
        let mut random = Random(3);
        for k in 0..3000 {
            let layer = f64::from(k / 400);
            let position = [f64::from(k % 20), f64::from(k / 20 % 20), 0.5 + layer];
            let shape = shapes[usize::from(random.one_in(10))];
            let linear_velocity = random.vector(0.5);
            let definition = Definition { shape, position, linear_velocity, mass: 1.0, ..Definition::default() };
            world.add_body(&definition).expect("a body");
            if k == 1500 {
                let floor = Definition { kind: Kind::Static, shape: plane, ..Definition::default() };
                world.add_body(&floor).expect("a body");
            }
        }
        let mut overlaps = Vec::new();
        for _ in 0..4 {
            overlaps.push(world.step(1e-2).expect("a step").max_overlap);
        }
        world.detect().expect("detection");
        (found(&world), overlaps)
    };
    let alone = contacts_with(Arc::new(Serial));
    assert!(alone.0.len() > 6000, "{} contacts", alone.0.len());
    for threads in [2, 3] {
        assert!(alone == contacts_with(Arc::new(Scoped(threads))), "{threads} threads");
    }
}
