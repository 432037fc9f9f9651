//! Layouts that would be free instead, in the words of the file. The library searches with all accesses of the tile, on
//! all its chips.

use crate::answer::instead::{Instead, choices};
use crate::answer::question::{Question, Tables};
use crate::request::consumer::Consumer;
use crate::request::spelling::plural;
use crate::request::tile::Tile;
use tiledesc::Plan;
use tiledesc::access::Placed;
use tiledesc_host::search::{self, Answer, Candidate, Extent, Family, find_all};

/// Cycles of all accesses of a layout, as often as each is done.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Taken {
    /// Cycles by the rows' own sources.
    pub(crate) cycles: u64,
    /// Cycles by the sources that dispute rows.
    pub(crate) rival: u64,
    /// Cycles by the rows' own sources, and the conflicts that only the others count: what the search minimises.
    pub(crate) weight: u64,
}

impl Taken {
    /// The costs of a layout that cannot be: any other is less.
    pub(crate) const MOST: Self = Self { cycles: u64::MAX, rival: u64::MAX, weight: u64::MAX };

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            cycles: self.cycles.saturating_add(other.cycles),
            rival: self.rival.saturating_add(other.rival),
            weight: self.weight.saturating_add(other.weight),
        }
    }

    /// The proof of these cycles among all other layouts: `48 cycles, the floor: no layout does better`.
    pub(crate) fn proof(&self, found: &Answer) -> String {
        found.proof_of(self.cycles, self.rival, self.weight)
    }
}

/// The remedies that a search finds for a tile that conflicts.
#[derive(Clone, Debug)]
pub(crate) enum Remedies {
    /// The layouts that are free, none of which another beats.
    Free(Vec<Instead>),
    /// No layout is free: the families that were tried with the layout that costs least, and the layouts that take fewer
    /// cycles than the `now` of the tile's own.
    Less { tried: String, less: Vec<Instead>, now: u64 },
}

impl Remedies {
    /// `free instead: ..`, `or ..`: a line for each layout.
    pub(crate) fn lines(&self) -> Vec<String> {
        let lines = |first: &str, each: &[Instead], said: &dyn Fn(&Instead) -> String| {
            let words = std::iter::once(first).chain(std::iter::repeat("or"));
            words.zip(each).map(|(word, one)| format!("{word} {}", said(one))).collect::<Vec<_>>()
        };
        match self {
            Self::Free(free) => lines("free instead:", free, &Instead::sentence),
            Self::Less { tried, less, now } => {
                let said = |one: &Instead| {
                    let cycles = one.cost.cycles;
                    format!("{}, {cycles} cycles in place of {now}", one.sentence())
                };
                let less = &less[..less.len().min(MOST_LESS)];
                [vec![tried.clone()], lines("less instead:", less, &said)].concat()
            }
        }
    }

    /// `free instead: recipe = "gemm-xor", kpack = 8`, the first alone; or what was tried.
    pub(crate) fn brief(&self) -> String {
        match self {
            Self::Free(free) => {
                let words = free.iter().map(|one| one.words.as_str());
                format!("free instead: {}", words.take(1).collect::<String>())
            }
            Self::Less { tried, .. } => tried.clone(),
        }
    }
}

/// The most layouts that are named where none is free; `find` prints all.
const MOST_LESS: usize = 3;

/// The layouts that were found free, or those that take less; `None` where none was tried. `now` is what the layout as it
/// is takes.
pub(crate) fn remedies(tile: &Tile, now: Taken) -> Option<Remedies> {
    let tables = Tables::new(tile);
    let question = Question::new(tile, &tables).ok()?;
    let (found, mut all) = find_all(question.shape, &question.uses).ok()?;
    all.retain(|one| question.is_taken(one.layout));
    let below = |most: u64| all.iter().filter(move |one| one.weight <= most).copied();
    if found.is_free() && all.iter().any(|one| one.weight <= found.floor) {
        return Some(Remedies::Free(choices(&question, below(found.floor))));
    }
    let less = choices(&question, below(now.weight.saturating_sub(1)));
    let tried = match &tile.consumers[..] {
        [] => tried(&question, &found, now),
        consumers => of_forms(tile, consumers),
    };
    Some(Remedies::Less { tried, less, now: now.cycles })
}

