import { type EmployerFact, groupFactHead } from "../employers/employer-facts.ts"
import type { Day } from "../kernel/calendar.ts"
import { diffFields } from "../kernel/changes.ts"
import { namesIn, pick, withoutUndefined } from "../kernel/declared-field.ts"
import type { Cents } from "../kernel/money.ts"
import type { FieldError } from "../kernel/procedure.ts"
import { type Decision, type Refusal, refuse } from "../kernel/refusal.ts"
import type { LaterChanges } from "../kernel/timeline.ts"
import type { CoverTermChange } from "./cover-terms.ts"
import type { EndRule } from "./end-rule.ts"
import { type Policy, type PolicySection, sectionTitles } from "./policy.ts"
import { type PolicyFact, policyFactHead } from "./policy-facts.ts"
import { policyFields } from "./policy-fields.ts"
import { isOpen } from "./policy-lifecycle.ts"
import { applyPolicyChange, defaultPremiumFrom, findDateErrors, type PolicyChange } from "./policy-rules.ts"
import type { PolicyContact, PolicyCoverage, PolicyInformation, PolicyTerms } from "./policy-shape.ts"

interface LaterChangesOption {
  laterChanges?: LaterChanges | undefined
}

type DatedCoverage = PolicyCoverage & {
  premiumFromOn?: Day | undefined
  sumAssuredFromOn?: Day | undefined
  waitingPeriodFromOn?: Day | undefined
} & LaterChangesOption

/**
 * GROUP_HAS_MEMBERS if a draft with members, staff lists or documents would move to another group. Saving a draft
 * records no facts: activation records the draft's values.
 */
export function editDraft(
  draft: Policy,
  values: Partial<Policy>,
  has: { members: boolean; staffLists: boolean; documents: boolean },
): Decision<PolicyChange, "WRONG_STATUS" | "INVALID" | "GROUP_HAS_MEMBERS"> {
  if (draft.status !== "Draft") return refuse("WRONG_STATUS", "The policy is no longer a draft.")
  const after = { ...draft, ...values }
  const wrong = findDateErrors(draft, after)
  if (wrong.length > 0) return refuseFields(wrong)
  if (after.groupId !== draft.groupId) {
    if (has.members) return refuse("GROUP_HAS_MEMBERS")
    if (has.staffLists) {
      return refuse("GROUP_HAS_MEMBERS", "The group cannot be changed after a staff list was uploaded.")
    }
    if (has.documents) {
      return refuse("GROUP_HAS_MEMBERS", "The group cannot be changed after a document was uploaded.")
    }
  }
  return applyPolicyChange(draft, values, startMovedFacts(draft, after.startOn, has.members))
}

export function deleteDraft(
  draft: Policy,
  has: { members: number; isStaffListRunning: boolean; groupToItself: boolean },
): Decision<{ value: null; facts: (PolicyFact | EmployerFact)[] }, "WRONG_STATUS"> {
  if (draft.status !== "Draft") return refuse("WRONG_STATUS", "Only a draft can be deleted.")
  if (has.isStaffListRunning) {
    return refuse("WRONG_STATUS", "A staff list of this draft is being read. Try again in a moment.")
  }
  const { groupId, groupName } = draft
  const facts: (PolicyFact | EmployerFact)[] = [
    { type: "PolicyDraftDeleted", ...policyFactHead(draft), members: has.members, before: { groupName } },
  ]
  if (has.groupToItself) {
    facts.push({ type: "GroupDeleted", ...groupFactHead({ id: groupId, name: groupName }) })
  }
  return { value: null, facts }
}

/**
 * Edits the first section and the group's name. For an activated policy, `terms` has a new product type with its first
 * day or a new owning fund with its own, and the policy keeps copies of today's. `productTypes`: names before and after.
 */
