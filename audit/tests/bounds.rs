//! What bounds a loop, beside a count of the test's own: programs of known cost are put together, and the cost of each loop
//! is summed as they are written, without graphs, addresses or rows.
//!
//! | piece | cycles of the banks, without conflicts, of its pair's port |
//! |---|---|
//! | `ds_read_b32` 4 bytes apart, gfx942 | 2, 2, 4 |
//! | `ds_read_b32` 128 bytes apart, gfx942 | 64, 2, 4 |
//! | `ds_read_b128` 128 bytes apart, gfx942 | 64, 8, 16 |
//! | `ds_read_b32` of an address from memory | at least 2 |

use support::fuzz::Dice;
use tiledesc_audit::{Bound, By, Kernel, Options, audit};

/// An access: its name, the bytes from lane to lane as a shift, cycles of the banks now and without conflicts, and of the
/// port of a pair, 0 where there are none.
type Access = (&'static str, u32, u64, u64, u64);

/// A chip with some of its instructions, and its matrix instruction with its cycles on a SIMD.
struct Chip {
    name: &'static str,
    wave: u32,
    accesses: &'static [Access],
    matrix: (&'static str, u64),
}

const AMD: [Chip; 3] = [
    Chip {
        name: "gfx942",
        wave: 64,
        accesses: &[
            ("ds_read_b32 v2, v{}", 2, 2, 2, 4),
            ("ds_read_b32 v2, v{}", 7, 64, 2, 4),
            ("ds_read_b64 v[2:3], v{}", 3, 4, 4, 8),
            ("ds_read_b128 v[2:5], v{}", 4, 8, 8, 16),
            ("ds_read_b128 v[2:5], v{}", 7, 64, 8, 16),
            ("ds_write_b32 v{}, v6", 2, 2, 2, 8),
            ("ds_write_b128 v{}, v[6:9]", 4, 8, 8, 20),
        ],
        matrix: ("v_mfma_f32_32x32x8_f16 a[0:15], v[10:11], v[12:13], a[0:15]", 32),
    },
    Chip {
        name: "gfx950",
        wave: 64,
        accesses: &[
            ("ds_read_b32 v2, v{}", 2, 2, 2, 4),
            ("ds_read_b64 v[2:3], v{}", 3, 2, 2, 4),
            ("ds_read_b128 v[2:5], v{}", 4, 4, 4, 8),
            ("ds_read_b128 v[2:5], v{}", 8, 64, 4, 8),
        ],
        matrix: ("v_mfma_f32_16x16x32_f16 a[0:3], v[10:13], v[14:17], a[0:3]", 16),
    },
    Chip {
        name: "gfx1100",
        wave: 32,
        accesses: &[
            ("ds_load_b32 v2, v{}", 2, 1, 1, 0),
            ("ds_load_b32 v2, v{}", 7, 32, 1, 0),
            ("ds_load_b128 v[2:5], v{}", 4, 4, 4, 0),
        ],
        matrix: ("v_wmma_f32_16x16x16_f16 v[20:27], v[30:37], v[40:47], v[20:27]", 32),
    },
];

/// Sums of a wave: fewest and most.
#[derive(Clone, Copy, Default)]
struct Sum {
    banks: [u64; 2],
    free: [u64; 2],
    port: [u64; 2],
    free_port: [u64; 2],
    matrix: [u64; 2],
    is_open: bool,
}

impl Sum {
    fn access(&mut self, (_, _, now, free, port): Access, is_steady: bool) {
        let add = |to: &mut [u64; 2], cycles: u64| {
            *to = [to[0] + if is_steady { cycles } else { 0 }, to[1] + cycles];
        };
        add(&mut self.banks, now);
        add(&mut self.free, free);
        if port > 0 {
            add(&mut self.port, now.max(port));
            add(&mut self.free_port, free.max(port));
        }
    }

    fn matrix(&mut self, cycles: u64, is_steady: bool) {
        let [least, most] = self.matrix;
        self.matrix = [least + if is_steady { cycles } else { 0 }, most + cycles];
    }

    /// Memory now and without conflicts, and matrix, of so many waves: two pairs of SIMDs share the waves as evenly as can be.
    fn of(&self, waves: u64) -> [[u64; 2]; 3] {
        let both = |banks: [u64; 2], port: [u64; 2]| {
            [0, 1].map(|i| (waves * banks[i]).max(waves.div_ceil(2) * port[i]))
        };
        let matrix = self.matrix.map(|cycles| waves.div_ceil(4) * cycles);
        [both(self.banks, self.port), both(self.free, self.free_port), matrix]
    }
}

/// A program as it is written, with the sums of its loops that something is counted of.
struct Written<'c> {
    chip: &'c Chip,
    dice: Dice,
    text: String,
    labels: u32,
    loops: Vec<Sum>,
}

impl Written<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn below(&mut self, most: u32) -> u32 {
        self.dice.below(most)
    }

    /// One to three pieces.
    fn pieces(&mut self, sum: &mut Sum, is_steady: bool) {
        for _ in 0..=self.below(3) {
            match self.below(8) {
                0..4 => {
                    let which = self.below(self.chip.accesses.len() as u32) as usize;
                    let access = self.chip.accesses[which];
                    // Register 50 + s holds the lane shifted by s.
                    self.line(&access.0.replace("{}", &(50 + access.1).to_string()));
                    sum.access(access, is_steady);
                }
                4..7 => {
                    self.line(self.chip.matrix.0);
                    sum.matrix(self.chip.matrix.1, is_steady);
                }
                _ => {
                    // From memory: at least free.
                    let (name, _, _, free, port) = self.chip.accesses[0];
                    self.line(&name.replace("{}", "60"));
                    sum.access((name, 0, free, free, port), is_steady);
                    sum.is_open = true;
                }
            }
        }
    }

    /// A loop, perhaps with a part that is jumped over, with a wait in which nothing is counted, or around another loop.
    fn write_loop(&mut self) {
        let (label, mut sum) = (self.labels, Sum::default());
        self.labels += 3;
        self.line(&format!("L{label}:"));
        let is_outer = self.below(4) == 0;
        self.pieces(&mut sum, true);
        if is_outer {
            self.write_loop();
        } else if self.below(2) == 0 {
            self.line(&format!("s_cbranch_scc0 L{}", label + 1));
            self.pieces(&mut sum, false);
            self.line(&format!("L{}:", label + 1));
        }
        if self.below(3) == 0 {
            self.line(&format!("L{}:\ns_cbranch_scc1 L{}", label + 2, label + 2));
        }
        self.pieces(&mut sum, true);
        self.line(&format!("s_cmp_lg_u32 s2, s3\ns_cbranch_scc1 L{label}"));
        if !is_outer {
            self.loops.push(sum);
        }
    }
}

