//! The search for the instructions of a conversion: pairs of a store and a load, the cheapest first.
//!
//! The cycles of a store kind and of a load kind, without conflicts, are known before any layout is. Whether
//! one layout serves both is not: what is contiguous for both must be registers of both.
//!
//! ```text
//!   64x64 halves of 256 lanes on gfx942, held by rows and wanted by columns
//!
//!   ds_write_b128 x2, ds_read_b128 x2   16 + 16   the vectors do not fit: no register in common
//!   .. 8 more pairs of 16 + 16                    nor do theirs
//!   ds_write_b128 x2, ds_read_u16 x16   16 + 32   the answer
//! ```
//!
//! So pairs are tried by their cycles; of equal ones those of fewer instructions first, and plain accesses
//! before matrices. The first whose vectors fit is a lower bound for all linear layouts. It is the answer unless
//! its accesses must conflict; then pairs are tried as long as they cost less than what was found.

use super::held::Held;
use super::kind::Kind;
use super::numbers::{NumberList, with};
use super::place::{Demand, places};
use super::side::Side;
use super::vectors::{KindPair, Vectors};
use super::{Conversion, form};
use crate::{Error, ErrorKind};
use tiledesc::Linear;
use tiledesc::chip::Access;

/// Two sides of elements of some bits.
pub(super) struct PairSearch<'a> {
    pub(super) held: [&'a Held; 2],
    pub(super) bits: u32,
}

/// A layout with its cycles, before its form is chosen.
struct LaidPair<'a, 'i> {
    pair: KindPair<'a, 'i>,
    vectors: Vectors,
    demands: [Demand; 2],
    placed: NumberList,
    layout: Linear,
    sides: [Side<'i>; 2],
}

impl LaidPair<'_, '_> {
    fn cycles(&self) -> u64 {
        self.sides[0].cycles() + self.sides[1].cycles()
    }
}

impl PairSearch<'_> {
    pub(super) fn run<'i>(
        &self,
        stores: &[Kind<'i>],
        loads: &[Kind<'i>],
    ) -> Result<Conversion<'i>, Error> {
        let floor = |kinds: &[Kind<'_>]| kinds.iter().map(Kind::cycles).min();
        let floor = [
            floor(stores).ok_or_else(|| self.missing(Access::Write, self.held[0]))?,
            floor(loads).ok_or_else(|| self.missing(Access::Read, self.held[1]))?,
        ];
        let pairs = stores.iter().flat_map(|store| loads.iter().map(move |load| (store, load)));
        let mut order: Vec<_> = pairs.collect();
        let cost = |(store, load): (&Kind<'_>, &Kind<'_>)| {
            let fixed = store.fixed.len() + load.fixed.len();
            (store.cycles() + load.cycles(), store.instructions + load.instructions, fixed)
        };
        // Of equals the first in the order of the rows.
        order.sort_by_key(|pair| cost(*pair));
        let (mut best, mut bound): (Option<LaidPair<'_, 'i>>, _) = (None, None);
        for (store, load) in order {
            let cycles = cost((store, load)).0;
            if best.as_ref().is_some_and(|best| best.cycles() <= cycles) {
                break;
            }
            if let Some(found) = self.with(store, load) {
                bound = bound.or(Some(cycles));
                if best.as_ref().is_none_or(|best| found.cycles() < best.cycles()) {
                    best = Some(found);
                }
            }
        }
        let best = best.ok_or_else(|| self.no_pair())?;
        self.check_memory(&best)?;
        let best = self.in_form(best);
        let [store, load] = best.sides;
        let (lengths, common) = (self.held[0].lengths(), best.pair.common());
        let (bits, layout) = (self.bits, best.layout);
        Ok(Conversion { lengths, bits, layout, store, load, floor, bound, common })
    }

    fn missing(&self, access: Access, held: &Held) -> Error {
        let does = match access {
            Access::Read => "reads",
            Access::Write => "writes",
        };
        let bits = u64::from(self.bits) << held.registers().len();
        let lanes = 1u64 << held.lanes().len();
        let refused = format!("no instruction {does} {bits} bits of each of {lanes} lanes");
        Error::new(ErrorKind::NoInstruction, refused)
    }

    /// The error of elements of less than a byte that no two lanes hold in pairs.
    fn no_pair(&self) -> Error {
        let refused = format!(
            "elements of {} bits are written and read by bytes, and no register has two that both sides hold",
            self.bits
        );
        Error::new(ErrorKind::NoInstruction, refused)
    }

    fn check_memory(&self, found: &LaidPair<'_, '_>) -> Result<(), Error> {
        let bytes = (u64::from(self.bits) << self.held[0].bits()).div_ceil(8);
        // An address has 32 bits.
        let memory = found.sides[0].instruction().memory().unwrap_or(u32::MAX);
        if bytes > u64::from(memory) {
            return Err(Error::too_large(format!(
                "the tile takes {bytes} bytes, but a block has {memory}"
            )));
        }
        Ok(())
    }

    /// The layout of a pair; `None` if their vectors do not fit each other.
    fn with<'a, 'i>(&'a self, store: &'a Kind<'i>, load: &'a Kind<'i>) -> Option<LaidPair<'a, 'i>> {
        let dword = (32 / self.bits.min(32)).trailing_zeros() as usize;
        let pair = KindPair { held: self.held, kinds: [store, load], dword };
        let vectors = pair.vectors()?;
        let demand = |side: usize| {
            let kind = pair.kinds[side];
            let touched = with(vectors.touched(side, kind), vectors.low.iter().take(dword));
            let bank_bits = (kind.service.banks * 32 / self.bits).trailing_zeros() as usize;
            Demand { touched, bank_bits, base_cycles: kind.cycles() }
        };
        let demands = [demand(0), demand(1)];
        let bits = self.held[0].bits();
        let placed = places(&vectors, &demands, bits)?;
        let back = placed.back()?;
        let layout = Linear::new(&back.columns()[..bits], 0).ok()?;
        let sides = self.sides(&pair, &vectors, &layout)?;
        Some(LaidPair { pair, vectors, demands, placed, layout, sides })
    }

    fn sides<'i>(
        &self,
        pair: &KindPair<'_, 'i>,
        vectors: &Vectors,
        layout: &Linear,
    ) -> Option<[Side<'i>; 2]> {
        let side = |side: usize| {
            let (kind, tuples) = (pair.kinds[side], &vectors.sides[side]);
            Side::new(self.held[side], kind, tuples, layout, self.bits)
        };
        Some([side(0)?, side(1)?])
    }

    /// Returns the pair with a simpler layout, if there is one that costs no more by the analyzer.
    fn in_form<'a, 'i>(&self, found: LaidPair<'a, 'i>) -> LaidPair<'a, 'i> {
        let lengths = self.held[0].lengths();
        let simple =
            form::simplest(&found.vectors, &found.demands, &found.placed, &lengths, found.cycles());
        let simple = simple.map(|(layout, _)| layout);
        let sides = simple.and_then(|layout| self.sides(&found.pair, &found.vectors, &layout));
        match simple.zip(sides) {
            Some((layout, sides)) if sides[0].cycles() + sides[1].cycles() <= found.cycles() => {
                LaidPair { layout, sides, ..found }
            }
            _ => found,
        }
    }
}
