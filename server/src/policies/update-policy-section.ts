import { pick } from "@milkwood/domain/kernel/declared-field"
import type { LaterChanges } from "@milkwood/domain/kernel/timeline"
import type { CoverTermChange } from "@milkwood/domain/policies/cover-terms"
import { policiesContract } from "@milkwood/domain/policies/policies.contract"
import type { Policy } from "@milkwood/domain/policies/policy"
import { editContact, editCoverage, editInformation, editTerms } from "@milkwood/domain/policies/policy-edit"
import type { PolicyCoverage, PolicyInformation, PolicyTerms } from "@milkwood/domain/policies/policy-shape"
import { sql } from "drizzle-orm"
import { lockGroup, renameGroup } from "../employers/group-record.ts"
import { type Cx, command, orRefuse } from "../platform/calls/commands.ts"
import { expectVersion } from "../platform/calls/version.ts"
import { checkProductType } from "./create-policy.ts"
import { readDraftContents, readPolicyDetail, readProductTypeName } from "./policies.queries.ts"
import {
  refreshCurrentPremiums,
  setBilledFrom,
  setCoverTerm,
  setEndRule,
  setPolicyEnd,
  setPremium,
} from "./policy-periods.ts"
import { lockPolicy, savePolicy } from "./policy-record.ts"

export const updatePolicySection = command(policiesContract.updateSection, async (cx) => {
  const { policyId, version, change } = cx.input
  if (change.section === "information") await lockGroupOf(cx, policyId, change.values.groupName)
  const policy = await lockPolicy(cx.tx, policyId)
  expectVersion(policy, version)
  if (change.section === "information") await saveInformation(cx, policy, change.values)
  else if (change.section === "coverage") await saveCoverage(cx, policy, change.values)
  else if (change.section === "terms") await saveTerms(cx, policy, change.values)
  else await savePolicy(cx, policy, editContact(policy, change.values))
  return readPolicyDetail(cx, policyId)
})

async function saveInformation(
  cx: Cx,
  policy: Policy,
  values: PolicyInformation & DatedChange & { productTypeFromOn?: string; owningFundFromOn?: string },
): Promise<void> {
  const { members: hasMembers } = await readDraftContents(cx.tx, policy.id)
  const productTypes = {
    before: await readProductTypeName(cx, policy.productTypeId),
    after: await readProductTypeName(cx, values.productTypeId),
  }
  const given = { hasMembers, productTypes, today: cx.today }
  const { terms, ...edited } = orRefuse(editInformation(policy, values, given))
  await checkProductType(cx, { ...policy, ...pick(values, ["productTypeId", "startOn", "endOn"]) })
  if (values.groupName !== policy.groupName) await renameGroup(cx.tx, policy.groupId, values.groupName)
  if (policy.status !== "Draft" && values.endOn !== policy.endOn) {
    await setPolicyEnd(cx, { ...policy, startOn: policy.startOn! }, values.endOn)
  }
  await savePolicy(cx, policy, edited)
  await saveTermsOfCover(cx, policy, terms, values.laterChanges)
}

/**
 * Locks the group before its policies, so that concurrent renames wait here. A new name locks all policies first, since
 * cover changes lock their policy first, too.
 */
async function lockGroupOf({ tx }: Cx, policyId: string, name: string): Promise<void> {
  const group = await lockGroup(tx, sql`(select group_id from policies where id = ${policyId})`)
  if (!group || group.name === name) return
  await tx.run(sql`select from policies where group_id = ${group.id} order by id for update`)
}

interface DatedChange {
  laterChanges?: LaterChanges | undefined
}

interface DatedCoverage extends DatedChange {
  premiumFromOn?: string
  sumAssuredFromOn?: string
  waitingPeriodFromOn?: string
}

async function saveCoverage(cx: Cx, policy: Policy, values: PolicyCoverage & DatedCoverage) {
  const { premium, terms, ...edited } = orRefuse(editCoverage(policy, values, cx.today))
  await checkProductType(cx, { ...policy, waitingPeriodMonths: values.waitingPeriodMonths })
  await savePolicy(cx, policy, edited)
  await saveTermsOfCover(cx, policy, terms, values.laterChanges)
  if (!premium) return
  await setPremium(cx, policy, premium, premium.from, values.laterChanges)
  await refreshCurrentPremiums(cx, policy.id)
}

async function saveTermsOfCover(
  cx: Cx,
  policy: Policy,
  terms: readonly CoverTermChange[],
  later: LaterChanges | undefined,
): Promise<void> {
  for (const term of terms) await setCoverTerm(cx, policy, term, later)
  if (terms.length > 0) await refreshCurrentPremiums(cx, policy.id)
}

async function saveTerms(cx: Cx, policy: Policy, values: PolicyTerms & DatedChange & { endRuleFromOn?: string }) {
  const { endRule, billedFrom, ...edited } = orRefuse(editTerms(policy, values, cx.today))
  await savePolicy(cx, policy, edited)
  if (billedFrom) await setBilledFrom(cx, policy, billedFrom.month)
  if (!endRule) return
  await setEndRule(cx, policy, endRule.rule, endRule.from, values.laterChanges)
  await refreshCurrentPremiums(cx, policy.id)
}
