//! What is said of an address is true: random programs of PTX, run lane by lane with random unknowns.
//!
//! A program is a tree: integer instructions of 16, 32 and 64 bits, predicates and guards, loads, branches with and
//! without an else, local memory, loops whose rounds are known, unknown, or each lane's own, with `break`, `continue` and `ret` in them. It is printed
//! with labels and branches, and audited; and the tree is run by an interpreter that shares nothing with the crate: lanes
//! that part are together again at the end of what parted them. Of each access that is executed:
//!
//! | claimed | must be |
//! |---|---|
//! | a generic address is one of shared memory | each lane that is on has one that came from there |
//! | `u + f(lane)`, 2^k divides u | each lane that is on has one and the same u, which 2^k divides |
//! | low bits of each lane | each lane that is on has them |
//! | `u + f(lane)` and bits of `open` | each lane that is on has some of them beside one and the same u |
//! | the lanes that are on | exactly these are |
//! | no warp gets there | the program does not |
//! | lanes that write one byte write the same | they do |
//! | .. write different values | two of them do |
//! | no two lanes write one byte | none do |
//!
//! Loads and stores of global memory, and copies from there, are at pointers that parameters and numbers of lanes make: see
//! `touched.rs` for what is claimed of them.
//!
//! An access in a loop may have several claims, of rounds: one of them must be true. Half of the accesses are stores of a register. A quarter of the programs states no shape of the block, and a quarter only
//! how many threads it has at most: they run as a warp of any block whose rows are whole warps.
//!
//! A plain run has 200 programs.

use super::claimed::is_true;
use super::touched::{Tally, Touch};
use core::fmt::Write;
use std::collections::BTreeMap;
use support::fuzz::Dice;
use tiledesc_audit::value::Value;
use tiledesc_audit::{Options, Reached, Ruling, Site, Values, audit};

const LANES: usize = 32;
type Lanes = [u64; LANES];

/// A store that was executed.
struct Store {
    number: usize,
    on: u32,
    bytes: u32,
    at: Lanes,
    data: Lanes,
}

impl Store {
    /// Whether two lanes write one byte, and whether two of these write different values.
    fn met(&self) -> (bool, bool) {
        let kept = u64::MAX >> (64 - 8 * self.bytes);
        let on = || (0..LANES).filter(|lane| self.on >> lane & 1 == 1);
        let pairs = on().flat_map(|a| on().filter(move |b| a < *b).map(move |b| (a, b)));
        let met = pairs.filter(|(a, b)| self.at[*a] as u32 == self.at[*b] as u32);
        let values = Vec::from_iter(met.map(|(a, b)| (self.data[a] ^ self.data[b]) & kept != 0));
        (!values.is_empty(), values.contains(&true))
    }

    fn is_beyond(&self, memory: u64) -> bool {
        let bytes = u64::from(self.bytes);
        let on = (0..LANES).filter(|lane| self.on >> lane & 1 == 1);
        let all = || on.clone().map(|lane| u64::from(self.at[lane] as u32));
        let [first, last] = [all().min(), all().max()].map(Option::unwrap_or_default);
        first + bytes > memory || last - first > memory - bytes
    }

    fn is_aligned(&self) -> bool {
        let on = (0..LANES).filter(|lane| self.on >> lane & 1 == 1);
        on.map(|lane| self.at[lane] as u32).all(|at| at.is_multiple_of(self.bytes))
    }
}

/// Stores of which it is said that their lanes write the same, that they do not, that it is not known, and that none meet.
type Races = [usize; 4];

/// Holds what is claimed of a store of a warp against what happened.
fn compare_store(site: &Site, number: usize, store: &Store, races: &mut Races) -> bool {
    let mut site = site.clone();
    site.reached.retain(|one| one.wave == number);
    let Ruling::Judged(verdict) = site.ruling(LANES) else { return true };
    // Rounds of a loop in which a lane would be beyond the memory are left out.
    if !store.is_aligned() || site.reached.len() > 1 && store.is_beyond(228 << 10) {
        return true;
    }
    let (meet, differ) = store.met();
    // Of several rounds of a loop the worst is told.
    let is_one = site.reached.len() == 1;
    let (kind, is_true) = match verdict.race.map(|race| race.values) {
        Some(Values::Same) => (0, !differ),
        Some(Values::Different) => (1, differ || !is_one),
        Some(Values::Unknown) => (2, true),
        None => (3, !meet),
    };
    races[kind] += 1;
    is_true
}

/// Registers of each width that programs use, and predicates.
const COUNT: u32 = 7;
/// Generic addresses, of 64 bits, and numbers of 32 bits that are added to them.
const GENERIC: u32 = 20;
const NUMBERS: u32 = 60;
const FEW: u32 = 3;
/// Bytes of local memory, and the registers that point to its begin, there as a generic address, and to its middle.
const LOCAL: usize = 48;
const POINTERS: [&str; 3] = ["%d26", "%d27", "%d28"];
const MIDDLE: usize = 16;
/// Pointers to global memory: as a parameter says, and what is computed of it.
const GLOBAL: [Reg; 2] = [Reg(64, 23), Reg(64, 24)];
/// A place that was computed, in words.
const INDEX: Reg = Reg(32, 280);

/// A register: its bits, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Reg(u32, u32);

impl Reg {
    fn text(self) -> String {
        let name = match self.0 {
            1 => "p",
            16 => "h",
            32 => "r",
            _ => "d",
        };
        format!("%{name}{}", self.1)
    }
}

#[derive(Clone, Copy, Debug)]
enum From {
    R(Reg),
    N(u64),
}

impl From {
    fn text(self) -> String {
        match self {
            Self::R(reg) => reg.text(),
            Self::N(number) => number.to_string(),
        }
    }
}

/// What an operand may be.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// A register or an immediate of the given width in bits.
    Any(u32),
    Reg(u32),
    /// How far to shift, where a field begins, or how long it is: mostly a number.
    Count,
    /// A number that is not 0.
    Divisor,
    Table,
}
use Form::{Any, Count, Divisor, Reg as R, Table};

/// An instruction of one result: its text, the bits of the result, its operands, and what it does.
type Op = (&'static str, u32, &'static [Form], fn([u64; 4]) -> u64);

fn s(number: u64, bits: u32) -> i64 {
    (number << (64 - bits)) as i64 >> (64 - bits)
}

fn bit_field(a: u64, first: u64, count: u64, signed: bool) -> u64 {
    let (first, count) = (first & 0xff, count & 0xff);
    let bit = |i: u64| if i < 32 { a >> i & 1 } else { 0 };
    let fill = if signed && count > 0 { bit((first + count - 1).min(31)) } else { 0 };
    (0..32).map(|i| (if i < count && first + i < 32 { bit(first + i) } else { fill }) << i).sum()
}

fn shifted(a: u64, count: u64, bits: u32, kind: char) -> u64 {
    match kind {
        'l' if count >= u64::from(bits) => 0,
        'l' => a << count,
        'u' if count >= u64::from(bits) => 0,
        'u' => a >> count,
        _ => (s(a, bits) >> count.min(u64::from(bits) - 1)) as u64,
    }
}

