//! The accesses of a lane, for kernels: what a distribution holds of a layout, instruction by
//! instruction.
//!
//! A lane that fetched 32 halves of a 128x64 tile stores them in four instructions of 16 bytes.
//! By hand each address is computed: four times 7 vector instructions on gfx942. Of the compiler's
//! knowledge of distribution and layout one is, and the others are that one, a constant further
//! or a constant xor-ed:
//!
//! ```text
//!   access   element   address                immediate
//!   0         0        computed                0
//!   1         8        access 0 ^ 1040         0           thread-raked rows of a swizzled tile
//!   2        16        access 0 ^ 2080         0
//!   3        24        access 0 ^ 3120         0
//! ```
//!
//! It moves no data: the backend's instruction is a closure.

// The sentence of an error is a value of the compiler, which no kernel moves.
#![allow(clippy::result_large_err)]

use crate::access::placed::{Placed, laid};
use crate::access::{Addressing, Route};
use crate::chip::instruction::Instruction;
use crate::chip::phases::Phases;
#[cfg(debug_assertions)]
use crate::distribution::refuse_swapped;
use crate::distribution::{Distribution, Encoding, bounds};
use crate::element::{Element, ElementName};
use crate::layout::{Sampled, Tile};
use crate::pattern::{Lanes, Pattern};
use crate::warp_gemm::Registers;
use core::marker::PhantomData;
use tiledesc_transforms::{
    Descriptor, Error, List, Number, Text, attempt, known, range, say, unrolled,
};

/// The accesses by which a lane of the distribution `T` reads or writes its part of the layout `L`, `P`
/// elements at a time.
///
/// ```
/// use tiledesc::prelude::*;
///
/// distribution! {
///     /// 256 lanes take 128 rows of 64 halves, 8 each.
///     type Fetch:
///         m [again 4, wave 4, row 8],  k [chunk 8, half 8];
///         wave (wave), lane (row, chunk), thread (again, half);
/// }
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// type Stores = Accesses<Fetch, ABlock, VectorSize<8>>;
///
/// let tile = [7u16; Fetch::ELEMENTS];
/// let mut lds = [0u16; 8192];
/// for (wave, lane) in (0..4).flat_map(|wave| (0..64).map(move |lane| (wave, lane))) {
///     // Unrolled: one address, and three immediates of it.
///     Stores::each(wave, lane, |address, immediate, _, first| {
///         let at = (address + immediate) as usize / 2;
///         lds[at..at + 8].copy_from_slice(&tile[first..first + 8]);
///     });
/// }
/// assert_eq!(lds, [7; 8192]);
/// assert_eq!((Stores::COUNT, Stores::ADDRESSING.registers()), (4, 1));
/// ```
///
/// Each lane moves what it addresses, so `T` is both what it addresses and what it holds. For `ldmatrix` and the like these are
/// two distributions: state `T` as that of the [addresses](crate::chip::Instruction::addresses_of), and take what is held from
/// the operand.
///
/// ```
/// use tiledesc::distribution::{DistributionError, Encoding};
/// use tiledesc::{chip::sm_80, matrix::mma, prelude::*};
///
/// type A = mma::A<U16, U2>;
/// /// The rows that lanes give to `ldmatrix.x4`.
/// struct Rows;
/// impl Distribution for Rows {
///     const ENCODING: Result<Encoding, DistributionError> = match &A::ENCODING {
///         Ok(held) => Ok(sm_80::ldmatrix_x4.addresses_of(&held, 16).unwrap()),
///         Err(_) => panic!(),
///     };
/// }
/// layout! { type Tile = recipe::RowPad<F16, M<16>, K<16>, Padding<8>>; }
/// let mut given = Vec::new();
/// Accesses::<Rows, Tile, VectorSize<8>>::each(0, 17, |address, immediate, _, _| given.push(address + immediate));
/// // Lane 17 addresses 8 halves of row 1, from column 8 on, and gets two of row 4, from column 2 on.
/// assert_eq!(given, [2 * (24 + 8)]);
/// assert_eq!((Rows::coordinate(0, 17, 0), A::coordinate(0, 17, 0)), ([1, 8], [4, 2]));
/// ```
///
/// Every vector of every wave, access and lane is contiguous in the layout, aligned to its bytes, outside of padding and inside
/// the layout's memory; where one is not, there is no address, and the error is that of [`Placed::check`], as of a verdict. The
/// elements of an access are also consecutive registers, as the instruction wants them. A distribution whose elements are not is
/// refused; exchange them first. More than 512 accesses ([`Addressing::MOST`]) are refused too.
///
/// ```compile_fail
/// use tiledesc::prelude::*;
///
/// distribution! { type T: m [row 64, two 2], k [eight 8]; lane (row), thread (eight, two); }
/// layout! { type Tile = recipe::RowMajor<F16, M<128>, K<8>>; }
/// // error: the 8 elements of an access along k are not in consecutive registers: one is 2 after
/// // its neighbour
/// Accesses::<T, Tile, VectorSize<8>>::each(0, 0, |_, _, _, _| ());
/// ```
#[derive(Debug)]
pub struct Accesses<T, L, P>(PhantomData<(T, L, P)>);

