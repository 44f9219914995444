"""Checks of parameters, and what the service calls them."""

from __future__ import annotations

import numbers
import os
from collections.abc import Callable, Iterable
from typing import Any

import joblib
import numpy as np
from sklearn.utils import check_random_state

from ._rows import class_name

_UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "KB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12, "B": 1}

_LEAST_MEMORY = 2**20
_MOST_BINS = 1000
_MOST_EPOCHS = 10_000_000
_MOST_SECONDS = 1e9
_MOST = 2**53  # of any count


def features(name: str, given: Any) -> list[str] | None:
    """Features by name or position, as texts."""
    if given is None:
        return None
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise ValueError(f"{name} = {given!r}: it must be a list of features, by name or position")
    found = list(given)
    for feature in found:
        if feature is None or isinstance(feature, (bool, np.bool_, list)):
            raise ValueError(f"{name} has {feature!r}: it must be a list of features, by name or position")
    return [str(feature) for feature in found]


def listed(name: str, given: Any) -> list[Any]:
    """The elements of a list."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise ValueError(f"{name} = {given!r}: it must be a list, or None")
    return list(given)


def groups(name: str, given: Any) -> list[list[str]] | None:
    """Lists of features."""
    if given is None:
        return None
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        raise ValueError(f"{name} = {given!r}: it must be a list of lists of features")
    return [features(name, group) or [] for group in given]


def known(name: str, features: Iterable[str], names: list[str] | None, width: int) -> None:
    """Refuse features that a table does not have, by name or position."""
    have = set(names) if names is not None else {f"x{j}" for j in range(width)}
    for feature in features:
        if not (feature in have or feature.isdecimal() and int(feature) < width):
            raise ValueError(f"{name} has {feature!r}, which is no feature of X")


def sizes(given: Any) -> list[int] | None:
    """Numbers of features to compare."""
    if given is None:
        return None
    found = list(given) if isinstance(given, Iterable) and not isinstance(given, (str, bytes)) else []
    if not found or not all(isinstance(size, numbers.Integral) and not isinstance(size, bool) and 0 <= int(size) <= _MOST for size in found):
        raise ValueError(f"sizes = {given!r}: it must have at least one number of features, all of them whole, or be None")
    return [int(size) for size in found]


def _number(name: str, value: Any) -> float | None:
    """A parameter that is a number, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not np.isfinite(float(value)) or value < 0:
        raise ValueError(f"{name} = {value!r}: it must be a finite number and not negative, or None")
    return float(value)


def _positive(name: str, value: Any) -> float | None:
    """A parameter that is a number above zero, or None."""
    if value is not None and _number(name, value) == 0:
        raise ValueError(f"{name} = {value!r}: it must be above zero, or None")
    return _number(name, value)


def _seconds(name: str, value: Any) -> float | None:
    """A time in seconds, or None."""
    time = _positive(name, value)
    return None if time is None else min(time, _MOST_SECONDS)


def _at_least(least: int, most: int | None = None) -> Callable[[str, Any], int | None]:
    """A check of a parameter that is a whole number of some size, or None."""

    def check(name: str, value: Any) -> int | None:
        whole = count(name, value)
        if whole is not None and whole < least:
            raise ValueError(f"{name} = {value!r}: it must be at least {least}, or None")
        if whole is not None and most is not None and whole > most:
            raise ValueError(f"{name} = {value!r}: it must be at most {most}, or None")
        return whole

    return check


def count(name: str, value: Any) -> int | None:
    """A parameter that is a whole number, or None."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 0:
        raise ValueError(f"{name} = {value!r}: it must be a whole number and not negative, or None")
    if int(value) > _MOST:
        raise ValueError(f"{name} = {value!r}: it must be at most {_MOST}")
    return int(value)


def switch(name: str, value: Any) -> bool | None:
    """A parameter that is true or false."""
    if value is not None and not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} = {value!r}: it must be True or False")
    return None if value is None else bool(value)


def strengths(name: str, value: Any) -> dict[str, float] | None:
    """Check a parameter that maps names to numbers."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise ValueError(f"{name} = {value!r}: it must be a dict of strengths by name, or None")
    found = {class_name(key): strength for key, strength in value.items()}
    for key, strength in found.items():
        if not isinstance(strength, numbers.Real) or isinstance(strength, bool) or not np.isfinite(float(strength)):
            raise ValueError(f"{name} has {strength!r} for {key!r}: it must be a finite number")
    return {key: float(strength) for key, strength in found.items()}


