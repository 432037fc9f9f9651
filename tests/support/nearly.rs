//! Layouts and accesses one step away from a kind that a fast way knows: a fast way that takes them for its own is wrong
//! here, and nowhere else.
//!
//! | of the kind | one step away |
//! |---|---|
//! | rows of a power of two, as far apart as they are long | rows of 40, 64 apart; rows of 64, 72 apart; at an offset |
//! | an xor of a layer's bits | one bit more or less, a mask that flips another's bit, a slice of it |
//! | lanes at equal distances | at distance 0; every second one idle; one lane or one column elsewhere |
//! | the whole tile | a tile that ends within an instruction |
//! | a tile counted through, and a swizzle of that number | rows that overlap, a pad, numbers that share a place |
//! | an xor from the first element on | a part of it: what stays flips a constant |
//! | a tile of a distribution that repeats after a round | one that ends within a round, numbers with a pad after some |

use crate::definition::Sent;
use crate::fuzz::Dice;
use crate::lists::{Covered, Factor, Lists};
use crate::walked::Said;
use tiledesc::{Error, F16, List, Op, Plan, recipe};

/// Lengths beside powers of two, and those.
const LENGTHS: &[u32] =
    &[1, 2, 8, 16, 16, 20, 24, 31, 32, 32, 33, 40, 48, 56, 60, 64, 64, 72, 96, 128];

/// A row of no chip: of 12 bytes from any dword on, of more banks, of phases of another size. `$Instruction` and `$Phases`
/// are those of whichever build of the library.
#[macro_export]
macro_rules! own_row {
    ($dice:expr, $Instruction:ident, $Phases:ident) => {{
        let dice = $dice;
        let bytes = dice.of(&[1, 2, 4, 8, 12, 12, 16]);
        let is_write = dice.one_in(3);
        let make = if is_write { $Instruction::write } else { $Instruction::read };
        let phases = $crate::nearly::phases(&mut *dice);
        let phases: Vec<&[usize]> = phases.iter().map(Vec::as_slice).collect();
        let row = make("own", bytes).phases($Phases::groups(&phases));
        let row = row.banks(dice.of(&[16, 32, 64]));
        match dice.of(&[4, 8]) {
            less if bytes > less && bytes.is_multiple_of(less) => row.aligned_to(less),
            _ => row,
        }
    }};
}

/// One of these rows, now and then one of no chip; two addresses are some units apart.
#[macro_export]
macro_rules! row_of {
    ($dice:expr, $rows:expr, $Instruction:ident, $Phases:ident) => {{
        let dice = $dice;
        let row = *dice.of($rows);
        let is_own = dice.one_in(8);
        let row = if is_own { $crate::own_row!(&mut *dice, $Instruction, $Phases) } else { row };
        if row.lacks_offsets().is_some() { row.offsets(0, 16) } else { row }
    }};
}

/// Phases of consecutive lanes, or of one or two lanes of every few, so that lanes of one dword are not together.
pub fn phases(dice: &mut Dice) -> Vec<Vec<usize>> {
    let (block, count) = match dice.below(4) {
        0 => (dice.of(&[1, 2]), dice.of(&[2, 4])),
        _ => dice.of(&[(8, 8), (16, 4), (32, 2), (64, 1)]),
    };
    (0..count).map(|phase| (0..64).filter(|lane| lane / block % count == phase).collect()).collect()
}

/// How a tile of rows lies in memory: what an outline of it is made of, too.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    pub rows: u32,
    pub columns: u32,
    pub pad: u32,
}

impl Rows {
    pub fn random(dice: &mut Dice) -> Self {
        let (rows, columns) = (dice.of(LENGTHS), dice.of(LENGTHS));
        let pad = match dice.below(5) {
            0 => 0,
            1 => columns.next_power_of_two() - columns,
            2 => 2 * columns.next_power_of_two() - columns,
            3 => dice.of(&[1, 2, 4, 8, 16, 24, 32]),
            _ => dice.below(40),
        };
        Self { rows, columns, pad }
    }

    pub fn plan(self) -> Result<Plan, Error> {
        Plan::naive(&[self.rows, self.columns], &[self.columns + self.pad, 1])
    }
}

/// Rows, packs and layers of an xor, and its masks if they are stated.
#[derive(Clone, Debug)]
pub struct Layers {
    pub numbers: [u32; 4],
    pub masks: Option<Vec<u32>>,
}

