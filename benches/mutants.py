#!/usr/bin/env python3
"""Whether the tests would notice: one fault at a time, put into the library.

A promise is only as good as the test that fails when it is broken. This script lists
places of `src` and `transforms/src` where a fault can be (macro bodies and the files
of `transform/` included, which cargo-mutants does not see), draws some of them with a
seed, and builds and tests a copy of the tree with each.

    nice -n 15 python3 benches/mutants.py --count 200 --seed 1
    python3 benches/mutants.py --list | wc -l       # every mutant, one a line
    python3 benches/mutants.py --count 200 --seed 1 --tally   # of what has been judged

The copy is in target/mutants, with a target folder of its own that stays warm. What
is judged is appended to target/mutants/results.jsonl and not asked again, so a run
can be stopped and go on; `--fresh` forgets it. `--record` keeps it in
benches/mutants_judged.jsonl, where another machine goes on: 200 mutants take some hours, and
a line that has been changed since is another mutant. A line that stands in several places
of a file is as many mutants, each drawn and judged for itself. Only whole modules of tests are
run: those that are near the fault first, then the others, doc tests and the compiler's messages last.

    caught      a test failed, did not compile, or took five times the processor time
    survived    all passed: a hole, or a mutant that is not a fault
    not built   the library itself did not compile; not counted
    open        only tests near it were asked (--narrow), and passed
    equivalent  no fault: listed with its reason in benches/mutants_equivalent.txt

Mutants: operators replaced (+ - * / % & | ^ << >>, with =), comparisons flipped or off
by one, && and ||, a negation removed, a number one more or one less, true and false,
a function that returns at once, a statement removed, and methods that are each
other's opposite (min and max, is_some and is_none).
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / "target" / "mutants"
SOURCE, TREE, RESULTS = WORK / "source", WORK / "tree", WORK / "results.jsonl"
BASELINE = WORK / "without_fault.json"
RECORD = ROOT / "benches" / "mutants_judged.jsonl"
EQUIVALENT = ROOT / "benches" / "mutants_equivalent.txt"
FOLDERS = ["src", "transforms/src"]
# Near a file: the modules of tests that are most likely to notice.
NEAR = [
    ("transforms/src/linear", ["linear", "compositions"]),
    ("transforms/src/plan/vector", ["compositions", "plans_at_the_edge", "pattern"]),
    ("transforms/src/typed", ["compositions", "masked_offsets", "linear", "--doc -p tiledesc-transforms"]),
    ("transforms/src/number", ["plans_at_the_edge", "compositions", "--doc -p tiledesc-transforms"]),
    ("transforms/src/error", ["plans_at_the_edge", "--doc -p tiledesc-transforms", "compositions"]),
    ("transforms/src/macros", ["compositions", "--doc -p tiledesc-transforms"]),
    ("transforms/src", ["compositions", "plans_at_the_edge"]),
    ("host/src/plot", ["--test plot -p tiledesc-host-tests", "tile_figures"]),
    ("src/direct", ["direct_load"]),
    ("src/access/curve", ["curves"]),
    ("src/access/addressing", ["addressing"]),
    ("src/access/placed", ["checked_addresses", "pattern", "rank"]),
    ("src/access/handed", ["fragments", "matrix", "distribution_patterns", "split"]),
    ("src/access/accesses", ["accesses", "lane_by_lane"]),
    ("src/access/window", ["window", "lane_by_lane"]),
    ("src/access/coalesced", ["global_lines", "user_programs"]),
    ("src/access/vectors", ["accesses", "fragments", "misfits"]),
    ("src/pattern/lanes/split", ["split", "said_twice"]),
    ("src/pattern", ["ready_patterns", "pattern", "rank", "fuzz", "bank"]),
    ("src/distribution/factored", ["ready_patterns", "distribution_patterns", "distributions"]),
    ("src/matrix", ["matrix", "distribution_families", "oracle_distributions"]),
    ("src/distribution/exchange", ["exchange", "lane_by_lane"]),
    ("src/distribution/sweep", ["tile_order", "exchange"]),
    ("src/distribution/butterfly", ["tile_order"]),
    ("src/distribution/product", ["product", "distributions"]),
    ("src/distribution/walk", ["ready_patterns", "distribution_patterns", "rank", "pattern"]),
    ("src/distribution", ["distributions", "distribution_families", "accesses",
                                 "oracle_distributions"]),
    ("src/access", ["pattern", "rank", "fuzz", "bank"]),
    ("src/bank", ["bank", "rank", "own_rows", "fuzz"]),
    ("src/chip/transfer", ["direct_load", "evidence"]),
    ("src/chip", ["own_rows", "bank", "evidence", "oracle_banks"]),
    ("host/src/exchange", ["--test exchange -p tiledesc-host-tests"]),
    ("host/src/emit", ["--test emit -p tiledesc-host-tests"]),
    ("src/recipe", ["recipes"]),
    ("host/src/conversion", ["--test conversion -p tiledesc-host-tests"]),
    ("src/statement", ["misfits", "user_programs", "ui"]),
    ("src/search", ["short_list", "certificate", "shipped_layouts", "user_programs"]),
    ("src/storage", ["storage", "lane_by_lane"]),
    ("src/layout", ["shipped_layouts", "compositions", "recipes"]),
    ("src/lib", ["book", "shipped_layouts"]),
    ("src", ["shipped_layouts"]),
]
NARROW = ["--lib -p tiledesc -p tiledesc-transforms", "compositions", "bank", "rank", "linear", "pattern", "addressing", "recipes"]
# Minutes each: the compiler, many times.
SLOW = ["--lib --workspace", "--doc --workspace", "codegen", "ui"]


# ---------------------------------------------------------------- places

def masked(text):
    """The text with comments, attributes and the insides of strings as blanks, so that
    places in it are places in the text."""
    out, i, n = list(text), 0, len(text)

    def blank(begin, end):
        for at in range(begin, end):
            if out[at] != "\n":
                out[at] = " "

    while i < n:
        if text.startswith("//", i):
            end = text.find("\n", i)
            end = n if end < 0 else end
            blank(i, end)
            i = end
        elif text.startswith("/*", i):
            end = text.find("*/", i)
            end = n if end < 0 else end + 2
            blank(i, end)
            i = end
        elif (raw := re.match(r'r(#*)"', text[i:])) and not text[i - 1].isalnum():
            end = text.index('"' + raw[1], i + len(raw[0]))
            blank(i + len(raw[0]), end)
            i = end + 1 + len(raw[1])
        elif text[i] == '"':
            end = i + 1
            while text[end] != '"':
                end += 2 if text[end] == "\\" else 1
            blank(i + 1, end)
            i = end + 1
        elif char := re.match(r"'(\\[^']+|[^'\\\n])'", text[i:]):
            blank(i + 1, i + len(char[0]) - 1)
            i += len(char[0])
        elif text.startswith(("#[", "#!["), i):
            end = closing(text, text.index("[", i))
            if text[i:end].startswith("#[cfg(test)]"):
                end = n
            blank(i, end)
            i = end
        else:
            i += 1
    return "".join(out)


def closing(text, at):
    """Behind the bracket that closes the one at a place."""
    pairs, depth = {"(": ")", "[": "]", "{": "}"}, 0
    opened, closed = text[at], pairs[text[at]]
    while at < len(text):
        depth += (text[at] == opened) - (text[at] == closed)
        at += 1
        if depth == 0:
            return at
    return at


REPLACED = {
    "+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "&": "|", "|": "&", "^": "|",
    "<<": ">>", ">>": "<<", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=", "|=": "&=",
    "&=": "|=", "^=": "|=", "<<=": ">>=", ">>=": "<<=", "<": "<=", "<=": "<", ">": ">=",
    ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
}
KINDS = {**{op: "comparison" for op in ["<", "<=", ">", ">=", "==", "!="]},
         "&&": "and-or", "||": "and-or"}
OPERATOR = re.compile(r"(?<=\s)(" + "|".join(
    re.escape(op) for op in sorted(REPLACED, key=len, reverse=True)) + r")(?=\s)")
OPPOSITES = [
    ("min", "max"), ("is_some", "is_none"), ("is_ok", "is_err"), ("any", "all"),
    ("trailing_zeros", "leading_zeros"), ("wrapping_add", "wrapping_sub"),
    ("count_ones", "count_zeros"), ("is_some_and", "is_none_or"), ("div_ceil", "max"),
]
NUMBER = re.compile(r"(?<![\w.$#@'])(0x[0-9a-f_]+|\d[\d_]*)(?=(u8|u16|u32|u64|u128|usize|i32|i64)?\b)(?!\.\d)")
STATEMENT = re.compile(
    r"^[ \t]*(?!let\b|use\b|mod\b|pub\b|type\b|const\b|static\b|impl\b|struct\b|fn\b|type\b|\$?\})"
    r"[\w*$].*;$", re.M)
# `i += 1;` of a loop: only `i -= 1;` is drawn, since the others are the same endless loop.
COUNTER = re.compile(r"^[ \t]*(\w+) \+= 1;$", re.M)
FUNCTION = re.compile(r"\bfn\s+\w+")


def is_operator(code, match):
    """Whether it is not part of a pattern or of bounds."""
    op = match[1]
    begin = code.rfind("\n", 0, match.start()) + 1
    end = code.find("\n", match.end())
    before, after = code[begin:match.start()], code[match.end():end].strip()
    word = re.match(r"(\$?\w+|.)", after)
    name = bool(word) and bool(re.match(r"[A-Z]", word[0])) and not word[0].isupper()
    if op == "|":
        return not ("matches!" in before or name or "=>" in after and "=>" not in before)
    if op == "+":
        return not (name or after.startswith(("'", "use<", "?", "const ", "$"))) \
            and "where" not in before
    if op in ("*", "/", "-", "&", "<", ">", "<<"):
        return not after.startswith("$") or "=>" not in after
    return True


def early_returns(head):
    """What a function may return at once, from its parameters and the type it returns."""
    parameters, _, rest = head.partition("->")
    result = rest.split(" where ")[0].strip()
    if not rest.strip():
        return [""]
    if result == "bool":
        return ["true", "false"]
    if re.match(r"(core::fmt::|fmt::)?Result(<\(\), .*>)?$", result):
        return ["Ok(())"]
    if result.startswith("Option<"):
        return ["None"]
    if result in ("u8", "u16", "u32", "u64", "usize", "i32", "i64"):
        return ["0", "1"]
    if result == "Self" and re.search(r"\((mut )?self\b", parameters):
        return ["self"]
    if result == "Self" and re.search(r"\(&self\b", parameters):
        return ["*self"]
    return []


def mutants_of(path, text):
    """All (kind, begin, end, new) of a file."""
    code = masked(text)
    counters = {match.start(1): match for match in COUNTER.finditer(code)}
    of_counter = {at for match in counters.values() for at in range(match.start(), match.end())}
    for match in OPERATOR.finditer(code):
        if is_operator(code, match):
            op = match[1]
            yield KINDS.get(op, "operator"), match.start(1), match.end(1), REPLACED[op]
            if op in ("<", ">", "<=", ">="):
                turned = {"<": ">=", ">=": "<", ">": "<=", "<=": ">"}[op]
                yield "comparison", match.start(1), match.end(1), turned
    for match in re.finditer(r"(?<![\w!#$])!(?=[\w(*$])", code):
        yield "negation", match.start(), match.end(), ""
    for match in NUMBER.finditer(code):
        if match.start() in of_counter:
            continue
        value = int(match[1].replace("_", ""), 0)
        odd = hashlib.sha256(f"{path}{match.start()}".encode()).digest()[0] % 2
        new = value + 1 if odd or value == 0 else value - 1
        yield "number", match.start(1), match.end(1), str(new)
    for match in re.finditer(r"\b(true|false)\b", code):
        yield "truth", match.start(), match.end(), {"true": "false", "false": "true"}[match[1]]
    for pair in OPPOSITES:
        for name, other in (pair, pair[::-1]):
            for match in re.finditer(rf"(?<=\.){name}(?=\()", code):
                yield "method", match.start(), match.end(), other
    for match in STATEMENT.finditer(code):
        line = match[0].strip()
        balanced = all(line.count(a) == line.count(b) for a, b in ["()", "[]", "{}"])
        goes_on = not code[:match.start()].rstrip().endswith(("{", "}", ";", ")", ","))
        item = re.match(r"\w+!?\s*[\[(]?.*;$", line) is None
        begin = match.start() + len(match[0]) - len(match[0].lstrip())
        if begin not in of_counter and balanced and not goes_on and not item and "=>" not in line:
            yield "statement", begin, match.end(), ""
    for match in FUNCTION.finditer(code):
        at = match.end()
        while at < len(code) and code[at] not in "{;":
            at = closing(code, at) if code[at] in "([" else at + 1
        if at < len(code) and code[at] == "{":
            end = closing(code, at)
            for value in early_returns(" ".join(code[match.end():at].split())):
                if code[at + 1:end - 1].strip() != value:
                    yield "early return", at + 1, end - 1, f" {value} "


def all_mutants():
    found = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.rs")):
            name = path.relative_to(ROOT).as_posix()
            # A fault of a test is not one of the library.
            if path.name == "tests.rs":
                continue
            text = path.read_text()
            for kind, begin, end, new in mutants_of(name, text):
                found.append(Mutant(name, text, kind, begin, end, new))
    found.sort(key=lambda mutant: (mutant.path, mutant.begin, mutant.new))
    before = {}
    for mutant in found:
        mutant.twin = before.get(mutant.key, 0)
        before[mutant.key] = mutant.twin + 1
    return found


def draw(mutants, seed, count):
    """Some of them, each as likely as any; nearly the same ones after the library has changed."""
    def rank(mutant):
        return hashlib.sha256(f"{seed} {mutant.key} {mutant.column}{mutant.at}".encode()).digest()

    return sorted(mutants, key=rank)[:count]


class Mutant:
    def __init__(self, path, text, kind, begin, end, new):
        self.path, self.kind, self.begin, self.end, self.new = path, kind, begin, end, new
        first = text.rfind("\n", 0, begin) + 1
        last = text.find("\n", begin)
        self.line = text.count("\n", 0, begin) + 1
        self.was = text[first:last].strip()
        if kind == "early return":
            self.now = f"{text[first:begin].strip()}{new}}}"
        else:
            tail = text[end:last] if end <= last else ""
            self.now = (text[first:begin] + new + tail).strip()
        self.column = begin - first

    @property
    def key(self):
        """The same after lines were added above it; also of twins, the same change of the same line
        in other places of the file."""
        return f"{self.path} | {self.was} | {self.now}"

    @property
    def at(self):
        """Which of its twins it is, in the order of the file: nothing for the first."""
        return f"#{self.twin}" if self.twin else ""

    def __str__(self):
        return f"{self.path}:{self.line}: {self.kind}\n    - {self.was}\n    + {self.now}"

    def apply(self):
        text = (SOURCE / self.path).read_text()
        (TREE / self.path).write_text(text[:self.begin] + self.new + text[self.end:])


# ---------------------------------------------------------------- tests

def snapshot():
    """Keeps the tree as it is, so that it can be worked on while mutants are judged."""
    listed = subprocess.run(["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout
    copy(ROOT, SOURCE, {name for name in listed.split("\0") if (ROOT / name).is_file()})


def sync():
    """Makes the tree that is tested what was kept."""
    copy(SOURCE, TREE, {path.relative_to(SOURCE).as_posix()
                        for path in SOURCE.rglob("*") if path.is_file()})


def copy(source, target, names):
    """Makes a folder what another is; files that are the same are not touched."""
    for name in names - {""}:
        here, there = source / name, target / name
        if not there.is_file() or there.read_bytes() != here.read_bytes():
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here, there)
    for folder, inner, files in os.walk(target):
        if pathlib.Path(folder) == target and "target" in inner:
            inner.remove("target")
        for path in (pathlib.Path(folder) / file for file in files):
            if path.relative_to(target).as_posix() not in names:
                path.unlink()


# Endless loops may also take memory.
LIMIT = 16 << 30
# The search is built again for each fault, and few tests near one search: 60 s of processor time.
QUICK = ["--config", "profile.dev.package.tiledesc-host.opt-level=0"]
# What waits for nothing but itself is stopped by the clock, much later.
WAIT = 6


def cargo(arguments, timeout):
    """The exit status, what was printed, and seconds of processor time, which other work on the
    machine does not lengthen; the status is None if a process ran longer than allowed."""
    environment = {**os.environ, "CARGO_TARGET_DIR": str(TREE / "target"),
                   "CARGO_PROFILE_DEV_DEBUG": "0"}
    process = subprocess.Popen(
        ["cargo", "test", "--quiet", *QUICK, *arguments.split()], cwd=TREE, env=environment, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        preexec_fn=lambda: limit(timeout))
    begun = spent()
    try:
        output, _ = process.communicate(timeout=WAIT * timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return None, "", 0
    status = None if "SIGXCPU" in output else process.returncode
    return status, output, spent() - begun


def limit(seconds):
    """Of each process of a step: memory and processor time."""
    resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds) + 5))


def spent():
    """Processor seconds of all that has been waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(step, seconds):
    """Builds and runs a step of the tests; a build may take its time."""
    if "--doc" not in step:
        built = cargo(f"{step} --no-run", BUILD)
        if built[0] != 0:
            return built
    return cargo(step, seconds)


