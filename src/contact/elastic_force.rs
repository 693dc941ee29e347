//! How the elastic force of a contact grows with its overlap.

/// How the force of a contact grows with its overlap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ElasticForce {
    /// `k delta^(3/2)`: round bodies.
    Hertz,
    /// `k delta`.
    Hooke,
}

impl ElasticForce {
    /// Returns `e`: the energy of a contact is `k delta^(2e) / (2e)`.
    pub fn exponent(self) -> f64 {
        match self {
            Self::Hertz => 1.25,
            Self::Hooke => 1.0,
        }
    }

    /// Returns `delta^(2e-2)`.
    #[inline(always)]
    pub fn slope(self, overlap: f64) -> f64 {
        match self {
            Self::Hertz => overlap.sqrt(),
            Self::Hooke => 1.0,
        }
    }

    /// Returns the elastic force of a contact of this stiffness [N]. It is 0 for an infinite one: such a contact is rigid.
    #[inline(always)]
    pub fn force(self, stiffness: f64, overlap: f64) -> f64 {
        if stiffness == f64::INFINITY {
            return 0.0;
        }
        stiffness * overlap * self.slope(overlap)
    }

    /// Returns the energy of a contact of this stiffness [J].
    #[inline(always)]
    pub fn energy(self, stiffness: f64, overlap: f64) -> f64 {
        self.force(stiffness, overlap) * overlap / (2.0 * self.exponent())
    }
}
