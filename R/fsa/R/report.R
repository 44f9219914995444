#' The report of a fit
#'
#' `fsa_report()` makes one page of HTML that needs no network: the selected
#' variables, their effects, and how their number was chosen. If the fit had a
#' `run_folder` (see [fsa_control()]), the page also has the path of the coefficients,
#' the distributions of the variables, out-of-fold predictions and single rows.
#'
#' @param object A model of [fsa()], or of [fsa_read()] of a run folder.
#' @param path Path of the page.
#' @param open Whether to show the page in a browser.
#' @return `path`, invisibly.
#' @examplesIf fsa::fsa_available()
#' options(fsa.threads = 2)
#' fit <- fsa(mpg ~ ., mtcars, k = 3, nfolds = 5)
#' page <- fsa_report(fit, tempfile(fileext = ".html"))
#' @export
fsa_report <- function(object, path, open = interactive()) {
  check_fsa(object)
  path <- a_path(path, "path")
  if (!dir.exists(dirname(path))) bad_input("path: there is no folder ", dirname(path))
  open <- a_switch(open, "open")
  folder <- object$run_folder
  if (is.null(folder) || !dir.exists(folder)) folder <- ""
  name <- if (is.null(object$call)) "fsa" else paste(trimws(deparse(object$call)), collapse = " ")
  service <- new.env()
  on.exit(close_service(service))
  open_service(service)
  answer <- ask(service, list(op = "report", model = object$model, report = list(name = name, folder = folder)))
  write_whole(answer$page, path)
  if (open) utils::browseURL(path)
  invisible(path)
}