# Processor seconds of a compiler; a constant that never ends is a caught fault.
BUILD = 300
# Processor seconds that a step takes without a fault.
without_fault = {}


def digest():
    """Of the tree as it was kept, so that a run that goes on need not ask again."""
    files = sorted(path for path in SOURCE.rglob("*") if path.is_file())
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def remembered():
    if BASELINE.is_file():
        earlier = json.loads(BASELINE.read_text())
        if earlier["of"] == digest():
            without_fault.update(earlier["seconds"])


def sound(step):
    """Keeps the seconds of a step without a fault; `None` if it fails, so that it is left out."""
    if step not in without_fault:
        sync()
        run(step, BUILD)
        status, output, seconds = run(step, BUILD)
        if status != 0:
            print(f"left out: {step} fails without a fault:\n{output[-2000:]}", flush=True)
        without_fault[step] = seconds if status == 0 else None
        BASELINE.write_text(json.dumps({"of": digest(), "seconds": without_fault}))


def steps(path):
    """Arguments of cargo test, those that are near a file first, each once."""
    every = sorted(modules()) + ["codegen"]
    order = [*near(path), *NARROW, *(test for test in every if test not in SLOW), *SLOW]
    return [arguments(step) for step in dict.fromkeys(order)]


def modules():
    """The binary of each module of tests: `tests/<binary>/<module>.rs`."""
    binaries = [p.parent for p in (SOURCE / "tests").glob("*/main.rs") if p.parent.name != "codegen"]
    return {p.stem: binary.name for binary in binaries for p in binary.glob("*.rs") if p.stem != "main"}


