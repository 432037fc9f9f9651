//! CK Tile's tables again, spelled as types: the evaluation that kernels run
//! gives CK's offset at every coordinate, and so does the plan of the type.
//!
//! Every pipeline recipe is here under its CK parameters; the rest is composed
//! by hand with `descriptor!`.

use support::{Table, committed, int, naturals};
use tiledesc::prelude::*;
use tiledesc::recipe::Buffer;
use tiledesc::recipe::{
    BatchedTranspose, CShuffle, FlatmmPad, FlatmmXor, FmhaBwdX, FmhaBwdXT, FmhaK, FmhaKAsyncLoad,
    FmhaKAsyncStore, FmhaKWholeK, FmhaSingle, FmhaV, FmhaVSize, GemmAsync, GemmColumnMajor,
    GemmDsReadTr, GemmTdm, GemmV1Pad, GemmXor, GemmXor64, K, M, MN, MoeALoad, MoeBridge, N,
    SplitKvCombineTransposed,
};
use tiledesc::transforms::Rank;
use tiledesc::{
    Aligned, Checked, LeftPad, Modulo, NaiveWithOffset, PackedWithOffset, Pad as PadBoth, Unchecked,
};
use tiledesc::{Error, Offset};

descriptor! {
    type Batch: naive [64, 16, 4] strides [64, 4, 1];
        pass[64] (0) -> (0),   merge[16, 4] (1, 2) -> (1);
    type EmbedConv1d: packed [32];
        embed[3, 10] strides [2, 3] (0) -> (0, 1);
    type FreezeDim: packed [6, 5, 8];
        freeze[3] (0) -> (),   pass[5] (1) -> (0),   pass[8] (2) -> (1);
    type XorMagicMerge: naive [8, 64, 8] strides [8, 64, 1];
        xor[64, 8] (1, 0) -> (1, 0),   pass[8] (2) -> (2);
        unmerge[2, 4] (0) -> (0, 2),   pass[64] (1) -> (1),   pass[8] (2) -> (3);
        merge[64, 2] (1, 0) -> (0),    merge[4, 8] (2, 3) -> (1);
}
descriptor! {
    type Im2col: naive [2, 6, 6, 4] strides [144, 24, 4, 1];
        pass[2] (0) -> (0),   pad[6, 1, 1] (1) -> (1),   pad[6, 1, 1] (2) -> (2),   pass[4] (3) -> (3);
        pass[2] (0) -> (0),   embed[3, 6] strides [1, 1] (1) -> (1, 2),
            embed[3, 6] strides [1, 1] (2) -> (3, 4),   pass[4] (3) -> (5);
        merge[2, 6, 6] (0, 2, 4) -> (0),   merge[3, 3, 4] (1, 3, 5) -> (1);
    type Gather: packed [10, 8];
        indexing[4, 7] (0) -> (0),   pass[8] (1) -> (1);
    type InsertDim: packed [6, 8];
        insert[5] () -> (1),   pass[6] (0) -> (0),   pass[8] (1) -> (2);
    type Merge4: packed [3, 5, 7, 2];
        merge[3, 5, 7, 2] (0, 1, 2, 3) -> (0);
}
descriptor! {
    type MergeReordered: packed [3, 5, 7, 2];
        merge[7, 3] (2, 0) -> (1),   merge[2, 5] (3, 1) -> (0);
    type ModuloWrap: packed [6, 8];
        modulo[6, 18] (0) -> (0),   pass[8] (1) -> (1);
    type Morton: packed [8, 8];
        unmerge[2, 2, 2] (0) -> (0, 2, 4),   unmerge[2, 2, 2] (1) -> (1, 3, 5);
        merge[2, 2] (0, 1) -> (0),   merge[2, 2, 2, 2] (2, 3, 4, 5) -> (1);
    type OffsetTransform: packed [6, 8];
        offset[6, 0] (0) -> (0),   offset[5, 3] (1) -> (1);
}
descriptor! {
    type PadSym: packed [6, 8];
        pad[6, 2, 3] (0) -> (0),   pass[8] (1) -> (1);
    type ReplicateBroadcast: packed [6, 8];
        replicate[5, 2] () -> (1, 3),   pass[6] (0) -> (0),   pass[8] (1) -> (2);
    type ReplicateOne: packed [4, 6];
        pass[4] (0) -> (0),   replicate[3] () -> (1),   pass[6] (1) -> (2);
    type RightPadK: naive [16, 40] strides [40, 1];
        pass[16] (0) -> (0),   right_pad[40, 24] (1) -> (1);
}
descriptor! {
    type Slice2d: packed [10, 16];
        slice[10, 2, 7] (0) -> (0),   slice[16, 4, 12] (1) -> (1);
    type Unmerge3: packed [24, 10];
        unmerge[2, 3, 4] (0) -> (0, 2, 3),   pass[10] (1) -> (1);
    type XorPow2: packed [16, 8];
        xor[16, 8] (0, 1) -> (0, 1);
    type XorWideRow: packed [4, 16];
        xor[4, 16] (0, 1) -> (0, 1);
}
descriptor! {
    type NaiveOffset: naive [4, 6] strides [8, 1] offset 100;
    type PackedOffset: packed [5, 6, 4] offset 11;
    type Aligned2d: aligned [9, 21] to 16;
}

