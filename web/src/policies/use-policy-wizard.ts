import { useForm } from "@mantine/form"
import type { PolicyDetail } from "@milkwood/domain/policies/policies.contract"
import type { PolicyStep } from "@milkwood/domain/policies/policy-form"
import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { refusalCodeOf } from "../platform/errors.ts"
import { showRefusedFields } from "../ui/form.ts"
import { useToast } from "../ui/toast.tsx"
import { useAutosave } from "../ui/use-autosave.ts"
import { policyQuery, usePolicyCommands } from "./policies.api.ts"
import { type DraftDefaults, type DraftValues, hasGroup, usePolicyDraft, valuesOf } from "./policy-draft.ts"

declare module "@tanstack/react-router" {
  interface HistoryState {
    draftId?: string
  }
}

export function usePolicyWizard(
  first: PolicyDetail | undefined,
  defaults: DraftDefaults | undefined,
  step: PolicyStep,
) {
  const navigate = useNavigate()
  const toast = useToast()
  const { activate } = usePolicyCommands()
  const form = useForm<DraftValues>({ initialValues: valuesOf(first, defaults) })
  const { draftId, save, saved, stale, settle, continueFrom } = usePolicyDraft(first)
  const fresh = useQuery({ ...policyQuery(draftId ?? ""), enabled: draftId !== undefined })
  const { values } = form

  const autosave = useAutosave({
    values,
    // A new group is created only when the user asks for it, not while its name is typed.
    enabled: stale === undefined && (draftId !== undefined || (values.groupKind === "existing" && hasGroup(values))),
    save: async (current) => {
      try {
        const made = saved() === undefined
        const answer = await save(current)
        form.clearErrors()
        if (made) await adopt(answer)
      } catch (error) {
        if (refusalCodeOf(error) === "NAME_TAKEN")
          form.setFieldError("groupName", "A group with this name already exists")
        else showRefusedFields({ setErrors: form.setErrors }, error)
        throw error
      }
    },
  })

  /** Changes the URL to the stored draft's without losing focus. */
  const adopt = async (made: PolicyDetail) => {
    const { groupId, information, coverage } = made
    form.setValues({
      groupKind: "existing",
      groupId,
      groupName: information.groupName,
      premiumCents: form.getValues().premiumCents ?? coverage.premiumCents,
    })
    await navigate({
      to: ".",
      search: (before: object) => ({ ...before }) as never,
      mask: {
        to: "/policies/$policyId/edit",
        params: { policyId: made.id },
        search: { tab: step },
        unmaskOnReload: true,
      },
      replace: true,
      // The router ignores a navigation to the current URL unless the state changes.
      state: (before) => ({ ...before, draftId: made.id }),
    })
  }
  const goTo = async (tab: string) => {
    if (!(await autosave.saveNow())) return
    const policyId = saved()?.id
    if (!policyId) return
    await navigate({
      to: "/policies/$policyId/edit",
      params: { policyId },
      search: { tab: tab as PolicyStep },
      ignoreBlocker: true,
    })
  }
  const saveDraft = async () => {
    if (!hasGroup(values)) {
      form.setFieldError(values.groupKind === "new" ? "groupName" : "groupId", "Enter the group name")
      return
    }
    if (await autosave.saveNow()) toast.success("Draft saved")
    else toast.error("Failed to save draft", autosave.error)
  }
  const finish = async () => {
    if (!(await autosave.saveNow())) return
    const ready = saved()
    if (!ready) return
    const policy = await activate.mutateAsync({ policyId: ready.id, version: ready.version }).catch(() => undefined)
    if (policy) await navigate({ to: "/policies/$policyId", params: { policyId: policy.id }, ignoreBlocker: true })
  }
  const takeTheirs = () => {
    if (!stale) return
    form.setValues(valuesOf(stale))
    settle()
  }

  return {
    form,
    draft: fresh.data ?? first,
    made: draftId !== undefined,
    autosave,
    activate,
    stale: stale && { takeTheirs, keepMine: settle },
    continueFrom,
    goTo,
    saveDraft,
    finish,
  }
}
