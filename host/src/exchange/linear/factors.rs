//! A linear map as transforms: xors of bit fields over memory, and merges above them.
//!
//! Any map of bits is a series of swizzles over bits that only change places, as any matrix
//! is a product of elementary ones. Each step xors one run of bits into another, the run
//! that leaves the fewest ones in the columns:
//!
//! ```text
//!   columns                       1  2  4  8  16  32  72  144  288
//!   bits 6.. into bits 3.., 3     1  2  4  8  16  32  64  128  256    each bit has its place
//! ```
//!
//! Where no run helps, single bits are eliminated; where these are too many, one
//! [`linear_bits`](tiledesc::LinearBits) places all. A map that sends two inputs to one
//! image, or flips a bit that an input has, gets bits above memory for them, and a
//! [`modulo`](tiledesc::Modulo) cuts those off.

use core::cmp::Reverse;
use tiledesc::{Error, Linear, List, Op, Plan};

/// The map as a plan of these lengths, whose offsets are the images of the numbers of
/// its coordinates, the last dimension fastest.
///
/// ```
/// use tiledesc::Linear;
/// use tiledesc_host::exchange::linear;
///
/// let map = Linear::new(&[1, 2, 4, 8, 16, 32, 72, 144, 288], 0).unwrap();
/// let tile = linear::plan(&map, &[8, 64]).unwrap();
/// assert_eq!(tile.offset(&[3, 17]), Ok(201));
/// assert_eq!(tile.linear(), Ok(map));
/// assert_eq!(
///     linear::plan(&map, &[8, 32]).unwrap_err().to_string(),
///     "a shape of 8 bits for a map of 9",
/// );
/// ```
///
/// # Errors
///
/// [`Error::NotLinear`] with a length that is not a power of two, [`Error::Shape`];
/// [`Error::TooLarge`] of a map that takes more transforms or dimensions than a plan
/// holds, unless it is a permutation in which at most twelve bits change places, and of one
/// of more than 31 bits.
pub fn plan(map: &Linear, lengths: &[u32]) -> Result<Plan, Error> {
    check_shape(map, lengths)?;
    match swizzled(map, lengths) {
        Err(error @ Error::TooLarge { .. }) => placed(map, lengths).map_err(|_| error),
        plan => plan,
    }
}

/// Refuses lengths whose bits are not the inputs.
fn check_shape(map: &Linear, lengths: &[u32]) -> Result<(), Error> {
    odd_length(lengths)?;
    let (shape, inputs) = (lengths.iter().map(|length| length.ilog2()).sum(), map.inputs() as u32);
    if shape == inputs { Ok(()) } else { Err(Error::Shape { shape, map: inputs }) }
}

/// Refuses a length that is not a power of two.
pub(in crate::exchange) fn odd_length(lengths: &[u32]) -> Result<(), Error> {
    match lengths.iter().position(|length| !length.is_power_of_two()) {
        Some(d) => Err(Error::NotLinear { length: Some((d as u32, lengths[d])) }),
        None => Ok(()),
    }
}

/// The plan as a series of swizzles.
fn swizzled(map: &Linear, lengths: &[u32]) -> Result<Plan, Error> {
    let mut work = Factors::new(map);
    work.eliminate()?;
    work.flip_inputs()?;
    let modulus = length(work.memory)?;
    let mut plan = Plan::packed(&[modulus])?;
    if work.bits > work.memory {
        let modulo = Op::Modulo { modulus, length: length(work.bits)? };
        plan = plan.transform(&[modulo], &[&[0]], &[&[0]])?;
    }
    for Xor { from, into, width } in &work.xors {
        plan = plan.xor_fields(*from, *into, *width)?;
    }
    work.places(&plan, lengths)
}

/// The plan as one transform that places the bits that do not stay where they are.
fn placed(map: &Linear, lengths: &[u32]) -> Result<Plan, Error> {
    let (low, columns) = moved(map);
    if map.constant() != 0 {
        return Err(Error::NotLinear { length: None });
    }
    let parts = [length((map.inputs() - low) as u32)?, length(low as u32)?];
    let columns = List::from_slice(&columns).map_err(Error::Number)?;
    let place = Op::LinearBits { length: parts[0], columns };
    let stays = Op::PassThrough { length: parts[1] };
    let plan = Plan::packed(&parts)?.transform(&[place, stays], &[&[0], &[1]], &[&[0], &[1]])?;
    let merge = Op::Merge { lengths: List::pair(parts[0], parts[1]) };
    let plan = plan.transform(&[merge], &[&[0, 1]], &[&[0]])?;
    let unmerge = Op::Unmerge { lengths: List::from_slice(lengths).map_err(Error::Number)? };
    plan.transform(&[unmerge], &[&[0]], &[List::iota(lengths.len()).as_slice()])
}