type PadSkipCheck = Transformed<
    Packed<seq![6, 8]>,
    (PadBoth<Lit<6>, Lit<1>, Lit<1>, Unchecked>, PassThrough<Lit<8>>),
    lower![[0], [1]],
    upper![[0], [1]],
>;
type SingleK32 = FmhaSingle<F16, N<128>, K<32>, Warps<4>>;

/// One table by a type: every offset, by the typed rules, fused, and by the type's plan;
/// validity; the typed coordinate's walk over all moves.
fn by_type<D: Descriptor + Default, const R: usize>(name: &str)
where
    D::Rank: Rank<Array<u32> = [u32; R]>,
    [u32; R]: tiledesc::transforms::OfRank<<D::Rank as Rank>::Dimensions>,
{
    let plan = D::PLAN.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(size_of::<D>(), 0, "{name}: a descriptor of numbers occupies no memory");
    by_value::<D, R>(name, D::default());
    let table = committed(name);
    for (id, offset) in table.ids().into_iter().zip(table.offsets()) {
        let index = plan.nth(id);
        assert_eq!(plan.evaluate(index.as_slice())[0], offset, "{name}: plan at {index:?}");
        let index: [u32; R] = D::Rank::array(index.as_slice()).unwrap();
        // With a mask, for tables list padding too.
        assert_eq!(D::default().masked(index).0, offset, "{name}: fused at {index:?}");
    }
}

/// One table by a value, whose lengths may be known only at run time.
fn by_value<D: Descriptor, const R: usize>(name: &str, descriptor: D)
where
    D::Rank: Rank<Array<u32> = [u32; R]>,
    [u32; R]: tiledesc::transforms::OfRank<<D::Rank as Rank>::Dimensions>,
{
    let table = committed(name);
    let plan = descriptor.plan().unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(plan.lengths().as_slice(), naturals(&table.json["lengths"]), "{name}: lengths");
    let space = u64::try_from(int(&table.json["element_space_size"])).unwrap();
    assert_eq!(plan.element_space(), space, "{name}: element space");
    for ((id, offset), valid) in table.ids().into_iter().zip(table.offsets()).zip(table.valid()) {
        let list = plan.nth(id);
        let index: [u32; R] = D::Rank::array(list.as_slice()).unwrap();
        assert_eq!(descriptor.staged(index), offset, "{name}: offset of {index:?}");
        let wide = index.map(u64::from);
        assert_eq!(descriptor.lower(&wide)[0] as u32, offset, "{name}: u64 offset of {index:?}");
        let at = descriptor.coordinate(index);
        assert_eq!(at.is_valid(), valid, "{name}: validity of {index:?}");
    }
    walk(&table, &descriptor);
}

