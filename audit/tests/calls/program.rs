//! Random programs that call functions, as trees and as text.

use core::fmt::Write;
use std::collections::BTreeMap;
use support::fuzz::Dice;

/// Lanes of the block: two warps.
pub(super) const LANES: usize = 64;
pub(super) const WARP: usize = 32;
/// Bytes of a parameter, and of local memory.
pub(super) const BYTES: u32 = 16;
pub(super) type Bytes = [u8; BYTES as usize];

/// A register: its letter, and its number. `c` counts rounds.
pub(super) type Reg = (char, usize);

pub(super) fn bits(reg: Reg) -> u32 {
    match reg.0 {
        'p' => 1,
        'h' => 16,
        'd' => 64,
        _ => 32,
    }
}

/// A guard: a predicate, and whether lanes take part where it is false.
pub(super) type By = Option<(usize, bool)>;

/// A load or store of bytes of a parameter or of local memory: the bits of an element, whether it has a sign, its first byte, and
/// its registers.
#[derive(Clone, Debug)]
pub(super) struct Moved {
    pub(super) bits: u32,
    pub(super) is_signed: bool,
    pub(super) at: u32,
    pub(super) regs: Vec<Reg>,
    pub(super) by: By,
}

pub(super) enum Node {
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

pub(super) type Op = (&'static str, char, char, fn(u64, u64) -> u64);
pub(super) const OPS: [Op; 11] = [
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
pub(super) struct Function {
    pub(super) body: Vec<Node>,
    /// The number of parameters, and how its result is stored.
    pub(super) given: usize,
    pub(super) result: Vec<(u32, u32, usize)>,
}

pub(super) struct Maker {
    pub(super) dice: Dice,
    pub(super) accesses: usize,
    pub(super) calls: usize,
    pub(super) loops: usize,
    pub(super) functions: Vec<Function>,
}

/// Elements as they are stored: bits and how many.
pub(super) const FORMS: [(u32, usize); 6] = [(32, 1), (32, 2), (32, 4), (64, 1), (64, 2), (16, 1)];

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
pub(super) struct Printer {
    pub(super) text: String,
    pub(super) labels: usize,
    pub(super) lines: BTreeMap<usize, usize>,
}

pub(super) fn name((kind, number): Reg) -> String {
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

    pub(super) fn function(&mut self, own: usize, functions: &[Function]) {
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

/// A random program: its functions, the kernel first.
pub(super) fn made(seed: u64) -> Vec<Function> {
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
