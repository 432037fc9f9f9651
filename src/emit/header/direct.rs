//! Direct loads: what each lane brings from memory, and where in LDS it lands.
//!
//! ```text
//!   128 x 64 halves, swizzled, 16 bytes a lane, 4 waves, load 2 of wave 1, lane 9
//!     A_fill_base(1, 2)         6144            what the instruction is given: lane L lands at base + 16 L
//!     A_fill_m(1, 9, 2)         49              the element that belongs there
//!     A_fill_k(1, 9, 2)         0
//!     A_fill_offset(.., 1, 9, 2), A_fill_whole(.., 1, 9, 2)    where it is in a tensor, and whether it is in it
//! ```

use super::super::error::EmitError;
use super::super::expression::Expression;
use super::super::inverse::inverse;
use super::super::language::Returns;
use super::Header;
use super::held::named;
use super::window::Moved;
use crate::direct::DirectLoad;
use crate::layout::bytes_of;
use alloc::format;
use alloc::vec::Vec;
use tiledesc_transforms::{Extent, Index};

/// The parameters of what a lane brings.
const LOADERS: [&str; 3] = ["wave", "lane", "load"];

impl Header {
    /// Direct loads: for each wave, lane and load the coordinate of the first element that the lane brings, the
    /// byte of LDS, and, with the tile laid at an origin in a tensor of any size, the offset of that element and
    /// whether all that the lane brings is in the tensor.
    ///
    /// Where lane L lands at `base + stride * L`, `NAME_base` is what the instruction is given, and the same in
    /// all lanes; a transfer whose lanes have addresses of their own has `NAME_lds`. Bytes count from the layout's
    /// first byte. What is not `whole` must not be loaded by a transfer that has no mask of its own.
    ///
    /// ```
    /// use tiledesc::chip::gfx950::global_load_lds_b128;
    /// use tiledesc::emit::{self, Header};
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
    /// # Errors
    ///
    /// [`EmitError::Names`]; [`EmitError::Idle`] where lanes are switched off; [`EmitError::Chunks`] where chunks
    /// are not evenly spaced; [`EmitError::Inverse`] where no formula leads from an offset to its coordinate;
    /// [`EmitError::Formula`] of a language of formulas.
    pub fn direct(
        &mut self,
        name: &str,
        dimensions: &[&str],
        loads: &DirectLoad<'_>,
    ) -> Result<&mut Self, EmitError> {
        named(dimensions.len(), loads.layout().rank())?;
        if loads.idle() > 0 {
            return Err(EmitError::Idle { lanes: loads.idle() });
        }
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
                let offset = loads.layout().fused(&index, &zero).map_err(EmitError::Layout)?;
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
        let vector = (transfer.data() * 8 / bits).max(1);
        let at = |first| brought(loads, first).unwrap_or_default();
        self.tensor(name, dimensions, &Moved { holders: LOADERS, at: &at, mask: &|_| None, vector })
    }
}

/// Wave, lane and load, of parameters that follow `first` others.
fn loaders(loads: &DirectLoad<'_>, first: usize) -> [Expression; 3] {
    let counts = [loads.waves(), loads.transfer().wave(), loads.loads()];
    core::array::from_fn(|i| Expression::coordinate(first + i, counts[i]))
}

/// The byte of LDS of lane 0, of a wave and a load by their places among the parameters.
fn base(loads: &DirectLoad<'_>, wave: usize, load: usize) -> Result<Expression, EmitError> {
    let last = (loads.waves() - 1, loads.loads() - 1);
    let begin = loads.base(0, 0);
    let step = |wave, load| loads.base(wave, load).wrapping_sub(begin);
    let by_wave = if last.0 > 0 { step(1, 0) } else { 0 };
    let by_load = if last.1 > 0 { step(0, 1) } else { 0 };
    let is_even = |wave: u32, load: u32| {
        step(wave, load) == wave.wrapping_mul(by_wave).wrapping_add(load.wrapping_mul(by_load))
    };
    if !(0..=last.0).all(|wave| (0..=last.1).all(|load| is_even(wave, load))) {
        return Err(EmitError::Chunks);
    }
    let wave = Expression::coordinate(wave, loads.waves()).mul(Extent::constant(by_wave));
    let load = Expression::coordinate(load, loads.loads()).mul(Extent::constant(by_load));
    Ok(wave.add(&load).add(&Expression::number(begin)))
}

/// The coordinate of the first element that a lane brings.
fn brought(loads: &DirectLoad<'_>, first: usize) -> Result<Vec<Expression>, EmitError> {
    let Some(stride) = loads.transfer().stride() else { return dealt(loads, first) };
    let begin = Expression::number(loads.begin());
    let base = base(loads, first, first + 2)?.sub(&begin);
    let lane = &loaders(loads, first)[1];
    let byte = base.add(&lane.mul(Extent::constant(stride)));
    let offset = byte.mul(Extent::constant(8)).div(Extent::constant(loads.bits()));
    let back = inverse(loads.layout()).map_err(EmitError::Inverse)?;
    Ok(back.iter().map(|index| index.replaced(core::slice::from_ref(&offset))).collect())
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
fn dealt(loads: &DirectLoad<'_>, first: usize) -> Result<Vec<Expression>, EmitError> {
    let (data, bits) = (loads.transfer().data() * 8, loads.bits());
    let parts = Extent::constant(bits.div_ceil(data));
    let mut id = number(loads, first).div(parts).mul(Extent::constant((data / bits).max(1)));
    let lengths = loads.layout().lengths();
    let mut index = Vec::new();
    for d in loads.order_of_source().into_iter().rev() {
        let length = Extent::constant(lengths.at(d));
        index.push((d, id.rem(length)));
        id = id.div(length);
    }
    index.sort_by_key(|(d, _)| *d);
    Ok(index.into_iter().map(|(_, index)| index).collect())
}

/// Of an element that is larger than what a lane brings, which part.
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
