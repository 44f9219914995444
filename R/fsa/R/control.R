#' Further options of a fit
#'
#' Whatever is `NULL` is chosen from the data, as the command does. The result is
#' the argument `control` of [fsa()], which also takes these arguments by itself.
#'
#' @param nfolds Number of folds of the cross-validation.
#' @param repeats How often rows are divided into folds.
#' @param ordered Whether rows are ordered by time: folds then train on earlier
#'   rows only.
#' @param sizes Numbers of variables to compare if `k` is `"auto"`.
#' @param rule How a size is chosen: `"min"` takes the lowest error, `"paired"`
#'   the smallest size whose error is not significantly above it, `"one-se"` the
#'   smallest within one standard error; `"aic"`, `"bic"`, `"ebic"` and `"gic"`
#'   are information criteria, which need no folds.
#' @param fdr False discovery rate, such as 0.1: of the variables that are selected,
#'   at most this share is expected to be irrelevant. It takes the place of
#'   cross-validation in choosing their number.
#' @param rivals Whether folds measure what the model loses without each variable,
#'   and with others in its place. [summary()][summary.fsa] then also has the sets of as many variables
#'   whose training loss is nearly as low.
#' @param confidence Level, such as 0.9, of confidence intervals of the effects of the
#'   selected variables, which account for the selection: see [confint()][confint.fsa]. The selection
#'   is repeated on half samples for them.
#' @param costs Prices of columns: a named vector such as `c(age = 0, scan = 300)`, or a
#'   data frame with the columns `column`, `price` and, for columns that are paid
#'   together, the name of their `panel`; each of them has the price of the panel. The
#'   name `all` means all other columns. A budget then takes the place of `k`.
#' @param budget What the selected columns may cost: an amount, several from which
#'   cross-validation chooses the smallest that is not worse, or `NULL` for amounts up
#'   to the price of all columns.
#' @param quotas Named vector of the largest number of columns that may be selected by
#'   a name, or by a pattern of names, such as `c("sensor*" = 3)`; or a named list, whose
#'   elements may also have two numbers, the smallest and the largest, such as
#'   `list("sensor*" = c(1, 3), "lab*" = c(1, Inf))`.
#' @param reference A model of all variables with which folds compare this one:
#'   `"ridge"`, or `"additive"`, which has a curve for each.
#' @param nested Whether to cross-validate the whole procedure, including its choices:
#'   [summary()][summary.fsa] then has its measures. The time is multiplied by the number of folds.
#' @param offset_model A model from which the fit starts: one of [fsa()] or
#'   [fsa_read()], or the path of one. Its decision values are offsets, and the new model contains it.
#' @param measure Metric that is compared out of fold instead of the loss, such
#'   as `"auc"`, `"error"` or `"rmse"`.
#' @param quick Whether to skip cross-validation.
#' @param bins Bins of the curve of each variable; 0 for straight lines, for
#'   which [coef()] has one number per variable. `NULL` compares both.
#' @param loss The loss, where the family allows several: `"logistic"`, `"svm"` or
#'   `"lorenz"` for two classes.
#' @param quantiles The quantiles that `family = "quantile"` predicts, between 0 and
#'   1; `NULL` means the median. Several, such as `c(0.1, 0.5, 0.9)`, share their
#'   variables, and predictions have a column for each.
#' @param ties How `family = "cox"` treats events at the same time: `"efron"`, the
#'   default, or `"breslow"`.
#' @param hinge_width Half width of the rounded corner of the loss `"svm"`.
#' @param ridge Strength \eqn{\lambda} of the penalty \eqn{\lambda\|\beta\|^2} on
#'   the mean loss; 0 for none.
#' @param interactions Whether pairs of variables may be selected too, or the largest
#'   number of them: products of two standardised numbers, or a line for each
#'   category. Each pair counts as one of `k`. `NULL` lets cross-validation decide if `k`
#'   is open and variables are few.
#' @param heredity Which variables of a pair must be selected with it: `"strong"`
#'   both, `"weak"` at least one, `"none"` none. `NULL` means `"strong"`.
#' @param pairs_among Names of the variables that may interact with each other, or
#'   patterns of names, such as `c("age", "lab*")`; or a list of several such
#'   vectors: both variables of a pair must then be in one of them.
#' @param constraints Named list of what the effects of variables must be:
#'   `"increasing"`, `"decreasing"`, `"convex"` or `"concave"`; for straight lines
#'   also `"nonnegative"`, `"nonpositive"`, or a vector of the lower and the upper
#'   bound of the coefficient, such as `c(0, Inf)`; or a list of several of these.
#'   The name `all` means all numbers. An ordered factor may be `"increasing"` or
#'   `"decreasing"` along its levels.
#' @param force,use Names of variables that must be selected, and of variables
#'   to keep although they look like identifiers.
#' @param feature_groups List of vectors of names; the variables of a group are
#'   selected together.
#' @param class_weights `"balanced"`, or a named vector of weights of classes.
#' @param calibrate Whether to calibrate probabilities on out-of-fold predictions.
#' @param threshold Metric for which the threshold of two classes is chosen,
#'   such as `"f1"`.
#' @param extrapolate How predictions extrapolate a line beyond its training
#'   range: `"clip"` by the width of that range, `"line"` without end.
#' @param stability Number of pairs of half samples on which the selection is
#'   repeated.
#' @param polish Whether dropped variables compete again, which is slower.
#' @param epochs,mu,eta,warm_up,batch,momentum,tolerance Settings of the descent;
#'   see `fsa help fit`.
#' @param scale `"auto"`, `"column"`, `"common"`, `"root"` or `"none"`.
#' @param spacing Of the knots of curves: `"auto"` or `"even"`.
#' @param storage `"float32"`, `"bfloat16"` or `"int8"`.
#' @param priors Named vector of strengths of priors on curves.
#' @param device `"cpu"`, `"cuda"` or `"auto"`.
#' @param device_memory Number of bytes of the memory of each GPU that a fit may use.
#' @param max_time Seconds after which the fit ends with the strongest variables
#'   so far.
#' @param resume File of a checkpoint. A fit that is interrupted or runs out of time writes it. The next
#'   fit with the same data and options continues from it and gives the same model. A
#'   complete fit removes it.
#' @param run_folder Folder into which the fit writes what the command writes with `--out`:
#'   the model, its record and what [fsa_report()] shows, including out-of-fold predictions and
#'   single rows. It replaces an earlier run there.
#' @return A list of class `fsa_control`.
#' @examples
#' fsa_control(nfolds = 5, bins = 0)
#' @export
fsa_control <- function(nfolds = NULL, repeats = NULL, ordered = NULL, sizes = NULL, rule = NULL, fdr = NULL, rivals = NULL,
                        confidence = NULL, costs = NULL, budget = NULL, quotas = NULL, reference = NULL, nested = NULL, offset_model = NULL, measure = NULL, quick = NULL, bins = NULL, loss = NULL, quantiles = NULL, ties = NULL, hinge_width = NULL, ridge = NULL,
                        interactions = NULL, heredity = NULL, pairs_among = NULL, constraints = NULL, force = NULL, use = NULL, feature_groups = NULL, class_weights = NULL, calibrate = NULL, threshold = NULL,
                        extrapolate = NULL, stability = NULL, polish = NULL, epochs = NULL, mu = NULL, eta = NULL,
                        warm_up = NULL, batch = NULL, momentum = NULL, tolerance = NULL, scale = NULL, spacing = NULL,
                        storage = NULL, priors = NULL, device = NULL, device_memory = NULL, max_time = NULL, resume = NULL,
                        run_folder = NULL) {
  given <- mget(names(formals()))
  given <- given[!vapply(given, is.null, NA)]
  for (name in names(given)) given[[name]] <- checks[[name]](given[[name]], name)
  structure(given, class = "fsa_control")
}

