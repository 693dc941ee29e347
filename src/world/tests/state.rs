//! The world as a whole: what it is made with, and what replaces it.

use super::scene::{STEP, Scene};
use crate::contact::material::{Material, Pair};
use crate::error::ErrorKind;
use crate::id::Handle;
use crate::world::settings::LocalSolver;
use crate::world::{Settings, World};

#[test]
fn a_refused_change_changes_nothing() {
    let bad = Settings { relaxation: 2.0, ..Settings::default() };
    assert_eq!(World::new(bad, [0.0; 3]).expect_err("relaxation").kind, ErrorKind::Argument);
    assert_eq!(World::new(Settings::default(), [f64::NAN; 3]).expect_err("gravity").kind, ErrorKind::NotFinite);
    let mut world = World::new(Settings::default(), [0.0; 3]).expect("a world");
    let before = world.hash();
    assert_eq!(world.set_settings(bad).expect_err("relaxation").kind, ErrorKind::Argument);
    let unknown = Settings { local_solver: LocalSolver::Rows, ..Settings::default() };
    assert_eq!(world.set_settings(unknown).expect_err("not offered").kind, ErrorKind::Unsupported);
    assert_eq!(world.set_gravity([0.0, f64::INFINITY, 0.0]).expect_err("gravity").kind, ErrorKind::NotFinite);
    assert!(world.add_material(Material { density: 0.0, ..Material::default() }).is_err());
    let pair = Pair { restitution: 2.0, ..Pair::default() };
    assert!(world.set_material_pair(Handle::NULL, Handle::NULL, pair).is_err());
    assert!(world.set_material_pair(Handle(77), Handle::NULL, Pair::default()).is_err());
    assert_eq!((world.hash(), *world.settings()), (before, Settings::default()));
}

#[test]
fn gravity_can_change() {
    let mut scene = Scene::new(Settings::default());
    let ball = scene.ball([0.0; 3]);
    scene.world.set_gravity([0.0, 16.0, 0.0]).expect("gravity");
    scene.steps(1);
    assert_eq!(scene.velocity(ball), [0.0, 16.0 * STEP, 0.0]);
}

#[test]
fn an_empty_world_steps() {
    let mut world = World::new(Settings::default(), [0.0, 0.0, -10.0]).expect("a world");
    let report = world.step(STEP).expect("a step");
    assert_eq!((report.bodies, report.contacts, report.islands, report.residual_max), (0, 0, 0, 0.0));
    assert_eq!((world.contact_count(), world.energy()), (0, Ok((0.0, 0.0))));
}
