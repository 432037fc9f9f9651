//! One of our layouts as `Sw<B,M,S> o offset o shape:stride`, where it has that form.
//!
//! A layout of CuTe has strides, so the columns below its swizzle share no bits: else
//! their sum would carry where an xor does not. (With an offset some may; `carry.rs`.) A
//! swizzle is its own inverse, so it must take the columns of the map apart:
//!
//! ```text
//!   columns         1  2  4  8  16  32  72  144  288      72 and 8 share bit 3
//!   Sw<3,3,3>       1  2  4  8  16  32  64  128  256      no two share a bit: the strides
//! ```
//!
//! There are 5712 swizzles of 32 bits with at least one bit; without an offset only those
//! within the bits of the map can help. All of them are looked at, fewest bits first, so
//! that "none" is a proof.

use super::composed::{Composed, Fastest};
use super::error::CuteError;
use super::strided::{Strided, Tuple};
use super::swizzle::Swizzle;
use tiledesc_transforms::{Linear, Plan, attempt, carry};

impl Composed {
    /// A plan in CuTe's form: the same offset at the same coordinate. Each dimension is
    /// one mode, nested where one stride is not enough.
    ///
    /// ```
    /// use tiledesc::exchange::cute::Composed;
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type A = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let found = Composed::of_plan(&A::PLAN).unwrap();
    /// assert_eq!(found.to_string(), "Sw<3,3,3> o 0 o (128,64):(64,1)");
    /// assert_eq!(found.offset_of(&[3, 17]), Some(201));
    /// ```
    ///
    /// Padded rows and lengths that are not powers of two have a form as well:
    ///
    /// ```
    /// use tiledesc::exchange::cute::Composed;
    /// use tiledesc::prelude::*;
    ///
    /// layout! {
    ///     type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>;
    ///     type Lines = recipe::GemmTdm<F16, M<96>, K<32>, Padding<8>>;
    /// }
    /// let form = |plan| Composed::of_plan(plan).unwrap().to_string();
    /// assert_eq!(form(&Padded::PLAN), "(128,64):(72,1)");
    /// assert_eq!(form(&Lines::PLAN), "((4,24),32):((32,136),1)");
    /// ```
    ///
    /// So does a swizzle of the dense offset, of rows of any length:
    ///
    /// ```
    /// use tiledesc::exchange::cute::{self, Composed};
    /// use tiledesc::prelude::*;
    ///
    /// layout! { type Dense = recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![0, 1, 2]>; }
    /// let form = Composed::of_plan(&Dense::PLAN).unwrap();
    /// assert_eq!(form.to_string(), "Sw<2,3,4> o 0 o (64,96):(96,1)");
    /// let back = cute::parse("Sw<2,3,4> o 0 o (64,96):(96,1)").unwrap().to_plan().unwrap();
    /// assert!((0..64 * 96).all(|id| back.offset(back.nth(id).as_slice()) == Dense::PLAN.offset(back.nth(id).as_slice())));
    /// ```
    ///
    /// # Errors
    ///
    /// If there is no such form, what there is without a swizzle: [`CuteError::NoSwizzle`],
    /// [`CuteError::NoSum`], [`CuteError::Negative`], [`CuteError::Cut`], or [`CuteError::Modes`] if
    /// it takes more than 12. [`CuteError::NotTried`] if it is not known, [`CuteError::Map`] if
    /// the plan has no [digits](crate::Digits).
    pub const fn of_plan(plan: &Plan) -> Result<Self, CuteError> {
        let shape = plan.lengths();
        match (plan.linear(), plan.digits()) {
            (Ok(map), _) => Self::of_linear(&map, shape.as_slice(), Fastest::Last),
            (_, Some(digits)) => Self::of_digits(&digits, shape.as_slice()),
            (Err(error), None) => match of_number(plan) {
                Some(form) => form,
                None => Err(CuteError::Map(error)),
            },
        }
    }

