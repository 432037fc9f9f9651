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
//! [`linear_bits`](crate::LinearBits) places all. A map that sends two inputs to one
//! image, or flips a bit that an input has, gets bits above memory for them, and a
//! [`modulo`](crate::Modulo) cuts those off.

use crate::error::Error;
use crate::linear::Linear;
use crate::number::list::List;
use crate::plan::Plan;
use crate::plan::fields::StageParts;
use crate::transform::Op;

/// Bits of an offset, and those above it.
const WIDEST: usize = 64;

impl Linear {
    /// The map as a plan of these lengths, whose offsets are the images of the numbers of
    /// its coordinates, the last dimension fastest.
    ///
    /// ```
    /// use tiledesc_transforms::Linear;
    ///
    /// let map = Linear::new(&[1, 2, 4, 8, 16, 32, 72, 144, 288], 0).unwrap();
    /// let tile = map.plan(&[8, 64]).unwrap();
    /// assert_eq!(tile.offset(&[3, 17]), Ok(201));
    /// assert_eq!(tile.linear(), Ok(map));
    /// assert_eq!(
    ///     map.plan(&[8, 32]).unwrap_err().to_string(),
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
    pub const fn plan(&self, lengths: &[u32]) -> Result<Plan, Error> {
        attempt!(self.is_shaped(lengths));
        match self.swizzled(lengths) {
            Err(Error::TooLarge { what, most }) => match self.placed(lengths) {
                Ok(plan) => Ok(plan),
                Err(_) => Err(Error::TooLarge { what, most }),
            },
            plan => plan,
        }
    }

    /// The plan as a series of swizzles.
    const fn swizzled(&self, lengths: &[u32]) -> Result<Plan, Error> {
        let mut work = Factors::of(self);
        attempt!(work.eliminate());
        attempt!(work.flip_inputs());
        let memory = work.memory;
        let mut plan = attempt!(Plan::packed(&[attempt!(length(memory))]));
        if work.bits > memory {
            let modulo = Op::Modulo {
                modulus: attempt!(length(memory)),
                length: attempt!(length(work.bits)),
            };
            plan = attempt!(plan.transform(&[modulo], &[&[0]], &[&[0]]));
        }
        let mut i = 0;
        while i < work.count {
            let Xor { from, into, width } = work.xors[i];
            plan = attempt!(plan.xor_fields(from, into, width));
            i += 1;
        }
        work.places(&plan, lengths)
    }

    /// The plan as one transform that places each bit, for a map of too many swizzles: of a permutation in which at
    /// most twelve bits change places.
    const fn placed(&self, lengths: &[u32]) -> Result<Plan, Error> {
        let (low, end) = self.moved();
        let (mut columns, mut b) = (List::EMPTY, low);
        while b < end {
            columns = attempt!(columns.push_back(self.columns()[b] >> low) => Error::Number);
            b += 1;
        }
        if self.constant() != 0 {
            return Err(Error::NotLinear { length: None });
        }
        let parts = [attempt!(length(self.inputs() - low)), attempt!(length(low))];
        let place = Op::LinearBits { length: parts[0], columns };
        let stays = Op::PassThrough { length: parts[1] };
        let plan = attempt!(Plan::packed(&parts));
        let plan = attempt!(plan.transform(&[place, stays], &[&[0], &[1]], &[&[0], &[1]]));
        let merge = Op::Merge { lengths: List::pair(parts[0], parts[1]) };
        let plan = attempt!(plan.transform(&[merge], &[&[0, 1]], &[&[0]]));
        let unmerge = Op::Unmerge { lengths: attempt!(List::from_slice(lengths) => Error::Number) };
        plan.transform(&[unmerge], &[&[0]], &[List::iota(lengths.len()).as_slice()])
    }

