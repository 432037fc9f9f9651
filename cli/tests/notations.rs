//! One layout has one answer, whichever way it is written: as a table of a file, as text, or by a constructor of the
//! library. Random layouts in all their ways have equal offsets, or are refused in all of them.

use core::fmt::Display;
use support::fuzz::Dice;
use tiledesc::{List, Plan};
use tiledesc_cli::{Source, tiles};
use tiledesc_host::exchange::ck::Parameters;
use tiledesc_host::exchange::gmma::Atom;
use tiledesc_host::exchange::iree::Swizzle;
use tiledesc_host::exchange::tma::Mode;
use tiledesc_host::exchange::triton::{Bases, Swizzled};

/// The offsets of a plan, row-major; nothing of what is refused.
type Answer = Option<Vec<Option<u32>>>;

fn of_plan<E: Display>(plan: Result<Plan, E>) -> Answer {
    let plan = plan.ok()?;
    Some((0..plan.elements()).map(|id| plan.offset(plan.nth(id).as_slice()).ok()).collect())
}

/// A tile of a file, of halves, by the line of its layout.
fn of_file(lengths: &[u32], layout: &str) -> Answer {
    let names = ["a", "b", "c", "d"].iter().zip(lengths);
    let shape: Vec<_> = names.map(|(name, length)| format!("{name} = {length}")).collect();
    let shape = shape.join(", ");
    let text = format!(
        "version = 1\n[tile.A]\nelement = \"f16\"\nmay_overlap = true\nshape = {{ {shape} }}\n{layout}\n"
    );
    let source = Source::of_text("", text);
    of_plan(tiles(&source).map(|all| *all[0].plan()))
}

/// That all ways have one answer; whether it is a layout.
fn agree(what: &str, answers: Vec<(String, Answer)>) -> bool {
    let (first, wanted) = &answers[0];
    for (way, answer) in &answers[1..] {
        assert_eq!(answer, wanted, "{what}: {first} and {way}");
    }
    wanted.is_some()
}

fn power(dice: &mut Dice, most: u32) -> u32 {
    1 << dice.below(most)
}

/// Triton's `swizzled_shared`, of any rank, with rows that are not powers of two, with a swizzle that is wider than the
/// row: Triton counts `vec * phase` modulo the row.
#[test]
fn tritons_swizzles() {
    let (mut dice, mut read, mut refused) = (Dice(0x511), 0, 0);
    let seen = [([16, 16], [8, 1, 8]), ([96, 64], [8, 1, 8])];
    for case in 0..600 {
        let mut numbers = [power(&mut dice, 6), power(&mut dice, 4), power(&mut dice, 5)];
        if dice.one_in(12) {
            numbers[dice.below(3) as usize] = dice.of(&[3, 5, 6]);
        }
        let rank = if case > 1 && dice.one_in(4) { 3 } else { 2 };
        let mut lengths: Vec<u32> = (0..rank).map(|_| power(&mut dice, 7)).collect();
        if dice.one_in(3) {
            lengths[dice.below(2) as usize] *= 3;
        }
        if let Some((at, of)) = seen.get(case) {
            (lengths, numbers) = (at.to_vec(), *of);
        }
        let mut order: Vec<u32> = (0..rank).rev().collect();
        if case > 1 && dice.one_in(2) {
            order.swap(0, 1);
        }
        let ([vec, per_phase, max_phase], list) = (numbers, List::new(&lengths));
        let words = format!(
            "vec = {vec}, perPhase = {per_phase}, maxPhase = {max_phase}, order = {order:?}"
        );
        let texts = [
            format!("triton = {{ {words} }}"),
            format!("triton = \"#ttg.swizzled_shared<{{{words}}}>\""),
            format!(
                "triton = \"ttgl.SwizzledSharedLayout({vec}, {per_phase}, {max_phase}, {order:?})\""
            ),
        ];
        let mut ways: Vec<_> = texts.map(|text| (text.clone(), of_file(&lengths, &text))).into();
        let built = Swizzled::new(numbers, List::new(&order)).ok();
        let built = built.map(|one| one.plan(list).map_err(|error| error.to_string()));
        let built = built.unwrap_or(Err(String::new()));
        ways.push(("Swizzled::new".to_string(), of_plan(built)));
        if case < 2 || lengths.iter().chain(&numbers).all(|number| number.is_power_of_two()) {
            let [fast, slow] = [order[0] as usize, order[1] as usize];
            let formula = |id: u64| {
                let at = list.nth(id);
                let (row, column) = (at.at(slow), at.at(fast));
                let moved = vec * (row / per_phase % max_phase) % lengths[fast];
                let row_of = order[1..]
                    .iter()
                    .rev()
                    .fold(0, |sum, d| sum * lengths[*d as usize] + at.at(*d as usize));
                Some(row_of * lengths[fast] + (column ^ moved))
            };
            ways.push((
                "Triton's formula".to_string(),
                Some((0..list.elements()).map(formula).collect()),
            ));
        }
        match agree(&format!("{lengths:?}, {words}"), ways) {
            true => read += 1,
            false => refused += 1,
        }
    }
    assert!(read > 300 && refused > 50, "{read} {refused}");
}

