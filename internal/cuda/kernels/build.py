#!/usr/bin/env python3
"""Makes the PTX that the program embeds from the .cu files beside this script.

    pip install nvidia-cuda-nvrtc-cu12==12.4.127 zstandard==0.23.0
    python3 internal/cuda/kernels/build.py

NVRTC needs neither a GPU nor a toolkit. What is made is code for Hopper, which is loaded
at once, and PTX for what comes after it and for older devices from Ampere on, which the
driver compiles. The file sources.sha256 tells of what sources it was made, and a test
compares that with the tree.
"""
import ctypes
import glob
import hashlib
import multiprocessing
import os
import sys
import sysconfig

import zstandard

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCES = ["common.h"] + sorted(os.path.basename(f) for f in glob.glob(os.path.join(HERE, "*.cu")))
TARGETS = [("sm_90.cubin", "sm_90", True), ("sm_90.ptx", "compute_90", False), ("sm_80.ptx", "compute_80", False)]
PASSES = ["derive.cu", "narrow.cu", "digits.cu", "copies.cu", "wide.cu", "staged.cu", "split.cu", "short.cu"]
# name, sources, what a cell is
MODULES = [("generate", ["generate.cu"], 0), ("vector", ["vector.cu"], 0), ("bins", ["derive.cu", "bins.cu"], 0), ("sparse", ["derive.cu", "sparse.cu"], 0), ("learn", ["learn.cu"], 0), ("float32", PASSES, 0), ("bfloat16", PASSES, 1), ("int8", PASSES, 2)]


def library():
    names = ["libnvrtc.so.12"]
    for path in {sysconfig.get_path("purelib"), *sys.path}:
        names += glob.glob(os.path.join(path, "nvidia/cuda_nvrtc/lib/libnvrtc.so.12"))
    for name in names:
        try:
            return ctypes.CDLL(name)
        except OSError:
            pass
    sys.exit("build.py: NVRTC is not here: pip install nvidia-cuda-nvrtc-cu12==12.4.127")


def text(name):
    with open(os.path.join(HERE, name), encoding="utf-8") as f:
        return f.read()


def compile(nvrtc, source, options, machine):
    """Returns PTX, or the code of the machine."""
    program = ctypes.c_void_p()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), b"fsa.cu", 0, None, None)
    flags = [o.encode() for o in options]
    failed = nvrtc.nvrtcCompileProgram(program, len(flags), (ctypes.c_char_p * len(flags))(*flags))
    size = ctypes.c_size_t()
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    if failed:
        sys.exit(log.value.decode())
    measure, get = (nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN) if machine else (nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    measure(program, ctypes.byref(size))
    code = ctypes.create_string_buffer(size.value)
    get(program, code)
    return code.raw


def make(job):
    (name, sources, cell), (target, arch, machine) = job
    source = "".join(text(s) for s in ["common.h"] + sources)
    code = compile(library(), source, [f"--gpu-architecture={arch}", "--std=c++17", f"-DCELL={cell}"], machine)
    with open(os.path.join(HERE, f"{name}.{target}.zst"), "wb") as f:
        f.write(zstandard.ZstdCompressor(level=22).compress(code))


def main():
    with multiprocessing.Pool() as pool:
        pool.map(make, [(m, t) for m in MODULES for t in TARGETS], 1)
    digest = hashlib.sha256("".join(text(s) for s in SOURCES).encode()).hexdigest()
    with open(os.path.join(HERE, "sources.sha256"), "w", encoding="utf-8") as f:
        f.write(digest + "\n")


if __name__ == "__main__":
    main()
