//! Accesses of matrix operands, and of random tiles, by instructions that hand round what lanes address; beside them those by
//! which a lane holds what it addresses.
//!
//! | a file states | what a lane holds | what it addresses |
//! |---|---|---|
//! | a distribution, as factors or as Triton's bases | the digits of its text | what the instruction's page draws (`support::fragments`) |
//! | `ldmatrix-rows`, `mfma-rows`, `row-major` | by the same page | the documented rows of the pattern |

use super::access::{Access, Held};
use super::call::{Call, Naming};
use super::layout::Layout;
use super::tensor::Place;
use super::tile::{At, Tile};
use super::{Random, offsets};
use core::fmt::Write as _;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use support::fragments::{from, hands_round, moved};
use support::fuzz::Dice;
use tiledesc::chip::{Access as Direction, CHIPS, Instruction};
use tiledesc::distribution::Encoding;
use tiledesc::warp_gemm;

/// Tiles of one file.
const TILES: usize = 12;
const NAMES: [&str; 3] = ["m", "k", "b"];

/// What lanes hold: the coordinate that each bit of the numbers of waves, lanes and elements counts.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Bits {
    lengths: Vec<u64>,
    /// Of waves, lanes and elements, the lowest bit first.
    owners: [Vec<At>; 3],
}

impl Bits {
    /// An operand's; `None` if it is not of powers of two.
    fn of(held: &Encoding) -> Option<Self> {
        let at = |numbers: [u32; 3]| {
            let found = held.coordinate(numbers[0], numbers[1], numbers[2]).unwrap();
            core::array::from_fn(|d| if d < found.len() { u64::from(found.at(d)) } else { 0 })
        };
        let counts = [held.waves(), held.lanes(), held.elements()];
        let owners = core::array::from_fn(|owner| {
            let bit = |bit: u32| {
                let mut numbers = [0; 3];
                numbers[owner] = 1 << bit;
                at(numbers)
            };
            (0..counts[owner].ilog2()).map(bit).collect()
        });
        let lengths = held.lengths().as_slice().iter().map(|length| u64::from(*length)).collect();
        counts.iter().all(|count| count.is_power_of_two()).then_some(Self { lengths, owners })
    }

    fn counts(&self) -> [u64; 3] {
        core::array::from_fn(|owner| 1 << self.owners[owner].len())
    }

    /// The coordinate of an element of a lane of a wave.
    fn at(&self, numbers: &[u64]) -> At {
        let mut at = [0; 3];
        for (bases, number) in self.owners.iter().zip(numbers) {
            for (_, base) in bases.iter().enumerate().filter(|(bit, _)| number >> bit & 1 == 1) {
                (0..3).for_each(|d| at[d] += base[d]);
            }
        }
        at
    }

    /// The words of a file: bases, or factors where no bit repeats.
    fn words(&self, dice: &mut Dice) -> String {
        let repeats = self.owners.iter().flatten().any(|base| *base == [0; 3]);
        if repeats || dice.one_in(2) { self.bases() } else { self.factors(dice) }
    }

    fn bases(&self) -> String {
        let rank = self.lengths.len();
        let list = |bases: &Vec<At>| {
            let each: Vec<_> = bases.iter().map(|base| format!("{:?}", &base[..rank])).collect();
            format!("[{}]", each.join(", "))
        };
        let [warp, lane, register] = self.owners.each_ref().map(list);
        format!("register = {register}, lane = {lane}, warp = {warp}")
    }

    /// Each bit is a factor, or joined with the next one where it is so of its dimension and of its owner.
    fn factors(&self, dice: &mut Dice) -> String {
        let mut dimensions = Vec::new();
        let mut owned: [BTreeMap<usize, String>; 3] = Default::default();
        for (d, length) in self.lengths.iter().enumerate() {
            let mut factors: Vec<(String, u64, usize, usize)> = Vec::new();
            for place in (0..length.ilog2()).rev() {
                let is_it = |base: &At| base[d] == 1 << place;
                let find = |owner: usize| self.owners[owner].iter().position(is_it);
                let (owner, bit) = (0..3).find_map(|o| find(o).map(|bit| (o, bit))).unwrap();
                match factors.last_mut() {
                    Some((_, length, of, last))
                        if *of == owner && *last == bit + 1 && !dice.one_in(3) =>
                    {
                        (*length, *last) = (*length * 2, bit);
                    }
                    _ => factors.push((format!("{}{place}", ["x", "y", "z"][d]), 2, owner, bit)),
                }
            }
            if factors.is_empty() {
                factors.push((format!("one{d}"), 1, 2, usize::MAX - d));
            }
            for (name, _, owner, bit) in &factors {
                owned[*owner].insert(*bit, name.clone());
            }
            let words: Vec<_> =
                factors.iter().map(|(name, length, ..)| format!("{name} {length}")).collect();
            dimensions.push(format!("{} [{}]", NAMES[d], words.join(", ")));
        }
        let owner = |word: &str, names: &BTreeMap<usize, String>| {
            let names: Vec<_> = names.values().rev().map(String::as_str).collect();
            if names.is_empty() { String::new() } else { format!("{word} ({})", names.join(", ")) }
        };
        let owners =
            [("wave", 0), ("lane", 1), ("thread", 2)].map(|(word, at)| owner(word, &owned[at]));
        let owners: Vec<_> = owners.into_iter().filter(|words| !words.is_empty()).collect();
        format!("{}; {}", dimensions.join(", "), owners.join(", "))
    }
}

