//! Parts of loads and motions, and walls that a force moves.

use super::{STATIC, Scene, close, floor, settings};
use crate::body::{Definition, Kind, Lock};
use crate::contact::material::Material;
use crate::id::Handle;
use crate::shape::Shape;
use crate::world::settings::FrictionLaw;
use crate::world::{ContactReport, Settings, StaticDefinition};

/// A plate of 20 N that moves along z alone is pressed on a ball of 10 N: both contacts have 1e4 N/m.
#[test]
fn a_wall_moves_to_where_its_force_is_carried() {
    let mut scene = Scene::new(Settings { friction_law: FrictionLaw::Coulomb, ..settings() });
    let material = floor(&mut scene, Material { normal_stiffness: 2e4, ..Material::default() });
    let ball = Definition { material, ..scene.ball_at([0.0, 0.0, 0.5]) };
    let ball = scene.add(&ball);
    let shape = scene.world.add_shape(Shape::cuboid([1.0, 1.0, 0.1]).expect("a box")).expect("memory");
    let plate = Definition { shape, material, mass: 2.0, position: [0.0, 0.0, 1.1], ..Definition::default() };
    let plate = scene.add(&Definition { lock: Lock(0b111_011), ..plate });
    // Loads are totals: the second increment has nothing to do, and the last one takes the force away.
    for press in [7.0, 7.0, 14.0, 0.0] {
        scene.world.add_force(plate, [0.0, 0.0, -press], None).expect("a force");
        let report = scene.world.solve_static(&STATIC, &mut []).expect("an increment");
        assert!(report.is_converged && !report.is_collapse, "{report:?}");
        let (above, below) = (20.0 + press, 30.0 + press);
        // Statics balances to 1e-10 of the load, which are 1e-13 m.
        close(scene.state(ball).position, [0.0, 0.0, 0.5 - 1e-4 * below], 1e-12);
        close(scene.state(plate).position, [0.0, 0.0, 1.1 - 1e-4 * (below + above)], 1e-12);
        close(scene.force(plate), [0.0, 0.0, above], 1e-8);
    }
}

/// What moves a ball into a corner, and how often: a force, or a plate above it.
#[derive(Clone, Copy)]
enum Drive {
    Force([f64; 3]),
    Plate([f64; 3]),
}

/// Drives a ball, which does not turn, into the corner of a floor and a wall, in equal parts. Its normals and arms stay. Returns its place and
/// the contacts.
fn in_corner(law: FrictionLaw, friction: f64, drive: Drive, parts: u32) -> ([f64; 3], Vec<ContactReport>) {
    let mut scene = Scene::new(Settings { friction_law: law, ..settings() });
    scene.world.set_gravity([0.0; 3]).expect("gravity");
    let material = floor(&mut scene, Material { normal_stiffness: 2e4, friction, ..Material::default() });
    let mut plane = |kind: Kind, normal: [f64; 3], offset: f64, linear_velocity: [f64; 3]| {
        let shape = scene.world.add_shape(Shape::half_space(normal, offset).expect("a plane")).expect("memory");
        scene.add(&Definition { kind, shape, material, linear_velocity, ..Definition::default() })
    };
    plane(Kind::Static, [1.0, 0.0, 0.0], -0.5, [0.0; 3]);
    if let Drive::Plate(velocity) = drive {
        plane(Kind::Kinematic, [0.0, 0.0, -1.0], -1.0, velocity);
    }
    let ball = Definition { material, lock: Lock(0b111_000), ..scene.ball_at([0.0, 0.0, 0.5]) };
    let ball: Handle = scene.add(&ball);
    let share = 1.0 / f64::from(parts);
    for part in 1..=parts {
        if let Drive::Force(force) = drive {
            scene.world.add_force(ball, force.map(|x| share * f64::from(part) * x), None).expect("a force");
        }
        let definition = StaticDefinition { increment: share, ..STATIC };
        let report = scene.world.solve_static(&definition, &mut []).expect("an increment");
        assert!(report.is_converged && !report.is_associated, "{law:?} {friction}: {report:?}");
    }
    (scene.state(ball).position, scene.world.contacts().collect())
}

fn slides(contact: &ContactReport) -> bool {
    let [x, y, z] = contact.friction_force;
    let across = (x * x + y * y + z * z).sqrt();
    across >= (1.0 - 1e-9) * contact.friction * contact.normal_force
}

