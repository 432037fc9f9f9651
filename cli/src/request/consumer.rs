//! What reads or fills a tile without the address of a lane: `consumed_by = "wgmma"`.
//!
//! Such an engine finds the elements by a descriptor, in one of nine forms. A tile in another form multiplies other numbers,
//! and nothing at run time says so; here it is invalid.
//!
//! | engine | chips | forms |
//! |---|---|---|
//! | `wgmma` | sm_90 | atoms with K contiguous of elements of 8, 16 and 32 bits; with M or N contiguous of 16 bits alone |
//! | `tcgen05` | sm_100, sm_103 | all atoms, of 4, 8, 16 and 32 bits |
//! | `tma` | sm_90 and later | all atoms; also a box in order, whose rows are a multiple of 16 bytes |
//!
//! Sources: PTX ISA, `wgmma.mma_async` (`imm-trans-a` and `imm-trans-b` are of `.f16` and `.bf16` alone), `tcgen05`, tensor maps;
//! the forms are those of `tiledesc_host::exchange::gmma`.

use crate::request::fault::Fault;
use crate::request::layout::MOST_COMPARED;
use crate::request::spelling::did_you_mean;
use crate::request::value::{Value, list, text};
use std::ops::Range;
use tiledesc::chip::Chip;
use tiledesc::{Plan, recipe};
use tiledesc_host::exchange::cute::Fastest;
use tiledesc_host::exchange::gmma::{Atom, Descriptor, Reader};
use tiledesc_host::exchange::tma::Mode;

/// An engine that the file names.
#[derive(Clone, Debug)]
pub(crate) struct Consumer {
    pub(crate) span: Range<usize>,
    engine: Engine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Engine {
    Wgmma,
    Tcgen05,
    Tma,
}

const ENGINES: [(&str, Engine); 3] =
    [("wgmma", Engine::Wgmma), ("tcgen05", Engine::Tcgen05), ("tma", Engine::Tma)];

/// The form in which an engine takes a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// CuTe's name of the atom; of a box in order the name of its mode.
    pub(crate) name: &'static str,
    /// What follows the name in a sentence.
    about: &'static str,
    /// The mode of a tensor map that fills it.
    pub(crate) mode: &'static str,
    /// Bytes of which the tile's base is a multiple.
    pub(crate) alignment: u32,
    /// What a kernel tells the engine of it.
    pub(crate) told: Told,
}

/// What a kernel tells an engine of a tile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The fields of a matrix descriptor, and the number of lines of which the first of an operand is a multiple.
    Descriptor(Descriptor, u32),
    /// The number of the mode in a tensor map, and the lengths of a box along the tile's dimensions.
    Map { swizzle: u32, boxes: Vec<u32> },
}

/// The modes, the widest first; of a tile of one atom, several may be its form.
const MODES: [Mode; 5] = [Mode::B128, Mode::B128Atom32, Mode::B64, Mode::B32, Mode::None];

pub(crate) fn read(value: &Value<'_>, chips: &[&'static Chip]) -> Result<Vec<Consumer>, Fault> {
    let is_list = value.get_ref().as_array().is_some();
    let wanted = "`consumed_by = \"wgmma\"`";
    let each = if is_list { list(value, "consumed_by", wanted)? } else { vec![value] };
    each.into_iter().map(|one| consumer(one, chips)).collect()
}

fn consumer(value: &Value<'_>, chips: &[&'static Chip]) -> Result<Consumer, Fault> {
    let name = text(value, "consumed_by")?;
    let Some((_, engine)) = ENGINES.iter().find(|(known, _)| *known == name) else {
        let near = did_you_mean(name, ENGINES.map(|(name, _)| name));
        let message = format!(
            "`consumed_by`: nothing called `{name}` takes a tile without lane addresses{near}"
        );
        return Err(Fault::new(value.span(), message));
    };
    let is_there = |chip: &&&Chip| engine.chips().contains(&chip.name());
    if let Some(other) = chips.iter().find(|chip| !is_there(chip)) {
        let (other, have) = (other.name(), engine.chips().join(", "));
        let message = format!("{other} has no {name}; chips that have it: {have}");
        return Err(Fault::new(value.span(), message));
    }
    Ok(Consumer { span: value.span(), engine: *engine })
}

