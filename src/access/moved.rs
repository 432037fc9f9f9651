//! The registers of an access, handed to the closure that moves them.
//!
//! [`Accesses::each`] gives the number of an access's first register; nothing checks what the closure does with it. Here the
//! closure gets the elements themselves:
//!
//! ```text
//!   mistake                                    with `each`              with `each_from`, `each_into`
//!   4 elements of an access of 8 are copied    half a tile, silently    not compiled: `[u16; 4]`
//!   `valid` is not asked                       other data is touched    the closure is not called
//!   a byte taken for an index                  other data is touched    `index::<u16>()`, or `byte()`
//!   the registers of another distribution      too few, or too many     not compiled: `[u16; 16]`
//! ```

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use super::accesses::Accesses;
use super::window::Window;
use crate::distribution::Distribution;
#[cfg(debug_assertions)]
use crate::distribution::refuse_swapped;
use crate::layout::Tile;
use tiledesc_transforms::{Descriptor, Number, OfRank, Rank, say};

/// The place in LDS that an access touches: the byte in an address register, and the constant that the instruction adds.
///
/// It counts from the layout's first byte. There is no way to take it for a number: say [`byte`](Self::byte) or
/// [`index`](Self::index).
///
/// ```
/// use tiledesc::access::Address;
/// use tiledesc::prelude::*;
///
/// distribution! { type Rows: m [again 2, row 64], k [half 8]; lane (row), thread (again, half); }
/// layout! { type Tile = recipe::RowMajor<F16, M<128>, K<8>>; }
/// let mut places: Vec<Address> = Vec::new();
/// Accesses::<Rows, Tile, VectorSize<8>>::each_from(0, 3, &[0u16; 16], |at, _: &[u16; 8]| places.push(at));
/// // Row 67: 1,072 bytes, of which the instruction adds 1,024.
/// assert_eq!((places[1].byte(), places[1].register(), places[1].immediate()), (1072, 48, 1024));
/// assert_eq!(places[1].index::<u16>(), 536);
/// assert_eq!(places[1].after(4096).byte(), 5168);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    register: u32,
    immediate: u32,
}

impl Address {
    pub(crate) const fn new(register: u32, immediate: u32) -> Self {
        Self { register, immediate }
    }

    /// The byte that an address register holds.
    #[inline(always)]
    #[must_use]
    pub const fn register(self) -> u32 {
        self.register
    }

    /// The bytes that the instruction adds, a constant of at most 16 bits.
    #[inline(always)]
    #[must_use]
    pub const fn immediate(self) -> u32 {
        self.immediate
    }

    /// The byte that is accessed.
    #[inline(always)]
    #[must_use]
    pub const fn byte(self) -> u32 {
        self.register + self.immediate
    }

    /// The same place in a layout that begins so many bytes further, as an [`Arena`](crate::storage::Arena) or a
    /// [`Buffered`](crate::storage::Buffered) says.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, bytes: u32) -> Self {
        Self { register: self.register + bytes, immediate: self.immediate }
    }

    /// The index in a slice of elements of this type, for tests on a CPU.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, if no such element begins there.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    #[must_use]
    pub const fn index<E>(self) -> usize {
        let (byte, size) = (self.byte() as usize, const { size_of_element::<E>() });
        #[cfg(debug_assertions)]
        if !byte.is_multiple_of(size) {
            say!(Text::new(): "no element of ", size, " bytes begins at byte ", byte).refuse()
        }
        byte / size
    }
}

/// The element of a tensor in global memory at which an access begins.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! { type Rows: m [row 64], k [half 8]; lane (row), thread (half); }
/// let window = Window::<_, Rows, VectorSize<8>>::new(Naive::rows(100, 200).whole()?)?;
/// let mut tile = [0u16; 8];
/// window.at([64, 8]).each_into(0, 3, &mut tile, |from, halves: &mut [u16; 8]| {
///     assert_eq!((from.index(), from.byte::<u16>()), (67 * 200 + 8, 2 * (67 * 200 + 8)));
///     *halves = [7; 8];
/// });
/// assert_eq!(tile, [7; 8]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorOffset(u32);

