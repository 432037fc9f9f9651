//! Moves that make the accesses of one region cheaper: a mask on the byte address, or a pad.
//!
//! ```text
//!   attention on gfx942: K, bytes 0 to 16383       4 ds_write_b128 free, 16 ds_read2_b64 16-way    2112 cycles
//!   byte ^ (byte >> 8 & 7) << 4                    as before             2-way, each as two ds_read_b64     320
//!   byte ^ (byte >> 8 & 15) << 3                   torn: 8 bytes here, 8 bytes there    free
//! ```
//!
//! | tried | how many | judged by |
//! |---|---|---|
//! | nothing, and every field of the address that flips one below it | some 100 | the verdict on each access |
//! | several fields at once | one, by the [search](tiledesc_host::search) over the bytes as a tile | the same |
//! | a pad behind every row: of each distance between lanes, of each power of two | some 100 | the same |
//!
//! Vectors stay whole: a move that tears one is no move. Among masks that cost the same the first is taken, which has
//! the fewest bits. Accesses in loops count ten times for each loop, but what is printed is each executed once.

use crate::issue::Issue;
use crate::kernel::Kernel;
use crate::moved::{Cost, Field, Move, Touch, single};
use crate::region::{Region, regions};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tiledesc::chip::Instruction;

mod advice;
mod fields;

pub use advice::{Advice, Better, Change, Search};

/// The most different accesses of a region that are searched for.
const MOST: usize = 512;

/// The most accesses of all waves that are looked at.
const ISSUES: usize = 1 << 16;

/// The most distances between lanes after which a pad is tried.
const DISTANCES: usize = 8;

/// Bytes of all banks: no pad is longer.
const ROUND: u32 = 256;

const LARGE: &str =
    "no better layout is looked for: the program is too large to tell its tiles apart";

/// The move that leaves all bytes in place.
const STAY: Move = Move::Mask(Vec::new());

impl Kernel {
    /// Searches a better layout where lanes wait for each other.
    ///
    /// ```
    /// use tiledesc_audit::{Options, audit};
    ///
    /// let text = "
    ///     .amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"
    ///     .type column,@function
    /// column:
    ///     v_lshlrev_b32_e32 v1, 7, v0     ; 128 bytes from lane to lane
    ///     ds_write_b32 v1, v2
    ///     ds_read_b32 v2, v1
    ///     s_endpgm
    /// ";
    /// let options = Options { block: Some([64, 1, 1]), ..Options::default() };
    /// let better = audit(text, &options)?[0].better();
    /// assert_eq!((better.regions[0].now, better.regions[0].free), (128, 4));
    /// let said = better.regions[0].to_string();
    /// assert!(said.contains("`byte ^ (byte >> 7 & 31) << 2`: 128 cycles become 4"), "{said}");
    /// # Ok::<(), tiledesc_audit::Error>(())
    /// ```
    #[must_use]
    pub fn better(&self) -> Search {
        if self.sites.iter().map(|site| site.reached.len()).sum::<usize>() > ISSUES {
            return Search { regions: Vec::new(), silence: Some(LARGE.to_string()) };
        }
        if !self.issues().iter().any(|issue| self.waits(issue)) {
            return Search { regions: Vec::new(), silence: None };
        }
        let Some((all, issues)) = regions(self) else {
            return Search { regions: Vec::new(), silence: Some(LARGE.to_string()) };
        };
        let found = all.iter().filter_map(|region| self.better_for(region, &all, &issues));
        let mut regions: Vec<Better> = Vec::new();
        for one in found {
            match regions.iter_mut().find(|known| known.is_alike(&one)) {
                Some(known) => known.add(one),
                None => regions.push(one),
            }
        }
        let moves = |one: &Better| matches!(one.advice, Advice::Move { .. });
        let judged = if regions.iter().any(moves) { self.judged() } else { Vec::new() };
        for one in &mut regions {
            if let Advice::Move { to, .. } = &one.advice {
                one.bounds = self.bounds_after(&judged, to, &one.sites);
            }
        }
        Search { regions, silence: None }
    }

    /// Returns whether lanes wait for each other.
    fn waits(&self, issue: &Issue) -> bool {
        self.row(issue.site).is_some_and(|row| {
            let cost = Touch::new(row, issue).cost(self.chip, &STAY);
            cost.is_some_and(|cost| cost.degree > 1)
        })
    }

    /// `ds_add_u32 of gemm.hip:41`, `3 instructions, such as ds_add_u32 of gemm.hip:41,`
    fn said_of(&self, sites: &[usize]) -> Option<String> {
        let first = &self.sites[*sites.first()?];
        let one = format!("{} of {}", first.opcode, first.said_place());
        let many = sites.len();
        Some(if many == 1 { one } else { format!("{many} instructions, such as {one},") })
    }

