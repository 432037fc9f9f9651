//! What only a build sees, the compiler says on the user's line: a mistake in a kernel that is generic over its tile.
//!
//! `cargo check` makes no code and passes these kernels. For each function of the library that a kernel calls there is
//! one with a mistake: the compiler reports it once, in a sentence, and the note after it names the line of the call.
//! All are modules of one program, which is built once. What a build cannot see, swapped wave and lane, a debug build
//! says when it runs.

use super::scratch::Scratch;
use core::fmt::Write;
use core::ops::Range;
use serde_json::Value;

/// What all kernels use.
const PRELUDE: &str = "
#![allow(dead_code, unused_imports)]
use std::hint::black_box;
use tiledesc::chip::{Gfx942, Target};
use tiledesc::direct::DirectLoads;
use tiledesc::distribution::{Distribution, ThreadRaked, exchange};
use tiledesc::matrix::mfma;
use tiledesc::prelude::*;
use tiledesc::storage::Buffered;
use tiledesc::warp_gemm;

distribution! {
    type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    type FetchT: m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (half, again);
    type Tail<M>: m [again 4, row 64] of M, k [half 8]; lane (row), thread (again, half);
    type Thrice: m [thrice 3, row 16], k [chunk 4, half 8]; lane (row, chunk), thread (thrice, half);
    type ThriceT: m [thrice 3, chunk 2, half 8], k [column 32]; lane (chunk, column), thread (thrice, half);
}
/// Half of its second dimension is owned by nobody.
type Lost = Encoded<seq![], lists![[32], [2, 4]], lists![[2, 1]], lists![[0, 0]], seq![], seq![]>;
layout! {
    type Half = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;
    type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    type Wide = recipe::GemmXor<F16, M<64>, K<256>, KPack<8>>;
    type Folded = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>;
    /// Rows of 64, 48 apart.
    type Short<N> = Layout<F16, Naive<seq![N, 64], seq![48, 1]>>;
    type Tile<const M: usize, const K: usize> = recipe::GemmXor<F16, M<M>, K<K>, KPack<8>>;
}
direct_load! { type LoadBlock = Block on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192; }
direct_load! { type LoadOn<C: Target, K: Number> = recipe::RowMajor<F16, U128, K> on C: global_load_lds_b128 by 4 waves, from rows of 8192; }
convert! { type Odd<C: Target> = F16 [48, 32] on C: type StoreOdd from Thrice, type LoadOdd to ThriceT; at most 72 cycles; }
direct_load! { type LoadSlices = Folded on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192; }
direct_load! { type LoadWide = Wide on gfx950: global_load_lds_b128 by 1 wave, from rows of 8192; }
";

