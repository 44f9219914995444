"""Tables that tests share, and the command to compare with."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fsa_select import stop_service
from fsa_select._service import program

# A shell that starts the tests in the background makes them, and what they start, ignore Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


def make_numbers(rows: int = 200, columns: int = 12, seed: int = 0) -> tuple[Any, Any]:
    """Numbers that a float32 holds, and a response that columns 1, 4 and 7 make up."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns)).astype(np.float32).astype(np.float64)
    y = 3 * X[:, 1] - 2 * X[:, 4] + X[:, 7] + 0.1 * rng.normal(size=rows)
    return X, y


@pytest.fixture
def numbers() -> tuple[Any, Any]:
    return make_numbers()


def command(*arguments: str, folder: Path) -> str:
    """Run the program as a person would, and return what it prints."""
    done = subprocess.run([str(program()), *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def fresh_service() -> Any:
    """A service of this test's own."""
    stop_service()
    yield
    stop_service()
