//! Operands by the shape of the instruction, for kernels that are generic over the chip.
//!
//! ```text
//!   warp_gemm::A<Chip, F16, U16, U16, U32>
//!     gfx942    v_mfma_f32_16x16x16_f16, 2 along k    mfma::Operand<U16, U32>
//!     gfx950    v_mfma_f32_16x16x32_f16               the same
//!     gfx1100   v_wmma_f32_16x16x16_f16, 2 along k    wmma::gfx11::Operand, twice along k
//!   warp_gemm::A<Chip, F16, U16, U8, U32>
//!     sm_80     mma.m16n8k16.f32.f16.f16.f32, 2       mma::A<U32, U2>
//! ```
//!
//! A table of all instructions with what lanes hold would be evaluated as a whole wherever a constant uses it. So each list of
//! rows has a function that compares row by row, and only what may be sought is evaluated.

use super::sought::{Of, Sought};
use super::{amd, nvidia};
use crate::chip::Target;
use crate::distribution::{Distribution, DistributionError, Encoding, OperandOf};
use crate::element::{Element, ElementName};
use core::marker::PhantomData;
use tiledesc_transforms::Number;

/// The question after all rows were compared.
pub(super) const fn among_all(sought: Sought) -> Sought {
    nvidia::among_mma(amd::among_wmma(amd::among_mfma(sought)))
}

/// Operands by shape.
macro_rules! shaped {
    ($($(#[$doc:meta])* $Name:ident<$($P:ident),+> = $shape:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $Name<Chip, E, $($P),+>(PhantomData<(Chip, E, $($P),+)>);

        impl<Chip: Target, E: Element, $($P: Number),+> $Name<Chip, E, $($P),+> {
            const SOUGHT: Sought =
                among_all(Sought::new(Chip::NAME, E::TYPE, E::BITS, Of::$Name, $shape));
            const ELEMENT: [ElementName; 1] = [ElementName::new::<E>()];
            /// The operand by its row, of this element; a result is converted before it is stored.
            const OF: Option<OperandOf> = match (Self::SOUGHT.best, Of::$Name) {
                (Some(found), Of::A | Of::B) => {
                    Some(OperandOf { elements: &Self::ELEMENT, ..found.operand_of() })
                }
                (Some(found), Of::C) => Some(found.operand_of()),
                (None, _) => None,
            };
        }

        impl<Chip: Target, E: Element, $($P: Number),+> Distribution for $Name<Chip, E, $($P),+> {
            const ENCODING: Result<Encoding, DistributionError> = Self::SOUGHT.encoding();
            const OPERAND_OF: Option<&'static OperandOf> = Self::OF.as_ref();
        }
    )+};
    // The parts of an operand of A or B.
    (@instructions $($Name:ident)+) => {$(
        impl<Chip: Target, E: Element, M: Number, N: Number, K: Number> $Name<Chip, E, M, N, K> {
            /// The matrix instruction, as [`MatrixInstruction::name`](super::MatrixInstruction::name) has it.
            pub const INSTRUCTION: &'static str = match Self::SOUGHT.found() {
                Ok(found) => found.name,
                Err(fault) => fault.text().refuse(),
            };

            /// The number of instructions, one after the other along k.
            pub const TIMES: u32 = Self::SOUGHT.times();
        }
    )+};
}
shaped! { @instructions A B }

