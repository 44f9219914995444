"""The work of a fit that did not end."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref


class Checkpoint:
    """A file in which the service leaves the work of a fit, removed with this object."""

    def __init__(self) -> None:
        folder = tempfile.mkdtemp(prefix="fsa-select-")
        self.path = os.path.join(folder, "checkpoint")
        weakref.finalize(self, _remove, folder, os.getpid())

    def clear(self) -> None:
        """Forget the work."""
        if os.path.exists(self.path):
            os.unlink(self.path)


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # not a process that was forked off
        shutil.rmtree(folder, ignore_errors=True)
