# What a formula asks for.

# Evaluates a formula in data: the response, the variables and what has a value for each row.
read_formula <- function(formula, data, roles, caller, family) {
  if (length(formula) != 3) bad_input("formula has no response: write it before ~")
  split <- without_offsets(formula[[3]])
  if (is.null(split$side)) bad_input("formula has no variables to select from")
  formula[[3]] <- split$side
  if (is.matrix(data)) data <- as.data.frame(data)
  if (!is.data.frame(data) && !is.environment(data) && !is.list(data)) bad_input("data is of class ", class(data)[1], ": it must be a data frame")
  at <- environment(formula)
  value <- function(expression, name) {
    tryCatch(eval(expression, data, if (is.null(at)) caller else at), error = function(e) bad_input(name, ": ", conditionMessage(e), hint(e)))
  }
  used <- unique(c(all.vars(formula[[2]]), unlist(lapply(roles[names(roles) != "subset"], function(role) if (is.name(role)) as.character(role)))))
  names <- if (is.data.frame(data)) plain_names(formula[[3]], setdiff(names(data), used))
  terms <- NULL
  if (is.null(names)) {
    terms <- tryCatch(stats::terms(formula, data = if (is.data.frame(data)) data), error = function(e) bad_input("formula: ", conditionMessage(e)))
    check_terms(terms)
    frame <- tryCatch(stats::model.frame(terms, data, na.action = stats::na.pass), error = function(e) bad_input("formula: ", conditionMessage(e), hint(e)))
    terms <- attr(frame, "terms")
    y <- if (is_call(formula[[2]], "cbind")) targets_of(formula[[2]], value) else stats::model.response(frame)
    x <- apart(frame[-attr(terms, "response")])
    terms <- stats::delete.response(terms)
  } else {
    absent <- setdiff(names, names(data))
    if (length(absent) > 0) bad_input("formula: data has no column \"", absent[1], "\"")
    if (length(names) == 0) bad_input("formula has no variables to select from")
    y <- if (is_call(formula[[2]], "cbind")) targets_of(formula[[2]], value) else value(formula[[2]], "formula")
    x <- as.data.frame(data)[names]
  }
  shifts <- shifts_of(roles, split$offsets, names(data))
  roles <- lapply(stats::setNames(names(roles), names(roles)), function(role) value(roles[[role]], role))
  n <- NROW(y)
  for (shift in split$offsets) {
    of <- checked_shift(value(shift, "formula"), n, "formula: offset()")
    roles$offset <- if (is.null(roles$offset)) of else checked_shift(roles$offset, n, "offset") + of
  }
  if (nrow(x) != n) bad_input("formula: the response has ", n, " values for ", nrow(x), " rows of data")
  keep <- if (is.null(roles$subset)) rep(TRUE, n) else seq_len(n) %in% seq_len(n)[roles$subset]
  # Some of several targets may be missing, but neither a time nor its event.
  missing <- keep & if (is.null(dim(y))) is.na(y) else if (inherits(y, "Surv") || identical(family, "cox")) rowSums(is.na(if (is.data.frame(y)) y else unclass(y))) > 0 else rowSums(!is.na(y)) == 0
  keep <- keep & !missing
  if (!all(keep)) {
    if (!any(keep)) bad_input("formula: no row has a response")
    x <- x[keep, , drop = FALSE]
    y <- if (is.null(dim(y))) y[keep] else y[keep, , drop = FALSE]
    roles <- lapply(roles, function(values) if (length(values) == n) values[keep] else values)
  }
  dropped <- if (any(missing)) structure(which(missing), class = "omit")
  list(x = x, y = y, roles = roles[names(roles) != "subset"], terms = terms, shifts = shifts, name = paste(deparse(formula[[2]]), collapse = ""), dropped = dropped)
}

# The columns of a response cbind(a, b): cbind() itself would make numbers of factors.
targets_of <- function(side, value) {
  parts <- as.list(side)[-1]
  y <- value(side, "formula")
  named <- names(parts)
  plain <- vapply(parts, function(part) is.null(dim(value(part, "formula"))), NA)
  if (!all(plain) || length(parts) != ncol(y)) return(y)
  names <- vapply(seq_along(parts), function(i) if (!is.null(named) && nzchar(named[i])) named[i] else paste(deparse(parts[[i]]), collapse = ""), "")
  columns <- lapply(parts, value, "formula")
  if (!any(vapply(columns, is.factor, NA))) return(`colnames<-`(y, names))
  as.data.frame(stats::setNames(lapply(columns, rep_len, nrow(y)), names), optional = TRUE)
}

