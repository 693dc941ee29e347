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
//! Input and output are arrays of numbers ([`Problem`], [`Impulses`]). The module uses no shapes, handles or manifolds. A sweep
//! allocates nothing, prints nothing and reads no clock. Its result depends on its input alone.
//!
//! Read [`solve`] first: it finds the islands and solves them one by one.
//!
//! | folder or file | owns |
//! |---|---|
//! | [`gauss_seidel`] | Gauss-Seidel sweeps, on velocities of bodies |
//! | [`anderson`] | acceleration of the sweeps by extrapolation |
//! | [`newton`], [`apgd`] | Newton's method and projected gradients, on the whole operator |
//! | [`mechanism`] | joints between bodies, eliminated exactly before the sweeps |
//! | [`stick`] | the stick projection: after a solve, it makes sticking contacts exact constraints |
//! | [`project`] | the islands that are projected by default |
//! | [`problem`] | the problem, the contact buffer, islands, laws, residuals, options and outcomes |
//! | [`operator`] | the operator, its factors, and problems that a host gives in reduced form |
//! | `conic` | the associated law as a convex problem: interior points, and Newton's method in motions |
//! | [`compatibility`], `correct` | unique forces after a solve |
//! | [`statics`] | forces and moves without masses, and limit loads |
//! | [`position`] | the position pass, which undoes overlap |
//! | `measure` | velocities and residuals of the final impulses |
//! | `moves` | the result of statics as that of a solve |
//! | `resting` | problems that the start impulses solve already |
//! | [`monitor`] | the function that is called between iterations, and may end a solve |
//!
//! References, which other files cite by these keys:
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
