# What a model file says, as an object of class fsa.

# The newest version of model files that this package reads.
model_version <- 11

new_fsa <- function(text) {
  file <- parse_json(text)
  if (!identical(file$format, "fsa-model") || is.null(file$model)) bad_input("this is not a model of fsa")
  of <- file$model
  if (file$version > model_version || !of$loss %in% names(family_of)) {
    bad_input("the model is of a newer fsa, version ", file$version, " with the loss ", of$loss, ": update the package")
  }
  variables <- lapply(of$variables, read_variable, outputs = of$outputs, bins = of$bins)
  structure(class = "fsa", list(
    model = text, family = family_of[[of$loss]], task = of$task, loss = of$loss,
    classes = of$classes, quantiles = of$loss_settings$quantiles, cuts = of$loss_settings$thresholds, targets = of$targets, outputs = of$outputs, intercept = of$intercept, variables = variables,
    interactions = lapply(of$interactions, read_interaction), discoveries = of$discoveries,
    costs = of$training$costs, confidence = read_confidence(of$stability),
    k = of$training$k, nobs = of$training$rows, columns = of$training$columns,
    status = of$training$status, metrics = unlist(of$training$metrics), validation = of$validation,
    probabilities = isTRUE(of$calibrated) || of$loss %in% c("logistic", "multinomial", "ordinal"),
    baselines = of$baselines, tests = of$tests, start = read_start(of$offset_model, of$outputs),
    shift = if (!is.null(of$training$offset)) list(name = of$training$offset, word = if (isTRUE(of$training$exposure)) "exposure" else "offset"),
    moments = moments_of(of)
  ))
}

# A variable of a model, whose coefficients become a matrix with a row for each output.
read_variable <- function(v, outputs, bins) {
  v$coefficients <- matrix(v$coefficients, outputs, byrow = TRUE)
  v$label <- if (is.null(v$part)) v$name else paste0(v$name, ".", v$part)
  if (is.null(v$importance)) v$importance <- v$norm # until version 6 of model files
  if (is.null(v$categories)) v$categories <- v$levels
  v$levels <- v$norm <- NULL
  for (name in c("center", "mean", "low", "high")) if (is.null(v[[name]])) v[[name]] <- 0
  if (v$kind == "curve" && is.null(v$knots)) v$knots <- seq(v$low, v$high, length.out = bins + 1)
  v
}

# The names of the columns that hold dates or times, also of an offset model.
moments_of <- function(of) {
  if (is.null(of)) return(NULL)
  unique(c(unlist(lapply(of$columns, function(column) if (column$kind %in% c("date", "time")) column$name)), moments_of(of$offset_model)))
}

# The offset model from which a fit started: what it needs of a row.
read_start <- function(of, outputs) {
  if (is.null(of)) return(NULL)
  list(
    variables = lapply(of$variables, read_variable, outputs = outputs, bins = of$bins), interactions = lapply(of$interactions, read_interaction),
    start = read_start(of$offset_model, outputs)
  )
}

# A pair of variables of a model, named as in a formula.
read_interaction <- function(p) {
  p$label <- paste(vapply(p$variables, `[[`, "", "name"), collapse = ":")
  p
}

# The confidence intervals of a model, if they were asked for: their level, and those of each variable.
read_confidence <- function(stability) {
  if (is.null(stability$confidence)) return(NULL)
  list(level = stability$confidence, variables = lapply(stability$variables, `[`, c("estimate", "low", "high")))
}

# The selected variables, those of interactions, which need not be among them, and those of an offset model: their names,
# and whether they are texts.
needed_variables <- function(object) {
  all <- list()
  of <- object
  while (!is.null(of)) {
    all <- c(all, of$variables, unlist(lapply(of$interactions, `[[`, "variables"), recursive = FALSE))
    of <- of$start
  }
  name <- vapply(all, `[[`, "", "name")
  texts <- vapply(all, function(v) identical(v$kind, "category") || is.null(v$kind) && !is.null(v$categories), NA)
  data.frame(name = unique(name), text = unique(name) %in% name[texts])
}

# The names of the decision values of a row, if there are several: targets, classes or quantiles.
output_names <- function(object) {
  if (!is.null(object$targets)) return(target_names(object))
  if (is.null(object$quantiles)) object$classes else format_each(object$quantiles)
}

format_each <- function(numbers) vapply(numbers, format, "", digits = 15)

variable_names <- function(object) vapply(object$variables, `[[`, "", "label")

# The names of what adds to a decision value, in the order of the service.
term_names <- function(object) c(variable_names(object), vapply(object$interactions, `[[`, "", "label"))

#' Read and write model files
#'
#' `fsa_write()` writes the `model.json` that `fsa show` and `fsa predict` read,
#' and `fsa_read()` reads one, also from the command or from Python.
#'
#' @param path Path of the file. `fsa_read()` also takes the folder of a run.
#' @param object A model of [fsa()].
#' @return `fsa_read()` returns an object of class `fsa`, which has neither the
#' training rows nor the formula. `fsa_write()` returns `path`, invisibly.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(mpg ~ ., mtcars, k = 3, quick = TRUE)
#' file <- tempfile(fileext = ".json")
#' fsa_write(fit, file)
#' identical(predict(fsa_read(file), mtcars), predict(fit, mtcars))
#' @export
fsa_read <- function(path) {
  if (!is.character(path) || length(path) != 1 || is.na(path)) bad_input("path = ", shown(path), ": it must be the path of a file")
  folder <- if (dir.exists(path)) normalizePath(path)
  if (!is.null(folder)) path <- file.path(path, "model.json")
  if (!file.exists(path)) bad_input("path: there is no file ", path)
  # The program checks the file, its checksum too.
  said <- suppressWarnings(system2(fsa_binary(), c("show", shQuote(normalizePath(path))), stdout = TRUE, stderr = TRUE))
  if (!is.null(attr(said, "status"))) bad_input("path: ", paste(said, collapse = "\n"))
  bytes <- readBin(path, "raw", file.size(path))
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  object <- tryCatch(new_fsa(text), error = function(e) bad_input("path: ", path, " cannot be read: ", conditionMessage(e)))
  object$run_folder <- folder
  object
}

