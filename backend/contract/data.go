package contract

import "time"

// KVNamespace is one store of keys: a function's own (Scope fn), or with an
// empty Function that of the agent. A visitor's part has ":visitor:<id>" behind
// the scope. Keys counts what has not expired.
type KVNamespace struct {
	Function string `json:"function"`
	Scope    string `json:"scope"`
	Keys     int    `json:"keys"`
}

// KVNamespaces answers GET /api/local/agents/<a>/kv: those that hold something,
// and those of the agent's functions.
type KVNamespaces struct {
	Namespaces []KVNamespace `json:"namespaces"`
}

// KVItem is one key. Value is absent in lists that were asked for without values.
// Version names the value; lists are without it.
type KVItem struct {
	Key       string     `json:"key"`
	Value     RawJSON    `json:"value,omitempty"`
	ExpiresAt *time.Time `json:"expiresAt,omitempty"`
	Version   string     `json:"version,omitempty"`
}

// KVPage answers GET /api/local/agents/<a>/kv/items, in byte order of keys.
type KVPage struct {
	Items      []KVItem `json:"items"`
	NextCursor *string  `json:"nextCursor"`
}

// KVWrite is the body of PUT .../kv/items: what to store, MaxKVWrite items at
// most. With KeepExisting a key that is there stays as it is. IfVersion is the
// version of the value that an edit of one item was based on: where another one
// is stored meanwhile, the answer is VERSION_CONFLICT with a KVConflict.
type KVWrite struct {
	Function     string        `json:"function"`
	Scope        string        `json:"scope,omitempty"` // fn when empty
	Items        []KVWriteItem `json:"items"`
	KeepExisting bool          `json:"keepExisting,omitempty"`
	IfVersion    string        `json:"ifVersion,omitempty"`
}

// KVConflict is the details of a VERSION_CONFLICT: what is stored now, null when
// the key is gone.
type KVConflict struct {
	Item *KVItem `json:"item"`
}

// KVWriteItem is one key of a KVWrite. TTLSeconds 0 keeps it for good.
type KVWriteItem struct {
	Key        string  `json:"key"`
	Value      RawJSON `json:"value"`
	TTLSeconds float64 `json:"ttlSeconds,omitempty"`
}

// MaxKVWrite is how many items one KVWrite may have.
const MaxKVWrite = 500

// KVWritten answers PUT and DELETE of items. Kept are those that were there.
type KVWritten struct {
	OK      bool `json:"ok"`
	Written int  `json:"written"`
	Kept    int  `json:"kept"`
}

// ContentItem is a content item without its bytes.
type ContentItem struct {
	ID          string    `json:"id"`
	MimeType    string    `json:"mimeType"`
	DisplayName string    `json:"displayName"`
	Size        int64     `json:"size"`
	CreatedAt   time.Time `json:"createdAt"`
}

// ContentPage answers GET /api/local/agents/<a>/content, the newest first.
type ContentPage struct {
	Items      []ContentItem `json:"items"`
	NextCursor *string       `json:"nextCursor"`
}

// FolderBinding is a folder that a function's manifest binds to an alias. Problem
// says why it cannot be used, empty when it can; Missing, that it can, and that
// its directory is not there.
type FolderBinding struct {
	Function    string `json:"function"`
	Alias       string `json:"alias"`
	Kind        string `json:"kind"`        // content, local
	Where       string `json:"where"`       // its id, or its path as the manifest has it
	Permissions string `json:"permissions"` // ro, rw
	Problem     string `json:"problem,omitempty"`
	Missing     bool   `json:"missing,omitempty"`
}

// FolderList answers GET /api/local/agents/<a>/folders.
type FolderList struct {
	Folders []FolderBinding `json:"folders"`
}

// FolderFile is a file of a folder.
type FolderFile struct {
	Name     string    `json:"name"`
	MimeType string    `json:"mimeType"`
	Size     int64     `json:"size"`
	Modified time.Time `json:"modified"`
}

// FolderPage answers GET /api/local/agents/<a>/folders/<function>/<alias>, in
// byte order of names.
type FolderPage struct {
	Files      []FolderFile `json:"files"`
	NextCursor *string      `json:"nextCursor"`
}
