//! Windows with masks: where what a lane moves lies in a tensor, and whether it is in it.

use super::super::error::EmitError;
use super::super::expression::{Condition, Expression};
use super::super::language::Returns;
use super::Header;
use super::held::{HOLDERS, held_from, mask_from, named};
use crate::access::Window;
use crate::distribution::{Distribution, Encoding};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use tiledesc_transforms::{Descriptor, Index, Number, OfRank, Rank};

impl Header {
    /// A window over a view: where each element of a lane lies, and whether it is in the view, with
    /// the window laid at an origin. Lengths and pitches of the view are written as numbers; those that
    /// a kernel is given are [`rows`](Self::rows).
    ///
    /// ```
    /// use tiledesc::emit::{self, Header};
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Fetch:
    ///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
    ///         wave (wave), lane (row, chunk), thread (again, half);
    /// }
    /// let window = Window::<_, Fetch, VectorSize<8>>::new(Naive::rows(150, 200).whole()?)?;
    /// let mut header = Header::new(emit::WGSL);
    /// header.window("view", ["m", "k"], &window)?;
    /// assert!(header.text().contains("const view_COUNT: u32 = 4u;\n"));
    /// assert!(header.text().contains("fn view_valid(origin_m: u32, origin_k: u32, wave: u32, \
    ///     lane: u32, element: u32) -> bool {\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EmitError::Formula`] of a language of formulas.
    pub fn window<V, T, P, const RANK: usize>(
        &mut self,
        name: &str,
        dimensions: [&str; RANK],
        window: &Window<V, T, P, RANK>,
    ) -> Result<&mut Self, EmitError>
    where
        V: Descriptor,
        T: Distribution,
        P: Number,
        [u32; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
        [Expression; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
    {
        let count = Window::<V, T, P, RANK>::COUNT;
        let first: Vec<_> = (0..count).map(|access| window.first_element(access) as u32).collect();
        self.vectors(name, Window::<V, T, P, RANK>::vector(), &first)?;

        let Ok(encoding) = T::ENCODING else { return Err(EmitError::NoDistribution) };
        let held = held_from(&encoding, RANK);
        let at = |d: usize| unknown(d).add(&held[d]);
        let (offset, valid) = window.masked(core::array::from_fn(at));
        let valid = held_and(&encoding, RANK, valid);
        let origins = dimensions.map(|dimension| format!("origin_{dimension}")).into_iter();
        self.placed(name, origins.clone(), Returns::Value(&offset))?;
        self.placed(name, origins, Returns::Holds(&valid))
    }

    /// A window over rows whose lengths and pitches are arguments of the kernel, in vectors of `vector`
    /// elements along the last dimension: what a matrix of any size needs.
    ///
    /// `NAME_offset` takes a pitch, in elements, for every dimension but the last, which is contiguous;
    /// `NAME_valid` a length for every dimension. That one test a vector is enough, and that vectors are
    /// aligned, is for the caller to see to: the origin and the length along the last dimension and all
    /// pitches are multiples of `vector`. The offset has 32 bits; a tensor of 2^32 elements and more is
    /// taken by blocks, from a pointer to the block's first element.
    ///
    /// ```
    /// use tiledesc::emit::{self, Header};
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Fetch:
    ///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
    ///         wave (wave), lane (row, chunk), thread (again, half);
    /// }
    /// let mut header = Header::new(emit::WGSL);
    /// header.rows("a", &["m", "k"], &Fetch::ENCODING?, 8)?;
    /// let text = header.text();
    /// assert!(text.contains("const a_COUNT: u32 = 4u;\n"));
    /// assert!(text.contains("fn a_offset(origin_m: u32, origin_k: u32, pitch_m: u32, wave: u32, "));
    /// assert!(text.contains(
    ///     "    return (origin_m + ((element >> 3u) << 5u) + (wave << 3u) + (lane >> 3u)) * pitch_m + "
    /// ));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EmitError::Names`]; [`EmitError::NoVector`] of no elements; [`EmitError::Access`] where a lane does not hold such vectors in consecutive
    /// registers; [`EmitError::Formula`] of a language of formulas.
    pub fn rows(
        &mut self,
        name: &str,
        dimensions: &[&str],
        encoding: &Encoding,
        vector: u32,
    ) -> Result<&mut Self, EmitError> {
        named(dimensions.len(), encoding.rank())?;
        let last = dimensions.len() - 1;
        let count = encoding.elements().checked_div(vector).ok_or(EmitError::NoVector)?;
        encoding.vectors_along(last, vector).map_err(EmitError::Access)?;
        let first = |access| encoding.first_of_access(access, last, vector);
        let first: Vec<_> = (0..count).map(first).collect();
        self.vectors(name, vector, &first)?;

        let words = |word: &'static str| dimensions.iter().map(move |d| format!("{word}_{d}"));
        let (origins, lengths) = (words("origin"), words("length"));
        let pitches: Vec<_> = words("pitch").take(last).collect();
        let at = |given: usize| {
            let held = held_from(encoding, last + 1 + given);
            (0..=last).map(move |d| unknown(d).add(&held[d])).collect::<Vec<_>>()
        };
        let mut offset = Expression::number(0);
        for (d, index) in at(last).iter().enumerate() {
            let step = if d < last { index.product(&unknown(last + 1 + d)) } else { index.clone() };
            offset = offset.add(&step);
        }
        let valid = at(last + 1).into_iter().enumerate();
        let valid = Condition::of(valid.map(|(d, at)| (at, unknown(last + 1 + d))).collect());
        let valid = held_and(encoding, 2 * dimensions.len(), valid);
        self.placed(name, origins.clone().chain(pitches), Returns::Value(&offset))?;
        self.placed(name, origins.chain(lengths), Returns::Holds(&valid))
    }

    /// How many vectors a lane moves, of how many elements, and which.
    fn vectors(&mut self, name: &str, vector: u32, first: &[u32]) -> Result<&mut Self, EmitError> {
        self.constant(&format!("{name}_COUNT"), first.len() as u64)?;
        self.constant(&format!("{name}_VECTOR"), u64::from(vector))?;
        let about = "The first element of a vector, in the lane's registers.";
        self.table(about, &format!("{name}_element"), first)
    }

    /// Where an element of a window is, or whether it is in the view.
    fn placed(
        &mut self,
        name: &str,
        given: impl Iterator<Item = String>,
        returns: Returns<'_>,
    ) -> Result<&mut Self, EmitError> {
        let (about, word) = match returns {
            Returns::Holds(_) => {
                ("Whether an element is in the view; of a vector, ask of its first.", "valid")
            }
            _ => ("The offset of an element in the view, in elements, if it is valid.", "offset"),
        };
        let given: Vec<_> = given.collect();
        let names: Vec<_> = given.iter().map(String::as_str).chain(HOLDERS).collect();
        self.write(about, &format!("{name}_{word}"), &names, returns)
    }
}

/// Whether a lane holds an element, of parameters that follow `first` others, and a condition holds.
fn held_and(encoding: &Encoding, first: usize, condition: Condition) -> Condition {
    match mask_from(encoding, first) {
        Some(held) => Expression::both(&condition, &held),
        None => condition,
    }
}

/// A parameter of which nothing is known: an origin may be left of the view, far above it in 32 bits.
fn unknown(parameter: usize) -> Expression {
    Expression::coordinate(parameter, u32::MAX)
}
