package manifest

// CheckFetchPattern says what is wrong with an entry of permissions.fetch; nil
// when nothing is.
func CheckFetchPattern(text string) error {
	_, err := parsePattern(text)
	return err
}
