//! Triton's conversions between register layouts, through shared memory: what its compiler
//! emitted, counted again.
//!
//! ```text
//! GOLDEN_TRITON=<folder> cargo test --release -p tiledesc-host-tests --test conversion oracle_conversions:: -- --nocapture
//! ```
//!
//! | field | what must agree |
//! |---|---|
//! | `src`, `dst` | the bases beside them, by `triton_text` |
//! | `src_linear`, `dst_linear` | are bases ([`Registers`]); `oracle_registers` takes them to a distribution and back |
//! | `row_major_unswizzled`, `row_major_baseline` | the widest access, the number of instructions, their cycles; also by the verdict of the distribution |
//! | `triton.*.instructions` | move what the warp holds |
//! | `first_access_lane_byte_addr` | there is a layout of `smem_bytes` in which both are the first access of `src` and of `dst` |
//! | `wavefronts`, `min_wavefronts`, `worst_conflict_factor` | the cycles of all accesses of that layout |
//! | `bytes_per_warp`, `bandwidth_floor_wavefronts` | the registers of a warp, and how long all banks take for them |
//! | `asserted` | a layout with as many conflicts, found here |
//! | `triton.*.wavefronts` | [`Conversion`] takes no more, by the rows of the tables, carried out byte by byte |
//!
//! The tables do not give the layout that Triton chose, but the addresses of one access on either
//! side, which are the images of the lane bits. The test completes them to a layout: the bytes of
//! a vector are registers of both sides or of the wider one; what is left is any bits. Degree and
//! cycles depend on what is known only, so whichever layout it is has them.

use super::simulate::simulate;
use super::triton_text::{self, Bases};
use serde_json::{Value, json};
use std::sync::LazyLock;
use support::attempt::attempt;
use support::bits::{Partial, Span, meet, sum, sums};
use support::corrupt::{self, Unread};
use support::{Table, filled, int, list, naturals, text};
use tiledesc::access::Addresses;
use tiledesc::distribution::Encoding;
use tiledesc::pattern::Lanes;
use tiledesc::{
    Linear, List, Plan,
    access::Placed,
    bank,
    chip::{self, Instruction, Phases, Service},
};
use tiledesc_host::conversion::{Conversion, Held, Optimality};
use tiledesc_host::exchange::cute::{Composed, Fastest};
use tiledesc_host::exchange::linear::NamedLinear;
use tiledesc_host::exchange::triton::Registers;

/// Accesses by our own row.
struct Ours {
    sentence: String,
    write: bool,
    degree: u32,
}

#[derive(Default)]
struct Tally {
    conversions: usize,
    /// Accesses whose figures are a layout's, completed from their addresses.
    accesses: usize,
    /// Sides of conversions that lie row-major.
    baselines: usize,
    found: usize,
    /// Sides whose row the tables have otherwise than we.
    ours: Vec<Ours>,
    /// Cycles of Triton's conversions for gfx950, by our rows.
    gfx950: u32,
    elsewhere: Vec<String>,
}

impl support::Tally for Tally {
    fn plus(mut self, other: Self) -> Self {
        self.conversions += other.conversions;
        self.accesses += other.accesses;
        self.baselines += other.baselines;
        self.found += other.found;
        self.ours.extend(other.ours);
        self.gfx950 += other.gfx950;
        self.elsewhere.extend(other.elsewhere);
        self
    }

    fn not_covered(&self) -> &[String] {
        &self.elsewhere
    }
}

#[test]
fn every_table_of_the_folder() {
    let tally = support::check_all(&support::tables("GOLDEN_TRITON", "triton"), check);
    println!(
        "{} conversions, {} accesses through layouts completed, {} sides row-major, {} pairs free",
        tally.conversions, tally.accesses, tally.baselines, tally.found
    );
    for side in &tally.ours {
        println!("  our row of this chip differs from the table's: {}", side.sentence);
    }
    println!("  Triton's conversions for gfx950 by our rows: {} cycles", tally.gfx950);
    println!("by oracle_triton ({}): {}", tally.elsewhere.len(), tally.elsewhere.join(" "));
}

/// Fields that nothing reads.
const UNREAD: &[Unread] = &[Unread {
    kind: "synthesis_unit_tests",
    path: "cases[].name",
    when: None,
    reason: "a name; of it, the tile's lengths are compared",
}];

#[test]
fn corrupting_any_field_is_noticed() {
    let mut tables = support::committed_tables("triton");
    tables.retain(|table| ["convert_layout", "synthesis_unit_tests"].contains(&table.kind()));
    corrupt::every_field_is_read(&tables, UNREAD, check);
}

/// The tables have 64 banks for writes of gfx950, where our rows have 32: of Triton's 12 stores,
/// which are free by the tables, 7 are not.
#[test]
fn stores_of_gfx950_by_our_rows() {
    let mut tables = support::committed_tables("triton");
    tables.retain(|table| table.name == "convert_layout_gfx950");
    let sides = support::check_all(&tables, check).ours;
    let stores: Vec<u32> = sides.iter().filter(|side| side.write).map(|its| its.degree).collect();
    assert_eq!(stores, [1, 1, 2, 2, 2, 1, 1, 2, 2, 2, 1, 2]);
}

