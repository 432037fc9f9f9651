//! The functions whose machine code `tests/codegen` reads: each offset by the library,
//! and the same offset as you would write it by hand.
//!
//! | form | is |
//! |---|---|
//! | `ours` | the library's offset |
//! | `staged` | the library's without fusing |
//! | `hand` | what a kernel author writes, from the layout's picture |
//! | `best` | the shortest form we know, which is not the one you would write first |
//!
//! The test compiles this file as a crate of its own, for its symbols, and as a module,
//! to see that all forms of an offset give the same number at every coordinate.

use tiledesc::direct::DirectLoads;
use tiledesc::distribution::{Reduced, Shuffled, Transposed, Within, exchange};
use tiledesc::prelude::*;
use tiledesc::recipe::Buffer;
use tiledesc::storage::Buffered;

layout! {
    /// The tile of every page: 128 rows of 64 halves, packs of eight.
    type Xor128x64 = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    /// Four lines to a row, each with masks of its own.
    type Joined128x128 = recipe::Joined<
        recipe::GemmXorBits<F32, M<512>, K<32>, KPack<1>, MLdsLayer<1>, seq![1, 2, 4]>, Lines<4>>;
    /// The tile of every page with its dimensions exchanged.
    type Transposed64x128 = recipe::Transposed<recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>>;
    /// Packs bit by bit: bit 0 of the row flips a bit of the pack, bit 1 one of the pack and one of the row.
    type Placed16x32 = recipe::LinearPacks<F32, M<16>, K<32>, KPack<4>, seq![1, 2, 4, 12, 26]>;
    /// Two rows in a line of LDS.
    type Layered2 = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
    /// Four rows in a line.
    type Layered4 = recipe::GemmXor<F16, M<64>, K<16>, KPack<8>>;
    /// Four rows in a line of 64 banks.
    type Layered64 = recipe::GemmXor64<F16, M<64>, K<32>, KPack<8>>;
    /// A mask for each bit of the row: single ones, which are `xor`; those of gfx950; those of
    /// gfx942 and gfx950.
    type SingleBits = recipe::GemmXorBits<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![1, 2, 4]>;
    type Bits64 = recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>;
    type BitsOfBoth =
        recipe::GemmXorBits<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>, seq![1, 2, 4, 0, 1]>;
    /// Rows whose packs are not a power of two, rotated.
    type Rotated = recipe::RowShift<F16, M<64>, K<96>, KPack<8>>;
    /// The same without a division: packs flipped within lines of 128 bytes; and a pad after every 256.
    type Dense = recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![1, 2, 4]>;
    type Intervals = recipe::IntervalPad<F16, M<64>, K<96>, Every<256>, Padding<8>>;
    /// Bytes, packs of sixteen.
    type Bytes = recipe::GemmXor<F8, M<64>, K<32>, KPack<16>>;
}
distribution! {
    /// The same of neighbouring rows.
    type ThreadRaked:
        m [wave 4, row 8, again 4],  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
}

distribution! {
    /// 124 rows, of which the last four rows of lanes have none in their last access.
    type Tail:
        m [again 4, wave 4, row 8] of 124,  k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// 220 vectors of 4 by 256 threads.
    type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
}
layout! {
    type Xor124x64 = recipe::GemmXor<F16, M<124>, K<64>, KPack<8>>;
    type PaddedHalo = recipe::RowPad<F16, M<22>, K<40>, Padding<8>>;
}

/// What an access does with its address, as far as the address is concerned.
#[inline(always)]
fn mixed(all: u32, address: u32, first: u32) -> u32 {
    (all.rotate_left(5) ^ address).wrapping_add(first)
}

layout! {
    /// Layers, and an outer iteration over K.
    type Backward = recipe::FmhaBwdX<F16, MN<128>, K<32>, KPack<8>, KIter<2>>;
    type BackwardTransposed = recipe::FmhaBwdXT<
        F16, KIter<1>, MN<128>, K<64>, KPack<8>, VectorSize<4>, MPerXdl<32>, BlockSize<256>,
    >;
    type ColumnMajor =
        recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
    type Asynchronous = recipe::GemmAsync<F16, M<128>, K<64>, KPack<8>>;
    type Bridge = recipe::MoeBridge<F16, Rep<2>, Rep<2>, Warps<4>>;
}
layout! {
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type Columns = recipe::CShuffleColumn<F16, M<32>, N<64>>;
    type Vectors = recipe::BatchedTranspose<F16, M<64>, N<64>, VectorSize<4>>;
    type PaddedRows = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type V1Pad = recipe::GemmV1Pad<F16, M<128>, K<32>>;
    type Tdm = recipe::GemmTdm<F16, M<64>, K<32>, Padding<8>>;
}
layout! {
    type FmhaV = recipe::FmhaV<F16, N<128>, K<32>, Buffers<2>, recipe::FmhaVSize<F16, N<128>, K<32>>>;
    type Flatmm = recipe::FlatmmPad<F16, M<128>, K<64>, KPack<8>>;
    type FmhaK = recipe::FmhaK<F32, N<128>, K<32>>;
    type FmhaWholeK = recipe::FmhaKWholeK<F16, N<128>, K<32>, Buffers<2>>;
    type Combine = recipe::SplitKvCombine<F32, M<32>, N<64>, KPack<4>>;
    type Store = recipe::MoeAStore<F16, M<32>, K<64>, Warps<4>>;
    type Load = recipe::MoeALoad<F16, M<32>, K<64>, Warps<4>>;
}
layout! {
    type FmhaKStore =
        recipe::FmhaKAsyncStore<F16, N<128>, K<32>, Warps<4>, Buffer<1>, Lit<4608>>;
    type FmhaKLoad =
        recipe::FmhaKAsyncLoad<F16, N<128>, K<32>, Warps<4>, Buffers<2>, Lit<4608>>;
    type Chunks = recipe::XorPreshuffle<F32, M<32>, K<32>, KPack<4>>;
    type OneLayer = recipe::GemmXorLayer<F16, M<64>, K<32>, KPack<8>, MLdsLayer<1>>;
    type CombineTransposed = recipe::SplitKvCombineTransposed<F32, M<32>, N<64>, KPack<4>>;
}