impl Layers {
    pub fn random(dice: &mut Dice) -> Self {
        let pack = dice.of(&[1, 2, 4, 8, 8, 8, 16, 6]);
        let layers = dice.of(&[1, 1, 2, 4, 8]);
        let rows = dice.of(&[16, 32, 64, 64, 128, 48, 96, 40]);
        let columns = pack * dice.of(&[1, 2, 4, 4, 8, 8, 16, 3, 12]);
        let masks = dice.one_in(2).then(|| {
            let most = u32::next_power_of_two(columns / pack * layers);
            (0..dice.below(6)).map(|_| dice.below(most)).collect()
        });
        Self { numbers: [rows, columns, pack, layers], masks }
    }

    pub fn plan(&self) -> Result<Plan, Error> {
        match &self.masks {
            Some(masks) => recipe::GemmXorBits::<F16>(self.numbers, masks),
            None => recipe::GemmXorLayer::<F16>(self.numbers),
        }
    }
}

/// A layout of two dimensions, or `None` where these numbers are of none.
pub fn layout(dice: &mut Dice) -> Option<Plan> {
    let Rows { rows, columns, pad } = Rows::random(dice);
    let pitch = columns + pad;
    let plan = match dice.below(13) {
        0 | 1 => Plan::naive(&[rows, columns], &[pitch, 1]),
        2 => Plan::naive(&[rows, columns], &[1, rows + pad]),
        3 => {
            let offset = dice.of(&[1, 2, 8, 32, 64, 100, 1024]);
            Plan::naive_with_offset(&[rows, columns], &[pitch, 1], offset)
        }
        4 => Plan::naive(&[rows, columns], &[dice.of(&[0, 1, 2, 4, 8, columns / 2]), 1]),
        5 => Plan::naive(&[rows, columns], &[pitch, dice.of(&[0, 1, 2, 3])]),
        6 | 7 => Layers::random(dice).plan(),
        8 => {
            let whole = Layers::random(dice).plan().ok()?;
            slice(dice, &whole)
        }
        9 => part_of_xor(dice),
        10 | 11 => numbered(dice),
        _ => recipe::families::<F16>().get(dice.below(40) as usize).map_or_else(
            || Plan::packed(&[rows, columns]),
            |family| {
                let number = |_: &&str| dice.of(&[1, 2, 4, 8, 8, 16, 32, 64, 64, 48, 96]);
                let numbers: Vec<u32> = family.parameters().iter().map(number).collect();
                family.plan(&numbers, &[1, 2, 4])
            },
        ),
    };
    plan.ok().filter(|plan| plan.lengths().len() == 2 && plan.elements() <= 1 << 14)
}

/// The first rows and columns of a layout, or those from some index on.
fn slice(dice: &mut Dice, plan: &Plan) -> Result<Plan, Error> {
    let mut part = |length: u32| {
        let begin = if dice.one_in(2) { 0 } else { dice.below(length) & !7 };
        let end = match dice.below(3) {
            0 => length.min(begin + (1 << dice.below(6))),
            _ => length - dice.below(length - begin).min(length / 2),
        };
        Op::Slice { low_length: length, begin, end }
    };
    let lengths = plan.lengths();
    let ops = [part(lengths.at(0)), part(lengths.at(1))];
    plan.transform(&ops, &[&[0], &[1]], &[&[0], &[1]])
}

/// A part of a tile of which bits of one index flip another: an index that stays flips the same everywhere.
fn part_of_xor(dice: &mut Dice) -> Result<Plan, Error> {
    let (m, k) = (dice.of(&[16, 32, 64, 128]), dice.of(&[16, 32, 64]));
    let plan = Plan::naive(&[m, k], &[k + dice.of(&[0, 0, 2, 4, 8, 16]), 1])?;
    let (indices, [by, of]) = dice.of(&[([0, 1], [m, k]), ([1, 0], [k, m])]);
    let step = dice.of(&[1, 4, 8]);
    let xor = Op::XorBits { length0: by, length1: of, masks: masks(dice, [by, of], step) };
    let whole = plan.transform(&[xor], &[&indices], &[&indices])?;
    slice(dice, &whole)
}

/// For each bit of an index below `by` a multiple of `step` below `of`.
fn masks(dice: &mut Dice, [by, of]: [u32; 2], step: u32) -> List {
    let bits = by.next_power_of_two().trailing_zeros().min(List::CAPACITY as u32);
    List::new(&(0..bits).map(|_| dice.below(of) / step * step).collect::<Vec<_>>())
}

