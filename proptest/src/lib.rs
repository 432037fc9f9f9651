//! `proptest` strategies for tests of your own layouts: their coordinates, those of a plan, and whole compositions.
//!
//! A crate of its own, so that the library has no features: a test that asks for one would have the library built twice,
//! for the test and for the program.
//!
//! ```
//! use proptest::prelude::*;
//! use tiledesc::{Descriptor, Packed, seq};
//! use tiledesc_proptest::coordinate_of;
//!
//! type Tile = Packed<seq![128, 64]>;
//! proptest!(|(a in coordinate_of::<Tile>(), b in coordinate_of::<Tile>())| {
//!     let tile = Tile::default();
//!     prop_assert_eq!(a == b, tile.at(a) == tile.at(b));
//! });
//! ```

use proptest::collection::vec;
use proptest::prelude::*;
use tiledesc::transforms::Rank;
use tiledesc::{Adaptor, List, Op, Plan};

/// Coordinates of a descriptor or layout, all in range, as arrays of its rank.
///
/// ```
/// use proptest::prelude::*;
/// use tiledesc::{Naive, seq};
/// use tiledesc_proptest::coordinate_of;
///
/// proptest!(|([m, k] in coordinate_of::<Naive<seq![128, 64], seq![64, 1]>>())| {
///     prop_assert!(m < 128 && k < 64);
/// });
/// ```
///
/// # Panics
///
/// If the descriptor cannot be composed, with its error.
pub fn coordinate_of<D: Adaptor>() -> impl Strategy<Value = <D::Rank as Rank>::Coordinate> {
    let plan = D::PLAN.unwrap_or_else(|error| panic!("{error}"));
    index_of(&plan).prop_map(|index| match D::Rank::coordinate(&index) {
        Some(index) => index,
        None => unreachable!("an index of a plan has its rank"),
    })
}

/// Coordinates of a plan, all in range.
///
/// ```
/// use proptest::prelude::*;
/// use tiledesc::Plan;
/// use tiledesc_proptest::index_of;
///
/// let rows = Plan::naive(&[128, 64], &[64, 1])?;
/// proptest!(|(index in index_of(&rows))| {
///     prop_assert_eq!(rows.offset(&index), Ok(64 * index[0] + index[1]));
/// });
/// # Ok::<(), tiledesc::Error>(())
/// ```
pub fn index_of(plan: &Plan) -> impl Strategy<Value = Vec<u32>> + use<> {
    plan.lengths().as_slice().iter().map(|length| 0..*length).collect::<Vec<_>>()
}

/// Whole compositions: a base of one to four dimensions and up to `stages`
/// stages of transforms of every kind, with at most 4096 elements. All are sound: a
/// drawn transform that does not fit is left out, and every pad checks.
///
/// ```
/// use proptest::prelude::*;
/// use tiledesc_proptest::composition;
///
/// proptest!(|(plan in composition(3))| {
///     prop_assert!((1..=4096).contains(&plan.elements()));
/// });
/// ```
pub fn composition(stages: usize) -> impl Strategy<Value = Plan> {
    drawn_composition(stages, false)
}

/// Compositions as of [`composition`], but pads may report padding as valid (`skip_check`), so that indices may leave their
/// dimension and the element space.
///
/// ```
/// use proptest::prelude::*;
/// use tiledesc_proptest::unchecked_composition;
///
/// proptest!(|(plan in unchecked_composition(3))| {
///     let (mut inside, origin, space) = (true, plan.origin(), plan.element_space());
///     plan.for_each_valid(|_, offset| {
///         inside &= u64::from(offset.wrapping_sub(origin)) < space;
///         Ok(())
///     })?;
///     prop_assert_eq!(plan.in_bounds().is_ok(), inside);
/// });
/// ```
pub fn unchecked_composition(stages: usize) -> impl Strategy<Value = Plan> {
    drawn_composition(stages, true)
}

fn drawn_composition(stages: usize, skip_check: bool) -> impl Strategy<Value = Plan> {
    let stages = vec(vec((0..KINDS, any::<u32>()), 4), 0..=stages);
    (base(), stages).prop_map(move |(base, stages)| {
        stages.iter().fold(base, |plan, draws| match stage(&plan, draws, skip_check) {
            Some(next) if next.elements() <= 4096 => next,
            _ => plan,
        })
    })
}

fn base() -> impl Strategy<Value = Plan> {
    let strides = vec(0..20u32, 4);
    (vec(1..9u32, 1..=4), strides, 0..5u32, 0..5u32).prop_filter_map(
        "fits",
        |(lengths, strides, kind, extra)| {
            let strides = &strides[..lengths.len()];
            let base = match kind {
                0 => Plan::packed(&lengths),
                1 => Plan::aligned(&lengths, extra + 1),
                2 => Plan::packed_with_offset(&lengths, extra),
                3 => Plan::naive(&lengths, strides),
                _ => Plan::naive_with_offset(&lengths, strides, extra),
            };
            base.ok()
        },
    )
}

/// The number of kinds of transforms that [`drawn`] knows; one more keeps the dimension.
const KINDS: u32 = 20;
/// Functions for dimensions of 4 and more.
const TABLES: [&[u32]; 4] = [&[3, 2, 1, 0], &[0, 2], &[1, 1, 0], &[0, 1, 2, 3]];

