"""DataFrames of Spark, on a cluster of processes that the tests start themselves."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install pyspark pyarrow")
pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyspark pyarrow")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java for Spark: apt-get install openjdk-17-jre-headless", allow_module_level=True)

import pyarrow as pa
from conftest import make_numbers
from pyspark import SparkConf
from pyspark.ml import Pipeline, PipelineModel, Predictor
from pyspark.ml.evaluation import BinaryClassificationEvaluator
from pyspark.ml.feature import VectorAssembler
from pyspark.ml.linalg import Vectors
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import fsa_select
from fsa_select import FSAClassifier, FSARegressor
from fsa_select._columns import Column, texts
from fsa_select._model import Variable
from fsa_select._service import program
from fsa_select.spark import SparkFSAClassifier, SparkFSARegressionModel, SparkFSARegressor, _models, _workers

# Spark writes to pipes and sockets that it leaves to the end of the process.
# Its session takes long to start.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::FutureWarning"),
]

ROWS, COLUMNS = 300, 12
NAMES = [f"v{j}" for j in range(COLUMNS)]


@pytest.fixture(scope="module")
def spark() -> Any:
    """Two executors, each a process of its own."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    session = (
        SparkSession.builder.master("local-cluster[2,1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.executor.memory", "512m")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.executorEnv.FSA_SELECT_PROGRAM", str(program()))
        .config("spark.executorEnv.PYTHONPATH", str(Path(fsa_select.__file__).parent.parent))
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    yield session
    session.stop()


def table() -> tuple[Any, Any]:
    X, y = make_numbers(ROWS, COLUMNS)
    X[::7, 4] = np.nan
    return X, y


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    """The table in partitions of different sizes, one of them empty, with a weight and classes."""
    X, y = table()
    rows = [(i, *map(float, X[i]), float(y[i]), float(1 + i % 2), float(y[i] > 0), float(np.digitize(y[i], [-2, 2]))) for i in range(ROWS)]
    made = spark.createDataFrame(rows, ["i", *NAMES, "label", "weight", "sick", "stage"])
    parts = [made.where("i < 70"), made.where("i >= 70 and i < 90"), made.where("i < 0"), made.where("i >= 90")]
    joined = parts[0]
    for part in parts[1:]:
        joined = joined.union(part.coalesce(1))
    return joined.cache()


def test_same_model_for_any_number_of_workers(frame: Any) -> None:
    models = [SparkFSARegressor(k=3, inputCols=NAMES, weightCol="weight", numWorkers=n).fit(frame) for n in (1, 2)]
    assert models[0].model.text == models[1].model.text
    X, y = table()
    alone = FSARegressor(k=3, batch=0).fit(X, y, sample_weight=1 + np.arange(ROWS) % 2)
    assert sorted(models[1].selected) == sorted(NAMES[j] for j in alone.selected_) == ["v1", "v4", "v7"]


def decided(model: Any, X: Any) -> Any:
    return model.decide(len(X), lambda v: Column(v.name, X[:, v.index]))


def test_regression_predicts(frame: Any) -> None:
    model = SparkFSARegressor(k=3, inputCols=NAMES, numWorkers=1).fit(frame)
    X, _ = table()
    far = frame.withColumn("v1", F.when(F.col("i") == 5, 1e6).otherwise(F.col("v1")))  # beyond training by far
    X[5, 1] = 1e6
    got = model.transform(far).orderBy("i").select("prediction").collect()
    assert np.array_equal([row[0] for row in got], decided(model.model, X)[:, 0])


def test_vectors_in_a_pipeline(frame: Any, tmp_path: Path) -> None:
    pipeline = Pipeline(
        stages=[VectorAssembler(inputCols=NAMES, outputCol="features", handleInvalid="keep"), SparkFSAClassifier(k=3, labelCol="sick", numWorkers=1)]
    )
    fitted = pipeline.fit(frame)
    told = fitted.transform(frame)
    assert BinaryClassificationEvaluator(labelCol="sick").evaluate(told) > 0.95
    fitted.save(str(tmp_path / "pipeline"))
    again = PipelineModel.load(str(tmp_path / "pipeline"))
    model = again.stages[-1]
    assert sorted(model.selected) == ["v1", "v4", "v7"]
    X, y = table()
    z = decided(model.model, X)
    rows = again.transform(frame).orderBy("i").select("prediction", "probability", "rawPrediction").collect()
    assert np.array_equal([row["prediction"] for row in rows], (z[:, 0] > 0).astype(float))
    np.testing.assert_allclose([row["probability"].toArray() for row in rows], model.model.probabilities(z), rtol=1e-14)
    assert np.array_equal([row["rawPrediction"][1] for row in rows], z[:, 0])
    alone = FSAClassifier(k=3).fit(X, y > 0)
    assert sorted(NAMES[j] for j in alone.selected_) == sorted(model.selected)


