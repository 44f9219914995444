"""Converters of skl2onnx: to import this module registers them.

.. code-block:: python

    import fsa_select.onnx
    from skl2onnx import to_onnx

    graph = to_onnx(pipeline, X[:1])

``pipeline`` may have any estimator of this package as a step. It takes one input of numbers with
all features, or an input of one column for each feature, some of which may be texts. The
probabilities of a classifier are decision values if its loss gives none, or with the option
``raw_scores``; of two classes, the first has the decision value with the opposite sign. With float64
inputs a classifier needs the option ``zipmap=False``, since ONNX has no dictionaries of these.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import onnx
from skl2onnx import update_registered_converter
from skl2onnx.common.data_types import DoubleTensorType, FloatTensorType, Int64TensorType, StringTensorType
from sklearn.base import is_classifier

from ._classifier import FSAClassifier
from ._ranker import FSARanker
from ._regressor import FSARegressor
from ._selector import FSASelector
from ._survival import FSASurvival

_OPERATORS = 13  # the version of those that are added here

_DOUBLE, _FLOAT, _STRING = onnx.TensorProto.DOUBLE, onnx.TensorProto.FLOAT, onnx.TensorProto.STRING


def _set_shapes(operator: Any) -> None:
    """The types and shapes of the outputs of an estimator."""
    model, rows = operator.raw_operator, operator.inputs[0].get_first_dimension()
    numbers = DoubleTensorType if _is_double(operator) else FloatTensorType
    if is_classifier(model) and model.model_.targets:
        raise ValueError(f"{type(model).__name__}: it predicts {len(model.model_.targets)} labels, which a step of a pipeline cannot express: export('onnx') writes them")
    if is_classifier(model):
        numbered = operator.scope_inst.get_options(model, {"nocl": False})["nocl"]
        labels = StringTensorType if model.classes_.dtype.kind in "OSUT" and not numbered else Int64TensorType
        operator.outputs[0].set_type(labels([rows]))
        operator.outputs[1].set_type(numbers([rows, len(model.classes_)]))
    elif isinstance(model, FSASelector):
        kinds = {type(source.type) for source in operator.inputs}
        if len(kinds) > 1:
            raise ValueError("FSASelector: the inputs are of several types, and its output is of one: convert its model, or give inputs of one type")
        operator.outputs[0].set_type(kinds.pop()([rows, len(model.selected_)]))
    else:
        operator.outputs[0].set_type(numbers([rows, model.model_.outputs]))


def _is_double(operator: Any) -> bool:
    return any(isinstance(source.type, DoubleTensorType) for source in operator.inputs)


class _Writer:
    """Adds the operators of one estimator to a graph of skl2onnx."""

    def __init__(self, scope: Any, operator: Any, container: Any) -> None:
        self._scope, self._operator, self._container = scope, operator, container
        self.model = operator.raw_operator
        self.numbers = _DOUBLE if _is_double(operator) else _FLOAT

    def add(self, op: str, inputs: Iterable[str], output: str | None = None, domain: str = "", version: int = _OPERATORS, **attributes: Any) -> str:
        """Add an operator and return the name of its result."""
        output = self._name() if output is None else output
        name = self._scope.get_unique_operator_name(op)
        self._container.add_node(op, list(inputs), [output], op_domain=domain, op_version=version, name=name, **attributes)
        return output

    def constant(self, values: Any, kind: int) -> str:
        """Add a constant and return its name."""
        name = self._name()
        self._container.add_initializer(name, kind, list(np.shape(values)), np.ravel(values).tolist())
        return name

    def _name(self) -> str:
        return str(self._scope.get_unique_variable_name("fsa"))

    def features(self) -> list[tuple[str, Any]]:
        """The inputs of an estimator that has one of each feature, in the order of training."""
        sources = {source.raw_name: source for source in self._operator.inputs}
        names = getattr(self.model, "feature_names_in_", None)
        if names is None:
            names = list(sources)
        lacking = [name for name in names if name not in sources]
        if lacking or len(sources) != self.model.n_features_in_:
            raise ValueError(
                f"{type(self.model).__name__} has {self.model.n_features_in_} features, and there are {len(sources)} inputs: "
                + (f"{lacking[0]!r} is missing" if lacking else "give one for each feature, or one with all of them")
            )
        return [(str(name), sources[name]) for name in names]

    def exported(self) -> tuple[Any, list[str]]:
        """The exported model, and what goes into each of its inputs."""
        sources = self._operator.inputs
        if len(sources) == 1 and not isinstance(sources[0].type, StringTensorType):
            return onnx.load_from_string(self.model.export("onnx", matrix=True)), [self.add("Cast", [sources[0].full_name], to=_DOUBLE)]
        model = onnx.load_from_string(self.model.export("onnx"))
        features, feeds = dict(self.features()), []
        for port in model.graph.input:
            if port.name not in features:
                raise ValueError(f"the model needs {port.name!r}, which no input holds: dates and times have to be made numbers before they are learned from")
            feed = features[port.name].full_name
            feeds.append(feed if port.type.tensor_type.elem_type == _STRING else self.add("Cast", [feed], to=_DOUBLE))
        return model, feeds

    def graft(self, model: Any, feeds: list[str], wanted: list[str]) -> list[str]:
        """Add what some values of a model need, and return the names of these values here."""
        graph, versions = model.graph, {operators.domain: operators.version for operators in model.opset_import}
        needed, nodes = set(wanted), []
        for node in reversed(graph.node):
            if needed.intersection(node.output):
                needed.update(node.input)
                nodes.append(node)
        here = {port.name: feed for port, feed in zip(graph.input, feeds, strict=True)}
        for tensor in graph.initializer:
            if tensor.name in needed:
                here[tensor.name] = self.constant(onnx.numpy_helper.to_array(tensor), tensor.data_type)
        for node in reversed(nodes):
            attributes = {attribute.name: onnx.helper.get_attribute_value(attribute) for attribute in node.attribute}
            here[node.output[0]] = self.add(node.op_type, [here[name] for name in node.input], None, node.domain, versions[node.domain], **attributes)
        return [here[name] for name in wanted]

    def finish(self, value: str, at: int, kind: int | None = None) -> None:
        """Make a value an output of the estimator."""
        name = self._operator.outputs[at].full_name
        if kind is None:
            self.add("Identity", [value], name)
        else:
            self.add("Cast", [value], name, to=kind)


def _convert(scope: Any, operator: Any, container: Any) -> None:
    """Add an estimator that predicts."""
    w = _Writer(scope, operator, container)
    model, feeds = w.exported()
    outputs = [port.name for port in model.graph.output]
    if not is_classifier(w.model):
        (value,) = w.graft(model, feeds, outputs)
        w.finish(value, 0, w.numbers)
        return
    options = container.get_options(w.model, {"raw_scores": False, "nocl": False})
    raw = options["raw_scores"] or not w.model.model_.has_probabilities
    label = outputs[0]
    if options["nocl"]:  # what chooses among the classes
        label = next(node.input[1] for node in model.graph.node if label in node.output)
    label, value = w.graft(model, feeds, [label, outputs[1 if raw else 2]])
    w.finish(label, 0)
    if len(w.model.classes_) == 2 and w.model.model_.outputs == 1:
        first = w.add("Neg", [value]) if raw else w.add("Sub", [w.constant([1.0], _DOUBLE), value])
        value = w.add("Concat", [first, value], axis=1)
    w.finish(value, 1, w.numbers)


def _convert_selector(scope: Any, operator: Any, container: Any) -> None:
    """Add the selection of columns."""
    w = _Writer(scope, operator, container)
    chosen = np.flatnonzero(w.model.support_)
    if len(operator.inputs) == 1:
        value = w.add("Gather", [operator.inputs[0].full_name, w.constant(chosen, onnx.TensorProto.INT64)], axis=1)
    else:
        features = w.features()
        value = w.add("Concat", [features[j][1].full_name for j in chosen], axis=1)
    w.finish(value, 0)


def _register() -> None:
    scores = {"zipmap": [True, False, "columns"], "output_class_labels": [False, True], "raw_scores": [True, False], "nocl": [True, False]}
    for estimator in (FSAClassifier, FSARanker, FSARegressor, FSASelector, FSASurvival):
        convert = _convert_selector if estimator is FSASelector else _convert
        options = scores if is_classifier(estimator()) else None
        update_registered_converter(estimator, f"FsaSelect{estimator.__name__}", _set_shapes, convert, options=options)


_register()
