#' A step of a recipe that selects variables
#'
#' `step_fsa()` is a step of the package `recipes`, with which models of `parsnip` can
#' be preceded: `prep()` selects variables by [fsa()], and `bake()` drops the others.
#' In a workflow of `tidymodels`, it is repeated in each resample.
#'
#' @param recipe A recipe.
#' @param ... Selectors of the variables to select from, such as
#'   `recipes::all_predictors()`; others are kept.
#' @param k,family Arguments of [fsa()].
#' @param options List of further arguments of [fsa()] and options of [fsa_control()].
#' @param role,trained,columns,removed,fit,skip,id As in every step; `prep()` sets
#'   `columns`, `removed` and the model `fit`.
#' @return The recipe with the step. `recipes::tidy()` of a trained step has the
#'   selected variables.
#' @examplesIf fsa::fsa_available() && requireNamespace("recipes", quietly = TRUE)
#' options(fsa.threads = 2)
#' of <- recipes::recipe(mpg ~ ., mtcars)
#' of <- step_fsa(of, recipes::all_predictors(), k = 3, options = list(quick = TRUE))
#' names(recipes::bake(recipes::prep(of), new_data = NULL))
#' @export
step_fsa <- function(recipe, ..., k = "auto", family = "auto", options = list(), role = NA, trained = FALSE, columns = NULL, removed = NULL,
                     fit = NULL, skip = FALSE, id = recipes::rand_id("fsa")) {
  if (!is.list(options) || length(options) > 0 && (is.null(names(options)) || !all(nzchar(names(options))))) bad_input("options: it must be a list of arguments with names")
  taken <- intersect(names(options), c("x", "y", "formula", "data", "k", "family"))
  if (length(taken) > 0) bad_input("options: the step has ", taken[1], " by itself")
  terms <- if (...length() > 0) rlang::enquos(...) else bad_input("...: give the variables to select from, such as recipes::all_predictors()")
  recipes::add_step(recipe, recipes::step(
    subclass = "fsa", terms = terms, k = k, family = family, options = options, role = role, trained = trained, columns = columns, removed = removed,
    fit = fit, skip = skip, id = id
  ))
}

#' @rdname step_fsa
#' @param x A step.
#' @param training,info,object,new_data As `prep()` and `bake()` give them.
#' @exportS3Method recipes::prep
prep.step_fsa <- function(x, training, info = NULL, ...) {
  columns <- unname(recipes::recipes_eval_select(x$terms, training, info))
  outcome <- info$variable[!is.na(info$role) & info$role == "outcome"]
  if (length(outcome) == 0) bad_input("recipe: it has no outcome")
  if (length(columns) == 0) bad_input("...: no variable of the recipe is meant")
  weights <- info$variable[!is.na(info$role) & info$role == "case_weights"]
  given <- list(x = as.data.frame(training[columns]), y = if (length(outcome) > 1) as.data.frame(training[outcome]) else training[[outcome]], k = x$k, family = x$family)
  if (length(weights) == 1 && is.null(x$options$weights)) given$weights <- as.numeric(training[[weights]])
  if (is.null(x$options$progress)) given$progress <- FALSE
  fit <- do.call(fsa.default, c(given, x$options), quote = TRUE)
  fit$call <- NULL # it would hold the data
  x$fit <- fit
  x$columns <- columns
  x$removed <- setdiff(columns, needed_variables(fit)$name)
  x$trained <- TRUE
  x
}

#' @rdname step_fsa
#' @exportS3Method recipes::bake
bake.step_fsa <- function(object, new_data, ...) {
  absent <- setdiff(setdiff(object$columns, object$removed), names(new_data))
  if (length(absent) > 0) bad_input("new_data lacks what the step has selected: ", paste(utils::head(absent, 5), collapse = ", "))
  new_data[setdiff(names(new_data), object$removed)]
}

#' @export
print.step_fsa <- function(x, ...) {
  cat(if (x$trained) paste("Selected by fsa:", paste(setdiff(x$columns, x$removed), collapse = ", ")) else "Selection by fsa", "\n", sep = "")
  invisible(x)
}

#' @rdname step_fsa
#' @exportS3Method generics::tidy
tidy.step_fsa <- function(x, ...) {
  terms <- if (x$trained) setdiff(x$columns, x$removed) else vapply(x$terms, rlang::as_label, "")
  data.frame(terms = unname(terms), id = rep(x$id, length(terms)))
}

#' @exportS3Method generics::required_pkgs
required_pkgs.step_fsa <- function(x, ...) "fsa"
