//! What is said of an address is true: random programs of SASS, run lane by lane with random unknowns.
//!
//! The interpreter runs the text of each instruction and shares nothing with the crate. A program has instructions of the
//! lanes and of the warp, guards, branches with and without an else, loops that all lanes leave together, a stack, and
//! instructions that nobody knows. Of each access that is executed:
//!
//! | claimed | must be |
//! |---|---|
//! | `u + f(lane)`, 2^k divides u | each lane that is on has one and the same u, which 2^k divides |
//! | low bits of each lane | each lane that is on has them |
//! | the lanes that are on | exactly these are |
//! | no warp gets there | the program does not |
//!
//! Two of three programs state a block. A plain run has 200 programs.

use crate::claimed::is_true;
use core::fmt::Write;
use std::collections::BTreeMap;
use support::fuzz::Dice;
use tiledesc_audit::value::Value;
use tiledesc_audit::{Options, Reached, Row, audit};

const LANES: usize = 32;
type Lanes = [u32; LANES];

/// A part of a program.
enum Node {
    /// A guard, an instruction, and the number of its access if it is one.
    Does(String, String, Option<usize>),
    /// Lanes with a predicate, and the others.
    If(String, Vec<Self>, Vec<Self>),
    /// Rounds by a counter of the warp: the register, the bound, what is done.
    Rounds(u32, String, Vec<Self>),
}

fn mixed(seed: u64) -> u64 {
    let z = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// A warp at work.
struct Warp {
    seed: u64,
    time: u64,
    block: [u32; 3],
    number: u32,
    lanes: BTreeMap<String, Lanes>,
    stack: BTreeMap<u32, Lanes>,
    /// The accesses, with the lanes that are on and their bytes.
    seen: Vec<(usize, u32, Lanes)>,
}

fn bit(mask: u32, lane: usize) -> bool {
    mask >> lane & 1 == 1
}

fn literal(word: &str) -> Option<u32> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    let value = u32::from_str_radix(digits.strip_prefix("0x")?, 16).ok()?;
    Some(if negative { value.wrapping_neg() } else { value })
}

fn next(name: &str) -> String {
    let digits = name.trim_start_matches(['U', 'R']);
    let file = &name[..name.len() - digits.len()];
    format!("{file}{}", digits.parse::<u32>().unwrap() + 1)
}