#' @rdname fsa_read
#' @export
fsa_write <- function(object, path) {
  check_fsa(object)
  if (!is.character(path) || length(path) != 1 || is.na(path)) bad_input("path = ", shown(path), ": it must be the path of a file")
  if (!dir.exists(dirname(path))) bad_input("path: there is no folder ", dirname(path))
  write_whole(object$model, path)
  invisible(path)
}

# Writes a text into a file that appears whole or not at all.
write_whole <- function(text, path) {
  part <- tempfile("fsa-", dirname(path))
  on.exit(unlink(part))
  writeBin(charToRaw(enc2utf8(text)), part)
  if (!file.rename(part, path)) fail("fsa_error", "path: ", path, " cannot be written")
}

check_fsa <- function(object) {
  if (!inherits(object, "fsa")) bad_input("object is of class ", class(object)[1], ": it must be a model of fsa()")
}

#' The selected variables
#'
#' @param object A model of [fsa()] or [fsa_read()].
#' @return A data frame with a row for each variable, the most important first, and
#'   then for each interaction, such as `a:b`:
#'   its `variable` name, `kind` (linear, curve, steps, category or interaction), `importance`
#'   (standard deviation of what it adds to the decision value), `inclusion` (share
#'   of the folds that select it, `NA` without cross-validation) and `coefficient`
#'   (`NA` where there is not one number).
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fsa_variables(fsa(mpg ~ ., mtcars, k = 3, quick = TRUE))
#' @export
fsa_variables <- function(object) {
  check_fsa(object)
  v <- object$variables
  share <- object$validation$inclusion
  pairs <- object$interactions
  none <- rep(NA_real_, length(pairs))
  data.frame(
    variable = term_names(object),
    kind = c(vapply(v, `[[`, "", "kind"), rep("interaction", length(pairs))),
    importance = vapply(c(v, pairs), `[[`, 0, "importance"),
    inclusion = c(vapply(v, function(one) if (is.null(share[[one$name]])) NA_real_ else share[[one$name]], 0), none),
    coefficient = c(vapply(v, function(one) if (one$kind == "linear" && object$outputs == 1) one$coefficients[1, 1] else NA_real_, 0), none)
  )
}

#' Coefficients
#'
#' @param object A model of [fsa()] or [fsa_read()].
#' @param ... Not used.
#' @return A vector with the intercept, the slope of each number and a value for
#'   each category, named by variable and category; with several classes,
#'   quantiles or targets, a matrix with a column for each. Variables that were not selected are left out. A model
#'   of curves has no coefficients: fit it with `bins = 0`. Neither has a model with
#'   interactions, of which each variable has several effects. Those of `"cox"` are
#'   logarithms of hazard ratios, and have no intercept. Those of `"ordinal"` have a
#'   threshold between neighbouring classes, such as `low|mid`, in its place: the log
#'   odds of `low` are the threshold minus the decision value.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' coef(fsa(mpg ~ ., mtcars, k = 3, bins = 0, quick = TRUE))
#' @export
coef.fsa <- function(object, ...) {
  curved <- vapply(object$variables, function(v) v$kind %in% c("curve", "steps"), NA)
  if (any(curved)) {
    fail("fsa_error", "the response to ", variable_names(object)[curved][1], " is a curve, which has no coefficient: see plot(), or fit with bins = 0")
  }
  if (!is.null(object$start)) fail("fsa_error", "the model contains the offset model from which it started, so that variables have no single coefficients: see fsa_variables()")
  if (length(object$interactions) > 0) {
    fail("fsa_error", "the model has the interaction ", object$interactions[[1]]$label, ", so that variables have no single coefficients: see fsa_variables(), or fit without interactions")
  }
  base <- object$intercept
  rows <- lapply(object$variables, function(v) {
    to <- t(v$coefficients)
    rownames(to) <- effect_names(v)
    if (!is.null(v$missing)) {
      to <- rbind(to, v$missing)
      rownames(to)[nrow(to)] <- paste0("is.na(", v$label, ")")
    }
    to
  })
  for (v in object$variables) if (v$kind == "linear") base <- base - v$coefficients[, 1] * v$center
  all <- do.call(rbind, c(list(matrix(base, 1, dimnames = list("(Intercept)", NULL))), rows))
  if (object$task == "survival") return(all[-1, 1])
  if (!is.null(object$cuts)) {
    names <- object$classes
    return(c(stats::setNames(object$cuts - base, paste(names[-length(names)], names[-1], sep = "|")), all[-1, 1]))
  }
  if (object$outputs == 1) return(all[, 1])
  colnames(all) <- output_names(object)
  all
}

# The names of the effects of a variable: one for a line, or those of its categories, knots or bins.
effect_names <- function(v) {
  if (!is.null(v$categories)) return(paste0(v$label, v$categories))
  if (v$kind == "linear") return(v$label)
  at <- if (v$kind == "curve") v$knots else utils::head(seq(v$low, v$high, length.out = ncol(v$coefficients) + 1), -1)
  paste0(v$label, "[", vapply(at, format, "", digits = 6), "]")
}