# The options in the names of the service.
service_options <- function(control) {
  options <- unclass(control)
  names <- names(options)
  known <- names %in% names(service_names)
  names[known] <- service_names[names[known]]
  if (identical(options$class_weights, "balanced")) names[names == "class_weights"] <- "balanced"
  names(options) <- names
  if (!is.null(options$balanced)) options$balanced <- TRUE
  if (length(options$quantiles) == 1) {
    options$quantile <- as.numeric(options$quantiles)
    options$quantiles <- NULL
  }
  options[!names %in% c("use", "stability", "run_folder")] # these are not among the options of a request
}

service_names <- c(
  nfolds = "folds", rule = "choose", budget = "budgets", hinge_width = "huber", feature_groups = "groups", epochs = "iterations", held_out = "losses"
)

a_number <- function(least = 0, most = Inf, above = FALSE) {
  function(x, name) {
    good <- is.numeric(x) && length(x) == 1 && is.finite(x) && x >= least && x <= most && !(above && x == least)
    if (!good) {
      bad_input(
        name, " = ", shown(x), ": it must be a number ", if (above) "above " else "of at least ", least,
        if (is.finite(most)) paste(" and at most", most)
      )
    }
    as.numeric(x)
  }
}

a_count <- function(least = 0, most = 2^53) {
  function(x, name) {
    good <- is.numeric(x) && length(x) == 1 && is.finite(x) && x == round(x) && x >= least && x <= most
    if (!good) bad_input(name, " = ", shown(x), ": it must be a whole number of at least ", least, if (most < 2^53) paste(" and at most", most))
    as.numeric(x)
  }
}

