//! Operations on each bit by itself: what is known of the bits below 2^k, and of those above.

use super::Value::{self, Sum, Unknown};
use super::{Lanes, Reason, low};

impl Value {
    /// An operation on each bit by itself, the same on all bits.
    #[must_use]
    pub fn bits<const N: usize>(all: [&Self; N], at: usize, op: impl Fn([u32; N]) -> u32) -> Self {
        Self::bits_dyn(all, at, &op)
    }

    /// [`bits`](Self::bits), compiled once for as many operands.
    fn bits_dyn<const N: usize>(all: [&Self; N], at: usize, op: &dyn Fn([u32; N]) -> u32) -> Self {
        if all.iter().all(|one| one.known().is_some()) {
            return Self::of_dyn(all, at, op);
        }
        if Self::has_forms(all) {
            return Self::each(all, at, &|all| Self::bits_dyn(all, at, op));
        }
        let parts = all.map(|one| one.lower().unwrap_or((0, &Lanes::ZERO)));
        let k = parts.iter().map(|(k, _)| *k).min().unwrap_or(32);
        let lower = Lanes::apply(parts.map(|(_, f)| f), &|numbers| op(numbers) & low(k));
        let upper = all.map(|one| Upper::new(one, k));
        let whole = Self::of_upper(k, &lower, &upper, parts.map(|(_, f)| f), op);
        whole.unwrap_or_else(|| match Self::of_others(&all, at) {
            Unknown(reason) => Self::of_free(all, reason, op),
            others => others,
        })
    }

    /// Returns the bits of a bitwise operation that are the same for any content of its operands' open bits, and which are not.
    fn of_free<const N: usize>(
        all: [&Self; N],
        reason: Reason,
        op: &dyn Fn([u32; N]) -> u32,
    ) -> Self {
        let parts = all.map(Self::by_bits);
        let f = std::array::from_fn(|i| &parts[i].1);
        let of = |numbers: [u32; N], choice: u32| {
            op(std::array::from_fn(|i| {
                let open = parts[i].0;
                let free = if choice >> i & 1 == 1 { open } else { 0 };
                numbers[i] & !open | free
            }))
        };
        let apart = Lanes::apply(f, &|numbers| {
            (1..1 << N).fold(0, |all, choice| all | of(numbers, choice) ^ of(numbers, 0))
        });
        let open = apart.any();
        let f = Lanes::apply(f, &|numbers| of(numbers, 0) & !open);
        Self::among(32, open, &f, reason)
    }

    /// Applies a bitwise function of three numbers, by its table of 8 bits, whose entry 4 a + 2 b + c is the result for
    /// bits a, b and c: `v_bitop3_b32` and `lop3.b32`.
    #[must_use]
    pub fn by_table(table: u32, all: [&Self; 3], at: usize) -> Self {
        // Each entry in all bits; where two differ by one operand alone, that operand chooses.
        let entries: [u32; 8] = std::array::from_fn(|at| 0_u32.wrapping_sub(table >> at & 1));
        let choice = |by: u32, no: u32, yes: u32| no ^ by & (no ^ yes);
        Self::bits(all, at, |[a, b, c]| {
            let of_c = |at: usize| choice(c, entries[at], entries[at + 1]);
            choice(a, choice(b, of_c(0), of_c(2)), choice(b, of_c(4), of_c(6)))
        })
    }

    /// The bits above 2^k: what the operation makes of them is seen on one bit, for all that it may be.
    fn of_upper<const N: usize>(
        k: u32,
        lower: &Lanes,
        upper: &[Upper; N],
        f: [&Lanes; N],
        op: &dyn Fn([u32; N]) -> u32,
    ) -> Option<Self> {
        // The result for each choice of the operands' bits: bit i of the choice is that of operand i.
        let result = |choice: usize| {
            let bits = std::array::from_fn(|i| match upper[i] {
                Upper::Clear => 0,
                Upper::Set => u32::MAX,
                _ if choice >> i & 1 == 1 => u32::MAX,
                _ => 0,
            });
            op(bits) & 1 == 1
        };
        let depends =
            |i: usize| (0..1 << N).any(|choice| result(choice) != result(choice ^ 1 << i));
        let on: Vec<_> = (0..N).filter(|i| depends(*i)).collect();
        let with = |upper: Lanes| Some(Self::sum(k, upper.with(lower, u32::wrapping_add)));
        match on[..] {
            [] if result(0) => Some(Sum { k: 32, f: lower.map(|number| number | !low(k)) }),
            [] => Some(Sum { k: 32, f: lower.clone() }),
            _ if on.iter().all(|i| upper[*i] == Upper::Shared) => Some(Self::sum(k, lower.clone())),
            [i] if upper[i] == Upper::Sum => {
                let above = f[i].map(|number| number & !low(k));
                // All flipped it is -2^k - (u + f), and -u is as unknown as u.
                let flipped = || above.map(|number| (!low(k)).wrapping_sub(number));
                with(if result(0) { flipped() } else { above.clone() })
            }
            _ => None,
        }
    }
}

/// The bits of an operand above 2^k, as far as they are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Upper {
    /// Bits that are all 0.
    Clear,
    /// Bits that are all 1.
    Set,
    /// Bits that are the same in all lanes.
    Shared,
    /// The bits of u + f.
    Sum,
    /// Bits that differ from lane to lane.
    Differ,
}

impl Upper {
    fn new(value: &Value, k: u32) -> Self {
        let above = |lanes: &Lanes| lanes.map(|number| number & !low(k)).same();
        match value {
            Sum { k: 32, f } => match above(f) {
                Some(0) => Self::Clear,
                Some(bits) if bits == !low(k) => Self::Set,
                Some(_) => Self::Shared,
                None => Self::Differ,
            },
            Sum { f, .. } if above(f).is_some() => Self::Shared,
            // Bits between this operand's k and a smaller one of another are known: they are part of f.
            Sum { .. } => Self::Sum,
            _ => Self::Differ,
        }
    }
}
