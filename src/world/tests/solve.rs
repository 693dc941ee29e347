//! The methods of the solver on worlds that are hard for them.

use super::digest::words::Random;
use super::scene::{STEP, Scene};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::report::{FALLBACK, NOT_CONVERGED};
use crate::world::settings::{FrictionLaw, Projection, SolverKind, WarmStart};
use crate::world::{Report, Settings};

/// Six disks, 3 on a floor, 2 and 1 in their hollows, that move and turn in a plane: balls of 1 kg and 0.5 m. Returns the
/// largest speed after a quarter of a second [m/s].
fn six_disks(settings: Settings, friction: f64) -> f64 {
    let mut scene = Scene::new(settings);
    let material = scene.material(friction, 0.0);
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let mut disks = Vec::new();
    for row in 0..3_u32 {
        for disk in 0..3 - row {
            let x = f64::from(disk) - 0.5 * f64::from(2 - row);
            let place = [x, 0.0, 0.5 + f64::from(row) * 0.75_f64.sqrt()];
            // y and the turns about x and z
            let lock = Lock(2 | 8 | 32);
            disks.push(scene.add(&Definition { material, lock, ..scene.ball_at(place) }));
        }
    }
    (0..60).for_each(|_| _ = scene.world.step(1.0 / 240.0).expect("a step"));
    disks.into_iter().flat_map(|disk| scene.velocity(disk)).fold(0.0, |fastest: f64, v| fastest.max(v.abs()))
}

/// Coulomb's law allows these disks two motions: they may rest, or slide apart at 1 m/s. Newton's method finds that they
/// rest, to the tolerance; the projection refined that into a slide of smaller residual.
#[test]
fn the_projection_leaves_disks_at_rest_that_newton_holds() {
    for tolerance in [1e-6, 1e-8] {
        for friction in [0.4375, 0.475, 0.4775, 0.48, 0.4825, 0.485] {
            let newton = Settings { solver: SolverKind::Newton, tolerance, ..Settings::default() };
            let both = Settings { projection: Projection::Stick, ..newton };
            for settings in [newton, both] {
                let speed = six_disks(settings, friction);
                // a disk moves with the errors of all contacts of 60 steps, 1e-6 m/s each at most; the slide ends at 0.2 m/s
                assert!(speed <= 1e-5, "friction {friction}, {:?}: {speed:e} m/s", settings.projection);
            }
        }
    }
}

/// Newton's method from nothing, and alone.
fn cold_newton(tolerance: f64) -> Settings {
    let solver = SolverKind::Newton;
    Settings { solver, tolerance, warm_start: WarmStart::Off, projection: Projection::Off, ..Settings::default() }
}

/// One step of a wall of bricks in a running bond, which touch each other and two fixed planes at their ends. Masses are random over six
/// decades, velocities up to 0.05 m/s.
fn jammed_wall(seed: u64) -> Report {
    let mut random = Random(seed);
    let mut scene = Scene::new(cold_newton(1e-10));
    let material = scene.material(random.between(0.2, 0.8), 0.0);
    let (columns, layers) = (3 + seed as usize % 4, 3 + seed as usize % 5);
    let width = 0.4 * columns as f64;
    for (normal, offset) in [([0.0, 0.0, 1.0], 0.0), ([1.0, 0.0, 0.0], 0.0), ([-1.0, 0.0, 0.0], -width)] {
        let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a plane")).expect("memory");
        scene.add(&Definition { kind: Kind::Static, shape, material, ..Definition::default() });
    }
    let [brick, half] = [0.2, 0.1]
        .map(|half| scene.world.add_shape(Shape::cuboid([half, 0.1, 0.1]).expect("a brick")).expect("memory"));
    for layer in 0..layers {
        let is_shifted = layer % 2 == 1;
        for place in 0..columns + usize::from(is_shifted) {
            let (shape, x) = match (is_shifted, place) {
                (false, _) => (brick, 0.2 + 0.4 * place as f64),
                (true, 0) => (half, 0.1),
                (true, place) if place == columns => (half, width - 0.1),
                (true, place) => (brick, 0.4 * place as f64),
            };
            let mass = random.between(1e-3_f64.ln(), 1e3_f64.ln()).exp();
            let linear_velocity = [0; 3].map(|_| random.between(-0.05, 0.05));
            let position = [x, 0.0, 0.1 + 0.2 * layer as f64];
            scene.add(&Definition { shape, material, mass, position, linear_velocity, ..Definition::default() });
        }
    }
    scene.world.step(0.005).expect("a step")
}

