//! GMMA and UMMA atoms: how matrix instructions of sm_90 and sm_100 want their operands.
//!
//! `wgmma` and `tcgen05.mma` read an operand from shared memory in one of nine forms. Each is 8 lines (4 of the last)
//! of 16 to 128 bytes, xor-ed as TMA does, and a tile is made of whole atoms. Nothing checks that it is: a tile in
//! another form multiplies other numbers.
//!
//! | atom | line, bytes | xor | K-major halves | MN-major halves |
//! |---|---|---|---|---|
//! | `INTER` | 16 | [`Mode::None`] | `(8,8):(8,1)` | `(8,8):(1,8)` |
//! | `SW32` | 32 | [`Mode::B32`] | `(8,16):(16,1)` | `(16,8):(1,16)` |
//! | `SW64` | 64 | [`Mode::B64`] | `(8,32):(32,1)` | `(32,8):(1,32)` |
//! | `SW128` | 128 | [`Mode::B128`] | `(8,64):(64,1)` | `(64,8):(1,64)` |
//! | `SW128_32B`, UMMA only | 128 | [`Mode::B128Atom32`] | - | `(64,4):(1,64)` |
//!
//! | | CuTe | here |
//! |---|---|---|
//! | coordinates | (mn, k), mn running fastest | (mn, k); a [`Plan`] of these two lengths |
//! | the swizzle | of bytes, after `smem_ptr[16b]` | of elements in [`Composed`], of bytes in [`Mode`] |
//! | the pattern begins | at a base address of which the low bits are 0 | [`Atom::base_alignment`], else refused |
//!
//! | question | answer |
//! |---|---|
//! | what form has this atom, and a tile of it? | [`Atom::layout`], [`Atom::tile_to`] |
//! | which atom tiles this layout? | [`Atom::of_plan`], [`Atom::of_form`] |
//! | is this layout a tile of that atom, and where not? | [`Atom::accepts_plan`] |
//! | what does a kernel put into its descriptor, or its tensor map? | [`Atom::descriptor`], [`Atom::boxes`] |
//!
//! Elements of 4 bits are packed, as `tcgen05.mma` takes them with `.kind::mxf4`. Elements of 6 bits, and of 4 of the
//! other kinds, take a byte each: they are elements of 8.
//!
//! Sources: NVIDIA/cutlass, `include/cute/atom/mma_traits_sm90_gmma.hpp` and
//! `mma_traits_sm100.hpp`, `include/cute/layout.hpp` (`tile_to_shape`), and for 4 and 6 bits
//! `cutlass/gemm/collective/builders/sm100_*umma_builder.inl`; numbers in
//! `tests/golden/cute/gmma_atoms.json`. Alignment: PTX ISA, `tcgen05` shared memory
//! descriptor, start of the repeating pattern.

mod descriptor;
mod find;

pub use descriptor::{Descriptor, Reader};

use super::cute::{Composed, Fastest, Strided};
use super::tma::Mode;
use crate::{Error, ErrorKind};
use tiledesc::Mapping;
use tiledesc::Plan;

/// An atom for elements of some width.
///
/// ```
/// use tiledesc_host::exchange::cute::Fastest;
/// use tiledesc_host::exchange::gmma::Atom;
///
/// let atom = Atom::named("Layout_K_SW128_Atom", 16).unwrap();
/// assert_eq!(atom.lengths(), [8, 64]);
/// assert_eq!(
///     atom.layout().to_string(),
///     "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)",
/// );
/// assert_eq!(atom.layout().offset_of(&[3, 17]), Some(201));
/// assert_eq!(atom.base_alignment(), 1024);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Atom {
    name: &'static str,
    k_major: bool,
    mode: Mode,
    layout: Composed,
}

