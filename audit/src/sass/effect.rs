//! What the other instructions of SASS write, so far as only that matters.
//!
//! | | |
//! |---|---|
//! | nothing | stores to global memory; barriers and fences, which order warps |
//! | a function | the first operand is a function of the others: the same in all lanes if they are |
//! | some | the first operand and registers after it, with nothing known |
//! | named | every register that is named may be written |
//! | anything | an instruction that is not known may write any register |

/// What an instruction writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Nothing,
    /// No register, and what may order warps.
    Order,
    /// A function of the operands behind, in as many registers.
    Function(usize),
    /// As many registers.
    Some(usize),
    /// A product of matrices, in as many registers.
    Product(usize),
    Named,
    Anything,
}

impl Effect {
    /// What an instruction writes, by its name without a `U` of the warp's registers, and its modifiers.
    pub(super) fn new(base: &str, parts: &[&str]) -> Self {
        let is_wide = || {
            parts.iter().any(|part| part.contains("64"))
                || base.starts_with('D')
                || parts.contains(&"WIDE")
        };
        match base {
            // What waits, and what begins or ends such a wait.
            "BAR" | "MEMBAR" | "FENCE" | "ERRBAR" | "CGAERRBAR" | "CCTL" | "NANOSLEEP" | "RED"
            | "UCGABAR_ARV" | "UCGABAR_WAIT" => Self::Order,
            "NOP" | "BSSY" | "BSYNC" | "BREAK" | "WARPSYNC" | "DEPBAR" | "LDGDEPBAR" | "CCTLL"
            | "YIELD" | "WARPGROUP" | "BPT" | "STG" | "REDG" | "STTM" | "UTMACMDFLUSH"
            | "UTMAPF" | "UTMACCTL" | "UTCSHIFT" | "ACQBULK" | "ACQSHMINIT" | "PREEXIT"
            | "SETMAXREG" | "USETMAXREG" | "USETSHMSZ" | "PMTRIG" | "ENDCOLLECTIVE"
            | "UVIRTCOUNT" | "SUST" | "SURED" | "GMMA_WAIT" | "WARPGROUPSET" => Self::Nothing,
            "FADD2" | "FMUL2" | "FFMA2" => Self::Function(2),
            "LEA" | "SHF" => Self::Function(1),
            // Functions of their operands alone, and integers of the forms that are not followed.
            "FADD" | "FADD32I" | "FMUL" | "FMUL32I" | "FFMA" | "FFMA32I" | "FMNMX" | "FMNMX3"
            | "FSEL" | "FSET" | "FSETP" | "FCHK" | "FRND" | "FSWZADD" | "MUFU" | "HADD2"
            | "HADD2_32I" | "HMUL2" | "HMUL2_32I" | "HFMA2" | "HFMA2_32I" | "HMNMX2" | "HSET2"
            | "HSETP2" | "VHMNMX" | "DADD" | "DMUL" | "DFMA" | "DMNMX" | "DSETP" | "DSET"
            | "F2F" | "F2FP" | "F2I" | "F2IP" | "I2F" | "I2FP" | "I2I" | "I2IP" | "IDP"
            | "IDP4A" | "VABSDIFF" | "VABSDIFF4" | "VIADDMNMX" | "VIMNMX3" | "FLO" | "PRMT"
            | "IMNMX" | "VIMNMX" | "POPC" | "BREV" | "IABS" | "SGXT" | "BMSK" | "SEL" | "MOV"
            | "IADD" | "IADD3" | "VIADD" | "IMAD" | "ISETP" => {
                Self::Function(if is_wide() { 2 } else { 1 })
            }
            // Products of matrices: with 32 bits in each of 4 registers at most, and those of 64 bits in 8.
            "HMMA" | "IMMA" | "BMMA" | "QMMA" | "OMMA" => Self::Product(4),
            "DMMA" => Self::Product(8),
            "LDTM" => Self::Some(128),
            "SHFL" | "VOTE" | "MATCH" | "ELECT" | "B2R" | "BMOV" | "R2B" | "QSPC"
            | "GETLMEMBASE" | "UTCATOMSWS" | "P2R" | "UP2UR" | "CS2R" | "S2R" | "S2UR" | "R2UR"
            | "FSPEC" => Self::Named,
            _ => Self::Anything,
        }
    }
}