/// A read of one matrix an instruction, whose addresses are those of 8 lanes, as Triton 3.9 emits it for rows of 64 halves.
#[test]
fn one_matrix_an_instruction() {
    let read = || {
        let json: Value = serde_json::from_str(include_str!("one_matrix.json")).unwrap();
        Table { name: "convert_layout_sm90".to_owned(), json }
    };
    assert_eq!(support::check_all(&[read()], check).accesses, 24);
    let mut torn = read();
    torn.json["cases"][0]["triton"]["read"]["first_access_lane_byte_addr"][5] = json!(96);
    assert!(attempt(|| support::check_all(&[torn], check)).is_err());
}

/// On AMD the first access of the code is often not that of register 0; and of a small tile registers repeat others.
#[test]
fn other_registers() {
    let json: Value = serde_json::from_str(include_str!("other_registers.json")).unwrap();
    let table = Table { name: "convert_layout_gfx942".to_owned(), json };
    assert_eq!(support::check_all(&[table], check).conversions, 2);
}

/// Tables of which none is checked here are refused.
#[test]
fn nothing_passes_unchecked() {
    let json = json!({"kind": "lds_phases", "version": 1});
    let table = Table { name: "phases".to_owned(), json };
    assert!(attempt(|| support::check_all(&[table], check)).is_err());
}

fn check(table: &Table) -> Result<Tally, String> {
    attempt(|| {
        let (mut tally, json) = (Tally::default(), &table.json);
        let cases = |case: fn(&str, &Value, &Value, &mut Tally), tally: &mut Tally| {
            assert_eq!(int(&json["version"]), 1, "version");
            let cases = filled("cases", &json["cases"]);
            assert_eq!(json["count"].as_u64(), Some(cases.len() as u64), "count");
            for (i, its) in cases.iter().enumerate() {
                case(&format!("{}[{i}]", table.name), json, its, tally);
            }
        };
        match table.kind() {
            "convert_layout" => {
                let arch = text(&json["arch"]);
                assert_eq!(table.name, format!("convert_layout_{arch}"), "arch");
                assert_eq!(json["triton"], "3.9.0", "triton");
                let (banks, lanes) = machine(arch);
                assert_eq!((&json["banks"], &json["lanes"]), (&json!(banks), &json!(lanes)));
                cases(conversion, &mut tally);
            }
            "synthesis_unit_tests" => cases(unit_test, &mut tally),
            "shared_conflicts" | "lds_phases" | "printed_layouts" => {
                tally.elsewhere.push(table.name.clone());
            }
            other => panic!("a kind this test does not know: {other}"),
        }
        tally
    })
}

/// Banks and lanes.
fn machine(arch: &str) -> (u32, u32) {
    match arch {
        "sm80" | "sm90" => (32, 32),
        "gfx942" => (32, 64),
        "gfx950" => (64, 64),
        other => panic!("a chip this test does not know: {other}"),
    }
}

fn natural(json: &Value) -> u32 {
    let number = json.as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("not a natural number: {json}"))
}

/// A register layout: images of register, lane and warp bits as numbers of a row-major tile.
struct Side {
    bases: Bases,
    registers: Registers,
    encoding: Encoding,
    register: Vec<u32>,
    lane: Vec<u32>,
}

impl Side {
    fn new(shape: [u32; 2], json: &Value) -> Self {
        let bases: Bases = ["reg", "lane", "warp"].map(|part| {
            let pair = |at: &Value| match naturals(at)[..] {
                [row, column] => [row, column],
                _ => panic!("{part}: {at}"),
            };
            let all = list(&json[part]).iter().map(pair);
            // A register that repeats another one is not moved.
            all.filter(|at| part != "reg" || *at != [0, 0]).collect()
        });
        assert_eq!(json.as_object().map(serde_json::Map::len), Some(3), "reg, lane, warp");
        let images: [Vec<List>; 3] =
            bases.each_ref().map(|all| all.iter().map(|at| List::new(at)).collect());
        let registers = Registers::new(List::new(&shape), images.each_ref().map(Vec::as_slice));
        let registers = registers.unwrap_or_else(|error| panic!("{error}"));
        // Every element is in a register: bases that are none of a tile are refused here.
        let encoding = registers.encoding().unwrap_or_else(|error| panic!("{error}"));
        let [register, lane, _] = bases
            .each_ref()
            .map(|all| all.iter().map(|[row, column]| row * shape[1] + column).collect());
        Self { bases, registers, encoding, register, lane }
    }

    fn elements(&self) -> u32 {
        1 << self.register.len()
    }
}

fn shape(json: &Value) -> [u32; 2] {
    let shape: [u32; 2] = naturals(&json["shape"]).try_into().unwrap();
    assert!(shape.iter().all(|length| length.is_power_of_two()), "shape {shape:?}");
    shape
}

/// Cycles of accesses: all, without conflicts, and the largest ratio of both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Cycles {
    instructions: u32,
    all: u32,
    least: u32,
    worst: u32,
}

impl Cycles {
    fn of(accesses: impl Iterator<Item = Addresses>, row: &Instruction) -> Self {
        let mut cycles = Self::default();
        for lanes in accesses {
            let found = bank::conflicts(&lanes, row).unwrap_or_else(|refusal| panic!("{refusal}"));
            cycles.instructions += 1;
            cycles.all += found.active_cycles();
            cycles.least += found.base_cycles;
            cycles.worst = cycles.worst.max(found.degree());
        }
        cycles
    }

