//! Sets of lanes, some of them known, others only as part of a set.
//!
//! Which lanes are on may depend on data. Then it matters which sets contain which: a value that was written under a
//! mask holds in the lanes of the mask, and what `s_or_b64 exec, exec, s[0:1]` turns on again is the mask that
//! `s_and_saveexec_b64 s[0:1], vcc` has saved, known or not.
//!
//! ```text
//!   s_and_saveexec_b64 s[0:1], vcc      s[0:1] = all lanes      exec = A, part of all lanes
//!   s_xor_b64 s[0:1], exec, s[0:1]      s[0:1] = B = all \ A
//!   s_or_saveexec_b64 s[0:1], s[0:1]    s[0:1] = A              exec = A or B = all lanes
//!   s_xor_b64 exec, exec, s[0:1]        exec = all \ A
//! ```
//!
//! A set is `named & bits`: a set with a name, which is the instruction that made it, without the lanes whose bits are
//! known to be clear. All lanes of the wave have the name [`ALL`], so that a known set is `ALL & bits`.

use std::collections::BTreeMap;
use std::rc::Rc;

/// The name of the set of all lanes.
pub(crate) const ALL: usize = usize::MAX;

/// `named & bits`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Set {
    pub(crate) name: usize,
    pub(crate) bits: u64,
}

/// A fact about the set of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Fact {
    /// The set that it is part of.
    within: Set,
    /// The lanes that it lacks, if it is all of that set but for these.
    without: Option<Set>,
}

/// The facts about sets that have names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sets {
    facts: Rc<BTreeMap<usize, Fact>>,
}

impl Set {
    pub(crate) const fn known(bits: u64) -> Self {
        Self { name: ALL, bits }
    }

    /// The lanes, if they are known.
    pub(crate) fn lanes(self) -> Option<u64> {
        (self.name == ALL || self.bits == 0).then_some(self.bits)
    }

    fn and(self, bits: u64) -> Self {
        Self { bits: self.bits & bits, ..self }
    }

    pub(crate) const fn rename(&mut self, from: usize, to: usize) {
        if self.name == from {
            self.name = to;
        }
    }
}

impl Sets {
    /// A set that is made anew and part of another. No older set has the name any more.
    pub(crate) fn part_of(&mut self, within: Set, name: usize) -> Set {
        self.insert(name, Fact { within, without: None });
        Set { name, bits: within.bits }
    }

