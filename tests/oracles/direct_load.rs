//! Direct loads: the figures that are known, refusals with their numbers, and lanes simulated.

use tiledesc::chip::{self, Transfer, gfx90a, gfx942, gfx950, gfx1250, sm_80};
use tiledesc::direct::{DirectError, DirectLoad, Order, Request, Source, SourceRoute, Stride};
use tiledesc::{F8, F16, Op, Plan, recipe};

fn packed(lengths: &[u32]) -> Plan {
    Plan::packed(lengths).unwrap()
}

fn naive(lengths: &[u32], strides: &[u32]) -> Plan {
    Plan::naive(lengths, strides).unwrap()
}

/// Rows of 64 halves whose packs of 8 are xor-ed with the row.
fn swizzled(rows: u32) -> Plan {
    recipe::GemmXor::<F16>([rows, 64, 8]).unwrap()
}

/// Packed rows of which the first `columns` elements count.
fn sliced(lengths: &[u32; 2], columns: u32) -> Plan {
    let slice = Op::Slice { low_length: lengths[1], begin: 0, end: columns };
    let pass = Op::PassThrough { length: lengths[0] };
    packed(lengths).transform(&[pass, slice], &[&[0], &[1]], &[&[0], &[1]]).unwrap()
}

#[track_caller]
fn planned<'a>(request: &Request<'a>) -> DirectLoad<'a> {
    request.plan().unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn refused(request: &Request<'_>) -> String {
    request.plan().unwrap_err().to_string()
}

fn deltas(plan: &DirectLoad<'_>) -> Vec<Option<i64>> {
    (0..plan.loads()).map(|load| plan.route(load).bytes()).collect()
}

fn bases(plan: &DirectLoad<'_>, wave: u32) -> Vec<u32> {
    (0..plan.loads()).map(|load| plan.base(wave, load)).collect()
}

/// Every (wave, load, lane).
fn places(plan: &DirectLoad<'_>) -> impl Iterator<Item = (u32, u32, u32)> {
    let (waves, loads, lanes) = (plan.waves(), plan.loads(), plan.transfer().wave());
    let loads = move |wave| (0..loads).map(move |load| (wave, load));
    (0..waves).flat_map(loads).flat_map(move |(w, j)| (0..lanes).map(move |lane| (w, j, lane)))
}

const B32: Transfer = gfx942::global_load_lds_b32;
const B128: Transfer = gfx950::global_load_lds_b128;

#[test]
fn a_copy_of_4096_bytes() {
    let tile = packed(&[4096]);
    let source = packed(&[4096]);
    let request =
        Request::new(&tile, 8, Source::view(&source), &B32).waves(4).order(Order::Interleaved);
    let plan = planned(&request);
    assert_eq!((plan.loads(), plan.chunk(), plan.idle()), (4, 256, 0));
    for (wave, load, lane) in places(&plan) {
        assert_eq!(plan.base(wave, load), 1024 * load + 256 * wave);
        let byte = 1024 * load + 4 * (64 * wave + lane);
        assert_eq!(plan.source(wave, load, lane), Some(byte.into()));
    }
    assert_eq!(deltas(&plan), [0, 1024, 2048, 3072].map(Some));
    assert_eq!((plan.lines(1, 2, 64), plan.fewest_lines(64)), (Some(4), 4));
    let strided = Source::strided(&[Stride::Of(1)]).unwrap();
    let request = Request::new(&tile, 8, strided, &B32).waves(4).order(Order::Interleaved);
    assert_eq!(deltas(&planned(&request)), [0, 1024, 2048, 3072].map(Some));
    let (more, source) = (packed(&[4100]), packed(&[4100]));
    let request = Request::new(&more, 8, Source::view(&source), &B32).waves(4);
    assert_eq!(refused(&request), "the last chunk occupies only 1 of 64 lanes");
}

#[test]
fn dwords_and_bytes_in_rows() {
    let tile = packed(&[16, 64]);
    let request = Request::new(&tile, 32, Source::rows(64), &B32).waves(4);
    let plan = planned(&request);
    assert_eq!((plan.loads(), plan.is_linear()), (4, true));
    for (s, j, lane) in places(&plan) {
        assert_eq!(plan.unit(s, j, lane).unwrap().coordinate().as_slice(), [4 * s + j, lane]);
        assert_eq!(plan.base(s, j), 1024 * s + 256 * j);
    }
    assert_eq!((plan.lds(1, 2, 5), plan.source(1, 2, 5)), (1556, Some((6 * 64 + 5) * 4)));
    assert_eq!(
        DirectError::no_transfer(16, "gfx942").to_string(),
        "no transfer of 16 bytes on gfx942 (there is one on gfx950)"
    );

    let tile = packed(&[64, 256]);
    let plan = planned(&Request::new(&tile, 8, Source::rows(256), &B32).waves(4));
    assert_eq!(plan.loads(), 16);
    for (s, j, lane) in places(&plan) {
        assert_eq!(plan.unit(s, j, lane).unwrap().coordinate().as_slice(), [16 * s + j, 4 * lane]);
        assert_eq!(plan.base(s, j), 4096 * s + 256 * j);
    }
    let tile = packed(&[64, 64]);
    assert_eq!(planned(&Request::new(&tile, 8, Source::rows(64), &B32)).loads(), 16);
}

#[test]
fn lanes_that_write_more_than_they_bring() {
    let narrow = gfx942::global_load_lds_b8;
    let dense = packed(&[64, 64]);
    assert_eq!(
        refused(&Request::new(&dense, 8, Source::rows(64), &narrow)),
        "a lane writes 4 bytes for 1 of data, and byte 1 of LDS belongs to (0, 1)"
    );
    let spread = sliced(&[64, 4], 1);
    assert_eq!(planned(&Request::new(&spread, 8, Source::rows(1), &narrow)).loads(), 1);

    let three = gfx950::global_load_lds_b96;
    let (pitched, dense) = (sliced(&[64, 4], 3), packed(&[64, 3]));
    assert_eq!(planned(&Request::new(&pitched, 32, Source::rows(3), &three)).loads(), 1);
    assert_eq!(
        refused(&Request::new(&dense, 32, Source::rows(3), &three)),
        "a lane writes 16 bytes for 12 of data, and byte 12 of LDS belongs to (1, 0)"
    );
    // The same rows without the last dword: a neighbour may begin there.
    let short = naive(&[64, 3], &[4, 1]);
    assert_eq!(
        refused(&Request::new(&short, 32, Source::rows(3), &three)),
        "a lane writes 16 bytes for 12 of data, the last one up to byte 1023, and the layout has 1020 bytes (a \
         slice of longer rows has them)"
    );
    assert_eq!(
        refused(&Request::new(&dense, 64, Source::rows(3), &three)),
        "12 bytes are not a whole number of 8-byte elements, nor the reverse"
    );
}

