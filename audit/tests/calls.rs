//! What is said of accesses in functions of the same text is true: random programs of PTX that call functions, run lane by lane.
//!
//! Functions call each other, have parameters and results of bytes that are stored and loaded as numbers of all widths, wholly or in
//! part, variables of one name in local memory, returns in the middle, and loops and branches around calls. The interpreter keeps
//! parameters as bytes and shares nothing with the crate; what nobody stored is different in each lane.
//!
//! Each access has one claim for each way of calls that leads to it, in the order in which the calls stand. A plain run has 120 programs.

use super::among::is_among;
use core::fmt::Write;
use std::collections::BTreeMap;
use support::fuzz::Dice;
use tiledesc_audit::value::Value;
use tiledesc_audit::{Options, Reached, Unjudged, audit};

/// Lanes of the block: two warps.
const LANES: usize = 64;
const WARP: usize = 32;
/// Bytes of a parameter, and of local memory.
const BYTES: u32 = 16;
type Bytes = [u8; BYTES as usize];

/// A register: its letter, and its number. `c` counts rounds.
type Reg = (char, usize);

fn bits(reg: Reg) -> u32 {
    match reg.0 {
        'p' => 1,
        'h' => 16,
        'd' => 64,
        _ => 32,
    }
}

/// A guard: a predicate, and whether lanes take part where it is false.
type By = Option<(usize, bool)>;

/// A load or store of bytes of a parameter or of local memory: bits of an element, whether it has a sign, where it begins, and registers.
#[derive(Clone, Debug)]
struct Moved {
    bits: u32,
    is_signed: bool,
    at: u32,
    regs: Vec<Reg>,
    by: By,
}

enum Node {
    /// `op to, a, b`, the last a number.
    Op(usize, Reg, Reg, u64),
    /// The lane in its block; what all lanes have.
    Lane(Reg),
    Shared(Reg),
    /// A register of what another lane may have written.
    Unknown(Reg),
    /// A store to shared memory: its number.
    Access(usize, Reg, u64, By),
    If(usize, bool, Vec<Self>, Vec<Self>),
    Twice(usize, Vec<Self>),
    Return(usize, bool),
    /// A parameter of the function is loaded.
    Given(usize, Moved),
    /// The result is stored.
    Result(Moved),
    Keep(Moved),
    Kept(Moved),
    /// Its number, the function, what each parameter is, and what is loaded of the result.
    Call(usize, usize, By, Vec<Vec<Moved>>, Vec<Moved>),
}

