//! Triton's bases, written and read: the shared layouts of `tests/golden/triton`, composed
//! of our transforms, have Triton's bases, and Triton's bases give our offsets.

use serde_json::Value;
use support::{int, naturals};
use tiledesc::access::Placed;
use tiledesc::chip::gfx950;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::recipe::Spec;
use tiledesc::search::Use;
use tiledesc::{Error, Linear, List, Op};
use tiledesc_host::exchange::iree::Swizzle;
use tiledesc_host::exchange::triton::{Bases, Nvmma, Padded, Registers, Swizzled, shared};

fn cases(file: &str) -> Vec<Value> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/triton/");
    let text = std::fs::read_to_string(format!("{folder}{file}")).unwrap();
    let json: Value = serde_json::from_str(&text).unwrap();
    json["cases"].as_array().unwrap().clone()
}

fn bases(case: &Value) -> Bases {
    let images: Vec<List> = case["shared_offset_bases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|image| List::new(&naturals(image)))
        .collect();
    Bases::new(List::new(&naturals(&case["shape"])), &images).unwrap()
}

/// Triton's swizzled shared layout of our transforms: in each row chunks of `vec`, xor-ed
/// with `row / per_phase mod max_phase`; the rows are those of the slower dimension.
fn swizzled(shape: &[u32], shared: &Value) -> Result<Plan, Error> {
    let number = |key: &str| u32::try_from(int(&shared[key])).unwrap();
    let (vec, per_phase, phases) = (number("vec"), number("per_phase"), number("max_phase"));
    let order = naturals(&shared["order"]);
    let (fast, slow) = (order[0] as usize, order[1] as usize);
    let (rows, columns) = (shape[slow], shape[fast]);
    let chunks = columns / vec;
    // (outer, phase, within, high chunks, low chunks, vec); the xor is on the low ones.
    let low = phases.min(chunks);
    let within = per_phase.min(rows);
    let round = (rows / within).min(phases).max(1);
    let base = [rows / within / round, round, within, chunks / low, low, vec];
    let pass = |length| Op::PassThrough { length };
    let packed = Plan::packed(&base)?;
    let xored = packed.transform(
        &[
            pass(base[0]),
            Op::Xor { length0: round, length1: low },
            pass(within),
            pass(base[3]),
            pass(vec),
        ],
        &[&[0], &[1, 4], &[2], &[3], &[5]],
        &[&[0], &[1, 4], &[2], &[3], &[5]],
    )?;
    let row = Op::Merge { lengths: List::new(&base[..3]) };
    let column = Op::Merge { lengths: List::new(&base[3..]) };
    xored.transform(&[row, column], &[&[0, 1, 2], &[3, 4, 5]], &[&[slow as u32], &[fast as u32]])
}

#[test]
fn swizzled_tiles() {
    let cases = cases("shared_conflicts_swizzled.json");
    for (i, case) in cases.iter().enumerate() {
        let shape = naturals(&case["shape"]);
        let plan = swizzled(&shape, &case["shared"]).unwrap_or_else(|e| panic!("[{i}]: {e}"));
        assert_eq!(Bases::from_plan(&plan), Ok(bases(case)), "[{i}]: {}", case["shared"]);
        assert_eq!(bases(case).linear(), plan.linear(), "[{i}]");
    }
    println!("{} swizzled layouts", cases.len());
}

/// Bases in, and every offset back to its coordinate.
#[test]
fn hardware_swizzles_round_trip() {
    let cases = cases("shared_conflicts_nvmma.json");
    for (i, case) in cases.iter().enumerate() {
        let (bases, shape) = (bases(case), naturals(&case["shape"]));
        let map = bases.linear().unwrap_or_else(|e| panic!("[{i}]: {e}"));
        let coordinate = |offset: u32| {
            let bits = bases.images().iter().enumerate().filter(|(b, _)| offset >> b & 1 == 1);
            bits.fold([0, 0], |[row, column], (_, image)| [row ^ image.at(0), column ^ image.at(1)])
        };
        for offset in 0..shape[0] * shape[1] {
            let [row, column] = coordinate(offset);
            assert_eq!(map.apply(row * shape[1] + column), offset, "[{i}]");
        }
    }
    println!("{} hardware swizzles", cases.len());
}

/// The text of the hardware's swizzle, of the IR and of Gluon: the bases that Triton computes of it, and it comes back.
#[test]
fn hardware_swizzles_by_their_text() {
    let cases = cases("shared_conflicts_nvmma.json");
    for (i, case) in cases.iter().enumerate() {
        let number = |json: &Value| json.as_u64().unwrap();
        let (width, bits) = (number(&case["shared"]["swizzle_bytes"]), number(&case["elem_bits"]));
        let transposed = case["shared"]["transposed"].as_bool().unwrap();
        let text = format!(
            "#ttg.nvmma_shared<{{swizzlingByteWidth = {width}, transposed = {transposed}, elementBitWidth = {bits}}}>"
        );
        let is_true = if transposed { "True" } else { "False" };
        let gluon = format!(
            "ttgl.NVMMASharedLayout(swizzle_byte_width={width}, element_bitwidth={bits}, rank=2, transposed={is_true}, fp4_padded=False, cga_layout=[])"
        );
        let shape = List::new(&naturals(&case["shape"]));
        for one in [&text, &gluon] {
            let read = Nvmma::parse(one).unwrap_or_else(|e| panic!("[{i}]: {e}"));
            assert_eq!(read.to_string(), text, "[{i}]");
            assert_eq!(read.bases(shape), Ok(bases(case)), "[{i}]: {text}");
            let named = format!("#shared1 = {one}");
            assert_eq!(
                shared(&named, Some(shape)).map(|plan| Bases::from_plan(&plan)),
                Ok(Ok(bases(case))),
                "[{i}]"
            );
        }
    }
    assert_eq!(cases.len(), 108);
    let says = |text: &str| Nvmma::parse(text).unwrap_err().to_string();
    assert_eq!(
        says(
            "#ttg.nvmma_shared<{swizzlingByteWidth = 96, transposed = false, elementBitWidth = 16}>"
        ),
        "at byte 40: expected 0, 32, 64 or 128"
    );
    assert_eq!(
        says(
            "#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = maybe, elementBitWidth = 16}>"
        ),
        "at byte 57: expected `true` or `false`"
    );
    assert_eq!(
        says("#ttg.nvmma_shared<{transposed = false, elementBitWidth = 16}>"),
        "at byte 59: expected `swizzlingByteWidth`"
    );
    assert_eq!(
        says("NVMMASharedLayout(128, 16, fp4_padded=True)"),
        "at byte 23: expected 8, as padded fp4 is of bytes"
    );
    let narrow = Nvmma::parse("NVMMASharedLayout(128, 16)").unwrap().bases(List::pair(64, 32));
    assert_eq!(
        narrow.unwrap_err().to_string(),
        "64 lines of 32 elements: a swizzle of 128 bytes has at least 8 lines of 64"
    );
}

/// Padded fp4 as Triton has it (`getCoreMatrixLinearLayout`): the bases of an offset are those of its column, of which 8 of 16
/// are padding that has the coordinates of the 8 before.
#[test]
fn padded_fp4() {
    for (width, chunks, rows_of_key) in [(128, 8, 1), (64, 4, 2), (32, 2, 4)] {
        let text = format!(
            "#ttg.nvmma_shared<{{swizzlingByteWidth = {width}, transposed = false, elementBitWidth = 8, fp4Padded = true}}>"
        );
        let nvmma = Nvmma::parse(&text).unwrap();
        assert_eq!(nvmma.to_string(), text);
        let plan = nvmma.plan(List::pair(8, width / 2)).unwrap();
        let packed = |column: u32| column / 16 * 8 + column % 8;
        let mut real = 0_u64;
        for offset in (0..8 * width).filter(|offset| offset & 8 == 0) {
            // The xor of the images of the offset's bits.
            let (mut row, mut column) = (0, 0);
            for bit in (0..(8 * width).ilog2()).filter(|bit| offset >> bit & 1 == 1) {
                if 1 << bit < width {
                    column ^= packed(1 << bit);
                } else {
                    let key = (1 << bit) / width;
                    row ^= key;
                    column ^= packed(16 * (key / rows_of_key % chunks));
                }
            }
            assert_eq!(plan.offset(&[row, column]), Ok(offset), "{text}: ({row}, {column})");
            real += 1;
        }
        assert_eq!((real, plan.element_space()), (plan.elements(), u64::from(8 * width)));
        assert!(nvmma.bases(List::pair(8, width / 2)).is_err());
        assert!(nvmma.plan(List::pair(8, 4)).is_err());
    }
}

/// Texts as they stand in the IR: a name before them, blocks with copies, a tile of one dimension.
#[test]
fn texts_as_they_stand() {
    let linear = "#ttg.shared_linear<{offset = [[0, 1], [1, 1], [2, 0]]}, alignment = 16>";
    let gluon =
        "SharedLinearLayout(offset_bases=[[0, 1], [1, 1], [2, 0]], block_bases=[], alignment=16)";
    let offsets = |text: &str, lengths: Option<List>| {
        let plan = shared(text, lengths).unwrap_or_else(|e| panic!("{text}: {e}"));
        (0..plan.elements())
            .map(|id| plan.offset(plan.nth(id).as_slice()).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(offsets(linear, None), offsets(gluon, None));
    let blocks = linear.replace("]]}", "]], block = [[0, 0]]}");
    assert_eq!(offsets(&format!("  #smem0 = {blocks}\n"), None), offsets(linear, None));
    let apart = shared(&blocks.replace("[[0, 0]]", "[[4, 0]]"), None).unwrap_err();
    assert_eq!(apart.to_string(), "at byte 71: expected a layout of one block");
    let padded = "#ttg.padded_shared<[4:+2] {order = [1, 0], shape = [4, 4]}>";
    assert_eq!(offsets(&format!("#shared = {padded}"), None), offsets(padded, None));
    // One row has no swizzle, whatever its numbers.
    let row = "#ttg.swizzled_shared<{vec = 4, perPhase = 1, maxPhase = 8, order = [0]}>";
    assert_eq!(offsets(row, Some(List::new(&[64]))), (0..64).collect::<Vec<_>>());
    let registers = "register = [[0, 1]], lane = [[1, 0], [2, 0]], warp = []";
    let named = format!("#linear = #ttg.linear<{{{registers}, block = [[0, 0]]}}>");
    assert_eq!(Registers::parse(&named), Registers::parse(registers));
}

#[test]
fn refusals_say_why() {
    let lengths = List::new(&[4, 4]);
    let says = |lengths, images: &[List]| Bases::new(lengths, images).unwrap_err().to_string();
    let image = |row, column| List::pair(row, column);
    // The power of two above so many rows does not fit in 32 bits.
    let swizzled = Swizzled::new([8, 1, 8], List::pair(1, 0)).unwrap();
    assert_eq!(
        swizzled.plan(List::pair(u32::MAX, 64)).unwrap_err().to_string(),
        "4294967295 is not a multiple of perPhase * maxPhase = 8",
    );
    assert_eq!(
        says(List::new(&[4, 6]), &[]),
        "length 6 of dimension 1 is not a power of two (nearest: 4 and 8)",
    );
    assert_eq!(says(lengths, &[image(0, 4)]), "index 4 is out of range: dimension 1 has length 4",);
    // Column 1 twice, and so never row 2.
    let twice = [image(0, 1), image(0, 1), image(1, 0), image(0, 2)];
    let holes = Bases::new(lengths, &twice).unwrap().linear().unwrap_err();
    assert!(matches!(holes, Error::Holes { space: 16, .. }), "{holes}");
    let padded = Plan::naive(&[4, 4], &[8, 1]).unwrap();
    assert!(matches!(Bases::from_plan(&padded), Err(Error::Holes { .. })));
    let based = Plan::naive_with_offset(&[4, 4], &[4, 1], 16).unwrap();
    assert!(Bases::from_plan(&based).is_err());
    assert_eq!(Linear::BITS, 32);
}

/// Random attributes: each place of memory in turn, its coordinate by the images and its pads by the definition; and
/// the text comes back.
#[test]
fn pads_at_intervals() {
    let mut dice = support::fuzz::Dice(6);
    let mut in_order = 0;
    for case in 0..support::fuzz::cases("padded shared") {
        let lengths = [1u32 << dice.below(6), 1 << dice.below(6)];
        let space = lengths[0] * lengths[1];
        let bits = |d: usize| (0..lengths[d].ilog2()).map(move |b| 1u32 << b);
        let mut images: Vec<[u32; 2]> =
            bits(1).map(|by| [0, by]).chain(bits(0).map(|by| [by, 0])).collect();
        if space == 1 {
            continue;
        }
        let is_permuted = dice.one_in(2);
        for i in (1..images.len()).filter(|_| is_permuted) {
            images.swap(i, dice.below(i as u32 + 1) as usize);
        }
        let mut pads: Vec<[u32; 2]> = Vec::new();
        for _ in 0..1 + dice.below(3) {
            let [every, pad] = [1 << dice.below(9), 1 << dice.below(5)];
            if pads.iter().all(|[other, _]| *other != every) {
                pads.push([every, pad]);
            }
        }
        let written = pads.iter().map(|[every, pad]| format!("{every}:+{pad}"));
        let text = format!(
            "#ttg.padded_shared<[{}] {{offset = {images:?}, block = []}}>",
            written.collect::<Vec<_>>().join(", ")
        );
        let padded = Padded::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(Padded::parse(&padded.to_string()), Ok(padded.clone()), "case {case}: {text}");
        in_order += u32::from(padded.to_string().contains("order"));
        let Ok(plan) = padded.plan() else { panic!("{text}") };
        for x in 0..space {
            let bits = images.iter().enumerate().filter(|(b, _)| x >> b & 1 == 1);
            let at = bits.fold([0, 0], |at, (_, image)| [at[0] ^ image[0], at[1] ^ image[1]]);
            let wanted = x + pads.iter().map(|[every, pad]| x / every * pad).sum::<u32>();
            assert_eq!(plan.offset(&at), Ok(wanted), "case {case}: {text} at {at:?}");
        }
        if let ([[every, _]], Ok(back)) = (&pads[..], Padded::from_plan(&plan)) {
            assert_eq!(back.plan().unwrap().element_space(), plan.element_space(), "{text}");
            assert!(*every < space && back == padded, "case {case}: {text} is not {back}");
        }
    }
    assert!(in_order > 10, "{in_order}");
}

/// The layout that Triton gives A of 256x64 halves on gfx950: rows 16 apart side by side in a chunk of a direct load, 32
/// bytes between the chunks. Free in the reads of its operand, where order alone is not.
#[test]
fn rows_permuted_for_direct_loads() {
    let text = "#ttg.padded_shared<[512:+16] {offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], \
                [16, 0], [32, 0], [64, 0], [1, 0], [2, 0], [4, 0], [8, 0], [128, 0]], block = []}>";
    let padded = Padded::parse(text).unwrap();
    assert_eq!(padded.to_string(), text);
    let tile = tiledesc::recipe::Shape { rows: 256, columns: 64, bits: 16 };
    let read = Use::new(Lanes::rows(16), &gfx950::ds_read_b128);
    let degree = |plan: &Plan| {
        let placed = Placed::new(plan, 16, read.lanes, read.instruction).unwrap();
        placed.verdict().unwrap().worst_degree()
    };
    assert_eq!(degree(&padded.plan().unwrap()), 1);
    assert!(degree(&Spec::interval_pad(512, 16).plan(tile).unwrap()) > 1);
    let fill = tiledesc::direct::Fill::by(&gfx950::global_load_lds_b128, 4);
    assert!(fill.plan(&padded.plan().unwrap(), 16).is_ok());
}

#[test]
fn damaged_attributes() {
    let says = |text: &str| Padded::parse(text).unwrap_err().to_string();
    let order = "{order = [1, 0], shape = [4, 8]}>";
    for (text, sentence) in [
        ("#ttg.padded_shared<[4:+3] ", "at byte 23: expected a power of two"),
        (
            "#ttg.padded_shared<[4:+1, 4:+2] ",
            "at byte 30: expected an interval that is not named yet",
        ),
        ("#ttg.padded_shared<[4:1] ", "at byte 21: expected `:+`"),
    ] {
        assert_eq!(says(&format!("{text}{order}")), sentence);
    }
    let torn = "#ttg.padded_shared<[4:+1] {offset = [[0, 1], [0, 1]], block = []}>";
    assert_eq!(says(torn), "at byte 64: expected bases that bring every element once");
    let odd = "#ttg.padded_shared<[4:+1] {order = [1, 0], shape = [4, 6]}>";
    assert_eq!(says(odd), "at byte 57: expected powers of two, as many as the order has");
}

/// What the IR and Gluon print of a swizzle has the bases that Triton computes, whatever its tile.
#[test]
fn swizzles_as_text() {
    let mut tried = 0;
    for case in cases("shared_conflicts_swizzled.json") {
        let number = |key: &str| int(&case["shared"][key]);
        let [vec, per_phase, max_phase] = ["vec", "per_phase", "max_phase"].map(number);
        let (order, shape) = (&case["shared"]["order"], List::new(&naturals(&case["shape"])));
        let texts = [
            format!(
                "#ttg.swizzled_shared<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {order}}}>"
            ),
            format!(
                "SwizzledSharedLayout(vec={vec}, per_phase={per_phase}, max_phase={max_phase}, \
                 order={order}, cga_layout=[])"
            ),
            format!("ttgl.SwizzledSharedLayout({vec}, {per_phase}, {max_phase}, {order})"),
            format!(
                "SharedLinearLayout(offset_bases={}, block_bases=[], alignment=16)",
                bases(&case)
            ),
        ];
        for text in &texts[..3] {
            assert_eq!(Swizzled::parse(text).unwrap().bases(shape), Ok(bases(&case)), "{text}");
        }
        let plan = bases(&case).plan().unwrap();
        let linear = plan.linear();
        for text in &texts {
            assert_eq!(shared(text, Some(shape)).unwrap().linear(), linear, "{text}");
        }
        tried += 1;
    }
    assert!(tried > 100, "{tried}");
}

/// The rule of the attribute's documentation, element by element; a swizzle in rows of a tile is IREE's shuffle.
#[test]
fn rotating_swizzles_and_shuffles() {
    for [vec, per_phase, max_phase] in [[4, 1, 16], [8, 2, 4], [1, 4, 8], [8, 1, 1]] {
        let text = |name: &str| {
            format!(
                "#ttg.{name}<{{vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = [1, 0]}}>"
            )
        };
        let shape = List::pair(128, 64);
        let plan = |name| shared(&text(name), Some(shape)).unwrap();
        let (rotating, plain) = (plan("amd_rotating_shared"), plan("swizzled_shared"));
        let (width, mut is_shuffle) = (vec * max_phase, None);
        if width == 64 {
            let shuffle = format!("xor_shuffle<64, {vec}, 0, {per_phase}>");
            is_shuffle = Some(shuffle.parse::<Swizzle>().unwrap().plan(shape).unwrap());
        }
        for id in 0..128 * 64 {
            let (row, column) = (id / 64, id % 64);
            let (phase, block) =
                (row / per_phase % max_phase, row / per_phase / max_phase % max_phase);
            let at = |moved: u32| Ok(row * 64 + (column ^ (vec * moved % 64)));
            assert_eq!(rotating.offset(&[row, column]), at(phase ^ block), "{vec} {row} {column}");
            assert_eq!(plain.offset(&[row, column]), at(phase), "{vec} {row} {column}");
            if let Some(shuffle) = &is_shuffle {
                assert_eq!(shuffle.offset(&[row, column]), at(phase), "{vec} {row} {column}");
            }
        }
    }
}

/// Rows of a shuffle are of the allocation and not of the tile: here two of a tile's row, and half a row.
#[test]
fn shuffles_of_other_rows() {
    let mut tried = 0;
    for [row_width, access_width, per_phase] in [[32, 8, 1], [128, 16, 2], [256, 4, 1], [64, 64, 1]]
    {
        let text = format!(
            "#iree_codegen.xor_shuffle<{row_width}, {access_width}, {row_width}, {per_phase}>"
        );
        let shuffle: Swizzle = text.parse().unwrap();
        let plan = shuffle.plan(List::pair(64, 64)).unwrap();
        for element in 0..64 * 64_u32 {
            let (row, column) = (element / row_width, element % row_width);
            let chunk = (column / access_width) ^ (row / per_phase % (row_width / access_width));
            let wanted = row * row_width + chunk * access_width + column % access_width;
            assert_eq!(plan.offset(&[element / 64, element % 64]), Ok(wanted), "{text} {element}");
            tried += 1;
        }
        assert_eq!(shuffle.to_string().parse(), Ok(shuffle));
    }
    assert_eq!(tried, 4 * 4096);
}

/// Lengths need not be powers of two.
#[test]
fn rotations_of_rows() {
    for [row_width, access_width, rows, columns] in
        [[64, 4, 16, 64], [48, 8, 20, 48], [32, 8, 6, 96], [120, 5, 30, 40], [16, 16, 4, 16]]
    {
        let text = format!("#iree_codegen.rotate_rows<{row_width}, {access_width}>");
        let swizzle: Swizzle = text.parse().unwrap();
        let plan = swizzle.plan(List::pair(rows, columns)).unwrap();
        for element in 0..rows * columns {
            let (row, column) = (element / row_width, element % row_width);
            let chunk = (column / access_width + row) % (row_width / access_width);
            let wanted = row * row_width + chunk * access_width + column % access_width;
            assert_eq!(
                plan.offset(&[element / columns, element % columns]),
                Ok(wanted),
                "{text} {element}"
            );
        }
        assert_eq!(swizzle.to_string().parse(), Ok(swizzle));
    }
    let rows: Swizzle = "rotate_rows<64, 8>".parse().unwrap();
    assert_eq!(
        rows.plan(List::pair(10, 10)).unwrap_err().to_string(),
        "100 is not a multiple of row_width = 64"
    );
}

/// The plan of one partition, by the text that the refusal of a `partitioned_shared` names.
fn of_one_partition(text: &str, tile: List, dim: usize, partitions: u32) -> Plan {
    let refused = shared(text, Some(tile)).unwrap_err().to_string();
    let layout = refused.split('`').nth(1).unwrap_or_else(|| panic!("{text}: {refused}"));
    shared(layout, Some(tile.with(dim, tile.at(dim) / partitions))).unwrap()
}

/// What Triton 3.9 computes of `PartitionedSharedLayout(..)` over a tile (`to_linear_layout`): the images of the offset's bits,
/// without those of the partition.
#[test]
fn a_partition_is_triton_s() {
    type Case<'c> = ([u32; 3], &'c str, [u32; 2], &'c [[u32; 2]]);
    let cases: [Case<'_>; 4] = [
        (
            [2, 2, 0],
            "8, 1, 8, [1, 0]",
            [128, 64],
            &[
                [0, 1],
                [0, 2],
                [0, 4],
                [0, 8],
                [0, 16],
                [0, 32],
                [1, 8],
                [2, 16],
                [4, 32],
                [8, 0],
                [16, 0],
                [64, 0],
            ],
        ),
        (
            [2, 2, 1],
            "4, 1, 2, [1, 0]",
            [16, 64],
            &[[0, 1], [0, 2], [0, 4], [0, 8], [1, 4], [2, 0], [4, 0], [8, 0], [0, 32]],
        ),
        (
            [4, 1, 1],
            "8, 2, 4, [1, 0]",
            [64, 128],
            &[
                [0, 1],
                [0, 2],
                [0, 4],
                [0, 8],
                [0, 16],
                [1, 0],
                [2, 8],
                [4, 16],
                [8, 0],
                [16, 0],
                [32, 0],
            ],
        ),
        (
            [2, 4, 0],
            "8, 1, 4, [0, 1]",
            [64, 64],
            &[
                [1, 0],
                [2, 0],
                [4, 0],
                [0, 1],
                [0, 2],
                [0, 4],
                [0, 8],
                [0, 16],
                [0, 32],
                [16, 0],
                [32, 0],
            ],
        ),
    ];
    for ([partitions, groups, dim], inner, tile, images) in cases {
        let text = format!(
            "PartitionedSharedLayout({partitions}, {groups}, {dim}, SwizzledSharedLayout({inner}))"
        );
        let at = dim as usize;
        let plan = of_one_partition(&text, List::pair(tile[0], tile[1]), at, partitions);
        let piece = tile[at] / partitions / groups;
        // Behind a piece of the tile come those of the other partitions.
        let own = |image: &[u32; 2]| {
            let mut own = *image;
            own[at] = if own[at] < piece { own[at] } else { own[at] / partitions };
            own
        };
        let found: Vec<_> = Bases::from_plan(&plan)
            .unwrap()
            .images()
            .iter()
            .map(|image| [image.at(0), image.at(1)])
            .collect();
        assert_eq!(found, images.iter().map(own).collect::<Vec<_>>(), "{text}");
    }
}

/// Of rows with pads: the offset without pads counts piece after piece, and each interval before it adds a pad.
#[test]
fn pads_of_a_partition_are_counted_through() {
    for (partitions, groups, dim, [every, pad]) in
        [(2, 2, 0, [128, 8]), (2, 4, 1, [64, 8]), (4, 1, 0, [512, 16])]
    {
        let tile = [64, 128];
        let mut piece = tile;
        piece[dim] /= partitions * groups;
        let text = format!(
            "#ttg.partitioned_shared<{{numPartitions = {partitions}, numGroups = {groups}, partitionDim = {dim}, \
             partitionLayout = #ttg.padded_shared<[{every}:+{pad}] {{order = [1, 0], shape = {piece:?}}}>}}>"
        );
        let plan = of_one_partition(&text, List::pair(tile[0], tile[1]), dim, partitions);
        for (row, column) in
            (0..tile[0]).flat_map(|row| (0..tile[1]).map(move |column| (row, column)))
        {
            let mut own = [row, column];
            let number = own[dim] / piece[dim];
            if number % partitions != 1 % partitions {
                continue;
            }
            let group = number / partitions;
            own[dim] %= piece[dim];
            let offset = group * piece[0] * piece[1] + own[0] * piece[1] + own[1];
            own[dim] += group * piece[dim];
            assert_eq!(
                plan.offset(&own),
                Ok(offset + offset / every * pad),
                "{text} at ({row}, {column})"
            );
        }
    }
}
