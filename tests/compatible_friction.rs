//! The frictional forms of the compatibility correction against independent answers: a conic program for the associated
//! form, soft contacts that come to rest for the elastic one.

#![allow(clippy::expect_used, clippy::panic)] // a test fails by panicking

#[path = "friction/conic.rs"]
mod conic;
#[path = "friction/scenes.rs"]
mod scenes;
#[path = "friction/soft.rs"]
mod soft;

use drystone::solver::Impulse;
use drystone::solver::compatibility::{Elastic, Form};
use scenes::{Random, Scene};

/// Of spheres with Poisson's ratio 1/3 or so.
const RATIO: f64 = 0.8;

fn elastic(form: Form) -> Elastic {
    Elastic { exponent: 2.0, form, ratio: RATIO, tolerance: 1e-12, closing: 1e-9 }
}

/// The largest difference of forces, over the largest force.
fn difference(scene: &Scene, a: &[Impulse], b: &[Impulse]) -> f64 {
    let vector = |impulses: &[Impulse], k: usize| impulses[k].vector(&scene.contacts[k].normal);
    let all = 0..scene.contacts.len();
    let largest = all.clone().map(|k| vector(b, k).norm()).fold(0.0, f64::max);
    all.map(|k| (vector(a, k) - vector(b, k)).norm()).fold(0.0, f64::max) / largest
}

#[test]
fn probe() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let scene = if seed % 2 == 0 {
            Scene::network(&mut random, 4 + 2 * seed as u32)
        } else {
            Scene::wall(&mut random, 1 + seed as u32 / 2, 2)
        };
        let (report, associated) = scene.correct(&elastic(Form::Associated));
        let oracle = conic::solve(&scene, RATIO);
        println!(
            "seed {seed} contacts {} steps {} residual {:.1e} bad {} {} sliding {} unbalance {:.1e} outside {:.1e} given {:.1e} oracle {:.1e} gap {:.1e} defect {:.1e}",
            scene.contacts.len(),
            report.iterations,
            report.residual,
            report.infeasible,
            report.unconverged,
            scene.sliding(&associated),
            scene.unbalance(&associated),
            scene.outside(&associated),
            difference(&scene, &scene.impulses, &oracle.forces),
            difference(&scene, &associated, &oracle.forces),
            oracle.gap,
            oracle.defect
        );
        let (report, found) = scene.correct(&elastic(Form::Elastic));
        let (soft, residual, steps) = soft::relax(&scene, RATIO, 1e-10);
        println!(
            "   elastic steps {} residual {:.1e} bad {} {} {} sliding {} unbalance {:.1e} outside {:.1e} to associated {:.1e} oracle {:.1e} residual {:.1e} steps {}",
            report.iterations,
            report.residual,
            report.infeasible,
            report.unconverged,
            report.associated,
            scene.sliding(&found),
            scene.unbalance(&found),
            scene.outside(&found),
            difference(&scene, &found, &associated),
            difference(&scene, &found, &soft),
            residual,
            steps
        );
    }
}
