//! Proofs for constants: by structure, and by trying only where nothing else decides.
//!
//! | question | decides |
//! |---|---|
//! | is every transform plainly injective? | most layouts |
//! | do two coordinates meet below one of them, of those that come? | strides of any kind, slices, padding that counts as valid |
//! | are the columns of the linear map independent? | xors of bits that are not all there |
//! | does an offset come twice? | all else, up to [`Plan::MOST_PROVED`] evaluated transforms |
//!
//! The first is the cheapest; what each costs the compiler is in DESIGN, "What the compiler pays for".
//!
//! A collision is always two coordinates that were evaluated, so it is never wrong.

use crate::error::Error;
use crate::law::advance;
use crate::linear::Linear;
use crate::number::list::List;
use crate::plan::{Hidden, Plan};
use crate::transform::{Interval, Meeting};

impl Plan {
    /// The most transforms that are evaluated by a proof that tries every coordinate: 2048 coordinates of four transforms.
    pub const MOST_PROVED: u64 = 8192;

    /// Proves from the structure that no two coordinates share an offset; falls
    /// back to trying every coordinate of small plans. For constants.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// const ROWS: Plan = match Plan::naive(&[128, 64], &[72, 1]) { Ok(p) => p, Err(_) => panic!() };
    /// const PROVEN: bool = ROWS.prove_injective().is_ok();
    /// assert!(PROVEN);
    /// // No stride exceeds the reach of the smaller ones; two coordinates still meet.
    /// let steps = Plan::naive(&[3, 64, 2], &[2, 3, 3]).unwrap();
    /// assert_eq!(
    ///     steps.prove_injective().unwrap_err().to_string(),
    ///     "not injective: coordinates (0, 0, 1) and (0, 1, 0) share offset 3",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Collision`] with two coordinates; [`Error::Undecided`] for plans that
    /// structure does not decide and that have too many coordinates to try
    /// ([`MOST_PROVED`](Self::MOST_PROVED)).
    pub const fn prove_injective(&self) -> Result<(), Error> {
        attempt!(self.has_memory());
        if self.is_plain() || attempt!(self.never_meets()) {
            return Ok(());
        }
        if let Ok(map) = self.linear() {
            return self.independent(&map);
        }
        if self.is_small() {
            return self.try_all();
        }
        Err(Error::Undecided { law: "injective", elements: self.elements() })
    }

    /// Returns whether every transform is plainly injective for its lengths.
    const fn is_plain(&self) -> bool {
        let mut n = 0;
        while n < self.node_count {
            if !self.nodes[n].op.injective() {
                return false;
            }
            n += 1;
        }
        true
    }

    /// Returns whether no two coordinates that come meet below any transform, from the top down.
    /// Where two do, coordinates of the plan that lead to them are a collision; if none are
    /// found, nothing is decided.
    const fn never_meets(&self) -> Result<bool, Error> {
        let mut reach = [Interval::ZERO; Self::MOST_HIDDEN];
        let (lengths, mut i) = (self.lengths(), 0);
        while i < lengths.len() {
            reach[self.top().at(i) as usize] = Interval::new(lengths.at(i) as u64);
            i += 1;
        }
        let (mut never, mut n) = (true, self.node_count);
        while n > 0 {
            n -= 1;
            let node = &self.nodes[n];
            let mut up = [Interval::ZERO; List::CAPACITY];
            let mut i = 0;
            while i < node.upper.len() {
                up[i] = reach[node.upper.at(i) as usize];
                i += 1;
            }
            let up = up.split_at(i).0;
            match node.op.meet(up) {
                Meeting::Never => {}
                Meeting::At { room, steps } => {
                    never = false;
                    attempt!(self.confirm(n, &room, &steps));
                }
                Meeting::Unknown => never = false,
            }
            let Some(low) = node.op.reach(up) else { return Ok(false) };
            let mut i = 0;
            while i < node.lower.len() {
                // All in padding: there is no coordinate at all.
                if low[i].is_empty() {
                    return Ok(true);
                }
                reach[node.lower.at(i) as usize] = low[i];
                i += 1;
            }
        }
        Ok(never)
    }

