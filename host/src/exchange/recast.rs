//! The same bytes as elements of another width: a row of 32 bytes is one of 64 fp4, or of 16 halves.
//!
//! CuTe's `recast`, of any map. One dimension becomes longer or shorter, along which neighbours lie side by side; no byte
//! moves.
//!
//! | elements become | the new element (.., k, ..) is | refused |
//! |---|---|---|
//! | narrower, r in each | part k mod r of the old (.., k / r, ..) | an element space beyond 32-bit offsets |
//! | wider, r to each | the old (.., k r, ..) to (.., k r + r - 1, ..) | old ones that do not lie side by side, or begin at no multiple of r |

use crate::Error;
use tiledesc::{Error as LayoutError, List, Node, Op, Plan};

/// The most elements of a layout that are compared one by one, where its structure alone does not say that it can be
/// recast to wider ones: about a second.
const MOST_COMPARED: u64 = 1 << 22;

/// The dimension that becomes longer or shorter: the last along which neighbours lie side by side.
///
/// ```
/// use tiledesc::Plan;
/// use tiledesc_host::exchange::recast;
///
/// assert_eq!(recast::dimension(&Plan::naive(&[128, 64], &[72, 1])?), Some(1));
/// assert_eq!(recast::dimension(&Plan::naive(&[128, 64], &[1, 128])?), Some(0));
/// assert_eq!(recast::dimension(&Plan::naive(&[128, 64], &[128, 2])?), None);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[must_use]
pub fn dimension(plan: &Plan) -> Option<usize> {
    (0..plan.rank()).rev().find(|along| has_neighbours(plan, *along))
}

/// Returns whether elements along a dimension lie side by side, two at least from each multiple of two on.
///
/// ```
/// use tiledesc::Plan;
/// use tiledesc_host::exchange::recast;
///
/// let columns = Plan::naive(&[128, 64], &[1, 128])?;
/// assert!(recast::has_neighbours(&columns, 0) && !recast::has_neighbours(&columns, 1));
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[must_use]
pub fn has_neighbours(plan: &Plan, along: usize) -> bool {
    plan.vector(along).is_ok_and(|vector| vector.length > 1 && vector.stride == 1)
}

/// The layout of elements of `to` bits in place of `from` bits, more or fewer of them along a dimension.
///
/// ```
/// use tiledesc::Plan;
/// use tiledesc_host::exchange::recast;
///
/// // Rows of 32 bytes and 4 of padding, as rows of 64 fp4: 8 of padding.
/// let bytes = Plan::naive(&[128, 32], &[36, 1])?;
/// let fp4 = recast::plan(&bytes, 1, [8, 4])?;
/// assert_eq!(fp4.lengths(), [128, 64]);
/// assert_eq!(fp4.offset(&[3, 17])?, 3 * 72 + 17);
/// // And back: the same map.
/// assert_eq!(recast::plan(&fp4, 1, [4, 8])?, bytes);
/// // Rows of 33 bytes begin within a half.
/// assert_eq!(
///     recast::plan(&Plan::naive(&[128, 32], &[33, 1])?, 1, [8, 16]).unwrap_err().to_string(),
///     "coordinate (1, 0) lies at element 33 of 8 bits, which is not a multiple of 2, so no element of 16 bits begins there",
/// );
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// Widths of which neither is a multiple of the other; a length that cannot be divided evenly; elements that do not lie
/// side by side, or not from a multiple on; an element space beyond 32-bit offsets; an adaptor, or a dimension that there
/// is not.
pub fn plan(plan: &Plan, along: usize, [from, to]: [u32; 2]) -> Result<Plan, Error> {
    let (dimension, rank) = (along as u32, plan.rank() as u32);
    let none = LayoutError::NoDimension { dimension, rank };
    let length = plan.lengths().get(along).map_err(|_| none)?;
    if plan.bottom_count() != 1 {
        return Err(Error::no_form("an adaptor has no offsets, so none of another width"));
    }
    match (from.checked_rem(to), to.checked_rem(from)) {
        _ if from == to => Ok(*plan),
        (Some(0), _) => Ok(narrower(plan, [along as u32, length, from / to])?),
        (_, Some(0)) => wider(plan, [along as u32, length, to / from], [from, to]),
        _ => Err(Error::number(format!(
            "elements of {from} bits cannot be recast to {to} bits: neither width is a multiple of the other"
        ))),
    }
}

