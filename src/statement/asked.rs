//! The input of the test of a declared layout: the tile and its accesses, and the cycles of the layout that is there now.

use super::stated_access::StatedAccess;
use crate::recipe::Shape;
use crate::search::Use;

/// The input of the test of a declaration.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub tile: Shape,
    pub element: &'static str,
    /// The cycles of the layout that is there now, by the source of more; `None` if it does not serve the accesses.
    pub taken: Option<u64>,
    pub(super) accesses: &'static [StatedAccess<'static>],
}

impl Asked {
    #[doc(hidden)]
    pub fn uses(&self) -> impl Iterator<Item = Use<'static>> {
        self.accesses.iter().map(StatedAccess::uses)
    }
}
