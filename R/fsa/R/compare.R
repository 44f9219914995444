#' Compare a model with one of columns of your own
#'
#' `fsa_compare()` says what a list of columns would cost instead of the selected
#' ones. It cross-validates a model of these columns alone, with the settings and the
#' folds of the model, and compares the out-of-fold losses of both, row by row.
#'
#' @param object A cross-validated model of [fsa()] or [cv.fsa()], or the path of a
#'   run folder of the command `fsa fit --out`.
#' @param columns Names of columns.
#' @param x Result of `fsa_compare()`.
#' @param digits Number of digits.
#' @param ... Not used.
#' @details
#' Models do not keep their data, so the call of a model is evaluated again, as by
#' [stats::update()]: its data must still be there, and the same. This takes as long as two fits. A run folder
#' is compared in the working directory where its fit was started.
#' @return A list of class `fsa_compare`: the `columns`, the name of the `loss`, its
#' mean for the columns (`own`) and for the model (`mean`), their `difference`, which
#' is positive if the columns are worse, with a 95% interval from `low` to `high`, and
#' the number of independent `units` that were compared: rows, or groups of them.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(mpg ~ ., mtcars, k = 2)
#' fsa_compare(fit, c("hp", "qsec"))
#' @export
fsa_compare <- function(object, columns) {
  if (!is.character(columns) || length(columns) == 0 || anyNA(columns)) bad_input("columns = ", shown(columns), ": it must be names of columns")
  columns <- unique(columns)
  of <- if (is.character(object)) compare_run(object, columns) else compare_fit(object, columns, parent.frame())
  structure(of, class = "fsa_compare")
}

# The comparison of a run by the command.
compare_run <- function(path, columns) {
  if (length(path) != 1 || is.na(path) || !file.exists(path)) bad_input("object = ", shown(path), ": there is no such run folder")
  if (any(grepl("[,\"\n]", columns))) bad_input("columns: the command cannot take names with commas, quotation marks or line ends")
  said <- tempfile()
  on.exit(unlink(said))
  words <- c("compare", "--json", "--columns", shQuote(paste(columns, collapse = ",")), "--", shQuote(path))
  out <- suppressWarnings(system2(fsa_binary(), words, stdout = TRUE, stderr = said))
  if (!is.null(attr(out, "status"))) bad_input("object: ", in_r(paste(readLines(said), collapse = "\n")))
  parse_json(paste(out, collapse = "\n"))[c("columns", "loss", "own", "mean", "difference", "low", "high", "units")]
}

compare_fit <- function(object, columns, frame) {
  check_fsa(object)
  if (is.null(object$call)) bad_input("object: it was read from a file, which has no data: give the path of its run folder")
  if (is.null(object$validation)) bad_input("object: it was not cross-validated, so that there is nothing to compare: fit again without quick = TRUE, or with nfolds")
  if (!object$task %in% c("regression", "classification")) bad_input("object: family = \"", object$family, "\" compares rows with each other: fsa_compare() works for numbers and classes")
  control <- control_of(object$call, frame)
  if (!is.null(control$repeats) && control$repeats > 1) bad_input("object: it was fitted with repeats = ", control$repeats, ", and fsa_compare() needs one")
  control$held_out <- TRUE # the losses of held-out rows are returned
  full <- fit_again(object, "auto", control, frame)
  if (!identical(full$model, object$model)) bad_input("object: fitted again, it is another model: its data have changed, or it ended at max_time")
  control[c("sizes", "rule", "fdr", "reference", "rivals", "stability")] <- NULL
  control$force <- I(columns)
  control$nfolds <- object$validation$folds
  few <- tryCatch(fit_again(object, units_of(columns, control$feature_groups), control, frame), fsa_input_error = function(e) {
    bad_input(sub("^force has", "columns has", conditionMessage(e)))
  })
  if (!identical(full$held_out[c("fold", "row")], few$held_out[c("fold", "row")])) fail("fsa_error", "the folds of the model cannot be made again: fit it with foldid")
  rows <- unlist(full$held_out$row) + 1
  weight <- if (is.null(full$weights)) rep(1, length(rows)) else full$weights[rows]
  own <- unlist(few$held_out$losses)
  mean <- unlist(full$held_out$losses)
  unit <- if (is.null(full$held_out$group)) rows else full$held_out$group[rows]
  c(
    list(columns = columns, loss = object$loss, own = stats::weighted.mean(own, weight), mean = stats::weighted.mean(mean, weight)),
    paired(own - mean, weight, unit, object$validation$folds)
  )
}

# The options of a call of fsa(), whether it has them by themselves or as the argument control.
control_of <- function(call, frame) {
  if (!is.null(call$control)) return(eval(call$control, frame))
  own <- c(names(formals(fsa.default)), names(formals(fsa.formula)))
  options <- as.list(call)[-1]
  options <- options[nzchar(names(options)) & !names(options) %in% own]
  do.call(fsa_control, lapply(options, eval, frame))
}

# Evaluates the call of a model again, with other options and, if it is a number, another size.
fit_again <- function(object, k, control, frame) {
  call <- object$call
  own <- c("", "control", names(formals(fsa.default)), names(formals(fsa.formula)))
  call <- call[names(call) %in% own]
  call[[1]] <- quote(fsa::fsa)
  call$control <- control
  call$progress <- FALSE
  if (is.numeric(k) || is.null(call$k)) call$k <- k
  suppressWarnings(eval(call, frame), classes = "fsa_warning")
}

# The number of groups that columns belong to, each of which is selected as one.
units_of <- function(columns, groups) {
  of <- vapply(columns, function(column) c(which(vapply(groups, function(g) column %in% g, NA)), NA_integer_)[1], 0L)
  length(unique(stats::na.omit(of))) + sum(is.na(of))
}

# The mean of differences, with the interval that the program computes: a t interval of the sums of
# units, widened because the training rows of folds overlap (Nadeau and Bengio 2003).
paired <- function(difference, weight, unit, folds) {
  mean <- stats::weighted.mean(difference, weight)
  used <- weight > 0
  sums <- rowsum((weight * (difference - mean))[used], unit[used])
  n <- length(sums)
  error <- sqrt(sum(sums^2) * n / (n - 1)) / sum(weight)
  reach <- stats::qt(0.975, n - 1) * error * sqrt(1 + folds / max(folds - 1, 1))
  list(difference = mean, low = mean - reach, high = mean + reach, units = n)
}

#' @rdname fsa_compare
#' @export
print.fsa_compare <- function(x, digits = 3, ...) {
  brief <- function(number) format(number, digits = digits)
  cat(
    paste(x$columns, collapse = ", "), " alone against the model: out-of-fold ", x$loss, " ", brief(x$own), " instead of ", brief(x$mean),
    ", difference ", brief(x$difference), " (95%: ", brief(x$low), " to ", brief(x$high), "): ",
    if (x$low > 0) "the columns lose" else if (x$high < 0) "the columns are better" else "no clear difference", "\n", sep = ""
  )
  invisible(x)
}
