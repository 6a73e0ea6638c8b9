//go:build !linux && !windows

package wall

import "benchtop/backend/worker/wire"

func restrict() (wire.Ready, error) { return wire.Ready{}, limit(limits) }
