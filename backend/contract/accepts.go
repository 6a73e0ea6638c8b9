package contract

// Accepts are the ways to pay that an error names; required says that it names
// some, and so that paying by one of them is what is missing.
func (e *Error) Accepts() (accepts []PaymentAccept, required bool) {
	if e == nil {
		return nil, false
	}
	switch d := e.Details.(type) {
	case PaymentFailure:
		accepts = d.Accepts
	case *PaymentFailure:
		accepts = d.Accepts
	}
	return accepts, len(accepts) > 0
}
