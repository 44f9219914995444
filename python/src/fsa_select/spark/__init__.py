"""Select variables of a Spark DataFrame, whose rows stay on the machines that have them.

Estimators of ``pyspark.ml``: :class:`SparkFSARegressor` and :class:`SparkFSAClassifier`. A fit is one
barrier stage. Each of its tasks hands its rows to a process of the program ``fsa`` on its own
machine, as Arrow batches. The tasks tell each other the addresses of these processes, once; then the
processes communicate over connections of their own. The model is the same, to the last byte,
whatever the number of tasks.

It needs pyspark 3.5 or newer with pyarrow, and this package on all machines, which must be able to
connect with each other.
"""

try:
    import pyspark  # noqa: F401
except ImportError as error:
    raise ImportError("fsa_select.spark needs pyspark and pyarrow: pip install 'fsa-select[spark]'") from error

from ._estimators import SparkFSAClassifier, SparkFSARegressor
from ._models import SparkFSAClassificationModel, SparkFSARegressionModel

__all__ = [
    "SparkFSAClassificationModel",
    "SparkFSAClassifier",
    "SparkFSARegressionModel",
    "SparkFSARegressor",
]
