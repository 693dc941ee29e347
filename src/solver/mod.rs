//! The problem of one step, and the methods that solve it.
//!
//! ```text
//! v+ = vhat + M^-1 G^T lambda            u = G v+
//! normal     0 <= lambda_n  _|_  w_n = u_n + S_n lambda_n + b_n >= 0
//! friction   |lambda_t| <= mu lambda_n,  w_t = u_t + S_t lambda_t + b_t = -s lambda_t / |lambda_t|,
//!            s >= 0,  s (mu lambda_n - |lambda_t|) = 0
//! rolling, twisting   the same form for torques, with lengths in place of mu
//! scalar rows         w = J v+ + S lambda - rhs = 0, as far as lower <= lambda <= upper allows;
//!                     the bounds may be multiples of another row's impulse
//! ```
//!
//! | symbol | unit | meaning |
//! |---|---|---|
//! | `vhat`, `v+` | m/s, rad/s | velocities before and after the contacts |
//! | `M` | kg, kg m^2 | block diagonal mass matrix |
//! | `G` | | relative velocity of b with respect to a at the contact points |
//! | `lambda` | N s | impulse on b; a receives the opposite |
//! | `S`, `b` | m/s per N s, m/s | compliance and bias, all that a contact law may choose |
//! | `mu` | - | Coulomb coefficient |
//!
//! The module uses no bodies, shapes, handles or manifolds: arrays of numbers in ([`Problem`]), arrays of numbers out.
//! A sweep allocates nothing, prints nothing, reads no clock, and its result depends on its input alone.
//!
//! [`solve`] is the table of contents: it finds the islands and solves them one by one.
//!
//! | folder or file | owns |
//! |---|---|
//! | [`gauss_seidel`] | Gauss-Seidel sweeps, on velocities of bodies |
//! | [`anderson`] | their acceleration, on whatever can be swept |
//! | [`newton`], [`apgd`] | Newton's method and projected gradients, on the whole operator |
//! | [`stick`] | the projection of what sticks, after these |
//! | [`project`] | on which islands it follows by default |
//! | [`problem`] | the problem, the contact buffer, islands, laws, residuals, options and outcomes |
//! | [`operator`] | the operator, its factors, and problems that a host gives in reduced form |
//! | `conic` | the associated law as a convex problem: interior points, and Newton's method in motions |
//! | [`compatibility`], `correct` | unique forces after a solve |
//! | [`statics`] | forces and moves without masses, and limit loads |
//! | [`position`] | the position pass, which undoes overlap |
//! | `measure` | velocities and residuals of the final impulses |
//! | `resting` | problems that are solved already |
//! | [`monitor`] | what is called between iterations, and may end a solve |
//!
//! References, cited by key elsewhere:
//! - `[K]` T. Olsen, K. Kamrin: Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions.
//! - `[U]` The Contact Dynamics Method, lecture notes after T. Unger, J. Kertész (2003): the contact-by-contact solver.
//! - `[N]` A Contact Dynamics Formulation, chapter 4 of a thesis on a NURBS-based discrete method.
//! - `[W]` D. Wang, M. Servin, T. Berglund: Warm starting the projected Gauss-Seidel algorithm for granular matter
//!   simulation.
//! - `[C]` J. Chen, A. Schinner, H.-G. Matuttis: Static Friction, Differential Algebraic Systems and Numerical
//!   Stability.

pub mod anderson;
pub mod apgd;
pub mod compatibility;
pub(in crate::solver) mod conic;
mod correct;
pub mod gauss_seidel;
mod measure;
pub mod mechanism;
pub mod monitor;
mod moves;
pub mod newton;
pub mod operator;
pub mod position;
pub mod problem;
pub mod project;
mod resting;
pub mod solve;
pub mod statics;
pub mod stick;

#[cfg(test)]
mod tests;

pub use gauss_seidel::rows::{PositionRows, RowTarget};
pub use problem::contacts::{ContactBuffer, ContactsX8, List, OptionalTermsX8, StartX8};
pub use problem::options::{Method, Options, Outcome, Place, StickProjection};
pub use problem::{
    Contact, ContactPair, Friction, FullContact, Impulse, Impulses, ImpulsiveWrench, MassInverse, OptionalTerms,
    Problem, Row, Velocity, is_along,
};
pub use solve::Solver;
