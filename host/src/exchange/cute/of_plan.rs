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

use super::carry;
use super::composed::{Composed, Fastest};
use super::error::CuteError;
use super::strided::{Strided, Tuple};
use super::swizzle::Swizzle;
use tiledesc::{Linear, Plan};

impl Composed {
    /// A plan in CuTe's form: the same offset at the same coordinate. Each dimension is
    /// one mode, nested where one stride is not enough.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::Composed;
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
    /// use tiledesc_host::exchange::cute::Composed;
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
    /// use tiledesc_host::exchange::cute::{self, Composed};
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
    /// the plan has no [digits](tiledesc::Digits).
    pub fn of_plan(plan: &Plan) -> Result<Self, CuteError> {
        let shape = plan.lengths();
        match (plan.linear(), plan.digits()) {
            (Ok(map), _) => Self::of_linear(&map, shape.as_slice(), Fastest::Last),
            (_, Some(digits)) => Self::of_digits(&digits, shape.as_slice()),
            (Err(error), None) => of_number(plan).unwrap_or(Err(CuteError::Map(error))),
        }
    }

    /// A map in CuTe's form; `shape` divides the bits of the running number among dimensions. Strides are not negative.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::{Composed, Fastest};
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
    pub fn of_linear(map: &Linear, shape: &[u32], fastest: Fastest) -> Result<Self, CuteError> {
        check_shape(map, shape)?;
        untangled(map, shape, fastest)
    }
}

/// The form of a plan that counts its coordinates and swizzles that number: the one swizzle that leaves the
/// number as it is, over its strides.
fn of_number(plan: &Plan) -> Option<Result<Composed, CuteError>> {
    let numbered = plan.numbered()?;
    let digits = numbered.digits();
    if !digits.is_linear() {
        return None;
    }
    let bits = digits.bits(0);
    let undoes =
        |swizzle: &Swizzle| (0..bits).all(|b| swizzle.apply(digits.column(0, 0, b)) == 1 << b);
    let swizzle = swizzles(bits as u32).find(undoes)?;
    let layout = Strided::new(plan.lengths().as_slice(), numbered.strides().as_slice());
    let offset = swizzle.apply(digits.constant(0));
    Some(layout.and_then(|layout| Composed::new(swizzle, offset, layout)))
}

/// Returns the modes of a list with one stride for each bit of the running number. Each dimension is a mode, nested
/// where a stride is not twice the one before.
pub(super) fn modes(all: &[u32], shape: &[u32], fastest: Fastest) -> Result<Strided, CuteError> {
    let (mut lengths, mut strides) = (Tuple::EMPTY.open(), Tuple::EMPTY.open());
    for (dimension, whole) in shape.iter().copied().enumerate() {
        let part = part_of(all, shape, dimension, fastest);
        // Each is twice the one before. A dimension of one element has an empty run.
        let mut runs: Vec<_> =
            part.chunk_by(|one, next| u64::from(*next) == 2 * u64::from(*one)).collect();
        if runs.is_empty() {
            runs.push(&[]);
        }
        let (is_nested, mut left) = (runs.len() > 1, whole);
        if is_nested {
            (lengths, strides) = (lengths.open(), strides.open());
        }
        for (i, run) in runs.iter().enumerate() {
            // The last takes what is left, which need not be a power of two.
            let length = if i + 1 == runs.len() { left } else { 1 << run.len() };
            if !left.is_multiple_of(length) {
                let (dimension, at) = (dimension as u32, whole / left * length);
                return Err(CuteError::Cut { length: whole, dimension, at });
            }
            left /= length;
            lengths = lengths.push(length, false)?;
            strides = strides.push(run.first().copied().unwrap_or(0), false)?;
        }
        if is_nested {
            (lengths, strides) = (lengths.close(), strides.close());
        }
    }
    Strided::of(lengths.close(), strides.close())
}

/// Bits of the indices below a length.
pub(super) fn bits(length: u32) -> usize {
    (u32::BITS - length.saturating_sub(1).leading_zeros()) as usize
}

