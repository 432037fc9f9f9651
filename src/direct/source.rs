//! The places of a tile's elements in global memory.

use tiledesc_transforms::{Error, List, Plan, attempt};

/// The elements between two neighbours along a dimension of memory.
///
/// ```
/// use tiledesc::direct::{Source, Stride};
///
/// let columns = Source::strided(&[Stride::Of(1), Stride::Of(128)])?;
/// assert_eq!(columns.offset(&[3, 17])?, Some(3 + 17 * 128));
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// This many.
    Of(u32),
    /// Known only at run time, as a multiple of the given number.
    MultipleOf(u32),
}

/// The places in memory of the elements of a tile: a view, or strides, some of which are known only at run time.
///
/// ```
/// use tiledesc::direct::{Source, Stride};
///
/// let rows = Source::rows(8192);
/// assert_eq!(rows.offset(&[2, 5])?, Some(16_389));
/// // A pitch of the run time that is a multiple of 8 elements.
/// let rows = Source::strided(&[Stride::MultipleOf(8), Stride::Of(1)])?;
/// assert_eq!((rows.offset(&[0, 5])?, rows.offset(&[2, 5])?), (Some(5), None));
/// # Ok::<(), tiledesc::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Source<'a>(SourceKind<'a>);

#[derive(Clone, Copy, Debug)]
enum SourceKind<'a> {
    View(&'a Plan),
    /// Strides; those with a bit in `open` are known as multiples only.
    Strided {
        strides: List,
        open: u32,
    },
}

impl<'a> Source<'a> {
    /// A tensor of any descriptor; the tile is its beginning.
    ///
    /// ```
    /// use tiledesc::{Plan, direct::Source};
    ///
    /// // 1000 columns of 512 elements, one behind the other.
    /// let tensor = Plan::naive(&[512, 1000], &[1, 512])?;
    /// let source = Source::view(&tensor);
    /// assert_eq!(source.offset(&[3, 17])?, Some(3 + 17 * 512));
    /// assert_eq!(
    ///     source.offset(&[512, 0]).unwrap_err().to_string(),
    ///     "index 512 is out of range: dimension 0 has length 512",
    /// );
    /// # Ok::<(), tiledesc::Error>(())
    /// ```
    #[must_use]
    pub const fn view(plan: &'a Plan) -> Self {
        Self(SourceKind::View(plan))
    }

    /// Rows, `pitch` elements from one to the next: a tile of two dimensions.
    #[must_use]
    pub const fn rows(pitch: u32) -> Self {
        Self(SourceKind::Strided { strides: List::pair(pitch, 1), open: 0 })
    }

    /// Rows whose pitch is known only at run time, as a multiple of a number of elements. Of these a plan
    /// needs as many as a transfer aligns to.
    ///
    /// ```
    /// use tiledesc::{chip::gfx950::global_load_lds_b128, direct::Source, prelude::*};
    ///
    /// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
    /// let loads = |pitch| ABlock::direct(Source::rows_of_multiple(pitch), &global_load_lds_b128).plan();
    /// assert_eq!(loads(8)?.loads(), 16);
    /// assert_eq!(
    ///     loads(4).unwrap_err().to_string(),
    ///     "the source of (1, 8) can begin at byte 8, which is not aligned to 16",
    /// );
    /// # Ok::<(), tiledesc::direct::DirectError>(())
    /// ```
    #[must_use]
    pub const fn rows_of_multiple(pitch: u32) -> Self {
        Self(SourceKind::Strided { strides: List::pair(pitch, 1), open: 1 })
    }

    /// Returns the source of a tile of `rank` dimensions in a tensor of as many: its last dimension is contiguous, and the run
    /// time knows all other pitches, each a multiple of `pitch` elements.
    pub(crate) const fn in_tensor(rank: usize, pitch: u32) -> Self {
        let mut strides = [pitch; List::CAPACITY];
        if rank == 0 || rank > List::CAPACITY {
            return Self::rows_of_multiple(pitch);
        }
        strides[rank - 1] = 1;
        let strides = List::new(strides.split_at(rank).0);
        Self(SourceKind::Strided { strides, open: (1 << (rank - 1)) - 1 })
    }

