//! The PTX names of SASS's matrix instructions, by which a loop's bound counts them.
//!
//! | SASS | PTX |
//! |---|---|
//! | `HMMA.16816.F32`, `HMMA.1688.F32.TF32` | `mma.m16n8k16.f32.f16`, `mma.m16n8k8.f32.tf32` |
//! | `IMMA.16832.S8.S8`, `QMMA.16832.F32.E4M3.E4M3` | `mma.m16n8k32.s32.s8`, `mma.m16n8k32.f32.e4m3` |
//! | `DMMA.8x8x4` | `mma.m8n8k4.f64.f64` |
//! | `HGMMA.64x128x16.F32.BF16` | `wgmma.mma_async.m64n128k16.f32.bf16` |
//! | sparse products, other shapes | `mma.sp`, whose time is not known |
//!
//! Volta's `HMMA.884` is one step of a product; its time is not known either.

/// The name of a product whose time no source gives.
pub(super) const UNKNOWN: &str = "mma.sp";

/// The name of a product of a warp or, of `wgmma`, of four.
pub(super) fn name(base: &str, parts: &[&str]) -> String {
    let is_group = base.ends_with("GMMA");
    let sparse = parts.iter().any(|part| part.starts_with("SP"));
    let known = parts.first().and_then(|shape| lengths(shape)).zip(types(base, parts));
    match known {
        Some(([m, n, k], [to, from])) if !sparse => {
            let verb = if is_group { "wgmma.mma_async" } else { "mma" };
            format!("{verb}.m{m}n{n}k{k}.{to}.{from}")
        }
        _ if is_group => "wgmma.mma_async.sp".to_string(),
        _ => UNKNOWN.to_string(),
    }
}

/// m, n and k of `16816`, `8x8x4` and `64x128x16`.
fn lengths(shape: &str) -> Option<[u32; 3]> {
    if let [m, n, k] = Vec::from_iter(shape.split('x'))[..] {
        return Some([m.parse().ok()?, n.parse().ok()?, k.parse().ok()?]);
    }
    // n is 8.
    let (m, rest) = match shape.strip_prefix("16") {
        Some(rest) => (16, rest),
        None => (8, shape.strip_prefix('8')?),
    };
    Some([m, 8, rest.strip_prefix('8')?.parse().ok()?])
}

/// The types of D and of A, which are `f32` and `f16` unless a part names another.
fn types(base: &str, parts: &[&str]) -> Option<[&'static str; 2]> {
    const FROM: [(&str, &str); 7] = [
        ("BF16", "bf16"),
        ("TF32", "tf32"),
        ("E4M3", "e4m3"),
        ("E5M2", "e5m2"),
        ("S8", "s8"),
        ("U8", "u8"),
        ("S4", "s4"),
    ];
    let from = parts.iter().find_map(|part| FROM.iter().find(|(name, _)| name == part));
    let from = from.map(|(_, from)| *from);
    let to = if parts.get(1) == Some(&"F16") { "f16" } else { "f32" };
    match base {
        "HMMA" if parts.first() == Some(&"884") => None,
        "HMMA" | "HGMMA" => Some([to, from.unwrap_or("f16")]),
        "QMMA" | "QGMMA" => Some([to, from?]),
        "IMMA" | "IGMMA" => Some(["s32", from?]),
        "DMMA" => Some(["f64", "f64"]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    /// The table of the head.
    #[test]
    fn names() {
        for (sass, ptx) in [
            ("HMMA.16816.F32", "mma.m16n8k16.f32.f16"),
            ("HMMA.16816.F32.BF16", "mma.m16n8k16.f32.bf16"),
            ("HMMA.16816.F16", "mma.m16n8k16.f16.f16"),
            ("HMMA.1688.F32.TF32", "mma.m16n8k8.f32.tf32"),
            ("HMMA.1684.F32.TF32", "mma.m16n8k4.f32.tf32"),
            ("IMMA.16832.S8.S8", "mma.m16n8k32.s32.s8"),
            ("IMMA.8816.S8.S8", "mma.m8n8k16.s32.s8"),
            ("QMMA.16832.F32.E4M3.E4M3", "mma.m16n8k32.f32.e4m3"),
            ("DMMA.8x8x4", "mma.m8n8k4.f64.f64"),
            ("DMMA.884", "mma.m8n8k4.f64.f64"),
            ("HGMMA.64x128x16.F32.BF16", "wgmma.mma_async.m64n128k16.f32.bf16"),
            ("HMMA.SP.16832.F32", "mma.sp"),
            ("HMMA.884.F32.F32.STEP0", "mma.sp"),
            ("OMMA.SF.16864.F32.E2M1.E2M1.E8", "mma.sp"),
            ("HGMMA.SP.64x128x32.F32", "wgmma.mma_async.sp"),
        ] {
            let parts: Vec<_> = sass.split('.').collect();
            assert_eq!(super::name(parts[0], &parts[1..]), ptx, "{sass}");
        }
    }
}
