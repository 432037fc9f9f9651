//! A product: who holds what two distributions give if a matrix instruction multiplies them, and which registers each of a
//! wave's instructions takes.
//!
//! ```text
//!   A     m [down 2, wave 2, row 32], k [deep 4, part 2, pack 8]        wave (wave, across), lane (part, row)
//!   B     n [across 2, wave 2, row 32], k [deep 4, part 2, pack 8]      wave (down, wave), lane (part, row)
//!   by    a: m [row 32], k [part 2, pack 4]     c: m [again 4, part 2, group 4], n [column 32]
//!
//!   C     m [down 2, wave 2, again 4, part 2, group 4], n [across 2, wave 2, column 32]
//!         wave (wave, wave), lane (part, column), thread (down, across, again, group)
//!   steps deep 4, pack 8 / 4, down 2, across 2: 32 instructions, instruction 5 takes elements 4 of A, 36 of B, 16 of C
//! ```
//!
//! An instruction takes consecutive registers, as many as its operand has. Their digits, and those of the lanes, must be along
//! the instruction's own dimensions; where along them is free, so that k may be permuted, if A and B permute it alike. What
//! is left of a lane's digits counts the instructions.

use super::draft::Draft;
use super::encoding::Encoding;
use super::fault::{DistributionError, Owner};
use super::product_fault::ProductFault;
use tiledesc_transforms::number::is_same;
use tiledesc_transforms::{List, attempt, down, range};

/// The operands of a matrix instruction, and its name.
#[derive(Clone, Copy)]
pub(crate) struct Instructed<'a> {
    pub(crate) name: &'static str,
    pub(crate) a: &'a Encoding,
    pub(crate) b: &'a Encoding,
    pub(crate) c: &'a Encoding,
}

/// The matrix instructions of a wave: which registers of A, of B and of the result each one takes.
///
/// ```
/// use tiledesc::prelude::*;
/// use tiledesc::{chip::gfx942, distribution::Within, matrix::mfma, warp_gemm};
///
/// distribution! { type Block: m [again 2], k [deep 2]; thread (again, deep); }
/// type A = Within<Block, mfma::F16_32x32x8::A>;
/// let held = A::ENCODING?;
/// let (sums, steps) = warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16").unwrap().product(&held, &held)?;
/// // 64 x 64 of C, with 16 of k: each of the four squares twice.
/// assert_eq!((sums.lengths().as_slice(), sums.elements(), steps.count()), (&[64, 64][..], 64, 8));
/// // How many registers an instruction takes, and the first of each; the result's order changes fastest.
/// assert_eq!(steps.elements(), [4, 4, 16]);
/// assert_eq!([0, 1, 2, 4].map(|step| steps.first(step)), [[0, 0, 0], [0, 8, 16], [8, 0, 32], [4, 4, 0]]);
/// # Ok::<(), tiledesc::distribution::DistributionError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductSteps {
    pub(crate) loops: [Loop; List::CAPACITY],
    pub(crate) loops_count: usize,
    count: usize,
    elements: [u32; 3],
}

/// A digit of the number of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Loop {
    below: u32,
    length: u32,
    /// The distance in the registers of A, of B and of the result.
    strides: [u32; 3],
}

impl Loop {
    const NONE: Self = Self { below: 1, length: 1, strides: [0; 3] };

    /// What it adds to the first registers of an instruction.
    #[inline(always)]
    pub(crate) const fn registers_at(&self, step: usize) -> [usize; 3] {
        let digit = step as u32 / self.below % self.length;
        let [a, b, c] = self.strides;
        [(digit * a) as usize, (digit * b) as usize, (digit * c) as usize]
    }
}

impl ProductSteps {
    pub(crate) const NONE: Self =
        Self { loops: [Loop::NONE; List::CAPACITY], loops_count: 0, count: 0, elements: [0; 3] };

    /// The number of instructions of a wave.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }

    /// The number of elements that an instruction takes of a lane: of A, of B and of the result.
    #[must_use]
    pub const fn elements(&self) -> [u32; 3] {
        self.elements
    }

