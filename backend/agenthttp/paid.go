package agenthttp

import (
	"encoding/base64"
	"encoding/json"
	"net/http"

	"benchtop/backend/contract"
	"benchtop/backend/invocation"
	"benchtop/backend/payments"
)

// payment is what a request for an entry of custom_http costs and is paid with;
// nil when it is free and nobody brought a token. The resource has no query: that
// may hold anything.
func (x *exchange) payment() *invocation.Payment {
	tokens := payments.TokensOf(x.r.Header)
	price := x.match.Endpoint.Price
	if price == 0 && len(tokens) == 0 {
		return nil
	}
	return &invocation.Payment{Price: price, Tokens: tokens, Resource: x.resource(), Description: x.match.Description}
}

// ownPayment is the same for a custom endpoint.
func (x *exchange) ownPayment() (*invocation.Payment, error) {
	p := &invocation.Payment{Tokens: payments.TokensOf(x.r.Header), Resource: x.resource(), Description: x.own.Description}
	if p.Description == "" {
		p.Description = x.own.ID
	}
	if x.own.Price != "" {
		price, err := payments.ParseAmount(x.own.Price)
		if err != nil {
			return nil, contract.Errorf(contract.PaymentUnavailable, "%s has a price that nothing here can take", x.own.ID)
		}
		p.Price = price
	}
	if p.Price == 0 && len(p.Tokens) == 0 {
		return nil, nil
	}
	return p, nil
}

// resource is the address that was asked for, as the platform names it.
func (x *exchange) resource() string {
	return "http://" + x.r.Host + "/" + x.agent.Username + pathOf(x.r)
}

// receiptHeaders tell who paid what was charged, in both versions of x402.
var receiptHeaders = []string{"Payment-Response", "X-Payment-Response"}

// receipt puts what was paid into an answer's headers; a function cannot forge it.
func receipt(h http.Header, paid *invocation.Receipt) {
	for _, name := range receiptHeaders {
		h.Del(name)
	}
	if paid == nil {
		return
	}
	b, err := json.Marshal(struct {
		contract.X402SettleResponse
		Amount contract.Amount `json:"amount"` // dollars
	}{contract.X402SettleResponse{Success: true, Transaction: paid.LockID, Network: payments.Network, Payer: paid.TokenID}, paid.Amount})
	if err != nil {
		return // a receipt always marshals
	}
	for _, name := range receiptHeaders {
		h.Set(name, base64.StdEncoding.EncodeToString(b))
	}
}
