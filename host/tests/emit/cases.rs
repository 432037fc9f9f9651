//! What is emitted and compared: layouts of every shape, and random compositions.
//!
//! | | functions | why |
//! |---|---|---|
//! | layouts, fused and staged, elements and bytes | 4 each | what users emit |
//! | CuTe's texts, fused where they can be | 1 each | what comes from elsewhere |
//! | random compositions of run-time lengths, staged | 1 each | cases that we did not think of |
//! | random expressions | 1 each | what no composition has: products that wrap, large numbers |

use proptest::strategy::{Strategy as _, ValueTree as _};
use proptest::test_runner::TestRunner;
use support::fuzz::Dice;
use tiledesc::prelude::*;
use tiledesc::{Extent, Index, List};
use tiledesc_host::Error;
use tiledesc_host::emit::{self, Emit, Expression, Form};
use tiledesc_host::exchange::cute;
use tiledesc_proptest::unchecked_composition;

/// One offset in every language.
pub(crate) struct Case {
    pub(crate) name: String,
    /// The names of the coordinates.
    pub(crate) names: Vec<String>,
    pub(crate) c: String,
    pub(crate) hip: String,
    pub(crate) wgsl: String,
    pub(crate) glsl: String,
    pub(crate) msl: String,
    pub(crate) plain: String,
    pub(crate) latex: String,
    pub(crate) lengths: Vec<u32>,
    /// Every so many-th index of a dimension is compared.
    pub(crate) steps: Vec<u32>,
    /// Of each of those coordinates, the last dimension fastest; `None` in padding.
    pub(crate) offsets: Vec<Option<u32>>,
}

impl Case {
    fn of(
        name: &str,
        names: &[&str],
        lengths: List,
        offset: impl Fn(&[u32]) -> Option<u32>,
        emitted: impl Fn(Form) -> Result<String, Error>,
    ) -> Result<Self, Error> {
        let lengths = lengths.as_slice().to_vec();
        let steps: Vec<u32> = lengths.iter().map(|length| step(*length)).collect();
        let mut case = Self {
            name: name.to_owned(),
            names: names.iter().map(ToString::to_string).collect(),
            c: emitted(emit::C)?,
            hip: emitted(emit::HIP)?,
            wgsl: emitted(emit::WGSL)?,
            glsl: emitted(emit::GLSL)?,
            msl: emitted(emit::MSL)?,
            plain: emitted(emit::TEXT)?,
            latex: emitted(emit::LATEX)?,
            lengths,
            steps,
            offsets: Vec::new(),
        };
        case.offsets = case.coordinates().iter().map(|index| offset(index)).collect();
        Ok(case)
    }

    /// The coordinates that are compared.
    pub(crate) fn coordinates(&self) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for (length, step) in self.lengths.iter().zip(&self.steps) {
            let longer = |index: &Vec<u32>, i| [&index[..], &[i]].concat();
            all = all
                .iter()
                .flat_map(|index| {
                    (0..*length).step_by(*step as usize).map(move |i| longer(index, i))
                })
                .collect();
        }
        all
    }
}

/// All indices of a dimension of up to 4096, 256 of a longer one and its last.
fn step(length: u32) -> u32 {
    match length {
        0..=4096 => 1,
        _ => (length / 256..length).find(|step| (length - 1).is_multiple_of(*step)).unwrap(),
    }
}

layout! {
    type Xor = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    type Layered = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
    type Layers4 = recipe::GemmXorLayer<F16, M<64>, K<16>, KPack<4>, MLdsLayer<4>>;
    type Bytes8 = recipe::GemmXor<I8, M<32>, K<128>, KPack<16>>;
}
layout! {
    type Chunks = recipe::XorPreshuffle<F16, M<64>, K<64>, KPack<8>>;
    type Padded = recipe::GemmV1Pad<F16, M<128>, K<64>>;
    type Lines = recipe::FmhaV<F16, N<64>, K<32>, Buffers<2>, recipe::FmhaVSize<F16, N<64>, K<32>>>;
    type Columns = recipe::GemmColumnMajor<F16, MN<128>, K<64>, VectorSize<8>, MPerXdl<32>, BlockSize<256>>;
}
layout! {
    type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    type RowPad = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    type Fp4 = recipe::RowMajor<F4, M<64>, K<128>>;
    type Fp6 = recipe::RowMajor<F6, M<33>, K<40>>;
}
layout! {
    type Cyclic = Layout<F32, CyclicRows>;
    type Odd = Layout<F32, OddTile>;
    type Below = Layout<F16, BelowXor>;
    type Window = Layout<F16, Shifted>;
    type Merged = Layout<F16, MergedXor>;
    type Tower = Layout<F32, OddTower>;
}
layout! {
    type Channels = Layout<F32, TwoShifts>;
    type Five = Layout<F64, FiveDimensions>;
    type Thin = Layout<F16, LengthOne>;
    type Constant = Layout<F32, OneElement>;
    type Largest = Layout<I8, Packed<seq![65536, 65536]>>;
    type LargestBits = Layout<F4, Packed<seq![32768, 32768]>>;
}

