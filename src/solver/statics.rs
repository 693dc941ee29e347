//! Statics of given contacts: forces and displacements that balance a load, and limit loads, [N] section 4.4.
//!
//! ```text
//! balance     G^T f + F = 0
//! contacts    f in the cones,  w = G d + phi + C f in their dual cones,  w . f = 0        (associated law)
//! ```
//!
//! `f` are forces [N], `d` displacements of bodies (moves, in names of the code) [m, rad], `phi` gaps [m] and `C`
//! compliances [m/N]. The contacts and rows are
//! those of a [`Problem`], read as follows:
//!
//! | member | meaning here |
//! |---|---|
//! | `masses` | in which directions a body can move: those with an inverse mass above zero. Its value does not matter |
//! | `velocities` | prescribed displacements of bodies without inverse mass, such as driven walls [m, rad]; others are ignored |
//! | `normal_bias` | `phi`, negative where bodies overlap [m] |
//! | compliances | `1/k` [m/N], of rolling and twisting [rad/(N m)]; 0: rigid |
//! | `surface_velocity` | the tangential displacement at which friction is zero: `C_T q_old`, plus that of a belt [m] |
//! | `rhs` of rows | the required value of `J d + S f` [m] |
//! | `friction` | Coulomb's or the associated law |
//!
//! Impulses of the answer are forces. Bodies, shapes and time do not occur; frames and arms are those of the start.
//!
//! | file | owns |
//! |---|---|
//! | `increment` | forces and displacements under a load |
//! | `limit` | limit loads |
//! | `cuts` | limit loads that interior points do not reach, and the proof that there is none |
//! | `setup` | the conic program of a static problem, and its units |
//! | `stress` | of all balanced forces of rigid contacts, those of least stress |
//! | `balance` | what is missing on bodies at given moves, and Newton steps against it |
//! | `coulomb` | Coulomb's law, followed from the associated answer |
//! | `mixed` | the same where contacts resist turning, or only some are compliant |
//! | `load`, `check` | loads of bodies, and the check that a problem is static |

mod balance;
mod check;
mod coulomb;
mod cuts;
pub mod increment;
pub mod limit;
pub mod load;
mod mixed;
mod setup;
mod stress;

pub use increment::{StaticInput, StaticOutcome, Statics};
pub use limit::{LimitInput, LimitLoad, LimitOutcome};
pub use load::Load;
