import { type Refusal, refuse } from "../kernel/refusal.ts"
import { nameList } from "../kernel/text.ts"

const namedPolicies = 5

/** Refuses INVALID, naming the policies, while the waiting period of any policy is too long for a funeral product. */
export function refuseLongWaiting(
  policies: readonly { number: string; waitingPeriodMonths: number }[],
): Refusal<"INVALID"> | null {
  if (policies.length === 0) return null
  const named = policies
    .slice(0, namedPolicies)
    .map(({ number, waitingPeriodMonths: months }) => `${number} (${months} ${months === 1 ? "month" : "months"})`)
  const more = policies.length - named.length
  if (more > 0) named.push(`${more} more`)
  const message = `The waiting period is too long in ${nameList(named)}. A funeral product allows at most six months, or a quarter of the policy's term if shorter.`
  return refuse("INVALID", message, { fields: [{ path: "isFuneral", message }] })
}
