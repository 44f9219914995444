#!/usr/bin/env python3
"""Writes schedule.csv and cost.csv, what the experiments of these names must
bring, in whole numbers and fractions of Python, from the formula of the paper:

    M_e = k + (M - k) max(0, (N - 2e) / (2 e mu + N)),  truncated, N = 500
"""
from fractions import Fraction

N, MUS = 500, [0, 1, 10, 100, 300, 1000]
HEAD = "data,n,m,k,method,metric,ours,published,runs,se\n"


def kept(e, m, k, mu):
    return k + (m - k) * max(0, N - 2 * e) // (2 * e * mu + N)


with open("schedule.csv", "w") as f:
    f.write(HEAD)
    for mu in MUS:
        for e in [1, 10, 50, 100, 200, 249, 250, 500]:
            f.write(f",,1000,10,μ = {mu},M_{e},{kept(e, 1000, 10, mu)},,1,\n")

with open("cost.csv", "w") as f:
    f.write(HEAD)
    m, k = 1_000_000, 1000
    for mu, printed in zip(MUS, [125, 97, 41, 10, 5, 2]):
        # Iteration e works on what e - 1 has left.
        area = sum(kept(e, m, k, mu) for e in range(N))
        f.write(f",,,,μ = {mu},passes,{float(Fraction(area, m) - Fraction(k * N, m))},{printed},1,\n")
