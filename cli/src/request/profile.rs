//! Profiles as tables: the LDS counters of rocprof and of Nsight Compute, summed up.
//!
//! | written by | a line is | kernel, name, value |
//! |---|---|---|
//! | 1 `rocprofv3 --pmc .. --output-format csv` | a counter of a dispatch | `Kernel_Name`, `Counter_Name`, `Counter_Value` |
//! | 2 `rocprofv2 --plugin file` | a dispatch, with a column for each counter | `Kernel_Name` |
//! | 3 `rocprof -i`, and version 1 of that plugin | the same | `KernelName` |
//! | 4 `ncu --csv` | a metric of a launch | `Kernel Name`, `Metric Name`, `Metric Value` |
//! | 5 `ncu --csv --page raw` | a launch, with a column for each metric | `Kernel Name` |
//!
//! Sources: 1, ROCm's `rocprofiler-sdk`, `source/lib/output/generateCSV.cpp` at 00f9d2c; a counter is a sum over the
//! chip there, written with six decimals, and below 1 in powers of ten (`csv.hpp` at 029ff02), so that a kernel without
//! conflicts has `0.00000000e+00`. 2 and 3, the headers in ROCm's page "Using rocprofv2", file plugin. 4 and 5, no page
//! of NVIDIA's: what other projects' parsers and test files hold, which agree. The counters' names:
//! `docs/src/counters.md`; those of RDNA begin with `SQC_`, as in ROCm's formula of `LDSBankConflict` for gfx10 to
//! gfx12. No profiler was run.

use std::collections::{BTreeMap, BTreeSet};

/// The counters that are wanted of a profile, in the order of [`Profile::sums`]: of each the ways to know it, the first
/// that is there. A way is names whose counts are added up.
const WANTED: [&[&[&str]]; 5] = [
    &[&["SQ_LDS_BANK_CONFLICT"], &["SQC_LDS_BANK_CONFLICT"]],
    &[&["SQ_LDS_IDX_ACTIVE"], &["SQC_LDS_IDX_ACTIVE"]],
    &[
        &["SQ_INSTS_LDS"],
        &["smsp__inst_executed_op_shared"],
        &["smsp__inst_executed_op_shared_ld", "smsp__inst_executed_op_shared_st"],
    ],
    &[
        &["memory_l1_wavefronts_shared"],
        &["l1tex__data_pipe_lsu_wavefronts_mem_shared"],
        &[
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
            "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
        ],
    ],
    &[&["memory_l1_wavefronts_shared_ideal"]],
];

/// Wavefronts by the hardware's counter, and those of them that it counts as conflicts, with what arbitration lost: the
/// rest is at most the ideal. Both of all instructions, or of loads and stores.
const CONFLICTS: [[&str; 2]; 3] = [
    [
        "l1tex__data_pipe_lsu_wavefronts_mem_shared",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared",
    ],
    [
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
    ],
    [
        "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    ],
];

/// The conflicts of these alone: of all instructions, or of loads and stores.
const LOST: [&[&str]; 2] = [
    &["l1tex__data_bank_conflicts_pipe_lsu_mem_shared"],
    &[
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
        "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st",
    ],
];

/// The counts of a table by their names.
type Counts = BTreeMap<String, u64>;

/// Wavefronts and the ideal by the hardware's counters: of all instructions, or else of those kinds of which both are
/// there.
fn of_hardware(counts: &Counts) -> Option<[u64; 2]> {
    let pair = |[all, lost]: &[&str; 2]| {
        let (all, lost) = (*counts.get(*all)?, *counts.get(*lost)?);
        Some([all, all.saturating_sub(lost)])
    };
    let [whole, parts @ ..] = &CONFLICTS;
    let add = |[a, b]: [u64; 2], [c, d]: [u64; 2]| [a.saturating_add(c), b.saturating_add(d)];
    pair(whole).or_else(|| parts.iter().filter_map(pair).reduce(add))
}

/// The sums of the names of the first way that is there.
fn sum_of(ways: &[&[&str]], counts: &Counts) -> Option<u64> {
    let of_way = |way: &&[&str]| {
        way.iter().filter_map(|name| counts.get(*name).copied()).reduce(u64::saturating_add)
    };
    ways.iter().find_map(of_way)
}

/// Adds the count of a name, if it is one that is wanted.
fn add(counts: &mut Counts, counter: &str, value: &str, line: usize) -> Result<(), String> {
    let plain = counter.trim().trim_end_matches(".sum");
    let wanted = WANTED.iter().flat_map(|ways| ways.iter()).flat_map(|way| way.iter());
    if !wanted.chain(CONFLICTS.as_flattened()).any(|name| *name == plain) {
        return Ok(());
    }
    let count = number(value)
        .ok_or_else(|| format!("line {line}: {plain} is `{value}`, which is not a count"))?;
    let sum = counts.entry(plain.to_string()).or_default();
    *sum = sum.saturating_add(count);
    Ok(())
}

/// The sums of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    /// `--bank-conflict`, `--idx-active`, `--insts`, `--wavefronts` and `--ideal`, as far as given.
    pub(crate) sums: [Option<u64>; 5],
    /// Nsight Compute's conflicts, where the wavefronts that hold them are missing.
    pub(crate) conflicts: Option<u64>,
    /// The kernels that were summed up.
    pub(crate) kernels: BTreeSet<String>,
}

