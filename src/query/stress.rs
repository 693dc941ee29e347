//! The mean stress that the contacts in a box carry.

use crate::contact::{ContactState, ContactView};
use crate::error::{Error, Result, all_finite, in_range};
use crate::math::{Mat3, Vec3};

/// A box of world axes over which stress is averaged. It holds its lower faces and not its upper ones, so that boxes
/// side by side count no contact twice and lose none.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region {
    lower: Vec3,
    upper: Vec3,
    volume: f64,
}

impl Region {
    /// From corners that are finite, the lower one below the upper one in every component, with a volume that a number
    /// can hold without loss of accuracy.
    pub fn new(lower: [f64; 3], upper: [f64; 3]) -> Result<Self> {
        all_finite("lower", &lower)?;
        all_finite("upper", &upper)?;
        for (axis, (low, high)) in lower.iter().zip(upper).enumerate() {
            if *low >= high {
                let message = format!("lower[{axis}] is {low}, expected a number below upper[{axis}], which is {high}");
                return Err(Error::argument(message));
            }
        }
        let (lower, upper) = (Vec3::from(lower), Vec3::from(upper));
        let volume = (upper - lower).product();
        in_range("the volume between lower and upper", volume, volume.is_normal(), "2.3e-308 to 1.7e308 m^3")?;
        Ok(Self { lower, upper, volume })
    }

    fn holds(&self, point: &Vec3) -> bool {
        (0..3).all(|axis| self.lower[axis] <= point[axis] && point[axis] < self.upper[axis])
    }
}

/// `-1/V sum l (x) f` over the contacts whose points lie in the region, row by row: `stress[3 i + j]` sums `l_i f_j`
/// [Pa]. `f` is the force on body b averaged over the step, whose length in seconds comes with the contact; `l` is the branch vector from
/// the centre of mass of body a to that of body b. Tension is positive.
///
/// On the side of a body that is not `movable` the branch ends at the contact point: a wall or a floor has no centre that
/// means anything to the grains beside it. Every movable body then adds `1/V sum r (x) f` of the forces on itself, `r`
/// from its centre of mass, and for bodies that rest without weight all these together are `1/V sum x (x) t` of the
/// forces `t` that the walls exert on them at the points `x`, wherever the origin lies.
pub fn mean_stress(
    region: &Region,
    contacts: impl Iterator<Item = (ContactView, ContactState, f64)>,
    movable: impl Fn(u32) -> bool,
) -> Result<[f64; 9]> {
    let arm = |body: u32, arm: &Vec3| if movable(body) { *arm } else { Vec3::zeros() };
    let mut sum = Mat3::zeros();
    for (touch, load, step) in contacts.filter(|(touch, ..)| region.holds(&touch.spot.point)) {
        // The branch is arm_a - arm_b; turned round it takes the minus of the definition.
        let against_branch = arm(touch.body_b, &touch.spot.arm_b) - arm(touch.body_a, &touch.spot.arm_a);
        // The compatible impulses are the solver's own without a correction.
        let impulse_on_b = load.compatible_normal * touch.spot.normal + load.compatible_friction;
        sum += against_branch * (impulse_on_b / step).transpose();
    }
    let stress = std::array::from_fn(|entry| sum[(entry / 3, entry % 3)] / region.volume);
    all_finite("stress", &stress)?;
    Ok(stress)
}
