"""Offsets of arrays are those of single coordinates, whatever array they come in."""

import array
import itertools
import random

import pytest
import tiledesc as td

TILES = [
    td.Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8),
    td.Tile("f16", {"m": 96, "k": 40}, recipe="row-pad", padding=8),
    td.Tile("f32", {"a": 3, "b": 5, "c": 7}, strides=[100, 9, 1]),
    td.Tile("f8", {"i": 4096}, strides=[3]),
    # More elements than are kept as a table.
    td.Tile("f8", {"m": 2048, "k": 1024}, strides=[1031, 1]),
]


def formula(tile, index):
    """By hand, for the tiles above."""
    kind = repr(tile)
    if "gemm-xor" in kind:
        return index[0] * 64 + (index[1] ^ (index[0] % 8 * 8))
    strides = [48, 1] if "row-pad" in kind else {3: [100, 9, 1], 1: [3], 2: [1031, 1]}[len(index)]
    return sum(one * stride for one, stride in zip(index, strides))


def indices(tile, count, seed):
    random.seed(seed)
    return [[random.randrange(length) for _ in range(count)] for length in tile.shape.values()]


@pytest.mark.parametrize("tile", TILES, ids=repr)
@pytest.mark.parametrize("count", [0, 1, 7, 40_000])
def test_lists(tile, count):
    given = indices(tile, count, count)
    wanted = [formula(tile, index) for index in zip(*given)] if count else []
    assert tile.offset(*given) == wanted
    for index, offset in itertools.islice(zip(zip(*given), wanted), 500):
        assert tile.offset(*index) == offset
    assert tile.offset(*(tuple(one) for one in given)) == wanted
    packed = [array.array("l", one) for one in given]
    assert tile.offset(*packed) == array.array("q", wanted)
    if count:
        views = [memoryview(one) for one in packed]
        assert tile.offset(*views).tolist() == wanted


@pytest.mark.parametrize("code", "bBhHiIlLqQ")
def test_widths(code):
    tile = TILES[0]
    given = [array.array(code, [1, 2, 100]), array.array(code, [0, 63, 8])]
    assert list(tile.offset(*given)) == [formula(tile, index) for index in zip(*given)]


def test_shapes():
    tile = TILES[0]
    rows, columns = [[[0], [1]], [[2], [3]]], [0, 8, 16]
    assert tile.offset(rows, columns) == [[[formula(tile, (m, k)) for k in columns] for [m] in block] for block in rows]
    assert tile.offset([5, 6], 8) == [formula(tile, (5, 8)), formula(tile, (6, 8))]
    assert tile.offset([[]], [[]]) == [[]]
    assert tile.offset([], 3) == []
    flat = memoryview(array.array("i", range(6))).cast("B").cast("i", (2, 3))
    assert tile.offset(flat, flat).tolist() == [[formula(tile, (3 * i + j,) * 2) for j in range(3)] for i in range(2)]


def test_numpy():
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    tile = TILES[0]
    wanted = lambda m, k: m.astype("int64") * 64 + (k ^ (m % 8 * 8)).astype("int64")
    m, k = numpy.divmod(numpy.arange(8192), 64)
    for kind in ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", ">i4", "<i8", ">u2"]:
        a, b = (m % 100).astype(kind), k.astype(kind)
        found = tile.offset(a, b)
        assert found.dtype == numpy.int64 and (found == wanted(a.astype("int64"), b.astype("int64"))).all(), kind
    grid = tile.offset(numpy.arange(128)[:, None], numpy.arange(64)[None, :])
    assert grid.shape == (128, 64) and (grid.ravel() == wanted(m, k)).all()
    # Not in order: columns first, reversed, every second, transposed.
    square = numpy.arange(64 * 64).reshape(64, 64) % 64
    for view in [numpy.asfortranarray(square), square[::-1], square[:, ::2], square.T]:
        assert (tile.offset(view, view) == wanted(view, view)).all()
    # Numbers of numpy, and arrays of no dimension, are numbers.
    assert tile.offset(numpy.int64(3), numpy.uint8(5)) == formula(tile, (3, 5))
    assert tile.offset(numpy.array(3), 5) == formula(tile, (3, 5))
    empty = tile.offset(numpy.zeros((0, 4), int), numpy.zeros((0, 4), int))
    assert empty.shape == (0, 4)
    # A list beside an array becomes one.
    assert (tile.offset(numpy.arange(3), [0, 1, 2]) == wanted(numpy.arange(3), numpy.arange(3))).all()
    # What is given back is the caller's own.
    found = tile.offset(m, k)
    found[0] = 99
    assert tile.offset(m, k)[0] == 0


