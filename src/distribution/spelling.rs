//! The spellings of a distribution: by names, and by CK Tile's six parameters.

use super::draft::Draft;
use super::encoding::Encoding;
use super::fault::{DistributionError, Owner};
use tiledesc_transforms::{NumberError, attempt, range};

/// A factor's name and length.
pub type NamedFactor = (&'static str, u32);

/// A dimension's name and factors.
pub type NamedDimension<'a> = (&'static str, &'a [NamedFactor]);

/// A number that may not exist: a quotient with a remainder.
type Made = Result<u32, NumberError>;

/// By names, of lengths of which `$made` makes numbers that may not exist.
macro_rules! by_names {
    ($(#[$doc:meta])* $name:ident, $Factor:ty, $Dimension:ty, $made:expr) => {
        $(#[$doc])*
        pub const fn $name(
            repeat: &[$Factor],
            dimensions: &[$Dimension],
            wave: &[&'static str],
            lane: &[&'static str],
            thread: &[&'static str],
        ) -> Result<Self, DistributionError> {
            let mut draft = Draft::new();
            range!(i, 0..repeat.len(), {
                attempt!(draft.factor(repeat[i].0, $made(repeat[i].1)));
            });
            range!(d, 0..dimensions.len(), {
                let (name, factors) = dimensions[d];
                attempt!(draft.dimension(name));
                range!(i, 0..factors.len(), {
                    attempt!(draft.factor(factors[i].0, $made(factors[i].1)));
                });
            });
            attempt!(draft.names_differ());
            attempt!(owns_names(&mut draft, Owner::Wave, wave));
            attempt!(owns_names(&mut draft, Owner::Lane, lane));
            attempt!(owns_names(&mut draft, Owner::Thread, thread));
            draft.finish()
        }
    };
}

impl Encoding {
    by_names! {
        /// By names: the repetitions, then the dimensions, each a list of factors, slowest
        /// first; then the factors that the wave, the lane and the thread own, slowest first.
        ///
        /// ```
        /// use tiledesc::distribution::{DistributionError, Encoding};
        ///
        /// fn operand(thread: &[&'static str]) -> Result<Encoding, DistributionError> {
        ///     let dimensions = [("m", &[("row", 32)][..]), ("k", &[("part", 2), ("pack", 4)])];
        ///     Encoding::named(&[], &dimensions, &[], &["part", "row"], thread)
        /// }
        /// assert_eq!(operand(&["pack"])?.lanes(), 64);
        /// assert_eq!(
        ///     operand(&[]).unwrap_err().to_string(),
        ///     r#"factor "pack" of k (length 4) has no owner: no lane would hold its other elements"#,
        /// );
        /// assert_eq!(
        ///     operand(&["row", "pack"]).unwrap_err().to_string(),
        ///     r#"factor "row" of m is owned by lane and by thread"#,
        /// );
        /// # Ok::<(), DistributionError>(())
        /// ```
        ///
        /// # Errors
        ///
        /// [`DistributionError`]: a factor owned twice or by nobody, a repetition that a thread owns, a name that does not exist
        /// or is given twice, a length of 0, too many or too large.
        named, NamedFactor, NamedDimension<'_>, Ok
    }

    by_names! {
        /// [`named`](Self::named) of numbers that may not exist: what a generic distribution is made of.
        #[doc(hidden)]
        of_numbers, (&'static str, Made), (&'static str, &[(&'static str, Made)]),
        core::convert::identity
    }

    /// Makes an encoding by CK Tile's six parameters, for ports: R lengths; H lengths of each dimension; of each partition
    /// dimension, (lane) or (wave, lane), its factors by major and minor indices; of each Y dimension its factor. Major 0 is R,
    /// major 1 dimension 0; minor is the position.
    ///
    /// ```
    /// use tiledesc::distribution::Encoding;
    ///
    /// // The A operand of a block of 2 x 2 waves of 32x32x16 instructions.
    /// let a = Encoding::ck(
    ///     &[2],
    ///     &[&[2, 2, 32], &[4, 2, 8]],
    ///     (&[&[1, 0], &[2, 1]], &[&[1, 0], &[1, 2]]),
    ///     (&[1, 2, 2], &[0, 0, 2]),
    /// )
    /// .unwrap();
    /// assert_eq!(a.lengths(), [128, 64]);
    /// assert_eq!((a.waves(), a.lanes(), a.elements(), a.replicas()), (4, 64, 64, 2));
    /// ```
    ///
    /// # Errors
    ///
    /// As [`named`](Self::named), and indices of factors that do not exist.
    pub const fn ck(
        rs: &[u32],
        hs: &[&[u32]],
        (ps_major, ps_minor): (&[&[u32]], &[&[u32]]),
        (ys_major, ys_minor): (&[u32], &[u32]),
    ) -> Result<Self, DistributionError> {
        let mut draft = Draft::new();
        attempt!(unnamed(&mut draft, rs));
        range!(d, 0..hs.len(), {
            attempt!(draft.dimension(""));
            attempt!(unnamed(&mut draft, hs[d]));
        });
        let given = ps_major.len();
        if ps_minor.len() != given {
            return Err(sizes("ps", given, ps_minor.len()));
        }
        if given != 1 && given != 2 {
            return Err(DistributionError::Partitions { given: given as u32 });
        }
        range!(p, 0..given, {
            let owner = if p + 1 == given { Owner::Lane } else { Owner::Wave };
            attempt!(owns_all(&mut draft, owner, "ps", ps_major[p], ps_minor[p]));
        });
        attempt!(owns_all(&mut draft, Owner::Thread, "ys", ys_major, ys_minor));
        draft.finish()
    }
}

const fn unnamed(draft: &mut Draft, lengths: &[u32]) -> Result<(), DistributionError> {
    range!(i, 0..lengths.len(), {
        attempt!(draft.factor("", Ok(lengths[i])));
    });
    Ok(())
}

const fn owns_names(
    draft: &mut Draft,
    owner: Owner,
    names: &[&'static str],
) -> Result<(), DistributionError> {
    range!(i, 0..names.len(), {
        attempt!(draft.owns(owner, names[i]));
    });
    Ok(())
}

const fn owns_all(
    draft: &mut Draft,
    owner: Owner,
    of: &'static str,
    major: &[u32],
    minor: &[u32],
) -> Result<(), DistributionError> {
    if major.len() != minor.len() {
        return Err(sizes(of, major.len(), minor.len()));
    }
    range!(i, 0..major.len(), {
        attempt!(draft.owns_at(owner, major[i], minor[i]));
    });
    Ok(())
}

const fn sizes(of: &'static str, major: usize, minor: usize) -> DistributionError {
    DistributionError::SizesDiffer { of, major: major as u32, minor: minor as u32 }
}
