//! Layouts in other libraries' notations, read and written.
//!
//! A 128x64 tile of halves with its chunks xor-ed is 13 columns here, three numbers and a shape in CuTe, and the two
//! name the same 8192 offsets. What differs is which dimension runs fastest, whether a shift counts from bit 0 or from
//! the base, and whether a number counts elements or bytes; each file documents that for one neighbour.
//!
//! | module | neighbour | runs fastest | counts |
//! |---|---|---|---|
//! | [`cute`] | NVIDIA's CuTe: `Sw<B,M,S> o offset o shape:stride` | the first mode | elements; bytes after `smem_ptr[..]` |
//! | [`tma`] | the swizzle modes of NVIDIA's tensor maps | - | bytes, of addresses |
//! | [`gmma`] | the operand atoms of NVIDIA's `wgmma` and `tcgen05.mma` | the first mode | elements; the base in bytes |
//! | [`source`] | layouts as kernels write them, in CuTe's C++ and its Python DSL | the first mode | elements |
//! | [`triton`] | Triton's linear layouts: bases of the offset's bits | the last dimension | elements |
//! | [`tv`] | CuTe's TV layouts of threads and values | the first mode | numbers of elements |
//! | [`iree`] | IREE's `xor_shuffle` and `rotate_rows` | the last dimension | elements |
//! | [`linear`] | Triton's `LinearLayout`: columns with names, and columns as transforms | the last dimension | elements |
//! | [`pattern`] | the names of ready-made patterns, in files and in code | - | - |
//! | [`ck`] | CK Tile: KPack and MLdsLayer of the universal GEMM, the graph of a distribution | the last dimension | elements |
//! | [`recast`] | CuTe's `recast`: the same bytes as elements of another width | - | elements |
//! | [`intervals`] | interval padding: TensileLite's, CK Tile's, the fields of gfx1250's tensor data mover | the last dimension | bytes; TensileLite's pad in elements |

pub mod ck;

pub mod cute;

pub mod tma;

pub mod gmma;

pub mod intervals;

pub mod iree;

pub mod linear;

pub mod pattern;

pub mod recast;

pub mod source;

pub mod triton;

pub mod tv;
