"""The report of a fit: one page of HTML."""

from __future__ import annotations

import os
from html import escape
from typing import Any

from ._errors import raise_for
from ._export import write
from ._model import Model
from ._service import service

_HEIGHT = 700  # of the frame in a notebook, in pixels


class Report(str):
    """The report of a fit, as the text of a page. A notebook shows it.

    Parameters
    ----------
    page : str
        The page.
    """

    __slots__ = ()

    def __init__(self, page: str) -> None:
        super().__init__()

    def __repr__(self) -> str:
        return f"<report of {len(self)} characters: save() writes it to a file>"

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self)}" style="width:100%;height:{_HEIGHT}px;border:0" sandbox="allow-scripts allow-downloads allow-popups"></iframe>'

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file.

        Parameters
        ----------
        path : str or path-like
            Where to.
        """
        write(path, self.encode())


def report(model: Model, name: str, folder: str | None) -> Report:
    """The report of a model, which may have a run folder."""
    if folder is not None and not os.path.isdir(folder):
        folder = None  # it was moved: the model itself has the rest
    answer = service().request({"op": "report", "model": model.text, "report": {"name": name, "folder": folder or ""}})
    if answer["event"] == "error":
        raise_for(answer)
    return Report(answer["page"])


def call(estimator: Any, X: str, y: str) -> str:
    """The call of a fit, for the record of its run folder."""
    return f"{' '.join(repr(estimator).split())}.fit({X}, {y})"
