//! A kernel writes the offsets of all coordinates into a buffer: they are the host's, which the plan
//! computes and not the typed rules that wrote the kernel.

use cubecl::prelude::*;
use cubecl::std::tensor::{AsViewMut, AsViewMutExpand, TensorHandle};
use run::Gpu;
use tiledesc::prelude::*;
use tiledesc::recipe::RowMajor;
use tiledesc::recipe::*;
use tiledesc::{MayOverlap, Plan, parameter::VectorSize, seq};
use tiledesc_cubecl::{Known, Rows, Spread, Through, Tiled, Window};

/// The kernel of a rank, which reads the coordinates, and what launches it.
macro_rules! kernels {
    ($($kernel:ident $launch:ident $C:ty: $rank:literal [$($i:literal)+];)*) => {$(
        #[cube(launch)]
        fn $kernel<L: Tiled<$C>>(
            coordinates: &Tensor<u32>, offsets: &mut Tensor<u32>, masks: &mut Tensor<u32>,
        ) {
            if ABSOLUTE_POS < offsets.len() {
                let coordinate = ($(coordinates[ABSOLUTE_POS * $rank + $i]),+);
                let (offset, valid) = L::masked_at(coordinate);
                masks[ABSOLUTE_POS] = select(valid, offset, comptime!(u32::MAX).runtime());
                offsets[ABSOLUTE_POS] = L::element_at(coordinate);
            }
        }

        fn $launch<L: Tiled<$C>>(gpu: &Gpu) -> [TensorHandle; 2] {
            let count = L::PLAN.elements() as usize;
            let all = (0..count).flat_map(|id| L::PLAN.nth(id as u64).as_slice().to_vec());
            let coordinates = gpu.tensor(&[count * $rank], &all.collect::<Vec<u32>>());
            let made = [0, 1].map(|_| gpu.tensor(&[count], &vec![0xdead_beef_u32; count]));
            let cubes = CubeCount::Static((count as u32).div_ceil(64), 1, 1);
            let [offsets, masks] = made.clone().map(TensorHandle::into_arg);
            $kernel::launch::<L>(
                gpu.client(), cubes, CubeDim::new_1d(64), coordinates.into_arg(), offsets, masks,
            );
            made
        }
    )*};
}

kernels! {
    offsets1 launch1 u32: 1 [0];
    offsets2 launch2 (u32, u32): 2 [0 1];
    offsets3 launch3 (u32, u32, u32): 3 [0 1 2];
    offsets4 launch4 (u32, u32, u32, u32): 4 [0 1 2 3];
    offsets5 launch5 (u32, u32, u32, u32, u32): 5 [0 1 2 3 4];
    offsets6 launch6 (u32, u32, u32, u32, u32, u32): 6 [0 1 2 3 4 5];
}

/// Compares what the device wrote with the plan, coordinate by coordinate; how many were compared.
fn compare(gpu: &Gpu, name: &str, plan: &Plan, written: &[TensorHandle; 2]) -> usize {
    let [offsets, masks]: [Vec<u32>; 2] = [gpu.read(&written[0]), gpu.read(&written[1])];
    let mut compared = 0;
    for (id, (offset, masked)) in offsets.into_iter().zip(masks).enumerate() {
        let index = plan.nth(id as u64);
        let host = plan.offset(index.as_slice());
        assert_eq!(masked, host.unwrap_or(u32::MAX), "{name}: mask at {index:?}");
        if let Ok(host) = host {
            assert_eq!(offset, host, "{name}: offset at {index:?}");
            compared += 1;
        }
    }
    assert!(compared > 0, "{name}: nothing was compared");
    compared
}

