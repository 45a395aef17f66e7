import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { recordFrom } from "@milkwood/domain/kernel/timeline"
import { endedCovers } from "@milkwood/domain/members/cover-days"
import type { Policy } from "@milkwood/domain/policies/policy"
import { periodsFrom, periodsUntil } from "@milkwood/domain/policies/policy-days"
import { changeRates, editCoverage, editTerms } from "@milkwood/domain/policies/policy-edit"
import * as policies from "@milkwood/domain/policies/policy-rules"
import type { PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { policyById } from "../policies/policies.queries.ts"
import {
  type AllProposed,
  factsOf,
  groupEqualMembers,
  type Proposed,
  type ProposedCx,
  recordedNow,
} from "./proposed-facts.ts"
import { proposedImport } from "./proposed-import.ts"
import { type OfMembers, proposedFamily, proposedJoiner, proposedMembers, proposedSalary } from "./proposed-members.ts"

/** Facts before and after a change, by its command's rules. Empty for a draft and if the command would refuse. */
export async function proposed(cx: ProposedCx, change: ProposedChange): Promise<AllProposed> {
  switch (change.act) {
    case "addMember":
      return one(await proposedJoiner(cx, change))
    case "importStaffList":
      return one(await proposedImport(cx, change))
    case "terminateMember":
    case "suspendMember":
    case "reinstateMember":
    case "changeTier":
    case "withdrawPlans":
      return proposedMembers(cx, change)
    case "changeDependents":
      return one(await proposedFamily(cx, change))
    case "setSalary":
      return one(await proposedSalary(cx, change))
    default:
      return one(await ofPolicy(cx, change))
  }
}

const one = (found: Proposed | null): AllProposed => ({ policies: found ? [found] : [], refused: 0 })

type OfPolicy = Exclude<
  ProposedChange,
  OfMembers | { act: "addMember" | "importStaffList" | "changeDependents" | "setSalary" }
>

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
    groups: await groupEqualMembers(
      cx,
      policy.id,
      (facts) => (ended === null ? facts : { ...facts, covers: endedCovers(facts.covers, ended) }),
      { rated: change.act === "changeRates" || undefined },
    ),
  }
}

/** Null if the rule refuses the change. */
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
      const { premiumCents, from } = edited.premium
      const made = { ...recordedNow(now), premiumCents }
      return { ...facts, premiums: recordFrom(facts.premiums, from, made, change.laterChanges) }
    }
    case "changeRates": {
      const words = { before: [], after: [] }
      const decided = changeRates(policy, "proposed", { fromOn: change.from ?? undefined, words, today })
      if (isRefusal(decided) || !decided.dated) return null
      const rates = { ...change.rates, id: "proposed" }
      const made = { ...recordedNow(now), premiumCents: 0, rates }
      const premiums = recordFrom(facts.premiums, decided.dated.from, made, change.laterChanges)
      return { ...facts, startOn: policy.startOn, premiums }
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
      return { ...facts, billedFrom: month ? [{ ...recordedNow(now), month }] : [] }
    }
    case "setEndRule": {
      const values = { ...policy, endRule: change.rule, ...(change.from && { endRuleFromOn: change.from }) }
      const edited = editTerms(policy, values, today)
      if (isRefusal(edited) || !edited.endRule) return null
      const { rule, from } = edited.endRule
      return {
        ...facts,
        endRules: recordFrom(facts.endRules, from, { ...recordedNow(now), rule }, change.laterChanges),
      }
    }
  }
}
