//! Many grains of mixed sizes in a periodic box.

use std::sync::Arc;

use super::{boxed, contacts, converged, virial};
use crate::body::Definition;
use crate::id::Handle;
use crate::math::{Period, Vec3};
use crate::shape::Shape;
use crate::tasks::Tasks;
use crate::tasks::tests::Scoped;
use crate::world::state::Workspace;
use crate::world::tests::scene::{STEP, Scene};
use crate::world::{Settings, World};

const SIDE: f64 = 4.0;
/// Radii from a tenth of the largest.
const LARGEST: f64 = 0.9;

/// Numbers from -0.5 to 0.5.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / 9_007_199_254_740_992.0 - 0.5
    }
}

struct Gas {
    scene: Scene,
    grains: Vec<(Handle, f64)>,
}

impl Gas {
    /// Grains at random places that overlap, at random speeds; `place` may move each.
    fn new(settings: Settings, speed: f64, count: usize, place: impl Fn(usize) -> Vec3) -> Self {
        let mut scene = boxed(settings, [SIDE; 3]);
        let material = scene.material(0.0, 0.5);
        let mut random = Random(3);
        let mut grains = Vec::new();
        for index in 0..count {
            // Few large ones: the volumes of all sizes are equal.
            let part = (index as f64 + 0.5) / count as f64;
            let radius = 0.1 * LARGEST * (1.0 - 0.99 * part).powf(-0.5);
            let shape = scene.world.add_shape(Shape::sphere(radius).expect("a sphere")).expect("memory");
            let position = (SIDE * Vec3::from_fn(|_, _| random.number()) + place(index)).into();
            let linear_velocity = (speed * Vec3::from_fn(|_, _| random.number())).into();
            let mass = 1e3 * radius * radius * radius;
            let grain = Definition { shape, material, position, linear_velocity, mass, ..Definition::default() };
            grains.push((scene.add(&grain), radius));
        }
        Self { scene, grains }
    }

    fn center(&self, body: Handle) -> Vec3 {
        self.scene.state(body).position.into()
    }

    fn momentum(&self) -> Vec3 {
        let of = |(body, radius): &(Handle, f64)| 1e3 * radius.powi(3) * Vec3::from(self.scene.velocity(*body));
        self.grains.iter().map(of).sum()
    }

    /// The pairs whose nearest images are within the margin now.
    fn near(&self, margin: f64) -> Vec<(Handle, Handle)> {
        let period = Period::new([SIDE; 3]).expect("a box");
        let mut near = Vec::new();
        for (at, (a, radius_a)) in self.grains.iter().enumerate() {
            for (b, radius_b) in &self.grains[at + 1..] {
                let distance = period.nearest(&(self.center(*b) - self.center(*a))).norm();
                if distance <= radius_a + radius_b + margin {
                    near.push((*a, *b));
                }
            }
        }
        near
    }
}

fn still(_: usize) -> Vec3 {
    Vec3::zeros()
}

#[test]
fn contacts_of_mixed_sizes_are_those_of_all_pairs() {
    let mut gas = Gas::new(Settings::default(), 20.0, 150, still);
    let mut largest = 0;
    for step in 0..120 {
        let expected = gas.near(Settings::default().contact_margin);
        gas.scene.steps(1);
        let found: Vec<_> = contacts(&gas.scene.world).iter().map(|contact| (contact.body_a, contact.body_b)).collect();
        assert_eq!(found, expected, "step {step}");
        largest = largest.max(expected.len());
    }
    assert!(largest > 20, "{largest} contacts at most");
}

#[test]
fn momentum_is_conserved() {
    let mut gas = Gas::new(Settings::default(), 20.0, 150, still);
    let before = gas.momentum();
    let scale: f64 = gas.grains.iter().map(|(_, radius)| 1e3 * radius.powi(3) * 10.0).sum();
    for step in 0..200 {
        gas.scene.steps(1);
        let change = (gas.momentum() - before).norm();
        assert!(change <= 1e-13 * scale, "step {step}: {change} of {scale} kg m/s");
    }
    let far = gas.grains.iter().map(|(body, _)| gas.center(*body).amax()).fold(0.0, f64::max);
    assert!(far > SIDE, "positions are not moved back");
}