#[test]
fn the_device_computes_the_hosts_offsets_of_every_recipe() {
    let Some(gpu) = Gpu::find() else { return };
    type Single = FmhaSingle<F16, N<128>, K<32>, Warps<4>>;
    type Swizzled<E> = GemmXorBits<E, M<64>, K<32>, KPack<4>, MLdsLayer<1>, seq![1, 2, 4]>;
    macro_rules! all {
        ($($launch:ident: $Recipe:ident<$One:ty | $Two:ty $(; $($P:ty),*)?>;)*) => {$({
            let name = stringify!($Recipe);
            type First = $Recipe<$One $(, $($P),*)?>;
            type Second = $Recipe<$Two $(, $($P),*)?>;
            compare(&gpu, name, &First::PLAN, &$launch::<First>(&gpu));
            compare(&gpu, name, &Second::PLAN, &$launch::<Second>(&gpu));
        })*};
    }
    // `tests/surface/recipes.rs` reads these lines: none of the library's recipes is missing.
    all! {
        launch2: GemmAsync<F16 | F32; M<128>, K<64>, KPack<8>>;
        launch3: FmhaKAsyncStore<F16 | BF16; N<128>, K<32>, Warps<4>, Buffer<1>, Single>;
        launch2: FmhaKAsyncLoad<F16 | BF16; N<128>, K<32>, Warps<4>, Buffers<2>, Single>;
        launch3: MoeAStore<F16 | BF16; M<32>, K<64>, Warps<4>>;
        launch2: MoeALoad<F16 | BF16; M<32>, K<64>, Warps<4>>;
        launch2: BatchedTranspose<F16 | F32; M<64>, N<64>, VectorSize<4>>;
        launch2: GemmColumnMajor<F16 | F32; MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
        launch2: FmhaBwdXT<F16 | BF16; KIter<1>, MN<128>, K<64>, KPack<8>, VectorSize<4>, MPerXdl<32>, BlockSize<256>>;
        launch2: FmhaKWholeK<F16 | F32; N<128>, K<32>, Buffers<2>>;
        launch2: FmhaV<F16 | BF16; N<128>, K<32>, Buffers<2>, FmhaVSize<F16, N<128>, K<32>>>;
        launch2: FmhaBwdX<F16 | F32; MN<128>, K<32>, KPack<8>, KIter<1>>;
        launch2: GemmXor<F16 | F32; M<64>, K<32>, KPack<8>>;
        launch2: GemmXor64<F16 | F32; M<64>, K<32>, KPack<8>>;
        launch2: GemmXorLayer<F16 | F32; M<64>, K<32>, KPack<8>, MLdsLayer<1>>;
        launch2: GemmXorBits<F16 | F32; M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>;
        launch2: MoeBridge<F16 | F32; Rep<2>, Rep<2>, Warps<4>>;
        launch2: GemmV1Pad<F16 | F32; M<128>, K<32>>;
        launch2: FlatmmPad<F16 | F32; M<128>, K<64>, KPack<8>>;
        launch2: FmhaK<F16 | F32; N<128>, K<32>>;
        launch2: SplitKvCombine<F16 | F32; M<32>, N<64>, KPack<4>>;
        launch2: SplitKvCombineTransposed<F16 | F32; M<32>, N<64>, KPack<4>>;
        launch2: RowMajor<F16 | F32; M<128>, K<64>>;
        launch2: RowPad<F16 | F32; M<128>, K<64>, Padding<8>>;
        launch2: RowShift<F16 | F32; M<64>, K<96>, KPack<8>>;
        launch2: CShuffle<F16 | F32; M<32>, N<64>>;
        launch2: CShuffleColumn<F16 | F32; M<32>, N<64>>;
        launch2: GemmDsReadTr<F16 | F32; K<32>, MN<128>>;
        launch2: GemmTdm<F16 | F32; M<64>, K<32>, Padding<8>>;
        launch2: XorPreshuffle<F16 | F32; M<128>, K<64>, KPack<8>>;
        launch2: FlatmmXor<F16 | F32; M<32>, K<64>, KPack<8>>;
        launch2: LinearPacks<F16 | F32; M<8>, K<64>, KPack<8>, seq![1, 2, 4, 9, 18, 36]>;
        launch2: DenseXor<F16 | F32; M<64>, K<96>, KPack<8>, LinePacks<8>, seq![1, 2, 4]>;
        launch2: IntervalPad<F16 | F32; M<64>, K<96>, Every<256>, Padding<8>>;
        launch2: Transposed<Swizzled<F16> | Swizzled<F32>>;
        launch2: Joined<Swizzled<F16> | Swizzled<F32>; Lines<4>>;
    }
}

/// A list without a rule: it is looked up.
#[derive(Clone, Copy, Debug)]
struct Chosen;
impl tiledesc::Function for Chosen {
    const TABLE: &'static [u32] = &[4, 7, 1, 9, 2];
}

