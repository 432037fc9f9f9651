//! A statement judged by hand: the wave walks the tile lane by lane, and what is found is told in the sentence that a
//! user reads.
//!
//! ```text
//!   RowPad<F16, M<64>, K<96>, Padding<8>>, sm_90, ld_shared_b32 by RowMajor
//!   instruction 0    row 0, columns 0 to 63                               free
//!   instruction 1    row 0, columns 64 to 95, and row 1, columns 0 to 31  2-way: this is what the statement says
//! ```
//!
//! Coordinates are by the sentences of the book, addresses by the plan's offsets, conflicts by lists of dwords: nothing
//! of `pattern`, `access` and `bank` is used. What cannot be (a lane outside the tile, a torn or misaligned vector, a
//! layout too large for the chip) is found here by itself, too.

use crate::count::every_block_is_even;
use crate::fuzz::Dice;
use tiledesc::pattern::Lanes;
use tiledesc::{
    F8, F16, F32, Plan,
    chip::{Access, CHIPS, Evidence, Instruction, Service},
    recipe,
};

/// A pattern as its sentence in the book says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    RowMajor,
    ColumnMajor,
    Column,
    Strided(u32),
    Diagonal,
    Rows(u32),
    Repeated(u32),
}

/// The pattern of a `Said`, of whichever build of the library: its `Lanes`.
#[macro_export]
macro_rules! lanes {
    ($said:expr, $Lanes:ident) => {{
        use $crate::walked::Said;
        match $said {
            Said::RowMajor => $Lanes::row_major(),
            Said::ColumnMajor => $Lanes::column_major(),
            Said::Column => $Lanes::column(),
            Said::Strided(stride) => $Lanes::strided(stride),
            Said::Diagonal => $Lanes::diagonal(),
            Said::Rows(rows) => $Lanes::rows(rows),
            Said::Repeated(rows) => $Lanes::repeated_rows(rows),
        }
    }};
}

impl Said {
    pub fn random(dice: &mut Dice) -> Self {
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

    pub fn lanes(self) -> Lanes<'static> {
        crate::lanes!(self, Lanes)
    }

    /// As a statement spells it.
    pub fn spelled(self) -> String {
        match self {
            Self::Strided(stride) => format!("Strided<{stride}>"),
            Self::Rows(rows) => format!("MfmaRows<{rows}>"),
            Self::Repeated(rows) => format!("WmmaRows<{rows}>"),
            _ => format!("{self:?}"),
        }
    }

    /// The dimension along which a lane takes its elements.
    pub fn along(self) -> usize {
        usize::from(!matches!(self, Self::ColumnMajor))
    }

    /// How many instructions visit a tile.
    pub fn instructions(self, [m, k]: [u32; 2], pack: u32, lanes: u32) -> u32 {
        match self {
            Self::RowMajor | Self::ColumnMajor => (m * k).div_ceil(pack * lanes),
            Self::Strided(stride) => (m * k).div_ceil(stride * lanes),
            Self::Diagonal => m.div_ceil(lanes),
            Self::Column => m.div_ceil(lanes) * k.div_ceil(pack),
            Self::Repeated(rows) => m.div_ceil(rows) * k.div_ceil(pack),
            Self::Rows(rows) => m.div_ceil(rows) * k.div_ceil(pack * (lanes / rows).max(1)),
        }
    }

    /// What an instruction covers of a tile: so many elements in order, or rows and columns.
    fn covers(self, [_, k]: [u32; 2], pack: u32, lanes: u32) -> Vec<u32> {
        match self {
            Self::RowMajor | Self::ColumnMajor => vec![pack * lanes],
            Self::Strided(stride) => vec![stride * lanes],
            Self::Diagonal => vec![lanes, k],
            Self::Column => vec![lanes, pack],
            Self::Repeated(rows) => vec![rows, pack],
            Self::Rows(rows) => vec![rows, pack * (lanes / rows).max(1)],
        }
    }

