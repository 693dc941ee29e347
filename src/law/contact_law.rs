//! The trait of contact laws, and the data of a contact that a law receives.

use crate::contact::ElasticForce;
use crate::math::Vec3;
use crate::math::lanes::Lanes;

/// A contact before the solve. In a periodic box body b stands for its nearest image, here and in the structures below: where the periods
/// change, the image moves over the body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// `phi` [m].
    pub gap: f64,
    /// `phi_0`: up to this gap the bodies count as touching [m].
    pub round_off: f64,
    /// `u_n(v)`: the normal velocity at the start of the step, spins included [m/s].
    pub velocity: f64,
    /// `(G vhat)_n`: the same after gravity and applied forces; 0 if the bodies touch [m/s].
    pub kicked_velocity: f64,
    /// `e` [-].
    pub restitution: f64,
    /// `k`: the stiffness of the elastic force, for laws with compliance; otherwise 0. Infinite if a contact is rigid [N/m^1.5 with Hertz, else N/m].
    pub stiffness: f64,
    /// `k_T`: the tangential stiffness, for laws with memory [N/m].
    pub shear_stiffness: f64,
    /// `c`: the damping time of the elastic force, for laws with compliance [s].
    pub damping: f64,
    /// The velocity of b relative to a in the tangent plane at the start of the step, spins and the velocities of surfaces included [m/s].
    pub sliding: Vec3,
    /// The friction on b in the substep before, scaled to the length of this one and turned with the bodies into the
    /// new tangent plane [N s]. It is zero where the contact is new or carried nothing. A law with memory continues
    /// from it; for other laws it is zero.
    pub carried: Vec3,
}

/// A contact at the end of a substep, in lanes.
#[derive(Debug, Clone, Copy)]
pub struct Separation<L: Lanes> {
    /// The gap at the start of the substep; below 0: overlap [m].
    pub gap: L,
    /// The velocity of b relative to a along the normal, at the end of the substep [m/s].
    pub velocity: L,
    /// The overlap that is not undone [m].
    pub left: L,
    /// Whether the bodies touch at several points too, and can rock.
    pub is_multi_point: L::Mask,
    /// `b_n` of the substep [m/s].
    pub bias: L,
    /// `S_n` of the substep [m/s per N s].
    pub compliance: L,
}

/// The normal motion of a contact in a substep, and what it carried.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalMotion {
    /// `phi` at the start [m].
    pub gap: f64,
    /// See [`Approach::round_off`].
    pub round_off: f64,
    /// See [`Approach::stiffness`].
    pub stiffness: f64,
    /// See [`Approach::damping`].
    pub damping: f64,
    /// `u_n` at the start, after the impact stage [m/s].
    pub velocity: f64,
    /// `u_n` at the end [m/s].
    pub velocity_after: f64,
    /// `lambda_n` [N s].
    pub impulse: f64,
}

/// The energy of a contact along its normal [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct NormalEnergy {
    /// Elastic, at the start of the substep.
    pub before: f64,
    /// Elastic, at its end.
    pub after: f64,
    /// Lost in damping.
    pub damped: f64,
}

/// The friction of a contact in a substep, for laws that remember it. Vectors are in the tangent plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionMotion {
    /// See [`Approach::shear_stiffness`].
    pub stiffness: f64,
    /// `lambda_t`, on b [N s].
    pub impulse: Vec3,
    /// `-b_t`: the velocity of b relative to a at which the contact would stick without compliance [m/s].
    pub stick_velocity: Vec3,
    /// The velocity of b relative to a at the start, that of surfaces over their bodies included [m/s].
    pub sliding: Vec3,
    /// The part of both velocities that surfaces have over their bodies [m/s].
    pub belt: Vec3,
    /// The velocity of b relative to a at the end, without that of surfaces [m/s].
    pub velocity_after: Vec3,
}

/// The energy of the friction of a contact [J].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct FrictionEnergy {
    /// Elastic, at the start of the substep.
    pub before: f64,
    /// Elastic, at its end.
    pub after: f64,
    /// Lost in sliding.
    pub slid: f64,
}

/// The data from which a law is made: the substep and settings of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LawSettings {
    /// `h` [s].
    pub substep: f64,
    /// The whole step [s].
    pub step: f64,
    /// Slower approaches do not rebound [m/s].
    pub restitution_threshold: f64,
    /// Whether overlap is undone by the position pass; else through the velocities.
    pub position_projection: bool,
    /// The largest speed at which overlap is undone [m/s].
    pub push_out_velocity: f64,
    /// The largest gap of a contact [m].
    pub contact_margin: f64,
    /// How the force of a compliant contact grows with its overlap.
    pub elastic_force: ElasticForce,
    /// `n_s`: the least number of substeps within which compliant contacts are damped [-].
    pub relaxation: f64,
    /// `theta` [-].
    pub theta: f64,
    /// `gamma`: the speed at which a compliant contact creeps for each newton of friction, and turns for each newton metre [m/(N s)].
    pub regularisation: f64,
}

