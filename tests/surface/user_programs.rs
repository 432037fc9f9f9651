//! What users type: programs whose shape is a requirement. They are written here as
//! they would be in a user's crate; if one of them gets uglier, the design is wrong.

/// A ready-made layout, its proof, an address.
mod ready_made {
    use tiledesc::prelude::*;

    layout! {
        /// A operand of the block: 128 rows of M, 64 of K, fp16, packs of eight.
        pub(crate) type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    }

    assert_conflict_free! {
        ABlock on gfx942:
            write ds_write_b128 by RowMajor,
            read  ds_read_b128  by MfmaRows<16>,
            read  ds_read_b128  by MfmaRows<32>,
    }
    assert_bijective! { ABlock }

    const ROW_3: u32 = ABlock::offset([3, 0]);

    #[inline]
    fn a_address(m: u32, k: u32) -> u32 {
        ABlock::byte_at([m, k])
    }

    #[test]
    fn address() {
        assert_eq!(ROW_3, 216);
        assert_eq!(a_address(3, 17), 402);
        assert_eq!(ABlock::byte_offset([3, 17]), 402);
        assert_eq!(size_of::<ABlock>(), 0);
    }
}

/// CK Tile's index swapping by hand, for any K, M, pack P and layer count L.
mod by_hand {
    use tiledesc::{Xor, prelude::*};

    descriptor! {
        pub(crate) type Swapped<K, M, P, L>:
            naive [K/P*L, M/L, P] strides [P, K*L, 1];
            xor[M/L, K/P*L] (1, 0) -> (1, 0),   pass[P] (2) -> (2);
            unmerge[L, K/P] (0) -> (0, 2),      pass[M/L] (1) -> (1),   pass[P] (2) -> (3);
            merge[M/L, L] (1, 0) -> (0),        merge[K/P, P] (2, 3) -> (1);
    }
    layout! { pub(crate) type Mine = Layout<F16, Swapped<64, 128, 8, 1>>; }

    /// The same without the macros: a plain type.
    type Plain = Transformed<
        Naive<seq![8, 128, 8], seq![8, 64, 1]>,
        (Xor<Lit<128>, Lit<8>>, PassThrough<Lit<8>>),
        lower![[1, 0], [2]],
        upper![[1, 0], [2]],
    >;

    #[test]
    fn is_the_recipe() {
        layout! { type Recipe = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
        let (mine, recipe) = (Mine::PLAN, Recipe::PLAN);
        for id in 0..mine.elements() {
            let index = mine.nth(id);
            assert_eq!(mine.offset(index.as_slice()), recipe.offset(index.as_slice()));
        }
    }

    #[test]
    fn plain_type() {
        assert_eq!(Plain::default().at([2u32, 3, 1]), 8 + 3 * 64 + 1);
    }
}

/// A kernel generic over its tile, with no bounds but `Number`.
mod generic_kernel {
    use super::by_hand::Swapped;
    use tiledesc::prelude::*;

    fn stage<K: Number, M: Number>(lds: &mut [u16], m: u32, k: u32, v: u16) {
        lds[Layout::<F16, Swapped<K, M, U8, U1>>::at([m, k]) as usize] = v;
    }

    fn stage_const<const K: usize, const M: usize>(lds: &mut [u16], m: u32, k: u32, v: u16) {
        lds[Layout::<F16, Swapped<Lit<K>, Lit<M>, U8, U1>>::at([m, k]) as usize] = v;
    }

    fn stage_recipe<K: Number, M: Number>(m: u32, k: u32) -> u32 {
        recipe::GemmXor::<F16, M, K, U8>::byte_at([m, k])
    }

    #[test]
    fn stores() {
        let mut lds = vec![0; 64 * 128];
        stage::<U64, Lit<128>>(&mut lds, 3, 17, 7);
        stage_const::<64, 128>(&mut lds, 3, 18, 8);
        assert_eq!((lds[201], lds[202]), (7, 8));
        assert_eq!(stage_recipe::<U64, U128>(3, 17), 402);
    }
}

/// Global memory: lengths known at run time, padded, walked by a coordinate.
mod global_memory {
    use tiledesc::{Error, prelude::*};

