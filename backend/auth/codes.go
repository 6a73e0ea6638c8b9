package auth

import (
	"crypto/sha256"
	"sync"
	"time"

	"benchtop/backend/contract"
)

// maxCodes bounds the login codes that wait to be used; the oldest goes first.
const maxCodes = 64

// codes are the one-time login codes. They live in memory: a restart voids them.
type codes struct {
	now  func() time.Time
	mu   sync.Mutex
	open []code
}

type code struct {
	hash    [sha256.Size]byte
	expires time.Time
}

// NewLoginCode makes a code that opens one session within ten minutes.
func (a *Auth) NewLoginCode() string {
	text := randomText(18)
	c := &a.codes
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweep()
	if len(c.open) >= maxCodes {
		c.open = c.open[1:]
	}
	c.open = append(c.open, code{sha256.Sum256([]byte(text)), c.now().Add(contract.LoginCodeLifetime)})
	return text
}

// use reports whether the code is one of ours, and voids it. It compares
// hashes, so its time says nothing about a code.
func (c *codes) use(text string) bool {
	hash := sha256.Sum256([]byte(text))
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sweep()
	for i := range c.open {
		if c.open[i].hash == hash {
			c.open = append(c.open[:i], c.open[i+1:]...)
			return true
		}
	}
	return false
}

// sweep forgets what has expired; codes are kept in the order they were made.
func (c *codes) sweep() {
	now := c.now()
	for len(c.open) > 0 && !c.open[0].expires.After(now) {
		c.open = c.open[1:]
	}
}
