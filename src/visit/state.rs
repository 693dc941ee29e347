//! Types that are visited and read in one form, and the macros that make both from one list of members.

use nalgebra::{Quaternion, Unit, UnitQuaternion, Vector3};

use super::reader::Reader;
use super::visitor::StateVisitor;
use crate::error::Result;

/// A type with state.
pub trait State: Sized {
    /// Visits all numbers.
    fn visit(&self, visitor: &mut impl StateVisitor);

    /// Reads what [`State::visit`] wrote.
    ///
    /// # Errors
    ///
    /// The bytes end too early, or are none of a value of this type.
    fn read(reader: &mut Reader) -> Result<Self>;
}

/// Reads a member of this name.
#[inline(always)]
pub fn member<T: State>(reader: &mut Reader, name: &str) -> Result<T> {
    T::read(reader).map_err(|error| error.at(format_args!("{name}: ")))
}

/// `state!(Type { member, ... })` makes [`State`] and `visit_state` of a structure, which must be listed whole.
/// `state!(unbounded Type { member, ... })` is for one whose numbers may be infinite, and `state!(Type { member, ... } of make)` for one that
/// `make` makes of an array of all its numbers, which is read at once.
macro_rules! state {
    (unbounded $type:ident { $($member:ident),+ $(,)? }) => { $crate::visit::state!(@make unbounded $type { $($member),+ }); };
    ($type:ident { $($member:ident),+ $(,)? }) => { $crate::visit::state!(@make bounded $type { $($member),+ }); };
    ($type:ident { $($member:ident),+ $(,)? } of $make:expr) => {
        $crate::visit::state!(@visit $type { $($member),+ });

        impl $crate::visit::State for $type {
            #[inline(always)]
            fn visit(&self, visitor: &mut impl $crate::visit::StateVisitor) {
                self.visit_state(visitor);
            }

            #[inline(always)]
            fn read(reader: &mut $crate::visit::Reader) -> $crate::error::Result<Self> {
                reader.numbers().and_then($make)
            }
        }
    };
    (@visit $type:ident { $($member:ident),+ }) => {
        impl $type {
            /// Visits every member.
            #[inline]
            pub(crate) fn visit_state(&self, visitor: &mut impl $crate::visit::StateVisitor) {
                let Self { $($member),+ } = self;
                $($crate::visit::State::visit($member, visitor);)+
            }
        }
    };
    (@make $range:ident $type:ident { $($member:ident),+ }) => {
        $crate::visit::state!(@visit $type { $($member),+ });

        impl $crate::visit::State for $type {
            #[inline]
            fn visit(&self, visitor: &mut impl $crate::visit::StateVisitor) {
                self.visit_state(visitor);
            }

            #[inline]
            fn read(reader: &mut $crate::visit::Reader) -> $crate::error::Result<Self> {
                let read = |reader: &mut $crate::visit::Reader| {
                    Ok(Self { $($member: $crate::visit::member(reader, stringify!($member))?),+ })
                };
                $crate::visit::state!(@$range reader, read)
            }
        }
    };
    (@bounded $reader:ident, $read:ident) => { $read($reader) };
    (@unbounded $reader:ident, $read:ident) => { $reader.unbounded($read) };
}
pub(crate) use state;

/// `state_choice!(Type { Variant, ... })` makes [`State`] of an enumeration without data, which must be listed whole.
macro_rules! state_choice {
    ($type:ident { $($variant:ident),+ $(,)? }) => {
        impl $crate::visit::State for $type {
            #[inline]
            fn visit(&self, visitor: &mut impl $crate::visit::StateVisitor) {
                visitor.byte(match self { $(Self::$variant => Self::$variant as u8),+ });
            }

            #[inline]
            fn read(reader: &mut $crate::visit::Reader) -> $crate::error::Result<Self> {
                let number = reader.byte()?;
                $(if number == Self::$variant as u8 { return Ok(Self::$variant); })+
                let message = $crate::error::text!("a choice is {number}, which is none of {}", stringify!($type));
                Err($crate::visit::format_error(message))
            }
        }
    };
}
pub(crate) use state_choice;

impl State for f64 {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.number(*self);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.number()
    }
}

impl State for u64 {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.word(*self);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.word()
    }
}

impl State for u32 {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.half(*self);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.half()
    }
}

impl State for i32 {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.half(*self as u32);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        Ok(reader.half()? as Self)
    }
}

impl State for bool {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.flag(*self);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.flag()
    }
}

impl<T: State + Copy + Default, const N: usize> State for [T; N] {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        self.iter().for_each(|item| item.visit(visitor));
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(reader)?;
        }
        Ok(items)
    }
}

impl<A: State, B: State> State for (A, B) {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        self.0.visit(visitor);
        self.1.visit(visitor);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        Ok((A::read(reader)?, B::read(reader)?))
    }
}

impl<T: State + Default> State for Option<T> {
    /// A missing value is visited as the default behind a flag.
    #[inline]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.flag(self.is_some());
        match self {
            Some(value) => value.visit(visitor),
            None => T::default().visit(visitor),
        }
    }

    #[inline]
    fn read(reader: &mut Reader) -> Result<Self> {
        let (exists, value) = (reader.flag()?, T::read(reader)?);
        Ok(exists.then_some(value))
    }
}

impl State for Vector3<f64> {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.array([self.x, self.y, self.z]);
    }

    #[inline(always)]
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.numbers().map(<[f64; 3]>::into)
    }
}

/// The square of the length of a rotation may differ from 1 by so much [-].
const UNIT: f64 = 1e-9;

impl State for UnitQuaternion<f64> {
    #[inline(always)]
    fn visit(&self, visitor: &mut impl StateVisitor) {
        visitor.array(self.coords.into());
    }

    #[inline]
    fn read(reader: &mut Reader) -> Result<Self> {
        reader.numbers().and_then(rotation)
    }
}

/// Returns the rotation of these coordinates `(x, y, z, w)`.
///
/// # Errors
///
/// They are not of length 1.
#[inline(always)]
pub fn rotation([x, y, z, w]: [f64; 4]) -> Result<UnitQuaternion<f64>> {
    let rotation = Quaternion::new(w, x, y, z);
    let square = rotation.norm_squared();
    if (square - 1.0).abs() <= UNIT {
        return Ok(Unit::new_unchecked(rotation));
    }
    Err(super::reader::format_error(crate::error::text!("a rotation has the square {square}, expected 1")))
}
