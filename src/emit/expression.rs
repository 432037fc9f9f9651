//! An index that is an expression, and simplifies itself as it grows.
//!
//! In bytes, a tile of 64x128 halves of a byte is `(m * 128 + k) * 4 / 8` as computed and
//! `((m << 7) + k) >> 1` as simplified. The rules are true of integers that wrap around:
//!
//! | written | is | where |
//! |---|---|---|
//! | `x * 1`, `x / 1`, `x + 0`, `x ^ 0` | `x` | always |
//! | `x % n`, `x / n` | `x`, `0` | `x < n` |
//! | `x % a % b` | `x % b` | `b` divides `a` |
//! | `x / a / b`, `x * a * b` | `x / ab`, `x * ab` | always |
//! | `x * a / b`, `x * a % b` | `x * (a/b)`, `x % (b/a) * a` | they divide, and `x * a` fits |
//!
//! The order is that of a reader: `m * 64 + (k ^ ...)`, a plain coordinate or product
//! before what is long. Every expression knows the largest value it takes over the
//! coordinates in range.

use super::error::Error;
use alloc::rc::Rc;
use tiledesc_transforms::{Extent, Index};

/// An expression over coordinates.
#[derive(Clone, Debug)]
pub struct Expression {
    pub(super) node: Rc<Node>,
    /// No value is larger, coordinates in range.
    pub(super) most: u32,
}

/// What is done last.
#[derive(Debug)]
pub(super) enum Node {
    Coordinate(usize),
    Number(u32),
    Add(Expression, Expression),
    Sub(Expression, Expression),
    Xor(Expression, Expression),
    Mul(Expression, u32),
    Div(Expression, u32),
    Rem(Expression, u32),
    Lookup(&'static [u32]),
}

impl Expression {
    fn of(node: Node, most: u32) -> Self {
        Self { node: Rc::new(node), most }
    }

    /// The coordinate in dimension `dimension`, which has `length` values.
    #[must_use]
    pub fn coordinate(dimension: usize, length: u32) -> Self {
        Self::of(Node::Coordinate(dimension), length.saturating_sub(1))
    }

    /// A constant.
    #[must_use]
    pub fn number(value: u32) -> Self {
        Self::of(Node::Number(value), value)
    }

    fn value(&self) -> Option<u32> {
        match *self.node {
            Node::Number(value) => Some(value),
            _ => None,
        }
    }

    fn is_coordinate(&self) -> bool {
        matches!(&*self.node, Node::Coordinate(_))
    }

    fn is_xor(&self) -> bool {
        matches!(&*self.node, Node::Xor(..))
    }

    /// Refuses what no language here writes.
    pub(super) fn check(&self) -> Result<(), Error> {
        match &*self.node {
            Node::Coordinate(_) | Node::Number(_) => Ok(()),
            Node::Add(a, b) | Node::Sub(a, b) | Node::Xor(a, b) => a.check().and(b.check()),
            Node::Mul(a, _) | Node::Div(a, _) | Node::Rem(a, _) => a.check(),
            Node::Lookup(table) => Err(Error::Table { entries: table.len() }),
        }
    }

    fn times(&self, by: u32) -> Self {
        match (by, &*self.node) {
            (0, _) => Self::number(0),
            (1, _) => self.clone(),
            (_, Node::Number(value)) => Self::number(value.wrapping_mul(by)),
            // A product that wraps around twice wraps around once by their product.
            (_, Node::Mul(x, a)) if by.checked_mul(*a).is_some() => x.times(by * a),
            _ => {
                let most = self.most.saturating_mul(by);
                Self::of(Node::Mul(self.clone(), by), most)
            }
        }
    }

