//! What the name of an instruction says of its operands: which it writes, and which has an address in LDS.
//!
//! | | writes | address in LDS |
//! |---|---|---|
//! | `v_add_u32 v1, v2, v3` | `v1` | |
//! | `ds_read_b32 v1, v2` | `v1` | `v2` |
//! | `ds_write_b32 v1, v2`, `ds_add_u32 v1, v2` | nothing | `v1` of the write |
//! | `s_cmp_lt_i32 s0, s1` | nothing | |
//! | `v_add_u32 v999, v2` | a register that does not exist: any |

use crate::amdgpu::state::{State, place};
use crate::amdgpu::text::{Operand, SCALARS, Words};
use crate::value::Value;

/// The operand with an address in LDS.
pub(crate) fn lds_address(words: &Words) -> Option<&Operand> {
    let rest = words.name.strip_prefix("ds_")?;
    let reads = ["read", "load"].iter().any(|word| rest.starts_with(word));
    let writes = ["write", "store"].iter().any(|word| rest.starts_with(word));
    if rest.contains("addtid") || words.modifier("gds").is_some() {
        return None;
    }
    if reads {
        words.operands.get(1)
    } else if writes {
        words.operands.first()
    } else {
        None
    }
}

/// Instructions that write no register and have no effect that is followed.
pub(super) const QUIET: [&str; 20] = [
    "s_waitcnt",
    "s_wait_",
    "s_nop",
    "s_barrier",
    "s_endpgm",
    "s_sendmsg",
    "s_setprio",
    "s_sleep",
    "s_clause",
    "s_delay_alu",
    "s_setreg",
    "s_dcache",
    "s_icache",
    "s_inst_prefetch",
    "s_prefetch",
    "s_code_end",
    "s_ttracedata",
    "s_sethalt",
    "s_trap",
    "s_set_inst_prefetch",
];

/// The atomics of LDS, which write no register but with `_rtn`.
pub(crate) const ATOMICS: [&str; 14] = [
    "ds_add_",
    "ds_sub_",
    "ds_rsub_",
    "ds_inc_",
    "ds_dec_",
    "ds_min_",
    "ds_max_",
    "ds_and_",
    "ds_or_",
    "ds_xor_",
    "ds_mskor_",
    "ds_cmpst_",
    "ds_cmpstore_",
    "ds_pk_add_",
];

/// Instructions that write no register, and read their first operand.
const READERS: [&str; 9] = [
    "v_cmpx_",
    "v_nop",
    "s_cmp",
    "s_bitcmp",
    "s_cbranch",
    "s_branch",
    "s_set",
    "s_version",
    "s_wakeup",
];

/// The operand that an instruction writes, if it is a register.
pub(crate) fn destination(words: &Words) -> Option<&Operand> {
    let name = words.name.as_str();
    let begins = |all: &[&str]| all.iter().any(|one| name.starts_with(one));
    let stores = name.contains("store") || name.contains("_write") && name.starts_with("ds_");
    let is_silent =
        begins(&READERS) || begins(&QUIET) || begins(&ATOMICS) && !name.contains("_rtn");
    let first = words.operands.first().filter(|_| !stores && !is_silent);
    first.filter(|operand| matches!(operand, Operand::Register(_)))
}

/// The value of the register that an instruction has written, of several the first.
pub(crate) fn written(words: &Words, state: &State) -> Option<Value> {
    let Some(Operand::Register(register)) = destination(words) else { return None };
    match place(*register) {
        Some(place) => Some(state.read(place)),
        None => (register.first < SCALARS).then(|| state.scalar(register.first).value),
    }
}

/// Returns whether it is known which register an instruction writes, if it writes one. It is not known of a line that
/// is cut off, or that names a register that does not exist.
pub(super) fn names_its_destination(words: &Words) -> bool {
    let name = words.name.as_str();
    match words.operands.first() {
        Some(
            Operand::Register(_)
            | Operand::Exec
            | Operand::ExecHalf(_)
            | Operand::Null
            | Operand::Scc,
        ) => true,
        Some(Operand::Number(_)) if name.starts_with("s_") => true,
        _ if READERS.iter().any(|one| name.starts_with(one)) => true,
        _ if name.starts_with("v_") || name.starts_with("s_") => false,
        _ => !["load", "read"].iter().any(|one| name.contains(one)),
    }
}
