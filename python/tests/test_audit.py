"""Compiled kernels: texts of the audit's own tests, by path, text and object, and what the command line says of them."""

import gzip
import json
import pathlib
import types

import pytest
import tiledesc as td

DATA = pathlib.Path(__file__).parents[2] / "audit" / "tests" / "data"
FILES = sorted(DATA.glob("*-gfx942.amdgcn.gz")) + sorted(DATA.glob("*-sm_90.ptx.gz")) + sorted(DATA.glob("*-gfx1201.amdgcn.gz"))
if not FILES:
    pytest.skip(f"there is no kernel in {DATA}", allow_module_level=True)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file(file, tmp_path):
    text = gzip.decompress(file.read_bytes()).decode()
    file = tmp_path / file.stem
    file.write_text(text)
    report = td.audit(file)
    status, out, _ = td.run(["audit", str(file), "--format", "json"])
    told = [(kernel, line) for kernel in json.loads(out)["files"][0]["kernels"] for line in kernel["instructions"]]
    assert len(report.lines) == len(told) > 0
    for line, (kernel, one) in zip(report.lines, told):
        assert (line.line, line.instruction, line.degree, line.found) == (one["place"], one["opcode"], one["degree"], one["found"])
        assert (line.cycles, line.base_cycles, line.text_lines) == (one["cycles"], one["cycles_without_conflicts"], one["lines"])
        assert list(line.lanes or []) == (one["lanes"] or []) and list(line.bytes or []) == (one["bytes"] or [])
        assert kernel["kernel"].startswith(line.kernel)
    assert str(report) == repr(report) == td.run(["audit", str(file)])[1].rstrip()
    bounds = [one for kernel in json.loads(out)["files"][0]["kernels"] for one in kernel["bounds"]]
    assert [(one.line, one.by, one.base_by, str(one)) for one in report.limits] == [
        (one["place"], one["by"], one["by_without_conflicts"], one["sentence"]) for one in bounds
    ]
    assert [[one.memory, one.base_memory, one.matrix] for one in report.limits] == [
        [(one[key]["least"], one[key]["most"]) for key in ("memory", "memory_without_conflicts", "matrix")] for one in bounds
    ]
    worst = max((line.degree or 0) for line in report.lines)
    assert (report.worst.degree if report.worst else 0) == worst
    if status:
        with pytest.raises(AssertionError, match="do(es)? not pass"):
            td.assert_conflict_free(file)
    degree = max(1, *(one["degree"] or 0 for _, one in told))
    td.assert_conflict_free(file, max_degree=degree, allow_unknown=True, allow_races=True)
    # The same text, by its name and as an object of Triton's shape.
    assert [line.found for line in td.audit(text).lines] == [line.found for line in report.lines]
    assert [line.found for line in td.audit(str(file)).lines] == [line.found for line in report.lines]
    assert "<table>" in report._repr_html_()
    assert len(td.audit(file, all=True).lines) >= len(report.lines)


def compiled(text, arch="gfx942", warps=4, lanes=64):
    metadata = types.SimpleNamespace(name="gemm", num_warps=warps, target=types.SimpleNamespace(arch=arch, warp_size=lanes))
    return types.SimpleNamespace(asm={"ttir": "..", "amdgcn": text}, metadata=metadata)


COLUMN = """
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .type column,@function
column:
    .file 1 "." "column.py"
    .loc 1 3 0
    v_lshlrev_b32_e32 v1, 7, v0
    .loc 1 5 0
    ds_read_b32 v2, v1
    .loc 1 6 0
    ds_read_b32 v3, v2
    s_endpgm
"""


def test_an_object():
    report = td.audit(compiled(COLUMN))
    assert report.kernels[0].startswith("column, gfx942, 4 waves of 64") and "--block" not in report.kernels[0]
    assert (report.worst.line, report.worst.degree, report.worst.lanes) == ("column.py:5", 32, (0, 1))
    assert [line.outcome for line in report.lines] == ["conflict", "unknown"]
    # A dictionary is metadata, too; and another format is named.
    kernel = compiled(COLUMN)
    kernel.metadata = {"num_warps": 1, "target": {"arch": "gfx942:sramecc+:xnack-", "warp_size": 64}}
    assert td.audit(kernel).kernels[0].startswith("column, gfx942, 1 wave of 64")
    kernel.asm = {"ttir": "..", "hsaco": b".."}
    with pytest.raises(td.TileError, match="asm has no text of amdgcn or ptx; there is ttir, hsaco"):
        td.audit(kernel)


