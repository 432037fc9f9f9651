//! What is said of whole tiles: whether a kernel does what is stated of it, which accesses share bytes, and which mask
//! or pad would be better.

mod against;
mod arrays;
mod better;
mod regions;

use tiledesc_audit::{Kernel, Options, audit};

/// A kernel for gfx942 whose block has the given number of lanes.
fn kernel_of(lanes: u32, code: &str) -> Kernel {
    let text = format!(".amdgcn_target \"x--gfx942\"\n.type f,@function\nf:\n{code}\ns_endpgm\n");
    audit(&text, &Options { block: Some([lanes, 1, 1]), ..Options::default() }).unwrap().remove(0)
}

/// Code for v1: `begin`, flipped by `columns[i]` in lanes whose bit i is set.
fn address(begin: u32, columns: &[u32]) -> String {
    let mut code = format!("v_mov_b32_e32 v1, {begin}\n");
    for (bit, column) in columns.iter().enumerate().filter(|(_, column)| **column != 0) {
        code += &format!(
            "v_lshrrev_b32_e32 v2, {bit}, v0\nv_and_b32_e32 v2, 1, v2\nv_sub_u32_e32 v2, 0, v2\n\
             v_and_b32_e32 v2, {column}, v2\nv_xor_b32_e32 v1, v1, v2\n"
        );
    }
    code
}

/// The operands of an access of one address in v1: `v[4:7], v1` of `ds_read_b128`.
fn operands(name: &str) -> String {
    let bytes = tiledesc::chip::find("gfx942").unwrap().instruction(name).unwrap().bytes();
    let data = if bytes <= 4 { "v4".to_string() } else { format!("v[4:{}]", 3 + bytes / 4) };
    if name.starts_with("ds_write") { format!("v1, {data}") } else { format!("{data}, v1") }
}