def near(path):
    return next(tests for prefix, tests in NEAR if path.startswith(prefix))


def kind(step, path):
    """Whether a step is near a file, far or slow."""
    if step in map(arguments, SLOW):
        return "slow"
    return "near" if step in map(arguments, [*near(path), *NARROW]) else "far"


def far(path):
    return [step for step in steps(path) if kind(step, path) != "near"]


def arguments(step):
    if step.startswith("--"):
        return step
    return f"--test {step}" if step == "codegen" else f"--test {modules()[step]} {step}::"


LIBRARY = re.compile(r"could not compile `[\w-]+` \(lib\)")


def judge(mutant, narrow, passed):
    """How a mutant fared, and which step noticed; what has passed before is not asked again."""
    applied = False
    for step in steps(mutant.path):
        if narrow and step in far(mutant.path):
            return "open", ""
        if step in passed:
            continue
        if step not in without_fault:
            # One build without a fault for all that are as quick, or as slow.
            applied = False
            for other in steps(mutant.path):
                if kind(other, mutant.path) == kind(step, mutant.path):
                    sound(other)
        seconds = without_fault[step]
        if seconds is None:
            continue
        if not applied:
            sync()
            mutant.apply()
            applied = True
        status, output, _ = run(step, 45 + 5 * seconds)
        if status is None:
            return "caught", f"{step} (too long)"
        if LIBRARY.search(output):
            return "not built", step
        if status != 0:
            failed = re.findall(r"^---- (\S+)|^test (\S+) .*FAILED", output, re.M)
            first = next((a or b for a, b in failed), "does not compile"
                         if "could not compile" in output else "failed")
            return "caught", f"{step}: {first}"
    return "survived", ""