const OPS: &[Op] = &[
    ("mov.b32", 32, &[Any(32)], |[a, ..]| a),
    ("add.s32", 32, &[Any(32), Any(32)], |[a, b, ..]| a.wrapping_add(b)),
    ("add.u32", 32, &[R(32), Any(32)], |[a, b, ..]| a.wrapping_add(b)),
    ("sub.s32", 32, &[Any(32), Any(32)], |[a, b, ..]| a.wrapping_sub(b)),
    ("neg.s32", 32, &[R(32)], |[a, ..]| 0_u64.wrapping_sub(a)),
    ("abs.s32", 32, &[R(32)], |[a, ..]| s(a, 32).unsigned_abs()),
    ("mul.lo.s32", 32, &[R(32), Any(32)], |[a, b, ..]| a.wrapping_mul(b)),
    ("mul.hi.u32", 32, &[R(32), Any(32)], |[a, b, ..]| (a * b) >> 32),
    ("mul.hi.s32", 32, &[R(32), Any(32)], |[a, b, ..]| ((s(a, 32) * s(b, 32)) >> 32) as u64),
    ("mad.lo.s32", 32, &[R(32), Any(32), Any(32)], |[a, b, c, _]| {
        a.wrapping_mul(b).wrapping_add(c)
    }),
    ("mul24.lo.u32", 32, &[R(32), Any(32)], |[a, b, ..]| {
        (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff)
    }),
    ("shl.b32", 32, &[R(32), Count], |[a, b, ..]| shifted(a, b, 32, 'l')),
    ("shr.u32", 32, &[R(32), Count], |[a, b, ..]| shifted(a, b, 32, 'u')),
    ("shr.s32", 32, &[R(32), Count], |[a, b, ..]| shifted(a, b, 32, 's')),
    ("and.b32", 32, &[R(32), Any(32)], |[a, b, ..]| a & b),
    ("or.b32", 32, &[R(32), Any(32)], |[a, b, ..]| a | b),
    ("xor.b32", 32, &[R(32), Any(32)], |[a, b, ..]| a ^ b),
    ("not.b32", 32, &[R(32)], |[a, ..]| !a),
    ("min.u32", 32, &[R(32), Any(32)], |[a, b, ..]| a.min(b)),
    ("max.s32", 32, &[R(32), Any(32)], |[a, b, ..]| s(a, 32).max(s(b, 32)) as u64),
    ("bfe.u32", 32, &[R(32), Count, Count], |[a, b, c, _]| bit_field(a, b, c, false)),
    ("bfe.s32", 32, &[R(32), Count, Count], |[a, b, c, _]| bit_field(a, b, c, true)),
    ("bfi.b32", 32, &[R(32), R(32), Count, Count], |[a, b, c, d]| {
        let (c, d) = (c & 0xff, d & 0xff);
        (0..32)
            .map(|i| (if i >= c && i < c + d { a >> (i - c) & 1 } else { b >> i & 1 }) << i)
            .sum()
    }),
    ("lop3.b32", 32, &[R(32), R(32), Any(32), Table], |[a, b, c, d]| {
        (0..32).map(|i| (d >> (4 * (a >> i & 1) + 2 * (b >> i & 1) + (c >> i & 1)) & 1) << i).sum()
    }),
    ("prmt.b32", 32, &[R(32), R(32), Any(32)], |[a, b, c, _]| {
        let byte = |i: u64| (a | b << 32) >> (8 * (i & 7)) & 0xff;
        let of = |i: u64| if i < 8 { byte(i) } else { (byte(i) >> 7) * 0xff };
        (0..4).map(|i| of(c >> (4 * i) & 15) << (8 * i)).sum()
    }),
    ("bmsk.clamp.b32", 32, &[Count, Any(32)], |[a, b, ..]| {
        (0..32).map(|i| u64::from(i >= a && i < a + b) << i).sum()
    }),
    ("bmsk.wrap.b32", 32, &[Any(32), Count], |[a, b, ..]| {
        let (a, b) = (a % 32, b % 32);
        (0..32).map(|i| u64::from(i >= a && i < a + b) << i).sum()
    }),
    ("shf.l.wrap.b32", 32, &[R(32), R(32), Count], |[a, b, c, _]| {
        ((b << 32 | a) << (c & 31)) >> 32
    }),
    ("shf.r.wrap.b32", 32, &[R(32), R(32), Count], |[a, b, c, _]| (b << 32 | a) >> (c & 31)),
    ("shf.l.clamp.b32", 32, &[R(32), R(32), Count], |[a, b, c, _]| {
        ((b << 32 | a) << c.min(32)) >> 32
    }),
    ("shf.r.clamp.b32", 32, &[R(32), R(32), Count], |[a, b, c, _]| (b << 32 | a) >> c.min(32)),
    ("div.u32", 32, &[R(32), Divisor], |[a, b, ..]| a / b),
    ("rem.u32", 32, &[R(32), Divisor], |[a, b, ..]| a % b),
    ("div.s32", 32, &[R(32), Divisor], |[a, b, ..]| (s(a, 32) / s(b, 32)) as u64),
    ("popc.b32", 32, &[R(32)], |[a, ..]| a.count_ones().into()),
    ("clz.b32", 32, &[R(32)], |[a, ..]| u64::from((a as u32).leading_zeros())),
    ("brev.b32", 32, &[R(32)], |[a, ..]| u64::from((a as u32).reverse_bits())),
    (
        "bfind.u32",
        32,
        &[R(32)],
        |[a, ..]| if a == 0 { u64::MAX } else { 63 - u64::from(a.leading_zeros()) },
    ),
    ("cvt.u32.u64", 32, &[R(64)], |[a, ..]| a),
    ("cvt.u32.u16", 32, &[R(16)], |[a, ..]| a),
    ("cvt.s32.s16", 32, &[R(16)], |[a, ..]| s(a, 16) as u64),
    ("cvt.s32.s8", 32, &[R(32)], |[a, ..]| s(a & 0xff, 8) as u64),
    ("cvt.u64.u32", 64, &[R(32)], |[a, ..]| a),
    ("cvt.s64.s32", 64, &[R(32)], |[a, ..]| s(a, 32) as u64),
    ("cvt.u16.u32", 16, &[R(32)], |[a, ..]| a),
    ("cvt.u16.u64", 16, &[R(64)], |[a, ..]| a),
    ("mov.b64", 64, &[R(64)], |[a, ..]| a),
    ("add.s64", 64, &[R(64), Any(64)], |[a, b, ..]| a.wrapping_add(b)),
    ("sub.s64", 64, &[R(64), Any(64)], |[a, b, ..]| a.wrapping_sub(b)),
    ("mul.lo.s64", 64, &[R(64), Any(64)], |[a, b, ..]| a.wrapping_mul(b)),
    ("shl.b64", 64, &[R(64), Count], |[a, b, ..]| shifted(a, b, 64, 'l')),
    ("shr.u64", 64, &[R(64), Count], |[a, b, ..]| shifted(a, b, 64, 'u')),
    ("shr.s64", 64, &[R(64), Count], |[a, b, ..]| shifted(a, b, 64, 's')),
    ("and.b64", 64, &[R(64), Any(64)], |[a, b, ..]| a & b),
    ("or.b64", 64, &[R(64), Any(64)], |[a, b, ..]| a | b),
    ("xor.b64", 64, &[R(64), Any(64)], |[a, b, ..]| a ^ b),
    ("mul.wide.u32", 64, &[R(32), Any(32)], |[a, b, ..]| a * b),
    ("mul.wide.s32", 64, &[R(32), Any(32)], |[a, b, ..]| (s(a, 32) * s(b, 32)) as u64),
    ("mul.wide.u16", 32, &[R(16), R(16)], |[a, b, ..]| a * b),
    ("mul.wide.s16", 32, &[R(16), R(16)], |[a, b, ..]| (s(a, 16) * s(b, 16)) as u64),
    ("mad.wide.u32", 64, &[R(32), R(32), R(64)], |[a, b, c, _]| (a * b).wrapping_add(c)),
    ("add.s16", 16, &[R(16), R(16)], |[a, b, ..]| a.wrapping_add(b)),
    ("mul.lo.s16", 16, &[R(16), R(16)], |[a, b, ..]| a.wrapping_mul(b)),
    ("shl.b16", 16, &[R(16), Count], |[a, b, ..]| shifted(a, b, 16, 'l')),
    ("shr.u16", 16, &[R(16), Count], |[a, b, ..]| shifted(a, b, 16, 'u')),
    ("shr.s16", 16, &[R(16), Count], |[a, b, ..]| shifted(a, b, 16, 's')),
    ("min.s16", 16, &[R(16), R(16)], |[a, b, ..]| s(a, 16).min(s(b, 16)) as u64),
    ("and.pred", 1, &[R(1), R(1)], |[a, b, ..]| a & b),
    ("xor.pred", 1, &[R(1), R(1)], |[a, b, ..]| a ^ b),
    ("not.pred", 1, &[R(1)], |[a, ..]| !a),
    ("selp.b32", 32, &[Any(32), Any(32), R(1)], |[a, b, c, _]| if c == 1 { a } else { b }),
    ("selp.b64", 64, &[R(64), R(64), R(1)], |[a, b, c, _]| if c == 1 { a } else { b }),
    ("setp.lt.s32", 1, &[R(32), Any(32)], |[a, b, ..]| u64::from(s(a, 32) < s(b, 32))),
    ("setp.ge.u32", 1, &[R(32), Any(32)], |[a, b, ..]| u64::from(a >= b)),
    ("setp.eq.b32", 1, &[R(32), Any(32)], |[a, b, ..]| u64::from(a == b)),
    ("setp.hi.u32", 1, &[R(32), Any(32)], |[a, b, ..]| u64::from(a > b)),
    ("setp.gt.s64", 1, &[R(64), Any(64)], |[a, b, ..]| u64::from(a as i64 > b as i64)),
    ("setp.ne.and.s32", 1, &[R(32), Any(32), R(1)], |[a, b, c, _]| u64::from(a != b) & c),
    ("setp.le.or.u16", 1, &[R(16), R(16), R(1)], |[a, b, c, _]| u64::from(a <= b) | c),
];

