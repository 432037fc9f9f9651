//! Conversions: carried out byte by byte, counted by sets of bytes, and compared with every
//! linear layout of small tiles.

use super::simulate::simulate;
use support::bits::sum;
use support::fuzz::{Dice, cases};
use tiledesc::chip::{Access, Chip, gfx942, gfx950, gfx1100, sm_70, sm_80, sm_90, sm_100};
use tiledesc::distribution::Encoding;
use tiledesc::pattern::{Lanes, Row};
use tiledesc::{
    Linear, List, Plan,
    access::Placed,
    chip::{Instruction, Phases},
};
use tiledesc_host::ErrorKind;
use tiledesc_host::conversion::{Conversion, Held, Optimality, Side};
use tiledesc_host::exchange::cute::{Composed, Fastest};
use tiledesc_host::exchange::triton::Bases;

/// Which element each bit of register, lane and wave brings.
#[derive(Clone, Debug)]
struct Bits {
    columns: Vec<u32>,
    registers: usize,
    lanes: usize,
}

impl Bits {
    fn held(&self, lengths: List) -> Held {
        let map = Linear::new(&self.columns, 0).unwrap();
        Held::new(lengths, map, self.registers, self.lanes).unwrap()
    }

    /// The element of a register of a lane of a wave.
    fn element(&self, [wave, lane, register]: [u32; 3]) -> u32 {
        let number = (wave << self.lanes | lane) << self.registers | register;
        sum(&self.columns, number)
    }

    fn registers(&self) -> &[u32] {
        &self.columns[..self.registers]
    }
}

/// A random order.
fn shuffled(dice: &mut Dice, mut items: Vec<u32>) -> Vec<u32> {
    for i in (1..items.len()).rev() {
        items.swap(i, dice.below(i as u32 + 1) as usize);
    }
    items
}

/// A tile of `bits` bits in blocks of 2^`lanes` lanes and 2^`waves` waves, of which some may hold
/// the same. As factors: each bit brings a bit. Else as swizzles.
fn bits(dice: &mut Dice, bits: usize, [lanes, waves]: [usize; 2], factors: bool) -> Bits {
    let mut units = shuffled(dice, (0..bits).map(|bit| 1 << bit).collect());
    // Neighbours often stay neighbours, as in what kernels hold.
    if dice.below(2) == 0 {
        units.sort_unstable();
        units.rotate_left(dice.below(bits as u32) as usize);
    }
    if !factors {
        for _ in 0..4 {
            let (i, j) = (dice.below(bits as u32) as usize, dice.below(bits as u32) as usize);
            if i != j {
                units[i] ^= units[j];
            }
        }
    }
    let mut others = [0, 0];
    for (count, most) in others.iter_mut().zip([lanes, waves]) {
        *count = most - (dice.below(8) == 0) as usize * dice.below(most as u32 + 1) as usize;
    }
    while others[0] + others[1] > bits {
        let i = usize::from(others[1] > 0);
        others[i] -= 1;
    }
    let registers = bits - others[0] - others[1];
    let (register, rest) = units.split_at(registers);
    let (lane, wave) = rest.split_at(others[0]);
    let mut filled = |some: &[u32], count: usize| {
        let mut all = some.to_vec();
        all.resize(count, 0);
        // Where the replicas are is any place.
        if dice.below(2) == 0 { shuffled(dice, all) } else { all }
    };
    let columns = [register.to_vec(), filled(lane, lanes), filled(wave, waves)].concat();
    Bits { columns, registers, lanes }
}

/// The lengths of a tile of so many elements.
fn lengths(dice: &mut Dice, bits: usize) -> List {
    let first = dice.below(bits as u32 + 1);
    let rest = bits as u32 - first;
    match dice.below(4) {
        0 => List::new(&[1 << bits]),
        1 => List::new(&[1 << (first / 2), 1 << (first - first / 2), 1 << rest]),
        _ => List::new(&[1 << first, 1 << rest]),
    }
}