/// A kernel with a mistake in its call of the library, and what the compiler says.
struct Attempt {
    name: &'static str,
    /// The parameters of the kernel, its arguments, and its body: the line that the compiler is to name.
    kernel: [&'static str; 3],
    /// The instance and the arguments of its call.
    call: &'static str,
    says: &'static str,
}

const SWIZZLE: &str = "xor: length 6 of dimension 0 is not a power of two";
const SHARED: &str = "not injective: coordinates (0, 48) and (1, 0) share offset 48";
const TILE: &str = "the distribution covers a tile of [128, 64], but the layout's tile is [64, 64]";
const WIDTH: &str = "a lane touches 1, 2, 4, 8, 12 or 16 bytes";
const HELD: &str = "a lane moves 16 elements but holds only 8 contiguous ones along k";
const RANK: &str = "3 indices of a distribution of 2 dimensions";
const LOADED: &str = "the tile has 2 dimensions, not 3";

/// No two of them ask the same constant, which the compiler reports once.
#[rustfmt::skip]
const ATTEMPTS: &[Attempt] = &[
    Attempt { name: "layout_at", kernel: ["const K: usize", "m: u32, k: u32", "black_box(Tile::<100, K>::at([m, k]));"], call: "<48>(1, 2)", says: SWIZZLE },
    Attempt { name: "layout_byte_at", kernel: ["const K: usize", "m: u32, k: u32", "black_box(Tile::<100, K>::byte_at([m, k]));"], call: "<48>(1, 2)", says: SWIZZLE },
    Attempt { name: "layout_coordinate", kernel: ["const K: usize", "m: u32, k: u32", "black_box(Tile::<100, K>::coordinate([m, k]).offset());"], call: "<48>(1, 2)", says: SWIZZLE },
    Attempt { name: "layout_of_a_tile", kernel: ["T: RankedTile<2>", "m: u32, k: u32", "black_box(LayoutOf::<T>::at([m, k]));"], call: "<Tile<104, 48>>(1, 2)", says: SWIZZLE },
    Attempt { name: "overlap_at", kernel: ["N: Number", "m: u32, k: u32", "black_box(Short::<N>::at([m, k]));"], call: "<U128>(1, 2)", says: SHARED },
    Attempt { name: "overlap_byte_at", kernel: ["N: Number", "m: u32, k: u32", "black_box(Short::<N>::byte_at([m, k]));"], call: "<U128>(1, 2)", says: SHARED },
    Attempt { name: "overlap_coordinate", kernel: ["N: Number", "m: u32, k: u32", "black_box(Short::<N>::coordinate([m, k]).offset());"], call: "<U128>(1, 2)", says: SHARED },
    Attempt { name: "accesses_each", kernel: ["P: Number", "wave: u32, lane: u32", "Accesses::<Fetch, Half, P>::each(wave, lane, |a, b, c, d| { black_box((a, b, c, d)); });"], call: "<VectorSize<8>>(1, 2)", says: TILE },
    Attempt { name: "accesses_of_too_many", kernel: ["P: Number", "wave: u32, lane: u32", "Accesses::<Fetch, Block, P>::each(wave, lane, |a, b, c, d| { black_box((a, b, c, d)); });"], call: "<VectorSize<16>>(1, 2)", says: WIDTH },
    Attempt { name: "accesses_of_a_layout_that_cannot_be", kernel: ["const K: usize", "wave: u32, lane: u32", "Accesses::<Fetch, Tile<128, K>, U8>::each(wave, lane, |a, b, c, d| { black_box((a, b, c, d)); });"], call: "<48>(1, 2)", says: SWIZZLE },
    Attempt { name: "accesses_of_no_distribution", kernel: ["T: Distribution", "wave: u32, lane: u32", "Accesses::<T, Block, U8>::each(wave, lane, |a, b, c, d| { black_box((a, b, c, d)); });"], call: "<Lost>(1, 2)", says: "has no owner" },
    Attempt { name: "accesses_each_snake", kernel: ["P: Number", "wave: u32, lane: u32", "Accesses::<Fetch, Half, P>::each_snake(wave, lane, |a, b, c, d| { black_box((a, b, c, d)); });"], call: "<VectorSize<8>>(1, 2)", says: TILE },
    Attempt { name: "accesses_each_from", kernel: ["const N: usize", "wave: u32, lane: u32", "Accesses::<Fetch, Block, U8>::each_from(wave, lane, &[0u16; 32], |at, held: &[u16; N]| { black_box((at, held)); });"], call: "<4>(1, 2)", says: "the closure takes 4 elements, but an access moves 8" },
    Attempt { name: "accesses_each_into", kernel: ["const N: usize", "wave: u32, lane: u32", "Accesses::<Fetch, Block, U8>::each_into(wave, lane, &mut [0u16; N], |at, held: &mut [u16; 8]| { black_box((at, held)); });"], call: "<16>(1, 2)", says: "the array has 16 elements, but a lane holds 32" },
    Attempt { name: "window_each_from", kernel: ["const N: usize", "window: &Window<Naive<seq![128, 64], seq![64, 1]>, Fetch, U8>", "window.each_from(1, 2, &[0u16; 32], |at, held: &[u16; N]| { black_box((at, held)); });"], call: "::<4>(black_box(&None).as_ref().unwrap())", says: "the closure takes 4 elements, but an access moves 8" },
    Attempt { name: "window_each_into", kernel: ["const N: usize", "window: &Window<Naive<seq![128, 64], seq![64, 1]>, Fetch, U8>", "window.each_into(1, 2, &mut [0u16; N], |at, held: &mut [u16; 8]| { black_box((at, held)); });"], call: "::<16>(black_box(&None).as_ref().unwrap())", says: "the array has 16 elements, but a lane holds 32" },
    Attempt { name: "window_new", kernel: ["P: Number", "m: u32", "black_box(Window::<_, Fetch, P>::new(Naive::rows(m, 200).whole().unwrap()).is_ok());"], call: "<U16>(150)", says: HELD },
    Attempt { name: "window_each", kernel: ["P: Number", "window: &Window<Naive<seq![128, 64], seq![64, 1]>, Fetch, P>", "window.each(1, 2, |a, b, c| { black_box((a, b, c)); });"], call: "::<U16>(black_box(&None).as_ref().unwrap())", says: HELD },
    Attempt { name: "loads_first", kernel: ["const RANK: usize", "wave: u32, lane: u32", "black_box(LoadBlock::first::<RANK>(wave, lane));"], call: "<3>(1, 2)", says: LOADED },
    Attempt { name: "loads_each", kernel: ["const RANK: usize", "wave: u32, lane: u32", "LoadBlock::each::<RANK>(wave, lane, |a, b, c| { black_box((a, b, c)); });"], call: "<3>(1, 2)", says: LOADED },
    Attempt { name: "loads_each_step", kernel: ["const RANK: usize", "wave: u32, lane: u32", "LoadBlock::each_step::<RANK>(wave, lane, |a, b, c| { black_box((a, b, c)); });"], call: "<3>(1, 2)", says: LOADED },
    Attempt { name: "loads_that_are_no_steps", kernel: ["L: DirectLoads", "wave: u32, lane: u32", "L::each_step::<2>(wave, lane, |a, b, c| { black_box((a, b, c)); });"], call: "<LoadWide>(1, 2)", says: "is load 0 xor-ed with a constant, and no step: use `each`" },
    Attempt { name: "loads_that_are_steps_in_the_other_order", kernel: ["L: DirectLoads", "wave: u32, lane: u32", "L::each_step::<2>(wave, lane, |a, b, c| { black_box((a, b, c)); });"], call: "<LoadSlices>(1, 2)", says: "and no step: use `each`; or deal the chunks `interleaved`, by which each load is a step" },
    Attempt { name: "distribution_coordinate", kernel: ["const RANK: usize", "wave: u32, lane: u32", "black_box(Fetch::coordinate::<RANK>(wave, lane, 0));"], call: "<3>(1, 2)", says: RANK },
    Attempt { name: "distribution_masked", kernel: ["const RANK: usize", "wave: u32, lane: u32", "black_box(Fetch::masked::<RANK>(wave, lane, 0));"], call: "<3>(1, 2)", says: RANK },
    Attempt { name: "coordinate_of_idle_lanes", kernel: ["M: Number", "wave: u32, lane: u32", "black_box(Tail::<M>::coordinate::<2>(wave, lane, 0));"], call: "<Lit<250>>(0, 2)", says: "some lanes hold nothing of the tile: `masked` says which" },
    Attempt { name: "sweep_of_idle_lanes", kernel: ["M: Number", "wave: u32, lane: u32", "black_box((wave, lane)); Tail::<M>::sweep::<2>().for_each(|(element, _)| { black_box(element); });"], call: "<Lit<250>>(0, 2)", says: "m (length 250) is not the product of its factors" },
    Attempt { name: "covers_too_little", kernel: ["M: Number", "wave: u32, lane: u32", "black_box(Tail::<M>::masked::<2>(wave, lane, 0));"], call: "<Lit<257>>(0, 2)", says: "the factors of m cover 256 of its 257 elements" },
    Attempt { name: "distribution_owner", kernel: ["const RANK: usize", "m: u32", "black_box(Fetch::owner::<RANK>([m; RANK]).lane);"], call: "<3>(1)", says: RANK },
    Attempt { name: "distribution_element", kernel: ["const YS: usize", "y: u32", "black_box(Fetch::element::<YS>([y; YS]));"], call: "<3>(1)", says: "3 indices of a lane that lists 2 factors" },
    Attempt { name: "distribution_sweep", kernel: ["const RANK: usize", "", "Fetch::sweep::<RANK>().for_each(|(element, _)| { black_box(element); });"], call: "<3>()", says: RANK },
    Attempt { name: "sweep_of_no_distribution", kernel: ["T: Distribution", "", "T::sweep::<2>().for_each(|(element, _)| { black_box(element); });"], call: "<Lost>()", says: "has no owner" },
    Attempt { name: "exchange_apply", kernel: ["const N: usize", "registers: [u32; N]", "black_box(exchange::<Fetch, FetchT>().apply(registers));"], call: "<16>([0; 16])", says: "16 registers of a lane that holds 32 elements" },
    Attempt { name: "exchange_of_other_waves", kernel: ["T: Distribution", "", "black_box(exchange::<ThreadRaked<U128, U64, U8, U4>, T>().is_through_lds());"], call: "<ThreadRaked<U128, U64, U8, U2>>()", says: "4 waves cannot hold what 2 waves do" },
    Attempt { name: "exchange_of_other_waves_asked_which", kernel: ["T: Distribution", "", "black_box(exchange::<ThreadRaked<U128, U64, U8, U4>, T>().elsewhere());"], call: "<ThreadRaked<U128, U64, U8, U2>>()", says: "4 waves cannot hold what 2 waves do" },
    Attempt { name: "exchange_through_lds", kernel: ["T: Distribution", "registers: [u32; 16]", "black_box(exchange::<T, mfma::Operand<U32, U32>>().apply(registers));"], call: "<mfma::F16_32x32x8::Ct>([0; 16])", says: "which another lane holds; exchange through LDS instead" },
    Attempt { name: "buffered_of", kernel: ["const N: usize", "buffer: u32", "black_box(Buffered::<Block, Lit<N>>::begin_of(buffer));"], call: "<0>(1)", says: "0 buffers: at least one is needed" },
    Attempt { name: "buffered_byte_at", kernel: ["const N: usize", "buffer: u32", "black_box(Buffered::<Block, Lit<N>>::byte_at(buffer, [1, 2]));"], call: "<0>(1)", says: "0 buffers: at least one is needed" },
    Attempt { name: "buffers_that_overlap", kernel: ["N: Number", "buffer: u32", "black_box(Buffered::<Short<N>, U2>::byte_at(buffer, [1, 2]));"], call: "<U128>(1)", says: SHARED },
    Attempt { name: "buffers_of_a_layout_that_cannot_be", kernel: ["const K: usize", "buffer: u32", "black_box(Buffered::<Tile<100, K>, U2>::byte_at(buffer, [1, 2]));"], call: "<48>(1)", says: SWIZZLE },
    Attempt { name: "chip_that_lacks_it", kernel: ["C: Target", "", "check_conflict_free! { Block on C: read ds_read_b64_tr_b16 by RowMajor }"], call: "<Gfx942>()", says: "ds_read_b64_tr_b16 on gfx942 by RowMajor: gfx942 has no ds_read_b64_tr_b16; gfx950 has" },
    Attempt { name: "chip_that_lacks_the_fill", kernel: ["C: Target", "", "check_conflict_free! { Block on C: filled by global_load_lds_b128 by 4 waves, read load_b128 by MfmaRows<16> }"], call: "<Gfx942>()", says: "no transfer of 16 bytes on gfx942" },
    Attempt { name: "chip_that_names_the_fill_otherwise", kernel: ["C: Target", "", "check_conflict_free! { Block on C: filled by cp_async_b32 by 4 waves, read load_b128 by MfmaRows<16> }"], call: "<Gfx942>()", says: "gfx942 has no cp_async_b32: there it is global_load_lds_b32" },
    Attempt { name: "chip_that_conflicts", kernel: ["C: Target", "", "check_conflict_free! { Plain on C: read load_b128 by MfmaRows<16> }"], call: "<Gfx942>()", says: "ds_read_b128 on gfx942 by MfmaRows<16>: 4-way in phase 0: lanes 0 and 1, (0, 0) and (1, 0), bytes 0 and 128, bank 0\n              Free instead: recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>" },
    Attempt { name: "chip_that_lacks_the_direct_load", kernel: ["C: Target", "", "check_direct_load! { Plain on C: global_load_lds_b128 by 4 waves, from rows of 64 }"], call: "<Gfx942>()", says: "Plain: no transfer of 16 bytes on gfx942 (there is one on gfx950)" },
    Attempt { name: "loads_on_a_chip_that_lacks_them", kernel: ["C: Target", "wave: u32, lane: u32", "LoadOn::<C, U64>::each::<2>(wave, lane, |a, b, c| { black_box((a, b, c)); });"], call: "<Gfx942>(1, 2)", says: "no transfer of 16 bytes on gfx942 (there is one on gfx950)" },
    Attempt { name: "conversion_of_parameters", kernel: ["C: Target", "wave: u32, lane: u32", "StoreOdd::<C>::each(wave, lane, |a, b, c, d| { black_box((a, b, c, d)); });"], call: "<tiledesc::chip::Gfx950>(0, 2)", says: "takes packs that are placed bit by bit, and length 48 of dimension 0 is not a power of two. The best is ds_write_b16, ds_read_b128" },
    Attempt { name: "operand_that_a_chip_lacks_in_a_statement", kernel: ["C: Target", "", "check_conflict_free! { Block on C: read load_b128 by warp_gemm::A<C, F16, Lit<48>, U16, U16> }"], call: "<Gfx942>()", says: "ds_read_b128 on gfx942 by warp_gemm::A<C, F16, Lit<48>, U16, U16>: gfx942 has no matrix instruction of 48 x 16 x 16 for F16; it has 32 x 32 x 8 and 16 x 16 x 16, and takes multiples along k" },
    Attempt { name: "operand_that_a_chip_lacks", kernel: ["C: Target", "lane: u32", "black_box(warp_gemm::B::<C, F8, U16, U16, Lit<48>>::coordinate::<2>(0, lane, 0));"], call: "<Gfx942>(1)", says: "gfx942 has no matrix instruction of 16 x 16 x 48 for F8; it has 32 x 32 x 16 and 16 x 16 x 32, and takes multiples along k" },
    Attempt { name: "instruction_that_a_chip_lacks", kernel: ["C: Target", "", "black_box(warp_gemm::A::<C, F64, U32, U32, U8>::INSTRUCTION);"], call: "<Gfx942>()", says: "gfx942 has no matrix instruction of 32 x 32 x 8 for F64; it has 16 x 16 x 4, and takes multiples along k" },
];

impl Attempt {
    /// A module with the kernel and its call.
    fn module(&self) -> String {
        let Self { name, kernel: [parameters, arguments, body], call, .. } = self;
        let call = call.trim_start_matches("::");
        format!(
            "mod {name} {{\n    use super::*;\n    fn kernel<{parameters}>({arguments}) {{\n        {body}\n    }}\n    \
             pub fn run() {{\n        kernel::{call};\n    }}\n}}\n"
        )
    }
}

/// The program of all attempts, and the lines of each, from 1.
fn program() -> (String, Vec<Range<u64>>) {
    let mut text = PRELUDE.to_owned();
    let mut lines = Vec::new();
    let count = |text: &str| text.lines().count() as u64;
    for attempt in ATTEMPTS {
        let first = 1 + count(&text);
        text += &attempt.module();
        lines.push(first..1 + count(&text));
    }
    let run = |attempt: &Attempt| format!("    {}::run();\n", attempt.name);
    write!(text, "fn main() {{\n{}}}\n", ATTEMPTS.iter().map(run).collect::<String>()).unwrap();
    (text, lines)
}

/// An error and the notes after it.
type Said = Vec<Value>;

fn rendered(message: &Value) -> &str {
    message["rendered"].as_str().unwrap_or_default()
}

fn text_of(said: &Said) -> String {
    said.iter().map(rendered).collect()
}

/// The errors of a program.
fn build(name: &str, program: &str) -> Vec<Said> {
    let package = Scratch::new(name, &[(name, "main.rs".into())], "");
    package.write("main.rs", program);
    let mut said: Vec<Said> = Vec::new();
    for (_, message) in package.messages(&[]) {
        match said.last_mut() {
            Some(last) if message["level"] != "error" => last.push(message),
            _ => said.push(vec![message]),
        }
    }
    said
}

/// The first message that names a line of the program, and that line.
fn users_line(said: &Said) -> Option<(usize, u64)> {
    let at = said.iter().position(|message| message["spans"][0]["file_name"] == "main.rs")?;
    Some((at, said[at]["spans"][0]["line_start"].as_u64()?))
}

/// What is wrong with the answer to an attempt, whose module has these lines, if anything is.
fn fault(attempt: &Attempt, lines: &Range<u64>, said: &[Said]) -> Option<String> {
    let here = |said: &&Said| users_line(said).is_some_and(|(_, line)| lines.contains(&line));
    let errors: Vec<_> = said.iter().filter(here).collect();
    let [said] = errors[..] else {
        return Some(format!("{}: {} errors name a line of it", attempt.name, errors.len()));
    };
    let wrong = |what: String| Some(format!("{}: {what}\n{}", attempt.name, text_of(said)));
    if said[0]["code"]["code"] != "E0080" || !rendered(&said[0]).contains(attempt.says) {
        return wrong(format!("does not say: {}", attempt.says));
    }
    // Of the library one constant, and where it is named; then the user's line, the fourth of the module.
    let (first, line) = users_line(said)?;
    if first > 2 || line != lines.start + 3 {
        return wrong(format!("message {first} is the first in the user's file, of line {line}"));
    }
    let before: String = said[..first].iter().map(rendered).collect();
    let before = before.lines().filter(|line| !line.trim().is_empty()).count();
    // The sentence, its place, and the user's place: the headline and the arrow of the last.
    if before + 2 > 12 {
        return wrong(format!("the user's line is line {}", before + 2));
    }
    None
}

#[test]
fn every_entry() {
    let (program, lines) = program();
    let said = build("kernels", &program);
    let faults: Vec<_> = ATTEMPTS
        .iter()
        .zip(&lines)
        .filter_map(|(attempt, lines)| fault(attempt, lines, &said))
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(
        said.len(),
        ATTEMPTS.len(),
        "errors of no attempt:\n{}",
        said.iter().map(text_of).collect::<String>()
    );
}

/// A kernel that checks its tile, instantiated with one that cannot be.
const KERNEL: &str = "
use tiledesc::prelude::*;
layout! {
    type ATile<const BM: usize, const BK: usize> = recipe::GemmXor<F16, M<BM>, K<BK>, KPack<8>>;
}
fn kernel<const BM: usize, const BK: usize>(lds: &mut [u16], m: u32, k: u32, v: u16) {
    const { ATile::<BM, BK>::check(\"ATile\") };
    lds[ATile::<BM, BK>::at([m, k]) as usize] = v;
}
fn main() {
    kernel::<128, 96>(&mut [], 0, 0, 0);
}
";

/// A tile that cannot be is refused in the kernel that uses it, by name. `cargo check` does not see it: the compiler
/// knows the tile when it makes the code.
#[test]
fn generic_kernels() {
    let said = build("checked", KERNEL);
    let first = &said[0];
    let text = rendered(&first[0]);
    assert!(text.contains("ATile: xor: length 12 of dimension 0 is not a power of two"), "{text}");
    assert!(text.contains("kernel::<128, 96>"), "{text}");
    assert_eq!(first[0]["spans"][0]["file_name"], "main.rs", "{text}");
    assert!(text.lines().count() < 12, "{text}");
    // What `at` says besides is short too, if the user has not checked.
    for error in said.iter().map(|said| rendered(&said[0])) {
        assert!(error.len() < 2500, "{} characters: {error}", error.len());
    }
}

/// A number of a call is too large: wave and lane stand in the wrong order, both are `u32`, or a step lacks its `% 2`. A
/// debug build notices.
#[cfg(debug_assertions)]
mod debug_checks {
    use support::attempt::attempt;
    use tiledesc::access::Addresses;
    use tiledesc::direct::DirectLoads;
    use tiledesc::prelude::*;
    use tiledesc::storage::Buffered;

    distribution! {
        type Fetch:
            m [again 4, wave 4, row 8],  k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
    }
    layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    direct_load! { type LoadA = ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192; }
    type Stores = Accesses<Fetch, ABlock, VectorSize<8>>;

    const OF_LANES: &str = "lane 70 of a wave of 64: are wave and lane swapped?";
    const OF_WAVES: &str = "wave 63 of 4: are wave and lane swapped?";

    /// What is said of a lane beyond the wave, and of the last lane of wave 3 in the order lane, wave.
    fn says(what: &str, called: impl Fn(u32, u32)) {
        for (wave, lane, sentence) in [(3, 70, OF_LANES), (63, 3, OF_WAVES)] {
            let said = attempt(|| called(wave, lane)).unwrap_err();
            // Of this file: that of the call.
            assert!(said.starts_with(file!()) && said.ends_with(sentence), "{what}: {said}");
        }
        // The last lane of all is none of them.
        called(3, 63);
    }

    #[test]
    fn is_noticed() {
        let window = Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole().unwrap());
        let window = window.unwrap();
        says("coordinate", |wave, lane| {
            let _ = Fetch::coordinate::<2>(wave, lane, 0);
        });
        says("Accesses::each", |wave, lane| Stores::each(wave, lane, |_, _, _, _| ()));
        says("Accesses::each_snake", |wave, lane| Stores::each_snake(wave, lane, |_, _, _, _| ()));
        says("Window::each", |wave, lane| window.each(wave, lane, |_, _, _| ()));
        says("first", |wave, lane| {
            let _ = LoadA::first::<2>(wave, lane);
        });
        says("DirectLoads::each", |wave, lane| LoadA::each::<2>(wave, lane, |_, _, _| ()));
        says("each_step", |wave, lane| LoadA::each_step::<2>(wave, lane, |_, _, _| ()));
    }

    /// One number too many of each kind: the sentence, on the line of the call; the last that there is, is none.
    fn refuses<T>(last: T, beyond: T, sentence: &str, called: impl Fn(&T)) {
        called(&last);
        let said = attempt(|| called(&beyond)).unwrap_err();
        assert!(said.starts_with(file!()) && said.ends_with(sentence), "{said}");
    }

    #[test]
    fn a_buffer_that_does_not_exist() {
        type Twice = Buffered<ABlock, U2>;
        let says = "buffer 2 does not exist: the number of buffers is 2; is `% 2` missing?";
        refuses(1_u32, 2, says, |step| {
            let _ = Twice::begin_of(*step);
        });
        refuses(1_u64, 2, says, |step| {
            let _ = Twice::byte_at(*step, [3, 17]);
        });
    }

    /// A closure that ignores `valid` reads beyond any memory, on its own line.
    #[test]
    fn an_access_that_is_not_valid() {
        distribution! {
            type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40);
                wave (wave), lane (lane), thread (part);
        }
        layout! { type Tile = recipe::RowMajor<F16, M<22>, K<40>>; }
        let memory = vec![0_u16; 1 << 16];
        let says = "index out of bounds: the len is 65536 but the index is 1073709056";
        refuses(27, 28, says, |lane| {
            Accesses::<Halo, Tile, VectorSize<4>>::each(3, *lane, |byte, immediate, _, _| {
                core::hint::black_box(memory[(byte + immediate) as usize / 2]);
            });
        });
        let window = Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole().unwrap());
        let window = window.unwrap();
        let says = "index out of bounds: the len is 65536 but the index is 2147418112";
        refuses([0, 0], [120, 0], says, |origin| {
            window.at(*origin).each(0, 9, |offset, _, _| {
                core::hint::black_box(memory[offset as usize]);
            });
        });
    }