a_switch <- function(x, name) {
  if (!is.logical(x) || length(x) != 1 || is.na(x)) bad_input(name, " = ", shown(x), ": it must be TRUE or FALSE")
  x
}

a_word <- function(...) {
  words <- c(...)
  function(x, name) {
    if (!is.character(x) || length(x) != 1 || is.na(x)) bad_input(name, " = ", shown(x), ": it must be a text")
    if (length(words) > 0 && !x %in% words) bad_input(name, " = ", shown(x), ": it must be ", either(words))
    x
  }
}

some_names <- function(x, name) {
  if (!is.character(x) || length(x) == 0 || anyNA(x)) bad_input(name, " = ", shown(x), ": it must be names of variables")
  I(as.character(x))
}

some_strengths <- function(x, name) {
  x <- unlist(x)
  if (!is.numeric(x) || is.null(names(x)) || !all(is.finite(x))) bad_input(name, " = ", shown(x), ": it must be a vector of numbers with names")
  as.list(x)
}

# The path of a file or a folder that need not exist, from the root.
a_path <- function(x, name) {
  if (!is.character(x) || length(x) != 1 || is.na(x) || !nzchar(x)) bad_input(name, " = ", shown(x), ": it must be a path")
  file.path(normalizePath(dirname(path.expand(x)), mustWork = FALSE), basename(x))
}

# Quantiles, ascending.
some_quantiles <- function(x, name) {
  if (!is.numeric(x) || length(x) == 0 || anyNA(x) || any(x <= 0 | x >= 1) || anyDuplicated(x) > 0) {
    bad_input(name, " = ", shown(x), ": it must be different numbers between 0 and 1")
  }
  I(sort(as.numeric(x)))
}

# Prices, a list for each column.
some_costs <- function(x, name) {
  give <- "it must be a vector of prices with the names of columns, or a data frame with the columns column, price and panel"
  if (is.data.frame(x)) {
    unknown <- setdiff(names(x), c("column", "price", "panel"))
    if (length(unknown) > 0 || !all(c("column", "price") %in% names(x))) bad_input(name, " has the columns ", paste(names(x), collapse = ", "), ": ", give)
    columns <- as.character(x$column)
    prices <- x$price
    panels <- if (is.null(x$panel)) rep("", nrow(x)) else as.character(x$panel)
    panels[is.na(panels)] <- ""
  } else {
    columns <- names(x)
    prices <- unlist(x)
    panels <- rep("", length(prices))
  }
  if (length(prices) == 0 || is.null(columns) || anyNA(columns) || !all(nzchar(columns)) || length(prices) != length(columns) || !is.numeric(prices)) {
    bad_input(name, " = ", shown(x), ": ", give)
  }
  wrong <- !is.finite(prices) | prices < 0
  if (any(wrong)) bad_input(name, ": the price of ", columns[wrong][1], " is ", prices[wrong][1], ": it must be a finite number of at least 0")
  lapply(seq_along(columns), function(i) list(column = columns[i], price = as.numeric(prices[[i]]), panel = panels[i]))
}

some_amounts <- function(x, name) {
  if (!is.numeric(x) || length(x) == 0 || any(!is.finite(x) | x < 0)) bad_input(name, " = ", shown(x), ": it must be one or several finite numbers of at least 0")
  I(as.numeric(x))
}

some_quotas <- function(x, name) {
  good <- (is.numeric(x) || is.list(x)) && length(x) > 0 && !is.null(names(x)) && all(nzchar(names(x)))
  if (!good) bad_input(name, " = ", shown(x), ": it must be a vector of whole numbers of at least 0, with names or patterns of columns, or a list of such numbers")
  lapply(seq_along(x), function(i) c(list(columns = I(names(x)[i])), a_quota(x[[i]], paste0(name, ": ", names(x)[i]))))
}

# The largest number of columns, or the smallest and the largest. For the service, 0 as the largest beside a smallest means any number.
a_quota <- function(x, name) {
  whole <- is.numeric(x) && length(x) %in% 1:2 && !anyNA(x) && all(x >= 0 & x == round(x)) && is.finite(x[1])
  if (!whole || length(x) == 2 && (x[1] < 1 || x[2] < x[1])) {
    bad_input(name, " = ", shown(x), ": it must be the largest number of columns, or the smallest number, at least 1, and the largest")
  }
  if (length(x) == 1) return(list(most = as.numeric(x)))
  list(least = as.numeric(x[1]), most = if (is.finite(x[2])) as.numeric(x[2]) else 0)
}

# The file of the model from which a fit starts.
a_model <- function(x, name) {
  if (is.character(x)) x <- tryCatch(fsa_read(x), fsa_input_error = function(e) bad_input(name, ": ", conditionMessage(e)))
  if (!inherits(x, "fsa")) bad_input(name, " = ", shown(class(x)), ": it must be a model of fsa() or fsa_read(), or the path of one")
  x$model
}

