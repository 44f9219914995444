# The sentence about what was selected.
headline <- function(x) {
  n <- length(unique(vapply(x$variables, `[[`, "", "name")))
  pairs <- length(x$interactions)
  paste0(n, " of ", x$columns, " variables", if (pairs > 0) paste0(" and ", pairs, " interaction", if (pairs > 1) "s"), " selected from ", x$nobs, " rows", if (is.matrix(x$y)) paste(" with", sum(x$y[, "event"]), "events"), " (", x$family, ", loss ", x$loss, if (!is.null(x$quantiles)) paste0(" of ", paste(output_names(x), collapse = ", ")), ")")
}

measures <- function(of) {
  of <- unlist(of)
  of <- of[utils::head(order(match(names(of), c("r2", "rmse", "mae", "auc", "error", "ndcg", "concordance"), 99), names(of)), 3)]
  paste(names(of), format(of, digits = 4, trim = TRUE), collapse = ", ")
}

print_call <- function(x) {
  if (!is.null(x$call)) cat("Call: ", paste(deparse(x$call, width.cutoff = 80), collapse = "\n  "), "\n\n", sep = "")
}

#' @export
print.fsa <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_call(x)
  cat(headline(x), "\n", sep = "")
  print_verdicts(x)
  cat("\n")
  print_variables(x, digits)
  invisible(x)
}

# A line about the false discovery rate, and one about the reference, if there are any.
print_verdicts <- function(x) {
  d <- x$discoveries
  if (!is.null(d)) {
    cat("false discovery rate ", format(d$rate, digits = 3), ": ", if (x$k == 0) {
      "nothing can be told from noise; more rows or a higher rate may help"
    } else {
      sprintf("at most %.1f of the %d selected are expected to be irrelevant", d$rate * x$k, as.integer(x$k))
    }, "\n", sep = "")
  }
  r <- x$validation$reference
  if (!is.null(r)) {
    brief <- function(number) format(number, digits = 3)
    cat(
      "against ", if (r$name == "additive") "an additive model" else paste("a", r$name), " of all ", r$columns, " columns: ", r$loss, " loss ", brief(r$own), " instead of ", brief(r$mean), ", ",
      if (r$low > 0) "worse by " else if (r$high < 0) "better by " else "no clear difference: ", brief(if (r$high < 0) -r$difference else r$difference),
      " (95%: ", brief(if (r$high < 0) -r$high else r$low), " to ", brief(if (r$high < 0) -r$low else r$high), ")\n", sep = ""
    )
  }
}

# How much the model needs a variable whose rivals were measured.
need <- function(tie) {
  equal <- Filter(function(rival) isTRUE(rival$instead$equal), tie$rivals)
  if (isTRUE(tie$without$equal)) " is marginal" else if (length(equal) == 0) " is indispensable" else paste0(" is interchangeable with ", paste(vapply(equal, `[[`, "", "name"), collapse = ", "))
}

print_variables <- function(x, digits, most = 20) {
  table <- fsa_variables(x)
  if (all(is.na(table$coefficient))) table$coefficient <- NULL
  if (all(is.na(table$inclusion))) table$inclusion <- NULL
  if (nrow(table) > 0) print(utils::head(table, most), digits = digits, row.names = FALSE)
  if (nrow(table) > most) cat("and", nrow(table) - most, "more\n")
}

#' Summaries
#'
#' @param object,x A model of [fsa()] or [fsa_read()], or its summary.
#' @param digits Number of digits.
#' @param ... Not used.
#' @return A list of class `summary.fsa`: the selected `variables`, the measures on
#'   the training rows (`training`) and out of fold (`validation`), the `sizes` that
#'   were compared, and the `decisions` about the fit with their reasons.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' summary(fsa(mpg ~ ., mtcars, k = 3))
#' @export
summary.fsa <- function(object, ...) {
  v <- object$validation
  structure(class = "summary.fsa", list(
    fit = object, variables = fsa_variables(object), training = object$metrics, validation = unlist(v$metrics), folds = v$folds,
    sizes = sizes(object), ties = v$ties, stability = object$stability,
    decisions = if (!is.null(object$decisions)) {
      text <- function(name) vapply(object$decisions, function(d) if (is.null(d[[name]])) "" else paste(unlist(d[[name]]), collapse = ", "), "")
      data.frame(stats::setNames(lapply(names(object$decisions[[1]]), text), names(object$decisions[[1]])))
    }
  ))
}

# The sizes that cross-validation compared.
sizes <- function(object) {
  points <- object$validation$points
  if (is.null(points)) return(NULL)
  get <- function(name) vapply(points, function(p) if (is.null(p[[name]])) NA_real_ else as.numeric(p[[name]]), 0)
  data.frame(size = get("size"), mean = get("mean"), se = get("se"))
}

