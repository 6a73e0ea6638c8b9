package executor

// Load is how busy an executor is just now, and how its cache of scripts has
// done so far.
type Load struct {
	Computing              int // slots in use
	CacheHits, CacheMisses uint64
}

// Load looks.
func (l *Local) Load() Load {
	l.places.mu.Lock()
	free := l.places.slots
	l.places.mu.Unlock()
	l.cache.mu.Lock()
	defer l.cache.mu.Unlock()
	return Load{Computing: max(0, l.slots-free), CacheHits: l.cache.hits, CacheMisses: l.cache.misses}
}
