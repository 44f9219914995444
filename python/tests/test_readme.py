"""The tour in the README does what it says."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

import matplotlib

README = Path(__file__).parent.parent / "README.md"


def test_tour(tmp_path: Path, monkeypatch: Any) -> None:
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    blocks = re.findall(r"```python\n(.*?)```\n(?:```text\n(.*?)```\n)?", README.read_text(encoding="utf-8"), re.DOTALL)
    assert len(blocks) >= 10
    for code, wanted in blocks:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            exec(code, names)
        assert said.getvalue() == wanted, code
    assert (tmp_path / "model.onnx").stat().st_size > 0
    import matplotlib.pyplot as plt

    plt.close("all")
