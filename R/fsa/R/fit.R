#' Select variables and fit a model on them
#'
#' `fsa()` selects `k` variables of a table and fits a model on them.
#' `cv.fsa()` lets cross-validation choose `k`.
#'
#' @param x A matrix of numbers, a data frame, or a sparse `Matrix`.
#' @param formula The response, `~`, and the variables to select from; `.` means all
#'   other columns of `data`.
#' @param y The response: numbers, a factor, texts or logicals; for several targets a
#'   matrix or a data frame with a column for each; for `"cox"` what
#'   `survival::Surv(time, event)` returns, or `survival::Surv(start, stop, event)` for
#'   rows that were observed from `start` on, or a matrix or data frame with the
#'   columns `time` and `event`, which is 1 for a row that had the event at its time
#'   and 0 for a censored row.
#' @param data Data frame with the variables of the formula.
#' @param family What is predicted: `"gaussian"` and `"huber"` numbers, the latter
#'   where some are outliers, `"median"` their median, and `"quantile"` the
#'   `quantiles` of [fsa_control()], one or several; `"poisson"` and
#'   `"negbinomial"` counts, `"Gamma"` and `"tweedie"` amounts, the latter with
#'   zeros, by the logarithm; `"binomial"` two classes, or shares of successes if the response is
#'   `cbind(successes, failures)`; `"proportion"` shares between 0 and 1, with the numbers of trials
#'   as `weights`; `"multinomial"` several classes;
#'   `"ordinal"` ordered classes, of an ordered factor or numbers, by proportional odds;
#'   `"targets"` several numbers, and `"labels"` several labels of two classes each, for
#'   which a variable is selected or dropped as one;
#'   `"ranking"` an order within queries; `"cox"` the risk of an event, by the Cox
#'   model with Efron's ties. `"auto"` decides by the response: two different values
#'   are classes, and so are factors, texts and logicals; other numbers are numbers,
#'   `Surv()` makes survival times, and several columns are targets or labels.
#' @param k Number of variables to select, or of groups of them; `"auto"` lets
#'   cross-validation choose.
#' @param weights Weights of rows. A row of weight 2 counts as two. In a formula
#'   call, `weights`, `offset`, `exposure`, `strata`, `query`, `groups`, `foldid` and
#'   `subset` may be columns of `data`, and are then not variables.
#' @param offset Number that is added to the decision value of each row, or one for
#'   all. A formula may have terms `offset()` instead, or as well.
#' @param exposure Positive number by which the prediction of each row is multiplied,
#'   such as the years of observation of a count: the exponential of an offset. For
#'   `"poisson"`, `"negbinomial"`, `"Gamma"` and `"tweedie"`.
#' @param strata Stratum of each row, for `"cox"`. Rows are only compared within
#'   their stratum, and each stratum has a baseline hazard. The model then predicts
#'   risks, but not probabilities of survival.
#' @param query Query of each row, for `"ranking"`.
#' @param groups Group of each row, such as a patient; rows of a group stay in one
#'   fold.
#' @param foldid Fold of each row.
#' @param subset Rows to use.
#' @param seed Seed of the random order of rows, where there is one. R's generator
#'   is not used: the same data, options and seed give the same model.
#' @param threads Number of threads; 0 for all cores. It does not change the model.
#' @param memory Number of bytes of memory that the fit may use; `NULL` for no limit.
#' @param progress Whether to show a progress bar.
#' @param control Further options; see [fsa_control()].
#' @param ... Options of [fsa_control()], and for `cv.fsa()` arguments of `fsa()`.
#'
#' @details
#' In a data frame, factors, ordered factors and texts are categories, each with
#' a coefficient; logicals are 0 and 1; dates and times are a trend in years, and
#' the month, weekday and hour as categories, by the clock that R shows.
#' `NA` is a missing value: it counts as the mean, and has its own effect if
#' being missing predicts the response. A formula drops rows without a response,
#' as [stats::na.omit()] does, and may have transformations, such as `log(a)`, and
#' offsets, but no interactions: these are looked for with `interactions = TRUE`. As in [stats::glm()], `.` includes the columns of
#' `offset(log(years))`: write `. - years` if they are not variables. Columns that
#' look like identifiers are left out with a warning, unless `use` names them.
#'
#' The second of two levels of a factor is the class whose probability is
#' predicted, as in [stats::glm()]; of several labels, it is the second class in
#' alphabetical order.
#'
#' Several targets are written `cbind(a, b) ~ .`. A value of some of them may be
#' missing: it then counts for the others only, and a formula drops a row only if none
#' is there.
#'
#' Ctrl-C stops a fit; nothing keeps running.
#'
#' @return An object of class `fsa`, and of `cv.fsa` if `k` is open. Use its
#' methods: [predict()][predict.fsa], [coef()][coef.fsa],
#' [summary()][summary.fsa], [plot()][plot.fsa], [fsa_variables()],
#' [stats::fitted()], [stats::residuals()], [stats::update()],
#' [stats::logLik()][logLik.fsa]. [saveRDS()] keeps it, and [fsa_write()] writes a
#' file for the command.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(mpg ~ ., mtcars, k = 3, quick = TRUE)
#' fit
#' predict(fit, mtcars[1:3, ])
#'
#' species <- fsa(iris[1:4], iris$Species, k = 2, quick = TRUE)
#' table(predict(species, iris, type = "class"), iris$Species)
#'
#' range <- fsa(mpg ~ ., mtcars, family = "quantile", quantiles = c(0.1, 0.9), k = 2, quick = TRUE)
#' predict(range, mtcars[1:3, ])
#'
#' breaks <- fsa(breaks ~ wool + tension, warpbreaks, family = "poisson", k = 1, quick = TRUE)
#' coef(breaks)
#'
#' several <- fsa(cbind(mpg, qsec) ~ ., mtcars, k = 3, bins = 0, quick = TRUE)
#' coef(several)
#' @export
fsa <- function(x, ...) UseMethod("fsa")