impl Warp {
    fn unknown(&self, what: u64) -> u32 {
        mixed(self.seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15)) as u32
    }

    /// A word of constant memory: the shape of the block, and numbers that nobody knows.
    fn constant(&self, word: &str) -> u32 {
        match word {
            "c[0x0][0x0]" => self.block[0],
            "c[0x0][0x4]" => self.block[1],
            "c[0x0][0x8]" => self.block[2],
            other => self.unknown(other.bytes().fold(7, |all, one| mixed(all ^ u64::from(one)))),
        }
    }

    fn get(&self, word: &str, lane: usize) -> u32 {
        let word = word.strip_suffix(".reuse").unwrap_or(word);
        if let Some(number) = literal(word) {
            return number;
        }
        match word.as_bytes()[0] {
            b'-' => return self.get(&word[1..], lane).wrapping_neg(),
            b'~' => return !self.get(&word[1..], lane),
            b'!' => return self.get(&word[1..], lane) ^ 1,
            b'|' => return self.get(word.trim_matches('|'), lane).cast_signed().unsigned_abs(),
            b'c' => return self.constant(word),
            _ => {}
        }
        match word {
            "RZ" | "URZ" => 0,
            "PT" | "UPT" => 1,
            name => self.lanes[name][lane],
        }
    }

    fn wide(&self, word: &str, lane: usize) -> u64 {
        match word {
            "RZ" => 0,
            _ => u64::from(self.get(word, lane)) | u64::from(self.get(&next(word), lane)) << 32,
        }
    }

    fn set(&mut self, name: &str, on: u32, values: &Lanes) {
        if ["RZ", "URZ", "PT", "UPT"].contains(&name) {
            return;
        }
        // A register of the warp has one value, that of a lane that is on.
        let of_warp = name.starts_with('U').then(|| values[on.trailing_zeros() as usize % LANES]);
        let all = self.lanes.entry(name.to_string()).or_insert([0; LANES]);
        for lane in 0..LANES {
            match of_warp {
                Some(value) if on != 0 => all[lane] = value,
                None if bit(on, lane) => all[lane] = values[lane],
                _ => {}
            }
        }
    }

    fn taking(&self, guard: &str, on: u32) -> u32 {
        let is_on = |lane: &usize| bit(on, *lane) && self.get(guard, *lane) == 1;
        (0..LANES).filter(is_on).fold(0, |all, lane| all | 1 << lane)
    }

    fn run(&mut self, nodes: &[Node], on: u32) {
        for node in nodes {
            match node {
                Node::Does(guard, text, access) => {
                    let mask = if guard.is_empty() { on } else { self.taking(guard, on) };
                    self.does(text, mask, *access);
                }
                Node::If(guard, yes, no) => {
                    let mask = self.taking(guard, on);
                    if mask != 0 {
                        self.run(yes, mask);
                    }
                    if on & !mask != 0 {
                        self.run(no, on & !mask);
                    }
                }
                Node::Rounds(counter, bound, body) => {
                    let name = format!("UR{counter}");
                    self.set(&name, u32::MAX, &[0; LANES]);
                    loop {
                        self.run(body, on);
                        let value = self.get(&name, 0).wrapping_add(1);
                        self.set(&name, u32::MAX, &[value; LANES]);
                        let goes_on = value < self.get(bound, 0) % 8 && value < 8;
                        self.set("UP1", u32::MAX, &[u32::from(goes_on); LANES]);
                        if !goes_on {
                            break;
                        }
                    }
                }
            }
        }
    }

    fn does(&mut self, text: &str, on: u32, access: Option<usize>) {
        self.time += 1;
        let (name, rest) = text.split_once(' ').unwrap();
        let words: Vec<&str> = rest.split(", ").collect();
        let parts: Vec<&str> = name.split('.').collect();
        let base = match parts[0] {
            of_warp @ ("UMOV" | "UIADD3" | "UIMAD" | "ULEA" | "USHF" | "ULOP3" | "USEL"
            | "UISETP") => &of_warp[1..],
            other => other,
        };
        if let Some(access) = access {
            let word = words.iter().find(|word| word.starts_with('[')).unwrap();
            let bytes = core::array::from_fn(|lane| self.address(word, lane));
            self.seen.push((access, on, bytes));
        }
        let has = |part: &str| parts.contains(&part);
        let time = self.time;
        let each = |warp: &Self, f: &dyn Fn(&Self, usize) -> u32| -> Lanes {
            core::array::from_fn(|lane| f(warp, lane))
        };
        match base {
            "FROB" => {
                let names: Vec<String> = self.lanes.keys().cloned().collect();
                for (i, name) in names.iter().enumerate() {
                    let one = |warp: &Self, lane: usize| {
                        let all = warp.unknown(time << 16 ^ (i as u64) << 8 ^ lane as u64);
                        if name.contains('P') { all & 1 } else { all }
                    };
                    let values = each(self, &one);
                    self.set(name, on, &values);
                }
                for word in self.stack.keys().copied().collect::<Vec<_>>() {
                    for lane in (0..LANES).filter(|lane| bit(on, *lane)) {
                        let value =
                            self.unknown(time << 24 ^ u64::from(word) ^ (lane as u64) << 12);
                        self.stack.get_mut(&word).unwrap()[lane] = value;
                    }
                }
            }
            "STS" => {}
            "LDS" | "LDG" => {
                // Lanes that load from one place load the same.
                let count = if has("128") { 4 } else { 1 + u64::from(has("64")) };
                let mut name = words[0].to_string();
                for i in 0..count {
                    let of = |warp: &Self, lane: usize| {
                        let at = warp.address(words[1], lane);
                        warp.unknown(time << 34 ^ u64::from(at) << 2 ^ i)
                    };
                    let values = each(self, &of);
                    self.set(&name, on, &values);
                    name = next(&name);
                }
            }
            "STL" => {
                let at =
                    literal(words[0].trim_matches(['[', ']']).trim_start_matches("R1+")).unwrap();
                for lane in (0..LANES).filter(|lane| bit(on, *lane)) {
                    let value = self.get(words[1], lane);
                    self.stack.entry(at).or_insert([0; LANES])[lane] = value;
                }
            }
            "LDL" => {
                let at =
                    literal(words[1].trim_matches(['[', ']']).trim_start_matches("R1+")).unwrap();
                let values = self.stack[&at];
                self.set(words[0], on, &values);
            }
            "R2UR" => {
                // Of whichever lane.
                let ones: Vec<usize> = (0..LANES).filter(|lane| bit(on, *lane)).collect();
                if let Some(lane) = ones.get(self.unknown(time) as usize % ones.len().max(1)) {
                    let value = self.get(words[1], *lane);
                    self.set(words[0], on, &[value; LANES]);
                }
            }
            "VOTE" => {
                let ballot =
                    (0..LANES).filter(|lane| bit(on, *lane) && self.get(words[2], *lane) == 1);
                let ballot = ballot.fold(0_u32, |all, lane| all | 1 << lane);
                self.set(words[0], on, &[ballot; LANES]);
            }
            "SHFL" => {
                let by = literal(words[3]).unwrap() as usize;
                let from = |lane: usize| match parts[1] {
                    "BFLY" => lane ^ by,
                    "IDX" => by,
                    _ => {
                        if lane + by < LANES {
                            lane + by
                        } else {
                            lane
                        }
                    }
                };
                let values = each(self, &|warp, lane| warp.get(words[2], from(lane)));
                self.set(words[1], on, &values);
            }
            "S2R" | "S2UR" => {
                let [x, y, _] = self.block;
                let value = |warp: &Self, lane: usize| {
                    let item = warp.number * 32 + lane as u32;
                    match words[1] {
                        "SR_TID.X" => item % x,
                        "SR_TID.Y" => item / x % y,
                        "SR_TID.Z" => item / x / y,
                        "SR_LANEID" => lane as u32,
                        "SR_LTMASK" => (1 << lane) - 1,
                        _ => warp.unknown(words[1].len() as u64 + 77),
                    }
                };
                let values = each(self, &value);
                self.set(words[0], on, &values);
            }
            "IMAD" if has("WIDE") => {
                let of = |warp: &Self, lane: usize| {
                    let (a, b) = (warp.get(words[1], lane), warp.get(words[2], lane));
                    let product = match has("U32") {
                        true => u64::from(a) * u64::from(b),
                        false => (i64::from(a.cast_signed()) * i64::from(b.cast_signed()))
                            .cast_unsigned(),
                    };
                    product.wrapping_add(warp.wide(words[3], lane))
                };
                let low = each(self, &|warp, lane| of(warp, lane) as u32);
                let high = each(self, &|warp, lane| (of(warp, lane) >> 32) as u32);
                self.set(words[0], on, &low);
                self.set(&next(words[0]), on, &high);
            }
            "IADD3" if words.len() == 5 && !has("X") => {
                let sum = each(self, &|warp, lane| {
                    warp.get(words[2], lane).wrapping_add(warp.get(words[3], lane))
                });
                let carry = each(self, &|warp, lane| {
                    u32::from(
                        warp.get(words[2], lane).checked_add(warp.get(words[3], lane)).is_none(),
                    )
                });
                self.set(words[0], on, &sum);
                self.set(words[1], on, &carry);
            }
            "LOP3" if words[0].starts_with('P') => {
                let value =
                    each(self, &|warp, lane| by_table(&words[2..], &|word| warp.get(word, lane)));
                self.set(words[0], on, &value.map(|one| u32::from(one != 0)));
                self.set(words[1], on, &value);
            }
            "ISETP" => {
                let value = each(self, &|warp, lane| {
                    compared(&parts, &words, &|word| warp.get(word, lane))
                });
                let not = each(self, &|warp, lane| {
                    let yes = compared(
                        &parts,
                        &[words[0], words[1], words[2], words[3], "PT"],
                        &|word| warp.get(word, lane),
                    );
                    (yes ^ 1) & warp.get(words[4], lane)
                });
                self.set(words[0], on, &value);
                self.set(words[1], on, &not);
            }
            "R2P" => {
                let all = each(self, &|warp, lane| warp.get(words[1], lane));
                for i in 0..3 {
                    self.set(&format!("P{i}"), on, &all.map(|one| one >> i & 1));
                }
            }
            "FADD" | "MUFU" => {
                // A function of its operands, whichever.
                let values = each(self, &|warp, lane| {
                    words[1..].iter().fold(0_u32, |all, word| {
                        let one = if *word == "1" { 1 } else { warp.get(word, lane) };
                        mixed(u64::from(all) << 32 | u64::from(one)) as u32
                    })
                });
                self.set(words[0], on, &values);
            }
            _ => {
                let values = each(self, &|warp, lane| {
                    of_one(base, &parts, &words, &|word| warp.get(word, lane))
                });
                self.set(words[0], on, &values);
            }
        }
    }

    /// The bytes of `[R2.X4+UR4+0x10]`.
    fn address(&self, word: &str, lane: usize) -> u32 {
        let terms = word.trim_matches(['[', ']']).split('+');
        terms.fold(0, |all, term| {
            let (term, factor) = match term.split_once(".X") {
                Some((term, factor)) => (term, factor.parse().unwrap()),
                None => (
                    [".64", ".U32"].iter().find_map(|end| term.strip_suffix(end)).unwrap_or(term),
                    1,
                ),
            };
            all.wrapping_add(self.get(term, lane).wrapping_mul(factor))
        })
    }
}

