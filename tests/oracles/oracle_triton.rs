//! Triton's bank conflicts, and the lane groups that its AMD backend uses, reproduced.
//!
//! The tables come from Triton 3.9.0 (`tests/golden/triton/README.md` has the schema).
//! To check another folder of the same schema:
//!
//! ```text
//! GOLDEN_TRITON=<folder> cargo test --release --test oracles oracle_triton:: -- --nocapture
//! ```
//!
//! | table | what must agree |
//! |---|---|
//! | `shared_conflicts` | `bytes_per_lane`, the widest access of a register layout, and `bank_conflicts`, the additional wavefronts per phase over all registers and warps |
//! | `lds_phases` | banks and lanes served together on every AMD chip, and the 21 counters of MI300X; latencies are not predicted |
//! | `convert_layout`, `synthesis_unit_tests` | by `oracle_conversions`; their register layouts, as those of `shared_conflicts`, by `oracle_registers` |
//!
//! The bases of a shared layout are computed again from its shape and its `vec`,
//! `per_phase`, `max_phase` and `order`, or `swizzle_bytes` and `transposed`.
//!
//! `bank_conflicts` was counted by brute force, and we must match it. `triton_reports` is
//! the answer of a formula inside Triton, which is wrong in a few cases: those are listed,
//! and each must be an error of the kind that the README describes.

use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::OnceLock;
use support::attempt::attempt;
use support::bits::sum;
use support::corrupt::{self, Unread};
use support::{Table, filled, flag, int, list, naturals, text};
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::chip::{self, Instruction, Phases};
use tiledesc_host::counters::Lds;

/// What was checked.
#[derive(Default)]
struct Tally {
    conflicts: usize,
    accesses: usize,
    groups: usize,
    counters: usize,
    triton_errs: Vec<String>,
    disputed: Vec<String>,
    /// Tables that `oracle_conversions` reads, and `printed.rs` of `host/tests`.
    elsewhere: Vec<String>,
}

impl support::Tally for Tally {
    fn plus(mut self, other: Self) -> Self {
        self.conflicts += other.conflicts;
        self.accesses += other.accesses;
        self.groups += other.groups;
        self.counters += other.counters;
        self.triton_errs.extend(other.triton_errs);
        self.disputed.extend(other.disputed);
        self.elsewhere.extend(other.elsewhere);
        self
    }

    fn not_covered(&self) -> &[String] {
        &self.elsewhere
    }
}

#[test]
fn every_table_of_the_folder() {
    report(&support::check_all(&support::tables("GOLDEN_TRITON", "triton"), check));
}

fn check(table: &Table) -> Result<Tally, String> {
    attempt(|| {
        let mut tally = Tally::default();
        let (name, json) = (&table.name, &table.json);
        assert_eq!(int(&json["version"]), 1, "version");
        let committed = committed_cases(table);
        match table.kind() {
            "shared_conflicts" => shared_conflicts(name, json, committed, &mut tally),
            "lds_phases" => lds_phases(name, json, committed, &mut tally),
            "convert_layout" | "synthesis_unit_tests" | "printed_layouts" => {
                tally.elsewhere.push(name.clone());
            }
            other => panic!("a kind this test does not know: {other}"),
        }
        if committed {
            let listed = |error: &&str| error.starts_with(&format!("{name}["));
            let listed: Vec<&str> = TRITON_ERRS.into_iter().filter(listed).collect();
            assert_eq!(tally.triton_errs, listed, "errors of Triton's formula");
        }
        tally
    })
}

/// Where Triton's formula errs in the committed tables, and nowhere else.
const TRITON_ERRS: [&str; 4] = [
    "shared_conflicts_swizzled[99]: 2 bytes a lane, 0 reported, 1 counted",
    "shared_conflicts_swizzled[112]: 2 bytes a lane, 0 reported, 1 counted",
    "shared_conflicts_swizzled[136]: 2 bytes a lane, 3 reported, 7 counted",
    "shared_conflicts_swizzled[176]: 2 bytes a lane, 3 reported, 7 counted",
];

