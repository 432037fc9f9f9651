//! Tensor descriptors for GPU tiles, composed as types and checked by the compiler: a layout that conflicts, overlaps or
//! overflows does not compile.
//!
//! # One tile, one phase, by hand
//!
//! A kernel keeps a tile in LDS (shared memory): an array, here of 128 x 64 halves. A *layout* maps the coordinate (m, k) to an
//! element of the array. LDS has 32 *banks*, each 4 bytes wide: dword d of memory is in bank d mod 32. One instruction is issued
//! for all lanes of a wave and served in *phases*; on gfx942 `ds_read_b128` gives 16 bytes to each of lanes 0-3 and 20-23 first.
//! **A bank hands out one dword a cycle, so a phase takes as many cycles as it wants different dwords of one bank.** That is all
//! there is to know, and the rest of this page counts it.
//!
//! The read that feeds a matrix instruction of 16 rows: lane l reads 8 halves of row l mod 16, from column 8 * (l / 16)
//! on. Stored row by row, a row is 128 bytes, all banks once, so all rows begin in bank 0. CK Tile swaps the packs of 8
//! halves within a row by an xor instead:
//!
//! ```text
//!                        row by row: 64m + k               xor: 64m + 8 ((k/8) xor (m mod 8)) + k mod 8
//!   lane   (m, k)        element   byte   banks            element   byte   banks
//!      0   (0, 0)              0      0     0-3                  0      0     0-3
//!      1   (1, 0)             64    128     0-3                 72    144     4-7
//!      2   (2, 0)            128    256     0-3                144    288    8-11
//!      3   (3, 0)            192    384     0-3                216    432   12-15
//!     20   (4, 8)            264    528     4-7                296    592   20-23
//!     21   (5, 8)            328    656     4-7                352    704   16-19
//!     22   (6, 8)            392    784     4-7                440    880   28-31
//!     23   (7, 8)            456    912     4-7                496    992   24-27
//!                        4 dwords of bank 0: 4 cycles      every bank once: 1 cycle
//! ```
//!
//! Both columns compute the right product, so only a profiler shows the difference. This crate shows it before the kernel runs: a
//! layout is a type, made of CK Tile's coordinate transforms; a *pattern* or a *distribution* gives each lane its coordinates; a
//! row of [`chip`] gives each phase its lanes; [`bank::rule`] is the sentence in bold.
//!
//! ```
//! use tiledesc::{bank::rule, chip::gfx942::ds_read_b128, prelude::*};
//!
//! layout! {
//!     pub type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
//!     /// The xor of the table: packs of 8 halves.
//!     pub type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
//! }
//!
//! // Lane 21 of the table, in elements and in bytes: the kernel's own addresses.
//! assert_eq!((Plain::at([5u32, 8]), ABlock::at([5u32, 8])), (328, 352));
//! assert_eq!(ABlock::byte_at([5u32, 8]), 704);
//!
//! // Its last line, by the rule and by the verdict of the whole tile.
//! let phase = [0, 1, 2, 3, 20, 21, 22, 23];
//! let plain = Plain::placed::<MfmaRows<16>>(&ds_read_b128)?;
//! let xor = ABlock::placed::<MfmaRows<16>>(&ds_read_b128)?;
//! assert_eq!(rule::degree(plain.touched(0)?.addresses(), &ds_read_b128, 0, &phase, 32), 4);
//! assert_eq!(rule::degree(xor.touched(0)?.addresses(), &ds_read_b128, 0, &phase, 32), 1);
//! assert_eq!((plain.verdict()?.degree(), xor.verdict()?.degree()), (4, 1));
//! # Ok::<(), tiledesc::access::AccessError>(())
//! ```
//!
//! # The statement
//!
//! You state what a kernel does with a tile, and the compiler proves it, or the build stops:
//!
//! ```
//! use tiledesc::prelude::*;
//!
//! layout! { pub type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
//! assert_conflict_free! {
//!     ABlock on gfx942:
//!         write ds_write_b128 by RowMajor,
//!         read  ds_read_b128  by MfmaRows<16>,
//! }
//! ```
//!
//! For the tile stored row by row the error names lanes, bank and remedy:
//!
//! ```compile_fail
//! use tiledesc::prelude::*;
//!
//! layout! { type Plain = recipe::RowMajor<F16, M<128>, K<64>>; }
//! assert_conflict_free! { Plain on gfx942: read ds_read_b128 by MfmaRows<16> }
//! // error: Plain: ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0:
//! // lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0
//! // Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; or a row pad of 16 elements, ..
//! ```
//!
//! # What this crate does not do
//!
//! * It writes no kernels and launches nothing. It gives a kernel its addresses, and judges them.
//! * It predicts no time. A verdict counts the cycles of the banks for one instruction of one wave; other waves, latency
//!   and arbitration are the profiler's.
//! * It knows no more of a chip than the sources of its rows: each row of [`chip`] says whether it was measured,
//!   documented or inferred.
//! * It does not know whether a kernel does what was stated. Let one [`mod@distribution`] say both, or let `tiledesc audit`
//!   read what was compiled.
//! * It searches only a short list in the compiler; the crate `tiledesc-host` and the command `tiledesc find` search to the
//!   end.
//!
//! # Installing
//!
//! ```text
//! cargo add tiledesc                       # once it is on crates.io
//! cargo add tiledesc --path ../tiledesc    # from a checkout
//! ```
//!
//! Stable Rust, 1.95 or later. `no_std` without an allocator and without `unsafe`; a build is seven
//! more crates: `typenum`, `generic-array`, `num-traits`, two that these need, and two of our own.
//!
//! # Where to go next
//!
//! | you want to | look at |
//! |---|---|
//! | take a layout that CK Tile ships | [`recipe`] |
//! | compose one of your own | [`descriptor!`], [`layout!`], [`Layout`] |
//! | prove it | [`assert_conflict_free!`], [`assert_bijective!`], [`assert_injective!`] |
//! | have it found: the layout of the fewest cycles for what a kernel does | [`synthesize!`], [`search`] |
//! | see the numbers: degree, cycles, a profiler's counters | [`Layout::verdict`], [`bank::Verdict`], `tiledesc_host::counters` |
//! | say what your lanes hold, for the kernel and the verdict | [`mod@distribution`], [`distribution!`] |
//! | say what your lanes touch | [`mod@pattern`], [`pattern!`] |
//! | multiply what your lanes hold, by matrix instructions | [`product!`] |
//! | add a chip | [`chip`], [`chip::Instruction`] |
//! | know how many cache lines a load touches, or refuse what touches more | [`assert_coalesced!`], [`access::Window::coalescing`], [`chip::Lines`] |
//! | load a tile straight to LDS, without registers | [`assert_direct_load!`], [`direct_load!`], [`direct`] |
//! | move tiles in a kernel: global memory, registers, LDS | [`access::Window`], [`access!`], [`access::Accesses`], [`storage`] |
//! | move a tile from one distribution to another through LDS | [`convert!`], `tiledesc_host::conversion` |
//! | address global memory of run-time lengths | [`Naive`], [`Dyn`](struct@Dyn), [`Coordinate`] |
//! | read or write CuTe's, Triton's, TMA's words | `tiledesc_host::exchange` |
//! | print the offset, or a header of addresses, as C, HIP, CUDA, WGSL, GLSL, MSL | `tiledesc_host::emit` |
//! | see it: banks by phase, the tile, LDS line by line | `tiledesc_host::plot` |
//! | test a layout of your own | [`law`], `tiledesc_proptest` |
//!
//! The book is the folder `docs` of the package: `mdbook serve docs`, or as plain text from
//! `docs/src/introduction.md`. It begins with a door for each reader (a slow kernel, a compiled one, Rust, HIP and CUDA,
//! Python, the browser) and ends with the reference; readers of CK Tile, CuTe and Triton have a chapter each.
//!
//! # Modules
//!
//! Coordinates below, hardware above. A file uses only files of its own room or of rooms before it.
//!
//! | module | concept |
//! |---|---|
//! | [`mod@number`], [`sequence`], [`Transform`], [`Adaptor`], [`Descriptor`], [`Plan`], [`law`] | coordinates: re-exported from `tiledesc-transforms` |
//! | [`Element`] | how many bits an element has, and what holds it |
//! | [`Layout`], [`Recipe`], [`layout!`] | a descriptor with an element type: the front door |
//! | [`recipe`] | CK Tile's layouts by its parameter names |
//! | [`mod@distribution`] | which lane of which wave holds which elements of a tile |
//! | [`mod@pattern`] | which coordinate each lane touches in one instruction |
//! | [`matrix`] | what lanes hold of the operands of matrix instructions |
//! | [`chip`] | how a chip serves the lanes of an instruction |
//! | [`warp_gemm`] | a chip's matrix instructions: their operands, and the reads that feed them |
//! | [`mod@access`] | both laid over a layout: the byte address of each lane, and a kernel's accesses |
//! | [`direct`] | loads from memory to LDS without registers |
//! | [`bank`] | the bank rule, what it says of a layout ([`bank::Verdict`]), and what the profiler should print |
//! | [`search`] | a tile and its accesses as a question; the short list of layouts that the compiler tries. `tiledesc-host` searches to the end |
//! | [`statement`] | the promise as a statement, [`assert_conflict_free!`] and [`synthesize!`] |
//! | [`storage`] | the LDS of a kernel: tiles twice, places for all that lives at one time |
//!
//! The crate is `no_std` without an allocator, and has no features.
//!
#![no_std]