# The names of the columns that a right side of names, dots, plus and minus means; NULL if it is
# anything else. stats::terms takes minutes for thousands of columns.
plain_names <- function(side, all) {
  if (is.name(side)) return(if (identical(side, quote(.))) all else as.character(side))
  if (!is.call(side) || !as.character(side[[1]])[1] %in% c("+", "-", "(")) return(NULL)
  left <- plain_names(side[[2]], all)
  if (identical(side[[1]], quote(`(`)) || is.null(left)) return(left)
  if (length(side) == 2) return(NULL)
  right <- plain_names(side[[3]], all)
  if (is.null(right)) return(NULL)
  if (identical(side[[1]], quote(`+`))) union(left, right) else setdiff(left, right)
}

hint <- function(e) if (grepl("\"Surv\"", conditionMessage(e), fixed = TRUE)) ": write survival::Surv, or cbind(time, event)"

# The right side of a formula without its terms offset(), and what is in these.
without_offsets <- function(side) {
  if (is_call(side, "offset")) {
    if (length(side) != 2) bad_input("formula: ", shown(side), " must have one argument")
    return(list(side = NULL, offsets = list(side[[2]])))
  }
  if (!is_call(side, c("+", "-", "(")) || length(side) == 2 && !is_call(side, "(")) return(list(side = side, offsets = list()))
  left <- without_offsets(side[[2]])
  if (length(side) == 2) {
    if (!is.null(left$side)) side[[2]] <- left$side
    return(list(side = if (!is.null(left$side)) side, offsets = left$offsets))
  }
  right <- without_offsets(side[[3]])
  if (is_call(side, "-") && length(right$offsets) > 0) bad_input("formula: an offset can be added, but not subtracted: write + offset(-...)")
  if (!is.null(left$side) && !is.null(right$side)) {
    side[[2]] <- left$side
    side[[3]] <- right$side
  } else if (is_call(side, "-") && is.null(left$side)) {
    side <- call("-", right$side)
  } else {
    side <- if (is.null(left$side)) right$side else left$side
  }
  list(side = side, offsets = c(left$offsets, right$offsets))
}

is_call <- function(side, names) is.call(side) && is.name(side[[1]]) && as.character(side[[1]]) %in% names

# What new rows need for their offset or exposure, as expressions: those of the formula, and an
# argument that is made of columns of the data.
shifts_of <- function(roles, offsets, columns) {
  given <- Filter(function(role) !is.null(role), roles[c("offset", "exposure")])
  known <- vapply(given, function(role) any(all.vars(role) %in% columns), NA)
  if (all(known)) c(unname(given), offsets) # otherwise newoffset has to give all of it
}

check_terms <- function(terms) {
  special <- grep("^(survival::)?(strata|cluster|tt|frailty)\\(", attr(terms, "term.labels"), value = TRUE)
  if (length(special) > 0) bad_input("formula: ", special[1], " is not a variable: ", if (grepl("strata", special[1])) "give the argument strata" else if (grepl("cluster", special[1])) "the argument groups keeps rows together" else "fsa cannot fit it")
  if (!is.null(attr(terms, "offset"))) bad_input("formula: an offset must be a term of its own: add + offset()")
  if (attr(terms, "intercept") == 0) bad_input("formula has no intercept: fsa always fits one, so leave out 0 or -1")
  of <- attr(terms, "order")
  if (length(of) == 0) bad_input("formula has no variables to select from")
  if (any(of > 1)) bad_input("formula: ", attr(terms, "term.labels")[of > 1][1], " is an interaction: add it to data as a column")
}

# The columns of a model frame. Those of a matrix, such as poly(a, 2), are separate.
apart <- function(frame) {
  columns <- list()
  for (name in names(frame)) {
    column <- frame[[name]]
    if (inherits(column, "AsIs")) class(column) <- setdiff(class(column), "AsIs")
    if (is.matrix(column)) {
      labels <- if (is.null(colnames(column))) seq_len(ncol(column)) else colnames(column)
      for (j in seq_len(ncol(column))) columns[[paste0(name, labels[j])]] <- as.vector(column[, j])
    } else {
      columns[[name]] <- column
    }
  }
  structure(columns, class = "data.frame", row.names = .set_row_names(nrow(frame)))
}
