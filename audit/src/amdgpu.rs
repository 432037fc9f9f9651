//! AMDGPU assembly: from text to what each wave does to LDS.
//!
//! | file | concept |
//! |---|---|
//! | `assembler` | macros, symbols, repetitions and conditions as plain lines |
//! | `text` | a line as mnemonic, operands and modifiers |
//! | `function` | the instructions of a function |
//! | `metadata` | what a text states of a kernel, and the YAML that states it |
//! | `program` | a text as functions, with what directives say of them |
//! | `jumps` | where jumps by a register go, and what calls write |
//! | `mask` | sets of lanes, known or named |
//! | `state` | registers under masks |
//! | `pointer` | which registers hold pointers, and to what memory |
//! | `global` | where an instruction finds its bytes in global memory |
//! | `matrix` | which are matrix instructions |
//! | `order` | which instructions order waves |
//! | `operands` | whether an instruction on LDS has the operands of its row |
//! | `wave` | what an instruction does; `vector`, `scalar` |

mod assembler;
mod function;
mod global;
mod jumps;
mod mask;
mod matrix;
mod metadata;
mod operands;
mod order;
mod pointer;
mod program;
mod state;
mod text;
mod wave;

use crate::error::{BLOCKS, Error, ErrorKind, INSTRUCTIONS};
use crate::graph::{Bits, Flow, Graph, settle};
use crate::kernel::{
    Block, Global, Kernel, Options, Passed, Reached, Row, Site, Unjudged, Work, known, mark_rows,
};
use crate::slice::{self, Slice};
use crate::target::Target;
use crate::unroll::{self, Unrolled};
use function::{Function, Instruction};
use metadata::Stated;
use pointer::Space;
use program::{Functions, Text};
use state::State;
use std::collections::{BTreeMap, BTreeSet};
use text::{Half, Operand, Words};
use tiledesc::chip::Chip;
use wave::{Found, Memory, Start, lds_address, step};

/// Returns whether a text looks like AMDGPU assembly.
pub(crate) fn is_it(text: &str) -> bool {
    let mut lines = text.lines().take(100_000);
    lines.any(|line| {
        let line = line.trim_start();
        line.starts_with(".amdgcn_target")
            || line.starts_with(".amdgpu_metadata")
            || line.contains("elf64-amdgpu")
            || line.starts_with("s_endpgm")
            || line.starts_with("s_waitcnt")
    })
}

/// The kernels of a text.
pub(crate) fn kernels(text: &str, options: &Options) -> Result<Vec<Result<Kernel, Error>>, Error> {
    let facts = Text::read(text, &options.symbols);
    if let Some((line, why)) = &facts.fault {
        return Err(Error::new(ErrorKind::Incomplete, format!("line {line}: {why}")));
    }
    if facts.functions.is_empty() {
        // Mesa, `src/amd/compiler/aco_print_asm.cpp`: the blocks of a shader are BB0, BB1 and so on, and nothing more.
        let is_dump = text.lines().any(|line| line.trim_end() == "BB0:");
        return Err(if is_dump { shader_dump() } else { Error::no_kernel() });
    }
    let target = Target::resolve(options.chip.as_deref(), facts.chip.as_deref())?;
    let names: Vec<_> = facts.kernels().collect();
    let kernels =
        Functions::new(text, &options.symbols, MOST).filter(|one| facts.is_kernel(&one.name));
    let judge = |one: Function, work: &mut Work| kernel(&facts, &one, &target, options, work);
    Ok(Work::default().each(kernels, &options.wanted(&names), judge))
}

/// The kernel with an access in a line of the text, and the instructions that lead to its address.
pub(crate) fn slice(text: &str, options: &Options, line: usize) -> Result<Option<Slice>, Error> {
    let facts = Text::read(text, &options.symbols);
    let target = Target::resolve(options.chip.as_deref(), facts.chip.as_deref())?;
    for function in
        Functions::new(text, &options.symbols, MOST).filter(|one| facts.is_kernel(&one.name))
    {
        let is_it = |one: &Instruction| {
            one.line == line && one.words.iter().any(|words| lds_address(words).is_some())
        };
        let Some(at) = function.code.iter().position(is_it) else { continue };
        let mut work = Work::seeing();
        let kernel = kernel(&facts, &function, &target, options, &mut work)?;
        let code = leading(&function.code, at);
        return Ok(Some(Slice { kernel, code, seen: work.seen.unwrap_or_default() }));
    }
    Ok(None)
}