    fn better_for(&self, region: &Region, all: &[Region], issues: &[Issue]) -> Option<Better> {
        let of: Vec<_> = issues.iter().filter(|one| region.sites.contains(&one.site)).collect();
        let costs = self.costs(&of, &STAY)?;
        let worst = costs.values().map(|cost| cost.degree).max().unwrap_or(0);
        if worst < 2 {
            return None;
        }
        let now = cycles(&costs);
        let free = region.sites.iter().map(|site| self.base_cycles(*site)).sum();
        let mut better = Better {
            sites: region.sites.clone(),
            bytes: region.bytes,
            now,
            free,
            advice: Advice::Nothing,
            bounds: Vec::new(),
            torn: None,
            array: region.array.map(|array| self.arrays[array].clone()),
            element: self.narrowest(&of),
            pad: None,
            unless: self.said_of(&region.anywhere),
        };
        if let Some(one) = self.said_of(&region.inside) {
            better.advice = Advice::Blurred { by: one };
            return Some(better);
        }
        let Some(shapes) = self.shapes(&of) else {
            better.advice = Advice::Large;
            return Some(better);
        };
        let all: Vec<Region> =
            all.iter().filter(|one| one.array == region.array).cloned().collect();
        let all = &all[..];
        let to = self.least(region, all, &shapes, &of);
        let found = to.and_then(|to| Some((self.costs(&of, &to)?, to)));
        let mut left = worst;
        if let Some((then, to)) = found
            && cycles(&then) < now
        {
            left = then.values().map(|cost| cost.degree).max().unwrap_or(0);
            let changes = self.changes(&costs, &then);
            better.pad = match to {
                Move::Mask(_) => self.smallest_pad(region, &of, cycles(&then)),
                Move::Pad { .. } => None,
            };
            better.advice = Advice::Move { to, cycles: cycles(&then), changes };
        }
        if left > 1 {
            better.torn = self.torn(region, all, &shapes);
        }
        Some(better)
    }

    fn base_cycles(&self, site: usize) -> u64 {
        self.row(site).map_or(0, |row| (row.service().phases.count() * row.parts()) as u64)
    }

    /// The cost of each instruction in its worst wave; `None` if a vector is torn.
    fn costs(&self, issues: &[&Issue], to: &Move) -> Option<BTreeMap<usize, Cost>> {
        let mut all: BTreeMap<usize, Cost> = BTreeMap::new();
        for issue in issues {
            let cost = Touch::new(self.row(issue.site)?, issue).cost(self.chip, to)?;
            let worst = all.entry(issue.site).or_insert(cost);
            let is_split = worst.is_split || cost.is_split;
            *worst = if cost.cycles > worst.cycles { cost } else { *worst };
            worst.is_split = is_split;
        }
        Some(all)
    }

    /// The bytes of the narrowest access: an element, as far as anyone can tell.
    fn narrowest(&self, issues: &[&Issue]) -> u32 {
        issues.iter().filter_map(|one| Some(self.row(one.site)?.bytes())).min().unwrap_or(1)
    }

    /// Of a variable of known length the smallest pad behind a row that takes no more cycles than a mask does, with its cycles.
    fn smallest_pad(&self, region: &Region, issues: &[&Issue], most: u64) -> Option<(Move, u64)> {
        let bytes = region.array.and_then(|array| self.arrays[array].bytes)?;
        let widest = issues.iter().filter_map(|one| Some(self.row(one.site)?.bytes())).max()?;
        let step = widest.next_power_of_two();
        for by in (step..=ROUND / 4).step_by(step as usize) {
            for every in
                self.distances(issues, step).into_iter().filter(|one| bytes.is_multiple_of(*one))
            {
                let to = Move::Pad { begin: 0, every, by };
                let cost = self.costs(issues, &to).map(|costs| cycles(&costs));
                if let Some(cost) = cost.filter(|cost| *cost <= most) {
                    return Some((to, cost));
                }
            }
        }
        None
    }

