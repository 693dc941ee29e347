//! The problem of one step: arrays of numbers in, arrays of numbers out.
//!
//! | file | owns |
//! |---|---|
//! | `arrays` | the problem as slices |
//! | `body`, `contact`, `row`, `impulses` | its elements |
//! | `contacts`, `lane_contacts` | the contact buffer in lane order |
//! | `pairs`, `islands`, `layout`, `order` | what depends on the pairs of bodies |
//! | `cone`, `residual`, `measure` | the laws, and when a problem is solved |
//! | `options`, `start`, `outcome`, `progress` | how to solve, and what a solve reports |

mod arrays;
mod body;
pub mod cone;
mod contact;
pub mod contacts;
mod impulses;
pub mod islands;
pub mod lane_contacts;
pub(in crate::solver) mod layout;
mod measure;
pub mod options;
pub mod order;
pub mod outcome;
pub(in crate::solver) mod pairs;
pub mod progress;
pub mod residual;
mod row;
pub mod start;

pub use crate::math::{Impulse, ImpulsiveWrench};

pub use arrays::{Friction, Problem};
pub use body::{MassInverse, Velocity};
pub use contact::{Contact, FullContact, OptionalTerms};
pub use impulses::Impulses;
pub use measure::Measure;
pub(in crate::solver) use measure::turning_length;
pub use row::{Jacobian, Row};
