#' Predict new rows
#'
#' @param object A model of [fsa()] or [fsa_read()].
#' @param newdata A data frame or matrix with the columns of the selected variables,
#'   by name; others are ignored. If it is missing, the training rows are used.
#' @param type `"response"` gives numbers, or probabilities: of the second of two
#'   classes, or a matrix with a column for each of several. Several quantiles are a
#'   matrix, too, and those of a row are in ascending order, and so are several
#'   targets: their numbers, or the probability of the second class of each label. `"link"` gives the
#'   decision value, which for two classes is the log odds. `"class"` gives the
#'   predicted class, and for several labels a data frame with that of each; and `"terms"` a matrix of what each variable adds to the
#'   decision value, with the rest but the offset in the attribute `constant`. For
#'   `"cox"`, `"link"` is the logarithm of the hazard ratio, `"risk"` (or `"response"`)
#'   the hazard ratio, and `"survival"` a matrix of the probabilities of no event
#'   until `times`, with a column for each.
#' @param times Times for `"survival"`; `NULL` for those of the events in training.
#' @param newoffset,newexposure The offset or the exposure of the rows, a number for
#'   each or one for all, if the model was fitted with it. They can be left out if
#'   `newdata` has the columns that the formula or the arguments `offset` and
#'   `exposure` of [fsa()] used by name.
#' @param interval Coverage of prediction intervals, such as 0.9. The result is then
#'   a matrix with the columns `fit`, `lwr` and `upr`. Only for numbers, and for
#'   models that were cross-validated.
#' @param ... Not used.
#' @return A vector, factor or matrix with an element or row for each row.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(am ~ ., transform(mtcars, am = factor(am)), k = 2, quick = TRUE)
#' predict(fit, mtcars[1:3, ])
#' predict(fit, mtcars[1:3, ], type = "class")
#' predict(fit, mtcars[1:3, ], type = "terms")
#'
#' rides <- data.frame(years = rep(1:4, 10), age = rep(1:10, each = 4))
#' rides$falls <- rides$years + rides$age %% 2
#' count <- fsa(falls ~ age, rides, family = "poisson", exposure = years, k = 1, quick = TRUE)
#' predict(count, data.frame(age = 3), newexposure = 1)
#' @export
predict.fsa <- function(object, newdata, type = c("response", "link", "class", "terms", "risk", "survival"), interval = NULL,
                        times = NULL, newoffset = NULL, newexposure = NULL, ...) {
  if (...length() > 0) bad_input("...: predict() has no argument ", shown(names(list(...))[1]))
  type <- if (missing(type)) "response" else a_word("response", "link", "class", "terms", "risk", "survival")(type, "type")
  if (type == "class" && !object$task %in% c("classification", "multilabel")) bad_input("type = \"class\": the model predicts no classes but ", if (object$task == "ranking") "ranks" else if (object$task == "survival") "risks" else "numbers")
  if (type %in% c("risk", "survival") && object$task != "survival") bad_input("type = \"", type, "\": it is for family = \"cox\"")
  if (type == "risk") type <- "response"
  if (!is.null(times) && type != "survival") bad_input("times: they are for type = \"survival\"")
  if (type == "survival") times <- survival_times(object, times)
  if (!is.null(interval)) {
    if (!is.null(object$quantiles)) bad_input("interval: the model predicts several quantiles, and the lowest and the highest of them are an interval")
    if (!is.null(object$targets)) bad_input("interval: the model predicts several targets, and intervals are for one")
    if (type != "response" || object$task != "regression") bad_input("interval: it is for predicted numbers only")
    interval <- a_number(0, 1, above = TRUE)(interval, "interval")
  }
  if (missing(newdata)) {
    if (is.null(object$linear.predictors)) bad_input("newdata is missing, and the model does not know its training rows")
    if (type == "terms" || !is.null(interval)) bad_input("newdata is missing: give the rows")
    for (name in c("newoffset", "newexposure")) if (!is.null(get(name))) bad_input(name, ": it is for newdata, which is missing")
    if (type == "link") return(plain(object$linear.predictors))
    if (type == "survival") return(survival(object, object$linear.predictors, times))
    if (type == "response") return(object$fitted.values)
    return(predicted_class(object, object$fitted.class, object$linear.predictors))
  }
  table <- new_rows(object, newdata)
  shift <- new_shift(object, newdata, table$rows, newoffset, newexposure, type)
  service <- new.env()
  on.exit(close_service(service))
  open_service(service)
  scores <- score(service, object, table, shift, terms = type == "terms", coverage = interval)
  switch(type,
    link = plain(scores$decision),
    survival = survival(object, scores$decision, times),
    class = predicted_class(object, scores$class, scores$decision),
    terms = as_terms(object, scores$terms),
    if (is.null(interval)) to_response(object, scores) else cbind(fit = plain(scores$decision), lwr = scores$low, upr = scores$high)
  )
}