#[test]
fn swizzled_halves() {
    let tile = swizzled(128);
    let request = Request::new(&tile, 16, Source::rows(8192), &B128).waves(4);
    let plan = planned(&request);
    assert!(plan.is_linear());
    assert_eq!((plan.loads(), plan.chunk(), plan.idle()), (4, 1024, 0));
    // 8 rows of 8192 halves are 131072 bytes: the figure 65536 is of rows of 4096.
    assert_eq!(deltas(&plan), [0, 131_072, 262_144, 393_216].map(Some));
    let half = Request::new(&tile, 16, Source::rows(4096), &B128).waves(4);
    assert_eq!(deltas(&planned(&half)), [0, 65_536, 131_072, 196_608].map(Some));
    for wave in 0..4 {
        for load in 0..4 {
            assert_eq!(plan.lines(wave, load, 128), Some(8));
        }
    }
    assert_eq!(plan.fewest_lines(128), 8);

    let tile = swizzled(64);
    let plan = planned(&Request::new(&tile, 16, Source::rows(8192), &B128).waves(4));
    for (s, j, lane) in places(&plan) {
        let row = 16 * s + 8 * j + lane / 8;
        let column = 8 * ((lane % 8) ^ (row % 8));
        assert_eq!(plan.unit(s, j, lane).unwrap().coordinate().as_slice(), [row, column]);
        assert_eq!(plan.base(s, j), 2048 * s + 1024 * j);
    }

    let tile = swizzled(128);
    let plan = planned(&Request::new(&tile, 16, Source::rows(8192), &B32).waves(4));
    assert_eq!(plan.loads(), 16);
    for load in 0..16 {
        let route = plan.route(load);
        assert_eq!(route.is_uniform(), load % 4 == 0, "{load}: {route:?}");
        let is_xor = matches!(route, SourceRoute::Xor { bytes: Some(_), coordinate: Some(_) });
        assert_eq!(is_xor, load % 4 != 0, "{load}: {route:?}");
    }
}

/// The pitch is of the run time: deltas in rows, lines if the pitch is whole lines.
#[test]
fn pitches_of_the_run_time() {
    let tile = swizzled(128);
    let of = |pitch| Request::new(&tile, 16, Source::rows_of_multiple(pitch), &B128).waves(4);
    let plan = planned(&of(64));
    assert_eq!(plan.route(3).bytes(), None);
    assert_eq!(plan.route(3).steps().unwrap().elements(&[8192, 1]), 24 * 8192);
    assert_eq!(plan.lines(2, 1, 128), Some(8));
    assert_eq!(planned(&of(8)).lines(2, 1, 128), None);
    assert_eq!(
        refused(&of(4)),
        "the source of (1, 8) can begin at byte 8, which is not aligned to 16"
    );
}

#[test]
fn padded_rows_are_loaded_by_digits() {
    let rows = naive(&[128, 64], &[72, 1]);
    let request = Request::new(&rows, 16, Source::rows(64), &B128);
    // Columns that are 72 apart, of a source of columns: the digit of the larger stride is the last.
    let columns = naive(&[64, 128], &[1, 72]);
    let source = Source::strided(&[Stride::Of(1), Stride::Of(64)]).unwrap();
    let plan = planned(&Request::new(&columns, 16, source, &B128).idle_lanes());
    assert_eq!((plan.loads(), plan.idle()), (18, 128));
    assert_eq!(plan.unit(0, 0, 8), None);
    assert_eq!((plan.lds(0, 0, 9), plan.source(0, 0, 9)), (144, Some(128)));
    let padding = "the chunk at byte 0: lane 8 would write bytes 128 to 143, which are padding (pad \
                   behind multiples of 1024 bytes, or allow idle lanes)";
    assert_eq!(refused(&request.waves(4)), padding);
    let plan = planned(&request.idle_lanes());
    assert_eq!((plan.loads(), plan.idle()), (18, 128));
    // Two chunks more than there are, so that each wave has five.
    let plan = planned(&request.waves(4).idle_lanes());
    assert_eq!((plan.loads(), plan.idle()), (5, 128 + 2 * 64));

    // 16 bytes behind every 1024: 8 rows of 64 halves.
    let behind = |rows: u32, pitch: u32| {
        let groups = 128 / rows;
        let base = naive(&[groups, rows, 64], &[pitch, 64, 1]);
        let merge = Op::Merge { lengths: tiledesc::List::new(&[groups, rows]) };
        let pass = Op::PassThrough { length: 64 };
        base.transform(&[merge, pass], &[&[0, 1], &[2]], &[&[0], &[1]]).unwrap()
    };
    let tile = behind(8, 520);
    let plan = planned(&Request::new(&tile, 16, Source::rows(64), &B128).waves(4));
    assert_eq!((plan.loads(), bases(&plan, 0)), (4, vec![0, 1040, 2080, 3120]));
    let tile = behind(4, 264);
    let plan = planned(&Request::new(&tile, 16, Source::rows(64), &B32).waves(4));
    assert_eq!(plan.loads(), 16);
    assert_eq!(bases(&plan, 0)[..4], [0, 256, 528, 784]);
}

