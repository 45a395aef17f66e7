import type { RefundDetail } from "@milkwood/domain/refunds/refunds.contract"
import ReasonDialog from "../ui/reason-dialog.tsx"
import { useCancelRefund } from "./refunds.api.ts"

export default function CancelRefundDialog({ refund, onClose }: { refund: RefundDetail; onClose: () => void }) {
  const cancel = useCancelRefund()
  return (
    <ReasonDialog
      title="Cancel refund"
      submit="Cancel refund"
      danger
      words="Unused credit becomes available again. Invoices that the credit already paid stay paid."
      save={(given) => cancel.mutateAsync({ refundId: refund.id, version: refund.version, ...given })}
      onClose={onClose}
    />
  )
}
