//! Contact laws. A law sets the bias and the compliance of a contact for the solver, and decides how overlap is undone.
//!
//! Each law is a file that implements [`ContactLaw`]: `rigid`, `spook` and `theta` for the contact stage, `impact` for the impact stage,
//! `increment` for statics.

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

/// Returns the gap up to which two bodies count as touching [m]. Otherwise the round-off of `phi`, divided by `h`, would become a speed.
///
/// `reach` is the distance of both bodies from the world's origin plus the size of the pair.
pub fn round_off_gap(reach: f64) -> f64 {
    64.0 * f64::EPSILON * reach
}

/// A contact whose gap is less than this part of its arm counts as closed for the compatibility correction [-]. A pile that comes to rest in
/// its first step keeps gaps of this size. The order of the sweeps decides which contacts have one.
pub const TOUCHING: f64 = 1e-6;