/// Bases as a table, as a list, as Gluon's text and by the constructor; and with padding, by order or by bases.
#[test]
fn tritons_bases_and_pads() {
    let (mut dice, mut read) = (Dice(0x512), 0);
    for _ in 0..200 {
        let lengths = [power(&mut dice, 6), power(&mut dice, 6)];
        let mut images: Vec<[u32; 2]> = Vec::new();
        for (d, length) in lengths.iter().enumerate() {
            images.extend(
                (0..length.ilog2()).map(|bit| if d == 0 { [1 << bit, 0] } else { [0, 1 << bit] }),
            );
        }
        // Another order of bits, and sums of them.
        for at in 0..images.len() {
            let other = dice.below(images.len() as u32) as usize;
            images.swap(at, other);
            if dice.one_in(2) && at != other {
                let [row, column] = images[other];
                images[at] = [images[at][0] ^ row, images[at][1] ^ column];
            }
        }
        if dice.one_in(8) && images.len() > 1 {
            images[0] = images[1];
        }
        let text = format!("{images:?}");
        let lists: Vec<_> = images.iter().map(|image| List::new(image)).collect();
        let of_rust = Bases::new(List::new(&lengths), &lists).and_then(|bases| bases.plan());
        let ways = [
            format!("triton = {{ offset = {text} }}"),
            format!("triton = {text}"),
            format!(
                "triton = \"SharedLinearLayout(offset_bases={text}, block_bases=[], alignment=16)\""
            ),
        ];
        let mut ways: Vec<_> = ways.map(|way| (way.clone(), of_file(&lengths, &way))).into();
        ways.push(("Bases::new".to_string(), of_plan(of_rust)));
        read += u32::from(agree(&text, ways));

        let (every, pad) = (2 << dice.below(6), power(&mut dice, 4));
        let mut plain: Vec<[u32; 2]> = Vec::new();
        plain.extend((0..lengths[1].ilog2()).map(|bit| [0, 1 << bit]));
        plain.extend((0..lengths[0].ilog2()).map(|bit| [1 << bit, 0]));
        let ways = [
            format!(
                "triton = \"#ttg.padded_shared<[{every}:+{pad}] {{order = [1, 0], shape = {lengths:?}}}>\""
            ),
            format!(
                "triton = \"#ttg.padded_shared<[{every}:+{pad}] {{offset = {plain:?}, block = []}}>\""
            ),
            format!(
                "triton = \"PaddedSharedLayout([[{every}, {pad}]], {plain:?}, [], {lengths:?})\""
            ),
        ];
        let mut ways: Vec<_> = ways.map(|way| (way.clone(), of_file(&lengths, &way))).into();
        let padded = |id: u64| {
            let offset = id as u32;
            Some(offset + offset / every * pad)
        };
        // A tile of one element has no bases, which the two that need some refuse.
        if plain.is_empty() {
            continue;
        }
        let all = u64::from(lengths[0] * lengths[1]);
        ways.push(("the formula".to_string(), Some((0..all).map(padded).collect())));
        agree(&format!("{every}:+{pad} of {lengths:?}"), ways);
    }
    assert!(read > 100, "{read}");
}

