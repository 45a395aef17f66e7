import type { ProposedChange } from "@milkwood/domain/billing/effect-shape"
import { firstOfMonth } from "@milkwood/domain/kernel/calendar"
import { isRefusal } from "@milkwood/domain/kernel/refusal"
import { recordChangeFrom } from "@milkwood/domain/kernel/timeline"
import { endCovers } from "@milkwood/domain/members/cover-days"
import type { Policy } from "@milkwood/domain/policies/policy"
import { periodsFrom, periodsUntil } from "@milkwood/domain/policies/policy-days"
import { changeRates, editCoverage, editTerms } from "@milkwood/domain/policies/policy-edit"
import * as policies from "@milkwood/domain/policies/policy-rules"
import type { PolicyFacts } from "@milkwood/domain/premiums/premium-facts"
import { readPolicy } from "../policies/policies.queries.ts"
import {
  groupEqualMembers,
  loadPolicyFacts,
  type Proposed,
  type ProposedChanges,
  type ProposedCx,
  timesRecordedNow,
} from "./proposed-facts.ts"
import { loadProposedImport } from "./proposed-import.ts"
import {
  loadProposedFamily,
  loadProposedJoiner,
  loadProposedMembers,
  loadProposedSalary,
  type MembersChange,
} from "./proposed-members.ts"

/** Facts before and after a change, by its command's rules. Empty for a draft and if the command would refuse. */
export async function loadProposedChanges(cx: ProposedCx, change: ProposedChange): Promise<ProposedChanges> {
  switch (change.act) {
    case "addMember":
      return singleProposal(await loadProposedJoiner(cx, change))
    case "importStaffList":
      return singleProposal(await loadProposedImport(cx, change))
    case "terminateMember":
    case "suspendMember":
    case "reinstateMember":
    case "changeTier":
    case "withdrawPlans":
      return loadProposedMembers(cx, change)
    case "changeDependents":
      return singleProposal(await loadProposedFamily(cx, change))
    case "setSalary":
      return singleProposal(await loadProposedSalary(cx, change))
    default:
      return singleProposal(await loadProposedPolicy(cx, change))
  }
}

const singleProposal = (found: Proposed | null): ProposedChanges => ({ policies: found ? [found] : [], refused: 0 })

type PolicyChangeInput = Exclude<
  ProposedChange,
  MembersChange | { act: "addMember" | "importStaffList" | "changeDependents" | "setSalary" }
>

async function loadProposedPolicy(cx: ProposedCx, change: PolicyChangeInput): Promise<Proposed | null> {
  const policy = await readPolicy(cx.tx, change.policyId)
  if (policy.status === "Draft") return null
  const before = await loadPolicyFacts(cx, policy.id)
  const after = policyFactsAfter(before, policy, change, cx)
  if (!after) return null
  const ended = change.act === "terminatePolicy" ? change.on : null
  return {
    policyId: policy.id,
    policy: { before, after },
    groups: await groupEqualMembers(
      cx,
      policy.id,
      (facts) => (ended === null ? facts : { ...facts, covers: endCovers(facts.covers, ended) }),
      { rated: change.act === "changeRates" || undefined },
    ),
  }
}

/** Null if the rule refuses the change. */
function policyFactsAfter(
  facts: PolicyFacts,
  policy: Policy,
  change: PolicyChangeInput,
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
      const made = { ...timesRecordedNow(now), premiumCents }
      return { ...facts, premiums: recordChangeFrom(facts.premiums, from, made, change.laterChanges) }
    }
    case "changeRates": {
      const words = { before: [], after: [] }
      const decided = changeRates(policy, "proposed", { fromOn: change.from ?? undefined, words, today })
      if (isRefusal(decided) || !decided.dated) return null
      const rates = { ...change.rates, id: "proposed" }
      const made = { ...timesRecordedNow(now), premiumCents: 0, rates }
      const premiums = recordChangeFrom(facts.premiums, decided.dated.from, made, change.laterChanges)
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
      return { ...facts, billedFrom: month ? [{ ...timesRecordedNow(now), month }] : [] }
    }
    case "setEndRule": {
      const values = { ...policy, endRule: change.rule, ...(change.from && { endRuleFromOn: change.from }) }
      const edited = editTerms(policy, values, today)
      if (isRefusal(edited) || !edited.endRule) return null
      const { rule, from } = edited.endRule
      return {
        ...facts,
        endRules: recordChangeFrom(facts.endRules, from, { ...timesRecordedNow(now), rule }, change.laterChanges),
      }
    }
  }
}
