//! CuTe's algebra of layouts, as its texts call it: `logical_divide((128,64):(64,1), (32,8))`.
//!
//! | is written | is |
//! |---|---|
//! | `composition(A, B)` | number `i` goes to `A(B(i))`; of a tuple of layouts mode by mode |
//! | `complement(A, n)` | what `A` leaves of `n` offsets: the gaps between its strides |
//! | `coalesce(A)` | neighbouring modes as one, where a single stride is enough |
//! | `right_inverse(A)` | the numbers that `A` puts at offsets 0, 1, 2 and so on, up to the first gap between its strides |
//! | `left_inverse(A)` | the number that `A` puts at each of its offsets; what it skips is counted too |
//! | `logical_divide(A, B)` | (`A` after `B`, `A` after the complement of `B`): the tile, and the rest |
//! | `zipped_divide`, `tiled_divide`, `flat_divide` | the same of each mode, with the tiles in front |
//! | `logical_product(A, B)` | `A`, repeated as `B` lies: (`A`, the complement of `A` after `B`) |
//! | `zipped_product`, `tiled_product`, `flat_product` | the same, with its brackets as a division's |
//! | `blocked_product`, `raked_product` | the same mode by mode, `A` inside or outside |
//! | `tile_to_shape(A, s)` | copies of `A`, the first mode fastest, up to the lengths `s` |
//!
//! A mode of `B`, `n` steps of `d`, falls into the modes of `A` one after the other, the first fastest: it takes each
//! `d`-th of a mode whose length `d` divides, and passes by a mode whose length divides `d`. Between these CuTe's C++ does not
//! compile; here they are refused with the numbers, and so is a `B` that runs beyond the numbers of `A`, where CuTe lets the
//! last mode go on. A result is compared with the definition, number by number.
//!
//! Source: NVIDIA/cutlass, `media/docs/cpp/cute/02_layout_algebra.md`, and for `tile_to_shape`, `blocked_product` and
//! `raked_product` `include/cute/layout.hpp`.

use crate::Error;
use core::fmt;

/// A layout as a tree: a length and a stride, or modes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Tree {
    One(u64, u64),
    Modes(Vec<Self>),
}

/// What divides, or is composed: a layout, a length, or one of them for each mode.
#[derive(Clone, Debug)]
pub(super) enum Tiler {
    Length(u64),
    Layout(Tree),
    Each(Vec<Self>),
}

/// A layout of the algebra's text: after its name the layout, and what is between it and `)`.
pub(super) type Operation = fn(&Tree, Option<&Tiler>) -> Result<Tree, Error>;

/// The operations by their names.
pub(super) const OPERATIONS: [(&str, Operation); 16] = [
    ("composition", |a, b| composed(a, needed(b)?)),
    ("complement", |a, b| match b {
        None => complement(a, a.cosize()),
        Some(Tiler::Length(n)) => complement(a, *n),
        Some(_) => Err(Error::number("complement: the second argument is a number of offsets")),
    }),
    ("coalesce", |a, _| Ok(coalesced(a))),
    ("right_inverse", |a, _| Ok(right_inverse(&a.flat()))),
    ("left_inverse", |a, _| left_inverse(a)),
    ("logical_divide", |a, b| divided(a, needed(b)?)),
    ("zipped_divide", |a, b| Ok(zipped(a, needed(b)?)?.pair())),
    ("tiled_divide", |a, b| Ok(zipped(a, needed(b)?)?.tiled())),
    ("flat_divide", |a, b| Ok(zipped(a, needed(b)?)?.flat())),
    ("logical_product", |a, b| product(a, needed(b)?)),
    ("zipped_product", |a, b| product(a, needed(b)?)),
    ("tiled_product", |a, b| Ok(repeated(a, needed(b)?)?.tiled())),
    ("flat_product", |a, b| Ok(repeated(a, needed(b)?)?.flat())),
    ("blocked_product", |a, b| interleaved(a, needed(b)?, false)),
    ("raked_product", |a, b| interleaved(a, needed(b)?, true)),
    ("tile_to_shape", |a, b| to_shape(a, needed(b)?)),
];

/// The most numbers at which a composition is compared with its definition: some tenths of a second.
const MOST_COMPARED: u64 = 1 << 22;

fn needed(b: Option<&Tiler>) -> Result<&Tiler, Error> {
    b.ok_or_else(|| Error::number("two arguments are wanted"))
}

impl Tree {
    fn size(&self) -> u64 {
        self.flat().iter().map(|mode| mode.0).fold(1, u64::saturating_mul)
    }

