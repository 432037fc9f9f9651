//! A conversion as a type: of a declaration with parameters, and of instructions that hand round what lanes address.
//!
//! ```text
//!   convert! { type Tile<E: Element, C: Target> = E [32, 32] on C: type Stores from Sums, type Loads to Rows; }
//!
//!   type Asked = Asked<E, Sums, Rows, C, Lit<32>, Lit<32>, 0, 0>;    the question, whose answer is its constant
//!   type Tile<E, C> = Layout<E, Found<Asked>>;                       an xor of columns, which are numbers of the answer
//!   type Stores<E, C> = Side<Asked, Tile<E, C>, 0>;
//!   type Loads<E, C> = Side<Asked, Tile<E, C>, 1>;
//! ```
//!
//! Where parameters are open no recipe can be chosen by a number, so that the layout is what all are that have no pads: packs
//! of a row or of a column, placed bit by bit. Of 48 rows of 8 packs, 384 = 3 * 128, the places change within each 128.

use super::conversion::{Converted, confirm, convert};
use super::form::ListExtents;
use crate::access::{Accesses, Address, check_moved};
use crate::chip::Target;
use crate::chip::instruction::Instruction;
#[cfg(debug_assertions)]
use crate::distribution::refuse_swapped;
use crate::distribution::{Distribution, DistributionError, Encoding};
use crate::element::{Element, ElementName};
use crate::layout::{Recipe, Tile};
use crate::recipe::Scheme;
use crate::search::Synthesis;
use crate::warp_gemm::Registers;
use core::marker::PhantomData;
use tiledesc_macros::Phantom;
use tiledesc_transforms::{Lengths, List, Number, NumberError, Text, descriptor, range, say};

/// A conversion that [`convert!`](crate::convert!) asks for.
pub trait Conversion: 'static {
    /// The elements of the tile.
    type Element: Element;
    /// What lanes hold before.
    type From: Distribution;
    /// What lanes hold after.
    type To: Distribution;
    /// The cycles that are enough, if they are stated.
    const LIMIT: Option<u64>;
    /// Whether the declaration has parameters.
    const IS_OPEN: bool;
    /// The lengths of the tile.
    const TILE: [usize; 2];
    /// The name of the chip.
    const CHIP: &'static str;
    /// What was found.
    const CONVERTED: Converted;
}

/// The side of a conversion with this number, 0 of the stores and 1 of the loads, and what its lanes hold.
pub trait HeldOf<const SIDE: usize>: Conversion {
    /// What lanes hold.
    type Held: Distribution;
}

/// The conversion of elements `E` of a tile of `M` by `N` on the chip `C`. Bit 0 of `SAYS` says that the stores may hand round
/// what lanes address, bit 1 that the loads may, bit 2 that the declaration has parameters; a `LIMIT` of 0 is none.
#[derive(Debug)]
#[allow(clippy::type_complexity)]
pub struct Asked<E, From, To, C, M, N, const SAYS: usize, const LIMIT: u64>(
    PhantomData<(E, From, To, C, M, N)>,
);

impl<E, From, To, C, M, N, const SAYS: usize, const LIMIT: u64> Conversion
    for Asked<E, From, To, C, M, N, SAYS, LIMIT>
where
    E: Element,
    From: Distribution + 'static,
    To: Distribution + 'static,
    C: Target + 'static,
    M: Number,
    N: Number,
{
    type Element = E;
    type From = From;
    type To = To;
    const LIMIT: Option<u64> = if LIMIT == 0 { None } else { Some(LIMIT) };
    const IS_OPEN: bool = SAYS & 4 == 4;
    const TILE: [usize; 2] = [M::N as usize, N::N as usize];
    const CHIP: &'static str = C::NAME;
    const CONVERTED: Converted = convert::<E, From, To>(
        Self::TILE,
        C::NAME,
        ["what lanes hold", "what lanes are to hold"],
        [SAYS & 1 == 1, SAYS & 2 == 2],
    );
}

impl<E, From, To, C, M, N, const SAYS: usize, const LIMIT: u64> HeldOf<0>
    for Asked<E, From, To, C, M, N, SAYS, LIMIT>