def equivalents():
    """Keys of mutants that are not faults, with the reason; for a later twin with its number behind."""
    known = {}
    if EQUIVALENT.is_file():
        for line in EQUIVALENT.read_text().splitlines():
            if line.strip() and not line.startswith("#"):
                *key, reason = [part.strip() for part in line.split(" ## ")]
                known[key[0]] = reason
    return known


def results(files):
    """What has been judged, by mutant; a later file, and a later line, overrides."""
    lines = [json.loads(line) for file in files if file.is_file() for line in file.read_text().splitlines()]
    return {line["key"] + line.get("at", ""): line for line in lines}


def record():
    """Puts what has been judged here to what was judged before."""
    judged = results([RECORD, RESULTS])
    RECORD.write_text("".join(f"{json.dumps(judged[key])}\n" for key in sorted(judged)))
    print(f"{len(judged)} in {RECORD.relative_to(ROOT)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=200, help="how many are drawn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[""], help="files whose path begins with one of these")
    parser.add_argument("--list", action="store_true", help="every mutant, one a line")
    parser.add_argument("--tally", action="store_true", help="judge none, count the judged")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results, the record's too")
    parser.add_argument("--record", action="store_true", help="judge none, keep what has been judged")
    parser.add_argument("--narrow", action="store_true",
                        help="only tests near each; what they leave open is for a run without")
    parser.add_argument("--again", action="store_true", help="judge survivors again")
    options = parser.parse_args()

    mutants = [mutant for mutant in all_mutants() if mutant.path.startswith(tuple(options.only))]
    if options.list:
        for mutant in mutants:
            print(f"{mutant.path}:{mutant.line}:{mutant.column}: {mutant.kind}: {mutant.now}")
        return
    if options.record:
        return record()
    drawn = draw(mutants, options.seed, options.count)
    WORK.mkdir(parents=True, exist_ok=True)
    if options.fresh:
        RESULTS.unlink(missing_ok=True)
    if not options.tally:
        snapshot()
        remembered()

        # All without a fault first: each asked between two faults would be two builds more.
        judged = results([RESULTS] if options.fresh else [RECORD, RESULTS])
        for step in dict.fromkeys(step for mutant in drawn if mutant.key + mutant.at not in judged
                                  for step in steps(mutant.path) if kind(step, mutant.path) == "near"):
            sound(step)

    again = (["survived"] if options.again else []) + ([] if options.narrow else ["open"])
    known, tally, survivors = equivalents(), {}, []
    for number, mutant in enumerate(drawn):
        judged = results([RESULTS] if options.fresh else [RECORD, RESULTS])
        result = judged.get(mutant.key + mutant.at)
        # Of a statement that is taken out nothing stands behind the last bar.
        listed = f"{mutant.key.strip()} {mutant.at}".strip()
        if listed in known:
            result = {"verdict": "equivalent", "by": known[listed]}
        elif result is None or result["verdict"] in again:
            if options.tally:
                continue
            begun = time.time()
            passed = (result or {}).get("passed", [])
            verdict, by = judge(mutant, options.narrow, passed)
            result = {"key": mutant.key, "at": mutant.at, "verdict": verdict, "by": by,
                      "seconds": round(time.time() - begun)}
            if verdict == "open":
                result["passed"] = [step for step in steps(mutant.path) if step not in far(mutant.path)]
            with RESULTS.open("a") as file:
                file.write(json.dumps(result) + "\n")
            print(f"{number + 1:4} {verdict:10} {mutant.path}:{mutant.line} {mutant.kind}; {by}; "
                  f"{result['seconds']} s", flush=True)
        tally[result["verdict"]] = tally.get(result["verdict"], 0) + 1
        if result["verdict"] in ("survived", "open"):
            survivors.append((result["verdict"], mutant))
    counted = tally.get("caught", 0) + tally.get("survived", 0)
    print(f"\n{sum(tally.values())} of {len(drawn)} drawn from {len(mutants)}: "
          + ", ".join(f"{count} {verdict}" for verdict, count in sorted(tally.items())))
    print(f"{tally.get('caught', 0)} of {counted} caught"
          + (f", {100 * tally.get('caught', 0) / counted:.1f} %" if counted else ""))
    for verdict, mutant in survivors:
        print(f"\n{verdict}: {mutant}")


if __name__ == "__main__":
    main()
