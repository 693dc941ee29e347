//! What two surfaces are together where they touch: what holds between their materials, and what depends on how round they are.

use crate::contact::material::{Materials, Pair};
use crate::math::lanes::Lanes;
use crate::visit::state;

/// What the two surfaces of a contact are together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Surface {
    /// The pair's coefficient [-].
    pub friction: f64,
    /// Most rolling torque over normal force, `mu_r r*` [m].
    pub rolling: f64,
    /// Most twisting torque over normal force, `mu_tw r*` [m].
    pub twisting: f64,
    /// The pair's restitution [-].
    pub restitution: f64,
    /// The relative stiffness, as the correction uses it.
    pub stiffness: f64,
}

// The stiffness of Hertz' law may be infinite.
state!(unbounded Surface { friction, rolling, twisting, restitution, stiffness });

/// Mixes materials, given by their slots; the last answer is kept, since neighbours tend to be alike.
#[derive(Debug)]
pub struct Mixing<'a> {
    materials: &'a Materials,
    /// Whether contacts are as stiff as Hertz says.
    hertz: bool,
    last: Option<((u32, u32), Mixed)>,
}

/// What holds between two materials.
#[derive(Debug, Clone, Copy)]
pub struct Mixed {
    /// What does not depend on the radii.
    pub pair: Pair,
    /// Hertz' stiffness over the root of the effective radius, if contacts are as stiff as he says and it is that of the moduli [Pa].
    hertz: Option<f64>,
    /// Whether anything depends on how round the surfaces are.
    pub is_round: bool,
}

/// The most torque over normal force with this coefficient of rolling or twisting friction, at a contact with this effective radius;
/// none between two flat places [m].
#[inline(always)]
pub fn most_torque<L: Lanes>(coefficient: L, radius: L) -> L {
    let is_round = L::above(L::splat(f64::INFINITY), radius);
    L::pick(is_round, (coefficient * radius).smaller(L::splat(f64::MAX)), L::splat(0.0))
}

impl<'a> Mixing<'a> {
    /// Of these materials; `hertz`: whether contacts are as stiff as Hertz says.
    pub fn new(materials: &'a Materials, hertz: bool) -> Self {
        Self { materials, hertz, last: None }
    }

    /// What holds between two of them.
    #[inline]
    pub fn of(&mut self, slots: (u32, u32)) -> &Mixed {
        if !matches!(&self.last, Some((known, _)) if *known == slots) {
            self.last = None;
        }
        let Self { materials, hertz, last } = self;
        &last.get_or_insert_with(|| (slots, Mixed::of(materials, slots, *hertz))).1
    }
}

impl Mixed {
    #[cold]
    fn of(materials: &Materials, (a, b): (u32, u32), hertz: bool) -> Self {
        let (first, second) = (a as usize, b as usize);
        let pair = materials.pair(first, second);
        let hertz = materials.hertz(first, second).filter(|_| hertz);
        Self { pair, hertz, is_round: pair.resists_turning() || hertz.is_some() }
    }

    /// The coefficients of rolling and of twisting friction of the pair [-].
    #[inline]
    pub fn turning_coefficients(&self) -> [f64; 2] {
        [self.pair.rolling_friction, self.pair.twisting_friction]
    }

    /// Of a contact with the effective radius `radius` [m]. Between two flat places there is no radius: nothing resists turning, and
    /// the stiffness is that of the pair of materials, as it is where the host said how stiff a pair is.
    #[inline]
    pub fn surface(&self, radius: impl FnOnce() -> f64) -> Surface {
        let Pair { friction, restitution, stiffness, .. } = self.pair;
        let flat = Surface { friction, rolling: 0.0, twisting: 0.0, restitution, stiffness };
        if !self.is_round {
            return flat;
        }
        let (radius, [rolling, twisting]) = (radius(), self.turning_coefficients());
        Surface {
            rolling: most_torque(rolling, radius),
            twisting: most_torque(twisting, radius),
            stiffness: match self.hertz {
                Some(modulus) if radius.is_finite() => modulus * radius.sqrt(),
                _ => stiffness,
            },
            ..flat
        }
    }
}