/// Before smoothed laws led through the kinks such walls took up to 1000 steps. Now of 40 walls up to 1092 contacts
/// none takes more than 187, and none ends above 1e-10 m/s.
#[test]
fn newton_holds_jammed_walls_of_unequal_masses() {
    let mut above = 0;
    for seed in 0..20 {
        let report = jammed_wall(seed);
        assert_eq!(report.residual_max <= 1e-10, report.flags & NOT_CONVERGED == 0, "{seed}: {report:?}");
        above += u32::from(report.residual_max > 1e-10);
    }
    assert!(above <= 4, "{above} of 20");
}

/// 810 spheres of 1 kg and friction 0.5 that came to rest in a basin, one step of 5 ms from nothing.
fn basin(newton: Settings) -> Report {
    let mut random = Random(1);
    let mut scene = Scene::new(Settings::default());
    let material = scene.material(0.5, 0.0);
    for normal in [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, -1.0, 0.0]] {
        let offset = if normal[2] > 0.0 { 0.0 } else { -0.5 };
        let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a plane")).expect("memory");
        scene.add(&Definition { kind: Kind::Static, shape, material, ..Definition::default() });
    }
    let shape = scene.world.add_shape(Shape::sphere(0.05).expect("a sphere")).expect("memory");
    for index in 0..810 {
        let [column, row, layer] = [index % 9, index / 9 % 9, index / 81].map(f64::from);
        let [x, y] = [column, row].map(|place| 0.105 * (place - 4.0) + random.between(-0.003, 0.003));
        let position = [x, y, 0.06 + 0.11 * layer];
        scene.add(&Definition { shape, material, mass: 1.0, position, ..Definition::default() });
    }
    (0..400).for_each(|_| _ = scene.world.step(0.005).expect("a step"));
    scene.world.set_settings(newton).expect("settings");
    scene.world.step(0.005).expect("a step")
}

#[test]
fn newton_takes_a_pile_of_810_spheres() {
    let report = basin(Settings { iterations: 1, ..cold_newton(0.0) });
    assert!(report.contacts > 2000, "{report:?}");
    assert_eq!(report.flags & FALLBACK, 0, "{report:?}");
}

/// Not reached: the aim is 1e-8 m/s. 150 steps end at 5.6e-4 m/s, 400 at 9.9e-6; before smoothed laws another such pile was at 1.7e-4 after 300 and at 9e-5 after 1000.
#[test]
#[ignore = "takes a minute"]
fn how_far_newton_comes_with_a_pile_of_810_spheres() {
    for iterations in [150, 400] {
        let report = basin(Settings { iterations, ..cold_newton(1e-8) });
        println!("{:e} m/s after {} steps, {} s", report.residual_max, report.iterations, report.seconds_solve);
        assert_eq!(report.residual_max <= 1e-8, report.flags & NOT_CONVERGED == 0, "{report:?}");
    }
}

/// 60 capsules of random directions in one place: what is dense is not factored, and sweeps take over.
#[test]
fn newton_leaves_overlapping_bodies_to_sweeps() {
    let mut random = Random(5);
    let mut scene = Scene::new(Settings { iterations: 30, ..cold_newton(0.0) });
    let shape = scene.world.add_shape(Shape::capsule(0.5, 0.5).expect("a capsule")).expect("memory");
    for _ in 0..60 {
        let [position, direction] = [0; 2].map(|_| [0; 3].map(|_| random.between(-0.2, 0.2)));
        let [x, y, z] = direction;
        let length = (x * x + y * y + z * z + 1.0).sqrt();
        let rotation = [x / length, y / length, z / length, 1.0 / length];
        scene.add(&Definition { shape, mass: 1.0, position, rotation, ..Definition::default() });
    }
    let report = scene.world.step(0.005).expect("a step");
    assert!(report.contacts > 1500, "{report:?}");
    assert_eq!((report.flags & FALLBACK, report.iterations), (FALLBACK, 30), "{report:?}");
}