    fn walk(m: u32, k: u32, pad_m: u32, row: u32) -> Result<Vec<u32>, Error> {
        let a = Naive::new([Dyn(m), Dyn(k)], [Dyn(k), Dyn(1)])?.transform(
            (RightPad::new(Dyn(m), Dyn(pad_m)), PassThrough::new(Dyn(k))),
            lower![[0], [1]],
            upper![[0], [1]],
        )?;
        let mut offsets = Vec::new();
        let mut at = a.coordinate([row, 0]);
        while at.is_valid() {
            offsets.push(at.offset());
            at.step([0, 8]);
        }
        Ok(offsets)
    }

    #[test]
    fn walks() {
        assert_eq!(walk(10, 32, 6, 9), Ok(vec![288, 296, 304, 312]));
        assert_eq!(walk(10, 32, 6, 10), Ok(vec![]));
        let too_large = walk(65537, 65537, 0, 0).unwrap_err().to_string();
        assert_eq!(
            too_large,
            "the element space of 4295098369 elements exceeds 32-bit offsets (at most 4294967296)"
        );
    }
}

/// Global memory with ragged edges: an offset or nothing.
mod ragged_edges {
    use tiledesc::{Error, prelude::*};

    const BM: u32 = 16;
    const BK: u32 = 32;

    fn load(m: u32, k: u32, row: u32, column: u32) -> Result<Option<u32>, Error> {
        let a = Naive::rows(m, k).padded_to([BM, BK])?;
        if let Some(at) = a.valid_offset([row, column]) {
            return Ok(Some(at));
        }
        Ok(None)
    }

    #[test]
    fn loads() {
        assert_eq!(load(10, 40, 9, 39), Ok(Some(399)));
        assert_eq!(load(10, 40, 9, 40), Ok(None));
        assert_eq!(load(10, 40, 10, 0), Ok(None));
        assert_eq!(load(10, 40, 64, 0), Ok(None));
        let none = load(0, 40, 0, 0).unwrap_err().to_string();
        assert!(none.contains("[0, 40] has a length of 0"), "{none}");
        let large = load(65537, 65537, 0, 0).unwrap_err().to_string();
        assert!(large.contains("4295098369 elements"), "{large}");
        let tile = Naive::rows(10, 40).padded_to([16, 0]).unwrap_err().to_string();
        assert!(tile.contains("padded_to[16, 0] has a length of 0"), "{tile}");
    }
}

/// Property tests of your own layout.
mod property_tests {
    use super::by_hand::Mine;
    use proptest::prelude::*;
    use tiledesc::prelude::*;
    use tiledesc_proptest::coordinate_of;

    proptest! {
        #[test]
        fn every_element_has_its_own_place(a in coordinate_of::<Mine>(), b in coordinate_of::<Mine>()) {
            prop_assert_eq!(a == b, Mine::at(a) == Mine::at(b));
        }
    }

    #[test]
    fn bijective() {
        law::bijective::<Mine>().unwrap();
    }
}

/// A chip this crate does not know.
mod own_chip {
    use tiledesc::chip::{Instruction, Phases};
    use tiledesc::prelude::*;

    const MY_READ: Instruction = Instruction::read("vx_read_b64", 8)
        .banks(64)
        .phases(Phases::contiguous(32))
        .source("measured here, 2026-11");

    #[test]
    fn verdict() {
        layout! { type Rows = recipe::RowMajor<F16, M<128>, K<64>>; }
        assert_eq!(Rows::degree::<MfmaRows<32>>(&MY_READ), 16);
    }
}

/// Somebody else's notation in, a verdict and HIP out, at run time.
mod notation {
    use tiledesc::chip::gfx942;
    use tiledesc::prelude::*;
    use tiledesc_host::emit::{self, Emit};
    use tiledesc_host::exchange::cute;

