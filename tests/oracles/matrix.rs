//! Matrix instructions: what lanes hold of their operands.
//!
//! | promise | against |
//! |---|---|
//! | `mma` and `wgmma` hold what PTX says | PTX ISA's formulas of row and column, written out for each shape |
//! | MFMA and WMMA hold what AMD says | AMD's own calculator, every element of 112 instructions |
//! | a SIMD is busy as long as AMD says | AMD's own calculator and LLVM's model, all 159 instructions |
//! | a row's chips, shapes and operands agree | its name, and every element |
//! | the reads that feed an operand bring what its lanes hold | the neighbours of each lane, counted; `ldmatrix`, played through |
//! | verdicts on them | sets of dwords |
//! | operands that no instruction, or none of the chip, has are refused | the table of matrix instructions |

use std::collections::{BTreeMap, BTreeSet};
use support::naturals;
use tiledesc::chip::{self, CHIPS, gfx942, gfx950, gfx1100, gfx1250, sm_70, sm_80, sm_90, sm_100};
use tiledesc::distribution::Encoding;
use tiledesc::matrix::{mma, wgmma, wmma};
use tiledesc::pattern::{Lanes, Pattern};
use tiledesc::prelude::*;
use tiledesc::warp_gemm::{self, Feed, MatrixInstruction, Operand};
use tiledesc::{
    Lit, Plan,
    access::AccessError,
    access::Placed,
    chip::{Evidence, Instruction, Phases},
};
use tiledesc_host::exchange::pattern;

/// Every element of every lane of every wave is where the formula says.
fn is<T: Distribution>(what: &str, formula: impl Fn(u32, u32, u32) -> Vec<u32>) {
    let of = T::ENCODING.unwrap_or_else(|fault| panic!("{what}: {fault}"));
    for wave in 0..of.waves() {
        for lane in 0..of.lanes() {
            for i in 0..of.elements() {
                let ours = of.coordinate(wave, lane, i).unwrap();
                assert_eq!(
                    ours.as_slice(),
                    formula(wave, lane, i),
                    "{what}: ({wave}, {lane}, {i})"
                );
            }
        }
    }
}

/// PTX ISA, "Register Fragments for wgmma.mma_async": the figure of D, for each N, and of A, for
/// each width of an element.
#[test]
fn wgmma_as_ptx_draws_it() {
    fn accumulator<const N: usize>() {
        assert_eq!(wgmma::Accumulator::<Lit<N>>::ENCODING.unwrap().lengths(), [64, N as u32]);
        assert_eq!(wgmma::Accumulator::<Lit<N>>::ELEMENTS, N / 2);
        is::<wgmma::Accumulator<Lit<N>>>(&format!("D of N = {N}"), |warp, lane, i| {
            let (group, in_group) = (lane >> 2, lane & 3);
            let row = 16 * warp + group + if i % 4 < 2 { 0 } else { 8 };
            vec![row, i / 4 * 8 + in_group * 2 + (i & 1)]
        });
    }
    macro_rules! each {
        ($($n:literal)*) => { $(accumulator::<$n>();)* };
    }
    each!(8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200
        208 216 224 232 240 248 256);
    // Of k there are 32 bytes: in each of two halves a lane holds 4 bytes of two rows.
    fn a<const K: usize, const P: usize>() {
        is::<wgmma::A<Lit<K>, Lit<P>>>(&format!("A of K = {K}"), |warp, lane, i| {
            let (p, (group, in_group)) = (P as u32, (lane >> 2, lane & 3));
            let row = 16 * warp + group + if (i / p) % 2 == 0 { 0 } else { 8 };
            vec![row, in_group * p + i % p + if i < 2 * p { 0 } else { 4 * p }]
        });
    }
    a::<8, 1>();
    a::<16, 2>();
    a::<32, 4>();
}

/// PTX ISA, "Matrix Fragments for mma": row and column of element i, as it writes them for each
/// shape.
#[test]
fn mma_as_ptx_writes_it() {
    let of = |lane: u32| (lane >> 2, lane % 4);
    // .m16n8k4 of tf32 and .f64, .m16n8k8 of these.
    is::<mma::A<U4, U1>>("m16n8k4 A", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i == 0 { group } else { group + 8 }, thread]
    });
    is::<mma::B<U4, U1>>("m16n8k4 B", |_, lane, _| vec![of(lane).0, of(lane).1]);
    is::<mma::A<U8, U1>>("m16n8k8 A of tf32", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i == 0 || i == 2 { group } else { group + 8 };
        vec![row, if i < 2 { thread } else { thread + 4 }]
    });
    is::<mma::B<U8, U1>>("m16n8k8 B of tf32", |_, lane, i| vec![of(lane).0, of(lane).1 + i * 4]);
    is::<mma::A<U16, U1>>("m16n8k16 A of f64", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i % 2 == 0 { group } else { group + 8 }, i / 2 * 4 + thread]
    });
    is::<mma::B<U16, U1>>("m16n8k16 B of f64", |_, lane, i| vec![of(lane).0, of(lane).1 + i * 4]);
    // .m16n8k8 and .m16n8k16 of .f16 and .bf16.
    is::<mma::A<U8, U2>>("m16n8k8 A of f16", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1)]
    });
    is::<mma::B<U8, U2>>("m16n8k8 B of f16", |_, lane, i| vec![of(lane).0, of(lane).1 * 2 + i]);
    is::<mma::A<U16, U2>>("m16n8k16 A of f16", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 2 || (4..6).contains(&i) { group } else { group + 8 };
        vec![row, thread * 2 + (i & 1) + if i < 4 { 0 } else { 8 }]
    });
    is::<mma::B<U16, U2>>("m16n8k16 B of f16", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 }]
    });
    // .m16n8k16 and .m16n8k32 of .u8, .s8, .e4m3 and .e5m2.
    is::<mma::A<U16, U4>>("m16n8k16 A of s8", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 4 { group } else { group + 8 }, thread * 4 + (i & 3)]
    });
    is::<mma::B<U16, U4>>("m16n8k16 B of s8", |_, lane, i| vec![of(lane).0, of(lane).1 * 4 + i]);
    is::<mma::A<U32, U4>>("m16n8k32 A of s8", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 4 || (8..12).contains(&i) { group } else { group + 8 };
        vec![row, thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 }]
    });
    is::<mma::B<U32, U4>>("m16n8k32 B of s8", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 }]
    });
    // .m16n8k32 and .m16n8k64 of .u4 and .s4.
    is::<mma::A<U32, U8>>("m16n8k32 A of s4", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 8 { group } else { group + 8 }, thread * 8 + (i & 7)]
    });
    is::<mma::A<U64, U8>>("m16n8k64 A of s4", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 8 || (16..24).contains(&i) { group } else { group + 8 };
        vec![row, thread * 8 + (i & 7) + if i < 16 { 0 } else { 32 }]
    });
    is::<mma::B<U64, U8>>("m16n8k64 B of s4", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 }]
    });
    // .m16n8k128 and .m16n8k256 of .b1.
    is::<mma::A<U128, U32>>("m16n8k128 A of b1", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 32 { group } else { group + 8 }, thread * 32 + (i & 0x1f)]
    });
    is::<mma::A<U256, U32>>("m16n8k256 A of b1", |_, lane, i| {
        let (group, thread) = of(lane);
        let row = if i < 32 || (64..96).contains(&i) { group } else { group + 8 };
        vec![row, thread * 32 + (i & 0x1f) + if i < 64 { 0 } else { 128 }]
    });
    is::<mma::B<U256, U32>>("m16n8k256 B of b1", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![group, thread * 32 + (i & 0x1f) + if i < 32 { 0 } else { 128 }]
    });
    is::<mma::C>("C of m16n8", |_, lane, i| {
        let (group, thread) = of(lane);
        vec![if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1)]
    });
    // .m8n8k4 of .f64, .m8n8k16 of .s8, .m8n8k32 of .s4, .m8n8k128 of .b1.
    is::<mma::ShortA<U4, U1>>("m8n8k4 A", |_, lane, _| vec![lane >> 2, lane % 4]);
    is::<mma::ShortA<U16, U4>>("m8n8k16 A", |_, lane, i| vec![lane >> 2, lane % 4 * 4 + i]);
    is::<mma::ShortA<U32, U8>>("m8n8k32 A", |_, lane, i| vec![lane >> 2, lane % 4 * 8 + i]);
    is::<mma::ShortA<U128, U32>>("m8n8k128 A", |_, lane, i| vec![lane >> 2, lane % 4 * 32 + i]);
    is::<mma::ShortC>("C of m8n8", |_, lane, i| vec![lane >> 2, lane % 4 * 2 + i]);
}

/// PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16": four products, of lanes 0-3 and 16-19, 4-7
/// and 20-23, and so on.
#[test]
fn quad_pairs_as_ptx_writes_them() {
    let product = |lane: u32| lane % 16 / 4;
    is::<mma::quad_pair::Operand>("A by rows", |_, lane, i| {
        vec![product(lane), if lane < 16 { lane % 4 } else { lane % 4 + 4 }, i]
    });
    is::<mma::quad_pair::CF16>("C of f16", |_, lane, i| {
        vec![product(lane), if lane < 16 { lane % 4 } else { lane % 4 + 4 }, i]
    });
    is::<mma::quad_pair::CF32>("C of f32", |_, lane, i| {
        let x = (lane & 0b1) + (i & 0b10);
        let row = if lane < 16 { x } else { x + 4 };
        vec![product(lane), row, (i & 0b100) + (lane & 0b10) + (i & 0b1)]
    });
}

/// All rows of all chips.
fn rows() -> impl Iterator<Item = MatrixInstruction> {
    CHIPS.iter().flat_map(warp_gemm::instructions)
}

/// Every lane and element of every wave, and the coordinate that they hold.
fn held(of: &Encoding) -> impl Iterator<Item = ([u32; 3], Vec<u32>)> {
    let numbers = (0..of.waves()).flat_map(move |wave| {
        let lanes = 0..of.lanes();
        lanes.flat_map(move |lane| (0..of.elements()).map(move |element| [wave, lane, element]))
    });
    numbers.map(|[wave, lane, element]| {
        let at = of.coordinate(wave, lane, element).unwrap();
        ([wave, lane, element], at.as_slice().to_vec())
    })
}

/// What AMD's calculator says of a lane's element: the xor of what their bits add.
fn calculated(table: &serde_json::Value, lane: u32, element: u32) -> Vec<u32> {
    let mut at = vec![0; 3];
    for (field, number) in [("lane", lane), ("element", element)] {
        for (bit, adds) in table[field].as_array().unwrap().iter().enumerate() {
            if number >> bit & 1 == 1 {
                at.iter_mut().zip(naturals(adds)).for_each(|(index, adds)| *index ^= adds);
            }
        }
    }
    at
}

