"""Models of ``pyspark.ml``. They predict by Spark's own expressions: no Python runs on the workers."""

from __future__ import annotations

from functools import reduce
from typing import Any

from pyspark.ml.base import Model as SparkModel
from pyspark.ml.param.shared import HasProbabilityCol, HasRawPredictionCol
from pyspark.ml.util import DefaultParamsReader, DefaultParamsWriter, MLReadable, MLReader, MLWritable, MLWriter

from .._model import MARGIN, Model, Variable
from ._params import FSAParams
from ._rows import _quoted, array_of


class _FSAModel(SparkModel, FSAParams, MLReadable, MLWritable):  # type: ignore[misc]
    """What both models share.

    Attributes
    ----------
    model : fsa_select.Model
        The model itself, as ``fsa`` writes it.
    """

    model: Model

    def __init__(self, model: Model | None = None) -> None:
        super().__init__()
        if model is not None:
            self._keep(model)

    def _keep(self, model: Model) -> None:
        if not model.linear:
            raise ValueError("the model has responses that are not linear, which Spark cannot predict with")
        self.model = model

    @property
    def selected(self) -> list[str]:
        """Names of the variables that were selected, the strongest first."""
        return [v.name for v in self.model.variables]

    def _decision(self, dataset: Any) -> list[Any]:
        """Columns of the decision values, one for each output of the model."""
        from pyspark.sql import functions as F

        inputs = self._inputs()
        arrays = array_of(dataset, self.getFeaturesCol()) if inputs is None else None

        def cell(v: Variable) -> Any:
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

    absent = x.isNull() | F.isnan(x)
    y = F.when(absent, F.lit(float(v.mean))).otherwise(x)
    if v.low < v.high:
        margin = MARGIN * (v.high - v.low)
        y = F.least(F.greatest(y, F.lit(float(v.low - margin))), F.lit(float(v.high + margin)))
    line = F.lit(2 * float(v.coefficients[output, 0])) * (y / 2 - F.lit(v.center / 2))
    if v.missing is not None:
        line = F.when(absent, F.lit(float(v.missing[output]))).otherwise(line)
    return line


class SparkFSARegressionModel(_FSAModel):
    """What :class:`SparkFSARegressor` has learned."""

    def _transform(self, dataset: Any) -> Any:
        return dataset.withColumn(self.getPredictionCol(), self._decision(dataset)[0])


class SparkFSAClassificationModel(_FSAModel, HasProbabilityCol, HasRawPredictionCol):  # type: ignore[misc]
    """What :class:`SparkFSAClassifier` has learned.

    Where its loss gives no probabilities there is no column of them.
    """

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
        DefaultParamsWriter.saveMetadata(self._instance, path, self.sparkSession)
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
        to._keep(Model(self.sparkSession.read.parquet(path + "/model").first()["model"]))
        return to
