//! Machine code in a file that is no text: the tools that disassemble it.
//!
//! | begins with | is | disassembled by |
//! |---|---|---|
//! | `\x7fELF`, machine 190 | a cubin | `nvdisasm`, or `cuobjdump -sass` |
//! | `\x7fELF`, machine 224 | an AMD code object, `.hsaco` | `llvm-objdump -d`, with the kernels' descriptors of `.rodata` |
//! | `\x7fELF`, another machine, and `0xba55ed50` | a program or a fatbin of NVIDIA | `cuobjdump -sass` |
//!
//! The disassembly of a code object does not name its chip: that is taken from the flags of the file.
//!
//! Sources: NVIDIA, "CUDA Binary Utilities"; LLVM, "User Guide for AMDGPU Backend", "ELF Code Object".

use std::process::{Command, Stdio};

const CUDA: u16 = 190;
const AMDGPU: u16 = 224;

/// Chips by the lowest byte of the flags: what clang 19 writes for each, and of gfx950 what ROCm 7.2 does.
const CHIPS: [(u8, &str); 14] = [
    (0x2f, "gfx906"),
    (0x30, "gfx908"),
    (0x36, "gfx1030"),
    (0x3f, "gfx90a"),
    (0x41, "gfx1100"),
    (0x43, "gfx1150"),
    (0x46, "gfx1101"),
    (0x47, "gfx1102"),
    (0x48, "gfx1200"),
    (0x4a, "gfx1151"),
    (0x4c, "gfx942"),
    (0x4e, "gfx1201"),
    (0x4f, "gfx950"),
    (0x55, "gfx1152"),
];

/// The chip of a code object, as assembly says it.
fn chip(bytes: &[u8]) -> Option<String> {
    let flags = bytes.get(48)?;
    let (_, chip) = CHIPS.iter().find(|(number, _)| number == flags)?;
    Some(format!("\n\t.amdgcn_target \"amdgcn-amd-amdhsa--{chip}\"\n"))
}

/// A program with its arguments before the file.
type Tool = &'static [&'static str];

/// A kind of machine code: its name, the tools that disassemble it, the best first, and what they leave out.
type Kind = (&'static str, &'static [Tool], Option<String>);

/// The kind of machine code; `None` if it is something else.
fn kind(bytes: &[u8]) -> Option<Kind> {
    const OF_CUBIN: &[Tool] = &[&["nvdisasm"], &["cuobjdump", "-sass"]];
    const OF_FATBIN: &[Tool] = &[&["cuobjdump", "-sass"]];
    const OF_AMD: &[Tool] = &[
        &["llvm-objdump", "-d", "-j", ".text", "-j", ".rodata"],
        &["llvm-objdump", "-d"],
        &["/opt/rocm/llvm/bin/llvm-objdump", "-d", "-j", ".text", "-j", ".rodata"],
        &["/opt/rocm/llvm/bin/llvm-objdump", "-d"],
    ];
    if bytes.starts_with(&[0x50, 0xed, 0x55, 0xba]) {
        return Some(("a fatbin", OF_FATBIN, None));
    }
    if !bytes.starts_with(b"\x7fELF") {
        return None;
    }
    let machine = bytes.get(18..20).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]));
    Some(match machine {
        CUDA => ("a cubin", OF_CUBIN, None),
        AMDGPU => ("an AMD code object", OF_AMD, chip(bytes)),
        _ => ("a program", OF_FATBIN, None),
    })
}

/// The disassembly of a file with machine code; `None` if it is something else.
pub(crate) fn text(name: &str, bytes: &[u8]) -> Option<Result<String, String>> {
    by(name, bytes, run)
}

