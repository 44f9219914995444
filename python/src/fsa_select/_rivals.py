"""Which features could stand in for others, and confidence intervals of effects."""

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


def read_intervals(stability: dict[str, Any] | None) -> list[dict[str, Any]] | None:
    """The effects of the features of a model, or None if they were not asked for."""
    if stability is None or not stability.get("confidence"):
        return None
    return [{"name": v["name"], **{key: v.get(key) for key in ("estimate", "low", "high")}} for v in stability["variables"]]
