//! Interval padding in the words of AMD's kernels: TensileLite's, CK Tile's, and those of the tensor data mover.
//!
//! A tile row by row, with a pad after every interval of bytes. The tensor data mover (TDM) of gfx1250 writes the pads
//! itself, by two fields of its descriptor, which hold only some intervals and pads:
//!
//! ```text
//!   halves, 8 after every 128            interval       pad
//!   recipe::IntervalPad                  Every<128>     Padding<8>         elements
//!   TensileLite                          256            8                  LdsBlockSizePerPad bytes, LdsPad elements
//!   CK Tile                              256            16                 LdsPaddingConfig<true, 256, 16>, bytes
//!   TDM descriptor, first word of group 1  bits 22-24: 5  bits 25-31: 3    log2(dwords) - 1, dwords - 1; bit 20: on
//! ```
//!
//! | limit of the TDM | |
//! |---|---|
//! | interval | a power of two of 8 to 1024 bytes |
//! | pad | 4 to 512 bytes, whole dwords |
//!
//! TensileLite chooses no pad of an odd number of dwords, which leaves the hardware "in a state we do not understand"; CK
//! refuses none.
//!
//! The TDM is not a [`Transfer`](tiledesc::chip::Transfer), and a statement cannot name it in `filled by`: a transfer there
//! is what each lane writes, and the TDM copies a whole tile for the wave, without lanes. State the layout and its reads
//! alone, and check in a test that the TDM can write it:
//!
//! ```
//! use tiledesc_host::exchange::intervals;
//! use tiledesc::prelude::*;
//!
//! layout! { type Tile = recipe::IntervalPad<F16, M<128>, K<32>, Every<128>, Padding<8>>; }
//! assert_conflict_free! { Tile on gfx1250: read ds_load_b128 by MfmaRows<16> }
//! let padding = intervals::Padding::from_plan(&Tile::PLAN, 16)?;
//! assert_eq!(padding.tdm()?.fields(), [5, 3]);
//! # Ok::<(), tiledesc_host::Error>(())
//! ```
//!
//! Without `LdsBlockSizePerPad` TensileLite's `LdsPad` follows each row, as in
//! [`RowPad`](type@tiledesc::recipe::RowPad).
//!
//! Sources: ROCm/rocm-libraries, CK Tile's `block_fmha_pipeline_qr_ks_vs_tdm_policy.hpp` and its
//! `test_qr_tdm_lds_padding.cpp`; TensileLite's `calPadInterval`, `calPadAmount`, `setPadding`, `ValidParameters.py`,
//! `LdsPadding.py`.

use crate::Error;
use core::fmt;
use core::str::FromStr;
use tiledesc::Plan;
use tiledesc::recipe;

/// A pad after every interval, in elements of a width.
///
/// ```
/// use tiledesc_host::exchange::intervals;
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::IntervalPad<F16, M<64>, K<96>, Every<128>, Padding<8>>; }
/// let padding = intervals::Padding::from_plan(&Tile::PLAN, 16)?;
/// assert_eq!(padding.tensilelite(), [256, 8]);
/// assert_eq!(padding.tdm()?.to_string(), "LdsPaddingConfig<true, 256, 16>");
/// assert_eq!(padding.tdm()?.fields(), [5, 3]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Padding {
    rows: u32,
    columns: u32,
    bits: u32,
    /// Elements from pad to pad; 0 without a pad.
    every: u32,
    pad: u32,
}