#' @rdname fsa
#' @export
cv.fsa <- function(x, ...) {
  call <- match.call()
  if ("k" %in% names(call)) bad_input("k: cv.fsa() chooses it among sizes; fsa() takes it")
  call[[1]] <- quote(fsa::fsa)
  names(call)[names(call) == "x"] <- "" # a formula has another name in its method
  call$k <- "auto"
  fit <- eval(call, parent.frame())
  fit$call[[1]] <- quote(cv.fsa)
  fit$call$k <- NULL
  fit
}

#' @rdname fsa
#' @export
fsa.default <- function(x, y, family = "auto", k = "auto", weights = NULL, offset = NULL, exposure = NULL, strata = NULL,
                        query = NULL, groups = NULL, foldid = NULL, seed = 0, threads = getOption("fsa.threads", 0), memory = NULL, progress = interactive(),
                        control = fsa_control(...), ...) {
  call <- match.call()
  call[[1]] <- quote(fsa)
  if (missing(y)) bad_input("y is missing: give the response, or a formula and data")
  if (!missing(control) && ...length() > 0) bad_input("control: give either control, or its options by themselves")
  if (!inherits(control, "fsa_control")) bad_input("control = ", shown(control), ": it must be made by fsa_control()")
  rows <- list(weights = weights, offset = offset, exposure = exposure, strata = strata, query = query, groups = groups, foldid = foldid)
  fit_table(as_table(x), y, rows, family, k, seed, threads, memory, progress, control, call)
}

#' @rdname fsa
#' @export
fsa.formula <- function(formula, data, family = "auto", k = "auto", weights = NULL, offset = NULL, exposure = NULL,
                        strata = NULL, query = NULL, groups = NULL, foldid = NULL, subset = NULL, seed = 0, threads = getOption("fsa.threads", 0), memory = NULL,
                        progress = interactive(), control = fsa_control(...), ...) {
  call <- match.call()
  call[[1]] <- quote(fsa)
  if (missing(data)) data <- environment(formula)
  if (!missing(control) && ...length() > 0) bad_input("control: give either control, or its options by themselves")
  roles <- list(
    weights = substitute(weights), offset = substitute(offset), exposure = substitute(exposure), strata = substitute(strata),
    query = substitute(query), groups = substitute(groups), foldid = substitute(foldid), subset = substitute(subset)
  )
  frame <- read_formula(formula, data, roles, parent.frame(), family)
  fit <- fit_table(as_table(frame$x, "data"), frame$y, frame$roles, family, k, seed, threads, memory, progress, control, call)
  fit$formula <- formula
  fit$terms <- frame$terms
  if (!is.null(fit$shift)) fit$shift$expressions <- frame$shifts
  if ("." %in% all.vars(formula)) fit$candidates <- names(frame$x)
  fit$response$name <- frame$name
  fit$na.action <- frame$dropped
  fit
}