    /// Against the three fields of a table.
    fn agree(&self, json: &Value) {
        let wanted = [&json["wavefronts"], &json["min_wavefronts"]].map(natural);
        assert_eq!([self.all, self.least], wanted, "wavefronts, min_wavefronts");
        let worst = json["worst_conflict_factor"].as_f64();
        assert_eq!(Some(f64::from(self.worst)), worst, "worst_conflict_factor");
    }
}

/// The accesses of warp 0, by the columns of its registers and lanes in bits of memory, for
/// accesses of as many bytes: those registers that begin one.
fn accesses(register: Vec<u32>, lane: Vec<u32>, bytes: u32) -> impl Iterator<Item = Addresses> {
    let begins = sums(&register).into_iter().filter(move |at| at % (8 * bytes) == 0);
    begins.map(move |at| {
        Addresses::from_fn(|l| (l < 1 << lane.len()).then(|| (at ^ sum(&lane, l)) / 8))
    })
}

/// Bits of the widest access, up to 128, all of which are of registers of one lane.
fn widest(register: &[u32], others: &[u32], bits: u32) -> u32 {
    let all = Span::of(register);
    let fits = |width: &u32| {
        let below = |offset: &u32| offset & (width - 1) == 0;
        let unit = (bits.ilog2()..width.ilog2()).all(|bit| all.holds(1 << bit));
        unit && others.iter().all(below)
    };
    let widths = [128, 64, 32, 16, 8, 4].into_iter().filter(|width| *width >= bits);
    widths.into_iter().find(fits).unwrap_or(bits)
}

/// The columns of all registers, lanes and warps in bits of memory.
fn columns(layout: &NamedLinear, side: &Side, bits: u32) -> [Vec<u32>; 3] {
    let offsets = layout.after(&side.registers.named_linear().unwrap()).unwrap();
    ["register", "lane", "warp"]
        .map(|name| offsets.input(name).unwrap().iter().map(|offset| offset * bits).collect())
}

/// A row-major tile, as any layout with names.
fn row_major(shape: [u32; 2]) -> NamedLinear {
    NamedLinear::from_plan(&Plan::packed(&shape).unwrap(), &["dim0", "dim1"]).unwrap()
}

/// A side that lies row-major: columns, and bits of its widest access.
fn unswizzled(shape: [u32; 2], side: &Side, bits: u32) -> ([Vec<u32>; 2], u32) {
    let [register, lane, warp] = columns(&row_major(shape), side, bits);
    let others = [lane.clone(), warp].concat();
    let wide = widest(&register, &others, bits);
    ([register, lane], wide)
}

/// Instruction rows as the README of the tables has them.
fn row(arch: &str, write: bool, bytes: u32) -> Instruction {
    let of = |phases: Phases, banks| {
        Instruction::read("of the table", bytes).banks(banks).phases(phases)
    };
    let lanes = |lanes: usize| Phases::contiguous(lanes);
    let dword = bytes.max(4) as usize;
    match arch {
        "sm80" | "sm90" => of(lanes(128 / dword).of_wave(32), 32),
        "gfx950" if write && bytes == 16 => of(lanes(8), 64),
        "gfx950" if write || bytes < 16 => of(lanes(256 / dword), 64),
        // The lanes of `lds_phases`.
        _ => of(ours(arch, write, bytes).phases, ours(arch, write, bytes).banks),
    }
}

/// Our own row.
fn ours(arch: &str, write: bool, bytes: u32) -> Service {
    let (verb, prefix) = if write { ("write", "b") } else { ("read", "u") };
    let prefix = if bytes < 4 { prefix } else { "b" };
    let name = format!("ds_{verb}_{prefix}{}", 8 * bytes);
    *chip::find(arch).unwrap().instruction(&name).unwrap().service()
}

fn conversion(id: &str, table: &Value, json: &Value, tally: &mut Tally) {
    let (arch, shape) = (text(&table["arch"]), shape(json));
    let bytes = natural(&json["elem_bytes"]);
    assert_eq!(Some(8 * bytes), bits_of_name(text(&json["elem"])), "{id}: elem_bytes");
    let sides = [("src", "src_linear"), ("dst", "dst_linear")].map(|(name, bases)| {
        let side = Side::new(shape, &json[bases]);
        assert_eq!(triton_text::bases(text(&json[name]), shape), side.bases, "{id}: {bases}");
        let version = text(&json[name]).split_once("#ttg.amd_mfma<{version = ");
        let version = version.map(|(_, rest)| rest.split(',').next().unwrap());
        let of_chip = match arch {
            "gfx942" => Some("3"),
            "gfx950" => Some("4"),
            _ => None,
        };
        assert!(version.is_none() || version == of_chip, "{id}: version of {arch}");
        side
    });
    let (banks, lanes) = machine(arch);
    for (side, (name, write)) in sides.iter().zip([("write", true), ("read", false)]) {
        let held = side.elements() * lanes * bytes;
        assert_eq!(natural(&json["bytes_per_warp"][name]), held, "{id}: bytes_per_warp");
        // How many banks serve a write of gfx950 the tables leave open.
        let floor = if write && arch == "gfx950" { Value::Null } else { json!(held / banks / 4) };
        assert_eq!(json["bandwidth_floor_wavefronts"][name], floor, "{id}: floor of {name}");
        baseline(arch, shape, side, write, bytes, &json["row_major_unswizzled"][name]);
        tally.baselines += 1;
    }
    through_memory(id, arch, shape, &sides, bytes, json, tally);
    tally.conversions += 1;
}

