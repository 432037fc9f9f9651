//! An index that is an expression, and simplifies itself as it grows.
//!
//! A tile of 6x35 that is merged to one dimension and taken apart as 6x7x5 has four
//! divisions as computed, `i / 35 * 35 + i / 5 % 7 * 5 + i % 5`; as simplified it is `i`.
//! The rules are true of integers that wrap around:
//!
//! | written | is | where |
//! |---|---|---|
//! | `x * 1`, `x / 1`, `x + 0`, `x ^ 0` | `x` | always |
//! | `x % n`, `x / n` | `x`, `0` | `x < n` |
//! | `x % a % b` | `x % b` | `b` divides `a` |
//! | `x / a / b`, `x * a * b` | `x / ab`, `x * ab` | always |
//! | `x % ab / b` | `x / b % a` | always |
//! | `x * a / b`, `x * a % b` | `x * (a/b)`, `x % (b/a) * a` | they divide, and `x * a` fits |
//! | `(x + y) / b`, `(x + y) % b` | `x / b + y / b`, `y % b` | `b` divides `x`, and `x + y` fits |
//! | `(x * a + y) / b` | `x / (b/a)` | `a` divides `b`, `y < a`, and all of it fits |
//! | `(x * a + y) % b` | `x % (b/a) * a + y` | the same |
//! | `x / n * an + x % n * a` | `x * a` | always |
//! | `x + a + b`, `x + a - b` | `x + (a+b)`, `x + (a-b)` | always, of numbers `a`, `b` |
//!
//! The order is that of a reader: `m * 64 + (k ^ ...)`, a plain coordinate or product
//! before what is long. Every expression knows the largest value it takes over the
//! coordinates in range.

use crate::Error;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use tiledesc::{Extent, Index};

/// An expression over coordinates.
///
/// It is the [`Index`] of [`Emit::emit`](crate::emit::Emit::emit), and public for descriptors
/// that are not a layout: those with [`Dyn`](struct@tiledesc::Dyn) lengths, and adaptors.
/// [`Form::function`](super::Form::function) writes it.
///
/// ```
/// use tiledesc_host::emit::{self, Expression};
/// use tiledesc::prelude::*;
///
/// // A pitch that the program reads at run time, before it compiles its kernel.
/// let rows = Naive::new([Dyn(128), Dyn(64)], [Dyn(72), Dyn(1)])?;
/// let index = [Expression::coordinate(0, 128), Expression::coordinate(1, 64)];
/// let text = emit::C.function("offset", &["m", "k"], &rows.at(index));
/// assert!(text.is_ok_and(|text| text.contains("return m * 72 + k;")));
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    pub(super) node: Rc<Node>,
    /// An upper bound of all values, coordinates in range.
    pub(super) most: u32,
}

/// A condition that expressions are below bounds, as a padded descriptor has for a coordinate.
///
/// Comparisons that hold of all coordinates in range are left out, and of two with one
/// expression the weaker.
///
/// ```
/// use tiledesc_host::emit::{self, Expression};
/// use tiledesc::prelude::*;
///
/// // 10 rows of 40 as tiles of 8 x 16: the lengths are [16, 48].
/// let a = Naive::rows(10, 40).padded_to([8, 16])?;
/// let [m, k] = [Expression::coordinate(0, 16), Expression::coordinate(1, 48)];
/// let (offset, valid) = a.masked([m, k]);
/// let text = |value: &Expression| emit::C.function("f", &["m", "k"], value);
/// assert!(text(&offset).is_ok_and(|text| text.contains("return m * 40 + k;")));
/// let bounds: Vec<_> = valid.comparisons().iter().map(|(_, bound)| bound.value()).collect();
/// assert_eq!(bounds, [Some(10), Some(40)]);
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Condition {
    all: Vec<(Expression, Expression)>,
}

impl Condition {
    /// Each expression, and the bound that it is below. All must hold; without any, the condition always holds.
    #[must_use]
    pub fn comparisons(&self) -> &[(Expression, Expression)] {
        &self.all
    }

