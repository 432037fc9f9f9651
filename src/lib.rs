#![doc = include_str!("../README.md")]
//!
//! # Where things are
//!
//! Coordinates below, hardware above. A file uses only files before it.
//!
//! | module | concept |
//! |---|---|
//! | [`mod@number`], [`sequence`], [`Transform`], [`Adaptor`], [`Descriptor`], [`Plan`], [`law`] | coordinates: re-exported from `tiledesc-transforms` |
//! | [`Element`] | how many bits an element has |
//! | [`parameter`] | names of tile parameters: `M<128>`, `KPack<8>` |
//! | [`Layout`], [`layout!`] | a descriptor with an element type: the front door |
//! | [`recipe`] | CK Tile's layouts by its parameter names |
//! | [`chip`] | how a chip serves the lanes of an instruction |
//! | [`access`] | which coordinate each lane touches, and where that lies in memory |
//! | [`bank`] | the bank rule, what it says of a layout ([`Verdict`]), and what the profiler should print |
//! | [`search`] | what would be free instead; the promise as a statement, [`assert_conflict_free!`] |
//! | [`exchange`] | the same layout in the words of CuTe, TMA, GMMA, Triton and CK, in and out |
//! | [`mod@emit`] | the offset as code of another language: HIP, C, WGSL, LaTeX, text |
//!
//! # Crate features
//!
//! * `proptest` (off): [`strategy`], for property tests of your own layouts.
//!   Needs std.
//! * `emit` (off): [`mod@emit`], offsets as code of other languages. Needs an allocator.
//!
//! Everything else is `no_std` without an allocator.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "emit")]
extern crate alloc;

mod element;

pub mod parameter;

mod layout;

pub mod recipe;

pub mod chip;

pub mod access;

pub mod bank;

pub mod search;

pub mod exchange;

#[cfg(feature = "emit")]
#[cfg_attr(docsrs, doc(cfg(feature = "emit")))]
pub mod emit;

pub use access::{Misfit, Pattern, Placed, Touched, addressing, pattern};
pub use bank::{Verdict, counters};
pub use chip::{Access, Evidence, Instruction, Phases, Service};
pub use element::{BF8, BF16, Bits, Element, F4, F6, F8, F16, F32, F64, I4, I8, I32};
pub use layout::Layout;
pub use search::{assertion, remedy};
pub use tiledesc_transforms::*;

/// What a kernel author types all day.
///
/// The one-letter recipe parameters `M`, `N`, `K` are not in it, so that a kernel
/// may be generic over `const K: usize`; [`layout!`](crate::layout!) knows them, and
/// `use tiledesc::recipe::{K, M}` brings them.
pub mod prelude {
    pub use crate::access::pattern::{
        Column, ColumnMajor, Diagonal, LdmatrixRows, MfmaRows, RowMajor, Strided, Whole, WmmaRows,
    };
    pub use crate::element::{BF8, BF16, Element, F4, F6, F8, F16, F32, F64, I4, I8, I32};
    pub use crate::layout::Layout;
    pub use crate::parameter::{
        BlockSize, Buffer, Buffers, KIter, KPack, MLdsLayer, MN, MPerXdl, Padding, Rep, VectorSize,
        Warps,
    };
    pub use crate::recipe;
    #[cfg(feature = "proptest")]
    pub use crate::strategy::coordinate_of;
    pub use crate::{
        assert_bijective, assert_conflict_free, assert_injective, check_conflict_free, layout,
        pattern,
    };
    pub use tiledesc_transforms::{
        Adaptor, Coordinate, CyclicShift, Descriptor, Dyn, Embed, Error, Freeze, Functor, Indexing,
        Insert, Length, Lit, Merge, Modulo, Naive, Number, Offset, Op, Packed, Pad, PassThrough,
        Plan, Replicate, RightPad, Sequence, Slice, Transformed, Unmerge, Xor, descriptor, law,
        lower, number, seq, upper,
    };
    pub use typenum::{U1, U2, U4, U8, U16, U32, U64, U128, U256};
}

/// The book's code blocks, tested as documentation.
#[cfg(doctest)]
mod book {
    macro_rules! pages {
        ($($name:ident $path:literal;)*) => {$(
            #[doc = include_str!($path)]
            mod $name {}
        )*};
    }

    pages! {
        introduction "../docs/src/introduction.md";
        page_01_numbers "../docs/src/01_numbers.md";
        page_02_sequences "../docs/src/02_sequences.md";
        page_03_transforms "../docs/src/03_transforms.md";
        page_04_adaptors "../docs/src/04_adaptors.md";
        page_05_descriptors "../docs/src/05_descriptors.md";
        page_06_layouts_and_recipes "../docs/src/06_layouts_and_recipes.md";
        page_07_patterns "../docs/src/07_patterns.md";
        page_08_banks_and_phases "../docs/src/08_banks_and_phases.md";
        page_09_verdicts "../docs/src/09_verdicts.md";
        page_10_counters "../docs/src/10_counters.md";
        page_11_adding_a_chip "../docs/src/11_adding_a_chip.md";
        page_12_linear_maps "../docs/src/12_linear_maps.md";
        page_13_proofs "../docs/src/13_proofs.md";
        page_14_emitted_code "../docs/src/14_emitted_code.md";
        from_ck "../docs/src/from_ck.md";
        from_cute "../docs/src/from_cute.md";
        from_triton "../docs/src/from_triton.md";
        terms "../docs/src/terms.md";
        cyclic_shift "../docs/src/transforms/cyclic_shift.md";
        embed "../docs/src/transforms/embed.md";
        freeze "../docs/src/transforms/freeze.md";
        functor "../docs/src/transforms/functor.md";
        indexing "../docs/src/transforms/indexing.md";
        insert "../docs/src/transforms/insert.md";
        inverse_cyclic_shift "../docs/src/transforms/inverse_cyclic_shift.md";
        left_pad "../docs/src/transforms/left_pad.md";
        merge "../docs/src/transforms/merge.md";
        modulo "../docs/src/transforms/modulo.md";
        offset "../docs/src/transforms/offset.md";
        pad "../docs/src/transforms/pad.md";
        pass_through "../docs/src/transforms/pass_through.md";
        replicate "../docs/src/transforms/replicate.md";
        right_pad "../docs/src/transforms/right_pad.md";
        slice "../docs/src/transforms/slice.md";
        unmerge "../docs/src/transforms/unmerge.md";
        xor "../docs/src/transforms/xor.md";
    }
}
