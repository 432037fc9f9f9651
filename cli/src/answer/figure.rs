//! `show`: figures of tiles, drawn by the library; as text, as SVG, or in a report.

use crate::answer::check::{Checked, checked, is_conflict};
use crate::answer::choices;
use crate::answer::emit::{Made, is_folder, write_all};
use crate::answer::judge::{Demand, Judged};
use crate::request::args::{Picture, Show};
use crate::request::fault::Source;
use crate::request::input::{Held, Tile};
use crate::write::page;
use crate::{Output, Status};
use clap::ValueEnum;
use std::path::Path;
use tiledesc::chip::Chip;
use tiledesc::plot::{self, Draw as _, Figure, PlotError, Subject};

/// Banks of a grid that is of no access.
const BANKS: u32 = 32;

/// Bytes of a line of memory, as the L2 of all chips that have direct loads counts them.
const LINE: u32 = 128;

/// The figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Banks by phase: who waits for whom
    Phases,
    /// The tile by coordinates: offset and bank
    Grid,
    /// The cycles of one instruction
    Timeline,
    /// The matrix over bits, with byte, bank and key
    Bits,
    /// LDS as lines of banks, padding hatched
    Ladder,
    /// A coordinate on its way through the transforms
    Journey,
    /// One offset in the words of CuTe, CK Tile and Triton
    Fields,
    /// Registers and immediates of an unrolled loop
    Addresses,
    /// Row pads by degree, in all accesses
    Pads,
    /// Xor keys by degree, in all accesses on all chips
    Keys,
    /// The layout and what `find` proposes: cycles, bytes, address instructions
    Compare,
    /// What the lanes of the first direct load bring, of a tile with a `fill`
    Direct,
    /// Lanes that are served together
    Served,
    /// Who holds each coordinate, of an access by a distribution
    Distribution,
    /// How sure the rows of the chips are
    Evidence,
}

impl Kind {
    /// Whether the figure is of an access; others are of the tile, or of its chips.
    pub(crate) fn is_of_access(self) -> bool {
        matches!(
            self,
            Self::Phases
                | Self::Timeline
                | Self::Bits
                | Self::Ladder
                | Self::Addresses
                | Self::Served
                | Self::Distribution
        )
    }

    /// Whether the figure is of all accesses of a tile.
    fn is_of_all(self) -> bool {
        matches!(self, Self::Pads | Self::Keys | Self::Compare)
    }

    pub(crate) fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_string()).unwrap_or_default()
    }
}

/// A figure with the name of its file.
struct Drawn {
    name: String,
    figure: Figure,
}

pub(crate) fn run(show: &Show, source: &Source, tiles: &[Tile]) -> Output {
    let all = match checked(tiles, Demand { max_degree: 1, strict: false }) {
        Ok(all) => all,
        Err(faults) => {
            let err = source.explain_all(&faults);
            return Output { status: Status::Invalid, out: String::new(), err };
        }
    };
    if show.format == Picture::Html {
        if show.figure.is_empty() && show.line.is_none() {
            let text = page::page(source, &all, &show.at);
            return given(show, vec![Made { path: "report.html".into(), text }]);
        }
        return Output::invalid(
            "--format html is of the whole file: leave out --figure and --line",
        );
    }
    let mut figures = Vec::new();
    for kind in if show.figure.is_empty() { &[Kind::Phases][..] } else { &show.figure } {
        for one in &all {
            match of_tile(show, *kind, one) {
                Ok(drawn) => figures.extend(drawn),
                Err(why) => {
                    let at = source.line(one.tile.place);
                    let (kind, tile) = (kind.name(), &one.tile.name);
                    return Output::invalid(format!("{at}: no {kind} of tile {tile}: {why}"));
                }
            }
            // It is the same of all tiles.
            if *kind == Kind::Evidence {
                break;
            }
        }
    }
    let made = figures.into_iter().map(|Drawn { name, figure }| match show.format {
        Picture::Svg => Made { path: format!("{name}.svg").into(), text: figure.svg() },
        _ => Made { path: format!("{name}.txt").into(), text: figure.text() },
    });
    given(show, made.collect())
}

/// Prints or writes what was made.
fn given(show: &Show, mut made: Vec<Made>) -> Output {
    let written = match (&show.output, &mut made[..]) {
        (Some(folder), made) if is_folder(folder) => {
            made.iter_mut().for_each(|one| one.path = folder.join(&one.path));
            write_all(made)
        }
        (Some(path), [one]) => {
            one.path.clone_from(path);
            write_all(&made)
        }
        (Some(path), _) if show.format == Picture::Text => {
            let text = joined(&made);
            write_all(&[Made { path: path.clone(), text }])
        }
        (Some(path), many) => return several(many.len(), path),
        (None, [_, _, ..]) if show.format == Picture::Svg => {
            return several(made.len(), Path::new("figures"));
        }
        (None, _) => return Output::done(joined(&made)),
    };
    match written {
        Ok(said) => Output { status: Status::Free, out: String::new(), err: said },
        Err(message) => Output::invalid(message),
    }
}