# Checks what is not a column, lets the service fit, and returns the result.
fit_table <- function(table, y, rows, family, k, seed, threads, memory, progress, control, call) {
  family <- family_name(family)
  if (family %in% c("binomial", "proportion") && has_targets(y)) {
    of <- as_shares(y, rows$weights)
    y <- of$y
    rows$weights <- of$weights
    family <- "proportion"
  }
  if (family == "auto" && inherits(y, "Surv")) family <- "cox"
  if (family == "auto" && has_targets(y)) family <- family_of_targets(y)
  kind <- families[[family]]
  response <- as_response(y, family)
  timed <- kind$target == "time"
  n <- NROW(response$values)
  if (n != table$rows) bad_input("y has ", n, " values for ", table$rows, " rows of x")
  rows <- checked_rows(rows, n)
  check_shift(rows, family, table)
  if (timed) for (name in c("calibrate", "threshold", "class_weights")) if (!is.null(control[[name]])) bad_input(name, ": it is for classes, and family = \"cox\" has none")
  if (!timed && !is.null(rows$strata)) bad_input("strata: they are for family = \"cox\"")
  for (needed in kind$needs) if (is.null(rows[[needed]])) bad_input(needed, ": family = \"", family, "\" needs the ", needed, " of each row")
  if (family == "ranking" && !is.null(rows$weights)) bad_input("weights: a ranking compares pairs of rows, which have no weights")
  loss <- control$loss
  if (!is.null(loss) && !loss %in% c(kind$losses, kind$loss)) {
    bad_input("loss = \"", loss, "\": family = \"", family, "\" has ", either(c(kind$loss, kind$losses)))
  }
  if (!is.null(control$quantiles) && family != "quantile") bad_input("quantiles: they are for family = \"quantile\"")
  if (!timed && !is.null(control$ties)) bad_input("ties: they are for family = \"cox\"")
  check_pairs(control, k)
  check_columns(control, table)
  options <- service_options(control)
  if (!is.null(options$constraints)) options$constraints <- lapply(options$constraints, in_levels, table)
  units <- if (is.null(control$interactions) || control$interactions < 0) length(table$names) - sum(lengths(control$feature_groups) - 1) else Inf
  options$k <- checked_size(k, units, control)
  options$loss <- if (is.null(loss)) kind$loss else loss
  options$classify <- is.null(response$each) && (kind$target == "class" || !is.null(response$levels))
  if (family == "ordinal") {
    options$order <- if (!is.null(response$levels)) I(response$levels)
  } else if (length(response$levels) == 2) {
    options$positive <- response$levels[2]
  }
  options$seed <- a_count(0)(seed, "seed")
  options$threads <- a_count(0)(threads, "threads")
  progress <- a_switch(progress, "progress")

  order <- if (is.null(rows$query)) NULL else order(match(rows$query, unique(rows$query)))
  if (!is.null(order) && !is.unsorted(order)) order <- NULL
  sorted <- if (is.null(order)) table else take_rows(table, order)
  service <- new.env()
  on.exit(close_service(service))
  open_service(service)
  to <- new_arrays(service)
  message <- write_table(to, sorted)
  if (!is.null(response$each)) message$targets <- write_targets(to, response)
  message$target <- if (!is.null(response$each)) {
    NULL
  } else if (is.null(response$levels)) {
    add_array(to, in_order(if (timed) response$values[, "time"] else as.numeric(response$values), order))
  } else {
    c(add_array(to, in_order(response$codes, order)), list(levels = I(response$levels)))
  }
  if (timed) message$event <- add_array(to, response$values[, "event"])
  if (!is.null(response$entry)) message$entry <- add_array(to, response$entry)
  for (role in names(rows)) {
    if (!is.null(rows[[role]])) message[[roles_of_rows[[role]]]] <- add_array(to, in_order(rows[[role]], order))
  }
  use <- c(control$use, control$force)
  if (!is.null(use)) message$use <- I(use)
  if (!is.null(memory)) message$memory <- a_count(2^20)(memory, "memory")
  bar <- progress_bar(progress)
  on.exit(bar$end(), add = TRUE, after = FALSE)
  run <- if (!is.null(control$run_folder)) list(folder = control$run_folder, call = paste(trimws(deparse(call)), collapse = " "))
  answer <- ask(service, list(
    op = "fit", files = finish_arrays(to), table = message, options = options, events = progress, lines = followed, run = run,
    stability = if (is.null(control$stability)) 0 else control$stability
  ), function(event) {
    if (event$event == "open") unlink(to$path) # it is gone, however this process ends
    if (event$event == "stage") bar$set(event$done)
  })
  bar$end()
  for (column in answer$left) {
    caution("column \"", column$name, "\" is left out as an identifier (", column$why, "): use = \"", column$name, "\" keeps it")
  }
  if (is.numeric(k) && k > units) caution("k = ", k, ", but x has ", units, if (is.null(control$feature_groups)) " variables" else " groups", ": none of them is dropped")
  fit <- new_fsa(answer$model)
  if (identical(fit$status, "out of time")) caution("max_time = ", control$max_time, ": the time was up, and the strongest variables left then are selected: allow more", if (!is.null(control$resume)) ", or fit again to continue")
  fit$call <- call
  fit$asked <- family
  fit$run_folder <- control$run_folder
  fit$decisions <- answer$decisions
  fit$weights <- rows$weights
  fit$path <- read_path(answer$trace, table$names)
  fit$stability <- answer$stability[c("index", "low", "high", "verdict")]
  fit$y <- response$values
  fit$response <- response[c("type", "levels", "all_levels", "ordered")]
  fit$response$each <- lapply(response$each, `[`, c("type", "all_levels", "ordered"))
  scores <- score(service, fit, table, if (is.null(rows$exposure)) rows$offset else rows$exposure)
  if (!is.null(answer$out_of_fold)) fit$held_out <- c(answer$out_of_fold, list(group = rows$groups))
  fit$linear.predictors <- scores$decision
  fit$fitted.values <- to_response(fit, scores)
  fit$fitted.class <- scores$class
  if (identical(k, "auto")) class(fit) <- c("cv.fsa", "fsa")
  fit
}

