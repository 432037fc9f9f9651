//! The registers of a wave, and which lanes are on.
//!
//! A value holds for the lanes of a mask. Each mask that is on, from all lanes to those that are on now, has registers of
//! its own; what is written under the innermost is blended into those of the masks around it:
//!
//! ```text
//!   exec = all lanes      v1 = 0
//!   exec = A (unknown)    v1 = 4 lane         read here: 4 lane
//!   exec = all lanes                          read here: 0 or 4 lane, in each lane: unknown
//! ```
//!
//! Beside each value stands what kind it is, a number or half of a pointer, in programs with flat addresses.

use super::mask::{Set, Sets};
use super::pointer::Kind;
use super::text::{File, Register, SCALARS, VCC};
use crate::graph::Bits;
use crate::pages::Pages;
use crate::value::{Reason, Value, Why};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The places in a file: vector registers, accumulation registers after them, and then the dwords of scratch memory.
pub(crate) const ACCUMULATORS: usize = 1024;
pub(crate) const SCRATCH: usize = 1536;
/// The dwords of scratch memory that are followed.
pub(crate) const SLOTS: usize = 4096;
/// The most masks in each other that are followed: compilers nest branches, and none so deep.
const DEPTH: usize = 64;

/// A mask of lanes in a scalar register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// The lanes of a set.
    Set(Set),
    /// All lanes of a set, or none.
    Whole(Set),
}

/// A scalar register.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Scalar {
    pub(crate) value: Value,
    /// The mask, and which half of it the register has.
    pub(crate) mask: Option<(Mask, usize)>,
    pub(crate) kind: Kind,
}

impl Scalar {
    /// A scalar of this value, which is the same in all lanes.
    pub(crate) fn new(value: Value) -> Self {
        let value = if value.is_shared() { value } else { Value::shared(0) };
        Self { value, mask: None, kind: Kind::Other }
    }
}

/// Scalars of any value.
fn any_scalars() -> Pages {
    Pages::all(&Value::shared(0), SCALARS)
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Level {
    set: Set,
    file: Pages,
    /// The kinds of the values in `file`; none if they are not followed.
    kinds: Pages,
}

/// How vector instructions differ from what they say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mode {
    /// Which of their registers are others than they name.
    pub(crate) indexes: Indexes,
    /// Whether they may be skipped.
    pub(crate) may_skip: bool,
}

/// Registers that are counted from the one which an instruction names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Indexes {
    /// None.
    None,
    /// Those that are read.
    Sources,
    /// All, or those of memory instructions, too.
    All,
}

impl Mode {
    /// Instructions do what they say.
    pub(crate) const PLAIN: Self = Self { indexes: Indexes::None, may_skip: false };

    /// Returns whether any register may be written.
    pub(crate) fn is_foreign(self) -> bool {
        self.indexes == Indexes::All
    }

    /// What may differ in one or the other.
    fn or(self, other: Self) -> Self {
        Self { indexes: self.indexes.max(other.indexes), may_skip: self.may_skip | other.may_skip }
    }
}

/// The state at a place of the program, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    wave: usize,
    /// Whether kinds are followed.
    follows: bool,
    /// The masks from all lanes to those that are on, each part of the one before.
    levels: Vec<Level>,
    scalars: Pages,
    /// The kinds of their values; none if they are not followed.
    kinds: Pages,
    /// The masks that they have: a few of them.
    masks: Rc<BTreeMap<usize, (Mask, usize)>>,
    /// The condition code.
    pub(crate) scc: Option<bool>,
    /// How vector instructions differ from what they say.
    pub(crate) mode: Mode,
    /// The first of two scalars that point to the packet of the launch.
    pub(crate) packet: Option<usize>,
    /// Scalars that are kept in lanes of vector registers.
    kept: Rc<BTreeMap<(usize, usize), Scalar>>,
    pub(crate) sets: Sets,
}

/// The place of a register in a file of vector registers.
pub(crate) fn place(register: Register) -> Option<usize> {
    match register.file {
        File::V => Some(register.first),
        File::A => Some(ACCUMULATORS + register.first),
        File::S => None,
    }
}