    /// The first elements of a lane that an instruction takes: of A, of B and of the result. The numbers go on as if there
    /// were more instructions than there are.
    #[must_use]
    pub const fn first(&self, step: usize) -> [usize; 3] {
        let mut first = [0; 3];
        range!(i, 0..self.loops_count, {
            let [a, b, c] = self.loops[i].registers_at(step);
            first = [first[0] + a, first[1] + b, first[2] + c];
        });
        first
    }

    /// The first elements of all instructions, in their order.
    ///
    /// ```
    /// use tiledesc::{matrix::mfma, prelude::*, warp_gemm::Product};
    ///
    /// // 16 of k are two instructions of 8.
    /// type Halves = mfma::Operand<U32, U16>;
    /// product! { type Sums = Halves x Halves by v_mfma_f32_32x32x8_f16 on gfx942; }
    /// assert!(Sums::STEPS.iter().eq([[0, 0, 0], [4, 4, 0]]));
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [usize; 3]> + '_ {
        (0..self.count).map(|step| self.first(step))
    }

    /// A further digit, the slowest so far.
    const fn slower(&mut self, length: u32, strides: [u32; 3]) -> Result<(), DistributionError> {
        if self.loops_count == List::CAPACITY {
            return Err(TOO_MANY);
        }
        self.loops[self.loops_count] = Loop { below: self.count as u32, length, strides };
        self.loops_count += 1;
        self.count *= length as usize;
        Ok(())
    }
}

const TOO_MANY: DistributionError =
    DistributionError::TooMany { what: "factors of a product", most: List::CAPACITY as u32 };

/// A digit of a number, and what it adds to which dimension; to none if its group is 0, as a factor's.
#[derive(Clone, Copy)]
struct Digit {
    name: &'static str,
    below: u32,
    length: u32,
    group: u32,
    stride: u32,
}

/// The digits of a number, fastest first; some may be missing.
#[derive(Clone, Copy)]
struct Digits {
    all: [Digit; Self::MOST],
    count: usize,
}

impl Digits {
    const MOST: usize = 2 * List::CAPACITY;
    const NONE: Self = Self {
        all: [Digit { name: "", below: 1, length: 1, group: 0, stride: 0 }; Self::MOST],
        count: 0,
    };

    /// Those of an owner's number.
    const fn new(encoding: &Encoding, owner: Owner) -> Self {
        let mut digits = Self::NONE;
        down!(place, 0..encoding.listed_by(owner), {
            let factor = &encoding.factors[encoding.listed(owner, place)];
            if factor.length > 1 {
                let (name, below, length) = (factor.name, factor.below, factor.length);
                let (group, stride) = (factor.group, factor.stride);
                digits.all[digits.count] = Digit { name, below, length, group, stride };
                digits.count += 1;
            }
        });
        digits
    }

    /// Adds a digit where its number belongs.
    const fn insert(&mut self, digit: Digit) -> Result<(), DistributionError> {
        if self.count == Self::MOST {
            return Err(TOO_MANY);
        }
        let mut at = self.count;
        while at > 0 && self.all[at - 1].below > digit.below {
            self.all[at] = self.all[at - 1];
            at -= 1;
        }
        self.all[at] = digit;
        self.count += 1;
        Ok(())
    }

    /// Divides the digit in which a number lies, so that one begins there.
    const fn cut(&mut self, at: u64, of: &'static str) -> Result<(), DistributionError> {
        range!(i, 0..self.count, {
            let digit = self.all[i];
            let (below, end) = (digit.below as u64, digit.below as u64 * digit.length as u64);
            if below < at && at < end {
                if !at.is_multiple_of(below) || !end.is_multiple_of(at) {
                    let (first, second) =
                        (at as u32, if at.is_multiple_of(below) { end } else { below });
                    let fault = ProductFault::Digits { of, first, second: second as u32 };
                    return Err(DistributionError::Product(fault));
                }
                let (low, high) = ((at / below) as u32, (end / at) as u32);
                self.all[i].length = low;
                let stride = digit.stride * low;
                return self.insert(Digit { below: at as u32, length: high, stride, ..digit });
            }
        });
        Ok(())
    }

