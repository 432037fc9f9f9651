//! The command line: the subcommands, and their `--help`.

use crate::request::notation::Notation;
use crate::request::options::Input;
use crate::request::profile::{self, Profile};
use crate::request::{audit, bytes, figure, language};
use clap::{Args, Parser, Subcommand, ValueEnum};

/// Bank conflicts of GPU tiles, before the kernel runs.
///
/// A kernel keeps tiles in LDS (shared memory), which has 32 or 64 banks. Lanes that access
/// different words of one bank wait for each other. tiledesc counts how many wait, from the layout
/// of the tile, the access pattern and the instruction, by what is known of the chip; and says
/// which layout would be free.
#[derive(Debug, Parser)]
#[command(
    name = "tiledesc",
    version,
    propagate_version = true,
    after_long_help = "\
Examples:
  tiledesc check kernel.toml                 every access of every tile, on every chip
  tiledesc check kernel.toml --format github annotations in a pull request
  tiledesc check --chip gfx942 --element f16 --shape m=128,k=64 \\
      --strides 64,1 --read 'ds_read_b128 by mfma-rows 16'
  tiledesc check --chip sm_90 --element f16 --shape m=128,k=64 \\
      --cute 'Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)' --consumed-by wgmma
  tiledesc explain kernel.toml --tile A      one access, lane by lane
  tiledesc find kernel.toml                  layouts by what they cost, and what is proven
  tiledesc show kernel.toml --format html -o report.html
  tiledesc emit kernel.toml --lang hip -o generated/
  tiledesc list gfx942                       the instructions of a chip, and how sure each row is

