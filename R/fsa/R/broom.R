# Methods of the generics of package generics, which broom also has; NAMESPACE registers them when
# that package is loaded.

#' Tidy summaries
#'
#' `tidy()` returns the selected variables, `glance()` one row about the model, and
#' `augment()` the data with predictions. The generics are those of the package
#' `generics`, which `broom` and `tidymodels` use.
#'
#' @param x A model of [fsa()].
#' @param conf.int Whether to add the intervals `conf.low` and `conf.high` of a model
#'   that was fitted with the option `confidence` of [fsa_control()]; see [confint()][confint.fsa].
#'   There is then a row for each effect, whose estimate is corrected for the selection.
#' @param data,newdata Rows to predict.
#' @param ... Arguments of [predict()][predict.fsa] for `augment()`, such as
#'   `newoffset`.
#' @return A data frame.
#' @examplesIf fsa::fsa_available() && requireNamespace("generics", quietly = TRUE)
#' options(fsa.threads = 2)
#' fit <- fsa(mpg ~ ., mtcars, k = 3, bins = 0, quick = TRUE)
#' generics::tidy(fit)
#' generics::glance(fit)
#' head(generics::augment(fit, mtcars))
#' @name tidy.fsa
NULL

#' @rdname tidy.fsa
#' @exportS3Method generics::tidy
tidy.fsa <- function(x, conf.int = FALSE, ...) {
  if (a_switch(conf.int, "conf.int")) {
    if (is.null(x$confidence)) bad_input("conf.int: the model has no intervals: fit it with confidence = 0.9")
    of <- confidence_table(x)
    return(data.frame(term = of$effect, estimate = of$estimate, conf.low = of$low, conf.high = of$high))
  }
  of <- fsa_variables(x)
  data.frame(term = of$variable, estimate = of$coefficient, kind = of$kind, importance = of$importance, inclusion = of$inclusion)
}

#' @rdname tidy.fsa
#' @exportS3Method generics::glance
glance.fsa <- function(x, ...) {
  likelihood <- if (is.null(x$y)) NULL else tryCatch(logLik.fsa(x), fsa_error = function(e) NULL)
  validated <- unlist(x$validation$metrics)
  if (length(validated) > 0) names(validated) <- paste0("cv.", names(validated))
  to <- c(
    list(family = x$family, k = x$k, nobs = x$nobs, columns = x$columns), as.list(x$metrics), as.list(validated),
    if (!is.null(likelihood)) list(logLik = as.numeric(likelihood), AIC = stats::AIC(likelihood), BIC = stats::BIC(likelihood))
  )
  as.data.frame(to)
}

#' @rdname tidy.fsa
#' @exportS3Method generics::augment
augment.fsa <- function(x, data = NULL, newdata = NULL, ...) {
  if (is.null(data) && is.null(newdata)) bad_input("data: give the rows")
  to <- as.data.frame(if (is.null(newdata)) data else newdata)
  fitted <- predict(x, to, ...)
  if (is.matrix(fitted)) {
    to[paste0(".fitted.", colnames(fitted))] <- as.data.frame(fitted)
  } else {
    to$.fitted <- fitted
  }
  if (x$task == "classification") to$.class <- predict(x, to, type = "class", ...)
  if (x$task == "multilabel") {
    class <- predict(x, to, type = "class", ...)
    to[paste0(".class.", names(class))] <- class
  }
  for (name in if (x$task == "regression") intersect(target_names(x), names(to))) to[[paste0(".resid.", name)]] <- to[[name]] - fitted[, name]
  if (x$task == "regression" && !is.null(x$response$name) && x$response$name %in% names(to) && !is.matrix(fitted)) to$.resid <- to[[x$response$name]] - fitted
  to
}
