"""Writes first_look.ipynb, without outputs: python3 make.py"""

import json
import pathlib

CELLS = [
    ("markdown", "# A first look\n\nOf a tile of 128x64 halves in LDS: what conflicts, who waits for whom, and what would be free."),
    ("code", "import tiledesc as td\n\nplain = td.Tile(\"f16\", {\"m\": 128, \"k\": 64}, strides=[64, 1], name=\"A\")\nasked = dict(write=[(\"ds_write_b128\", \"row-major\")], read=[(\"ds_read_b128\", \"mfma-rows 16\", 4)])\nplain.check(\"gfx942\", **asked)"),
    ("markdown", "Four lanes wait for one bank. Which layout costs least?"),
    ("code", "best = td.find(\"f16\", {\"m\": 128, \"k\": 64}, chips=[\"gfx942\"], **asked)\nbest"),
    ("code", "best.tile.check(\"gfx942\", **asked)"),
    ("markdown", "Its offsets, by numbers and as the line of a kernel:"),
    ("code", "print(best.tile.offset([0, 1, 2, 3], 0))\nprint(best.tile.emit(\"hip\"))"),
    ("markdown", "Addresses that you compute yourself, a byte for each lane:"),
    ("code", "td.verdict(\"gfx942\", \"ds_read_b128\", [128 * (lane % 16) + 16 * (lane // 16) for lane in range(64)])"),
]


def cell(number, kind, text):
    one = {"cell_type": kind, "id": f"cell-{number}", "metadata": {}, "source": text.splitlines(keepends=True)}
    return one | ({"execution_count": None, "outputs": []} if kind == "code" else {})


notebook = {
    "cells": [cell(number, *one) for number, one in enumerate(CELLS)],
    "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}},
    "nbformat": 4,
    "nbformat_minor": 5,
}
path = pathlib.Path(__file__).with_name("first_look.ipynb")
path.write_text(json.dumps(notebook, indent=1) + "\n")
