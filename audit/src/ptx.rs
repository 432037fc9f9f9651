//! PTX: from text to what each warp does to shared memory.
//!
//! | file | concept |
//! |---|---|
//! | `text` | a statement as guard, mnemonic and operands |
//! | `function` | a kernel's instructions, with its scopes |
//! | `array` | which variable of shared memory an access is in |
//! | `flow` | what an instruction reads, writes and stores |
//! | `program` | a text as kernels, with what directives say of them |
//! | `call` | functions of the same text in the place of calls; `copied` one with names of its own, `handed` what a call passes |
//! | `needed` | the registers that addresses depend on |
//! | `start` | what is known when a warp begins |
//! | `step` | what an instruction does; `integer` those of integers |
//! | `parting` | where lanes part and join |
//! | `run` | what is known at each place of a kernel |
//! | `fragment` | what ptxas makes of loads and stores of matrices by `wmma` |
//! | `join` | accesses that ptxas makes one of |
//! | `generic` | which generic addresses lie in shared memory |
//! | `global` | where an instruction finds its bytes in global memory |
//! | `local` | what is kept in local memory |
//! | `matrix` | which are matrix instructions |
//! | `order` | which instructions order warps |
//! | `row` | the row of an access; `operands` whether it has what its row moves |

mod array;
mod call;
mod copied;
pub(crate) mod flow;
mod fragment;
pub(crate) mod function;
mod generic;
mod global;
mod handed;
mod integer;
mod join;
mod local;
mod matrix;
mod needed;
mod operands;
mod order;
mod parting;
pub(crate) mod program;
mod row;
mod run;
mod start;
mod step;
pub(crate) mod text;

use crate::error::{Error, ErrorKind, INSTRUCTIONS};
use crate::graph::{Bits, Flow, Graph};
use crate::kernel::{
    self, Block, Kernel, MOST, Options, Passed, Reached, Unjudged, Work, known, mark_rows,
};
use crate::place;
use crate::resources::Resources;
use crate::slice::{self, Slice};
use crate::target::{Target, begins};
use crate::unroll::{self, Unrolled};
use crate::verdict::Ruling;
use function::{Function, Instruction};
use local::Local;
use operands::Declared;
use parting::Ways;
use program::{Functions, Text};
use run::{Found, Run};
use start::Start;
use std::collections::BTreeSet;
use text::{Operand, WARP};

/// Returns whether a text looks like PTX.
pub(crate) fn is_it(text: &str) -> bool {
    begins(text, &[".target sm_", ".address_size", ".visible .entry"])
}

/// The kernels of a text.
pub(crate) fn kernels(text: &str, options: &Options) -> Result<Vec<Result<Kernel, Error>>, Error> {
    let facts = Text::read(text);
    if facts.kernels.is_empty() {
        return Err(Error::no_kernel());
    }
    let target = Target::resolve(options, facts.chip.as_deref())?;
    let names: Vec<_> = facts.kernels.iter().map(String::as_str).collect();
    let judge = |one: Function, work: &mut Work| match call::followed(text, &facts, &one) {
        // A function that cannot be read must not cost its kernel the verdict.
        Some(whole) => match kernel(&facts, &whole, &target, work) {
            Err(error) if error.kind() != ErrorKind::Work => {
                kernel(&facts, &one, &target, &mut work.extra())
            }
            found => found,
        },
        None => kernel(&facts, &one, &target, work),
    };
    Ok(Work::default().each(Functions::new(text, MOST), &options.wanted(&names), judge))
}

/// The kernel with an access in a line of the text, and the instructions that lead to its address.
pub(crate) fn slice(text: &str, options: &Options, line: usize) -> Result<Option<Slice>, Error> {
    let facts = Text::read(text);
    let target = Target::resolve(options, facts.chip.as_deref())?;
    let of = |function: Function| {
        let whole = call::followed(text, &facts, &function).unwrap_or(function);
        slice_of(&facts, &whole, &target, line).transpose()
    };
    Functions::new(text, MOST).find_map(of).transpose()
}

