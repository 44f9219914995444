# Tables as the service takes them.

year <- 365.2425 * 86400 # seconds

# A column: numbers, or positions in a list of texts, or dates in years.
as_column <- function(x, name, argument = "x") {
  called <- paste0(argument, ": column \"", name, "\"")
  if (is.factor(x)) return(as_category(as.integer(x), levels(x)))
  if (is.character(x)) return(as_category(match(x, unique(x)), unique(x)))
  if (inherits(x, "Date")) return(as_moments(floor(as.numeric(x)) * 86400))
  if (inherits(x, "POSIXt")) {
    x <- as.POSIXlt(x) # the clock that R shows counts
    attr(x, "tzone") <- "UTC"
    return(as_moments(as.numeric(as.POSIXct(x, tz = "UTC"))))
  }
  if (inherits(x, "difftime")) return(list(values = as.numeric(x, units = "secs")))
  if (inherits(x, "integer64")) bad_input(called, " is of class integer64: make it numbers, as.numeric(x)")
  if (is.list(x) || is.complex(x) || is.raw(x) || is.function(x) || !is.atomic(x)) {
    bad_input(called, " is of class ", class(x)[1], ": it must be numbers, texts, a factor, logicals or dates")
  }
  if (!is.null(dim(x)) && length(dim(x)) > 1) bad_input(called, " is a matrix: give each of its columns a name of its own")
  x <- as.vector(unclass(x))
  if (is.double(x) && any(is.infinite(x))) bad_input(called, " is infinite in row ", which(is.infinite(x))[1], ": give a number, or NA where it is missing")
  if (anyNA(x)) x <- as.numeric(x)
  list(values = if (is.logical(x)) as.integer(x) else x)
}

# Categories are numbered by first appearance, as in a file. An empty text is a missing one.
as_category <- function(codes, levels) {
  levels <- enc2utf8(levels)
  levels[is.na(levels)] <- ""
  used <- unique(codes[!is.na(codes)])
  used <- used[levels[used] != ""]
  place <- rep(-1L, length(levels))
  place[used] <- seq_along(used) - 1L
  values <- place[codes]
  values[is.na(values)] <- -1L
  list(values = values, levels = levels[used])
}

# Dates and times in years, from seconds since 1970 by the clock.
as_moments <- function(seconds) {
  whole <- all(is.na(seconds) | seconds %% 86400 == 0)
  list(values = 1970 + seconds / year, kind = if (whole) "date" else "datetime")
}

# Says what x is, and checks it.
as_table <- function(x, argument = "x") {
  if (is.data.frame(x)) {
    table <- list(rows = nrow(x), names = names(x), x = as.list(x), form = "each")
  } else if (methods::is(x, "Matrix")) {
    table <- list(rows = nrow(x), names = colnames(x), x = as_compressed(x), form = "sparse")
  } else if (is.matrix(x) && (is.numeric(x) || is.logical(x))) {
    table <- list(rows = nrow(x), names = colnames(x), x = x, form = "dense")
  } else if (is.matrix(x) && is.character(x)) {
    bad_input(argument, " is a matrix of texts: give a data frame")
  } else {
    bad_input(argument, " is of class ", class(x)[1], ": it must be a data frame, a matrix of numbers, or a Matrix")
  }
  table$argument <- argument
  width <- if (table$form == "each") length(table$x) else ncol(x)
  if (is.null(table$names)) table$names <- paste0("V", seq_len(width))
  table$names <- enc2utf8(table$names)
  if (table$rows < 1 || width < 1) bad_input(argument, " has ", table$rows, " rows of ", width, " columns")
  bad <- is.na(table$names) | table$names == ""
  if (any(bad)) bad_input(argument, ": column ", which(bad)[1], " has no name")
  if (anyDuplicated(table$names)) bad_input(argument, ": two columns are called \"", table$names[anyDuplicated(table$names)], "\": rename one")
  if (table$form == "dense") {
    # chunk by chunk, because is.infinite of a large matrix takes memory
    for (j in which(!is.finite(colSums(x, na.rm = TRUE)))) {
      if (any(is.infinite(x[, j]))) bad_input(argument, ": column \"", table$names[j], "\" is infinite in row ", which(is.infinite(x[, j]))[1], ": give a number, or NA where it is missing")
    }
  }
  table
}

# A sparse matrix in compressed columns of numbers.
as_compressed <- function(x) {
  if (!methods::is(x, "dgCMatrix")) {
    x <- methods::as(methods::as(methods::as(x, "dMatrix"), "generalMatrix"), "CsparseMatrix")
  }
  if (any(is.infinite(x@x))) bad_input("x has infinite numbers: give numbers, or NA where they are missing")
  x
}

# Writes a table and returns it in the words of the protocol.
write_table <- function(to, table) {
  width <- length(table$names)
  message <- list(rows = table$rows, columns = width, names = I(table$names))
  x <- table$x
  if (table$form == "each") {
    message$each <- lapply(seq_len(width), function(j) write_column(to, as_column(x[[j]], table$names[j], table$argument)))
  } else if (table$form == "sparse") {
    message$sparse <- list(
      columns = TRUE, start = add_array(to, x@p, 8L), index = add_array(to, x@i), value = add_array(to, as.numeric(x@x))
    )
  } else {
    message$dense <- c(add_array(to, if (is.double(x)) x else as.numeric(x)), fortran = TRUE)
  }
  message
}

write_column <- function(to, column) {
  at <- add_array(to, column$values)
  if (!is.null(column$levels)) at$levels <- I(column$levels)
  at$kind <- column$kind
  at
}