export function editInformation(
  policy: Policy,
  {
    productTypeFromOn,
    owningFundFromOn,
    laterChanges,
    ...edited
  }: PolicyInformation & {
    productTypeFromOn?: Day | undefined
    owningFundFromOn?: Day | undefined
  } & LaterChangesOption,
  given: { hasMembers: boolean; productTypes: { before: string | null; after: string | null }; today: Day },
): Decision<PolicyChange & { terms: CoverTermChange[] }, "WRONG_STATUS" | "INVALID"> {
  const ended = refuseEnded(policy)
  if (ended) return ended
  const isDraft = policy.status === "Draft"
  const plain = namesIn(policyFields, "information")
  const values = { ...edited, ...pick(policy, plain), ...withoutUndefined(pick(edited, plain)) }
  const { productTypeId, owningFund, ...columns } = values
  const wrong = findDateErrors(policy, values)
  if (!isDraft && productTypeId === null) {
    wrong.push({ path: "productTypeId", message: "An active policy needs a product type" })
  }
  const moved = productTypeId !== policy.productTypeId
  const from =
    isDraft || !(moved || productTypeFromOn)
      ? null
      : firstDayOf(policy, { path: "productTypeFromOn", fromOn: productTypeFromOn }, given.today, wrong)
  const changesFund = owningFund !== policy.owningFund || owningFundFromOn !== undefined
  const fundFrom =
    isDraft || !changesFund
      ? null
      : firstDayOf(policy, { path: "owningFundFromOn", fromOn: owningFundFromOn }, given.today, wrong)
  if (wrong.length > 0) return refuseFields(wrong)
  const renamed: EmployerFact = {
    type: "GroupRenamed",
    ...groupFactHead({ id: policy.groupId, name: values.groupName }),
    before: { name: policy.groupName },
    after: { name: values.groupName },
  }
  const { before, after } = diffFields<PolicyInformation>(policy, values, ["groupName", ...plain, "startOn", "endOn"])
  const isNamed = moved || from !== null
  const made = applyPolicyChange(policy, isDraft ? values : columns, [
    ...(values.groupName === policy.groupName ? [] : [renamed]),
    ...startMovedFacts(policy, values.startOn, given.hasMembers),
    ...updatePolicySection(policy, "information", {
      before: {
        ...before,
        ...(isNamed && { productType: given.productTypes.before }),
        ...(fundFrom && { owningFund: policy.owningFund }),
      },
      after: {
        ...after,
        ...(isNamed && { productType: given.productTypes.after }),
        ...(from && { productTypeFromOn: from }),
        ...(fundFrom && { owningFund, owningFundFromOn: fundFrom }),
        ...((from ?? fundFrom) && replacesLaterField(laterChanges)),
      },
    }),
  ])
  const terms: CoverTermChange[] = from && productTypeId ? [{ term: "product type", productTypeId, from }] : []
  if (fundFrom) terms.push({ term: "owning fund", owningFund, from: fundFrom })
  return { ...made, terms }
}

const replacesLaterField = (later: LaterChanges | undefined) =>
  later === "replace" ? { laterChanges: "Replaced" } : {}

export function editCoverage(
  policy: Policy,
  { premiumFromOn, sumAssuredFromOn, waitingPeriodFromOn, laterChanges, ...values }: DatedCoverage,
  today: Day,
): Decision<
  PolicyChange & { premium: { premiumCents: Cents; from: Day } | null; terms: CoverTermChange[] },
  "WRONG_STATUS" | "INVALID"