/// The same of a kernel.
pub(crate) fn slice_of(
    text: &Text,
    function: &Function,
    target: &Target,
    line: usize,
) -> Result<Option<Slice>, Error> {
    let address = |one: &Instruction| row::address(one).cloned();
    let access = function
        .code
        .iter()
        .enumerate()
        .find_map(|(at, one)| (one.line == line).then(|| Some((at, address(one)?))).flatten());
    let Some((at, address)) = access else { return Ok(None) };
    let mut work = Work::seeing();
    let kernel = kernel(text, function, target, &mut work)?;
    let code = leading(function, at, &address);
    Ok(Some(Slice { kernel, code, seen: work.seen.unwrap_or_default() }))
}

/// The instructions before another one on which an operand of it depends, in the order of the text.
fn leading(function: &Function, at: usize, operand: &Operand) -> Vec<usize> {
    let mut open = Vec::new();
    flow::read(operand, &mut open);
    open.extend(function.code[at].guard.map(|guard| guard.predicate));
    slice::leading(at, open.into_iter().collect(), |before, open: &mut BTreeSet<usize>| {
        let one = &function.code[before];
        let writes = flow::destinations(one);
        let is_one = writes.iter().any(|register| open.contains(register));
        // Under a guard the register may be what it was before.
        if is_one && one.guard.is_none() {
            open.retain(|register| !writes.contains(register));
        }
        open.extend(flow::sources(one).into_iter().filter(|_| is_one));
        is_one
    })
}

/// The names of the kernels of a text.
pub(crate) fn names(text: &str) -> Vec<String> {
    Text::read(text).kernels
}

