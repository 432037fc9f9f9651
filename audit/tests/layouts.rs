//! Two ways to one answer: what Triton's IR says of an access, and what its assembly does.
//!
//! The IR names a shared layout and a register layout (`triton/layouts.py`); `exchange::triton` turns the two into the
//! byte of each lane. The assembly has the addresses themselves. Of each instruction at a source line where the IR loads or
//! stores:
//!
//! | | from the IR | from the assembly |
//! |---|---|---|
//! | a lane's byte, from lane 0's on | `shared(registers(register, lane, warp))`, of some register | `u + f(lane)` |
//! | degree | of these bytes, by the instruction's row | the verdict of the audit |
//!
//! `ldmatrix` is given a row by each lane: 8 lanes of a matrix are the rows that 32 lanes get.
//!
//! A plain run takes the last wave of four programs; a deep run all waves of all.

use flate2::read::GzDecoder;
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use tiledesc::access::Addresses;
use tiledesc::bank;
use tiledesc::chip::Access;
use tiledesc::{Linear, List};
use tiledesc_audit::value::Value;
use tiledesc_audit::{Kernel, Options, Reached, Row, Ruling, Site, audit};
use tiledesc_host::exchange::triton::{Bases, Padded, Registers, Swizzled};

fn text(name: &str) -> String {
    let path = support::root().join("audit/tests").join(name);
    let mut text = String::new();
    GzDecoder::new(File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn list(json: &Json) -> List {
    let indices = json.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as u32);
    List::new(&indices.collect::<Vec<_>>())
}

fn lists(json: &Json) -> Vec<List> {
    json.as_array().unwrap().iter().map(list).collect()
}

/// An access of the IR: where each register of each lane of each warp lies, in bytes.
struct Stated {
    /// The byte of each coordinate of the whole buffer, the last dimension lowest.
    offsets: Vec<u32>,
    whole: List,
    registers: Registers,
    map: Linear,
}

impl Stated {
    /// `None` of a shared layout that has no words here.
    fn parse(one: &Json) -> Option<Self> {
        let [shape, whole] = ["shape", "whole"].map(|name| list(&one[name]));
        let (text, bytes) =
            (one["shared"].as_str().unwrap(), one["bits"].as_u64().unwrap() as u32 / 8);
        let elements = 0..whole.elements() as u32;
        let offsets: Vec<u32> = if text.starts_with("#ttg.padded_shared") {
            let plan = Padded::parse(text).unwrap().plan().unwrap();
            let of = |x: u32| plan.offset(whole.nth(u64::from(x)).as_slice()).unwrap();
            elements.map(of).collect()
        } else if text.contains("swizzled_shared") || text.contains("rotating_shared") {
            let bases = Swizzled::parse(text).unwrap().bases(whole).unwrap();
            if one["offset"].is_array() {
                assert_eq!(bases, Bases::new(whole, &lists(&one["offset"])).unwrap(), "{text}");
            }
            let map = bases.linear().unwrap();
            elements.map(|x| map.apply(x)).collect()
        } else {
            return None;
        };
        let [register, lane, warp] = ["register", "lane", "warp"].map(|name| lists(&one[name]));
        let registers = Registers::new(shape, [&register, &lane, &warp]).unwrap();
        let map = *registers.named_linear().unwrap().map();
        let offsets = offsets.iter().map(|offset| bytes * offset).collect();
        Some(Self { offsets, whole, registers, map })
    }

    /// Where the parts of the buffer begin that are as large as what is loaded.
    fn origins(&self) -> Vec<List> {
        let shape = self.registers.lengths();
        let parts: Vec<u32> = (0..shape.len()).map(|d| self.whole.at(d) / shape.at(d)).collect();
        let parts = List::new(&parts);
        (0..parts.elements())
            .map(|n| {
                let nth = parts.nth(n);
                let origin: Vec<u32> = (0..shape.len()).map(|d| nth.at(d) * shape.at(d)).collect();
                List::new(&origin)
            })
            .collect()
    }

    fn byte(&self, origin: &List, [register, lane, warp]: [u32; 3]) -> u32 {
        let bits = self.registers.register().len();
        let input = register | lane << bits | warp << (bits + self.registers.lane().len());
        let coordinate = self.registers.lengths().nth(u64::from(self.map.apply(input)));
        let place = |n, d| n * self.whole.at(d) + origin.at(d) + coordinate.at(d);
        self.offsets[(0..origin.len()).fold(0, place) as usize]
    }

    /// The bytes of the lanes, or of those rows that an instruction is given, from each register on.
    fn patterns(&self, opcode: &str, warp: u32, lanes: u32) -> Vec<Vec<u32>> {
        let is_rows = opcode.contains("matrix");
        let (mut all, step) = (Vec::new(), if is_rows { 2 } else { 1 });
        for origin in self.origins() {
            for register in (0..1 << self.registers.register().len()).step_by(step) {
                let of = |i: u32| match (is_rows, opcode.contains("trans")) {
                    (false, _) => [register, i, warp],
                    (true, false) => [register, 4 * i, warp],
                    (true, true) => [register + i % 2, i / 2, warp],
                };
                let count = if is_rows { 8 } else { lanes };
                all.push((0..count).map(|i| self.byte(&origin, of(i))).collect());
            }
        }
        all
    }
}

/// How far the bytes are from the first one.
fn distances(bytes: &[u32]) -> Vec<u32> {
    bytes.iter().map(|byte| byte.wrapping_sub(bytes[0])).collect()
}

/// The bytes of the IR's accesses at a line, by how far they are from the first one.
type Patterns = BTreeMap<Vec<u32>, Vec<u32>>;

fn patterns(stated: &[Option<Stated>], opcode: &str, warp: usize, wave: usize) -> Patterns {
    let all =
        stated.iter().flatten().flat_map(|one| one.patterns(opcode, warp as u32, wave as u32));
    let mut known = Patterns::new();
    // Of registers that are alike the first: an instruction begins at its vector's.
    all.for_each(|bytes| _ = known.entry(distances(&bytes)).or_insert(bytes));
    known
}

/// The bytes by the IR of the lanes of an access, if some register has what the assembly has.
fn matched(known: &Patterns, opcode: &str, reached: &Reached, wave: usize) -> Option<Vec<u32>> {
    let Value::Sum { f, .. } = &reached.address else { return None };
    let found: Vec<u32> = (0..wave).map(|lane| f.get(lane)).collect();
    let each = if opcode.contains("matrix") { 8 } else { wave };
    let mut bytes = Vec::new();
    for group in found.chunks(each) {
        let known = known.get(&distances(group))?;
        // As far from the first group as the assembly has it: a matrix may be of any register.
        let begin =
            bytes.first().unwrap_or(&known[0]).wrapping_add(group[0].wrapping_sub(found[0]));
        bytes.extend(known.iter().map(|byte| begin.wrapping_add(byte.wrapping_sub(known[0]))));
    }
    Some(bytes)
}

fn degree(bytes: &[u32], row: &Row) -> u32 {
    let lanes = Addresses::from_fn(|lane| bytes.get(lane as usize).copied());
    bank::conflicts(&lanes, &row.row).unwrap().degree()
}

#[derive(Default)]
struct Tally {
    matched: usize,
    equal: usize,
    moved: usize,
    conflicts: usize,
    not: BTreeMap<&'static str, usize>,
    differ: Vec<String>,
}

/// Why an access is not one that the IR states.
fn why(
    program: &Json,
    site: &Site,
    place: &str,
    stated: &[Option<Stated>],
) -> Option<&'static str> {
    let scratch = program["scratch"].as_array().unwrap();
    Some(match () {
        () if site.opcode.contains("_tr") && site.opcode.starts_with("ds_") => "a transposing read",
        () if site.opcode.starts_with("cp.async") => "cp.async: the IR copies without registers",
        () if stated.iter().any(Option::is_none) => "a shared layout without words here",
        () if stated.is_empty() && scratch.iter().any(|one| one.as_str() == Some(place)) => {
            "a conversion or a reduction"
        }
        () if stated.is_empty() => "no local access at this line",
        () => return None,
    })
}