/// A fragment's load or store, bytes of its elements, and the line and bytes of a lane, as ptxas 12.9 has them in its code.
type Fragment = (&'static str, u64, fn(u64) -> (u64, u64));

const FRAGMENTS: [Fragment; 6] = [
    ("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16", 2, |l| ((l & 7) + (l & 8), l >> 4 << 4)),
    ("wmma.load.b.sync.aligned.col.m16n16k16.shared.f16", 2, |l| {
        ((l & 7) + (l >> 4 << 3), (l >> 3 & 1) << 4)
    }),
    ("wmma.load.a.sync.aligned.row.m16n16k16.shared.s8", 1, |l| (l & 15, 0)),
    ("wmma.load.c.sync.aligned.row.m16n16k16.shared.f16", 2, |l| (l >> 2, (l & 3) << 2)),
    ("wmma.store.d.sync.aligned.row.m16n16k16.shared.f32", 4, |l| (l >> 2, (l & 3) << 3)),
    ("wmma.store.d.sync.aligned.col.m16n16k16.shared.f32", 4, |l| (l << 1 & 6, l >> 2 << 2)),
];

/// What an instruction does in some lanes.
type Does = Box<dyn Fn(&mut Warp, u32)>;

/// A node of a program.
enum Node {
    /// `@guard op to, from..`, with the line of its text.
    Op {
        op: usize,
        to: Reg,
        from: Vec<From>,
        guard: Option<(Reg, bool)>,
    },
    /// What is not in the table: its text, and what it does.
    Special {
        text: String,
        does: Does,
        guard: Option<(Reg, bool)>,
    },
    Access {
        address: Reg,
        offset: u64,
        guard: Option<(Reg, bool)>,
        number: usize,
        /// The bytes that are stored, and of which register.
        data: Option<(u32, Reg)>,
        /// A fragment in place of a register, and how far its lines lie apart.
        fragment: Option<(usize, u64)>,
    },
    /// Its number, its text before the address and behind it, and what is added to the pointer.
    Touch {
        number: usize,
        text: [String; 2],
        offset: i64,
        pointer: Reg,
        guard: Option<(Reg, bool)>,
    },
    If {
        by: (Reg, bool),
        yes: Vec<Self>,
        no: Option<Vec<Self>>,
    },
    /// A body, `(p, !)` while, numbers of its labels, and what its counter does.
    Loop {
        body: Vec<Self>,
        by: Reg,
        label: usize,
        goes: Goes,
    },
    Break {
        by: (Reg, bool),
        label: usize,
    },
    Continue {
        by: (Reg, bool),
        label: usize,
    },
    Return {
        by: (Reg, bool),
    },
}

/// What the counter of a loop does in a round, and when there is another one: it is below a limit, or above it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goes {
    Up,
    Doubles,
    Halves,
}

impl Goes {
    fn texts(self) -> [&'static str; 2] {
        match self {
            Self::Up => ["add.s32", "lt"],
            Self::Doubles => ["shl.b32", "lt"],
            Self::Halves => ["shr.u32", "gt"],
        }
    }

    fn begin(self) -> u64 {
        match self {
            Self::Up => 0,
            Self::Doubles => 1,
            Self::Halves => 32,
        }
    }

    fn next(self, counter: u64) -> u64 {
        match self {
            Self::Up => counter + 1,
            Self::Doubles => counter << 1,
            Self::Halves => counter >> 1,
        }
    }

    fn again(self, counter: u64, limit: u64) -> bool {
        if self == Self::Halves { counter > limit } else { counter < limit }
    }
}

/// A warp as it is run.
struct Warp {
    number: usize,
    /// x, y and z of the block.
    shape: [u64; 3],
    registers: BTreeMap<Reg, Lanes>,
    seed: u64,
    /// Instructions so far: what memory holds changes.
    time: u64,
    steps: usize,
    /// Number, lanes and addresses of each access.
    seen: Vec<(usize, u32, Lanes)>,
    stores: Vec<Store>,
    gone: u32,
    /// The lanes of each generic address that lie in shared memory, and those of each access.
    /// In the upper half those of which the host gave the address.
    inside: BTreeMap<Reg, u64>,
    seen_inside: Vec<u64>,
    /// The number of each access to global memory, and what it touched.
    touches: Vec<(usize, Touch)>,
    /// The bytes that each lane keeps for itself.
    local: [[u8; LOCAL]; LANES],
}

fn mixed(seed: u64) -> u64 {
    let a = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    b ^ b >> 31
}

impl Warp {
    /// x, y and z of a lane in the block.
    fn item(&self, lane: usize) -> [u64; 3] {
        let ([x, y, _], at) = (self.shape, (self.number * LANES + lane) as u64);
        [at % x, at / x % y, at / x / y]
    }

    fn get(&self, from: From, lane: usize) -> u64 {
        match from {
            From::R(reg) => self.registers.get(&reg).map_or(0, |lanes| lanes[lane]),
            From::N(number) => number,
        }
    }

    fn set(&mut self, to: Reg, on: u32, number: impl Fn(&Self, usize) -> u64) {
        let mut new = self.registers.get(&to).copied().unwrap_or([0; LANES]);
        for (lane, slot) in new.iter_mut().enumerate().filter(|(lane, _)| on >> lane & 1 == 1) {
            *slot = number(self, lane) & u64::MAX >> (64 - to.0);
        }
        self.registers.insert(to, new);
    }

    /// Some lanes keep bytes of a register.
    fn keep(&mut self, on: u32, at: impl Fn(&Self, usize) -> usize, bytes: usize, from: Reg) {
        for lane in (0..LANES).filter(|lane| on >> lane & 1 == 1) {
            let (at, value) = (at(self, lane), self.get(From::R(from), lane).to_le_bytes());
            self.local[lane][at..at + bytes].copy_from_slice(&value[..bytes]);
        }
    }

    /// Bytes that a lane has kept.
    fn kept(&self, lane: usize, at: usize, bytes: usize) -> u64 {
        let all = self.local[lane][at..at + bytes].iter().rev();
        all.fold(0, |all, byte| all << 8 | u64::from(*byte))
    }

    /// Some lanes of a register are now inside shared memory or not.
    fn set_inside(&mut self, to: Reg, on: u32, inside: u64) {
        let (known, on) = (self.inside.entry(to).or_insert(0), twice(on));
        *known = *known & !on | inside & on;
    }

    fn unknown(&self, what: u64) -> u64 {
        mixed(self.seed ^ mixed(what))
    }

    fn taking(&self, on: u32, by: (Reg, bool)) -> u32 {
        let of = |lane: usize| (self.get(From::R(by.0), lane) == 1) != by.1;
        (0..LANES).filter(|lane| on >> lane & 1 == 1 && of(*lane)).map(|lane| 1 << lane).sum()
    }

    /// Runs nodes in some lanes; those that go on after them, those that leave loops, and those that go on in them.
    fn run(&mut self, nodes: &[Node], mut on: u32, loops: &mut BTreeMap<usize, [u32; 2]>) -> u32 {
        for node in nodes {
            self.steps += 1;
            self.time += 1;
            if on == 0 || self.steps > 4000 {
                return if self.steps > 4000 { 0 } else { on };
            }
            match node {
                Node::Op { op, to, from, guard } => {
                    let these = guard.map_or(on, |by| self.taking(on, by));
                    let (f, from) = (OPS[*op].3, from.clone());
                    self.set(*to, these, |warp, lane| {
                        let mut all = [0; 4];
                        from.iter()
                            .zip(&mut all)
                            .for_each(|(one, slot)| *slot = warp.get(*one, lane));
                        f(all)
                    });
                }
                Node::Special { does, guard, .. } => {
                    let these = guard.map_or(on, |by| self.taking(on, by));
                    does(self, these);
                }
                Node::Access { address, offset, guard, number, data, fragment } => {
                    let these = guard.map_or(on, |by| self.taking(on, by));
                    // All lanes name one address of a fragment, the first's.
                    let first = these.trailing_zeros() as usize % LANES;
                    let all = core::array::from_fn(|lane| {
                        let from = if fragment.is_some() { first } else { lane };
                        let far = fragment.map_or(0, |(form, stride)| {
                            let (_, element, place) = FRAGMENTS[form];
                            let (line, bytes) = place(lane as u64);
                            line * stride * element + bytes
                        });
                        self.get(From::R(*address), from).wrapping_add(*offset + far)
                    });
                    self.seen.push((*number, these, all));
                    self.seen_inside.push(self.inside.get(address).copied().unwrap_or(0));
                    if let Some((bytes, data)) = *data {
                        let data = core::array::from_fn(|lane| self.get(From::R(data), lane));
                        self.stores.push(Store {
                            number: *number,
                            on: these,
                            bytes,
                            at: all,
                            data,
                        });
                    }
                }
                Node::Touch { number, offset, pointer, guard, .. } => {
                    let these = guard.map_or(on, |by| self.taking(on, by));
                    let at = |lane| self.get(From::R(*pointer), lane).wrapping_add_signed(*offset);
                    let at = (0..LANES).map(at).collect();
                    self.touches.push((*number, Touch { on: these.into(), at }));
                }
                Node::If { by, yes, no } => {
                    let (yes_on, no_on) = (self.taking(on, *by), on & !self.taking(on, *by));
                    let mut left = self.run(yes, yes_on, loops);
                    left |= match no {
                        Some(no) => self.run(no, no_on, loops),
                        None => no_on,
                    };
                    on = left;
                }
                Node::Loop { body, by, label, goes } => {
                    let (mut left, mut round) = (0, on);
                    while round != 0 && self.steps <= 4000 {
                        loops.insert(*label, [0, 0]);
                        let ended = self.run(body, round, loops);
                        let [broken, next] = loops[label];
                        let ended = ended | next;
                        // The condition is computed by all that get to the end of the body.
                        let again = self.run_latch(ended, *by, *goes);
                        left |= broken | ended & !again;
                        round = again;
                    }
                    on = left;
                }
                Node::Break { by, label } | Node::Continue { by, label } => {
                    let these = self.taking(on, *by);
                    loops.get_mut(label).unwrap()
                        [usize::from(matches!(node, Node::Continue { .. }))] |= these;
                    on &= !these;
                }
                Node::Return { by } => {
                    let these = self.taking(on, *by);
                    self.gone |= these;
                    on &= !these;
                }
            }
        }
        on
    }