> {
  const ended = refuseEnded(policy)
  if (ended) return ended
  const plain = namesIn(policyFields, "coverage")
  const { before, after } = diffFields<PolicyCoverage>(policy, values, [
    ...plain,
    "premiumCents",
    "sumAssuredCents",
    "waitingPeriodMonths",
  ])
  if (policy.status === "Draft") {
    return {
      ...applyPolicyChange(policy, values, updatePolicySection(policy, "coverage", { before, after })),
      premium: null,
      terms: [],
    }
  }
  const wrong: FieldError[] = []
  /** A value is recorded if it differs from today's or its first day is given; otherwise null. */
  const firstDay = (name: "premiumCents" | "sumAssuredCents" | "waitingPeriodMonths", path: string, fromOn?: Day) =>
    values[name] === policy[name] && !fromOn ? null : firstDayOf(policy, { path, fromOn }, today, wrong)
  const { premiumCents, sumAssuredCents, waitingPeriodMonths } = values
  const premiumFrom = firstDay("premiumCents", "premiumFromOn", premiumFromOn)
  const sumFrom = firstDay("sumAssuredCents", "sumAssuredFromOn", sumAssuredFromOn)
  const waitingFrom = firstDay("waitingPeriodMonths", "waitingPeriodFromOn", waitingPeriodFromOn)
  if (premiumFrom && premiumCents === 0) {
    wrong.push({ path: "premiumCents", message: "The premium must be above 0" })
  }
  if (wrong.length > 0) return refuseFields(wrong)
  const isDated = premiumFrom ?? sumFrom ?? waitingFrom
  const facts = updatePolicySection(policy, "coverage", {
    before: {
      ...before,
      ...(premiumFrom && { premiumCents: policy.premiumCents }),
      ...(sumFrom && { sumAssuredCents: policy.sumAssuredCents }),
      ...(waitingFrom && { waitingPeriodMonths: policy.waitingPeriodMonths }),
    },
    after: {
      ...after,
      ...(premiumFrom && { premiumCents, premiumFromOn: premiumFrom }),
      ...(sumFrom && { sumAssuredCents, sumAssuredFromOn: sumFrom }),
      ...(waitingFrom && { waitingPeriodMonths, waitingPeriodFromOn: waitingFrom }),
      ...(isDated && replacesLaterField(laterChanges)),
    },
  })
  const terms: CoverTermChange[] = []
  if (sumFrom) terms.push({ term: "sum assured", sumAssuredCents, from: sumFrom })
  if (waitingFrom) terms.push({ term: "waiting period", waitingPeriodMonths, from: waitingFrom })
  return {
    ...applyPolicyChange(policy, pick(values, plain), facts),
    premium: premiumFrom ? { premiumCents, from: premiumFrom } : null,
    terms,
  }
}

/**
 * Replaces a premium by rates, or changes the rates; `table` is the id of the new table. `dated` has the first day for
 * an activated policy. `words`: audit trail texts before and after. A draft returns to a single premium with null.
 */
export function changeRates(
  policy: Policy,
  table: string | null,
  {
    fromOn,
    laterChanges,
    words,
    today,
  }: { fromOn?: Day | undefined; words: { before: string[]; after: string[] }; today: Day } & LaterChangesOption,
): Decision<PolicyChange & { dated: { from: Day } | null }, "WRONG_STATUS" | "INVALID"> {
  const ended = refuseEnded(policy)
  if (ended) return ended
  if (policy.status === "Draft") return { ...applyPolicyChange(policy, { rateTableId: table }, []), dated: null }
  if (table === null)
    return refuseFields([{ path: "rates", message: "Enter a new premium instead: it replaces the rates" }])
  const wrong: FieldError[] = []
  const from = firstDayOf(policy, { path: "fromOn", fromOn }, today, wrong)
  if (wrong.length > 0) return refuseFields(wrong)
  const { before, after } = words
  const facts: PolicyFact[] = [
    {
      type: "PolicyRatesChanged",
      ...policyFactHead(policy),
      before: { rates: before },
      after: { rates: after, ratesFromOn: from, ...replacesLaterField(laterChanges) },
    },
  ]
  return { ...applyPolicyChange(policy, {}, facts), dated: { from } }
}

/**
 * Edits billing terms. For an activated policy, `endRule` has the new rule with its first day and `billedFrom` the new
 * month; null: unchanged.
 */
export function editTerms(
  policy: Policy,
  { endRuleFromOn, laterChanges, ...edited }: PolicyTerms & { endRuleFromOn?: Day | undefined } & LaterChangesOption,
  today: Day,
): Decision<
  PolicyChange & { endRule: { rule: EndRule; from: Day } | null; billedFrom: { month: Day | null } | null },
  "WRONG_STATUS" | "INVALID"
