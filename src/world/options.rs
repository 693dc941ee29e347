//! The options of the solver that follow from the settings.

use crate::solver::compatibility::{Elastic, Form};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::{Friction, Method, Options};
use crate::world::settings::{
    Compatibility, CompatibleFriction, FrictionLaw, Projection, Settings, SolverKind, Sweep, WarmStart,
};

impl Settings {
    /// Returns the law of friction.
    pub fn friction(&self) -> Friction {
        match self.friction_law {
            FrictionLaw::Box => Friction::Box,
            // `Settings::check` rejects the associated law.
            FrictionLaw::Coulomb | FrictionLaw::Associated => Friction::Coulomb,
        }
    }

    /// Returns whether a step needs its contacts in a list by number: for its method, or for the compatibility correction.
    pub(in crate::world) fn need_list(&self) -> bool {
        self.options().need_list(self.friction()) || self.elastic().is_some()
    }

    /// Returns the parameters of the compatibility correction, if there is one.
    pub fn elastic(&self) -> Option<Elastic> {
        let exponent = match self.compatibility {
            Compatibility::Off => return None,
            Compatibility::Hooke => 2.0,
            Compatibility::Hertz => 2.5,
            Compatibility::Power => self.compatibility_exponent,
        };
        let form = match self.compatible_friction {
            CompatibleFriction::Off => Form::Normal,
            CompatibleFriction::Associated => Form::Associated,
            CompatibleFriction::Elastic => Form::Elastic,
        };
        let (ratio, tolerance) = (self.tangential_stiffness, self.compatibility_tolerance);
        Some(Elastic { exponent, form, ratio, tolerance, closing: self.tolerance })
    }

    /// Returns the options of the solver.
    pub fn options(&self) -> Options {
        let factor = self.warm_start_factor;
        Options {
            method: match self.solver {
                SolverKind::PgsAccelerated => Method::Accelerated,
                SolverKind::Newton => Method::Newton { limit: self.newton_limit },
                SolverKind::Apgd => Method::Apgd,
                // `Settings::check` rejects Conic.
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
                WarmStart::History | WarmStart::Compatible => Start::History(factor),
                // `Settings::check` rejects Model.
                WarmStart::Off | WarmStart::Model => Start::Zero,
            },
            projection_passes: if self.projection == Projection::Stick { self.projection_passes } else { 0 },
        }
    }
}