/// The instructions before an access on which its address depends, in the order of the text.
fn leading(code: &[Instruction], at: usize) -> Vec<usize> {
    let registers = |operand: &Operand| match operand {
        Operand::Register(one) => {
            (one.first..one.first + one.count).map(|number| (one.file as u8, number)).collect()
        }
        _ => Vec::new(),
    };
    let addresses = code[at].words.iter().filter_map(lds_address);
    let open: BTreeSet<(u8, usize)> = addresses.flat_map(registers).collect();
    slice::leading(at, open, |before, open| {
        let step = |words: &Words| {
            let writes = wave::destination(words).map(registers).unwrap_or_default();
            let is_one = writes.iter().any(|register| open.contains(register));
            if is_one {
                open.retain(|register| !writes.contains(register));
                open.extend(words.operands.iter().skip(1).flat_map(registers));
            }
            is_one
        };
        code[before].words.iter().map(step).fold(false, |any, one| any | one)
    })
}

/// The names of the kernels of a text.
pub(crate) fn names(text: &str) -> Vec<String> {
    Text::read(text, &[]).kernels().map(str::to_string).collect()
}

/// Chips whose `v0` has x, y and z in 10 bits each (LLVM, "User Guide for AMDGPU Backend", initial kernel execution
/// state: packed work-item ids).
fn is_packed(chip: &Chip) -> bool {
    !matches!(chip.product(), "gfx906" | "gfx908" | "gfx1030")
}