/// Whether these are as many cases as the committed table of this name has.
fn committed_cases(table: &Table) -> bool {
    static COUNTS: OnceLock<Vec<(String, Value)>> = OnceLock::new();
    let count = |table: Table| (table.name, table.json["count"].clone());
    let counts = || support::committed_tables("triton").into_iter().map(count).collect();
    COUNTS.get_or_init(counts).contains(&(table.name.clone(), table.json["count"].clone()))
}

/// Fields of the tables that are covered which nothing reads.
const UNREAD: &[Unread] = &[
    Unread { kind: "lds_phases", path: "source", when: None, reason: "whose figures these are" },
    Unread {
        kind: "lds_phases",
        path: "targets[].gpu",
        when: None,
        reason: "a product's name; the rows are found by target",
    },
    Unread {
        kind: "lds_phases",
        path: "targets[].write",
        when: Some(|case| {
            case.copy["targets"]
                .as_array()
                .is_some_and(|targets| targets.iter().all(|target| target["write"].is_object()))
        }),
        reason: "of some chips no source knows how writes are served, and the list is empty",
    },
    Unread {
        kind: "shared_conflicts",
        path: "cases[].shared.vec",
        when: Some(|case| case.holder["max_phase"] == 1),
        reason: "with one phase all rows begin at the first chunk, however long",
    },
    Unread {
        kind: "shared_conflicts",
        path: "cases[].shared.per_phase",
        when: Some(|case| case.holder["max_phase"] == 1),
        reason: "with one phase all rows are in it, however many",
    },
    Unread {
        kind: "lds_phases",
        path: "measured_mi300x[].latency_cycles",
        when: None,
        reason: "latencies are not predicted, only the counters beside them",
    },
];

/// Every field of every committed table that is read here, corrupted in turn.
#[test]
fn corrupting_any_field_is_noticed() {
    let mut tables = support::committed_tables("triton");
    tables.retain(|table| ["shared_conflicts", "lds_phases"].contains(&table.kind()));
    corrupt::every_field_is_read(&tables, UNREAD, check);
}

/// Tables of which none is checked here are refused.
#[test]
fn nothing_passes_unchecked() {
    let json = json!({"kind": "convert_layout", "version": 1, "count": 0, "cases": []});
    assert!(
        attempt(|| support::check_all(&[Table { name: "conversions".to_owned(), json }], check))
            .is_err()
    );
}

fn report(tally: &Tally) {
    println!("{} figures over {} accesses", tally.conflicts, tally.accesses);
    println!("{} lane groupings, {} counters", tally.groups, tally.counters);
    for name in &tally.disputed {
        println!("  sources disagree, ours is the other: {name}");
    }
    println!("Triton's formula errs in {} figures:", tally.triton_errs.len());
    for case in &tally.triton_errs {
        println!("  {case}");
    }
    println!("by other tests ({}): {}", tally.elsewhere.len(), tally.elsewhere.join(" "));
}

/// The cases of a table, each with the name that a failure gives.
fn cases<'a>(name: &str, list: &'a Value) -> Vec<(String, &'a Value)> {
    let list = filled(name, list);
    list.iter().enumerate().map(|(i, json)| (format!("{name}[{i}]"), json)).collect()
}

fn shared_conflicts(name: &str, json: &Value, committed: bool, tally: &mut Tally) {
    let cases = cases(name, &json["cases"]);
    assert_eq!(json["count"].as_u64(), Some(cases.len() as u64), "{name}: count");
    assert_eq!((int(&json["banks"]), int(&json["lanes"])), (32, 32), "{name}: banks, lanes");
    for (id, json) in cases {
        assert_eq!(shared_bases(&id, json), shared_offsets(&id, json), "{id}: shared_offset_bases");
        covers_the_tile(&id, json, committed);
        let access = SharedAccess::new(&id, json);
        assert_eq!(access.widest(), u32_of(&id, &json["bytes_per_lane"]), "{id}: bytes_per_lane");
        let (wavefronts, phases) = access.count(&id, tally);
        let expected = u32_of(&id, &json["bank_conflicts"]);
        assert_eq!(wavefronts, phases * (1 + expected), "{id}: bank_conflicts {expected}");
        tally.conflicts += 1;
        let reported = u32_of(&id, &json["triton_reports"]);
        if reported != expected {
            tally.triton_errs.push(triton_errs(&id, json, &access, expected, reported));
        }
    }
}