impl Profile {
    /// The figures of counts, where there is one.
    fn new(counts: &Counts, kernels: BTreeSet<String>) -> Option<Self> {
        let mut sums = WANTED.map(|ways| sum_of(ways, counts));
        if let (None, Some([all, ideal])) = (sums[4], of_hardware(counts)) {
            (sums[3], sums[4]) = (Some(all), Some(ideal));
        }
        let conflicts = sum_of(&LOST, counts).filter(|_| sums[3].is_none());
        let is_there = sums.iter().chain([&conflicts]).any(Option::is_some);
        is_there.then_some(Self { sums, conflicts, kernels })
    }
}

/// A count: digits, with or without commas between thousands or a final `.0`; or `2.4e+01`.
fn number(text: &str) -> Option<u64> {
    let plain = text.trim().replace(',', "");
    if plain.contains(['e', 'E']) {
        return power(&plain);
    }
    let whole = plain.split_once('.').map_or(plain.as_str(), |(whole, rest)| {
        if rest.bytes().all(|digit| digit == b'0') { whole } else { plain.as_str() }
    });
    whole.parse().ok()
}

/// A count in powers of ten; 2^53 and more is no more exact.
fn power(text: &str) -> Option<u64> {
    let value: f64 = text.parse().ok()?;
    let is_count = (0.0..9_007_199_254_740_992.0).contains(&value) && value.fract() == 0.0;
    is_count.then_some(value as u64)
}

/// Fields of lines, by commas; in quotes a comma is a comma, and two quotes are one.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                field.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            other => field.push(other),
        }
    }
    fields.push(field);
    fields
}

/// The index of a column, by one of its names.
fn column(head: &[String], names: &[&str]) -> Option<usize> {
    let plain = |text: &str| text.trim().to_lowercase().replace([' ', '_'], "");
    head.iter().position(|field| names.iter().any(|name| plain(field) == plain(name)))
}

/// The sums over the lines of a kernel: of the name `kernel`, else of all names that hold it; without it, of the only one
/// there is, since the sum of several kernels is a figure of none.
pub(crate) fn read(text: &str, kernel: Option<&str>) -> Result<Profile, String> {
    // Nsight Compute says what it does before the table.
    let mut lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with("==") && !line.trim().is_empty());
    let (_, head) = lines.next().ok_or("the profile is empty")?;
    let head = fields(head);
    let by_kernel = column(&head, &["Kernel Name", "KernelName"]);
    let by_line = column(&head, &["Counter Name", "Metric Name"])
        .zip(column(&head, &["Counter Value", "Metric Value"]));
    let named = lines.map(|(i, line)| {
        let row = fields(line);
        let name = by_kernel.and_then(|at| row.get(at)).cloned().unwrap_or_default();
        (i + 1, name, row)
    });
    // A second line of units has no kernel.
    let rows: Vec<_> =
        named.filter(|(_, name, _)| by_kernel.is_none() || !name.is_empty()).collect();
    let kernels = chosen(rows.iter().map(|(_, name, _)| name.as_str()).collect(), kernel)?;
    let (mut counts, mut summed) = (Counts::new(), BTreeSet::new());
    for (line, name, row) in rows.iter().filter(|(_, name, _)| kernels.contains(name.as_str())) {
        match by_line {
            Some((counter, value)) => {
                let field = |at: usize| row.get(at).map_or("", String::as_str);
                add(&mut counts, field(counter), field(value), *line)?;
            }
            None => {
                for (counter, value) in head.iter().zip(row) {
                    add(&mut counts, counter, value, *line)?;
                }
            }
        }
        summed.insert(name.clone());
    }
    Profile::new(&counts, summed).ok_or_else(|| {
        "no counter of LDS is in it: SQ_LDS_BANK_CONFLICT and SQ_LDS_IDX_ACTIVE, or \
         memory_l1_wavefronts_shared and memory_l1_wavefronts_shared_ideal"
            .to_string()
    })
}