    /// Merges accesses that no mask distinguishes: their bytes differ by the flipping of some bits. `None` if too many
    /// are left.
    fn shapes(&self, issues: &[&Issue]) -> Option<Vec<(Touch, u64)>> {
        let mut index: HashMap<Touch, usize> = HashMap::new();
        let mut all = Vec::new();
        for issue in issues {
            let touch = Touch::new(self.row(issue.site)?, issue);
            // A vector stays at its place in 16 bytes. Of bytes that are known up to their begin no bit is known.
            let flip = if issue.zeros < 32 { 0 } else { issue.first()? & !15 };
            let touch = touch.map(|byte| byte ^ flip);
            let weight = 10_u64.pow(self.sites[issue.site].loops.min(3));
            let next = all.len();
            let at = *index.entry(touch.clone()).or_insert(next);
            if at == next {
                all.push((touch, 0));
            }
            all[at].1 += weight;
            if all.len() > MOST {
                return None;
            }
        }
        Some(self.sorted(all))
    }

    /// Sorts by cost, the dearest first, so that a bad move is left at its first conflict.
    fn sorted(&self, mut all: Vec<(Touch, u64)>) -> Vec<(Touch, u64)> {
        let cycles = |touch: &Touch| touch.cost(self.chip, &STAY).map_or(0, |cost| cost.cycles);
        all.sort_by_cached_key(|(touch, weight)| std::cmp::Reverse(cycles(touch) * weight));
        all
    }

    /// The move of the fewest cycles, if one is better than none.
    fn least(
        &self,
        region: &Region,
        all: &[Region],
        shapes: &[(Touch, u64)],
        issues: &[&Issue],
    ) -> Option<Move> {
        let floor: u64 = shapes.iter().map(|(touch, weight)| weight * self.floor_of(touch)).sum();
        let mut best = (self.weigh_all(shapes, &STAY, u64::MAX)?, None);
        let widest = self.widest(shapes).next_power_of_two().trailing_zeros();
        for to in masks(widest..8, region, all) {
            if best.0 == floor {
                break;
            }
            if let Some(cycles) = self.weigh_all(shapes, &to, best.0) {
                best = (cycles, Some(to));
            }
        }
        if best.0 > floor
            && let Some(to) = fields::searched(self, shapes, region.zeros)
            && fits(&to, region, all)
            && let Some(cycles) = self.weigh_all(shapes, &to, best.0)
        {
            best = (cycles, Some(to));
        }
        let begin = region.length.map(|_| 0).or(region.bytes.map(|[begin, _]| begin));
        let Some(begin) = begin.filter(|_| best.0 > floor) else { return best.1 };
        let touches = |issue: &&Issue| {
            let touch = Touch::new(self.row(issue.site)?, issue);
            Some((touch, 10_u64.pow(self.sites[issue.site].loops.min(3))))
        };
        let each = self.sorted(issues.iter().filter_map(touches).collect());
        for every in self.distances(issues, 1 << widest) {
            for by in (1 << widest..=ROUND).step_by(1 << widest) {
                let to = Move::Pad { begin, every, by };
                if best.0 > floor
                    && let Some(cycles) = self.weigh_all(&each, &to, best.0)
                {
                    best = (cycles, Some(to));
                }
            }
        }
        best.1
    }

    /// Cycles of all issues, if they are fewer than `most`: a pad is not the same for accesses that a mask holds to be.
    fn weigh_all(&self, issues: &[(Touch, u64)], to: &Move, most: u64) -> Option<u64> {
        let floors = Vec::from_iter(issues.iter().map(|(touch, _)| self.floor_of(touch)));
        let least: u64 =
            issues.iter().zip(&floors).map(|((_, weight), floor)| weight * floor).sum();
        let sum_of = |cost: &dyn Fn(&Touch) -> Option<Cost>| {
            let mut sum = least;
            for ((touch, weight), floor) in issues.iter().zip(&floors) {
                // Where few lanes are on, an access may take fewer cycles than all its phases.
                sum += weight * cost(touch)?.cycles.saturating_sub(*floor);
                if sum >= most {
                    return None;
                }
            }
            Some(sum)
        };
        // Most moves are worse with one place already.
        let sum = sum_of(&|touch| touch.cost_at_once(self.chip, to))?;
        match issues.iter().all(|(touch, _)| touch.zeros >= 32) {
            true => Some(sum),
            false => sum_of(&|touch| touch.cost(self.chip, to)),
        }
    }

    fn floor_of(&self, touch: &Touch) -> u64 {
        self.known(touch).map_or(0, |row| (row.service().phases.count() * row.parts()) as u64)
    }

