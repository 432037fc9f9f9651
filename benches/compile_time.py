#!/usr/bin/env python3
"""What a further layout costs the compiler.

A library of types is paid for at compile time. CK Tile's descriptors cost 140 ms
each: a kernel library with a thousand of them waits minutes before it has
compiled one kernel. This script builds 1, 10, 50 and 200 different xor layouts,
each with a function that computes an offset, and takes the slope from 10 to 200:
what one more costs, whatever the start costs.

    python3 benches/compile_time.py                     # about five minutes
    python3 benches/compile_time.py --quick             # 10 and 200 layouts, 2 runs
    python3 benches/compile_time.py --against FOLDER    # another checkout, side by side
    CUTE_INCLUDE=FOLDER:FOLDER.. python3 benches/compile_time.py     # and CuTe, in the same run

Rows of the table: what is built.

    layouts   layout! { type X = recipe::GemmXorLayer<..>; } with its check, and X::at
    verdicts  the same, and the degree of one read: one instruction
    wholes    the same, and the degree of a whole tile of such reads
    rows      layout! of padded rows, and X::at
    padded    the same, and the degree of a whole tile of reads
    found     the layered tiles by synthesize!, from a write and two reads that it judges
    filled    layouts, and a direct load of 16 bytes a lane that fills each (assert_direct_load!)
    bare      the same descriptor without layout!: checked only where code is made
    by hand   the formula, written out: what any 200 functions cost

So verdicts - layouts is one verdict, padded - rows one of a padded tile, layouts - bare in the column `check` is const
evaluation, layouts in `-O` less
`check` is instantiating and optimising what the types expand to, and by hand is
rustc itself.

Columns: `check` is --emit=metadata, what cargo check does; `-O` is an optimised
object with rustc's own choice of codegen units; `-O, 1 unit` is the same in one.
Lines `compile_time CASE MS` are for scripts: each case's own further cost.

CuTe's layouts are compiled by a C++ compiler (CXX, or g++) at -O3 for the host, each with a
function that computes an offset: `plain` is a swizzle over rows, `tiled` one over 8 rows,
repeated. CUTE_INCLUDE names the folders of the headers of CUTLASS (`cute/layout.hpp`), of
CUDA's run time, of its compiler and of CCCL; the Python packages nvidia-cutlass,
nvidia-cuda-runtime-cu12, nvidia-cuda-nvcc-cu12 and nvidia-cuda-cccl-cu12 have them. Lines
`compile_time declared_to_cute RATIO` and `at_to_cute` are ours to its plain swizzle's.
Times are CPU (user + system, children included), the least of several runs: wall
time on a shared machine says more about the neighbours.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

from search_bound import cargo_library

ROOT = pathlib.Path(__file__).resolve().parent.parent
COUNTS = [1, 10, 50, 200]
# Milliseconds per further descriptor, optimised, by their own headers. Other
# compilers on another machine: for orientation, not for a ratio.
PUBLISHED = [
    ("CK Tile, index swapping, 4 stages (clang 19, -O3)", "140"),
    ("CuTe C++, plain swizzle (g++ 12, -O3)", "6-9"),
    ("CuTe C++, tiled swizzle (g++ 12, -O3)", "55"),
]
MODES = [
    ("check", ["--emit=metadata"]),
    ("-O", ["-O", "--emit=obj"]),
    ("-O, 1 unit", ["-O", "--emit=obj", "-C", "codegen-units=1"]),
]


def tiles():
    """Different tiles (M, K, layers): packs of 8, as many layers as fit 64 elements."""
    # Whole tiles of reads of 16 rows of 32 elements; 200 of them fit into 160 KiB.
    rows = 48
    while True:
        rows += 16
        for depth, layers in [(32, 1), (32, 2), (32, 4), (64, 1), (64, 2), (64, 4), (64, 8), (32, 8)]:
            yield rows, depth, layers


def words_of(root):
    """A read of 16 rows in one instruction and in all of a tile, and what a statement puts before a pattern that is
    asked for one instruction: a checkout before `First` has other words."""
    patterns = root / "src" / "pattern.rs"
    if patterns.exists() and "pub struct First" in patterns.read_text():
        return "First<MfmaRows<16>>", "MfmaRows<16>", "first "
    return "MfmaRows<16>", "Whole<MfmaRows<16>>", ""


def source(kind, count, words):
    """A crate of `count` layouts, each with one function."""
    lines = ["#![allow(dead_code, unused_imports)]", "use tiledesc::prelude::*;"]
    one, whole, first = words
    if kind == "bare":
        # The recipe's own transforms, without Layout and so without its check.
        lines += [
            "descriptor! {",
            "    type Layered<K, M, P, L>:",
            "        naive [K/P*L, M/L, P] strides [P, K*L, 1];",
            "        xor[M/L, K/P*L] (1, 0) -> (1, 0),   pass[P] (2) -> (2);",
            "        unmerge[L, K/P] (0) -> (0, 2),      pass[M/L] (1) -> (1),   pass[P] (2) -> (3);",
            "        merge[M/L, L] (1, 0) -> (0),        merge[K/P, P] (2, 3) -> (1);",
            "}",
        ]
    for i, (m, k, l) in zip(range(count), tiles()):
        if kind == "found":
            lines.append(
                f"synthesize! {{ type X{i} = F16 [{m}, {k}] on gfx950: write ds_write_b128 by {first}RowMajor, "
                f"read ds_read_b128 by {first}MfmaRows<16>, read ds_read_b128 by {first}MfmaRows<32>; }}"
            )
            body = f"X{i}::at([m, k])"
        elif kind in ("layouts", "verdicts", "wholes", "rows", "padded", "filled"):
            recipe = f"GemmXorLayer<F16, M<{m}>, K<{k}>, KPack<8>, MLdsLayer<{l}>>"
            if kind in ("rows", "padded"):
                recipe = f"RowPad<F16, M<{m}>, K<{k}>, Padding<{8 * l}>>"
            lines.append(f"layout! {{ type X{i} = recipe::{recipe}; }}")
            asked = {"verdicts": one, "wholes": whole, "padded": whole}
            if kind in asked:
                lines.append(
                    f"const _: () = assert!(X{i}::degree::<{asked[kind]}>"
                    "(&tiledesc::chip::gfx950::ds_read_b128) <= 16);"
                )
            if kind == "filled":
                lines.append(
                    f"assert_direct_load! {{ X{i} on gfx950: global_load_lds_b128 by 1 wave, from rows of {k}; }}"
                )
            body = f"X{i}::at([m, k])"
        elif kind == "bare":
            lines.append(
                f"type X{i} = Layered<recipe::K<{k}>, recipe::M<{m}>, KPack<8>, MLdsLayer<{l}>>;"
            )
            body = f"X{i}::default().at([m, k])"
        else:
            row, chunks = f"(m / {l})", k // 8
            chunk = f"((m % {l} * {chunks} + k / 8) ^ ({row} % {chunks * l}))"
            # M does not enter; without it 50 functions of one tile were one.
            body = f"{row} * {k * l} + {chunk} * 8 + k % 8 + {m}"
        # Not inlined into nothing: a function of the crate's interface.
        lines.append(f"#[inline(never)] pub fn offset_{i}(m: u32, k: u32) -> u32 {{ {body} }}")
    return "\n".join(lines) + "\n"


def cute_source(kind, count):
    """A translation unit of `count` CuTe layouts, each with one function."""
    lines = ["#include <cute/layout.hpp>", "#include <cute/swizzle_layout.hpp>", "using namespace cute;"]
    for i in range(count):
        # Each another type: of one, a further function is next to nothing.
        m, k = 64 + 16 * i, 64 >> i % 2
        swizzle = f"Swizzle<{3 - i % 2},3,3>{{}}"
        rows = 8 if kind == "tiled" else m
        layout = f"Layout<Shape<Int<{rows}>,Int<{k}>>,Stride<Int<{k}>,Int<1>>>{{}}"
        layout = f"composition({swizzle}, {layout})"
        if kind == "tiled":
            layout = f"tile_to_shape({layout}, Shape<Int<{m}>,Int<{k}>>{{}})"
        lines.append(f'extern "C" int offset_{i}(int m, int k) {{ return {layout}(m, k); }}')
    return "\n".join(lines) + "\n"


def cute_command():
    """The C++ compiler with CuTe's headers; or nothing, and why."""
    folders = [folder for folder in os.environ.get("CUTE_INCLUDE", "").split(os.pathsep) if folder]
    if not folders:
        return None, "CUTE_INCLUDE names no folders of headers"
    if not any((pathlib.Path(folder) / "cute" / "layout.hpp").exists() for folder in folders):
        return None, "no cute/layout.hpp in the folders of CUTE_INCLUDE"
    compiler = os.environ.get("CXX", "g++")
    if not shutil.which(compiler):
        return None, f"there is no {compiler}"
    command = [compiler, "-std=c++17", "-O3", "-w", "-c"]
    return command + [word for folder in folders for word in ("-I", folder)], ""


