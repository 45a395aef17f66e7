import type { Day } from "@milkwood/domain/kernel/calendar"
import type { Currency } from "@milkwood/domain/kernel/money"
import { owed } from "@milkwood/domain/premiums/owed"
import { partsWords } from "@milkwood/domain/premiums/rated-words"
import type { Tx } from "../platform/database/database.ts"
import { everRated } from "../policies/rates.queries.ts"
import { memberFacts, policyFacts } from "./facts.queries.ts"

const chunkSize = 5_000

/** How the amounts were calculated, by `member month`; empty if the policy never had rates. */
export async function explained(
  tx: Tx,
  policyId: string,
  months: readonly { memberId: string; month: Day }[],
  { knownAt, tierNames }: { knownAt: Temporal.Instant; tierNames: ReadonlyMap<string, string> },
  currency: Currency,
): Promise<Map<string, string>> {
  const words = new Map<string, string>()
  if (months.length === 0 || !(await everRated(tx, policyId))) return words
  const policy = (await policyFacts(tx, [policyId])).get(policyId)!
  for (let from = 0; from < months.length; from += chunkSize) {
    const chunk = months.slice(from, from + chunkSize)
    const facts = await memberFacts(tx, [...new Set(chunk.map(({ memberId }) => memberId))], true)
    for (const { memberId, month } of chunk) {
      const due = owed(policy, facts.get(memberId)!, month, knownAt.toString())
      if (!("basis" in due) || due.basis.parts.length === 0) continue
      const { parts, tierId } = due.basis
      words.set(`${memberId} ${month}`, partsWords(parts, tierNames.get(tierId) ?? "", currency))
    }
  }
  return words
}
