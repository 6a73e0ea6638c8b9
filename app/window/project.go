package window

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"benchtop/backend/contract"
)

// maxAnswer bounds what is read of an answer of the platform, in bytes.
const maxAnswer = 1 << 20

// openProject asks the platform to open a folder, as the page would: the menu
// has no other way in. The page hears of it on its event stream.
func openProject(ctx context.Context, served Served, path string) error {
	body, err := json.Marshal(contract.OpenProjectRequest{Path: path})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, served.URL+"/api/local/projects", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+served.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return err
	}
	if res.StatusCode/100 == 2 {
		return nil
	}
	var failed contract.ErrorBody
	if err := json.Unmarshal(raw, &failed); err != nil || failed.Error.Message == "" {
		return fmt.Errorf("open %s: the platform answered %s", path, res.Status)
	}
	return fmt.Errorf("open %s: %s", path, failed.Error.Message)
}