def build_library(root, target):
    """Builds the library as cargo does; returns the rlib and the folder of the others."""
    rlib, folder = cargo_library(root, target, ["build", "--release"], ".rlib")
    return rlib, folder / "deps"


def cpu_seconds(command):
    """User and system seconds of a command and its children."""
    child = subprocess.Popen(command)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"failed: {' '.join(map(str, command))}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3, help="runs of each build, of which the least counts")
    parser.add_argument("--quick", action="store_true", help="10 and 200 layouts only, 2 runs")
    parser.add_argument("--against", type=pathlib.Path, help="another checkout, measured in turns with this one")
    arguments = parser.parse_args()
    counts = [10, 200] if arguments.quick else COUNTS
    runs = 2 if arguments.quick else arguments.runs

    # cargo's own convention for where things are built.
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    roots = {"here": ROOT}
    if arguments.against:
        roots["there"] = arguments.against.resolve()
    rustc = {}
    for name, root in roots.items():
        into = target if name == "here" else target / "compile_time" / "against"
        rlib, dependencies = build_library(root, into)
        rustc[name] = [os.environ.get("RUSTC", "rustc"), "--edition=2024", "--crate-type=lib"]
        rustc[name] += ["--extern", f"tiledesc={rlib}", "-L", f"dependency={dependencies}"]
        rustc[name] += ["-A", "long_running_const_eval"]
    folder = target / "compile_time"
    folder.mkdir(parents=True, exist_ok=True)

    kinds = ["layouts", "verdicts", "wholes", "rows", "padded", "found", "filled", "bare", "by hand"]
    # What only const evaluation differs in is only checked.
    checked = ["verdicts", "wholes", "rows", "padded", "found", "filled"]
    times = {}
    cute, why = cute_command()
    # Run by run, not build by build, so that a busy minute does not fall on one.
    for _ in range(runs):
        for kind in kinds:
            for count in counts:
                file = folder / f"{kind.replace(' ', '_')}_{count}.rs"
                for mode, flags in MODES[:1] if kind in checked else MODES:
                    for name, root in roots.items():
                        file.write_text(source(kind, count, words_of(root)))
                        command = rustc[name] + flags + ["--out-dir", str(folder), str(file)]
                        took = cpu_seconds(command)
                        key = (name, kind, mode, count)
                        times[key] = min(took, times.get(key, took))
        for kind in ["plain", "tiled"] if cute else []:
            for count in counts:
                file = folder / f"cute_{kind}_{count}.cpp"
                file.write_text(cute_source(kind, count))
                took = cpu_seconds(cute + ["-o", str(file.with_suffix(".o")), str(file)])
                key = ("CuTe", kind, "-O", count)
                times[key] = min(took, times.get(key, took))
    slopes = {name: report(name, kinds, counts, runs, times) for name in roots}
    if cute:
        plain, tiled = (slope(times, ("CuTe", kind, "-O")) for kind in ["plain", "tiled"])
        print(f"compile_time cute_plain {plain:.2f}\ncompile_time cute_tiled {tiled:.2f}")
        for case, cost in [("declared", slopes["here"]["layouts", "check"]), ("at", slopes["here"]["layouts", "-O"])]:
            print(f"compile_time {case}_to_cute {cost / plain:.2f}")
    else:
        print(f"compile_time cute skipped: {why}")
    print("\nPublished, ms per further descriptor (other compilers, another machine):")
    for name, cost in PUBLISHED:
        print(f"  {name:<52}{cost:>6}")


