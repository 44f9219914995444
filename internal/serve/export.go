package serve

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"fsa"
	"fsa/export"
	"fsa/model"
)

// exporting describes the form in which a model is exported; see [export.Options].
type exporting struct {
	To         string `json:"to"`
	Dialect    string `json:"dialect"`
	Table      string `json:"table"`
	Matrix     bool   `json:"matrix"`
	Width      int    `json:"width"`
	Places     []int  `json:"places"`
	TextLabels bool   `json:"text_labels"`
}

// exported is the result of an export.
type exported struct {
	ID    int64  `json:"id"`
	Event string `json:"event"`
	File  []byte `json:"file"`
}

// export exports a model.
func (s *server) export(r *request) (*exported, error) {
	m, err := model.Read(strings.NewReader(r.Model))
	if err != nil {
		return nil, err
	}
	o := r.Export
	var file bytes.Buffer
	err = export.Write(&file, m, export.Options{
		To: o.To, Dialect: o.Dialect, Table: o.Table, Matrix: o.Matrix, Width: o.Width, Places: o.Places, TextLabels: o.TextLabels,
	})
	if errors.Is(err, export.ErrLink) || errors.Is(err, export.ErrOffset) || errors.Is(err, export.ErrOrdered) {
		return nil, fmt.Errorf("%w: %s", fsa.ErrOptions, strings.TrimPrefix(err.Error(), "export: "))
	}
	if err != nil {
		return nil, &protocolError{err} // the client knows the available forms
	}
	return &exported{ID: r.ID, Event: "done", File: file.Bytes()}, nil
}
