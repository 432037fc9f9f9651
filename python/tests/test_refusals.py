"""What is wrong is one sentence with its numbers, and never a panic."""

import array
import random

import pytest
import tiledesc as td

TILE = td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
GOOD = [16 * lane for lane in range(64)]


def refused(call, *words):
    with pytest.raises(td.TileError) as caught:
        call()
    said = str(caught.value)
    assert all(word in said for word in words), said
    assert "\n" not in said and not said.startswith(("tiledesc:", "error:")), said
    return said


def changed(lane, value):
    return [value if at == lane else byte for at, byte in enumerate(GOOD)]


@pytest.mark.parametrize(
    "addresses, words",
    [
        ([0] * 32, "gfx942 has waves of 64 lanes, but 32 addresses are given"),
        ([0] * 65, "but 65 addresses are given"),
        ([], "but 0 addresses are given"),
        (changed(3, 1.0), "an address is a float"),
        (changed(3, float("nan")), "an address is a float"),
        (changed(3, -16), "lane 3 has the address -16"),
        (changed(3, 2**32), "lane 3 has the address 4294967296"),
        (changed(3, 2**200), "out of range"),
        (changed(3, 10**5000), "out of range"),
        (changed(3, "16"), "an address is a str"),
        (changed(3, True), "an address is a bool"),
        (changed(3, [0]), "lane 3 has several addresses"),
        (changed(3, 8), "byte 8 of lane 3 is not aligned to 16"),
        (changed(3, 65536), "lane 3 would touch byte 65551, beyond the memory of 65536 bytes"),
        ("0, 16", "addresses is a str"),
        (b"0" * 64, "addresses is a bytes"),
        (None, "addresses is a NoneType"),
        (5, "addresses have the shape []"),
        ({0: 0}, "addresses is a dict"),
        (array.array("d", [0.0] * 64), "elements `d`"),
        (memoryview(bytes(64)).cast("B", (8, 8)), "the shape [8, 8]"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_verdict(addresses, words):
    refused(lambda: td.verdict("gfx942", "ds_read_b128", addresses), words)


def test_verdict_names():
    refused(lambda: td.verdict("gfx9", "ds_read_b128", GOOD), "gfx9")
    refused(lambda: td.verdict("gfx942", "ds_read_b129", GOOD), "did you mean `ds_read_b128`?")
    refused(lambda: td.verdict("gfx942", "ds_read2_b64", GOOD), "two addresses")
    assert td.verdict("gfx942", "ds_read2_b64(0, 64)", GOOD).degree >= 1
    with pytest.raises(TypeError):
        td.verdict(942, "ds_read_b128", GOOD)


@pytest.mark.parametrize(
    "arguments, keywords, words",
    [
        (("f17", {"m": 1}), dict(strides=[1]), "no element is called `f17`"),
        (("f16",), dict(strides=[1]), "`strides` needs the shape"),
        (("f16", {"m": 128, "k": 64}), {}, "has no layout"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpak=8), "did you mean `kpack`?"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpack=24), "k = 64 is not a multiple of KPack = 24"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpack=8.0), "kpack"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpack=float("nan")), "kpack"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpack=-8), "kpack = -8"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpack=2**70), "kpack = 1180591620717411303424"),
        (("f16", {"m": 128, "k": 64}), dict(recipe="gemm-xor", kpack="8\nmay_overlap = true"), "kpack"),
        (("f16", {"m": 128, "k": 64}), dict(strides=[1, 1]), "may_overlap"),
        (("f16", {"m": 128, "k": 64}), dict(strides=[64, 1], cute="x"), "leave one of them out"),
        (("f16", {"m": 128, "k": 64}), dict(strides=[64, 1], read=[]), "a Tile is a layout"),
        (("f16", {"m": 128, "k": 64}), dict(strides=[64, 1], matrix=("v_mfma_f32_32x32x8_f16", 4)), "a Tile is a layout"),
        (("f16", {"m": 128, "k": 64}), {"strides": [64, 1], "a\nb": 1}, "unknown key"),
        (("f16", {"m": 0}), dict(strides=[1]), "shape.m = 0"),
        (("f16", {"m": True}), dict(strides=[1]), "shape.m is a boolean"),
        (("f16", {1: 2}), dict(strides=[1]), "a key is not a string"),
        (("f16", [128, 64]), dict(strides=[1]), "shape is a list"),
        (("f16", {"m": 2**31, "k": 64}), dict(strides=[64, 1]), "137438953472"),
        (("f16", {"m": 128, "k": 64}), dict(strides=[64, 1], name="a b"), "not a valid name"),
        (("f16", {"m": 128, "k": 64}), dict(cute="Sw<"), "cute"),
        (("f32", {"m": 128, "k": 64}), dict(cute="Sw<3,4,3> o smem_ptr[16b](unset) o (128,64):(64,1)"), "says 16 bits, but an element of `f32` has 32"),
        (("f16", {"m": 128, "k": 64}), dict(cute="S<3,4,3> o 0 o (128,64):(64,1)", unit="bits"), "not `bits`"),
        (("f16", {"k": 64, "d": 64}), dict(recipe="gemm-xor", kpack=8), "`k` is K of GemmXor by its name, but M by its position"),
        (("f16", {"m": 4}), dict(strides=[1], may_overlap="yes"), None),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_tile(arguments, keywords, words):
    if words is None:
        with pytest.raises(TypeError):
            td.Tile(*arguments, **keywords)
        return
    refused(lambda: td.Tile(*arguments, **keywords), words)