#[test]
fn what_is_not_together() {
    let transposed = naive(&[128, 64], &[1, 128]);
    let request = Request::new(&transposed, 16, Source::rows(4096), &B32).waves(4);
    let apart = "LDS bytes 0 to 3 are (0, 0) and (1, 0), 8192 bytes apart in the source, not 2: the \
                 layout keeps 1 element together, the transfer needs 2";
    assert_eq!(refused(&request), apart);
    // Elements of half a byte.
    let text = refused(&Request::new(&transposed, 4, Source::rows(4096), &B32).waves(4));
    assert!(
        text.contains("4096 elements apart in the source, not 1: the layout keeps 1"),
        "{text}"
    );
    let plan = planned(&Request::new(&transposed, 32, Source::rows(4096), &B32).waves(4));
    assert_eq!((plan.lines(0, 0, 64), plan.fewest_lines(64)), (Some(64), 4));

    let singles = {
        let base = packed(&[128, 64]);
        let xor = Op::Xor { length0: 128, length1: 64 };
        base.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap()
    };
    let text = refused(&Request::new(&singles, 16, Source::rows(64), &B32));
    assert!(text.contains("are (1, 1) and (1, 0), -2 bytes apart in the source, not 2"), "{text}");

    let tile = packed(&[64, 64]);
    assert_eq!(
        refused(&Request::new(&tile, 16, Source::rows(65), &B32)),
        "the source of (1, 0) begins at byte 130, which is not aligned to 4"
    );
    let plan = planned(&Request::new(&tile, 64, Source::rows(64), &B32));
    assert_eq!((plan.loads(), plan.unit(0, 0, 3).unwrap().part()), (128, 1));
    assert_eq!(plan.source(0, 0, 3), Some(12));
}

#[test]
fn remainders_and_limits() {
    let tile = packed(&[16, 64]);
    let request = Request::new(&tile, 16, Source::rows(64), &B128);
    assert_eq!(
        refused(&request.waves(4)),
        "2 chunks of 1024 bytes cannot be divided evenly among 4 waves"
    );
    assert_eq!(planned(&request.waves(2)).loads(), 1);
    assert_eq!(refused(&request.waves(0)), "a load needs at least one wave");

    let one = packed(&[64]);
    let at =
        |transfer| Request::new(&one, 32, Source::strided(&[Stride::Of(1)]).unwrap(), transfer);
    assert_eq!(
        refused(&at(&B32).at(70_000)),
        "LDS byte 70000 is beyond the 16 bits of M0 on gfx942"
    );
    assert_eq!(planned(&at(&gfx950::global_load_lds_b32).at(70_000)).base(0, 0), 70_000);
    assert_eq!(refused(&at(&B32).at(6)), "LDS byte 6 is not aligned to 4");
    assert_eq!(
        refused(&at(&gfx950::global_load_lds_b32).at(262_144)),
        "LDS byte 262144 is beyond the 18 bits of M0 on gfx950"
    );
}

/// Two rows of 64 bytes a line: each instruction of 16 rows touches twice as many lines.
#[test]
fn layered_rows_touch_twice_the_lines() {
    let tile = recipe::GemmXor::<F16>([64, 32, 8]).unwrap();
    let plan = planned(&Request::new(&tile, 16, Source::rows(8192), &B128).waves(4));
    assert_eq!(plan.loads(), 1);
    assert_eq!((plan.lines(0, 0, 128), plan.fewest_lines(128)), (Some(16), 8));
}

#[test]
fn lanes_with_addresses_of_their_own() {
    // Padded rows are no obstacle: each lane goes where its unit lies.
    let tile = naive(&[128, 64], &[72, 1]);
    let plan = planned(&Request::new(&tile, 16, Source::rows(64), &sm_80::cp_async_b128).waves(4));
    assert_eq!((plan.loads(), plan.chunk(), plan.idle()), (8, 512, 0));
    assert_eq!((plan.lds(0, 0, 8), plan.source(0, 0, 8)), (144, Some(128)));
    let found = tiledesc::bank::conflicts(&plan.addresses(0, 0), &sm_80::st_shared_b128).unwrap();
    assert_eq!(found.degree(), 1);
    let wide = gfx1250::global_load_async_to_lds_b128;
    assert_eq!(planned(&Request::new(&tile, 16, Source::rows(64), &wide)).loads(), 32);
    let transposed = naive(&[128, 64], &[1, 128]);
    assert_eq!(
        refused(&Request::new(&transposed, 16, Source::rows(64), &sm_80::cp_async_b32)),
        "(0, 0) and (0, 1) are neighbours in the source, in LDS 256 bytes apart, not 2: the layout \
         keeps 1 element together, the transfer needs 2"
    );
    let few = packed(&[3, 16]);
    let request = Request::new(&few, 16, Source::rows(16), &sm_80::cp_async_b64);
    assert_eq!(refused(&request), "the last chunk occupies only 12 of 32 lanes");
    assert_eq!(planned(&request.idle_lanes()).idle(), 20);
    // A column-major source: units lie along its columns.
    let columns = Source::strided(&[Stride::Of(1), Stride::Of(128)]).unwrap();
    let plan = planned(&Request::new(&transposed, 16, columns, &sm_80::cp_async_b128).waves(4));
    assert_eq!(plan.unit(0, 0, 1).unwrap().coordinate().as_slice(), [8, 0]);
    // The same strides as a view, and columns of a larger tensor: every unit as above.
    for (lengths, pitch) in [([128, 64], 128), ([512, 100], 512)] {
        let tensor = naive(&lengths, &[1, pitch]);
        let source = Source::view(&tensor);
        let viewed =
            planned(&Request::new(&transposed, 16, source, &sm_80::cp_async_b128).waves(4));
        for (wave, load, lane) in places(&plan) {
            let [unit, other] = [&plan, &viewed].map(|plan| plan.unit(wave, load, lane).unwrap());
            let (at, column) = (other.coordinate().at(0), other.coordinate().at(1));
            assert_eq!((unit.coordinate(), unit.part()), (other.coordinate(), other.part()));
            let byte = (column * pitch + at) * 2;
            assert_eq!(viewed.source(wave, load, lane), Some(byte.into()));
            assert_eq!(plan.lds(wave, load, lane), viewed.lds(wave, load, lane));
        }
    }
}

