//! What is known at each place of a kernel, for one warp.
//!
//! What each block leaves behind is kept; where blocks meet, their states are brought together anew:
//!
//! | a register | where paths meet |
//! |---|---|
//! | all lanes came the same way | [`Value::join`]: u takes up the difference |
//! | each lane may bring its own, and the lanes of each way are known | lane by lane |
//! | .. are not known | equal, or unknown |

use super::flow::{data, element};
use super::fragment::{self, Fragment};
use super::function::{Instruction, Kind};
use super::local::Touch;
use super::parting::{Parting, Ways};
use super::start::Start;
use super::step::{State, Step};
use super::text::{Name, Operand, WARP};
use crate::error::{BLOCKS, Error};
use crate::graph::Bits;
use crate::kernel::{PLACES, PLACES_A_STEP, Work};
use crate::pages::Pages;
use crate::value::{Reason, Value, Why};
use std::collections::BTreeSet;

/// An access, as it is found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) at: usize,
    /// Whether it is of global memory.
    pub(crate) is_global: bool,
    pub(crate) address: Value,
    pub(crate) on: Option<u64>,
    /// What is stored, in numbers of 32 bits, if that is followed.
    pub(crate) stored: Vec<Value>,
}

/// One warp.
pub(crate) struct Run<'r> {
    ways: &'r Ways<'r>,
    start: &'r Start<'r>,
    /// The registers that each block writes, by their slots.
    written: Vec<Bits>,
    /// Branches at which lanes part.
    apart: Bits,
    parting: Parting,
    /// The lanes that go from one block to another, where they are known.
    edges: Vec<[Option<u64>; 2]>,
    /// The lanes that are on in each block.
    on: Vec<Option<u64>>,
    all: u64,
    /// Whether lanes part where some of them end.
    are_fewer: bool,
    /// The state in which each block began the last time, and what it left behind: the same follows from the same.
    done: Vec<Option<(State, Left)>>,
    /// The blocks that it may get to.
    pub(crate) there: Bits,
}

/// The state that a block leaves behind, and whether it goes on to the next one, and to where it jumps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Left {
    state: State,
    goes: [bool; 2],
    /// The condition of the branch.
    bit: Value,
}

impl<'r> Run<'r> {
    pub(crate) fn new(ways: &'r Ways<'r>, start: &'r Start<'r>, all: u64) -> Self {
        let needed = start.needed;
        let blocks = ways.graph.blocks.len();
        let mut written = vec![Bits::default(); blocks];
        for (block, range) in ways.graph.blocks.iter().enumerate() {
            for at in range.clone().filter(|at| needed.code[*at]) {
                for slot in local_slots(start, at) {
                    written[block].insert(slot);
                }
                for register in &needed.writes[at] {
                    let slot = needed.slots[*register];
                    if slot != usize::MAX {
                        written[block].insert(slot);
                        if start.function.registers[*register] == Kind::Bits64 {
                            written[block].insert(slot + 1);
                        }
                    }
                }
            }
        }
        let (apart, parting) = (Bits::default(), Parting::default());
        let (edges, on) = (vec![[None; 2]; blocks], vec![None; blocks]);
        Self {
            ways,
            start,
            written,
            apart,
            parting,
            edges,
            on,
            all,
            are_fewer: false,
            done: vec![None; blocks],
            there: Bits::default(),
        }
    }

    /// The accesses of the warp to shared memory.
    pub(crate) fn accesses(&mut self, work: &mut Work) -> Result<Vec<Found>, Error> {
        let mut left = self.settle(work)?;
        // Who parts where is known from the values, and decides over values.
        while self.parts(&left) {
            left = self.settle(work)?;
        }
        self.lanes(&left);
        if self.apart.iter().next().is_some() {
            // Once more, with the lanes of each way.
            left = self.settle(work)?;
            self.lanes(&left);
        }
        let mut found = Vec::new();
        for block in &self.ways.graph.order {
            let Some(mut state) = self.begin(*block, &left) else { continue };
            self.there.insert(*block);
            let range = self.ways.graph.blocks[*block].clone();
            let is_access =
                |at: &usize| self.start.needed.addresses[*at].iter().any(Option::is_some);
            // What follows the last access matters only where somebody asks.
            let end = match work.seen {
                Some(_) => range.end,
                None => range.clone().rev().find(is_access).map_or(range.start, |at| at + 1),
            };
            for at in range.start..end {
                self.found(at, *block, &mut state, &mut found);
                if work.seen.is_some() {
                    work.see(at, || self.written_at(at, &mut state));
                }
            }
        }
        Ok(found)
    }

