//! No macro takes a name of the user's for one of its own: each exported macro, where the names of the prelude, of
//! `core`'s macros and derives, and of `tiledesc::chip` are things of the user's.

/// The names of the prelude, of `core` and of derives.
#[allow(dead_code, non_upper_case_globals, unused_imports, unused_macros)]
mod prelude_names {
    use ::tiledesc::prelude::{
        Element, F16, F32, KPack, Layout, Lit, MfmaRows, Number, Ranked, RowMajor, access,
        assert_bijective, assert_coalesced, assert_conflict_free, assert_direct_load,
        assert_injective, check_coalesced, check_conflict_free, check_direct_load, descriptor,
        direct_load, distribution, layout, lists, lower, number, pattern, recipe, seq, synthesize,
        upper,
    };

    type Result<T> = ::core::result::Result<T, ()>;
    struct Ok;
    struct Err;
    struct Option;
    const Some: u32 = 1;
    const None: u32 = 2;
    struct Default;
    struct PhantomData;
    // Each derive is another.
    use ::core::cmp::{Eq as Debug, Ord as Copy, PartialEq as Clone};
    mod core {}
    mod std {}
    mod chip {}
    mod tiledesc {}
    macro_rules! mine {
        ($($other:tt)*) => {
            ::core::compile_error!("the user's own macro");
        };
    }
    use {mine as stringify, mine as concat, mine as compile_error};

    descriptor! {
        pub(super) type Rows<Rows, Columns>:
            naive [Rows, Columns / 8, 8] strides [Columns, 8, 1] offset 0;
            xor[Rows, Columns / 8] (0, 1) -> (0, 1),    pass[8] (2) -> (2);
            pass[Rows] (0) -> (0),                      merge[Columns / 8, 8] (1, 2) -> (1);
    }
    layout! {
        pub(super) type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
        pub(super) type Floats = recipe::RowMajor<F32, M<64>, K<64>>;
        /// Neither declared nor checked.
        #[cfg(any())]
        type Never = recipe::GemmXor<F16, M<127>, K<63>, KPack<8>>;
        pub(super) type Mine = Layout<F16, Rows<64, 64>>;
        pub(super) type Any<Rows> = recipe::RowMajor<F16, Rows, K<64>>;
        #[may_overlap]
        pub(super) type Taps = Layout<F16, Taps14>;
    }
    descriptor! { type Taps14: naive [14, 3] strides [1, 1]; }
    assert_bijective! { Block }
    assert_injective! { Block, Floats }
    pattern! {
        /// Half a wave.
        pub(super) Half(lane) => [lane, 0] if lane < 32;
        Steps(lane, step in 4) => [lane, 8 * step], along 1;
        Every<const S: u32>(lane) => [S * (lane % 16), 8 * (lane / 16)];
        OfRows<Columns: Number>(lane) => [lane / (Columns::N / 8), lane % (Columns::N / 8) * 8];
    }
    distribution! {
        pub(super) type Operand: m [again 8, row 16], k [next 2, part 4, half 8];
            lane (part, row), thread (again, next, half);
        type OfLength<Rows>: m [copy 2, row Rows], k [part 4, half 8];
            lane (part, row), thread (copy, half);
    }
    assert_conflict_free! {
        Block on gfx942 as measured: read ds_read_b128 by MfmaRows<16>;
        Block on gfx942, gfx950:
            filled by global_load_lds_b32 by 4 waves,
            read ds_read_b128 by Operand;
        Block on gfx942: read ds_read_b128 by Operand, read ds_read_b128 by Half;
        Floats on gfx942: read ds_read2_b32(0, 64) by first RowMajor
    }
    access! {
        Block on gfx942 as documented:
            /// Reads.
            pub(super) type Reads = read ds_read_b128 by Operand,
            read ds_read_b128 by Half;
        Block on gfx942: type Again = read ds_read_b128 by Operand
    }
    assert_direct_load! { Block on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192 }
    assert_coalesced! { Operand on gfx942: global_load_dwordx4 of F16, from rows of multiples of 64, at most 64 lines }
    direct_load! {
        pub(super) type LoadA = Block on gfx942: global_load_lds_b32 by 4 waves interleaved,
            from rows of multiples of 8, with idle lanes;
    }
    direct_load! {
        type LoadOn<Chip: ::tiledesc::chip::Target, Columns: Number> =
            recipe::GemmXor<F16, Lit<128>, Columns, Lit<8>> on Chip:
            global_load_lds_b32 by 4 waves, from rows of multiples of 8;
    }
    synthesize! {
        pub(super) type Found = F16 [128, 32] on gfx942: read ds_read_b128 by MfmaRows<16>;
        type Weighed = F16 [64, 96] on gfx942:
            write ds_write_b128 by RowMajor times 1,
            read ds_read_b128 by MfmaRows<16>, read ds_read_b128 by MfmaRows<32>;
        at most 416 cycles;
        pub(super) type Certified = F16 [128, 32] on gfx942: read ds_read_b128 by MfmaRows<16>
        => recipe::GemmXor<F16, M<128>, K<32>, KPack<8>>;
    }
    pub(super) type Length = number!(8 * (2 + 1));
    pub(super) type Ids = (lower![[1, 0], [2]], upper![[0], [1, 2]]);
    pub(super) type Lists = (seq![1, 2 + 3], lists![[32], [4, 8]]);

