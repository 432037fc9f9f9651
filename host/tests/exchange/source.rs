//! Layouts as kernels write them: what CuTe prints of the same layout, and what is printed as source is read as the same.
//!
//! | | must agree |
//! |---|---|
//! | C++ and DSL of CUTLASS's own examples and of flash-attention | the layout that CuTe prints |
//! | random layouts, printed as C++ and as DSL | themselves |
//! | `make_ordered_layout`, `tile_to_shape` with an order, of random numbers | their definitions, coordinate by coordinate |

use support::fuzz::Dice;
use tiledesc_host::exchange::cute::{Composed, Strided, Swizzle};
use tiledesc_host::exchange::source::{cpp, dsl, parse};

/// Sources with what CuTe prints of the last layout.
const PRINTED: &[(&str, &str)] = &[
    // examples/cute/tutorial/sgemm_sm80.cu
    (
        "auto bM = Int<128>{};
         auto bK = Int< 64>{};
         auto bP = Int<3>{};  // Pipeline
         auto swizzle_atom = composition(Swizzle<3,3,3>{},
                                         Layout<Shape <_8,Shape <_8, _8>>,
                                                Stride<_8,Stride<_1,_64>>>{});
         auto sA = tile_to_shape(swizzle_atom, make_shape(bM,bK,bP));",
        "Sw<3,3,3> o 0 o ((8,16),((8,8),1),(1,3)):((8,512),((1,64),0),(0,8192))",
    ),
    ("make_layout(make_shape(Int<128>{}, _8{}, Int<3>{}))", "(128,8,3):(1,128,1024)"),
    ("Layout<Shape<_16,_8>,Stride<_8,_1>>{}", "(16,8):(8,1)"),
    ("cute::Layout<cute::Shape<cute::_4, cute::Int<2>>>{}", "(4,2):(1,4)"),
    ("make_layout(Shape<_4,Shape<_2,_8>>{}, LayoutRight{})", "(4,(2,8)):(16,(8,1))"),
    ("make_layout(make_layout(_4{}, _2{}), Layout<_8,_16>{})", "(4,8):(2,16)"),
    (
        "cute::ComposedLayout<cute::Swizzle<3, 4, 3>, cute::smem_ptr_flag_bits<16>, \
         cute::Layout<cute::tuple<cute::C<8>, cute::C<64>>, cute::tuple<cute::C<64>, cute::C<1>>>>",
        "Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1)",
    ),
    (
        "using SmemLayoutAtom = GMMA::Layout_K_SW128_Atom<half_t>;
         using SmemLayoutA = decltype(tile_to_shape(SmemLayoutAtom{}, Shape<_128, _64>{}));",
        "Sw<3,4,3> o smem_ptr[16b](unset) o ((8,16),(64,1)):((64,512),(1,0))",
    ),
    (
        "tile_to_shape(GMMA::Layout_MN_SW128_Atom<cutlass::bfloat16_t>{}, make_shape(_128{}, _64{}), Step<_2,_1>{})",
        "Sw<3,4,3> o smem_ptr[16b](unset) o ((64,2),(8,8)):((1,4096),(64,512))",
    ),
    // csrc/flash_attn/src/kernel_traits.h of Dao-AILab/flash-attention.
    (
        "static constexpr int kBlockM = 128; static constexpr int kHeadDim = 64;
         static constexpr int kBlockKSmem = 64; static constexpr int kSwizzle = 3;
         using SmemLayoutAtomQ = decltype(
             composition(Swizzle<kSwizzle, 3, 3>{},
                         // This has to be kBlockKSmem, using kHeadDim gives wrong results for d=128
                         Layout<Shape<_8, Int<kBlockKSmem>>,
                                Stride<Int<kBlockKSmem>, _1>>{}));
         using SmemLayoutQ = decltype(tile_to_shape(
             SmemLayoutAtomQ{},
             Shape<Int<kBlockM>, Int<kHeadDim>>{}));
         using SmemLayoutO = SmemLayoutQ;",
        "Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))",
    ),
    // The Python DSL; 4.8.
    (
        "atom = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))
         sA = cute.tile_to_shape(atom, (128, 64, 3), (0, 1, 2))  # three stages",
        "Sw<3,3,3> o 0 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))",
    ),
    ("cute.make_ordered_layout((128, 64), order=(1, 0))", "(128,64):(64,1)"),
    ("cute.make_layout(((2, 4), 8 * 8), stride=((4, 16 // 2), 32 * 4 - 64))", "((2,4),64):((4,8),64)"),
    ("atom = S<3,3,3> o 0 o (8,64):(64,1)\ncute.tile_to_shape(atom, (8, 128))", "Sw<3,3,3> o 0 o ((8,1),(64,2)):((64,0),(1,512))"),
    ("cute.logical_divide(cute.make_layout((128, 64), stride=(64, 1)), (32, 8))", "((32,4),(8,8)):((64,2048),(1,8))"),
];

