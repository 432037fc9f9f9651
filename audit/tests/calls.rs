//! Claims about accesses in functions of the same text, held to random PTX programs that call functions and are run lane by lane.
//!
//! Functions call each other and return in the middle, around calls are loops and branches, parameters and results are bytes that
//! are stored and loaded as numbers of all widths, wholly or in part, and local variables share one name. The interpreter keeps
//! parameters as bytes and shares nothing with the crate; bytes that nobody stored differ from lane to lane.
//!
//! Each access has one claim for each chain of calls that leads to it, in the order of the calls. A plain run has 120 programs.

mod program;

use super::claimed::is_true;
use program::*;
use std::collections::BTreeMap;
use tiledesc_audit::value::Value;
use tiledesc_audit::{Options, Unjudged, audit};

/// Each lane's registers, and what it keeps.
struct Frame {
    regs: BTreeMap<Reg, u64>,
    given: Vec<Bytes>,
    result: Bytes,
    local: Bytes,
}

fn mixed(seed: u64) -> u64 {
    let a = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ b >> 31
}

/// A lane as it runs: what it is asked for by now, and where each access of it was.
struct Lane<'f> {
    functions: &'f [Function],
    number: usize,
    shared: u64,
    seed: u64,
    asked: u64,
    /// The calls, and the calls and rounds.
    calls: Vec<usize>,
    path: Vec<usize>,
    seen: Vec<(Key, u32)>,
}

/// An access, the calls that led to it, and calls with rounds.
type Key = (usize, Vec<usize>, Vec<usize>);

impl Frame {
    fn get(&self, reg: Reg) -> u64 {
        self.regs.get(&reg).copied().unwrap_or(0)
    }

    fn set(&mut self, reg: Reg, number: u64) {
        self.regs.insert(reg, number & u64::MAX >> (64 - bits(reg)));
    }

    fn takes(&self, by: By) -> bool {
        by.is_none_or(|(p, no)| (self.get(('p', p)) == 1) != no)
    }

    fn store(&self, to: &mut Bytes, one: &Moved) {
        if self.takes(one.by) {
            let bytes = one.bits as usize / 8;
            for (i, reg) in one.regs.iter().enumerate() {
                let at = one.at as usize + i * bytes;
                to[at..at + bytes].copy_from_slice(&self.get(*reg).to_le_bytes()[..bytes]);
            }
        }
    }

    fn load(&mut self, from: &Bytes, one: &Moved) {
        if self.takes(one.by) {
            let bytes = one.bits as usize / 8;
            for (i, reg) in one.regs.iter().enumerate() {
                let at = one.at as usize + i * bytes;
                let all = from[at..at + bytes].iter().rev();
                let number = all.fold(0, |all, byte| all << 8 | u64::from(*byte));
                let far = 64 - one.bits;
                let signed = ((number << far).cast_signed() >> far).cast_unsigned();
                self.set(*reg, if one.is_signed { signed } else { number });
            }
        }
    }
}

impl Lane<'_> {
    fn any(&mut self) -> u64 {
        self.asked += 1;
        mixed(self.seed ^ self.asked << 20)
    }

    fn bytes(&mut self) -> Bytes {
        let [a, b] = [self.any(), self.any()];
        core::array::from_fn(|i| (if i < 8 { a } else { b }).to_le_bytes()[i % 8])
    }

    /// Whether it goes on behind these.
    fn run(&mut self, nodes: &[Node], frame: &mut Frame) -> bool {
        for node in nodes {
            match node {
                Node::Op(op, to, from, number) => {
                    let value = OPS[*op].3(frame.get(*from), *number);
                    frame.set(*to, value);
                }
                Node::Lane(reg) => frame.set(*reg, self.number as u64),
                Node::Shared(reg) => frame.set(*reg, self.shared),
                Node::Unknown(reg) => {
                    let value = self.any();
                    frame.set(*reg, value);
                }
                Node::Access(number, reg, far, by) if frame.takes(*by) => {
                    let key = (*number, self.calls.clone(), self.path.clone());
                    self.seen.push((key, frame.get(*reg).wrapping_add(*far) as u32));
                }
                Node::Access(..) => {}
                Node::If(p, no, yes, other) => {
                    let body = if frame.takes(Some((*p, *no))) { yes } else { other };
                    if !self.run(body, frame) {
                        return false;
                    }
                }
                Node::Twice(_, body) => {
                    for round in 0..2 {
                        self.path.push(1000 + round);
                        let goes_on = self.run(body, frame);
                        self.path.pop();
                        if !goes_on {
                            return false;
                        }
                    }
                }
                Node::Return(p, no) if frame.takes(Some((*p, *no))) => return false,
                Node::Return(..) => {}
                Node::Given(one, moved) => frame.load(&frame.given[*one].clone(), moved),
                Node::Result(moved) => {
                    let mut result = frame.result;
                    frame.store(&mut result, moved);
                    frame.result = result;
                }
                Node::Keep(moved) => {
                    let mut local = frame.local;
                    frame.store(&mut local, moved);
                    frame.local = local;
                }
                Node::Kept(moved) => frame.load(&frame.local.clone(), moved),
                Node::Call(number, to, by, given, results) => {
                    let mut bytes = Vec::new();
                    for stores in given {
                        let mut one = self.bytes();
                        stores.iter().for_each(|store| frame.store(&mut one, store));
                        bytes.push(one);
                    }
                    if !frame.takes(*by) {
                        continue;
                    }
                    let (result, local) = (self.bytes(), self.bytes());
                    let mut inner = Frame { regs: BTreeMap::new(), given: bytes, result, local };
                    self.calls.push(*number);
                    self.path.push(*number);
                    self.run(&self.functions[*to].body, &mut inner);
                    self.calls.pop();
                    self.path.pop();
                    for one in results {
                        frame.load(&inner.result, &Moved { by: by.or(one.by), ..one.clone() });
                    }
                }
            }
        }
        true
    }
}

