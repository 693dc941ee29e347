//! Fields of a world: a pile at rest is in balance at every point, and the fields sum up to what other queries say.

use super::scene::Scene;
use crate::body::{Definition, Kind};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::query::fields::{Field, Fields, KernelKind};
use crate::shape::Shape;
use crate::tasks::Serial;
use crate::tasks::tests::Scoped;
use crate::world::settings::{Compatibility, SolverKind};
use crate::world::{ContactReport, Settings, World};

const GRAVITY: f64 = 10.0;

fn settings() -> Settings {
    Settings { solver: SolverKind::Newton, tolerance: 0.0, ..Settings::default() }
}

/// A pile of balls with diameters from 0.16 to 0.24 m in a shaft of 1.2 x 1.2 m, at rest: rolling resistance stops them.
fn pile(settings: Settings) -> World {
    // Sweeps bring the pile down; the method asked for then solves it to round-off.
    let mut scene = Scene::new(Settings {
        iterations: 50,
        solver: SolverKind::Pgs,
        compatibility: Compatibility::Off,
        sleeping: false,
        ..settings
    });
    scene.floor();
    for (normal, offset) in
        [([1.0, 0.0, 0.0], -0.6), ([-1.0, 0.0, 0.0], -0.6), ([0.0, 1.0, 0.0], -0.6), ([0.0, -1.0, 0.0], -0.6)]
    {
        let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a wall")).expect("memory");
        scene.add(&Definition { kind: Kind::Static, shape, ..Definition::default() });
    }
    let resisting = Material { rolling_friction: 0.3, twisting_friction: 0.3, ..Material::default() };
    let material = scene.world.add_material(resisting).expect("a material");
    let shapes: Vec<Handle> = [0.08, 0.09, 0.1, 0.11, 0.12]
        .map(|radius| scene.world.add_shape(Shape::sphere(radius).expect("a ball")).expect("memory"))
        .into();
    for index in 0..180usize {
        let (x, y, z) = (index % 4, index / 4 % 4, index / 16);
        let turn = 0.02 * ((index * 7 % 11) as f64 - 5.0) / 5.0;
        let position = [0.28 * x as f64 - 0.42 + turn, 0.28 * y as f64 - 0.42 - turn, 0.14 + 0.26 * z as f64];
        scene.add(&Definition { shape: shapes[index * 3 % 5], position, material, mass: 0.0, ..Definition::default() });
    }
    scene.steps(1500);
    scene.world.set_settings(settings).expect("settings");
    scene.steps(10);
    scene.world
}

fn fields(world: &World, points: &[[f64; 3]], kind: KernelKind, width: f64) -> Fields {
    world.fields(points, kind, width, &Serial).expect("fields")
}

/// The largest component of `div sigma + rho g` at a point, by central differences over `step`, with `sigma` all stress. The second number is
/// the density.
fn imbalance(world: &World, point: [f64; 3], width: f64) -> (f64, f64) {
    let step = 1e-4 * width;
    let mut points = vec![point];
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut moved = point;
            moved[axis] += sign * step;
            points.push(moved);
        }
    }
    let fields: Vec<Field> = fields(world, &points, KernelKind::Lucy, width).iter().copied().collect();
    let stress = |field: &Field, i: usize, j: usize| field.contact_stress[3 * i + j] + field.kinetic_stress[3 * i + j];
    let weight = [0.0, 0.0, -GRAVITY * fields[0].density];
    let component = |j: usize| {
        let divergence = |i: usize| {
            let width = points[1 + 2 * i][i] - points[2 + 2 * i][i];
            (stress(&fields[1 + 2 * i], i, j) - stress(&fields[2 + 2 * i], i, j)) / width
        };
        (0..3).map(divergence).sum::<f64>() + weight[j]
    };
    ((0..3).map(component).map(f64::abs).fold(0.0, f64::max), fields[0].density)
}

/// Points further than the radius of the kernel, 0.4 m, from walls and floor; the surface of the pile is among them.
fn inside() -> Vec<[f64; 3]> {
    let line = |from: f64, to: f64, count: usize| {
        (0..count).map(move |at| from + (to - from) * at as f64 / (count - 1) as f64)
    };
    line(-0.19, 0.19, 4)
        .flat_map(|x| line(-0.19, 0.19, 4).flat_map(move |y| line(0.41, 1.6, 10).map(move |z| [x, y, z])))
        .collect()
}

