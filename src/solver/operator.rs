//! The Delassus operator, and problems and methods that need all of it.
//!
//! | file | owns |
//! |---|---|
//! | `reduced` | a problem in its reduced form: `W`, `q` and laws |
//! | `assembly` | the reduced form of bodies and contacts, and their impulses in it |
//! | `delassus` | the operator of a whole problem as sparse matrices |
//! | `blocks` | the bodies of an island, and matrices of their blocks |
//! | `elimination`, `block_ldl` | sparse factors of such matrices, with the same bits on every machine |
//! | `cholesky`, `linear` | sparse factors by a library, for the correction and for Newton's method |
//! | `unsymmetric` | unsymmetric matrices of bodies |
//! | `product` | products with the operator, through the bodies without its entries |
//! | `fill` | what a factorisation would cost |
//! | `global_methods` | Newton and APGD on islands of bodies |
//! | `local_problem`, `explicit`, `local_block` | problems that hosts give in reduced form, and their sweeps |

pub mod assembly;
pub(in crate::solver) mod block_ldl;
pub(in crate::solver) mod blocks;
pub(in crate::solver) mod cholesky;
pub mod delassus;
mod elimination;
pub mod explicit;
mod fill;
pub(in crate::solver) mod global_methods;
pub(in crate::solver) mod linear;
mod local_block;
mod local_problem;
pub mod product;
pub mod reduced;
pub(in crate::solver) mod unsymmetric;