impl Padding {
    /// The interval and the pad of a layout of two dimensions, found by looking at every element; no pad of a tile that
    /// is row-major.
    ///
    /// ```
    /// use tiledesc::Plan;
    /// use tiledesc_host::exchange::intervals::Padding;
    ///
    /// // A pad of 8 halves behind rows of 96, which the tensor data mover cannot count.
    /// let rows = Plan::naive(&[64, 96], &[104, 1])?;
    /// let padding = Padding::from_plan(&rows, 16).unwrap();
    /// assert_eq!((padding.every(), padding.pad()), (96, 8));
    /// assert_eq!(
    ///     padding.tdm().unwrap_err().to_string(),
    ///     "an interval of 192 bytes: the tensor data mover pads after 8 to 1024 bytes, a power of two",
    /// );
    /// let swizzled = tiledesc::recipe::gemm_xor(64, 64, 8, 1)?;
    /// assert_eq!(
    ///     Padding::from_plan(&swizzled, 16).unwrap_err().to_string(),
    ///     "element (1, 8) lies at 64, which is not row by row with a pad at an interval",
    /// );
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first element that is elsewhere. A layout of another rank has none at (0, 0).
    pub fn from_plan(plan: &Plan, bits: u32) -> Result<Self, Error> {
        let lengths = plan.lengths();
        let [rows, columns] = match lengths.as_slice() {
            [rows, columns] => [*rows, *columns],
            _ => return Err(elsewhere([0, 0], 0)),
        };
        let mut found = Self { rows, columns, bits, every: 0, pad: 0 };
        for number in 0..u64::from(rows) * u64::from(columns) {
            let [row, column] = [number / u64::from(columns), number % u64::from(columns)];
            let [row, column] = [row as u32, column as u32];
            let offset = plan.offset(&[row, column]).unwrap_or(u32::MAX);
            let beyond = u64::from(offset).checked_sub(number);
            if found.every == 0 && beyond.is_some_and(|pad| pad > 0) && number > 0 {
                // The first pad; numbers below 2^32 have offsets that are.
                (found.every, found.pad) = (number as u32, (u64::from(offset) - number) as u32);
            }
            if beyond != Some(found.before(number)) {
                return Err(elsewhere([row, column], offset));
            }
        }
        Ok(found)
    }

    /// Elements of pads before an element of this number.
    fn before(&self, number: u64) -> u64 {
        match self.every {
            0 => 0,
            every => number / u64::from(every) * u64::from(self.pad),
        }
    }

    /// Elements from pad to pad, 0 without a pad.
    #[must_use]
    pub fn every(&self) -> u32 {
        self.every
    }

    /// Elements of a pad.
    #[must_use]
    pub fn pad(&self) -> u32 {
        self.pad
    }

    /// The layout of the tile: row by row, [`RowPad`](type@tiledesc::recipe::RowPad) or
    /// [`IntervalPad`](type@tiledesc::recipe::IntervalPad).
    ///
    /// # Errors
    ///
    /// An interval that does not divide the tile, unless it is a row; a tile beyond 32 bits.
    pub fn plan(&self) -> Result<Plan, tiledesc::Error> {
        let Self { rows, columns, every, pad, .. } = *self;
        match every {
            0 => Plan::naive(&[rows, columns], &[columns, 1]),
            _ => recipe::IntervalPad::<tiledesc::F8>([rows, columns, every, pad]),
        }
    }

    /// TensileLite's `LdsBlockSizePerPad`, in bytes, and `LdsPad`, in elements: no block for a pad after each row, and
    /// two zeros without a pad.
    ///
    /// ```
    /// use tiledesc_host::exchange::intervals::Padding;
    ///
    /// let rows = tiledesc::Plan::naive(&[64, 96], &[104, 1])?;
    /// let padding = Padding::from_plan(&rows, 16).unwrap();
    /// assert_eq!(padding.tensilelite(), [0, 8]);
    /// assert_eq!(padding.to_string(), "LdsBlockSizePerPad: 0, LdsPad: 8");
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub fn tensilelite(&self) -> [u32; 2] {
        if self.every == self.columns {
            return [0, self.pad];
        }
        [(self.every as u64 * self.bits as u64 / 8) as u32, self.pad]
    }

