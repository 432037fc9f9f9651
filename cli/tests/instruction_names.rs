//! Instructions by the names that people have at hand: each is judged as the row of its width, or refused.

use serde_json::Value;
use tiledesc::chip::{Access, CHIPS, find};
use tiledesc_cli::{Status, run};

/// What `check` says of 32 or 64 lanes `apart` bytes apart, but for the name; `None` where it knows no such instruction.
fn judged(chip: &str, op: &str, is_write: bool) -> Option<Value> {
    let direction = if is_write { "write" } else { "read" };
    let text = format!(
        "version = 1\nchips = [\"{chip}\"]\n[tile.s]\nbytes = 16384\n\
         {direction} = [{{ op = \"{op}\", addresses = \"lane * 48 % 1024 + lane / 16 * 2048\" }}]\n"
    );
    let output = run(["tiledesc", "check", "-", "--format", "json"], &mut text.as_bytes());
    let all: Value = serde_json::from_str(&output.out).unwrap();
    if output.status == Status::Invalid {
        assert!(
            all["faults"][0]["message"].as_str().unwrap().contains("has no instruction"),
            "{output:?}"
        );
        return None;
    }
    let mut access = all["tiles"][0]["accesses"][0].clone();
    for key in ["op", "title"] {
        access.as_object_mut().unwrap().remove(key);
    }
    Some(access)
}

/// Every type of PTX with its bits, in every vector.
#[test]
fn types_of_ptx() {
    let types = [
        ("b8", 8),
        ("u8", 8),
        ("s8", 8),
        ("b16", 16),
        ("u16", 16),
        ("s16", 16),
        ("f16", 16),
        ("bf16", 16),
        ("b32", 32),
        ("u32", 32),
        ("s32", 32),
        ("f32", 32),
        ("f16x2", 32),
        ("bf16x2", 32),
        ("b64", 64),
        ("u64", 64),
        ("s64", 64),
        ("f64", 64),
        ("b128", 128),
    ];
    let (mut known, mut unknown) = (0, 0);
    for (name, bits) in types {
        for (vector, many) in [("", 1), ("v2.", 2), ("v4.", 4)] {
            for (base, is_write) in [("ld", false), ("st", true)] {
                let own = judged("sm_80", &format!("{base}.shared.b{}", bits * many), is_write);
                for shared in ["shared", "shared::cta", "volatile.shared", "relaxed.cta.shared"] {
                    let op = format!("{base}.{shared}.{vector}{name}");
                    assert_eq!(judged("sm_80", &op, is_write), own, "{op}");
                }
                assert_eq!(own.is_some(), bits * many <= 128, "{name} {many}");
                known += usize::from(own.is_some());
                unknown += usize::from(own.is_none());
            }
        }
    }
    println!("{known} known, {unknown} unknown");
}

/// Names of SASS, of matrices, and of no chip.
#[test]
fn other_names() {
    let same = [
        ("sm_80", "LDS", "ld.shared.b32"),
        ("sm_80", "LDS.U8", "ld.shared.b8"),
        ("sm_80", "LDS.S16", "ld.shared.b16"),
        ("sm_80", "LDS.64", "ld.shared.b64"),
        ("sm_90", "LDS.U.128", "ld.shared.b128"),
        ("sm_90", "STS.128", "st.shared.b128"),
        ("sm_80", "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "ldmatrix.x4"),
        ("sm_80", "ldmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16", "ldmatrix.x2.trans"),
        ("sm_80", "LDSM.16.M88.4", "ldmatrix.x4"),
        ("sm_80", "LDSM.16.MT88.2", "ldmatrix.x2.trans"),
        ("sm_80", "LDSM.16.M88", "ldmatrix.x1"),
        ("sm_90", "stmatrix.sync.aligned.m8n8.x1.shared.b16", "stmatrix.x1"),
        ("sm_90", "STSM.16.MT88.4", "stmatrix.x4.trans"),
        ("sm_80", "cp.async.cg.shared.global 16", "st.shared.b128"),
        ("sm_90", "cp.async.cg.shared.global", "st.shared.b128"),
        ("sm_80", "cp.async.ca.shared.global.L2::128B 8", "st.shared.b64"),
        ("sm_80", "LDGSTS.E.BYPASS.128", "st.shared.b128"),
        ("sm_86", "LDGSTS.E", "st.shared.b32"),
        ("gfx942", "load_b128", "ds_read_b128"),
        ("gfx942", "store_b16", "ds_write_b16"),
        ("gfx942", "read_b8", "ds_read_u8"),
        ("gfx1100", "load_b96", "ds_load_b96"),
        ("sm_90", "load_b128", "ld.shared.b128"),
        ("sm_80", "write_b32", "st.shared.b32"),
    ];
    for (chip, name, own) in same {
        let is_write = find(chip).unwrap().instruction(own).unwrap().access() == Access::Write;
        let wanted = judged(chip, own, is_write);
        assert!(wanted.is_some() && judged(chip, name, is_write) == wanted, "{chip} {name}");
    }
    let unknown = [
        ("sm_80", "ld.global.f32"),
        ("sm_80", "ld.shared.v3.f32"),
        ("sm_80", "ld.shared.f32x"),
        ("sm_80", "ld.shared"),
        ("sm_90", "ld.shared::cluster.b32"),
        ("sm_75", "cp.async.cg.shared.global 16"),
        ("sm_75", "LDGSTS.E.128"),
        ("gfx942", "cp.async.cg.shared.global 16"),
        ("sm_90", "cp.async.bulk.shared::cluster.global 16"),
        ("sm_80", "LDS.96"),
        ("sm_80", "LDG.128"),
        ("sm_80", "load_b96"),
        ("sm_100", "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"),
        ("sm_80", "ldmatrix.m8n8.x3.shared.b16"),
        ("gfx942", "ld.shared.f32"),
        ("gfx942", "LDS.128"),
        ("gfx942", "load_b12"),
        ("gfx942", "move_b32"),
    ];
    for (chip, name) in unknown.into_iter().filter(|(chip, _)| find(chip).is_ok()) {
        assert_eq!(judged(chip, name, false), None, "{chip} {name}");
    }
    for name in ["cp.async.ca.shared.global", "cp.async.cg.shared.global 12"] {
        let text = format!(
            "version = 1\nchips = [\"sm_80\"]\n[tile.s]\nbytes = 64\nwrite = [{{ op = \"{name}\", addresses = \"0\" }}]\n"
        );
        let refused = run(["tiledesc", "check", "-"], &mut text.as_bytes()).err;
        let said = format!("{name}: add the bytes that each lane copies, 4, 8 or 16");
        assert!(refused.contains(&said), "{refused}");
    }
    // One file for both vendors.
    for one in CHIPS {
        assert!(judged(one.name(), "load_b64", false).is_some(), "{}", one.name());
    }
}
