import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { calculateOwedPremium } from "@milkwood/domain/premiums/owed"
import { ratedPartsText } from "@milkwood/domain/premiums/rated-words"
import type { Tx } from "../platform/database/database.ts"
import { readWasRated } from "../policies/rates.queries.ts"
import { readMemberFacts, readPolicyFacts } from "./facts.queries.ts"

const explainedChunkSize = 5_000

/** How the amounts were calculated, by `member month`; empty if the policy never had rates. */
export async function explainPremiums(
  tx: Tx,
  policyId: string,
  months: readonly { memberId: string; month: Day }[],
  { knownAt, tierNames }: { knownAt: Temporal.Instant; tierNames: ReadonlyMap<string, string> },
  currency: Currency,
): Promise<Map<string, string>> {
  const words = new Map<string, string>()
  if (months.length === 0 || !(await readWasRated(tx, policyId))) return words
  const policy = (await readPolicyFacts(tx, [policyId])).get(policyId)!
  for (let from = 0; from < months.length; from += explainedChunkSize) {
    const chunk = months.slice(from, from + explainedChunkSize)
    const facts = await readMemberFacts(tx, [...new Set(chunk.map(({ memberId }) => memberId))], true)
    for (const { memberId, month } of chunk) {
      const due = calculateOwedPremium(policy, facts.get(memberId)!, month, knownAt.toString())
      if (!("basis" in due) || due.basis.parts.length === 0) continue
      const { parts, tierId } = due.basis
      words.set(`${memberId} ${month}`, ratedPartsText(parts, tierNames.get(tierId) ?? "", currency))
    }
  }
  return words
}
