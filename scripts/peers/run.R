# Fits glmnet. Speaks as run.py does: a request a line on standard input, its
# fields separated by tabs (method, task, k, threads, X.npy, y.npy), and lines
# of JSON on standard output.

say <- function(format, ...) {
  cat(sprintf(format, ...), "\n", sep = "")
  flush(stdout())
}

# header leaves a connection behind the header of an .npy file of version 1 and
# returns the shape and the size of a number.
header <- function(con) {
  start <- readBin(con, "raw", 10)
  text <- readChar(con, sum(as.integer(start[9:10]) * c(1, 256)), useBytes = TRUE)
  shape <- sub(".*'shape': \\(([^)]*)\\).*", "\\1", text)
  list(
    dims = as.numeric(strsplit(gsub(" ", "", shape), ",")[[1]]),
    size = if (grepl("<f8", text)) 8 else 4
  )
}

# matrix.npy reads a table by blocks of rows, since the file has it row by row.
matrix.npy <- function(path) {
  con <- file(path, "rb")
  on.exit(close(con))
  h <- header(con)
  x <- matrix(0, h$dims[1], h$dims[2])
  step <- max(1, 1e7 %/% h$dims[2])
  for (lo in seq(1, h$dims[1], step)) {
    rows <- lo:min(lo + step - 1, h$dims[1])
    x[rows, ] <- t(matrix(readBin(con, "double", length(rows) * h$dims[2], h$size), h$dims[2]))
  }
  x
}

vector.npy <- function(path) {
  con <- file(path, "rb")
  on.exit(close(con))
  h <- header(con)
  readBin(con, "double", h$dims[1], h$size)
}

# select follows the path down to the first penalty with at least k nonzero
# coefficients, and takes the k largest. A path that begins low enough would
# be shorter, but nobody knows where that is.
select <- function(x, y, task, k) {
  family <- if (task == "classification") "binomial" else "gaussian"
  path <- glmnet(x, y, family = family, dfmax = k)
  at <- which(path$df >= k)
  coef <- abs(path$beta[, if (length(at) > 0) at[1] else length(path$df)])
  order <- order(-coef)[seq_len(k)]
  sort(order[coef[order] > 0]) - 1
}

# bound.memory makes a fit that needs more memory than is free fail, and not
# the machine.
bound.memory <- function() {
  free <- grep("^MemAvailable:", tryCatch(readLines("/proc/meminfo"), error = function(e) NULL), value = TRUE)
  if (length(free) == 1 && exists("mem.maxVSize")) {
    mem.maxVSize(sum(gc()[, 2]) + 0.9 * as.numeric(gsub("[^0-9]", "", free)) / 1024)
  }
}

answer <- function(line) {
  bound.memory()
  request <- strsplit(line, "\t")[[1]]
  x <- matrix.npy(request[5])
  y <- vector.npy(request[6])
  say('{"ready": true}')
  start <- proc.time()[["elapsed"]]
  selected <- select(x, y, request[2], as.integer(request[3]))
  say('{"seconds": %.3f, "selected": [%s]}', proc.time()[["elapsed"]] - start, paste(selected, collapse = ", "))
}

if (!suppressWarnings(suppressMessages(require(glmnet, quietly = TRUE)))) {
  say('{"missing": {"glmnet": "the R package glmnet is not installed"}}')
  quit()
}
say('{"methods": {"glmnet": "glmnet %s"}}', packageVersion("glmnet"))
stdin <- file("stdin", "r")
while (length(line <- readLines(stdin, 1)) > 0) {
  suppressWarnings(tryCatch(answer(line), error = function(e) {
    say('{"error": "%s"}', gsub('["\\\\[:cntrl:]]+', " ", conditionMessage(e)))
  }))
  invisible(gc()) # the next one to fit may need the memory
}