/// The compliance of the rows of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct RowCompliance {
    /// `S_n` [m/s per N s].
    pub normal: f64,
    /// `S_t`, of friction [m/s per N s].
    pub tangential: f64,
    /// `S_r`, of rolling and twisting [rad/s per N m s].
    pub turning: f64,
}

/// A contact law. It gives the bias `b` and the compliance `S` of each contact. A closed contact then ends a substep with
/// `u_n + S lambda_n + b = 0`.
///
/// [`ContactLaw::bias`], [`ContactLaw::compliance`] and [`ContactLaw::stick_velocity`] are called for one contact at a
/// time. The other methods are called for contacts in lanes or for all contacts.
pub trait ContactLaw: Copy + Send + Sync + std::fmt::Debug {
    /// Whether contacts have compliance. Then the bias, the compliance and the stick velocity are computed for every
    /// contact.
    const IS_COMPLIANT: bool;
    /// Whether a substep begins with an impact stage: a solve by [`Impact`](crate::law::Impact), without forces and without time.
    const HAS_IMPACT_STAGE: bool;
    /// Whether friction continues from its force in the substep before.
    const HAS_FRICTION_MEMORY: bool = false;
    /// Whether the energy ledger counts the losses of its contacts as impact losses.
    const IS_IMPACT: bool = false;
    /// Whether it balances loads without time, so that errors of joints are closed at once.
    const IS_STATIC: bool = false;

    /// Returns the law of a substep.
    fn new(settings: &LawSettings) -> Self;
    /// Returns the speed of approach above which [`ContactLaw::bias`] may differ from [`ContactLaw::bias_without_rebound`] [m/s].
    fn rebounds_above(&self) -> f64;
    /// Returns the normal bias [m/s], and whether the contact rebounds. The next substep does not start from the impulse of a rebound.
    fn bias(&self, approach: &Approach) -> (f64, bool);
    /// Returns the normal bias of contacts that do not rebound [m/s].
    fn bias_without_rebound<L: Lanes>(&self, gap: L, round_off: L) -> L;
    /// Returns the normal bias of a contact across a gap, in an island where another contact rebounds [m/s]. `braked` is its bias if no impact
    /// reaches it, `velocity` is `u_n(v)`, `restitution` is `e`.
    fn bias_across_gap(&self, braked: f64, velocity: f64, restitution: f64) -> f64;
    /// Returns the compliance of the rows.
    fn compliance(&self, approach: &Approach) -> RowCompliance;
    /// Returns the velocity of b relative to a in the tangent plane at which a contact of bodies at rest sticks,
    /// `-b_t` [m/s]. With the compliance `S_t` the contact ends a substep with `u_t + S_t lambda_t + b_t = 0` unless it
    /// slides.
    fn stick_velocity(&self, approach: &Approach) -> Vec3;
    /// Returns the normal impulse that the law gives for the overlap alone, as a start for the solver [N s].
    fn model_impulse(&self, approach: &Approach) -> f64;
    /// Returns the energy of a contact along its normal; laws without compliance have none.
    fn normal_energy(&self, _: &NormalMotion) -> NormalEnergy {
        NormalEnergy::default()
    }
    /// Returns the energy of the friction of a contact, for laws that remember it.
    fn friction_energy(&self, _: &FrictionMotion) -> FrictionEnergy {
        FrictionEnergy::default()
    }
    /// Returns the gap up to which a contact that carried a load still counts as closed [m]. `size` is that of the larger body [m].
    /// `is_one_of_several`: whether the two bodies touch at several points.
    fn touching_gap(&self, size: f64, is_one_of_several: bool) -> f64;
    /// Returns the part of friction and torques that the warm start keeps while the sweeps are far from a solution [-]. It is for bodies that
    /// touch at several points.
    fn friction_factor(&self) -> f64;
    /// Returns whether the position pass undoes overlap.
    fn resolves_overlap(&self) -> bool;
    /// Returns the overlap that the position pass leaves while the sweeps have not converged, where two bodies touch at several points [m].
    /// `residual` is the largest of the island [m/s].
    fn slop(&self, residual: f64) -> f64;
    /// Returns the velocity with which a body moves over a substep, from its velocities `before` and `after` it. It serves angular velocities
    /// too [m/s or rad/s].
    fn drift(&self, before: &Vec3, after: &Vec3) -> Vec3;
    /// Returns how far the position pass opens a contact: the part of the overlap that it undoes, or minus the gap [m].
    fn position_target<L: Lanes>(&self, end: &Separation<L>) -> L;
}
