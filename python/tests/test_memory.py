"""Nothing is left behind: resident memory before and after many calls."""

import array
import os

import pytest
import tiledesc as td

CALLS = 20000 * int(os.environ.get("DEEP", "1"))
TILE = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
LANES = [16 * lane for lane in range(64)]
MANY = array.array("q", [lane % 64 for lane in range(100_000)])


def resident():
    """KiB of this process."""
    try:
        with open("/proc/self/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
    except OSError:
        pytest.skip("there is no /proc/self/status")


def refusal():
    try:
        td.verdict("gfx942", "ds_read_b128", [-1] * 64)
    except td.TileError:
        pass


@pytest.mark.parametrize(
    "call, share",
    [
        (lambda: td.verdict("gfx942", "ds_read_b128", LANES), 1),
        (lambda: TILE.offset(3, 5), 1),
        (lambda: TILE.offset([1, 2, 3], 4), 1),
        (refusal, 1),
        (lambda: TILE.offset(MANY, MANY), 1 / 500),
        (lambda: td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8), 1 / 20),
        (lambda: TILE.check("gfx942", read=[("ds_read_b128", "mfma-rows 16")]), 1 / 100),
        (lambda: repr(TILE), 1),
    ],
    ids=["verdict", "offset", "offsets", "refusal", "arrays", "tile", "check", "repr"],
)
def test_no_leak(call, share):
    calls = max(20, int(CALLS * share))
    for _ in range(calls // 4):
        call()
    before = resident()
    for _ in range(calls):
        call()
    grown = resident() - before
    # A word a call that is left behind is 8 KiB in a thousand.
    assert grown < max(1024, calls * 8 // 1024), f"{grown} KiB more after {calls} calls"
