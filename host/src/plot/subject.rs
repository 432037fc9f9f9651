//! The subject of a figure: a layout with its name and the width of its elements.

use crate::Error;
use core::ops::Range;
use tiledesc::Element;
use tiledesc::Mapping;
use tiledesc::Plan;
use tiledesc::access::Placed;
use tiledesc::chip::Instruction;
use tiledesc::pattern::Lanes;

/// A layout that figures are drawn of; each is a method.
///
/// ```
/// use tiledesc_host::exchange::cute;
/// use tiledesc::{chip::gfx942, prelude::*};
/// use tiledesc_host::plot::Draw;
///
/// // A type knows its element; of a value it is said.
/// layout! { type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let typed = Tile::default().figure().phases(&gfx942::ds_read_b128, MfmaRows::<16>)?;
/// let text = cute::parse("Sw<3,3,3> o 0 o (128,64):(64,1)")?.figure().with_element(F16).named("GemmXor");
/// let read = text.phases(&gfx942::ds_read_b128, MfmaRows::<16>)?;
/// assert_eq!(typed.svg(), read.svg());
///
/// // Of 144 lines the first four: three of them have 16 bytes of padding.
/// let padded = Plan::naive(&[128, 64], &[72, 1])?.figure().of_bits(16).rows(0..4);
/// let ladder = padded.ladder(&gfx942::ds_read_b128)?;
/// assert_eq!(ladder.cells().filter(|cell| cell.is_hatched()).count(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Subject {
    pub(super) name: String,
    plan: Result<Plan, tiledesc::Error>,
    /// Bits of an element, as the map has them, and as the user gives them.
    bits: [Option<u32>; 2],
    rows: Option<Range<usize>>,
}

impl Subject {
    /// The subject of a map, with this name.
    pub(crate) fn new<T: Mapping + ?Sized>(name: &str, map: &T) -> Self {
        Self {
            name: name.into(),
            plan: map.to_plan(),
            bits: [map.element_bits(), None],
            rows: None,
        }
    }

    /// Names the subject, for headings.
    #[must_use]
    pub fn named(mut self, name: &str) -> Self {
        self.name = name.into();
        self
    }

    /// Gives elements a type, for a map that does not know its own.
    #[must_use]
    pub fn with_element<E: Element>(self, _element: E) -> Self {
        self.of_bits(E::BITS)
    }

    /// Gives elements this many bits, for tools that read them from a file.
    #[must_use]
    pub fn of_bits(self, bits: u32) -> Self {
        Self { bits: [self.bits[0], Some(bits)], ..self }
    }

    /// Draws only these rows of a grid, or lines of a ladder.
    #[must_use]
    pub fn rows(mut self, rows: Range<usize>) -> Self {
        self.rows = Some(rows);
        self
    }

    /// The name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn plan(&self) -> Result<&Plan, Error> {
        self.plan.as_ref().map_err(|error| (*error).into())
    }

    pub(super) fn width(&self) -> Result<u32, Error> {
        match self.bits {
            [Some(map), Some(figure)] if map != figure => Err(Error::mismatch(format!(
                "the layout is of elements of {map} bits, but the figure of {figure}"
            ))),
            [own, stated] => own.or(stated).ok_or_else(|| {
                let refused =
                    "a figure of banks needs the width of an element: name it with `.with_element(F16)`";
                Error::number(refused)
            }),
        }
    }

    /// The rows to be drawn, of this many.
    pub(super) fn shown(&self, rows: usize) -> Range<usize> {
        match &self.rows {
            Some(range) => range.start.min(rows)..range.end.min(rows),
            None => 0..rows,
        }
    }

    pub(super) fn placed<'p, 'i>(
        &'p self,
        instruction: &'i Instruction,
        lanes: Lanes<'p>,
    ) -> Result<Placed<'p, 'i>, Error> {
        Ok(Placed::new(self.plan()?, self.width()?, lanes, instruction)?)
    }
}
