//! The verdict on every access of a tile, on each of its chips.

use crate::answer::reading::{Needs, undecided};
use crate::answer::remedy::{Taken, remedies};
use crate::answer::unwritten::Unwritten;
use crate::request::access::{Access, word_of};
use crate::request::fault::Fault;
use crate::request::held::Held;
use crate::request::spelling::plural;
use crate::request::tile::Tile;
use tiledesc::chip::Chip;
use tiledesc::{
    List,
    access::Placed,
    bank::Verdict,
    chip::{Evidence, Instruction},
};

/// What is demanded of accesses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// The highest degree that passes.
    pub(crate) max_degree: u32,
    /// Whether rows must be measured or documented, and no other source may say that it does not pass, unless an access
    /// accepts less with `as`.
    pub(crate) strict: bool,
    /// Whether lanes may write different values to one byte of a compiled kernel.
    pub(crate) allow_races: bool,
}

impl Demand {
    /// That all are free, by whatever evidence there is.
    pub(crate) const FREE: Self = Self { max_degree: 1, strict: false, allow_races: false };
}

/// One access on one chip.
#[derive(Debug)]
pub(crate) struct Judged<'t> {
    pub(crate) tile: &'t Tile,
    pub(crate) access: &'t Access,
    pub(crate) chip: &'static Chip,
    pub(crate) row: &'t Instruction,
    pub(crate) placed: Placed<'t, 't>,
    pub(crate) verdict: Verdict<'t>,
    pub(crate) ruling: Ruling,
    /// What it reads and no write of the tile covers; asked for by `check` alone.
    pub(crate) unwritten: Option<Unwritten>,
}

/// What becomes of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// Free, or within the degree that is allowed.
    Passes,
    /// A conflict, by the row's own source, or by the one that the file says counts.
    Conflicts,
    /// Two lanes write one byte.
    Races,
    /// It would pass, but not on this evidence.
    Weak,
    /// The access would pass, but it reads bytes that no write of the tile covers.
    Unwritten,
}

impl Ruling {
    pub(crate) fn is_conflict(self) -> bool {
        matches!(self, Self::Conflicts | Self::Races)
    }
}

/// Two lanes that meet.
#[derive(Debug)]
pub(crate) struct Meeting {
    pub(crate) lanes: [usize; 2],
    pub(crate) coordinates: [List; 2],
    pub(crate) bytes: [u32; 2],
    /// The bank, if they meet in one.
    pub(crate) bank: Option<u32>,
}

/// A tile of 320 KiB, a byte at a time by single lanes, is fewer.
const MOST_INSTRUCTIONS: u64 = 1 << 20;

impl<'t> Judged<'t> {
    fn new(tile: &'t Tile, access: &'t Access, at: usize, demand: Demand) -> Result<Self, Fault> {
        let (chip, row) = (tile.chips[at], &access.rows[at]);
        let refuse = |error: tiledesc::access::AccessError| {
            let (op, by) = (&access.op, &access.by);
            Fault::new(access.span.clone(), format!("{} {op} by {by}: {error}", chip.name()))
        };
        let (plan, bits) = (&tile.layout.plan, tile.element.bits);
        let placed = Placed::new(plan, bits, access.lanes.lanes(), row).map_err(refuse)?;
        if placed.instructions() > MOST_INSTRUCTIONS {
            let (op, by, many) = (&access.op, &access.by, placed.instructions());
            let message = format!(
                "{} {op} by {by}: {many} instructions are too many: at most {MOST_INSTRUCTIONS} are judged",
                chip.name()
            );
            return Err(Fault::new(access.span.clone(), message));
        }
        let verdict = placed.verdict().map_err(refuse)?;
        let ruling = ruling(&verdict, access, demand);
        Ok(Self { tile, access, chip, row, placed, verdict, ruling, unwritten: None })
    }