    /// The bits from which and up to which some change places or flip others.
    const fn moved(&self) -> (usize, usize) {
        let (columns, mut end) = (self.columns(), self.inputs());
        let mut low = 0;
        while low < end && columns[low] == 1 << low {
            low += 1;
        }
        while end > low && columns[end - 1] == 1 << (end - 1) {
            end -= 1;
        }
        let mut b = low;
        while b < end {
            // What moves may flip some of what stays.
            if (columns[b].trailing_zeros() as usize) < low {
                low = columns[b].trailing_zeros() as usize;
            }
            b += 1;
        }
        (low, end)
    }

    /// Refuses lengths whose bits are not the inputs.
    const fn is_shaped(&self, lengths: &[u32]) -> Result<(), Error> {
        let (mut shape, mut i) = (0, 0);
        while i < lengths.len() {
            if !lengths[i].is_power_of_two() {
                return Err(Error::NotLinear { length: Some((i as u32, lengths[i])) });
            }
            shape += lengths[i].ilog2();
            i += 1;
        }
        if shape as usize == self.inputs() {
            return Ok(());
        }
        Err(Error::Shape { shape, map: self.inputs() as u32 })
    }
}

/// 2^bits.
const fn length(bits: usize) -> Result<u32, Error> {
    match bits {
        0..32 => Ok(1 << bits),
        _ => Err(Error::TooLarge { what: "bits of an offset", most: 31 }),
    }
}

/// A run of bits that flips another.
#[derive(Clone, Copy)]
struct Xor {
    from: u32,
    into: u32,
    width: u32,
}

/// What is left of a map below the swizzles that were found.
struct Factors {
    columns: [u64; Linear::BITS],
    inputs: usize,
    constant: u64,
    /// Bits of memory.
    memory: usize,
    /// The same, and those that are cut off.
    bits: usize,
    /// From memory upwards.
    xors: [Xor; Plan::MOST_NODES],
    count: usize,
}

impl Factors {
    const fn of(map: &Linear) -> Self {
        let none = Xor { from: 0, into: 0, width: 0 };
        let mut work = Self {
            columns: [0; Linear::BITS],
            inputs: map.inputs(),
            constant: map.constant() as u64,
            memory: 0,
            bits: 0,
            xors: [none; Plan::MOST_NODES],
            count: 0,
        };
        let (mut all, mut b) = (map.constant(), 0);
        while b < map.inputs() {
            work.columns[b] = map.columns()[b] as u64;
            all |= map.columns()[b];
            b += 1;
        }
        work.memory = (u32::BITS - all.leading_zeros()) as usize;
        work.bits = work.memory;
        work.tell_apart();
        work
    }

    /// Gives a bit of its own to each column that is an xor of others.
    const fn tell_apart(&mut self) {
        // Rows by their highest bit, as in elimination.
        let (mut rows, mut b) = ([0; WIDEST], 0);
        while b < self.inputs {
            let mut row = self.columns[b];
            while row != 0 && rows[row.ilog2() as usize] != 0 {
                row ^= rows[row.ilog2() as usize];
            }
            if row == 0 {
                self.columns[b] |= 1 << self.bits;
                self.bits += 1;
            } else {
                rows[row.ilog2() as usize] = row;
            }
            b += 1;
        }
    }

    /// Swizzles until every column is one bit.
    const fn eliminate(&mut self) -> Result<(), Error> {
        while let Some(run) = self.best_run() {
            attempt!(self.take(run));
        }
        let (mut taken, mut b) = (0, 0);
        while b < self.inputs {
            let place = (self.columns[b] & !taken).trailing_zeros();
            taken |= 1 << place;
            while self.columns[b] != 1 << place {
                let into = (self.columns[b] ^ 1 << place).trailing_zeros();
                attempt!(self.take(Xor { from: place, into, width: 1 }));
            }
            b += 1;
        }
        Ok(())
    }

