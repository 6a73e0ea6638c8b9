package openapi

import "benchtop/backend/contract"

// priced adds to an operation what its price means for whoever calls it
// (contract.md 5.7).
func priced(op object, price contract.Amount) {
	op["x-price"] = object{"amount": price.String(), "currency": "USD", "per": "request"}
	op["parameters"] = []any{object{
		"name": "X-PAYMENT", "in": "header", "required": false,
		"description": "A payment token that has " + price.String() + " dollars; without one the answer says how to pay",
		"schema":      object{"type": "string"},
	}}
	op["responses"].(object)["402"] = object{
		"description": "It costs " + price.String() + " dollars: nothing ran, or what ran could not be charged",
		"headers":     object{"PAYMENT-REQUIRED": object{"description": "The body in base64", "schema": object{"type": "string"}}},
		"content":     object{"application/json": object{"schema": ref("PaymentRequired")}},
	}
}

// paymentRequired is the schema of a 402.
func paymentRequired() object {
	text := object{"type": "string"}
	accepts := object{"type": "array", "items": object{
		"type": "object", "required": []any{"scheme", "network", "amount", "asset", "maxTimeoutSeconds"},
		"properties": object{"scheme": text, "network": text, "amount": object{"type": "string", "description": "Dollars"}, "asset": text,
			"payTo": text, "resource": text, "description": text, "maxTimeoutSeconds": object{"type": "integer"}},
	}}
	return object{
		"type": "object", "required": []any{"error", "status_code", "context"},
		"properties": object{"error": text, "code": text, "subcode": text, "status_code": object{"const": 402},
			"context": object{"type": "object", "required": []any{"accepts"}, "properties": object{"accepts": accepts}}},
	}
}