fn walk<D: Descriptor, const R: usize>(table: &Table, descriptor: &D)
where
    D::Rank: Rank<Array<u32> = [u32; R]>,
    [u32; R]: tiledesc::transforms::OfRank<<D::Rank as Rank>::Dimensions>,
{
    let signed = |value: &serde_json::Value| -> [i32; R] {
        let list: Vec<i32> =
            support::ints(value).into_iter().map(|i| i32::try_from(i).unwrap()).collect();
        list.try_into().unwrap()
    };
    for walk in table.json["moves"].as_array().into_iter().flatten() {
        let mut at = descriptor.coordinate(signed(&walk["start"]).map(i32::cast_unsigned));
        let coords = walk["coords"].as_array().unwrap();
        for (step, coord) in walk["steps"].as_array().unwrap().iter().zip(&coords[1..]) {
            at.step(signed(step));
            let fresh = descriptor.coordinate(at.index());
            assert_eq!(at.offset(), fresh.offset(), "{}: a move is an evaluation", table.name);
            assert_eq!(at.is_valid(), coord["valid"].as_bool().unwrap(), "{}", table.name);
        }
    }
}

/// The tables, each beside its type, and a test that they are as many as said.
macro_rules! tables {
    ($($name:literal: $D:ty;)*) => {
        #[test]
        fn tables_as_types() {
            $(by_type::<$D, _>($name);)*
            let count = [$($name),*].len();
            println!("{count} tables as types, at every coordinate");
            assert!(count >= 60);
        }
    };
}