a_share <- function(x, name) {
  if (!is.numeric(x) || length(x) != 1 || !is.finite(x) || x <= 0 || x >= 1) bad_input(name, " = ", shown(x), ": it must be a number between 0 and 1")
  as.numeric(x)
}

# The largest number of interactions: 0 for any number, -1 for none; NULL lets the data decide.
some_interactions <- function(x, name) {
  if (!is.logical(x)) {
    good <- is.numeric(x) && length(x) == 1 && is.finite(x) && x == round(x) && x >= 1 && x < 2^31
    if (!good) bad_input(name, " = ", shown(x), ": it must be TRUE, FALSE, or the largest number of pairs, at least 1")
    return(as.numeric(x))
  }
  if (a_switch(x, name)) 0 else -1
}

# Sets of variables that may interact with each other.
some_sets <- function(x, name) lapply(unname(if (is.list(x)) x else list(x)), some_names, name)

constraint_kinds <- c("nonnegative", "nonpositive", "increasing", "decreasing", "convex", "concave")

# A constraint for each effect that a named list limits.
some_constraints <- function(x, name) {
  columns <- names(x)
  if (!is.list(x) || length(x) == 0 || is.null(columns) || anyNA(columns) || !all(nzchar(columns))) {
    bad_input(name, " = ", shown(x), ": it must be a list with the names of variables")
  }
  each <- lapply(seq_along(x), function(i) {
    of <- if (is.list(x[[i]]) || is.character(x[[i]])) as.list(x[[i]]) else list(x[[i]])
    if (length(of) == 0) of <- list(NULL)
    lapply(unname(of), function(one) c(list(column = columns[i]), a_constraint(one, paste0(name, ": ", columns[i]))))
  })
  do.call(c, each)
}

a_constraint <- function(x, name) {
  if (is.character(x) && length(x) == 1 && x %in% constraint_kinds) return(list(kind = x))
  if (!is.numeric(x) || length(x) != 2 || anyNA(x)) {
    bad_input(name, " = ", shown(x), ": it must be ", either(constraint_kinds), ", or a vector of the lower and the upper bound")
  }
  if (x[1] > x[2]) bad_input(name, " = ", shown(x), ": the lower bound is above the upper one")
  bound <- function(at) if (is.finite(x[at])) as.numeric(x[at])
  list(kind = "bounds", lower = bound(1), upper = bound(2))
}

# What each option must be, and its value for the service.
checks <- list(
  nfolds = a_count(2), repeats = a_count(1), ordered = a_switch,
  sizes = function(x, name) {
    if (!is.numeric(x) || length(x) == 0 || anyNA(x) || any(x < 0 | x != round(x))) bad_input(name, " = ", shown(x), ": it must be whole numbers of variables")
    I(as.numeric(x))
  },
  rule = a_word("paired", "one-se", "min", "aic", "bic", "ebic", "gic"),
  fdr = a_share, rivals = a_switch, confidence = a_share, costs = some_costs, budget = some_amounts, quotas = some_quotas, reference = a_word("ridge", "additive"), nested = a_switch, offset_model = a_model, measure = a_word(), quick = a_switch,
  bins = function(x, name) {
    if (identical(x, 1) || identical(x, 1L)) bad_input(name, " = 1: it must be at least 2, or 0 for straight lines")
    a_count(0, 1000)(x, name)
  },
  loss = a_word(), quantiles = some_quantiles, ties = a_word("efron", "breslow"), hinge_width = a_number(above = TRUE), ridge = a_number(),
  interactions = some_interactions, heredity = a_word("strong", "weak", "none"), pairs_among = some_sets, constraints = some_constraints,
  force = some_names, use = some_names,
  feature_groups = function(x, name) {
    if (!is.list(x)) bad_input(name, " = ", shown(x), ": it must be a list of vectors of names")
    lapply(unname(x), some_names, name)
  },
  class_weights = function(x, name) if (identical(x, "balanced")) x else some_strengths(x, name),
  calibrate = a_switch, threshold = a_word(), extrapolate = a_word("clip", "line"),
  stability = a_count(), polish = a_switch, epochs = a_count(1, 1e7), mu = a_number(), eta = a_number(above = TRUE),
  warm_up = a_count(), batch = a_count(), momentum = a_number(0, 1), tolerance = a_number(),
  scale = a_word("auto", "column", "common", "root", "none"), spacing = a_word("auto", "even"),
  storage = a_word("float32", "bfloat16", "int8"), priors = some_strengths,
  device = a_word("auto", "cpu", "cuda"), device_memory = a_count(2^20), max_time = a_number(above = TRUE),
  resume = a_path, run_folder = a_path
)