distribution! {
    /// 256 lanes take the tile, 8 halves at a time and 4 times.
    pub type Fetch:
        m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    /// What a 32x32x8 MFMA returns: neighbours of n are in the lane, of m partly.
    type Accumulator: m [again 4, part 2, group 4], n [column 32];
        lane (part, column), thread (again, group);
}

direct_load! {
    /// The tile by four waves, 16 bytes a lane.
    type Direct = Xor128x64 on gfx950: global_load_lds_b128 by 4 waves, from rows of multiples of 8;
}
layout! { type Rows126x64 = recipe::RowMajor<F16, M<126>, K<64>>; }
direct_load! {
    /// The last 16 lanes of the last wave have nothing in the last load.
    type Ragged = Rows126x64 on gfx950: global_load_lds_b128 by 4 waves, from rows of multiples of 8, with idle lanes;
}

distribution! {
    /// Two of it along n.
    type Twice: m [one 1], n [again 2]; thread (again);
}

/// Registers that depend on each other in no way.
#[inline(always)]
fn registers<const N: usize>(seed: u32) -> [u32; N] {
    core::array::from_fn(|register| seed.rotate_left(register as u32))
}

/// All of them, and their order.
#[inline(always)]
fn used_up<const N: usize>(registers: [u32; N]) -> u32 {
    registers.into_iter().fold(0, |all, register| mixed(all, register, 1))
}

/// A kernel that knows no more of its tile than that it has numbers.
#[inline]
fn kernel<K: Number, M: Number>(m: u32, k: u32) -> u32 {
    recipe::GemmXor::<F16, M, K, U8>::at([m, k])
}

/// The same over const generics.
#[inline]
fn kernel_const<const K: usize, const M: usize>(m: u32, k: u32) -> u32 {
    recipe::GemmXor::<F16, Lit<M>, Lit<K>, U8>::at([m, k])
}

/// An offset: its name, the lengths of its coordinate, and its forms.
#[cfg(test)]
pub(crate) struct Offset {
    pub(crate) name: &'static str,
    pub(crate) lengths: &'static [u32],
    pub(crate) forms: &'static [Form],
}

