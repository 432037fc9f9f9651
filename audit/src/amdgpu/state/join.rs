//! States that come together: each register under the masks that both have, and the sets that both know.
//!
//! ```text
//!   exec = all lanes > A          v1 = 0 under all, 4 lane under A
//!   exec = all lanes > B          v1 = 0 under all, 8 lane under B
//!   together: all lanes > C       v1 = 0 under all, and under C, which is A or B, one of the two
//! ```

use super::{Level, State};
use crate::amdgpu::mask::Set;
use crate::amdgpu::pointer::Kind;
use crate::amdgpu::scalar::{Mask, Scalar};
use crate::graph::Bits;
use crate::value::Value;
use std::rc::Rc;

impl State {
    /// Gives a set another name.
    fn rename(&mut self, from: usize, to: usize) {
        self.sets.rename(from, to);
        self.levels.iter_mut().for_each(|level| level.set.rename(from, to));
        if self.all_masks().any(|mask| mask.set().name == from) {
            let kept = Rc::make_mut(&mut self.kept).values_mut();
            let kept = kept.filter_map(|one| one.mask.as_mut());
            let masks = Rc::make_mut(&mut self.masks).values_mut().chain(kept);
            masks.for_each(|(mask, _)| mask.set_mut().rename(from, to));
        }
    }

    fn forget_masks(&mut self, name: usize) {
        self.sets.forget(name);
        if self.all_masks().any(|mask| mask.set().name == name) {
            let is_other = |mask: &Mask| mask.set().name != name;
            Rc::make_mut(&mut self.masks).retain(|_, (mask, _)| is_other(mask));
            for one in Rc::make_mut(&mut self.kept).values_mut() {
                one.mask = one.mask.filter(|(mask, _)| is_other(mask));
            }
        }
    }

    /// Joins another state that is possible here, in all lanes alike. Lanes that are on by different masks get a common
    /// one of this name.
    pub(crate) fn join(&mut self, other: &Self, name: usize, at: usize) {
        // A path that has been here names an older set so. Whatever it says of that set the first path here did not say, so that
        // no test can tell whether this is done; without it that argument would have to hold for each kind of fact.
        let mut other = other.clone();
        other.forget_masks(name);
        self.forget_masks(name);
        while let Some((theirs, ours)) = self.sets.same(&other.sets) {
            other.rename(theirs, ours);
        }
        self.join_levels(&other, name, at);
        self.sets.join(&other.sets);
        let inner = self.levels.len() - 1;
        if self.levels[inner].set.name == name {
            let around = self.levels[inner - 1].set;
            let bits = self.levels[inner].set.bits & around.bits;
            self.levels[inner].set.bits = self.sets.part_of(Set { bits, ..around }, name).bits;
        }
        let join = |_: usize, one: &Value, two: &Value| Scalar::new(one.join(two, at)).value;
        self.scalars.combine(&other.scalars, &Bits::default(), &join);
        let either = |_: usize, one: &Value, two: &Value| {
            Kind::from_value(one).or(Kind::from_value(two)).value()
        };
        self.kinds.combine(&other.kinds, &Bits::default(), &either);
        if self.masks != other.masks {
            Rc::make_mut(&mut self.masks).retain(|at, mask| other.masks.get(at) == Some(mask));
        }
        if self.kept != other.kept {
            let both =
                self.kept.iter().filter_map(|(key, one)| Some((key, one, other.kept.get(key)?)));
            self.kept = Rc::new(both.map(|(key, one, two)| (*key, one.join(two, at))).collect());
        }
        self.mode = self.mode.or(other.mode);
        self.packet = self.packet.filter(|_| self.packet == other.packet);
        self.scc = if self.scc == other.scc { self.scc } else { None };
    }

    fn join_levels(&mut self, other: &Self, name: usize, at: usize) {
        let same = |(a, b): &(&Level, &Level)| a.set == b.set && a.set.name != name;
        let common = self.levels.iter().zip(&other.levels).take_while(same).count();
        for (one, two) in self.levels[..common].iter_mut().zip(&other.levels) {
            one.join(two, at);
        }
        if common == self.levels.len() && common == other.levels.len() {
            return;
        }
        let mut one = self.levels[self.levels.len() - 1].clone();
        let two = &other.levels[other.levels.len() - 1];
        one.join(two, at);
        one.set = Set { name, bits: one.set.bits | two.set.bits };
        self.levels.truncate(common);
        self.levels.push(one);
    }
}

impl Level {
    fn join(&mut self, other: &Self, at: usize) {
        self.file.join(&other.file, at);
        self.kinds.join(&other.kinds, at);
    }
}