fn u32_of(id: &str, value: &Value) -> u32 {
    let number = value.as_u64().and_then(|number| u32::try_from(number).ok());
    number.unwrap_or_else(|| panic!("{id}: not a natural number: {value}"))
}

/// Describes an error of Triton's formula, which may only be that of the README:
/// too few conflicts of a sub-word access to a swizzled layout.
fn triton_errs(id: &str, json: &Value, access: &SharedAccess, is: u32, reported: u32) -> String {
    assert!(reported < is, "{id}: Triton reports {reported}, more than {is}");
    assert!(access.bytes < 4, "{id}: Triton errs in an access of {} bytes", access.bytes);
    assert_eq!(json["shared"]["kind"], "swizzled", "{id}: Triton errs");
    format!("{id}: {} bytes a lane, {reported} reported, {is} counted", access.bytes)
}

/// The registers, lanes and warps of a layout hold every element of the tile; each bit of
/// their numbers leads to new ones, or to copies. In the committed tables a bit moves along
/// one dimension, by a power of two.
fn covers_the_tile(id: &str, json: &Value, committed: bool) {
    let parts = ["reg", "lane", "warp"].map(|part| coordinates(id, &json["register_linear"][part]));
    let moves: Vec<u32> = parts.concat().into_iter().filter(|at| *at != 0).collect();
    let elements: u32 = naturals(&json["shape"]).iter().product();
    assert_eq!(1 << moves.len(), elements, "{id}: register_linear, elements");
    // Two bits that lead to one element are refused.
    let _ = Inverse::new(id, &moves);
    let single = moves.iter().all(|at| at.is_power_of_two());
    assert!(single || !committed, "{id}: register_linear has a move in two bits");
}

fn shared_offsets(id: &str, json: &Value) -> Vec<u32> {
    coordinates(id, &json["shared_offset_bases"])
}

/// The coordinate of every bit of the offset, by the rules of the two shared layouts.
fn shared_bases(id: &str, json: &Value) -> Vec<u32> {
    let shared = &json["shared"];
    let [rows, columns] = naturals(&json["shape"])[..] else { panic!("{id}: {}", json["shape"]) };
    match text(&shared["kind"]) {
        "swizzled" => match naturals(&shared["order"])[..] {
            [1, 0] => swizzled_bases(id, shared, rows, columns),
            [0, 1] => turned(swizzled_bases(id, shared, columns, rows)),
            _ => panic!("{id}: order {}", shared["order"]),
        },
        "nvmma" => match flag(&shared["transposed"]) {
            false => nvmma_bases(id, json, rows, columns),
            true => turned(nvmma_bases(id, json, columns, rows)),
        },
        other => panic!("{id}: a shared layout this test does not know: {other}"),
    }
}

/// Rows for columns.
fn turned(bases: Vec<u32>) -> Vec<u32> {
    bases.into_iter().map(|at| at.rotate_left(16)).collect()
}

/// The powers of two below a length.
fn bits(id: &str, length: u32) -> impl Iterator<Item = u32> {
    assert!(length.is_power_of_two(), "{id}: {length} is not a power of two");
    (0..length.ilog2()).map(|bit| 1 << bit)
}

fn power_of_two(id: &str, json: &Value) -> u32 {
    let number = u32_of(id, json);
    assert!(number.is_power_of_two(), "{id}: {number} is not a power of two");
    number
}

