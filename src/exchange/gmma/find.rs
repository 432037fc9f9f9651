//! Which atom tiles a layout, and which element of it lies elsewhere.
//!
//! There are 9 atoms and 2 orders of them. A layout of powers of two is compared by its
//! columns, 13 for 128x64; one of other lengths, as 96 rows of 12 atoms, element by element.

use super::super::cute::{Composed, CuteError, Fastest};
use super::{ATOMS, Atom, GmmaError};
use tiledesc_transforms::{Error, Linear, Plan, attempt};

impl Atom {
    /// The atom that tiles a plan of (mn, k) with elements of `bits` bits, and the order
    /// of the atoms; `None` if none does.
    ///
    /// ```
    /// use tiledesc::exchange::gmma::Atom;
    /// use tiledesc::prelude::*;
    ///
    /// layout! {
    ///     type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    ///     type Layered = recipe::GemmXor<F16, M<64>, K<32>, KPack<8>>;
    /// }
    /// let found = |plan| Atom::of_plan(plan, 16).unwrap().map(|(atom, _)| atom.name());
    /// assert_eq!(found(&Tile::PLAN), Some("Layout_K_SW128_Atom"));
    /// // Its key is the pair of rows, and GMMA's 64-byte swizzle has 4 keys.
    /// assert_eq!(found(&Layered::PLAN), None);
    /// ```
    ///
    /// # Errors
    ///
    /// A plan that is not two-dimensional, or a map that is not linear.
    pub const fn of_plan(plan: &Plan, bits: u32) -> Result<Option<(Self, Fastest)>, Error> {
        let lengths = plan.lengths();
        if lengths.len() != 2 {
            return Err(Error::Rank { wanted: 2, given: lengths.len() as u32 });
        }
        let map = attempt!(plan.linear());
        Ok(Self::of_map(&map, [lengths.at(0), lengths.at(1)], bits))
    }

    /// The same of CuTe's form, for any lengths; `None` also of one without two modes.
    ///
    /// ```
    /// use tiledesc::exchange::cute::{Composed, Fastest};
    /// use tiledesc::exchange::gmma::Atom;
    ///
    /// let text = "Sw<2,4,3> o smem_ptr[16b](unset) o ((8,12),(32,2)):((32,256),(1,3072))";
    /// let (atom, order) = Atom::of_form(&Composed::parse(text).unwrap(), 16).unwrap();
    /// assert_eq!((atom.name(), order), ("Layout_K_SW64_Atom", Fastest::First));
    /// assert_eq!(Atom::of_form(&Composed::parse("(96,64):(64,1)").unwrap(), 16), None);
    /// ```
    #[must_use]
    pub const fn of_form(form: &Composed, bits: u32) -> Option<(Self, Fastest)> {
        let lengths = form.layout().lengths();
        if lengths.len() != 2 {
            return None;
        }
        let tile = [lengths.at(0), lengths.at(1)];
        if let Ok(map) = form.linear(Fastest::Last) {
            return Self::of_map(&map, tile, bits);
        }
        let mut candidate = 0;
        while let Some((atom, order)) = Self::candidate(candidate, bits) {
            if let Ok(tiled) = atom.tile_to(tile, order)
                && is_same_form(form, &tiled)
            {
                return Some((atom, order));
            }
            candidate += 1;
        }
        None
    }

    const fn of_map(map: &Linear, tile: [u32; 2], bits: u32) -> Option<(Self, Fastest)> {
        let mut candidate = 0;
        while let Some((atom, order)) = Self::candidate(candidate, bits) {
            if let Ok(tiled) = atom.tile_to(tile, order)
                && let Ok(other) = tiled.linear(Fastest::Last)
                && other.is(map)
            {
                return Some((atom, order));
            }
            candidate += 1;
        }
        None
    }

    /// Each atom of that width, in both orders; `None` after the last.
    const fn candidate(n: usize, bits: u32) -> Option<(Self, Fastest)> {
        if n >= 2 * ATOMS.len() {
            return None;
        }
        match Self::of(n / 2, bits) {
            Ok(atom) if n.is_multiple_of(2) => Some((atom, Fastest::First)),
            Ok(atom) => Some((atom, Fastest::Last)),
            Err(_) => None,
        }
    }

