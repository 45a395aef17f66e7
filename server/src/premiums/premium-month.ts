import { addMonths, type Day, firstOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import { openedCover } from "@milkwood/domain/members/cover-days"
import type { Policy } from "@milkwood/domain/policies/policy"
import { owed } from "@milkwood/domain/premiums/owed"
import type { MemberFacts, PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { type PremiumMonth, premiumsContract } from "@milkwood/domain/premiums/premiums.contract"
import { uncoveredWords } from "@milkwood/domain/premiums/rated-words"
import { sql } from "drizzle-orm"
import { type Cx, query } from "../platform/calls/commands.ts"
import { policyById } from "../policies/policies.queries.ts"
import { rateTables } from "../policies/rates.queries.ts"
import { memberFacts, policyFacts } from "./facts.queries.ts"

/** How many members' facts are read at once, and how many without a rate are named. */
const [chunkSize, named] = [5_000, 10]

/** What a policy's members owe for a month, as the facts stand and as other rates would have it. */
export const premiumMonth = query(premiumsContract.month, async (cx) => {
  const { tx, today, input } = cx
  const policy = await policyById(tx, input.policyId)
  const month = firstOfMonth(input.month ?? nextMonth(policy, today))
  const facts =
    policy.status === "Draft" ? await draftFacts(cx, policy) : (await policyFacts(tx, [policy.id])).get(policy.id)!
  const rates = input.rates && { ...input.rates, id: "proposed" }
  const always = { recordedAt: cx.now.toString(), supersededAt: null }
  const proposed = rates && {
    ...facts,
    startOn: policy.startOn,
    premiums: [{ ...always, premiumCents: 0, rates, from: policy.startOn ?? month, until: null }],
  }
  const sums = [new Sum(cx, facts, month), ...(proposed ? [new Sum(cx, proposed, month)] : [])]
  for await (const member of membersOf(cx, policy, proposed !== undefined)) for (const sum of sums) sum.add(member)
  return { stands: sums[0]!.said, proposed: sums[1]?.said ?? null }
})

/** The first month that begins with the policy in force, or the next one. */
function nextMonth({ startOn }: Policy, today: Day): Day {
  const first = maxDay(addMonths(firstOfMonth(today), 1), startOn ?? today)
  return firstOfMonth(first) === first ? first : addMonths(firstOfMonth(first), 1)
}

interface RatedMember {
  id: string
  name: string
  facts: MemberFacts
}

class Sum {
  readonly said: PremiumMonth
  readonly #owed: (facts: MemberFacts) => ReturnType<typeof owed>

  constructor({ now }: Pick<Cx, "now">, policy: PolicyFacts, month: Day) {
    this.said = { month, members: 0, cents: 0, unrated: { count: 0, some: [] } }
    this.#owed = (facts) => owed(policy, facts, month, now.toString())
  }

  add({ id, name, facts }: RatedMember): void {
    const due = this.#owed(facts)
    const { unrated } = this.said
    if (due.cents === null) {
      unrated.count++
      if (unrated.some.length < named) unrated.some.push({ memberId: id, name, why: uncoveredWords(due.uncovered) })
    } else if (!("nothing" in due)) {
      this.said.members++
      this.said.cents += due.cents
    }
  }
}

/** What activation will date of a draft: in force from its start, at its premium or rates. */
async function draftFacts({ tx, now }: Pick<Cx, "tx" | "now">, policy: Policy): Promise<PolicyFacts> {
  const { startOn, endOn, premiumCents, rateTableId } = policy
  if (!startOn) return { periods: [], premiums: [], endRules: [], billedFrom: [], vat: [] }
  const fact = { recordedAt: now.toString(), supersededAt: null, from: startOn, until: null }
  const rates = rateTableId ? (await rateTables(tx, [rateTableId])).get(rateTableId)! : null
  return {
    periods: [{ ...fact, kind: "active", until: endOn }],
    premiums: rates || premiumCents > 0 ? [{ ...fact, premiumCents: rates ? 0 : premiumCents, rates }] : [],
    endRules: [],
    billedFrom: [],
    vat: [],
    startOn,
  }
}

async function* membersOf(
  { tx, now }: Pick<Cx, "tx" | "now">,
  policy: Policy,
  proposes: boolean,
): AsyncGenerator<RatedMember> {
  type Row = { id: string; name: string; tierId: string; startOn: Day; endOn: Day | null }
  const rows = await tx.rows<Row>(sql`
    select id, first_name || ' ' || last_name as name, tier_id as "tierId", start_on as "startOn", end_on as "endOn"
    from members where policy_id = ${policy.id} order by last_name_key, name_key, id`)
  const fact = { recordedAt: now.toString(), supersededAt: null }
  for (let at = 0; at < rows.length; at += chunkSize) {
    const chunk = rows.slice(at, at + chunkSize)
    const facts = await memberFacts(
      tx,
      chunk.map(({ id }) => id),
      proposes || policy.rateTableId !== null || undefined,
    )
    for (const { id, name, tierId, startOn, endOn } of chunk) {
      const covers =
        policy.status === "Draft"
          ? openedCover(
              { ...fact, kind: "covered" as const, tierId, from: startOn, until: endOn },
              policy.startOn,
              null,
            )
          : facts.get(id)!.covers
      yield { id, name, facts: { ...facts.get(id)!, covers } }
    }
  }
}
