#!/usr/bin/env python3
"""What the compiler pays where nothing is free.

A search that finds a free layout ends at once. These are the statements that once kept it busy: tiles of
which no layout is free, or whose lanes are not xors of columns, and transfers of which each lane has an address
of its own. The aim is 0.3 s beyond the layout, found or not, on a machine that does nothing else.

    python3 benches/search_bound.py                     # half a minute
    python3 benches/search_bound.py --against FOLDER    # another checkout, case by case
    python3 benches/search_bound.py --most 300          # ends with 1 if a case takes more milliseconds

Lines are for scripts: `search CASE MS`, the CPU time (user + system) of `rustc --emit=metadata` of one
statement less that of its bare layout, with the library as `cargo check` builds it; the least of three runs.
A statement that is refused costs what its sentence costs too.

    rows_96         row-major 128x96, written and read in all instructions: refused, with the least pad
    column          synthesize! 64x64, a column read by ds_read_u16: refused
    column_128      the same of 128x128
    v_tile          synthesize! 128x64 of a distribution of 4 waves, V read by columns of 8 halves
    halo            a tile of 34x66 floats by a table, taken as `at most` says
    halo_stated     the same of a row-major tile: refused
    mixed_banks     gfx950, reads of 64 banks and of 32: packs placed bit by bit
    misaligned      an access off its alignment: refused, with the layouts that bear it
    three_tables    rows of 72 padded floats on sm_90, three accesses by tables of 60 instructions and two by rows: refused
    five_accesses   five accesses to padded rows of 72 halves on sm_90, one off its alignment: refused
    dense_u16       192x80 halves on gfx950, columns and single halves by 4 rows: a swizzle of the dense offset
    cp_async        64 KB by cp_async_b128, each unit with an address of its own
    cp_async_found  synthesize! of a tile filled so
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = "#![allow(dead_code)]\nuse tiledesc::prelude::*;\n"
READ_V = """distribution! {
    type Fetch: m [again 4, wave 4, row 8], k [chunk 8, half 8]; wave (wave), lane (row, chunk), thread (again, half);
    type ReadV: m [deep 4, part 4, half 8], k [wave 4, row 16]; wave (wave), lane (part, row), thread (deep, half);
}
"""
# 34x66 floats, a tile of 32x64 with its halo: stored in order by a wave, of which the last lanes are idle, and
# read down the columns.
HALO = """pattern! {
    Halo(lane, step in 36) => [(64 * step + lane) / 66, (64 * step + lane) % 66] if 64 * step + lane < 2244;
    Down(lane, step in 33) => [lane % 32 + 1, 2 * step + lane / 32];
}
"""
# Along rows of 72 floats by 2 and by 1 a lane, and down the diagonals of blocks of eight lanes.
TABLES = """pattern! {
    Twos(lane, step in 60) => [(32 * step + lane) * 2 / 72 % 512, (32 * step + lane) * 2 % 72];
    Down(lane, step in 60) => [(lane + step) % 512, (lane / 8 + step) % 72];
    Ones(lane, step in 60) => [(32 * step + lane) / 72 % 512, (32 * step + lane) % 72];
}
"""
CASES = {
    "rows_96": (
        "layout! { type T = recipe::RowMajor<F16, M<128>, K<96>>; }",
        "assert_conflict_free! { T on gfx942: write ds_write_b128 by RowMajor, "
        "read ds_read_b128 by MfmaRows<32> }",
    ),
    "column": (
        "layout! { type T = recipe::RowMajor<F16, M<64>, K<64>>; }",
        "synthesize! { type S = F16 [64, 64] on gfx942: write ds_write_b64 by RowMajor, "
        "read ds_read_u16 by Column; }",
    ),
    "column_128": (
        "layout! { type T = recipe::RowMajor<F16, M<128>, K<128>>; }",
        "synthesize! { type S = F16 [128, 128] on gfx942: write ds_write_b128 by RowMajor, "
        "read ds_read_u16 by Column; }",
    ),
    "v_tile": (
        READ_V + "layout! { type T = recipe::RowMajor<F16, M<128>, K<64>>; }",
        "synthesize! { type S = F16 [128, 64] on gfx942: write ds_write_b128 by Fetch, read ds_read_u16 by ReadV; }",
    ),
    "halo": (
        HALO + "layout! { type T = recipe::RowMajor<F32, M<34>, K<66>>; }",
        "synthesize! { type S = F32 [34, 66] on gfx942: write ds_write_b32 by Halo, read ds_read_b32 by Down; "
        "at most 220 cycles; }",
    ),
    "halo_stated": (
        HALO + "layout! { type T = recipe::RowMajor<F32, M<34>, K<66>>; }",
        "assert_conflict_free! { T on gfx942: write ds_write_b32 by Halo, read ds_read_b32 by Down }",
    ),
    "mixed_banks": (
        "layout! { type T = recipe::RowMajor<F32, M<128>, K<32>>; }",
        "synthesize! { type S = F32 [128, 32] on gfx950: write ds_write_b128 by RowMajor, "
        "read ds_read_b128 by RowMajor, read ds_read_b32 by MfmaRows<4>; }",
    ),
    "misaligned": (
        "layout! { type T = recipe::RowPad<F16, M<32>, K<32>, Padding<2>>; }",
        "assert_conflict_free! { T on gfx1201: read ds_load_b64 by first RowMajor }",
    ),
    "three_tables": (
        TABLES + "layout! { type T = recipe::RowPad<F32, M<512>, K<72>, Padding<8>>; }",
        "assert_conflict_free! { T on sm_90: read ld_shared_b64 by Twos, read ld_shared_b32 by MfmaRows<16>, "
        "write st_shared_b32 by MfmaRows<16>, read ld_shared_b32 by Down, write st_shared_b32 by Ones }",
    ),
    "five_accesses": (
        "layout! { type T = recipe::RowPad<F16, M<32>, K<72>, Padding<2>>; }",
        "assert_conflict_free! { T on sm_90: read ld_shared_b128 by RowMajor, read ld_shared_b32 by Column, "
        "read ld_shared_b32 by first Column, read ld_shared_b128 by RowMajor, read ld_shared_b32 by RowMajor }",
    ),
    "dense_u16": (
        "layout! { type T = recipe::RowMajor<F16, M<192>, K<80>>; }",
        "assert_conflict_free! { T on gfx950: read ds_read_b64 by Column, read ds_read_u16 by MfmaRows<4> }",
    ),
    "cp_async": (
        "layout! { type T = recipe::GemmXor<F16, M<512>, K<64>, KPack<8>>; }",
        "assert_direct_load! { T on sm_90: cp_async_b128 by 4 waves, from rows of 64 }",
    ),
    "cp_async_found": (
        "layout! { type T = recipe::RowMajor<F16, M<512>, K<64>>; }",
        "synthesize! { type S = F16 [512, 64] on sm_90: filled by cp_async_b128 by 4 waves, "
        "read ld_shared_b128 by MfmaRows<16>; }",
    ),
}


def check_library(root, target):
    """Checks the library as cargo does; returns its metadata and the folder of the others."""
    command = ["cargo", "check", "--lib", "--message-format=json", "-q"]
    command += ["--target-dir", str(target), "--manifest-path", str(root / "Cargo.toml")]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=root).stdout
    for line in out.decode().splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message["target"]["name"] == "tiledesc":
            file = pathlib.Path(message["filenames"][0])
            return file, file.parent
    sys.exit("cargo checked no libtiledesc.rmeta")


def cpu_seconds(command, limit):
    """User and system seconds of a command and its children, refused or not, up to a limit."""
    child = subprocess.Popen(["timeout", str(limit), *command], stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime


def begin(name, folder, doc, most):
    """The arguments; of this checkout, and of another to compare with, the folder and where cargo builds it; a folder of
    the target for files of this bench."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--against", type=pathlib.Path, help="another checkout, measured beside this one")
    parser.add_argument("--most", type=float, help=most)
    parser.add_argument("--runs", type=int, default=3, help="runs of each measurement, of which the least counts")
    arguments = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    roots = {name: (ROOT, target)}
    if arguments.against:
        roots[f"{name}(there)"] = (arguments.against.resolve(), target / "search_bound" / "against")
    into = target / folder
    into.mkdir(parents=True, exist_ok=True)
    return arguments, roots, into


