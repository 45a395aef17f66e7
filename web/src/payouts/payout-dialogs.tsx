import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { PayoutAction } from "@milkwood/domain/payouts/payout"
import type { PayoutDetail } from "@milkwood/domain/payouts/payouts.contract"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { DayInput } from "../ui/day-input.tsx"
import { useDisplay } from "../ui/display.tsx"
import { requireText } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { MoneyText } from "../ui/money.tsx"
import { PayeeFields, payeeErrorsOf } from "./payee-fields.tsx"
import { payoutStepNames } from "./payout-actions.tsx"
import { usePayoutCommands } from "./payouts.api.ts"

const payeeText = (payee: PayoutDetail["formerPayee"]) =>
  payee && [payee.payeeName, payee.payeeBank, payee.payeeAccountNumber].filter(Boolean).join(", ")

export default function PayoutDialogs(props: { record: PayoutDetail; act: PayoutAction; onClose: () => void }) {
  const { record: payout, act: action, onClose } = props
  const commands = usePayoutCommands()
  const { today } = useDisplay()
  const [idempotencyKey] = useState(newKey)
  const step = { payoutId: payout.id, version: payout.version, idempotencyKey }
  const { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber, payeeEmail } = payout
  const reason = useForm({ initialValues: { reason: "" }, validate: { reason: requireText("Enter a reason") } })
  const day = useForm<{ completedOn: string | null }>({
    initialValues: { completedOn: today },
    validate: { completedOn: requireText("Enter the payment date") },
  })
  const back = useForm<{ returnedOn: string | null; reason: string }>({
    initialValues: { returnedOn: today, reason: "" },
    validate: { returnedOn: requireText("Choose the day"), reason: requireText("Enter a reason") },
  })
  const nothing = useForm({ initialValues: {} })
  const payee = useForm({
    initialValues: { method, payeeName, payeeBank, payeeBranchCode, payeeAccountNumber, payeeEmail },
    validate: payeeErrorsOf,
  })
  const dialog = { opened: true, onClose, title: payoutStepNames[action], submit: payoutStepNames[action] }
  const sum = <MoneyText cents={payout.amountCents} />
  const afterwards =
    payout.subject.kind === "refund"
      ? "The amount returns to the policy as credit."
      : "The claim stays approved and can get a new payment."

  switch (action) {
    case "release":
      return (
        <FormDialog
          {...dialog}
          words={
            <>
              {sum} will be paid to {payout.payeeName}
              {payout.payeeAccountNumber && `, ${payout.payeeBank}, account ${payout.payeeAccountNumber}`}. After the
              release, payee and amount can no longer change.
            </>
          }
          form={nothing}
          save={() => commands.release.mutateAsync(step)}
        >
          {null}
        </FormDialog>
      )
    case "confirmPayee":
      return (
        <FormDialog
          {...dialog}
          words={
            <>
              An earlier payment went to {payeeText(payout.formerPayee)}. This one goes to {payeeText(payout)}. Call the
              payee on a number that you already know before you confirm.
            </>
          }
          form={nothing}
          save={() => commands.confirmPayee.mutateAsync({ payoutId: payout.id, version: payout.version })}
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
              {sum} has reached {payout.payeeName}, and the payment is posted to the ledger
              {payout.subject.kind === "claim" && ". The claim is paid once the full approved amount is paid"}.
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
          words="The payment must be released again. If the payee was wrong, change the payee first."
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
          words="The person who changes the payee cannot release the payment."
          form={payee}
          save={(values) =>
            commands.changePayee.mutateAsync({ payoutId: payout.id, version: payout.version, ...values })
          }
        >
          <PayeeFields form={payee} />
        </FormDialog>
      )
    case "return":
      return (
        <FormDialog
          {...dialog}
          danger
          words={
            <>
              {sum} was returned after payment. The amount is owed again
              {payout.subject.kind === "claim" && ", and the claim is approved and waiting for a new payment"}.
            </>
          }
          form={back}
          save={({ returnedOn, ...values }) =>
            commands.return.mutateAsync({ ...step, ...values, returnedOn: returnedOn! })
          }
        >
          <DayInput label="Return date" required latest={today} {...back.getInputProps("returnedOn")} />
          <Textarea label="Reason" required autosize minRows={2} {...back.getInputProps("reason")} />
        </FormDialog>
      )
    case "takeBack":
      return null
    case "fail":
    case "cancel":
      return (
        <FormDialog
          {...dialog}
          danger
          words={
            action === "fail"
              ? "Mark the payment as failed if the bank did not complete it. You can then retry or cancel it."
              : payout.status === "processing"
                ? `The payment was released. Make sure that the bank has not sent it. ${afterwards}`
                : afterwards
          }
          form={reason}
          save={(values) => commands[action].mutateAsync({ ...step, ...values })}
        >
          <Textarea label="Reason" required autosize minRows={2} {...reason.getInputProps("reason")} />
        </FormDialog>
      )
  }
}
