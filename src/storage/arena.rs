//! Places in memory for all that lives at the same time.
//!
//! ```text
//!   Arena::on(&gfx942)                 0        16384      32768     40960
//!       .holds::<A>("a")               aaaaaaaaaa
//!       .holds::<B>("b")               aaaaaaaaaabbbbbbbbbb
//!       .drops("a")                              bbbbbbbbbb
//!       .holds::<S>("sums")            sssss     bbbbbbbbbb
//!       .then()
//!       .holds::<C>("c")               cccccccccccccccccccccccccc
//! ```
//!
//! It is read as a program: what is held lives until it is dropped, and each place is the first that is free and long enough. So
//! the order determines what shares memory with what, and the reader sees it. Nothing is moved, and no order is searched for.

use super::accessing::Accessing;
use super::error::StorageError;
use super::stored::{Size, Stored};
use crate::chip::Chip;
use crate::layout::{Apart, Sampled};
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{Plan, attempt};

/// The memory of a block on a chip, and the buffers placed in it.
///
/// It is a constant: what it refuses does not compile. A constant of a generic type is judged where it is used, so an `Arena`
/// that no function of the kernel names is not judged at all: use it where everything is placed, as here.
///
/// ```
/// use tiledesc::chip::gfx942;
/// use tiledesc::prelude::*;
/// use tiledesc::recipe::{K, M, N};
/// use tiledesc::storage::{Arena, Buffered};
///
/// /// A kernel for any block: A and B twice, and C in their place.
/// struct Gemm<const BM: usize, const BN: usize, const BK: usize>;
///
/// impl<const BM: usize, const BN: usize, const BK: usize> Gemm<BM, BN, BK> {
///     /// While the product is formed, and behind it: a constant each, so that neither is asked for what lives in the other.
///     const LOOP: Arena = Arena::on(&gfx942)
///         .holds::<Buffered<recipe::GemmXor<F16, M<BM>, K<BK>, KPack<8>>, U2>>("a")
///         .holds::<Buffered<recipe::GemmXor<F16, M<BN>, K<BK>, KPack<8>>, U2>>("b");
///     const END: Arena = Self::LOOP.then().holds::<recipe::CShuffle<F16, M<BM>, N<BN>>>("c");
///     const A: u32 = Self::LOOP.at("a");
///     const B: u32 = Self::LOOP.at("b");
///     const C: u32 = Self::END.at("c");
///     const BYTES: u32 = Self::END.bytes();
/// }
/// type Large = Gemm<128, 128, 64>;
/// assert_eq!((Large::A, Large::B, Large::C, Large::BYTES), (0, 32768, 0, 65536));
/// // Of a small k, C is the larger one.
/// type Flat = Gemm<256, 128, 16>;
/// assert_eq!((Flat::B, Flat::C, Flat::BYTES), (16384, 0, 65536));
/// ```
///
/// More than the chip has does not compile, on the line of what has no place:
///
/// ```compile_fail
/// use tiledesc::prelude::*;
/// use tiledesc::storage::{Arena, Buffered};
///
/// type A = recipe::RowMajor<F16, U128, U64>;
/// const LDS: Arena = Arena::on(&tiledesc::chip::gfx942)
///     .holds::<Buffered<A, U4>>("a")
///     .holds::<A>("b");
/// // error: b does not fit: it would take bytes 65536 to 81919, but gfx942 has 65536 (1 other buffer is live)
/// # fn main() { let _ = LDS; }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arena {
    chip: &'static str,
    memory: u32,
    /// From `count` on nothing lives.
    held: [Allocation; Self::MOST],
    count: usize,
    bytes: u32,
}

/// A name that has a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Allocation {
    name: &'static str,
    begin: u32,
    size: Size,
    lives: bool,
    /// In which it is held, with the bits of an element; `None` of bytes.
    layout: Option<(&'static Plan, u32)>,
}

