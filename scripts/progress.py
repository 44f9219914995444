#!/usr/bin/env python3
"""Measures how true the bar and the time left of `fsa fit` are, on a terminal, by the clock.

    python3 scripts/progress.py PROGRAM FOLDER [--seed S] [--data DATA] [KIND ...]

It generates tables in FOLDER, fits ten kinds and more of models one after the other, each with one thread, and prints a line
for each: the seconds from the first to the last line that shows the bar, the largest share by which the bar goes back, the
largest difference of the bar from the share of the time, how often a time left is shown from a third of the time on
until 95%, how often the true one is between the two shown, and how often the geometric mean of the two is within 30%
and within a factor of two of the true one. DATA is the folder of the real tables (mixed/*.csv.gz).
"""

import argparse
import fcntl
import math
import os
import pty
import re
import struct
import subprocess
import termios
import time

KINDS = {
    "numbers": "reg.npy --target reg.y.npy",
    "numbers, k = 10": "reg.npy --target reg.y.npy -k 10",
    "classes": "cls.npy --target cls.y.npy",
    "classes, k = 10": "cls.npy --target cls.y.npy -k 10",
    "survival": "surv.csv --target y --event event",
    "counts": "counts.csv --target y --loss poisson -k 8",
    "ordered classes": "ordinal.csv --target y --loss ordinal",
    "three targets": "multi.csv --target y,y2,y3",
    "quantile": "counts.csv --target y --loss quantile -k 8",
    "many rows": "big.npy --target big.y.npy",
    "sparse": "zipf.svm",
    "half samples": "cls.npy --target cls.y.npy -k 10 --stability 20",
    "no comparison": "long.npy --target long.y.npy -k 10 --quick",
    "attrition": "DATA/mixed/attrition.csv.gz --target Attrition",
    "deliveries": "DATA/mixed/deliveries.csv.gz --target time_to_delivery -k 8",
    "churn": "DATA/mixed/wa_churn.csv.gz --target churn",
    "cars": "DATA/mixed/car_prices.csv.gz --target Price",
    "taxi": "DATA/mixed/taxi.csv.gz --target tip",
    "check times": "DATA/mixed/check_times.csv.gz --target check_time --drop package -k 8",
    "nested": "DATA/mixed/Sacramento.csv.gz --target price -k 5 --nested",
}

TABLES = [
    "ar1 --task regression --n 2000 --m 1000 --k 20 --sigma 3 --out reg.npy",
    "ar1 --n 4000 --m 500 --k 10 --noise 0.1 --out cls.npy",
    "ar1 --task survival --n 4000 --m 30 --k 5 --out surv.csv",
    "ar1 --task counts --n 4000 --m 40 --k 8 --out counts.csv",
    "ar1 --task ordinal --n 2000 --m 20 --k 5 --out ordinal.csv",
    "ar1 --task multi --n 1500 --m 40 --k 8 --out multi.csv",
    "equicorrelated --task regression --n 50000 --m 60 --k 10 --out big.npy",
    "zipf --n 3000 --m 5000 --k 20 --out zipf.svm",
    "ar1 --n 20000 --m 2000 --k 10 --out long.npy",
]

UNITS = {"s": 1, "min": 60, "h": 3600}


def run(program, arguments, folder):
    """Returns what a fit shows: time, bar, and the least and most seconds left or None."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
    process = subprocess.Popen([program, "fit", *arguments, "--threads", "1"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=theirs, cwd=folder, env={**os.environ, "GOMAXPROCS": "1"})
    os.close(theirs)
    shown = []
    while True:
        try:
            text = os.read(ours, 65536).decode(errors="replace")
        except OSError:
            break
        now = time.monotonic()
        for m in re.finditer(r"(\d+)%  step \d+ of \d+: [^\r]*?(?:  (?:about )?([\d.]+)(?:–([\d.]+))? (s|min|h) left)?(?=  |\r|$)", text):
            left = None
            for extra in re.finditer(r"(?:about )?([\d.]+)(?:–([\d.]+))? (s|min|h) left", text):
                left = (float(extra[1]) * UNITS[extra[3]], float(extra[2] or extra[1]) * UNITS[extra[3]])
            shown.append((now, int(m[1]) / 100, left))
    code = process.wait()
    os.close(ours)
    return shown, time.monotonic(), code


def judge(shown, end):
    first = shown[0][0]
    whole = end - first
    back = gap = 0.0
    for i, (now, bar, _) in enumerate(shown):
        back = max(back, max((b for _, b, _ in shown[:i]), default=0) - bar)
        if (now - first) / whole > 1 / 3:
            gap = max(gap, abs(bar - (now - first) / whole))
    known = inside = near = twice = points = 0
    for share in [x / 100 for x in range(34, 96)]:
        now = first + share * whole
        at, _, left = [s for s in shown if s[0] <= now][-1]
        points += 1
        if left is None:
            continue
        known += 1
        low, high = (max(v - (now - at), 0) for v in left)
        true = end - now
        inside += low * 0.9 <= true <= high * 1.1 + 0.5
        middle = max(math.sqrt(max(left[0], 0.3) * max(left[1], 0.3)) - (now - at), 0.01)
        near += 0.7 <= middle / true <= 1.3
        twice += 0.5 <= middle / true <= 2
    return whole, back, gap, known / points, *(v / max(known, 1) for v in (inside, near, twice))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--seed", default="5000")
    parser.add_argument("--data", default="")
    parser.add_argument("kinds", nargs="*")
    options = parser.parse_intermixed_args()
    program = os.path.abspath(options.program)
    os.makedirs(options.folder, exist_ok=True)
    for table in TABLES:
        if not os.path.exists(os.path.join(options.folder, table.split()[-1])):
            subprocess.run([program, "generate", *table.split(), "--seed", options.seed], cwd=options.folder, check=True, capture_output=True)
    print("| fit | seconds | back | bar | shown | between | within 30% | within 2 |\n|---|---|---|---|---|---|---|---|", flush=True)
    for kind, arguments in KINDS.items():
        if options.kinds and kind not in options.kinds or "DATA" in arguments and not options.data:
            continue
        shown, end, code = run(program, arguments.replace("DATA", os.path.abspath(options.data)).split(), options.folder)
        if code != 0 or len(shown) < 3:
            print(f"| {kind} | failed: {code}, {len(shown)} lines |", flush=True)
            continue
        whole, back, gap, known, inside, near, twice = judge(shown, end)
        print(f"| {kind} | {whole:.1f} | {back:.2f} | {gap:.2f} | {known:.0%} | {inside:.0%} | {near:.0%} | {twice:.0%} |", flush=True)


if __name__ == "__main__":
    main()
