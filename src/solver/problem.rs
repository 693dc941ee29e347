//! The problem of one step: arrays of numbers in, arrays of numbers out.
//!
//! | file | owns |
//! |---|---|
//! | `arrays` | the problem as slices, and its impulses |
//! | `contact`, `row`, `ball` | their elements |
//! | `contacts` | the contact buffer in lane order |
//! | `pairs`, `islands`, `blocks`, `order` | what depends on the pairs of bodies |
//! | `cone`, `residual` | the laws, and when a problem is solved |
//! | `options`, `start` | how to solve, and what a solve reports |

mod arrays;
pub mod ball;
pub(in crate::solver) mod blocks;
pub mod cone;
mod contact;
pub mod contacts;
pub mod islands;
pub mod options;
pub mod order;
pub(in crate::solver) mod pairs;
pub mod residual;
mod row;
pub mod start;

pub use crate::math::{Impulse, ImpulsiveWrench};

pub use arrays::{Friction, Impulses, Problem};
pub(in crate::solver) use contact::turning_length;
pub use contact::{Contact, ContactPair, FullContact, MassInverse, Measure, OptionalTerms, Velocity, is_along};
pub use row::{Jacobian, Row, box_rows};