descriptor! {
    /// Each row turned by its number.
    type CyclicRows:
        packed [16, 12];
        cyclic_shift[16, 12] (0, 1) -> (0, 1);
    /// Nothing here is a power of two.
    type OddTile:
        naive [6, 7, 5] strides [36, 5, 1];
        pass[6] (0) -> (0),   merge[7, 5] (1, 2) -> (1);
    /// A sum under an xor.
    type BelowXor:
        packed [8, 8];
        xor[8, 8] (0, 1) -> (0, 1);
        pass[8] (0) -> (0),   slice[8, 1, 7] (1) -> (1);
    /// The middle of a tile, and two rows of padding before it.
    type Shifted:
        naive [8, 16] strides [24, 1];
        left_pad[8, 2] (0) -> (0),   slice[16, 3, 11] (1) -> (1);
    /// Three dimensions, of which two are swizzled and merged.
    type MergedXor:
        packed [4, 16, 8, 4];
        pass[4] (0) -> (0), xor[16, 8] (1, 2) -> (1, 2), pass[4] (3) -> (3);
        pass[4] (0) -> (0), merge[16, 8] (1, 2) -> (1), pass[4] (3) -> (2);
    /// Merged and taken apart otherwise.
    type OddTower:
        packed [6, 35];
        merge[6, 35] (0, 1) -> (0);
        unmerge[14, 15] (0) -> (0, 1);
        pass[14] (0) -> (0), unmerge[3, 5] (1) -> (1, 2);
    /// The same divisions over and over.
    type TwoShifts:
        packed [3, 6, 10, 7];
        cyclic_shift[6, 10] (1, 2) -> (1, 2), pass[3] (0) -> (0), pass[7] (3) -> (3);
        merge[3, 6, 10] (0, 1, 2) -> (0), pass[7] (3) -> (1);
        cyclic_shift[180, 7] (0, 1) -> (0, 1);
        merge[180, 7] (0, 1) -> (0);
    type FiveDimensions:
        packed [2, 3, 4, 5, 6];
        xor[3, 4] (1, 2) -> (3, 0), pass[2] (0) -> (1), pass[5] (3) -> (2), pass[6] (4) -> (4);
    type LengthOne:
        packed [1, 32, 1];
    type OneElement:
        packed [1];
}

/// The width of a layout's element.
trait ByteBits {
    const BYTE_BITS: u32;
}
impl<T: tiledesc::Tile> ByteBits for T {
    const BYTE_BITS: u32 = T::Element::BITS;
}

fn shaped(form: Form, bytes: bool, staged: bool) -> Form {
    let form = if bytes { form.bytes() } else { form };
    if staged { form.staged() } else { form }
}

/// Every form of every layout.
pub(crate) fn layouts() -> Vec<Case> {
    let mut cases = Vec::new();
    macro_rules! add {
        ($($Layout:ident $names:expr;)*) => {$(
            for (suffix, bytes, staged) in [
                ("fused", false, false),
                ("staged", false, true),
                ("fused_bytes", true, false),
                ("staged_bytes", true, true),
            ] {
                let name = format!("{}_{suffix}", stringify!($Layout).to_lowercase());
                let bits = if bytes { u64::from($Layout::BYTE_BITS) } else { 8 };
                let offset = |index: &[u32]| {
                    let offset = u64::from($Layout::PLAN.offset(index).ok()?) * bits / 8;
                    Some(offset.try_into().expect("a layout has 2^32 bytes at most"))
                };
                let emitted = |form| {
                    let form = shaped(form, bytes, staged);
                    let of_type = $Layout::default().emit(form, &name, $names);
                    // A plan says the same, of elements of its own width.
                    let of_plan = $Layout::default().to_plan().unwrap();
                    let form = if bytes { form.bytes_of($Layout::BYTE_BITS) } else { form };
                    assert_eq!(of_plan.emit(form, &name, $names), of_type);
                    of_type
                };
                let case = Case::of(&name, &$names, $Layout::LENGTHS, offset, emitted);
                cases.push(case.unwrap());
            }
        )*};
    }
    add! {
        Xor ["m", "k"];
        Layered ["m", "k"];
        Layers4 ["m", "k"];
        Bytes8 ["m", "k"];
        Chunks ["m", "k"];
        Padded ["m", "k"];
        Lines ["n", "k"];
        Columns ["mn", "k"];
        Rows ["m", "k"];
        RowPad ["m", "k"];
        Fp4 ["m", "k"];
        Fp6 ["m", "k"];
        Cyclic ["row", "column"];
        Odd ["i", "j"];
        Below ["y", "x"];
        Window ["y", "x"];
        Merged ["batch", "row_chunk", "k"];
        Tower ["a", "b", "c"];
        // Names that locals would have, and that the library has.
        Channels ["t0"];
        Five ["index", "min", "y0", "abs", "t1"];
        Thin ["a", "b", "c"];
        Constant ["i"];
        Largest ["y", "x"];
        LargestBits ["y", "x"];
    }
    cases
}