tables! {
    "aligned_2d": Aligned2d;
    "aligned_3d": Aligned<seq![4, 3, 10], Lit<8>>;
    "batched_transpose_s64_l64_v4": BatchedTranspose<F16, M<64>, N<64>, VectorSize<4>>;
    "cshuffle_row_32x64": CShuffle<F16, M<32>, N<64>>;
    "embed_conv1d": EmbedConv1d;
    "flatmm_pad_m128_k64_pack8": FlatmmPad<F16, M<128>, K<64>, KPack<8>>;
    "flatmm_xor_m128_k64_pack8_e2": FlatmmXor<F16, M<128>, K<64>, KPack<8>>;
    "flatmm_xor_m32_k64_pack8_e2": FlatmmXor<F16, M<32>, K<64>, KPack<8>>;
    "fmha_bwd_x_ki1_mn128_k32_pack8_layer2": FmhaBwdX<F16, MN<128>, K<32>, KPack<8>, KIter<1>>;
    "fmha_bwd_x_ki2_mn32_k32_pack4_layer2": FmhaBwdX<F16, MN<32>, K<32>, KPack<4>, KIter<2>>;
    "fmha_bwd_x_ki2_mn64_k16_pack4_layer4": FmhaBwdX<F16, MN<64>, K<16>, KPack<4>, KIter<2>>;
    "fmha_bwd_xt_i1_mn128_k64_pack8_packT4_b256":
        FmhaBwdXT<F16, KIter<1>, MN<128>, K<64>, KPack<8>, VectorSize<4>, MPerXdl<32>, BlockSize<256>>;
    "fmha_bwd_xt_i1_mn64_k32_pack8_packT4_b64_rt":
        FmhaBwdXT<F16, KIter<1>, MN<64>, K<32>, KPack<8>, VectorSize<4>, MPerXdl<32>, BlockSize<64>>;
    "fmha_k_async_load_n128_k32_w4_bufs2":
        FmhaKAsyncLoad<F16, N<128>, K<32>, Warps<4>, Buffers<2>, SingleK32>;
    "fmha_k_async_store_b0_n128_k32_w4":
        FmhaKAsyncStore<F16, N<128>, K<32>, Warps<4>, Buffer<0>, SingleK32>;
    "fmha_k_async_store_b1_n128_k32_w4":
        FmhaKAsyncStore<F16, N<128>, K<32>, Warps<4>, Buffer<1>, SingleK32>;
    "fmha_k_sync_n128_k32_pack4_e4": FmhaK<F32, N<128>, K<32>>;
    "fmha_k_sync_n128_k32_pack8_e2": FmhaK<F16, N<128>, K<32>>;
    "fmha_k_wholek_n128_k32": FmhaKWholeK<F16, N<128>, K<32>, Buffers<2>>;
    "fmha_v_n128_k32_bufs2":
        FmhaV<F16, N<128>, K<32>, Buffers<2>, FmhaVSize<F16, N<128>, K<32>>>;
    "freeze_dim": FreezeDim;
    "gemm_async_m128_k64_pack8": GemmAsync<F16, M<128>, K<64>, KPack<8>>;
    "gemm_colmajor_mn128_k64_v8_xdl32_banks32":
        GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
    "gemm_colmajor_mn256_k32_v8_xdl16_banks32":
        GemmColumnMajor<F16, MN<256>, K<32>, VectorSize<8>, MPerXdl<16>, BlockSize<256>>;
    "gemm_colmajor_mn64_k64_v8_xdl32_banks32":
        GemmColumnMajor<F16, MN<64>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
    "gemm_ds_read_tr_k32_mn128": GemmDsReadTr<F16, K<32>, MN<128>>;
    "gemm_tdm_m64_k32_pad8_layer4": GemmTdm<F16, M<64>, K<32>, Padding<8>>;
    "gemm_v1_pad_mn128_k32": GemmV1Pad<F16, M<128>, K<32>>;
    "gemm_xor64b_mn128_k64_pack8_e2_layer2": GemmXor64<F16, M<128>, K<64>, KPack<8>>;
    "gemm_xor64b_mn64_k32_pack8_e2_layer4": GemmXor64<F16, M<64>, K<32>, KPack<8>>;
    "gemm_xor_magicmerge_mn128_k32_pack8_e2_layer2": XorMagicMerge;
    "gemm_xor_mn128_k128_pack8_e2_layer1": GemmXor<F16, M<128>, K<128>, KPack<8>>;
    "gemm_xor_mn128_k32_pack4_e4_layer1": GemmXor<F32, M<128>, K<32>, KPack<4>>;
    "gemm_xor_mn128_k32_pack8_e2_layer2": GemmXor<F16, M<128>, K<32>, KPack<8>>;
    "gemm_xor_mn128_k64_pack8_e2_layer1": GemmXor<F16, M<128>, K<64>, KPack<8>>;
    "gemm_xor_mn32_k128_pack16_e1_layer1": GemmXor<F8, M<32>, K<128>, KPack<16>>;
    "gemm_xor_mn64_k16_pack8_e2_layer4": GemmXor<F16, M<64>, K<16>, KPack<8>>;
    "gemm_xor_mn64_k32_pack16_e1_layer4": GemmXor<F8, M<64>, K<32>, KPack<16>>;
    "gemm_xor_mn64_k32_pack8_e2_layer2": GemmXor<F16, M<64>, K<32>, KPack<8>>;
    "gemm_xor_mn64_k64_pack16_e1_layer2": GemmXor<F8, M<64>, K<64>, KPack<16>>;
    "gemm_xor_mn96_k32_pack4_e2_layer2": GemmXor<F16, M<96>, K<32>, KPack<4>>;
    "im2col_2_6_6_4_3_3_1_1_1_1_1_1": Im2col;
    "indexing_gather": Gather;
    "insert_dim": InsertDim;
    "merge_4_nonpow2": Merge4;
    "merge_divmod_reordered": MergeReordered;
    "modulo_wrap": ModuloWrap;
    "moe_a_load_m32_k64": MoeALoad<F16, M<32>, K<64>, Warps<4>>;
    "moe_bridge_uk_rm2_rn2_w4": MoeBridge<F16, Rep<2>, Rep<2>, Warps<4>>;
    "morton_8x8_t4": Morton;
    "naive_2d_pitched": Naive<seq![7, 13], seq![16, 1]>;
    "naive_3d_pitched": Naive<seq![3, 5, 9], seq![70, 11, 1]>;
    "naive_offset": NaiveOffset;
    "offset_tr": OffsetTransform;
    "packed_4d": Packed<seq![3, 4, 5, 6]>;
    "packed_offset": PackedOffset;
    "pad_skipcheck": PadSkipCheck;
    "pad_sym": PadSym;
    "replicate_bcast": ReplicateBroadcast;
    "replicate_one": ReplicateOne;
    "right_pad_k": RightPadK;
    "slice_2d": Slice2d;
    "splitkv_combine_t_m32_n64_pack4_g4": SplitKvCombineTransposed<F32, M<32>, N<64>, KPack<4>>;
    "unmerge_3": Unmerge3;
    "xor_pow2": XorPow2;
    "xor_wide_row": XorWideRow;
}

