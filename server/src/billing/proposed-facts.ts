import type { ProposedMembers, ProposedPolicy } from "@milkwood/domain/billing/effect"
import { knownBy, type MemberFacts, type PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { memberFacts, policyFacts } from "../premiums/facts.queries.ts"

export type ProposedCx = Pick<Cx, "tx" | "now" | "today" | "actor">

/** Members whom a proposal leaves alike, by id; nobody is named who would only join. */
export type ProposedGroup = ProposedMembers & { memberIds: readonly string[] }

export interface Proposed {
  policyId: string
  policy: ProposedPolicy
  groups: ProposedGroup[]
}

/** A proposal policy by policy, and of how many of several members it would be refused. */
export interface AllProposed {
  policies: Proposed[]
  refused: number
}

/** A policy that stays as it is. */
export const unchanged = (facts: PolicyFacts): ProposedPolicy => ({ before: facts, after: facts })

/** What stands of facts at a moment, with what a proposal puts beside it written down at that moment. */
export const written = (now: Temporal.Instant) => ({ recordedAt: now.toString(), supersededAt: null })

/** The policy's facts that stand now; VAT is kept whole, it decides nothing here. */
export async function factsOf({ tx, now }: Pick<Cx, "tx" | "now">, policyId: string): Promise<PolicyFacts> {
  const facts = (await policyFacts(tx, [policyId])).get(policyId)!
  const at = now.toString()
  return {
    ...facts,
    periods: knownBy(facts.periods, at),
    premiums: knownBy(facts.premiums, at),
    endRules: knownBy(facts.endRules, at),
    billedFrom: knownBy(facts.billedFrom, at),
  }
}

/** The member's facts that stand now. */
export const standing = (facts: MemberFacts, now: Temporal.Instant): MemberFacts => ({
  ...facts,
  covers: knownBy(facts.covers, now.toString()),
  ...(facts.births && {
    births: knownBy(facts.births, now.toString()),
    dependents: knownBy(facts.dependents ?? [], now.toString()),
    salaries: knownBy(facts.salaries ?? [], now.toString()),
  }),
})

/** How many members' facts are read at once. */
const chunkSize = 5_000

interface Alike {
  /** Some members of the policy; left out, all of them. */
  only?: readonly string[]
  /** What rate tables read is asked though the policy has none yet. */
  rated?: boolean | undefined
  /** What is proposed of a member, as text, where it is not the same of all. */
  apart?: (memberId: string) => string
}

/**
 * Members of whom the same stands and is proposed, together: of many thousand on a policy most began on the same few
 * days, and what each of them owes is worked out once. `after` is asked of one of each.
 */
export async function alike(
  { tx, now }: Pick<Cx, "tx" | "now">,
  policyId: string,
  after: (facts: MemberFacts, memberId: string) => MemberFacts,
  { only, rated, apart }: Alike = {},
): Promise<ProposedGroup[]> {
  const ids =
    only ??
    (await tx.rows<{ id: string }>(sql`select id from members where policy_id = ${policyId}`)).map(({ id }) => id)
  const groups = new Map<string, { before: MemberFacts; memberIds: string[] }>()
  for (let from = 0; from < ids.length; from += chunkSize)
    for (const [id, all] of await memberFacts(tx, ids.slice(from, from + chunkSize), rated)) {
      const before = standing(all, now)
      const stands = JSON.stringify(before, (name, value) => (name === "recordedAt" ? undefined : value))
      const key = `${apart?.(id)} ${stands}`
      const there = groups.get(key)
      if (there) there.memberIds.push(id)
      else groups.set(key, { before, memberIds: [id] })
    }
  return [...groups.values()].map(({ before, memberIds }) => ({
    before,
    after: after(before, memberIds[0]!),
    members: memberIds.length,
    memberIds,
  }))
}