/// Strides in five ways, CK's parameters and IREE's attribute in two and three.
#[test]
fn strides_recipes_and_attributes() {
    let (mut dice, mut read) = (Dice(0x513), 0);
    for _ in 0..300 {
        let lengths @ [rows, columns] = [1 + dice.below(40), 4 * (1 + dice.below(24))];
        let padding = dice.below(9);
        let pitch = columns + padding;
        let ways = [
            format!("strides = [{pitch}, 1]"),
            format!("strides = {{ b = 1, a = {pitch} }}"),
            format!("cute = \"({rows},{columns}):({pitch},1)\""),
            format!("stages = \"naive [{rows}, {columns}] strides [{pitch}, 1];\""),
            format!("recipe = \"row-pad\"\npadding = {padding}"),
        ];
        let ways = ways.map(|way| (way.clone(), of_file(&lengths, &way)));
        assert!(agree("strides", ways.into()));

        let lengths @ [rows, columns] = [dice.of(&[16, 24, 64, 96]), dice.of(&[16, 32, 48, 64])];
        let (pack, layers) = (dice.of(&[2, 3, 4, 8, 16]), dice.of(&[1, 2, 4]));
        let ck = format!("ck = {{ kpack = {pack}, mldslayer = {layers} }}");
        let built = Parameters { pack, layers }.plan(rows, columns);
        let ways =
            vec![(ck.clone(), of_file(&lengths, &ck)), ("Parameters".to_string(), of_plan(built))];
        read += u32::from(agree("ck", ways));
        let ways = [
            format!("ck = {{ kpack = {pack} }}"),
            format!("recipe = \"gemm-xor\"\nkpack = {pack}"),
        ];
        agree("gemm-xor", ways.map(|way| (way.clone(), of_file(&lengths, &way))).into());

        let (row, chunk) = (power(&mut dice, 8), power(&mut dice, 5));
        let text = format!("#iree_codegen.xor_shuffle<{row}, {chunk}>");
        let lengths = [power(&mut dice, 6), row];
        let shuffle = text.parse::<Swizzle>().map_err(|error| error.to_string());
        let built =
            shuffle.and_then(|one| one.plan(List::new(&lengths)).map_err(|e| e.to_string()));
        let mut ways = vec![
            (text.clone(), of_file(&lengths, &format!("iree = \"{text}\""))),
            ("XorShuffle".to_string(), of_plan(built)),
        ];
        if chunk <= row {
            let numbers = format!("{{ vec = {chunk}, perPhase = 1, maxPhase = {} }}", row / chunk);
            ways.push((numbers.clone(), of_file(&lengths, &format!("triton = {numbers}"))));
        }
        agree(&format!("{text} of {lengths:?}"), ways);
    }
    assert!(read > 100, "{read}");
}

/// What CUTLASS and TMA name, and the text that CuTe prints of it.
#[test]
fn atoms_and_modes() {
    let mut read = 0;
    for bits in [4, 8, 16, 32, 64] {
        for name in ["INTER", "SW32", "SW64", "SW128"] {
            for major in ["K", "MN"] {
                let atom = Atom::named(&format!("Layout_{major}_{name}_Atom"), bits).unwrap();
                let text = atom.layout().to_string();
                let ways = vec![
                    ("Atom".to_string(), of_plan(atom.layout().plan())),
                    (
                        text.clone(),
                        of_file_of(bits, &atom.lengths(), &format!("cute = \"{text}\"")),
                    ),
                ];
                read += u32::from(agree(&text, ways));
            }
        }
        for (mode, name) in [(Mode::B32, "SW32"), (Mode::B64, "SW64"), (Mode::B128, "SW128")] {
            let tile = mode.tile(8, bits).unwrap();
            let atom = Atom::named(&format!("Layout_K_{name}_Atom"), bits).unwrap();
            let text = tile.to_string();
            let lengths = atom.lengths();
            let ways = vec![
                ("tma".to_string(), of_plan(tile.plan())),
                ("gmma".to_string(), of_plan(atom.layout().plan())),
                (text.clone(), of_file_of(bits, &lengths, &format!("cute = \"{text}\""))),
            ];
            read += u32::from(agree(&text, ways));
        }
    }
    assert_eq!(read, 5 * (8 + 3));
}

/// The same as [`of_file`] of elements of as many bits.
fn of_file_of(bits: u32, lengths: &[u32; 2], layout: &str) -> Answer {
    let element = match bits {
        4 => "f4",
        8 => "f8",
        16 => "f16",
        32 => "f32",
        _ => "f64",
    };
    let [rows, columns] = lengths;
    let text = format!(
        "version = 1\n[tile.A]\nelement = \"{element}\"\nshape = {{ a = {rows}, b = {columns} }}\n{layout}\n"
    );
    let source = Source::of_text("", text);
    of_plan(tiles(&source).map(|all| *all[0].plan()))
}