    pub(super) fn kernel<Columns: Number>(m: u32, k: u32) -> u32 {
        check_conflict_free! {
            recipe::GemmXor<F16, Lit<128>, Columns, Lit<8>> on gfx942 as documented:
                read ds_read_b128 by MfmaRows<16>
        }
        check_coalesced! { Operand on gfx942: load_b128 of F16, from rows of Columns::N, at most 64 lines }
        check_direct_load! {
            recipe::GemmXor<F16, Lit<128>, Columns, Lit<8>> on gfx942:
                global_load_lds_b32 by 4 waves, from rows of multiples of 8
        }
        recipe::GemmXor::<F16, Lit<128>, Columns, Lit<8>>::at([m, k])
    }
}

/// The names of `tiledesc::chip`: layouts, patterns, a chip and constants that have them.
mod chip_names {
    use tiledesc::prelude::*;

    layout! {
        pub(super) type Chip = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
        pub(super) type Transfer = recipe::GemmXor<F16, M<64>, K<64>, KPack<8>>;
        type Phases = recipe::RowMajor<F32, M<64>, K<64>>;
    }
    pattern! {
        Access(lane) => [lane % 16, 8 * (lane / 16)];
        pub(super) Instruction(lane) => [lane % 16, 8 * (lane / 16)];
    }
    distribution! {
        type Service: m [again 8, row 16], k [next 2, part 4, half 8];
            lane (part, row), thread (again, next, half);
    }
    const CHIPS: u8 = 64;

    /// A chip of the user's.
    #[allow(non_upper_case_globals)]
    pub(super) mod vx {
        use tiledesc::chip::Instruction;

        pub(crate) const ds_read_b128: Instruction =
            tiledesc::chip::gfx942::ds_read_b128.on("vx", 1024 * 1024);
    }

    assert_conflict_free! {
        Chip on gfx942: read ds_read_b128 by Access, read ds_read_b128 by Service;
        Chip on vx, crate::hygiene::chip_names::vx: read ds_read_b128 by Instruction;
        Phases on gfx942: read ds_read2_b32(0, CHIPS) by first RowMajor
    }
    assert_direct_load! { Chip on gfx950: global_load_lds_b128 by 4 waves, from rows of 64 }
    direct_load! {
        pub(super) type Evidence = Chip on gfx950: global_load_lds_b128 by 4 waves, from rows of 64;
    }
    synthesize! {
        pub(super) type Tally = F16 [128, 32] on gfx942: read ds_read_b128 by Access;
        type Elsewhere = F16 [128, 32] on vx: read ds_read_b128 by Instruction;
    }

    pub(super) fn kernel<Instruction: Number>() -> u64 {
        check_conflict_free! {
            recipe::GemmXor<F16, M2, Instruction, U8> on gfx942: read ds_read_b128 by Access
        }
        recipe::GemmXor::<F16, M2, Instruction, U8>::SPACE
    }
    type M2 = U128;
}

/// Globs beside the prelude's: of a crate that it builds on, and of the user's own.
#[allow(unused_imports)]
mod other_globs {
    pub(super) mod mine {
        #[derive(Default)]
        pub(crate) struct Mine;
        pub(crate) use Mine as Buffer;
        pub(crate) use Mine as Error;
        pub(crate) use Mine as Offset;
        pub(crate) use Mine as Op;
        pub(crate) use Mine as Slice;
        pub(crate) use Mine as Chip;
        pub(crate) use Mine as Access;
        pub(crate) use Mine as Index;
    }
    use mine::*;
    use tiledesc::prelude::*;
    use typenum::*;
    // Numbers are both crates', so the one that is meant is named.
    use typenum::{U3, U5};

    layout! { pub(super) type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    assert_conflict_free! {
        Tile on gfx942: write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
    }
    /// `typenum`'s.
    pub(super) type Six = Xor<U5, U3>;

    pub(super) fn mine() -> [Mine; 8] {
        let all: (Buffer, Error, Offset, Op, Slice, Chip, Access, Index) = Default::default();
        [all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7]
    }
}

#[test]
fn mean_what_they_mean_elsewhere() {
    use tiledesc::direct::DirectLoads;
    use tiledesc::distribution::Distribution;
    use tiledesc::prelude::*;

    use prelude_names::{Block, Certified, Floats, Found, Half, LoadA, Mine, Operand};
    assert_eq!((Block::SPACE, Floats::SPACE, Mine::SPACE), (8192, 4096, 4096));
    assert_eq!(prelude_names::Any::<U8>::SPACE, 512);
    assert_eq!(prelude_names::Taps::ELEMENTS, 42);
    assert_eq!(Block::degree::<Half>(&tiledesc::chip::gfx942::ds_read_b128), 1);
    assert!(Operand::ENCODING.is_ok() && LoadA::PLAN.is_ok());
    // Eight reads of the tile, 8 cycles each.
    assert_eq!((Found.cycles, Certified.cycles), (64, 64));
    assert_eq!(prelude_names::Length::N, 24);
    assert_eq!(prelude_names::kernel::<U64>(3, 17), 201);
    assert_eq!(prelude_names::Rows([64, 64]).unwrap().elements(), 4096);
    assert_eq!(chip_names::kernel::<U64>(), 8192);
    assert_eq!(chip_names::Tally.cycles, 8);
    assert_eq!(chip_names::Transfer::SPACE, 4096);
    assert!(chip_names::Evidence::PLAN.is_ok());
    assert_eq!((other_globs::mine().len(), other_globs::Tile::SPACE), (8, 8192));
    assert_eq!(<other_globs::Six as Number>::N, 6);
}
