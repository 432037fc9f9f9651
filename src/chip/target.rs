//! Chips as types: what a kernel is generic over that is written once for several.
//!
//! A statement names its chips, and a kernel for several chips is instantiated for each. So the chip is a parameter of
//! the kernel like its tile, and an instruction is the chip's row of that name:
//!
//! ```text
//!   Tile on gfx942: read ds_read_b128 by ..     gfx942::ds_read_b128, the module's
//!   Tile on C:      read ds_read_b128 by ..     C::ds_read_b128, the parameter's
//!   Tile on C:      read load_b128 by ..        whatever C calls its read of 16 bytes
//! ```
//!
//! Every instruction of every chip is a constant of [`Target`]. Where a chip lacks it the row is *absent*: it compiles as long as
//! nobody uses it, and the statement that does is refused by its name and the chip's.

use super::Chip;
use super::instruction::Instruction;
use tiledesc_transforms::say;

/// The names of the rows that some chips have in common, for a rule `@$each` that makes something of them; `$Chip` is the type
/// whose constants they are, if the rule takes it.
macro_rules! names {
    (lds $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            ds_read_b32 ds_read_b64 ds_read_b96 ds_read_b128 ds_write_b32 ds_write_b64 ds_write_b96
            ds_write_b128 ds_read_u8 ds_read_i8 ds_read_u16 ds_read_i16 ds_write_b8 ds_write_b16
            ds_read_u8_d16 ds_read_u8_d16_hi ds_read_i8_d16 ds_read_i8_d16_hi ds_read_u16_d16
            ds_read_u16_d16_hi ds_write_b8_d16_hi ds_write_b16_d16_hi ds_read2_b32 ds_read2_b64
            ds_read2st64_b32 ds_read2st64_b64 ds_write2_b32 ds_write2_b64 ds_write2st64_b32
            ds_write2st64_b64 ds_load_u8 ds_load_i8 ds_load_u16 ds_load_i16 ds_load_b32 ds_load_b64
            ds_load_b96 ds_load_b128 ds_store_b8 ds_store_b16 ds_load_u8_d16 ds_load_u8_d16_hi
            ds_load_i8_d16 ds_load_i8_d16_hi ds_load_u16_d16 ds_load_u16_d16_hi ds_store_b8_d16_hi
            ds_store_b16_d16_hi ds_store_b32 ds_store_b64 ds_store_b96 ds_store_b128 ds_load_2addr_b32
            ds_load_2addr_b64 ds_load_2addr_stride64_b32 ds_load_2addr_stride64_b64 ds_store_2addr_b32
            ds_store_2addr_b64 ds_store_2addr_stride64_b32 ds_store_2addr_stride64_b64
        }
    };
    (transposed_950 $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            ds_read_b64_tr_b4 ds_read_b64_tr_b8 ds_read_b64_tr_b16 ds_read_b96_tr_b6
        }
    };
    (transposed_1250 $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            ds_load_tr4_b64 ds_load_tr4_b64_align4 ds_load_tr6_b96 ds_load_tr8_b64 ds_load_tr8_b64_align4
            ds_load_tr16_b128
        }
    };
    (shared $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            ld_shared_b8 ld_shared_b16 ld_shared_b32 ld_shared_b64 ld_shared_b128 st_shared_b8
            st_shared_b16 st_shared_b32 st_shared_b64 st_shared_b128 ld_shared_v2_b32 ld_shared_v4_b32
            ld_shared_v2_b64 st_shared_v2_b32 st_shared_v4_b32 st_shared_v2_b64
        }
    };
    (ldmatrix $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            ldmatrix_x1 ldmatrix_x2 ldmatrix_x4 ldmatrix_x1_trans ldmatrix_x2_trans ldmatrix_x4_trans
        }
    };
    (stmatrix $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            stmatrix_x1 stmatrix_x2 stmatrix_x4 stmatrix_x1_trans stmatrix_x2_trans stmatrix_x4_trans
        }
    };
    (bytes $each:ident $($Chip:ident)?) => {
        names! { @$each [$($Chip)?]
            ldmatrix_m16n16_x1_trans_b8 ldmatrix_m16n16_x2_trans_b8 stmatrix_m16n8_x1_trans_b8
            stmatrix_m16n8_x2_trans_b8 stmatrix_m16n8_x4_trans_b8
        }
    };
    // Constants that are absent unless a chip defines them.
    (@absent [] $($name:ident)+) => {$(
        #[doc = concat!("`", stringify!($name), "`, or nothing.")]
        const $name: Instruction = Instruction::absent(stringify!($name), Self::NAME);
    )+};
    // The rows of a chip, whose module is called `rows` here.
    (@present [] $($name:ident)+) => {$(
        const $name: Instruction = rows::$name;
    )+};
    // The vendor's names for loads and stores of a given number of bits a lane.
    (@widths amd) => {
        names! { @renamed load_b8 ds_read_u8 load_b16 ds_read_u16 load_b32 ds_read_b32 load_b64 ds_read_b64
            load_b96 ds_read_b96 load_b128 ds_read_b128 store_b8 ds_write_b8 store_b16 ds_write_b16
            store_b32 ds_write_b32 store_b64 ds_write_b64 store_b96 ds_write_b96 store_b128 ds_write_b128 }
    };
    (@widths nvidia) => {
        names! { @renamed load_b8 ld_shared_b8 load_b16 ld_shared_b16 load_b32 ld_shared_b32
            load_b64 ld_shared_b64 load_b128 ld_shared_b128 store_b8 st_shared_b8 store_b16 st_shared_b16
            store_b32 st_shared_b32 store_b64 st_shared_b64 store_b128 st_shared_b128 }
    };
    (@renamed $($name:ident $row:ident)+) => {$(
        const $name: Instruction = rows::$row;
    )+};
    // All as one list.
    (@count [$Name:ident] $($name:ident)+) => { [$($Name::$name),+] };
}

