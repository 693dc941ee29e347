//! The broad phase: updates the list of neighbours where bodies left their fat bounds.

use crate::body::{Bodies, Kind};
use crate::collide::{Filter, Neighbours, Pairs, ProxySource};
use crate::error::Result;
use crate::math::{Aabb, Period, Vec3};
use crate::world::detect::fat_bounds::{DetectInput, Extent, FatSphere, ROUND_OFF};
use crate::world::detect::proxies::{PosedProxy, Proxies};
use crate::world::detect::seams::Seams;

/// Updates the proxies of all bodies, and the neighbours of bodies whose fat bounds changed. After a failure the next
/// step rebuilds all proxies.
pub(super) fn update_neighbours(
    input: &DetectInput,
    proxies: &mut Proxies,
    seams: &mut Seams,
    (neighbours, pairs): (&mut Neighbours, &mut Pairs),
) -> Result<()> {
    let is_kept = proxies.update(input)?;
    seams.update(input, proxies, is_kept)?;
    if !is_kept || neighbours.needs_rebuild(proxies.moved.len()) {
        (0..proxies.traits.len() as u32).for_each(|slot| proxies.update_fat_bounds(input, slot));
        neighbours.rebuild(&FatBounds { proxies, input }, pairs)?;
    } else if !proxies.moved.is_empty() {
        (0..proxies.moved.len()).for_each(|at| proxies.update_fat_bounds(input, proxies.moved[at]));
        let bounds = FatBounds { proxies, input };
        neighbours.update(&bounds, &proxies.moved, pairs)?;
    }
    proxies.is_complete = true;
    Ok(())
}

/// The fat bounds of all bodies, from which the list of neighbours is made.
struct FatBounds<'a> {
    proxies: &'a Proxies,
    input: &'a DetectInput<'a>,
}

impl FatBounds<'_> {
    /// Returns whether two spheres can touch while both stay in their fat bounds.
    fn can_touch(&self, a: usize, b: usize) -> bool {
        let Proxies { fat_spheres, spheres, margin, period, .. } = self.proxies;
        let mut arm = fat_spheres[b].center - fat_spheres[a].center;
        if !period.is_open() {
            arm = period.nearest(&arm);
        }
        let reach = spheres[a].radius + spheres[b].radius + fat_spheres[a].skin + fat_spheres[b].skin + margin;
        arm.norm_squared() <= (reach * reach) * (1.0 + ROUND_OFF)
    }
}

impl ProxySource for FatBounds<'_> {
    fn slots(&self) -> usize {
        self.proxies.traits.len()
    }

    fn bounds(&self, slot: u32) -> Option<Aabb> {
        let proxies = self.proxies;
        let at = slot as usize;
        let traits = proxies.traits[at];
        match proxies.posed(slot) {
            None if !traits.exists() => None,
            None => {
                let FatSphere { center, skin } = &proxies.fat_spheres[at];
                let reach = proxies.spheres[at].radius + skin + 0.5 * proxies.margin;
                // The round-off of a position is in proportion to its size.
                let reach = center.abs() * (4.0 * f64::EPSILON) + Vec3::repeat(reach * (1.0 + ROUND_OFF));
                Some(Aabb { lower: center - reach, upper: center + reach })
            }
            Some(PosedProxy { fat: Extent::Bounds(bounds), .. }) => Some(*bounds),
            Some(_) => None,
        }
    }

    fn unbounded(&self) -> &[u32] {
        &self.proxies.unbounded
    }

    fn period(&self) -> Period {
        self.proxies.period
    }

    fn admits(&self, one: u32, other: u32) -> bool {
        let proxies = self.proxies;
        let reaches =
            |plane: &Extent, slot: u32| self.bounds(slot).is_some_and(|bounds| plane.reaches(&bounds, proxies.margin));
        let is_near = match (proxies.posed(one), proxies.posed(other)) {
            (None, None) => self.can_touch(one as usize, other as usize),
            (Some(PosedProxy { fat: plane @ Extent::Below { .. }, .. }), _) => reaches(plane, other),
            (_, Some(PosedProxy { fat: plane @ Extent::Below { .. }, .. })) => reaches(plane, one),
            _ => true,
        };
        let DetectInput { bodies, sleep, .. } = self.input;
        is_near
            && !sleep.is_settled_while_asleep(bodies, one, other)
            && filter(bodies, one).admits(&filter(bodies, other))
    }
}

/// Returns the collision filter of the body in `slot`.
pub(super) fn filter(bodies: &Bodies, slot: u32) -> Filter {
    let traits = &bodies.traits[slot as usize];
    Filter {
        moves: traits.kind == Kind::Dynamic,
        category: traits.filter_category,
        mask: traits.filter_mask,
        group: traits.filter_group,
    }
}
