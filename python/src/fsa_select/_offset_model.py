"""The model from which a fit starts."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ._errors import naming
from ._model import Model


def read_offset_model(given: Any) -> str | None:
    """The file of an offset model, as the service takes it."""
    if given is None:
        return None
    if isinstance(given, (str, os.PathLike)):
        path = Path(given)
        file = path / "model.json" if path.is_dir() else path
        if not file.is_file():
            raise FileNotFoundError(f"offset_model = {os.fspath(given)!r}: there is no file {os.fspath(file)!r}")
        with naming("offset_model"):
            given = Model(file.read_text(encoding="utf-8"))
    given = getattr(given, "model_", given)
    if not isinstance(given, Model):
        raise ValueError(f"offset_model = {given!r}: it must be the model_ of a fitted estimator, such as first.model_, a path of a model, or None")
    return given.text