/// Asserts the balance of a world at rest at all points, and returns the density of the heaviest times gravity.
fn assert_balance(world: &World, points: &[[f64; 3]], width: f64) -> f64 {
    let (kinetic, _) = world.energy().expect("finite");
    let off: Vec<(f64, f64)> = points.iter().map(|point| imbalance(world, *point, width)).collect();
    let heaviest = off.iter().map(|(_, density)| density * GRAVITY).fold(0.0, f64::max);
    let worst = off.iter().map(|(off, _)| *off).fold(0.0, f64::max);
    println!("off by {:e} of {heaviest} N/m^3; kinetic energy {kinetic:e} J", worst / heaviest);
    assert!(worst <= 1e-6 * heaviest, "off by {worst:e} N/m^3 of {heaviest}");
    heaviest
}

#[test]
fn a_pile_at_rest_is_in_balance_everywhere() {
    assert!(assert_balance(&pile(settings()), &inside(), 0.2) > 5000.0);
}

/// A pyramid of balls on fixed ones leaves many force networks open. The correction takes another one than the solver, and that balances too.
#[test]
fn compatible_forces_are_in_balance_everywhere() {
    let mut scene = Scene::new(Settings { compatibility: Compatibility::Hooke, ..settings() });
    let size = 9;
    for layer in 0..size {
        let count = size - layer;
        let place = |at: usize| at as f64 - 0.5 * (count - 1) as f64;
        for (x, y) in (0..count).flat_map(|x| (0..count).map(move |y| (x, y))) {
            // Each layer lies in the hollows of the one below, half a diagonal higher.
            let ball = scene.ball_at([place(x), place(y), layer as f64 * 0.5f64.sqrt()]);
            let kind = if layer == 0 { Kind::Static } else { Kind::Dynamic };
            scene.add(&Definition { kind, ..ball });
        }
    }
    scene.steps(3);
    let moved = |contact: ContactReport| (contact.compatible_normal_force - contact.normal_force).abs();
    let largest = scene.world.contacts().map(|contact| contact.normal_force).fold(0.0, f64::max);
    let apart = scene.world.contacts().map(moved).fold(0.0, f64::max);
    println!("forces differ by {apart} of {largest} N");
    assert!(apart > 0.01 * largest);
    // Further than the radius of the kernel, 1.5 m, from where the fixed balls are touched.
    let points: Vec<[f64; 3]> = (0..60)
        .map(|at| [0.7 - 0.3 * f64::from(at % 5), 0.5 - 0.2 * f64::from(at % 7), 1.86 + 0.1 * f64::from(at)])
        .collect();
    assert!(assert_balance(&scene.world, &points, 0.75) > 10.0);
}

/// Sums over a grid of an eighth of the width are integrals. They are off by up to 1e-6 for the smooth kernel. The
/// Gaussian drops at its radius from a hundredth of its peak, so that they are off by up to 1e-4.
#[test]
fn sums_over_a_grid_are_the_mass_and_the_stress_of_the_whole_pile() {
    let world = pile(settings());
    let mass: f64 = world.body_handles().map(|body| world.body_mass(body).expect("a body").mass).sum();
    let (lower, upper) = ([-1.0, -1.0, -1.0], [1.0, 1.0, 4.0]);
    let whole = world.stress(lower, upper).expect("a box").map(|stress| stress * 20.0);
    let spacing = 0.2 / 8.0;
    let line = |from: f64, to: f64| (0..=((to - from) / spacing) as usize).map(move |at| from + spacing * at as f64);
    for (kind, radius, limit) in [(KernelKind::Lucy, 0.4, 1e-6), (KernelKind::Gaussian, 0.6, 1e-4)] {
        // Points up to the radius of the kernel beyond walls and floor, and to above the pile.
        let side = 0.6 + radius;
        let points: Vec<[f64; 3]> = line(-side, side)
            .flat_map(|x| {
                line(-side, side).flat_map(move |y| line(-0.1 - radius, 2.4 + radius).map(move |z| [x, y, z]))
            })
            .collect();
        let fields = fields(&world, &points, kind, 0.2);
        let sum = |of: &dyn Fn(&Field) -> f64| fields.iter().map(of).sum::<f64>() * spacing.powi(3);
        let off_mass = (sum(&|field| field.density) / mass - 1.0).abs();
        let largest = whole.iter().fold(0.0, |largest: f64, entry| largest.max(entry.abs()));
        let off_stress = (0..9)
            .map(|entry| (sum(&|field| field.contact_stress[entry]) - whole[entry]).abs() / largest)
            .fold(0.0, f64::max);
        println!("{kind:?}: mass off by {off_mass:e}, stress by {off_stress:e}");
        assert!(off_mass.max(off_stress) <= limit, "{kind:?}: {off_mass:e}, {off_stress:e}");
    }
}