    /// A counter, and whether there is another round: `by` is its number in registers of their own.
    fn run_latch(&mut self, on: u32, by: Reg, goes: Goes) -> u32 {
        let (counter, limit) = (Reg(32, 100 + by.1), Reg(32, 200 + by.1));
        self.set(counter, on, |warp, lane| goes.next(warp.get(From::R(counter), lane)));
        self.set(Reg(1, 100 + by.1), on, |warp, lane| {
            let [counter, limit] = [counter, limit].map(|one| warp.get(From::R(one), lane));
            goes.again(counter, limit).into()
        });
        self.taking(on, (Reg(1, 100 + by.1), false))
    }
}

struct Maker {
    dice: Dice,
    accesses: usize,
    labels: usize,
    loops: Vec<usize>,
    /// Whether generic addresses of other memory are among those of shared memory.
    mixes: bool,
    /// Whether a generic address of local memory is made: then any generic store may be one to it.
    is_generic: bool,
}

impl Maker {
    fn number(&mut self, bits: u32) -> u64 {
        let any =
            u64::from(self.dice.below(1 << 31)) << 33 ^ u64::from(self.dice.below(1 << 31)) << 3;
        let number = match self.dice.below(6) {
            0 | 1 => u64::from(self.dice.below(8)),
            2 => 1 << self.dice.below(bits),
            3 => (1 << self.dice.below(bits)) - 1,
            4 => !((1 << self.dice.below(bits)) - 1),
            _ => any,
        };
        // A number of PTX has the sign of 64 bits: kept below.
        number & u64::MAX >> (64 - bits) & (i64::MAX as u64)
    }

    fn reg(&mut self, bits: u32) -> Reg {
        let count = if bits == 32 && !self.loops.is_empty() && self.dice.one_in(6) {
            return Reg(
                32,
                100 + self.loops[self.dice.below(self.loops.len() as u32) as usize] as u32,
            );
        } else if bits == 32 {
            2 * COUNT
        } else {
            COUNT
        };
        Reg(bits, self.dice.below(count))
    }

    fn target(&mut self, bits: u32) -> Reg {
        Reg(bits, self.dice.below(if bits == 32 { 2 * COUNT } else { COUNT }))
    }

    fn guard(&mut self) -> Option<(Reg, bool)> {
        let (some, by) = (self.dice.one_in(6), self.by());
        some.then_some(by)
    }

    fn by(&mut self) -> (Reg, bool) {
        (self.reg(1), self.dice.one_in(2))
    }

    fn op(&mut self) -> Node {
        let op = self.dice.below(OPS.len() as u32) as usize;
        let (_, bits, forms, _) = OPS[op];
        let from = forms.iter().map(|form| match form {
            Any(bits) if self.dice.one_in(2) => From::N(self.number(*bits)),
            Any(bits) | R(bits) => From::R(self.reg(*bits)),
            Count if self.dice.one_in(8) => From::R(self.reg(32)),
            Count => From::N(u64::from(self.dice.below(36))),
            Divisor if self.dice.one_in(2) => From::N(1 << self.dice.below(12)),
            Divisor => From::N(1 + u64::from(self.dice.below(200))),
            Table => From::N(u64::from(self.dice.below(256))),
        });
        let from = from.collect();
        Node::Op { op, to: self.target(bits), from, guard: self.guard() }
    }

    /// Loads, pairs, windows.
    fn special(&mut self) -> Node {
        let (a, b, c, d) = (self.reg(32), self.target(32), self.target(64), self.reg(64));
        let (h, k, guard) = (self.target(16), self.target(16), self.guard());
        let special = |text: String, does: Does| Node::Special { text, does, guard };
        let load = move |warp: &mut Warp, on: u32, apart: u64| {
            let time = warp.time;
            warp.set(b, on, |warp, lane| {
                let from = warp.get(From::R(a), lane);
                // Lanes that load from one address load the same.
                warp.unknown(from << 20 ^ time << 8 ^ ((lane as u64 + 1) * apart))
            });
        };
        match self.dice.below(14) {
            0 => special(
                format!("ld.shared.b32 {}, [{}]", b.text(), a.text()),
                Box::new(move |warp, on| load(warp, on, 0)),
            ),
            1 => special(
                format!("ld.volatile.shared.b32 {}, [{}]", b.text(), a.text()),
                Box::new(move |warp, on| load(warp, on, 1)),
            ),
            2 => special(
                format!("mov.b64 {}, {{{}, {}}}", c.text(), a.text(), b.text()),
                Box::new(move |warp, on| {
                    warp.set(c, on, |warp, lane| {
                        warp.get(From::R(a), lane) | warp.get(From::R(b), lane) << 32
                    });
                }),
            ),
            3 => special(
                format!("mov.b64 {{_, {}}}, {}", b.text(), d.text()),
                Box::new(move |warp, on| {
                    warp.set(b, on, |warp, lane| warp.get(From::R(d), lane) >> 32);
                }),
            ),
            4 => special(
                format!("mov.b32 {}, {{{}, {}}}", b.text(), h.text(), k.text()),
                Box::new(move |warp, on| {
                    warp.set(b, on, |warp, lane| {
                        warp.get(From::R(h), lane) | warp.get(From::R(k), lane) << 16
                    });
                }),
            ),
            5 if h != k => special(
                format!("mov.b32 {{{}, {}}}, {}", h.text(), k.text(), a.text()),
                Box::new(move |warp, on| {
                    let old = warp.registers[&a];
                    warp.set(h, on, |_, lane| old[lane]);
                    warp.set(k, on, |_, lane| old[lane] >> 16);
                }),
            ),
            6 => special(
                format!("cvta.to.shared.u64 {}, {}", c.text(), d.text()),
                Box::new(move |warp, on| {
                    // As its variable is aligned.
                    let window = warp.unknown(7) & 0xffff_ffff_ffff & !63;
                    warp.set(c, on, |warp, lane| {
                        u64::from(warp.get(From::R(d), lane).wrapping_sub(window) as u32)
                    });
                }),
            ),
            7 => {
                let (p, q, number) = (self.target(1), self.target(1), self.number(32));
                let q = if p == q { Reg(1, (p.1 + 1) % COUNT) } else { q };
                special(
                    format!("setp.lt.u32 {}|{}, {}, {number}", p.text(), q.text(), a.text()),
                    Box::new(move |warp, on| {
                        warp.set(p, on, |warp, lane| {
                            u64::from(warp.get(From::R(a), lane) < number)
                        });
                        warp.set(q, on, |warp, lane| {
                            u64::from(warp.get(From::R(a), lane) >= number)
                        });
                    }),
                )
            }
            8 => {
                let (name, i) = [("x", 0), ("y", 1), ("z", 2)][self.dice.below(3) as usize];
                special(
                    format!("mov.u32 {}, %tid.{name}", b.text()),
                    Box::new(move |warp, on| warp.set(b, on, |warp, lane| warp.item(lane)[i])),
                )
            }
            9 => {
                let (name, i) = [("x", 0), ("y", 1), ("z", 2)][self.dice.below(3) as usize];
                special(
                    format!("mov.u32 {}, %ntid.{name}", b.text()),
                    Box::new(move |warp, on| warp.set(b, on, |warp, _| warp.shape[i])),
                )
            }
            // Under a guard: what all lanes share, or each has of its own, in place of what was there.
            10 => special(
                format!("ld.param.u32 {}, [f_param_0]", b.text()),
                Box::new(move |warp, on| warp.set(b, on, |warp, _| warp.unknown(2))),
            ),
            11 => special(
                format!("mov.u32 {}, %laneid", b.text()),
                Box::new(move |warp, on| warp.set(b, on, |_, lane| lane as u64)),
            ),
            _ => special(
                format!("mov.u32 {}, smem", b.text()),
                Box::new(move |warp, on| warp.set(b, on, |warp, _| warp.unknown(3) & !63)),
            ),
        }
    }