/// A table of AMD's.
fn amd(name: &str) -> serde_json::Value {
    let path = support::root().join(format!("tests/golden/amd/{name}.json"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// AMD's calculator where it knows the instruction, else LLVM's model; where both do, they agree except on gfx12. Every
/// row of every AMD chip is asked, and every entry is a row.
#[test]
fn cycles_as_amd_and_llvm_have_them() {
    let table = amd("cycles");
    let mut disagree = Vec::new();
    let mut theirs = BTreeMap::new();
    for entry in table.as_array().unwrap() {
        let fields: BTreeSet<&str> =
            entry.as_object().unwrap().keys().map(String::as_str).collect();
        assert!(
            fields.is_subset(&BTreeSet::from(["chip", "name", "calculator", "llvm"])),
            "{entry}"
        );
        let [chip, name] = ["chip", "name"].map(|field| entry[field].as_str().unwrap());
        let [calculator, llvm] = ["calculator", "llvm"].map(|by| entry[by].as_u64());
        assert!(calculator.or(llvm).is_some(), "{entry}");
        if calculator.is_some() && llvm.is_some() && calculator != llvm {
            disagree.push(format!("{chip} {name}"));
        }
        assert!(theirs.insert((chip, name), (calculator, llvm)).is_none(), "{entry} twice");
    }
    let mut seen = BTreeSet::new();
    for row in rows().filter(|row| row.chip().name().starts_with("gfx")) {
        // RDNA3 and RDNA4 are one chip each for their matrix instructions.
        let chip = match row.chip().product() {
            chip if chip.starts_with("gfx11") => "gfx1100",
            chip if chip.starts_with("gfx120") => "gfx1200",
            own => own,
        };
        let what = format!("{} {}", row.chip().name(), row.name());
        let (key, (calculator, llvm)) = theirs.get_key_value(&(chip, row.name())).expect(&what);
        seen.insert(key);
        let ours = row.cycles().expect(&what);
        assert_eq!(Some(u64::from(ours.cycles())), calculator.or(*llvm), "{what}");
        // The source names who says it; what LLVM alone says of gfx1250 is worth no more than what it says of gfx12.
        let named = |by: &str| ours.source().contains(by);
        assert_eq!(named("amd_matrix_instruction_calculator"), calculator.is_some(), "{what}");
        assert!(named("LLVM") || llvm.is_none(), "{what}");
        let evidence = match (row.chip().name(), row.name()) {
            ("gfx950", "v_mfma_f32_16x16x32_f16") => Evidence::Measured,
            ("gfx1250", _) => Evidence::Inferred,
            _ => Evidence::Documented,
        };
        assert_eq!(ours.evidence(), evidence, "{what}");
        assert_eq!(row.rate(), None, "{what}");
    }
    assert!(seen.into_iter().eq(theirs.keys()));
    let halves =
        ["f32_16x16x16_f16", "f32_16x16x16_bf16", "f16_16x16x16_f16", "bf16_16x16x16_bf16"];
    let integers = ["i32_16x16x16_iu8", "i32_16x16x16_iu4", "i32_16x16x32_iu4"];
    let on_12 = |name: &&str| format!("gfx1200 v_wmma_{name}");
    assert!(disagree.into_iter().eq(halves.iter().chain(&integers).map(on_12)));
}

/// FLOP a clock of a CU, or of a WGP, on dense products, as AMD states peaks: halves and fp8.
#[test]
fn cycles_give_the_peaks_that_amd_publishes() {
    let peak = |chip: &str, name| {
        let row = warp_gemm::find(chip::find(chip).unwrap(), name).unwrap();
        let products = row.blocks() * row.m() * row.n() * row.k();
        4 * 2 * products / row.cycles().unwrap().cycles()
    };
    // MI100 184.6, MI250X 383, MI300X 1307 and 2615, MI355X 2516 TFLOP/s: CUs 120, 220, 304, 256; MHz 1502, 1700, 2100, 2400.
    for (chip, name, cus, mhz, published) in [
        ("gfx908", "v_mfma_f32_32x32x8f16", 120, 1502, 184.6),
        ("gfx90a", "v_mfma_f32_32x32x8bf16_1k", 220, 1700, 383.0),
        ("gfx90a", "v_mfma_f64_16x16x4f64", 220, 1700, 95.7),
        ("gfx942", "v_mfma_f32_16x16x16_f16", 304, 2100, 1307.4),
        ("gfx942", "v_mfma_f32_32x32x16_fp8_fp8", 304, 2100, 2614.9),
        ("gfx942", "v_mfma_f64_16x16x4_f64", 304, 2100, 163.4),
        ("gfx950", "v_mfma_f32_16x16x32_f16", 256, 2400, 2516.6),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", 256, 2400, 5033.2),
        ("gfx950", "v_mfma_f32_32x32x64_f8f6f4 cbsz:4 blgp:4", 256, 2400, 10066.3),
        ("gfx950", "v_mfma_f64_16x16x4_f64", 256, 2400, 78.6),
        ("gfx1100", "v_wmma_f32_16x16x16_f16", 48, 2500, 122.8),
        ("gfx1201", "v_wmma_f32_16x16x16_f16", 32, 2970, 194.6),
        ("gfx1201", "v_wmma_i32_16x16x16_iu8", 32, 2970, 389.3),
        ("gfx1201", "v_wmma_i32_16x16x32_iu4", 32, 2970, 778.6),
    ] {
        let ours = f64::from(peak(chip, name)) * f64::from(cus) * f64::from(mhz) / 1e6;
        assert!((ours / published - 1.0).abs() < 0.002, "{chip} {name}: {ours} of {published}");
    }
}

/// Tera-operations of dense products, as NVIDIA states peaks, and no more rows than these.
#[test]
fn rates_give_the_peaks_that_nvidia_publishes() {
    // V100 80 SMs, T4 40, A100 108, A40 84, L40S 142, H100 132, B200 148; MHz of these peaks.
    let peaks = [
        ("sm_70", "mma.m8n8k4.f32.f16.f16.f32", 80, 1530, 125.0),
        ("sm_75", "mma.m16n8k8.f32.f16.f16.f32", 40, 1590, 65.0),
        ("sm_75", "mma.m8n8k16.s32.s8.s8.s32", 40, 1590, 130.0),
        ("sm_80", "mma.m16n8k16.f32.bf16.bf16.f32", 108, 1410, 312.0),
        ("sm_80", "mma.m16n8k8.f32.tf32.tf32.f32", 108, 1410, 156.0),
        ("sm_80", "mma.m16n8k32.s32.s8.s8.s32", 108, 1410, 624.0),
        ("sm_80", "mma.m8n8k4.f64.f64.f64.f64", 108, 1410, 19.5),
        ("sm_86", "mma.m16n8k16.f32.f16.f16.f32", 84, 1740, 149.7),
        ("sm_89", "mma.m16n8k16.f32.f16.f16.f32", 142, 2490, 362.1),
        ("sm_90", "wgmma.m64n256k16.f32.f16.f16", 132, 1830, 989.4),
        ("sm_90", "wgmma.m64n256k8.f32.tf32.tf32", 132, 1830, 494.7),
        ("sm_90", "wgmma.m64n256k32.f32.e4m3.e4m3", 132, 1830, 1978.9),
        ("sm_90", "wgmma.m64n256k32.s32.s8.s8", 132, 1830, 1978.9),
        ("sm_90", "mma.m16n8k16.f64.f64.f64.f64", 132, 1980, 66.9),
        ("sm_100", "mma.m16n8k32.f32.e4m3.e4m3.f32", 148, 1850, 4500.0),
    ];
    for (chip, name, sms, mhz, published) in peaks {
        let row = warp_gemm::find(chip::find(chip).unwrap(), name).unwrap();
        let rate = row.rate().unwrap();
        let ours = f64::from(rate.most()) * f64::from(sms) * f64::from(mhz) / 1e6;
        assert!((ours / published - 1.0).abs() < 0.01, "{chip} {name}: {ours} of {published}");
        let is_slower = matches!(chip, "sm_75" | "sm_86" | "sm_89") && name.contains(".f32.f16");
        assert_eq!(rate.least(), rate.most() >> u32::from(is_slower), "{chip} {name}");
        let measured = matches!(chip, "sm_75" | "sm_86" | "sm_89");
        assert_eq!(rate.evidence() == Evidence::Measured, measured, "{chip} {name}");
        assert!(!rate.source().is_empty() && row.cycles().is_none());
    }
    let stated = |chip: &str| {
        let of = warp_gemm::instructions(chip::find(chip).unwrap());
        of.filter(|row| row.rate().is_some()).map(|row| row.bits()[0]).collect::<BTreeSet<u32>>()
    };
    let expected: [(&str, &[u32]); 11] = [
        ("sm_70", &[16]),
        ("sm_75", &[8, 16]),
        ("sm_80", &[8, 16, 32, 64]),
        ("sm_86", &[16]),
        ("sm_87", &[]),
        ("sm_89", &[16]),
        ("sm_90", &[8, 16, 32, 64]),
        ("sm_100", &[8, 16, 32]),
        ("sm_103", &[]),
        ("sm_120", &[]),
        ("sm_121", &[]),
    ];
    for (chip, bits) in expected {
        assert!(stated(chip).into_iter().eq(bits.iter().copied()), "{chip}");
    }
}

#[test]
fn amd_as_its_calculator_has_it() {
    let table = amd("matrix");
    let mut reordered = BTreeSet::new();
    let mut elements = 0;
    for theirs in table.as_array().unwrap() {
        let (chip, name) = (theirs["chip"].as_str().unwrap(), theirs["name"].as_str().unwrap());
        let chip = match chip {
            "cdna1" => "gfx908",
            "cdna2" => "gfx90a",
            "cdna3" => "gfx942",
            "rdna3" => "gfx1100",
            "rdna4" => "gfx1201",
            other => panic!("{other}"),
        };
        let chip = chip::find(chip).unwrap();
        let wave = theirs["wave"].as_u64().map_or(chip.wave(), |wave| wave as u32);
        let chip = chip.in_waves_of(wave).unwrap();
        let (ours, chip) = (warp_gemm::find(chip, name).unwrap(), chip.name());
        let shape = [ours.blocks(), ours.m(), ours.n(), ours.k()];
        assert_eq!(shape[..], naturals(&theirs["shape"]), "{chip} {name}");
        // Which of our k is which of theirs: one order for A and B.
        let mut order = BTreeMap::new();
        let swapped = ours.swapped_c();
        for (field, of) in
            [("a", Some(ours.a())), ("b", ours.b()), ("d", Some(ours.c())), ("d", swapped)]
        {
            let (of, theirs) = (of.unwrap(), &theirs[field]);
            let bits = |field: &str| theirs[field].as_array().unwrap().len() as u32;
            assert_eq!([of.lanes(), of.elements()], ["lane", "element"].map(|f| 1 << bits(f)));
            for ([_, lane, element], mut at) in held(of) {
                if at.len() == 2 {
                    at.insert(0, 0);
                }
                let mut expected = calculated(theirs, lane, element);
                if field != "d" {
                    let k = *order.entry(at[2]).or_insert(expected[2]);
                    assert_eq!(k, expected[2], "{chip} {name} {field}: another order of k");
                    if k != at[2] {
                        reordered.insert(format!("{chip} {name}"));
                    }
                    expected[2] = at[2];
                } else if Some(of) == swapped {
                    // B for A, and A for B: its rows are our columns.
                    expected.swap(1, 2);
                }
                assert_eq!(at, expected, "{chip} {name} {field}: lane {lane}, element {element}");
                elements += 1;
            }
        }
        let all: BTreeSet<u32> = order.values().copied().collect();
        assert!(all.into_iter().eq(0..ours.k()), "{chip} {name}");
    }
    println!("{elements} elements of {} instructions", table.as_array().unwrap().len());
    // AMD's blog on gfx12, and CK Tile, have 8 neighbours of k in a lane; the calculator has 4.
    let halves =
        ["f32_16x16x16_f16", "f32_16x16x16_bf16", "f16_16x16x16_f16", "bf16_16x16x16_bf16"];
    let chips = ["gfx1201", "gfx1201::wave64"];
    let named = |chip| halves.map(|name| format!("{chip} v_wmma_{name}"));
    assert_eq!(reordered, chips.map(named).into_iter().flatten().collect());
}

/// Bits of an element of A, of B and of C by the types in a name: AMD's begins with the result's,
/// `v_mfma_f32_16x16x32_fp8_bf8`, and so do NVIDIA's, `mma.m16n8k16.f16.e4m3.e4m3.f16`.
fn bits_in(name: &str) -> [u32; 3] {
    // The three formats of one f8f6f4 are told apart by the numbers in its modifiers.
    let format = name.find(" cbsz:").map(|at| &name[at..]);
    let bits_of = |kind: &str| match kind {
        "f64" => 64,
        "f32" | "i32" | "s32" | "tf32" | "xf32" => 32,
        "f16" | "bf16" => 16,
        "i8" | "iu8" | "s8" | "u8" | "fp8" | "bf8" | "e4m3" | "e5m2" => 8,
        "iu4" | "s4" | "u4" => 4,
        "b1" => 1,
        "f8f6f4" => match format {
            None => 8,
            Some(" cbsz:2 blgp:2") => 6,
            Some(" cbsz:4 blgp:4") => 4,
            Some(other) => panic!("{name}: {other}"),
        },
        other => panic!("{name}: {other}"),
    };
    let bare = name.split(' ').next().unwrap();
    if !bare.starts_with("v_") {
        let kinds: Vec<u32> = bare.split('.').skip(2).take(3).map(bits_of).collect();
        return [kinds[1], kinds[2], kinds[0]];
    }
    // `4x4x1f32` of the first chips is `4x4x1_f32` of the later ones.
    let (result, rest) = bare.splitn(3, '_').nth(2).unwrap().split_once('_').unwrap();
    let rest =
        rest.trim_end_matches("_1k").trim_start_matches(|c: char| c.is_ascii_digit() || c == 'x');
    let kinds = rest.split('_').filter(|kind| !kind.is_empty() && !kind.ends_with('b'));
    let kinds: Vec<u32> = kinds.map(bits_of).collect();
    [kinds[0], *kinds.last().unwrap(), bits_of(result)]
}

/// What its name says of an instruction is what its operands are.
#[test]
fn rows_are_what_their_names_say() {
    let (mut names, mut counted) = (BTreeSet::new(), BTreeSet::new());
    for row in rows() {
        let (chip, name) = (row.chip().name(), row.name());
        assert!(names.insert((chip, name)), "{chip} {name} twice");
        assert_eq!(warp_gemm::find(row.chip(), name), Ok(row));
        assert_eq!(row.bits(), bits_in(name), "{chip} {name}");
        let (m, n, k) = (row.m(), row.n(), row.k());
        let shapes = [format!("_{m}x{n}x{k}"), format!(".m{m}n{n}k{k}.")];
        assert!(shapes.iter().any(|shape| name.contains(shape)), "{chip} {name}: {m} {n} {k}");
        let operands = [
            (Some(row.a()), [m, k]),
            (row.b(), [n, k]),
            (Some(row.c()), [m, n]),
            (row.swapped_c(), [m, n]),
        ];
        for (of, lengths) in operands.into_iter().filter_map(|(of, lengths)| Some((of?, lengths))) {
            let blocks = &[row.blocks()][usize::from(row.blocks() == 1)..];
            assert_eq!(of.lengths().as_slice(), [blocks, &lengths].concat(), "{chip} {name}");
            assert_eq!(of.lanes(), row.chip().wave(), "{chip} {name}");
            if !counted.insert(core::ptr::from_ref(of)) {
                continue;
            }
            // Each coordinate by as many as there are copies.
            let mut times = BTreeMap::<Vec<u32>, u32>::new();
            held(of).for_each(|(_, at)| *times.entry(at).or_default() += 1);
            assert_eq!(times.len() as u32, row.blocks() * lengths[0] * lengths[1]);
            assert!(times.values().all(|times| *times == of.replicas()), "{chip} {name}");
        }
        assert_eq!(row.a().waves(), row.c().waves());
        assert_eq!(row.b().is_none(), name.starts_with("wgmma"));
        assert_eq!(row.swapped_c().is_some(), chip.starts_with("gfx"));
    }
    let count = |chip: &str| warp_gemm::instructions(chip::find(chip).unwrap()).count();
    println!("{} rows", names.len());
    assert_eq!(
        [count("gfx908"), count("gfx90a"), count("gfx942"), count("gfx950")],
        [20, 27, 32, 42]
    );
}

/// Bytes of neighbours of k that a lane holds from its first element on, the fewest of all lanes.
fn neighbours(of: &Encoding, bits: u32) -> u32 {
    let run = |wave, lane| {
        let at = |element| of.coordinate(wave, lane, element).unwrap();
        let (first, k) = (at(0), of.rank() - 1);
        let next = |element: &u32| {
            let here = at(*element);
            (0..k).all(|d| here.at(d) == first.at(d)) && here.at(k) == first.at(k) + element
        };
        (0..of.elements()).take_while(next).count() as u32
    };
    let lanes = (0..of.waves()).flat_map(|wave| (0..of.lanes()).map(move |lane| (wave, lane)));
    lanes.map(|(wave, lane)| run(wave, lane)).min().unwrap() * bits / 8
}

/// Whether `ldmatrix` of the lanes' own fragments brings what each lane holds: matrix i, of 8 rows of
/// 16 bytes, is register i; lane l gets the bytes 4 * (l % 4) and on of its row l / 4.
fn is_played(of: &Encoding, bits: u32, count: u32) -> bool {
    let of_register = 32 / bits;
    let mut holds = of.elements() == count * of_register;
    for ([wave, lane, element], at) in held(of) {
        // Lane 0 holds the corner of each matrix.
        let corner = of.coordinate(wave, 0, element / of_register * of_register).unwrap();
        let (row, k) = (lane / 4, lane % 4 * of_register + element % of_register);
        holds &= at == [corner.at(0) + row, corner.at(1) + k];
        holds &= corner.at(0).is_multiple_of(8) && (corner.at(1) * bits).is_multiple_of(128);
    }
    holds
}

#[test]
fn feeds_bring_what_lanes_hold() {
    let (mut seen, mut tried) = (BTreeMap::<String, u32>::new(), BTreeSet::new());
    for row in rows() {
        for (operand, bits) in [(Operand::A, row.bits()[0]), (Operand::B, row.bits()[1])] {
            let name = (row.chip().name(), row.name(), operand);
            let Some(of) = row.operand(operand) else {
                assert_eq!(row.feed(operand), None);
                continue;
            };
            // Many instructions hold the same.
            if !tried.insert((row.chip().name(), core::ptr::from_ref(of), bits)) {
                continue;
            }
            let feed = row.feed(operand).unwrap_or_else(|| panic!("{name:?}: nothing feeds it"));
            let read = feed.instruction();
            assert_eq!(row.chip().instruction(read.name()), Ok(read), "{name:?}");
            // It is judged by what lanes hold.
            let tile = Plan::packed(of.lengths().as_slice()).unwrap();
            let placed = Placed::new(&tile, bits, Lanes::distributed(of), read).unwrap();
            assert_eq!(placed.instructions(), u64::from(feed.times() * of.waves()), "{name:?}");
            *seen.entry(format!("{} {}", row.chip().name(), read.name())).or_default() += 1;
            let bytes = of.elements() * bits / 8;
            if let Some(count) = read.name().strip_prefix("ldmatrix.x") {
                assert!(is_played(of, bits, count.parse().unwrap()), "{name:?}: {}", read.name());
                assert_eq!((feed.times(), bytes), (1, 4 * count.parse::<u32>().unwrap()));
                continue;
            }
            // Neighbours fill reads, and all reads together are what the lane holds.
            let run = neighbours(of, bits);
            assert_eq!(run % read.bytes(), 0, "{name:?}: {run} bytes by {}", read.name());
            assert_eq!(feed.times() * read.bytes(), bytes, "{name:?}");
            // No wider read of the chip would do.
            let wider = |other: &&Instruction| {
                let plain = other.parts() == 1 && !other.needs_whole_wave();
                let reads = other.access() == tiledesc::chip::Access::Read;
                plain && reads && other.bytes() > read.bytes() && run.is_multiple_of(other.bytes())
            };
            assert_eq!(row.chip().rows().iter().find(wider), None, "{name:?}");
            // Of two along k: twice the neighbours if a lane's are in one piece.
            let two = row.feed_of(operand, 2).unwrap();
            assert_eq!(two.times() * two.instruction().bytes(), 2 * bytes, "{name:?}");
            let joined = if run == bytes { 2 * run } else { run };
            assert_eq!(joined % two.instruction().bytes(), 0, "{name:?}");
        }
    }
    println!("{seen:#?}");
}

fn fed(feed: Option<Feed>) -> Option<(&'static str, u32)> {
    feed.map(|feed| (feed.instruction().name(), feed.times()))
}

/// As kernels have it.
#[test]
fn feeds_by_name() {
    let a = |row: MatrixInstruction| fed(row.feed(Operand::A)).unwrap();
    let b = |row: MatrixInstruction| fed(row.feed(Operand::B)).unwrap();
    let of = |chip: &str, name: &str| warp_gemm::find(chip::find(chip).unwrap(), name).unwrap();
    for (chip, name, read, times) in [
        ("gfx908", "v_mfma_f32_32x32x4bf16", "ds_read_b32", 1),
        ("gfx90a", "v_mfma_f64_16x16x4f64", "ds_read_b64", 1),
        ("gfx942", "v_mfma_f32_32x32x8_f16", "ds_read_b64", 1),
        ("gfx942", "v_mfma_f32_16x16x4_f32", "ds_read_b32", 1),
        ("gfx942", "v_mfma_f32_4x4x4_16b_f16", "ds_read_b64", 1),
        ("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", "ds_read_b64", 1),
        ("gfx950", "v_mfma_f32_32x32x16_f16", "ds_read_b128", 1),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "ds_read_b128", 2),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4 cbsz:2 blgp:2", "ds_read_b96", 2),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4 cbsz:4 blgp:4", "ds_read_b128", 1),
        ("gfx1100", "v_wmma_f32_16x16x16_f16", "ds_read_b128", 2),
        ("gfx1151", "v_wmma_i32_16x16x16_iu4", "ds_read_b64", 1),
        ("gfx1200", "v_wmma_f32_16x16x16_f16", "ds_read_b128", 1),
        ("gfx1250", "v_wmma_f32_16x16x32_f16", "ds_read_b128", 2),
        ("gfx1250", "v_wmma_f32_16x16x64_fp8_bf8", "ds_read_b64", 4),
        ("gfx1250", "v_wmma_i32_16x16x64_iu8", "ds_read_b64", 4),
        ("gfx1250", "v_wmma_f32_16x16x128_fp8_fp8", "ds_read_b128", 4),
        ("gfx1100::wave64", "v_wmma_f32_16x16x16_f16", "ds_read_b128", 2),
        ("gfx1201::wave64", "v_wmma_f32_16x16x16_f16", "ds_read_b64", 1),
        ("gfx1201::wave64", "v_wmma_i32_16x16x16_iu8", "ds_read_b32", 1),
        ("sm_70", "mma.m8n8k4.f32.f16.f16.f32", "ld.shared.b64", 1),
        ("sm_75", "mma.m16n8k8.f32.f16.f16.f32", "ldmatrix.x2", 1),
        ("sm_80", "mma.m16n8k16.f32.f16.f16.f32", "ldmatrix.x4", 1),
        ("sm_80", "mma.m16n8k8.f32.tf32.tf32.f32", "ldmatrix.x4", 1),
        ("sm_80", "mma.m8n8k4.f64.f64.f64.f64", "ld.shared.b64", 1),
        ("sm_90", "wgmma.m64n256k16.f32.f16.f16", "ldmatrix.x4", 1),
    ] {
        assert_eq!(a(of(chip, name)), (read, times), "{chip} {name}");
    }
    assert_eq!(b(of("sm_80", "mma.m16n8k16.f32.f16.f16.f32")), ("ldmatrix.x2", 1));
    assert_eq!(b(of("sm_87", "mma.m16n8k16.s32.s8.s8.s32")), ("ldmatrix.x1", 1));
    // Of several along k.
    let packed = |row: MatrixInstruction, count| fed(row.feed_of(Operand::A, count)).unwrap();
    assert_eq!(
        packed(warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16").unwrap(), 2),
        ("ds_read_b128", 1)
    );
    assert_eq!(
        packed(warp_gemm::find(&gfx942, "v_mfma_f32_32x32x2_f32").unwrap(), 4),
        ("ds_read_b128", 1)
    );
    assert_eq!(
        packed(warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16").unwrap(), 3),
        ("ds_read_b96", 2)
    );
    let none = |count| {
        warp_gemm::find(&gfx942, "v_mfma_f32_32x32x8_f16").unwrap().feed_of(Operand::A, count)
    };
    assert_eq!([none(0), none(1 << 26)], [None; 2]);
    let most = none((1 << 26) - 1).unwrap();
    assert_eq!(
        u64::from(most.times()) * u64::from(most.instruction().bytes()),
        8 * ((1 << 26) - 1)
    );
}

#[test]
fn transposing_feeds() {
    let [a, b] = [Operand::A, Operand::B]
        .map(|of| move |row: MatrixInstruction| fed(row.transposed_feed(of)));
    for (name, read, times) in [
        ("v_mfma_f32_32x32x8_f16", "ds_read_b64_tr_b16", 1),
        ("v_mfma_f32_32x32x16_bf16", "ds_read_b64_tr_b16", 2),
        ("v_mfma_f32_16x16x32_fp8_fp8", "ds_read_b64_tr_b8", 1),
        ("v_mfma_f32_16x16x128_f8f6f4", "ds_read_b64_tr_b8", 4),
        ("v_mfma_f32_16x16x128_f8f6f4 cbsz:2 blgp:2", "ds_read_b96_tr_b6", 2),
        ("v_mfma_f32_32x32x64_f8f6f4 cbsz:4 blgp:4", "ds_read_b64_tr_b4", 2),
    ] {
        let row = warp_gemm::find(&gfx950, name).unwrap();
        assert_eq!([a(row), b(row)], [Some((read, times)); 2], "{name}");
    }
    let wmma = warp_gemm::find(&gfx1250, "v_wmma_f32_16x16x32_f16").unwrap();
    assert_eq!(a(wmma), Some(("ds_load_tr16_b128", 2)));
    // 4 rows of each of 4 blocks are 16 columns too.
    let blocks = warp_gemm::find(&gfx950, "v_mfma_f32_4x4x4_16b_f16").unwrap();
    assert_eq!(a(blocks), Some(("ds_read_b64_tr_b16", 1)));
    // 32 bits, and chips without such reads.
    for (chip, name) in [
        (gfx950, "v_mfma_f32_32x32x2_f32"),
        (gfx942, "v_mfma_f32_32x32x8_f16"),
        (sm_70, "mma.m8n8k4.f32.f16.f16.f32"),
        (sm_80, "mma.m16n8k8.f32.tf32.tf32.f32"),
        (sm_90, "mma.m16n8k32.f32.e4m3.e4m3.f32"),
    ] {
        assert_eq!(a(warp_gemm::find(&chip, name).unwrap()), None, "{name}");
    }
    let mma = warp_gemm::find(&sm_90, "mma.m16n8k16.f32.bf16.bf16.f32").unwrap();
    assert_eq!([a(mma), b(mma)], [Some(("ldmatrix.x4.trans", 1)), Some(("ldmatrix.x2.trans", 1))]);
    let mma = warp_gemm::find(&sm_100, "mma.m16n8k32.f32.e4m3.e4m3.f32").unwrap();
    assert_eq!([a(mma), b(mma)], [Some(("ldmatrix.m16n16.x2.trans.b8", 1)), None]);
}

/// The degree of all instructions of a read, by sets of dwords.
fn counted(placed: &Placed<'_, '_>, read: &Instruction) -> u32 {
    let service = read.service();
    let worst = |step: u64| {
        let touched = placed.touched(step).unwrap();
        let phases = 0..service.phases.count();
        let of_phase = phases.map(|phase| {
            let mut banks = BTreeMap::<u32, BTreeSet<u32>>::new();
            for lane in service.phases.lanes(phase) {
                let first = touched.addresses().get(usize::from(*lane)).unwrap();
                for byte in first..first + read.bytes() {
                    banks.entry(byte / 4 % service.banks).or_default().insert(byte / 4);
                }
            }
            banks.values().map(BTreeSet::len).max().unwrap() as u32
        });
        of_phase.max().unwrap()
    };
    (0..placed.instructions()).map(worst).max().unwrap()
}

/// A tile of 64 rows of 128 bytes, swizzled in packs of what a lane reads at once, and read for each
/// MFMA of gfx942.
#[test]
fn gfx942_fed_from_gemm_xor() {
    fn tile<E: Element>(pack: u32) -> tiledesc::Plan {
        recipe::GemmXor::<E>([64, 1024 / E::BITS, pack]).unwrap()
    }
    let mut degrees = BTreeMap::<u32, BTreeSet<&str>>::new();
    for row in warp_gemm::instructions(&gfx942).filter(|row| row.blocks() == 1) {
        let (a, bits) = (row.a(), row.bits()[0]);
        let read = row.feed(Operand::A).unwrap().instruction();
        let pack = 8 * read.bytes() / bits;
        let plan = match bits {
            8 => tile::<I8>(pack),
            16 => tile::<F16>(pack),
            32 => tile::<F32>(pack),
            _ => tile::<F64>(pack),
        };
        let (again, deep) = (64 / row.m(), 1024 / bits / row.k());
        let dimensions = [("m", &[("again", again)][..]), ("k", &[("deep", deep)])];
        let outer = Encoding::named(&[], &dimensions, &[], &[], &["again", "deep"]).unwrap();
        let all = outer.around(a).unwrap();
        let placed = Placed::new(&plan, bits, Lanes::distributed(&all), read).unwrap();
        let degree = placed.verdict().unwrap().degree();
        assert_eq!(degree, counted(&placed, read), "{}", row.name());
        degrees.entry(degree).or_default().insert(row.name());
        // Row by row, no tile of 128-byte rows is free.
        let plain = tiledesc::Plan::naive(&[64, 1024 / bits], &[1024 / bits, 1]).unwrap();
        let plain = Placed::new(&plain, bits, Lanes::distributed(&all), read).unwrap();
        let degree = plain.verdict().unwrap().degree();
        assert_eq!(degree, counted(&plain, read), "{}", row.name());
        assert!(degree >= 8, "{} {degree}", row.name());
    }
    println!("{degrees:#?}");
    // A phase of 32 lanes is 16 rows of 2 k, and the xor of the row sends either k to the same 16 banks.
    assert_eq!(degrees[&2], ["v_mfma_f32_16x16x4_f32"].into());
    assert_eq!((degrees.len(), degrees[&1].len()), (2, 18));
}

/// The matrices of bytes: 16 rows of 16 bytes are two phases of 8 lanes, and 8 rows are one.
#[test]
fn matrices_of_bytes() {
    layout! {
        type Plain = recipe::RowMajor<F8, M<64>, K<128>>;
        type Swizzled = recipe::GemmXor<F8, M<64>, K<128>, KPack<16>>;
    }
    for (row, matrices, lanes) in [
        (sm_100::ldmatrix_m16n16_x1_trans_b8, 2, 16),
        (sm_100::ldmatrix_m16n16_x2_trans_b8, 4, 32),
        (sm_100::stmatrix_m16n8_x1_trans_b8, 1, 8),
        (sm_100::stmatrix_m16n8_x2_trans_b8, 2, 16),
        (sm_100::stmatrix_m16n8_x4_trans_b8, 4, 32),
    ] {
        let phases = row.service().phases;
        assert_eq!((phases.count(), phases.addressed()), (matrices, lanes), "{}", row.name());
        // Rows of 128 bytes: the 8 rows of a phase are 8 dwords of one bank.
        assert_eq!(Plain::degree::<LdmatrixRows<16>>(&row), 8, "{}", row.name());
        assert_eq!(Swizzled::degree::<LdmatrixRows<16>>(&row), 1, "{}", row.name());
    }
}

/// The operand patterns take the rows that matrix instructions have, by name and as types, and no others.
#[test]
fn operand_patterns_have_the_rows_of_matrix_instructions() {
    let tile = Plan::naive(&[384, 512], &[512, 1]).unwrap();
    let wide = Instruction::read("a wave of 64", 4);
    let warp = wide.phases(Phases::contiguous(32).of_wave(32)).named("a wave of 32");
    let placed =
        |lanes, read| Placed::new(&tile, 16, lanes, read).map(|placed| placed.instructions());
    let names = ["mfma-rows", "wmma-rows", "ldmatrix-rows"];
    for read in [&wide, &warp] {
        let wave = read.service().phases.wave() as u32;
        let chips = CHIPS.iter().filter(|chip| chip.wave() == wave);
        let instructions = chips.flat_map(warp_gemm::instructions);
        // The 64 rows of a wgmma are of four waves.
        let instructions = instructions.filter(|row| !row.name().starts_with("wgmma"));
        let operands: BTreeSet<u32> = instructions.flat_map(|row| [row.m(), row.n()]).collect();
        // CK Tile's 64x4 on a wave of 64; four matrices of `ldmatrix.x4` below each other on one of 32.
        let more = if wave == 64 { 64 } else { 32 };
        let operands: BTreeSet<u32> = operands.into_iter().chain([more]).collect();
        for rows in 1..=384 {
            for name in names {
                let lanes = pattern::parse(&format!("{name} {rows}")).unwrap();
                for lanes in [lanes.first(), lanes] {
                    let found = placed(lanes, read);
                    match found {
                        Err(AccessError::Operand { rows: refused, wave: of }) => {
                            assert_eq!((refused, of), (rows, wave));
                            assert!(!operands.contains(&rows), "{name} {rows} of {wave}");
                        }
                        found => {
                            assert!(operands.contains(&rows), "{name} {rows} of {wave}: {found:?}");
                            assert!(found.is_ok(), "{name} {rows} of {wave}: {found:?}");
                        }
                    }
                }
            }
            // The same lanes with no matrix instruction meant.
            assert_eq!(placed(Lanes::rows(rows).first(), read), Ok(1));
        }
    }
    let says = |lanes, read| placed(lanes, read).unwrap_err().to_string();
    let of_a_matrix = |rows: &str, wave, all: &str| {
        format!(
            "no matrix instruction of a wave of {wave} lanes has an operand of {rows} rows: there are {all}"
        )
    };
    assert_eq!(says(MfmaRows::<48>.into(), &wide), of_a_matrix("48", 64, "4, 16, 32 and 64"));
    assert_eq!(says(MfmaRows::<61>::LANES, &wide), of_a_matrix("61", 64, "4, 16, 32 and 64"));
    assert_eq!(says(MfmaRows::<64>.into(), &warp), of_a_matrix("64", 32, "8, 16 and 32"));
}

/// An operand that is named by its instruction is of the chips that have it, whatever is around it.
#[test]
fn operands_know_their_chips() {
    use tiledesc::distribution::{Shuffled, Transposed, Within};
    use tiledesc::matrix::mfma;

    distribution! { type Deep: m [again 2], k [deep 4]; thread (again, deep); }
    type Named = mfma::F16_32x32x16::A;
    type Shaped = mfma::Operand<U32, U16>;
    let tile = Plan::naive(&[64, 64], &[64, 1]).unwrap();
    let one = Plan::naive(&[32, 16], &[16, 1]).unwrap();
    let found =
        |tile, lanes, read| Placed::new(tile, 16, lanes, read).map(|placed| placed.instructions());
    let lacks = Err(AccessError::OtherChip {
        operand: "mfma::F16_32x32x16",
        chips: &["gfx950"],
        chip: "gfx942",
    });
    let own = Instruction::read("x", 16);
    let of_vx = own.on("vx", 1 << 16);
    let (mi300, mi350) = (&gfx942::ds_read_b128, &gfx950::ds_read_b128);

    assert_eq!(found(&one, Lanes::of_distribution::<Named>(), mi300), lacks);
    assert_eq!(found(&one, Named::LANES, mi300), lacks);
    assert_eq!(found(&tile, <Within<Deep, Named>>::LANES, mi300), lacks);
    assert_eq!(found(&tile, <Within<Deep, Named>>::LANES, mi300), lacks);
    assert_eq!(found(&tile, <Transposed<Within<Deep, Named>>>::LANES, mi300), lacks);
    assert_eq!(found(&tile, <Shuffled<Transposed<Within<Deep, Named>>>>::LANES, mi300), lacks);
    // On its chip; by its shape; on a row without a chip, or with one of the user's.
    for (lanes, read) in [
        (<Within<Deep, Named>>::LANES, mi350),
        (<Within<Deep, Shaped>>::LANES, mi300),
        (<Within<Deep, Named>>::LANES, &own),
        (<Within<Deep, Named>>::LANES, &of_vx),
    ] {
        assert_eq!(found(&tile, lanes, read), Ok(8));
    }
    assert_eq!(
        found(&one, Lanes::of_distribution::<Named>(), mi300).unwrap_err().to_string(),
        "the operand is of mfma::F16_32x32x16, which gfx942 lacks; gfx950 has it",
    );
    let bf16 = Lanes::of_distribution::<mfma::BF16_32x32x8::B>();
    let tile = Plan::naive(&[32, 8], &[8, 1]).unwrap();
    assert_eq!(
        found(&tile, bf16, &tiledesc::chip::gfx908::ds_read_b64).unwrap_err().to_string(),
        "the operand is of mfma::BF16_32x32x8, which gfx908 lacks; gfx90a, gfx942, gfx950 have it",
    );
    // By their shape they are of their family's chips, results too.
    let tile = |lengths: &[u32]| Plan::packed(lengths).unwrap();
    for (lanes, tile, read, chips) in [
        (mma::A::<U16, U2>::LANES, tile(&[16, 16]), gfx1250::ds_read_b32, "mma"),
        (
            mma::quad_pair::Operand::LANES,
            tile(&[4, 8, 4]),
            sm_80::ld_shared_b64,
            "mma of quad pairs",
        ),
        (wgmma::A::<U16, U2>::LANES, tile(&[64, 16]), sm_80::ldmatrix_x4, "wgmma"),
        (wmma::gfx11::Operand::LANES, tile(&[16, 16]), gfx1250::ds_read_b128, "gfx11's WMMA"),
        (wmma::gfx12::C::LANES, tile(&[16, 16]), gfx1100::ds_write_b16, "gfx12's WMMA"),
        (Shaped::LANES, tile(&[32, 16]), gfx1250::ds_read_b128, "MFMA"),
        (mfma::XF32_16x16x8::C::LANES, tile(&[16, 16]), gfx950::ds_write_b16, "mfma::XF32_16x16x8"),
    ] {
        match Placed::new(&tile, 16, lanes, &read) {
            Err(AccessError::OtherChip { operand, chip, .. }) => {
                assert_eq!((operand, chip), (chips, read.chip()));
            }
            Err(misfit) => panic!("{chips} on {}: {misfit}", read.chip()),
            Ok(_) => panic!("{chips} on {} is taken", read.chip()),
        }
    }
}

/// A family is the chips of the rows that hold such an operand.
#[test]
fn families_have_the_chips_of_their_rows() {
    fn chips_of<T: Distribution>() -> BTreeSet<&'static str> {
        let held = T::ENCODING.unwrap();
        let has = |row: &MatrixInstruction| {
            *row.a() == held || row.b() == Some(&held) || *row.c() == held
        };
        rows().filter(has).map(|row| row.chip().name()).collect()
    }
    fn says<T: Distribution>() -> BTreeSet<&'static str> {
        T::OPERAND_OF.unwrap().chips.iter().copied().collect()
    }
    fn agree<T: Distribution>(chips: &BTreeSet<&'static str>) {
        let name = T::OPERAND_OF.unwrap().name;
        let (lacks, has) = (chips - &says::<T>(), &says::<T>() - chips);
        assert!(
            lacks.is_empty() && has.is_empty(),
            "{name} (src/matrix) lacks {lacks:?}, which have rows in src/warp_gemm; {has:?} have none"
        );
    }
    agree::<mma::C>(&chips_of::<mma::C>());
    agree::<mma::quad_pair::CF32>(&chips_of::<mma::quad_pair::CF32>());
    agree::<wgmma::Accumulator<U128>>(&chips_of::<wgmma::Accumulator<U128>>());
    agree::<wmma::gfx11::C>(&chips_of::<wmma::gfx11::C>());
    agree::<wmma::gfx12::C>(&chips_of::<wmma::gfx12::C>());
    // The result of an MFMA of f64 lies as gfx11's in waves of 64.
    fn wave64<T: Distribution>() -> BTreeSet<&'static str> {
        chips_of::<T>().into_iter().filter(|chip| chip.ends_with("::wave64")).collect()
    }
    agree::<wmma::gfx11::wave64::C>(&wave64::<wmma::gfx11::wave64::C>());
    agree::<wmma::gfx12::wave64::C>(&wave64::<wmma::gfx12::wave64::C>());
}

/// A chip that is in no list of `src/matrix` would have none, and nothing else would say so.
#[test]
fn chips_without_matrix_instructions() {
    let none = CHIPS.iter().filter(|chip| warp_gemm::instructions(chip).next().is_none());
    let names: Vec<_> = none.map(chip::Chip::name).collect();
    let why =
        "CHIPS in src/matrix/wmma.rs, GFX.. in mfma.rs and BY_CAPABILITY in mma.rs list the others";
    assert_eq!(names, ["gfx906", "gfx1030", "gfx1030::wave64"], "{why}");
}
