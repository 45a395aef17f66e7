import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import CreditToUse from "../receipts/credit-to-use.tsx"
import { NoBankAccount } from "./no-bank-account.tsx"

export default function InvoicesCredit(props: { rows: InvoiceRow[]; onChoose: (useCredit: boolean) => void }) {
  return (
    <>
      <NoBankAccount />
      <CreditToUse of={{ invoiceIds: props.rows.map(({ id }) => id) }} onChoose={props.onChoose} />
    </>
  )
}
