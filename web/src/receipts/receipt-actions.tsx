import type { ReceiptAction } from "@milkwood/domain/receipts/receipt"
import { lazy } from "react"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { receiptQuery } from "./receipts.api.ts"

const ReceiptDialogs = lazy(() => import("./receipt-dialogs.tsx"))

/** What can be done with a receipt, the same from its page and from the list. */
export function useReceiptActions() {
  const dialogs = useRecordDialogs(receiptQuery, ReceiptDialogs)
  const of = ({ id }: { id: string }): Record<ReceiptAction, RowAction> => ({
    allocate: { label: "Allocate receipt", onClick: () => dialogs.open(id, "allocate") },
    reverse: { label: "Reverse receipt", danger: true, onClick: () => dialogs.open(id, "reverse") },
  })
  return { of, dialogs: dialogs.shown }
}
