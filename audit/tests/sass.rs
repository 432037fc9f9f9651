//! SASS: programs of this repository as `ptxas` compiles them for several chips, and its text in all its forms.

use flate2::read::GzDecoder;
use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use tiledesc_audit::value::Value;
use tiledesc_audit::{Error, ErrorKind, Kernel, Options, Ruling, Unjudged, audit, names};

mod soundness;

fn text(name: &str) -> String {
    let path = support::root().join("audit/tests").join(name);
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    text
}

fn kernels(text: &str) -> Vec<Kernel> {
    audit(text, &Options::default()).unwrap()
}

/// An access of a wave: its row, what the banks make of it, the lanes that are on, and how far each of these is from the
/// first.
type Fact = (usize, String, u32, u64, Vec<u32>);

/// Every access with a row whose address is known.
fn facts(kernel: &Kernel) -> Vec<Fact> {
    let mut all = Vec::new();
    for site in &kernel.sites {
        let Ok(row) = &site.access else { continue };
        for reached in &site.reached {
            let mut one = site.clone();
            one.reached = vec![reached.clone()];
            let (Ruling::Judged(verdict), Some(on)) = (one.ruling(32), reached.on) else {
                continue;
            };
            let Value::Sum { f, .. } = &reached.address else { continue };
            let lanes: Vec<_> = (0..32).filter(|lane| on >> lane & 1 == 1).collect();
            // PTX branches where ptxas leaves all lanes out.
            let Some(first) = lanes.first().map(|lane| f.get(*lane)) else { continue };
            let far = lanes.iter().map(|lane| f.get(*lane).wrapping_sub(first)).collect();
            all.push((reached.wave, row.row.name().to_string(), verdict.degree, on, far));
        }
    }
    all
}

fn unknown(kernel: &Kernel) -> usize {
    kernel.rulings().iter().filter(|one| matches!(one, Ruling::Unknown(_))).count()
}

/// What ptxas makes of a kernel touches shared memory as its PTX says: each wave has the same accesses, lane by lane and
/// degree by degree. How often each stands there may differ, as loops are unrolled and pipelined.
#[test]
fn what_runs_is_what_ptx_says() {
    for (ptx, sass, count) in [
        ("data/gemm-sm_80.ptx.gz", "sass/gemm-sm_80.sass.gz", 120),
        ("data/gemm-sm_80.ptx.gz", "sass/gemm-sm_120.sass.gz", 120),
        ("data/gemm-sm_90.ptx.gz", "sass/gemm-sm_90a.sass.gz", 80),
        ("data/attention-sm_80.ptx.gz", "sass/attention-sm_89.sass.gz", 176),
        ("data/transpose-sm_80.ptx.gz", "sass/transpose-sm_86.sass.gz", 8),
        ("data/softmax-sm_100.ptx.gz", "sass/softmax-sm_100a.sass.gz", 4),
    ] {
        let (ptx, sass) = (&kernels(&text(ptx))[0], &kernels(&text(sass))[0]);
        let judged = sass.sites.iter().filter(|site| site.access.is_ok()).count();
        assert_eq!((judged, unknown(sass)), (count, 0), "{}", sass.name);
        let [said, run] = [ptx, sass].map(|one| BTreeSet::from_iter(facts(one)));
        assert!(!run.is_empty());
        assert_eq!(run, said, "{} on {}", sass.name, sass.chip.name());
    }
}

/// What bounds the loop is what PTX says, in shared memory and in matrix instructions, where ptxas keeps the loop.
#[test]
fn bounds_are_those_of_ptx() {
    for (ptx, sass, cycles) in [
        ("data/gemm-sm_80.ptx.gz", "sass/gemm-sm_80.sass.gz", ["768", "1024"]),
        ("data/gemm-sm_90.ptx.gz", "sass/gemm-sm_90a.sass.gz", ["640", "512"]),
    ] {
        for name in [ptx, sass] {
            let bound = &kernels(&text(name))[0].bounds()[0];
            let found = [bound.memory, bound.matrix].map(|span| span.to_string());
            assert_eq!(found, cycles, "{name}: {bound}");
        }
    }
    let attention = &kernels(&text("sass/attention-sm_89.sass.gz"))[0].bounds()[0];
    assert_eq!(attention.matrix.to_string(), "4096 to 8192");
    let none = &kernels(&text("sass/transpose-sm_86.sass.gz"))[0].bounds();
    assert!(none.iter().all(|one| one.matrix.to_string() == "0"), "{none:?}");
}

