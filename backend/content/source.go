package content

import (
	"context"
	"unicode/utf8"

	"benchtop/backend/contract"
)

func (c *Content) source(ctx context.Context, agentID, id string) (*Source, error) {
	if c.cfg.Source == nil {
		return nil, nil
	}
	return c.cfg.Source(ctx, agentID, id)
}

// writable refuses the id of a source: what a function runs changes by declaring
// it, with the checks and the audit row of that.
func (c *Content) writable(ctx context.Context, agentID, id string) error {
	src, err := c.source(ctx, agentID, id)
	if src != nil {
		err = contract.Errorf(contract.PermissionDenied, "content.put: %s is the source of %s, version %d; declare the function to change it, or leave the id out", id, src.Function, src.Version)
	}
	return err
}

// item is a source as it is read.
func (s *Source) item(agentID, id string) *Item {
	if s == nil {
		return nil
	}
	b := []byte(s.Text)
	return &Item{AgentID: agentID, ID: id, MimeType: typeOf(s.File, b), DisplayName: s.File, Bytes: b,
		Size: int64(len(b)), SHA256: sum(b), CreatedAt: s.CreatedAt}
}

// Code gives an item as the source of a function, which contract.md 2.2 lets a
// manifest refer to: UTF-8 text of contract.MaxStoredSource bytes at most. found
// is false when the agent has no item of that id.
func (c *Content) Code(ctx context.Context, agentID, id string) (text string, found bool, err error) {
	it, err := c.Get(ctx, agentID, id)
	switch {
	case it == nil || err != nil:
		return "", false, err
	case it.Size > contract.MaxStoredSource:
		return "", true, contract.Errorf(contract.CodeTooLarge, "the content item %s has %d bytes; %d are allowed as a source", id, it.Size, contract.MaxStoredSource)
	case !utf8.Valid(it.Bytes):
		return "", true, contract.Errorf(contract.InvalidCodeRef, "the content item %s is not UTF-8 text, which a source is", id)
	}
	return string(it.Bytes), true, nil
}