#[test]
fn only_dynamic_bodies_are_matter() {
    let mut scene = Scene::new(Settings::default());
    let definition = scene.ball_at([0.0, 0.0, 3.0]);
    scene.add(&Definition { kind: Kind::Static, ..definition });
    scene.add(&Definition { kind: Kind::Kinematic, linear_velocity: [1.0; 3], ..definition });
    let point = [[0.0, 0.0, 3.0]];
    assert_eq!(fields(&scene.world, &point, KernelKind::Lucy, 1.0).iter().next(), Some(&Field::default()));
    scene.add(&Definition { linear_velocity: [0.0, 2.0, 0.0], ..definition });
    let found = *fields(&scene.world, &point, KernelKind::Lucy, 1.0).iter().next().expect("a field");
    let peak = 105.0 / (16.0 * std::f64::consts::PI * 8.0);
    assert!((found.density - peak).abs() <= 1e-15, "{found:?}");
    assert!((found.packing_fraction - peak * std::f64::consts::PI / 6.0).abs() <= 1e-15, "{found:?}");
    assert_eq!((found.velocity, found.contact_stress), ([0.0, 2.0, 0.0], [0.0; 9]));
}

/// The branch of a wall's contact ends at the contact point, on either side of the pair.
#[test]
fn the_stress_of_a_ball_on_the_floor_by_hand() {
    for floor_first in [true, false] {
        let mut scene = Scene::new(settings());
        if floor_first {
            scene.floor();
        }
        scene.ball([0.0, 0.0, 0.5]);
        if !floor_first {
            scene.floor();
        }
        scene.steps(5);
        // All points of the line from the centre to the contact are near: the whole branch of 0.5 m carries 10 N.
        let points: Vec<[f64; 3]> = (0..400).map(|at| [0.0, 0.0, -1.0 + 0.005 * f64::from(at) + 0.0025]).collect();
        let fields = fields(&scene.world, &points, KernelKind::Lucy, 0.25);
        // Integrated over the axis, phi gives 105/(16 pi R^3) 2 R 2/5 at the axis.
        let across = 105.0 / (16.0 * std::f64::consts::PI * 0.25) * 0.8;
        let sum: f64 = fields.iter().map(|field| field.contact_stress[8]).sum::<f64>() * 0.005;
        assert!((sum + 10.0 * 0.5 * across).abs() <= 1e-4 * 5.0 * across, "{sum}, not {}", -5.0 * across);
        // Nothing of it is further than the radius of the kernel below the floor.
        assert!(fields.iter().zip(&points).all(|(field, point)| point[2] >= -0.5 || field.contact_stress == [0.0; 9]));
        assert!(fields.iter().zip(&points).any(|(field, point)| point[2] < -0.45 && field.contact_stress[8] < 0.0));
    }
}

#[test]
fn width_zero_is_the_mean_diameter_of_the_dynamic_spheres() {
    let mut scene = Scene::new(Settings::default());
    scene.floor();
    let points = [[0.0, 0.0, 0.5], [0.3, 0.0, 1.0]];
    let error = scene.world.fields(&points, KernelKind::Lucy, 0.0, &Serial).expect_err("refused");
    assert!(error.message.starts_with("width is 0 and the world has no dynamic sphere"), "{error}");
    scene.ball([0.0, 0.0, 0.5]);
    let large = scene.world.add_shape(Shape::sphere(1.0).expect("a ball")).expect("memory");
    scene.add(&Definition { shape: large, ..scene.ball_at([0.0, 0.0, 2.0]) });
    scene.add(&Definition { kind: Kind::Static, shape: large, ..scene.ball_at([9.0, 0.0, 0.0]) });
    let given = fields(&scene.world, &points, KernelKind::Lucy, 1.5);
    assert!(given.iter().eq(fields(&scene.world, &points, KernelKind::Lucy, 0.0).iter()));
}