descriptor! {
    type Im2col: naive [2, 6, 6, 4] strides [144, 24, 4, 1];
        pass[2] (0) -> (0),   pad[6, 1, 1] (1) -> (1),   pad[6, 1, 1] (2) -> (2),   pass[4] (3) -> (3);
        pass[2] (0) -> (0),   embed[3, 6] strides [1, 1] (1) -> (1, 2),
            embed[3, 6] strides [1, 1] (2) -> (3, 4),   pass[4] (3) -> (5);
        merge[2, 6, 6] (0, 2, 4) -> (0),   merge[3, 3, 4] (1, 3, 5) -> (1);
    type Gather: packed [10, 8];
        indexing[4, 7] (0) -> (0),   pass[8] (1) -> (1);
    type Morton: packed [8, 8];
        unmerge[2, 2, 2] (0) -> (0, 2, 4),   unmerge[2, 2, 2] (1) -> (1, 3, 5);
        merge[2, 2] (0, 1) -> (0),   merge[2, 2, 2, 2] (2, 3, 4, 5) -> (1);
    type Line: packed [6, 35];
        merge[6, 35] (0, 1) -> (0);
    type Wrapped: packed [6, 8];
        modulo[6, 18] (0) -> (0),   pass[8] (1) -> (1);
}
descriptor! {
    type Padded: naive [16, 40] strides [40, 1];
        pass[16] (0) -> (0),   right_pad[40, 24] (1) -> (1);
    type Tokens: packed [10, 8];
        functor[Chosen] (0) -> (0),   pass[8] (1) -> (1);
    type Broadcast: packed [6, 8];
        replicate[5, 2] () -> (1, 3),   pass[6] (0) -> (0),   pass[8] (1) -> (2);
}

#[test]
fn other_descriptors_masks_and_tables_too() {
    let Some(gpu) = Gpu::find() else { return };
    macro_rules! all {
        ($($launch:ident $D:ty;)*) => {$({
            type One = Layout<F16, $D>;
            type Two = Layout<F32, $D>;
            compare(&gpu, stringify!($D), &One::PLAN, &$launch::<One>(&gpu));
            compare(&gpu, stringify!($D), &Two::PLAN, &$launch::<Two>(&gpu));
        })*};
    }
    all! {
        launch1 Line;
        launch2 MayOverlap<Gather>;
        launch2 Tokens;
        launch2 MayOverlap<Im2col>;
        launch2 Morton;
        launch2 MayOverlap<Wrapped>;
        launch2 Padded;
        launch3 Packed<seq![3, 5, 7]>;
        launch4 MayOverlap<Broadcast>;
        launch6 Packed<seq![2, 3, 2, 3, 2, 5]>;
        launch5 Naive<seq![2, 3, 2, 3, 4], seq![200, 60, 24, 5, 1]>;
    }
}

/// One unit writes the offsets of all coordinates, each of which is a constant of the kernel.
#[cube(launch)]
fn constants<L: Tiled<(u32, u32)>>(output: &mut Tensor<u32>) {
    let columns = comptime!(L::PLAN.lengths().at(1) as usize);
    #[unroll]
    for i in 0..comptime!(L::PLAN.elements() as usize) {
        let (row, column) = comptime!(((i / columns) as u32, (i % columns) as u32));
        output[i] = L::element_at((row.runtime(), column.runtime()));
    }
}

/// What is computed where the kernel is expanded is what the device would compute.
#[test]
fn offsets_of_constants_are_the_hosts() {
    let Some(gpu) = Gpu::find() else { return };
    macro_rules! all {
        ($($L:ty;)*) => {$({
            type L = $L;
            let count = L::PLAN.elements() as usize;
            let output = gpu.tensor(&[count], &vec![0xdead_beef_u32; count]);
            let (cubes, units) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(1));
            constants::launch::<L>(gpu.client(), cubes, units, output.clone().into_arg());
            for (id, offset) in gpu.read::<u32>(&output).into_iter().enumerate() {
                let index = L::PLAN.nth(id as u64);
                assert_eq!(L::PLAN.offset(index.as_slice()), Ok(offset), stringify!($L));
            }
        })*};
    }
    all! {
        GemmXor<F32, M<16>, K<16>, KPack<4>>;
        RowShift<F32, M<8>, K<24>, KPack<4>>;
        Layout<F32, MayOverlap<Gather>>;
        Layout<F32, Morton>;
    }
}

distribution! {
    type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8];
        wave (wave), lane (row, chunk), thread (again, half);
    type Wmma: m [row 16], k [pack 16]; repeat [copy 2], lane (copy, row), thread (pack);
    type Odd: m [three 3, row 4], k [part 5, half 2]; lane (part, three), thread (row, half);
}