impl State {
    /// A state with all lanes on, scalars that the kernel is given, and no vector register.
    pub(crate) fn new(wave: usize) -> Self {
        let all = Set::known(u64::MAX >> (64 - wave));
        Self {
            wave,
            follows: false,
            levels: vec![Level { set: all, file: Pages::default(), kinds: Pages::default() }],
            scalars: any_scalars(),
            kinds: Pages::default(),
            masks: Rc::default(),
            scc: None,
            mode: Mode::PLAIN,
            packet: None,
            kept: Rc::default(),
            sets: Sets::default(),
        }
    }

    /// Follows kinds from here on: scalars are numbers, but for the pointer to the arguments if the kernel has one.
    pub(crate) fn follow(&mut self, arguments: Option<usize>) {
        self.follows = true;
        self.kinds = Pages::all(&Kind::Number.value(), SCALARS);
        if let Some(first) = arguments.filter(|first| first + 1 < SCALARS) {
            self.kinds.write(first, Kind::Arguments.value());
            self.kinds.write(first + 1, Kind::UpperArguments.value());
        }
    }

    pub(crate) fn wave(&self) -> usize {
        self.wave
    }

    /// All lanes of the wave.
    pub(crate) fn all(&self) -> Set {
        self.levels[0].set
    }

    /// The lanes that are on.
    pub(crate) fn exec(&self) -> Set {
        self.levels[self.levels.len() - 1].set
    }

    /// Turns lanes on and off.
    pub(crate) fn turn(&mut self, set: Set) {
        let within = |level: &Level| self.sets.is_within(set, level.set);
        let around = self.levels.iter().rposition(within).unwrap_or(0);
        self.levels.truncate(around + 1);
        if self.levels[around].set != set {
            self.levels.push(Level { set, ..self.levels[around].clone() });
        }
    }

    /// Turns lanes on and off; of masks that are nested too deep nothing is known any more.
    pub(crate) fn turn_at(&mut self, set: Set, at: usize) {
        self.turn(set);
        if self.levels.len() > DEPTH {
            self.lose_all(at);
        }
    }

    /// The value of a vector register in the lanes that are on.
    pub(crate) fn read(&self, place: usize) -> Value {
        self.levels[self.levels.len() - 1].read(place)
    }

    /// The register's value in a lane, whether the lane is on or not.
    pub(crate) fn read_any(&self, place: usize) -> Value {
        self.levels[0].read(place)
    }

    /// The kind of a vector register's value in the lanes that are on.
    pub(crate) fn kind(&self, place: usize) -> Kind {
        Kind::from_value(&self.levels[self.levels.len() - 1].kinds.read(place))
    }

    /// The kind of its value in a lane, whether the lane is on or not.
    pub(crate) fn kind_any(&self, place: usize) -> Kind {
        Kind::from_value(&self.levels[0].kinds.read(place))
    }

    /// Writes a vector register in the lanes that are on; where no kind is told, the value says it.
    pub(crate) fn write(&mut self, place: usize, value: Value, kind: Option<Kind>, at: usize) {
        self.forget_kept(place);
        if self.follows {
            let kind = kind.map_or_else(|| Kind::of_value(&value), Kind::value);
            self.blend(|level| &mut level.kinds, place, kind, at);
        }
        self.blend(|level| &mut level.file, place, value, at);
    }

    /// Writes to a file of the innermost mask, and blends that into those of the masks around it.
    fn blend(&mut self, file: fn(&mut Level) -> &mut Pages, place: usize, value: Value, at: usize) {
        let (exec, inner) = (self.exec(), self.levels.len() - 1);
        for level in &mut self.levels[..inner] {
            let is_exact = level.set.name == exec.name;
            let file = file(level);
            let old = file.read(place);
            let blend = match is_exact {
                true => old.within(&value, exec.bits, self.wave, at),
                false => old.either(&value, exec.bits, at),
            };
            file.write(place, blend);
        }
        file(&mut self.levels[inner]).write(place, value);
    }

