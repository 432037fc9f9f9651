//! The lines of global memory that the loads and stores of a tile touch.

use crate::report::check::Fetch as Report;
use crate::request::fault::Fault;
use crate::request::fetch::Fetch;
use crate::request::tile::Tile;
use tiledesc::access::Coalescing;
use tiledesc::chip::Chip;

/// Each on each chip, or what is wrong with them.
pub(crate) fn fetches(tile: &Tile) -> Result<Vec<Report>, Vec<Fault>> {
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for (fetch, chip) in
        tile.fetches.iter().flat_map(|fetch| tile.chips.iter().map(move |chip| (fetch, *chip)))
    {
        match one(tile, fetch, chip) {
            Ok(report) => all.push(report),
            Err(why) => {
                let Fetch { op, by, .. } = fetch;
                let message = format!("{op} on {} by {by}: {why}", chip.name());
                faults.push(Fault::new(fetch.span.clone(), message));
            }
        }
    }
    if faults.is_empty() { Ok(all) } else { Err(faults) }
}

fn one(tile: &Tile, fetch: &Fetch, chip: &'static Chip) -> Result<Report, String> {
    let bits = tile.element.bits;
    let lines = chip.lines().ok_or("no source states the cache lines of this chip")?;
    let encoding = fetch.encoding(&tile.layout.plan.lengths(), bits, chip)?;
    if encoding.lanes() != chip.wave() {
        let (lanes, wave) = (encoding.lanes(), chip.wave());
        return Err(format!("the distribution has {lanes} lanes, but the wave has {wave}"));
    }
    let worst = Coalescing::worst(&encoding, [fetch.bytes, bits], fetch.pitch, &lines)
        .map_err(|why| why.as_str().to_string())?;
    let is_of_lines = lines.bytes() == lines.sector();
    let (unit, bytes) =
        if is_of_lines { ("line", lines.bytes()) } else { ("sector", lines.sector()) };
    let ([wave, access], touched, least) =
        (worst.wave_and_access(), worst.touched().sectors, worst.least().sectors);
    let passes = fetch.at_most.is_none_or(|most| touched <= most);
    let s = if touched == 1 { "" } else { "s" };
    let mut found = format!("{touched} {unit}{s} of {bytes} bytes");
    found += &match touched == least {
        true => ", the fewest".to_string(),
        false => format!(" where {least} would do, in access {access} of wave {wave}"),
    };
    if let (false, Some(most)) = (passes, fetch.at_most) {
        found += &format!("; at most {most} are allowed");
    }
    Ok(Report {
        line: fetch.place.line,
        column: fetch.place.column,
        chip: chip.name(),
        op: fetch.op.clone(),
        by: fetch.by.clone(),
        rows: fetch.rows.clone(),
        lines: worst.touched().lines,
        least_lines: worst.least().lines,
        sectors: touched,
        least_sectors: least,
        at_most: fetch.at_most,
        passes,
        found,
    })
}
