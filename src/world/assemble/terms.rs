//! What the law makes of a contact besides its row.

/// What the law makes of a contact besides its row.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::world) struct Terms {
    /// `phi_0` [m].
    pub(in crate::world) round_off: f64,
    /// `phi` at the start of the present substep [m].
    pub(in crate::world) gap: f64,
    /// The multiplier from which the position pass starts [kg m].
    pub(in crate::world) push: f64,
    /// Whether this substep solves it as an impact.
    pub(in crate::world) rebounds: bool,
    /// Whether it starts from what it carried in the substep before, if it was there: from no impact, and into none.
    pub(in crate::world) resumes: bool,
    /// Whether its bodies touch elsewhere too, so that one can rock on the other.
    pub(in crate::world) rocks: bool,
    /// Whether it was not there in the step before.
    pub(in crate::world) is_new: bool,
}
