package main

import (
	"slices"
	"strings"

	"fsa/data"
)

// Other names of losses and methods, in lower case without punctuation.
var (
	otherLosses = map[string]string{
		"mse": "squared", "l2": "squared", "leastsquares": "squared", "squarederror": "squared", "gaussian": "squared", "ols": "squared", "rmse": "squared", "linear": "squared",
		"mae": "absolute", "l1": "absolute", "lad": "absolute", "median": "absolute", "absoluteerror": "absolute", "robust": "huber",
		"pinball": "quantile", "survival": "cox", "coxph": "cox", "proportionalhazards": "cox", "hazard": "cox", "count": "poisson", "counts": "poisson", "loglinear": "poisson", "nb": "negbinomial", "nb2": "negbinomial", "negativebinomial": "negbinomial",
		"compoundpoisson": "tweedie", "amounts": "gamma", "invgamma": "gamma",
		"proportion": "binomial", "betabinomial": "binomial", "successes": "binomial",
		"log": "logistic", "logloss": "logistic", "crossentropy": "logistic", "logit": "logistic", "bernoulli": "logistic",
		"proportionalodds": "ordinal", "polr": "ordinal", "cumulative": "ordinal", "ordered": "ordinal", "orderedlogit": "ordinal", "cumulativelogit": "ordinal",
		"softmax": "multinomial", "multiclass": "multinomial", "categorical": "multinomial",
		"hinge": "svm", "svc": "svm", "ranking": "rank", "lambdarank": "rank", "pairwise": "rank", "ranknet": "rank",
	}
	otherMethods = map[string]string{
		"lasso": "l1", "glmnet": "l1", "elasticnet": "elastic-net", "enet": "elastic-net", "l2": "ridge", "tikhonov": "ridge",
		"svm": "l2-svm", "linearsvm": "l2-svm", "recursivefeatureelimination": "rfe", "svmrfe": "rfe", "boosting": "logitboost", "gradientboosting": "logitboost",
		"simulatedannealing": "sa", "annealing": "fsa",
	}
)

// meantBy returns the available name for another name of the same thing. It returns "" if the name
// itself is available or is unknown.
func meantBy(name string, among []string, elsewhere map[string]string) string {
	if slices.Contains(among, name) || name == "" {
		return ""
	}
	plain := strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name))
	if meant := elsewhere[plain]; meant != "" {
		return meant
	}
	return data.Nearest(name, among)
}