    /// A map in CuTe's form; `shape` says which bits of the running number are which
    /// dimension. Strides are not negative.
    ///
    /// ```
    /// use tiledesc::exchange::cute::{Composed, Fastest};
    /// use tiledesc::Linear;
    ///
    /// // Two rows flip one bit: that takes two swizzles.
    /// let map = Linear::new(&[1, 2 ^ 1, 4 ^ 1], 0).unwrap();
    /// assert_eq!(
    ///     Composed::of_linear(&map, &[4, 2], Fastest::Last).unwrap_err().to_string(),
    ///     "no Sw<B,M,S> o offset o shape:stride: columns 1 and 3 share a bit, \
    ///      and no single swizzle separates all such columns",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Composed::of_plan`], and [`CuteError::NotPowerOfTwo`], [`CuteError::Inputs`].
    pub const fn of_linear(
        map: &Linear,
        shape: &[u32],
        fastest: Fastest,
    ) -> Result<Self, CuteError> {
        attempt!(check_shape(map, shape));
        untangled(map, shape, fastest)
    }
}

/// The form of a plan that counts its coordinates and swizzles that number: the one swizzle that leaves the
/// number as it is, over its strides.
const fn of_number(plan: &Plan) -> Option<Result<Composed, CuteError>> {
    let Some(numbered) = plan.numbered() else { return None };
    let digits = numbered.digits();
    if !digits.is_linear() {
        return None;
    }
    let bits = digits.bits(0);
    let mut swizzles = Swizzles::within(bits as u32);
    while let Some(swizzle) = swizzles.next() {
        let mut b = 0;
        while b < bits && swizzle.apply(digits.column(0, 0, b)) == 1 << b {
            b += 1;
        }
        if b == bits {
            let (lengths, strides) = (plan.lengths(), numbered.strides());
            let offset = swizzle.apply(digits.constant(0));
            return Some(match Strided::new(lengths.as_slice(), strides.as_slice()) {
                Ok(layout) => Composed::new(swizzle, offset, layout),
                Err(error) => Err(error),
            });
        }
    }
    None
}

/// The modes of strides, of which there is one for each bit of the running number: each
/// dimension is one, nested where a stride is not twice the one before.
pub(super) const fn modes(
    all: &[u32; Linear::BITS],
    shape: &[u32],
    fastest: Fastest,
) -> Result<Strided, CuteError> {
    let (mut lengths, mut strides) = (Tuple::EMPTY.open(), Tuple::EMPTY.open());
    let mut dimension = 0;
    while dimension < shape.len() {
        let mut rest = part_of(all, shape, dimension, fastest);
        let mut left = shape[dimension];
        let nested = run(rest) < rest.len();
        if nested {
            (lengths, strides) = (lengths.open(), strides.open());
        }
        loop {
            let (run, behind) = rest.split_at(run(rest));
            // The last takes what is left, which need not be a power of two.
            let length = if behind.is_empty() { left } else { 1 << run.len() };
            if !left.is_multiple_of(length) {
                let (whole, dimension) = (shape[dimension], dimension as u32);
                return Err(CuteError::Cut { length: whole, dimension, at: whole / left * length });
            }
            left /= length;
            lengths = attempt!(lengths.push(length, false));
            strides = attempt!(strides.push(if run.is_empty() { 0 } else { run[0] }, false));
            rest = behind;
            if rest.is_empty() {
                break;
            }
        }
        if nested {
            (lengths, strides) = (lengths.close(), strides.close());
        }
        dimension += 1;
    }
    Strided::of(lengths.close(), strides.close())
}

/// Bits of the indices below a length.
pub(super) const fn bits(length: u32) -> usize {
    (u32::BITS - length.saturating_sub(1).leading_zeros()) as usize
}

const fn check_shape(map: &Linear, shape: &[u32]) -> Result<(), CuteError> {
    let (mut bits, mut i) = (0, 0);
    while i < shape.len() {
        if !shape[i].is_power_of_two() {
            return Err(CuteError::NotPowerOfTwo { length: shape[i], mode: i as u32 });
        }
        bits += shape[i].ilog2();
        i += 1;
    }
    if bits as usize != map.inputs() {
        return Err(CuteError::Inputs { shape: bits, map: map.inputs() as u32 });
    }
    Ok(())
}

/// Those strides that are of one dimension, its lowest bit first.
const fn part_of<'a>(
    strides: &'a [u32; Linear::BITS],
    shape: &[u32],
    dimension: usize,
    fastest: Fastest,
) -> &'a [u32] {
    let (mut first, mut i) = (0, 0);
    while i < shape.len() {
        let faster = match fastest {
            Fastest::First => i < dimension,
            Fastest::Last => i > dimension,
        };
        first += if faster { bits(shape[i]) } else { 0 };
        i += 1;
    }
    let (_, from) = strides.split_at(first);
    from.split_at(bits(shape[dimension])).0
}

