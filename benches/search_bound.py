#!/usr/bin/env python3
"""What the compiler pays where nothing is free.

A search that finds a free layout ends at once. These are the statements that once kept it busy: tiles of
which no layout is free, or whose lanes are not xors of columns, and transfers of which each lane has an address
of its own. The aim is 0.3 s beyond the layout, found or not, on a machine that does nothing else.

    python3 benches/search_bound.py                     # half a minute
    python3 benches/search_bound.py --against FOLDER    # another checkout, case by case
    python3 benches/search_bound.py --most 300          # ends with 1 if a case takes more milliseconds
    python3 benches/search_bound.py --random 60         # also random statements, of which only the refused count

Lines are for scripts: `search CASE MS`, the CPU time (user + system) of `rustc --emit=metadata` of one
statement less that of its bare layout, with the library as `cargo check` builds it; the least of three runs.
A statement that is refused costs what its sentence costs too.

    rows_96         row-major 128x96, written and read in all instructions: refused, with the least pad
    column          synthesize! 64x64, a column read by ds_read_u16: refused
    column_128      the same of 128x128
    v_tile          synthesize! 128x64 of a distribution of 4 waves, V read by columns of 8 halves
    halo            a tile of 34x66 floats by a table, taken as `at most` says
    halo_stated     the same of a row-major tile: refused
    halo_certified  the same tile with its layout, a swizzle of the dense offset, which is judged alone: free
    k96_certified   64x96 halves with a swizzle of the dense offset, three accesses
    mixed_banks     gfx950, reads of 64 banks and of 32: packs placed bit by bit
    misaligned      an access off its alignment: refused, with the layouts that bear it
    three_tables    rows of 72 padded floats on sm_90, three accesses by tables of 60 instructions and two by rows: refused
    five_accesses   five accesses to padded rows of 72 halves on sm_90, one off its alignment: refused
    rotated         32x200 floats, two accesses of 150 instructions, of rotated rows by a plan: once 13 s
    dense_u16       192x80 halves on gfx950, columns and single halves by 4 rows: a swizzle of the dense offset
    cp_async        64 KB by cp_async_b128, each unit with an address of its own
    cp_async_found  synthesize! of a tile filled so
"""

