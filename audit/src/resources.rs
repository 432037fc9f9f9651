//! What a kernel takes of a CU or an SM, as far as its text says: registers, spills, bytes of LDS.
//!
//! ```text
//!   128 vector registers and 24 scalar ones, 3 of them spilled, 2252 bytes of scratch a lane, 32768 bytes of LDS
//! ```
//!
//! | text | says |
//! |---|---|
//! | AMDGPU | metadata (`.vgpr_count`, `.vgpr_spill_count`, ..), and LLVM's comment `; Occupancy: 4` |
//! | PTX | its variables of shared memory: registers are ptxas's choice |
//! | SASS | `SHI_REGISTERS`, `.nv.shared.gemm` of nvdisasm |
//!
//! Nothing is computed of it: how many waves fit says the compiler, or nobody.

use std::fmt;

/// What a kernel takes; what the text does not say is `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resources {
    /// Vector registers of a lane, or of NVIDIA the registers of a thread; with accumulation registers, where a chip has them.
    pub registers: Option<u32>,
    /// Scalar registers of a wave.
    pub scalars: Option<u32>,
    /// Registers that were spilled, vector and scalar.
    pub spilled: Option<u32>,
    /// Bytes of scratch memory of a lane.
    pub scratch: Option<u32>,
    /// Bytes of LDS or shared memory that the text declares; a launch may add some.
    pub lds: Option<u32>,
    /// Waves of a SIMD at most, as the compiler says.
    pub occupancy: Option<u32>,
}

impl Resources {
    /// What either says.
    pub(crate) fn or(self, other: Self) -> Self {
        Self {
            registers: self.registers.or(other.registers),
            scalars: self.scalars.or(other.scalars),
            spilled: self.spilled.or(other.spilled),
            scratch: self.scratch.or(other.scratch),
            lds: self.lds.or(other.lds),
            occupancy: self.occupancy.or(other.occupancy),
        }
    }

    /// The sentence about it; `None` if the text says nothing.
    ///
    /// ```
    /// use tiledesc_audit::Resources;
    ///
    /// let some = Resources { registers: Some(128), spilled: Some(3), lds: Some(32768), ..Resources::default() };
    /// assert_eq!(some.sentence().unwrap(), "128 registers, 3 spilled, 32768 bytes of LDS declared");
    /// assert_eq!(Resources::default().sentence(), None);
    /// ```
    #[must_use]
    pub fn sentence(&self) -> Option<String> {
        (*self != Self::default()).then(|| self.to_string())
    }
}

impl fmt::Display for Resources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vector = if self.scalars.is_some() { "vector registers" } else { "registers" };
        let some = |number: Option<u32>, of: &str| number.map(|number| format!("{number} {of}"));
        let spilled = match self.spilled {
            Some(0) => Some("none spilled".to_string()),
            spilled => some(spilled, "spilled"),
        };
        let parts = [
            some(self.registers, vector),
            some(self.scalars, "scalar registers"),
            spilled,
            some(self.scratch.filter(|bytes| *bytes > 0), "bytes of scratch a lane"),
            some(self.lds.filter(|bytes| *bytes > 0), "bytes of LDS declared"),
            some(self.occupancy, "waves a SIMD at most"),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
    }
}