/// Contacts that resist sliding, rolling or turning without bound carry a sliding ball, or the report shows that they
/// do not. Earlier it showed residuals of 1e-8 m/s where nothing held the ball.
#[test]
fn steep_cones_carry_a_ball_or_are_not_converged() {
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd] {
        for coefficient in [1e2, 1e4, 1e8, 1e20] {
            for material in [
                Material { friction: coefficient, ..Material::default() },
                Material { friction: 0.5, rolling_friction: coefficient, ..Material::default() },
                Material { friction: 0.5, twisting_friction: coefficient, ..Material::default() },
            ] {
                let mut scene = Scene::new(Settings { iterations: 100, solver, ..cold_newton(1e-6) });
                let material = scene.world.add_material(material).expect("a material");
                scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
                let (linear_velocity, angular_velocity) = ([1.0, 0.3, 0.0], [0.1, 0.0, 0.7]);
                let ball = scene.ball_at([0.0, 0.0, 0.5]);
                scene.add(&Definition { material, linear_velocity, angular_velocity, ..ball });
                let report = scene.world.step(STEP).expect("a step");
                let force: f64 = scene.world.contacts().map(|contact| contact.normal_force).sum();
                // an error of 1e-6 m/s in a step of 1/128 s, of 1 kg that weighs 10 N
                let is_right = (force - 10.0).abs() <= 1.3e-4;
                assert!(
                    is_right || report.flags & NOT_CONVERGED != 0,
                    "{solver:?} {coefficient:e}: {force} N, {report:?}"
                );
                let is_exact = matches!(solver, SolverKind::Newton) && coefficient <= 1e8;
                assert!(is_right || !is_exact, "{coefficient:e}: {force} N");
            }
        }
    }
}

/// The associated law of a world: a ball that may not turn hits the floor at a slant, and leaves with friction times its sliding speed.
#[test]
fn by_the_associated_law_what_slides_is_lifted() {
    for solver in [SolverKind::Pgs, SolverKind::PgsAccelerated, SolverKind::Newton, SolverKind::Apgd] {
        let friction_law = FrictionLaw::Associated;
        let mut scene =
            Scene::new(Settings { solver, friction_law, position_projection: false, ..Settings::default() });
        let material = scene.material(0.5, 0.0);
        scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
        let lock = Lock(8 | 16 | 32);
        let ball = scene.ball_at([0.0, 0.0, 0.5]);
        let ball = scene.add(&Definition { material, lock, linear_velocity: [3.0, 0.0, 0.0], ..ball });
        let report = scene.world.step(STEP).expect("a step");
        let [x, y, z] = scene.velocity(ball);
        assert!(x > 2.0 && y == 0.0 && z > 0.0, "{solver:?}: {x} {y} {z}");
        // speeds of 3 m/s, and a gap of round-off over the step
        assert!((z - 0.5 * x).abs() <= 1e-12, "{solver:?}: {z} from {x}");
        assert!(report.residual_max <= 1e-12, "{solver:?}: {:e}", report.residual_max);
    }
}

/// The convex step brings the velocities after gravity to the nearest allowed ones, and rest is allowed: it adds no kinetic energy. With a
/// steep cone, what would move along a contact by round-off only is lifted fast.
#[test]
fn by_the_associated_law_boxes_that_turn_gain_no_energy() {
    let mut scene = Scene::new(Settings {
        solver: SolverKind::Newton,
        friction_law: FrictionLaw::Associated,
        projection: Projection::Off,
        tolerance: 1e-7,
        iterations: 1000,
        ..Settings::default()
    });
    let material = scene.material(1e3, 0.0);
    scene.add(&Definition { kind: Kind::Static, shape: scene.plane, material, ..Definition::default() });
    let shape = scene.world.add_shape(Shape::cuboid([0.1; 3]).expect("a box")).expect("memory");
    let sliding = Definition { shape, material, mass: 1.0, linear_velocity: [1.0, 0.3, 0.0], ..Definition::default() };
    let boxes = [0.1, 0.3].map(|height| scene.add(&Definition { position: [0.0, 0.0, height], ..sliding }));
    let kinetic = |scene: &Scene, kick: f64| -> f64 {
        let of = |body: Handle| {
            let state = scene.state(body);
            let ([x, y, z], spin) = (state.linear_velocity, state.angular_velocity);
            let turning = spin.iter().map(|w| w * w).sum::<f64>() * 0.04 / 6.0;
            0.5 * (x * x + y * y + (z - kick) * (z - kick) + turning)
        };
        boxes.iter().map(|body| of(*body)).sum()
    };
    let mut steps = 0;
    for _ in 0..40 {
        let free = kinetic(&scene, 10.0 / 240.0);
        let report = scene.world.step(1.0 / 240.0).expect("a step");
        if report.residual_max > 1e-7 {
            break;
        }
        // two momenta of about 1 kg m/s, times the residual
        assert!(kinetic(&scene, 0.0) <= free + 1e-6, "{steps}: {free} J, then {} J", kinetic(&scene, 0.0));
        steps += 1;
    }
    assert!(steps > 2, "{steps}");
}
