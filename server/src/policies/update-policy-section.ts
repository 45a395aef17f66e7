import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import type { Policy, PolicySection } from "@milkwood/domain/policies/policy"
import { isOpen } from "@milkwood/domain/policies/policy-lifecycle"
import { defaultPremiumFrom, wrongDates } from "@milkwood/domain/policies/policy-rules"
import type { PolicyContact, PolicyCoverage, PolicyInformation } from "@milkwood/domain/policies/policy-shape"
import { eq, sql } from "drizzle-orm"
import { type Cx, command, invalid, refused } from "../platform/calls/commands.ts"
import { changes, refusingDuplicates } from "../platform/trail/changes.ts"
import { record } from "../platform/trail/facts.ts"
import { checkProductType } from "./create-policy.ts"
import { tellMovedStart } from "./draft-start.ts"
import { lockPolicyVersion, policyDetail, productTypeName } from "./policies.queries.ts"
import { employerGroups, policies } from "./policies.tables.ts"
import { refreshPremiums, setPolicyEnd, setPremium } from "./policy-periods.ts"

const titles: Record<PolicySection, string> = {
  information: "Policy Information",
  coverage: "Coverage Details",
  contact: "Main Contact",
}

/** Saves one section of the policy. */
export const updatePolicySection = command(policiesContract.updateSection, async (cx) => {
  const { change } = cx.input
  if (change.section === "information") await lockGroupOf(cx, cx.input.policyId)
  const before = await lockPolicyVersion(cx, cx.input)
  if (change.section !== "contact" && !isOpen(before.status)) {
    throw refused("WRONG_STATUS", `A policy that is ${before.status.toLowerCase()} cannot be changed.`)
  }
  const changed = await (change.section === "information"
    ? saveInformation(cx, before, change.values)
    : change.section === "coverage"
      ? saveCoverage(cx, before, change.values)
      : saveContact(cx, before, change.values))
  if (Object.keys(changed.after).length > 0) {
    await record(cx, [
      {
        type: "PolicyUpdated",
        section: titles[change.section],
        record: { kind: "policy", id: before.id, label: before.number },
        groupId: before.groupId,
        ...changed,
      },
    ])
  }
  return policyDetail(cx, before.id)
})

type Changed = { before: Record<string, unknown>; after: Record<string, unknown> }

async function saveInformation(cx: Cx, before: Policy, values: PolicyInformation): Promise<Changed> {
  const wrong = wrongDates(before, values)
  const active = before.status !== "Draft"
  if (active && values.productTypeId === null) {
    wrong.push({ path: "productTypeId", message: "An activated policy needs a product type" })
  }
  if (wrong.length) throw invalid(wrong)
  await checkProductType(cx, values.productTypeId)
  if (values.groupName !== before.groupName) await renameGroup(cx, before, values.groupName)
  const { groupName: _, ...columns } = values
  await save(cx, before, columns)
  await tellMovedStart(cx, before, values.startOn)
  if (active && values.endOn !== before.endOn) {
    await setPolicyEnd(cx, { ...before, startOn: before.startOn! }, values.endOn)
  }
  const changed: Changed = changes<PolicyInformation>(before, values, ["groupName", "description", "startOn", "endOn"])
  if (values.productTypeId !== before.productTypeId) {
    changed.before.productType = await productTypeName(cx, before.productTypeId)
    changed.after.productType = await productTypeName(cx, values.productTypeId)
  }
  return changed
}

/** The group before its policies: of two who rename it through two of them, the second waits here. */
async function lockGroupOf({ tx }: Cx, policyId: string): Promise<void> {
  await tx.run(sql`
    select from employer_groups where id = (select group_id from policies where id = ${policyId}) for no key update`)
}

async function renameGroup(cx: Cx, policy: Policy, name: string): Promise<void> {
  await refusingDuplicates(
    () => cx.tx.update(employerGroups).set({ name }).where(eq(employerGroups.id, policy.groupId)),
    "NAME_TAKEN",
    `There is already an employer group named ${name}.`,
  )
  // Every policy of the group carries the name: whoever read the old one on another is told before they save it again.
  await cx.tx.run(sql`
    update policies set version = version + 1 where group_id = ${policy.groupId} and id <> ${policy.id}`)
  await record(cx, [
    {
      type: "GroupRenamed",
      record: { kind: "group", id: policy.groupId, label: name },
      groupId: policy.groupId,
      before: { name: policy.groupName },
      after: { name },
    },
  ])
}

async function saveCoverage(
  cx: Cx,
  before: Policy,
  values: PolicyCoverage & { premiumFromOn?: string },
): Promise<Changed> {
  const { premiumFromOn, premiumCents, ...columns } = values
  const changed = changes<PolicyCoverage>(before, values, [
    "coverageType",
    "premiumCents",
    "sumAssuredCents",
    "waitingPeriodMonths",
  ])
  if (before.status === "Draft") {
    await save(cx, before, { ...columns, premiumCents })
    return changed
  }
  await save(cx, before, columns)
  if (premiumCents !== before.premiumCents || premiumFromOn) {
    if (premiumCents === 0) throw invalid([{ path: "premiumCents", message: "The premium must be above R 0" }])
    const from = premiumFromOn ?? defaultPremiumFrom(before, cx.today)
    if (from < before.startOn!) {
      throw invalid([{ path: "premiumFromOn", message: "The date lies before the start of the policy" }])
    }
    await setPremium(cx, before, premiumCents, from)
    await refreshPremiums(cx, before.id)
    changed.before.premiumCents = before.premiumCents
    Object.assign(changed.after, { premiumCents, premiumFromOn: from })
  }
  return changed
}

async function saveContact(cx: Cx, before: Policy, values: PolicyContact): Promise<Changed> {
  await save(cx, before, values)
  return changes<PolicyContact>(before, values, [
    "contactName",
    "contactEmail",
    "contactPhone",
    "contactCell",
    "contactPosition",
    "companyVatNumber",
    "companyAddress",
    "contactNotes",
  ])
}

async function save({ tx, now }: Cx, before: Policy, columns: Partial<typeof policies.$inferInsert>): Promise<void> {
  await tx
    .update(policies)
    .set({ ...columns, updatedAt: now, version: before.version + 1 })
    .where(eq(policies.id, before.id))
}
