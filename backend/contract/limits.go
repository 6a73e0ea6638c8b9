package contract

import "time"

// Limits of spec section 8. KB is 1,024 bytes and MB 1,048,576, except the
// ingress and egress quotas, which are decimal.
const (
	KB = 1 << 10
	MB = 1 << 20

	DefaultWallMs   = 10_000
	MaxWallMs       = 30_000
	DefaultMemoryMb = 256
	MaxMemoryMb     = 512
	DefaultCPUMs    = 5_000

	// MaxHostCalls is the callsTotal quota: host-bridge calls in one invocation,
	// refused ones included.
	MaxHostCalls = 100
	// MaxKVPutBytes counts the UTF-8 bytes of key and JSON value.
	MaxKVPutBytes    = 10 * MB
	MaxContentWrites = 5
	MaxLogBytes      = 64 * KB
	MaxChainDepth    = 4

	// ChainReserveMs is what a nested call leaves its caller of the time that is
	// left, in milliseconds.
	ChainReserveMs = 50

	// MaxContentBytes is the size of one content item or file of a folder.
	MaxContentBytes = 8 * MB

	// DefaultIngressBytes bounds what one invocation may receive through fetch,
	// content and folders together, DefaultEgressBytes what it may send through
	// fetch.
	DefaultIngressBytes = 1_000_000
	DefaultEgressBytes  = 1_000_000

	// Source sizes in bytes of UTF-8, except MaxInlineB64Chars, which counts
	// characters of the encoded text.
	MaxInlineSource   = 16 * KB
	MaxInlineB64Chars = 64 * KB
	MaxStoredSource   = 256 * KB

	MaxSecretBytes = 64 * KB
	MaxKVKeyBytes  = 1 * KB
	MaxBodyBytes   = 1 * MB
	MaxResultBytes = 6 * MB
	// MaxClientFile is a file that the Client place sends as a body: the most that
	// any endpoint may take.
	MaxClientFile = 16 * MB
	// MaxClientMessage is a message that it sends into a WebSocket.
	MaxClientMessage = 1 * MB
	// MaxResponseBytes is the body of a custom HTTP endpoint's answer, unless the
	// endpoint says otherwise.
	MaxResponseBytes = 2 * MB

	IdempotencyWindow       = 24 * time.Hour
	InvocationTokenLifetime = 60 * time.Second
	SessionLifetime         = 30 * 24 * time.Hour
	LoginCodeLifetime       = 10 * time.Minute
	ClockSkew               = 2 * time.Second

	// DefaultLinkSeconds and MaxLinkSeconds are how long a signed address of a
	// content item counts.
	DefaultLinkSeconds = 3600
	MaxLinkSeconds     = 7 * 24 * 3600

	// ValidationsPerMinute is the size of the validation bucket of one agent.
	ValidationsPerMinute = 60

	DefaultPage = 50
	MaxPage     = 200
)
