import type { InvoiceDetail } from "@milkwood/domain/billing/billing.contract"
import { WriteOffDialog } from "../receipts/write-off-dialog.tsx"
import { CancelDialog } from "./cancel-dialog.tsx"
import { CreditDialog } from "./credit-dialog.tsx"
import MailDocumentDialog from "./mail-document-dialog.tsx"

export default function InvoiceDialogs(props: {
  record: InvoiceDetail
  act: "credit" | "writeOff" | "mail" | "cancel"
  onClose: () => void
}) {
  const { record, act, onClose } = props
  if (act === "credit") return <CreditDialog invoice={record} onClose={onClose} />
  if (act === "writeOff") return <WriteOffDialog invoice={record} onClose={onClose} />
  if (act === "mail") {
    return <MailDocumentDialog document={{ kind: "invoice", id: record.id, number: record.number }} onClose={onClose} />
  }
  return <CancelDialog invoice={record} onClose={onClose} />
}
