// Package manifest knows what a function asks for: it parses, checks and
// normalises manifests and their docblock form (spec 2.2, contract.md 2.1 to
// 2.4), decides whether a call is granted and whether an address may be
// fetched. The platform validates with it and the worker enforces with it, so
// there is one reading of every rule.
package manifest

import (
	"encoding/json"

	"benchtop/backend/contract"
)

// Runtimes, spec section 9.
const (
	RuntimeJS      = "js-v1"
	RuntimePyodide = "python-pyodide-v1"
	RuntimeWasm    = "wasm-v1"
)

// Manifest is the normalised form: every notation that contract.md section 2
// allows has become this one.
type Manifest struct {
	Name         string          `json:"name,omitempty"` // display only
	Description  string          `json:"description,omitempty"`
	Runtime      string          `json:"runtime"`
	Entrypoint   string          `json:"entrypoint,omitempty"`
	Code         *CodeRef        `json:"code,omitempty"`
	Permissions  Permissions     `json:"permissions"`
	Limits       Limits          `json:"limits,omitzero"`
	BundleSHA256 string          `json:"bundleSha256,omitempty"`
	Parameters   json.RawMessage `json:"parameters,omitempty"`
}

// Permissions is what a manifest asks for and, frozen at the start of an
// invocation, what it was granted.
type Permissions struct {
	Fetch          []string `json:"fetch,omitempty"`
	Secrets        []string `json:"secrets,omitempty"`
	KV             KV       `json:"kv,omitzero"`
	Content        Content  `json:"content,omitzero"`
	Folders        []Folder `json:"folders,omitempty"`
	Portal         []string `json:"portal,omitempty"`
	RawBody        bool     `json:"rawBody,omitempty"`
	SelfRecursion  bool     `json:"selfRecursion,omitempty"`
	VisitorProfile []string `json:"visitor_profile,omitempty"`
}

// Mode is a tri-state of access: none, ro or rw. The zero value is none.
type Mode string

// Modes.
const (
	ModeNone Mode = "none"
	ModeRO   Mode = "ro"
	ModeRW   Mode = "rw"
)

// CanRead and CanWrite say what a mode allows.
func (m Mode) CanRead() bool  { return m == ModeRO || m == ModeRW }
func (m Mode) CanWrite() bool { return m == ModeRW }

// KV is the key-value permission. Its JSON is the single string of the spec
// when only Self is set, and contract.md 2.3's object otherwise; both are read.
type KV struct {
	Self          Mode `json:"self,omitempty"`
	Visitor       Mode `json:"visitor,omitempty"`
	AgentScope    bool `json:"agent_scope,omitempty"`
	App           Mode `json:"app,omitempty"`
	Instance      Mode `json:"instance,omitempty"`
	InstanceOwner Mode `json:"instance_owner,omitempty"`
	Project       Mode `json:"project,omitempty"`
	ProjectOwner  Mode `json:"project_owner,omitempty"`
}

// Content is the permission on content items.
type Content struct {
	Read  bool `json:"read,omitempty"`
	Write bool `json:"write,omitempty"`
}

// Folder is a folder binding in the spec's notation; Path is there for a
// binding of a local directory.
type Folder struct {
	Alias       string `json:"alias"`
	ContentID   string `json:"contentId,omitempty"`
	Path        string `json:"path,omitempty"`
	Permissions Mode   `json:"permissions"`
}

// CodeRef says where the source is, contract.md 2.2.
type CodeRef struct {
	Kind      string `json:"kind"` // inline, inlineB64, content, https, file
	Source    string `json:"source,omitempty"`
	ContentID string `json:"contentId,omitempty"`
	URL       string `json:"url,omitempty"`
	Path      string `json:"path,omitempty"`
	SHA256    string `json:"sha256,omitempty"`
}

// Limits are what a manifest asks for; zero means the default. Effective
// clamps them.
type Limits struct {
	WallMs       int   `json:"wallMs,omitempty"`
	CPUMs        int   `json:"cpuMs,omitempty"`
	MemoryMb     int   `json:"memoryMb,omitempty"`
	IngressBytes int64 `json:"ingressBytes,omitempty"`
	EgressBytes  int64 `json:"egressBytes,omitempty"`
	BodyBytesMax int64 `json:"bodyBytesMax,omitempty"`
}

// Effective gives the limits an invocation runs under: defaults for what is
// absent, maxima for what is above them (spec section 8).
func (l Limits) Effective() Limits {
	pick := func(v, def, most int) int {
		if v <= 0 {
			v = def
		}
		return min(v, most)
	}
	l.WallMs = pick(l.WallMs, contract.DefaultWallMs, contract.MaxWallMs)
	l.MemoryMb = pick(l.MemoryMb, contract.DefaultMemoryMb, contract.MaxMemoryMb)
	l.CPUMs = pick(l.CPUMs, contract.DefaultCPUMs, contract.MaxWallMs)
	if l.IngressBytes <= 0 {
		l.IngressBytes = contract.DefaultIngressBytes
	}
	if l.EgressBytes <= 0 {
		l.EgressBytes = contract.DefaultEgressBytes
	}
	if l.BodyBytesMax <= 0 {
		l.BodyBytesMax = contract.MaxBodyBytes
	}
	return l
}

// MarshalJSON writes the spec's single string where that says it all.
func (k KV) MarshalJSON() ([]byte, error) {
	self := k.Self
	k.Self = ""
	if k == (KV{}) {
		if self == "" {
			self = ModeNone
		}
		return json.Marshal(string(self))
	}
	k.Self = self
	type object KV
	return json.Marshal(object(k))
}

// UnmarshalJSON reads either notation. Unknown modes are Parse's to refuse.
func (k *KV) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*k = KV{Self: Mode(s)}
		return nil
	}
	type object KV
	return json.Unmarshal(b, (*object)(k))
}

// Bindings are the secret names a manifest declares: permissions.secrets
// without the sentinel "write".
func (p Permissions) Bindings() []string {
	var names []string
	for _, s := range p.Secrets {
		if s != "write" {
			names = append(names, s)
		}
	}
	return names
}