    /// Forgets the content of a register, in all lanes.
    pub(crate) fn lose(&mut self, place: usize, reason: Reason) {
        self.forget_kept(place);
        let follows = self.follows;
        self.levels.iter_mut().for_each(|level| level.lose(place, reason, follows));
    }

    /// Forgets the content of all registers.
    pub(crate) fn lose_all(&mut self, at: usize) {
        let reason = Reason { at, why: Why::Foreign };
        self.levels.truncate(1);
        self.levels[0].file = Pages::all(&Value::Unknown(reason), SCRATCH + SLOTS);
        (self.scalars, self.masks) = (any_scalars(), Rc::default());
        if self.follows {
            self.levels[0].kinds = Pages::all(&Kind::Other.value(), SCRATCH + SLOTS);
            self.kinds = Pages::all(&Kind::Other.value(), SCALARS);
        }
        self.kept = Rc::default();
        self.packet = None;
        self.sets = Sets::default();
        self.scc = None;
        let some = self.sets.part_of(self.all(), at);
        self.turn(some);
    }

    /// Forgets the content of scratch memory.
    pub(crate) fn lose_scratch(&mut self, at: usize) {
        let reason = Reason { at, why: Why::Loaded };
        let forget = |file: &mut Pages, unknown: &Value| {
            file.truncate(SCRATCH);
            file.fill(&Value::Nothing, SCRATCH);
            file.fill(unknown, SCRATCH + SLOTS);
        };
        for level in &mut self.levels {
            forget(&mut level.file, &Value::Unknown(reason));
            if self.follows {
                forget(&mut level.kinds, &Kind::Other.value());
            }
        }
    }

    pub(crate) fn scalar(&self, index: usize) -> Scalar {
        let (value, mask) = (self.scalars.read(index), self.masks.get(&index).copied());
        Scalar { value, mask, kind: Kind::from_value(&self.kinds.read(index)) }
    }

    pub(crate) fn set_scalar(&mut self, index: usize, scalar: Scalar) {
        self.scalars.write(index, scalar.value);
        self.set_kind(index, scalar.kind);
        if self.masks.get(&index).copied() != scalar.mask {
            let masks = Rc::make_mut(&mut self.masks);
            match scalar.mask {
                Some(mask) => drop(masks.insert(index, mask)),
                None => drop(masks.remove(&index)),
            }
        }
        self.packet = self.packet.filter(|first| !(*first..first + 2).contains(&index));
    }

    /// Says what kind the value of a scalar is.
    pub(crate) fn set_kind(&mut self, index: usize, kind: Kind) {
        if self.follows {
            self.kinds.write(index, kind.value());
        }
    }

    /// Keeps a scalar in a lane of a vector register, whose other content is not known then.
    pub(crate) fn keep(&mut self, place: usize, lane: usize, scalar: Scalar, at: usize) {
        let reason = Reason { at, why: Why::Computed };
        let follows = self.follows;
        self.levels.iter_mut().for_each(|level| level.lose(place, reason, follows));
        Rc::make_mut(&mut self.kept).insert((place, lane), scalar);
    }

    pub(crate) fn kept(&self, place: usize, lane: usize) -> Option<&Scalar> {
        self.kept.get(&(place, lane))
    }

    fn forget_kept(&mut self, place: usize) {
        let is_kept = || self.kept.range((place, 0)..=(place, usize::MAX)).next().is_some();
        if !self.kept.is_empty() && is_kept() {
            Rc::make_mut(&mut self.kept).retain(|(other, _), _| *other != place);
        }
    }

    /// The mask in scalar registers from `first`, if they are the halves of one.
    pub(crate) fn mask(&self, first: usize) -> Option<Mask> {
        let halves = self.wave / 32;
        let last = first + halves - 1;
        self.scalars.get(last)?;
        if let Some((mask, 0)) = self.masks.get(&first)
            && (halves == 1 || self.masks.get(&last) == Some(&(*mask, 1)))
        {
            return Some(*mask);
        }
        let half = |i: usize| match i < halves {
            true => self.scalars.get(first + i)?.number(),
            false => Some(0),
        };
        let bits = u64::from(half(0)?) | u64::from(half(1)?) << 32;
        Some(Mask::Set(Set::known(bits)))
    }

