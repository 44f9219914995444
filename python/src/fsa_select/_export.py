"""Models for other engines: what ``fsa export`` writes."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from ._errors import ServiceError, in_python
from ._service import program

_USAGE, _BAD_DATA = 2, 3  # exit codes of the program


def export(text: str, to: str, path: str | os.PathLike[str] | None, dialect: str | None, table: str | None) -> str | bytes | None:
    """Let the program write a model, given by the text of its file, in another format."""
    command = [str(program()), "export", "model.json", "--to", to]
    for flag, value in (("--dialect", dialect), ("--table", table)):
        if value is not None:
            command += [flag, value]
    if path is not None:
        command += ["--out", os.path.abspath(path)]
    with tempfile.TemporaryDirectory(prefix="fsa-select-") as folder:
        (Path(folder) / "model.json").write_text(text, encoding="utf-8", newline="")
        done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    if done.returncode != 0:
        words = done.stderr.decode("utf-8", "replace").strip()
        message = in_python(words.split("\n")[0].removeprefix("fsa: "))
        if done.returncode in (_USAGE, _BAD_DATA):
            raise ValueError(message)
        if path is not None and done.returncode > 0:
            raise OSError(message)
        raise ServiceError(f"fsa export ended with code {done.returncode}; its last words: {words}")
    if path is not None:
        return None
    return done.stdout if to == "onnx" else done.stdout.decode()
