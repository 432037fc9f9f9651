//! Lanes that hold the same: over which bits of a lane's number a sum goes.
//!
//! ```text
//!   C     m [again 4, part 2, group 4], n [column 32]; lane (part, column), thread (again, group)
//!   sums  m [again 4, part 2, group 4]; repeat [column 32], lane (part, column), thread (again, group)
//!
//!   column is bits 0 to 4 of the lane's number: sum += the sum of lane ^ 1, of lane ^ 2, .. ^ 16
//! ```
//!
//! A repetition whose length and place value are powers of two is a run of bits of the number, and
//! no other bit of it changes nothing: they are the kernel of the distribution's map of
//! bits, which exists only where all lengths are powers of two.

use super::encoding::{Encoding, Factor};
use super::fault::{DistributionError, Owner};
use tiledesc_transforms::{down, range};

/// The bits of a lane's and a wave's number that do not change what it holds: a butterfly over them adds up the
/// lanes' partial sums.
///
/// ```
/// use tiledesc::distribution::Reduced;
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 2 x 2 waves; 4 lanes and 2 waves have a part of each row.
///     type C: m [wave 2, row 16], n [half 2, part 4, column 4];
///         wave (wave, half), lane (part, row), thread (column);
/// }
/// type Sums = Reduced<C, 1>;
/// // Two steps between lanes; then waves 0 and 1, and 2 and 3, through LDS.
/// assert_eq!((Sums::BUTTERFLY.lanes(), Sums::BUTTERFLY.waves()), (&[16, 32][..], &[1][..]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Butterfly {
    masks: [[u32; Self::MOST]; 2],
    count: [usize; 2],
}

impl Butterfly {
    const MOST: usize = u32::BITS as usize;

    /// One mask for each step within a wave, the lowest bit first: lane l adds what lane l ^ mask has.
    #[must_use]
    pub const fn lanes(&self) -> &[u32] {
        self.masks[Owner::Lane as usize].split_at(self.count[Owner::Lane as usize]).0
    }

    /// One mask for each step between waves, which goes through LDS: wave w adds what wave w ^ mask
    /// has.
    #[must_use]
    pub const fn waves(&self) -> &[u32] {
        self.masks[Owner::Wave as usize].split_at(self.count[Owner::Wave as usize]).0
    }
}

impl Encoding {
    /// The bits of lanes and waves that change nothing: `2^bits` lanes hold each element, which
    /// are [`replicas`](Self::replicas).
    ///
    /// ```
    /// use tiledesc::{distribution::DistributionError, matrix::mfma};
    /// use tiledesc::prelude::*;
    ///
    /// // The sum of a row of an accumulator is shared by the 32 lanes that have a column of it.
    /// let sums = mfma::F16_32x32x8::C::ENCODING?.reduced(1)?;
    /// assert_eq!(sums.butterfly()?.lanes(), [1, 2, 4, 8, 16]);
    /// // That of a column by the two that have rows of it.
    /// assert_eq!(mfma::F16_32x32x8::C::ENCODING?.reduced(0)?.butterfly()?.lanes(), [32]);
    /// # Ok::<(), DistributionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`DistributionError::NotPowerOfTwo`] of a repetition, or of a factor that its owner lists
    /// after one.
    pub const fn butterfly(&self) -> Result<Butterfly, DistributionError> {
        let mut made = Butterfly { masks: [[0; Butterfly::MOST]; 2], count: [0; 2] };
        let owners = [Owner::Wave, Owner::Lane];
        range!(i, 0..owners.len(), {
            let mut odd = None;
            down!(place, 0..self.listed_by(owners[i]), {
                let at = self.listed(owners[i], place);
                let Factor { length, group, below, .. } = self.factors[at];
                if odd.is_none() && !length.is_power_of_two() {
                    odd = Some(at);
                }
                if group == 0
                    && length > 1
                    && let Some(at) = odd
                {
                    let (factor, length) = (self.name_of(at), self.factors[at].length);
                    return Err(DistributionError::NotPowerOfTwo { factor, length });
                }
                let mut bit = 1;
                while group == 0 && bit < length {
                    made.masks[i][made.count[i]] = bit * below;
                    made.count[i] += 1;
                    bit *= 2;
                }
            });
        });
        Ok(made)
    }
}
