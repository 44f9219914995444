test_that("the program is found where the option or the variable says", {
  needs_program()
  program <- fsa_binary()
  old <- options(fsa.binary = "/nowhere/fsa")
  on.exit(options(old))
  expect_error(fsa_binary(), "fsa.binary", class = "fsa_service_error")
  expect_false(fsa_available())
  options(fsa.binary = program)
  expect_identical(fsa_binary(), program)
})

test_that("programs that are no fsa, or die, are errors with their last words", {
  needs_program()
  old <- options(fsa.binary = NULL)
  on.exit(options(old))
  of <- numbers()
  fake <- function(script) {
    path <- tempfile("fake-")
    writeLines(c("#!/bin/sh", script), path)
    Sys.chmod(path, "0755")
    options(fsa.binary = path)
  }
  program <- fsa_binary()
  fake("echo '{\"hello\":\"other\"}'; cat > /dev/null")
  expect_error(fsa(of$x, of$y, k = 2), "not the one of this version", class = "fsa_service_error")
  fake("echo out of luck >&2; exit 3")
  expect_error(fsa(of$x, of$y, k = 2), "ended with code 3; its last words: out of luck", class = "fsa_service_error")
  fake(sprintf("echo '{\"hello\":\"fsa\",\"protocol\":%d}'; read line; kill -9 $$", protocol))
  expect_error(fsa(of$x, of$y, k = 2), "ended by signal 9", class = "fsa_service_error")
  options(fsa.binary = program)
  expect_identical(fsa(of$x, of$y, k = 2, quick = TRUE)$k, 2)
})

test_that("install_fsa takes an archive or a program", {
  needs_program()
  folder <- tempfile()
  dir.create(file.path(folder, "fsa_0.1.0"), recursive = TRUE)
  file.copy(fsa_binary(), file.path(folder, "fsa_0.1.0", "fsa"))
  old <- setwd(folder)
  on.exit(setwd(old))
  archive <- file.path(folder, "fsa.tar.gz")
  utils::tar(archive, "fsa_0.1.0", "gzip", tar = "internal")
  to <- install_fsa(archive, file.path(folder, "here"))
  expect_identical(unname(tools::md5sum(to)), unname(tools::md5sum(fsa_binary())))
  expect_error(install_fsa(file.path(folder, "nothing")), "path", class = "fsa_input_error")
  writeLines("no program", file.path(folder, "bad"))
  expect_error(install_fsa(file.path(folder, "bad"), file.path(folder, "there")), class = "fsa_service_error")
  expect_false(file.exists(file.path(folder, "there", "fsa")))
})

test_that("an interrupt ends the fit and the program", {
  needs_program()
  skip_if_not(dir.exists("/proc/self"), "processes are listed in /proc")
  own <- tempfile("fsa-interrupted-") # a name by which its processes are found
  file.symlink(fsa_binary(), own)
  running <- function() {
    lines <- vapply(list.files("/proc", "^[0-9]+$"), function(pid) {
      tryCatch(suppressWarnings(rawToChar(replace(r <- readBin(file.path("/proc", pid, "cmdline"), "raw", 1e4), r == 0, as.raw(32)))), error = function(e) "")
    }, "")
    sum(startsWith(lines, own))
  }
  log <- tempfile()
  code <- sprintf("
    .libPaths(%s); library(fsa); options(fsa.binary = '%s')
    binary <- fsa:::named_binary; assignInNamespace('named_binary', function(path, by) path, 'fsa')
    x <- matrix(rnorm(1e5), 1000); y <- x[, 1] + rnorm(1000)
    tryCatch({
      cat('begun', Sys.getpid(), '\\n', file = '%s')
      fsa(x, y, k = 5, epochs = 1e7, quick = TRUE, progress = FALSE)
    }, interrupt = function(e) cat('interrupted', length(list.files(tempdir(), '^fsa-')), '\\n', file = '%s', append = TRUE))
  ", paste(deparse(.libPaths()), collapse = ""), own, log, log)
  file <- tempfile(fileext = ".R")
  writeLines(code, file)
  system2(file.path(R.home("bin"), "Rscript"), shQuote(file), wait = FALSE, stdout = FALSE, stderr = FALSE)
  until <- function(done) {
    for (i in 1:600) {
      if (done()) return(TRUE)
      Sys.sleep(0.05)
    }
    FALSE
  }
  expect_true(until(function() running() > 0))
  Sys.sleep(0.3)
  pid <- as.integer(strsplit(readLines(log), " ")[[1]][2])
  tools::pskill(pid, tools::SIGINT)
  expect_true(until(function() running() == 0))
  expect_true(until(function() length(readLines(log)) == 2))
  expect_identical(trimws(readLines(log)[2]), "interrupted 0")
})

test_that("a fit that runs out of time warns", {
  needs_program()
  of <- numbers(3000, 26)
  said <- character()
  for (limit in 2^(-2:7)) { # a busy machine may do nothing in a quarter of a second
    fit <- tryCatch(
      withCallingHandlers(fsa(of$x, of$y, k = 2, quick = TRUE, epochs = 1e7, tolerance = 0, max_time = limit), fsa_warning = function(w) {
        said <<- conditionMessage(w)
        invokeRestart("muffleWarning")
      }),
      fsa_time_error = function(e) NULL
    )
    if (!is.null(fit)) break
  }
  expect_match(said, "^max_time = .*: the time was up")
  expect_identical(fit$k, 2)
})
