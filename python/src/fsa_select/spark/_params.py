"""Parameters of the estimators, as ``pyspark.ml`` has them."""

from __future__ import annotations

from typing import Any

from pyspark.ml.param import Param, Params, TypeConverters
from pyspark.ml.param.shared import HasFeaturesCol, HasInputCols, HasLabelCol, HasPredictionCol, HasSeed, HasWeightCol


def _accessors(cls: type[Any]) -> type[Any]:
    """Give a class of parameters ``setK`` and ``getK`` for its parameter ``k``, and so on."""

    def add(name: str) -> None:
        def setter(self: Any, value: Any) -> Any:
            return self._set(**{name: value})

        def getter(self: Any) -> Any:
            return self.getOrDefault(name)

        for prefix, method in (("set", setter), ("get", getter)):
            method.__name__ = prefix + name[0].upper() + name[1:]
            method.__doc__ = f"{'Set' if prefix == 'set' else 'Return'} ``{name}``: {getattr(cls, name).doc}."
            setattr(cls, method.__name__, method)

    for name, value in list(vars(cls).items()):
        if isinstance(value, Param):
            add(name)
    return cls


def _lists(value: Any) -> list[list[str]]:
    return [TypeConverters.toListString(one) for one in TypeConverters.toList(value)]


@_accessors
class FSAParams(HasLabelCol, HasFeaturesCol, HasPredictionCol, HasInputCols, HasWeightCol, HasSeed):  # type: ignore[misc]
    """What both estimators can be told."""

    k = Param(Params._dummy(), "k", "how many variables to select; 0 lets cross-validation choose", TypeConverters.toInt)
    loss = Param(Params._dummy(), "loss", "the loss to learn by, or auto", TypeConverters.toString)
    ridge = Param(Params._dummy(), "ridge", "strength of the ridge penalty; 0 for none; left out, the data decide", TypeConverters.toFloat)
    polish = Param(Params._dummy(), "polish", "let variables that were dropped compete again while the loss falls", TypeConverters.toBoolean)
    quick = Param(Params._dummy(), "quick", "choose nothing by validation: as fast as can be", TypeConverters.toBoolean)
    force = Param(Params._dummy(), "force", "names of variables that must stay", TypeConverters.toListString)
    featureGroups = Param(Params._dummy(), "featureGroups", "lists of names of variables that are selected or dropped together", _lists)
    bins = Param(Params._dummy(), "bins", "bins of curves; 0 for straight lines; left out, the data decide", TypeConverters.toInt)
    iterations = Param(Params._dummy(), "iterations", "epochs", TypeConverters.toInt)
    mu = Param(Params._dummy(), "mu", "speed of the schedule: larger is faster and greedier", TypeConverters.toFloat)
    eta = Param(Params._dummy(), "eta", "step of the gradient descent", TypeConverters.toFloat)
    batch = Param(Params._dummy(), "batch", "rows that a step looks at; 0 for all", TypeConverters.toInt)
    sizes = Param(Params._dummy(), "sizes", "numbers of variables that cross-validation compares", TypeConverters.toListInt)
    rule = Param(Params._dummy(), "rule", "how cross-validation chooses a size", TypeConverters.toString)
    folds = Param(Params._dummy(), "folds", "folds of the cross-validation", TypeConverters.toInt)
    groupCol = Param(Params._dummy(), "groupCol", "column of labels: rows with the same label stay in one fold", TypeConverters.toString)
    numWorkers = Param(Params._dummy(), "numWorkers", "tasks that fit together; left out, one per GiB of the table, and at most as many as can run at a time", TypeConverters.toInt)

    def setInputCols(self, value: list[str]) -> Any:
        """Set the columns of numbers and texts that are the features, in place of ``featuresCol``."""
        return self._set(inputCols=value)

    def setWeightCol(self, value: str) -> Any:
        """Set the column of the weights of rows."""
        return self._set(weightCol=value)

    def setSeed(self, value: int) -> Any:
        """Set the seed of the random order of rows."""
        return self._set(seed=value)

    def _inputs(self) -> list[str] | None:
        return list(self.getInputCols()) if self.isDefined("inputCols") else None

    def _weight(self) -> str | None:
        return self.getWeightCol() or None if self.isDefined("weightCol") else None

    def _group(self) -> str | None:
        return self.getOrDefault("groupCol") or None if self.isDefined("groupCol") else None

    def _options(self) -> dict[str, Any]:
        """The parameters in the words of the service. What is not given is left out."""
        names = {"rule": "choose", "seed": "seed", "featureGroups": "groups"}
        given = ("k", "ridge", "polish", "quick", "force", "featureGroups", "bins", "iterations", "mu", "eta", "batch", "sizes", "rule", "folds")
        options = {names.get(name, name): self.getOrDefault(name) for name in given if self.isDefined(name)}
        if self.isSet("seed"):
            options["seed"] = self.getSeed()
        return options
