//! What the bank analyzer says of a kernel's accesses, on the device that a client names.

use core::fmt;
use tiledesc::chip::{self, Chip};
use tiledesc::distribution::Distribution;
use tiledesc::pattern::Lanes;
use tiledesc::{AccessError, Placed, Plan};

/// What a device's name says of its chip, most telling first: marketing names and the code names
/// of Mesa's drivers. A name of ours (`gfx942`, `sm_90`) is found before these.
const NAMES: &[(&str, &str)] = &[
    ("mi100", "gfx908"),
    ("mi21", "gfx90a"),
    ("mi25", "gfx90a"),
    ("mi300", "gfx942"),
    ("mi325", "gfx942"),
    ("mi35", "gfx950"),
    ("navi21", "gfx1030"),
    ("navi31", "gfx1100"),
    ("navi32", "gfx1101"),
    ("navi44", "gfx1200"),
    ("navi48", "gfx1201"),
    ("8060s", "gfx1151"),
    ("8050s", "gfx1151"),
    ("rx 68", "gfx1030"),
    ("rx 69", "gfx1030"),
    ("rx 79", "gfx1100"),
    ("rx 77", "gfx1101"),
    ("rx 78", "gfx1101"),
    ("rx 9060", "gfx1200"),
    ("rx 9070", "gfx1201"),
    ("v100", "sm_70"),
    ("rtx 20", "sm_75"),
    ("tesla t4", "sm_75"),
    ("gh200", "sm_90"),
    ("gb200", "sm_100"),
    ("gb300", "sm_103"),
    ("gb10", "sm_121"),
    ("a100", "sm_80"),
    ("a30", "sm_80"),
    ("a10", "sm_86"),
    ("a40", "sm_86"),
    ("rtx 30", "sm_86"),
    ("orin", "sm_87"),
    ("rtx 40", "sm_89"),
    ("l40", "sm_89"),
    ("nvidia l4", "sm_89"),
    ("h100", "sm_90"),
    ("h200", "sm_90"),
    ("b100", "sm_100"),
    ("b200", "sm_100"),
    ("b300", "sm_103"),
    ("rtx 50", "sm_120"),
];

/// A device of which nothing is known: it has no rows of banks and phases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDevice {
    /// As it names itself.
    pub name: String,
}

impl fmt::Display for UnknownDevice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no chip is known by the name {:?}: name one (gfx942, sm_90)", self.name)
    }
}

impl core::error::Error for UnknownDevice {}

/// The chip of a device, by the name that a CubeCL client gives it
/// (`client.properties().identity`): its name or what the runtime compiles for.
///
/// ```
/// use tiledesc_cubecl::chip_of;
///
/// let name = |device| chip_of(device).map(|chip| chip.name());
/// assert_eq!(name("AMD Radeon RX 7900 XTX (RADV NAVI31)"), Ok("gfx1100"));
/// assert_eq!(name("hip-kernel_gfx942"), Ok("gfx942"));
/// assert_eq!(name("ptx_sm90"), Ok("sm_90"));
/// assert_eq!(name("NVIDIA H100 PCIe"), Ok("sm_90"));
/// assert_eq!(
///     chip_of("llvmpipe (LLVM 15.0.6, 256 bits)").unwrap_err().to_string(),
///     "no chip is known by the name \"llvmpipe (LLVM 15.0.6, 256 bits)\": name one (gfx942, sm_90)",
/// );
/// ```
///
/// # Errors
///
/// [`UnknownDevice`]: a software device, or a chip without rows.
pub fn chip_of(device: &str) -> Result<&'static Chip, UnknownDevice> {
    let name = device.to_lowercase();
    // `sm90` and `sm_90`; the longest first, or `sm_100` would be found in `sm_1001`.
    let bare = name.replace("sm_", "sm");
    let ours = |chip: &&Chip| {
        bare.split(|c: char| !c.is_ascii_alphanumeric())
            .any(|word| word == chip.name().replace("sm_", "sm"))
    };
    let found = chip::CHIPS.iter().find(ours);
    let known = || NAMES.iter().find(|(part, _)| name.contains(part));
    found
        .or_else(|| known().and_then(|(_, chip)| chip::find(chip).ok()))
        .ok_or_else(|| UnknownDevice { name: device.to_owned() })
}