#' @rdname summary.fsa
#' @export
print.summary.fsa <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_call(x$fit)
  cat(headline(x$fit), "\n", sep = "")
  if (!is.null(x$fit$shift)) cat("with an ", x$fit$shift$word, "\n", sep = "")
  if (length(x$fit$classes) > 0) cat("classes: ", paste(x$fit$classes, collapse = ", "), "\n", sep = "")
  if (length(x$validation) > 0) cat("cross-validated in ", x$folds, " folds: ", measures(x$validation), "\n", sep = "")
  if (length(x$training) > 0) cat("on the training rows: ", measures(x$training), "\n", sep = "")
  if (!is.null(x$stability$verdict)) cat("stability on half samples: ", format(x$stability$index, digits = 2), " (", x$stability$verdict, ")\n", sep = "")
  print_verdicts(x$fit)
  cat("\n")
  print_variables(x$fit, digits)
  measured <- length(x$ties) > 0 && !is.null(x$ties[[1]]$without)
  for (tie in utils::head(x$ties, if (measured) 20 else 3)) {
    if (measured) {
      cat("\n", tie$name, need(tie), sep = "")
      next
    }
    cat("\n", tie$name, " is selected by ", round(100 * tie$share), "% of the folds", sep = "")
    if (length(tie$rivals) > 0) cat("; ", tie$rivals[[1]]$name, " could stand in for it", sep = "")
  }
  if (length(x$ties) > 0) cat("\n")
  invisible(x)
}

#' @export
residuals.fsa <- function(object, type = c("response", "deviance"), ...) {
  type <- match.arg(type)
  if (is.null(object$y)) bad_input("object: the model does not know its training rows")
  w <- if (is.null(object$weights)) rep(1, length(object$y)) else object$weights
  if (object$task == "regression") {
    r <- object$y - object$fitted.values
    return(if (type == "response") r else r * sqrt(w))
  }
  if (object$task != "classification" || !object$probabilities) bad_input("type: a model of the loss ", object$loss, " has no residuals")
  p <- probability_of(object)
  if (type == "deviance") {
    sign <- if (object$outputs == 1) ifelse(positive(object), 1, -1) else 1
    return(sign * sqrt(-2 * w * log(p)))
  }
  if (object$outputs > 1) {
    classes <- colnames(object$fitted.values)
    return(outer(as.character(object$y), classes, "==") - object$fitted.values)
  }
  positive(object) - object$fitted.values
}

# Whether the response is the second of two classes.
positive <- function(object) as.character(as_classes(object$classes[2], object$response)) == as.character(object$y)

# The fitted probability of the class of each row.
probability_of <- function(object) {
  p <- object$fitted.values
  if (object$outputs == 1) return(ifelse(positive(object), p, 1 - p))
  # Names of numbers are those of the model.
  names <- as.character(as_classes(object$classes, object$response))
  p[cbind(seq_along(object$y), match(object$classes[match(as.character(object$y), names)], colnames(p)))]
}

#' Log likelihood
#'
#' For models whose loss is a likelihood: `gaussian`, `binomial` with the logistic
#' loss, and `multinomial`. The degrees of freedom count coefficients, not the
#' search among variables, so that `AIC()` and `BIC()` compare models of given
#' variables, and flatter those that were selected from many. Cross-validation,
#' which [cv.fsa()] does, does not.
#'
#' @param object A model of [fsa()].
#' @param ... Not used.
#' @return An object of class `logLik`.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' AIC(fsa(mpg ~ ., mtcars, k = 3, bins = 0, quick = TRUE))
#' @export
logLik.fsa <- function(object, ...) {
  if (is.null(object$y)) bad_input("object: the model does not know its training rows")
  n <- length(object$y)
  w <- if (is.null(object$weights)) rep(1, n) else object$weights
  df <- length(object$intercept) - (object$loss == "multinomial") + sum(vapply(object$variables, function(v) {
    own <- length(v$coefficients) + length(v$missing)
    if (v$kind != "linear") own <- own - nrow(v$coefficients) # they sum to zero
    if (object$loss == "multinomial") own <- own * (object$outputs - 1) / object$outputs
    own
  }, 0)) + sum(vapply(object$interactions, function(p) sum(p$coefficients != 0), 0))
  value <- switch(object$loss,
    squared = {
      df <- df + 1 # the variance
      used <- w > 0
      r <- (object$y - object$fitted.values)[used]
      w <- w[used]
      n <- length(r)
      0.5 * (sum(log(w)) - n * (log(2 * pi) + 1 - log(n) + log(sum(w * r^2)))) # as stats::logLik.lm
    },
    logistic = ,
    multinomial = sum(w * log(probability_of(object))),
    fail("fsa_error", "the loss ", object$loss, " is not a likelihood")
  )
  structure(value, df = df, nobs = n, class = "logLik")
}

#' @export
nobs.fsa <- function(object, ...) object$nobs

#' @export
formula.fsa <- function(x, ...) {
  if (is.null(x$formula)) bad_input("object: it was not fitted by a formula")
  if (is.null(x$candidates)) return(x$formula)
  # update() cannot replace the dot without the data.
  offsets <- lapply(without_offsets(x$formula[[3]])$offsets, function(of) call("offset", of))
  side <- Reduce(function(a, b) call("+", a, b), c(lapply(x$candidates, as.name), offsets))
  stats::as.formula(call("~", x$formula[[2]], side), environment(x$formula))
}