/// The ways of calls that lead to each access, in the order of the text.
fn ways(
    nodes: &[Node],
    functions: &[Function],
    calls: &mut Vec<usize>,
    all: &mut BTreeMap<usize, Vec<Vec<usize>>>,
) {
    for node in nodes {
        match node {
            Node::Access(number, ..) => all.entry(*number).or_default().push(calls.clone()),
            Node::If(_, _, yes, no) => {
                ways(yes, functions, calls, all);
                ways(no, functions, calls, all);
            }
            Node::Twice(_, body) => ways(body, functions, calls, all),
            Node::Call(number, to, ..) => {
                calls.push(*number);
                ways(&functions[*to].body, functions, calls, all);
                calls.pop();
            }
            _ => {}
        }
    }
}

/// Accesses that were executed, those whose address was known, and those in functions.
type Tally = [usize; 3];

fn compare(seed: u64, tally: &mut Tally) {
    let functions = made(seed);
    let mut printer =
        Printer { text: ".version 8.0\n.target sm_90\n".to_string(), ..Printer::default() };
    let mut order = Vec::from_iter(0..functions.len());
    order.rotate_left(seed as usize % 4);
    order.into_iter().for_each(|own| printer.function(own, &functions));
    let text = printer.text;
    let kernel = audit(&text, &Options::default())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
        .remove(0);
    assert!(!kernel.sites.iter().any(|site| matches!(site.access, Err(Unjudged::Call))), "{text}");
    let mut all = BTreeMap::new();
    ways(&functions[0].body, &functions, &mut Vec::new(), &mut all);
    let mut claims = BTreeMap::new();
    for (number, ways) in all {
        let sites = kernel.sites.iter().filter(|site| site.line == printer.lines[&number]);
        let sites = Vec::from_iter(sites);
        assert_eq!(sites.len(), ways.len(), "line {}\n{text}", printer.lines[&number]);
        claims.extend(ways.into_iter().zip(sites).map(|(way, site)| ((number, way), site)));
    }
    for seed in [mixed(seed), mixed(!seed)] {
        for warp in 0..LANES / WARP {
            let mut seen: BTreeMap<Key, Vec<(usize, u32)>> = BTreeMap::new();
            for lane in 0..WARP {
                let number = warp * WARP + lane;
                let own = mixed(seed ^ number as u64);
                let (functions, shared) = (&functions[..], seed & 0xffff_ffff);
                let mut one = Lane {
                    functions,
                    number,
                    shared,
                    seed: own,
                    asked: 0,
                    calls: Vec::new(),
                    path: Vec::new(),
                    seen: Vec::new(),
                };
                let mut frame = Frame {
                    regs: BTreeMap::new(),
                    given: Vec::new(),
                    result: Bytes::default(),
                    local: Bytes::default(),
                };
                one.run(&functions[0].body, &mut frame);
                one.seen
                    .into_iter()
                    .for_each(|(key, byte)| seen.entry(key).or_default().push((lane, byte)));
            }
            for ((number, calls, path), bytes) in seen {
                let on: u64 = bytes.iter().map(|(lane, _)| 1 << lane).sum();
                let site = claims[&(number, calls.clone())];
                let claims = Vec::from_iter(site.reached.iter().filter(|one| one.wave == warp));
                let held = claims.iter().any(|one| {
                    is_true(&one.address, &bytes) && one.on.is_none_or(|claimed| claimed == on)
                });
                assert!(
                    held,
                    "program {seed:#x}, line {}, warp {warp}, {path:?}: {claims:?}, on {on:#x}, {bytes:?}\n{text}",
                    site.line
                );
                let is_known = claims.iter().all(|one| matches!(one.address, Value::Sum { .. }));
                tally[0] += 1;
                tally[1] += usize::from(is_known && !calls.is_empty());
                tally[2] += usize::from(!calls.is_empty());
            }
        }
    }
}

#[test]
fn what_is_said_of_accesses_in_functions_is_true() {
    let (numbers, mut tally) = (support::fuzz::numbers(120), [0; 3]);
    let cases = numbers.end - numbers.start;
    numbers.for_each(|seed| compare(seed, &mut tally));
    let [all, known, within] = tally;
    println!(
        "{cases} programs: {all} executed accesses, {within} in functions, of which {known} are known"
    );
    assert!(within > 1000 && known * 3 > within, "{tally:?}: a check of little");
}
