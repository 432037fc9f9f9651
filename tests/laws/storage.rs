//! The LDS of a kernel: buffers are as good as one, and what lives at one time lies apart.
//!
//! | promise | against |
//! |---|---|
//! | what is proven of a layout holds in every buffer | the verdict of each buffer, by itself |
//! | a distance that would change it is refused | the same |
//! | all buffers as one layout | the byte of every element |
//! | each place is the first that is free | every byte, tried |
//! | the GEMM's A, B and C | what is written is read back |

use support::fuzz::{Dice, cases};
use tiledesc::Op;
use tiledesc::access::{Accesses, Route};
use tiledesc::chip::{Chip, gfx942, gfx950, gfx1100, sm_90};
use tiledesc::distribution::{BlockRaked, ThreadRaked};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::recipe::{K, M, N};
use tiledesc::storage::{Accessing, Arena, Buffered, Size, StorageError, Stored};
use tiledesc::{Tile, access::Placed, chip::Instruction};

/// Cycles and degree of a pattern over a plan, or none if its addresses cannot be.
fn figures(plan: &Plan, bits: u32, lanes: Lanes, row: &Instruction) -> Option<[u64; 3]> {
    let verdict = Placed::new(plan, bits, lanes, row).and_then(|placed| placed.verdict()).ok()?;
    Some([verdict.degree().into(), verdict.worst_degree().into(), verdict.conflict_cycles()])
}

/// One buffer of all of them.
fn buffer(all: &Plan, number: u32) -> Plan {
    let [_, rows, columns] = all.lengths().as_slice().try_into().unwrap();
    let pass = |length| Op::PassThrough { length };
    let ops = [Op::Freeze { index: number }, pass(rows), pass(columns)];
    all.transform(&ops, &[&[0], &[1], &[2]], &[&[], &[0], &[1]]).unwrap()
}

/// Compares every buffer with one, for rows of all widths; says how often the distance was
/// refused, and rightly so.
fn compare<T: Tile, C: Number, A: Number>(chip: &Chip) -> [usize; 2] {
    let (one, all) = (LayoutOf::<T>::checked().unwrap(), Buffered::<T, C, A>::plan().unwrap());
    let bits = <T::Element as Element>::BITS;
    let (mut held, mut refused) = (0, 0);
    for row in chip.rows() {
        // Rows of any length: lane l in row l.
        let rows = Lanes::strided(one.lengths().at(1));
        for lanes in [Lanes::row_major(), Lanes::rows(16), Lanes::rows(32), rows] {
            let Some(wanted) = figures(&one, bits, lanes, row) else { continue };
            let found: Vec<_> =
                (0..C::N).map(|number| figures(&buffer(&all, number), bits, lanes, row)).collect();
            match Buffered::<T, C, A>::are_alike(row) {
                Ok(()) => {
                    assert!(found.into_iter().all(|found| found == Some(wanted)), "{}", row.name());
                    held += 1;
                }
                Err(StorageError::Apart { is_alignment: true, .. }) => {
                    assert_eq!(found[1], None, "{}", row.name());
                    refused += 1;
                }
                Err(StorageError::Apart { .. }) => {}
                Err(StorageError::Unaligned { alignment, unit }) => {
                    assert!(alignment == A::N && unit == row.alignment().max(4), "{}", row.name());
                    assert!(alignment < unit);
                }
                Err(other) => panic!("{other}"),
            }
        }
    }
    [held, refused]
}

