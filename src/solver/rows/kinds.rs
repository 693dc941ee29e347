//! Which contacts are central and which are general, told from their numbers in every solve.

use crate::math::lanes::Wide;
use crate::solver::order::Pair;
use crate::solver::problem::Contact;
use crate::solver::rows::{CENTRAL, GENERAL};
use crate::solver::wide::central;

/// Of which kind a contact is.
#[inline(always)]
pub(super) fn kind_of(contact: &Contact, pair: Pair, bodies: &[Wide]) -> u32 {
    if central::is_central(contact, pair, bodies) { CENTRAL } else { GENERAL }
}
