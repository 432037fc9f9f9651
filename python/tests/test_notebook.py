"""The example notebook runs, and its cells show tables and figures."""

import pathlib
import re
import xml.dom.minidom

import pytest

nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")


def test_the_notebook():
    path = pathlib.Path(__file__).parents[1] / "examples" / "first_look.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [cell.outputs[0].get("data", {}) for cell in cells]
    # A notebook shows the figure where an object has both.
    for data in (shown[0], shown[2]):
        figure = xml.dom.minidom.parseString(data["image/svg+xml"])
        assert figure.documentElement.tagName == "svg" and "text/html" in data
    assert "4-way" in shown[0]["text/html"] and "free instead" in shown[0]["text/html"]
    assert "free of conflicts" in shown[2]["text/html"] and "4-way" not in shown[2]["text/html"]
    assert len(re.findall("<tr>", shown[1]["text/html"])) > 5
    assert "4-way" in shown[4]["text/html"]
