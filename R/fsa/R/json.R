# JSON without another package. R's own numbers are written with 17 digits, so that none
# changes.

# Writes a value: named lists are objects, other lists and I(vector) arrays, NULL nothing.
json <- function(x) {
  if (inherits(x, "AsIs")) {
    return(paste0("[", paste(json_scalars(unclass(x)), collapse = ","), "]"))
  }
  if (!is.list(x)) {
    return(if (length(x) == 1) json_scalars(x) else paste0("[", paste(json_scalars(x), collapse = ","), "]"))
  }
  x <- x[!vapply(x, is.null, NA)]
  parts <- vapply(x, json, "")
  if (is.null(names(x))) {
    return(paste0("[", paste(parts, collapse = ","), "]"))
  }
  paste0("{", paste(json_text(names(x)), parts, sep = ":", collapse = ","), "}")
}

json_scalars <- function(x) {
  if (is.logical(x)) return(ifelse(x, "true", "false"))
  if (is.numeric(x)) return(sprintf("%.17g", x))
  json_text(x)
}

json_text <- function(x) {
  x <- enc2utf8(as.character(x))
  x <- gsub("\"", "\\\"", gsub("\\", "\\\\", x, fixed = TRUE), fixed = TRUE)
  if (any(grepl("[\001-\037]", x))) {
    for (code in 1:31) {
      x <- gsub(intToUtf8(code), sprintf("\\u%04x", code), x, fixed = TRUE)
    }
  }
  paste0("\"", x, "\"")
}

# A text, an array of numbers, a number or a word, or a mark. Nothing is tried twice.
json_token <- "(\"(?:[^\"\\\\]++|\\\\.)*+\"|\\[[-+0-9.eE,\\s]++\\]|[-+0-9.eEa-z]++|[{}\\[\\],:])\\s*+"

# Reads a value: objects become named lists, arrays of scalars vectors, other arrays lists.
# Fails if the text is not JSON.
parse_json <- function(text) {
  # Texts in JSON have no line ends, so these can separate tokens.
  tokens <- strsplit(gsub(json_token, "\\1\n", trimws(text), perl = TRUE, useBytes = TRUE), "\n", fixed = TRUE, useBytes = TRUE)[[1]]
  Encoding(tokens) <- "bytes"
  at <- 0
  kind <- substr(tokens, 1, 1)
  following <- function() {
    at <<- at + 1
    if (at > length(tokens)) stop("it is cut off")
    kind[at]
  }
  expect <- function(mark) if (following() != mark || tokens[at] != mark) stop("there is no ", mark, " at token ", at)
  value <- function() {
    switch(following(),
      "{" = object(),
      "[" = if (tokens[at] == "[") array() else numbers(tokens[at]),
      "\"" = json_plain(tokens[at]),
      scalar(tokens[at])
    )
  }
  object <- function() {
    to <- list()
    names <- character()
    if (kind[at + 1] %in% "}") {
      following()
      return(stats::setNames(list(), character()))
    }
    repeat {
      if (following() != "\"") stop("there is no name at token ", at)
      names[length(names) + 1] <- json_plain(tokens[at])
      expect(":")
      to[length(to) + 1] <- list(value())
      if (following() == "}") break
      if (kind[at] != ",") stop("there is no comma at token ", at)
    }
    names(to) <- names
    to
  }
  array <- function() {
    to <- list()
    if (kind[at + 1] %in% "]") {
      following()
      return(to)
    }
    repeat {
      to[length(to) + 1] <- list(value())
      if (following() == "]") break
      if (kind[at] != ",") stop("there is no comma at token ", at)
    }
    plain <- vapply(to, function(v) is.atomic(v) && length(v) == 1, NA)
    same <- length(unique(vapply(to, typeof, ""))) == 1
    if (all(plain) && same && !kind[at - 1] %in% c("[", "]", "}")) unlist(to) else to
  }
  numbers <- function(token) {
    if (grepl(",\\s*\\]$", token)) stop("there is no value at token ", at)
    to <- suppressWarnings(as.numeric(strsplit(substr(token, 2, nchar(token) - 1), ",", fixed = TRUE)[[1]]))
    if (anyNA(to)) stop("there is no number in ", token)
    to
  }
  scalar <- function(token) {
    word <- match(token, c("true", "false", "null"))
    if (!is.na(word)) return(list(TRUE, FALSE, NULL)[[word]])
    number <- if (grepl("^-?[0-9]", token)) suppressWarnings(as.numeric(token)) else NA
    if (is.na(number)) stop("there is no value at token ", at)
    number
  }
  to <- value()
  if (at != length(tokens)) stop("there is more after its end")
  to
}

# The text within quotation marks.
json_plain <- function(token) {
  if (!grepl("^\".*\"$", token, useBytes = TRUE)) stop("a text has no end")
  x <- substr(token, 2, nchar(token, "bytes") - 1)
  if (grepl("\\", x, fixed = TRUE, useBytes = TRUE)) {
    # Between two backslashes, which stand for one, every backslash begins an escape.
    parts <- strsplit(paste0(x, "."), "\\\\", fixed = TRUE, useBytes = TRUE)[[1]]
    x <- paste(unescaped(parts), collapse = "\\")
    x <- substr(x, 1, nchar(x, "bytes") - 1)
  }
  Encoding(x) <- "UTF-8"
  x
}

unescaped <- function(x) {
  sub <- function(from, to) x <<- gsub(from, to, x, fixed = TRUE, useBytes = TRUE)
  sub("\\\"", "\"")
  sub("\\/", "/")
  sub("\\n", "\n")
  sub("\\t", "\t")
  sub("\\r", "\r")
  sub("\\b", "\b")
  sub("\\f", "\f")
  pairs <- "\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}"
  for (escape in unique(unlist(regmatches(x, gregexpr(paste0(pairs, "|\\\\u[0-9a-fA-F]{4}"), x, perl = TRUE, useBytes = TRUE))))) {
    code <- strtoi(strsplit(substring(escape, 3), "\\u", fixed = TRUE)[[1]], 16)
    if (length(code) == 2) code <- 65536 + (code[1] - 55296) * 1024 + code[2] - 56320
    sub(escape, intToUtf8(code))
  }
  Encoding(x) <- "bytes"
  x
}