impl TensorOffset {
    /// The index of the element, counted from the tensor's first.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The byte at which it begins, of elements of this type.
    #[inline(always)]
    #[must_use]
    pub const fn byte<E>(self) -> u64 {
        self.0 as u64 * const { size_of_element::<E>() } as u64
    }
}

/// The bytes of an element; at least 1, to divide by.
const fn size_of_element<E>() -> usize {
    match size_of::<E>() {
        0 => 1,
        size => size,
    }
}

impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Accesses<T, L, P> {
    /// Calls `store` with the place and the elements of each access that the lane has, in the order of
    /// [`each`](Self::each).
    ///
    /// `registers` is all that a lane holds, and the closure takes as many elements as an access moves: any other number
    /// does not compile.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     /// A halo of 22x40 by 256 threads: 220 vectors of 4, and 36 idle threads.
    ///     type Halo:
    ///         (m, k) [wave 4, lane 64, part 4] of (22, 40);
    ///         wave (wave), lane (lane), thread (part);
    /// }
    /// layout! { type Tile = recipe::RowMajor<F16, M<22>, K<40>>; }
    /// access! { Tile on gfx942: type Stores = write ds_write_b64 by Halo }
    ///
    /// let mut lds = [0u16; 880];
    /// for (wave, lane) in (0..4).flat_map(|wave| (0..64).map(move |lane| (wave, lane))) {
    ///     Stores::each_from(wave, lane, &[7u16; 4], |at, halves: &[u16; 4]| {
    ///         lds[at.index::<u16>()..][..4].copy_from_slice(halves);
    ///     });
    /// }
    /// assert_eq!(lds, [7; 880]);
    /// ```
    ///
    /// ```compile_fail,E0080
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [row 64], k [half 8]; lane (row), thread (half); }
    /// layout! { type Tile = recipe::RowMajor<F16, M<64>, K<8>>; }
    /// Accesses::<Rows, Tile, VectorSize<8>>::each_from(0, 0, &[0u16; 8], |_, _: &[u16; 4]| ());
    /// // error: the closure takes 4 elements, but an access moves 8
    /// ```
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist, as [`each`](Self::each).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_from<E, const HELD: usize, const MOVED: usize>(
        wave: u32,
        lane: u32,
        registers: &[E; HELD],
        mut store: impl FnMut(Address, &[E; MOVED]),
    ) {
        const { Self::check_moved(HELD, MOVED) };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        Self::run::<false>(wave, lane, |register, immediate, valid, first| {
            if valid && let Some(held) = registers.get(first..).and_then(<[E]>::first_chunk) {
                store(Address { register, immediate }, held);
            }
        });
    }

    /// Calls `load` with the place and the elements of each access that the lane has, in the order of [`each`](Self::each); what
    /// it does not have, beyond the tile, becomes the default, as 0.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [again 2, row 64] of 100, k [half 8]; lane (row), thread (again, half); }
    /// layout! { type Tile = recipe::RowMajor<F16, M<100>, K<8>>; }
    /// access! { Tile on gfx942: type Loads = read ds_read_b128 by Rows }
    ///
    /// let lds: [u16; 800] = core::array::from_fn(|element| element as u16);
    /// // Lane 40 has row 40 and no row 104.
    /// let mut tile = [9; Rows::ELEMENTS];
    /// Loads::each_into(0, 40, &mut tile, |at, halves: &mut [u16; 8]| {
    ///     halves.copy_from_slice(&lds[at.index::<u16>()..][..8]);
    /// });
    /// assert_eq!(tile, [320, 321, 322, 323, 324, 325, 326, 327, 0, 0, 0, 0, 0, 0, 0, 0]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`each_from`](Self::each_from).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_into<E: Copy + Default, const HELD: usize, const MOVED: usize>(
        wave: u32,
        lane: u32,
        registers: &mut [E; HELD],
        mut load: impl FnMut(Address, &mut [E; MOVED]),
    ) {
        const { Self::check_moved(HELD, MOVED) };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        Self::run::<false>(wave, lane, |register, immediate, valid, first| {
            if let Some(held) = registers.get_mut(first..).and_then(<[E]>::first_chunk_mut) {
                match valid {
                    true => load(Address { register, immediate }, held),
                    false => *held = [E::default(); MOVED],
                }
            }
        });
    }

    /// Refuses invalid accesses, and another number of elements than a lane holds or an access moves.
    #[track_caller]
    const fn check_moved(held: usize, moved: usize) {
        Self::check();
        check_moved::<T>(held, moved, P::N);
    }
}

