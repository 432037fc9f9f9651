//! Profiles as tables: the LDS counters of rocprof and of Nsight Compute, summed up.
//!
//! | written by | a line is | kernel, name, value |
//! |---|---|---|
//! | `rocprofv3 --pmc .. --output-format csv` | a counter of a dispatch | `Kernel_Name`, `Counter_Name`, `Counter_Value` |
//! | `rocprof -i` | a dispatch, with a column for each counter | `KernelName` |
//! | `ncu --csv` | a metric of a launch | `Kernel Name`, `Metric Name`, `Metric Value` |
//! | `ncu --csv --page raw` | a launch, with a column for each metric | `Kernel Name` |

use std::collections::BTreeSet;

/// What is wanted of a profile, each by the names that it has.
const WANTED: [(&str, &[&str]); 5] = [
    ("bank_conflict", &["SQ_LDS_BANK_CONFLICT"]),
    ("idx_active", &["SQ_LDS_IDX_ACTIVE"]),
    (
        "insts",
        &[
            "SQ_INSTS_LDS",
            "smsp__inst_executed_op_shared",
            "smsp__inst_executed_op_shared_ld",
            "smsp__inst_executed_op_shared_st",
        ],
    ),
    ("wavefronts", &["memory_l1_wavefronts_shared", "l1tex__data_pipe_lsu_wavefronts_mem_shared"]),
    ("ideal", &["memory_l1_wavefronts_shared_ideal"]),
];

/// The sums of a profile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Profile {
    /// In the order of `WANTED`.
    sums: [Option<u64>; 5],
    /// The kernels that were summed up.
    pub(crate) kernels: BTreeSet<String>,
}

impl Profile {
    /// A sum by its name here.
    pub(crate) fn sum(&self, name: &str) -> Option<u64> {
        self.sums[WANTED.iter().position(|(wanted, _)| *wanted == name)?]
    }

    fn add(&mut self, counter: &str, value: &str, line: usize) -> Result<(), String> {
        let plain = counter.trim().trim_end_matches(".sum");
        let Some(at) = WANTED.iter().position(|(_, names)| names.contains(&plain)) else {
            return Ok(());
        };
        let count = number(value)
            .ok_or_else(|| format!("line {line}: {plain} is `{value}`, and no count"))?;
        let sum = &mut self.sums[at];
        *sum = Some(sum.unwrap_or(0).saturating_add(count));
        Ok(())
    }
}

/// A count: digits, with or without commas between thousands or `.0` behind.
fn number(text: &str) -> Option<u64> {
    let plain = text.trim().replace(',', "");
    let whole = plain.split_once('.').map_or(plain.as_str(), |(whole, rest)| {
        if rest.bytes().all(|digit| digit == b'0') { whole } else { plain.as_str() }
    });
    whole.parse().ok()
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

/// Where a column is, by one of its names.
fn column(head: &[String], names: &[&str]) -> Option<usize> {
    let plain = |text: &str| text.trim().to_lowercase().replace([' ', '_'], "");
    head.iter().position(|field| names.iter().any(|name| plain(field) == plain(name)))
}

/// The sums over all lines whose kernel's name holds `kernel`.
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
    let mut profile = Profile::default();
    for (i, line) in lines {
        let row = fields(line);
        let name = by_kernel.and_then(|at| row.get(at)).map_or("", String::as_str);
        // A second line of units has no kernel.
        let is_units = by_kernel.is_some() && name.is_empty();
        if is_units || kernel.is_some_and(|kernel| !name.contains(kernel)) {
            continue;
        }
        match by_line {
            Some((counter, value)) => {
                let field = |at: usize| row.get(at).map_or("", String::as_str);
                profile.add(field(counter), field(value), i + 1)?;
            }
            None => {
                for (counter, value) in head.iter().zip(&row) {
                    profile.add(counter, value, i + 1)?;
                }
            }
        }
        profile.kernels.insert(name.to_string());
    }
    match (profile.kernels.is_empty(), kernel) {
        (true, Some(kernel)) => Err(format!("no kernel's name holds `{kernel}`")),
        _ if profile.sums.iter().all(Option::is_none) => {
            Err("no counter of LDS is in it: SQ_LDS_BANK_CONFLICT and SQ_LDS_IDX_ACTIVE, or \
             memory_l1_wavefronts_shared and memory_l1_wavefronts_shared_ideal"
                .to_string())
        }
        _ => Ok(profile),
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
        assert_eq!(sums(rocprofv3, None)[0], Some(24_005));
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

    #[test]
    fn refusals() {
        let said = |text: &str, kernel| read(text, kernel).unwrap_err();
        assert_eq!(said("", None), "the profile is empty");
        assert_eq!(
            said("KernelName,SQ_LDS_IDX_ACTIVE\nk,x\n", None),
            "line 2: SQ_LDS_IDX_ACTIVE is `x`, and no count"
        );
        assert_eq!(
            said("KernelName,SQ_LDS_IDX_ACTIVE\nk,1\n", Some("q")),
            "no kernel's name holds `q`"
        );
        assert!(said("KernelName,SQ_WAVES\nk,1\n", None).starts_with("no counter of LDS is in it"));
    }
}