    /// What is done to numbers that are added to generic addresses.
    fn number_op(&mut self) -> Node {
        loop {
            let mut node = self.op();
            let Node::Op { op, to, from, .. } = &mut node else { continue };
            let is_plain = |form: &Form| matches!(form, Any(32) | R(32) | Count | Divisor | Table);
            if OPS[*op].1 != 32 || !OPS[*op].2.iter().all(is_plain) {
                continue;
            }
            *to = Reg(32, NUMBERS + self.dice.below(FEW));
            for one in from {
                if let From::R(reg) = one {
                    *reg = Reg(32, NUMBERS + self.dice.below(FEW));
                }
            }
            return node;
        }
    }

    /// Makes a generic address, or another of one.
    fn generic(&mut self) -> Node {
        // The last register holds what the host hands over, in programs that do not mix.
        let last = FEW - 1;
        let (is_host, mixes) = (!self.mixes && self.dice.one_in(3), self.mixes);
        let mut any = || match (is_host, mixes) {
            (true, _) => Reg(64, GENERIC + last),
            (_, true) => Reg(64, GENERIC + self.dice.below(FEW)),
            _ => Reg(64, GENERIC + self.dice.below(last)),
        };
        let (a, b, c) = (any(), any(), any());
        let n = Reg(32, NUMBERS + self.dice.below(FEW));
        let (d, p, guard) = (self.reg(64), self.reg(1), self.guard());
        let number = u64::from(self.dice.below(16)) * 4;
        let special = |text: String, does: Does| Node::Special { text, does, guard };
        let inside = |warp: &Warp, reg: Reg| warp.inside.get(&reg).copied().unwrap_or(0);
        let kind = self.dice.below(if self.mixes { 10 } else { 6 });
        match if is_host && kind == 0 { 7 } else { kind } {
            0 => special(
                format!("cvta.shared.u64 {}, {}", a.text(), d.text()),
                Box::new(move |warp, on| {
                    let window = warp.unknown(7) & 0xffff_ffff_ffff & !63;
                    warp.set(a, on, |warp, lane| warp.get(From::R(d), lane).wrapping_add(window));
                    warp.set_inside(a, on, on.into());
                }),
            ),
            1 => special(
                format!("add.s64 {}, {}, {number}", a.text(), b.text()),
                Box::new(move |warp, on| {
                    let from = inside(warp, b);
                    warp.set(a, on, |warp, lane| warp.get(From::R(b), lane).wrapping_add(number));
                    warp.set_inside(a, on, from);
                }),
            ),
            2 | 3 => special(
                format!("mad.wide.u32 {}, {}, {number}, {}", a.text(), n.text(), b.text()),
                Box::new(move |warp, on| {
                    let from = inside(warp, b);
                    warp.set(a, on, |warp, lane| {
                        let far = warp.get(From::R(n), lane) * number;
                        warp.get(From::R(b), lane).wrapping_add(far)
                    });
                    warp.set_inside(a, on, from);
                }),
            ),
            4 | 5 => special(
                format!("selp.b64 {}, {}, {}, {}", a.text(), b.text(), c.text(), p.text()),
                Box::new(move |warp, on| {
                    let yes = warp.taking(on, (p, false));
                    let both = twice(yes);
                    let from = inside(warp, b) & both | inside(warp, c) & !both;
                    warp.set(a, on, |warp, lane| {
                        warp.get(From::R(if yes >> lane & 1 == 1 { b } else { c }), lane)
                    });
                    warp.set_inside(a, on, from);
                }),
            ),
            6 => special(
                format!("sub.s64 {}, {}, {}", a.text(), b.text(), c.text()),
                Box::new(move |warp, on| {
                    warp.set(a, on, |warp, lane| {
                        warp.get(From::R(b), lane).wrapping_sub(warp.get(From::R(c), lane))
                    });
                    warp.set_inside(a, on, 0);
                }),
            ),
            7 | 8 => special(
                format!("ld.param.u64 {}, [f_param_1]", a.text()),
                Box::new(move |warp, on| {
                    warp.set(a, on, |warp, _| warp.unknown(4) >> 18 << 2);
                    warp.set_inside(a, on, u64::from(on) << 32);
                }),
            ),
            _ => special(
                format!("ld.volatile.global.u64 {}, [{}]", a.text(), d.text()),
                Box::new(move |warp, on| {
                    let time = warp.time;
                    warp.set(a, on, |warp, lane| warp.unknown(time << 8 ^ lane as u64));
                    warp.set_inside(a, on, 0);
                }),
            ),
        }
    }

    /// Stores to local memory and loads from it, at a place that the text tells or at one that is computed.
    fn local(&mut self) -> Vec<Node> {
        let guard = self.guard();
        let special = |text: String, does: Does| Node::Special { text, does, guard };
        let kind = self.dice.below(12);
        let (each, count) = [(4, 1), (4, 2), (4, 4), (8, 1), (8, 2), (2, 1), (1, 1)]
            [self.dice.below(if kind < 6 { 7 } else { 5 }) as usize];
        let all = each * count;
        let at = self.dice.below(((LOCAL - all) / all + 1) as u32) as usize * all;
        let pointer = self.dice.below(if self.is_generic { 3 } else { 2 }) as usize;
        let (base, space) = [(0, ".local"), (2, ".local"), (1, "")][pointer];
        let far = if base == 2 { at as isize - MIDDLE as isize } else { at as isize };
        let vector = if count > 1 { format!(".v{count}") } else { String::new() };
        let place = format!("[{}+{far}]", POINTERS[base]);
        let form = format!("{space}{vector}.b{}", 8 * each);
        let bits = if each == 8 { 64 } else { 32 };
        let list = |regs: &[Reg]| {
            let names = Vec::from_iter(regs.iter().map(|reg| reg.text())).join(", ");
            if regs.len() > 1 { format!("{{{names}}}") } else { names }
        };
        match kind {
            0..=5 => {
                let from = Vec::from_iter((0..count).map(|_| self.reg(bits)));
                let text = format!("st{form} {place}, {}", list(&from));
                let does = move |warp: &mut Warp, on: u32| {
                    for (i, from) in from.iter().enumerate() {
                        warp.keep(on, |_, _| at + each * i, each, *from);
                    }
                };
                vec![special(text, Box::new(does))]
            }
            6..=9 => {
                let first = self.target(bits).1;
                let to = Vec::from_iter((0..count as u32).map(|i| Reg(bits, (first + i) % COUNT)));
                let text = format!("ld{form} {}, {place}", list(&to));
                let does = move |warp: &mut Warp, on: u32| {
                    for (i, to) in to.iter().enumerate() {
                        warp.set(*to, on, |warp, lane| warp.kept(lane, at + each * i, each));
                    }
                };
                vec![special(text, Box::new(does))]
            }
            _ => {
                let (index, data, to) = (self.reg(32), self.reg(32), self.target(32));
                let by =
                    move |warp: &Warp, lane: usize| 4 * warp.get(From::R(INDEX), lane) as usize;
                let plain = |text: String, does: Does| Node::Special { text, does, guard: None };
                let last = if kind == 10 {
                    special(
                        format!("st.local.b32 [%d25], {}", data.text()),
                        Box::new(move |warp, on| warp.keep(on, by, 4, data)),
                    )
                } else {
                    let does = move |warp: &mut Warp, on: u32| {
                        warp.set(to, on, |warp, lane| warp.kept(lane, by(warp, lane), 4));
                    };
                    special(format!("ld.local.b32 {}, [%d25]", to.text()), Box::new(does))
                };
                let masked = move |warp: &mut Warp, on: u32| {
                    warp.set(INDEX, on, |warp, lane| warp.get(From::R(index), lane) & 7);
                };
                vec![
                    plain(
                        format!("and.b32 {}, {}, 7", INDEX.text(), index.text()),
                        Box::new(masked),
                    ),
                    plain(
                        format!("mad.wide.u32 %d25, {}, 4, {}", INDEX.text(), POINTERS[0]),
                        Box::new(|_, _| {}),
                    ),
                    last,
                ]
            }
        }
    }

    /// Makes a pointer to global memory of another.
    fn pointer(&mut self) -> Node {
        let [base, to] = GLOBAL;
        let (p, guard) = (self.reg(1), self.guard().filter(|_| self.dice.one_in(2)));
        // Half of the time lanes, or sums of them.
        let a =
            if self.dice.one_in(2) { Reg(32, self.dice.of(&[0, 4, 6, 7])) } else { self.reg(32) };
        let number = u64::from(self.dice.of(&[1_u32, 4, 4, 8, 16, 16, 64, 256, 1020]));
        let (name, is_signed) = self.dice.of(&[("u32", false), ("s32", true)]);
        let special = |text: String, does: Does| Node::Special { text, does, guard };
        match self.dice.below(6) {
            0..=2 => special(
                format!("mad.wide.{name} {}, {}, {number}, {}", to.text(), a.text(), base.text()),
                Box::new(move |warp, on| {
                    warp.set(to, on, |warp, lane| {
                        let by = warp.get(From::R(a), lane);
                        let by = if is_signed { s(by, 32) as u64 } else { by };
                        warp.get(From::R(base), lane).wrapping_add(by.wrapping_mul(number))
                    });
                }),
            ),
            3 => special(
                format!("add.s64 {}, {}, {number}", to.text(), to.text()),
                Box::new(move |warp, on| {
                    warp.set(to, on, |warp, lane| warp.get(From::R(to), lane).wrapping_add(number));
                }),
            ),
            4 => special(
                format!("add.s64 {}, {}, {number}", base.text(), base.text()),
                Box::new(move |warp, on| {
                    warp.set(base, on, |warp, lane| {
                        warp.get(From::R(base), lane).wrapping_add(number)
                    });
                }),
            ),
            _ => special(
                format!("selp.b64 {}, {}, {}, {}", to.text(), base.text(), to.text(), p.text()),
                Box::new(move |warp, on| {
                    let yes = warp.taking(on, (p, false));
                    warp.set(to, yes, |warp, lane| warp.get(From::R(base), lane));
                }),
            ),
        }
    }

