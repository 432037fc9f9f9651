//! A statement that holds, holds of every instruction: ready-made layouts, ready-made patterns and all rows of all
//! chips, against a wave that walks the tile lane by lane.
//!
//! ```text
//!   RowPad<F16, M<64>, K<96>, Padding<8>>, sm_90, ld_shared_b32 by RowMajor
//!   instruction 0    row 0, columns 0 to 63                               free
//!   instruction 1    row 0, columns 64 to 95, and row 1, columns 0 to 31  2-way: this is what the statement says
//! ```
//!
//! Coordinates are by the sentences of the book, addresses by the plan's offsets, conflicts by lists of dwords: nothing
//! of `pattern`, `access` and `bank` is used. What cannot be (a lane outside the tile, a torn or misaligned vector) is
//! found here by itself, too. A plain run tries 1,500 statements, `FUZZ_CASES` asks for more.

use support::fuzz::{Dice, cases};
use tiledesc::pattern::Lanes;
use tiledesc::{
    F8, F16, F32, Plan,
    access::Placed,
    chip::{Access, CHIPS, Instruction},
    recipe,
};

/// A pattern as its sentence in the book says it.
#[derive(Clone, Copy, Debug)]
enum Said {
    RowMajor,
    ColumnMajor,
    Column,
    Strided(u32),
    Diagonal,
    Rows(u32),
    Repeated(u32),
}

impl Said {
    fn random(dice: &mut Dice) -> Self {
        match dice.below(9) {
            0..3 => Self::RowMajor,
            3 => Self::ColumnMajor,
            4 => Self::Column,
            5 => Self::Strided(dice.of(&[1, 2, 3, 4, 8, 16, 33])),
            6 => Self::Diagonal,
            7 => Self::Repeated(16),
            _ => Self::Rows(dice.of(&[4, 8, 16, 32])),
        }
    }

    fn lanes(self) -> Lanes<'static> {
        match self {
            Self::RowMajor => Lanes::row_major(),
            Self::ColumnMajor => Lanes::column_major(),
            Self::Column => Lanes::column(),
            Self::Strided(stride) => Lanes::strided(stride),
            Self::Diagonal => Lanes::diagonal(),
            Self::Rows(rows) => Lanes::rows(rows),
            Self::Repeated(rows) => Lanes::repeated_rows(rows),
        }
    }

    /// The dimension along which a lane takes its elements.
    fn along(self) -> usize {
        usize::from(!matches!(self, Self::ColumnMajor))
    }

    /// How many instructions visit a tile.
    fn instructions(self, [m, k]: [u32; 2], pack: u32, lanes: u32) -> u32 {
        match self {
            Self::RowMajor | Self::ColumnMajor => (m * k).div_ceil(pack * lanes),
            Self::Strided(stride) => (m * k).div_ceil(stride * lanes),
            Self::Diagonal => m.div_ceil(lanes),
            Self::Column => m.div_ceil(lanes) * k.div_ceil(pack),
            Self::Repeated(rows) => m.div_ceil(rows) * k.div_ceil(pack),
            Self::Rows(rows) => m.div_ceil(rows) * k.div_ceil(pack * (lanes / rows).max(1)),
        }
    }

    /// What a lane touches first in instruction `step`.
    fn coordinate(self, [m, k]: [u32; 2], pack: u32, lanes: u32, step: u32, lane: u32) -> [u32; 2] {
        let counted = step * lanes + lane;
        let block = |rows: u32, part: u32, depth: u32| {
            let again = m.div_ceil(rows);
            [step % again * rows + lane % rows, step / again * depth + part * pack]
        };
        match self {
            Self::RowMajor => [counted * pack / k, counted * pack % k],
            Self::ColumnMajor => [counted * pack % m, counted * pack / m],
            Self::Strided(stride) => [counted * stride / k, counted * stride % k],
            Self::Diagonal => [counted, counted % (k / pack) * pack],
            Self::Column => block(lanes, 0, pack),
            Self::Repeated(rows) => block(rows, 0, pack),
            Self::Rows(rows) if rows > lanes => block(rows, 0, pack),
            Self::Rows(rows) => block(rows, lane / rows, lanes / rows * pack),
        }
    }
}

