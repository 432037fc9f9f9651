//! Layouts as kernels write them, in CuTe's C++ and in its Python DSL.
//!
//! ```text
//!   auto atom = composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{});
//!   auto sA = tile_to_shape(atom, make_shape(Int<128>{}, _64{}));
//!
//!   atom = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))
//!   sA = cute.tile_to_shape(atom, (128, 64), (0, 1))
//! ```
//!
//! Both are `Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))`, which [`cute::parse`] reads.
//!
//! | is written | is |
//! |---|---|
//! | `_8`, `_8{}`, `Int<8>{}`, `C<8>` | 8; numbers may be added, subtracted, multiplied and divided |
//! | `Shape<..>`, `Stride<..>`, `Step<..>`, `make_shape(..)`, `(..)` | a tuple |
//! | `Layout<S, D>`, `make_layout(S, D)`, `make_layout(S, stride=D)` | `S:D`; without `D`, or with `LayoutLeft`, the first mode is contiguous; with `LayoutRight` the last |
//! | `make_ordered_layout(S, order=(1, 0))` | the mode of order 0 contiguous |
//! | `Swizzle<3,3,3>{}`, `make_swizzle(3, 3, 3)` | `Sw<3,3,3>` |
//! | `composition(..)`, `make_composed_layout(..)`, `ComposedLayout<..>` | a layout behind a swizzle |
//! | `GMMA::Layout_K_SW128_Atom<half_t>{}` | an [`Atom`](super::gmma::Atom) |
//! | `make_tiled_copy(atom, threads, values)`, `make_layout_tv(threads, values)` | a TV layout: [`tiled`] |
//! | `auto name = ..;`, `using name = decltype(..);`, `name = ..` | a name for what follows; the last is the layout |
//!
//! Source: NVIDIA/cutlass, `include/cute/layout.hpp`, `include/cute/swizzle_layout.hpp`, `python/CuTeDSL/cutlass/cute/core.py`,
//! and the examples beside them.

mod value;
mod words;

use super::cute::{self, Composed, Strided};
use crate::Error;
use words::Words;

/// Reads a layout as it is printed ([`cute::parse`]), or as a kernel writes it.
///
/// ```
/// use tiledesc_host::exchange::source;
///
/// let text = "
///     static constexpr int kBlockM = 128;
///     using Atom = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
///     using SmemLayoutQ = decltype(tile_to_shape(Atom{}, Shape<Int<kBlockM>, _64>{}));";
/// let tile = source::parse(text)?;
/// assert_eq!(tile.to_string(), "Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))");
/// assert_eq!(tile.offset_of(&[3, 0, 17, 0]), Some(201));
///
/// let unknown = source::parse("make_layout(make_shape(bM, _64{}))").unwrap_err();
/// assert_eq!(
///     unknown.to_string(),
///     "at byte 23: `bM` has no value here: write it before, as in `bM = 128;`, or the number in its place",
/// );
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// A text of neither kind, with the byte; a name without a value; what [`cute::parse`] refuses.
pub fn parse(text: &str) -> Result<Composed, Error> {
    match cute::parse(text) {
        Err(_) if is_source(text) => Words::new(text).layout(),
        read => read,
    }
}

/// Returns whether the swizzle of a text counts elements for certain: C++'s `Swizzle<..>` is applied to a layout's
/// offsets, while the DSL's may be moved to the pointer, where it counts bytes.
///
/// ```
/// use tiledesc_host::exchange::source::counts_elements;
///
/// assert!(counts_elements("composition(Swizzle<3,3,3>{}, Layout<Shape<_8,_64>, Stride<_64,_1>>{})"));
/// assert!(!counts_elements("Sw<3,3,3> o 0 o (8,64):(64,1)"));
/// ```
#[must_use]
pub fn counts_elements(text: &str) -> bool {
    text.contains("Swizzle<")
}

/// How a text states a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// As CuTe prints it.
    Printed,
    /// As CuTe's C++ makes it.
    Cpp,
    /// As the Python DSL makes it.
    Dsl,
    /// By an [`Atom`](super::gmma::Atom), whose swizzle counts bytes.
    Atom,
}

/// How a text that [`parse`] reads states its layout.
///
/// ```
/// use tiledesc_host::exchange::source::{Style, style};
///
/// assert_eq!(style("tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128,_64>{})"), Style::Atom);
/// assert_eq!(style("make_layout(make_shape(_128{}, _64{}))"), Style::Cpp);
/// assert_eq!(style("cute.make_layout((8, 64), stride=(64, 1))"), Style::Dsl);
/// assert_eq!(style("Sw<3,3,3> o 0 o (8,64):(64,1)"), Style::Printed);
/// ```
#[must_use]
pub fn style(text: &str) -> Style {
    let has = |words| text.contains(words);
    match has("make_") {
        _ if has("_Atom") => Style::Atom,
        _ if has("Swizzle<") || has("Layout<") => Style::Cpp,
        true if has("{") => Style::Cpp,
        true => Style::Dsl,
        false => Style::Printed,
    }
}