    /// Divides the digits of two numbers where those of the other one begin and end.
    const fn meet(&mut self, other: &mut Self, of: &'static str) -> Result<(), DistributionError> {
        attempt!(self.cut_as(other, of));
        other.cut_as(self, of)
    }

    const fn cut_as(&mut self, other: &Self, of: &'static str) -> Result<(), DistributionError> {
        range!(i, 0..other.count, {
            let Digit { below, length, .. } = other.all[i];
            attempt!(self.cut(below as u64, of));
            attempt!(self.cut(below as u64 * length as u64, of));
        });
        Ok(())
    }

    /// Those from a number on; the others stay.
    const fn split_off(&mut self, at: u32) -> Self {
        let mut rest = Self::NONE;
        range!(i, 0..self.count, {
            if self.all[i].below >= at {
                rest.all[rest.count] = self.all[i];
                rest.count += 1;
            }
        });
        self.count -= rest.count;
        rest
    }
}

/// An operand as an instruction takes it.
struct Taken {
    /// Of each dimension: where in the tile its digits in the instruction are.
    places: [Digits; 3],
    /// The digits of a lane's elements that count instructions.
    outer: Digits,
}

/// The most dimensions of an operand: blocks, rows, k.
const RANKS: usize = 3;

const fn taken(
    operand: &'static str,
    held: &Encoding,
    name: &'static str,
    by: &Encoding,
) -> Result<Taken, DistributionError> {
    let (rank, wanted) = (held.rank() as u32, by.rank() as u32);
    if rank != wanted || rank as usize > RANKS {
        return Err(DistributionError::Product(ProductFault::Rank { operand, rank, name, wanted }));
    }
    attempt!(held.check_divided());
    let (lanes, wanted) = (held.lanes(), by.lanes());
    if lanes != wanted {
        let fault = ProductFault::Lanes { operand, lanes, name, wanted };
        return Err(DistributionError::Product(fault));
    }
    let (elements, wanted) = (held.elements(), by.elements());
    if !elements.is_multiple_of(wanted) {
        let fault = ProductFault::Elements { operand, elements, name, wanted };
        return Err(DistributionError::Product(fault));
    }
    let mut thread = Digits::new(held, Owner::Thread);
    attempt!(thread.cut(wanted as u64, "elements of a lane"));
    let mut taken = Taken { places: [Digits::NONE; RANKS], outer: thread.split_off(wanted) };
    let mut lane = Digits::new(held, Owner::Lane);
    let operand = (operand, name);
    attempt!(taken.place(&mut lane, &mut Digits::new(by, Owner::Lane), operand, Owner::Lane, rank));
    attempt!(taken.place(
        &mut thread,
        &mut Digits::new(by, Owner::Thread),
        operand,
        Owner::Thread,
        rank
    ));
    Ok(taken)
}

impl Taken {
    /// Adds the places of an owner's digits, which must be along the instruction's dimensions.
    const fn place(
        &mut self,
        held: &mut Digits,
        by: &mut Digits,
        (operand, name): (&'static str, &'static str),
        owner: Owner,
        rank: u32,
    ) -> Result<(), DistributionError> {
        let (what, of) = match owner {
            Owner::Lane => ("lane", "lanes"),
            _ => ("element", "elements of a lane"),
        };
        attempt!(held.meet(by, of));
        range!(i, 0..by.count, {
            let (ours, theirs) = (&held.all[i], &by.all[i]);
            if ours.group != theirs.group {
                let (held, wanted) = (alone(ours), alone(theirs));
                let number = ours.below;
                let fault =
                    ProductFault::NotHeld { operand, what, number, held, name, wanted, rank };
                return Err(DistributionError::Product(fault));
            }
            if ours.group > 0 {
                let place = Digit { below: theirs.stride, ..*ours };
                attempt!(self.places[ours.group as usize - 1].insert(place));
            }
        });
        Ok(())
    }
}

