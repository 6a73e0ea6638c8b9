package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"benchtop/backend/contract"
	"benchtop/backend/sqlite"
)

// payers is how many callers pay at once.
const payers = 16

// money times lock and settle over HTTP, by one caller and by many, beside the
// commit of one row in a database of this process on the same disk: that is what
// a payment cannot do without.
func money(p *served, _ string, calls int) (err error) {
	dir, err := os.MkdirTemp("", "benchtop-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: filepath.Join(dir, "bare.db"), Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	row := json.RawMessage(`{"a":1}`)
	commit := func() error { return db.SaveSettings(context.Background(), row) }

	var minted contract.PaymentMintResponse
	if err := p.call("POST", "/api/local/payments/mint", map[string]any{"amount": 500}, &minted); err != nil {
		return err
	}
	lockBody := []byte(`{"tokenId":"` + minted.Info.ID + `","amount":0.000001}`)
	lock := func() error { return p.post("/api/payments/lock", lockBody) }
	settles := make([]func() error, payers)
	for i := range settles {
		var l contract.PaymentLockResponse
		if err := p.call("POST", "/api/payments/lock", map[string]any{"tokenId": minted.Info.ID, "amount": 10}, &l); err != nil {
			return err
		}
		body := []byte(`{"lockId":"` + l.LockID + `","amount":0.00000001,"chargeType":"agent_fee"}`)
		settles[i] = func() error { return p.post("/api/payments/settle", body) }
	}

	one, err := alternate(10, max(calls/40, 1), commit, lock, settles[0])
	if err != nil {
		return err
	}
	names := []string{"bare SQLite commit", "lock", "settle"}
	fmt.Println("\npayments, one caller            p50        p95        p99   of bare (p50)")
	for i, name := range names {
		fmt.Printf("  %-24s %8.1fµs %8.1fµs %8.1fµs   %6.2f\n", name, us(percentile(one[i], .5)), us(percentile(one[i], .95)),
			us(percentile(one[i], .99)), float64(percentile(one[i], .5))/float64(percentile(one[0], .5)))
	}
	fmt.Printf("payments, %d callers           p50        p95        p99    calls/s   of bare (calls/s)\n", payers)
	base := 0.0
	for i, call := range []func(int) error{
		func(int) error { return commit() }, func(int) error { return lock() }, func(n int) error { return settles[n]() },
	} {
		d, rate, err := together(payers, max(calls/20, 1), call)
		if err != nil {
			return err
		}
		if base == 0 {
			base = rate
		}
		fmt.Printf("  %-24s %8.1fµs %8.1fµs %8.1fµs %10.0f   %6.1f %%\n", names[i], us(percentile(d, .5)), us(percentile(d, .95)),
			us(percentile(d, .99)), rate, 100*rate/base)
	}
	return nil
}

func (p *served) post(path string, body []byte) error {
	req, err := p.request("POST", path, bytes.Clone(body))
	if err != nil {
		return err
	}
	return do(req, nil)
}

// together times calls of several callers at once, each of them so many.
func together(callers, each int, call func(caller int) error) (sorted []time.Duration, perSecond float64, err error) {
	times, errs := make([][]time.Duration, callers), make([]error, callers)
	var wg sync.WaitGroup
	begin := time.Now()
	for i := range callers {
		wg.Go(func() {
			for range each {
				t := time.Now()
				if errs[i] = call(i); errs[i] != nil {
					return
				}
				times[i] = append(times[i], time.Since(t))
			}
		})
	}
	wg.Wait()
	took := time.Since(begin)
	if err := errors.Join(errs...); err != nil {
		return nil, 0, err
	}
	sorted = slices.Concat(times...)
	slices.Sort(sorted)
	return sorted, float64(len(sorted)) / took.Seconds(), nil
}