    /// The strides of the tile's dimensions.
    ///
    /// # Errors
    ///
    /// More dimensions than a descriptor has.
    pub const fn strided(strides: &[Stride]) -> Result<Self, Error> {
        let (mut list, mut open, mut i) = (List::new(&[]), 0, 0);
        while i < strides.len() {
            let (stride, is_open) = match strides[i] {
                Stride::Of(stride) => (stride, 0),
                Stride::MultipleOf(stride) => (stride, 1),
            };
            list = attempt!(list.push_back(stride) => Error::Number);
            open |= is_open << i;
            i += 1;
        }
        Ok(Self(SourceKind::Strided { strides: list, open }))
    }

    /// The offset of a coordinate, in elements; `None` if it depends on a stride of the run time.
    ///
    /// # Errors
    ///
    /// A coordinate of another rank, or that a view does not have.
    pub const fn offset(&self, index: &[u32]) -> Result<Option<u64>, Error> {
        match self.0 {
            SourceKind::View(plan) => match plan.offset(index) {
                Ok(offset) => Ok(Some(offset as u64)),
                Err(error) => Err(error),
            },
            SourceKind::Strided { strides, open } => {
                attempt!(check_rank(&strides, index));
                let (mut offset, mut i) = (0, 0);
                while i < index.len() {
                    if open >> i & 1 == 1 && index[i] > 0 {
                        return Ok(None);
                    }
                    offset += strides.at(i) as u64 * index[i] as u64;
                    i += 1;
                }
                Ok(Some(offset))
            }
        }
    }

    const fn known(&self, index: &[u32]) -> Result<u64, Error> {
        match self.offset(index) {
            Ok(Some(offset)) => Ok(offset),
            Ok(None) => Ok(0),
            Err(error) => Err(error),
        }
    }

    /// Elements from one coordinate to another; `None` if only the run time knows.
    pub(super) const fn distance(&self, from: &List, to: &List) -> Result<Option<i64>, Error> {
        match self.0 {
            SourceKind::View(_) => {
                let (from, to) =
                    (attempt!(self.known(from.as_slice())), attempt!(self.known(to.as_slice())));
                Ok(Some(to as i64 - from as i64))
            }
            SourceKind::Strided { strides, open } => {
                attempt!(check_rank(&strides, from.as_slice()));
                let (mut distance, mut i) = (0, 0);
                while i < strides.len() {
                    let step = to.at(i) as i64 - from.at(i) as i64;
                    if open >> i & 1 == 1 && step != 0 {
                        return Ok(None);
                    }
                    distance += step * strides.at(i) as i64;
                    i += 1;
                }
                Ok(Some(distance))
            }
        }
    }

    /// Returns whether the offset is a sum of strides times indices: then as many steps along each
    /// dimension are as many bytes, wherever they begin.
    pub(super) const fn is_affine(&self) -> bool {
        matches!(self.0, SourceKind::Strided { .. })
    }

    /// The strides that the run time knows, a bit for each dimension.
    pub(super) const fn open(&self) -> u32 {
        match self.0 {
            SourceKind::View(_) => 0,
            SourceKind::Strided { open, .. } => open,
        }
    }

    /// The stride of a dimension, if it is known before any coordinate is.
    pub(super) const fn stride(&self, dimension: usize) -> Option<u32> {
        match self.0 {
            SourceKind::Strided { strides, open } if open >> dimension & 1 == 0 => {
                Some(strides.at(dimension))
            }
            _ => None,
        }
    }

    /// Returns whether the first two elements along a dimension are neighbours in memory.
    pub(super) const fn begins_contiguous(&self, dimension: usize) -> bool {
        let SourceKind::View(plan) = self.0 else {
            return matches!(self.stride(dimension), Some(1));
        };
        let first = plan.nth(0);
        if dimension >= first.len() {
            return false;
        }
        let second = first.with(dimension, 1);
        match (plan.offset(first.as_slice()), plan.offset(second.as_slice())) {
            (Ok(first), Ok(second)) => second as u64 == first as u64 + 1,
            _ => false,
        }
    }

    /// The stride of a dimension, or what it is a multiple of.
    pub(super) const fn stated(&self, dimension: usize) -> Option<u32> {
        match self.0 {
            SourceKind::Strided { strides, .. } => Some(strides.at(dimension)),
            SourceKind::View(_) => None,
        }
    }
}

const fn check_rank(strides: &List, index: &[u32]) -> Result<(), Error> {
    if strides.len() == index.len() {
        return Ok(());
    }
    Err(Error::Rank { wanted: strides.len() as u32, given: index.len() as u32 })
}
