package hostapi

import (
	"context"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
	"benchtop/backend/worker/wire"
)

// reach makes a checked request: over the network or, in a run that is
// offline, out of the answers that were written down for it.
func (s *Session) reach(ctx context.Context, f *fetch, u *url.Url) (*answer, error) {
	if s.run.Offline == nil {
		return s.follow(ctx, f, u)
	}
	return s.written(f, u)
}

// written takes the first answer for this method and address that no other
// request has had.
func (s *Session) written(f *fetch, u *url.Url) (*answer, error) {
	s.net.mu.Lock()
	defer s.net.mu.Unlock()
	if s.net.had == nil {
		s.net.had = map[int]bool{}
	}
	for i, w := range s.run.Offline.Answers {
		if s.net.had[i] || w.Method != f.method || w.URL != u.Href(false) {
			continue
		}
		s.net.had[i] = true
		return s.answerOf(w, u)
	}
	return nil, contract.Errorf(contract.FetchFailed, "fetch failed: this run is offline, and no answer is written down for %s %s", f.method, clip(u.Href(true)))
}

func (s *Session) answerOf(w wire.FetchAnswer, u *url.Url) (*answer, error) {
	if w.Error != nil {
		return nil, contract.Errorf(w.Error.Code, "%s", w.Error.Message)
	}
	if err := s.net.ingress.spend(int64(len(w.Body))); err != nil {
		return nil, err
	}
	a := &answer{status: w.Status, url: u.Href(false), body: []byte(w.Body)}
	for _, h := range w.Headers {
		a.headers = append(a.headers, h[0], h[1])
	}
	return a, nil
}
