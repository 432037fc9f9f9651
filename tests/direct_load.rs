//! Direct loads: the figures that are known, refusals with their numbers, and lanes simulated.

use tiledesc::chip::{self, Transfer, gfx90a, gfx942, gfx950, gfx1250, sm_80};
use tiledesc::direct::{DirectError, DirectLoad, Order, Request, Source, SourceRoute, Stride};
use tiledesc::{F16, Op, Plan, recipe};

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
    assert_eq!(refused(&request), "the last chunk has 1 of 64 lanes");
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
    let (spread, source) = (naive(&[64], &[4]), packed(&[64]));
    assert_eq!(planned(&Request::new(&spread, 8, Source::view(&source), &narrow)).loads(), 1);

    let three = gfx950::global_load_lds_b96;
    let (pitched, dense) = (naive(&[64, 3], &[4, 1]), packed(&[64, 3]));
    assert_eq!(planned(&Request::new(&pitched, 32, Source::rows(3), &three)).loads(), 1);
    assert_eq!(
        refused(&Request::new(&dense, 32, Source::rows(3), &three)),
        "a lane writes 16 bytes for 12 of data, and byte 12 of LDS belongs to (1, 0)"
    );
    assert_eq!(
        refused(&Request::new(&dense, 64, Source::rows(3), &three)),
        "12 bytes are no whole number of 8-byte elements, nor the other way"
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
    assert_eq!(refused(&of(4)), "the source of (1, 8) can be byte 8, not aligned to 16");
}

#[test]
fn pads() {
    let rows = naive(&[128, 64], &[72, 1]);
    let request = Request::new(&rows, 16, Source::rows(64), &B128);
    let padding = "the chunk at byte 0: lane 8 would write bytes 128 to 143, which are padding (pad \
                   behind multiples of 1024 bytes, or allow idle lanes)";
    assert_eq!(refused(&request.waves(4)), padding);
    let plan = planned(&request.idle_lanes());
    assert_eq!((plan.loads(), plan.idle()), (18, 128));
    assert_eq!(
        refused(&request.waves(4).idle_lanes()),
        "18 chunks of 1024 bytes are no whole number for 4 waves"
    );

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
        "the source of (1, 0) is byte 130, not aligned to 4"
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
        "2 chunks of 1024 bytes are no whole number for 4 waves"
    );
    assert_eq!(planned(&request.waves(2)).loads(), 1);
    assert_eq!(refused(&request.waves(0)), "0 waves load nothing");

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
fn layers() {
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
    assert_eq!(refused(&request), "the last chunk has 12 of 32 lanes");
    assert_eq!(planned(&request.idle_lanes()).idle(), 20);
    // A column-major source: units lie along its columns.
    let columns = Source::strided(&[Stride::Of(1), Stride::Of(128)]).unwrap();
    let plan = planned(&Request::new(&transposed, 16, columns, &sm_80::cp_async_b128).waves(4));
    assert_eq!(plan.unit(0, 0, 1).unwrap().coordinate().as_slice(), [8, 0]);
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
            assert_eq!(row.evidence().0, tiledesc::Evidence::Documented);
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
}
