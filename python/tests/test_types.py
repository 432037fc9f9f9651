"""The stubs say what the module has, and a user's program is checked by them."""

import subprocess
import sys

import pytest

pytest.importorskip("mypy", reason="mypy is not installed")

PROGRAM = """
import tiledesc as td

tile = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
one: int = tile.offset(1, 2)
degree: int = td.verdict("gfx942", "ds_read_b128", [0] * 64).degree
found = tile.check("gfx942", read=[("ds_read_b128", "mfma-rows 16"), {"op": "ds_read_b64", "by": "row-major"}])
worst = found.worst
text: str = worst.sentence if worst else ""
best: td.Tile = td.find("f16", {"m": 128, "k": 64}, ["gfx942"], read=[("ds_read_b128", "mfma-rows 16", 4)]).tile
td.assert_conflict_free(found)
beside = tile.check("gfx942", fetch=[("load_b128", "row-major", 8192, 16)], matrix=[("v_mfma_f32_32x32x8_f16", 12)])
touched: list[int] = [one.lines for one in beside.fetches]
cycles: list[int] = [trip.matrix[0] for trip in beside.trips]
"""
WRONG = """
import tiledesc as td

td.Tile("f16", 128)
degree: str = td.verdict("gfx942", "ds_read_b128", [0] * 64).degree
td.find("f16", {"m": 128}).tiles
"""


def mypy(*words):
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def test_a_users_program(tmp_path):
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    status, said = mypy("mypy", "--strict", str(file))
    assert status == 0, said
    file.write_text(WRONG)
    status, said = mypy("mypy", "--strict", str(file))
    assert status == 1 and all(f"program.py:{line}:" in said for line in (4, 5, 6)), said


def test_the_stubs_are_the_module():
    status, said = mypy("mypy.stubtest", "tiledesc", "--ignore-disjoint-bases")
    assert status == 0, said
