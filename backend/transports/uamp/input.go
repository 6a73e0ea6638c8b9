package uamp

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"benchtop/backend/model"
)

// media is what the value of an input may be: base64, a data URL, an address, or
// {url}.
type media string

// UnmarshalJSON implements json.Unmarshaler.
func (m *media) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*m = media(text)
		return nil
	}
	var object struct {
		URL string `json:"url"`
	}
	err := json.Unmarshal(b, &object)
	*m = media(object.URL)
	return err
}

func (m media) isAddress() bool {
	return strings.HasPrefix(string(m), "http://") || strings.HasPrefix(string(m), "https://")
}

// bytes are the media's own, when it is no address.
func (m media) bytes() ([]byte, error) {
	text := string(m)
	if rest, ok := strings.CutPrefix(text, "data:"); ok {
		_, text, _ = strings.Cut(rest, ",")
	}
	return base64.StdEncoding.DecodeString(text)
}

// url is the media as an address: its own, or one that has its bytes.
func (m media) url(mediaType string) string {
	if m.isAddress() || strings.HasPrefix(string(m), "data:") {
		return string(m)
	}
	return "data:" + mediaType + ";base64," + string(m)
}

// read checks an input's media.
func (m media) read(name string) ([]byte, *failure) {
	if m == "" {
		return nil, invalid("the event has no %s", name)
	}
	if m.isAddress() {
		return nil, nil
	}
	b, err := m.bytes()
	if err != nil {
		return nil, invalid("%s is neither base64 nor an address", name)
	}
	return b, nil
}

// typeOf makes a media type of a format such as png.
func typeOf(kind, format, otherwise string) string {
	if format == "" {
		format = otherwise
	}
	if strings.Contains(format, "/") {
		return format
	}
	return kind + "/" + format
}

func (s *session) inputText(in incoming) *failure {
	var e struct {
		Text *string `json:"text"`
		Role string  `json:"role"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	if e.Role == "" {
		e.Role = model.RoleUser
	}
	if e.Text == nil || e.Role != model.RoleUser && e.Role != model.RoleSystem {
		return invalid("input.text has a text, and the role user or system")
	}
	return s.input(e.Role, part{Type: "text", Text: *e.Text})
}

func (s *session) inputImage(in incoming) *failure {
	var e struct {
		Image  media  `json:"image"`
		Format string `json:"format"`
		Detail string `json:"detail"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	if _, f := e.Image.read("image"); f != nil {
		return f
	}
	image := map[string]string{"url": e.Image.url(typeOf("image", e.Format, "png"))}
	if e.Detail != "" {
		image["detail"] = e.Detail
	}
	return s.input(model.RoleUser, part{Type: "image_url", Image: image})
}

func (s *session) inputVideo(in incoming) *failure {
	var e struct {
		Video  media  `json:"video"`
		Format string `json:"format"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	if _, f := e.Video.read("video"); f != nil {
		return f
	}
	return s.input(model.RoleUser, part{Type: "video_url", Video: map[string]string{"url": e.Video.url(typeOf("video", e.Format, "mp4"))}})
}

// inputFile takes a file: one of text as its text, another as it is.
func (s *session) inputFile(in incoming) *failure {
	var e struct {
		File     media  `json:"file"`
		Filename string `json:"filename"`
		MimeType string `json:"mime_type"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	bytes, f := e.File.read("file")
	if f != nil {
		return f
	}
	if e.Filename == "" {
		e.Filename = "document"
	}
	isText := strings.HasPrefix(e.MimeType, "text/") || e.MimeType == "application/json"
	switch {
	case strings.HasPrefix(e.MimeType, "image/"):
		return s.input(model.RoleUser, part{Type: "image_url", Image: map[string]string{"url": e.File.url(e.MimeType)}})
	case bytes != nil && isText && utf8.Valid(bytes):
		return s.input(model.RoleUser, part{Type: "text", Text: e.Filename + ":\n" + string(bytes)})
	case e.File.isAddress():
		return s.input(model.RoleUser, part{Type: "text", Text: e.Filename + ": " + string(e.File)})
	}
	return s.input(model.RoleUser, part{Type: "file", File: map[string]string{"filename": e.Filename, "file_data": e.File.url(typeOf("application", e.MimeType, "octet-stream"))}})
}

// audio is sound that comes in pieces, until it is committed.
type audio struct {
	bytes  []byte
	format string
}

func (s *session) inputAudio(in incoming) *failure {
	var e struct {
		Audio   media  `json:"audio"`
		Format  string `json:"format"`
		IsFinal *bool  `json:"is_final"`
	}
	if f := in.into(&e); f != nil {
		return f
	}
	bytes, f := e.Audio.read("audio")
	if f != nil {
		return f
	}
	if e.Audio.isAddress() {
		return s.input(model.RoleUser, part{Type: "text", Text: "audio: " + string(e.Audio)})
	}
	s.mu.Lock()
	if len(s.audio.bytes)+len(bytes) > maxEvent {
		s.mu.Unlock()
		return tooLarge()
	}
	s.audio.bytes = append(s.audio.bytes, bytes...)
	if e.Format != "" {
		s.audio.format = e.Format
	}
	s.mu.Unlock()
	if e.IsFinal != nil && !*e.IsFinal {
		return nil
	}
	return s.commitAudio(in)
}

// commitAudio ends a piece of sound.
func (s *session) commitAudio(incoming) *failure {
	s.mu.Lock()
	a := s.audio
	s.audio = audio{}
	s.mu.Unlock()
	if len(a.bytes) == 0 {
		return nil
	}
	if a.format == "" {
		a.format = "webm"
	}
	return s.input(model.RoleUser, part{Type: "input_audio", Audio: map[string]string{"data": base64.StdEncoding.EncodeToString(a.bytes), "format": a.format}})
}
