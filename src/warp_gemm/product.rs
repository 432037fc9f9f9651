//! The product of two tiles in registers, as a type: who holds the result, and which registers each instruction takes.

use super::named::Named;
use super::row::InstructionRow;
use super::shaped::among_all;
use super::sought::{Of, Sought};
use super::{amd, nvidia};
use crate::distribution::{
    Distribution, DistributionError, Encoding, OperandOf, ProductFault, ProductSteps, product,
};
use crate::element::{ELEMENTS, Element, ElementName};
use crate::matrix::kind::{takes, takes_b};
use core::marker::PhantomData;
use core::ops::Range;
use tiledesc_transforms::{NumberError, any, attempt, known, range, unrolled};

/// What a lane holds of a tile: a [`Distribution`], or the access of a kernel that [`access!`](crate::access!) has named, whose
/// elements are known, too.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say what a lane holds",
    note = "state a distribution, or a name that `access!` declares"
)]
pub trait Registers {
    /// Who holds what.
    type Held: Distribution;

    /// The elements of the tile that they come from, if it is known.
    #[doc(hidden)]
    const ELEMENT: Option<ElementName>;
}

impl<T: Distribution> Registers for T {
    type Held = T;
    const ELEMENT: Option<ElementName> = None;
}

/// A matrix instruction of a chip, and whether it is given B for A.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct By {
    row: InstructionRow,
    is_swapped: bool,
}

impl By {
    /// By its name.
    ///
    /// # Errors
    ///
    /// [`ProductFault::NoInstruction`] and what else is wrong with the name.
    #[doc(hidden)]
    pub const fn named(
        chip: &'static str,
        name: &'static str,
        is_swapped: bool,
    ) -> Result<Self, DistributionError> {
        let asked = Named::new(chip, name);
        let asked = nvidia::mma_named(amd::wmma_named(amd::mfma_named(asked)));
        Ok(Self { row: attempt!(asked.found()), is_swapped })
    }

    /// By its shape: the one whose k is the largest that divides `k`.
    ///
    /// # Errors
    ///
    /// [`DistributionError::NoMatrix`], and a number that does not exist.
    #[doc(hidden)]
    pub const fn shaped<E: Element>(
        chip: &'static str,
        [m, n, k]: [Result<u32, NumberError>; 3],
        is_swapped: bool,
    ) -> Result<Self, DistributionError> {
        let shape = [
            attempt!(m => DistributionError::Number),
            attempt!(n => DistributionError::Number),
            attempt!(k => DistributionError::Number),
        ];
        let sought = among_all(Sought::new(chip, E::TYPE, E::BITS, Of::A, shape));
        Self::named(chip, attempt!(sought.found()).name, is_swapped)
    }

    /// Returns whether its first or its second operand is of such elements.
    const fn takes(&self, is_first: bool, element: &ElementName) -> bool {
        let name = self.row.name;
        let is_taken =
            if is_first { takes(name, element.code) } else { takes_b(name, element.code) };
        element.bits == self.row.bits[0] && is_taken
    }

    /// The first of this crate's elements of which an operand is.
    const fn element(&self, is_first: bool) -> ElementName {
        range!(i, 0..ELEMENTS.len(), {
            if self.takes(is_first, &ELEMENTS[i]) {
                return ELEMENTS[i];
            }
        });
        ElementName::of_bits(self.row.bits[0])
    }

    /// Refuses an operand of other elements, as far as they are known.
    const fn check_elements<R: Registers>(
        &self,
        operand: &'static str,
        is_first: bool,
    ) -> Result<(), DistributionError> {
        let (mut known, mut is_converted) = (&[] as &[ElementName], false);
        if let Some(of) = <R::Held as Distribution>::OPERAND_OF {
            (known, is_converted) = (of.elements, of.is_converted);
        }
        let wrong = match R::ELEMENT {
            Some(element) if !is_converted && !self.takes(is_first, &element) => element,
            _ if known.is_empty() || any!(i, 0..known.len(), self.takes(is_first, &known[i])) => {
                return Ok(());
            }
            _ => known[0],
        };
        let (name, taken) = (self.row.name, self.element(is_first));
        let fault = ProductFault::Element { operand, element: wrong, name, taken };
        Err(DistributionError::Product(fault))
    }
}

/// The product of two tiles in registers by a matrix instruction: [`product!`](crate::product!) declares one.
///
/// It is the [`Distribution`] of the result.
pub trait Product: Distribution {
    /// What lanes hold of the first factor, m by k.
    type A: Registers;
    /// What lanes hold of the second factor, n by k.
    type B: Registers;

    /// The instruction.
    #[doc(hidden)]
    const BY: Result<By, DistributionError>;

