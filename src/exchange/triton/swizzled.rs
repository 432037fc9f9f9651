//! Triton's `swizzled_shared` and `amd_rotating_shared`: chunks of a row xor-ed with the row's number.
//!
//! ```text
//!   #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>          in the IR
//!   SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0], cga_layout=[])   in Gluon
//!
//!   chunk of (row, column)    column / vec  xor  row / perPhase % maxPhase
//!   .. of a rotating one      the same      xor  row / perPhase / maxPhase % maxPhase
//! ```
//!
//! `order` names the dimension that runs fastest first; of more than two dimensions the others follow unchanged.
//!
//! Sources: triton-lang/triton, `TritonGPUAttrDefs.td`, and the bases that Triton 3.9 computes (`tests/golden/triton`).

use super::Bases;
use super::fields::Fields;
use super::registers::RegisterError;
use tiledesc_transforms::{Error, Linear, List, Plan};

/// A `swizzled_shared` or `amd_rotating_shared` layout, of a tile of any size.
///
/// ```
/// use tiledesc::List;
/// use tiledesc::exchange::triton::Swizzled;
///
/// let text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>";
/// let swizzled = Swizzled::parse(text)?;
/// assert_eq!(swizzled.to_string(), text);
/// let plan = swizzled.plan(List::pair(128, 64))?;
/// assert_eq!(plan.offset(&[3, 17]), Ok(201));
/// // The same in Gluon.
/// assert_eq!(Swizzled::parse("ttgl.SwizzledSharedLayout(8, 1, 8, order=[1, 0])"), Ok(swizzled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Swizzled {
    vec: u32,
    per_phase: u32,
    max_phase: u32,
    order: List,
    rotates: bool,
}

const FIELDS: [&str; 5] = ["vec", "perphase", "maxphase", "order", "cgalayout"];

impl Swizzled {
    /// Reads the attribute as Triton prints it, or Gluon's constructor.
    ///
    /// ```
    /// use tiledesc::exchange::triton::Swizzled;
    ///
    /// let odd = Swizzled::parse("SwizzledSharedLayout(vec=3, per_phase=1, max_phase=8, order=[1, 0])");
    /// assert_eq!(odd.unwrap_err().to_string(), "at byte 25: expected a power of two");
    /// let short = Swizzled::parse("SwizzledSharedLayout(8, 1, 8)").unwrap_err();
    /// assert_eq!(short.to_string(), "at byte 28: expected `order`");
    /// ```
    ///
    /// # Errors
    ///
    /// [`RegisterError::Syntax`] with the byte: also of numbers that are not powers of two, and of a layout of several
    /// blocks.
    pub fn parse(text: &str) -> Result<Self, RegisterError> {
        let names = ["#ttg.swizzled_shared", "#ttg.amd_rotating_shared", "SwizzledSharedLayout"];
        let (name, mut fields) = Fields::of(text, names, FIELDS)?;
        let [vec, per_phase, max_phase] = [0, 1, 2].map(|field| fields.power_of_two(field));
        let order = fields.list(3)?;
        fields.one_block(4)?;
        let is_order =
            order.len() > 1 && (0..order.len()).all(|d| order.as_slice().contains(&(d as u32)));
        if !is_order {
            return fields.expected(3, "an order of two dimensions or more");
        }
        let [vec, per_phase, max_phase] = [vec?, per_phase?, max_phase?];
        Ok(Self { vec, per_phase, max_phase, order, rotates: name == 1 })
    }

    /// The bases over a tile of these lengths.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc::exchange::triton::Swizzled;
    ///
    /// let text = "#ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [1, 0]}>";
    /// let bases = Swizzled::parse(text).unwrap().bases(List::pair(4, 2)).unwrap();
    /// assert_eq!(bases.to_string(), "[[0, 1], [1, 1], [2, 1]]");
    /// ```
    ///
    /// # Errors
    ///
    /// A length that is not a power of two, another rank than the order's, more than 32 bits, a chunk of more than a row.
    pub fn bases(&self, lengths: List) -> Result<Bases, Error> {
        let rank = self.order.len();
        if lengths.len() != rank {
            return Err(Error::Rank { wanted: rank as u32, given: lengths.len() as u32 });
        }
        if let Some(error) = super::odd_length(&lengths) {
            return Err(error);
        }
        let [fast, slow] = [0, 1].map(|i| self.order.at(i) as usize);
        let (columns, zeros) = (lengths.at(fast), List::of_first([0; List::CAPACITY], rank));
        let (mut images, mut count) = ([List::EMPTY; Linear::BITS], 0);
        for d in self.order.as_slice().iter().map(|d| *d as usize) {
            for bit in 0..lengths.at(d).ilog2() {
                if count == Linear::BITS {
                    return Err(Error::TooManyBits { columns: count as u32 + 1 });
                }
                images[count] = zeros.with(d, 1 << bit);
                if d == slow {
                    images[count] = images[count].with(fast, self.moved(1 << bit) % columns);
                }
                count += 1;
            }
        }
        Bases::new(lengths, &images[..count])
    }

    /// By how many columns a row's chunks are moved: each bit of its number by itself.
    const fn moved(&self, row: u32) -> u32 {
        let phase = row / self.per_phase % self.max_phase;
        let block = row / self.per_phase / self.max_phase % self.max_phase;
        self.vec.wrapping_mul(if self.rotates { phase ^ block } else { phase })
    }

    /// The layout of a tile of these lengths as a plan.
    ///
    /// # Errors
    ///
    /// As [`bases`](Self::bases).
    pub fn plan(&self, lengths: List) -> Result<Plan, Error> {
        self.bases(lengths)?.plan()
    }
}

impl core::fmt::Display for Swizzled {
    /// As the IR prints it.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let name = if self.rotates { "amd_rotating_shared" } else { "swizzled_shared" };
        let Self { vec, per_phase, max_phase, .. } = self;
        write!(
            f,
            "#ttg.{name}<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {:?}}}>",
            self.order.as_slice()
        )
    }
}
