//! `synthesize!` declares a layout by what is done to it.
//!
//! ```text
//! error: ABlock: the best of F16 [128, 32] is recipe::GemmXor<..>: 40 cycles, floor 24: the least that the
//!        compiler tries
//!        To take it, end with `at most 40 cycles;`
//! ```

use super::asked::Asked;
use super::form::{form, packed};
use super::instead::Copies;
use super::refusal::{fault, is_free_by_outline, refuse_fills, taken, uses_of};
use super::stated_access::StatedAccess;
use crate::element::Element;
use crate::layout::Tile;
use crate::recipe::{Shape, Spec};
use crate::search::{MOST_USES, Synthesis, SynthesisError, Use};
use tiledesc_transforms::{Text, say};

/// The result for a layout that [`synthesize!`](crate::synthesize!) declares: a [`Synthesis`], and what the compiler needs of it.
///
/// Its lines are typed in this constant, once for the search and for the judge: each is expensive wherever it
/// is typed (see DESIGN, "What the compiler pays for").
///
/// ```
/// use tiledesc::prelude::*;
///
/// synthesize! {
///     type ABlock = F16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<16>;
/// }
/// assert_eq!((ABlock.cycles, ABlock.found().floor), (128, 128));
/// // What is printed can be pasted in its place.
/// assert_eq!(
///     ABlock.to_string(),
///     "recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>: 128 cycles, the floor: no layout does better",
/// );
/// ```
///
/// It is printed with the element of the statement, [`Element::TYPE`](crate::Element::TYPE):
///
/// ```
/// use tiledesc::prelude::*;
///
/// /// An 8-bit logarithm.
/// struct Log8;
/// impl Element for Log8 {
///     type Storage = u8;
///     const BITS: u32 = 8;
///     const NAME: &'static str = "log8";
///     const TYPE: &'static str = "Log8";
/// }
/// synthesize! {
///     type Halves = BF16 [128, 64] on gfx942: read ds_read_b128 by MfmaRows<16>;
///     type Logs = Log8 [128, 64] on gfx942: read ds_read_b64 by MfmaRows<16>;
/// }
/// assert!(Halves.to_string().starts_with("recipe::GemmXor<BF16, M<128>, K<64>, KPack<8>>: 128 cycles"));
/// assert!(Logs.found().text(Log8::TYPE).as_str().contains("<Log8, M<128>, K<64>, "));
/// ```
#[derive(Clone, Copy)]
pub struct Declared {
    found: Synthesis,
    #[doc(hidden)]
    pub numbers: LayoutNumbers,
    accesses: &'static [StatedAccess<'static>],
    /// The number of accesses of one chip, which come one after the other.
    of_chip: usize,
    element: &'static str,
}

impl Declared {
    /// Returns the synthesis that was found, for constants.
    #[must_use]
    pub const fn found(&self) -> &Synthesis {
        &self.found
    }

    /// Returns the statement's tile and accesses, of a layout that nobody has written yet.
    #[doc(hidden)]
    #[must_use]
    pub const fn asked(&self) -> Asked {
        let Self { found, accesses, element, .. } = *self;
        Asked { tile: found.tile, element, accesses, taken: None }
    }
}

impl core::ops::Deref for Declared {
    type Target = Synthesis;

    fn deref(&self) -> &Synthesis {
        &self.found
    }
}

impl core::fmt::Display for Declared {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.found.text(self.element).as_str())
    }
}

impl core::fmt::Debug for Declared {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.found.fmt(f)
    }
}

/// The parameters of the type that is declared. Fields, not methods: see DESIGN, "What the compiler pays
/// for".
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LayoutNumbers {
    pub form: usize,
    pub rows: usize,
    pub columns: usize,
    pub pack: usize,
    pub layers: usize,
    pub line: usize,
    pub every: usize,
    pub pad: usize,
    pub lines: usize,
    /// Masks or columns of packs, as one number.
    pub list: u128,
}

impl LayoutNumbers {
    pub(super) const fn new(spec: &Spec, tile: Shape) -> Self {
        let Shape { rows, columns, .. } = spec.recipe_tile(tile);
        Self {
            form: form(spec.scheme(), spec.lines() != 1, spec.is_transposed()),
            rows: rows as usize,
            columns: columns as usize,
            pack: spec.pack() as usize,
            layers: spec.layers(tile) as usize,
            line: spec.line_packs() as usize,
            every: spec.every() as usize,
            pad: spec.pad() as usize,
            lines: spec.lines() as usize,
            list: packed(spec),
        }
    }
}

