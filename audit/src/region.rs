//! Accesses that share bytes: what is read was written somewhere, and a tile is all that is linked in this way.
//!
//! A kernel uses the same bytes for one tile after the other. So tiles are not distinguished by their bytes alone, but
//! by the writes that a read may see:
//!
//! ```text
//!   ds_write_b64 0..16K      Q's scratch     seen by the next read, and by nothing later
//!   ds_read2_b64 0..16K
//!   ds_write_b128 0..16K     K               the bytes are the same, the tile is another
//!   ds_read2_b64 0..16K
//! ```
//!
//! Bytes that the same instructions touch are one *class*. Writes flow through the blocks of the program class by
//! class; one that surely writes all of a class ends those before it. A read that may see what was there at the start,
//! or what another wave's way through the program writes, is linked with all writes of these bytes.

use crate::graph::{Bits, settle};
use crate::issue::Issue;
use crate::kernel::{Kernel, Site, Unjudged};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::convert::Infallible;
use tiledesc::chip::Access;

/// Accesses that hang together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    /// The accesses, by their places among the kernel's instructions.
    pub(crate) sites: Vec<usize>,
    /// The first byte and the one after the last; `None` where the bytes are known up to u.
    pub(crate) bytes: Option<[u32; 2]>,
    /// Zeros at the end of every u.
    pub(crate) zeros: u32,
    /// The variable that they are in, if it has a name.
    pub(crate) array: Option<usize>,
    /// The bytes of that variable, if they are all its accesses, which one declaration serves.
    pub(crate) length: Option<u32>,
    /// Accesses of unknown bytes of the same variable.
    pub(crate) inside: Vec<usize>,
    /// Accesses of unknown bytes that may be in any variable, or in none.
    pub(crate) anywhere: Vec<usize>,
}

/// Bytes that are looked at: more than any block has.
const BYTES: u32 = 1 << 20;

/// The most sets of writes that are kept: blocks times classes.
const SETS: usize = 1 << 21;

/// The regions of a kernel, with the accesses of each; `None` if the program is too large to tell them apart.
///
/// An access whose bytes are not all known belongs to no region: of a region it says that it may be there.
pub(crate) fn regions(kernel: &Kernel) -> Option<(Vec<Region>, Vec<Issue>)> {
    let mut issues = Vec::new();
    let (mut inside, mut anywhere) = (BTreeMap::<usize, Vec<usize>>::new(), Vec::new());
    for (at, site) in kernel.sites.iter().enumerate() {
        let all = (0..site.reached.len()).map(|reached| kernel.placed(at, reached));
        let all: Option<Vec<Issue>> = all.collect();
        let is_unknown = match &site.access {
            Err(Unjudged::Permute | Unjudged::Barrier | Unjudged::Joined) => false,
            Err(_) => true,
            Ok(_) => all.is_none(),
        };
        match (is_unknown, kernel.within.get(at)) {
            (false, _) => issues.extend(all.unwrap_or_default()),
            (true, Some(Some(within))) => inside.entry(within.array).or_default().push(at),
            (true, _) => anywhere.push(at),
        }
    }
    let mut of_arrays: BTreeMap<Option<usize>, Vec<Issue>> = BTreeMap::new();
    issues.iter().for_each(|one| of_arrays.entry(one.array).or_default().push(one.clone()));
    let mut all = Vec::new();
    for (array, issues) in of_arrays {
        let inside = array.and_then(|array| inside.get(&array)).cloned().unwrap_or_default();
        let length = array.and_then(|array| kernel.arrays[array].bytes);
        let regions = of_array(kernel, &issues, length.is_some())?;
        all.extend(regions.into_iter().map(|one| Region {
            array,
            length,
            inside: inside.clone(),
            anywhere: anywhere.clone(),
            ..one
        }));
    }
    Some((all, issues))
}

/// The regions of accesses whose bytes are counted from one place on; one, if they are all of a variable that is declared once.
fn of_array(kernel: &Kernel, issues: &[Issue], is_whole: bool) -> Option<Vec<Region>> {
    let zeros = issues.iter().map(|one| one.zeros).min().unwrap_or(32);
    if zeros < 32 {
        let sites: BTreeSet<_> = issues.iter().map(|one| one.site).collect();
        return Some(vec![Region {
            sites: sites.into_iter().collect(),
            zeros,
            ..Region::default()
        }]);
    }
    let mut webs = Webs::new(kernel.sites.len());
    if is_whole {
        issues.windows(2).for_each(|two| webs.join(two[0].site, two[1].site));
    } else {
        Classes::new(kernel, issues)?.link(kernel, &mut webs)?;
    }
    Some(apart(gathered(kernel, issues, &mut webs)))
}