#[cube(launch)]
fn coordinates<T: Spread<(u32, u32)>>(output: &mut Tensor<u32>, lanes: u32) {
    let (wave, lane) = (ABSOLUTE_POS as u32 / lanes, ABSOLUTE_POS as u32 % lanes);
    let elements = comptime!(T::ELEMENTS);
    #[unroll]
    for element in 0..elements {
        let (m, k) = T::coordinate_of(wave, lane, element);
        let at = (ABSOLUTE_POS * elements + element) * 2;
        output[at] = m;
        output[at + 1] = k;
    }
}

fn compare_distribution<T: Spread<(u32, u32)>>(gpu: &Gpu) {
    let (waves, lanes, elements) = (T::WAVES, T::LANES_PER_WAVE, T::ELEMENTS);
    let count = (waves * lanes) as usize * elements * 2;
    let output = gpu.tensor(&[count], &vec![0xdead_beef_u32; count]);
    let cubes = CubeCount::Static(waves * lanes, 1, 1);
    coordinates::launch::<T>(
        gpu.client(),
        cubes,
        CubeDim::new_1d(1),
        output.clone().into_arg(),
        lanes,
    );
    let written: Vec<u32> = gpu.read(&output);
    let encoding = T::ENCODING.unwrap();
    for (id, pair) in written.chunks(2).enumerate() {
        let (unit, element) = (id / elements, (id % elements) as u32);
        let (wave, lane) = (unit as u32 / lanes, unit as u32 % lanes);
        assert_eq!(encoding.coordinate(wave, lane, element).unwrap(), [pair[0], pair[1]]);
    }
}

#[test]
fn the_device_holds_what_the_distribution_says() {
    let Some(gpu) = Gpu::find() else { return };
    compare_distribution::<Fetch>(&gpu);
    compare_distribution::<Wmma>(&gpu);
    compare_distribution::<Odd>(&gpu);
}

distribution! {
    /// 220 vectors of 4 by 256 threads.
    type Halo: (m, k) [wave 4, lane 64, part 4] of (22, 40); wave (wave), lane (lane), thread (part);
    /// 31 rows by 8 lanes: the lane of row 7 holds three.
    type Rows31: m [again 4, row 8] of 31, k [chunk 4, half 8]; lane (row, chunk), thread (again, half);
    /// 25 vectors of 4 by 32 lanes: 7 lanes hold none.
    type Columns100: m [row 2], k [part 32, four 4] of 100; lane (row, part), thread (four);
    /// Waves that hold nothing, and one that holds a part.
    type Waves: m [wave 4, row 8] of 11, k [chunk 4, half 4]; wave (wave), lane (row, chunk), thread (half);
}

/// A neighbour for each: what a lane does not hold is written nowhere.
#[cube(launch)]
fn what_lanes_hold<T: Spread<(u32, u32)>>(output: &mut Tensor<u32>, lanes: u32, columns: u32) {
    let (wave, lane) = (ABSOLUTE_POS as u32 / lanes, ABSOLUTE_POS as u32 % lanes);
    #[unroll]
    for element in 0..comptime!(T::ELEMENTS) {
        let ((m, k), held) = T::masked_of(wave, lane, element);
        if held {
            output[(m * columns + k) as usize] += (wave * lanes + lane)
                * comptime!(T::ELEMENTS as u32)
                + comptime!(element as u32 + 1);
        }
    }
}

/// Every element has one holder, by the host's lists; what lies behind the tile stays as it is.
fn assert_held<T: Spread<(u32, u32)>>(gpu: &Gpu) {
    let (waves, lanes, elements) = (T::WAVES, T::LANES_PER_WAVE, T::ELEMENTS as u32);
    let encoding = T::ENCODING.unwrap();
    let (rows, columns) = (encoding.lengths().at(0), encoding.lengths().at(1));
    // As far as the last lane would reach.
    let count = (waves * lanes * elements + columns) as usize;
    let mut wanted = vec![0u32; count];
    for unit in 0..waves * lanes {
        for element in 0..elements {
            if let Ok(at) = encoding.coordinate(unit / lanes, unit % lanes, element) {
                wanted[(at.at(0) * columns + at.at(1)) as usize] += unit * elements + element + 1;
            }
        }
    }
    let (tile, behind) = wanted.split_at((rows * columns) as usize);
    assert!(tile.iter().all(|holder| *holder > 0) && behind.iter().all(|holder| *holder == 0));
    let output = gpu.tensor(&[count], &vec![0u32; count]);
    let (cubes, units) = (CubeCount::Static(waves * lanes, 1, 1), CubeDim::new_1d(1));
    what_lanes_hold::launch::<T>(
        gpu.client(),
        cubes,
        units,
        output.clone().into_arg(),
        lanes,
        columns,
    );
    assert_eq!(gpu.read::<u32>(&output), wanted);
}