    fn judged(text: &str) -> Result<[String; 2], Box<dyn core::error::Error>> {
        let tile = cute::parse(text)?;
        let verdict = tile.verdict(F16, MfmaRows::<16>, gfx942.instruction("ds_read_b128")?)?;
        Ok([verdict.to_string(), tile.emit(emit::HIP, "a_address", ["m", "k"])?])
    }

    #[test]
    fn says_and_prints() {
        let [verdict, code] = judged("Sw<3,3,3> o 0 o (128,64):(64,1)").unwrap();
        assert!(verdict.starts_with("ds_read_b128 on gfx942: free of conflicts."), "{verdict}");
        assert!(code.contains("return (m << 6) + (k ^ (m & 7) << 3);"), "{code}");
        let [verdict, _] = judged("(128,64):(64,1)").unwrap();
        assert!(verdict.starts_with("ds_read_b128 on gfx942: 4-way in phase 0"), "{verdict}");
        assert!(judged("Sw<3,3").is_err());
    }
}

/// Elements narrower than a byte.
mod sub_byte {
    use tiledesc::prelude::*;

    layout! { type Fp4 = recipe::RowMajor<F4, M<64>, K<128>>; }

    #[test]
    fn two_share_a_byte() {
        assert_eq!(Fp4::BYTES, 4096);
        assert_eq!((Fp4::bit_offset([1, 3]), Fp4::byte_offset([1, 3])), (524, 65));
        assert_eq!(Fp4::byte_at([1u32, 3]), 65);
    }
}

/// A generic kernel, checked where it is instantiated: the error names `kernel::<128, 96>`.
mod generic_tile {
    use tiledesc::prelude::*;

    layout! {
        type ATile<const BM: usize, const BK: usize> =
            recipe::GemmXor<F16, M<BM>, K<BK>, KPack<8>>;
        type Any<E, Rows> = recipe::RowMajor<E, Rows, K<64>>;
    }

    fn kernel<const BM: usize, const BK: usize>(lds: &mut [u16], m: u32, k: u32, v: u16) {
        check_conflict_free! {
            ATile<BM, BK> on gfx942, gfx950:
                write ds_write_b128 by RowMajor, read ds_read_b128 by MfmaRows<16>
        }
        lds[ATile::<BM, BK>::at([m, k]) as usize] = v;
    }

    /// Generic over the layout, of two dimensions.
    fn store<T: RankedTile<2>>(lds: &mut [u16], m: u32, k: u32, v: u16) {
        lds[LayoutOf::<T>::at([m, k]) as usize] = v;
    }

    /// Generic over a descriptor that is a value.
    fn third_row<D: Descriptor + Ranked<2>>(tile: D, k: u32) -> u32 {
        tile.at([3, k])
    }

    #[test]
    fn stores() {
        let mut lds = vec![0; 64 * 128];
        kernel::<128, 64>(&mut lds, 3, 17, 7);
        store::<ATile<128, 64>>(&mut lds, 3, 18, 8);
        assert_eq!((lds[201], lds[202]), (7, 8));
        assert_eq!(Any::<F32, Lit<8>>::BYTES, 2048);
        assert_eq!(third_row(ATile::<128, 64>::default(), 17), 201);
    }
}

/// Many layouts in a block, and a type of the user's own with constants and an `M`.
mod blocks {
    use tiledesc::prelude::*;

    /// The user's own rows.
    #[derive(Clone, Copy, Default)]
    struct M<const ROWS: usize>;
    impl Number for M<12> {
        const N: u32 = 12;
    }
    type Own<const BM: usize, const BK: usize> = recipe::RowMajor<F16, Lit<BM>, Lit<BK>>;
    type OfRows<R> = recipe::RowMajor<F16, R, Lit<64>>;