where
    Self: Conversion<From = From>,
    From: Distribution,
{
    type Held = From;
}

impl<E, From, To, C, M, N, const SAYS: usize, const LIMIT: u64> HeldOf<1>
    for Asked<E, From, To, C, M, N, SAYS, LIMIT>
where
    Self: Conversion<To = To>,
    To: Distribution,
{
    type Held = To;
}

/// The recipe of the layout that was found.
#[derive(Phantom)]
pub struct Found<Q>(PhantomData<Q>);

/// What lanes address on one side: what they hold, or the rows that they give to an instruction that hands them round.
#[derive(Phantom)]
pub struct Given<Q, const SIDE: usize>(PhantomData<Q>);

/// Elements at an address of one side.
#[derive(Phantom)]
pub struct PackOf<Q, const SIDE: usize>(PhantomData<Q>);

/// A length of the layout: 0 and 1 of the tile, 2 and 3 of its packs, 4 of the packs whose places the columns change.
#[derive(Phantom)]
pub struct LengthOf<Q, const NUMBER: usize>(PhantomData<Q>);

/// The columns of the packs of the layout.
#[derive(Phantom)]
pub struct ColumnsOf<Q>(PhantomData<Q>);

impl<Q: HeldOf<SIDE>, const SIDE: usize> Distribution for Given<Q, SIDE> {
    const ENCODING: Result<Encoding, DistributionError> = match &Q::Held::ENCODING {
        Ok(held) => match Q::CONVERTED.rows()[SIDE].addresses_of(held, Q::Element::BITS) {
            Some(given) => Ok(given),
            None => Ok(*held),
        },
        Err(fault) => Err(*fault),
    };
}

impl<Q: Conversion, const SIDE: usize> Number for PackOf<Q, SIDE> {
    const N: u32 = Q::CONVERTED.packs[SIDE] as u32;
}

/// A layout of packs that are placed bit by bit: `packs` are their lengths along each dimension, one of them 1.
#[derive(Clone, Copy)]
struct BitByBit {
    packs: [u32; 2],
    columns: List,
}

impl BitByBit {
    /// In order.
    const NONE: Self = Self { packs: [1; 2], columns: List::EMPTY };

    /// The layout that was found; `None` if it has pads, lengths over which its bits do not go, or more packs than the columns
    /// can place.
    const fn new(found: &Synthesis) -> Option<Self> {
        let Ok(plan) = found.plan() else { return None };
        let (tile, along) = (plan.lengths(), !found.layout.is_transposed() as usize);
        if matches!(found.layout.scheme(), Scheme::InOrder) {
            let mut packs = [1; 2];
            packs[along] = tile.at(along);
            return Some(Self { packs, columns: List::EMPTY });
        }
        let Some(digits) = plan.digits() else { return None };
        let Ok(vector) = plan.vector(along) else { return None };
        let is_dense = plan.element_space() == tile.elements();
        if !digits.is_linear()
            || !is_dense
            || vector.stride != 1
            || !vector.length.is_power_of_two()
        {
            return None;
        }
        let mut packs = [1; 2];
        packs[along] = vector.length;
        let form = Self { packs, columns: List::EMPTY };
        let counts = [tile.at(0) / packs[0], tile.at(1) / packs[1]];
        if !counts[1].is_power_of_two() {
            return None;
        }
        let bits = [counts[0].next_power_of_two().trailing_zeros(), counts[1].trailing_zeros()];
        let (mut columns, mut count) = ([0; u32::BITS as usize], 0);
        range!(bit, 0..bits[0] + bits[1], {
            let at = match bit.checked_sub(bits[1]) {
                None => List::pair(0, packs[1] << bit),
                Some(row) => List::pair(packs[0] << row, 0),
            };
            let Some(offset) = digits.offset(&at) else { return None };
            columns[bit as usize] = offset / vector.length;
            // The last that do not stay where they are.
            if columns[bit as usize] != 1 << bit {
                count = bit as usize + 1;
            }
        });
        // Packs move only within blocks of a power of two, and whole blocks make up the tile, so none leaves it.
        if count > List::CAPACITY || 1_u32 << count > form.moved(&tile) {
            return None;
        }
        let mut kept = [0; List::CAPACITY];
        range!(i, 0..count, { kept[i] = columns[i] });
        Some(Self { columns: List::of_first(kept, count), ..form })
    }

