//! Windows with masks: the place in a tensor of what a lane moves, and whether it is in the tensor.

use super::super::expression::{Condition, Expression};
use super::super::form::check_names;
use super::super::language::Returns;
use super::Header;
use super::held::{HOLDERS, held_from, mask_from, no_distribution};
use crate::Error;
use tiledesc::access::Window;
use tiledesc::distribution::{Distribution, Encoding};
use tiledesc::{
    Descriptor, Index, Number,
    transforms::{OfRank, Rank},
};

impl Header {
    /// Adds a window over a view: where each element of a lane is, and whether it is in the view, with the window
    /// placed at an origin. Lengths and pitches of the view are written as numbers; those that a kernel is given are
    /// [`rows`](Self::rows).
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
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
    /// A language of formulas.
    pub fn window<V, T, P, const RANK: usize>(
        &mut self,
        name: &str,
        dimensions: [&str; RANK],
        window: &Window<V, T, P, RANK>,
    ) -> Result<&mut Self, Error>
    where
        V: Descriptor,
        T: Distribution,
        P: Number,
        [u32; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
        [Expression; RANK]: OfRank<<V::Rank as Rank>::Dimensions>,
    {
        let count = Window::<V, T, P, RANK>::COUNT;
        let first: Vec<_> = (0..count).map(|access| window.first_element(access) as u32).collect();
        self.vectors(name, Window::<V, T, P, RANK>::VECTOR, &first)?;

        let Ok(encoding) = T::ENCODING else { return Err(no_distribution()) };
        let held = held_from(&encoding, RANK);
        let at = |d: usize| unknown(d).add(&held[d]);
        let (offset, valid) = window.view().masked(core::array::from_fn(at));
        let valid = held_and(&encoding, RANK, valid);
        let origins = dimensions.map(|dimension| format!("origin_{dimension}")).into_iter();
        self.placed(name, origins.clone(), Returns::Value(&offset))?;
        self.placed(name, origins, Returns::Holds(&valid))
    }

    /// A window over rows whose lengths and pitches are arguments of the kernel, in vectors of `vector`
    /// elements along the last dimension: what a matrix of any size needs.
    ///
    /// `NAME_offset` takes a pitch, in elements, for every dimension but the last, which is contiguous; `NAME_valid`
    /// and `NAME_whole` a length for every dimension. `valid` returns whether an element is in the tensor, and `whole`,
    /// of the first element of a vector, whether all of the vector is: of 202 columns in vectors of 8, the last begins
    /// in the tensor and ends after it. Lengths are at most 2^31, and an origin from there on is left of the tensor.
    /// Vectors are aligned where the origin along the last dimension and all pitches are multiples of `vector`.
    ///
    /// The offset has 64 bits where the language has such numbers, so that it is that of any tensor: row 69,999 of
    /// 70,000 begins at element 4,899,930,000. In 32 bits it would wrap around. A form that is
    /// [`narrow`](crate::emit::Form::narrow) has 32, and a function `NAME_fits` of lengths and pitches that returns
    /// whether they hold every offset. In WGSL and GLSL an index has 32 bits.
    ///
    /// ```
    /// use tiledesc_host::emit::{self, Header};
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     type Fetch:
    ///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
    ///         wave (wave), lane (row, chunk), thread (again, half);
    /// }
    /// let mut header = Header::new(emit::CUDA);
    /// header.rows("a", &["m", "k"], &Fetch::ENCODING?, 8)?;
    /// let text = header.text();
    /// assert!(text.contains("constexpr unsigned a_COUNT = 4u;\n"));
    /// assert!(text.contains("constexpr unsigned long long a_offset(unsigned origin_m, unsigned origin_k, "));
    /// assert!(text.contains(
    ///     "    return (unsigned long long)(origin_m + (element >> 3 << 5) + (wave << 3) + (lane >> 3)) * pitch_m + "
    /// ));
    ///
    /// let mut narrow = Header::new(emit::CUDA.narrow());
    /// narrow.rows("a", &["m", "k"], &Fetch::ENCODING?, 8)?;
    /// assert!(narrow.text().contains("constexpr bool a_fits(unsigned length_m, unsigned length_k, unsigned pitch_m) {\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another number of names than dimensions; vectors of no elements, or such as a lane does not hold in consecutive
    /// registers; a language of formulas.
    pub fn rows(
        &mut self,
        name: &str,
        dimensions: &[&str],
        encoding: &Encoding,
        vector: u32,
    ) -> Result<&mut Self, Error> {
        check_names(dimensions.len(), encoding.rank())?;
        let last = dimensions.len() - 1;
        let no_vector = || Error::number("a vector has at least 1 element, and 0 are given");
        let count = encoding.elements().checked_div(vector).ok_or_else(no_vector)?;
        encoding.vectors_along(last, vector)?;
        let first = |access| encoding.first_of_access(access, last, vector);
        let first: Vec<_> = (0..count).map(first).collect();
        self.vectors(name, vector, &first)?;
        self.tensor(
            name,
            dimensions,
            &Moved {
                holders: HOLDERS,
                at: &|first| held_from(encoding, first)[..=last].to_vec(),
                mask: &|first| mask_from(encoding, first),
                vector,
            },
        )
    }

    /// Adds the place of what is moved in a tensor of any lengths and pitches, and whether it is in the tensor.
    pub(super) fn tensor(
        &mut self,
        name: &str,
        dimensions: &[&str],
        moved: &Moved<'_>,
    ) -> Result<&mut Self, Error> {
        let last = dimensions.len() - 1;
        let words = |word: &'static str| {
            dimensions.iter().map(move |d| format!("{word}_{d}")).collect::<Vec<_>>()
        };
        let (origins, lengths) = (words("origin"), words("length"));
        let pitches = words("pitch")[..last].to_vec();
        let at = |given: usize| {
            let held = (moved.at)(last + 1 + given);
            held.iter().enumerate().map(|(d, held)| unknown(d).add(held)).collect::<Vec<_>>()
        };
        self.offset_in_tensor(name, &at(last), [&origins, &pitches], &lengths, moved)?;

        let below = |index: &[Expression], last_too: Option<Expression>| {
            let each = index.iter().cloned().enumerate();
            let all = each.chain(last_too.map(|behind| (last, behind)));
            let below = all.map(|(d, at)| (at, unknown(last + 1 + d))).collect();
            let condition = Condition::new(below);
            match (moved.mask)(2 * dimensions.len()) {
                Some(held) => Expression::both(&condition, &held),
                None => condition,
            }
        };
        let index = at(last + 1);
        let given = [&origins[..], &lengths[..]].concat();
        let names = moved.names(&given);
        if moved.holders == HOLDERS {
            let valid = below(&index, None);
            let about = "Whether an element is in the tensor.";
            self.write(about, &format!("{name}_valid"), &names, Returns::Holds(&valid))?;
        }
        let behind = (moved.vector > 1).then(|| {
            let end = Expression::number(moved.vector - 1);
            index[last].add(&end)
        });
        let whole = below(&index, behind);
        let about = match moved.vector {
            1 => "Whether it is in the tensor: a vector is one element.".to_string(),
            vector => {
                format!("Whether all {vector} elements are in the tensor, from the first on.")
            }
        };
        self.write(&about, &format!("{name}_whole"), &names, Returns::Holds(&whole))
    }

