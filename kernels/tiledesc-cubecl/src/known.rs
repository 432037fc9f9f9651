//! A `tiledesc` descriptor as CubeCL's layout, with its lengths as constants of the kernel.

use crate::index::Traced;
use crate::tiled::masked;
use cubecl::intrinsic;
use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Layout, LayoutExpand};
use tiledesc::{Descriptor, Ranked};

/// A `tiledesc` descriptor of two dimensions whose lengths are constants of the kernel, of the type
/// or of the value: padded, embedded, of an image.
#[derive(CubeType, Clone, Copy, Debug)]
#[expand(derive(Clone, Copy))]
pub struct Known<D: Descriptor + Ranked<2> + 'static> {
    #[cube(comptime)]
    descriptor: D,
}

#[cube]
impl<D: Descriptor + Ranked<2> + 'static> Known<D> {
    /// The view that a descriptor is.
    #[must_use]
    pub fn new(#[comptime] descriptor: D) -> Self {
        Known::<D> { descriptor }
    }
}

#[cube]
impl<D: Descriptor + Ranked<2> + 'static> Layout for Known<D> {
    type Coordinates = (u32, u32);
    type SourceCoordinates = Coords1d;

    fn to_source_pos(&self, pos: (u32, u32)) -> usize {
        let (offset, _valid) = masked_of::<D>(pos, self.descriptor);
        offset as usize
    }

    fn to_source_pos_checked(&self, pos: (u32, u32)) -> (usize, bool) {
        let (offset, valid) = masked_of::<D>(pos, self.descriptor);
        (offset as usize, valid)
    }

    fn shape(&self) -> (u32, u32) {
        let lengths = comptime!(self.descriptor.lengths());
        (comptime!(lengths[0]).runtime(), comptime!(lengths[1]).runtime())
    }

    fn is_in_bounds(&self, pos: (u32, u32)) -> bool {
        let (_offset, valid) = masked_of::<D>(pos, self.descriptor);
        valid
    }
}

/// The offset of a coordinate, and whether it is in range and outside of padding.
#[cube]
#[allow(unused_variables)]
fn masked_of<D: Descriptor + Ranked<2> + 'static>(
    pos: (u32, u32),
    #[comptime] descriptor: D,
) -> (u32, bool) {
    intrinsic!(|scope| {
        let (row, column) = pos;
        masked(descriptor, [row, column].map(|index| Traced::new(scope, index)))
    })
}