/// The coordinate that a digit of 1 adds.
const fn alone(digit: &Digit) -> [u32; RANKS] {
    let mut index = [0; RANKS];
    if digit.group > 0 {
        index[digit.group as usize - 1] = digit.stride;
    }
    index
}

/// Returns who holds the product of A and B, and the instructions that make it.
pub(crate) const fn product(
    a: &Encoding,
    b: &Encoding,
    by: &Instructed<'_>,
) -> Result<(Encoding, ProductSteps), DistributionError> {
    let mut of_a = attempt!(taken("A", a, by.name, by.a));
    let mut of_b = attempt!(taken("B", b, by.name, by.b));
    let rank = a.rank();
    if let Some(fault) = unlike(a, b) {
        return Err(DistributionError::Product(fault));
    }
    // k, and blocks: what A and B have in common.
    range!(d, 0..rank, {
        if d != rank - 2 {
            let of = if d + 1 == rank { "k" } else { "block" };
            attempt!(of_a.places[d].meet(&mut of_b.places[d], of));
            attempt!(is_met(&of_a.places[d], &of_b.places[d], of, by.name));
        }
    });
    let waves = attempt!(waves(a, b));
    let counted = attempt!(Counted::new(&of_a.outer, &of_b.outer, by, rank as u32));
    let lane = attempt!(resulting(by.c, Owner::Lane, &mut of_a, &mut of_b));
    let mut thread = attempt!(resulting(by.c, Owner::Thread, &mut of_a, &mut of_b));
    range!(i, 0..counted.result.count, { attempt!(thread.insert(counted.result.all[i])) });
    let names = [a.dimensions[0], a.dimensions[rank - 2], b.dimensions[rank - 2]];
    let encoding = attempt!(written(&[waves, lane, thread], names, by.c));
    Ok((encoding, counted.steps))
}

/// Names and lengths in which A and B differ, though they must not.
const fn unlike(a: &Encoding, b: &Encoding) -> Option<ProductFault> {
    let last = a.rank() - 1;
    let (name, other) = (a.dimensions[last], b.dimensions[last]);
    let is_named = !name.is_empty() && !other.is_empty();
    if is_named && !name.eq_ignore_ascii_case(other) {
        return Some(ProductFault::Names { a: name, b: other });
    }
    range!(d, 0..a.rank(), {
        let (a, b) = (a.lengths().at(d), b.lengths().at(d));
        if d + 1 != last && a != b {
            let of = if d == last { "k" } else { "blocks" };
            return Some(ProductFault::Lengths { of, a, b });
        }
    });
    None
}

/// Refuses digits of the instruction that are elsewhere in A than in B.
const fn is_met(
    a: &Digits,
    b: &Digits,
    of: &'static str,
    name: &'static str,
) -> Result<(), DistributionError> {
    range!(i, 0..a.count, {
        let (a, b) = (a.all[i].stride, b.all[i].stride);
        if a != b {
            return Err(DistributionError::Product(ProductFault::Order { of, name, a, b }));
        }
    });
    Ok(())
}

/// The digits of the wave's number in the product: a wave has rows of A and columns of B.
const fn waves(a: &Encoding, b: &Encoding) -> Result<Digits, DistributionError> {
    let (mut of_a, mut of_b) = (Digits::new(a, Owner::Wave), Digits::new(b, Owner::Wave));
    let (from, to) = (a.waves(), b.waves());
    // Where waves own nothing, each of any number has it all.
    if from == 1 && to > 1 {
        attempt!(of_a.insert(Digit { length: to, ..Digits::NONE.all[0] }));
    } else if to == 1 && from > 1 {
        attempt!(of_b.insert(Digit { length: from, ..Digits::NONE.all[0] }));
    } else if from != to {
        return Err(DistributionError::OtherNumber { owner: Owner::Wave, from, to });
    }
    attempt!(of_a.meet(&mut of_b, "waves"));
    let (rank, mut made) = (a.rank() as u32, Digits::NONE);
    range!(i, 0..of_a.count, {
        let (first, second) = (&of_a.all[i], &of_b.all[i]);
        let (wave, k) = (first.below, rank as usize - 1);
        let (a, b) = (alone(first), alone(second));
        if first.group == rank || second.group == rank {
            let (a, b) = (a[k], b[k]);
            return Err(DistributionError::Product(ProductFault::WaveSums { wave, a, b }));
        }
        let Some(digit) = in_both(first, second, rank) else {
            return Err(DistributionError::Product(ProductFault::WavesApart { wave, a, b, rank }));
        };
        made.all[made.count] = digit;
        made.count += 1;
    });
    Ok(made)
}