impl Engine {
    fn name(self) -> &'static str {
        ENGINES.iter().find(|(_, engine)| *engine == self).map_or("", |(name, _)| name)
    }

    fn chips(self) -> &'static [&'static str] {
        match self {
            Self::Wgmma => &["sm_90"],
            Self::Tcgen05 => &["sm_100", "sm_103"],
            Self::Tma => &["sm_90", "sm_100", "sm_103", "sm_120", "sm_121"],
        }
    }

    /// The atoms that it takes of elements of some width, the widest first, K contiguous before the other.
    fn atoms(self, bits: u32) -> Result<Vec<Atom>, String> {
        let name = self.name();
        let widths: &[u32] = match self {
            Self::Wgmma => &[8, 16, 32],
            Self::Tcgen05 => &[4, 8, 16, 32],
            Self::Tma => &[4, 8, 16, 32, 64],
        };
        if !widths.contains(&bits) {
            let widths = widths.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            return Err(format!(
                "{name} takes elements of {widths} bits, but the tile's have {bits}"
            ));
        }
        let is_of = |mode: &Mode, k_major: bool| match self {
            Self::Wgmma => *mode != Mode::B128Atom32 && (k_major || bits == 16),
            Self::Tcgen05 | Self::Tma => true,
        };
        let both = MODES.iter().flat_map(|mode| [(mode, true), (mode, false)]);
        let atom = |(mode, k_major): (&Mode, bool)| match k_major {
            true => Atom::k_major(*mode, bits).ok(),
            false => Atom::mn_major(*mode, bits).ok(),
        };
        Ok(both.filter(|(mode, k_major)| is_of(mode, *k_major)).filter_map(atom).collect())
    }
}

impl Consumer {
    pub(crate) fn name(&self) -> &'static str {
        self.engine.name()
    }

    /// The layouts of a tile of M or N and K in each of its forms, as CuTe's text.
    pub(crate) fn layouts(&self, tile: [u32; 2], bits: u32) -> Vec<(String, Plan)> {
        let atoms = self.engine.atoms(bits).unwrap_or_default().into_iter();
        let both = atoms.flat_map(|atom| [(atom, Fastest::First), (atom, Fastest::Last)]);
        let made = both.filter_map(|(atom, order)| atom.tile_to(tile, order).ok());
        made.filter_map(|form| Some((form.to_string(), form.plan().ok()?))).collect()
    }

    /// The form in which it takes a layout, whose first dimension is K if it is `turned`; or why it does not, and what it would
    /// take.
    pub(crate) fn form(&self, plan: &Plan, bits: u32, is_turned: bool) -> Result<Form, String> {
        let atoms = self.engine.atoms(bits)?;
        if self.engine == Engine::Tma
            && let Some(form) = in_order(plan, bits)
        {
            return Ok(form);
        }
        let rank = plan.rank();
        if rank != 2 {
            let name = self.name();
            return Err(format!(
                "{name} takes tiles of 2 dimensions, M or N and K, but this one has {rank}"
            ));
        }
        let of_rows = if is_turned { recipe::transposed(plan) } else { Ok(*plan) };
        let of_rows = of_rows.map_err(|error| error.to_string())?;
        let order = |atom: &Atom| Some((*atom, atom.accepts_plan(&of_rows).ok()?));
        let Some((atom, order)) = atoms.iter().find_map(order) else {
            return Err(refusal(self.name(), &atoms, &of_rows, is_turned));
        };
        let lengths = of_rows.lengths();
        let tile = [lengths.at(0), lengths.at(1)];
        let told = self.told(&atom, tile, order, is_turned).map_err(|error| error.to_string())?;
        let about = if atom.is_k_major() { ", K contiguous" } else { ", M or N contiguous" };
        let (name, mode, alignment) = (atom.name(), atom.mode().name(), atom.base_alignment());
        Ok(Form { name, about, mode, alignment, told })
    }

    /// What a kernel tells the engine of a tile (mn, k) of atoms.
    fn told(
        &self,
        atom: &Atom,
        tile: [u32; 2],
        order: Fastest,
        is_turned: bool,
    ) -> Result<Told, tiledesc_host::Error> {
        let reader = match self.engine {
            Engine::Wgmma => Reader::Wgmma,
            Engine::Tcgen05 => Reader::Tcgen05,
            Engine::Tma => {
                let mut boxes = atom.boxes(tile, order)?.to_vec();
                if is_turned {
                    boxes.reverse();
                }
                return Ok(Told::Map { swizzle: atom.mode().number(), boxes });
            }
        };
        let lines = atom.lengths()[usize::from(!atom.is_k_major())];
        Ok(Told::Descriptor(atom.descriptor(tile, order, reader)?, lines))
    }
}