/// The bits in the name of an element: 8 of `i8` and of `f8E4M3FN`, 16 of `bf16`.
fn bits_of_name(name: &str) -> Option<u32> {
    let number = ["bf", "f", "i"].into_iter().find_map(|kind| name.strip_prefix(kind))?;
    let at = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
    let kinds = ["", "E5M2", "E4M3FN", "E4M3", "E5M2FNUZ", "E4M3FNUZ", "E4M3B11FNUZ"];
    if kinds.contains(&&number[at..]) { number[..at].parse().ok() } else { None }
}

/// The tile row-major in memory, by counting and by the verdict of the distribution.
fn baseline(arch: &str, shape: [u32; 2], side: &Side, write: bool, bytes: u32, json: &Value) {
    let ([register, lane], wide) = unswizzled(shape, side, 8 * bytes);
    assert_eq!(natural(&json["bytes_per_lane"]), wide / 8, "bytes_per_lane");
    let row = row(arch, write, wide / 8);
    let cycles = Cycles::of(accesses(register, lane, wide / 8), &row);
    assert_eq!(natural(&json["instructions"]), cycles.instructions, "instructions");
    cycles.agree(json);

    let encoding = &side.encoding;
    let plan = Plan::packed(&shape).unwrap();
    let placed = Placed::new(&plan, 8 * bytes, Lanes::distributed(encoding), &row).unwrap();
    let (verdict, waves) = (placed.verdict().unwrap(), u64::from(encoding.waves()));
    assert_eq!(
        [verdict.active_cycles(), verdict.base_cycles()].map(|cycles| cycles / waves),
        [u64::from(cycles.all), u64::from(cycles.least)],
        "the verdict of {encoding:?}"
    );
    assert_eq!(verdict.degree(), cycles.worst, "the verdict of {encoding:?}");
}

/// One side of a conversion through memory.
struct Access {
    /// As the table calls it: `store.b128`, `ldmatrix.trans.x4.b128`.
    name: String,
    bytes: u32,
    count: u32,
    /// Of the lanes of its first.
    first: Vec<u32>,
    /// What each bit of a lane's number flips of them.
    lane: Vec<u32>,
    /// Offsets whose coordinate is known.
    known: Vec<(u32, u32)>,
    /// Offsets whose coordinate is one of the lane's registers.
    own: Vec<u32>,
    /// The offset of lane 0 in its first.
    base: u32,
}

impl Access {
    fn new(side: &Side, element: u32, lanes: u32, json: &Value) -> Self {
        let one =
            json["instructions"].as_object().unwrap_or_else(|| panic!("instructions: {json}"));
        assert_eq!(one.len(), 1, "accesses of one kind");
        let (name, count) = one.iter().next().unwrap();
        let bytes: u32 =
            name.rsplit_once(".b").and_then(|(_, bits)| bits.parse::<u32>().ok()).unwrap();
        let mut first = naturals(&json["first_access_lane_byte_addr"]);
        assert_eq!(first.len() as u32, lanes, "lanes");
        // Of fewer than four matrices the other lanes' addresses are not looked at.
        let lanes = matrices(name).map_or(lanes, |count| 8 * count);
        first.truncate(lanes as usize);
        let lane: Vec<u32> = (0..lanes.ilog2()).map(|bit| first[1 << bit] ^ first[0]).collect();
        for (number, address) in first.iter().enumerate() {
            assert_eq!(
                address ^ first[0],
                sum(&lane, number as u32),
                "the address of lane {number}"
            );
            assert_eq!(address % (bytes / 8), 0, "the address of lane {number}");
        }
        let mut made = Self {
            name: name.clone(),
            bytes: bytes / 8,
            count: natural(count),
            base: first[0] / element,
            first,
            lane,
            known: Vec::new(),
            own: Vec::new(),
        };
        let offsets: Vec<u32> = made.lane.iter().map(|address| address / element).collect();
        made.know(side, element, &offsets);
        made
    }

    /// What the coordinates of its addresses must be.
    fn know(&mut self, side: &Side, element: u32, address: &[u32]) {
        let unit = (self.bytes / element).ilog2();
        let columns: Vec<u32> = (0..unit).map(|bit| 1 << bit).collect();
        let (kind, matrix) = self.name.split_once('.').unwrap();
        match (kind, matrix.starts_with("trans.")) {
            ("store" | "load", _) => {
                self.known = address.iter().copied().zip(side.lane.iter().copied()).collect();
                self.own = columns;
            }
            // Row r of a matrix: 4 bytes each in lanes 4r to 4r + 3. Lanes 8 to 31 give the
            // rows of further matrices, in further registers.
            ("ldmatrix" | "stmatrix", false) => {
                let (own, quad) = columns.split_at((4 / element).ilog2() as usize);
                let rows = address[..3].iter().copied();
                let of_lanes = quad.iter().copied().chain(rows);
                self.known = of_lanes.zip(side.lane.iter().copied()).collect();
                self.own = [own, &address[3..]].concat();
            }
            // Column c of a matrix of 2-byte elements: lanes 4c to 4c + 3, rows in pairs.
            ("ldmatrix" | "stmatrix", true) => {
                assert_eq!(element, 2, "bytes of a transposed element");
                let of_lanes = address[1..3].iter().copied().chain(columns);
                self.known = of_lanes.zip(side.lane.iter().copied()).collect();
                self.own = [&address[..1], &address[3..]].concat();
            }
            _ => panic!("an instruction this test does not know: {}", self.name),
        }
    }