impl<V, T, P, const RANK: usize> Window<V, T, P, RANK>
where
    V: Descriptor,
    T: Distribution,
    P: Number,
    [u32; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
{
    /// Calls `store` with the place and the elements of each vector that is in the view, in the order of [`each`](Self::each).
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [again 2, row 64], k [half 8]; lane (row), thread (again, half); }
    /// let window = Window::<_, Rows, VectorSize<8>>::new(Naive::rows(100, 8).whole()?)?;
    /// // Lane 40 has row 40; row 104 is outside.
    /// let (tile, mut rows) = ([5u16; Rows::ELEMENTS], Vec::new());
    /// window.each_from(0, 40, &tile, |to, halves: &[u16; 8]| rows.push((to.index() / 8, *halves)));
    /// assert_eq!(rows, [(40, [5; 8])]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Another number of elements than a lane holds or a vector has does not compile.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist, as [`each`](Self::each).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_from<E, const HELD: usize, const MOVED: usize>(
        &self,
        wave: u32,
        lane: u32,
        registers: &[E; HELD],
        mut store: impl FnMut(TensorOffset, &[E; MOVED]),
    ) {
        const { Self::check_moved(HELD, MOVED) };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        self.run(wave, lane, |offset, valid, first| {
            if valid && let Some(held) = registers.get(first..).and_then(<[E]>::first_chunk) {
                store(TensorOffset(offset), held);
            }
        });
    }

    /// Calls `load` with the place and the elements of each vector that is in the view, in the order of [`each`](Self::each); what
    /// is outside becomes the default, as 0, which adds nothing to a product.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [again 2, row 64], k [half 8]; lane (row), thread (again, half); }
    /// let a: Vec<u16> = (0..800).collect();
    /// let window = Window::<_, Rows, VectorSize<8>>::new(Naive::rows(100, 8).whole()?)?;
    /// let mut tile = [9; Rows::ELEMENTS];
    /// window.each_into(0, 40, &mut tile, |from, halves: &mut [u16; 8]| {
    ///     halves.copy_from_slice(&a[from.index()..][..8]);
    /// });
    /// assert_eq!(tile, [320, 321, 322, 323, 324, 325, 326, 327, 0, 0, 0, 0, 0, 0, 0, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// As [`each_from`](Self::each_from).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_into<E: Copy + Default, const HELD: usize, const MOVED: usize>(
        &self,
        wave: u32,
        lane: u32,
        registers: &mut [E; HELD],
        mut load: impl FnMut(TensorOffset, &mut [E; MOVED]),
    ) {
        const { Self::check_moved(HELD, MOVED) };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        self.run(wave, lane, |offset, valid, first| {
            if let Some(held) = registers.get_mut(first..).and_then(<[E]>::first_chunk_mut) {
                match valid {
                    true => load(TensorOffset(offset), held),
                    false => *held = [E::default(); MOVED],
                }
            }
        });
    }

    /// Refuses vectors that a lane does not hold, and another number of elements than a lane holds or a vector has.
    #[track_caller]
    const fn check_moved(held: usize, moved: usize) {
        Self::check();
        check_moved::<T>(held, moved, Self::VECTOR);
    }
}

/// Refuses an array of another number of elements than a lane holds, and a closure that takes another number than is moved.
#[track_caller]
pub(crate) const fn check_moved<T: Distribution>(held: usize, moved: usize, wanted: u32) {
    let Ok(encoding) = &T::ENCODING else { return };
    if moved != wanted as usize {
        say!(Text::new(): "the closure takes ", moved, " elements, but an access moves ", wanted)
            .refuse()
    }
    let elements = encoding.elements();
    if held != elements as usize {
        say!(Text::new(): "the array has ", held, " elements, but a lane holds ", elements).refuse()
    }
}
