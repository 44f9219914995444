# Errors and warnings, with classes that callers can handle.

fail <- function(kind, ...) {
  stop(structure(class = unique(c(kind, "fsa_error", "error", "condition")), list(message = paste0(...), call = NULL)))
}

bad_input <- function(...) fail("fsa_input_error", ...)

caution <- function(...) {
  warning(structure(class = c("fsa_warning", "warning", "condition"), list(message = paste0(...), call = NULL)))
}

# The class of an error of the service, by its kind.
kinds <- c(
  options = "fsa_input_error", data = "fsa_input_error", memory = "fsa_memory_error",
  time = "fsa_time_error", diverged = "fsa_diverged_error"
)

# Names of arguments that the program calls otherwise, at the beginning of a message.
argument_names <- c(
  X = "x", sample_weight = "weights", qid = "query", folds = "nfolds", iterations = "epochs",
  choose = "rule", "warm-up" = "warm_up", huber = "hinge_width"
)

# Arguments that a message does not begin with, by what it is about.
argument_of <- c("^column .* price|^the price of|^panel |^columns have prices" = "costs", "^quota" = "quotas")

# What a message advises, as it is done in R.
in_words <- c(
  "name the column of the numbers of trials with --trials" = "divide them by the numbers of trials, and give these as weights",
  "give --loss logistic for two classes" = "take family = \"binomial\" for two classes",
  "such as --folds 10" = "such as nfolds = 10"
)

# A message of the program in the words of this package.
in_r <- function(message) {
  about <- vapply(names(argument_of), grepl, NA, message)
  if (any(about)) message <- paste0(argument_of[about][1], ": ", message)
  for (words in names(in_words)) message <- sub(words, in_words[[words]], message, fixed = TRUE)
  message <- gsub("--([a-z-]+)", "\\1", message)
  first <- regmatches(message, regexpr("^[A-Za-z_-]+(?=:| =)", message, perl = TRUE))
  if (length(first) == 1 && first %in% names(argument_names)) {
    message <- paste0(argument_names[[first]], substring(message, nchar(first) + 1))
  }
  message
}

fail_for <- function(answer) {
  kind <- unname(kinds[answer$kind])
  fail(if (is.na(kind)) "fsa_service_error" else kind, in_r(answer$message))
}

# "a", "b" or "c"
either <- function(words) {
  words <- paste0("\"", words, "\"")
  if (length(words) == 1) return(words)
  paste(paste(words[-length(words)], collapse = ", "), "or", words[length(words)])
}

# A value as a user would write it, in a few characters.
shown <- function(value) {
  text <- paste(deparse(value, nlines = 1), collapse = "")
  if (nchar(text) > 40) paste0(substr(text, 1, 37), "...") else text
}
