//! The elastic form by explicit soft contacts: bodies that fall into place under a load, damped until nothing moves.
//!
//! A spring along the normal, a spring with a slider across it, displacements so small that normals and arms stay. The time
//! and the masses have no meaning: each direction of a body has the mass at which a time step of 1 is stable. Nothing here
//! knows matrices or derivatives.

use drystone::math::{BodyRow, Vec3};
use drystone::solver::Impulse;

use crate::scenes::Scene;

/// Part of the stable time step that is taken.
const TIME: f64 = 0.7;

/// Displacement and turn of every body.
type State = Vec<[Vec3; 2]>;

/// Forces at rest, how far the resultants are from those of the scene's impulses relative to them, and the steps taken.
pub(crate) fn relax(scene: &Scene, ratio: f64, (enough, max_steps): (f64, u32)) -> (Vec<Impulse>, f64, u32) {
    let load = scene.resultants(&scene.impulses);
    let whole = size(&load);
    let masses = masses(scene, ratio);
    let nothing: State = vec![[Vec3::zeros(); 2]; load.len()];
    let (mut place, mut motion) = (nothing.clone(), nothing);
    // of Bitzek et al. 2006, Structural relaxation made simple: as long as forces work, motion turns towards them
    let (mut time, mut steer, mut downhill) = (TIME, 0.1, 0);
    let mut forces = Vec::new();
    let mut residual = 1.0;
    for step in 0..max_steps {
        forces = contact_forces(scene, ratio, &place);
        let sums = scene.resultants(&forces);
        let pull: State = sums.iter().zip(&load).map(|(sum, load)| [sum[0] - load[0], sum[1] - load[1]]).collect();
        residual = size(&pull) / whole;
        if residual <= enough {
            return (forces, residual, step);
        }
        let work: f64 = flat(&pull).zip(flat(&motion)).map(|(f, v)| f.dot(v)).sum();
        if work > 0.0 {
            downhill += 1;
            if downhill > 5 {
                time = (1.1 * time).min(TIME);
                steer *= 0.99;
            }
        } else {
            motion.iter_mut().flatten().for_each(|v| *v = Vec3::zeros());
            (downhill, steer) = (0, 0.1);
            time = (0.5 * time).max(0.1 * TIME);
        }
        let accelerations: State = pull.iter().zip(&masses).map(|(f, m)| [f[0] / m[0], f[1] / m[1]]).collect();
        // directions are compared with the masses as the metric
        let speed = metric(&motion, &masses);
        let strength = metric(&accelerations, &masses);
        for ((place, motion), push) in place.iter_mut().zip(&mut motion).zip(&accelerations) {
            for k in 0..2 {
                motion[k] += time * push[k];
                if strength > 0.0 {
                    motion[k] = (1.0 - steer) * motion[k] + steer * speed / strength * push[k];
                }
                place[k] += time * motion[k];
            }
        }
    }
    (forces, residual, max_steps)
}

/// Normal force by the compression, friction by the shear up to its bound.
fn contact_forces(scene: &Scene, ratio: f64, place: &State) -> Vec<Impulse> {
    let at = |body: BodyRow, arm: &Vec3| {
        if body == BodyRow::NONE { Vec3::zeros() } else { place[body][0] + place[body][1].cross(arm) }
    };
    let force = |(contact, stiffness): (&drystone::solver::Contact, &f64)| {
        let apart = at(contact.body_b, &contact.arm_b) - at(contact.body_a, &contact.arm_a);
        let opening = contact.normal.dot(&apart);
        let shear = opening * contact.normal - apart;
        let normal = stiffness * (-opening).max(0.0);
        let spring = ratio * stiffness * shear;
        let bound = contact.friction * normal;
        let friction = if spring.norm() > bound { bound * shear.normalize() } else { spring };
        Impulse::force(normal, friction)
    };
    scene.contacts.iter().zip(&scene.stiffness).map(force).collect()
}

/// Above the sums of the magnitudes of all stiffness that reaches a body's displacement, and its turn.
fn masses(scene: &Scene, ratio: f64) -> Vec<[f64; 2]> {
    let mut masses = vec![[1e-9; 2]; scene.masses.len()];
    for (contact, stiffness) in scene.contacts.iter().zip(&scene.stiffness) {
        let stiffness = stiffness * ratio.max(1.0);
        let (arm_a, arm_b) = (contact.arm_a.norm(), contact.arm_b.norm());
        let reach = |body: BodyRow, arm: f64| if body == BodyRow::NONE { 0.0 } else { 1.0 + arm };
        let all = reach(contact.body_a, arm_a) + reach(contact.body_b, arm_b);
        for (body, arm) in [(contact.body_a, arm_a), (contact.body_b, arm_b)] {
            if body != BodyRow::NONE {
                masses[body][0] += stiffness * all;
                masses[body][1] += stiffness * all * arm.max(1e-3);
            }
        }
    }
    masses
}

fn flat(state: &State) -> impl Iterator<Item = &Vec3> {
    state.iter().flatten()
}

fn size(state: &State) -> f64 {
    flat(state).map(|v| v.norm_squared()).sum::<f64>().sqrt()
}

fn metric(state: &State, masses: &[[f64; 2]]) -> f64 {
    let all = state.iter().flatten().zip(masses.iter().flatten());
    all.map(|(v, m)| m * v.norm_squared()).sum::<f64>().sqrt()
}
