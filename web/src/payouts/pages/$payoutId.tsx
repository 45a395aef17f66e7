import { Anchor, Button, Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import { type PayoutAction, payoutMethodNames } from "@milkwood/domain/payouts/payout"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import { useQuery } from "@tanstack/react-query"
import { createFileRoute, Link } from "@tanstack/react-router"
import { type ReactNode, useState } from "react"
import { newKey } from "../../platform/api.ts"
import type { RowAction } from "../../ui/data-table.tsx"
import { DayText, InstantText } from "../../ui/day.tsx"
import { DayInput } from "../../ui/day-input.tsx"
import { useDisplay } from "../../ui/display.tsx"
import { DocumentNumber } from "../../ui/document-number.tsx"
import { required } from "../../ui/form.ts"
import { FormDialog } from "../../ui/form-dialog.tsx"
import { LoadedRecord } from "../../ui/loaded-record.tsx"
import { MoneyText } from "../../ui/money.tsx"
import { Facts, RecordPage, SidePanel } from "../../ui/record-page.tsx"
import { StatusBadge } from "../../ui/status-badge.tsx"
import { Timeline } from "../../ui/timeline.tsx"
import { PayeeFields, payeeErrors } from "../payee-fields.tsx"
import { payoutQuery, usePayoutCommands } from "../payouts.api.ts"
import classes from "../payouts.module.css"

export const Route = createFileRoute("/_app/finance/claims-payments/$payoutId")({
  staticData: { permission: "payouts.read" },
  component: PayoutPage,
})

const back = { to: "/finance/claims-payments", label: "Back to Claims Payments" } as const

/** One payment: who is paid what, how far it is, and what may be done with it. */
function PayoutPage() {
  const { payoutId } = Route.useParams()
  return (
    <LoadedRecord
      record={useQuery(payoutQuery(payoutId))}
      title="Payment"
      back={back}
      loading="Loading the payment..."
      failed="Failed to load the payment"
      notFound="Payment not found"
    >
      {(payout) => <Payout key={payoutId} payout={payout} />}
    </LoadedRecord>
  )
}

const labels: Record<PayoutAction, string> = {
  changePayee: "Change payee",
  release: "Release payment",
  complete: "Complete payment",
  fail: "Mark as failed",
  retry: "Retry payment",
  cancel: "Cancel payment",
}
/** The one thing to do next, in this order. */
const primaries: PayoutAction[] = ["release", "complete", "retry"]

function Payout({ payout }: { payout: PayoutDetail }) {
  const [doing, setDoing] = useState<PayoutAction>()
  const primary = primaries.find((action) => payout.allowedActions.includes(action))
  const others: RowAction[] = payout.allowedActions
    .filter((action) => action !== primary)
    .map((action) => ({
      label: labels[action],
      danger: action === "fail" || action === "cancel",
      onClick: () => setDoing(action),
    }))
  const waits =
    payout.status === "pending" && !payout.allowedActions.includes("release") && payout.allowedActions.length > 0
  return (
    <>
      <RecordPage
        list="payouts"
        id={payout.id}
        back={back}
        number={payout.number}
        title={payout.payeeName}
        name={payout.number}
        badge={<StatusBadge status={payout.status} size="md" />}
        amount={<MoneyText cents={payout.amountCents} />}
        subtitle={waits ? "You prepared this payment: somebody else must release it." : undefined}
        primary={primary && <Button onClick={() => setDoing(primary)}>{labels[primary]}</Button>}
        actions={others}
        side={
          <SidePanel title="Activity">
            <Timeline entries={payout.timeline} field={(name) => fields[name]} />
          </SidePanel>
        }
      >
        <div className={classes.cards}>
          <SidePanel title="Payment">
            <Facts
              rows={[
                [
                  "Claim",
                  <Anchor
                    key="claim"
                    renderRoot={(props) => (
                      <Link {...props} to="/claims/$claimId" params={{ claimId: payout.subject.id }} />
                    )}
                  >
                    <DocumentNumber>{payout.subject.label}</DocumentNumber>
                  </Anchor>,
                ],
                [
                  "Member",
                  payout.memberId && (
                    <Anchor
                      key="member"
                      renderRoot={(props) => (
                        <Link {...props} to="/members/$memberId" params={{ memberId: payout.memberId ?? "" }} />
                      )}
                    >
                      {payout.memberName}
                    </Anchor>
                  ),
                ],
                ["Group", payout.groupName],
                [
                  "Policy",
                  <Anchor
                    key="policy"
                    renderRoot={(props) => (
                      <Link {...props} to="/policies/$policyId" params={{ policyId: payout.policyId }} />
                    )}
                  >
                    <DocumentNumber>{payout.policyNumber}</DocumentNumber>
                  </Anchor>,
                ],
                ["Reference", payout.reference],
                ["Prepared by", payout.createdByName],
                ["Prepared", <InstantText key="made" at={payout.createdAt} />],
                ["Released by", payout.releasedByName],
                ["Released", payout.releasedAt && <InstantText key="released" at={payout.releasedAt} />],
                ["Paid", payout.completedOn && <DayText key="paid" day={payout.completedOn} />],
                ["Reason", payout.statusReason],
                ["Notes", payout.notes || null],
              ]}
            />
          </SidePanel>
          <SidePanel title="Payee">
            <Facts
              rows={[
                ["Name", payout.payeeName],
                ["Method", payoutMethodNames[payout.method]],
                ["Bank", payout.payeeBank || null],
                ["Branch code", payout.payeeBranchCode || null],
                ["Account number", payout.payeeAccountNumber || null],
              ]}
            />
          </SidePanel>
        </div>
      </RecordPage>
      {doing && <StepDialog key={doing} payout={payout} action={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const fields: Record<string, { label: string; show?: (value: unknown) => ReactNode }> = {
  method: {
    label: "Method",
    show: (value) => payoutMethodNames[value as keyof typeof payoutMethodNames] ?? String(value),
  },
  payeeName: { label: "Payee" },
  payeeBank: { label: "Bank" },
  payeeBranchCode: { label: "Branch code" },
  payeeAccountNumber: { label: "Account number" },
  reference: { label: "Reference" },
}

function StepDialog(props: { payout: PayoutDetail; action: PayoutAction; onClose: () => void }) {
  const { payout, action, onClose } = props
  const commands = usePayoutCommands()
  const { today } = useDisplay()
  const [idempotencyKey] = useState(newKey)
  const step = { payoutId: payout.id, version: payout.version, idempotencyKey }
  const { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber } = payout
  const reason = useForm({ initialValues: { reason: "" }, validate: { reason: required("Give the reason") } })
  const day = useForm<{ completedOn: string | null }>({
    initialValues: { completedOn: today },
    validate: { completedOn: required("Give the payment date") },
  })
  const nothing = useForm({ initialValues: {} })
  const payee = useForm({
    initialValues: { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber },
    validate: payeeErrors,
  })
  const dialog = { opened: true, onClose, title: labels[action], submit: labels[action] }
  const sum = <MoneyText cents={payout.amountCents} />

  switch (action) {
    case "release":
      return (
        <FormDialog
          {...dialog}
          words={
            <>
              {sum} goes to {payout.payeeName}
              {payout.payeeAccountNumber && `, ${payout.payeeBank}, account ${payout.payeeAccountNumber}`}. After the
              release payee and amount stand still.
            </>
          }
          form={nothing}
          save={() => commands.release.mutateAsync(step)}
        >
          {null}
        </FormDialog>
      )
    case "complete":
      return (
        <FormDialog
          {...dialog}
          words={
            <>
              {sum} has reached {payout.payeeName}: the claim is paid, and the ledger says so.
            </>
          }
          form={day}
          save={({ completedOn }) => commands.complete.mutateAsync({ ...step, completedOn: completedOn! })}
        >
          <DayInput label="Payment date" required latest={today} {...day.getInputProps("completedOn")} />
        </FormDialog>
      )
    case "retry":
      return (
        <FormDialog
          {...dialog}
          words="The payment waits for release again. Correct the payee first if that was why it failed."
          form={nothing}
          save={() => commands.retry.mutateAsync(step)}
        >
          {null}
        </FormDialog>
      )
    case "changePayee":
      return (
        <FormDialog
          {...dialog}
          submit="Save"
          size={620}
          words="Whoever changes the payee may not release the payment."
          form={payee}
          save={(values) =>
            commands.changePayee.mutateAsync({ payoutId: payout.id, version: payout.version, ...values })
          }
        >
          <PayeeFields form={payee} />
        </FormDialog>
      )
    case "fail":
    case "cancel":
      return (
        <FormDialog
          {...dialog}
          danger
          words={
            action === "fail"
              ? "The bank sent the money back. The payment can be retried or cancelled."
              : payout.status === "processing"
                ? "It was released: make sure that the bank has not sent it. The claim stays approved and can get another payment."
                : "The claim stays approved and can get another payment."
          }
          form={reason}
          save={(values) => commands[action].mutateAsync({ ...step, ...values })}
        >
          <Textarea label="Reason" required autosize minRows={2} {...reason.getInputProps("reason")} />
        </FormDialog>
      )
  }
}