    /// The run of bits to xor that leaves the fewest ones; `None` if each leaves as many.
    const fn best_run(&self) -> Option<Xor> {
        let (mut best, mut found, mut from) = (0, None, 0);
        while from < self.bits {
            let mut into = 0;
            while into < self.bits {
                let (run, gain) = self.run(from, into);
                if gain > best {
                    (best, found) = (gain, Some(run));
                }
                into += 1;
            }
            from += 1;
        }
        found
    }

    /// As many bits from here on as each leave fewer ones, and how many fewer.
    const fn run(&self, from: usize, into: usize) -> (Xor, i32) {
        let most = from.abs_diff(into);
        let (mut width, mut gain) = (0, 0);
        while width < most && from + width < self.bits && into + width < self.bits {
            let more = self.gain(from + width, into + width);
            if more <= 0 {
                break;
            }
            gain += more;
            width += 1;
        }
        (Xor { from: from as u32, into: into as u32, width: width as u32 }, gain)
    }

    /// How many ones fewer there are with one bit xor-ed into another.
    const fn gain(&self, from: usize, into: usize) -> i32 {
        let (mut gain, mut b) = (0, 0);
        while b < self.inputs {
            if self.columns[b] >> from & 1 == 1 {
                gain += if self.columns[b] >> into & 1 == 1 { 1 } else { -1 };
            }
            b += 1;
        }
        gain
    }

    const fn take(&mut self, xor: Xor) -> Result<(), Error> {
        if self.count == self.xors.len() {
            let most = Plan::MOST_NODES as u32;
            return Err(Error::TooLarge { what: "transforms", most });
        }
        self.xors[self.count] = xor;
        self.count += 1;
        let mut b = 0;
        while b < self.inputs {
            self.columns[b] = xor.apply(self.columns[b]);
            b += 1;
        }
        self.constant = xor.apply(self.constant);
        Ok(())
    }

    /// Flips bits that inputs have by ones above memory.
    const fn flip_inputs(&mut self) -> Result<(), Error> {
        let (mut inputs, mut b) = (0, 0);
        while b < self.inputs {
            inputs |= self.columns[b];
            b += 1;
        }
        while self.constant & inputs != 0 {
            let flips = self.constant & inputs;
            let into = flips.trailing_zeros();
            let width = (flips >> into).trailing_ones();
            let ones = ((1u64 << width) - 1) << self.bits;
            let from = self.bits as u32;
            self.bits += width as usize;
            self.constant |= ones;
            attempt!(self.take(Xor { from, into, width }));
        }
        Ok(())
    }

    /// Every bit at its input's place, the others as the constant has them.
    const fn places(&self, below: &Plan, lengths: &[u32]) -> Result<Plan, Error> {
        let (mut fields, mut apart) = ([BitField::NONE; List::CAPACITY], List::EMPTY);
        let mut end = self.bits;
        let mut count = 0;
        while end > 0 {
            let field = self.field_below(end, lengths);
            if count == fields.len() {
                let most = List::CAPACITY as u32;
                return Err(Error::TooLarge { what: "dimensions", most });
            }
            end -= field.width as usize;
            apart = attempt!(apart.push_back(1 << field.width) => Error::Number);
            fields[count] = field;
            count += 1;
        }
        let mut stage = StageParts::EMPTY;
        let mut plan = *below;
        if count > 0 {
            attempt!(stage.push(Op::Unmerge { lengths: apart }, List::iota(1), List::iota(count)));
            plan = attempt!(stage.over(&plan));
        } else {
            attempt!(stage.push(Op::Freeze { index: 0 }, List::iota(1), List::EMPTY));
            plan = attempt!(stage.over(&plan));
        }
        let mut stage = StageParts::EMPTY;
        let mut i = 0;
        while i < count {
            if let Owner::Constant = fields[i].owner {
                let index = (self.constant >> fields[i].place) as u32 & (apart.at(i) - 1);
                attempt!(stage.push(Op::Freeze { index }, List::new(&[i as u32]), List::EMPTY));
            }
            i += 1;
        }
        let mut dimension = 0;
        while dimension < lengths.len() {
            let lower = attempt!(of_dimension(fields.split_at(count).0, dimension));
            let upper = List::new(&[dimension as u32]);
            let (mut lengths_below, mut i) = (List::EMPTY, 0);
            while i < lower.len() {
                let below = apart.at(lower.at(i) as usize);
                lengths_below = attempt!(lengths_below.push_back(below) => Error::Number);
                i += 1;
            }
            let op = match lower.len() {
                0 => Op::Insert { length: 1 },
                1 => Op::PassThrough { length: lengths[dimension] },
                _ => Op::Merge { lengths: lengths_below },
            };
            attempt!(stage.push(op, lower, upper));
            dimension += 1;
        }
        stage.over(&plan)
    }