    /// `gfx942 ds_read_b128 mfma-rows 16`, `fragments gfx942 ds_read_b128 mfma-rows 16`,
    /// `sm_90 ldmatrix.x4 ldmatrix-rows 16 (what lanes address)`
    pub(crate) fn name(&self) -> String {
        let name = self.access.name.as_ref().map(|name| format!("{name} ")).unwrap_or_default();
        let (chip, op, by) = (self.chip.name(), &self.access.op, &self.access.by);
        format!("{name}{chip} {op} {by}{}", self.reading())
    }

    /// The same with what is found: `gfx942 ds_read_b128 mfma-rows 16  4-way in phase 0: ..`
    pub(crate) fn line(&self) -> String {
        format!("{}  {}", self.name(), self.found())
    }

    /// Of an instruction that hands round what lanes address, whether `by` says what they hold or what they address.
    fn reading(&self) -> &'static str {
        match self.access.lanes {
            Held::Addresses(_) => "",
            _ if !self.row.hands_round() => "",
            Held::Distribution(..) | Held::Split(..) if self.placed.distribution().is_some() => {
                " (what lanes hold)"
            }
            _ => " (what lanes address)",
        }
    }

    /// `4-way in phase 0: ..`
    pub(crate) fn found(&self) -> String {
        let why = match (self.ruling, self.access.least) {
            (Ruling::Weak, Some(least)) if self.is_weaker_than(least) => {
                format!(" (the file says `as = \"{}\"`)", least.name())
            }
            (Ruling::Weak, None) if self.is_weaker_than(Evidence::Documented) => {
                ": to accept that, write `as = \"inferred\"` in the access, the tile or the file"
                    .to_string()
            }
            (Ruling::Weak, _) => {
                ": to go by the row, write `as = \"disputed\"`, by the other `as = \"rival\"`"
                    .to_string()
            }
            _ => String::new(),
        };
        format!("{}{why}", self.verdict.found().as_str())
    }

    /// `note: reads 256 bytes that no stated write covers, ..`; without the word where that is why the access does not
    /// pass.
    pub(crate) fn note(&self) -> Option<String> {
        let unwritten = self.unwritten?;
        let word = if self.ruling == Ruling::Unwritten { "" } else { "note: " };
        Some(format!("{word}{unwritten}"))
    }

    fn is_weaker_than(&self, least: Evidence) -> bool {
        self.verdict.weakest().evidence < least
    }

    /// Lanes that meet in the instruction that is shown.
    pub(crate) fn meeting(&self) -> Option<Meeting> {
        let lanes = self.verdict.pair()?;
        let found = self.verdict.conflicts();
        let touched = self.placed.touched(self.verdict.shown()).ok()?;
        let [a, b] = lanes.map(|lane| (touched.coordinate(lane), touched.addresses().get(lane)));
        let bank = match found.race {
            Some(_) => None,
            None => Some(self.placed.phase(self.verdict.shown(), found.phase).ok()?.bank),
        };
        Some(Meeting { lanes, coordinates: [a.0?, b.0?], bytes: [a.1?, b.1?], bank })
    }

    /// Cycles of all executions, counted as the search counts them.
    fn taken(&self) -> Taken {
        let own = self.verdict.active_cycles();
        let rival = self.verdict.rival_cycles().filter(|_| !self.row.is_settled()).unwrap_or(own);
        let weight = own.saturating_add(self.verdict.disputed_cycles());
        let [cycles, rival, weight] =
            [own, rival, weight].map(|cycles| cycles.saturating_mul(self.access.times));
        Taken { cycles, rival, weight }
    }

    /// How bad it is, a data race worst.
    fn badness(&self) -> (bool, u32, u32) {
        let verdict = &self.verdict;
        (verdict.conflicts().race.is_some(), verdict.degree(), verdict.worst_degree())
    }

    /// Whether it has neither a conflict, by the row's own source, nor a data race.
    pub(crate) fn is_free(&self) -> bool {
        is_free(&self.verdict)
    }

    /// Whether another source finds it worse, and the file does not say by which to go.
    pub(crate) fn is_open(&self) -> bool {
        self.verdict.worst_degree() > self.verdict.degree().max(1)
    }

    /// `free`, `conflict` or `race`.
    pub(crate) fn outcome(&self) -> &'static str {
        match self.verdict.conflicts().race {
            Some(_) => "race",
            None if self.verdict.degree() > 1 => "conflict",
            None => "free",
        }
    }

    /// The direction as a word.
    pub(crate) fn direction(&self) -> &'static str {
        word_of(self.access.direction)
    }
}

