//! The machine under the kernels: waves of 64 lanes, and a matrix instruction. Nothing
//! here is the kernel author's work; it is what the hardware does.

/// Lanes of a wave.
pub(crate) const LANES: u32 = 64;

/// Accumulators of one matrix instruction: lane, register. 32x32 has 16 registers, 16x16 four.
pub(crate) type Accumulators = [[f32; 16]; LANES as usize];

/// Accumulators of 0.
pub(crate) const NOTHING: Accumulators = [[0.0; 16]; LANES as usize];

/// `v_mfma_f32_RxRxK` with `pack` elements of A and B a lane, K = pack * 64 / R.
///
/// ```text
///   A, B   lane l holds row l % R, k = pack * (l / R) ..
///   C      lane l holds column l % R; register r is row 4 * (64 / R) * (r / 4) + 4 * (l / R) + r % 4
/// ```
///
/// CK Tile's tables `dist_mfma_f16_*_C` in `tests/golden/ck_tile` are the source, and the test below.
pub(crate) fn mfma(rows: u32, a: &[Vec<f32>], b: &[Vec<f32>], c: &mut Accumulators) {
    for lane in 0..LANES {
        for register in 0..rows * rows / LANES {
            let [m, n] = place_of_c(rows, lane, register);
            // The lanes that hold row m of A and row n of B, one for each part of k.
            let parts = (0..LANES / rows).map(|part| [part * rows + m, part * rows + n]);
            let products = parts.flat_map(|[of_a, of_b]| {
                a[of_a as usize].iter().zip(&b[of_b as usize]).map(|(a, b)| a * b)
            });
            c[lane as usize][register as usize] += products.sum::<f32>();
        }
    }
}

/// Row and column of the product that a lane's register holds.
fn place_of_c(rows: u32, lane: u32, register: u32) -> [u32; 2] {
    let (part, group) = (lane / rows, register % 4);
    [register / 4 * (4 * LANES / rows) + part * 4 + group, lane % rows]
}

/// CK Tile's own tables of the C map: lane by lane, register by register.
#[test]
fn c_is_where_ck_has_it() {
    for (rows, name) in [(32, "dist_mfma_f16_32x32x8_C"), (16, "dist_mfma_f16_16x16x16_C")] {
        let file = support::root().join(format!("tests/golden/ck_tile/{name}.json"));
        let table = std::fs::read_to_string(file).unwrap();
        let table: serde_json::Value = serde_json::from_str(&table).unwrap();
        let expected = table["x_index"].as_array().unwrap().iter().map(|x| x.as_u64().unwrap());
        let registers = |lane| (0..rows * rows / LANES).map(move |r| place_of_c(rows, lane, r));
        let found = (0..LANES).flat_map(registers).flatten().map(u64::from);
        assert!(expected.eq(found), "{name}");
    }
}