    fn over(&self, by: u32) -> Self {
        if self.most < by {
            return Self::number(0);
        }
        match (by, &*self.node) {
            (1, _) => self.clone(),
            (_, Node::Number(value)) => Self::number(value / by),
            (_, Node::Div(x, a)) => match by.checked_mul(*a) {
                Some(by) => x.over(by),
                None => Self::number(0),
            },
            (_, Node::Mul(x, a)) if x.fits_times(*a) && a.is_multiple_of(by) => x.times(a / by),
            (_, Node::Mul(x, a)) if x.fits_times(*a) && by.is_multiple_of(*a) => x.over(by / a),
            _ => Self::of(Node::Div(self.clone(), by), self.most / by),
        }
    }

    fn modulo(&self, by: u32) -> Self {
        if self.most < by {
            return self.clone();
        }
        match &*self.node {
            Node::Number(value) => Self::number(value % by),
            Node::Rem(x, a) if a.is_multiple_of(by) => x.modulo(by),
            Node::Mul(x, a) if x.fits_times(*a) && a.is_multiple_of(by) => Self::number(0),
            Node::Mul(x, a) if x.fits_times(*a) && by.is_multiple_of(*a) => {
                x.modulo(by / a).times(*a)
            }
            _ if by == 1 => Self::number(0),
            _ => Self::of(Node::Rem(self.clone(), by), by - 1),
        }
    }

    /// Whether `self * by` is below 2^32.
    fn fits_times(&self, by: u32) -> bool {
        self.most.checked_mul(by).is_some()
    }
}

impl Index for Expression {
    fn add(&self, other: &Self) -> Self {
        match (self.value(), other.value()) {
            (Some(0), _) => other.clone(),
            (_, Some(0)) => self.clone(),
            (Some(a), Some(b)) => Self::number(a.wrapping_add(b)),
            _ => {
                let most = self.most.saturating_add(other.most);
                let (a, b) = if self.is_xor() { (other, self) } else { (self, other) };
                Self::of(Node::Add(a.clone(), b.clone()), most)
            }
        }
    }

    fn sub(&self, other: &Self) -> Self {
        match (self.value(), other.value()) {
            (_, Some(0)) => self.clone(),
            (Some(a), Some(b)) => Self::number(a.wrapping_sub(b)),
            (a, _) => {
                // Below 0 it wraps around, to anything.
                let most = a.filter(|a| other.most <= *a).unwrap_or(u32::MAX);
                Self::of(Node::Sub(self.clone(), other.clone()), most)
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
                Self::of(Node::Xor(a.clone(), b.clone()), most)
            }
        }
    }

    fn mul(&self, by: Extent) -> Self {
        self.times(by.value())
    }

    /// As at run time, 0 divides like 1.
    fn div(&self, by: Extent) -> Self {
        self.over(by.value().max(1))
    }

    fn rem(&self, by: Extent) -> Self {
        self.modulo(by.value().max(1))
    }

    fn constant(&self, value: Extent) -> Self {
        Self::number(value.value())
    }

    fn lookup(&self, table: &'static [u32]) -> Self {
        match table {
            [] => Self::number(0),
            [only] => Self::number(*only),
            _ => Self::of(Node::Lookup(table), u32::MAX),
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
            let by = Extent::constant(n);
            let other = index[next(2) as usize].clone();
            x = match next(9) {
                0 => x.add(&other),
                1 => x.sub(&other),
                2 => x.xor(&other.mul(by)),
                3 => x.add(&x.constant(by)),
                4 => x.constant(by).sub(&x),
                5 => x.xor(&x.constant(by)),
                6 => x.mul(by),
                7 => x.div(by),
                _ => x.rem(by),
            };
        }
        x
    }

    #[test]
    fn simplified_is_equal() {
        let symbols = [0, 1].map(|i| Expression::coordinate(i, LENGTHS[i]));
        for seed in 0..5000 {
            let simple = chain(&symbols, seed);
            for id in 0..LENGTHS[0] * LENGTHS[1] {
                let index = [id / LENGTHS[1], id % LENGTHS[1]];
                let value = chain(&index, seed);
                assert_eq!(simple.at(index), value, "seed {seed}, {index:?}: {simple:?}");
                assert!(value <= simple.most, "seed {seed}: {value} > {}", simple.most);
            }
        }
    }
}
