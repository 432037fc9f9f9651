//! The chips by the names that statements give them: what a statement imports, and what it refuses.
//!
//! ```text
//!   Tile on gfx942: ..    our chip, or a module of the user's    its rows
//!   Tile on gfx941: ..    a chip without rows                    its nearest relative
//!   Tile on gfx943: ..    nothing; a slip                        the chip that is meant
//!   Tile on mi300x: ..    what a chip is sold as                 the chip that is meant
//! ```

/// Only the modules of the chips: a statement imports everything here, and a user's type may be called `Chip`
/// or `Access`.
#[doc(hidden)]
pub mod modules {
    pub use super::super::{
        gfx90a, gfx906, gfx908, gfx942, gfx950, gfx1030, gfx1100, gfx1101, gfx1151, gfx1200,
        gfx1201, gfx1250, sm_70, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_103, sm_120,
        sm_121,
    };
}

/// Makes one table of names, for statements and for [`find`](super::find): the arms of `__chip!` and two constants.
macro_rules! chip_names {
    (
        $d:tt
        without rows { $($near:ident: $($other:ident)+;)+ }
        meant { $($meant:ident: $($name:ident)*;)+ }
    ) => {
        /// Chips with rows, each with its relatives that have none.
        pub(super) const WITHOUT_ROWS: &[(&str, &[&str])] =
            &[$((stringify!($near), &[$(stringify!($other)),+])),+];

        /// Chips, each with what else it is called.
        pub(super) const MEANT: &[(&str, &[&str])] =
            &[$((stringify!($meant), &[$(stringify!($name)),*])),+];

        /// Code that names a chip, `$chip [code]`; in place of it, what is wrong with the name. A module of the user's
        /// with one of these names is named by its path.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! __chip {
            $($(($other $d code:tt) => { $crate::__no_chip! { $other has no rows: $near } };)+)+
            $($(($name $d code:tt) => { $crate::__no_chip! { $name is meant for $meant } };)*)+
            // A chip that has rows, or a module of the user's.
            ($d chip:ident [$d($d code:tt)*]) => { $d($d code)* };
        }

        /// The name of a chip as text: of one of ours, or of a type that is a [`Target`](super::Target), as a parameter of
        /// a kernel is.
        #[doc(hidden)]
        #[macro_export]
        macro_rules! __chip_name {
            $(($meant) => {{
                #[allow(unused_imports)]
                use $crate::chip::$meant;
                ::core::stringify!($meant)
            }};)+
            ($d chip:ident) => { <$d chip as $crate::chip::Target>::NAME };
        }
    };
}

// Slips, targets of compilers, and what a chip is sold as. Each product was looked up on 2026-11-23, and one of which no
// such page tells the target is left out:
//
// | products | source |
// |---|---|
// | MI100 to MI355X | ROCm, "AMD GPU specifications" 7.13, and "System requirements (Linux)" |
// | MI50, MI60, Radeon VII | LLVM, AMDGPUUsage.rst, table of processors |
// | MI308X | ROCm/FlyDSL, notes on FMHA prefill |
// | Radeon RX 6000 and 7000, PRO W7700 to W7900 | ROCm, "System requirements (Windows)" 6.2.4 |
// | Radeon RX 9000, PRO R9700 | the same, 6.4.2; LLVM, AMDGPUUsage.rst, pull request 155577 |
// | Radeon 8060S, Strix Halo | LLVM, AMDGPUUsage.rst, pull request 163717; Gentoo, `amdgpu_targets_gfx1151` |
// | sm_75 to sm_121 | NVIDIA, "CUDA GPU Compute Capability", developer.nvidia.com/cuda-gpus |
// | V100 | NVIDIA, "Legacy CUDA GPU Compute Capability" |
// | H20 | NVIDIA, "MIG User Guide", Supported GPUs |
chip_names! { $
    without rows {
        gfx906: gfx900;
        gfx942: gfx940 gfx941;
        gfx1030: gfx1031 gfx1032;
        gfx1101: gfx1102 gfx1103;
        gfx1151: gfx1150 gfx1152;
        sm_70: sm_72;
        sm_100: sm_101 sm_110;
    }
    meant {
        gfx906: mi50 MI50 mi60 MI60 radeon_vii;
        gfx908: mi100 MI100;
        gfx90a: mi200 MI200 mi210 MI210 mi250 MI250 mi250x MI250X;
        gfx942: gfx943 mi300 MI300 mi300a MI300A mi300x MI300X mi308x MI308X mi325x MI325X;
        gfx950: mi350 MI350 mi350x MI350X mi355x MI355X;
        gfx1030: rx_6800 rx_6800_xt rx_6900_xt rx_6950_xt;
        gfx1100: rx_7900_xt rx_7900_xtx w7800 w7900;
        gfx1101: rx_7700_xt rx_7800_xt w7700;
        gfx1151: strix_halo radeon_8060s;
        gfx1200: rx_9060 rx_9060_xt;
        gfx1201: rx_9070 rx_9070_xt r9700;
        gfx1250: ;
        sm_70: sm70 v100 V100;
        sm_75: sm75 t4 T4 rtx_2080 rtx_2080_ti;
        sm_80: sm80 sm_8x a30 A30 a100 A100;
        sm_86: sm86 a10 A10 a40 A40 rtx_3080 rtx_3090 rtx_a6000;
        sm_87: sm87 orin;
        sm_89: sm89 l4 L4 l40 L40 l40s L40S rtx_4080 rtx_4090;
        sm_90: sm90 sm90a sm_90a sm_9x h20 H20 h100 H100 h200 H200 gh200 GH200;
        sm_100: sm100 sm100a sm_100a sm_10x b200 B200 gb200 GB200;
        sm_103: sm103 sm103a sm_103a b300 B300 gb300 GB300;
        sm_120: sm120 sm120a sm_120a sm_12x rtx_5080 rtx_5090;
        sm_121: sm121 sm121a sm_121a gb10 GB10 dgx_spark;
    }
}

/// Whether two names differ in case, spaces, `_`, `-` and `:` at most: `MI300X` is `mi300x`, `gfx1100 wave64` is
/// `gfx1100::wave64`.
pub(super) fn is_alike(one: &str, other: &str) -> bool {
    letters(one).eq(letters(other))
}

fn letters(name: &str) -> impl Iterator<Item = u8> {
    let all = name.bytes().filter(|letter| !matches!(letter, b' ' | b'_' | b'-' | b':'));
    all.map(|letter| letter.to_ascii_lowercase())
}

/// A chip without rows, or a name that no chip has.
#[doc(hidden)]
#[macro_export]
macro_rules! __no_chip {
    ($chip:ident has no rows: $nearest:ident) => {
        ::core::compile_error! {::core::concat!(
            "there are no rows of ",
            ::core::stringify!($chip),
            "; its nearest relative with rows is ",
            ::core::stringify!($nearest),
            ". For rows of your own, write the path of their module, `crate::",
            ::core::stringify!($chip),
            "`"
        )}
    };
    ($name:ident is meant for $meant:ident) => {
        ::core::compile_error! {::core::concat!(
            "there is no chip `",
            ::core::stringify!($name),
            "`: write `",
            ::core::stringify!($meant),
            "`. For rows of your own, write the path of their module, `crate::",
            ::core::stringify!($name),
            "`"
        )}
    };
}
