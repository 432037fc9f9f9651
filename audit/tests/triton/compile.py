"""Compiles the kernels of kernels.py without a GPU, and writes their assembly to a folder, compressed.

    python3 -m venv venv && venv/bin/pip install triton==3.9.0
    venv/bin/python compile.py FOLDER [gemm-gfx942 ..]

Comments, debug information and call frames are left out: they are 2 of 3 bytes.
"""

import gzip
import pathlib
import re
import sys

import kernels
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

TARGETS = {name: GPUTarget("hip", name, 64) for name in ("gfx90a", "gfx942", "gfx950")}
TARGETS |= {name: GPUTarget("hip", name, 32) for name in ("gfx1100", "gfx1201")}
TARGETS |= {f"sm_{number}": GPUTarget("cuda", number, 32) for number in (80, 90, 100)}
F16, F32, I32, REAL = "*fp16", "*fp32", "i32", "fp32"
KERNELS = {
    "gemm": (kernels.gemm, dict(a=F16, b=F16, c=F16, m=I32, n=I32, k=I32), dict(BM=128, BN=128, BK=64)),
    "attention": (
        kernels.attention,
        dict(q=F16, k=F16, v=F16, o=F16, length=I32, scale=REAL),
        dict(BM=128, BN=64, D=128),
    ),
    "transpose": (kernels.transpose, dict(a=F16, b=F16, m=I32, n=I32), dict(BM=64, BN=64)),
    "softmax": (kernels.softmax, dict(a=F32, b=F32, n=I32), dict(BN=4096)),
    "layer_norm": (
        kernels.layer_norm,
        dict(a=F32, b=F32, weight=F32, bias=F32, n=I32, eps=REAL),
        dict(BN=4096),
    ),
}


def compiled(name, target):
    function, types, constants = KERNELS[name]
    signature = types | {key: "constexpr" for key in constants}
    divisible = [["tt.divisibility", 16]]
    aligned = {(i,): divisible for i, kind in enumerate(types.values()) if kind[0] in "*i"}
    source = ASTSource(function, signature, constants, aligned)
    return triton.compile(source, target=TARGETS[target], options={"num_warps": 4}).asm


def bare(text, comment):
    """What the audit reads of it."""
    lines, debug = [], False
    for line in text.splitlines():
        code = re.sub(rf"\s*{comment}(?!.*Folded (Spill|Reload)).*", "", line).rstrip()
        words = code.split()
        if words and words[0] in (".section", ".text"):
            debug = words[0] == ".section" and words[1].startswith(".debug")
        left_out = words and (words[0].startswith(".cfi_") or re.match(r"\.L(tmp|func_begin)\d+:", words[0]))
        if words and not debug and not left_out:
            code = re.sub(r'^\t\.file\t(\d+) ".*" "', r'\t.file\t\1 "." "', code)
            lines.append(re.sub(r'^\t\.file\t(\d+) ".*/', r'\t.file\t\1 "', code))
        if debug and comment == "//" and line.strip() == "}":
            debug = False
    return "\n".join(lines) + "\n"


def write(folder, one, made, version):
    kind, comment = ("ptx", "//") if "ptx" in made else ("amdgcn", ";")
    text = f"{comment} Triton {version}: compile.py {one}\n" + bare(made[kind], comment)
    path = folder / f"{one}.{kind}.gz"
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(path.name, len(text))


ALL = [f"{kernel}-{target}" for kernel in KERNELS for target in TARGETS]

if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for one in sys.argv[2:] or ALL:
        write(folder, one, compiled(*one.split("-")), triton.__version__)
