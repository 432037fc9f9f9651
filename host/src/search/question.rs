//! A question of the search: the accesses of a kernel to a tile, as phases.
//!
//! A layout only moves bytes: which elements a phase touches together it leaves as they are. So phases are gathered once
//! for all layouts, and those that a family of layouts treats alike are counted as one:
//!
//! ```text
//!   128x64 halves on gfx942, read by 16 rows     16 instructions, 128 phases     alike in any pad or xor: 1
//! ```

use super::linear::{Linear, MOST_PLACED, Units};
use super::phase::{Banks, Element, Phase};
use core::cell::{Cell, OnceCell};
use core::iter::once;
use std::collections::{BTreeSet, HashMap};
use tiledesc::Plan;
use tiledesc::access::Placed;
use tiledesc::recipe::{Shape, Spec};
use tiledesc::search::{SynthesisError, Use};

/// A tile and what is done to it, in one order of memory.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) tile: Shape,
    /// The tile whose rows are contiguous: with its dimensions exchanged where columns are.
    pub(super) recipe_tile: Shape,
    pub(super) is_by_columns: bool,
    pub(super) uses: &'a [Use<'a>],
    pub(super) phases: Vec<Phase>,
    linear: OnceCell<Option<Linear>>,
    /// Cycles without any conflict.
    pub(super) floor: u64,
    /// Elements that the widest access or direct load moves.
    pub(super) widest: u32,
    /// Elements that stay together: the same, and at least a dword.
    pub(super) pack: u32,
    /// Elements after which the banks begin again: pads that differ by as many have the same conflicts.
    pub(super) round: u32,
    /// The reason why the tile in order does not hold an access that another layout may hold.
    pub(super) misfit: Option<SynthesisError>,
}

