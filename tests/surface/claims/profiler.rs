//! rocprof-compute's tutorial.

use tiledesc::chip::gfx90a::ds_read_b32;
use tiledesc::{access::Addresses, bank::conflicts};
use tiledesc_host::counters::Lds;

/// Work-items 0 to n - 1, of which each reads the dword `stride` times its number.
fn kernel(n: u32, stride: u32) -> Lds {
    (0..n).step_by(64).fold(Lds::default(), |sum, first| {
        let item = |lane| (first + lane < n).then_some(4 * stride * (first + lane));
        sum.plus(Lds::of_one(&conflicts(&Addresses::from_fn(item), &ds_read_b32).unwrap()))
    })
}

#[test]
fn the_bandwidth_is_of_whole_waves() {
    let bytes = [1, 2, 64, 65, 128, 129, 256].map(|n| kernel(n, 1).theoretical_bytes());
    assert_eq!(bytes, [256, 256, 256, 512, 512, 768, 1024]);
    // What the kernel needs is 4 bytes a work-item: of the metric, 1.6 % at N = 1 and all at N = 64.
    assert_eq!(
        (kernel(1, 1).theoretical_bytes(), kernel(64, 1).theoretical_bytes()),
        (64 * 4, 64 * 4)
    );
}

#[test]
fn the_33rd_work_item_is_no_conflict() {
    let counters = |n| (kernel(n, 32).idx_active, kernel(n, 32).bank_conflict);
    assert_eq!([1, 2, 3, 20].map(counters), [(2, 0), (3, 1), (4, 2), (21, 19)]);
    assert_eq!([31, 32, 33, 34].map(counters), [(32, 30), (33, 31), (33, 31), (34, 32)]);
    // The gap is what no conflict can change: one cycle a phase, two phases a wave.
    let gaps = [1, 64, 65, 128, 129, 256].map(|n| counters(n).0 - counters(n).1);
    assert_eq!(gaps, [2, 2, 4, 4, 6, 8]);
}

#[test]
fn the_rate_is_out_of_31_32nds() {
    use tiledesc::chip::gfx90a::{ds_read_b64, ds_read_b128};

    // 64 work-items, all in one bank.
    let wave = Addresses::from_fn(|lane| Some(128 * lane));
    let all = [ds_read_b32, ds_read_b64, ds_read_b128]
        .map(|row| Lds::of_one(&conflicts(&wave, &row).unwrap()));
    assert_eq!(all.map(|lds| lds.conflict_rate()), [Some(96.875), Some(46.875), Some(21.875)]);
    assert_eq!(all.map(|lds| lds.idx_active), [64, 64, 64]);
}

#[test]
fn wide_reads_of_gfx950_get_256_bytes() -> Result<(), tiledesc::chip::ChipError> {
    use tiledesc::chip::{find, gfx950};

    let per_cycle = |chip: &str, name: &str| -> u32 {
        let row = find(chip).unwrap().instruction(name).unwrap();
        let service = row.service();
        service.phases.lanes(0).len() as u32 * row.bytes()
    };
    assert_eq!(
        ["ds_read_b32", "ds_read_b64", "ds_read_b128"].map(|name| per_cycle("gfx90a", name)),
        [128; 3]
    );
    assert_eq!(
        ["ds_read_b32", "ds_read_b64", "ds_read_b128"].map(|name| per_cycle("gfx950", name)),
        [128, 256, 256]
    );
    assert_eq!(gfx950.instruction("ds_write_b128")?.service().banks, 32);
    Ok(())
}

#[test]
fn the_store_would_be_past_the_end() -> Result<(), tiledesc::Error> {
    use tiledesc::Plan;

    let array = Plan::naive(&[256], &[1])?;
    assert_eq!(array.offset(&[255]), Ok(255));
    assert!(array.offset(&[256]).is_err());
    let past = (0..256i32).find(|item| 256 - 32 * item < 0);
    assert_eq!(past, Some(9));
    Ok(())
}

#[test]
fn a_pad_or_a_swizzle_frees_it() {
    use tiledesc::prelude::*;

    layout! {
        type Tutorial = recipe::RowMajor<F32, M<256>, K<32>>;      // 32 KiB, as the tutorial says
        type Padded = recipe::RowPad<F32, M<256>, K<32>, Padding<1>>;
        type Swizzled = recipe::XorPreshuffle<F32, M<256>, K<32>, KPack<1>>;
    }
    assert_eq!((Tutorial::BYTES, Tutorial::degree::<Column>(&ds_read_b32)), (32 * 1024, 32));
    assert_conflict_free! {
        Padded on gfx90a as measured: read ds_read_b32 by Column;
        Swizzled on gfx90a as measured: read ds_read_b32 by Column
    }
    assert_eq!((Padded::BYTES - Tutorial::BYTES, Swizzled::BYTES - Tutorial::BYTES), (255 * 4, 0));
}
