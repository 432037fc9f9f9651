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


def test_symbols_that_a_text_leaves_open():
    text = '''
        .amdgcn_target "amdgcn-amd-amdhsa--gfx942"
        .type rows,@function
    rows:
        .set v_row, 1
        v_lshlrev_b32 v[v_row], SHIFT, v0
        .if SHIFT > 1
        ds_read_b32 v[v_row+1], v[v_row]
        .endif
        s_endpgm
    '''
    with pytest.raises(ValueError, match="depends on `SHIFT`, which the text does not define"):
        td.audit(text, block=64)
    assert td.audit(text, block=64, defsym={"SHIFT": 7}).worst.degree == 32
    td.assert_conflict_free(text, block=64, defsym={"SHIFT": 2})


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


def test_a_folder(tmp_path):
    """Triton's cache in one call: what the command line says of it, with the block of each .json."""
    for name, warps, text in [("one", 1, COLUMN), ("two", 4, COLUMN.replace("column", "other")), ("three", 2, COLUMN.replace("7, v0", "2, v0"))]:
        folder = tmp_path / name
        folder.mkdir()
        (folder / f"{name}.amdgcn").write_text(text)
        (folder / f"{name}.hsaco").write_bytes(b"the same as machine code")
        (folder / f"{name}.json").write_text(json.dumps({"num_warps": warps, "target": {"arch": "gfx942", "warp_size": 64}}))
    (tmp_path / "empty.s").write_text("no kernel")
    report = td.audit(tmp_path)
    assert str(report) == td.run(["audit", str(tmp_path)])[1].rstrip()
    assert json.loads(report.to_json()) == json.loads(td.run(["audit", str(tmp_path), "--format", "json"])[1])
    assert [pathlib.Path(line.file).parent.name for line in report.lines] == ["one", "one", "two", "two", "three", "three"]
    waves = [(kernel.split(",")[0], kernel.split(", ")[2]) for kernel in report.kernels]
    assert waves == [("column", "1 wave of 64"), ("other", "4 waves of 64"), ("column", "2 waves of 64")]
    assert [line.found for line in td.audit(str(tmp_path)).lines] == [line.found for line in report.lines]
    with pytest.raises(AssertionError, match="5 of 6 lines do not pass"):
        td.assert_conflict_free(tmp_path)
    td.assert_conflict_free(tmp_path, max_degree=32, allow_unknown=True)
    with pytest.raises(td.TileError, match="is a folder: give one of its files"):
        td.why(tmp_path, 9)
    with pytest.raises(td.TileError, match="no file of this folder ends in one of .amdgcn, .ptx"):
        td.audit(tmp_path.joinpath("one", "..", "more").mkdir() or tmp_path / "more")
    # What cannot be judged is not passed over.
    (tmp_path / "wrong.ptx").write_text(".version 8.0\n.target sm_90\n.visible .entry first()\n{\nbra $nowhere;\n}\n")
    with pytest.raises(td.TileError, match="wrong.ptx: first: the branch in line 5 goes to a label that is not in the text"):
        td.assert_conflict_free(tmp_path)


def test_why(tmp_path):
    file = tmp_path / "column.s"
    file.write_text(COLUMN)
    for line in (11, "column.py:6", "line 11"):
        reasons = td.why(file, line, block=64)
        assert f"{file}: {reasons}" == td.run(["audit", str(file), "--block", "64", "--why", str(line)])[1].rstrip()
    assert [(step.line, step.known) for step in reasons.steps[-2:]] == [
        (9, "unknown: loaded from memory at column.py:5"),
        (11, "unknown: its address was loaded from memory at column.py:5"),
    ]
    assert reasons.steps[-1].text == "ds_read_b32 v3, v2" and len(reasons) == len(reasons.steps)
    assert reasons.head == td.audit(file, block=64).kernels[0] and "<table>" in reasons._repr_html_()
    # Of an object, and of each line of a report.
    report = td.audit(compiled(COLUMN))
    assert [td.why(compiled(COLUMN), line.line).steps[-1].known for line in report.lines] == [line.found for line in report.lines]
    with pytest.raises(td.TileError, match="^2: no access to LDS or shared memory stands there"):
        td.why(COLUMN, 2, block=64)
    for wrong in (-1, 1.5, None, 1 << 70):
        with pytest.raises((TypeError, OverflowError)):
            td.why(COLUMN, wrong)


def test_two_waves():
    text = STORE.replace("{}", "v1\n    v_xor_b32_e32 v1, 0x80, v1\n    ds_read_b32 v3, v1")
    [said] = td.audit(text, block=128).unordered
    assert said.startswith("may be a race: ds_write_b32 at line 8 by lane 0 of wave 0 and ds_read_b32 at line 10 by lane 0 of wave 1")
    # A note: nothing fails for it.
    td.assert_conflict_free(text, block=128)
    assert td.audit(text.replace("v1\n    v_xor", "v1\n    s_barrier\n    v_xor"), block=128).unordered == []
    assert td.audit(text, block=64).unordered == []


def test_better():
    report = td.audit(COLUMN, block=64)
    told = json.loads(report.to_json())["files"][0]["kernels"][0]["better"]
    assert report.better == [one["found"] for one in told]


GEMM = pathlib.Path(__file__).parents[2] / "cli/tests/compiled/gemm-gfx942.s.gz"
TILES = pathlib.Path(__file__).parents[2] / "kernels/hip/gemm.toml"


def test_against():
    text = gzip.decompress(GEMM.read_bytes()).decode()
    report = td.audit(text, block=256, against=TILES)
    assert [(one.access, one.stated, one.found, one.begins) for one in report.stated] == [
        ("a write store", 16, 16, [0]),
        ("a read mfma-rows 32", 16, 32, [0]),
        ("b write store", 16, 16, [16384]),
        ("b read mfma-rows 32", 16, 32, [16384]),
    ]
    assert {one.missing for one in report.stated} == {None} and report.not_stated == []
    assert "against " in str(report) and report.stated[0].sentence in str(report)
    td.assert_conflict_free(text, block=256, against=TILES, allow_unknown=True)
    assert td.audit(text, block=256).stated == []
    # A text, and what the code does not do.
    stated = TILES.read_text()
    other = stated.replace('by = "mfma-rows 32"', 'by = "mfma-rows 16"', 1)
    report = td.audit(text, block=256, against=other)
    assert report.stated[1].missing is not None and report.stated[1].found == 0
    assert "lanes 0 and 16 at bytes 0 and 16 of the tile" in report.stated[1].missing
    with pytest.raises(AssertionError, match="1 of 4 stated accesses does not pass:\n  a read mfma-rows 16  ds_read_b128"):
        td.assert_conflict_free(text, block=256, against=other)
    one = stated.split("[tile.b]")[0].replace('read = [{ op = "ds_read_b128", by = "mfma-rows 32" }]', "")
    report = td.audit(text, block=256, against=one)
    assert len(report.stated) == 1 and report.not_stated[0].startswith("not stated: ds_read_b128 x8 of gemm.hip:71")
    with pytest.raises(td.TileError, match="gemm-xor"):
        td.audit(text, block=256, against=stated.replace("gemm-xor", "gemm-xorr"))
    with pytest.raises(td.TileError, match="is a folder: give a file of tiles"):
        td.audit(text, block=256, against=TILES.parent)
