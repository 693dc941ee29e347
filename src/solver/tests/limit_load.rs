//! Limit loads against closed forms and published ones.

use super::random::{Scene, plain};
use super::statics::{force, limit, planar};
use crate::math::{BodyRow, Vec3};
use crate::solver::problem::{Contact, Friction};
use crate::solver::statics::*;

/// A semicircular arch of the radius 1 and the thickness t, of n true sectors, and its weights and centres.
fn arch(n: usize, t: f64, mu: f64) -> (Scene, Vec<f64>) {
    let mut scene = Scene { friction: Friction::Associated, ..Scene::default() };
    let half = std::f64::consts::PI / n as f64 / 2.0;
    let [inner, outer] = [1.0 - 0.5 * t, 1.0 + 0.5 * t];
    let area = half * (outer * outer - inner * inner);
    let radius = 2.0 / 3.0 * half.sin() / half * (outer.powi(3) - inner.powi(3)) / (outer.powi(2) - inner.powi(2));
    let at = |radius: f64, angle: f64| Vec3::new(radius * angle.cos(), radius * angle.sin(), 0.0);
    let bodies: Vec<BodyRow> = (0..n).map(|_| planar(&mut scene)).collect();
    let centre = |body: usize| at(radius, (2 * body + 1) as f64 * half);
    for joint in 0..=n {
        let angle = 2.0 * joint as f64 * half;
        let normal = Vec3::new(-angle.sin(), angle.cos(), 0.0);
        for radius in [inner, outer] {
            let point = at(radius, angle);
            let (a, arm_a) = if joint > 0 { (bodies[joint - 1], point - centre(joint - 1)) } else { (BodyRow::NONE, point) };
            let (b, arm_b) = if joint < n { (bodies[joint], point - centre(joint)) } else { (BodyRow::NONE, point) };
            scene.contacts.push(Contact { arm_a, arm_b, friction: mu, ..plain(a, b, normal) });
        }
    }
    (scene, vec![area; n])
}

fn shake(n: usize, t: f64, mu: f64) -> LimitOutcome {
    let (scene, weights) = arch(n, t, mu);
    let loads: Vec<Load> = weights.iter().map(|w| force(0.0, -w, 0.0)).collect();
    let unit: Vec<Load> = weights.iter().map(|w| force(*w, 0.0, 0.0)).collect();
    limit(&scene, &loads, &unit)
}

#[test]
fn arches_fall_at_the_known_accelerations_and_loads() {
    for (mu, acceleration, load) in [(1e3, 0.286785, 0.432761), (0.5, 0.200604, 0.378868)] {
        let outcome = shake(16, 0.2, mu);
        println!("{outcome:?} {:e}", outcome.factor - acceleration);
        let (scene, weights) = arch(16, 0.2, mu);
        let loads: Vec<Load> = weights.iter().map(|w| force(0.0, -w, 0.0)).collect();
        let mut unit = vec![Load::ZERO; 16];
        unit[4] = force(0.0, -1.0, 0.0);
        let outcome = limit(&scene, &loads, &unit);
        println!("{outcome:?} {:e}", outcome.factor - load);
    }
}

/// The least thickness that carries the own weight, by halving.
fn least(n: usize, mu: f64) -> f64 {
    let (mut low, mut high) = (0.05, 0.3);
    while high - low > 1e-9 {
        let middle = 0.5 * (low + high);
        if shake(n, middle, mu).is_collapse { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

#[test]
fn arches_need_the_known_thickness() {
    for (n, mu, known) in [
        (8, 1e3, 0.100861), (16, 1e3, 0.107237), (20, 1e3, 0.107460), (64, 1e3, 0.107394), (64, 0.40, 0.107394),
        (64, 0.39, 0.112066), (64, 0.36, 0.141284), (64, 0.33, 0.173973), (64, 0.312, 0.195061),
    ] {
        let found = least(n, mu);
        println!("{n} {mu}: {found:.9} {:e}", found - known);
    }
}
