//! The constant in an instruction: an address that costs no register and no addition.
//!
//! | instruction | field | reaches |
//! |---|---|---|
//! | `ds_read_b128` | 16 bits, bytes | 65,535 |
//! | `ds_read2_b64` | 8 bits each, 8 bytes | 2,040 |
//! | `ld.shared` | 24 bits, signed, bytes | 8,388,607 |

/// The constant that an instruction adds to a lane's address at no cost: `bits` bits, in units of bytes.
///
/// ```
/// use tiledesc::chip::{gfx942, sm_90};
///
/// // AMD: 16 bits in bytes, or for two addresses 8 bits each in units of an element.
/// assert_eq!(gfx942::ds_read_b64.immediate().largest(), 65_535);
/// assert_eq!(gfx942::ds_read2_b64.immediate().largest(), 255 * 8);
/// assert_eq!(gfx942::ds_read2st64_b32.immediate().largest(), 255 * 256);
/// assert_eq!(sm_90::ld_shared_b128.immediate().largest(), 8_388_607);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Immediate {
    pub(super) bits: u8,
    pub(super) signed: bool,
    pub(super) unit: u32,
}

impl Immediate {
    /// Bytes: the field of the DS instructions with one address, OFFSET1 and OFFSET0 together
    /// (AMD ISA documents of CDNA3, RDNA3 and others, DS instructions).
    pub const DS: Self = Self::unsigned(16, 1);

    /// Bytes, signed: `LDS Rd, [Ra + ImmS24]` of NVIDIA's SASS, and `STS` and `LDSM` likewise.
    pub const SASS: Self = Self { bits: 24, signed: true, unit: 1 };

    /// A field of `bits` bits in units of `unit` bytes.
    ///
    /// ```
    /// use tiledesc::chip::Immediate;
    ///
    /// const DWORDS: Immediate = Immediate::unsigned(12, 4);
    /// assert_eq!((DWORDS.bits(), DWORDS.unit(), DWORDS.largest()), (12, 4, 4095 * 4));
    /// ```
    ///
    /// # Panics
    ///
    /// With more than 31 bits, or if the largest offset is not below 2^31 bytes, or without a
    /// unit.
    #[must_use]
    #[track_caller]
    pub const fn unsigned(bits: u32, unit: u32) -> Self {
        assert!(bits <= 31 && unit > 0, "an immediate has up to 31 bits, and a unit");
        let largest = ((1 << bits) - 1) * unit as u64;
        assert!(largest < 1 << 31, "an immediate is below 2^31 bytes");
        Self { bits: bits as u8, signed: false, unit }
    }

    /// Bits of the field.
    #[must_use]
    pub const fn bits(&self) -> u32 {
        self.bits as u32
    }

    /// Bytes of a unit.
    #[must_use]
    pub const fn unit(&self) -> u32 {
        self.unit
    }

    /// Returns whether one of the bits is the sign.
    #[must_use]
    pub const fn is_signed(&self) -> bool {
        self.signed
    }

    /// The largest offset, in bytes.
    #[must_use]
    pub const fn largest(&self) -> u32 {
        ((1 << (self.bits - self.signed as u8)) - 1) * self.unit
    }
}
