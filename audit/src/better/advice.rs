//! Advice for the accesses of a region, and its sentence.

use super::MOST;
use crate::bound::Bound;
use crate::kernel::Array;
use crate::moved::Move;
use std::fmt;

/// The advice for a kernel.
#[derive(Clone, Debug)]
pub struct Search {
    /// The advice for each region that has conflicts.
    pub regions: Vec<Better>,
    /// The reason why nothing is looked for, where some access has conflicts.
    pub silence: Option<String>,
}

/// The advice for accesses that share bytes.
#[derive(Clone, Debug)]
pub struct Better {
    /// The accesses, by their places among the kernel's.
    pub sites: Vec<usize>,
    /// The first byte and the one after the last; `None` where that is not known.
    pub bytes: Option<[u32; 2]>,
    /// Cycles now, each access executed once by one wave.
    pub now: u64,
    /// Cycles without conflicts.
    pub free: u64,
    /// The advice.
    pub advice: Advice,
    /// What bounds the innermost loops with these accesses now, and what would after a move.
    pub bounds: Vec<[Bound; 2]>,
    /// The mask that would free what conflicts, and the names of the instructions whose vectors it tears.
    pub torn: Option<(Move, Vec<String>)>,
    /// The variable that they are in, if it has a name; bytes are counted from its begin on.
    pub array: Option<Array>,
    /// Bytes of the narrowest access.
    pub element: u32,
    /// Beside a mask the smallest pad that takes no more cycles, and its cycles.
    pub pad: Option<(Move, u64)>,
    /// Accesses whose bytes are not known, and which may touch these.
    pub unless: Option<String>,
}

/// The advice for a region.
#[derive(Clone, Debug)]
pub enum Advice {
    /// A move of bytes.
    Move {
        /// The move.
        to: Move,
        /// Cycles then.
        cycles: u64,
        /// Instructions whose degree changes, or that become two.
        changes: Vec<Change>,
    },
    /// No move that was tried is better.
    Nothing,
    /// The region has more different accesses than are searched for.
    Large,
    /// An access of unknown bytes of the same variable.
    Blurred {
        /// The access: `st.shared.f32 of gemm.cu:41`.
        by: String,
    },
}

/// The effect on instructions of one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The line of the source, `attention.py:13`, or of the text.
    pub place: String,
    /// The instruction.
    pub opcode: String,
    /// The number of instructions.
    pub count: usize,
    /// The worst degree before and after.
    pub degrees: [u32; 2],
    /// The instruction two of which replace each, if they are split.
    pub split: Option<String>,
    /// Whether their line in the source is known; else it is that of the first in the text.
    pub(super) is_placed: bool,
}

impl Change {
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let place = self.place == other.place || !self.is_placed && !other.is_placed;
        place && self.opcode == other.opcode && self.split == other.split
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.count += other.count;
        let [a, b] = [0, 1].map(|i| self.degrees[i].max(other.degrees[i]));
        self.degrees = [a, b];
    }
}

impl Better {
    /// Returns whether another region adjoins this one with the same advice, as a tile of which each read sees a part.
    pub(super) fn is_alike(&self, other: &Self) -> bool {
        let touches = match (self.bytes, other.bytes) {
            (Some([a, b]), Some([x, y])) => a <= y && x <= b,
            _ => false,
        };
        let advice = match (&self.advice, &other.advice) {
            (Advice::Move { to, changes, .. }, Advice::Move { to: other, changes: others, .. }) => {
                let same = |(a, b): (&Change, &Change)| a.is_alike(b) && a.degrees == b.degrees;
                to == other && changes.len() == others.len() && changes.iter().zip(others).all(same)
            }
            (Advice::Nothing, Advice::Nothing) | (Advice::Large, Advice::Large) => true,
            _ => false,
        };
        touches && advice && self.torn == other.torn && self.array == other.array
    }

