# A table of survival times that depend on columns 2 and 5.
lives <- function(rows = 200, columns = 8) {
  set.seed(5)
  x <- matrix(rnorm(rows * columns), rows, dimnames = list(NULL, letters[seq_len(columns)]))
  life <- round(rexp(rows, exp(x[, 2] - x[, 5])), 2) + 0.01
  left <- round(rexp(rows, 0.5), 2) + 0.01
  list(x = x, time = pmin(life, left), died = as.numeric(life <= left), center = sample(c("north", "south", "west"), rows, TRUE))
}

test_that("survival times give the bytes of the command", {
  needs_program()
  of <- lives()
  folder <- tempfile()
  dir.create(folder)
  write_exact(as.data.frame(of$x), file.path(folder, "t.csv"))
  writeLines(sprintf("%.17g", of$time), file.path(folder, "time.txt"))
  writeLines(sprintf("%.17g", of$died), file.path(folder, "died.txt"))
  writeLines(sprintf("%d", match(of$center, c("north", "south", "west")) - 1L), file.path(folder, "center.txt"))
  same <- function(fit, run) {
    fsa_write(fit, file.path(folder, "r.json"))
    expect_identical(unname(tools::md5sum(file.path(folder, "r.json"))), unname(tools::md5sum(file.path(folder, run, "model.json"))))
  }
  command(folder, "fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "-k", "2", "--out", "run")
  fit <- fsa(of$x, cbind(time = of$time, event = of$died), family = "cox", k = 2, progress = FALSE)
  same(fit, "run")
  expect_setequal(fsa_variables(fit)$variable, c("b", "e"))
  said <- read.csv(text = command(folder, "predict", "run", "t.csv", "--at", "0.1,1,3"), check.names = FALSE)
  expect_equal(predict(fit, of$x, type = "link"), said$risk, tolerance = 1e-12)
  expect_equal(predict(fit, of$x, type = "risk"), exp(said$risk), tolerance = 1e-12)
  expect_equal(unname(predict(fit, of$x, type = "survival", times = c(0.1, 1, 3))), unname(as.matrix(said[tail(names(said), 3)])), tolerance = 1e-12)
  expect_identical(predict(fit, of$x, type = "survival"), predict(fit, type = "survival"))
  expect_identical(colnames(predict(fit, of$x[1:2, ], type = "survival", times = 1)), "1")
  expect_true(all(predict(fit, of$x, type = "survival", times = c(-1, 0)) == 1))

  command(folder, "fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "--strata", "center.txt", "-k", "2", "--out", "apart")
  frame <- data.frame(of$x, time = of$time, died = of$died, center = of$center)
  apart <- fsa(cbind(time, died) ~ ., frame, family = "cox", strata = center, k = 2, progress = FALSE)
  same(apart, "apart")
  expect_error(predict(apart, of$x, type = "survival", times = 1), "strata", class = "fsa_input_error")
  again <- fsa_read(file.path(folder, "run"))
  expect_identical(predict(again, of$x, type = "survival", times = 1), predict(fit, of$x, type = "survival", times = 1))
})

test_that("all forms of survival times give the same model", {
  needs_program()
  of <- lives()
  fit <- function(...) fsa(..., k = 2, bins = 0, quick = TRUE)
  want <- fit(of$x, cbind(of$time, of$died), family = "cox")
  expect_identical(fit(of$x, cbind(status = of$died, time = of$time), family = "cox")$model, want$model)
  expect_identical(fit(of$x, data.frame(time = of$time, event = of$died == 1), family = "cox")$model, want$model)
  frame <- data.frame(of$x, time = of$time, died = of$died)
  expect_identical(fit(cbind(time, died) ~ ., frame, family = "cox")$model, want$model)
  expect_identical(fit(cbind(time, died) ~ ., rbind(frame, transform(frame[1, ], died = NA)), family = "cox")$model, want$model)
  expect_named(coef(want), c("b", "e"), ignore.order = TRUE)
  expect_output(print(want), paste("with", sum(of$died), "events"))
  expect_output(print(summary(want)), "concordance")
  expect_error(residuals(want), "no residuals", class = "fsa_input_error")
  expect_error(logLik(want), "cox", class = "fsa_error")
  skip_if_not_installed("survival")
  expect_identical(fit(survival::Surv(time, died) ~ ., frame)$model, want$model)
  expect_identical(fit(of$x, survival::Surv(of$time, of$died + 1))$model, want$model)
  expect_identical(fit(survival::Surv(time, died) ~ I(a) + b + c + d + e + f + g + h, frame)$k, 2)
  expect_error(fit(of$x, survival::Surv(of$time, of$died, type = "left")), "left", class = "fsa_input_error")
  # As coxph, apart from the ridge
  both <- fsa(survival::Surv(time, died) ~ b + e, frame, k = 2, bins = 0, ridge = 0, quick = TRUE)
  theirs <- survival::coxph(survival::Surv(time, died) ~ b + e, frame)
  expect_equal(coef(both)[c("b", "e")], coef(theirs)[c("b", "e")], tolerance = 1e-3)
})

test_that("ties are those of the command and of coxph", {
  needs_program()
  of <- lives()
  folder <- tempfile()
  dir.create(folder)
  time <- ceiling(5 * of$time) # many events at the same time
  write_exact(as.data.frame(of$x), file.path(folder, "t.csv"))
  writeLines(sprintf("%.17g", time), file.path(folder, "time.txt"))
  writeLines(sprintf("%.17g", of$died), file.path(folder, "died.txt"))
  fit <- function(...) fsa(of$x, cbind(time = time, event = of$died), family = "cox", k = 2, bins = 0, ...)
  for (ties in c("efron", "breslow")) {
    command(folder, "fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "--ties", ties, "-k", "2", "--bins", "0", "--out", ties)
    fsa_write(fit(ties = ties), file.path(folder, "r.json"))
    expect_identical(unname(tools::md5sum(file.path(folder, "r.json"))), unname(tools::md5sum(file.path(folder, ties, "model.json"))))
  }
  expect_identical(fit()$model, fit(ties = "efron")$model)
  skip_if_not_installed("survival")
  for (ties in c("efron", "breslow")) {
    theirs <- survival::coxph(survival::Surv(time, of$died) ~ b + e, data.frame(of$x), ties = ties)
    expect_equal(coef(fit(ties = ties, ridge = 0, quick = TRUE))[c("b", "e")], coef(theirs)[c("b", "e")], tolerance = 1e-3)
  }
})

test_that("the concordance is that of survival", {
  needs_program()
  skip_if_not_installed("survival")
  of <- lives()
  fit <- cv.fsa(of$x, survival::Surv(of$time, of$died))
  theirs <- survival::concordance(survival::Surv(of$time, of$died) ~ fitted(fit), reverse = TRUE)$concordance
  expect_equal(summary(fit)$training[["concordance"]], theirs, tolerance = 1e-12)
  skip_if_not_installed("generics")
  expect_equal(generics::glance(fit)$concordance, theirs, tolerance = 1e-12)
  expect_gt(generics::glance(fit)$cv.concordance, 0.6)
  apart <- fsa(of$x, survival::Surv(of$time, of$died), strata = of$center, k = 2, quick = TRUE)
  strata <- survival::strata # a formula of survival knows it by this name only
  theirs <- survival::concordance(survival::Surv(of$time, of$died) ~ fitted(apart) + strata(of$center), reverse = TRUE)$concordance
  expect_equal(generics::glance(apart)$concordance, theirs, tolerance = 1e-12)
})

test_that("rows that enter late give the bytes of the command and the coefficients of coxph", {
  needs_program()
  skip_if_not_installed("survival")
  of <- lives()
  start <- of$time * rep(c(0, 0.5), 100)
  folder <- tempfile()
  dir.create(folder)
  write_exact(as.data.frame(of$x), file.path(folder, "t.csv"))
  for (name in c("time", "died")) writeLines(sprintf("%.17g", of[[name]]), file.path(folder, paste0(name, ".txt")))
  writeLines(sprintf("%.17g", start), file.path(folder, "entry.txt"))
  command(folder, "fit", "t.csv", "--target", "time.txt", "--event", "died.txt", "--entry", "entry.txt", "-k", "2", "--out", "run")
  y <- survival::Surv(start, of$time, of$died)
  fit <- fsa(of$x, y, k = 2)
  fsa_write(fit, file.path(folder, "r.json"))
  expect_identical(unname(tools::md5sum(file.path(folder, "r.json"))), unname(tools::md5sum(file.path(folder, "run/model.json"))))
  frame <- data.frame(of$x, start, time = of$time, died = of$died)
  by_formula <- fsa(survival::Surv(start, time, died) ~ b + e, rbind(frame, transform(frame[1, ], died = NA)), k = 2, bins = 0, ridge = 0, quick = TRUE)
  theirs <- survival::coxph(survival::Surv(start, time, died) ~ b + e, frame, control = survival::coxph.control(timefix = FALSE)) # times that nearly tie differ
  expect_equal(coef(by_formula)[c("b", "e")], coef(theirs)[c("b", "e")], tolerance = 1e-5)
  y[3, 1] <- NA
  expect_error(fsa(of$x, y, k = 2), "y: row 3 is missing", class = "fsa_input_error")
})