/// The chips with a link to each, for the page of [`Target`].
macro_rules! listed {
    ($(
        $Name:ident = $chip:ident: $wave:literal lanes, $banks:literal banks, $vendor:ident $rows:tt
            $(, $mode:ident as $Wide:ident)?;
            $(near [$($near:ident)*])? meant [$($meant:ident)*];
    )+) => {
        concat!($(
            "* [`", stringify!($Name), "`](enum@", stringify!($Name), "): the rows of [`", stringify!($chip), "`](mod@super::", stringify!($chip), ")"
            $(, "; [`", stringify!($Wide), "`](enum@", stringify!($Wide), ") in waves of 64")?, "\n",
        )+)
    };
}

/// A chip as a type, for kernels that are generic over it: each instruction is a constant, and
/// [`check_conflict_free!`](crate::check_conflict_free!) takes the parameter for the chip.
///
/// ```
/// use tiledesc::chip::{Gfx942, Gfx1100, Target};
/// use tiledesc::prelude::*;
///
/// fn stage<C: Target, M: Number>(m: u32, k: u32) -> u32 {
///     check_conflict_free! {
///         recipe::GemmXor<F16, M, U64, U8> on C:
///             write store_b128 by RowMajor,
///             read  load_b128  by MfmaRows<16>
///     }
///     recipe::GemmXor::<F16, M, U64, U8>::at([m, k])
/// }
/// assert_eq!((stage::<Gfx942, U128>(3, 17), stage::<Gfx1100, U64>(3, 17)), (201, 201));
/// ```
///
/// The constants without a vendor's name are what each chip calls so: `load_b128` is `ds_read_b128` or
/// `ld_shared_b128`. An instruction that the chip lacks is refused where it is used, in the statement of the instance:
///
/// ```compile_fail,E0080
/// use tiledesc::chip::{Gfx942, Target};
/// use tiledesc::prelude::*;
///
/// fn stage<C: Target>() {
///     check_conflict_free! {
///         recipe::RowMajor<F16, U64, U64> on C: read ds_read_b64_tr_b16 by RowMajor
///     }
/// }
/// stage::<Gfx942>();
/// // ..: ds_read_b64_tr_b16 on gfx942 by RowMajor: gfx942 has no ds_read_b64_tr_b16; gfx950 has it
/// ```
///
/// What else a kernel asks of its chip is a constant, too, so that one kernel serves waves of 64 and of 32:
///
/// ```
/// use tiledesc::chip::{Gfx950, Gfx1100, Gfx1100Wave64, Sm90, Target};
/// use tiledesc::prelude::*;
/// use tiledesc::storage::Arena;
///
/// layout! { type ABlock = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>; }
/// /// The wave and the lane of a thread, and the LDS that a block takes.
/// fn place<C: Target>(thread: u32) -> ([u32; 2], u32) {
///     let lds = const { Arena::on(&C::CHIP).holds::<ABlock>("a") };
///     ([thread / C::WAVE, thread % C::WAVE], lds.bytes())
/// }
/// assert_eq!((place::<Gfx950>(70), place::<Gfx1100>(70)), (([1, 6], 16_384), ([2, 6], 16_384)));
/// assert_eq!((Gfx1100Wave64::WAVE, Sm90::LDS), (64, 227 * 1024));
/// ```
///
/// Where a value is wanted the name is the chip as data, too: `Arena::on(&Gfx942)`.
///
/// A chip of your own is a type with its name and its rows, each under one of these names, and with `WAVE` and `LDS` if a
/// kernel asks for them. Those that are here:
///
#[doc = every_chip! { listed }]
#[allow(non_upper_case_globals)]
pub trait Target: 'static {
    /// The name: `gfx942`.
    const NAME: &'static str;

    /// The chip as data, with all its rows: for an [`Arena`](crate::storage::Arena).
    const CHIP: Chip = no_chip(Self::NAME);

    /// The number of lanes of a wave.
    const WAVE: u32 = Self::CHIP.wave();

    /// Bytes of LDS that a block can have.
    const LDS: u32 = Self::CHIP.lds();

    names! { @absent [] load_b8 load_b16 load_b32 load_b64 load_b96 load_b128 }
    names! { @absent [] store_b8 store_b16 store_b32 store_b64 store_b96 store_b128 }
    names! { lds absent }
    names! { transposed_950 absent }
    names! { transposed_1250 absent }
    names! { shared absent }
    names! { ldmatrix absent }
    names! { stmatrix absent }
    names! { bytes absent }
}

