package hostbridge

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"benchtop/backend/contract"
)

// defaultTolerance is how old a signature with a time may be, and how far ahead.
const defaultTolerance = 5 * time.Minute

// maxSignatures is how many signatures of one header are looked at.
const maxSignatures = 16

// hmacCheck is one call of verifyHmac.
type hmacCheck struct {
	algo      string
	secret    []byte
	payload   []byte
	expected  string
	timestamp string        // of a header of its own, as Slack sends it
	tolerance time.Duration // 0: any age
	now       time.Time
}

// portalVerifyHmac checks a signature with a secret that the function need not
// read. The binding has to be in permissions.secrets all the same: what is not
// declared cannot be asked about. Which rule matched is in the log of the run.
func (b *Bridge) portalVerifyHmac(ctx context.Context, s *Session, a arguments) (json.RawMessage, error) {
	c := hmacCheck{algo: "sha256", now: b.cfg.Now(), tolerance: defaultTolerance}
	var binding, algo string
	err := a.texts(map[string]*string{"secretBinding": &binding, "algo": &algo, "expected": &c.expected, "timestamp": &c.timestamp})
	if err != nil {
		return nil, err
	}
	if algo != "" {
		c.algo = strings.ReplaceAll(strings.ToLower(algo), "-", "")
	}
	if c.algo != "sha256" && c.algo != "sha1" {
		return nil, contract.Errorf(contract.InvalidRequest, "portal.verifyHmac: algo is sha256 or sha1, not %.40q", algo)
	}
	if seconds, err := a.number("toleranceSeconds"); err != nil || seconds < 0 || seconds > 86_400 {
		return nil, contract.Errorf(contract.InvalidRequest, "portal.verifyHmac: toleranceSeconds is a number from 0 (any age) to 86400")
	} else if !math.IsNaN(seconds) {
		c.tolerance = time.Duration(seconds * float64(time.Second))
	}
	if c.payload, err = payloadOf(a["payload"]); err != nil {
		return nil, err
	}
	if !slices.Contains(s.claims.Permissions.Bindings(), binding) {
		return nil, contract.Errorf(contract.PermissionDenied, "portal.verifyHmac: add the secretBinding %.80q to \"secrets\" in the permissions of the manifest", binding)
	}
	secret, set, err := b.cfg.Secrets.Get(ctx, s.claims.AgentID, s.claims.Function, binding)
	if err != nil {
		return nil, err
	}
	if !set || secret == "" {
		return nil, contract.Errorf(contract.InvalidRequest, "portal.verifyHmac: the secret %.80q is declared but not set; nothing can be verified", binding)
	}
	s.remember(binding, secret)
	c.secret = []byte(secret)
	ok, why := c.verify()
	s.note("portal.verifyHmac: " + why)
	return json.Marshal(ok)
}

// verify gives the verdict and what it rests on.
func (c hmacCheck) verify() (ok bool, why string) {
	expected := strings.TrimSpace(c.expected)
	switch {
	case expected == "":
		return false, "no match: expected is empty"
	case strings.HasPrefix(expected, "t=") || strings.Contains(expected, ",t="):
		return c.stripe(expected)
	case strings.HasPrefix(expected, "v0="):
		return c.slack(expected[len("v0="):])
	}
	if algo, rest, found := strings.Cut(expected, "="); found && (algo == "sha256" || algo == "sha1") {
		if algo != c.algo {
			return false, "no match: the header says " + algo + ", algo says " + c.algo
		}
		return c.plain(rest, "the "+algo+"= header of GitHub")
	}
	return c.plain(expected, "the plain signature")
}

// stripe reads t=<unix seconds>,v1=<hex>[,v1=<hex>]; what is signed is
// "<t>.<payload>".
func (c hmacCheck) stripe(header string) (bool, string) {
	const what = "the t=,v1= header of Stripe"
	var at string
	var signatures []string
	for part := range strings.SplitSeq(header, ",") {
		switch key, value, _ := strings.Cut(strings.TrimSpace(part), "="); {
		case key == "t" && at != "":
			return false, "no match: " + what + " has two times"
		case key == "t":
			at = value
		case key == "v1" && len(signatures) < maxSignatures:
			signatures = append(signatures, value)
		}
	}
	if fresh, why := c.fresh(at); !fresh {
		return false, "no match: " + what + ": " + why
	}
	sum := c.sum([]byte(at + "."))
	for _, signature := range signatures {
		if same(sum, signature, hex.DecodeString) {
			return true, "matched " + what + ", " + c.algo
		}
	}
	return false, "no match: " + what + " has no signature of this payload"
}