#[cfg(test)]
extern crate alloc;

mod element;

// Its names are shown where they are used, in `recipe`.
#[doc(hidden)]
pub mod parameter;

// Its names are the front door and stand here.
#[doc(hidden)]
pub mod layout;

#[doc(alias = "swizzle")]
#[doc(alias = "padding")]
pub mod recipe;

pub mod distribution;

pub mod pattern;

pub mod matrix;

pub mod chip;

pub mod warp_gemm;

pub mod access;

pub mod direct;

#[doc(alias = "conflict")]
pub mod bank;

pub mod search;

pub mod statement;

pub mod storage;

pub use element::{
    BF8, BF16, Bits, Complex64, Complex128, ELEMENTS, Element, ElementName, F4, F6, F8, F16, F32,
    F64, I4, I8, I16, I32, I64,
};
pub use layout::{Layout, LayoutOf, Mapping, MayOverlap, RankedTile, Recipe, Tile};

/// The coordinate half as a whole: the items that are here at the root, and the machinery of ranks, wiring and lists below it,
/// for code that is generic over descriptors.
///
/// ```
/// use tiledesc::{prelude::*, transforms::MultiIndex};
///
/// /// Coordinates of a descriptor of any rank, padding included.
/// fn coordinates<D: Descriptor>(descriptor: &D) -> u32 {
///     let lengths: MultiIndex<D::Rank> = descriptor.lengths();
///     lengths.iter().product()
/// }
/// assert_eq!(coordinates(&Packed::new([Dyn(7), Dyn(13)])?), 91);
/// # Ok::<(), tiledesc::Error>(())
/// ```
pub use tiledesc_transforms as transforms;

