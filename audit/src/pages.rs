//! A file of registers in pages, which states share as long as none of them writes there.
//!
//! A wave that spills has 5,632 places, and each mask of lanes a file of its own. A new mask copies no values, and its first
//! write to a page those of the page: 32 in place of 5,632. Where blocks meet, pages that are the same cost one comparison.

use crate::graph::Bits;
use crate::value::Value;
use std::rc::Rc;

/// Values of a page.
const PAGE: usize = 32;

type Page = Rc<[Value; PAGE]>;

/// A value for each place; of those behind the last nothing was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    pages: Rc<Vec<Page>>,
    length: usize,
}

fn page_of(value: &Value) -> Page {
    Rc::new(std::array::from_fn(|_| value.clone()))
}

fn are_same(a: &Page, b: &Page) -> bool {
    Rc::ptr_eq(a, b) || a == b
}

impl PartialEq for Pages {
    fn eq(&self, other: &Self) -> bool {
        let pages = || self.pages.iter().zip(other.pages.iter());
        self.length == other.length
            && (Rc::ptr_eq(&self.pages, &other.pages) || pages().all(|(a, b)| are_same(a, b)))
    }
}

impl Eq for Pages {}

impl Pages {
    /// `length` places that all hold one value.
    pub(crate) fn all(value: &Value, length: usize) -> Self {
        let mut all = Self::default();
        all.fill(value, length);
        all
    }

    /// The places behind which nothing was written.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The value of a place, if it is one of the file's.
    pub(crate) fn get(&self, place: usize) -> Option<&Value> {
        (place < self.length).then(|| &self.pages[place / PAGE][place % PAGE])
    }

    /// The value of a place; of one behind the last what was never written.
    pub(crate) fn read(&self, place: usize) -> Value {
        self.pages.get(place / PAGE).map_or(Value::Nothing, |page| page[place % PAGE].clone())
    }

    pub(crate) fn write(&mut self, place: usize, value: Value) {
        let pages = Rc::make_mut(&mut self.pages);
        while pages.len() * PAGE <= place {
            pages.push(page_of(&Value::Nothing));
        }
        Rc::make_mut(&mut pages[place / PAGE])[place % PAGE] = value;
        self.length = self.length.max(place + 1);
    }

    /// Drops the places from `length` on.
    pub(crate) fn truncate(&mut self, length: usize) {
        if length >= self.length {
            return;
        }
        let pages = Rc::make_mut(&mut self.pages);
        pages.truncate(length.div_ceil(PAGE));
        if let Some(last) = pages.last_mut().filter(|_| !length.is_multiple_of(PAGE)) {
            Rc::make_mut(last)[length % PAGE..].fill(Value::Nothing);
        }
        self.length = length;
    }

    /// Grows to `length` places; the new ones hold `value`.
    pub(crate) fn fill(&mut self, value: &Value, length: usize) {
        let pages = Rc::make_mut(&mut self.pages);
        while self.length < length && !self.length.is_multiple_of(PAGE) {
            Rc::make_mut(&mut pages[self.length / PAGE])[self.length % PAGE] = value.clone();
            self.length += 1;
        }
        let page = page_of(value);
        while self.length + PAGE <= length {
            pages.push(page.clone());
            self.length += PAGE;
        }
        for place in self.length..length {
            self.write(place, value.clone());
        }
    }

    /// Replaces each value that is another in a second file, and each whose place is among `always`, by a function of its place
    /// and of both. Places that only the first has keep their values.
    pub(crate) fn combine(
        &mut self,
        other: &Self,
        always: &Bits,
        op: &dyn Fn(usize, &Value, &Value) -> Value,
    ) {
        if always.is_empty() && *self == *other {
            return;
        }
        let pages = Rc::make_mut(&mut self.pages);
        while pages.len() < other.pages.len() {
            pages.push(page_of(&Value::Nothing));
        }
        for (number, (one, two)) in pages.iter_mut().zip(other.pages.iter()).enumerate() {
            let places = number * PAGE..(number + 1) * PAGE;
            if Rc::ptr_eq(one, two) && !places.clone().any(|place| always.contains(place)) {
                continue;
            }
            for (i, place) in places.enumerate() {
                if one[i] != two[i] || always.contains(place) {
                    let new = op(place, &one[i], &two[i]);
                    if new != one[i] {
                        Rc::make_mut(one)[i] = new;
                    }
                }
            }
        }
        self.length = self.length.max(other.length);
    }

    /// Joins another file that is possible here, place by place.
    pub(crate) fn join(&mut self, other: &Self, at: usize) {
        self.combine(other, &Bits::default(), &|_, one, two| one.join(two, at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two files, each with the list of the values that it holds.
    type Two = [(Pages, Vec<Value>); 2];

    /// Applies one of nine operations to the first, as a file and as a list.
    fn does(what: usize, [(pages, list), other]: &mut Two, value: &Value) {
        match what {
            0..4 => {
                let place = [0, 31, 32, 70][what];
                pages.write(place, value.clone());
                list.resize(list.len().max(place + 1), Value::Nothing);
                list[place] = value.clone();
            }
            4 | 5 => {
                pages.truncate([32, 40][what - 4]);
                list.truncate([32, 40][what - 4]);
            }
            6 => {
                pages.fill(value, 100);
                list.resize(list.len().max(100), value.clone());
            }
            7 => {
                pages.join(&other.0, 7);
                list.resize(list.len().max(other.1.len()), Value::Nothing);
                list.iter_mut().zip(&other.1).for_each(|(one, two)| *one = one.join(two, 7));
            }
            _ => (*pages, *list) = other.clone(),
        }
    }

    /// Whatever three things are done to two files: what lists of values would be.
    #[test]
    fn as_lists() {
        for code in 0..18_usize.pow(3) {
            let (mut two, mut rest) = (Two::default(), code);
            for step in 0..3 {
                if rest % 2 == 1 {
                    two.reverse();
                }
                does(rest / 2 % 9, &mut two, &Value::constant(step % 2));
                rest /= 18;
            }
            let [(a, of_a), (b, of_b)] = &two;
            assert_eq!(a == b, of_a == of_b, "{code}");
            for (pages, list) in &two {
                assert_eq!(pages.len(), list.len(), "{code}");
                let of = |place: usize| list.get(place).cloned().unwrap_or(Value::Nothing);
                assert!((0..104).all(|place| pages.read(place) == of(place)), "{code}");
            }
        }
    }
}