/// The chip of a type of the user's, which no constant can be.
const fn no_chip(name: &str) -> Chip {
    let text = say!(Text::new(): str(name), " is a chip of your own: state its `WAVE` and its `LDS`, and `Arena::new` its memory");
    text.refuse()
}

/// A type for each chip, and for each in waves of 64.
macro_rules! targets {
    ($(
        $Name:ident = $chip:ident: $wave:literal lanes, $banks:literal banks, $vendor:ident $rows:tt
            $(, $mode:ident as $Wide:ident)?;
            $(near [$($near:ident)*])? meant [$($meant:ident)*];
    )+) => {$(
        targets! { @one $Name [$chip] $wave $vendor $rows }
        $(targets! { @one $Wide [$chip::$mode] 64 $vendor $rows })?
    )+
        /// The constants of each type.
        #[cfg(test)]
        const ROWS: &[(Chip, [u32; 2], &[&[Instruction]])] =
            &[$(targets!(@rows $Name), $(targets!(@rows $Wide),)?)+];
    };
    (@rows $Name:ident) => {
        ($Name::CHIP, [$Name::WAVE, $Name::LDS], &[
            &names!(lds count $Name), &names!(transposed_950 count $Name), &names!(transposed_1250 count $Name),
            &names!(shared count $Name), &names!(ldmatrix count $Name), &names!(stmatrix count $Name),
            &names!(bytes count $Name),
        ])
    };
    (@one $Name:ident [$($path:tt)+] $wave:literal $vendor:ident [$($rows:ident)*]) => {
        #[doc = concat!("The chip [`", targets!(@name $($path)+), "`](mod@super::", targets!(@name $($path)+), ") as a type: a")]
        #[doc = "[`Target`] whose constants are the rows of that module, under their names there and under those of no vendor, such as `load_b128`."]
        ///
        /// ```
        #[doc = concat!("use tiledesc::chip::{", stringify!($Name), ", Target, find};")]
        ///
        #[doc = concat!("assert_eq!(", stringify!($Name), "::NAME, find(\"", targets!(@name $($path)+), "\")?.name());")]
        /// # Ok::<(), tiledesc::chip::ChipError>(())
        /// ```
        #[derive(Clone, Copy, Debug)]
        pub enum $Name {}

        /// The chip as a value, by the name of its type.
        #[doc(hidden)]
        #[allow(non_upper_case_globals)]
        pub const $Name: Chip = super::$($path)+::CHIP;

        const _: () = {
            use super::$($path)+ as rows;

            // Each chip's module documents its rows; here they would be 910 KB of the trait's page.
            #[doc(hidden)]
            #[allow(non_upper_case_globals)]
            impl Target for $Name {
                const NAME: &'static str = targets!(@name $($path)+);
                const CHIP: Chip = rows::CHIP;
                // Without the chip's rows, which are evaluated with it.
                const WAVE: u32 = $wave;
                const LDS: u32 = rows::LDS;
                names! { @widths $vendor }
                $(names! { $rows present })*
            }
        };
    };
    (@name $chip:ident) => { stringify!($chip) };
    (@name $chip:ident::$mode:ident) => { concat!(stringify!($chip), "::", stringify!($mode)) };
}
every_chip! { targets }

#[cfg(test)]
mod tests {
    extern crate std;

    use super::super::{CHIPS, Chip};
    use super::*;

    /// Each row of a chip, under each of its names, is the constant of its type.
    #[test]
    fn targets_have_the_rows_of_their_chips() {
        for (chip, facts, rows) in ROWS {
            assert!(CHIPS.contains(chip), "{}", chip.name());
            assert_eq!(*facts, [chip.wave(), chip.lds()], "{}", chip.name());
            compare(chip, &rows.concat());
        }
    }

    fn compare(chip: &Chip, rows: &[Instruction]) {
        let present = rows.iter().filter(|row| !row.is_absent());
        let own = chip.rows().iter().chain(chip.renamed());
        assert_eq!(present.count(), own.clone().count(), "{}", chip.name());
        assert!(own.clone().all(|row| rows.contains(row)), "{}", chip.name());
    }
}
