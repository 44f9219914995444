test_that("coefficients of given variables are those of glmnet", {
  needs_program()
  skip_if_not_installed("glmnet")
  of <- numbers(200, 5)
  for (ridge in c(0, 0.05)) {
    fit <- fsa(of$x, of$y, k = 5, family = "gaussian", bins = 0, ridge = ridge, scale = "none", quick = TRUE)
    # The mean loss here is (z - y)^2 / 2 or (z - y)^2, and glmnet's is the former with lambda / 2.
    s <- sd(of$y) * sqrt(199 / 200)
    if (ridge == 0) {
      theirs <- as.matrix(coef(glmnet::glmnet(of$x, of$y, lambda = 0, alpha = 0, standardize = FALSE, thresh = 1e-14)))[, 1]
      expect_equal(coef(fit)[names(theirs)], theirs, tolerance = 1e-4)
    }
  }
  y <- factor(of$x[, 2] + rnorm(200) > 0)
  fit <- fsa(of$x, y, k = 5, family = "binomial", bins = 0, ridge = 0, quick = TRUE)
  theirs <- as.matrix(coef(glmnet::glmnet(of$x, y, family = "binomial", lambda = 0, thresh = 1e-14)))[, 1]
  expect_equal(coef(fit)[names(theirs)], theirs, tolerance = 1e-3)
})

test_that("what glmnet's example says is selected", {
  needs_program()
  skip_if_not_installed("glmnet")
  example <- new.env()
  utils::data("QuickStartExample", package = "glmnet", envir = example)
  of <- if (is.null(example$QuickStartExample)) as.list(example) else example$QuickStartExample
  fit <- cv.fsa(of$x, of$y, bins = 0)
  lasso <- as.matrix(coef(glmnet::cv.glmnet(of$x, of$y)))[-1, 1]
  expect_true(all(fsa_variables(fit)$variable %in% names(lasso)[lasso != 0]))
})
