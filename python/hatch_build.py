"""Builds the Go program into the package.

A wheel has the program for one platform: that of the machine, or the one that
``FSA_SELECT_PLATFORM`` names, such as ``linux/arm64`` (``build_wheels.py`` makes
all). Nothing is linked against Python, so one wheel serves every version of it.

``scripts/release`` sets ``FSA_SELECT_PROGRAM``, a program that is built already, and
``FSA_SELECT_STAMP``, what the program says of its version. An sdist keeps that in the file
``stamp``, so that what is built from it says the same.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# What pip calls a platform. The program needs the loader of glibc, of any version, for the
# drivers of GPUs; macOS 12 is the oldest that Go 1.26 runs on.
TAGS = {
    ("linux", "amd64"): "manylinux_2_17_x86_64.manylinux2014_x86_64",
    ("linux", "arm64"): "manylinux_2_17_aarch64.manylinux2014_aarch64",
    ("darwin", "amd64"): "macosx_12_0_x86_64",
    ("darwin", "arm64"): "macosx_12_0_arm64",
    ("windows", "amd64"): "win_amd64",
    ("windows", "arm64"): "win_arm64",
}

# On systems with musl, such as Alpine, the program is built without that loader.
MUSL = {"amd64": "musllinux_1_1_x86_64", "arm64": "musllinux_1_1_aarch64"}


def musl() -> bool:
    """Whether the wheel is for this machine, and this machine has musl."""
    return not os.environ.get("FSA_SELECT_PLATFORM") and "musl" in str(sysconfig.get_config_var("HOST_GNU_TYPE"))


def target() -> tuple[str, str]:
    """The platform to build for, in Go's words."""
    chosen = os.environ.get("FSA_SELECT_PLATFORM")
    if chosen:
        system, _, machine = chosen.partition("/")
    else:
        system = {"win32": "windows"}.get(sys.platform, sys.platform)
        machine = platform.machine().lower()
        machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(machine, machine)
    if (system, machine) not in TAGS:
        known = ", ".join("/".join(pair) for pair in TAGS)
        raise RuntimeError(f"there is no wheel for {system}/{machine}: it must be one of {known}")
    return system, machine


def source(root: Path) -> Path:
    """The folder of the Go module: beside the package, or in it (an sdist)."""
    for folder in (root / "go", root.parent):
        if (folder / "go.mod").is_file() and (folder / "cmd" / "fsa").is_dir():
            return folder
    raise RuntimeError(f"the Go module is neither in {root / 'go'} nor in {root.parent}: build from a clone")


class Hook(BuildHookInterface):  # type: ignore[misc]
    """Compiles the program for a wheel, and adds its source to an sdist."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        root = Path(self.root)
        if self.target_name == "sdist":
            build_data["force_include"].update(go_files(source(root)))
            if stamp(root):
                self.folder = tempfile.TemporaryDirectory(prefix="fsa-select-")
                kept = Path(self.folder.name) / "stamp"
                kept.write_text(stamp(root))
                build_data["force_include"][str(kept)] = "stamp"
            return
        system, machine = target()
        name = "fsa.exe" if system == "windows" else "fsa"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{MUSL[machine] if musl() else TAGS[system, machine]}"
        if version == "editable":
            compile_program(source(root), root / "src" / "fsa_select" / "bin" / name, system, machine)
            return
        self.folder = tempfile.TemporaryDirectory(prefix="fsa-select-")
        program = Path(self.folder.name) / name
        if built := os.environ.get("FSA_SELECT_PROGRAM"):
            shutil.copyfile(built, program)
            program.chmod(0o755)
        else:
            compile_program(source(root), program, system, machine, stamp(root))
        build_data["force_include"][str(program)] = f"fsa_select/bin/{name}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "folder"):
            self.folder.cleanup()


def stamp(root: Path) -> str:
    """What the program is to say of its version; empty if nobody has said it."""
    kept = root / "stamp"
    return os.environ.get("FSA_SELECT_STAMP") or (kept.read_text().strip() if kept.is_file() else "")


def compile_program(folder: Path, program: Path, system: str, machine: str, stamp: str = "") -> None:
    """Builds the command without C, so that it runs on any machine of the platform."""
    if shutil.which("go") is None:
        raise RuntimeError("Go is needed to build fsa-select from source: install it from https://go.dev/dl, or install a wheel")
    settings = {"GOOS": system, "GOARCH": machine, "CGO_ENABLED": "0"}
    flags = "-s -w" + (f" -X fsa/internal/version.stamp={stamp}" if stamp else "")
    tags = ["-tags", "static"] if musl() else []
    subprocess.run(
        ["go", "build", "-trimpath", f"-ldflags={flags}", *tags, "-o", str(program), "./cmd/fsa"],
        cwd=folder,
        env={**os.environ, **settings},
        check=True,
    )
    program.chmod(0o755)


def go_files(folder: Path) -> dict[str, str]:
    """What an sdist needs of the Go module: all but tests, their data and documents."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=folder, check=True, capture_output=True, text=True)
    files = {}
    for name in listed.stdout.split("\0"):
        path = Path(name)
        outside = path.parts and path.parts[0] in ("python", "docs", ".ci")
        if not name or outside or name.endswith("_test.go") or "testdata" in path.parts:
            continue
        files[str(folder / name)] = f"go/{name}"
    return files
