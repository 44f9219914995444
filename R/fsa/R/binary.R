#' The program that does the work
#'
#' `fsa_binary()` finds the program, and `fsa_available()` reports whether it
#' exists. `install_fsa()` installs it from an archive of a release or from a
#' program that you built.
#'
#' @param path An archive of a release (`.tar.gz` or `.zip`), or the program
#'   itself.
#' @param folder Where to put it. `NULL` takes `bin` in the folder of the
#'   installed package, if you may write there, or else in
#'   `tools::R_user_dir("fsa")`.
#' @return `fsa_binary()` and `install_fsa()` return the path of the program, and
#'   `fsa_available()` `TRUE` or `FALSE`.
#' @details
#' [The package's page][fsa-package] lists where the program is looked for. There
#' are no downloads: `install_fsa()` takes a file that you have. In a clone of the
#' repository, with Go, `go build -o fsa ./cmd/fsa` makes it.
#' @examples
#' fsa_available()
#' \dontrun{
#' install_fsa("fsa-0.1.0-linux-amd64.tar.gz")
#' }
#' @export
fsa_binary <- function() {
  option <- getOption("fsa.binary")
  if (!is.null(option)) return(named_binary(option, "the option fsa.binary"))
  variable <- Sys.getenv("FSA_BINARY")
  if (nzchar(variable)) return(named_binary(variable, "the environment variable FSA_BINARY"))
  found <- c(file.path(own_folders(), "fsa"), unname(Sys.which("fsa")))
  found <- found[nzchar(found) & file.exists(found)]
  if (length(found) == 0) {
    fail("fsa_service_error", "the program fsa is not there: install_fsa(\"ARCHIVE\") puts that of a release beside the package, or options(fsa.binary = \"PATH\") names it")
  }
  found[1]
}

named_binary <- function(path, by) {
  if (!is.character(path) || length(path) != 1 || is.na(path) || !file.exists(path)) {
    fail("fsa_service_error", "there is no program at ", shown(path), ", which ", by, " names")
  }
  normalizePath(path)
}

# The folders of this package that may have the program.
own_folders <- function() {
  c(file.path(system.file(package = "fsa"), "bin"), file.path(tools::R_user_dir("fsa"), "bin"))
}

#' @rdname fsa_binary
#' @export
fsa_available <- function() {
  tryCatch(
    {
      fsa_binary()
      TRUE
    },
    fsa_error = function(e) FALSE
  )
}

#' @rdname fsa_binary
#' @export
install_fsa <- function(path, folder = NULL) {
  if (!is.character(path) || length(path) != 1 || is.na(path) || !file.exists(path) || dir.exists(path)) {
    bad_input("path = ", shown(path), ": it must be a file: an archive of a release, or the program")
  }
  work <- tempfile("fsa-install-")
  dir.create(work)
  on.exit(unlink(work, recursive = TRUE))
  program <- path
  if (grepl("\\.(tar\\.gz|tgz|zip)$", path)) {
    unpack <- if (grepl("\\.zip$", path)) utils::unzip else utils::untar
    tryCatch(unpack(path, exdir = work), error = function(e) bad_input("path = ", shown(path), ": it cannot be unpacked: ", conditionMessage(e)))
    program <- list.files(work, pattern = "^fsa$", recursive = TRUE, full.names = TRUE)
    if (length(program) != 1) bad_input("path = ", shown(path), ": there is no program fsa in it")
  }
  ready <- file.path(work, "ready")
  file.copy(program, ready)
  Sys.chmod(ready, "0755")
  service <- new.env()
  on.exit(close_service(service), add = TRUE, after = FALSE)
  open_service(service, ready) # fails if it does not run, or is of another version
  if (is.null(folder)) {
    folder <- own_folders()
    folder <- if (file.access(dirname(folder[1]), 2) == 0) folder[1] else folder[2]
  }
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  to <- file.path(folder, "fsa")
  part <- tempfile("fsa-", folder) # the program appears whole or not at all
  if (!file.copy(ready, part) || !file.rename(part, to)) {
    unlink(part)
    fail("fsa_error", "folder = ", shown(folder), ": the program cannot be written there")
  }
  invisible(normalizePath(to))
}