/// CuTe's texts, fused where they can be.
pub(crate) fn texts(count: u32) -> Vec<Case> {
    let one = |seed: u32| {
        let (name, text) = (format!("text{seed}"), cute_text(seed));
        let tile = cute::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let rows = tile.layout().shape().at(0);
        let lengths = tile.to_plan().unwrap().lengths();
        let at = |index: &[u32]| tile.offset_of(&[index[0] % rows, index[0] / rows, index[1]]);
        let emitted = |form| tile.emit(form, &name, ["m", "k"]);
        Case::of(&name, &["m", "k"], lengths, at, emitted).unwrap()
    };
    (0..count).map(one).collect()
}

/// A swizzle or none, over rows with gaps or none.
pub(crate) fn cute_text(seed: u32) -> String {
    let mut dice = Dice(u64::from(seed) << 32 | 3);
    let mut below = move |n: u32| dice.below(n);
    let rows = [2, 4, 8, 16, 3, 6][below(6) as usize];
    let columns = [8, 16, 32, 64, 12, 7][below(6) as usize];
    let outer = 1 + below(3);
    let pitch = columns + [0, 0, 1, 8][below(4) as usize];
    let bits = below(4);
    let shift = bits + below(3);
    let sign = if below(4) == 0 { "-" } else { "" };
    let behind = match below(3) {
        0 => "smem_ptr[16b](unset)".to_owned(),
        1 => below(100).to_string(),
        _ => "0".to_owned(),
    };
    let (base, end) = (1 + below(4), rows * pitch);
    format!(
        "Sw<{bits},{base},{sign}{shift}> o {behind} o (({rows},{outer}),{columns}):(({pitch},{end}),1)"
    )
}

const NAMES: [&str; List::CAPACITY] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];

/// As many names as there are dimensions.
pub(crate) fn names(rank: usize) -> &'static [&'static str] {
    &NAMES[..rank]
}

/// Random compositions, as an expression of their rules over run-time lengths; those
/// that look up a table are left out.
pub(crate) fn compositions(count: usize) -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let composition = unchecked_composition(5);
    let mut cases = Vec::new();
    while cases.len() < count {
        let plan = composition.new_tree(&mut runner).unwrap().current();
        let name = format!("composition{}", cases.len());
        let names = names(plan.rank());
        let at = |index: &[u32]| Some(plan.evaluate(index)[0]);
        let emitted = |form: Form| plan.emit(form.staged(), &name, names);
        match Case::of(&name, names, plan.lengths(), at, emitted) {
            Ok(case) => cases.push(case),
            Err(error) if error.to_string().starts_with("the layout looks up a table of ") => {}
            Err(error) => panic!("{error}: {plan:?}"),
        }
    }
    cases
}

/// Random expressions of two coordinates; what they are of numbers is what they must be.
pub(crate) fn expressions(count: u32) -> Vec<Case> {
    let lengths = [64, 12];
    let symbols = [0, 1].map(|i| Expression::coordinate(i, lengths[i]));
    (0..count)
        .map(|seed| {
            let name = format!("expression{seed}");
            let offset = grown(symbols.to_vec(), seed);
            let at = |index: &[u32]| Some(grown(index.to_vec(), seed));
            let emitted = |form: Form| form.function(&name, &["a", "b"], &offset);
            Case::of(&name, &["a", "b"], List::new(&lengths), at, emitted).unwrap()
        })
        .collect()
}

/// Ten operations, each on any two of what there is.
fn grown<I: Index>(mut all: Vec<I>, seed: u32) -> I {
    const NUMBERS: [u32; 10] = [1, 2, 3, 4, 7, 8, 24, 32, 65536, 3_000_000_019];
    let mut dice = Dice(u64::from(seed) << 32);
    let mut next = |n: usize| dice.below(n as u32) as usize;
    for _ in 0..10 {
        let (x, y) = (all[next(all.len())].clone(), all[next(all.len())].clone());
        let by = Extent::constant(NUMBERS[next(NUMBERS.len())]);
        all.push(match next(10) {
            0 | 1 => x.add(&y),
            2 => x.sub(&y),
            3 => x.xor(&y),
            4 => x.mul(by),
            5 => x.div(by),
            6 => x.rem(by),
            7 => x.div(by).rem(Extent::constant(4)).mul(by),
            8 => x.constant(by).sub(&x),
            _ => x.xor(&x.constant(by)),
        });
    }
    all.pop().unwrap()
}
