//! Contact laws: how a step sets up a contact for the solver, and how it treats the overlap. One file a law.

mod contact_law;
mod impact;
mod increment;
mod rigid;
mod spook;
mod theta;

#[cfg(test)]
mod tests;

pub use contact_law::{
    Approach, ContactLaw, FrictionEnergy, FrictionMotion, LawSettings, NormalEnergy, NormalMotion, RowCompliance,
    Separation,
};
pub use impact::Impact;
pub use increment::Increment;
pub use rigid::Rigid;
pub use spook::Spook;
pub use theta::Theta;

/// The gap up to which two bodies touch: round-off in `phi`, divided by `h`, must not become a speed [m].
///
/// `reach` is the distance of both bodies from the world's origin plus the size of the pair.
pub fn round_off_gap(reach: f64) -> f64 {
    64.0 * f64::EPSILON * reach
}

/// A contact whose gap is less than this part of its arm counts as closed for the compatibility correction [-]. A pile that comes to rest in
/// its first step keeps gaps of this kind, and which contacts have one depends on the order of the sweeps.
pub const TOUCHING: f64 = 1e-6;