    /// If the columns of a linear map are independent, no two coordinates collide.
    /// Otherwise the first coordinate collides with any vector of the kernel.
    const fn independent(&self, map: &Linear) -> Result<(), Error> {
        let kernel = map.kernel();
        if kernel.is_empty() {
            return Ok(());
        }
        let (first, second) = (self.nth(0), self.nth(kernel.get(0) as u64));
        Err(Error::Collision { first, second, offset: map.constant() })
    }

    /// Proves that every valid coordinate is in the element space. For constants.
    ///
    /// If the lengths of a composition agree, each transform stays inside the dimension
    /// below it; only padding that is reported as valid may leave. Then every
    /// coordinate of a small plan is tried.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// assert!(Plan::naive(&[128, 64], &[72, 1]).unwrap().prove_in_bounds().is_ok());
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::OutOfSpace`] with a coordinate; [`Error::Undecided`] with unchecked padding
    /// in a plan of too many coordinates to try.
    pub const fn prove_in_bounds(&self) -> Result<(), Error> {
        attempt!(self.has_memory());
        let (mut leaves, mut n) = (false, 0);
        while n < self.node_count {
            leaves |= self.nodes[n].op.leaves_dimension();
            n += 1;
        }
        if !leaves {
            return Ok(());
        }
        if self.is_small() {
            return match self.count_inside() {
                Ok(_) => Ok(()),
                Err(error) => Err(error),
            };
        }
        Err(Error::Undecided { law: "in bounds", elements: self.elements() })
    }

    /// Proves from the structure that every element of the space has exactly one
    /// coordinate. For constants.
    ///
    /// ```
    /// use tiledesc_transforms::Plan;
    ///
    /// const ROWS: Plan = match Plan::naive(&[4, 8], &[8, 1]) { Ok(p) => p, Err(_) => panic!() };
    /// const PROVEN: bool = ROWS.prove_bijective().is_ok();
    /// assert!(PROVEN);
    /// let padded = Plan::naive(&[4, 8], &[10, 1]).unwrap();
    /// assert_eq!(
    ///     padded.prove_bijective().unwrap_err().to_string(),
    ///     "not a bijection: 32 coordinates for an element space of 38 (injective allows gaps)",
    /// );
    /// ```
    ///
    /// # Errors
    ///
    /// As [`prove_injective`](Self::prove_injective), [`Error::OutOfSpace`] and [`Error::Holes`].
    pub const fn prove_bijective(&self) -> Result<(), Error> {
        attempt!(self.prove_injective());
        if !self.has_padding() {
            return self.no_holes(self.elements());
        }
        // Every element has a coordinate where every transform is onto what is below it.
        if self.is_plain() && self.is_onto() {
            return Ok(());
        }
        if !self.is_small() {
            return Err(Error::Undecided { law: "bijective", elements: self.elements() });
        }
        match self.count_inside() {
            Ok(found) => self.no_holes(found),
            Err(error) => Err(error),
        }
    }

    /// Returns whether every transform leads to all of what is below it.
    const fn is_onto(&self) -> bool {
        let (mut onto, mut n) = (true, 0);
        while n < self.node_count {
            onto &= self.nodes[n].op.is_onto();
            n += 1;
        }
        onto
    }

    /// Returns whether few enough transforms have to be evaluated to try every coordinate.
    const fn is_small(&self) -> bool {
        self.elements().saturating_mul(self.node_count as u64) <= Self::MOST_PROVED
    }

    /// The number of valid coordinates, or the first one outside of the space.
    const fn count_inside(&self) -> Result<u64, Error> {
        let (lengths, mut index) = (self.lengths(), [0; List::CAPACITY]);
        let (index, elements) = (index.split_at_mut(lengths.len()).0, self.elements());
        let (mut found, mut id) = (0, 0);
        while id < elements {
            let hidden = self.evaluate(index);
            if self.accepts(&hidden) {
                attempt!(self.within_space(List::new(index), hidden[0]));
                found += 1;
            }
            advance(index, &lengths);
            id += 1;
        }
        Ok(found)
    }

    /// Returns whether a pad adds indices that the dimension below does not have.
    pub(crate) const fn has_padding(&self) -> bool {
        let mut n = 0;
        while n < self.node_count {
            if self.nodes[n].op.padding() > 0 {
                return true;
            }
            n += 1;
        }
        false
    }