    layout! {
        type T0 = recipe::GemmXorLayer<F16, M<64>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T1 = recipe::GemmXorLayer<F16, M<72>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T2 = recipe::GemmXorLayer<F16, M<80>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T3 = recipe::GemmXorLayer<F16, M<88>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T4 = recipe::GemmXorLayer<F16, M<96>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T5 = recipe::GemmXorLayer<F16, M<104>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T6 = recipe::GemmXorLayer<F16, M<112>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T7 = recipe::GemmXorLayer<F16, M<120>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T8 = recipe::GemmXorLayer<F16, M<128>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T9 = recipe::GemmXorLayer<F16, M<136>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T10 = recipe::GemmXorLayer<F16, M<144>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T11 = recipe::GemmXorLayer<F16, M<152>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T12 = recipe::GemmXorLayer<F16, M<160>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T13 = recipe::GemmXorLayer<F16, M<168>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T14 = recipe::GemmXorLayer<F16, M<176>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T15 = recipe::GemmXorLayer<F16, M<184>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T16 = recipe::GemmXorLayer<F16, M<192>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T17 = recipe::GemmXorLayer<F16, M<200>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T18 = recipe::GemmXorLayer<F16, M<208>, K<64>, KPack<8>, MLdsLayer<1>>;
        type T19 = recipe::GemmXorLayer<F16, M<216>, K<64>, KPack<8>, MLdsLayer<1>>;
        type Mine = Own<128, 64>;
        type Twelve = OfRows<M<12>>;
    }

    #[test]
    fn all_are_there() {
        assert_eq!((T0::ELEMENTS, T19::ELEMENTS), (64 * 64, 216 * 64));
        assert_eq!((Mine::ELEMENTS, Twelve::ELEMENTS), (128 * 64, 12 * 64));
    }
}

/// The kernel's own accesses: one type gives the addresses and the verdict.
mod own_accesses {
    use tiledesc::{distribution::Within, matrix::mfma, prelude::*};

    layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    distribution! {
        type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
        type Waves: m [down 2, wave 2], k [deep 4];
            repeat [across 2], wave (wave, across), thread (down, deep);
    }
    access! {
        ABlock on gfx942:
            type Store = write ds_write_b128 by Fetch,
            type Load = read ds_read_b128 by Within<Waves, mfma::Operand<U32, U16>>
    }

    #[test]
    fn addresses() {
        let (mut stores, mut loads) = (Vec::new(), Vec::new());
        Store::each(1, 10, |byte, immediate, _, _| stores.push(byte + immediate));
        Load::each(0, 33, |byte, immediate, _, _| loads.push(byte + immediate));
        // Lane 10 of wave 1: row 9, and 32 rows on, and on; lane 33 of wave 0: row 1, packs 1, 3, 5, 7.
        assert_eq!(stores, [9, 41, 73, 105].map(|row| ABlock::byte_at([row, 16])));
        assert_eq!(loads[..4], [8, 24, 40, 56].map(|k| ABlock::byte_at([1, k])));
    }
}

/// Which layout? Found by the compiler, proven, and readable when pasted.
mod found {
    use tiledesc::{distribution::BlockRaked, prelude::*};

    type Fetch = BlockRaked<U128, U32, U8, U4>;
    synthesize! {
        type ABlock = F16 [128, 32] on gfx950:
            write ds_write_b128 by Fetch,
            read  ds_read_b128  by MfmaRows<16>, read ds_read_b128 by MfmaRows<32> times 4;
    }

    #[test]
    fn is_pasted() {
        let text = ABlock.to_string();
        assert!(text.starts_with("recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, "), "{text}");
        assert_eq!(ABlock.cycles, ABlock.found().floor);
        assert_eq!(ABlock::BYTES, 8192);
    }
}

/// Straight to LDS, or a sentence that says why not.
mod straight_to_lds {
    use tiledesc::prelude::*;

    layout! { type ABlock = recipe::GemmXor64<F16, M<128>, K<64>, KPack<8>>; }
    assert_direct_load! { ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192 }
    direct_load! { type Load = ABlock on gfx950: global_load_lds_b128 by 4 waves, from rows of 8192; }

    #[test]
    fn loads() {
        let mut loads = Vec::new();
        Load::each(0, 9, |base, from: [u32; 2], valid| loads.push((base, from, valid)));
        assert_eq!(loads.len(), 4);
        // Each lane brings the pack whose place the transfer fills.
        for (base, [m, k], valid) in loads {
            assert_eq!((ABlock::byte_at([m, k]), valid), (base + 9 * 16, true));
        }
    }
}
