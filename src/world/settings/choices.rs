//! The choices among the settings of a world, and their names in the header.

use std::fmt::{self, Debug, Display, Formatter, Write};

use crate::contact::ElasticForce;
use crate::error::{Error, Result, text};
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
    Method {
        Rigid = 0,
        Spook = 1,
        Theta = 2,
    }
    /// How the force of a compliant contact grows with its overlap.
    ElasticLaw {
        Hertz = 0,
        Hooke = 1,
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

impl ElasticLaw {
    /// Returns the force behind the choice.
    pub fn force(self) -> ElasticForce {
        match self {
            Self::Hertz => ElasticForce::Hertz,
            Self::Hooke => ElasticForce::Hooke,
        }
    }
}

/// What steps measure beyond their residuals, for the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Diagnostics {
    /// The energy ledger.
    pub energy: bool,
    /// The residuals by kind of row.
    pub residuals: bool,
}

state!(Diagnostics { energy, residuals });

/// Checks that a choice is among those that are offered.
///
/// # Errors
///
/// It is not. The message names those that are.
pub(super) fn offered<T: PartialEq + Debug + Copy>(name: &str, family: &str, value: T, offered: &[T]) -> Result<()> {
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
