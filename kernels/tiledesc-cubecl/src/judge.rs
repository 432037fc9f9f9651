//! What the bank analyzer says of a kernel's accesses, on the device that a client names.

use core::fmt;
use tiledesc::chip::{self, Chip};
use tiledesc::distribution::Distribution;
use tiledesc::pattern::Lanes;
use tiledesc::{
    Plan,
    access::{AccessError, Placed},
};

/// What a word of a device's name says of its chip: names that the vendors sell, and the code names
/// that Mesa's drivers add. Whole words, since "RX 7700S" is another chip than "RX 7700".
const WORDS: &[(&str, &[&str])] = &[
    ("gfx906", &["mi50", "mi60", "radeon vii"]),
    ("gfx908", &["mi100"]),
    ("gfx90a", &["mi210", "mi250", "mi250x"]),
    ("gfx942", &["mi300x", "mi300a", "mi325x"]),
    ("gfx950", &["mi350x", "mi355x"]),
    ("gfx1030", &["navi21", "rx 6900", "rx 6950"]),
    ("gfx1100", &["navi31", "rx 7900"]),
    ("gfx1101", &["navi32", "rx 7800", "rx 7700"]),
    ("gfx1151", &["8060s", "8050s"]),
    ("gfx1200", &["navi44", "rx 9060"]),
    ("gfx1201", &["navi48", "rx 9070"]),
    ("sm_70", &["v100"]),
    ("sm_75", &["t4", "rtx 2060", "rtx 2070", "rtx 2080"]),
    ("sm_80", &["a100", "a30"]),
    ("sm_86", &["a10", "a40", "rtx 3050", "rtx 3060", "rtx 3070", "rtx 3080", "rtx 3090"]),
    ("sm_87", &["orin"]),
    ("sm_89", &["l4", "l40", "l40s", "rtx 4060", "rtx 4070", "rtx 4080", "rtx 4090"]),
    ("sm_90", &["h100", "h200", "gh200"]),
    ("sm_100", &["b100", "b200", "gb200"]),
    ("sm_103", &["b300", "gb300"]),
    ("sm_120", &["rtx 5060", "rtx 5070", "rtx 5080", "rtx 5090"]),
    ("sm_121", &["gb10"]),
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
/// assert_eq!(name("AMD Instinct MI300X"), Ok("gfx942"));
/// // Planes of 64 lanes are judged by the rows of these.
/// let rdna = chip_of("AMD Radeon RX 7900 XTX (RADV NAVI31)").unwrap();
/// assert_eq!(rdna.in_waves_of(64).unwrap().name(), "gfx1100::wave64");
/// // Not the RX 7700, though it sounds like it; not Ada, though it begins like it.
/// assert!(name("AMD Radeon RX 7700S").is_err() && name("Quadro RTX 4000").is_err());
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
    let name = device.to_lowercase().replace("sm_", "sm");
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words = format!(" {} ", words.collect::<Vec<_>>().join(" "));
    let says = |word: &str| words.contains(&format!(" {} ", word.replace("sm_", "sm")));
    let ours = chip::CHIPS.iter().find(|chip| says(chip.name()));
    let sold = || WORDS.iter().find(|(_, names)| names.iter().any(|name| says(name)));
    ours.or_else(|| sold().and_then(|(chip, _)| chip::find(chip).ok()))
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
    fn row(
        &self,
        chip: &Chip,
        bits: u32,
    ) -> Result<&'static tiledesc::chip::Instruction, JudgeError> {
        let width = bits * self.vector;
        let names = match self.way {
            Way::Read => ["ds_read_b", "ds_read_u", "ld_shared_b"],
            Way::Write => ["ds_write_b", "ds_write_b", "st_shared_b"],
        };
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
