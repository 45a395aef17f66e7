import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { MoneyText } from "../ui/money.tsx"

interface MonthlyPremiumProps {
  policy: Pick<PolicyDetail, "rated" | "monthlyPremiumCents" | "unrated">
  withUnit?: boolean
}

/**
 * The monthly premium of a policy's members, or why there is no amount.
 *
 *     <MonthlyPremium policy={policy} />
 */
export function MonthlyPremium({ policy, withUnit = false }: MonthlyPremiumProps) {
  if (policy.monthlyPremiumCents === null) return `By rates: ${policy.unrated}`
  return (
    <>
      <MoneyText cents={policy.monthlyPremiumCents} />
      {withUnit && " a month"}
      {policy.rated && ", by rates"}
    </>
  )
}
