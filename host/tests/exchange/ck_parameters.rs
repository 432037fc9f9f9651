//! CK's parameters, recovered from every layout that has them.

use tiledesc::Op;
use tiledesc::prelude::*;
use tiledesc_host::exchange::ck::{self, Parameters};

#[test]
fn every_recipe_is_recognised() {
    let mut found = 0;
    for (m, k) in [(16, 16), (64, 16), (64, 32), (128, 64), (32, 128), (256, 32)] {
        for (pack, layers) in (0..8).flat_map(|p| (0..4).map(move |l| (1 << p, 1 << l))) {
            let Ok(plan) = recipe::gemm_xor(m, k, pack, layers) else { continue };
            let said = ck::parameters(&plan).unwrap().unwrap();
            // Several parameters may mean one layout; then any of them is right.
            let again = recipe::gemm_xor(m, k, said.pack, said.layers).unwrap();
            assert_eq!(again.linear(), plan.linear(), "{m}x{k}, {pack}, {layers}: {said:?}");
            assert!(said.pack >= pack, "{m}x{k}, {pack}, {layers}: {said:?}");
            found += 1;
        }
    }
    assert!(found > 100, "{found}");
}

#[test]
fn layouts_without_parameters() {
    let backward =
        <recipe::FmhaBwdX<F16, recipe::MN<128>, recipe::K<32>, KPack<8>, KIter<1>>>::PLAN;
    assert_eq!(ck::parameters(&backward), Ok(None));
    let cube = Plan::packed(&[4, 4, 4]).unwrap();
    assert!(ck::parameters(&cube).is_err());
    let padded = Plan::naive(&[128, 64], &[72, 1]).unwrap();
    assert!(ck::parameters(&padded).is_err());
    let layered = <recipe::GemmXor64<F16, recipe::M<128>, recipe::K<64>, KPack<8>>>::PLAN;
    assert_eq!(ck::parameters(&layered), Ok(Some(Parameters { pack: 8, layers: 2 })));
}

/// A dimension of one element has one index, whatever its function is.
#[test]
fn functors_of_one_element() {
    let row = Plan::packed(&[4, 64]).unwrap();
    let ops = |at: &'static [u32]| [Op::Functor { table: at }, Op::PassThrough { length: 64 }];
    let picked = |at| row.transform(&ops(at), &[&[0], &[1]], &[&[0], &[1]]).unwrap();
    assert_eq!(ck::parameters(&picked(&[0])), Ok(Some(Parameters { pack: 64, layers: 1 })));
    // Row 3 is linear, from 192 on, and no recipe begins there.
    let map = picked(&[3]).linear().unwrap();
    assert_eq!((map.inputs(), map.constant(), map.apply(17)), (6, 192, 209));
    assert_eq!(ck::parameters(&picked(&[3])), Ok(None));
    assert!(picked(&[3, 0]).linear().is_err());
}