impl Allocation {
    const NOTHING: Self =
        Self { name: "", begin: 0, size: Size::new(0), lives: false, layout: None };

    const fn end(&self) -> u64 {
        self.begin as u64 + self.size.bytes() as u64
    }

    /// Refuses accesses of another layout of as many bytes than it is held in; bytes are held in none.
    const fn is_in(&self, accessed: &'static Sampled, bytes: u32) -> Result<(), StorageError> {
        let Some((plan, bits)) = self.layout else { return Ok(()) };
        let (name, held, tile) = (self.name, plan.lengths(), accessed.lengths());
        if tile.is_empty() || bytes != self.size.of_one() {
            return Ok(());
        }
        if !held.is_same(tile) {
            return Err(StorageError::OtherTile { name, held, accessed: tile });
        }
        match Sampled::of_plan(plan, bits).apart(accessed) {
            Some(Apart { coordinate, bits }) => {
                Err(StorageError::OtherLayout { name, coordinate, bits })
            }
            None => Ok(()),
        }
    }
}

impl Arena {
    /// The largest number of buffers that one holds, one after another.
    pub const MOST: usize = 32;

    /// The memory of a block on a chip, empty.
    #[must_use]
    pub const fn on(chip: &Chip) -> Self {
        Self::new(chip.name(), chip.lds())
    }

    /// This many bytes of memory, under a name, for a block that leaves the rest to another one.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    /// use tiledesc::storage::{Arena, Size};
    ///
    /// // Two blocks at a time.
    /// const HALF: Arena = Arena::new("half of gfx942", gfx942.lds() / 2);
    /// let error = HALF.with("a", Size::new(40_000)).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "a does not fit: it would take bytes 0 to 39999, but half of gfx942 has 32768",
    /// );
    /// ```
    #[must_use]
    pub const fn new(name: &'static str, memory: u32) -> Self {
        let held = [Allocation::NOTHING; Self::MOST];
        Self { chip: name, memory, held, count: 0, bytes: 0 }
    }

    /// The names of what has or had a place, each with the byte at which it begins.
    ///
    /// ```
    /// use tiledesc::storage::Arena;
    ///
    /// const LDS: Arena = Arena::on(&tiledesc::chip::gfx942).holds_bytes("a", 16384).holds_bytes("b", 8192);
    /// assert_eq!(LDS.places().collect::<Vec<_>>(), [("a", 0), ("b", 16384)]);
    /// ```
    pub fn places(&self) -> impl Iterator<Item = (&'static str, u32)> {
        self.held[..self.count].iter().map(|held| (held.name, held.begin))
    }

    /// Returns the arena with one more held: at the first place that is free for all of it.
    ///
    /// # Errors
    ///
    /// [`StorageError`]: no such place, a name that another has, more than 32; copies that do not all begin
    /// where the first one may.
    pub const fn with(mut self, name: &'static str, size: Size) -> Result<Self, StorageError> {
        if self.count == Self::MOST {
            return Err(StorageError::TooMany { most: Self::MOST as u32 });
        }
        if self.find(name).is_some() {
            return Err(StorageError::SameName { name });
        }
        let (byte, alignment) = (size.distance(), size.alignment() as u64);
        if !(byte as u64).is_multiple_of(alignment) {
            return Err(StorageError::Misplaced { name, distance: byte, alignment });
        }
        let begin = self.first_free(&size);
        let end = begin + size.bytes() as u64;
        if end > self.memory as u64 {
            let (bytes, others, memory) = (size.bytes(), self.living(), self.memory);
            let chip = self.chip;
            return Err(StorageError::Full { name, bytes, begin, others, chip, memory });
        }
        let (begin, layout) = (begin as u32, None);
        self.held[self.count] = Allocation { name, begin, size, lives: true, layout };
        self.count += 1;
        self.bytes = if end as u32 > self.bytes { end as u32 } else { self.bytes };
        Ok(self)
    }