    /// Returns whether the condition holds of these coordinates, which are numbers.
    pub(super) fn holds(&self, at: &[Expression]) -> bool {
        let value = |side: &Expression| side.replaced(at).value();
        let is_below = |index: Option<u32>, bound| index.is_some() && index < bound;
        self.all.iter().all(|(index, bound)| is_below(value(index), value(bound)))
    }

    /// A condition that each of some expressions is below its bound, which is an expression, too.
    pub(super) const fn new(all: Vec<(Expression, Expression)>) -> Self {
        Self { all }
    }
}

/// The last operation of an expression.
#[derive(Debug)]
pub(super) enum Node {
    Coordinate(usize),
    Number(u32),
    Add(Expression, Expression),
    Sub(Expression, Expression),
    Xor(Expression, Expression),
    Mul(Expression, u32),
    Product(Expression, Expression),
    Div(Expression, u32),
    Rem(Expression, u32),
    Lookup(&'static [u32]),
}

impl Expression {
    /// An expression of a node and its upper bound; a bound of 0 makes it the number 0.
    fn new(node: Node, most: u32) -> Self {
        let node = if most == 0 { Node::Number(0) } else { node };
        Self { node: Rc::new(node), most }
    }

    /// The coordinate in dimension `dimension`, which has `length` values, 0 and up: what
    /// is simplified by them is wrong of any other.
    #[must_use]
    pub fn coordinate(dimension: usize, length: u32) -> Self {
        Self::new(Node::Coordinate(dimension), length.saturating_sub(1))
    }

    /// A constant, where an operand is an expression.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Expression};
    /// use tiledesc::{Extent, Index};
    ///
    /// // The buffer after each of three.
    /// let buffer = Expression::coordinate(0, 3);
    /// let next = buffer.add(&Expression::number(1)).rem(Extent::constant(3));
    /// let text = emit::TEXT.function("next", &["buffer"], &next)?;
    /// assert_eq!(text, "next(buffer) = (buffer + 1) mod 3");
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    #[must_use]
    pub fn number(value: u32) -> Self {
        Self::new(Node::Number(value), value)
    }

    /// The value, if it is known: a [`number`](Self::number)'s.
    #[must_use]
    pub fn value(&self) -> Option<u32> {
        match *self.node {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    fn is_number(&self) -> bool {
        self.value().is_some()
    }

    fn is_coordinate(&self) -> bool {
        matches!(&*self.node, Node::Coordinate(_))
    }

    fn is_xor(&self) -> bool {
        matches!(&*self.node, Node::Xor(..))
    }

    /// Refuses what no language here writes, of `rank` coordinates.
    pub(super) fn check(&self, rank: usize) -> Result<(), Error> {
        self.once().into_iter().try_for_each(|each| match &*each.node {
            Node::Coordinate(dimension) if *dimension >= rank => {
                let no_name = format!(
                    "the coordinate of dimension {dimension} has no name: {rank} are given"
                );
                Err(Error::number(no_name))
            }
            Node::Lookup(table) => {
                Err(Error::no_form(format!(
                    "the layout looks up a table of {} entries, which is not emitted; give its `Function` an `apply` \
                     that computes, and write `form.function(name, names, &Tile::at(expressions))`",
                    table.len()
                )))
            }
            _ => Ok(()),
        })
    }

    /// The expression with another in place of each coordinate.
    pub(super) fn replaced(&self, by: &[Self]) -> Self {
        let mut done: BTreeMap<*const Node, Self> = BTreeMap::new();
        for each in self.once() {
            let of = |one: &Self| done[&one.address()].clone();
            let value = match &*each.node {
                Node::Coordinate(d) => by.get(*d).unwrap_or(each).clone(),
                Node::Number(_) | Node::Lookup(_) => each.clone(),
                Node::Add(a, b) => of(a).add(&of(b)),
                Node::Sub(a, b) => of(a).sub(&of(b)),
                Node::Xor(a, b) => of(a).xor(&of(b)),
                Node::Product(a, b) => of(a).product(&of(b)),
                Node::Mul(x, n) => of(x).times(*n),
                Node::Div(x, n) => of(x).over(*n),
                Node::Rem(x, n) => of(x).modulo(*n),
            };
            done.insert(each.address(), value);
        }
        done[&self.address()].clone()
    }

    /// The address of the node, which two expressions may share.
    pub(super) fn address(&self) -> *const Node {
        &raw const *self.node
    }

    fn operands(&self) -> [Option<&Self>; 2] {
        match &*self.node {
            Node::Coordinate(_) | Node::Number(_) | Node::Lookup(_) => [None, None],
            Node::Add(a, b) | Node::Sub(a, b) | Node::Xor(a, b) | Node::Product(a, b) => {
                [Some(a), Some(b)]
            }
            Node::Mul(a, _) | Node::Div(a, _) | Node::Rem(a, _) => [Some(a), None],
        }
    }

    /// The expression and all that it is made of, each node once, operands before what needs them: of `x = x ^ 3 * x`,
    /// thirty times over, 61 nodes, where the text has 2^30.
    pub(super) fn once(&self) -> Vec<&Self> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        self.visit(&mut found, &mut seen);
        found
    }

    fn visit<'a>(&'a self, found: &mut Vec<&'a Self>, seen: &mut BTreeSet<*const Node>) {
        if seen.insert(self.address()) {
            for operand in self.operands().into_iter().flatten() {
                operand.visit(found, seen);
            }
            found.push(self);
        }
    }

