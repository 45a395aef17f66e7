import type { Day } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { endRuleNames } from "@milkwood/domain/policies/end-rule"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { defaultPremiumFrom } from "@milkwood/domain/policies/policy-rules"
import { useQuery } from "@tanstack/react-query"
import { useDisplay } from "../ui/display.tsx"
import { changesAfter, type LaterChange } from "../ui/later-changes.tsx"
import { datedTermsQuery } from "./policies.api.ts"

/** The premiums and rules of a policy that are recorded for days after the one typed, or after the default day. */
export function useDatedTerms(policy: PolicyDetail): {
  later: (of: "premiums" | "endRules", typed: Day | null) => LaterChange[]
} {
  const { today, currency } = useDisplay()
  const { data } = useQuery({ ...datedTermsQuery(policy.id), enabled: policy.status !== "Draft" })
  const changes = {
    premiums: (data?.premiums ?? []).map(({ fromOn, premiumCents }) => ({
      on: fromOn,
      words: premiumCents === null ? "Rates" : formatMoney(premiumCents, currency),
    })),
    endRules: (data?.endRules ?? []).map(({ fromOn, rule }) => ({ on: fromOn, words: endRuleNames[rule] })),
  }
  const first = defaultPremiumFrom(policy.information, today)
  return { later: (of, typed) => changesAfter(changes[of], typed ?? first) }
}
