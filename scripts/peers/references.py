"""Fits the references of fsa paper real: models of all columns, which nobody reads at a glance.

Texts are given to both as categories, and missing values as they are. METHODS has a line
for each: its package, and what fits it. VERSION goes up when their answers change.
"""

import numpy as np
import scipy.sparse as sp

VERSION = "1"
LEAVES, RATE, PATIENCE, MOST_TREES, FOLDS = (4, 12, 31), 0.05, 100, 2000, 5
MOST_WITH_PAIRS, MOST_COLUMNS = 100, 1000  # columns of a table that an EBM is fitted to within minutes


def boosting(x, y, texts, new, task, classes):
    """LightGBM; inner folds choose the number of leaves and, by early stopping, of trees."""
    import lightgbm

    settings = {
        "objective": task, "learning_rate": RATE, "min_data_in_leaf": min(20, max(2, len(y) // 20)),
        "num_threads": 1, "seed": 0, "deterministic": True, "verbosity": -1,
    }
    if task == "multiclass":
        settings["num_class"] = classes
    table = lightgbm.Dataset(x, y, categorical_feature=texts, params=settings, free_raw_data=False)
    best = np.inf, 1, LEAVES[0]
    for leaves in LEAVES:
        stop = lightgbm.early_stopping(PATIENCE, verbose=False)
        found = lightgbm.cv(settings | {"num_leaves": leaves}, table, MOST_TREES, nfold=FOLDS, stratified=task != "regression", seed=0, callbacks=[stop])
        loss = next(found[name] for name in found if name.endswith("-mean"))
        best = min(best, (loss[-1], len(loss), leaves))
    return lightgbm.train(settings | {"num_leaves": best[2]}, table, best[1]).predict(new)


def ebm(x, y, texts, new, task, classes):
    """An explainable boosting machine with its defaults: curves, and some pairs where columns are few."""
    from interpret.glassbox import ExplainableBoostingClassifier, ExplainableBoostingRegressor

    if x.shape[1] > MOST_COLUMNS:
        raise ValueError(f"the table has more than {MOST_COLUMNS} columns, which takes too long")
    if sp.issparse(x):
        x, new = x.toarray(), new.toarray()
    kinds = ["nominal" if j in texts else "auto" for j in range(x.shape[1])]
    kind = ExplainableBoostingRegressor if task == "regression" else ExplainableBoostingClassifier
    pairs = {} if x.shape[1] <= MOST_WITH_PAIRS else {"interactions": 0}
    model = kind(feature_types=kinds, n_jobs=1, random_state=0, **pairs).fit(x, y if task == "regression" else y.astype(int))
    if task == "regression":
        return model.predict(new)
    p = model.predict_proba(new)
    return p[:, 1] if task == "binary" else p


METHODS = {"boosting": ("lightgbm", boosting), "ebm": ("interpret-core", ebm)}
