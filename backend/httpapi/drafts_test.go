package httpapi

import (
	"context"
	"time"

	"benchtop/backend/contract"
)

// fakeDrafts keeps nothing.
type fakeDrafts struct{}

func (fakeDrafts) List(context.Context, string) (contract.DraftList, error) {
	return contract.DraftList{Drafts: []contract.Draft{}}, nil
}
func (fakeDrafts) Put(context.Context, string, string, string, contract.DraftRequest) (time.Time, error) {
	return time.Unix(1, 0), nil
}
func (fakeDrafts) Drop(context.Context, string, string, string) error { return nil }
