//! The frictional forms of the compatibility correction against independent answers. These are a conic program for the
//! associated form, soft contacts that come to rest for the elastic one, and numbers by hand.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "friction/conic.rs"]
mod conic;
#[path = "friction/scenes.rs"]
mod scenes;
#[path = "friction/soft.rs"]
mod soft;

use drystone::math::{BodyRow, Vec3, tangents};
use drystone::solver::compatibility::{Corrected, Elastic, Form};
use drystone::solver::{Friction, Impulse};
use scenes::{Random, Scene, contact};

/// Tangential over normal stiffness.
const RATIO: f64 = 0.8;

/// To which resultants are asked to agree: far below what the oracles are compared at.
const TOLERANCE: f64 = 1e-12;

fn elastic(form: Form) -> Elastic {
    Elastic { exponent: 2.0, form, ratio: RATIO, tolerance: TOLERANCE, closing: 1e-9, touching: 0.0 }
}

/// The largest difference of forces, over the largest force.
fn difference(scene: &Scene, a: &[Impulse], b: &[Impulse]) -> f64 {
    let vector = |impulses: &[Impulse], k: usize| impulses[k].vector(&scene.contacts[k].normal);
    let all = 0..scene.contacts.len();
    let largest = all.clone().map(|k| vector(b, k).norm()).fold(0.0, f64::max);
    all.map(|k| (vector(a, k) - vector(b, k)).norm()).fold(0.0, f64::max) / largest
}

/// Corrects and checks what holds for both forms: resultants to the tolerance, cones to round-off.
fn corrected(name: &str, scene: &Scene, elastic: &Elastic) -> (Corrected, Vec<Impulse>) {
    let (report, found) = scene.correct(elastic);
    let (unbalance, outside) = (scene.unbalance(&found), scene.outside(&found));
    println!(
        "{name}, {:?}: {} contacts, {} steps, {} slide, unbalance {unbalance:.1e}, outside {outside:.1e}",
        elastic.form,
        scene.contacts.len(),
        report.iterations,
        scene.sliding(&found)
    );
    assert_eq!((report.infeasible, report.unconverged), (0, 0), "{name}: {report:?}");
    assert_eq!(report.closed as usize, scene.contacts.len(), "{name}");
    // the residual is measured in turns times the longest arm of each body, between 0.5 and 1.8 here, the unbalance in turns
    assert!(report.residual <= elastic.tolerance && unbalance <= 4.0 * elastic.tolerance, "{name}: {unbalance:e}");
    // the products of the tangents and the bound, of some ten operations each
    assert!(outside <= 16.0 * f64::EPSILON, "{name}: {outside:e}");
    (report, found)
}

/// The scenes with a name each.
fn stacks() -> Vec<(String, Scene)> {
    let mut all = Vec::new();
    for seed in 0..8_u32 {
        let random = &mut Random(u64::from(seed));
        let bodies = 4 + 3 * seed;
        all.push((format!("network {seed} of {bodies}"), Scene::network(random, bodies)));
        let layers = 1 + seed / 2;
        all.push((format!("wall {seed} of {layers} layers"), Scene::wall(random, layers, 2)));
    }
    for (friction, push) in [(0.1, 0.0), (0.3, 0.0), (0.1, 0.9), (0.5, 0.9)] {
        all.push((format!("pyramid, friction {friction}, pushed {push}"), Scene::pyramid(5, friction, push)));
    }
    all
}

#[test]
fn associated_forces_are_those_of_a_conic_program() {
    let mut slid = 0;
    for (name, scene) in stacks() {
        let (_, found) = corrected(&name, &scene, &elastic(Form::Associated));
        let oracle = conic::solve(&scene, RATIO);
        let error = difference(&scene, &found, &oracle.forces);
        let moved = difference(&scene, &scene.impulses, &oracle.forces);
        println!("   error {error:.1e}, gap {:.1e}, defect {:.1e}, moved {moved:.1e}", oracle.gap, oracle.defect);
        // the oracle is known a hundred times better than it is compared, and the answer is not what was given
        assert!(oracle.gap <= 1e-10 && oracle.defect <= 1e-10 && moved > 1e-3, "{name}");
        assert!(error <= 1e-8, "{name}: {error:e}");
        slid += scene.sliding(&found);
    }
    assert!(slid > 100, "{slid}");
}

