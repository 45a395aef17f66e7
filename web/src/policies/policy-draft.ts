import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import { type Missing, missingForActivation } from "@milkwood/domain/policies/policy-rules"
import type { PolicyContact, PolicyInformation } from "@milkwood/domain/policies/policy-shape"
import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { GroupValues } from "../employers/group-choice.tsx"
import { api, client } from "../platform/api.ts"
import { staleRecord } from "../platform/errors.ts"
import { policyQuery } from "./policies.api.ts"
import type { CoverageFields } from "./policy-fields.tsx"
import type { TermsFields } from "./policy-terms.tsx"

/** What the wizard holds: the draft's fields, and which group it is for; a new one is made with the draft. */
export interface DraftValues extends GroupValues, PolicyInformation, CoverageFields, TermsFields, PolicyContact {}

/** What the form of a new policy starts with. */
export interface DraftDefaults {
  premiumCents: number
  hasGroups: boolean
}

export function valuesOf(draft: PolicyDetail | undefined, defaults?: DraftDefaults): DraftValues {
  return {
    groupKind: defaults?.hasGroups === false ? "new" : "existing",
    groupId: draft?.groupId ?? null,
    groupName: draft?.information.groupName ?? "",
    description: draft?.information.description ?? "",
    productTypeId: draft?.information.productTypeId ?? null,
    startOn: draft?.information.startOn ?? null,
    endOn: draft?.information.endOn ?? null,
    coverageType: draft?.coverage.coverageType ?? null,
    premiumCents: draft?.coverage.premiumCents ?? defaults?.premiumCents ?? null,
    sumAssuredCents: draft?.coverage.sumAssuredCents ?? null,
    waitingPeriodMonths: draft?.coverage.waitingPeriodMonths ?? 0,
    billedFromOn: draft?.terms.billedFromOn ?? null,
    endRule: draft?.terms.endRule ?? "whole month",
    dueDays: draft?.terms.dueDays ?? 30,
    contactName: draft?.contact.contactName ?? "",
    contactEmail: draft?.contact.contactEmail ?? "",
    contactPhone: draft?.contact.contactPhone ?? "",
    contactCell: draft?.contact.contactCell ?? "",
    contactPosition: draft?.contact.contactPosition ?? "",
    companyVatNumber: draft?.contact.companyVatNumber ?? "",
    companyAddress: draft?.contact.companyAddress ?? "",
    contactNotes: draft?.contact.contactNotes ?? "",
  }
}

export const hasGroup = (values: DraftValues) =>
  values.groupKind === "existing" ? values.groupId !== null : values.groupName.trim() !== ""

/** What activation still asks for, of what is on the form. The premium of a draft to be is that of the settings. */
export function missingOf(values: DraftValues, draft: PolicyDetail | undefined): Missing[] {
  return missingForActivation({
    ...values,
    groupName: hasGroup(values) ? "given" : "",
    premiumCents: values.premiumCents ?? (draft ? 0 : 1),
    rated: draft?.rated ?? false,
    members: draft?.members.total ?? 0,
  })
}

/** The fields as the commands take them; what is empty and has no empty value stays as it was. */
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
 * A draft that is made with the first save and saved from then on, each time with the version that the last answer
 * had. When somebody else saved in between, `stale` holds what the draft is now, until `settle` says which one stays.
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
      setStale(before && (await staleRecord(error, () => client.policies.detail({ policyId: before.id }))))
      throw error
    }
  }

  return {
    draftId,
    save,
    stale,
    /** The draft as it was last saved, also before the screen has been drawn anew. */
    saved: () => latest.current,
    /** The draft was saved beside the form: saving goes on from there. */
    goOnFrom: (draft: PolicyDetail) => {
      latest.current = draft
    },
    /** From here on saving builds on what the draft is now. */
    settle: () => {
      if (stale) latest.current = stale
      setStale(undefined)
    },
  }
}
