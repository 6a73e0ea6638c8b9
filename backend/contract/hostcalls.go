package contract

import "strings"

// Grant names the permission a host call needs, spec 2.5.
type Grant string

// Grants. The rules behind them are in manifest.Permissions.
const (
	GrantNone         Grant = ""
	GrantKVRead       Grant = "kv:ro"
	GrantKVWrite      Grant = "kv:rw"
	GrantSecret       Grant = "secrets:name"  // the name in args is allowed
	GrantSecretWrite  Grant = "secrets:write" // and the sentinel "write" is there
	GrantSecretAny    Grant = "secrets:any"
	GrantContentRead  Grant = "content:read"
	GrantContentWrite Grant = "content:write"
	GrantFolder       Grant = "folder"
	GrantFolderWrite  Grant = "folder:rw"
	GrantPortal       Grant = "portal"
)

// Charge names the quota a host call uses up beside callsTotal.
type Charge string

// Charges.
const (
	ChargeNone    Charge = ""
	ChargeKVPut   Charge = "kvPutBytes"
	ChargeContent Charge = "contentWrites"
)

// HostCall is one row of what ctx offers through the host bridge. The worker
// builds ctx from it, the bridge reads grant and charge from it.
type HostCall struct {
	// Method is the wire name, contract.md 4.4; "<namespace>.<member>" of ctx
	// unless Member says otherwise.
	Method string
	// Member is its name in ctx where that differs. "folders[].list" is a member
	// of each of the namespace's own members: ctx.folders[binding].list. A name
	// with a dot is in a namespace of its own: ctx.portal.payment.lock.
	Member string
	// Params name the JavaScript arguments in order; each becomes a key of the
	// call's args. A last one with "..." in front is an options object whose
	// keys are spread into args. For a keyed namespace the key comes first, as
	// "binding".
	Params []string
	Grant  Grant
	Charge Charge
	// Returns is the TypeScript type of what the promise resolves to.
	Returns string
	Doc     string
}

