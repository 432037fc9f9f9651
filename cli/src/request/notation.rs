//! The notations of layouts that `convert` writes: of files, and of kernels.

use clap::ValueEnum;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Notation {
    /// `Sw<3,3,3> o 0 o (128,64):(64,1)`
    Cute,
    /// The same with the swizzle in bytes: `Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)`
    CuteBytes,
    /// The same in C++: `composition(Swizzle<3,3,3>{}, Layout<Shape<_128,_64>, ..>{})`
    CuteCpp,
    /// The same in the Python DSL: `cute.make_composed_layout(..)`
    CuteDsl,
    /// A value for a file: bases of the offset's bits, or the IR's attribute of a layout with pads
    Triton,
    /// The IR's attribute: `#ttg.swizzled_shared<..>`
    Ttgir,
    /// The constructor: `gl.SwizzledSharedLayout(..)`
    Gluon,
    /// IREE's attribute: `#iree_codegen.xor_shuffle<64, 8>`, `rotate_rows<48, 8>`
    Iree,
    /// KPack and MLdsLayer
    Ck,
    /// The words of descriptor!
    Stages,
}