fn element_bytes(id: &str, json: &Value) -> u32 {
    let bits = power_of_two(id, &json["elem_bits"]);
    assert!(bits >= 8, "{id}: elements of {bits} bits");
    bits / 8
}

/// Row `r` begins at the chunk of `vec` elements whose number is `r / per_phase`, modulo
/// `max_phase`.
fn swizzled_bases(id: &str, shared: &Value, rows: u32, columns: u32) -> Vec<u32> {
    let of = |field: &str| power_of_two(id, &shared[field]);
    let (vec, per_phase, max_phase) = (of("vec"), of("per_phase"), of("max_phase"));
    let first = |row: u32| vec * (row / per_phase % max_phase) % columns;
    bits(id, columns).chain(bits(id, rows).map(|row| row << 16 | first(row))).collect()
}

/// The hardware's swizzle: rows of `swizzle_bytes`, whose chunks of 16 bytes are xor-ed
/// with the number of the 128 bytes that they lie in; then tile after tile. Without a
/// swizzle the tile is row-major.
fn nvmma_bases(id: &str, json: &Value, rows: u32, columns: u32) -> Vec<u32> {
    let bytes = u32_of(id, &json["shared"]["swizzle_bytes"]);
    let element = element_bytes(id, json);
    if bytes == 0 {
        return bits(id, columns).chain(bits(id, rows).map(|row| row << 16)).collect();
    }
    assert!([32, 64, 128].contains(&bytes), "{id}: a swizzle of {bytes} bytes");
    let (chunk, row_bytes) = (16 / element, bytes / element);
    let xored = |row: u32| if row < 8 { row / (128 / bytes) % (bytes / 16) * chunk } else { 0 };
    let columns_of_tiles = bits(id, columns).filter(|column| *column >= row_bytes);
    bits(id, columns)
        .filter(|column| *column < row_bytes)
        .chain(bits(id, rows).map(|row| row << 16 | xored(row)))
        .chain(columns_of_tiles)
        .collect()
}

/// A register layout against a shared one: byte offsets of the bits of register,
/// lane and warp number. The offset of a number is the xor of those of its bits.
struct SharedAccess {
    element_bytes: u32,
    bytes: u32,
    register: Vec<u32>,
    lane: Vec<u32>,
    warp: Vec<u32>,
}

impl SharedAccess {
    fn new(id: &str, json: &Value) -> Self {
        let element_bytes = element_bytes(id, json);
        let place = Inverse::new(id, &shared_offsets(id, json));
        let offsets = |part: &str| -> Vec<u32> {
            let bits = coordinates(id, &json["register_linear"][part]);
            bits.into_iter().map(|at| place.offset(id, at) * element_bytes).collect()
        };
        let bytes = u32_of(id, &json["bytes_per_lane"]);
        let [register, lane, warp] = ["reg", "lane", "warp"].map(offsets);
        assert_eq!(lane.len(), 5, "{id}: bits of 32 lanes");
        Self { element_bytes, bytes, register, lane, warp }
    }

    /// Bytes of the widest access, up to 16, whose low offset bits come from registers
    /// only.
    fn widest(&self) -> u32 {
        let registers = 1 << self.register.len();
        let fits = |bytes: &u32| {
            let low = |offset: u32| offset & (bytes - 1);
            let others = self.lane.iter().chain(&self.warp).all(|&offset| low(offset) == 0);
            let filled: BTreeSet<u32> =
                (0..registers).map(|r| low(sum(&self.register, r))).collect();
            others && filled.len() as u32 * self.element_bytes == *bytes
        };
        let widths = [16, 8, 4, 2, 1].into_iter().filter(|bytes| *bytes >= self.element_bytes);
        widths.into_iter().find(fits).unwrap_or(self.element_bytes)
    }

