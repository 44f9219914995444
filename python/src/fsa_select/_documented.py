"""The docstrings that estimators share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

PARAMETERS = """k : int or "auto", default="auto"
        How many variables to select; with ``feature_groups``, how many groups. "auto" lets
        cross-validation choose, as the command does; it takes several times as long as a number.
    sizes : sequence of int or None, default=None
        Numbers of variables that "auto" compares. None means all up to 100, more if the error still
        falls there, or fewer if there are few samples.
    rule : str or None, default=None
        How "auto" chooses a size. "min" takes the size with the lowest error. "paired" takes the
        smallest size whose error is not significantly higher (paired t test over folds) and that
        keeps 99% of the gain over the null model. "one-se" takes the smallest size within one
        standard error of the lowest. "aic", "bic", "ebic" and "gic" are information criteria, which
        need no folds. None means "paired", or "ebic" without cross-validation.
    cv : int, splitter, iterable of splits, or None, default=None
        Folds of the cross-validation: their number, or a splitter or splits of the samples. The
        test sets must be a partition of the samples. None means 10 folds if k is "auto"; otherwise
        5, or 3 with 1000 samples or more. There are never more folds than different samples.
{fdr}    rivals : bool, default=False
        Whether folds measure what the model loses without each feature, and with others in its place.
    repeats : int or None, default=None
        How often samples are divided into folds.
    ordered : bool, default=False
        Whether samples are ordered by time: folds then train on earlier samples only.
    scoring : str or None, default=None
        Metric that is compared out of fold instead of the loss: the name of a metric of the program,
        such as "auc", "error" or "rmse".
    nested : bool, default=False
        Cross-validate the whole procedure, including its choices: ``model_.tests`` has the metrics.
        The time is multiplied by the number of folds.
    {reference}loss : str, default="auto"
        {losses}
    bins : int or "auto", default="auto"
        Bins of the curve of each variable; 0 for straight lines. "auto" compares lines and
        curves by cross-validation if that is cheap. A model with curves has no ``coef_``.
    alpha : float or None, default=None
        Strength λ of the ridge penalty λ‖β‖² on the mean loss; 0 means none; None chooses it from
        the data.
    interactions : "auto", bool or int, default="auto"
        Also select pairs of features, as products of standardised numbers or as a line for each
        category: True for any number of significant pairs, or the largest number. "auto" lets
        cross-validation decide if k is "auto" and features are few. A pair counts as one of k. ``model_.interactions`` lists them, and such a model has no ``coef_``.
    heredity : {{"strong", "weak", "none"}} or None, default=None
        Which features of a pair must be selected with it: both, at least one, or none. None means
        "strong".
    interaction_cst : {{"pairwise", "no_interactions"}}, sequence of sequences of str or int, or None, default=None
        Which features may be in a pair. Sequences are sets of features by name or position: both features of a pair must be in
        one of them, and a feature that is in none is in no pair. "no_interactions" is ``interactions=False``;
        "pairwise" and None allow all pairs.
    polish : bool, default=False
        Let dropped variables compete again while the loss falls: slower, and better if variables
        are weak.
    quick : bool, default=False
        Do not cross-validate: fastest. With k "auto", an information criterion then chooses the
        size, unless ``cv`` is given.
    force : sequence of str or int, or None, default=None
        Features that are always selected, by name or position. They are included in k.
    use : sequence of str or int, or None, default=None
        Features to keep even if they look like identifiers, such as unique texts or row numbers
        called ``id``. Other identifiers are left out with a warning.
    categorical_features : sequence of str or int, or None, default=None
        Numeric features that are categories, such as codes, by name or position.
    feature_groups : sequence of sequences, or None, default=None
        Groups of features that are selected together, by name or position.
    {more}max_iter : int or None, default=None
        Epochs.
    mu : float or None, default=None
        Speed of the schedule: larger is faster and greedier.
    eta : float or None, default=None
        Step size of gradient descent.
    batch : int or None, default=None
        Number of rows of a minibatch; 0 for all rows.
    momentum : float or None, default=None
        Momentum of gradient descent; 0 for none.
    warm_up : int, default=0
        Epochs before the first variable is dropped.
    tol : float or None, default=None
        Stop once k variables are left and no coefficient changes by more than this share of the
        largest; 0 to never stop early.
    scale : {{"auto", "column", "common", "root", "none"}}, default="auto"
        How numbers are scaled.
    spacing : {{"auto", "even"}}, default="auto"
        Spacing of the bins of curves.
    storage : {{"float32", "bfloat16", "int8"}}, default="float32"
        Type in which the numbers of a dense table are stored during training.
    extrapolate : {{"clip", "line"}}, default="clip"
        How predictions extrapolate a line beyond the training range of its feature: by the width of
        that range, or without limit.
    priors : dict or None, default=None
        Strengths of priors on curves, by name.
    monotonic_cst : array-like of int, dict or None, default=None
        1 for a feature with which predictions never fall, -1 for one with which they never rise,
        and 0 for any effect: a number for each feature, or a dict by name or position. Categories of
        texts need an order: that of an ordered category of pandas or Arrow, or of an Enum of polars.
    positive : bool or sequence of str or int, default=False
        Whether no coefficient may be below 0, or the features of which this is true. For straight
        lines.
    constraints : dict or None, default=None
        More constraints, by name or position of the feature: "nonnegative", "nonpositive",
        "increasing", "decreasing", "convex" or "concave", a tuple of the lower and upper bound of
        the coefficient of which one may be None, a tuple of "increasing" or "decreasing" and the
        categories of a text from the lowest to the highest, or a list of them.
    costs : array-like of float, dict or None, default=None
        Prices of all features: a number for each, or a dict by name or position, in which a tuple of
        a price and the name of a panel is for features that are paid together. ``budget`` then
        replaces ``k``.
    budget : float, list of float or None, default=None
        What the selected features may cost. Of a list, cross-validation chooses the smallest amount
        that is not worse, and of amounts up to the price of all if it is None.
    quotas : dict or None, default=None
        The largest number of some features, by a name or by a pattern of names such as "sensor*", or a
        tuple of the smallest number and the largest one, which may be None.
{start}    stability : int, default=0
        Number of pairs of half samples on which the selection is repeated, to measure its stability.
    confidence : float or None, default=None
        Level, such as 0.9, of confidence intervals of the effects of the selected features, which
        account for the selection. It repeats the selection on ``stability`` pairs of half samples, or 25.
    memory : int, str or None, default=None
        How much memory a fit may use, such as ``"8GiB"``: a file, or a memory-mapped
        array, may be larger.
    max_time : float or None, default=None
        Seconds after which a fit ends with the strongest variables left, fitted to convergence, and a
        ``ConvergenceWarning``. If no size has been chosen by then, it raises ``TimeoutError``.
    run_folder : str, path-like or None, default=None
        Folder into which ``fit`` writes what ``fsa fit --out`` writes: the model, its record and what
        ``report`` shows, including out-of-fold predictions and single samples. ``fsa show``, ``report``
        and ``runs`` read it. The next fit replaces it, so leave it None where clones are fitted, as in a
        grid search.
    resume : str, path-like or None, default=None
        File of a checkpoint. A fit that is interrupted or runs out of time writes it. The next fit
        with the same parameters and samples continues from it and gives the same model. A complete
        fit removes it.
    warm_start : bool, default=False
        Whether ``fit`` continues a fit of this estimator that was interrupted or ran out of
        ``max_time``, if parameters and samples are the same. The result is the same model as
        without interruption. Otherwise, and after a complete fit, ``fit`` starts from the
        beginning.
    device : {{"cpu", "cuda", "auto"}}, default="cpu"
        What trains: "cuda" all GPUs of the machine, "auto" these where the table is large. Tables
        are read by the CPU. An array on a GPU is used there, too, and the CPU has a copy. Another
        device may select other variables where it is a close call.
    device_memory : int, str or None, default=None
        How much memory of each GPU a fit may use, such as ``"8GiB"``; None for what is free.
    random_state : int, RandomState or None, default=None
        Seed of the random order of rows, where there is one. None means 0: a fit can be
        repeated.
    n_jobs : int or None, default=None
        Threads. None means 1, or what a context of joblib says, and -1 means one for each
        core. What is learned does not depend on it.
    callbacks : callable, sequence of callables, or None, default=None
        Called with an :class:`Epoch` after each epoch, in the thread that fits. Those of
        scikit-learn 1.9 are for ``set_callbacks``; none of them can end a fit but by raising.
    progress : callable or None, default=None
        Called with a :class:`Stage` as the work goes on: the stage that the fit is in, such as
        cross-validation, and the share of all work that is done. It runs in the thread that fits.
    verbose : int, default=0
        Whether to show a progress bar (that of tqdm, where it is installed)."""

FDR = """    fdr : float or None, default=None
        False discovery rate, such as 0.1, by which "auto" chooses: half samples confirm features, and
        at most this share of them is expected to be irrelevant. It leaves out cross-validation.