    /// One more than the largest offset.
    fn cosize(&self) -> u64 {
        let last = |(length, stride): &(u64, u64)| length.saturating_sub(1).saturating_mul(*stride);
        self.flat().iter().map(last).fold(1, u64::saturating_add)
    }

    /// Lengths and strides, without the brackets.
    pub(super) fn flat(&self) -> Vec<(u64, u64)> {
        match self {
            Self::One(length, stride) => vec![(*length, *stride)],
            Self::Modes(modes) => modes.iter().flat_map(Self::flat).collect(),
        }
    }

    /// Its modes; one that has none is a mode itself.
    fn modes(&self) -> Vec<Self> {
        match self {
            Self::One(..) => vec![self.clone()],
            Self::Modes(modes) => modes.clone(),
        }
    }

    /// The offset of a number, the first mode fastest and the last without an end.
    fn at(&self, mut number: u64) -> u64 {
        let modes = self.flat();
        let (last, below) = modes.split_last().expect("a layout has a mode");
        let mut offset = 0;
        for (length, stride) in below {
            offset += number % length * stride;
            number /= length;
        }
        number.saturating_mul(last.1).saturating_add(offset)
    }
}

/// Modes of some lengths and strides: one alone without brackets.
fn of_flat(modes: &[(u64, u64)]) -> Tree {
    match modes {
        [] => Tree::One(1, 0),
        [(length, stride)] => Tree::One(*length, *stride),
        _ => {
            Tree::Modes(modes.iter().map(|(length, stride)| Tree::One(*length, *stride)).collect())
        }
    }
}

fn coalesced(a: &Tree) -> Tree {
    let mut modes: Vec<(u64, u64)> = Vec::new();
    for (length, stride) in a.flat().into_iter().filter(|mode| mode.0 != 1) {
        match modes.last_mut() {
            Some(before) if stride == before.0 * before.1 => before.0 *= length,
            _ => modes.push((length, stride)),
        }
    }
    of_flat(&modes)
}

fn composed(a: &Tree, b: &Tiler) -> Result<Tree, Error> {
    match b {
        Tiler::Length(length) => after(a, &Tree::One(*length, 1)),
        Tiler::Layout(b) => after(a, b),
        Tiler::Each(each) => by_mode(a, each, composed).map(Tree::Modes),
    }
}

/// Each mode by its own; what is not named stays.
fn by_mode(
    a: &Tree,
    each: &[Tiler],
    f: impl Fn(&Tree, &Tiler) -> Result<Tree, Error>,
) -> Result<Vec<Tree>, Error> {
    let mut modes = a.modes();
    if each.len() > modes.len() {
        let (given, have) = (each.len(), modes.len());
        return Err(Error::number(format!(
            "{given} tilers are given for the {have} mode{} of {a}",
            if have == 1 { "" } else { "s" }
        )));
    }
    for (mode, tiler) in modes.iter_mut().zip(each) {
        *mode = f(mode, tiler)?;
    }
    Ok(modes)
}

/// `A(B(i))`, with the modes of `B`.
fn after(a: &Tree, b: &Tree) -> Result<Tree, Error> {
    let (reach, size) = (b.cosize() - 1, a.size());
    if reach >= size {
        return Err(Error::no_form(format!(
            "{a} after {b}: number {reach} is beyond the {size} that the first has"
        )));
    }
    let found = each_after(a, b)?;
    // Modes one by one, of which a sum may carry into another mode of `A`.
    let count = b.size();
    if count > MOST_COMPARED {
        return Err(Error::too_large(format!(
            "{a} after {b}: {count} numbers are to be compared, at most {MOST_COMPARED} are"
        )));
    }
    match (0..count).find(|number| found.at(*number) != a.at(b.at(*number))) {
        None => Ok(found),
        Some(number) => Err(Error::no_form(format!(
            "{a} after {b}: number {number} goes to {}, but modes composed one by one, {found}, put it at {}",
            a.at(b.at(number)),
            found.at(number)
        ))),
    }
}

fn each_after(a: &Tree, b: &Tree) -> Result<Tree, Error> {
    match b {
        Tree::Modes(modes) => {
            modes.iter().map(|mode| each_after(a, mode)).collect::<Result<_, _>>().map(Tree::Modes)
        }
        Tree::One(length @ (0 | 1), _) | Tree::One(length, 0) => Ok(Tree::One(*length, 0)),
        Tree::One(length, stride) => mode_after(a, *length, *stride),
    }
}

