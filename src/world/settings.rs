//! The settings of a world, the choices offered in this version, and the options of the solver that follow from them.

mod choices;

use std::fmt::Display;

use crate::error::{Error, Result, finite, in_range, not_negative, positive, text};
use crate::law::{LawSettings, TOUCHING};
use crate::solver::compatibility::{Elastic, Form};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::{Friction, Method as SolverMethod, Options, StickProjection};
use crate::visit::state;
use crate::world::settings::choices::offered;

pub use choices::{
    Compatibility, CompatibleFriction, Diagnostics, ElasticLaw, FrictionLaw, HeaderNames, JointSolver, LocalSolver,
    Method, Projection, SolverKind, Sweep, WarmStart,
};

/// The settings of a world. `dry_settings` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_settings`
pub struct Settings {
    pub method: Method,
    pub solver: SolverKind,
    pub sweep: Sweep,
    pub local_solver: LocalSolver,
    pub warm_start: WarmStart,
    pub friction_law: FrictionLaw,
    pub projection: Projection,
    pub compatibility: Compatibility,
    pub compatible_friction: CompatibleFriction,
    pub iterations: u32,
    pub projection_passes: u32,
    pub position_projection: bool,
    pub sleeping: bool,
    pub require_convergence: bool,
    pub seed: u64,
    pub tolerance: f64,
    pub relaxation: f64,
    pub warm_start_factor: f64,
    pub theta: f64,
    pub compatibility_exponent: f64,
    pub compatibility_tolerance: f64,
    pub tangential_stiffness: f64,
    pub contact_margin: f64,
    pub push_out_velocity: f64,
    pub restitution_threshold: f64,
    pub newton_limit: u32,
    pub substeps: u32,
    pub joint_solver: JointSolver,
    pub joint_aim: bool,
    pub contact_law: ElasticLaw,
    pub diagnostics: Diagnostics,
    pub spook_relaxation: f64,
    pub regularisation: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::Rigid,
            solver: SolverKind::Pgs,
            sweep: Sweep::Colored,
            local_solver: LocalSolver::Block,
            warm_start: WarmStart::History,
            friction_law: FrictionLaw::Coulomb,
            projection: Projection::Auto,
            compatibility: Compatibility::Off,
            compatible_friction: CompatibleFriction::Auto,
            iterations: 0,
            projection_passes: 3,
            position_projection: true,
            sleeping: false,
            require_convergence: false,
            seed: 0,
            tolerance: 0.0,
            relaxation: 1.0,
            warm_start_factor: 1.0,
            theta: 0.5,
            compatibility_exponent: 2.0,
            compatibility_tolerance: 1e-10,
            tangential_stiffness: 2.0 / 7.0,
            contact_margin: 1e-3,
            push_out_velocity: 1.0,
            restitution_threshold: 0.01,
            newton_limit: 10_000,
            substeps: 1,
            joint_solver: JointSolver::Split,
            joint_aim: true,
            contact_law: ElasticLaw::Hertz,
            diagnostics: Diagnostics::default(),
            spook_relaxation: 2.0,
            regularisation: 1e-6,
        }
    }
}

state!(Settings {
    method,
    solver,
    sweep,
    local_solver,
    warm_start,
    friction_law,
    projection,
    compatibility,
    compatible_friction,
    iterations,
    projection_passes,
    position_projection,
    sleeping,
    require_convergence,
    seed,
    tolerance,
    relaxation,
    warm_start_factor,
    theta,
    compatibility_exponent,
    compatibility_tolerance,
    tangential_stiffness,
    contact_margin,
    push_out_velocity,
    restitution_threshold,
    newton_limit,
    substeps,
    joint_solver,
    joint_aim,
    contact_law,
    diagnostics,
    spook_relaxation,
    regularisation,
});

/// The largest number of substeps. A host that needs more should take shorter steps.
const MAX_SUBSTEPS: u32 = 1000;

impl Settings {
    /// Checks that all numbers are in range and that all choices are offered in this version.
    ///
    /// # Errors
    ///
    /// The first setting that is not. The message says what is valid.
    pub fn check(&self) -> Result<()> {
        self.check_ranges()?;
        self.check_offered()
    }

    /// Checks the same of the settings of a solver whose host brings the contacts.
    ///
    /// # Errors
    ///
    /// See [`Settings::check`]. Contacts of the host have no law that gives impulses to start from.
    pub fn check_external(&self) -> Result<()> {
        self.check()?;
        if self.warm_start == WarmStart::Model {
            return Err(Error::unsupported(
                "warm_start is DRY_WARM_MODEL, but own contacts have no model, expected another DRY_WARM_ constant",
            ));
        }
        Ok(())
    }

    /// Returns the input of contact laws, for a substep of length `substep` in a step of length `step` [s].
    pub(in crate::world) fn law(&self, substep: f64, step: f64) -> LawSettings {
        let Self { restitution_threshold, position_projection, push_out_velocity, contact_margin, .. } = *self;
        LawSettings {
            substep,
            step,
            restitution_threshold,
            position_projection,
            push_out_velocity,
            contact_margin,
            elastic_force: self.contact_law.force(),
            relaxation: self.spook_relaxation,
            theta: self.theta,
            regularisation: self.regularisation,
        }
    }

