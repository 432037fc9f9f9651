//! What the compiler finds: the short list, counted anew.
//!
//! | test | promise |
//! |---|---|
//! | `every_answer_counted` | on random questions of any lengths, chips and accesses the cycles of the answer are those that counting each lane of each instruction finds, and the tile in order takes no fewer |
//! | `gemm_tiles_are_free`, `with_the_diagonal`, `tiles_of_floats_are_free` | tiles of GEMMs are free, and with which layouts |
//! | `several_chips` | one layout for gfx942 and gfx950 |
//! | `filled_directly` | of a tile that a direct load fills what is found can be filled |
//! | `a_column_where_rows_conflict` | columns are tried where rows have conflicts |
//! | `table_of_the_book` | recipes on chips, as `docs/src/which_layout.md` has them |
//! | `printed_lines_are_types`, `declared`, `declared_lines` | what is printed compiles and is what was found; so is what `synthesize!` declares |
//! | `what_another_layout_serves`, `widths_of_any_kind` | what the tile in order does not bear; elements of 0 bits and of 24 |
//! | `refusals_say_why` | what cannot be searched, with the numbers |
//!
//! The search to the end is `tiledesc_host`'s, and held to independent counts there (`host/tests/search`).

use support::asked::{DIRECT_LOADS, Kind, Question};
use support::fuzz::{Dice, cases, seed};
use tiledesc::chip::{self, Phases, Service, gfx942, gfx950, sm_80};
use tiledesc::direct::Fill;
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M};
use tiledesc::recipe::{Scheme, Shape, Spec};
use tiledesc::search::Use;
use tiledesc::{List, access::Placed, chip::Instruction};

/// Cycles of all instructions by the row and by the other source, each lane of each asked for its coordinate and that
/// for its offset; `None` if one does not fit.
pub(super) fn counted(plan: &Plan, bits: u32, access: &Use<'_>) -> Option<[u64; 2]> {
    let row = access.instruction;
    let placed = Placed::new(plan, bits, access.lanes, row).ok()?;
    let lanes = row.service().phases.addressed();
    let mut cycles = [0; 2];
    for step in 0..placed.instructions() {
        let touched = placed.touched(step).ok()?;
        let mut bytes = [None; Phases::LANES];
        for (lane, byte) in bytes[..lanes].iter_mut().enumerate() {
            if let Some(at) = touched.coordinate(lane) {
                let byte_of = plan.offset(at.as_slice()).ok()? * bits / 8;
                if !byte_of.is_multiple_of(row.alignment()) {
                    return None;
                }
                *byte = Some(byte_of);
            }
        }
        let agree = |distance: usize| {
            (0..lanes).all(|lane| match (bytes[lane], bytes.get(lane ^ distance)) {
                (Some(one), Some(Some(other))) => one == *other,
                _ => true,
            })
        };
        let service = match row.merged() {
            Some(merged) if agree(1) || agree(2) => merged,
            _ => row.service(),
        };
        let own = by_phases(row, service, &bytes);
        let rival = row.rival().map_or(own, |other| by_phases(row, other, &bytes));
        cycles = [cycles[0] + own, cycles[1] + rival];
    }
    Some(cycles.map(|cycles| cycles * u64::from(access.times)))
}

/// In each phase the most dwords in a bank.
fn by_phases(row: &Instruction, service: &Service, bytes: &[Option<u32>]) -> u64 {
    let mut cycles = 0;
    let mut dwords = Vec::with_capacity(5 * Phases::LANES);
    let mut banks = vec![0u64; service.banks as usize];
    for part in 0..row.parts() {
        for phase in 0..service.phases.count() {
            let lanes = service.phases.lanes(phase).iter().filter_map(|lane| bytes[*lane as usize]);
            dwords.clear();
            dwords.extend(lanes.flat_map(|byte| {
                let first = byte + row.part(part);
                first / 4..(first + row.bytes()).div_ceil(4)
            }));
            dwords.sort_unstable();
            dwords.dedup();
            banks.fill(0);
            dwords.iter().for_each(|dword| banks[(dword % service.banks) as usize] += 1);
            cycles += banks.iter().max().unwrap().max(&1);
        }
    }
    cycles
}

