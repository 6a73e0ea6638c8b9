package worker

import (
	"regexp"
	"strings"

	"benchtop/backend/contract"
)

// classes are the codes that the text of an uncaught error may carry anywhere,
// contract.md 3.5: a function that throws one of them on in its own words is
// classified like the error it caught.
var classes = map[contract.Code]bool{
	contract.WallTimeout: true, contract.MemoryLimitExceeded: true, contract.EvalDenied: true, contract.FunctionDenied: true,
	contract.FetchForbidden: true, contract.HostQuotaExceeded: true, contract.PermissionDenied: true,
	contract.HostBridgeError: true, contract.JSNoHandler: true, contract.JSResultNotSerialized: true,
	contract.RuntimeDisabled: true, contract.FnNotFound: true, contract.FnChainTooDeep: true,
	contract.FnCycleDetected: true, contract.FnQuotaExhausted: true, contract.FetchFailed: true, contract.EgressTimeout: true,
	contract.ParametersInvalid: true,
}

var codeWord = regexp.MustCompile(`[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+`)

// codeOf derives an uncaught error's code from its message: a host error's
// begins with its own, otherwise the first one named in it counts.
func codeOf(message string) contract.Code {
	if head, _, ok := strings.Cut(message, ": "); ok && strings.ContainsRune(head, '_') && codeWord.FindString(head) == head {
		if code := contract.Code(head); code.Known() {
			return code
		}
	}
	for _, word := range codeWord.FindAllString(message, 100) {
		if code := contract.Code(word); classes[code] {
			return code
		}
	}
	return contract.JSRuntimeError
}

func clip(s string, most int) string {
	if len(s) > most {
		s = s[:most] + "…"
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