fn ruling(verdict: &Verdict<'_>, access: &Access, demand: Demand) -> Ruling {
    if verdict.conflicts().race.is_some() {
        return Ruling::Races;
    }
    if verdict.degree() > demand.max_degree {
        return Ruling::Conflicts;
    }
    let evidence = verdict.weakest().evidence;
    // What an access says of itself goes before what the command line says of all.
    let strictest = if demand.strict { Evidence::Documented } else { Evidence::Inferred };
    let is_weak = evidence < access.least.unwrap_or(strictest);
    // A dispute that does not change the verdict is ignored.
    let is_open = demand.strict && verdict.worst_degree() > demand.max_degree;
    if is_weak || is_open { Ruling::Weak } else { Ruling::Passes }
}

/// What all accesses take together.
pub(crate) fn taken(all: &[Judged<'_>]) -> Taken {
    all.iter().map(Judged::taken).fold(Taken::default(), Taken::and)
}

/// The access that tells most: of the worst the first.
pub(crate) fn worst<'j, 't>(all: impl IntoIterator<Item = &'j Judged<'t>>) -> Option<&'j Judged<'t>>
where
    't: 'j,
{
    all.into_iter().reduce(|worst, one| if one.badness() > worst.badness() { one } else { worst })
}

/// Whether there is neither a conflict, by the row's own source, nor a data race.
pub(crate) fn is_free(verdict: &Verdict<'_>) -> bool {
    verdict.degree() <= 1 && verdict.conflicts().race.is_none()
}

/// Whether sources disagree on the row, and the file does not say by which it goes.
pub(crate) fn is_disputed(verdict: &Verdict<'_>) -> bool {
    let row = verdict.instruction();
    row.rival().is_some() && *row != row.as_disputed()
}

/// That the direct load of a tile cannot fill it, and what could be filled instead.
fn unfilled(tile: &Tile) -> Option<Fault> {
    let fill = tile.fill.as_ref()?;
    let (plan, bits) = (&tile.layout.plan, tile.element.bits);
    tile.chips.iter().enumerate().find_map(|(at, chip)| {
        let one = fill.on(at);
        let error = one.plan(plan, bits).err()?;
        let (chip, name) = (chip.name(), one.transfer().name());
        let by = plural(one.waves(), "wave");
        let instead = remedies(tile, Taken::MOST).map(|found| format!("; {found}"));
        let instead = instead.unwrap_or_default();
        let message = format!("{chip} {name} by {by}: {error}{instead}");
        Some(Fault::new(fill.span.clone(), message))
    })
}

/// All accesses of a tile, in the order of the file, or what is wrong with one.
pub(crate) fn judge(tile: &Tile, demand: Demand) -> Result<Vec<Judged<'_>>, Vec<Fault>> {
    if let Some(fault) = undecided(tile, Needs::Verdicts) {
        return Err(vec![fault]);
    }
    let (mut judged, mut faults) = (Vec::new(), Vec::from_iter(unfilled(tile)));
    for access in &tile.accesses {
        for at in 0..tile.chips.len() {
            match Judged::new(tile, access, at, demand) {
                Ok(one) => judged.push(one),
                Err(fault) => faults.push(fault),
            }
        }
    }
    if faults.is_empty() { Ok(judged) } else { Err(faults) }
}

/// All accesses of all tiles, by degrees alone, or all that is wrong with them.
pub(crate) fn judge_all(tiles: &[Tile]) -> Result<Vec<Judged<'_>>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for tile in tiles {
        match judge(tile, Demand::FREE) {
            Ok(judged) => all.extend(judged),
            Err(more) => faults.extend(more),
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}
