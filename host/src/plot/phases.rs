//! Banks by phase: the lanes that wait for each other in one instruction.
//!
//! ```text
//!   bank         0   4   8   12  16  20  24  28     with the xor
//!   phase 0      0   20                             0   1   2   3   21  20  23  22
//!     waits      1   21
//!     waits      2   22
//!     waits      3   23
//! ```
//!
//! A phase has as many rows as its fullest bank has distinct dwords, at least one: so the rows of the figure are the
//! cycles of the verdict. No source documents the order in which a bank serves its dwords; they are drawn in the order
//! of the phase's lanes.

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table};
use super::wording::{counted, named, number, ranges};
use crate::Error;
use tiledesc::access::Addresses;
use tiledesc::bank::Verdict;
use tiledesc::chip::{Instruction, Service};
use tiledesc::pattern::Lanes;

/// A dword and the lanes of a phase that touch it.
struct Dword {
    number: u32,
    lanes: Vec<usize>,
}

/// The distinct dwords of each bank in a phase.
fn banks(
    touched: &Addresses,
    instruction: &Instruction,
    service: &Service,
    phase: usize,
) -> Vec<Vec<Dword>> {
    let mut banks: Vec<Vec<Dword>> = (0..service.banks).map(|_| Vec::new()).collect();
    for lane in service.phases.lanes(phase).iter().map(|lane| *lane as usize) {
        let Some(address) = touched.get(lane) else { continue };
        for part in 0..instruction.parts() {
            let first = address + instruction.part(part);
            for number in first / 4..=(first + instruction.bytes() - 1) / 4 {
                let bank = &mut banks[(number % service.banks) as usize];
                match bank.iter_mut().find(|dword| dword.number == number) {
                    Some(dword) if dword.lanes.last() == Some(&lane) => {}
                    Some(dword) => dword.lanes.push(lane),
                    None => bank.push(Dword { number, lanes: vec![lane] }),
                }
            }
        }
    }
    banks
}

/// The cells of one row of a phase: neighbouring banks with neighbouring dwords of the same lanes
/// are one.
fn row(banks: &[Vec<Dword>], phase: usize, level: usize, lanes: &[u8]) -> Vec<Entry> {
    let (mut cells, mut bank) = (Vec::new(), 0);
    while bank < banks.len() {
        let Some(first) = banks[bank].get(level) else {
            let idle = banks[bank..].iter().take_while(|bank| bank.len() <= level).count();
            let title = format!("phase {phase}, {}: idle", counted("bank", bank, idle));
            cells.push(Entry::new(bank, String::new(), title, Ink::Blank).over(idle));
            bank += idle;
            continue;
        };
        let joins = |next: usize| {
            banks.get(next).and_then(|bank| bank.get(level)).is_some_and(|dword| {
                dword.lanes == first.lanes && dword.number == first.number + (next - bank) as u32
            })
        };
        let mut span = 1;
        while span < 4 && joins(bank + span) {
            span += 1;
        }
        cells.push(cell(first, phase, bank, span, lanes).hatched(level > 0));
        bank += span;
    }
    cells
}

fn cell(dword: &Dword, phase: usize, bank: usize, span: usize, lanes: &[u8]) -> Entry {
    let mut sorted = dword.lanes.clone();
    sorted.sort_unstable();
    let place = lanes.iter().position(|lane| *lane as usize == dword.lanes[0]).unwrap_or(0);
    let label = match sorted.len() {
        1 => format!("{}", sorted[0]),
        more => format!("{}+{}", dword.lanes[0], more - 1),
    };
    let who = if sorted.len() == 1 { "lane" } else { "lanes" };
    let banks = counted("bank", bank, span);
    let (who_they_are, byte) = (ranges(&sorted, " "), dword.number * 4);
    let title = format!("phase {phase}, {banks}: {who} {who_they_are}, byte {byte}");
    Entry::new(bank, label, title, Ink::nth(place, lanes.len())).over(span)
}

/// `4-way, 32 cycles`; a race with its degree, and another source's count as a note.
pub(super) fn in_short(verdict: &Verdict<'_>) -> String {
    let cycles = number(verdict.active_cycles(), "cycle");
    let found: String = match (verdict.conflicts().race.is_some(), verdict.degree()) {
        (true, 0 | 1) => "data race".into(),
        (true, degree) => format!("data race, {degree}-way"),
        (false, 0 | 1) => "free of conflicts".into(),
        (false, degree) => format!("{degree}-way"),
    };
    match verdict.worst_degree() {
        degree if degree > verdict.degree().max(1) => {
            format!("{found} ({degree}-way by another source), {cycles}")
        }
        _ => format!("{found}, {cycles}"),
    }
}

impl Subject {
    /// Banks by phase of one instruction: of the first with the highest degree.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, prelude::*};
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! {
    ///     type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
    ///     type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    /// }
    /// let (read, lanes) = (&gfx942::ds_read_b128, MfmaRows::<16>);
    /// let plain = Plain::default().figure().named("Plain").phases(read, lanes)?;
    /// // 4-way: of each 4 cells 3 wait.
    /// assert_eq!(plain.cells().filter(|cell| cell.is_hatched()).count(), 48);
    /// let free = ABlock::default().figure().named("ABlock").phases(read, lanes)?;
    /// assert_eq!(free.cells().filter(|cell| cell.is_hatched()).count(), 0);
    /// println!("{}", plain.beside(free));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Placed::verdict`](tiledesc::access::Placed::verdict).
    pub fn phases<'l>(
        &self,
        instruction: &Instruction,
        lanes: impl Into<Lanes<'l>>,
    ) -> Result<Figure, Error> {
        let placed = self.placed(instruction, lanes.into())?;
        let verdict = placed.verdict()?;
        let touched = placed.touched(verdict.shown())?;
        let service = instruction.served(verdict.conflicts().merged);
        let title = format!("{}: {}", self.name, in_short(&verdict));
        let mut table = Table { title, ..Table::new("phase") }.numbered(service.banks as usize, 4);
        for phase in 0..service.phases.count() {
            let banks = banks(touched.addresses(), instruction, service, phase);
            let depth = banks.iter().map(Vec::len).max().unwrap_or(0).max(1);
            for level in 0..depth {
                let head = if level == 0 { format!("{phase}") } else { String::new() };
                let cells = row(&banks, phase, level, service.phases.lanes(phase));
                table.row(head, cells);
            }
        }
        let summary = format!("{}: {verdict}", self.name);
        let figure = Figure::new(format!("{}: banks by phase", named(instruction)), summary)
            .block(table.block())
            .note("A row is a cycle, a cell a dword or several, and the lane that gets it.")
            .legend(Mark::Hatch, "it waits.");
        if verdict.instructions() == 1 {
            return Ok(figure);
        }
        let (shown, all) = (verdict.shown(), verdict.instructions());
        Ok(figure.note(format!("{}: instruction {shown} of {all} is shown.", self.name)))
    }
}