#[test]
fn the_device_knows_which_lanes_hold_nothing() {
    let Some(gpu) = Gpu::find() else { return };
    assert_held::<Halo>(&gpu);
    assert_held::<Rows31>(&gpu);
    assert_held::<Columns100>(&gpu);
    assert_held::<Waves>(&gpu);
    assert_held::<Fetch>(&gpu);
}

/// Rows of a size that the host knows when it launches.
type Matrix = Naive<[Dyn; 2], [Dyn; 2]>;

fn matrix(rows: u32, columns: u32) -> Matrix {
    Naive::new([Dyn(rows), Dyn(columns)], [Dyn(columns), Dyn(1)]).unwrap()
}

/// Adds 1 to every element of the block's tile.
#[cube(launch)]
fn through_a_window(output: &mut Tensor<u32>, #[comptime] rows: u32, #[comptime] columns: u32) {
    let view = Known::<Matrix>::new(comptime!(matrix(rows, columns)));
    let window = Window::<Known<Matrix>>::new(view, CUBE_POS_Y * 16, CUBE_POS_X * 16);
    #[unroll]
    for i in 0..comptime!(<Sixteen as Distribution>::ELEMENTS / 2) {
        let (at, valid) = window.vector::<Sixteen, Const<2>>(0u32, UNIT_POS, comptime!(2 * i));
        if valid {
            output[2 * at] += 1u32;
            output[2 * at + 1] += 1u32;
        }
    }
}

distribution! { type Sixteen: m [again 4, row 4], k [column 8, v 2]; lane (row, column), thread (again, v); }

#[test]
fn a_window_of_a_known_view_touches_every_element_once_and_no_other() {
    let Some(gpu) = Gpu::find() else { return };
    for (rows, columns) in [(16, 16), (33, 18), (5, 50), (1, 2)] {
        let count = (rows * columns) as usize;
        // What lies behind must stay as it is.
        let output = gpu.tensor(&[count + 64], &vec![7u32; count + 64]);
        let cubes = CubeCount::Static(columns.div_ceil(16), rows.div_ceil(16), 1);
        let units = CubeDim::new_1d(32);
        through_a_window::launch(
            gpu.client(),
            cubes,
            units,
            output.clone().into_arg(),
            rows,
            columns,
        );
        let got: Vec<u32> = gpu.read(&output);
        assert!(got[..count].iter().all(|value| *value == 8), "{rows} x {columns}: {got:?}");
        assert!(got[count..].iter().all(|value| *value == 7), "{rows} x {columns}: past the end");
    }
}

#[cube(launch)]
fn through_a_view<L: Tiled<(u32, u32)>>(output: &mut Tensor<u32>, columns: u32) {
    let mut tile = Shared::<[u32]>::new_slice(comptime!(L::SPACE));
    let (row, column) = (UNIT_POS / columns, UNIT_POS % columns);
    let mut view = tile.view_mut(Through::<L>::new(1usize));
    view.write((row, column), 1000 * row + column);
    sync_cube();
    // By the offset what was written through the view.
    output[UNIT_POS as usize] = tile[L::element_at((row, column)) as usize];
}

#[test]
fn a_view_goes_through_the_layout() {
    let Some(gpu) = Gpu::find() else { return };
    type L = GemmXor<F32, M<16>, K<16>, KPack<4>>;
    let output = gpu.tensor(&[256], &[0u32; 256]);
    let (cubes, units) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(256));
    through_a_view::launch::<L>(gpu.client(), cubes, units, output.clone().into_arg(), 16);
    let expected: Vec<u32> = (0..256).map(|i| 1000 * (i / 16) + i % 16).collect();
    assert_eq!(gpu.read::<u32>(&output), expected);
}

#[cube(launch)]
fn by_vectors<L: Tiled<(u32, u32)>, V: Size>(output: &mut Tensor<Vector<u32, V>>) {
    let v = V::value();
    let (row, column) = (UNIT_POS / 4, UNIT_POS % 4);
    let at = L::vector_at::<V>((row, column * comptime!(v as u32)));
    output[at as usize] = Vector::cast_from(1000 * row + column);
}

