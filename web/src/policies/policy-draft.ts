import { type DraftValues as DeclaredValues, emptyDraft } from "@milkwood/domain/kernel/declared-field"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { type PolicyFields, policyFields } from "@milkwood/domain/policies/policy-fields"
import { type MissingRequirement, missingRequirements } from "@milkwood/domain/policies/policy-rules"
import type { PolicyInformation } from "@milkwood/domain/policies/policy-shape"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { GroupValues } from "../employers/group-choice.tsx"
import { api, client } from "../platform/api.ts"
import { readIfStale } from "../platform/errors.ts"
import { policyQuery } from "./policies.api.ts"
import type { CoverageFields } from "./policy-fields.tsx"
import type { TermsFields } from "./policy-terms.tsx"

/** A new group is created with the draft. */
export interface DraftValues
  extends GroupValues,
    DeclaredValues<PolicyFields>,
    Omit<PolicyInformation, keyof PolicyFields>,
    Omit<CoverageFields, keyof PolicyFields>,
    TermsFields {}

export interface DraftDefaults {
  premiumCents: number
  hasGroups: boolean
  /** The employer for whom the policy is created. */
  group?: { id: string; name: string } | undefined
}

export function valuesOf(draft: PolicyDetail | undefined, defaults?: DraftDefaults): DraftValues {
  return {
    groupKind: defaults?.hasGroups === false ? "new" : "existing",
    groupId: draft?.groupId ?? defaults?.group?.id ?? null,
    ...emptyDraft(policyFields),
    ...{ groupName: defaults?.group?.name ?? "", productTypeId: null, startOn: null, endOn: null },
    ...{ premiumCents: defaults?.premiumCents ?? null, sumAssuredCents: null, waitingPeriodMonths: 0 },
    ...{ billedFromOn: null, endRule: "whole month", dueDays: 30, staffListDay: null },
    ...draft?.information,
    ...draft?.coverage,
    ...draft?.terms,
    ...draft?.contact,
  }
}

export const hasGroup = (values: DraftValues) =>
  values.groupKind === "existing" ? values.groupId !== null : values.groupName.trim() !== ""

export function missingStepsOf(values: DraftValues, draft: PolicyDetail | undefined): MissingRequirement[] {
  return missingRequirements({
    ...values,
    groupName: hasGroup(values) ? "given" : "",
    premiumCents: values.premiumCents ?? (draft ? 0 : 1),
    rated: draft?.rated ?? false,
    members: draft?.members.total ?? 0,
  })
}

/** Omits empty values that the command cannot store, so that the stored ones stay unchanged. */
function fieldsOf(values: DraftValues) {
  const { groupKind: _, groupId: __, groupName: ___, premiumCents, waitingPeriodMonths, dueDays, ...fields } = values
  return {
    ...fields,
    ...(premiumCents === null ? {} : { premiumCents }),
    ...(waitingPeriodMonths === "" ? {} : { waitingPeriodMonths }),
    ...(dueDays === "" ? {} : { dueDays }),
  }
}

/**
 * The first save creates the draft; later saves send the last returned version. After another user's save, `stale` is
 * that user's version until `settle`.
 */
export function usePolicyDraft(first: PolicyDetail | undefined) {
  const queryClient = useQueryClient()
  const [draftId, setDraftId] = useState(first?.id)
  const [stale, setStale] = useState<PolicyDetail>()
  const latest = useRef(first)

  const save = async (values: DraftValues): Promise<PolicyDetail> => {
    const before = latest.current
    try {
      const saved = before
        ? await client.policies.saveDraft({
            policyId: before.id,
            version: before.version,
            ...(values.groupId && values.groupId !== before.groupId ? { groupId: values.groupId } : {}),
            ...fieldsOf(values),
          })
        : await client.policies.create({
            group:
              values.groupKind === "new"
                ? { kind: "new", name: values.groupName }
                : { kind: "existing", groupId: values.groupId ?? "" },
            ...fieldsOf(values),
          })
      latest.current = saved
      queryClient.setQueryData(policyQuery(saved.id).queryKey, saved)
      setDraftId(saved.id)
      if (!before) await queryClient.invalidateQueries({ queryKey: api.policies.key() })
      return saved
    } catch (error) {
      setStale(before && (await readIfStale(error, () => client.policies.detail({ policyId: before.id }))))
      throw error
    }
  }

  return {
    draftId,
    save,
    stale,
    saved: () => latest.current,
    /** Continues from a version saved outside the form. */
    continueFrom: (draft: PolicyDetail) => {
      latest.current = draft
    },
    settle: () => {
      if (stale) latest.current = stale
      setStale(undefined)
    },
  }
}
