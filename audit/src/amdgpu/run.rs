//! What one wave does: its states block by block, and the accesses on its way.
//!
//! ```text
//!   L: ds_read_b32 v2, v1          the first time v1 is 4 lane, the second 4 lane + 256: at L it is u + 4 lane, and
//!      v_add_u32 v1, 0x100, v1     what was found the last time that the block was gone through holds in every round
//!      s_cbranch_scc1 L
//! ```

use super::flow;
use super::function::Instruction;
use super::start::Start;
use super::state::State;
use super::wave::{self, Found, step};
use crate::error::Error;
use crate::graph::{Bits, Graph, settle};
use crate::kernel::{PLACES, PLACES_A_STEP, Work};
use crate::unroll::Unrolled;

/// The accesses of one wave to LDS, and the blocks that it may get to.
pub(super) fn accesses(
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
        Ok(flow::ways(code, graph, block, state))
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