    fn row(&self, arch: &str, write: bool) -> Instruction {
        let kind = self.name.split('.').next().unwrap();
        let verb = if write { ["store", "stmatrix"] } else { ["load", "ldmatrix"] };
        assert!(verb.contains(&kind), "{} on the other side", self.name);
        let chip = match (arch, kind) {
            (_, "load" | "store") => return row(arch, write, self.bytes),
            ("sm80", "ldmatrix") => "sm_80",
            ("sm90", "ldmatrix" | "stmatrix") => "sm_90",
            _ => panic!("{arch} has no {}", self.name),
        };
        let count = matrices(&self.name).unwrap_or_else(|| panic!("{}", self.name));
        *chip::find(chip).unwrap().instruction(&format!("{kind}.x{count}")).unwrap()
    }
}

/// The matrices of `ldmatrix.x2.b128` and `stmatrix.trans.x4.b128`: 1, 2 or 4.
fn matrices(name: &str) -> Option<u32> {
    let count = name.split('.').find_map(|part| part.strip_prefix('x'))?.parse().ok()?;
    [1, 2, 4].contains(&count).then_some(count)
}

/// Both accesses in a layout that has them, and its cycles.
fn through_memory(
    id: &str,
    arch: &str,
    shape: [u32; 2],
    sides: &[Side; 2],
    element: u32,
    json: &Value,
    tally: &mut Tally,
) {
    let lanes = machine(arch).1;
    let names = ["write", "read"];
    let both: [Access; 2] =
        core::array::from_fn(|i| Access::new(&sides[i], element, lanes, &json["triton"][names[i]]));
    let space = natural(&json["smem_bytes"]);
    assert!(space.is_power_of_two(), "{id}: smem_bytes");
    let space = space / element;
    let (elements, bits) = (shape[0] * shape[1], space.ilog2());
    assert!(space <= elements, "{id}: smem_bytes");
    // Registers that both sides have are moved one after the other.
    let rounds = (elements / space).ilog2() as usize;
    let common: Vec<u32> =
        sides[0].register.iter().copied().filter(|at| sides[1].register.contains(at)).collect();
    let map = choices(&common, rounds)
        .into_iter()
        .find_map(|round| Some((complete(sides, &both, bits, &round)?, round)));
    let (map, round) = map.unwrap_or_else(|| panic!("{id}: no layout has both first accesses"));

    let layout = layout(shape, bits, &map, &round);
    for (i, (side, access)) in sides.iter().zip(&both).enumerate() {
        let json = &json["triton"][names[i]];
        let moved = access.count * access.first.len() as u32 * access.bytes;
        assert_eq!(moved, side.elements() * lanes * element, "{id}: {}", access.name);
        let row = access.row(arch, i == 0);
        let cycles = Cycles::of(all(&layout, &map, side, access, element), &row);
        assert_eq!(cycles.instructions, access.count, "{id}: {}", access.name);
        cycles.agree(json);
        tally.accesses += access.count as usize;
        our_row(
            id,
            arch,
            i == 0,
            access,
            &cycles,
            all(&layout, &map, side, access, element),
            tally,
        );
    }
}

/// All choices of `count` of these.
fn choices(of: &[u32], count: usize) -> Vec<Vec<u32>> {
    let chosen = |mask: u32| -> Vec<u32> {
        let picked = of.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
        picked.map(|(_, one)| *one).collect()
    };
    (0..1u32 << of.len()).filter(|mask| mask.count_ones() as usize == count).map(chosen).collect()
}

/// The coordinate of each bit of an offset, in a layout that has both first accesses; the
/// coordinates of a round are the same.
fn complete(sides: &[Side; 2], both: &[Access; 2], bits: u32, round: &[u32]) -> Option<Vec<u32>> {
    let rounds = Span::of(round);
    let one_round = |at: u32| rounds.reduce(at).0;
    let mut map = Partial::default();
    for (offset, at) in both.iter().flat_map(|access| &access.known) {
        let at = one_round(*at);
        // A lane that repeats another has its address.
        if (at == 0 && *offset != 0) || !(at == 0 || map.fix(*offset, at)) {
            return None;
        }
    }
    let [of_write, of_read] = sides.each_ref().map(|side| -> Vec<u32> {
        let all: Vec<u32> = side.register.iter().map(|at| one_round(*at)).collect();
        Span::default().complement(&all)
    });
    let mut wanted: Vec<(u32, Vec<u32>)> = Vec::new();
    let shared = |offset: &u32| both[1].own.contains(offset);
    for offset in both[0].own.iter().filter(|offset| shared(offset)) {
        wanted.push((*offset, meet(&of_write, &of_read)));
    }
    for (access, allowed) in both.iter().zip([of_write, of_read]) {
        wanted.extend(access.own.iter().map(|offset| (*offset, allowed.clone())));
        // The first access of the code need not be that of register 0.
        if access.base != 0 {
            wanted.push((access.base, allowed));
        }
    }
    let all: Vec<u32> = (0..32).map(|bit| one_round(1 << bit)).filter(|at| *at != 0).collect();
    Some(map.within(&wanted)?.completed(bits, &all))
}

