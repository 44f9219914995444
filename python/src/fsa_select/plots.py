"""Plots of a fitted estimator with matplotlib, in the style of ``fsa``.

Each function takes a fitted estimator and draws on ``ax``, or on new axes, and returns the axes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._columns import Vector
from ._model import Model, Variable

__all__ = ["plot_cv", "plot_importance", "plot_path", "plot_responses"]

INK, GREY, FAINT = "#333333", "#b4b4b4", "#ececec"
PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6a2e", "#5b5b8f", "#882255", "#332288"]

_NAMED = 10  # lines that a legend names


def _axes(ax: Any, width: float = 6.4, height: float = 3.8) -> Any:
    if ax is None:
        try:
            import matplotlib.pyplot as plt
        except ImportError as error:
            raise ImportError("pictures need matplotlib: pip install 'fsa-select[plots]'") from error
        ax = plt.subplots(figsize=(width, height), layout="constrained")[1]
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        ax.spines[side].set(color=INK, linewidth=0.7)
    ax.tick_params(colors=INK, width=0.7)
    ax.grid(axis="y", color=FAINT, linewidth=0.5)
    ax.set_axisbelow(True)
    return ax


def _label(ax: Any, x: str, y: str, title: str | None = None) -> None:
    ax.set_xlabel(x, color=INK)
    ax.set_ylabel(y, color=INK)
    if title:
        ax.set_title(title, color=INK)


def _names(estimator: Any, features: Vector) -> list[str]:
    known = getattr(estimator, "feature_names_in_", None)
    return [str(known[j]) if known is not None else f"x{j}" for j in features]


def plot_path(estimator: Any, *, ax: Any = None) -> Any:
    """Draw coefficients against epochs: grey lines end where a feature was dropped.

    Parameters
    ----------
    estimator : estimator of this package
        A fitted one.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
        Where it was drawn.
    """
    check_is_fitted(estimator)
    path = estimator.path_
    ax = _axes(ax)
    epochs = np.arange(1, len(path) + 1)
    chosen = estimator.support_[path.features]
    for line in path.coefficients[~chosen]:
        ax.plot(epochs, line, color=GREY, linewidth=0.4)
    order = np.argsort(-estimator.feature_importances_[path.features[chosen]], kind="stable")
    names = _names(estimator, path.features[chosen])
    for at, i in enumerate(order):
        ax.plot(epochs, path.coefficients[chosen][i], color=PALETTE[at % len(PALETTE)], linewidth=1.4, label=names[i])
    if 0 < len(order) <= _NAMED:
        ax.legend(frameon=False, labelcolor=INK)
    _label(ax, "epoch", "coefficient")
    return ax


def plot_cv(estimator: Any, *, ax: Any = None) -> Any:
    """Draw the cross-validated loss against the number of features.

    Parameters
    ----------
    estimator : estimator of this package
        A fitted estimator that has chosen k by cross-validation.
    ax : matplotlib axes, optional
        Where to draw.

    Returns
    -------
    matplotlib axes
        Where it was drawn.
    """
    check_is_fitted(estimator)
    validation = estimator.validation_
    if not validation or not validation.get("rule"):
        raise ValueError(f"this {type(estimator).__name__} has not chosen k by cross-validation: fit it with k='auto'")
    size, mean, se = (np.array([point[field] for point in validation["points"]]) for field in ("size", "mean", "se"))
    ax = _axes(ax)
    ax.axhline(validation["null"], color=GREY, linewidth=0.7)
    ax.fill_between(size, mean - se, mean + se, color=PALETTE[0], alpha=0.2, linewidth=0)
    ax.plot(size, mean, color=PALETTE[0], linewidth=1.4)
    ax.axvline(validation["chosen"], color=PALETTE[2], linewidth=1.0)
    _label(ax, "features", f"{validation['measure']} loss on other samples", f"k = {validation['chosen']} by {validation['rule']}")
    return ax


def plot_importance(estimator: Any, *, ax: Any = None, most: int = 20) -> Any:
    """Draw the importance of the selected features, the most important on top.

    Parameters
    ----------
    estimator : estimator of this package
        A fitted one.
    ax : matplotlib axes, optional
        Where to draw.
    most : int, default=20
        Maximal number of features.

    Returns
    -------
    matplotlib axes
        Where it was drawn.
    """
    check_is_fitted(estimator)
    features = estimator.selected_[:most][::-1]
    ax = _axes(ax, height=1.0 + 0.24 * max(len(features), 4))
    ax.grid(axis="y", visible=False)
    ax.grid(axis="x", color=FAINT, linewidth=0.5)
    ax.barh(_names(estimator, features), estimator.feature_importances_[features], color=PALETTE[0])
    _label(ax, "standard deviation of what it adds", "")
    return ax


def plot_responses(estimator: Any, *, most: int = 9, output: int = 0, axes: Any = None) -> Any:
    """Draw the contribution of each selected feature to the decision value, against its values.

    Parameters
    ----------
    estimator : estimator of this package
        A fitted one.
    most : int, default=9
        Maximal number of features, the most important first.
    output : int, default=0
        The decision value; with several classes, the class.
    axes : sequence of matplotlib axes, optional
        Where to draw, one for each feature.

    Returns
    -------
    ndarray of matplotlib axes
        Where they were drawn.
    """
    check_is_fitted(estimator)
    model: Model = estimator.model_
    variables = model.variables[:most]
    if not variables:
        raise ValueError("no feature was selected: there is no response to draw")
    if axes is None:
        axes = _grid(len(variables))
    axes = np.ravel(axes)
    for at, (ax, variable) in enumerate(zip(axes, variables, strict=False)):
        _axes(ax)
        colour = PALETTE[at % len(PALETTE)]
        ax.axhline(0, color=GREY, linewidth=0.7)
        if variable.levels is not None:
            levels = [level or "(missing)" for level in variable.levels]
            ax.bar(levels, variable.coefficients[output], color=colour)
        else:
            x = _span(variable)
            ax.plot(x, variable.response(x, output), color=colour, linewidth=1.4)
        _label(ax, variable.full_name, "")
    return axes


def _grid(count: int) -> Any:
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("pictures need matplotlib: pip install 'fsa-select[plots]'") from error
    columns = min(count, 3)
    rows = -(-count // columns)
    axes = plt.subplots(rows, columns, figsize=(3.2 * columns, 2.4 * rows), layout="constrained", squeeze=False)[1]
    for unused in np.ravel(axes)[count:]:
        unused.set_visible(False)
    return np.ravel(axes)[:count]


def _span(variable: Variable) -> Vector:
    """Where to look at the response to a number: its range in training."""
    if variable.knots is not None:
        low, high = variable.knots[0], variable.knots[-1]
    elif variable.low < variable.high:
        low, high = variable.low, variable.high
    else:  # a model of version 1 does not say
        low, high = variable.mean - 1, variable.mean + 1
    return np.linspace(low, high, 400)
