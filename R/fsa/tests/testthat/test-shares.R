# Successes of trials that depend on columns 1 and 3.
successes <- function(rows = 200) {
  set.seed(7)
  x <- matrix(rnorm(rows * 6), rows, dimnames = list(NULL, letters[1:6]))
  trials <- sample(1:9, rows, TRUE)
  list(x = x, trials = trials, won = rbinom(rows, trials, plogis(x[, 1] - x[, 3])))
}

test_that("successes and failures are fitted as by the command and by glm", {
  needs_program()
  of <- successes()
  lost <- of$trials - of$won
  fit <- fsa(of$x, cbind(of$won, lost), family = binomial(), k = 2, bins = 0, ridge = 0, progress = FALSE)
  share <- fsa(of$x, of$won / of$trials, family = "proportion", weights = of$trials, k = 2, bins = 0, ridge = 0)
  expect_identical(fit$model, share$model)
  frame <- data.frame(of$x, won = of$won, trials = of$trials)
  by_formula <- fsa(cbind(won, trials - won) ~ . - trials, frame, family = "binomial", k = 2, bins = 0, ridge = 0)
  expect_equal(predict(by_formula, frame), fitted(fit))
  known <- glm(cbind(of$won, lost) ~ of$x[, c("a", "c")], family = binomial())
  expect_equal(unname(coef(fit)[c("(Intercept)", "a", "c")]), unname(coef(known)), tolerance = 1e-3)
  expect_equal(unname(fitted(fit)), unname(fitted(known)), tolerance = 1e-3)
  expect_equal(as.numeric(logLik(fit)), as.numeric(logLik(known)), tolerance = 1e-5)
  expect_equal(AIC(fit), AIC(known), tolerance = 1e-5)
  expect_equal(predict(fit, of$x), plogis(predict(fit, of$x, type = "link")))

  folder <- tempfile()
  dir.create(folder)
  write_exact(frame, file.path(folder, "t.csv"))
  command(folder, "fit", "t.csv", "--target", "won", "--trials", "trials", "-k", "2", "--bins", "0", "--ridge", "none", "--out", "run")
  expect_equal(coef(fsa_read(file.path(folder, "run"))), coef(fit))

  expect_error(fsa(of$x, cbind(of$won, lost, 1), family = "binomial", k = 1), "y has 3 columns", class = "fsa_input_error")
  expect_error(fsa(of$x, cbind(of$won, -lost - 1), family = "binomial", k = 1), "y: successes and failures", class = "fsa_input_error")
  expect_error(fsa(of$x, of$won, family = "proportion", k = 1), "shares between 0 and 1.*weights", class = "fsa_input_error")
  expect_error(fsa(of$x, as.numeric(of$won > 2), family = "proportion", k = 1), "family = \"binomial\"", class = "fsa_input_error")
})

test_that("a fit starts from a model", {
  needs_program()
  of <- numbers(200)
  first <- fsa(of$x[, c("a", "b")], of$y, k = 1, bins = 0)
  expect_identical(fsa_variables(first)$variable, "a")
  fit <- fsa(of$x, of$y, k = 1, bins = 0, offset_model = first)
  rest <- fsa(of$x, of$y, k = 1, bins = 0, offset = predict(first, of$x))
  expect_identical(fsa_variables(fit)$variable, "c")
  expect_equal(predict(fit, of$x), fitted(rest), tolerance = 1e-6)
  expect_equal(predict(fit, of$x[, c("a", "c")]), fitted(fit))
  expect_error(predict(fit, of$x[, c("b", "c")]), "newdata lacks what the model needs: a", class = "fsa_input_error")
  expect_error(coef(fit), "contains the offset model", class = "fsa_error")
  expect_output(print(fit), "beside an offset model of 1 variable")
  file <- tempfile(fileext = ".json")
  fsa_write(first, file)
  of_file <- fsa(of$x, of$y, k = 1, bins = 0, offset_model = file)
  expect_identical(of_file$model, fit$model)
  fsa_write(fit, file)
  expect_equal(predict(fsa_read(file), of$x), fitted(fit))
  expect_equal(predict(update(fit, k = 1), of$x), fitted(fit))
  expect_error(fsa(of$x, of$y, k = 1, offset_model = 3), "offset_model = ", class = "fsa_input_error")
  expect_error(fsa(of$x, of$y, k = 1, offset_model = "nowhere"), "offset_model: path", class = "fsa_input_error")
})

test_that("the whole procedure is cross-validated, and quotas have a smallest number", {
  needs_program()
  of <- numbers(100)
  fit <- fsa(of$x, of$y, k = 1, nfolds = 3, nested = TRUE)
  expect_output(print(summary(fit)), "cross-validated as a whole procedure: r2 0")
  folder <- tempfile()
  dir.create(folder)
  write_exact(as.data.frame(of$x), file.path(folder, "t.csv"))
  writeLines(sprintf("%.17g", of$y), file.path(folder, "y.txt"))
  command(folder, "fit", "t.csv", "--target", "y.txt", "-k", "2", "--quick", "--quota", "b=1..1", "--quota", "[de]=1", "--out", "run")
  both <- fsa(of$x, of$y, k = 2, quick = TRUE, quotas = list(b = c(1, 1), "[de]" = 1))
  expect_true("b" %in% fsa_variables(both)$variable)
  expect_identical(trimws(both$model), paste(readLines(file.path(folder, "run", "model.json")), collapse = "\n"))
  for (bad in list(list(b = c(0, 1)), list(b = c(2, 1)), list(b = 1:3), list(b = "x"), list(1), list(b = -1), list(b = c(1, NA)))) {
    expect_error(fsa(of$x, of$y, k = 2, quotas = bad), "quotas", class = "fsa_input_error")
  }
})

test_that("options about columns that are not there are refused", {
  needs_program()
  of <- numbers()
  for (name in c("force", "use")) {
    expect_error(do.call(fsa, c(list(of$x, of$y, k = 2), stats::setNames(list("zzz"), name))), paste0(name, " has \"zzz\", which is no column of x"), class = "fsa_input_error")
  }
  expect_error(fsa(of$x, of$y, k = 2, feature_groups = list(c("a", "zzz"))), "feature_groups has \"zzz\"", class = "fsa_input_error")
  expect_error(fsa(of$x, of$y, k = 2, constraints = list(zzz = "increasing")), "constraints has \"zzz\"", class = "fsa_input_error")
  expect_error(fsa(of$x, of$y, costs = c(zzz = 1)), "costs has \"zzz\"", class = "fsa_input_error")
})