    /// Whether a plan of (mn, k) is a tile of this atom, and in which order the atoms lie;
    /// else the first element that lies elsewhere.
    ///
    /// ```
    /// use tiledesc::exchange::gmma::Atom;
    /// use tiledesc::prelude::*;
    ///
    /// layout! {
    ///     type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    ///     type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    /// }
    /// const ATOM: Atom = match Atom::named("Layout_K_SW128_Atom", 16) {
    ///     Ok(atom) => atom,
    ///     Err(_) => panic!(),
    /// };
    /// const _: () = ATOM.check_plan(&Tile::PLAN);
    /// assert_eq!(
    ///     ATOM.accepts_plan(&Rows::PLAN).unwrap_err().to_string(),
    ///     "Layout_K_SW128_Atom: element (1, 0) is read at 72 and lies at 64",
    /// );
    /// ```
    ///
    /// A plan that is not linear over bits is tried element by element, 8192 of 128x64: a
    /// test does that, a constant is too slow.
    ///
    /// # Errors
    ///
    /// [`GmmaError::Elsewhere`], of the order that goes further; [`GmmaError::Tile`],
    /// [`GmmaError::Form`].
    pub const fn accepts_plan(&self, plan: &Plan) -> Result<Fastest, GmmaError> {
        let lengths = plan.lengths();
        if lengths.len() != 2 {
            let error = Error::Rank { wanted: 2, given: lengths.len() as u32 };
            return Err(GmmaError::Form(CuteError::Map(error)));
        }
        let tile = [lengths.at(0), lengths.at(1)];
        let first = match self.elsewhere(plan, &attempt!(self.tile_to(tile, Fastest::First))) {
            Some(found) => found,
            None => return Ok(Fastest::First),
        };
        match self.elsewhere(plan, &attempt!(self.tile_to(tile, Fastest::Last))) {
            Some(last) => Err(if last.0 > first.0 { last.1 } else { first.1 }),
            None => Ok(Fastest::Last),
        }
    }

    /// Refuses a plan that is not a tile of this atom, for constants.
    ///
    /// # Panics
    ///
    /// With the sentence of [`GmmaError`].
    #[track_caller]
    pub const fn check_plan(&self, plan: &Plan) {
        if let Err(refused) = self.accepts_plan(plan) {
            let text = refused.text();
            text.refuse()
        }
    }

    /// The number of the first element that does not lie as in the tile, the last
    /// dimension fastest, and the refusal. Of a linear plan the columns decide.
    const fn elsewhere(&self, plan: &Plan, tile: &Composed) -> Option<(u64, GmmaError)> {
        let ([mn, k], linear) = (self.lengths(), plan.linear().is_ok());
        let mut number = 0;
        while number < plan.elements() {
            let index = plan.nth(number);
            let (i, j) = (index.at(0), index.at(1));
            let lies = match plan.offset(&[i, j]) {
                Ok(lies) => lies,
                Err(error) => return Some((number, GmmaError::Form(CuteError::Map(error)))),
            };
            // There is such an element: the tile has the lengths of the plan.
            if let Some(read) = tile.offset_of(&[i % mn, i / mn, j % k, j / k])
                && read != lies
            {
                let (name, index) = (self.name(), [i, j]);
                return Some((number, GmmaError::Elsewhere { name, index, read, lies }));
            }
            number = if linear && number > 0 { 2 * number } else { number + 1 };
        }
        None
    }
}

/// Whether the numbers of two forms of two modes are the same everywhere.
const fn is_same_form(one: &Composed, other: &Composed) -> bool {
    let (mut same, mut number) = (true, 0);
    while same && number < one.layout().size() {
        same = match (one.at(number), other.at(number)) {
            (Some(a), Some(b)) => a == b,
            _ => false,
        };
        number += 1;
    }
    same
}