/// Rows say which chips have them, and from where that is known.
#[test]
fn transfers_of_chips() {
    let with: Vec<_> =
        chip::CHIPS.iter().filter(|chip| !chip.transfers().is_empty()).map(|c| c.name()).collect();
    assert_eq!(with.len(), 13, "{with:?}");
    for chip in chip::CHIPS {
        for row in chip.transfers() {
            assert_eq!((row.chip(), row.wave()), (chip.name(), chip.wave()));
            assert_eq!(row.evidence().0, tiledesc::chip::Evidence::Documented);
            assert_eq!(chip.transfer(row.data()), Some(row));
            assert!(
                row.stride().is_none_or(|stride| stride == if row.data() > 4 { 16 } else { 4 })
            );
        }
    }
    assert_eq!(gfx90a::global_load_lds_b32.bits_of_base(), 16);
    assert_eq!(
        DirectError::no_transfer(8, "gfx950").to_string(),
        "no transfer of 8 bytes on gfx950 (there is one on gfx1250)"
    );
    assert_eq!(
        DirectError::no_transfer(12, "sm_90").to_string(),
        "no transfer of 12 bytes on sm_90"
    );
    let unknown = |chip| DirectError::Unknown { name: "x", chip }.to_string();
    assert_eq!(
        unknown("gfx942"),
        "no chip has a transfer named x; gfx942 has global_load_lds_b8, global_load_lds_b16, global_load_lds_b32",
    );
    assert_eq!(unknown("gfx1201"), "no chip has a transfer named x; gfx1201 has none");
}

/// From wide to narrow, with the reasons; the order by which no address is computed.
#[test]
fn the_widest_transfer() {
    let tile = swizzled(128);
    let any = Request::new(&tile, 16, Source::rows(8192), &B32);
    let found = any.widest(&chip::gfx950, &[4]);
    assert_eq!(found.plan().unwrap().transfer(), &B128);
    assert_eq!((found.count(), found.refused().count()), (0, 0));
    let found = any.widest(&chip::gfx942, &[4]);
    assert_eq!(found.plan().unwrap().transfer(), &B32);

    let small = packed(&[16, 64]);
    let any = Request::new(&small, 16, Source::rows(64), &B32);
    let found = any.widest(&chip::gfx950, &[8, 4, 2, 1]);
    let told: Vec<_> = found.refused().map(|tried| tried.to_string()).collect();
    assert_eq!(told, [8, 4].map(|waves| format!(
        "global_load_lds_b128 by {waves} waves: 2 chunks of 1024 bytes cannot be divided evenly among {waves} waves"
    )));
    assert_eq!(found.plan().map(|plan| (plan.waves(), plan.loads())), Some((2, 1)));

    // Single elements xor-ed: no width.
    let base = packed(&[128, 64]);
    let xor = Op::Xor { length0: 128, length1: 64 };
    let singles = base.transform(&[xor], &[&[0, 1]], &[&[0, 1]]).unwrap();
    let found =
        Request::new(&singles, 16, Source::rows(64), &B32).widest(&chip::gfx950, &[1, 2, 4]);
    assert!(found.plan().is_none());
    assert_eq!(found.count(), 15);

    // Two rows a chunk: blocked, the key changes from load to load; interleaved by 4 waves, it does not.
    let any = Request::new(&tile, 16, Source::rows(8192), &B32);
    let found = any.widest(&chip::gfx942, &[4]);
    let plan = found.plan().unwrap();
    assert!(plan.is_uniform());
    assert_eq!(plan.base(1, 0), 256);
}

/// In a kernel: a lane's coordinate by moved bits, each load by constants.
mod kernels {
    use super::*;
    use tiledesc::Tile;
    use tiledesc::direct::DirectLoads;
    use tiledesc::prelude::*;

    layout! {
        type Swizzled = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
        type Fmha = recipe::FmhaKAsyncLoad<F16, N<128>, K<32>, Warps<4>, Buffers<1>, Lit<4352>>;
        type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
        type Rows = recipe::RowMajor<F16, M<128>, K<96>>;
    }
    direct_load! { type Wide = Swizzled on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192 }
    direct_load! {
        type Narrow = Swizzled on gfx942: global_load_lds_b32 by 4 waves interleaved,
            from rows of multiples of 2
    }
    direct_load! {
        /// Pads between the chunks: linear in each.
        pub(super) type Async = Fmha on gfx942: global_load_lds_b32 by 4 waves interleaved, from rows of 32;
    }
    assert_direct_load! {
        Padded on gfx950: global_load_lds_b128 by 1 wave, from rows of 64, with idle lanes;
        Padded on sm_90: cp_async_b128 by 4 waves, from rows of (32 + 32)
    }

