package wire

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"benchtop/backend/contract"
)

// Frames come out as they went in, however the pipe cuts them.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type frame struct {
			kind Kind
			body []byte
		}
		var buf []byte
		var sent []frame
		for range rapid.IntRange(0, 5).Draw(t, "frames") {
			size := rapid.OneOf(rapid.IntRange(0, 40), rapid.Just(step), rapid.Just(step+1), rapid.IntRange(4*step-2, 4*step+2)).Draw(t, "size")
			body := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 1, 4).Draw(t, "body"), size)[:size]
			f := frame{Kind(rapid.Byte().Draw(t, "kind")), body}
			var err error
			if buf, err = AppendRaw(buf, f.kind, f.body); err != nil {
				t.Fatal(err)
			}
			sent = append(sent, f)
		}
		var in io.Reader = bytes.NewReader(buf)
		if rapid.Bool().Draw(t, "cut") {
			in = iotest.HalfReader(in)
		}
		r := NewReader(in)
		for i, want := range sent {
			kind, body, err := r.Next()
			if err != nil || kind != want.kind || !bytes.Equal(body, want.body) {
				t.Fatalf("frame %d: kind %d, %d bytes, %v; want kind %d, %d bytes", i, kind, len(body), err, want.kind, len(want.body))
			}
		}
		if _, _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Fatalf("after the last frame: %v", err)
		}
	})
}

func TestBodies(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		in   any
		out  any
	}{
		{KindCompile, Compile{Name: "functions/f.js", Source: "a\u2028b"}, &Compile{}},
		{KindCompiled, Compiled{Code: "x", Warnings: []contract.Problem{{Code: contract.Portability, Message: "m"}}}, &Compiled{}},
		{KindRun, Run{Hash: "h", InvocationID: "i", Context: contract.RawJSON(`{"a":1}`), Siblings: []string{"f"}, WallMs: 1, Seed: -3}, &Run{}},
		{KindReply, Reply{N: 3, HostReply: contract.HostReply{OK: true, Result: contract.RawJSON(`[1]`)}}, &Reply{}},
		{KindReply, Reply{N: 4, HostReply: contract.HostReply{Error: &contract.HostFailed{Code: contract.PermissionDenied, Message: "m"}}}, &Reply{}},
		{KindHost, Host{N: 1, Method: "kv.get", Args: contract.RawJSON(`{"key":"k"}`)}, &Host{}},
		{KindLog, Log{AtUs: 5, LogLine: contract.LogLine{Level: "info", Message: "m", TS: 7}}, &Log{}},
		{KindEmit, Emit{AtUs: 5, EmittedEvent: contract.EmittedEvent{Event: "e", TS: 7}}, &Emit{}},
		{KindResult, Result{Error: &Failure{Code: contract.WallTimeout, At: &contract.SourcePos{File: "f", Line: 1, Column: 2}}, CPUUs: 9}, &Result{}},
	} {
		frame, err := Append(nil, c.kind, c.in)
		if err != nil {
			t.Fatal(err)
		}
		kind, body, err := NewReader(bytes.NewReader(frame)).Next()
		if err != nil || kind != c.kind {
			t.Fatalf("kind %d, %v", kind, err)
		}
		if err := json.Unmarshal(body, c.out); err != nil {
			t.Fatal(err)
		}
		if got := reflect.ValueOf(c.out).Elem().Interface(); !reflect.DeepEqual(got, c.in) {
			t.Errorf("got %+v, want %+v", got, c.in)
		}
	}
}

func TestAppendReply(t *testing.T) {
	for _, r := range []contract.HostReply{
		{OK: true}, {OK: true, Result: contract.RawJSON(`{"a":"\u2028"}`)}, {},
		{Error: &contract.HostFailed{Code: contract.HostBridgeError, Message: "m"}},
	} {
		want := Reply{N: 12, HostReply: r}
		frame, err := AppendReply(nil, want)
		if err != nil {
			t.Fatal(err)
		}
		kind, body, err := NewReader(bytes.NewReader(frame)).Next()
		if err != nil || kind != KindReply {
			t.Fatalf("kind %d, %v", kind, err)
		}
		var got Reply
		if err := json.Unmarshal(body, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	}
	if _, err := AppendReply(nil, Reply{HostReply: contract.HostReply{OK: true, Result: contract.RawJSON(`{`)}}); err == nil {
		t.Error("half a result passes")
	}
}

func TestTooLarge(t *testing.T) {
	if _, err := AppendRaw(nil, KindCode, make([]byte, MaxFrame)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("writing gives %v", err)
	}
	for _, n := range []uint32{0, MaxFrame + 1, 1<<32 - 1} {
		head := append(binary.LittleEndian.AppendUint32(nil, n), byte(KindResult))
		if _, _, err := NewReader(bytes.NewReader(head)).Next(); !errors.Is(err, ErrTooLarge) {
			t.Errorf("reading a frame of %d gives %v", n, err)
		}
	}
}

func TestBoundedReader(t *testing.T) {
	limit := func(k Kind) int {
		if k == KindLog {
			return 10
		}
		return 0
	}
	for _, c := range []struct {
		kind Kind
		size int
		want error
	}{{KindLog, 9, nil}, {KindLog, 10, ErrTooLarge}, {KindEmit, 1, ErrKind}} {
		frame, err := AppendRaw(nil, c.kind, make([]byte, c.size))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := NewBoundedReader(bytes.NewReader(frame), limit).Next(); !errors.Is(err, c.want) {
			t.Errorf("kind %d with %d bytes gives %v, want %v", c.kind, c.size, err, c.want)
		}
	}
}

func TestCutOff(t *testing.T) {
	frame, err := AppendRaw(nil, KindLog, make([]byte, 100))
	if err != nil {
		t.Fatal(err)
	}
	for n := range frame {
		_, _, err := NewReader(bytes.NewReader(frame[:n])).Next()
		if want := map[bool]error{true: io.EOF, false: io.ErrUnexpectedEOF}[n == 0]; !errors.Is(err, want) {
			t.Errorf("after %d bytes: %v, want %v", n, err, want)
		}
	}
}

// A length is only a promise: no memory is taken for what does not come.
func TestAnnouncedIsNotAllocated(t *testing.T) {
	head := append(binary.LittleEndian.AppendUint32(nil, MaxFrame), byte(KindResult))
	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := NewReader(bytes.NewReader(head)).Next(); !errors.Is(err, io.ErrUnexpectedEOF) {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	if allocated > 2*step {
		t.Errorf("%d bytes for an empty promise", allocated)
	}
}

// FuzzReader: whatever arrives, reading ends, within its bounds, and what was
// read is what stands there.
func FuzzReader(f *testing.F) {
	good, err := Append(nil, KindHost, Host{N: 1, Method: "kv.get", Args: contract.RawJSON(`{}`)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(good[:7])
	f.Add(append(good, good...))
	f.Add([]byte{0, 0, 0, 0, 0})
	f.Add([]byte{255, 255, 255, 255, 1})
	f.Fuzz(func(t *testing.T, in []byte) {
		r := NewBoundedReader(bytes.NewReader(in), func(Kind) int { return 1 << 10 })
		var again []byte
		for {
			kind, body, err := r.Next()
			if err != nil {
				break
			}
			if len(body) >= 1<<10 {
				t.Fatalf("%d bytes in a frame", len(body))
			}
			if again, err = AppendRaw(again, kind, body); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(in, again) {
			t.Fatalf("read %x from %x", again, in)
		}
	})
}
