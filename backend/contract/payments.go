package contract

import "time"

// Defaults and bounds of payments (contract.md 5).
const (
	DefaultLockLifetime         = 10 * time.Minute
	MaxLockLifetime             = 24 * time.Hour
	DefaultPaymentTokenLifetime = 24 * time.Hour
	MaxPaymentTokenLifetime     = 365 * 24 * time.Hour
	DefaultDelegationDepth      = 5
	MaxDelegationDepth          = 20
	// PaymentTimeoutSeconds is what a 402 promises in maxTimeoutSeconds.
	PaymentTimeoutSeconds = 300
	// PaymentTokenType is the typ header of a payment token.
	PaymentTokenType = "payment"
)

// Amounts that nobody set. StartingCredit is what the owner's account of a new
// platform holds; ModelLock is what a lock that names a model instead of an
// amount holds.
const (
	StartingCredit = 1000 * Credit
	ModelLock      = Credit / 200
)

// Types of charges, contract.md 5.3. What is of the platform goes to the fee
// account, everything else to the recipient.
const (
	ChargePlatformFee = "platform_fee"
	ChargePlatformLLM = "platform_llm"
	ChargeAgentFee    = "agent_fee"
	ChargeByokLLM     = "byok_llm"
	ChargeByokMCP     = "byok_mcp_sampling"
)

// States of a payment token and of a lock, contract.md 5.6.
const (
	TokenActive   = "active"
	TokenDepleted = "depleted"
	TokenExpired  = "expired"
	TokenRevoked  = "revoked"

	LockLocked   = "locked"
	LockPartly   = "partially_settled"
	LockSettled  = "settled"
	LockReleased = "released"
	LockExpired  = "expired"
)

// Kinds of ledger entries.
const (
	EntryDeposit    = "deposit"    // from outside to the owner
	EntryMint       = "mint"       // into a new token
	EntryTopUp      = "topup"      // into a token that is there
	EntryDelegate   = "delegate"   // from a token to its child
	EntryLock       = "lock"       // from a token into escrow
	EntrySettle     = "settle"     // from escrow or a token to whom it is paid
	EntryCommission = "commission" // the same, for an agent that delegated
	EntryRelease    = "release"    // from escrow back to the token
	EntryExpire     = "expire"     // the same, because time is up
	EntryReturn     = "return"     // from a token that ended to where it came from
)