def _bins(name: str, value: Any) -> int | None:
    """A number of bins; None chooses it from the data."""
    if isinstance(value, str) and value == "auto":
        return None
    if isinstance(value, str) or isinstance(value, numbers.Integral) and (value == 1 or int(value) > _MOST_BINS):
        raise ValueError(f"{name} = {value!r}: it must lie between 2 and {_MOST_BINS}, be 0 for straight lines, or 'auto'")
    return count(name, value)


def _interactions(name: str, value: Any) -> int | None:
    """The largest number of interactions: 0 for any number, −1 for none; None lets the data decide."""
    if isinstance(value, str) and value == "auto":
        return None
    if value is None or value is False:
        return -1
    if value is True:
        return 0
    if not isinstance(value, numbers.Integral) or not 1 <= int(value) <= _MOST:
        raise ValueError(f"{name} = {value!r}: it must be 'auto', True, False, or the largest number of pairs, at least 1")
    return int(value)


def pair_sets(given: Any, estimator: Any) -> dict[str, Any]:
    """Which features may be in a pair, as options of the service."""
    name, interactions = "interaction_cst", getattr(estimator, "interactions", None)
    if given is None or isinstance(given, str) and given == "pairwise":
        return {}
    if isinstance(given, (str, bytes)) and given != "no_interactions" or not isinstance(given, Iterable):
        raise ValueError(f"{name} = {given!r}: it must be 'pairwise', 'no_interactions', a list of sets of features, or None")
    asked = interactions not in (None, False, "auto")
    sets = [] if isinstance(given, str) else [sorted(of) for of in groups(name, given) or []]
    if not sets:
        if asked:
            raise ValueError(f"{name} = {given!r}, but interactions = {interactions!r}: leave one of them out")
        return {"interactions": -1}
    for of in sets:
        if len(set(of)) < 2:
            raise ValueError(f"{name} has {of}: a pair has two features")
    if interactions in (None, False):
        return {}
    if not asked and estimator.k != "auto":
        raise ValueError(f"{name} = {given!r}: with k = {estimator.k!r}, pairs are looked for with interactions=True or a number")
    return {"pairs_among": sets}


def _one_of(*words: str) -> Callable[[str, Any], str | None]:
    """A check of a parameter that is one of a few words, or None."""

    def check(name: str, value: Any) -> str | None:
        if value is not None and not (isinstance(value, str) and value in words):
            raise ValueError(f"{name} = {value!r}: it must be {', '.join(map(repr, words[:-1]))} or {words[-1]!r}")
        return None if value is None else str(value)

    return check


def _text(name: str, value: Any) -> str | None:
    """A parameter that is a text; the service checks its value."""
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{name} = {value!r}: it must be a text, or None")
    return value


def _folds_of(name: str, value: Any) -> int | None:
    """A number of folds; None if they are given one by one."""
    return _at_least(2)(name, value) if isinstance(value, numbers.Real) else None


def _quantiles(name: str, value: Any) -> float | None:
    """A quantile, or None; several are another option of the service."""
    return None if several(value) else _between(name, value)


def several(quantile: Any) -> list[float] | None:
    """The quantiles, ascending, if there are several."""
    if not isinstance(quantile, Iterable) or isinstance(quantile, (str, bytes)):
        return None
    found = sorted(_between("quantile", q) or 0 for q in quantile)
    if len(found) < 2 or len(set(found)) < len(found) or found[0] == 0:
        raise ValueError(f"quantile = {quantile!r}: it must be a number, or a list of at least two different ones")
    return found


def _between(name: str, value: Any) -> float | None:
    """A parameter between 0 and 1, or None."""
    share = _number(name, value)
    if share is not None and not 0 < share < 1:
        raise ValueError(f"{name} = {value!r}: it must lie between 0 and 1, or be None")
    return share