#[test]
fn every_buffer_is_as_one() {
    let mut sum = [0, 0];
    let mut add = |[held, refused]: [usize; 2]| {
        sum = [sum[0] + held, sum[1] + refused];
    };
    for chip in [gfx942, gfx950, gfx1100, sm_90] {
        add(compare::<recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>, U3, U16>(&chip));
        add(compare::<recipe::RowPad<F16, M<64>, K<64>, Padding<4>>, U2, U16>(&chip));
        add(compare::<recipe::RowPad<F16, M<64>, K<64>, Padding<8>>, U3, U128>(&chip));
        // Packed as tightly as bytes go.
        add(compare::<recipe::RowPad<F16, M<64>, K<64>, Padding<4>>, U2, U1>(&chip));
        add(compare::<recipe::RowPad<F16, M<33>, K<40>, Padding<6>>, U2, U2>(&chip));
        add(compare::<recipe::RowMajor<F16, M<64>, K<33>>, U2, U2>(&chip));
        // Rows that are aligned, and a space that is not.
        add(compare::<recipe::RowPad<F16, M<64>, K<36>, Padding<4>>, U2, U1>(&chip));
        add(compare::<recipe::RowPad<F32, M<64>, K<3>, Padding<1>>, U3, U4>(&chip));
        add(compare::<recipe::RowPad<F8, M<64>, K<37>, Padding<3>>, U2, U1>(&chip));
        add(compare::<recipe::RowMajor<F8, M<64>, K<40>>, U4, U4>(&chip));
        add(compare::<recipe::RowMajor<F32, M<64>, K<33>>, U2, U16>(&chip));
    }
    println!("held, refused: {sum:?}");
    assert!(sum[0] > 300 && sum[1] > 30, "{sum:?}");
}

/// Two rows of 33 halves share a dword; of a second buffer 66 bytes later others do.
#[test]
fn a_distance_within_a_dword() {
    type Odd = recipe::RowMajor<F16, M<1>, K<33>>;
    let row = &gfx942::ds_read_u16;
    assert!(Buffered::<Odd, U2, U4>::are_alike(row).is_ok());
    let apart = Buffered::<Odd, U2, U2>::are_alike(row).unwrap_err();
    assert_eq!(
        apart.to_string(),
        "the buffers are 66 bytes apart, which is not a multiple of 4: in buffer 1 other elements \
         share a dword",
    );
    // One that lies apart is alone; but where it begins, its elements share dwords as they do in a tile that
    // begins at one.
    let anywhere = Buffered::<Odd, U1, U2>::are_alike(row).unwrap_err();
    assert_eq!(
        anywhere.to_string(),
        "the buffers begin at a multiple of 2 bytes, and the access needs one of 4",
    );
    assert!(Buffered::<Odd, U1, U4>::are_alike(row).is_ok());
}

#[test]
fn buffers_as_one_layout() {
    fn same<T: tiledesc::RankedTile<2>, C: Number, A: Number>() {
        let (one, all) = (LayoutOf::<T>::checked().unwrap(), Buffered::<T, C, A>::plan().unwrap());
        let bits = <T::Element as Element>::BITS;
        assert_eq!(all.lengths().as_slice()[1..], *one.lengths().as_slice());
        for id in 0..all.elements() {
            let index = all.nth(id);
            let [number, row, column] = index.as_slice().try_into().unwrap();
            let byte = Buffered::<T, C, A>::byte_at(number, [row, column]);
            assert_eq!(all.offset(index.as_slice()).unwrap() * bits / 8, byte);
            assert!(byte + bits / 8 <= Buffered::<T, C, A>::BYTES);
        }
        assert!(all.prove_injective().is_ok());
        let spanned = all.element_space() * u64::from(bits);
        assert_eq!(spanned.div_ceil(8), u64::from(Buffered::<T, C, A>::BYTES));
    }
    same::<recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>, U3, U16>();
    same::<recipe::GemmXorLayer<F8, M<64>, K<32>, KPack<16>, MLdsLayer<4>>, U2, U16>();
    same::<recipe::RowPad<F16, M<33>, K<40>, Padding<6>>, U4, U64>();
    same::<recipe::RowMajor<F32, M<7>, K<5>>, U2, U16>();
    same::<recipe::RowMajor<F4, M<6>, K<10>>, U2, U16>();
    // 16 bytes are not a whole number of 6 bits.
    let fraction = Buffered::<recipe::RowMajor<F6, M<4>, K<4>>, U2>::plan().unwrap_err();
    assert_eq!(
        fraction.to_string(),
        "the buffers are 16 bytes apart, which is not a whole number of 6-bit elements",
    );
}