/// A digit of the wave's number in the product: rows, columns, a block of both, or a repetition. `None` where a wave has rows
/// and columns that it alone has.
const fn in_both(first: &Digit, second: &Digit, rank: u32) -> Option<Digit> {
    let rows = rank - 1;
    match (first.group, second.group) {
        (0, 0) => Some(*first),
        (group, 0) if group == rows => Some(*first),
        (0, group) if group == rows => Some(Digit { group: rank, ..*second }),
        (group, other) if group == other && group < rows && first.stride == second.stride => {
            Some(*first)
        }
        _ => None,
    }
}

/// The instructions of a wave, as digits of their number, and the digits of the result's elements that they count.
struct Counted {
    steps: ProductSteps,
    result: Digits,
}

impl Counted {
    /// Columns fastest, so that instructions one after another add to different elements; then rows, blocks and k.
    const fn new(
        a: &Digits,
        b: &Digits,
        by: &Instructed<'_>,
        rank: u32,
    ) -> Result<Self, DistributionError> {
        let elements = [by.a.elements(), by.b.elements(), by.c.elements()];
        let steps = ProductSteps { count: 1, elements, ..ProductSteps::NONE };
        let (mut made, mut below) = (Self { steps, result: Digits::NONE }, elements[2]);
        range!(i, 0..b.count, {
            let digit = b.all[i];
            if digit.group + 1 == rank {
                let column = Digit { below, group: rank, ..digit };
                attempt!(made.slower(&column, [0, digit.below, below]));
                below *= digit.length;
            }
        });
        range!(i, 0..a.count, {
            let digit = a.all[i];
            if digit.group + 1 == rank {
                attempt!(made.slower(&Digit { below, ..digit }, [digit.below, 0, below]));
                below *= digit.length;
            }
        });
        if rank as usize == RANKS {
            let (first, second) = attempt!(common(a, b, 1, "block"));
            range!(i, 0..first.count, {
                let (digit, stride) = (first.all[i], first.all[i].below);
                let strides = [digit.stride, second.all[i].stride, below];
                attempt!(made.slower(&Digit { below, stride, ..digit }, strides));
                below *= digit.length;
            });
        }
        let (first, second) = attempt!(common(a, b, rank, "k"));
        range!(i, 0..first.count, {
            let strides = [first.all[i].stride, second.all[i].stride, 0];
            attempt!(made.steps.slower(first.all[i].length, strides));
        });
        Ok(made)
    }

    /// A further digit of the instructions, and of the result.
    const fn slower(&mut self, digit: &Digit, strides: [u32; 3]) -> Result<(), DistributionError> {
        attempt!(self.result.insert(*digit));
        self.steps.slower(digit.length, strides)
    }
}

/// The digits of A and of B along a dimension, at the same places of the tile: `below` is the place, `stride` the distance in
/// the registers.
const fn common(
    a: &Digits,
    b: &Digits,
    group: u32,
    of: &'static str,
) -> Result<(Digits, Digits), DistributionError> {
    let (mut first, mut second) = (attempt!(along(a, group)), attempt!(along(b, group)));
    attempt!(first.meet(&mut second, of));
    range!(i, 0..first.count, {
        let (first, second) = (first.all[i].below, second.all[i].below);
        if first != second {
            return Err(DistributionError::Product(ProductFault::Digits { of, first, second }));
        }
    });
    Ok((first, second))
}

