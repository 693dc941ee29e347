//! The settings of a world, the choices offered in this version, and the options of the solver that follow from them.

use std::fmt::{self, Debug, Display, Formatter, Write};

use crate::error::{Error, Result, finite, in_range, not_negative, positive, text};
use crate::law::{LawSettings, TOUCHING};
use crate::solver::compatibility::{Elastic, Form};
use crate::solver::problem::order::Order;
use crate::solver::problem::start::Start;
use crate::solver::{Friction, Method, Options, StickProjection};
use crate::visit::{state, state_choice};

// The enumerations of `dry_settings` in the C interface document each choice.
macro_rules! choices {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $value:literal),+ $(,)? })+) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
        #[allow(missing_docs)]
        pub enum $name { $($variant = $value),+ }

        impl $name {
            /// Returns the choice with this number, if there is one.
            pub fn from_number(number: u32) -> Option<Self> {
                match number { $($value => Some(Self::$variant),)+ _ => None }
            }
        }

        state_choice!($name { $($variant),+ });
    )+ };
}

choices! {
    /// How contacts act on bodies; `dry_method` in C.
    ContactLaw {
        Rigid = 0,
        Spook = 1,
        Theta = 2,
    }
    /// How the contact problem is solved.
    SolverKind {
        Pgs = 0,
        PgsAccelerated = 1,
        Newton = 2,
        Apgd = 3,
        Conic = 4,
    }
    /// The order in which a sweep visits the contacts.
    Sweep {
        Colored = 0,
        Natural = 1,
        Symmetric = 2,
        Random = 3,
    }
    /// How one contact is solved.
    LocalSolver {
        Block = 0,
        Rows = 1,
    }
    /// Where a step's impulses start.
    WarmStart {
        Off = 0,
        History = 1,
        Model = 2,
        Normals = 3,
        HistoryNoVelocity = 4,
        Guarded = 5,
        Compatible = 6,
    }
    /// The law of friction.
    FrictionLaw {
        Coulomb = 0,
        Associated = 1,
        Box = 2,
    }
    /// What follows the sweeps.
    Projection {
        Off = 0,
        Stick = 1,
        Auto = 2,
    }
    /// The elastic law behind the compatibility correction.
    Compatibility {
        Off = 0,
        Hooke = 1,
        Hertz = 2,
        Power = 3,
    }
    /// What the compatibility correction does with friction.
    CompatibleFriction {
        Off = 0,
        Associated = 1,
        Elastic = 2,
        Auto = 3,
    }
    /// How rows without bounds, those of joints, are solved.
    JointSolver {
        Split = 0,
        Rows = 1,
    }
}

/// The settings of a world. `dry_settings` of the C interface documents each member.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)] // documented once, at `dry_settings`
pub struct Settings {
    pub method: ContactLaw,
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
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: ContactLaw::Rigid,
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

    /// Returns what contact laws are made from, in a substep of this length of a step of this length [s].
    pub(in crate::world) fn law(&self, substep: f64, step: f64) -> LawSettings {
        let Self { restitution_threshold, position_projection, push_out_velocity, contact_margin, .. } = *self;
        LawSettings { substep, step, restitution_threshold, position_projection, push_out_velocity, contact_margin }
    }

    fn check_ranges(&self) -> Result<()> {
        not_negative("tolerance", self.tolerance)?;
        if self.require_convergence && self.tolerance == 0.0 {
            return Err(Error::argument("tolerance is 0 while require_convergence is 1, expected a tolerance above 0"));
        }
        // 0 never comes from C, where it means 1.
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
        not_negative("restitution_threshold", self.restitution_threshold)
    }

    fn check_offered(&self) -> Result<()> {
        use {FrictionLaw as Law, Projection as Held, SolverKind as Kind, WarmStart as Warm};
        offered("method", "METHOD", self.method, &[ContactLaw::Rigid])?;
        offered("solver", "SOLVER", self.solver, &[Kind::Pgs, Kind::PgsAccelerated, Kind::Newton, Kind::Apgd])?;
        offered("local_solver", "LOCAL", self.local_solver, &[LocalSolver::Block])?;
        let starts =
            [Warm::Off, Warm::History, Warm::Normals, Warm::HistoryNoVelocity, Warm::Guarded, Warm::Compatible];
        offered("warm_start", "WARM", self.warm_start, &starts)?;
        offered("friction_law", "FRICTION", self.friction_law, &[Law::Coulomb, Law::Associated, Law::Box])?;
        offered("projection", "PROJECTION", self.projection, &[Held::Off, Held::Stick, Held::Auto])
    }
}

fn offered<T: PartialEq + Debug + Copy>(name: &str, family: &str, value: T, offered: &[T]) -> Result<()> {
    if offered.contains(&value) {
        return Ok(());
    }
    let (value, choices) = (HeaderNames(family, &[value]), HeaderNames(family, offered));
    Err(Error::unsupported(text!("{name} is {value}, which is not offered in this version, expected {choices}")))
}

/// The names of some choices of a family in the header: `PgsAccelerated` of the family `SOLVER` is `DRY_SOLVER_PGS_ACCELERATED`.
pub struct HeaderNames<'a, T>(pub &'a str, pub &'a [T]);

impl<T: Debug> Display for HeaderNames<'_, T> {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let Self(family, choices) = self;
        for (index, choice) in choices.iter().enumerate() {
            write!(formatter, "{}DRY_{family}", if index == 0 { "" } else { ", " })?;
            write!(UpperCase(formatter), "{choice:?}")?;
        }
        Ok(())
    }
}

/// Writes what is in camel case in upper case, with underscores.
struct UpperCase<'a, 'b>(&'a mut Formatter<'b>);

impl Write for UpperCase<'_, '_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for letter in part.chars() {
            if letter.is_uppercase() {
                self.0.write_char('_')?;
            }
            self.0.write_char(letter.to_ascii_uppercase())?;
        }
        Ok(())
    }
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

    /// Returns whether steps correct their forces.
    pub(in crate::world) fn corrects(&self) -> bool {
        self.compatibility != Compatibility::Off
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