/// Every program of holds and drops, against every byte.
#[test]
fn places_are_the_first_that_are_free() {
    const NAMES: [&str; 24] = [
        "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q", "r",
        "s", "t", "u", "v", "w", "x",
    ];
    let (mut dice, mut held, mut full, cases) = (Dice(7), 0, 0, cases("places"));
    for _ in 0..cases {
        let memory = 64 + dice.below(700);
        let mut arena = Arena::new("here", memory);
        let mut alive: Vec<(&str, u32, u32)> = Vec::new();
        let mut end = 0;
        for name in NAMES {
            match dice.below(8) {
                0 if !alive.is_empty() => {
                    let (name, ..) = alive.swap_remove(dice.below(alive.len() as u32) as usize);
                    arena = arena.drops(name);
                }
                1 if dice.one_in(4) => {
                    alive.clear();
                    arena = arena.then();
                }
                _ => {}
            }
            let (bytes, alignment) = (dice.below(200), 1 << dice.below(8));
            let fits = |begin: &u32| {
                let apart = |(_, other, length): &(&str, u32, u32)| {
                    (0..bytes).all(|byte| !(*other..other + length).contains(&(begin + byte)))
                };
                begin.is_multiple_of(alignment) && alive.iter().all(apart)
            };
            let wanted = (0..10_000).find(fits).unwrap();
            let size = Size::new(bytes).aligned(alignment.into()).unwrap();
            match arena.with(name, size) {
                Ok(larger) => {
                    // Of nothing any place is free.
                    assert!(larger.at(name) == wanted || bytes == 0);
                    assert!(larger.at(name) + bytes <= memory);
                    arena = larger;
                    end = end.max(arena.at(name) + bytes);
                    alive.push((name, arena.at(name), bytes));
                    held += 1;
                }
                Err(StorageError::Full { begin, others, .. }) => {
                    assert!(wanted + bytes > memory);
                    assert_eq!((begin, others as usize), (wanted.into(), alive.len()));
                    full += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert_eq!(arena.bytes(), end);
    }
    assert!(held > 5 * cases && full > cases, "{held} {full}");
}

/// What a GEMM keeps: A and B twice, and C in their place.
struct Gemm<T, const BM: usize, const BN: usize, const BK: usize>(core::marker::PhantomData<T>);

type ABlock<T, const BM: usize, const BK: usize> = recipe::GemmXor<T, M<BM>, K<BK>, KPack<8>>;
type BBlock<T, const BN: usize, const BK: usize> = recipe::GemmXor<T, M<BN>, K<BK>, KPack<8>>;
type CBlock<T, const BM: usize, const BN: usize> = recipe::CShuffle<T, M<BM>, N<BN>>;
type TwiceA<T, const BM: usize, const BK: usize> = Buffered<ABlock<T, BM, BK>, U2>;
type TwiceB<T, const BN: usize, const BK: usize> = Buffered<BBlock<T, BN, BK>, U2>;

impl<T: Element, const BM: usize, const BN: usize, const BK: usize> Gemm<T, BM, BN, BK> {
    const LOOP: Arena = Arena::on(&gfx942)
        .holds::<TwiceA<T, BM, BK>>("a")
        .accessed_by::<Accesses<ThreadRaked<M<BM>, K<BK>, U8, U4>, ABlock<T, BM, BK>, U8>>()
        .holds::<TwiceB<T, BN, BK>>("b");
    const LDS: Arena = Self::LOOP.then().holds::<CBlock<T, BM, BN>>("c");
    const A: u32 = Self::LOOP.at("a");
    const B: u32 = Self::LOOP.at("b");
    const C: u32 = Self::LDS.at("c");
    /// What the addresses of the stores need.
    const ALIGNMENT: u64 =
        Accesses::<ThreadRaked<M<BM>, K<BK>, U8, U4>, ABlock<T, BM, BK>, U8>::ADDRESSING
            .alignment();

    /// Every element of what lives at one time is written, and then read.
    fn check() {
        check_conflict_free! {
            TwiceA<T, BM, BK> on gfx942:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>;
            TwiceB<T, BN, BK> on gfx942:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
        }
        let mut lds = vec![0u32; Self::LDS.bytes() as usize / 2];
        let of = |rows: usize, columns: usize| {
            (0..rows as u32).flat_map(move |row| (0..columns as u32).map(move |c| [row, c]))
        };
        let mut places = Vec::new();
        for step in 0..2 {
            let a = of(BM, BK).map(|at| Self::A + TwiceA::<T, BM, BK>::byte_at(step, at));
            let b = of(BN, BK).map(|at| Self::B + TwiceB::<T, BN, BK>::byte_at(step, at));
            places.extend(a.chain(b));
        }
        for places in
            [places, of(BM, BN).map(|at| Self::C + CBlock::<T, BM, BN>::byte_at(at)).collect()]
        {
            for (number, byte) in (0..).zip(&places) {
                lds[*byte as usize / 2] = number;
            }
            for (number, byte) in (0..).zip(&places) {
                assert_eq!(lds[*byte as usize / 2], number);
            }
        }
    }
}

#[test]
fn the_lds_of_a_gemm() {
    Gemm::<F16, 128, 128, 64>::check();
    Gemm::<F16, 64, 128, 32>::check();
    Gemm::<BF16, 256, 64, 32>::check();
    type Large = Gemm<F16, 128, 128, 64>;
    assert_eq!((Large::A, Large::B, Large::C, Large::LDS.bytes()), (0, 32768, 0, 65536));
    type Flat = Gemm<F16, 256, 64, 16>;
    assert_eq!((Flat::A, Flat::B, Flat::C, Flat::LDS.bytes()), (0, 16384, 0, 32768));
    // Rows further apart want a larger alignment, if the swizzle meets them.
    type Far = Accesses<BlockRaked<U128, U64, U8, U4>, ABlock<F16, 128, 64>, VectorSize<8>>;
    assert_eq!((Large::ALIGNMENT, Far::ADDRESSING.alignment()), (512, 16));
}

#[test]
fn refusals_say_why() {
    let said = |made: Result<Arena, StorageError>| made.unwrap_err().to_string();
    let half = Size::new(40_000);
    let one = Arena::on(&gfx942).with("a", half).unwrap();
    assert_eq!(
        said(one.with("b", half)),
        "b does not fit: it would take bytes 40000 to 79999, but gfx942 has 65536 (1 other buffer is live)",
    );
    assert_eq!(said(one.with("a", half)), r#"two buffers have the name "a""#);
    let three = one.with("b", Size::new(8)).unwrap().with("c", Size::new(8)).unwrap();
    assert_eq!(
        said(three.with("d", half)),
        "d does not fit: it would take bytes 40032 to 80031, but gfx942 has 65536 (3 other buffers are live)",
    );
    assert_eq!(
        said(Arena::on(&gfx942).with("a", Size::new(70_000))),
        "a does not fit: it would take bytes 0 to 69999, but gfx942 has 65536",
    );
    // gfx950 has 163840.
    assert!(Arena::on(&gfx950).with("a", Size::new(70_000)).is_ok());
    assert_eq!(Size::new(8).times(0).unwrap_err().to_string(), "0 buffers: at least one is needed");
    assert_eq!(
        Size::new(1 << 31).times(3).unwrap_err().to_string(),
        "6442450944 bytes do not fit into 32 bits",
    );
    type Wrong = recipe::GemmXor<F16, M<128>, K<60>, KPack<8>>;
    assert_eq!(Wrong::SIZE.unwrap_err().to_string(), "K = 60 is not a multiple of KPack = 8");
    type Block = recipe::RowMajor<F16, M<128>, K<64>>;
    assert_eq!(
        Buffered::<Block, U5>::are_alike(&gfx942::ds_read_b128).unwrap_err().to_string(),
        "all buffers together take 81920 bytes, but gfx942 has 65536",
    );
    assert_eq!(Size::new(8).aligned(1 << 31).unwrap().alignment(), 1 << 31);
    assert!(Size::new(8).aligned(1 << 32).is_err());
    let mut full = Arena::on(&gfx942);
    const NAMES: &str = "abcdefghijklmnopqrstuvwxyzABCDEFG";
    for i in 0..Arena::MOST {
        full = full.with(&NAMES[i..=i], Size::new(1)).unwrap();
    }
    assert_eq!(said(full.with("G", Size::new(1))), "an arena holds at most 32 buffers");
    // Full as it is, it knows what it has not.
    assert_eq!((full.size("G"), full.at("F"), full.then().bytes()), (None, 31 * 16, 31 * 16 + 1));
}

/// Whether a tile that begins at a byte is accessed there as it was judged at byte 0: each vector aligned, each
/// address that is an xor of another that of its element, and the same dwords shared.
fn is_as_judged<D: Distribution, L: Tile<Descriptor: Default>, P: Number>(base: u32) -> bool {
    let routes = Accesses::<D, L, P>::ADDRESSING;
    let bytes = Accesses::<D, L, P>::BYTES;
    (0..D::WAVES)
        .flat_map(|wave| (0..D::ENCODING.unwrap().lanes()).map(move |lane| (wave, lane)))
        .all(|(wave, lane)| {
            let mut relative = Vec::new();
            Accesses::<D, L, P>::each(wave, lane, |address, immediate, _, _| {
                relative.push(address + immediate);
            });
            let first = base + relative[0];
            relative.iter().zip(routes.routes()).all(|(relative, route)| {
                let here = match route {
                    Route::Xor { constant } => first ^ constant,
                    _ => base + relative,
                };
                here == base + relative
                    && here.is_multiple_of(bytes)
                    && here / 4 * 4 == base + relative / 4 * 4
            })
        })
}

/// Where the arena puts what is accessed, behind so many bytes: the first multiple of 2 from which on it is accessed
/// as it was judged, by trying each; and in each of its copies, or it is refused.
fn placed<D: Distribution, L: Tile<Descriptor: Default>, P: Number, A: Number>() -> [usize; 2] {
    let (mut held, mut refused) = (0, 0);
    for before in [0, 2, 40, 42, 130, 384, 1026] {
        let needs = Accesses::<D, L, P>::NEEDS.unwrap();
        let arena = Arena::new("here", 1 << 20);
        let arena = arena.with("flags", Size::new(before).aligned(2).unwrap()).unwrap();
        let arena = arena.with("a", Buffered::<L, U2, A>::SIZE.unwrap()).unwrap();
        let distance = Buffered::<L, U2, A>::DISTANCE;
        let as_judged = |base: &u32| is_as_judged::<D, L, P>(*base);
        let first = (before..).filter(|base| base % A::N == 0).find(as_judged).unwrap();
        match arena.with_accesses(needs) {
            Ok(arena) => {
                assert_eq!(arena.at("a"), first, "{before} {}", needs.alignment());
                assert!(as_judged(&(first + distance)));
                assert_eq!(arena.bytes(), first + Buffered::<L, U2, A>::BYTES);
                held += 1;
            }
            Err(error) => {
                assert!(matches!(error, StorageError::Misplaced { .. }), "{error}");
                assert!(!as_judged(&(first + distance)));
                refused += 1;
            }
        }
    }
    [held, refused]
}

distribution! { type Steps: m [again 3, row 4], k [chunk 8, half 8]; lane (row, chunk), thread (again, half); }

#[test]
fn accesses_are_in_memory_as_they_were_judged() {
    type Raked<P> = ThreadRaked<U128, U64, P, U4>;
    type Xor<P> = recipe::GemmXor<F16, M<128>, K<64>, P>;
    type Four = Naive<seq![128, 16], seq![16, 1]>;
    let counts = [
        placed::<Raked<U8>, Xor<U8>, U8, U16>(),
        placed::<Raked<U8>, Xor<U8>, U8, U2>(),
        placed::<Raked<U4>, Xor<U4>, U4, U2>(),
        placed::<Raked<U8>, recipe::RowPad<F16, U128, U64, U8>, U8, U2>(),
        placed::<Raked<U4>, recipe::RowPad<F16, U128, U64, U4>, U4, U2>(),
        placed::<Raked<U4>, recipe::RowPad<F16, U128, U64, U4>, U4, U4>(),
        placed::<Raked<U2>, recipe::RowPad<F16, U128, U64, U2>, U2, U2>(),
        placed::<ThreadRaked<U128, U16, U1, U4>, Layout<F16, Four>, U1, U2>(),
        placed::<ThreadRaked<U128, U64, U4, U4>, recipe::RowPad<F16, U128, U64, U4>, U4, U8>(),
        // 12 rows are 1536 bytes, and the second access is the first xor 576.
        placed::<Steps, recipe::GemmXor<F16, M<12>, K<64>, U8>, U8, U2>(),
        placed::<Steps, recipe::GemmXor<F16, M<12>, K<64>, U8>, U8, Lit<1024>>(),
    ];
    let sum = counts.iter().fold([0, 0], |sum, count| [sum[0] + count[0], sum[1] + count[1]]);
    println!("held, refused: {sum:?} {counts:?}");
    assert!(sum[0] > 40 && sum[1] > 6, "{sum:?}");
}

/// What constants refuse, tried at run time.
macro_rules! refused {
    ($($name:ident $sentence:literal: $body:expr;)*) => {$(
        #[test]
        #[should_panic(expected = $sentence)]
        fn $name() {
            type Block = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>;
            let arena = Arena::on(&gfx942).holds::<Block>("a").holds::<Buffered<Block, U2>>("b");
            let refused: fn(Arena) -> u32 = $body;
            let _ = refused(arena);
        }
    )*};
}

refused! {
    an_unknown_name_is_dropped "c: no buffer has this name": |arena| arena.drops("c").bytes();
    one_is_dropped_twice "a was dropped before": |arena| arena.drops("a").drops("a").bytes();
    one_is_dropped_after_all "b was dropped before": |arena| arena.then().drops("b").bytes();
    a_name_is_given_twice r#"two buffers have the name "a""#: |arena| arena.then().holds_bytes("a", 8).bytes();
    an_alignment_is_odd "c: an alignment of 24 bytes": |arena| {
        arena.holds_aligned::<recipe::RowMajor<F32, U1, U1>>("c", 24).bytes()
    };
    a_layout_cannot_be "c: K = 60 is not a multiple of KPack = 8": |arena| {
        arena.holds::<recipe::GemmXor<F16, M<128>, K<60>, KPack<8>>>("c").bytes()
    };
    buffers_lie_apart "c has copies 17408 bytes apart, which is not a multiple of 2048": |arena| {
        arena.drops("b").then().holds_aligned::<Buffered<Block, U2>>("c", 2048).bytes()
    };
    a_place_is_asked_for_after_all "a has ended: ask the arena in which it lives": |arena| arena.then().at("a");
    a_place_is_anothers "b has ended, and c lies in its place": |arena| {
        arena.drops("b").holds_bytes("c", 64).at("b")
    };
    accesses_of_nothing "accesses are of what was held last": |arena| {
        type Rows = Accesses<ThreadRaked<U128, U64, U4, U4>, Block, VectorSize<4>>;
        arena.then().accessed_by::<Rows>().bytes()
    };
    accesses_of_a_larger_tile "b has 17400 bytes, and its accesses are of a layout of 32768": |arena| {
        type Large = recipe::GemmXor<F16, M<256>, K<64>, KPack<8>>;
        arena.accessed_by::<Accesses<ThreadRaked<U256, U64, U8, U4>, Large, VectorSize<8>>>().bytes()
    };
    accesses_of_another_layout "c is accessed in another layout than it is held in: (127, 63) is at byte 16382 of the one, at byte 16270": |arena| {
        type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
        type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
        type Stores = Accesses<ThreadRaked<U128, U64, U8, U4>, Xor, VectorSize<8>>;
        arena.then().holds::<Buffered<Rows, U2>>("c").accessed_by::<Stores>().bytes()
    };
    a_direct_load_of_another_layout "c is accessed in another layout than it is held in: (127, 63) is at byte 16382": |arena| {
        type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
        direct_load! {
            type Load = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>> on gfx950: global_load_lds_b128 by 4 waves, from rows of 64;
        }
        arena.then().holds::<Rows>("c").accessed_by::<Load>().bytes()
    };
    accesses_of_another_tile "c is held as a tile of [64, 128] and accessed as one of [128, 64]": |arena| {
        type Wide = recipe::RowMajor<F16, M<64>, K<128>>;
        type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
        type Stores = Accesses<ThreadRaked<U128, U64, U8, U4>, Rows, VectorSize<8>>;
        arena.then().holds_aligned::<Wide>("c", 64).accessed_by::<Stores>().bytes()
    };
    accesses_that_cannot_be "byte 136 of lane 0 is not aligned to 16": |arena| {
        arena.accessed_by::<Accesses<ThreadRaked<U128, U64, U8, U4>, Block, VectorSize<8>>>().bytes()
    };
    buffers_are_none "Twice: 0 buffers: at least one is needed": |_| {
        Buffered::<recipe::RowMajor<F32, U1, U1>, Lit<0>>::check("Twice");
        0
    };
    buffers_overlap_themselves "Taps: ": |_| {
        Buffered::<Layout<F16, Naive<seq![14, 3], seq![1, 1]>>, U2>::check("Taps");
        0
    };
}

#[test]
fn places_that_are_found() {
    type Block = recipe::RowPad<F16, M<128>, K<64>, Padding<4>>;
    let arena = Arena::on(&gfx942).holds::<Block>("a").holds::<Buffered<Block, U2>>("b");
    assert_eq!((arena.at("a"), arena.at("b"), arena.bytes()), (0, 17408, 17408 + 17408 + 17400));
    assert_eq!(arena.size("a").map(|size| size.bytes()), Some(17400));
    assert_eq!(arena.size("c"), None);
    // 8 bytes are free behind a; 16 are not.
    let arena = arena.with("gap", Size::new(8).aligned(8).unwrap()).unwrap();
    assert_eq!(arena.at("gap"), 17400);
    let far = arena.holds_aligned::<recipe::RowMajor<F32, U1, U1>>("far", 512);
    assert_eq!(far.at("far"), 52224);
    // What was dropped leaves room, and its size stays known.
    let dropped = far.drops("a").holds_bytes("sums", 17_000);
    assert_eq!((dropped.at("sums"), dropped.bytes()), (0, 52228));
    assert_eq!(dropped.size("a").map(|size| size.bytes()), Some(17400));
    // Memory before the first element of a layout belongs to it.
    type Later = Layout<F16, tiledesc::NaiveWithOffset<seq![4, 8], seq![8, 1], U16>>;
    assert_eq!(Later::SIZE.unwrap().bytes(), 2 * (16 + 32));
}
