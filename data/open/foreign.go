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
	{"\xd0\xcf\x11\xe0", "an old spreadsheet, or one with a password", "save it as .xlsx without one, or as CSV"},
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
	return nil
}
