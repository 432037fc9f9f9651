//! Small programs whose addresses are known by hand: a rule that is wrong gives another number, or one where none is known.

mod fragments;
mod generic;
mod instructions;
mod lanes;
mod local;
mod masks;
mod rows;
mod several;
mod unwritten;

use tiledesc_audit::value::Value;
use tiledesc_audit::{Kernel, Options, Reached, audit};

/// An AMDGPU kernel with a block of `lanes` lanes; `v0` is the lane.
pub(crate) fn amdgpu(chip: &str, lanes: u32, code: &str) -> Kernel {
    let text = format!(".amdgcn_target \"x--{chip}\"\n.type f,@function\nf:\n{code}\ns_endpgm\n");
    audit(&text, &Options { block: Some([lanes, 1, 1]), ..Options::default() }).unwrap().remove(0)
}

/// A PTX kernel of one warp: `%r0` is `%tid.x`, `%r9` is data, `n` a parameter.
pub(crate) fn ptx(code: &str) -> Kernel {
    ptx_of(".reqntid 32", code)
}

/// A PTX kernel whose block is said by a directive.
fn ptx_of(block: &str, code: &str) -> Kernel {
    let text = format!(
        ".version 8.0\n.target sm_90\n.address_size 64\n.shared .align 128 .b8 tile[8192];\n.visible .entry f(.param .u32 n, .param .u64 p)\n\
         {block}\n{{\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\n.reg .b32 %r<99>;\n.reg .b64 %d<9>;\n.reg .f32 %f<9>;\n\
         mov.u32 %r0, %tid.x;\nld.volatile.global.u32 %r9, [%d8];\n{code}\nret;\n}}\n"
    );
    audit(&text, &Options::default()).unwrap_or_else(|error| panic!("{error}\n{text}")).remove(0)
}

/// The only wave at the n-th access.
fn reached(kernel: &Kernel, n: usize) -> &Reached {
    let [one] = &kernel.sites[n].reached[..] else { panic!("{:?}", kernel.sites[n]) };
    one
}

/// Each lane's byte at the n-th access, if it is known to the last bit, and not one of several.
fn bytes(kernel: &Kernel, n: usize) -> Option<Vec<u32>> {
    let [one] = &kernel.sites[n].reached[..] else { return None };
    match &one.address {
        Value::Sum { k: 32, f } => Some((0..kernel.wave).map(|lane| f.get(lane)).collect()),
        _ => None,
    }
}
