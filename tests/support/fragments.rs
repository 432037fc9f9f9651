//! Who gets what by the instructions that hand round what lanes address, as their pages draw it: element by element, and from
//! nothing that the library knows.

use tiledesc::chip::Instruction;

/// Whose row an element of a lane is of, and where in it, as the instruction's page draws it; `None` of elements that it
/// does not move. `n` is how many elements an address has, `bits` those of one.
pub fn from(name: &str, bits: u32, n: u32, lane: u32, element: u32) -> Option<[u32; 2]> {
    let (l, e) = (lane, element);
    if name.contains("matrix.x") && !name.ends_with("trans") {
        // PTX: register r of lane l is 32 bits of row l / 4 of matrix r, whose rows lanes 8r to 8r + 7 name.
        let per = if bits <= 32 { 32 / bits } else { return None };
        return Some([e / per * 8 + l / 4, l % 4 * per + e % per]);
    }
    let halves = [8 * (e / 2) + l % 4 * 2 + e % 2, l / 4];
    let found = match name {
        "ldmatrix.x1.trans" | "ldmatrix.x2.trans" | "ldmatrix.x4.trans" => (16, halves),
        "stmatrix.x1.trans" | "stmatrix.x2.trans" | "stmatrix.x4.trans" => (16, halves),
        // CUTLASS shuffles the bytes of two registers after it: before, register r has column l / 4 + 8 r.
        "ldmatrix.m16n16.x1.trans.b8" | "ldmatrix.m16n16.x2.trans.b8" => {
            (8, [16 * (e / 8) + l % 4 * 4 + e % 4, l / 4 + e % 8 / 4 * 8])
        }
        name if name.starts_with("stmatrix.m16n8") => {
            (8, [8 * (e / 4) + l % 4 * 2 + e % 2, l / 4 + e % 4 / 2 * 8])
        }
        // Triton: lane i of 16 gets column i of N rows, of which each is in 16 / N lanes.
        "ds_read_b64_tr_b16" => (16, [l / 16 * 16 + e * (16 / n) + l % 16 / n, l % n]),
        "ds_read_b64_tr_b8" => (8, [l / 16 * 16 + e * (16 / n) + l % 16 / n, l % n]),
        "ds_read_b96_tr_b6" => (6, [l / 16 * 16 + e, l % 16]),
        "ds_read_b64_tr_b4" => (4, [l / 16 * 16 + e, l % 16]),
        "ds_load_tr16_b128" => (16, [l / 8 * 8 + e, l % 8]),
        // A program that ran on gfx1250 found the same as Triton has.
        "ds_load_tr8_b64" | "ds_load_tr8_b64_align4" => {
            (8, [l / 16 * 16 + l % 16 / 8 * 4 + e / 4 * 8 + e % 4, l % 8])
        }
        "ds_load_tr6_b96" | "ds_load_tr4_b64" | "ds_load_tr4_b64_align4" => return None,
        name => panic!("{name} is played by nobody"),
    };
    (found.0 == bits).then_some(found.1)
}

/// Returns whether lanes hold what others address, by the instruction's name.
pub fn hands_round(name: &str) -> bool {
    ["ldmatrix", "stmatrix", "ds_read", "ds_load"].iter().any(|head| {
        let rest = name.strip_prefix(head);
        rest.is_some_and(|rest| head.ends_with("matrix") || rest.contains("_tr"))
    })
}

/// Elements that a lane gets by one instruction, each of the given width in bits.
pub fn moved(row: &Instruction, bits: u32) -> u32 {
    let (lanes, wave) = (row.service().phases.addressed(), row.service().phases.wave());
    row.bytes() * 8 / bits * lanes as u32 / wave as u32
}
