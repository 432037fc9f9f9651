//! A product by a matrix instruction is the plain product: whatever `product` accepts is multiplied lane by lane, by the maps of
//! the instruction's operands alone, and compared with a sum over k.
//!
//! | tiles | are |
//! |---|---|
//! | blocks | waves and iterations around the operands of each instruction that the library knows |
//! | changed blocks | factors that changed places in a tile, or in what a wave, a lane or a thread lists |
//! | types | operands of the library, by `product!` |

use std::collections::{BTreeMap, BTreeSet};
use support::fuzz::{Dice, cases, seed};
use tiledesc::chip::CHIPS;
use tiledesc::distribution::{
    DistributionError, Encoding, Owner, ProductFault, ProductSteps, Within,
};
use tiledesc::matrix::{Converted, mfma, mma, wmma};
use tiledesc::prelude::*;
use tiledesc::warp_gemm::{self, MatrixInstruction, Product};

/// Each instruction whose operands no other one has, of all chips.
fn instructions() -> Vec<MatrixInstruction> {
    let mut known: Vec<MatrixInstruction> = Vec::new();
    for row in CHIPS.iter().flat_map(warp_gemm::instructions).filter(|row| row.b().is_some()) {
        let is_same = |one: &MatrixInstruction| {
            (one.a(), one.b(), one.c(), one.swapped_c())
                == (row.a(), row.b(), row.c(), row.swapped_c())
        };
        if !known.iter().any(is_same) {
            known.push(row);
        }
    }
    known
}

/// A tile of numbers: blocks, rows and columns.
struct Matrix {
    lengths: [u32; 3],
    numbers: Vec<i32>,
}

impl Matrix {
    fn place(&self, [block, row, column]: [u32; 3]) -> usize {
        ((block * self.lengths[1] + row) * self.lengths[2] + column) as usize
    }

    fn random(of: &Encoding, dice: &mut Dice) -> Self {
        let lengths = three(of.lengths().as_slice(), 1);
        let count = lengths.iter().product::<u32>();
        Self { lengths, numbers: (0..count).map(|_| dice.below(19) as i32 - 9).collect() }
    }

    /// The numbers that each wave's lanes hold, by wave, lane and element. If no factor belongs to waves, each of `waves` holds
    /// the whole matrix.
    fn held(&self, by: &Encoding, waves: u32) -> Vec<Vec<Vec<i32>>> {
        let wave = |wave| {
            let element = |lane, i| self.numbers[self.place(at(by, wave, lane, i))];
            (0..by.lanes())
                .map(|lane| (0..by.elements()).map(|i| element(lane, i)).collect())
                .collect()
        };
        (0..waves).map(|number| wave(if by.waves() == 1 { 0 } else { number })).collect()
    }
}

/// Block, row and column of a coordinate, or the lengths of each.
fn three(of: &[u32], block: u32) -> [u32; 3] {
    match *of {
        [row, column] => [block, row, column],
        [block, row, column] => [block, row, column],
        _ => panic!("{of:?}"),
    }
}

fn at(held: &Encoding, wave: u32, lane: u32, element: u32) -> [u32; 3] {
    three(held.coordinate(wave, lane, element).unwrap().as_slice(), 0)
}

/// The map of an operand or of the result: of each lane and element its coordinate.
fn map_of(by: &Encoding) -> Vec<(usize, usize, [u32; 3])> {
    let places = (0..by.lanes()).flat_map(|lane| (0..by.elements()).map(move |i| (lane, i)));
    places.map(|(lane, i)| (lane as usize, i as usize, at(by, 0, lane, i))).collect()
}

/// An operand of the instruction as its map has it, of what lanes hold from an element on; copies agree.
fn operand(
    by: &Encoding,
    map: &[(usize, usize, [u32; 3])],
    lanes: &[Vec<i32>],
    first: usize,
) -> Matrix {
    let lengths = three(by.lengths().as_slice(), 1);
    let mut made = Matrix { lengths, numbers: vec![99; lengths.iter().product::<u32>() as usize] };
    for (lane, i, coordinate) in map {
        let (place, value) = (made.place(*coordinate), lanes[*lane][first + i]);
        assert!([99, value].contains(&made.numbers[place]), "copies agree");
        made.numbers[place] = value;
    }
    made
}