import argparse
import json
import os
import pathlib
import random
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
FREE_HALO = "recipe::DenseXor<F32, M<34>, K<66>, KPack<1>, LinePacks<4>, seq![0, 0, 0, 1]>"
DENSE_96 = "recipe::DenseXor<F16, M<64>, K<96>, KPack<8>, LinePacks<8>, seq![2, 3]>"
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
    "halo_certified": (
        HALO + f"layout! {{ type T = {FREE_HALO}; }}",
        "synthesize! { type S = F32 [34, 66] on gfx942: write ds_write_b32 by Halo, read ds_read_b32 by Down "
        f"=> {FREE_HALO}; }}",
    ),
    "k96_certified": (
        f"layout! {{ type T = {DENSE_96}; }}",
        "synthesize! { type S = F16 [64, 96] on gfx942: write ds_write_b128 by RowMajor, "
        f"read ds_read_b128 by MfmaRows<16>, read ds_read_b128 by MfmaRows<32> => {DENSE_96}; at most 352 cycles; }}",
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
    "rotated": (
        "layout! { type T = recipe::RowMajor<F32, M<32>, K<200>>; }",
        "assert_conflict_free! { T on gfx950: read ds_read_b32 by Strided<4>, read ds_read_b64 by RowMajor }",
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


# Of each chip the words of an access and the bytes of a lane; and the lanes of a wave.
ACCESSES = {
    "gfx942": (64, {"read ds_read_u16": 2, "read ds_read_b32": 4, "read ds_read_b64": 8, "read ds_read_b128": 16,
                    "write ds_write_b32": 4, "write ds_write_b64": 8, "write ds_write_b128": 16}),
    "gfx950": (64, {"read ds_read_u16": 2, "read ds_read_b32": 4, "read ds_read_b64": 8, "read ds_read_b96": 12,
                    "read ds_read_b128": 16, "write ds_write_b32": 4, "write ds_write_b128": 16}),
    "gfx1100": (32, {"read ds_load_b32": 4, "read ds_load_b64": 8, "read ds_load_b128": 16,
                     "write ds_store_b32": 4, "write ds_store_b128": 16}),
    "sm_90": (32, {"read ld_shared_b32": 4, "read ld_shared_b64": 8, "read ld_shared_b128": 16,
                   "write st_shared_b32": 4, "write st_shared_b128": 16}),
}
PATTERNS = ["RowMajor", "Column", "Diagonal", "ColumnMajor"]
PATTERNS += [f"MfmaRows<{rows}>" for rows in (4, 16, 32)] + [f"Strided<{stride}>" for stride in range(1, 10)]


def random_table(dice, name, lanes, rows, packs, pack):
    """A pattern of one to 64 instructions that go on along the tile, down it, or neither."""
    steps, apart, part = dice.randint(1, dice.choice([64, 12])), dice.randint(1, 7), 2 ** dice.randrange(6)
    along, count = dice.randrange(4), f"({lanes} * step + lane)"
    form = dice.choice([
        (f"{count} / {packs} % {rows}", f"{count} % {packs} * {pack}"),
        (f"(lane * {apart} + step * {along}) % {rows}", f"(lane / {part} + step) % {packs} * {pack}"),
        (f"(lane / {part} + step * {apart}) % {rows}", f"(lane * {1 + along} + step) % {packs} * {pack}"),
        (f"{count} * {apart} / {packs} % {rows}", f"{count} * {apart} % {packs} * {pack}"),
    ])
    return f"    {name}(lane, step in {steps}) => [{form[0]}, {form[1]}];"


def fits(pattern, lanes, rows, columns, pack):
    """Whether a pattern mostly fits a tile: its packs are whole, and its waves divide it."""
    if pattern.startswith("MfmaRows"):
        high = int(pattern[9:-1])
        return rows % high == 0 and columns % max(1, lanes // high * pack) == 0
    if pattern.startswith("Strided"):
        return int(pattern[8:-1]) % pack == 0
    return columns % pack == 0 and (pattern == "Diagonal" or rows % lanes == 0 or pattern == "RowMajor")


def random_statements(count, seed):
    """Statements of one to five accesses to a tile of any lengths, half of them with tables."""
    dice = random.Random(seed)
    for number in range(count):
        chip = dice.choice(sorted(ACCESSES))
        lanes, accesses = ACCESSES[chip]
        element, size = dice.choice([("F16", 2), ("F16", 2), ("F32", 4), ("I8", 1)])
        rows = dice.choice([16, 31, 32, 34, 48, 64, 96, 128, 192, 256, 512])
        columns = dice.choice([32, 40, 48, 64, 66, 72, 80, 96, 100, 128, 132, 160, 200])
        has_tables, tables, words = dice.random() < 0.5, [], []
        for access in dice.choices(sorted(accesses), k=dice.randint(1, 5)):
            pack = max(1, accesses[access] // size)
            fitting = [pattern for pattern in PATTERNS if fits(pattern, lanes, rows, columns, pack)]
            pattern = dice.choice(fitting or PATTERNS)
            if has_tables and dice.random() < 0.3:
                pattern = f"T{len(tables)}"
                tables.append(random_table(dice, pattern, lanes, rows, columns // pack, pack))
            words.append(f"{access} by {'first ' if dice.random() < 0.15 else ''}{pattern}")
        layout = f"layout! {{ type T = recipe::RowMajor<{element}, M<{rows}>, K<{columns}>>; }}"
        if tables:
            layout = "\n".join(["pattern! {", *tables, "}", layout])
        yield f"random_{seed}_{number}", (layout, f"assert_conflict_free! {{ T on {chip}: {', '.join(words)} }}")


def cargo_library(root, target, command, ending):
    """Runs a command of cargo for the library; returns its file of this ending, and the folder where that is."""
    command = ["cargo", *command, "--lib", "--message-format=json", "-q"]
    command += ["--target-dir", str(target), "--manifest-path", str(root / "Cargo.toml")]
    out = subprocess.run(command, check=True, stdout=subprocess.PIPE, cwd=root).stdout
    for line in out.decode().splitlines():
        message = json.loads(line)
        if message.get("reason") == "compiler-artifact" and message["target"]["name"] == "tiledesc":
            for name in map(pathlib.Path, message["filenames"]):
                if name.suffix == ending:
                    return name, name.parent
    sys.exit(f"cargo made no libtiledesc{ending}")


def check_library(root, target):
    """Checks the library as cargo does; returns its metadata and the folder of the others."""
    return cargo_library(root, target, ["check"], ".rmeta")


def cpu_seconds(command, limit, said=None):
    """User and system seconds of a command and its children, refused or not, up to a limit; `said` gets its errors."""
    child = subprocess.Popen(["timeout", str(limit), *command], stderr=subprocess.PIPE)
    errors = child.stderr.read().decode()
    child.stderr.close()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if said is not None:
        said.append(errors)
    return usage.ru_utime + usage.ru_stime


def begin(name, folder, doc, most, more=()):
    """The arguments; of this checkout, and of another to compare with, the folder and where cargo builds it; a folder of
    the target for files of this bench."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--against", type=pathlib.Path, help="another checkout, measured beside this one")
    parser.add_argument("--most", type=float, help=most)
    parser.add_argument("--runs", type=int, default=3, help="runs of each measurement, of which the least counts")
    for option, says in more:
        parser.add_argument(option, type=int, default=0, help=says)
    arguments = parser.parse_args()
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    roots = {name: (ROOT, target)}
    if arguments.against:
        roots[f"{name}(there)"] = (arguments.against.resolve(), target / "search_bound" / "against")
    into = target / folder
    into.mkdir(parents=True, exist_ok=True)
    return arguments, roots, into


def main():
    more = [("--random", "random statements beside the cases"), ("--seed", "of the random statements")]
    most = "milliseconds that no case may exceed"
    arguments, roots, folder = begin("search", "search_bound", __doc__, most, more)
    libraries = {name: check_library(root, into) for name, (root, into) in roots.items()}
    exceeded = False
    cases = CASES | dict(random_statements(arguments.random, arguments.seed))
    for case, (layout, statement) in cases.items():
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
                said = []
                took[kind] = min(cpu_seconds(command, 60, said) for _ in range(runs))
            # An access that does not fit the tile, or that is free, asks nothing of the search.
            if case not in CASES and not any(word in said[0] for word in ("Free instead", "Least: ")):
                continue
            cost = (took["whole"] - took["bare"]) * 1000
            exceeded |= name == "search" and arguments.most is not None and cost > arguments.most
            print(f"{name} {case} {cost:.0f}", flush=True)
    sys.exit(exceeded)


if __name__ == "__main__":
    main()