/// One stage: walks over the top dimensions and gives each, alone or with the next,
/// to a transform chosen by the draws.
fn stage(plan: &Plan, draws: &[(u32, u32)], skip_check: bool) -> Option<Plan> {
    let lengths = plan.lengths();
    let (mut ops, mut lower, mut upper) = (Vec::new(), Vec::new(), Vec::new());
    let (mut dimension, mut made) = (0, 0);
    let mut draws = draws.iter().copied();
    while dimension < lengths.len() {
        let rest = &lengths.as_slice()[dimension..];
        let (kind, salt) = draws.next().unwrap_or((0, 0));
        let op = match padding_of(plan, dimension) {
            // A part that has nothing but padding.
            Some((begin, end)) if kind == 17 => {
                Op::Slice { low_length: rest[0], begin, end: end - salt % (end - begin) }
            }
            _ => drawn(kind, salt, rest, skip_check),
        };
        let (takes, gives) = op.arity().ok()?;
        ops.push(op);
        lower.push((dimension as u32..(dimension + takes) as u32).collect::<Vec<_>>());
        upper.push((made..made + gives as u32).collect::<Vec<_>>());
        dimension += takes;
        made += gives as u32;
    }
    if let Some((kind, salt)) = draws.next()
        && kind < 3
    {
        let length = 1 + salt % 3;
        ops.push(match kind {
            0 => Op::Insert { length },
            _ => Op::Replicate { lengths: List::new(&[length]) },
        });
        lower.push(Vec::new());
        upper.push(vec![made]);
        made += 1;
    }
    rotate(&mut upper, made, draws.next().map_or(0, |(_, salt)| salt));
    let lower: Vec<&[u32]> = lower.iter().map(Vec::as_slice).collect();
    let upper: Vec<&[u32]> = upper.iter().map(Vec::as_slice).collect();
    if made == 0 {
        return None;
    }
    plan.transform(&ops, &lower, &upper).ok()
}

/// Indices of a top dimension that are padding, if a pad gives it: those in front, or those
/// after.
fn padding_of(plan: &Plan, dimension: usize) -> Option<(u32, u32)> {
    let id = plan.top().at(dimension);
    let node = plan.nodes().iter().find(|node| node.upper.as_slice().contains(&id))?;
    let (length, left) = match node.op {
        Op::Pad { low_length, left, .. } | Op::LeftPad { low_length, left, .. } => {
            (low_length, left)
        }
        Op::RightPad { low_length, .. } => (low_length, 0),
        _ => return None,
    };
    let end = plan.lengths().at(dimension);
    let part = if left > 0 { (0, left) } else { (length, end) };
    (part.0 < part.1).then_some(part)
}

/// Renumbers the new dimensions, rotated by a draw.
fn rotate(upper: &mut [Vec<u32>], made: u32, by: u32) {
    for id in upper.iter_mut().flatten() {
        *id = (*id + by) % made;
    }
}

/// The transform of a draw, if the dimensions allow it; else `pass_through`.
fn drawn(kind: u32, salt: u32, lengths: &[u32], skip_check: bool) -> Op {
    let length = lengths[0];
    let small = salt % 4;
    // Of pads that may report padding as valid, half of them do.
    let skip_check = skip_check && salt >> 16 & 1 == 1;
    let divisor =
        (1..=length).filter(|d| length.is_multiple_of(*d)).nth(small as usize).unwrap_or(1);
    match (kind, lengths) {
        (1, [a, b, ..]) if b.is_power_of_two() => Op::Xor { length0: *a, length1: *b },
        (2, [a, b, ..]) => Op::Merge { lengths: List::new(&[*a, *b]) },
        (3, [a, b, ..]) => Op::CyclicShift { length0: *a, length1: *b },
        (4, [a, b, ..]) => Op::InverseCyclicShift { length0: *a, length1: *b },
        (5, _) => Op::Unmerge { lengths: List::new(&[length / divisor, divisor]) },
        (6, _) => Op::Pad { low_length: length, left: small, right: salt % 3, skip_check },
        (7, _) => Op::RightPad { low_length: length, right: small, skip_check },
        (8, _) => Op::LeftPad { low_length: length, left: small, skip_check },
        (9, _) => {
            let begin = salt % length;
            let most = length - begin;
            Op::Slice { low_length: length, begin, end: length - salt / length % most }
        }
        (10, _) => Op::Offset { length: length - salt % length, offset: salt % length },
        (11, _) => Op::Modulo { modulus: length, length: length + small },
        (12, _) => Op::Freeze { index: salt % length },
        (13, _) => {
            // A sliding window of two taps.
            let taps = 1 + u32::from(length > 1);
            Op::Embed {
                lengths: List::new(&[taps, length + 1 - taps]),
                strides: List::new(&[1, 1]),
            }
        }
        (14, _) => Op::Indexing { length: 1 + small, cached: salt % length },
        (15, _) if length >= 4 => Op::Functor { table: TABLES[small as usize] },
        (16, _) => {
            // Two dimensions with any strides that fit.
            let (step, room) = (1 + salt % 3, length - 1);
            let (a, b) = (1 + room / 2 / step, 1 + (room - room / 2));
            Op::Embed { lengths: List::new(&[a, b]), strides: List::new(&[step, 1]) }
        }
        (17, [a, b, ..]) if b.is_power_of_two() => {
            // Any masks: also for bits that no index has.
            let masks = [salt, salt / 7, salt / 3, salt / 5].map(|mask| mask % b);
            Op::XorBits { length0: *a, length1: *b, masks: List::new(&masks[..salt as usize % 5]) }
        }
        (18, _) if length.is_power_of_two() => {
            // Each has a bit that none before it has; then some are exchanged.
            let count = (salt % 13).min(length.trailing_zeros()) as usize;
            let mut columns = [0; List::CAPACITY];
            for (b, column) in columns[..count].iter_mut().enumerate() {
                *column = (1 << b) | ((salt >> b) % (1 << b));
            }
            columns[..count].rotate_left(if count > 0 { salt as usize / 7 % count } else { 0 });
            Op::LinearBits { length, columns: List::new(&columns[..count]) }
        }
        _ => Op::PassThrough { length },
    }
}
