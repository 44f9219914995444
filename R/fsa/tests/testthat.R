library(testthat)
library(fsa)

test_check("fsa")
