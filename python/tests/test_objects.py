"""Objects: what they print pastes back, they compare, hash, pickle and copy."""

import copy
import ctypes
import pickle
import sys
import threading
import time
import xml.dom.minidom

import tiledesc as td
from tiledesc import Tile

TILES = [
    Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8),
    Tile("bf16", {"m": 128, "k": 64}, recipe="row-pad", padding=8, name="A"),
    Tile("f8", {"m": 16, "k": 16}, strides=[1, 1], may_overlap=True),
    Tile("f16", {"m": 64, "k": 64}, triton={"vec": 8, "perPhase": 1, "maxPhase": 8, "order": [1, 0]}),
    Tile.from_cute("Sw<3,3,3> o 0 o (128,64):(64,1)", unit="elements"),
    Tile.from_triton([[0, 1], [0, 2], [1, 0]]),
    Tile("u8", {"m": 128, "k": 32}, strides=[36, 1]).recast("fp4"),
    Tile("f16", {"m": 128, "k": 64}, strides=[72, 1]).view("slice[128, 64, 128] (0) -> (0), pass[64] (1) -> (1)", {"m": 64, "k": 64}),
]
ASKED = dict(write=[("ds_write_b128", "row-major")], read=[("ds_read_b128", "mfma-rows 16")])


def test_a_tile_pastes_back():
    for tile in TILES:
        assert eval(repr(tile)) == tile and hash(eval(repr(tile))) == hash(tile), repr(tile)
        assert pickle.loads(pickle.dumps(tile)) == tile == copy.deepcopy(tile)
        assert tile != TILES[TILES.index(tile) - 1]
    assert len(set(TILES)) == len(TILES)
    assert TILES[0] != "a tile"


def test_what_a_tile_says():
    tile = TILES[1]
    assert (tile.name, tile.element, tile.bits, tile.shape) == ("A", "bf16", 16, {"m": 128, "k": 64})
    assert tile.bytes == (127 * 72 + 64) * 2
    assert TILES[4].shape == {"x0": 128, "x1": 64}
    assert TILES[5].shape == {"x0": 2, "x1": 4}


def test_views():
    """A view of a view, and a view in elements of another width, find the same bits."""
    xor = Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8)
    rows = xor.view("slice[128, 64, 128] (0) -> (0), pass[64] (1) -> (1)", {"m": 64, "k": 64})
    line = rows.view("merge[64, 64] (0, 1) -> (0)", {"i": 4096})
    words = rows.recast("f32")
    assert (words.shape, words.bits) == ({"m": 64, "k": 32}, 32)
    for m in (0, 3, 63):
        for k in (0, 8, 62):
            at = xor.offset(64 + m, k)
            assert rows.offset(m, k) == line.offset(m * 64 + k) == at == 2 * words.offset(m, k // 2)
    cute = Tile.from_cute("(128,64):(64,1)").recast("u8")
    assert cute.shape == {"x0": 128, "x1": 128} and cute.offset(1, 5) == 133
    for tile in (rows, line, words, cute):
        assert eval(repr(tile)) == tile


def well_formed(markup):
    return xml.dom.minidom.parseString(markup)


def test_notebook():
    plain = Tile("f16", {"m": 128, "k": 64}, strides=[64, 1])
    check = plain.check("gfx942", **ASKED)
    assert len(well_formed(check._repr_html_()).getElementsByTagName("tr")) == 3
    assert "free instead: strides = [80, 1]" in check._repr_html_()
    for svg in [check._repr_svg_(), plain._repr_svg_(), plain.svg("bits", "gfx942", **ASKED)]:
        assert well_formed(svg).documentElement.tagName == "svg"
    well_formed(td.find("f16", {"m": 128, "k": 64}, ["gfx942"], **ASKED)._repr_html_())
    well_formed(td.verdict("gfx942", "ds_read_b32", [4 * lane for lane in range(64)])._repr_html_())


def test_threads_get_the_same():
    """Searches and offsets from eight threads are those of one; and while one searches another one runs."""
    ask = lambda i: td.find("f16", {"m": 128, "k": 32 + 32 * (i % 2)}, ["gfx950"], **ASKED).words
    one = [ask(i) for i in range(8)]
    tile, found = TILES[0], [None] * 8
    rows, columns = list(range(128)) * 64, [i // 128 for i in range(8192)]
    offsets = tile.offset(rows, columns)

    def work(i):
        found[i] = ask(i), Tile("f16", {"m": 128, "k": 64}, recipe="gemm-xor", kpack=8).offset(rows, columns), tile.offset(rows, columns)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert found == [(words, offsets, offsets) for words in one]


def runs_beside(work):
    """Whether this thread runs in the middle half of the time that `work` takes in another one.

    A call that keeps the interpreter's lock lets no other thread run between its begin and its end, however long this loop
    waits; where the machine is busy, a call that lets go may do so by chance, so it has several turns."""
    for _ in range(5):
        span, seen = [], []

        def timed():
            span.append(time.perf_counter())
            work()
            span.append(time.perf_counter())

        thread = threading.Thread(target=timed)
        thread.start()
        while len(span) < 2:
            seen.append(time.perf_counter())
            time.sleep(0)
        thread.join()
        begin, end = span
        quarter = (end - begin) / 4
        if any(begin + quarter < at < end - quarter for at in seen):
            return True
    return False


def test_a_search_releases_the_interpreter():
    """While a search runs in a thread this one does, too; beside a call of C that keeps the lock it does not."""
    find = "find --element f16 --shape m=128,k=96 --strides 96,1 --chip gfx942".split()
    asked = ["--read", "ds_read_u16 by column-major", "--read", "ds_read_b64 by mfma-rows 16"]
    assert runs_beside(lambda: td.run(find + asked))
    if sys.platform != "win32":
        held, released = ctypes.PyDLL(None).usleep, ctypes.CDLL(None).usleep
        assert runs_beside(lambda: released(100_000))
        assert not runs_beside(lambda: held(20_000)), "a call that keeps the lock is not noticed"


def test_a_file_of_what_is_asked():
    """The file of a tile's accesses says what `check` of the same arguments says."""
    asked = dict(ASKED, fetch=[("load_b128", "row-major", 8200, 15)], matrix=[("v_mfma_f32_32x32x8_f16", 12), ("v_mfma_f32_16x16x16_f16",)])
    found = TILES[0].check("gfx942", **asked)
    status, out, err = td.run(["check", "-"], TILES[0].to_toml("gfx942", **asked))
    assert (status, err) == (0, "")
    # Lines of the one are arguments of the other.
    strip = lambda text: [line.split(": ", 1)[1] for line in text.splitlines() if line.startswith(("<stdin>", "fetch", "read", "write"))]
    assert strip(out) == strip(str(found)) and len(strip(out)) == 3
    [fetch], [trip] = found.fetches, found.trips
    assert (fetch.lines, fetch.least_lines, fetch.at_most, fetch.passes) == (15, 8, 15, True)
    assert trip.matrix == (12 * 32 + 16, 12 * 32 + 16) and f"gfx942: {trip.sentence}" in out
    refused = TILES[0].check("gfx942", fetch=[("load_b128", "row-major", 8200, 14)])
    assert not refused and not refused.fetches[0].passes
    try:
        td.assert_conflict_free(refused)
    except AssertionError as error:
        assert str(error).startswith("1 of 1 accesses does not pass:\n  gfx942 load_b128 row-major, rows of 8200  15 lines"), error
    else:
        raise RuntimeError("too many lines pass")
