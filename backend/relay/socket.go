package relay

import (
	"context"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"benchtop/backend/contract"
)

const handshake = 10 * time.Second

// socket opens a WebSocket and passes messages both ways until one side ends it.
func (x *exchange) socket(ctx context.Context, req *http.Request) {
	end := &contract.ClientEnd{}
	defer func() {
		x.over.Store(true)
		end.Bytes = x.bytes
		x.write(contract.ClientFrame{End: end})
	}()
	dialer := websocket.Dialer{HandshakeTimeout: handshake}
	headers := req.Header.Clone()
	if p := headers.Get("Sec-Websocket-Protocol"); p != "" {
		for one := range strings.SplitSeq(p, ",") {
			dialer.Subprotocols = append(dialer.Subprotocols, strings.TrimSpace(one))
		}
		headers.Del("Sec-Websocket-Protocol")
	}
	conn, res, err := dialer.DialContext(ctx, "ws"+strings.TrimPrefix(req.URL.String(), "http"), headers)
	if res != nil {
		defer res.Body.Close()
		x.write(contract.ClientFrame{Head: headOf(res)})
	}
	if err != nil {
		end.Error = why(ctx, err)
		return
	}
	defer func() { _ = conn.Close() }() // it may be closed
	conn.SetReadLimit(maxBytes)
	stop := context.AfterFunc(ctx, func() { // the page ended it, or is gone
		_ = conn.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, ""), time.Now().Add(time.Second))
		_ = conn.Close() // the reader below ends
	})
	defer stop()
	writing, done := context.WithCancel(ctx)
	written := make(chan struct{})
	defer func() { done(); <-written }()
	go func() {
		defer close(written)
		x.pass(writing, conn)
	}()
	for {
		kind, data, err := conn.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			switch {
			case errors.As(err, &closed):
				end.Code, end.Reason = closed.Code, closed.Text
			case ctx.Err() != nil:
				end.Code = websocket.CloseNormalClosure
			default:
				end.Error = err.Error()
			}
			return
		}
		m := &contract.ClientMessage{Text: string(data)}
		if kind == websocket.BinaryMessage {
			m = &contract.ClientMessage{Binary: true, B64: base64.StdEncoding.EncodeToString(data)}
		}
		if x.bytes += int64(len(data)); x.bytes > maxBytes {
			end.Truncated = true
			return
		}
		x.write(contract.ClientFrame{Message: m})
	}
}

// pass writes the page's messages.
func (x *exchange) pass(ctx context.Context, conn *websocket.Conn) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-x.send:
			kind, data := websocket.TextMessage, []byte(m.Text)
			if m.Binary {
				kind = websocket.BinaryMessage
				data, _ = base64.StdEncoding.DecodeString(m.B64) // messageOf has read it
			}
			_ = conn.SetWriteDeadline(time.Now().Add(writeLimit)) // a peer that does not read ends it
			if conn.WriteMessage(kind, data) != nil {
				return
			}
			x.write(contract.ClientFrame{Message: &m})
		}
	}
}

// messageOf is what the page sends as the frame that tells of it.
func messageOf(m contract.ClientSend) (contract.ClientMessage, error) {
	if !m.Binary {
		return contract.ClientMessage{Sent: true, Text: m.Text}, nil
	}
	data, err := base64.StdEncoding.DecodeString(m.B64)
	if err != nil {
		return contract.ClientMessage{}, contract.Errorf(contract.InvalidRequest, "b64 is no base64")
	}
	if len(data) > contract.MaxClientMessage {
		return contract.ClientMessage{}, contract.Errorf(contract.BodyTooLarge, "the message has %d bytes; %d are allowed here", len(data), contract.MaxClientMessage)
	}
	return contract.ClientMessage{Sent: true, Binary: true, B64: m.B64}, nil
}
