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
//! | [`Instruction`], [`target`] | how a chip serves the lanes of an access |
//! | [`Pattern`] | which coordinate each lane touches |
//! | [`bank`], [`assert_conflict_free!`] | who meets whom in which bank |
//!
//! # Crate features
//!
//! * `proptest` (off): [`strategy`], for property tests of your own layouts.
//!   Needs std; everything else is `no_std` without an allocator.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod element;

pub mod parameter;

mod layout;

pub mod recipe;

mod instruction;

pub mod target;

mod access;

pub mod bank;

mod verdict;

pub use access::{Lanes, MfmaRows, Pattern, RowMajor};
pub use element::{BF8, BF16, Bits, Element, F4, F6, F8, F16, F32, F64, I4, I8, I32};
pub use instruction::{Access, Instruction, Phases};
pub use layout::Layout;
pub use tiledesc_transforms::*;
pub use verdict::{Misfit, addresses};

/// What a kernel author types all day.
///
/// The one-letter recipe parameters `M`, `N`, `K` are not in it, so that a kernel
/// may be generic over `const K: usize`; [`layout!`](crate::layout!) knows them, and
/// `use tiledesc::recipe::{K, M}` brings them.
pub mod prelude {
    pub use crate::access::{MfmaRows, RowMajor};
    pub use crate::element::{BF8, BF16, Element, F4, F6, F8, F16, F32, F64, I4, I8, I32};
    pub use crate::layout::Layout;
    pub use crate::parameter::{
        BlockSize, Buffer, Buffers, KIter, KPack, MLdsLayer, MN, MPerXdl, Padding, Rep, VectorSize,
        Warps,
    };
    pub use crate::recipe;
    #[cfg(feature = "proptest")]
    pub use crate::strategy::coordinate_of;
    pub use crate::{assert_bijective, assert_conflict_free, assert_injective, layout};
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