/// A layout with what it was made of.
struct Tile {
    name: String,
    bits: u32,
    plan: Plan,
    lengths: [u32; 2],
    /// The offset of each element, row by row; none of padding.
    offsets: Vec<Option<u32>>,
}

impl Tile {
    /// A recipe of random numbers, if it takes them and has two dimensions.
    fn random(dice: &mut Dice) -> Option<Self> {
        let bits = dice.of(&[8, 16, 32]);
        let families = match bits {
            8 => recipe::families::<F8>(),
            16 => recipe::families::<F16>(),
            _ => recipe::families::<F32>(),
        };
        let family = &families[dice.below(families.len() as u32) as usize];
        let mut number = |name: &&str| match *name {
            "M" | "N" | "MN" => dice.of(&[16, 32, 33, 48, 64, 96, 128]),
            "K" => dice.of(&[8, 16, 24, 32, 40, 48, 64, 80, 96, 128]),
            "Padding" => dice.of(&[1, 2, 4, 8, 12, 16]),
            _ => 1 << dice.below(5),
        };
        let numbers: Vec<u32> = family.parameters().iter().map(&mut number).collect();
        let list: Vec<u32> =
            family.list().map_or(vec![], |_| (0..3).map(|_| dice.below(8)).collect());
        let plan = family.plan(&numbers, &list).ok()?;
        let [m, k] = *plan.lengths().as_slice() else { return None };
        let at = |i| plan.offset(&[i / k, i % k]).ok();
        let offsets = (0..m * k).map(at).collect();
        let name = format!("{} {numbers:?} {list:?}", family.name());
        Some(Self { name, bits, plan, lengths: [m, k], offsets })
    }

    fn at(&self, [m, k]: [u32; 2]) -> Option<u32> {
        let inside = m < self.lengths[0] && k < self.lengths[1];
        if inside { self.offsets[(m * self.lengths[1] + k) as usize] } else { None }
    }
}

/// What all instructions do together, and whether the first is free.
#[derive(Debug, Default, PartialEq, Eq)]
struct Walked {
    instructions: u64,
    degree: u32,
    conflict_cycles: u64,
    race: bool,
    first_is_free: bool,
}

/// The wave, instruction by instruction; `None` if one of them cannot be.
fn walk(tile: &Tile, said: Said, row: &Instruction) -> Option<Walked> {
    let lanes = row.service().phases.addressed() as u32;
    let (bytes, bits) = (row.bytes(), tile.bits);
    if !(bytes * 8).is_multiple_of(bits) {
        return None;
    }
    let pack = bytes * 8 / bits;
    let whole_packs = tile.lengths[said.along()].is_multiple_of(pack);
    if !whole_packs && !matches!(said, Said::Strided(_)) {
        return None;
    }
    let space = (tile.plan.element_space() + tile.plan.origin() as u64) * u64::from(bits) / 8;
    if row.memory().is_some_and(|memory| space > u64::from(memory)) {
        return None;
    }
    let mut all = Walked::default();
    for step in 0..said.instructions(tile.lengths, pack, lanes) {
        let mut bytes_of = Vec::new();
        for lane in 0..lanes {
            let first = said.coordinate(tile.lengths, pack, lanes, step, lane);
            let offset = tile.at(first)?;
            for element in 1..pack {
                let mut next = first;
                next[said.along()] += element;
                if tile.at(next)? != offset + element {
                    return None;
                }
            }
            let bit = offset * bits;
            let end = u64::from(bit / 8) + u64::from(row.part(row.parts() - 1)) + u64::from(bytes);
            let is_aligned = bit.is_multiple_of(8 * row.alignment());
            if !is_aligned || end.max(u64::from(bit / 8) + u64::from(row.part(0))) > space {
                return None;
            }
            bytes_of.push(bit / 8);
        }
        let one = count(row, &bytes_of);
        if step == 0 {
            all.first_is_free = one.degree == 1 && !one.race;
        }
        all.instructions += 1;
        all.degree = all.degree.max(one.degree);
        all.conflict_cycles += one.conflict_cycles;
        all.race |= one.race;
    }
    Some(all)
}

