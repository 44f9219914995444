package data

// Roles says which columns are not variables. A column is given by its name, or by its number
// counted from 0. A vector replaces a column that is in another file.
type Roles struct {
	Target, Weight, Query, Group string
	// Targets are the columns of several targets; Target is then empty.
	Targets []string
	// Offset is a column that is added to decision values. Exposure says that it holds exposures, whose
	// logarithms are added.
	Offset   string
	Exposure bool
	// Event is the column that says whether rows had the event at the time given by the target.
	// Stratum is the column of strata: only rows of the same stratum are compared.
	// Entry is the column of the times from which on rows are observed.
	Event, Stratum, Entry string
	// Trials is a column of numbers of trials, of which the target holds the successes.
	Trials string
	Drop   []string
	// Use names columns that are variables although they look like identifiers. Names that are not
	// in the table are ignored.
	Use []string

	// TargetVectors hold several targets, NaN where one is missing.
	TargetVectors                                                      []*Vector
	TargetVector, WeightVector, QueryVector, GroupVector, OffsetVector *Vector
	EventVector, StratumVector, EntryVector, TrialsVector              *Vector
}

// VectorsOnly reports whether no column of the table has a role.
func (r *Roles) VectorsOnly() bool {
	return len(r.Columns()) == 0 && len(r.Drop) == 0
}

// Columns returns the names or numbers of the columns that have a role, besides those that are dropped.
func (r *Roles) Columns() (list []string) {
	list = append(list, r.Targets...)
	for _, ref := range []string{r.Target, r.Weight, r.Query, r.Group, r.Offset} {
		if ref != "" {
			list = append(list, ref)
		}
	}
	for _, b := range r.Beside() {
		if *b.Column != "" {
			list = append(list, *b.Column)
		}
	}
	return list
}
