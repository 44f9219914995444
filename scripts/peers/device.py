#!/usr/bin/env python3
"""Compares fsa on a GPU with PyTorch there: its two products, and the authors' own program.

    git clone https://github.com/barbua/FSA
    scripts/peers/device.py --fsa ./fsa --script FSA/Python/fsa.py

Prints the rate of z = Xb followed by X'r, bytes of X counted once, and how long the authors'
program takes for the paper's equally correlated variables, beside what `fsa bench --only device`
says of the same widths and sizes. All is measured in one run, one after the other.
"""

import argparse
import importlib.util
import json
import statistics
import subprocess
import time

import torch

WIDTHS = (100_000, 30_000, 10_000, 1000, 100)
BYTES = 12 << 30
N, M, K, EPOCHS = 100_000, 10_000, 100, 300


def clocked(f, times):
    took = []
    for _ in range(times):
        torch.cuda.synchronize()
        start = time.perf_counter()
        f()
        torch.cuda.synchronize()
        took.append(time.perf_counter() - start)
    return statistics.median(took)


def products(columns):
    """Bytes a second of the two products of a pass."""
    rows = BYTES // (4 * columns)
    x = torch.randn(rows, columns, device="cuda")
    b = torch.randn(columns, device="cuda")
    took = clocked(lambda: x.t() @ (x @ b), 11)
    return 4 * rows * columns / took


def table():
    """The paper's equally correlated variables: every tenth of the first 10 K is true."""
    torch.manual_seed(1)
    x = torch.randn(N, M, device="cuda") + torch.randn(N, 1, device="cuda")
    true = torch.arange(9, 10 * K, 10, device="cuda")
    y = torch.where(x[:, true].sum(1) > 0, 1.0, -1.0)
    return x, y, set(true.tolist())


def authors(path):
    """Seconds and the share that is found by the program of the paper's authors."""
    spec = importlib.util.spec_from_file_location("authors_fsa", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    x, y, true = table()
    found = 0.0

    def fit():
        nonlocal found
        m = module.FSA(K, Niter=EPOCHS)
        m.fit(x, y.clone(), "cuda")
        found = len(true & set(m.idx.tolist())) / len(true)

    return clocked(fit, 3), found


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--fsa", default="fsa")
    p.add_argument("--script", required=True, help="fsa.py of the authors")
    o = p.parse_args()
    ours = json.loads(subprocess.run([o.fsa, "bench", "--only", "device", "--json"], capture_output=True, text=True, check=True).stdout)["device"]
    passes = {q["m"]: q["bytes_per_second"] for q in ours["passes"] if q["storage"] == "float32"}
    print("| columns | fsa, TB/s | PyTorch, TB/s | ratio |\n|---|---|---|---|")
    for m in WIDTHS:
        theirs = products(m)
        torch.cuda.empty_cache()
        print(f"| {m} | {passes[m] / 1e12:.2f} | {theirs / 1e12:.2f} | {passes[m] / theirs:.2f} |", flush=True)
    seconds, found = authors(o.script)
    fit = next(f for f in ours["fits"] if (f["n"], f["m"], f["k"]) == (N, M, K))
    print(f"\n{N}×{M}, k = {K}: fsa {fit['seconds']:.3f} s, {100 * fit['found']:.0f}% found; the authors' program {seconds:.2f} s, {100 * found:.0f}%; ratio {seconds / fit['seconds']:.0f}")
    print(json.dumps({key: ours[key] for key in ("name", "steps", "fits", "from_host")}, indent=1))


if __name__ == "__main__":
    main()
