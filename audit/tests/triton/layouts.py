"""Writes what the IR of the compiled kernels says of its accesses to shared memory, compressed.

    python3 -m venv venv && venv/bin/pip install triton==3.9.0
    venv/bin/python layouts.py FILE.json.gz [gemm-gfx942 ..]

Of each `ttg.local_load`, `ttg.local_store` and `ttg.local_alloc` with a value: the source line, the shape and that of the whole buffer, the bits of an element,
the shared layout as the IR prints it and by Triton's own bases, and the bases of the register layout. Of each other
operation that may go through shared memory: its source line.
"""

import gzip
import json
import pathlib
import re
import sys
import tempfile

import compile
from triton._C.libtriton import gluon_ir, ir
from triton.backends import backends

ACCESS = {"ttg.local_load": "read", "ttg.local_store": "write", "ttg.local_alloc": "write"}
# What is lowered through a scratch area of its own.
SCRATCH = re.compile(r"(ttg\.convert_layout|\"?tt\.(reduce|scan)\"?|amdg?pu?\.\S+|ttg\.async\S+)")


def places(text):
    """The source line of each name of a location."""
    named = dict(re.findall(r"^(#loc\d*) = loc\((.*)\)$", text, re.M))

    def place(name, depth=0):
        said = named.get(name, "")
        if found := re.match(r'".*?([^/"]+)":(\d+):\d+', said):
            return f"{found[1]}:{found[2]}"
        # A call is at the line that calls: what the compiler writes into `.loc` of the innermost is there, too.
        inner = re.findall(r"#loc\d*", said)
        return place(inner[0], depth + 1) if inner and depth < 20 else ""

    return {name: place(name) for name in named}


def aliases(text):
    return dict(re.findall(r"^(#\w+) = (#ttg\S*<.*>)$", text, re.M))


def bases(builder, layout, shape):
    linear = builder.to_linear_layout(layout._to_ir(builder), shape)
    names = ["reg_bases", "lane_bases", "warp_bases"] if hasattr(linear, "reg_bases") else ["offset_bases"]
    return [getattr(linear, name) for name in names]


def accesses(name, text):
    target = compile.TARGETS[name.split("-")[1]]
    context = ir.context()
    ir.load_dialects(context)
    backend = next(b.compiler for b in backends.values() if b.compiler.supports_target(target))
    backend(target).load_dialects(context)
    with tempfile.NamedTemporaryFile("w", suffix=".ttgir") as file:
        file.write(text)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    builder = gluon_ir.GluonOpBuilder(context)
    found = []

    def see(op):
        kind = op.get_name()
        if kind not in ACCESS or kind == "ttg.local_alloc" and op.get_num_operands() == 0:
            return
        value = op.get_result(0) if kind == "ttg.local_load" else op.get_operand(0)
        memory = {"ttg.local_load": 0, "ttg.local_store": 1}.get(kind)
        memory = op.get_result(0) if memory is None else op.get_operand(memory)
        said = str(memory.get_type())
        shape, element = re.match(r"!ttg.memdesc<((?:\d+x)+)(\w+),", said).groups()
        shape = [int(length) for length in shape.split("x")[:-1]]
        # A part of a buffer lies as it does in the whole: the last lengths of `3x128x64` at the end.
        whole = re.search(r", (\d+(?:x\d+)*)>$", said)
        whole = [int(length) for length in whole[1].split("x")][-len(shape) :] if whole else shape
        one = {"kind": ACCESS[kind], "shape": shape, "whole": whole, "bits": int(re.search(r"\d+", element)[0])}
        one["shared"] = re.search(r"(#ttg\.\w+<.*?\}?>), #ttg\.shared_memory", said)[1]
        registers = builder.get_gluon_layout_from_tensor(value)
        one["register"], one["lane"], one["warp"] = bases(builder, registers, shape)
        one["offset"] = None
        # Of a padded one Triton aborts, and Gluon has no words for a rotating one.
        if one["shared"].startswith("#ttg.swizzled_shared"):
            one["offset"] = bases(builder, builder.get_gluon_layout_from_memdesc(memory), whole)[0]
        found.append(one)

    module.walk(see)
    return found


def described(name):
    text = compile.compiled(*name.split("-"))["ttgir"]
    found, at = accesses(name, text), places(text)
    lines, scratch = [], set()
    for line in text.splitlines():
        location = re.search(r"loc\((#loc\d*)\)$", line)
        if not location:
            continue
        place = at.get(location[1], "")
        if re.search(r"ttg\.local_(load|store)|ttg\.local_alloc %", line):
            lines.append(place)
        elif SCRATCH.search(line) or re.match(r"\s*\}\)", line):
            scratch.add(place)
    assert len(lines) == len(found), (name, len(lines), len(found))
    return {"accesses": [one | {"place": place} for one, place in zip(found, lines)], "scratch": sorted(scratch)}


if __name__ == "__main__":
    said = {name: described(name) for name in sys.argv[2:] or compile.ALL}
    text = json.dumps({"triton": compile.triton.__version__, "programs": said}, separators=(",", ":"))
    pathlib.Path(sys.argv[1]).write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(len(text), {name: len(one["accesses"]) for name, one in said.items()})
