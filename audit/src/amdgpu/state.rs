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

mod join;

use super::mask::{Set, Sets};
use super::mode::Mode;
use super::pointer::Kind;
use super::scalar::{Mask, Scalar};
use super::text::{File, Register, SCALARS, VCC};
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
}
