import { Button, CopyButton, Group, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type Stage, stageNames } from "@milkwood/domain/claims/claim"
import { type DecisionInput, failedChecks, findDecisionError } from "@milkwood/domain/claims/claim-approval"
import { stageOf } from "@milkwood/domain/claims/claim-lifecycle"
import type { ClaimDetail } from "@milkwood/domain/claims/claim-shape"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { useEffect, useRef, useState } from "react"
import { newKey } from "../platform/api.ts"
import { errorTextOf, invalidFieldsOf } from "../platform/errors.ts"
import { useKeys } from "../platform/keyboard.ts"
import { type Question, useConfirm } from "../ui/confirm.tsx"
import { useDisplay } from "../ui/display.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { FactList } from "../ui/record-page.tsx"
import { useUnsavedGuard } from "../ui/use-unsaved-guard.tsx"
import { useClaimActions } from "./claim-actions.tsx"
import { memberNameOf } from "./claim-table.tsx"
import { useDecide } from "./claims.api.ts"
import classes from "./claims.module.css"

export function DecisionPanel({ claim, onDecided }: { claim: ClaimDetail; onDecided: () => void }) {
  // Typed input belongs to the claim version for which it was typed.
  const [typedFor, setTypedFor] = useState<ClaimDetail>()
  const shown = typedFor && typedFor.version !== claim.version ? typedFor : claim
  const stage = stageOf(shown.status)
  if (!stage) return <RoutingNotice claim={claim} />
  if (!shown.allowedActions.includes("approve")) {
    return (
      <p className={classes.quiet}>
        This claim is waiting for the {stageNames[stage].toLowerCase()}. You cannot decide this stage.
      </p>
    )
  }
  return (
    <DecisionForm
      key={shown.version}
      claim={shown}
      current={claim}
      stage={stage}
      onTyped={setTypedFor}
      onDecided={onDecided}
    />
  )
}

function RoutingNotice({ claim }: { claim: ClaimDetail }) {
  const { of, dialogs } = useClaimActions()
  const { route } = of(claim)
  if (!claim.allowedActions.includes("route")) return <p className={classes.quiet}>No pending approval step</p>
  return (
    <Stack gap="sm">
      <p className={classes.quiet}>The claim has not been routed to its three approvers.</p>
      <Button onClick={route.onClick}>{route.label}</Button>
      {dialogs}
    </Stack>
  )
}

interface DecisionFormProps {
  claim: ClaimDetail
  current: ClaimDetail
  stage: Stage
  onTyped: (claim: ClaimDetail | undefined) => void
  onDecided: () => void
}

