# The families: a new one is a line here. `loss` is that of the service, `losses` those that the
# argument loss may name instead, `target` what the response holds, `most` the number of classes
# that it may have, and `inverse` how a decision value becomes a predicted number. Models of a family
# with `fits = FALSE` can be read, but only the command fits them.
families <- list(
  auto = list(loss = "auto", target = "any"),
  gaussian = list(loss = "squared", target = "number", inverse = identity),
  huber = list(loss = "huber", target = "number", inverse = identity),
  median = list(loss = "absolute", target = "number", inverse = identity),
  poisson = list(loss = "poisson", target = "number", inverse = exp),
  negbinomial = list(loss = "negbinomial", target = "number", inverse = exp),
  Gamma = list(loss = "gamma", target = "number", inverse = exp),
  tweedie = list(loss = "tweedie", target = "number", inverse = exp),
  quantile = list(loss = "quantile", target = "number", inverse = identity, fits = FALSE),
  proportion = list(loss = "binomial", target = "number", inverse = stats::plogis, fits = FALSE),
  ordinal = list(loss = "ordinal", target = "class", fits = FALSE),
  cox = list(loss = "cox", target = "number", inverse = exp, fits = FALSE),
  binomial = list(loss = "auto", losses = c("logistic", "svm", "lorenz"), target = "class", most = 2),
  multinomial = list(loss = "multinomial", target = "class"),
  ranking = list(loss = "rank", target = "number", inverse = identity, needs = "query")
)

# The family of a model, by its loss.
family_of <- c(
  squared = "gaussian", huber = "huber", logistic = "binomial", svm = "binomial", lorenz = "binomial",
  multinomial = "multinomial", rank = "ranking", absolute = "median", poisson = "poisson",
  negbinomial = "negbinomial", gamma = "Gamma", tweedie = "tweedie", quantile = "quantile", cox = "cox",
  binomial = "proportion", ordinal = "ordinal"
)

# The name of a family, which may be an object such as binomial().
family_name <- function(family) {
  if (inherits(family, "family")) family <- family$family
  if (is.function(family)) family <- family()$family
  fitted <- names(Filter(function(of) !isFALSE(of$fits), families))
  if (!is.character(family) || length(family) != 1 || !family %in% fitted) {
    bad_input("family = ", shown(family), ": it must be ", either(fitted))
  }
  family
}

# The response as the service takes it: numbers, or positions in a list of classes.
as_response <- function(y, family) {
  if (is.data.frame(y) && ncol(y) == 1) y <- y[[1]]
  if (is.matrix(y) && ncol(y) == 1) y <- y[, 1]
  kind <- families[[family]]
  if (is.matrix(y) || is.data.frame(y) || is.list(y)) bad_input("y has several columns: it must be a vector")
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
  if (texts || kind$target == "class") {
    classes <- if (texts) of$levels else unique(y)
    if (length(classes) < 2) bad_input("y has one class only: at least two are needed")
    if (length(classes) > if (is.null(kind$most)) Inf else kind$most) {
      bad_input("y has ", length(classes), " classes, but family = \"", family, "\" has ", kind$most, ": take \"multinomial\"")
    }
  }
  of
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
