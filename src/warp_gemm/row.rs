//! A row of the table of matrix instructions: what is the same on all its chips.

use crate::distribution::{Distribution, DistributionError, Encoding, Instructed, ProductFault};
use crate::matrix::mma::BY_CAPABILITY;
use tiledesc_transforms::number::is_same;

/// The entry of an instruction in its table: the same on all its chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InstructionRow {
    pub(super) name: &'static str,
    pub(super) on: On,
    /// Bits of an element of A, of B and of C.
    pub(super) bits: [u32; 3],
    pub(super) a: &'static Encoding,
    /// `None` if the instruction reads it from memory by itself.
    pub(super) b: Option<&'static Encoding>,
    pub(super) c: &'static Encoding,
    /// C of swapped operands; `None` if they cannot be swapped.
    pub(super) swapped_c: Option<&'static Encoding>,
}

impl InstructionRow {
    /// Its operands as a product states them; swapped, its second operand is the product's first.
    pub(super) const fn operands(
        &self,
        is_swapped: bool,
    ) -> Result<Instructed<'static>, DistributionError> {
        let Self { name, a, b, c, swapped_c, .. } = *self;
        let Some(b) = b else {
            return Err(DistributionError::Product(ProductFault::NoRegisters { name }));
        };
        match (is_swapped, swapped_c) {
            (false, _) => Ok(Instructed { name, a, b, c }),
            (true, Some(c)) => Ok(Instructed { name, a: b, b: a, c }),
            (true, None) => Err(DistributionError::Product(ProductFault::Unswappable { name })),
        }
    }
}

/// The chips of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum On {
    /// Chips by their names.
    Chips(&'static [&'static str]),
    /// NVIDIA's of this compute capability, times ten, and later.
    Since(u32),
}

impl On {
    /// The names of the chips.
    pub(super) const fn chips(self) -> &'static [&'static str] {
        match self {
            Self::Chips(names) => names,
            Self::Since(_) => {
                let mut i = 0;
                while i < BY_CAPABILITY.len() && !self.has(BY_CAPABILITY[i]) {
                    i += 1;
                }
                const { &BY_CAPABILITY }.split_at(i).1
            }
        }
    }

    pub(super) const fn has(self, chip: &str) -> bool {
        match self {
            Self::Chips(names) => {
                let mut i = 0;
                while i < names.len() && !is_same(names[i], chip) {
                    i += 1;
                }
                i < names.len()
            }
            Self::Since(first) => matches!(capability(chip), Some(number) if number >= first),
        }
    }
}

/// 90 of `sm_90`.
pub(super) const fn capability(chip: &str) -> Option<u32> {
    let [b's', b'm', b'_', digits @ ..] = chip.as_bytes() else { return None };
    let (mut number, mut i) = (0, 0);
    while i < digits.len() {
        if !digits[i].is_ascii_digit() {
            return None;
        }
        number = 10 * number + (digits[i] - b'0') as u32;
        i += 1;
    }
    Some(number)
}

/// The encoding of an operand, for the table.
pub(super) const fn held<T: Distribution>() -> &'static Encoding {
    match const { &T::ENCODING } {
        Ok(encoding) => encoding,
        Err(fault) => fault.text().refuse(),
    }
}

/// Rows of matrix instructions: a table of them, and functions that compare a question with them row by row, so that only what
/// may be the answer is evaluated.
///
/// | argument | holds |
/// |---|---|
/// | `mfma`, `wmma`, `mma` | the table, written as short as each family allows: its rules make `@rows` of it |
/// | `$on`, `$operands_on` | the chips of the instruction, and those of its operands, whatever their shape |
/// | `$A, $B, $C, $Ct` | who holds A, B, C, and C of swapped operands if they can be swapped |
/// | `$from $to` | bits of an element of A and B, and of C |
macro_rules! instruction_rows {
    // Of a module of `mfma` each.
    (mfma $($chips:ident { $($Name:ident $from:literal $to:literal $name:literal;)+ })*) => {
        instruction_rows! { @rows MFMA among_mfma mfma_named $($(
            [On::Chips($chips), On::Chips(mfma::$Name::CHIPS)]
            [mfma::$Name::A, mfma::$Name::B, mfma::$Name::C, mfma::$Name::Ct] $from $to $name;
        )+)* }

        /// The rows' chips, and those that the module of their operands names.
        #[cfg(test)]
        const NAMED: &[(&str, &[&str], &OperandOf, (&str, u32))] = &[$($(
            (stringify!($Name), $chips, mfma::$Name::A::OPERAND_OF.unwrap(), ($name, $from)),
        )+)*];
    };
    // A and B are one, and C is the generation's.
    (wmma $($chips:ident, $generation:ident, { $($Operand:ty, $from:literal $to:literal $name:literal;)+ })*) => {
        instruction_rows! { @rows WMMA among_wmma wmma_named $($(
            [On::Chips($chips), On::Chips($chips)]
            [$Operand, $Operand, $generation::C, $generation::Ct] $from $to $name;
        )+)* }
    };
    // The names of several that are held alike, after `mma.`.
    (mma $($on:ident, $A:ty, $B:ty, $C:ty, $from:literal $to:literal: $($name:literal)+;)*) => {
        instruction_rows! { @rows MMA among_mma mma_named $($(
            [$on, $on] [$A, $B, $C] $from $to concat!("mma.", $name);
        )+)* }
    };
    (@rows $ROWS:ident $among:ident $named:ident $(
        [$on:expr, $operands_on:expr] [$A:ty, $B:ty, $C:ty $(, $Ct:ty)?] $from:literal $to:literal $name:expr;
    )*) => {
        /// The table.
        pub(super) const $ROWS: &[InstructionRow] = &[$(InstructionRow {
            name: $name,
            on: $on,
            bits: [$from, $from, $to],
            a: held::<$A>(),
            b: Some(held::<$B>()),
            c: held::<$C>(),
            swapped_c: instruction_rows!(@swapped $($Ct)?),
        }),*];

        /// Returns the question after every row was compared with it.
        pub(super) const fn $among(mut sought: Sought) -> Sought {
            $(if sought.may_be($name, $on, [$from, $to]) {
                sought = sought.or::<$A, $B, $C>($name, $operands_on);
            })*
            sought
        }

        /// Returns the question after the name of every row was compared with it.
        pub(super) const fn $named(mut named: Named) -> Named {
            $(if named.is($name) {
                let swapped = instruction_rows!(@swapped $($Ct)?);
                named = named.or::<$A, $B, $C>($on, [$from, $to], swapped);
            })*
            named
        }
    };
    (@swapped) => { None };
    (@swapped $Ct:ty) => { Some(held::<$Ct>()) };
}
pub(super) use instruction_rows;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chip::CHIPS;

    /// The chips of an instruction are those that have it.
    #[test]
    fn chips_since_a_capability() {
        for first in [70, 75, 80, 89, 90, 100] {
            let on = On::Since(first);
            assert!(
                CHIPS.iter().all(|chip| on.has(chip.name()) == on.chips().contains(&chip.name()))
            );
        }
        assert_eq!(On::Since(90).chips()[0], "sm_90");
    }
}
