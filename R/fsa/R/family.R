# The families: a new one is a line here. `loss` is that of the service, `losses` those that the
# argument loss may name instead, `target` what the response holds, `most` the number of classes
# that it may have, and `inverse` how a decision value becomes a predicted number; where that is the
# exponential of it, rows may have an `exposure`. A family with `several` has several targets.
families <- list(
  auto = list(loss = "auto", target = "any"),
  gaussian = list(loss = "squared", target = "number", inverse = identity),
  huber = list(loss = "huber", target = "number", inverse = identity),
  median = list(loss = "absolute", target = "number", inverse = identity),
  poisson = list(loss = "poisson", target = "number", inverse = exp, exposure = TRUE),
  negbinomial = list(loss = "negbinomial", target = "number", inverse = exp, exposure = TRUE),
  Gamma = list(loss = "gamma", target = "number", inverse = exp, exposure = TRUE),
  tweedie = list(loss = "tweedie", target = "number", inverse = exp, exposure = TRUE),
  quantile = list(loss = "quantile", target = "number", inverse = identity),
  proportion = list(loss = "binomial", target = "number", inverse = stats::plogis),
  ordinal = list(loss = "ordinal", target = "class"),
  targets = list(loss = "multitarget", target = "number", inverse = identity, several = TRUE),
  labels = list(loss = "multilabel", target = "class", inverse = stats::plogis, several = TRUE),
  cox = list(loss = "cox", target = "time", inverse = exp),
  binomial = list(loss = "auto", losses = c("logistic", "svm", "lorenz"), target = "class", most = 2),
  multinomial = list(loss = "multinomial", target = "class"),
  ranking = list(loss = "rank", target = "number", inverse = identity, needs = "query")
)

# The family of a model, by its loss.
family_of <- c(
  squared = "gaussian", huber = "huber", logistic = "binomial", svm = "binomial", lorenz = "binomial",
  multinomial = "multinomial", rank = "ranking", absolute = "median", poisson = "poisson",
  negbinomial = "negbinomial", gamma = "Gamma", tweedie = "tweedie", quantile = "quantile", cox = "cox",
  binomial = "proportion", ordinal = "ordinal", multitarget = "targets", multilabel = "labels"
)

# The name of a family, which may be an object such as binomial().
family_name <- function(family) {
  if (inherits(family, "family")) family <- family$family
  if (is.function(family)) family <- family()$family
  if (!is.character(family) || length(family) != 1 || !family %in% names(families)) {
    bad_input("family = ", shown(family), ": it must be ", either(names(families)))
  }
  family
}

# The response as the service takes it: numbers, or positions in a list of classes.
as_response <- function(y, family) {
  if (families[[family]]$target == "time") return(as_times(y))
  if (isTRUE(families[[family]]$several)) return(as_targets(y, family))
  if (is.data.frame(y) && ncol(y) == 1) y <- y[[1]]
  if (is.matrix(y) && ncol(y) == 1) y <- y[, 1]
  kind <- families[[family]]
  if (inherits(y, "Surv")) bad_input("y has survival times, but family = \"", family, "\" does not take them: take \"cox\"")
  if (is.matrix(y) || is.data.frame(y) || is.list(y)) bad_input("y has several columns, but family = \"", family, "\" has one target: take \"targets\" for numbers, \"labels\" for classes, or \"cox\" for times and events")
  if (!is.null(dim(y))) y <- as.vector(y)
  if (anyNA(y)) bad_input("y: row ", which(is.na(y))[1], " is missing: leave out rows without a response")
  texts <- is.factor(y) || is.character(y) || is.logical(y)
  if (!texts && !is.numeric(y)) bad_input("y is of class ", class(y)[1], ": it must be numbers, a factor, texts or logicals")
  if (texts && kind$target == "number") bad_input("y holds classes, but family = \"", family, "\" predicts numbers")
  if (!texts && any(is.infinite(y))) bad_input("y: row ", which(is.infinite(y))[1], " is infinite")
  of <- list(type = if (is.factor(y)) "factor" else typeof(y), levels = NULL, values = y)
  if (texts) {
    if (is.character(y)) y <- factor(y, levels = sort(unique(y), method = "radix"))
    y <- if (is.logical(y)) factor(y, levels = c("FALSE", "TRUE")) else y
    of$ordered <- is.ordered(y)
    of$all_levels <- levels(y)
    y <- droplevels(y)
    of$levels <- levels(y)
    of$codes <- as.integer(y) - 1L
  }
  if (family == "ordinal" && texts && !isTRUE(of$ordered) && length(of$levels) > 2) {
    bad_input("y is not ordered: family = \"ordinal\" needs factor(y, levels, ordered = TRUE), with the levels from the lowest to the highest")
  }
  if (texts || kind$target == "class") {
    classes <- if (texts) of$levels else unique(y)
    if (length(classes) < 2) bad_input("y has one class only: at least two are needed")
    if (length(classes) > if (is.null(kind$most)) Inf else kind$most) {
      bad_input("y has ", length(classes), " classes, but family = \"", family, "\" has ", kind$most, ": take \"multinomial\"")
    }
  }
  of
}