def test_assert():
    kernel = compiled(COLUMN)
    with pytest.raises(AssertionError, match="2 of 2 lines do not pass"):
        td.assert_conflict_free(kernel)
    with pytest.raises(AssertionError, match="1 of 2 lines does not pass:\n  column.py:6  ds_read_b32 x1  unknown"):
        td.assert_conflict_free(kernel, max_degree=32)
    td.assert_conflict_free(kernel, max_degree=32, allow_unknown=True)
    td.assert_conflict_free(kernel, max_degree=32, lines=["column.py:5"])
    with pytest.raises(AssertionError, match="1 of 1 line does not pass"):
        td.assert_conflict_free(kernel, max_degree=31, lines=["column.py:5"])
    with pytest.raises(td.TileError, match="no instruction is of line `column.py:7`; there are column.py:5, column.py:6"):
        td.assert_conflict_free(kernel, lines=["column.py:7"])
    with pytest.raises(td.TileError, match="max_degree = 0"):
        td.assert_conflict_free(kernel, max_degree=0)
    plain = td.Tile("f16", {"m": 128, "k": 64}, strides=[64, 1])
    read = [("ds_read_b128", "mfma-rows 16")]
    with pytest.raises(AssertionError, match="1 of 1 accesses does not pass"):
        td.assert_conflict_free(plain.check("gfx942", read=read))
    td.assert_conflict_free(plain.check("gfx942", read=read, max_degree=4))


STORE = """
    .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
    .type store,@function
store:
    v_lshrrev_b32_e32 v1, 1, v0
    v_lshlrev_b32_e32 v1, 2, v1
    global_load_dword v2, v[4:5], off
    ds_write_b32 v1, {}
    s_endpgm
"""


def test_races_are_not_unknown_addresses():
    """The table of cli/README.md, "What becomes of an access"."""
    for data, outcome, race, passes in [("v1", "free", "same", True), ("v0", "race", "different", False), ("v2", "may_race", "unknown", False)]:
        text = STORE.format(data)
        line = td.audit(text, block=64).worst
        assert (line.outcome, line.race, line.degree) == (outcome, race, 1)
        if passes:
            td.assert_conflict_free(text, block=64, strict=True)
            continue
        with pytest.raises(AssertionError, match="data race: lanes 0 and 1"):
            td.assert_conflict_free(text, block=64)
        with pytest.raises(AssertionError, match="data race: lanes 0 and 1"):
            td.assert_conflict_free(text, block=64, allow_unknown=True)
        td.assert_conflict_free(text, block=64, allow_races=True)
    # An unknown address is no race.
    unknown = STORE.format("v0").replace("ds_write_b32 v1, v0", "ds_write_b32 v2, v0")
    with pytest.raises(AssertionError, match="unknown: its address was loaded"):
        td.assert_conflict_free(unknown, block=64, allow_races=True)
    td.assert_conflict_free(unknown, block=64, allow_unknown=True)


def test_another_chip_than_the_texts():
    with pytest.raises(td.TileError, match="the text is compiled for gfx942, and the chip that is stated, sm_90, does not run it"):
        td.audit(COLUMN, chip="sm_90")
    assert "gfx942" in td.audit("\ufeff" + COLUMN.lstrip(), block=64).kernels[0]


def test_a_dispute_is_a_note():
    tile = td.Tile("f32", {"m": 2, "k": 32}, strides=[64, 1])
    check = tile.check("gfx950", read=[("ds_read_b32", "row-major")])
    verdict = check.worst
    assert check.passes and verdict.free and (verdict.degree, verdict.rival_degree) == (1, 2)
    td.assert_conflict_free(check)
    assert not tile.check("gfx950", read=[("ds_read_b32", "row-major")], strict=True).passes
