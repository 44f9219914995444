test_that("the model of a frame has the bytes of the command's", {
  needs_program()
  for (seed in 1:50) {
    of <- messy(seed)
    folder <- tempfile()
    dir.create(folder)
    write_exact(of$x, file.path(folder, "t.csv"))
    writeLines(if (is.factor(of$y)) as.character(of$y) else sprintf("%.17g", of$y), file.path(folder, "y.txt"))
    k <- if (seed %% 7 == 0) "auto" else 1 + seed %% 4
    quick <- seed %% 3 > 0
    command(folder, "fit", "t.csv", "--target", "y.txt", "--out", "run", if (k != "auto") c("-k", k), if (quick) "--quick")
    fit <- suppressWarnings(fsa(of$x, of$y, k = k, quick = quick, progress = FALSE), classes = "fsa_warning")
    fsa_write(fit, file.path(folder, "r.json"))
    expect_identical(unname(tools::md5sum(file.path(folder, "r.json"))), unname(tools::md5sum(file.path(folder, "run", "model.json"))), info = paste("seed", seed))

    said <- read.csv(text = command(folder, "predict", "run", "t.csv"), check.names = FALSE)
    wanted <- if (is.factor(of$y)) said[[intersect(c("class", "prediction"), names(said))[1]]] else said$prediction
    got <- suppressWarnings(predict(fit, of$x, type = if (is.factor(of$y)) "class" else "response"), classes = "fsa_warning")
    if (is.factor(of$y)) expect_identical(as.character(got), as.character(wanted)) else expect_equal(got, wanted, tolerance = 1e-14)
    unlink(folder, recursive = TRUE)
  }
})

test_that("models are exchanged with the command", {
  needs_program()
  of <- numbers()
  folder <- tempfile()
  dir.create(folder)
  fit <- fsa(of$x, of$y, k = 2, quick = TRUE)
  fsa_write(fit, file.path(folder, "model.json"))
  expect_match(paste(command(folder, "show", "model.json"), collapse = "\n"), "2 of 6 variables")
  again <- fsa_read(folder)
  expect_identical(again$model, fit$model)
  expect_identical(predict(again, of$x), predict(fit, of$x))
  expect_identical(coef(again), coef(fit))
  file <- file.path(folder, "bad.json")
  for (text in c("", "{", "{}", "[1,2", sub("linear", "curve", fit$model), substr(fit$model, 1, 500))) {
    writeLines(text, file)
    expect_error(fsa_read(file), "path", class = "fsa_input_error")
  }
})
