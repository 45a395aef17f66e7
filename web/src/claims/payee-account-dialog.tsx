import { useForm } from "@mantine/form"
import { type PayeeReceiver, settlePayee } from "@milkwood/domain/claims/claim-payees"
import type { RecordedPayee } from "@milkwood/domain/claims/payees.contract"
import { api } from "../platform/api.ts"
import { useDisplay } from "../ui/display.tsx"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useCommand } from "../ui/use-command.ts"
import { PayeeReceiverFields } from "./payee-receiver-fields.tsx"

interface PayeeAccountDialogProps {
  claimId: string
  payee: RecordedPayee
  onClose: () => void
}

export default function PayeeAccountDialog({ claimId, payee, onClose }: PayeeAccountDialogProps) {
  const { today } = useDisplay()
  const change = useCommand(api.claims.payees.change, {
    success: "Account saved",
    failure: "Failed to save the account",
  })
  const { receivedBy, receiverName, bank, branchCode, accountNumber, email } = payee
  const form = useForm({
    initialValues: { receivedBy: receivedBy as PayeeReceiver, receiverName, bank, branchCode, accountNumber, email },
    validate: (values) => {
      // The server knows the incident day and refuses a minor without a guardian.
      const { problems } = settlePayee(
        { ...payee, ...values },
        payee.isMinor ? (payee.dateOfBirth ?? today) : today,
        today,
      )
      return Object.fromEntries(problems.map(({ path, message }) => [path, message]))
    },
  })
  return (
    <FormDialog
      opened
      onClose={onClose}
      size={620}
      title={`Change the account of ${payee.name}`}
      submit="Save account"
      words="After a returned payment, another name or account must be confirmed by a second person before the next payment is released."
      form={form}
      save={(values) =>
        change.mutateAsync({
          ...{ claimId, payeeId: payee.id, version: payee.version },
          ...values,
          receiverName: values.receivedBy === "self" ? "" : values.receiverName,
        })
      }
    >
      <PayeeReceiverFields
        receivedBy={form.getValues().receivedBy}
        inputProps={(field) => form.getInputProps(field)}
        onChange={(field, value) => form.setFieldValue(field, value)}
      />
    </FormDialog>
  )
}