def test_several_classes_of_arrays(frame: Any) -> None:
    arrays = frame.select("i", "stage", F.array(*NAMES).alias("features"))
    model = SparkFSAClassifier(k=3, labelCol="stage", quick=True, numWorkers=1).fit(arrays)
    assert model.model.loss == "multinomial"
    X, _ = table()
    z = decided(model.model, X)
    assert (model.coefficientMatrix.numRows, model.numClasses) == (3, 3) and model.predict(list(X[1])) == float(z[1].argmax())
    with pytest.raises(ValueError, match="use coefficientMatrix"):
        model.coefficients  # noqa: B018
    rows = model.transform(arrays).orderBy("i").select("prediction", "probability").collect()
    assert np.array_equal([row["prediction"] for row in rows], z.argmax(axis=1).astype(float))
    np.testing.assert_allclose([row["probability"].toArray() for row in rows], model.model.probabilities(z), rtol=1e-12)


@pytest.fixture(scope="module")
def messy(frame: Any) -> Any:
    """A target that is a curve of one column and depends on the town, with labels of groups."""
    town = F.when(F.col("i") % 11 == 0, None).when(F.col("i") % 3 == 0, "Köln").when(F.col("i") % 3 == 1, "Ulm").otherwise("")
    bent = 3 * F.abs(F.col("v2")) + F.when(town == "Köln", 2.0).otherwise(0.0) + F.col("v5")
    return frame.select("i", *NAMES, town.alias("town"), bent.alias("label"), (F.col("i") / 3).cast("int").alias("patient")).cache()


def test_texts_curves_and_groups(messy: Any, tmp_path: Path) -> None:
    estimator = SparkFSARegressor(k=3, bins=4, inputCols=[*NAMES, "town"], groupCol="patient", folds=3, featureGroups=[["v0", "v5"]], iterations=60)
    models = [estimator.copy().setNumWorkers(n).fit(messy) for n in (1, 2)]
    assert models[0].model.text == models[1].model.text
    kinds = {v.name: v.kind for v in models[1].model.variables}
    assert kinds["v2"] == "curve" and kinds["town"] == "category" and {"v0", "v5"} < set(kinds)
    with pytest.raises(ValueError, match="no coefficients: .* has (a curve|an effect of each category)"):
        models[1].coefficients  # noqa: B018
    models[1].save(str(tmp_path / "model"))
    again = SparkFSARegressionModel.load(str(tmp_path / "model"))
    other = messy.withColumn("town", F.when(F.col("i") == 7, "Nowhere").otherwise(F.col("town"))).withColumn("v2", F.when(F.col("i") == 9, 1e6).when(F.col("i") == 10, None).otherwise(F.col("v2")))
    rows = again.transform(other).orderBy("i").collect()
    told = again.model.decide(ROWS, lambda v: texts(v.name, [row[v.name] for row in rows]) if v.levels else Column(v.name, np.array([row[v.name] for row in rows], float)))
    assert np.array_equal([row["prediction"] for row in rows], told[:, 0])
    assert np.corrcoef(told[:, 0], [row["label"] for row in rows])[0, 1] > 0.9


def test_even_curves_and_steps_predict(spark: Any) -> None:
    values = np.array([-9.0, -1.0, -0.4, 0.0, 0.3, 1.0, 8.0, np.nan])
    rows = spark.createDataFrame([(float(x),) for x in values], ["a"])
    for kind, even, count in (("curve", True, 4), ("steps", True, 3), ("curve", False, 4), ("curve", False, 2)):
        knots = None if even else np.linspace(-1, 1, count) ** 3
        coefficients = np.array([[0.3, -0.7, 1.1, 2.0][:count]])
        v = Variable(0, "a", kind, 1.0, coefficients, 0.0, 0.1, knots, -1.0, 1.0, even, np.array([5.0]) if even and kind == "curve" else None, None)
        got = [row[0] for row in rows.select(_models._part(v, F.col("a"), 0)).collect()]
        assert np.array_equal(got, v.response(values)), (kind, even)


