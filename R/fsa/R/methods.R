# The sentence about what was selected.
headline <- function(x) {
  n <- length(unique(vapply(x$variables, `[[`, "", "name")))
  pairs <- length(x$interactions)
  paste0(n, " of ", x$columns, " variables", if (pairs > 0) paste0(" and ", pairs, " interaction", if (pairs > 1) "s"), " selected from ", x$nobs, " rows", if (x$task == "survival" && !is.null(x$y)) paste(" with", sum(x$y[, "event"]), "events"), " (", x$family, ", loss ", x$loss, if (!is.null(x$quantiles)) paste0(" of ", paste(output_names(x), collapse = ", ")), ")", if (!is.null(x$targets)) paste0(" for the targets ", paste(output_names(x), collapse = ", ")))
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

# A line about the offset model, the costs, the false discovery rate and the reference, if there are any.
print_verdicts <- function(x) {
  if (!is.null(x$start)) cat("beside an offset model of ", length(unique(vapply(x$start$variables, `[[`, "", "name"))), " variables\n", sep = "")
  if (!is.null(x$costs)) {
    paid <- vapply(x$costs$paid, function(of) paste0(if (isTRUE(of$panel)) "panel ", of$name, " ", format(of$price, digits = 10)), "")
    cat("costs ", format(x$costs$spent, digits = 10), " of a budget of ", format(x$costs$budget, digits = 10), ": ", paste(paid, collapse = ", "), "\n", sep = "")
  }
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
#'   were compared, the `intervals` of effects and the sets of variables that are
#'   `near` the selected one, if they were asked for, and the `decisions` about the fit
#'   with their reasons.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' summary(fsa(mpg ~ ., mtcars, k = 3))
#' @export
summary.fsa <- function(object, ...) {
  v <- object$validation
  structure(class = "summary.fsa", list(
    fit = object, variables = fsa_variables(object), training = object$metrics, validation = unlist(v$metrics), folds = v$folds,
    sizes = sizes(object), intervals = if (!is.null(object$confidence)) confidence_table(object), ties = v$ties, near = v$near, stability = object$stability,
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
  to <- data.frame(size = get("size"), mean = get("mean"), se = get("se"))
  if (!is.null(object$validation$budgets)) to$budget <- object$validation$budgets
  to
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
  for (test in x$fit$tests) cat("cross-validated as a whole procedure: ", measures(test$metrics), "\n", sep = "")
  print_verdicts(x$fit)
  cat("\n")
  print_variables(x$fit, digits)
  if (!is.null(x$intervals)) {
    cat("\neffects with ", format(100 * x$fit$confidence$level, digits = 4), "% intervals after selection\n", sep = "")
    print(utils::head(x$intervals, 20), digits = digits, row.names = FALSE)
  }
  measured <- length(x$ties) > 0 && !is.null(x$ties[[1]]$without)
  for (tie in utils::head(x$ties, if (measured) 20 else 3)) {
    if (measured) {
      cat("\n", tie$name, need(tie), sep = "")
      next
    }
    cat("\n", tie$name, " is selected by ", round(100 * tie$share), "% of the folds", sep = "")
    if (length(tie$rivals) > 0) cat("; ", tie$rivals[[1]]$name, " could stand in for it", sep = "")
    else if (!is.null(tie$others)) cat("; other folds have ", if (length(tie$others) > 0) tie$others[[1]] else "nothing", " instead", sep = "")
  }
  if (length(x$ties) > 0) cat("\n")
  print_near(x$near)
  invisible(x)
}

# The sets of as many variables that are nearly as good as the selected one.
print_near <- function(near) {
  if (is.null(near)) return()
  within <- paste0("of as many variables ", if (near$found == 1) "has" else "have", " a training loss within ", format(100 * near$margin, digits = 3), "% of the lowest\n")
  if (near$found == 1 && isTRUE(near$complete)) {
    cat("\nno other set", within)
    return()
  }
  cat("\n", if (!isTRUE(near$complete)) "at least ", near$found, " sets ", within, sep = "")
  for (set in utils::head(Filter(function(set) length(set$without) > 0, near$sets), 5)) {
    cat("    +", format(100 * set$growth, digits = 2), "%: ", paste(unlist(set$instead), collapse = ", "), " instead of ", paste(unlist(set$without), collapse = ", "), "\n", sep = "")
  }
}

#' Confidence intervals of effects
#'
#' Intervals of the coefficients of the selected variables, corrected for their
#' selection, of a model that was fitted with the option `confidence` of
#' [fsa_control()]. They hold on average over the selected variables, not for each of
#' them. For a curve, they are about its value at each knot.
#'
#' @param object A model of [fsa()] or [fsa_read()].
#' @param parm Names of variables, or of effects; `NULL` for all.
#' @param level The level is that of the fit; another one is refused.
#' @param ... Not used.
#' @return A matrix with a row for each effect and the columns of the lower and the
#'   upper bound, `NA` where no half sample selected the variable.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(mpg ~ ., mtcars, k = 2, bins = 0, confidence = 0.9)
#' confint(fit)
#' @export
confint.fsa <- function(object, parm = NULL, level = object$confidence$level, ...) {
  if (is.null(object$confidence)) bad_input("object: it has no intervals: fit it with confidence = 0.9")
  if (!isTRUE(all.equal(level, object$confidence$level))) bad_input("level = ", shown(level), ": the model was fitted with confidence = ", object$confidence$level)
  of <- confidence_table(object)
  if (!is.null(parm)) {
    unknown <- setdiff(parm, c(of$effect, of$variable))
    if (length(unknown) > 0) bad_input("parm: ", unknown[1], " is not selected: ", either(unique(of$variable)), " is")
    of <- of[of$effect %in% parm | of$variable %in% parm, ]
  }
  tails <- 100 * c((1 - level) / 2, (1 + level) / 2)
  matrix(c(of$low, of$high), ncol = 2, dimnames = list(of$effect, paste(vapply(tails, format, "", digits = 3), "%")))
}

# The corrected effects with their intervals, a row for each.
confidence_table <- function(object) {
  rows <- lapply(seq_along(object$variables), function(i) {
    v <- object$variables[[i]]
    of <- object$confidence$variables[[i]]
    names <- effect_names(v)
    each <- function(values) if (is.null(values)) rep(NA_real_, length(names)) else unlist(values)
    data.frame(variable = v$label, effect = names, estimate = each(of$estimate), low = each(of$low), high = each(of$high))
  })
  do.call(rbind, rows)
}

#' @export
residuals.fsa <- function(object, type = c("response", "deviance"), ...) {
  type <- match.arg(type)
  if (is.null(object$y)) bad_input("object: the model does not know its training rows")
  w <- if (is.null(object$weights)) rep(1, NROW(object$y)) else object$weights
  if (object$task == "regression") {
    r <- object$y - object$fitted.values
    return(if (type == "response") r else r * sqrt(w))
  }
  if (object$task == "multilabel") {
    second <- second_labels(object)
    p <- object$fitted.values
    return(if (type == "response") second - p else ifelse(second, 1, -1) * sqrt(-2 * w * log(ifelse(second, p, 1 - p))))
  }
  if (object$task != "classification" || !object$probabilities) bad_input("type: a model of the loss ", object$loss, " has no residuals")
  p <- probability_of(object)
  if (type == "deviance") {
    sign <- if (!is.matrix(object$fitted.values)) ifelse(positive(object), 1, -1) else 1
    return(sign * sqrt(-2 * w * log(p)))
  }
  if (is.matrix(object$fitted.values)) {
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
  if (!is.matrix(p)) return(ifelse(positive(object), p, 1 - p))
  # Names of numbers are those of the model.
  names <- as.character(as_classes(object$classes, object$response))
  p[cbind(seq_along(object$y), match(object$classes[match(as.character(object$y), names)], colnames(p)))]
}

#' Log likelihood
#'
#' For models whose loss is a likelihood: `gaussian`, `binomial` with the logistic
#' loss, `multinomial`, `ordinal`, `proportion`, and several labels (`labels`), of which it is the sum. The degrees of freedom count coefficients, not the
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
  n <- NROW(object$y)
  w <- if (is.null(object$weights)) rep(1, n) else object$weights
  df <- length(object$intercept) - 1 + max(length(object$cuts), 1) - (object$loss == "multinomial") + sum(vapply(object$variables, function(v) {
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
    multilabel = {
      second <- second_labels(object)
      sum(w * log(ifelse(second, object$fitted.values, 1 - object$fitted.values)), na.rm = TRUE)
    },
    binomial = sum(lchoose(w, w * object$y) + w * (times_log(object$y, object$fitted.values) + times_log(1 - object$y, 1 - object$fitted.values))),
    logistic = ,
    ordinal = ,
    multinomial = sum(w * log(probability_of(object))),
    fail("fsa_error", "the loss ", object$loss, " is not a likelihood")
  )
  structure(value, df = df, nobs = n, class = "logLik")
}

# y log p, also where y is 0.
times_log <- function(y, p) ifelse(y == 0, 0, y * log(p))

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
