"""What Python is told is what ``tiledesc`` prints of the same file."""

import json
import subprocess
import sys

import pytest
import tiledesc as td

CHIPS = ["gfx942", "gfx950", "sm_90"]
WRITE = {"gfx": [("ds_write_b128", "row-major")], "sm_": [("st.shared.b128", "row-major")]}
READ = {"gfx": [("ds_read_b128", "mfma-rows 16", 4)], "sm_": [("ld.shared.b128", "mfma-rows 16", 4)]}
LAYOUTS = [
    dict(strides=[64, 1]),
    dict(strides={"m": 72, "k": 1}),
    dict(recipe="gemm-xor", kpack=8),
    dict(recipe="row-pad", padding=8),
    dict(recipe="gemm-xor-bits", kpack=8, mldslayer=2, masks=[2, 4]),
    dict(cute="Sw<2,3,3> o 0 o (128,64):(64,1)", unit="elements"),
    dict(triton={"vec": 8, "perPhase": 1, "maxPhase": 8}),
    dict(ck={"kpack": 8}),
    dict(stages="packed [128, 8, 8]; xor[128, 8] (0, 1) -> (0, 1), pass[8] (2) -> (2); pass[128] (0) -> (0), merge[8, 8] (1, 2) -> (1);"),
]


def accesses(chip):
    return dict(write=WRITE[chip[:3]], read=READ[chip[:3]])


def command(*words, text=""):
    """The command line, in a process of its own."""
    done = subprocess.run([sys.executable, "-m", "tiledesc", *words], input=text, capture_output=True, text=True, env={"PATH": "", "NO_COLOR": "1"})
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: next(iter(layout)))
def test_check(chip, layout):
    tile = td.Tile("f16", {"m": 128, "k": 64}, **layout)
    found = tile.check(chip, **accesses(chip))
    text = tile.to_toml(chip, **accesses(chip))
    status, out, _ = td.run(["check", "-", "--format", "json"], stdin=text)
    whole = json.loads(out)
    assert found.passes == (status == 0) and len(whole["tiles"][0]["accesses"]) == len(found) == 2
    for one, told in zip(found.verdicts, whole["tiles"][0]["accesses"]):
        meeting = told["meeting"] or {}
        assert (one.chip, one.instruction, one.pattern, one.access) == (told["chip"], told["op"], told["by"], told["access"])
        assert (one.degree, one.cycles, one.base_cycles) == (told["degree"], told["active_cycles"], told["base_cycles"])
        assert (one.free, one.passes, one.sentence) == (told["free"], told["ruling"] == "passes", told["sentence"])
        assert (one.evidence, one.source) == (told["evidence"]["level"], told["evidence"]["source"])
        assert one.rival_degree == told["evidence"]["rival_degree"]
        assert list(one.pair or []) == meeting.get("lanes", []) and list(one.bytes or []) == meeting.get("bytes", [])
        assert (one.bank, one.phase) == (meeting.get("bank"), meeting.get("phase"))
    assert found.instead == [one["words"] for one in whole["tiles"][0]["remedies"]]
    lines = td.run(["check", "-"], stdin=text)[1].splitlines()
    # A file has lines where Python has arguments.
    assert [line.split(": ", 1)[-1] for line in str(found).splitlines()] == [line.split(": ", 1)[-1] for line in lines]


def test_a_read_of_bytes_that_no_write_covers():
    tile = td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1])
    both = dict(write=[("ds_write_b16", "strided 2")], read=[("ds_read_b128", "mfma-rows 16")], max_degree=8)
    said = "reads 8192 bytes that no stated write covers, first in instruction 0: lane 0, (0, 0), byte 2"
    plain, strict = tile.check("gfx942", **both), tile.check("gfx942", **both, strict=True)
    assert plain.passes and not strict.passes
    for found in [plain, strict]:
        assert [(one.unwritten, one.note) for one in found.verdicts] == [(0, None), (8192, said)]
        assert said in str(found) and said in str(found.verdicts[1])
    assert not any(one.unwritten for one in tile.check("gfx942", **accesses("gfx942")).verdicts)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: next(iter(layout)))