/// The form of the fewest cycles among those that all consumers take: `in a form that tma takes: cute = "..": 64 cycles, free`.
fn of_forms(tile: &Tile, consumers: &[Consumer]) -> String {
    let names = consumers.iter().map(Consumer::name).collect::<Vec<_>>().join(" and ");
    let lengths = tile.layout.plan.lengths();
    let first = consumers.first().filter(|_| lengths.len() == 2);
    let all = first.map_or_else(Vec::new, |one| {
        one.layouts([lengths.at(0), lengths.at(1)], tile.element.bits)
    });
    let is_taken = |plan: &Plan| consumers.iter().all(|one| tile.taken_by(one, plan).is_ok());
    let costs = all.into_iter().filter(|(_, plan)| is_taken(plan)).filter_map(|(text, plan)| {
        let (cycles, floor) = cycles(tile, &plan)?;
        Some((cycles, floor, text))
    });
    match costs.min_by_key(|(cycles, ..)| *cycles) {
        Some((cycles, floor, text)) => {
            let how = if cycles == floor { "free" } else { "least" };
            format!(
                "{how} in a form that {names} takes: cute = \"{text}\": {}, floor {floor}",
                plural(cycles, "cycle")
            )
        }
        None => format!("no layout that was tried and that {names} takes is free"),
    }
}

/// The cycles of all accesses on all chips in a layout, and those without any conflict.
fn cycles(tile: &Tile, plan: &Plan) -> Option<(u64, u64)> {
    let (mut all, mut base) = (0_u64, 0_u64);
    for access in &tile.accesses {
        for (at, row) in access.rows.iter().enumerate() {
            let placed = Placed::new(plan, tile.element.bits, access.lanes_on(at), row).ok()?;
            let verdict = placed.verdict().ok()?;
            all += verdict.active_cycles().saturating_mul(access.times);
            base += verdict.base_cycles().saturating_mul(access.times);
        }
    }
    Some((all, base))
}

/// `tried, not free: all masks over packs, all row pads; least: ..: 24 cycles, floor 16: no masks over packs do better`
fn tried(question: &Question<'_>, found: &Answer, now: Taken) -> String {
    let least = match found.best.weight < now.weight {
        true => format!("{}: {}", question.words(found.best.layout), found.proof()),
        false => format!("as it is: {}", now.proof(found)),
    };
    let change = change(question, found).map_or_else(String::new, |change| format!("; {change}"));
    format!("tried, not free: {}; least: {least}{change}", families(found))
}

/// `all masks over packs, row pads`: the families that were searched, and which of them to the end. A family that was
/// searched to the end stands for those that are part of it.
fn families(found: &Answer) -> String {
    let is_all = |family| found.extent(family) == Extent::All;
    let is_within = |family: &Family| match family {
        Family::Shifts => is_all(Family::Masks) || is_all(Family::Packs),
        Family::Masks => is_all(Family::Packs),
        _ => false,
    };
    let tried = found.searched.iter().filter(|(family, _)| !is_within(family));
    let each = tried.filter_map(|(family, extent)| match (extent, family) {
        (Extent::Nothing, _) => None,
        // There is one.
        (_, Family::Rotation) => Some(name(*family).to_string()),
        (Extent::All, _) => Some(format!("all {}", name(*family))),
        (Extent::Part, _) => Some(name(*family).to_string()),
    });
    each.collect::<Vec<_>>().join(", ")
}

/// A family of layouts, as a sentence has it.
fn name(family: Family) -> &'static str {
    match family {
        Family::Shifts => "xors of one shift",
        Family::RowPads => "row pads",
        Family::Rotation => "packs rotated by the row",
        Family::Masks => "masks over packs",
        Family::Packs => "linear layouts of packs",
        Family::IntervalPads => "interval pads",
    }
}

/// `free with ds_read_b64 in place of ds_read_b128: recipe = ..: 288 cycles`, if the access may change. Parts are in the
/// words of a file.
pub(crate) fn change(question: &Question<'_>, found: &Answer) -> Option<String> {
    // Listed lanes are those of one instruction; by another they may touch something else.
    if question.is_flattened() {
        return None;
    }
    let change = search::change(question.shape, &question.uses, found)?;
    let what = change.text(&question.uses, split_in_words);
    let Candidate { layout, cycles, .. } = change.answer.best;
    let how = if change.answer.is_free() { "free" } else { "less" };
    Some(format!("{how} with {what}: {}: {}", question.words(layout), plural(cycles, "cycle")))
}

/// Parts in the words of a file.
pub(crate) fn split_in_words([parts, lane]: [u32; 2]) -> String {
    format!("split {parts} {lane}")
}