# Refuses options about columns that the table does not have.
check_columns <- function(control, table) {
  named <- list(
    force = control$force, use = control$use, feature_groups = unlist(control$feature_groups),
    constraints = vapply(control$constraints, `[[`, "", "column"), costs = vapply(control$costs, `[[`, "", "column")
  )
  for (name in names(named)) {
    absent <- setdiff(named[[name]], c(table$names, if (name %in% c("constraints", "costs")) "all"))
    if (length(absent) > 0) bad_input(name, " has \"", absent[1], "\", which is no column of ", table$argument)
  }
}

# A constraint of an ordered factor has the order of its levels.
in_levels <- function(constraint, table) {
  x <- if (table$form == "each") table$x[[match(constraint$column, table$names)]]
  if (!is.ordered(x) || !constraint$kind %in% c("increasing", "decreasing")) return(constraint)
  c(constraint, list(levels = I(levels(droplevels(x)))))
}

# Refuses sets of pairs where none are looked for.
check_pairs <- function(control, k) {
  if (is.null(control$pairs_among)) return()
  if (identical(control$interactions, -1)) bad_input("pairs_among: interactions = FALSE looks for no pairs: leave one of them out")
  if (is.null(control$interactions) && !identical(k, "auto")) bad_input("pairs_among: with k = ", shown(k), ", pairs are looked for with interactions = TRUE or a number")
}

in_order <- function(values, order) if (is.null(order)) values else values[order]