/// An instruction of a chip for elements of some width.
#[derive(Clone, Copy)]
struct Op {
    chip: &'static str,
    row: &'static Instruction,
    bits: u32,
    /// Elements at an address, and those that a lane holds of an access.
    pack: u32,
    moved: u32,
    lanes: u32,
    wave: u32,
}

impl Op {
    fn new(chip: &'static str, row: &'static Instruction, bits: u32) -> Option<Self> {
        let (pack, phases) = (row.bytes() * 8 / bits, &row.service().phases);
        let (lanes, wave) = (phases.addressed() as u32, phases.wave() as u32);
        let is_it = hands_round(row.name());
        let moved = if is_it { moved(row, bits) } else { pack };
        let op = Self { chip, row, bits, pack, moved, lanes, wave };
        let is_whole = (row.bytes() * 8).is_multiple_of(bits) && pack.is_power_of_two();
        // A file has no elements of one bit.
        (is_whole && bits > 1 && moved > 0 && row.parts() == 1 && op.from(0, 0).is_some())
            .then_some(op)
    }

    fn hands_round(&self) -> bool {
        hands_round(self.row.name())
    }

    /// Who addresses an element of an access of a lane, and which one at that address.
    fn from(&self, lane: u32, element: u32) -> Option<[u32; 2]> {
        match self.hands_round() {
            true => from(self.row.name(), self.bits, self.pack, lane, element),
            false => Some([lane, element]),
        }
    }

    /// What each lane addresses first in each access, of what lanes hold, with the dimension along which all of it lies;
    /// `None` if it is no row of neighbours.
    fn addressed(&self, rank: usize, counts: [u64; 3], held: &Held) -> Option<(Vec<At>, usize)> {
        let [waves, lanes, elements] = counts;
        let moved = u64::from(self.moved);
        if lanes != u64::from(self.wave) || !elements.is_multiple_of(moved) {
            return None;
        }
        let (accesses, givers) = (elements / moved, u64::from(self.lanes));
        let mut runs = vec![vec![None; self.pack as usize]; (waves * givers * accesses) as usize];
        for wave in 0..waves {
            for (lane, element) in (0..lanes).flat_map(|l| (0..elements).map(move |e| (l, e))) {
                let [by, at] = self.from(lane as u32, (element % moved) as u32)?;
                let run = (wave * givers + u64::from(by)) * accesses + element / moved;
                runs[run as usize][at as usize] = held(&[wave, lane, element]);
            }
        }
        let is_run = |run: &Vec<Option<At>>, d: usize| {
            let first = run[0].unwrap();
            let further = |i: usize| {
                let mut at = first;
                at[d] += i as u64;
                at
            };
            first[d].is_multiple_of(u64::from(self.pack))
                && (0..run.len()).all(|i| run[i] == Some(further(i)))
        };
        let along = (0..rank).rev().find(|d| runs.iter().all(|run| is_run(run, *d)))?;
        Some((runs.iter().map(|run| run[0].unwrap()).collect(), along))
    }
}

/// An access to be written into a file: what lanes hold and address.
struct Case {
    op: Op,
    by: String,
    lengths: Vec<u64>,
    counts: [u64; 3],
    held: Rc<Held>,
    addressed: Vec<At>,
    along: usize,
}