    /// The largest power of two of packs that divides their number.
    const fn moved(&self, tile: &List) -> u32 {
        let packs = (tile.at(0) / self.packs[0]) * (tile.at(1) / self.packs[1]);
        packs & packs.wrapping_neg()
    }
}

/// The form of what was found, as one constant.
struct FormOf<Q>(PhantomData<Q>);

impl<Q: Conversion> FormOf<Q> {
    const SOUGHT: Option<BitByBit> = match Q::CONVERTED.found().cycles {
        0 => None,
        _ => BitByBit::new(Q::CONVERTED.found()),
    };
    const FORM: BitByBit = match Self::SOUGHT {
        Some(form) => form,
        None => BitByBit::NONE,
    };
}

impl<Q: Conversion, const NUMBER: usize> Number for LengthOf<Q, NUMBER> {
    const N: u32 = match NUMBER {
        0 | 1 => Q::TILE[NUMBER] as u32,
        2 | 3 => FormOf::<Q>::FORM.packs[NUMBER - 2],
        _ => {
            let tile = List::pair(Q::TILE[0] as u32, Q::TILE[1] as u32);
            FormOf::<Q>::FORM.moved(&tile)
        }
    };
}

impl<Q: Conversion> Lengths for ColumnsOf<Q> {
    const COUNT: usize = FormOf::<Q>::FORM.columns.len();
    const KNOWN: Result<List, NumberError> = Ok(FormOf::<Q>::FORM.columns);
    type Extents = ListExtents;

    #[inline(always)]
    fn extents(&self) -> ListExtents {
        const { ListExtents::new(&FormOf::<Q>::FORM.columns) }
    }
}

descriptor! {
    type Placed<M, N, P, Q, B, Columns>:
        packed [M/P*N/Q/B, B, P, Q];
        pass[M/P*N/Q/B] (0) -> (0),   linear_bits[B] columns Columns (1) -> (1),   pass[P] (2) -> (2),   pass[Q] (3) -> (3);
        merge[M/P*N/Q/B, B] (0, 1) -> (0),   pass[P] (2) -> (1),   pass[Q] (3) -> (2);
        unmerge[M/P, N/Q] (0) -> (0, 2),   pass[P] (1) -> (1),   pass[Q] (2) -> (3);
        merge[M/P, P] (0, 1) -> (0),   merge[N/Q, Q] (2, 3) -> (1);
}

impl<E, Q: Conversion> Recipe<E> for Found<Q> {
    type Rank = typenum::U2;
    type Descriptor = Placed<
        LengthOf<Q, 0>,
        LengthOf<Q, 1>,
        LengthOf<Q, 2>,
        LengthOf<Q, 3>,
        LengthOf<Q, 4>,
        ColumnsOf<Q>,
    >;
    const NAME: &'static str = "Converted";
}

/// The accesses of one side of a conversion: of a declaration with parameters, and of one that ends with `by any`.
///
/// An instruction may hand round what lanes address, as `ldmatrix` does: then a lane gives the address of a row, of which other
/// lanes get parts, and gets its own registers from the rows that others address. The closure issues that instruction, whose
/// row is [`INSTRUCTION`](Self::INSTRUCTION), with the address and with the registers that it moves.
///
/// ```
/// use tiledesc::matrix::mma;
/// use tiledesc::prelude::*;
///
/// distribution! { type Rows: m [row 16], k [chunk 2, half 8]; lane (row, chunk), thread (half); }
/// convert! { type Tile = F16 [16, 16] on sm_80: type Stores from Rows, type Loads to mma::A<U16, U2> by any; }
/// assert_eq!(Tile.instructions(), ["st.shared.b128", "ldmatrix.x4"]);
///
/// // Lane 17 names row 1, from column 8 on, and gets all of its 8 halves by one instruction.
/// let mut given = Vec::new();
/// Loads::each(0, 17, |byte, immediate, _, first| given.push((byte + immediate, first)));
/// assert_eq!(given, [(Tile::byte_at([1u32, 8]), 0)]);
/// assert_eq!((Loads::COUNT, Loads::MOVED), (1, 8));
/// ```
#[derive(Debug)]
pub struct Side<Q, L, const SIDE: usize>(PhantomData<(Q, L)>);