/// In a debug build the address of what a lane does not hold, or of what is outside a view: beyond any memory, so that a slice
/// refuses it on the line of whoever ignores `valid`. With an immediate it is below 2^31.
#[cfg(debug_assertions)]
const NOWHERE: u32 = 0x7fff_0000;

/// An address or an offset that is valid; in a debug build another one is nowhere.
#[inline(always)]
pub(crate) const fn or_nowhere(offset: u32, valid: bool) -> u32 {
    #[cfg(debug_assertions)]
    if !valid {
        return NOWHERE;
    }
    let _ = valid;
    offset
}

/// An access: its first element, the register that has its address, and its distance from there; where the register is needed
/// first, also the way in which it is made, and its element.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    pub(crate) element: usize,
    pub(crate) register: usize,
    pub(crate) offset: u32,
    pub(crate) makes: Option<(Route, usize)>,
}

impl Step {
    const NONE: Self = Self { element: 0, register: 0, offset: 0, makes: None };
}

impl Placed<'_, '_> {
    /// The accesses of a lane of a distribution in their order, or along CK Tile's snake.
    pub(crate) const fn steps(
        &self,
        encoding: &Encoding,
        addressing: &Addressing,
        snake: bool,
    ) -> [Step; Addressing::MOST] {
        let (routes, mut steps) = (addressing.routes(), [Step::NONE; Addressing::MOST]);
        let first = self.first_elements(encoding, false);
        let order = if snake { self.first_elements(encoding, true) } else { first };
        let (mut makers, mut registers) = ([0; Addressing::MOST], 0);
        range!(i, 0..routes.len(), {
            if !routes[i].is_immediate() {
                makers[registers] = i;
                registers += 1;
            }
        });
        let mut made = [false; Addressing::MOST];
        range!(i, 0..routes.len(), {
            let mut access = i;
            if snake {
                access = 0;
                while first[access] != order[i] {
                    access += 1;
                }
            }
            let (register, offset) = match routes[access] {
                Route::Immediate { register, offset } => (register, offset),
                _ => (made_by(&makers, access), 0),
            };
            let maker = makers[register];
            let is_new = !made[register];
            let route = (routes[maker], first[maker] as usize);
            let makes = if is_new { Some(route) } else { None };
            made[register] = true;
            steps[i] = Step { element: first[access] as usize, register, offset, makes };
        });
        steps
    }
}

/// The accesses of a lane in their order, or along CK Tile's snake: a type of its own, so that a kernel that takes one order does
/// not pay for the other.
struct InOrder<T, L, P, const SNAKE: bool>(PhantomData<(T, L, P)>);

impl<T, L, P, const SNAKE: bool> InOrder<T, L, P, SNAKE>
where
    T: Distribution,
    L: Tile<Descriptor: Default>,
    P: Number,
{
    /// By reference, for a debug build to read one of them where it loops.
    const STEPS: &'static [Step; Addressing::MOST] = &{
        type Of<T, L, P> = Accesses<T, L, P>;
        match (&Of::<T, L, P>::PLACED, &T::ENCODING, &Of::<T, L, P>::ROUTED) {
            (Ok(placed), Ok(encoding), Ok(routed)) => placed.steps(encoding, routed, SNAKE),
            _ => [Step::NONE; Addressing::MOST],
        }
    };

    /// An access, and the bounds of its first element if some lanes are idle.
    const fn access(access: usize) -> (Step, [u32; List::CAPACITY]) {
        let step = Self::STEPS[access];
        let has_idle = Accesses::<T, L, P>::HAS_IDLE;
        (step, if has_idle { bounds::<T>(step.element) } else { [0; List::CAPACITY] })
    }
}

