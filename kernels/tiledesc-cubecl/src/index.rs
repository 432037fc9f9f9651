//! An index that writes CubeCL's code: tiledesc's `Index` over the expand type of `u32`.
//!
//! A layout asked for the offset of two numbers computes it. Asked for the offset of two
//! [`Traced`] it registers the same operations with CubeCL's scope, and what comes back is the
//! handle of the result. A power of two is a shift or a mask and an operation on constants a
//! constant, here and not in the back end, so that the shader text is the arithmetic of a
//! hand-written one.

use cubecl::ir::Scope;
use cubecl::prelude::*;
use tiledesc::{Extent, Index};

/// A `u32` of a kernel that is being expanded.
#[derive(Clone, Copy)]
pub struct Traced<'s> {
    scope: &'s Scope,
    value: NativeExpand<u32>,
}

/// A comparison of indices: a `bool` of the kernel.
#[derive(Clone, Copy)]
pub struct TracedMask<'s> {
    scope: &'s Scope,
    value: NativeExpand<bool>,
}

/// A binary operation on the host; `None` where its result is no `u32`.
type Compute = fn(u32, u32) -> Option<u32>;

/// What a binary operation of CubeCL expands to.
type Write = fn(&Scope, NativeExpand<u32>, NativeExpand<u32>) -> NativeExpand<u32>;

impl<'s> Traced<'s> {
    /// The index that an expanded value is.
    #[must_use]
    pub fn new(scope: &'s Scope, value: NativeExpand<u32>) -> Self {
        Self { scope, value }
    }

    /// The expanded value.
    #[must_use]
    pub fn value(self) -> NativeExpand<u32> {
        self.value
    }

    fn by(&self, write: Write, other: NativeExpand<u32>) -> Self {
        Self::new(self.scope, write(self.scope, self.value, other))
    }

    fn number(&self, number: u32) -> Self {
        Self::new(self.scope, number.into())
    }

    /// The number, of what is a constant of the kernel.
    fn known(&self) -> Option<u32> {
        self.value.constant().map(|value| value.as_u32())
    }

    /// The result of two known numbers.
    fn fold(&self, compute: Compute, other: Option<u32>) -> Option<Self> {
        compute(self.known()?, other?).map(|number| self.number(number))
    }
}

impl TracedMask<'_> {
    /// The expanded `bool`.
    #[must_use]
    pub fn value(self) -> NativeExpand<bool> {
        self.value
    }
}

impl<'s> Index for Traced<'s> {
    type Mask = TracedMask<'s>;

    fn below(&self, bound: Extent) -> TracedMask<'s> {
        let value = less::expand(self.scope, self.value, bound.value().into());
        TracedMask { scope: self.scope, value }
    }

    fn both(one: &TracedMask<'s>, other: &TracedMask<'s>) -> TracedMask<'s> {
        let value = and::expand(one.scope, one.value, other.value);
        TracedMask { scope: one.scope, value }
    }

    fn add(&self, other: &Self) -> Self {
        match (self.known(), other.known()) {
            (Some(0), _) => *other,
            (_, Some(0)) => *self,
            (_, number) => self
                .fold(u32::checked_add, number)
                .unwrap_or_else(|| self.by(add::expand, other.value)),
        }
    }

    fn sub(&self, other: &Self) -> Self {
        match other.known() {
            Some(0) => *self,
            number => self
                .fold(u32::checked_sub, number)
                .unwrap_or_else(|| self.by(sub::expand, other.value)),
        }
    }

    fn xor(&self, other: &Self) -> Self {
        match (self.known(), other.known()) {
            (Some(0), _) => *other,
            (_, Some(0)) => *self,
            (_, number) => self
                .fold(|one, other| Some(one ^ other), number)
                .unwrap_or_else(|| self.by(xor::expand, other.value)),
        }
    }

    fn mul(&self, by: Extent) -> Self {
        let by = by.value();
        self.fold(u32::checked_mul, Some(by)).unwrap_or_else(|| match by {
            0 => self.number(0),
            1 => *self,
            n if n.is_power_of_two() => self.by(shift_left::expand, n.trailing_zeros().into()),
            n => self.by(mul::expand, n.into()),
        })
    }

    fn div(&self, by: Extent) -> Self {
        let by = by.value();
        self.fold(u32::checked_div, Some(by)).unwrap_or_else(|| match by {
            1 => *self,
            n if n.is_power_of_two() => self.by(shift_right::expand, n.trailing_zeros().into()),
            n => self.by(div::expand, n.into()),
        })
    }

    fn rem(&self, by: Extent) -> Self {
        let by = by.value();
        self.fold(u32::checked_rem, Some(by)).unwrap_or_else(|| match by {
            1 => self.number(0),
            n if n.is_power_of_two() => self.by(mask::expand, (n - 1).into()),
            n => self.by(rem::expand, n.into()),
        })
    }

    fn constant(&self, value: Extent) -> Self {
        self.number(value.value())
    }

    /// A table is an array of the kernel, filled with constants where it is used: CubeCL 0.11 has
    /// no constant arrays, and the compilers below it see that nothing else is ever written.
    fn lookup(&self, table: &'static [u32]) -> Self {
        let entry_of = |place: u32| table.get(place as usize).or(table.last());
        match self.known().and_then(entry_of) {
            Some(number) => self.number(*number),
            None if table.is_empty() => self.number(0),
            None => Self::new(self.scope, entry::expand(self.scope, self.value, table.to_vec())),
        }
    }
}

/// The operations, one function each, so that CubeCL's own macro writes their expansion.
macro_rules! operations {
    ($($name:ident($a:ident, $b:ident: $In:ty) -> $Out:ty = $result:expr;)*) => {$(
        #[cube]
        fn $name($a: $In, $b: $In) -> $Out {
            $result
        }
    )*};
}

operations! {
    add(a, b: u32) -> u32 = a + b;
    sub(a, b: u32) -> u32 = a - b;
    mul(a, b: u32) -> u32 = a * b;
    div(a, b: u32) -> u32 = a / b;
    rem(a, b: u32) -> u32 = a % b;
    xor(a, b: u32) -> u32 = a ^ b;
    mask(a, b: u32) -> u32 = a & b;
    shift_left(a, b: u32) -> u32 = a << b;
    shift_right(a, b: u32) -> u32 = a >> b;
    less(a, b: u32) -> bool = a < b;
    and(a, b: bool) -> bool = a && b;
}

/// `table[place]`, or the last entry after the end.
#[cube]
fn entry(place: u32, #[comptime] table: Vec<u32>) -> u32 {
    let length = comptime!(table.len());
    let mut entries = Array::<u32>::new(length);
    #[unroll]
    for i in 0..length {
        entries[i] = comptime!(table[i]).runtime();
    }
    entries[clamp_max(place, comptime!(length as u32 - 1).runtime()) as usize]
}

impl core::fmt::Debug for Traced<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Traced")
    }
}

impl core::fmt::Debug for TracedMask<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("TracedMask")
    }
}