#[test]
fn elastic_forces_are_those_of_soft_contacts_at_rest() {
    let mut scenes: Vec<(String, Scene)> = [1, 3, 5, 7, 11]
        .map(|seed| (format!("wall {seed}"), Scene::wall(&mut Random(seed), 1 + seed as u32 / 2, 2)))
        .into();
    scenes.push(("network 5".into(), Scene::network(&mut Random(5), 6)));
    scenes.extend([0.0, 0.6].map(|push| (format!("pyramid pushed {push}"), Scene::pyramid(5, 0.1, push))));
    let mut largest: f64 = 0.0;
    for (name, scene) in scenes {
        let (_, associated) = corrected(&name, &scene, &elastic(Form::Associated));
        let (report, found) = corrected(&name, &scene, &elastic(Form::Elastic));
        assert_eq!(report.associated, 0, "{name}");
        let (oracle, residual, steps) = soft::relax(&scene, RATIO, (1e-10, 200_000));
        let (error, apart) = (difference(&scene, &found, &oracle), difference(&scene, &associated, &oracle));
        println!("   error {error:.1e}, at rest to {residual:.1e} in {steps} steps, from associated {apart:.1e}");
        assert!(residual <= 1e-10, "{name}: the oracle did not come to rest: {residual:e}");
        assert!(error <= 1e-7, "{name}: {error:e}");
        largest = largest.max(apart);
    }
    // the two forms are not one and the same here
    assert!(largest > 1e-2, "{largest}");
}

/// Three supports under a beam that can shift along x and turn in the plane. Normal forces follow from balance: 1/2, 1,
/// 3/2. All have the same shear, so friction is the least of one `s` and 0.4 of the normal force, and 0.9 in sum. The
/// first slides at 0.2, the others carry 0.35 each. The associated form slides too, but presses itself apart.
#[test]
fn sliding_at_one_of_three_supports() {
    let mut scene = Scene::default();
    let body = scene.body();
    scene.masses[0].linear.y = 0.0;
    scene.masses[0].angular.entries = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    for (x, normal) in [(-1.0, 0.5), (0.0, 1.0), (1.0, 1.5)] {
        let arm = Vec3::new(x, 0.0, -0.5);
        let impulse = Impulse::force(normal, 0.3 * normal * Vec3::x());
        scene.add(contact(BodyRow::NONE, body, Vec3::z(), [arm, arm], 0.4), impulse, 1.0);
    }
    let (report, found) = scene.correct(&elastic(Form::Elastic));
    assert_eq!((report.infeasible, report.unconverged, report.associated), (0, 0, 0));
    for (found, (normal, friction)) in found.iter().zip([(0.5, 0.2), (1.0, 0.35), (1.5, 0.35)]) {
        // the tolerance on resultants of norm 3, and a condition number of some ten
        assert!((found.normal - normal).abs() <= 100.0 * TOLERANCE, "{found:?}");
        assert!((found.tangential - friction * Vec3::x()).norm() <= 100.0 * TOLERANCE, "{found:?}");
    }
    let (_, associated) = scene.correct(&elastic(Form::Associated));
    // its first support still slides
    assert!((associated[0].tangential.norm() - 0.4 * associated[0].normal).abs() <= 1e-15);
    assert!(difference(&scene, &associated, &found) > 1e-3, "{associated:?}");
}

#[test]
fn pyramids_of_all_sizes_and_frictions() {
    for (base, friction) in [3, 5, 10].into_iter().flat_map(|base| [0.1, 0.3, 0.5].map(|friction| (base, friction))) {
        for push in [0.0, 0.6] {
            let scene = Scene::pyramid(base, friction, push);
            let name = format!("pyramid {base}, friction {friction}, pushed {push}");
            let (_, associated) = corrected(&name, &scene, &elastic(Form::Associated));
            let (report, found) = corrected(&name, &scene, &elastic(Form::Elastic));
            assert_eq!(report.associated, 0, "{name}");
            println!("   forms apart by {:.1e}", difference(&scene, &found, &associated));
            if scene.sliding(&associated) == 0 {
                assert_eq!(found, associated, "{name}: nothing slides");
            }
        }
    }
}

#[test]
fn forms_agree_where_nothing_slides() {
    for exponent in [2.0, 2.5, 1.5, 4.0] {
        let scene = Scene::pyramid(3, 2.0, 0.05).loaded();
        let of = |form| corrected("pyramid", &scene, &Elastic { exponent, ..elastic(form) }).1;
        let (associated, found) = (of(Form::Associated), of(Form::Elastic));
        assert_eq!(scene.sliding(&associated), 0);
        assert_eq!(found, associated, "p {exponent}");
    }
}

/// All of a box's friction points along x and is half of its weight, and its cones allow 0.3.
#[test]
fn friction_beyond_what_cones_can_carry_is_infeasible() {
    let scene =
        Scene::on_corners(0.3, [1.0, 2.0, 3.0, 4.0].map(|normal| Impulse::force(normal, 0.5 * normal * Vec3::x())));
    for form in [Form::Associated, Form::Elastic] {
        for exponent in [2.0, 2.5, 1.5] {
            let (report, found) = scene.correct(&Elastic { exponent, ..elastic(form) });
            println!("{form:?} p {exponent}: {report:?}");
            assert_eq!((report.infeasible, report.unconverged, report.associated), (1, 0, 0));
            assert_eq!(found, scene.impulses);
        }
    }
}

