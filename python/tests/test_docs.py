"""Docstrings say what there is, in the form of numpydoc."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import fsa_select
from fsa_select import plots


def public() -> Iterator[tuple[str, Any]]:
    """All functions, classes and methods that are for users."""
    for name in fsa_select.__all__:
        thing = getattr(fsa_select, name)
        if not callable(thing):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for attribute, method in inspect.getmembers(thing, callable):
                if not attribute.startswith("_") and str(getattr(method, "__module__", "")).startswith("fsa_select"):
                    yield f"{name}.{attribute}", method
    for name in plots.__all__:
        yield f"plots.{name}", getattr(plots, name)


def sections(doc: str) -> dict[str, str]:
    """The sections of a docstring by their titles; the summary has an empty one."""
    parts = re.split(r"^(\w[\w ]*)\n-{3,}\n", inspect.cleandoc(doc), flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


@pytest.mark.parametrize(("name", "thing"), [pytest.param(*pair, id=pair[0]) for pair in public()])
def test_docstring(name: str, thing: Any) -> None:
    assert thing.__doc__, name
    has = sections(thing.__doc__)
    assert has[""].strip().split("\n")[0].endswith((".", ":"))
    assert "%" not in has[""]
    if inspect.isclass(thing) and (issubclass(thing, (Exception, tuple)) or hasattr(thing, "__dataclass_fields__")):
        fields = getattr(thing, "_fields", None) or list(getattr(thing, "__dataclass_fields__", ()))
        assert listed(has.get("Attributes", "")) == list(fields)
        return
    parameters = [p for p in inspect.signature(thing).parameters if p != "self"]
    assert listed(has.get("Parameters", "")) == parameters
    if not inspect.isclass(thing) and inspect.signature(thing).return_annotation not in ("None", None):
        assert has.get("Returns", "").strip() or has.get("Yields", "").strip()


def listed(section: str) -> list[str]:
    """The names that a section describes."""
    return [name for names in re.findall(r"^(\w[\w, ]*) : .", section, re.MULTILINE) for name in names.split(", ")]
