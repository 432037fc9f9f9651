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
//! A chunk beyond the row begins again at its first: columns are counted modulo the row, as Triton does. `order` names
//! the dimension that runs fastest first; of more than two dimensions the others follow unchanged, and one alone has no rows
//! that are swizzled.
//!
//! Sources: triton-lang/triton, `TritonGPUAttrDefs.td`, `LinearLayoutConversions.cpp` (`(vec * phase) % numCols`), and the
//! bases that Triton 3.9 computes (`tests/golden/triton`).

use super::Bases;
use super::fields::{Fields, is_order};
use crate::Error;
use crate::exchange::linear::odd_length;
use tiledesc::{List, NumberError, Op, Plan};

/// A `swizzled_shared` or `amd_rotating_shared` layout, of a tile of any size.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::triton::Swizzled;
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

const FIELDS: [&str; 5] = ["`vec`", "`perPhase`", "`maxPhase`", "`order`", "`CGALayout`"];

impl Swizzled {
    /// Reads the attribute as Triton prints it, or Gluon's constructor.
    ///
    /// ```
    /// use tiledesc_host::exchange::triton::Swizzled;
    ///
    /// let odd = Swizzled::parse("SwizzledSharedLayout(vec=3, per_phase=1, max_phase=8, order=[1, 0])");
    /// assert_eq!(odd.unwrap_err().to_string(), "at byte 25: expected a power of two");
    /// let short = Swizzled::parse("SwizzledSharedLayout(8, 1, 8)").unwrap_err();
    /// assert_eq!(short.to_string(), "at byte 28: expected `order`");
    /// ```
    ///
    /// # Errors
    ///
    /// Another text, with the byte: also numbers that are not powers of two, and a layout of several blocks.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let names = ["#ttg.swizzled_shared", "#ttg.amd_rotating_shared", "SwizzledSharedLayout"];
        let (name, fields) = Fields::parse(text, names, FIELDS)?;
        let [vec, per_phase, max_phase] = [0, 1, 2].map(|field| fields.power_of_two(field));
        let order = fields.order(3)?;
        fields.one_block(4)?;
        let [vec, per_phase, max_phase] = [vec?, per_phase?, max_phase?];
        Ok(Self { vec, per_phase, max_phase, order, rotates: name == 1 })
    }

    /// A `swizzled_shared` layout of its numbers: `vec`, `perPhase`, `maxPhase` and `order`, the fastest dimension first.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Swizzled;
    ///
    /// let swizzled = Swizzled::new([8, 1, 8], List::pair(1, 0))?;
    /// assert_eq!(Swizzled::parse("SwizzledSharedLayout(8, 1, 8, [1, 0])"), Ok(swizzled));
    /// // Rows of two chunks: every second row exchanges them.
    /// let narrow = swizzled.plan(List::pair(16, 16))?;
    /// assert_eq!([1, 2, 3].map(|row| narrow.offset(&[row, 0])), [Ok(16 + 8), Ok(32), Ok(48 + 8)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A number that is not a power of two; an order that does not name each dimension once.
    pub fn new([vec, per_phase, max_phase]: [u32; 3], order: List) -> Result<Self, Error> {
        for (name, number) in [("vec", vec), ("perPhase", per_phase), ("maxPhase", max_phase)] {
            if !number.is_power_of_two() {
                return Err(Error::number(format!("{name} = {number} is not a power of two")));
            }
        }
        if !is_order(&order) {
            return Err(Error::number(format!(
                "order = {:?} does not name each dimension once: write `[1, 0]`",
                order.as_slice()
            )));
        }
        Ok(Self { vec, per_phase, max_phase, order, rotates: false })
    }

    /// The `swizzled_shared` layout that a plan is, of the least numbers; `None` of any other.
    ///
    /// ```
    /// use tiledesc::prelude::*;
    /// use tiledesc_host::exchange::triton::Swizzled;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let text = "#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>";
    /// assert_eq!(Swizzled::from_plan(&Tile::PLAN).unwrap().to_string(), text);
    /// layout! { type Layered = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>; }
    /// assert_eq!(Swizzled::from_plan(&Layered::PLAN), None);
    /// ```
    #[must_use]
    pub fn from_plan(plan: &Plan) -> Option<Self> {
        let bases = Bases::from_plan(plan).ok()?;
        let rank = plan.rank() as u32;
        let last_first: Vec<u32> = (0..rank).rev().collect();
        let first_first: Vec<u32> = (0..rank).collect();
        [last_first, first_first].iter().find_map(|order| Self::in_order(&bases, List::new(order)))
    }

    /// The layout of these bases whose order this is.
    fn in_order(bases: &Bases, order: List) -> Option<Self> {
        let powers = |below: u32| (0..=below.ilog2()).map(|bit| 1 << bit);
        let columns = bases.lengths.at(*order.as_slice().first()? as usize);
        let rows = order.as_slice().get(1).map_or(1, |slow| bases.lengths.at(*slow as usize));
        let of = |numbers| {
            Self::new(numbers, order)
                .ok()
                .filter(|one| one.bases(bases.lengths).as_ref() == Ok(bases))
        };
        of([1; 3]).or_else(|| {
            let mut each = powers(columns)
                .flat_map(|vec| powers(columns / vec).map(move |phases| (vec, phases)));
            each.find_map(|(vec, phases)| {
                powers(rows).find_map(|per_phase| of([vec, per_phase, phases]))
            })
        })
    }

    /// The same layout as Gluon's constructor: `SwizzledSharedLayout(vec=8, per_phase=1, max_phase=8, order=[1, 0])`.
    pub(super) fn gluon(&self) -> String {
        let Self { vec, per_phase, max_phase, .. } = self;
        let order = self.order.as_slice();
        format!(
            "SwizzledSharedLayout(vec={vec}, per_phase={per_phase}, max_phase={max_phase}, order={order:?})"
        )
    }

    /// The bases over a tile of these lengths.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Swizzled;
    ///
    /// let text = "#ttg.amd_rotating_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [1, 0]}>";
    /// let bases = Swizzled::parse(text).unwrap().bases(List::pair(4, 2)).unwrap();
    /// assert_eq!(bases.to_string(), "[[0, 1], [1, 1], [2, 1]]");
    /// ```
    ///
    /// # Errors
    ///
    /// A length that is not a power of two, another rank than the order's, more than 32 bits.
    pub fn bases(&self, lengths: List) -> Result<Bases, tiledesc::Error> {
        let rank = self.order.len();
        if lengths.len() != rank {
            return Err(tiledesc::Error::Rank { wanted: rank as u32, given: lengths.len() as u32 });
        }
        odd_length(lengths.as_slice())?;
        let fast = self.order.at(0) as usize;
        // One dimension has no rows.
        let slow = self.order.as_slice().get(1).map_or(rank, |slow| *slow as usize);
        let (columns, zeros) = (lengths.at(fast), List::of_first([0; List::CAPACITY], rank));
        let mut images = Vec::new();
        for d in self.order.as_slice().iter().map(|d| *d as usize) {
            for bit in 0..lengths.at(d).ilog2() {
                let image = zeros.with(d, 1 << bit);
                let moved = self.moved(1 << bit) % columns;
                images.push(if d == slow { image.with(fast, moved) } else { image });
            }
        }
        Bases::new(lengths, &images)
    }

    /// The number of columns by which a row's chunks are moved: each bit of the row's number by itself.
    fn moved(&self, row: u32) -> u32 {
        let phase = row / self.per_phase % self.max_phase;
        let block = row / self.per_phase / self.max_phase % self.max_phase;
        self.vec.wrapping_mul(if self.rotates { phase ^ block } else { phase })
    }

    /// The layout of a tile of these lengths as a plan. Triton has tiles of powers of two alone; the formula also holds
    /// of two dimensions with another number of rows, in whole rounds of phases.
    ///
    /// ```
    /// use tiledesc::List;
    /// use tiledesc_host::exchange::triton::Swizzled;
    ///
    /// let swizzled = Swizzled::new([8, 1, 8], List::pair(1, 0))?;
    /// assert_eq!(swizzled.plan(List::pair(96, 64))?.offset(&[95, 0]), Ok(95 * 64 + 7 * 8));
    /// assert_eq!(
    ///     swizzled.plan(List::pair(90, 64)).unwrap_err().to_string(),
    ///     "90 is not a multiple of perPhase * maxPhase = 8",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`bases`](Self::bases), but for such lengths; rows that are not whole rounds of phases.
    pub fn plan(&self, lengths: List) -> Result<Plan, tiledesc::Error> {
        let rank = self.order.len();
        let is_odd = rank == 2 && lengths.len() == 2 && odd_length(lengths.as_slice()).is_err();
        if !is_odd {
            return self.bases(lengths)?.plan();
        }
        let [fast, slow] = [self.order.at(0), self.order.at(1)];
        if self.rotates || !lengths.at(fast as usize).is_power_of_two() {
            return self.bases(lengths)?.plan();
        }
        let [columns, rows] = [fast, slow].map(|d| lengths.at(d as usize));
        // Rows that no index has, and chunks that no row has, do not count.
        let vec = self.vec.min(columns);
        // 64 bits, because the power of two above 2^32 - 1 rows is 2^32.
        let as_power = u64::from(rows).next_power_of_two();
        let at_most = |number: u32, most: u64| u64::from(number).min(most) as u32;
        let per_phase = at_most(self.per_phase, as_power);
        let phases = at_most(self.max_phase.min(columns / vec), as_power / u64::from(per_phase));
        let round = per_phase * phases;
        if !rows.is_multiple_of(round) {
            let (dividend, divisor) = ((rows, ""), (round, "perPhase * maxPhase"));
            return Err(tiledesc::Error::Number(NumberError::NotDivisible { dividend, divisor }));
        }
        in_rounds([rows / round, phases, per_phase], [columns / vec, vec], [slow, fast])
    }
}

/// Rows in rounds of phases, columns in chunks, and an xor of both; `upper` are the places of rows and columns.
fn in_rounds(rows: [u32; 3], columns: [u32; 2], upper: [u32; 2]) -> Result<Plan, tiledesc::Error> {
    let ([again, phases, per_phase], [chunks, vec]) = (rows, columns);
    let pass = |length| Op::PassThrough { length };
    let xor = Op::Xor { length0: phases, length1: chunks };
    let ids: [&[u32]; 4] = [&[0], &[1, 3], &[2], &[4]];
    let merged = [&rows[..], &columns].map(|lengths| Op::Merge { lengths: List::new(lengths) });
    Plan::packed(&[again, phases, per_phase, chunks, vec])?
        .transform(&[pass(again), xor, pass(per_phase), pass(vec)], &ids, &ids)?
        .transform(&merged, &[&[0, 1, 2], &[3, 4]], &[&[upper[0]], &[upper[1]]])
}

impl core::fmt::Display for Swizzled {
    /// Prints the swizzle as the IR does.
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