/// The accesses of a lane as a kernel makes them, for one closure.
struct Unrolled<T, L, P, F, const SNAKE: bool>(PhantomData<(T, L, P, F)>);

#[cfg(not(debug_assertions))]
/// Makes some accesses: wave, lane, the registers so far, and what is called for each.
type Run<F> = fn(u32, u32, &mut [u32; Addressing::MOST], &mut F);

impl<T, L, P, F, const SNAKE: bool> Unrolled<T, L, P, F, SNAKE>
where
    T: Distribution,
    L: Tile<Descriptor: Default>,
    P: Number,
    F: FnMut(u32, u32, bool, usize),
{
    /// The accesses from the 64th on, if there are more. Behind a constant: what a function names is compiled whether it
    /// is called or not, and of 448 further accesses most kernels have none.
    #[cfg(not(debug_assertions))]
    const FURTHER: Run<F> =
        if Accesses::<T, L, P>::UNROLLED > 64 { Self::further } else { Self::none };

    #[inline(always)]
    fn first(wave: u32, lane: u32, registers: &mut [u32; Addressing::MOST], f: &mut F) {
        // A debug build has one loop for all of them.
        #[cfg(debug_assertions)]
        unrolled!(access, 512, Accesses::<T, L, P>::UNROLLED, {
            let made = known!(InOrder::<T, L, P, SNAKE>::access(access));
            Self::make(wave, lane, made, registers, f);
        });
        #[cfg(not(debug_assertions))]
        unrolled!(access, 64, Accesses::<T, L, P>::UNROLLED, {
            let made = known!(InOrder::<T, L, P, SNAKE>::access(access));
            Self::make(wave, lane, made, registers, f);
        });
        #[cfg(not(debug_assertions))]
        if const { Accesses::<T, L, P>::UNROLLED > 64 } {
            let further = const { Self::FURTHER };
            further(wave, lane, registers, f);
        }
    }

    #[cfg(not(debug_assertions))]
    #[inline(always)]
    fn none(_: u32, _: u32, _: &mut [u32; Addressing::MOST], _: &mut F) {}

    #[cfg(not(debug_assertions))]
    #[inline(always)]
    fn further(wave: u32, lane: u32, registers: &mut [u32; Addressing::MOST], f: &mut F) {
        Self::part::<1>(wave, lane, registers, f);
        Self::part::<2>(wave, lane, registers, f);
        Self::part::<3>(wave, lane, registers, f);
        Self::part::<4>(wave, lane, registers, f);
        Self::part::<5>(wave, lane, registers, f);
        Self::part::<6>(wave, lane, registers, f);
        Self::part::<7>(wave, lane, registers, f);
    }

    #[cfg(not(debug_assertions))]
    #[inline(always)]
    fn part<const PART: usize>(
        wave: u32,
        lane: u32,
        registers: &mut [u32; Addressing::MOST],
        f: &mut F,
    ) {
        unrolled!(place, 64, Accesses::<T, L, P>::UNROLLED.saturating_sub(64 * PART), {
            let made = known!(InOrder::<T, L, P, SNAKE>::access(64 * PART + place));
            Self::make(wave, lane, made, registers, f);
        });
    }

    /// One access.
    #[inline(always)]
    fn make(
        wave: u32,
        lane: u32,
        (step, bounds): (Step, [u32; List::CAPACITY]),
        registers: &mut [u32; Addressing::MOST],
        f: &mut F,
    ) {
        let Step { element, register, offset, makes } = step;
        match makes {
            Some((Route::Xor { constant }, _)) => registers[register] = registers[0] ^ constant,
            Some((_, made)) => registers[register] = Accesses::<T, L, P>::byte_at(wave, lane, made),
            None => {}
        }
        let held = Accesses::<T, L, P>::holds(wave, lane, bounds);
        f(or_nowhere(registers[register], held), offset, held, element);
    }
}

impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Accesses<T, L, P> {
    /// Bytes that an access moves.
    pub const BYTES: u32 = match whole_bytes::<P>(L::Element::BITS) {
        Ok(bytes) => bytes,
        Err(text) => text.refuse(),
    };

    // What is wrong is a value up to `check`, with which each function of a kernel begins: a constant
    // that panics is an error of its own wherever it is named, and none of them on the user's line.

    /// An instruction of the given width in bytes; only the width and the wave matter here. Its
    /// immediates are those of every chip: 16 bits.
    const ROW: Result<Instruction, Text> = row::<T, P>(L::Element::BITS);

    const PLACED: Result<Placed<'static, 'static>, Text> = match (&Self::ROW, &T::ENCODING) {
        (Ok(row), Ok(encoding)) => match laid::<L>(Lanes::of_distribution::<T>(), row) {
            Ok(placed) => match placed.in_registers(encoding) {
                Ok(placed) => Ok(placed),
                Err(misfit) => Err(misfit.explain(Text::new())),
            },
            Err(misfit) => Err(misfit.explain(Text::new())),
        },
        (Err(text), _) => Err(*text),
        (_, Err(fault)) => Err(fault.text()),
    };

    pub(crate) const ROUTED: Result<Addressing, Text> = match &Self::PLACED {
        Ok(placed) => match placed.addressing() {
            Ok(addressing) => Ok(addressing),
            Err(misfit) => Err(misfit.explain(Text::new())),
        },
        Err(text) => Err(*text),
    };

    /// The route of each access to its address, the address registers, and the base that an xor needs.
    pub const ADDRESSING: Addressing = match &Self::ROUTED {
        Ok(addressing) => *addressing,
        Err(text) => text.refuse(),
    };

    /// The number of accesses of a lane.
    pub const COUNT: usize = Self::ADDRESSING.routes().len();

    /// The number of accesses of a lane; 0 if [`check`](Self::check) refuses them.
    const UNROLLED: usize = match &Self::ROUTED {
        Ok(addressing) => addressing.routes().len(),
        Err(_) => 0,
    };

    /// Whether some lanes are idle. Where none is, no lane is compared with a bound.
    const HAS_IDLE: bool = matches!(&T::ENCODING, Ok(encoding) if encoding.has_idle_lanes());

    /// Refuses invalid accesses. In the function that the user calls and in none that it calls:
    /// then the compiler adds the user's line.
    #[track_caller]
    pub(super) const fn check() {
        if let Err(text) = &Self::ROUTED {
            text.refuse()
        }
    }

    /// Calls `f` with the byte address, the immediate, whether the lane holds this access at all, and its
    /// first element, of each access of a lane, in their order; unrolled by the compiler. A lane that does
    /// not exist has meaningless addresses. Nothing checks what the closure does with the numbers:
    /// [`each_from`](Self::each_from) and [`each_into`](Self::each_into) give it the elements themselves.
    ///
    /// An access that is not valid must not be loaded or stored: it is beyond the tile, and its address is that of other data; in
    /// a build with debug assertions that of none, so that a slice of memory refuses it. Where all lanes hold all their elements the value is the constant `true`; else a comparison:
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! {
    ///     /// A halo of 22x40 by 256 threads: 220 vectors of 4.
    ///     type Halo:
    ///         (m, k) [wave 4, lane 64, part 4] of (22, 40);
    ///         wave (wave), lane (lane), thread (part);
    /// }
    /// layout! { type Tile = recipe::RowMajor<F16, M<22>, K<40>>; }
    /// let mut stored = [0; 880];
    /// for (wave, lane) in (0..4).flat_map(|wave| (0..64).map(move |lane| (wave, lane))) {
    ///     Accesses::<Halo, Tile, VectorSize<4>>::each(wave, lane, |address, immediate, valid, _| {
    ///         let at = (address + immediate) as usize / 2;
    ///         if valid {
    ///             stored[at..at + 4].fill(1);
    ///         }
    ///     });
    /// }
    /// assert_eq!(stored, [1; 880]);
    /// ```
    ///
    /// The byte that is accessed is the address plus the immediate, a constant that the instruction
    /// encodes: 16 bits. Addresses count from the layout's first byte, which is a multiple of
    /// [`alignment`](Addressing::alignment).
    ///
    /// Invalid accesses are an error of `cargo build`; in a generic kernel `cargo check` does not see it.
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist, as
    /// [`Distribution::coordinate`].
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each(wave: u32, lane: u32, f: impl FnMut(u32, u32, bool, usize)) {
        const { Self::check() };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        Self::run::<false>(wave, lane, f);
    }

    /// Calls `f` with each access along CK Tile's snake: where a row of a lane's elements ends, the next one is walked back, so
    /// that each access is a neighbour of the one before ([`Curve`](crate::access::Curve)).
    ///
    /// ```
    /// use tiledesc::prelude::*;
    ///
    /// distribution! { type T: m [row 64, two 2], k [three 3, half 8]; lane (row), thread (two, three, half); }
    /// layout! { type Tile = recipe::RowMajor<F16, M<128>, K<24>>; }
    /// let mut first = Vec::new();
    /// Accesses::<T, Tile, VectorSize<8>>::each_snake(0, 0, |_, _, _, element| first.push(element));
    /// assert_eq!(first, [0, 8, 16, 40, 32, 24]);
    /// ```
    ///
    /// Seen by `cargo build` only, as that of [`each`](Self::each).
    ///
    /// # Panics
    ///
    /// In a build with debug assertions, of a lane or a wave that does not exist, as
    /// [`each`](Self::each).
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn each_snake(wave: u32, lane: u32, f: impl FnMut(u32, u32, bool, usize)) {
        const { Self::check() };
        #[cfg(debug_assertions)]
        refuse_swapped::<T>(wave, lane);
        Self::run::<true>(wave, lane, f);
    }

    /// Few constants an access, since the compiler evaluates those of all 64, whatever their number: 2.7 million instructions
    /// an access with seven of them.
    #[inline(always)]
    pub(crate) fn run<const SNAKE: bool>(
        wave: u32,
        lane: u32,
        mut f: impl FnMut(u32, u32, bool, usize),
    ) {
        let mut registers = [0; Addressing::MOST];
        Unrolled::<T, L, P, _, SNAKE>::first(wave, lane, &mut registers, &mut f);
    }

    /// Returns whether a lane holds the element of these bounds.
    #[inline(always)]
    fn holds(wave: u32, lane: u32, bounds: [u32; List::CAPACITY]) -> bool {
        !Self::HAS_IDLE || T::held::<{ List::CAPACITY }>(T::counted(wave, lane, 0), bounds)
    }

    /// The byte at which an element of a lane begins; an element that begins within a byte was refused.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn byte_at(wave: u32, lane: u32, element: usize) -> u32 {
        let index = T::carried(T::counted(wave, lane, element), element);
        let bits = const { L::Element::BITS };
        if bits.is_multiple_of(8) {
            L::Descriptor::at_first(&index, bits / 8)
        } else {
            L::Descriptor::at_first(&index, 1) * bits / 8
        }
    }
}

