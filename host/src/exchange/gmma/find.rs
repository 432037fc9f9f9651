//! Finds the atom that tiles a layout, or the element that is not as in a tile.
//!
//! There are 9 atoms and 2 orders of them. A layout of powers of two is compared by its
//! columns, 13 for 128x64; one of other lengths, as 96 rows of 12 atoms, element by element.

use super::super::cute::{Composed, Fastest};
use super::{ATOMS, Atom};
use crate::Error;
use tiledesc::{Linear, Plan};

impl Atom {
    /// The atom that tiles a plan of (mn, k) with elements of `bits` bits, and the order
    /// of the atoms; `None` if none does.
    ///
    /// ```
    /// use tiledesc_host::exchange::gmma::Atom;
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
    pub fn of_plan(plan: &Plan, bits: u32) -> Result<Option<(Self, Fastest)>, tiledesc::Error> {
        let lengths = plan.lengths();
        if lengths.len() != 2 {
            return Err(tiledesc::Error::Rank { wanted: 2, given: lengths.len() as u32 });
        }
        let map = plan.linear()?;
        Ok(Self::of_map(&map, [lengths.at(0), lengths.at(1)], bits))
    }

    /// Finds the atom of CuTe's form, for any lengths; `None` also of one without two modes.
    ///
    /// ```
    /// use tiledesc_host::exchange::cute::{Composed, Fastest};
    /// use tiledesc_host::exchange::gmma::Atom;
    ///
    /// let text = "Sw<2,4,3> o smem_ptr[16b](unset) o ((8,12),(32,2)):((32,256),(1,3072))";
    /// let (atom, order) = Atom::of_form(&Composed::parse(text).unwrap(), 16).unwrap();
    /// assert_eq!((atom.name(), order), ("Layout_K_SW64_Atom", Fastest::First));
    /// assert_eq!(Atom::of_form(&Composed::parse("(96,64):(64,1)").unwrap(), 16), None);
    /// ```
    #[must_use]
    pub fn of_form(form: &Composed, bits: u32) -> Option<(Self, Fastest)> {
        let &[mn, k] = form.layout().lengths().as_slice() else { return None };
        if let Ok(map) = form.linear(Fastest::Last) {
            return Self::of_map(&map, [mn, k], bits);
        }
        let numbers = 0..form.layout().size();
        Self::tiling([mn, k], bits, |tiled| {
            numbers.clone().all(|number| form.at(number) == tiled.at(number))
        })
    }

    fn of_map(map: &Linear, tile: [u32; 2], bits: u32) -> Option<(Self, Fastest)> {
        Self::tiling(tile, bits, |tiled| tiled.linear(Fastest::Last).is_ok_and(|one| one == *map))
    }

    /// The first atom of that width, in one of both orders, whose tile passes `is`.
    fn tiling(
        tile: [u32; 2],
        bits: u32,
        is: impl Fn(&Composed) -> bool,
    ) -> Option<(Self, Fastest)> {
        let atoms = ATOMS.iter().filter_map(|row| Self::from_row(row, bits).ok());
        let mut all = atoms.flat_map(|atom| [(atom, Fastest::First), (atom, Fastest::Last)]);
        all.find(|(atom, order)| atom.tile_to(tile, *order).is_ok_and(|tiled| is(&tiled)))
    }

    /// The order in which the atoms of a plan of (mn, k) follow each other, if it is a tile of this atom; else the first
    /// element that is elsewhere.
    ///
    /// ```
    /// use tiledesc_host::exchange::gmma::Atom;
    /// use tiledesc::prelude::*;
    ///
    /// layout! {
    ///     type Tile = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
    ///     type Rows = recipe::RowMajor<F16, M<128>, K<64>>;
    /// }
    /// let atom = Atom::named("Layout_K_SW128_Atom", 16).unwrap();
    /// assert!(atom.accepts_plan(&Tile::PLAN).is_ok());
    /// assert_eq!(
    ///     atom.accepts_plan(&Rows::PLAN).unwrap_err().to_string(),
    ///     "Layout_K_SW128_Atom: element (1, 0) is read at 72 and lies at 64",
    /// );
    /// ```
    ///
    /// A plan that is not linear over bits is tried element by element, 8192 of 128x64.
    ///
    /// # Errors
    ///
    /// An element that is not where the instruction reads it, in the order of atoms that goes further; a tile that is not
    /// made of whole atoms; a plan that is not two-dimensional.
    pub fn accepts_plan(&self, plan: &Plan) -> Result<Fastest, Error> {
        let &[mn, k] = plan.lengths().as_slice() else {
            let given = plan.rank() as u32;
            return Err(tiledesc::Error::Rank { wanted: 2, given }.into());
        };
        let mut furthest: Option<(u64, Error)> = None;
        for order in [Fastest::First, Fastest::Last] {
            let Some(found) = self.elsewhere(plan, &self.tile_to([mn, k], order)?) else {
                return Ok(order);
            };
            furthest = Some(furthest.filter(|other| other.0 >= found.0).unwrap_or(found));
        }
        Err(furthest.expect("each order has an element elsewhere").1)
    }

    /// The number of the first element that is not as in the tile, the last dimension fastest, and the refusal. If the
    /// plan is linear, only numbers of one bit are tried: its columns decide.
    fn elsewhere(&self, plan: &Plan, tile: &Composed) -> Option<(u64, Error)> {
        let ([mn, k], is_linear) = (self.lengths(), plan.linear().is_ok());
        let next =
            |number: &u64| Some(if is_linear && *number > 0 { 2 * number } else { number + 1 });
        let numbers = core::iter::successors(Some(0), next);
        numbers.take_while(|number| *number < plan.elements()).find_map(|number| {
            let index = plan.nth(number);
            let index = [index.at(0), index.at(1)];
            let lies = match plan.offset(&index) {
                Ok(lies) => lies,
                Err(error) => return Some((number, error.into())),
            };
            // There is such an element: the tile has the lengths of the plan.
            let [i, j] = index;
            let read = tile.offset_of(&[i % mn, i / mn, j % k, j / k])?;
            let elsewhere = || {
                let name = self.name();
                Error::no_form(format!(
                    "{name}: element ({i}, {j}) is read at {read} and lies at {lies}"
                ))
            };
            (read != lies).then(|| (number, elsewhere()))
        })
    }
}