/// The layout as a map with names, from the coordinate of each bit of its offset.
fn layout(shape: [u32; 2], bits: u32, map: &[u32], round: &[u32]) -> NamedLinear {
    let (mut back, rounds) = (Span::default(), Span::of(round));
    for (bit, at) in map.iter().enumerate() {
        assert!(back.insert(*at, 1 << bit), "two offsets of a coordinate");
    }
    let coordinates = (shape[0] * shape[1]).ilog2();
    let columns: Vec<u32> = (0..coordinates)
        .map(|bit| {
            let (rest, offset) = back.reduce(rounds.reduce(1 << bit).0);
            assert_eq!(rest, 0, "a coordinate without an offset");
            offset
        })
        .collect();
    let inputs = [("dim0", shape[0].ilog2()), ("dim1", shape[1].ilog2())];
    let columns = Linear::new(&columns, 0).unwrap();
    NamedLinear::new(columns, &inputs, &[("offset", bits)]).unwrap()
}

/// All accesses of warp 0: those of the first registers, and what the other ones move them by.
/// One of them is the table's first.
fn all(
    layout: &NamedLinear,
    map: &[u32],
    side: &Side,
    access: &Access,
    element: u32,
) -> impl Iterator<Item = Addresses> {
    let [register, ..] = columns(layout, side, element);
    // By coordinates: a layout of rounds has one offset for several.
    let own: Vec<u32> = access.own.iter().map(|offset| sum(map, *offset)).collect();
    let further: Vec<u32> = Span::of(&own).complement(&side.register);
    let place = |at: &u32| side.register.iter().position(|its| its == at).unwrap();
    let further: Vec<u32> = further.iter().map(|at| register[place(at)]).collect();
    let starts: Vec<u32> = sums(&further).into_iter().map(|by| by & !(access.bytes - 1)).collect();
    assert!(starts.contains(&access.first[0]), "no register is at {}", access.first[0]);
    starts.into_iter().map(move |at| {
        let lanes = access.first.len() as u32;
        Addresses::from_fn(|lane| (lane < lanes).then(|| at ^ sum(&access.lane, lane)))
    })
}

/// The same accesses by our own row, where that is another.
fn our_row(
    id: &str,
    arch: &str,
    write: bool,
    access: &Access,
    cycles: &Cycles,
    all: impl Iterator<Item = Addresses>,
    tally: &mut Tally,
) {
    let (true, row) = (arch.starts_with("gfx"), access.row(arch, write)) else { return };
    let ours = ours(arch, write, access.bytes);
    if arch == "gfx950" {
        tally.gfx950 += cycles.all;
    }
    if (ours.phases, ours.banks) == (row.service().phases, row.service().banks) {
        return;
    }
    assert_eq!(arch, "gfx950", "{id}: our row of {} is another", access.name);
    let by_ours = Cycles::of(all, &row.banks(ours.banks).phases(ours.phases));
    let sentence = format!(
        "{id} {}: {} of {} cycles, by ours {} of {}",
        access.name, cycles.all, cycles.least, by_ours.all, by_ours.least
    );
    tally.gfx950 += by_ours.all - cycles.all;
    tally.ours.push(Ours { sentence, write, degree: by_ours.worst });
}

/// A pair of register layouts of Triton's own unit test.
fn unit_test(id: &str, _: &Value, json: &Value, tally: &mut Tally) {
    assert!(text(&json["name"]).starts_with("Test"), "{id}: name");
    let shape = shape(json);
    let bits = natural(&json["elem_bits"]);
    let (banks, lanes) = (natural(&json["banks"]), natural(&json["lanes"]));
    assert!(text(&json["name"]).contains(&format!("Test{}x{}", shape[0], shape[1])), "{id}: name");
    assert!([4, 8, 16, 32].contains(&bits), "{id}: elem_bits");
    let row = |width: u32| {
        let phase = 32 * banks / width.max(32);
        let phases = Phases::contiguous(phase.min(lanes) as usize).of_wave(lanes as usize);
        Instruction::read("of the table", width / 8).banks(banks).phases(phases)
    };
    let sides = ["src", "dst"].map(|name| Side::new(shape, &json[name]));
    assert_eq!(sides[0].encoding.waves(), sides[1].encoding.waves(), "{id}: warps");
    for (side, name) in sides.iter().zip(["write", "read"]) {
        assert_eq!(1 << side.lane.len(), lanes, "{id}: lanes");
        let json = &json["row_major_baseline"][name];
        let ([register, lane], wide) = unswizzled(shape, side, bits);
        assert_eq!(natural(&json["bits_per_lane"]), wide, "{id}: bits_per_lane of {name}");
        let cycles = Cycles::of(accesses(register, lane, wide / 8), &row(wide));
        let wanted =
            ["wavefronts_warp0", "min_wavefronts", "worst_degree"].map(|at| natural(&json[at]));
        assert_eq!([cycles.all, cycles.least, cycles.worst], wanted, "{id}: row-major {name}");
        let more = f64::from(cycles.all - cycles.least) / f64::from(cycles.least);
        assert_eq!(json["conflicts_per_wavefront"].as_f64(), Some(more), "{id}: {name}");
        tally.baselines += 1;
    }
    let (layout, wide) = free(shape, &sides, bits, banks);
    for (side, name) in sides.iter().zip(["write_conflicts", "read_conflicts"]) {
        let [register, lane, _] = columns(&layout, side, bits);
        let cycles = Cycles::of(accesses(register, lane, wide / 8), &row(wide));
        let conflicts = natural(&json["asserted"][name]);
        assert_eq!(cycles.all - cycles.least, conflicts, "{id}: {name}");
    }
    tally.found += 1;
}

