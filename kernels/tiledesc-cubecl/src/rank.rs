//! Coordinates of a kernel: `u32`, or a tuple of 2 to 6 of them.

use cubecl::prelude::*;
use cubecl::std::tensor::layout::Coordinates;

/// A coordinate of `R` indices, in the type that CubeCL's `View`s take.
pub trait Coordinate<const R: usize>: Coordinates {
    /// Its indices.
    fn indices(coordinate: <Self as CubeType>::ExpandType) -> [NativeExpand<u32>; R];
    /// A coordinate with that many indices.
    fn of_indices(indices: [NativeExpand<u32>; R]) -> <Self as CubeType>::ExpandType;
}

impl Coordinate<1> for u32 {
    fn indices(coordinate: NativeExpand<Self>) -> [NativeExpand<Self>; 1] {
        [coordinate]
    }
    fn of_indices([index]: [NativeExpand<Self>; 1]) -> NativeExpand<Self> {
        index
    }
}

macro_rules! tuples {
    ($($rank:literal $Tuple:ty: $($index:ident)*;)*) => {$(
        impl Coordinate<$rank> for $Tuple {
            fn indices(($($index),*): <Self as CubeType>::ExpandType) -> [NativeExpand<u32>; $rank] {
                [$($index),*]
            }
            fn of_indices([$($index),*]: [NativeExpand<u32>; $rank]) -> <Self as CubeType>::ExpandType {
                ($($index),*)
            }
        }
    )*};
}

tuples! {
    2 (u32, u32): a b;
    3 (u32, u32, u32): a b c;
    4 (u32, u32, u32, u32): a b c d;
    5 (u32, u32, u32, u32, u32): a b c d e;
    6 (u32, u32, u32, u32, u32, u32): a b c d e f;
}
