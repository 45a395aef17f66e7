import { addMonths, type Day, firstOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import { calculateOwedPremium } from "@milkwood/domain/premiums/owed"
import type { PremiumMonth } from "@milkwood/domain/premiums/premiums.contract"
import { uncoveredText } from "@milkwood/domain/premiums/rated-words"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readMemberFacts, readPolicyFacts } from "./facts.queries.ts"
import { owedByMonth } from "./owed.queries.ts"

const maxNamedMembers = 5

/**
 * Members without a rate in a covered month, with reasons. Checks months up to the next one, or to that in which the
 * last member begins.
 */
export async function unratedMembers(
  { tx, now, today }: Pick<Cx, "tx" | "now" | "today">,
  policyId: string,
): Promise<PremiumMonth["unrated"]> {
  const last = await tx.row<{ day: Day | null }>(sql`
    select max(lower(valid)) as day from member_covers where policy_id = ${policyId} and superseded_at is null`)
  const month = addMonths(firstOfMonth(maxDay(today, last?.day ?? today)), 1)
  const found = await tx.rows<{ memberId: string; name: string; month: Day }>(sql`
    select m.id as "memberId", m.first_name || ' ' || m.last_name as name, min(o.month) as month
    from (${owedByMonth({ policies: sql`select ${policyId}::uuid`, month })}) o join members m on m.id = o.member_id
    where o.cents is null group by m.id order by m.last_name_key, m.name_key, m.id`)
  const policy = (await readPolicyFacts(tx, [policyId])).get(policyId)!
  const some = found.slice(0, maxNamedMembers)
  const facts = await readMemberFacts(
    tx,
    some.map(({ memberId }) => memberId),
  )
  return {
    count: found.length,
    some: some.map(({ memberId, name, month: of }) => {
      const due = calculateOwedPremium(policy, facts.get(memberId)!, of, now.toString())
      return { memberId, name, why: uncoveredText("uncovered" in due ? due.uncovered : null) }
    }),
  }
}
