//! Contacts of curves at the places that carried them in the last step.

use crate::collide::narrow::{ContactPoint, Placed, held_contact};
use crate::error::{Result, push};
use crate::shape::Shape;
use crate::shape::nurbs::CurveContacts;
use crate::world::detect::covered::PairPoints;
use crate::world::detect::scene::Scene;

/// Points closer to each other than this part of the size of the pair are the same [-].
const ONE_POINT: f64 = 1e-6;
/// The cosine above which two normals are those of one flat part: 8 degrees.
const FACING: f64 = 0.99;

/// Adds contacts at the two places where a pair with a curve carried most of its load in the last step, if the two bodies are
/// nearly parallel there. They have the normal of the nearest contact: between smooth surfaces the normals beside a minimum
/// would push along them.
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
    let same = ONE_POINT * f64::min(of_a.shape.size(), of_b.shape.size());
    for local in scene.input.memory.most_loaded_places(a, b).into_iter().flatten() {
        let place = of_a.pose.to_world(&local);
        let Some(found) = held_contact(of_a, of_b, &place, scene.proxies.margin, workspace)? else { continue };
        let distance = |other: &ContactPoint| (other.point - found.point).norm();
        let nearest = points.iter().skip(start).min_by(|one, other| distance(one).total_cmp(&distance(other)));
        let Some(nearest) = nearest.filter(|nearest| distance(nearest) > same) else { continue };
        if nearest.normal.dot(&found.normal) >= FACING {
            let held = ContactPoint { normal: nearest.normal, ..found };
            push(points, held, "points of one pair")?;
        }
    }
    Ok(())
}
