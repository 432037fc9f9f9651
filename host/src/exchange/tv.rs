//! TV layouts of CuTe: which element of a tile each thread holds as which of its values.
//!
//! ```text
//!   ((_4,_8),(_2,_2)):((_32,_1),(_16,_8))     SM80_16x8_Row: thread 9, value 1 is number 49 = 1 + 16 * 3, (1, 3)
//! ```
//!
//! Numbers count the first dimension fastest. CuTe's threads are lanes and warps here, the values registers; where the tile
//! is larger than what the TV layout covers, further registers repeat it, along the first dimension first.

use super::cute::Swizzle;
use super::source;
use super::triton::Registers;
use crate::Error;
use tiledesc::List;

/// The register layout of a TV layout that covers a tile of lengths `covered`, over one of lengths `tile`, in waves of so
/// many lanes.
///
/// ```
/// use tiledesc::List;
/// use tiledesc_host::exchange::tv;
///
/// let text = "((_4,_8),(_2,_2)):((_32,_1),(_16,_8))";
/// let of = |tile| tv::registers(text, List::pair(16, 8), tile, 32);
/// assert_eq!(
///     of(List::pair(16, 8))?.to_string(),
///     "register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = []",
/// );
/// // Over 32 rows twice.
/// assert_eq!(of(List::pair(32, 8))?.register()[2], [16, 0]);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// Another text, also one with a swizzle; modes that are not of threads and values; lengths that are not powers of two; fewer
/// threads than lanes; numbers outside the tile that is covered, or one that is larger than the tile.
pub fn registers(text: &str, covered: List, tile: List, lanes: u32) -> Result<Registers, Error> {
    let parsed = source::parse(text)?;
    if *parsed.swizzle() != Swizzle::NONE || parsed.offset() != 0 {
        return Err(Error::no_form("a TV layout has no swizzle and no offset"));
    }
    let layout = parsed.layout();
    let modes = layout.lengths().len();
    if modes != 2 {
        return Err(Error::number(format!(
            "a TV layout has two modes, of threads and of values, but this one has {modes}"
        )));
    }
    fits(&covered, &tile)?;
    let (mut images, mut mode) = ([Vec::new(), Vec::new()], 0);
    for (at, length) in layout.shape().as_slice().iter().enumerate() {
        mode += usize::from(at > 0 && layout.begins_mode(at));
        if !length.is_power_of_two() {
            return Err(Error::number(format!(
                "mode {at} has length {length}, which is not a power of two"
            )));
        }
        for bit in 0..length.ilog2() {
            let number = u64::from(layout.stride().at(at)) << bit;
            images[mode].push(coordinate(number, &covered)?);
        }
    }
    let [threads, mut values] = images;
    let bits = lanes.ilog2() as usize;
    if threads.len() < bits {
        let threads = 1u32 << threads.len();
        return Err(Error::number(format!(
            "the TV layout has {threads} threads, but a wave has {lanes} lanes"
        )));
    }
    let (lane, warp) = threads.split_at(bits);
    for d in 0..tile.len() {
        let steps = (covered.at(d).ilog2()..tile.at(d).ilog2()).map(|bit| 1 << bit);
        values.extend(
            steps.map(|step| List::of_first([0; List::CAPACITY], tile.len()).with(d, step)),
        );
    }
    Registers::new(tile, [&values, lane, warp])
}

/// A TV layout and the tile that it covers, of a text that says both: what CuTe prints of a `TiledCopy`, in C++ or in the
/// Python DSL, or how a kernel makes one ([`source::tiled`]).
///
/// ```
/// use tiledesc_host::exchange::tv;
///
/// let copy = "TiledCopy
///   Tiler_MN:       (_16,_64)
///   TiledLayout_TV: ((_8,_16),_8):((_128,_1),_16)";
/// let (text, covered) = tv::of_copy(copy).unwrap()?;
/// assert_eq!((&text[..], covered.as_slice()), ("((_8,_16),_8):((_128,_1),_16)", &[16, 64][..]));
/// assert!(tv::of_copy("((8,16),8):((128,1),16)").is_none());
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// A tile of other than whole numbers of neighbours; what [`source::tiled`] refuses.
#[must_use]
pub fn of_copy(text: &str) -> Option<Result<(String, List), Error>> {
    // The word behind one of two names, also where all lines are one.
    let word = |names: [&str; 2]| {
        let rest = names.iter().find_map(|name| text.split_once(name))?.1;
        rest.split_whitespace().next().map(str::to_string)
    };
    let tiler = word(["Tiler MN:", "Tiler_MN:"]);
    let printed = tiler.zip(word(["TV Layout tiled:", "TiledLayout_TV:"]));
    if let Some((tiler, tv)) = printed {
        return Some(tile_of(&tiler).map(|covered| (tv, covered)));
    }
    let is_made = ["make_tiled_copy", "make_layout_tv"].iter().any(|word| text.contains(word));
    let made = || {
        let (tv, covered) = source::tiled(text)?;
        Ok((tv.to_string(), List::from_slice(&covered).map_err(tiledesc::Error::from)?))
    };
    is_made.then(made)
}

/// The lengths of a tiler: `(_16,_64)`, `(16:1,64:1)`.
fn tile_of(tiler: &str) -> Result<List, Error> {
    let inside = tiler.trim_start_matches('(').trim_end_matches(')');
    let length = |one: &str| {
        let one = one.trim().trim_start_matches('_');
        one.strip_suffix(":_1").or(one.strip_suffix(":1")).unwrap_or(one).parse().ok()
    };
    let lengths: Option<Vec<u32>> = inside.split(',').map(length).collect();
    let list = lengths.and_then(|lengths| List::from_slice(&lengths).ok());
    list.ok_or_else(|| {
        Error::no_form(format!("the tiler {tiler} does not take neighbours, as (16:1,64:1) does: write the TV layout and `of (16, 64)`"))
    })
}

/// Refuses a tile that what is covered does not divide.
fn fits(covered: &List, tile: &List) -> Result<(), Error> {
    let is_whole = |(part, whole): (&u32, &u32)| {
        part.is_power_of_two() && whole.is_power_of_two() && part <= whole
    };
    let each = covered.as_slice().iter().zip(tile.as_slice());
    if covered.len() == tile.len() && each.clone().all(is_whole) {
        return Ok(());
    }
    let said = |list: &List| {
        let each: Vec<_> = list.as_slice().iter().map(u32::to_string).collect();
        format!("({})", each.join(", "))
    };
    Err(Error::number(format!(
        "a TV layout of a tile of {} cannot be repeated over one of {}: powers of two are wanted, none larger",
        said(covered),
        said(tile)
    )))
}

/// The coordinate of a number that counts the first dimension fastest.
fn coordinate(number: u64, lengths: &List) -> Result<List, Error> {
    let all = lengths.elements();
    if number >= all {
        return Err(Error::number(format!(
            "the TV layout reaches element {number} of a tile of {all}"
        )));
    }
    Ok(lengths.reverse().nth(number).reverse())
}
