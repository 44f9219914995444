"""Models of ``pyspark.ml``. They predict by Spark's own expressions: no Python runs on the workers."""

from __future__ import annotations

from abc import abstractmethod
from functools import reduce
from typing import Any

import numpy as np
from pyspark.ml.base import PredictionModel
from pyspark.ml.linalg import DenseMatrix, DenseVector, SparseVector
from pyspark.ml.param.shared import HasProbabilityCol, HasRawPredictionCol
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReadable, MLReader, MLWritable, MLWriter

from .._columns import Column
from .._model import MARGIN, Model, Variable
from ._params import FSAParams
from ._rows import _quoted, array_of, text_of


class _FSAModel(PredictionModel, FSAParams, MLReadable, MLWritable):  # type: ignore[misc]
    """What both models share.

    Attributes
    ----------
    model : fsa_select.Model
        The model itself, as ``fsa`` writes it.
    """

    model: Model

    def __init__(self, model: Model | None = None, width: int = -1) -> None:
        super().__init__()
        if model is not None:
            self._keep(model, width)

    def _keep(self, model: Model, width: int) -> None:
        if model.interactions or any(v.part is not None for v in model.variables):
            raise ValueError("the model has interactions or parts of dates, which Spark cannot predict with")
        self.model = model
        self._width = width

    @property
    def selected(self) -> list[str]:
        """Names of the variables that were selected, the strongest first."""
        return [v.name for v in self.model.variables]

    @property
    def numFeatures(self) -> int:
        """Number of features that the model was fitted on; −1 for a model of an older version."""
        return self._width

    @property
    def featureImportances(self) -> SparseVector:
        """Standard deviation of what each selected feature adds to the decision value."""
        strength: dict[int, float] = {}
        for v in self.model.variables:
            strength[v.index] = max(strength.get(v.index, 0.0), float(v.strength))
        return SparseVector(self._width, strength)

    def _lines(self) -> tuple[Any, Any]:
        """Coefficients, a row for each output, and intercepts."""
        if not self.model.linear:
            raise ValueError(f"there are no coefficients: {self.model.why_not_linear}")
        coefficients = np.zeros((self.model.outputs, self._width))
        intercept = np.array(self.model.intercept, dtype=float)
        for v in self.model.variables:
            coefficients[:, v.index] += v.coefficients[:, 0]
            intercept -= v.coefficients[:, 0] * v.center
        return coefficients, intercept

    def predict(self, value: Any) -> float:
        """The prediction for one vector of features."""
        cells = np.asarray(value.toArray() if hasattr(value, "toArray") else value, dtype=float).reshape(1, -1)
        return self._predicted(self.model.decide(1, lambda v: Column(v.name, cells[:, v.index]))[0])

    @abstractmethod
    def _predicted(self, z: Any) -> float:
        """The prediction for decision values."""

    def _decision(self, dataset: Any) -> list[Any]:
        """Columns of the decision values, one for each output of the model."""
        from pyspark.sql import functions as F

        inputs = self._inputs()
        arrays = array_of(dataset, self.getFeaturesCol()) if inputs is None else None

        def cell(v: Variable) -> Any:
            if v.levels is not None:
                return F.coalesce(text_of(v.name), F.lit(""))
            return F.col(_quoted(v.name)).cast("double") if arrays is None else arrays.getItem(v.index)

        cells = [cell(v) for v in self.model.variables]
        # Added one after the other, as elsewhere, but not nested: there may be thousands.
        return [
            F.aggregate(F.array(*[_part(v, x, output) for v, x in zip(self.model.variables, cells)]), F.lit(float(start)), lambda total, part: total + part)
            if cells
            else F.lit(float(start))
            for output, start in enumerate(self.model.intercept)
        ]

    def write(self) -> MLWriter:
        """How the model is written: its parameters, and ``model.json`` as a text."""
        return _Writer(self)

    @classmethod
    def read(cls) -> MLReader:
        """How a model is read again."""
        return _Reader(cls)


def _part(v: Variable, x: Any, output: int) -> Any:
    """The part of a variable in a decision value, as ``Variable.response`` has it."""
    from pyspark.sql import functions as F

    values = [float(c) for c in v.coefficients[output]]
    if v.levels is not None:
        known = F.create_map(*[F.lit(one) for pair in zip(v.levels, values) for one in pair])
        return F.coalesce(known.getItem(x), F.lit(0.0))  # a text that was not learned adds nothing
    absent = x.isNull() | F.isnan(x)
    y = F.when(absent, F.lit(float(v.mean))).otherwise(x)
    part = _line(v, y, values[0]) if v.kind == "linear" else _curve(v, y, values)
    if v.missing is not None:
        part = F.when(absent, F.lit(float(v.missing[output]))).otherwise(part)
    return part


def _line(v: Variable, x: Any, slope: float) -> Any:
    from pyspark.sql import functions as F

    if v.low < v.high:
        margin = MARGIN * (v.high - v.low)
        x = F.least(F.greatest(x, F.lit(float(v.low - margin))), F.lit(float(v.high + margin)))
    return F.lit(2 * slope) * (x / 2 - F.lit(v.center / 2))


def _curve(v: Variable, x: Any, values: list[float]) -> Any:
    """A piecewise linear curve, or steps: a branch for each bin."""
    from pyspark.sql import functions as F

    bins = len(values) - (v.kind == "curve")
    even = v.kind == "steps" or v.even
    knots = None if v.knots is None else [float(k) for k in v.knots]
    t = _place(x, v.low, v.high) * bins

    def inside(i: int) -> Any:
        if v.kind == "steps":
            return F.lit(values[i])
        if even:
            alpha = t - i
        else:
            assert knots is not None
            alpha = _place(x, knots[i], knots[i + 1])
        return (1 - alpha) * values[i] + alpha * values[i + 1]

    def here(i: int) -> Any:
        if even:
            return t < i + 1
        assert knots is not None
        return x <= knots[i + 1]

    chain: Any = F
    for i in range(bins - 1):
        chain = chain.when(here(i), inside(i))
    return inside(0) if bins == 1 else chain.otherwise(inside(bins - 1))