/// A layout without conflicts for both sides, and the bits of an access: the registers that both
/// have, and no more than 128 bits. The coordinates of the lines in one bank must not meet what
/// either side's phase touches; as long as those are not all coordinates, there is one more.
fn free(shape: [u32; 2], sides: &[Side; 2], bits: u32, banks: u32) -> (NamedLinear, u32) {
    let coordinates = (shape[0] * shape[1]).ilog2();
    let most = (128 / bits).ilog2() as usize;
    let mut vector = meet(&sides[0].register, &sides[1].register);
    vector.truncate(most);
    let wide = bits << vector.len();
    let all: Vec<u32> = (0..coordinates).map(|bit| 1 << bit).collect();
    // Up to a dword, of a narrower access anything.
    let mut dword = vector.clone();
    let short = (32 / wide.min(32)).ilog2() as usize;
    dword.extend(Span::of(&dword).complement(&all).into_iter().take(short));
    let phase = (32 * banks / wide.max(32)).ilog2() as usize;
    let mut taken: Vec<Span> = sides
        .iter()
        .map(|side| {
            let lanes = &side.lane[..phase.min(side.lane.len())];
            Span::of(&[&dword[..], lanes].concat())
        })
        .collect();
    let line = (32 * banks / bits).ilog2() as usize;
    let mut lines = Vec::new();
    while lines.len() + line < coordinates as usize {
        let more = (1..1u32 << coordinates).find(|at| taken.iter().all(|span| !span.holds(*at)));
        let more = more.expect("both phases touch less than all");
        for span in &mut taken {
            span.insert(more, 0);
        }
        lines.push(more);
    }
    let in_a_line = Span::of(&[&dword[..], &lines].concat()).complement(&all);
    let map = [dword, in_a_line, lines].concat();
    (layout(shape, coordinates, &map, &[]), wide)
}

/// Rows of all widths as the tables have them, and the matrices of a chip.
fn rows_of_table(arch: &str) -> Vec<Instruction> {
    let widths = [1, 2, 4, 8, 16].into_iter();
    let named = |write: bool, bytes| {
        let known = row(arch, write, bytes);
        let new = if write { Instruction::write } else { Instruction::read };
        new("of the table", bytes).banks(known.service().banks).phases(known.service().phases)
    };
    let plain = widths.flat_map(|bytes| [true, false].map(|write| named(write, bytes)));
    let chip = match arch {
        "sm80" => "sm_80",
        "sm90" => "sm_90",
        other => other,
    };
    let matrices = chip::find(chip).unwrap().rows().iter().filter(|row| {
        let name = row.name();
        name.starts_with("ldmatrix") || name.starts_with("stmatrix")
    });
    plain.chain(matrices.copied()).collect()
}

/// The element of each warp, lane and register, by the bases of a table.
fn elements(side: &Side, columns: u32) -> impl Fn([u32; 3]) -> u32 {
    let bases = side.bases.each_ref();
    let [registers, lanes, warps] = bases.map(|part| -> Vec<u32> {
        part.iter().map(|[row, column]| row * columns + column).collect()
    });
    move |[warp, lane, register]| sum(&registers, register) ^ sum(&lanes, lane) ^ sum(&warps, warp)
}

/// Our conversion of a pair of layouts, carried out.
fn ours_of<'i>(
    shape: [u32; 2],
    sides: &[Side; 2],
    bits: u32,
    rows: impl IntoIterator<Item = &'i Instruction, IntoIter: Clone>,
) -> Conversion<'i> {
    let [from, to] = sides.each_ref().map(|side| Held::from_encoding(&side.encoding).unwrap());
    let found = Conversion::by(&from, &to, bits, rows).unwrap_or_else(|error| panic!("{error}"));
    let [from, to] = sides;
    let holds = [from, to].map(|side| elements(side, shape[1]));
    let cycles = simulate(&found, bits, [&holds[0], &holds[1]]);
    assert_eq!(cycles, [found.store().cycles(), found.load().cycles()], "{found}");
    assert_ne!(found.optimality(), Optimality::Tried, "{found}");
    found
}

/// Cycles of all conversions of a table: ours, Triton's, and ours by our own rows of the chip.
fn synthesized(table: &Table) -> [u64; 3] {
    let (arch, mut all) = (text(&table.json["arch"]), [0; 3]);
    let rows = rows_of_table(arch);
    let own = chip::find(if arch == "sm80" {
        "sm_80"
    } else if arch == "sm90" {
        "sm_90"
    } else {
        arch
    });
    for (i, json) in filled("cases", &table.json["cases"]).iter().enumerate() {
        let (shape, bits) = (shape(json), 8 * natural(&json["elem_bytes"]));
        let sides = ["src_linear", "dst_linear"].map(|bases| Side::new(shape, &json[bases]));
        let found = ours_of(shape, &sides, bits, &rows);
        let wavefronts = |side: &str| u64::from(natural(&json["triton"][side]["wavefronts"]));
        let triton = wavefronts("write") + wavefronts("read");
        assert!(found.cycles() <= triton, "{}[{i}]: {found}, Triton {triton}", table.name);
        // A tile that a block cannot have Triton moves in rounds.
        let chip = own.unwrap();
        let fits = shape[0] * shape[1] * bits / 8 <= chip.lds();
        let plain = chip.rows().iter().filter(|row| is_plain(row));
        let by_own = if fits { ours_of(shape, &sides, bits, plain).cycles() } else { 0 };
        for (sum, cycles) in all.iter_mut().zip([found.cycles(), triton, by_own]) {
            *sum += cycles;
        }
    }
    all
}

