import { addMonths, type Day, firstOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import type { Policy } from "@milkwood/domain/policies/policy"
import { owed } from "@milkwood/domain/premiums/owed"
import { factOn, knownBy, type MemberFacts, type PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { type PremiumMonth, premiumsContract } from "@milkwood/domain/premiums/premiums.contract"
import { ageDayOf } from "@milkwood/domain/premiums/rated"
import { uncoveredWords } from "@milkwood/domain/premiums/rated-words"
import { type Cx, query } from "../platform/calls/commands.ts"
import { policyById } from "../policies/policies.queries.ts"
import { rateTables } from "../policies/rates.queries.ts"
import { memberFacts, policyFacts } from "./facts.queries.ts"
import { countByKey, endingWithin, type HouseholdsAsked, namesOf, representativeFacts } from "./households.queries.ts"

const [chunkSize, named] = [5_000, 10]

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
  return {
    stands: await monthOf(cx, policy, facts, month),
    proposed: proposed ? await monthOf(cx, policy, proposed, month) : null,
  }
})

/** The first month that begins with the policy in force, or the next one. */
function nextMonth({ startOn }: Policy, today: Day): Day {
  const first = maxDay(addMonths(firstOfMonth(today), 1), startOn ?? today)
  return firstOfMonth(first) === first ? first : addMonths(firstOfMonth(first), 1)
}

/** The rule runs once per key, and separately for members whose cover ends in a month billed by days. */
async function monthOf({ tx, now }: Cx, policy: Policy, facts: PolicyFacts, month: Day): Promise<PremiumMonth> {
  const at = now.toString()
  const rates = factOn(knownBy(facts.premiums, at), month)?.rates ?? null
  const asked: HouseholdsAsked = {
    policy,
    month,
    rates,
    agesOn: rates ? ageDayOf(rates, month, facts.startOn ?? month) : month,
    toTheEnd: factOn(knownBy(facts.endRules, at), month)?.rule === "by days",
  }
  const said: PremiumMonth = { month, members: 0, cents: 0, unrated: { count: 0, some: [] } }
  const unrated = new Map<string, string>()
  const add = (who: string, count: number, member: MemberFacts) => {
    const due = owed(facts, member, month, at)
    if (due.cents === null) {
      said.unrated.count += count
      unrated.set(who, uncoveredWords(due.uncovered))
    } else if (!("nothing" in due)) {
      said.members += count
      said.cents += count * due.cents
    }
  }
  for (const { key, count } of await countByKey(tx, asked)) add(key, count, representativeFacts(key, asked, at))
  const single = asked.toTheEnd ? await endingWithin(tx, asked) : []
  for (let from = 0; from < single.length; from += chunkSize) {
    const chunk = single.slice(from, from + chunkSize)
    for (const [id, member] of await memberFacts(tx, chunk, rates !== null)) add(id, 1, member)
  }
  if (unrated.size > 0) {
    const some = await namesOf(tx, asked, { keys: [...unrated.keys()], atMost: named })
    said.unrated.some = some.map(({ memberId, name, key }) => ({
      ...{ memberId, name },
      why: (unrated.get(memberId) ?? unrated.get(key))!,
    }))
  }
  return said
}

/** The facts that activation would record: in force from its start, with its premium or rates. */
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
