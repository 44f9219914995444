#' Plots
#'
#' @param x A model of [fsa()] or [fsa_read()].
#' @param type `"responses"` shows what each variable adds to the decision value by itself,
#'   `"importance"` how much it and each interaction adds, and `"sizes"` the cross-validated error of each number
#'   of variables and interactions, or of each budget, with bars of one standard error; the full line is the chosen size
#'   and the dashed one that of the lowest error. `"path"` shows the coefficients of
#'   scaled variables while others are dropped, for the selected ones and, dotted, for
#'   those that were dropped last; the axis above has the number of variables left. A model of [cv.fsa()] shows sizes
#'   unless a type is given.
#' @param variables Names of the variables to show; `NULL` for the nine most
#'   important ones, or for importance the 30 most important ones.
#' @param ... Arguments of [graphics::plot()].
#' @return What is shown, as a data frame or a list of them, invisibly.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- cv.fsa(mpg ~ ., mtcars)
#' plot(fit)
#' plot(fit, "responses")
#' @export
plot.fsa <- function(x, type = c("responses", "importance", "sizes", "path"), variables = NULL, ...) {
  type <- if (!missing(type)) a_word("responses", "importance", "sizes", "path")(type, "type") else if (inherits(x, "cv.fsa") && !is.null(sizes(x))) "sizes" else "responses"
  known <- if (type == "importance") term_names(x) else variable_names(x)
  if (!is.null(variables) && !all(variables %in% known)) {
    of <- setdiff(variables, known)[1]
    bad_input("variables: ", of, if (of %in% term_names(x)) " is an interaction, which has an importance only: " else " is not selected: ", either(known), " is")
  }
  switch(type,
    sizes = plot_sizes(x, ...),
    path = plot_path(x, ...),
    importance = plot_importance(x, variables, ...),
    responses = plot_responses(x, variables, ...)
  )
}

# Calls a plot function with defaults that the user's arguments replace.
with_defaults <- function(f, defaults, ...) {
  given <- list(...)
  do.call(f, c(given, defaults[setdiff(names(defaults), names(given))]))
}

plot_sizes <- function(x, ...) {
  of <- sizes(x)
  if (is.null(of)) bad_input("type = \"sizes\": the model was not cross-validated over sizes")
  low <- of$mean - of$se
  high <- of$mean + of$se
  with_defaults(graphics::plot, list(
    x = if (is.null(of$budget)) of$size else of$budget, y = of$mean, ylim = range(low, high, x$validation$null, na.rm = TRUE), type = "o", pch = 20,
    xlab = if (is.null(of$budget)) "number of variables" else "budget", ylab = paste("cross-validated", x$validation$measure)
  ), ...)
  shown <- which(high > low)
  at <- function(size) if (is.null(of$budget)) size else of$budget[match(size, of$size)]
  graphics::segments(at(of$size)[shown], low[shown], at(of$size)[shown], high[shown], col = "grey60")
  graphics::abline(v = at(x$validation$chosen))
  graphics::abline(v = at(x$validation$best), lty = 2)
  invisible(of)
}

plot_importance <- function(x, variables, ...) {
  of <- fsa_variables(x)
  of <- of[order(-of$importance), ]
  of <- if (is.null(variables)) utils::head(of, 30) else of[of$variable %in% variables, ]
  if (nrow(of) == 0) bad_input("x has no variables to show")
  with_defaults(graphics::dotchart, list(x = rev(of$importance), labels = rev(of$variable), pch = 20, xlab = "importance"), ...)
  invisible(of)
}

plot_responses <- function(x, variables, ...) {
  if (is.null(variables)) variables <- utils::head(variable_names(x), 9)
  of <- x$variables[match(variables, variable_names(x))]
  if (length(of) == 0) bad_input("x has no variables to show")
  all <- lapply(of, response_of, names = if (x$outputs > 1) output_names(x))
  if (length(of) > 1) {
    wide <- ceiling(sqrt(length(of)))
    old <- graphics::par(mfrow = c(ceiling(length(of) / wide), wide), mar = c(4, 4, 1, 1))
    on.exit(graphics::par(old))
  }
  height <- range(lapply(all, `[`, -1))
  for (i in seq_along(of)) {
    at <- all[[i]][[1]]
    y <- as.matrix(all[[i]][-1])
    texts <- is.character(at)
    with_defaults(graphics::matplot, list(
      x = if (texts) seq_along(at) else at, y = y, type = if (texts) "p" else if (of[[i]]$kind == "steps") "s" else "l", pch = 20, lty = 1, ylim = height,
      xlab = variables[i], ylab = "effect", xaxt = if (texts) "n" else "s", xlim = if (texts) c(0.5, length(at) + 0.5)
    ), ...)
    if (texts) graphics::axis(1, seq_along(at), at, las = if (length(at) > 4) 2 else 1)
    graphics::abline(h = 0, col = "grey80")
  }
  invisible(stats::setNames(all, variables))
}

# The effect of a variable: where it is, and what it adds to each decision value.
response_of <- function(v, names) {
  effects <- t(v$coefficients)
  if (v$kind == "category") {
    at <- v$categories
    at[at == ""] <- "(missing)"
  } else if (v$kind == "linear") {
    at <- if (v$low < v$high) c(v$low, v$high) else v$center + c(-1, 1)
    effects <- outer(at - v$center, v$coefficients[, 1])
  } else if (v$kind == "curve") {
    at <- v$knots
  } else {
    at <- seq(v$low, v$high, length.out = nrow(effects) + 1)
    effects <- rbind(effects, effects[nrow(effects), ])
  }
  stats::setNames(data.frame(at, effects), c(v$label, if (is.null(names)) "effect" else names))
}
