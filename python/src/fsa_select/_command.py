"""The command ``fsa``: the same program, started from its wheel."""

from __future__ import annotations

import os
import subprocess
import sys

from ._service import program


def main() -> int:
    """Become the program, with the arguments of this process."""
    command = [str(program()), *sys.argv[1:]]
    if os.name == "posix":
        os.execv(command[0], command)
    return subprocess.call(command)
