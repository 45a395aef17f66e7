import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import CreditToUse from "../receipts/credit-to-use.tsx"

/** What credit pays of selected invoices that are to be sent. */
export default function InvoicesCredit(props: { rows: InvoiceRow[]; onChoose: (useCredit: boolean) => void }) {
  return <CreditToUse of={{ invoiceIds: props.rows.map(({ id }) => id) }} onChoose={props.onChoose} />
}
