//! What two surfaces are together where they touch: what holds between their materials, and what depends on how round they are.

use crate::contact::ElasticForce;
use crate::contact::material::{Materials, Pair, within_numbers};
use crate::error::{Result, text};
use crate::math::lanes::Lanes;
use crate::visit::{Reader, State, StateVisitor, format_error, state};

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
    /// As the [`StiffnessLaw`] has it.
    pub stiffness: f64,
}

/// From what the stiffness of contacts follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StiffnessLaw {
    /// The materials: it is relative to other pairs, as the compatibility correction uses it.
    Materials,
    /// The materials and the radii, as Hertz says; still relative.
    RelativeHertz,
    /// The same, absolute: that of the elastic force of compliant contacts [N/m^1.5 by Hertz, N/m by Hooke].
    Elastic(ElasticForce),
    /// What the materials give for a contact point, absolute; infinite where it is rigid [N/m].
    Points,
}

impl State for StiffnessLaw {
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.byte(match self {
            Self::Materials => 0,
            Self::RelativeHertz => 1,
            Self::Elastic(ElasticForce::Hertz) => 2,
            Self::Elastic(ElasticForce::Hooke) => 3,
            Self::Points => 4,
        });
    }

    fn read(reader: &mut Reader) -> Result<Self> {
        match reader.byte()? {
            0 => Ok(Self::Materials),
            1 => Ok(Self::RelativeHertz),
            2 => Ok(Self::Elastic(ElasticForce::Hertz)),
            3 => Ok(Self::Elastic(ElasticForce::Hooke)),
            4 => Ok(Self::Points),
            number => Err(format_error(text!("a law of stiffness is {number}, expected 0 to 4"))),
        }
    }
}

// The stiffness of Hertz' law may be infinite.
state!(unbounded Surface { friction, rolling, twisting, restitution, stiffness });

/// Mixes materials, given by their slots; the last answer is kept, since neighbours tend to be alike.
#[derive(Debug)]
pub struct Mixing<'a> {
    materials: &'a Materials,
    stiffness_law: StiffnessLaw,
    last: Option<((u32, u32), Mixed)>,
}

/// What holds between two materials.
#[derive(Debug, Clone, Copy)]
pub struct Mixed {
    /// What does not depend on the radii.
    pub pair: Pair,
    /// The stiffness as a multiple of a power of the effective radius, where it depends on that.
    round: Option<RoundStiffness>,
    /// Whether it is absolute, so that flat contacts need it too.
    is_absolute: bool,
    /// Whether anything depends on how round the surfaces are.
    pub is_round: bool,
}

/// A stiffness that depends on the effective radius.
#[derive(Debug, Clone, Copy)]
enum RoundStiffness {
    /// This times the root of the radius [Pa].
    Hertz(f64),
    /// This times the radius [Pa].
    Hooke(f64),
}

impl RoundStiffness {
    fn at(self, radius: f64) -> f64 {
        match self {
            Self::Hertz(modulus) => modulus * radius.sqrt(),
            Self::Hooke(modulus) => modulus * radius,
        }
    }
}

/// The most torque over normal force with this coefficient of rolling or twisting friction, at a contact with this effective radius;
/// none between two flat places [m].
#[inline(always)]
pub fn max_torque<L: Lanes>(coefficient: L, radius: L) -> L {
    let is_round = L::above(L::splat(f64::INFINITY), radius);
    L::select(is_round, (coefficient * radius).smaller(L::splat(f64::MAX)), L::splat(0.0))
}

impl<'a> Mixing<'a> {
    /// Of these materials, whose contacts are as stiff as this law says.
    pub fn new(materials: &'a Materials, stiffness_law: StiffnessLaw) -> Self {
        Self { materials, stiffness_law, last: None }
    }

    /// What holds between two of them.
    #[inline]
    pub fn of(&mut self, slots: (u32, u32)) -> &Mixed {
        if !matches!(&self.last, Some((known, _)) if *known == slots) {
            self.last = None;
        }
        let Self { materials, stiffness_law, last } = self;
        &last.get_or_insert_with(|| (slots, Mixed::of(materials, slots, *stiffness_law))).1
    }
}

impl Mixed {
    #[cold]
    fn of(materials: &Materials, (a, b): (u32, u32), stiffness_law: StiffnessLaw) -> Self {
        let (first, second) = (a as usize, b as usize);
        let mut pair = materials.pair(first, second);
        let compliance = materials.effective_compliance(first, second);
        let hertz = || RoundStiffness::Hertz(within_numbers(4.0 / 3.0 / compliance));
        let is_absolute = matches!(stiffness_law, StiffnessLaw::Elastic(_));
        let round = match stiffness_law {
            StiffnessLaw::Materials => None,
            StiffnessLaw::RelativeHertz => (!materials.is_stiffness_given(first, second)).then(hertz),
            StiffnessLaw::Elastic(force) => {
                pair.stiffness = pair.contact_stiffness;
                let round = match force {
                    ElasticForce::Hertz => hertz(),
                    ElasticForce::Hooke => RoundStiffness::Hooke(within_numbers(1.0 / compliance)),
                };
                (pair.contact_stiffness == 0.0).then_some(round)
            }
            StiffnessLaw::Points => {
                [pair.stiffness, pair.tangential_stiffness] = materials.point_stiffness(first, second);
                None
            }
        };
        Self { pair, round, is_absolute, is_round: pair.resists_turning() || round.is_some() }
    }

    /// The coefficients of rolling and of twisting friction of the pair [-].
    #[inline]
    pub fn turning_coefficients(&self) -> [f64; 2] {
        [self.pair.rolling_friction, self.pair.twisting_friction]
    }

    /// Returns the surface of a contact with the effective radius `radius` [m]. Between two flat places there is no
    /// radius. Nothing then resists turning, and the stiffness is that of the pair of materials. The latter also holds
    /// where the host gave a stiffness for the pair. An absolute stiffness between flat places uses the size of the
    /// smaller body as the radius. `sizes` are those of the bodies [m].
    #[inline]
    pub fn surface(&self, radius: impl FnOnce() -> f64, sizes: [f64; 2]) -> Surface {
        let Pair { friction, restitution, stiffness, .. } = self.pair;
        let flat = Surface { friction, rolling: 0.0, twisting: 0.0, restitution, stiffness };
        if !self.is_round {
            return flat;
        }
        let (radius, [rolling, twisting]) = (radius(), self.turning_coefficients());
        Surface {
            rolling: max_torque(rolling, radius),
            twisting: max_torque(twisting, radius),
            stiffness: self.stiffness(radius, sizes),
            ..flat
        }
    }

    /// The stiffness of [`Mixed::surface`].
    #[inline]
    pub fn stiffness(&self, radius: f64, sizes: [f64; 2]) -> f64 {
        match self.round {
            Some(round) if radius.is_finite() => round.at(radius),
            Some(round) if self.is_absolute => round.at(smaller_size(sizes)),
            _ => self.pair.stiffness,
        }
    }
}

/// Returns the smaller of the radii of two bounding spheres; what has none is not counted, and 1 m stands for two of that kind [m].
fn smaller_size(sizes: [f64; 2]) -> f64 {
    let of = |size: f64| if size > 0.0 { size } else { f64::INFINITY };
    let smaller = of(sizes[0]).min(of(sizes[1]));
    if smaller.is_finite() { smaller } else { 1.0 }
}