    /// The number of operations in each node's text, written out; at most `u64::MAX`.
    fn lengths(&self) -> BTreeMap<*const Node, u64> {
        let mut lengths = BTreeMap::new();
        for each in self.once() {
            let operands = each.operands().into_iter().flatten().map(|o| lengths[&o.address()]);
            let below: u64 = operands.fold(0, u64::saturating_add);
            let own = u64::from(each.operands()[0].is_some());
            lengths.insert(each.address(), below.saturating_add(own));
        }
        lengths
    }

    /// The nodes that a formula should name, in the order in which it can: those of `least` operations that are needed
    /// more than once, if the whole, written out, has more than `most`.
    pub(super) fn worth_names(&self, least: u64, most: u64) -> Vec<&Self> {
        let (lengths, once) = (self.lengths(), self.once());
        if lengths[&self.address()] <= most {
            return Vec::new();
        }
        let mut uses: BTreeMap<*const Node, u32> = BTreeMap::new();
        for operand in once.iter().flat_map(|each| each.operands()).flatten() {
            *uses.entry(operand.address()).or_default() += 1;
        }
        let named = |each: &&Self| {
            uses.get(&each.address()).is_some_and(|uses| *uses > 1)
                && lengths[&each.address()] >= least
        };
        once.into_iter().filter(named).collect()
    }

    /// The product of two, as of a row and the pitch that a kernel is given.
    pub(super) fn product(&self, other: &Self) -> Self {
        match (self.value(), other.value()) {
            (Some(value), _) => other.times(value),
            (_, Some(value)) => self.times(value),
            _ => {
                let most = self.most.saturating_mul(other.most);
                Self::new(Node::Product(self.clone(), other.clone()), most)
            }
        }
    }

    fn times(&self, by: u32) -> Self {
        match (by, &*self.node) {
            (0, _) => Self::number(0),
            (1, _) => self.clone(),
            (_, Node::Number(value)) => Self::number(value.wrapping_mul(by)),
            // A product that wraps around twice wraps around once by their product.
            (_, Node::Mul(x, a)) => x.times(by.wrapping_mul(*a)),
            _ => {
                let most = self.most.saturating_mul(by);
                Self::new(Node::Mul(self.clone(), by), most)
            }
        }
    }