take_rows <- function(table, rows) {
  table$x <- if (table$form == "each") lapply(table$x, function(column) column[rows]) else table$x[rows, , drop = FALSE]
  table$rows <- length(rows)
  table
}

checked_size <- function(k, units, control) {
  if (!is.null(control$budget) && is.null(control$costs)) bad_input("budget: it needs the prices of columns: give costs, too")
  if (!is.null(control$costs) && !identical(k, "auto")) bad_input("k = ", shown(k), ": columns have costs, and the budget decides how many are selected: leave k out")
  if (identical(k, "auto")) {
    if (!is.null(control$sizes) && max(control$sizes) > units) bad_input("sizes has ", max(control$sizes), ", but x has ", units, " variables to select from")
    return(0)
  }
  for (name in c("sizes", "rule")) if (!is.null(control[[name]])) bad_input(name, ": it is for k = \"auto\", and k = ", shown(k))
  if (is.character(k)) bad_input("k = ", shown(k), ": it must be a number of variables, or \"auto\"")
  min(a_count(1)(k, "k"), units)
}

# The names that the service has for vectors with a value for each row.
roles_of_rows <- c(
  weights = "weights", offset = "offset", exposure = "exposure", strata = "stratum", query = "query", groups = "group",
  foldid = "fold"
)

# Refuses offsets and exposures that the family does not take.
check_shift <- function(rows, family, table) {
  if (!is.null(rows$offset) && !is.null(rows$exposure)) bad_input("exposure: give either offset or exposure: an exposure is the exponential of an offset")
  if (!is.null(rows$exposure) && !isTRUE(families[[family]]$exposure)) {
    bad_input("exposure: family = \"", family, "\" has none: it is for ", either(names(Filter(function(of) isTRUE(of$exposure), families))), "; others take offset")
  }
  for (name in c("offset", "exposure")) {
    if (!is.null(rows[[name]]) && name %in% table$names) bad_input(name, ": ", table$argument, " has a column \"", name, "\", which is also what the model calls the ", name, ": rename the column")
  }
}

# An offset or an exposure for each row; a single one is for all.
checked_shift <- function(of, n, name) {
  kind <- if (grepl("exposure", name)) "exposure" else "offset"
  if (is.matrix(of) && ncol(of) == 1) of <- of[, 1]
  if (!is.numeric(of) || !is.null(dim(of)) || !length(of) %in% c(1, n)) {
    bad_input(name, " = ", shown(of), ": it must be a number for each of ", n, " rows, or one for all")
  }
  of <- rep_len(as.numeric(of), n)
  wrong <- !is.finite(of) | kind == "exposure" & of <= 0
  if (any(wrong)) bad_input(name, ": row ", which(wrong)[1], " has ", of[wrong][1], ": it must be ", if (kind == "exposure") "positive and finite" else "a finite number")
  of
}

# Checks vectors that have a value for each row, and numbers labels.
checked_rows <- function(rows, n) {
  for (name in names(rows)) {
    of <- rows[[name]]
    if (is.null(of)) next
    if (name %in% c("offset", "exposure")) {
      rows[[name]] <- checked_shift(of, n, name)
      next
    }
    if (!is.atomic(of) || length(of) != n) bad_input(name, " has ", length(of), " values for ", n, " rows")
    if (anyNA(of)) bad_input(name, ": row ", which(is.na(of))[1], " is missing")
    if (name == "weights") {
      if (!is.numeric(of) || any(!is.finite(of) | of < 0)) bad_input("weights: they must be numbers that are finite and not negative")
      of <- as.numeric(of)
    } else {
      labels <- if (name == "strata") sort(unique(of), method = "radix") else if (name == "foldid" && is.numeric(of)) sort(unique(of)) else unique(of)
      of <- as.numeric(match(of, labels) - 1)
    }
    rows[[name]] <- of
  }
  rows
}

progress_bar <- function(wanted) {
  bar <- if (wanted) utils::txtProgressBar(style = 3, file = stderr())
  list(
    set = function(share) if (!is.null(bar)) utils::setTxtProgressBar(bar, share),
    end = function() {
      if (!is.null(bar)) close(bar)
      bar <<- NULL
    }
  )
}
