#!/usr/bin/env python3
"""What the layouts of a crate of kernels cost each build of it.

`benches/kernel_crate/` is a crate as users have it: 12 tiles, 30 whole-tile accesses on gfx942 and sm_90, four
distributions with `Accesses`, a direct load, an arena. `by_hand` beside its sources is the same crate with formulas, which
are subtracted. Instructions of rustc are counted by cachegrind, which two runs tell within 0.3 % of each other.

    python3 benches/kernel_crate.py                     # half a minute; ends with 1 above a limit
    python3 benches/kernel_crate.py --by-hand           # the formulas are counted, too, in place of the noted figures
    python3 benches/kernel_crate.py --dense             # also with the rows of 96 swizzled and not padded: no limit
    python3 benches/kernel_crate.py --against FOLDER    # this crate with the library of another checkout, too

Lines are for scripts: `kernel_crate CASE MILLIONS LIMIT`, without a limit where there is none.

    check    --emit=metadata, which is what cargo check runs
    debug    a debug build: the check, and code that is not optimised

Limits are of the compiler that Cargo.toml names. Without valgrind nothing is counted.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

from search_bound import cargo_library

ROOT = pathlib.Path(__file__).resolve().parent.parent
CRATE = ROOT / "benches" / "kernel_crate"
EMITS = {"check": "metadata", "debug": "link"}
# Millions of instructions of rustc 1.95: the crate with formulas, and what the layouts cost beyond it.
BY_HAND = {"check": 50, "debug": 101}
NOTED = {"check": 1216, "debug": 1771}
# Two runs differ by 0.3 %. What a slower way to a verdict may cost a check is decided when its figure is noted.
TIMES = {"check": 1.05, "debug": 1.03}


def build_library(root, target):
    """Builds the library as a debug build does; returns its metadata, of which a library needs no more, and its folder."""
    return cargo_library(root, target, ["build", "-p", "tiledesc"], ".rmeta")


def said(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.decode().strip()


def rustc():
    """The compiler itself: what the path has may be rustup's, which starts it."""
    return pathlib.Path(said(os.environ.get("RUSTC", "rustc"), "--print", "sysroot")) / "bin" / "rustc"


def is_noted(compiler):
    """Whether the limits are those of this compiler."""
    version = re.search(r'^rust-version = "([^"]*)"', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    return said(str(compiler), "--version").split()[1].startswith(version + ".")


def begin_count(source, case, features, library, into):
    """Begins to count what the compiler executes for a crate; `counted` has the count."""
    metadata, dependencies = library
    # Nothing of the gate's own settings: a debug build as users have it.
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    command += [str(rustc()), "--edition=2024", "--crate-type=lib", "--crate-name=kernels"]
    command += ["--extern", f"tiledesc={metadata}", "-L", f"dependency={dependencies}"]
    command += [option for feature in features for option in ("--cfg", f'feature="{feature}"')]
    into.mkdir(parents=True, exist_ok=True)
    command += [f"--emit={EMITS[case]}", "--out-dir", str(into), str(source)]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def counted(child):
    """Millions of instructions."""
    errors = child.communicate()[1]
    count = re.search(r"I +refs: +([\d,]+)", errors)
    if child.returncode or not count:
        sys.exit(errors)
    return int(count[1].replace(",", "")) / 1e6


def count_crate(source, features, library, into):
    """Millions of instructions by case, of one crate: both builds run at the same time."""
    begun = {case: begin_count(source, case, features, library, into / case) for case in EMITS}
    return {case: counted(child) for case, child in begun.items()}


def report(name, counts, by_hand, has_limit):
    """Prints the lines of a crate; returns whether it is above a limit."""
    exceeded = False
    for case, count in counts.items():
        cost, most = count - by_hand[case], NOTED[case] * TIMES[case]
        exceeded |= has_limit and cost > most
        limit = f"{most:.0f}" if has_limit else ""
        print(f"{name:24} {case:8} {cost:8.0f} {limit:>8}".rstrip(), flush=True)
    return exceeded


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--against", type=pathlib.Path, help="another checkout, whose library is taken as well")
    parser.add_argument("--by-hand", action="store_true", help="count the crate with formulas, too")
    parser.add_argument("--dense", action="store_true", help="count the crate with swizzled rows of 96, too")
    arguments = parser.parse_args()
    if not shutil.which("valgrind"):
        print("kernel_crate skipped: valgrind is not installed")
        return
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
    into = target / "kernel_crate"
    libraries = {"kernel_crate": build_library(ROOT, target)}
    if arguments.against:
        libraries["kernel_crate(there)"] = build_library(arguments.against.resolve(), into / "against")
    has_limits = is_noted(rustc())
    if not has_limits:
        print("kernel_crate: no limits, they are those of another compiler")
    exceeded, by_hand = False, BY_HAND
    if arguments.by_hand:
        by_hand = count_crate(CRATE / "by_hand" / "lib.rs", [], libraries["kernel_crate"], into)
        report("by_hand", by_hand, dict.fromkeys(EMITS, 0), False)
    for name, library in libraries.items():
        padded = count_crate(CRATE / "src" / "lib.rs", [], library, into)
        exceeded |= report(name, padded, by_hand, has_limits and name == "kernel_crate")
        if arguments.dense:
            dense = count_crate(CRATE / "src" / "lib.rs", ["dense"], library, into)
            report(f"{name}, dense", dense, by_hand, False)
    if exceeded:
        sys.exit("kernel_crate: above its limit: users wait longer for their kernels")


if __name__ == "__main__":
    main()
