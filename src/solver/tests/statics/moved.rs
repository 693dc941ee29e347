//! Supports that move, by Coulomb's law: beams that slide on their beds.

use super::super::random::{Scene, plain};
use super::{Found, Load, force, planar, soften, solve};
use crate::math::{BodyRow, Impulse, Symmetric3, Vec3};
use crate::solver::problem::{Contact, Friction, OptionalTerms, Velocity};

const MU: f64 = 0.3;

/// A bed below the beam, by its middle, its half width, and its move.
#[derive(Clone, Copy)]
struct Bed {
    middle: f64,
    linear: [f64; 3],
    angular: [f64; 3],
}

fn bed(middle: f64, linear: [f64; 3]) -> Bed {
    Bed { middle, linear, angular: [0.0; 3] }
}

/// A beam of the weight 1 N, 0.5 m high, with its middle at `x = 0`. Beds are 1 m long and 1 m high, and touch it at four corners.
fn beam(beds: &[Bed], is_planar: bool) -> (Scene, Vec<Load>) {
    let mut scene = Scene { friction: Friction::Coulomb, ..Scene::default() };
    let beam =
        if is_planar { planar(&mut scene) } else { scene.body(1.0, Symmetric3::diagonal([1.0; 3]), Velocity::ZERO) };
    for Bed { middle, linear, angular } in beds {
        let body = scene.kinematic(Velocity { linear: Vec3::from(*linear), angular: Vec3::from(*angular) });
        for (along, across) in [(-0.5, -0.25), (-0.5, 0.25), (0.5, -0.25), (0.5, 0.25)] {
            let (arm_a, arm_b) = (Vec3::new(along, 0.5, across), Vec3::new(middle + along, -0.25, across));
            scene.contacts.push(Contact { arm_a, arm_b, friction: MU, ..plain(body, beam, Vec3::y()) });
        }
    }
    let mut loads = vec![Load::ZERO; scene.masses.len()];
    loads[0] = force(0.0, -1.0, 0.0);
    (scene, loads)
}

/// Normal forces of the beds, and their friction on the beam.
fn sums(found: &Found) -> Vec<(f64, Vec3)> {
    let of_bed = |forces: &[Impulse]| {
        (forces.iter().map(|force| force.normal).sum(), forces.iter().map(|force| force.tangential).sum())
    };
    found.forces.contacts.chunks(4).map(of_bed).collect()
}

/// Checks Coulomb's law at each contact: what is pressed does not open, and what slides has its friction against that.
fn check_laws(scene: &Scene, found: &Found, k: f64) {
    let compliance = if k > 0.0 { 1.0 / k } else { 0.0 };
    for (contact, force) in scene.contacts.iter().zip(&found.forces.contacts) {
        let of = |body: BodyRow| found.moves[body.index()];
        let u = contact.relative_velocity(&of(contact.body_a), &of(contact.body_b));
        let u_n = contact.normal.dot(&u);
        let w_n = u_n + compliance * force.normal;
        let w_t = u - u_n * contact.normal + 1.5 * compliance * force.tangential;
        // Laws are obeyed to 1e-11 of the load of 1 N and of the unit of moves of 1e-3 m.
        assert!(w_n >= -1e-13 && w_n.min(force.normal) <= 1e-11, "{w_n:e} {force:?}");
        assert!(force.tangential.norm() <= MU * force.normal + 1e-11, "{force:?}");
        assert!((w_t.dot(&force.tangential) + w_t.norm() * MU * force.normal).abs() <= 1e-13, "{w_t:?} {force:?}");
    }
}

fn solved(beds: &[Bed], is_planar: bool, k: f64) -> Vec<(f64, Vec3)> {
    let (mut scene, loads) = beam(beds, is_planar);
    if k > 0.0 {
        soften(&mut scene, k);
    }
    let found = solve(&scene, &loads, 0.1);
    assert!(found.outcome.is_converged && !found.outcome.is_collapse, "{k:e}: {:?}", found.outcome);
    assert!(!found.outcome.is_associated, "{k:e}: {:?}", found.outcome);
    check_laws(&scene, &found, k);
    sums(&found)
}

/// Rigid beds, and two that are so stiff that a load of 1 N moves them by far less than they are moved.
const STIFFNESSES: [f64; 3] = [0.0, 1e6, 1e9];

