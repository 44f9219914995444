#' Feature selection with annealing
#'
#' [fsa()] selects variables and fits a model on them; [cv.fsa()] also chooses
#' how many. The models are those of the command `fsa`, to the last byte.
#'
#' @section The program:
#' The package has no compiled code. It starts the program `fsa` once per call,
#' as `fsa serve`, and ends it with the call. The program is, in this order,
#' 1. the option `fsa.binary`,
#' 2. the environment variable `FSA_BINARY`,
#' 3. `bin/fsa` in the folder of the installed package,
#' 4. `bin/fsa` in `tools::R_user_dir("fsa")`,
#' 5. `fsa` on the `PATH`.
#'
#' [install_fsa()] puts it into one of the folders.
#'
#' @section Options:
#' `fsa.binary` is the path of the program, and `fsa.threads` the default number
#' of threads: 0, for all cores, if it is not set.
#'
#' @section Conditions:
#' All errors have the class `fsa_error`. Those of arguments also have
#' `fsa_input_error`; others are `fsa_service_error`, `fsa_memory_error`,
#' `fsa_time_error` and `fsa_diverged_error`. Warnings have the class
#' `fsa_warning`.
#'
#' @importFrom graphics plot
#' @importFrom stats coef confint formula logLik nobs predict residuals
#' @name fsa-package
#' @keywords internal
NULL
