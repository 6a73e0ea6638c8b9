package wire_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"benchtop/backend/worker/wire"
)

// A lane's bytes come out as they went in, however long, between those of others.
func TestLanes(t *testing.T) {
	long := bytes.Repeat([]byte("0123456789"), 100_000)
	pipe := wire.AppendLane(nil, 7, []byte("one"))
	pipe = wire.AppendLane(pipe, 8, long)
	pipe = wire.AppendLane(pipe, 7, []byte("two"))
	pipe = wire.AppendLane(pipe, 7, nil)
	frames := wire.NewBoundedReader(bytes.NewReader(pipe), func(k wire.Kind) int {
		if k == wire.KindLane {
			return wire.MaxLaneFrame
		}
		return 0
	})
	got := map[uint32][]byte{}
	ended := false
	for {
		_, body, err := frames.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		lane, data, ok := wire.SplitLane(body)
		if !ok || lane == 7 && ended {
			t.Fatalf("lane %d of %d bytes", lane, len(body))
		}
		got[lane] = append(got[lane], data...)
		ended = ended || lane == 7 && len(data) == 0
	}
	if string(got[7]) != "onetwo" || !bytes.Equal(got[8], long) || !ended {
		t.Errorf("lane 7 %q, lane 8 %d bytes, ended %v", got[7], len(got[8]), ended)
	}
	if _, _, ok := wire.SplitLane([]byte{1, 2, 3}); ok {
		t.Error("a body without a lane was read")
	}
}

// Who adds to an inbox never waits; who reads waits, and gets the rest before the
// end.
func TestInbox(t *testing.T) {
	in := wire.NewInbox()
	read := make(chan string)
	go func() {
		b, err := io.ReadAll(in)
		if err != nil {
			b = []byte(err.Error())
		}
		read <- string(b)
	}()
	for range 3 {
		in.Add([]byte("ab"))
	}
	in.Close()
	if in.Add([]byte("late")) > 6 {
		t.Error("an inbox that is closed took more")
	}
	if got := <-read; got != "ababab" {
		t.Errorf("read %q", got)
	}
}

func TestPeerCall(t *testing.T) {
	for method, want := range map[string]bool{"socket.send": true, "stream.open": true, "agent.next": true, "kv.get": false, "portal.dispatch": false, "": false, "streams.x": false} {
		if wire.PeerCall(method) != want {
			t.Errorf("%q: %v", method, !want)
		}
	}
}