/// The digits along a dimension, by their places in it.
const fn along(digits: &Digits, group: u32) -> Result<Digits, DistributionError> {
    let mut made = Digits::NONE;
    range!(i, 0..digits.count, {
        let Digit { below, stride, .. } = digits.all[i];
        if digits.all[i].group == group {
            attempt!(made.insert(Digit { below: stride, stride: below, ..digits.all[i] }));
        }
    });
    Ok(made)
}

/// The digits of an owner of the instruction's result, at their places in the tile: rows where A has them, columns where B does.
const fn resulting(
    c: &Encoding,
    owner: Owner,
    a: &mut Taken,
    b: &mut Taken,
) -> Result<Digits, DistributionError> {
    let (own, rank, mut made) = (Digits::new(c, owner), c.rank(), Digits::NONE);
    range!(i, 0..own.count, {
        let digit = own.all[i];
        let Digit { group, stride: begin, .. } = digit;
        if group == 0 {
            attempt!(made.insert(digit));
            continue;
        }
        let (places, of) = match group as usize == rank {
            true => (&mut b.places[rank - 2], "columns"),
            false => (&mut a.places[group as usize - 1], "rows"),
        };
        let end = begin as u64 * digit.length as u64;
        attempt!(places.cut(begin as u64, of));
        attempt!(places.cut(end, of));
        range!(at, 0..places.count, {
            let Digit { below: place, length, stride, .. } = places.all[at];
            if place >= begin && (place as u64) < end {
                let below = digit.below * (place / begin);
                attempt!(made.insert(Digit { below, length, stride, ..digit }));
            }
        });
    });
    Ok(made)
}

/// The distribution of these digits of wave, lane and element.
const fn written(
    owned: &[Digits; 3],
    names: [&'static str; RANKS],
    c: &Encoding,
) -> Result<Encoding, DistributionError> {
    let (mut draft, rank) = (Draft::new(), c.rank());
    let mut places = [[0; Digits::MOST]; 3];
    range!(group, 0..rank + 1, {
        if group > 0 {
            attempt!(draft.dimension(name_of(names, group, c)));
        }
        // The slowest first: that with the largest stride below the one before.
        let (mut before, mut is_left) = (u64::MAX, true);
        while is_left {
            let mut next = None;
            range!(owner, 0..3, {
                range!(i, 0..owned[owner].count, {
                    let digit = &owned[owner].all[i];
                    // Repetitions have no place, but one each in the order of the numbers.
                    let place = if group == 0 {
                        (owner as u64) << 32 | digit.below as u64
                    } else {
                        digit.stride as u64
                    };
                    let is_next = match next {
                        Some((largest, _, _)) => place > largest,
                        None => true,
                    };
                    if digit.group as usize == group && place < before && is_next {
                        next = Some((place, owner, i));
                    }
                });
            });
            match next {
                Some((place, owner, i)) => {
                    let Digit { name, length, .. } = owned[owner].all[i];
                    places[owner][i] = draft.count();
                    attempt!(draft.factor(name, Ok(length)));
                    before = place;
                }
                None => is_left = false,
            }
        }
        if group > 0 && before == u64::MAX {
            attempt!(draft.factor("", Ok(1)));
        }
    });
    range!(owner, 0..3, {
        down!(i, 0..owned[owner].count, {
            attempt!(draft.claim(Owner::ALL[owner], places[owner][i]));
        });
    });
    draft.finish()
}

/// The name of a dimension of the result: that of A's or of B's rows; the instruction's where neither has one, or both the same.
const fn name_of(
    [block, rows, columns]: [&'static str; RANKS],
    group: usize,
    c: &Encoding,
) -> &'static str {
    let (rank, own) = (c.rank(), c.dimensions[group - 1]);
    let name = match rank - group {
        0 if is_same(rows, columns) => "",
        0 => columns,
        1 => rows,
        _ => block,
    };
    if !name.is_empty() {
        name
    } else if group == rank && is_same(rows, own) {
        ""
    } else {
        own
    }
}