/// Whether an access reads or writes shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From shared memory.
    Read,
    /// Into it.
    Write,
}

/// An access of a kernel: which elements of a layout its lanes touch, how many at a time.
#[derive(Clone, Copy, Debug)]
pub struct Touch<'a> {
    /// What the kernel calls it.
    pub name: &'a str,
    /// Read or write.
    pub way: Way,
    /// Which coordinates the lanes touch.
    pub lanes: Lanes<'a>,
    /// Elements of a vector.
    pub vector: u32,
    /// How often a wave does it, beside the others.
    pub times: u32,
}

impl<'a> Touch<'a> {
    /// The access by which a distribution's lanes read what they hold.
    #[must_use]
    pub fn read<T: Distribution>(name: &'a str, vector: u32) -> Self {
        let lanes = Lanes::of_distribution::<T>();
        Self { name, way: Way::Read, lanes, vector, times: 1 }
    }

    /// The access by which they write it.
    #[must_use]
    pub fn write<T: Distribution>(name: &'a str, vector: u32) -> Self {
        Self { way: Way::Write, ..Self::read::<T>(name, vector) }
    }

    /// What the analyzer says of it over a layout of elements of `bits` bits.
    ///
    /// ```
    /// use tiledesc::chip::gfx942;
    /// use tiledesc::prelude::*;
    /// use tiledesc_cubecl::Touch;
    ///
    /// distribution! { type Rows: m [row 16], k [part 4, half 8]; lane (part, row), thread (half); }
    /// layout! {
    ///     type Plain = recipe::RowMajor<F16, M<16>, K<32>>;
    ///     type Xor = recipe::GemmXor<F16, M<16>, K<32>, KPack<8>>;
    /// }
    /// let read = Touch::read::<Rows>("A", 8);
    /// assert_eq!(read.judge(&gfx942, &Plain::PLAN, 16)?.degree, 2);
    /// assert_eq!(read.judge(&gfx942, &Xor::PLAN, 16)?.degree, 1);
    /// # Ok::<(), tiledesc_cubecl::JudgeError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`JudgeError`]: no instruction of that width, or lanes that do not fit the layout or the chip.
    pub fn judge(&self, chip: &Chip, plan: &Plan, bits: u32) -> Result<Judged, JudgeError> {
        let instruction = self.row(chip, bits)?;
        let verdict = Placed::new(plan, bits, self.lanes, instruction)
            .and_then(|placed| placed.verdict())
            .map_err(JudgeError::Access)?;
        Ok(Judged {
            instruction: instruction.name(),
            degree: verdict.degree(),
            cycles: verdict.active_cycles() * u64::from(self.times),
            least: verdict.base_cycles() * u64::from(self.times),
            text: verdict.text().as_str().to_owned(),
        })
    }

    /// The row of the instruction that moves a vector of this width.
    fn row(&self, chip: &Chip, bits: u32) -> Result<&'static tiledesc::Instruction, JudgeError> {
        let width = bits * self.vector;
        let names = match self.way {
            Way::Read => ["ds_read_b", "ds_read_u", "ld_shared_b"],
            Way::Write => ["ds_write_b", "ds_write_b", "st_shared_b"],
        };
        let chip = chip::find(chip.name()).map_err(|_| JudgeError::NoInstruction { width })?;
        let mut rows = names.iter().map(|name| chip.instruction(&format!("{name}{width}")));
        rows.find_map(Result::ok).ok_or(JudgeError::NoInstruction { width })
    }
}

/// A verdict in numbers and in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The instruction.
    pub instruction: &'static str,
    /// The most lanes of a phase in one bank; 1 is free.
    pub degree: u32,
    /// Cycles of shared memory of all its instructions.
    pub cycles: u64,
    /// Cycles that there would be without conflicts.
    pub least: u64,
    /// The verdict's own words.
    pub text: String,
}

/// Why an access cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JudgeError {
    /// No instruction of the chip moves as many bits.
    NoInstruction {
        /// Bits of a vector.
        width: u32,
    },
    /// The lanes do not fit.
    Access(AccessError),
}

impl fmt::Display for JudgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoInstruction { width } => write!(f, "no instruction moves {width} bits"),
            Self::Access(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for JudgeError {}