fn kernel(
    text: &Text,
    function: &Function,
    target: &Target,
    options: &Options,
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
    // The program says how many lanes its waves have. Rows of other waves judge nothing: see `row_of`.
    let chip = chip.in_waves_of(wave as u32).unwrap_or(chip);
    let block = Block::new(options, stated.required, stated.lanes);
    let lanes = block.lanes().unwrap_or(wave as u32);
    let code = whole_words(function, wave);
    let graph = graph_of(&function.name, &code)?;
    let follows = code.iter().flat_map(|one| &one.words).any(is_flat);
    // As long as more than `least` accesses may be known in all waves.
    let better = |unrolled: &Unrolled, rows: Rows, least: Option<usize>, work: &mut Work| {
        let mut sites = sites(&code, &graph, |words| row_of(words, chip, wave));
        let by_buffer = scratch_by_buffer(chip);
        let global = |words: &Words| {
            global::place(words, false, by_buffer).and_then(|_| global::moved(&words.name))
        };
        let mut globals = self::sites(&code, &graph, global);
        let mut flats = BTreeMap::new();
        let mut there = Vec::new();
        for number in 0..(lanes as usize).div_ceil(wave) {
            let start = Start {
                wave,
                number,
                block: block.shape(),
                stated: matches!(block, Block::Stated(_)),
                in_rows: rows != Rows::Unsaid,
                packed: is_packed(chip),
                wants_all: stated.items != Some(0),
                ttmp8: chip.name().starts_with("gfx12"),
                scratch_by_buffer: by_buffer,
                packet: stated.packet(),
                sizes: sizes(block, rows),
                follows,
                pointer: stated.pointer(),
                arguments: &stated.arguments,
                symbols: &text.symbols,
            };
            let (all, blocks) = accesses(&function.name, &code, unrolled, &start, work)?;
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
    let instructions = code.iter().map(|one| (one.line, one.place.clone())).collect();
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

/// The assumption about a block whose shape is not stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// None: a wave may span several rows.
    Unsaid,
    /// A wave is in one row, of any number of rows.
    Some,
    /// There is only that row, of whole waves.
    One,
}

/// x, y and z of a block as the launch has them, as far as they are known.
fn sizes(block: Block, rows: Rows) -> [Option<u32>; 3] {
    match block {
        Block::Stated(sizes) => sizes.map(Some),
        Block::Line(_) => [None, Some(1), Some(1)],
        Block::Unknown if rows == Rows::One => [None, Some(1), Some(1)],
        Block::Unknown => [None; 3],
    }
}

/// Returns whether buffer instructions reach scratch memory.
fn scratch_by_buffer(chip: &Chip) -> bool {
    matches!(chip.product(), "gfx906" | "gfx908" | "gfx90a" | "gfx1030")
}

/// The code of a wave of this size: there `exec_lo` is all of `exec`, and where each half of it gets a number, all gets one.
fn whole_words(function: &Function, wave: usize) -> Vec<Instruction> {
    let mut code = function.code.clone();
    if wave == 32 {
        let operands =
            code.iter_mut().flat_map(|one| &mut one.words).flat_map(|words| &mut words.operands);
        operands
            .filter(|one| matches!(one, Operand::ExecHalf(_)))
            .for_each(|one| *one = Operand::Exec);
        return code;
    }
    let targets: BTreeSet<_> = code.iter().filter_map(|one| one.target).collect();
    for at in 1..code.len() {
        let halves = [half_of_lanes(&code[at - 1]), half_of_lanes(&code[at])];
        let all = match halves {
            [Some((Half::Low, low)), Some((Half::High, high))]
            | [Some((Half::High, high)), Some((Half::Low, low))] => {
                u64::from(high) << 32 | u64::from(low)
            }
            _ => continue,
        };
        // Whoever jumps between the two has the second half alone.
        if !targets.contains(&at) {
            code[at].words = Words::of_line(&format!("s_mov_b64 exec, {all:#x}"));
        }
    }
    code
}

/// `s_mov_b32 exec_lo, -1`: which half of the lanes, and the number that names them.
fn half_of_lanes(one: &Instruction) -> Option<(Half, u32)> {
    let [words] = &one.words[..] else { return None };
    match (words.name.as_str(), &words.operands[..]) {
        ("s_mov_b32", [Operand::ExecHalf(half), Operand::Number(lanes)]) => {
            Some((*half, *lanes as u32))
        }
        _ => None,
    }
}

/// Instructions and blocks of a kernel that are judged at most: each block keeps registers.
const MOST: usize = 200_000;
const MOST_BLOCKS: usize = 10_000;

/// The error of a shader dump of Mesa's RADV: blocks without directives.
fn shader_dump() -> Error {
    let sentence = "a shader dump of Mesa's RADV is not read: it does not say what the registers hold when the shader begins";
    Error::new(ErrorKind::Incomplete, sentence)
}

fn graph_of(name: &str, code: &[Instruction]) -> Result<Graph, Error> {
    let flow = |one: &Instruction| {
        let word = one.words[0].name.as_str();
        let target = || one.target.ok_or_else(|| Error::target(name, one.line));
        Ok(match word {
            "s_branch" => Flow::Jump(target()?),
            _ if word.starts_with("s_cbranch_") => Flow::Branch(target()?),
            _ if word.starts_with("s_setpc") => one.target.map_or(Flow::End, Flow::Jump),
            _ if word.starts_with("s_endpgm") => Flow::End,
            _ => Flow::Next,
        })
    };
    let flows: Vec<_> = code.iter().map(flow).collect::<Result<_, _>>()?;
    if let Some(error) = unread(name, code, &flows) {
        return Err(error);
    }
    // Padding after the end is code, too.
    let ends =
        matches!(flows.last(), Some(Flow::End | Flow::Jump(_))) || flows.contains(&Flow::End);
    if !ends {
        return Err(Error::cut(name));
    }
    let too_many = |blocks| Error::too_many(name, blocks, BLOCKS, MOST_BLOCKS);
    Graph::new(&flows, MOST_BLOCKS).map_err(too_many)
}

/// The error of code that the text does not say, of what the kernel can reach: a jump by a register, an encoded instruction, or a
/// macro of another file. A function that was called goes back by `s[30:31]` (LLVM, "User Guide for AMDGPU Backend", calling
/// convention).
fn unread(name: &str, code: &[Instruction], flows: &[Flow]) -> Option<Error> {
    let (mut open, mut seen) = (vec![0], vec![false; code.len()]);
    let goes_back = !code.iter().any(|one| jumps::address(one).is_some_and(|one| one.first == 30));
    while let Some(at) = open.pop() {
        let (Some(flow), Some(false)) = (flows.get(at), seen.get(at)) else { continue };
        seen[at] = true;
        let (word, line) = (code[at].words[0].name.as_str(), code[at].line);
        if word.starts_with('.') {
            let why = format!(
                "`{word}` in line {line} is code that is not read: assemble the text, and give the code object"
            );
            return Some(Error::incomplete(name, &why));
        }
        match flow {
            Flow::End
                if jumps::jump(&code[at]).is_some_and(|one| one.first != 30 || !goes_back) =>
            {
                let why = format!("where the jump in line {line} goes is not in the text");
                return Some(Error::incomplete(name, &why));
            }
            Flow::End => {}
            Flow::Next => open.push(at + 1),
            Flow::Jump(target) => open.push(*target),
            Flow::Branch(target) => open.extend([*target, at + 1]),
        }
    }
    None
}

/// The instructions of which `access` says how they access memory.
fn sites<A>(
    code: &[Instruction],
    graph: &Graph,
    access: impl Fn(&Words) -> Option<A>,
) -> BTreeMap<(usize, usize), Site<A>> {
    let mut sites = BTreeMap::new();
    for (block, range) in graph.blocks.iter().enumerate() {
        for at in range.clone() {
            for (part, words) in code[at].words.iter().enumerate() {
                let Some(access) = access(words) else { continue };
                let site = Site {
                    opcode: words.name.clone(),
                    line: code[at].line,
                    place: code[at].place.clone(),
                    loops: graph.depth[block],
                    access,
                    reached: Vec::new(),
                    in_rows: false,
                    at,
                };
                sites.insert((at, part), site);
            }
        }
    }
    sites
}

/// The row of an instruction on LDS with its immediates, or why it has none.
fn row_of(words: &Words, chip: &Chip, wave: usize) -> Option<Result<Row, Unjudged>> {
    let name = words.name.as_str();
    if name.contains("_load_lds")
        || words.modifier("lds").is_some()
        || name.contains("_load_async_to_lds")
    {
        return Some(Err(Unjudged::Direct));
    }
    if name.starts_with("flat_") && !name.contains("prefetch") {
        return Some(Err(Unjudged::Flat));
    }
    if name.starts_with("s_swappc") || name.starts_with("s_call") {
        return Some(Err(Unjudged::Call));
    }
    let rest = name.strip_prefix("ds_")?;
    if rest.starts_with("nop") || rest.starts_with("gws") {
        return None;
    }
    if ["bpermute", "permute", "swizzle"].iter().any(|one| rest.starts_with(one)) {
        return Some(Err(Unjudged::Permute));
    }
    let unread = |why| Some(Err(Unjudged::Unread { why, text: words.text.clone() }));
    if !operands::exists(name) {
        return unread("there is no such instruction".to_string());
    }
    if words.modifier("gds").is_some() {
        return Some(Err(Unjudged::NoRow));
    }
    let Ok(row) = chip.instruction(name) else {
        let is_access = ["read", "load", "write", "store_"].iter().any(|one| rest.starts_with(one));
        return Some(Err(if is_access { Unjudged::NoRow } else { Unjudged::Atomic }));
    };
    if let Some(why) = operands::misread(words, row, chip) {
        return unread(why);
    }
    if chip.wave() as usize != wave {
        return Some(Err(Unjudged::Wave { wave, rows: chip.wave() as usize }));
    }
    let number = |name: &str| words.offset(name).and_then(|offset| u32::try_from(offset).ok());
    let pair = row.parts() == 2
        || name.contains("2addr")
        || name.contains("read2")
        || name.contains("write2");
    let row = if pair {
        match (number("offset0"), number("offset1")) {
            (Some(first @ 0..256), Some(second @ 0..256)) => {
                Row { row: row.offsets(first as u8, second as u8), offset: 0, times: 1, joined: 1 }
            }
            _ => return Some(Err(Unjudged::Offset)),
        }
    } else {
        match number("offset") {
            Some(offset) => Row { row: *row, offset, times: 1, joined: 1 },
            None => return Some(Err(Unjudged::Offset)),
        }
    };
    Some(Ok(row))
}

/// The most values that the states of all blocks hold together, and the number that is brought together in the time of
/// an instruction.
const PLACES: usize = 20_000_000;
const PLACES_A_STEP: usize = 8;

/// The accesses of one wave to LDS, and the blocks that it may get to.
fn accesses(
    name: &str,
    code: &[Instruction],
    unrolled: &Unrolled,
    start: &Start<'_>,
    work: &mut Work,
) -> Result<(Vec<Found>, Bits), Error> {
    let graph = &unrolled.graph;
    let names = Names::new(code, unrolled);
    // What was found when each block was gone through the last time: then it began as it does in the end.
    let mut of_block: Vec<Vec<Found>> = vec![Vec::new(); graph.blocks.len()];
    let through = |block: usize, state: &mut State| {
        let mut steps = 0;
        of_block[block].clear();
        for at in graph.blocks[block].clone() {
            let on = state.exec();
            step(start, state, names.of_step(block, at), &code[at], &mut of_block[block]);
            // A register is written under each mask, and a new mask has registers of its own.
            let copied = if state.exec() == on { 0 } else { state.places() / PLACES_A_STEP };
            steps += state.depth() + copied;
        }
        state.prune();
        work.spend(name, steps + state.places() / PLACES_A_STEP)?;
        Ok(ways(code, graph, block, state))
    };
    let mut places = 0;
    let meet = |[_, to]: [usize; 2], known: &mut Option<State>, state: &State| {
        let Some(known) = known else {
            places += state.places();
            *known = Some(state.clone());
            let too_large = || Error::too_large(name, "too many blocks hold too many registers");
            return if places > PLACES { Err(too_large()) } else { Ok(true) };
        };
        let old = known.clone();
        known.join(state, names.of_block(to), graph.blocks[to].start);
        Ok(*known != old)
    };
    let mut before = vec![None; graph.blocks.len()];
    before[0] = Some(start.state());
    let before = settle(&graph.order, before, through, meet)?;
    let is_there = |block: &usize| before[*block].is_some();
    let there =
        Bits::from_numbers((0..before.len()).filter(is_there).map(|block| unrolled.origin[block]));
    let mut found = of_block.concat();
    for one in &mut found {
        one.at = names.instruction(one.at);
        for value in one.stored.iter_mut().chain([&mut one.address]) {
            value.place_reason(|at| names.instruction(at));
        }
    }
    if work.seen.is_some() {
        see(code, graph, start, &names, before, work);
    }
    Ok((found, there))
}

/// Notes what each instruction writes, for somebody who asks.
fn see(
    code: &[Instruction],
    graph: &Graph,
    start: &Start<'_>,
    names: &Names,
    before: Vec<Option<State>>,
    work: &mut Work,
) {
    for (block, state) in before.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        for at in graph.blocks[block].clone() {
            step(start, &mut state, names.of_step(block, at), &code[at], &mut Vec::new());
            work.see(at, || {
                let mut value = wave::written(&code[at].words[0], &state)?;
                value.place_reason(|at| names.instruction(at));
                Some(value)
            });
        }
    }
}

/// The names of sets of lanes: that of an instruction that makes one is its index, and a copy of it has another.
struct Names {
    /// Instructions, and then blocks.
    instructions: usize,
    all: usize,
    /// Which copy each block is.
    copies: Vec<usize>,
}

impl Names {
    fn new(code: &[Instruction], unrolled: &Unrolled) -> Self {
        let blocks = unrolled.origin.len();
        let mut many = vec![0; blocks];
        let copies = unrolled.origin.iter().map(|origin| {
            many[*origin] += 1;
            many[*origin] - 1
        });
        let copies = copies.collect();
        Self { instructions: code.len(), all: code.len() + blocks, copies }
    }

    fn of_step(&self, block: usize, at: usize) -> usize {
        self.copies[block] * self.all + at
    }

    fn of_block(&self, block: usize) -> usize {
        self.instructions + block
    }

    fn instruction(&self, name: usize) -> usize {
        name % self.all
    }
}

/// The blocks after one: a branch whose condition is known goes one way.
fn ways(code: &[Instruction], graph: &Graph, block: usize, state: &State) -> Vec<usize> {
    let [next, jump] = graph.after[block];
    let last = &code[graph.blocks[block].end - 1].words[0].name;
    let taken = match last.as_str() {
        "s_cbranch_scc0" => state.scc.map(|scc| !scc),
        "s_cbranch_scc1" => state.scc,
        "s_cbranch_execz" => state.exec().lanes().map(|lanes| lanes == 0),
        "s_cbranch_execnz" => state.exec().lanes().map(|lanes| lanes != 0),
        "s_cbranch_vccz" => state.vcc().map(|lanes| lanes == 0),
        "s_cbranch_vccnz" => state.vcc().map(|lanes| lanes != 0),
        _ => None,
    };
    match (taken, jump) {
        (Some(true), Some(_)) => jump.into_iter().collect(),
        (Some(false), _) => next.into_iter().collect(),
        _ => [next, jump].into_iter().flatten().collect(),
    }
}