    fn offset_in_tensor(
        &mut self,
        name: &str,
        index: &[Expression],
        [origins, pitches]: [&[String]; 2],
        lengths: &[String],
        moved: &Moved<'_>,
    ) -> Result<(), Error> {
        let last = index.len() - 1;
        let pitch = |d: usize| unknown(last + 1 + d);
        let given = [origins, pitches].concat();
        let (function, names) = (format!("{name}_offset"), moved.names(&given));
        self.comment(&format!(
            "{name}: lengths are at most 2147483648, and an origin from there on is left of the tensor."
        ));
        let about = "The offset in the tensor, in elements, of what is in it";
        if self.form.is_wide() {
            let products: Vec<_> =
                index[..last].iter().enumerate().map(|(d, at)| [at.clone(), pitch(d)]).collect();
            let returns = Returns::Wide { products: &products, and: &index[last] };
            self.write(&format!("{about}."), &function, &names, returns)?;
            return Ok(());
        }
        let steps = index.iter().enumerate();
        let step = |(d, at): (usize, &Expression)| match d < last {
            true => at.product(&pitch(d)),
            false => at.clone(),
        };
        let offset = steps.map(step).reduce(|sum, step| sum.add(&step));
        let offset = offset.unwrap_or_else(|| Expression::number(0));
        if self.form.has_wide() {
            let limit = format!("{about}: of 32 bits, where `{name}_fits`.");
            self.write(&limit, &function, &names, Returns::Value(&offset))?;
            let sizes: Vec<_> = lengths.iter().chain(pitches).map(String::as_str).collect();
            let about = "Whether 32 bits hold every offset of a tensor.";
            self.write(about, &format!("{name}_fits"), &sizes, Returns::Fits)?;
        } else {
            let limit =
                format!("{about}: of 32 bits, where the last of the tensor is below 4294967296.");
            self.write(&limit, &function, &names, Returns::Value(&offset))?;
        }
        Ok(())
    }

    /// Adds the number of vectors that a lane moves, their elements, and the first element of each.
    fn vectors(&mut self, name: &str, vector: u32, first: &[u32]) -> Result<&mut Self, Error> {
        self.constant(&format!("{name}_COUNT"), first.len() as u64)?;
        self.constant(&format!("{name}_VECTOR"), u64::from(vector))?;
        let about = "The first element of a vector, in the lane's registers.";
        self.table(about, &format!("{name}_element"), first)
    }

    /// Adds the offset of a window's element, or whether it is in the view.
    fn placed(
        &mut self,
        name: &str,
        given: impl Iterator<Item = String>,
        returns: Returns<'_>,
    ) -> Result<&mut Self, Error> {
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

/// The elements that lanes move in one access or load, of parameters that follow `first` others.
pub(super) struct Moved<'a> {
    /// The parameters.
    pub(super) holders: [&'static str; 3],
    /// The coordinate in the tile.
    pub(super) at: &'a dyn Fn(usize) -> Vec<Expression>,
    /// The condition that a lane moves anything; `None` if all do.
    pub(super) mask: &'a dyn Fn(usize) -> Option<Condition>,
    /// Elements along the last dimension that are moved at once.
    pub(super) vector: u32,
}

impl Moved<'_> {
    /// The parameters of a function, those that are given first.
    fn names<'n>(&self, given: &'n [String]) -> Vec<&'n str> {
        given.iter().map(String::as_str).chain(self.holders).collect()
    }
}

/// The condition that a lane holds an element, of parameters that follow `first` others, and that another condition
/// holds.
fn held_and(encoding: &Encoding, first: usize, condition: Condition) -> Condition {
    match mask_from(encoding, first) {
        Some(held) => Expression::both(&condition, &held),
        None => condition,
    }
}

/// A parameter of any value: an origin may be left of the view, far above it in 32 bits.
fn unknown(parameter: usize) -> Expression {
    Expression::coordinate(parameter, u32::MAX)
}