> {
  const ended = refuseEnded(policy)
  if (ended) return ended
  const values = { ...edited, ...staffListTerms(policy, edited.staffListDay, today) }
  const { before, after } = diffFields<PolicyTerms>(policy, values, [
    ...(["billedFromOn", "endRule", "dueDays", "staffListDay"] as const),
  ])
  if (policy.status === "Draft") {
    return {
      ...applyPolicyChange(policy, values, updatePolicySection(policy, "terms", { before, after })),
      endRule: null,
      billedFrom: null,
    }
  }
  const { endRule: rule, ...columns } = values
  const billedFrom = values.billedFromOn === policy.billedFromOn ? null : { month: values.billedFromOn }
  if (rule === policy.endRule && !endRuleFromOn) {
    const facts = updatePolicySection(policy, "terms", { before, after })
    return { ...applyPolicyChange(policy, columns, facts), endRule: null, billedFrom }
  }
  const wrong: FieldError[] = []
  const from = firstDayOf(policy, { path: "endRuleFromOn", fromOn: endRuleFromOn }, today, wrong)
  if (wrong.length > 0) return refuseFields(wrong)
  const facts = updatePolicySection(policy, "terms", {
    before: { ...before, endRule: policy.endRule },
    after: { ...after, endRule: rule, endRuleFromOn: from, ...replacesLaterField(laterChanges) },
  })
  return { ...applyPolicyChange(policy, columns, facts), endRule: { rule, from }, billedFrom }
}

/** A draft expects lists from its start, an activated policy from the day on which a due day is first set. */
function staffListTerms(
  policy: Policy,
  staffListDay: number | null | undefined,
  today: Day,
): Pick<Policy, "staffListDay" | "staffListsFromOn"> {
  if (staffListDay === undefined) return pick(policy, ["staffListDay", "staffListsFromOn"])
  if (staffListDay === null || policy.status === "Draft") return { staffListDay, staffListsFromOn: null }
  return { staffListDay, staffListsFromOn: policy.staffListDay === null ? today : policy.staffListsFromOn }
}

/** The contact of an ended policy can be edited, because invoices are still sent to it. */
export function editContact(policy: Policy, contact: PolicyContact): PolicyChange {
  const values = withoutUndefined(contact)
  const fields = diffFields<PolicyContact>(policy, { ...policy, ...values }, namesIn(policyFields, "contact"))
  return applyPolicyChange(policy, values, updatePolicySection(policy, "contact", fields))
}

function firstDayOf(
  policy: Policy,
  { path, fromOn }: { path: string; fromOn: Day | undefined },
  today: Day,
  wrong: FieldError[],
): Day {
  const from = fromOn ?? defaultPremiumFrom(policy, today)
  if (from < policy.startOn!) wrong.push({ path, message: "The date is before the start of the policy" })
  return from
}

function refuseEnded({ status }: Policy): Refusal<"WRONG_STATUS"> | null {
  return isOpen(status) ? null : refuse("WRONG_STATUS", `A policy that is ${status.toLowerCase()} cannot be changed.`)
}

function startMovedFacts(draft: Policy, to: Day | null, hasMembers: boolean): PolicyFact[] {
  if (draft.status !== "Draft" || !hasMembers || to === null || to === draft.startOn) return []
  return [{ type: "DraftStartMoved", ...policyFactHead(draft), from: draft.startOn, to }]
}

function updatePolicySection(
  policy: Policy,
  section: PolicySection,
  { before, after }: { before: Record<string, unknown>; after: Record<string, unknown> },
): PolicyFact[] {
  if (Object.keys(after).length === 0) return []
  return [{ type: "PolicyUpdated", ...policyFactHead(policy), section: sectionTitles[section], before, after }]
}

const refuseFields = (fields: FieldError[]) => refuse("INVALID", undefined, { fields })
