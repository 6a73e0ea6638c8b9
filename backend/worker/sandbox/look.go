package sandbox

import (
	"reflect"

	"github.com/dop251/goja"
)

// Kind is the class of the object at i, whatever its prototypes and tags claim:
// "Map", "Date", "Error" and so on, "Proxy" for proxies, "Function" for what can
// be called, and "" for what is no object.
func (c *Call) Kind(i int) string {
	if i >= len(c.args) {
		return ""
	}
	o, ok := c.args[i].(*goja.Object)
	if !ok {
		return ""
	}
	switch o.ExportType() {
	case proxyType:
		return "Proxy"
	case promiseType:
		return "Promise"
	case bufferType:
		return "ArrayBuffer"
	case mapType:
		return "Map"
	case setType:
		if class := o.ClassName(); class != "Object" {
			return class // an array has the same type
		}
		return "Set"
	}
	if _, callable := goja.AssertFunction(o); callable {
		return "Function"
	}
	return o.ClassName()
}

// What the engine makes of its collections and buffers in Go.
var (
	bufferType = reflect.TypeFor[goja.ArrayBuffer]()
	mapType    = reflect.TypeFor[[][2]any]()
	setType    = reflect.TypeFor[[]any]()
)

// Memory is the ArrayBuffer or Uint8Array at i itself, not a copy: what is
// written there is seen by the function. It must not be kept.
func (c *Call) Memory(i int) []byte {
	if i >= len(c.args) {
		return nil
	}
	switch v := c.args[i].Export().(type) {
	case goja.ArrayBuffer:
		return v.Bytes()
	case []byte:
		return v
	}
	return nil
}

// Detached reports whether the ArrayBuffer at i has lost its bytes.
func (c *Call) Detached(i int) bool {
	buffer, ok := c.args[i].Export().(goja.ArrayBuffer)
	return ok && buffer.Detached()
}

// Detach takes the bytes from the ArrayBuffer at i.
func (c *Call) Detach(i int) {
	if buffer, ok := c.args[i].Export().(goja.ArrayBuffer); ok {
		buffer.Detach()
	}
}

// Stopped is not nil when the run was interrupted. An operation that can take
// long asks now and then and returns it: the engine looks only between the
// operations.
func (c *Call) Stopped() error {
	if stopped := c.s.stopped.Load(); stopped != nil {
		return stopped
	}
	return nil
}