def _momentum(name: str, value: Any) -> float | None:
    """A share below 1, or None."""
    share = _number(name, value)
    if share is not None and share >= 1:
        raise ValueError(f"{name} = {value!r}: it must be below 1, or None")
    return share


# What parameters are called by the service, if it has another name.
SERVICE_NAMES = {"alpha": "ridge", "cv": "folds", "max_iter": "iterations", "rule": "choose", "scoring": "measure", "tol": "tolerance"}

# Parameters that go to the service, and what they must be.
PASSED: dict[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(("alpha", "mu", "tol"), _number),
    "momentum": _momentum,
    "quantile": _quantiles,
    **dict.fromkeys(("eta", "huber"), _positive),
    "max_time": _seconds,
    "bins": _bins,
    "interactions": _interactions,
    "heredity": _one_of("strong", "weak", "none"),
    **dict.fromkeys(("batch", "warm_up"), count),
    "max_iter": _at_least(1, _MOST_EPOCHS),
    "cv": _folds_of,
    "fdr": _between,
    "rivals": switch,
    "confidence": _between,
    "repeats": _at_least(1),
    "ordered": switch,
    "scoring": _text,
    "calibrate": switch,
    "nested": switch,
    "threshold": _text,
    "rule": _one_of("paired", "one-se", "min", "aic", "bic", "ebic", "gic"),
    "scale": _one_of("auto", "column", "common", "root", "none"),
    "spacing": _one_of("auto", "even"),
    "ties": _one_of("efron", "breslow"),
    "device": _one_of("auto", "cpu", "cuda"),
    "extrapolate": _one_of("clip", "line"),
    "storage": _one_of("float32", "bfloat16", "int8"),
    **dict.fromkeys(("polish", "quick"), switch),
    "priors": strengths,
}


def path(name: str, value: Any) -> str:
    """A parameter that is a path."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise ValueError(f"{name} = {value!r}: it must be a path, or None")
    return os.fspath(value)


def seed(random_state: Any) -> int:
    if random_state is None:
        return 0
    if isinstance(random_state, numbers.Integral):
        if not 0 <= int(random_state) < 2**64:
            raise ValueError(f"random_state = {random_state}: a seed must not be negative, and below 2**64")
        return int(random_state)
    try:
        return int(check_random_state(random_state).randint(2**31 - 1))
    except (TypeError, ValueError) as error:  # a tuple breaks the message of scikit-learn 1.6
        raise ValueError(f"random_state = {random_state!r}: it must be a seed, a generator of np.random.RandomState, or None") from error


def threads(n_jobs: Any) -> int:
    """The number of threads, in the convention of scikit-learn."""
    if n_jobs is not None and (isinstance(n_jobs, bool) or not isinstance(n_jobs, numbers.Integral) or n_jobs == 0 or abs(int(n_jobs)) > 2**31):
        raise ValueError(f"n_jobs = {n_jobs!r}: it must be a number of threads, -1 for one for each core, or None")
    return int(joblib.effective_n_jobs(None if n_jobs is None else int(n_jobs)))


def size(memory: Any, name: str = "memory") -> int:
    """A number of bytes; 0 means any."""
    if memory is None:
        return 0
    bytes_ = _bytes(memory, name)
    if bytes_ < _LEAST_MEMORY:
        raise ValueError(f"{name} = {memory!r}: a fit needs at least '1MiB'")
    return bytes_


def _bytes(memory: Any, name: str) -> int:
    """A number of bytes that may be written with a unit."""
    if isinstance(memory, str):
        for unit, factor in _UNITS.items():
            if memory.endswith(unit):
                try:
                    return int(float(memory[: -len(unit)]) * factor)
                except (ValueError, OverflowError):
                    break
        raise ValueError(f"{name} = {memory!r}: write for example '8GiB' or '500MB'")
    if not isinstance(memory, numbers.Real) or isinstance(memory, bool) or not 0 < float(memory) < 2**63:
        raise ValueError(f"{name} = {memory!r}: it must be a positive number of bytes")
    return int(float(memory))