def test_bad_rows_are_named(frame: Any) -> None:
    estimator = SparkFSARegressor(k=3, inputCols=NAMES, numWorkers=2)
    with pytest.raises(ValueError, match="response of a row is null"):
        estimator.fit(frame.withColumn("label", F.when(F.col("i") != 250, F.col("label"))))
    with pytest.raises(ValueError, match=r"worker \d of 2.*infinite"):
        estimator.fit(frame.withColumn("v3", F.when(F.col("i") != 250, F.col("v3")).otherwise(float("inf"))))
    with pytest.raises(ValueError, match="k = 13"):
        SparkFSARegressor(k=13, inputCols=NAMES, numWorkers=2).fit(frame)


def test_bad_columns_are_named(frame: Any) -> None:
    with pytest.raises(ValueError, match="no column 'features'"):
        SparkFSARegressor(k=3).fit(frame)
    with pytest.raises(ValueError, match="'day' is of the type date"):
        SparkFSARegressor(k=1, inputCols=["day"]).fit(frame.withColumn("day", F.current_date()))
    with pytest.raises(ValueError, match="more than 1000 different values"):
        SparkFSAClassifier(k=1, inputCols=NAMES).fit(frame.sparkSession.range(2000).select(F.col("id").alias("label"), *[F.lit(1.0).alias(n) for n in NAMES]))
    with pytest.raises(ValueError, match="no rows"):
        SparkFSARegressor(k=1, inputCols=NAMES, numWorkers=1).fit(frame.where("i < 0"))


def test_docs(frame: Any, capsys: Any) -> None:
    text = (Path(__file__).parents[2] / "docs" / "scale.md").read_text(encoding="utf-8")
    code = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    named = frame.select(F.col("v1").alias("a"), F.col("v2").alias("b"), F.col("v7").alias("c"), F.col("label").alias("y")).coalesce(1)
    assert len(code) == 1
    exec(code[0].replace("quick=True", "quick=True, numWorkers=1"), {"frame": named})
    assert capsys.readouterr().out == "['a', 'c']\n"


def test_too_few_slots(frame: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(_workers, "_PATIENCE", 0.0)
    with pytest.raises(ValueError, match=r"numWorkers = 50, but the executors that are there run \d+ tasks at a time"):
        SparkFSARegressor(k=3, inputCols=NAMES, numWorkers=50).fit(frame)


def test_dynamic_allocation() -> None:
    conf = SparkConf(loadDefaults=False).set("spark.dynamicAllocation.enabled", "true")
    with pytest.raises(ValueError, match=r"spark\.dynamicAllocation\.enabled is true.*set it to false"):
        _workers.check_session(SimpleNamespace(sparkContext=SimpleNamespace(getConf=lambda: conf)))


def test_small_tables_have_one_worker(frame: Any, monkeypatch: Any) -> None:
    session = frame.sparkSession
    assert _workers.count(session, None, 1000) == 1
    assert _workers.count(session, None, 1 << 62) == 2 == _workers.count(session, 2, 1000)
    assert _workers.size_of(frame.select("v1")) < 1 << 20


def test_like_other_predictors(frame: Any, tmp_path: Path) -> None:
    estimator = SparkFSARegressor().setK(3).setInputCols(NAMES).setWeightCol("weight").setFeaturesCol("features").setLabelCol("label").setPredictionCol("told")
    assert isinstance(estimator, Predictor) and estimator.getK() == 3
    model = estimator.fit(frame)
    X, _ = table()
    row = X[3]
    assert model.coefficients.size == COLUMNS == model.numFeatures
    assert [j for j in range(COLUMNS) if model.coefficients[j]] == [1, 4, 7] == sorted(map(int, model.featureImportances.indices))
    assert model.predict(Vectors.dense(row)) == pytest.approx(float(row @ model.coefficients.toArray()) + model.intercept)
    model.save(str(tmp_path / "model"))
    again = SparkFSARegressionModel.load(str(tmp_path / "model"))
    assert again.coefficients == model.coefficients and again.transform(frame).columns[-1] == "told"


def test_rows_must_be_alike() -> None:
    with pytest.raises(ValueError, match="2 features, and others have 3"):
        _workers._elements(pa.array([[1.0, 2.0, 3.0], [4.0, 5.0]]), 3)


def test_parameters_travel(tmp_path: Path, spark: Any) -> None:
    estimator = SparkFSARegressor(k=4, ridge=0.5, sizes=[1, 2], rule="min").setParams(folds=3, seed=7, bins=0, featureGroups=[["a", "b"]])
    estimator.save(str(tmp_path / "estimator"))
    again = SparkFSARegressor.load(str(tmp_path / "estimator"))
    assert again._options() == {"k": 4, "ridge": 0.5, "sizes": [1, 2], "choose": "min", "folds": 3, "seed": 7, "bins": 0, "groups": [["a", "b"]], "polish": False, "quick": False, "batch": 0}
