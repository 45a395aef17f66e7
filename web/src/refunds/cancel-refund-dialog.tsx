import { Textarea } from "@mantine/core"
import { useForm } from "@mantine/form"
import type { RefundDetail } from "@milkwood/domain/refunds/refunds.contract"
import { useState } from "react"
import { newKey } from "../platform/api.ts"
import { required } from "../ui/form.ts"
import { FormDialog } from "../ui/form-dialog.tsx"
import { useCancelRefund } from "./refunds.api.ts"

/** Calls off what a refund keeps and has not used yet. */
export default function CancelRefundDialog({ refund, onClose }: { refund: RefundDetail; onClose: () => void }) {
  const cancel = useCancelRefund()
  const [idempotencyKey] = useState(newKey)
  const form = useForm({ initialValues: { reason: "" }, validate: { reason: required("Give the reason") } })
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Cancel refund"
      submit="Cancel refund"
      danger
      words="What is kept and not used yet becomes free credit of the policy again; what it has paid stays paid."
      form={form}
      save={({ reason }) =>
        cancel.mutateAsync({ refundId: refund.id, version: refund.version, idempotencyKey, reason })
      }
    >
      <Textarea label="Reason" required autosize minRows={2} {...form.getInputProps("reason")} />
    </FormDialog>
  )
}
