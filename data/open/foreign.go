package open

import (
	"bytes"

	"fsa/data"
)

// foreign are formats that are not read, by how their files begin, and what to do with
// such a file.
var foreign = []struct{ start, name, cure string }{
	{"FEA1", "a Feather file of version 1", "save its table as Parquet, in Python with pandas.read_feather(OLD).to_parquet(NEW)"},
	{"\x89HDF\r\n\x1a\n", "an HDF5 file", "save its array as .npy or .npz; of AnnData (.h5ad), in Python with scipy.sparse.save_npz(NEW, scipy.sparse.csr_matrix(a.X)), and a.var_names, one a line, for --names"},
	{"SQLite format 3\x00", "an SQLite database", "save one of its tables as CSV"},
	{"\xd0\xcf\x11\xe0", "an old spreadsheet", "save its table as CSV"},
	{"<stata_dta>", "a Stata file", "save its table as CSV or Parquet"},
	{"$FL2", "an SPSS file", "save its table as CSV or Parquet"},
	{"RDX2\n", "a file of R's save", "write its table with write.csv"},
	{"RDX3\n", "a file of R's save", "write its table with write.csv"},
	{"X\n\x00\x00", "a file of R's saveRDS", "write its table with write.csv"},
	{"%PDF-", "a PDF", "get the table that it was made from"},
}

// checkForeign refuses a file that is known not to be readable, with a cure.
func checkForeign(path string, head []byte) error {
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f.start)) {
			return &data.Error{File: path, Msg: "this is " + f.name + ", which is not read: " + f.cure}
		}
	}
	if isJSON(head) {
		return &data.Error{File: path, Msg: "this is JSON, which is not read as a table: save it as CSV or Parquet, in Python with pandas.read_json(OLD, lines=True).to_csv(NEW, index=False) if each line is an object"}
	}
	return nil
}

// isJSON reports whether a file begins as an object or a list of objects does.
func isJSON(head []byte) bool {
	text, inside := bytes.CutPrefix(bytes.TrimLeft(head, " \t\r\n"), []byte("["))
	if inside {
		text = bytes.TrimLeft(text, " \t\r\n")
	}
	text, object := bytes.CutPrefix(text, []byte("{"))
	text = bytes.TrimLeft(text, " \t\r\n")
	if !object || len(text) == 0 || text[0] != '"' {
		return false
	}
	end := bytes.IndexByte(text[1:], '"')
	return end >= 0 && bytes.HasPrefix(bytes.TrimLeft(text[end+2:], " \t\r\n"), []byte(":"))
}
