//! AVX2 and AVX-512. Values of these types exist only behind [`dispatch`](super::dispatch), which asked the machine.

#![allow(unsafe_code)]

macro_rules! registers {
    ($lanes:ident, $($operator:ident $method:ident $instruction:ident),*) => { $(
        impl $operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: the machine was asked.
                unsafe { Self($instruction(self.0, other.0)) }
            }
        }
    )* };
}
/// Functions of [`Lanes`] that are one instruction. The larger and the smaller of two take the second operand in doubt.
macro_rules! instructions {
    ($($name:ident($($other:ident)?) $instruction:ident),*) => { $(
        #[inline(always)]
        fn $name(self $(, $other: Self)?) -> Self {
            // SAFETY: the machine was asked.
            unsafe { Self($instruction(self.0 $(, $other.0)?)) }
        }
    )* };
}

mod avx2;
mod avx512;
mod transpose;

use crate::math::lanes::register::Kernel;
use crate::math::lanes::twice::Twice;
use avx2::Four;
use avx512::Eight;

/// # Safety
/// The machine has AVX-512F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn with_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Eight>()
}

/// # Safety
/// The machine has AVX2.
#[target_feature(enable = "avx2")]
pub(super) unsafe fn with_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Twice<Four>>()
}
