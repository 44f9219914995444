"""Writes the files of this folder, and what is in them as JSON (python make.py).

Versions used: anndata 0.12.19, h5py 3.16.0, NumPy 2.4.6, SciPy 1.17.1.
"""
import json
import math

import anndata
import h5py
import numpy as np
import pandas as pd
import scipy.sparse as sp

anndata.settings.allow_write_nullable_strings = True
rng = np.random.default_rng(1)
rows, genes = 90, 14
x = rng.poisson(0.5, (rows, genes)).astype(np.float32)
x[2], x[5, 1] = 0, np.nan
kinds = np.where(np.nan_to_num(x[:, 3] + x[:, 7]) > 1, "T cell", np.where(x[:, 5] > 0, "B cell", "NK, naïve"))
obs = pd.DataFrame(
    {
        "cell_type": pd.Categorical(kinds, categories=["NK, naïve", "unused", "T cell", "B cell"]),
        "count": np.nan_to_num(x).sum(1),
        "cluster": pd.Categorical(rng.integers(5, 8, rows)),
        "age": rng.integers(20, 80, rows).astype(np.uint8),
        "depth": rng.normal(size=rows).astype(np.float16),
        "doublet": rng.random(rows) < 0.1,
        "note": [f"n{i % 7}" for i in range(rows)],
        "whole": pd.array(rng.integers(-9, 9, rows), dtype="Int64"),
        "flag": pd.array(rng.random(rows) < 0.5, dtype="boolean"),
        "words": pd.array([f"w{i % 4}" for i in range(rows)], dtype="string"),
    },
    index=[f"cell{i}" for i in range(rows)],
)
obs.loc[obs.index[3], "cell_type"] = np.nan
obs.loc[obs.index[4], ["whole", "flag", "words"]] = pd.NA
var = pd.DataFrame(index=[f"Gene{j}" if j != 4 else 'Géne "4", x' for j in range(genes)])
cells = anndata.AnnData(sp.csr_matrix(x), obs=obs, var=var)
cells.layers["counts"] = (2 * np.nan_to_num(x)).astype(np.int16)
cells.raw = anndata.AnnData(sp.csr_matrix(x)[:, :5], obs=obs, var=var[:5])
shuffled = cells.X.indices
for i in range(rows):  # columns of a row in any order
    lo, hi = cells.X.indptr[i : i + 2]
    order = rng.permutation(hi - lo)
    cells.X.indices[lo:hi], cells.X.data[lo:hi] = cells.X.indices[lo:hi][order], cells.X.data[lo:hi][order]
cells.write_h5ad("sparse.h5ad", compression="gzip")
anndata.AnnData(sp.csc_matrix(x), obs=obs[[]], var=var).write_h5ad("columns.h5ad")

# By hand: tiles that are compressed in several ways, numbers of big-endian machines, categories as anndata wrote them before 0.8
with h5py.File("dense.h5ad", "w") as f:
    f.create_dataset("X", data=x.astype(">f8"), chunks=(7, 9), compression="lzf", shuffle=True, fletcher32=True)
    names = f.create_group("var")
    names.attrs["_index"] = np.bytes_("names")
    names.create_dataset("names", data=np.array([n.encode() for n in var.index]))
    o = f.create_group("obs")
    code = o.create_dataset("cell_type", data=obs.cell_type.cat.codes.to_numpy(), chunks=(11,), compression="gzip", shuffle=True)
    categories = o.create_group("__categories").create_dataset("cell_type", data=np.array(list(obs.cell_type.cat.categories), dtype=object))
    code.attrs["categories"] = categories.ref
    o.create_dataset("age", data=obs.age.to_numpy().astype(">i4"))
    f.create_group("layers", track_order=True).create_dataset("half", data=x.astype(np.float16), maxshape=(None, None), chunks=(200, 5))

with h5py.File("latest.h5ad", "w", libver="latest") as f:
    f.create_dataset("X", data=x, chunks=(7, 9))
    f.create_group("var").create_dataset("_index", data=np.array(list(var.index), dtype=object))
with h5py.File("other.h5", "w") as f:
    f["a"] = [1, 2]


def plain(values):
    def one(v):
        v = v.item() if isinstance(v, np.generic) else v
        missing = v is pd.NA or v is None or isinstance(v, float) and math.isnan(v)
        return None if missing else float(v) if isinstance(v, bool) else v

    return [one(v) for v in values]


with open("golden.json", "w") as f:
    json.dump({"names": list(var.index), "X": [plain(row) for row in x], "obs": {name: plain(obs[name]) for name in obs}}, f)
