//! The one problem, and what solves it.
//!
//! ```text
//! v+ = vhat + M^-1 G^T lambda            u = G v+
//! normal     0 <= lambda_n  _|_  w_n = u_n + S_n lambda_n + b_n >= 0
//! friction   |lambda_t| <= mu lambda_n,  w_t = u_t + S_t lambda_t + b_t = -s lambda_t / |lambda_t|,
//!            s >= 0,  s (mu lambda_n - |lambda_t|) = 0
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
//! This room knows no body, shape, handle or manifold: arrays of numbers in ([`Problem`]), arrays of numbers out. A
//! sweep allocates nothing, prints nothing, reads no clock, and its result depends on its input alone.
//!
//! Reading order: [`problem`], [`local`] (one contact), `central` and `general` (a contact prepared for the
//! sweep), [`order`], [`pgs`]
//! (the sweeps), [`residual`] (how far from solved), [`position`] (overlap undone), [`delassus`] (the operator whole).
//!
//! References, cited by key elsewhere:
//! - `[K]` T. Olsen, K. Kamrin: Resolving Force Indeterminacy in Contact Dynamics Using Compatibility Conditions.
//! - `[U]` The Contact Dynamics Method, lecture notes after T. Unger, J. Kertész (2003): the contact-by-contact solver.
//! - `[N]` A Contact Dynamics Formulation, chapter 4 of a thesis on a NURBS-based discrete method.
//! - `[W]` D. Wang, M. Servin, T. Berglund: Warm starting the projected Gauss-Seidel algorithm for granular matter
//!   simulation.
//! - `[C]` J. Chen, A. Schinner, H.-G. Matuttis: Static Friction, Differential Algebraic Systems and Numerical
//!   Stability.

mod central;
pub mod delassus;
mod general;
pub mod islands;
pub mod local;
pub mod order;
pub mod pgs;
pub mod position;
pub mod problem;
pub mod residual;
mod rows;
pub mod start;

#[cfg(test)]
mod tests;

pub use pgs::{Options, Outcome, Solver};
pub use problem::{Contact, Impulse, MassInverse, Problem, Velocity};
