//! Loads from global memory and stores to it, by whose lanes: `fetch = [{ op = "global_load_dwordx4", by = "fetch", rows = 8192 }]`.
//!
//! ```text
//!   rows = 8192              elements from row to row of the tensor
//!   rows = "multiples of 8"  known at run time
//!   at_most = 16             lines, of NVIDIA sectors, that a wave may touch at once: more is status 1
//! ```

use crate::request::fault::{Fault, Place, Source, kept};
use crate::request::held::{Held, Named, in_one_line};
use crate::request::operand::Over;
use crate::request::value::{Table, Value, list, number, refused, text};
use std::ops::Range;
use tiledesc::List;
use tiledesc::access::Pitch;
use tiledesc::chip::{Chip, global_bytes};
use tiledesc::distribution::Encoding;

/// A load or a store.
#[derive(Clone, Debug)]
pub(crate) struct Fetch {
    pub(crate) place: Place,
    pub(crate) span: Range<usize>,
    pub(crate) op: String,
    /// Bytes of a lane.
    pub(crate) bytes: u32,
    pub(crate) by: String,
    held: Held,
    /// `8192`, `multiples of 8`
    pub(crate) rows: String,
    pub(crate) pitch: Pitch,
    pub(crate) at_most: Option<u32>,
}

impl Fetch {
    /// Refuses dimensions that are not the tile's, in its order.
    pub(crate) fn check_names(&self, of_tile: &[Option<&str>]) -> Result<(), Fault> {
        let checked = self.held.check_names(of_tile);
        checked.map_err(|message| Fault::new(self.span.clone(), message))
    }

    /// The distribution, of elements of some bits on a chip.
    pub(crate) fn encoding(&self, tile: &List, bits: u32, chip: &Chip) -> Result<Encoding, String> {
        match &self.held {
            Held::Distribution(encoding, _) => Ok(**encoding),
            Held::Ready(lanes) => {
                let pack = self.bytes * 8 / bits;
                lanes.distribution(tile.as_slice(), pack, chip.wave()).ok_or_else(|| {
                    format!("`{}` does not divide the tile evenly: write a distribution", self.by)
                })
            }
            _ => Err("it takes a distribution, or a pattern by its name".to_string()),
        }
    }
}

pub(crate) fn read(
    source: &Source,
    value: &Value<'_>,
    (named, over): (&[Named], Over<'_>),
    faults: &mut Vec<Fault>,
) -> Vec<Fetch> {
    let wanted = "a list `[{ op = \"global_load_dwordx4\", by = \"row-major\", rows = 8192 }]`";
    let items = kept(list(value, "fetch", wanted), faults).unwrap_or_default();
    let one = |item: &Value<'_>| {
        let table = Table::from_value(item, "a fetch")?;
        let place = source.place(item.span().start);
        let found = fetch_of(&table, place, (named, over));
        table.has_no_more()?;
        found
    };
    items.into_iter().filter_map(|item| kept(one(item), faults)).collect()
}

fn fetch_of(
    table: &Table<'_>,
    place: Place,
    (named, over): (&[Named], Over<'_>),
) -> Result<Fetch, Fault> {
    let (at_most, rows) = (table.get("at_most"), table.get("rows"));
    let (by, op) = (table.get("by"), table.needs("op", "\"global_load_dwordx4\"")?);
    let at_most = at_most.map(|value| number(value, "at_most", 1..=128)).transpose()?;
    let rows = rows.map_or_else(|| table.needs("rows", "8192"), Ok)?;
    let by = by.map_or_else(|| table.needs("by", "\"row-major\""), Ok)?;
    let name = text(op, "op")?;
    let bytes = global_bytes(&name.replace('.', "_")).ok_or_else(|| {
        let message = format!(
            "`{name}` is no load from global memory, nor a store to it: write `global_load_dwordx4`, `ld.global.v4.f32` or, \
             on any chip, `load_b128`"
        );
        Fault::new(op.span(), message)
    })?;
    let (rows, pitch) = pitch_of(rows)?;
    let words = text(by, "by")?;
    let held = Held::read(words, named, over).map_err(refused(by))?;
    Ok(Fetch {
        place,
        span: table.span(),
        op: name.to_string(),
        bytes,
        by: in_one_line(words),
        held,
        rows,
        pitch,
        at_most: at_most.map(|most| most as u32),
    })
}

/// `8192`, `"multiples of 8"`
fn pitch_of(value: &Value<'_>) -> Result<(String, Pitch), Fault> {
    let Some(words) = value.get_ref().as_str() else {
        let pitch = number(value, "rows", 1..=u64::from(u32::MAX))? as u32;
        return Ok((pitch.to_string(), Pitch::new(pitch)));
    };
    let words = in_one_line(words);
    let of = words.strip_prefix("multiples of ").and_then(|number| number.parse::<u32>().ok());
    match of.filter(|of| *of > 0) {
        Some(of) => Ok((words, Pitch::multiple_of(of))),
        None => {
            let message = format!(
                "`rows = \"{words}\"`: write the elements from row to row, `8192`, or `\"multiples of 8\"`"
            );
            Err(Fault::new(value.span(), message))
        }
    }
}
