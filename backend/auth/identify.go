package auth

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"strings"

	"benchtop/backend/contract"
)

var owner = Caller{Kind: KindOwner, UserID: OwnerUserID}

// Identify says who sent a request. bearer is the value of the Authorization
// header after "Bearer ", cookie the value of the session cookie where it
// counts; either may be empty. A bearer that is none of ours is a
// *contract.Error with code unauthorized; a cookie that is no session makes an
// anonymous caller, because browsers send old ones.
//
// Kinds of credentials are told apart by their form: "rb_" begins an API key,
// two dots are in a token. A bearer is never tried as a cookie or the reverse.
func (a *Auth) Identify(ctx context.Context, bearer, cookie string) (Caller, error) {
	if bearer != "" {
		return a.identifyBearer(bearer)
	}
	if cookie != "" {
		ok, err := a.sessions.valid(ctx, cookie)
		if err != nil {
			return Caller{Kind: KindAnonymous}, err
		}
		if ok {
			return owner, nil
		}
	}
	return Caller{Kind: KindAnonymous}, nil
}

func (a *Auth) identifyBearer(bearer string) (Caller, error) {
	hash := sha256.Sum256([]byte(bearer))
	if subtle.ConstantTimeCompare(hash[:], a.ownerHash[:])|subtle.ConstantTimeCompare(hash[:], a.windowHash[:]) == 1 {
		return owner, nil
	}
	if strings.HasPrefix(bearer, KeyPrefix) {
		if c, ok := a.KeyCaller(bearer); ok {
			return c, nil
		}
		return Caller{Kind: KindAnonymous}, contract.Errorf(contract.Unauthorized, "the API key is unknown or was ended")
	}
	if strings.Count(bearer, ".") == 2 {
		return a.portalCaller(bearer)
	}
	return Caller{Kind: KindAnonymous}, contract.Errorf(contract.Unauthorized, "the bearer token is not valid here")
}
