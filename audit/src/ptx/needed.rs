//! The registers on which addresses, guards of accesses and branches depend, and where each stands in a state.
//!
//! ```text
//!   mul.lo.u32 %r2, %r1, 4;      %r1 and %r2: slots 1 and 0
//!   add.f32 %f3, %f1, %f2;       none: of a GEMM's 700 registers about 200 matter
//!   ld.shared.f32 %f1, [%r2];
//! ```

use super::flow::{Named, data, destinations, read, sources};
use super::fragment;
use super::function::{Function, Instruction, Kind};
use super::global;
use super::local::{Local, Touch};
use super::row;
use super::text::{Operand, Register};
use std::collections::BTreeMap;

/// The registers that matter.
#[derive(Debug)]
pub(crate) struct Needed<'f> {
    /// Where each stands in a state, and `usize::MAX` of others.
    pub(crate) slots: Vec<usize>,
    /// Where words of local memory stand that one of them is loaded from.
    pub(crate) words: BTreeMap<u32, usize>,
    pub(crate) count: usize,
    /// The instructions that write one of them, or are an access.
    pub(crate) code: Vec<bool>,
    /// The registers that each instruction writes: read from its text once, not each time that a warp does it.
    pub(crate) writes: Vec<Vec<Register>>,
    /// The names of those that write one of them.
    pub(crate) names: Vec<Named<'f>>,
    /// The addresses in shared and in global memory that each has.
    pub(crate) addresses: Vec<[Option<&'f Operand>; 2]>,
    pub(crate) with_data: bool,
}

/// Words of local memory that are followed at most.
const WORDS: usize = 1024;

/// The registers that addresses, guards of accesses and branches depend on, and with `with_data` what is stored.
pub(crate) fn needed<'f>(function: &'f Function, local: &Local, with_data: bool) -> Needed<'f> {
    let count = function.registers.len();
    let mut writers = vec![Vec::new(); count];
    let mut open = Vec::new();
    let writes = Vec::from_iter(function.code.iter().map(destinations));
    let is_translated = function.is_translated;
    let addresses = |one| [row::address(one), global::address(one, is_translated)];
    let addresses = Vec::from_iter(function.code.iter().map(addresses));
    for (at, one) in function.code.iter().enumerate() {
        writes[at].iter().for_each(|register| writers[*register].push(at));
        let [shared, global] = addresses[at];
        let ends = ["bra", "ret", "exit", "trap"].iter().any(|name| one.name.starts_with(name));
        if shared.is_some() || ends {
            open.extend(one.guard.map(|guard| guard.predicate));
        }
        if one.name.starts_with("brx") {
            one.operands.iter().for_each(|operand| read(operand, &mut open));
        }
        let of_place = shared.into_iter().chain(fragment::stride(one)).chain(global);
        of_place.for_each(|operand| read(operand, &mut open));
        if with_data {
            data(one).iter().for_each(|operand| read(operand, &mut open));
        }
    }
    let mut needed = Needed {
        slots: vec![usize::MAX; count],
        words: BTreeMap::new(),
        count: 0,
        code: vec![false; function.code.len()],
        writes,
        names: Vec::new(),
        addresses,
        with_data,
    };
    let mut words = Vec::new();
    loop {
        let Some(register) = open.pop() else {
            let Some(word) = words.pop() else {
                let names = function.code.iter().zip(&needed.code);
                let name = |(one, is_needed): (&'f Instruction, &bool)| match is_needed {
                    true => Named::new(&one.name),
                    false => Named::default(),
                };
                needed.names = names.map(name).collect();
                break;
            };
            if needed.words.len() < WORDS && !needed.words.contains_key(&word) {
                if needed.words.is_empty() {
                    for at in local.anywhere() {
                        needed.code[at] = true;
                        let one = &function.code[at];
                        one.operands.iter().for_each(|operand| read(operand, &mut open));
                        open.extend(one.guard.map(|guard| guard.predicate));
                    }
                }
                needed.words.insert(word, needed.count);
                needed.count += 1;
                for at in local.stores(word) {
                    needed.code[*at] = true;
                    open.extend(sources(&function.code[*at]));
                }
            }
            continue;
        };
        if needed.slots[register] != usize::MAX {
            continue;
        }
        needed.slots[register] = needed.count;
        needed.count += if function.registers[register] == Kind::Bits64 { 2 } else { 1 };
        for at in &writers[register] {
            needed.code[*at] = true;
            open.extend(sources(&function.code[*at]));
            match local.touch(*at) {
                Some(Touch::Load { first, count, .. }) => words.extend(first..first + count),
                Some(Touch::LoadSome) => {
                    words.extend(0..local.words);
                    let address = function.code[*at].operands.get(1);
                    address.into_iter().for_each(|address| read(address, &mut open));
                }
                _ => {}
            }
        }
    }
    needed
}