# newdata as a table with the columns of the model.
new_rows <- function(object, newdata) {
  if (!is.null(object$terms)) {
    if (is.matrix(newdata)) newdata <- as.data.frame(newdata)
    newdata <- tryCatch(
      apart(stats::model.frame(object$terms, newdata, na.action = stats::na.pass)),
      error = function(e) bad_input("newdata: ", conditionMessage(e))
    )
  }
  if (is.atomic(newdata) && is.null(dim(newdata)) && !is.null(names(newdata))) newdata <- t(newdata) # one row
  as_table(newdata, "newdata")
}

# The offset or the exposure of new rows; NULL if the model has none.
new_shift <- function(object, newdata, n, newoffset, newexposure, type) {
  given <- list(offset = newoffset, exposure = newexposure)
  word <- object$shift$word
  for (name in names(given)) {
    if (!is.null(given[[name]]) && !identical(name, word)) {
      bad_input("new", name, ": the model was fitted without an ", name, if (!is.null(word)) paste0(", but with an ", word, ": give new", word) else ": leave it out")
    }
  }
  if (is.null(word)) return(NULL)
  argument <- paste0("new", word)
  if (!is.null(given[[word]])) return(checked_shift(given[[word]], n, argument))
  if (type == "terms") return(rep(if (word == "exposure") 1 else 0, n)) # it is in no term
  needs <- paste0(argument, " is missing: the model was fitted with an ", word)
  if (is.matrix(newdata)) newdata <- as.data.frame(newdata)
  if (is.atomic(newdata)) newdata <- as.data.frame(as.list(newdata)) # one row
  if (!is.null(object$shift$expressions)) {
    values <- lapply(object$shift$expressions, function(expression) {
      of <- tryCatch(eval(expression, newdata, environment(object$formula)), error = function(e) bad_input(needs, ", and newdata does not have it: ", conditionMessage(e)))
      checked_shift(of, n, paste0("newdata: ", word, " ", shown(expression)))
    })
    return(Reduce(`+`, values))
  }
  if (is.data.frame(newdata) && object$shift$name %in% names(newdata)) return(checked_shift(newdata[[object$shift$name]], n, paste0("newdata: ", word)))
  bad_input(needs, ": give a number for each row, or one for all")
}

# The times of survival probabilities.
survival_times <- function(object, times) {
  of <- object$baselines
  if (length(of) != 1 || !is.null(of[[1]]$stratum)) {
    bad_input("type = \"survival\": the model was fitted with strata, each of which has a baseline hazard of its own: it predicts \"link\" and \"risk\" only")
  }
  if (is.null(times)) return(of[[1]]$times)
  if (!is.numeric(times) || length(times) == 0 || anyNA(times)) bad_input("times = ", shown(times), ": they must be numbers")
  as.numeric(times)
}

# The probability that rows have no event until given times.
survival <- function(object, decision, times) {
  of <- object$baselines[[1]]
  hazard <- c(0, of$hazard)[findInterval(times, of$times) + 1]
  to <- exp(-outer(exp(pmin(decision[, 1], 300)), hazard)) # a larger risk would give infinity times zero
  colnames(to) <- times
  to
}

