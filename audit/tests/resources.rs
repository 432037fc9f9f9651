//! Registers, spills and LDS, as far as a text says; and what atomics take at least.

use tiledesc_audit::{Kernel, Options, Resources, audit};

fn kernel(text: &str) -> Kernel {
    audit(text, &Options { block: Some([256, 1, 1]), ..Options::default() }).unwrap().remove(0)
}

/// LLVM's metadata and its comment, of the right kernel.
#[test]
fn of_amdgpu() {
    let function = |name: &str, waves: u32| {
        format!(
            ".type {name},@function\n{name}:\nds_write_b32 v0, v1\ns_endpgm\n.Lfunc_end_{name}:\n\
             ; Kernel info:\n; Occupancy: {waves}\n"
        )
    };
    let facts = |name: &str, registers: u32| {
        format!(
            "  - .agpr_count:     16\n    .group_segment_fixed_size: 4096\n    .name:           {name}\n    \
             .private_segment_fixed_size: 2252\n    .sgpr_count:     23\n    .sgpr_spill_count: 1\n    \
             .vgpr_count:     {registers}\n    .vgpr_spill_count: 4\n"
        )
    };
    let text = format!(
        ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n{}{}.amdgpu_metadata\namdhsa.kernels:\n{}{}\
         .end_amdgpu_metadata\n",
        function("f", 2),
        function("g", 8),
        facts("f", 256),
        facts("g", 40)
    );
    let all = audit(&text, &Options::default()).unwrap();
    let expected = Resources {
        registers: Some(256),
        scalars: Some(23),
        spilled: Some(5),
        scratch: Some(2252),
        lds: Some(4096),
        occupancy: Some(2),
    };
    assert_eq!(all[0].resources, expected);
    assert_eq!(
        all[0].resources.sentence().unwrap(),
        "256 vector registers, 23 scalar registers, 5 spilled, 2252 bytes of scratch a lane, 4096 bytes of LDS declared, \
         2 waves a SIMD at most"
    );
    assert_eq!((all[1].resources.registers, all[1].resources.occupancy), (Some(40), Some(8)));
}

/// PTX declares variables, and of each kernel those that it names.
#[test]
fn of_nvidia() {
    let text = ".version 8.0\n.target sm_90\n.shared .align 4 .b8 far[64];\n.visible .entry f() {\n.reg .b32 %r<3>;\n\
                .shared .align 4 .f32 s[32][33];\n.shared .align 4 .b8 unused[64];\nmov.u32 %r1, s;\nst.shared.u32 [%r1], 0;\nret;\n}\n";
    assert_eq!(kernel(text).resources, Resources { lds: Some(4224), ..Resources::default() });
    let none =
        ".version 8.0\n.target sm_90\n.visible .entry f() {\nst.shared.u32 [16], 0;\nret;\n}\n";
    assert_eq!(kernel(none).resources.sentence(), None);
    let sass = "\t.target\tsm_80\n\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=14\"\n.text.k:\n\
                /*0000*/                   STS [0x80], R0 ;\n        /*0010*/                   EXIT ;\n\
                \t.section\t.nv.shared.k,\"aw\",@nobits\n.nv.shared.k:\n\t.zero\t\t16388\n";
    assert_eq!(
        kernel(sass).resources.sentence().unwrap(),
        "14 registers, 16388 bytes of LDS declared"
    );
}

/// An atomic takes at least what a write of its bytes takes, so that a loop with one has a bound.
#[test]
fn atomics_are_counted_as_the_least() {
    let text = |atomic: &str| {
        format!(
            ".amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n.type f,@function\nf:\nv_lshlrev_b32_e32 v1, 2, v0\n.L1:\n\
             {atomic}\nv_mfma_f32_32x32x8_f16 a[0:15], v[2:3], v[4:5], a[0:15]\ns_cbranch_scc1 .L1\ns_endpgm\n"
        )
    };
    for (atomic, cycles) in [("ds_add_u32 v1, v2", 2), ("ds_add_rtn_u64 v[4:5], v1, v[2:3]", 4)] {
        let kernel = kernel(&text(atomic));
        let report = kernel.report();
        let said =
            format!("an atomic: no source says what they cost, beyond {cycles} cycles at least");
        assert_eq!(report.lines[0].found, said);
        // Four waves.
        let bound = &report.bounds[0];
        assert_eq!((bound.memory.least(), bound.memory.most()), (4 * cycles, None), "{bound}");
        assert_eq!(bound.matrix.exact(), Some(32));
    }
}