    /// The longest field that ends at a bit: inputs of one dimension in a row, or none.
    const fn field_below(&self, end: usize, lengths: &[u32]) -> BitField {
        let (owner, mut field) = (self.owner(end - 1, lengths), BitField::NONE);
        field.owner = owner;
        field.place = end as u32;
        while field.place > 0 {
            let next = self.owner(field.place as usize - 1, lengths);
            if !next.continues(&owner, field.width) {
                break;
            }
            field.place -= 1;
            field.width += 1;
        }
        field
    }

    /// Whose bit of the offset it is.
    const fn owner(&self, place: usize, lengths: &[u32]) -> Owner {
        let mut input = 0;
        while input < self.inputs {
            if self.columns[input] == 1 << place {
                let (mut dimension, mut first) = (lengths.len(), 0);
                while dimension > 0 {
                    dimension -= 1;
                    let bits = lengths[dimension].ilog2() as usize;
                    if input < first + bits {
                        return Owner::Input { dimension, bit: input - first };
                    }
                    first += bits;
                }
            }
            input += 1;
        }
        Owner::Constant
    }
}

impl Xor {
    const fn apply(&self, x: u64) -> u64 {
        let field = x >> self.from & ((1 << self.width) - 1);
        x ^ field << self.into
    }
}

/// What a bit of the offset is.
#[derive(Clone, Copy)]
enum Owner {
    /// A bit of a dimension's index.
    Input { dimension: usize, bit: usize },
    /// Always the same.
    Constant,
}

impl Owner {
    /// Whether it stands `below` bits below another, of the same index.
    const fn continues(&self, top: &Self, below: u32) -> bool {
        match (self, top) {
            (Self::Input { dimension: ours, bit }, Self::Input { dimension, bit: first }) => {
                *ours == *dimension && *bit + below as usize == *first
            }
            (Self::Constant, Self::Constant) => true,
            _ => false,
        }
    }
}

/// Bits of the offset in a row.
#[derive(Clone, Copy)]
struct BitField {
    owner: Owner,
    place: u32,
    width: u32,
}

impl BitField {
    const NONE: Self = Self { owner: Owner::Constant, place: 0, width: 0 };

    /// The highest bit of the index that it holds, of this dimension.
    const fn bit_of(&self, wanted: usize) -> Option<usize> {
        match self.owner {
            Owner::Input { dimension, bit } if dimension == wanted => Some(bit),
            _ => None,
        }
    }
}

/// The fields of a dimension, its highest bits first.
const fn of_dimension(fields: &[BitField], dimension: usize) -> Result<List, Error> {
    let (mut found, mut limit) = (List::EMPTY, usize::MAX);
    loop {
        let (mut next, mut highest, mut i) = (None, 0, 0);
        while i < fields.len() {
            if let Some(bit) = fields[i].bit_of(dimension)
                && bit < limit
                && (next.is_none() || bit > highest)
            {
                (next, highest) = (Some(i), bit);
            }
            i += 1;
        }
        match next {
            Some(i) => found = attempt!(found.push_back(i as u32) => Error::Number),
            None => return Ok(found),
        }
        limit = highest;
    }
}
