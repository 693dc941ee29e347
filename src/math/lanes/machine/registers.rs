//! Operators and functions of a register that are one instruction each, for AVX2 and AVX-512.

/// Arithmetic operators.
macro_rules! registers {
    ($lanes:ident, $($operator:ident $method:ident $instruction:ident),*) => { $(
        impl $operator for $lanes {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                // SAFETY: `dispatch` found the instructions.
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
            // SAFETY: `dispatch` found the instructions.
            unsafe { Self($instruction(self.0 $(, $other.0)?)) }
        }
    )* };
}

pub(super) use {instructions, registers};
