//! What the test of a declared layout is asked: the tile and its accesses, and what the layout takes that stands there.

use super::stated_access::StatedAccess;
use crate::recipe::Shape;
use crate::search::Use;

/// What the test of a declaration is asked.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub tile: Shape,
    pub element: &'static str,
    /// The cycles of what stands there, by the source of more; `None` if it does not serve the accesses.
    pub taken: Option<u64>,
    pub(super) accesses: &'static [StatedAccess<'static>],
}

impl Asked {
    #[doc(hidden)]
    pub fn uses(&self) -> impl Iterator<Item = Use<'static>> {
        self.accesses.iter().map(StatedAccess::uses)
    }
}
