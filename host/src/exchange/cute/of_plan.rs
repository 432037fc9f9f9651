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
use super::composed::{Composed, Fastest, not_power_of_two};
use super::strided::Strided;
use super::swizzle::{Swizzle, swizzles};
use crate::Error;
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
    /// If there is no such form, with what there is without a swizzle: columns that share a bit, steps that do not add up or
    /// go backwards, a dimension that ends within a mode, or more than 12 modes. If it is not known, of kind
    /// [`Undecided`](crate::ErrorKind::Undecided); a plan without [digits](tiledesc::Digits).
    pub fn of_plan(plan: &Plan) -> Result<Self, Error> {
        let shape = plan.lengths();
        match (plan.linear(), plan.digits()) {
            (Ok(map), _) => Self::of_linear(&map, shape.as_slice(), Fastest::Last),
            (_, Some(digits)) => Self::of_digits(&digits, shape.as_slice()),
            (Err(error), None) => of_number(plan).unwrap_or_else(|| Err(error.into())),
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
    /// As [`Composed::of_plan`]; lengths that are not powers of two, or not of as many bits as the map.
    pub fn of_linear(map: &Linear, shape: &[u32], fastest: Fastest) -> Result<Self, Error> {
        check_shape(map, shape)?;
        untangled(map, shape, fastest)
    }
}

/// The form of a plan that counts its coordinates and swizzles that number: the one swizzle that leaves the
/// number as it is, over its strides.
fn of_number(plan: &Plan) -> Option<Result<Composed, Error>> {
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
pub(super) fn modes(all: &[u32], shape: &[u32], fastest: Fastest) -> Result<Strided, Error> {
    let mut modes = Vec::new();
    for (dimension, whole) in shape.iter().copied().enumerate() {
        let part = part_of(all, shape, dimension, fastest);
        // Each is twice the one before. A dimension of one element has an empty run.
        let mut runs: Vec<_> =
            part.chunk_by(|one, next| u64::from(*next) == 2 * u64::from(*one)).collect();
        if runs.is_empty() {
            runs.push(&[]);
        }
        let (mut left, mut of_dimension) = (whole, Vec::new());
        for (i, run) in runs.iter().enumerate() {
            // The last takes what is left, which need not be a power of two.
            let length = if i + 1 == runs.len() { left } else { 1 << run.len() };
            if !left.is_multiple_of(length) {
                return Err(cut(whole, dimension, whole / left * length));
            }
            left /= length;
            of_dimension.push((length, run.first().copied().unwrap_or(0)));
        }
        modes.push(of_dimension);
    }
    Strided::of_modes(&modes)
}

/// Bits of the indices below a length.
pub(super) fn bits(length: u32) -> usize {
    (u32::BITS - length.saturating_sub(1).leading_zeros()) as usize
}

fn check_shape(map: &Linear, shape: &[u32]) -> Result<(), Error> {
    if let Some(mode) = shape.iter().position(|length| !length.is_power_of_two()) {
        return Err(not_power_of_two(shape[mode], mode));
    }
    let (shape, map): (u32, _) = (shape.iter().map(|length| length.ilog2()).sum(), map.inputs());
    if shape as usize == map {
        return Ok(());
    }
    Err(Error::mismatch(format!("a shape of {shape} bits for a map of {map}")))
}

/// The error of a dimension that ends within a mode: its stride changes at coordinate `at`.
pub(super) fn cut(length: u32, dimension: usize, at: u32) -> Error {
    Error::no_form(format!(
        "length {length} of dimension {dimension} is not a multiple of {at}, where its stride changes"
    ))
}

/// The error of a map that no form has: without a swizzle `why` is so.
pub(super) fn no_form(why: impl core::fmt::Display) -> Error {
    Error::no_form(format!("no Sw<B,M,S> o offset o shape:stride: {why}"))
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
pub(super) fn untangled(map: &Linear, shape: &[u32], fastest: Fastest) -> Result<Composed, Error> {
    // With an offset a swizzle may lift bits above the map, where a carry does no harm.
    let width = if map.constant() == 0 { width(map) } else { u32::BITS };
    let (mut meeting, mut refused) = (None, None);
    for swizzle in [Swizzle::NONE].into_iter().chain(swizzles(width)) {
        let form = match strides(map, &swizzle) {
            Ok(strides) => modes(&strides, shape, fastest)
                .and_then(|layout| Composed::new(swizzle, swizzle.apply(map.constant()), layout)),
            Err(two) => {
                meeting = meeting.or(Some(two));
                continue;
            }
        };
        match form {
            Ok(form) => return Ok(form),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let no_swizzle = |[one, other]: [u32; 2]| {
        no_form(format_args!(
            "columns {one} and {other} share a bit, and no single swizzle separates all such columns"
        ))
    };
    Err(refused.or(meeting.map(no_swizzle)).expect("no swizzle is tried first"))
}

/// Bits of the widest image.
fn width(map: &Linear) -> u32 {
    let all = map.columns().iter().fold(map.constant(), |all, column| all | column);
    u32::BITS - all.leading_zeros()
}

/// The strides below a swizzle.
///
/// # Errors
///
/// Two columns, or the constant and a column, that share a bit there.
fn strides(map: &Linear, swizzle: &Swizzle) -> Result<Vec<u32>, [u32; 2]> {
    let (offset, columns) = (swizzle.apply(map.constant()), map.columns());
    let stride = |column: &u32| {
        let there = offset ^ swizzle.apply(*column);
        there.checked_sub(offset).ok_or([map.constant(), *column])
    };
    let strides: Vec<u32> = columns.iter().map(stride).collect::<Result<_, _>>()?;
    match carry::columns(offset, &strides) {
        Ok(_) => Ok(strides),
        Err(b) => {
            // The first column before it that shares a bit, or the constant.
            let meets = |one: &&u32| swizzle.apply(**one) & swizzle.apply(columns[b]) != 0;
            let one = columns[..b].iter().find(meets).copied().unwrap_or(map.constant());
            Err([one, columns[b]])
        }
    }
}
