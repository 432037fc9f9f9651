//! `why`: the instructions that lead to an address, as `tiledesc audit --why` prints them.

use crate::error::{guarded, refused};
use crate::given::{Asked, Given, Texts};
use crate::html::{cell, table};
use crate::question::ask;
use crate::view::view;
use pyo3::prelude::*;
use tiledesc_cli::{Known, Reasons as Found};

view! {
    /// An instruction that leads to an address, and what is known of what it writes.
    Step(of: &Known) {
        /// The line of the text, from 1.
        line: usize = of.line,
        /// The instruction, as the text has it.
        text: String = of.text.clone(),
        /// What is known after it; of the access itself what is found.
        known: String = of.known.clone(),
    }
}

#[pymethods]
impl Step {
    fn __repr__(&self) -> String {
        format!("<Step {self}>")
    }

    fn __str__(&self) -> String {
        self.to_string()
    }
}

impl std::fmt::Display for Step {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}  {}  {}", self.line, self.text, self.known)
    }
}

/// Why an address is what it is: the instructions that lead to it.
#[pyclass(frozen, module = "tiledesc")]
pub(crate) struct Reasons(Found);

#[pymethods]
impl Reasons {
    /// The name of the kernel, its chip, its waves and the number of its instructions.
    #[getter]
    fn head(&self) -> String {
        self.0.head.clone()
    }

    /// The instructions in the order of the text, the access last.
    #[getter]
    fn steps(&self) -> Vec<Step> {
        self.0.steps.iter().map(Step::new).collect()
    }

    fn __len__(&self) -> usize {
        self.0.steps.len()
    }

    fn __str__(&self) -> String {
        self.0.to_string().trim_end().to_string()
    }

    fn __repr__(&self) -> String {
        self.__str__()
    }

    fn _repr_html_(&self) -> String {
        let cells = |one: &Known| vec![cell(one.line), cell(&one.text), cell(&one.known)];
        let rows = self.0.steps.iter().map(cells).collect();
        table(std::slice::from_ref(&self.0.head), &["line", "instruction", "known"], rows)
    }
}

/// A line of the text, or of the source.
#[derive(FromPyObject)]
pub(crate) enum Place {
    Number(u64),
    Source(String),
}

/// Why the address of an access is what it is, or is not known: the instructions that lead to it, with what is known of each.
///
/// `line` is a line of the text, as in `Line.text_lines`, or of the source, `"attention.py:13"`, as in `Line.line`. Other
/// arguments are those of `audit`; a folder has no lines.
///
/// >>> import tiledesc as td
/// >>> print(td.why('''
/// ...     .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
/// ...     .type column,@function
/// ... column:
/// ...     global_load_dword v1, v[2:3], off
/// ...     v_lshlrev_b32_e32 v1, 2, v1
/// ...     ds_read_b32 v2, v1
/// ...     s_endpgm
/// ... ''', 7, block=64).steps[-1].known)
/// unknown: its address was loaded from memory at line 5
#[pyfunction]
#[pyo3(signature = (kernel_or_text, line, *, chip=None, block=None))]
pub(crate) fn why(
    kernel_or_text: &Bound<'_, PyAny>,
    line: Place,
    chip: Option<&str>,
    block: Option<&Bound<'_, PyAny>>,
) -> PyResult<Reasons> {
    guarded(|| {
        let given = Given::new(kernel_or_text)?;
        let asked = Asked::new(&given, chip, block, None, false)?;
        let source = match &given.texts {
            Texts::One(source) => source,
            Texts::Folder(path) => {
                return Err(refused(format!("{path} is a folder: give one of its files")));
            }
        };
        let at = match line {
            Place::Number(number) => number.to_string(),
            Place::Source(place) => place,
        };
        let found = ask(kernel_or_text.py(), || tiledesc_cli::why(source, &asked.options, &at))?;
        Ok(Reasons(found))
    })
}