    #[test]
    fn an_element_or_a_coordinate_that_does_not_exist() {
        let says = "element 32 does not exist: the number of elements is 32";
        refuses(31, 32, says, |element| {
            let _ = Fetch::coordinate::<2>(3, 63, *element);
        });
        refuses(31, 32, says, |element| {
            let _ = Fetch::masked::<2>(3, 63, *element);
        });
        refuses(
            [127, 63],
            [127, 64],
            "index 64 is out of range: dimension 1 has length 64",
            |at| {
                let _ = Fetch::owner(*at);
            },
        );
        refuses([3, 7], [4, 0], "index 4 is out of range: dimension 0 has length 4", |ys| {
            let _ = Fetch::element(*ys);
        });
    }

    #[test]
    fn a_number_of_an_encoding_or_of_a_plan() {
        let encoding = Fetch::ENCODING.unwrap();
        let says = "lane 64 does not exist: the number of lanes is 64";
        refuses(63_u32, 64, says, |lane| {
            let _ = encoding.index_of(&[3, *lane, 31]);
        });
        refuses(63_u32, 64, says, |lane| {
            let _ = encoding.mask_of(&[3, *lane, 31]);
        });
        let plan = LoadA::PLAN.unwrap();
        refuses(63, 64, says, |lane| {
            let _ = plan.lds(3, 3, *lane);
        });
        refuses(63, 64, says, |lane| {
            let _ = (plan.unit(3, 3, *lane), plan.source(3, 3, *lane));
        });
        let says = "load 4 does not exist: the number of loads is 4";
        refuses(3, 4, says, |load| {
            let _ = plan.base(3, *load);
        });
        refuses(3, 4, says, |load| {
            let _ = plan.addresses(3, *load);
        });
        refuses(3, 4, says, |load| {
            let _ = plan.lines(3, *load, 64);
        });
        refuses(3, 4, says, |load| {
            let _ = plan.route(*load);
        });
        refuses(3, 4, "wave 4 does not exist: the number of waves is 4", |wave| {
            let _ = plan.route_of(*wave, 3);
        });
        refuses(64, 0, "a memory line of 0 bytes", |line| {
            let _ = plan.fewest_lines(*line);
        });
        refuses(63, 64, "lane 64 does not exist: a wave has at most 64 lanes", |lane| {
            let _ = Addresses::NONE.with(*lane, 0);
        });
    }

