"""How many true variables one selection for three targets finds, compared with a selection for each and with abess.

FSA is the command, such as FSA=./fsa. abess is left out if it is not installed.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import tempfile
from pathlib import Path

import numpy as np

FSA = os.environ.get("FSA", "fsa")
TARGETS = ("y", "y2", "y3")


def selected(table: Path, targets: list[str], k: int) -> list[int]:
    """The selected variables, counted from 0."""
    drop = [t for t in TARGETS if t not in targets]
    command = [FSA, "fit", str(table), "--target", ",".join(targets), "-k", str(k), "--bins", "0", "--threads", "1", "--json"]
    out = subprocess.run(command + (["--drop", ",".join(drop)] if drop else []), check=True, capture_output=True, text=True).stdout
    return [v["index"] for v in json.loads(out)["selected"]]


def by_abess(table: Path, k: int) -> list[int] | None:
    try:
        from abess.linear import MultiTaskRegression
    except ImportError:
        return None
    rows = np.loadtxt(table, delimiter=",", skiprows=1)
    model = MultiTaskRegression(support_size=k).fit(rows[:, :-3], rows[:, -3:])
    return list(np.flatnonzero(np.abs(model.coef_).sum(axis=1)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=5)
    parser.add_argument("--n", type=int, default=150)
    parser.add_argument("--m", type=int, default=1000)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--sigma", type=float, default=1)
    o = parser.parse_args()
    found: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(100, 100 + o.tables):
            table = Path(folder) / "t.csv"
            flags = ["--n", str(o.n), "--m", str(o.m), "-k", str(o.k), "--sigma", str(o.sigma), "--seed", str(seed), "--out", str(table)]
            subprocess.run([FSA, "generate", "ar1", "--task", "multi", *flags], check=True)
            truth = {int(line) for line in (Path(folder) / "t.truth.txt").read_text().split()}
            fits = {"together": selected(table, list(TARGETS), o.k), "abess": by_abess(table, o.k)}
            fits |= {f"{t} alone": selected(table, [t], o.k) for t in TARGETS}
            for name, columns in fits.items():
                if columns is not None:
                    found.setdefault(name, []).append(len(truth & set(columns)))
            print(seed, {name: counts[-1] for name, counts in found.items()}, flush=True)
    for name, counts in found.items():
        print(f"{name:10} {np.mean(counts):5.1f} of {o.k}")


if __name__ == "__main__":
    main()
