//! The cycles of one instruction, one after the other.
//!
//! ```text
//!   cycle    0   4   8   12
//!   Plain    0 ///// 1 ///// 2 ..       phase 0, and 3 cycles in which it is served again
//!   ABlock   0 1 2 3 4 5 6 7
//! ```

use super::palette::Ink;
use super::phases::in_short;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table};
use super::wording::{counted, named};
use crate::Error;
use tiledesc::chip::Instruction;
use tiledesc::pattern::Lanes;

/// The cycles of one instruction in each layout: a phase is one cycle, and one more for each further
/// dword of its fullest bank.
///
/// ```
/// use tiledesc::{chip::gfx942, prelude::*};
/// use tiledesc_host::plot::{self, Draw};
///
/// layout! {
///     type Plain = recipe::RowMajor<F16, M<128>, K<64>>;
///     type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
/// }
/// let layouts = [Plain::default().figure().named("Plain"), ABlock::default().figure().named("ABlock")];
/// let figure = plot::timeline(&layouts, &gfx942::ds_read_b128, MfmaRows::<16>)?;
/// let waits: Vec<_> = figure.cells().filter(|cell| cell.is_hatched()).collect();
/// assert_eq!((waits.len(), waits[0].title()), (8, "Plain, cycles 1-3: phase 0 again"));
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// As [`Placed::verdict`](tiledesc::access::Placed::verdict).
pub fn timeline<'l>(
    layouts: &[Subject],
    instruction: &Instruction,
    lanes: impl Into<Lanes<'l>>,
) -> Result<Figure, Error> {
    let (lanes, mut most) = (lanes.into(), 0);
    let mut table = Table::new("cycle");
    let mut sentences = Vec::new();
    for layout in layouts {
        let placed = layout.placed(instruction, lanes)?;
        let verdict = placed.verdict()?;
        let phases = instruction.served(verdict.conflicts().merged).phases.count();
        let (mut cells, mut cycle) = (Vec::new(), 0);
        for phase in 0..phases {
            let degree = placed.phase(verdict.shown(), phase)?.degree.max(1) as usize;
            let title = format!("{}, cycle {cycle}: phase {phase}", layout.name);
            cells.push(Entry::new(cycle, format!("{phase}"), title, Ink::nth(phase, phases)));
            if degree > 1 {
                let waits = counted("cycle", cycle + 1, degree - 1);
                let title = format!("{}, {waits}: phase {phase} again", layout.name);
                let wait =
                    Entry::new(cycle + 1, String::new(), title, Ink::of_degree(degree as u32));
                cells.push(wait.over(degree - 1).hatched(true));
            }
            cycle += degree;
        }
        most = most.max(cycle);
        sentences.push(format!("{}: {}.", layout.name, in_short(&verdict)));
        table.row(&layout.name, cells);
    }
    let table = table.numbered(most, 4);
    Ok(Figure::new(format!("{}: cycles", named(instruction)), sentences.join(" "))
        .block(table.block())
        .note("A number is a phase in its first cycle.")
        .legend(Mark::Hatch, "it is served again, for lanes that met."))
}