/// A statement by a kernel's own accesses judges their distribution, and their width and layout with it.
impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Pattern for Accesses<T, L, P> {
    const LANES: Lanes<'static> = Lanes::of_distribution::<T>();
    const MOVES: u32 = match whole_bytes::<P>(L::Element::BITS) {
        Ok(bytes) => bytes,
        Err(_) => 0,
    };
    const ACCESSED: Option<&'static Sampled> = Some(&Sampled::new::<L>());
}

impl<T: Distribution, L: Tile<Descriptor: Default>, P: Number> Registers for Accesses<T, L, P> {
    type Held = T;
    const ELEMENT: Option<ElementName> = Some(ElementName::new::<L::Element>());
}

/// The register that an access makes.
const fn made_by(makers: &[usize; Addressing::MOST], access: usize) -> usize {
    let mut register = 0;
    while makers[register] != access {
        register += 1;
    }
    register
}

/// An instruction of as many elements for a wave of the distribution.
const fn row<T: Distribution, P: Number>(bits: u32) -> Result<Instruction, Text> {
    let bytes = attempt!(whole_bytes::<P>(bits));
    let lanes = match &T::ENCODING {
        Ok(encoding) => encoding.lanes() as usize,
        Err(fault) => return Err(fault.text()),
    };
    if !Instruction::is_width(bytes) {
        let text =
            say!(Text::new(): P::N, " elements of ", bits, " bits are ", bytes, " bytes, but ");
        return Err(text.str(Instruction::WIDTHS));
    }
    if lanes > Phases::LANES {
        return Err(say!(Text::new(): "a wave of ", lanes, " lanes: at most ", Phases::LANES));
    }
    let phases = Phases::contiguous(lanes).of_wave(lanes);
    Ok(Instruction::read("an access", bytes).phases(phases))
}

/// The bytes of as many elements.
const fn whole_bytes<P: Number>(bits: u32) -> Result<u32, Text> {
    if let Some(fault) = P::FAULT {
        return Err(Error::Number(fault).text());
    }
    let all = P::N as u64 * bits as u64;
    if !all.is_multiple_of(8) || all > u32::MAX as u64 {
        let text = say!(Text::new():
            "an access of ", P::N, " elements of ", bits, " bits has ", all,
            " bits, not a whole number of bytes"
        );
        return Err(text);
    }
    Ok((all / 8) as u32)
}
