//! A verdict by its definition: every element of every lane of every instruction is asked of the plan, and what each
//! instruction touches is counted by [`Row::count`]. Nothing of the library's `pattern`, `access` and `bank` is used.
//!
//! ```text
//!   RowPad<F16, M<64>, K<40>, Padding<24>>, gfx942, ds_read_b32 by RowMajor
//!   lane 0    (0, 0)    byte 0     dwords 0     bank 0
//!   lane 20   (1, 0)    byte 128   dwords 32    bank 0     the same phase: 2-way
//! ```

use crate::count::{Row, Service};
use tiledesc::Plan;

/// The first coordinate of each lane, instruction by instruction; `None` of an idle lane.
pub type Sent = Vec<Vec<Option<Vec<u32>>>>;

/// What all instructions do together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    pub degree: u32,
    pub base_cycles: u64,
    pub conflict_cycles: u64,
    pub race: bool,
    /// Degree and all cycles by the other of two sources.
    pub rival: Option<(u32, u64)>,
}

impl Judged {
    /// Returns whether no source finds a conflict, and no two lanes write one byte.
    pub fn is_free(&self) -> bool {
        self.is_free_by_its_row() && self.rival.is_none_or(|(degree, _)| degree <= 1)
    }

    /// The same by the row's own source, which decides at every door but a statement's.
    pub fn is_free_by_its_row(&self) -> bool {
        self.degree <= 1 && !self.race
    }
}

/// A layout, and the offset of each coordinate, row by row; `None` of one without a place.
#[derive(Debug)]
pub struct Layout {
    pub plan: Plan,
    offsets: Vec<Option<u32>>,
}

impl Layout {
    pub fn new(plan: Plan) -> Self {
        let at = |number| plan.offset(plan.nth(number).as_slice()).ok();
        let offsets = (0..plan.elements()).map(at).collect();
        Self { plan, offsets }
    }

    /// Bytes from 0 to the end of the layout.
    fn space(&self, bits: u32) -> u64 {
        let elements = self.plan.element_space() + u64::from(self.plan.origin());
        (elements * u64::from(bits)).div_ceil(8)
    }

    fn offset(&self, at: &[u32]) -> Option<u64> {
        let mut number = 0;
        for (index, length) in at.iter().zip(self.plan.lengths().as_slice()) {
            if index >= length {
                return None;
            }
            number = number * length + index;
        }
        self.offsets[number as usize].map(u64::from)
    }

    /// The byte at which a lane begins; `None` if the instruction cannot do what the lane wants.
    fn byte(&self, bits: u32, row: &Row, along: usize, first: &[u32]) -> Option<u32> {
        let mut at = first.to_vec();
        let begin = self.offset(&at)?;
        let is_together = (1..row.bytes * 8 / bits).all(|i| {
            at[along] = first[along] + i;
            self.offset(&at) == Some(begin + u64::from(i))
        });
        let bit = begin * u64::from(bits);
        let reach = row.parts.iter().max()? + row.bytes;
        let is_whole = bit.is_multiple_of(8) && bit / 8 + u64::from(reach) <= self.space(bits);
        let byte = u32::try_from(bit / 8).ok()?;
        (is_together && is_whole && byte.is_multiple_of(row.alignment)).then_some(byte)
    }

    /// Where each lane of each instruction begins; `None` if one of them cannot be.
    pub fn bytes(
        &self,
        bits: u32,
        row: &Row,
        along: usize,
        sent: &Sent,
    ) -> Option<Vec<Vec<Option<u32>>>> {
        let fits = row.memory.is_none_or(|memory| self.space(bits) <= u64::from(memory));
        if !fits || !(row.bytes * 8).is_multiple_of(bits) {
            return None;
        }
        let mut all = Vec::new();
        for lanes in sent {
            let mut addresses = vec![None; 64];
            for (lane, first) in lanes.iter().enumerate().take(row.addressed()) {
                match first {
                    Some(first) => addresses[lane] = Some(self.byte(bits, row, along, first)?),
                    None if row.needs_whole_wave => return None,
                    None => {}
                }
            }
            all.push(addresses);
        }
        Some(all)
    }

    /// What an access does to the banks; `None` if one of its instructions cannot be.
    pub fn judge(&self, bits: u32, row: &Row, along: usize, sent: &Sent) -> Option<Judged> {
        Judged::of(row, &self.bytes(bits, row, along, sent)?)
    }
}

impl Judged {
    /// What instructions do whose lanes begin at these bytes; `None` where no lane is active in any.
    pub fn of(row: &Row, bytes: &[Vec<Option<u32>>]) -> Option<Self> {
        let mut all = Self {
            degree: 0,
            base_cycles: 0,
            conflict_cycles: 0,
            race: false,
            rival: row.rival.as_ref().map(|_| (0, 0)),
        };
        // An instruction without lanes is not issued.
        let issued = bytes.iter().filter(|lanes| lanes.iter().any(Option::is_some));
        issued.clone().for_each(|addresses| all.add(row, addresses));
        issued.count().gt(&0).then_some(all)
    }

    fn add(&mut self, row: &Row, addresses: &[Option<u32>]) {
        let one = row.count(row.served(addresses), addresses);
        self.degree = self.degree.max(one.degree);
        self.base_cycles += u64::from(one.base_cycles);
        self.conflict_cycles += u64::from(one.conflict_cycles);
        self.race |= one.race;
        let by = |rival: &Service| row.count(rival, addresses);
        if let (Some((degree, cycles)), Some(one)) = (&mut self.rival, row.rival.as_ref().map(by)) {
            *degree = one.degree.max(*degree);
            *cycles += u64::from(one.base_cycles + one.conflict_cycles);
        }
    }
}
