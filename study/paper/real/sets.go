package real

// Sets lists all sets, family after family.
func Sets() []*Set { return append(realSets(), generatedSets()...) }

// realSets lists the sets that are read from files. The numbers of variables were chosen before any
// measurement.
func realSets() []*Set {
	few, some, many := []int{5, 10, 20}, []int{5, 20, 50}, []int{20, 50}
	mixed := func(name, target string, k []int, drop ...string) *Set {
		return &Set{Name: name, Family: "mixed", folder: "mixed", load: csv(name+".csv.gz", target, drop...), K: k}
	}
	return []*Set{
		{Name: "alon", Family: "genes", folder: "genomics/alon", load: beside, K: few},
		{Name: "golub", Family: "genes", folder: "genomics/golub", load: beside, K: few},
		{Name: "singh", Family: "genes", folder: "genomics/singh", load: beside, K: few},
		{Name: "shipp", Family: "genes", folder: "genomics/shipp", load: beside, K: few},
		{Name: "arcene", Family: "genes", folder: "arcene", load: files("arcene_train.data.gz", "arcene_valid.data.gz"), K: some},

		{Name: "khan", Family: "gene-classes", folder: "genomics/khan_srbct", load: beside, K: few},
		{Name: "nci60", Family: "gene-classes", folder: "genomics/nci60", load: beside, K: few},

		{Name: "riboflavin", Family: "regression-wide", folder: "regression/riboflavin", load: beside, K: few},
		{Name: "eyedata", Family: "regression-wide", folder: "regression/eyedata", load: beside, K: few},

		{Name: "diabetes", Family: "regression-tall", folder: "regression/diabetes_x2", load: beside, K: few},
		{Name: "communities", Family: "regression-tall", folder: "regression/communities", load: csv("communities.data.gz", "ViolentCrimesPerPop", "state", "county", "community", "communityname string", "fold"), K: few},
		{Name: "housing", Family: "regression-tall", folder: "regression/cal_housing", load: csv("cal_housing.data.gz", "medianHouseValue"), K: []int{3, 5}, train: 1000, test: 4000},

		{Name: "dexter", Family: "text", folder: "dexter", load: files("dexter_train.data.gz", "dexter_valid.data.gz"), K: some},
		{Name: "rcv1", Family: "text", folder: "rcv1_small", load: files("train.svm.gz", "test.svm.gz"), K: some},
		{Name: "reuters-300", Family: "text", folder: "reuters_acq", load: files("acq_unigram.svm.gz"), K: some, train: 300, test: 2000},
		{Name: "reuters-2000", Family: "text", folder: "reuters_acq", load: files("acq_unigram.svm.gz"), K: some, train: 2000, test: 2000},

		{Name: "dorothea", Family: "sparse", folder: "dorothea", load: files("dorothea_train.data.gz", "dorothea_valid.data.gz"), K: some},
		{Name: "url", Family: "sparse", folder: "url_reputation", load: files("url_excerpt.svm.gz"), K: some, train: 1000, test: 2000},

		{Name: "digits-200", Family: "digits", folder: "digits49", load: digits, K: some, train: 200, test: 2000},
		{Name: "digits-2000", Family: "digits", folder: "digits49", load: digits, K: many, train: 2000, test: 2000},

		{Name: "madelon", Family: "madelon", folder: "madelon", load: files("madelon_train.data.gz", "madelon_valid.data.gz"), K: few},

		{Name: "ohsumed", Family: "ranking", folder: "ohsumed_letor", load: files("part1.txt.gz", "part2.txt.gz", "part3.txt.gz", "part4.txt.gz", "part5.txt.gz"), K: []int{5, 10}},

		mixed("scat", "Species", []int{5, 10}),
		mixed("Sacramento", "price", []int{3, 5}),
		mixed("attrition", "Attrition", []int{5, 10}),
		mixed("car_prices", "Price", []int{5, 10}),
		mixed("check_times", "check_time", []int{5, 10}, "package"),
		mixed("credit_data", "Status", []int{5, 10}),
		mixed("deliveries", "time_to_delivery", []int{5, 10}),
		mixed("lending_club", "Class", []int{5, 10}),
		mixed("mlc_churn", "churn", []int{5, 10}),
		mixed("stackoverflow", "Remote", []int{5, 10}),
		mixed("taxi", "tip", []int{3, 5}),
		mixed("wa_churn", "churn", []int{5, 10}),
	}
}

// generatedSets lists the generated sets: another table for every seed, from one file for each
// family.
func generatedSets() []*Set {
	few, some := []int{5, 10, 20}, []int{5, 20}
	return []*Set{
		{Name: "wide-classes", Family: "wide", K: few, make: wide(80, 3000, true, 1)},
		{Name: "wide-numbers", Family: "wide", K: few, make: wide(80, 3000, false, 1)},
		{Name: "wide-weak", Family: "wide", K: few, make: wide(200, 1000, true, 0.5)},

		{Name: "noise-classes", Family: "wide-noise", K: some, make: wide(80, 3000, true, 0), noise: true},
		{Name: "noise-numbers", Family: "wide-noise", K: some, make: wide(80, 3000, false, 0), noise: true},

		{Name: "spectra-numbers", Family: "spectra", K: few, make: spectra(120, 150, false)},
		{Name: "spectra-few", Family: "spectra", K: few, make: spectra(50, 300, false)},
		{Name: "spectra-classes", Family: "spectra", K: few, make: spectra(120, 150, true)},

		{Name: "body-numbers", Family: "body", K: []int{3, 5, 8}, make: body(125, 14, false)},
		{Name: "body-classes", Family: "body", K: []int{3, 5, 8}, make: body(125, 14, true)},

		{Name: "words-200", Family: "words", K: []int{5, 20, 50}, make: words(200)},
		{Name: "words-800", Family: "words", K: []int{5, 20, 50}, make: words(800)},

		{Name: "outlier-cell", Family: "outliers", K: []int{5, 10}, make: outliers(corruptCell)},
		{Name: "outlier-row", Family: "outliers", K: []int{5, 10}, make: outliers(corruptRow)},
		{Name: "outlier-target", Family: "outliers", K: []int{5, 10}, make: outliers(corruptTarget)},

		{Name: "factors-numbers", Family: "factors", K: few, make: factors(150, 200, false)},
		{Name: "factors-classes", Family: "factors", K: few, make: factors(150, 200, true)},

		{Name: "classes-10", Family: "classes", K: []int{10, 20, 50}, make: classes(10, 15, 500)},
		{Name: "classes-4", Family: "classes", K: few, make: classes(4, 15, 500)},

		{Name: "labels-1000", Family: "wrong-labels", K: []int{10}, make: asPaper(1000, 1000, 10, 0.2)},
		{Name: "labels-300", Family: "wrong-labels", K: []int{10}, make: asPaper(300, 500, 10, 0.2)},

		{Name: "rare-classes", Family: "rare", K: some, make: rare(400, 300, true)},
		{Name: "rare-numbers", Family: "rare", K: some, make: rare(400, 300, false)},

		{Name: "heavy-classes", Family: "heavy", K: []int{5, 10}, make: heavy(200, 100, true)},
		{Name: "heavy-numbers", Family: "heavy", K: []int{5, 10}, make: heavy(200, 100, false)},
	}
}