"""

ATTRIBUTES = """model_ : Model
        The model itself, as ``fsa`` writes it.
    validation_ : dict or None
        What cross-validation said, where it chose something.
    k_ : int
        How many variables were selected; with ``feature_groups``, how many groups.
    {reference}cv_results_ : dict of ndarray
        With an open k that was cross-validated: the sizes ``k``, and for each the ``mean_loss``
        out of fold and its ``std_error``.
    best_k_ : int
        The size with the lowest error; likewise.
    null_loss_ : float
        The error without any variable; likewise.
    support_ : ndarray of bool of shape (n_features_in_,)
        Which features were selected, by themselves or in an interaction.
    selected_ : ndarray of int
        Their positions, the strongest first, and then those that are in interactions only.
    ranking_ : ndarray of int of shape (n_features_in_,)
        1 for selected features; the larger, the sooner a feature was dropped.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Standard deviation of what each feature adds to the decision value, or of what its strongest
        interaction adds if that is more.
    path_ : Path
        How coefficients and loss changed during training. Pickles and copies do not have it.
    plan_ : list of dict
        What was decided about the fit, and why.
    discoveries_ : dict
        How features were selected, with ``fdr``: the rate, the number of half samples and of their
        candidates, and the share of the half samples that confirmed each feature.
    rivals_ : list of dict
        What the model loses out of fold ``without`` each selected feature (``name``), and with others
        ``instead``, with ``rivals``. Its ``verdict`` is "indispensable", "interchangeable" (with those
        in ``equals``) or "marginal".
    stability_ : Stability
        How far selections on half samples agree, with ``stability`` > 0.
    intervals_ : list of dict
        The effect of each selected feature (``name``), corrected for the selection, with ``confidence``:
        lists of its ``estimate``, ``low`` and ``high``, one number for each coefficient. They are None
        if no half sample selected it.
    n_iter_ : int
        Epochs that were done.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Their names, if X had some."""

START = """    offset_model : Model, str, path-like or None, default=None
        A model from which the fit starts, such as ``first.model_`` of a fitted estimator, or the path of
        a model. Its decision values are offsets, and the new model contains it and predicts with it.