# The columns of a table that a model needs, each as it was in training.
needed_columns <- function(object, table) {
  needed <- needed_variables(object)
  names <- needed$name
  absent <- setdiff(names, table$names)
  if (length(absent) > 0) {
    bad_input("newdata lacks what the model needs: ", paste(utils::head(absent, 5), collapse = ", "), if (length(absent) > 5) paste(" and", length(absent) - 5, "more"))
  }
  columns <- lapply(names, function(name) {
    j <- match(name, table$names)
    x <- if (table$form == "each") table$x[[j]] else as.numeric(table$x[, j])
    if (!name %in% object$moments && needed$text[needed$name == name]) {
      if (all(is.na(x)) || !is.factor(x)) x <- as.character(x)
    } else if (all(is.na(x))) {
      return(list(values = rep(NA_real_, length(x)), kind = if (name %in% object$moments) "date"))
    }
    as_column(x, name, "newdata")
  })
  stats::setNames(columns, names)
}

# Lets the service compute decision values and what follows from them.
score <- function(service, object, table, shift = NULL, terms = FALSE, coverage = NULL) {
  n <- table$rows
  rows <- n * object$outputs
  to <- new_arrays(service)
  columns <- needed_columns(object, table)
  if (!is.null(shift)) columns[[object$shift$name]] <- list(values = shift)
  if (length(columns) == 0) columns <- list(none = list(values = numeric(n))) # a model without variables
  message <- list(rows = n, columns = length(columns), names = I(names(columns)), each = lapply(unname(columns), write_column, to = to))
  space <- function(length) add_array(to, numeric(length))
  want <- list(decision = space(rows))
  if (object$task == "classification") {
    want$class <- space(n)
    if (object$probabilities) want$probability <- space(if (is.null(object$cuts)) rows else n * length(object$classes))
  }
  if (terms) want$contributions <- space(rows * length(term_names(object)))
  if (!is.null(coverage)) want <- c(want, list(low = space(n), high = space(n), coverage = coverage))
  answer <- ask(service, list(op = "predict", model = object$model, files = finish_arrays(to), table = message, predict = want))
  for (name in names(answer$unseen)) {
    caution("newdata: column \"", name, "\" has a category in ", answer$unseen[[name]], " of ", n, " rows that was not in training, or none; it is treated as rare, or adds nothing")
  }
  by_row <- function(at) if (!is.null(at)) matrix(read_array(to, at), n, byrow = TRUE)
  scores <- list(decision = by_row(want$decision), probability = by_row(want$probability), class = NULL, low = NULL, high = NULL)
  for (name in c("class", "low", "high")) if (!is.null(want[[name]])) scores[[name]] <- read_array(to, want[[name]])
  if (terms) scores$terms <- array(read_array(to, want$contributions), c(object$outputs, length(term_names(object)), n))
  if (object$outputs > 1) colnames(scores$decision) <- output_names(object)
  unlink(to$path)
  scores
}

predicted_class <- function(object, codes, decision) {
  if (!is.null(object$targets)) return(predicted_labels(object, decision))
  as_classes(object$classes[codes + 1], object$response)
}

plain <- function(decision) if (ncol(decision) == 1) decision[, 1] else decision

# Quantiles do not cross: those of each row are its decision values in ascending order.
in_order_of_quantiles <- function(decision) {
  to <- matrix(apply(decision, 1, sort), nrow(decision), byrow = TRUE)
  colnames(to) <- colnames(decision)
  to
}

# Predictions of type response.
to_response <- function(object, scores) {
  if (!is.null(object$quantiles)) return(in_order_of_quantiles(scores$decision))
  if (object$task != "classification") return(plain(families[[object$family]]$inverse(scores$decision)))
  if (is.null(scores$probability)) return(plain(scores$decision))
  p <- scores$probability
  if (ncol(p) == 1) return(p[, 1])
  colnames(p) <- object$classes
  levels <- object$response$levels
  if (is.null(levels)) p else p[, levels, drop = FALSE]
}

as_terms <- function(object, terms) {
  names <- term_names(object)
  if (object$outputs == 1) {
    to <- t(matrix(terms, length(names), dimnames = list(names, NULL)))
    return(structure(to, constant = object$intercept))
  }
  structure(aperm(array(terms, dim(terms), list(output_names(object), names, NULL)), c(3, 2, 1)), constant = stats::setNames(object$intercept, output_names(object)))
}
