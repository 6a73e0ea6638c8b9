package httpapi

import "benchtop/backend/contract"

// route is a row of the table. body is the largest body in bytes that is read;
// 0 means that the route takes none.
type route struct {
	method string
	path   string
	access access
	body   int64
	handle func(*api, *call) error
}

// Body limits in bytes. JSON may write a character as six, so the limit of a
// body is above that of the text inside it, which is checked on its own.
const (
	smallBody   = 16 * contract.KB
	jsonBody    = contract.MaxBodyBytes
	messageBody = jsonBody + (contract.MaxClientMessage+2)/3*4
	relayBody   = jsonBody + (contract.MaxClientFile+2)/3*4 // a file is sent in base64
	sourceBody  = 2 * contract.MB
	secretBody  = 6*contract.MaxSecretBytes + smallBody
	hostRequest = contract.MaxKVPutBytes + contract.MB
)

// routes is every address of the management API: one row each. {agent} is an id
// or a username.
var routes = []route{
	// Spec 4.1.
	{"GET", "/api/agents/{agent}/functions", manageRead, 0, (*api).listFunctions},
	{"POST", "/api/agents/{agent}/functions", manage, jsonBody, (*api).declareFunction},
	{"DELETE", "/api/agents/{agent}/functions/{name}", manage, 0, (*api).removeFunction},
	{"POST", "/api/agents/{agent}/functions/{name}/validate", manage, jsonBody, (*api).validateFunction},
	{"POST", "/api/agents/{agent}/functions/{name}/invoke", manageInvoke, jsonBody, (*api).invokeFunction},
	{"GET", "/api/agents/{agent}/functions/{name}/invocations", manageRead, 0, (*api).listInvocations},
	{"POST", "/api/agents/{agent}/functions/{name}/secret", ownerOnly, secretBody, (*api).setSecret},
	{"DELETE", "/api/agents/{agent}/functions/{name}/secret", ownerOnly, 0, (*api).deleteSecret},
	{"GET", "/api/agents/{agent}/functions/openapi.json", manageRead, 0, (*api).describeAPI},

	// What clients of the hosted platform reach beside it, contract.md 0.4.
	{"GET", "/api/agents", manageRead, 0, (*api).listAgents},
	{"POST", "/api/agents", ownerOnly, jsonBody, (*api).createAgent},
	{"GET", "/api/agents/{agent}", manageRead, 0, (*api).getAgent},
	{"PATCH", "/api/agents/{agent}", ownerOnly, jsonBody, (*api).changeAgent},
	{"DELETE", "/api/agents/{agent}", ownerOnly, 0, (*api).removeAgent},
	{"GET", "/api/agents/{agent}/functions/{name}", manageRead, 0, (*api).getFunction},
	{"GET", "/api/agents/{agent}/functions/{name}/source", manageRead, 0, (*api).getFunctionSource},
	{"GET", "/api/agents/{agent}/content/{id}", manageRead, 0, (*api).getContent},
	{"GET", "/api/agents/{agent}/http-endpoints", manageRead, 0, (*api).listEndpoints},
	{"GET", "/api/agents/{agent}/skills", manageRead, 0, (*api).listEntries},
	{"GET", "/api/agents/{agent}/skills/{skill}/use", manageRead, 0, (*api).listEntries},
	{"POST", "/api/agents/{agent}/skills/{skill}/use", manage, jsonBody, (*api).attach},
	{"PATCH", "/api/agents/{agent}/skills/{skill}/use/{id}", manage, jsonBody, (*api).changeEntry},
	{"DELETE", "/api/agents/{agent}/skills/{skill}/use/{id}", manage, 0, (*api).detach},
	{"POST", "/api/auth/session", open, smallBody, (*api).login},
	{"GET", "/api/auth/session", public, 0, (*api).whoAmI},
	{"DELETE", "/api/auth/session", open, 0, (*api).logout},
	{"GET", "/api/auth/jwks", open, 0, (*api).jwks},
	{"GET", "/.well-known/jwks.json", open, 0, (*api).jwks},
	{"GET", "/.well-known/openid-configuration", open, 0, (*api).discovery},

	// Credentials, contract.md 6.3 and 6.5. What makes or ends one is the
	// owner's alone; these three carry their credential in the body.
	{"POST", "/api/auth/validate-key", open, smallBody, (*api).validateKey},
	{"POST", "/api/auth/agent/token", open, smallBody, (*api).agentToken},
	{"POST", "/auth/token", open, smallBody, (*api).oauthToken},
	{"GET", "/api/agents/{agent}/api-key", ownerOnly, 0, (*api).listAgentKeys},
	{"POST", "/api/agents/{agent}/api-key", ownerOnly, 0, (*api).makeAgentKey},
	{"DELETE", "/api/agents/{agent}/api-key", ownerOnly, 0, (*api).dropAgentKey},
	{"DELETE", "/api/agents/{agent}/api-key/{id}", ownerOnly, 0, (*api).dropAgentKey},
	{"GET", "/api/local/tokens", ownerOnly, 0, (*api).listTokens},
	{"POST", "/api/local/tokens", ownerOnly, smallBody, (*api).makeToken},
	{"DELETE", "/api/local/tokens/{id}", ownerOnly, 0, (*api).revokeToken},
	{"GET", "/api/local/admin-key", ownerOnly, 0, (*api).listAdminKeys},
	{"POST", "/api/local/admin-key", ownerOnly, 0, (*api).makeAdminKey},
	{"DELETE", "/api/local/admin-key", ownerOnly, 0, (*api).dropAdminKey},
	{"DELETE", "/api/local/admin-key/{id}", ownerOnly, 0, (*api).dropAdminKey},
	{"GET", "/api/local/visitors", ownerOnly, 0, (*api).listVisitors},
	{"POST", "/api/local/visitors", ownerOnly, smallBody, (*api).makeVisitor},
	{"DELETE", "/api/local/visitors/{id}", ownerOnly, 0, (*api).dropVisitor},
	{"POST", "/api/local/visitors/{id}/key", ownerOnly, 0, (*api).makeVisitorKey},
	{"POST", "/api/local/visitors/{id}/session", ownerOnly, 0, (*api).makeVisitorSession},

	// Spec 4.4 and contract.md 5.
	{"POST", "/api/payments/lock", pay, smallBody, (*api).lockPayment},
	{"PATCH", "/api/payments/lock/{id}", pay, smallBody, (*api).extendLock},
	{"POST", "/api/payments/settle", pay, jsonBody, (*api).settlePayment},
	{"POST", "/api/payments/delegate", pay, smallBody, (*api).delegatePayment},
	{"POST", "/api/payments/verify", payRead, smallBody, (*api).verifyPayment},
	{"GET", "/api/payments/tokens", payRead, 0, (*api).listPaymentTokens},
	{"GET", "/api/payments/tokens/{id}", payRead, 0, (*api).getPaymentToken},
	{"DELETE", "/api/payments/tokens/{id}", pay, 0, (*api).revokePaymentToken},
	{"PATCH", "/api/payments/tokens/{id}/topup", pay, smallBody, (*api).topUpPaymentToken},
	{"POST", "/api/payments/x402/verify", payRead, smallBody, (*api).x402Verify},
	{"POST", "/api/payments/x402/settle", pay, smallBody, (*api).x402Settle},
	{"GET", "/api/payments/x402/supported", open, 0, (*api).x402Supported},
	{"GET", "/api/local/payments/balances", ownerOnly, 0, (*api).paymentBalances},
	{"GET", "/api/local/payments/tokens", ownerOnly, 0, (*api).listPaymentTokens},
	{"POST", "/api/local/payments/mint", ownerOnly, smallBody, (*api).mintPayment},
	{"POST", "/api/local/payments/deposit", ownerOnly, smallBody, (*api).depositPayment},
	{"GET", "/api/local/payments/locks", ownerOnly, 0, (*api).listLocks},
	{"GET", "/api/local/payments/entries", ownerOnly, 0, (*api).listLedger},
	{"GET", "/api/local/payments/entries.csv", ownerOnly, 0, (*api).exportLedger},
	{"GET", "/api/local/payments/check", ownerOnly, 0, (*api).checkPayments},
	{"GET", "/api/local/agents/{agent}/simulator", ownerOnly, 0, (*api).getSimulator},
	{"PUT", "/api/local/agents/{agent}/simulator", ownerOnly, smallBody, (*api).putSimulator},

	// Spec 4.3.
	{"POST", "/api/internal/fn-host", open, hostRequest, (*api).hostCall},

	// What ctx.portal.signContentUrl gives.
	{"GET", "/api/content/{agent}/{id}", signedLink, 0, (*api).serveContentLink},

	// Ours, decisions.md 6.
	{"GET", "/boot.json", open, 0, (*api).boot},
	{"GET", "/api/local/status", ownerOnly, 0, (*api).status},
	{"GET", "/api/local/docs", ownerOnly, 0, (*api).listDocs},
	{"GET", "/api/local/docs/{name}", ownerOnly, 0, (*api).getDoc},
	{"GET", "/api/local/events", ownerOnly, 0, (*api).streamEvents},
	{"POST", "/api/local/login-code", ownerOnly, 0, (*api).loginCode},
	{"POST", "/api/local/focus", ownerOnly, 0, (*api).focus},
	{"GET", "/api/local/projects", ownerOnly, 0, (*api).listProjects},
	{"POST", "/api/local/projects", ownerOnly, smallBody, (*api).openProject},
	{"DELETE", "/api/local/projects/{agent}", ownerOnly, 0, (*api).closeProject},
	{"GET", "/api/local/agents/{agent}/functions", ownerOnly, 0, (*api).workList},
	{"GET", "/api/local/agents/{agent}/functions/{name}", ownerOnly, 0, (*api).workFunction},
	{"PUT", "/api/local/agents/{agent}/functions/{name}", ownerOnly, sourceBody, (*api).saveFunction},
	{"POST", "/api/local/agents/{agent}/functions/{name}/restore", ownerOnly, 0, (*api).restoreFunction},
	{"GET", "/api/local/agents/{agent}/modules/{name}", ownerOnly, 0, (*api).workModule},
	{"PUT", "/api/local/agents/{agent}/modules/{name}", ownerOnly, sourceBody, (*api).saveModule},
	{"GET", "/api/local/agents/{agent}/agentfile", ownerOnly, 0, (*api).workAgentFile},
	{"PUT", "/api/local/agents/{agent}/agentfile", ownerOnly, sourceBody, (*api).saveAgentFile},
	{"GET", "/api/local/agents/{agent}/functions/{name}/permissions", ownerOnly, 0, (*api).permissionReport},
	{"GET", "/api/local/agents/{agent}/calls", ownerOnly, 0, (*api).listCalls},
	{"PUT", "/api/local/agents/{agent}/functions/{name}/calls/{call}", ownerOnly, jsonBody, (*api).saveCall},
	{"DELETE", "/api/local/agents/{agent}/functions/{name}/calls/{call}", ownerOnly, 0, (*api).removeCall},
	{"PUT", "/api/local/agents/{agent}/calls/client/{call}", ownerOnly, jsonBody, (*api).saveClientCall},
	{"POST", "/api/local/agents/{agent}/calls/client/{call}/rename", ownerOnly, smallBody, (*api).renameClientCall},
	{"DELETE", "/api/local/agents/{agent}/calls/client/{call}", ownerOnly, 0, (*api).removeClientCall},
	{"GET", "/api/local/schemas/agent", ownerOnly, 0, (*api).agentSchema},
	{"GET", "/api/local/agents/{agent}/endpoints", ownerOnly, 0, (*api).listAgentEndpoints},
	{"PUT", "/api/local/agents/{agent}/transports/{transport}", ownerOnly, 0, (*api).addTransport},
	{"DELETE", "/api/local/agents/{agent}/transports/{transport}", ownerOnly, 0, (*api).dropTransport},
	{"GET", "/api/local/agents/{agent}/schedules", ownerOnly, 0, (*api).listSchedules},
	{"POST", "/api/local/agents/{agent}/schedules/{id}/run", ownerOnly, 0, (*api).runSchedule},
	{"GET", "/api/local/agents/{agent}/secrets", ownerOnly, 0, (*api).listSecrets},
	{"POST", "/api/local/agents/{agent}/secret", ownerOnly, secretBody, (*api).setAgentSecret},
	{"DELETE", "/api/local/agents/{agent}/secret", ownerOnly, 0, (*api).deleteSecret},
	{"GET", "/api/local/agents/{agent}/functions/{name}/versions", ownerOnly, 0, (*api).listVersions},
	{"GET", "/api/local/agents/{agent}/functions/{name}/versions/{version}", ownerOnly, 0, (*api).getVersion},
	{"POST", "/api/local/client", ownerOnly, relayBody, (*api).relayRequest},
	{"POST", "/api/local/client/{id}/send", ownerOnly, messageBody, (*api).relayMessage},
	{"DELETE", "/api/local/client/{id}", ownerOnly, 0, (*api).relayEnd},
	{"GET", "/api/local/inbox", ownerOnly, 0, (*api).listInbox},
	{"POST", "/api/local/inbox/read", ownerOnly, 0, (*api).readInbox},
	{"POST", "/api/local/inbox/{id}/read", ownerOnly, 0, (*api).readInbox},
	{"GET", "/api/local/drafts/{agent}", ownerOnly, 0, (*api).listDrafts},
	{"PUT", "/api/local/drafts/{agent}/{name}/{file}", ownerOnly, sourceBody, (*api).putDraft},
	{"DELETE", "/api/local/drafts/{agent}/{name}/{file}", ownerOnly, 0, (*api).dropDraft},
	{"GET", "/api/local/settings", ownerOnly, 0, (*api).getSettings},
	{"PUT", "/api/local/settings", ownerOnly, smallBody, (*api).putSettings},
	{"GET", "/api/local/invocations", ownerOnly, 0, (*api).searchInvocations},
	{"GET", "/api/local/invocations/export", ownerOnly, 0, (*api).exportInvocations},
	{"GET", "/api/local/agents/{agent}/kv", ownerOnly, 0, (*api).listNamespaces},
	{"GET", "/api/local/agents/{agent}/kv/items", ownerOnly, 0, (*api).listKV},
	{"PUT", "/api/local/agents/{agent}/kv/items", ownerOnly, hostRequest, (*api).putKV},
	{"GET", "/api/local/agents/{agent}/kv/item", ownerOnly, 0, (*api).getKV},
	{"DELETE", "/api/local/agents/{agent}/kv/item", ownerOnly, 0, (*api).deleteKV},
	{"GET", "/api/local/agents/{agent}/content", ownerOnly, 0, (*api).listContent},
	{"POST", "/api/local/agents/{agent}/content", ownerOnly, contract.MaxContentBytes, (*api).putContent},
	{"GET", "/api/local/agents/{agent}/content/{id}", ownerOnly, 0, (*api).getContent},
	{"DELETE", "/api/local/agents/{agent}/content/{id}", ownerOnly, 0, (*api).deleteContent},
	{"GET", "/api/local/agents/{agent}/folders", ownerOnly, 0, (*api).listFolders},
	{"GET", "/api/local/agents/{agent}/folders/{name}/{alias}", ownerOnly, 0, (*api).listFolder},
	{"GET", "/api/local/agents/{agent}/folders/{name}/{alias}/{file}", ownerOnly, 0, (*api).readFolder},
	{"GET", "/api/local/schedule", ownerOnly, 0, (*api).readSchedule},
	{"GET", "/api/local/stats", ownerOnly, 0, (*api).stats},
	{"GET", "/api/local/agents/{agent}/tools", ownerOnly, 0, (*api).listTools},
	{"POST", "/api/local/agents/{agent}/tools/{name}", ownerOnly, jsonBody, (*api).callTool},
	{"GET", "/api/local/invocations/{id}", ownerOnly, 0, (*api).getInvocation},
	{"POST", "/api/local/invocations/{id}/cancel", ownerOnly, 0, (*api).cancelInvocation},
}