#[test]
fn contacts_of_sleeping_bodies_and_threads_change_no_bit() {
    let points = inside();
    let awake = pile(Settings::default());
    let serial = fields(&awake, &points, KernelKind::Gaussian, 0.1);
    let threads = awake.fields(&points, KernelKind::Gaussian, 0.1, &Scoped(4)).expect("fields");
    assert!(serial.iter().eq(threads.iter()));
    let mut asleep = pile(Settings { sleeping: true, ..Settings::default() });
    let awake = (0..200).map(|_| asleep.step(1.0 / 128.0).expect("a step").awake_bodies).last();
    assert_eq!(awake, Some(0));
    let total = |fields: &Fields| fields.iter().map(|field| field.contact_stress[8]).sum::<f64>();
    let before = total(&fields(&asleep, &points, KernelKind::Gaussian, 0.1));
    asleep.step(1.0 / 128.0).expect("a step");
    let after = total(&fields(&asleep, &points, KernelKind::Gaussian, 0.1));
    assert_eq!(before, after);
    assert!(before < -100.0, "{before}");
}

#[test]
fn numbers_that_are_not_finite_are_refused() {
    let scene = Scene::new(Settings::default());
    let refused = |point: [f64; 3], width: f64| {
        scene.world.fields(&[[0.0; 3], point], KernelKind::Lucy, width, &Serial).expect_err("refused").message
    };
    assert!(refused([0.0, f64::NAN, 0.0], 1.0).starts_with("points_xyz[4] is NaN"));
    assert!(refused([0.0; 3], f64::INFINITY).starts_with("width is inf"));
    assert!(refused([0.0; 3], -1.0).starts_with("width is -1"));
}

/// A box of 1 by 0.75 m with a period along x and y. It is the state after a step in which twelve pairs of balls of
/// two sizes meet, some across the sides. Each pair has one solution. All balls are moved by `shift`.
fn periodic_pairs(shift: [f64; 3]) -> World {
    let mut scene = Scene::new(Settings { contact_margin: 1e-3, ..settings() });
    scene.world = scene.world.with_period([1.0, 0.75, 0.0]).expect("a box");
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    for number in 0..24_u32 {
        let (pair, side) = (number / 2, f64::from(number % 2));
        let shape = Shape::sphere(if pair % 3 == 0 { 0.1 } else { 0.09 }).expect("a ball");
        let shape = scene.world.add_shape(shape).expect("memory");
        let at = [pair % 2, pair / 2 % 3, pair / 6].map(f64::from);
        // They overlap a little.
        let apart = if pair % 3 == 0 { 0.199 } else { 0.179 };
        let place = [0.85 + 0.5 * at[0] + apart * side, 0.02 + 0.25 * at[1], 0.3 * at[2]];
        let position = std::array::from_fn(|axis| place[axis] + shift[axis]);
        let linear_velocity = [0.5 - side, 0.1 * at[0], 0.2 * at[1]];
        scene.add(&Definition { shape, position, linear_velocity, mass: 0.0, ..scene.ball_at(position) });
    }
    scene.steps(1);
    assert_eq!(scene.world.contact_count(), 12);
    scene.world
}

/// Asserts that two lists of fields are equal, up to round-off of the largest component of each field.
fn assert_alike(ones: &Fields, others: &Fields) {
    let columns: [fn(&Field) -> &[f64]; 7] = [
        |field| std::slice::from_ref(&field.density),
        |field| std::slice::from_ref(&field.packing_fraction),
        |field| std::slice::from_ref(&field.granular_temperature),
        |field| &field.momentum,
        |field| &field.velocity,
        |field| &field.kinetic_stress,
        |field| &field.contact_stress,
    ];
    for (number, column) in columns.into_iter().enumerate() {
        let [ones, others] = [ones, others].map(|fields| fields.iter().flat_map(column).collect::<Vec<_>>());
        let largest = ones.iter().map(|value| value.abs()).fold(0.0, f64::max);
        let off = ones.iter().zip(&others).map(|(a, b)| (*a - *b).abs()).fold(0.0, f64::max);
        assert!(off <= 1e-12 * largest, "field {number} is off by {off:e} of {largest}");
    }
}