/// The analyzer's cycles of a wave: all its instructions as a table over memory.
fn verdict(side: &Side<'_>, elements: u32, bits: u32) -> u64 {
    let memory = Plan::packed(&[elements]).unwrap();
    let row = side.instruction();
    let lanes = row.service().phases.addressed();
    let touched = |instruction| -> Row {
        core::array::from_fn(|lane| {
            let byte = || u64::from(side.address(0, lane as u32, instruction));
            (lane < lanes).then(|| List::new(&[(byte() * 8 / u64::from(bits)) as u32]))
        })
    };
    let rows: Vec<Row> = (0..side.instructions()).map(touched).collect();
    let placed = Placed::new(&memory, bits, Lanes::table(&rows, 0), row).unwrap();
    placed.verdict().unwrap().active_cycles()
}

/// Carried out, counted and judged.
fn check(conversion: &Conversion<'_>, bits: u32, sides: &[Bits; 2]) {
    let [from, to] = sides;
    let cycles = simulate(conversion, bits, [&|at| from.element(at), &|at| to.element(at)]);
    let (store, load) = (conversion.store(), conversion.load());
    assert_eq!(cycles, [store.cycles(), load.cycles()], "{conversion}");
    let elements = 1 << conversion.layout().inputs();
    assert_eq!([store, load].map(|side| verdict(side, elements, bits)), cycles, "{conversion}");
}

/// The least of any linear layout by plain accesses that cost the same by the byte: `design` of
/// Triton's vectors. With registers of a dword in common both floors; else one side goes by what
/// is in common.
fn least(conversion: &Conversion<'_>, bits: u32, sides: &[Bits; 2], chip: &Chip) -> u64 {
    let [from, to] = sides.each_ref().map(Bits::registers);
    let common = from.iter().filter(|unit| to.contains(unit)).count();
    let floor = conversion.floor();
    if bits << common >= 32 {
        return floor[0] + floor[1];
    }
    let narrow = |side: usize, verb: &str| {
        // A row of a dword or less is one instruction for 2^common elements.
        let registers = sides[side].registers.saturating_sub(common);
        let row = chip.rows().iter().find(|row| row.name().contains(verb) && row.bytes() == 4);
        (row.unwrap().service().phases.count() as u64) << registers
    };
    let [store, load] = if chip.wave() == 64 { ["write", "read"] } else { ["st.", "ld."] };
    (narrow(0, store) + floor[1]).min(narrow(1, load) + floor[0])
}

#[test]
fn carried_out_byte_by_byte() {
    let chips = [&gfx942, &gfx950, &gfx1100, &sm_70, &sm_80, &sm_90, &sm_100];
    let (mut dice, mut seen, mut optimal) = (Dice(1), [0; 4], [0; 4]);
    let (mut done, all) = (0, cases("conversions"));
    while done < all {
        let chip = chips[dice.below(chips.len() as u32) as usize];
        let size = 6 + dice.below(7) as usize;
        let lanes = chip.wave().ilog2() as usize;
        let block = [lanes, dice.below(3) as usize];
        let factors = dice.below(4) > 0;
        let sides = [(); 2].map(|()| bits(&mut dice, size, block, factors));
        let lengths = lengths(&mut dice, size);
        let element = [4, 8, 8, 16, 16, 16, 32, 32, 64][dice.below(9) as usize];
        let held = sides.each_ref().map(|side| side.held(lengths));
        // With AMD's transposed reads, or without.
        let every = dice.below(2) == 0;
        let rows = chip.rows().iter().filter(|row| every || !row.name().contains("_tr_"));
        let conversion = match Conversion::by(&held[0], &held[1], element, rows) {
            Ok(conversion) => conversion,
            Err(error) if error.kind() == ErrorKind::NoInstruction => {
                assert_eq!(element, 4, "{held:?}");
                continue;
            }
            Err(error) => panic!("{error}: {held:?}"),
        };
        check(&conversion, element, &sides);
        let floor = conversion.floor();
        assert!(conversion.cycles() >= floor[0] + floor[1]);
        if factors {
            // Accesses that are merged cost less by the byte.
            let merged = sides.iter().any(|side| side.columns[side.registers..][..2].contains(&0));
            if [&gfx942, &sm_70].contains(&chip) && !merged {
                let least = least(&conversion, element, &sides, chip);
                assert_eq!(conversion.cycles(), least, "{conversion}: {sides:?}");
            }
            assert_ne!(conversion.optimality(), Optimality::Tried);
            assert_eq!(conversion.plan().unwrap().linear(), Ok(*conversion.layout()));
        }
        let names = [conversion.store(), conversion.load()].map(|side| side.instruction().name());
        let kinds: [&dyn Fn(&str) -> bool; 4] = [
            &|name| name.contains("matrix") && !name.contains("trans"),
            &|name| name.contains("trans"),
            &|name| name.contains("_tr_b16"),
            &|name| name.contains("_tr_b8"),
        ];
        for (count, kind) in seen.iter_mut().zip(kinds) {
            *count += usize::from(names.into_iter().any(kind));
        }
        optimal[conversion.optimality() as usize] += 1;
        done += 1;
    }
    println!(
        "{done} conversions: matrices, .trans, tr_b16, tr_b8 {seen:?}; by optimality {optimal:?}"
    );
    assert!(seen[..3].iter().all(|count| *count > 0), "every kind: {seen:?}");
    assert!(optimal[..3].iter().all(|count| *count > 0), "every proof: {optimal:?}");
}