/// A vector of a layout lies where its first element does, in units of a vector.
#[test]
fn offsets_in_vectors_are_those_of_elements_divided() {
    let Some(gpu) = Gpu::find() else { return };
    type L = GemmXor<F32, M<16>, K<16>, KPack<4>>;
    let output = gpu.tensor(&[256], &[0u32; 256]);
    let (cubes, units) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(64));
    by_vectors::launch::<L>(gpu.client(), cubes, units, 4, output.clone().into_arg());
    let got: Vec<u32> = gpu.read(&output);
    for (row, column) in (0..16).flat_map(|row| (0..16).map(move |column| (row, column))) {
        assert_eq!(got[L::at([row, column]) as usize], 1000 * row + column / 4);
    }
}

/// What the host says of a launch that it refuses.
fn refusal(launch: impl FnOnce() -> Vec<u32>) -> String {
    let got = std::panic::catch_unwind(std::panic::AssertUnwindSafe(launch));
    let refused = got.expect_err("it ran");
    refused.downcast_ref::<String>().cloned().unwrap_or_default()
}

/// Nothing is written where the layout does not keep four together.
#[test]
fn vectors_that_the_layout_splits_do_not_run() {
    let Some(gpu) = Gpu::find() else { return };
    type Odd = RowPad<F32, M<16>, K<16>, Padding<1>>;
    let output = gpu.tensor(&[272], &[77u32; 272]);
    let said = refusal(|| {
        let (cubes, units) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(64));
        by_vectors::launch::<Odd>(gpu.client(), cubes, units, 4, output.clone().into_arg());
        gpu.read::<u32>(&output)
    });
    assert!(said.contains("vectors of 4 along dimension 1: the layout keeps 1 together"), "{said}");
}

distribution! {
    /// A lane's neighbours are every second of its elements.
    type Scattered: m [row 16], k [again 2, chunk 2, v 4]; lane (row, chunk), thread (v, again);
    /// Lanes begin at every third element.
    type Unaligned: m [row 8], k [chunk 4, v 3]; lane (row, chunk), thread (v);
    /// A lane has vectors along the rows' other dimension.
    type Columns: m [chunk 4, v 4], k [column 16]; lane (chunk, column), thread (v);
    type Whole: m [row 16], k [again 2, chunk 2, v 4]; lane (row, chunk), thread (again, v);
}

#[cube(launch)]
fn first_vectors<T: Spread<(u32, u32)>, V: Size>(output: &mut Tensor<u32>, rows: Rows) {
    let window = Window::<Rows>::new(rows, 0u32, 0u32);
    let (at, valid) = window.vector::<T, V>(0u32, UNIT_POS, 0usize);
    output[UNIT_POS as usize] = select(valid, at as u32, comptime!(u32::MAX).runtime());
}

#[test]
fn a_window_refuses_vectors_that_lanes_do_not_hold() {
    let Some(gpu) = Gpu::find() else { return };
    fn launch<T: Spread<(u32, u32)>>(gpu: &Gpu, vector: usize) -> Vec<u32> {
        let output = gpu.tensor(&[32], &[77u32; 32]);
        let (cubes, units) = (CubeCount::Static(1, 1, 1), CubeDim::new_1d(32));
        let rows = Rows { rows: 16, columns: 16, pitch: 16 };
        let into = output.clone().into_arg();
        first_vectors::launch::<T>(gpu.client(), cubes, units, vector, into, rows.into());
        gpu.read(&output)
    }
    let refused = |launch: fn(&Gpu, usize) -> Vec<u32>, vector, sentence| {
        let said = refusal(|| launch(&gpu, vector));
        assert!(said.contains(sentence), "{said}");
    };
    refused(launch::<Scattered>, 4, "elements 0..4 of a lane are not neighbours along dimension 1");
    refused(launch::<Columns>, 4, "elements 0..4 of a lane are not neighbours along dimension 1");
    refused(launch::<Whole>, 16, "elements 0..16 of a lane are not neighbours along dimension 1");
    refused(launch::<Unaligned>, 2, "dimension 1: not all lanes begin at a multiple of 2");
    assert_eq!(launch::<Whole>(&gpu, 4)[..4], [0, 1, 4, 5]);
}