    #[test]
    fn a_window_or_a_vector_that_begins_within_one() {
        let window = Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole().unwrap());
        let window = window.unwrap();
        let says =
            "the window begins at element 68 of k, but its vectors of 8 begin at multiples of 8";
        refuses([5, 64], [5, 68], says, |origin| {
            let _ = window.at(*origin);
        });
        refuses([5, 64], [5, 68], says, |step| {
            let mut window = window;
            window.move_by(*step);
        });
        let rows = Naive::rows(10, 42).padded_to([8, 16]).unwrap();
        let says = "index 36 of dimension 1 is not a multiple of the vector's 8 elements";
        refuses([9_u32, 32], [9, 36], says, |index| {
            let _ = rows.valid_vector(*index, 1, 8);
        });
        let says = "dimension 2 does not exist: the number of dimensions is 2";
        refuses(1, 2, says, |dimension| {
            let _ = rows.masked_vector([0_u32, 0], *dimension, 8);
        });
        refuses(4, 6, "a vector of 6 elements: not a power of two", |elements| {
            let _ = rows.valid_vector([0_u32, 0], 1, *elements);
        });
    }

    /// A tile of one wave is each wave's: its number does not matter.
    #[test]
    fn waves_that_own_nothing_are_any() {
        use tiledesc::matrix::mfma::F16_32x32x8::C;
        assert_eq!(C::coordinate::<2>(7, 33, 6), C::coordinate::<2>(0, 33, 6));
    }
}