fn check_shape(map: &Linear, shape: &[u32]) -> Result<(), CuteError> {
    if let Some(mode) = shape.iter().position(|length| !length.is_power_of_two()) {
        return Err(CuteError::NotPowerOfTwo { length: shape[mode], mode: mode as u32 });
    }
    let (shape, map) = (shape.iter().map(|length| length.ilog2()).sum(), map.inputs() as u32);
    if shape == map { Ok(()) } else { Err(CuteError::Inputs { shape, map }) }
}

/// The strides of one dimension, its lowest bit first.
fn part_of<'a>(all: &'a [u32], shape: &[u32], dimension: usize, fastest: Fastest) -> &'a [u32] {
    let faster = match fastest {
        Fastest::First => &shape[..dimension],
        Fastest::Last => &shape[dimension + 1..],
    };
    let first: usize = faster.iter().map(|length| bits(*length)).sum();
    &all[first..first + bits(shape[dimension])]
}

/// The form under the swizzle with the fewest bits that leaves modes; of none what the map
/// itself is refused for, or, where a swizzle takes its columns apart, that one's strides.
pub(super) fn untangled(
    map: &Linear,
    shape: &[u32],
    fastest: Fastest,
) -> Result<Composed, CuteError> {
    // With an offset a swizzle may lift bits above the map, where a carry does no harm.
    let width = if map.constant() == 0 { width(map) } else { u32::BITS };
    let mut refused = None;
    for swizzle in [Swizzle::NONE].into_iter().chain(swizzles(width)) {
        match (under(swizzle, map, shape, fastest), refused) {
            (Ok(form), _) => return Ok(form),
            (Err(error), None) => refused = Some(error),
            (Err(CuteError::NoSwizzle { .. }), _) => {}
            (Err(error), Some(CuteError::NoSwizzle { .. })) => refused = Some(error),
            _ => {}
        }
    }
    Err(refused.expect("no swizzle is tried first"))
}

fn under(
    swizzle: Swizzle,
    map: &Linear,
    shape: &[u32],
    fastest: Fastest,
) -> Result<Composed, CuteError> {
    let strides = strides(map, &swizzle)?;
    Composed::new(swizzle, swizzle.apply(map.constant()), modes(&strides, shape, fastest)?)
}

/// Every swizzle of one bit up to the given number of bits, fewest bits first.
pub(super) fn swizzles(width: u32) -> impl Iterator<Item = Swizzle> {
    let shifts = move |bits| (bits..=width - bits).map(move |shift| (bits, shift));
    let bases = move |(bits, shift)| {
        (0..=width - bits - shift).flat_map(move |base| {
            let ways = [shift as i32, -(shift as i32)];
            ways.map(|shift| Swizzle::new(bits, base, shift)).into_iter().flatten()
        })
    };
    (1..=width / 2).flat_map(shifts).flat_map(bases)
}

/// Bits of the widest image.
fn width(map: &Linear) -> u32 {
    let all = map.columns().iter().fold(map.constant(), |all, column| all | column);
    u32::BITS - all.leading_zeros()
}

/// The strides below a swizzle; refuses two columns, or the constant and a column, that share
/// a bit there.
fn strides(map: &Linear, swizzle: &Swizzle) -> Result<Vec<u32>, CuteError> {
    let (offset, columns) = (swizzle.apply(map.constant()), map.columns());
    let no_swizzle = |one, other| CuteError::NoSwizzle { one, other };
    let stride = |column: &u32| {
        let there = offset ^ swizzle.apply(*column);
        there.checked_sub(offset).ok_or(no_swizzle(map.constant(), *column))
    };
    let strides: Vec<u32> = columns.iter().map(stride).collect::<Result<_, _>>()?;
    match carry::columns(offset, &strides) {
        Ok(_) => Ok(strides),
        Err(b) => {
            // The first column before it that shares a bit, or the constant.
            let meets = |one: &&u32| swizzle.apply(**one) & swizzle.apply(columns[b]) != 0;
            let one = columns[..b].iter().find(meets).copied().unwrap_or(map.constant());
            Err(no_swizzle(one, columns[b]))
        }
    }
}
