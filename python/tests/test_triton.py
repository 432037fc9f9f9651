"""Triton's kernels compiled without a GPU, and audited in one call each."""

import importlib.util
import pathlib

import pytest
import tiledesc as td

triton = pytest.importorskip("triton", reason="triton is not installed")
KERNELS = pathlib.Path(__file__).parents[2] / "audit" / "tests" / "triton" / "kernels.py"
if not KERNELS.exists():
    pytest.skip(f"there is no {KERNELS}", allow_module_level=True)

F16, I32, REAL = "*fp16", "i32", "fp32"
WHAT = {
    "gemm": (dict(a=F16, b=F16, c=F16, m=I32, n=I32, k=I32), dict(BM=128, BN=128, BK=64)),
    "attention": (dict(q=F16, k=F16, v=F16, o=F16, length=I32, scale=REAL), dict(BM=128, BN=64, D=128)),
    "transpose": (dict(a=F16, b=F16, m=I32, n=I32), dict(BM=64, BN=64)),
}
TARGETS = {"gfx942": ("hip", "gfx942", 64), "sm_90": ("cuda", 90, 32)}


def compiled(name, target):
    from triton.backends.compiler import GPUTarget
    from triton.compiler import ASTSource

    spec = importlib.util.spec_from_file_location("kernels", KERNELS)
    kernels = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(kernels)
    types, constants = WHAT[name]
    divisible = [["tt.divisibility", 16]]
    source = ASTSource(
        getattr(kernels, name),
        types | {key: "constexpr" for key in constants},
        constants,
        {(i,): divisible for i, kind in enumerate(types.values()) if kind[0] in "*i"},
    )
    return triton.compile(source, target=GPUTarget(*TARGETS[target]), options={"num_warps": 4})


@pytest.mark.parametrize("name", WHAT)
@pytest.mark.parametrize("target", TARGETS)
def test_a_kernel(name, target):
    try:
        kernel = compiled(name, target)
    except Exception as error:
        pytest.skip(f"triton does not compile {name} for {target} here: {error}")
    report = td.audit(kernel)
    assert report.kernels[0].startswith(f"{name}, {target}, 4 waves"), report.kernels
    assert len(report.lines) > 0 and report.worst.degree >= 1
    # A line of the kernel's own source.
    assert report.worst.line.startswith("kernels.py:"), report.worst
    td.assert_conflict_free(kernel, max_degree=64, allow_unknown=True)
    print(report)