/// The bits between the first and the last that change places or flip others: how many lie below them, and the columns of
/// each, without those.
pub(in crate::exchange) fn moved(map: &Linear) -> (usize, Vec<u32>) {
    let columns = map.columns();
    let stays = |b: &usize| columns[*b] == 1 << *b;
    let low = (0..columns.len()).take_while(stays).count();
    let end = columns.len() - (low..columns.len()).rev().take_while(stays).count();
    // What moves may flip some of what stays.
    let flipped = columns[low..end].iter().map(|column| column.trailing_zeros() as usize);
    let low = flipped.min().unwrap_or(low).min(low);
    (low, columns[low..end].iter().map(|column| column >> low).collect())
}

/// 2^bits.
fn length(bits: u32) -> Result<u32, Error> {
    let beyond = Error::TooLarge { what: "bits of an offset", most: 31 };
    1u32.checked_shl(bits).ok_or(beyond)
}

/// A run of bits that flips another.
#[derive(Clone, Copy)]
struct Xor {
    from: u32,
    into: u32,
    width: u32,
}

impl Xor {
    fn apply(self, x: &mut u64) {
        let field = *x >> self.from & ((1 << self.width) - 1);
        *x ^= field << self.into;
    }
}

/// The rest of a map below the swizzles that were found.
struct Factors {
    columns: Vec<u64>,
    constant: u64,
    /// Bits of memory.
    memory: u32,
    /// The bits of memory, and those that are cut off.
    bits: u32,
    /// The swizzles, from memory upwards.
    xors: Vec<Xor>,
}

impl Factors {
    fn new(map: &Linear) -> Self {
        let all = map.columns().iter().fold(map.constant(), |all, column| all | column);
        let memory = u32::BITS - all.leading_zeros();
        let columns = map.columns().iter().copied().map(u64::from).collect();
        let constant = map.constant().into();
        let mut work = Self { columns, constant, memory, bits: memory, xors: Vec::new() };
        work.tell_apart();
        work
    }

    /// Gives a bit of its own to each column that is an xor of others.
    fn tell_apart(&mut self) {
        // Rows by their highest bit, as in elimination.
        let mut rows = [0; u64::BITS as usize];
        for column in &mut self.columns {
            let mut row = *column;
            while row != 0 && rows[row.ilog2() as usize] != 0 {
                row ^= rows[row.ilog2() as usize];
            }
            if row == 0 {
                *column |= 1 << self.bits;
                self.bits += 1;
            } else {
                rows[row.ilog2() as usize] = row;
            }
        }
    }

    /// Swizzles until every column is one bit.
    fn eliminate(&mut self) -> Result<(), Error> {
        while let Some(run) = self.best_run() {
            self.take(run)?;
        }
        let mut taken = 0;
        for b in 0..self.columns.len() {
            let from = (self.columns[b] & !taken).trailing_zeros();
            taken |= 1 << from;
            while self.columns[b] != 1 << from {
                let into = (self.columns[b] ^ 1 << from).trailing_zeros();
                self.take(Xor { from, into, width: 1 })?;
            }
        }
        Ok(())
    }

    /// The run of bits to xor that leaves the fewest ones, of several the first; `None` if each leaves as many.
    fn best_run(&self) -> Option<Xor> {
        let runs = |from| (0..self.bits).map(move |into| self.run(from, into));
        let all = (0..self.bits).flat_map(runs);
        let (best, gain) = all.rev().max_by_key(|(_, gain)| *gain)?;
        (gain > 0).then_some(best)
    }

    /// The longest run of bits from here on that each leave fewer ones, and how many fewer they leave in all.
    fn run(&self, from: u32, into: u32) -> (Xor, i32) {
        let most = from.abs_diff(into).min(self.bits - from.max(into));
        let gains = (0..most).map(|bit| self.gain(from + bit, into + bit));
        let gains: Vec<i32> = gains.take_while(|gain| *gain > 0).collect();
        (Xor { from, into, width: gains.len() as u32 }, gains.iter().sum())
    }

    /// The number of ones saved by one bit xor-ed into another.
    fn gain(&self, from: u32, into: u32) -> i32 {
        let set = self.columns.iter().filter(|column| *column >> from & 1 == 1);
        set.map(|column| if column >> into & 1 == 1 { 1 } else { -1 }).sum()
    }

