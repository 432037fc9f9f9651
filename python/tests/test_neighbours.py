"""Layouts as the neighbours' own packages print them: skipped where a package is not installed."""

import pytest
import tiledesc as td

SHAPE = {"m": 128, "k": 64}


def test_gluon():
    gluon = pytest.importorskip("triton.experimental.gluon.language", reason="triton is not installed")
    swizzled = gluon.SwizzledSharedLayout(8, 1, 8, [1, 0])
    padded = gluon.PaddedSharedLayout.with_identity_for([[512, 16]], [128, 64], [1, 0])
    bases = td.Tile("f16", SHAPE, recipe="gemm-xor", kpack=8).to_triton()["offset"]
    linear = gluon.SharedLinearLayout(bases)
    for layout in [swizzled, linear]:
        for given in [layout, str(layout)]:
            tile = td.Tile.from_triton(given, shape=SHAPE)
            assert (tile.offset(3, 17), tile.bytes) == (201, 128 * 64 * 2), given
    assert td.Tile.from_triton(padded, shape=SHAPE).offset(8, 1) == 512 + 16 + 1


def test_the_cute_dsl():
    cute = pytest.importorskip("cutlass.cute", reason="nvidia-cutlass-dsl is not installed")
    seen = {}

    @cute.jit
    def layouts():
        plain = cute.make_layout((128, 64), stride=(64, 1))
        seen["plain"] = td.Tile.from_cute(plain)
        seen["swizzled"] = td.Tile.from_cute(cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, plain))
        atom = cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((8, 64), stride=(64, 1)))
        seen["tiled"] = td.Tile.from_cute(cute.tile_to_shape(atom, (128, 128), (0, 1)))

    layouts()
    xor = td.Tile("f16", SHAPE, recipe="gemm-xor", kpack=8)
    rows, columns = [[m] for m in range(128)], list(range(64))
    assert seen["plain"].offset(3, 17) == 3 * 64 + 17
    assert seen["swizzled"].offset(rows, columns) == xor.offset(rows, columns)
    # Atoms of 8 rows of 64, the rows first.
    tiled = lambda m, k: (m + k // 64 * 128) * 64 + (k % 64 // 8 ^ m % 8) * 8 + k % 8
    wanted = [[tiled(m, k) for k in range(128)] for m in range(128)]
    assert seen["tiled"].bytes == 128 * 128 * 2
    flat = seen["tiled"].offset
    rank = len(seen["tiled"].shape)
    found = [[flat(m, k) if rank == 2 else flat(m % 8, m // 8, k % 64, k // 64) for k in range(128)] for m in range(128)]
    assert found == wanted


def test_iree():
    tile = td.Tile("f16", SHAPE, iree="#iree_codegen.xor_shuffle<64, 8>")
    assert [tile.offset(m, 17) for m in (0, 3, 11)] == [17, 201, 713]
    with pytest.raises(td.TileError, match="xor_shuffle<row_width, access_width>"):
        td.Tile("f16", SHAPE, iree="shuffle<64, 8>")
    rotated = td.Tile("f16", SHAPE, iree="#iree_codegen.rotate_rows<64, 8>")
    assert [rotated.offset(m, 17) for m in (0, 3, 11)] == [17, 233, 745]
