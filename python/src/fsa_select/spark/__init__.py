"""Select variables of a Spark DataFrame, whose rows stay on the machines that have them.

Estimators of ``pyspark.ml``: :class:`SparkFSARegressor` and :class:`SparkFSAClassifier`. A fit is one
barrier stage. Each of its tasks hands its rows to a process of the program ``fsa`` on its own
machine, as Arrow batches, and what these processes have to tell each other goes through the
``BarrierTaskContext``. The model is the same, to the last byte, whatever the number of tasks.

Spark answers a ``BarrierTaskContext`` once a second, and a step of the descent asks it twice. So this
is for tables that no single machine holds, of which a step takes seconds anyway.

It needs pyspark 3.5 or newer with pyarrow, and this package on all machines.
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