/// Kernels without a loop: the same accesses in the same order, but for the two reads of neighbours that ptxas joins.
#[test]
fn in_order() {
    let ptx = kernels(&text("clang/known.ptx.gz"));
    for chip in ["sm_75", "sm_80", "sm_90", "sm_120"] {
        let sass = kernels(&text(&format!("sass/known-{chip}.sass.gz")));
        assert!(sass.iter().all(|one| one.chip.name() == chip));
        // Where few lanes are on, an access takes fewer cycles than all its phases: the search for what is better does not fall
        // below them.
        let waits = sass.iter().filter(|one| !one.better().regions.is_empty()).count();
        assert!(waits > 0, "{chip}: nothing was searched");
        for name in ["transpose", "padded", "strided"] {
            let of = |all: &[Kernel]| facts(all.iter().find(|one| one.name == name).unwrap());
            let (mut said, mut run) = (of(&ptx), of(&sass));
            if name == "strided" {
                let joined = |one: &Fact| one.1 == "ld.shared.b64";
                let far: Vec<u32> = (0..32).map(|lane| 8 * lane).collect();
                for one in run.iter().filter(|one| joined(one)) {
                    assert_eq!((one.2, &one.4), (1, &far), "{one:?}");
                }
                assert_eq!(run.iter().filter(|one| joined(one)).count(), 4);
                run.retain(|one| !joined(one));
                // Each of the two by itself waits.
                said.retain(|one| !(one.1 == "ld.shared.b32" && one.2 == 2 && one.4 == far));
            }
            // Loads of one step may change places.
            let sorted = |mut all: Vec<Fact>| {
                all.sort_by_key(|one| (one.0, one.2));
                all
            };
            assert_eq!(sorted(run), sorted(said), "{name} on {chip}");
        }
    }
}

/// The forms of one program.
const NVDISASM: &str = "
\t.target\tsm_80
\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"
\t//----- nvinfo : EIATTR_REQNTID
        /*0010*/ \t.word\t0x00000040
        /*0014*/ \t.word\t0x00000001
        /*0018*/ \t.word\t0x00000001
\t.section\t.text.k,\"ax\",@progbits
        .other          k,@\"STO_CUDA_ENTRY STV_DEFAULT\"
k:
.text.k:
\t//## File \"/src/k.cu\", line 7 inlined at \"/src/k.cu\", line 9
\t//## File \"/src/k.cu\", line 9
        /*0000*/                   S2R R0, SR_TID.X ;
        /*0010*/                   ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;
        /*0020*/              @!P0 LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT ;
        /*0030*/              @!P0 LDS R3, [R2.X16+0x80] ;
        /*0040*/               @P0 BRA `(.L_x_1) ;
\t//## File \"/src/k.cu\", line 11
        /*0050*/                   STS.64 [R0.X8], R4 ;
.L_x_1:
        /*0060*/                   EXIT ;
.L_x_2:
        /*0070*/                   BRA `(.L_x_2);
";
const CUOBJDUMP: &str = "
\tcode for sm_80
\t\tFunction : k
\t.headerflags\t@\"EF_CUDA_SM80 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM80)\"
        /*0000*/                   S2R R0, SR_TID.X ;              /* 0x0000000000067919 */
                                                                   /* 0x000e220000002100 */
        /*0010*/                   ISETP.GT.U32.AND P0, PT, R0, 0x1f, PT ;  /* 0x00 */
        /*0020*/              @!P0 LOP3.LUT R2, R0, 0x1f, RZ, 0xc0, !PT ;   /* 0x00 */
        /*0030*/              @!P0 LDS R3, [R2.X16+0x80] ;         /* 0x00 */
        /*0040*/               @P0 BRA 0x60 ;                      /* 0x00 */
        /*0050*/                   STS.64 [R0.X8], R4 ;            /* 0x00 */
        /*0060*/                   EXIT ;                          /* 0x00 */
        /*0070*/                   BRA 0x70;                       /* 0x00 */
";

