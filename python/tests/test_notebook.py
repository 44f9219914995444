"""The notebook of the tour: it runs, and prints what it shows.

``python tests/test_notebook.py`` runs it and writes what it prints and draws into it.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

nbclient = pytest.importorskip("nbclient")
nbformat = pytest.importorskip("nbformat")
pytest.importorskip("skl2onnx")
pytest.importorskip("shap")

NOTEBOOK = Path(__file__).parents[2] / "docs" / "tour-python.ipynb"


def executed() -> Any:
    """The notebook with new outputs."""
    os.environ["PYTHONWARNINGS"] = "ignore:IProgress not found"  # shap's bar would like to have widgets
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    return notebook


def said(cell: Any) -> list[str]:
    """What a cell prints; of pictures, that they are there."""
    lines = []
    for output in cell.outputs:
        if output.output_type == "stream":
            lines.append(f"{output.name}: {output.text}")
        else:
            data = output.data
            lines.append("picture" if "image/png" in data else data["text/plain"])
    return lines


def test_notebook() -> None:
    shown = nbformat.read(NOTEBOOK, as_version=4)
    for page in re.findall(r"\]\(([^)]+\.md)\)", NOTEBOOK.read_text(encoding="utf-8")):
        assert (NOTEBOOK.parent / page).exists(), page
    for old, new in zip(shown.cells, executed().cells, strict=True):
        if old.cell_type == "code":
            assert said(new) == said(old), old.source
            assert not any(line.startswith("stderr") for line in said(new))


def write() -> None:
    """Write the outputs into the notebook."""
    notebook = executed()
    for cell in notebook.cells:
        cell.metadata = {}
        for output in cell.get("outputs", []):
            output.get("metadata", {}).clear()
    nbformat.write(notebook, NOTEBOOK)


if __name__ == "__main__":
    write()
