package wall

import "benchtop/backend/worker/wire"

// restrict: on Windows the platform puts the process into a job, from outside.
func restrict() (wire.Ready, error) { return wire.Ready{}, nil }