/// A kernel with its accesses.
pub(crate) fn kernel(
    text: &Text,
    function: &Function,
    target: &Target,
    work: &mut Work,
) -> Result<Kernel, Error> {
    let told = generic::told(function);
    let function = told.as_ref().unwrap_or(function);
    let code = &function.code;
    let graph = graph_of(function)?;
    let block = Block::new(target.block, function.required, function.most);
    let ways = Ways::new(&graph);
    let places = place::named(code.iter().map(|one| one.loc.as_ref()), &text.files);
    let instructions = code.iter().map(|one| one.line).zip(places).collect();
    let declared = Resources { lds: array::declared(function, text), ..Resources::default() };
    let (shape, chip) = ((WARP, block), target.chip);
    let mut kernel = Kernel {
        compiled_for: target.compiled_for.clone(),
        matrix: matrix::all(code, chip),
        resources: function.resources.or(declared),
        ..Kernel::new(&function.name, chip, shape, graph.clone(), instructions)
    };
    let plain = Unrolled::none(&graph);
    let can_copy = |one: &Bits| ways.meet_in_a_round(one);
    let mut taken = Taken { rows: Rows::One, with_data: false };
    kernel.take(reached(text, function, &ways, &kernel, taken, work)?);
    let mut unrolled = None;
    for rows in [Rows::One, Rows::Each] {
        if rows == Rows::Each {
            if block != Block::Unknown || kernel.sites.iter().all(|site| !site.is_open()) {
                break;
            }
            let all = Taken { rows, ..taken };
            let ways = Ways::new(&unrolled.as_ref().unwrap_or(&plain).graph);
            let mut extra = work.extra();
            let least = Some(known(&kernel.sites));
            let found = better(text, function, &ways, &kernel, all, least, &mut extra);
            work.take(&extra);
            let Ok(Some(found)) = found else { break };
            let there = unrolled.as_ref().unwrap_or(&plain).originals(&found.there);
            kernel.take(Passed { there, ..found });
            taken = all;
        }
        let again = |one: &Unrolled, least: usize, work: &mut Work| {
            let ways = Ways::new(&one.graph);
            better(text, function, &ways, &kernel, taken, Some(least), work)
        };
        // 32 warps take as long as as many copies.
        let most = if rows == Rows::Each { unroll::MOST / 8 } else { unroll::MOST };
        let tried = unroll::tried(&graph, &kernel.sites, most, work, can_copy, again);
        if let Some((one, found)) = tried {
            unrolled = Some(one);
            kernel.take(found);
        }
    }
    let ways = unrolled.as_ref().map_or(ways, |one| Ways::new(&one.graph));
    // A better layout is looked for only where lanes wait for each other.
    let waits = |one: &Ruling| matches!(one, Ruling::Judged(verdict) if verdict.degree > 1);
    let within = |kernel: &Kernel, work: &Work| {
        let placed = array::at_zero(text);
        let found = reached(&placed, function, &ways, kernel, taken, &mut work.extra());
        let at_zero = found.map_or_else(|_| kernel.sites.clone(), |found| found.sites);
        array::within(function, text, &kernel.sites, &at_zero)
    };
    let rulings = kernel.rulings();
    if !text.symbols.is_empty() && rulings.iter().any(waits) {
        kernel.within = within(&kernel, work);
        kernel.arrays = array::all(text);
    }
    if let Some(together) = order::together(&kernel, function) {
        let within = match kernel.within.is_empty() && !text.symbols.is_empty() {
            true => within(&kernel, work),
            false => kernel.within.clone(),
        };
        kernel.unordered = order::unordered(&kernel, &array::all(text), &within, &together);
    }
    // What is stored matters only where two lanes store to one byte.
    let races = |one: &Ruling| matches!(one, Ruling::Judged(verdict) if verdict.race.is_some());
    if rulings.iter().any(races) {
        let with_data = Taken { with_data: true, ..taken };
        kernel.sites = reached(text, function, &ways, &kernel, with_data, work)?.sites;
    }
    if block == Block::Unknown {
        let without = Taken { rows: Rows::Unsaid, with_data: false };
        let found = reached(text, function, &ways, &kernel, without, work)?;
        mark_rows(&mut kernel.sites, &found.sites);
        mark_rows(&mut kernel.globals, &found.globals);
    }
    if !function.is_translated && !kernel.within.is_empty() {
        join::join(&mut kernel, function, text);
    }
    Ok(kernel)
}

/// The assumption about a block whose shape is not stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// None: a warp may span several rows.
    Unsaid,
    /// A warp is in one row, at any place of it.
    One,
    /// The warps of a row are gone through one by one, of as many as the longest row has.
    Each,
}

/// The assumptions of one pass through a kernel, and whether it follows stored values.
#[derive(Clone, Copy, Debug)]
struct Taken {
    rows: Rows,
    with_data: bool,
}

/// Lanes of the longest row.
const ROW: u32 = 1024;

/// Passes through a kernel once.
fn reached(
    text: &Text,
    function: &Function,
    ways: &Ways<'_>,
    kernel: &Kernel,
    taken: Taken,
    work: &mut Work,
) -> Result<Passed, Error> {
    better(text, function, ways, kernel, taken, None, work).map(Option::unwrap_or_default)
}