/// What a layout costs: cycles by the rows, by the other sources, and what a search weighs it by, which is those of
/// the rows and the conflicts of the others.
pub(super) fn weighed(plan: &Plan, bits: u32, uses: &[Use<'_>]) -> Option<[u64; 3]> {
    let mut sums = [0; 3];
    for access in uses {
        let [own, rival] = counted(plan, bits, access)?;
        let mut more = 0;
        if let Some(other) = access.instruction.rival() {
            let placed = Placed::new(plan, bits, access.lanes, access.instruction).ok()?;
            let phases = other.phases.count() as u64 * access.instruction.parts() as u64;
            more = rival - phases * placed.instructions() * u64::from(access.times);
        }
        sums = [sums[0] + own, sums[1] + rival, sums[2] + own + more];
    }
    Some(sums)
}

/// Random questions: what is found costs what counting finds, and no more than the tile in order.
#[test]
fn every_answer_counted() {
    let (mut dice, wanted) = (Dice(seed(41)), cases("answers of the short list"));
    let (mut asked, mut free, mut lists) = (0, 0, 0);
    while asked < wanted {
        let Some(Question { tile, uses }) = Question::of(Kind::OneChip, &mut dice, 160) else {
            continue;
        };
        let found = tile.synthesize(&uses).unwrap();
        let plan = found.plan().unwrap();
        let [own, rival, weight] = weighed(&plan, tile.bits, &uses).unwrap();
        assert_eq!([found.cycles, found.rival_cycles], [own, rival], "{tile:?} {found} {uses:?}");
        let in_order = weighed(&Spec::row_major().plan(tile).unwrap(), tile.bits, &uses).unwrap();
        assert!(weight <= in_order[2], "{tile:?} {found} {uses:?}");
        assert_eq!(found.is_free, weight == found.floor, "{tile:?} {found} {uses:?}");
        asked += 1;
        free += u32::from(found.is_free);
        lists += u32::from(found.layout != Spec::row_major());
    }
    println!("{asked} answers, {free} without conflict, {lists} other than in order");
    assert!(free > asked / 3 && lists > asked / 8, "{free} {lists}");
}

/// The cycles of all accesses, by the analyzer.
fn judged(plan: &Plan, tile: Shape, uses: &[Use<'_>]) -> u64 {
    let cycles = |access: &Use<'_>| {
        let placed = Placed::new(plan, tile.bits, access.lanes, access.instruction).unwrap();
        placed.verdict().unwrap().active_cycles() * u64::from(access.times)
    };
    uses.iter().map(cycles).sum()
}

fn fits(tile: Shape, access: &Use<'_>) -> bool {
    let plain = Spec::row_major().plan(tile).unwrap();
    Placed::new(&plain, tile.bits, access.lanes, access.instruction)
        .is_ok_and(|placed| placed.verdict().is_ok())
}

const CHIPS: [(&Instruction, &Instruction); 2] = [
    (&gfx942::ds_write_b128, &gfx942::ds_read_b128),
    (&gfx950::ds_write_b128, &gfx950::ds_read_b128),
];

/// Tiles of GEMMs: the write row by row, the operand of 16 rows, of 32, or of both.
fn gemms() -> Vec<(Shape, Vec<Use<'static>>)> {
    let mut all = Vec::new();
    for (store, load) in CHIPS {
        for bits in [8, 16, 32] {
            for (rows, columns) in
                [64, 128, 256].into_iter().flat_map(|m| [16, 32, 64, 128, 256].map(|k| (m, k)))
            {
                let tile = Shape { rows, columns, bits };
                for operands in [&[16][..], &[32], &[16, 32]] {
                    let mut uses = vec![Use::new(Lanes::row_major(), store)];
                    let read = |rows: &u32| Use::new(Lanes::rows(*rows), load);
                    uses.extend(operands.iter().map(read));
                    if uses.iter().all(|access| fits(tile, access)) {
                        all.push((tile, uses));
                    }
                }
            }
        }
    }
    all
}

#[test]
fn gemm_tiles_are_free() {
    let (mut shifts, mut masks) = (0, 0);
    for (tile, uses) in gemms() {
        let found = tile.synthesize(&uses).unwrap();
        assert!(found.is_free, "{tile:?}: {found}");
        assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.floor, "{tile:?}: {found}");
        match found.layout.scheme() {
            Scheme::MaskedLayers => {
                // 64 bytes a row on gfx950: no layer of single bits.
                let layout = found.layout;
                assert_eq!((tile.columns * tile.bits, layout.layers(tile)), (512, 4), "{tile:?}");
                assert_eq!(layout.list().as_slice(), &[3, 2][..], "{tile:?}");
                masks += 1;
            }
            _ => shifts += 1,
        }
    }
    assert_eq!((shifts, masks), (204, 9));
}

