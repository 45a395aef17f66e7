import type { ReceiptAction } from "@milkwood/domain/receipts/receipt"
import { useQueryClient } from "@tanstack/react-query"
import { lazy } from "react"
import type { RowAction } from "../ui/data-table/types.ts"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { receiptPdfHref, receiptQuery, useAllocationCommands } from "./receipts.api.ts"

const ReceiptDialogs = lazy(() => import("./receipt-dialogs.tsx"))

export function useReceiptActions() {
  const dialogs = useRecordDialogs(receiptQuery, ReceiptDialogs)
  const queryClient = useQueryClient()
  const { allocate } = useAllocationCommands()
  const of = ({ id }: { id: string }): Record<Exclude<ReceiptAction, "unallocate">, RowAction> => ({
    allocate: { label: "Allocate receipt", onClick: () => dialogs.open(id, "allocate") },
    edit: { label: "Edit receipt", onClick: () => dialogs.open(id, "edit") },
    mail: { label: "Send receipt", onClick: () => dialogs.open(id, "mail") },
    download: { label: "Download PDF", href: receiptPdfHref(id) },
    reverse: { label: "Reverse receipt", danger: true, onClick: () => dialogs.open(id, "reverse") },
  })
  const oldestFirst = ({
    id,
    allowedActions,
  }: {
    id: string
    allowedActions: readonly ReceiptAction[]
  }): RowAction[] =>
    allowedActions.includes("allocate")
      ? [
          {
            label: "Allocate oldest first",
            onClick: () =>
              void queryClient
                .fetchQuery(receiptQuery(id))
                .then((receipt) => allocate(receipt))
                .catch(() => undefined),
          },
        ]
      : []
  return { of, oldestFirst, dialogs: dialogs.shown }
}