shaped! {
    /// A, m by k, of the matrix instruction of M x N that the chip has for such elements, with K of k: the one whose k is
    /// the largest that divides K.
    ///
    /// So a kernel that is generic over its chip states the access once:
    ///
    /// ```
    /// use tiledesc::chip::{Gfx942, Gfx950, Gfx1100, Target};
    /// use tiledesc::distribution::Within;
    /// use tiledesc::{prelude::*, warp_gemm};
    ///
    /// type A<C> = warp_gemm::A<C, F16, U16, U16, U32>;
    /// distribution! { type Block: m [again 8], k [deep 2]; thread (again, deep); }
    /// /// 128 x 64 of A: 8 operands along m, 2 along k.
    /// type ReadA<C> = Within<Block, A<C>>;
    /// type ATile = recipe::GemmXor<F16, U128, U64, U8>;
    ///
    /// fn read<C: Target>(lane: u32) -> usize {
    ///     check_conflict_free! { ATile on C: read load_b128 by ReadA<C> }
    ///     let mut reads = 0;
    ///     Accesses::<ReadA<C>, ATile, VectorSize<8>>::each(0, lane, |_byte, _, _, _| reads += 1);
    ///     reads
    /// }
    /// // Of RDNA3 two lanes of 32 hold each element, of CDNA one of 64.
    /// assert_eq!((read::<Gfx942>(17), read::<Gfx1100>(17)), (16, 64));
    /// assert_eq!((A::<Gfx942>::INSTRUCTION, A::<Gfx942>::TIMES), ("v_mfma_f32_16x16x16_f16", 2));
    /// assert_eq!((A::<Gfx950>::INSTRUCTION, A::<Gfx950>::TIMES), ("v_mfma_f32_16x16x32_f16", 1));
    /// ```
    ///
    /// Where an operand takes several instructions along k, a lane's neighbours are one piece if those of one instruction are, so
    /// that one read brings them all: k is permuted in A and in B alike, which does not change a product. Either way the first
    /// instruction takes the first `ELEMENTS / TIMES` elements of a lane, the next one those that follow. The element counts by
    /// its type, one of your own by its width. A shape that no instruction has is refused with those that there are.
    A<M, N, K> = [M::N, N::N, K::N];
    /// B, n by k, of the same instructions: see [`A`].
    ///
    /// ```
    /// use tiledesc::chip::{Gfx950, Sm80};
    /// use tiledesc::{prelude::*, warp_gemm};
    ///
    /// // A lane holds 8 neighbours of k, or pairs of them.
    /// assert_eq!(warp_gemm::B::<Gfx950, BF16, U32, U32, U16>::coordinate(0, 33, 2), [1, 8 + 2]);
    /// assert_eq!(warp_gemm::B::<Sm80, BF16, U16, U8, U16>::coordinate(0, 5, 3), [1, 2 + 8 + 1]);
    /// ```
    B<M, N, K> = [M::N, N::N, K::N];
    /// C and D, m by n, of M rows and N columns; the element is that of C.
    ///
    /// ```
    /// use tiledesc::chip::{Gfx942, Gfx1100};
    /// use tiledesc::{prelude::*, warp_gemm};
    ///
    /// // Element 2 of lane 19: 4 neighbours of m a lane, or every second.
    /// assert_eq!(warp_gemm::C::<Gfx942, F32, U16, U16>::coordinate(0, 19, 2), [4 + 2, 3]);
    /// assert_eq!(warp_gemm::C::<Gfx1100, F32, U16, U16>::coordinate(0, 19, 2), [4 + 1, 3]);
    /// ```
    C<M, N> = [M::N, N::N, 0];
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::ELEMENTS;
    use crate::chip::CHIPS;
    use crate::warp_gemm::{find, instructions};
    use std::collections::{BTreeMap, BTreeSet};

    /// Returns whether an instruction takes such elements, by what its name ends with, or holds between dots.
    fn is_for(name: &str, element: &str) -> bool {
        let (ends, holds): (&[&str], &[&str]) = match element {
            "F64" => (&["f64"], &[".f64.f64."]),
            "F32" if name.starts_with("v_") => (&["f32"], &[]),
            "F32" => (&[], &[".tf32."]),
            "F16" if name.ends_with("bf16") => (&[], &[]),
            "F16" if name.starts_with("v_") => (&["f16"], &[]),
            "F16" => (&[], &[".f16.f16."]),
            "BF16" => (&["bf16", "bf16_1k"], &[".bf16.bf16."]),
            "F8" => (&["f8f6f4"], &["fp8_", ".e4m3."]),
            "BF8" => (&["f8f6f4"], &["bf8_", ".e5m2."]),
            "F6" | "F4" => (&[], &["f8f6f4"]),
            "I8" => (&["i8", "iu8"], &[".s8."]),
            "I4" => (&["iu4"], &[".s4."]),
            _ => (&[], &[]),
        };
        ends.iter().any(|end| name.ends_with(end)) || holds.iter().any(|held| name.contains(held))
    }

    /// The k of the whole for each k of an instruction, in the elements that it takes.
    fn order_of_k(held: &Encoding, one: &Encoding, times: u32) -> BTreeMap<(u32, u32), u32> {
        let mut order = BTreeMap::new();
        for (t, lane) in (0..times).flat_map(|t| (0..one.lanes()).map(move |lane| (t, lane))) {
            for element in 0..one.elements() {
                let own = one.coordinate(0, lane, element).unwrap();
                let at = held.coordinate(0, lane, t * one.elements() + element).unwrap();
                assert_eq!(at.at(0), own.at(0), "the row");
                let before = order.insert((t, own.at(1)), at.at(1));
                assert!(before.is_none_or(|before| before == at.at(1)), "lanes agree");
            }
        }
        let all: BTreeSet<_> = order.values().collect();
        assert_eq!(all.len() as u32, held.lengths().at(1), "each k once");
        order
    }

    /// On every chip the operand is that of the instruction with the largest k that divides it, and several of these make
    /// the same product: whichever k an instruction sees of A, it sees of B.
    #[test]
    fn operands_are_those_of_the_table() {
        let (mut found, mut refused) = (0, 0);
        let shapes = [[4, 4], [8, 8], [16, 8], [16, 16], [32, 32], [48, 16], [16, 32]];
        let ks = [4, 8, 16, 24, 32, 64, 128];
        for (chip, element) in CHIPS.iter().flat_map(|chip| ELEMENTS.iter().map(move |e| (chip, e)))
        {
            for ([m, n], k) in shapes.iter().flat_map(|shape| ks.map(|k| (*shape, k))) {
                let known = |of: Of| {
                    instructions(chip).filter(move |row| {
                        let bits = row.bits()[if of == Of::C { 2 } else { 0 }];
                        let fits = (row.m(), row.n(), row.blocks()) == (m, n, 1)
                            && (of == Of::C
                                || is_for(row.name(), element.code) && k % row.k() == 0);
                        fits && bits == element.bits && !row.name().starts_with("wgmma")
                    })
                };
                let ask = |of| {
                    among_all(Sought::new(chip.name(), element.code, element.bits, of, [m, n, k]))
                };
                let best = known(Of::A).map(|row| row.k()).max();
                let mut orders = std::vec::Vec::new();
                for of in [Of::A, Of::B, Of::C] {
                    let sought = ask(of);
                    let Ok(held) = sought.encoding() else {
                        assert_eq!(
                            known(of).count(),
                            0,
                            "{} {} {m}x{n}x{k}",
                            chip.name(),
                            element.code
                        );
                        refused += 1;
                        continue;
                    };
                    found += 1;
                    let row = find(chip, sought.best.unwrap().name).unwrap();
                    assert!(
                        known(of).any(|known| known == row),
                        "{} on {}",
                        row.name(),
                        chip.name()
                    );
                    let one = match of {
                        Of::A => row.a(),
                        Of::B => row.b().unwrap(),
                        Of::C => row.c(),
                    };
                    assert!(sought.times() > 1 || held == *one);
                    if of != Of::C {
                        assert_eq!((Some(row.k()), k / row.k()), (best, sought.times()));
                        orders.push(order_of_k(&held, one, sought.times()));
                    }
                }
                if let [a, b] = &orders[..] {
                    assert_eq!(a, b, "{} {} {m}x{n}x{k}", chip.name(), element.code);
                }
            }
        }
        assert!(found > 500 && refused > 5000, "{found} {refused}");
    }
}
