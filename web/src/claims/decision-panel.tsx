import { Button, Group, Stack, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { stageNames } from "@milkwood/domain/claims/claim"
import { stageOf } from "@milkwood/domain/claims/claim-lifecycle"
import type { ClaimDetail } from "@milkwood/domain/claims/claims.contract"
import { formatRand } from "@milkwood/domain/kernel/money"
import { useRef } from "react"
import { newKey } from "../shell/api.ts"
import { errorText, invalidFields } from "../shell/errors.ts"
import { useKeys } from "../shell/keys.ts"
import { useConfirm } from "../ui/confirm.tsx"
import { InlineError } from "../ui/inline-error.tsx"
import { MoneyText } from "../ui/money.tsx"
import { MoneyInput } from "../ui/money-input.tsx"
import { Facts } from "../ui/record-page.tsx"
import { memberName } from "./claim-table.tsx"
import { useDecide } from "./claims.api.ts"
import classes from "./claims.module.css"

/** The decision of the stage that waits, for whoever may decide it; for others, whom the claim waits for. */
export function DecisionPanel({ claim, onDecided }: { claim: ClaimDetail; onDecided: () => void }) {
  const stage = stageOf(claim.status)
  if (!stage) return <p className={classes.quiet}>No pending approval step</p>
  if (!claim.allowedActions.includes("approve")) {
    return (
      <p className={classes.quiet}>
        This claim waits for the {stageNames[stage].toLowerCase()}. You do not decide this stage of it.
      </p>
    )
  }
  return <DecisionForm key={claim.version} claim={claim} onDecided={onDecided} />
}

function DecisionForm({ claim, onDecided }: { claim: ClaimDetail; onDecided: () => void }) {
  const confirm = useConfirm()
  const approveKey = useRef(newKey())
  const rejectKey = useRef(newKey())
  const stage = stageOf(claim.status)
  const form = useForm<{ approvedAmountCents: number | null; comment: string }>({
    initialValues: { approvedAmountCents: claim.amountBeforeCents, comment: "" },
  })
  const decide = useDecide(form, onDecided)
  const { approvedAmountCents, comment } = form.values
  const above = approvedAmountCents !== null && approvedAmountCents > claim.maxCoverCents

  const send = (decision: "approve" | "reject", idempotencyKey: string) =>
    decide
      .mutateAsync({
        claimId: claim.id,
        version: claim.version,
        idempotencyKey,
        decision,
        approvedAmountCents: decision === "approve" ? approvedAmountCents : null,
        comment,
      })
      .catch((error: unknown) => {
        // What is wrong with a field is said beside it; the question above it is closed.
        if (invalidFields(error).length === 0) throw error
      })

  const approve = () => {
    form.clearErrors()
    if (approvedAmountCents === null) {
      form.setFieldError("approvedAmountCents", "Give the approved amount")
      return
    }
    void confirm({
      title: `Approve ${formatRand(approvedAmountCents)}?`,
      body: `${claim.number} of ${memberName(claim.member)}. ${afterwards[claim.status] ?? ""}`,
      confirm: "Approve claim",
      action: () => send("approve", approveKey.current),
    })
  }
  const reject = () => {
    form.clearErrors()
    if (comment.trim() === "") {
      form.setFieldError("comment", "Say why the claim is rejected.")
      form.getInputNode("comment")?.focus()
      return
    }
    void confirm({
      title: `Reject ${claim.number}?`,
      body: `The claim of ${memberName(claim.member)} ends here, and your comment becomes the reason.`,
      confirm: "Reject claim",
      danger: true,
      action: () => send("reject", rejectKey.current),
    })
  }
  useKeys({ a: approve, r: reject, "mod+Enter": approve })

  return (
    <Stack gap="sm">
      <Facts
        rows={[
          ["Your stage", stage && stageNames[stage]],
          [
            claim.amountBeforeCents === claim.requestedAmountCents ? "Requested" : "Approved before",
            <MoneyText key="before" cents={claim.amountBeforeCents} />,
          ],
          ["Maximum cover", claim.maxCoverCents > 0 ? <MoneyText key="max" cents={claim.maxCoverCents} /> : "None"],
        ]}
      />
      <MoneyInput label="Approved amount" required {...form.getInputProps("approvedAmountCents")} />
      {above && (
        <InlineError tone="warning">
          {formatRand(approvedAmountCents)} is above the maximum cover of {formatRand(claim.maxCoverCents)}.
          {stage === "underwriter" && " Leaving it there needs a comment."}
          {stage === "group_admin" && " The underwriter decides whether it stays there."}
        </InlineError>
      )}
      <Textarea
        label="Comment"
        description={form.errors.comment ? undefined : "Required to reject"}
        autosize
        minRows={3}
        maxRows={10}
        maxLength={2_000}
        {...form.getInputProps("comment")}
      />
      {decide.error && invalidFields(decide.error).length === 0 && <InlineError>{errorText(decide.error)}</InlineError>}
      <Group gap="xs" grow>
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
    </Stack>
  )
}

const afterwards: Partial<Record<ClaimDetail["status"], string>> = {
  pending_group_admin: "It goes on to the underwriter.",
  pending_underwriter: "It goes on to the policy holder.",
  pending_policy_holder: "This is the last stage: the amount is then owed and can be paid.",
}
