//! Notes on TMA's swizzle.

#[test]
fn the_transposition() {
    use tiledesc::chip::sm_90::{st_shared_b32, st_shared_b128};
    use tiledesc::prelude::*;
    use tiledesc_host::counters::Ncu;

    layout! {
        type Plain = recipe::RowMajor<I32, M<32>, K<32>>;
        type Padded = recipe::RowPad<I32, M<32>, K<32>, Padding<1>>;
    }
    let store = Plain::verdict::<First<Column>>(&st_shared_b32).unwrap();
    assert_eq!((store.degree(), Padded::degree::<Column>(&st_shared_b32)), (32, 1));
    let kernel = Ncu::from_verdict(&store).times(2048 * 32);
    assert_eq!((kernel.wavefronts, kernel.excessive()), (2_097_152, 2_031_616));
    // 4 ints a lane, 8 lanes a row.
    pattern! { Vectors(lane) => [lane / 8, lane % 8 * 4]; }
    assert_eq!(
        Padded::verdict::<Vectors>(&st_shared_b128).unwrap_err().to_string(),
        "byte 132 of lane 8 is not aligned to 16; some hardware accepts that, but no source says at what cost",
    );
}

#[test]
fn a_pad_of_one_vector() {
    use tiledesc::chip::{gfx942, sm_90::ldmatrix_x4};
    use tiledesc::prelude::*;

    layout! {
        type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
        type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;       // one vector more
    }
    let phases = ldmatrix_x4.service().phases;
    assert_eq!((phases.count(), phases.lanes(1)), (4, &[8, 9, 10, 11, 12, 13, 14, 15][..]));
    let rows = Rows::degree::<LdmatrixRows<16>>(&ldmatrix_x4);
    assert_eq!((rows, Padded::degree::<LdmatrixRows<16>>(&ldmatrix_x4)), (8, 1));
    // AMD serves lanes 0 to 3 with 20 to 23, and the same pad is not enough.
    assert_eq!(Padded::degree::<MfmaRows<16>>(&gfx942::ds_read_b128), 2);
}

#[test]
fn the_masks_keep_rows() {
    use tiledesc_host::exchange::cute::Swizzle;

    let swizzle = Swizzle::new(3, 0, 3).unwrap();
    let row = |y: u32| -> Vec<u32> { (0..8).map(|x| swizzle.apply(8 * y + x) % 8).collect() };
    assert_eq!(row(1), [1, 0, 3, 2, 5, 4, 7, 6]);
    assert_eq!(row(6), [6, 7, 4, 5, 2, 3, 0, 1]);
    assert!((0..64).all(|i| swizzle.apply(i) / 8 == i / 8)); // nobody leaves the row
}

#[test]
fn the_formula() {
    use tiledesc_host::exchange::tma::Mode;

    let formula = |span: u32, y: u32, x: u32| {
        let (nx, size) = (span / 2, 2);
        let i16 = (y * nx + x) * size / 16;
        let swizzled = (i16 / 8) ^ (i16 % 8);
        (swizzled, (y * nx + swizzled * 16 / size % nx + x % (16 / size)) * size)
    };
    let engine = |mode: Mode, byte: u32| mode.address(0, byte).unwrap();
    for (mode, span) in [(Mode::B32, 32), (Mode::B64, 64), (Mode::B128, 128)] {
        for (y, x) in (0..64).flat_map(|y| (0..span / 2).map(move |x| (y, x))) {
            assert_eq!(
                formula(span, y, x).1,
                engine(mode, (y * span / 2 + x) * 2),
                "{mode:?} {y} {x}"
            );
        }
    }
    // The chunk's column by itself: in row 8 of 128 bytes, column 0 would be column 8.
    assert_eq!((formula(128, 7, 0).0, formula(128, 8, 0).0), (7, 8));
    // With rows of 64 bytes, lines are two rows: `y16` is 4 in row 8, and the element stays in row 8.
    assert_eq!(engine(Mode::B64, 8 * 64) / 64, 8);
    // Bit 6, the half of a line, is never changed by the mode of 64 bytes.
    assert!((0..4096).all(|byte| engine(Mode::B64, byte) & 64 == byte & 64));
}

#[test]
fn the_example_of_the_book_lies_where_the_recipe_has_it() {
    use tiledesc::prelude::*;
    use tiledesc_host::exchange::tma::Mode;

    layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    let tile = Mode::B128.tile(128, 16).unwrap().plan().unwrap();
    assert_eq!((tile.offset(&[3, 17]), ABlock::offset([3, 17])), (Ok(201), 201));
    assert!((0..128).all(|m| (0..64).all(|k| tile.offset(&[m, k]) == Ok(ABlock::at([m, k])))));
}

#[test]
fn one_column_of_chunks_is_free() {
    use tiledesc::access::Placed;
    use tiledesc::chip::sm_90::{ld_shared_b128, ldmatrix_x4};
    use tiledesc::pattern::Lanes;
    use tiledesc_host::exchange::tma::Mode;

    let degree = |mode: Mode| {
        let plan = mode.tile(64, 16).unwrap().plan().unwrap();
        Placed::new(&plan, 16, Lanes::rows(8), &ld_shared_b128).unwrap().verdict().unwrap().degree()
    };
    // Lane l reads row l % 8 and chunk l / 8; a tile of 64 bytes has the four chunks that 32 lanes read.
    assert_eq!([Mode::B64, Mode::B128].map(degree), [1, 1]);
    assert_eq!(ldmatrix_x4.service().phases.count(), 4);
}

#[test]
fn the_base_shifts_the_pattern() {
    use tiledesc_host::exchange::tma::Mode;

    let swizzle = Mode::B128.swizzle().unwrap();
    let (base, byte) = (512, 3 * 128 + 2 * 16);
    assert_eq!(swizzle.apply(byte), 3 * 128 + 16);
    assert_eq!(swizzle.apply(base + byte) - base, 3 * 128 + (2 ^ 7) * 16);
    assert_eq!(
        Mode::B128.address(base, byte).unwrap_err().to_string(),
        "SWIZZLE_128B: a tile at byte 512 would be stored with the pattern shifted: \
         its base must be a multiple of 1024",
    );
}
