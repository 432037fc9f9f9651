//! What accesses cost on a layout, by its definition: each element of each lane of each instruction is asked for its place,
//! and the dwords of each phase are counted in their banks. Nothing of the search or of the library's verdict is used.
//!
//! ```text
//!   F16 [64, 96] row by row, gfx942, ds_read_b128 by 16 rows: lane 1 begins at (1, 0), byte 192
//!     held    (1, 0) .. (1, 7) are at 192, 194 .. 206, together, and 192 is a multiple of 16
//!     counted dwords 48 49 50 51 in banks 16 17 18 19, with those of the lanes that are served together
//! ```

use tiledesc::access::Placed;
use tiledesc::chip::{Access as Kind, Instruction, Service};
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::Use;

/// Where each element of a tile is, row by row: the number of the element of memory.
#[derive(Clone, Debug)]
pub(crate) struct Laid {
    pub(crate) tile: Shape,
    is_by_columns: bool,
    pub(crate) places: Vec<u32>,
    /// Bytes up to the last element.
    pub(crate) bytes: u64,
}

impl Laid {
    /// As the plan of a layout says.
    pub(crate) fn of(tile: Shape, layout: Spec) -> Option<Self> {
        let plan = layout.plan(tile).ok()?;
        let place = |row, column| plan.offset(&[row, column]).ok();
        let all = (0..tile.rows).flat_map(|row| (0..tile.columns).map(move |column| (row, column)));
        let places = all.map(|(row, column)| place(row, column)).collect::<Option<_>>()?;
        Some(Self::at(tile, layout.is_transposed(), places))
    }

    /// As a formula says of an element's number in order, rows contiguous or columns.
    pub(crate) fn by(tile: Shape, is_by_columns: bool, place: impl Fn(u32) -> u32) -> Self {
        let Shape { rows, columns, .. } = tile;
        let number = |row: u32, column: u32| match is_by_columns {
            true => column * rows + row,
            false => row * columns + column,
        };
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let places = all.map(|(row, column)| place(number(row, column))).collect();
        Self::at(tile, is_by_columns, places)
    }

    fn at(tile: Shape, is_by_columns: bool, places: Vec<u32>) -> Self {
        let elements = places.iter().max().map_or(0, |last| u64::from(*last) + 1);
        let bytes = (elements * u64::from(tile.bits)).div_ceil(8);
        Self { tile, is_by_columns, places, bytes }
    }

    fn place(&self, [row, column]: [u32; 2]) -> Option<u32> {
        let is_in = row < self.tile.rows && column < self.tile.columns;
        is_in.then(|| self.places[(row * self.tile.columns + column) as usize])
    }
}

/// An access. Lanes of a distribution move the same elements by rows or by columns, as these are together.
#[derive(Debug)]
pub(crate) struct Access<'a> {
    one: Use<'a>,
    /// Where rows are contiguous, and where columns are; `None` where its elements cannot be together.
    ways: [Option<Way<'a>>; 2],
}

#[derive(Debug)]
struct Way<'a> {
    one: Use<'a>,
    along: usize,
    pack: u32,
    steps: Vec<Step<'a>>,
}

/// An instruction: the first element of each lane, and what serves them.
#[derive(Debug)]
struct Step<'a> {
    lanes: Vec<Option<[u32; 2]>>,
    service: &'a Service,
}

/// Cycles by the row, by the other source, and what layouts are compared by: those of the row and the conflicts of the other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Costs {
    pub(crate) cycles: u64,
    pub(crate) rival_cycles: u64,
    pub(crate) weight: u64,
}

impl<'a> Access<'a> {
    /// `None` where the lanes cannot be laid over a tile of these lengths.
    pub(crate) fn of(tile: Shape, one: Use<'a>) -> Option<Self> {
        let orders = [Spec::row_major(), Spec::row_major().transposed()];
        let ways = orders.map(|order| Way::of(tile, order, one));
        ways.iter().any(Option::is_some).then_some(Self { one, ways })
    }

