//! The questions of the bank analyzer for values: a plan of the run time, CuTe's text, Triton's bases.
//!
//! ```text
//!   GemmXor::verdict::<MfmaRows<16>>(&row)         a type: also in constants
//!   tile.verdict(F16, MfmaRows::<16>, &row)        any `Mapping`
//! ```

use super::verdict::Verdict;
use crate::access::Addressing;
use crate::access::error::AccessError;
use crate::access::placed::Placed;
use crate::chip::instruction::Instruction;
use crate::element::{Element, ElementName};
use crate::layout::Mapping;
use crate::pattern::Pattern;

/// Bank verdicts for any [`Mapping`], with elements of a type.
///
/// ```
/// use tiledesc_host::exchange::cute;
/// use tiledesc::{chip::gfx942, prelude::*};
///
/// let read = gfx942.instruction("ds_read_b128")?;
/// let tile = cute::parse("Sw<3,3,3> o 0 o (128,64):(64,1)")?;
/// assert_eq!(tile.verdict(F16, MfmaRows::<16>, read)?.degree(), 1);
/// let plain = cute::parse("(128,64):(64,1)")?;
/// assert_eq!(plain.verdict(F16, MfmaRows::<16>, read)?.degree(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Judge: Mapping {
    /// The verdict on a pattern and an instruction: on all instructions that it takes to visit the tile, or on
    /// one, of a pattern that is [`First`](crate::pattern::First).
    ///
    /// # Errors
    ///
    /// [`AccessError`] if there is no plan, the pattern cannot be laid over the tile, or the map knows another width of
    /// its elements, as CuTe's text does by `smem_ptr[16b]`.
    fn verdict<'i, E: Element, P: Pattern>(
        &self,
        _element: E,
        _pattern: P,
        instruction: &'i Instruction,
    ) -> Result<Verdict<'i>, AccessError> {
        let (plan, element) =
            (self.to_plan().map_err(AccessError::Layout)?, element_of::<E>(self)?);
        Placed::named(&plan, element, P::LANES, instruction)?.verdict()
    }

    /// Returns the routes of a pattern's accesses to their addresses.
    ///
    /// # Errors
    ///
    /// As [`verdict`](Self::verdict), and of more than [`Addressing::MOST`] instructions.
    fn addressing<E: Element, P: Pattern>(
        &self,
        _element: E,
        _pattern: P,
        instruction: &Instruction,
    ) -> Result<Addressing, AccessError> {
        let (plan, element) =
            (self.to_plan().map_err(AccessError::Layout)?, element_of::<E>(self)?);
        Placed::named(&plan, element, P::LANES, instruction)?.addressing()
    }
}

impl<T: Mapping + ?Sized> Judge for T {}

/// An element, if the map may be of it: CuTe's `smem_ptr[16b]` is of no element of 32 bits.
fn element_of<E: Element>(map: &(impl Mapping + ?Sized)) -> Result<ElementName, AccessError> {
    let element = ElementName::new::<E>();
    match map.element_bits() {
        Some(map) if map != element.bits => Err(AccessError::OtherWidth { map, element }),
        _ => Ok(element),
    }
}
