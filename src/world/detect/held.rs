//! Contacts of curves at the places that carried them in the last substep.

use crate::collide::narrow::{ContactPoint, Placed, held_contact};
use crate::error::{Result, push};
use crate::math::Vec3;
use crate::shape::Shape;
use crate::shape::nurbs::CurveContacts;
use crate::world::detect::covered::PairPoints;
use crate::world::detect::fat_bounds::DetectInput;
use crate::world::detect::scene::Scene;
use crate::world::settings::Method;

/// Points closer to each other than this part of the smaller size are the same [-].
const ONE_POINT: f64 = 1e-6;
/// The cosine above which two normals are those of one flat part: 8 degrees.
const FACING: f64 = 0.99;
/// Bodies that sink in deeper than this, over the extent squared and the curvature, touch at the other contacts too [-].
const DEPTH: f64 = 1.0 / 32.0;
/// Of straight sides both ends have contacts, and no minimum moves [1/m].
const STRAIGHT: f64 = 1e-9;
/// A step that does not see a stiffness `K` of an inertia `I` overshoots more and more if `K h^2 / I` is above this.
const OVERSHOOTS: f64 = 4.0;

/// Adds contacts at the two places where a pair with a curve carried most of its load in the last substep. Both bodies must be
/// nearly parallel there. The contacts have the normal of the nearest contact: between smooth surfaces the normals beside a minimum
/// would push along them.
///
/// Only pairs whose minimum would overshoot are held. With others, a body that rolls or that sinks into soft contacts would
/// have contacts behind it.
pub(super) fn add_held(
    scene: &Scene,
    (a, b): (u32, u32),
    [of_a, of_b]: [Placed; 2],
    PairPoints { start, points, workspace }: PairPoints,
) -> Result<()> {
    let is_curve =
        |own: &Placed| matches!(own.shape, Shape::Curve(curve) if curve.source.contacts == CurveContacts::Minima);
    // Surfaces that are nearly parallel have several points.
    if !(is_curve(&of_a) || is_curve(&of_b)) || points.len() < start + 2 {
        return Ok(());
    }
    let (load, places) = scene.input.memory.most_loaded_places(a, b);
    let same = ONE_POINT * f64::min(of_a.shape.size(), of_b.shape.size());
    for local in places.into_iter().flatten() {
        let place = of_a.pose.to_world(&local);
        let Some((found, curvature)) = held_contact(of_a, of_b, &place, scene.proxies.margin, workspace)? else {
            continue;
        };
        let distance = |other: &ContactPoint| (other.point - found.point).norm();
        let extent = points.iter().skip(start).map(distance).fold(0.0, f64::max);
        if !scene.overshoots((a, b), load, curvature, extent) {
            continue;
        }
        let nearest = points.iter().skip(start).min_by(|one, other| distance(one).total_cmp(&distance(other)));
        let Some(nearest) = nearest.filter(|nearest| distance(nearest) > same) else { continue };
        if nearest.normal.dot(&found.normal) >= FACING {
            let held = ContactPoint { normal: nearest.normal, ..found };
            push(points, held, "points of one pair")?;
        }
    }
    Ok(())
}

impl Scene<'_> {
    /// Whether a minimum overshoots: the turning stiffness `N R`, a force over the curvature, is more than one substep follows.
    /// Other contacts at the distance `extent` must not resist the turning. They do if bodies sink in deep enough. `load` is
    /// `N h` [N s].
    fn overshoots(&self, (a, b): (u32, u32), load: f64, curvature: f64, extent: f64) -> bool {
        let DetectInput { bodies, memory, materials, settings, .. } = self.input;
        let turns = |slot: u32| {
            let at = slot as usize;
            bodies.mass[at].world_inverse(&bodies.motion[at].rotation).times(&Vec3::z()).z
        };
        let [of_a, of_b] = [a, b].map(|slot| self.proxies.traits[slot as usize].material as usize);
        let depth = match settings.method {
            Method::Rigid => 0.0,
            Method::Theta => load / (memory.substep * materials.point_stiffness(of_a, of_b)[0]),
            // Its contacts are always soft.
            Method::Spook => f64::INFINITY,
        };
        curvature > STRAIGHT
            && load * memory.substep * (turns(a) + turns(b)) > OVERSHOOTS * curvature
            && depth < DEPTH * curvature * extent * extent
    }
}