"""

_T = TypeVar("_T", bound=type)


REFERENCE = """reference : {"ridge", "additive"}, estimator or None, default=None
        A model of all features that is fitted on the same folds, to measure what few features cost:
        ``reference_`` has the difference of the out-of-fold losses. "ridge" is a ridge regression and
        "additive" a model of curves. A regressor or classifier of scikit-learn is compared by the
        squared, logistic or multinomial loss.
    """

REFERENCE_ATTRIBUTE = """reference_ : dict
        With a ``reference``: its ``name``, the ``loss``, its ``mean`` out of fold and that of this model
        (``own``), their ``difference``, what few features cost, with a 95% interval from ``low`` to ``high``,
        and the number of independent ``units`` that were compared.
    """


def documented(losses: str, more: str = "", *, compared: bool = True, fdr: bool = True, start: bool = True) -> Callable[[_T], _T]:
    """Fill in the common documentation of estimators, which may be compared with a reference."""

    def fill(cls: _T) -> _T:
        doc = cls.__doc__ or ""
        doc = doc.replace("%PARAMETERS%", PARAMETERS.format(losses=losses, more=more, reference=REFERENCE if compared else "", fdr=FDR if fdr else "", start=START if start else ""))
        cls.__doc__ = doc.replace("%ATTRIBUTES%", ATTRIBUTES.format(reference=REFERENCE_ATTRIBUTE if compared else ""))
        return cls

    return fill