/// Rows of four lanes: of dwords a cycle each, of 8 bytes in pairs; and reads of 8 bytes by twice
/// as many banks.
fn small_rows(wide: bool) -> Vec<Instruction> {
    let of = |lanes: usize| Phases::contiguous(lanes).of_wave(4);
    let row = |row: Instruction, lanes| row.phases(of(lanes)).banks(4);
    let mut rows = vec![
        row(Instruction::write("st.2", 2), 4),
        row(Instruction::write("st.4", 4), 4),
        row(Instruction::write("st.8", 8), 2),
        row(Instruction::read("ld.2", 2), 4),
        row(Instruction::read("ld.4", 4), 4),
        row(Instruction::read("ld.16", 16), 1),
    ];
    rows.push(match wide {
        true => Instruction::read("ld.8", 8).phases(of(4)).banks(8),
        false => row(Instruction::read("ld.8", 8), 2),
    });
    rows
}

/// All invertible maps of four bits: 20,160.
fn every_layout() -> Vec<[u32; 4]> {
    let mut all = Vec::new();
    for columns in 0..1u32 << 16 {
        let columns: [u32; 4] = core::array::from_fn(|i| columns >> (4 * i) & 15);
        if Linear::new(&columns, 0).unwrap().rank() == 4 {
            all.push(columns);
        }
    }
    all
}

/// The offset of each element.
fn offsets(layout: &[u32; 4]) -> [u32; 16] {
    core::array::from_fn(|element| {
        (0..4).filter(|bit| element >> bit & 1 == 1).fold(0, |sum, bit| sum ^ layout[bit])
    })
}

/// The elements of each lane, those of wave 0 first.
fn elements(side: &Bits) -> Vec<Vec<u32>> {
    let waves = 1u32 << (side.columns.len() - side.registers - side.lanes);
    let lanes = (0..waves).flat_map(|wave| (0..4).map(move |lane| (wave, lane)));
    let registers = 0..1 << side.registers;
    lanes.map(|(w, l)| registers.clone().map(|r| side.element([w, l, r])).collect()).collect()
}

/// The cycles of wave 0 by one row, by sets of dwords; `None` if its vectors are not tuples of
/// registers, the same in all lanes.
fn small_cycles(
    offsets: &[u32; 16],
    lanes: &[Vec<u32>],
    row: &Instruction,
    bits: u32,
) -> Option<u64> {
    let vector = 8 * row.bytes() / bits;
    let offset = |lane: usize, register: usize| offsets[lanes[lane][register] as usize];
    let registers = lanes[0].len();
    let mut firsts = Vec::new();
    for r in 0..registers {
        let in_block = |other: &usize| offset(0, *other) / vector == offset(0, r) / vector;
        let first = (0..registers).find(in_block).unwrap();
        if (0..registers).filter(in_block).count() != vector as usize {
            return None;
        }
        let is_same = |lane: usize| {
            offset(lane, r) / vector == offset(lane, first) / vector
                && offset(lane, r) % vector == offset(0, r) % vector
        };
        if !(1..lanes.len()).all(is_same) {
            return None;
        }
        if first == r {
            firsts.push(r);
        }
    }
    let (service, mut cycles) = (row.service(), 0);
    for (first, phase) in
        firsts.iter().flat_map(|first| (0..service.phases.count()).map(move |p| (*first, p)))
    {
        let mut dwords = 0u64;
        for lane in service.phases.lanes(phase) {
            let byte = offset(usize::from(*lane), first) / vector * row.bytes();
            (byte / 4..(byte + row.bytes()).div_ceil(4)).for_each(|dword| dwords |= 1 << dword);
        }
        let of_bank = (0..64).step_by(service.banks as usize).fold(0u64, |all, bit| all | 1 << bit);
        let in_bank = |bank: u32| (dwords & of_bank << bank).count_ones();
        cycles += u64::from((0..service.banks).map(in_bank).max().unwrap());
    }
    Some(cycles)
}