def slope(times, key):
    """Milliseconds of one more, between 10 and 200."""
    return (times[(*key, 200)] - times[(*key, 10)]) / 190 * 1000


def report(name, kinds, counts, runs, times):
    """Prints the table of a checkout, and its lines for scripts; returns what one more costs."""
    print(f"\n{name}: CPU seconds, least of", runs)
    head = "".join(f"{f'N = {n}':>10}" for n in counts)
    print(f"{'':9} {'':11}{head}{'ms each, 10 to 200':>22}")
    slopes = {}
    for kind in kinds:
        for mode, _ in MODES:
            if (name, kind, mode, 10) not in times:
                continue
            row = "".join(f"{times[name, kind, mode, n]:10.2f}" for n in counts)
            slopes[kind, mode] = slope(times, (name, kind, mode))
            print(f"{kind:9} {mode:11}{row}{slopes[kind, mode]:22.2f}")
    check = lambda kind: slopes[kind, "check"]
    prefix = "compile_time" if name == "here" else f"compile_time({name})"
    for case, cost in [
        ("declared", check("layouts")),
        ("at", slopes["layouts", "-O"]),
        ("verdict", check("verdicts") - check("layouts")),
        ("whole_tile", check("wholes") - check("layouts")),
        ("padded", check("padded") - check("rows")),
        ("synthesized", check("found")),
        ("direct_load", check("filled") - check("layouts")),
        ("by_hand", slopes["by hand", "-O"]),
    ]:
        print(f"{prefix} {case} {cost:.2f}")
    return slopes


if __name__ == "__main__":
    main()