/// Write, both operands, a column, and the diagonal on which xor_t is 8-way (rocm-libraries
/// 11597).
#[test]
fn with_the_diagonal() {
    let mut tiles = 0;
    for (store, load) in CHIPS {
        for bits in [8, 16, 32] {
            for (rows, columns) in
                [64, 128, 256].into_iter().flat_map(|m| [32, 64, 128, 256].map(|k| (m, k)))
            {
                let tile = Shape { rows, columns, bits };
                let reads = [Lanes::rows(16), Lanes::rows(32), Lanes::column(), Lanes::diagonal()];
                let mut uses = vec![Use::new(Lanes::row_major(), store)];
                uses.extend(reads.map(|lanes| Use::new(lanes, load)));
                if !uses.iter().all(|access| fits(tile, access)) {
                    continue;
                }
                let found = tile.synthesize(&uses).unwrap();
                assert!(found.is_free, "{tile:?}: {found}");
                let plan = found.plan().unwrap();
                assert_eq!(judged(&plan, tile, &uses), found.floor, "{tile:?}: {found}");
                tiles += 1;
            }
        }
    }
    assert_eq!(tiles, 61);
}

/// 32 x 32 floats and 32 lanes: rows and columns by a shift, the diagonal too by mixed masks.
#[test]
fn tiles_of_floats_are_free() {
    let tile = Shape { rows: 32, columns: 32, bits: 32 };
    let read = |lanes| Use::new(lanes, &sm_80::ld_shared_b32);
    let all = [read(Lanes::row_major()), read(Lanes::column()), read(Lanes::diagonal())];
    let two = tile.synthesize(&all[..2]).unwrap();
    assert_eq!(
        two.to_string(),
        "recipe::GemmXor<F32, M<32>, K<32>, KPack<1>>: 64 cycles, the floor: no layout does better"
    );
    let three = tile.synthesize(&all).unwrap();
    assert_eq!(three.layout.list(), [24, 1, 2, 4, 8]);
    assert_eq!((three.cycles, three.is_free), (65, true));
}

/// One layout for two chips, where the one that CK takes for either is 2-way on the other.
#[test]
fn several_chips() {
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let uses: Vec<_> = CHIPS
        .into_iter()
        .flat_map(|(store, load)| {
            let read = |rows| Use::new(Lanes::rows(rows), load);
            [Use::new(Lanes::row_major(), store), read(16), read(32)]
        })
        .collect();
    let found = tile.synthesize(&uses).unwrap();
    assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.floor);
    assert_eq!(
        (found.layout.layers(found.tile), found.layout.list().as_slice()),
        (1, &[4, 1, 2, 4][..])
    );
    for ck in [Spec::gemm_xor(8), Spec::gemm_xor_64(8)] {
        let plan = ck.plan(tile).unwrap();
        assert!(judged(&plan, tile, &uses) > found.floor, "{ck:?}");
    }
}

/// Transfers of two widths on three chips: what is found can be filled, and costs what the analyzer says.
#[test]
fn filled_directly() {
    let (mut tiles, mut wider, mut free) = (0, 0, 0);
    for (transfer, load, operand) in DIRECT_LOADS {
        for (bits, rows, columns) in [8, 16].into_iter().flat_map(|bits| {
            [32, 64].into_iter().flat_map(move |m| [32, 96, 512].map(|k| (bits, m, k)))
        }) {
            let (tile, fill) = (Shape { rows, columns, bits }, Fill::by(transfer, 2));
            let read = Use::new(Lanes::rows(operand), load);
            let plain = Spec::row_major().plan(tile).unwrap();
            if !fits(tile, &read) || fill.plan(&plain, bits).is_err() {
                continue;
            }
            let filled = [read.filled_by(fill)];
            let found = tile.synthesize(&filled).unwrap();
            let plan = found.plan().unwrap();
            assert!(fill.plan(&plan, bits).is_ok(), "{tile:?}: {found}");
            assert_eq!(judged(&plan, tile, &filled), found.cycles, "{tile:?}: {found}");
            tiles += 1;
            free += u32::from(found.is_free);
            wider += u32::from(tile.synthesize(&[read]).unwrap().layout != found.layout);
        }
    }
    println!("{tiles} tiles, {free} free, {wider} of another layout than stored by lanes");
    assert!(tiles > 30 && free > 25 && wider > 5, "{tiles} {free} {wider}");
}