/// Passes through a kernel once, as long as more than `least` of its accesses may be known in all warps.
fn better(
    text: &Text,
    function: &Function,
    ways: &Ways<'_>,
    kernel: &Kernel,
    Taken { rows, with_data }: Taken,
    least: Option<usize>,
    work: &mut Work,
) -> Result<Option<Passed>, Error> {
    let declared = Declared { function, symbols: &text.symbols, variables: &text.variables };
    let local = Local::new(function);
    let pointers = generic::shared(function);
    let row = |at: usize| {
        let one = Some(&function.code[at]).filter(|_| !local.is_at(at))?;
        let access = row::find(one, generic::is_by(&pointers, one), kernel.chip)?;
        let misread = || declared.misread(one).filter(|_| !function.is_translated);
        let access = access.and_then(|row| match misread() {
            Some(why) => Err(Unjudged::Unread { why, text: one.text.clone() }),
            None => Ok(row),
        });
        Some((row::named(one, function.is_translated), access))
    };
    let moved = |at: usize| {
        let (one, is_translated) = (&function.code[at], function.is_translated);
        Some((row::named(one, is_translated), global::moved(one, is_translated)?))
    };
    let (graph, instructions) = (&kernel.graph, &kernel.instructions);
    let mut sites = kernel::sites(graph, instructions, |at| vec![row(at)]);
    let mut globals = kernel::sites(graph, instructions, |at| vec![moved(at)]);
    let needed = needed::needed(function, &local, with_data);
    // No variable is aligned more than the window it lies in.
    let alignment = text.symbols.values().copied().max().unwrap_or(0).max(4);
    let (shape, lanes) = match (kernel.block, rows) {
        (Block::Unknown, Rows::Each) => (Some([ROW, 1, 1]), ROW),
        (block, _) => (block.shape(), block.lanes().unwrap_or(WARP as u32)),
    };
    let lanes = lanes as usize;
    let mut there = Vec::new();
    for number in 0..lanes.div_ceil(WARP) {
        let start = Start {
            function,
            number,
            block: shape,
            stated: matches!(kernel.block, Block::Stated(_)),
            in_rows: rows != Rows::Unsaid,
            whole_rows: kernel.block == Block::Unknown && rows != Rows::Unsaid,
            symbols: &text.symbols,
            alignment,
            local: &local,
            needed: &needed,
        };
        let live = lanes.saturating_sub(number * WARP).min(WARP);
        let all = u64::from(u32::MAX) >> (WARP - live);
        let mut run = Run::new(ways, &start, all);
        for Found { at, is_global, address, on, stored } in run.accesses(work)? {
            let one = Reached { wave: number, address, on, stored };
            if is_global {
                globals.get_mut(&(at, 0)).into_iter().for_each(|site| site.reach(one.clone()));
            } else if let Some(site) = sites.get_mut(&(at, 0)) {
                site.reach(one);
            }
        }
        there.push(run.there);
        if least.is_some_and(|least| known(sites.values()) <= least) {
            return Ok(None);
        }
    }
    let (sites, globals) = (sites.into_values().collect(), globals.into_values().collect());
    Ok(Some(Passed { sites, globals, there }))
}

fn graph_of(function: &Function) -> Result<Graph, Error> {
    let (code, kernel) = (&function.code, function.name.as_str());
    if function.left_out > 0 {
        let instructions = MOST + function.left_out;
        return Err(Error::too_many(kernel, instructions, INSTRUCTIONS, MOST));
    }
    if !function.is_whole {
        return Err(Error::cut(kernel));
    }
    if let Some(one) = code.iter().find(|one| flow::writes_nothing(one)) {
        let (name, line) = (&one.name, one.line);
        let why = format!("{name} in line {line} names no declared register to write");
        return Err(Error::incomplete(kernel, &why));
    }
    let flow = |one: &Instruction| {
        let target = || match one.target {
            // To the end of the kernel.
            Some(target) => Ok(target),
            None => Err(Error::target(kernel, one.line)),
        };
        Ok(match (one.name.split('.').next().unwrap_or(""), one.guard) {
            ("bra", None) => Flow::Jump(target()?),
            ("bra" | "brx", _) => Flow::Branch(target()?),
            // Lanes that end are lanes that branch to the end.
            ("ret" | "exit" | "trap", Some(_)) => Flow::Branch(code.len() - 1),
            ("ret" | "exit" | "trap", None) => Flow::End,
            _ => Flow::Next,
        })
    };
    let flows: Vec<_> = code.iter().map(flow).collect::<Result<_, _>>()?;
    kernel::graph(kernel, &flows)
}
