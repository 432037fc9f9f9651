//! A pattern that does not fit its layout is refused, in the sentences that the book's table has
//! (`docs/src/verdicts.md`).

use tiledesc::chip::{gfx942::*, gfx950, gfx1250};
use tiledesc::prelude::*;

descriptor! {
    type Rows100: packed [100, 64]; right_pad[100, 28] (0) -> (0), pass[64] (1) -> (1);
}
layout! {
    type Small = recipe::RowMajor<F16, M<8>, K<64>>;
    type Torn = recipe::GemmXor<F16, M<128>, K<64>, KPack<4>>;
    type Askew = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>;
    type Fp6 = recipe::RowMajor<F6, M<128>, K<128>>;
}
layout! {
    type Ends = Layout<F16, Rows100>;
    type Floats = recipe::RowMajor<F32, M<64>, K<64>>;
    type Large = recipe::RowMajor<F32, M<512>, K<64>>;
    type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}
pattern! {
    Half(lane) => [lane, 0] if lane < 32;
    Below(lane) => [64 + lane, 0];
    FirstOnly(lane, step in 2) => [lane % 16, lane / 16 * 8] if step == 0;
}

/// The book's page, its lines joined.
fn page() -> String {
    let path = support::root().join("docs/src/verdicts.md");
    let text = std::fs::read_to_string(path).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Rows of 76 bytes: what a transposed load of 8 bytes takes by half a wave at a time, under the name of that row.
#[test]
fn a_row_for_less_alignment_is_named_and_taken() {
    layout! { type Askew = recipe::RowPad<F8, M<32>, K<64>, Padding<12>>; }
    check_conflict_free! { Askew on gfx1250: read ds_load_tr8_b64_align4 by MfmaRows<16> }
    let refusal = Askew::verdict::<MfmaRows<16>>(&gfx1250::ds_load_tr8_b64).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "byte 76 of lane 1 is not aligned to 8; `ds_load_tr8_b64_align4` takes multiples of 4",
    );
    // 16 rows of 19 dwords, two dwords of each: no two in one of 64 banks. Eight instructions.
    let verdict = Askew::verdict::<MfmaRows<16>>(&gfx1250::ds_load_tr8_b64_align4).unwrap();
    assert_eq!((verdict.degree(), verdict.base_cycles()), (1, 16));
}

macro_rules! misfits {
    ($($Layout:ident $Pattern:ty, $row:expr => $says:literal;)*) => {
        #[test]
        fn the_table_has_the_sentences() {
            let page = page();
            $(
                assert_eq!($Layout::verdict::<$Pattern>(&$row).unwrap_err().to_string(), $says);
                assert!(page.contains($says), "the page lacks: {}", $says);
            )*
        }
    };
}
misfits! {
    Small MfmaRows<16>, ds_read_b128 => "lane 8 would touch (8, 0), outside the tile of [8, 64]: dimension 0 needs a length of 16 or more";
    Torn MfmaRows<16>, ds_read_b128 => "the 8 elements of lane 1 from (1, 0) on are not \
        contiguous: the vector length along dimension 1 is 4";
    Askew MfmaRows<16>, ds_read_b128 => "byte 136 of lane 1 is not aligned to 16; some hardware accepts that, but \
        no source says at what cost";
    Fp6 MfmaRows<16>, ds_read_b128 => "a lane moves 128 bits, which is not a multiple of an element's 6";
    Ends Below, ds_read_b128 => "lane 36 would touch (100, 0), which is padding";
    Floats First<RowMajor>, ds_read2st64_b32.offsets(0, 255) =>
        "lane 0 would touch byte 65283, outside the layout's 16384 bytes";
    Large MfmaRows<16>, ds_read_b128 => "the layout takes 131072 bytes, but a block has 65536";
    ABlock Half, gfx950::ds_read_b64_tr_b16 =>
        "lane 32 is inactive, but the instruction needs all lanes";
    ABlock FirstOnly, ds_read_b128 => "no lane is active in instruction 1 of the pattern's 2, so \
        nothing of it would be checked";
    Floats RowMajor, ds_read2_b32 => "`ds_read2_b32` has two addresses: write `ds_read2_b32(0, D)` \
        with the distance D in units of 4 bytes (of a row: `.offsets(0, D)`)";
}
