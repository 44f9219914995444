package search

import "sync"

// memo keeps what was computed of variables. Several threads may use it; they compute the same.
type memo[K comparable, V any] struct {
	mu sync.Mutex
	of map[K]V
}

// get returns the value of a key, which compute finds if it is not known. It is kept if keep is set.
func (m *memo[K, V]) get(key K, keep bool, compute func() (V, error)) (V, error) {
	m.mu.Lock()
	v, known := m.of[key]
	m.mu.Unlock()
	if known {
		return v, nil
	}
	v, err := compute()
	if err == nil && keep {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.of == nil {
			m.of = map[K]V{}
		}
		m.of[key] = v
	}
	return v, err
}