// slack checks v0=<hex>. What is signed is "v0:<time>:<body>": the payload as a
// whole, or made here when the time comes in timestamp.
func (c hmacCheck) slack(signature string) (bool, string) {
	const what = "the v0= header of Slack"
	at, signed := c.timestamp, []byte(nil)
	if at != "" {
		signed = []byte("v0:" + at + ":")
	} else {
		rest, ok := bytes.CutPrefix(c.payload, []byte("v0:"))
		stamp, _, ended := bytes.Cut(rest, []byte(":"))
		if !ok || !ended {
			return false, "no match: " + what + ": the payload is v0:<timestamp>:<body>, or give the timestamp beside it"
		}
		at = string(stamp)
	}
	if fresh, why := c.fresh(at); !fresh {
		return false, "no match: " + what + ": " + why
	}
	if same(c.sum(signed), signature, hex.DecodeString) {
		return true, "matched " + what + ", " + c.algo
	}
	return false, "no match: " + what + " is of another payload or secret"
}

func (c hmacCheck) plain(signature, what string) (bool, string) {
	sum := c.sum(nil)
	for _, form := range []struct {
		name   string
		decode func(string) ([]byte, error)
	}{{"hex", hex.DecodeString}, {"base64", anyBase64}} {
		if same(sum, signature, form.decode) {
			return true, "matched " + what + ", " + c.algo + ", " + form.name
		}
	}
	return false, "no match: " + what + " is of another payload or secret, or neither hex nor base64"
}

// fresh holds a time in Unix seconds to the tolerance.
func (c hmacCheck) fresh(at string) (bool, string) {
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || seconds < 0 || seconds > 1<<40 || strings.HasPrefix(at, "+") {
		return false, "it has no time in seconds"
	}
	if c.tolerance > 0 && c.now.Sub(time.Unix(seconds, 0)).Abs() > c.tolerance {
		return false, "its time is further away than the tolerance"
	}
	return true, ""
}

// sum is the HMAC of before and the payload.
func (c hmacCheck) sum(before []byte) []byte {
	algo := map[string]func() hash.Hash{"sha256": sha256.New, "sha1": sha1.New}[c.algo]
	h := hmac.New(algo, c.secret)
	h.Write(before)
	h.Write(c.payload)
	return h.Sum(nil)
}

// same compares in constant time.
func same(sum []byte, signature string, decode func(string) ([]byte, error)) bool {
	raw, err := decode(signature)
	return err == nil && hmac.Equal(sum, raw)
}

func anyBase64(s string) ([]byte, error) {
	s = strings.TrimRight(s, "=")
	if strings.ContainsAny(s, "-_") {
		return base64.RawURLEncoding.DecodeString(s)
	}
	return base64.RawStdEncoding.DecodeString(s)
}

// payloadOf gives the bytes of a payload: a text, {kind, data}, or bytes as
// JSON.stringify writes them, an object of numbers by index.
func payloadOf(raw json.RawMessage) ([]byte, error) {
	wrong := contract.Errorf(contract.InvalidRequest, "portal.verifyHmac: payload is a text or bytes, such as ctx.request.rawBody")
	var text string
	if len(raw) == 0 || string(raw) == "null" {
		return nil, wrong
	}
	if json.Unmarshal(raw, &text) == nil {
		return []byte(text), nil
	}
	a, err := parseArgs("portal.verifyHmac", raw)
	if err != nil {
		var list []int
		if json.Unmarshal(raw, &list) != nil {
			return nil, wrong
		}
		return octets(len(list), func(i int) (int, bool) { return list[i], true })
	}
	if a.has("kind") {
		return arguments{"body": raw}.body("portal.verifyHmac")
	}
	return octets(len(a), func(i int) (n int, ok bool) {
		ok = json.Unmarshal(a[strconv.Itoa(i)], &n) == nil
		return n, ok
	})
}

func octets(count int, at func(i int) (int, bool)) ([]byte, error) {
	out := make([]byte, count)
	for i := range out {
		n, ok := at(i)
		if !ok || n < 0 || n > 255 {
			return nil, contract.Errorf(contract.InvalidRequest, "portal.verifyHmac: payload is no list of bytes")
		}
		out[i] = byte(n)
	}
	return out, nil
}