fn by_table(words: &[&str], get: &dyn Fn(&str) -> u32) -> u32 {
    let [a, b, c] = [0, 1, 2].map(|i| get(words[i]));
    let table = literal(words[3]).unwrap();
    (0..32).fold(0, |all, i| {
        let entry = (a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1;
        all | (table >> entry & 1) << i
    })
}

fn compared(parts: &[&str], words: &[&str], get: &dyn Fn(&str) -> u32) -> u32 {
    let (a, b) = (get(words[2]), get(words[3]));
    let order =
        if parts.contains(&"U32") { a.cmp(&b) } else { a.cast_signed().cmp(&b.cast_signed()) };
    let equal = order.is_eq() && words.get(5).is_none_or(|word| get(word) == 1);
    let below = order.is_eq() && words.get(5).is_some_and(|word| get(word) == 1);
    let is = match parts[1] {
        "LT" => order.is_lt() || below,
        "GT" => order.is_gt() || below,
        "LE" => order.is_lt() || equal,
        "GE" => order.is_gt() || equal,
        "EQ" => equal,
        _ => order.is_ne() || below,
    };
    let (is, other) = (u32::from(is), get(words[4]));
    match () {
        () if parts.contains(&"OR") => is | other,
        () if parts.contains(&"XOR") => is ^ other,
        () => is & other,
    }
}

/// Instructions of one result, as NVIDIA's own compiler uses them.
fn of_one(base: &str, parts: &[&str], words: &[&str], get: &dyn Fn(&str) -> u32) -> u32 {
    let has = |part: &str| parts.contains(&part);
    let at = |i: usize| get(words[i]);
    let carry = |i: usize| words.get(i).filter(|_| has("X")).map_or(0, |word| get(word));
    match base {
        "MOV" => at(1),
        "HFMA2" => (f64::from(at(0)) * 0.0) as u32 + literal_half(words[4]),
        "IADD" => at(1).wrapping_add(at(2)),
        "IADD3" => at(1).wrapping_add(at(2)).wrapping_add(at(3)).wrapping_add(carry(4)),
        "IMAD" if has("HI") => (u64::from(at(1)).wrapping_mul(u64::from(at(2))) >> 32) as u32,
        "IMAD" => at(1).wrapping_mul(at(2)).wrapping_add(at(3)).wrapping_add(carry(4)),
        "LEA" if has("SX32") => {
            let wide = i64::from(at(1).cast_signed()).cast_unsigned();
            ((wide << at(3) >> 32) as u32).wrapping_add(at(2))
        }
        "LEA" if has("HI") => {
            let wide = u64::from(at(1)) | u64::from(at(3)) << 32;
            ((wide << at(4) >> 32) as u32).wrapping_add(at(2))
        }
        "LEA" => (at(1) << at(3)).wrapping_add(at(2)),
        "LOP3" => by_table(&words[1..], get),
        "PLOP3" => by_table(&words[2..], get) & 1,
        "SHF" => {
            let (wide, n) = (u64::from(at(1)) | u64::from(at(3)) << 32, at(2));
            let n = if has("W") { n & 31 } else { n.min(32) };
            let moved = match (has("L"), has("S32")) {
                (true, _) => wide << n,
                (false, true) => (wide.cast_signed() >> n).cast_unsigned(),
                (false, false) => wide >> n,
            };
            if has("HI") { (moved >> 32) as u32 } else { moved as u32 }
        }
        "SEL" => {
            if at(3) == 1 {
                at(1)
            } else {
                at(2)
            }
        }
        "PRMT" => {
            let bytes = u64::from(at(1)) | u64::from(at(3)) << 32;
            (0..4).fold(0, |all, i| {
                let pick = at(2) >> (4 * i) & 15;
                let byte = (bytes >> (8 * (pick & 7))) as u32 & 255;
                let byte = if pick < 8 { byte } else { 255 * (byte >> 7) };
                all | byte << (8 * i)
            })
        }
        "IMNMX" => {
            let (a, b) = (at(1), at(2));
            let less = if has("U32") { a < b } else { a.cast_signed() < b.cast_signed() };
            if less == (at(3) == 1) { a } else { b }
        }
        "SGXT" if has("U32") => at(1) & ((1 << at(2)) - 1),
        "SGXT" => (at(1).cast_signed() << (32 - at(2)) >> (32 - at(2))).cast_unsigned(),
        "BMSK" => {
            let bits = if at(2) >= 32 { u32::MAX } else { (1 << at(2)) - 1 };
            bits.checked_shl(at(1)).unwrap_or(0)
        }
        "P2R" => (0..3).fold(at(2) & !7, |all, i| all | get(&format!("P{i}")) << i),
        "POPC" => at(1).count_ones(),
        "BREV" => at(1).reverse_bits(),
        "FLO" => at(1).checked_ilog2().unwrap_or(u32::MAX),
        "IABS" => at(1).cast_signed().unsigned_abs(),
        other => panic!("{other}"),
    }
}

fn literal_half(word: &str) -> u32 {
    match word {
        "2.384185791015625e-07" => 4,
        "0.00048828125" => 0x1000,
        other => panic!("{other}"),
    }
}

/// Writes programs.
struct Maker {
    dice: Dice,
    accesses: usize,
    loops: u32,
}

const NUMBERS: [u32; 12] = [0, 1, 2, 3, 4, 7, 8, 0x1f, 0x20, 0xff, 0xffff_fff0, 0x1234];

impl Maker {
    fn number(&mut self) -> String {
        match self.dice.below(4) {
            0 => format!("0x{:x}", self.dice.of(&NUMBERS)),
            1 => format!("-0x{:x}", self.dice.of(&NUMBERS)),
            _ => format!("0x{:x}", 1 << self.dice.below(10)),
        }
    }

    fn lanes(&mut self) -> String {
        format!("R{}", self.dice.of(&[0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
    }

    fn target(&mut self) -> String {
        format!("R{}", 4 + self.dice.below(8))
    }

    fn of_warp(&mut self) -> String {
        format!("UR{}", 4 + self.dice.below(4))
    }

    fn source(&mut self) -> String {
        match self.dice.below(12) {
            0 => "RZ".to_string(),
            1 | 2 => self.of_warp(),
            3 => self.number(),
            4 => self
                .dice
                .of(&["c[0x0][0x0]", "c[0x0][0x4]", "c[0x0][0x170]", "c[0x3][0x8]"])
                .to_string(),
            5 => format!("{}.reuse", self.lanes()),
            _ => self.lanes(),
        }
    }

    fn signed(&mut self) -> String {
        let one = self.source();
        let is_register = one.starts_with(['R', 'U']) && !one.contains('Z');
        if is_register && self.dice.one_in(5) { format!("-{one}") } else { one }
    }

    fn bit(&mut self) -> String {
        let sign = if self.dice.one_in(3) { "!" } else { "" };
        format!("{sign}{}", self.dice.of(&["P0", "P1", "P2", "UP0", "PT"]))
    }

    fn count(&mut self) -> String {
        format!("0x{:x}", self.dice.below(8))
    }

    /// An instruction of the lanes.
    fn op(&mut self) -> String {
        let to = self.target();
        let [a, b, c] = [0; 3].map(|_| self.source());
        let [x, y, z] = [0; 3].map(|_| self.signed());
        let (n, p, table) = (self.count(), self.bit(), self.dice.below(256));
        let predicate = self.dice.of(&["P0", "P1", "P2"]);
        let even = format!("R{}", 4 + 2 * self.dice.below(4));
        let test = self.dice.of(&["LT", "LE", "GT", "GE", "EQ", "NE"]);
        let join = self.dice.of(&["AND", "OR", "XOR"]);
        let kind = self.dice.of(&["", ".U32"]);
        match self.dice.below(42) {
            0 | 1 => format!("IADD3 {to}, {x}, {y}, {z}"),
            2 => format!("IADD3 {to}, {predicate}, {a}, {b}, RZ"),
            3 => format!("IADD3.X {to}, {a}, {b}, {c}, {p}"),
            4 => format!("IMAD {to}, {a}, {}, {z}", self.number()),
            5 => format!("IMAD.SHL.U32 {to}, {a}, 0x{:x}, RZ", 1 << self.dice.below(8)),
            6 => format!("IMAD.IADD {to}, {a}, 0x1, {z}"),
            7 => format!(
                "IMAD.WIDE{kind} {even}, {a}, {b}, {}",
                self.dice.of(&["RZ", "R4", "R6", "R10"])
            ),
            8 => format!("IMAD.HI.U32 {to}, {a}, {b}, RZ"),
            9 | 10 => format!("LEA {to}, {a}, {b}, {n}"),
            11 => format!("LEA.HI {to}, {a}, {b}, {c}, {n}"),
            12 => format!("LEA.HI.SX32 {to}, {a}, {b}, {n}"),
            13 | 14 => format!("LOP3.LUT {to}, {a}, {b}, {c}, 0x{table:x}, !PT"),
            15 => format!("LOP3.LUT {to}, {a}, {}, RZ, 0xc0, !PT", self.number()),
            16 => format!("LOP3.LUT {predicate}, {to}, {a}, {b}, {c}, 0x{table:x}, !PT"),
            17 => format!(
                "PLOP3.LUT {predicate}, PT, {p}, {}, {}, 0x{table:x}, 0x8",
                self.bit(),
                self.bit()
            ),
            18 => format!("SHF.L.U32 {to}, {a}, {n}, RZ"),
            19 => format!("SHF.R.U32.HI {to}, RZ, {n}, {a}"),
            20 => format!("SHF.R.S32.HI {to}, RZ, 0x{:x}, {a}", self.dice.below(32)),
            21 => format!("SHF.L.U64.HI {to}, {a}, {n}, {b}"),
            22 => format!("SHF.R.U64 {to}, {a}, {n}, {b}"),
            23 => format!("SHF.L.W.U32.HI {to}, {a}, {b}, {c}"),
            24 => format!("SHF.L.U32 {to}, {a}, {b}, RZ"),
            25 => format!("SEL {to}, {a}, {b}, {p}"),
            26 => format!("PRMT {to}, {a}, 0x{:x}, {b}", self.dice.below(0x10000)),
            27..=29 => format!("ISETP.{test}{kind}.{join} {predicate}, PT, {a}, {b}, {p}"),
            30 => {
                let other = if predicate == "P0" { "P1" } else { "P0" };
                format!("ISETP.{test}{kind}.AND {predicate}, {other}, {a}, {b}, PT")
            }
            31 => format!("ISETP.{test}{kind}.AND.EX {predicate}, PT, {a}, {b}, PT, {p}"),
            32 => format!("IMNMX{kind} {to}, {a}, {b}, {}", self.dice.of(&["PT", "!PT"])),
            33 => format!("SGXT{kind} {to}, {a}, 0x{:x}", 1 + self.dice.below(31)),
            34 => format!("BMSK {to}, {n}, {a}"),
            35 => format!("P2R {to}, PR, {a}, 0x7"),
            36 => format!("R2P PR, {to}, 0x7"),
            37 => format!(
                "HFMA2.MMA {to}, -RZ, RZ, 0, {}",
                self.dice.of(&["2.384185791015625e-07", "0.00048828125"])
            ),
            38 => format!("FADD {to}, {}, 1", self.lanes()),
            39 => format!("{} {to}, {a}", self.dice.of(&["POPC", "BREV", "FLO.U32", "IABS"])),
            40 => format!("IADD {to}, {a}, {z}"),
            _ => format!("MOV {to}, {a}"),
        }
    }

    /// An instruction of the warp, or of all its lanes together.
    fn whole(&mut self) -> String {
        let (to, lanes) = (self.of_warp(), self.target());
        let [a, b] = [self.of_warp(), self.of_warp()];
        let (n, number) = (self.count(), self.number());
        match self.dice.below(12) {
            0 => format!("UIADD3 {to}, {a}, {b}, {number}"),
            1 => format!("UIMAD {to}, {a}, {number}, {b}"),
            2 => format!("ULEA {to}, {a}, {b}, {n}"),
            3 => format!("USHF.L.U32 {to}, {a}, {n}, URZ"),
            4 => format!("ULOP3.LUT {to}, {a}, {number}, URZ, 0xc0, !UPT"),
            5 => format!("USEL {to}, {a}, {b}, UP0"),
            6 => format!("UISETP.LT.AND UP0, UPT, {a}, {number}, UPT"),
            7 | 8 => format!("R2UR {to}, {lanes}"),
            9 => format!("VOTE.ANY {lanes}, PT, {}", self.dice.of(&["P0", "P1"])),
            10 => format!(
                "SHFL.BFLY PT, {lanes}, {}, 0x{:x}, 0x1f",
                self.target(),
                1 << self.dice.below(5)
            ),
            _ => format!(
                "SHFL.IDX PT, {lanes}, {}, 0x{:x}, 0x1f",
                self.target(),
                self.dice.below(32)
            ),
        }
    }

    fn memory(&mut self) -> (String, bool) {
        let to = self.target();
        let word = self.dice.below(4) * 4;
        match self.dice.below(12) {
            0 => (format!("LDG.E {to}, [{}.64]", self.lanes()), false),
            1 => (format!("STL [R1+0x{word:x}], {}", self.lanes()), false),
            2 | 3 => (format!("LDL {to}, [R1+0x{word:x}]"), false),
            _ => {
                let base = self.lanes();
                let address = match self.dice.below(6) {
                    5 => format!("[{base}.U32+{}+0x8]", self.of_warp()),
                    0 => format!("[{base}.X4]"),
                    1 => format!("[{base}+{}]", self.of_warp()),
                    2 => format!("[{base}.X8+{}+0x10]", self.of_warp()),
                    3 => format!("[{base}+-0x{:x}]", self.dice.below(64)),
                    _ => format!("[{base}]"),
                };
                let text = match self.dice.below(4) {
                    0 => format!("LDS {to}, {address}"),
                    1 => format!("LDS.64 R{}, {address}", 4 + 2 * self.dice.below(4)),
                    2 => format!("STS {address}, {to}"),
                    _ => format!("STS.U8 {address}, {to}"),
                };
                (text, true)
            }
        }
    }

    fn body(&mut self, depth: u32, whole: bool) -> Vec<Node> {
        let mut nodes = Vec::new();
        for _ in 0..4 + self.dice.below(14) {
            let guard = if self.dice.one_in(3) {
                self.bit().replace("PT", "P0").replace("UP0", "P1")
            } else {
                String::new()
            };
            match self.dice.below(20) {
                0 if depth > 0 => {
                    let by = self.dice.of(&["P0", "P1", "!P0", "P2"]).to_string();
                    let yes = self.body(depth - 1, false);
                    let no =
                        if self.dice.one_in(2) { self.body(depth - 1, false) } else { Vec::new() };
                    nodes.push(Node::If(by, yes, no));
                }
                1 if depth > 0 && whole => {
                    let by = self.dice.of(&["UP0", "!UP0"]).to_string();
                    let (yes, no) = (self.body(depth - 1, true), Vec::new());
                    nodes.push(Node::If(by, yes, no));
                }
                2 if depth > 0 && whole && self.loops < 3 => {
                    self.loops += 1;
                    let (counter, bound) = (9 + self.loops, self.of_warp());
                    let body = self.body(depth - 1, true);
                    nodes.push(Node::Rounds(counter, bound, body));
                }
                3 if whole && self.dice.one_in(12) => {
                    nodes.push(Node::Does(guard, "FROB R4".into(), None));
                }
                3..=5 if whole => nodes.push(Node::Does(String::new(), self.whole(), None)),
                6..=9 => {
                    let (text, is_access) = self.memory();
                    let number = is_access.then(|| {
                        self.accesses += 1;
                        self.accesses
                    });
                    nodes.push(Node::Does(guard, text, number));
                }
                _ => nodes.push(Node::Does(guard, self.op(), None)),
            }
        }
        nodes
    }
}

/// Every register is written before it is read.
fn begin() -> Vec<Node> {
    let mut all: Vec<String> = [
        "MOV R1, c[0x0][0x28]",
        "S2R R0, SR_TID.X",
        "S2R R2, SR_TID.Y",
        "S2R R3, SR_CTAID.X",
        "S2R R4, SR_LANEID",
        "MOV R5, c[0x0][0x160]",
        "LDG.E R6, [R0.64]",
        "LOP3.LUT R7, R0, 0x1f, RZ, 0xc0, !PT",
        "IMAD.SHL.U32 R8, R0, 0x4, RZ",
        "S2R R9, SR_LTMASK",
        "MOV R10, 0x40",
        "LEA R11, R3, R8, 0x8",
        "MOV R12, 0x0",
        "MOV R13, 0x0",
        "UMOV UR4, 0x400",
        "S2UR UR5, SR_CTAID.Y",
        "UMOV UR6, c[0x0][0x168]",
        "ULEA UR7, UR5, UR4, 0x4",
        "ISETP.LT.AND P0, PT, R0, 0x11, PT",
        "ISETP.LT.AND P1, PT, R6, RZ, PT",
        "ISETP.LT.AND P2, PT, R5, RZ, PT",
        "UISETP.LT.AND UP0, UPT, UR6, URZ, UPT",
        "UISETP.LT.AND UP1, UPT, UR6, URZ, UPT",
    ]
    .map(String::from)
    .to_vec();
    all.extend((0..4).map(|i| format!("STL [R1+0x{:x}], R{}", 4 * i, [0, 3, 6, 8][i])));
    all.into_iter().map(|text| Node::Does(String::new(), text, None)).collect()
}

/// Prints programs, as `nvdisasm` does.
#[derive(Default)]
struct Printer {
    text: String,
    count: usize,
    labels: usize,
    /// The line of each access.
    lines: BTreeMap<usize, usize>,
}

impl Printer {
    fn line(&mut self, guard: &str, text: &str) {
        let at = if guard.is_empty() { String::new() } else { format!("@{guard} ") };
        writeln!(self.text, "/*{:04x}*/ {at}{text} ;", 16 * self.count).unwrap();
        self.count += 1;
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!(".L_x_{}", self.labels)
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Does(guard, text, access) => {
                    if let Some(access) = access {
                        self.lines.insert(*access, self.text.lines().count() + 1);
                    }
                    self.line(guard, text);
                }
                Node::If(guard, yes, no) => {
                    let (other, end) = (self.label(), self.label());
                    self.line("", &format!("BSSY B0, `({end})"));
                    match guard.strip_prefix('!') {
                        Some(bare) if bare.starts_with('U') => {
                            self.line("", &format!("BRA.U {bare}, `({other})"));
                        }
                        Some(bare) => self.line(bare, &format!("BRA `({other})")),
                        None => self.line(&format!("!{guard}"), &format!("BRA `({other})")),
                    }
                    self.nodes(yes);
                    self.line("", &format!("BRA `({end})"));
                    writeln!(self.text, "{other}:").unwrap();
                    self.nodes(no);
                    writeln!(self.text, "{end}:").unwrap();
                    self.line("", "BSYNC B0");
                }
                Node::Rounds(counter, bound, body) => {
                    let head = self.label();
                    self.line("", &format!("UMOV UR{counter}, URZ"));
                    writeln!(self.text, "{head}:").unwrap();
                    self.nodes(body);
                    self.line("", &format!("UIADD3 UR{counter}, UR{counter}, 0x1, URZ"));
                    self.line("", &format!("ULOP3.LUT UR20, {bound}, 0x7, URZ, 0xc0, !UPT"));
                    self.line("", &format!("UISETP.LT.U32.AND UP1, UPT, UR{counter}, UR20, UPT"));
                    self.line("UP1", &format!("BRA `({head})"));
                }
            }
        }
    }
}

const HEAD: &str = ".target sm_80\n.section .text.k,\"ax\"\n.text.k:\n";
const BLOCKS: [[u32; 3]; 4] = [[32, 1, 1], [64, 2, 1], [16, 4, 1], [96, 1, 1]];

/// Holds what is claimed against what happened; how many accesses were known, and how many there were.
fn compare(seed: u64) -> [usize; 2] {
    let dice = Dice(seed.wrapping_mul(0x9e37_79b9) ^ 0x5a55);
    let mut maker = Maker { dice, accesses: 0, loops: 0 };
    let mut nodes = begin();
    let depth = if maker.dice.one_in(12) { 3 } else { 1 + maker.dice.below(2) };
    nodes.extend(maker.body(depth, true));
    nodes.extend(maker.body(depth - 1, true));
    let mut printer = Printer { text: HEAD.to_string(), ..Printer::default() };
    printer.nodes(&nodes);
    printer.line("", "EXIT");
    let text = printer.text;
    let stated = (!seed.is_multiple_of(3)).then(|| BLOCKS[seed as usize / 3 % 4]);
    let options = Options { block: stated, ..Options::default() };
    let kernels = audit(&text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let sites: BTreeMap<usize, _> = kernels[0].sites.iter().map(|site| (site.line, site)).collect();
    let mut tally = [0, 0];
    for again in 0..4 {
        let run = mixed(seed ^ again << 40);
        let block = stated.unwrap_or([[64, 2, 1], [32, 4, 1], [128, 1, 1]][run as usize % 3]);
        let warps = block.iter().product::<u32>() / 32;
        let number = (run >> 8) as u32 % warps;
        // Without a shape either the first warp stands for all, or each warp of a row has its number.
        let is_each =
            kernels[0].sites.iter().flat_map(|site| &site.reached).any(|one| one.wave > 0);
        let claimed = match stated {
            Some(_) => number as usize,
            None if is_each => (number % (block[0] / 32)) as usize,
            None => 0,
        };
        let (lanes, stack, seen) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
        let mut warp = Warp { seed: run, time: 0, block, number, lanes, stack, seen };
        warp.run(&nodes, u32::MAX);
        for (access, on, bytes) in &warp.seen {
            let site = sites[&printer.lines[access]];
            let at =
                || format!("seed {seed:#x}: line {} warp {number} of {block:?}\n{text}", site.line);
            let claims = Vec::from_iter(site.reached.iter().filter(|one| one.wave == claimed));
            // A guard that no lane passes is no access.
            if *on == 0 && claims.is_empty() {
                continue;
            }
            tally[1] += 1;
            tally[0] += usize::from(claims.iter().all(|one| is_form(one)));
            let row = site.access.as_ref().ok();
            assert!(
                claims.iter().any(|claim| is_so(claim, row, *on, bytes)),
                "{claims:?}, on {on:#x}, {bytes:?}: {}",
                at()
            );
        }
    }
    tally
}

fn is_form(claim: &Reached) -> bool {
    matches!(claim.address, Value::Sum { .. })
}

/// Whether what is claimed of an access happened, in the lanes that are on: a claim is of the address without what the row adds.
fn is_so(claim: &Reached, row: Option<&Row>, on: u32, bytes: &[u32; LANES]) -> bool {
    let lanes = (0..LANES).filter(|lane| bit(on, *lane));
    let offset = row.map_or(0, |row| row.offset);
    let is = Vec::from_iter(lanes.map(|lane| (lane, bytes[lane].wrapping_sub(offset))));
    claim.on.is_none_or(|claimed| claimed == u64::from(on)) && is_true(&claim.address, &is)
}

#[test]
fn what_is_said_of_an_address_is_true() {
    let numbers = support::fuzz::numbers(200);
    let cases = numbers.end - numbers.start;
    let mut all = [0, 0];
    for seed in numbers {
        let [known, seen] = compare(seed);
        all = [all[0] + known, all[1] + seen];
    }
    println!("{cases} programs: {} of {} executed accesses known", all[0], all[1]);
    assert!(all[0] * 4 > all[1], "{all:?}: a check of little");
}