/// The chosen kernels.
fn chosen<'a>(all: BTreeSet<&'a str>, asked: Option<&str>) -> Result<BTreeSet<&'a str>, String> {
    let list = || all.iter().copied().collect::<Vec<_>>().join("; ");
    match asked {
        None if all.len() > 1 => {
            Err(format!("it has {} kernels; name one with --kernel: {}", all.len(), list()))
        }
        None => Ok(all),
        Some(name) if all.contains(name) => {
            Ok(all.into_iter().filter(|one| *one == name).collect())
        }
        Some(part) => {
            let held: BTreeSet<_> = all.iter().copied().filter(|one| one.contains(part)).collect();
            let none =
                || format!("no kernel's name contains `{part}`; the kernels are: {}", list());
            (!held.is_empty()).then_some(held).ok_or_else(none)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(text: &str, kernel: Option<&str>) -> [Option<u64>; 5] {
        read(text, kernel).unwrap().sums
    }

    #[test]
    fn four_kinds_of_tables() {
        let rocprofv3 = "\"Dispatch_Id\",\"Kernel_Name\",\"Counter_Name\",\"Counter_Value\"\n\
            1,\"gemm(int, int)\",\"SQ_LDS_BANK_CONFLICT\",24000\n\
            1,\"gemm(int, int)\",\"SQ_LDS_IDX_ACTIVE\",32000.0\n\
            2,\"copy\",\"SQ_LDS_BANK_CONFLICT\",5\n";
        assert_eq!(sums(rocprofv3, Some("gemm"))[..2], [Some(24_000), Some(32_000)]);
        assert_eq!(sums(rocprofv3, Some("copy"))[0], Some(5));
        let rocprof = "Index,KernelName,SQ_LDS_BANK_CONFLICT,SQ_LDS_IDX_ACTIVE,SQ_INSTS_LDS\n\
            0,\"gemm\",24,32,1\n1,\"gemm\",24,32,1\n";
        assert_eq!(sums(rocprof, None)[..3], [Some(48), Some(64), Some(2)]);
        let ncu = "==PROF== Connected\n\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\
            \"0\",\"t\",\"memory_l1_wavefronts_shared\",\"\",\"4,096\"\n\
            \"0\",\"t\",\"memory_l1_wavefronts_shared_ideal\",\"\",\"1,024\"\n\
            \"0\",\"t\",\"smsp__inst_executed_op_shared_ld.sum\",\"inst\",\"1,000\"\n\
            \"0\",\"t\",\"smsp__inst_executed_op_shared_st.sum\",\"inst\",\"24\"\n";
        assert_eq!(sums(ncu, None)[2..], [Some(1024), Some(4096), Some(1024)]);
        let raw = "\"ID\",\"Kernel Name\",\"memory_l1_wavefronts_shared\",\"memory_l1_wavefronts_shared_ideal\"\n\
            \"\",\"\",\"\",\"\"\n\"0\",\"t\",\"32\",\"1\"\n";
        assert_eq!(sums(raw, None)[3..], [Some(32), Some(1)]);
    }

    /// The metrics of loads, of stores or of all: conflicts are what is not ideal, and a count of all holds those of its
    /// parts.
    #[test]
    fn conflicts_of_the_hardware() {
        let wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared";
        let conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared";
        let table = |rows: &[(&str, &str, u64)]| {
            let mut text = "\"Kernel Name\",\"Metric Name\",\"Metric Value\"\n".to_string();
            for (name, of, count) in rows {
                text += &format!("\"t\",\"{name}{of}.sum\",\"{count}\"\n");
            }
            text
        };
        let of = |rows: &[(&str, &str, u64)]| sums(&table(rows), None)[3..].to_vec();
        let loads = [(wavefronts, "_op_ld", 32), (conflicts, "_op_ld", 31)];
        let stores = [(conflicts, "_op_st", 0), (wavefronts, "_op_st", 4)];
        let all = [(wavefronts, "", 40), (conflicts, "", 31)];
        assert_eq!(of(&loads), [Some(32), Some(1)]);
        assert_eq!(of(&[loads, stores].concat()), [Some(36), Some(5)]);
        assert_eq!(of(&[loads, stores, all].concat()), [Some(40), Some(9)]);
        // Of stores nothing is known but wavefronts, which count in no ideal.
        assert_eq!(of(&[&loads[..], &stores[1..]].concat()), [Some(32), Some(1)]);
        // Arbitration lost more than there was.
        assert_eq!(of(&[(wavefronts, "", 4), (conflicts, "", 5)]), [Some(4), Some(0)]);
        let ideal =
            [("memory_l1_wavefronts_shared", "", 39), ("memory_l1_wavefronts_shared_ideal", "", 8)];
        assert_eq!(of(&[all, ideal].concat()), [Some(39), Some(8)]);
        // Alone they are cycles that were lost.
        let alone = read(&table(&loads[1..]), None).unwrap();
        assert_eq!((alone.sums, alone.conflicts), ([None; 5], Some(loads[1].2)));
    }

    /// All columns, in the order and with the digits that the writers' sources have.
    #[test]
    fn tables_as_rocm_writes_them() {
        let v3 = "\"Correlation_Id\",\"Dispatch_Id\",\"Agent_Id\",\"Queue_Id\",\"Process_Id\",\"Thread_Id\",\
            \"Grid_Size\",\"Kernel_Id\",\"Kernel_Name\",\"Workgroup_Size\",\"LDS_Block_Size\",\"Scratch_Size\",\
            \"VGPR_Count\",\"Accum_VGPR_Count\",\"SGPR_Count\",\"Counter_Name\",\"Counter_Value\",\
            \"Start_Timestamp\",\"End_Timestamp\"\n\
            1,1,\"Agent 4\",1,9,9,65536,3,\"gemm\",256,16384,0,32,0,16,\"SQ_LDS_BANK_CONFLICT\",0.00000000e+00,5,6\n\
            1,1,\"Agent 4\",1,9,9,65536,3,\"gemm\",256,16384,0,32,0,16,\"SQ_LDS_IDX_ACTIVE\",32000.000000,5,6\n";
        assert_eq!(sums(v3, Some("gemm"))[..2], [Some(0), Some(32_000)]);
        let v2 = "Dispatch_ID,GPU_ID,Queue_ID,PID,TID,Grid_Size,Workgroup_Size,LDS_Per_Workgroup,\
            Scratch_Per_Workitem,Arch_VGPR,Accum_VGPR,SGPR,Wave_Size,Kernel_Name,Start_Timestamp,\
            End_Timestamp,Correlation_ID,SQC_LDS_BANK_CONFLICT,SQC_LDS_IDX_ACTIVE\n\
            1,2,1,9,9,65536,256,16384,0,32,0,16,32,\"gemm\",5,6,7,24,32\n";
        assert_eq!(sums(v2, None)[..2], [Some(24), Some(32)]);
        let v1 = "Index,KernelName,gpu-id,queue-id,queue-index,pid,tid,grd,wgr,lds,scr,arch_vgpr,\
            accum_vgpr,sgpr,wave_size,sig,obj,SQ_LDS_BANK_CONFLICT,SQ_LDS_IDX_ACTIVE\n\
            0,\"gemm\",0,0,0,9,9,65536,256,16384,0,32,0,16,64,0x0,0x0,24,32\n";
        assert_eq!(sums(v1, Some("gemm"))[..2], [Some(24), Some(32)]);
    }

    #[test]
    fn counts_are_whole() {
        let counts = ["24", "4,096", "24.000000", "2.40000000e+01", "0.00000000e+00"].map(number);
        assert_eq!(counts, [Some(24), Some(4096), Some(24), Some(24), Some(0)]);
        for text in ["", "-1", "-1e0", "2.5", "2.5e0", "1e300", "nan", "inf", "x", "1e", "e"] {
            assert_eq!(number(text), None, "{text}");
        }
    }

    /// Counts are added up for one kernel, or for kernels that were chosen.
    #[test]
    fn kernels_are_told_apart() {
        let two = "KernelName,SQ_LDS_BANK_CONFLICT\ngemm,1\ngemm_bias,20\ncopy,300\ngemm,1\n";
        let of = |kernel| sums(two, Some(kernel))[0];
        assert_eq!([of("gemm"), of("gemm_"), of("em"), of("copy")], [2, 20, 22, 300].map(Some));
        assert_eq!(
            read(two, None).unwrap_err(),
            "it has 3 kernels; name one with --kernel: copy; gemm; gemm_bias"
        );
    }

    #[test]
    fn refusals() {
        let said = |text: &str, kernel| read(text, kernel).unwrap_err();
        assert_eq!(said("", None), "the profile is empty");
        assert_eq!(
            said("KernelName,SQ_LDS_IDX_ACTIVE\nk,x\n", None),
            "line 2: SQ_LDS_IDX_ACTIVE is `x`, which is not a count"
        );
        assert_eq!(
            said("KernelName,SQ_LDS_IDX_ACTIVE\nk,1\n", Some("q")),
            "no kernel's name contains `q`; the kernels are: k"
        );
        assert!(said("KernelName,SQ_WAVES\nk,1\n", None).starts_with("no counter of LDS is in it"));
    }
}