    /// Wavefronts and phases, summed over all registers and warps.
    fn count(&self, id: &str, tally: &mut Tally) -> (u32, u32) {
        let (mut wavefronts, mut phases) = (0, 0);
        let instruction = triton_row(self.bytes);
        for register in 0..1 << self.register.len() {
            for warp in 0..1 << self.warp.len() {
                let base = sum(&self.register, register) ^ sum(&self.warp, warp);
                let address = |lane| (base ^ sum(&self.lane, lane)) & !(self.bytes - 1);
                let lanes = Addresses::from_fn(|lane| (lane < 32).then(|| address(lane)));
                let found = bank::conflicts(&lanes, &instruction)
                    .unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
                wavefronts += found.active_cycles();
                phases += found.base_cycles;
                tally.accesses += 1;
            }
        }
        (wavefronts, phases)
    }
}

/// NVIDIA's phases without the merging of lanes that agree, which Triton does not
/// model.
fn triton_row(bytes: u32) -> Instruction {
    let lanes = 128 / bytes.max(4) as usize;
    Instruction::read("of Triton", bytes).phases(Phases::contiguous(lanes).of_wave(32))
}

/// Rows and columns as one word each, the row in the upper half.
fn coordinates(id: &str, bases: &Value) -> Vec<u32> {
    list(bases)
        .iter()
        .map(|at| match naturals(at)[..] {
            [row, column] => row << 16 | column,
            _ => panic!("{id}: not a row and a column: {at}"),
        })
        .collect()
}

/// From coordinates back to offsets: each pair is a coordinate and its offset, and
/// the lowest bit of a coordinate is in no other.
struct Inverse(Vec<(u32, u32)>);

impl Inverse {
    fn new(id: &str, images: &[u32]) -> Self {
        let mut inverse = Self(Vec::new());
        for (bit, &image) in images.iter().enumerate() {
            let (rest, offset) = inverse.reduce(image);
            assert!(rest != 0, "{id}: offset bit {bit} repeats what lower bits reach");
            let (rest, offset) = (rest, offset ^ 1 << bit);
            for (other, its_offset) in &mut inverse.0 {
                if *other & lowest_bit(rest) != 0 {
                    (*other, *its_offset) = (*other ^ rest, *its_offset ^ offset);
                }
            }
            inverse.0.push((rest, offset));
        }
        inverse
    }

    /// What no pair reaches of a coordinate, and the offset of what they do.
    fn reduce(&self, coordinate: u32) -> (u32, u32) {
        self.0.iter().fold((coordinate, 0), |(rest, offset), &(pair, its_offset)| {
            let takes = rest & lowest_bit(pair) != 0;
            if takes { (rest ^ pair, offset ^ its_offset) } else { (rest, offset) }
        })
    }

    fn offset(&self, id: &str, coordinate: u32) -> u32 {
        let (rest, offset) = self.reduce(coordinate);
        assert!(rest == 0, "{id}: row {}, column {} has no offset", rest >> 16, rest & 0xffff);
        offset
    }
}

const fn lowest_bit(number: u32) -> u32 {
    number & number.wrapping_neg()
}

fn lds_phases(name: &str, json: &Value, committed: bool, tally: &mut Tally) {
    for (id, chip) in cases(name, &json["targets"]) {
        assert_eq!(int(&chip["bank_bytes"]), 4, "{id}: bytes of a bank");
        let reads = chip["read"].as_object().is_some_and(|widths| !widths.is_empty());
        assert!(reads, "{id}: no reads, nothing to check");
        for access in ["read", "write"] {
            let widths = chip[access].as_object();
            for (width, groups) in widths.unwrap_or_else(|| panic!("{id}: no {access}")) {
                lane_groups(&id, chip, &format!("ds_{access}_{width}"), groups, tally);
            }
        }
    }
    for (id, row) in cases(&format!("{name} measured_mi300x"), &json["measured_mi300x"]) {
        let stride = u32_of(&id, &row["lane_stride_bytes"]);
        // 68 bytes have the counters of 4, and nobody has measured them.
        assert!(stride.is_power_of_two() || !committed, "{id}: a stride of {stride}");
        counter(&id, row, stride);
        tally.counters += 1;
    }
}