/// Each element as `r` of them.
fn narrower(plan: &Plan, [along, length, r]: [u32; 3]) -> Result<Plan, LayoutError> {
    let (at, elements) = (along as usize, space(plan).saturating_mul(u64::from(r)));
    let long = length.checked_mul(r).filter(|_| elements <= 1 << 32);
    let long = long.ok_or(LayoutError::SpaceTooLarge { elements })?;
    if let Some(mut strides) = strides(plan).filter(|strides| strides[at] == 1) {
        // One that does not fit belongs to a dimension of length 1.
        strides.iter_mut().for_each(|stride| *stride = stride.saturating_mul(r));
        strides[at] = 1;
        return Plan::naive(plan.lengths().with(at, long).as_slice(), &strides);
    }
    let below = Below::new(plan, |offset| offset.checked_mul(r))?;
    let [part, top] = below.ids();
    let base = Op::Embed { lengths: List::pair(below.elements, r), strides: List::pair(r, 1) };
    let base = Node { op: base, lower: below.lower(), upper: List::pair(below.own, part) };
    let merge = Op::Merge { lengths: List::pair(length, r) };
    let lower = List::pair(plan.top().at(at), part);
    let merge = Node { op: merge, lower, upper: List::new(&[top]) };
    below.graph(&[base], merge, along)
}

/// `r` elements as one, where they lie side by side from a multiple of `r` on.
fn wider(plan: &Plan, [along, length, r]: [u32; 3], [from, to]: [u32; 2]) -> Result<Plan, Error> {
    if !length.is_multiple_of(r) {
        return Err(Error::number(format!(
            "dimension {along} has {length} elements of {from} bits, which cannot be divided evenly into elements of {to} bits"
        )));
    }
    let at = along as usize;
    if let Some(strides) = strides(plan).filter(|strides| strides[at] == 1) {
        let others = || strides.iter().enumerate().filter(|(other, _)| *other != at);
        if others().all(|(_, stride)| stride.is_multiple_of(r)) {
            let each: Vec<_> = strides.iter().map(|stride| stride.div_ceil(r)).collect();
            return Ok(Plan::naive(plan.lengths().with(at, length / r).as_slice(), &each)?);
        }
    }
    compare(plan, [along, r], [from, to])?;
    let below = Below::new(plan, |offset| offset.is_multiple_of(r).then_some(offset / r))?;
    let [part, top] = below.ids();
    let whole = top + 1;
    // What is left of an offset is always 0, as was just compared: it moves nothing.
    let lengths = List::pair(below.elements.div_ceil(r), r);
    let base = Op::Embed { lengths, strides: List::pair(1, 0) };
    let base = Node { op: base, lower: below.lower(), upper: List::pair(whole, part) };
    let merge = Op::Merge { lengths };
    let merge = Node { op: merge, lower: base.upper, upper: List::new(&[below.own]) };
    let step = Op::Embed { lengths: List::new(&[length / r]), strides: List::new(&[r]) };
    let lower = List::new(&[plan.top().at(at)]);
    let step = Node { op: step, lower, upper: List::new(&[top]) };
    Ok(below.graph(&[base, merge], step, along)?)
}

/// The transforms of a plan, and what lies below them: memory, in new elements, perhaps from an offset on.
struct Below<'p> {
    plan: &'p Plan,
    /// The hidden id of memory; those after it are free.
    memory: u32,
    /// The offset, if the plan begins at one.
    offset: Option<u32>,
    /// The hidden id of what the transforms lie over.
    own: u32,
    /// Its length, in old elements.
    elements: u32,
    nodes: &'p [Node],
}