/// A set of numbers, as ranges in ascending order that do not touch.
#[derive(Debug)]
struct Ranges(Vec<[u32; 2]>);

impl Ranges {
    fn new(mut all: Vec<[u32; 2]>) -> Self {
        all.sort_unstable();
        let mut kept = Vec::new();
        all.into_iter().for_each(|one| add(&mut kept, one));
        Self(kept)
    }

    fn is_disjoint(&self, other: &Self) -> bool {
        let meets = |[begin, end]: &[u32; 2]| {
            let at = other.0.partition_point(|[_, last]| last <= begin);
            other.0.get(at).is_some_and(|[first, _]| first < end)
        };
        !self.0.iter().any(meets)
    }

    fn with(self, other: Self) -> Self {
        Self::new([self.0, other.0].concat())
    }
}

/// Adds a range, as one of its own unless it begins in the last one or right behind it.
fn add(all: &mut Vec<[u32; 2]>, [begin, end]: [u32; 2]) {
    match all.last_mut() {
        _ if end <= begin => {}
        Some([first, last]) if (*first..=*last).contains(&begin) => *last = end.max(*last),
        _ => all.push([begin, end]),
    }
}

/// The regions by their first access, each with the dwords that it touches.
fn gathered(kernel: &Kernel, issues: &[Issue], webs: &mut Webs) -> Vec<(Region, Ranges)> {
    let mut all: BTreeMap<usize, (Region, Vec<[u32; 2]>)> = BTreeMap::new();
    for issue in issues {
        let Some(row) = kernel.row(issue.site) else { continue };
        let root = webs.root(issue.site);
        let new = || (Region { zeros: 32, ..Region::default() }, Vec::new());
        let (region, dwords) = all.entry(root).or_insert_with(new);
        if region.sites.last() != Some(&issue.site) {
            region.sites.push(issue.site);
        }
        for byte in issue.bytes.iter().flatten() {
            for part in 0..row.parts() {
                let first = byte.wrapping_add(row.part(part));
                let last = first.wrapping_add(row.bytes());
                let [begin, end] = region.bytes.unwrap_or([first, last]);
                region.bytes = Some([begin.min(first), end.max(last)]);
                add(dwords, [first / 4, last.div_ceil(4)]);
            }
        }
    }
    all.into_values().map(|(region, dwords)| (region, Ranges::new(dwords))).collect()
}

/// Merges regions whose byte ranges interleave without sharing a byte; they are one tile, and a move of the one's bytes
/// to the other's moves both.
fn apart(parts: Vec<(Region, Ranges)>) -> Vec<Region> {
    let mut all: Vec<(Region, Ranges)> = Vec::new();
    for (mut region, mut dwords) in parts {
        let is_between = |other: &(Region, Ranges), region: &Region, dwords: &Ranges| {
            let meet = |([a, b], [x, y]): ([u32; 2], [u32; 2])| a < y && x < b;
            other.0.bytes.zip(region.bytes).is_some_and(meet) && other.1.is_disjoint(dwords)
        };
        while let Some(at) = all.iter().position(|other| is_between(other, &region, &dwords)) {
            let (other, more) = all.remove(at);
            let hull = |([a, b], [x, y]): ([u32; 2], [u32; 2])| [a.min(x), b.max(y)];
            region.bytes = region.bytes.zip(other.bytes).map(hull);
            region.sites.extend(other.sites);
            dwords = dwords.with(more);
        }
        region.sites.sort_unstable();
        all.push((region, dwords));
    }
    all.sort_by_key(|(region, _)| region.sites.first().copied());
    all.into_iter().map(|(region, _)| region).collect()
}

/// Waves that get to an instruction.
fn waves(site: &Site) -> usize {
    site.reached_by_wave().count()
}

/// Dwords that the same instructions touch.
struct Classes {
    count: usize,
    /// The classes of each instruction, and whether it surely writes all of one.
    of_site: Vec<Vec<(usize, bool)>>,
    /// The instructions of each class.
    sites: Vec<Vec<usize>>,
    /// Whether each class is touched on ways that not all waves go.
    is_parted: Vec<bool>,
}