/// `nvdisasm` and `cuobjdump` say the same of a program, and `nvdisasm` more of its block and lines.
#[test]
fn both_forms() {
    assert_eq!(names(NVDISASM), ["k"]);
    assert_eq!(names(CUOBJDUMP), ["k"]);
    let block = Options { block: Some([64, 1, 1]), ..Options::default() };
    let (a, b) = (audit(NVDISASM, &Options::default()).unwrap(), audit(CUOBJDUMP, &block).unwrap());
    assert_eq!((a[0].block, a[0].chip.name()), (b[0].block, b[0].chip.name()));
    assert_eq!(facts(&a[0]), facts(&b[0]));
    // The second warp has no lane at the first, and does not come to the second.
    assert_eq!(facts(&a[0]).len(), 2);
    let lines = a[0].report_all().lines;
    let said = |i: usize| (lines[i].place.clone(), lines[i].opcode.clone());
    assert_eq!(said(0), ("k.cu:7 in k.cu:9".to_string(), "LDS".to_string()));
    assert_eq!(said(1), ("k.cu:11".to_string(), "STS.64".to_string()));
    assert!(
        lines[0].found.starts_with("4-way: lanes 0 and 8, bytes 128 and 256"),
        "{}",
        lines[0].found
    );
    let k =
        |chip: &str| audit(NVDISASM, &Options { chip: Some(chip.into()), ..Options::default() });
    assert_eq!(k("sm_86").unwrap()[0].compiled_for.as_deref(), Some("sm_80"));
    let refused = k("sm_90").unwrap_err().to_string();
    assert!(refused.ends_with("the chip that is stated, sm_90, does not run it"), "{refused}");
}

fn refused(code: &str) -> Error {
    let text = format!(".target sm_80\n.section .text.k,\"ax\"\n.text.k:\n{code}");
    audit(&text, &Options::default()).unwrap_err()
}

/// What goes where the text does not say is not guessed.
#[test]
fn refusals() {
    let exit = "/*0010*/ EXIT ;\n";
    let says = |code: &str, sentence: &str| {
        let error = refused(code);
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Incomplete, sentence));
    };
    let nowhere =
        "k: where the jump in line 4 goes is not in the text; nvdisasm lists the targets of BRX";
    says(&format!("/*0000*/ BRX R2 -0xc0 ;\n{exit}"), nowhere);
    let missing = "k: the branch in line 4 goes to a label that is not in the text";
    says(&format!("/*0000*/ BRA 0x90 ;\n{exit}"), missing);
    let cut = "k: the text ends before the program does";
    says("/*0000*/ S2R R0, SR_TID.X ;\n", cut);
    says("/*0000*/ @P0 EXIT ;\n", cut);
    // The return would be elsewhere.
    let call = "/*0000*/ MOV R2, 0x50 ;\n/*0010*/ CALL.REL.NOINC 0x40 ;\n/*0020*/ EXIT ;\n\
                /*0040*/ RET.REL.NODEC R2 0x0 ;\n/*0050*/ EXIT ;\n";
    says(call, &elsewhere("line 5"));
    let unnamed = "k: where the call in line 4 returns is not in the text: what it calls has no name there, as nvdisasm gives it";
    says(&format!("/*0000*/ CALL.ABS.NOINC 0x0 ;\n{exit}"), unnamed);
}

fn elsewhere(line: &str) -> String {
    format!(
        "k: where the call in {line} returns is not in the text: no register that it returns by is set to the address behind it"
    )
}

fn rulings(code: &str) -> Vec<Ruling> {
    let text = format!(".target sm_90\n.section .text.k,\"ax\"\n.text.k:\n{code}");
    audit(&text, &Options { block: Some([32, 1, 1]), ..Options::default() }).unwrap()[0].rulings()
}

/// A function that is called writes its own registers, and one that is not there may write all.
#[test]
fn calls() {
    let with = |target: &str, address: &str| {
        rulings(&format!(
            "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ S2R R4, SR_TID.X ;\n/*0020*/ MOV R2, {address} ;\n\
             /*0030*/ CALL.REL.NOINC {target} ;\n/*0040*/ LDS R3, [R0.X4] ;\n/*0050*/ LDS R3, [R4.X4] ;\n\
             /*0060*/ EXIT ;\n/*0070*/ FADD R4, R4, 1 ;\n/*0080*/ RET.REL.NODEC R2 0x0 ;\n"
        ))
    };
    let is_known = |one: &Ruling| matches!(one, Ruling::Judged(verdict) if verdict.degree == 1);
    let all = with("0x70", "0x40");
    assert!(all.len() == 2 && is_known(&all[0]) && matches!(all[1], Ruling::Unknown(_)), "{all:?}");
    let all = with("`(printf)", "0x40");
    assert_eq!(all[0], Ruling::Unjudged(Unjudged::Call));
    assert!(all[1..].iter().all(|one| matches!(one, Ruling::Unknown(_))), "{all:?}");
}