    fn insert(&mut self, name: usize, fact: Fact) {
        Rc::make_mut(&mut self.facts).insert(name, fact);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// Forgets all facts about the set of a name.
    pub(crate) fn forget(&mut self, name: usize) {
        if !self.names(name) {
            return;
        }
        let facts = Rc::make_mut(&mut self.facts);
        facts.retain(|one, fact| *one != name && fact.within.name != name);
        for fact in facts.values_mut() {
            fact.without = fact.without.filter(|set| set.name != name);
        }
    }

    /// Returns whether there is a fact about the set of a name, or one that uses it.
    pub(crate) fn names(&self, name: usize) -> bool {
        let says = |fact: &Fact| {
            fact.within.name == name || fact.without.is_some_and(|set| set.name == name)
        };
        self.facts.contains_key(&name) || self.facts.values().any(says)
    }

    /// Forgets facts about sets that nothing names: those of `names` remain, and those that their facts use.
    pub(crate) fn prune(&mut self, mut names: Vec<usize>) {
        names.sort_unstable();
        names.dedup();
        let mut kept = Vec::new();
        while let Some(name) = names.pop() {
            if let Some(fact) = self.facts.get(&name)
                && !kept.contains(&name)
            {
                kept.push(name);
                names.push(fact.within.name);
                names.extend(fact.without.map(|set| set.name));
            }
        }
        if kept.len() < self.facts.len() {
            Rc::make_mut(&mut self.facts).retain(|name, _| kept.contains(name));
        }
    }

    /// A set of another path that is one of this path by another name, and that name: both are what remains of one set without
    /// the same lanes. Code that compilers write twice makes such sets, a copy of it on each path.
    pub(crate) fn same(&self, other: &Self) -> Option<(usize, usize)> {
        let is_exact = |fact: &Fact| fact.without.is_some();
        let theirs = other
            .facts
            .iter()
            .filter(|(name, fact)| is_exact(fact) && !self.facts.contains_key(*name));
        theirs.into_iter().find_map(|(theirs, fact)| {
            let is_ours = |name: &usize| self.facts.get(name) == Some(fact) && !other.names(*name);
            self.facts.keys().copied().find(is_ours).map(|ours| (*theirs, ours))
        })
    }

    /// Gives a set another name.
    pub(crate) fn rename(&mut self, from: usize, to: usize) {
        let facts = Rc::make_mut(&mut self.facts);
        if let Some(fact) = facts.remove(&from) {
            facts.insert(to, fact);
        }
        for fact in facts.values_mut() {
            fact.within.rename(from, to);
            fact.without.iter_mut().for_each(|set| set.rename(from, to));
        }
    }

    /// Keeps the facts that both have.
    pub(crate) fn join(&mut self, other: &Self) {
        if self.facts != other.facts {
            Rc::make_mut(&mut self.facts).retain(|name, fact| other.facts.get(name) == Some(fact));
        }
    }

    /// Returns whether a set is known to be part of another.
    pub(crate) fn is_within(&self, mut set: Set, other: Set) -> bool {
        // Names are made of older names, but for what two paths agree on: no chain is longer than there are facts.
        for _ in 0..=self.facts.len() {
            if set.bits == 0
                || (set.name == other.name || other.name == ALL) && set.bits & !other.bits == 0
            {
                return true;
            }
            match self.facts.get(&set.name) {
                Some(fact) => set = fact.within.and(set.bits),
                None => return false,
            }
        }
        false
    }

    /// Returns whether a set is known to have no lane of another: it is what remains of a third without lanes that the
    /// other is part of.
    fn are_apart(&self, a: Set, b: Set) -> bool {
        let rest = self.facts.get(&a.name).and_then(|fact| fact.without);
        rest.is_some_and(|rest| self.is_within(b, rest))
    }

    /// The set without the lanes of another: exactly, or as a new one of the name.
    pub(crate) fn minus(&mut self, a: Set, b: Set, name: usize) -> Set {
        // Of lanes that are in the named set of b, its bits alone decide.
        let named = Set { name: b.name, bits: u64::MAX };
        if self.is_within(a, named) {
            return a.and(!b.bits);
        }
        if self.are_apart(a, b) {
            return a;
        }
        let found = self.part_of(a, name);
        let without = self.is_within(b, a).then_some(b);
        self.insert(name, Fact { within: a, without });
        found
    }

    /// The lanes of both.
    pub(crate) fn and(&mut self, a: Set, b: Set, name: usize) -> Set {
        let named = |set: Set| Set { bits: u64::MAX, ..set };
        if self.is_within(a, named(b)) {
            a.and(b.bits)
        } else if self.is_within(b, named(a)) {
            b.and(a.bits)
        } else {
            self.part_of(a.and(b.bits), name)
        }
    }

    /// The lanes of either.
    pub(crate) fn or(&mut self, a: Set, b: Set, name: usize) -> Set {
        if self.is_within(a, b) {
            return b;
        }
        if self.is_within(b, a) {
            return a;
        }
        if a.name == b.name {
            return Set { name: a.name, bits: a.bits | b.bits };
        }
        for (one, other) in [(a, b), (b, a)] {
            if let Some(Fact { within, without: Some(rest) }) = self.facts.get(&one.name)
                && *rest == other
                && one.bits == within.bits
            {
                return *within;
            }
        }
        self.part_of(Set::known(a.bits | b.bits), name)
    }

    /// The lanes of one of the two.
    pub(crate) fn xor(&mut self, a: Set, b: Set, name: usize) -> Set {
        if a.name == b.name {
            Set { name: a.name, bits: a.bits ^ b.bits }
        } else if self.is_within(b, a) {
            self.minus(a, b, name)
        } else if self.is_within(a, b) {
            self.minus(b, a, name)
        } else {
            self.part_of(Set::known(a.bits | b.bits), name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The picture of the module.
    #[test]
    fn a_branch_with_an_else() {
        let (mut sets, all) = (Sets::default(), Set::known(u64::MAX));
        let then = sets.part_of(all, 1);
        let rest = sets.xor(then, all, 2);
        assert_eq!(sets.or(then, rest, 3), all);
        let other = sets.xor(all, then, 4);
        assert_eq!((other.name, sets.or(other, then, 5)), (4, all));
        // Known lanes of an unknown set.
        let few = sets.and(then, Set::known(0xff), 6);
        assert_eq!(few, Set { name: 1, bits: 0xff });
        assert!(sets.is_within(few, then) && !sets.is_within(then, few));
        assert_eq!(sets.minus(then, few, 7), Set { name: 1, bits: !0xff });
        // What the rest lacks, or part of it, is not in it.
        assert_eq!(sets.minus(rest, then, 10), rest);
        assert_eq!(sets.minus(rest, few, 10), rest);
        assert_eq!(sets.minus(rest, all, 10).bits, 0);
        assert_ne!(sets.minus(then, rest, 11).name, rest.name);
        // A part of the rest and the others are not all.
        let some = sets.minus(all, then, 8);
        let some = sets.and(some, Set::known(0xff), 9);
        assert_ne!(sets.or(some, then, 10), all);
    }

    /// Paths that meet keep only the facts that both have.
    #[test]
    fn paths_that_meet_know_what_both_know() {
        let (all, few) = (Set::known(u64::MAX), Set::known(0xff));
        let (mut one, mut two) = (Sets::default(), Sets::default());
        let [same, other] = [1, 2].map(|name| one.part_of(few, name));
        two.part_of(few, 1);
        two.part_of(all, 2);
        assert!(one.is_within(same, few) && one.is_within(other, few));
        one.join(&two);
        let named = |name| Set { name, bits: u64::MAX };
        assert!(one.is_within(named(1), few) && !one.is_within(named(2), few));
    }

    /// What remains of one set without the same lanes is one set, whatever either path calls it.
    #[test]
    fn sets_of_two_names() {
        let all = Set::known(u64::MAX);
        let rest = |then: usize, name: usize| {
            let mut sets = Sets::default();
            let then = sets.part_of(all, then);
            sets.minus(all, then, name);
            sets
        };
        let (one, mut two) = (rest(1, 2), rest(1, 3));
        assert_eq!(
            (one.same(&two), one.same(&one), one.same(&rest(4, 3))),
            (Some((3, 2)), None, None)
        );
        two.rename(3, 2);
        assert_eq!(one, two);
        // A name that means another set there stays what it is.
        let mut other = rest(1, 3);
        other.part_of(all, 2);
        assert_eq!(one.same(&other), None);
    }
}