/// Against all linear layouts of a tile of 16 elements, by all rows.
#[test]
fn least_of_all_linear_layouts() {
    let layouts: Vec<[u32; 16]> = every_layout().iter().map(offsets).collect();
    let (mut dice, mut optimal) = (Dice(8), [0; 4]);
    assert_eq!(layouts.len(), 20_160);
    for case in 0..cases("least conversions") {
        let factors = dice.below(4) > 0;
        let block = [2, dice.below(2) as usize];
        let sides = [(); 2].map(|()| bits(&mut dice, 4, block, factors));
        let rows = small_rows(dice.below(2) == 0);
        let element = [16, 32][dice.below(2) as usize];
        let held = sides.each_ref().map(|side| side.held(List::new(&[4, 4])));
        let found = Conversion::by(&held[0], &held[1], element, &rows).unwrap();
        check(&found, element, &sides);
        let lanes = sides.each_ref().map(elements);
        let of_side = |offsets: &[u32; 16], side: usize, access: Access| {
            let moves = |row: &&Instruction| row.access() == access && 8 * row.bytes() >= element;
            let cycles = |row| small_cycles(offsets, &lanes[side], row, element);
            rows.iter().filter(moves).filter_map(cycles).min()
        };
        let mut least = u64::MAX;
        for offsets in &layouts {
            // Reads take a cycle at least.
            let store = of_side(offsets, 0, Access::Write).filter(|store| store + 1 < least);
            let load = store.and_then(|_| of_side(offsets, 1, Access::Read));
            least = store.zip(load).map_or(least, |(store, load)| least.min(store + load));
        }
        // Also of swizzles in registers, of which it is not claimed.
        assert_eq!(found.cycles(), least, "case {case}, {found}: {sides:?} {element}");
        optimal[found.optimality() as usize] += 1;
    }
    println!("least conversions by optimality: {optimal:?}");
    assert!(optimal[..3].iter().all(|count| *count > 0), "every proof: {optimal:?}");
}

/// Its bits, by its coordinates.
fn bits_of(encoding: &Encoding) -> Bits {
    let numbers = [encoding.elements(), encoding.lanes(), encoding.waves()];
    let [registers, lanes, waves] = numbers.map(u32::ilog2);
    let packed = Plan::packed(encoding.lengths().as_slice()).unwrap();
    let element = |wave: u32, lane: u32, register: u32| {
        packed.offset(encoding.coordinate(wave, lane, register).unwrap().as_slice()).unwrap()
    };
    let register = (0..registers).map(|bit| element(0, 0, 1 << bit));
    let lane = (0..lanes).map(|bit| element(0, 1 << bit, 0));
    let wave = (0..waves).map(|bit| element(1 << bit, 0, 0));
    let columns = register.chain(lane).chain(wave).collect();
    Bits { columns, registers: registers as usize, lanes: lanes as usize }
}

type Names = &'static [&'static str];
type Factors = &'static [(&'static str, u32)];

fn one_wave(dimensions: [Factors; 2], lane: Names, thread: Names) -> Encoding {
    let [k, m] = dimensions;
    Encoding::named(&[], &[("k", k), ("m", m)], &[], lane, thread).unwrap()
}