/// A tile that is counted through first, by rows that overlap or not; then that number is padded or swizzled, and some
/// numbers may share a place.
fn numbered(dice: &mut Dice) -> Result<Plan, Error> {
    let Rows { rows, columns, pad } = Rows::random(dice);
    let strides = match dice.below(6) {
        0 => [columns + pad, 1],
        1 | 2 => [dice.of(&[0, 8, 8, 16, 24, columns / 2]), 1],
        3 => [1, rows],
        _ => [columns, 1],
    };
    let every = 1 << (2 + dice.below(8));
    let apart = if dice.one_in(8) { 0 } else { every + dice.of(&[0, 0, 0, 0, 1, 2, 4, 8, 16]) };
    by_lines(dice, &[rows, columns], &strides, [every, apart])
}

/// A tile of these lengths that is counted through by strides; of that number every so many are a line, and lines lie
/// apart and are swizzled or not.
fn by_lines(
    dice: &mut Dice,
    lengths: &[u32],
    strides: &[u32],
    [every, apart]: [u32; 2],
) -> Result<Plan, Error> {
    let lasts = lengths.iter().zip(strides).map(|(length, stride)| (length - 1) * stride);
    let lines = (lasts.sum::<u32>() + 1).div_ceil(every);
    let mut plan = Plan::naive(&[lines, every], &[apart, 1])?;
    if dice.one_in(2) {
        let step = dice.of(&[1, 2, 4, 8, 8]);
        let masks = masks(dice, [lines, every], step);
        let xor = Op::XorBits { length0: lines, length1: every, masks };
        plan = plan.transform(&[xor], &[&[0, 1]], &[&[0, 1]])?;
    }
    let merge = Op::Merge { lengths: List::pair(lines, every) };
    let number = plan.transform(&[merge], &[&[0, 1]], &[&[0]])?;
    let count = Op::Embed { lengths: List::new(lengths), strides: List::new(strides) };
    let all: Vec<u32> = (0..lengths.len() as u32).collect();
    number.transform(&[count], &[&[0]], &[&all])
}

/// Rows whose packs are rotated by the row, forth or back; all of them, or those from some row on.
fn rotated(dice: &mut Dice, [rows, columns]: [u32; 2]) -> Option<Plan> {
    let pack = dice.of(&[1, 2, 4, 8, 8].map(|pack| gcd(pack, columns)));
    let packs = columns / pack;
    let pitch = columns + dice.of(&[0, 0, pack, 16]);
    let begin = dice.of(&[0, 0, 1, 3, 8]);
    let (length0, length1) = (begin + rows, packs);
    let shift = match dice.below(3) {
        0 => Op::InverseCyclicShift { length0, length1 },
        _ => Op::CyclicShift { length0, length1 },
    };
    let plan = Plan::naive(&[length0, packs, pack], &[pitch, pack, 1]).ok()?;
    let stays = |length| Op::PassThrough { length };
    let plan = plan.transform(&[shift, stays(pack)], &[&[0, 1], &[2]], &[&[0, 1], &[2]]).ok()?;
    let whole = Op::Merge { lengths: List::pair(packs, pack) };
    let part = Op::Slice { low_length: length0, begin, end: length0 };
    plan.transform(&[part, whole], &[&[0], &[1, 2]], &[&[0], &[1]]).ok()
}