#[doc(hidden)]
pub use tiledesc_macros::{
    accesses as __accesses, assertions as __assertions, checks as __checks,
    coalesced_assertions as __coalesced_assertions, coalesced_checks as __coalesced_checks,
    conversions as __conversions, declarations as __declarations,
    direct_assertions as __direct_assertions, direct_checks as __direct_checks,
    direct_loads as __direct_loads, distributions as __distributions, layouts as __layouts,
    patterns as __patterns, point as __point, products as __products,
};
// Numbers, and what computes with indices.
pub use tiledesc_transforms::{
    Dyn, Extent, Index, Length, List, Lit, Number, NumberError, Sequence, number, seq, sequence,
};
// The transforms.
pub use tiledesc_transforms::{
    Checked, CyclicShift, Embed, Freeze, Function, Functor, Indexing, Insert, InverseCyclicShift,
    LeftPad, LinearBits, Merge, Modulo, Offset, Op, Pad, PassThrough, Replicate, RightPad, Slice,
    Transform, Unchecked, Unmerge, Xor, XorBits,
};
// What they compose to, as types.
/// What a layout may be made of, [`Layout`] with an element:
///
/// ```
/// use tiledesc::prelude::*;
///
/// descriptor! {
///     /// 128 rows of 64 in packs of 8, xor-ed with the row.
///     pub type Swizzled<M>:
///         naive [M, 8, 8] strides [64, 8, 1];
///         xor[M, 8] (0, 1) -> (0, 1),   pass[8] (2) -> (2);
///         pass[M] (0) -> (0),           merge[8, 8] (1, 2) -> (1);
/// }
/// layout! { type Tile = Layout<F16, Swizzled<U128>>; }
/// assert_eq!(Tile::offset([3, 17]), 3 * 64 + (2 ^ 3) * 8 + 1);
/// // And a plan of run-time numbers.
/// assert_eq!(Swizzled([128])?.offset(&[3, 17])?, 201);
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[doc(inline)]
pub use tiledesc_transforms::descriptor;
pub use tiledesc_transforms::{
    Adaptor, Aligned, Chained, Coordinate, Descriptor, Naive, NaiveWithOffset, Packed,
    PackedWithOffset, Ranked, SingleStage, Transformed, lower, offset_of, upper,
};
// And as data.
pub use tiledesc_transforms::{Digits, Error, Linear, Node, Numbered, Plan, Position, Vector, law};

