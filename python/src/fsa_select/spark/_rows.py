"""Rows of a DataFrame: which columns are variables, and the order of the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_NUMBERS = ("tinyint", "smallint", "int", "bigint", "float", "double", "boolean")
_TEXTS = ("string", "char", "varchar")


@dataclass(frozen=True)
class Features:
    """The variables: one column of vectors or arrays, or columns of numbers and texts."""

    names: list[str]
    columns: list[Any]  # of Spark
    vector: bool
    texts: frozenset[str] = frozenset()

    @classmethod
    def of(cls, dataset: Any, features: str, inputs: list[str] | None) -> Features:
        """Find them in a DataFrame."""
        from pyspark.sql import functions as F

        if inputs is not None:
            texts = set()
            for name in inputs:
                kind = dataset.select(_quoted(name)).schema[0].dataType.simpleString()
                if kind.startswith(_TEXTS):
                    texts.add(name)
                elif kind not in _NUMBERS and not kind.startswith("decimal"):
                    raise ValueError(f"column {name!r} is of the type {kind}: it must hold numbers or texts, so cast it or leave it out")
            return cls(list(inputs), [text_of(name) if name in texts else F.col(_quoted(name)).cast("double") for name in inputs], False, frozenset(texts))
        column = array_of(dataset, features)
        names = _names(dataset.schema[features].metadata)
        if names is None:
            first = dataset.select(F.size(column)).where(column.isNotNull()).first()
            if first is None:
                raise ValueError("the DataFrame has no rows to learn from")
            names = [f"x{j}" for j in range(first[0])]
        return cls(names, [column], True)


def text_of(name: str) -> Any:
    """A column of texts. An empty text is a missing one, as in text files."""
    from pyspark.sql import functions as F

    return F.nullif(F.col(_quoted(name)).cast("string"), F.lit(""))


def array_of(dataset: Any, features: str) -> Any:
    """A column of vectors, or of arrays, as arrays of numbers."""
    from pyspark.ml.functions import vector_to_array
    from pyspark.sql import functions as F

    if features not in dataset.columns:
        raise ValueError(f"there is no column {features!r}: name the features with featuresCol, or several columns with inputCols")
    kind = dataset.schema[features].dataType.simpleString()
    if kind == "vector":
        return vector_to_array(F.col(_quoted(features)))
    if kind.startswith("array<") and kind[len("array<") : -1] in _NUMBERS:
        return F.col(_quoted(features)).cast("array<double>")
    raise ValueError(f"column {features!r} is of the type {kind}: it must hold vectors or arrays of numbers, or several columns be named with inputCols")


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _names(metadata: dict[str, Any]) -> list[str] | None:
    """The names of the elements of a vector, as far as the stages that made it have noted them."""
    noted = metadata.get("ml_attr", {})
    if "num_attrs" not in noted:
        return None
    names = [f"x{j}" for j in range(noted["num_attrs"])]
    for kind in noted.get("attrs", {}).values():
        for one in kind:
            names[one["idx"]] = one.get("name", names[one["idx"]])
    return names if len(set(names)) == len(names) else None


def numbered(dataset: Any, features: Features, label: str, weight: str | None, group: str | None) -> Any:
    """The rows with their numbers, partition and position: they need no counting and no sorting."""
    from pyspark.sql import functions as F

    return dataset.select(
        F.monotonically_increasing_id().alias("order"),
        F.col(_quoted(label)).cast("double").alias("label"),
        *([F.col(_quoted(weight)).cast("double").alias("weight")] if weight else []),
        *([F.col(_quoted(group)).cast("string").alias("group")] if group else []),
        *[column.alias(f"f{j}") for j, column in enumerate(features.columns)],
    )