/// One instruction with these addresses: dwords of each phase, bank by bank.
fn count(row: &Instruction, addresses: &[u32]) -> Walked {
    let agree = |distance: usize| {
        (0..addresses.len())
            .all(|lane| addresses.get(lane ^ distance).is_none_or(|at| *at == addresses[lane]))
    };
    let service = match row.merged() {
        Some(merged) if agree(1) || agree(2) => merged,
        _ => row.service(),
    };
    let mut found = Walked::default();
    for part in 0..row.parts() {
        let mut dwords: Vec<(usize, u32, u32)> = Vec::new();
        for (lane, address) in addresses.iter().enumerate() {
            let Some(phase) = service.phases.of(lane) else { continue };
            let first = address + row.part(part);
            let touched = first / 4..(first + row.bytes()).div_ceil(4);
            dwords.extend(touched.map(|dword| (phase, dword % service.banks, dword)));
        }
        dwords.sort_unstable();
        dwords.dedup();
        let mut degrees = vec![0; service.phases.count()];
        for bank in dwords.chunk_by(|one, other| one.0 == other.0 && one.1 == other.1) {
            let degree = &mut degrees[bank[0].0];
            *degree = (*degree).max(bank.len() as u32);
        }
        found.degree = found.degree.max(degrees.iter().copied().max().unwrap_or(0));
        found.conflict_cycles +=
            degrees.iter().map(|degree| u64::from(degree.saturating_sub(1))).sum::<u64>();
    }
    if row.access() == Access::Write {
        let parts = 0..row.parts();
        let mut bytes: Vec<(u32, usize)> = parts
            .flat_map(|part| addresses.iter().enumerate().map(move |(lane, at)| (part, lane, *at)))
            .flat_map(|(part, lane, at)| {
                (0..row.bytes()).map(move |byte| (at + row.part(part) + byte, lane))
            })
            .collect();
        bytes.sort_unstable();
        found.race = bytes.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 != two[1].1);
    }
    found
}

/// A row of any chip, with two offsets if it takes them.
fn any_row(dice: &mut Dice) -> Instruction {
    let chip = &CHIPS[dice.below(CHIPS.len() as u32) as usize];
    let row = chip.rows()[dice.below(chip.rows().len() as u32) as usize];
    let is_bare = row.parts() == 2 && row.part(0) == row.part(1);
    if is_bare { row.offsets(0, dice.of(&[1, 4, 16, 64])) } else { row }
}

#[test]
fn green_is_every_instruction() {
    let mut dice = Dice(11);
    let (mut judged, mut free, mut later, mut refused) = (0, 0, 0, 0);
    while judged + refused < cases("every instruction") {
        let Some(tile) = Tile::random(&mut dice) else { continue };
        let (said, row) = (Said::random(&mut dice), any_row(&mut dice));
        let placed = Placed::new(&tile.plan, tile.bits, said.lanes(), &row);
        let verdict = placed.as_ref().map_err(|error| *error).and_then(Placed::verdict);
        let walked = walk(&tile, said, &row);
        let context =
            || format!("{}, {} on {} by {said:?}: {verdict:?}", tile.name, row.name(), row.chip());
        let Some(walked) = walked else {
            assert!(verdict.is_err(), "{}", context());
            refused += 1;
            continue;
        };
        let verdict = verdict.as_ref().unwrap_or_else(|_| panic!("{} but {walked:?}", context()));
        judged += 1;
        assert_eq!(
            verdict.is_free(),
            is_free(&tile, said, &row, &walked),
            "{} {walked:?}",
            context()
        );
        let found = Walked {
            instructions: verdict.instructions(),
            degree: if walked.race { walked.degree } else { verdict.degree() },
            conflict_cycles: verdict.conflict_cycles(),
            race: verdict.conflicts().race.is_some(),
            first_is_free: walked.first_is_free,
        };
        assert_eq!(found, walked, "{}", context());
        free += u32::from(verdict.is_free());
        later += u32::from(!verdict.is_free() && walked.first_is_free);
    }
    println!(
        "{judged} judged, {free} of them free in every instruction, {later} in the first alone; {refused} refused"
    );
    assert!(
        free > judged / 20 && later > 0,
        "{judged} judged, {free} free, {later} in the first alone"
    );
}

/// Free by the row, and by the other source where two disagree.
fn is_free(tile: &Tile, said: Said, row: &Instruction, walked: &Walked) -> bool {
    let by_other = row.rival().is_none()
        || walk(tile, said, &row.as_rival()).is_some_and(|other| other.degree == 1);
    walked.degree == 1 && !walked.race && by_other
}