def _place(x: Any, low: float, high: float) -> Any:
    """Where a number lies between two others, from 0 to 1."""
    from pyspark.sql import functions as F

    return F.least(F.greatest((x / 2 - float(low) / 2) / (float(high) / 2 - float(low) / 2), F.lit(0.0)), F.lit(1.0))


class SparkFSARegressionModel(_FSAModel):
    """What :class:`SparkFSARegressor` has learned."""

    @property
    def coefficients(self) -> DenseVector:
        """Coefficients of all features, zero for those that were not selected."""
        return DenseVector(self._lines()[0][0])

    @property
    def intercept(self) -> float:
        """Intercept, so that a prediction is ``coefficients · features + intercept`` within the range of training."""
        return float(self._lines()[1][0])

    def _predicted(self, z: Any) -> float:
        return float(z[0])

    def _transform(self, dataset: Any) -> Any:
        return dataset.withColumn(self.getPredictionCol(), self._decision(dataset)[0])


class SparkFSAClassificationModel(_FSAModel, HasProbabilityCol, HasRawPredictionCol):  # type: ignore[misc]
    """What :class:`SparkFSAClassifier` has learned.

    Where its loss gives no probabilities there is no column of them.
    """

    @property
    def numClasses(self) -> int:
        """Number of classes."""
        return len(self.model.classes)

    @property
    def coefficientMatrix(self) -> DenseMatrix:
        """Coefficients of all features, with a row for each class, or one row for two classes."""
        rows, columns = (coefficients := self._lines()[0]).shape
        return DenseMatrix(rows, columns, coefficients.ravel(), isTransposed=True)

    @property
    def interceptVector(self) -> DenseVector:
        """Intercepts of the rows of ``coefficientMatrix``."""
        return DenseVector(self._lines()[1])

    @property
    def coefficients(self) -> DenseVector:
        """Coefficients of two classes."""
        self._check_binary("coefficientMatrix")
        return DenseVector(self._lines()[0][0])

    @property
    def intercept(self) -> float:
        """Intercept of two classes."""
        self._check_binary("interceptVector")
        return float(self._lines()[1][0])

    def _check_binary(self, other: str) -> None:
        if self.model.outputs != 1:
            raise ValueError(f"the model has {self.numClasses} classes: use {other}")

    def _predicted(self, z: Any) -> float:
        if self.model.outputs == 1:
            return float(self.model.classes[int(z[0] > self.model.threshold)])
        return float(self.model.classes[int(np.argmax(z))])

    def _transform(self, dataset: Any) -> Any:
        from pyspark.ml.functions import array_to_vector
        from pyspark.sql import functions as F

        z, model = self._decision(dataset), self.model
        raw = F.array(-z[0], z[0]) if model.outputs == 1 else F.array(*z)
        to = dataset.withColumn(self.getRawPredictionCol(), raw)
        raw = F.col(_quoted(self.getRawPredictionCol()))
        classes = F.array(*[F.lit(float(name)) for name in model.classes])
        if model.outputs == 1:
            best = F.when(raw.getItem(1) > model.threshold, 2).otherwise(1)
        else:
            best = F.array_position(raw, F.array_max(raw)).cast("int")
        to = to.withColumn(self.getPredictionCol(), F.element_at(classes, best))
        if model.has_probabilities:
            to = to.withColumn(self.getProbabilityCol(), array_to_vector(_probabilities(model, raw)))
        return to.withColumn(self.getRawPredictionCol(), array_to_vector(raw))


def _probabilities(model: Model, raw: Any) -> Any:
    """Probabilities of all classes, as ``Model.probabilities`` has them."""
    from pyspark.sql import functions as F

    if model.outputs == 1:
        positive = 1 / (1 + F.exp(-F.least(F.greatest(raw.getItem(1), F.lit(-700.0)), F.lit(700.0))))
        return F.array(1 - positive, positive)
    top = F.transform(raw, lambda z: F.exp(z - F.array_max(raw)))
    total = reduce(lambda a, b: a + b, [top.getItem(j) for j in range(model.outputs)])
    return F.transform(top, lambda e: e / total)


class _Writer(MLWriter):  # type: ignore[misc]
    def __init__(self, instance: _FSAModel) -> None:
        super().__init__()
        self._instance = instance

    def saveImpl(self, path: str) -> None:
        DefaultParamsWriter.saveMetadata(self._instance, path, self.sparkSession, {"numFeatures": self._instance.numFeatures})
        text = self.sparkSession.createDataFrame([(self._instance.model.text,)], "model string")
        text.coalesce(1).write.parquet(path + "/model")


class _Reader(MLReader):  # type: ignore[misc]
    def __init__(self, cls: type[_FSAModel]) -> None:
        super().__init__()
        self._cls = cls

    def load(self, path: str) -> _FSAModel:
        metadata = DefaultParamsReader.loadMetadata(path, self.sparkSession)
        to = self._cls()
        to._resetUid(metadata["uid"])
        DefaultParamsReader.getAndSetParams(to, metadata)
        to._keep(Model(self.sparkSession.read.parquet(path + "/model").first()["model"]), metadata.get("numFeatures", -1))
        return to
