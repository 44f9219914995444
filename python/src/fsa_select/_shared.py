"""Arrays in a file that the service maps, in anonymous memory if the system supports it.

On Linux the file has no name (``memfd_create``): it is gone when both processes have let
go of it, however they end, and the size of ``/dev/shm`` does not matter. Elsewhere it is
a temporary file whose name is removed as soon as the service has it.
"""

from __future__ import annotations

import errno
import os
import sys
import tempfile
import threading
from typing import Any

import numpy as np

from ._errors import _FileRefused

Array = dict[str, Any]
"""Where an array lies, in the words of the protocol."""

_TYPES = {np.dtype(np.float32): "f4", np.dtype(np.float64): "f8", np.dtype(np.int32): "i4", np.dtype(np.int64): "i8"}

_ALIGNED = 64

_PIECE = 64 << 20  # bytes that are made contiguous, or written, at once

# The file of the last request is kept for the next one, unless it is larger: its memory need
# not be found and cleared again, which takes as long as writing to it.
_KEPT = 128 << 20
_spare: Shared | None = None
_taking = threading.Lock()

# Files that are open here, to be closed in a child that is forked off meanwhile.
_open: set[int] = set()

_nameless = hasattr(os, "memfd_create") and sys.platform == "linux"


def give_up_nameless() -> None:
    """Use files with names from now on: the service cannot open others."""
    global _nameless
    _nameless = False


class Shared:
    """A file for the arrays of one request."""

    def __init__(self) -> None:
        self._name: str | None = None
        self.nameless = _nameless
        if self.nameless:
            self._fd = os.memfd_create("fsa-select", os.MFD_CLOEXEC)
            self.path = f"/proc/{os.getpid()}/fd/{self._fd}"
        else:
            self._fd, self._name = tempfile.mkstemp(prefix="fsa-select-", dir=_folder())
            self.path = self._name
        _open.add(self._fd)
        self._end = 0
        self._free = False

    @classmethod
    def again(cls) -> Shared:
        """A file for arrays, possibly a reused one."""
        global _spare
        with _taking:
            shared, _spare = _spare, None
        if shared is not None and not _nameless:
            shared.close()
            shared = None
        if shared is None:
            return cls()
        shared._end = 0
        return shared

    def let_go(self) -> None:
        """Mark the file as no longer used by the service, so that another request may use it."""
        self._free = self.nameless and self._end <= _KEPT

    def add(self, array: np.ndarray[Any, Any]) -> Array:
        """Write an array, in C order or in its Fortran order, and return its location."""
        kind = _TYPES[array.dtype]
        offset = -(-self._end // _ALIGNED) * _ALIGNED
        self._end = offset + array.nbytes
        try:
            if array.nbytes == 0:
                os.truncate(self._fd, self._end)
            elif array.flags.c_contiguous:
                self._write(array, offset)
            elif array.flags.f_contiguous:
                self._write(array.T, offset)
            else:
                self._write_pieces(array, offset)
        except OSError as error:
            if error.errno in (errno.ENOSPC, errno.ENOMEM, errno.EFBIG, errno.EDQUOT):
                raise MemoryError(f"there is no room for {array.nbytes} bytes of an array in {self.path}: {error}") from error
            raise
        return {"file": 0, "offset": offset, "type": kind, "length": int(array.size)}

    def _write(self, array: np.ndarray[Any, Any], offset: int) -> None:
        # Writing costs less than mapping and copying: pages are neither cleared nor
        # looked up one by one.
        view = memoryview(array.reshape(-1).view(np.uint8))
        while view:
            written = _pwrite(self._fd, view[: 1 << 30], offset)
            view = view[written:]
            offset += written

    def _write_pieces(self, array: np.ndarray[Any, Any], offset: int) -> None:
        step = max(1, _PIECE // max(1, array.nbytes // len(array)))
        for lo in range(0, len(array), step):
            piece = np.ascontiguousarray(array[lo : lo + step])
            self._write(piece, offset)
            offset += piece.nbytes

    def write_vector(self, values: np.ndarray[Any, Any], text: bool) -> None:
        """Write a vector to a separate file: ``.npy``, or lines of text for texts."""
        if values.dtype.kind in "iufb":
            with os.fdopen(os.dup(self._fd), "wb") as file:
                np.save(file, values.astype(np.float64))
            return
        if not text:
            raise ValueError(f"a vector of the type {values.dtype} must hold numbers")
        with os.fdopen(os.dup(self._fd), "w", encoding="utf-8", newline="\n") as lines:
            for value in values.tolist():
                lines.write('"' + str(value).replace('"', '""') + '"\n')

    def unlink(self) -> None:
        """Remove the name, if there is one and the system allows it."""
        if self._name is not None:
            try:
                os.unlink(self._name)
                self._name = None
            except OSError:  # Windows, as long as the service has it open
                pass

    def close(self) -> None:
        global _spare
        if self._free:
            self._free = False
            with _taking:
                if _spare is None:
                    _spare = self
                    return
        if self._fd in _open:
            _open.discard(self._fd)
            os.close(self._fd)
        self.unlink()

    def __enter__(self) -> Shared:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _folder() -> str:
    """The folder of named files: in memory if possible, otherwise the folder for temporary files."""
    shm = "/dev/shm"
    if os.path.isdir(shm) and os.access(shm, os.W_OK):
        free = os.statvfs(shm)
        if free.f_bavail * free.f_frsize > 1 << 30:
            return shm
    return tempfile.gettempdir()


if hasattr(os, "pwrite"):
    _pwrite = os.pwrite
else:  # Windows
    _seeking = threading.Lock()

    def _pwrite(fd: int, data: Any, offset: int, /) -> int:
        with _seeking:
            os.lseek(fd, offset, os.SEEK_SET)
            return os.write(fd, data)


def refused(answer: dict[str, Any], path: str) -> None:
    """Raise if an answer says that a file of ours cannot be opened."""
    if answer["event"] == "error" and answer["kind"] in ("missing", "permission") and path in answer["message"]:
        raise _FileRefused(answer["message"])


def drop_spare() -> None:
    """Release the memory reserved for the next request."""
    global _spare
    with _taking:
        shared, _spare = _spare, None
    if shared is not None:
        shared.close()


def _forked() -> None:
    global _spare, _taking
    _spare, _taking = None, threading.Lock()
    while _open:
        os.close(_open.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
