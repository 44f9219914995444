#!/usr/bin/env python3
"""Builds a wheel for every system, on any of them: Go cross-compiles.

    python/build_wheels.py [DIR] [SYSTEM/MACHINE...]

Wheels go to DIR, python/dist unless it is given. Needs Go and pip.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PLATFORMS = ["linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"]


def main() -> None:
    root = Path(__file__).resolve().parent
    to = sys.argv[1] if len(sys.argv) > 1 else str(root / "dist")
    for platform in sys.argv[2:] or PLATFORMS:
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--wheel-dir", to, str(root)],
            env={**os.environ, "FSA_SELECT_PLATFORM": platform},
            check=True,
        )
    for wheel in sorted(Path(to).glob("fsa_select-*.whl")):
        print(wheel)


if __name__ == "__main__":
    main()
