//! The request for a plan.

use super::source::Source;
use crate::chip::Transfer;
use crate::element::Element;
use crate::layout::{Layout, Recipe, known, outline};
use tiledesc_transforms::{Digits, Error, Plan};

/// The order in which chunks are dealt to waves.
///
/// ```
/// use tiledesc::chip::gfx950::global_load_lds_b128;
/// use tiledesc::direct::{Order, Source};
/// use tiledesc::prelude::*;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// let loads = ABlock::direct(Source::rows(64), &global_load_lds_b128).waves(4);
/// // The byte of LDS where load 1 of wave 2 begins: its own ninth chunk, or the sixth of all.
/// let begins = |order| loads.order(order).plan().map(|plan| plan.lds(2, 1, 0));
/// assert_eq!([begins(Order::Blocked)?, begins(Order::Interleaved)?], [9 * 1024, 6 * 1024]);
/// # Ok::<(), tiledesc::direct::DirectError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Wave s takes the chunks from `s * n` on, of n loads: a slice of the tile.
    Blocked,
    /// Load j of wave s is chunk `j * waves + s`.
    Interleaved,
}

impl Order {
    pub(super) const fn is_blocked(self) -> bool {
        matches!(self, Self::Blocked)
    }
}

/// A tile, where its elements come from, and what moves them: one wave, slice by slice and no idle
/// lanes, unless it is stated otherwise.
///
/// ```
/// use tiledesc::chip::gfx950;
/// use tiledesc::direct::{Request, Source};
/// use tiledesc::{Op, Plan};
///
/// // 16 x 64 dwords, in memory as in LDS; lane 5 of load 2 of wave 1.
/// let tile = Plan::packed(&[16, 64])?;
/// let request = Request::new(&tile, 32, Source::rows(64), &gfx950::global_load_lds_b32).waves(4);
/// let plan = request.plan().unwrap();
/// assert_eq!((plan.loads(), plan.chunk(), plan.base(1, 2)), (4, 256, 1536));
/// assert_eq!(plan.unit(1, 2, 5).unwrap().coordinate().as_slice(), [6, 5]);
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    pub(super) layout: Result<&'a Plan, Error>,
    /// The digits of the layout, where they are known without its plan.
    pub(super) digits: Option<&'a Digits>,
    pub(super) bits: u32,
    pub(super) source: Source<'a>,
    pub(super) transfer: Transfer,
    pub(super) waves: u32,
    pub(super) order: Order,
    pub(super) may_idle: bool,
    pub(super) begin: u32,
}

impl<'a> Request<'a> {
    /// A tile of elements of `bits` bits from a source of the same tile, by one wave.
    #[must_use]
    pub const fn new(layout: &'a Plan, bits: u32, source: Source<'a>, transfer: &Transfer) -> Self {
        Self::from_parts(Ok(layout), bits, source, transfer)
    }

    const fn from_parts(
        layout: Result<&'a Plan, Error>,
        bits: u32,
        source: Source<'a>,
        transfer: &Transfer,
    ) -> Self {
        Self {
            layout,
            digits: None,
            bits,
            source,
            transfer: *transfer,
            waves: 1,
            order: Order::Blocked,
            may_idle: false,
            begin: 0,
        }
    }

    /// Performed by the given number of waves.
    #[must_use]
    pub const fn waves(mut self, waves: u32) -> Self {
        self.waves = waves;
        self
    }

    /// Returns the request with chunks assigned to waves in this order.
    #[must_use]
    pub const fn order(mut self, order: Order) -> Self {
        self.order = order;
        self
    }

    /// Lanes that would write only padding may be switched off.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950::global_load_lds_b128, direct::Source, prelude::*};
    ///
    /// layout! { type Padded = recipe::RowPad<F16, M<128>, K<64>, Padding<8>>; }
    /// let loads = Padded::direct(Source::rows(64), &global_load_lds_b128);
    /// assert!(loads.plan().unwrap_err().to_string().contains("lane 8 would write bytes 128 to 143"));
    /// // 128 rows of 144 bytes are 18 chunks; the lane at the pad of each row is idle.
    /// let plan = loads.idle_lanes().plan()?;
    /// assert_eq!((plan.loads(), plan.idle(), plan.unit(0, 0, 8)), (18, 128, None));
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    #[must_use]
    pub const fn idle_lanes(mut self) -> Self {
        self.may_idle = true;
        self
    }

    /// The tile begins at this byte of LDS, and bases are counted from byte 0 of LDS.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950::global_load_lds_b128, direct::Source, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let loads = ABlock::direct(Source::rows(64), &global_load_lds_b128).waves(4);
    /// assert_eq!(loads.at(32_768).plan()?.base(1, 0), 32_768 + 4096);
    /// assert_eq!(loads.at(8).plan().unwrap_err().to_string(), "LDS byte 8 is not aligned to 16");
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    #[must_use]
    pub const fn at(mut self, byte: u32) -> Self {
        self.begin = byte;
        self
    }

    /// Returns the request for another transfer.
    ///
    /// ```
    /// use tiledesc::chip::gfx950::{global_load_lds_b32, global_load_lds_b128};
    /// use tiledesc::{direct::Source, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let wide = ABlock::direct(Source::rows(64), &global_load_lds_b128).waves(4);
    /// let narrow = wide.by(&global_load_lds_b32);
    /// assert_eq!((wide.plan()?.loads(), narrow.plan()?.loads()), (4, 16));
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    #[must_use]
    pub const fn by(mut self, transfer: &Transfer) -> Self {
        self.transfer = *transfer;
        self
    }
}

impl<E, R> Layout<E, R> {
    /// A direct load of this layout; see [`direct`](crate::direct).
    #[must_use]
    pub const fn direct<'a>(source: Source<'a>, transfer: &Transfer) -> Request<'a>
    where
        E: Element,
        R: Recipe<E>,
    {
        let mut request = Request::from_parts(known::<Self>(), E::BITS, source, transfer);
        if let Some(outline) = outline::<Self>() {
            request.digits = Some(outline.digits());
        }
        request
    }
}