// HostCalls is the table. Members that stay inside the worker (fetch, log,
// emit, request) are not host calls and are not here.
var HostCalls = []HostCall{
	{Method: "kv.get", Params: []string{"key"}, Grant: GrantKVRead, Returns: "unknown | undefined",
		Doc: "Reads a value; undefined when the key is absent or has expired."},
	{Method: "kv.put", Params: []string{"key", "value", "...opts"}, Grant: GrantKVWrite, Charge: ChargeKVPut, Returns: "void",
		Doc: "Stores a JSON value. opts: ttlSeconds or ttlMs. Object form: {key, value, user_id?, scope?, ttlSeconds?}."},
	{Method: "kv.putIfAbsent", Params: []string{"key", "value", "...opts"}, Grant: GrantKVWrite, Charge: ChargeKVPut, Returns: "{won: boolean}",
		Doc: "Stores a value only when the key is absent, atomically. A lost race is charged too."},
	{Method: "kv.delete", Params: []string{"key"}, Grant: GrantKVWrite, Returns: "void",
		Doc: "Removes a key; removing an absent key is no error."},
	{Method: "kv.list", Params: []string{"prefix", "...opts"}, Grant: GrantKVRead, Returns: "{keys: string[], items?: {key: string, value: unknown}[], cursor?: string}",
		Doc: "Lists keys in order. opts: limit, cursor, values."},
	{Method: "secrets.get", Params: []string{"name"}, Grant: GrantSecret, Returns: "string | undefined",
		Doc: "Reads the plaintext of a secret; undefined when it is declared but not set."},
	{Method: "secrets.put", Params: []string{"name", "value"}, Grant: GrantSecretWrite, Returns: "void",
		Doc: "Stores a secret, encrypted."},
	{Method: "secrets.list", Params: nil, Grant: GrantSecretAny, Returns: "string[]",
		Doc: "Names that are both allowed and stored."},
	{Method: "content.read", Member: "content.get", Params: []string{"id"}, Grant: GrantContentRead,
		Returns: "{id: string, mimeType: string, displayName: string, size: number, arrayBuffer(): Promise<ArrayBuffer>} | null",
		Doc:     "Reads a content item; null when there is none. Its bytes count as ingress."},
	{Method: "content.write", Member: "content.put", Params: []string{"item"}, Grant: GrantContentWrite, Charge: ChargeContent, Returns: "{id: string}",
		Doc: "Stores a content item: {data, id?, mimeType?, displayName?}; with an id it replaces that item."},
	{Method: "folders.list", Member: "folders[].list", Params: []string{"...opts"}, Grant: GrantFolder,
		Returns: "{items: {name: string, size: number, modified: string}[], cursor?: string}",
		Doc:     "Lists the files of a bound folder in order. opts: prefix, limit, cursor."},
	{Method: "folders.read", Member: "folders[].read", Params: []string{"name"}, Grant: GrantFolder,
		Returns: "{id: string, mimeType: string, name: string, size: number, arrayBuffer(): Promise<ArrayBuffer>} | null",
		Doc:     "Reads a file of a bound folder; null when there is none. Its bytes count as ingress."},
	{Method: "folders.write", Member: "folders[].write", Params: []string{"name", "body"}, Grant: GrantFolderWrite, Charge: ChargeContent, Returns: "void",
		Doc: "Writes a file of a bound folder, whole or not at all."},
	{Method: "fn.invoke", Params: []string{"name", "args", "...opts"}, Grant: GrantNone, Returns: "unknown",
		Doc: "Runs a function of the same agent within the time that is left. opts: timeoutMs, idempotencyKey."},
	{Method: "fn.list", Params: nil, Grant: GrantNone, Returns: "string[]",
		Doc: "Names of the agent's functions."},
	{Method: "portal.verifyToken", Params: []string{"token", "opts"}, Grant: GrantPortal,
		Returns: "{valid: boolean, reason?: string, claims?: Record<string, unknown>, balance?: number}",
		Doc:     "Checks a portal token or a payment token of this platform. opts: expectAudience, expectBalance. Balances are nanocents."},
	{Method: "portal.verifyHmac", Params: []string{"...options"}, Grant: GrantPortal, Returns: "boolean",
		Doc: "Checks a signature with a secret the function need not read. options: algo (sha256, sha1), secretBinding, payload, expected (hex or base64, or the whole header of GitHub, Slack or Stripe), timestamp (Slack), toleranceSeconds."},
	{Method: "portal.lookupAgent", Params: []string{"idOrUsername"}, Grant: GrantPortal,
		Returns: "{id: string, username: string, ownerId: string} | null",
		Doc:     "Finds an agent of this platform; null when there is none."},
	{Method: "portal.callTool", Params: []string{"agentRef", "toolName", "params", "opts"}, Grant: GrantPortal, Returns: "unknown",
		Doc: "Calls a tool of another agent, or of this one, by its name in custom_tools. opts: timeoutMs, paymentToken (for a tool with a price)."},
	{Method: "portal.getOwner", Params: nil, Grant: GrantPortal, Returns: "{id: string, email: string, planName: string}",
		Doc: "Who owns the agent."},
	{Method: "portal.notifyOwner", Params: []string{"...options"}, Grant: GrantPortal, Returns: "void",
		Doc: "Puts a message into the owner's inbox. options: title, body, severity (info, warning, error), deepLink."},
	{Method: "portal.signContentUrl", Params: []string{"contentId", "opts"}, Grant: GrantPortal, Returns: "string",
		Doc: "Gives an address at which anybody can read a content item until it expires. opts: expiresInSeconds (an hour; seven days at most)."},
	{Method: "portal.backgroundRun", Params: []string{"...options"}, Grant: GrantPortal,
		Returns: "{ok: true, chatId: string} | {skipped: true, reason: string, retryInSec?: number}",
		Doc:     "Starts a run of the agent's model, whose answer goes to the owner's inbox. options: prompt. An agent has one per quarter of an hour."},
	{Method: "portal.payment.lock", Params: []string{"paymentToken", "amountNanocents", "reason"}, Grant: GrantPortal,
		Returns: "{lockId: string, expiresAt: string}",
		Doc:     "Sets an amount of a payment token aside, in nanocents: a BigInt, a whole number or its digits. What is not settled goes back to the token. Throws INSUFFICIENT_TOKEN_BALANCE when the token has less."},
	{Method: "portal.payment.settle", Params: []string{"lockId", "amountNanocents", "recipientId"}, Grant: GrantPortal,
		Returns: "{ok: true, settled: number, released: number, unbilled?: number} | {ok: false, reason: string, code: string}",
		Doc:     "Takes an amount out of a lock of this agent, for it or for the agent recipientId; the remainder goes back to the token and the lock is closed."},
	{Method: "portal.payment.release", Params: []string{"lockId"}, Grant: GrantPortal, Returns: "void",
		Doc: "Closes a lock of this agent; all that is left in it goes back to the token."},
	{Method: "portal.signRequest", Params: []string{"...options"}, Grant: GrantNone, Returns: "never",
		Doc: "Not offered here; the error names what to use instead."},
}

// PortalDispatch is the wire method under which all methods of ctx.portal
// travel: its args are {method, args}, where method lacks the namespace
// (contract.md 4.4).
const PortalDispatch = "portal.dispatch"

// PortalSpace begins the names of those rows that travel so.
const PortalSpace = "portal."

// Path is where a host call lies in ctx: its namespace and its name, and whether
// it is a member of each of the namespace's members.
func (h HostCall) Path() (space, name string, keyed bool) {
	member := h.Member
	if member == "" {
		member = h.Method
	}
	space, name, _ = strings.Cut(member, ".")
	space, keyed = strings.CutSuffix(space, "[]")
	return space, name, keyed
}

var hostCallOf = func() map[string]*HostCall {
	m := make(map[string]*HostCall, len(HostCalls))
	for i := range HostCalls {
		m[HostCalls[i].Method] = &HostCalls[i]
	}
	return m
}()

// HostCallNamed returns the row of a wire method, or nil.
func HostCallNamed(method string) *HostCall { return hostCallOf[method] }

// HostRequest is the body of POST /api/internal/fn-host, contract.md 4.4.
type HostRequest struct {
	Method string  `json:"method"`
	Args   RawJSON `json:"args"`
}

// HostReply answers a HostRequest; Result is absent for undefined.
type HostReply struct {
	OK     bool        `json:"ok"`
	Result RawJSON     `json:"result,omitempty"`
	Error  *HostFailed `json:"error,omitempty"`
}

// HostFailed is the error of a HostReply.
type HostFailed struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
}
