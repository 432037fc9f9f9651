//! The table of chips: the facts of a chip beside its rows.
//!
//! A new chip is a file with its rows, its line in `chip.rs`, and a line here; types, names, statements and tests
//! follow. A macro that makes something of each chip takes the table as its input:
//!
//! ```text
//!   every_chip! { types }    ->    types! { Gfx906 = gfx906: 64 lanes, 32 banks, amd [lds]; near [gfx900 ..] meant [mi50 ..]; .. }
//! ```
//!
//! | column | is |
//! |---|---|
//! | `Gfx942 = gfx942` | the type, and the module of the rows |
//! | `64 lanes, 32 banks` | of a wave, and the most that an instruction uses |
//! | `amd [lds]` | the vendor, and which instructions it has, as `target.rs` groups them |
//! | `wave64 as Gfx1100Wave64` | that it runs waves of 64, too: the module of these rows within its own, and the type |
//! | `near` | relatives without rows of their own, of AMD those of the same generic processor in LLVM: a statement about one of them names this chip |
//! | `meant` | other names of this chip |
//!
//! `meant` has slips, targets of compilers, and what a chip is sold as. Each product was looked up on 2026-11-23; one
//! whose target no such page states is left out:
//!
//! | products | source |
//! |---|---|
//! | MI100 to MI355X | ROCm, "AMD GPU specifications" 7.13, and "System requirements (Linux)" |
//! | MI50, MI60, Radeon VII | LLVM, AMDGPUUsage.rst, table of processors |
//! | MI308X | ROCm/FlyDSL, notes on FMHA prefill |
//! | Radeon RX 6000 and 7000, PRO W7700 to W7900 | ROCm, "System requirements (Windows)" 6.2.4 |
//! | Radeon RX 9000, PRO R9700 | the same, 6.4.2; LLVM, AMDGPUUsage.rst, pull request 155577 |
//! | Radeon 8060S, Strix Halo | LLVM, AMDGPUUsage.rst, pull request 163717; Gentoo, `amdgpu_targets_gfx1151` |
//! | sm_75 to sm_121 | NVIDIA, "CUDA GPU Compute Capability", developer.nvidia.com/cuda-gpus |
//! | V100 | NVIDIA, "Legacy CUDA GPU Compute Capability" |
//! | H20 | NVIDIA, "MIG User Guide", Supported GPUs |

macro_rules! every_chip {
    ($then:ident $($with:tt)*) => {
        $then! { $($with)*
            Gfx906 = gfx906: 64 lanes, 32 banks, amd [lds];
                near [gfx900 gfx902 gfx904 gfx909 gfx90c] meant [mi50 MI50 mi60 MI60 radeon_vii];
            Gfx908 = gfx908: 64 lanes, 32 banks, amd [lds];
                meant [mi100 MI100];
            Gfx90a = gfx90a: 64 lanes, 32 banks, amd [lds];
                meant [mi200 MI200 mi210 MI210 mi250 MI250 mi250x MI250X];
            Gfx942 = gfx942: 64 lanes, 32 banks, amd [lds];
                near [gfx940 gfx941] meant [gfx943 mi300 MI300 mi300a MI300A mi300x MI300X mi308x MI308X mi325x MI325X];
            Gfx950 = gfx950: 64 lanes, 64 banks, amd [lds transposed_950];
                meant [mi350 MI350 mi350x MI350X mi355x MI355X];
            Gfx1030 = gfx1030: 32 lanes, 32 banks, amd [lds], wave64 as Gfx1030Wave64;
                near [gfx1031 gfx1032 gfx1033 gfx1034 gfx1035 gfx1036] meant [rx_6800 rx_6800_xt rx_6900_xt rx_6950_xt];
            Gfx1100 = gfx1100: 32 lanes, 32 banks, amd [lds], wave64 as Gfx1100Wave64;
                meant [rx_7900_xt rx_7900_xtx w7800 w7900];
            Gfx1101 = gfx1101: 32 lanes, 32 banks, amd [lds], wave64 as Gfx1101Wave64;
                near [gfx1102 gfx1103] meant [rx_7700_xt rx_7800_xt w7700];
            Gfx1151 = gfx1151: 32 lanes, 32 banks, amd [lds], wave64 as Gfx1151Wave64;
                near [gfx1150 gfx1152 gfx1153] meant [strix_halo radeon_8060s];
            Gfx1200 = gfx1200: 32 lanes, 32 banks, amd [lds], wave64 as Gfx1200Wave64;
                meant [rx_9060 rx_9060_xt];
            Gfx1201 = gfx1201: 32 lanes, 32 banks, amd [lds], wave64 as Gfx1201Wave64;
                meant [rx_9070 rx_9070_xt r9700];
            Gfx1250 = gfx1250: 32 lanes, 64 banks, amd [lds transposed_1250];
                meant [];
            Sm70 = sm_70: 32 lanes, 32 banks, nvidia [shared];
                near [sm_72] meant [sm70 v100 V100];
            Sm75 = sm_75: 32 lanes, 32 banks, nvidia [shared ldmatrix];
                meant [sm75 t4 T4 rtx_2080 rtx_2080_ti];
            Sm80 = sm_80: 32 lanes, 32 banks, nvidia [shared ldmatrix];
                meant [sm80 sm_8x a30 A30 a100 A100];
            Sm86 = sm_86: 32 lanes, 32 banks, nvidia [shared ldmatrix];
                meant [sm86 a10 A10 a40 A40 rtx_3080 rtx_3090 rtx_a6000];
            Sm87 = sm_87: 32 lanes, 32 banks, nvidia [shared ldmatrix];
                meant [sm87 orin];
            Sm89 = sm_89: 32 lanes, 32 banks, nvidia [shared ldmatrix];
                meant [sm89 l4 L4 l40 L40 l40s L40S rtx_4080 rtx_4090];
            Sm90 = sm_90: 32 lanes, 32 banks, nvidia [shared ldmatrix stmatrix];
                meant [sm90 sm90a sm_90a sm_9x h20 H20 h100 H100 h200 H200 gh200 GH200];
            Sm100 = sm_100: 32 lanes, 32 banks, nvidia [shared ldmatrix stmatrix bytes];
                near [sm_101 sm_110] meant [sm100 sm100a sm_100a sm_10x b200 B200 gb200 GB200];
            Sm103 = sm_103: 32 lanes, 32 banks, nvidia [shared ldmatrix stmatrix bytes];
                meant [sm103 sm103a sm_103a b300 B300 gb300 GB300];
            Sm120 = sm_120: 32 lanes, 32 banks, nvidia [shared ldmatrix stmatrix bytes];
                meant [sm120 sm120a sm_120a sm_12x rtx_5080 rtx_5090];
            Sm121 = sm_121: 32 lanes, 32 banks, nvidia [shared ldmatrix stmatrix bytes];
                meant [sm121 sm121a sm_121a gb10 GB10 dgx_spark];
        }
    };
}