function DecisionForm({ claim, current, stage, onTyped, onDecided }: DecisionFormProps) {
  const { currency } = useDisplay()
  const confirm = useConfirm()
  const keys = useRef({ approve: newKey(), reject: newKey() })
  const form = useForm<{ approvedAmountCents: number | null; comment: string; reductionReason: string }>({
    initialValues: startValuesOf(claim),
  })
  const decide = useDecide(form, onDecided)
  const { approvedAmountCents, comment, reductionReason } = form.values
  const reduced = approvedAmountCents !== null && approvedAmountCents < claim.amountBeforeCents
  const failed = failedChecks(claim.coverCheck)
  const { limitCents, childCap } = claim
  const aboveCap = approvedAmountCents !== null && childCap !== null && approvedAmountCents > childCap.leftCents
  const above = approvedAmountCents !== null && limitCents !== null && approvedAmountCents > limitCents

  const typed = form.isDirty() && !decide.isSuccess
  useUnsavedGuard(typed && !decide.isPending)
  useEffect(() => onTyped(typed ? claim : undefined), [onTyped, typed, claim])
  const moved = current.version !== claim.version && !decide.isPending && !decide.isSuccess

  const ask = (decision: DecisionInput["decision"], question: Omit<Question, "action">) => {
    form.clearErrors()
    const approving = decision === "approve"
    const input = {
      decision,
      approvedAmountCents: approving ? approvedAmountCents : null,
      comment,
      reductionReason: approving && reduced ? reductionReason : "",
    }
    const wrong =
      decision === "approve" && approvedAmountCents === null
        ? { path: "approvedAmountCents", message: "Enter the approved amount" }
        : findDecisionError(input, { ...claim, stage }, currency)
    if (wrong) {
      form.setFieldError(wrong.path, wrong.message)
      form.getInputNode(wrong.path)?.focus()
      return
    }
    const sent = { claimId: claim.id, version: claim.version, idempotencyKey: keys.current[decision], ...input }
    void confirm({
      ...question,
      action: () =>
        decide.mutateAsync(sent).catch((error: unknown) => {
          // Field errors are shown beside the field, so the confirmation closes.
          if (invalidFieldsOf(error).length === 0) throw error
        }),
    })
  }
  const failedWords =
    failed.length === 0
      ? ""
      : `The cover check failed: ${failed.map(({ title, evidence }) => `${title}. ${evidence}`).join(" ")} You are approving it anyway. `
  const approve = () =>
    ask("approve", {
      title: `Approve ${formatMoney(approvedAmountCents ?? 0, currency)}?`,
      body: `${claim.number} of ${memberNameOf(claim.member)}. ${failedWords}${nextStepTexts[stage]}`,
      confirm: "Approve claim",
    })
  const reject = () =>
    ask("reject", {
      title: `Reject ${claim.number}?`,
      body: `This closes the claim of ${memberNameOf(claim.member)}. Your comment becomes the reason.`,
      confirm: "Reject claim",
      danger: true,
    })
  useKeys({ a: approve, r: reject, "mod+Enter": approve }, !moved)

  return (
    <Stack gap="sm">
      <FactList
        rows={[
          ["Your stage", stageNames[stage]],
          [
            claim.amountBeforeCents === claim.requestedAmountCents ? "Requested" : "Approved so far",
            <MoneyText key="before" cents={claim.amountBeforeCents} />,
          ],
          ["Cover allows", limitCents === null ? "No maximum" : <MoneyText key="limit" cents={limitCents} />],
        ]}
      />
      <MoneyInput label="Approved amount" required {...form.getInputProps("approvedAmountCents")} />
      {aboveCap && <InlineError tone="warning">{childCap.reason}</InlineError>}
      {above && !aboveCap && (
        <InlineError tone="warning">
          {formatMoney(approvedAmountCents, currency)} is above the {formatMoney(limitCents, currency)} that cover
          allows.
          {stage === "group_admin" ? " The underwriter confirms or reduces it." : " A comment is required."}
        </InlineError>
      )}
      {reduced && (
        <Textarea
          label="Reason for the reduction"
          description="Shown to the policy holder. Do not include medical details."
          required
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2_000}
          {...form.getInputProps("reductionReason")}
        />
      )}
      {failed.length > 0 && (
        <InlineError tone="warning">
          The cover check failed: {failed.map(({ title }) => title).join(", ")}. A comment is required to approve.
        </InlineError>
      )}
      <Textarea
        label="Comment"
        description={form.errors.comment ? undefined : failed.length > 0 ? "Required" : "Required to reject"}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={2_000}
        {...form.getInputProps("comment")}
      />
      {decide.error && !moved && invalidFieldsOf(decide.error).length === 0 && (
        <InlineError>{errorTextOf(decide.error)}</InlineError>
      )}
      {moved ? (
        <StaleDecisionNotice current={current} comment={comment} onClose={() => onTyped(undefined)} />
      ) : (
        <>
          <Group gap="xs" grow className={classes.decide}>
            <Button variant="default" color="red" loading={decide.isPending} onClick={reject}>
              Reject
            </Button>
            <Button loading={decide.isPending} onClick={approve}>
              Approve
            </Button>
          </Group>
          <p className={`${classes.quiet} ${classes.keys}`}>
            Keys: a approves, r rejects, i opens the claim's full information.
          </p>
        </>
      )}
    </Stack>
  )
}

/** Starts with the amount within cover; its calculation becomes the reduction reason. */
function startValuesOf({ amountBeforeCents, proposedAmountCents, coverCheck }: ClaimDetail) {
  const isReduced = proposedAmountCents > 0 && proposedAmountCents < amountBeforeCents
  return {
    approvedAmountCents: isReduced ? proposedAmountCents : amountBeforeCents,
    comment: "",
    reductionReason: (isReduced && coverCheck.find(({ check }) => check === "maximum")?.evidence) || "",
  }
}

/** Shown if another user changed the claim while this user typed; the comment can be copied. */
function StaleDecisionNotice(props: { current: ClaimDetail; comment: string; onClose: () => void }) {
  const { current, comment, onClose } = props
  const last = current.timeline[0]
  return (
    <>
      <InlineError tone="warning">
        This claim can no longer be decided:{" "}
        {last ? `${last.actor} ${last.sentence}` : "another person changed the claim"}. Your text is kept until you
        close this.
      </InlineError>
      <Group gap="xs" justify="flex-end">
        {comment.trim() !== "" && (
          <CopyButton value={comment} timeout={3_000}>
            {({ copied, copy }) => (
              <Button variant="default" onClick={copy}>
                {copied ? "Copied" : "Copy comment"}
              </Button>
            )}
          </CopyButton>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </>
  )
}

const nextStepTexts: Record<Stage, string> = {
  group_admin: "Next: the underwriter decides.",
  underwriter: "Next: the policy holder decides.",
  policy_holder: "This is the last stage. The claim can be paid after it.",
}