fn program(name: &str, said: &Json, whole: bool, tally: &mut Tally) {
    let kind = if name.contains("-sm_") { "ptx" } else { "amdgcn" };
    let kernels = audit(&text(&format!("data/{name}.{kind}.gz")), &Options::default()).unwrap();
    let kernel: &Kernel = &kernels[0];
    let mut known = BTreeMap::new();
    let mut all: BTreeMap<(&str, &str), Vec<Option<Stated>>> = BTreeMap::new();
    for one in said["accesses"].as_array().unwrap() {
        let key = (one["place"].as_str().unwrap(), one["kind"].as_str().unwrap());
        all.entry(key).or_default().push(Stated::parse(one));
    }
    for site in &kernel.sites {
        let Ok(row) = &site.access else { continue };
        let place = site.place.as_ref().map(|one| format!("{}:{}", one.file, one.line));
        let place = place.unwrap_or_default();
        let kind = if row.row.access() == Access::Write { "write" } else { "read" };
        let stated = all.get(&(&*place, kind)).map_or(&[][..], Vec::as_slice);
        if let Some(reason) = why(said, site, &place, stated) {
            *tally.not.entry(reason).or_default() += site.reached.len();
            continue;
        }
        for one in site.reached.iter().filter(|one| whole || one.wave == 3) {
            let key = (place.clone(), kind, site.opcode.clone(), one.wave);
            let known = known
                .entry(key)
                .or_insert_with(|| patterns(stated, &site.opcode, one.wave, kernel.wave));
            let at_line = matched(known, &site.opcode, one, kernel.wave);
            // What the compiler moves may stand under another line's `.loc`.
            let moved = || {
                let mut same = all.iter().filter(|((_, other), _)| *other == kind);
                same.find_map(|(_, stated)| {
                    let known = patterns(stated, &site.opcode, one.wave, kernel.wave);
                    matched(&known, &site.opcode, one, kernel.wave)
                })
            };
            tally.moved += usize::from(at_line.is_none());
            let Some(bytes) = at_line.or_else(moved) else {
                tally.differ.push(format!("{name} {} line {} {place:?}", site.opcode, site.line));
                continue;
            };
            tally.matched += 1;
            let alone = Site { reached: vec![one.clone()], ..site.clone() };
            let Ruling::Judged(verdict) = alone.ruling(kernel.wave) else {
                panic!("{name}: {site:?}")
            };
            let stated = degree(&bytes, row);
            tally.conflicts += usize::from(stated > 1);
            if stated == verdict.degree {
                tally.equal += 1;
            } else {
                let found = verdict.degree;
                tally.differ.push(format!("{name} {}: {stated}, found {found}", site.opcode));
            }
        }
    }
}

#[test]
fn the_ir_and_the_assembly_agree() {
    let said: Json = serde_json::from_str(&text("triton/layouts.json.gz")).unwrap();
    let mut tally = Tally::default();
    let whole = support::fuzz::is_deep();
    let few = ["attention-gfx942", "gemm-gfx950", "gemm-gfx1201", "gemm-sm_80"];
    for (name, one) in said["programs"].as_object().unwrap() {
        if whole || few.contains(&name.as_str()) {
            program(name, one, whole, &mut tally);
        }
    }
    println!(
        "{} accesses of a wave matched, {} of another line's; {} of equal degree, {} with conflicts; \
         not matched: {:?}",
        tally.matched, tally.moved, tally.equal, tally.conflicts, tally.not
    );
    let mut differ = BTreeMap::new();
    for one in &tally.differ {
        *differ.entry(one).or_insert(0) += 1;
    }
    assert!(differ.is_empty(), "{differ:#?}");
    assert!(tally.matched > 100 && tally.conflicts > 0, "{}", tally.matched);
}