/// Floats that are written down columns: by rows a conflict that only columns avoid.
#[test]
fn a_column_where_rows_conflict() {
    let tile = Shape { rows: 64, columns: 2, bits: 32 };
    let uses = [
        Use::new(Lanes::column(), &sm_80::st_shared_b32),
        Use::new(Lanes::column(), &sm_80::ld_shared_b32),
    ];
    let found = tile.synthesize(&uses).unwrap();
    assert!(found.is_free, "{found}");
    assert_eq!(judged(&found.plan().unwrap(), tile, &uses), found.floor);
}

/// A tile in order that the accesses do not fit is not the end of the search: a row pad serves them, and is found, if it
/// is on the list.
#[test]
fn what_another_layout_serves() {
    let reads = gfx942::ds_read2_b32.offsets(0, 32);
    let tile = Shape { rows: 33, columns: 16, bits: 32 };
    let in_order = Plan::packed(&[33, 16]).unwrap();
    let lanes = Lanes::rows(32).first();
    let said =
        Placed::new(&in_order, 32, lanes, &reads).unwrap().verdict().unwrap_err().to_string();
    assert!(
        said.contains("lane 31 would touch byte 2115, outside the layout's 2112 bytes"),
        "{said}"
    );
    let uses = [Use::new(lanes, &reads)];
    let found = tile.synthesize(&uses).unwrap();
    assert_eq!((found.layout, found.is_free), (Spec::row_pad(3), true));
    let plan = found.plan().unwrap();
    assert!(Placed::new(&plan, 32, lanes, &reads).unwrap().verdict().unwrap().is_free());
    // A race in order, which a pad of five floats avoids: the compiler tries four.
    let writes = gfx942::ds_write2_b32.offsets(0, 4);
    let uses = [Use::new(lanes, &writes)];
    let tile = Shape { rows: 64, columns: 2, bits: 32 };
    assert!(Spec::row_pad(5).is_free(tile, &uses));
    let found = tile.synthesize(&uses).unwrap();
    assert_eq!((found.layout, found.cycles, found.floor), (Spec::row_pad(4), 8, 4));
}

/// Widths that no element has: 0 is refused by all, and of 24 bits the line names no half.
#[test]
fn widths_of_any_kind() {
    let tile = Shape { rows: 64, columns: 64, bits: 0 };
    let read = Use::new(Lanes::rows(16), &gfx950::ds_read_b128);
    let fill = Fill::by(&gfx950::global_load_lds_b128, 4);
    for uses in [[read], [read.filled_by(fill)]] {
        assert!(!Spec::row_pad(8).is_free(tile, &uses));
        assert_eq!(tile.synthesize(&uses).unwrap_err().to_string(), "an element has 0 bits");
    }
    assert!(fill.plan(&Plan::packed(&[64, 64]).unwrap(), 0).is_err());
    let tile = Shape { bits: 24, ..tile };
    let found = tile.synthesize(&[Use::new(Lanes::rows(16), &gfx942::ds_read_b96)]).unwrap();
    assert!(found.to_string().starts_with("recipe::GemmXorLayer<E, M<64>, K<64>, KPack<4>"));
}