def test_a_swizzle_counts_elements_or_bytes():
    tile = td.Tile("f16", {"m": 128, "k": 64}, cute="S<3,4,3> o 0 o (128,64):(64,1)")
    words = "2-way in 256 cycles in elements, free of conflicts in bytes"
    read = [("ds_read_b128", "mfma-rows 16")]
    refused(lambda: tile.check("gfx942", read=read), words)
    refused(lambda: tile.offset(1, 0), "(1, 0) lies at offset 64 in elements, at 72 in bytes")
    # Rows of lanes are free in both.
    assert tile.check("gfx942", read=[("ds_read_b128", "row-major")]).passes
    for unit, degree, offset in [("elements", 2, 64), ("bytes", 1, 72)]:
        said = td.Tile("f16", {"m": 128, "k": 64}, cute="S<3,4,3> o 0 o (128,64):(64,1)", unit=unit)
        assert (said.check("gfx942", read=read).worst.degree, said.offset(1, 0)) == (degree, offset)


def test_names_of_a_distribution_are_the_tile_s():
    for names in ["foo [again 16, row 8], k", "k [again 16, row 8], m"]:
        by = names + " [chunk 8, half 8]; lane (row, chunk), thread (again, half)"
        refused(lambda: TILE.check("gfx942", read=[("ds_read_b128", by)]), "but the tile has m, k: write those, in this order")


def test_nested():
    endless = []
    endless.append(endless)
    refused(lambda: td.Tile("f16", {"m": 4}, strides=endless), "nested deeper")
    refused(lambda: TILE.offset(endless, 0), "nested deeper")


