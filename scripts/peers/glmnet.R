# Fits the path of glmnet on each table of a folder, for scripts/peers/responses.py --glmnet.
#
# Rscript glmnet.R FAMILY K FOLDER: the folder has, for each table, N.x (numbers of 8 bytes, column after column), N.y and N.dim
# (rows, columns, columns of the target). For each table it prints a line of JSON: the variables of the last step of the path
# that has at most K, the K of the largest coefficients at the first step that has at least K, and the processor seconds
# of the path, which ends at 2K variables, and, with a fourth argument, of a cross-validation of 10 folds.
options(warn = -1) # a path that ends early is a warning
suppressMessages(library(glmnet))
suppressMessages(library(survival))
given <- commandArgs(TRUE)
family <- given[1]
k <- as.integer(given[2])
numbers <- function(path) readBin(path, "double", file.size(path) / 8)
used <- function(f) {
  gc()
  before <- proc.time()
  value <- f()
  spent <- proc.time() - before
  list(value = value, seconds = spent[["user.self"]] + spent[["sys.self"]])
}
for (name in sort(sub("[.]dim$", "", list.files(given[3], "[.]dim$")))) {
  at <- file.path(given[3], name)
  dim <- numbers(paste0(at, ".dim"))
  x <- matrix(numbers(paste0(at, ".x")), dim[1], dim[2])
  y <- matrix(numbers(paste0(at, ".y")), dim[1], dim[3])
  if (family == "cox") y <- Surv(y[, 1], y[, 2])
  if (family == "multinomial") y <- factor(y[, 1])
  if (family %in% c("poisson", "gamma")) y <- y[, 1]
  how <- if (family == "gamma") Gamma(link = "log") else family
  more <- if (family == "multinomial") list(type.multinomial = "grouped") else list()
  more$dfmax <- 2 * k
  path <- used(function() do.call(glmnet, c(list(x, y, family = how), more)))
  b <- path$value$beta
  if (!is.list(b)) b <- list(b)
  size <- sqrt(Reduce(`+`, lapply(b, function(one) as.matrix(one)^2))) # a row for each variable, a column for each step
  df <- colSums(size > 0)
  below <- which(size[, max(which(df <= k))] > 0)
  first <- if (any(df >= k)) min(which(df >= k)) else length(df)
  top <- order(-size[, first])[seq_len(k)]
  cv <- if (length(given) > 3) used(function() do.call(cv.glmnet, c(list(x, y, family = how), more)))$seconds else NA
  cat(sprintf('{"table": "%s", "below": [%s], "top": [%s], "path": %.3f, "cv": %s}\n', name, paste(below - 1, collapse = ","),
              paste(top - 1, collapse = ","), path$seconds, if (is.na(cv)) "null" else format(cv)))
}
