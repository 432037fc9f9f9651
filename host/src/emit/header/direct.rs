//! Direct loads: what each lane brings from memory, and where in LDS it lands.
//!
//! ```text
//!   128 x 64 halves, swizzled, 16 bytes a lane, 4 waves, load 2 of wave 1, lane 9
//!     A_fill_base(1, 2)         6144            what the instruction is given: lane L lands at base + 16 L
//!     A_fill_m(1, 9, 2)         49              the element that belongs there
//!     A_fill_k(1, 9, 2)         0
//!     A_fill_valid(1, 9, 2)     whether the lane brings anything, where some are idle
//!     A_fill_offset(.., 1, 9, 2), A_fill_whole(.., 1, 9, 2)    where it is in a tensor, and whether it is in it
//! ```

use super::super::expression::{Condition, Expression};
use super::super::form::check_names;
use super::super::inverse::inverse;
use super::super::language::Returns;
use super::Header;
use super::window::Moved;
use crate::{Error, ErrorKind};
use tiledesc::direct::DirectLoad;
use tiledesc::direct::end_of_tile;
use tiledesc::layout::bytes_of;
use tiledesc::{Extent, Index};

/// The parameters of what a lane brings.
const LOADERS: [&str; 3] = ["wave", "lane", "load"];

impl Header {
    /// Direct loads: for each wave, lane and load the coordinate of the first element that the lane brings, the
    /// byte of LDS, and, with the tile laid at an origin in a tensor of any size, the offset of that element and
    /// whether all that the lane brings is in the tensor.
    ///
    /// `NAME_base` is the operand of an instruction by which lane L lands at `base + stride * L`, equal in all lanes; a
    /// transfer whose lanes have addresses of their own has `NAME_lds`. Bytes count from the layout's first byte. What
    /// is not `whole` must not be loaded by a transfer that has no mask of its own.
    ///
    /// If some lanes are idle, `NAME_valid` returns whether a lane brings anything: what is not valid must not be
    /// issued, is never `whole`, and has no meaningful coordinate.
    ///
    /// ```
    /// use tiledesc::chip::gfx950::global_load_lds_b128;
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::{direct::Source, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let loads = ABlock::direct(Source::rows_of_multiple(8), &global_load_lds_b128).waves(4).plan()?;
    /// let mut header = Header::new(emit::HIP);
    /// header.direct("fill", &["m", "k"], &loads)?;
    /// let text = header.text();
    /// assert!(text.contains("constexpr unsigned fill_LOADS = 4u;\n"));
    /// // Each wave fills 4 chunks of 1024 bytes.
    /// assert!(text.contains("    return (wave << 12) + (load << 10);\n"));
    /// assert!(text.contains("    return (wave << 5) + (load << 3) + (lane >> 3);\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// ```
    /// use tiledesc::chip::gfx950::global_load_lds_b128;
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::{direct::Source, prelude::*};
    ///
    /// // 31 rows of 64 bytes are 124 units of 16: the last four lanes of the second load have none.
    /// layout! { type Tile = recipe::RowMajor<F16, M<31>, K<32>>; }
    /// let loads = Tile::direct(Source::rows(4096), &global_load_lds_b128).idle_lanes().plan()?;
    /// let mut header = Header::new(emit::C);
    /// header.direct("fill", &["m", "k"], &loads)?;
    /// assert!(header.text().contains("    return (load << 10) + (lane << 4) < 1984;\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another number of names than dimensions; idle lanes that no formula tells apart; chunks that are not evenly spaced;
    /// a layout of which no formula leads from an offset to its coordinate; a language of formulas.
    pub fn direct(
        &mut self,
        name: &str,
        dimensions: &[&str],
        loads: &DirectLoad<'_>,
    ) -> Result<&mut Self, Error> {
        check_names(dimensions.len(), loads.layout().rank())?;
        let told = told(loads)?;
        let valid = |first| told.and_then(|told| valid(loads, first, told).ok());
        let (transfer, bits) = (loads.transfer(), loads.bits());
        let index = brought(loads, 0)?;
        for (word, count) in [
            ("WAVES", loads.waves()),
            ("LANES", transfer.wave()),
            ("LOADS", loads.loads()),
            ("BYTES", transfer.data()),
        ] {
            self.constant(&format!("{name}_{word}"), u64::from(count))?;
        }
        match transfer.stride() {
            Some(stride) => {
                let base = base(loads, 0, 1)?;
                let about =
                    format!("The byte of LDS of lane 0; lane L lands {stride} * L bytes behind.");
                let (function, names) = (format!("{name}_base"), ["wave", "load"]);
                self.write(&about, &function, &names, Returns::Value(&base))?;
            }
            None => {
                let zero = Expression::number(0);
                let offset = loads.layout().fused(&index, &zero)?;
                let begin = Expression::number(loads.begin());
                let mut byte = bytes_of(&offset, bits).add(&begin);
                if let Some(part) = part(loads, 0) {
                    byte = byte.add(&part.mul(Extent::constant(transfer.data())));
                }
                let about = "The byte of LDS to which a lane brings.";
                let function = format!("{name}_lds");
                self.write(about, &function, &LOADERS, Returns::Value(&byte))?;
            }
        }
        for (dimension, index) in dimensions.iter().zip(&index) {
            let about = format!("{dimension} of the first element that a lane brings.");
            self.function(&about, &format!("{name}_{dimension}"), &LOADERS, index)?;
        }
        if let Some(part) = part(loads, 0) {
            let (data, about) = (transfer.data(), "The part of the element that a lane brings");
            let about = format!("{about}, of {data} bytes each.");
            self.function(&about, &format!("{name}_part"), &LOADERS, &part)?;
        }
        if let Some(mask) = &valid(0) {
            let about = "Whether a lane brings anything: what is not valid must not be issued.";
            self.write(about, &format!("{name}_valid"), &LOADERS, Returns::Holds(mask))?;
        }
        let vector = (transfer.data() * 8 / bits).max(1);
        let at = |first| brought(loads, first).unwrap_or_default();
        self.tensor(name, dimensions, &Moved { holders: LOADERS, at: &at, mask: &valid, vector })
    }
}

/// The comparisons that show whether a lane brings anything.
#[derive(Clone, Copy)]
enum Told {
    /// Its unit or its byte comes before the end of the tile, or its coordinate is within the tile's lengths.
    Below,
    /// In addition, the lane's byte holds the element of that coordinate; in padding, another element's is elsewhere.
    There,
}

/// The comparisons that agree with the plan for every lane; `None` if no lane is idle.
fn told(loads: &DirectLoad<'_>) -> Result<Option<Told>, Error> {
    if loads.idle() == 0 {
        return Ok(None);
    }
    let [waves, lanes, count] = [loads.waves(), loads.transfer().wave(), loads.loads()];
    for told in [Told::Below, Told::There] {
        let valid = valid(loads, 0, told)?;
        let is_true = |place: u32| {
            let [wave, lane, load] = [place / lanes / count, place % lanes, place / lanes % count];
            let at = [wave, lane, load].map(Expression::number);
            valid.holds(&at) == loads.unit(wave, load, lane).is_some()
        };
        if (0..waves * lanes * count).all(is_true) {
            return Ok(Some(told));
        }
    }
    Err(Error::no_form(format!(
        "{} lanes of its direct loads are idle, and no formula says which ones",
        loads.idle()
    )))
}

/// The condition that a lane brings anything, of parameters that follow `first` others.
fn valid(loads: &DirectLoad<'_>, first: usize, told: Told) -> Result<Condition, Error> {
    let Some(stride) = loads.transfer().stride() else {
        let units = u32::try_from(loads.units()).unwrap_or(u32::MAX);
        return Ok(number(loads, first).below(Extent::constant(units)));
    };
    if let Some(end) = end_of_tile(loads) {
        let base = base(loads, first, first + 2)?;
        let lane = loaders(loads, first)[1].mul(Extent::constant(stride));
        return Ok(base.add(&lane).below(Extent::constant(end)));
    }
    let (layout, index) = (loads.layout(), brought(loads, first)?);
    let below = |(d, at): (usize, &Expression)| at.below(Extent::constant(layout.lengths().at(d)));
    let mut all = Condition::new(Vec::new());
    for one in index.iter().enumerate().map(below) {
        all = Expression::both(&all, &one);
    }
    if let Told::There = told {
        let here = layout.fused(&index, &Expression::number(0))?;
        let differs = here.xor(&offset(loads, first, stride)?);
        all = Expression::both(&all, &differs.below(Extent::constant(1)));
    }
    Ok(all)
}

/// Wave, lane and load, of parameters that follow `first` others.
fn loaders(loads: &DirectLoad<'_>, first: usize) -> [Expression; 3] {
    let counts = [loads.waves(), loads.transfer().wave(), loads.loads()];
    core::array::from_fn(|i| Expression::coordinate(first + i, counts[i]))
}

/// The byte of LDS of lane 0, of a wave and a load by their places among the parameters.
fn base(loads: &DirectLoad<'_>, wave: usize, load: usize) -> Result<Expression, Error> {
    let last = (loads.waves() - 1, loads.loads() - 1);
    let begin = loads.base(0, 0);
    let step = |wave, load| loads.base(wave, load).wrapping_sub(begin);
    let by_wave = if last.0 > 0 { step(1, 0) } else { 0 };
    let by_load = if last.1 > 0 { step(0, 1) } else { 0 };
    let is_even = |wave: u32, load: u32| {
        step(wave, load) == wave.wrapping_mul(by_wave).wrapping_add(load.wrapping_mul(by_load))
    };
    if !(0..=last.0).all(|wave| (0..=last.1).all(|load| is_even(wave, load))) {
        return Err(Error::no_form(
            "the chunks of its direct loads are not evenly spaced, and no formula has their bytes",
        ));
    }
    let wave = Expression::coordinate(wave, loads.waves()).mul(Extent::constant(by_wave));
    let load = Expression::coordinate(load, loads.loads()).mul(Extent::constant(by_load));
    Ok(wave.add(&load).add(&Expression::number(begin)))
}

/// The coordinate of the first element that a lane brings.
fn brought(loads: &DirectLoad<'_>, first: usize) -> Result<Vec<Expression>, Error> {
    let Some(stride) = loads.transfer().stride() else { return dealt(loads, first) };
    let offset = offset(loads, first, stride)?;
    let back = inverse(loads.layout())
        .map_err(|why| why.of_kind(ErrorKind::NoForm, "no formula leads back from an offset: "))?;
    Ok(back.iter().map(|index| index.replaced(core::slice::from_ref(&offset))).collect())
}

/// The offset at which a lane lands, if each lands `stride` bytes after the lane before it.
fn offset(loads: &DirectLoad<'_>, first: usize, stride: u32) -> Result<Expression, Error> {
    let begin = Expression::number(loads.begin());
    let base = base(loads, first, first + 2)?.sub(&begin);
    let byte = base.add(&loaders(loads, first)[1].mul(Extent::constant(stride)));
    Ok(byte.mul(Extent::constant(8)).div(Extent::constant(loads.bits())))
}

/// The number of the unit that a lane brings where units are dealt to lanes.
fn number(loads: &DirectLoad<'_>, first: usize) -> Expression {
    let [wave, lane, load] = loaders(loads, first);
    let [lanes, waves] = [loads.transfer().wave(), loads.waves()].map(Extent::constant);
    let chunk = match loads.is_blocked() {
        true => wave.mul(Extent::constant(loads.loads())).add(&load),
        false => load.mul(waves).add(&wave),
    };
    chunk.mul(lanes).add(&lane)
}

/// Units in the order of a source whose last dimension is contiguous.
fn dealt(loads: &DirectLoad<'_>, first: usize) -> Result<Vec<Expression>, Error> {
    let (data, bits) = (loads.transfer().data() * 8, loads.bits());
    let parts = Extent::constant(bits.div_ceil(data));
    let mut id = number(loads, first).div(parts).mul(Extent::constant((data / bits).max(1)));
    let lengths = loads.layout().lengths();
    let mut index = Vec::new();
    for d in loads.order_of_source().rev() {
        let length = Extent::constant(lengths.at(d));
        index.push((d, id.rem(length)));
        id = id.div(length);
    }
    index.sort_by_key(|(d, _)| *d);
    Ok(index.into_iter().map(|(_, index)| index).collect())
}

/// The part of an element that a lane brings, if elements are larger than what it brings.
fn part(loads: &DirectLoad<'_>, first: usize) -> Option<Expression> {
    let data = loads.transfer().data() * 8;
    let parts = loads.bits().div_ceil(data);
    if parts == 1 {
        return None;
    }
    let stride = loads.transfer().stride();
    let number = match stride {
        None => number(loads, first),
        // Lane by lane a part further, from a chunk that begins with an element.
        Some(_) => loaders(loads, first)[1].clone(),
    };
    Some(number.rem(Extent::constant(parts)))
}