    /// The value that an instruction has written, the lower half of 64 bits, of the registers that are followed.
    fn written_at(&self, at: usize, state: &mut State) -> Option<Value> {
        let register =
            self.start.needed.writes[at].first().copied().filter(|_| self.start.needed.code[at])?;
        if self.start.needed.slots[register] == usize::MAX {
            return None;
        }
        let step = self.step(state, at);
        let [value, _] = step.operand(&Operand::Name(Name::Register(register)));
        Some(value)
    }

    fn found(&self, at: usize, block: usize, state: &mut State, found: &mut Vec<Found>) {
        let one = &self.start.function.code[at];
        let mut step = self.step(state, at);
        let [shared, global] = self.start.needed.addresses[at];
        if let Some(address) = shared {
            let [address, _] = step.operand(address);
            let address = match Fragment::from_instruction(one) {
                Some(of) => {
                    let stride = fragment::stride(one).map(|one| step.operand(one)[0].clone());
                    of.address(address, stride, at)
                }
                None => address,
            };
            let stored = if self.start.needed.with_data { stored(&step, one) } else { Vec::new() };
            let stored = stored.into_iter().map(|value| self.kept(value)).collect();
            let (on, address) = (self.on_at(one, block, &step), self.kept(address));
            found.push(Found { at, is_global: false, address, on, stored });
        }
        if let Some(address) = global {
            let [address, _] = step.operand(address);
            let (on, address) = (self.on_at(one, block, &step), self.kept(address));
            found.push(Found { at, is_global: true, address, on, stored: Vec::new() });
        }
        if self.start.needed.code[at] {
            step.instruction(one);
        }
    }

    /// The lanes that do an instruction, if they are known.
    fn on_at(&self, one: &Instruction, block: usize, step: &Step<'_, '_>) -> Option<u64> {
        let Some(guard) = one.guard else { return self.on[block] };
        let bits = step.guard(guard).known().map(|bits| bits.set(WARP));
        self.on[block].zip(bits).map(|(on, bits)| on & bits)
    }