fn by(
    name: &str,
    bytes: &[u8],
    run: impl Fn(Tool, &str) -> Option<String>,
) -> Option<Result<String, String>> {
    let (kind, tools, left_out) = kind(bytes)?;
    let text = (name != "-").then(|| tools.iter().find_map(|tool| run(tool, name))).flatten();
    // Behind the text, so that its lines stay what they are.
    let text = text.map(|text| text + &left_out.unwrap_or_default());
    Some(text.ok_or_else(|| {
        let file = if name == "-" { "FILE" } else { name };
        let command = tools[0].join(" ");
        let mut names: Vec<_> = tools.iter().map(|tool| tool[0]).collect();
        names.dedup();
        let why = match (name, &names[..]) {
            ("-", _) => "no tool disassembles the standard input".to_string(),
            (_, [one]) => format!("{one} is not installed or does not read it"),
            (_, names) => format!("{} are not installed or do not read it", names.join(" and ")),
        };
        format!("{kind}, which is no text, and {why}: `{command} {file} > kernel.txt` writes what is read")
    }))
}

/// The output of a tool for a file, if it is installed and succeeds.
fn run(tool: Tool, name: &str) -> Option<String> {
    // A name that begins with a dash would be an option.
    let file = if name.starts_with('-') { format!("./{name}") } else { name.to_string() };
    let command = Command::new(tool[0]).args(&tool[1..]).arg(file).stdin(Stdio::null()).output();
    let output = command.ok().filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elf(machine: u16) -> Vec<u8> {
        let mut bytes = b"\x7fELF".to_vec();
        bytes.resize(18, 0);
        bytes.extend(machine.to_le_bytes());
        bytes
    }

    /// The first tool that is installed is asked, and without one a sentence says what to run.
    #[test]
    fn tools_of_machine_code() {
        let only = |wanted: &'static str| {
            move |tool: Tool, file: &str| {
                (tool[0] == wanted).then(|| format!("{} {file}", tool.join(" ")))
            }
        };
        let of = |bytes: &[u8], tool| by("k.cubin", bytes, only(tool)).unwrap();
        assert_eq!(of(&elf(CUDA), "nvdisasm"), Ok("nvdisasm k.cubin".to_string()));
        assert_eq!(of(&elf(CUDA), "cuobjdump"), Ok("cuobjdump -sass k.cubin".to_string()));
        let of_amd = "llvm-objdump -d -j .text -j .rodata k.cubin";
        assert_eq!(of(&elf(AMDGPU), "llvm-objdump"), Ok(of_amd.to_string()));
        // The file says which chip it is for, and where no section of descriptors can be read the code alone is.
        let mut bytes = elf(AMDGPU);
        bytes.resize(64, 0);
        bytes[48..50].copy_from_slice(&[0x4c, 0x05]);
        let named = "\n\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx942\"\n";
        assert_eq!(of(&bytes, "llvm-objdump"), Ok(of_amd.to_string() + named));
        let plain = |tool: Tool, _: &str| (tool.len() == 2).then(|| tool.join(" "));
        let text = by("k.hsaco", &bytes, plain).unwrap();
        assert_eq!(text, Ok("llvm-objdump -d".to_string() + named));
        assert_eq!(of(&elf(62), "cuobjdump"), Ok("cuobjdump -sass k.cubin".to_string()));
        assert_eq!(
            of(&[0x50, 0xed, 0x55, 0xba], "cuobjdump"),
            Ok("cuobjdump -sass k.cubin".to_string())
        );
        assert_eq!(
            of(&elf(CUDA), "none").unwrap_err(),
            "a cubin, which is no text, and nvdisasm and cuobjdump are not installed or do not read it: \
             `nvdisasm k.cubin > kernel.txt` writes what is read"
        );
        assert_eq!(
            by("-", &elf(AMDGPU), only("llvm-objdump")).unwrap().unwrap_err(),
            "an AMD code object, which is no text, and no tool disassembles the standard input: \
             `llvm-objdump -d -j .text -j .rodata FILE > kernel.txt` writes what is read"
        );
        assert!(by("k.s", b".target sm_90", only("nvdisasm")).is_none());
        assert!(by("k.s", b"\x7fELF", only("nvdisasm")).is_some_and(|one| one.is_err()), "cut off");
    }
}
