#' Predict new rows
#'
#' @param object A model of [fsa()] or [fsa_read()].
#' @param newdata A data frame or matrix with the columns of the selected variables,
#'   by name; others are ignored. If it is missing, the training rows are used.
#' @param type `"response"` gives numbers, or probabilities: of the second of two
#'   classes, or a matrix with a column for each of several. `"link"` gives the
#'   decision value, which for two classes is the log odds. `"class"` gives the
#'   predicted class, and `"terms"` a matrix of what each variable adds to the
#'   decision value, with the rest in the attribute `constant`.
#' @param interval Coverage of prediction intervals, such as 0.9. The result is then a matrix with the columns `fit`, `lwr` and `upr`. Only
#'   for numbers, and for models that were cross-validated.
#' @param ... Not used.
#' @return A vector, factor or matrix with an element or row for each row.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(am ~ ., transform(mtcars, am = factor(am)), k = 2, quick = TRUE)
#' predict(fit, mtcars[1:3, ])
#' predict(fit, mtcars[1:3, ], type = "class")
#' predict(fit, mtcars[1:3, ], type = "terms")
#' @export
predict.fsa <- function(object, newdata, type = c("response", "link", "class", "terms"), interval = NULL, ...) {
  if (...length() > 0) bad_input("...: predict() has no argument ", shown(names(list(...))[1]))
  type <- if (missing(type)) "response" else a_word("response", "link", "class", "terms")(type, "type")
  if (type == "class" && object$task != "classification") bad_input("type = \"class\": the model predicts no classes but ", if (object$task == "ranking") "ranks" else "numbers")
  if (!is.null(interval)) {
    if (type != "response" || object$task != "regression") bad_input("interval: it is for predicted numbers only")
    interval <- a_number(0, 1, above = TRUE)(interval, "interval")
  }
  if (missing(newdata)) {
    if (is.null(object$linear.predictors)) bad_input("newdata is missing, and the model does not know its training rows")
    if (type == "terms" || !is.null(interval)) bad_input("newdata is missing: give the rows")
    if (type == "link") return(plain(object$linear.predictors))
    if (type == "response") return(object$fitted.values)
    return(predicted_class(object, object$fitted.class))
  }
  table <- new_rows(object, newdata)
  service <- new.env()
  on.exit(close_service(service))
  open_service(service)
  scores <- score(service, object, table, terms = type == "terms", coverage = interval)
  switch(type,
    link = plain(scores$decision),
    class = predicted_class(object, scores$class),
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

# The columns of a table that a model needs, each as it was in training.
needed_columns <- function(object, table) {
  names <- unique(vapply(object$variables, `[[`, "", "name"))
  absent <- setdiff(names, table$names)
  if (length(absent) > 0) {
    bad_input("newdata lacks what the model needs: ", paste(utils::head(absent, 5), collapse = ", "), if (length(absent) > 5) paste(" and", length(absent) - 5, "more"))
  }
  columns <- lapply(names, function(name) {
    j <- match(name, table$names)
    x <- if (table$form == "each") table$x[[j]] else as.numeric(table$x[, j])
    texts <- !name %in% object$moments && any(vapply(object$variables, function(v) v$name == name && v$kind == "category", NA))
    if (texts) {
      if (all(is.na(x)) || !is.factor(x)) x <- as.character(x)
    } else if (all(is.na(x))) {
      return(list(values = rep(NA_real_, length(x)), kind = if (name %in% object$moments) "date"))
    }
    as_column(x, name, "newdata")
  })
  stats::setNames(columns, names)
}

# Lets the service compute decision values and what follows from them.
score <- function(service, object, table, terms = FALSE, coverage = NULL) {
  n <- table$rows
  rows <- n * object$outputs
  to <- new_arrays(service)
  columns <- needed_columns(object, table)
  if (length(columns) == 0) columns <- list(none = list(values = numeric(n))) # a model without variables
  message <- list(rows = n, columns = length(columns), names = I(names(columns)), each = lapply(unname(columns), write_column, to = to))
  space <- function(length) add_array(to, numeric(length))
  want <- list(decision = space(rows))
  if (object$task == "classification") {
    want$class <- space(n)
    if (object$probabilities) want$probability <- space(rows)
  }
  if (terms) want$contributions <- space(rows * length(object$variables))
  if (!is.null(coverage)) want <- c(want, list(low = space(n), high = space(n), coverage = coverage))
  answer <- ask(service, list(op = "predict", model = object$model, files = finish_arrays(to), table = message, predict = want))
  for (name in names(answer$unseen)) {
    caution("newdata: column \"", name, "\" has a category in ", answer$unseen[[name]], " of ", n, " rows that was not in training, or none; it is treated as rare, or adds nothing")
  }
  by_row <- function(at) if (!is.null(at)) matrix(read_array(to, at), n, byrow = TRUE)
  scores <- list(decision = by_row(want$decision), probability = by_row(want$probability), class = NULL, low = NULL, high = NULL)
  for (name in c("class", "low", "high")) if (!is.null(want[[name]])) scores[[name]] <- read_array(to, want[[name]])
  if (terms) scores$terms <- array(read_array(to, want$contributions), c(object$outputs, length(object$variables), n))
  if (object$outputs > 1) colnames(scores$decision) <- object$classes
  unlink(to$path)
  scores
}

predicted_class <- function(object, codes) as_classes(object$classes[codes + 1], object$response)

plain <- function(decision) if (ncol(decision) == 1) decision[, 1] else decision

# Predictions of type response.
to_response <- function(object, scores) {
  if (object$task != "classification") return(plain(families[[object$family]]$inverse(scores$decision)))
  if (is.null(scores$probability)) return(plain(scores$decision))
  p <- scores$probability
  if (ncol(p) == 1) return(p[, 1])
  colnames(p) <- object$classes
  levels <- object$response$levels
  if (is.null(levels)) p else p[, levels, drop = FALSE]
}

as_terms <- function(object, terms) {
  names <- variable_names(object)
  if (object$outputs == 1) {
    to <- t(matrix(terms, length(names), dimnames = list(names, NULL)))
    return(structure(to, constant = object$intercept))
  }
  structure(aperm(array(terms, dim(terms), list(object$classes, names, NULL)), c(3, 2, 1)), constant = stats::setNames(object$intercept, object$classes))
}
