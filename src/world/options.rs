//! What the settings say to the solver.

use crate::solver::order::Order;
use crate::solver::start::Start;
use crate::solver::{Friction, Method, Options};
use crate::world::settings::{FrictionLaw, Projection, Settings, SolverKind, Sweep, WarmStart};

impl Settings {
    /// The law of friction.
    pub fn friction(&self) -> Friction {
        match self.friction_law {
            FrictionLaw::Box => Friction::Box,
            // The associated one is refused by the settings' check.
            FrictionLaw::Coulomb | FrictionLaw::Associated => Friction::Coulomb,
        }
    }

    /// How to solve.
    pub fn options(&self) -> Options {
        let factor = self.warm_start_factor;
        Options {
            method: match self.solver {
                SolverKind::PgsAccelerated => Method::Accelerated,
                SolverKind::Newton => Method::Newton { limit: self.newton_limit },
                SolverKind::Apgd => Method::Apgd,
                // Conic is refused by the settings' check.
                SolverKind::Pgs | SolverKind::Conic => Method::Pgs,
            },
            order: match self.sweep {
                Sweep::Colored => Order::Colored,
                Sweep::Natural => Order::Natural,
                Sweep::Symmetric => Order::Symmetric,
                Sweep::Random => Order::Random(self.seed),
            },
            iterations: self.iterations,
            tolerance: self.tolerance,
            relaxation: self.relaxation,
            start: match self.warm_start {
                WarmStart::Normals => Start::Normals(factor),
                WarmStart::HistoryNoVelocity => Start::WithoutVelocity(factor),
                WarmStart::Guarded => Start::Guarded,
                WarmStart::History => Start::History(factor),
                // The others are refused by the settings' check.
                WarmStart::Off | WarmStart::Model | WarmStart::Compatible => Start::Zero,
            },
            projection_passes: if self.projection == Projection::Stick { self.projection_passes } else { 0 },
        }
    }
}