/// 32x64 held along rows of m, and wanted as an operand of a matrix instruction, packs along k: what
/// AMD's transposed reads are for.
#[test]
fn transposed_reads_where_asked_for() {
    let rows = one_wave(
        [&[("again", 4), ("row", 8)], &[("chunk", 8), ("half", 8)]],
        &["row", "chunk"],
        &["again", "half"],
    );
    let operand = one_wave(
        [&[("part", 4), ("pack", 8)], &[("again", 4), ("column", 16)]],
        &["part", "column"],
        &["again", "pack"],
    );
    let sides = [&rows, &operand].map(bits_of);
    let held = [&rows, &operand].map(|encoding| Held::from_encoding(encoding).unwrap());
    for (bits, plain, transposed) in [
        (
            16,
            "ds_write_b16 x32, ds_read_b128 x4: 64 + 16 cycles (floor 32 + 16: no register in common)",
            "ds_write_b128 x4, ds_read_b64_tr_b16 x8: 32 + 16 cycles, the floor",
        ),
        (
            8,
            "ds_write_b8 x32, ds_read_b128 x2: 64 + 8 cycles (floor 16 + 8: no register in common)",
            "ds_write_b128 x2, ds_read_b64_tr_b8 x4: 16 + 8 cycles, the floor",
        ),
    ] {
        let without = Conversion::between(&rows, &operand, bits, &gfx950).unwrap();
        assert_eq!(without.to_string(), plain);
        let with = Conversion::by(&held[0], &held[1], bits, gfx950.rows()).unwrap();
        assert_eq!(with.to_string(), transposed);
        for conversion in [without, with] {
            check(&conversion, bits, &sides);
        }
    }
}

/// A lane brings less than a dword: nothing is in the way, and the tile lies row by row.
#[test]
fn parts_of_dwords() {
    let rows = Plan::packed(&[8, 8]).unwrap().linear().unwrap();
    let sides = [[1, 2, 4, 8, 16, 32], [8, 16, 32, 1, 2, 4]].map(|columns| Bits {
        columns: columns.to_vec(),
        registers: 0,
        lanes: 6,
    });
    let held = sides.each_ref().map(|side| side.held(List::new(&[8, 8])));
    for (bits, sentence) in [
        (8, "ds_write_b8 x1, ds_read_u8 x1: 2 + 2 cycles, the floor"),
        (16, "ds_write_b16 x1, ds_read_u16 x1: 2 + 2 cycles, the floor"),
    ] {
        let moved = Conversion::by(&held[0], &held[1], bits, gfx942.rows()).unwrap();
        assert_eq!((moved.to_string().as_str(), moved.layout()), (sentence, &rows));
        check(&moved, bits, &sides);
    }
}

/// All banks together are as wide as what a lane writes, so that each lane is a cycle. Those of the
/// reads are two such, and every second element is to lie in either.
#[test]
fn banks_of_one_element() {
    let four = Phases::contiguous(4).of_wave(4);
    let rows = [
        Instruction::write("st", 16).phases(four).banks(4),
        Instruction::read("ld", 16).phases(four).banks(8),
    ];
    let sides = [[4, 1, 2], [1, 2, 4]].map(|columns| Bits {
        columns: columns.to_vec(),
        registers: 1,
        lanes: 2,
    });
    let held = sides.each_ref().map(|side| side.held(List::new(&[8])));
    let moved = Conversion::by(&held[0], &held[1], 128, &rows).unwrap();
    check(&moved, 128, &sides);
    assert_eq!([moved.store().cycles(), moved.load().cycles()], [8, 4]);
}

/// In the words of others, and with the same offsets.
#[test]
fn words_of_others_have_the_same_offsets() {
    let rows = one_wave(
        [&[("again", 2), ("row", 16)], &[("chunk", 4), ("quad", 4)]],
        &["row", "chunk"],
        &["again", "quad"],
    );
    let columns = one_wave(
        [&[("part", 8), ("pack", 4)], &[("again", 2), ("column", 8)]],
        &["part", "column"],
        &["again", "pack"],
    );
    let moved = Conversion::between(&rows, &columns, 32, &gfx942).unwrap();
    assert_eq!(moved.to_string(), "ds_write_b32 x8, ds_read_b128 x2: 16 + 16 cycles, the floor");
    let plan = moved.plan().unwrap();
    let swizzled = Composed::of_plan(&plan).unwrap();
    assert_eq!(swizzled.to_string(), "Sw<2,2,3> o 0 o ((2,16),(8,2)):((2,32),(4,1))");
    assert_eq!(swizzled.linear(Fastest::Last).unwrap(), *moved.layout());
    let bases = Bases::from_plan(&plan).unwrap();
    assert_eq!(
        bases.to_string(),
        "[[0, 8], [1, 0], [0, 1], [0, 2], [0, 4], [2, 1], [4, 2], [8, 0], [16, 0]]",
    );
    assert_eq!(bases.linear(), Ok(*moved.layout()));
}

