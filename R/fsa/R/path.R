# The path of a fit, from all variables to the selected ones.

# How many variables are followed: the selected ones, and those that were dropped last.
followed <- 30

# The path as the service reports it: the number of variables left after each epoch, and the
# coefficients of those that are followed, NA where one is dropped. NULL if there were no epochs.
read_path <- function(trace, names) {
  if (is.null(trace$variables) || length(trace$lines) == 0) return(NULL)
  left <- readBin(bytes <- from_base64(trace$variables), "integer", length(bytes) / 4, size = 4, endian = "little")
  if (length(left) == 0) return(NULL)
  values <- readBin(bytes <- from_base64(trace$coefficients), "numeric", length(bytes) / 4, size = 4, endian = "little")
  values[is.nan(values)] <- NA
  coefficients <- matrix(values, length(left))
  colnames(coefficients) <- names[unlist(trace$lines) + 1]
  list(variables = left, coefficients = coefficients)
}

from_base64 <- function(text) {
  places <- rep(0L, 128)
  places[utf8ToInt("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")] <- 0:63
  codes <- utf8ToInt(text)
  if (length(codes) == 0 || is.na(codes[1])) return(raw())
  of <- matrix(places[codes], 4)
  bytes <- rbind(of[1, ] * 4L + of[2, ] %/% 16L, of[2, ] %% 16L * 16L + of[3, ] %/% 4L, of[3, ] %% 4L * 64L + of[4, ])
  to <- as.raw(bytes)
  to[seq_len(length(to) - sum(codes == utf8ToInt("=")))]
}

plot_path <- function(x, ...) {
  path <- x$path
  if (is.null(path)) bad_input("type = \"path\": the fit dropped no variables step by step, or the model was read from a file")
  epochs <- seq_along(path$variables)
  selected <- colnames(path$coefficients) %in% variable_names(x)
  with_defaults(graphics::matplot, list(
    x = epochs, y = path$coefficients, type = "l", lty = ifelse(selected, 1, 3), col = ifelse(selected, seq_along(selected), "grey60"),
    xlab = "epoch", ylab = "coefficient of the scaled variable"
  ), ...)
  at <- unique(round(seq(1, length(epochs), length.out = 6)))
  graphics::axis(3, at, path$variables[at])
  last <- path$coefficients[length(epochs), ]
  if (any(selected)) graphics::text(length(epochs), last[selected], colnames(path$coefficients)[selected], pos = 2, cex = 0.8)
  invisible(data.frame(epoch = epochs, variables = path$variables, path$coefficients, check.names = FALSE))
}