impl Case {
    fn distributed(dice: &mut Dice, op: Op, bits: Bits) -> Option<Self> {
        let (by, counts, lengths) = (bits.words(dice), bits.counts(), bits.lengths.clone());
        let held: Held = Box::new(move |numbers| Some(bits.at(numbers)));
        let (addressed, along) = op.addressed(lengths.len(), counts, &held)?;
        Some(Self { op, by, lengths, counts, held: Rc::new(held), addressed, along })
    }

    /// A ready-made pattern, which says what lanes address: rows of an operand, or all in order.
    fn ready(dice: &mut Dice, op: Op) -> Self {
        let [lanes, pack, moved] = [op.lanes, op.pack, op.moved].map(u64::from);
        let rows = dice.of::<u64>(&[8, 16, 32]).max(u64::from(op.wave / 4)).min(lanes);
        let [blocks, deep] = [0; 2].map(|_| dice.of::<u64>(&[1, 2, 4]));
        let lengths = vec![rows * blocks, lanes / rows * pack * deep];
        let is_rows = !dice.one_in(3);
        let by = match (is_rows, op.row.name().contains("matrix")) {
            (false, _) => "row-major".to_string(),
            (_, true) => format!("ldmatrix-rows {rows}"),
            _ => format!("mfma-rows {rows}"),
        };
        let columns = lengths[1];
        let row = move |lane: u64, access: u64| match is_rows {
            true => [
                access % blocks * rows + lane % rows,
                (access / blocks * (lanes / rows) + lane / rows) * pack,
                0,
            ],
            false => {
                let first = (access * lanes + lane) * pack;
                [first / columns, first % columns, 0]
            }
        };
        let accesses = blocks * deep;
        let addressed = (0..lanes)
            .flat_map(|lane| (0..accesses).map(move |access| row(lane, access)))
            .collect();
        let held: Held = Box::new(move |i| {
            let [by, at] = op.from(i[1] as u32, (i[2] % moved) as u32)?;
            let mut held = row(by.into(), i[2] / moved);
            held[1] += u64::from(at);
            Some(held)
        });
        let counts = [1, op.wave.into(), accesses * moved];
        Self { op, by, lengths, counts, held: Rc::new(held), addressed, along: 1 }
    }

    /// Random bits of what lanes address, which say what they hold.
    fn random(dice: &mut Dice, op: Op) -> Option<Self> {
        let rank = dice.of(&[2, 2, 3]);
        let along = dice.below(rank as u32) as usize;
        let mut sizes = vec![0; rank];
        sizes[along] = op.pack.ilog2();
        let (waves, again) = (dice.below(3), dice.below(4));
        let mut units = Vec::new();
        for _ in 0..op.lanes.ilog2() + waves + again {
            let d = dice.below(rank as u32) as usize;
            let mut unit = [0; 3];
            unit[d] = 1 << sizes[d];
            sizes[d] += 1;
            units.insert(dice.below(units.len() as u32 + 1) as usize, unit);
        }
        let lanes = units.split_off((waves + again) as usize);
        let again = units.split_off(waves as usize);
        // An element of a lane is one of another's row: each bit of either number is one of the other.
        let bit = |lane: u32, element: u32| {
            let [by, at] = op.from(lane, element).unwrap();
            let mut unit = if by > 0 { lanes[by.ilog2() as usize] } else { [0; 3] };
            unit[along] += u64::from(at);
            unit
        };
        let held = (0..op.wave.ilog2()).map(|at| bit(1 << at, 0)).collect();
        let elements = (0..op.moved.ilog2()).map(|at| bit(0, 1 << at)).chain(again).collect();
        let lengths: Vec<_> = sizes.iter().map(|size| 1 << size).collect();
        let bytes = lengths.iter().product::<u64>() * u64::from(op.bits) / 8;
        let bits = Bits { lengths, owners: [units, held, elements] };
        if bytes > 1 << 14 { None } else { Self::distributed(dice, op, bits) }
    }

