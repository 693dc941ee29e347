//! The methods of the solver on worlds that are hard for them.

use super::scene::Scene;
use crate::body::{Definition, Kind, Lock};
use crate::world::Settings;
use crate::world::settings::{Projection, SolverKind};

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
    disks.into_iter().flat_map(|disk| scene.velocity(disk)).fold(0.0, |most: f64, v| most.max(v.abs()))
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