/// A mode of `length` steps of `stride`.
fn mode_after(a: &Tree, length: u64, stride: u64) -> Result<Tree, Error> {
    let of = coalesced(a).flat();
    let (last, below) = of.split_last().expect("a layout has a mode");
    let (mut rest, mut step, mut taken) = (length, stride, Vec::new());
    for (own, of) in below {
        if rest == 1 {
            break;
        }
        // All of it within this mode.
        if (rest - 1).saturating_mul(step) < *own {
            taken.push((rest, step.saturating_mul(*of)));
            rest = 1;
            break;
        }
        if !own.is_multiple_of(step) && !step.is_multiple_of(*own) {
            return Err(Error::no_form(format!(
                "{a} after {length}:{stride}: a step of {step} and the length {own} at stride {of} do not \
                 divide each other"
            )));
        }
        let now = (own / step).max(1).min(rest);
        if now > 1 && !rest.is_multiple_of(now) {
            return Err(Error::no_form(format!(
                "{a} after {length}:{stride}: {rest} steps are not a multiple of the {now} that the length \
                 {own} at stride {of} has room for"
            )));
        }
        if now > 1 {
            taken.push((now, step.saturating_mul(*of)));
        }
        (rest, step) = (rest / now, step.div_ceil(*own));
    }
    if rest > 1 {
        taken.push((rest, step.saturating_mul(last.1)));
    }
    Ok(of_flat(&taken))
}

fn complement(a: &Tree, n: u64) -> Result<Tree, Error> {
    let mut modes: Vec<_> = a.flat().into_iter().filter(|mode| mode.0 > 1 && mode.1 > 0).collect();
    modes.sort_unstable_by_key(|mode| mode.1);
    let (mut spanned, mut gaps) = (1, Vec::new());
    for (length, stride) in modes {
        if !stride.is_multiple_of(spanned) {
            return Err(Error::no_form(format!(
                "complement of {a}: the stride {stride} is not a multiple of the {spanned} offsets that smaller strides span"
            )));
        }
        gaps.push((stride / spanned, spanned));
        spanned = stride * length;
    }
    gaps.push((n.div_ceil(spanned), spanned));
    Ok(coalesced(&of_flat(&gaps)))
}

/// The modes by their strides, as long as each goes on where the smaller ones end: those count the numbers of offsets.
fn right_inverse(modes: &[(u64, u64)]) -> Tree {
    let mut number = 1_u64;
    let mut by_stride = Vec::new();
    for (length, stride) in modes {
        by_stride.push((*stride, *length, number));
        number = number.saturating_mul(*length);
    }
    by_stride.sort_unstable();
    let (mut offset, mut inverse) = (1, Vec::new());
    for (stride, length, number) in by_stride.into_iter().filter(|mode| mode.1 != 1) {
        if stride != offset {
            break;
        }
        inverse.push(Tree::One(length, number));
        offset = stride.saturating_mul(length);
    }
    coalesced(&Tree::Modes(inverse))
}

fn left_inverse(a: &Tree) -> Result<Tree, Error> {
    if let Some((length, _)) = a.flat().iter().find(|(length, stride)| *length > 1 && *stride == 0)
    {
        return Err(Error::no_form(format!(
            "left_inverse of {a}: {length} numbers lie at one offset, and none of them is the inverse"
        )));
    }
    let gaps = complement(a, 1)?;
    Ok(right_inverse(&[a.flat(), gaps.flat()].concat()))
}

/// The tile of a layout by another, and the rest.
struct Divided {
    tile: Tree,
    rest: Tree,
}

impl Divided {
    fn pair(self) -> Tree {
        Tree::Modes(vec![self.tile, self.rest])
    }

    fn tiled(self) -> Tree {
        Tree::Modes([vec![self.tile], self.rest.modes()].concat())
    }

    fn flat(self) -> Tree {
        Tree::Modes([self.tile.modes(), self.rest.modes()].concat())
    }
}

fn of_layout(a: &Tree, b: &Tree) -> Result<Divided, Error> {
    // Together, so that a last tile beyond the layout is seen.
    let both = after(a, &Tree::Modes(vec![b.clone(), complement(b, a.size())?]))?;
    let [tile, rest] = both.modes().try_into().expect("as many modes as were composed");
    Ok(Divided { tile, rest })
}

