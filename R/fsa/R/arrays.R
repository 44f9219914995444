# Arrays of numbers in a file that the service maps.

chunk <- 2^20 # numbers that are written at once, so that writing takes little memory

# Creates the file of a request.
new_arrays <- function(service) {
  to <- new.env()
  to$path <- tempfile("arrays-", service$folder)
  to$end <- 0
  to$file <- file(to$path, "wb")
  service$arrays <- c(service$arrays, list(to))
  to
}

# Writes numbers, as float64 or int32, and says where they are.
add_array <- function(to, values, size = NA_integer_) {
  gap <- -to$end %% 64
  writeBin(raw(gap), to$file)
  type <- if (is.integer(values)) "i4" else "f8"
  n <- length(values)
  for (lo in seq(1, by = chunk, length.out = ceiling(n / chunk))) {
    # as.vector, because a matrix with a class would be written by other means
    writeBin(as.vector(values[lo:min(lo + chunk - 1, n)]), to$file, size = size)
  }
  if (identical(size, 8L)) type <- "i8"
  at <- list(file = 0, offset = to$end + gap, type = type, length = n)
  to$end <- to$end + gap + n * if (type == "i4") 4 else 8
  at
}

close_arrays <- function(to) {
  if (!is.null(to$file)) close(to$file)
  to$file <- NULL
}

# Completes the file and returns how a request names it.
finish_arrays <- function(to) {
  close_arrays(to)
  if (!isTRUE(file.size(to$path) == to$end)) {
    fail("fsa_memory_error", "there is no room for ", to$end, " bytes in ", tempdir(), ": set TMPDIR to another folder before R starts")
  }
  list(list(path = to$path, own = TRUE))
}

# Reads float64 numbers that the service has written.
read_array <- function(from, at) {
  file <- file(from$path, "rb")
  on.exit(close(file))
  seek(file, at$offset)
  readBin(file, "double", at$length)
}