    /// Of rows that are not a power of two: no element is asked, or the constant would take the compiler
    /// so long that it refuses it (`long_running_const_eval`).
    const ROWS: DirectLoad<'_> = match Rows::direct(Source::rows(96), &B128).plan() {
        Ok(plan) => plan,
        Err(error) => error.refuse("rows of 96 halves"),
    };

    #[test]
    fn rows_of_96_halves() {
        // 128 rows of 192 bytes are 24 chunks of 1024; lane 12 begins row 1.
        assert_eq!((ROWS.loads(), ROWS.idle(), ROWS.is_linear()), (24, 0, false));
        assert_eq!(ROWS.unit(0, 0, 12).unwrap().coordinate().as_slice(), [1, 0]);
    }

    /// Every lane of every load, as the plan has it; how many are idle.
    fn assert_as_planned<T: DirectLoads>() -> u32 {
        let (plan, mut idle) = (T::PLAN.unwrap(), 0);
        for (wave, lane) in (0..plan.waves()).flat_map(|w| (0..64).map(move |lane| (w, lane))) {
            let mut load = 0;
            T::each(wave, lane, |lds, index: [u32; 2], valid| {
                assert_eq!(lds, plan.base(wave, load));
                let unit = plan.unit(wave, load, lane);
                assert_eq!(valid, unit.is_some(), "{wave} {load} {lane}");
                if let Some(unit) = unit {
                    assert_eq!(unit.coordinate().as_slice(), index, "{wave} {load} {lane}");
                }
                idle += u32::from(!valid);
                load += 1;
            });
            assert_eq!(load, plan.loads());
        }
        assert_eq!(idle, plan.idle());
        idle
    }

    layout! {
        type Short = recipe::RowMajor<F16, M<31>, K<32>>;
        type Half = recipe::GemmXor<F16, M<12>, K<64>, KPack<8>>;
        type Block = recipe::RowMajor<F16, M<126>, K<64>>;
        type Spread = recipe::RowPad<F16, M<32>, K<32>, Padding<32>>;
    }
    direct_load! {
        type LoadShort = Short on gfx950: global_load_lds_b128 by 1 wave, from rows of 4096, with idle lanes;
    }
    direct_load! {
        type LoadHalf = Half on gfx950: global_load_lds_b128 by 1 wave, from rows of 64, with idle lanes;
    }
    direct_load! {
        type LoadBlock = Block on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192, with idle lanes;
    }
    direct_load! {
        /// Four lanes of every eight are idle.
        type LoadSpread = Spread on gfx950: global_load_lds_b128 by 2 waves, from rows of 4096, with idle lanes;
    }

    /// What a kernel does with a load: its base, the coordinate that the lane reads, whether it loads.
    type Load<'a> = &'a mut dyn FnMut(u32, [u32; 2], bool);

    fn each<T: DirectLoads>(wave: u32, lane: u32, load: Load<'_>) {
        T::each(wave, lane, load);
    }

    fn each_step<T: DirectLoads>(wave: u32, lane: u32, load: Load<'_>) {
        let [row, column] = T::first(wave, lane);
        T::each_step(wave, lane, |base, [rows, columns], valid| {
            load(base, [row.wrapping_add(rows), column.wrapping_add(columns)], valid);
        });
    }

    /// Loads the tile into LDS byte by byte, a neighbour before it and one behind, from rows of `pitch` elements of
    /// which none lies past the last; the neighbours and all padding stay as they were.
    fn load_beside_neighbours<T: DirectLoads, L: Tile>(pitch: u32, each: fn(u32, u32, Load<'_>)) {
        const NEIGHBOUR: u8 = 0xee;
        const BEFORE: usize = 1024;
        let (plan, tile) = (T::PLAN.unwrap(), LayoutOf::<L>::PLAN);
        let (rows, columns) = (tile.lengths().at(0), tile.lengths().at(1));
        let (bytes, end) = (LayoutOf::<L>::BYTES as usize, 2 * (rows - 1) * pitch + 2 * columns);
        let source: Vec<u8> = (0..end).map(|byte| (byte * 7 + byte / 256) as u8 & 0x7f).collect();
        let data = plan.transfer().data() as usize;
        let (mut lds, mut loads) = (vec![NEIGHBOUR; BEFORE + bytes + 4096], 0);
        for (wave, lane) in (0..plan.waves()).flat_map(|w| (0..64).map(move |lane| (w, lane))) {
            each(wave, lane, &mut |base, [row, column], valid| {
                loads += 1;
                if valid {
                    let to = BEFORE + base as usize + data * lane as usize;
                    let from = 2 * (row * pitch + column) as usize;
                    lds[to..to + data].copy_from_slice(&source[from..from + data]);
                }
            });
        }
        assert_eq!(loads, plan.loads() * plan.waves() * 64);
        let mut wanted = vec![NEIGHBOUR; lds.len()];
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |k| (row, k))) {
            let to = BEFORE + 2 * tile.offset(&[row, column]).unwrap() as usize;
            let from = 2 * (row * pitch + column) as usize;
            wanted[to..to + 2].copy_from_slice(&source[from..from + 2]);
        }
        assert!(lds == wanted, "{rows}x{columns}");
    }

    layout! {
        type Odd = recipe::RowMajor<F16, M<61>, K<32>>;
        type Long = recipe::GemmXor<F16, M<61>, K<256>, KPack<8>>;
    }
    direct_load! {
        /// 3904 bytes are 976 dwords: 16 lanes of the sixteenth chunk.
        type LoadOdd = Odd on gfx942: global_load_lds_b32 by 4 waves interleaved, from rows of 100, with idle lanes;
    }
    direct_load! {
        /// Half of the last of 31 loads, each of which is an xor of the first.
        type LoadLong = Long on gfx950: global_load_lds_b128 by 1 wave, from rows of 512, with idle lanes;
    }

    layout! {
        type Chunks = recipe::GemmXor<F16, M<568>, K<64>, KPack<8>>;
        /// Of which an odd chunk is no xor of an even one, in all waves.
        type Halves = recipe::GemmXor64<F16, M<568>, K<64>, KPack<8>>;
    }
    direct_load! {
        /// 71 chunks by 8 waves: the last wave has one behind the tile.
        type LoadChunks = Chunks on gfx950: global_load_lds_b128 by 8 waves, from rows of 64, with idle lanes;
        type InTurns = Halves on gfx950: global_load_lds_b128 by 8 waves interleaved, from rows of 64, with idle lanes;
    }

    #[test]
    fn idle_chunks_load_nothing() {
        assert_eq!(assert_as_planned::<LoadChunks>(), 64);
        assert_eq!(assert_as_planned::<InTurns>(), 64);
        load_beside_neighbours::<LoadChunks, Chunks>(64, each::<LoadChunks>);
        load_beside_neighbours::<InTurns, Halves>(64, each::<InTurns>);
        load_beside_neighbours::<InTurns, Halves>(64, each_step::<InTurns>);
    }

    /// A tile at any origin in a tensor that ends within it: each element of the tensor arrives, and nothing else is written.
    fn load_at_the_edge<T: DirectLoads, L: Tile>(
        [rows, columns, pitch]: [u32; 3],
        origin: [u32; 2],
    ) {
        let (plan, tile) = (T::PLAN.unwrap(), LayoutOf::<L>::PLAN);
        let elements = plan.transfer().data() / 2;
        let view = Naive::rows(rows, columns).pitch(pitch).whole().unwrap();
        let mut lds = vec![u32::MAX; LayoutOf::<L>::BYTES as usize / 2 + 4096];
        for (wave, lane) in (0..plan.waves()).flat_map(|w| (0..64).map(move |lane| (w, lane))) {
            T::each_in(&view, origin, wave, lane, |base, offset, valid| {
                let to = base / 2 + elements * lane;
                for i in (0..elements).filter(|_| valid) {
                    lds[(to + i) as usize] = offset + i;
                }
                assert!(valid || offset == 0x7fff_0000);
            });
        }
        let lengths = tile.lengths();
        for (row, k) in (0..lengths.at(0)).flat_map(|row| (0..lengths.at(1)).map(move |k| (row, k)))
        {
            let [m, n] = [origin[0] + row, origin[1] + k];
            let wanted = if m < rows && n < columns { m * pitch + n } else { u32::MAX };
            let place = tile.offset(&[row, k]).unwrap() as usize;
            assert_eq!(core::mem::replace(&mut lds[place], u32::MAX), wanted, "{row} {k}");
        }
        assert!(lds.iter().all(|left| *left == u32::MAX));
    }

    #[test]
    fn tiles_at_the_edge() {
        direct_load! { type Open = Chunks on gfx950: global_load_lds_b128 by 8 waves, from rows of multiples of 8, with idle lanes; }
        direct_load! { type Narrow = Odd on gfx942: global_load_lds_b32 by 4 waves interleaved, from rows of multiples of 2, with idle lanes; }
        load_at_the_edge::<Open, Chunks>([1000, 200, 208], [568, 128]);
        load_at_the_edge::<Open, Chunks>([568, 64, 64], [0, 0]);
        load_at_the_edge::<Open, Chunks>([7, 8, 8], [0, 0]);
        load_at_the_edge::<Narrow, Odd>([100, 30, 32], [61, 0]);
    }

    #[test]
    fn idle_lanes_load_nothing() {
        assert_eq!(assert_as_planned::<LoadShort>(), 4);
        assert_eq!(assert_as_planned::<LoadHalf>(), 32);
        assert_eq!(assert_as_planned::<LoadBlock>(), 16);
        assert_eq!(assert_as_planned::<LoadSpread>(), 128);
        assert_eq!(assert_as_planned::<LoadOdd>(), 48);
        assert_eq!(assert_as_planned::<LoadLong>(), 32);
        // By the coordinate of each load, and by its steps from the first.
        load_beside_neighbours::<LoadShort, Short>(4096, each::<LoadShort>);
        load_beside_neighbours::<LoadShort, Short>(4096, each_step::<LoadShort>);
        load_beside_neighbours::<LoadHalf, Half>(64, each::<LoadHalf>);
        load_beside_neighbours::<LoadHalf, Half>(64, each_step::<LoadHalf>);
        load_beside_neighbours::<LoadBlock, Block>(8192, each::<LoadBlock>);
        load_beside_neighbours::<LoadBlock, Block>(8192, each_step::<LoadBlock>);
        load_beside_neighbours::<LoadSpread, Spread>(4096, each::<LoadSpread>);
        load_beside_neighbours::<LoadSpread, Spread>(4096, each_step::<LoadSpread>);
        load_beside_neighbours::<LoadOdd, Odd>(100, each::<LoadOdd>);
        load_beside_neighbours::<LoadOdd, Odd>(100, each_step::<LoadOdd>);
        load_beside_neighbours::<LoadLong, Long>(512, each::<LoadLong>);
        load_beside_neighbours::<Wide, Swizzled>(8192, each_step::<Wide>);
    }

    #[test]
    fn as_planned() {
        let idle = [assert_as_planned::<Wide>(), assert_as_planned::<Narrow>()];
        assert_eq!((idle, assert_as_planned::<Async>()), ([0; 2], 0));
        assert!(Wide::PLAN.unwrap().is_linear() && !Async::PLAN.unwrap().is_linear());
    }

    #[test]
    fn steps() {
        let mut steps = Vec::new();
        Wide::each_step(2, 0, |lds, [rows, columns], valid| {
            steps.push((lds, rows, columns, valid));
        });
        let wanted = [(8192, 0), (9216, 8), (10_240, 16), (11_264, 24)];
        assert_eq!(steps, wanted.map(|(lds, rows)| (lds, rows, 0, true)));
        assert_eq!(Wide::first(3, 63), [96 + 7, 0]);
    }
}

