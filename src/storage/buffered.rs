//! Copies of a layout, one after another: one is filled while the other is read.
//!
//! ```text
//!   Buffered<RowPad<F16, M<128>, K<64>, Padding<4>>, U2>      17400 bytes each
//!
//!   buffer 0        0 .. 17400
//!   buffer 1    17408 .. 34808      at a multiple of 16
//! ```
//!
//! What is proven of the layout holds in every buffer. Its addresses there are the same and a
//! constant; a constant that is a multiple of a dword turns the banks in a circle, all lanes alike,
//! and one that is a multiple of the access leaves it aligned. A statement about a `Buffered`
//! checks both for each of its instructions, and that all buffers fit:
//!
//! ```
//! use tiledesc::prelude::*;
//! use tiledesc::storage::Buffered;
//!
//! layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
//! assert_conflict_free! {
//!     Buffered<ABlock, U2> on gfx942:
//!         write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
//! }
//! ```

use super::error::StorageError;
use super::judged::{Judged, alike};
use super::stored::{Size, Stored};
use crate::chip::instruction::Instruction;
use crate::element::Element;
use crate::layout::{Dimensions, Tile, byte_of_type, check, known};
use core::marker::PhantomData;
use tiledesc_macros::Phantom;
use tiledesc_transforms::{
    Error, Extent, Index, List, Lit, Node, Number, OfRank, Op, Plan, attempt,
};

/// `N` copies of a layout, each at a multiple of `A` bytes: a double-buffered tile, an operand
/// that is fetched three steps ahead. It is named by a plain `type`.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc::storage::Buffered;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// type A = Buffered<ABlock, U2>;
///
/// fn address(step: u32, m: u32, k: u32) -> u32 {
///     A::byte_at(step % 2, [m, k])
/// }
/// assert_eq!((A::BYTES, A::DISTANCE), (32768, 16384));
/// assert_eq!(address(3, 3, 17), 16384 + 402);
/// // Where buffer 1 begins, for loads that count from there.
/// assert_eq!(A::begin_of(1_u32), 16384);
/// // All of it as one layout of three dimensions.
/// assert_eq!(A::plan()?.offset(&[1, 3, 17]), Ok(8192 + 201));
/// # Ok::<(), tiledesc::storage::StorageError>(())
/// ```
#[derive(Phantom)]
pub struct Buffered<T, N, A = Lit<16>>(PhantomData<(T, N, A)>);

impl<T: Tile, N: Number, A: Number> Judged for Buffered<T, N, A> {
    type Tile = T;
    const BUFFERS: Option<u32> = Some(N::N);
}

impl<T: Tile, N: Number, A: Number> Stored for Buffered<T, N, A> {
    const SIZE: Result<Size, StorageError> = match (T::SIZE, N::FAULT, A::FAULT) {
        (Ok(size), None, None) => match size.aligned(A::N as u64) {
            Ok(size) => size.times(N::N),
            Err(error) => Err(error),
        },
        (_, Some(fault), _) | (_, _, Some(fault)) => {
            Err(StorageError::Layout(Error::Number(fault)))
        }
        (Err(error), ..) => Err(error),
    };
    const LAYOUT: Option<(&'static Plan, u32)> = T::LAYOUT;
}

impl<T: Tile, N: Number, A: Number> Buffered<T, N, A> {
    const SOUND: Size = match Self::SIZE {
        Ok(size) => size,
        Err(error) => error.refuse(""),
    };

    /// [`DISTANCE`](Self::DISTANCE), 0 of what is refused.
    const APART: u32 = match Self::SIZE {
        Ok(size) => size.distance(),
        Err(_) => 0,
    };

    /// The number of buffers.
    pub const BUFFERS: u32 = N::N;
    /// Bytes from one buffer to the next.
    pub const DISTANCE: u32 = Self::SOUND.distance();
    /// Bytes of all buffers, to the end of the last element.
    pub const BYTES: u32 = Self::SOUND.bytes();

    /// Refuses invalid buffers, or a layout that overlaps itself, on the caller's line, under
    /// `name`. A statement about a `Buffered` does so by itself.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc::recipe::{K, M};
    /// use tiledesc::storage::Buffered;
    ///
    /// fn distance<const STAGES: usize>() -> u32 {
    ///     type Tile<N> = Buffered<recipe::RowMajor<F16, M<128>, K<64>>, N>;
    ///     const { Tile::<Lit<STAGES>>::check("Tile") };
    ///     Tile::<Lit<STAGES>>::DISTANCE
    /// }
    /// // Of `distance::<0>()` the compiler says "Tile: 0 buffers: at least one is needed".
    /// assert_eq!(distance::<3>(), 16_384);
    /// ```
    ///
    /// # Panics
    ///
    /// With the sentence of the [`StorageError`] or of the layout's error.
    #[track_caller]
    pub const fn check(name: &str) {
        check::<T>(name);
        if let Err(error) = Self::SIZE {
            error.refuse(name)
        }
    }

