package main

import (
	"slices"
	"strings"

	"fsa/data"
)

// What losses and methods are called elsewhere, in small letters without marks between.
var (
	otherLosses = map[string]string{
		"mse": "squared", "l2": "squared", "leastsquares": "squared", "squarederror": "squared", "gaussian": "squared", "ols": "squared", "rmse": "squared", "linear": "squared",
		"mae": "huber", "l1": "huber", "absolute": "huber", "robust": "huber",
		"log": "logistic", "logloss": "logistic", "binomial": "logistic", "crossentropy": "logistic", "logit": "logistic", "bernoulli": "logistic",
		"softmax": "multinomial", "multiclass": "multinomial", "categorical": "multinomial",
		"hinge": "svm", "svc": "svm", "ranking": "rank", "lambdarank": "rank", "pairwise": "rank", "ranknet": "rank",
	}
	otherMethods = map[string]string{
		"lasso": "l1", "glmnet": "l1", "elasticnet": "elastic-net", "enet": "elastic-net", "l2": "ridge", "tikhonov": "ridge",
		"svm": "l2-svm", "linearsvm": "l2-svm", "recursivefeatureelimination": "rfe", "svmrfe": "rfe", "boosting": "logitboost", "gradientboosting": "logitboost",
		"simulatedannealing": "sa", "annealing": "fsa",
	}
)

// meantBy returns the name, of those that there are, that another one stands for; empty if it is
// one of them or stands for none.
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