/// Lanes served together, banks and wave of an instruction: ours, or where sources
/// disagree those of the other one.
fn lane_groups(id: &str, chip: &Value, mnemonic: &str, given: &Value, tally: &mut Tally) {
    let row = find(id, &chip["target"], mnemonic);
    let (wave, banks) = (u32_of(id, &chip["wave"]), u32_of(id, &chip["banks"]));
    let groups: support::LaneGroups =
        filled(id, given).iter().map(|group| naturals(group).into_iter().collect()).collect();
    let lanes: usize = list(given).iter().map(|group| list(group).len()).sum();
    assert_eq!(
        lanes,
        groups.iter().map(BTreeSet::len).sum::<usize>(),
        "{id}: {mnemonic}: a lane twice"
    );
    let as_published = |service: &tiledesc::chip::Service| {
        (support::lane_groups(&service.phases), service.banks) == (groups.clone(), banks)
    };
    assert_eq!(row.service().phases.wave(), wave as usize, "{id}: wave of {mnemonic}");
    let (ours, rival) = (as_published(row.service()), row.rival().is_some_and(as_published));
    assert!(ours || rival, "{id}: {mnemonic}: {groups:?}, {banks} banks; ours {:?}", row.service());
    if !ours {
        tally.disputed.push(format!("{} {mnemonic}", row.chip()));
    }
    tally.groups += 1;
}

fn find(id: &str, chip: &Value, mnemonic: &str) -> &'static Instruction {
    let row = chip.as_str().and_then(|chip| chip::find(chip).ok()?.instruction(mnemonic).ok());
    row.unwrap_or_else(|| panic!("{id}: no row for {mnemonic} of {chip}"))
}

/// One counter of MI300X: 64 reads of a lane stride.
fn counter(id: &str, json: &Value, stride: u32) {
    let mnemonic = json["op"].as_str().unwrap_or_else(|| panic!("{id}: no op"));
    let row = find(id, &Value::from("gfx942"), mnemonic);
    let addresses = Addresses::from_fn(|lane| Some(lane * stride));
    let found =
        bank::conflicts(&addresses, row).unwrap_or_else(|refusal| panic!("{id}: {refusal}"));
    let one = Lds::of_one(&found);
    let at = format!("{id}: {mnemonic}, stride {stride}");
    let expected = u64::from(u32_of(id, &json["conflicts_per_read"]));
    assert_eq!(one.bank_conflict, expected, "{at}: conflicts of a read");
    let expected = u64::from(u32_of(id, &json["conflict_counter_per_64_reads"]));
    assert_eq!(one.times(64).bank_conflict, expected, "{at}: counter of 64 reads");
}

/// The book's table of degrees: reads of 16 and of 32 rows of Triton's swizzles of 128x64 halves.
#[test]
fn degrees_of_the_book() {
    let page = support::root().join("docs/src/from_triton.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (mi300, mi350) = (&chip::gfx942::ds_read_b128, &chip::gfx950::ds_read_b128);
    for [vec, per_phase, max_phase] in [[8, 1, 8], [8, 2, 8], [8, 2, 4], [8, 1, 4], [8, 1, 1]] {
        let none = if max_phase == 1 { " (none)" } else { "" };
        let mut row = format!("| {vec}, {per_phase}, {max_phase}{none} |");
        for (rows, read) in [(16, mi300), (32, mi300), (16, mi350), (32, mi350)] {
            let byte = |lane: u32| {
                let (r, c) = (lane % rows, lane / rows * 8);
                2 * (r * 64 + ((c / vec) ^ (r / per_phase % max_phase)) * vec + c % vec)
            };
            let found = bank::conflicts(&Addresses::from_fn(|lane| Some(byte(lane))), read);
            row += &match found.unwrap().degree() {
                1 => " 1 |".to_string(),
                degree => format!(" **{degree}** |"),
            };
        }
        assert!(page.contains(&format!("{row}\n")), "{row}");
    }
}