    /// The padding of a tile by TensileLite's parameters.
    ///
    /// ```
    /// use tiledesc_host::exchange::intervals::Padding;
    ///
    /// let padding = Padding::of_tensilelite([64, 96], 16, [256, 8])?;
    /// assert_eq!(padding.plan()?.offset(&[3, 17]), Ok(305 + 2 * 8));
    /// let text = "LdsBlockSizePerPadA: 256, LdsPadA: 8";
    /// assert_eq!(Padding::of_tensilelite_text([64, 96], 16, text), Ok(padding));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A block that is not whole elements.
    pub fn of_tensilelite(
        [rows, columns]: [u32; 2],
        bits: u32,
        [block, pad]: [u32; 2],
    ) -> Result<Self, Error> {
        let every = match (block as u64 * 8).checked_div(bits as u64) {
            Some(every) if every * bits as u64 == block as u64 * 8 => every,
            _ => return Err(no_bytes(block, bits)),
        };
        let every = match (every, pad) {
            (_, 0) => 0,
            (0, _) => columns,
            (every, _) if every <= u32::MAX as u64 => every as u32,
            _ => return Err(no_bytes(block, bits)),
        };
        Ok(Self { rows, columns, bits, every, pad })
    }

    /// Reads a text with both numbers, with or without the name of the operand.
    ///
    /// # Errors
    ///
    /// Another text, and as [`of_tensilelite`](Self::of_tensilelite).
    pub fn of_tensilelite_text(tile: [u32; 2], bits: u32, text: &str) -> Result<Self, Error> {
        let refused = || Error::no_text("LdsBlockSizePerPad: 256, LdsPad: 8");
        let mut numbers = [None; 2];
        for field in text.split(',') {
            let (name, number) = field.split_once(':').ok_or_else(refused)?;
            let name = name.trim().trim_end_matches(['A', 'B']);
            let i = ["LdsBlockSizePerPad", "LdsPad"].iter().position(|known| *known == name);
            let number = number.trim().parse().map_err(|_| refused())?;
            match &mut numbers[i.ok_or_else(refused)?] {
                slot @ None => *slot = Some(number),
                Some(_) => return Err(refused()),
            }
        }
        match numbers {
            [Some(block), Some(pad)] => Self::of_tensilelite(tile, bits, [block, pad]),
            _ => Err(refused()),
        }
    }

    /// The padding as the tensor data mover of gfx1250 takes it.
    ///
    /// # Errors
    ///
    /// As [`TdmPadding::new`]; an interval or a pad that is not whole bytes.
    pub fn tdm(&self) -> Result<TdmPadding, Error> {
        if self.every == 0 {
            return Ok(TdmPadding::NONE);
        }
        let bytes = [self.every as u64 * self.bits as u64, self.pad as u64 * self.bits as u64];
        if !bytes[0].is_multiple_of(8) {
            return Err(no_bytes(self.every, self.bits));
        }
        if !bytes[1].is_multiple_of(8) {
            return Err(no_bytes(self.pad, self.bits));
        }
        let most = u32::MAX as u64;
        let [interval, amount] = [bytes[0] / 8, bytes[1] / 8];
        TdmPadding::new(
            (if interval < most { interval } else { most }) as u32,
            (if amount < most { amount } else { most }) as u32,
        )
    }
}

/// The error of an element that is not where it would be row by row with one pad at an interval.
fn elsewhere([row, column]: [u32; 2], offset: u32) -> Error {
    Error::no_form(format!(
        "element ({row}, {column}) lies at {offset}, which is not row by row with a pad at an interval"
    ))
}

/// The error of elements that do not fill whole bytes, or of bytes that are not whole elements.
fn no_bytes(count: u32, bits: u32) -> Error {
    Error::no_form(format!("{count} elements of {bits} bits do not fill whole bytes"))
}

/// The padding of a transfer by the tensor data mover, in bytes. Its text is CK Tile's `LdsPaddingConfig`.
///
/// ```
/// use tiledesc_host::exchange::intervals::TdmPadding;
///
/// let padding: TdmPadding = "LdsPaddingConfig<true, 256, 32>".parse()?;
/// assert_eq!((padding.interval(), padding.amount()), (256, 32));
/// // Bits 22 to 24 are 5, and bits 25 to 31 are 7.
/// assert_eq!((padding.fields(), padding.word()), ([5, 7], 1 << 20 | 5 << 22 | 7 << 25));
/// assert_eq!(TdmPadding::NONE.to_string(), "LdsPaddingConfig<false, 0, 0>");
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TdmPadding {
    interval: u32,
    amount: u32,
}