/// A box that a tensor map stores in order: the last dimension contiguous, or the first of two.
fn in_order(plan: &Plan, bits: u32) -> Option<Form> {
    let lengths = plan.lengths();
    let lengths = lengths.as_slice();
    if plan.elements() > MOST_COMPARED || lengths.len() > MOST_DIMENSIONS {
        return None;
    }
    let is = |contiguous: usize, at: &dyn Fn(u64) -> u64| {
        let bits_of_row = u64::from(lengths[contiguous]) * u64::from(bits);
        let numbers = 0..plan.elements();
        bits_of_row.is_multiple_of(128)
            && numbers.clone().all(|number| {
                plan.offset(plan.nth(number).as_slice())
                    .is_ok_and(|lies| u64::from(lies) == at(number))
            })
    };
    let last = lengths.len() - 1;
    let is_rows = is(last, &|number| number);
    let is_columns = lengths.len() == 2 && {
        let [rows, columns] = [lengths[0], lengths[1]].map(u64::from);
        is(0, &|number| number % columns * rows + number / columns)
    };
    let order: Vec<usize> = match (is_rows, is_columns) {
        (true, _) => (0..lengths.len()).rev().collect(),
        (_, true) => vec![0, 1],
        _ => return None,
    };
    let (name, alignment) = (Mode::None.name(), Mode::None.base_alignment().unwrap_or(128));
    let about = ", a box in order";
    let told =
        Told::Map { swizzle: Mode::None.number(), boxes: boxes_in_order(lengths, &order, bits) };
    Some(Form { name, about, mode: name, alignment, told })
}

/// The lengths of the largest boxes of a tile that is stored in order, whose dimensions are named the fastest first: behind one
/// that a box does not take whole, it has one index of each.
fn boxes_in_order(lengths: &[u32], order: &[usize], bits: u32) -> Vec<u32> {
    let mut boxes = vec![1; lengths.len()];
    for (place, d) in order.iter().enumerate() {
        let length = lengths[*d];
        // A row of a box is a multiple of 16 bytes.
        let is_whole = |part: &u32| place > 0 || (part * bits).is_multiple_of(128);
        let parts = (1..=length.min(MOST_OF_BOX)).rev().filter(|part| length.is_multiple_of(*part));
        boxes[*d] = parts.filter(is_whole).max().unwrap_or(1);
        if boxes[*d] < length {
            break;
        }
    }
    boxes
}

/// The most elements of a box along a dimension (CUDA Driver API, `cuTensorMapEncodeTiled`).
const MOST_OF_BOX: u32 = 256;

/// The most dimensions of a tensor map.
const MOST_DIMENSIONS: usize = 5;

/// Why no atom is the form of a plan, by the one that would be with as few changes: the widest of whole atoms with the same
/// dimension contiguous.
fn refusal(engine: &str, atoms: &[Atom], plan: &Plan, is_turned: bool) -> String {
    let lengths = plan.lengths();
    let tile = [lengths.at(0), lengths.at(1)];
    let is_k_major = plan.offset(&[0, 1]) == Ok(1) || lengths.at(1) == 1;
    let whole = |atom: &&Atom| atom.tile_to(tile, Fastest::First).is_ok();
    let best = atoms.iter().filter(whole).max_by_key(|atom| {
        (atom.is_k_major() == is_k_major, atom.base_alignment(), atom.is_k_major())
    });
    let Some(atom) = best else {
        let [rows, columns] = tile;
        return format!(
            "{engine} takes tiles made of whole atoms, but no atom divides a tile of {rows} x {columns}"
        );
    };
    let why = match atom.accepts_plan(plan) {
        Err(why) => why.to_string(),
        Ok(_) => String::new(),
    };
    let text = atom.tile_to(tile, Fastest::First).map(|form| form.to_string());
    let instead = match text {
        Ok(text) if !is_turned => format!("; it takes cute = \"{text}\""),
        _ => String::new(),
    };
    format!("{engine} does not take this layout: {why}{instead}")
}

impl Form {
    /// `Layout_K_SW128_Atom, K contiguous, its base at a multiple of 1024 bytes`
    pub(crate) fn sentence(&self) -> String {
        let Self { name, about, alignment, .. } = self;
        format!("{name}{about}, its base at a multiple of {alignment} bytes")
    }
}
