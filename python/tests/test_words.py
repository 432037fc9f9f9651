"""Words of files in Python: each with a number that somebody else states, or that a formula here says."""

import re

import pytest
import tiledesc as td

SHAPE = {"m": 128, "k": 64}


def test_two_fp4_in_a_byte():
    packed = td.Tile("f4", SHAPE, strides=[32, 1], recast_from="u8")
    assert (packed.bits, packed.bytes) == (4, 128 * 32)
    assert [packed.offset(m, k) for m, k in [(0, 1), (1, 0), (3, 17)]] == [1, 64, 3 * 64 + 17]


def test_rows_of_a_larger_tile():
    whole = td.Tile("f16", SHAPE, recipe="gemm-xor", kpack=8)
    rows = whole.view("slice[128, 64, 128] (0) -> (0), pass[64] (1) -> (1)", {"m": 64, "k": 64})
    assert rows.offset(3, 17) == whole.offset(67, 17) == 67 * 64 + (17 // 8 ^ 3) * 8 + 1
    with pytest.raises(td.TileError, match=r"of the view: slice\[0, 16, 64\] needs length 0"):
        whole.view("pass[128] (0) -> (0), slice[0, 16, 64] (1) -> (1)", {"m": 128, "k": 16})


def test_what_takes_a_tile():
    """wgmma's atoms are CUTLASS's."""
    text = "tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, Shape<_128, _64>{})"
    tile = td.Tile("f16", SHAPE, cute=text, consumed_by="wgmma")
    assert tile.offset(3, 17) == 3 * 64 + (17 // 8 ^ 3) * 8 + 1
    assert "constexpr unsigned tile_WGMMA_STRIDE" in tile.emit("cuda", chips=["sm_90"])
    with pytest.raises(td.TileError, match="wgmma does not take this layout"):
        td.Tile("f16", SHAPE, strides=[72, 1], consumed_by="wgmma").check("sm_90")


def test_an_operand_by_its_instruction():
    plain = td.Tile("f16", SHAPE, strides=[64, 1])
    found = plain.check("gfx942", read=[("ds_read_b64", "a of v_mfma_f32_32x32x8_f16, waves 2x2")])
    # Lane l holds row l % 32, and four of k from l / 32 * 4 on.
    said = td.verdict("gfx942", "ds_read_b64", [128 * (lane % 32) + 8 * (lane // 32) for lane in range(64)])
    assert (found.worst.degree, found.worst.pair) == (said.degree, said.pair)
    assert said.degree > 8


def test_cute_s_algebra():
    """What NVIDIA's DSL 4.8 prints of the same."""
    tile = td.Tile.from_cute("tile_to_shape(Sw<3,3,3> o 0 o (8,64):(64,1), (128,128))", unit="elements")
    assert tile.to_cute() == "Sw<3,3,3> o 0 o (128,(64,2)):(64,(1,8192))"
    ordered = td.Tile.from_cute("cute.make_ordered_layout((4, (8, 2), 3), order=(2, 0, 1))")
    assert ordered.to_cute() == "(4,16,3):(48,1,16)"


def test_a_kernel_s_own_words():
    xor = td.Tile("f16", SHAPE, recipe="gemm-xor", kpack=8)
    for words in ("cpp", "dsl"):
        assert td.Tile.from_cute(xor.to_cute(words), unit="elements").offset(3, 17) == 201
    assert td.Tile.from_triton(xor.to_ttgir(), shape=SHAPE).offset(3, 17) == 201
    assert td.Tile.from_triton(xor.to_gluon(), shape=SHAPE).offset(3, 17) == 201
    with pytest.raises(td.TileError, match="to_cute"):
        xor.to_cute("rust")


def test_lines_of_global_memory():
    plain = td.Tile("f16", SHAPE, strides=[64, 1])
    # 8 rows of 128 bytes, each in a line; and column by column each lane in a line of its own.
    for by, lines in [("row-major", 8), ("column-major", 64)]:
        bytes = 16 if by == "row-major" else 2
        op = {16: "global_load_dwordx4", 2: "global_load_ushort"}[bytes]
        (one,) = plain.check("gfx942", fetch=[(op, by, 8192)]).fetches
        assert one.lines == lines, one.sentence


def test_offsets_of_a_large_tensor():
    tile = td.Tile("f16", SHAPE, strides=[64, 1])
    text = tile.emit("cuda", chips=["sm_80"], write=[("st.shared.b128", "row-major")])
    assert re.search(r"unsigned long long \w*_rows_offset", text)
