//! The promise as a statement: a layout that conflicts does not compile.
//!
//! One statement holds everything that a kernel does to a tile, because a remedy
//! must serve all of it: a pad that frees the read may break the write.
//!
//! ```text
//! error: Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0: lanes 0 and 1,
//!        (0, 0) and (1, 0), bytes 0 and 128, bank 0
//!        Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or a row pad of 16 elements, ..
//! ```

use crate::access::pattern::Pattern;
use crate::access::placed::Misfit;
use crate::chip::instruction::{Access, Instruction};
use crate::element::Element;
use crate::layout::Layout;
use crate::search::remedy::{Tile, Use};
use tiledesc_transforms::{Descriptor, Text};

/// One line of [`assert_conflict_free!`](crate::assert_conflict_free!).
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    pattern: &'a str,
    says: Access,
    uses: Use<'a>,
}

impl<'a> Line<'a> {
    /// An access as the statement has it.
    #[must_use]
    pub const fn new<P: Pattern>(
        pattern: &'a str,
        says: Access,
        instruction: &'a Instruction,
    ) -> Self {
        Self { pattern, says, uses: Use { lanes: P::LANES, instruction } }
    }

    /// "Plain: ds_read_b128 on gfx942 by MfmaRows<16>: "
    const fn head(&self, layout: &str, chip: &str) -> Text {
        let stated = self.uses.instruction.chip();
        let chip = if stated.is_empty() { chip } else { stated };
        let text = Text::new().str(layout).str(": ").str(self.uses.instruction.name());
        text.str(" on ").str(chip).str(" by ").str(self.pattern).str(": ")
    }
}

