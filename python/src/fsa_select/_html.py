"""What a notebook shows of an estimator: its diagram, and what it has selected."""

from __future__ import annotations

from html import escape
from typing import Any

_SHOWN = 10


def page(estimator: Any, diagram: str) -> str:
    """The diagram of scikit-learn and, once it is fitted, a table of variables."""
    model = getattr(estimator, "model_", None)
    if model is None:
        return diagram
    strongest = max((v.strength for v in model.variables), default=0.0) or 1.0
    rows = []
    for v in model.variables[:_SHOWN]:
        width = 100 * v.strength / strongest
        value = f"{v.coefficients[0, 0]:.4g}" if v.kind == "linear" and model.outputs == 1 else v.kind
        bar = f'<div style="background:#0072b2;height:0.7em;width:{width:.0f}px"></div>'
        rows.append(f"<tr><td>{escape(v.full_name)}</td><td>{v.strength:.4g}</td><td>{bar}</td><td>{escape(value)}</td></tr>")
    left = len(model.variables) - _SHOWN
    more = f"<tr><td colspan=4>and {left} more</td></tr>" if left > 0 else ""
    t = model.training
    head = f"{len(model.variables)} of {t['columns']} features selected from {t['rows']} samples, {escape(model.loss)} loss"
    table = "<tr><th>feature</th><th>strength</th><th></th><th>coefficient</th></tr>" + "".join(rows) + more
    return f'{diagram}<div style="color:#333"><p>{head}</p><table>{table}</table></div>'