/// Name, whether K is contiguous, and mode.
type Row = (&'static str, bool, Mode);

/// A layout that two of them tile is called by the first.
const ATOMS: [Row; 9] = [
    ("Layout_K_SW128_Atom", true, Mode::B128),
    ("Layout_MN_SW128_Atom", false, Mode::B128),
    ("Layout_MN_SW128_32B_Atom", false, Mode::B128Atom32),
    ("Layout_K_SW64_Atom", true, Mode::B64),
    ("Layout_MN_SW64_Atom", false, Mode::B64),
    ("Layout_K_SW32_Atom", true, Mode::B32),
    ("Layout_MN_SW32_Atom", false, Mode::B32),
    ("Layout_K_INTER_Atom", true, Mode::None),
    ("Layout_MN_INTER_Atom", false, Mode::None),
];

impl Mapping for Atom {
    fn to_plan(&self) -> Result<Plan, tiledesc::Error> {
        self.layout.plan()
    }

    fn element_bits(&self) -> Option<u32> {
        self.layout.pointer_bits()
    }
}

impl Atom {
    /// The atom of a swizzle mode with K contiguous, for elements of `bits` bits.
    ///
    /// ```
    /// use tiledesc_host::exchange::gmma::Atom;
    /// use tiledesc_host::exchange::tma::Mode;
    ///
    /// let atom = Atom::k_major(Mode::B64, 8).unwrap();
    /// assert_eq!((atom.name(), atom.lengths()), ("Layout_K_SW64_Atom", [8, 64]));
    /// assert_eq!(
    ///     Atom::k_major(Mode::B128Atom32, 32).unwrap_err().to_string(),
    ///     "no matrix instruction takes SWIZZLE_128B_ATOM_32B with K contiguous",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// A mode of which no matrix instruction takes such a tile, as those that are not documented; elements of a width for
    /// which CuTe has no atoms.
    pub fn k_major(mode: Mode, bits: u32) -> Result<Self, Error> {
        Self::of_mode(mode, true, bits)
    }

    /// The atom with M or N contiguous.
    ///
    /// ```
    /// use tiledesc_host::exchange::gmma::Atom;
    /// use tiledesc_host::exchange::tma::Mode;
    ///
    /// let bytes = Atom::mn_major(Mode::B64, 8)?;
    /// assert_eq!((bytes.name(), bytes.lengths()), ("Layout_MN_SW64_Atom", [64, 8]));
    /// // Of UMMA alone: 4 lines, and only this way round.
    /// let words = Atom::mn_major(Mode::B128Atom32, 32)?;
    /// assert_eq!((words.name(), words.lengths()), ("Layout_MN_SW128_32B_Atom", [32, 4]));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`k_major`](Self::k_major).
    pub fn mn_major(mode: Mode, bits: u32) -> Result<Self, Error> {
        Self::of_mode(mode, false, bits)
    }

    fn of_mode(mode: Mode, k_major: bool, bits: u32) -> Result<Self, Error> {
        let row = ATOMS.iter().find(|row| (row.1, row.2) == (k_major, mode));
        Self::from_row(row.ok_or_else(|| no_atom(mode, k_major))?, bits)
    }

    /// The atom of CuTe's name, for elements of `bits` bits.
    ///
    /// ```
    /// use tiledesc_host::exchange::gmma::Atom;
    ///
    /// assert_eq!(Atom::named("Layout_MN_SW128_Atom", 32).unwrap().lengths(), [32, 8]);
    /// assert_eq!(
    ///     Atom::named("Layout_MN_SW128_Atom", 24).unwrap_err().to_string(),
    ///     "an atom has elements of 4, 8, 16, 32 or 64 bits, not 24",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// A name that CuTe does not have; elements of a width for which it has no atoms.
    pub fn named(name: &str, bits: u32) -> Result<Self, Error> {
        let unknown = || {
            Error::new(
                ErrorKind::Unknown,
                "CuTe has no atom of this name; a name is Layout_K_SW128_Atom, K or MN, INTER, SW32, SW64, SW128, or MN with \
                 SW128_32B",
            )
        };
        Self::from_row(ATOMS.iter().find(|row| row.0 == name).ok_or_else(unknown)?, bits)
    }

    fn from_row(&(name, k_major, mode): &Row, bits: u32) -> Result<Self, Error> {
        let swizzle = mode.swizzle().map_err(|_| no_atom(mode, k_major))?;
        if !matches!(bits, 4 | 8 | 16 | 32 | 64) {
            let refused = match bits {
                6 => {
                    "elements of 6 bits lie in a byte each: the atom is that of elements of 8 bits"
                        .to_owned()
                }
                _ => format!("an atom has elements of 4, 8, 16, 32 or 64 bits, not {bits}"),
            };
            return Err(Error::number(refused));
        }
        // A line ends above the highest flipped bit; the bits that flip count the lines.
        let line = (8 << (swizzle.bits() + swizzle.base())) / bits;
        let lines = 1 << swizzle.shift().unsigned_abs();
        let layout = if k_major {
            Strided::new(&[lines, line], &[line, 1])
        } else {
            Strided::new(&[line, lines], &[1, line])
        };
        let layout = layout.and_then(|layout| Composed::in_bytes(swizzle, bits, layout.fixed()));
        Ok(Self { name, k_major, mode, layout: layout? })
    }

    /// CuTe's name: `Layout_K_SW128_Atom`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Returns whether K is contiguous, and not M or N.
    #[must_use]
    pub fn is_k_major(&self) -> bool {
        self.k_major
    }

    /// The mode of the tensor map that fills it.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The form: modes (mn, k), the swizzle in bytes where it is printed.
    #[must_use]
    pub fn layout(&self) -> &Composed {
        &self.layout
    }

    /// Elements along (mn, k).
    #[must_use]
    pub fn lengths(&self) -> [u32; 2] {
        let shape = self.layout.layout().shape();
        [shape.at(0), shape.at(1)]
    }

    /// A tile (mn, k) of whole atoms, CuTe's `tile_to_shape`: modes ((mn of an atom, atoms along mn), (k of an atom,
    /// atoms along k)). An atom is followed by its neighbour along the first dimension, or the last; `tile_to_shape`
    /// takes the first unless it is given `Step<_2,_1>`.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Fastest;
    /// use tiledesc_host::exchange::gmma::Atom;
    ///
    /// let atom = Atom::named("Layout_K_SW128_Atom", 16).unwrap();
    /// let tile = atom.tile_to([128, 128], Fastest::First).unwrap();
    /// assert_eq!(
    ///     tile.to_string(),
    ///     "Sw<3,4,3> o smem_ptr[16b](unset) o ((_8,_16),(_64,_2)):((_64,_512),(_1,_8192))",
    /// );
    /// // (3, 64 + 17)
    /// assert_eq!(tile.offset_of(&[3, 0, 17, 1]), Some(8192 + 201));
    /// assert_eq!(
    ///     atom.tile_to([128, 96], Fastest::First).unwrap_err().to_string(),
    ///     "Layout_K_SW128_Atom: a tile of 128 x 96 is not made of whole atoms of 8 x 64",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// A tile that is not made of whole atoms, or that 32 bits do not count.
    pub fn tile_to(&self, tile: [u32; 2], order: Fastest) -> Result<Composed, Error> {
        let (atom, inner) = (self.lengths(), self.layout.layout().stride());
        let counts = [tile[0] / atom[0], tile[1] / atom[1]];
        if (0..2).any(|d| counts[d] == 0 || counts[d] * atom[d] != tile[d]) {
            let ([mn, k], [rows, columns], name) = (tile, atom, self.name);
            return Err(Error::number(format!(
                "{name}: a tile of {mn} x {k} is not made of whole atoms of {rows} x {columns}"
            )));
        }
        let size = atom[0] * atom[1];
        let steps = match order {
            Fastest::First => [size, size.saturating_mul(counts[0])],
            Fastest::Last => [size.saturating_mul(counts[1]), size],
        };
        // As in CuTe, a mode of one atom has stride 0.
        let stride = |d: usize| [inner.at(d), if counts[d] > 1 { steps[d] } else { 0 }];
        let layout = Strided::nested(
            &[&[atom[0], counts[0]], &[atom[1], counts[1]]],
            &[&stride(0), &stride(1)],
        );
        layout.and_then(|layout| self.layout.over(layout.fixed()))
    }

    /// The alignment of a tile's base, in bytes: that of its mode, or 16 without a swizzle, though a tensor map that
    /// fills it wants 128.
    #[must_use]
    pub fn base_alignment(&self) -> u32 {
        match self.mode.base_alignment() {
            Ok(alignment) if self.layout.swizzle().bits() > 0 => alignment,
            _ => 16,
        }
    }

    /// Refuses a base off its alignment.
    ///
    /// ```
    /// use tiledesc_host::exchange::gmma::Atom;
    ///
    /// let atom = Atom::named("Layout_K_SW64_Atom", 16).unwrap();
    /// assert_eq!(atom.accepts_base(1536), Ok(()));
    /// assert_eq!(
    ///     atom.accepts_base(256).unwrap_err().to_string(),
    ///     "Layout_K_SW64_Atom: a tile at byte 256 would be read with the pattern shifted: \
    ///      its base must be a multiple of 512",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// A base that is not a multiple of [`base_alignment`](Self::base_alignment).
    pub fn accepts_base(&self, base: u32) -> Result<(), Error> {
        let alignment = self.base_alignment();
        if base.is_multiple_of(alignment) {
            return Ok(());
        }
        Err(Error::number(format!(
            "{}: a tile at byte {base} would be read with the pattern shifted: its base must be a multiple of {alignment}",
            self.name
        )))
    }
}

/// The error of a mode and a dimension that no instruction takes together.
fn no_atom(mode: Mode, k_major: bool) -> Error {
    let major = if k_major { "K" } else { "M or N" };
    Error::no_form(format!("no matrix instruction takes {} with {major} contiguous", mode.name()))
}