@pytest.mark.parametrize(
    "coordinate, words",
    [
        ((), "0 of 2 coordinates"),
        ((1,), "1 of 2 coordinates"),
        ((1, 2, 3), "3 of 2 coordinates"),
        ((128, 0), "m = 128 is out of range: m has 128, from 0 to 127"),
        ((0, -1), "k = -1 is out of range"),
        ((0, 2**100), "out of range"),
        ((1.0, 0), "m is a float"),
        ((float("nan"), 0), "m is a float"),
        ((None, 0), "m is a NoneType"),
        (("1", 0), "m is a str"),
        ((True, 0), "m is a bool"),
        (([0, 1], [0, 1, 2]), "no common shape"),
        (([0, [1]], 0), "beside each other"),
        (([[0], 1], 0), "beside each other"),
        (([[0], [1, 2]], 0), "are not an array"),
        (([0, 128], 0), "m = 128 is out of range"),
        (([0, 1.5], 0), "m is a float"),
        ((array.array("d", [1.0]), 0), "elements `d`"),
        ((array.array("q", [-1]), 0), "m = -1 is out of range"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_offset(coordinate, words):
    refused(lambda: TILE.offset(*coordinate), words)


def test_accesses():
    check = lambda *chips, **asked: lambda: TILE.check(*chips, **asked)
    refused(check("gfx943", read=[("ds_read_b128", "mfma-rows 16")]), "chips: there is no chip `gfx943`")
    refused(check([], read=[("ds_read_b128", "mfma-rows 16")]), "chips is empty")
    refused(check("gfx942", read=("ds_read_b128", "mfma-rows 16")), "read is a list of accesses")
    refused(check("gfx942", read=[("ds_read_b128",)]), "read is a list of accesses")
    refused(check("gfx942", read="ds_read_b128"), "read is a list of accesses")
    refused(check("gfx942", read=[("ds_write_b128", "row-major")]), "ds_write_b128 is a write, but it is listed under `read`")
    refused(check("gfx942", read=[("ds_read_b128", "mfma-row 16")]), "did you mean `mfma-rows`?")
    refused(check("gfx942", read=[("ds_read_b128", "mfma-rows 16", 0)]), "times = 0")
    refused(check("gfx942", read=[("ds_read_b128", "mfma-rows 16", -1)]), "times = -1")
    refused(check("gfx942", read=[{"op": "ds_read_b128", "by": "mfma-rows 16", "time": 4}]), "did you mean `times`?")
    refused(check("gfx942", read=[("ds_read_b128", "mfma-rows 16")], max_degree=0), "max_degree = 0")
    refused(check("gfx942", read=[("ds_read_b128", "mfma-rows 16")], max_degree=1.5), "max_degree = 1.5")
    refused(check("gfx942", fetch=[("load_b128", "row-major")]), "fetch is a list of global accesses")
    refused(check("gfx942", fetch=("load_b128", "row-major", 64)), "fetch is a list of global accesses")
    refused(check("gfx942", fetch=[("load_b128", "row-major", "many")]), "`rows = \"many\"`")
    refused(check("gfx942", matrix=64), "matrix is a matrix instruction and how often")
    refused(check("gfx942", matrix=("v_mfma_f32_32x32x8_f16", 0)), "times = 0")
    refused(check("gfx942", matrix=[("v_mfma_f32_32x32x8_f61", 4)]), "matrix: ")
    refused(lambda: TILE.emit("hipp"), "hipp", "hip")
    refused(lambda: TILE.svg("phase"), "phase", "phases")
    refused(lambda: TILE.svg("phases"), "it has no access")
    refused(lambda: td.find("f16", {"m": 128, "k": 64}, ["gfx942"]), "has no access")
    refused(lambda: td.find("f16", {"m": 128}, "gfx942", read=[("ds_read_b128", "row-major")]))


def test_audit():
    refused(lambda: td.audit("no/such.s"), "no/such.s: No such file")
    refused(lambda: td.audit(""), "neither AMDGPU assembly nor PTX nor SASS")
    refused(lambda: td.audit("int main() { return 0; }"), "neither AMDGPU assembly nor PTX nor SASS")
    refused(lambda: td.audit(b"\xff\xfe binary"), "neither AMDGPU assembly nor PTX nor SASS")
    with pytest.raises(TypeError, match="a int is not a compiled kernel"):
        td.audit(5)


def test_no_panic_leaves():
    said = refused(td._tiledesc._panic)
    assert said == "a fault of tiledesc, please report it: on purpose"


def strange(dice):
    """Any value that a caller may give by mistake."""
    some = [None, True, 0, 1, -1, 8, 64, 2**31, 2**32 - 1, 2**63, 2**64, -(2**80), 0.5, float("nan"), float("inf"), "", "gfx942", "f16", "ds_read_b128", "\x00", "é\n]", "\ud800", b"", b"\xff", [], (), {}, set(), object(), range(3), array.array("i", [1, 2]), memoryview(b"abc"), 1j]
    kind = dice.randrange(10)
    if kind == 0:
        return [strange(dice) for _ in range(dice.randrange(4))]
    if kind == 1:
        return {str(dice.choice(some)): strange(dice) for _ in range(dice.randrange(3))}
    return dice.choice(some)


def test_any_value_at_all(capfd):
    import os

    dice = random.Random(7)
    keys = ["recipe", "strides", "cute", "triton", "ck", "stages", "kpack", "m", "k", "masks", "lines", "x"]
    calls = [
        lambda s: td.verdict(s(), s(), s()),
        lambda s: td.verdict("gfx942", "ds_read_b128", s()),
        lambda s: td.verdict("sm_90", "ld.shared.b32", [s() for _ in range(32)]),
        lambda s: td.Tile(s(), s(), **{dice.choice(keys): s()}),
        lambda s: td.Tile("f16", {"m": 8, "k": 8}, **{dice.choice(keys): s(), dice.choice(keys): s()}),
        lambda s: td.Tile.from_cute(s(), s(), s()),
        lambda s: td.Tile.from_triton(s(), s(), s()),
        lambda s: TILE.offset(s(), s()),
        lambda s: TILE.check(s(), read=s(), write=s(), fill=s(), max_degree=s()),
        lambda s: TILE.check("gfx942", read=[(s(), s())]),
        lambda s: TILE.emit(s(), s(), read=s()),
        lambda s: TILE.svg(s(), s(), read=s()),
        lambda s: TILE.check("gfx942", fetch=s(), matrix=s()),
        lambda s: TILE.check("gfx942", fetch=[(s(), s(), s())], matrix=[(s(), s())]),
        lambda s: TILE.to_toml(s(), write=s()),
        lambda s: td.find(s(), s(), s(), read=s()),
        lambda s: td.audit(s(), chip=s(), block=s(), kernel=s()),
        lambda s: td.assert_conflict_free(s(), max_degree=s(), lines=s()),
        lambda s: td.run(s(), s()),
    ]
    refusals = 0
    for _ in range(4000 * int(os.environ.get("DEEP", "1"))):
        call = dice.choice(calls)
        try:
            call(lambda: strange(dice))
        except (td.TileError, TypeError, UnicodeEncodeError, OverflowError) as error:
            assert "a fault of tiledesc" not in str(error), error
            refusals += 1
    assert refusals > 1000
    assert "panicked" not in capfd.readouterr().err