impl<'p> Below<'p> {
    /// `scaled` is an offset in new elements, where a whole number says it.
    fn new(plan: &'p Plan, scaled: impl Fn(u32) -> Option<u32>) -> Result<Self, LayoutError> {
        let (memory, all) = (plan.hidden_count() as u32, plan.nodes());
        let from = match all.first() {
            Some(Node { op: Op::Offset { length, offset }, upper, .. }) => {
                scaled(*offset).map(|offset| (offset, upper.at(0), *length))
            }
            _ => None,
        };
        let (offset, own, elements, nodes) = match from {
            Some((offset, own, length)) => (Some(offset), own, u64::from(length), &all[1..]),
            None => (None, 0, space(plan), all),
        };
        let elements =
            u32::try_from(elements).map_err(|_| LayoutError::SpaceTooLarge { elements })?;
        Ok(Self { plan, memory, offset, own, elements, nodes })
    }

    /// What the first transform over it is over.
    fn lower(&self) -> List {
        List::new(&[self.memory + u32::from(self.offset.is_some())])
    }

    /// Hidden ids that nothing has, as is every higher one.
    fn ids(&self) -> [u32; 2] {
        [self.memory + 2, self.memory + 3]
    }

    /// The plan over a base, with a last transform along a dimension.
    fn graph(&self, base: &[Node], last: Node, along: u32) -> Result<Plan, LayoutError> {
        let first = base.first().and_then(|node| match node.op {
            Op::Embed { lengths, strides } => Some((node.lower, lengths, strides)),
            _ => None,
        });
        let shift = self.offset.zip(first).map(|(offset, (lower, lengths, strides))| {
            let reach = |d: usize| (lengths.at(d) - 1) * strides.at(d);
            let length = reach(0).saturating_add(reach(1)).saturating_add(1);
            let op = Op::Offset { length, offset };
            Node { op, lower: List::new(&[self.memory]), upper: lower }
        });
        let nodes = [shift.as_slice(), base, self.nodes, &[last]].concat();
        let top = self.plan.top().with(along as usize, last.upper.at(0));
        Plan::graph(&[self.memory], &nodes, top.as_slice())
    }
}

/// The strides of a plan that is nothing else.
fn strides(plan: &Plan) -> Option<Vec<u32>> {
    let [node] = plan.nodes() else { return None };
    if node.upper.as_slice() != plan.top().as_slice() {
        return None;
    }
    match node.op {
        Op::Embed { strides, .. } => Some(strides.as_slice().to_vec()),
        Op::Unmerge { lengths } => {
            let mut strides = vec![1_u32; lengths.len()];
            for d in (1..lengths.len()).rev() {
                strides[d - 1] = strides[d].checked_mul(lengths.at(d))?;
            }
            Some(strides)
        }
        _ => None,
    }
}

/// Elements from the begin of memory on.
fn space(plan: &Plan) -> u64 {
    plan.element_space() + u64::from(plan.origin())
}

/// Refuses blocks of `r` that do not lie side by side, or begin at no multiple of `r`. A block in padding is one.
fn compare(plan: &Plan, [along, r]: [u32; 2], [from, to]: [u32; 2]) -> Result<(), Error> {
    if plan.elements() > MOST_COMPARED {
        return Err(Error::too_large(format!(
            "{} elements are too many to compare one by one: at most {MOST_COMPARED}",
            plan.elements()
        )));
    }
    let at = along as usize;
    let first_of = |index: &List| index.with(at, index.at(at) / r * r);
    for number in 0..plan.elements() {
        let index = plan.nth(number);
        let first = first_of(&index);
        let (begin, here) =
            (plan.offset(first.as_slice()).ok(), plan.offset(index.as_slice()).ok());
        let step = index.at(at) - first.at(at);
        match (begin, here) {
            (Some(begin), _) if !begin.is_multiple_of(r) => {
                return Err(Error::no_form(format!(
                    "coordinate {} lies at element {begin} of {from} bits, which is not a multiple of {r}, so no element of \
                     {to} bits begins there",
                    said(&first)
                )));
            }
            (begin, here)
                if begin.map(|begin| u64::from(begin) + u64::from(step)) != here.map(u64::from) =>
            {
                return Err(Error::no_form(format!(
                    "coordinates {} and {} do not lie side by side, so they are not parts of one element of {to} bits",
                    said(&first),
                    said(&index)
                )));
            }
            _ => {}
        }
    }
    Ok(())
}

/// `(1, 0)`
fn said(index: &List) -> String {
    let each: Vec<_> = index.as_slice().iter().map(ToString::to_string).collect();
    format!("({})", each.join(", "))
}
