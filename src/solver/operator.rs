//! The Delassus operator, and problems and methods that need all of it.
//!
//! | file | owns |
//! |---|---|
//! | `reduced` | a problem in its reduced form: `W`, `q` and laws |
//! | `assembly`, `delassus`, `root` | the operator of bodies and contacts |
//! | `cholesky`, `linear` | sparse factors |
//! | `global_methods`, `precision` | Newton and APGD on islands of bodies |
//! | `local_problem`, `explicit`, `local_block` | problems that hosts give in reduced form, and their sweeps |

pub mod assembly;
pub(in crate::solver) mod cholesky;
pub mod delassus;
pub mod explicit;
pub(in crate::solver) mod global_methods;
pub(in crate::solver) mod linear;
mod local_block;
mod local_problem;
pub(in crate::solver) mod precision;
pub mod reduced;
pub(in crate::solver) mod root;