fn joined(made: &[Made]) -> String {
    made.iter().map(|one| one.text.as_str()).collect::<Vec<_>>().join("\n")
}

fn several(count: usize, path: &Path) -> Output {
    let path = path.display();
    Output::invalid(format!("{count} figures are {count} files: name a folder, `-o {path}/`"))
}

/// A figure of a tile, or those of the accesses that are asked for.
fn of_tile(show: &Show, kind: Kind, one: &Checked<'_>) -> Result<Vec<Drawn>, String> {
    let tile = &one.tile.name;
    let drawn =
        |name: String, figure: Result<Figure, String>| figure.map(|figure| Drawn { name, figure });
    let none =
        "it has no access: write `read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\" }]`";
    if kind.is_of_access() || kind == Kind::Grid && !one.judged.is_empty() {
        let chosen: Vec<_> = match show.line {
            Some(line) => one.judged.iter().filter(|one| one.access.place.line == line).collect(),
            None => worst(one).into_iter().collect(),
        };
        if chosen.is_empty() {
            return match show.line {
                Some(line) => Err(format!("no access stands in line {line}")),
                None => Err(none.to_string()),
            };
        }
        let many = chosen.len() > 1;
        let each = chosen.into_iter().enumerate().map(|(i, access)| {
            let number = if many { format!("-{i}") } else { String::new() };
            drawn(format!("{tile}-{}{number}", kind.name()), of_access(kind, one, access))
        });
        return each.collect();
    }
    if kind.is_of_all() && one.judged.is_empty() {
        return Err(none.to_string());
    }
    let name = if kind == Kind::Evidence { kind.name() } else { format!("{tile}-{}", kind.name()) };
    drawn(name, of_layout(kind, one, &show.at)).map(|drawn| vec![drawn])
}

/// The access that tells most.
pub(crate) fn worst<'c, 't>(one: &'c Checked<'t>) -> Option<&'c Judged<'t>> {
    let badness =
        |one: &Judged<'_>| (one.verdict.conflicts().race.is_some(), one.verdict.worst_degree());
    let most = one.judged.iter().map(badness).max()?;
    one.judged.iter().find(|one| badness(one) == most)
}

/// The layout as it is.
pub(crate) fn subject(tile: &Tile) -> Subject {
    tile.layout.plan.figure().of_bits(tile.element.bits).named(&tile.name)
}

/// Beside it, if it conflicts, what would be free.
fn subjects(one: &Checked<'_>, access: &Judged<'_>) -> Vec<Subject> {
    let free = one.remedies.iter().flat_map(|found| &found.free).take(1);
    let others = free
        .filter(|_| is_conflict(access.ruling))
        .map(|instead| instead.plan.figure().of_bits(one.tile.element.bits).named(&instead.words));
    [subject(one.tile)].into_iter().chain(others).collect()
}

/// A figure of one access, or why there is none.
pub(crate) fn of_access(
    kind: Kind,
    one: &Checked<'_>,
    access: &Judged<'_>,
) -> Result<Figure, String> {
    let (row, lanes) = (access.row, access.access.lanes.lanes());
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
        (Kind::Distribution, Held::Distribution(encoding)) => {
            plot::distribution(&access.access.by, encoding)
        }
        (Kind::Distribution, Held::Ready(_)) => {
            return Err(format!("`{}` is a pattern, and no distribution", access.access.by));
        }
        _ => Ok(plot::served(&[row])),
    };
    drawn.map_err(said)
}

pub(crate) fn said(why: PlotError) -> String {
    why.to_string()
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

/// Lines of a ladder: enough for a period of every swizzle.
const LINES_OF_LADDER: usize = 16;

/// A figure of a layout, or of its chips; or why there is none.
pub(crate) fn of_layout(kind: Kind, one: &Checked<'_>, at: &[u32]) -> Result<Figure, String> {
    let tile = one.tile;
    let plan = &tile.layout.plan;
    let drawn = match kind {
        Kind::Journey if at.is_empty() => {
            subject(tile).journey(plan.nth(plan.elements().saturating_sub(1)).as_slice())
        }
        Kind::Journey if at.len() != plan.rank() => {
            let (given, rank) = (at.len(), plan.rank());
            return Err(format!("--at has {given} numbers, and the tile {rank} dimensions"));
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
