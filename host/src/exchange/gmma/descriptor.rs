//! What a kernel tells the hardware of a tile of whole atoms: the fields of a matrix descriptor, and the boxes of a tensor
//! map.
//!
//! | field | bits, `wgmma` | bits, `tcgen05` | K contiguous | M or N contiguous |
//! |---|---|---|---|---|
//! | start address / 16 | 0 to 13 | 0 to 13 | of line 0 of some atom | the same |
//! | leading dimension byte offset / 16 | 16 to 29 | 16 to 29 | 1; without a swizzle to the next 16 bytes of K | to the next atom along M or N; without a swizzle to the next 8 of K |
//! | stride dimension byte offset / 16 | 32 to 45 | 32 to 45 | to the next 8 of M or N | to the next 8 (4) of K; without a swizzle to the next 16 bytes of M or N |
//! | version | - | 46 to 48: 1 | | |
//! | base offset | 49 to 51: 0 | 49 to 51: 0 | 0 of an aligned tile | the same |
//! | swizzle | 62, 63 | 61 to 63 | none 0, 128 bytes 1 (2), 64 bytes 2 (4), 32 bytes 3 (6) | the same; 128 bytes in atoms of 32: (1) |
//!
//! Values in parentheses are `tcgen05`'s. Where there is no next one, the offset is 0, as in CUTLASS, where a mode of one
//! atom has stride 0.
//!
//! Sources: PTX ISA, matrix descriptor of `wgmma` and shared memory descriptor of `tcgen05`; NVIDIA/cutlass,
//! `cute/arch/mma_sm90_desc.hpp` and `mma_sm100_desc.hpp` (bits), `make_gmma_desc` and `make_umma_desc` (which stride is
//! which field). Boxes: CUDA Driver API, `cuTensorMapEncodeTiled`, at most 256 elements a dimension.

use super::Atom;
use crate::Error;
use crate::exchange::cute::Fastest;
use crate::exchange::tma::Mode;

/// The matrix instructions that read a tile by a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// `wgmma` of sm_90.
    Wgmma,
    /// `tcgen05.mma` of sm_100.
    Tcgen05,
}

/// The fields of a matrix descriptor of a tile, all but the start address.
///
/// ```
/// use tiledesc_host::exchange::cute::Fastest;
/// use tiledesc_host::exchange::gmma::{Atom, Reader};
///
/// // 128x64 halves: 8 rows of 128 bytes are 1024 bytes from the next 8.
/// let atom = Atom::named("Layout_K_SW128_Atom", 16)?;
/// let fields = atom.descriptor([128, 64], Fastest::First, Reader::Wgmma)?;
/// assert_eq!((fields.leading(), fields.stride(), fields.swizzle()), (16, 1024, 1));
/// assert_eq!(fields.bits(), 1 << 62 | 64 << 32 | 1 << 16);
/// let fields = atom.descriptor([128, 64], Fastest::First, Reader::Tcgen05)?;
/// assert_eq!(fields.bits(), 2 << 61 | 1 << 46 | 64 << 32 | 1 << 16);
/// // With the start address, of the operand that begins at row 64.
/// assert_eq!(fields.at(8192)? & 0x3fff, 8192 / 16);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Descriptor {
    reader: Reader,
    leading: u32,
    stride: u32,
    swizzle: u32,
}

/// Bytes of which a field counts one.
const UNIT: u32 = 16;

/// Bits of an address or an offset in a descriptor, in units.
const FIELD: u32 = 14;

impl Descriptor {
    /// The leading dimension byte offset, in bytes.
    #[must_use]
    pub fn leading(&self) -> u32 {
        self.leading
    }

    /// The stride dimension byte offset, in bytes.
    #[must_use]
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// The number of the swizzle mode, which is another for each reader.
    #[must_use]
    pub fn swizzle(&self) -> u32 {
        self.swizzle
    }

    /// All fields, of a start address of 0.
    #[must_use]
    pub fn bits(&self) -> u64 {
        let offsets = u64::from(self.leading / UNIT) << 16 | u64::from(self.stride / UNIT) << 32;
        match self.reader {
            Reader::Wgmma => offsets | u64::from(self.swizzle) << 62,
            Reader::Tcgen05 => offsets | 1 << 46 | u64::from(self.swizzle) << 61,
        }
    }

    /// All fields, of an operand that begins at a byte of shared memory.
    ///
    /// # Errors
    ///
    /// A byte that is no multiple of 16, or that 18 bits do not count.
    pub fn at(&self, address: u32) -> Result<u64, Error> {
        if !address.is_multiple_of(UNIT) || address >= UNIT << FIELD {
            return Err(Error::number(format!(
                "a matrix begins at a multiple of {UNIT} bytes below {}, not at {address}",
                UNIT << FIELD
            )));
        }
        Ok(self.bits() | u64::from(address / UNIT))
    }
}

