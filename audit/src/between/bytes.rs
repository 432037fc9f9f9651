//! The bytes that two waves touch, of accesses that are together: by classes of bytes that the same waves touch at the same ones.

use super::{Together, is_followed, writes};
use crate::graph::Bits;
use crate::kernel::{Array, Block, Kernel, Reached, Site};
use crate::unordered::{Side, Unordered};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Where an access is, and what each wave does there: in a variable with addresses from its begin on.
pub(crate) struct Placed<'k> {
    pub(crate) array: Option<usize>,
    pub(crate) reached: &'k [Reached],
}

/// Pairs whose bytes are compared at most: what is found until then is said.
const PAIRS: usize = 1 << 22;

/// The waves that touch each byte of a dword.
type Waves = [u32; 4];

/// Two accesses, the write first, that touch a byte in two waves.
struct Pair {
    sites: [usize; 2],
    byte: u32,
    array: Option<usize>,
    is_next_round: bool,
}

/// The writes and reads of one byte by two waves that are together, those that are alike as one.
pub(crate) fn unordered(
    kernel: &Kernel,
    arrays: &[Array],
    together: &Together,
    placed: &[Placed<'_>],
) -> Vec<Unordered> {
    let sites = (0..kernel.sites.len()).filter(|site| is_known(&placed[*site]));
    let known = Bits::from_numbers(sites.filter(|site| is_followed(&kernel.sites[*site])));
    let mut wanted = Bits::default();
    for write in known.iter().filter(|site| writes(kernel, *site)) {
        for read in together.reads(kernel, write).filter(|site| known.contains(*site)) {
            wanted.extend([write, read].into_iter());
        }
    }
    let mut of_arrays: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for site in wanted.iter() {
        of_arrays.entry(placed[site].array).or_default().push(site);
    }
    let mut pairs = Vec::new();
    for (array, sites) in of_arrays {
        of_array(kernel, together, array, &sites, placed, &mut pairs);
    }
    alike(kernel, arrays, &pairs, placed)
}

/// Returns whether every lane's address is known.
fn is_known(placed: &Placed<'_>) -> bool {
    let is_known = |one: &Reached| one.address.known().is_some();
    !placed.reached.is_empty() && placed.reached.iter().all(is_known)
}

/// The bytes that each lane of the block touches there: wave, lane, and the first byte of each part.
fn each_lane(
    kernel: &Kernel,
    site: usize,
    placed: &Placed<'_>,
    mut of: impl FnMut(usize, usize, u32),
) {
    let Ok(row) = &kernel.sites[site].access else { return };
    let lanes = kernel.block.lanes().unwrap_or(0) as usize;
    let addressed = row.row.service().phases.addressed().min(kernel.wave);
    for one in placed.reached {
        let Some(f) = one.address.known() else { continue };
        let is_on = |lane: &usize| {
            one.on.is_some_and(|on| on >> lane & 1 == 1) && one.wave * kernel.wave + lane < lanes
        };
        for lane in (0..addressed).filter(is_on) {
            let byte = f.get(lane).wrapping_add(row.offset);
            (0..row.row.parts())
                .for_each(|part| of(one.wave, lane, byte.wrapping_add(row.row.part(part))));
        }
    }
}

/// Finds the pairs of one variable: bytes that the same waves touch at the same accesses are looked at once.
fn of_array(
    kernel: &Kernel,
    together: &Together,
    array: Option<usize>,
    sites: &[usize],
    placed: &[Placed<'_>],
    pairs: &mut Vec<Pair>,
) {
    let mut dwords: BTreeMap<u32, BTreeMap<usize, Waves>> = BTreeMap::new();
    for site in sites {
        let bytes = kernel.row(*site).map_or(0, |row| row.bytes());
        each_lane(kernel, *site, &placed[*site], |wave, _, first| {
            for byte in (0..bytes).filter_map(|by| first.checked_add(by)) {
                let waves = dwords.entry(byte / 4).or_default().entry(*site).or_default();
                waves[byte as usize % 4] |= 1 << wave;
            }
        });
    }
    let (mut seen, mut found, mut compared) = (HashSet::new(), HashSet::new(), 0);
    for (dword, touching) in dwords {
        let waves = touching.values().flatten().fold(0, |all, waves| all | waves);
        if waves.count_ones() < 2 || compared > PAIRS || !seen.insert(touching.clone()) {
            continue;
        }
        let (write, read): (Vec<_>, Vec<_>) =
            touching.iter().partition(|(site, _)| writes(kernel, **site));
        compared += write.len() * read.len();
        for (write, of_write) in write {
            for (read, of_read) in &read {
                let is_now = together.now[*write].contains(**read);
                let meets = |at: &usize| {
                    let (a, b) = (of_write[*at], of_read[*at]);
                    a != 0 && b != 0 && (a | b).count_ones() > 1
                };
                if (is_now || together.next[*write].contains(**read))
                    && let Some(at) = (0..4).find(meets)
                    && found.insert((*write, **read))
                {
                    let byte = 4 * dword + at as u32;
                    pairs.push(Pair {
                        sites: [*write, **read],
                        byte,
                        array,
                        is_next_round: !is_now,
                    });
                }
            }
        }
    }
}

/// Those that are alike as one: of the same lines of the source, or where the text names none of the same instructions.
fn alike(
    kernel: &Kernel,
    arrays: &[Array],
    pairs: &[Pair],
    placed: &[Placed<'_>],
) -> Vec<Unordered> {
    let mut all: Vec<Unordered> = Vec::new();
    let mut known = HashMap::new();
    let mut pairs = Vec::from_iter(pairs);
    pairs.sort_by_key(|one| one.sites);
    for one in pairs {
        let [write, read] = one.sites.map(|site| &kernel.sites[site]);
        let lines = [write.line, read.line];
        let of =
            |site: &Site| (site.opcode.clone(), site.place.as_ref().map(|_| site.said_place()));
        let key = (of(write), of(read), one.is_next_round, one.array);
        if let Some(at) = known.get(&key) {
            let same: &mut Unordered = &mut all[*at];
            same.lines.push(lines);
            continue;
        }
        let Some([write, read]) = sides(kernel, one, placed) else { continue };
        known.insert(key, all.len());
        all.push(Unordered {
            write,
            read,
            byte: one.byte,
            variable: one.array.and_then(|array| arrays.get(array)).map(Array::title),
            is_next_round: one.is_next_round,
            taken: match kernel.block {
                Block::Stated(_) => None,
                other => other.shape(),
            },
            lines: vec![lines],
        });
    }
    all
}

/// The lanes of two waves that touch the byte.
fn sides(kernel: &Kernel, pair: &Pair, placed: &[Placed<'_>]) -> Option<[Side; 2]> {
    let lanes = pair.sites.map(|site| {
        let bytes = kernel.row(site).map_or(0, |row| row.bytes());
        let mut all = Vec::new();
        each_lane(kernel, site, &placed[site], |wave, lane, first| {
            if pair.byte.checked_sub(first).is_some_and(|by| by < bytes) {
                all.push((wave, lane));
            }
        });
        all
    });
    let of_first = |(a, at): &(usize, usize)| {
        let other = lanes[1].iter().find(|(b, _)| b != a)?;
        Some([(*a, *at), *other])
    };
    let found = lanes[0].iter().find_map(of_first)?;
    let side = |at: usize| {
        let (site, (wave, lane)) = (&kernel.sites[pair.sites[at]], found[at]);
        Side {
            opcode: site.opcode.clone(),
            place: site.said_place(),
            source: site.place.clone(),
            line: site.line,
            wave,
            lane,
        }
    };
    Some([side(0), side(1)])
}
