import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { MoneyText } from "../ui/money.tsx"

interface MonthlyPremiumProps {
  policy: Pick<PolicyDetail, "rated" | "monthlyPremiumCents" | "unrated">
  /** Says "a month" after the amount, where no label does. */
  withUnit?: boolean
}

/**
 * The premium a month of a policy's members; of a policy by rates it says so, or why there is no amount.
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
