import { Button } from "@mantine/core"
import type { ClaimContent } from "@milkwood/domain/claims/claim"
import { type ClaimStep, claimFieldNames, claimSteps, stepErrors } from "@milkwood/domain/claims/claim-form"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { useNavigate } from "@tanstack/react-router"
import { type ComponentType, useEffect, useRef } from "react"
import { invalidFieldsOf } from "../../platform/errors.ts"
import { useDisplay } from "../../ui/display.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { useToast } from "../../ui/toast.tsx"
import { useAutosave } from "../../ui/use-autosave.ts"
import { useBusyAction } from "../../ui/use-busy-action.ts"
import { useUploads } from "../../ui/use-uploads.ts"
import { Wizard } from "../../ui/wizard.tsx"
import { claimLink } from "../claim-table.tsx"
import { useSubmit } from "../claims.api.ts"
import { SentBackNotice } from "../sent-back.tsx"
import { ClaimSummary } from "./claim-summary.tsx"
import { DetailsStep } from "./details-step.tsx"
import { DocumentsStep } from "./documents-step.tsx"
import type { StepProps } from "./fields.tsx"
import { IncidentStep } from "./incident-step.tsx"
import { MemberStep } from "./member-step.tsx"
import { ReviewStep } from "./review-step.tsx"
import { ConflictNotice } from "./saved-meanwhile.tsx"
import { type ClaimValues, useClaimDraft } from "./use-claim-draft.ts"

const stepContents: Record<ClaimStep, ComponentType<StepProps>> = {
  member: MemberStep,
  details: DetailsStep,
  incident: IncidentStep,
  documents: DocumentsStep,
  review: ReviewStep,
}

interface ClaimWizardProps {
  step: ClaimStep
  start?: ClaimDetail
  memberId?: string | undefined
}

/**
 * The claim wizard. A draft saves automatically, gets a URL at the first save, and is submitted at the end. A submitted
 * claim is saved only explicitly, because each change is recorded.
 */
export function ClaimWizard({ step, start, memberId }: ClaimWizardProps) {
  const { today } = useDisplay()
  const navigate = useNavigate()
  const toast = useToast()
  const draft = useClaimDraft(start, today, memberId)
  const uploads = useUploads()
  const { values, claim } = draft
  const submitted = claim !== undefined && claim.status !== "draft"

  // The current step: a first save that finishes late must not navigate back.
  const at = useRef(step)
  useEffect(() => {
    at.current = step
  }, [step])
  const goTo = (next: ClaimStep, made = claim) => {
    const replace = next === at.current
    at.current = next
    return navigate({
      to: ".",
      replace,
      search: (before: object) => ({ ...before, step: next }) as never,
      state: (before) => ({ ...before, madeId: made?.id }),
      ...(!start &&
        made && {
          mask: {
            to: "/claims/$claimId/edit",
            params: { claimId: made.id },
            search: { step: next },
            unmaskOnReload: true,
          },
        }),
    })
  }

  const save = async (content: ClaimValues) => {
    const first = draft.saved() === undefined
    const saved = await draft.save(content)
    if (first) void goTo(at.current, saved)
  }
  const autosave = useAutosave({ values, enabled: values.memberId !== null && !submitted, save })
  const saving = useBusyAction()
  const saveDraft = async () => {
    const first = draft.saved() === undefined
    const saved = await autosave.saveNow()
    if (saved) toast.success(first ? "Claim draft saved successfully" : "Claim draft updated successfully")
    else toast.error(first ? "Failed to save claim draft" : "Failed to update claim draft")
  }

  const submit = useSubmit(() => void navigate({ to: "/claims" }))
  const finishing = useBusyAction()
  const finish = () =>
    finishing.run(async () => {
      if (submitted) {
        const saved = await draft.save(values)
        toast.success("Changes Saved")
        await navigate(claimLink(saved))
        return
      }
      if (!(await autosave.saveNow())) return toast.error("Failed to update claim draft")
      const saved = draft.saved()
      if (saved) await submit.mutateAsync({ claimId: saved.id, version: saved.version })
    })
  const errors: StepProps["errors"] = Object.fromEntries(
    invalidFieldsOf(finishing.failure).map(({ path, message }) => [path.replace(/^content\./, ""), message]),
  )

  const props: StepProps = { values, set: draft.set, errors, claim, uploads }
  return (
    <Wizard
      title={claim ? `Edit claim ${claim.number}` : "New claim"}
      badge={claim && <StatusBadge status={claim.status} size="md" />}
      back={{ to: "/claims", label: "Back to Claims" }}
      step={step}
      onStep={(next) => void goTo(next as ClaimStep)}
      autosave={submitted ? undefined : autosave}
      unsaved={submitted && draft.dirty}
      steps={claimSteps.map(({ key, title }) => {
        const Content = stepContents[key]
        return {
          value: key,
          label: title,
          missing: [
            ...stepErrors(key, { ...values, memberId: values.memberId ?? undefined }).map(
              ({ path }) => claimFieldNames[path as keyof ClaimContent],
            ),
            ...(key === "review" ? uploads.underWay.map((name) => `the upload of ${name}`) : []),
          ],
          content: (
            <>
              {claim && <SentBackNotice claim={claim} mb="sm" />}
              <ConflictNotice clashes={draft.clashes} onTake={draft.takeTheirs} onKeep={draft.keepMine} />
              <Content {...props} />
            </>
          ),
        }
      })}
      summary={<ClaimSummary values={values} claim={claim} />}
      actions={
        !submitted && (
          <Button variant="default" disabled={values.memberId === null} onClick={() => void saving.run(saveDraft)}>
            Save Draft
          </Button>
        )
      }
      finish={{
        label: submitted ? "Save changes" : "Submit claim",
        busyLabel: submitted ? "Saving..." : "Submitting...",
        onFinish: () => void finish(),
        busy: finishing.busy,
        error: Object.keys(errors).length > 0 ? undefined : finishing.failure,
      }}
    />
  )
}