def test_emit_convert_show(layout):
    tile = td.Tile("f16", {"m": 128, "k": 64}, name="A", **layout)
    asked = accesses("gfx942")
    bare, text = tile.to_toml(), tile.to_toml("gfx942", **asked)
    for language in ["hip", "cuda", "c", "wgsl", "glsl", "msl", "latex", "text"]:
        assert tile.emit(language) == td.run(["emit", "-", "--lang", language], stdin=bare)[1]
        assert tile.emit(language, "gfx942", **asked) == td.run(["emit", "-", "--lang", language], stdin=text)[1]
    for to in ["cute", "triton", "ck", "stages"]:
        status, out, err = td.run(["convert", "-", "--to", to], stdin=bare)
        if status:
            with pytest.raises(td.TileError, match="has no such form"):
                getattr(tile, f"to_{to}")()
            continue
        form = getattr(tile, f"to_{to}")()
        assert (form if isinstance(form, str) else toml_of(form)) == out.strip()
        # A swizzle is printed as one of elements, which the text alone does not say.
        unit = {"unit": "elements"} if to == "cute" else {}
        back = td.Tile("f16", {"m": 128, "k": 64}, **{to: form}, **unit)
        m, k = [i // 64 for i in range(8192)], [i % 64 for i in range(8192)]
        assert back.offset(m, k) == tile.offset(m, k)
    for figure in ["grid", "phases", "timeline", "ladder"]:
        assert tile.svg(figure, "gfx942", **asked) == td.run(["show", "-", "--figure", figure, "--format", "svg"], stdin=text)[1]
        assert tile.show(figure, "gfx942", **asked) == td.run(["show", "-", "--figure", figure], stdin=text)[1]
    assert tile.svg("journey", at=[3, 17]) == td.run(["show", "-", "--figure", "journey", "--at", "3,17", "--format", "svg"], stdin=bare)[1]


def toml_of(value):
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml_of(one)}" for key, one in value.items()) + " }"
    return str(value)


@pytest.mark.parametrize("chips", [["gfx942"], ["gfx942", "gfx950"], ["sm_90"]], ids=str)
@pytest.mark.parametrize("shape", [{"m": 128, "k": 64}, {"m": 128, "k": 32}, {"n": 96, "k": 96}], ids=str)
def test_find(chips, shape):
    asked = accesses(chips[0])
    best = td.find("f16", shape, chips, **asked)
    plain = td.Tile("f16", shape, recipe="row-major")
    told = json.loads(td.run(["find", "-", "--json"], stdin=plain.to_toml(chips, **asked))[1])["tiles"][0]
    assert (best.proof, best.floor) == (told["proof"], told["floor"])
    first = next(row for row in told["rows"] if row["words"])
    assert (best.words, best.cycles, best.bytes, best.address, best.free) == tuple(first[key] for key in ("words", "cycles", "bytes", "address", "free"))
    assert [row.cycles for row in best.rows] == [row["cycles"] for row in told["rows"]]
    # The tile is that layout: its own verdicts cost as much.
    found = best.tile.check(chips, **asked)
    times = {"write": 1, "read": 4}
    disputed = any(one.rival_degree not in (None, one.degree) for one in found.verdicts)
    if not disputed:
        assert sum(one.cycles * times[one.access] for one in found.verdicts) == best.cycles
    assert best.tile.bytes == best.bytes
    assert best.free == all(one.free for one in found.verdicts)


def test_verdict_of_addresses_is_that_of_the_pattern():
    """The first instruction of a pattern, its addresses from the offsets of a tile."""
    tried = 0
    for stride in range(64, 160, 8):
        tile = td.Tile("f16", {"m": 128, "k": 160}, strides=[stride, 1], may_overlap=True)
        lanes = range(64)
        rows, columns = [lane % 16 for lane in lanes], [lane // 16 * 8 for lane in lanes]
        one = td.verdict("gfx942", "ds_read_b128", [2 * offset for offset in tile.offset(rows, columns)])
        found = tile.check("gfx942", read=[("ds_read_b128", "first mfma-rows 16")]).worst
        assert (one.degree, one.cycles, one.base_cycles, one.pair, one.bank, one.phase) == (found.degree, found.cycles, found.base_cycles, found.pair, found.bank, found.phase)
        assert (one.evidence, one.source) == (found.evidence, found.source)
        tried += 1
    assert tried == 12


def test_the_program(tmp_path):
    file = tmp_path / "kernel.toml"
    file.write_text(td.Tile("f16", {"m": 128, "k": 64}, strides=[64, 1], name="A").to_toml("gfx942", read=READ["gfx"]))
    for words in [["check", str(file)], ["check", str(file), "--format", "json"], ["find", str(file)], ["list", "gfx942"], ["--version"], ["check", "no.toml"], ["nonsense"]]:
        assert command(*words) == td.run(words), words
    assert command("check", "-", text=file.read_text()) == td.run(["check", "-"], stdin=file.read_text())
    assert td.run(["check", str(file)])[0] == 1


def test_the_summary_is_of_all_commands():
    """An agent that reads the summary finds each option, and chips, patterns and recipes that are taken."""
    summary = json.loads(td.help_json())
    assert summary["schema"] == "tiledesc.help/1" and summary["version"] == td.__version__
    for one in summary["commands"]:
        _, told, _ = td.run([one["name"], "--help"])
        for argument in one["arguments"]:
            assert argument["name"] in told or f"<{argument['value'][0]}>" in told or f"[{argument['value'][0]}]" in told, (one["name"], argument)
    assert {"check", "audit", "find", "emit", "convert"} <= {one["name"] for one in summary["commands"]}
    assert summary["schemas"]["tiledesc.check/1"] == json.loads(td.run(["schema"])[1])
    choices = summary["choices"]
    assert len(choices["chips"]) >= 22 and len(choices["patterns"]) > 5 and len(choices["recipes"]) > 20
