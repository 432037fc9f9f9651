//! One pattern: lanes over a layout, by an instruction.

use tiledesc::pattern::{Lanes, Row};
use tiledesc::{
    Plan,
    access::{AccessError, Placed},
    bank::Verdict,
    chip::Instruction,
};
use tiledesc::{access::Addresses, bank::phase};

/// Bits of an element: all tiles are of dwords.
const BITS: u32 = 32;

/// The elements that each lane touches.
#[derive(Clone, Debug)]
pub(crate) enum Walk {
    Ready(Lanes<'static>),
    Table(Vec<Row>),
}

/// Lanes over a layout, by an instruction of a chip.
///
/// ```
/// let all = tiledesc_validation::list::patterns("gfx942").unwrap();
/// let stride = all.iter().find(|p| p.id() == "ds_read_b32 stride2").unwrap();
/// assert_eq!(stride.addresses().unwrap().get(63), Some(63 * 8));
/// assert_eq!((stride.wavefronts().unwrap(), stride.verdict().unwrap().degree()), (4, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    name: String,
    instruction: &'static Instruction,
    plan: Plan,
    walk: Walk,
}

impl Pattern {
    pub(crate) fn new(
        name: String,
        instruction: &'static Instruction,
        plan: Plan,
        walk: Walk,
    ) -> Self {
        Self { name, instruction, plan, walk }
    }

    /// The name, unique for its instruction.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The instruction and the name.
    #[must_use]
    pub fn id(&self) -> String {
        format!("{} {}", self.instruction.name(), self.name)
    }

    /// The row of the model.
    #[must_use]
    pub fn instruction(&self) -> &'static Instruction {
        self.instruction
    }

    /// The lanes and the layout, as the library places them.
    ///
    /// # Errors
    ///
    /// [`AccessError`] if the pattern does not fit.
    pub fn placed(&self) -> Result<Placed<'_, 'static>, AccessError> {
        let lanes = match &self.walk {
            Walk::Ready(lanes) => *lanes,
            Walk::Table(rows) => Lanes::table(rows, 1),
        };
        Placed::new(&self.plan, BITS, lanes, self.instruction)
    }

    /// The byte address of each lane.
    ///
    /// # Errors
    ///
    /// As [`placed`](Self::placed).
    pub fn addresses(&self) -> Result<Addresses, AccessError> {
        Ok(*self.placed()?.touched(0)?.addresses())
    }

    /// The verdict of the model.
    ///
    /// # Errors
    ///
    /// As [`placed`](Self::placed).
    pub fn verdict(&self) -> Result<Verdict<'static>, AccessError> {
        self.placed()?.verdict()
    }

    /// Cycles of the banks by the model: the phases, and what conflicts add.
    ///
    /// # Errors
    ///
    /// As [`placed`](Self::placed).
    pub fn wavefronts(&self) -> Result<u64, AccessError> {
        Ok(self.verdict()?.active_cycles())
    }

    /// The degree of each phase, of merged phases where lanes agree in pairs.
    ///
    /// # Errors
    ///
    /// As [`placed`](Self::placed).
    pub fn degrees(&self) -> Result<Vec<u32>, AccessError> {
        let addresses = self.addresses()?;
        let count = self.verdict()?.service().phases.count();
        let degree = |i| phase(&addresses, self.instruction, i).map(|crowd| crowd.degree);
        (0..count).map(degree).collect::<Result<_, _>>().map_err(AccessError::Address)
    }

    /// A number of the addresses, by which a record knows that a name still means the same (FNV-1a).
    ///
    /// # Errors
    ///
    /// As [`placed`](Self::placed).
    pub fn fingerprint(&self) -> Result<u32, AccessError> {
        let addresses = self.addresses()?;
        let bytes = (0..64).flat_map(|lane| addresses.get(lane).unwrap_or(u32::MAX).to_le_bytes());
        Ok(bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)))
    }
}
