//! Variables of PTX's shared memory: what would be better for their bytes, wherever they lie.

use std::collections::{BTreeMap, BTreeSet};
use support::fuzz::Dice;
use tiledesc_audit::{Advice, Kernel, Options, audit};

const HEAD: &str = ".version 8.0\n.target sm_90\n";

fn kernel(text: &str, block: Option<[u32; 3]>) -> Kernel {
    audit(text, &Options { block, ..Options::default() }).unwrap().remove(0)
}

fn said(kernel: &Kernel) -> Vec<String> {
    kernel.better().regions.iter().map(ToString::to_string).collect()
}

/// `__shared__ float s[32][32]`, written by rows and read by columns, as nvcc writes it.
fn transposed(declared: &str, more: &str) -> String {
    format!(
        "{HEAD}.visible .entry transpose(.param .u64 p) {{
        .reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .f32 %f<9>;
        .shared {declared};
        mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y;
        shl.b32 %r3, %r2, 7; mov.u32 %r4, _ZZ9transposePfE1s; add.s32 %r5, %r4, %r3;
        shl.b32 %r6, %r1, 2; add.s32 %r7, %r5, %r6;
        st.shared.f32 [%r7], %f1;
        bar.sync 0;
        shl.b32 %r8, %r1, 7; add.s32 %r9, %r4, %r8;
        shl.b32 %r10, %r2, 2; add.s32 %r11, %r9, %r10;
        ld.shared.f32 %f2, [%r11];
        {more}
        ret;\n}}\n"
    )
}

/// The classic remedy is found whatever the alignment and the shape of the block, and the pad as a declaration.
#[test]
fn the_classic_remedy() {
    let expected = "`byte ^ (byte >> 7 & 31) << 2`: 33 cycles become 2; \
                    ld.shared.f32 x1 of line 13 free in place of 32-way; \
                    or 4 bytes behind each 128: 2, `s[32][33]` in place of `s[32][32]`, of 4 bytes each";
    for alignment in [4, 16, 1024, 4096] {
        let text = transposed(&format!(".align {alignment} .b8 _ZZ9transposePfE1s[4096]"), "");
        let all = format!("bytes 0 to 4095 of `s`, {expected}");
        let row = format!("bytes 0 to 3971 of `s`, {expected}");
        assert_eq!(said(&kernel(&text, Some([32, 32, 1]))), [all], "{alignment}");
        assert_eq!(said(&kernel(&text, Some([32, 1, 1]))), [row], "{alignment}");
        // Of a block of unknown shape the row is not known, and holds for each.
        assert_eq!(
            said(&kernel(&text, None)),
            [format!("all accesses of `s`, {expected}")],
            "{alignment}"
        );
    }
}

/// An access of unknown bytes ends the search for its own variable, and only for that one.
#[test]
fn what_is_not_known_is_in_its_own_variable() {
    let declared = ".align 4 .b8 _ZZ9transposePfE1s[4096]; .shared .align 4 .b8 other[4096]";
    let gather = |name: &str| {
        transposed(
            declared,
            &format!(
                "ld.global.u32 %r12, [%rd1]; shl.b32 %r12, %r12, 2; mov.u32 %r13, {name};
        add.s32 %r14, %r13, %r12; ld.shared.f32 %f3, [%r14];"
            ),
        )
    };
    let free = said(&kernel(&transposed(declared, ""), None));
    assert!(free[0].contains("33 cycles become 2"), "{free:?}");
    assert_eq!(said(&kernel(&gather("other"), None)), free);
    let own = said(&kernel(&gather("_ZZ9transposePfE1s"), None));
    let why = "all accesses of `s`, no better layout is looked for: ld.shared.f32 of line 15 may touch any of them";
    assert_eq!(own, [why]);
    // An address that comes from memory is in any variable.
    let anywhere = transposed(declared, "ld.global.u32 %r12, [%rd1]; ld.shared.f32 %f3, [%r12];");
    let any = said(&kernel(&anywhere, None));
    let unless = "; if ld.shared.f32 of line 14 touches none of them: its bytes are not known";
    assert_eq!(any, [free[0].clone() + unless]);
}

/// Lanes that wait, counted anew: the most words of one bank.
fn cycles(bytes: impl Iterator<Item = u32>) -> u64 {
    let mut banks: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for byte in bytes {
        banks.entry(byte / 4 % 32).or_default().insert(byte / 4);
    }
    banks.values().map(|words| words.len() as u64).max().unwrap_or(1)
}

/// What is claimed of a move holds for any place of the variable, any row of the block and any number that is not known: random
/// kernels of up to four accesses of one variable, run by the formula that they were written from.
#[test]
fn moves_are_what_is_claimed() {
    let (mut moved, mut exact, mut places) = (0, 0, 0);
    for case in 0..support::fuzz::times(50) {
        let mut dice = Dice(case);
        let known = dice.one_in(2);
        let count = 1 + dice.below(4) as usize;
        // Bytes from x, y and an unknown number n to the next, and a constant: an address is the sum.
        let mut one = || {
            let strides = [4, 8, 64, 128, 256, 132, 512];
            [
                dice.of(&strides),
                dice.of(&[0, 4, 128, 512]),
                dice.of(&[0, 0, 4, 128, 1024]),
                4 * dice.below(41),
            ]
        };
        let accesses: Vec<[u32; 4]> = (0..count).map(|_| one()).collect();
        let mut code = String::new();
        for (i, [x, y, n, begin]) in accesses.iter().enumerate() {
            let name = if i % 2 == 0 { "ld.shared.u32 %r9," } else { "st.shared.u32" };
            let (address, data) = (format!("[%r8+{begin}]"), if i % 2 == 0 { "" } else { ", %r1" });
            code += &format!(
                "mad.lo.u32 %r8, %r1, {x}, %r4; mad.lo.u32 %r8, %r2, {y}, %r8; mad.lo.u32 %r8, %r3, {n}, %r8;\n{name} {address}{data};\n"
            );
        }
        let text = format!(
            "{HEAD}.visible .entry f(.param .u32 n) {{\n.reg .b32 %r<20>;\n.shared .align 4 .b8 s[65536];\n\
             mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; ld.param.u32 %r3, [n]; mov.u32 %r4, s;\n{code}ret;\n}}\n"
        );
        let kernel = kernel(&text, known.then_some([32, 4, 1]));
        for region in kernel.better().regions {
            let moves = match &region.advice {
                Advice::Move { to, cycles, .. } => vec![(to.clone(), *cycles)],
                _ => Vec::new(),
            };
            for (to, claimed) in moves.into_iter().chain(region.pad.clone()) {
                let mut worst = vec![0; accesses.len()];
                for (y, n, base) in (0..4).flat_map(|y| (0..40).map(move |n| (y, n, 4 * n))) {
                    for (worst, [x, of_y, of_n, begin]) in worst.iter_mut().zip(&accesses) {
                        let byte =
                            |lane: u32| base + to.apply(lane * x + y * of_y + n * of_n + begin);
                        *worst = cycles((0..32).map(byte)).max(*worst);
                        places += 1;
                    }
                }
                let all: u64 = region.sites.iter().map(|site| worst[*site]).sum();
                assert!(
                    all <= claimed,
                    "case {case}: {to}: {claimed} cycles are claimed, and there are {all}\n{text}"
                );
                moved += 1;
                exact += u32::from(all == claimed);
            }
        }
    }
    println!("{moved} moves, {exact} of them exact, {places} instructions");
    assert!(moved > 40 && exact * 4 > moved * 3, "{exact} of {moved}");
}
