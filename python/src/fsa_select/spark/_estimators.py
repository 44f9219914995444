"""Estimators of ``pyspark.ml``."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from pyspark import keyword_only
from pyspark.ml.base import Predictor
from pyspark.ml.param.shared import HasProbabilityCol, HasRawPredictionCol
from pyspark.ml.util import DefaultParamsReadable, DefaultParamsWritable

from .._model import Model
from .._together import Layout, model_of, new_token
from ._models import SparkFSAClassificationModel, SparkFSARegressionModel
from ._params import FSAParams
from ._rows import Features, _quoted, numbered
from ._workers import RESULT, Work, check_session, count, size_of

_MOST_CLASSES = 1000


class _Estimator(Predictor, FSAParams, DefaultParamsReadable, DefaultParamsWritable):  # type: ignore[misc]
    """The fit of both estimators."""

    def __init__(self) -> None:
        super().__init__()
        self._setDefault(k=10, loss="auto", polish=False, quick=False, batch=0)  # every step of a minibatch would be a message

    @abstractmethod
    def _loss(self, dataset: Any) -> str:
        """The loss that a DataFrame is to be learned by."""

    def _learn(self, dataset: Any) -> tuple[Model, int]:
        session = dataset.sparkSession
        check_session(session)
        features = Features.of(dataset, self.getFeaturesCol(), self._inputs())
        loss = self._loss(dataset)
        options = {**self._options(), "loss": loss, "number": loss == "auto"}
        options["threads"] = int(session.sparkContext.getConf().get("spark.task.cpus", "1"))
        if not self.isSet("k"):
            options["k"] = min(options["k"], len(features.names))
        rows = numbered(dataset, features, self.getLabelCol(), self._weight(), self._group())
        workers = count(session, self.getOrDefault("numWorkers") if self.isDefined("numWorkers") else None, size_of(rows))
        layout = Layout(features.names, self._weight() is not None, self._group() is not None, features.texts)
        work = Work(options, layout, features.vector, workers, new_token())
        told = rows.repartition(workers, "order").mapInArrow(work, RESULT, barrier=workers > 1).collect()
        return Model(model_of([_answer(row) for row in told])), len(features.names)


def _answer(row: Any) -> dict[str, Any]:
    """What a task returns, as the service says it."""
    if row["kind"]:
        return {"event": "error", "kind": row["kind"], "message": row["text"]}
    return {"event": "done", "model": row["text"]}


class SparkFSARegressor(_Estimator):
    """Regression on the k variables that matter, for DataFrames of Spark.

    The features are a column of vectors, ``featuresCol``, or several columns of numbers and texts,
    ``inputCols``, of which texts are categories; missing ones are NaN or null. Parameters that are left out are chosen by the
    data, as those of :class:`fsa_select.FSARegressor` are, which has longer descriptions of them.
    """

    @keyword_only  # type: ignore[untyped-decorator]
    def __init__(
        self,
        *,
        k: int = 10,
        featuresCol: str = "features",
        inputCols: list[str] | None = None,
        labelCol: str = "label",
        weightCol: str | None = None,
        predictionCol: str = "prediction",
        loss: str = "auto",
        ridge: float | None = None,
        polish: bool = False,
        quick: bool = False,
        force: list[str] | None = None,
        featureGroups: list[list[str]] | None = None,
        bins: int | None = None,
        iterations: int | None = None,
        mu: float | None = None,
        eta: float | None = None,
        batch: int = 0,
        sizes: list[int] | None = None,
        rule: str | None = None,
        folds: int | None = None,
        groupCol: str | None = None,
        seed: int | None = None,
        numWorkers: int | None = None,
    ) -> None:
        super().__init__()
        self._set(**self._input_kwargs)

    def setParams(self, **kwargs: Any) -> SparkFSARegressor:
        """Set parameters by the names that the constructor has for them."""
        return self._set(**kwargs)

    def _loss(self, dataset: Any) -> str:
        return str(self.getOrDefault("loss"))

    def _fit(self, dataset: Any) -> SparkFSARegressionModel:
        return self._copyValues(SparkFSARegressionModel(*self._learn(dataset)))


class SparkFSAClassifier(_Estimator, HasProbabilityCol, HasRawPredictionCol):  # type: ignore[misc]
    """Classification on the k variables that matter, for DataFrames of Spark.

    The label is a number for each class, as a ``StringIndexer`` makes it. The features are a column
    of vectors, ``featuresCol``, or several columns of numbers and texts, ``inputCols``, of which
    texts are categories; missing ones are NaN or null. Parameters that are left out are chosen by the data, as those of
    :class:`fsa_select.FSAClassifier` are, which has longer descriptions of them.
    """

    @keyword_only  # type: ignore[untyped-decorator]
    def __init__(
        self,
        *,
        k: int = 10,
        featuresCol: str = "features",
        inputCols: list[str] | None = None,
        labelCol: str = "label",
        weightCol: str | None = None,
        predictionCol: str = "prediction",
        probabilityCol: str = "probability",
        rawPredictionCol: str = "rawPrediction",
        loss: str = "auto",
        ridge: float | None = None,
        polish: bool = False,
        quick: bool = False,
        force: list[str] | None = None,
        featureGroups: list[list[str]] | None = None,
        bins: int | None = None,
        iterations: int | None = None,
        mu: float | None = None,
        eta: float | None = None,
        batch: int = 0,
        sizes: list[int] | None = None,
        rule: str | None = None,
        folds: int | None = None,
        groupCol: str | None = None,
        seed: int | None = None,
        numWorkers: int | None = None,
    ) -> None:
        super().__init__()
        self._set(**self._input_kwargs)

    def setParams(self, **kwargs: Any) -> SparkFSAClassifier:
        """Set parameters by the names that the constructor has for them."""
        return self._set(**kwargs)

    def _loss(self, dataset: Any) -> str:
        loss: str = self.getOrDefault("loss")
        if loss != "auto":
            return loss
        classes = dataset.select(_quoted(self.getLabelCol())).distinct().limit(_MOST_CLASSES + 1).count()
        if classes > _MOST_CLASSES:
            raise ValueError(f"{self.getLabelCol()!r} has more than {_MOST_CLASSES} different values: learn a regression, or say which loss is meant")
        return "multinomial" if classes > 2 else "logistic"

    def _fit(self, dataset: Any) -> SparkFSAClassificationModel:
        return self._copyValues(SparkFSAClassificationModel(*self._learn(dataset)))