    pub(super) fn add(&mut self, other: Self) {
        let hull = |([a, b], [x, y]): ([u32; 2], [u32; 2])| [a.min(x), b.max(y)];
        self.bytes = self.bytes.zip(other.bytes).map(hull);
        self.sites.extend(other.sites);
        self.sites.sort_unstable();
        (self.now, self.free) = (self.now + other.now, self.free + other.free);
        self.element = self.element.min(other.element);
        self.pad = None;
        if let (
            Advice::Move { cycles, changes, .. },
            Advice::Move { cycles: more, changes: others, .. },
        ) = (&mut self.advice, &other.advice)
        {
            *cycles += more;
            changes.iter_mut().zip(others).for_each(|(one, other)| one.add(other));
        }
    }
}

impl Better {
    /// The declaration after a pad: `s[32][33] in place of s[32][32]`, in elements of the narrowest access; `None` if it is no pad
    /// of a variable that holds whole rows.
    #[must_use]
    pub fn declared(&self, to: &Move) -> Option<String> {
        let Move::Pad { begin: 0, every, by } = to else { return None };
        let array = self.array.as_ref()?;
        let (bytes, name) = (array.bytes?, array.title());
        if ![bytes % every, every % self.element, by % self.element].iter().all(|rest| *rest == 0) {
            return None;
        }
        let (rows, row, padded) =
            (bytes / every, every / self.element, (every + by) / self.element);
        let of = if self.element == 1 {
            "1 byte".to_string()
        } else {
            format!("{} bytes", self.element)
        };
        Some(format!(
            "`{name}[{rows}][{padded}]` in place of `{name}[{rows}][{row}]`, of {of} each"
        ))
    }
}

impl fmt::Display for Better {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of =
            self.array.as_ref().map_or(String::new(), |array| format!(" of `{}`", array.title()));
        match (self.bytes, &self.array) {
            (Some([begin, end]), _) => {
                write!(f, "bytes {begin} to {}{of}, ", end.saturating_sub(1))?;
            }
            (None, Some(_)) => write!(f, "all accesses{of}, ")?,
            (None, None) => {
                write!(f, "all accesses together, for which tile is whose is not known, ")?;
            }
        }
        match &self.advice {
            Advice::Move { to, cycles, changes } => {
                let now = self.now;
                write!(f, "`{to}`: {now} cycles become {cycles}")?;
                self.declared(to).iter().try_for_each(|one| write!(f, "; {one}"))?;
                changes.iter().try_for_each(|one| write!(f, "; {one}"))?;
                self.bounds
                    .iter()
                    .try_for_each(|[now, then]| write!(f, "; {}", then.after(now)))?;
            }
            Advice::Nothing => f.write_str("no mask and no pad that was tried is better")?,
            Advice::Blurred { by } => {
                write!(f, "no better layout is looked for: {by} may touch any of them")?;
            }
            Advice::Large => {
                write!(
                    f,
                    "more than {MOST} different accesses, for which no layout is looked for"
                )?;
            }
        }
        if let Some((pad, cycles)) = &self.pad {
            write!(f, "; or {pad}: {cycles}")?;
            self.declared(pad).iter().try_for_each(|one| write!(f, ", {one}"))?;
        }
        if let (Some(who), Advice::Move { .. }) = (&self.unless, &self.advice) {
            write!(f, "; if {who} touches none of them: its bytes are not known")?;
        }
        if let Some((to, torn)) = &self.torn {
            write!(f, "; `{to}` would free them, but tears the vectors of {}", torn.join(" and "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    /// `ds_read2_b64 x16 of kernels.py:30 2-way in place of 16-way, as two ds_read_b64 each`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, opcode, count, degrees: [before, after], split, .. } = self;
        write!(f, "{opcode} x{count} of {place} ")?;
        match (before, after) {
            (before, after) if before == after => f.write_str("as before")?,
            (before, 0 | 1) => write!(f, "free in place of {before}-way")?,
            (0 | 1, after) => write!(f, "{after}-way in place of free")?,
            (before, after) => write!(f, "{after}-way in place of {before}-way")?,
        }
        split.iter().try_for_each(|split| write!(f, ", as two {split} each"))
    }
}