fn divided(a: &Tree, b: &Tiler) -> Result<Tree, Error> {
    match b {
        Tiler::Length(length) => Ok(of_layout(a, &Tree::One(*length, 1))?.pair()),
        Tiler::Layout(b) => Ok(of_layout(a, b)?.pair()),
        Tiler::Each(each) => by_mode(a, each, divided).map(Tree::Modes),
    }
}

fn zipped(a: &Tree, b: &Tiler) -> Result<Divided, Error> {
    let each = match b {
        Tiler::Length(length) => return of_layout(a, &Tree::One(*length, 1)),
        Tiler::Layout(b) => return of_layout(a, b),
        Tiler::Each(each) => each,
    };
    let (mut tiles, mut rests) = (Vec::new(), Vec::new());
    // Behind the tilers the modes stay whole, as rests.
    let all = by_mode(a, each, |mode, tiler| Ok(zipped(mode, tiler)?.pair()))?;
    for (d, mode) in all.into_iter().enumerate() {
        match mode {
            Tree::Modes(pair) if d < each.len() => {
                tiles.push(pair[0].clone());
                rests.push(pair[1].clone());
            }
            rest => rests.push(rest),
        }
    }
    Ok(Divided { tile: Tree::Modes(tiles), rest: Tree::Modes(rests) })
}

fn product(a: &Tree, b: &Tiler) -> Result<Tree, Error> {
    repeated(a, b).map(Divided::pair)
}

/// The copy of a product, and where the copies lie.
fn repeated(a: &Tree, b: &Tiler) -> Result<Divided, Error> {
    let b = one_layout(b)?;
    let room = a.size().saturating_mul(b.cosize());
    Ok(Divided { tile: a.clone(), rest: after(&complement(a, room)?, &b)? })
}

fn one_layout(b: &Tiler) -> Result<Tree, Error> {
    match b {
        Tiler::Length(length) => Ok(Tree::One(*length, 1)),
        Tiler::Layout(b) => Ok(b.clone()),
        Tiler::Each(_) => Err(Error::number("a layout is wanted, as in (2,4):(1,2)")),
    }
}

/// A product mode by mode, of each mode one of the copy and one of the copies; `raked`, those of the copies first.
fn interleaved(a: &Tree, b: &Tiler, is_raked: bool) -> Result<Tree, Error> {
    let (mut inner, mut outer) = (a.modes(), one_layout(b)?.modes());
    let rank = inner.len().max(outer.len());
    inner.resize(rank, Tree::One(1, 0));
    outer.resize(rank, Tree::One(1, 0));
    let copies = repeated(a, &Tiler::Layout(Tree::Modes(outer)))?.rest.modes();
    let pair = |(one, other): (Tree, Tree)| {
        Tree::Modes(if is_raked { vec![other, one] } else { vec![one, other] })
    };
    Ok(Tree::Modes(inner.into_iter().zip(copies).map(pair).collect()))
}

fn to_shape(a: &Tree, b: &Tiler) -> Result<Tree, Error> {
    let lengths: Option<Vec<u64>> = match b {
        Tiler::Length(length) => Some(vec![*length]),
        Tiler::Each(each) => {
            let length = |one: &Tiler| if let Tiler::Length(n) = one { Some(*n) } else { None };
            each.iter().map(length).collect()
        }
        Tiler::Layout(_) => None,
    };
    let lengths = lengths.ok_or_else(|| Error::number("a shape is wanted, as in (128,64)"))?;
    let mut modes = a.modes();
    modes.resize(modes.len().max(lengths.len()), Tree::One(1, 0));
    let (mut copies, mut stride) = (Vec::new(), 1_u64);
    for (d, mode) in modes.iter().enumerate() {
        let (own, whole) = (mode.size(), lengths.get(d).copied().unwrap_or(1));
        if !whole.is_multiple_of(own) {
            return Err(Error::number(format!(
                "tile_to_shape: length {whole} of mode {d} is not a multiple of the {own} of {a}"
            )));
        }
        copies.push(Tree::One(whole / own, stride));
        stride = stride.saturating_mul(whole / own);
    }
    interleaved(a, &Tiler::Layout(Tree::Modes(copies)), false)
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.text(&|mode| mode.0), self.text(&|mode| mode.1))
    }
}

impl Tree {
    fn text(&self, number: &dyn Fn((u64, u64)) -> u64) -> String {
        match self {
            Self::One(length, stride) => number((*length, *stride)).to_string(),
            Self::Modes(modes) => {
                let all: Vec<_> = modes.iter().map(|mode| mode.text(number)).collect();
                format!("({})", all.join(","))
            }
        }
    }
}
