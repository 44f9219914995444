# Measures what the package costs beyond the fit on 10000 rows of 1000 numbers: CPU time of R and of
# the program, and the memory of R and of the file of numbers, in copies of the matrix.
#
#   FSA_BINARY=fsa Rscript scripts/r/overhead.R
#
# Needs the package and Linux. The output is kept in docs/evidence/r.md.
library(fsa)
options(fsa.threads = 2)
rows <- 10000
columns <- 1000
copy <- rows * columns * 8

# The largest resident memory of this process since the last forget().
peak <- function() {
  line <- grep("^VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) * 1024
}
forget <- function() {
  gc()
  cat("5", file = "/proc/self/clear_refs")
}

set.seed(1)
x <- matrix(rnorm(rows * columns), rows)
y <- drop(x[, 1:5] %*% c(3, -2, 2, 1, 1)) + rnorm(rows)
for (form in c("matrix", "data frame")) {
  table <- if (form == "matrix") x else as.data.frame(x)
  forget()
  before <- peak()
  spent <- system.time(fsa(table, y, k = 5, quick = TRUE, bins = 0, progress = FALSE))
  cat(sprintf(
    "%s: %.2f s of CPU in R, %.2f s in the program; R's memory grows by %.2f copies of x, and the file is 1 copy\n",
    form, sum(spent[1:2]), sum(spent[4:5]), (peak() - before) / copy
  ))
}
