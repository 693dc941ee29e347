//! The kernel that writes contacts into the lanes of a batch.

use crate::math::lanes::{Kernel, Lanes};
use crate::solver::gauss_seidel::wide::batch::Batch;
use crate::solver::gauss_seidel::wide::context::{BatchInput, PrepareContext};

/// The contacts of a batch, written into their lanes.
pub(in crate::solver) struct Write<'a, B: Batch> {
    pub(in crate::solver) batch: &'a mut B,
    /// Their torques, if any contact may have such.
    pub(in crate::solver) torques: Option<&'a mut B::Torques>,
    pub(in crate::solver) context: &'a PrepareContext<'a>,
    pub(in crate::solver) input: BatchInput<'a>,
    /// Whether no contact has compliance or a moving surface.
    pub(in crate::solver) plain: bool,
}

impl<B: Batch> Kernel for Write<'_, B> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Lanes>(self) -> u32 {
        let Self { batch, torques, context, input, plain } = self;
        if plain {
            batch.write::<L, true>(torques, context, &input)
        } else {
            batch.write::<L, false>(torques, context, &input)
        }
    }
}
