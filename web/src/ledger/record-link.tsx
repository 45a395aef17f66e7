import type { PostingRow } from "@milkwood/domain/ledger/ledger.contract"
import { Link } from "@tanstack/react-router"
import type { ReactNode } from "react"

export function RecordLink({ record, children }: { record: PostingRow["record"]; children: ReactNode }) {
  switch (record.kind) {
    case "invoice":
      return (
        <Link to="/invoices/$invoiceId" params={{ invoiceId: record.id }}>
          {children}
        </Link>
      )
    case "receipt":
      return (
        <Link to="/finance/receipting/$receiptId" params={{ receiptId: record.id }}>
          {children}
        </Link>
      )
    case "claim":
      return (
        <Link to="/claims/$claimId" params={{ claimId: record.id }}>
          {children}
        </Link>
      )
    case "payout":
      return (
        <Link to="/finance/claims-payments/$payoutId" params={{ payoutId: record.id }}>
          {children}
        </Link>
      )
    default:
      return children
  }
}