/// The forces on all grains after a step.
fn forces(place: impl Fn(usize) -> Vec3) -> Vec<Vec3> {
    let mut gas = Gas::new(converged(), 1.0, 150, place);
    gas.scene.steps(1);
    assert!(contacts(&gas.scene.world).len() > 20);
    gas.grains.iter().map(|(body, _)| gas.scene.force(*body).into()).collect()
}

#[test]
fn a_moved_copy_has_the_same_forces() {
    let expected = forces(still);
    let largest = expected.iter().map(Vec3::norm).fold(0.0, f64::max);
    assert!(largest > 1.0);
    let whole = |index: usize| SIDE * Vec3::new((index % 3) as f64 - 1.0, (index % 5) as f64, -((index % 2) as f64));
    let check = |name: &str, found: Vec<Vec3>, bound: f64| {
        for (found, expected) in found.iter().zip(&expected) {
            let error = (found - expected).norm();
            assert!(error <= bound * largest, "{name}: {found:?}, not {expected:?}, off by {error:e}");
        }
    };
    check("by whole periods", forces(whole), 1e-11);
    check("by any vector", forces(|_| Vec3::new(0.377, -12.25, 3.1)), 1e-11);
    check("by both", forces(|index| whole(index) + Vec3::new(1.9, 0.03, -0.7)), 1e-11);
}

#[test]
fn stress_under_compression_is_the_virial_sum() {
    let mut gas = Gas::new(converged(), 0.0, 150, still);
    // Grains move towards the middle of the box, as all images towards the middles of theirs: isotropic except at the
    // sides.
    for (body, _) in &gas.grains {
        let mut state = gas.scene.state(*body);
        state.linear_velocity = (-0.5 * Vec3::from(state.position)).into();
        gas.scene.world.set_body_state(*body, &state).expect("a state");
    }
    let before: Vec<(Handle, Vec3)> = gas.grains.iter().map(|(body, _)| (*body, gas.center(*body))).collect();
    gas.scene.steps(1);
    let world = &gas.scene.world;
    let center = |body: Handle| before.iter().find(|(handle, _)| *handle == body).expect("a grain").1;
    let expected = virial(&contacts(world), center, [SIDE; 3]);
    let pressure = -(expected[0] + expected[4] + expected[8]) / 3.0;
    assert!(pressure > 0.1, "{expected:?}");
    let check = |found: [f64; 9]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-12 * pressure, "{found}, not {expected}");
        }
    };
    let stress = |lower: [f64; 3], sides: [f64; 3]| {
        world.stress(lower, [0, 1, 2].map(|axis| lower[axis] + sides[axis])).expect("a region")
    };
    // One box wherever it begins, and eight of them.
    check(stress([0.0; 3], [SIDE; 3]));
    check(stress([-1.25, 17.5, 0.375], [SIDE; 3]));
    check(stress([-2.0; 3], [2.0 * SIDE; 3]));
    // Two halves together.
    let halves = [0.0, 2.0].map(|x| stress([x, 1.0, -3.0], [2.0, SIDE, SIDE]));
    check(std::array::from_fn(|entry| 0.5 * (halves[0][entry] + halves[1][entry])));
}

#[test]
fn results_depend_on_neither_threads_nor_the_workspace() {
    let gas = || Gas::new(Settings::default(), 20.0, 150, still).scene.world;
    let with_tasks = |world: &mut World, tasks: Arc<dyn Tasks>| {
        world.workspace = Workspace::new(&tasks);
        world.tasks = tasks;
    };
    let (mut alone, mut many, mut rebuilt) = (gas(), gas(), gas());
    with_tasks(&mut many, Arc::new(Scoped(3)));
    for step in 0..40 {
        rebuilt.workspace = Workspace::new(&rebuilt.tasks);
        for world in [&mut alone, &mut many, &mut rebuilt] {
            world.step(STEP).expect("a step");
        }
        assert_eq!([many.hash(), rebuilt.hash()], [alone.hash(); 2], "step {step}");
    }
}
