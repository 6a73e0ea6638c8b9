package hostapi

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"unicode"

	"github.com/nlnwa/whatwg-url/url"

	"benchtop/backend/contract"
	"benchtop/backend/manifest"
)

// checkText refuses addresses that two readers could understand differently,
// before any of them reads it.
func checkText(text string) error {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) || r == '\\' }) {
		return contract.Errorf(contract.FetchForbidden, "%q has control characters or backslashes", clip(text))
	}
	if _, rest, ok := strings.Cut(text, ":"); ok || strings.HasPrefix(text, "//") {
		if !ok {
			rest = text
		}
		host := strings.TrimLeft(rest, "/")
		if i := strings.IndexAny(host, "/?#"); i >= 0 {
			host = host[:i]
		}
		if len(host) < len(rest) && strings.Contains(host, "@") {
			return contract.Errorf(contract.FetchForbidden, "an address with a user name or password, even an empty one, cannot be fetched; use a secret and an Authorization header")
		}
	}
	return nil
}

// checkURL decides by its text whether an address may be fetched.
func checkURL(patterns []string, u *url.Url) error {
	shown := clip(u.Href(false))
	switch {
	case u.Scheme() != "http" && u.Scheme() != "https":
		return contract.Errorf(contract.FetchForbidden, "%s: only http and https can be fetched, not %s", shown, u.Protocol())
	case u.Username() != "" || u.Password() != "":
		return contract.Errorf(contract.FetchForbidden, "an address with a user name or password cannot be fetched (%s); use a secret and an Authorization header", clip(u.Protocol()+"//…@"+u.Host()))
	case !manifest.FetchAllowed(patterns, u):
		return contract.Errorf(contract.FetchForbidden, "%s is not in the manifest's permissions.fetch; add %q", shown, origin(u))
	}
	return nil
}

func origin(u *url.Url) string { return u.Protocol() + "//" + u.Host() }

// addresses finds where a checked address leads, as ip:port in order of trial.
// Private, loopback and link-local ones are only there when the manifest names
// the host itself.
func addresses(ctx context.Context, r *net.Resolver, patterns []string, u *url.Url) ([]string, error) {
	host := strings.Trim(u.Hostname(), "[]")
	var found []netip.Addr
	if ip, err := netip.ParseAddr(host); err == nil {
		found = []netip.Addr{ip}
	} else if found, err = r.LookupNetIP(ctx, "ip", host); err != nil {
		return nil, err
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme()]
	}
	named := manifest.FetchAllowedByName(patterns, u)
	var out []string
	var refused netip.Addr
	for _, ip := range found {
		ip = ip.Unmap()
		if !named && private(ip) {
			refused = ip
			continue
		}
		out = append(out, net.JoinHostPort(ip.String(), port))
	}
	if len(out) == 0 && refused.IsValid() {
		return nil, contract.Errorf(contract.FetchForbidden,
			"%s leads to %s, which is not a public address; only an entry that names it reaches it: add %q to permissions.fetch",
			clip(u.Href(false)), refused, origin(u))
	}
	return out, nil
}

// reserved are ranges that no public server has, beside those netip knows, and
// addresses outside of them at which clouds serve their machines' secrets.
var reserved = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "240.0.0.0/4", "168.63.129.16/32",
	"100::/64", "2001:2::/48", "2001:10::/28", "2001:20::/28", "2001:db8::/32", "3fff::/20", "5f00::/16", "64:ff9b:1::/48",
	"fec0::/10",
)

func prefixes(texts ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// private reports whether an address is of this machine, of its network, or of
// nobody. Addresses that wrap an IPv4 one count as that one.
func private(ip netip.Addr) bool {
	ip = ip.Unmap()
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast() {
		return true
	}
	for _, p := range reserved {
		if p.Contains(ip) {
			return true
		}
	}
	if inner, ok := wrapped(ip); ok {
		return private(inner)
	}
	return false
}

var (
	nat64      = netip.MustParsePrefix("64:ff9b::/96")
	sixto4     = netip.MustParsePrefix("2002::/16")
	teredo     = netip.MustParsePrefix("2001::/32")
	compat     = netip.MustParsePrefix("::/96")
	translated = netip.MustParsePrefix("::ffff:0:0:0/96")
)

func wrapped(ip netip.Addr) (netip.Addr, bool) {
	if !ip.Is6() {
		return ip, false
	}
	b := ip.As16()
	switch {
	case nat64.Contains(ip), compat.Contains(ip), translated.Contains(ip), isatap(b):
		return netip.AddrFrom4([4]byte(b[12:16])), true
	case sixto4.Contains(ip):
		return netip.AddrFrom4([4]byte(b[2:6])), true
	case teredo.Contains(ip): // the client's address, upside down
		return netip.AddrFrom4([4]byte{^b[12], ^b[13], ^b[14], ^b[15]}), true
	}
	return ip, false
}

// isatap reports an interface number that holds an IPv4 address.
func isatap(b [16]byte) bool {
	return b[8]&^2 == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}

// clip shortens an address for a message.
func clip(s string) string {
	if len(s) > 160 {
		return strings.ToValidUTF8(s[:160], "") + "…"
	}
	return s
}