    /// Divides by `by`; an expression that is always smaller becomes 0.
    fn over(&self, by: u32) -> Self {
        if let Some((x, a, _)) = self.digits(by) {
            return x.over(by / a);
        }
        match (by, &*self.node) {
            (1, _) => self.clone(),
            (_, Node::Number(value)) => Self::number(value / by),
            (_, Node::Div(x, a)) => match by.checked_mul(*a) {
                Some(by) => x.over(by),
                None => Self::number(0),
            },
            (_, Node::Rem(x, a)) if a.is_multiple_of(by) => x.over(by).modulo(a / by),
            (_, Node::Mul(x, a)) if x.fits_times(*a) && a.is_multiple_of(by) => x.times(a / by),
            (_, Node::Mul(x, a)) if x.fits_times(*a) && by.is_multiple_of(*a) => x.over(by / a),
            (_, Node::Add(a, b)) if self.fits() && (a.divides_by(by) || b.divides_by(by)) => {
                a.over(by).add(&b.over(by))
            }
            _ => Self::new(Node::Div(self.clone(), by), self.most / by),
        }
    }

    fn modulo(&self, by: u32) -> Self {
        if self.most < by {
            return self.clone();
        }
        if let Some((x, a, y)) = self.digits(by) {
            return x.modulo(by / a).times(a).add(y);
        }
        match &*self.node {
            Node::Number(value) => Self::number(value % by),
            Node::Rem(x, a) if a.is_multiple_of(by) => x.modulo(by),
            Node::Mul(x, a) if x.fits_times(*a) && a.is_multiple_of(by) => Self::number(0),
            Node::Mul(x, a) if x.fits_times(*a) && by.is_multiple_of(*a) => {
                x.modulo(by / a).times(*a)
            }
            Node::Add(a, b) if self.fits() && a.divides_by(by) => b.modulo(by),
            Node::Add(a, b) if self.fits() && b.divides_by(by) => a.modulo(by),
            _ => Self::new(Node::Rem(self.clone(), by), by - 1),
        }
    }

    /// `(x, a, y)` of `x * a + y` with `y < a` where `a` divides `by`.
    fn digits(&self, by: u32) -> Option<(&Self, u32, &Self)> {
        let Node::Add(first, second) = &*self.node else { return None };
        [(first, second), (second, first)].into_iter().find_map(|(product, y)| {
            let Node::Mul(x, a) = &*product.node else { return None };
            let fits = self.fits() && x.fits_times(*a);
            (fits && y.most < *a && by.is_multiple_of(*a)).then_some((x, *a, y))
        })
    }

    /// Returns whether the shape of the expression shows that it is a multiple of `by`.
    fn divides_by(&self, by: u32) -> bool {
        match &*self.node {
            Node::Number(value) => value.is_multiple_of(by),
            Node::Mul(x, a) => x.fits_times(*a) && a.is_multiple_of(by),
            Node::Add(a, b) => self.fits() && a.divides_by(by) && b.divides_by(by),
            _ => false,
        }
    }

    /// Returns whether `self * by` is below 2^32.
    fn fits_times(&self, by: u32) -> bool {
        self.most.checked_mul(by).is_some()
    }

    /// Returns whether a sum is below 2^32.
    fn fits(&self) -> bool {
        match &*self.node {
            Node::Add(a, b) => a.most.checked_add(b.most).is_some(),
            _ => true,
        }
    }

    /// The sum, where `other` is what a division of an addend of `self` left over.
    fn rejoined(&self, other: &Self) -> Option<Self> {
        let whole = self.quotient_and_rest(other).or_else(|| other.quotient_and_rest(self));
        let Node::Add(a, b) = &*self.node else { return whole };
        whole
            .or_else(|| b.rejoined(other).map(|b| a.add(&b)))
            .or_else(|| a.rejoined(other).map(|a| a.add(b)))
    }

    /// `x * a` of `x / n * an` and `x % n * a`.
    fn quotient_and_rest(&self, rest: &Self) -> Option<Self> {
        let ((quotient, an), (rest, a)) = (self.factor(), rest.factor());
        let Node::Rem(x, n) = &*rest.node else { return None };
        (a.checked_mul(*n) == Some(an) && x.over(*n).same(quotient)).then(|| x.times(a))
    }