    /// A load from global memory, a store to it, or a copy from there.
    fn touch(&mut self) -> Node {
        self.accesses += 1;
        let (load, bits) =
            self.dice.of(&[("%junk", 8), ("%junk", 16), ("%junk", 32), ("%d29", 64)]);
        let text = match self.dice.below(8) {
            0 | 1 => [format!("ld.global.b{bits} {load}, ["), "]".into()],
            2 => [format!("ld.global.nc.L1::no_allocate.u{bits} {load}, ["), "]".into()],
            3 => ["ld.global.v4.b32 {%junk, %junk, %junk, %junk}, [".into(), "]".into()],
            4 => ["ld.global.v2.b32 {%junk, %junk}, [".into(), "]".into()],
            5 => ["cp.async.cg.shared.global [%r3], [".into(), "], 16".into()],
            6 => ["st.global.v2.b64 [".into(), "], {%d0, %d1}".into()],
            _ => [format!("st.global.b{bits} ["), format!("], {load}")],
        };
        Node::Touch {
            number: self.accesses - 1,
            text,
            offset: 4 * (i64::from(self.dice.below(64)) - 16),
            pointer: GLOBAL[usize::from(!self.dice.one_in(4))],
            guard: self.guard(),
        }
    }

    /// Between all lanes of the warp.
    fn between(&mut self) -> Node {
        let (a, b, p) = (self.reg(32), self.target(32), self.target(1));
        let (count, segment) =
            (self.dice.below(32), [0_usize, 16, 24][self.dice.below(3) as usize]);
        let mode = ["bfly", "idx", "up", "down"][self.dice.below(4) as usize];
        let c = (segment << 8) | if mode == "up" { 0 } else { 31 };
        let text = format!(
            "shfl.sync.{mode}.b32 {}|{}, {}, {count}, {c}, -1",
            b.text(),
            p.text(),
            a.text()
        );
        let does = move |warp: &mut Warp, on: u32| {
            let old = warp.registers[&a];
            // Segments of 32, 16 or 8 lanes.
            let size = 32 - segment;
            let from = |lane: usize| {
                let (first, count) = (lane / size * size, count as usize);
                let from = match mode {
                    "bfly" => (lane ^ count) as isize,
                    "idx" => (first + count % size) as isize,
                    "up" => lane as isize - count as isize,
                    _ => (lane + count) as isize,
                };
                // Only `up` has a lower end: `bfly` may reach into the segment before.
                let fits =
                    from < (first + size) as isize && (mode != "up" || from >= first as isize);
                if fits { (from as usize, 1) } else { (lane, 0) }
            };
            warp.set(b, on, |_, lane| old[from(lane).0]);
            warp.set(p, on, |_, lane| from(lane).1);
        };
        Node::Special { text, does: Box::new(does), guard: None }
    }

    fn access(&mut self) -> Node {
        self.accesses += 1;
        let wide = self.dice.one_in(4);
        Node::Access {
            address: match self.dice.one_in(4) {
                true => Reg(64, GENERIC + self.dice.below(FEW)),
                false => self.reg(if wide { 64 } else { 32 }),
            },
            offset: u64::from(self.dice.below(64)) * 4,
            guard: self.guard(),
            number: self.accesses - 1,
            data: match self.dice.below(6) {
                0 => Some((1, self.reg(32))),
                1 => Some((4, self.reg(32))),
                2 => Some((8, self.reg(64))),
                _ => None,
            },
            fragment: None,
        }
    }

    /// A fragment, whose address is the same in all lanes.
    fn fragment(&mut self) -> Node {
        let form = self.dice.below(FRAGMENTS.len() as u32) as usize;
        self.accesses += 1;
        Node::Access {
            address: self.reg(32),
            offset: u64::from(self.dice.below(64)) * 4,
            guard: None,
            number: self.accesses - 1,
            data: None,
            fragment: Some((form, 8 * (1 + u64::from(self.dice.below(20))))),
        }
    }

    /// Nodes at a depth; `whole` if all lanes are on.
    fn body(&mut self, depth: u32, whole: bool) -> Vec<Node> {
        let mut all = Vec::new();
        let mut whole = whole;
        for _ in 0..3 + self.dice.below(7) {
            if self.dice.one_in(4) {
                all.push(self.number_op());
                all.push(self.generic());
            }
            if self.dice.one_in(4) {
                all.push(self.pointer());
                all.push(self.touch());
            }
            if self.dice.one_in(20) {
                all.push(self.fragment());
            }
            if self.dice.one_in(4) {
                all.extend(self.local());
            }
            match self.dice.below(if depth == 0 { 12 } else { 17 }) {
                0..=7 => all.push(self.op()),
                8 => all.push(self.special()),
                9 | 10 => all.push(self.access()),
                11 if whole && self.dice.one_in(2) => all.push(self.between()),
                11 => all.push(self.op()),
                12 | 13 => {
                    let by = self.by();
                    let yes = self.body(depth - 1, false);
                    let no = self.dice.one_in(2).then(|| self.body(depth - 1, false));
                    whole &= !(contains_return(&yes) || no.as_deref().is_some_and(contains_return));
                    all.push(Node::If { by, yes, no });
                }
                14 | 15 => self.rounds(depth - 1, &mut all),
                _ if !self.loops.is_empty() && self.dice.one_in(2) => {
                    let (by, label) = (self.by(), *self.loops.last().unwrap());
                    whole = false;
                    all.push(match self.dice.one_in(2) {
                        true => Node::Break { by, label },
                        false => Node::Continue { by, label },
                    });
                }
                _ if self.dice.one_in(8) => {
                    whole = false;
                    all.push(Node::Return { by: self.by() });
                }
                _ => {}
            }
        }
        all
    }

    fn rounds(&mut self, depth: u32, all: &mut Vec<Node>) {
        self.labels += 1;
        let (label, kind) = (self.labels, self.dice.below(4));
        let (counter, limit) = (Reg(32, 100 + label as u32), Reg(32, 200 + label as u32));
        let from = self.reg(32);
        let goes = self.dice.of(&[Goes::Up, Goes::Up, Goes::Doubles, Goes::Halves]);
        // Up to 3 rounds, or up to 6.
        let most = if goes == Goes::Doubles { 63 } else { 3 };
        let known = 1 + u64::from(self.dice.below(most));
        let plain = |text: String, does: Does| Node::Special { text, does, guard: None };
        all.push(plain(
            format!("mov.u32 {}, {}", counter.text(), goes.begin()),
            Box::new(move |warp, on| warp.set(counter, on, |_, _| goes.begin())),
        ));
        // The same in all lanes, or each lane's own: whatever the register is.
        let from = if kind == 1 { Reg(32, 1) } else { from };
        all.push(match kind {
            0 => plain(
                format!("mov.u32 {}, {known}", limit.text()),
                Box::new(move |warp, on| warp.set(limit, on, |_, _| known)),
            ),
            _ => plain(
                format!("and.b32 {}, {}, {most}", limit.text(), from.text()),
                Box::new(move |warp, on| {
                    warp.set(limit, on, |warp, lane| {
                        warp.get(From::R(from), lane) & u64::from(most)
                    });
                }),
            ),
        });
        self.loops.push(label);
        let body = self.body(depth, false);
        self.loops.pop();
        all.push(Node::Loop { body, by: Reg(1, label as u32), label, goes });
    }
}

fn contains_return(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Return { .. } => true,
        Node::If { yes, no, .. } => {
            contains_return(yes) || no.as_deref().is_some_and(contains_return)
        }
        Node::Loop { body, .. } => contains_return(body),
        _ => false,
    })
}

/// A program as text, and the line of each access.
#[derive(Default)]
struct Printer {
    text: String,
    lines: BTreeMap<usize, usize>,
    label: usize,
}

impl Printer {
    fn line(&mut self, guard: Option<(Reg, bool)>, text: &str) {
        let guard =
            guard.map(|(by, negated)| format!("@{}{} ", if negated { "!" } else { "" }, by.text()));
        let _ = writeln!(self.text, "\t{}{text};", guard.unwrap_or_default());
    }

