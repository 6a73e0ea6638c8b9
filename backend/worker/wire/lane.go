package wire

import (
	"encoding/binary"
	"io"
	"strings"
	"sync"
)

// Many runs that mostly wait share one process. Each has a lane: a stream of
// frames of its own, whose bytes travel in frames of KindLane. A body is the
// little-endian uint32 that names the lane, and bytes of the stream; without
// bytes it ends the lane. The platform opens a lane by its first frame.

// Kinds of handlers of custom endpoints.
const (
	EndpointHTTP   = "http"   // answers a request, at once or chunk by chunk
	EndpointSocket = "socket" // talks over a WebSocket
)

// PeerCall reports whether a host call goes to the other end of an endpoint's
// run, its peer, and not to the host bridge. While a handler waits for nothing
// but its peer, its wall clock stands still.
func PeerCall(method string) bool {
	space, _, _ := strings.Cut(method, ".")
	return space == "stream" || space == "socket" || space == "agent"
}

const (
	laneHead = 4
	// laneStep is how much of a lane one frame carries, so that lanes take turns.
	laneStep = 256 << 10
	// MaxLaneFrame bounds a frame of KindLane.
	MaxLaneFrame = laneStep + laneHead + 1
	// laneBuffer is small: there are many lanes, and they mostly wait.
	laneBuffer = 2 << 10
)

// AppendLane adds the frames that carry data on a lane; without data, the one
// that ends it.
func AppendLane(buf []byte, lane uint32, data []byte) []byte {
	for {
		n := min(len(data), laneStep)
		buf = binary.LittleEndian.AppendUint32(buf, uint32(laneHead+n+1))
		buf = append(buf, byte(KindLane))
		buf = binary.LittleEndian.AppendUint32(buf, lane)
		buf = append(buf, data[:n]...)
		if data = data[n:]; len(data) == 0 {
			return buf
		}
	}
}

// SplitLane reads the body of a KindLane frame.
func SplitLane(body []byte) (lane uint32, data []byte, ok bool) {
	if len(body) < laneHead {
		return 0, nil, false
	}
	return binary.LittleEndian.Uint32(body), body[laneHead:], true
}

// LaneReader reads the frames of a lane.
func LaneReader(r io.Reader, limit func(Kind) int) *Reader { return newReader(r, limit, laneBuffer) }

// Inbox is the receiving end of a lane. Add never waits, so that one lane cannot
// hold up the others.
type Inbox struct {
	mu     sync.Mutex
	some   sync.Cond
	data   []byte
	closed bool
}

// NewInbox makes an empty one.
func NewInbox() *Inbox {
	b := &Inbox{}
	b.some.L = &b.mu
	return b
}

// Add puts bytes behind those that are there and gives how many wait now.
func (b *Inbox) Add(data []byte) (waiting int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.data = append(b.data, data...)
		b.some.Signal()
	}
	return len(b.data)
}

// Close lets a reader have what is there, and then io.EOF.
func (b *Inbox) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.some.Broadcast()
}

// Read waits for bytes.
func (b *Inbox) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.data) == 0 {
		if b.closed {
			return 0, io.EOF
		}
		b.some.Wait()
	}
	n := copy(p, b.data)
	if b.data = b.data[n:]; len(b.data) == 0 {
		b.data = nil // a lane that waits keeps no memory
	}
	return n, nil
}