impl<E, D> Layout<E, D> {
    /// Refuses a layout that conflicts; see
    /// [`assert_conflict_free!`](crate::assert_conflict_free!).
    ///
    /// # Panics
    ///
    /// With the degree, the phase, the bank, and two lanes with their coordinates
    /// and bytes, of the first line that conflicts; and with what would be free in
    /// all of them.
    #[track_caller]
    pub const fn refuse_conflicts<const N: usize>(layout: &str, chip: &str, lines: [Line<'_>; N])
    where
        E: Element,
        D: Descriptor,
    {
        let mut i = 0;
        while i < N {
            if let Some(text) = Self::fault(layout, chip, &lines, i) {
                let sentence = text.as_str();
                panic!("{}", sentence)
            }
            i += 1;
        }
    }

    /// What is wrong with a line.
    #[track_caller]
    const fn fault<const N: usize>(
        layout: &str,
        chip: &str,
        lines: &[Line<'_>; N],
        i: usize,
    ) -> Option<Text>
    where
        E: Element,
        D: Descriptor,
    {
        let (line, instruction) = (&lines[i], lines[i].uses.instruction);
        let text = line.head(layout, chip);
        if !line.says.is(instruction.access()) {
            let text = text.str("the instruction ").str(instruction.access().verb());
            let text = text.str(", the assertion says `").str(line.says.name()).str("`");
            return Some(text);
        }
        let verdict = match Self::laid(line.uses.lanes, instruction) {
            Ok(placed) => placed.verdict(),
            Err(misfit) => Err(misfit),
        };
        match verdict {
            Ok(verdict) if verdict.is_free() => None,
            Ok(verdict) if verdict.conflicts().race.is_some() => Some(verdict.finding(text)),
            Ok(verdict) => Some(Self::with_remedy(verdict.finding(text), lines)),
            Err(Misfit::Layout(error)) => error.refuse(layout),
            Err(misfit) => Some(misfit.explain(text)),
        }
    }

    /// Appends what would be free.
    const fn with_remedy<const N: usize>(text: Text, lines: &[Line<'_>; N]) -> Text
    where
        E: Element,
        D: Descriptor,
    {
        let Ok(plan) = Self::checked() else { return text };
        let Some(tile) = Tile::of(&plan, E::BITS) else { return text };
        let mut uses = [lines[0].uses; N];
        let mut i = 0;
        while i < N {
            uses[i] = lines[i].uses;
            i += 1;
        }
        tile.explain(text, E::TYPE, plan.element_space(), &uses)
    }
}

/// Refuses, at compile time, layouts whose wave accesses conflict.
///
/// One statement for a layout, a chip and any number of accesses; the error
/// names the phase, the bank, and two lanes with coordinates and bytes, and a layout
/// of the same tile that was tried and found free in all of them:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
/// assert_conflict_free! { Plain on gfx942: read ds_read_b128 by MfmaRows<16> }
/// // Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0:
/// // lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0
/// // Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or a row pad of ...
/// ```
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_conflict_free! {
///     ABlock on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by Whole<MfmaRows<32>>,
/// }
///
/// // The two offsets of a `ds_read2`, as the instruction has them.
/// layout! { type Floats = recipe::RowMajor<F32, M<64>, K<64>>; }
/// assert_conflict_free! { Floats on gfx942: read ds_read2_b32(0, 64) by RowMajor }
/// ```
///
/// The chip is a module of [`chip`](crate::chip), or one of your own with such
/// constants (by a path, `crate::mine`, if it has the name of one of ours):
///
/// ```
/// use tiledesc::prelude::*;
///
/// #[allow(non_upper_case_globals)]
/// mod vx {
///     use tiledesc::{Instruction, Phases};
///
///     pub const vx_read_b64: Instruction = Instruction::read("vx_read_b64", 8)
///         .banks(64)
///         .phases(Phases::contiguous(32))
///         .on("vx", 64 * 1024)
///         .source("measured here, 2026-11");
/// }
/// layout! { type Tile = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>; }
/// assert_conflict_free! { Tile on vx: read vx_read_b64 by MfmaRows<32> }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! assert_conflict_free {
    ($(
        $Layout:ident on $($chip:ident)::+:
        $($access:ident $instruction:ident $(($first:literal, $second:literal))? by $Pattern:ty),+ $(,)?
    );+ $(;)?) => {
        $($crate::assert_conflict_free! { @one
            $Layout [$($chip)::+]
            $(($access $instruction [$($first, $second)?] $Pattern))+
        })+
    };
    (@one $Layout:ident $chip:tt $(($access:ident $instruction:ident $offsets:tt $Pattern:ty))+) => {
        // A whole tile of 16 instructions is 1024 coordinates and over the lint's limit.
        #[allow(long_running_const_eval)]
        const _: () = {
            // Ours by their names; a name that is none of ours is the user's.
            #[allow(unused_imports)]
            use $crate::chip::*;
            <$Layout>::refuse_conflicts(
                stringify!($Layout),
                $crate::__row!(@name $chip),
                [$($crate::search::assertion::Line::new::<$Pattern>(
                    stringify!($Pattern),
                    $crate::__access!($access),
                    &$crate::__row!($chip $instruction $offsets),
                )),+],
            )
        };
    };
}

/// `read` or `write`.
#[doc(hidden)]
#[macro_export]
macro_rules! __access {
    (read) => {
        $crate::Access::Read
    };
    (write) => {
        $crate::Access::Write
    };
    ($other:ident) => {
        compile_error!(concat!("`", stringify!($other), "` is neither `read` nor `write`"))
    };
}

/// The row of an instruction, with the offsets of its two addresses if there are
/// any; or the name of the chip.
#[doc(hidden)]
#[macro_export]
macro_rules! __row {
    (@name [$($chip:ident)::+]) => {
        stringify!($($chip)::+)
    };
    ([$($chip:ident)::+] $instruction:ident []) => {
        $($chip::)+$instruction
    };
    ([$($chip:ident)::+] $instruction:ident [$first:literal, $second:literal]) => {
        $($chip::)+$instruction.offsets($first, $second)
    };
}