    fn step<'s>(&'s self, state: &'s mut State, at: usize) -> Step<'s, 'r> {
        Step { start: self.start, state, at, are_fewer: self.are_fewer }
    }

    /// What is left of a value in a loop with two entries that lanes enter apart: what is known of it whatever the round.
    fn kept(&self, value: Value) -> Value {
        if !self.parting.is_lost {
            return value;
        }
        let first = self.apart.iter().next();
        value.of_own_rounds(first.map_or(0, |block| self.ways.graph.blocks[block].end - 1))
    }

    /// States at the ends of all blocks that are reached.
    fn settle(&mut self, work: &mut Work) -> Result<Vec<Option<Left>>, Error> {
        let blocks = self.ways.graph.blocks.len();
        if blocks * self.start.needed.count > PLACES {
            let most = PLACES / self.start.needed.count;
            return Err(Error::too_many(&self.start.function.name, blocks, BLOCKS, most));
        }
        let mut left: Vec<Option<Left>> = vec![None; blocks];
        let mut begins: Vec<Option<State>> = vec![None; blocks];
        let mut rounds = vec![0; blocks];
        let mut open = BTreeSet::from([0]);
        while let Some(rank) = open.pop_first() {
            let block = self.ways.graph.order[rank];
            let places = self.start.needed.count * (1 + self.ways.graph.before[block].len());
            let steps = self.ways.graph.blocks[block].len() + 1 + places / PLACES_A_STEP;
            work.spend(&self.start.function.name, steps)?;
            let Some(mut state) = self.begin(block, &left) else { continue };
            rounds[block] += 1;
            if rounds[block] > ROUNDS
                && let Some(known) = &begins[block]
            {
                state = self.given_up(known, &state, block);
            }
            if begins[block].as_ref() == Some(&state) && left[block].is_some() {
                continue;
            }
            begins[block] = Some(state.clone());
            let new = match &self.done[block] {
                Some((begin, left)) if *begin == state => left.clone(),
                _ => self.end(block, state),
            };
            if left[block].as_ref() != Some(&new) {
                for (to, goes) in self.ways.graph.after[block].iter().zip(new.goes) {
                    open.extend(to.filter(|_| goes).map(|to| self.ways.graph.rank[to]));
                }
                left[block] = Some(new);
            }
        }
        self.done =
            begins.into_iter().zip(&left).map(|(begin, left)| begin.zip(left.clone())).collect();
        Ok(left)
    }

    /// A value that still changes after this many rounds becomes unknown.
    fn given_up(&self, known: &State, new: &State, block: usize) -> State {
        let at = self.ways.graph.blocks[block].start;
        let unknown = Value::Unknown(Reason { at, why: Why::Paths });
        let mut state = known.clone();
        state.file.combine(&new.file, &Bits::default(), &|_, _, _| unknown.clone());
        state
    }

    fn end(&self, block: usize, mut state: State) -> Left {
        let range = self.ways.graph.blocks[block].clone();
        for at in range.clone().filter(|at| self.start.needed.code[*at]) {
            self.step(&mut state, at).instruction(&self.start.function.code[at]);
        }
        let last = range.end - 1;
        let bit = self.condition(&self.start.function.code[last], last, &mut state);
        let goes = match (self.ways.graph.after[block], bit.number()) {
            // One that jumps to the end has no block there.
            (_, Some(0)) => [true, false],
            (_, Some(_)) if is_branch(&self.start.function.code[last]) => [false, true],
            _ => [true, true],
        };
        Left { state, goes, bit }
    }

    /// The lanes that branch: 1 or 0 in each.
    fn condition(&self, one: &Instruction, at: usize, state: &mut State) -> Value {
        if !is_branch(one) {
            return Value::constant(1);
        }
        let step = self.step(state, at);
        let bit = match (one.guard, one.name.starts_with("brx"), one.operands.first()) {
            (Some(guard), ..) => step.guard(guard),
            (None, true, Some(index)) if step.operand(index)[0].is_shared() => Value::shared(0),
            (None, true, _) => Value::Unknown(Reason { at, why: Why::Computed }),
            _ => Value::constant(1),
        };
        // The program says that all lanes go the same way.
        if one.name.ends_with(".uni") && !bit.is_shared() { Value::shared(0) } else { bit }
    }

    /// Notes the branches at which lanes part; returns whether there are new ones.
    fn parts(&mut self, left: &[Option<Left>]) -> bool {
        let mut is_new = false;
        for (block, left) in left.iter().enumerate() {
            if left.as_ref().is_some_and(|left| !left.bit.is_shared()) {
                is_new |= self.apart.insert(block);
            }
        }
        if is_new {
            self.parting = self.ways.parting(&self.apart, &self.written);
            let are_fewer = self.apart.iter().any(|block| self.is_left(block));
            if are_fewer != self.are_fewer {
                (self.are_fewer, self.done) = (are_fewer, vec![None; left.len()]);
            }
        }
        is_new
    }

    /// Returns whether lanes that part at the end of a block may end on one of its ways.
    fn is_left(&self, block: usize) -> bool {
        let last = &self.start.function.code[self.ways.graph.blocks[block].end - 1];
        !last.name.starts_with("br") || !self.ways.comes_together(block)
    }

    /// The state at the begin of a block; `None` if nobody gets there.
    fn begin(&self, block: usize, left: &[Option<Left>]) -> Option<State> {
        let mut states: Vec<(State, Option<u64>)> = Vec::new();
        if block == 0 {
            states
                .push((State { file: Pages::all(&Value::Nothing, self.start.needed.count) }, None));
        }
        for from in &self.ways.graph.before[block] {
            let Some(one) = &left[*from] else { continue };
            let after = self.ways.graph.after[*from];
            for (i, goes) in one.goes.iter().enumerate() {
                if *goes && after[i] == Some(block) {
                    states.push((self.leaving(*from, block, &one.state), self.edges[*from][i]));
                }
            }
        }
        let none = Bits::default();
        let own = self.parting.own.get(&block).unwrap_or(&none);
        let at = self.ways.graph.blocks[block].start;
        let mut states = states.into_iter();
        let (mut all, mut lanes) = states.next()?;
        for (state, on) in states {
            // Alike is not the same: of lanes that bring two numbers each way may know as little of its own.
            all = self.met(all, lanes, &state, on, own, at);
            lanes = lanes.zip(on).map(|(a, b)| a | b);
        }
        Some(all)
    }

    fn met(
        &self,
        mut a: State,
        on_a: Option<u64>,
        b: &State,
        on_b: Option<u64>,
        own: &Bits,
        at: usize,
    ) -> State {
        let known = on_a.zip(on_b).filter(|(a, b)| a & b == 0);
        a.file.combine(&b.file, own, &|slot, a, b| match (own.contains(slot), known) {
            (false, _) => a.join(b, at),
            (true, Some((_, on_b))) => a.within(b, on_b, WARP, at),
            (true, None) => a.either(b, u64::MAX, at),
        });
        a
    }

    /// The state of lanes that leave a loop in different rounds.
    fn leaving(&self, from: usize, to: usize, state: &State) -> State {
        let mut all = state.clone();
        if let Some(own) = self.parting.leaving.get(&(from, to)) {
            let at = self.ways.graph.blocks[from].end - 1;
            all.file.combine(&state.file, own, &|_, value, _| value.of_own_rounds(at));
        }
        all
    }

    /// Finds the lanes that are on in each block, and those that go from one to another.
    fn lanes(&mut self, left: &[Option<Left>]) {
        for block in &self.ways.graph.order {
            let on = match (self.ways.loop_of(*block), self.ways.twin(*block)) {
                _ if *block == 0 && self.ways.graph.before[0].is_empty() => Some(self.all),
                _ if self.parting.is_lost => None,
                // The first of a loop that lanes leave one by one.
                (Some(rounds), _) if self.parting.loops.contains(rounds) => None,
                (_, Some(twin)) => self.on[twin],
                _ => self.agreed(*block, left),
            };
            self.on[*block] = on;
            let Some(one) = &left[*block] else { continue };
            let bits = one.bit.known().map(|bits| bits.set(WARP));
            // All or none go one way, if all lanes have the same condition.
            let whole = one.bit.is_shared() && one.bit.number().is_none();
            self.edges[*block] = match (
                is_branch(&self.start.function.code[self.ways.graph.blocks[*block].end - 1]),
                on,
                bits,
            ) {
                (true, Some(on), Some(bits)) => [Some(on & !bits), Some(on & bits)],
                (true, Some(on), None) if whole => [Some(on), Some(on)],
                (true, ..) => [None, None],
                (false, on, _) => [on, on],
            };
        }
    }

    /// The lanes that come from the blocks before, if all bring the same.
    fn agreed(&self, block: usize, left: &[Option<Left>]) -> Option<u64> {
        let mut all = (block == 0).then_some(self.all);
        for from in &self.ways.graph.before[block] {
            // Ways back bring no others: the loop is left by all lanes at once.
            if self.ways.graph.rank[*from] >= self.ways.graph.rank[block] {
                continue;
            }
            let Some(one) = &left[*from] else { continue };
            for (i, goes) in one.goes.iter().enumerate() {
                if !*goes || self.ways.graph.after[*from][i] != Some(block) {
                    continue;
                }
                let lanes = self.edges[*from][i]?;
                if all.is_some_and(|all| all != lanes) {
                    return None;
                }
                all = Some(lanes);
            }
        }
        all
    }
}