    /// Returns the arena with a layout held, or [`Buffered`](super::Buffered) ones.
    ///
    /// # Panics
    ///
    /// On the caller's line, with the sentence of [`with`](Self::with).
    #[must_use]
    #[track_caller]
    pub const fn holds<T: Stored>(self, name: &'static str) -> Self {
        match T::SIZE {
            Ok(size) => self.or_refuse(name, size).in_layout(T::LAYOUT),
            Err(error) => error.refuse(name),
        }
    }

    /// Returns the arena with what was held last in a layout.
    const fn in_layout(mut self, layout: Option<(&'static Plan, u32)>) -> Self {
        self.held[self.count - 1].layout = layout;
        self
    }

    /// Returns the arena with the accesses of what was held last: it begins where all of these accesses are what was judged of
    /// them. Without it, what is held begins at a multiple of 16 bytes.
    ///
    /// The needs are collected from each of them: aligned addresses, banks, and what an xor of addresses needs
    /// ([`Addressing::alignment`](crate::access::Addressing::alignment)). Copies must be so far apart, too.
    ///
    /// ```
    /// use tiledesc::access::Accesses;
    /// use tiledesc::distribution::ThreadRaked;
    /// use tiledesc::prelude::*;
    /// use tiledesc::storage::{Arena, Buffered};
    ///
    /// layout! {
    ///     type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    ///     type Rows = recipe::RowPad<F16, M<64>, K<64>, Padding<8>>;
    /// }
    /// type Fetch = ThreadRaked<U128, U64, U8, U4>;
    ///
    /// const LDS: Arena = Arena::on(&tiledesc::chip::gfx942)
    ///     .holds_bytes("flags", 42)
    ///     // Declared for vectors of 8 bytes, and stored to by 16.
    ///     .holds::<Buffered<Rows, U2, U8>>("rows")
    ///     .accessed_by::<Accesses<ThreadRaked<U64, U64, U8, U2>, Rows, VectorSize<8>>>()
    ///     // Stores that are one xor of bits up to 256 apart.
    ///     .holds::<Buffered<ABlock, U2>>("a")
    ///     .accessed_by::<Accesses<Fetch, ABlock, VectorSize<8>>>();
    /// assert_eq!((LDS.at("flags"), LDS.at("rows"), LDS.at("a")), (0, 48, 18_944));
    /// assert_eq!(LDS.at("a") % 512, 0);
    /// ```
    ///
    /// # Panics
    ///
    /// On the caller's line: with the sentence of [`with_accesses`](Self::with_accesses), or of accesses that
    /// cannot be; of accesses of another layout than the one that is held, though it has as many bytes. What is meant to be seen
    /// in several layouts is held as bytes.
    ///
    /// ```compile_fail,E0080
    /// use tiledesc::distribution::ThreadRaked;
    /// use tiledesc::prelude::*;
    /// use tiledesc::storage::Arena;
    ///
    /// type Rows = recipe::RowMajor<F16, U128, U64>;
    /// type ABlock = recipe::GemmXor<F16, U128, U64, U8>;
    /// type Stores = Accesses<ThreadRaked<U128, U64, U8, U4>, ABlock, VectorSize<8>>;
    /// const LDS: Arena = Arena::on(&tiledesc::chip::gfx942).holds::<Rows>("a").accessed_by::<Stores>();
    /// // a is accessed in another layout than it is held in: (127, 63) is at byte 16382 of the one, at 16270 of the other; hold
    /// // what is accessed, or bytes: `holds_bytes`
    /// # fn main() { let _ = LDS; }
    /// ```
    #[must_use]
    #[track_caller]
    pub const fn accessed_by<A: Accessing>(self) -> Self {
        match &A::NEEDS {
            Ok(needs) => match self.with_accesses(*needs) {
                Ok(arena) => {
                    if let Err(error) = arena.held[arena.count - 1].is_in(A::SAMPLED, needs.bytes())
                    {
                        error.refuse("")
                    }
                    arena
                }
                Err(error) => error.refuse(""),
            },
            Err(text) => text.refuse(),
        }
    }

    /// Returns the arena with the needs of accesses to what was held last: so many bytes, at a multiple of so many.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    /// use tiledesc::storage::{Arena, Size};
    ///
    /// let twice = Size::new(40).aligned(8)?.times(2)?;
    /// let arena = Arena::on(&gfx942).with("flags", Size::new(4))?.with("a", twice)?;
    /// assert_eq!(arena.at("a"), 8);
    /// // Vectors of 8 bytes may begin there; those of 16 may in the first copy alone.
    /// let said = |needs| arena.with_accesses(needs).map(|arena| arena.at("a"));
    /// assert_eq!(said(Size::new(40).aligned(8)?), Ok(8));
    /// assert_eq!(
    ///     said(Size::new(40)).unwrap_err().to_string(),
    ///     "a has copies 40 bytes apart, which is not a multiple of 16: write `Buffered<_, _, Lit<16>>`",
    /// );
    /// # Ok::<(), tiledesc::storage::StorageError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`StorageError::Misplaced`] of copies at other distances, [`StorageError::Small`] if the accesses are of a larger layout,
    /// [`StorageError::NothingHeld`] before anything is held and after that was dropped; what [`with`](Self::with) refuses of the
    /// place that it then has.
    pub const fn with_accesses(mut self, needs: Size) -> Result<Self, StorageError> {
        let Some(last) = self.count.checked_sub(1) else { return Err(StorageError::NothingHeld) };
        let Allocation { name, size, lives, layout, .. } = self.held[last];
        if !lives {
            return Err(StorageError::NothingHeld);
        }
        let (bytes, wanted) = (size.of_one(), needs.bytes());
        if wanted > bytes {
            return Err(StorageError::Small { name, bytes, wanted });
        }
        if needs.alignment() <= size.alignment() {
            return Ok(self);
        }
        // It gives up its place, and takes the first that is free for the stricter size.
        self.held[last] = Allocation::NOTHING;
        self.count = last;
        let arena = attempt!(self.with(name, attempt!(size.aligned(needs.alignment() as u64))));
        Ok(arena.in_layout(layout))
    }

    /// Returns the arena with a layout held at a multiple of this many bytes, as a copy engine needs. What a kernel's own
    /// accesses need is known: [`accessed_by`](Self::accessed_by).
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc::storage::Arena;
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// const LDS: Arena = Arena::on(&tiledesc::chip::gfx942)
    ///     .holds_bytes("flags", 40)
    ///     .holds_aligned::<ABlock>("a", 1024);
    /// assert_eq!((LDS.at("flags"), LDS.at("a"), LDS.bytes()), (0, 1024, 1024 + 16_384));
    /// // What is known of it: how many bytes, and at a multiple of what.
    /// let size = LDS.size("a").unwrap();
    /// assert_eq!((size.bytes(), size.alignment()), (16_384, 1024));
    /// ```
    ///
    /// # Panics
    ///
    /// As [`holds`](Self::holds), and with an alignment that is not a power of two.
    #[must_use]
    #[track_caller]
    pub const fn holds_aligned<T: Stored>(self, name: &'static str, alignment: u64) -> Self {
        let aligned = match T::SIZE {
            Ok(size) => size.aligned(alignment),
            Err(error) => Err(error),
        };
        match aligned {
            Ok(size) => self.or_refuse(name, size).in_layout(T::LAYOUT),
            Err(error) => error.refuse(name),
        }
    }

    /// Returns the arena with this many bytes held at a multiple of 16.
    ///
    /// # Panics
    ///
    /// As [`holds`](Self::holds).
    #[must_use]
    #[track_caller]
    pub const fn holds_bytes(self, name: &'static str, bytes: u32) -> Self {
        self.or_refuse(name, Size::new(bytes))
    }

    #[track_caller]
    const fn or_refuse(self, name: &'static str, size: Size) -> Self {
        match self.with(name, size) {
            Ok(arena) => arena,
            Err(error) => error.refuse(""),
        }
    }

    /// Returns the arena after all its buffers have ended: their places are free, and [`at`](Self::at) tells them no more.
    #[must_use]
    pub const fn then(mut self) -> Self {
        let mut i = 0;
        while i < self.count {
            self.held[i].lives = false;
            i += 1;
        }
        self
    }

    /// Returns the arena after one of its buffers has ended.
    ///
    /// # Panics
    ///
    /// On the caller's line, with a name that nothing has, or that was dropped before.
    #[must_use]
    #[track_caller]
    pub const fn drops(mut self, name: &'static str) -> Self {
        match self.find(name) {
            None => StorageError::Unknown.refuse(name),
            Some(i) => {
                if !self.held[i].lives {
                    StorageError::Dropped { name }.refuse("")
                }
                self.held[i].lives = false;
            }
        }
        self
    }

    /// The byte at which one of them begins, while it lives: of what has ended another may lie there, so ask the arena of
    /// before.
    ///
    /// ```compile_fail,E0080
    /// use tiledesc::storage::Arena;
    ///
    /// const LOOP: Arena = Arena::on(&tiledesc::chip::gfx942).holds_bytes("a", 16384);
    /// const END: Arena = LOOP.then().holds_bytes("c", 1024);
    /// const A: u32 = END.at("a");
    /// // error: a has ended, and c lies in its place: ask the arena in which it lives, the one before `.then()` or `.drops(..)`
    /// # fn main() { let _ = A; }
    /// ```
    ///
    /// # Panics
    ///
    /// On the caller's line, with a name that nothing has, or that has ended.
    #[must_use]
    #[track_caller]
    pub const fn at(&self, name: &str) -> u32 {
        match self.find(name) {
            Some(i) if self.held[i].lives => self.held[i].begin,
            Some(i) => {
                StorageError::Ended { name: self.held[i].name, now: self.living_at(i) }.refuse("")
            }
            None => StorageError::Unknown.refuse(name),
        }
    }

    /// The name of what lives where another one has ended; "" if nothing does.
    const fn living_at(&self, ended: usize) -> &'static str {
        let (was, mut i) = (&self.held[ended], 0);
        while i < self.count {
            let is = &self.held[i];
            if is.lives && (is.begin as u64) < was.end() && (was.begin as u64) < is.end() {
                return is.name;
            }
            i += 1;
        }
        ""
    }

