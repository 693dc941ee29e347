//! The compatibility correction. Of all contact forces with the same resultants on every body, it computes those that
//! stiff elastic contacts have in the limit of infinite stiffness.
//!
//! Let `z` be fictitious displacements of the bodies. Then `e = -A z` is the compression and the shear of each contact.
//! The forces `f` are a function of `e` alone (`law`). Their resultants on all bodies must be those of the given
//! impulses:
//!
//! ```text
//! A^T f(-A z) = F,     F = A^T lambda
//! ```
//!
//! [K] (36), in its displacement form (32); with friction the same on the cone. If the law has a potential, the
//! solution is the minimum of a convex function, without bounds. A semismooth Newton method with a line search finds it
//! (`newton`). Scalar rows `J` constrain displacements to `J z = 0`, and add `J^T g` with multipliers `g` to both sides
//! (`held`). The module uses contacts, impulses and stiffness, but no shapes or positions.
//!
//! | file | owns |
//! |---|---|
//! | `options` | the settings, the input and the report |
//! | `law` | the force of one contact, and its derivative |
//! | `network` | an island's contacts as rows over the displacements |
//! | `role` | which of a host's rows are held |
//! | `held` | the rows that are held, and their multipliers |
//! | `rank` | whether such rows follow from each other |
//! | `linear` | the Newton step: conjugate gradients, or a factorisation |
//! | `newton` | the unknowns, and the minimum |
//! | `interior` | the same for exponents below 2 |
//! | `elastic` | the equilibrium of the elastic form, which is no minimum; its Newton matrix |
//! | `correct` | the contacts and rows that count, the islands, the report |

pub(in crate::solver) mod correct;
mod elastic;
mod held;
mod interior;
pub(in crate::solver) mod law;
mod linear;
mod network;
mod newton;
pub(in crate::solver) mod options;
mod rank;
mod role;

pub use options::{Corrected, Displacement, Elastic, Form, StiffContacts};
