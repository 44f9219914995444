package open

import (
	"bytes"

	"fsa/data"
)

// foreign lists formats that cannot be read, how their files begin, and what to do with such a
// file.
var foreign = []struct{ start, name, cure string }{
	{"FEA1", "a Feather file of version 1", "save its table as Parquet, in Python with pandas.read_feather(OLD).to_parquet(NEW)"},
	{"\xd0\xcf\x11\xe0", "an old spreadsheet, or one with a password", "save it as .xlsx without one, or as CSV"},
	{"<stata_dta>", "a Stata file", "save its table as CSV or Parquet"},
	{"$FL2", "an SPSS file", "save its table as CSV or Parquet"},
	{"RDA2\n", "a text file of R's save", "save its table in R with saveRDS(TABLE, FILE)"},
	{"RDA3\n", "a text file of R's save", "save its table in R with saveRDS(TABLE, FILE)"},
	{"\xfd7zXZ\x00", "a file compressed with xz", "decompress it with unxz; in R, save with compress = \"gzip\""},
	{"BZh91AY&SY", "a file compressed with bzip2", "decompress it with bunzip2; in R, save with compress = \"gzip\""},
	{"%PDF-", "a PDF", "use the table from which it was made"},
}

// checkForeign returns an error for a file in a format that cannot be read, with advice.
func checkForeign(path string, head []byte) error {
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.start)) {
			return &data.Error{File: path, Msg: "this is " + f.name + ", which is not read: " + f.cure}
		}
	}
	return nil
}