/// A box that hangs on its corners, in every form.
#[test]
fn tension_is_infeasible() {
    let scene = Scene::on_corners(0.3, [-1.0, -1.0, -2.0, 0.5].map(|normal| Impulse::force(normal, Vec3::zeros())));
    for form in [Form::Normal, Form::Associated, Form::Elastic] {
        for exponent in [2.0, 2.5, 1.5] {
            let (report, found) = scene.correct(&Elastic { exponent, ..elastic(form) });
            assert_eq!((report.infeasible, report.unconverged), (1, 0), "{form:?} p {exponent}: {report:?}");
            assert_eq!(found, scene.impulses);
        }
    }
}

/// A box that slides has all of its friction on the cones, and so its load on the edge of what they carry. Friction is
/// then 0.3 of the normal forces, and these follow from balance and elasticity. They are 3 and 7 left and right, 5 and
/// 5 in front and behind, so 1.5 and 3.5 each.
#[test]
fn a_sliding_box() {
    let impulses = [1.0, 2.0, 4.0, 3.0].map(|normal| Impulse::force(normal, 0.3 * normal * Vec3::x()));
    let scene = Scene::on_corners(0.3, impulses);
    for form in [Form::Associated, Form::Elastic] {
        let (report, found) = corrected("sliding box", &scene, &elastic(form));
        assert_eq!(report.associated, 0);
        for (found, normal) in found.iter().zip([1.5, 1.5, 3.5, 3.5]) {
            // at the edge the direction of friction is known to the root of the tolerance, 1e-6, and what depends on it
            assert!((found.normal - normal).abs() <= 1e-5, "{found:?}");
            assert!((found.tangential - 0.3 * normal * Vec3::x()).norm() <= 1e-5, "{found:?}");
        }
    }
}

/// Rows bounded along each tangent allow friction up to the root of 2 times the cone's. Where all of a body's contacts
/// use it, no forces on cones have the same sum. Where others can help, some have.
#[test]
fn box_friction_beyond_the_cone() {
    let (t1, t2) = tangents(&Vec3::z());
    let corner = |share: f64| Impulse::force(1.0, 0.3 * share * (t1 + t2));
    let mut scene = Scene::on_corners(0.3, [1.0; 4].map(corner));
    scene.friction = Friction::Box;
    for form in [Form::Associated, Form::Elastic] {
        let (report, found) = scene.correct(&elastic(form));
        assert_eq!((report.infeasible, report.beyond), (1, 4), "{form:?} {report:?}");
        assert_eq!(found, scene.impulses);
    }
    // in the mean half of the rows' bound, 0.71 of the cone's
    let mut scene = Scene::on_corners(0.3, [1.0, 0.0, 0.0, 1.0].map(corner));
    scene.friction = Friction::Box;
    for form in [Form::Associated, Form::Elastic] {
        let (report, _) = corrected("box", &scene, &elastic(form));
        assert_eq!((report.beyond, report.associated), (0, 0), "{form:?} {report:?}");
    }
}

/// Impulses up to twice their cones'. Where others with the same resultants are on the cones, they are found. Otherwise
/// the island is reported as infeasible and left alone. An interior point method agrees which it is.
#[test]
fn impulses_beyond_their_cones_are_redistributed_or_infeasible() {
    let mut counts = [0; 2];
    for seed in 0..40 {
        let random = &mut Random(seed);
        let mut scene = Scene::wall(random, 1 + seed as u32 % 3, 2);
        let factor = random.between(1.0, 2.0);
        scene.impulses.iter_mut().for_each(|impulse| impulse.tangential *= factor);
        let feasible = conic::is_feasible(&scene, RATIO);
        let (report, found) = scene.correct(&elastic(Form::Associated));
        println!("{seed}: times {factor:.2}, {feasible}, {} steps, {:.1e}", report.iterations, report.residual);
        assert_eq!((report.infeasible, report.unconverged), (u32::from(!feasible), 0), "{seed}");
        assert_eq!(found == scene.impulses, !feasible);
        counts[usize::from(feasible)] += 1;
    }
    assert!(counts.iter().all(|count| *count > 4), "{counts:?}");
}

/// A network and a pyramid pushed hard: soft contacts do not come to rest under these loads. The associated answer
/// stands, and the report counts the island.
#[test]
fn where_no_elastic_form_is_found_the_associated_one_stands() {
    for scene in [Scene::network(&mut Random(2), 6), Scene::pyramid(5, 0.1, 0.9)] {
        let (_, residual, _) = soft::relax(&scene, RATIO, (1e-4, 10_000));
        println!("soft contacts are at rest to {residual:.1e}");
        assert!(residual > 1e-4);
        let (_, associated) = corrected("", &scene, &elastic(Form::Associated));
        let (report, found) = corrected("", &scene, &elastic(Form::Elastic));
        assert_eq!(report.associated, 1);
        assert_eq!(found, associated);
    }
}