    /// What a lane touches first in instruction `step`.
    pub fn coordinate(
        self,
        [m, k]: [u32; 2],
        pack: u32,
        lanes: u32,
        step: u32,
        lane: u32,
    ) -> [u32; 2] {
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
pub struct Tile {
    /// As a program spells it.
    pub name: String,
    pub bits: u32,
    pub plan: Plan,
    lengths: [u32; 2],
    /// The offset of each element, row by row; none of padding.
    offsets: Vec<Option<u32>>,
}

impl Tile {
    /// A recipe of random numbers, if it takes them and has two dimensions; one in 16 has `times` as many rows.
    pub fn random(dice: &mut Dice, times: u32) -> Option<Self> {
        let bits = dice.of(&[8, 16, 32]);
        let families = match bits {
            8 => recipe::families::<F8>(),
            16 => recipe::families::<F16>(),
            _ => recipe::families::<F32>(),
        };
        let family = &families[dice.below(families.len() as u32) as usize];
        let times = if times > 1 && dice.one_in(16) { times } else { 1 };
        let mut number = |name: &&str| match *name {
            "M" | "N" | "MN" => times * dice.of(&[16, 32, 33, 48, 64, 96, 128]),
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
        let named = family.parameters().iter().zip(&numbers);
        let mut all = vec![format!("F{bits}")];
        // A name that stands for no number of a user's.
        let spelled = |name| match name {
            "RepM" | "RepN" => "Rep",
            "Single" => "Lit",
            name => name,
        };
        all.extend(named.map(|(name, number)| format!("{}<{number}>", spelled(name))));
        all.extend(family.list().map(|_| format!("seq!{list:?}")));
        let name = format!("recipe::{}<{}>", family.name(), all.join(", "));
        Some(Self { name, bits, plan, lengths: [m, k], offsets })
    }

    /// Returns whether two elements lie at one offset: then the layout itself is refused.
    pub fn overlaps(&self) -> bool {
        let mut offsets: Vec<u32> = self.offsets.iter().copied().flatten().collect();
        offsets.sort_unstable();
        offsets.windows(2).any(|two| two[0] == two[1])
    }

    fn is_inside(&self, [m, k]: [u32; 2]) -> bool {
        m < self.lengths[0] && k < self.lengths[1]
    }

    /// The offset of an element inside the tile; none of padding.
    fn at(&self, [m, k]: [u32; 2]) -> Option<u32> {
        self.offsets[(m * self.lengths[1] + k) as usize]
    }

    /// How many elements are contiguous in every aligned block along a dimension.
    fn together(&self, along: usize) -> u32 {
        let length = self.lengths[along];
        let is_even = |block: &u32| {
            length.is_multiple_of(*block) && every_block_is_even(&self.plan, along, *block, 1)
        };
        (1..=length).rev().find(is_even).unwrap_or(1)
    }
}

/// What all instructions do together, and whether the first is free.
#[derive(Debug, Default)]
pub struct Walked {
    pub instructions: u64,
    pub degree: u32,
    pub conflict_cycles: u64,
    pub race: bool,
    pub first_is_free: bool,
    /// Whether lanes agree in pairs in some instruction, so that phases are merged.
    merged: bool,
    /// The two lanes that meet in the first instruction of the highest degree, of those with a race if there are any.
    pub shown: Option<String>,
}

/// What one instruction does.
struct Step {
    degree: u32,
    conflict_cycles: u64,
    merged: bool,
    race: Option<[usize; 2]>,
    /// Phase, bank, and two lanes that meet there.
    meeting: Option<(usize, u32, [usize; 2])>,
}

/// What the lanes of an instruction touch: the first coordinate of each, and its byte.
type Touched = Vec<([u32; 2], u32)>;

/// The wave, instruction by instruction, or the first alone; if one of them cannot be, why.
pub fn walk(tile: &Tile, said: Said, first: bool, row: &Instruction) -> Result<Walked, String> {
    let lanes = row.service().phases.addressed() as u32;
    let pack = check_tile(tile, said, row)?;
    let (mut all, mut shown_degree) = (Walked::default(), 0);
    let instructions = if first { 1 } else { said.instructions(tile.lengths, pack, lanes) };
    for step in 0..instructions {
        let touched = touched(tile, said, row, pack, step)?;
        let bytes: Vec<u32> = touched.iter().map(|(_, byte)| *byte).collect();
        let one = count(row, &bytes);
        if step == 0 {
            all.first_is_free = one.degree == 1 && one.race.is_none();
        }
        let is_worse = match (all.race, one.race.is_some()) {
            (before, now) if before == now => one.degree > shown_degree,
            (_, now) => now,
        };
        if is_worse {
            (all.shown, shown_degree) = (shown(&touched, &one, step), one.degree);
        }
        all.instructions += 1;
        all.degree = all.degree.max(one.degree);
        all.conflict_cycles += one.conflict_cycles;
        all.race |= one.race.is_some();
        all.merged |= one.merged;
    }
    Ok(all)
}

/// What is found in the words of a verdict, with what it rests on if that is not sure. `by_other` is the degree by the
/// other of two sources.
pub fn finding(row: &Instruction, walked: &Walked, by_other: Option<u32>) -> String {
    let mut text = walked.shown.clone().unwrap_or_else(|| "free of conflicts".to_owned());
    if walked.race {
        if walked.degree > 1 {
            text += &format!("; {}-way", walked.degree);
        }
        return text;
    }
    let service = weakest(row, walked);
    if service.evidence == Evidence::Inferred {
        text += &format!(" (phases inferred: {})", service.source);
    }
    if let (Some(degree), Some(rival)) = (by_other, row.rival())
        && degree != walked.degree
    {
        let found = if degree > 1 { format!("{degree}-way") } else { "free".to_string() };
        text += &format!(" (disputed: {found} by {})", rival.source);
    }
    text
}

/// What is wrong before any lane is looked at; else how many elements a lane moves.
fn check_tile(tile: &Tile, said: Said, row: &Instruction) -> Result<u32, String> {
    let (bytes, bits) = (row.bytes(), tile.bits);
    if !(bytes * 8).is_multiple_of(bits) {
        let moved = bytes * 8;
        return Err(format!(
            "a lane moves {moved} bits, which is not a multiple of an element's {bits}"
        ));
    }
    let (pack, columns) = (bytes * 8 / bits, tile.lengths[said.along()]);
    if !columns.is_multiple_of(pack) && !matches!(said, Said::Strided(_)) {
        return Err(format!("rows of {columns} elements are not a multiple of packs of {pack}"));
    }
    let (space, memory) = (space(tile), row.memory());
    if let Some(memory) = memory.filter(|memory| space > u64::from(*memory)) {
        return Err(format!("the layout takes {space} bytes, but a block has {memory}"));
    }
    Ok(pack)
}

/// Bytes from 0 to the end of the layout.
fn space(tile: &Tile) -> u64 {
    (tile.plan.element_space() + u64::from(tile.plan.origin())) * u64::from(tile.bits) / 8
}

/// Where each lane of an instruction begins, if all of it can be.
fn touched(
    tile: &Tile,
    said: Said,
    row: &Instruction,
    pack: u32,
    step: u32,
) -> Result<Touched, String> {
    let lanes = row.service().phases.addressed() as u32;
    let at = |lane| said.coordinate(tile.lengths, pack, lanes, step, lane);
    let reach = u64::from(row.part(0).max(row.part(row.parts() - 1)) + row.bytes());
    let in_step = if step == 0 { String::new() } else { format!(" of instruction {step}") };
    let alone = if step == 0 {
        ""
    } else {
        "; write `first` before the pattern to state instruction 0 alone"
    };
    let mut touched = Vec::new();
    for lane in 0..lanes {
        let first = at(lane);
        let mut began = 0;
        for element in 0..pack {
            let mut next = first;
            next[said.along()] += element;
            let [m, k] = next;
            if !tile.is_inside(next) && step > 0 {
                let covers = said.covers(tile.lengths, pack, lanes);
                return Err(format!(
                    "the tile of {:?} cannot be divided evenly into instructions of {covers:?} elements: \
                     instruction {step} would touch ({m}, {k}){alone}",
                    tile.lengths
                ));
            }
            if !tile.is_inside(next) {
                let dimension = usize::from(m < tile.lengths[0]);
                let own = if dimension == said.along() { pack } else { 1 };
                let enough = (0..lanes).map(|lane| at(lane)[dimension] + own).max().unwrap_or(0);
                return Err(format!(
                    "lane {lane} would touch ({m}, {k}), outside the tile of {:?}: dimension {dimension} \
                     needs a length of {enough} or more",
                    tile.lengths
                ));
            }
            let Some(offset) = tile.at(next) else {
                return Err(format!("lane {lane} would touch ({m}, {k}), which is padding"));
            };
            began = if element == 0 { offset } else { began };
            if offset != began + element {
                let ([m, k], along) = (first, said.along());
                return Err(format!(
                    "the {pack} elements of lane {lane} from ({m}, {k}) on are not contiguous: the vector \
                     length along dimension {along} is {}",
                    tile.together(along)
                ));
            }
        }
        let byte = began * tile.bits / 8;
        let (end, space) = (u64::from(byte) + reach, space(tile));
        if end > space {
            let last = end - 1;
            return Err(format!(
                "lane {lane}{in_step} would touch byte {last}, outside the layout's {space} bytes{alone}"
            ));
        }
        touched.push((first, byte));
    }
    let alignment = row.alignment();
    match touched.iter().position(|(_, byte)| !byte.is_multiple_of(alignment)) {
        None => Ok(touched),
        Some(lane) => {
            let costs = "; some hardware accepts that, but no source says at what cost";
            let by_dwords = match row.name() {
                "ds_load_tr4_b64" | "ds_load_tr8_b64" => touched[lane].1.is_multiple_of(4),
                _ => false,
            };
            let other = format!("; `{}_align4` takes multiples of 4", row.name());
            let costs = if by_dwords { &other } else { costs };
            let costs = if alignment > 4 { costs } else { "" };
            Err(format!(
                "byte {} of lane {lane} is not aligned to {alignment}{costs}",
                touched[lane].1
            ))
        }
    }
}

/// "4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0"
fn shown(touched: &Touched, one: &Step, step: u32) -> Option<String> {
    let two = |[a, b]: [usize; 2]| {
        let ([am, ak], [bm, bk]) = (touched[a].0, touched[b].0);
        let bytes = match (touched[a].1, touched[b].1) {
            (one, other) if one == other => format!("both byte {one}"),
            (one, other) => format!("bytes {one} and {other}"),
        };
        format!("lanes {a} and {b}, ({am}, {ak}) and ({bm}, {bk}), {bytes}")
    };
    let in_step = if step == 0 { String::new() } else { format!(" in instruction {step}") };
    if let Some(race) = one.race {
        return Some(format!("data race{in_step}: {}", two(race)));
    }
    let (phase, bank, lanes) = one.meeting?;
    let before = if step == 0 { " in" } else { "," };
    Some(format!("{}-way{in_step}{before} phase {phase}: {}, bank {bank}", one.degree, two(lanes)))
}

/// One instruction with these addresses: dwords of each phase, bank by bank.
fn count(row: &Instruction, addresses: &[u32]) -> Step {
    let agree = |distance: usize| {
        (0..addresses.len())
            .all(|lane| addresses.get(lane ^ distance).is_none_or(|at| *at == addresses[lane]))
    };
    let merged = row.merged().filter(|_| agree(1) || agree(2));
    let service = merged.unwrap_or(row.service());
    let mut found =
        Step { degree: 0, conflict_cycles: 0, merged: merged.is_some(), race: None, meeting: None };
    for part in 0..row.parts() {
        let touched = |lane: &u8| {
            let first = addresses[usize::from(*lane)] + row.part(part);
            first / 4..(first + row.bytes()).div_ceil(4)
        };
        for phase in 0..service.phases.count() {
            // Of lanes that want one dword the first that is served counts.
            let mut banks: Vec<Vec<(u32, usize)>> = vec![Vec::new(); service.banks as usize];
            for lane in service.phases.lanes(phase) {
                for dword in touched(lane) {
                    let bank = &mut banks[(dword % service.banks) as usize];
                    if bank.iter().all(|(other, _)| *other != dword) {
                        bank.push((dword, usize::from(*lane)));
                    }
                }
            }
            let most = banks.iter().map(Vec::len).max().unwrap_or(0);
            found.conflict_cycles += (most as u64).saturating_sub(1);
            if most as u32 > found.degree {
                found.degree = most as u32;
                let bank = banks.iter().position(|bank| bank.len() == most).unwrap_or(0);
                let mut lanes: Vec<usize> = banks[bank].iter().map(|(_, lane)| *lane).collect();
                lanes.sort_unstable();
                let number = part * service.phases.count() + phase;
                found.meeting = (most > 1).then(|| (number, bank as u32, [lanes[0], lanes[1]]));
            }
        }
    }
    if row.access() == Access::Write {
        found.race = race(row, addresses);
    }
    found
}

/// The first lane that writes a byte of an earlier one, and that one.
fn race(row: &Instruction, addresses: &[u32]) -> Option<[usize; 2]> {
    let parts = 0..row.parts();
    let mut bytes: Vec<(u32, usize, usize)> = parts
        .flat_map(|part| addresses.iter().enumerate().map(move |(lane, at)| (part, lane, *at)))
        .flat_map(|(part, lane, at)| {
            (0..row.bytes()).map(move |byte| (at + row.part(part) + byte, part, lane))
        })
        .collect();
    bytes.sort_unstable();
    let same = |two: &&[(u32, usize, usize)]| two[0].0 == two[1].0 && two[0].2 != two[1].2;
    let all = bytes.windows(2).filter(same);
    let first = all.min_by_key(|two| (two[1].1, two[1].2, two[1].0))?;
    Some([first[0].2, first[1].2])
}

/// A row of any chip, with two offsets if it takes them; these as a statement spells them.
pub fn any_row(dice: &mut Dice) -> (Instruction, String) {
    let chip = &CHIPS[dice.below(CHIPS.len() as u32) as usize];
    let row = chip.rows()[dice.below(chip.rows().len() as u32) as usize];
    let is_bare = row.parts() == 2 && row.part(0) == row.part(1);
    let distance = if is_bare { Some(dice.of(&[1, 4, 16, 64])) } else { None };
    match distance {
        Some(distance) => (row.offsets(0, distance), format!("(0, {distance})")),
        None => (row, String::new()),
    }
}

/// Of a row that sources disagree on, the highest degree by the other.
pub fn rival(tile: &Tile, said: Said, first: bool, row: &Instruction) -> Option<u32> {
    row.rival()?;
    walk(tile, said, first, &row.as_rival()).ok().map(|walked| walked.degree)
}

/// What a statement of this access is refused with, up to what is free instead; `None` if nothing is wrong with it.
pub fn sentence(tile: &Tile, said: Said, first: bool, row: &Instruction) -> Option<String> {
    let walked = match walk(tile, said, first, row) {
        Ok(walked) => walked,
        Err(sentence) => return Some(sentence),
    };
    let by_other = rival(tile, said, first, row);
    if walked.shown.is_some() {
        return Some(finding(row, &walked, by_other));
    }
    let own = row.service();
    let (degree, rival) = (by_other.filter(|degree| *degree > 1)?, row.rival()?);
    Some(format!(
        "disputed: free of conflicts by its row, {degree}-way by another source\nThe row: {}, {}\nThe other: {}, \
         {}\nTo go by the row, write `on {} as disputed`; to go by the other, `as rival`",
        own.evidence.name(),
        own.source,
        rival.evidence.name(),
        rival.source,
        row.chip()
    ))
}

/// What a verdict rests on: where some instructions are merged and others not, the less sure of both.
fn weakest<'a>(row: &'a Instruction, walked: &Walked) -> &'a Service {
    let plain = row.service();
    match row.merged().filter(|_| walked.merged) {
        None => plain,
        Some(merged) => {
            let is_mixed = walked.instructions > 1;
            let order = |evidence| match evidence {
                Evidence::Inferred => 0,
                Evidence::Documented => 1,
                _ => 2,
            };
            let is_less_sure = order(plain.evidence) < order(merged.evidence);
            if is_mixed && is_less_sure { plain } else { merged }
        }
    }
}