/// The accesses of what lanes address.
pub(crate) type Addressed<Q, L, const SIDE: usize> = Accesses<Given<Q, SIDE>, L, PackOf<Q, SIDE>>;

impl<Q, L, const SIDE: usize> Side<Q, L, SIDE>
where
    Q: HeldOf<SIDE>,
    L: Tile<Descriptor: Default>,
{
    /// What was found, for both sides.
    pub const CONVERTED: Converted = Q::CONVERTED;
    /// The row of the instruction.
    pub const INSTRUCTION: &'static Instruction = Q::CONVERTED.rows()[SIDE];
    /// The number of instructions of a lane.
    pub const COUNT: usize = Addressed::<Q, L, SIDE>::COUNT;
    /// Bytes at each address.
    pub const BYTES: u32 = Addressed::<Q, L, SIDE>::BYTES;
    /// Elements of a lane that an instruction moves.
    pub const MOVED: usize = (Self::INSTRUCTION.held_bytes() * 8 / Q::Element::BITS) as usize;

    /// Lanes that give an address; those after them repeat these.
    const GIVING: u32 = match &Given::<Q, SIDE>::ENCODING {
        Ok(given) => given.lanes(),
        Err(_) => 1,
    };
    const LANES: u32 = match &Q::Held::ENCODING {
        Ok(held) => held.lanes(),
        Err(_) => 1,
    };

    #[track_caller]
    const fn check() {
        refuse::<Q, L>();
    }

    /// Refuses what [`check`](Self::check) does, and another number of elements than a lane holds or an instruction moves.
    #[track_caller]
    const fn check_moved(held: usize, moved: usize) {
        Self::check();
        check_moved::<Q::Held>(held, moved, Self::MOVED as u32);
    }

    /// Calls `f` with the byte address, the immediate, whether the lane holds this access at all, and the first element that it
    /// moves, of each instruction, as [`Accesses::each`] does; unrolled by the compiler.
    ///
    /// What is wrong with the conversion is an error of `cargo build` where it is called; `cargo check` does not see it.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist.
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each(wave: u32, lane: u32, f: impl FnMut(u32, u32, bool, usize)) {
        const { Self::check() };
        #[cfg(debug_assertions)]
        refuse_swapped::<Q::Held>(wave, lane);
        Self::run(wave, lane, f);
    }

    /// Calls `store` with the place and the elements of each instruction, as [`Accesses::each_from`] does.
    ///
    /// ```
    /// use tiledesc::matrix::mma;
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [row 16], n [two 2, four 4]; lane (row, two), thread (four); }
    /// convert! { type Tile = F16 [16, 8] on sm_90: type Stores from mma::C by any, type Loads to Rows; }
    /// // By `stmatrix.x2` lane 5 names row 5, and gives all of its four halves.
    /// let mut given = Vec::new();
    /// Stores::each_from(0, 5, &[1u16, 2, 3, 4], |at, halves: &[u16; 4]| given.push((at.byte(), *halves)));
    /// assert_eq!(given, [(Tile::byte_at([5u32, 0]), [1, 2, 3, 4])]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`each`](Self::each).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_from<E, const HELD: usize, const MOVED: usize>(
        wave: u32,
        lane: u32,
        registers: &[E; HELD],
        mut store: impl FnMut(Address, &[E; MOVED]),
    ) {
        const { Self::check_moved(HELD, MOVED) };
        #[cfg(debug_assertions)]
        refuse_swapped::<Q::Held>(wave, lane);
        Self::run(wave, lane, |register, immediate, valid, first| {
            if valid && let Some(held) = registers.get(first..).and_then(<[E]>::first_chunk) {
                store(Address::new(register, immediate), held);
            }
        });
    }

    /// Calls `load` with the place and the elements of each instruction, as [`Accesses::each_into`] does.
    ///
    /// ```
    /// use tiledesc::matrix::mma;
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type Rows: m [row 16], k [chunk 2, half 8]; lane (row, chunk), thread (half); }
    /// convert! { type Tile = F16 [16, 16] on sm_80: type Stores from Rows, type Loads to mma::A<U16, U2> by any; }
    /// // In place of `ldmatrix.x4` the address that lane 17 names.
    /// let mut registers = [0u16; 8];
    /// Loads::each_into(0, 17, &mut registers, |at, halves: &mut [u16; 8]| *halves = [at.byte() as u16; 8]);
    /// assert_eq!(registers, [Tile::byte_at([1u32, 8]) as u16; 8]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`each`](Self::each).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_into<E: Copy + Default, const HELD: usize, const MOVED: usize>(
        wave: u32,
        lane: u32,
        registers: &mut [E; HELD],
        mut load: impl FnMut(Address, &mut [E; MOVED]),
    ) {
        const { Self::check_moved(HELD, MOVED) };
        #[cfg(debug_assertions)]
        refuse_swapped::<Q::Held>(wave, lane);
        Self::run(wave, lane, |register, immediate, valid, first| {
            if let Some(held) = registers.get_mut(first..).and_then(<[E]>::first_chunk_mut) {
                match valid {
                    true => load(Address::new(register, immediate), held),
                    false => *held = [E::default(); MOVED],
                }
            }
        });
    }

    #[inline(always)]
    fn run(wave: u32, lane: u32, mut f: impl FnMut(u32, u32, bool, usize)) {
        let giving = if const { Self::GIVING < Self::LANES } { lane % Self::GIVING } else { lane };
        Addressed::<Q, L, SIDE>::run::<false>(wave, giving, |register, immediate, valid, given| {
            // So many at an address are one instruction.
            let first = given / const { Q::CONVERTED.packs[SIDE] } * const { Self::MOVED };
            f(register, immediate, valid, first);
        });
    }
}