    /// Upper coordinates of node `n` that are `steps` apart collide below it: do two top
    /// coordinates collide? Tried at the first, the middle and the last of them, all else
    /// at 0, in the middle and at the end: a window's border may lie in padding.
    const fn confirm(
        &self,
        n: usize,
        room: &[Interval; List::CAPACITY],
        steps: &[i64; List::CAPACITY],
    ) -> Result<(), Error> {
        let mut place = 0;
        while place < 9 {
            let around = self.evaluate(self.lengths().around(place / 3).as_slice());
            let (mut one, mut other) = (around, around);
            let upper = self.nodes[n].upper;
            let mut i = 0;
            while i < upper.len() {
                let id = upper.at(i) as usize;
                let at = part(room[i].first, room[i].last, place % 3);
                (one[id], other[id]) = (at as u32, (at + steps[i]) as u32);
                i += 1;
            }
            if let (Some(one), Some(other)) = (self.lift(n, one), self.lift(n, other)) {
                attempt!(self.differ(&one, &other));
            }
            place += 1;
        }
        Ok(())
    }

    /// Refuses two coordinates with one offset.
    const fn differ(&self, one: &List, other: &List) -> Result<(), Error> {
        match (self.offset(one.as_slice()), self.offset(other.as_slice())) {
            (Ok(a), Ok(b)) if a == b && !one.is_same(other) => {
                let (first, second) =
                    if before(one, other) { (*one, *other) } else { (*other, *one) };
                Err(Error::Collision { first, second, offset: a })
            }
            _ => Ok(()),
        }
    }

    /// The top coordinate that leads to these indices above node `n`. The nodes above are
    /// inverted; `None` if one of them cannot be.
    const fn lift(&self, n: usize, mut hidden: Hidden) -> Option<List> {
        let mut m = n + 1;
        while m < self.node_count {
            if !self.nodes[m].raise(&mut hidden) {
                return None;
            }
            m += 1;
        }
        let index = crate::plan::gather(&hidden, &self.top());
        Some(List::new(index.split_at(self.rank()).0))
    }

    /// Every coordinate evaluated once, its offset looked up among those before.
    const fn try_all(&self) -> Result<(), Error> {
        let (lengths, mut seen) = (self.lengths(), Seen::NOTHING);
        let (mut index, mut id) = ([0; List::CAPACITY], 0);
        let (index, elements) = (index.split_at_mut(lengths.len()).0, self.elements());
        while id < elements {
            let hidden = self.evaluate(index);
            if self.accepts(&hidden)
                && let Some(first) = seen.insert(hidden[0], id as u32)
            {
                let (first, second) = (self.nth(first as u64), self.nth(id));
                return Err(Error::Collision { first, second, offset: hidden[0] });
            }
            advance(index, &lengths);
            id += 1;
        }
        Ok(())
    }
}

/// Offsets and the coordinates they were first seen at, found by a hash of the offset.
struct Seen {
    offsets: [u32; Self::SLOTS],
    /// The number of the coordinate, and one more; 0 of a free slot.
    numbers: [u32; Self::SLOTS],
}

impl Seen {
    /// A slot for every coordinate: a plan of at least one transform has no more.
    const SLOTS: usize = 2 * Plan::MOST_PROVED as usize;
    const SHIFT: u32 = 32 - Self::SLOTS.ilog2();
    const NOTHING: Self = Self { offsets: [0; Self::SLOTS], numbers: [0; Self::SLOTS] };

    /// The coordinate that an offset was seen at; if there is none, this one is kept.
    const fn insert(&mut self, offset: u32, number: u32) -> Option<u32> {
        let mut slot = (offset.wrapping_mul(0x9e37_79b1) >> Self::SHIFT) as usize;
        while self.numbers[slot] != 0 {
            if self.offsets[slot] == offset {
                return Some(self.numbers[slot] - 1);
            }
            slot = (slot + 1) % Self::SLOTS;
        }
        (self.offsets[slot], self.numbers[slot]) = (offset, number + 1);
        None
    }
}

/// The first number, the middle or the last.
const fn part(first: i64, last: i64, place: u32) -> i64 {
    match place {
        0 => first,
        1 => first + (last - first) / 2,
        _ => last,
    }
}

/// Lexicographic order of two coordinates of one rank that differ.
const fn before(a: &List, b: &List) -> bool {
    let mut i = 0;
    while i < a.len() {
        if a.as_slice()[i] != b.as_slice()[i] {
            return a.as_slice()[i] < b.as_slice()[i];
        }
        i += 1;
    }
    false
}
