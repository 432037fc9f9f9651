//! An unrolled loop's addresses: immediates, and the registers that they start from.
//!
//! ```text
//!   access   +0        +1        +2        +3
//!   0        r0 new    r0+64     r1 ^32    r1+64      new is computed, ^ is one xor, + is free
//! ```

use super::palette::Ink;
use super::scene::{Figure, Mark};
use super::subject::Subject;
use super::table::{Entry, Table};
use super::wording::{named, number};
use crate::Error;
use tiledesc::access::Route;
use tiledesc::chip::Instruction;
use tiledesc::pattern::Lanes;

/// Accesses of a row.
const ACROSS: usize = 8;

/// A cell of the way in which an access gets its address, where `made` of `registers` address registers are there
/// already.
fn entry(access: usize, route: &Route, made: usize, registers: usize) -> Entry {
    let (register, label, how) = match route {
        Route::Computed => (made, format!("r{made} new"), "computed from the lane".into()),
        Route::Xor { constant } => {
            (made, format!("r{made} ^{constant}"), format!("the first address xor {constant}"))
        }
        Route::Immediate { register, offset } => (
            *register,
            format!("r{register}+{offset}"),
            format!("the instruction adds {offset} bytes"),
        ),
    };
    let title = format!("access {access}: register {register}, {how}");
    Entry::new(access % ACROSS, label, title, Ink::nth(register, registers))
        .hatched(matches!(route, Route::Computed))
        .outlined(matches!(route, Route::Xor { .. }))
}

impl Subject {
    /// Draws how each access of a whole tile gets its address: from a register and a constant of the instruction, by
    /// one xor, or computed anew.
    ///
    /// ```
    /// use tiledesc::{chip::gfx942, pattern::Lanes, prelude::*};
    /// use tiledesc_host::plot::Draw;
    ///
    /// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let figure = Tile::default().figure().addresses(&gfx942::ds_read_b128, Lanes::rows(32))?;
    /// let free = figure.cells().filter(|cell| !cell.is_hatched() && !cell.is_outlined()).count();
    /// // 16 accesses: one address is computed, three are an xor away from it.
    /// assert_eq!((figure.cells().count(), free), (16, 12));
    /// # Ok::<(), tiledesc_host::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Placed::addressing`](tiledesc::access::Placed::addressing).
    pub fn addresses<'l>(
        &self,
        instruction: &Instruction,
        lanes: impl Into<Lanes<'l>>,
    ) -> Result<Figure, Error> {
        let addressing = self.placed(instruction, lanes.into())?.addressing()?;
        let routes = addressing.routes();
        let mut table = Table { title: self.name.clone(), ..Table::new("access") };
        table.heads = (0..routes.len().min(ACROSS)).map(|i| (i, format!("+{i}"))).collect();
        let mut made = 0;
        let cells = routes.iter().enumerate().map(|(i, route)| {
            let entry = entry(i, route, made, addressing.registers());
            made += usize::from(!matches!(route, Route::Immediate { .. }));
            entry
        });
        table.wrapped(ACROSS, cells);
        let summary = format!("{}: {addressing}", self.name);
        let registers = number(addressing.registers() as u64, "register");
        Ok(Figure::new(format!("{}: addresses, {registers}", named(instruction)), summary)
            .block(table.block())
            .note("r0+64: register 0, and 64 bytes in the instruction, which costs nothing.")
            .legend(Mark::Frame, "a register by one xor with the first.")
            .legend(Mark::Hatch, "computed from the lane."))
    }
}
