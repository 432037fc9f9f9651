//! The patterns of a chip: every width, reads and writes, from free to 32-way.
//!
//! | name | lanes |
//! |---|---|
//! | `stride<w>` | lane l at dword l * w |
//! | `column-pad<p>`, `column-xor` | lane l at row l of 64 dwords, padded by p, or swizzled |
//! | `rows<r>-pad<p>`, `rows<r>-xor` | a matrix operand: row l mod r, pack l / r |
//! | `diagonal` | row l, pack l |
//! | `broadcast<r>` | row l mod r, one pack (reads) |
//! | `pairs<n>`, `twins<n>` | lanes l and l xor 1, or l xor 2, at one pack; the others n packs apart (reads) |
//! | `halves` | the second half of the lanes at the places of the first (reads) |
//! | `shuffle<seed>` | consecutive packs in random order |
//! | `random<seed>`, `repeat<seed>` | random packs, all different; of 16 packs, repeated (reads) |
//! | `first-half`, `even`, `one` | only some lanes, where the instruction allows it |
//!
//! A name keeps its meaning: records know patterns by their names, and by a fingerprint of the addresses.

use crate::pattern::{Pattern, Walk};
use core::array;
use tiledesc::chip::{self, ChipError};
use tiledesc::pattern::Lanes;
use tiledesc::{
    F32, List, Plan,
    chip::{Access, Instruction},
    recipe,
};

/// Rows of a tile, and dwords of a row.
const ROWS: u32 = 128;
const COLUMNS: u32 = 64;

/// The instructions that are timed on AMD's chips and on NVIDIA's; what a chip has not is left out.
const INSTRUCTIONS: [&str; 18] = [
    "ds_read_b32",
    "ds_read_b64",
    "ds_read_b128",
    "ds_write_b32",
    "ds_write_b64",
    "ds_write_b128",
    "ld.shared.b32",
    "ld.shared.b64",
    "ld.shared.b128",
    "st.shared.b32",
    "st.shared.b64",
    "st.shared.b128",
    "ldmatrix.x1",
    "ldmatrix.x2",
    "ldmatrix.x4",
    "stmatrix.x1",
    "stmatrix.x2",
    "stmatrix.x4",
];

/// The patterns of a chip.
///
/// # Errors
///
/// [`ChipError`]: no rows of this chip.
pub fn patterns(chip: &str) -> Result<Vec<Pattern>, ChipError> {
    let chip = chip::find(chip)?;
    let rows = INSTRUCTIONS.iter().filter_map(|name| chip.instruction(name).ok());
    Ok(rows.flat_map(of_instruction).collect())
}

/// The patterns of one instruction: a row of the chips' tables, or one of your own.
#[must_use]
pub fn of_instruction(instruction: &'static Instruction) -> Vec<Pattern> {
    let mut list = Family::new(instruction);
    list.strides();
    list.columns();
    list.operands();
    list.random();
    if instruction.access() == Access::Read {
        list.shared();
    }
    if !instruction.needs_whole_wave() {
        list.partial();
    }
    list.found
}

/// Rows padded by so many dwords.
fn padded(pad: u32) -> Plan {
    Plan::naive(&[ROWS, COLUMNS], &[COLUMNS + pad, 1]).expect("a tile of 128 x 64 dwords")
}

struct Family {
    instruction: &'static Instruction,
    /// Lanes that have an address.
    lanes: u32,
    /// Dwords of a lane.
    pack: u32,
    found: Vec<Pattern>,
}

impl Family {
    fn new(instruction: &'static Instruction) -> Self {
        let lanes = instruction.service().phases.addressed() as u32;
        Self { instruction, lanes, pack: instruction.bytes() / 4, found: Vec::new() }
    }

    fn add(&mut self, name: String, plan: Plan, walk: Walk) {
        self.found.push(Pattern::new(name, self.instruction, plan, walk));
    }