def test_other_protocols():
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")

    class Interface:
        def __init__(self, array):
            self.kept, self.__array_interface__ = array, array.__array_interface__

    class Array:
        def __init__(self, array):
            self.kept = array

        def __array__(self, dtype=None, copy=None):
            return self.kept

    m, k = numpy.arange(64), numpy.arange(64)
    for kind in [Interface, Array]:
        assert (TILES[0].offset(kind(m), kind(k)) == TILES[0].offset(m, k)).all()


def test_coordinates_by_name():
    a = td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1])
    assert a.offset(m=3, k=17) == a.offset(k=17, m=3) == a.offset(3, k=17) == a.offset(3, 17) == 233
    assert a.offset(m=[0, 1], k=[[0], [1]]) == [[0, 72], [1, 73]]
    for given, named, words in [
        ((), dict(m=3), "k is not given"),
        ((3,), dict(m=3), "m is given twice: by its place and by its name"),
        ((3,), dict(n=3), "the tile has no dimension `n`: it has m, k"),
        ((), dict(m=3, k=64), "k = 64 is out of range"),
    ]:
        with pytest.raises(td.TileError, match=words):
            a.offset(*given, **named)


@pytest.mark.parametrize("tile", TILES[:4], ids=repr)
def test_the_way_back(tile):
    shape = list(tile.shape.values())
    random.seed(5)
    for _ in range(200):
        at = tuple(random.randrange(length) for length in shape)
        assert tile.coordinate(tile.offset(*at)) == at


def test_no_way_back():
    a = td.Tile("f16", {"m": 128, "k": 64}, strides=[72, 1])
    with pytest.raises(td.TileError, match="no coordinate has offset 70"):
        a.coordinate(70)
    with pytest.raises(td.TileError, match="offset = 9208 is out of range: the tile has 9208, from 0 to 9207"):
        a.coordinate(9208)
    assert (a.contiguous("k"), a.contiguous("m")) == (64, 1)
    with pytest.raises(td.TileError, match="no dimension `n`"):
        a.contiguous("n")


def test_elements_of_other_packages():
    class dtype:
        name = "float16"

    class torch:
        def __str__(self):
            return "torch.bfloat16"

    class float16:
        pass

    bits = {"f16": dtype(), "bf16": torch(), "f8": type("float8_e4m3fn", (), {}), "f32": type("float32", (), {})}
    for name, element in {**bits, "half": float16}.items():
        own, other = [td.Tile(one, {"m": 4, "k": 8}, strides=[8, 1]) for one in (name, element)]
        assert own.bits == other.bits
    with pytest.raises(td.TileError, match="no element is called `Decimal`"):
        td.Tile(type("Decimal", (), {}), {"m": 4}, strides=[1])
    with pytest.raises(TypeError):
        td.Tile(object(), {"m": 4}, strides=[1])
    numpy = pytest.importorskip("numpy", reason="numpy is not installed")
    for element in (numpy.float16, numpy.dtype("float16"), numpy.dtype(numpy.float16)):
        assert td.Tile(element, {"m": 4, "k": 8}, strides=[8, 1]).bits == 16
    assert td.Tile(numpy.uint8, {"m": 4}, strides=[1]).bits == 8