    /// `(x, a)` of `x * a`.
    fn factor(&self) -> (&Self, u32) {
        match &*self.node {
            Node::Mul(x, a) => (x, *a),
            _ => (self, 1),
        }
    }

    fn same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.node, &other.node)
            || match (&*self.node, &*other.node) {
                (Node::Coordinate(a), Node::Coordinate(b)) => a == b,
                (Node::Number(a), Node::Number(b)) => a == b,
                (Node::Add(a, b), Node::Add(c, d))
                | (Node::Sub(a, b), Node::Sub(c, d))
                | (Node::Product(a, b), Node::Product(c, d))
                | (Node::Xor(a, b), Node::Xor(c, d)) => a.same(c) && b.same(d),
                (Node::Mul(a, n), Node::Mul(b, m))
                | (Node::Div(a, n), Node::Div(b, m))
                | (Node::Rem(a, n), Node::Rem(b, m)) => n == m && a.same(b),
                _ => false,
            }
    }

    fn plus(&self, value: u32) -> Self {
        match (value, &*self.node) {
            (0, _) => self.clone(),
            (_, Node::Number(number)) => Self::number(number.wrapping_add(value)),
            (_, Node::Add(x, n)) if n.is_number() => x.plus(n.most.wrapping_add(value)),
            (_, Node::Sub(x, n)) if n.is_number() && n.most <= value => x.plus(value - n.most),
            (_, Node::Sub(x, n)) if n.is_number() => x.minus(n.most - value),
            _ => {
                let most = self.most.saturating_add(value);
                Self::new(Node::Add(self.clone(), Self::number(value)), most)
            }
        }
    }

    fn minus(&self, value: u32) -> Self {
        match (value, &*self.node) {
            (0, _) => self.clone(),
            (_, Node::Number(number)) => Self::number(number.wrapping_sub(value)),
            (_, Node::Add(x, n)) if n.is_number() && n.most >= value => x.plus(n.most - value),
            (_, Node::Add(x, n)) if n.is_number() => x.minus(value - n.most),
            (_, Node::Sub(x, n)) if n.is_number() && value.checked_add(n.most).is_some() => {
                x.minus(value + n.most)
            }
            // Below 0 it wraps around, to anything.
            _ => Self::new(Node::Sub(self.clone(), Self::number(value)), u32::MAX),
        }
    }
}

// Not what the user of `u16` meant.
#[diagnostic::do_not_recommend]
impl Index for Expression {
    type Mask = Condition;

    fn below(&self, bound: Extent) -> Condition {
        let always = self.most < bound.value();
        let bound = Self::number(bound.value());
        Condition::new(if always { Vec::new() } else { [(self.clone(), bound)].into() })
    }

    fn both(one: &Condition, other: &Condition) -> Condition {
        let mut both = one.clone();
        for (index, bound) in &other.all {
            // Bounds that come from lengths are numbers, whose value is their most.
            match both.all.iter_mut().find(|(known, _)| known.same(index)) {
                Some((_, known)) if known.most <= bound.most => {}
                Some((_, known)) => *known = bound.clone(),
                None => both.all.push((index.clone(), bound.clone())),
            }
        }
        both
    }

    fn add(&self, other: &Self) -> Self {
        match (self.value(), other.value()) {
            (Some(value), _) => return other.plus(value),
            (_, Some(value)) => return self.plus(value),
            _ => {}
        }
        self.rejoined(other).unwrap_or_else(|| {
            let most = self.most.saturating_add(other.most);
            let (a, b) = if self.is_xor() { (other, self) } else { (self, other) };
            Self::new(Node::Add(a.clone(), b.clone()), most)
        })
    }

    fn sub(&self, other: &Self) -> Self {
        match (self.value(), other.value()) {
            (_, Some(value)) => self.minus(value),
            (value, _) => {
                // Below 0 it wraps around, to anything.
                let most = value.filter(|value| other.most <= *value).unwrap_or(u32::MAX);
                Self::new(Node::Sub(self.clone(), other.clone()), most)
            }
        }
    }