    /// The byte at which a buffer begins, from the first one's; a release build checks nothing. What
    /// [`check`](Self::check) refuses is an error of `cargo build`; in generic code `cargo check` does not see it.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of an integer that is not the number of a buffer: of a step without its
    /// `% 2`.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    pub fn begin_of<I: Index>(buffer: I) -> I {
        const { Self::check("") };
        #[cfg(debug_assertions)]
        refuse_absent(&buffer, Self::BUFFERS);
        buffer.mul(Extent::constant(Self::APART))
    }

    /// The byte at which the element of a coordinate begins in a buffer, for kernels; a release
    /// build checks nothing. See [`Layout::byte_at`](crate::Layout::byte_at); seen by `cargo build` only, as
    /// what [`begin_of`](Self::begin_of) refuses.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of an index of integers that is out of range or in padding, and as
    /// [`begin_of`](Self::begin_of).
    #[inline(always)]
    #[track_caller]
    #[must_use]
    pub fn byte_at<I: Index, const R: usize>(buffer: I, index: [I; R]) -> I
    where
        T: Tile<Descriptor: Default>,
        [I; R]: OfRank<Dimensions<T>>,
    {
        const { Self::check("") };
        #[cfg(debug_assertions)]
        refuse_absent(&buffer, Self::BUFFERS);
        let begin = buffer.mul(Extent::constant(Self::APART));
        begin.add(&byte_of_type::<T::Descriptor, I, R>(index, T::Element::BITS))
    }

    /// Checks that an instruction does to all buffers what it does to one: as many conflicts, aligned.
    ///
    /// ```
    /// use tiledesc::chip::gfx942::{ds_read_b64, ds_read_b128};
    /// use tiledesc::prelude::*;
    /// use tiledesc::storage::Buffered;
    ///
    /// // 17400 bytes, packed to 8.
    /// type Rows = Buffered<recipe::RowPad<F16, U128, U64, U4>, U2, U8>;
    /// assert_eq!(Rows::are_alike(&ds_read_b64), Ok(()));
    /// assert_eq!(
    ///     Rows::are_alike(&ds_read_b128).unwrap_err().to_string(),
    ///     "the buffers are 17400 bytes apart, which is not a multiple of 16: buffer 1 is misaligned",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// [`StorageError::Apart`] and [`StorageError::Unaligned`] of buffers that do not begin as the instruction
    /// wants them; [`StorageError::Memory`] if the chip's does not hold all of them.
    pub const fn are_alike(instruction: &Instruction) -> Result<(), StorageError> {
        alike(Self::SIZE, N::N, instruction)
    }

    /// All buffers as one layout, the buffer its first index: for proofs, pictures, other languages.
    ///
    /// # Errors
    ///
    /// What is wrong with the layout or the buffers; [`StorageError::Fraction`] of elements between
    /// buffers.
    pub const fn plan() -> Result<Plan, StorageError> {
        let one = attempt!(known::<T>() => StorageError::Layout);
        let (size, bits) = (attempt!(Self::SIZE), T::Element::BITS);
        let distance = size.distance() as u64 * 8;
        if !distance.is_multiple_of(bits as u64) {
            return Err(StorageError::Fraction { distance: size.distance(), bits });
        }
        let distance = (distance / bits as u64) as u32;
        match copies(one, N::N, distance) {
            Ok(plan) => Ok(plan),
            Err(error) => Err(StorageError::Layout(error)),
        }
    }
}

/// Refuses a buffer that does not exist, in debug builds: kernels leave this to their caller.
#[cfg(debug_assertions)]
#[track_caller]
fn refuse_absent<I: Index>(buffer: &I, buffers: u32) {
    if let Some(number) = buffer.number().filter(|number| *number >= u64::from(buffers)) {
        panic!(
            "buffer {number} does not exist: the number of buffers is {buffers}; is `% {buffers}` missing?"
        );
    }
}

/// The graph of a layout over a further dimension, the first: copies that are `distance` elements apart.
const fn copies(one: &Plan, copies: u32, distance: u32) -> Result<Plan, Error> {
    let space = one.element_space() + one.origin() as u64;
    let (offset, copy) = (one.hidden_count() as u32, one.hidden_count() as u32 + 1);
    let lengths = List::pair(copies, space as u32);
    let over = Op::Embed { lengths, strides: List::pair(distance, 1) };
    let mut nodes = [Node { op: over, lower: List::new(&[0]), upper: List::pair(copy, offset) };
        Plan::MOST_NODES];
    let mut i = 0;
    while i < one.nodes().len() {
        let Node { op, lower, upper } = one.nodes()[i];
        if i + 1 == Plan::MOST_NODES {
            let (what, most) = ("transforms", Plan::MOST_NODES as u32);
            return Err(Error::TooLarge { what, most });
        }
        nodes[i + 1] = Node { op, lower: above(lower, offset), upper };
        i += 1;
    }
    let top = attempt!(List::new(&[copy]).concat(&one.top()) => Error::Number);
    Plan::graph(&[0], nodes.split_at(i + 1).0, top.as_slice())
}

/// Returns the ids with `offset` in place of 0, the memory, which is one dimension of it now.
const fn above(mut ids: List, offset: u32) -> List {
    let mut i = 0;
    while i < ids.len() {
        if ids.at(i) == 0 {
            ids = ids.with(i, offset);
        }
        i += 1;
    }
    ids
}