/// A tile that a block cannot have, sides that do not fit each other, elements that are none.
#[test]
fn what_cannot_be_converted() {
    let map = |columns: &[u32]| Linear::new(columns, 0).unwrap();
    let units = |count: u32| (0..count).map(|bit| 1 << bit).collect::<Vec<u32>>();
    let held = |lengths: &[u32], columns: &[u32], registers, lanes| {
        Held::new(List::new(lengths), map(columns), registers, lanes)
    };
    let tile = |bits: u32, waves: u32| {
        let lengths = [1 << (bits / 2), 1 << (bits - bits / 2)];
        held(&lengths, &units(bits), (bits - 6 - waves) as usize, 6).unwrap()
    };
    let refused = |from: &Held, to: &Held, bits| {
        Conversion::by(from, to, bits, gfx942.rows()).unwrap_err().to_string()
    };
    assert_eq!(
        refused(&tile(12, 2), &tile(13, 2), 16),
        "the tile written is [64, 64], but the tile read is [64, 128]",
    );
    let rows = [Instruction::write("st", 16), Instruction::read("ld", 16)];
    let error = Conversion::by(&tile(29, 2), &tile(29, 2), 128, &rows).unwrap_err().to_string();
    assert_eq!(error, "the tile takes 8589934592 bytes, but a block has 4294967295");
    assert_eq!(refused(&tile(12, 2), &tile(12, 1), 16), "4 waves write the tile, but 2 read it");
    assert_eq!(
        refused(&tile(12, 2), &tile(12, 2), 12),
        "a conversion needs elements of a power of two of at most 128 bits, not 12",
    );
    assert_eq!(
        refused(&tile(16, 2), &tile(16, 2), 16),
        "the tile takes 131072 bytes, but a block has 65536",
    );
    let of_32 = held(&[32], &units(5), 0, 5).unwrap();
    assert_eq!(refused(&of_32, &of_32, 32), "no instruction writes 32 bits of each of 32 lanes");
    let one = held(&[64], &units(6), 0, 6).unwrap();
    assert_eq!(refused(&one, &one, 4), "no instruction writes 4 bits of each of 64 lanes");
    let [first, second] = [[1, 2, 4, 8, 16, 32, 64], [2, 1, 4, 8, 16, 32, 64]]
        .map(|columns| held(&[128], &columns, 1, 6).unwrap());
    assert_eq!(
        refused(&first, &second, 4),
        "elements of 4 bits are written and read by bytes, and no register has two that both sides hold",
    );

    let wrong = |lengths: &[u32], columns: &[u32], registers, lanes| {
        held(lengths, columns, registers, lanes).unwrap_err().to_string()
    };
    assert_eq!(
        wrong(&[6, 4], &[1, 2, 4], 1, 2),
        "a tile of length 6: a conversion is of powers of two",
    );
    assert_eq!(wrong(&[4], &[1, 2], 1, 2), "the map has 2 bits, but register and lane have 3");
    for columns in [[1, 2, 3], [1, 2, 0], [0, 1, 2], [1, 2, 8]] {
        let sentence = wrong(&[8], &columns, 1, 2);
        assert!(sentence.ends_with("each is to be brought once, and by registers"), "{sentence}");
    }
    // Lanes may hold the same, registers not.
    assert!(held(&[4], &[1, 2, 0], 1, 2).is_ok() && held(&[4], &[0, 1, 2], 1, 2).is_err());
    let thirds =
        Encoding::named(&[], &[("m", &[("row", 64), ("third", 3)])], &[], &["row"], &["third"]);
    assert_eq!(
        Held::from_encoding(&thirds.unwrap()).unwrap_err().to_string(),
        "factor \"third\" of m has length 3, which is not a power of two",
    );
}