/// CK's asynchronous descriptors: a planner that knows only how rows are read finds the store view
/// that CK writes by hand.
mod ck {
    use super::*;
    use support::{Reading, Table, committed};

    /// The layout that a table describes, its first `rows` rows.
    fn layout(table: &Table, rows: u32) -> Plan {
        let plan = table.staged(Reading::AsDeclared).unwrap();
        let [all, columns] = plan.lengths().as_slice()[..] else { panic!("rows of columns") };
        if all == rows {
            return plan;
        }
        let slice = Op::Slice { low_length: all, begin: 0, end: rows };
        let pass = Op::PassThrough { length: columns };
        plan.transform(&[slice, pass], &[&[0], &[1]], &[&[0], &[1]]).unwrap()
    }

    /// Every lane of the plan writes where CK's store view has it, and reads what the load view
    /// has there.
    fn assert_is(plan: &DirectLoad<'_>, load: &Plan, store: impl Fn([u32; 3]) -> u32) {
        for (wave, issue, lane) in places(plan) {
            let lds = store([issue, wave, 2 * lane]);
            assert_eq!(plan.lds(wave, issue, lane), 2 * lds, "{wave} {issue} {lane}");
            let read = plan.unit(wave, issue, lane).unwrap().coordinate();
            assert_eq!(load.offset(read.as_slice()), Ok(lds));
        }
        assert!((0..plan.loads()).all(|load| plan.route(load).is_uniform()));
    }

    #[test]
    fn fmha_k() {
        let load = layout(&committed("fmha_k_async_load_n128_k32_w4_bufs2"), 128);
        let request =
            Request::new(&load, 16, Source::rows(32), &B32).waves(4).order(Order::Interleaved);
        let plan = planned(&request);
        assert_eq!((plan.loads(), plan.idle()), (8, 0));
        for (buffer, first) in [("b0", 0), ("b1", 4608)] {
            let store = committed(&format!("fmha_k_async_store_{buffer}_n128_k32_w4"));
            let offsets = store.offsets();
            assert_is(&plan, &load, |[issue, wave, x]| {
                offsets[((issue * 4 + wave) * 128 + x) as usize] - first
            });
        }
    }

    #[test]
    fn moe_a() {
        let table = committed("moe_a_load_m32_k64");
        let load = layout(&table, 32);
        let request =
            Request::new(&load, 16, Source::rows(64), &B32).waves(4).order(Order::Interleaved);
        let plan = planned(&request);
        // No table of the store view: the recipe, whose formula is FMHA's.
        let store = recipe::MoeAStore::<F16>([32, 64, 4]).unwrap();
        assert_is(&plan, &load, |at| store.offset(&at).unwrap());
    }

