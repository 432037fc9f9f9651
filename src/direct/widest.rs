//! The widest transfer that a tile can be loaded by, and why a wider one cannot.

use super::plan::DirectLoad;
use super::refusal::DirectError;
use super::request::{Order, Request};
use crate::chip::{Chip, Transfer};

/// A failed attempt: a transfer and a number of waves. The order changes no refusal.
#[derive(Clone, Copy, Debug)]
pub struct Tried {
    transfer: &'static Transfer,
    waves: u32,
    error: DirectError,
}

impl Tried {
    /// The transfer.
    #[must_use]
    pub const fn transfer(&self) -> &'static Transfer {
        self.transfer
    }

    /// The waves.
    #[must_use]
    pub const fn waves(&self) -> u32 {
        self.waves
    }

    /// The reason why it has no plan.
    #[must_use]
    pub const fn error(&self) -> DirectError {
        self.error
    }
}

impl core::fmt::Display for Tried {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { transfer, waves, error, .. } = self;
        write!(
            f,
            "{} by {waves} {}: {error}",
            transfer.name(),
            if *waves == 1 { "wave" } else { "waves" }
        )
    }
}

/// The first plan that a search found, and the first of the refusals before it.
#[derive(Clone, Copy, Debug)]
pub struct Widest<'a> {
    plan: Option<DirectLoad<'a>>,
    refused: [Option<Tried>; Widest::MOST],
    count: usize,
}

impl<'a> Widest<'a> {
    /// The most refusals that are kept; the others are counted.
    pub const MOST: usize = 16;

    /// The plan, if there is one.
    #[must_use]
    pub const fn plan(&self) -> Option<&DirectLoad<'a>> {
        self.plan.as_ref()
    }

    /// The reasons why the ones before it were refused, in the order in which they were tried: the first 16.
    pub fn refused(&self) -> impl Iterator<Item = &Tried> {
        self.refused.iter().flatten()
    }

    /// The number of transfers that were refused.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.count
    }
}

impl<'a> Request<'a> {
    /// The first plan by the chip's transfers from wide to narrow; of each, by these numbers of waves in
    /// their order. Chunks are dealt slice by slice, or interleaved if only then each load is a constant away
    /// from the first one.
    ///
    /// ```
    /// use tiledesc::chip::gfx950;
    /// use tiledesc::direct::{Request, Source};
    /// use tiledesc::Plan;
    ///
    /// // 16 bytes behind every 512: too narrow for 1024 bytes an instruction.
    /// let tile = Plan::naive(&[32, 256], &[264, 1])?;
    /// let any = Request::new(&tile, 16, Source::rows(256), &gfx950::global_load_lds_b32);
    /// let found = any.widest(&gfx950, &[4]);
    /// assert_eq!(found.plan().unwrap().transfer().name(), "global_load_lds_b32");
    /// assert_eq!(
    ///     found.refused().next().unwrap().to_string(),
    ///     "global_load_lds_b128 by 4 waves: the chunk at byte 0: lane 32 would write bytes 512 to 527, \
    ///      which are padding (pad behind multiples of 1024 bytes, or allow idle lanes)",
    /// );
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn widest(&self, chip: &Chip, waves: &[u32]) -> Widest<'a> {
        let mut found = Widest { plan: None, refused: [None; Widest::MOST], count: 0 };
        let (rows, mut row) = (chip.transfers(), chip.transfers().len());
        while row > 0 {
            row -= 1;
            let mut i = 0;
            while i < waves.len() {
                let request = self.by(&rows[row]).waves(waves[i]);
                match request.plan() {
                    Ok(plan) => {
                        found.plan = Some(request.better_order(plan));
                        return found;
                    }
                    Err(error) => {
                        found.push(Tried { transfer: &rows[row], waves: waves[i], error });
                    }
                }
                i += 1;
            }
        }
        found
    }

    /// A plan of this request, or the one of the other order if only that needs no address computed.
    const fn better_order(&self, plan: DirectLoad<'a>) -> DirectLoad<'a> {
        if plan.is_uniform() {
            return plan;
        }
        let other = if self.order.is_blocked() { Order::Interleaved } else { Order::Blocked };
        match self.order(other).plan() {
            Ok(other) if other.is_uniform() => other,
            _ => plan,
        }
    }
}

impl DirectLoad<'_> {
    /// Returns whether each load's source is a constant away from the first one's, in all lanes.
    ///
    /// ```
    /// use tiledesc::chip::gfx950::{global_load_lds_b32, global_load_lds_b128};
    /// use tiledesc::{direct::Source, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let wide = ABlock::direct(Source::rows(8192), &global_load_lds_b128).waves(4);
    /// // A load is 8 rows, after which the xor is the same again; 2 rows with narrower loads.
    /// let narrow = wide.by(&global_load_lds_b32);
    /// assert_eq!((wide.plan()?.is_uniform(), narrow.plan()?.is_uniform()), (true, false));
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    #[must_use]
    pub const fn is_uniform(&self) -> bool {
        let mut load = 0;
        while load < self.loads() {
            if !self.route(load).is_uniform() {
                return false;
            }
            load += 1;
        }
        true
    }
}

impl Widest<'_> {
    const fn push(&mut self, tried: Tried) {
        if self.count < Self::MOST {
            self.refused[self.count] = Some(tried);
        }
        self.count += 1;
    }
}