impl Classes {
    fn new(kernel: &Kernel, issues: &[Issue]) -> Option<Self> {
        // For each dword, who touches which of its bytes: accesses in order of their issue.
        let mut dwords: Vec<Vec<(usize, u32)>> = Vec::new();
        // A wave that writes here or there has surely written neither.
        let is_one = |site: &Site| waves(site) == site.reached.len();
        let mut certain = Vec::from_iter(kernel.sites.iter().map(is_one));
        for issue in issues {
            let row = kernel.row(issue.site)?;
            certain[issue.site] &= issue.is_certain;
            for byte in issue.bytes.iter().flatten() {
                for part in 0..row.parts() {
                    let first = byte.wrapping_add(row.part(part));
                    if first > BYTES {
                        return None;
                    }
                    for one in first..first + row.bytes() {
                        let (dword, bit) = (one as usize / 4, 1 << (one % 4));
                        if dwords.len() <= dword {
                            dwords.resize_with(dword + 1, Vec::new);
                        }
                        match dwords[dword].last_mut() {
                            Some((site, bytes)) if *site == issue.site => *bytes |= bit,
                            _ => dwords[dword].push((issue.site, bit)),
                        }
                    }
                }
            }
        }
        let most = kernel.sites.iter().map(waves).max().unwrap_or(0);
        let mut known: HashSet<Vec<(usize, bool)>> = HashSet::new();
        let mut classes = Self {
            count: 0,
            of_site: vec![Vec::new(); kernel.sites.len()],
            sites: Vec::new(),
            is_parted: Vec::new(),
        };
        // Dwords beside each other are mostly alike.
        dwords.dedup();
        for touching in dwords.into_iter().filter(|touching| !touching.is_empty()) {
            let is_whole = |(site, bytes)| (site, bytes == 0xf && certain[site]);
            let key = Vec::from_iter(touching.into_iter().map(is_whole));
            if known.contains(&key) {
                continue;
            }
            let class = classes.count;
            classes.count += 1;
            key.iter().for_each(|(site, whole)| classes.of_site[*site].push((class, *whole)));
            classes.sites.push(key.iter().map(|(site, _)| *site).collect());
            classes.is_parted.push(key.iter().any(|(site, _)| waves(&kernel.sites[*site]) < most));
            known.insert(key);
        }
        Some(classes)
    }

    /// Joins reads with the writes that they may see.
    fn link(&self, kernel: &Kernel, webs: &mut Webs) -> Option<()> {
        let graph = &kernel.graph;
        if graph.blocks.len().checked_mul(self.count)? > SETS {
            return None;
        }
        let sites_of = |block: usize| {
            let range = &graph.blocks[block];
            let begin = kernel.sites.partition_point(|site| site.at < range.start);
            let end = kernel.sites.partition_point(|site| site.at < range.end);
            begin..end
        };
        let start = kernel.sites.len();
        let begin = Bits::from_numbers([start].into_iter());
        let mut before: Vec<Option<Vec<Bits>>> = vec![None; graph.blocks.len()];
        before[0] = Some(vec![begin; self.count]);
        let through = |block: usize, state: &mut Vec<Bits>| {
            sites_of(block).for_each(|site| self.write(kernel, site, state));
            Ok(graph.after[block].into_iter().flatten().collect())
        };
        let meet = |_, known: &mut Option<Vec<Bits>>, new: &Vec<Bits>| {
            let Some(known) = known else {
                *known = Some(new.clone());
                return Ok(true);
            };
            let both = known.iter_mut().zip(new);
            Ok(both.fold(false, |is_new, (known, new)| known.extend(new.iter()) | is_new))
        };
        let Ok::<_, Infallible>(before) = settle(&graph.order, before, through, meet);
        for (block, state) in before.into_iter().enumerate() {
            let Some(mut state) = state else { continue };
            for site in sites_of(block) {
                self.read(kernel, site, &state, start, webs);
                self.write(kernel, site, &mut state);
            }
        }
        Some(())
    }

    fn write(&self, kernel: &Kernel, site: usize, state: &mut [Bits]) {
        let is_write = kernel.row(site).is_some_and(|row| row.access() == Access::Write);
        for (class, whole) in self.of_site[site].iter().filter(|_| is_write) {
            if *whole {
                state[*class] = Bits::default();
            }
            state[*class].insert(site);
        }
    }

    fn read(&self, kernel: &Kernel, site: usize, state: &[Bits], start: usize, webs: &mut Webs) {
        let is_read = kernel.row(site).is_some_and(|row| row.access() == Access::Read);
        for (class, _) in &self.of_site[site] {
            // What was there at the start is what another wave has written, if anyone.
            if self.is_parted[*class] || is_read && state[*class].contains(start) {
                self.sites[*class].iter().for_each(|other| webs.join(site, *other));
            } else if is_read {
                state[*class].iter().for_each(|other| webs.join(site, other));
            }
        }
    }
}

/// Sets that are joined.
struct Webs(Vec<usize>);

impl Webs {
    fn new(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn root(&mut self, mut one: usize) -> usize {
        while self.0[one] != one {
            self.0[one] = self.0[self.0[one]];
            one = self.0[one];
        }
        one
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }
}
