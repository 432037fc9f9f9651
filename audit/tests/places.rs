//! Where an instruction comes from: the line of the source, the calls that were inlined there, and the kernel's name.

use tiledesc_audit::{Error, Options, audit, each, names};

/// The places of a text's accesses, with their folders, the innermost first.
fn places(text: &str) -> Vec<Vec<String>> {
    let kernels = audit(text, &Options::default()).unwrap();
    let of = |place: &tiledesc_audit::Place| {
        place.frames().map(|one| format!("{}:{}", one.path, one.line)).collect()
    };
    kernels[0].sites.iter().map(|site| of(site.place.as_ref().unwrap())).collect()
}

/// A call in a call is found by the `.loc` of its caller, and a line without a call has none.
#[test]
fn calls_of_ptx() {
    let text =
        ".version 8.0\n.target sm_90\n.file 1 \"/src/kernels.py\"\n.file 2 \"/lib/standard.py\"
        .visible .entry f() {
        .loc 1 31 32
        st.shared.b32 [0], 0;
        .loc 2 216 16, function_name $L__info_string0, inlined_at 1 31 32
        st.shared.b32 [4], 0;
        .loc 2 196 12, function_name $L__info_string0, inlined_at 2 216 16
        st.shared.b32 [8], 0;
        .loc 2 196 12, function_name $L__info_string0, inlined_at 1 77 1
        st.shared.b32 [12], 0;
        ret;\n}";
    let [kernels, standard] = ["/src/kernels.py", "/lib/standard.py"];
    let expected = [
        vec![format!("{kernels}:31")],
        vec![format!("{standard}:216"), format!("{kernels}:31")],
        vec![format!("{standard}:196"), format!("{standard}:216"), format!("{kernels}:31")],
        // Of a call whose own line was never named its place is all that is known.
        vec![format!("{standard}:196"), format!("{kernels}:77")],
    ];
    assert_eq!(places(text), expected);
    let report = audit(text, &Options::default()).unwrap()[0].report();
    let said: Vec<_> = report.lines.iter().map(|line| line.place.as_str()).collect();
    let calls = ["standard.py:216 in kernels.py:31", "standard.py:196 in kernels.py:31"];
    assert_eq!(said, ["kernels.py:31", calls[0], calls[1], "standard.py:196 in kernels.py:77"]);
}

/// LLVM names the calls in a comment, and a file by its folder and its name.
#[test]
fn calls_of_amdgpu() {
    let text = ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:
        .file 1 \"/src\" \"kernels.py\"
        .file 2 \"/src\" \"/lib/standard.py\"
        .file 3 \".\" \"near.py\"
        .loc 1 31 32 prologue_end   ; kernels.py:31:32
        ds_write_b32 v0, v1
        .loc 2 196 12 is_stmt 1     ; standard.py:196:12 @[ standard.py:216:16 @[ kernels.py:31:32 ] ]
        ds_write_b32 v0, v1
        .loc 3 4 0
        ds_write_b32 v0, v1
        s_endpgm\n";
    let expected = [
        vec!["/src/kernels.py:31"],
        vec!["/lib/standard.py:196", "standard.py:216", "kernels.py:31"],
        vec!["near.py:4"],
    ];
    assert_eq!(places(text), expected);
}

/// `nvdisasm -gi` has a line for each call, the innermost first.
#[test]
fn calls_of_sass() {
    let text = "\t.target\tsm_80\n\t.section\t.text.k,\"ax\",@progbits
.text.k:
\t//## File \"/src/a.cuh\", line 7 inlined at \"/src/b.cuh\", line 9
\t//## File \"/src/b.cuh\", line 9 inlined at \"/src/k.cu\", line 20
\t//## File \"/src/k.cu\", line 20
        /*0000*/                   LDS R3, [0x80] ;
        /*0010*/                   LDS R3, [0x84] ;
\t//## File \"/src/k.cu\", line 21
        /*0020*/                   LDS R3, [0x80] ;
        /*0030*/                   EXIT ;
";
    let call = vec!["/src/a.cuh:7", "/src/b.cuh:9", "/src/k.cu:20"];
    assert_eq!(places(text), [call.clone(), call, vec!["/src/k.cu:21"]]);
}

const MANY: &str = ".version 8.0\n.target sm_90
    .visible .entry _Z4gemmIfEvPT_() {\nst.shared.b32 [0], 0;\nret;\n}
    .visible .entry _Z4gemmIdEvPT_() {\nbra $nowhere;\n}
    .visible .entry copy() {\nret;\n}\n";

/// A kernel is named as its source names it, in part, or by a pattern.
#[test]
fn names_of_kernels() {
    let of = |word: &str| {
        let options = Options { kernel: Some(word.to_string()), ..Options::default() };
        let all = each(MANY, &options);
        all.map(|all| {
            all.iter().map(|one| one.as_ref().map_or("refused".into(), |one| one.title())).collect()
        })
    };
    let named = |all: &[&str]| -> Result<Vec<String>, Error> {
        Ok(all.iter().map(|one| one.to_string()).collect())
    };
    assert_eq!(of("gemm<float>"), named(&["gemm<float>"]));
    assert_eq!(of("_Z4gemmIfEvPT_"), named(&["gemm<float>"]));
    assert_eq!(of("gemm"), named(&["gemm<float>", "refused"]));
    assert_eq!(of("c*"), named(&["copy"]));
    let none = "no kernel is called `softmax`; there is gemm<float>, gemm<double>, copy";
    assert_eq!(of("softmax").unwrap_err().to_string(), none);
    let head = audit(MANY, &Options { kernel: Some("gemm<float>".into()), ..Options::default() });
    assert!(head.unwrap()[0].report().head.starts_with("gemm<float>, sm_90, "));
    assert_eq!(names(MANY), ["_Z4gemmIfEvPT_", "_Z4gemmIdEvPT_", "copy"]);
}

/// A kernel that cannot be judged hides no other.
#[test]
fn a_refused_kernel_hides_no_other() {
    let all = each(MANY, &Options::default()).unwrap();
    let said: Vec<_> = all
        .iter()
        .map(|one| one.as_ref().map_or_else(ToString::to_string, |one| one.name.clone()))
        .collect();
    let refused = "_Z4gemmIdEvPT_: the branch in line 8 goes to a label that is not in the text";
    assert_eq!(said, ["_Z4gemmIfEvPT_", refused, "copy"]);
    assert_eq!(audit(MANY, &Options::default()).unwrap_err().to_string(), refused);
}
