//! The lines of global memory that the accesses of a distribution touch, one instruction at a time.
//!
//! ```text
//!   128x64 halves by 256 lanes, 8 each, rows of 128 bytes in lines of 128       lines of an instruction, of which 8 are needed
//!     rows of 8192 halves                each row of the tile is a line           8
//!     rows of 1032 halves                row r begins 16 r bytes into a line     15
//!     lane l in row l                    each lane in a line of its own          64
//! ```
//!
//! What is added to an address by the wave and by the number of the access changes the lines only by what it leaves of a line.
//! So of a distribution whose factors divide its tile, lanes are placed once, and each remainder is counted once.

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use super::window::Window;
use crate::chip::{Chip, Lines, Touched};
use crate::distribution::{Distribution, Encoding, MOST_LANES, gcd};
use crate::element::Element;
use tiledesc_transforms::{Descriptor, Number, OfRank, Rank, Text, range, say};

/// The lines and sectors of global memory that one instruction of a wave touches: of all that a block makes, the one that touches
/// most.
///
/// ```
/// use tiledesc::chip::{Touched, gfx942};
/// use tiledesc::distribution::BlockRaked;
/// use tiledesc::prelude::*;
///
/// type Fetch = BlockRaked<U128, U64, U8, U4>;
/// let of = |pitch| -> Result<_, Box<dyn std::error::Error>> {
///     let view = Naive::rows(4096, 8192).pitch(pitch).whole()?;
///     Ok(Window::<_, Fetch, VectorSize<8>>::new(view)?.coalescing::<F16>(&gfx942).unwrap())
/// };
/// assert_eq!(of(8192)?.touched(), Touched { lines: 8, sectors: 8 });
/// // Rows that begin 16 bytes further into a line each.
/// let worst = of(8200)?;
/// assert_eq!((worst.touched().lines, worst.least().lines), (15, 8));
/// assert_eq!(worst.wave_and_access(), [0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescing {
    wave: u32,
    access: u32,
    touched: Touched,
    least: Touched,
    /// Elements from row to row.
    pitch: u64,
}

impl Coalescing {
    /// The wave that makes it, and the number of the access.
    #[must_use]
    pub const fn wave_and_access(&self) -> [u32; 2] {
        [self.wave, self.access]
    }

    /// The lines and sectors that it touches.
    #[must_use]
    pub const fn touched(&self) -> Touched {
        self.touched
    }

    /// The fewest that hold its bytes.
    #[must_use]
    pub const fn least(&self) -> Touched {
        self.least
    }

    /// The pitch at which it does, in elements.
    pub(crate) const fn pitch(&self) -> u64 {
        self.pitch
    }

    /// The worst access of a distribution, for tools that read one from a file: `bytes` of a lane, of elements of `bits`.
    ///
    /// # Errors
    ///
    /// The reason in a sentence.
    #[doc(hidden)]
    pub fn worst(
        encoding: &Encoding,
        [bytes, bits]: [u32; 2],
        rows: Pitch,
        lines: &Lines,
    ) -> Result<Self, Text> {
        worst_of(encoding, Moved { bytes, bits }, rows, lines, true)
    }
}

/// Rows in global memory: the elements from one to the next.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Pitch {
    elements: u32,
    is_multiple: bool,
}

impl Pitch {
    /// Returns a pitch of this many elements.
    #[must_use]
    pub const fn new(pitch: u32) -> Self {
        Self { elements: pitch, is_multiple: false }
    }

    /// Returns a pitch that only the run time knows, a multiple of this one.
    ///
    /// ```
    /// use tiledesc::access::{Coalescing, Pitch};
    /// use tiledesc::{chip::gfx942, distribution::BlockRaked, prelude::*};
    ///
    /// let fetch = BlockRaked::<U128, U64, U8, U4>::ENCODING.unwrap();
    /// let worst = |rows| Coalescing::worst(&fetch, [16, 16], rows, &gfx942.lines().unwrap()).unwrap();
    /// // Eight rows of 128 bytes: in the worst case all but one cross the border of a line.
    /// let rows = [Pitch::new(64), Pitch::multiple_of(8)].map(|rows| worst(rows).touched().lines);
    /// assert_eq!(rows, [8, 15]);
    /// ```
    #[must_use]
    pub const fn multiple_of(pitch: u32) -> Self {
        Self { elements: pitch, is_multiple: true }
    }

    pub(crate) const fn is_multiple(&self) -> bool {
        self.is_multiple
    }

    pub(crate) const fn elements(&self) -> u32 {
        self.elements
    }
}