#[test]
fn fields_over_one_period_sum_up_to_the_mass() {
    let world = periodic_pairs([0.4, -3.1, 0.0]);
    let mass: f64 = world.body_handles().map(|body| world.body_mass(body).expect("a body").mass).sum();
    let spacing = 1.0 / 80.0;
    let points: Vec<[f64; 3]> = (0..80)
        .flat_map(|x| {
            (0..60).flat_map(move |y| (0..120).map(move |z| [x, y, z].map(|at| (f64::from(at) + 0.5) * spacing)))
        })
        .map(|[x, y, z]| [x - 0.3, y + 2.0, z - 0.4])
        .collect();
    let fields = fields(&world, &points, KernelKind::Lucy, 0.1);
    let sum = fields.iter().map(|field| field.density).sum::<f64>() * spacing.powi(3);
    let off = (sum / mass - 1.0).abs();
    println!("mass off by {off:e}");
    assert!(off <= 1e-6, "{sum} kg of {mass} kg");
}

#[test]
fn fields_move_with_the_bodies_in_a_periodic_box() {
    let line = |count: usize, length: f64| (0..count).map(move |at| length * at as f64 / count as f64);
    let points: Vec<[f64; 3]> = line(7, 1.0)
        .flat_map(|x| line(7, 0.75).flat_map(move |y| line(5, 0.8).map(move |z| [x, y, z - 0.2])))
        .collect();
    for (kind, width) in [(KernelKind::Lucy, 0.1), (KernelKind::Gaussian, 0.08), (KernelKind::Lucy, 0.6)] {
        // Half of both periods, and some whole ones.
        let [still, moved, far] = [[0.0; 3], [0.5, 0.375, 0.0], [-3.0, 5.25, 0.0]].map(|shift| {
            let moved: Vec<[f64; 3]> =
                points.iter().map(|point| std::array::from_fn(|axis| point[axis] + shift[axis])).collect();
            fields(&periodic_pairs(shift), &moved, kind, width)
        });
        assert_alike(&still, &moved);
        assert_alike(&still, &far);
        assert_alike(&still, &fields(&periodic_pairs([7.0, -0.75, 0.0]), &points, kind, width));
        let largest = |of: fn(&Field) -> f64| still.iter().map(of).map(f64::abs).fold(0.0, f64::max);
        assert!(largest(|field| field.contact_stress[0]) > 10.0 && largest(|field| field.granular_temperature) > 1e-3);
    }
}

#[test]
fn a_contact_across_the_seam_is_seen_from_both_sides() {
    let mut scene = Scene::new(Settings { contact_margin: 1e-3, ..settings() });
    scene.world = scene.world.with_period([4.0, 0.0, 0.0]).expect("a box");
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    for (x, speed) in [(0.4, -1.0), (3.41, 1.0)] {
        scene.add(&Definition { linear_velocity: [speed, 0.0, 0.0], ..scene.ball_at([x, 0.0, 0.0]) });
    }
    scene.steps(1);
    let seen = |points: [f64; 3]| fields(&scene.world, &points.map(|x| [x, 0.0, 0.0]), KernelKind::Lucy, 0.3);
    let found = seen([0.1, 3.8, -0.2]);
    assert!(found.iter().all(|field| field.contact_stress[0] < -1.0 && field.density > 0.1), "{found:?}");
    assert_alike(&found, &seen([4.1, -0.2, 3.8]));
    assert_alike(&found, &seen([-7.9, 7.8, -16.2]));
    let error = scene.world.fields(&[[0.0; 3]], KernelKind::Lucy, 9.0, &Serial).expect_err("refused");
    assert!(error.message.contains("expected at most four periods of 4 m"), "{error}");
}

/// So far out that one period more is the same number: one body is still one body.
#[test]
fn a_body_many_periods_away_is_counted_once() {
    let density = |x: f64| {
        let mut scene = Scene::new(settings());
        scene.world = scene.world.with_period([4.0, 0.0, 0.0]).expect("a box");
        scene.ball([x, 0.0, 0.0]);
        fields(&scene.world, &[[0.1, 0.0, 0.0]], KernelKind::Lucy, 0.6).iter().map(|field| field.density).sum::<f64>()
    };
    // 2^60 is a multiple of 4, and the numbers next to it are 256 away.
    assert_eq!(density(0.0), density(2.0f64.powi(60)));
}