    /// VCC, if its lanes are known.
    pub(crate) fn vcc(&self) -> Option<u64> {
        self.mask(VCC)?.exact()?.lanes()
    }

    /// Writes a mask, or that nothing is known of it, to scalar registers from `first`.
    pub(crate) fn set_mask(&mut self, first: usize, mask: Option<Mask>) {
        for half in 0..self.wave / 32 {
            let value = match mask.and_then(Mask::exact).and_then(Set::lanes) {
                Some(bits) => Value::constant((bits >> (32 * half)) as u32),
                None => Value::shared(0),
            };
            if first + half < self.scalars.len() {
                let mask = mask.map(|mask| (mask, half));
                self.set_scalar(first + half, Scalar { mask, ..Scalar::new(value) });
            }
        }
    }

    /// Names the lanes in scalar registers from `first`, whose numbers stay what they are.
    pub(crate) fn name_mask(&mut self, first: usize, name: usize) -> Set {
        let set = self.sets.part_of(self.all(), name);
        for half in 0..self.wave / 32 {
            if first + half < self.scalars.len() {
                Rc::make_mut(&mut self.masks).insert(first + half, (Mask::Set(set), half));
            }
        }
        set
    }

    /// Returns whether a level, a mask or a fact uses the set of a name.
    pub(crate) fn names(&self, name: usize) -> bool {
        self.levels.iter().any(|level| level.set.name == name)
            || self.all_masks().any(|mask| mask.set().name == name)
            || self.sets.names(name)
    }

    /// The masks of all scalars, those that are kept in lanes, too.
    fn all_masks(&self) -> impl Iterator<Item = Mask> {
        let kept = self.kept.values().filter_map(|one| one.mask.as_ref());
        self.masks.values().chain(kept).map(|(mask, _)| *mask)
    }

    /// Masks that are on, one in the other.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Values that it holds.
    pub(crate) fn places(&self) -> usize {
        let of = |level: &Level| level.file.len() + level.kinds.len();
        self.scalars.len() + self.levels.iter().map(of).sum::<usize>()
    }

    /// Forgets sets of lanes that no register and no mask names any more.
    pub(crate) fn prune(&mut self) {
        if !self.sets.is_empty() {
            let names = self.all_masks().map(|mask| mask.set().name);
            let names = names.chain(self.levels.iter().map(|level| level.set.name)).collect();
            self.sets.prune(names);
        }
    }

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

impl Mask {
    /// The set, if the mask is not of all of its lanes or none.
    pub(crate) fn exact(self) -> Option<Set> {
        match self {
            Self::Set(set) => Some(set),
            Self::Whole(_) => None,
        }
    }

    pub(crate) fn set(&self) -> Set {
        match self {
            Self::Set(set) | Self::Whole(set) => *set,
        }
    }

    const fn set_mut(&mut self) -> &mut Set {
        match self {
            Self::Set(set) | Self::Whole(set) => set,
        }
    }
}

impl Scalar {
    fn join(&self, other: &Self, at: usize) -> Self {
        if self == other {
            return self.clone();
        }
        let mask = self.mask.filter(|_| self.mask == other.mask);
        let kind = self.kind.or(other.kind);
        Self { mask, kind, ..Self::new(self.value.join(&other.value, at)) }
    }
}

impl Level {
    fn read(&self, place: usize) -> Value {
        self.file.read(place)
    }

    fn lose(&mut self, place: usize, reason: Reason, follows: bool) {
        self.file.write(place, Value::Unknown(reason));
        if follows {
            self.kinds.write(place, Kind::Other.value());
        }
    }

    fn join(&mut self, other: &Self, at: usize) {
        self.file.join(&other.file, at);
        self.kinds.join(&other.kinds, at);
    }
}
