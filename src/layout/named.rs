//! `layout!` names a layout and checks it where it is written; `assert_injective!` and `assert_bijective!` prove more.

/// Names layouts and checks each where it is written.
///
/// What is wrong with a layout, an overlap above all, is an error on this line, with the
/// layout's name and the numbers; a bare type alias would be checked only where it is used.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     /// A operand: 128 rows of M, 64 of K, fp16, packs of eight.
///     pub type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
/// }
/// assert_eq!(ABlock::BYTES, 16384);
/// ```
///
/// A block holds any number of layouts. A layout may have parameters; then it is checked
/// where a kernel uses it, by [`Layout::check`](crate::Layout::check) or by a statement:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     pub type Tile<const BM: usize, const BK: usize> =
///         recipe::GemmXor<F16, M<BM>, K<BK>, KPack<8>>;
/// }
/// fn kernel<const BM: usize, const BK: usize>(m: u32, k: u32) -> u32 {
///     const { Tile::<BM, BK>::check("Tile") }; // names kernel::<128, 96> if it cannot be
///     Tile::<BM, BK>::at([m, k])
/// }
/// assert_eq!(kernel::<128, 64>(3, 17), 201);
/// ```
///
/// A layout in which two coordinates share an offset is refused, and so is one for which that cannot be decided at compile time.
/// A sliding window overlaps on purpose; `#[may_overlap]`, after the documentation, states so to the reader as well, and puts
/// [`MayOverlap`](crate::MayOverlap) around its recipe:
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! {
///     /// Three taps at each of 14 places of a row.
///     #[may_overlap]
///     type Window = Layout<F16, Naive<seq![14, 3], seq![1, 1]>>;
/// }
/// assert_eq!(Window::offset([4, 2]), Window::offset([5, 1]));
/// ```
///
/// In a type that begins with `recipe::` or `Layout<`, an integer in a list of two or more arguments means that
/// [`Lit`](crate::Lit): `Layout<F16, Swapped<64, 128, 8, 1>>`; a single one stays what it is: `M<128>`; and `M`, `N`, `K` and
/// `MN` are the recipe parameters, without a `use`, even where there is another `M`; a number of your own of that name is written
/// with its path, `self::M<128>`. Any other type is taken as it is written, with its own constants and its own `M`.
#[macro_export]
macro_rules! layout {
    ($($layouts:tt)*) => { $crate::__layouts! { {$crate} $($layouts)* } };
}

/// Refuses, at compile time, layouts that are not bijections onto their element
/// space; the error names two coordinates that collide, or counts the holes.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// assert_bijective! { Tile }
/// ```
#[macro_export]
macro_rules! assert_bijective {
    ($($Layout:ty),+ $(,)?) => {
        $($crate::__point! {
            {$Layout} const _: () = $crate::layout::check_bijective::<$Layout>(::core::stringify!($Layout));
        })+
    };
}

/// Refuses, at compile time, layouts in which two coordinates share an offset; gaps between elements are allowed.
///
/// ```
/// use tiledesc::prelude::*;
///
/// layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
/// assert_injective! { Padded }
/// ```
#[macro_export]
macro_rules! assert_injective {
    ($($Layout:ty),+ $(,)?) => {
        $($crate::__point! {
            {$Layout} const _: () = $crate::layout::check_injective::<$Layout>(::core::stringify!($Layout));
        })+
    };
}