/// The sum over k of a row of A and a column of B.
fn dot(a: &Matrix, b: &Matrix, [block, m, n]: [u32; 3]) -> i32 {
    let row = |of: &Matrix, row| {
        of.place([block, row, 0])..of.place([block, row, 0]) + of.lengths[2] as usize
    };
    let (a, b) = (&a.numbers[row(a, m)], &b.numbers[row(b, n)]);
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Multiplies random matrices that lanes hold, instruction by instruction, and compares the result with the plain product.
fn multiply(
    row: &MatrixInstruction,
    swapped: bool,
    [a, b]: [&Encoding; 2],
    (c, steps): (&Encoding, &ProductSteps),
) {
    let (of_a, of_b, of_c) = (row.a(), row.b().unwrap(), row.c());
    let mut dice = Dice(steps.count() as u64);
    let (first, second) = (Matrix::random(a, &mut dice), Matrix::random(b, &mut dice));
    let (held_a, held_b) = (first.held(a, c.waves()), second.held(b, c.waves()));
    let [map_a, map_b, result] = [of_a, of_b, of_c].map(map_of);
    let mut seen = BTreeSet::new();
    for wave in 0..c.waves() {
        let (a, b) = (&held_a[wave as usize], &held_b[wave as usize]);
        let mut sums = vec![vec![0; c.elements() as usize]; c.lanes() as usize];
        for [first_a, first_b, first_c] in steps.iter() {
            let (mut left, mut right) = ((a, first_a), (b, first_b));
            if swapped {
                (left, right) = (right, left);
            }
            let left = operand(of_a, &map_a, left.0, left.1);
            let right = operand(of_b, &map_b, right.0, right.1);
            for (lane, i, place) in &result {
                sums[*lane][first_c + i] += dot(&left, &right, *place);
            }
        }
        for (lane, i) in (0..c.lanes()).flat_map(|lane| (0..c.elements()).map(move |i| (lane, i))) {
            let place = at(c, wave, lane, i);
            let sum = sums[lane as usize][i as usize];
            assert_eq!(sum, dot(&first, &second, place), "{} {:?}", row.name(), (wave, lane, i));
            seen.insert(place);
        }
    }
    // Every element of the product is someone's.
    let [blocks, rows, _] = first.lengths;
    assert_eq!(seen.len() as u32, blocks * rows * second.lengths[1]);
    let operands = if swapped { [of_b, of_a, of_c] } else { [of_a, of_b, of_c] };
    assert_eq!(steps.elements(), operands.map(Encoding::elements));
}

/// A distribution in CK Tile's parameters, to be changed.
#[derive(Clone)]
struct Parts {
    rs: Vec<u32>,
    hs: Vec<Vec<u32>>,
    /// Of wave, lane and thread: the group and the position of each factor.
    owned: [Vec<(u32, u32)>; 3],
}

impl Parts {
    fn of(encoding: &Encoding) -> Self {
        let (mut rs, mut hs) = (Vec::new(), vec![Vec::new(); encoding.rank()]);
        let factors: Vec<_> = encoding.named_factors().collect();
        for (name, length) in &factors {
            match name.dimension {
                Some(dimension) => hs[dimension.number as usize].push(*length),
                None => rs.push(*length),
            }
        }
        let place = |at: &u32| {
            let (name, _) = factors[*at as usize];
            (name.dimension.map_or(0, |dimension| dimension.number + 1), name.position)
        };
        let listed = |owner| encoding.list_of(owner).as_slice().iter().map(place).collect();
        Self { rs, hs, owned: [Owner::Wave, Owner::Lane, Owner::Thread].map(listed) }
    }

    fn made(&self) -> Result<Encoding, DistributionError> {
        let hs: Vec<&[u32]> = self.hs.iter().map(Vec::as_slice).collect();
        let of =
            |owner: usize| -> (Vec<u32>, Vec<u32>) { self.owned[owner].iter().copied().unzip() };
        let ((wave, wave_at), (lane, lane_at), (thread, thread_at)) = (of(0), of(1), of(2));
        Encoding::ck(&self.rs, &hs, (&[&wave, &lane], &[&wave_at, &lane_at]), (&thread, &thread_at))
    }

    /// Two factors of a dimension change places in it.
    fn exchange(&mut self, group: usize, one: usize, other: usize) {
        self.hs[group - 1].swap(one, other);
        for (_, at) in self.owned.iter_mut().flatten().filter(|(of, _)| *of as usize == group) {
            *at = match *at as usize {
                at if at == one => other,
                at if at == other => one,
                at => at,
            } as u32;
        }
    }

    /// Changes something: the order of a list, or of the factors of a dimension.
    fn shaken(mut self, dice: &mut Dice) -> Self {
        let mut two = |count: usize| {
            let count = count as u32;
            [dice.below(count), dice.below(count)].map(|at| at as usize)
        };
        let kind = two(5)[0];
        match kind {
            0..3 if !self.owned[kind].is_empty() => {
                let [one, other] = two(self.owned[kind].len());
                self.owned[kind].swap(one, other);
            }
            _ => {
                let group = two(self.hs.len())[0];
                let [one, other] = two(self.hs[group].len());
                self.exchange(group + 1, one, other);
            }
        }
        self
    }
}

/// Waves and iterations around an operand: `across` waves hold the same; along k the lane's elements may be one piece.
struct Block {
    blocks: u32,
    rows: [u32; 2],
    across: u32,
    k: u32,
    joined: u32,
}

impl Block {
    fn around(&self, operand: &Encoding, k_first: bool, wave_first: bool) -> Encoding {
        let Self { blocks, rows: [again, wave], across, k, joined } = *self;
        let mut hs: Vec<&[u32]> = vec![&[]; operand.rank()];
        let (of_rows, of_k, of_blocks, of_joined) = ([again, wave], [k], [blocks], [joined]);
        let rank = operand.rank() as u32;
        (hs[0], hs[rank as usize - 2], hs[rank as usize - 1]) = (&of_blocks, &of_rows, &of_k);
        let (mut ys, mut waves) = ([(rank - 1, 0), (rank, 0)], [(0, 0), (rank - 1, 1)]);
        if k_first {
            ys.reverse();
        }
        if wave_first {
            waves.reverse();
        }
        let mut ys = ys.to_vec();
        if rank == 3 {
            ys.insert(0, (1, 0));
        }
        let (ps_major, ps_minor): (Vec<u32>, Vec<u32>) = waves.into_iter().unzip();
        let (ys_major, ys_minor): (Vec<u32>, Vec<u32>) = ys.into_iter().unzip();
        let ps: (&[&[u32]], &[&[u32]]) = (&[&ps_major, &[]], &[&ps_minor, &[]]);
        let outer = Encoding::ck(&[across], &hs, ps, (&ys_major, &ys_minor)).unwrap();
        let mut along_k = vec![&[1][..]; operand.rank()];
        along_k[rank as usize - 1] = &of_joined;
        let along_k = Encoding::ck(
            &[],
            &along_k,
            (&[&[]], &[&[]]),
            (&[1, 2, 3][..rank as usize], &[0, 0, 0][..rank as usize]),
        );
        // A lane's k of several instructions in one piece, as one read of 16 bytes brings it.
        let joined = operand.around(&along_k.unwrap()).unwrap();
        outer.around(&joined).unwrap()
    }
}

/// The k of a lane is in one piece, so that more of it may be.
fn is_in_one_piece(row: &MatrixInstruction) -> bool {
    let is = |held: &Encoding| {
        let last = held.rank() - 1;
        let of = |i| held.coordinate(0, 0, i).unwrap();
        (1..held.elements()).all(|i| of(i).at(last) == i && of(i).at(last - 1) == 0)
    };
    is(row.a()) && is(row.b().unwrap())
}

/// A and B of a block, and as many instructions as it takes.
fn block(dice: &mut Dice, row: &MatrixInstruction) -> ([Encoding; 2], usize) {
    let mut one_or = |other: &[u32]| if dice.one_in(2) { 1 } else { dice.of(other) };
    let [m, n, k] = [0; 3].map(|_| one_or(&[2, 3]));
    let [wave_m, wave_n] = [0; 2].map(|_| one_or(&[1, 1, 2]));
    let blocks = if row.blocks() > 1 { one_or(&[2]) } else { 1 };
    let joined = if is_in_one_piece(row) { one_or(&[2]) } else { 1 };
    let wave_first = dice.one_in(2);
    let of_a = Block { blocks, rows: [m, wave_m], across: wave_n, k, joined };
    let of_b = Block { blocks, rows: [n, wave_n], across: wave_m, k, joined };
    let a = of_a.around(row.a(), dice.one_in(2), wave_first);
    let b = of_b.around(row.b().unwrap(), dice.one_in(2), !wave_first);
    ([a, b], (blocks * m * n * k * joined) as usize)
}

/// Every instruction, in blocks: all are accepted, and right.
#[test]
fn blocks_of_every_instruction() {
    let (mut dice, all, mut count) = (Dice(seed(61)), instructions(), 0);
    for row in &all {
        for _ in 0..support::fuzz::times(1) {
            let ([a, b], steps) = block(&mut dice, row);
            let made =
                row.product(&a, &b).unwrap_or_else(|fault| panic!("{}: {fault}", row.name()));
            assert_eq!(made.1.count(), steps, "{}", row.name());
            multiply(row, false, [&a, &b], (&made.0, &made.1));
            count += 1;
            // Swapped, A of the product is B of the instruction.
            if row.swapped_c().is_some() && row.a() == row.b().unwrap() {
                let made = row.swapped_product(&a, &b).unwrap();
                multiply(row, true, [&a, &b], (&made.0, &made.1));
                count += 1;
            }
        }
    }
    assert!(all.len() >= 30 && count >= 50, "{} instructions, {count} products", all.len());
}

/// Factors that changed places: what is accepted is right, and much is refused.
#[test]
fn changed_blocks() {
    let (mut dice, all) = (Dice(seed(67)), instructions());
    let (mut accepted, mut refused) = (0, BTreeMap::new());
    for _ in 0..cases("products") {
        let row = dice.of(&all);
        let ([a, b], _) = block(&mut dice, &row);
        let [mut a, mut b] = [Parts::of(&a), Parts::of(&b)];
        // k alike in both, if they have the same factors; then one of them alone.
        let k = a.hs.len();
        if a.hs[k - 1] == b.hs[k - 1] && dice.one_in(2) {
            let [one, other] = [0; 2].map(|_| dice.below(a.hs[k - 1].len() as u32) as usize);
            a.exchange(k, one, other);
            b.exchange(k, one, other);
        }
        if dice.one_in(2) {
            a = a.shaken(&mut dice);
        }
        if dice.one_in(2) {
            b = b.shaken(&mut dice);
        }
        let (Ok(a), Ok(b)) = (a.made(), b.made()) else { continue };
        let swapped = row.swapped_c().is_some() && dice.one_in(2);
        match if swapped { row.swapped_product(&a, &b) } else { row.product(&a, &b) } {
            Ok((c, steps)) => {
                accepted += 1;
                multiply(&row, swapped, [&a, &b], (&c, &steps));
            }
            Err(DistributionError::Product(fault)) => {
                let kind = format!("{fault:?}").split(' ').next().unwrap().to_string();
                *refused.entry(kind).or_insert(0) += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    for kind in ["NotHeld", "Order"] {
        assert!(accepted > 20 && refused.contains_key(kind), "{accepted} accepted, {refused:?}");
    }
}

distribution! {
    type WavesA: m [down 2, wave 2], k [deep 2]; repeat [across 2], wave (wave, across), thread (down, deep);
    type WavesB: n [across 2, wave 2], k [deep 2]; repeat [down 2], wave (down, wave), thread (across, deep);
    type Alone: m [down 2], k [deep 2]; thread (down, deep);
}

/// Blocks of types, each of an instruction of another kind.
type Halves = mfma::Operand<U32, U16>;
product! {
    type Mfma = Within<WavesA, Halves> x Within<WavesB, Halves> by v_mfma_f32_32x32x8_f16 on gfx942;
    type Swapped = Within<WavesA, Halves> x Within<WavesB, Halves> by 32x32x8 of F16 swapped on gfx90a;
    type Wmma = Within<WavesA, wmma::gfx11::Operand> x Within<WavesB, wmma::gfx11::Operand> by v_wmma_f32_16x16x16_bf16 on gfx1100;
    type Mma = Within<WavesA, mma::A<U16, U2>> x Within<WavesB, mma::B<U16, U2>>
        by mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 on sm_90;
    // A that all waves have.
    type Shared = Within<Alone, mma::A<U32, U4>> x Within<WavesB, mma::B<U32, U4>> by mma.m16n8k32.s32.s8.s8.s32 on sm_80;
    // Weights of another element, which the kernel converts.
    type OfWeights = Converted<mfma::F16_32x32x8::A> x mfma::F16_32x32x8::B by v_mfma_f32_32x32x8_f16 on gfx942;
    type Small = mfma::F8F6F4_16x16x128::A x mfma::F8F6F4_16x16x128::B by v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4 on gfx950;
}

fn typed<P: Product>(chip: &str, swapped: bool) {
    let chip = CHIPS.iter().find(|one| one.name() == chip).unwrap();
    let row = warp_gemm::find(chip, P::INSTRUCTION).unwrap();
    let held = |held: Result<Encoding, DistributionError>| held.unwrap();
    let a = held(<<P::A as warp_gemm::Registers>::Held as Distribution>::ENCODING);
    let b = held(<<P::B as warp_gemm::Registers>::Held as Distribution>::ENCODING);
    multiply(&row, swapped, [&a, &b], (&held(P::ENCODING), &P::STEPS));
    let mut steps = P::STEPS.iter();
    P::each(|of_a, of_b, of_c| {
        assert_eq!(steps.next(), Some([of_a.start, of_b.start, of_c.start]));
        assert_eq!(
            [of_a.len(), of_b.len(), of_c.len()],
            P::STEPS.elements().map(|count| count as usize)
        );
    });
    assert_eq!(steps.next(), None);
}

#[test]
fn products_as_types() {
    typed::<Mfma>("gfx942", false);
    typed::<Swapped>("gfx90a", true);
    typed::<Wmma>("gfx1100", false);
    typed::<Mma>("sm_90", false);
    typed::<Shared>("sm_80", false);
    typed::<OfWeights>("gfx942", false);
    typed::<Small>("gfx950", false);
}

/// CK Tile's swizzled B gives its swizzled C: columns in another order.
#[test]
fn columns_in_another_order() {
    product! { type Sums = Halves x mfma::SwizzledB<U32, U16, U4> by v_mfma_f32_32x32x8_f16 swapped on gfx942; }
    typed::<Sums>("gfx942", true);
    for (lane, element) in (0..64).flat_map(|lane| (0..16).map(move |element| (lane, element))) {
        let sums: [u32; 2] = Sums::coordinate(0, lane, element);
        assert_eq!(sums, mfma::SwizzledC::<U32, U32>::coordinate(0, lane, element));
    }
}

/// What is not multiplied, in sentences.
#[test]
fn refusals() {
    let of = |chip, name| {
        warp_gemm::find(CHIPS.iter().find(|one| one.name() == chip).unwrap(), name).unwrap()
    };
    let row = of("gfx942", "v_mfma_f32_32x32x8_f16");
    let said = |a: &Encoding, b: &Encoding| row.product(a, b).unwrap_err().to_string();
    let a = mfma::F16_32x32x8::A::ENCODING.unwrap();
    let waves = |wave: &str| {
        let (m, k) = ([("wave", 2)], [("deep", 1)]);
        let (m, k): (&[_], &[_]) = if wave == "m" { (&m, &k) } else { (&k, &m) };
        let outer = Encoding::named(&[], &[("", m), ("k", k)], &["wave"], &[], &["deep"]).unwrap();
        outer.around(&a).unwrap()
    };
    let cases = [
        (
            said(&a, &mfma::Operand::<U16, U16>::ENCODING.unwrap()),
            "lane 16 is (0, 4) of B, but v_mfma_f32_32x32x8_f16 takes (16, 0) from it",
        ),
        (
            said(&a, &mfma::Operand::<U32, U16>::ENCODING.unwrap()),
            "A has a length of 8 along k, but B of 16",
        ),
        (
            said(&mma::A::<U16, U2>::ENCODING.unwrap(), &a),
            "A is held by waves of 32 lanes, but v_mfma_f32_32x32x8_f16 is of waves of 64",
        ),
        (
            said(&mfma::F32_32x32x2::A::ENCODING.unwrap(), &a),
            "a lane holds 1 element of A, but v_mfma_f32_32x32x8_f16 takes 4 at a time",
        ),
        (
            said(&waves("m"), &waves("m")),
            "wave 1 begins at (32, 0) of A and at (32, 0) of B: no wave would multiply the first rows of A by these of B",
        ),
        (
            said(&waves("k"), &waves("k")),
            "wave 1 begins at k = 8 of A and at k = 8 of B, but each wave must hold all of k",
        ),
        (
            said(&mfma::F16_4x4x4::A::ENCODING.unwrap(), &a),
            "A has 3 dimensions, but an operand of v_mfma_f32_32x32x8_f16 has 2",
        ),
    ];
    for (said, expected) in cases {
        assert_eq!(said, expected);
    }
    let wgmma = of("sm_90", "wgmma.m64n8k16.f32.f16.f16");
    let fault = wgmma.product(wgmma.a(), wgmma.a()).unwrap_err();
    assert!(matches!(fault, DistributionError::Product(ProductFault::NoRegisters { .. })));
    let mma = of("sm_80", "mma.m16n8k16.f32.f16.f16.f32");
    let fault = mma.swapped_product(mma.a(), mma.b().unwrap()).unwrap_err();
    assert!(matches!(fault, DistributionError::Product(ProductFault::Unswappable { .. })));
}