# The shares of two columns of successes and failures, as in stats::glm(), and their trials, which are weights.
as_shares <- function(y, weights) {
  if (ncol(y) != 2) bad_input("y has ", ncol(y), " columns, but family = \"binomial\" needs two of successes and failures, cbind(successes, failures)")
  y <- as.matrix(y)
  if (!is.numeric(y) || anyNA(y) || any(!is.finite(y) | y < 0)) bad_input("y: successes and failures must be numbers of at least 0, without missing ones")
  trials <- unname(rowSums(y))
  if (!is.null(weights) && (!is.numeric(weights) || length(weights) != nrow(y))) bad_input("weights has ", length(weights), " values for ", nrow(y), " rows")
  list(y = ifelse(trials > 0, unname(y[, 1]) / trials, 0), weights = trials * if (is.null(weights)) 1 else weights)
}

# Times, and 1 for each row that had the event then, or 0. Surv() makes them, or a matrix or data frame
# has them as its two columns. Surv() may also have the times from which on rows were observed.
as_times <- function(y) {
  give <- ": give survival::Surv(time, event), or a matrix with the columns time and event"
  if (inherits(y, "Surv") && !attr(y, "type") %in% c("right", "counting")) {
    bad_input("y is a Surv object of type \"", attr(y, "type"), "\", but family = \"cox\" takes events and rows censored on the right only: Surv(time, event) or Surv(start, stop, event)")
  }
  entry <- NULL
  if (inherits(y, "Surv") && attr(y, "type") == "counting") {
    y <- unclass(y)
    entry <- as.numeric(y[, "start"])
    y <- cbind(time = y[, "stop"], event = y[, "status"])
  }
  if (is.null(dim(y)) || length(dim(y)) != 2) bad_input("y has no events, which family = \"cox\" needs", give)
  if (ncol(y) != 2) bad_input("y has ", ncol(y), " columns, but family = \"cox\" needs two", give)
  y <- if (is.data.frame(y)) as.list(y) else stats::setNames(list(unclass(y)[, 1], unclass(y)[, 2]), colnames(y))
  named <- c(match("time", names(y)), match(c("status", "event"), names(y)))
  if (!anyNA(named[1]) && any(!is.na(named[-1]))) y <- y[c(named[1], stats::na.omit(named[-1])[1])]
  time <- y[[1]]
  event <- y[[2]]
  for (of in list(time, event)) if (!is.numeric(of) && !is.logical(of)) bad_input("y has a column of class ", class(of)[1], give)
  missing <- is.na(time) | is.na(event)
  if (!is.null(entry)) missing <- missing | is.na(entry)
  if (any(missing)) bad_input("y: row ", which(missing)[1], " is missing: leave out rows without a time or an event")
  wrong <- !is.finite(time) | time <= 0
  if (any(wrong)) bad_input("y: the time of row ", which(wrong)[1], " is ", time[wrong][1], ": times must be positive and finite")
  wrong <- !event %in% c(0, 1)
  if (any(wrong)) bad_input("y: the event of row ", which(wrong)[1], " is ", event[wrong][1], ": it must be 1 or TRUE for a row that had the event at its time, and 0 or FALSE for a censored row")
  if (!any(event == 1)) bad_input("y: no row had the event; if 1 marks censored rows, swap 0 and 1")
  list(type = "time", levels = NULL, values = cbind(time = as.numeric(time), event = as.numeric(event)), entry = entry)
}

# Classes as the user gave them, from their names in the model.
as_classes <- function(names, response) {
  switch(if (is.null(response)) "character" else response$type,
    factor = factor(names, levels = response$all_levels, ordered = response$ordered),
    logical = as.logical(names),
    integer = as.integer(names),
    double = as.numeric(names),
    names
  )
}
