#!/usr/bin/env python3
"""What a hundred tiles beside a kernel cost each build of it.

A crate of 100 tiles, each with a statement of a write and a read and a function that computes an offset, and a crate
of the same 100 functions with the formula written out: processor time of rustc for each, in turns. Nothing is
subtracted: what a user waits for is the whole, with the start of the compiler and the loading of the library.

    python3 benches/hundred_tiles.py                     # half a minute
    python3 benches/hundred_tiles.py --against FOLDER    # another checkout, after this one
    python3 benches/hundred_tiles.py --most 8            # ends with 1 if the second ratio is above 8

Lines are for scripts: `hundred_tiles CASE TILES_MS BY_HAND_MS RATIO`, of `rustc --emit=metadata` with its incremental
cache, which is what cargo check runs, the least of three runs.

    check    a crate that was never checked
    again    the same after a function beside the tiles was changed: their checks and verdicts are in the cache
"""

import os
import shutil
import sys

from compile_time import cpu_seconds
from search_bound import begin, check_library


def tiles():
    """100 tiles of halves that are different types, none larger than 64 KiB."""
    return [(64 + 16 * i, k) for k, count in [(32, 60), (64, 28), (128, 12)] for i in range(count)]


def stated():
    lines = ["#![allow(dead_code)]", "use tiledesc::prelude::*;"]
    for i, (m, k) in enumerate(tiles()):
        lines.append(f"layout! {{ type X{i} = recipe::GemmXor<F16, M<{m}>, K<{k}>, KPack<8>>; }}")
        lines.append(
            f"assert_conflict_free! {{ X{i} on gfx942: write ds_write_b128 by RowMajor, "
            "read ds_read_b128 by MfmaRows<16> }"
        )
        lines.append(f"pub fn offset_{i}(m: u32, k: u32) -> u32 {{ X{i}::at([m, k]) }}")
    return "\n".join(lines) + "\n"


def by_hand():
    lines = []
    for i, (m, k) in enumerate(tiles()):
        packs, layers = k // 8, max(1, 64 // k)
        pack = f"((m % {layers} * {packs} + k / 8) ^ (m / {layers} % {packs * layers}))"
        lines.append(f"pub const ROWS_{i}: u32 = {m};")
        lines.append(
            f"pub fn offset_{i}(m: u32, k: u32) -> u32 {{ m / {layers} * {k * layers} + {pack} * 8 + k % 8 }}"
        )
    return "\n".join(lines) + "\n"


def main():
    most = "the ratio that `again` may not exceed"
    arguments, roots, folder = begin("hundred_tiles", "hundred_tiles", __doc__, most)
    exceeded = False
    for name, (root, into) in roots.items():
        metadata, dependencies = check_library(root, into)
        took = {}
        for _ in range(arguments.runs):
            for kind, words in [("tiles", stated()), ("by_hand", by_hand())]:
                cache = folder / f"{kind}_cache"
                shutil.rmtree(cache, ignore_errors=True)
                file = folder / f"{kind}.rs"
                command = [os.environ.get("RUSTC", "rustc"), "--edition=2024", "--crate-type=lib"]
                command += ["--extern", f"tiledesc={metadata}", "-L", f"dependency={dependencies}"]
                command += ["--emit=metadata", "-C", f"incremental={cache}", "--out-dir", str(folder), str(file)]
                for case, more in [("check", 0), ("again", 1)]:
                    file.write_text(f"{words}pub fn kernel(x: u32) -> u32 {{ x + {more} }}\n")
                    took[case, kind] = min(cpu_seconds(command), took.get((case, kind), 120))
        for case in ["check", "again"]:
            tiles_took, by_hand_took = took[case, "tiles"], took[case, "by_hand"]
            ratio = tiles_took / by_hand_took
            print(f"{name} {case} {tiles_took * 1000:.0f} {by_hand_took * 1000:.0f} {ratio:.1f}", flush=True)
        exceeded |= name == "hundred_tiles" and arguments.most is not None and ratio > arguments.most
    sys.exit(exceeded)


if __name__ == "__main__":
    main()
