//! Statics of given contacts: what forces and moves balance a load, and how far a load can grow, [N] section 4.4.
//!
//! ```text
//! balance     G^T f + F = 0
//! contacts    f in the cones,  w = G d + phi + C f in their dual cones,  w . f = 0        (associated law)
//! ```
//!
//! `f` are forces [N], `d` moves of bodies from where they are [m, rad], `phi` gaps [m] and `C` compliances [m/N]. The contacts and rows are
//! those of a [`Problem`], read as follows:
//!
//! | member | meaning here |
//! |---|---|
//! | `masses` | which ways a body can move: where it has an inverse mass. How large that is does not matter |
//! | `velocities` | moves of bodies that nothing moves, such as driven walls [m, rad]; those of other bodies are ignored |
//! | `normal_bias` | `phi`, negative where bodies overlap [m] |
//! | compliances | `1/k` [m/N], of rolling and twisting [rad/(N m)]; 0: rigid |
//! | `surface_velocity` | the tangential move at which friction is at rest: `C_T q_old`, and what a belt moves [m] |
//! | `rhs` of rows | what `J d + S f` is to be [m] |
//! | `friction` | Coulomb's or the associated law |
//!
//! Impulses of the answer are forces. Bodies, shapes and time do not occur; frames and arms are those of the start.
//!
//! | file | owns |
//! |---|---|
//! | `increment` | forces and moves under a load |
//! | `limit` | limit loads |
//! | `cuts` | limit loads where interior points do not reach them, and whether there are any |
//! | `setup` | the conic program of a static problem, and its units |
//! | `stress` | among all balanced forces of rigid contacts those of least stress |
//! | `coulomb` | Coulomb's law, followed from the associated answer |
//! | `mixed` | the same where contacts resist turning, or only some are compliant |
//! | `load`, `check` | loads of bodies, and what no static problem has |

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
