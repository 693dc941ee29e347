//! The problem of one step: arrays of numbers in, arrays of numbers out.
//!
//! | file | owns |
//! |---|---|
//! | `arrays` | the problem as slices |
//! | `contact`, `row`, `impulses` | its elements |
//! | `contacts`, `lane_contacts` | the contact buffer in lane order |
//! | `pairs`, `islands`, `order` | what depends on the pairs of bodies |
//! | `cone`, `residual` | the laws, and when a problem is solved |
//! | `options`, `start`, `outcome` | how to solve, and what a solve reports |

mod arrays;
pub mod cone;
mod contact;
pub mod contacts;
mod impulses;
pub mod islands;
pub mod lane_contacts;
pub mod options;
pub mod order;
pub mod outcome;
pub(in crate::solver) mod pairs;
pub mod residual;
mod row;
pub mod start;

pub use crate::math::Impulse;

pub use arrays::{Friction, Problem};
pub(in crate::solver) use contact::turning_length;
pub use contact::{Contact, FullContact, MassInverse, Measure, OptionalTerms, Velocity};
pub use impulses::{Impulses, ImpulsiveWrench};
pub use row::{Jacobian, Row, box_rows};