    /// Cycles without any conflict.
    pub(crate) fn floor(&self) -> u64 {
        self.ways.iter().flatten().map(Way::floor).next().unwrap_or(0)
    }

    fn way(&self, laid: &Laid) -> Option<&Way<'a>> {
        self.ways[usize::from(laid.is_by_columns)].as_ref()
    }

    /// `None` of a layout that does not hold it.
    fn costs(&self, laid: &Laid) -> Option<Costs> {
        let is_small = |memory: u32| laid.bytes <= u64::from(memory);
        let is_small = self.one.instruction.memory().is_none_or(is_small);
        self.way(laid).filter(|_| is_small)?.costs(laid)
    }
}

impl<'a> Way<'a> {
    fn of(tile: Shape, order: Spec, one: Use<'a>) -> Option<Self> {
        let plan = order.plan(tile).ok()?;
        let placed = Placed::new(&plan, tile.bits, one.lanes, one.instruction).ok()?;
        let lanes = one.instruction.service().phases.addressed();
        let at = |step, lane| placed.coordinate(step, lane).map(|at| [at.at(0), at.at(1)]);
        let steps = (0..placed.instructions())
            .map(|step| (0..lanes).map(|lane| at(step, lane)).collect::<Vec<_>>());
        // An instruction without lanes is not issued.
        let steps = steps.filter(|lanes| lanes.iter().any(Option::is_some));
        let steps = steps.map(|lanes| Step { service: served(one.instruction, &lanes), lanes });
        let steps = steps.collect();
        Some(Self { one, along: placed.along(), pack: placed.pack(), steps })
    }

    fn floor(&self) -> u64 {
        self.steps.iter().map(|step| self.phases(step.service)).sum()
    }

    /// Phases of one instruction, as often as it is done.
    fn phases(&self, service: &Service) -> u64 {
        u64::from(self.one.times) * (service.phases.count() * self.one.instruction.parts()) as u64
    }

    /// The other source of a row that is disputed.
    fn rival(&self) -> Option<&'a Service> {
        self.one.instruction.rival().filter(|_| !self.one.instruction.is_settled())
    }

    /// The byte at which each lane begins; `None` if one does not have its elements together, aligned and in memory.
    fn bytes(&self, laid: &Laid, lanes: &[Option<[u32; 2]>], end: u64) -> Option<Vec<Option<u32>>> {
        let (row, bits) = (self.one.instruction, u64::from(laid.tile.bits));
        let reach = (0..row.parts()).map(|part| row.part(part)).max()? + row.bytes();
        let byte = |first: [u32; 2]| {
            let begin = laid.place(first)?;
            for further in 1..self.pack {
                let mut at = first;
                at[self.along] += further;
                laid.place(at).filter(|place| *place == begin + further)?;
            }
            let bit = u64::from(begin) * bits;
            let is_held = bit.is_multiple_of(8 * u64::from(row.alignment()))
                && bit / 8 + u64::from(reach) <= end;
            is_held.then_some((bit / 8) as u32)
        };
        let of_lane = |lane: &Option<[u32; 2]>| match lane {
            Some(first) => byte(*first).map(Some),
            None => (!row.needs_whole_wave()).then_some(None),
        };
        lanes.iter().map(of_lane).collect()
    }

    /// Whether two lanes write one byte.
    fn is_race(&self, bytes: &[Option<u32>]) -> bool {
        let row = self.one.instruction;
        let begins = bytes.iter().enumerate().filter_map(|(lane, byte)| Some((lane, (*byte)?)));
        let of_lane =
            |(lane, byte)| (0..row.parts()).map(move |part| (byte + row.part(part), lane));
        let mut all: Vec<_> = begins.flat_map(of_lane).collect();
        all.sort_unstable();
        let is_met = |(i, one): (usize, &(u32, usize))| {
            let later = all[i + 1..].iter().take_while(|other| other.0 < one.0 + row.bytes());
            later.into_iter().any(|other| other.1 != one.1)
        };
        row.access() == Kind::Write && all.iter().enumerate().any(is_met)
    }

    /// Cycles that each instruction loses by the row and by the other source, one after the other; `None` at one that is
    /// not held.
    fn lost<'s>(&'s self, laid: &'s Laid) -> impl Iterator<Item = Option<[u64; 2]>> + 's {
        let end = laid.bytes;
        self.steps.iter().map(move |Step { lanes, service }| {
            let bytes = self.bytes(laid, lanes, end)?;
            if self.is_race(&bytes) {
                return None;
            }
            let by = |service: &Service| self.lost_by(service, &bytes);
            Some([by(service), self.rival().map_or(0, by)])
        })
    }

    /// In each phase the most dwords in a bank, but the first.
    fn lost_by(&self, service: &Service, bytes: &[Option<u32>]) -> u64 {
        let (row, mut lost) = (self.one.instruction, 0);
        for (part, phase) in
            (0..row.parts()).flat_map(|part| (0..service.phases.count()).map(move |p| (part, p)))
        {
            let begins = service.phases.lanes(phase).iter().filter_map(|l| bytes[*l as usize]);
            let mut dwords: Vec<u32> = begins
                .map(|byte| byte + row.part(part))
                .flat_map(|byte| byte / 4..(byte + row.bytes()).div_ceil(4))
                .collect();
            dwords.sort_unstable();
            dwords.dedup();
            let mut banks = [0u64; 64];
            dwords.iter().for_each(|dword| banks[(dword % service.banks) as usize] += 1);
            lost += banks.into_iter().max().map_or(0, |most| most.saturating_sub(1));
        }
        lost * u64::from(self.one.times)
    }

    /// `None` of a layout that does not hold it.
    fn costs(&self, laid: &Laid) -> Option<Costs> {
        let (mut own, mut other) = (0, 0);
        for lost in self.lost(laid) {
            let [by_row, by_rival] = lost?;
            (own, other) = (own + by_row, other + by_rival);
        }
        let cycles = self.floor() + own;
        let by_rival = |rival: &Service| self.steps.len() as u64 * self.phases(rival) + other;
        let rival_cycles = self.rival().map_or(cycles, by_rival);
        Some(Costs { cycles, rival_cycles, weight: cycles + other })
    }
}