/// Its name, and its value at a coordinate.
#[cfg(test)]
pub(crate) type Form = (&'static str, fn(&[u32]) -> u32);

/// Offsets in their forms, each form a symbol: two inlined into one caller would share
/// instructions.
macro_rules! offsets {
    ($(
        $name:ident $lengths:tt {
            $($form:ident |$($index:ident),+| $body:expr;)+
        }
    )+) => {
        $(pub mod $name {
            use super::*;
            $(#[inline(never)]
            pub fn $form($($index: u32),+) -> u32 {
                $body
            })+
        })+

        #[cfg(test)]
        pub(crate) const OFFSETS: &[Offset] = &[$(Offset {
            name: stringify!($name),
            lengths: &$lengths,
            forms: &[$((stringify!($form), |index| match *index {
                [$($index),+] => $name::$form($($index),+),
                _ => panic!("{} indices", index.len()),
            })),+],
        }),+];
    };
}

offsets! {
    xor_128x64 [128, 64] {
        ours |m, k| Xor128x64::at([m, k]);
        staged |m, k| Xor128x64::default().staged([m, k]);
        hand |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
        // The pack index and the place in the pack need not be taken apart.
        best |m, k| m * 64 + (k ^ (m % 8 * 8));
    }
    xor_128x64_bytes [128, 64] {
        ours |m, k| Xor128x64::byte_at([m, k]);
        staged |m, k| Xor128x64::default().staged([m, k]) * 2;
        hand |m, k| (m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8) * 2;
        best |m, k| m * 128 + ((k * 2) ^ (m % 8 * 16));
    }
    // Indices as kernels make them, of a lane whose number the compiler does not bound.
    // Who writes by hand sees more than a layout does: that `k` is a multiple of 8, and of
    // `lane_that_writes` that the row and the column are one number, `lane * 8`.
    lane_of_16_rows [64] {
        ours |lane| Xor128x64::byte_at([lane % 16, lane / 16 * 8]);
        staged |lane| Xor128x64::default().staged([lane % 16, lane / 16 * 8]) * 2;
        hand |lane| {
            (lane % 16 * 64 + ((lane / 16) ^ (lane % 16 % 8)) * 8) * 2
        };
        best |lane| lane % 16 * 128 + ((lane / 16) ^ (lane % 8)) * 16;
    }
    lane_of_32_rows [64] {
        ours |lane| Xor128x64::byte_at([lane % 32, lane / 32 * 8]);
        hand |lane| {
            (lane % 32 * 64 + ((lane / 32) ^ (lane % 32 % 8)) * 8) * 2
        };
        best |lane| lane % 32 * 128 + ((lane / 32) ^ (lane % 8)) * 16;
    }
    lane_of_16_layered_rows [64] {
        ours |lane| Layered2::byte_at([lane % 16, lane / 16 * 8]);
        staged |lane| Layered2::default().staged([lane % 16, lane / 16 * 8]) * 2;
        hand |lane| {
            let (m, chunk) = (lane % 16, lane / 16);
            (m / 2 * 64 + ((m % 2 * 4 + chunk) ^ (m / 2 % 8)) * 8) * 2
        };
        best |lane| (lane % 16 * 64 + lane / 16 * 16) ^ (lane / 2 % 8 * 16);
    }
    lane_that_writes [256] {
        ours |lane| Xor128x64::byte_at([lane / 8, lane % 8 * 8]);
        staged |lane| Xor128x64::default().staged([lane / 8, lane % 8 * 8]) * 2;
        hand |lane| (lane / 8 * 64 + ((lane % 8) ^ (lane / 8 % 8)) * 8) * 2;
    }
    // Of (wave, lane, element): an offset in memory, and in LDS. Who keeps chunk and half apart
    // in LDS, `((lane % 8) ^ (m % 8)) * 8 + element % 8`, has 14 instructions on x86-64 for 15.
    distribution_fetch [4, 64, 32] {
        ours |wave, lane, element| {
            let [m, k] = Fetch::coordinate(wave, lane, element as usize);
            m * 64 + k
        };
        hand |wave, lane, element| {
            let m = element / 8 * 32 + wave * 8 + lane / 8;
            let k = lane % 8 * 8 + element % 8;
            m * 64 + k
        };
    }
    distribution_fetch_to_lds [4, 64, 32] {
        ours |wave, lane, element| {
            Xor128x64::byte_at(Fetch::coordinate(wave, lane, element as usize))
        };
        hand |wave, lane, element| {
            let m = element / 8 * 32 + wave * 8 + lane / 8;
            let k = lane % 8 * 8 + element % 8;
            m * 128 + ((k * 2) ^ (m % 8 * 16))
        };
    }
    distribution_accumulator [64, 16] {
        ours |lane, element| {
            let [m, n] = Accumulator::coordinate(0, lane, element as usize);
            m * 32 + n
        };
        hand |lane, element| {
            (element / 4 * 8 + lane / 32 * 4 + element % 4) * 32 + lane % 32
        };
    }
    generic [128, 64] {
        ours |m, k| kernel::<U64, U128>(m, k);
        hand |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
    }
    const_generic [128, 64] {
        ours |m, k| kernel_const::<64, 128>(m, k);
        hand |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
    }
    accesses_of_a_lane [256] {
        ours |thread| {
            let mut all = 0;
            Accesses::<Fetch, Xor128x64, VectorSize<8>>::each(
                thread / 64,
                thread % 64,
                |address, immediate, _, first| all = mixed(all, address + immediate, first as u32),
            );
            all
        };
        hand |thread| {
            let (row, chunk) = (thread / 8, thread % 8);
            let base = row * 128 + (chunk ^ (row % 8)) * 16;
            (0..4).fold(0, |all, again| mixed(all, base + again * 4096, again * 8))
        };
    }
    // Tiles that the factors do not divide: the mask of idle lanes is a comparison.
    accesses_of_a_tail [256] {
        ours |thread| {
            let mut all = 0;
            Accesses::<Tail, Xor124x64, VectorSize<8>>::each(
                thread / 64,
                thread % 64,
                |address, immediate, valid, first| {
                    let at = if valid { address + immediate } else { u32::MAX };
                    all = mixed(all, at, first as u32);
                },
            );
            all
        };
        hand |thread| {
            let (row, chunk) = (thread / 8, thread % 8);
            let base = row * 128 + (chunk ^ (row % 8)) * 16;
            (0..4).fold(0, |all, again| {
                let valid = row < 124 - again * 32;
                mixed(all, if valid { base + again * 4096 } else { u32::MAX }, again * 8)
            })
        };
    }
    accesses_of_a_halo [256] {
        ours |thread| {
            let mut all = 0;
            Accesses::<Halo, PaddedHalo, VectorSize<4>>::each(
                thread / 64,
                thread % 64,
                |address, immediate, valid, first| {
                    let at = if valid { address + immediate } else { u32::MAX };
                    all = mixed(all, at, first as u32);
                },
            );
            all
        };
        hand |thread| {
            // The address first, then the mask of the store.
            let (row, vector) = (thread / 10, thread % 10);
            let at = row * 96 + vector * 8;
            mixed(0, if thread < 220 { at } else { u32::MAX }, 0)
        };
    }
    // Registers that are made of a seed, exchanged, and used up in their new order: the exchange
    // itself is not an instruction.
    exchange_of_a_fetch [64] {
        ours |seed| {
            let shuffle = exchange::<Transposed<ThreadRaked>, Shuffled<ThreadRaked>>();
            used_up(shuffle.apply(registers::<32>(seed)))
        };
        hand |seed| {
            let registers = registers::<32>(seed);
            used_up(core::array::from_fn::<_, 32, _>(|to| registers[to % 4 * 8 + to / 4]))
        };
    }
    // The sums of a lane's two columns, of 16 rows each, row by row.
    sweep_of_an_accumulator [64] {
        ours |seed| {
            type Sums = Reduced<Within<Twice, Accumulator>, 0>;
            let (registers, mut sums) = (registers::<32>(seed), [0u32; Sums::ELEMENTS]);
            Within::<Twice, Accumulator>::sweep().for_each(|(element, [_, column])| {
                let sum = &mut sums[Sums::owner([column]).element as usize];
                *sum = sum.wrapping_add(registers[element]);
            });
            used_up(sums)
        };
        hand |seed| {
            let (registers, mut sums) = (registers::<32>(seed), [0u32; 2]);
            for step in 0..32 {
                let (row, again) = (step / 2, step % 2);
                sums[again] = sums[again].wrapping_add(registers[again * 16 + row]);
            }
            used_up(sums)
        };
    }
    buffered [2, 128, 64] {
        ours |step, m, k| Buffered::<Xor128x64, U2>::byte_at(step % 2, [m, k]);
        hand |step, m, k| (step % 2 * 8192 + m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8) * 2;
    }
    // Straight to LDS: where a lane reads in each of its four loads, and where they go.
    direct_loads_of_a_lane [256, 65] {
        ours |thread, pitch| {
            let (wave, lane, mut all) = (thread / 64, thread % 64, 0);
            let [m, k] = Direct::first(wave, lane);
            let first = m * pitch + k;
            Direct::each_step(wave, lane, |lds, [rows, columns]: [u32; 2], _| {
                all = mixed(all, first + rows * pitch + columns, lds);
            });
            all
        };
        hand |thread, pitch| {
            let (wave, lane) = (thread / 64, thread % 64);
            let (row, column) = (wave * 32 + lane / 8, ((lane % 8) ^ (lane / 8)) * 8);
            (0..4).fold(0, |all, load| {
                mixed(all, (row + load * 8) * pitch + column, wave * 4096 + load * 1024)
            })
        };
    }
    // The same of 126 rows: a lane that has nothing is left out.
    direct_loads_of_a_ragged_tile [256, 65] {
        ours |thread, pitch| {
            let (wave, lane, mut all) = (thread / 64, thread % 64, 0);
            let [m, k] = Ragged::first(wave, lane);
            let first = m * pitch + k;
            Ragged::each_step(wave, lane, |lds, [rows, columns]: [u32; 2], valid| {
                let element = first + rows * pitch + columns;
                all = mixed(all, if valid { element } else { u32::MAX }, lds);
            });
            all
        };
        hand |thread, pitch| {
            let (wave, lane) = (thread / 64, thread % 64);
            let (row, column) = (wave * 32 + lane / 8, lane % 8 * 8);
            (0..4).fold(0, |all, load| {
                let lds = wave * 4096 + load * 1024;
                let valid = lds + lane * 16 < 126 * 128;
                let element = (row + load * 8) * pitch + column;
                mixed(all, if valid { element } else { u32::MAX }, lds)
            })
        };
    }
    accesses_by_xor [256] {
        ours |thread| {
            let mut all = 0;
            Accesses::<ThreadRaked, Xor128x64, VectorSize<8>>::each(
                thread / 64,
                thread % 64,
                |address, immediate, _, first| all = mixed(all, address + immediate, first as u32),
            );
            all
        };
        hand |thread| {
            (0..4).fold(0, |all, again| {
                let (row, chunk) = (thread / 8 * 4 + again, thread % 8);
                mixed(all, row * 128 + (chunk ^ (row % 8)) * 16, again * 8)
            })
        };
    }
    layered_64x32 [64, 32] {
        ours |m, k| Layered2::at([m, k]);
        staged |m, k| Layered2::default().staged([m, k]);
        hand |m, k| m / 2 * 64 + ((m % 2 * 4 + k / 8) ^ (m / 2 % 8)) * 8 + k % 8;
        best |m, k| (m * 32 + k) ^ (m / 2 % 8 * 8);
    }
    layered_64x16 [64, 16] {
        ours |m, k| Layered4::at([m, k]);
        staged |m, k| Layered4::default().staged([m, k]);
        hand |m, k| m / 4 * 64 + ((m % 4 * 2 + k / 8) ^ (m / 4 % 8)) * 8 + k % 8;
        best |m, k| (m * 16 + k) ^ (m / 4 % 8 * 8);
    }
    layered_64x32_of_64_banks [64, 32] {
        ours |m, k| Layered64::at([m, k]);
        staged |m, k| Layered64::default().staged([m, k]);
        hand |m, k| m / 4 * 128 + ((m % 4 * 4 + k / 8) ^ (m / 4 % 16)) * 8 + k % 8;
        best |m, k| (m * 32 + k) ^ (m / 4 % 16 * 8);
    }
    row_shift_64x96 [64, 96] {
        ours |m, k| Rotated::at([m, k]);
        staged |m, k| Rotated::default().staged([m, k]);
        hand |m, k| m * 96 + (k / 8 + m) % 12 * 8 + k % 8;
    }
    dense_xor_64x96 [64, 96] {
        ours |m, k| Dense::at([m, k]);
        staged |m, k| Dense::default().staged([m, k]);
        hand |m, k| (m * 96 + k) ^ ((m * 96 + k) / 64 % 8 * 8);
    }
    interval_pad_64x96 [64, 96] {
        ours |m, k| Intervals::at([m, k]);
        staged |m, k| Intervals::default().staged([m, k]);
        hand |m, k| m * 96 + k + (m * 96 + k) / 256 * 8;
    }
    xor_bits_single [128, 64] {
        ours |m, k| SingleBits::at([m, k]);
        staged |m, k| SingleBits::default().staged([m, k]);
        hand |m, k| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
        best |m, k| Xor128x64::at([m, k]);
    }
    lines_of_rows [128, 128] {
        ours |m, k| Joined128x128::at([m, k]);
        staged |m, k| Joined128x128::default().staged([m, k]);
        hand |m, k| {
            let line = m * 4 + k / 32;
            line * 32 + ((k % 32) ^ (line % 8))
        };
        best |m, k| (m * 128 + k) ^ ((m * 4 + k / 32) % 8);
    }
    packs_bit_by_bit [16, 32] {
        ours |m, k| Placed16x32::at([m, k]);
        staged |m, k| Placed16x32::default().staged([m, k]);
        hand |m, k| (m * 32 + k) ^ ((m % 2) * 16) ^ ((m / 2 % 2) * 40);
        best |m, k| (m * 32 + k) ^ ((m * 16) & 48) ^ ((m & 2) * 4);
    }
    xor_transposed [64, 128] {
        ours |k, m| Transposed64x128::at([k, m]);
        staged |k, m| Transposed64x128::default().staged([k, m]);
        hand |k, m| m * 64 + ((k / 8) ^ (m % 8)) * 8 + k % 8;
        best |k, m| Xor128x64::at([m, k]);
    }
    xor_bits_layered [128, 32] {
        ours |m, k| Bits64::at([m, k]);
        staged |m, k| Bits64::default().staged([m, k]);
        hand |m, k| {
            let layer = m / 4;
            m / 4 * 128 + ((m % 4 * 4 + k / 8) ^ (layer % 2 * 3) ^ (layer / 2 % 2 * 2)) * 8 + k % 8
        };
    }
    xor_bits_of_both [128, 64] {
        ours |m, k| BitsOfBoth::at([m, k]);
        staged |m, k| BitsOfBoth::default().staged([m, k]);
        hand |m, k| m * 64 + ((k / 8) ^ (m % 8) ^ (m / 16 % 2)) * 8 + k % 8;
    }
    layered_64x32_of_fp8 [64, 32] {
        ours |m, k| Bytes::at([m, k]);
        staged |m, k| Bytes::default().staged([m, k]);
        hand |m, k| m / 4 * 128 + ((m % 4 * 2 + k / 16) ^ (m / 4 % 8)) * 16 + k % 16;
        best |m, k| (m * 32 + k) ^ (m / 4 % 8 * 16);
    }
    fmha_backward [128, 64] {
        ours |m, k| Backward::at([m, k]);
        staged |m, k| Backward::default().staged([m, k]);
        hand |m, k| {
            k / 32 * 4096 + m / 2 * 64 + ((k % 32 / 8 * 2 + m % 2) ^ (m / 2 % 8)) * 8 + k % 8
        };
    }
    fmha_backward_transposed [64, 128] {
        ours |k, m| BackwardTransposed::at([k, m]);
        staged |k, m| BackwardTransposed::default().staged([k, m]);
        hand |k, m| {
            let row = k / 32 * 8 + m % 8;
            k % 32 / 4 * 1024 + row * 64 + ((m / 8) ^ row) * 4 + k % 4
        };
    }
    gemm_column_major [128, 64] {
        ours |m, k| ColumnMajor::at([m, k]);
        staged |m, k| ColumnMajor::default().staged([m, k]);
        hand |m, k| {
            let row = k / 32 * 8 + m % 8;
            k % 32 / 4 * 1024 + row * 64 + ((m / 8) ^ row) * 4 + k % 4
        };
    }
    gemm_async [128, 64] {
        ours |m, k| Asynchronous::at([m, k]);
        staged |m, k| Asynchronous::default().staged([m, k]);
        hand |m, k| m * 64 + k;
    }
    moe_bridge [32, 128] {
        ours |m, n| Bridge::at([m, n]);
        staged |m, n| Bridge::default().staged([m, n]);
        hand |m, n| m / 16 * 2048 + n / 4 * 64 + m % 16 * 4 + n % 4;
    }
    row_major [128, 64] {
        ours |m, k| Rows::at([m, k]);
        hand |m, k| m * 64 + k;
    }
    column_major [32, 64] {
        ours |m, n| Columns::at([m, n]);
        hand |m, n| n * 32 + m;
    }
    batched_transpose [64, 64] {
        ours |s, l| Vectors::at([s, l]);
        staged |s, l| Vectors::default().staged([s, l]);
        hand |s, l| s * 64 + l;
    }
    row_pad [128, 64] {
        ours |m, k| PaddedRows::at([m, k]);
        hand |m, k| m * 72 + k;
    }
    gemm_v1_pad [128, 32] {
        ours |m, k| V1Pad::at([m, k]);
        hand |m, k| k / 8 * 1032 + m * 8 + k % 8;
        // `k / 8 * 8 + k % 8` is `k`; the quotient adds the rest of its stride.
        best |m, k| k / 8 * 1024 + k + m * 8;
    }
    gemm_tdm [64, 32] {
        ours |m, k| Tdm::at([m, k]);
        hand |m, k| m / 4 * 136 + m % 4 * 32 + k;
        best |m, k| m * 32 + m / 4 * 8 + k;
    }
    flatmm_pad [128, 64] {
        ours |m, k| Flatmm::at([m, k]);
        hand |m, k| k / 8 * 1032 + m * 8 + k % 8;
        best |m, k| k / 8 * 1024 + k + m * 8;
    }
    fmha_k [128, 32] {
        ours |n, k| FmhaK::at([n, k]);
        hand |n, k| k / 4 * 516 + n * 4 + k % 4;
        best |n, k| k / 4 * 512 + k + n * 4;
    }
    xor_preshuffle [32, 32] {
        ours |m, k| Chunks::at([m, k]);
        hand |m, k| m * 32 + ((k / 4) ^ (m % 8)) * 4 + k % 4;
        best |m, k| m * 32 + (k ^ (m % 8 * 4));
    }
    one_layer [64, 32] {
        ours |m, k| OneLayer::at([m, k]);
        hand |m, k| m * 32 + ((k / 8) ^ (m % 4)) * 8 + k % 8;
        best |m, k| m * 32 + (k ^ (m % 4 * 8));
    }
    fmha_v [256, 32] {
        ours |n, k| FmhaV::at([n, k]);
        hand |n, k| {
            n / 128 * 4608 + k / 8 * 1152 + n / 8 % 16 * 72 + n % 8 * 8 + k % 8
        };
        best |n, k| {
            n / 128 * 4608 + k / 8 * 1152 + n / 8 % 16 * 8 + n % 128 * 8 + k % 8
        };
    }
    fmha_whole_k [256, 32] {
        ours |n, k| FmhaWholeK::at([n, k]);
        hand |n, k| {
            n / 128 * 4112 + k / 8 * 1028 + k % 8 / 4 * 512 + n % 128 * 4 + k % 4
        };
        best |n, k| {
            n / 128 * 4112 + n % 128 * 4 + k / 8 * 4 + k / 4 * 512 + k % 4
        };
    }
    split_kv_combine [32, 64] {
        ours |m, s| Combine::at([m, s]);
        hand |m, s| s / 4 * 132 + m * 4 + s % 4;
        best |m, s| s / 4 * 128 + s + m * 4;
    }
    split_kv_combine_transposed [64, 32] {
        ours |s, m| CombineTransposed::at([s, m]);
        hand |s, m| s / 4 * 132 + m * 4 + s % 4;
        best |s, m| s / 4 * 128 + s + m * 4;
    }
    fmha_k_async_store [8, 4, 128] {
        ours |issue, wave, lane| FmhaKStore::at([issue, wave, lane]);
        hand |issue, wave, lane| 4608 + issue * 544 + wave * 136 + lane;
    }
    fmha_k_async_load [256, 32] {
        ours |n, k| FmhaKLoad::at([n, k]);
        hand |n, k| n / 128 * 4608 + n / 16 % 8 * 544 + n % 4 * 136 + n / 4 % 4 * 32 + k;
        best |n, k| n / 128 * 256 + n / 16 * 544 + n % 4 * 136 + n / 4 % 4 * 32 + k;
    }
    moe_a_store [4, 4, 128] {
        ours |issue, wave, lane| Store::at([issue, wave, lane]);
        hand |issue, wave, lane| issue * 544 + wave * 136 + lane;
    }
    moe_a_load [32, 64] {
        ours |m, k| Load::at([m, k]);
        hand |m, k| m / 8 * 544 + m % 4 * 136 + m / 4 % 2 * 64 + k;
    }
}

/// A constant coordinate costs nothing: the offset stands in the code.
pub mod constant {
    use super::Xor128x64;

    #[inline(never)]
    pub fn ours() -> u32 {
        const OFFSET: u32 = Xor128x64::offset([3, 17]);
        OFFSET
    }
}

/// The xor tile with every length known only at run time: it divides by multiplication.
pub mod run_time_lengths {
    use tiledesc::prelude::*;

    pub type RunTime = Transformed<
        Transformed<
            Naive<[Dyn; 3], [Dyn; 3]>,
            (tiledesc::Xor<Dyn, Dyn>, PassThrough<Dyn>),
            lower![[1, 0], [2]],
            upper![[1, 0], [2]],
        >,
        (PassThrough<Dyn>, Merge<[Dyn; 2]>),
        lower![[1], [0, 2]],
        upper![[0], [1]],
    >;

    #[inline(never)]
    pub fn ours(tile: &RunTime, m: u32, k: u32) -> u32 {
        tile.at([m, k])
    }
}

/// A matrix in global memory: lengths and pitch known at run time, padded to whole tiles.
/// By hand it is three numbers and what a kernel's author writes of them.
pub mod global {
    use tiledesc::prelude::*;

    pub type Matrix = tiledesc::transforms::PaddedTo<Naive<[Dyn; 2], (Dyn, U1)>>;

    /// What 256 lanes load of one, not padded.
    pub type Loads = Window<Naive<[Dyn; 2], (Dyn, U1)>, super::Fetch, VectorSize<8>>;

    pub struct ByHand {
        pub m: u32,
        pub k: u32,
        pub pitch: u32,
    }
}

/// The offset of a coordinate that may be in the padding, or nothing.
pub mod masked_global_offset {
    use super::global::{ByHand, Matrix};
    use tiledesc::prelude::*;

    #[inline(never)]
    pub fn ours(a: &Matrix, row: u32, column: u32) -> Option<u32> {
        a.valid_offset([row, column])
    }

    #[inline(never)]
    pub fn hand(a: &ByHand, row: u32, column: u32) -> Option<u32> {
        if row < a.m && column < a.k { Some(row * a.pitch + column) } else { None }
    }

    /// Without a branch.
    #[inline(never)]
    pub fn best(a: &ByHand, row: u32, column: u32) -> Option<u32> {
        ((row < a.m) & (column < a.k)).then_some(row * a.pitch + column)
    }
}

/// The same of a vector of eight along the row.
pub mod masked_global_vector {
    use super::global::{ByHand, Matrix};
    use tiledesc::prelude::*;

    #[inline(never)]
    pub fn ours(a: &Matrix, row: u32, column: u32) -> Option<u32> {
        a.valid_vector([row, column], 1, 8)
    }

    #[inline(never)]
    pub fn hand(a: &ByHand, row: u32, column: u32) -> Option<u32> {
        if row < a.m && column + 7 < a.k { Some(row * a.pitch + column) } else { None }
    }

    #[inline(never)]
    pub fn best(a: &ByHand, row: u32, column: u32) -> Option<u32> {
        ((row < a.m) & (column + 7 < a.k)).then_some(row * a.pitch + column)
    }
}

/// The masked offset as a load with 0 for padding, address and mask used apart.
pub mod masked_global_load {
    use super::global::{ByHand, Matrix};
    use tiledesc::prelude::*;

    #[inline(never)]
    pub fn ours(a: &Matrix, row: u32, column: u32) -> u32 {
        let (offset, valid) = a.masked([row, column]);
        if valid { offset } else { u32::MAX }
    }

    #[inline(never)]
    pub fn hand(a: &ByHand, row: u32, column: u32) -> u32 {
        if row < a.m && column < a.k { row * a.pitch + column } else { u32::MAX }
    }

    #[inline(never)]
    pub fn best(a: &ByHand, row: u32, column: u32) -> u32 {
        let offset = row * a.pitch + column;
        if (row < a.m) & (column < a.k) { offset } else { u32::MAX }
    }
}

/// A window that steps along K until the row ends: what it visits, xor-ed, stands for the
/// work. Of a whole kernel this is the loop.
pub mod moving_window {
    use super::global::{ByHand, Matrix};
    use tiledesc::prelude::*;

    #[inline(never)]
    pub fn ours(a: &Matrix, row: u32, column: u32) -> u32 {
        let mut at = a.coordinate([row, column]);
        let mut visited = 0;
        while at.is_valid() {
            visited ^= at.offset();
            at.step([0, 32]);
        }
        visited
    }

    #[inline(never)]
    pub fn hand(a: &ByHand, row: u32, column: u32) -> u32 {
        let (mut column, mut visited) = (column, 0);
        while row < a.m && column < a.k {
            visited ^= row * a.pitch + column;
            column += 32;
        }
        visited
    }

    /// The row is asked once, and the offset moves with the column.
    #[inline(never)]
    pub fn split(a: &ByHand, row: u32, column: u32) -> u32 {
        let (mut column, mut visited) = (column, 0);
        if row >= a.m {
            return 0;
        }
        let mut offset = row * a.pitch + column;
        while column < a.k {
            visited ^= offset;
            column += 32;
            offset += 32;
        }
        visited
    }
}

/// The four loads of a lane in a window at a block's origin, each with its mask; what they
/// touch, mixed, stands for the loads.
pub mod window_loads {
    use super::global::{ByHand, Loads};
    use super::mixed;

    #[inline(never)]
    pub fn ours(a: &Loads, wave: u32, lane: u32, row: u32, column: u32) -> u32 {
        let mut all = 0;
        a.at([row, column]).each(wave, lane, |offset, valid, first| {
            all = mixed(all, if valid { offset } else { u32::MAX }, first as u32);
        });
        all
    }

    #[inline(never)]
    pub fn hand(a: &ByHand, wave: u32, lane: u32, row: u32, column: u32) -> u32 {
        (0..4).fold(0, |all, again| {
            let (m, k) = (row + again * 32 + (wave * 8 + lane / 8), column + lane % 8 * 8);
            mixed(all, if m < a.m && k < a.k { m * a.pitch + k } else { u32::MAX }, again * 8)
        })
    }

    /// The column asked once, before all else.
    #[inline(never)]
    pub fn split(a: &ByHand, wave: u32, lane: u32, row: u32, column: u32) -> u32 {
        let (m, k) = (row + (wave * 8 + lane / 8), column + lane % 8 * 8);
        let within = k < a.k;
        (0..4).fold(0, |all, again| {
            let m = m + again * 32;
            mixed(all, if (m < a.m) & within { m * a.pitch + k } else { u32::MAX }, again * 8)
        })
    }
}

/// The same at each step of 64 along K: the loop of a kernel that fetches.
pub mod window_steps {
    use super::global::{ByHand, Loads};

    #[inline(never)]
    pub fn ours(a: &Loads, wave: u32, lane: u32, row: u32, steps: u32) -> u32 {
        let (mut a, mut all) = (a.at([row, 0]), 0u32);
        for _ in 0..steps {
            a.each(wave, lane, |offset, valid, first| {
                if valid {
                    all = super::mixed(all, offset, first as u32);
                }
            });
            a.move_by([0, 64]);
        }
        all
    }

    #[inline(never)]
    pub fn hand(a: &ByHand, wave: u32, lane: u32, row: u32, steps: u32) -> u32 {
        let mut all = 0u32;
        for step in 0..steps {
            for again in 0..4 {
                let (m, k) = (row + again * 32 + (wave * 8 + lane / 8), step * 64 + lane % 8 * 8);
                if m < a.m && k < a.k {
                    all = super::mixed(all, m * a.pitch + k, again * 8);
                }
            }
        }
        all
    }

    /// Offsets that step, and rows that are asked before the loop.
    #[inline(never)]
    pub fn best(a: &ByHand, wave: u32, lane: u32, row: u32, steps: u32) -> u32 {
        let (m, mut k, mut all) = (row + (wave * 8 + lane / 8), lane % 8 * 8, 0u32);
        let rows: [u32; 4] = core::array::from_fn(|again| m + again as u32 * 32);
        let mut offsets = rows.map(|m| m * a.pitch + k);
        for _ in 0..steps {
            for (again, offset) in offsets.iter_mut().enumerate() {
                if (rows[again] < a.m) & (k < a.k) {
                    all = super::mixed(all, *offset, again as u32 * 8);
                }
                *offset += 64;
            }
            k += 64;
        }
        all
    }
}

/// Where the threads of `kernel.ll` write and read the xor tile, in bytes: 256 of them
/// write packs of eight, row after row, in four passes of 32 rows, and each wave of 64
/// reads operands of 32 rows, four below each other and four beside each other.
pub mod staging {
    use super::Xor128x64;

    /// The row and the column that a thread writes in a pass.
    pub const fn written(thread: u32, pass: u32) -> [u32; 2] {
        [thread / 8 + 32 * pass, thread % 8 * 8]
    }

    /// The row and the column that a lane reads in a step.
    pub const fn read(lane: u32, step: u32) -> [u32; 2] {
        [lane % 32 + step % 4 * 32, lane / 32 * 8 + step / 4 * 16]
    }

    #[inline(never)]
    pub fn ours_writes(thread: u32, pass: u32) -> u32 {
        Xor128x64::byte_at(written(thread, pass))
    }

    #[inline(never)]
    pub fn ours_reads(lane: u32, step: u32) -> u32 {
        Xor128x64::byte_at(read(lane, step))
    }
}