    fn take(&mut self, xor: Xor) -> Result<(), Error> {
        if self.xors.len() == Plan::MOST_NODES {
            return Err(Error::TooLarge { what: "transforms", most: Plan::MOST_NODES as u32 });
        }
        self.xors.push(xor);
        self.columns.iter_mut().for_each(|column| xor.apply(column));
        xor.apply(&mut self.constant);
        Ok(())
    }

    /// Flips bits that inputs have by ones above memory.
    fn flip_inputs(&mut self) -> Result<(), Error> {
        let inputs = self.columns.iter().fold(0, |all, column| all | column);
        while self.constant & inputs != 0 {
            let into = (self.constant & inputs).trailing_zeros();
            let width = ((self.constant & inputs) >> into).trailing_ones();
            let from = self.bits;
            self.bits += width;
            self.constant |= ((1 << width) - 1) << from;
            self.take(Xor { from, into, width })?;
        }
        Ok(())
    }

    /// Puts every bit at its input's place, the others as the constant has them.
    fn places(&self, below: &Plan, lengths: &[u32]) -> Result<Plan, Error> {
        let fields = self.fields(lengths);
        let apart: Vec<u32> = fields.iter().map(|field| 1 << field.width).collect();
        let plan = match List::from_slice(&apart) {
            Err(_) => {
                return Err(Error::TooLarge { what: "dimensions", most: List::CAPACITY as u32 });
            }
            Ok(none) if none.is_empty() => {
                below.transform(&[Op::Freeze { index: 0 }], &[&[0]], &[&[]])?
            }
            Ok(lengths) => {
                let upper = List::iota(lengths.len());
                below.transform(&[Op::Unmerge { lengths }], &[&[0]], &[upper.as_slice()])?
            }
        };
        let mut stage = Vec::new();
        for (i, field) in fields.iter().enumerate().filter(|(_, field)| field.owner.is_none()) {
            let index = (self.constant >> field.place) as u32 & (apart[i] - 1);
            stage.push((Op::Freeze { index }, vec![i as u32], vec![]));
        }
        for (dimension, length) in lengths.iter().enumerate() {
            let lower = of_dimension(&fields, dimension);
            let merged: Vec<u32> = lower.iter().map(|field| apart[*field as usize]).collect();
            let op = match lower[..] {
                [] => Op::Insert { length: 1 },
                [_] => Op::PassThrough { length: *length },
                _ => Op::Merge { lengths: List::new(&merged) },
            };
            stage.push((op, lower, vec![dimension as u32]));
        }
        let ops: Vec<Op> = stage.iter().map(|(op, ..)| *op).collect();
        let lower: Vec<&[u32]> = stage.iter().map(|(_, lower, _)| &lower[..]).collect();
        let upper: Vec<&[u32]> = stage.iter().map(|(.., upper)| &upper[..]).collect();
        plan.transform(&ops, &lower, &upper)
    }

    /// The bits of the offset in runs as long as can be, the highest first: bits of one index in a row, or of none.
    fn fields(&self, lengths: &[u32]) -> Vec<BitField> {
        let each = lengths.iter().enumerate().rev();
        let inputs: Vec<(usize, u32)> =
            each.flat_map(|(d, length)| (0..length.ilog2()).map(move |bit| (d, bit))).collect();
        let owner = |place: u32| {
            let input = self.columns.iter().position(|column| *column == 1 << place);
            input.map(|input| inputs[input])
        };
        let (mut fields, mut end) = (Vec::new(), self.bits);
        while end > 0 {
            let top = owner(end - 1);
            let continues = |below: &u32| match (owner(end - 1 - below), top) {
                (Some((d, bit)), Some((of, first))) => d == of && bit + below == first,
                (lower, top) => lower == top,
            };
            let width = (0..end).take_while(continues).count() as u32;
            end -= width;
            fields.push(BitField { owner: top, place: end, width });
        }
        fields
    }
}

/// Bits of the offset in a row.
struct BitField {
    /// The dimension and the bit of its index that the highest is; `None` if all are constant.
    owner: Option<(usize, u32)>,
    place: u32,
    width: u32,
}

/// The fields of a dimension, its highest bits first.
fn of_dimension(fields: &[BitField], dimension: usize) -> Vec<u32> {
    let is_of = |field: &BitField| field.owner.is_some_and(|(of, _)| of == dimension);
    let mut found: Vec<u32> =
        (0..).zip(fields).filter(|(_, it)| is_of(it)).map(|(i, _)| i).collect();
    found.sort_by_key(|field| Reverse(fields[*field as usize].owner));
    found
}
