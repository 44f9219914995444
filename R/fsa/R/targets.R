# Several targets of the same rows: numbers, or labels of two classes each.

# Whether a response has several columns that are targets, rather than times and events.
has_targets <- function(y) !inherits(y, "Surv") && length(dim(y)) == 2 && ncol(y) > 1

# The family of several targets, if none was given.
family_of_targets <- function(y) {
  columns <- columns_of(y)
  two <- vapply(columns, function(of) is_text(of) || length(unique(of[!is.na(of)])) == 2, NA)
  if (all(two)) return("labels")
  if (!any(two)) return("targets")
  bad_input(
    "y has targets of different kinds: ", names(columns)[two][1], " has classes, or two values, and ", names(columns)[!two][1],
    " has numbers: give only labels or only numbers, or family = \"targets\" if all of them are numbers"
  )
}

is_text <- function(of) is.factor(of) || is.character(of) || is.logical(of)

# The columns of a response, by name.
columns_of <- function(y) {
  names <- colnames(y)
  if (is.null(names)) names <- paste0("y", seq_len(ncol(y)))
  names[is.na(names) | names == ""] <- paste0("y", seq_len(ncol(y)))[is.na(names) | names == ""]
  twice <- anyDuplicated(names)
  if (twice > 0) bad_input("y has two columns \"", names[twice], "\": each target needs a name of its own")
  columns <- if (is.data.frame(y)) as.list(y) else lapply(seq_len(ncol(y)), function(c) as.vector(y[, c]))
  stats::setNames(columns, enc2utf8(names))
}

# Several targets as the service takes them: `each` has the numbers of a target, or positions in its levels. NA is a target
# that is not known for a row.
as_targets <- function(y, family) {
  if (!has_targets(y)) bad_input("y has one column, but family = \"", family, "\" has several targets: give a matrix or a data frame with a column for each")
  columns <- columns_of(y)
  unknown <- Reduce(`&`, lapply(columns, is.na))
  if (any(unknown)) bad_input("y: row ", which(unknown)[1], " has no target: leave out rows without any")
  each <- lapply(names(columns), function(name) as_target(columns[[name]], name, family))
  names(each) <- names(columns)
  values <- if (family == "targets") as.matrix(as.data.frame(columns, optional = TRUE)) else as.data.frame(columns, optional = TRUE)
  list(type = "targets", levels = NULL, values = values, each = each)
}

as_target <- function(of, name, family) {
  called <- paste0("y: the target \"", name, "\"")
  known <- of[!is.na(of)]
  if (!is_text(of) && !is.numeric(of)) bad_input(called, " is of class ", class(of)[1], ": it must be numbers, a factor, texts or logicals")
  if (is.numeric(of) && any(is.infinite(known))) bad_input(called, " is infinite in row ", which(is.infinite(of))[1])
  to <- list(type = if (is.factor(of)) "factor" else typeof(of), all_levels = levels(of), ordered = is.ordered(of))
  if (family == "targets") {
    if (is_text(of)) bad_input(called, " holds classes, but family = \"targets\" predicts numbers: leave it out, or fit it alone")
    return(c(to, list(codes = as.numeric(of))))
  }
  n <- length(unique(known))
  if (n != 2) bad_input(called, " has ", n, " class", if (n != 1) "es", ": each of several labels has two classes; ", if (n > 2) "fit it alone" else "leave it out")
  if (!is_text(of)) return(c(to, list(codes = as.numeric(of))))
  texts <- as.character(of)
  names <- sort(unique(texts[!is.na(texts)]), method = "radix")
  if (is.factor(of) && !identical(levels(droplevels(of)), names)) {
    caution("y: the second class of the target \"", name, "\" is \"", names[2], "\", the second of the alphabet: labels have no other order")
  }
  c(to, list(levels = names, codes = as.numeric(match(texts, names) - 1)))
}

# Writes the targets and returns them in the words of the protocol.
write_targets <- function(to, response) {
  lapply(names(response$each), function(name) {
    of <- response$each[[name]]
    c(add_array(to, of$codes), list(name = name), if (!is.null(of$levels)) list(levels = I(of$levels)))
  })
}

target_names <- function(object) vapply(object$targets, `[[`, "", "name")

# The classes of each label as the user gave them: those of decision values, or the second ones.
label_classes <- function(object, c, second) {
  names <- object$targets[[c]]$classes
  as_classes(as.character(names)[second + 1], object$response$each[[object$targets[[c]]$name]])
}

# The predicted class of each label: a data frame with a column for each.
predicted_labels <- function(object, decision) {
  columns <- lapply(seq_along(object$targets), function(c) label_classes(object, c, decision[, c] > 0))
  as.data.frame(stats::setNames(columns, target_names(object)), optional = TRUE)
}

# Whether each label of the training rows is the second class: a matrix.
second_labels <- function(object) {
  to <- vapply(seq_along(object$targets), function(c) as.character(object$y[[c]]) == as.character(label_classes(object, c, TRUE)), logical(nrow(object$y)))
  matrix(to, nrow(object$y), dimnames = list(NULL, target_names(object)))
}