    /// Who holds the result, and the instructions.
    #[doc(hidden)]
    const PRODUCT: Result<(Encoding, ProductSteps), DistributionError> = made::<Self>();

    /// The matrix instruction, as the chip's assembler writes it; of NVIDIA without `.sync.aligned` and `.row.col`.
    const INSTRUCTION: &'static str = match &Self::BY {
        Ok(by) => by.row.name,
        Err(fault) => fault.text().refuse(),
    };

    /// The instructions of a wave as plain data, for constants.
    const STEPS: ProductSteps = match &Self::PRODUCT {
        Ok((_, steps)) => *steps,
        Err(fault) => fault.text().refuse(),
    };

    /// Calls `f` with the registers of A, of B and of the result that each matrix instruction of a wave takes, in the order
    /// of k; unrolled by the compiler. The registers are elements of a lane, as everywhere.
    ///
    /// What cannot be multiplied is an error of the declaration; of one with parameters, of `cargo build`.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    fn each(mut f: impl FnMut(Range<usize>, Range<usize>, Range<usize>)) {
        const { check_sound::<Self>() };
        unrolled!(step, 256, Unrolled::<Self>::COUNT, { Unrolled::<Self>::one(step, &mut f) });
        // A wave with more has a loop, which the compiler unrolls if it likes.
        for step in 256..Unrolled::<Self>::COUNT {
            Unrolled::<Self>::one(step, &mut f);
        }
    }
}

/// The numbers of an instruction's registers: nothing is interpreted.
struct Unrolled<P: ?Sized>(PhantomData<P>);

impl<P: Product + ?Sized> Unrolled<P> {
    /// None of what cannot be multiplied, which [`check_sound`] has refused.
    const STEPS: ProductSteps = match &P::PRODUCT {
        Ok((_, steps)) => *steps,
        Err(_) => ProductSteps::NONE,
    };
    const COUNT: usize = Self::STEPS.count();
    const ELEMENTS: [usize; 3] = {
        let [a, b, c] = Self::STEPS.elements();
        [a as usize, b as usize, c as usize]
    };

    #[inline(always)]
    fn one(step: usize, f: &mut impl FnMut(Range<usize>, Range<usize>, Range<usize>)) {
        let [a, b, c] = Self::first(step);
        let [of_a, of_b, of_c] = const { Self::ELEMENTS };
        f(a..a + of_a, b..b + of_b, c..c + of_c);
    }

    #[inline(always)]
    fn first(step: usize) -> [usize; 3] {
        let mut first = [0; 3];
        unrolled!(i, 12, Self::STEPS.loops_count, {
            let [a, b, c] = known!(Self::STEPS.loops[i]).registers_at(step);
            first = [first[0] + a, first[1] + b, first[2] + c];
        });
        first
    }
}

const fn made<P: Product + ?Sized>() -> Result<(Encoding, ProductSteps), DistributionError> {
    let by = attempt!(P::BY);
    attempt!(by.check_elements::<P::A>("A", !by.is_swapped));
    attempt!(by.check_elements::<P::B>("B", by.is_swapped));
    let operands = attempt!(by.row.operands(by.is_swapped));
    match (&<P::A as Registers>::Held::ENCODING, &<P::B as Registers>::Held::ENCODING) {
        (Ok(a), Ok(b)) => product(a, b, &operands),
        (Err(fault), _) | (_, Err(fault)) => Err(*fault),
    }
}

/// The distribution of a product.
///
/// # Errors
///
/// As the product.
#[doc(hidden)]
pub const fn encoding<P: Product + ?Sized>() -> Result<Encoding, DistributionError> {
    match &P::PRODUCT {
        Ok((encoding, _)) => Ok(*encoding),
        Err(fault) => Err(*fault),
    }
}

/// The instruction whose result it is.
#[doc(hidden)]
#[must_use]
pub const fn operand_of<P: Product + ?Sized>() -> Option<OperandOf> {
    match &P::BY {
        Ok(by) => Some(OperandOf::of_any(by.row.name, by.row.on.chips())),
        Err(_) => None,
    }
}

#[track_caller]
const fn check_sound<P: Product + ?Sized>() {
    if let Err(fault) = &P::PRODUCT {
        fault.text().refuse()
    }
}

/// Refuses what cannot be multiplied, with its name.
///
/// # Panics
///
/// On the caller's line, with the reason.
#[doc(hidden)]
#[track_caller]
pub const fn check<P: Product>(name: &str) {
    if let Err(fault) = &P::PRODUCT {
        fault.refuse(name)
    }
}

