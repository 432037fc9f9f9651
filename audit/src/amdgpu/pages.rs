//! A file of vector registers in pages, which states share as long as none of them writes there.
//!
//! A wave that spills has 5,632 places, and each mask of lanes a file of its own. A new mask copies no values, and its first
//! write to a page those of the page: 32 in place of 5,632.

use crate::value::Value;
use std::rc::Rc;

/// Values of a page.
const PAGE: usize = 32;

type Page = Rc<[Value; PAGE]>;

/// A value for each place; of those behind the last nothing was written.
#[derive(Clone, Debug, Default)]
pub(super) struct Pages {
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
    pub(super) fn all(value: &Value, length: usize) -> Self {
        let mut all = Self::default();
        all.fill(value, length);
        all
    }

    /// The places behind which nothing was written.
    pub(super) fn len(&self) -> usize {
        self.length
    }

    pub(super) fn read(&self, place: usize) -> Value {
        self.pages.get(place / PAGE).map_or(Value::Nothing, |page| page[place % PAGE].clone())
    }

    pub(super) fn write(&mut self, place: usize, value: Value) {
        let pages = Rc::make_mut(&mut self.pages);
        while pages.len() * PAGE <= place {
            pages.push(page_of(&Value::Nothing));
        }
        Rc::make_mut(&mut pages[place / PAGE])[place % PAGE] = value;
        self.length = self.length.max(place + 1);
    }

    /// Drops the places from `length` on.
    pub(super) fn truncate(&mut self, length: usize) {
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
    pub(super) fn fill(&mut self, value: &Value, length: usize) {
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

    /// Joins another file that is possible here, place by place.
    pub(super) fn join(&mut self, other: &Self, at: usize) {
        if *self == *other {
            return;
        }
        let pages = Rc::make_mut(&mut self.pages);
        while pages.len() < other.pages.len() {
            pages.push(page_of(&Value::Nothing));
        }
        for (one, two) in pages.iter_mut().zip(other.pages.iter()) {
            if are_same(one, two) {
                continue;
            }
            for (i, two) in
                two.iter().enumerate().filter(|(i, two)| one[*i] != **two).collect::<Vec<_>>()
            {
                let joined = one[i].join(two, at);
                if joined != one[i] {
                    Rc::make_mut(one)[i] = joined;
                }
            }
        }
        self.length = self.length.max(other.length);
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