fn gcd(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// A layout of a tile of these lengths that repeats itself: after some lines of its number, or after a row.
pub fn repeating(dice: &mut Dice, lengths: &[u32]) -> Option<Plan> {
    if let [rows, columns] = *lengths
        && dice.one_in(2)
    {
        return rotated(dice, [rows, columns]);
    }
    let mut strides = vec![1; lengths.len()];
    for d in (1..lengths.len()).rev() {
        strides[d - 1] = strides[d] * lengths[d];
    }
    let every = dice.of(&[8, 16, 32, 64, 64, 128, 256]);
    let apart = every + dice.of(&[0, 0, 2, 4, 8, 8, 16]);
    by_lines(dice, lengths, &strides, [every, apart]).ok()
}

/// What a pattern is, of the library's and as coordinates.
#[derive(Clone, Debug)]
pub struct Access {
    pub said: Said,
    pub first: bool,
}

impl Access {
    pub fn random(dice: &mut Dice) -> Self {
        let said = match dice.below(12) {
            0 | 1 => Said::RowMajor,
            2 => Said::ColumnMajor,
            3 => Said::Column,
            4 | 5 => Said::Strided(dice.of(&[0, 0, 1, 1, 2, 3, 4, 8, 16, 17, 33, 64])),
            6 => Said::Diagonal,
            7 => Said::Repeated(dice.of(&[1, 2, 4, 8, 16, 32, 64, 12])),
            _ => Said::Rows(dice.of(&[1, 2, 4, 8, 12, 16, 20, 24, 32, 64])),
        };
        // All lanes at one element visit a tile in no number of instructions.
        let first = said == Said::Strided(0) || dice.one_in(3);
        Self { said, first }
    }

    /// Where it sends lanes on a tile: `None` where a pack does not divide what it counts, which is refused.
    pub fn sent(&self, tile: [u32; 2], pack: u32, lanes: u32) -> Option<Sent> {
        let counts_packs = !matches!(self.said, Said::Strided(_));
        if pack == 0 || counts_packs && !tile[self.said.along()].is_multiple_of(pack) {
            return None;
        }
        let steps = if self.first { 1 } else { self.said.instructions(tile, pack, lanes) };
        let lane = |step, lane| Some(self.said.coordinate(tile, pack, lanes, step, lane).to_vec());
        Some((0..steps).map(|step| (0..lanes).map(|l| lane(step, l)).collect()).collect())
    }
}

/// Coordinates that are nearly those of a pattern: a lane idle, a lane or all lanes from one on somewhere else.
pub fn shaken(dice: &mut Dice, mut sent: Sent) -> Sent {
    for lanes in &mut sent {
        let (lane, count) = (dice.below(lanes.len() as u32) as usize, lanes.len());
        match dice.below(6) {
            0 => lanes[lane] = None,
            1 => lanes.iter_mut().skip(lane % 2).step_by(2).for_each(|lane| *lane = None),
            2 => lanes[lane] = lanes[(lane + 1) % count].clone(),
            3 => lanes[lane..].iter_mut().flatten().for_each(|at| at[0] = at[0].saturating_sub(1)),
            4 => lanes[lane..].iter_mut().flatten().for_each(|at| at[0] ^= 1),
            _ => {}
        }
    }
    sent
}

/// Coordinates as the rows of a table.
pub fn table(sent: &Sent) -> Vec<tiledesc::pattern::Row> {
    let of = |lanes: &Vec<Option<Vec<u32>>>| {
        core::array::from_fn(|lane| lanes.get(lane)?.as_deref().map(List::new))
    };
    sent.iter().map(of).collect()
}

/// A distribution whose lanes are those of a wave, over a tile that its factors divide or not.
pub fn distribution(dice: &mut Dice, wave: u32) -> Covered {
    let mut made = Lists { rank: 2, factors: Vec::new(), owners: [const { Vec::new() }; 3] };
    let mut by_group = [Vec::new(), Vec::new()];
    let mut left = wave.trailing_zeros();
    while left > 0 {
        let bits = 1 + dice.below(left);
        by_group[dice.below(2) as usize].push((1, 1 << bits));
        left -= bits;
    }
    for (owner, lengths) in [(0, &[1, 2, 3][..]), (2, &[1, 2, 3, 4]), (2, &[1, 1, 2])] {
        let group = &mut by_group[dice.below(2) as usize];
        let place = dice.below(group.len() as u32 + 1) as usize;
        group.insert(place, (owner, dice.of(lengths)));
    }
    // A lane's pack, mostly along the last dimension.
    by_group[usize::from(!dice.one_in(6))].push((2, dice.of(&[1, 2, 4, 8])));
    // What is said of neighbours is not said across a factor of one.
    by_group.iter_mut().for_each(|group| group.retain(|(_, length)| *length > 1));
    for (group, factors) in by_group.iter().enumerate() {
        for (owner, length) in factors {
            let (at, listed) = (made.factors.len(), &mut made.owners[*owner]);
            made.factors.push(Factor { group: group + 1, length: *length });
            listed.insert(dice.below(listed.len() as u32 + 1) as usize, at);
        }
        if factors.is_empty() {
            made.owners[2].insert(0, made.factors.len());
            made.factors.push(Factor { group: group + 1, length: 1 });
        }
    }
    match dice.below(3) {
        0 => Covered::random(dice, made),
        _ => Covered { lists: made, parts: vec![vec![], vec![]] },
    }
}

/// A layout of a tile of these lengths.
pub fn layout_of(dice: &mut Dice, lengths: &[u32]) -> Option<Plan> {
    if dice.one_in(6) {
        return repeating(dice, lengths);
    }
    let (mut strides, mut next) = (vec![1; lengths.len()], 1u32);
    for d in (0..lengths.len()).rev() {
        strides[d] = next;
        next = match dice.below(5) {
            0 => (next * lengths[d]).next_power_of_two(),
            1 => next * lengths[d] + dice.of(&[1, 2, 4, 8, 16]),
            _ => next * lengths[d],
        };
    }
    let offset = if dice.one_in(4) { dice.of(&[1, 2, 8, 64, 100]) } else { 0 };
    let plan = Plan::naive_with_offset(lengths, &strides, offset).ok()?;
    let [m, k] = *lengths else { return Some(plan) };
    if dice.one_in(2) || !k.is_power_of_two() {
        return Some(plan);
    }
    let step = dice.of(&[1, 2, 4, 8, 8, 8]);
    let xor = Op::XorBits { length0: m, length1: k, masks: masks(dice, [m, k], step) };
    plan.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).ok()
}

