import type { InvoiceRow } from "@milkwood/domain/billing/billing.contract"
import type { InvoiceAction } from "@milkwood/domain/billing/invoice"
import { formatMoney } from "@milkwood/domain/kernel/money"
import { linkOptions } from "@tanstack/react-router"
import { lazy, Suspense } from "react"
import { newKey } from "../platform/api.ts"
import { useConfirm } from "../ui/confirm.tsx"
import type { RowAction } from "../ui/data-table/types.ts"
import { useDisplay } from "../ui/display.tsx"
import { useRecordDialogs } from "../ui/record-actions.tsx"
import { invoiceQuery, pdfHref, useInvoiceCommands } from "./billing.api.ts"
import { NoBankAccount } from "./no-bank-account.tsx"

const InvoiceDialogs = lazy(() => import("./invoice-dialogs.tsx"))
const CreditToUse = lazy(() => import("../receipts/credit-to-use.tsx"))

/** Shared by the list and the page. */
export function useInvoiceActions() {
  const { currency } = useDisplay()
  const confirm = useConfirm()
  const { send, approve } = useInvoiceCommands()
  const dialogs = useRecordDialogs(invoiceQuery, InvoiceDialogs)

  const askToSend = (invoice: InvoiceRow) => {
    // One key per dialog, so a retry after a lost response sends once.
    const idempotencyKey = newKey()
    const said: { useCredit?: boolean } = {}
    return confirm({
      title: `Send ${invoice.number}?`,
      body: (
        <>
          {`${invoice.groupName} then owes ${formatMoney(invoice.totalCents, currency)}, and we email the PDF to its main contact. You cannot change a sent invoice; you can correct it with a credit note.`}
          <NoBankAccount />
          <Suspense>
            <CreditToUse
              of={{ invoiceIds: [invoice.id] }}
              onChoose={(useCredit) => {
                said.useCredit = useCredit
              }}
            />
          </Suspense>
        </>
      ),
      confirm: "Send invoice",
      action: () => send.mutateAsync({ invoiceId: invoice.id, version: invoice.version, idempotencyKey, ...said }),
    })
  }
  const askToApprove = (invoice: InvoiceRow) =>
    confirm({
      title: `Approve ${invoice.number}?`,
      body: "It can then be sent, but no longer edited. Sending also approves an invoice, so approve first only if someone else sends it.",
      confirm: "Approve invoice",
      action: () => approve.mutateAsync({ invoiceId: invoice.id, version: invoice.version }),
    })

  const of = (invoice: InvoiceRow): Record<InvoiceAction, RowAction> => ({
    send: { label: "Send invoice", onClick: () => void askToSend(invoice) },
    receive: {
      label: "Record receipt",
      link: linkOptions({
        to: "/finance/receipting",
        search: { policyId: invoice.policyId, invoiceId: invoice.id, new: true },
      }),
    },
    approve: { label: "Approve invoice", onClick: () => void askToApprove(invoice) },
    edit: {
      label: "Edit invoice",
      link: linkOptions({ to: "/invoices/$invoiceId/edit", params: { invoiceId: invoice.id } }),
    },
    mail: { label: "Send again", onClick: () => dialogs.open(invoice.id, "mail") },
    download: { label: "Download PDF", href: pdfHref(invoice.id) },
    credit: { label: "Credit invoice", onClick: () => dialogs.open(invoice.id, "credit") },
    writeOff: { label: "Write off", danger: true, onClick: () => dialogs.open(invoice.id, "writeOff") },
    cancel: { label: "Cancel invoice", danger: true, onClick: () => dialogs.open(invoice.id, "cancel") },
  })
  return { of, dialogs: dialogs.shown }
}