A first file, kernel.toml:
  version = 1
  chips = [\"gfx942\"]
  [tile.A]
  element = \"f16\"
  shape = { m = 128, k = 64 }
  recipe = \"gemm-xor\"      # or strides, cute, triton, iree, ck, stages
  kpack = 8
  write = [{ op = \"ds_write_b128\", by = \"row-major\" }]
  read = [{ op = \"ds_read_b128\", by = \"mfma-rows 16\", times = 4 }]

Exit status:
  0 all accesses are free   1 a conflict, a data race, or a global access beyond its limit
  2 invalid input, layout or access
  3 with --strict: the verdict rests on inferred or disputed evidence, or a read finds
    bytes that no stated write covers"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Judge every access of every tile on every chip
    Check(Check),
    /// Judge compiled kernels: every LDS instruction of AMDGPU assembly, every shared-memory one of PTX and SASS
    Audit(Audit),
    /// Show one access lane by lane and phase by phase, and the counters to expect
    Explain(Explain),
    /// Find the layouts that cost least in all accesses: cycles, bytes, address instructions
    Find(Find),
    /// Show figures, as text or SVG, or a whole report as one HTML file
    Show(Show),
    /// Write headers: offsets, the way back, constants, and the verdict as a comment
    Emit(Emit),
    /// Write a layout in another notation: CuTe, Triton, CK, descriptor!
    Convert(Convert),
    /// Say where an element lies, what lies at an offset, and how much is contiguous
    At(At),
    /// From a profiler's figures back to a degree, and to the accesses that explain it
    Counters(Counters),
    /// Print what chips, instructions, patterns and recipes there are, with evidence and source
    List(List),
    /// Print the JSON schema of what `check`, `audit` or `find` prints as JSON
    Schema(Schema),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print the manual as a man page, or that of a subcommand
    Man(Man),
}

#[derive(Debug, Args)]
#[command(after_help = "\
A text is what clang -S, hipcc --save-temps, Triton's .amdgcn or llvm-objdump -d print, assembly by hand with its
macros, the PTX of nvcc, clang and Triton, or the SASS of nvdisasm and cuobjdump -sass; a cubin or an hsaco is disassembled by these tools,
where they are installed. Instructions that are alike are one line; what is unknown says why.

Examples:
  tiledesc audit attention.amdgcn
  hipcc --offload-arch=gfx942 -O3 -S --offload-device-only gemm.hip -o - | tiledesc audit -
  nvcc -arch=sm_90 -lineinfo -ptx gemm.cu -o - | tiledesc audit -
  cuobjdump -sass program | tiledesc audit - --block 256
  tiledesc audit gemm.s --block 256 --max-degree 2 --format github
  tiledesc audit ~/.triton/cache -q                  all kernels of a folder, the dearest first
  tiledesc audit gemm.s --against kernel.toml        whether the code does what the file states
  tiledesc audit attention.amdgcn --why kernels.py:30   what its address is made of
  tiledesc audit attention.amdgcn --access 6         who waits for whom in line 6 of the list
  tiledesc audit attention.amdgcn --format html > report.html

Exit status: 1 a conflict, a data race, or an access of --against that is missing, 2 a text that cannot be
judged, or that --chip contradicts; with --strict 3 for what is unknown, not stated, may be a data race, rests on
inferred evidence, or by a source that disputes the row would not pass. Lanes that provably write the same value
to one byte are no data race")]
pub(crate) struct Audit {
    /// Texts of assembly, PTX or SASS, or machine code; folders of them, the dearest kernels first; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    /// Each instruction by itself
    #[arg(long)]
    pub(crate) all: bool,
    /// Only kernels of this name, as the text or the source has it, of a pattern with `*` and `?`, or whose name has this part
    #[arg(long, value_name = "NAME")]
    pub(crate) kernel: Option<String>,
    /// The shape of a block, where the text does not state it
    #[arg(long, value_name = "X,Y,Z", value_parser = audit::block)]
    pub(crate) block: Option<[u32; 3]>,
    /// The chip, where the text does not name it; of PTX also a later one than its `.target`. A chip that does not run
    /// what the text is compiled for is refused
    #[arg(long, value_name = "CHIP")]
    pub(crate) chip: Option<String>,
    /// A symbol that AMDGPU assembly does not define, as an assembler takes it. May be given several times
    #[arg(long, value_name = "NAME=N", value_parser = audit::symbol)]
    pub(crate) defsym: Vec<(String, i64)>,
    /// The highest degree that passes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_degree: u32,
    /// Refuse what is unknown, what may be a data race, and what rests on inferred evidence, or by another source
    /// would not pass (exit status 3)
    #[arg(long)]
    pub(crate) strict: bool,
    /// Let lanes write one byte, whatever the values
    #[arg(long)]
    pub(crate) allow_races: bool,
    /// A file of tiles: each of its accesses on the kernel's chip must be in the code
    #[arg(long, value_name = "FILE")]
    pub(crate) against: Option<String>,
    /// An earlier report, of --format json: only what is new or worse fails
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<String>,
    /// Draw the phases of a line of the list, from 1; beside it what would be better
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) access: Option<u32>,
    /// Print the instructions that lead to the address of an access, with what is known of each: of a line of the text, or of
    /// the first access of a line of the source, as in `kernels.py:30`
    #[arg(long, value_name = "LINE")]
    pub(crate) why: Option<String>,
    /// How findings are printed; figures as text or svg
    #[arg(long, value_enum, default_value_t = AuditFormat::Text)]
    pub(crate) format: AuditFormat,
    /// Print only kernels and instructions that do not pass, as text
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AuditFormat {
    /// Lines of instructions that are alike
    Text,
    /// One object, schema tiledesc.audit/1
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// The figure of --access
    Svg,
    /// One file of everything, with figures of what conflicts
    Html,
}

impl Audit {
    pub(crate) fn options(&self) -> tiledesc_audit::Options {
        let (chip, kernel, block) = (self.chip.clone(), self.kernel.clone(), self.block);
        tiledesc_audit::Options { chip, kernel, block, symbols: self.defsym.clone() }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Explain {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Only the tile of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) tile: Option<String>,
    /// Only accesses in this line of the file; of several the worst is shown
    #[arg(long, value_name = "N")]
    pub(crate) line: Option<usize>,
    /// The instruction of a pattern of several, from 0; else the worst
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The tile is stated with any layout, `strides` for instance, and its accesses; several chips
are searched together. The first line says how many cycles the best takes, and what is proven
of all others: the floor is the cycles of the same instructions without any conflict.
`address` counts the instructions that make the addresses of one lane for all accesses, each
once, on one chip. The exit status is 1 if nothing that was tried is free.")]
pub(crate) struct Find {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Only the tile of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) tile: Option<String>,
    /// List every layout that was found; without it, those that no other beats in cycles, bytes and address instructions
    #[arg(long)]
    pub(crate) all: bool,
    /// Print the declaration and an element of each in C++, as well
    #[arg(long)]
    pub(crate) code: bool,
    /// Print the best layout only, in the words of the file
    #[arg(long, conflicts_with_all = ["all", "code"])]
    pub(crate) words: bool,
    /// As JSON, all that was tried: one object, schema tiledesc.find/1
    #[arg(long, conflicts_with_all = ["all", "code", "words"])]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tiledesc emit kernel.toml --lang hip -o include/tiles.hpp
  tiledesc emit kernel.toml --lang cuda -o generated/     one header for each tile: generated/A.cuh
  tiledesc emit kernel.toml --lang c -o generated/ --list-outputs
A header is replaced in one step: whoever reads it meanwhile sees the old one or the new one.")]
pub(crate) struct Emit {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The language
    #[arg(long, value_name = "LANG", value_parser = clap::builder::PossibleValuesParser::new(language::names()))]
    pub(crate) lang: String,
    /// Only the tile of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) tile: Option<String>,
    /// A file for all tiles, or a folder (ending with `/`) for a file each; else, or with `-`, standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<std::path::PathBuf>,
    /// Print the files that would be written, a line each, and write none
    #[arg(long)]
    pub(crate) list_outputs: bool,
    /// Leave a header and its time as they are if its text is the same. Then the rule of a build needs a stamp
    /// beside the header, or runs every time
    #[arg(long)]
    pub(crate) if_changed: bool,
    /// Write what the outputs depend on, in the words of make
    #[arg(long, value_name = "PATH")]
    pub(crate) depfile: Option<std::path::PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tiledesc show kernel.toml                              who waits for whom, in the terminal
  tiledesc show kernel.toml --tile A --figure grid,bits
  tiledesc show kernel.toml --figure compare,keys        what else there is, and what it costs
  tiledesc show kernel.toml --format svg -o figures/     a file for each figure
  tiledesc show kernel.toml --format html -o report.html
The report is one file that loads nothing: verdicts, counters to expect, figures, layouts by
what they cost, code, the Rust lines to paste, evidence and sources. Of several accesses,
text and SVG show the worst of a tile; beside a layout that conflicts stands the one that
would be free.")]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Only the tile of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) tile: Option<String>,
    /// The figures, several with commas. [default: phases]
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(crate) figure: Vec<figure::Kind>,
    /// Only accesses in this line of the file, and all of them; else the worst of a tile
    #[arg(long, value_name = "N")]
    pub(crate) line: Option<usize>,
    /// The coordinate that goes through the transforms of `journey`: 3,17. Otherwise the last one
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub(crate) at: Vec<u32>,
    /// How figures are written
    #[arg(long, value_enum, default_value_t = Picture::Text)]
    pub(crate) format: Picture,
    /// A file, or of several SVGs a folder (ending with `/`); else, or with `-`, standard output
    #[arg(long, short, value_name = "PATH")]
    pub(crate) output: Option<std::path::PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Picture {
    /// Characters, for a terminal
    Text,
    /// One file for each figure
    Svg,
    /// One file of everything
    Html,
}

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Only the tile of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) tile: Option<String>,
    /// The notation; without it all, as lines of a file
    #[arg(long, value_enum)]
    pub(crate) to: Option<Notation>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tiledesc at kernel.toml --at 3,17                      its offset, and its byte
  tiledesc at kernel.toml --offset 201 --byte 402        what lies there
  tiledesc at kernel.toml                                places, bytes, what is contiguous, the form that TMA has for it")]
pub(crate) struct At {
    #[command(flatten)]
    pub(crate) input: Input,
    /// Only the tile of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) tile: Option<String>,
    /// A coordinate, in the order of the shape: 3,17
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub(crate) at: Vec<u32>,
    /// An offset, in elements. May be given several times
    #[arg(long, value_name = "N")]
    pub(crate) offset: Vec<u64>,
    /// A byte of the tile: the element that it is of. May be given several times
    #[arg(long, value_name = "N")]
    pub(crate) byte: Vec<u64>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tiledesc counters --bank-conflict 24000 --idx-active 32000 --insts 1000 --chip gfx942
  tiledesc counters kernel.toml --bank-conflict 24000 --idx-active 32000
  tiledesc counters kernel.toml --wavefronts 4096 --ideal 1024
  tiledesc counters kernel.toml --bank-conflict 24000      how often it explains which access
  tiledesc counters kernel.toml --profile counter_collection.csv --kernel gemm")]
pub(crate) struct Counters {
    #[command(flatten)]
    pub(crate) input: Input,
    /// A table of rocprof or Nsight Compute (CSV) that holds the counters
    #[arg(long, value_name = "CSV", conflicts_with_all = ["bank_conflict", "idx_active", "insts", "wavefronts", "ideal"])]
    pub(crate) profile: Option<std::path::PathBuf>,
    /// Only kernels of the table whose name holds this, or the one with this name; needed where there are several
    #[arg(long, value_name = "NAME", requires = "profile")]
    pub(crate) kernel: Option<String>,
    /// rocprof's SQ_LDS_BANK_CONFLICT: cycles lost
    #[arg(long, value_name = "N")]
    pub(crate) bank_conflict: Option<u64>,
    /// rocprof's SQ_LDS_IDX_ACTIVE: all cycles
    #[arg(long, value_name = "N")]
    pub(crate) idx_active: Option<u64>,
    /// rocprof's SQ_INSTS_LDS, or Nsight Compute's smsp__inst_executed_op_shared
    #[arg(long, value_name = "N")]
    pub(crate) insts: Option<u64>,
    /// Nsight Compute's memory_l1_wavefronts_shared
    #[arg(long, value_name = "N")]
    pub(crate) wavefronts: Option<u64>,
    /// Nsight Compute's memory_l1_wavefronts_shared_ideal
    #[arg(long, value_name = "N")]
    pub(crate) ideal: Option<u64>,
}

impl Counters {
    /// The counts of a profiler: the options, or the sums of the table.
    pub(crate) fn figures(&self) -> Result<Profile, String> {
        let Some(path) = &self.profile else {
            let Self { bank_conflict, idx_active, insts, wavefronts, ideal, .. } = *self;
            let sums = [bank_conflict, idx_active, insts, wavefronts, ideal];
            return Ok(Profile { sums, ..Profile::default() });
        };
        let name = path.to_string_lossy();
        let bytes = bytes::of_file(&name, bytes::OF_RECORDS)?;
        let profile = profile::read(&String::from_utf8_lossy(&bytes), self.kernel.as_deref());
        profile.map_err(|why| format!("{name}: {why}"))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Schema {
    /// The subcommand
    #[arg(value_enum, default_value_t = Reported::Check)]
    pub(crate) of: Reported,
}

/// The subcommands that print JSON of a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Reported {
    /// `check --format json`
    Check,
    /// `audit --format json`
    Audit,
    /// `find --json`
    Find,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// A subcommand
    pub(crate) command: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The highest degree that passes: 1 is free, 2 lets two lanes wait for a bank
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_degree: u32,
    /// Refuse verdicts that rest on inferred evidence, or by a source that disputes the row would not pass, and reads of
    /// bytes that no stated write covers (exit status 3); an access that says `as = "inferred"`, or `as = "disputed"`, in
    /// the file accepts such evidence
    #[arg(long)]
    pub(crate) strict: bool,
    /// An earlier report, of --format json: only what is new or worse fails
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<String>,
    /// How findings are printed; text has colours on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Print only what does not pass
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// `kernel.toml:15: B gfx942 ds_read_b128 mfma-rows 16  4-way ..`
    Text,
    /// One object, schema tiledesc.check/1
    Json,
    /// Annotations of GitHub Actions
    Github,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// A chip (its instructions), `chips`, `instructions`, `patterns`, `recipes`, `elements`,
    /// `languages`, or a recipe's name
    pub(crate) what: Option<String>,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}