/// The names that kernel authors use most. (How to install the crate: [here](crate#installing).)
///
/// The recipe parameters `M`, `N`, `K` are not in it, so that a kernel
/// may be generic over `const K: usize`, nor is `MN`, which rustc would suggest for each of them;
/// [`layout!`](crate::layout!) knows all four, and `use tiledesc::recipe::{K, M}` brings them. The numbers `U1` to `U1024` are
/// [`Lit<1>`](crate::Lit) to `Lit<1024>`, and no types of `typenum`, which are a rank's. Nor does it have words that other crates use, too, because a second
/// glob would make them ambiguous: [`Error`], [`Op`], [`Offset`], [`Slice`] and [`Xor`] are at the root, `Buffer` is in
/// [`recipe`].
#[doc(alias = "install")]
#[doc(alias = "getting started")]
pub mod prelude {
    pub use crate::access::{Accesses, MayBeRefused as _, Window};
    pub use crate::bank::Judge;
    pub use crate::direct::DirectLoads as _;
    pub use crate::distribution::{Distribution, Encoded};
    pub use crate::element::{
        BF8, BF16, Element, F4, F6, F8, F16, F32, F64, I4, I8, I16, I32, I64,
    };
    pub use crate::layout::{Layout, LayoutOf, Mapping, RankedTile};
    pub use crate::parameter::literals::*;
    pub use crate::parameter::{
        BlockSize, Buffers, Every, KIter, KPack, LinePacks, Lines, MLdsLayer, MPerXdl, Padding,
        Rep, VectorSize, Warps,
    };
    pub use crate::pattern::{
        Column, ColumnMajor, Diagonal, First, LdmatrixRows, MfmaRows, RowMajor, Split, Strided,
        WmmaRows,
    };
    pub use crate::recipe;
    pub use crate::warp_gemm::Product as _;
    pub use crate::{
        access, assert_bijective, assert_coalesced, assert_conflict_free, assert_direct_load,
        assert_injective, check_coalesced, check_conflict_free, check_direct_load, convert,
        descriptor, direct_load, distribution, layout, lists, pattern, product, synthesize,
    };
    pub use tiledesc_transforms::{
        Adaptor, Coordinate, CyclicShift, Descriptor, Dyn, Embed, Freeze, Functor, Indexing,
        Insert, Length, LinearBits, Lit, Merge, Modulo, Naive, Number, Packed, Pad, PassThrough,
        Plan, Ranked, Replicate, RightPad, Sequence, Transformed, Unmerge, XorBits, law, lower,
        number, seq, upper,
    };
}

/// The code blocks of the README and of the book, tested as documentation.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../README.md")]
    mod readme {}

    tiledesc_macros::each! {
        introduction, slow_kernel, does_it_matter, compiled_kernel, tutorial, command_line, hip_kernel,
        from_python, explorer, transforms, descriptors, layouts_and_recipes, patterns, banks_and_phases,
        verdicts, counters, adding_a_chip, linear_maps, proofs, emitted_code, distributions,
        windows_and_accesses, direct_loads, which_layout, conversions, cubecl, from_ck, claims, from_cute,
        from_triton, glossary, sources, asked:
        #[doc = include_str!(concat!("../docs/src/", stringify!(#), ".md"))]
        mod # {}
    }

    tiledesc_macros::each! {
        cyclic_shift, embed, freeze, functor, indexing, insert, inverse_cyclic_shift, left_pad, linear_bits,
        merge, modulo, offset, pad, pass_through, replicate, right_pad, slice, unmerge, xor, xor_bits:
        #[doc = include_str!(concat!("../docs/src/transforms/", stringify!(#), ".md"))]
        mod # {}
    }
}