/// One bed moves out by 1 mm. Both slide, as they carry the same: each has friction mu W / 2 against the other.
#[test]
fn both_beds_of_a_pulled_beam_have_their_friction() {
    for (is_planar, k) in [true, false].into_iter().flat_map(|is_planar| STIFFNESSES.map(|k| (is_planar, k))) {
        let beds = solved(&[bed(-1.5, [0.0; 3]), bed(1.5, [1e-3, 0.0, 0.0])], is_planar, k);
        for ((normal, friction), sign) in beds.iter().zip([-1.0, 1.0]) {
            assert!((normal - 0.5).abs() <= 1e-10, "{k:e}: {normal}");
            assert!((friction - Vec3::new(0.5 * MU * sign, 0.0, 0.0)).norm() <= 1e-10, "{k:e}: {friction:?}");
        }
    }
}

/// The bed that carries less slides, and the other one follows the beam. Whichever bed is moved.
#[test]
fn the_bed_that_carries_less_slides() {
    let (still, out) = ([0.0; 3], [1e-3, 0.0, 0.0]);
    for (left, right) in [(still, out), ([-1e-3, 0.0, 0.0], still), ([-5e-4, 0.0, 0.0], [5e-4, 0.0, 0.0])] {
        for (is_planar, k) in [true, false].into_iter().flat_map(|is_planar| STIFFNESSES.map(|k| (is_planar, k))) {
            let beds = solved(&[bed(-1.7, left), bed(1.3, right)], is_planar, k);
            assert!(beds[0].0 < 0.48, "{beds:?}");
            let pull = MU * beds[0].0;
            assert!((beds[0].1 + Vec3::new(pull, 0.0, 0.0)).norm() <= 1e-10, "{k:e}: {beds:?}");
            assert!((beds[1].1 - Vec3::new(pull, 0.0, 0.0)).norm() <= 1e-10, "{k:e}: {beds:?}");
        }
    }
}

/// Of three beds the moved one slides, and the others hold the beam together.
#[test]
fn a_beam_on_three_beds_is_held_by_two() {
    for (is_planar, k) in [true, false].into_iter().flat_map(|is_planar| STIFFNESSES.map(|k| (is_planar, k))) {
        let beds = solved(&[bed(-1.5, [0.0; 3]), bed(0.0, [0.0; 3]), bed(1.5, [1e-3, 0.0, 0.0])], is_planar, k);
        // By symmetry outer beds carry the same, and equal springs on a line then all do. The still ones are sheared by the same.
        for ((normal, friction), share) in beds.iter().zip([-0.5, -0.5, 1.0]) {
            assert!((normal - 1.0 / 3.0).abs() <= 1e-7, "{k:e}: {normal}");
            assert!((friction - Vec3::new(share * MU / 3.0, 0.0, 0.0)).norm() <= 1e-7, "{k:e}: {friction:?}");
        }
    }
}

/// Beds that move in all directions and turn, all at once; also where contacts resist rolling and twisting.
#[test]
fn beds_that_lift_and_turn_obey_the_law() {
    let turned = |middle: f64, linear: [f64; 3], angular: [f64; 3]| Bed { middle, linear, angular };
    for beds in [
        [bed(-1.4, [0.0, -1e-3, 1e-3]), bed(1.6, [1e-3, 2e-3, -1e-3])],
        [turned(-1.4, [0.0; 3], [0.0, 2e-3, 0.0]), turned(1.6, [1e-3, 0.0, 0.0], [0.0, -3e-3, 0.0])],
        [turned(-1.4, [0.0; 3], [0.0, 0.0, 1e-3]), turned(1.6, [1e-3, 0.0, 0.0], [5e-4, 0.0, 1e-3])],
    ] {
        for k in STIFFNESSES {
            let normal: f64 = solved(&beds, false, k).iter().map(|(normal, _)| normal).sum();
            assert!((normal - 1.0).abs() <= 1e-10, "{k:e}: {normal}");
            let (mut scene, loads) = beam(&beds, false);
            if k > 0.0 {
                soften(&mut scene, k);
            }
            scene.optional.resize(scene.contacts.len(), OptionalTerms::NONE);
            scene.optional.iter_mut().for_each(|own| (own.rolling, own.twisting) = (0.02, 0.01));
            let found = solve(&scene, &loads, 0.1);
            assert!(found.outcome.is_converged && !found.outcome.is_associated, "{k:e}: {:?}", found.outcome);
            check_laws(&scene, &found, k);
        }
    }
}
