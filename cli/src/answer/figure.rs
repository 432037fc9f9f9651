//! Figures of an access, of a layout or of chips, drawn by the library.

use crate::answer::check::Checked;
use crate::answer::choices::{self, said, subject};
use crate::answer::judge::Judged;
use crate::request::figure::Kind;
use crate::request::held::Held;
use crate::request::spelling::plural;
use crate::request::tile::Tile;
use tiledesc::chip::Chip;
use tiledesc_host::plot::{self, Draw as _, Figure, Subject};

/// The banks of a grid that is of no access.
const BANKS: u32 = 32;

/// Bytes of a line of memory, as the L2 of all chips that have direct loads counts them.
const LINE: u32 = 128;

/// The layout as it is, and beside it, if it conflicts, one that would be free.
fn subjects(one: &Checked<'_>, access: &Judged<'_>) -> Vec<Subject> {
    let others =
        one.free().first().filter(|_| access.report.ruling.is_conflict()).map(|instead| {
            instead.plan.figure().of_bits(one.tile.element.bits).named(&instead.words)
        });
    [subject(one.tile)].into_iter().chain(others).collect()
}

/// Draws one access, or explains why it cannot be drawn.
pub(crate) fn of_access(
    kind: Kind,
    one: &Checked<'_>,
    access: &Judged<'_>,
) -> Result<Figure, String> {
    let (row, lanes) = (access.row, access.access.lanes_on(access.at));
    let each = subjects(one, access);
    let drawn = match (kind, &access.access.lanes) {
        (Kind::Phases, _) => return beside(&each, |one| one.phases(row, lanes).map_err(said)),
        (Kind::Grid, _) => {
            let rows = |one: &Subject| one.clone().rows(0..ROWS_OF_GRID);
            return beside(&each, |one| rows(one).grid(row, lanes).map_err(said));
        }
        (Kind::Ladder, _) => {
            let lines = |one: &Subject| one.clone().rows(0..LINES_OF_LADDER);
            return beside(&each, |one| lines(one).ladder(row).map_err(said));
        }
        (Kind::Timeline, _) => plot::timeline(&each, row, lanes),
        (Kind::Bits, _) => subject(one.tile).bits(row),
        (Kind::Addresses, _) => subject(one.tile).addresses(row, lanes),
        (Kind::Distribution, Held::Distribution(encoding, _) | Held::Split(encoding, ..)) => {
            plot::distribution(&access.access.by, encoding)
        }
        (Kind::Distribution, Held::Addresses(_) | Held::Data(_)) => {
            return Err("its lanes are known by their addresses alone".to_string());
        }
        (Kind::Distribution, Held::Ready(_)) => {
            return Err(format!("`{}` is a pattern, not a distribution", access.access.by));
        }
        _ => Ok(plot::served(&[row])),
    };
    drawn.map_err(said)
}

/// The figures of several layouts side by side.
fn beside(
    layouts: &[Subject],
    draw: impl Fn(&Subject) -> Result<Figure, String>,
) -> Result<Figure, String> {
    let (first, others) = layouts.split_at(1);
    others.iter().try_fold(draw(&first[0])?, |figure, other| Ok(figure.beside(draw(other)?)))
}

/// Rows of a grid: two waves' worth of the widest operand.
const ROWS_OF_GRID: usize = 64;

/// The lines of a ladder: enough for a period of every swizzle.
const LINES_OF_LADDER: usize = 16;

/// Draws a layout or its chips, or explains why they cannot be drawn.
pub(crate) fn of_layout(kind: Kind, one: &Checked<'_>, at: &[u32]) -> Result<Figure, String> {
    let tile = one.tile;
    let plan = &tile.layout.plan;
    let drawn = match kind {
        Kind::Journey if at.is_empty() => {
            subject(tile).journey(plan.nth(plan.elements().saturating_sub(1)).as_slice())
        }
        Kind::Journey if at.len() != plan.rank() => {
            let (given, rank) = (plural(at.len(), "number"), plural(plan.rank(), "dimension"));
            return Err(format!("--at has {given}, but the tile has {rank}"));
        }
        Kind::Journey => subject(tile).journey(at),
        Kind::Fields => subject(tile).fields(),
        Kind::Pads => return choices::pads(one),
        Kind::Keys => return choices::keys(one),
        Kind::Compare => return choices::compare(one),
        Kind::Direct => return direct(tile),
        Kind::Evidence => {
            let chips: Vec<Chip> = tile.chips.iter().map(|chip| **chip).collect();
            Ok(plot::evidence(&chips))
        }
        _ => subject(tile).rows(0..ROWS_OF_GRID).tile(BANKS),
    };
    drawn.map_err(said)
}

/// The first load of the first wave, on the first chip.
fn direct(tile: &Tile) -> Result<Figure, String> {
    let fill = tile
        .fill
        .as_ref()
        .ok_or("it has no fill: write `fill = { op = \"global_load_lds_b128\", waves = 4 }`")?;
    let load = fill.on(0).plan(&tile.layout.plan, tile.element.bits);
    let load = load.map_err(|error| error.to_string())?;
    plot::direct_load(&load, 0, 0, LINE).map_err(said)
}