    /// The tile in a file, in rows along which addresses are contiguous, and the calls of all that is written.
    fn tile(self, dice: &mut Dice, file: &mut File, name: &str) {
        let (pack, rank) = (u64::from(self.op.pack), self.lengths.len());
        let (mut strides, mut pitch) = ([0; 3], 1);
        let others = (0..rank).rev().filter(|d| *d != self.along);
        for d in core::iter::once(self.along).chain(others) {
            strides[d] = pitch;
            pitch = pitch * self.lengths[d] + pack * u64::from(dice.below(3));
        }
        let element = match self.op.bits {
            4 => "f4",
            6 => "f6",
            8 => "f8",
            16 => "f16",
            32 => "f32",
            _ => "f64",
        };
        let names = NAMES[..rank].to_vec();
        let layout = Layout {
            words: format!("strides = {:?}\n", &strides[..rank]),
            offset: Box::new(move |at| (0..3).map(|d| at[d] * strides[d]).sum()),
            together: pack,
            dense: false,
        };
        let chips = vec![(self.op.chip, u64::from(self.op.wave))];
        let bits = u64::from(self.op.bits);
        let tile =
            Tile { names, lengths: self.lengths.clone(), element: (element, bits), layout, chips };
        let key = if self.op.row.access() == Direction::Write { "write" } else { "read" };
        let shape: Vec<_> =
            tile.names.iter().zip(&tile.lengths).map(|(d, n)| format!("{d} = {n}")).collect();
        writeln!(
            file.tiles,
            "[tile.{name}]\nchips = [\"{}\"]\nelement = \"{element}\"\nshape = {{ {} }}\n{}{key}.one = {{ op = \"{}\", by = \"{}\" }}",
            self.op.chip,
            shape.join(", "),
            tile.layout.words,
            self.op.row.name(),
            self.by
        )
        .unwrap();
        let naming = Naming { before: format!("{}{name}_", file.before) };
        let label = format!("{} {name}", file.label);
        if dice.one_in(8) {
            offsets(&mut file.calls, &label, &naming, &tile);
        }
        self.calls(&mut file.calls, &label, &naming, &tile);
        if key == "write" {
            let vector = self.vector(rank - 1);
            let count = self.counts[2] / vector;
            file.calls.push(Call::constant(&label, &naming, "one_rows_VECTOR", vector));
            file.calls.push(Call::constant(&label, &naming, "one_rows_COUNT", count));
            let element = naming.call("one_rows_element", "i0");
            file.calls.push(Call::of(
                &format!("{label} one_rows_element"),
                &[count],
                element,
                |i| i[0] * vector,
            ));
            let held = self.held.clone();
            let access = Access {
                by: self.by.clone(),
                vector,
                waves: self.counts[0],
                elements: self.counts[2],
                held: Box::new(move |i| held(i)),
            };
            let place = Place {
                naming: &naming,
                name: "one_rows",
                narrow: false,
                vector,
                by_element: true,
            };
            place.rows(&mut file.calls, &label, dice, &tile, &access, u64::from(self.op.wave));
        }
    }

    /// The most neighbours along a dimension, of an access, that are in consecutive registers of every lane.
    fn vector(&self, d: usize) -> u64 {
        let [waves, lanes, elements] = self.counts;
        let is_vector = |vector: u64| {
            (0..waves * lanes * elements).all(|id| {
                let [wave, lane, e] =
                    [id / (lanes * elements), id / elements % lanes, id % elements];
                let at = |e| (self.held)(&[wave, lane, e]).unwrap();
                let mut wanted = at(e - e % vector);
                let begins = wanted[d].is_multiple_of(vector);
                wanted[d] += e % vector;
                begins && at(e) == wanted
            })
        };
        let moved = u64::from(self.op.moved);
        (1..=moved)
            .rev()
            .find(|vector| moved.is_multiple_of(*vector) && is_vector(*vector))
            .unwrap()
    }

    fn calls(&self, calls: &mut Vec<Call>, label: &str, naming: &Naming, tile: &Tile) {
        let [moved, givers, pack] = [self.op.moved, self.op.lanes, self.op.pack].map(u64::from);
        let accesses = self.counts[2] / moved;
        let mut constants = vec![
            ("WAVES", self.counts[0]),
            ("LANES", self.counts[1]),
            ("ELEMENTS", self.counts[2]),
            ("COUNT", accesses),
            ("BYTES", moved * u64::from(self.op.bits) / 8),
        ];
        if self.op.hands_round() {
            constants.extend([("ROW_LANES", givers), ("ROW_ELEMENTS", pack)]);
        }
        for (word, value) in constants {
            calls.push(Call::constant(label, naming, &format!("one_{word}"), value));
        }
        let call = |word: &str, given: &str| naming.call(&format!("one_{word}"), given);
        let all = "i0, i1, i2";
        let by_access = [self.counts[0], self.counts[1], accesses];
        let row = |i: &[u64]| {
            self.addressed[((i[0] * givers + i[1] % givers) * accesses + i[2]) as usize]
        };
        for (d, name) in tile.names.iter().enumerate() {
            let of = |i: &[u64]| (self.held)(i).unwrap()[d];
            calls.push(Call::of(&format!("{label} one_{name}"), &self.counts, call(name, all), of));
            if self.op.hands_round() {
                let word = format!("row_{name}");
                let code = call(&word, all);
                calls.push(Call::of(&format!("{label} one_{word}"), &by_access, code, |i| {
                    row(i)[d]
                }));
            }
        }
        let code = format!("{} + {}", call("address", all), call("immediate", "i2"));
        calls.push(Call::of(&format!("{label} one_address"), &by_access, code, |i| {
            tile.byte(row(i))
        }));
        let code = call("element", "i0");
        calls.push(Call::of(&format!("{label} one_element"), &[accesses], code, |i| i[0] * moved));
    }
}

