import type { Day } from "@milkwood/domain/kernel/calendar"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { endRuleNames } from "@milkwood/domain/policies/end-rule"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { policyLabels } from "@milkwood/domain/policies/policy"
import { defaultPremiumFrom } from "@milkwood/domain/policies/policy-rules"
import { useQuery } from "@tanstack/react-query"
import { useDisplay } from "../ui/display.tsx"
import { type FutureChange, futureChangesAfter } from "../ui/later-changes.tsx"
import { datedTermsQuery } from "./policies.api.ts"
import { monthCountText } from "./policy-words.tsx"

type DatedTerm = "premiums" | "endRules" | "productTypes" | "owningFunds" | "sumsAssured" | "waitingPeriods"

const listOf = <Change>(upcoming: Change | null): Change[] => (upcoming ? [upcoming] : [])

export function useDatedTerms(policy: PolicyDetail): {
  /** All changes in order, from the start of the policy; empty for a draft. */
  all: (of: DatedTerm) => FutureChange[]
  /** After the typed day, or after the default first day of a change. */
  later: (of: DatedTerm, typed: Day | null) => FutureChange[]
  future: (of: DatedTerm) => FutureChange[]
} {
  const { today, currency } = useDisplay()
  const { data } = useQuery({ ...datedTermsQuery(policy.id), enabled: policy.status !== "Draft" })
  const changes: Record<DatedTerm, FutureChange[]> = {
    premiums: (data?.premiums ?? listOf(policy.upcomingPremium)).map(({ fromOn, premiumCents }) => ({
      ...{ on: fromOn, of: policyLabels.premiumCents },
      words: premiumCents === null ? "Rates" : formatMoney(premiumCents, currency),
    })),
    endRules: (data?.endRules ?? listOf(policy.upcomingEndRule)).map(({ fromOn, rule }) => ({
      on: fromOn,
      words: endRuleNames[rule],
    })),
    productTypes: (data?.productTypes ?? []).map(({ fromOn, name }) => ({ on: fromOn, words: name })),
    owningFunds: (data?.owningFunds ?? []).map(({ fromOn, owningFund }) => ({
      ...{ on: fromOn, of: policyLabels.owningFund },
      words: owningFund || "None",
    })),
    sumsAssured: (data?.sumsAssured ?? []).map(({ fromOn, sumAssuredCents }) => ({
      ...{ on: fromOn, of: policyLabels.sumAssuredCents },
      words: sumAssuredCents === null ? "None" : formatMoney(sumAssuredCents, currency),
    })),
    waitingPeriods: (data?.waitingPeriods ?? []).map(({ fromOn, waitingPeriodMonths }) => ({
      ...{ on: fromOn, of: policyLabels.waitingPeriodMonths },
      words: monthCountText(waitingPeriodMonths),
    })),
  }
  const first = defaultPremiumFrom(policy.information, today)
  return {
    all: (of) => changes[of],
    later: (of, typed) => futureChangesAfter(changes[of], typed ?? first),
    future: (of) => futureChangesAfter(changes[of], today),
  }
}
