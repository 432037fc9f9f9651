//! A kernel with its accesses: wave by wave, as often as more of them become known.
//!
//! | pass | |
//! |---|---|
//! | a block of unknown shape, a wave in one row of it | always |
//! | .. of one row | where an access is unknown and the code asks for y and z |
//! | with rounds of loops apart | where an access in a loop is unknown: see `unroll` |
//! | a wave in any rows | marks what holds only of a wave in one row |

use super::function::Function;
use super::metadata::Stated;
use super::pointer::Space;
use super::program::Text;
use super::start::{self, Rows, Start};
use super::text::Words;
use super::wave::{Found, Memory};
use super::{flow, global, halves, matrix, order, row, run};
use crate::error::{Error, ErrorKind, INSTRUCTIONS};
use crate::kernel::{
    self, Block, Global, Kernel, MOST, Passed, Reached, Site, Unjudged, Work, known, mark_rows,
};
use crate::target::Target;
use crate::unroll::{self, Unrolled};
use std::collections::BTreeMap;

/// A kernel with its accesses.
pub(super) fn kernel(
    text: &Text,
    function: &Function,
    target: &Target,
    work: &mut Work,
) -> Result<Kernel, Error> {
    let chip = target.chip;
    if function.length > MOST {
        return Err(Error::too_many(&function.name, function.length, INSTRUCTIONS, MOST));
    }
    let none = Stated::default();
    let stated = text.stated.get(&function.name).unwrap_or(&none);
    let wave = stated.wave.unwrap_or(chip.wave() as usize);
    if wave != 32 && wave != 64 {
        let sentence = format!("{}: waves of {wave}, where 32 or 64 can be", function.name);
        return Err(Error::new(ErrorKind::Chip, sentence));
    }
    if target.names_wave && wave != chip.wave() as usize {
        return Err(Error::contradiction(&format!("waves of {wave}"), chip.name()));
    }
    // The program says how many lanes its waves have. Rows of other waves judge nothing: see `row`.
    let chip = chip.in_waves_of(wave as u32).unwrap_or(chip);
    let block = Block::new(target.block, stated.required, stated.lanes);
    let lanes = block.lanes().unwrap_or(wave as u32);
    let code = halves::whole(function, wave);
    let graph = flow::graph(&function.name, &code)?;
    let instructions = Vec::from_iter(code.iter().map(|one| (one.line, one.place.clone())));
    let follows = code.iter().flat_map(|one| &one.words).any(is_flat);
    // As long as more than `least` accesses may be known in all waves.
    let better = |unrolled: &Unrolled, taken: Rows, least: Option<usize>, work: &mut Work| {
        let row = |words: &Words| Some((words.name.clone(), row::find(words, chip, wave)?));
        let rows = |at: usize| code[at].words.iter().map(row).collect();
        let mut sites = kernel::sites(&graph, &instructions, rows);
        let by_buffer = start::scratch_by_buffer(chip);
        let global = |words: &Words| {
            global::place(words, false, by_buffer)?;
            Some((words.name.clone(), global::moved(&words.name)?))
        };
        let all = |at: usize| code[at].words.iter().map(global).collect();
        let mut globals = kernel::sites(&graph, &instructions, all);
        let mut flats = BTreeMap::new();
        let mut there = Vec::new();
        for number in 0..(lanes as usize).div_ceil(wave) {
            let start = Start {
                chip,
                wave,
                number,
                block,
                rows: taken,
                stated,
                symbols: &text.symbols,
                scratch_by_buffer: by_buffer,
                follows,
            };
            let (all, blocks) = run::accesses(&function.name, &code, unrolled, &start, work)?;
            there.push(blocks);
            for found in all {
                let Found { at, part, memory, address, on, stored } = found;
                let one = Reached { wave: number, address, on, stored };
                if let Memory::Flat(space) = memory {
                    flats.entry((at, part)).or_insert_with(Vec::new).push(space);
                }
                if memory == Memory::Lds {
                    sites.get_mut(&(at, part)).into_iter().for_each(|site| site.reach(one.clone()));
                } else if let Some(site) = globals.get_mut(&(at, part)) {
                    site.reach(one);
                }
            }
            if least.is_some_and(|least| known(sites.values()) <= least) {
                return Ok(None);
            }
        }
        told_apart(&mut sites, &mut globals, &flats);
        let (sites, globals) = (sites.into_values().collect(), globals.into_values().collect());
        Ok(Some(Passed { sites, globals, there }))
    };
    let reached = |unrolled: &Unrolled, rows: Rows, work: &mut Work| {
        better(unrolled, rows, None, work).map(Option::unwrap_or_default)
    };
    let mut unrolled = Unrolled::none(&graph);
    let mut rows = Rows::Some;
    let mut found: Passed = reached(&unrolled, rows, work)?;
    let asks = block == Block::Unknown && stated.packet().is_some();
    if asks && found.sites.iter().any(Site::is_open) {
        let mut extra = work.extra();
        let of_one = better(&unrolled, Rows::One, Some(known(&found.sites)), &mut extra);
        work.take(&extra);
        if let Ok(Some(of_one)) = of_one {
            (rows, found) = (Rows::One, of_one);
        }
    }
    let again =
        |one: &Unrolled, least: usize, work: &mut Work| better(one, rows, Some(least), work);
    if let Some(tried) = unroll::tried(&graph, &found.sites, unroll::MOST, work, |_| true, again) {
        (unrolled, found) = tried;
    }
    if matches!(block, Block::Line(_)) {
        found.sites.iter_mut().for_each(|site| site.leave_out_waves(wave));
    }
    if block == Block::Unknown {
        let without = reached(&unrolled, Rows::Unsaid, work)?;
        mark_rows(&mut found.sites, &without.sites);
        mark_rows(&mut found.globals, &without.globals);
    }
    let mut kernel = Kernel {
        compiled_for: target.compiled_for.clone(),
        is_one_row: rows == Rows::One,
        matrix: matrix::all(&code, chip),
        resources: stated.resources,
        ..Kernel::new(&function.name, chip, (wave, block), graph, instructions)
    };
    kernel.take(found);
    kernel.unordered = order::unordered(&kernel, &code);
    Ok(kernel)
}

/// Returns whether an instruction loads or stores by a flat address.
fn is_flat(words: &Words) -> bool {
    words.name.starts_with("flat_") && global::moved(&words.name).is_some()
}

/// Leaves each flat access where it is, by what every wave found of its address: in global memory, in LDS, or not known.
fn told_apart(
    sites: &mut BTreeMap<(usize, usize), Site>,
    globals: &mut BTreeMap<(usize, usize), Global>,
    flats: &BTreeMap<(usize, usize), Vec<Option<Space>>>,
) {
    globals.retain(|key, one| {
        if !one.opcode.starts_with("flat_") {
            return true;
        }
        let spaces = flats.get(key).map_or(&[][..], Vec::as_slice);
        let all = |space| !spaces.is_empty() && spaces.iter().all(|one| *one == Some(space));
        if all(Space::Lds) {
            sites.get_mut(key).into_iter().for_each(|site| site.access = Err(Unjudged::FlatLds));
        }
        let is_global = all(Space::Global);
        if is_global {
            sites.remove(key);
        }
        is_global
    });
}