/// Multiplies two tiles in registers: checks at compile time that a chip's matrix instruction multiplies what the lanes hold, and
/// gives the registers that each instruction takes.
///
/// The factors are A, m by k, and B, n by k: distributions, or names that [`access!`](crate::access!) has declared, whose
/// elements are compared with the instruction's. The product is the distribution of the result, m by n, so nobody writes it;
/// its [`each`](crate::warp_gemm::Product::each) is the loop over the instructions of a wave.
///
/// ```
/// use tiledesc::{distribution::Within, matrix::mfma, prelude::*};
///
/// distribution! {
///     /// 2 x 2 waves, each with 2 instructions along m, and 4 reads along k.
///     type WavesA: m [down 2, wave 2], k [deep 4]; repeat [across 2], wave (wave, across), thread (down, deep);
///     type WavesB: n [across 2, wave 2], k [deep 4]; repeat [down 2], wave (down, wave), thread (across, deep);
/// }
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// access! {
///     Tile on gfx942:
///         type ReadA = read ds_read_b128 by Within<WavesA, mfma::Operand<U32, U16>>,
///         type ReadB = read ds_read_b128 by Within<WavesB, mfma::Operand<U32, U16>>,
/// }
/// product! { type Sums = ReadA x ReadB by v_mfma_f32_32x32x8_f16 on gfx942; }
///
/// /// A step along k: 4 reads, each for 2 instructions, for 2 x 2 squares of C.
/// fn step(a: &[u16; 64], b: &[u16; 64], sums: &mut [f32; Sums::ELEMENTS], mut mfma: impl FnMut(&[u16], &[u16], &mut [f32])) {
///     Sums::each(|of_a, of_b, of_c| mfma(&a[of_a], &b[of_b], &mut sums[of_c]));
/// }
/// let mut calls = 0;
/// step(&[0; 64], &[0; 64], &mut [0.0; 64], |a, b, c| {
///     assert_eq!((a.len(), b.len(), c.len()), (4, 4, 16));
///     calls += 1;
/// });
/// assert_eq!((calls, Sums::STEPS.count(), Sums::STEPS.first(5)), (32, 32, [4, 36, 16]));
/// // The result's lanes: row 64 + 32 + 4 and column 32 + 1, of wave 3 and lane 33, from register 32 on.
/// assert_eq!(Sums::coordinate(3, 33, 32), [64 + 32 + 4, 32 + 1]);
/// ```
///
/// | by | is |
/// |---|---|
/// | `v_mfma_f32_32x32x8_f16`, `mma.m16n8k16.f32.f16.f16.f32` | the instruction of this name, as the chip's assembler writes it |
/// | `32x32x8 of F16`, `[Lit<R>, Lit<R>, U8] of T` | the first one of that shape for such elements; of a multiple of its k, the one with the largest k |
/// | .. `swapped` | the instruction is given B for A and A for B, so that a lane's neighbours are along n |
///
/// A kernel that is generic over its chip has the chip as a parameter, and is checked where it is instantiated:
///
/// ```
/// use tiledesc::chip::{Gfx942, Gfx950, Gfx1100, Target};
/// use tiledesc::{prelude::*, warp_gemm};
///
/// type A<C> = warp_gemm::A<C, F16, U16, U16, U32>;
/// type B<C> = warp_gemm::B<C, F16, U16, U16, U32>;
/// product! { type Sums<C: Target> = A<C> x B<C> by 16x16x32 of F16 on C; }
///
/// assert_eq!((Sums::<Gfx942>::INSTRUCTION, Sums::<Gfx942>::STEPS.count()), ("v_mfma_f32_16x16x16_f16", 2));
/// assert_eq!((Sums::<Gfx950>::INSTRUCTION, Sums::<Gfx950>::STEPS.count()), ("v_mfma_f32_16x16x32_f16", 1));
/// assert_eq!((Sums::<Gfx1100>::INSTRUCTION, Sums::<Gfx1100>::ELEMENTS), ("v_wmma_f32_16x16x16_f16", 8));
/// ```
///
/// Refused are an instruction that the chip lacks, elements that it does not take, lanes that hold something else than it
/// takes from them, and factors whose waves or k do not meet:
///
/// ```compile_fail
/// use tiledesc::{matrix::mfma, prelude::*};
///
/// type A = mfma::Operand<U32, U16>;
/// type B = mfma::Halved<U32, U16>;
/// product! { type Sums = A x B by v_mfma_f32_32x32x8_f16 on gfx942; }
/// // error: Sums: v_mfma_f32_32x32x8_f16 would multiply k = 8 of A by k = 4 of B
/// ```
#[doc(alias = "mfma")]
#[doc(alias = "mma")]
#[doc(alias = "wmma")]
#[macro_export]
macro_rules! product {
    ($($products:tt)+) => { $crate::__products! { {$crate} $($products)+ } };
}
