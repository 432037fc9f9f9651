//! The direct load that fills a tile: `fill = { op = "global_load_lds_b128", waves = 4 }`.
//!
//! A layout that it cannot fill is invalid, and what is free instead can be filled.

use crate::request::fault::Fault;
use crate::request::value::{Table, Value, number, refused, text};
use std::ops::Range;
use tiledesc::chip::{Chip, Transfer};
use tiledesc::direct;

/// A direct load, by the transfer of each chip of the tile.
#[derive(Clone, Debug)]
pub(crate) struct Fill {
    pub(crate) span: Range<usize>,
    transfers: Vec<&'static Transfer>,
    waves: u32,
}

impl Fill {
    /// The name of the transfer, on a chip by its place in the tile.
    pub(crate) fn name(&self, at: usize) -> &'static str {
        self.transfers[at].name()
    }

    /// The library's fill, on a chip by its place in the tile.
    pub(crate) fn on(&self, at: usize) -> direct::Fill<'static> {
        direct::Fill::by(self.transfers[at], self.waves)
    }
}

pub(crate) fn read(value: &Value<'_>, chips: &[&'static Chip]) -> Result<Fill, Fault> {
    let table = Table::from_value(value, "fill")?;
    let waves = table.get("waves").map_or(Ok(1), |value| number(value, "waves", 1..=1024))?;
    let op = table.needs("op", "\"global_load_lds_b128\"")?;
    table.has_no_more()?;
    let name = text(op, "op")?;
    let transfers = chips.iter().map(|chip| transfer(name, chip).map_err(refused(op)));
    let transfers = transfers.collect::<Result<Vec<_>, _>>()?;
    let waves = u32::try_from(waves).unwrap_or(u32::MAX);
    Ok(Fill { span: table.span(), transfers, waves })
}

/// The transfer of a chip, by its name here or the assembler's.
fn transfer(name: &str, chip: &'static Chip) -> Result<&'static Transfer, String> {
    let rows = chip.transfers();
    let is = |row: &&Transfer| row.name() == name || row.mnemonic() == name;
    rows.iter().find(is).ok_or_else(|| {
        let names: Vec<_> = rows.iter().map(|row| format!("`{}`", row.name())).collect();
        match &names[..] {
            [] => format!("{} has no direct loads, so its tiles cannot have a `fill`", chip.name()),
            _ => {
                format!("{} has no direct load `{name}`; it has {}", chip.name(), names.join(", "))
            }
        }
    })
}