    fn nodes(&mut self, nodes: &[Node]) {
        for node in nodes {
            match node {
                Node::Op { op, to, from, guard } => {
                    let from: Vec<_> = from.iter().map(|one| one.text()).collect();
                    self.line(
                        *guard,
                        &format!("{} {}, {}", OPS[*op].0, to.text(), from.join(", ")),
                    );
                }
                Node::Special { text, guard, .. } => self.line(*guard, text),
                Node::Access { address, offset, guard, number, data, fragment } => {
                    self.lines.insert(*number, self.text.lines().count() + 1);
                    let at = format!("[{}+{offset}]", address.text());
                    let space =
                        if address.1 >= GENERIC && address.0 == 64 { "" } else { ".shared" };
                    let text = match data {
                        None if let Some((form, stride)) = fragment => {
                            let name = FRAGMENTS[*form].0;
                            let junk = ["%junk"; 8].join(", ");
                            match name.strip_prefix("wmma.store") {
                                Some(_) => format!("{name} {at}, {{{junk}}}, {stride}"),
                                None => format!("{name} {{{junk}}}, {at}, {stride}"),
                            }
                        }
                        None => format!("ld{space}.b32 %junk, {at}"),
                        Some((bytes, data)) => {
                            format!("st{space}.b{} {at}, {}", 8 * bytes, data.text())
                        }
                    };
                    self.line(*guard, &text);
                }
                Node::Touch { number, text: [before, behind], offset, pointer, guard } => {
                    self.lines.insert(*number, self.text.lines().count() + 1);
                    let pointer = pointer.text();
                    self.line(*guard, &format!("{before}{pointer}+{offset}{behind}"));
                }
                Node::If { by, yes, no } => {
                    self.label += 1;
                    let label = self.label;
                    self.line(Some((by.0, !by.1)), &format!("bra $E{label}"));
                    self.nodes(yes);
                    if let Some(no) = no {
                        self.line(None, &format!("bra.uni $F{label}"));
                        let _ = writeln!(self.text, "$E{label}:");
                        self.nodes(no);
                        let _ = writeln!(self.text, "$F{label}:");
                    } else {
                        let _ = writeln!(self.text, "$E{label}:");
                    }
                }
                Node::Loop { body, by, label, goes } => {
                    let (n, [step, test]) = (by.1, goes.texts());
                    let _ = writeln!(self.text, "$H{label}:");
                    self.nodes(body);
                    let _ = writeln!(self.text, "$C{label}:");
                    self.line(None, &format!("{step} %r{}, %r{}, 1", 100 + n, 100 + n));
                    self.line(
                        None,
                        &format!("setp.{test}.u32 %p{}, %r{}, %r{}", 100 + n, 100 + n, 200 + n),
                    );
                    self.line(Some((Reg(1, 100 + n), false)), &format!("bra $H{label}"));
                    let _ = writeln!(self.text, "$B{label}:");
                }
                Node::Break { by, label } => self.line(Some(*by), &format!("bra $B{label}")),
                Node::Continue { by, label } => self.line(Some(*by), &format!("bra $C{label}")),
                Node::Return { by } => self.line(Some(*by), "ret"),
            }
        }
    }
}

const BEGIN: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 64 .b8 smem[];\n\
    .visible .entry f(\n.param .u32 f_param_0,\n.param .u64 .ptr .global .align 4 f_param_1\n)\n";
const REGISTERS: &str = "{\n\
    .reg .pred %p<300>;\n.reg .b16 %h<20>;\n.reg .b32 %r<300>;\n.reg .b64 %d<30>;\n.reg .b32 %junk;\n\
    .local .align 16 .b8 depot[48];\n";

/// What a lane of a warp has.
type Number = Box<dyn Fn(&Warp, usize) -> u64>;

/// Registers before the program: lanes, numbers, unknowns of all lanes, and of each.
fn begin(is_generic: bool) -> Vec<Node> {
    let mut all = Vec::new();
    let mut plain = |text: String, to: Reg, number: Number| {
        let does = move |warp: &mut Warp, on: u32| warp.set(to, on, &number);
        all.push(Node::Special { text, does: Box::new(does), guard: None });
    };
    let r = |n| Reg(32, n);
    plain("mov.u32 %r0, %tid.x".into(), r(0), Box::new(|warp, lane| warp.item(lane)[0]));
    plain("mov.u32 %r1, %ctaid.x".into(), r(1), Box::new(|warp, _| warp.unknown(1)));
    plain("ld.param.u32 %r2, [f_param_0]".into(), r(2), Box::new(|warp, _| warp.unknown(2)));
    plain("mov.u32 %r3, smem".into(), r(3), Box::new(|warp, _| warp.unknown(3) & !63));
    plain("mov.u32 %r4, %laneid".into(), r(4), Box::new(|_, lane| lane as u64));
    plain(
        "ld.volatile.global.u32 %r5, [%d0]".into(),
        r(5),
        Box::new(|warp, lane| warp.unknown(99 + lane as u64)),
    );
    for (n, shift) in [(6, 2), (7, 4), (8, 7)] {
        let text = format!("shl.b32 %r{n}, %r0, {shift}");
        plain(text, r(n), Box::new(move |warp, lane| warp.get(From::R(r(0)), lane) << shift));
    }
    for n in 9..2 * COUNT {
        let from = n - 6;
        let text = format!("add.s32 %r{n}, %r{from}, %r6");
        plain(
            text,
            r(n),
            Box::new(move |warp, lane| {
                warp.get(From::R(r(from)), lane) + warp.get(From::R(r(6)), lane)
            }),
        );
    }
    for n in 0..FEW {
        let to = Reg(32, NUMBERS + n);
        let (name, of): (_, Number) = match n {
            0 => ("%laneid", Box::new(|_, lane| lane as u64)),
            1 => ("%tid.x", Box::new(|warp, lane| warp.item(lane)[0])),
            _ => ("%ctaid.x", Box::new(|warp, _| warp.unknown(1))),
        };
        plain(format!("mov.u32 {}, {name}", to.text()), to, of);
    }
    for n in 0..COUNT {
        let text = format!("cvt.u64.u32 %d{n}, %r{}", n + 2);
        plain(text, Reg(64, n), Box::new(move |warp, lane| warp.get(From::R(r(n + 2)), lane)));
        let text = format!("cvt.u16.u32 %h{n}, %r{n}");
        plain(text, Reg(16, n), Box::new(move |warp, lane| warp.get(From::R(r(n)), lane)));
        let text = format!("setp.lt.u32 %p{n}, %r{n}, {}", 10 + n);
        let limit = u64::from(10 + n);
        plain(
            text,
            Reg(1, n),
            Box::new(move |warp, lane| u64::from(warp.get(From::R(r(n)), lane) < limit)),
        );
    }
    for n in 0..FEW {
        let to = Reg(64, GENERIC + n);
        let does = move |warp: &mut Warp, on: u32| {
            let window = warp.unknown(7) & 0xffff_ffff_ffff & !63;
            warp.set(to, on, |warp, lane| warp.get(From::R(Reg(64, n)), lane).wrapping_add(window));
            warp.set_inside(to, on, on.into());
        };
        let host = move |warp: &mut Warp, on: u32| {
            warp.set(to, on, |warp, _| warp.unknown(4) >> 18 << 2);
            warp.set_inside(to, on, u64::from(on) << 32);
        };
        if n == FEW - 1 {
            let text = format!("ld.param.u64 {}, [f_param_1]", to.text());
            all.push(Node::Special { text, does: Box::new(host), guard: None });
            continue;
        }
        let text = format!("cvta.shared.u64 {}, %d{n}", to.text());
        all.push(Node::Special { text, does: Box::new(does), guard: None });
    }
    let [base, pointer] = GLOBAL;
    let of_lanes: [(_, Reg, Number); 3] = [
        ("ld.param.u64 %d23, [f_param_1]", base, Box::new(|warp, _| warp.unknown(4) >> 18 << 2)),
        (
            "cvta.to.global.u64 %d23, %d23",
            base,
            Box::new(move |warp, lane| warp.get(From::R(base), lane)),
        ),
        (
            "mad.wide.u32 %d24, %r0, 4, %d23",
            pointer,
            Box::new(move |warp, lane| {
                warp.get(From::R(base), lane) + 4 * warp.get(From::R(r(0)), lane)
            }),
        ),
    ];
    for (text, to, of) in of_lanes {
        let does = move |warp: &mut Warp, on: u32| warp.set(to, on, &of);
        all.push(Node::Special { text: text.into(), does: Box::new(does), guard: None });
    }
    let [first, generic, middle] = POINTERS;
    let mut pointers =
        vec![format!("mov.u64 {first}, depot"), format!("add.s64 {middle}, {first}, {MIDDLE}")];
    pointers.extend(is_generic.then(|| format!("cvta.local.u64 {generic}, {first}")));
    for text in pointers {
        all.push(Node::Special { text, does: Box::new(|_, _| {}), guard: None });
    }
    for at in (0..LOCAL).step_by(16) {
        let words = [6; 4].map(r);
        let text = format!("st.local.v4.b32 [depot+{at}], {{%r6, %r6, %r6, %r6}}");
        let does = move |warp: &mut Warp, on: u32| {
            for (i, word) in words.into_iter().enumerate() {
                warp.keep(on, |_, _| at + 4 * i, 4, word);
            }
        };
        all.push(Node::Special { text, does: Box::new(does), guard: None });
    }
    all
}

