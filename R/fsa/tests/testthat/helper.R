needs_program <- function() skip_if_not(fsa_available(), "the program fsa is there")

# A table whose response depends on columns 1 and 3.
numbers <- function(rows = 80, columns = 6, seed = 1) {
  set.seed(seed)
  x <- matrix(rnorm(rows * columns), rows, dimnames = list(NULL, letters[seq_len(columns)]))
  list(x = x, y = 3 * x[, 1] - 2 * x[, 3] + 0.1 * rnorm(rows))
}

# Runs the command in a folder.
command <- function(folder, ...) {
  old <- setwd(folder)
  on.exit(setwd(old))
  said <- suppressWarnings(system2(fsa_binary(), c(...), stdout = TRUE, stderr = file.path(folder, "said")))
  if (!is.null(attr(said, "status"))) stop(paste(readLines(file.path(folder, "said")), collapse = "\n"))
  said
}

# Writes a frame so that no number changes.
write_exact <- function(frame, path) {
  cells <- lapply(frame, function(x) {
    text <- if (is.logical(x)) {
      as.character(as.integer(x))
    } else if (inherits(x, "POSIXt")) {
      format(x, if (all(is.na(x) | format(x, "%T") == "00:00:00")) "%Y-%m-%d" else "%Y-%m-%d %H:%M:%S")
    } else if (is.numeric(x) && !inherits(x, "Date")) {
      sprintf("%.17g", x)
    } else {
      as.character(x)
    }
    text[is.na(x)] <- ""
    text
  })
  lines <- c(paste(names(frame), collapse = ","), do.call(paste, c(unname(cells), sep = ",")))
  writeLines(enc2utf8(lines), path, useBytes = TRUE)
}

# A frame as people have them.
messy <- function(seed) {
  set.seed(seed)
  rows <- sample(60:200, 1)
  texts <- sample(c("red", "green", "blue", "a longer word", "\u00e4 \u00f6"), rows, TRUE)
  when <- as.POSIXct("2021-03-01", tz = "Europe/Helsinki") + 3600 * sample(24 * 900, rows, TRUE)
  all <- data.frame(
    number = rnorm(rows), skewed = exp(2 * rnorm(rows)), whole = sample(-3:50, rows, TRUE), flag = runif(rows) < 0.3,
    kind = factor(texts), text = rev(texts), grade = factor(sample(c("low", "mid", "high"), rows, TRUE), c("low", "mid", "high"), ordered = TRUE),
    when = when, day = as.Date(format(when)), customer_id = sample(rows) + 1000, name = paste("person", sample(rows)),
    same = 7, word = "word", empty = NA_real_, rare = as.numeric(seq_len(rows) == 3), tiny = 1e-300 * rnorm(rows)
  )
  chosen <- names(all) == "number" | runif(ncol(all)) < 0.6
  frame <- all[sample(which(chosen))]
  y <- all$number + (texts == "red") + 0.5 * (as.POSIXlt(when)$wday %in% c(0, 6)) + 0.3 * rnorm(rows)
  for (name in setdiff(names(frame), "flag")) if (runif(1) < 0.4) frame[runif(rows) < 0.2, name] <- NA
  kind <- seed %% 4
  if (kind == 1) y <- factor(ifelse(y > 0.5, "yes", "no"))
  if (kind == 2) y <- cut(y, c(-Inf, 0, 1, Inf), c("a", "b", "c"))
  list(x = frame, y = y)
}
