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

use crate::graph::Bits;
use crate::issue::Issue;
use crate::kernel::{Kernel, Site, Unjudged};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tiledesc::chip::Access;

/// Accesses that hang together.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The accesses, by their places among the kernel's instructions.
    pub(crate) sites: Vec<usize>,
    /// The first byte and the one after the last; `None` where the bytes are known up to u.
    pub(crate) bytes: Option<[u32; 2]>,
    /// Zeros at the end of every u.
    pub(crate) zeros: u32,
}

/// The reason why accesses cannot be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Blur {
    /// An instruction, by its place, that may touch any byte.
    Anywhere(usize),
    /// The program is too large for it.
    Large,
}

/// Bytes that are looked at: more than any block has.
const BYTES: u32 = 1 << 20;

/// The most sets of writes that are kept: blocks times classes.
const SETS: usize = 1 << 21;

/// The regions of a kernel.
pub(crate) fn regions(kernel: &Kernel, issues: &[Issue]) -> Result<Vec<Region>, Blur> {
    let mut known = vec![0; kernel.sites.len()];
    issues.iter().for_each(|one| known[one.site] += 1);
    for (at, site) in kernel.sites.iter().enumerate() {
        let is_anywhere = match &site.access {
            Err(Unjudged::Permute | Unjudged::Barrier) => false,
            Err(_) => true,
            Ok(_) => known[at] < site.reached.len(),
        };
        if is_anywhere {
            return Err(Blur::Anywhere(at));
        }
    }
    let zeros = issues.iter().map(|one| one.zeros).min().unwrap_or(32);
    if zeros < 32 {
        let sites: BTreeSet<_> = issues.iter().map(|one| one.site).collect();
        return Ok(vec![Region { sites: sites.into_iter().collect(), bytes: None, zeros }]);
    }
    let classes = Classes::of(kernel, issues).ok_or(Blur::Large)?;
    let mut webs = Webs::new(kernel.sites.len());
    classes.link(kernel, &mut webs).ok_or(Blur::Large)?;
    Ok(apart(gathered(kernel, issues, &mut webs)))
}

/// The regions by their first access, each with the dwords that it touches.
fn gathered(kernel: &Kernel, issues: &[Issue], webs: &mut Webs) -> Vec<(Region, BTreeSet<u32>)> {
    let mut all: BTreeMap<usize, (Region, BTreeSet<u32>)> = BTreeMap::new();
    for issue in issues {
        let Some(row) = kernel.row(issue.site) else { continue };
        let empty = Region { sites: Vec::new(), bytes: None, zeros: 32 };
        let root = webs.root(issue.site);
        let (region, dwords) = all.entry(root).or_insert_with(|| (empty, BTreeSet::new()));
        if region.sites.last() != Some(&issue.site) {
            region.sites.push(issue.site);
        }
        for byte in issue.bytes.iter().flatten() {
            for part in 0..row.parts() {
                let first = byte.wrapping_add(row.part(part));
                let last = first.wrapping_add(row.bytes());
                let [begin, end] = region.bytes.unwrap_or([first, last]);
                region.bytes = Some([begin.min(first), end.max(last)]);
                dwords.extend(first / 4..last.div_ceil(4));
            }
        }
    }
    all.into_values().collect()
}

/// Merges regions whose byte ranges interleave without sharing a byte; they are one tile, and a move of the one's bytes
/// to the other's moves both.
fn apart(parts: Vec<(Region, BTreeSet<u32>)>) -> Vec<Region> {
    let mut all: Vec<(Region, BTreeSet<u32>)> = Vec::new();
    for (mut region, mut dwords) in parts {
        let is_between =
            |other: &(Region, BTreeSet<u32>), region: &Region, dwords: &BTreeSet<u32>| {
                let meet = |([a, b], [x, y]): ([u32; 2], [u32; 2])| a < y && x < b;
                other.0.bytes.zip(region.bytes).is_some_and(meet) && other.1.is_disjoint(dwords)
            };
        while let Some(at) = all.iter().position(|other| is_between(other, &region, &dwords)) {
            let (other, more) = all.remove(at);
            let hull = |([a, b], [x, y]): ([u32; 2], [u32; 2])| [a.min(x), b.max(y)];
            region.bytes = region.bytes.zip(other.bytes).map(hull);
            region.sites.extend(other.sites);
            dwords.extend(more);
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
    fn of(kernel: &Kernel, issues: &[Issue]) -> Option<Self> {
        // Of each dword who touches which of its bytes.
        let mut dwords: BTreeMap<u32, BTreeMap<usize, u32>> = BTreeMap::new();
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
                        *dwords.entry(one / 4).or_default().entry(issue.site).or_insert(0) |=
                            1 << (one % 4);
                    }
                }
            }
        }
        let most = kernel.sites.iter().map(waves).max().unwrap_or(0);
        let mut known: HashMap<Vec<(usize, bool)>, usize> = HashMap::new();
        let mut classes = Self {
            count: 0,
            of_site: vec![Vec::new(); kernel.sites.len()],
            sites: Vec::new(),
            is_parted: Vec::new(),
        };
        for touching in dwords.into_values() {
            let key: Vec<_> = touching
                .into_iter()
                .map(|(site, bytes)| (site, bytes == 0xf && certain[site]))
                .collect();
            if known.contains_key(&key) {
                continue;
            }
            let class = classes.count;
            classes.count += 1;
            key.iter().for_each(|(site, whole)| classes.of_site[*site].push((class, *whole)));
            classes.sites.push(key.iter().map(|(site, _)| *site).collect());
            classes.is_parted.push(key.iter().any(|(site, _)| waves(&kernel.sites[*site]) < most));
            known.insert(key, class);
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
        let mut begin = Bits::default();
        begin.insert(start);
        let order = graph.order();
        let mut before: Vec<Option<Vec<Bits>>> = vec![None; graph.blocks.len()];
        before[0] = Some(vec![begin; self.count]);
        let mut rank = vec![usize::MAX; graph.blocks.len()];
        order.iter().enumerate().for_each(|(i, block)| rank[*block] = i);
        let mut open = BTreeSet::from([0]);
        while let Some(next) = open.pop_first() {
            let block = order[next];
            let Some(mut state) = before[block].clone() else { continue };
            sites_of(block).for_each(|site| self.write(kernel, site, &mut state));
            for to in graph.after[block].iter().flatten().copied() {
                let is_new = match &mut before[to] {
                    slot @ None => {
                        *slot = Some(state.clone());
                        true
                    }
                    Some(known) => {
                        let mut is_new = false;
                        for (known, new) in known.iter_mut().zip(&state) {
                            new.iter().for_each(|site| is_new |= known.insert(site));
                        }
                        is_new
                    }
                };
                if is_new {
                    open.insert(rank[to]);
                }
            }
        }
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