/// Returns what was found, for the constants of the type that is declared; [`confirm`] reports what is wrong with it.
#[doc(hidden)]
#[must_use]
pub const fn declare<E: Element, const C: usize, const N: usize>(
    tile: [usize; 2],
    accesses: &'static [[StatedAccess<'static>; N]; C],
) -> Declared {
    let shape = shape::<E>(tile);
    // As many as there are: each has pointers, which the compiler tracks in every copy.
    let (mut uses, mut chip) = ([[accesses[0][0].uses(); N]; C], 0);
    while chip < C {
        let mut i = 0;
        while i < N {
            uses[chip][i] = accesses[chip][i].uses();
            i += 1;
        }
        chip += 1;
    }
    let found = match propose(shape, uses.as_flattened()) {
        Ok(found) => found,
        Err(_) => Synthesis::unknown(shape),
    };
    let numbers = LayoutNumbers::new(&found.layout, shape);
    Declared { found, numbers, accesses: accesses.as_flattened(), of_chip: N, element: E::TYPE }
}

pub(super) const fn shape<E: Element>([rows, columns]: [usize; 2]) -> Shape {
    Shape { rows: rows as u32, columns: columns as u32, bits: E::BITS }
}

const fn propose(shape: Shape, uses: &[Use<'_>]) -> Result<Synthesis, SynthesisError> {
    let count = if uses.len() < MOST_USES { uses.len() } else { MOST_USES };
    shape.synthesize(uses.split_at(count).0)
}

/// Returns the fault of the statement itself.
#[track_caller]
const fn check<E: Element>(
    name: &str,
    shape: Shape,
    accesses: &[StatedAccess<'_>],
    found: &Synthesis,
    limit: Option<u64>,
) {
    if accesses.len() > MOST_USES {
        let text = say!(Text::new(): str(name), ": ", accesses.len(), " accesses are more than ");
        say!(text: MOST_USES).refuse()
    }
    // If no layout was found, the search is asked again for its reason.
    if found.cycles == 0
        && let Err(error) = propose(shape, uses_of(accesses).split_at(accesses.len()).0)
    {
        let text = match error.access() {
            Some(access) => accesses[access - 1].head(name),
            None => say!(Text::new(): str(name), ": "),
        };
        error.reason(text).refuse()
    }
    let is_enough = match limit {
        Some(limit) => found.most_cycles() <= limit,
        None => found.is_free,
    };
    if !is_enough {
        let text = say!(Text::new(): str(name), ": ");
        with_conversion(beyond::<E>(text, shape, found, limit), accesses).refuse()
    }
}

/// "the best of F16 [128, 32] is ..: 40 cycles, floor 24: .."
const fn beyond<E: Element>(
    text: Text,
    tile: Shape,
    found: &Synthesis,
    limit: Option<u64>,
) -> Text {
    let text = say!(text:
        "the best of ", str(E::TYPE), " [", tile.rows, ", ", tile.columns, "] is "
    );
    let text = found.explain(text, E::TYPE);
    match limit {
        Some(limit) => say!(text: "\nThe statement says `at most ", limit, " cycles`"),
        None => {
            let text =
                say!(text: "\nTo take it, end with `at most ", found.most_cycles(), " cycles;`");
            let text = match found.rival_cycles == found.cycles {
                true => text,
                false => text.str(", which counts the source of more"),
            };
            text.str("\nWith `=> _;` behind the accesses, `BLESS=1 cargo test` searches further, as `tiledesc find` does")
        }
    }
}

/// Appends where other instructions than the stated ones are tried: of one write and one read by distributions, which are a
/// conversion from what the one's lanes hold to what the other's do.
const fn with_conversion(text: Text, accesses: &[StatedAccess<'_>]) -> Text {
    let [first, second] = accesses else { return text };
    let is_two_ways = !first.says.is(second.says);
    if is_two_ways && first.is_by_a_distribution() && second.is_by_a_distribution() {
        return text.str(
            "\nOther instructions may convert the one distribution to the other at the floor: `convert!` tries them",
        );
    }
    text
}

/// Judges the type that was declared: the analyzer and the plan of its direct load must confirm the result of the search.
///
/// # Panics
///
/// If nothing was found, or nothing of so few cycles, without a limit of the floor; with the line that is not as the search found
/// it, or whose row is less sure than the statement demands.
#[doc(hidden)]
#[track_caller]
pub const fn confirm<T: Tile>(
    name: &str,
    tile: [usize; 2],
    declared: &Declared,
    limit: Option<u64>,
) {
    let Declared { found, accesses, of_chip, .. } = declared;
    check::<T::Element>(name, shape::<T::Element>(tile), accesses, found, limit);
    refuse_fills::<T>(name, accesses, *of_chip);
    confirm_found::<T>(name, accesses, found);
}

/// Judges a type by accesses that are as a search found them.
#[track_caller]
pub(super) const fn confirm_found<T: Tile>(
    name: &str,
    accesses: &[StatedAccess<'_>],
    found: &Synthesis,
) {
    let (mut cycles, mut i) = (0, 0);
    while i < accesses.len() {
        if is_free_by_outline::<T>(&accesses[i]) {
            i += 1;
            continue;
        }
        let taken = if found.is_free { None } else { taken::<T>(name, &accesses[i]) };
        match taken {
            Some(more) => cycles += more,
            None => {
                if let Some(text) = fault::<T>(name, accesses, i, Copies::ONE) {
                    text.refuse()
                }
            }
        }
        i += 1;
    }
    if cycles > found.cycles {
        let text = say!(Text::new(): str(name), ": ", found.cycles, " cycles by rank, ");
        say!(text: cycles, " by the verdict: this is a fault of tiledesc").refuse()
    }
}

/// Names layouts by what a kernel does to them: the compiler finds each, proves it, and checks it.
///
/// ```
/// use tiledesc::prelude::*;
///
/// synthesize! {
///     /// A of a block of 128 x 32 halves: written row by row, read as two kinds of operands.
///     pub type ABlock = F16 [128, 32] on gfx950:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32> times 4;
/// }
/// // A type as any other: the one that is printed.
/// assert_eq!(ABlock::offset([4, 0]), 128 + 3 * 8);
/// // And a constant of the same name, with what was found.
/// assert_eq!(
///     ABlock.to_string(),
///     "recipe::GemmXorBits<F16, M<128>, K<32>, KPack<8>, MLdsLayer<4>, seq![3, 2]>: \
///      224 cycles, the floor: no layout does better"
/// );
/// ```
///
/// A statement holds any number of accesses on one or more chips, with the words after `as` of
/// [`assert_conflict_free!`](crate::assert_conflict_free!). `times 4` weighs an access, as 4 whole tiles, where a layout cannot
/// serve all. Cycles are those of all instructions that visit the tile. A tile for which no layout is free does not compile,
/// unless the statement allows a number of cycles:
///
/// ```
/// use tiledesc::prelude::*;
///
/// // Either read is free on a swizzle of the dense offset, both on none.
/// synthesize! {
///     type Halves = F16 [64, 96] on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32>;
///     at most 384 cycles;
/// }
/// assert_eq!((Halves.cycles, Halves.floor), (384, 288));
/// ```
///
/// For a tile that a direct load fills, `filled by global_load_lds_b128 by 4 waves,` comes before the accesses, and only layouts
/// that it can fill are searched.
///
/// # With its layout
///
/// After `=>` comes a layout, as [`layout!`](crate::layout!) takes it. Then the compiler searches for nothing: it judges that
/// layout, which may be one that it would not find.
///
/// ```
/// use tiledesc::prelude::*;
///
/// synthesize! {
///     type Halves = F16 [64, 96] on gfx942:
///         write ds_write_b128 by RowMajor,
///         read  ds_read_b128  by MfmaRows<16>,
///         read  ds_read_b128  by MfmaRows<32>
///     => recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>;
///     at most 352 cycles;
/// }
/// assert_eq!((Halves.cycles, Halves.floor), (352, 288));
/// ```
///
/// It has the tile's lengths and elements of as many bits, and without `at most` every access is free. The constant is a
/// [`Certified`](crate::statement::Certified).
///
/// In builds for tests there is a test beside it, `no_layout_is_better_than_Halves`. It searches natively, and fails if another
/// layout takes fewer cycles. With `BLESS=1` it writes that layout into the source, and its cycles where there is a limit:
///
/// ```text
/// $ cargo test
/// Error: Halves: 384 cycles; the best takes 352 cycles, floor 288: no masks over packs do better
/// `BLESS=1 cargo test` writes
/// => recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>; at most 352 cycles;
/// $ BLESS=1 cargo test
/// ```
///
/// * The crate has `tiledesc-host` among its dev-dependencies.
/// * To begin, write `=> _;`. It compiles only with `BLESS=1`, which writes the layout.
/// * What `BLESS=1` writes has numbers: of a layout with constants, `M<{ TILE_M }>`, they take their place. With another
///   value the compiler refuses the layout, and `BLESS=1 cargo test` writes the next.
/// * While `BLESS` is set, for any command of cargo, the layout is not judged.
/// * Rust runs no tests that stand in functions. There, use `tiledesc find`.
///
/// # In generic code
///
/// In code that is generic over the tile, take a recipe with masks, or
/// `tiledesc_host::search::find` at run time.
#[doc(alias = "swizzle")]
#[macro_export]
macro_rules! synthesize {
    ($($declarations:tt)*) => { $crate::__declarations! { {$crate} $($declarations)* } };
}