#[test]
fn sources_are_what_cute_prints() {
    for (text, printed) in PRINTED {
        let read = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let wanted = parse(printed).unwrap();
        assert_eq!(read.to_string(), wanted.to_string(), "{text}");
    }
}

#[test]
fn refusals_name_the_word() {
    for (text, said) in [
        (
            "make_layout(make_shape(bM, _8{}))",
            "at byte 23: `bM` has no value here: write it before, as in `bM = 128;`, or the number in its place",
        ),
        (
            "tile_to_shape(SmemLayoutAtom{}, Shape<_8,_8>{})",
            "at byte 14: `SmemLayoutAtom` has no value here",
        ),
        (
            "Layout<Shape<_8,_8>,Stride<_8>>{}",
            "the shape has 2 numbers and the stride 1, or their brackets differ",
        ),
        ("make_layout(make_shape(_8{}, _8{})", "at byte 34: expected `,` or `)`"),
        ("auto bM = Int<128>{};", "at byte 9: expected a layout, as in"),
        (
            "GMMA::Layout_K_SW128_Atom<float16>{}; Layout_K_SW128_Atom<Element>{}",
            "`Element` is not an element whose bits are known",
        ),
        (
            "make_composed_layout(make_swizzle(3, 3, 3), 0, make_composed_layout(make_swizzle(3, 3, 3), 0, make_layout((8, 64))))",
            "a swizzle of a swizzled layout has no form",
        ),
        ("make_ordered_layout((8, 64), order=(1, 0, 2))", "an order of 3 is given for 2 modes"),
        ("make_layout((8, 8 / 0))", "at byte 18: expected numbers with a result of 63 bits"),
    ] {
        let refused = parse(text).unwrap_err().to_string();
        assert!(refused.contains(said), "{text}: {refused}");
    }
    assert!(parse(&"make_layout(".repeat(1000)).is_err());
}

/// A random layout: shape and stride nested alike.
fn random(dice: &mut Dice) -> Composed {
    let modes = 1 + dice.below(3);
    let (mut shape, mut stride) = (Vec::new(), Vec::new());
    for _ in 0..modes {
        let each: Vec<[u32; 2]> =
            (0..1 + dice.below(3)).map(|_| [1 + dice.below(9), dice.below(70)]).collect();
        let text = |at: usize| {
            let all: Vec<_> = each.iter().map(|one| one[at].to_string()).collect();
            if all.len() == 1 { all[0].clone() } else { format!("({})", all.join(",")) }
        };
        shape.push(text(0));
        stride.push(text(1));
    }
    let of = |each: &[String]| {
        if modes == 1 { each[0].clone() } else { format!("({})", each.join(",")) }
    };
    let layout: Strided =
        *Composed::parse(&format!("{}:{}", of(&shape), of(&stride))).unwrap().layout();
    let swizzle = [Swizzle::NONE, Swizzle::new(1 + dice.below(3), dice.below(4), 3).unwrap()]
        [dice.below(2) as usize];
    let offset = if swizzle == Swizzle::NONE { 0 } else { dice.below(3) * 8 };
    Composed::new(swizzle, offset, layout).unwrap()
}

#[test]
fn what_is_written_is_read() {
    for number in support::fuzz::numbers(300) {
        let tile = random(&mut Dice(number));
        for text in [cpp(&tile), dsl(&tile)] {
            let read = parse(&text).unwrap_or_else(|error| panic!("{number}: {text}: {error}"));
            assert_eq!(read.to_string().replace('_', ""), tile.to_string(), "{number}: {text}");
        }
    }
}

/// Offsets of a tile by its definition: the copies of an atom, counted in an order, lie one after the other.
#[test]
fn orders_are_those_of_their_definitions() {
    for number in support::fuzz::numbers(200) {
        let mut dice = Dice(number);
        let pick = |dice: &mut Dice| [0, 0].map(|_| 1 + dice.below(5));
        let (atom, copies) = (pick(&mut dice), pick(&mut dice));
        let is_last_first = dice.below(2) == 1;
        let order = if is_last_first { "(1, 0)" } else { "(0, 1)" };
        let [m, n] = [atom[0] * copies[0], atom[1] * copies[1]];
        let text = format!(
            "cute.tile_to_shape(cute.make_ordered_layout(({}, {}), order=(1, 0)), ({m}, {n}), order={order})",
            atom[0], atom[1]
        );
        let tile = parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            let (row, column) = (i / atom[0], j / atom[1]);
            let copy =
                if is_last_first { row * copies[1] + column } else { row + column * copies[0] };
            let wanted = copy * atom[0] * atom[1] + i % atom[0] * atom[1] + j % atom[1];
            assert_eq!(tile.at(u64::from(i + j * m)), Some(wanted), "{text} at ({i}, {j})");
        }
    }
}