/// What a program says of its block.
#[derive(Clone, Copy)]
enum Block {
    Stated,
    AtMost,
    Unsaid,
}

impl Block {
    const fn of(seed: u64) -> Self {
        match seed % 4 {
            0 => Self::Unsaid,
            1 => Self::AtMost,
            _ => Self::Stated,
        }
    }

    const fn directive(self) -> &'static str {
        match self {
            Self::Stated => ".reqntid 64, 1, 1\n",
            Self::AtMost => ".maxntid 64, 1, 1\n",
            Self::Unsaid => "",
        }
    }

    /// The shape of a block that it may have, a warp of it, and the number under which that warp is claimed.
    fn warp(self, number: usize, dice: &mut Dice) -> ([u64; 3], usize, usize) {
        let mut any = || 1 + u64::from(dice.below(4));
        let (x, y, z, row) = (LANES as u64 * any(), any(), any(), any() * any());
        match self {
            Self::Stated => ([64, 1, 1], number, number),
            Self::AtMost => ([64, y, z], number + 2 * (row % (y * z)) as usize, number),
            Self::Unsaid => {
                ([x, y, z], (row * 2 + number as u64) as usize % ((x * y * z) as usize / LANES), 0)
            }
        }
    }
}

/// Whether what is claimed of an access happened.
fn is_so(claim: &Reached, on: u32, bytes: &Lanes) -> bool {
    let lanes = (0..LANES).filter(|lane| on >> lane & 1 == 1);
    let is = Vec::from_iter(lanes.map(|lane| (lane, bytes[lane] as u32)));
    claim.on.is_none_or(|claimed| claimed == u64::from(on)) && is_true(&claim.address, &is)
}

/// A mask of lanes in both halves.
fn twice(mask: u32) -> u64 {
    u64::from(mask) | u64::from(mask) << 32
}

/// Holds what is claimed against what happened; how many accesses were known, how many there were, of how many several
/// addresses are claimed, and how many warps are one of many in a row.
fn compare(
    seed: u64,
    races: &mut Races,
    generic: &mut [usize; 3],
    touched: &mut Tally,
) -> [usize; 4] {
    let dice = Dice(seed.wrapping_mul(0x9e37_79b9) ^ 0x5bd1);
    let mixes = seed.is_multiple_of(3);
    let is_generic = seed.is_multiple_of(5);
    let mut maker = Maker { dice, accesses: 0, labels: 0, loops: Vec::new(), mixes, is_generic };
    let mut nodes = begin(is_generic);
    // A tenth took half of the time when all were as deep: 45 ms each, and 10 ms as they are (a release build).
    let depth = if maker.dice.one_in(12) { 3 } else { 1 + maker.dice.below(2) };
    nodes.extend(maker.body(depth, true));
    nodes.extend(maker.body(depth - 1, false));
    let block = Block::of(seed);
    let head = format!("{BEGIN}{}{REGISTERS}", block.directive());
    let mut printer = Printer { text: head, ..Printer::default() };
    printer.nodes(&nodes);
    let text = printer.text + "\tret;\n}\n";
    let kernels =
        audit(&text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let sites: BTreeMap<usize, _> = kernels[0].sites.iter().map(|site| (site.line, site)).collect();
    let globals: BTreeMap<usize, _> =
        kernels[0].globals.iter().map(|site| (site.line, site)).collect();
    let of_chip = kernels[0].chip.lines().unwrap();
    let (mut tally, mut several, mut each_row) = ([0, 0], 0, 0);
    for number in 0..2 {
        for again in 0..3 {
            let own = mixed(seed ^ again << 40);
            let (registers, seen, stores) = (BTreeMap::new(), Vec::new(), Vec::new());
            let (shape, at, claimed) = block.warp(number, &mut Dice(own));
            let mut warp = Warp {
                number: at,
                shape,
                registers,
                seed: own,
                time: 0,
                steps: 0,
                seen,
                stores,
                gone: 0,
                inside: BTreeMap::new(),
                seen_inside: Vec::new(),
                touches: Vec::new(),
                local: [[0; LOCAL]; LANES],
            };
            // Without a shape the warps of a row are one, or gone through one by one.
            let is_each = matches!(block, Block::Unsaid)
                && sites.values().any(|site| site.reached.iter().any(|one| one.wave > 0));
            let is_each = is_each
                || matches!(block, Block::Unsaid)
                    && globals.values().any(|site| site.reached.iter().any(|one| one.wave > 0));
            let number = if is_each { at % (shape[0] as usize / LANES) } else { claimed };
            each_row += usize::from(is_each);
            warp.run(&nodes, u32::MAX, &mut BTreeMap::new());
            for store in &warp.stores {
                let line = printer.lines[&store.number];
                let Some(site) = sites.get(&line) else {
                    assert!(globals.contains_key(&line), "line {line}\n{text}");
                    continue;
                };
                assert!(
                    compare_store(site, number, store, races),
                    "seed {seed}: line {} warp {number}: {:?}\n{text}",
                    site.line,
                    site.ruling(LANES)
                );
            }
            for (access, touch) in &warp.touches {
                let site = globals[&printer.lines[access]];
                assert!(
                    touched.hold(site, number, LANES, touch, &of_chip),
                    "seed {seed}: line {} warp {number}: {:?}, {touch:?}\n{text}",
                    site.line,
                    site.reached
                );
            }
            for ((access, on, bytes), inside) in warp.seen.iter().zip(&warp.seen_inside) {
                let line = printer.lines[access];
                // Where it is known to be global, it is that in each lane.
                if let Some(site) = globals.get(&line).filter(|_| !sites.contains_key(&line)) {
                    generic[2] += 1;
                    let is_host = u64::from(*on) << 32 & !inside == 0;
                    assert!(is_host, "line {line}: {:?}, on {on:#x}\n{text}", site.opcode);
                    let mut claims = site.reached.iter().filter(|one| one.wave == number);
                    let held = claims.any(|one| is_so(one, *on, bytes));
                    assert!(held, "line {line}: {:?}, {bytes:?}\n{text}", site.reached);
                    continue;
                }
                let site = sites[&line];
                if site.opcode.starts_with("ld.b") || site.opcode.starts_with("st.b") {
                    generic[usize::from(site.access.is_ok())] += 1;
                    let is_inside = u64::from(*on) & !inside == 0;
                    assert!(site.access.is_err() || is_inside, "line {}\n{text}", site.line);
                }
                let at = || format!("seed {seed}: line {} warp {number}", site.line);
                tally[1] += 1;
                let claims = Vec::from_iter(site.reached.iter().filter(|one| one.wave == number));
                assert!(
                    claims.iter().any(|one| is_so(one, *on, bytes)),
                    "{}: {claims:?}, on {on:#x}, {bytes:?}\n{text}",
                    at()
                );
                let is_form = |one: &&Reached| matches!(one.address, Value::Sum { .. });
                tally[0] += usize::from(claims.iter().all(is_form));
                several += usize::from(claims.len() > 1);
            }
        }
    }
    [tally[0], tally[1], several, each_row]
}

#[test]
fn what_is_said_of_an_address_is_true() {
    let numbers = support::fuzz::numbers(200);
    let cases = numbers.end - numbers.start;
    let (mut all, mut races, mut generic) = ([0, 0], [0; 4], [0; 3]);
    let (mut several, mut each_row, mut touched) = (0, 0, Tally::default());
    for seed in numbers {
        let [known, seen, of_rounds, of_rows] =
            compare(seed, &mut races, &mut generic, &mut touched);
        all = [all[0] + known, all[1] + seen];
        several += of_rounds;
        each_row += of_rows;
    }
    println!(
        "{cases} programs: {} of {} executed accesses known, {several} of several",
        all[0], all[1]
    );
    println!("{each_row} warps of blocks whose rows are gone through warp by warp");
    let [same, different, unknown, none] = races;
    println!("stores: {same} of the same, {different} of others, {unknown} unknown, {none} apart");
    let [any, shared, global] = generic;
    println!("generic addresses: {shared} of shared memory, {global} of global, {any} of any");
    touched.check();
    assert!(each_row > 20, "{each_row} of rows: a check of little");
    assert!(several > 20, "{several} of several: a check of little");
    assert!(generic.iter().all(|n| *n > 20), "{generic:?}: a check of little");
    assert!(races.iter().all(|n| *n > 20), "{races:?}: a check of little");
    assert!(all[0] * 4 > all[1], "{all:?}: a check of little");
}