// PaymentErrorBody is the JSON of every failed call below /api/payments
// (contract.md 5.4): error is a text there.
type PaymentErrorBody struct {
	Error   string `json:"error"`
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

// PaymentFailure is the details of an error about payments. Subcode is one of
// those below; Available is what there is instead, in dollars.
type PaymentFailure struct {
	Subcode   string          `json:"subcode,omitempty"`
	Available *Amount         `json:"available,omitempty"`
	Accepts   []PaymentAccept `json:"accepts,omitempty"`
}

// Subcodes of PAYMENT_TOKEN_INVALID.
const (
	SubTokenExpired   = "TOKEN_EXPIRED"
	SubTokenRevoked   = "TOKEN_REVOKED"
	SubTokenNotFound  = "TOKEN_NOT_FOUND"
	SubTokenMalformed = "TOKEN_MALFORMED"
	SubTokenAudience  = "TOKEN_AUDIENCE"
)

// PaymentLockRequest is the body of POST /api/payments/lock in all its forms
// (contract.md 5.2): {token} locks all that the token has, {token, amount} or
// {token, model} a part, and {amount, audience, expiresIn} without a token makes
// a token out of the caller's own account. ExpiresIn is in seconds. Agent, an id
// or username, says for whom the money is held; it is the caller's agent or the
// token's audience when absent. The owner may name a token by its id.
type PaymentLockRequest struct {
	Token          string   `json:"token,omitempty"`
	TokenID        string   `json:"tokenId,omitempty"`
	Amount         *Amount  `json:"amount,omitempty"`
	Model          string   `json:"model,omitempty"`
	Audience       Audience `json:"audience,omitempty"`
	ExpiresIn      int64    `json:"expiresIn,omitempty"`
	Agent          string   `json:"agent,omitempty"`
	Reason         string   `json:"reason,omitempty"`
	IdempotencyKey string   `json:"idempotencyKey,omitempty"`
}

// PaymentLockResponse answers it. LockID is absent and Token there when the
// answer is a new token. All amounts are the same, in dollars.
type PaymentLockResponse struct {
	LockID              string    `json:"lockId,omitempty"`
	Locked              Amount    `json:"locked"`
	LockedAmount        Amount    `json:"lockedAmount"`
	LockedAmountDollars Amount    `json:"lockedAmountDollars"`
	ExpiresAt           time.Time `json:"expiresAt"`
	Token               string    `json:"token,omitempty"`
	TokenID             string    `json:"tokenId"`
	Replayed            bool      `json:"replayed,omitempty"`
}

// PaymentExtendRequest is the body of PATCH /api/payments/lock/<id>. Either
// member is an increment; ExpiresIn, in seconds from now, may prolong the lock.
type PaymentExtendRequest struct {
	AdditionalAmount *Amount `json:"additionalAmount,omitempty"`
	Amount           *Amount `json:"amount,omitempty"`
	ExpiresIn        int64   `json:"expiresIn,omitempty"`
	IdempotencyKey   string  `json:"idempotencyKey,omitempty"`
}

// PaymentExtendResponse answers it: what the lock holds now, in dollars.
type PaymentExtendResponse struct {
	Success          bool      `json:"success"`
	LockID           string    `json:"lockId"`
	NewAmount        Amount    `json:"newAmount"`
	NewAmountDollars Amount    `json:"newAmountDollars"`
	ExpiresAt        time.Time `json:"expiresAt"`
	Replayed         bool      `json:"replayed,omitempty"`
}

// PaymentUsage is an element of usage in a settle request; clients send either
// of the two ways of writing.
type PaymentUsage struct {
	Type           string          `json:"type"` // llm, tool
	Model          string          `json:"model,omitempty"`
	PromptTokens   int64           `json:"prompt_tokens,omitempty"`
	Completion     int64           `json:"completion_tokens,omitempty"`
	CachedRead     int64           `json:"cached_read_tokens,omitempty"`
	ToolName       string          `json:"tool_name,omitempty"`
	PromptTokensJS int64           `json:"promptTokens,omitempty"`
	CompletionJS   int64           `json:"completionTokens,omitempty"`
	CachedReadJS   int64           `json:"cachedReadTokens,omitempty"`
	ToolNameJS     string          `json:"toolName,omitempty"`
	Pricing        *PaymentPricing `json:"pricing,omitempty"`
}

// PaymentPricing is a price that the client worked out itself.
type PaymentPricing struct {
	Credits Amount `json:"credits"`
	Reason  string `json:"reason,omitempty"`
}

// PaymentSettleRequest is the body of POST /api/payments/settle (contract.md
// 5.3). With usage or a chargeType the lock stays open for more charges; the
// plain form closes it and gives the remainder back; release decides when it is
// there.
type PaymentSettleRequest struct {
	LockID         string         `json:"lockId,omitempty"`
	Token          string         `json:"token,omitempty"`
	TokenID        string         `json:"tokenId,omitempty"` // the owner may name a token so
	Amount         *Amount        `json:"amount,omitempty"`
	Usage          []PaymentUsage `json:"usage,omitempty"`
	ChargeType     string         `json:"chargeType,omitempty"`
	Description    string         `json:"description,omitempty"`
	Resource       string         `json:"resource,omitempty"`
	Release        *bool          `json:"release,omitempty"`
	RecipientID    string         `json:"recipientId,omitempty"`
	CID            string         `json:"cid,omitempty"`
	ProviderKeyID  string         `json:"providerKeyId,omitempty"`
	Requirements   RawJSON        `json:"requirements,omitempty"`
	IdempotencyKey string         `json:"idempotencyKey,omitempty"`
}

// PaymentSettleResponse answers it. settled, released and remaining are the
// spec's, in dollars: what this call charged, what it gave back to the token and
// what the lock still holds. charged, unbilled and requested are nanocredits as
// texts, as the clients of the hosted platform read them.
type PaymentSettleResponse struct {
	Settled           Amount `json:"settled"`
	Released          Amount `json:"released"`
	Remaining         Amount `json:"remaining"`
	Success           bool   `json:"success"`
	Charged           string `json:"charged"`
	ChargedDollars    Amount `json:"chargedDollars"`
	RemainingDollars  Amount `json:"remainingDollars"`
	Requested         string `json:"requested"`
	RequestedDollars  Amount `json:"requestedDollars"`
	Unbilled          string `json:"unbilled"`
	UnbilledDollars   Amount `json:"unbilledDollars"`
	Partial           bool   `json:"partial"`
	ComputedFromUsage bool   `json:"computedFromUsage,omitempty"`
	LockID            string `json:"lockId,omitempty"`
	TokenID           string `json:"tokenId"`
	Status            string `json:"status,omitempty"` // of the lock
	Replayed          bool   `json:"replayed,omitempty"`
}

// PaymentDelegateRequest is the body of POST /api/payments/delegate. Without
// parentToken the bearer itself is the parent; the owner may name it by its id.
// ExpiresIn, in seconds, is the parent's end at most.
type PaymentDelegateRequest struct {
	ParentToken    string  `json:"parentToken,omitempty"`
	ParentTokenID  string  `json:"parentTokenId,omitempty"`
	DelegateTo     string  `json:"delegateTo"`
	Amount         *Amount `json:"amount"`
	ExpiresIn      int64   `json:"expiresIn,omitempty"`
	IdempotencyKey string  `json:"idempotencyKey,omitempty"`
}

// PaymentDelegateResponse answers it.
type PaymentDelegateResponse struct {
	Token         string    `json:"token"`
	TokenID       string    `json:"tokenId"`
	AmountCredits Amount    `json:"amountCredits"`
	AmountDollars Amount    `json:"amountDollars"`
	ExpiresAt     time.Time `json:"expiresAt"`
	Replayed      bool      `json:"replayed,omitempty"`
}

// PaymentVerifyRequest is the body of POST /api/payments/verify; the token may
// come in the header X-PAYMENT instead.
type PaymentVerifyRequest struct {
	Token            string   `json:"token,omitempty"`
	ExpectedAudience Audience `json:"expectedAudience,omitempty"`
	Requirements     RawJSON  `json:"requirements,omitempty"`
}

// PaymentVerifyResponse answers it, always with status 200: a token that does
// not count is valid false, with the reason. Balances are dollars.
type PaymentVerifyResponse struct {
	Valid          bool       `json:"valid"`
	Balance        Amount     `json:"balance"`
	BalanceDollars Amount     `json:"balanceDollars"`
	ExpiresAt      *time.Time `json:"expiresAt,omitempty"`
	Issuer         string     `json:"issuer,omitempty"`
	Subject        string     `json:"subject,omitempty"`
	Audience       []string   `json:"audience,omitempty"`
	TokenID        string     `json:"tokenId,omitempty"`
	MaxDepth       int        `json:"maxDepth,omitempty"`
	InvalidReason  string     `json:"invalidReason,omitempty"`
}

// PaymentToken is a token without its text. Chain names its ancestors, the first
// one first; Children are there in the tree view. Budget is what it ever got,
// Spent what was settled out of it, Delegated what its children hold or spent,
// Locked what lies in escrow, Returned what went back, and Remaining the rest.
type PaymentToken struct {
	ID               string         `json:"id"`
	ParentID         string         `json:"parentId,omitempty"`
	Subject          string         `json:"subject"`
	Audience         []string       `json:"audience"`
	Description      string         `json:"description,omitempty"`
	BudgetCredits    Amount         `json:"budgetCredits"`
	SpentCredits     Amount         `json:"spentCredits"`
	DelegatedCredits Amount         `json:"delegatedCredits"`
	LockedCredits    Amount         `json:"lockedCredits"`
	ReturnedCredits  Amount         `json:"returnedCredits"`
	RemainingCredits Amount         `json:"remainingCredits"`
	Status           string         `json:"status"` // active, depleted, expired, revoked
	MaxDepth         int            `json:"maxDepth"`
	Chain            []string       `json:"chain"`
	IssuedAt         time.Time      `json:"issuedAt"`
	ExpiresAt        time.Time      `json:"expiresAt"`
	RevokedAt        *time.Time     `json:"revokedAt,omitempty"`
	Children         []PaymentToken `json:"children"`
}

// PaymentTokenList answers GET /api/payments/tokens and /api/local/payments/tokens:
// tokens that nobody delegated, the newest first, each with its children.
type PaymentTokenList struct {
	Tokens     []PaymentToken `json:"tokens"`
	NextCursor *string        `json:"nextCursor"`
}

// PaymentRevokeResponse answers DELETE of a token: what went back. Descendants
// end with it.
type PaymentRevokeResponse struct {
	OK       bool   `json:"ok"`
	Revoked  bool   `json:"revoked"` // false when it had ended before
	Returned Amount `json:"returned"`
}

// PaymentTopUpRequest is the body of PATCH /api/payments/tokens/<id>/topup.
type PaymentTopUpRequest struct {
	Amount         *Amount `json:"amount"`
	IdempotencyKey string  `json:"idempotencyKey,omitempty"`
}

// PaymentTopUpResponse answers it.
type PaymentTopUpResponse struct {
	Success        bool         `json:"success"`
	NewBalance     Amount       `json:"newBalance"`
	BalanceDollars Amount       `json:"balanceDollars"`
	Token          PaymentToken `json:"token"`
	Replayed       bool         `json:"replayed,omitempty"`
}

// PaymentMintRequest is the body of POST /api/local/payments/mint: a token out
// of the owner's account. ExpiresIn is in seconds, a day when absent; MaxDepth
// is how often it may be handed on, 5 when absent.
type PaymentMintRequest struct {
	Amount         *Amount  `json:"amount"`
	Audience       Audience `json:"audience,omitempty"`
	ExpiresIn      int64    `json:"expiresIn,omitempty"`
	MaxDepth       *int     `json:"maxDepth,omitempty"`
	Description    string   `json:"description,omitempty"`
	IdempotencyKey string   `json:"idempotencyKey,omitempty"`
}

// PaymentMintResponse answers it; the token is shown this once.
type PaymentMintResponse struct {
	Token    string       `json:"token"`
	Info     PaymentToken `json:"info"`
	Replayed bool         `json:"replayed,omitempty"`
}

// PaymentDepositRequest is the body of POST /api/local/payments/deposit: play
// money for the owner's account.
type PaymentDepositRequest struct {
	Amount         *Amount `json:"amount"`
	IdempotencyKey string  `json:"idempotencyKey,omitempty"`
}

// PaymentRequired is what a 402 says beside its text (contract.md 5.7).
type PaymentRequired struct {
	Accepts []PaymentAccept `json:"accepts"`
}

// PaymentAccept is one way to pay. Amount is dollars as a text.
type PaymentAccept struct {
	Scheme            string            `json:"scheme"`
	Network           string            `json:"network"`
	Amount            string            `json:"amount"`
	MaxAmountRequired string            `json:"maxAmountRequired"`
	Asset             string            `json:"asset"`
	PayTo             string            `json:"payTo,omitempty"`
	Resource          string            `json:"resource,omitempty"`
	Description       string            `json:"description,omitempty"`
	MaxTimeoutSeconds int               `json:"maxTimeoutSeconds"`
	Extra             map[string]string `json:"extra"`
}

// PaymentRequiredBody is the JSON of a 402.
type PaymentRequiredBody struct {
	Error      string          `json:"error"`
	Code       Code            `json:"code"`
	Subcode    string          `json:"subcode,omitempty"`
	Message    string          `json:"message"`
	StatusCode int             `json:"status_code"`
	Context    PaymentRequired `json:"context"`
	Accepts    []PaymentAccept `json:"accepts"` // again, where x402 clients look
	Version    int             `json:"x402Version"`
}

// X402Request is the body of POST /x402/verify and /x402/settle.
type X402Request struct {
	PaymentPayload      RawJSON `json:"paymentPayload,omitempty"`
	PaymentHeader       string  `json:"paymentHeader,omitempty"`
	Token               string  `json:"token,omitempty"`
	PaymentRequirements RawJSON `json:"paymentRequirements,omitempty"`
	IdempotencyKey      string  `json:"idempotencyKey,omitempty"`
}

// X402VerifyResponse answers POST /x402/verify.
type X402VerifyResponse struct {
	IsValid       bool   `json:"isValid"`
	InvalidReason string `json:"invalidReason,omitempty"`
	Payer         string `json:"payer,omitempty"`
}

// X402SettleResponse answers POST /x402/settle.
type X402SettleResponse struct {
	Success     bool   `json:"success"`
	Transaction string `json:"transaction"`
	Network     string `json:"network"`
	Payer       string `json:"payer,omitempty"`
	ErrorReason string `json:"errorReason,omitempty"`
}

// X402Supported answers GET /x402/supported.
type X402Supported struct {
	Kinds []X402Kind `json:"kinds"`
}

// X402Kind is one kind of payment that is accepted.
type X402Kind struct {
	Version int    `json:"x402Version"`
	Scheme  string `json:"scheme"`
	Network string `json:"network"`
}
