"""Which features could stand in for others."""

from __future__ import annotations

from typing import Any


def read_rivals(validation: dict[str, Any] | None) -> list[dict[str, Any]] | None:
    """The rivals of the features of a model, or None if they were not measured."""
    ties = (validation or {}).get("ties") or []
    if not ties or "without" not in ties[0]:
        return None
    return [_standing(t) for t in ties]


def _standing(tie: dict[str, Any]) -> dict[str, Any]:
    rivals = tie.get("rivals") or []
    equals = [r["name"] for r in rivals if r["instead"].get("equal")]
    verdict = "marginal" if tie["without"].get("equal") else "interchangeable" if equals else "indispensable"
    return {
        "name": tie["name"],
        "verdict": verdict,
        "without": tie["without"]["mean"],
        "equals": equals,
        "instead": {r["name"]: r["instead"]["mean"] for r in rivals},
    }
