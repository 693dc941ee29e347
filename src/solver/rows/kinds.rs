//! Which contacts are central and which are general, told from their numbers in every solve.

use crate::math::lanes::Wide;
use crate::solver::order::Pair;
use crate::solver::problem::Contact;
use crate::solver::rows::{CENTRAL, GENERAL};
use crate::solver::wide::{Given, central, general, lines};

/// What is found among the contacts of one kind: some resist turning, ...
pub(super) const TURNING: u32 = 1;
/// ... some central ones have an extra, ...
pub(super) const EXTRA: u32 = 2;
/// ... some general ones, ...
pub(super) const GENERAL_EXTRA: u32 = 4;
/// ... and some are of the other kind.
pub(super) const CHANGED: u32 = 8;

/// Of which kind a contact is.
#[inline(always)]
pub(super) fn kind_of(contact: &Contact, pair: Pair, bodies: &[Wide]) -> u32 {
    if central::is_central(contact, pair, bodies) { CENTRAL } else { GENERAL }
}

/// What is found of a contact of this `kind`.
#[inline(always)]
pub(super) fn found_of(contact: &Contact, kind: u32, given: &Given) -> u32 {
    let pair = [contact.body_a, contact.body_b].map(|body| lines::place(body, given.bodies));
    let turning = if contact.cone().resists_turning() { TURNING } else { 0 };
    let extra = match kind {
        CENTRAL if central::has_extra(contact, pair, given.problem) => EXTRA,
        GENERAL if general::has_extra(contact) => GENERAL_EXTRA,
        _ => 0,
    };
    turning | extra
}
