//! Calls of a function of a header: as C++, and the hash of what they must return.

use core::fmt::Write as _;

/// Calls of one function, and the hash of what they return.
pub(crate) struct Call {
    pub(crate) label: String,
    pub(crate) counts: Vec<u64>,
    pub(crate) code: String,
    pub(crate) hash: u64,
}

impl Call {
    /// `code` is C++ of `i0`, `i1`, ..; `expected` the same.
    pub(crate) fn of(
        label: &str,
        counts: &[u64],
        code: String,
        expected: impl Fn(&[u64]) -> u64,
    ) -> Self {
        let mut hash = 0;
        let all: u64 = counts.iter().product();
        for id in 0..all {
            let (mut index, mut rest) = (vec![0; counts.len()], id);
            for d in (0..counts.len()).rev() {
                (index[d], rest) = (rest % counts[d], rest / counts[d]);
            }
            hash = mix(hash, expected(&index));
        }
        Self { label: label.to_string(), counts: counts.to_vec(), code, hash }
    }

    /// A constant, such as `A_read_LANES`.
    pub(crate) fn constant(label: &str, naming: &Naming, name: &str, value: u64) -> Self {
        let code = format!("{}{name}", naming.before);
        Self::of(&format!("{label} {name}"), &[1], code, |_| value)
    }

    pub(crate) fn program(&self) -> String {
        let mut text = "    h = 0;\n".to_string();
        for (i, count) in self.counts.iter().enumerate() {
            writeln!(text, "    for (unsigned i{i} = 0; i{i} < {count}u; i{i}++)").unwrap();
        }
        writeln!(text, "        mix({});", self.code).unwrap();
        writeln!(text, "    std::printf(\"{} %llu\\n\", h);", self.label).unwrap();
        text
    }
}

pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
}

/// How functions are called: `f7::A_` or `f7_A_`.
pub(crate) struct Naming {
    pub(crate) before: String,
}

impl Naming {
    pub(crate) fn call(&self, function: &str, arguments: &str) -> String {
        format!("{}{function}({arguments})", self.before)
    }
}