/// Where a distribution sends its lanes, an access of `pack` elements along a dimension at a time; `None` where lanes do
/// not hold packs along it.
pub fn sent_by(covered: &Covered, along: usize, pack: u32) -> Option<Sent> {
    // The dimension of the factors, which may count on in those before.
    let parts = covered.parts.iter().map(|part| part.len().max(1));
    let ends = parts.scan(0, |end, count| {
        *end += count;
        Some(*end)
    });
    let counted = ends.collect::<Vec<_>>().iter().position(|end| *end == along + 1)?;
    let (lists, held) = (&covered.lists, covered.held());
    if !are_packs(lists, counted + 1, pack) {
        return None;
    }
    let block = |element: u32| {
        let mut at = lists.coordinate([0, 0, element]);
        let within = at[counted] % pack;
        at[counted] -= within;
        (at, within)
    };
    let mut accesses: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
    let mut elements: Vec<u32> = (0..lists.numbers(2)).collect();
    elements.sort_by_key(|element| block(*element).1);
    for element in elements {
        let (at, within) = block(element);
        match accesses.iter_mut().find(|(other, _)| *other == at) {
            Some((_, members)) if members.len() as u32 == within => members.push(element),
            None if within == 0 => accesses.push((at, vec![element])),
            _ => return None,
        }
    }
    let is_whole = |(_, members): &(Vec<u32>, Vec<u32>)| members.len() as u32 == pack;
    if !accesses.iter().all(is_whole) {
        return None;
    }
    let (waves, lanes) = (lists.numbers(0) as usize, lists.numbers(1) as usize);
    let mut sent = Vec::new();
    for wave in 0..waves {
        for (_, members) in &accesses {
            let lane = |lane: usize| held[wave * lanes + lane][members[0] as usize].clone();
            sent.push((0..lanes).map(lane).collect());
        }
    }
    Some(sent)
}

/// Whether a lane's elements along a dimension come in packs: the fastest of its factors are the lane's own, those that go
/// on in its registers as they do along the dimension count as one, and a pack is a product of the first of them, or a
/// part of one.
fn are_packs(lists: &Lists, group: usize, mut pack: u32) -> bool {
    let lengths = |at: &usize| lists.factors[*at].length;
    // Of a factor that the lane has: what it counts in the lane's registers.
    let below = |at: usize| {
        let place = lists.owners[2].iter().position(|other| *other == at)?;
        Some(lists.owners[2][place + 1..].iter().map(lengths).product::<u32>())
    };
    let factors = lists.factors.iter().enumerate().rev();
    let factors = factors.filter(|(_, factor)| factor.group == group && factor.length > 1);
    // The length of each, from the fastest on, up to the first that is not the lane's.
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for (at, factor) in factors {
        let Some(below) = below(at) else { break };
        match runs.last_mut() {
            Some((length, first)) if *first * *length == below => *length *= factor.length,
            _ => runs.push((factor.length, below)),
        }
    }
    for (length, _) in runs {
        if pack == 1 || length.is_multiple_of(pack) {
            return true;
        }
        if !pack.is_multiple_of(length) {
            return false;
        }
        pack /= length;
    }
    pack == 1
}
