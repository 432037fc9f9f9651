//! A wave as it is run: 24 vector registers, 64 scalars, masks, 8 dwords of scratch memory, and 12 words of arguments.

use super::super::touched::Touch;
use std::collections::BTreeMap;
use support::fuzz::Dice;

/// Registers of numbers of 32 bits.
pub(super) const SMALL: [u32; 3] = [20, 21, 22];

/// The upper halves of all addresses in LDS and in scratch memory.
pub(super) const LDS: u32 = 0x0001_8000;
pub(super) const SCRATCH: u32 = 0x0002_4000;

pub(super) struct Wave {
    pub(super) lanes: usize,
    pub(super) v: [[u32; 64]; 24],
    pub(super) s: [u32; 64],
    pub(super) masks: BTreeMap<u32, u64>,
    pub(super) exec: u64,
    pub(super) scc: bool,
    pub(super) scratch: [[u32; 64]; 8],
    pub(super) kept: [u32; 4],
    pub(super) words: [u32; 12],
    pub(super) dice: Dice,
    pub(super) touches: Vec<(usize, Touch)>,
}

impl Wave {
    /// A pointer to any memory, as a number.
    pub(super) fn pointer(&mut self, kind: u32) -> u64 {
        let upper = match kind {
            0 => LDS,
            1 => SCRATCH,
            _ => 0x7f00 + self.dice.below(64),
        };
        u64::from(upper) << 32 | u64::from((1 << 28) + (self.dice.below(1 << 28) << 2))
    }

    pub(super) fn any(&mut self) -> u64 {
        let kinds = [0, 1, 2, 3].map(|_| self.dice.below(3));
        let [a, b] = [self.pointer(kinds[0]), self.pointer(kinds[1])];
        if kinds[2] == 0 { a.wrapping_sub(b) } else { a }
    }

    pub(super) fn is_on(&self, lane: usize) -> bool {
        self.exec >> lane & 1 == 1
    }

    pub(super) fn put(&mut self, to: u32, lane: usize, number: u32) {
        if self.is_on(lane) {
            self.v[to as usize][lane] = number;
        }
    }

    pub(super) fn wide(&self, from: From, lane: usize) -> u64 {
        let of = |i| u64::from(from.half(i).of(self, lane));
        of(0) | of(1) << 32
    }

    pub(super) fn put_wide(&mut self, to: u32, lane: usize, number: u64) {
        self.put(to, lane, number as u32);
        self.put(to + 1, lane, (number >> 32) as u32);
    }
}

/// One register, or the first of two.
#[derive(Clone, Copy)]
pub(super) enum From {
    V(u32),
    S(u32),
}

impl From {
    pub(super) fn half(self, i: u32) -> Self {
        match self {
            Self::V(n) => Self::V(n + i),
            Self::S(n) => Self::S(n + i),
        }
    }

    pub(super) fn of(self, wave: &Wave, lane: usize) -> u32 {
        match self {
            Self::V(n) => wave.v[n as usize][lane],
            Self::S(n) => wave.s[n as usize],
        }
    }

    pub(super) fn text(self) -> String {
        match self {
            Self::V(n) => format!("v{n}"),
            Self::S(n) => format!("s{}", 30 + n),
        }
    }

    pub(super) fn pair(self) -> String {
        match self {
            Self::V(n) => format!("v[{n}:{}]", n + 1),
            Self::S(n) => format!("s[{}:{}]", 30 + n, 31 + n),
        }
    }
}