/// What lanes hold of the tile, as an operand of a product.
impl<Q: HeldOf<SIDE>, L: Tile, const SIDE: usize> Registers for Side<Q, L, SIDE> {
    type Held = Q::Held;
    const ELEMENT: Option<ElementName> = Some(ElementName::new::<L::Element>());
}

/// Refuses a conversion that was not found, or not of so few cycles, and a layout that parameters cannot leave open.
#[track_caller]
const fn refuse<Q: Conversion, L: Tile>() {
    let (converted, name) = (&Q::CONVERTED, "convert!");
    if Q::IS_OPEN && converted.found().cycles > 0 && FormOf::<Q>::SOUGHT.is_none() {
        let text = say!(Text::new():
            str(name), ": a declaration with parameters takes packs that are placed bit by bit, and "
        );
        let text = unplaced(text, converted.found()).str(". The best is ");
        converted.explain(text).str("; declare it without parameters").refuse()
    }
    confirm::<L, Q::From, Q::To>(name, Q::TILE, Q::CHIP, converted, Q::LIMIT);
}

/// Why a layout is not one of packs that are placed bit by bit.
const fn unplaced(text: Text, found: &Synthesis) -> Text {
    let Ok(plan) = found.plan() else { return text.str("there is no layout") };
    let (lengths, space) = (plan.lengths(), plan.element_space());
    let elements = lengths.elements();
    if space != elements {
        return say!(text: "with its pads the tile of ", elements, " elements takes ", space);
    }
    range!(d, 0..lengths.len(), {
        if !lengths.at(d).is_power_of_two() {
            return say!(text: "length ", lengths.at(d), " of dimension ", d, " is not a power of two");
        }
    });
    say!(text: "its packs would take more than ", List::CAPACITY, " columns")
}
