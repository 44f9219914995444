"""Concordance of Cox models on held-out rows of real sets of genes, compared with two simple selections.

Needs numpy, pandas and the package SurvSet of PyPI, which holds the sets, and the program in FSA. The sets are those of
SurvSet with more than 1000 numeric columns and the most rows. In each of the splits, a random third of the events and of the
censored rows is held out. The other rows choose the genes:

- fsa: fsa fit, which also chooses how many
- variance: as many genes of the largest variance, at least 10
- univariate: as many genes of the largest score statistic of a Cox model of one gene, at least 10

The last two are fitted by fsa, too, with all of their genes; cross-validation chooses the ridge of each.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd

FSA = os.environ.get("FSA", "fsa")
SETS = ("chop", "DBCD", "DLBCL")


def load(name: str) -> pd.DataFrame:
    """The times, the events and the numeric columns of a set."""
    from SurvSet.data import SurvLoader

    all_ = SurvLoader().load_dataset(ds_name=name)["df"]
    genes = [c for c in all_.columns if c.startswith("num_")]
    return all_[["time", "event", *genes]][all_["time"] > 0].reset_index(drop=True)


def split(event: np.ndarray, seed: int) -> np.ndarray:
    """Which rows are held out."""
    rng, out = np.random.default_rng(seed), np.zeros(len(event), bool)
    for kind in (0, 1):
        rows = np.flatnonzero(event == kind)
        out[rng.permutation(rows)[: len(rows) // 3]] = True
    return out


def concordance(risk: np.ndarray, time: np.ndarray, event: np.ndarray) -> float:
    """Harrell's: the share of comparable pairs whose earlier event has the larger risk."""
    earlier = (event[:, None] == 1) & ((time[:, None] < time[None, :]) | (time[:, None] == time[None, :]) & (event[None, :] == 0))
    larger = (risk[:, None] > risk[None, :]) + 0.5 * (risk[:, None] == risk[None, :])
    return float(larger[earlier].mean())


def score_statistic(x: np.ndarray, time: np.ndarray, event: np.ndarray) -> np.ndarray:
    """That of a Cox model of each column alone, with Breslow's ties."""
    order = np.argsort(-time, kind="stable")
    x, time, event = x[order] - x.mean(axis=0), time[order], event[order]
    first, second = np.cumsum(x, axis=0), np.cumsum(x**2, axis=0)
    last = np.searchsorted(-time, -time, side="right")  # the rows at risk at each time
    mean = first[last - 1] / last[:, None]
    died = event == 1
    u = (x - mean)[died].sum(axis=0)
    v = (second[last - 1] / last[:, None] - mean**2)[died].sum(axis=0)
    return u**2 / np.maximum(v, 1e-12)


def model(train: pd.DataFrame, test: pd.DataFrame, *args: str) -> tuple[int, float]:
    """The number of selected genes, and the concordance on the held-out rows."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [str(Path(folder) / name) for name in ("train.csv", "test.csv", "run", "risk.csv")]
        train.to_csv(paths[0], index=False)
        test.to_csv(paths[1], index=False)
        said = subprocess.run([FSA, "fit", paths[0], "--target", "time", "--event", "event", "--loss", "cox", "--out", paths[2], "--threads", "1", "--json", *args], check=True, capture_output=True, text=True)
        subprocess.run([FSA, "predict", paths[2], paths[1], "--out", paths[3]], check=True, capture_output=True)
        with open(paths[3]) as f:
            risk = np.array([float(row["risk"]) for row in csv.DictReader(f)])
    return len(json.loads(said.stdout)["selected"]), concordance(risk, test["time"].to_numpy(), test["event"].to_numpy())


def part(table: pd.DataFrame, seed: int, genes: int, permute: bool) -> pd.DataFrame:
    """A table with a number of random genes (0: all), and with permuted times and events if asked for."""
    rng, columns = np.random.default_rng(seed + 500), table.columns[2:]
    if genes:
        columns = columns[np.sort(rng.permutation(len(columns))[:genes])]
    table = table[["time", "event", *columns]].copy()
    if permute:
        table[["time", "event"]] = table[["time", "event"]].to_numpy()[rng.permutation(len(table))]
        table["event"] = table["event"].astype(int)
    return table


def one(name: str, table: pd.DataFrame, seed: int, args: list[str]) -> tuple[str, int, int, float, float, float]:
    held = split(table["event"].to_numpy(), seed)
    train, test = table[~held], table[held]
    genes = table.columns[2:]
    chosen, own = model(train, test, *args)
    n = max(chosen, 10)
    x, time, event = train[genes].to_numpy(float), train["time"].to_numpy(float), train["event"].to_numpy()
    found = []
    for value in (x.var(axis=0), score_statistic(x, time, event)):
        best = ["time", "event", *genes[np.sort(np.argsort(-value, kind="stable")[:n])]]
        found.append(model(train[best], test[best], "-k", str(n), "--bins", "0")[1])
    print(f"{name} {seed}: {chosen} genes, concordance {own:.3f}, variance {found[0]:.3f}, univariate {found[1]:.3f}", flush=True)
    return name, seed, chosen, own, found[0], found[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1000, help="of the first split")
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--jobs", type=int, default=1, help="fits at the same time")
    parser.add_argument("--args", default="", help="more arguments of fsa fit, such as --args='--choose min'")
    parser.add_argument("--genes", type=int, default=0, help="number of random genes of each split (default: all)")
    parser.add_argument("--permute", action="store_true", help="permute times and events, so that no gene has an effect")
    parser.add_argument("--tables", help="folder with NAME.csv.gz of each set; without it, those of SurvSet")
    o = parser.parse_args()
    rows = []
    with ThreadPoolExecutor(o.jobs) as pool:
        for name in o.sets.split(","):
            table = pd.read_csv(Path(o.tables) / f"{name}.csv.gz") if o.tables else load(name)
            print(f"{name}: {len(table)} rows, {table.shape[1] - 2} genes, {table['event'].mean():.0%} events", flush=True)
            rows += pool.map(lambda seed: one(name, part(table, seed, o.genes, o.permute), seed, o.args.split()), range(o.seed, o.seed + o.splits))
    all_ = pd.DataFrame(rows, columns=["set", "seed", "genes", "fsa", "variance", "univariate"])
    for name, of in all_.groupby("set", sort=False):
        print(f"{name}: genes {', '.join(map(str, of['genes']))}; mean concordance fsa {of['fsa'].mean():.3f}, variance {of['variance'].mean():.3f}, univariate {of['univariate'].mean():.3f}; "
              f"above variance in {(of['fsa'] > of['variance']).sum()}, above univariate in {(of['fsa'] > of['univariate']).sum()} of {len(of)}")


if __name__ == "__main__":
    main()
