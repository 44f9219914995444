# The program as a service of one call.
#
# `fsa serve` reads requests from its standard input, a pipe that this process writes to, and
# appends answers to a file that this process reads as it grows. When the pipe is closed, because
# the call ends, fails or is interrupted, or because R dies, the service cancels what it does and
# ends. Tables are files of numbers that the service maps. See inst/DESIGN.md.

protocol <- 7

# Starts the program. The environment is given, so that the caller can promise to close it before
# anything can interrupt.
open_service <- function(service, binary = fsa_binary()) {
  service$folder <- tempfile("fsa-")
  service$binary <- binary
  service$answers <- file.path(service$folder, "answers")
  service$errors <- file.path(service$folder, "errors")
  service$offset <- 0
  service$rest <- raw()
  service$waiting <- list()
  service$arrays <- list()
  dir.create(service$folder, mode = "0700")
  file.create(service$answers)
  # Ctrl-C is for R, which then closes the pipe. The shell reports how the program ended.
  command <- sprintf(
    "trap '' INT; %s serve >>%s 2>%s; printf '\\n{\"event\":\"ended\",\"code\":%%d}\\n' $? >>%s",
    shQuote(binary), shQuote(service$answers), shQuote(service$errors), shQuote(service$answers)
  )
  service$pipe <- pipe(command, "w")
  hello <- next_answer(service)
  if (!identical(hello$hello, "fsa") || !identical(hello$protocol, protocol)) {
    fail("fsa_service_error", "the program ", binary, " is not the one of this version of the package: it says ", shown(hello), ", and protocol ", protocol, " is needed")
  }
  invisible(service)
}

# Ends the program and waits until it has ended.
close_service <- function(service) {
  for (arrays in service$arrays) close_arrays(arrays)
  if (!is.null(service$pipe)) {
    try(suppressWarnings(close(service$pipe)), silent = TRUE)
    service$pipe <- NULL
  }
  if (!is.null(service$folder)) unlink(service$folder, recursive = TRUE)
}

# Sends a request and returns its last answer. on_event is given those before.
ask <- function(service, request, on_event = function(event) NULL) {
  # The pipe breaks if the program has ended; its last answer then says so.
  tryCatch(
    {
      writeLines(json(c(list(id = 1), request)), service$pipe, useBytes = TRUE)
      flush(service$pipe)
    },
    error = function(e) NULL
  )
  repeat {
    answer <- next_answer(service)
    if (answer$event == "done") return(answer)
    if (answer$event == "error") fail_for(answer)
    on_event(answer)
  }
}

# Waits for the next answer. Sys.sleep can be interrupted.
next_answer <- function(service) {
  begun <- proc.time()[["elapsed"]]
  while (length(service$waiting) == 0) {
    if (!read_answers(service)) {
      Sys.sleep(min(0.05, 0.002 + (proc.time()[["elapsed"]] - begun) / 20))
    }
  }
  answer <- parse_json(service$waiting[[1]])
  service$waiting <- service$waiting[-1]
  if (identical(answer$event, "ended")) fail("fsa_service_error", last_words(service, answer$code))
  answer
}

# Reads what was appended to the answers; FALSE if that is nothing.
read_answers <- function(service) {
  size <- file.size(service$answers)
  if (is.na(size) || size <= service$offset) return(FALSE)
  from <- file(service$answers, "rb")
  on.exit(close(from))
  seek(from, service$offset)
  more <- readBin(from, "raw", size - service$offset)
  service$offset <- service$offset + length(more)
  all <- c(service$rest, more)
  ends <- which(all == as.raw(10))
  begins <- c(0, ends)
  for (i in seq_along(ends)) {
    if (ends[i] > begins[i] + 1) {
      service$waiting[[length(service$waiting) + 1]] <- rawToChar(all[(begins[i] + 1):(ends[i] - 1)])
    }
  }
  last <- begins[length(begins)]
  service$rest <- if (last < length(all)) all[(last + 1):length(all)] else raw()
  TRUE
}

last_words <- function(service, code) {
  words <- trimws(paste(utils::head(readLines(service$errors, warn = FALSE), 20), collapse = "\n"))
  how <- if (code > 128) paste0("was ended by signal ", code - 128) else paste("ended with code", code)
  paste0("the program ", service$binary, " ", how, if (code == 137) " (perhaps there was too little memory)", if (nzchar(words)) paste0("; its last words: ", words))
}