    /// The bytes that a block needs: to the end of the last place that was ever taken.
    #[must_use]
    pub const fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The size of the buffer that has or had this name; `None` if there is none.
    #[must_use]
    pub const fn size(&self, name: &str) -> Option<Size> {
        match self.find(name) {
            Some(i) => Some(self.held[i].size),
            None => None,
        }
    }

    const fn find(&self, name: &str) -> Option<usize> {
        let mut i = 0;
        while i < self.count {
            if is_same(self.held[i].name, name) {
                return Some(i);
            }
            i += 1;
        }
        None
    }

    const fn living(&self) -> u32 {
        let (mut living, mut i) = (0, 0);
        while i < Self::MOST {
            living += self.held[i].lives as u32;
            i += 1;
        }
        living
    }

    /// The first byte from which on all of it is free: of what lives, each that is in its way pushes it past its own end, until
    /// none is.
    const fn first_free(&self, size: &Size) -> u64 {
        let (mut begin, mut i) = (0, 0);
        while i < Self::MOST {
            let other = &self.held[i];
            let apart = begin + size.bytes() as u64 <= other.begin as u64 || other.end() <= begin;
            if other.lives && !apart {
                begin = other.end().next_multiple_of(size.alignment() as u64);
                i = 0;
            } else {
                i += 1;
            }
        }
        begin
    }
}