def main():
    arguments, roots, folder = begin("search", "search_bound", __doc__, "milliseconds that no case may exceed")
    libraries = {name: check_library(root, into) for name, (root, into) in roots.items()}
    exceeded = False
    for case, (layout, statement) in CASES.items():
        for name, (metadata, dependencies) in libraries.items():
            took = {}
            for kind, words in [("bare", layout), ("whole", layout + "\n" + statement)]:
                file = folder / f"{case}_{kind}.rs"
                file.write_text(WORDS + words + "\n")
                command = [os.environ.get("RUSTC", "rustc"), "--edition=2024", "--crate-type=lib"]
                command += ["--extern", f"tiledesc={metadata}", "-L", f"dependency={dependencies}"]
                command += ["-A", "long_running_const_eval", "--emit=metadata", "--out-dir", str(folder), str(file)]
                # Another checkout may take minutes for one.
                runs = 1 if name != "search" and kind == "whole" else arguments.runs
                took[kind] = min(cpu_seconds(command, 60) for _ in range(runs))
            cost = (took["whole"] - took["bare"]) * 1000
            exceeded |= name == "search" and arguments.most is not None and cost > arguments.most
            print(f"{name} {case} {cost:.0f}", flush=True)
    sys.exit(exceeded)


if __name__ == "__main__":
    main()
