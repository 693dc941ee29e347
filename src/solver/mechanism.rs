//! Mechanisms: bodies that rows without bounds join, with these rows eliminated exactly ([W] section 5, the split solve).
//!
//! With `A = J M^-1 J^T + S` of the rows of a mechanism, `J v + S lambda = rhs`:
//!
//! ```text
//! Mc^-1 = M^-1 - M^-1 J^T A^-1 J M^-1          lambda = -A^-1 (J vhat - rhs)
//! vc    = vhat + M^-1 J^T lambda
//! ```
//!
//! `Mc^-1` is the inverse mass that a contact meets at a body of the mechanism, and `vc` are the velocities without contacts.
//!
//! The solver factors the sparse matrix `[1, (J L)^T; J L, -(S + E)]`, `M^-1 = L L^T`, and not `A`, which is dense where many joints
//! meet at a body. `E` is 1e-10 of the mean diagonal of `J M^-1 J^T`. It makes redundant rows solvable, and refinements take
//! its effect off the answer. Of all impulses that hold the rows the answer is then the smallest one. Rows of turns alone
//! are multiplied by a length first, so that forces and torques have one unit.
//!
//! | file | owns |
//! |---|---|
//! | `find` | which bodies and rows make a mechanism |
//! | `rows` | the rows of one mechanism, in its own numbers, and products with them |
//! | `order`, `cliques`, `pattern` | the order of elimination and the pattern of the factor, kept while the pairs of bodies stay |
//! | `ldl` | the factor `L D L^T` of the quasi-definite matrix and solves with it |
//! | `refined` | solves of `A` without the shift: refinement, redundant and contradicting rows |
//! | `split` | a mechanism with its factor: velocities, multipliers, responses |
//! | `mobility` | what ports of a mechanism answer to impulses at each other |
//! | `starts` | lists in groups |
//! | `stiffness` | the largest frequency of a mechanism under tension |

mod cliques;
mod find;
mod ldl;
mod mobility;
mod order;
mod pattern;
mod refined;
mod rows;
mod split;
mod starts;
mod stiffness;

pub use find::{MechanismParts, Mechanisms, is_bilateral};
pub use mobility::Port;
pub use split::{BodyImpulse, Constrained, Mechanism};
pub use stiffness::StiffnessBlock;