impl TdmPadding {
    /// The padding of no bytes.
    pub const NONE: Self = Self { interval: 0, amount: 0 };

    /// `amount` bytes after every `interval` bytes.
    ///
    /// # Errors
    ///
    /// An interval that is not a power of two of 8 to 1024 bytes; a pad that is not 4 to 512 bytes of whole dwords.
    pub fn new(interval: u32, amount: u32) -> Result<Self, Error> {
        if !interval.is_power_of_two() || !(8..=1024).contains(&interval) {
            return Err(Error::no_form(format!(
                "an interval of {interval} bytes: the tensor data mover pads after 8 to 1024 bytes, a power of two"
            )));
        }
        if !amount.is_multiple_of(4) || !(4..=512).contains(&amount) {
            return Err(Error::no_form(format!(
                "a pad of {amount} bytes: the tensor data mover writes 4 to 512 bytes, whole dwords"
            )));
        }
        Ok(Self { interval, amount })
    }

    /// Bytes from pad to pad; 0 without padding.
    #[must_use]
    pub fn interval(&self) -> u32 {
        self.interval
    }

    /// Bytes of a pad.
    #[must_use]
    pub fn amount(&self) -> u32 {
        self.amount
    }

    /// `pad_interval` and `pad_amount` of the descriptor; zeros without padding.
    #[must_use]
    pub fn fields(&self) -> [u32; 2] {
        match self.interval {
            0 => [0, 0],
            interval => [(interval / 4).ilog2() - 1, self.amount / 4 - 1],
        }
    }

    /// The padding's bits in the first word of descriptor group 1: bit 20, and both fields.
    #[must_use]
    pub fn word(&self) -> u32 {
        let [interval, amount] = self.fields();
        if self.interval == 0 { 0 } else { 1 << 20 | interval << 22 | amount << 25 }
    }

    /// The padding of these bits of the word.
    ///
    /// ```
    /// use tiledesc_host::exchange::intervals::TdmPadding;
    ///
    /// let padding = TdmPadding::new(1024, 512)?;
    /// assert_eq!(TdmPadding::of_word(padding.word()), padding);
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    #[must_use]
    pub fn of_word(word: u32) -> Self {
        if word >> 20 & 1 == 0 {
            return Self::NONE;
        }
        Self { interval: 8 << (word >> 22 & 7), amount: 4 * ((word >> 25) + 1) }
    }
}

impl fmt::Display for Padding {
    /// Prints the padding as in TensileLite's solutions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [block, pad] = self.tensilelite();
        write!(f, "LdsBlockSizePerPad: {block}, LdsPad: {pad}")
    }
}

impl FromStr for TdmPadding {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refused = || Error::no_text("LdsPaddingConfig<true, 256, 16>");
        let text = text.trim().trim_start_matches("ck_tile::detail::");
        let inner = text.strip_prefix("LdsPaddingConfig<").and_then(|rest| rest.strip_suffix('>'));
        let mut words = inner.ok_or_else(refused)?.split(',').map(str::trim);
        let is_on = words.next().ok_or_else(refused)?;
        let mut number = || words.next().and_then(|word| word.parse().ok()).ok_or_else(refused);
        let [interval, amount] = [number()?, number()?];
        match (is_on, words.next()) {
            ("true", None) => Self::new(interval, amount),
            ("false", None) if [interval, amount] == [0, 0] => Ok(Self::NONE),
            _ => Err(refused()),
        }
    }
}

impl fmt::Display for TdmPadding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { interval, amount } = self;
        write!(f, "LdsPaddingConfig<{}, {interval}, {amount}>", *interval != 0)
    }
}