/// One instruction of every lane, as [`worst_of`] is asked about it.
#[derive(Clone, Copy)]
pub(crate) struct Moved {
    /// Bytes of a lane.
    pub(crate) bytes: u32,
    /// Bits of an element.
    pub(crate) bits: u32,
}

/// Returns the access that touches most lines, or sectors, of a tile that begins in a tensor at any multiple of its own lengths;
/// the tensor begins at a line. Of a pitch that is known as a multiple, the worst of those that leave something else of a line.
pub(crate) const fn worst_of(
    encoding: &Encoding,
    moved: Moved,
    rows: Pitch,
    lines: &Lines,
    by_sectors: bool,
) -> Result<Coalescing, Text> {
    let Moved { bytes, bits } = moved;
    if !(bytes * 8).is_multiple_of(bits) {
        return Err(say!(Text::new():
            "a lane moves ", bytes, " bytes, which is not a whole number of ", bits, "-bit elements"
        ));
    }
    let (vector, along) = (bytes * 8 / bits, encoding.rank() - 1);
    if encoding.rank() > 2 {
        return Err(say!(Text::new():
            "the distribution has ", encoding.rank(), " dimensions, and rows are of 2"
        ));
    }
    if !encoding.has_vectors(along, vector) {
        return Err(match encoding.last_vectors(vector) {
            Err(misfit) => misfit.explain(Text::new()),
            Ok(other) => {
                let text = say!(Text::new(): "the ", vector, " elements of a lane run along ");
                let text = encoding.dimension_name(other).explain(text);
                encoding.dimension_name(along).explain(text.str(", but rows run along "))
            }
        });
    }
    if encoding.lanes() as usize > MOST_LANES {
        return Err(
            say!(Text::new(): "a wave of ", encoding.lanes(), " lanes: at most ", MOST_LANES),
        );
    }
    let step = rows.elements as u64 * bits as u64;
    if rows.elements == 0 {
        return Err(Text::new().str("rows that are 0 elements apart are one row"));
    }
    if encoding.rank() > 1 && !step.is_multiple_of(bytes as u64 * 8) {
        return Err(say!(Text::new():
            "row 1 begins at byte ", step / 8, ", which is not aligned to the ", bytes, " bytes of a lane"
        ));
    }
    let placed = Lanes::new(encoding);
    let line = lines.bytes() as u64 * 8;
    let width = encoding.lengths().at(along) as u64 * bits as u64;
    let (mut worst, mut pitches, mut pitch) = (None, 1, rows.elements as u64);
    if rows.is_multiple {
        // Whole lines in which no two rows of the tile meet, and then each multiple that leaves something else of a line.
        pitches = line / gcd(step, line);
        pitch = (width + 2 * line).next_multiple_of(step * pitches) / bits as u64;
    }
    range!(_i, 0..pitches, {
        let of_rows = OfRows { encoding, along, moved, pitch, lines, by_sectors };
        worst = of_rows.worst(&placed, worst);
        pitch += rows.elements as u64;
    });
    match worst {
        Some(worst) => Ok(worst),
        None => Err(Text::new().str("no lane holds anything")),
    }
}

/// The counts of the first element of each lane of wave 0.
struct Lanes {
    counted: [[u32; 2]; MOST_LANES],
}

impl Lanes {
    const fn new(encoding: &Encoding) -> Self {
        let mut counted = [[0; 2]; MOST_LANES];
        range!(lane, 0..encoding.lanes(), {
            counted[lane as usize] = in_rows(encoding, encoding.counted([0, lane, 0]));
        });
        Self { counted }
    }
}

/// A count or a coordinate as row and column.
const fn in_rows(
    encoding: &Encoding,
    index: [u32; tiledesc_transforms::List::CAPACITY],
) -> [u32; 2] {
    if encoding.rank() == 1 { [0, index[0]] } else { [index[0], index[1]] }
}

/// A distribution over rows of one pitch.
struct OfRows<'a> {
    encoding: &'a Encoding,
    along: usize,
    moved: Moved,
    pitch: u64,
    lines: &'a Lines,
    by_sectors: bool,
}