/// The most elements of a box along a dimension.
const MOST_OF_BOX: u32 = 256;

impl Atom {
    /// The fields of the matrix descriptor of a tile (mn, k) of whole atoms, which follow each other along the first
    /// dimension or the last. An operand begins where its first element lies: at a multiple of an atom's lines, 8 (4).
    ///
    /// # Errors
    ///
    /// A tile that is not made of whole atoms; an atom that the reader does not take; strides that 14 bits do not count.
    pub fn descriptor(
        &self,
        tile: [u32; 2],
        order: Fastest,
        reader: Reader,
    ) -> Result<Descriptor, Error> {
        let [mn, k] = self.steps(tile, order)?;
        let is_swizzled = self.mode() != Mode::None;
        let (leading, stride) = match (self.is_k_major(), is_swizzled) {
            (true, true) => (UNIT, mn),
            (true, false) => (k, mn),
            (false, true) => (mn, k),
            (false, false) => (k, mn),
        };
        if let Some(far) = [leading, stride].into_iter().find(|far| *far >= UNIT << FIELD) {
            let most = (UNIT << FIELD) - UNIT;
            return Err(Error::number(format!(
                "{}: atoms {far} bytes apart: a descriptor has room for {most}",
                self.name()
            )));
        }
        let swizzle = swizzle(self.mode(), reader).ok_or_else(|| {
            Error::no_form(format!("wgmma has no swizzle {}", self.mode().name()))
        })?;
        Ok(Descriptor { reader, leading, stride, swizzle })
    }

    /// The distance in bytes from one atom to the next along (mn, k); 0 along a dimension of one atom.
    fn steps(&self, tile: [u32; 2], order: Fastest) -> Result<[u32; 2], Error> {
        let tiled = self.tile_to(tile, order)?;
        let strides = tiled.layout().stride();
        // Modes ((mn of an atom, atoms along mn), (k of an atom, atoms along k)).
        let bytes = |mode: usize| {
            let bits = u64::from(strides.at(mode)) * u64::from(self.bits());
            u32::try_from(bits / 8).map_err(|_| Error::too_large("a tile of more than 2^32 bytes"))
        };
        Ok([bytes(1)?, bytes(3)?])
    }

    /// The lengths along (mn, k) of the largest boxes by which a tensor map of the atom's mode fills a tile: each is stored
    /// from its first element on.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Fastest;
    /// use tiledesc_host::exchange::gmma::Atom;
    ///
    /// // Rows of 128 halves are two boxes of 64, side by side.
    /// let atom = Atom::named("Layout_K_SW128_Atom", 16)?;
    /// assert_eq!(atom.boxes([128, 128], Fastest::First)?, [128, 64]);
    /// // Atoms that follow each other along K part the rows.
    /// assert_eq!(atom.boxes([128, 128], Fastest::Last)?, [8, 64]);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A tile that is not made of whole atoms.
    pub fn boxes(&self, tile: [u32; 2], order: Fastest) -> Result<[u32; 2], Error> {
        let steps = self.steps(tile, order)?;
        let atom = self.lengths();
        // Lines are along the dimension that is not contiguous.
        let lines = usize::from(!self.is_k_major());
        let bytes = u64::from(atom[0]) * u64::from(atom[1]) * u64::from(self.bits()) / 8;
        let follow = steps[lines] == 0 || u64::from(steps[lines]) == bytes;
        let mut lengths = atom;
        if follow {
            lengths[lines] = whole(tile[lines], atom[lines]);
        }
        Ok(lengths)
    }

    fn bits(&self) -> u32 {
        self.layout().pointer_bits().unwrap_or(8)
    }
}

/// The largest multiple of `part` that divides a length and is no longer than a box.
fn whole(length: u32, part: u32) -> u32 {
    let counts = 1..=length / part;
    let fits = |count: &u32| count * part <= MOST_OF_BOX && (length / part).is_multiple_of(*count);
    counts.rev().find(fits).map_or(part, |count| count * part)
}

/// The number of a swizzle mode in a descriptor.
fn swizzle(mode: Mode, reader: Reader) -> Option<u32> {
    match (mode, reader) {
        (Mode::None, _) => Some(0),
        (Mode::B128, Reader::Wgmma) => Some(1),
        (Mode::B64, Reader::Wgmma) => Some(2),
        (Mode::B32, Reader::Wgmma) => Some(3),
        (Mode::B128Atom32, Reader::Tcgen05) => Some(1),
        (Mode::B128, Reader::Tcgen05) => Some(2),
        (Mode::B64, Reader::Tcgen05) => Some(4),
        (Mode::B32, Reader::Tcgen05) => Some(6),
        _ => None,
    }
}
