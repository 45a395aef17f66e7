import type { ProposedPolicy } from "@milkwood/domain/billing/effect"
import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { type Day, firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { changedCovers, endedCovers, openedCover, withoutPlans } from "@milkwood/domain/members/cover-days"
import type { Member } from "@milkwood/domain/members/member"
import { settleIdentity } from "@milkwood/domain/members/member-identity"
import { defaultStart } from "@milkwood/domain/members/member-start"
import * as members from "@milkwood/domain/members/member-steps"
import type { Policy } from "@milkwood/domain/policies/policy"
import { endRulesFrom, periodsFrom, periodsUntil, premiumsFrom } from "@milkwood/domain/policies/policy-days"
import { changeRates, editCoverage, editTerms } from "@milkwood/domain/policies/policy-edit"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import * as policies from "@milkwood/domain/policies/policy-rules"
import type { CoverFact, PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { sql } from "drizzle-orm"
import { readMember } from "../members/member-record.ts"
import { policyById } from "../policies/policies.queries.ts"
import { memberFacts } from "../premiums/facts.queries.ts"
import { alike, factsOf, type Proposed, type ProposedCx, standing, written } from "./proposed-facts.ts"
import { proposedImport } from "./proposed-import.ts"

type Change<A extends ProposedChange["act"]> = Extract<ProposedChange, { act: A }>

/**
 * The facts of a policy and of those concerned, as they stand and as a change would leave them, by the rules by which its
 * command decides; null where the command would refuse it, and for a draft, of which nothing is owed.
 */
export async function proposed(cx: ProposedCx, change: ProposedChange): Promise<Proposed | null> {
  switch (change.act) {
    case "addMember":
      return joining(cx, change)
    case "importStaffList":
      return proposedImport(cx, change)
    case "terminateMember":
    case "suspendMember":
    case "reinstateMember":
    case "changeTier":
    case "withdrawPlans":
      return ofMember(cx, change)
    default:
      return ofPolicy(cx, change)
  }
}

async function joining(cx: ProposedCx, change: Change<"addMember">): Promise<Proposed | null> {
  const { tx, now, today } = cx
  const policy = await policyById(tx, change.policyId)
  if (policy.status === "Draft" || !isOpen(policy.status)) return null
  const { idNumber, passportNumber, tierId, dateOfBirth, dependents } = change
  // Who was in the policy before is covered from the day after their last one.
  const gone = await tx.row<{ freeOn: Day | null }>(sql`
    select max(upper(c.valid)) as "freeOn" from members old
    join member_covers c on c.member_id = old.id and c.superseded_at is null
    where old.policy_id = ${policy.id} and old.status = 'Terminated'
      and (old.id_number = ${idNumber} or lower(old.passport_number) = lower(${passportNumber}::text))`)
  const from = change.startOn ?? defaultStart(policy, today)
  const cover: CoverFact = { ...written(now), kind: "covered", tierId, from, until: null }
  const after = {
    covers: openedCover(cover, policy.startOn, gone?.freeOn ?? null),
    births: [{ ...written(now), bornOn: bornOn({ idNumber, dateOfBirth }, today) }],
    dependents: dependents.map((one, index) => ({
      ...written(now),
      dependentId: `${index}`,
      relationship: one.relationship,
      bornOn: bornOn(one, today),
      from: one.fromOn ?? from,
      until: one.untilOn ?? null,
    })),
  }
  return {
    policyId: policy.id,
    policy: unchanged(await factsOf(cx, policy.id)),
    groups: [{ before: { covers: [] }, after, members: 1, memberIds: [] }],
  }
}

/** The date of birth that is typed, or the one that the ID number says. */
function bornOn(typed: { idNumber: string | null; dateOfBirth: Day | null }, today: Day): Day | null {
  const settled = settleIdentity({ ...typed, passportNumber: null, gender: null }, today, false)
  return isRefusal(settled) ? typed.dateOfBirth : settled.dateOfBirth
}

type OfMember = Change<"terminateMember" | "suspendMember" | "reinstateMember" | "changeTier" | "withdrawPlans">

async function ofMember(cx: ProposedCx, change: OfMember): Promise<Proposed | null> {
  const { tx, now, today } = cx
  const member = await readMember(tx, change.memberId)
  if (isRefusal(decided(member, change, today))) return null
  const facts = standing((await memberFacts(tx, [member.id])).get(member.id)!, now)
  const after = { ...facts, covers: coversAfter(facts.covers, member, change, now, today) }
  return {
    policyId: member.policyId,
    policy: unchanged(await factsOf(cx, member.policyId)),
    groups: [{ before: facts, after, members: 1, memberIds: [member.id] }],
  }
}

function decided(member: Member, change: OfMember, today: Day) {
  switch (change.act) {
    case "terminateMember":
      return members.terminateMember(member, change.on, "")
    case "suspendMember":
      return members.suspendMember(member, change.on, "")
    case "reinstateMember":
      return member.status === "Terminated"
        ? members.rejoinMember(member, change.on, "", today)
        : members.reinstateMember(member, change.on, "")
    case "changeTier":
      return members.changeTier(member, { id: change.tierId, name: "" }, change.on)
    case "withdrawPlans":
      return members.withdrawPlans(member, "", today)
  }
}

function coversAfter(
  covers: readonly CoverFact[],
  member: Member,
  change: OfMember,
  now: Temporal.Instant,
  today: Day,
): CoverFact[] {
  switch (change.act) {
    case "terminateMember":
      return endedCovers(covers, change.on, true)
    case "suspendMember":
      return changedCovers(covers, change.on, { kind: "suspended" })
    case "reinstateMember": {
      const again = { ...written(now), kind: "covered" as const, tierId: member.tierId, from: change.on, until: null }
      return member.status === "Terminated" ? [...covers, again] : changedCovers(covers, change.on, { kind: "covered" })
    }
    case "changeTier":
      return changedCovers(covers, change.on, { tierId: change.tierId })
    case "withdrawPlans":
      return withoutPlans(covers, today)
  }
}

type OfPolicy = Exclude<ProposedChange, OfMember | Change<"addMember" | "importStaffList">>

async function ofPolicy(cx: ProposedCx, change: OfPolicy): Promise<Proposed | null> {
  const policy = await policyById(cx.tx, change.policyId)
  if (policy.status === "Draft") return null
  const before = await factsOf(cx, policy.id)
  const after = policyAfter(before, policy, change, cx)
  if (!after) return null
  const ended = change.act === "terminatePolicy" ? change.on : null
  return {
    policyId: policy.id,
    policy: { before, after },
    groups: await alike(
      cx,
      policy.id,
      (facts) => (ended === null ? facts : { ...facts, covers: endedCovers(facts.covers, ended) }),
      undefined,
      change.act === "changeRates" || undefined,
    ),
  }
}

/** The policy's facts once the change is made; null where its rule refuses it. */
function policyAfter(
  facts: PolicyFacts,
  policy: Policy,
  change: OfPolicy,
  { now, today }: ProposedCx,
): PolicyFacts | null {
  switch (change.act) {
    case "changePremium": {
      const values = {
        ...policy,
        premiumCents: change.premiumCents,
        ...(change.from && { premiumFromOn: change.from }),
      }
      const edited = editCoverage(policy, values, today)
      if (isRefusal(edited) || !edited.premium) return null
      const made = { ...written(now), ...edited.premium, until: null }
      return { ...facts, premiums: premiumsFrom(facts.premiums, made) }
    }
    case "changeRates": {
      const words = { before: [], after: [] }
      const decided = changeRates(policy, "proposed", { fromOn: change.from ?? undefined, words, today })
      if (isRefusal(decided) || !decided.dated) return null
      const rates = { ...change.rates, id: "proposed" }
      const made = { ...written(now), premiumCents: 0, rates, from: decided.dated.from, until: null }
      return { ...facts, startOn: policy.startOn, premiums: premiumsFrom(facts.premiums, made) }
    }
    case "suspendPolicy":
    case "reinstatePolicy": {
      const suspends = change.act === "suspendPolicy"
      const done = (suspends ? policies.suspendPolicy : policies.reinstatePolicy)(policy, "")
      const from = policy.startOn! > today ? policy.startOn! : today
      return isRefusal(done)
        ? null
        : { ...facts, periods: periodsFrom(facts.periods, suspends ? "suspended" : "active", from) }
    }
    case "terminatePolicy":
      return isRefusal(policies.terminatePolicy(policy, change.on, "", today))
        ? null
        : { ...facts, periods: periodsUntil(facts.periods, policy.startOn!, change.on) }
    case "setBilledFrom": {
      const month = change.month && firstOfMonth(change.month)
      const edited = editTerms(policy, { ...policy, billedFromOn: month }, today)
      if (isRefusal(edited) || !edited.billedFrom) return null
      return { ...facts, billedFrom: month ? [{ ...written(now), month }] : [] }
    }
    case "setEndRule": {
      const values = { ...policy, endRule: change.rule, ...(change.from && { endRuleFromOn: change.from }) }
      const edited = editTerms(policy, values, today)
      if (isRefusal(edited) || !edited.endRule) return null
      const made = { ...written(now), ...edited.endRule, until: null }
      return { ...facts, endRules: endRulesFrom(facts.endRules, made) }
    }
  }
}

const unchanged = (facts: PolicyFacts): ProposedPolicy => ({ before: facts, after: facts })