fn written(chip: &Chip, seed: u64) -> Written<'_> {
    let (text, loops) = (String::new(), Vec::new());
    let mut one = Written { chip, dice: Dice(seed), text, labels: 0, loops };
    one.line("global_load_dword v60, v1, s[0:1]");
    one.line(&format!("v_and_b32_e32 v49, {}, v0", chip.wave - 1));
    for shift in 2..9 {
        one.line(&format!("v_lshlrev_b32_e32 v{}, {shift}, v49", 50 + shift));
    }
    for _ in 0..=one.below(2) {
        one.pieces(&mut Sum::default(), true);
        one.write_loop();
    }
    one
}

fn judged(chip: &str, lanes: u32, code: &str) -> Kernel {
    let text = format!(".amdgcn_target \"x--{chip}\"\n.type f,@function\nf:\n{code}s_endpgm\n");
    let options = Options { block: Some([lanes, 1, 1]), ..Options::default() };
    audit(&text, &options).unwrap_or_else(|why| panic!("{why}\n{text}")).remove(0)
}

/// Fewest and most of memory, memory without conflicts, and matrix.
fn figures(one: &Bound) -> [(u64, Option<u64>); 3] {
    [one.memory, one.free, one.matrix].map(|span| (span.least(), span.most()))
}

#[test]
fn random_loops_cost_what_was_written() {
    let mut seen = [0; 4];
    for (at, chip) in AMD.iter().enumerate() {
        for seed in 0..120 {
            let program = written(chip, 1000 * at as u64 + seed);
            let waves = 1 + seed % 9;
            let kernel = judged(chip.name, waves as u32 * chip.wave, &program.text);
            let mut wanted: Vec<_> = program
                .loops
                .iter()
                .map(|sum| {
                    let [now, free, matrix] = sum.of(waves);
                    let now = (now[0], Some(now[1]).filter(|_| !sum.is_open));
                    [now, (free[0], Some(free[1])), (matrix[0], Some(matrix[1]))]
                })
                .collect();
            let bounds = kernel.bounds();
            let (_, loops) = bounds.split_last().unwrap();
            for one in loops {
                seen[one.by() as usize] += 1;
                assert!(one.place.is_some());
            }
            let mut found: Vec<_> = loops.iter().map(figures).collect();
            wanted.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, wanted, "{}, {waves} waves\n{}", chip.name, program.text);
            let cost = |one: &Bound| one.memory.least().max(one.matrix.least());
            assert!(loops.is_sorted_by_key(|one| core::cmp::Reverse(cost(one))));
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

/// A kernel of gfx950 by its instructions for one trip, with `v50` 16 bytes from lane to lane, and `v51` 512.
fn trip(lanes: u32, counts: &[(&str, usize)]) -> Kernel {
    let body: String =
        counts.iter().map(|(line, count)| format!("{line}\n").repeat(*count)).collect();
    let code = format!(
        "v_and_b32_e32 v49, 63, v0\nv_lshlrev_b32_e32 v50, 4, v49\nv_lshlrev_b32_e32 v51, 9, v49\n\
         again:\n{body}s_cbranch_scc1 again\n"
    );
    judged("gfx950", lanes, &code)
}

const MFMA: &str = "v_mfma_f32_16x16x32_f16 a[0:3], v[10:13], v[14:17], a[0:3]";
const FREE: &str = "ds_read_b128 v[2:5], v50";
const COLUMN: &str = "ds_read_b128 v[2:5], v51";

/// The GEMM of four waves of Hardcode84/7 (`WaveGfx950F16Gemm4Wave.md`), k = 64: 128 MFMA of 16 cycles a wave, 32 reads of 16
/// bytes a lane, and 65,536 bytes that are loaded straight to LDS. Its counter says 85 % of MFMA beside conflicts in 21 %.
#[test]
fn a_published_gemm_is_bound_by_its_matrix_instructions() {
    let load = "buffer_load_dwordx4 v1, s[8:11], 0 offen lds";
    let kernel = trip(256, &[(FREE, 32), (load, 16), (MFMA, 128)]);
    assert_eq!(
        kernel.bounds()[0].to_string(),
        "loop at line 8: LDS 1024 cycles a trip, MFMA 2048: MFMA-bound by 2.00 (inferred)"
    );
    // A fifth of the time in conflicts hides behind them: 2 of the 32 reads in a column of 16 lanes.
    let kernel = trip(256, &[(FREE, 30), (COLUMN, 2), (load, 16), (MFMA, 128)]);
    let bound = &kernel.bounds()[0];
    assert_eq!((bound.by(), bound.free.exact()), (By::Matrix, Some(1024)));
    assert!(bound.memory.least() > 1024);
    let report = kernel.report();
    let line = report.lines.iter().find(|line| line.is_hidden).unwrap();
    assert!(line.found.ends_with("; not what bounds its loop"), "{}", line.found);
}

/// As rocKE 9260 (25 % faster without) and IREE 23765: a loop that is LDS-bound by its conflicts, and not after the remedy.
/// The bodies were not published; these have the same order of conflicts.
#[test]
fn conflicts_that_matter_are_gone_after_the_remedy() {
    let write = "ds_write_b128 v50, v[6:9]";
    let kernel = trip(256, &[(write, 1), (COLUMN, 8), (MFMA, 32)]);
    let bound = &kernel.bounds()[0];
    assert_eq!((bound.by(), bound.by_without_conflicts()), (By::Memory, By::Matrix));
    let better = kernel.better();
    let [[now, then]] = &better.regions[0].bounds[..] else { panic!("{better:?}") };
    assert_eq!(now, bound);
    assert_eq!((then.by(), then.matrix), (By::Matrix, bound.matrix));
    let said = better.regions[0].to_string();
    assert!(said.contains("; then loop at line 8: LDS "), "{said}");
    // The same conflicts beside four times the work: the remedy changes nothing, and says so.
    let kernel = trip(256, &[(write, 1), (COLUMN, 8), (MFMA, 256)]);
    let said = kernel.better().regions[0].to_string();
    assert!(said.contains("MFMA-bound by") && said.contains(", as before"), "{said}");
}

/// Waves of which only two work, and branches that a wave is known not to take.
#[test]
fn waves_of_their_own_work() {
    // Waves 0 and 1 read, waves 2 and 3 multiply.
    let code = "v_readfirstlane_b32 s4, v0\ns_lshr_b32 s4, s4, 6\nv_lshlrev_b32_e32 v50, 4, v0\nagain:\n\
                s_cmp_lt_u32 s4, 2\ns_cbranch_scc0 other\nds_read_b128 v[2:5], v50\ns_branch join\nother:\n\
                v_mfma_f32_32x32x8_f16 a[0:15], v[10:11], v[12:13], a[0:15]\njoin:\ns_cmp_lg_u32 s2, s3\n\
                s_cbranch_scc1 again\n";
    let bound = &judged("gfx942", 256, code).bounds()[0];
    // Two reads of 8 cycles, each on a pair of its own; one MFMA on each of two SIMDs.
    assert_eq!(figures(bound), [(16, Some(16)), (16, Some(16)), (32, Some(32))]);
}

/// A read whose stride is 4, 8, 16 and 32 bytes in four rounds counts as one of these; its loop's rounds are copies there, and
/// the loop is counted once all the same.
#[test]
fn an_access_of_several_addresses() {
    let code = "v_and_b32_e32 v49, 63, v0\ns_movk_i32 s4, 2\nagain:\nv_lshlrev_b32_e32 v50, s4, v49\n\
                ds_read_b32 v2, v50\nv_mfma_f32_32x32x8_f16 a[0:15], v[10:11], v[12:13], a[0:15]\n\
                s_add_i32 s4, s4, 1\ns_cmp_lt_u32 s4, 6\ns_cbranch_scc1 again\n";
    let kernel = judged("gfx942", 256, code);
    assert_eq!(kernel.sites[0].reached.len(), 4 * 4, "four strides of four waves");
    let [bound, _] = &kernel.bounds()[..] else { panic!("{:?}", kernel.bounds()) };
    // 2 cycles a wave, or 2, 4, 8 times as many.
    assert_eq!(figures(bound), [(8, Some(64)), (8, Some(8)), (32, Some(32))]);
    assert_eq!(bound.by(), By::Open);
    let code = "shl.b32 %r2, %r0, %r8;\nadd.u32 %r2, %r2, %r3;\nld.shared.b32 %r4, [%r2];\nadd.u32 %r8, %r8, 1;\n".to_string() + MMA;
    let kernel = ptx_after("mov.u32 %r8, 2;\nmov.u32 %r9, 4;", "sm_80", ".reqntid 128", &code);
    assert_eq!(kernel.sites[0].reached.len(), 4 * 4);
    let [bound, _] = &kernel.bounds()[..] else { panic!("{:?}", kernel.bounds()) };
    assert_eq!(figures(bound), [(4, Some(32)), (4, Some(4)), (8, Some(8))]);
}

/// A PTX kernel with a loop of `code`; `%r1` is 16 bytes from lane to lane, `%r2` 128.
fn ptx(chip: &str, block: &str, code: &str) -> Kernel {
    ptx_after("", chip, block, code)
}

/// A PTX kernel with a loop of `code` after some instructions.
fn ptx_after(before: &str, chip: &str, block: &str, code: &str) -> Kernel {
    let text = format!(
        ".version 8.0\n.target {chip}\n.address_size 64\n.shared .align 128 .b8 tile[8192];\n.visible .entry f(.param .u32 n)\n\
         {block}\n{{\n.reg .pred %p<9>;\n.reg .b32 %r<99>;\n.reg .b64 %d<9>;\n.reg .f32 %f<9>;\n\
         mov.u32 %r0, %tid.x;\nand.b32 %r0, %r0, 31;\nshl.b32 %r1, %r0, 4;\nshl.b32 %r2, %r0, 7;\n\
         mov.u32 %r3, tile;\nadd.u32 %r1, %r1, %r3;\nadd.u32 %r2, %r2, %r3;\n\
         ld.param.u32 %r9, [n];{before}\nagain:\n{code}\nadd.s32 %r9, %r9, -1;\nsetp.ne.s32 %p1, %r9, 0;\n\
         @%p1 bra again;\nret;\n}}\n"
    );
    audit(&text, &Options::default()).unwrap_or_else(|why| panic!("{why}\n{text}")).remove(0)
}

const READ: &str = "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r1];\n";
const ROWS: &str = "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [%r2];\n";
const MMA: &str = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r10, %r11, %r12, %r13}, \
                   {%r14, %r15}, {%f0, %f1, %f2, %f3};\n";

/// The rate of an SM: 4,096 FLOP of a warp at 2,048 a cycle, of which a part of the SM has a quarter.
#[test]
fn tensor_cores() {
    let of = |chip, block, code: &str| ptx(chip, block, code).bounds()[0].to_string();
    let code = READ.repeat(2) + &MMA.repeat(3);
    assert_eq!(
        of("sm_80", ".reqntid 128", &code),
        "loop at line 21: shared memory 32 cycles a trip, MMA 24: shared-memory-bound by 1.33 (inferred)"
    );
    // Eight lanes of a phase in one bank.
    let code = ROWS.to_string() + &MMA.repeat(3);
    assert_eq!(
        of("sm_80", ".reqntid 64", &code),
        "loop at line 21: shared memory 64 cycles a trip, MMA 24: shared-memory-bound by 2.67 (inferred); \
         without conflicts 8: MMA-bound by 3.00"
    );
    // The shape of the block is not known, and on a GeForce card sums in f32 take twice as long.
    let code = READ.repeat(2) + MMA;
    assert_eq!(
        of("sm_86", "", &code),
        "loop at line 21: shared memory 32 cycles a trip of 4 waves, MMA 16 to 32: which is more is not known"
    );
    // `wmma` of f16 names its sums alone.
    let wmma = "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f0}, {%r4}, {%r5}, {%f0};\n";
    assert_eq!(
        of("sm_80", ".reqntid 128", wmma),
        "loop at line 21: MMA 16 cycles a trip, no shared memory"
    );
}

/// Operands that a descriptor names are read by their shape; of `tcgen05`, whose shape is in a register, nothing is known.
#[test]
fn descriptors() {
    let of = |code: &str| ptx("sm_90", ".reqntid 128", code).bounds()[0].to_string();
    let wgmma = |a: &str| {
        format!(
            "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {{%f0}}, {a}, %d1, 1, 1, 1, 0, 0;\n"
        )
    };
    // 2 * 64 * 128 * 16 FLOP at 4,096; (64 + 128) * 16 * 2 bytes at 128.
    assert_eq!(
        of(&wgmma("%d0")),
        "loop at line 21: shared memory 48 cycles a trip, MMA 64: MMA-bound by 1.33"
    );
    assert_eq!(
        of(&wgmma("{%r4, %r5, %r6, %r7}")),
        "loop at line 21: shared memory 32 cycles a trip, MMA 64: MMA-bound by 2.00"
    );
    let tcgen05 =
        READ.to_string() + "tcgen05.mma.cta_group::1.kind::f16 [%r8], %d0, %d1, %r9, %p1;\n";
    let said = ptx("sm_100", ".reqntid 128", &tcgen05).bounds()[0].to_string();
    assert_eq!(
        said,
        "loop at line 21: shared memory at least 16 cycles a trip, MMA not known: which is more is not known"
    );
}