#[test]
fn refusals_say_why() {
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let said = |tile: Shape, uses: &[Use<'_>]| tile.synthesize(uses).unwrap_err().to_string();
    assert_eq!(said(tile, &[]), "no access is stated, so every layout is free");
    let read = Use::new(Lanes::rows(16), &gfx942::ds_read_b128);
    let short = Shape { columns: 16, ..tile };
    let narrow = said(short, &[Use::new(Lanes::row_major(), &gfx942::ds_write_b128), read]);
    assert_eq!(
        narrow,
        "access 2: lane 32 would touch (0, 16), outside the tile of [128, 16]: dimension 1 needs a length of 32 or more"
    );
    let large = said(Shape { rows: 1024, ..tile }, &[read]);
    assert_eq!(large, "access 1: the layout takes 131072 bytes, but a block has 65536");
    let huge = said(Shape { rows: 1 << 20, ..tile }, &[read]);
    assert_eq!(huge, "the tile has 1048576 * 64 elements; more than 2^20 are not searched");
    let race = said(tile, &[Use::new(Lanes::repeated_rows(16), &gfx942::ds_write_b128)]);
    assert_eq!(race, "access 1: lanes 0 and 16 write the same byte, whatever the layout");
    let unweighted = [read, read.times(0)];
    let weightless = "access 2: its weight is 0: leave it out, or weigh it at least 1";
    assert_eq!(said(tile, &unweighted), weightless);
    let columns = Use::new(Lanes::column_major(), &gfx942::ds_write_b128);
    let crossed = "access 2 moves several elements of a row, access 1 several of a column: \
                   no layout has both contiguous";
    assert_eq!(said(tile, &[columns, read]), crossed);
}

/// The degrees of a layout for the accesses of the table: "1 4 8".
fn degrees(plan: &Plan, tile: Shape, uses: &[Use<'_>]) -> String {
    let degree = |access: &Use<'_>| {
        let placed = Placed::new(plan, tile.bits, access.lanes, access.instruction).unwrap();
        placed.verdict().unwrap().worst_degree().to_string()
    };
    uses.iter().map(degree).collect::<Vec<_>>().join(" ")
}

/// The table of the book: recipes on chips, and what is found for each.
fn recipes_on_chips() -> String {
    let chips = [
        chip::gfx908,
        chip::gfx90a,
        chip::gfx942,
        chip::gfx950,
        chip::gfx1030,
        chip::gfx1100,
        chip::gfx1101,
        chip::gfx1151,
        chip::gfx1200,
        chip::gfx1201,
        chip::gfx1250,
        chip::sm_80,
        chip::sm_90,
        chip::sm_100,
        chip::sm_120,
    ];
    let tile = Shape { rows: 128, columns: 64, bits: 16 };
    let layouts = [
        ("`RowMajor`", Spec::row_major()),
        ("`RowPad` 8", Spec::row_pad(8)),
        ("`RowPad` 16", Spec::row_pad(16)),
        ("`GemmXor`", Spec::gemm_xor(8)),
        ("`GemmXor64`", Spec::gemm_xor_64(8)),
        ("`seq![4, 1, 2, 4]`", Spec::gemm_xor_bits(8, 1, List::new(&[4, 1, 2, 4]))),
    ];
    let mut table = String::from("| chip |");
    layouts.iter().for_each(|(name, _)| table += &format!(" {name} |"));
    table += " found |\n|---|";
    table += &"---|".repeat(layouts.len() + 1);
    // Chips whose cells are alike share a row.
    let mut rows: Vec<(String, String)> = Vec::new();
    for chip in chips {
        let row = |names: [&str; 2]| {
            names.into_iter().find_map(|name| chip.instruction(name).ok()).unwrap()
        };
        let (store, load) =
            (row(["ds_write_b128", "st_shared_b128"]), row(["ds_read_b128", "ld_shared_b128"]));
        let uses = [
            Use::new(Lanes::row_major(), store),
            Use::new(Lanes::rows(16), load),
            Use::new(Lanes::rows(32), load),
        ];
        let mut cells = String::new();
        for (_, layout) in layouts {
            cells += &format!(" {} |", degrees(&layout.plan(tile).unwrap(), tile, &uses));
        }
        let found = tile.synthesize(&uses).unwrap();
        assert!(found.is_free, "{}", chip.name());
        let text = found.layout.text("F16", tile).to_string();
        let name = &text["recipe::".len()..text.find('<').unwrap()];
        cells += &match found.layout.scheme() {
            Scheme::MaskedLayers => format!(" `seq!{:?}` |", found.layout.list()),
            _ => format!(" `{name}` |"),
        };
        match rows.iter_mut().find(|(_, others)| *others == cells) {
            Some((names, _)) => *names += &format!(", {}", chip.name()),
            None => rows.push((chip.name().to_string(), cells)),
        }
    }
    rows.iter().for_each(|(names, cells)| table += &format!("\n| {names} |{cells}"));
    table
}

/// The book's table is what the analyzer says; `cargo xtask bless oracles` writes it.
#[test]
fn table_of_the_book() {
    let page = support::root().join("docs/src/which_layout.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let (begin, end) = ("<!-- recipes on chips -->\n", "\n<!-- end -->");
    let from = text.find(begin).unwrap() + begin.len();
    let to = text.rfind(end).unwrap().max(from);
    let table = recipes_on_chips();
    if std::env::var_os("BLESS").is_some() {
        let written = format!("{}{table}{}", &text[..from], &text[to..]);
        std::fs::write(page, written).unwrap();
    } else {
        assert_eq!(&text[from..to], table, "cargo xtask bless oracles short_list:: writes it");
    }
}

/// Types, each as it was printed, with what it was found for.
macro_rules! pasted {
    ($($Type:ty, $tile:expr, $uses:expr;)*) => {$({
        let found = $tile.synthesize(&$uses).unwrap();
        let text = found.to_string();
        let (line, _) = text.split_once(": ").unwrap();
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(bare(line), bare(stringify!($Type)), "{found}");
        assert_eq!(found.plan(), <$Type as Adaptor>::PLAN, "{found}");
    })*};
}

/// What is printed is a type, and the layout that was found.
#[test]
fn printed_lines_are_types() {
    let tile = |rows, columns, bits| Shape { rows, columns, bits };
    let mi300 = |rows| Use::new(Lanes::rows(rows), &gfx942::ds_read_b128);
    let mi350 = |rows| Use::new(Lanes::rows(rows), &gfx950::ds_read_b128);
    let column = [
        Use::new(Lanes::row_major().first(), &sm_80::st_shared_b32),
        Use::new(Lanes::column().first(), &sm_80::ld_shared_b32),
    ];
    let rows = [Use::new(Lanes::row_major(), &gfx942::ds_write_b128)];
    let reads = gfx942::ds_read2_b32.offsets(0, 32);
    let two_addresses = Use::new(Lanes::rows(32).first(), &reads);
    let odd = [rows[0], mi300(16)];
    let three = [mi300(16), mi350(16), mi350(32)];
    let columns = [Use::new(Lanes::column_major(), &gfx942::ds_write_b128)];
    pasted! {
        recipe::RowMajor<F16, M<128>, K<64>>, tile(128, 64, 16), rows;
        recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>, tile(128, 64, 16), [mi300(16), mi300(32)];
        recipe::GemmXor64<F8, M<128>, K<128>, KPack<16>>, tile(128, 128, 8), [mi350(16), mi350(32)];
        recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>,
            tile(128, 32, 16), [mi350(16), mi350(32)];
        recipe::GemmXorBits<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![4, 1, 2, 4]>,
            tile(128, 64, 16), three;
        recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2]>, tile(64, 96, 16), odd;
        recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![1, 2]>,
            tile(64, 96, 16), [odd[0], odd[1], mi300(32)];
        recipe::RowPad<F32, M<33>, K<16>, Padding<3>>, tile(33, 16, 32), [two_addresses];
        recipe::RowPad<F32, M<64>, K<48>, Padding<1>>, tile(64, 48, 32), column;
        recipe::Transposed<recipe::RowMajor<F16, M<64>, K<128>>>, tile(128, 64, 16), columns;
        recipe::Transposed<recipe::GemmXorBits<F16, M<64>, K<128>, KPack<8>, MLdsLayer<1>, seq![4]>>,
            tile(128, 64, 16), [columns[0], Use::new(Lanes::rows(16), &gfx942::ds_read_u16)];
    }
}

/// A tile's lengths may be constants.
const DEPTH: usize = 48;

synthesize! {
    /// Masks.
    type Bits = BF16 [128, 32] on gfx950:
        read ds_read_b128 by MfmaRows<16>, read ds_read_b128 by MfmaRows<32>,
    ;
    /// With conflicts, for two chips; and free.
    #[allow(dead_code)]
    type Halves = F16 [64, 96] on gfx942, gfx90a as inferred:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>,
        read  ds_read_b128  by MfmaRows<32>;
    at most 832 cycles;
    type Dense = F16 [64, 96] on gfx942, gfx90a as inferred:
        write ds_write_b128 by RowMajor,
        read  ds_read_b128  by MfmaRows<16>;
    /// A pad.
    pub(crate) type Padded = F32 [64, DEPTH] on sm_80:
        write st_shared_b32 by first RowMajor, read ld_shared_b32 by first Column times 2;
    /// Columns that are contiguous: masks, a pad.
    type ByColumns = F16 [128, 64] on gfx942 as inferred:
        write ds_write_b128 by ColumnMajor, read ds_read_u16 by MfmaRows<16>;
    type PaddedColumns = F16 [96, 64] on gfx942 as inferred:
        write ds_write_b128 by ColumnMajor, read ds_read_u16 by MfmaRows<16>;
    /// Nothing to swizzle.
    type Plain = F16 [128, 64] on gfx942: write ds_write_b128 by RowMajor;
}

/// A declared type is the layout that its constant names.
#[test]
fn declared() {
    assert_eq!(Bits::PLAN, Bits.plan().unwrap());
    // With the element of the statement, not of as many bits.
    assert!(Bits.to_string().starts_with("recipe::GemmXorBits<BF16, M<128>, "), "{Bits}");
    assert_eq!((Bits.layout.layers(Bits.tile), Bits::offset([4, 0])), (4, 128 + 3 * 8));
    assert_eq!(Halves::PLAN, Halves.plan().unwrap());
    assert_eq!((Halves.cycles, Halves::BYTES), (768, 64 * 96 * 2));
    assert_eq!(Dense::PLAN, Dense.plan().unwrap());
    assert_eq!((Dense.cycles, Dense::BYTES), (384, 64 * 96 * 2));
    assert_eq!(Padded::PLAN, Padded.plan().unwrap());
    assert_eq!(Padded::offset([3, 47]), 3 * 49 + 47);
    assert_eq!(ByColumns::PLAN, ByColumns.plan().unwrap());
    assert_eq!(ByColumns::offset([9, 1]), 128 + (1 ^ 4) * 8 + 1);
    assert_eq!(PaddedColumns::PLAN, PaddedColumns.plan().unwrap());
    assert_eq!((Plain::offset([3, 17]), Plain.layout), (209, Spec::row_major()));
}

/// The last `;` of a declaration may be left out, with a comma or without, behind a limit too.
#[test]
fn the_last_semicolon() {
    mod declared {
        use tiledesc::prelude::*;
        synthesize! { pub type One = F16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<32> }
        synthesize! { pub type Four = F16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<32> times 4, }
        synthesize! {
            pub type Halves = F16 [64, 96] on gfx942:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>,
                read ds_read_b128 by MfmaRows<32>; at most 416 cycles
        }
    }
    use declared::{Four, Halves, One};
    assert_eq!((One.cycles, Four.cycles, Halves.cycles), (128, 512, 384));
}

pattern! {
    /// Floats that are 8 apart down a column.
    DownBy8(lane) => [8 * lane % 128, lane / 16];
}

synthesize! {
    /// Written row by row, read 8 floats apart: 4-way by any masks of rows.
    type Lines128 = F32 [128, 128] on sm_80:
        write st_shared_b32 by RowMajor, read ld_shared_b32 by Strided<8>;
    /// The same down the columns.
    type LinesDown = F32 [128, 128] on sm_80:
        write st_shared_b64 by ColumnMajor, read ld_shared_b32 by DownBy8;
    at most 514 cycles;
}

/// What is found of them compiles, declared and pasted.
#[test]
fn declared_lines() {
    assert_eq!(
        Lines128.to_string(),
        "recipe::Joined<recipe::GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>, \
         Lines<4>>: 576 cycles, the floor: no layout does better",
    );
    type Pasted = recipe::Joined<
        recipe::GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>,
        Lines<4>,
    >;
    assert_eq!(Lines128::PLAN, Lines128.plan().unwrap());
    assert_eq!(Lines128::PLAN, Pasted::PLAN);
    // Line 14 of row 3: bits 1 and 2 flip 2 and 4.
    assert_eq!(Lines128::offset([3, 64]), 14 * 32 + 6);
    assert_eq!(
        LinesDown.to_string(),
        "recipe::Transposed<recipe::Joined<recipe::GemmXorBits<F32, M<512>, K<32>, KPack<2>, \
         MLdsLayer<1>, seq![1, 2]>, Lines<4>>>: 514 cycles, floor 513: the least that the compiler tries",
    );
    assert_eq!(LinesDown::PLAN, LinesDown.plan().unwrap());
}
