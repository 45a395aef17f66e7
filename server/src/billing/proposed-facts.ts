import type { ProposedMembers, ProposedPolicy } from "@milkwood/domain/billing/effect"
import { factsKnownAt } from "@milkwood/domain/kernel/dated-fact"
import type { MemberFacts } from "@milkwood/domain/members/member-dated-facts"
import type { PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { sql } from "drizzle-orm"
import type { Cx } from "../platform/calls/commands.ts"
import { readMemberFacts, readPolicyFacts } from "../premiums/facts.queries.ts"

export type ProposedCx = Pick<Cx, "tx" | "now" | "today" | "actor">

/** Joining members have no ids yet. */
export type ProposedGroup = ProposedMembers & { memberIds: readonly string[] }

export interface Proposed {
  policyId: string
  policy: ProposedPolicy
  groups: ProposedGroup[]
}

/** `refused`: number of members that the command would refuse. */
export interface ProposedChanges {
  policies: Proposed[]
  refused: number
}

export const unchanged = (facts: PolicyFacts): ProposedPolicy => ({ before: facts, after: facts })

/** Marks proposed facts as recorded now. */
export const timesRecordedNow = (now: Temporal.Instant) => ({ recordedAt: now.toString(), supersededAt: null })

/** VAT does not affect these amounts, so it is not filtered. */
export async function loadPolicyFacts({ tx, now }: Pick<Cx, "tx" | "now">, policyId: string): Promise<PolicyFacts> {
  const facts = (await readPolicyFacts(tx, [policyId])).get(policyId)!
  const at = now.toString()
  return {
    ...facts,
    periods: factsKnownAt(facts.periods, at),
    premiums: factsKnownAt(facts.premiums, at),
    endRules: factsKnownAt(facts.endRules, at),
    billedFrom: factsKnownAt(facts.billedFrom, at),
  }
}

export const currentFacts = (facts: MemberFacts, now: Temporal.Instant): MemberFacts => ({
  ...facts,
  covers: factsKnownAt(facts.covers, now.toString()),
  ...(facts.births && {
    births: factsKnownAt(facts.births, now.toString()),
    dependents: factsKnownAt(facts.dependents ?? [], now.toString()),
    salaries: factsKnownAt(facts.salaries ?? [], now.toString()),
  }),
})

const chunkSize = 5_000

interface EqualMembers {
  /** Default: all members of the policy. */
  only?: readonly string[]
  /** Also reads what rate tables need, even if the policy has none yet. */
  rated?: boolean | undefined
  /** A grouping key, if the proposal differs by member. */
  apart?: (memberId: string) => string
}

/**
 * Most members of a large policy share facts and proposals, so each amount is calculated once per group. `after` is
 * called once per group.
 */
export async function groupEqualMembers(
  { tx, now }: Pick<Cx, "tx" | "now">,
  policyId: string,
  after: (facts: MemberFacts, memberId: string) => MemberFacts,
  { only, rated, apart }: EqualMembers = {},
): Promise<ProposedGroup[]> {
  const ids =
    only ??
    (await tx.rows<{ id: string }>(sql`select id from members where policy_id = ${policyId}`)).map(({ id }) => id)
  const groups = new Map<string, { before: MemberFacts; memberIds: string[] }>()
  for (let from = 0; from < ids.length; from += chunkSize)
    for (const [id, all] of await readMemberFacts(tx, ids.slice(from, from + chunkSize), rated)) {
      const before = currentFacts(all, now)
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
