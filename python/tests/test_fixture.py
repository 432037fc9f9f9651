"""The pytest fixture, in a project that has a file and a test."""

pytest_plugins = ["pytester"]

FILE = """
version = 1
chips = ["gfx942"]
[tile.A]
element = "f16"
shape = { m = 128, k = 64 }
strides = [64, 1]
read = [{ op = "ds_read_b128", by = "mfma-rows 16" }]
"""
TEST = """
import pytest

def test_layouts(tiledesc):
    tiledesc.check("kernel.toml", max_degree=4)

def test_conflict(tiledesc):
    tiledesc.check("kernel.toml")

def test_no_file(tiledesc):
    tiledesc.check("other.toml")

def test_strict(tiledesc):
    tiledesc.check("kernel.toml", max_degree=4, strict=True)

def test_kernel(tiledesc):
    tiledesc.assert_conflict_free('''
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .type column,@function
column:
    v_lshlrev_b32_e32 v1, 7, v0
    ds_read_b32 v2, v1
    s_endpgm
''', block=64)
"""


def test_a_project(pytester):
    pytester.makefile(".toml", kernel=FILE)
    pytester.makepyfile(TEST)
    done = pytester.runpytest("-q", "-rA")
    done.assert_outcomes(passed=2, failed=3)
    done.stdout.fnmatch_lines_random([
        "*kernel.toml:7: A gfx942 ds_read_b128 mfma-rows 16  4-way in phase 0: *",
        "*free instead: strides = [[]80, 1]: *",
        "*other.toml: No such file*",
        "*AssertionError: 1 of 1 line does not pass:*",
        "*ds_read_b32 x1  32-way: lanes 0 and 1, bytes 0 and 128, bank 0*",
    ])