/// Returns whether a text has a word of a kernel's source that no printed layout has.
fn is_source(text: &str) -> bool {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut words = text.split(|c| !is_name(c));
    let begins = ["make_", "Layout", "Swizzle", "ComposedLayout", "Shape", "Int"];
    text.contains('=') || words.any(|word| begins.iter().any(|begin| word.starts_with(begin)))
}

/// A TV layout as a kernel makes it, and the lengths of the tile that it covers: of a layout of threads and one of the values
/// of each.
///
/// ```
/// use tiledesc_host::exchange::source;
///
/// let text = "make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEALWAYS<uint128_t>, half_t>{},
///                             Layout<Shape<_16,_8>,Stride<_8,_1>>{},  // threads, k-major
///                             Layout<Shape< _1,_8>>{})";
/// let (tv, covered) = source::tiled(text)?;
/// // CuTe prints the Tiler (16,64) and ((8,16),8):((128,1),16).
/// assert_eq!((tv.at(1), tv.at(8), tv.at(128)), (Some(128), Some(1), Some(16)));
/// assert_eq!(covered, [16, 64]);
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
///
/// # Errors
///
/// Another text; layouts that do not number their threads and values each once.
pub fn tiled(text: &str) -> Result<(Composed, Vec<u32>), Error> {
    Words::new(text).tiled()
}

/// A layout as C++ writes it.
///
/// ```
/// use tiledesc_host::exchange::{cute, source};
///
/// let tile = cute::parse("Sw<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))")?;
/// let text = "composition(Swizzle<3,3,3>{}, Layout<Shape<_128,Shape<_64,_2>>, Stride<_64,Stride<_1,_8192>>>{})";
/// assert_eq!(source::cpp(&tile), text);
/// assert_eq!(source::parse(text)?.to_string(), tile.to_string());
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[must_use]
pub fn cpp(tile: &Composed) -> String {
    let of = |name, tuple: String| {
        // A number alone is no tuple.
        let tuple = tuple.replace('(', &format!("{name}<")).replace(')', ">");
        let digit = |(i, c): (usize, char)| {
            let begins =
                c.is_ascii_digit() && (i == 0 || !tuple.as_bytes()[i - 1].is_ascii_digit());
            if begins { format!("_{c}") } else { c.to_string() }
        };
        tuple.char_indices().map(digit).collect::<String>()
    };
    let (shape, stride) = halves(tile.layout());
    let layout = format!("Layout<{}, {}>{{}}", of("Shape", shape), of("Stride", stride));
    let [bits, base, shift] = numbers(tile);
    match (bits, tile.offset()) {
        (0, 0) => layout,
        (_, 0) => format!("composition(Swizzle<{bits},{base},{shift}>{{}}, {layout})"),
        (_, offset) => {
            format!("composition(Swizzle<{bits},{base},{shift}>{{}}, Int<{offset}>{{}}, {layout})")
        }
    }
}

/// A layout as the Python DSL writes it.
///
/// ```
/// use tiledesc_host::exchange::{cute, source};
///
/// let tile = cute::parse("Sw<3,3,3> o 0 o (128,64):(64,1)")?;
/// let text = "cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((128, 64), stride=(64, 1)))";
/// assert_eq!(source::dsl(&tile), text);
/// assert_eq!(source::parse(text)?.to_string(), tile.to_string());
/// # Ok::<(), tiledesc_host::Error>(())
/// ```
#[must_use]
pub fn dsl(tile: &Composed) -> String {
    let (shape, stride) = halves(tile.layout());
    let [shape, stride] = [shape, stride].map(|tuple| tuple.replace(',', ", "));
    let layout = format!("cute.make_layout({shape}, stride={stride})");
    let ([bits, base, shift], offset) = (numbers(tile), tile.offset());
    if (bits, offset) == (0, 0) {
        return layout;
    }
    format!(
        "cute.make_composed_layout(cute.make_swizzle({bits}, {base}, {shift}), {offset}, {layout})"
    )
}

/// Shape and stride as tuples of plain numbers: `(128,(64,2))`, `(64,(1,8192))`.
fn halves(layout: &Strided) -> (String, String) {
    let text = layout.to_string().replace('_', "");
    let (shape, stride) = text.split_once(':').expect("a layout is printed with a colon");
    (shape.to_string(), stride.to_string())
}

/// The numbers of the swizzle, in elements.
fn numbers(tile: &Composed) -> [i64; 3] {
    let swizzle = tile.swizzle();
    [i64::from(swizzle.bits()), i64::from(swizzle.base()), i64::from(swizzle.shift())]
}