/// What an instruction stores, in numbers of 32 bits; nothing of what is narrower and packed, and of matrices, which lanes
/// store for each other.
fn stored(step: &Step<'_, '_>, one: &Instruction) -> Vec<Value> {
    let [data] = data(one) else { return Vec::new() };
    let parts = data.parts();
    let bits = element(&one.name);
    if one.name.starts_with("stmatrix") || bits.is_none_or(|bits| bits < 32 && parts.len() > 1) {
        return Vec::new();
    }
    let halves = if bits == Some(64) { 2 } else { 1 };
    parts.iter().flat_map(|part| step.operand(part).into_iter().take(halves)).collect()
}

/// The places of the words of local memory that an instruction writes.
fn local_slots(start: &Start<'_>, at: usize) -> Vec<usize> {
    let words = match start.local.touch(at) {
        Some(Touch::Store { first, count, .. }) => start.needed.words.range(first..first + count),
        Some(Touch::Any | Touch::StoreSome) => start.needed.words.range(..),
        _ => return Vec::new(),
    };
    words.map(|(_, slot)| *slot).collect()
}

/// Rounds of a block after which what still changes is unknown.
const ROUNDS: usize = 200;

fn is_branch(one: &Instruction) -> bool {
    let name = one.name.split('.').next().unwrap_or("");
    match name {
        "bra" | "brx" => true,
        "ret" | "exit" | "trap" => one.guard.is_some(),
        _ => false,
    }
}