    fn check_ranges(&self) -> Result<()> {
        not_negative("tolerance", self.tolerance)?;
        if self.require_convergence && self.tolerance == 0.0 {
            return Err(Error::argument("tolerance is 0 while require_convergence is 1, expected a tolerance above 0"));
        }
        // The C interface turns 0 into 1 before this check.
        let is_valid = (1..=MAX_SUBSTEPS).contains(&self.substeps);
        let expected = if self.substeps == 0 { "1 to 1000" } else { "at most 1000" };
        in_range("substeps", f64::from(self.substeps), is_valid, expected)?;
        let omega = self.relaxation;
        finite("relaxation", omega)?;
        in_range("relaxation", omega, omega > 0.0 && omega < 2.0, "a number above 0 and below 2")?;
        let beta = self.warm_start_factor;
        not_negative("warm_start_factor", beta)?;
        in_range("warm_start_factor", beta, beta <= 1.0, "a number from 0 to 1")?;
        finite("theta", self.theta)?;
        in_range("theta", self.theta, (0.5..=1.0).contains(&self.theta), "a number from 0.5 to 1")?;
        let p = self.compatibility_exponent;
        finite("compatibility_exponent", p)?;
        in_range("compatibility_exponent", p, p > 1.0, "a number above 1")?;
        positive("compatibility_tolerance", self.compatibility_tolerance)?;
        positive("tangential_stiffness", self.tangential_stiffness)?;
        not_negative("contact_margin", self.contact_margin)?;
        not_negative("push_out_velocity", self.push_out_velocity)?;
        not_negative("restitution_threshold", self.restitution_threshold)?;
        not_negative("spook_relaxation", self.spook_relaxation)?;
        not_negative("regularisation", self.regularisation)
    }

    fn check_offered(&self) -> Result<()> {
        use {FrictionLaw as Law, Projection as Held, SolverKind as Kind};
        offered("method", "METHOD", self.method, &[Method::Rigid, Method::Spook, Method::Theta])?;
        offered(
            "solver",
            "SOLVER",
            self.solver,
            &[Kind::Pgs, Kind::PgsAccelerated, Kind::Newton, Kind::Apgd, Kind::Conic],
        )?;
        offered("local_solver", "LOCAL", self.local_solver, &[LocalSolver::Block])?;
        self.check_model()?;
        offered("friction_law", "FRICTION", self.friction_law, &[Law::Coulomb, Law::Associated, Law::Box])?;
        self.check_conic()?;
        offered("projection", "PROJECTION", self.projection, &[Held::Off, Held::Stick, Held::Auto])
    }

    /// Checks that contacts have a law at their overlap where a step starts from it.
    fn check_model(&self) -> Result<()> {
        if self.warm_start != WarmStart::Model || self.method == Method::Spook {
            return Ok(());
        }
        Err(needs("warm_start is DRY_WARM_MODEL", "method DRY_METHOD_SPOOK", HeaderNames("METHOD", &[self.method])))
    }

    /// Checks that the conic solver has the law whose problems are conic programs.
    fn check_conic(&self) -> Result<()> {
        if self.solver != SolverKind::Conic || self.friction_law == FrictionLaw::Associated {
            return Ok(());
        }
        let law = HeaderNames("FRICTION", &[self.friction_law]);
        Err(needs("solver is DRY_SOLVER_CONIC", "friction_law DRY_FRICTION_ASSOCIATED", law))
    }
}

/// The error of a choice that needs another one.
fn needs(given: &str, needed: &str, found: impl Display) -> Error {
    Error::unsupported(text!("{given}, which needs the {needed}, but that is {found}"))
}

impl Settings {
    /// Returns the law of friction.
    pub fn friction(&self) -> Friction {
        match self.friction_law {
            FrictionLaw::Box => Friction::Box,
            FrictionLaw::Coulomb => Friction::Coulomb,
            FrictionLaw::Associated => Friction::Associated,
        }
    }

    /// Returns whether a step needs its contacts in a list by number: for its method, or for the compatibility correction.
    pub(in crate::world) fn need_list(&self) -> bool {
        self.options().need_list(self.friction()) || self.corrects()
    }

    /// Returns whether steps correct their forces. Those of compliant contacts are unique already.
    pub(in crate::world) fn corrects(&self) -> bool {
        self.compatibility != Compatibility::Off && self.method == Method::Rigid
    }

    /// Returns the parameters of the compatibility correction of a problem over `h` seconds, if there is one.
    pub fn elastic(&self, h: f64) -> Option<Elastic> {
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
            CompatibleFriction::Auto => Form::Auto,
        };
        let (ratio, tolerance) = (self.tangential_stiffness, self.compatibility_tolerance);
        Some(Elastic { exponent, form, ratio, tolerance, closing: self.tolerance, touching: TOUCHING / h })
    }

    /// Returns the options of the solver.
    pub fn options(&self) -> Options {
        let factor = self.warm_start_factor;
        Options {
            method: match self.solver {
                SolverKind::PgsAccelerated => SolverMethod::Accelerated,
                SolverKind::Newton => SolverMethod::Newton { limit: self.newton_limit },
                SolverKind::Apgd => SolverMethod::Apgd,
                SolverKind::Conic => SolverMethod::Conic,
                SolverKind::Pgs => SolverMethod::Pgs,
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
                // The law of contacts writes the normal impulses.
                WarmStart::Model => Start::Normals(factor),
                WarmStart::Off => Start::Zero,
            },
            projection: match (self.projection, self.projection_passes) {
                (Projection::Off, _) | (_, 0) => StickProjection::Off,
                (Projection::Stick, passes) => StickProjection::Always(passes),
                (Projection::Auto, passes) => StickProjection::WhereItPays(passes),
            },
            // The other methods solve rows together with the contacts.
            splits: self.joint_solver == JointSolver::Split
                && matches!(self.solver, SolverKind::Pgs | SolverKind::PgsAccelerated),
        }
    }
}
