//! What ptxas makes one instruction of several, held to ptxas.
//!
//! `ptxas/joins.json.gz` has random programs of neighbouring loads and stores with the instructions on shared memory that ptxas
//! 13.5.37 and nvdisasm 13.5.37 (`nvidia-cuda-nvcc`, `nvidia-cuda-nvdisasm` of the Python registry) make of each, with `-O3`, for sm_80.

use flate2::read::GzDecoder;
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use tiledesc_audit::{Kernel, Options, Ruling, Unjudged, audit};

fn kernel(text: &str) -> Kernel {
    audit(text, &Options::default()).unwrap().remove(0)
}

/// The accesses of a kernel, stores apart, by their bytes; of the joined ones alone if `joined`.
fn widths(kernel: &Kernel, joined: bool) -> BTreeMap<(bool, u32), usize> {
    let mut all = BTreeMap::new();
    for row in kernel.sites.iter().filter_map(|site| site.access.as_ref().ok()) {
        if row.joined > 1 || !joined {
            let is_store = row.row.name().starts_with("st");
            *all.entry((is_store, row.row.bytes())).or_insert(0) += 1;
        }
    }
    all
}

/// `LDS.U.128` moves 16 bytes.
fn width(name: &str) -> (bool, u32) {
    let bytes = match name.rsplit('.').next() {
        Some("128") => 16,
        Some("64") => 8,
        Some("U16" | "S16") => 2,
        Some("U8" | "S8") => 1,
        _ => 4,
    };
    (name.starts_with("STS"), bytes)
}

/// Whatever is joined is one instruction of what runs, and little of what ptxas joins is not.
#[test]
fn only_what_ptxas_joins() {
    let bytes = include_bytes!("ptxas/joins.json.gz");
    let mut text = String::new();
    GzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let all: Vec<Value> = serde_json::from_str(&text).unwrap();
    let (mut joined, mut same) = (0, 0);
    for (i, one) in all.iter().enumerate() {
        let kernel = kernel(one["ptx"].as_str().unwrap());
        let mut runs = BTreeMap::new();
        for name in one["sm_80"].as_array().unwrap() {
            *runs.entry(width(name.as_str().unwrap())).or_insert(0) += 1;
        }
        let parts = widths(&kernel, true);
        for width in parts.keys() {
            // Bytes that move as wide as this, or wider.
            let bytes = |all: &BTreeMap<(bool, u32), usize>| -> usize {
                let wide = all.iter().filter(|(one, _)| one.0 == width.0 && one.1 >= width.1);
                wide.map(|((_, bytes), count)| *bytes as usize * count).sum()
            };
            let (said, runs) = (bytes(&parts), bytes(&runs));
            let (program, code) = (&one["ptx"], &one["sm_80"]);
            assert!(
                said <= runs,
                "{i}: {said} bytes of {width:?}, and {runs} run: {code}\n{program}"
            );
        }
        joined += parts.values().sum::<usize>();
        same += usize::from(widths(&kernel, false) == runs);
    }
    println!("{joined} joined accesses; {same} of {} programs as they run", all.len());
    assert!(
        joined > all.len() / 2 && same * 10 > all.len() * 7,
        "{joined}, {same} of {}",
        all.len()
    );
}

/// Four words of each lane are one access of 16 bytes, which is free, and its parts are no accesses of their own.
#[test]
fn words_of_a_lane() {
    let of = |declared: &str, between: &str| {
        kernel(&format!(
            ".version 8.0\n.target sm_80\n.visible .entry f() .reqntid 32 {{\n.reg .b32 %r<20>;\n{declared}\n\
             mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 4;\nmov.u32 %r3, s;\nadd.s32 %r5, %r3, %r2;\n\
             ld.shared.u32 %r6, [%r5];\nld.shared.u32 %r7, [%r5+4];\n{between}\nld.shared.u32 %r8, [%r5+8];\n\
             ld.shared.u32 %r9, [%r5+12];\nret;\n}}\n"
        ))
    };
    let alone = ".shared .align 4 .b8 s[4096];";
    let found = of(alone, "").report();
    let said: Vec<_> =
        found.lines.iter().map(|line| (line.lines.len(), line.found.as_str())).collect();
    let part = "a part of a wider access, as ptxas joins neighbours";
    assert_eq!(
        said,
        [(1, "free of conflicts (inferred), as one of 16 bytes: ptxas joins 4"), (3, part)]
    );
    assert_eq!((found.worst(), found.cycles()), (1, [4, 4]));
    // A store between may be to the same bytes: two of 8 bytes each, 16 bytes apart.
    let two = of(alone, "st.shared.u32 [%r3], %r1;");
    assert_eq!(widths(&two, true), BTreeMap::from([((false, 8), 2)]));
    assert_eq!(two.report().worst(), 2);
    // Where another variable may lie before it, its alignment counts.
    let other = ".shared .align 4 .b8 q[4]; .shared .align 4 .b8 s[4096];";
    assert_eq!(of(other, "").report().worst(), 4);
    let wide = ".shared .align 4 .b8 q[4]; .shared .align 16 .b8 s[4096];";
    assert_eq!(of(wide, "").report().worst(), 1);
    // What is free already stays as it is written.
    let parts = |kernel: &Kernel| {
        let is_part = |one: &Ruling| matches!(one, Ruling::Unjudged(Unjudged::Joined));
        kernel.rulings().iter().filter(|one| is_part(one)).count()
    };
    assert_eq!(parts(&two), 2);
}