/// The tables that CK builds with run-time lengths, built so here.
#[test]
fn tables_with_run_time_lengths() -> Result<(), Error> {
    by_value("runtime_packed", Packed::new((Dyn(6), Lit::<8>))?);
    by_value("runtime_naive_strides", Naive::new([Dyn(10), Dyn(12)], (Dyn(15), Lit::<1>))?);
    by_value(
        "offset_rt",
        Packed::new(seq![9, 8])?.transform(
            (Offset::new(Dyn(5), Dyn(4)), PassThrough::new(Lit::<8>)),
            lower![[0], [1]],
            upper![[0], [1]],
        )?,
    );
    let columns = |m: u32, k: u32, p: u32| {
        Naive::new([Dyn(k / p), Dyn(m), Dyn(p)], [Dyn((m + 1) * p), Dyn(p), Dyn(1)])
    };
    let last = (PassThrough::new(Dyn(128)), Merge::new([Dyn(8), Dyn(8)]));
    by_value(
        "flatmm_pad_m128_k64_pack8",
        columns(128, 64, 8)?.transform(last, lower![[1], [0, 2]], upper![[0], [1]])?,
    );
    let last = (PassThrough::new(Dyn(128)), Merge::new([Dyn(4), Dyn(8)]));
    by_value(
        "gemm_v1_pad_mn128_k32",
        columns(128, 32, 8)?.transform(last, lower![[1], [0, 2]], upper![[0], [1]])?,
    );
    by_value(
        "merge_4_nonpow2",
        Packed::new([Dyn(3), Dyn(5), Dyn(7), Dyn(2)])?.transform(
            (Merge::new([Dyn(3), Dyn(5), Dyn(7), Dyn(2)]),),
            lower![[0, 1, 2, 3]],
            upper![[0]],
        )?,
    );
    by_value(
        "modulo_wrap",
        Packed::new([Dyn(6), Dyn(8)])?.transform(
            (Modulo::new(Dyn(6), Dyn(18)), PassThrough::new(Dyn(8))),
            lower![[0], [1]],
            upper![[0], [1]],
        )?,
    );
    by_value("naive_offset", NaiveWithOffset::new([Dyn(4), Dyn(6)], seq![8, 1], Dyn(100))?);
    by_value("packed_offset", PackedWithOffset::new([Dyn(5), Dyn(6), Dyn(4)], Dyn(11))?);
    by_value(
        "pad_sym",
        Packed::new([Dyn(6), Dyn(8)])?.transform(
            (PadBoth::new(Dyn(6), Dyn(2), Dyn(3)), PassThrough::new(Dyn(8))),
            lower![[0], [1]],
            upper![[0], [1]],
        )?,
    );
    Ok(())
}

/// `left_pad` is in none of CK's tables, because CK's cannot be used. Its numbers
/// are those of a pad with nothing on the right.
#[test]
fn left_pad_is_a_pad_with_nothing_on_the_right() {
    type Left =
        Transformed<Packed<seq![6]>, (LeftPad<Lit<6>, Lit<2>, Checked>,), lower![[0]], upper![[0]]>;
    type Both = Transformed<
        Packed<seq![6]>,
        (PadBoth<Lit<6>, Lit<2>, Lit<0>, Checked>,),
        lower![[0]],
        upper![[0]],
    >;
    let (left, both) = (Left::PLAN.unwrap(), Both::PLAN.unwrap());
    for m in 0..8 {
        assert_eq!(left.offset(&[m]), both.offset(&[m]), "at {m}");
    }
}

/// A recipe is named by what the user wrote, in errors and in profiles.
#[test]
fn names_are_short() {
    let names = [
        core::any::type_name::<recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>>(),
        core::any::type_name::<recipe::FmhaBwdX<F16, MN<128>, K<32>, KPack<8>, KIter<1>>>(),
        core::any::type_name::<
            recipe::GemmColumnMajor<
                F16,
                MN<128>,
                K<64>,
                VectorSize<8>,
                MPerXdl<32>,
                BlockSize<256>,
            >,
        >(),
    ];
    for name in names {
        assert!(name.len() < 300, "{} characters: {name}", name.len());
    }
    assert!(names[0].len() < 200, "{} characters: {}", names[0].len(), names[0]);
}