/// A kernel of four reads, of which a call stands before the last two, and the section that it calls.
const FAR: &str = ".target sm_80\n.section .text.k,\"ax\"\n.other k,@\"STO_CUDA_ENTRY STV_DEFAULT\"\n.text.k:\n\
/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ S2R R4, SR_TID.X ;\n/*0020*/ LDS R3, [R0.X4] ;\n/*0030*/ LDS R3, [R4.X4] ;\n\
/*0040*/ MOV R20, 32@lo((k + .L_x_0@srel)) ;\n/*0050*/ MOV R21, 32@hi((k + .L_x_0@srel)) ;\n\
/*0060*/ CALL.ABS.NOINC `(shuffle) ;\n.L_x_0:\n/*0070*/ LDS R3, [R0.X4] ;\n/*0080*/ LDS R3, [R4.X4] ;\n/*0090*/ EXIT ;\n\
.section .text.shuffle,\"ax\"\n.text.shuffle:\nshuffle:\n\
/*0000*/ WARPSYNC R7 ;\n/*0010*/ SHFL.DOWN P0, R4, R4, R5, R6 ;\n/*0020*/ RET.ABS.NODEC R20 0x0 ;\n\
.L_x_1:\n/*0030*/ BRA `(.L_x_1) ;\n";

fn judged(text: &str) -> Result<Vec<Ruling>, Error> {
    let options = Options { block: Some([32, 1, 1]), ..Options::default() };
    Ok(audit(text, &options)?[0].rulings())
}

/// A call of another section writes what that one writes; of one that is not listed, anything.
#[test]
fn calls_of_other_sections() {
    let is_known = |one: &Ruling| matches!(one, Ruling::Judged(verdict) if verdict.degree == 1);
    let known = |text: &str| Vec::from_iter(judged(text).unwrap().iter().map(is_known));
    assert_eq!(known(FAR), [true, true, true, false]);
    let quiet = FAR.replace("P0, R4, R4", "P0, R8, R4");
    assert_eq!(known(&quiet), [true; 4]);
    // Its own accesses are not listed.
    for text in
        [quiet.replace("WARPSYNC R7", "STS [R9], R7"), FAR.replace("`(shuffle)", "`(printf)")]
    {
        assert_eq!(judged(&text).unwrap()[2], Ruling::Unjudged(Unjudged::Call), "{text}");
    }
    let unlisted = FAR.replace("`(shuffle)", "`(printf)");
    assert_eq!(known(&unlisted), [true, true, false, false, false]);
    // A call of a place from which nothing returns is a branch: no lane goes on behind it.
    let done = quiet.replace("/*0080*/ LDS R3, [R4.X4]", "/*0080*/ CALL.REL.NOINC `(.L_x_2)");
    let done = done.replace("/*0090*/ EXIT", "/*0090*/ LDS R3, [R4.X4] ;\n.L_x_2:\n/*00a0*/ EXIT");
    let all = judged(&done).unwrap();
    assert!(all[..3].iter().all(is_known) && !all[3..].iter().any(is_known), "{all:?}");
}

/// Where it is not sure that the other section returns behind the call, nothing is judged.
#[test]
fn calls_that_may_return_elsewhere() {
    let refuses = |from: &str, to: &str, sentence: &str| {
        assert!(FAR.contains(from), "{from}");
        let error = judged(&FAR.replace(from, to)).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Incomplete, sentence));
    };
    for (from, to) in [
        // Another label, another function, one half, another pair, under a guard, written again.
        (".L_x_0:\n/*0070*/", "/*0070*/"),
        ("/*0080*/", ".L_x_0:\n/*0080*/"),
        ("32@lo((k ", "32@lo((q "),
        ("32@hi", "32@lo"),
        ("RET.ABS.NODEC R20", "RET.ABS.NODEC R22"),
        ("MOV R21,", "@P1 MOV R21,"),
        ("/*0060*/", "/*0058*/ IADD3 R21, R21, 0x10, RZ ;\n/*0060*/"),
        ("/*0060*/", "/*0058*/ IMAD.WIDE R20, R2, R3, RZ ;\n/*0060*/"),
        ("/*0060*/", "/*0058*/ FROB R2 ;\n/*0060*/"),
    ] {
        let line = if to.starts_with("/*0058*/") { "line 12" } else { "line 11" };
        refuses(from, to, &elsewhere(line));
    }
    let lost = "k: where the call in line 11 returns is not in the text: shuffle is not followed to its end";
    for (from, to) in [
        ("R4, R4, R5, R6", "R21, R4, R5, R6"),
        ("R4, R4, R5, R6", "R20, R4, R5, R6"),
        ("WARPSYNC R7", "FROB R7"),
        ("WARPSYNC R7", "@P0 EXIT"),
        ("WARPSYNC R7", "CALL.ABS.NOINC `(other)"),
        ("WARPSYNC R7", "@P0 RET.ABS.NODEC R22 0x0"),
        ("WARPSYNC R7", "BRX R2 -0xc0"),
        ("RET.ABS.NODEC R20 0x0", "RET.ABS.NODEC R20 0x10"),
        ("RET.ABS.NODEC R20 0x0", "RET.REL.NODEC R20 0x0"),
        ("RET.ABS.NODEC R20 0x0", "NOP"),
    ] {
        refuses(from, to, lost);
    }
}