    fn known(&self, touch: &Touch) -> Option<&'static Instruction> {
        self.chip.instruction(touch.name).ok()
    }

    fn widest(&self, shapes: &[(Touch, u64)]) -> u32 {
        shapes.iter().filter_map(|(touch, _)| Some(self.known(touch)?.bytes())).max().unwrap_or(1)
    }

    /// Bytes from lane to lane where lanes wait for each other, and powers of two.
    fn distances(&self, issues: &[&Issue], step: u32) -> Vec<u32> {
        let mut all: BTreeSet<_> = (6..11).map(|bit| 1 << bit).collect();
        for issue in issues.iter().filter(|issue| self.waits(issue)) {
            let bytes: Vec<_> = issue.bytes.iter().flatten().collect();
            let apart = bytes.windows(2).map(|two| two[1].abs_diff(*two[0]));
            all.extend(apart.filter(|apart| *apart >= 32 && *apart <= 4096).take(2));
            if all.len() > DISTANCES + 5 {
                break;
            }
        }
        all.into_iter().filter(|every| every.is_multiple_of(step)).collect()
    }

    /// The mask that frees what conflicts, if vectors may be torn that do not.
    fn torn(
        &self,
        region: &Region,
        all: &[Region],
        shapes: &[(Touch, u64)],
    ) -> Option<(Move, Vec<String>)> {
        let (waiting, others): (Vec<_>, Vec<_>) = shapes.iter().cloned().partition(|(touch, _)| {
            touch.cost(self.chip, &STAY).is_some_and(|cost| cost.degree > 1)
        });
        let floor: u64 = waiting.iter().map(|(touch, weight)| weight * self.floor_of(touch)).sum();
        let [least, widest] = [&waiting[..], shapes]
            .map(|shapes| self.widest(shapes).next_power_of_two().trailing_zeros());
        let frees = |to: &Move| self.weigh_all(&waiting, to, floor + 1).is_some();
        let to = masks(least..widest, region, all).find(frees)?;
        let torn = others.iter().filter(|(touch, _)| touch.cost(self.chip, &to).is_none());
        let names: BTreeSet<_> = torn.map(|(touch, _)| touch.name.to_string()).collect();
        (!names.is_empty()).then(|| (to, names.into_iter().collect()))
    }

    /// Instructions of one line and name whose degree changes, or that become two.
    fn changes(&self, now: &BTreeMap<usize, Cost>, then: &BTreeMap<usize, Cost>) -> Vec<Change> {
        let mut all: Vec<Change> = Vec::new();
        for (at, before) in now {
            let (site, after) = (&self.sites[*at], then.get(at).unwrap_or(before));
            if before.degree == after.degree && !after.is_split {
                continue;
            }
            let split = after.is_split.then(|| single(&site.opcode));
            let one = Change {
                place: site.said_place(),
                opcode: site.opcode.clone(),
                count: 1,
                degrees: [before.degree, after.degree],
                split,
                is_placed: site.place.is_some(),
            };
            match all.iter_mut().find(|known| known.is_alike(&one)) {
                Some(known) => known.add(&one),
                None => all.push(one),
            }
        }
        all
    }
}

fn cycles(costs: &BTreeMap<usize, Cost>) -> u64 {
    costs.values().map(|cost| cost.cycles).sum()
}

/// The masks of one field, those of few bits first.
fn masks<'r>(
    lowest: std::ops::Range<u32>,
    region: &'r Region,
    all: &'r [Region],
) -> impl Iterator<Item = Move> + 'r {
    let top = region.bytes.map_or(16, |[_, end]| 32 - end.leading_zeros()).min(16);
    // Of a variable every byte is its own, and of other memory only the bits that are known.
    let top = match region.length {
        Some(_) if region.zeros < 32 => top.min(12),
        Some(_) => top,
        None => top.min(region.zeros),
    };
    let of_width = move |width: u32| {
        lowest.clone().filter(move |to| to + width <= 8).flat_map(move |to| {
            (to + width..top.saturating_sub(width - 1)).map(move |from| Field {
                from,
                bits: (1 << width) - 1,
                to,
            })
        })
    };
    let masks = (1..6).flat_map(of_width).map(|field| Move::Mask(vec![field]));
    masks.filter(move |to| fits(to, region, all))
}

/// Returns whether the bytes that a move exchanges are the region's, or nobody's.
fn fits(to: &Move, region: &Region, all: &[Region]) -> bool {
    let block = to.block();
    let last = region.bytes.map_or(0, |[_, end]| end.next_multiple_of(block));
    // Not beyond the variable's end.
    if region.length.is_some_and(|length| {
        !length.is_multiple_of(block) && (region.bytes.is_none() || last > length)
    }) {
        return false;
    }
    let Some([begin, end]) = region.bytes else { return true };
    let (begin, end, own) = (begin / block * block, end.next_multiple_of(block), [begin, end]);
    all.iter().filter_map(|other| other.bytes).all(|[a, b]| {
        let is_apart = |[x, y]: [u32; 2]| b <= x || y <= a;
        is_apart([begin, end]) || !is_apart(own)
    })
}