/// Texts as they stand on a screen: the IR's with its name, a tensor of CuTe with its address, blocks with copies; and rows
/// with pads to Triton.
#[test]
fn texts_from_a_screen() {
    let same = |one: &str, other: &str| {
        let [one_answer, wanted] = [one, other].map(|layout| of_file(&[128, 64], layout));
        assert!(wanted.is_some() && one_answer == wanted, "{one}");
    };
    let xor = "cute = \"Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)\"";
    same("cute = \"Sw<3,4,3>_smem_ptr[16b](0x7f0000000400) o (_128,_64):(_64,_1)\"", xor);
    same("cute = \"Sw<3,4,3> o smem_ptr[16b](0x400) o (128,64):(64,1)\"", xor);
    let atom = "Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)";
    same(&format!("cute = \"tile_to_shape({atom}, (_128, _64))\""), xor);
    same(&format!("cute = \"blocked_product({atom}, (16,1):(1,0))\""), xor);
    same(
        "cute = \"composition(Sw<3,3,3>, logical_divide((128,64):(64,1), (8,64)))\"\nunit = \"elements\"",
        xor,
    );
    same(
        "triton = \"#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>\"",
        xor,
    );
    same("triton = \"NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16)\"", xor);
    same(
        "triton = \"#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>\\n\"",
        xor,
    );
    let bases = "[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32], [1, 8], [2, 16], [4, 32], [8, 0], [16, 0], [32, 0], [64, 0]";
    same(&format!("triton = {{ offset = [{bases}], block = [[0, 0]] }}"), xor);
    same(&format!("triton = \"#ttg.shared_linear<{{offset = [{bases}]}}, alignment = 16>\""), xor);
    let told = |layout: &str| {
        let text = format!(
            "version = 1\n[tile.A]\nelement = \"f32\"\nshape = {{ m = 128, k = 64 }}\n{layout}\n"
        );
        tiles(&Source::of_text("t", text)).unwrap_err()
    };
    let cut = told("cute = \"logical_divide((100,64):(64,1), (8,64))\"");
    assert_eq!(
        cut,
        "t:5:8: 100:64 after (8,13):(1,8): number 103 is beyond the 100 that the first has\n"
    );
    let wide = told(
        "triton = \"#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>\"",
    );
    assert_eq!(wide, "t:5:10: elements of 16 bits, but an element of `f32` has 32\n");
    let blocks = told("triton = { offset = [[0, 1]], block = [[64, 0]] }");
    assert!(blocks.contains("these bases are of several blocks, and a tile is of one"), "{blocks}");
    let odd = told("cute = \"Sw<3,4,3> o smem_ptr[32b](0x410) o (128,64):(64,1)\"");
    assert!(odd.contains("the address 0x410 is not a multiple of the 1024 bytes after which the swizzle begins again"), "{odd}");
    assert!(
        told("cute = \"Sw<3,4,3> o smem_ptr[32b](410) o (128,64):(64,1)\"")
            .contains("expected `unset)` or an address")
    );

    let words =
        ["tiledesc", "convert", "--element", "f16", "--shape", "m=128,k=64", "--strides", "72,1"];
    let out = tiledesc_cli::run(words, &mut std::io::empty()).out;
    let line = out.lines().find(|line| line.starts_with("triton")).unwrap();
    assert_eq!(
        line,
        "triton = \"#ttg.padded_shared<[64:+8] {order = [1, 0], shape = [128, 64]}>\""
    );
    same(line, "strides = [72, 1]");
    let held = "register = [[0, 1], [0, 2], [0, 4], [32, 0], [64, 0]], lane = [[1, 0], [2, 0], [4, 0], [0, 8], [0, 16], [0, 32]], warp = [[8, 0], [16, 0]]";
    let read = |by: &str| {
        let read = format!("ds_read_b128 by {by}");
        let words = [
            "tiledesc",
            "check",
            "--chip",
            "gfx942",
            "--element",
            "f16",
            "--shape",
            "m=128,k=64",
            "--strides",
            "64,1",
        ];
        let found =
            tiledesc_cli::run([&words[..], &["--read", &read]].concat(), &mut std::io::empty());
        let line = found.out.lines().next().and_then(|line| line.split("  ").nth(1));
        (line.map(str::to_string), found.err)
    };
    assert_eq!(read(&format!("#linear = #ttg.linear<{{{held}, block = [[0, 0]]}}>")), read(held));
    assert_eq!(read(held).1, "");
    // A wave of 64 takes 8 rows, four waves 32, and registers the other 96: as the bases above.
    let blocked = "#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 8], warpsPerCTA = [4, 1], order = [0, 1]}>";
    assert_eq!(read(blocked), read(held));
    assert_eq!(read("gl.BlockedLayout([1, 8], [8, 8], [4, 1], [0, 1])"), read(held));
    let three = read(&blocked.replace("[4, 1]", "[4, 1, 1]")).1;
    assert!(three.contains("expected a power of two for each dimension"), "{three}");
}