type Op = (&'static str, char, char, fn(u64, u64) -> u64);
const OPS: [Op; 11] = [
    ("add.s32", 'r', 'r', |a, b| a.wrapping_add(b)),
    ("mul.lo.u32", 'r', 'r', |a, b| a.wrapping_mul(b)),
    ("and.b32", 'r', 'r', |a, b| a & b),
    ("xor.b32", 'r', 'r', |a, b| a ^ b),
    ("shl.b32", 'r', 'r', |a, b| a.checked_shl(b as u32).filter(|_| b < 32).unwrap_or(0)),
    ("add.s64", 'd', 'd', |a, b| a.wrapping_add(b)),
    ("shl.b64", 'd', 'd', |a, b| a.checked_shl(b as u32).unwrap_or(0)),
    ("cvt.u64.u32", 'd', 'r', |a, _| a),
    ("cvt.u32.u64", 'r', 'd', |a, _| a),
    ("cvt.u16.u32", 'h', 'r', |a, _| a),
    ("setp.lt.u32", 'p', 'r', |a, b| u64::from(a < b)),
];

#[derive(Default)]
struct Function {
    body: Vec<Node>,
    /// The number of parameters, and how its result is stored.
    given: usize,
    result: Vec<(u32, u32, usize)>,
}

struct Maker {
    dice: Dice,
    accesses: usize,
    calls: usize,
    loops: usize,
    functions: Vec<Function>,
}

/// Elements as they are stored: bits and how many.
const FORMS: [(u32, usize); 6] = [(32, 1), (32, 2), (32, 4), (64, 1), (64, 2), (16, 1)];

impl Maker {
    fn reg(&mut self, kind: char) -> Reg {
        (kind, self.dice.below(if kind == 'r' { 6 } else { 2 }) as usize)
    }

    fn by(&mut self, one_in: u32) -> By {
        self.dice.one_in(one_in).then(|| (self.dice.below(2) as usize, self.dice.one_in(2)))
    }

    fn regs(&mut self, bits: u32, count: usize) -> Vec<Reg> {
        let kind = match bits {
            64 => 'd',
            16 => 'h',
            _ => 'r',
        };
        // Those of a load differ.
        let first = self.reg(kind).1;
        let many = if kind == 'r' { 6 } else { 2 };
        (0..count).map(|i| (kind, (first + i) % many)).collect()
    }

    fn form(&mut self) -> (u32, u32, usize) {
        let (bits, count) = self.dice.of(&FORMS);
        let bytes = bits / 8 * count as u32;
        (bits, self.dice.below(BYTES / bytes) * bytes, count)
    }

    fn stored(&mut self, (bits, at, count): (u32, u32, usize), by: By) -> Moved {
        Moved { bits, is_signed: false, at, regs: self.regs(bits, count), by }
    }

    /// A load, mostly of what was stored at this place.
    fn loaded(&mut self, form: (u32, u32, usize)) -> Moved {
        let by = self.by(6);
        match self.dice.below(6) {
            0 => {
                let form = self.form();
                self.stored(form, by)
            }
            1 => {
                let bits = self.dice.of(&[8, 16, 32]);
                let wide = self.dice.of(&[bits.max(16), 32]);
                let regs = self.regs(wide, 1);
                let at = form.1 & !(bits / 8 - 1);
                Moved { bits, is_signed: self.dice.one_in(2), at, regs, by }
            }
            2 => {
                let at = form.1 + (form.0 / 8) * self.dice.below(form.2 as u32);
                self.stored((form.0, at, 1), by)
            }
            _ => self.stored(form, by),
        }
    }

    fn body(&mut self, own: usize, depth: u32) -> Vec<Node> {
        let mut all = Vec::new();
        for _ in 0..2 + self.dice.below(6) {
            match self.dice.below(if depth == 0 { 10 } else { 15 }) {
                0..=3 => {
                    let op = self.dice.below(OPS.len() as u32) as usize;
                    let (_, to, from, _) = OPS[op];
                    let number = self.dice.of(&[1, 2, 3, 4, 4, 5, 7, 16, 31, 64, 132]);
                    all.push(Node::Op(op, self.reg(to), self.reg(from), number));
                }
                4 if self.dice.one_in(3) => all.push(Node::Unknown(self.reg('r'))),
                4..=6 => {
                    self.accesses += 1;
                    let (reg, far) = (self.reg('r'), u64::from(self.dice.below(9)) * 4);
                    all.push(Node::Access(self.accesses - 1, reg, far, self.by(5)));
                }
                7 if self.functions[own].given > 0 => {
                    let one = self.dice.below(self.functions[own].given as u32) as usize;
                    let form = self.form();
                    all.push(Node::Given(one, self.loaded(form)));
                }
                8 if !self.functions[own].result.is_empty() => {
                    let form = self.functions[own].result[0];
                    let by = self.by(2);
                    all.push(Node::Result(self.stored(form, by)));
                }
                9 => {
                    let form = (32, 4 * self.dice.below(4), 1);
                    let moved = self.stored(form, None);
                    all.push(if self.dice.one_in(2) {
                        Node::Keep(moved)
                    } else {
                        Node::Kept(moved)
                    });
                }
                10 => {
                    let (yes, no) = (self.body(own, depth - 1), self.body(own, depth - 1));
                    all.push(Node::If(self.dice.below(2) as usize, self.dice.one_in(2), yes, no));
                }
                11 => {
                    self.loops += 1;
                    let label = self.loops - 1;
                    let body = self.body(own, depth - 1);
                    all.push(Node::Twice(label, body));
                }
                12 if own > 0 && self.dice.one_in(2) => {
                    all.push(Node::Return(self.dice.below(2) as usize, self.dice.one_in(2)));
                }
                // The functions behind this one.
                13 | 14 if own + 1 < self.functions.len() => self.call(own, &mut all),
                _ => {}
            }
        }
        all
    }

    fn call(&mut self, own: usize, all: &mut Vec<Node>) {
        let more = self.functions.len() - own - 1;
        let to = own + 1 + self.dice.below(more as u32) as usize;
        let mut given = Vec::new();
        for _ in 0..self.functions[to].given {
            let form = self.form();
            let mut stores = vec![self.stored(form, None)];
            if self.dice.one_in(3) {
                let by = self.by(2);
                stores.push(self.stored(form, by));
            }
            if self.dice.one_in(4) {
                let form = self.form();
                stores.push(self.stored(form, None));
            }
            given.push(stores);
        }
        let mut results = Vec::new();
        if let Some(form) = self.functions[to].result.first().copied() {
            results.push(self.loaded(form));
        }
        self.calls += 1;
        all.push(Node::Call(self.calls - 1, to, self.by(5), given, results));
    }
}

/// Prints a program; the line of each access.
#[derive(Default)]
struct Printer {
    text: String,
    labels: usize,
    lines: BTreeMap<usize, usize>,
}

fn name((kind, number): Reg) -> String {
    format!("%{kind}{number}")
}

impl Printer {
    fn line(&mut self, by: By, words: &str) {
        let guard =
            by.map_or(String::new(), |(p, no)| format!("@{}%p{p} ", if no { "!" } else { "" }));
        let _ = writeln!(self.text, "{guard}{words};");
    }

    /// A load or store in a space, of a place.
    fn moved(&mut self, word: &str, space: &str, place: &str, one: &Moved) {
        let names = Vec::from_iter(one.regs.iter().map(|reg| name(*reg))).join(", ");
        let (vector, names) = match one.regs.len() {
            1 => (String::new(), names),
            many => (format!(".v{many}"), format!("{{{names}}}")),
        };
        let sign = if one.is_signed { 's' } else { 'b' };
        let place = format!("[{place}+{}]", one.at);
        let name = format!("{word}.{space}{vector}.{sign}{}", one.bits);
        let words =
            if word == "st" { format!("{place}, {names}") } else { format!("{names}, {place}") };
        self.line(one.by, &format!("{name} {words}"));
    }

    fn nodes(&mut self, own: usize, nodes: &[Node], functions: &[Function]) {
        for node in nodes {
            match node {
                Node::Op(op, to, from, number) => {
                    let last = if OPS[*op].0.starts_with("cvt") {
                        String::new()
                    } else {
                        format!(", {number}")
                    };
                    self.line(
                        None,
                        &format!("{} {}, {}{last}", OPS[*op].0, name(*to), name(*from)),
                    );
                }
                Node::Lane(reg) => self.line(None, &format!("mov.u32 {}, %tid.x", name(*reg))),
                Node::Shared(reg) => self.line(None, &format!("mov.u32 {}, %ctaid.x", name(*reg))),
                Node::Unknown(reg) => {
                    self.line(None, &format!("ld.volatile.global.u32 {}, [%d3]", name(*reg)));
                }
                Node::Access(number, reg, far, by) => {
                    self.lines.insert(*number, self.text.lines().count() + 1);
                    self.line(*by, &format!("st.shared.b32 [{}+{far}], %r0", name(*reg)));
                }
                Node::If(p, no, yes, other) => {
                    self.labels += 1;
                    let label = self.labels;
                    self.line(Some((*p, !no)), &format!("bra $E{label}"));
                    self.nodes(own, yes, functions);
                    self.line(None, &format!("bra.uni $F{label}"));
                    let _ = writeln!(self.text, "$E{label}:");
                    self.nodes(own, other, functions);
                    let _ = writeln!(self.text, "$F{label}:");
                }
                Node::Twice(label, body) => {
                    self.line(None, &format!("mov.u32 %c{label}, 0"));
                    let _ = writeln!(self.text, "$H{label}:");
                    self.nodes(own, body, functions);
                    self.line(None, &format!("add.s32 %c{label}, %c{label}, 1"));
                    self.line(None, &format!("setp.lt.u32 %p9, %c{label}, 2"));
                    self.line(Some((9, false)), &format!("bra $H{label}"));
                }
                Node::Return(p, no) => self.line(Some((*p, *no)), "ret"),
                Node::Given(one, moved) => {
                    self.moved("ld", "param", &format!("f{own}_param_{one}"), moved);
                }
                Node::Result(moved) => self.moved("st", "param", "func_retval0", moved),
                Node::Keep(moved) => self.moved("st", "local", "depot", moved),
                Node::Kept(moved) => self.moved("ld", "local", "depot", moved),
                Node::Call(_, to, by, given, results) => {
                    self.text.push_str("{\n");
                    for (i, stores) in given.iter().enumerate() {
                        self.line(None, &format!(".param .align 16 .b8 param{i}[{BYTES}]"));
                        stores
                            .iter()
                            .for_each(|one| self.moved("st", "param", &format!("param{i}"), one));
                    }
                    let names = Vec::from_iter((0..given.len()).map(|i| format!("param{i}")));
                    let result = if functions[*to].result.is_empty() { "" } else { "(retval0), " };
                    self.line(None, &format!(".param .align 16 .b8 retval0[{BYTES}]"));
                    self.line(*by, &format!("call.uni {result}\nf{to},\n({})", names.join(",\n")));
                    // Of a call that some lanes make, in these lanes.
                    for one in results {
                        self.moved(
                            "ld",
                            "param",
                            "retval0",
                            &Moved { by: by.or(one.by), ..one.clone() },
                        );
                    }
                    self.text.push_str("}\n");
                }
            }
        }
    }

    fn function(&mut self, own: usize, functions: &[Function]) {
        let function = &functions[own];
        let names =
            (0..function.given).map(|i| format!(".param .align 16 .b8 f{own}_param_{i}[{BYTES}]"));
        let given = Vec::from_iter(names).join(",\n");
        let result = if function.result.is_empty() {
            String::new()
        } else {
            format!("(.param .align 16 .b8 func_retval0[{BYTES}]) ")
        };
        let head = match own {
            0 => ".visible .entry k(\n.param .u32 k_param_0\n)\n.reqntid 64, 1, 1\n".to_string(),
            _ => format!(
                ".visible .func {result}f{own}( // -- Begin function\n{given}\n) // @f{own}\n"
            ),
        };
        let _ = write!(
            self.text,
            "{head}{{\n.reg .pred %p<10>;\n.reg .b16 %h<3>;\n.reg .b32 %r<6>, %c<99>;\n.reg .b64 %d<4>;\n.local .align 16 .b8 depot[{BYTES}];\n"
        );
        self.nodes(own, &function.body, functions);
        self.text.push_str("ret;\n}\n");
    }
}

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

/// Whether what is claimed of a warp is so: the lanes that are on, and the byte of each.
fn is_true(claim: &Reached, on: u64, bytes: &[(usize, u32)]) -> bool {
    let is = match &claim.address {
        Value::Part { bits, f, .. } => {
            bytes.iter().all(|(lane, byte)| (byte ^ f.get(*lane)) << (32 - bits) == 0)
        }
        Value::Among { k, open, f, .. } => is_among(*k, *open, f, bytes),
        Value::Sum { k, f } => {
            let u =
                Vec::from_iter(bytes.iter().map(|(lane, byte)| byte.wrapping_sub(f.get(*lane))));
            u.iter().all(|one| {
                *one == u[0] && (if *k == 32 { *one == 0 } else { one.is_multiple_of(1 << k) })
            })
        }
        Value::Nothing => false,
        _ => true,
    };
    is && claim.on.is_none_or(|claimed| claimed == on)
}

/// A random program: its functions, the kernel first.
fn made(seed: u64) -> Vec<Function> {
    let dice = Dice(seed.wrapping_mul(0x9e37_79b9) ^ 0xca11);
    let mut maker = Maker { dice, accesses: 0, calls: 0, loops: 0, functions: Vec::new() };
    for own in 0..4 {
        let given = if own == 0 { 0 } else { maker.dice.below(4) as usize };
        let has_result = own > 0 && !maker.dice.one_in(4);
        let result = if has_result { vec![maker.form()] } else { Vec::new() };
        maker.functions.push(Function { body: Vec::new(), given, result });
    }
    for own in (0..4).rev() {
        let mut body = Vec::new();
        for n in 0..6 {
            body.push(if n % 3 == 2 { Node::Shared(('r', n)) } else { Node::Lane(('r', n)) });
            body.push(Node::Op(4, ('r', n), ('r', n), n as u64));
            if maker.functions[own].given > 0 && !maker.dice.one_in(3) {
                let one = maker.dice.below(maker.functions[own].given as u32) as usize;
                let form = (32, 4 * maker.dice.below(3), 1);
                body.push(Node::Given(one, Moved { by: None, ..maker.stored(form, None) }));
            }
        }
        for n in 0..2 {
            body.push(Node::Op(7, ('d', n), ('r', n), 0));
            body.push(Node::Op(9, ('h', n), ('r', n + 2), 0));
            body.push(Node::Op(10, ('p', n), ('r', n), 20));
        }
        for at in 0..4 {
            body.push(Node::Keep(maker.stored((32, 4 * at, 1), None)));
        }
        if let Some(form) = maker.functions[own].result.first().copied() {
            body.push(Node::Result(maker.stored(form, None)));
        }
        body.extend(maker.body(own, 2));
        body.extend(maker.body(own, 1));
        maker.functions[own].body = body;
    }
    maker.functions
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
                let on = bytes.iter().map(|(lane, _)| 1 << lane).sum();
                let site = claims[&(number, calls.clone())];
                let claims = Vec::from_iter(site.reached.iter().filter(|one| one.wave == warp));
                let held = claims.iter().any(|one| is_true(one, on, &bytes));
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
