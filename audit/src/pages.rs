//! A file of registers in pages, which states share as long as none of them writes there.
//!
//! A wave that spills has 5,632 places, and each mask of lanes a file of its own. A new mask copies no values, and its first
//! write to a page those of the page: 16 in place of 5,632. Where blocks meet, pages that are the same cost one comparison.

use crate::graph::Bits;
use crate::value::Value;
use std::rc::Rc;

/// The number of values in a page.
const PAGE: usize = 16;

type Page = Rc<[Value; PAGE]>;

/// A value for each place; nothing was written behind the last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pages {
    pages: Rc<Vec<Page>>,
    length: usize,
}

fn page_of(value: &Value) -> Page {
    Rc::new(std::array::from_fn(|_| value.clone()))
}

/// Returns whether two values are equal; most of them are unknown.
fn are_alike(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Unknown(a), Value::Unknown(b)) => a == b,
        _ => a == b,
    }
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

    /// The number of places; nothing was written behind them.
    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// The value of a place, if it is one of the file's.
    pub(crate) fn get(&self, place: usize) -> Option<&Value> {
        (place < self.length).then(|| &self.pages[place / PAGE][place % PAGE])
    }

    /// The value of a place, `Nothing` behind the last.
    pub(crate) fn read(&self, place: usize) -> Value {
        self.get(place).cloned().unwrap_or(Value::Nothing)
    }

    pub(crate) fn write(&mut self, place: usize, value: Value) {
        if self.get(place) == Some(&value) {
            return;
        }
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
        if self.length >= length {
            return;
        }
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

    /// Returns whether all pages are the same memory.
    fn shares_all(&self, other: &Self) -> bool {
        let mut both = self.pages.iter().zip(other.pages.iter());
        self.length == other.length
            && (Rc::ptr_eq(&self.pages, &other.pages) || both.all(|(a, b)| Rc::ptr_eq(a, b)))
    }

    /// Replaces each value that is another in a second file, and each whose place is among `always`, by a function of its place
    /// and of both.
    pub(crate) fn combine(
        &mut self,
        other: &Self,
        always: &Bits,
        op: &dyn Fn(usize, &Value, &Value) -> Value,
    ) {
        if always.is_empty() && self.shares_all(other) {
            return;
        }
        let (length, is_plain) = (self.length.max(other.length), always.is_empty());
        let mut other = other.clone();
        self.fill(&Value::Nothing, length);
        other.fill(&Value::Nothing, length);
        let pages = Rc::make_mut(&mut self.pages);
        for (number, (one, two)) in pages.iter_mut().zip(other.pages.iter()).enumerate() {
            let places = number * PAGE..length.min((number + 1) * PAGE);
            if Rc::ptr_eq(one, two) && (is_plain || !always.has_any(&places)) {
                continue;
            }
            for (i, place) in places.enumerate() {
                if are_alike(&one[i], &two[i]) && (is_plain || !always.contains(place)) {
                    continue;
                }
                let new = op(place, &one[i], &two[i]);
                if new != one[i] {
                    Rc::make_mut(one)[i] = new;
                }
            }
        }
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

    /// Applies one of ten operations to the first, as a file and as a list.
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
            8 => {
                let always = Bits::from_numbers([0, 40].into_iter());
                pages.combine(&other.0, &always, &|place, one, two| of_both(place, one, two));
                list.resize(list.len().max(other.1.len()), Value::Nothing);
                for (place, one) in list.iter_mut().enumerate() {
                    let two = other.1.get(place).unwrap_or(&Value::Nothing);
                    if one != two || always.contains(place) {
                        *one = of_both(place, one, two);
                    }
                }
            }
            _ => (*pages, *list) = other.clone(),
        }
    }

    /// Which values a function got, and for which place.
    fn of_both(place: usize, one: &Value, two: &Value) -> Value {
        let of = |value: &Value| value.number().map_or(0, |number| number + 1);
        Value::constant(place as u32 + 1000 * of(one) + 2000 * of(two))
    }

    /// Whatever three things are done to two files: what lists of values would be.
    #[test]
    fn as_lists() {
        for code in 0..20_usize.pow(3) {
            let (mut two, mut rest) = (Two::default(), code);
            for step in 0..3 {
                if rest % 2 == 1 {
                    two.reverse();
                }
                does(rest / 2 % 10, &mut two, &Value::constant(step % 2));
                rest /= 20;
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
