# Compares cv.fsa() with cv.glmnet() on riboflavin and golub: the error of predictions out of five
# outer folds, which all methods share, the number of selected variables, and CPU time.
#
#   FSA_BINARY=fsa Rscript scripts/r/compare.R [DATA]
#
# DATA is the folder of the real data, by default ../shared/data. Needs the package and glmnet. The
# output is kept in docs/evidence/r.md.
suppressPackageStartupMessages({
  library(fsa)
  library(glmnet)
})
data <- c(commandArgs(TRUE), "../shared/data")[1]
options(fsa.threads = 2)
outer_folds <- 5

read <- function(folder) {
  y <- readLines(file.path(data, folder, "y.txt"))
  numbers <- suppressWarnings(as.numeric(y))
  x <- as.matrix(read.csv(gzfile(file.path(data, folder, "X.csv.gz")), header = FALSE))
  list(x = x, y = if (anyNA(numbers)) factor(y) else numbers)
}

lasso <- function(s) {
  function(x, y) {
    fit <- cv.glmnet(x, y, family = if (is.factor(y)) "binomial" else "gaussian")
    type <- if (is.factor(y)) "class" else "response"
    list(n = sum(coef(fit, s = s)[-1] != 0), predict = function(new) predict(fit, new, s = s, type = type)[, 1])
  }
}

ours <- function(...) {
  function(x, y) {
    fit <- cv.fsa(x, y, progress = FALSE, ...)
    type <- if (is.factor(y)) "class" else "response"
    list(n = nrow(fsa_variables(fit)), predict = function(new) as.vector(predict(fit, new, type = type)))
  }
}

methods <- list(
  "cv.glmnet, lambda.min" = lasso("lambda.min"), "cv.glmnet, lambda.1se" = lasso("lambda.1se"),
  "cv.fsa, bins = 0" = ours(bins = 0), "cv.fsa" = ours()
)

cat("| data | method | error | variables by fold | CPU seconds of a fit |\n|---|---|---|---|---|\n")
for (name in c("regression/riboflavin", "genomics/golub")) {
  of <- read(name)
  set.seed(1)
  fold <- sample(rep(seq_len(outer_folds), length.out = length(of$y)))
  for (method in names(methods)) {
    predicted <- rep(NA_character_, length(of$y))
    n <- numeric()
    begun <- proc.time()
    for (i in seq_len(outer_folds)) {
      set.seed(i)
      fit <- methods[[method]](of$x[fold != i, ], of$y[fold != i])
      predicted[fold == i] <- as.character(fit$predict(of$x[fold == i, , drop = FALSE]))
      n[i] <- fit$n
    }
    spent <- sum((proc.time() - begun)[c(1, 2, 4, 5)]) / outer_folds # with those of processes that ended
    error <- if (is.factor(of$y)) {
      sprintf("%d of %d wrong", sum(predicted != as.character(of$y)), length(of$y))
    } else {
      sprintf("R² %.3f", 1 - sum((as.numeric(predicted) - of$y)^2) / sum((of$y - mean(of$y))^2))
    }
    cat(sprintf("| %s, %d×%d | `%s` | %s | %s | %.1f |\n", basename(name), nrow(of$x), ncol(of$x), method, error, paste(n, collapse = ", "), spent))
  }
}
cat(sprintf("\nfsa %s, glmnet %s, %s\n", packageVersion("fsa"), packageVersion("glmnet"), R.version.string))