/// A file as it grows.
struct File {
    label: String,
    before: String,
    tiles: String,
    calls: Vec<Call>,
}

/// Cases as files of several tiles, in one language each; numbers count from `first`.
fn files(dice: &mut Dice, first: u32, cases: Vec<Case>) -> Vec<(u32, Random)> {
    let mut files = Vec::new();
    let mut cases = cases.into_iter().peekable();
    while cases.peek().is_some() {
        let (number, lang) = (first + files.len() as u32, dice.of(&["hip", "cuda", "c"]));
        let before = format!("f{number}{}", if lang == "c" { "_" } else { "::" });
        let (tiles, calls) = (String::new(), Vec::new());
        let mut file = File { label: format!("f{number}"), before, tiles, calls };
        for (at, case) in cases.by_ref().take(TILES).enumerate() {
            case.tile(dice, &mut file, &format!("T{at}"));
        }
        let toml = format!("version = 1\nname = \"f{number}\"\n{}", file.tiles);
        files.push((
            number,
            Random { toml, lang, calls: file.calls, offsets: Vec::new(), stated: Vec::new() },
        ));
    }
    files
}

/// The operands and results of all matrix instructions by every instruction of their chip that moves what lanes hold; of those
/// by which lanes hold what they address, one in `every`.
fn operands(dice: &mut Dice, every: u32) -> Vec<Case> {
    let (mut cases, mut tried, mut known) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    for chip in CHIPS {
        for matrix in warp_gemm::instructions(chip).filter(|matrix| matrix.n() <= 64) {
            let [a, b, c] = matrix.bits();
            let held = [(Some(matrix.a()), a), (matrix.b(), b), (Some(matrix.c()), c)];
            // A result is stored as what the next product takes.
            let stored = [8, 16].map(|bits| (Some(matrix.c()), bits));
            let swapped = [8, 16, 32].map(|bits| (matrix.swapped_c(), bits));
            for (held, bits) in held.into_iter().chain(stored).chain(swapped) {
                let bits_of = |held| {
                    known.entry(core::ptr::from_ref(held)).or_insert_with(|| Bits::of(held)).clone()
                };
                let Some(held) = held.and_then(bits_of) else { continue };
                for row in chip.rows() {
                    let Some(op) = Op::new(chip.name(), row, bits) else { continue };
                    let is_tried = op.hands_round() || dice.one_in(every);
                    if is_tried && tried.insert((held.clone(), bits, row.name())) {
                        cases.extend(Case::distributed(dice, op, held.clone()));
                    }
                }
            }
        }
    }
    cases
}

/// Random tiles by all instructions that hand round what lanes address.
fn random(dice: &mut Dice, count: usize) -> Vec<Case> {
    let all = CHIPS.iter().flat_map(|chip| chip.rows().iter().map(|row| (chip.name(), row)));
    let widths = [4, 6, 8, 16, 32];
    let each = all.filter(|(_, row)| hands_round(row.name()));
    let ops: Vec<_> = each
        .flat_map(|(chip, row)| widths.map(|bits| Op::new(chip, row, bits)))
        .flatten()
        .collect();
    let mut cases = Vec::new();
    while cases.len() < count {
        let op = dice.of(&ops);
        match dice.one_in(4) {
            true => cases.push(Case::ready(dice, op)),
            false => cases.extend(Case::random(dice, op)),
        }
    }
    cases
}

/// Files of operands, one in `every` of those by plain instructions, and of random tiles.
pub(crate) fn all(every: u32, random_tiles: usize) -> Vec<(u32, Random)> {
    let mut dice = Dice(41);
    let mut cases = operands(&mut dice, every);
    println!("{} operands, {random_tiles} random tiles", cases.len());
    cases.extend(random(&mut dice, random_tiles));
    files(&mut dice, 0, cases)
}