/// How many of the first strides one mode makes: each is twice the one before.
const fn run(strides: &[u32]) -> usize {
    let mut n = if strides.is_empty() { 0 } else { 1 };
    while n < strides.len() && strides[n] as u64 == strides[n - 1] as u64 * 2 {
        n += 1;
    }
    n
}

/// The form under the swizzle with the fewest bits that leaves modes; of none what the map
/// itself is refused for, or, where a swizzle takes its columns apart, that one's strides.
pub(super) const fn untangled(
    map: &Linear,
    shape: &[u32],
    fastest: Fastest,
) -> Result<Composed, CuteError> {
    let mut refused = match under(Swizzle::NONE, map, shape, fastest) {
        Ok(form) => return Ok(form),
        Err(refused) => refused,
    };
    // With an offset a swizzle may lift bits above the map, where a carry does no harm.
    let mut swizzles = Swizzles::within(if map.constant() == 0 { width(map) } else { u32::BITS });
    while let Some(swizzle) = swizzles.next() {
        match (under(swizzle, map, shape, fastest), refused) {
            (Ok(form), _) => return Ok(form),
            (Err(CuteError::NoSwizzle { .. }), _) => {}
            (Err(other), CuteError::NoSwizzle { .. }) => refused = other,
            _ => {}
        }
    }
    Err(refused)
}

const fn under(
    swizzle: Swizzle,
    map: &Linear,
    shape: &[u32],
    fastest: Fastest,
) -> Result<Composed, CuteError> {
    match strides(map, &swizzle) {
        Ok(strides) => {
            let layout = attempt!(modes(&strides, shape, fastest));
            Composed::new(swizzle, swizzle.apply(map.constant()), layout)
        }
        Err((one, other)) => Err(CuteError::NoSwizzle { one, other }),
    }
}

/// Every swizzle of one bit up to the given number of bits, fewest bits first.
pub(super) struct Swizzles {
    width: u32,
    bits: u32,
    shift: u32,
    base: u32,
    /// Whether the next shifts left.
    left: bool,
}

impl Swizzles {
    pub(super) const fn within(width: u32) -> Self {
        Self { width, bits: 1, shift: 1, base: 0, left: false }
    }

    pub(super) const fn next(&mut self) -> Option<Swizzle> {
        while 2 * self.bits <= self.width {
            if self.base + self.shift + self.bits <= self.width {
                let shift = self.shift as i32;
                let swizzle =
                    Swizzle::new(self.bits, self.base, if self.left { -shift } else { shift });
                self.base += self.left as u32;
                self.left = !self.left;
                if let Ok(swizzle) = swizzle {
                    return Some(swizzle);
                }
            } else if self.base > 0 {
                (self.shift, self.base) = (self.shift + 1, 0);
            } else {
                self.bits += 1;
                self.shift = self.bits;
            }
        }
        None
    }
}

/// Bits of the widest image.
const fn width(map: &Linear) -> u32 {
    let (mut all, mut b) = (map.constant(), 0);
    while b < map.inputs() {
        all |= map.columns()[b];
        b += 1;
    }
    32 - all.leading_zeros()
}

/// The strides below a swizzle, or two columns, or the constant and a column, that share
/// a bit there.
const fn strides(map: &Linear, swizzle: &Swizzle) -> Result<[u32; Linear::BITS], (u32, u32)> {
    let (offset, inputs) = (swizzle.apply(map.constant()), map.inputs());
    let (mut strides, mut b) = ([0; Linear::BITS], 0);
    while b < inputs {
        let column = swizzle.apply(map.columns()[b]);
        strides[b] = match (offset ^ column).checked_sub(offset) {
            Some(stride) => stride,
            None => return Err((map.constant(), map.columns()[b])),
        };
        b += 1;
    }
    match carry::columns(offset, strides.split_at(inputs).0) {
        Ok(_) => Ok(strides),
        Err(b) => Err((earlier(map, swizzle, b), map.columns()[b])),
    }
}

/// What shares a bit with column `b`: the first such column before it, or the constant.
const fn earlier(map: &Linear, swizzle: &Swizzle, b: usize) -> u32 {
    let (column, mut a) = (swizzle.apply(map.columns()[b]), 0);
    while a < b {
        if swizzle.apply(map.columns()[a]) & column != 0 {
            return map.columns()[a];
        }
        a += 1;
    }
    map.constant()
}