/// What serves some lanes: fewer phases where each begins where its neighbour does, or the one after it.
fn served<'a>(row: &'a Instruction, lanes: &[Option<[u32; 2]>]) -> &'a Service {
    let agree = |distance: usize| {
        let is_alike = |(i, lane): (usize, &Option<[u32; 2]>)| match (lane, lanes.get(i ^ distance))
        {
            (Some(one), Some(Some(other))) => one == other,
            _ => true,
        };
        lanes.iter().enumerate().all(is_alike)
    };
    row.merged().filter(|_| agree(1) || agree(2)).unwrap_or(row.service())
}

/// All accesses of a question, laid over its tile.
pub(crate) fn accesses<'a>(tile: Shape, uses: &[Use<'a>]) -> Option<Vec<Access<'a>>> {
    uses.iter().map(|one| Access::of(tile, *one)).collect()
}

/// What a layout costs all accesses; `None` if it does not hold one.
pub(crate) fn costs(laid: &Laid, all: &[Access<'_>]) -> Option<Costs> {
    let mut sum = Costs::default();
    for access in all {
        let one = access.costs(laid)?;
        sum.cycles += one.cycles;
        sum.rival_cycles += one.rival_cycles;
        sum.weight += one.weight;
    }
    Some(sum)
}

/// Whether a layout holds all accesses and costs less than so much: given up as soon as it does not.
pub(crate) fn is_less(laid: &Laid, all: &[Access<'_>], than: u64) -> bool {
    let Some(ways) = all.iter().map(|one| one.way(laid)).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let mut weight: u64 = ways.iter().map(|way| way.floor()).sum();
    let is_still_less = ways.iter().flat_map(|way| way.lost(laid)).all(|lost| {
        let Some([own, other]) = lost else { return false };
        weight += own + other;
        weight < than
    });
    is_still_less && weight < than && costs(laid, all).is_some()
}