impl OfRows<'_> {
    /// Returns the worst of all accesses and of one found before.
    const fn worst(&self, lanes: &Lanes, mut worst: Option<Coalescing>) -> Option<Coalescing> {
        let Self { encoding, along, moved, .. } = self;
        let (vector, is_whole) = (moved.bytes * 8 / moved.bits, encoding.cover().is_whole());
        let line = self.lines.bytes();
        // A bit for each byte of a line: what a wave and an access leave of it, and was counted.
        let mut counted = 0_u128;
        range!(wave, 0..encoding.waves(), {
            range!(access, 0..encoding.elements() / vector, {
                let element = encoding.first_of_access(access, *along, vector);
                let begin = in_rows(encoding, encoding.counted([wave, 0, element]));
                let left = self.byte(begin) % line as u64;
                if !is_whole || counted >> left & 1 == 0 {
                    counted |= 1 << left;
                    let addresses = match is_whole {
                        true => self.placed(lanes, begin),
                        false => self.held(wave, element),
                    };
                    worst = self.worse(worst, &addresses, [wave, access]);
                }
            });
        });
        worst
    }

    /// The byte of an element from the tile's first.
    const fn byte(&self, [row, column]: [u32; 2]) -> u64 {
        (row as u64 * self.pitch + column as u64) * self.moved.bits as u64 / 8
    }

    /// The addresses of all lanes, which add to what wave and access begin with.
    const fn placed(&self, lanes: &Lanes, begin: [u32; 2]) -> [Option<u64>; MOST_LANES] {
        let mut addresses = [None; MOST_LANES];
        range!(lane, 0..self.encoding.lanes() as usize, {
            let [row, column] = lanes.counted[lane];
            addresses[lane] = Some(self.byte([begin[0] + row, begin[1] + column]));
        });
        addresses
    }

    /// The addresses of the lanes that hold an element.
    const fn held(&self, wave: u32, element: u32) -> [Option<u64>; MOST_LANES] {
        let mut addresses = [None; MOST_LANES];
        range!(lane, 0..self.encoding.lanes(), {
            if let Ok(index) = self.encoding.coordinate(wave, lane, element) {
                let row = if self.encoding.rank() == 1 { 0 } else { index.at(0) };
                addresses[lane as usize] = Some(self.byte([row, index.at(self.along)]));
            }
        });
        addresses
    }

    /// Returns the worse of an access, wherever its tile begins, and of one found before.
    const fn worse(
        &self,
        worst: Option<Coalescing>,
        addresses: &[Option<u64>; MOST_LANES],
        [wave, access]: [u32; 2],
    ) -> Option<Coalescing> {
        let (lengths, bits) = (self.encoding.lengths(), self.moved.bits as u64);
        let rows = if self.along == 0 { 0 } else { lengths.at(0) as u64 * self.pitch };
        let step =
            gcd(gcd(lengths.at(self.along) as u64, rows) * bits / 8, self.lines.bytes() as u64);
        let (_, touched) = self.lines.over_bases(addresses, self.moved.bytes, step as u32);
        let is_worse = match &worst {
            None => true,
            Some(worst) if self.by_sectors => touched.sectors > worst.touched.sectors,
            Some(worst) => touched.lines > worst.touched.lines,
        };
        if !is_worse {
            return worst;
        }
        let least = self.lines.least(addresses, self.moved.bytes);
        Some(Coalescing { wave, access, touched, least, pitch: self.pitch })
    }
}

impl<V, T, P, const RANK: usize> Window<V, T, P, RANK>
where
    V: Descriptor,
    T: Distribution,
    P: Number,
    [u32; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
{
    /// The load, or store, of a wave that touches most lines where the window is now, of a tensor that begins at a line; for the
    /// host. `None` of a chip whose lines no source states, and if nothing is in the view.
    ///
    /// What a kernel may state of any place of the window: [`assert_coalesced!`](crate::assert_coalesced!).
    #[must_use]
    pub fn coalescing<E: Element>(&self, chip: &Chip) -> Option<Coalescing> {
        let lines = chip.lines()?;
        let bytes = (Self::VECTOR * E::BITS / 8).max(1);
        let encoding = T::ENCODING.as_ref().ok()?;
        let mut worst: Option<Coalescing> = None;
        for (wave, access) in (0..encoding.waves())
            .flat_map(|wave| (0..Self::COUNT).map(move |access| (wave, access)))
        {
            let mut addresses = [None; MOST_LANES];
            for (lane, address) in (0..encoding.lanes()).zip(&mut addresses) {
                let mut made = 0;
                self.run(wave, lane, |offset, valid, _| {
                    if made == access && valid {
                        *address = Some(u64::from(offset) * u64::from(E::BITS) / 8);
                    }
                    made += 1;
                });
            }
            if addresses.iter().all(Option::is_none) {
                continue;
            }
            let touched = lines.touched(&addresses, bytes);
            if worst.is_none_or(|worst| touched.sectors > worst.touched.sectors) {
                let (access, least) = (access as u32, lines.least(&addresses, bytes));
                worst = Some(Coalescing { wave, access, touched, least, pitch: 0 });
            }
        }
        worst
    }
}