/// One increment and four of a quarter each: by Coulomb's law forces grow in proportion from touch on, sliding or not. By the associated law
/// that holds only where nothing slides, because dilation stays as a gap.
#[test]
fn four_increments_are_one_of_the_whole() {
    let (force, plate) = (Drive::Force([-9.0, 2.0, -10.0]), Drive::Plate([-2e-3, 4e-4, -4e-3]));
    for (law, friction, drive, are_sliding) in [
        (FrictionLaw::Associated, 0.9, force, 0),
        (FrictionLaw::Coulomb, 0.9, force, 0),
        (FrictionLaw::Coulomb, 0.5, force, 2),
        (FrictionLaw::Associated, 3.0, plate, 0),
        (FrictionLaw::Coulomb, 3.0, plate, 0),
        (FrictionLaw::Coulomb, 0.5, plate, 1),
    ] {
        let [(place, contacts), (place_of_four, contacts_of_four)] =
            [1, 4].map(|parts| in_corner(law, friction, drive, parts));
        assert_eq!(contacts.iter().filter(|contact| slides(contact)).count(), are_sliding, "{law:?} {friction}");
        // Forces are balanced to 1e-10 of some 20 N, and springs have 1e4 N/m.
        close(place, place_of_four, 1e-12);
        assert_eq!(contacts.len(), contacts_of_four.len());
        for (one, four) in contacts.iter().zip(&contacts_of_four) {
            assert!((one.normal_force - four.normal_force).abs() <= 1e-8, "{law:?} {friction}: {one:?} {four:?}");
            close(one.friction_force, four.friction_force, 1e-8);
        }
    }
}

#[test]
fn dilation_of_one_increment_is_a_gap_in_the_next() {
    let [(place, _), (place_of_four, _)] =
        [1, 4].map(|parts| in_corner(FrictionLaw::Associated, 0.5, Drive::Force([-9.0, 2.0, -10.0]), parts));
    // The ball moves by 1e-3 m, and its wall slides: 6e-5 m are not round-off.
    assert!((place[2] - place_of_four[2]).abs() > 1e-6, "{place:?} {place_of_four:?}");
}

/// A beam of 10 N on two rigid beds, of which one is pulled out by 1 mm, in one part or in four. Both beds slide, and the beam does
/// not lift. Each bed has the friction 0.3 x 5 N.
#[test]
fn beds_that_slide_below_a_pulled_beam_have_their_friction() {
    for (law, parts) in [(FrictionLaw::Coulomb, 1), (FrictionLaw::Coulomb, 4), (FrictionLaw::Associated, 1)] {
        let mut scene = Scene::new(Settings { friction_law: law, contact_margin: 0.05, ..settings() });
        let material = scene.world.add_material(Material { friction: 0.3, ..Material::default() }).expect("a material");
        let shape = scene.world.add_shape(Shape::cuboid([0.5, 0.25, 0.5]).expect("a box")).expect("memory");
        let beds = [(-1.5, 0.0), (1.5, 1e-3)].map(|(x, speed)| {
            let bed = Definition {
                kind: Kind::Kinematic,
                shape,
                material,
                position: [x, 0.0, -0.5],
                ..Definition::default()
            };
            scene.add(&Definition { linear_velocity: [speed, 0.0, 0.0], ..bed })
        });
        let shape = scene.world.add_shape(Shape::cuboid([2.0, 0.25, 0.25]).expect("a box")).expect("memory");
        let beam = Definition { shape, material, mass: 1.0, position: [0.0, 0.0, 0.25], ..Definition::default() };
        let beam = scene.add(&beam);
        for _ in 0..parts {
            let definition = StaticDefinition { increment: 1.0 / f64::from(parts), ..STATIC };
            let report = scene.world.solve_static(&definition, &mut []).expect("an increment");
            assert!(report.is_converged && !report.is_associated && !report.is_collapse, "{law:?}: {report:?}");
            // By the associated law what slides by half a millimetre lifts by 0.3 of that.
            let lift = if law == FrictionLaw::Associated { 1.5e-4 } else { 0.0 };
            assert!((scene.state(beam).position[2] - 0.25 - lift).abs() <= 1e-12, "{law:?}: {:?}", scene.state(beam));
            for (bed, sign) in beds.into_iter().zip([1.0, -1.0]) {
                // Where the beam lies after a part, the beds carry 5 N up to the part 1e-3 of it.
                close(scene.force(bed), [1.5 * sign, 0.0, -5.0], if parts == 1 { 1e-8 } else { 1e-2 });
            }
        }
    }
}