impl<'a> Question<'a> {
    /// The questions of both orders that hold the accesses: rows contiguous first. A single row has one order: apart by
    /// more than an element, it is a larger tile of the same banks or fewer.
    pub(super) fn of_both_orders(
        tile: Shape,
        uses: &'a [Use<'a>],
    ) -> Result<Vec<Self>, SynthesisError> {
        tile.check(uses)?;
        if tile.rows == 1 {
            return Ok(vec![Self::new(tile, uses, false)?]);
        }
        match [false, true].map(|is_by_columns| Self::new(tile, uses, is_by_columns)) {
            [Ok(rows), Ok(columns)] => Ok(vec![rows, columns]),
            [Ok(one), Err(_)] | [Err(_), Ok(one)] => Ok(vec![one]),
            [Err(rows), Err(columns)] => Err(SynthesisError::of_both(rows, columns)),
        }
    }

    /// Lays each access over the tile in order.
    fn new(tile: Shape, uses: &'a [Use<'a>], is_by_columns: bool) -> Result<Self, SynthesisError> {
        let moved = |one: &Use<'_>| {
            [one.instruction.bytes(), one.fill.map_or(0, |fill| fill.transfer().data())]
        };
        let services = |one: &Use<'a>| [Some(one.instruction.service()), one.instruction.rival()];
        let bytes = uses.iter().flat_map(moved).max().unwrap_or(0);
        let banks = uses.iter().flat_map(services).flatten().map(|one| one.banks).max();
        let [widest, pack] = [bytes, bytes.max(4)].map(|bytes| bytes * 8 / tile.bits);
        let mut question = Self {
            tile,
            recipe_tile: if is_by_columns { tile.transposed() } else { tile },
            is_by_columns,
            uses,
            phases: Vec::new(),
            linear: OnceCell::new(),
            floor: 0,
            widest,
            pack,
            round: round(banks.unwrap_or(1) * 32, tile.bits),
            misfit: None,
        };
        let in_order = question.layout(Spec::row_major());
        let in_order = in_order.plan(tile).map_err(SynthesisError::Layout)?;
        // What cannot fill rows in order, as so many waves, fills nothing.
        for fill in uses.iter().filter_map(|one| one.fill) {
            fill.plan(&in_order, tile.bits).map_err(SynthesisError::Fill)?;
        }
        for (number, one) in (1..).zip(uses) {
            question.add(&in_order, number, one)?;
        }
        Ok(question)
    }

    fn add(&mut self, in_order: &Plan, access: u32, one: &Use<'_>) -> Result<(), SynthesisError> {
        let row = one.instruction;
        let misfits = |misfit| SynthesisError::Misfit { access, misfit, is_in_order: false };
        let placed = Placed::new(in_order, self.tile.bits, one.lanes, row).map_err(misfits)?;
        let is_across = (placed.along() == 0) != self.is_by_columns;
        match SynthesisError::in_order(&placed.verdict_without_pair(), access, row)? {
            Some(SynthesisError::Misfit { misfit, .. }) if is_across && placed.pack() > 1 => {
                return Err(misfits(misfit));
            }
            misfit => self.misfit = misfit.or(self.misfit),
        }
        for step in 0..placed.instructions() {
            let element = |lane| {
                let [row, column] = placed.coordinate(step, lane).map(|at| [at.at(0), at.at(1)])?;
                Some(if self.is_by_columns { [column, row] } else { [row, column] })
            };
            let lanes: Vec<_> = (0..row.service().phases.addressed()).map(element).collect();
            self.serve(&lanes, one);
        }
        Ok(())
    }

    /// Adds the phases of one instruction, by its source and by another that disputes it.
    fn serve(&mut self, lanes: &[Option<Element>], one: &Use<'_>) {
        let (row, times) = (one.instruction, u64::from(one.times));
        if lanes.iter().all(Option::is_none) {
            return;
        }
        let service = match row.merged() {
            Some(merged) if agree(lanes, 1) || agree(lanes, 2) => merged,
            _ => row.service(),
        };
        self.floor += times * (service.phases.count() * row.parts()) as u64;
        for service in once(service).chain(row.rival().filter(|_| !row.is_settled())) {
            for phase in 0..service.phases.count() {
                let together = service.phases.lanes(phase).iter();
                let mut elements: Vec<_> =
                    together.filter_map(|lane| lanes[*lane as usize]).collect();
                elements.sort_unstable();
                elements.dedup();
                self.phases.extend((0..row.parts()).map(|part| {
                    let (banks, elements) = (Banks::new(row, service, part), elements.clone());
                    Phase { banks, elements, times }
                }));
            }
        }
    }

    /// The phases as units in order, where a linear layout keeps packs whole; made once.
    pub(super) fn linear(&self) -> Option<&Linear> {
        self.linear.get_or_init(|| self.as_linear()).as_ref()
    }

    /// Without what a second address touches, which is no xor away. `None` unless packs are a power of two of bytes of
    /// which a row has a whole number.
    fn as_linear(&self) -> Option<Linear> {
        let (columns, pack) = (self.recipe_tile.columns, self.byte(self.pack));
        if !pack.is_power_of_two() || !columns.is_multiple_of(self.pack) {
            return None;
        }
        let in_order = |phase: &Phase| self.units_in_order(phase);
        let one_address = self.alike(in_order).into_iter().filter(|phase| phase.banks.offset == 0);
        let phases: Vec<_> = one_address
            .map(|phase| (in_order(&phase), phase))
            .filter(|(bytes, _)| bytes.len() > 1)
            .map(|(bytes, Phase { banks, times, .. })| Units {
                banks,
                times,
                places: bytes.clone(),
                bytes,
            })
            .collect();
        let used = phases.iter().flat_map(|units| &units.bytes).fold(0, |used, byte| used | byte);
        let end = self.byte(self.elements()).next_power_of_two().ilog2();
        let is_within = used.checked_shr(end).unwrap_or(0) == 0;
        let (floor, pack_bits) = (self.floor, pack.ilog2());
        let (columns, left) = ((0..end).map(|bit| 1 << bit).collect(), Cell::new(MOST_PLACED));
        let linear = Linear { phases, floor, pack_bits, end, used, columns, left };
        (is_within && pack_bits < end).then_some(linear)
    }

    /// The bytes in order of a phase's units, as xors of the first.
    fn units_in_order(&self, phase: &Phase) -> Vec<u32> {
        let begins = phase.elements.iter().map(|at| self.byte(self.number(*at)));
        let units: Vec<u32> = phase.banks.units(begins.collect()).collect();
        let mut bytes: Vec<_> =
            units.iter().map(|unit| (unit ^ units[0]) << phase.banks.shift).collect();
        bytes.sort_unstable();
        bytes
    }

    /// The phases, those of equal keys as one that is served more often.
    pub(super) fn alike(&self, key: impl Fn(&Phase) -> Vec<u32>) -> Vec<Phase> {
        let (mut places, mut alike) = (HashMap::new(), Vec::<Phase>::new());
        for phase in self.phases.iter().filter(|phase| !phase.elements.is_empty()) {
            let place = *places.entry((phase.banks, key(phase))).or_insert(alike.len());
            match alike.get_mut(place) {
                Some(same) => same.times += phase.times,
                None => alike.push(phase.clone()),
            }
        }
        alike
    }

    /// Returns whether some instruction has a second address, a number of bytes after the first on any layout.
    pub(super) fn has_second_address(&self) -> bool {
        self.uses.iter().any(|one| one.instruction.parts() > 1)
    }

    /// The ends of the bits of an address that choose a bank, each once, the most banks first.
    pub(super) fn bank_ends(&self) -> Vec<u32> {
        let ends: BTreeSet<u32> = self.phases.iter().map(|phase| phase.banks.bits().end).collect();
        ends.into_iter().rev().collect()
    }

    /// The byte of an element by its number.
    pub(super) fn byte(&self, element: u32) -> u32 {
        (u64::from(element) * u64::from(self.tile.bits) / 8) as u32
    }

    /// The number of an element in order.
    pub(super) fn number(&self, [row, column]: Element) -> u32 {
        row * self.recipe_tile.columns + column
    }

    /// Elements of the tile.
    pub(super) fn elements(&self) -> u32 {
        self.tile.rows * self.tile.columns
    }

    /// Returns whether the tile is one row, which has index functions and no pitch.
    pub(super) fn is_one_row(&self) -> bool {
        self.recipe_tile.rows == 1
    }

    /// A recipe of the tile whose rows are contiguous as a layout of the tile.
    pub(super) fn layout(&self, recipe: Spec) -> Spec {
        if self.is_by_columns { recipe.transposed() } else { recipe }
    }
}

/// The least number of elements of `bits` bits that fill whole rounds of `round` bits, a power of two.
fn round(round: u32, bits: u32) -> u32 {
    round >> bits.trailing_zeros().min(round.trailing_zeros())
}

/// Returns whether each lane touches the same as its neighbour at a distance, by xor, where both are active.
fn agree(lanes: &[Option<Element>], distance: usize) -> bool {
    lanes.iter().enumerate().all(|(i, one)| {
        let other = lanes.get(i ^ distance).copied().flatten();
        one.is_none() || other.is_none() || *one == other
    })
}
