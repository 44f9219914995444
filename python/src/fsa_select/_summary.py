"""Summaries of a fit, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._rivals import read_rivals

if TYPE_CHECKING:
    from ._model import Model, Variable

_SHOWN = 20
_IN_REPR = 3
_MEASURES = 3  # of a line
_TIES = 3  # that are named


class Summary(str):
    """A text that an interactive session shows as it prints."""

    def __repr__(self) -> str:
        return str(self)


def summary(model: Model) -> Summary:
    """A table of the variables of a model, below its description and metrics."""
    t, v = model.training, model.validation
    n = len(model.interactions)
    pairs = f" and {n} interaction{'s' if n > 1 else ''}" if n else ""
    lines = [f"{model.task} with the {model.loss} loss", f"{_columns(model)} of {t['columns']} features{pairs} selected from {t['rows']} samples"]
    if model.targets:
        lines.append("targets: " + ", ".join(of["name"] for of in model.targets))
    if model.classes:
        lines.append("classes: " + (" < " if "thresholds" in model.settings else ", ").join(model.classes))
    if v is not None and v.get("metrics"):
        lines.append(f"cross-validated in {v['folds']} folds: {_measures(v['metrics'], t.get('metrics'))}")
    lines += [f"cross-validated as a whole procedure: {_measures(test['metrics'], t.get('metrics'))}" for test in model.tests if test.get("metrics")]
    if t.get("metrics"):
        lines.append(f"on the training samples: {_measures(t['metrics'])}")
    rows = [("feature", "kind", "importance", "coefficient")]
    rows += [(x.full_name, x.kind, f"{x.strength:.4g}", _coefficient(x)) for x in model.variables[:_SHOWN]]
    if model.outputs == 1 and model.linear and model.task != "survival":  # only differences of risks mean something
        at_zero = model.intercept[0] - sum(x.coefficients[0, 0] * x.center for x in model.variables)
        rows.append(("(intercept)", "", "", f"{at_zero:.4g}"))
    if "thresholds" in model.settings:
        lines.append("thresholds: " + ", ".join(f"{threshold:.4g}" for threshold in model.settings["thresholds"]))
    width = [max(len(row[j]) for row in rows) for j in range(4)]
    lines.append("")
    for name, kind, importance, value in rows:
        lines.append(f"{name:<{width[0]}}  {kind:<{width[1]}}  {importance:>{width[2]}}  {value:>{width[3]}}".rstrip())
    if len(model.variables) > _SHOWN:
        lines.append(f"and {len(model.variables) - _SHOWN} more")
    if model.interactions:
        lines += ["", *(f"{pair.name}  importance {pair.strength:.4g}" for pair in model.interactions[:_SHOWN])]
        if len(model.interactions) > _SHOWN:
            lines.append(f"and {len(model.interactions) - _SHOWN} more interactions")
    rivals = read_rivals(v)
    if rivals is not None:
        lines += ["", *(_rival(r) for r in rivals[:_SHOWN])]
    elif v is not None and v.get("ties"):
        lines += ["", _ties(v["ties"])]
    return Summary("\n".join(lines))


def short(model: Model) -> str:
    """A description of a model in one line."""
    names = [x.full_name for x in model.variables[:_IN_REPR]] + ["…"] * (len(model.variables) > _IN_REPR)
    return f"Model({model.task}, {model.loss} loss, {_columns(model)} of {model.training['columns']} features: {', '.join(names)})"


def _columns(model: Model) -> int:
    return len({x.index for x in model.variables})  # a date has several variables


def _coefficient(x: Variable) -> str:
    """The slope of a line; curves and categories have several numbers, and so have several classes."""
    return f"{x.coefficients[0, 0]:.4g}" if x.kind == "linear" and len(x.coefficients) == 1 else ""


def _rival(r: dict[str, Any]) -> str:
    """How much a feature is needed."""
    return f"{r['name']} is {r['verdict']}" + (f" with {', '.join(r['equals'])}" if r["verdict"] == "interchangeable" else "")


def _ties(ties: list[dict[str, Any]]) -> str:
    """Features of the model that most folds have not selected, and their possible replacements."""
    parts = []
    for t in ties[:_TIES]:
        part = f"{t['share']:.0%}"
        if t.get("rivals"):
            r = t["rivals"][0]
            part += f"; {r['name']} could stand in for it"
            part += f", correlation {r['correlation']:.2f}" if r.get("correlation") else ""
        elif t.get("others") is not None:
            part += f"; other folds have {t['others'][0] if t['others'] else 'nothing'} instead"
        parts.append(f"{t['name']} ({part})")
    if len(ties) > _TIES:
        parts.append(f"and {len(ties) - _TIES} more")
    return "selected by fewer than half of the folds: " + ", ".join(parts)


def _measures(metrics: dict[str, Any], usual: dict[str, Any] | None = None) -> str:
    """Measures in words, first those that are usual for the loss."""
    shown = sorted(metrics, key=lambda name: (name not in (usual or ()), name not in _FIRST, _FIRST.index(name) if name in _FIRST else 0, name))
    return ", ".join(f"{name} {metrics[name]:.4g}" for name in shown[:_MEASURES])


_FIRST = ("r2", "rmse", "mae", "auc", "error", "ndcg")