    #[test]
    fn gemm_async() {
        let load = layout(&committed("gemm_async_m128_k64_pack8"), 128);
        let with = |transfer| {
            let plan = Request::new(&load, 16, Source::rows(64), transfer).waves(4).plan();
            let plan = plan.unwrap();
            (plan.loads(), plan.lines(3, 1, 128).unwrap())
        };
        assert_eq!(with(&B32), (16, 2));
        assert_eq!(with(&B128), (4, 8));
    }
}

/// Random tiles, loaded lane by lane into an LDS of bytes. Layouts, sources and the rule itself are
/// written here a second time.
mod simulated {
    use super::*;
    use std::fmt;
    use support::fuzz::{Dice, cases};
    use tiledesc::List;

    /// Where a tile's elements lie: the plan, and the same as a formula.
    struct Tile {
        plan: Plan,
        at: Box<dyn Fn(u32, u32) -> u32>,
    }

    fn merged(base: &Plan, ops: &[Op], lower: &[&[u32]], upper: &[&[u32]]) -> Plan {
        base.transform(ops, lower, upper).unwrap()
    }

    /// A tile of rows and columns; an xor wants powers of two.
    fn tile(dice: &mut Dice, rows: u32, columns: u32) -> Tile {
        let pack = (1 << dice.below(4)).min(1 << columns.trailing_zeros());
        let chunks = columns / pack;
        let pitch = columns + dice.of(&[0, 0, 0, 2, 4, 8, 16, 64]);
        let merge = |a, b| Op::Merge { lengths: List::new(&[a, b]) };
        let pass = |length| Op::PassThrough { length };
        let kind = if columns.is_power_of_two() { dice.below(6) } else { dice.of(&[0, 1, 4, 6]) };
        match kind {
            0 => Tile {
                plan: naive(&[rows, columns], &[pitch, 1]),
                at: Box::new(move |r, c| r * pitch + c),
            },
            1 => Tile {
                plan: naive(&[rows, columns], &[1, rows]),
                at: Box::new(move |r, c| c * rows + r),
            },
            // Packs xor-ed with the row.
            2 => {
                let base = naive(&[rows, chunks, pack], &[pitch, pack, 1]);
                let xor = Op::Xor { length0: rows, length1: chunks };
                let all: &[&[u32]] = &[&[0, 1], &[2]];
                let base = merged(&base, &[xor, pass(pack)], all, all);
                let ops = [pass(rows), merge(chunks, pack)];
                let plan = merged(&base, &ops, &[&[0], &[1, 2]], &[&[0], &[1]]);
                let at = move |r, c| r * pitch + ((c / pack) ^ (r % chunks)) * pack + c % pack;
                Tile { plan, at: Box::new(at) }
            }
            // Rows in another order: their lower digit is the slower one.
            3 => {
                let b = (1 << dice.below(4)).min(rows);
                let a = rows / b;
                let base = naive(&[a, b, columns], &[b * pitch, pitch, 1]);
                let ops = [merge(b, a), pass(columns)];
                let plan = merged(&base, &ops, &[&[1, 0], &[2]], &[&[0], &[1]]);
                let at = move |r, c| (r % a) * b * pitch + (r / a) * pitch + c;
                Tile { plan, at: Box::new(at) }
            }
            // A pad behind groups of rows.
            4 => {
                let b = (1 << dice.below(6)).min(rows);
                let (a, gap) = (rows / b, b * columns + pitch - columns);
                let base = naive(&[a, b, columns], &[gap, columns, 1]);
                let ops = [merge(a, b), pass(columns)];
                let plan = merged(&base, &ops, &[&[0, 1], &[2]], &[&[0], &[1]]);
                let at = move |r, c| (r / b) * gap + (r % b) * columns + c;
                Tile { plan, at: Box::new(at) }
            }
            // Packs rotated by the row.
            6 => {
                let plan = recipe::RowShift::<F8>([rows, columns, pack]).unwrap();
                let at = move |r, c| r * columns + (c / pack + r) % chunks * pack + c % pack;
                Tile { plan, at: Box::new(at) }
            }
            // Several rows a line, xor-ed with the number of the line.
            _ => {
                let layers = (1 << dice.below(3)).min(rows);
                let (lines, long) = (rows / layers, layers * chunks);
                let base = naive(&[lines, long, pack], &[long * pack, pack, 1]);
                let xor = Op::Xor { length0: lines, length1: long };
                let all: &[&[u32]] = &[&[0, 1], &[2]];
                let base = merged(&base, &[xor, pass(pack)], all, all);
                let split = Op::Unmerge { lengths: List::new(&[layers, chunks]) };
                let ops = [pass(lines), split, pass(pack)];
                let base = merged(&base, &ops, &[&[0], &[1], &[2]], &[&[0], &[1, 2], &[3]]);
                let ops = [merge(lines, layers), merge(chunks, pack)];
                let plan = merged(&base, &ops, &[&[0, 1], &[2, 3]], &[&[0], &[1]]);
                let at = move |r: u32, c: u32| {
                    let line = r / layers;
                    let chunk = ((r % layers) * chunks + c / pack) ^ (line % long);
                    line * long * pack + chunk * pack + c % pack
                };
                Tile { plan, at: Box::new(at) }
            }
        }
    }

    /// The source byte that belongs at each byte of LDS, up to the end of the layout.
    type Image = Vec<Option<u64>>;

    #[derive(Debug)]
    struct Case {
        transfer: Transfer,
        waves: u32,
        order: Order,
        may_idle: bool,
    }

