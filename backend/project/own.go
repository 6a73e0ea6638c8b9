package project

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// ModelFileName is the file of .benchtop with the rules of the scripted model.
const ModelFileName = "model.yaml"

// ReadOwn reads a file of .benchtop, where the tools that look after a project
// keep what belongs to it; nil when it is not there. The error is for people.
func ReadOwn(folder, name string, most int) (*File, error) {
	r, err := os.OpenRoot(folder)
	if err != nil {
		return nil, errors.New(plain(err))
	}
	defer r.Close()
	f, err := readFile(r, path.Join(ownDir, name), most)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, errors.New(plain(err))
	}
	return f, nil
}