/// The sums of each table of conversions: of the committed ones once, which two tests ask for.
fn sums_of_tables(mut tables: Vec<Table>) -> Vec<(String, [u64; 3])> {
    tables.retain(|table| table.kind() == "convert_layout");
    tables.iter().map(|table| (text(&table.json["arch"]).to_owned(), synthesized(table))).collect()
}

static COMMITTED: LazyLock<Vec<(String, [u64; 3])>> =
    LazyLock::new(|| sums_of_tables(support::committed_tables("triton")));

/// No conversion takes more cycles than Triton's.
#[test]
fn at_most_tritons_cycles() {
    let other = std::env::var_os("GOLDEN_TRITON");
    let other = other.map(|_| sums_of_tables(support::tables("GOLDEN_TRITON", "triton")));
    for (arch, [ours, triton, own]) in other.as_ref().unwrap_or(&COMMITTED) {
        println!("convert_layout {arch} ours {ours} triton {triton} (by our own rows {own})");
    }
}

#[test]
fn sums_of_the_committed_conversions() {
    let sums: Vec<(&str, [u64; 3])> =
        COMMITTED.iter().map(|(arch, sums)| (arch.as_str(), *sums)).collect();
    assert_eq!(
        sums,
        [
            ("gfx942", [1440, 1472, 1440]),
            ("gfx950", [704, 944, 1056]),
            ("sm80", [1288, 1288, 1288]),
            ("sm90", [1024, 1120, 1024]),
        ]
    );
}

/// Triton's own unit tests, by plain accesses: nothing conflicts.
#[test]
fn unit_tests_are_free() {
    let mut all = Vec::new();
    for table in support::tables("GOLDEN_TRITON", "triton") {
        if table.kind() != "synthesis_unit_tests" {
            continue;
        }
        for json in filled("cases", &table.json["cases"]) {
            let (shape, bits) = (shape(json), natural(&json["elem_bits"]));
            let (banks, lanes) = (natural(&json["banks"]), natural(&json["lanes"]));
            let rows = plain_rows(banks, lanes);
            let sides = ["src", "dst"].map(|name| Side::new(shape, &json[name]));
            let found = ours_of(shape, &sides, bits, &rows);
            let conflicts = ["write_conflicts", "read_conflicts"];
            let asserted = conflicts.map(|at| u64::from(natural(&json["asserted"][at])));
            assert_eq!([found.store().conflicts(), found.load().conflicts()], asserted, "{found}");
            all.push(found.cycles());
        }
    }
    println!("synthesis_unit_tests ours {all:?}");
    if std::env::var_os("GOLDEN_TRITON").is_none() {
        assert_eq!(all, [32, 8, 32, 16, 48, 160, 80]);
    }
}

/// Reads and writes of 1 to 16 bytes by phases of as many lanes as fill the banks.
fn plain_rows(banks: u32, lanes: u32) -> Vec<Instruction> {
    let of = |row: Instruction| {
        let phase = 4 * banks / row.bytes().max(4);
        let phases = Phases::contiguous(phase.min(lanes) as usize).of_wave(lanes as usize);
        row.banks(banks).phases(phases)
    };
    let widths = [1, 2, 4, 8, 16].into_iter();
    let both = |bytes| [Instruction::write("store", bytes), Instruction::read("load", bytes)];
    widths.flat_map(both).map(of).collect()
}

/// A layout of 65 of the 68 is a permutation of bits after one swizzle, in CuTe's words and with
/// the same offsets: those of the committed tables, and gfx950 by our rows.
#[test]
fn most_are_one_swizzle() {
    let (mut single, mut all, mut forms) = (0, 0, Vec::new());
    let own: Vec<Instruction> =
        chip::find("gfx950").unwrap().rows().iter().filter(|row| is_plain(row)).copied().collect();
    for table in support::committed_tables("triton") {
        if table.kind() != "convert_layout" {
            continue;
        }
        let arch = text(&table.json["arch"]);
        let mut rows = vec![rows_of_table(arch)];
        rows.extend((arch == "gfx950").then(|| own.clone()));
        for (json, rows) in filled("cases", &table.json["cases"])
            .iter()
            .flat_map(|json| rows.iter().map(move |rows| (json, rows)))
        {
            let (shape, bits) = (shape(json), 8 * natural(&json["elem_bytes"]));
            let sides = ["src_linear", "dst_linear"].map(|bases| Side::new(shape, &json[bases]));
            let found = ours_of(shape, &sides, bits, rows);
            all += 1;
            if let Ok(form) = Composed::of_plan(&found.plan().unwrap()) {
                single += 1;
                assert_eq!(form.linear(Fastest::Last).unwrap(), *found.layout(), "{form}");
                forms.push(form.to_string());
            }
        }
    }
    assert_eq!((single, all), (65, 68));
    // Row by row; columns of 64 first; rows with vectors of every fourth element.
    for form in [
        "Sw<3,3,3> o 0 o (64,64):(64,1)",
        "Sw<3,2,8> o 0 o ((64,2),(64,2)):((4,2),(256,1))",
        "Sw<4,2,4> o 0 o (64,(4,4,4)):(64,(4,1,16))",
    ] {
        assert!(forms.iter().any(|found| found == form), "{form}: {forms:?}");
    }
}

/// None of AMD's transposed reads.
fn is_plain(row: &Instruction) -> bool {
    !row.name().contains("_tr_")
}