    /// Adds the first instruction of a pattern, which alone is timed.
    fn ready(&mut self, name: String, plan: Plan, lanes: Lanes<'static>) {
        self.add(name, plan, Walk::Ready(lanes.first()));
    }

    /// Adds a table of the pack of each lane, counted through the tile row by row.
    fn table(&mut self, name: String, place: impl Fn(u32) -> Option<u32>) {
        let (lanes, pack) = (self.lanes, self.pack);
        let at = |dword: u32| List::new(&[dword / COLUMNS, dword % COLUMNS]);
        let row = array::from_fn(|lane| {
            let lane = lane as u32;
            if lane < lanes { place(lane).map(|place| at(place * pack)) } else { None }
        });
        self.add(name, padded(0), Walk::Table(vec![row]));
    }

    fn xor(&self) -> Plan {
        recipe::GemmXor::<F32>([ROWS, COLUMNS, self.pack]).expect("powers of two")
    }

    fn strides(&mut self) {
        for packs in [1, 2, 3, 4, 5, 8, 16, 32] {
            let stride = packs * self.pack;
            self.ready(format!("stride{stride}"), padded(0), Lanes::strided(stride));
        }
    }

    fn columns(&mut self) {
        for pad in [0, 1, 2, 4].map(|packs| packs * self.pack) {
            self.ready(format!("column-pad{pad}"), padded(pad), Lanes::column());
        }
        self.ready("column-xor".into(), self.xor(), Lanes::column());
        self.ready("diagonal".into(), padded(0), Lanes::diagonal());
    }

    fn operands(&mut self) {
        for rows in [8, 16, 32] {
            for pad in [0, self.pack] {
                self.ready(format!("rows{rows}-pad{pad}"), padded(pad), Lanes::rows(rows));
            }
            self.ready(format!("rows{rows}-xor"), self.xor(), Lanes::rows(rows));
        }
    }

    fn random(&mut self) {
        let packs = ROWS * COLUMNS / self.pack;
        for seed in 0..3 {
            let order = Random::new(seed).order(self.lanes);
            self.table(format!("shuffle{seed}"), |lane| Some(order[lane as usize]));
        }
        for seed in 0..6 {
            let places = Random::new(100 + seed).order(packs);
            self.table(format!("random{seed}"), |lane| Some(places[lane as usize]));
        }
    }

    /// Two lanes at one place: of writes it would be a race.
    fn shared(&mut self) {
        for rows in [1, 2, 4, 16] {
            self.ready(format!("broadcast{rows}"), padded(0), Lanes::repeated_rows(rows));
        }
        for apart in [1, 2, 8] {
            self.table(format!("pairs{apart}"), |lane| Some(lane / 2 * apart));
            self.table(format!("twins{apart}"), |lane| Some((lane / 4 * 2 + lane % 2) * apart));
        }
        let half = self.lanes / 2;
        self.table("halves".into(), |lane| Some(lane % half * 2));
        let packs = ROWS * COLUMNS / self.pack;
        for seed in 0..2 {
            let places = Random::new(200 + seed).order(packs);
            let which = Random::new(300 + seed).numbers(self.lanes, 16);
            self.table(format!("repeat{seed}"), |lane| Some(places[which[lane as usize] as usize]));
        }
    }

    fn partial(&mut self) {
        let half = self.lanes / 2;
        self.table("first-half".into(), |lane| (lane < half).then_some(lane * 8));
        self.table("even".into(), |lane| (lane % 2 == 0).then_some(lane * 4));
        self.table("one".into(), |lane| (lane == 0).then_some(0));
    }
}

/// SplitMix64: the same numbers everywhere and always, for records outlive versions of crates.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    fn numbers(mut self, count: u32, bound: u32) -> Vec<u32> {
        (0..count).map(|_| self.below(bound)).collect()
    }

    /// The numbers below `count` in random order (Fisher and Yates).
    fn order(mut self, count: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last as usize, self.below(last + 1) as usize);
        }
        order
    }
}
