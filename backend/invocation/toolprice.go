package invocation

import (
	"strconv"

	"benchtop/backend/contract"
)

// TopToolPrice is what the dearest of an agent's enabled tools costs per call; 0
// when all are free. Prices that cannot be read are left out: their calls fail.
func (v *Invoker) TopToolPrice(agentID string) contract.Amount {
	top := contract.Amount(0)
	agent, ok := v.cfg.Agents.Resolve(agentID)
	if !ok || v.cfg.Consumers == nil || len(agent.Settings.ToolPricing) == 0 {
		return top
	}
	for _, e := range v.cfg.Consumers.Of(agent.ID).Tools() {
		price, ok := agent.Settings.ToolPricing["fn:"+e.Use]
		if !ok || price == (contract.ToolPrice{}) {
			continue
		}
		if amount, err := contract.AmountOfNanocents(strconv.FormatInt(price.PerCall, 10), v.perDollar()); err == nil {
			top = max(top, amount, 1)
		}
	}
	return top
}

// OwnerPays reports whether what a caller's tools cost is the owner's to pay when
// nobody brings a token.
func OwnerPays(req ToolRequest) bool {
	return payerOf(Request{Skill: contract.SkillTools, Caller: req.Caller}).owner
}