/// What is listed by name, and what an unknown instruction leaves.
#[test]
fn listed_and_unknown() {
    use Unjudged::{Atomic, Barrier, Bulk, Descriptor, Generic};
    let all = rulings(
        "/*0000*/ S2R R0, SR_TID.X ;\n/*0010*/ ATOMS.ADD R4, [R0.X4], R2 ;\n\
         /*0020*/ SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR4], R5 ;\n/*0030*/ UTMALDG.2D [UR8], [UR4] ;\n\
         /*0040*/ HGMMA.64x128x16.F32 R24, gdesc[UR4], R24, gsb0 ;\n/*0050*/ LD.E R4, [R2.64] ;\n\
         /*0060*/ LDS R4, [R0.X4] ;\n/*0070*/ FROB R5, R6 ;\n/*0080*/ LDS R4, [R0.X4] ;\n/*0090*/ EXIT ;\n",
    );
    let listed = [Atomic, Barrier, Bulk, Descriptor, Generic].map(Ruling::Unjudged);
    assert_eq!(all[..5], listed);
    assert!(matches!(all[5], Ruling::Judged(_)) && matches!(all[6], Ruling::Unknown(_)), "{all:?}");
}

/// A copy from global memory writes to shared memory as a store of as many bytes does, and numbers of 32 bits make an address
/// of 32 bits, whatever stands above them.
#[test]
fn copies_and_addresses_of_32_bits() {
    let all = rulings(
        "/*0000*/ S2R R0, SR_TID.X ;\n/*0008*/ UMOV UR4, 0x400 ;\n/*0010*/ SHF.L.U32 R5, R0, 0x4, RZ ;\n/*0020*/ SHF.L.U32 R6, R0, 0x7, RZ ;\n\
         /*0030*/ LDGSTS.E.BYPASS.128 [R5], desc[UR4][R2.64] ;\n/*0040*/ LDGSTS.E [R6+0x10], desc[UR4][R2.64], P0 ;\n\
         /*0050*/ LDS R4, [R6.U32+UR4] ;\n/*0060*/ LDS R4, [R6.H1+UR4] ;\n/*0070*/ EXIT ;\n",
    );
    let of = |one: &Ruling| match one {
        Ruling::Judged(verdict) => Some((verdict.degree, verdict.race.is_some())),
        _ => None,
    };
    let found = Vec::from_iter(all.iter().map(of));
    assert_eq!(found, [Some((1, false)), Some((32, false)), Some((32, false)), None], "{all:?}");
}

/// Low bits that are known go with their lanes: an unknown multiple of 256 that each lane has of its own, and 4 bytes a lane.
#[test]
fn a_shuffle_moves_low_bits() {
    let of = |distance: &str| {
        let text = format!(
            ".target sm_90\n.section .text.k,\"ax\"\n.text.k:\n/*0000*/ S2R R0, SR_TID.X ;\n\
             /*0010*/ LDG.E R2, [R0.64] ;\n/*0020*/ SHF.L.U32 R2, R2, 0x8, RZ ;\n\
             /*0030*/ LEA R2, R0, R2, 0x2 ;\n/*0040*/ SHFL.BFLY PT, R2, R2, {distance}, 0x1f ;\n\
             /*0050*/ LDS R3, [R2] ;\n/*0060*/ EXIT ;\n"
        );
        let options = Options { block: Some([32, 1, 1]), ..Options::default() };
        audit(&text, &options).unwrap()[0].sites[0].reached[0].address.clone()
    };
    let Value::Part { bits: 8, f, .. } = of("0x8") else { panic!("{:?}", of("0x8")) };
    assert!((0..32).all(|lane| f.get(lane) as usize == 4 * (lane ^ 8)));
}