    fn xor(&self, other: &Self) -> Self {
        match (self.value(), other.value()) {
            (Some(0), _) => other.clone(),
            (_, Some(0)) => self.clone(),
            (Some(a), Some(b)) => Self::number(a ^ b),
            _ => {
                let most = all_ones(self.most | other.most);
                let (a, b) = if other.is_coordinate() { (other, self) } else { (self, other) };
                Self::new(Node::Xor(a.clone(), b.clone()), most)
            }
        }
    }

    fn mul(&self, by: Extent) -> Self {
        self.times(by.value())
    }

    /// Divides as at run time: 0 divides like 1.
    fn div(&self, by: Extent) -> Self {
        self.over(by.value().max(1))
    }

    fn rem(&self, by: Extent) -> Self {
        self.modulo(by.value().max(1))
    }

    fn constant(&self, value: Extent) -> Self {
        Self::number(value.value())
    }

    /// Looks a number up at once; any other expression is refused when it is written.
    fn lookup(&self, table: &'static [u32]) -> Self {
        match (table, self.value()) {
            ([] | [_], _) | (_, Some(_)) => Self::number(self.most.lookup(table)),
            _ => Self::new(Node::Lookup(table), u32::MAX),
        }
    }
}

/// The smallest 2^n - 1 that is not smaller.
pub(super) const fn all_ones(value: u32) -> u32 {
    match value {
        0 => 0,
        _ => u32::MAX >> value.leading_zeros(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Expression {
        fn at(&self, index: [u32; 2]) -> u32 {
            match &*self.node {
                Node::Coordinate(dimension) => index[*dimension],
                Node::Number(value) => *value,
                Node::Add(a, b) => a.at(index).wrapping_add(b.at(index)),
                Node::Sub(a, b) => a.at(index).wrapping_sub(b.at(index)),
                Node::Xor(a, b) => a.at(index) ^ b.at(index),
                Node::Mul(x, n) => x.at(index).wrapping_mul(*n),
                Node::Product(a, b) => a.at(index).wrapping_mul(b.at(index)),
                Node::Div(x, n) => x.at(index) / n,
                Node::Rem(x, n) => x.at(index) % n,
                Node::Lookup(_) => 0,
            }
        }
    }

    const LENGTHS: [u32; 2] = [9, 12];

    /// Chains of operations, the same over any index.
    fn chain<I: Index>(index: &[I; 2], mut seed: u32) -> I {
        let mut next = |n: u32| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) % n
        };
        let mut x = index[next(2) as usize].clone();
        for _ in 0..7 {
            let n = [1, 2, 3, 4, 6, 8, 12, 16, 65536][next(9) as usize];
            let (by, twice) = (Extent::constant(n), Extent::constant(1 + next(2)));
            let other = index[next(2) as usize].clone();
            x = match next(11) {
                0 => x.add(&other),
                1 => x.sub(&other),
                2 => x.xor(&other.mul(by)),
                3 => x.add(&x.constant(by)),
                4 => x.constant(by).sub(&x),
                5 => x.xor(&x.constant(by)),
                6 => x.mul(by),
                7 => x.div(by),
                8 => x.rem(by),
                9 => x.div(by).mul(by).mul(twice).add(&x.rem(by).mul(twice)),
                _ => x.sub(&x.constant(by)),
            };
        }
        x
    }

    #[test]
    fn simplified_is_equal() {
        let symbols = [0, 1].map(|i| Expression::coordinate(i, LENGTHS[i]));
        for seed in 0..50_000 {
            let simple = chain(&symbols, seed);
            // Every fifth: all values of either index, in fewer pairs.
            for id in (0..LENGTHS[0] * LENGTHS[1]).step_by(5) {
                let index = [id / LENGTHS[1], id % LENGTHS[1]];
                let value = chain(&index, seed);
                assert_eq!(simple.at(index), value, "seed {seed}, {index:?}: {simple:?}");
                assert!(value <= simple.most, "seed {seed}: {value} > {}", simple.most);
            }
        }
    }
}