    impl Case {
        /// Loads and idle lanes by the rule, byte by byte; `None` if it cannot be.
        fn model(&self, image: &Image) -> Option<(u32, u32)> {
            let (data, wave) = (self.transfer.data() as usize, self.transfer.wave() as usize);
            let stride = self.transfer.stride().unwrap() as usize;
            let (mut from, mut chunks, mut idle) = (0, 0, 0);
            while let Some(base) = (from..image.len()).find(|byte| image[*byte].is_some()) {
                for lane in 0..wave {
                    let at = base + lane * stride;
                    let get = |byte: usize| image.get(at + byte).copied().flatten();
                    let held = (0..data).filter(|byte| get(*byte).is_some()).count();
                    let lost = (data..stride).any(|byte| get(byte).is_some())
                        || held == data && at + stride > image.len();
                    let first = get(0).unwrap_or(0);
                    let run = (0..data as u64).all(|byte| get(byte as usize) == Some(first + byte));
                    match held {
                        0 if self.may_idle => idle += 1,
                        n if n == data && run && first % data as u64 == 0 => {}
                        _ => return None,
                    }
                    let beyond = base >> self.transfer.bits_of_base() > 0;
                    if lost || beyond || base % stride > 0 || chunks as usize == DirectLoad::MOST {
                        return None;
                    }
                }
                (from, chunks) = (base + wave * stride, chunks + 1);
            }
            // What is behind the tile is idle as a whole.
            while self.may_idle && chunks % self.waves > 0 {
                if from >> self.transfer.bits_of_base() > 0 {
                    return None;
                }
                (from, chunks, idle) = (from + wave * stride, chunks + 1, idle + wave as u32);
            }
            (chunks % self.waves == 0).then_some((chunks / self.waves, idle))
        }

        /// Every byte once, no other; routes as they say.
        fn check(&self, plan: &DirectLoad<'_>, image: &Image, told: &dyn fmt::Debug) {
            let stride = self.transfer.stride().unwrap_or(self.transfer.data());
            let mut written: Image = vec![None; image.len()];
            let routes: Vec<_> = (0..plan.loads()).map(|load| plan.route(load)).collect();
            for (wave, load, lane) in places(plan) {
                let Some(source) = plan.source(wave, load, lane) else { continue };
                // What the hardware does: a base of the wave, and the lane.
                let lds = match self.transfer.stride() {
                    Some(stride) => plan.base(wave, load) + lane * stride,
                    None => plan.lds(wave, load, lane),
                };
                // A neighbour begins right behind.
                assert!((lds + stride) as usize <= image.len(), "{told:?}: behind the tile");
                for byte in 0..stride {
                    let is_data = byte < self.transfer.data();
                    let place = &mut written[(lds + byte) as usize];
                    assert_eq!(*place, None, "{told:?}: byte {} twice", lds + byte);
                    let here = image.get((lds + byte) as usize).copied().flatten();
                    assert!(is_data || here.is_none(), "{told:?}: byte {} lost", lds + byte);
                    *place = is_data.then(|| source + u64::from(byte));
                }
                let first = plan.source(wave, 0, lane);
                match routes[load as usize] {
                    SourceRoute::Uniform { bytes: Some(bytes), .. } => {
                        assert_eq!(
                            first.unwrap().checked_add_signed(bytes),
                            Some(source),
                            "{told:?}"
                        );
                    }
                    SourceRoute::Xor { bytes: Some(bytes), .. } => {
                        assert_eq!(first.unwrap() ^ bytes, source, "{told:?}");
                    }
                    _ => {}
                }
            }
            assert!(written == *image, "{told:?}: LDS is not the tile");
        }
    }

    #[test]
    fn random_tiles() {
        let mut dice = Dice(17);
        let (mut planned, mut refused) = (0, 0);
        for number in 0..cases("direct loads") {
            let (rows, columns) = (1 << (2 + dice.below(6)), 1 << (2 + dice.below(6)));
            let columns = columns * dice.of(&[1, 1, 1, 3, 5]);
            let bytes: u32 = dice.of(&[1, 2, 2, 4, 8]);
            let most = 32_768 / (columns * bytes);
            let rows = if rows > most { rows / 4 } else { rows };
            let tile = tile(&mut dice, rows, columns);
            let narrow = dice.one_in(8);
            let transfer = match dice.below(9) {
                0 if narrow => gfx942::global_load_lds_b8,
                1 if narrow => gfx942::global_load_lds_b16,
                2 if bytes < 8 => gfx950::global_load_lds_b96,
                3 => sm_80::cp_async_b128,
                4 => gfx1250::global_load_async_to_lds_b64,
                5 | 6 => B128,
                _ => B32,
            };
            let case = Case {
                transfer,
                waves: dice.of(&[1, 1, 2, 4]),
                order: dice.of(&[Order::Blocked, Order::Interleaved]),
                may_idle: dice.one_in(3),
            };
            let pitch = columns + dice.of(&[0, 0, 8, 16, 64, 1]);
            let by_columns = dice.one_in(4);
            let at = move |r: u32, c: u32| if by_columns { c * rows + r } else { r * pitch + c };
            let source = if by_columns {
                Source::strided(&[Stride::Of(1), Stride::Of(rows)]).unwrap()
            } else {
                Source::rows(pitch)
            };
            let mut image: Image = Vec::new();
            for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                let place = (tile.at)(r, c) as usize * bytes as usize;
                image.resize(image.len().max(place + bytes as usize), None);
                for byte in 0..bytes as usize {
                    image[place + byte] = Some((at(r, c) * bytes) as u64 + byte as u64);
                }
            }
            let space = tile.plan.element_space() as usize * bytes as usize;
            image.resize(image.len().max(space), None);
            let mut request = Request::new(&tile.plan, 8 * bytes, source, &transfer)
                .waves(case.waves)
                .order(case.order);
            if case.may_idle {
                request = request.idle_lanes();
            }
            let told = (number, rows, columns, bytes, pitch, by_columns, &case);
            let found = request.plan();
            // The model knows no chip's memory, and no units.
            let is_beyond_the_model =
                matches!(found, Err(DirectError::Units { .. } | DirectError::Memory { .. }));
            if let Err(DirectError::Memory { bytes, memory, .. }) = found {
                assert!(bytes > memory.into(), "{told:?}: {bytes} bytes of {memory}");
            }
            if transfer.stride().is_some() && !is_beyond_the_model {
                let ours = found.as_ref().ok().map(|plan| (plan.loads(), plan.idle()));
                assert_eq!(ours, case.model(&image), "{told:?}: {:?}", found.err());
            }
            match request.plan() {
                Ok(plan) => {
                    case.check(&plan, &image, &told);
                    planned += 1;
                }
                Err(_) => refused += 1,
            }
        }
        println!("{planned} planned, {refused} refused");
        assert!(planned > refused / 4, "{planned} planned, {refused} refused");
    }
}
