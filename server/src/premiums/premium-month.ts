import { addMonths, type Day, firstOfMonth, maxDay } from "@milkwood/domain/kernel/calendar"
import { factOn, factsKnownAt } from "@milkwood/domain/kernel/dated-fact"
import type { MemberFacts } from "@milkwood/domain/members/member-dated-facts"
import type { Policy } from "@milkwood/domain/policies/policy"
import { calculateOwedPremium } from "@milkwood/domain/premiums/owed"
import type { PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { type PremiumMonth, premiumsContract } from "@milkwood/domain/premiums/premiums.contract"
import { ageDayOf } from "@milkwood/domain/premiums/rated"
import { uncoveredText } from "@milkwood/domain/premiums/rated-words"
import { type Cx, query } from "../platform/calls/commands.ts"
import { readPolicy } from "../policies/policies.queries.ts"
import { readRateTables } from "../policies/rates.queries.ts"
import { readMemberFacts, readPolicyFacts } from "./facts.queries.ts"
import {
  countByKey,
  findMembersEndingInMonth,
  type HouseholdsRequest,
  readNamesOf,
  toRepresentativeFacts,
} from "./households.queries.ts"

const [chunkSize, named] = [5_000, 10]

export const premiumMonth = query(premiumsContract.month, async (cx) => {
  const { tx, today, input } = cx
  const policy = await readPolicy(tx, input.policyId)
  const month = firstOfMonth(input.month ?? nextBillableMonth(policy, today))
  const facts =
    policy.status === "Draft"
      ? await readDraftFacts(cx, policy)
      : (await readPolicyFacts(tx, [policy.id])).get(policy.id)!
  const rates = input.rates && { ...input.rates, id: "proposed" }
  const always = { recordedAt: cx.now.toString(), supersededAt: null }
  const proposed = rates && {
    ...facts,
    startOn: policy.startOn,
    premiums: [{ ...always, premiumCents: 0, rates, from: policy.startOn ?? month, until: null }],
  }
  return {
    stands: await computePremiumMonth(cx, policy, facts, month),
    proposed: proposed ? await computePremiumMonth(cx, policy, proposed, month) : null,
  }
})

/** The first month in which the policy is in force on the 1st, or else the next month. */
function nextBillableMonth({ startOn }: Policy, today: Day): Day {
  const first = maxDay(addMonths(firstOfMonth(today), 1), startOn ?? today)
  return firstOfMonth(first) === first ? first : addMonths(firstOfMonth(first), 1)
}

/** The rule runs once per key, and separately for members whose cover ends in a month billed by days. */
async function computePremiumMonth(
  { tx, now }: Cx,
  policy: Policy,
  facts: PolicyFacts,
  month: Day,
): Promise<PremiumMonth> {
  const at = now.toString()
  const rates = factOn(factsKnownAt(facts.premiums, at), month)?.rates ?? null
  const asked: HouseholdsRequest = {
    policy,
    month,
    rates,
    agesOn: rates ? ageDayOf(rates, month, facts.startOn ?? month) : month,
    toTheEnd: factOn(factsKnownAt(facts.endRules, at), month)?.rule === "by days",
  }
  const said: PremiumMonth = { month, members: 0, cents: 0, unrated: { count: 0, some: [] } }
  const unrated = new Map<string, string>()
  const add = (who: string, count: number, member: MemberFacts) => {
    const due = calculateOwedPremium(facts, member, month, at)
    if (due.cents === null) {
      said.unrated.count += count
      unrated.set(who, uncoveredText(due.uncovered))
    } else if (!("nothing" in due)) {
      said.members += count
      said.cents += count * due.cents
    }
  }
  for (const { key, count } of await countByKey(tx, asked)) add(key, count, toRepresentativeFacts(key, asked, at))
  const single = asked.toTheEnd ? await findMembersEndingInMonth(tx, asked) : []
  for (let from = 0; from < single.length; from += chunkSize) {
    const chunk = single.slice(from, from + chunkSize)
    for (const [id, member] of await readMemberFacts(tx, chunk, rates !== null)) add(id, 1, member)
  }
  if (unrated.size > 0) {
    const some = await readNamesOf(tx, asked, { keys: [...unrated.keys()], atMost: named })
    said.unrated.some = some.map(({ memberId, name, key }) => ({
      ...{ memberId, name },
      why: (unrated.get(memberId) ?? unrated.get(key))!,
    }))
  }
  return said
}

/** The facts that activation would record: in force from its start, with its premium or rates. */
async function readDraftFacts({ tx, now }: Pick<Cx, "tx" | "now">, policy: Policy): Promise<PolicyFacts> {
  const { startOn, endOn, premiumCents, rateTableId } = policy
  if (!startOn) return { periods: [], premiums: [], endRules: [], billedFrom: [], vat: [] }
  const fact = { recordedAt: now.toString(), supersededAt: null, from: startOn, until: null }
  const rates = rateTableId ? (await readRateTables(tx, [rateTableId])).get(rateTableId)! : null
  return {
    periods: [{ ...fact, kind: "active", until: endOn }],
    premiums: rates || premiumCents > 0 ? [{ ...fact, premiumCents: rates ? 0 : premiumCents, rates }] : [],
    endRules: [],
    billedFrom: [],
    vat: [],
    startOn,
  }
}
