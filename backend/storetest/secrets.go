package storetest

import (
	"reflect"
	"testing"
	"time"

	"benchtop/backend/secrets"
)

func aSecret(agentID, function, binding string) secrets.Sealed {
	return secrets.Sealed{
		AgentID: agentID, Function: function, Binding: binding, KeyID: "key-1",
		Nonce: []byte{0, 1, 2, 255}, Ciphertext: []byte("\x00sealed\xff"), SetAt: epoch,
	}
}

func putSecret(t *testing.T, s Stores, agentID, function, binding string) {
	t.Helper()
	must(t, s.Secrets.PutSecretKey(ctx, secrets.KeyRecord{ID: "key-1", Where: secrets.InFile, CreatedAt: epoch}))
	must(t, s.Secrets.PutSecret(ctx, aSecret(agentID, function, binding)))
}

func testSecrets(t *testing.T, s Stores) {
	if rec, err := s.Secrets.SecretKey(ctx); rec != nil || err != nil {
		t.Fatalf("key of a new database: %v, %v", rec, err)
	}
	putSecret(t, s, "a", "f", "ONE")
	putSecret(t, s, "a", "f", "TWO")
	putSecret(t, s, "a", "g", "ONE")
	putSecret(t, s, "b", "f", "ONE")
	newer := aSecret("a", "f", "ONE")
	newer.Ciphertext, newer.SetAt = []byte("newer"), epoch.Add(time.Second)
	must(t, s.Secrets.PutSecret(ctx, newer))

	s = s.Reopen(t)
	got, err := s.Secrets.Secret(ctx, "a", "f", "ONE")
	must(t, err)
	if got == nil || !reflect.DeepEqual(*got, newer) {
		t.Fatalf("secret\n got %+v\nwant %+v", got, newer)
	}
	if none, err := s.Secrets.Secret(ctx, "a", "f", "THREE"); none != nil || err != nil {
		t.Fatalf("a secret that is not set: %v, %v", none, err)
	}
	for function, want := range map[string][]string{"": {"f ONE", "f TWO", "g ONE"}, "f": {"f ONE", "f TWO"}, "h": nil} {
		list, err := s.Secrets.ListSecrets(ctx, "a", function)
		must(t, err)
		var names []string
		for _, x := range list {
			names = append(names, x.Function+" "+x.Binding)
			if x.Ciphertext != nil {
				t.Errorf("the list has the ciphertext of %s", x.Binding)
			}
		}
		if !reflect.DeepEqual(names, want) {
			t.Errorf("list of %q: %v, want %v", function, names, want)
		}
	}
	if n, err := s.Secrets.CountSecrets(ctx); n != 4 || err != nil {
		t.Errorf("count %d, %v; want 4", n, err)
	}
	for _, want := range []bool{true, false} {
		if deleted, err := s.Secrets.DeleteSecret(ctx, "a", "f", "TWO"); deleted != want || err != nil {
			t.Errorf("delete: %v, %v; want %v", deleted, err, want)
		}
	}
	rec := secrets.KeyRecord{ID: "key-2", Where: secrets.InKeychain, CreatedAt: epoch.Add(time.Second)}
	must(t, s.Secrets.PutSecretKey(ctx, rec))
	if got, err := s.Secrets.SecretKey(ctx); got == nil || *got != rec || err != nil {
		t.Errorf("key %+v, %v; want the last one put", got, err)
	}
}
